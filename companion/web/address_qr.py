"""The address that phones reach this Companion at, as a link and as a QR code that is part of a page."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlencode, urlsplit

import msgspec
import qrcode
from flask import Response, abort, request
from markupsafe import Markup

from companion.web.state import app_state

QR_SVG = Markup(
    '<svg class="qr" viewBox="0 0 {size} {size}" role="img" aria-label="QR" shape-rendering="crispEdges">'
    '<rect width="100%" height="100%" fill="#fff"/><path fill="#000" d="{path}"/></svg>'
)


@lru_cache(maxsize=256)
def qr_svg(text: str) -> Markup:
    """Draw a text as a QR code: an SVG element, dark on white, with the quiet zone that scanners need."""
    code = qrcode.QRCode(border=4, error_correction=qrcode.constants.ERROR_CORRECT_M)
    code.add_data(text)
    code.make(fit=True)
    matrix = code.get_matrix()
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(matrix) for x, dark in enumerate(row) if dark)
    return QR_SVG.format(size=len(matrix), path=path)


LONGEST_ADDRESS = 1500
"""Letters: longer ones make a QR code that no phone reads."""


def origin() -> str:
    """Return the address that phones reach this Companion at: the public one, else this page's own.

    On the laptop itself it is the one that phones know.
    """
    if app_state().public:
        return app_state().public
    known = app_state().address
    return known if known and _on_laptop(request.host_url) else request.host_url.rstrip("/")


def qr_for_phones(address: str) -> Markup | None:
    """Draw an address as a QR code for phones; None where Companion listens to this computer only."""
    return None if only_this_computer(address) else qr_svg(address)


def only_this_computer(address: str) -> bool:
    """Tell whether Companion listens to this computer only, so that no phone comes to an address of its own."""
    return bool(app_state().address) and _on_laptop(address)


def _on_laptop(address: str) -> bool:
    name = urlsplit(address).hostname or ""
    return name in {"localhost", "::1"} or name.startswith("127.")


class SharedPage(msgspec.Struct, frozen=True):
    """What a page is shared by: its address from here, the whole one, and where it is drawn as a QR code."""

    here: str
    address: str
    code: str

    @property
    def local(self) -> bool:
        """Tell whether the address leads nowhere from a phone."""
        return only_this_computer(self.address)

    @property
    def fits(self) -> bool:
        """Tell whether phones can read the address as a QR code."""
        return len(self.address) <= LONGEST_ADDRESS


def share_page(place: str, query: Iterable[tuple[str, str]]) -> SharedPage:
    """Share the page at a place of this server with what was asked of it; its QR code is at ``<place>/qr.svg``."""
    encoded = urlencode(tuple(query))
    return SharedPage(f"{place}?{encoded}", f"{origin()}{place}?{encoded}", f"{place}/qr.svg?{encoded}")


def qr_response(page: SharedPage | None) -> Response:
    """Draw the address of a page as a QR code; 404 where there is none that phones could read."""
    if page is None or page.local or not page.fits:
        abort(404)
    # It stands alone, so it says what it is.
    code = str(qr_svg(page.address)).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return Response(code, mimetype="image/svg+xml")
