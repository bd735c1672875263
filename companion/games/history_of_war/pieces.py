"""What lies on the table in History of War: cards in play, territories, decks, plans and attacks (ledger 5.1)."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from companion.games.history_of_war.cards import Category
from companion.games.history_of_war.sides import Seat

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
    """Remember what people added to a card's values by hand, as a card's text says."""

    ground: Shift = 0
    air: Shift = 0
    naval: Shift = 0
    dv: Shift = 0
    flags: Shift = 0


class Played(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember one card in play. ``upgrades`` are codes of its owner's cards that are attached to it (HW-10).

    ``number`` tells it from cards alike that its owner has in play, as long as it is there. ``blocked`` in this round;
    ``used`` are the attack values that it has blocked or responded with in this round (HW-72, HW-A21). ``damage`` is
    that of this damage phase (HW-75). ``given`` are attack values that people gave it by hand where "-" is printed.
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
    given: tuple[Category, ...] = ()
    bonus: Bonus = Bonus()


class Territory(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember a territory to conquer: who brought it, which of that player's cards it is (``t0``).

    Once conquered it is set aside, with the cards that lie in it (HW-95).
    """

    id: Annotated[str, Meta(pattern=r"^t[0-9]{1,2}\Z")]
    seat: Seat
    card: Annotated[str, Meta(pattern=r"^t[0-9]{1,2}\Z")]
    conqueror: Seat | None = None


class Deck(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember a player's cards: depot and hand have no order; real cards are face down in both.

    ``scrapyard`` are the cards lost (HW-76), ``out`` copies of real cards that have left the hand. ``mulligan``: the
    hand was changed once, ``kept``: the player begins with it..
    """

    depot: Codes = ()
    hand: Codes = ()
    scrapyard: Codes = ()
    out: Codes = ()
    mulligan: bool = False
    kept: bool = False


class Laid(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember a card laid face down in construction; an upgrade with the unit that it is for (HW-43, HW-11)."""

    code: Code
    unit: Id | None = None


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember what a player builds, in secret until both have finished (HW-43, HW-44), and what pays for it."""

    laid: tuple[Laid, ...] = ()
    lock: Ids = ()
    built: bool = False


class Hit(msgspec.Struct, frozen=True):
    """Remember how much of an attack value goes to a card (HW-66)."""

    card: Id
    amount: Annotated[int, Meta(ge=0, le=99)]


class Attack(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember a declared attack: at the enemy base or in the unit's own territory, and who blocks it.

    ``target`` is what an unblocked attacker strikes: a card's id, ``hand`` or ``depot`` of the enemy base, ``nothing``;
    ``hits`` is how it shares its value out (HW-66).
    """

    unit: Id
    base: bool = False
    blockers: Ids = ()
    target: Target | None = None
    hits: tuple[Hit, ...] = ()


class Last(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember what the newest action was about, so that the table can mark it: who acted, and on what."""

    acting: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
