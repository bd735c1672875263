"""Read the QR codes of a page as a phone's camera reads them, by a reader that is not ours."""

from __future__ import annotations

import re

import zxingcpp

SCALE = 4
DARK, LIGHT = 0, 255
_CODE = re.compile(r'<svg[^>]*class="qr"[^>]*viewBox="0 0 (\d+) \1".*?<path [^>]*\bd="([^"]+)"', re.DOTALL)


def read(rows: list[list[int]]) -> list[str]:
    """Read every QR code in a picture of dark and light squares."""
    wide = [[pixel for pixel in row for _ in range(SCALE)] for row in rows]
    picture = bytes(pixel for row in wide for _ in range(SCALE) for pixel in row)
    image = memoryview(picture).cast("B", (len(wide) * SCALE, len(wide[0])))
    return [found.text for found in zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)]


def drawn(page: str) -> list[str]:
    """Read what every QR code of a page says, in their order."""
    said = []
    for size, path in _CODE.findall(page):
        rows = [[LIGHT] * int(size) for _ in range(int(size))]
        squares = re.findall(r"M(\d+) (\d+)h1v1h-1z", path)
        assert len(squares) == path.count("M")
        for x, y in squares:
            rows[int(y)][int(x)] = DARK
        said += read(rows)
    return said
