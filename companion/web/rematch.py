"""From a table to its rematch: who asks for it counts, and a phone takes along the seats that it holds."""

from __future__ import annotations

from collections.abc import Iterable

from werkzeug.wrappers import Response

from companion.table.rematch import Seated
from companion.web import seat_cookies
from companion.web.state import app_state


def seat_again(table: str, seat: str, *, swap: bool) -> Seated:
    """Return a seat's place at the rematch of its table; whoever asks first sets that up, as one of the new tables.

    Raises Problem as ``Tables.rematch`` does, and (429) where too many tables were made.
    """
    tables = app_state().tables
    ending = tables.ending(table)
    if ending is None or ending.rematch is None:
        app_state().create_rate.count()
    return tables.rematch(table, seat, swap=swap)


def take_along(answer: Response, table: str, held: Iterable[str]) -> Response:
    """Let this phone keep the seats at the rematch that are its own: of those held here, what still is theirs there."""
    for one in app_state().tables.seats_kept(table, held):
        seat_cookies.set_token(answer, one.table, seat_cookies.SEAT + one.seat, one.token)
    return answer
