"""Lookups without a table: facts, choices and dice stand in the address, nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.kit.forms import conditions
from companion.kit.game import Game, Lookup
from companion.web.address import Shared, drawn, shared
from companion.web.quick.compare import Comparison, compare
from companion.web.quick.lookups import BY, Query, Step, step_of


class Quick:
    """Serve the lookups of some games."""

    def __init__(self, games: Mapping[str, Game[Any]]) -> None:
        self.games = games

    def blueprint(self) -> Blueprint:
        """Make the blueprint of the lookups' pages."""
        made = Blueprint("quick", __name__, url_prefix="/quick")
        made.add_url_rule("", "all", self.all)
        made.add_url_rule("/<game>/<lookup>", "lookup", self.lookup, methods=["GET"])
        made.add_url_rule("/<game>/<lookup>", "roll", self.roll, methods=["POST"])
        made.add_url_rule("/<game>/<lookup>/qr.svg", "scan", self.scan)
        made.add_url_rule("/<game>/<lookup>/compare", "compare", self.compare)
        made.add_url_rule("/<game>/<lookup>/compare/qr.svg", "scan_comparison", self.scan_comparison)
        return made

    def all(self) -> str:
        """List every lookup of every game."""
        listed = tuple(game for game in self.games.values() if game.lookups)
        return render_template("quick/all.html", games=listed)

    def lookup(self, game: str, lookup: str) -> Response:
        """Show a lookup: its form, the odds of the facts, the ruling as far as dice and choices go."""
        found, asked = self._found(game, lookup)
        return self._page(found, asked, step_of(asked, _asked()))

    def roll(self, game: str, lookup: str) -> Response:
        """Roll what is lacking and go on to the address that holds the faces."""
        found, asked = self._found(game, lookup)
        step = step_of(asked, request.form.to_dict(flat=False) | {BY: ["roll"]}, roll=True)
        if step.refusal is not None:
            return self._page(found, asked, step)
        return redirect(f"{request.path}?{urlencode(step.query)}", 303)

    def scan(self, game: str, lookup: str) -> Response:
        """Draw the address of a lookup as a QR code."""
        step = step_of(self._found(game, lookup)[1], _asked())
        return drawn(None if step.refusal else _shared("lookup", game, lookup, step.query))

    def compare(self, game: str, lookup: str) -> Response:
        """Show two fact sets of a lookup side by side: what differs, and what it does to every outcome."""
        found, asked = self._found(game, lookup)
        both = compare(asked, _asked())
        page = render_template(
            "quick/compare.html",
            game=found,
            lookup=asked,
            both=both,
            shared=_shared("compare", game, lookup, both.query),
        )
        return make_response(page, 422 if both.a.refusal or both.b.refusal else 200)

    def scan_comparison(self, game: str, lookup: str) -> Response:
        """Draw the address of a comparison as a QR code."""
        both: Comparison = compare(self._found(game, lookup)[1], _asked())
        return drawn(_shared("compare", game, lookup, both.query) if both.whole else None)

    def _page(self, game: Game[Any], lookup: Lookup, step: Step) -> Response:
        page = render_template(
            "quick/lookup.html",
            game=game,
            lookup=lookup,
            step=step,
            conditions=conditions(lookup.facts),
            shared=_shared("lookup", game.slug, lookup.slug, step.query),
        )
        return make_response(page, 422 if step.refusal else 200)

    def _found(self, game: str, lookup: str) -> tuple[Game[Any], Lookup]:
        if game not in self.games or lookup not in self.games[game].lookups:
            abort(404)
        return self.games[game], self.games[game].lookups[lookup]


def _asked() -> dict[str, list[str]]:
    return request.args.to_dict(flat=False)


def _shared(page: str, game: str, lookup: str, query: Query) -> Shared:
    return shared(url_for(f"quick.{page}", game=game, lookup=lookup), query)
