"""Corrections of a game's state, as every game's tests make them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.kit.correction import written
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Refusal
from companion.kit.text import speak
from tests.support.conformance import any_value, filled, settle
from tests.support.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.kit.action import Field
    from companion.kit.asking import Ask
    from companion.kit.correction import Tracked


class Mending:
    """Correct the states of one game; chance is asked as ``ask`` answers it."""

    def __init__(self, game: Any, ask: Callable[..., Ask]) -> None:
        self.game = game
        self.ask = ask

    def correct(self, state: Any, path: str, value: str, **more: Any) -> Any:
        return self.game.correct(state, path, value, self.ask(**more))

    def tracked(self, state: Any) -> dict[str, Tracked]:
        return {entry.path: entry for entry in self.game.tracked(state)}

    def advised(self, state: Any, seat: str = SCREEN) -> list[str]:
        """What a seat is advised, in English."""
        words = self.game.words
        advice = self.game.view(state, seat).advice
        return [speak(why.text, lambda key: words.find(key, "en") or key) for why in advice]

    def value_of(self, state: Any, path: str) -> Any:
        return self.tracked(state)[path].field.value

    def choices(self, state: Any, path: str) -> list[str]:
        return [option.value for option in self.tracked(state)[path].field.options]

    def no(self, state: Any, path: str, value: str) -> str | None:
        """The clause by which a correction is refused."""
        with pytest.raises(Refusal) as refused:
            self.correct(state, path, value)
        assert refused.value.field == "value"
        return refused.value.clause

    def stays(self, state: Any) -> None:
        """Setting a value to what it is changes nothing."""
        entries = self.game.tracked(state)
        assert len({entry.path for entry in entries}) == len(entries)
        for entry in entries:
            if entry.field.options:
                values = entry.field.value if isinstance(entry.field.value, tuple) else (entry.field.value,)
                listed = [option.value for option in entry.field.options]
                assert set(listed) >= set(values), entry.path
                assert len(set(listed)) == len(listed), entry.path
            if entry.field.kind == "number":
                assert entry.field.low <= entry.field.value <= entry.field.high, entry.path
            assert self.correct(state, entry.path, written(entry.field)) == state, entry.path

    def each(self, state: Any, holds: Callable[[Any], None], *, full: bool) -> None:
        """Set every value to each that it may have, or to three of them; ``holds`` checks what comes of it."""
        watch = Watch(self.game)
        for entry in self.game.tracked(state):
            watch.texts(entry)
            for value in values_of(entry.field) if full else few(values_of(entry.field)):
                after = self.corrected(state, entry, value, watch)
                assert msgspec.json.decode(msgspec.json.encode(after), type=self.game.state) == after
                holds(after)

    def wander(self, state: Any, seed: int, holds: Callable[[Any], None]) -> None:
        """Correct and play at random: whatever comes of it can be kept, shown and played."""
        watch, rng = Watch(self.game), random.Random(seed)
        for _ in range(10):
            parts: dict[str, list[Tracked]] = {}
            for entry in self.game.tracked(state):
                parts.setdefault(entry.path.rpartition(".")[2], []).append(entry)
            if parts:
                entry = rng.choice(parts[rng.choice(sorted(parts))])
                watch.texts(entry)
                state = self.corrected(state, entry, any_value(entry.field, rng), watch)
            self.shown(state, watch)
            holds(state)
            if rng.random() < 0.4:
                state = self.played(state, rng)

    def corrected(self, state: Any, entry: Tracked, value: str, watch: Watch) -> Any:
        """The state after a correction; where it is refused, in words of both languages, the state as it was."""
        try:
            return settle(lambda ask: self.game.correct(state, entry.path, value, ask), random.Random(1))[0]
        except Refusal as refused:
            assert entry.secret_of is None, f"a refusal tells what {entry.path} is"
            watch.texts(refused.text)
            watch.clause(refused.clause)
            return state

    def shown(self, state: Any, watch: Watch) -> None:
        """Whoever is to move has something to do, and while it is not over somebody is."""
        seats = [role.id for role in self.game.roles(state.options)]
        assert msgspec.json.decode(msgspec.json.encode(state), type=self.game.state) == state
        for seat in (*seats, RULEKEEPER, SCREEN):
            view, offers = self.game.view(state, seat), self.game.offers(state, seat)
            watch.texts((view, offers))
            if seat in view.to_move:
                assert [offer for offer in offers if not offer.grave], f"{seat} is to move and can do nothing"
        view = self.game.view(state, SCREEN)
        assert view.over or view.to_move, "nobody is to move"

    def played(self, state: Any, rng: random.Random) -> Any:
        """The state after something that is offered."""
        seats = [role.id for role in self.game.roles(state.options)]
        offers = [(seat, offer) for seat in seats for offer in self.game.offers(state, seat) if not offer.grave]
        if not offers:
            return state
        seat, offer = rng.choice(offers)
        action = msgspec.convert(filled(offer, rng), self.game.actions, strict=False)
        try:
            return settle(lambda ask: self.game.rule(state, seat, action, ask), rng)[0].outcome
        except Refusal:
            assert offer.loose
            return state


def few(values: list[str]) -> list[str]:
    """The first, the last and the one in the middle."""
    return [values[at] for at in sorted({0, len(values) // 2, len(values) - 1}) if 0 <= at < len(values)]


def values_of(field: Field) -> list[str]:
    """What a field may be set to: of numbers those at both ends, of several choices none and all."""
    match field.kind:
        case "number":
            ends = {field.low, field.low + 1, field.high - 1, field.high}
            return [str(number) for number in sorted(ends) if field.low <= number <= field.high]
        case "yes_no":
            return ["true", "false"]
        case "many":
            return ["", ",".join(option.value for option in field.options)]
        case _:
            return [option.value for option in field.options if option.barred is None]
