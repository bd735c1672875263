"""The two players, the fifteen phases of a round, and what lies on the table (HW-27, HW-31)."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from companion.games.history_of_war.cards import Category
from companion.kit.game import Frozen

Seat = Literal["blue", "red"]

SEATS: tuple[Seat, ...] = ("blue", "red")


def other(seat: Seat) -> Seat:
    """Return the opponent."""
    return "red" if seat == "blue" else "blue"


def with_seat(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """Put a seat among others, in their order."""
    return tuple(each for each in SEATS if each == seat or each in seats)


def without_seat(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """Take a seat out."""
    return tuple(each for each in seats if each != seat)


Phase = Literal[
    "decks",
    "mulligan",
    "draw",
    "base_expansion",
    "construction",
    "attacker_deployment",
    "attacker_attack",
    "defender_block",
    "damage_1",
    "defender_deployment",
    "defender_attack",
    "attacker_block",
    "damage_2",
    "attacker_retreat",
    "defender_retreat",
    "victory",
    "final",
    "finished",
]


class Step(NamedTuple):
    """One phase of a round: who acts, and the clause that says what it is for.

    ``no_cards`` is the clause that allows none of action (HW-54, HW-61): who declares attacks or blocks ends such a
    phase alone. ``half`` is that of the battle which it is of.
    """

    id: Phase
    acts: Literal["both", "attacker", "defender"]
    clause: str
    no_cards: str | None = None
    half: Literal[1, 2] | None = None


ROUND: tuple[Step, ...] = (
    Step("draw", "both", "HW-37"),
    Step("base_expansion", "both", "HW-38"),
    Step("construction", "both", "HW-41"),
    Step("attacker_deployment", "attacker", "HW-48"),
    Step("attacker_attack", "attacker", "HW-50", no_cards="HW-54", half=1),
    Step("defender_block", "defender", "HW-57", no_cards="HW-61", half=1),
    Step("damage_1", "both", "HW-63", half=1),
    Step("defender_deployment", "defender", "HW-79"),
    Step("defender_attack", "defender", "HW-81", no_cards="HW-54", half=2),
    Step("attacker_block", "attacker", "HW-82", no_cards="HW-61", half=2),
    Step("damage_2", "both", "HW-83", half=2),
    Step("attacker_retreat", "attacker", "HW-84"),
    Step("defender_retreat", "defender", "HW-86"),
    Step("victory", "both", "HW-87"),
    Step("final", "both", "HW-97"),
)
STEPS: dict[Phase, Step] = {step.id: step for step in ROUND}
BEFORE: tuple[Phase, ...] = ("decks", "mulligan")
"""Phases before the first round."""


def phase_number(phase: Phase) -> int:
    """Return the number of a phase in the round, 1 to 15; raise ValueError for one that is not of a round."""
    return [step.id for step in ROUND].index(phase) + 1


def following(phase: Phase) -> Phase:
    """Return the next phase; after the last the next round begins with the first (HW-31, HW-101)."""
    return ROUND[phase_number(phase) % len(ROUND)].id


Code = Annotated[str, Meta(pattern=r"^(\?|[udbga][0-9]{1,2}\.[0-9]{1,2})\Z")]
"""A depot card: its sort, its number and the copy (``u0.1``); ``?`` is a real card that nobody named."""
Id = Annotated[str, Meta(pattern=r"^c[0-9]{1,4}\Z")]
"""A card in play, counted by the table: its code would tell where it stands in its owner's list."""
Target = Annotated[str, Meta(pattern=r"^(hand|depot|nothing|c[0-9]{1,4})\Z")]
"""What an attacker strikes: a card in play, or of the enemy base the hand or the depot; ``nothing`` when it may not."""
Where = Annotated[str, Meta(pattern=r"^(base|deployment|laid|t[0-9]{1,2})\Z")]
"""Where a card lies: its owner's ``base`` or ``deployment`` area, ``laid`` for a development that is not placed yet,
or a territory."""
Codes = Annotated[tuple[Code, ...], Meta(max_length=6000)]
Ids = Annotated[tuple[Id, ...], Meta(max_length=400)]
Count = Annotated[int, Meta(ge=0, le=9999)]
Shift = Annotated[int, Meta(ge=-30, le=30)]


class Bonus(msgspec.Struct, frozen=True, omit_defaults=True):
    """What people added to a card's values by hand, as a card's text says."""

    ground: Shift = 0
    air: Shift = 0
    naval: Shift = 0
    dv: Shift = 0
    flags: Shift = 0

    @property
    def av(self) -> dict[Category, int]:
        """Return what was added to each attack value."""
        return {"ground": self.ground, "air": self.air, "naval": self.naval}


class Played(Frozen, frozen=True, omit_defaults=True):
    """One card in play. ``upgrades`` are codes of its owner's cards that are attached to it (HW-10).

    ``number`` tells it from cards alike that its owner has in play, as long as it is there. ``blocked`` in this round;
    ``used`` are the attack values that it has blocked or responded with in this round (HW-72, HW-A21). ``damage`` is
    that of this damage phase (HW-75), ``by_hand`` what people noted of it beside what was dealt. ``given`` are attack
    values that people gave it by hand where "-" is printed.
    """

    id: Id
    seat: Seat
    code: Code
    place: Where
    number: Count = 1
    locked: bool = False
    upgrades: Codes = ()
    markers: Count = 0
    blocked: bool = False
    used: tuple[Category, ...] = ()
    damage: Count = 0
    by_hand: Count = 0
    given: tuple[Category, ...] = ()
    bonus: Bonus = Bonus()


class Territory(Frozen, frozen=True, omit_defaults=True):
    """A territory to conquer: who brought it, which of that player's cards it is (``t0``).

    Once conquered it is set aside, with the cards that lie in it (HW-95).
    """

    id: Annotated[str, Meta(pattern=r"^t[0-9]{1,2}\Z")]
    seat: Seat
    card: Annotated[str, Meta(pattern=r"^t[0-9]{1,2}\Z")]
    conqueror: Seat | None = None


class Deck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's cards: depot and hand have no order; real cards are face down in both.

    ``scrapyard`` are the cards lost (HW-76), ``out`` copies of real cards that have left the hand. ``mulligan``: the
    hand was changed once, ``kept``: the player begins with it.
    """

    depot: Codes = ()
    hand: Codes = ()
    scrapyard: Codes = ()
    out: Codes = ()
    mulligan: bool = False
    kept: bool = False


class Laid(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card laid face down in construction; an upgrade with the unit that it is for (HW-43, HW-11)."""

    code: Code
    unit: Id | None = None


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player builds, in secret until both have finished (HW-43, HW-44), and what pays for it."""

    laid: tuple[Laid, ...] = ()
    lock: Ids = ()
    built: bool = False


class Hit(msgspec.Struct, frozen=True):
    """How much of an attack value goes to a card (HW-66)."""

    card: Id
    amount: Annotated[int, Meta(ge=0, le=99)]


class Attack(msgspec.Struct, frozen=True, omit_defaults=True):
    """A declared attack: at the enemy base or in the unit's own territory, and who blocks it.

    ``target`` is what an unblocked attacker strikes: a card's id, ``hand`` or ``depot`` of the enemy base, ``nothing``;
    ``hits`` is how it shares its value out (HW-66).
    """

    unit: Id
    base: bool = False
    blockers: Ids = ()
    target: Target | None = None
    hits: tuple[Hit, ...] = ()


class Last(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the newest action was about, so that the table can mark it: who acted, and on what."""

    acting: tuple[str, ...] = ()
    target: tuple[str, ...] = ()


Name = Annotated[str, Meta(min_length=1, max_length=20)]
AnyCode = Annotated[str, Meta(min_length=1, max_length=8)]
Number = Annotated[int, Meta(ge=0, le=999)]
Names = Annotated[tuple[Name, ...], Meta(max_length=200)]
AnyCodes = Annotated[tuple[AnyCode, ...], Meta(max_length=200)]
"""What actions name, be it there or not: what is not there is refused in words."""
