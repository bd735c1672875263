"""Set-up: starting position, terrain, agreement and the first deal (TTC-01 to TTC-16, TTC-131, TTC-132)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.two_cities.components import CARDS, KINDS, LAYOUT, SIDES, TERRAIN, WHITE, Cover, Kind, Side
from companion.games.two_cities.options import Options
from companion.games.two_cities.state import (
    HAND,
    SentName,
    SentSquare,
    State,
    Unit,
    check_square,
    occupied,
)
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.decks import without
from companion.kit.questions import square_options
from companion.kit.ruling import Reason, Refusal, Ruling, refuse
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, numbered, say

setup = Chapter[State, Side]()

HOME_RANK = {"white": 1, "black": 8}
BESIDE_A_CITY = 3
"""Squares that share a side with a city (TTC-10)."""
FILES = CHESSBOARD.files


class Place(Action, frozen=True, tag="place"):
    """Put one of your units on a square before the first turn (TTC-09)."""

    unit: SentName
    to: SentSquare


class PlaceTerrain(Action, frozen=True, tag="place_terrain"):
    """Put a forest or a hill on a free square before the first turn; ``leave`` is the square it comes from (TTC-11)."""

    kind: Cover
    to: SentSquare
    leave: SentSquare | None = None


class DrawTerrain(Action, frozen=True, tag="draw_terrain"):
    """Draw the four terrain squares at random once more (TTC-11)."""


class Ready(Action, frozen=True, tag="ready"):
    """Agree to the starting position."""


@setup.offers
def offers(state: State, side: Side) -> Iterator[Offer]:
    """Offer to change the position, and to agree to it (TTC-09, TTC-11)."""
    if state.phase != "set_up":
        return
    if side not in state.ready and _no_start(state) is None:
        yield Ready.offer(say("Ready: play from this position"), main=True, clause="TTC-09")
    if state.mirrored and not state.options.random_start:
        free = [square for square in CHESSBOARD.squares() if square not in state.occupied() | state.terrain.keys()]
        for unit in state.in_play(side):
            mine = (there.square for there in state.in_play(side) if unit.square and there.id != unit.id)
            to = Field("to", say("Square"), "choice", square_options(sorted([*free, *filter(None, mine)])))
            label = say("Place: {unit}", unit=state.name(unit))
            yield Place.offer(label, to, on=unit.id, unit=unit.id, clause="TTC-09")
    bare = [square for square in _without_pieces(state) if square not in state.terrain]
    for square, kind in state.terrain.items():
        label = say("Move the terrain: {terrain} {square}", terrain=Text(kind), square=square)
        to = Field("to", say("Square"), "choice", square_options(bare))
        yield PlaceTerrain.offer(label, to, kind=kind, leave=square, clause="TTC-11")
    yield DrawTerrain.offer(say("Draw the terrain again"), clause="TTC-11")


def check_set_up(state: State) -> None:
    """Refuse to change the position once the game has begun (TTC-09)."""
    if state.phase != "set_up":
        raise Refusal(say("The game has begun: the starting position stands."), "TTC-09")


def set_up(options: Options, ask: Ask) -> Ruling[State]:
    """Set the table up: units on their squares, terrain at random, everything still free to be changed."""
    placed = options.board == "mirrored" and (options.layout == "usual" or options.random_start)
    units = tuple(
        _unit(side, file, kind, placed=placed)
        for side, order in _orders(options, ask).items()
        for file, kind in zip(FILES, order, strict=True)
    )
    state = State(options=options, units=units, purchases=dict.fromkeys(SIDES, 0))
    said = say("The board is set up: look at it, change it if you like, and say when you are ready.")
    return Ruling(_terrain_drawn(state, ask), said, tuple(ask.reasons))


def _unit(side: Side, file: str, kind: Kind, *, placed: bool) -> Unit:
    square = f"{file}{HOME_RANK[side]}"
    return Unit(f"{side[0]}{file}", side, kind, square if placed else None, home=square, piece=KINDS[kind].piece)


def _orders(options: Options, ask: Ask) -> dict[Side, tuple[Kind, ...]]:
    usual: dict[Side, tuple[Kind, ...]] = {"white": tuple(LAYOUT.white.values()), "black": tuple(LAYOUT.black.values())}
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
    (city,) = ask.draw(tuple(FILES[1:-1]), 1, f"city_{side}", why, by=WHITE)
    ask.tell(say("{side}: the city stands on file {file}", side=Text(side), file=city), "TTC-132")
    others = tuple(f"{kind} {number}" for number, kind in enumerate(order) if kind != "city")
    why = say("{side}: the units are drawn", side=Text(side))
    drawn = ask.draw(others, len(others), f"units_{side}", why, by=WHITE)
    kinds: list[Kind] = [order[int(unit.split()[1])] for unit in drawn]
    kinds.insert(FILES.index(city), "city")
    ask.tell(say("{side}: the units stand along the first rank in the order drawn", side=Text(side)), "TTC-131")
    return tuple(kinds)


def _without_pieces(state: State) -> tuple[str, ...]:
    """List the squares that hold no piece; one that is not placed, or not mirrored, keeps its usual square free."""
    taken = {unit.square or unit.home for unit in state.in_play()}
    return tuple(square for square in CHESSBOARD.squares() if square not in taken)


def _terrain_drawn(state: State, ask: Ask) -> State:
    """Draw four different free squares for two forests and two hills (TTC-11)."""
    why = say("Terrain: two forests and two hills")
    squares = ask.draw(_without_pieces(state), len(TERRAIN), "terrain", why, by=WHITE)
    for kind, square in zip(TERRAIN, squares, strict=True):
        ask.tell(_lies(kind, square), "TTC-11")
    return state.but(terrain=dict(sorted(zip(squares, TERRAIN, strict=True))), ready=())


def _lies(kind: Cover, square: str) -> Text:
    return say("{terrain} on {square}", terrain=Text(f"the_{kind}"), square=square)


def terrain_squares(state: State) -> Text:
    """Say where the forests and the hills lie, for those who lay them on the real board."""
    return say("Forests: {forests}. Hills: {hills}", forests=_listed(state, "forest"), hills=_listed(state, "hill"))


def _listed(state: State, kind: str) -> Text | str:
    squares = [square for square, ground in state.terrain.items() if ground == kind]
    return say("{one} and {two}", one=squares[0], two=squares[1]) if len(squares) == 2 else "".join(squares) or "–"


@setup.rule(
    DrawTerrain,
    headline=lambda _before, after, _side, _action: (
        say("The terrain is drawn again") if after.mirrored else terrain_squares(after)
    ),
)
def draw_terrain(state: State, _side: Side, _action: DrawTerrain, ask: Ask) -> State:
    """Draw the terrain again (TTC-11)."""
    check_set_up(state)
    return _terrain_drawn(state, ask)


@setup.rule(
    Place,
    headline=lambda _before, after, _side, action: say(
        "{unit}: placed on {square}", unit=after.unit(action.unit).called, square=action.to
    ),
)
def place(state: State, side: Side, action: Place, ask: Ask) -> State:
    """Put a unit on a square before the first turn; two units of a side change places (TTC-09)."""
    check_set_up(state)
    unit = state.unit(action.unit)
    if unit.side != side:
        raise Refusal(say("Each player places their own units."), "TTC-09", "unit")
    if not state.mirrored:
        raise Refusal(say("At this table only the real board knows where units stand."), "TTC-09", "unit")
    if state.options.random_start:
        raise Refusal(say("In the random start the units stand where they were drawn."), "TTC-131", "unit")
    to = check_square(action.to, "to")
    if to in state.terrain:
        covered = say("Terrain lies on {square}: it goes on squares that hold no piece.", square=to)
        raise Refusal(covered, "TTC-11", "to")
    there = state.at(to)
    if there is not None and there.side != side:
        raise occupied(to, "to")
    if there is not None:
        state = state.with_unit(there.id, square=unit.square)
    ask.tell(say("{unit}: placed on {square}", unit=state.name(unit), square=to), "TTC-09")
    return state.with_unit(unit.id, square=to).but(ready=())


@setup.rule(PlaceTerrain, says=lambda _state, _, action: _lies(action.kind, action.to))
def place_terrain(state: State, _side: Side, action: PlaceTerrain, ask: Ask) -> State:
    """Put a forest or a hill on a square that holds no piece and no other terrain (TTC-11)."""
    check_set_up(state)
    terrain = dict(state.terrain)
    to = check_square(action.to, "to")
    if action.leave is not None and terrain.pop(action.leave, None) != action.kind:
        raise Refusal(say("There is no such terrain on {square}.", square=action.leave), "TTC-11", "leave")
    if list(terrain.values()).count(action.kind) >= TERRAIN.count(action.kind):
        raise Refusal(say("There are two forests and two hills, no more."), "TTC-11", "kind")
    if to in terrain or to not in _without_pieces(state):
        taken = say("{square} is not free: terrain goes on four different squares that hold no piece.", square=to)
        raise Refusal(taken, "TTC-11", "to")
    terrain[to] = action.kind
    ask.tell(_lies(action.kind, to), "TTC-11")
    return state.but(terrain=dict(sorted(terrain.items())), ready=())


def _agreed(_before: State, after: State, side: Side, _action: Ready) -> Text:
    if after.phase == "set_up":
        return say("{side} is ready", side=Text(side))
    if after.dealt:
        return say("White begins")
    # Who begins is what comes of it, and is said after the headline.
    return numbered("Shuffle and deal [hand written] cards each", hand=HAND)


@setup.rule(Ready, headline=_agreed)
def get_ready(state: State, side: Side, _action: Ready, ask: Ask) -> State:
    """Agree to the position; when both do the cards are dealt and White begins (TTC-13, TTC-16)."""
    check_set_up(state)
    refuse(_no_start(state))
    for warning in warnings(state):
        ask.tell(warning.text, warning.clause)
    ask.tell(say("{side} is ready", side=Text(side)), "TTC-09")
    state = state.but(ready=tuple(each for each in SIDES if each == side or each in state.ready))
    if len(state.ready) < len(SIDES):
        return state
    state = _dealt(state, ask)
    ask.tell(say("White begins"), "TTC-16")
    return state.but(phase="choose_card")


def _dealt(state: State, ask: Ask) -> State:
    """Deal three cards to each player, White first, out of one common pile of 24 (TTC-13, TTC-14)."""
    state = state.but(draw_pile=state.face_down(tuple(CARDS)), hands={})
    if not state.dealt:
        dealing = numbered(
            "Shuffle the [deck] cards and deal [hand written] to each player, White first", deck=len(CARDS), hand=HAND
        )
        ask.tell(dealing, "TTC-13")
    for side in SIDES:
        cards = state.draw_pile[:HAND]
        if state.dealt:
            why = numbered("{side} is dealt [hand written] cards", hand=HAND, side=Text(side))
            cards = ask.draw(state.draw_pile, HAND, f"deal_{side}", why, by=side, secret=True)
            ask.tell(why, "TTC-13")
        state = state.but(hands={**state.hands, side: cards}, draw_pile=without(state.draw_pile, cards))
    return state


def _no_start(state: State) -> Reason | None:
    """Say why play can not begin: the position is not complete (TTC-11) or no random start (TTC-131, TTC-132)."""
    if sorted(state.terrain.values()) != sorted(TERRAIN):
        return Reason(say("Two forests and two hills are placed before the first turn."), "TTC-11")
    if not state.mirrored:
        return None
    for unit in state.in_play():
        if unit.square is None:
            return Reason(say("{unit}: not placed yet.", unit=state.name(unit)), "TTC-09")
        if (there := state.at(unit.square)) is not None and there.id != unit.id:
            return occupied(unit.square).reason
        if not state.options.random_start:
            continue
        if int(unit.square[1:]) != HOME_RANK[unit.side]:
            return Reason(say("In the random start all units stand along the first rank."), "TTC-131")
        if not unit.mobile and unit.square[0] in FILES[0] + FILES[-1]:
            return Reason(say("In the random start a city is kept off the corners."), "TTC-132")
    return None


def warnings(state: State) -> tuple[Reason, ...]:
    """Warn of a city that does not stand where exactly three squares share a side with it (TTC-10)."""
    return tuple(
        Reason(
            numbered(
                "{side}'s city should stand on the edge but not in a corner, beside [beside_a_city written] squares.",
                beside_a_city=BESIDE_A_CITY,
                side=Text(side),
            ),
            "TTC-10",
        )
        for side in SIDES
        if (city := state.city(side)) and city.square and len(CHESSBOARD.beside(city.square)) != BESIDE_A_CITY
    )
