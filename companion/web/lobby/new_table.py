"""A new table: who makes it keeps its rules, sits down where wished, and shares it."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from companion.kit.game import RULEKEEPER, Game, Start
from companion.table.seats import NEXT
from companion.web import seat_cookies
from companion.web.state import app_state

making = Blueprint("making", __name__)


def made(game: Game[Any], options: msgspec.Struct, seat: str, key: str | None, **rest: str) -> Response:
    """Make a table and lead to its invitation; ``rest`` are its ``title``, the maker's ``name``, its ``dice``.

    Who makes it sits down on ``seat`` (``next``: on the first of those that are alike), or keeps the rules only. Raises
    Refusal or Problem.
    """
    app_state().making.count()
    roles = {role.id: role for role in game.roles(options)}
    name = rest.get("name", "")
    sits = seat in roles or (seat == NEXT and any(role.alike for role in roles.values()))
    made = app_state().tables.create(
        game.slug,
        rest.get("title", ""),
        msgspec.to_builtins(options),
        {(seat if seat in roles else RULEKEEPER): name} if name else {},
        rest.get("dice", "app"),
        key,
    )
    answer = redirect(url_for("keeper.invite", table=made.table, seat=RULEKEEPER), 303)
    seat_cookies.keep(answer, made.table, seat_cookies.SEAT + RULEKEEPER, made.tokens[RULEKEEPER])
    if sits:
        token = app_state().tables.join(made.table, seat, name, key)
        seat_cookies.keep(
            answer, made.table, seat_cookies.SEAT + (app_state().tables.seat_of(made.table, token) or seat), token
        )
    return answer


@making.post("/start/<game>/<start>")
def begin(game: str, start: str) -> Response:
    """Make a table at once, in one of the ways that a game offers on the first page."""
    found = app_state().game(game)
    options = found.options(**_wanted(found, start).options)
    alike = any(role.alike for role in found.roles(options))
    return made(found, options, NEXT if alike else "", request.form.get("key") or None)


@making.get("/start/<game>/<start>")
def form(game: str, start: str) -> Response:
    """Lead from an address that only takes what is sent there to the form of a new table."""
    return redirect(url_for("lobby.new", game=game, **_wanted(app_state().game(game), start).options), 303)


def _wanted(game: Game[Any], start: str) -> Start:
    found = next((one for one in game.starts if one.id == start), None)
    if found is None:
        abort(404)
    return found
