"""Islands: a small game on a map of hexagons of any size that grows, to test such boards with."""

from __future__ import annotations

from itertools import cycle
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.hexes import FILES, Hex, named
from companion.kit.panels import Board, Piece, Terrain, View
from companion.kit.questions import Option
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say
from tests.support.skirmish_game import SIDES, Doing, End, Move, Skirmish

KINDS = (
    "forest",
    "hill",
    "field",
    "village",
    "water",
    "tunnel",
    "cave",
    "ice",
    "labyrinth",
    "swamp",
    "mountain",
)
FORWARD = (1, 2, 6)


class Options(msgspec.Struct, frozen=True):
    wide: Annotated[int, Meta(ge=2, le=25)] = 5
    high: Annotated[int, Meta(ge=4, le=42)] = 6
    pieces: Annotated[int, Meta(ge=1, le=12)] = 3


class Unit(msgspec.Struct, frozen=True):
    id: str
    side: str
    square: str
    hits: int = 0


class State(msgspec.Struct, frozen=True):
    tiles: dict[str, str]
    bases: dict[str, str]
    units: tuple[Unit, ...]
    turn: str = "red"

    def find(self, unit: str) -> Unit:
        found = next((one for one in self.units if one.id == unit), None)
        if found is None:
            raise Refusal(say("There is no such piece."), "SK-1", "unit")
        return found


class Lay(Doing, frozen=True, tag="lay"):
    """Let the map grow by a tile."""

    at: str


class Strike(Doing, frozen=True, tag="strike"):
    unit: str
    target: str


class Scatter(Doing, frozen=True, tag="scatter"):
    """Be asked where a unit goes."""

    unit: str


class Wonder(Doing, frozen=True, tag="wonder"):
    """Be asked, after a long story, what nothing on the map answers."""


def beside(square: str) -> tuple[str, ...]:
    return tuple(one.name for one in named(square).beside if 0 <= one.q + 12 < len(FILES))


def free(state: State) -> tuple[str, ...]:
    taken = {unit.square for unit in state.units}
    return tuple(at for at in state.tiles if at not in taken)


def room(state: State) -> tuple[str, ...]:
    """The places where the map may grow: right before a tile."""
    before = (named(at).beyond(way) for at in state.tiles for way in FORWARD)
    found = {one.name: None for one in before if 0 <= one.q + 12 < len(FILES)}
    return tuple(at for at in found if at not in state.tiles and at not in state.bases.values())


class Islands(Skirmish):
    slug = "islands"
    name = say("Islands")
    options: Any = Options
    state: Any = State
    actions: Any = Move | Lay | Strike | Scatter | Wonder | End

    def roles(self, options: Any) -> Any:
        return super().roles(msgspec.structs.replace(super().options(), sides="bright"))

    def setup(self, options: Any, ask: Ask) -> Ruling[Any]:
        left = -(options.wide // 2)
        every = [
            Hex(left + column, -(rank + (left + column + 1) // 2)).name
            for rank in range(options.high)
            for column in range(options.wide)
        ]
        base, far = every[options.wide // 2], every[-1 - (options.wide - 1) // 2]
        kinds = cycle(KINDS)
        tiles = {at: next(kinds) for number, at in enumerate(every) if at not in (base, far) and number % 6 != 4}
        places = [*tiles]
        units = [Unit(f"r{at}", "red", places[at], at) for at in range(options.pieces)]
        units += [Unit(f"b{at}", "blue", places[-1 - at]) for at in range(options.pieces)]
        return Ruling(State(tiles, {"red": base, "blue": far}, tuple(units)), say("Ready"))

    def offers(self, state: Any, seat: str) -> tuple[Offer, ...]:
        if seat != state.turn:
            return ()
        found = [
            Offer("end", say("End the turn"), main=True),
            Offer("lay", say("Lay a tile"), fields=(Field("at", say("Where"), "choice", _places(room(state))),)),
        ]
        for unit in (one for one in state.units if one.side == seat):
            near = tuple(at for at in free(state) if at in beside(unit.square))
            foes = tuple(one for one in state.units if one.side != seat and one.square in beside(unit.square))
            if near:
                to = Field(
                    "to",
                    say("To"),
                    "choice",
                    tuple(
                        Option(at, say("{at}, water", at=at), place=at, note=say("1-3 sinks"))
                        if state.tiles[at] == "water"
                        else Option(at, say("{at}", at=at), place=at)
                        for at in near
                    ),
                )
                found.append(Offer("move", say("Move"), {"unit": unit.id}, (to,), on=unit.id))
            if foes:
                target = Field(
                    "target",
                    say("Target"),
                    "choice",
                    tuple(Option(one.id, say("pawn {square}", square=one.square), place=one.square) for one in foes),
                )
                found.append(Offer("strike", say("Strike"), {"unit": unit.id}, (target,), on=unit.id, chancy=True))
            found.append(Offer("scatter", say("Scatter"), {"unit": unit.id}, on=unit.id))
        return tuple(found)

    def rule(self, state: Any, seat: str, action: Any, ask: Ask) -> Ruling[Any]:
        if seat != state.turn:
            raise Refusal(say("It is not your turn."), "SK-2")
        if isinstance(action, End):
            other = next(side for side in SIDES["bright"] if side != seat)
            return Ruling(msgspec.structs.replace(state, turn=other), say("{side} ends the turn", side=Text(seat)))
        if isinstance(action, Lay):
            if action.at not in room(state):
                raise Refusal(say("No tile can be laid there."), "SK-3", "at")
            after = msgspec.structs.replace(state, tiles={**state.tiles, action.at: "field"})
            return Ruling(after, say("A tile at {at}", at=action.at))
        if isinstance(action, Wonder):
            for _ in range(12):
                ask.tell(say("The clouds part, and close, and part again."))
            rain = say("rain 31%, snow 33%")
            clouds = tuple(Option(f"{at}", say("Cloud {at}", at=at), note=rain) for at in range(9))
            return Ruling(state, say("Cloud {at}", at=ask.choose(seat, clouds, "cloud", say("Which cloud?"))))
        unit = state.find(action.unit)
        if isinstance(action, Strike):
            target = state.find(action.target)
            return Ruling(_with(state, target, hits=target.hits + 1), say("A blow at {at}", at=target.square))
        if isinstance(action, Scatter):
            to = ask.choose(seat, _places(free(state)), "to", say("Where does it go?"))
        elif action.to in beside(unit.square) and action.to in free(state):
            to = action.to
        else:
            raise Refusal(say("It can not go to {to}.", to=action.to), "SK-3", "to")
        return Ruling(_with(state, unit, square=to), say("pawn goes to {to}", to=to))

    def view(self, state: Any, seat: str) -> View:
        tiles = (
            Terrain(at, kind, Text(kind.capitalize()), grooves=(1, 4) if kind == "tunnel" else None)
            for at, kind in state.tiles.items()
        )
        bases = (Terrain(at, "base", say("{side}'s base", side=Text(side)), side) for side, at in state.bases.items())
        ground = (*tiles, *bases)
        shown = [named(at) for at in (*(one.square for one in ground), *room(state))]
        files = tuple(FILES[q + 12] for q in range(min(one.q for one in shown), max(one.q for one in shown) + 1))
        ranks = range(1, max(one.height // 2 + 1 for one in shown) + 1)
        signs = ("shield", "bow", "wing", "clock")
        pieces = (
            Piece(unit.id, unit.side, "pawn", say("Pawn"), unit.square, unit.hits, 3, signs=signs[: 2 + unit.hits])
            for unit in state.units
        )
        board = Board(
            say("Map"),
            files,
            tuple(str(rank) for rank in ranks),
            tuple(pieces),
            ground,
            seat == "blue",
            hexes=True,
            raised=tuple(file for file in files if FILES.index(file) % 2),
        )
        return View(say("Move your pieces."), (state.turn,), (board,))


def _places(squares: tuple[str, ...]) -> tuple[Option, ...]:
    return tuple(Option(at, say("{at}", at=at), place=at) for at in squares)


def _with(state: State, unit: Unit, **fields: Any) -> State:
    units = tuple(msgspec.structs.replace(one, **fields) if one == unit else one for one in state.units)
    return msgspec.structs.replace(state, units=units)


ISLANDS: Any = Islands()
