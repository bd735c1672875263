"""What a table of A Tale of Two Cities has to remember."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.games.two_cities.deck import CARDS
from companion.games.two_cities.options import Options
from companion.games.two_cities.units import KINDS, WHITE, Kind, Side
from companion.kit.cards import FACE_DOWN
from companion.kit.frozen import Frozen
from companion.kit.ruling import Refusal
from companion.kit.squares import CHESSBOARD
from companion.kit.text import say

Place = Annotated[str, Meta(pattern=rf"^[{CHESSBOARD.files}][1-{CHESSBOARD.ranks}]\Z")]
Code = Annotated[str, Meta(pattern=rf"^({'|'.join(CARDS)})\Z")]
Held = Annotated[str, Meta(pattern=rf"^({'|'.join(CARDS)}|\{FACE_DOWN})\Z")]
Name = Annotated[str, Meta(pattern=r"^[a-z0-9]{1,8}\Z")]
Word = Annotated[str, Meta(pattern=r"^[a-z0-9_]{0,40}\Z")]
Count = Annotated[int, Meta(ge=0, le=999)]
Hits = Annotated[int, Meta(ge=0, le=max(kind.strength for kind in KINDS.values()))]
Pile = Annotated[tuple[Held, ...], Meta(max_length=len(CARDS))]

Phase = Literal["set_up", "choose_card", "activations", "finished"]
Mode = Literal["melee", "ranged"]
Part = Literal["", "left", "right", "any"]
"""The sector in which a unit was activated; ``any`` when its card points to none, empty when it was not."""


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remember one unit. ``square`` is None off the board, and always on a table whose board is not mirrored.

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
        return replace(self, activated="", done=False, moved=False, attacks=0, phalanx=False, used=())


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """Hold what one attack did. Counts of ``hits`` and ``retreats`` are of dice, before protection.

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
    """Remember the newest attack for those who look at the board: who, whom, the squares, and its result."""

    attacker: Name
    target: Name
    from_square: Place | None
    target_square: Place | None
    result: Result


class State(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """Remember a table. Piles have no order; ``hands`` of a real deck are face-down cards."""

    options: Options
    units: Annotated[tuple[Unit, ...], Meta(max_length=99)]
    terrain: dict[Place, Literal["forest", "hill"]] = {}
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
        return next((unit for unit in self.units if unit.id == name), None)

    def unit(self, name: str, field: str = "unit") -> Unit:
        """Return the unit of that id that is in play; raise Refusal naming the field."""
        found = self.find(name)
        if found is None or not found.on_board:
            raise Refusal(say("There is no unit called {name} in play.", name=name), field=field)
        return found

    def at(self, square: str | None) -> Unit | None:
        """Return the unit on a square."""
        if square is None:
            return None
        return next((unit for unit in self.units if unit.on_board and unit.square == square), None)

    def in_play(self, side: Side | None = None) -> tuple[Unit, ...]:
        """List the units in play, of one side or both."""
        return tuple(unit for unit in self.units if unit.on_board and side in {None, unit.side})

    def city(self, side: Side) -> Unit | None:
        """Return a side's city while it stands."""
        return next((unit for unit in self.in_play(side) if not unit.mobile), None)

    def occupied(self) -> frozenset[str]:
        """List the squares that hold a unit."""
        return frozenset(unit.square for unit in self.units if unit.on_board and unit.square is not None)

    def ground(self, square: str | None) -> str:
        """Return the terrain of a square: open, forest or hill."""
        return "open" if square is None else self.terrain.get(square, "open")

    def with_unit(self, name: str, **changes: Any) -> State:
        """Return the state with one unit changed."""
        return self.but(
            units=tuple(msgspec.structs.replace(unit, **changes) if unit.id == name else unit for unit in self.units)
        )
