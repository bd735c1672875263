"""The state of a table: units, terrain, cards and turn; what the board says of it, and what a unit is called."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.games.two_cities.components import CARDS, KINDS, WHITE, Cover, Ground, Kind, Side
from companion.games.two_cities.options import Options
from companion.kit.decks import FACE_DOWN, pile
from companion.kit.game import Frozen
from companion.kit.pieces import changed
from companion.kit.ruling import Refusal
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say

Place = Annotated[str, Meta(pattern=rf"^[{CHESSBOARD.files}][1-{CHESSBOARD.ranks}]\Z")]
Code = Annotated[str, Meta(pattern=rf"^({'|'.join(CARDS)})\Z")]
Held = Annotated[str, Meta(pattern=rf"^({'|'.join(CARDS)}|\{FACE_DOWN})\Z")]
Name = Annotated[str, Meta(pattern=r"^[a-z0-9]{1,8}\Z")]
Word = Annotated[str, Meta(pattern=r"^[a-z0-9_]{0,40}\Z")]
Count = Annotated[int, Meta(ge=0, le=999)]
Hits = Annotated[int, Meta(ge=0, le=max(kind.strength for kind in KINDS.values()))]
Pile = Annotated[tuple[Held, ...], Meta(max_length=len(CARDS))]

HAND = 3
"""Cards in a hand between turns (TTC-13, TTC-15)."""
Phase = Literal["set_up", "choose_card", "activations", "finished"]
Mode = Literal["melee", "ranged"]
SentName = Annotated[str, Meta(min_length=1, max_length=40)]
SentSquare = Annotated[str, Meta(min_length=2, max_length=3)]
"""Units, cards and squares as actions name them: whatever is sent is refused by the rules, with their clause."""
Part = Literal["", "left", "right", "any"]
"""The sector in which a unit was activated; ``any`` when its card points to none, empty when it was not."""


class Unit(Frozen, frozen=True, omit_defaults=True):
    """A unit. ``square`` is None off the board, and always on a table whose board is not mirrored.

    ``home`` is where it started, or ``bought``. The rest is about this turn: the sector it was activated in, whether it
    has finished, moved, how often it attacked, stood in contact when Phalanx was played, and which protections it used.
    """

    id: Name
    side: Side
    kind: Kind
    square: Place | None = None
    hits: Hits = 0
    on_board: bool = True
    home: Word = ""
    piece: Word = ""
    mercenary: bool = False
    activated: Part = ""
    done: bool = False
    moved: bool = False
    attacks: Count = 0
    phalanx: bool = False
    used: Annotated[tuple[Word, ...], Meta(max_length=9)] = ()

    @property
    def mobile(self) -> bool:
        """Tell whether the unit is anything but a city (TTC-07)."""
        return self.kind != "city"

    @property
    def strength(self) -> int:
        """Return how many hits destroy the unit (TTC-04)."""
        return KINDS[self.kind].strength

    def rested(self) -> Unit:
        """Return the unit as it is when a turn begins."""
        return self.but(activated="", done=False, moved=False, attacks=0, phalanx=False, used=())

    @property
    def called(self) -> Text:
        """Name the unit by its side and kind."""
        return Text(f"{self.side}_{self.kind}")


class Result(Frozen, frozen=True, omit_defaults=True):
    """What one attack did. Counts of ``hits`` and ``retreats`` are of dice, before protection.

    ``hits_taken`` are dice hits after protection, ``blocked`` hits from squares of retreat that were closed,
    ``steps`` squares gone back, ``evaded`` None when nobody tried.
    """

    mode: Mode
    dice: int
    faces: tuple[int, ...] = ()
    hits: int = 0
    retreats: int = 0
    evaded: bool | None = None
    ignored: Literal["none", "hit", "retreat"] = "none"
    used: str = ""
    hits_taken: int = 0
    steps: int = 0
    blocked: int = 0
    hits_after: int = 0
    destroyed: bool = False
    advances: bool = False
    range: int = 0
    distance: int = 0


class Last(msgspec.Struct, frozen=True):
    """The newest attack, for those who look at the board: who, whom, the squares, and its result."""

    attacker: Name
    target: Name
    from_square: Place | None
    target_square: Place | None
    result: Result


class State(Frozen, frozen=True, kw_only=True, omit_defaults=True, dict=True):
    """A table. Piles have no order; ``hands`` of a real deck are face-down cards."""

    options: Options
    units: Annotated[tuple[Unit, ...], Meta(max_length=99)]
    terrain: dict[Place, Cover] = {}
    phase: Phase = "set_up"
    turn: Annotated[int, Meta(ge=1, le=99_999)] = 1
    active: Side = WHITE
    winner: Side | None = None
    ready: tuple[Side, ...] = ()
    hands: dict[Side, Pile] = {}
    draw_pile: Pile = ()
    discard_pile: Annotated[tuple[Code, ...], Meta(max_length=len(CARDS))] = ()
    removed: Annotated[tuple[Code, ...], Meta(max_length=len(CARDS))] = ()
    card: Code | None = None
    purchases: dict[Side, Count] = {}
    acting: Name | None = None
    last: Last | None = None

    def __post_init__(self) -> None:
        """Raise ValueError when a unit is named that there is not, or two have one name."""
        named = {unit.id for unit in self.units}
        told = {self.acting, *((self.last.attacker, self.last.target) if self.last else ())} - {None}
        if len(named) < len(self.units) or not told <= named:
            raise ValueError("units are not named as they should be")

    @property
    def mirrored(self) -> bool:
        """Tell whether Companion knows where the units stand."""
        return self.options.board == "mirrored"

    @property
    def dealt(self) -> bool:
        """Tell whether Companion deals the cards."""
        return self.options.cards == "dealt"

    def find(self, name: str) -> Unit | None:
        """Return the unit of that id."""
        return self._by_id.get(name)

    @cached_property
    def _by_id(self) -> dict[str, Unit]:
        return {unit.id: unit for unit in self.units}

    def unit(self, name: str, field: str = "unit") -> Unit:
        """Return the unit of that id that is in play; raise Refusal naming the field."""
        unit = self.find(name)
        if unit is None or not unit.on_board:
            raise Refusal(say("There is no unit called {name} in play.", name=name), field=field)
        return unit

    @property
    def acting_unit(self) -> Unit | None:
        """Return the unit that acts."""
        return None if self.acting is None else self.find(self.acting)

    def at(self, square: str | None) -> Unit | None:
        """Return the unit on a square."""
        return None if square is None else self._by_square.get(square)

    @cached_property
    def _by_square(self) -> dict[str | None, Unit]:
        return {unit.square: unit for unit in reversed(self.units) if unit.on_board}

    def in_play(self, side: Side | None = None) -> tuple[Unit, ...]:
        """List the units in play, of one side or both."""
        return tuple(unit for unit in self.units if unit.on_board and side in {None, unit.side})

    def city(self, side: Side) -> Unit | None:
        """Return a side's city while it stands."""
        return next((unit for unit in self.in_play(side) if not unit.mobile), None)

    def occupied(self) -> frozenset[str]:
        """List the squares that hold a unit."""
        return frozenset(unit.square for unit in self.units if unit.on_board and unit.square is not None)

    def ground(self, square: str | None) -> Ground:
        """Return the terrain of a square."""
        return "open" if square is None else self.terrain.get(square, "open")

    def touching(self, unit: Unit) -> tuple[Unit, ...]:
        """List the enemies in melee contact with a unit: their squares share a side (TTC-76)."""
        if unit.square is None:
            return ()
        beside = (self.at(square) for square in CHESSBOARD.beside(unit.square))
        return tuple(there for there in beside if there is not None and there.side != unit.side)

    def in_formation(self, unit: Unit) -> bool:
        """Tell whether a friend is directly to the left or right; a city counts where the table says so (TTC-105)."""
        if unit.square is None:
            return False
        beside = filter(None, (self.at(CHESSBOARD.step(unit.square, across, 0)) for across in (-1, 1)))
        return any(there.side == unit.side and (there.mobile or self.options.city_formation) for there in beside)

    def hand(self, side: Side) -> tuple[str, ...]:
        """List the cards in a player's hand."""
        return self.hands.get(side, ())

    def face_down(self, cards: Sequence[str]) -> Pile:
        """Make a pile of cards: in no order, and with a real deck without faces."""
        return pile(cards) if self.dealt else (FACE_DOWN,) * len(cards)

    def unseen(self) -> tuple[str, ...]:
        """List the cards that nobody sees on the table: neither discarded, nor removed, nor in play."""
        seen = {*self.discard_pile, *self.removed, self.card}
        return tuple(code for code in CARDS if code not in seen)

    def with_unit(self, name: str, **changes: Any) -> State:
        """Return the state with one unit changed."""
        return self.but(units=changed(self.units, name, **changes))

    def name(self, unit: Unit) -> Text:
        """Name a unit so that nobody takes it for another: by its square, or by where it started."""
        if self.mirrored and unit.square is not None:
            return say("{unit} {square}", unit=unit.called, square=unit.square)
        if unit.mercenary:
            return say("{unit} (reinforcement)", unit=unit.called)
        if unit.home:
            return say("{unit} (from {square})", unit=unit.called, square=unit.home)
        return unit.called

    def check_turn(self, side: Side) -> None:
        """Refuse what is done before the first turn (TTC-11) or in the other player's (TTC-16)."""
        if self.phase == "set_up":
            raise Refusal(say("The game has not begun: both players say first that they are ready."), "TTC-11")
        if side != self.active:
            raise Refusal(say("It is {side}'s turn.", side=Text(self.active)), "TTC-16")


def check_square(square: str | None, field: str) -> str:
    """Return a square as it was sent; refuse one that is not on the board (TTC-01)."""
    if square is None or square not in CHESSBOARD:
        raise Refusal(say("There is no square {square} on the board.", square=square or "?"), "TTC-01", field)
    return square


def occupied(square: str, field: str | None = None) -> Refusal:
    """Say that a square holds another unit (TTC-73)."""
    return Refusal(say("{square} is occupied: one unit per square.", square=square), "TTC-73", field)
