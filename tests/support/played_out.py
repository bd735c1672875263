"""Tables at which two who want to win play until one has won."""

from __future__ import annotations

import random
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from companion.games import discover
from companion.kit.game import RULEKEEPER
from companion.kit.questions import Throw
from companion.kit.ruling import Refusal
from tests.support.victories import MOST, Contest
from tests.support.watch import Watch

if TYPE_CHECKING:
    from companion.table.tables import Tables

NAMES = ("Ana", "Ben", "Eva", "Leo")


class TableContest(Contest):
    """One game of those who want to win, at a table: what they do is kept, undone, shown and counted as anybody's."""

    def __init__(self, tables: Tables, name: str, seed: int) -> None:
        super().__init__(name, seed, Watch(discover()[name]))
        self.tables = tables
        tables._luck = random.Random(seed)
        made = tables.create(name, "", msgspec.to_builtins(self.options), {RULEKEEPER: "Ruth"}, "app")
        self.table, self.tokens = made.table, dict(made.tokens)
        for seat, called in zip(self.roles, NAMES, strict=False):
            self.tokens[seat] = tables.join(self.table, seat, called)
        self._keys = count(1)
        self._read()

    def key(self) -> str:
        return f"contest {next(self._keys)}"

    def _read(self) -> None:
        with self.tables._look(self.table) as session:
            self.state = session.state

    def act(self, seat: str, raw: dict[str, Any], *, chancy: bool, loose: bool) -> None:
        """Do something, and answer whatever is asked at random; what is loose may be refused."""
        try:
            self.tables.act(self.table, seat, raw, self.key())
        except Refusal:
            assert loose
            return
        while asked := next(filter(None, (self.tables.seen(self.table, one).asked for one in self.roles)), None):
            question = asked.question
            given: dict[str, Any] = {"roll": True}
            if not isinstance(question, Throw):
                able = [option.value for option in question.options if option.barred is None]
                given = {"value": self.rng.choice(able)}
            self.tables.answer(self.table, asked.seat, given, self.key())
        self._read()


def play_out(tables: Tables, name: str, seed: int) -> TableContest:
    """Play a game until it is won."""
    contest = TableContest(tables, name, seed)
    for _ in range(MOST):
        contest.turn()
        if contest.finished():
            return contest
    raise AssertionError(f"{name} {seed} does not end")
