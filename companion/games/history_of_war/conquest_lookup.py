"""The look-up of a conquest: who conquers a territory, and which units have to stay (HW-88 to HW-91)."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from companion.games.history_of_war.contests import Contest, added_up, cheapest, half
from companion.games.history_of_war.sides import Seat
from companion.kit.game import Lookup
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.kit.asking import Ask

MOST_FLAGS = 99
MOST_UNITS = 40
_UNLOCKED = "Units and developments; locked cards do not count."


class ConquestFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold what is printed on a territory, the flags of both, and what could occupy it."""

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
    """Hold who leads and conquers, the flags that an occupation takes, and the fewest flags that do it.

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
    found = Contest(
        totals={"blue": facts.blue, "red": facts.red},
        locked={"blue": 0, "red": 0},
        force={"blue": enough, "red": enough},
        flags=facts.flags,
        points=facts.victory_points,
    )
    told = added_up(found)
    ask.tell(told.text, told.clause, told.value, terms=told.terms)
    keep = spared = None
    if found.enough:
        least = -(-found.points // 2)
        ask.tell(
            say(
                "{count} flag at least has to stay: half of {points} victory points is {half}|{count} flags at least "
                "have to stay: half of {points} victory points is {half}",
                count=least,
                points=found.points,
                half=half(found.points),
            ),
            "HW-91",
            least,
        )
        if not found.occupation_possible:
            ask.tell(say("flags of all units there: too few, so nobody conquers it"), "HW-A28", enough)
        elif units is not None:
            keep, spared = _split(units, found.occupation_needed)
    outcome = Conquest(
        leader=found.leader,
        difference=found.difference,
        conqueror=found.conqueror,
        more={"blue": found.to_conquer("blue"), "red": found.to_conquer("red")},
        occupation_needed=found.occupation_needed,
        keep=keep,
        spared=spared,
    )
    return Ruling(outcome, _said(found, keep), tuple(ask.reasons))


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


def _said(found: Contest, keep: tuple[int, ...] | None) -> Text:
    if found.conqueror is not None:
        who = Text(found.conqueror)
        if keep is None:
            return say("{seat} conquers the territory", seat=who)
        return say(
            "{seat} conquers the territory; {count} flag stays|{seat} conquers the territory; {count} flags stay",
            seat=who,
            count=sum(keep),
        )
    if found.leader is None:
        return say("Nobody conquers the territory: a tie")
    if found.enough:
        return say("Nobody conquers the territory: it could not be occupied")
    return say(
        "Nobody conquers the territory: {seat} lacks {count} flag|Nobody conquers the territory: {seat} lacks "
        "{count} flags",
        seat=Text(found.leader),
        count=found.to_conquer(found.leader),
    )


CONQUEST = Lookup(
    "conquest",
    say("A conquest"),
    ConquestFacts,
    rule,
    note=say("Who conquers a territory, what is missing, and how many flags have to stay to occupy it."),
)
