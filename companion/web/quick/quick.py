"""Lookups without a table: facts, choices and dice stand in the address, nothing is stored."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.kit.forms import conditions
from companion.kit.game import Game, Lookup
from companion.web.address import SharedPage, qr_response, share_page
from companion.web.quick.compare import compare_facts
from companion.web.quick.lookups import BY, Query, Step, step_of
from companion.web.state import app_state

quick = Blueprint("quick", __name__, url_prefix="/quick")


@quick.get("")
def index() -> str:
    """List every lookup of every game."""
    games = tuple(game for game in app_state().games.values() if game.lookups)
    return render_template("quick/all.html", games=games)


@quick.get("/<game>/<lookup>")
def lookup(game: str, lookup: str) -> Response:
    """Show a lookup: its form, the odds of the facts, the ruling as far as dice and choices go."""
    consulted = _lookup(game, lookup)
    return _page(*consulted, step_of(consulted[1], _query()))


@quick.post("/<game>/<lookup>")
def roll(game: str, lookup: str) -> Response:
    """Roll the dice that are missing and go on to the address that holds the faces."""
    consulted = _lookup(game, lookup)
    step = step_of(consulted[1], request.form.to_dict(flat=False) | {BY: ["roll"]}, roll=True)
    if step.refusal is not None:
        return _page(*consulted, step)
    return redirect(f"{request.path}?{urlencode(step.query)}", 303)


@quick.get("/<game>/<lookup>/qr.svg")
def qr_code(game: str, lookup: str) -> Response:
    """Draw the address of a lookup as a QR code."""
    step = step_of(_lookup(game, lookup)[1], _query())
    return qr_response(None if step.refusal else _shared("lookup", game, lookup, step.query))


@quick.get("/<game>/<lookup>/compare")
def compare(game: str, lookup: str) -> Response:
    """Show two fact sets of a lookup side by side: what differs, and what it does to every outcome."""
    of_game, compared = _lookup(game, lookup)
    both = compare_facts(compared, _query())
    page = render_template(
        "quick/compare.html",
        game=of_game,
        lookup=compared,
        both=both,
        shared=_shared("compare", game, lookup, both.query),
    )
    return make_response(page, 422 if both.a.refusal or both.b.refusal else 200)


@quick.get("/<game>/<lookup>/compare/qr.svg")
def comparison_qr_code(game: str, lookup: str) -> Response:
    """Draw the address of a comparison as a QR code."""
    both = compare_facts(_lookup(game, lookup)[1], _query())
    return qr_response(_shared("compare", game, lookup, both.query) if both.whole else None)


def _page(game: Game[Any], lookup: Lookup, step: Step) -> Response:
    page = render_template(
        "quick/lookup.html",
        game=game,
        lookup=lookup,
        step=step,
        conditions=conditions(lookup.facts),
        shared=_shared("lookup", game.slug, lookup.slug, step.query),
    )
    return make_response(page, 422 if step.refusal else 200)


def _lookup(game: str, lookup: str) -> tuple[Game[Any], Lookup]:
    of_game = app_state().games.get(game) or abort(404)
    return of_game, of_game.lookups.get(lookup) or abort(404)


def _query() -> dict[str, list[str]]:
    return request.args.to_dict(flat=False)


def _shared(page: str, game: str, lookup: str, query: Query) -> SharedPage:
    return share_page(url_for(f"quick.{page}", game=game, lookup=lookup), query)
