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
from companion.table.validation import no_game
from companion.web.api import bodies, openapi
from companion.web.forms import fields, from_body, plain
from companion.web.language import language, speaker, spoken
from companion.web.problems import body
from companion.web.quick.lookups import consult


class WithoutTable:
    """Serve what anybody may ask, without a table."""

    def __init__(self, games: Mapping[str, Game[Any]]) -> None:
        self.games = games

    def list_games(self) -> Response:
        """List the games, with the JSON Schema of their options and actions."""
        listed = []
        for slug, game in self.games.items():
            speak = speaker(slug)
            roles = game.roles(game.options())
            summary = bodies.GameSummary(
                game=slug,
                name=game.name,
                summary=game.summary,
                seats={role.id: role.name for role in roles},
                options=openapi.schema(game.options),
                actions=openapi.schema(game.actions),
            )
            listed.append(spoken(summary, speak))
        return in_json({"games": listed})

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
            for lookup in self._game(game).lookups.values()
        )
        return answered(bodies.Lookups(lookups=listed), game)

    def consult_lookup(self, game: str, lookup: str) -> Response:
        """Rule on facts."""
        found = self._lookup(game, lookup)
        asked = body(bodies.Consult)
        facts = _facts(found, asked.facts)
        roll = asked.dice is None if asked.roll is None else asked.roll
        said = consult(found, facts, asked.choices, asked.dice or (), "roll" if roll else "refuse")
        ruled = bodies.Ruled(
            headline=said.ruling.headline if said.ruling else None,
            outcome=said.ruling.outcome if said.ruling else None,
            reasons=said.reasons,
            faces=said.faces,
            question=said.question,
            unused=said.unused,
        )
        return answered(ruled, game)

    def foresee_lookup(self, game: str, lookup: str) -> Response:
        """Work out the exact odds of facts."""
        found = self._lookup(game, lookup)
        facts = _facts(found, body(bodies.Foresee).facts)
        return answered(_odds(found, facts), game)

    def compare_lookup(self, game: str, lookup: str) -> Response:
        """Work out the exact odds of two fact sets, and name the facts that differ."""
        found = self._lookup(game, lookup)
        asked = body(bodies.Compare)
        a, b = _facts(found, asked.a, "a"), _facts(found, asked.a | asked.b, "b")
        values = plain(a), plain(b)
        differing = tuple(
            bodies.Differing(field=field.name, label=field.label, a=values[0][field.name], b=values[1][field.name])
            for field in fields(found.facts)
            if values[0][field.name] != values[1][field.name]
        )
        return answered(bodies.Compared(a=_odds(found, a, "a."), b=_odds(found, b, "b."), differing=differing), game)

    # dice

    def throw_dice(self) -> Response:
        """Throw dice."""
        asked = body(bodies.ThrowDice)
        _readable(asked.notation)
        roll = asked.dice is None if asked.roll is None else asked.roll
        said = consult(DICE, Notation(asked.notation), {}, asked.dice or (), "roll" if roll else "refuse")
        assert said.ruling is not None, "a throw asks for nothing but dice"
        return answered(bodies.DiceThrown(outcome=said.ruling.outcome, faces=said.faces))

    def foresee_dice(self) -> Response:
        """Work out the exact odds of dice."""
        parsed = _readable(body(bodies.ForeseeDice).notation)
        totals = {str(number): chance for number, chance in chances(parsed).items()}
        return answered(bodies.DiceOdds(charts=charts(parsed), totals=totals))

    def _game(self, slug: str) -> Game[Any]:
        if slug not in self.games:
            raise no_game(slug)
        return self.games[slug]

    def _lookup(self, game: str, slug: str) -> Lookup:
        lookups = self._game(game).lookups
        if slug not in lookups:
            raise Problem(404, say("There is no lookup called {lookup}.", lookup=slug[:60]), "lookup")
        return lookups[slug]


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
        raise Problem(
            400, refused.text, f"{place}.{refused.field}" if refused.field else place, refused.clause
        ) from refused


def _readable(notation: str) -> Parsed:
    """Read dice notation; raise Problem naming the character where it is none."""
    try:
        return read(notation)
    except Misread as misread:
        wrong = say("At character {number}: {what}", number=misread.at + 1, what=misread.text)
        raise Problem(422, wrong, "notation") from misread


def answered(value: Any, game: str | None = None) -> Response:
    """Answer with a value whose texts are spoken in the words of a game."""
    return in_json(spoken(value, speaker(game)))


def in_json(value: Any) -> Response:
    """Answer with JSON that nobody keeps."""
    answer = Response(msgspec.json.encode(value), mimetype="application/json")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Vary"] = "Accept-Language, Authorization"
    answer.headers["Content-Language"] = language()
    return answer
