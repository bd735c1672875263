"""What a seat may do."""

from __future__ import annotations

from typing import Literal

from companion.games.history_of_war.deck_actions import (
    EditAction,
    EditBase,
    EditDevelopment,
    Editing,
    EditTerritory,
    EditUnit,
    EditUpgrade,
    Preparing,
    RemoveCard,
    SetCount,
    Written,
)
from companion.games.history_of_war.doing import Code, Codes, Name, Names, Number
from companion.games.history_of_war.phases import Phase
from companion.kit.action import Action as Doing
from companion.kit.decks.actions import LoadDeck, NameDeck, UseSample

__all__ = [
    "EditAction",
    "EditBase",
    "EditDevelopment",
    "EditTerritory",
    "EditUnit",
    "EditUpgrade",
    "Editing",
    "LoadDeck",
    "NameDeck",
    "Preparing",
    "RemoveCard",
    "SetCount",
    "UseSample",
    "Written",
]
"""What is done with the decks has a module of its own."""


class Ready(Doing, frozen=True, tag="ready"):
    """Say that your deck is as you want it (``on`` false: not yet after all)."""

    on: bool = True


class Keep(Doing, frozen=True, tag="keep"):
    """Begin with the first hand that you have (HW-25)."""


class Mulligan(Doing, frozen=True, tag="mulligan"):
    """Shuffle the first hand back and draw another, once (HW-26, HW-A03)."""


class Done(Doing, frozen=True, tag="done"):
    """Say that you are content with the phase (HW-32); ``on`` false: not yet after all.

    ``until`` ``needed``: also with all that follow, until you can do something yourself. A page names the ``phase``
    and the ``round`` that it showed, so that an old page never ends a later phase.
    """

    phase: Phase | None = None
    round: Number | None = None
    until: Literal["phase", "needed"] = "phase"
    on: bool = True


class Hold(Doing, frozen=True, tag="hold"):
    """Wish for all to see that no phase passes by itself, so that action cards can be played in it (HW-32, HW-A09).

    ``on`` false: no more.
    """

    on: bool = True


class Concede(Doing, frozen=True, tag="concede"):
    """Give up; the opponent wins."""


class Discard(Doing, frozen=True, tag="discard"):
    """Put cards of the hand on the scrapyard in the final phase (HW-97, HW-99); real cards are only counted."""

    cards: Codes = ()
    count: Number = 0


class Scrap(Doing, frozen=True, tag="scrap"):
    """Put units of the deployment area on the scrapyard in the final phase (HW-98, HW-99)."""

    units: Names


class PlayBase(Doing, frozen=True, tag="play_base"):
    """Put a base expansion into your base area (HW-38)."""

    card: Code


class LayDown(Doing, frozen=True, tag="lay_down"):
    """Lay a unit or a development face down, to build it (HW-43)."""

    card: Code


class LayUpgrade(Doing, frozen=True, tag="lay_upgrade"):
    """Lay an upgrade face down, for one of your units (HW-11)."""

    card: Code
    unit: Name


class TakeUp(Doing, frozen=True, tag="take_up"):
    """Take a card that you laid face down back into your hand."""

    card: Code


class Build(Doing, frozen=True, tag="build"):
    """Finish construction: ``lock`` are the cards that pay for what you laid down, nothing for nothing (HW-45).

    A page names the ``round`` that it showed, so that an old page never finishes that of a later round.
    """

    lock: Names = ()
    round: Number | None = None


class Place(Doing, frozen=True, tag="place"):
    """Put a development that you built into a territory (HW-46)."""

    card: Name
    to: Name


class PlayAction(Doing, frozen=True, tag="play_action"):
    """Play an action card (HW-A09); ``lock`` are the cards that pay for it."""

    card: Code
    lock: Names = ()


class Deploy(Doing, frozen=True, tag="deploy"):
    """Move an unlocked unit to a territory (HW-48, HW-79)."""

    unit: Name
    to: Name


class DeclareAttack(Doing, frozen=True, tag="attack"):
    """Declare that a unit attacks in its territory, or the enemy base (HW-50 to HW-52)."""

    unit: Name
    base: bool = False


class DeclareBlock(Doing, frozen=True, tag="block"):
    """Declare that a unit blocks an attacker (HW-56 to HW-60)."""

    unit: Name
    attacker: Name


class Aim(Doing, frozen=True, tag="aim"):
    """Say what an unblocked attacker strikes: a card, or of the enemy base ``hand`` or ``depot`` (HW-68, HW-A24)."""

    unit: Name
    target: Name


class Share(Doing, frozen=True, tag="share"):
    """Share an attacker's value out among its blockers, in the order that they were declared (HW-66, HW-A18).

    Where unblocked damage is shared out too (``opt.unblocked_split``), among the cards that it may strike.
    """

    unit: Name
    to_1: Number = 0
    to_2: Number = 0
    to_3: Number = 0
    to_4: Number = 0
    to_5: Number = 0
    to_6: Number = 0
    to_7: Number = 0
    to_8: Number = 0
    to_9: Number = 0
    to_10: Number = 0
    to_11: Number = 0
    to_12: Number = 0


class Strike(Doing, frozen=True, tag="strike"):
    """Deal the damage of this half of the battle; who is struck may respond first (HW-63 to HW-73).

    A page names the ``phase`` and the ``round`` that it showed, so that an old page never strikes in a later one.
    """

    phase: Phase | None = None
    round: Number | None = None


class Retreat(Doing, frozen=True, tag="retreat"):
    """Move an unlocked unit from a territory to your deployment area (HW-84, HW-86)."""

    unit: Name


class Occupy(Doing, frozen=True, tag="occupy"):
    """Take a territory that you have conquered; ``keep`` are the units that stay to occupy it (HW-91)."""

    territory: Name
    keep: Names


Starting = Ready | Keep | Mulligan
Turning = Done | Hold | Concede | Discard | Scrap
Building = PlayBase | LayDown | LayUpgrade | TakeUp | Build | Place | PlayAction
Moving = Deploy | Retreat
Fighting = DeclareAttack | DeclareBlock | Aim | Share | Strike
Action = Preparing | Starting | Turning | Building | Moving | Fighting | Occupy
