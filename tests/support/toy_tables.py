"""A table of Toy to test on, with an easy way to sit at it."""

from __future__ import annotations

import random
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from companion.kit.text import speak
from companion.table.store import Store
from companion.table.tables import Tables
from tests.support.toy_game import TOY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from companion.table.view_models import Done, Seen


class Sitting:
    """Play Toy at one table; every request gets a key of its own."""

    def __init__(self, tables: Tables, code: str, tokens: dict[str, str]) -> None:
        self.tables = tables
        self.id = code
        self.tokens = tokens
        self._keys = count(1)

    def key(self) -> str:
        return f"key-{next(self._keys)}"

    def act(self, seat: str, action: str, **rest: Any) -> Done:
        how = {name: rest.pop(name) for name in ("key", "seen", "answers") if name in rest}
        return self.tables.act(self.id, seat, {"action": action, **rest}, **{"key": self.key(), **how})

    def answer(self, who: str, **answer: Any) -> Done:
        seen = answer.pop("seen", None)
        return self.tables.answer(self.id, who, answer, self.key(), seen)

    def silence(self, seat: str, seen: int | None = None, key: str | None = None) -> Done:
        seen = self.seen(seat).version if seen is None else seen
        return self.tables.silence(self.id, seat, seen, key or self.key())

    def take_back(self, seat: str, seen: int | None = None) -> Done:
        return self.tables.take_back(self.id, seat, self.key(), seen)

    def consent(self, seat: str, yes: bool) -> Done:
        return self.tables.consent(self.id, seat, yes, self.key())

    def correct(self, seat: str, path: str, value: str, seen: int | None = None) -> Done:
        return self.tables.correct(self.id, seat, path, value, self.key(), seen)

    def pause(self, on: bool) -> Done:
        return self.tables.pause(self.id, "rulekeeper", on=on, key=self.key())

    def end(self, on: bool = True) -> Done:
        """End the table, with the yes of a player where one is asked for it; or open it again."""
        done = self.tables.end(self.id, "rulekeeper", self.key(), on=on)
        asked = [seat for seat in self.tokens if (wish := self.seen(seat).end_wish) and wish.mine_to_give]
        return self.tables.consent_to_end(self.id, asked[0], yes=True, key=self.key()) if on and asked else done

    def dice(self, mode: str) -> Done:
        return self.tables.set_dice(self.id, "rulekeeper", mode, self.key())

    def seen(self, seat: str) -> Seen:
        return self.tables.seen(self.id, seat)

    def facts(self, seat: str = "screen") -> dict[str, str]:
        """Return what Toy shows to a seat, spoken without translation."""
        (panel,) = self.seen(seat).view.panels
        return {speak(label, str): speak(value, str) for label, value in panel.rows}

    def points(self) -> str:
        return self.facts()["points"]

    def hand(self, seat: str) -> list[str]:
        return self.facts(seat)["hand"].split()


class Clock:
    """Tell a time that only a test moves on."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def wait(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@contextmanager
def open_tables(
    folder: Path,
    luck: random.Random | None = None,
    changed: Callable[[str], None] = lambda _: None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    **games: Any,
) -> Iterator[Tables]:
    store = Store(folder / "tables.sqlite")
    try:
        yield Tables(store, games or {"toy": TOY}, luck, changed, clock)
    finally:
        store.close()


def sit(tables: Tables, dice: str = "app", seats: tuple[str, ...] = ("red", "blue"), **options: Any) -> Sitting:
    return sit_at(tables, "toy", seats, dice, **options)


def sit_at(tables: Tables, game: str, seats: Iterable[str], dice: str = "app", **options: Any) -> Sitting:
    """A table of a game, which ``tables`` know by its name, with somebody in every seat that is named."""
    created = tables.create(game, "A table", options, {"rulekeeper": "Keeper"}, dice)
    tokens = dict(created.tokens)
    for seat in seats:
        tokens[seat] = tables.join(created.table, seat, seat.capitalize())
    return Sitting(tables, created.table, tokens)


def public(seen: Seen) -> str:
    """All that a seat is shown, but for what no two tables share."""
    text = msgspec.json.encode(msgspec.structs.replace(seen, table="", log=())).decode()
    lines = [(line.kind, line.seat, line.headline, line.reasons) for line in seen.log]
    return text + msgspec.json.encode(lines).decode()
