"""Corrections: every tracked value can be set by hand; the people at the table outrank the app (ledger 5.1)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

from msgspec.structs import replace

from companion.games.pocket_tactics import geometry, initial_deployment
from companion.games.pocket_tactics.cards import MOST_TILES, SIDES, SLOTS, Slot, TileCard, terrain_name
from companion.games.pocket_tactics.dice import MOST_KICKER, POOLS, Pool
from companion.games.pocket_tactics.land import terrains
from companion.games.pocket_tactics.state import SEATS, Last, Phase, Seat, State, Tile, Unit, other
from companion.kit.action import Field
from companion.kit.asking import Ask
from companion.kit.correction import OFF, Correction, Group, several
from companion.kit.decks.entries import but
from companion.kit.questions import Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

THE_GAME, MAP, THE_BAG = Group("game.", say("The game")), say("The map"), say("The bag")
NONE = "none"
MOST_TURNS = 999
BUILDING: tuple[Phase, ...] = ("tiles", "second_base", "setting_out")
"""Phases in which the first base still is whoever's is the first player."""
PLAYERS: dict[Seat, Text] = {seat: Text(seat) for seat in SEATS}
NEW = "field"
"""What a tile is that is laid by hand, until its terrain is corrected."""
HIGHEST = 99
GROOVES = tuple(Option(str(number), Text(side)) for number, side in enumerate(SIDES, start=1))
ON = "on."
"""Before a terrain, where the map lies on the table."""

Corrected = Correction[State]


def corrections(state: State) -> Iterator[Corrected]:
    """List every value that can be corrected by hand; of a game that is over only who won, which reopens it."""
    if state.over:
        yield _winner(state)
        return
    if state.phase in ("setting_out", "play"):
        yield from _units(state)
    if state.mirrored and state.phase != "factions":
        yield from _map(state)
    yield from _ready(state) if state.phase == "factions" else _game(state)


def settled(state: State, ask: Ask) -> State:
    """Return the state if it can go on; who has set out all the units lets the other one do so (PT-21)."""
    if state.phase == "tiles" and not geometry.tile_places(state, state.drawn or 0):
        raise Refusal(say("Then the tile that was drawn would fit nowhere."), "PT-82", "value")
    if state.phase == "second_base" and not geometry.base_places(state):
        raise Refusal(say("Then there would be no place for the second base."), "PT-19", "value")
    if state.phase == "setting_out" and not initial_deployment.left(state, state.active):
        return initial_deployment.begin(state, ask)
    return state


def _units(state: State) -> Iterator[Corrected]:
    """List where every unit is and, once the game has begun, what its kickers are after all changes."""
    free = _free_for_units(state)
    for unit in sorted(state.units, key=lambda unit: SEATS.index(unit.seat)):
        group = Group(f"unit.{unit.id}:", state.name(unit), say("Units of {seat}", seat=Text(unit.seat)))
        yield _unit_place(state, unit, group, free)
        if state.phase == "play" and unit.where != "captured":
            yield from _kickers(state, unit, group)


def _unit_place(state: State, unit: Unit, group: Group, free: tuple[Option, ...]) -> Corrected:
    away = ("reserve",) if state.phase == "setting_out" else ("reserve", "captured")
    place = unit.where if unit.where != "tile" else unit.at or f"{ON}{state.terrain(unit)}"
    here: tuple[Option, ...] = ()
    if unit.where == "tile" and all(option.value != place for option in free):
        here = (Option(place, state.place(place.removeprefix(ON)), place=unit.at),)
    options = (*here, *free, *(Option(where, Text(where)) for where in away))
    return group.choice("place", say("Place"), options, place, lambda value: _put(state, unit, value).but(last=Last()))


def _free_for_units(state: State) -> tuple[Option, ...]:
    """List where a unit may be put: the tiles on which nobody stands, or what a tile on the table may be."""
    if state.mirrored:
        return tuple(
            Option(tile.at, state.place(tile.at), place=tile.at) for tile in state.tiles if state.on(tile.at) is None
        )
    return tuple(Option(f"{ON}{terrain}", terrain_name(terrain)) for terrain in terrains(state))


def _put(state: State, unit: Unit, value: str) -> State:
    """Put a unit somewhere else; three begin on the map, and a game goes on while both have somebody left."""
    match value:
        case "reserve":
            return state.gone(unit.id, "reserve")
        case "captured":
            after, side = state.gone(unit.id, "captured"), Text(unit.seat)
            if not after.alive(unit.seat):
                text = say("Then {side} would have nobody left: correct the winner instead.", side=side)
                raise Refusal(text, "PT-64", "value")
            return after
    if state.phase == "setting_out" and unit.where != "tile" and not initial_deployment.left(state, unit.seat):
        raise Refusal(say("The starting units of {side} stand already.", side=Text(unit.seat)), "PT-21", "value")
    return state.standing(unit.id, value.removeprefix(ON))


def _kickers(state: State, unit: Unit, group: Group) -> Iterator[Corrected]:
    card = state.card(unit)
    for slot, pool in product(SLOTS, POOLS):
        kicker = state.value(unit, slot, pool).kicker
        if kicker or not card.value(slot, pool).none:
            label = say("Kicker: {one}, {two}", one=card.skill_name(slot), two=Text(pool))
            put = partial(_kicker_put, state, unit, slot, pool)
            yield group.number(f"{slot}.{pool}", label, kicker, put, high=MOST_KICKER)


def _kicker_put(state: State, unit: Unit, slot: Slot, pool: Pool, kicker: int) -> State:
    """Say what a kicker counts after all changes (PT-98)."""
    return state.shifted(unit, slot, pool, kicker - state.card(unit).value(slot, pool).kicker)


def _map(state: State) -> Iterator[Corrected]:
    """List the tiles and bases of the map that Companion keeps, and what is left in the bag."""
    free = _free_places(state)
    kinds = tuple(Option(name, terrain_name(name)) for name in terrains(state))
    for tile in state.tiles:
        yield from _tile(state, tile, free, kinds)
    bases = Group("base.", say("Bases"), MAP)
    for seat, at in state.bases.items():
        label, places = say("{side}'s base", side=Text(seat)), (_square(at), *free)
        yield bases.choice(seat, label, places, at, partial(_base_put, state, seat))
    new = (Option(OFF, say("none")), *free)
    yield Group("map.", say("New tiles"), MAP).choice(
        "new", say("One more tile"), new, OFF, lambda at: _room(state, 1).but(tiles=(*state.tiles, Tile(at, NEW)))
    )
    if state.phase in ("tiles", "second_base"):
        yield from _bag(state)


def _base_put(state: State, seat: Seat, at: str) -> State:
    return state.but(bases={**state.bases, seat: at}, last=Last())


def _free_places(state: State) -> tuple[Option, ...]:
    """List the places beside the map where nothing lies, as far as they can be drawn."""
    names = geometry.in_play(state)
    places = {beside for place in names for beside in place.beside}.difference(names)
    return tuple(_square(place.name) for place in geometry.drawn(places) if 0 < place.height // 2 + 1 <= HIGHEST)


def _square(at: str) -> Option:
    return Option(at, say("{square}", square=at), place=at)


def _tile(state: State, tile: Tile, free: tuple[Option, ...], kinds: tuple[Option, ...]) -> Iterator[Corrected]:
    def put(**changes: object) -> State:
        tiles = (replace(each, **changes) if each == tile else each for each in state.tiles)
        return state.but(tiles=tuple(tiles), last=Last())

    group = Group(f"tile.{tile.at}.", state.place(tile.at), MAP)
    same = any(option.value == tile.terrain for option in kinds)
    terrains = kinds if same else (*kinds, Option(tile.terrain, terrain_name(tile.terrain)))
    yield group.choice("terrain", say("Terrain"), terrains, tile.terrain, lambda terrain: put(terrain=terrain))
    open_to = tuple(str(direction) for direction in tile.grooves or ())
    hint = say("The open sides of a tunnel tile. None: it is no tunnel.")
    grooves = Field("value", say("Grooves"), "many", GROOVES, value=open_to, hint=hint)
    yield group.value("grooves", grooves, lambda sent, _: put(grooves=tuple(sorted(map(int, several(sent)))) or None))
    places = (_square(tile.at), *free, Option(OFF, say("off the map")))
    yield group.choice("place", say("Place"), places, tile.at, lambda at: _tile_put(state, tile, at))


def _tile_put(state: State, tile: Tile, at: str) -> State:
    """Lay a tile somewhere else, with whoever stands on it, or take it off the map."""
    unit = state.on(tile.at)
    if at == OFF and unit is not None:
        raise Refusal(say("{unit} stands there: put it somewhere else first.", unit=state.name(unit)), "PT-26", "value")
    if at == OFF:
        return state.but(tiles=tuple(each for each in state.tiles if each != tile), last=Last())
    tiles = tuple(replace(each, at=at) if each == tile else each for each in state.tiles)
    units = tuple(replace(each, at=at) if each == unit else each for each in state.units)
    return state.but(tiles=tiles, units=units, last=Last())


def _bag(state: State) -> Iterator[Corrected]:
    """List the tile that was drawn, and how many of each kind are still in the bag, while the map is built."""
    fits = [
        Option(str(number), _kind(tile))
        for number, tile in enumerate(state.bag.tile)
        if number == state.drawn or geometry.tile_places(state, number)
    ]
    options = (*((Option(NONE, say("none")),) if state.drawn is None else ()), *fits)
    drawn = NONE if state.drawn is None else str(state.drawn)
    group = Group("", THE_BAG)
    yield group.choice("drawn", say("The tile that was drawn"), options, drawn, lambda value: _drawn(state, int(value)))
    for number, tile in enumerate(state.bag.tile if state.phase == "tiles" else ()):
        label, count = say("In the bag: {tile}", tile=_kind(tile)), state.left.count(number)
        yield group.number(f"left.{number}", label, count, partial(_left, state, number), high=MOST_TILES)


def _kind(tile: TileCard) -> Text:
    name = terrain_name(tile.terrain)
    return name if tile.grooves is None else say("{terrain} ({sides})", terrain=name, sides=tile.open_sides)


def _drawn(state: State, number: int) -> State:
    """Say which tile was drawn instead of another, or, once all were in play, that there is one more (PT-18)."""
    if state.drawn is None:
        builder = state.first if len(state.tiles) % 2 == 0 else state.second
        return _room(state, 1).but(phase="tiles", drawn=number, active=builder)
    if number not in state.left:
        return state.but(drawn=number)
    return state.but(drawn=number, left=tuple(sorted((*but(state.left, state.left.index(number)), state.drawn))))


def _left(state: State, number: int, count: int) -> State:
    others = tuple(each for each in state.left if each != number)
    return _room(state.but(left=tuple(sorted((*others, *(number,) * count)))), 0)


def _room(state: State, more: int) -> State:
    """Return the state, if the map has room for all the tiles there are (PT-18)."""
    count = len(state.tiles) + len(state.left) + (state.drawn is not None) + more
    if count > MOST_TILES:
        text = say("That makes {count} tiles; a map has room for {most}.", count=count, most=MOST_TILES)
        raise Refusal(text, "PT-18", "value")
    return state


def _ready(state: State) -> Iterator[Corrected]:
    """List who has said to be ready; only that may be taken back for somebody (PT-11)."""

    def taken_back(seat: Seat, ready: bool) -> State:
        if ready:
            raise Refusal(say("Each player says so himself."), "PT-11", "value")
        return state.but(ready=tuple(each for each in state.ready if each != seat))

    for seat in SEATS:
        label = say("{seat}: the faction is ready", seat=Text(seat))
        yield THE_GAME.yes_no(f"ready.{seat}", label, partial(taken_back, seat), value=seat in state.ready)


def _game(state: State) -> Iterator[Corrected]:
    """List what is counted and decided, as far as the game has come."""
    phases, acting = _phases(state), _acting(state)
    if len(phases) > 1:
        names = {phase: Text(phase) for phase in phases}
        yield THE_GAME.one_of("phase", say("Phase"), names, state.phase, partial(_phase_put, state))
    yield THE_GAME.one_of("first", say("First player"), PLAYERS, state.first, partial(_first_put, state))
    if len(acting) > 1:
        yield THE_GAME.one_of(
            "active", say("Whose turn it is"), PLAYERS, state.active, lambda seat: state.but(active=seat, last=Last())
        )
    if state.phase == "play":
        most = max(MOST_TURNS, state.turn)
        yield THE_GAME.number("turn", say("Turn"), state.turn, lambda turn: state.but(turn=turn), low=1, high=most)
        yield _winner(state)


def _phases(state: State) -> tuple[Phase, ...]:
    """List the phases that the game can go on in: the next one where nothing is missing for it, and the one before."""
    match state.phase:
        case "tiles":
            return ("tiles", "second_base")
        case "setting_out":
            return (*(("second_base",) if state.mirrored else ()), "setting_out", "play")
        case "play":
            return ("setting_out", "play")
        case _:
            return (state.phase,)


def _phase_put(state: State, phase: Phase) -> State:
    """Go on in another phase; before the first turn nobody is captured, and before the second base nobody stands."""
    if phase == "play":
        return state.but(phase="play", turn=1, active=state.first)
    for unit in state.units:
        state = state.gone(unit.id, "reserve")
    state = state.but(phase=phase, turn=0, last=Last())
    if phase == "setting_out":
        return state.but(active=state.first)
    first = {seat: at for seat, at in state.bases.items() if seat == state.first}
    return state.but(bases=first, left=(), drawn=None, active=state.second)


def _first_put(state: State, seat: Seat) -> State:
    """Say who is the first player: until the first turn the base in the south is that player's (PT-14, PT-15)."""
    state = state.but(first=seat)
    if state.phase not in BUILDING:
        return state
    state = state.but(bases={other(owner): at for owner, at in state.bases.items()})
    turns: dict[str, Seat] = {"tiles": other(state.active), "second_base": state.second}
    return state.but(active=turns.get(state.phase, seat))


def _acting(state: State) -> tuple[Seat, ...]:
    """List whose turn it may be: the second base is placed by the second player only."""
    if state.phase == "setting_out":
        return tuple(seat for seat in SEATS if initial_deployment.left(state, seat))
    return (state.second,) if state.phase == "second_base" else SEATS


def _winner(state: State) -> Corrected:
    """Say who won; a game that nobody has won yet goes on where it stood."""

    def put(value: str) -> State:
        nobody = value == NONE
        return state.but(winner=None if nobody else value, how=None, phase=_stood(state) if nobody else "finished")

    names = {NONE: say("nobody yet"), "blue": Text("blue"), "red": Text("red"), "draw": say("a draw")}
    return THE_GAME.one_of("winner", say("Winner"), names, state.winner or NONE, put)


def _stood(state: State) -> Phase:
    """Find the phase in which the game ended: before the first turn somebody gave up."""
    if state.turn:
        return "play"
    if not state.units:
        return "factions"
    if state.drawn is not None:
        return "tiles"
    return "second_base" if state.mirrored and len(state.bases) < len(SEATS) else "setting_out"
