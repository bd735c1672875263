"""What this phone keeps for the next time: the name that its owner gave once, and the seats where it sits."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from flask import g, request
from werkzeug.http import dump_cookie
from werkzeug.wrappers import Response

from companion.table.validation import NAME_LENGTH
from companion.web.pages import A_YEAR

NAME = "name"
SEATS = "sits"
MOST_SEATS = 8
_SEAT = re.compile(r"([0-9A-Z]{6})\.([\w-]{1,40})")


def known_name() -> str:
    """Return the name that was given on this phone last; empty where none was."""
    return unquote(request.cookies.get(NAME, ""))[:NAME_LENGTH]


def remember_name(answer: Response, name: str) -> None:
    """Let this phone keep a name; an empty one changes nothing."""
    if name.strip():
        _keep(answer, NAME, quote(name.strip()[:NAME_LENGTH]))


def own_seats() -> tuple[tuple[str, str], ...]:
    """List where this phone sat down, table and seat, the one used last first.

    It opens nothing: a seat opens by its token only, and may be somebody else's by now.
    """
    if "sits" not in g:
        found = _SEAT.findall(request.cookies.get(SEATS, ""))
        g.sits = list(dict.fromkeys((table, seat) for table, seat in found))[:MOST_SEATS]
    return tuple(g.sits)


def remember_seat(answer: Response, table: str, seat: str) -> None:
    """Let this phone know where it sits, for its first page."""
    if own_seats()[:1] != ((table, seat),):
        _write(answer, [(table, seat), *(one for one in own_seats() if one != (table, seat))])


def forget_seat(answer: Response, table: str, seat: str) -> None:
    """Let this phone know that it sits there no more."""
    if (table, seat) in own_seats():
        _write(answer, [one for one in own_seats() if one != (table, seat)])


def _write(answer: Response, seats: list[tuple[str, str]]) -> None:
    g.sits = seats[:MOST_SEATS]
    _keep(answer, SEATS, "/".join(".".join(one) for one in g.sits))


def _keep(answer: Response, name: str, value: str) -> None:
    # Without the day on which it ends, which is another one each second: what two phones see alike stays alike.
    cookie = dump_cookie(name, value, max_age=A_YEAR, httponly=True, samesite="Lax", sync_expires=False)
    answer.headers.add("Set-Cookie", cookie)
