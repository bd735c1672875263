"""A table of any game at which people play at random, each from their own seat."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec

from companion.kit.asking import Throw
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Refusal
from companion.table.problem import Problem
from tests.browser.phones import Sitting
from tests.support.conformance import filled, random_options

if TYPE_CHECKING:
    from companion.kit.action import Offer
    from companion.table.view_models import Seen
    from tests.browser.phones import Serving

NAMES = ("Ana", "Ben", "Eva", "Leo")


class RandomTable:
    """Sit everybody down at a table with random options, or those given."""

    def __init__(self, served: Serving, game: Any, seed: int, **options: Any) -> None:
        self.rng = random.Random(seed)
        self.tables = served.tables
        chosen = msgspec.structs.replace(random_options(game, self.rng), **options)
        made = self.tables.create(game.slug, "", msgspec.to_builtins(chosen), {RULEKEEPER: "Ruth"}, "app")
        tokens = dict(made.tokens)
        self.seats = [role.id for role in game.roles(chosen)]
        for at, seat in enumerate(self.seats):
            tokens[seat] = self.tables.join(made.table, seat, NAMES[at % len(NAMES)])
        self.sitting = Sitting(served, made.table, tokens)

    def seen(self, seat: str = SCREEN) -> Seen:
        return self.tables.seen(self.sitting.table, seat)

    def play(self, steps: int) -> None:
        """Do so many things, as long as the game goes on."""
        for _ in range(steps):
            if self.seen().view.over or not self.step():
                return

    def step(self) -> bool:
        """Answer what is asked, else do something that is offered; False where nobody can do anything."""
        seens = [(seat, self.seen(seat)) for seat in self.seats]
        asked = next(((seat, seen.asked) for seat, seen in seens if seen.asked), None)
        if asked is not None:
            seat, question = asked[0], asked[1].question
            able = [] if isinstance(question, Throw) else [one.value for one in question.options if not one.barred]
            self.sitting.answer(seat, **({"value": self.rng.choice(able)} if able else {"roll": True}))
            return True
        offered = [(seat, offer) for seat, seen in seens for offer in seen.offers if not offer.grave]
        self.rng.shuffle(offered)
        offered.sort(key=lambda one: one[1].aside or not (one[1].main or one[1].chancy) or self.rng.random() < 0.4)
        return any(self._done(seat, offer) for seat, offer in offered)

    def _done(self, seat: str, offer: Offer) -> bool:
        try:
            self.tables.act(self.sitting.table, seat, filled(offer, self.rng), self.sitting.serving.key())
        except (Problem, Refusal):
            return False  # what is loose may be refused
        return True
