"""Write tables, exports and what is told of them as Companion did at 823fa96: run there, ``python …/write.py FOLDER``.

Kept beside what it wrote, so that one sees what is in it; no test runs it, and later commits could not.
"""

from __future__ import annotations

import gzip
import random
import sqlite3
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from tests.catalogue import committed
from tests.conformance import any_value, filled, random_options
from tests.watch import walk

from companion.games import discover
from companion.kit.game import SCREEN
from companion.kit.questions import Choose, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import Text, speak
from companion.table.problem import Problem
from companion.table.store import Store
from companion.table.tables import Tables

GAMES = discover()
KINDS = ("under_way", "waiting", "changed", "over")
"""What the tables of a game are kept for: going on, in mid-action, corrected and taken back, won or given up."""
NAMES = {"under_way": ("Ana", "Ben"), "waiting": ("Íñigo", "Núria"), "changed": ("Zoë", "李"), "over": ("Ana", "Ana")}


COMMON = {str(message.id): str(message.string) for message in committed()}
"""What is said at every table, in Spanish."""


class Clock:
    """Seven seconds pass between two looks."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 22, 18, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=7)
        return self.time


SEED = 3
"""With it most of what is wanted comes up."""


class Table:
    """One table at which people act at random."""

    def __init__(self, tables: Tables, game: str, kind: str, number: int) -> None:
        self.tables, self.game, self.kind = tables, GAMES[game], kind
        self.rng = random.Random(f"{game} {kind} {SEED}")
        self.keys = count(1)
        self.dice = ("ask", "typed", "app", "app")[KINDS.index(kind)]
        options = random_options(self.game, self.rng) if kind != "waiting" else self.game.options()
        sent = msgspec.to_builtins(options)
        made = tables.create(game, f"{game} {kind}: ¿qué tal?", sent, {"rulekeeper": "Ruth"}, self.dice)
        self.id, self.number = made.table, number
        roles = [role.id for role in self.game.roles(options)]
        self.seats = roles
        for seat, name in zip(roles, NAMES[kind] * 4, strict=False):
            tables.join(self.id, seat, name)

    def key(self) -> str:
        return f"{self.number}-{next(self.keys)}"

    def seen(self, seat: str) -> Any:
        return self.tables.seen(self.id, seat)

    def act(self, *, grave: bool = False, wanted: str | None = None) -> bool:
        offered = [(seat, one) for seat in self.seats for one in self.seen(seat).offers]
        ways = [way for way in offered if way[1].grave == grave and wanted in (None, way[1].action)]
        if not ways:
            return False
        ways = [way for way in ways if wanted or not way[1].aside] or ways
        eager = [way for way in ways if way[1].main or way[1].chancy]
        if any(offer.action.startswith("edit_") for _, offer in ways):  # decks are written for ever, by who may
            ready = [way for way in ways if way[1].action == "ready" and "not" not in way[1].label.say.lower()]
            calm = [
                way
                for way in ways
                if self.kind != "waiting" or not way[1].action.startswith(("edit_", "load_", "ready"))
            ]
            eager = ways = ready or [way for way in calm if way[1].main] or calm or ways
        seat, offer = self.rng.choice(eager if eager and self.rng.random() < 0.7 else ways)
        with suppress(Refusal, Problem):
            self.tables.act(self.id, seat, filled(offer, self.rng), self.key())
            return True
        return False

    def answer(self) -> bool:
        for waiting in self.seen(SCREEN).waiting:
            asked = self.seen(waiting.seat).asked
            if asked is None:
                continue
            question = asked.question
            if isinstance(question, Throw):
                faces = [self.rng.randint(1, question.sides) for _ in range(question.count)]
                answer: dict[str, Any] = {"faces": faces} if asked.may_type else {"roll": True}
            else:
                assert isinstance(question, Choose)
                answer = {"value": self.rng.choice([one.value for one in question.options if one.barred is None])}
            self.tables.answer(self.id, waiting.seat, answer, self.key())
            return True
        return False

    def play(self, steps: int) -> None:
        for _ in range(steps):
            self.answer() or self.act()

    def settle(self) -> None:
        while self.answer():
            pass

    def correct(self) -> None:
        self.settle()
        for _ in range(12):
            entries = [one for one in self.tables.tracked(self.id, "rulekeeper") if one.field.value is not None]
            if not entries:
                return
            entry = self.rng.choice(entries)
            with suppress(Refusal, Problem):
                self.tables.correct(self.id, "rulekeeper", entry.path, any_value(entry.field, self.rng), self.key())
                return

    def take_back(self) -> None:
        seat = self.rng.choice([*self.seats, "rulekeeper"])
        with suppress(Refusal, Problem):
            self.tables.take_back(self.id, seat, self.key())
        for other in (*self.seats, "rulekeeper"):
            wish = self.seen(other).consent
            if wish is not None and wish.mine_to_give:
                with suppress(Refusal, Problem):
                    self.tables.consent(self.id, other, self.rng.random() < 0.7, self.key())

    def fill(self) -> None:
        """Let happen what this table is kept for."""
        self.play(45 if self.kind != "waiting" else 6)
        if self.kind in ("changed", "over"):
            for _ in range(6):
                self.correct()
                self.take_back()
                self.play(5)
            self.settle()
            self.tables.pause(self.id, "rulekeeper", on=True, key=self.key())
            self.tables.pause(self.id, "rulekeeper", on=False, key=self.key())
            self.tables.set_dice(self.id, "rulekeeper", "typed", self.key())
            self.play(6)
        if self.kind == "waiting":
            self.act(wanted="set_tray")
            for _ in range(400):
                if self.seen(SCREEN).waiting and (self.game.slug == "dash" or self.rng.random() < 0.3):
                    return
                self.play(1)
                if self.game.slug == "free_table":
                    self.act(wanted="roll")
        if self.kind == "over":
            self.settle()
            for _ in range(60):
                if self.seen(SCREEN).view.over:
                    break
                self.act(grave=True)
                self.settle()
            self.tables.end(self.id, "rulekeeper", self.key(), on=True)

    def told(self) -> dict[str, Any]:
        """What every seat was shown: sentences in both languages, the log, and what the log adds up to."""
        seats = (*self.seats, "rulekeeper", SCREEN)
        shown = {seat: self.seen(seat) for seat in seats}
        return {
            "table": self.id,
            "game": self.game.slug,
            "kind": self.kind,
            "version": shown[SCREEN].version,
            "waiting": [one.seat for one in shown[SCREEN].waiting],
            "offers": {seat: sorted({one.action for one in seen.offers}) for seat, seen in shown.items()},
            "tracked": [[one.path, one.field.value] for one in self.tables.tracked(self.id, "rulekeeper")],
            "log": [
                [
                    line.kind,
                    line.seat,
                    line.who,
                    line.undone,
                    line.typed,
                    *(self.read(line.headline, language) for language in ("en", "es")),
                ]
                for line in self.tables.report(self.id, SCREEN)
            ],
            "said": sorted(
                {
                    (self.read(text, "en"), self.read(text, "es"))
                    for seat in seats
                    for line in self.tables.report(self.id, seat)
                    for text in walk((line.headline, line.reasons))
                    if isinstance(text, Text)
                }
            ),
            "statistics": msgspec.to_builtins(self.tables.statistics(self.id), enc_hook=str),
        }

    def read(self, text: Any, language: str) -> str:
        return speak(
            text,
            lambda key: self.game.words.find(key, language) or (COMMON.get(key) if language == "es" else None) or key,
        )


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "tables.sqlite"
    store = Store(database)
    told = []
    try:
        tables = Tables(store, GAMES, random.Random(823), lambda _: None, Clock())
        made = [
            Table(tables, game, kind, number)
            for number, (game, kind) in enumerate((g, k) for g in GAMES for k in KINDS)
        ]
        for table in made:
            table.fill()
            told.append(table.told())
            (folder / "exports").mkdir(exist_ok=True)
            data = tables.export(table.id)
            name = f"{table.game.slug}-{table.kind}.json.gz"
            (folder / "exports" / name).write_bytes(gzip.compress(data, 9, mtime=0))
            print(table.game.slug, table.kind, len(told[-1]["log"]), told[-1]["waiting"], len(data))
    finally:
        store.close()
    with sqlite3.connect(database) as once:
        once.execute("PRAGMA journal_mode = DELETE")
        once.execute("VACUUM")
    once.close()
    (folder / "tables.sqlite.gz").write_bytes(gzip.compress(database.read_bytes(), 9, mtime=0))
    (folder / "told.json.gz").write_bytes(gzip.compress(msgspec.json.encode(told), 9, mtime=0))
    database.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
