"""Which seats of a table this phone holds, by its cookies."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from companion.kit.game import SCREEN
from companion.kit.text import say
from companion.table.problem import Problem
from companion.table.validation import only_shows
from companion.web import this_phone
from companion.web.pages import A_YEAR, refuse
from companion.web.state import app_state

SEAT = "seat-"
KNOCK = "knock-"
MOVED = "moved-"
"""Where whoever held a seat sits now: a page of the old one may be loaded again while the new one comes."""
A_MINUTE = 60


class SeatNotHeld(Problem):
    """A seat of a table that this phone asks for, and does not hold."""

    def __init__(self, table: str) -> None:
        super().__init__(403, say("This phone does not hold that seat: somebody else may have taken it over."))
        self.table = table


def seats_held(table: str) -> tuple[str, ...]:
    """List the seats of a table that this phone holds."""
    shown = _tokens(SEAT)
    opened = app_state().tables.seats_of(table, shown.values())
    return tuple(seat for seat, token in shown.items() if opened.get(token) == seat)


def seats_lost(table: str) -> tuple[str, ...]:
    """List the seats of a table that this phone held until they were freed, or given to another phone."""
    shown = _tokens(SEAT)
    opened = app_state().tables.seats_of(table, shown.values())
    return tuple(seat for seat, token in shown.items() if token not in opened)


def seats_moved(table: str) -> dict[str, str]:
    """Return where whoever holds this phone sits now, by the seat he had before he changed it."""
    shown = _tokens(SEAT)
    opened = app_state().tables.seats_of(table, shown.values())
    return {was: opened[token] for was, token in shown.items() if opened.get(token, was) != was}


def move_along(answer: Response, table: str) -> None:
    """Let this phone hold the seats where its people sit now, in the place of those that they had."""
    moved, shown = seats_moved(table), _tokens(SEAT)
    left = moved.keys() - moved.values()
    forget(answer, table, left)
    for was, seat in moved.items():
        set_token(answer, table, SEAT + seat, shown[was])
        if was in left:
            answer.set_cookie(MOVED + was, seat, A_MINUTE, path=f"/t/{table}", httponly=True, samesite="Lax")


def forget(answer: Response, table: str, seats: Iterable[str]) -> None:
    """Let this phone forget seats that it holds no more."""
    for seat in seats:
        this_phone.forget_seat(answer, table, seat)
        answer.delete_cookie(SEAT + seat, path=f"/t/{table}", httponly=True, samesite="Lax")


def seated() -> bool:
    """Tell whether who asks about a table shows a token of it: of a seat by cookie, link or API, or of a knock."""
    about = request.view_args or {}
    table = about.get("table")
    if table is None:
        return False
    tables = app_state().tables
    try:
        shown = (about.get("token", ""), _bearer())
        return bool(seats_held(table) or tables.seats_of(table, shown) or tables.asked(table, _tokens(KNOCK).values()))
    except Problem:
        return False


def _tokens(kind: str) -> dict[str, str]:
    """Return the tokens of one kind that this phone shows, by seat."""
    cookies = request.cookies.items()
    return {name.removeprefix(kind): token for name, token in cookies if name.startswith(kind)}


def _bearer() -> str:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def check_seat(table: str, seat: str) -> tuple[str, ...]:
    """Check that this phone holds a seat, once in a request; return all that it holds. Raises SeatNotHeld otherwise.

    Everybody holds the shared screen.
    """
    if g.get("seat") != (table, seat):
        g.seats = seats_held(table)
        if seat != SCREEN and seat not in g.seats:
            raise SeatNotHeld(table)
        g.seat = (table, seat)
    seats: tuple[str, ...] = g.seats
    return seats


def check_person(table: str, seat: str) -> tuple[str, ...]:
    """Check that this phone holds the seat of somebody, as ``check_seat`` does.

    Raises Problem (403) for the shared screen, which does nothing.
    """
    held = check_seat(table, seat)
    if seat == SCREEN:
        raise only_shows()
    return held


def forget_checked() -> None:
    """Let the seat of this request be checked again: somebody else may hold it by now."""
    g.pop("seat", None)


def token(seat: str) -> str:
    """Return the token that this phone shows for a seat; empty when it shows none."""
    return request.cookies.get(SEAT + seat, "")


def digest(token: str) -> str:
    """Digest a token: enough to tell it from another one, nothing to guess it from."""
    return blake2b(token.encode(), digest_size=9).hexdigest()


def seat_down(table: str, seat: str, token: str) -> Response:
    """Give this phone a seat and go there; what it held before and lost is told no more."""
    answer = redirect(url_for("play.page", table=table, seat=seat), 303)
    forget(answer, table, seats_lost(table))
    move_along(answer, table)
    set_token(answer, table, SEAT + seat, token)
    return answer


def set_token(answer: Response, table: str, name: str, token: str) -> None:
    """Let this phone keep a token, for one table only."""
    answer.set_cookie(name, token, max_age=A_YEAR, path=f"/t/{table}", httponly=True, samesite="Lax")
    if name.startswith(SEAT):
        this_phone.remember_seat(answer, table, name.removeprefix(SEAT))


def lead_on(wrong: SeatNotHeld) -> Response:
    """Send a phone that does not hold a seat to where its owner sits now, else to where seats are taken."""
    was = (request.view_args or {}).get("seat", "")
    seat = seats_moved(wrong.table).get(was) or request.cookies.get(MOVED + was)
    if seat not in {*seats_held(wrong.table), *seats_moved(wrong.table).values()}:
        return redirect(url_for("lobby.join", table=wrong.table), 303)
    answer = redirect(url_for("play.page", table=wrong.table, seat=seat), 303)
    move_along(answer, wrong.table)
    return answer


def refuse_seat(wrong: SeatNotHeld) -> Response:
    """Lead a phone on that does not hold a seat; refuse what it wanted to do."""
    return lead_on(wrong) if request.method == "GET" else refuse(wrong)
