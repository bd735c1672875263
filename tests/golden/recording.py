"""Recording golden playthroughs: random games with varied options, some of them by players who want to win."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec

from companion.kit.game import SCREEN
from tests.golden.playthroughs import Playthrough, Replay, Step
from tests.support.conformance import any_value, filled, random_options
from tests.support.victories import Contest
from tests.support.watch import Watch
from tests.support.winning_players import PLAYERS

if TYPE_CHECKING:
    from companion.kit.action import Offer
    from tests.golden.documents import Came

Way = tuple[str, "Offer | None", dict[str, Any]]
"""Who does what: a seat, the offer where there is one, and the action as it is sent."""
GAMES = 40
STEPS = 90
EAGER_STEPS = 300
EAGER = 5
"""Every so many games, players want to win."""


class Recorder:
    """One game that is played and written down."""

    def __init__(self, game: Any, number: int) -> None:
        self.game, self.rng = game, random.Random(f"{game.slug} {number}")
        self.steps: list[Step] = []
        self.stale: list[bytes] = []
        eager = game.slug in PLAYERS and number % EAGER == EAGER - 1
        self.wants = Contest(game.slug, number, Watch(game)) if eager else None
        options = self.wants.options if self.wants else random_options(game, self.rng)
        self.options = msgspec.json.encode(options)
        self.replay = Replay(game, self.options, self.rng)
        self.setup = self.written(self.replay.setup())

    def written(self, came: Came, **how: Any) -> Step:
        known, read = self.replay.documents(came)
        return Step(known, read, came.answers, **how)

    def act(self, seat: str, action: bytes, *, foreseen: bool = False) -> Came:
        came = self.replay.act(seat, action, foreseen=foreseen)
        self.steps.append(self.written(came, seat=seat, action=msgspec.Raw(action), foreseen=foreseen))
        return came

    def play(self) -> Playthrough:
        most = EAGER_STEPS if self.wants else STEPS
        while len(self.steps) < most and not self.over():
            self.step(ending=len(self.steps) >= most - 12)
        for _ in range(3):
            self.aside()
        return Playthrough(msgspec.Raw(self.options), self.setup, tuple(self.steps), self.replay.spoken())

    def over(self) -> bool:
        return bool(self.game.view(self.replay.state, SCREEN).over)

    def step(self, *, ending: bool) -> None:
        if self.rng.random() < 0.12:
            self.aside()
            if self.over():
                return
        seat, offer, raw = self.wanted() or self.any(ending=ending)
        action = msgspec.json.encode(msgspec.convert(raw, self.game.actions, strict=False))
        self.act(seat, action, foreseen=offer is not None and offer.chancy)
        self.stale.append(action)

    def wanted(self) -> Way | None:
        """What somebody does who wants to win; None where nobody does, or nothing is wanted."""
        if self.wants is None:
            return None
        self.wants.state = self.replay.state
        ways = [way[1:] for way in sorted(self.wants.ways(), key=lambda way: -way[0])]
        if not ways:
            return None
        return ways[0] if self.rng.random() < 0.9 else self.rng.choice(ways)

    def any(self, *, ending: bool) -> Way:
        """Any of the things that are offered, rather what throws dice or stands out."""
        state = self.replay.state
        offered = [(seat, one) for seat in self.replay.seats for one in self.game.offers(state, seat)]
        plain = [(seat, one) for seat, one in offered if one.grave == ending] or offered
        near = [(seat, one) for seat, one in plain if not one.aside]
        plain = near if near and self.rng.random() < 0.85 else plain
        eager = [(seat, one) for seat, one in plain if one.chancy or one.main]
        seat, offer = self.rng.choice(eager if eager and self.rng.random() < 0.6 else plain)
        return seat, offer, filled(offer, self.rng)

    def aside(self) -> None:
        """Correct something, or try what is out of date or somebody else's."""
        if self.stale and self.rng.random() < 0.5:
            self.act(self.rng.choice(self.replay.seats), self.rng.choice(self.stale))
            return
        entries = [
            one for one in self.game.tracked(self.replay.state) if one.field.options or one.field.kind != "choice"
        ]
        if not entries:
            return
        entry = self.rng.choice(entries)
        value = "words" if entry.field.kind == "text" else any_value(entry.field, self.rng)
        came = self.replay.correct(entry.path, value)
        self.steps.append(self.written(came, correct=(entry.path, value)))


def record(game: Any) -> list[Playthrough]:
    """Play a game many times and write down what every step came to."""
    return [Recorder(game, number).play() for number in range(GAMES)]
