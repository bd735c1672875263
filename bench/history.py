"""Open a table, take a step back, look back and count, at a young table and at one with a long past."""

from __future__ import annotations

import gc
import random
from itertools import count
from typing import TYPE_CHECKING

import msgspec

from bench.figures import Figure, spread, timed
from bench.player import GAME, request
from companion.games import discover
from companion.table.store import Store
from companion.table.tables import Tables

if TYPE_CHECKING:
    from pathlib import Path

LENGTHS = (10, 5_000, 20_000)
ROUNDS = 100
RECAPPED = 50
"""Entries of which a recap tells."""
COUNTED = 5_000
"""Entries of the longest log whose statistics have an aim."""
READ = 5
"""How often a whole log is read for its statistics."""


class Book:
    """A table at which nothing leads anywhere, so that its past can be of any length."""

    def __init__(self, folder: Path, length: int) -> None:
        self.path = folder / f"history-{length}.sqlite"
        self.games = discover()
        self.luck = random.Random(length)
        self.keys = count()
        store = Store(self.path)
        tables = Tables(store, self.games)
        self.table = tables.create(GAME).table
        self.seats = [role.id for role in self.games[GAME].roles(self.games[GAME].options())]
        for seat in self.seats:
            tables.join(self.table, seat, seat)
        while tables.version(self.table) < length:
            self.act(tables)
        store.close()

    def act(self, tables: Tables) -> str:
        """Do any one thing; return who did it."""
        seat = self.seats[0]
        seen = msgspec.to_builtins(tables.seen(self.table, seat))
        wanted = request(seen, f"key-{next(self.keys)}", self.luck, stay=True)
        assert wanted
        tables.act(self.table, seat, wanted[1]["action"], wanted[1]["key"])
        return seat

    def open(self) -> None:
        """Open the table as after a start: nothing is in memory."""
        store = Store(self.path)
        Tables(store, self.games).seen(self.table, self.seats[0])
        store.close()

    def act_and_undo(self, acting: list[float], into: list[float]) -> None:
        """Do something and take it back."""
        store = Store(self.path)
        tables = Tables(store, self.games)
        tables.seen(self.table, self.seats[0])
        with timed(acting):
            seat = self.act(tables)
        with timed(into):
            tables.take_back(self.table, seat, f"key-{next(self.keys)}")
        store.close()

    def look_back(self, into: list[float]) -> None:
        """Look at any entry as after a start."""
        store = Store(self.path)
        tables = Tables(store, self.games)
        last = tables.log(self.table, self.seats[0], limit=1)[0].seq
        with timed(into):
            tables.stage(self.table, self.seats[0], self.luck.randint(1, last))
        store.close()

    def recap(self, into: list[float]) -> None:
        """Tell what the last entries did, step by step."""
        store = Store(self.path)
        tables = Tables(store, self.games)
        version = max(tables.version(self.table) - RECAPPED, 1)
        with timed(into):
            tables.recap(self.table, self.seats[-1], version, stepwise=True)
        store.close()

    def statistics(self, first: list[float], again: list[float]) -> None:
        """Work the statistics out as after a start, and again when one step more was done."""
        store = Store(self.path)
        tables = Tables(store, self.games)
        with timed(first):
            tables.statistics(self.table)
        self.act(tables)
        with timed(again):
            tables.statistics(self.table)
        store.close()


def measure(folder: Path) -> list[Figure]:
    """Measure both at each length, by turns so that all meet the same machine."""
    books = [Book(folder, length) for length in LENGTHS]
    gc.freeze()  # as Companion does when it begins to serve
    opened: list[list[float]] = [[] for _ in LENGTHS]
    acted: list[list[float]] = [[] for _ in LENGTHS]
    undone: list[list[float]] = [[] for _ in LENGTHS]
    looked: list[list[float]] = [[] for _ in LENGTHS]
    told: list[list[float]] = [[] for _ in LENGTHS]
    first: list[list[float]] = [[] for _ in LENGTHS]
    again: list[list[float]] = [[] for _ in LENGTHS]
    for _ in range(ROUNDS):
        for book, opening, acting, undoing, looking, telling in zip(
            books, opened, acted, undone, looked, told, strict=True
        ):
            with timed(opening):
                book.open()
            book.act_and_undo(acting, undoing)
            book.look_back(looking)
            book.recap(telling)
    for _ in range(READ):
        for book, one, other in zip(books, first, again, strict=True):
            book.statistics(one, other)
    at_once = {"look at any entry of": "< 100 ms", f"recap of {RECAPPED} entries after": "< 50 ms"}
    counted = {"statistics after a start of": "< 3 s", "statistics after one more step of": "< 100 ms"}
    aims = at_once | counted
    return [
        Figure(
            f"{what} {length} entries (p50 / p99)",
            spread(took),
            "" if what in counted and length > COUNTED else aims.get(what, "flat"),
        )
        for what, all_took in (
            ("open a table of", opened),
            ("act after", acted),
            ("undo after", undone),
            *zip(aims, (looked, told, first, again), strict=True),
        )
        for length, took in zip(LENGTHS, all_took, strict=True)
    ]
