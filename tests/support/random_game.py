"""A table at which people do at random what they can, each from their own seat."""

from __future__ import annotations

import random
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from companion.kit.game import RULEKEEPER
from companion.kit.questions import Throw
from companion.kit.ruling import Refusal
from companion.table.problem import Problem
from tests.support.conformance import filled, random_options

if TYPE_CHECKING:
    from companion.table.tables import Tables

ALONE = 0.2
"""How often the rulekeeper plays for everybody."""


class RandomGame:
    """A game of random options where none are ``given``; sometimes the rulekeeper plays for all, who have not come.

    ``actor`` is the seat that acted last, ``tapped`` the one that acted or answered.
    """

    def __init__(self, tables: Tables, game: Any, seed: int, **given: Any) -> None:
        self.rng = random.Random(seed)
        self.tables = tables
        self.tables._luck = random.Random(seed)  # what is dealt and rolled is the same in every run
        options = msgspec.structs.replace(random_options(game, self.rng), **given)
        dice = self.rng.choice(["app", "typed", "ask"])
        made = self.tables.create(game.slug, "", msgspec.to_builtins(options), {RULEKEEPER: "Ruth"}, dice)
        self.table, self.tokens = made.table, dict(made.tokens)
        self.seats = [role.id for role in game.roles(options)]
        self.alone = not given and self.rng.random() < ALONE
        for seat, name in () if self.alone else zip(self.seats, ("Ana", "Ben", "Eva", "Leo") * 30, strict=False):
            self.tokens[seat] = self.tables.join(self.table, seat, name)
        self._keys = count(1)
        self.actor = self.tapped = ""

    def who_acts(self) -> list[str]:
        """Name the seats that are asked something, or have something to do."""
        seens = {seat: self.tables.seen(self.table, seat) for seat in self.seats}
        return [seat for seat, seen in seens.items() if seen.asked or any(not one.grave for one in seen.offers)]

    def over(self) -> bool:
        return bool(self.tables.seen(self.table, RULEKEEPER).view.over)

    def play(self, steps: int) -> None:
        """Do so many things, as long as the game goes on."""
        for _ in range(steps):
            if self.over() or not self.step():
                return

    def step(self) -> bool:
        """Do one thing at random; False where nobody can do anything."""
        seens = {seat: self.tables.seen(self.table, seat) for seat in self.seats}
        for seat, seen in seens.items():
            if seen.asked is not None:
                question = seen.asked.question
                given: dict[str, Any] = {"roll": True}
                if isinstance(question, Throw):
                    if not seen.asked.may_roll:
                        given = {"faces": [self.rng.randint(1, question.sides) for _ in range(question.count)]}
                else:
                    able = [option.value for option in question.options if option.barred is None]
                    given = {"value": self.rng.choice(able)}
                self.tables.answer(self.table, seat, given, self.key())
                self.tapped = seat
                return True
        offered = [(seat, offer) for seat, seen in seens.items() for offer in seen.offers if not offer.grave]
        offered.sort(key=lambda _: self.rng.random())
        offered.sort(key=lambda one: one[1].aside or not (one[1].main or one[1].chancy) or self.rng.random() < 0.4)
        for seat, offer in offered:
            try:
                self.tables.act(self.table, seat, filled(offer, self.rng), self.key())
            except (Problem, Refusal):
                continue  # what is loose may be refused: the next one
            self.actor = self.tapped = seat
            return True
        return False

    def key(self) -> str:
        return f"random-{next(self._keys)}"
