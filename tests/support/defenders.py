"""Situations in which somebody decides on what another one does to his: ``python -m tests.support.defenders`` records.

Each is a random game, by its seed, after so many steps.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion.games import discover
from companion.kit.questions import Choose
from companion.table.store import Store
from companion.table.tables import Tables
from tests.support.random_game import RandomGame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.table.view_models import Seen

RECORDED = Path(__file__).with_name("defenders.json")
PLAYED = ("chesswar", "pocket_tactics", "two_cities")
"""Games that soon come to such situations when they are played at random; in others they are laid out."""
OF_EACH = 10
SEEDS, STEPS = 400, 120


class Situation(msgspec.Struct, frozen=True):
    """A random game after so many steps, and the question that its defender is asked."""

    seed: int
    steps: int
    seat: str
    key: str


def situations(game: str) -> tuple[Situation, ...]:
    """Return the recorded situations of a game."""
    return msgspec.json.decode(RECORDED.read_bytes(), type=dict[str, tuple[Situation, ...]])[game]


def defends(table: RandomGame) -> Seen | None:
    """Return what the seat sees that decides on what another one does in a fight; None where nobody does."""
    for seat in table.seats:
        seen = table.tables.seen(table.table, seat)
        decides = seen.asked is not None and isinstance(seen.asked.question, Choose)
        if decides and seat != table.actor and any(reason.clash for reason in seen.story):
            return seen
    return None


def _found(tables: Tables, game: str) -> Iterator[Situation]:
    for seed in range(SEEDS):
        table = RandomGame(tables, discover()[game], seed)
        for steps in range(1, STEPS):
            if table.alone or table.over() or not table.step():
                break
            if seen := defends(table):
                assert seen.asked is not None
                yield Situation(seed, steps, seen.seat, seen.asked.question.key)
                break


def record(game: str) -> tuple[Situation, ...]:
    """Look for situations of a game, as different ones as there are."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "tables.db")
        found = tuple(islice(_found(Tables(store, discover()), game), OF_EACH * 3))
        store.close()
    alike: Counter[str] = Counter()
    ranked = []
    for one in found:
        kind = one.key.split("_")[0].split(".")[0]
        alike[kind] += 1
        ranked.append((alike[kind], one))
    ranked.sort(key=lambda pair: pair[0])
    return tuple(one for _, one in ranked[:OF_EACH])


if __name__ == "__main__":
    kept = msgspec.json.decode(RECORDED.read_bytes()) if RECORDED.exists() else {}
    for name in sys.argv[1:] or PLAYED:
        kept[name] = msgspec.to_builtins(record(name))
        print(name, [(one["seed"], one["steps"], one["key"]) for one in kept[name]])
    RECORDED.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
