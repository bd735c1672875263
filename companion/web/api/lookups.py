"""The part of the JSON API that needs no table: games, look-ups with their odds, dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
from flask import Response

from companion.kit.dice.lookup import DICE, Notation
from companion.kit.dice.notation import Throw as Parsed
from companion.kit.dice.odds import chances, charts
from companion.kit.dice.parser import Misread, read
from companion.kit.game import Game, Lookup
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.table.problem import Problem
from companion.web.api import bodies, openapi
from companion.web.forms import fields, from_body, plain
from companion.web.language import json_values, language, speaker
from companion.web.problems import body
from companion.web.quick.lookups import MissingDice, consult
from companion.web.state import app_state


class WithoutTable:
    """The API's routes that need no table."""

    def __init__(self, games: Mapping[str, Game[Any]]) -> None:
        self.games = games

    def list_games(self) -> Response:
        """List the games, with the JSON Schema of their options and actions."""
        summaries = (
            bodies.GameSummary(
                game=slug,
                name=game.name,
                summary=game.summary,
                seats={role.id: role.name for role in game.roles(game.options())},
                options=openapi.schema(game.options),
                actions=openapi.schema(game.actions),
            )
            for slug, game in self.games.items()
        )
        return in_json({"games": [json_values(summary, speaker(summary.game)) for summary in summaries]})

    def list_lookups(self, game: str) -> Response:
        """List a game's lookups, with the JSON Schema of their facts."""
        listed = tuple(
            bodies.LookupSummary(
                lookup=lookup.slug,
                title=lookup.title,
                note=lookup.note,
                facts=openapi.schema(lookup.facts),
                odds=lookup.charts is not None,
            )
            for lookup in app_state().game(game).lookups.values()
        )
        return answered(bodies.Lookups(lookups=listed), game)

    def consult_lookup(self, game: str, lookup: str) -> Response:
        """Rule on facts."""
        consulted, sent = _lookup(game, lookup), body(bodies.Consult)
        result = consult(consulted, _facts(consulted, sent.facts), sent.choices, sent.dice or (), _missing(sent))
        ruled = bodies.Ruled(
            headline=result.ruling.headline if result.ruling else None,
            outcome=result.ruling.outcome if result.ruling else None,
            reasons=result.reasons,
            faces=result.faces,
            question=result.question,
            unused=result.unused,
        )
        return answered(ruled, game)

    def foresee_lookup(self, game: str, lookup: str) -> Response:
        """Work out the exact odds of facts."""
        consulted = _lookup(game, lookup)
        facts = _facts(consulted, body(bodies.Foresee).facts)
        return answered(_odds(consulted, facts), game)

    def compare_lookup(self, game: str, lookup: str) -> Response:
        """Work out the exact odds of two fact sets, and name the facts that differ."""
        consulted, sent = _lookup(game, lookup), body(bodies.Compare)
        a, b = _facts(consulted, sent.a, "a"), _facts(consulted, sent.a | sent.b, "b")
        of_a, of_b = plain(a), plain(b)
        differing = tuple(
            bodies.Differing(field=field.name, label=field.label, a=of_a[field.name], b=of_b[field.name])
            for field in fields(consulted.facts)
            if of_a[field.name] != of_b[field.name]
        )
        odds_of_a, odds_of_b = _odds(consulted, a, "a."), _odds(consulted, b, "b.")
        return answered(bodies.Compared(a=odds_of_a, b=odds_of_b, differing=differing), game)

    def throw_dice(self) -> Response:
        """Throw dice."""
        sent = body(bodies.ThrowDice)
        _parse(sent.notation)
        result = consult(DICE, Notation(sent.notation), {}, sent.dice or (), _missing(sent))
        assert result.ruling is not None, "a throw asks for nothing but dice"
        return answered(bodies.DiceThrown(outcome=result.ruling.outcome, faces=result.faces))

    def foresee_dice(self) -> Response:
        """Work out the exact odds of dice."""
        parsed = _parse(body(bodies.ForeseeDice).notation)
        totals = {str(number): chance for number, chance in chances(parsed).items()}
        return answered(bodies.DiceOdds(charts=charts(parsed), totals=totals))


def _lookup(game: str, slug: str) -> Lookup:
    lookups = app_state().game(game).lookups
    if slug not in lookups:
        raise Problem(404, say("There is no lookup called {lookup}.", lookup=slug[:60]), "lookup")
    return lookups[slug]


def _missing(sent: bodies.Consult | bodies.ThrowDice) -> MissingDice:
    return "roll" if (sent.dice is None if sent.roll is None else sent.roll) else "refuse"


def _facts(lookup: Lookup, given: Mapping[str, Any], place: Literal["facts", "a", "b"] = "facts") -> Any:
    return under(place, lambda: from_body(lookup.facts, given))


def _odds(lookup: Lookup, facts: Any, side: Literal["", "a.", "b."] = "") -> bodies.Charts:
    try:
        return bodies.Charts(charts=lookup.charts(facts) if lookup.charts else ())
    except Refusal as refused:
        raise Refusal(refused.text, refused.clause, refused.field and side + refused.field) from refused


def under(place: Literal["facts", "a", "b", "options"], make: Callable[[], Any]) -> Any:
    """Make something out of a part of the body; raise Problem (400) naming the field within that part."""
    try:
        return make()
    except Refusal as refused:
        field = f"{place}.{refused.field}" if refused.field else place
        raise Problem(400, refused.text, field, refused.clause) from refused


def _parse(notation: str) -> Parsed:
    try:
        return read(notation)
    except Misread as misread:
        wrong = say("At character {number}: {what}", number=misread.at + 1, what=misread.text)
        raise Problem(422, wrong, "notation") from misread


def answered(value: Any, game: str | None = None) -> Response:
    """Answer with a value whose texts are spoken in the words of a game."""
    return in_json(json_values(value, speaker(game)))


def in_json(value: Any) -> Response:
    """Answer with JSON that nobody keeps."""
    answer = Response(msgspec.json.encode(value), mimetype="application/json")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Vary"] = "Accept-Language, Authorization"
    answer.headers["Content-Language"] = language()
    return answer
