"""A territory that two players contend for: flags, who leads by how much, what would flip it (HW-88 to HW-91)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from math import ceil
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.games.history_of_war.pieces import SEATS, Seat, other
from companion.kit.asking import Ask
from companion.kit.game import Lookup
from companion.kit.ruling import Reason, Refusal, Ruling, taken_away
from companion.kit.text import Text, say


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """A contest for a territory: the flags of unlocked cards count (HW-88), those of ``locked`` ones would.

    ``force`` are the flags of what could occupy it, locked or not (HW-A27). ``flags`` and ``points`` are printed on it.
    """

    totals: dict[Seat, int]
    locked: dict[Seat, int]
    force: dict[Seat, int]
    flags: int
    points: int

    @property
    def leader(self) -> Seat | None:
        """Return who has more flags, None where both have as many (HW-89, HW-A25)."""
        return next((seat for seat in SEATS if self.ahead(seat) > 0), None)

    @property
    def difference(self) -> int:
        """Return by how many flags the leader leads (HW-89)."""
        return abs(self.ahead("blue"))

    @property
    def needed(self) -> int:
        """Return the difference that conquers: the flags printed, and more than nothing (HW-90, HW-A25)."""
        return max(1, self.flags)

    @property
    def enough(self) -> bool:
        """Tell whether the leader has the flags for a conquest (HW-90)."""
        return self.difference >= self.needed

    @property
    def occupation_needed(self) -> Fraction:
        """Return the flags that an occupation takes: half the victory points, not rounded (HW-91, HW-A26)."""
        return Fraction(self.points, 2)

    @property
    def occupation_least(self) -> int:
        """Return the whole flags that an occupation takes (HW-A26)."""
        return ceil(self.occupation_needed)

    @property
    def occupation_possible(self) -> bool:
        """Tell whether the leader has the force there that an occupation takes (HW-91, HW-A28)."""
        return self.leader is not None and self.force[self.leader] >= self.occupation_needed

    @property
    def conqueror(self) -> Seat | None:
        """Return who conquers the territory as things stand, None while nobody does (HW-90, HW-A28)."""
        return self.leader if self.enough and self.occupation_possible else None

    def ahead(self, seat: Seat) -> int:
        """Return by how many flags a player is ahead; below 0 where the other is."""
        return self.totals[seat] - self.totals[other(seat)]

    def to_conquer(self, seat: Seat) -> int:
        """Return how many more flags a player needs to conquer it, 0 where the flags are there (HW-90)."""
        return max(0, self.needed - self.ahead(seat))

    def to_lead(self, seat: Seat) -> int:
        """Return how many more flags a player needs to lead."""
        return max(0, 1 - self.ahead(seat))

    def to_stop(self, seat: Seat) -> int:
        """Return how many more flags a player needs so that the other's no longer conquer it; 0 where they do not."""
        return max(0, self.ahead(other(seat)) - self.needed + 1)


def added_up(contest: Contest) -> Reason:
    """Say the arithmetic of a contest: the flags of both, and by how many the leader leads (HW-88, HW-89)."""
    first = contest.leader or "blue"
    ours, theirs = (say("unlocked flags of {seat}", seat=Text(seat)) for seat in (first, other(first)))
    terms = (
        Reason(ours, "HW-88", contest.totals[first]),
        taken_away(theirs, "HW-88", contest.totals[other(first)]),
    )
    needed, ahead = contest.needed, contest.difference
    if contest.leader is None:
        return Reason(say("nobody leads; the territory takes {needed}", needed=needed), "HW-A25", 0, terms)
    text = say("{seat} leads by {count}; the territory takes {needed}", seat=Text(first), count=ahead, needed=needed)
    return Reason(text, "HW-89", ahead, terms)


def half(points: int) -> str:
    """Write half a number of victory points: 3, 3.5 (HW-A26)."""
    return str(points // 2) if points % 2 == 0 else f"{points // 2}.5"


def cheapest(units: Iterable[tuple[str, int, int]], need: Fraction) -> tuple[str, ...]:
    """Choose units whose flags reach ``need`` and that cost least, of those the fewest.

    Each unit comes as (name, flags, cost); empty where nothing is needed, or all together are not enough.
    """
    best: dict[int, tuple[int, int, tuple[str, ...]]] = {0: (0, 0, ())}
    most = ceil(need)
    for name, flags, cost in units:
        for reached, (spent, count, names) in list(best.items()):
            total, force = min(most, reached + flags), (spent + cost, count + 1, (*names, name))
            if total not in best or force[:2] < best[total][:2]:
                best[total] = force
    return best[most][2] if most > 0 and most in best else ()


def spared(staying: Iterable[tuple[str, int]], need: Fraction) -> tuple[str, ...]:
    """List which units of an occupation could go home, as many as can (HW-A29); each comes as (name, flags)."""
    units = sorted(staying, key=lambda unit: unit[1])
    left = sum(flags for _, flags in units)
    names: list[str] = []
    for name, flags in units:
        if left - flags >= need:
            left -= flags
            names.append(name)
    return tuple(names)


MOST_FLAGS = 99
MOST_UNITS = 40
_UNLOCKED = "Units and developments; locked cards do not count."


class ConquestFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is printed on a territory, the flags of both, and what could occupy it."""

    blue: Annotated[int, Meta(title="Blue: unlocked flags", description=_UNLOCKED, ge=0, le=MOST_FLAGS)] = 7
    red: Annotated[int, Meta(title="Red: unlocked flags", description=_UNLOCKED, ge=0, le=MOST_FLAGS)] = 3
    flags: Annotated[int, Meta(title="Flags on the territory", ge=0, le=30)] = 4
    victory_points: Annotated[int, Meta(title="Its victory points", ge=1, le=30)] = 6
    units: Annotated[
        str,
        Meta(
            title="Flags of the conqueror's units there",
            description="Of each unit, locked or not: 3, 2, 2. Empty: enough of them are there.",
            max_length=200,
        ),
    ] = ""


class Conquest(msgspec.Struct, frozen=True, kw_only=True):
    """Who leads and conquers, the flags that an occupation takes, and the fewest flags that do it.

    ``more`` is how many more flags each needs to conquer. ``keep`` are the flags of the units that stay, ``spared`` of
    those that go home; None where the units are not told, or nobody conquers.
    """

    leader: Seat | None
    difference: int
    conqueror: Seat | None
    more: dict[Seat, int]
    occupation_needed: Fraction
    keep: tuple[int, ...] | None = None
    spared: tuple[int, ...] | None = None


def rule(facts: ConquestFacts, ask: Ask) -> Ruling[Conquest]:
    """Rule on a conquest; raise Refusal where the units' flags can not be read."""
    units = _units(facts.units)
    enough = facts.victory_points if units is None else sum(units)
    contest = Contest(
        totals={"blue": facts.blue, "red": facts.red},
        locked={"blue": 0, "red": 0},
        force={"blue": enough, "red": enough},
        flags=facts.flags,
        points=facts.victory_points,
    )
    reason = added_up(contest)
    ask.tell(reason.text, reason.clause, reason.value, terms=reason.terms)
    keep = spared = None
    if contest.enough:
        least = contest.occupation_least
        text = say(
            "{count} flag at least has to stay: half of {points} victory points is {half}|{count} flags at least "
            "have to stay: half of {points} victory points is {half}",
            count=least,
            points=contest.points,
            half=half(contest.points),
        )
        ask.tell(text, "HW-91", least)
        if not contest.occupation_possible:
            ask.tell(say("flags of all units there: too few, so nobody conquers it"), "HW-A28", enough)
        elif units is not None:
            keep, spared = _split(units, contest.occupation_needed)
    outcome = Conquest(
        leader=contest.leader,
        difference=contest.difference,
        conqueror=contest.conqueror,
        more={seat: contest.to_conquer(seat) for seat in SEATS},
        occupation_needed=contest.occupation_needed,
        keep=keep,
        spared=spared,
    )
    return Ruling(outcome, _said(contest, keep), tuple(ask.reasons))


def _units(text: str) -> tuple[int, ...] | None:
    """Read the flags of units; None where none are told."""
    words = re.split(r"[\s,;+]+", text.strip(" ,;+\t\n"))
    if words == [""]:
        return None
    if len(words) > MOST_UNITS or not all(re.fullmatch("[0-9]{1,2}", word) for word in words):
        raise Refusal(say("Write the flags of each unit: {example}", example="3, 2, 2"), "HW-91", "units")
    return tuple(int(word) for word in words)


def _split(units: tuple[int, ...], need: Fraction) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Tell which units stay, as few flags as will do, and which go home (HW-91, HW-92)."""
    chosen = cheapest(((str(at), flags, flags) for at, flags in enumerate(units)), need)
    keep = tuple(flags for at, flags in enumerate(units) if str(at) in chosen)
    return keep, tuple(flags for at, flags in enumerate(units) if str(at) not in chosen)


def _said(contest: Contest, keep: tuple[int, ...] | None) -> Text:
    if contest.conqueror is not None:
        who = Text(contest.conqueror)
        if keep is None:
            return say("{seat} conquers the territory", seat=who)
        return say(
            "{seat} conquers the territory; {count} flag stays|{seat} conquers the territory; {count} flags stay",
            seat=who,
            count=sum(keep),
        )
    if contest.leader is None:
        return say("Nobody conquers the territory: a tie")
    if contest.enough:
        return say("Nobody conquers the territory: it could not be occupied")
    return say(
        "Nobody conquers the territory: {seat} lacks {count} flag|Nobody conquers the territory: {seat} lacks "
        "{count} flags",
        seat=Text(contest.leader),
        count=contest.to_conquer(contest.leader),
    )


CONQUEST = Lookup(
    "conquest",
    say("A conquest"),
    ConquestFacts,
    rule,
    note=say("Who conquers a territory, what is missing, and how many flags have to stay to occupy it."),
)
