"""What a turn order is: who stands where with which score, who is next, and what a throw changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, Self

from companion.games.free_table.kinds import Table, Tracker
from companion.games.free_table.names import LONGEST_NAME, MOST, check_count, fitting, listed, typed
from companion.kit.asking import Ask
from companion.kit.dice.parser import read
from companion.kit.dice.roll import throw
from companion.kit.game import Frozen
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

MOST_ROUNDS = 999
MOST_BONUS = 99
Standing = Literal["in", "waits", "skips", "out"]
_BONUS = re.compile(r"(.+) ([+−-])([0-9]{1,2})")


class One(Frozen, frozen=True, omit_defaults=True):
    """One who takes part: a seat, or (with a ``name``) somebody typed; ``score`` None: not thrown yet."""

    id: str
    name: str = ""
    bonus: int = 0
    score: int | None = None
    standing: Standing = "in"

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Return what those who are thrown for are put in order by."""
        return (self.score is None, -(self.score or 0), -self.bonus)

    @property
    def to_throw(self) -> bool:
        """Tell whether a throw for all is for this one as well."""
        return self.score is None and self.standing != "out"

    @property
    def typed(self) -> str:
        """Return a name as it is read, with its bonus."""
        plain = self.bonus == 0 and _parted(self.name) == (self.name, 0)
        return self.name if plain else f"{self.name} {signed(self.bonus)}"

    def called(self, table: Table) -> Text:
        """Return what it is called."""
        return typed(self.name) if self.name else table.called(self.id)

    def again(self, standing: Standing) -> One:
        """Let one who stands so take part again."""
        return self.but(standing="in") if self.standing == standing else self


class Order(Tracker, frozen=True, tag="order"):
    """Who takes part in the order of their turns, and whose turn it is; ``round`` 0: not begun.

    Players who have just come are not in ``line`` before something is done with it. ``made`` counts typed names.
    """

    dice: str = "1d20"
    players: bool = True
    line: tuple[One, ...] = ()
    current: str = ""
    round: int = 0
    made: int = 0

    def acts(self, one: One) -> bool:
        """Tell whether it is somebody's turn."""
        return self.round > 0 and one.id == self.current

    def others(self, one: One) -> list[One]:
        """List everybody else."""
        return [other for other in self.line if other.id != one.id]

    def put(self, one: One) -> Order:
        """Put somebody in his own place."""
        return self.but(line=tuple(one if other.id == one.id else other for other in self.line))

    def joined(self, names: Mapping[str, int]) -> Order:
        """Put names at the end; raise Refusal when they are too many."""
        check_count(sum(bool(one.name) for one in self.line) + len(names), "names")
        more = tuple(One(f"n{self.made + at}", name, bonus) for at, (name, bonus) in enumerate(names.items(), 1))
        return self.but(line=self.line + more, made=self.made + len(more))

    def ready(self, table: Table) -> Self:
        """Return the order with everybody in it, those who have just come at the end."""
        known = {one.id for one in self.line}
        come = table.players if self.players else ()
        return self.but(line=self.line + tuple(One(seat) for seat in come if seat not in known))

    def present(self, table: Table) -> tuple[One, ...]:
        """List those who are here; players who have gone keep their place for when they come back."""
        come = frozenset(table.players if self.players else ())
        return tuple(one for one in self.ready(table).line if one.name or one.id in come)

    def find(self, table: Table, who: str) -> One:
        """Find somebody who is here; raise Refusal when there is none."""
        for one in self.present(table):
            if one.id == who:
                return one
        raise Refusal(say("That name is not on the list any more."), field="who")

    def here(self, table: Table) -> Text:
        """Say where the table is."""
        if self.round == 0:
            return say("The first round has not begun.")
        for one in self.present(table):
            if self.acts(one):
                return say("Round {now}: {who}", now=self.round, who=one.called(table))
        return say("Round {now}", now=self.round)

    def placed(self, one: One) -> Order:
        """Put somebody where the score belongs: after those with the same; the others stay as they stand."""
        others = self.others(one)
        lower = (at for at, other in enumerate(others) if other.rank > one.rank)
        others.insert(next(lower, len(others)), one)
        return self.but(line=tuple(others))

    def thrown(self, table: Table, ones: Iterable[One], seat: str, ask: Ask) -> Order:
        """Throw for some: a player's dice are his own, those of typed names are thrown by ``seat``."""
        scored = {}
        for one in ones:
            ask.tell(say("{who} rolls for the order", who=one.called(table)))
            came = throw(read(self.dice), ask, by=seat if one.name else one.id, key=f"dice.{one.id}")
            if one.bonus:
                ask.tell(say("Bonus"), value=one.bonus)
            scored[one.id] = one.but(score=min(max((came.total or 0) + one.bonus, -MOST), MOST))
        if len(scored) == 1:
            return self.placed(next(iter(scored.values())))
        line = (scored.get(one.id, one) for one in self.line)
        return self.but(line=tuple(sorted(line, key=lambda one: one.rank))) if scored else self

    def step(self, table: Table) -> Order | None:
        """Return the order at the next turn; None when nobody is left to act, or the rounds are used up.

        Whoever is to be passed over is so once; whoever waits until a round is over takes part again in the next.
        """
        ones, round_ = list(self.ready(table).line), self.round
        here_now = {one.id for one in self.present(table)}
        at = next((at for at, one in enumerate(ones) if one.id == self.current), -1)
        for _ in range(2 * len(ones)):
            at += 1
            if at == len(ones):
                at, round_ = 0, round_ + 1
                ones = [one.again("waits") for one in ones]
            one = ones[at]
            if one.id in here_now and one.standing == "in" and round_ <= MOST_ROUNDS:
                return self.but(line=tuple(ones), current=one.id, round=round_)
            ones[at] = one.again("skips")
        return None

    def new_round(self, table: Table) -> Order | None:
        """Return the order at the first turn of the next round; None when nobody is left to act."""
        line = tuple(one.again("waits") for one in self.ready(table).line)
        return self.but(line=line, current="", round=self.round + 1).step(table)

    def moved(self, table: Table, one: One, by: int) -> Order:
        """Move somebody past the next who is here; raise Refusal at an end of the list."""
        here_now = [other.id for other in self.present(table)]
        to = here_now.index(one.id) + by
        if not 0 <= to < len(here_now):
            raise Refusal(say("It is there already."), field="way")
        others = self.others(one)
        at = next(at for at, other in enumerate(others) if other.id == here_now[to])
        others.insert(at + (by > 0), one)
        return self.but(line=tuple(others))

    def stepped_in(self, one: One) -> Order:
        """Let somebody who waited act now: from now on right after whoever acted before."""
        others = self.others(one)
        at = next((at for at, other in enumerate(others) if other.id == self.current), -1)
        others.insert(at + 1, one.again("waits"))
        return self.but(line=tuple(others), current=one.id)

    def gone(self, table: Table, one: One) -> Order:
        """Let somebody be out; where it is his turn, it is the next one's."""
        after = self.put(one.but(standing="out"))
        return (after.step(table) or after.but(current="")) if self.acts(one) else after


def signed(bonus: int) -> str:
    """Write a bonus with its sign."""
    return f"{bonus:+}".replace("-", "−")


def with_bonuses(names: str) -> dict[str, int]:
    """Read names as people type them, each with its bonus; raise Refusal for what does not fit."""
    longest = LONGEST_NAME + len(f" +{MOST_BONUS}")
    return {fitting(name, "names"): bonus for name, bonus in map(_parted, listed(names, "names", longest))}


def _parted(sent: str) -> tuple[str, int]:
    parts = _BONUS.fullmatch(sent)
    if parts is None:
        return sent, 0
    return parts[1], int(parts[3]) if parts[2] == "+" else -int(parts[3])
