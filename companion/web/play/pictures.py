"""Pictures of people's own: taken in with the form that names them, and sent to whoever sees them."""

from __future__ import annotations

from base64 import b64decode
from io import SEEK_END

from flask import Blueprint, Response, request
from werkzeug.datastructures import FileStorage, MultiDict

from companion.kit.pictures import LARGEST
from companion.kit.text import say
from companion.table.pictures import check, too_large
from companion.table.problem import Problem
from companion.web.forms import Sent
from companion.web.fragments import fragments
from companion.web.seat_cookies import SeatNotHeld, check_seat
from companion.web.state import app_state

BROUGHT = "photo."
"""What the file of a field is called in a form, before the field's name."""
FOREVER = "private, max-age=31536000, immutable"

NOTHING = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=")
"""A picture of a single point that is transparent."""

pictures = Blueprint("pictures", __name__, url_prefix="/t/<table>/<seat>")


def take_in(sent: Sent, files: MultiDict[str, FileStorage]) -> tuple[Sent, tuple[bytes, ...]]:
    """Name the pictures that came with a form in its fields; return it, and them. Raises Problem for one that is none.

    A field without one keeps the picture that it names.
    """
    named, brought = dict(sent), []
    for name, file in files.items():
        if not (name.startswith(BROUGHT) and file.filename):
            continue
        field = name.removeprefix(BROUGHT)
        if (size := file.stream.seek(0, SEEK_END)) > LARGEST:
            raise too_large(size, field)  # so that it need not be in memory
        file.stream.seek(0)
        data = file.stream.read()
        named[f"f.{field}"] = [check(data, field).digest]
        brought.append(data)
    return named, tuple(brought)


@pictures.get("/picture/<digest>")
def show(table: str, seat: str, digest: str) -> Response:
    """Send a picture to a phone that holds a seat which sees it; nothing to look at where it is missing (404).

    Browsers draw a frame for a picture that does not come, over the sign that should be seen then.
    """
    try:
        check_seat(table, seat)
    except SeatNotHeld as error:
        raise _no_picture() from error
    found = _seen(table, seat, digest)
    if found is None:
        return Response(NOTHING, 404, mimetype="image/png", headers={"Cache-Control": "no-store"})
    return _sent(digest, *found)


def send_picture(table: str, seat: str, digest: str) -> Response:
    """Send a picture to a seat that sees it; for any other there is none, whether it is kept or not.

    Its address names it for good. Raises Problem (404) where it is not seen, or is missing.
    """
    found = _seen(table, seat, digest)
    if found is None:
        raise _no_picture()
    return _sent(digest, *found)


def _seen(table: str, seat: str, digest: str) -> tuple[str, bytes] | None:
    """Return a picture that a seat sees, None where it is missing; raise Problem (404) where it does not see it."""
    if not fragments().sees_photo(table, seat, digest):
        raise _no_picture()
    return app_state().tables.picture(digest)


def _sent(digest: str, kind: str, data: bytes) -> Response:
    answer = Response(data, mimetype=kind, headers={"Cache-Control": FOREVER})
    answer.set_etag(digest)
    answer.make_conditional(request)
    return answer


def _no_picture() -> Problem:
    return Problem(404, say("There is no such picture here."))
