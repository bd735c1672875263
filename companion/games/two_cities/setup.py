"""Set-up: starting position, terrain, agreement and the first deal (TTC-01 to TTC-16, TTC-131, TTC-132)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.two_cities.hand import deal
from companion.games.two_cities.speech import name
from companion.games.two_cities.state import State, Unit
from companion.games.two_cities.units import KINDS, LAYOUT, SIDES, WHITE, Kind, Side
from companion.kit.ruling import Reason, Refusal
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.actions import Place, PlaceTerrain
    from companion.games.two_cities.options import Options
    from companion.kit.asking import Ask

TERRAIN = ("forest", "forest", "hill", "hill")
HOME_RANK = {"white": 1, "black": 8}
FILES = CHESSBOARD.files


def set_up(options: Options, ask: Ask) -> State:
    """Set the table up: units on their squares, terrain at random, everything still free to be changed."""
    orders = _orders(options, ask)
    units = tuple(
        _unit(side, file, kind, placed=options.layout == "usual" or options.random_start)
        for side in SIDES
        for file, kind in zip(FILES, orders[side], strict=True)
    )
    state = State(options=options, units=units, purchases=dict.fromkeys(SIDES, 0))
    if options.board == "table":
        state = state.but(units=tuple(_beside_the_board(unit) for unit in units))
    return draw_terrain(state, ask)


def _unit(side: Side, file: str, kind: Kind, *, placed: bool) -> Unit:
    square = f"{file}{HOME_RANK[side]}"
    return Unit(f"{side[0]}{file}", side, kind, square if placed else None, home=square, piece=KINDS[kind].piece)


def _beside_the_board(unit: Unit) -> Unit:
    return replace(unit, square=None)


def _orders(options: Options, ask: Ask) -> dict[Side, tuple[Kind, ...]]:
    usual: dict[Side, tuple[Kind, ...]] = {
        "white": tuple(LAYOUT.white.values()),
        "black": tuple(LAYOUT.black.values()),
    }
    if not options.random_start:
        return {side: _with_city_on(order, FILES.index(options.city_square)) for side, order in usual.items()}
    drawn = {side: _draw_order(side, usual[side], ask) for side in (SIDES[:1] if options.random_mirror else SIDES)}
    return {side: drawn.get(side, drawn[WHITE]) for side in SIDES}


def _with_city_on(order: tuple[Kind, ...], file: int) -> tuple[Kind, ...]:
    changed = list(order)
    city = changed.index("city")
    changed[city], changed[file] = changed[file], changed[city]
    return tuple(changed)


def _draw_order(side: Side, order: tuple[Kind, ...], ask: Ask) -> tuple[Kind, ...]:
    """Draw the squares along the home rank (TTC-131), the city on any but the two corners (TTC-132)."""
    why = say("{side}: the file of the city is drawn", side=Text(side))
    city = ask.draw(tuple(FILES[1:-1]), 1, f"city_{side}", why, by=WHITE)[0]
    ask.tell(say("{side}: the city stands on file {file}", side=Text(side), file=city), "TTC-132")
    others = tuple(f"{kind} {number}" for number, kind in enumerate(order) if kind != "city")
    drawn = ask.draw(
        others, len(others), f"units_{side}", say("{side}: the units are drawn", side=Text(side)), by=WHITE
    )
    kinds: list[Kind] = [order[int(unit.split()[1])] for unit in drawn]
    kinds.insert(FILES.index(city), "city")
    ask.tell(say("{side}: the units stand along the first rank in the order drawn", side=Text(side)), "TTC-131")
    return tuple(kinds)


def without_pieces(state: State) -> tuple[str, ...]:
    """List the squares that hold no piece; one that is not placed, or not mirrored, keeps its usual square free."""
    taken = {unit.square or unit.home for unit in state.in_play()}
    return tuple(square for square in CHESSBOARD.squares() if square not in taken)


def draw_terrain(state: State, ask: Ask) -> State:
    """Draw four different free squares for two forests and two hills (TTC-11)."""
    squares = ask.draw(
        without_pieces(state), len(TERRAIN), "terrain", say("Terrain: two forests and two hills"), by=WHITE
    )
    for kind, square in zip(TERRAIN, squares, strict=True):
        ask.tell(say("{terrain} on {square}", terrain=Text(f"the_{kind}"), square=square), "TTC-11")
    return state.but(terrain=dict(sorted(zip(squares, TERRAIN, strict=True))), ready=())


def terrain_squares(state: State) -> Text:
    """Say where the forests and the hills lie, for those who lay them on the real board."""
    return say("Forests: {forests}. Hills: {hills}", forests=_listed(state, "forest"), hills=_listed(state, "hill"))


def _listed(state: State, kind: str) -> Text | str:
    squares = [square for square, ground in state.terrain.items() if ground == kind]
    return say("{one} and {two}", one=squares[0], two=squares[1]) if len(squares) == 2 else "".join(squares) or "–"


def place(state: State, side: Side, action: Place, ask: Ask) -> State:
    """Put a unit on a square before the first turn; two units of a side change places (TTC-09)."""
    unit = state.unit(action.unit)
    if unit.side != side:
        raise Refusal(say("Each player places their own units."), "TTC-09", "unit")
    if not state.mirrored:
        raise Refusal(say("At this table only the real board knows where units stand."), "TTC-09", "unit")
    if state.options.random_start:
        raise Refusal(say("In the random start the units stand where they were drawn."), "TTC-131", "unit")
    _check_square(action.to)
    if action.to in state.terrain:
        raise Refusal(
            say("Terrain lies on {square}: it goes on squares that hold no piece.", square=action.to),
            "TTC-11",
            "to",
        )
    there = state.at(action.to)
    if there is not None and there.side != side:
        raise Refusal(say("{square} is occupied: one unit per square.", square=action.to), "TTC-73", "to")
    if there is not None:
        state = state.with_unit(there.id, square=unit.square)
    ask.tell(say("{unit}: placed on {square}", unit=name(state, unit), square=action.to), "TTC-09")
    return state.with_unit(unit.id, square=action.to).but(ready=())


def place_terrain(state: State, action: PlaceTerrain, ask: Ask) -> State:
    """Put a forest or a hill on a square that holds no piece and no other terrain (TTC-11)."""
    terrain = dict(state.terrain)
    _check_square(action.to)
    if action.leave is not None and terrain.pop(action.leave, None) != action.kind:
        raise Refusal(say("There is no such terrain on {square}.", square=action.leave), "TTC-11", "leave")
    if list(terrain.values()).count(action.kind) >= TERRAIN.count(action.kind):
        raise Refusal(say("There are two forests and two hills, no more."), "TTC-11", "kind")
    if action.to in terrain or action.to not in without_pieces(state):
        raise Refusal(
            say("{square} is not free: terrain goes on four different squares that hold no piece.", square=action.to),
            "TTC-11",
            "to",
        )
    terrain[action.to] = action.kind
    ask.tell(say("{terrain} on {square}", terrain=Text(f"the_{action.kind}"), square=action.to), "TTC-11")
    return state.but(terrain=dict(sorted(terrain.items())), ready=())


def _check_square(square: str) -> None:
    if square not in CHESSBOARD:
        raise Refusal(say("There is no square {square} on the board.", square=square), "TTC-01", "to")


def get_ready(state: State, side: Side, ask: Ask) -> State:
    """Agree to the position; when both do the cards are dealt and White begins (TTC-13, TTC-16)."""
    check_start(state)
    for warning in warnings(state):
        ask.tell(warning.text, warning.clause)
    ask.tell(say("{side} is ready", side=Text(side)), "TTC-09")
    state = state.but(ready=tuple(one for one in SIDES if one == side or one in state.ready))
    if len(state.ready) < len(SIDES):
        return state
    state = deal(state, ask).but(phase="choose_card")
    ask.tell(say("White begins"), "TTC-16")
    return state


def check_start(state: State) -> None:
    """Refuse to begin from a position that is not complete (TTC-11), or not a random start (TTC-131, TTC-132)."""
    if sorted(state.terrain.values()) != sorted(TERRAIN):
        raise Refusal(say("Two forests and two hills are placed before the first turn."), "TTC-11")
    if not state.mirrored:
        return
    for unit in state.in_play():
        if unit.square is None:
            raise Refusal(say("{unit}: not placed yet.", unit=name(state, unit)), "TTC-09")
        if (there := state.at(unit.square)) is not None and there.id != unit.id:
            raise Refusal(say("{square} is occupied: one unit per square.", square=unit.square), "TTC-73")
        if not state.options.random_start:
            continue
        if int(unit.square[1:]) != HOME_RANK[unit.side]:
            raise Refusal(say("In the random start all units stand along the first rank."), "TTC-131")
        if not unit.mobile and unit.square[0] in FILES[0] + FILES[-1]:
            raise Refusal(say("In the random start a city is kept off the corners."), "TTC-132")


def warnings(state: State) -> tuple[Reason, ...]:
    """Warn of a city that does not stand where exactly three squares share a side with it (TTC-10)."""
    found = []
    for side in SIDES:
        city = state.city(side)
        if city is not None and city.square is not None and len(CHESSBOARD.beside(city.square)) != 3:
            found.append(
                Reason(
                    say(
                        "{side}'s city should stand on the edge but not in a corner, beside three squares.",
                        side=Text(side),
                    ),
                    "TTC-10",
                )
            )
    return tuple(found)
