"""QR codes as a drawing that is part of the page."""

from __future__ import annotations

from functools import lru_cache

import qrcode
from markupsafe import Markup

DRAWING = Markup(
    '<svg class="qr" viewBox="0 0 {size} {size}" role="img" aria-label="QR" shape-rendering="crispEdges">'
    '<rect width="100%" height="100%" fill="#fff"/><path fill="#000" d="{path}"/></svg>'
)


@lru_cache(maxsize=256)
def drawing(text: str) -> Markup:
    """Draw a text as a QR code: an SVG element, dark on white, with the quiet zone that scanners need."""
    code = qrcode.QRCode(border=4, error_correction=qrcode.constants.ERROR_CORRECT_M)
    code.add_data(text)
    code.make(fit=True)
    matrix = code.get_matrix()
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(matrix) for x, dark in enumerate(row) if dark)
    return DRAWING.format(size=len(matrix), path=path)
