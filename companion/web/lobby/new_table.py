"""A new table: who makes it keeps its rules, sits down where wished, and shares it."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from companion.kit.game import RULEKEEPER, Game, Start
from companion.table.results import Created
from companion.table.seats import NEXT
from companion.web import seat_cookies
from companion.web.state import app_state

new_table = Blueprint("new_table", __name__)


def create_table(game: Game[Any], options: msgspec.Struct, seat: str, key: str | None, **rest: str) -> Response:
    """Make a table and lead to its invitation; ``rest`` are its ``title``, the maker's ``name``, its ``dice``.

    Who makes it sits down on ``seat`` (``next``: on the first of those that are alike), or keeps the rules only. Raises
    Refusal or Problem.
    """
    app_state().create_rate.count()
    tables, name = app_state().tables, rest.get("name", "")
    roles = {role.id: role for role in game.roles(options)}
    names = {(seat if seat in roles else RULEKEEPER): name} if name else {}
    options_sent = msgspec.to_builtins(options)
    made = tables.create(game.slug, rest.get("title", ""), options_sent, names, rest.get("dice", "app"), key)
    answer = invitation(made)
    if seat in roles or (seat == NEXT and any(role.alike for role in roles.values())):
        token = tables.join(made.table, seat, name, key)
        seat_cookies.keep(answer, made.table, seat_cookies.SEAT + (tables.seat_of(made.table, token) or seat), token)
    return answer


def invitation(made: Created) -> Response:
    """Lead whoever made a table to its invitation, as its rulekeeper."""
    answer = redirect(url_for("rulekeeper.invite", table=made.table, seat=RULEKEEPER), 303)
    seat_cookies.keep(answer, made.table, seat_cookies.SEAT + RULEKEEPER, made.tokens[RULEKEEPER])
    return answer


@new_table.post("/start/<game>/<start>")
def create_at_once(game: str, start: str) -> Response:
    """Make a table at once, in one of the ways that a game offers on the first page."""
    played = app_state().game(game)
    options = played.options(**_start(played, start).options)
    alike = any(role.alike for role in played.roles(options))
    return create_table(played, options, NEXT if alike else "", request.form.get("key") or None)


@new_table.get("/start/<game>/<start>")
def form(game: str, start: str) -> Response:
    """Lead from an address that only takes what is sent there to the form of a new table."""
    return redirect(url_for("lobby.new", game=game, **_start(app_state().game(game), start).options), 303)


def _start(game: Game[Any], id_: str) -> Start:
    return next((start for start in game.starts if start.id == id_), None) or abort(404)
