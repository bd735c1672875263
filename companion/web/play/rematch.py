"""The rematch: one tap sets it up, and each phone's own tap brings it to its seat there."""

from __future__ import annotations

from contextlib import suppress

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from companion.kit.ruling import Refusal
from companion.table.problem import Problem
from companion.web import seat_cookies
from companion.web.play.page import page
from companion.web.state import app_state

rematch = Blueprint("rematch", __name__, url_prefix="/t/<table>/<seat>/rematch")


@rematch.post("")
def go(table: str, seat: str) -> Response:
    """Bring a phone to the rematch with all the seats that it holds; whoever asks first sets that up."""
    held = seat_cookies.check_seat(table, seat)
    tables, swap = app_state().tables, request.form.get("swap") == "1"
    try:
        app_state().create_rate.count()
        there = tables.rematch(table, seat, swap=swap)
    except (Refusal, Problem) as wrong:
        return page(table, seat, wrong)
    answer = redirect(url_for("play.page", table=there.table, seat=there.seat), 303)
    for other in held:
        with suppress(Problem):  # of several seats one may have been freed there
            one = tables.rematch(table, other)
            seat_cookies.set_token(answer, one.table, seat_cookies.SEAT + one.seat, one.token)
    return answer


@rematch.get("")
def back(table: str, seat: str) -> Response:
    """Lead to the table from an address that only takes what is sent there."""
    return redirect(url_for("play.page", table=table, seat=seat), 303)
