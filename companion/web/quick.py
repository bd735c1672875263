"""Lookups without a table: facts, choices and dice stand in the address, nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from flask import Response as FlaskResponse
from werkzeug.wrappers import Response

from companion.kit.asking import Choose, Throw
from companion.kit.game import Chart, Field, Game, Lookup
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.web import acts
from companion.web.consult import MOST_DICE, Consulted, consult
from companion.web.doors import origin
from companion.web.forms import fields, from_form, plain
from companion.web.qr import drawing

By = Literal["roll", "type"]

SVG = "http://www.w3.org/2000/svg"
LONGEST_ADDRESS = 1500
"""Letters: longer ones make a QR code that no phone reads."""

MOST_AT_A_GLANCE, LIKELIEST = 4, 3
"""Bars that are read at a glance, and how many of more than those."""

DICE, FACE, BY, CHOICE = "_dice", "_face.", "_by", "_choose."
"""Names in the address beside the facts: the faces so far, another face, who throws, a choice by its key."""


class Step(msgspec.Struct, frozen=True):
    """Hold one step of a lookup: what was given in the address, and what follows from it."""

    fields: tuple[Field, ...]
    facts: msgspec.Struct | None = None
    choices: Mapping[str, str] = {}
    by: By | None = None
    charts: tuple[Chart, ...] = ()
    said: Consulted | None = None
    refusal: Refusal | None = None
    query: tuple[tuple[str, str], ...] = ()

    @property
    def asked_facts(self) -> tuple[tuple[str, str], ...]:
        """Return the facts alone, as they stand in the address."""
        return tuple(pair for pair in self.query if not pair[0].startswith("_"))

    @property
    def glance(self) -> Chart | None:
        """Return the chart to be read at a glance: the first that is no map, and of many bars the likeliest."""
        chart = next((chart for chart in self.charts if chart.map is None), next(iter(self.charts), None))
        if chart is None or len(chart.bars) <= MOST_AT_A_GLANCE:
            return chart
        least = sorted((bar.chance for bar in chart.bars), reverse=True)[LIKELIEST - 1]
        likeliest = [bar for bar in chart.bars if bar.chance >= least][:LIKELIEST]
        return msgspec.structs.replace(chart, bars=tuple(likeliest))

    @property
    def throw(self) -> Throw | None:
        """Return the throw that it waits for."""
        question = self.said.question if self.said else None
        return question if isinstance(question, Throw) else None

    @property
    def choose(self) -> Choose | None:
        """Return the choice that it waits for."""
        question = self.said.question if self.said else None
        return question if isinstance(question, Choose) else None


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
        return made

    def all(self) -> str:
        """List every lookup of every game."""
        listed = tuple(game for game in self.games.values() if game.lookups)
        return render_template("quick/all.html", games=listed)

    def lookup(self, game: str, lookup: str) -> Response:
        """Show a lookup: its form, the odds of the facts, the ruling as far as dice and choices go."""
        found, asked = self._found(game, lookup)
        step = _step(asked, request.args.to_dict(flat=False))
        return self._page(found, asked, step)

    def roll(self, game: str, lookup: str) -> Response:
        """Roll what is lacking and go on to the address that holds the faces."""
        found, asked = self._found(game, lookup)
        step = _step(asked, request.form.to_dict(flat=False) | {BY: ["roll"]}, roll=True)
        if step.refusal is not None:
            return self._page(found, asked, step)
        return redirect(f"{request.path}?{urlencode(step.query)}", 303)

    def scan(self, game: str, lookup: str) -> Response:
        """Draw the address of a lookup as a QR code."""
        _, asked = self._found(game, lookup)
        step = _step(asked, request.args.to_dict(flat=False))
        place = url_for("quick.lookup", game=game, lookup=lookup)
        address = f"{origin()}{place}?{urlencode(step.query)}"
        if step.refusal is not None or len(address) > LONGEST_ADDRESS:
            abort(404)
        standing_alone = str(drawing(address)).replace("<svg ", f'<svg xmlns="{SVG}" ', 1)
        return FlaskResponse(standing_alone, mimetype="image/svg+xml")

    def _page(self, game: Game[Any], lookup: Lookup, step: Step) -> Response:
        page = render_template(
            "quick/lookup.html",
            game=game,
            lookup=lookup,
            step=step,
            query=urlencode(step.query),
            origin=origin(),
        )
        return make_response(page, 422 if step.refusal else 200)

    def _found(self, game: str, lookup: str) -> tuple[Game[Any], Lookup]:
        if game not in self.games or lookup not in self.games[game].lookups:
            abort(404)
        return self.games[game], self.games[game].lookups[lookup]


def _step(lookup: Lookup, sent: Mapping[str, Sequence[str]], *, roll: bool = False) -> Step:
    facts_sent = {name: typed for name, typed in sent.items() if not name.startswith("_")}
    choices = {name.removeprefix(CHOICE): typed[-1] for name, typed in sent.items() if name.startswith(CHOICE)}
    by: By | None = "roll" if sent.get(BY) == ["roll"] else "type" if sent.get(BY) == ["type"] else None
    step = Step(fields(lookup.facts, facts_sent), choices=choices, by=by)
    try:
        facts = from_form(lookup.facts, facts_sent)
        step = msgspec.structs.replace(step, facts=facts, query=_query(facts, choices, (), by))
        step = msgspec.structs.replace(step, charts=lookup.charts(facts) if lookup.charts else ())
        said = consult(lookup, facts, choices, _dice(sent), "roll" if roll else "ask")
    except Refusal as refusal:
        return msgspec.structs.replace(step, refusal=refusal)
    used = {key: value for key, value in choices.items() if key not in said.unused}
    return msgspec.structs.replace(step, said=said, query=_query(facts, used, said.faces, by))


def _dice(sent: Mapping[str, Sequence[str]]) -> list[int]:
    typed = [face for listed in sent.get(DICE, ()) for face in listed.split()]
    typed += acts.faces(sent, FACE)
    if len(typed) > MOST_DICE:
        raise Refusal(say("More dice were given than are to be thrown."), field="dice")
    return acts.numbers(typed, "dice")


def _query(
    facts: msgspec.Struct, choices: Mapping[str, str], dice: Iterable[int], by: By | None
) -> tuple[tuple[str, str], ...]:
    pairs = [(name, typed) for name, value in plain(facts).items() for typed in _typed(value)]
    pairs += [(CHOICE + key, value) for key, value in choices.items()]
    if by is not None:
        pairs += [(BY, by), (DICE, " ".join(map(str, dice)))]
    return tuple(pairs)


def _typed(value: Any) -> list[str]:
    match value:
        case bool():
            return ["yes" if value else "no"]
        case None:
            return [""]
        case list() | tuple():
            return [str(part) for part in value] or [""]
        case _:
            return [str(value)]
