"""What lies on the table in 2GM Tactics: units and what is on them, headquarters, terrain, decks (ledger 5.1)."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from companion.games.tactics_2gm.cards import Class, Feature, HeadquartersCard, Modifier
from companion.games.tactics_2gm.options import Side
from companion.games.tactics_2gm.sides import Seat, side_of
from companion.kit.decks.written import MOST_CARDS

Place = Annotated[str, Meta(pattern=r"^[a-p][1-6]\Z")]
Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,19}\Z")]
Code = Annotated[str, Meta(pattern=r"^(\?|[0-9]{1,3}\.[0-9]{1,2})\Z")]
Codes = Annotated[tuple[Code, ...], Meta(max_length=MOST_CARDS)]
Count = Annotated[int, Meta(ge=0, le=9999)]
Turn = Annotated[int, Meta(ge=0, le=99_999)]


class Token(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember an equipment token: ``used`` is the turn in which it was flipped, None while its colour shows.

    ``works``: a flipped token without a weapon still does what it was used for (a smoke grenade).
    """

    slot: Name
    used: Turn | None = None
    works: bool = False


class Attached(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember a card that lies under or on a unit, and whose it is (G2-20, G2-21)."""

    code: Code
    seat: Seat


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember an effect that people noted on a unit by hand: what it adds, and whose next start phase ends it."""

    name: Annotated[str, Meta(max_length=40)]
    by: Seat
    aim: Modifier = (0, 0)
    cover: Modifier = (0, 0)
    armour: Annotated[int, Meta(ge=-9, le=9)] = 0
    lasting: bool = False


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember one unit in play. ``square`` is None for aircraft, and on a table whose battlefield is not mirrored.

    There ``inside`` names the terrain that it stands in. ``deployed`` is the turn of its deployment, ``came_from``
    where it began its move of this turn, ``assaulted`` whether it has assaulted in this turn, ``fired`` the weapons
    it has used in it (``w0`` is the first on its card, a slot the weapon of that token), ``shot_by`` who fired at it
    in this fire phase, ``suppressed`` whose next start phase ends that it is under suppressive fire (G2-A07).
    """

    id: Name
    seat: Seat
    code: Code
    square: Place | None = None
    inside: Name | None = None
    wounds: Count = 0
    tokens: tuple[Token, ...] = ()
    cards: tuple[Attached, ...] = ()
    marks: tuple[Mark, ...] = ()
    deployed: Turn = 0
    moved: bool = False
    came_from: Place | None = None
    assaulted: bool = False
    fired: tuple[Name, ...] = ()
    set_up: bool = False
    shot_by: tuple[Name, ...] = ()
    suppressed: Side | None = None

    @property
    def side(self) -> Side:
        """Return the side it fights for."""
        return side_of(self.seat)

    def token(self, slot: str) -> Token | None:
        """Return its token of that slot."""
        return next((token for token in self.tokens if token.slot == slot), None)


class Headquarters(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember a headquarters (G2-27 to G2-36): its card, the impact points it has left, the general on it.

    ``board`` is the copy of the game that it lies on (G2-159).
    """

    id: Name
    side: Side
    card: HeadquartersCard
    pi: Count
    board: Annotated[int, Meta(ge=0, le=1)] = 0
    general: Annotated[str, Meta(max_length=40)] | None = None


class Ground(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember a terrain card on the battlefield: ``kind`` is its place in the terrain deck, ``owner`` who laid it.

    ``square`` is None on a table whose battlefield is not mirrored. ``pi`` are the impact points that a building has
    left, ``ruin`` what it is without them (G2-133, G2-137).
    """

    id: Name
    kind: Annotated[int, Meta(ge=0, le=39)]
    owner: Side
    square: Place | None = None
    pi: Count = 0
    ruin: bool = False


class Natural(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember a natural feature of a square (G2-127, G2-129)."""

    feature: Feature
    class_: Class = msgspec.field(default="normal", name="class")


class Deck(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember a player's cards: ``pile`` and ``hand`` have no order; real cards are face down in both.

    A code is a card's number in the roster and a copy's number. ``out`` are copies that have left the hand.
    ``mulligan``: the hand was changed once, ``kept``: the player begins with it.
    """

    pile: Codes = ()
    hand: Codes = ()
    discard: Codes = ()
    out: Codes = ()
    mulligan: bool = False
    kept: bool = False

    @property
    def empty(self) -> bool:
        """Tell whether no card is left in deck and hand (G2-26)."""
        return not self.pile and not self.hand


class Last(msgspec.Struct, frozen=True):
    """Remember the newest deed for those who look at the board."""

    from_square: Place | None
    to_square: Place | None
