"""Moving, hopping, deploying and passing (PT-26 to PT-30, PT-62, PT-63, PT-A17, PT-A18, PT-A42)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from companion.games.pocket_tactics import geometry, hazards, turn
from companion.games.pocket_tactics.cards import called, does, terrain_name
from companion.games.pocket_tactics.hazards import Fate, Mover, spot_name
from companion.games.pocket_tactics.land import Mirrored, land_around, landed, mover_of, spot_of, terrains
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.state import Last, Place, Seat, State, Unit, UnitId
from companion.games.pocket_tactics.targets import can_assault
from companion.games.pocket_tactics.terrain import Edge, Land, Spot, badge, hazard, known_as, threat
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.hexes import named
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

movement = Chapter[State, Seat]()

WHERE = say("Where to")
ALWAYS = "always"
"""Anybody may pass (``opt.allow_pass``)."""


class Move(Action, frozen=True, tag="move"):
    """Move a unit to an empty tile beside it, over a friend to one beside him, or (``base``) home (PT-27 to PT-30)."""

    unit: UnitId
    to: Place


class Deploy(Action, frozen=True, tag="deploy"):
    """Put a unit of the reserve on an empty tile beside your base (PT-62)."""

    unit: UnitId
    to: Place


class Pass(Action, frozen=True, tag="pass"):
    """Do nothing this turn (PT-A42)."""


@movement.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer a player the moves of the units on the map, those of the reserve, and to pass."""
    if turn.acts(state, seat):
        for unit in state.of(seat, "tile"):
            yield from _moves(state, unit)
        for unit in state.of(seat, "reserve"):
            yield from _deployments(state, unit)
        yield from _passing(state, seat)


def _moves(state: State, unit: Unit) -> Iterator[Offer]:
    """Offer a unit's moves; what it takes to leave its tile is said before (PT-27 to PT-30)."""
    mover, here = mover_of(state, unit), state.terrain(unit)
    places = geometry.destinations(state, unit) if state.mirrored else ("base", *terrains(state))
    to = {place: _terrain(state, place) for place in sorted(places, key=lambda place: place == "base")}
    if not to:
        return
    hint = None
    if state.mirrored:
        warned, each = hazards.leaving_each(mover, here, to, "move")
    else:
        leaving = hazards.leaving_advice(mover, here, to.values(), "move")
        warned, each = (*leaving, *hazards.entering_advice(mover, to.values())), {}
        hint = say("An empty tile beside it, or one hop over a friend away.")
    options = tuple(_destination(state, unit, place, to[place], each.get(place, ())) for place in to)
    label, advice = say("Move: {unit}", unit=state.kind(unit)), (*warned, *_abilities(state, unit))
    where = Field("to", WHERE, "choice", options, hint=hint)
    yield Move.offer(label, where, unit=unit.id, on=unit.id, clause="PT-27", advice=advice)


def _deployments(state: State, unit: Unit) -> Iterator[Offer]:
    """Offer the tiles beside the base to a unit of the reserve (PT-62, PT-63)."""
    places = geometry.landings(state, unit.seat) if state.mirrored else terrains(state)
    if not places:
        return
    options = tuple(Option(terrain, terrain_name(terrain)) for terrain in places)
    if state.mirrored:
        safe = {at: say("not tested now") for at in places if hazard(_terrain(state, at))}
        options = tuple(Option(at, state.place(at), place=at, note=safe.get(at)) for at in places)
    hint = None if state.mirrored else say("An empty tile beside your base, without a hazard test.")
    to = Field("to", WHERE, "choice", options, hint=hint)
    yield Deploy.offer(say("Deploy: {unit}", unit=state.kind(unit)), to, unit=unit.id, on=unit.id, clause="PT-62")


def _passing(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer to pass: to who can do nothing, or to anybody; with the map on the table the players know (PT-A42)."""
    stuck = not can_act(state, seat)
    free = stuck or state.options.allow_pass == ALWAYS
    if free or not state.mirrored:
        warned = () if free else (Reason(say("Only a player who can do nothing passes."), "PT-A42"),)
        yield Pass.offer(say("Pass"), ends=True, main=stuck, aside=not stuck, clause="PT-A42", advice=warned)


def can_act(state: State, seat: Seat) -> bool:
    """Tell whether a player can move, deploy or assault; with the map on the table any unit may (PT-A42)."""
    on_map, reserve = state.of(seat, "tile"), state.of(seat, "reserve")
    if not state.mirrored:
        return bool(on_map or reserve)
    moves = any(geometry.destinations(state, unit) for unit in on_map)
    return moves or bool(reserve and geometry.landings(state, seat)) or can_assault(state, seat)


def _terrain(state: State, place: str) -> str:
    tile = state.tile(place)
    return tile.terrain if tile else "" if place == "base" else place


def _destination(state: State, unit: Unit, place: str, terrain: str, advice: tuple[Reason, ...]) -> Option:
    """Make one place an option: a hazard says what it does to whoever comes, or leaves again; others their square."""
    if place == "base":
        return Option(place, say("Your base: back to reserve"), place=state.bases.get(unit.seat), advice=advice)
    if not state.mirrored:
        return Option(place, terrain_name(place))
    mover, here, note, sign, lost = mover_of(state, unit), state.terrain(unit), None, None, None
    at_once, later = hazards.entry_test(mover, terrain), hazards.exit_test(mover, terrain, "", "move")
    if at_once is not None:
        note, sign = threat(at_once), badge(at_once)
        lost = hazards.risk(mover, Spot(terrain, at=place), land_around(state, unit))
    elif later is not None and known_as(here) == later and hazards.exit_test(mover, here, terrain, "move") is None:
        note = say("no test on the way there")
    elif later is not None:
        note, sign = say("leaving it later: {threat}", threat=threat(later)), badge(later, later=True)
    name = state.place(place) if note else say("{square}", square=place)
    return Option(place, name, place=place, note=note, badge=sign, risk=lost, advice=advice)


def _abilities(state: State, unit: Unit) -> tuple[Reason, ...]:
    """Say how a unit's abilities change its movement: its player sees to that (PT-05, PT-29)."""
    return tuple(
        Reason(say("{ability}: {text}", ability=called(ability.name), text=does(ability.movement_effect)), "PT-29")
        for ability in state.card(unit).ability
        if ability.movement_effect
    )


def ended(before: State, after: State, _seat: Seat, action: Move | Deploy) -> Text:
    """Say where a unit is now."""
    unit, now = before.unit(action.unit), after.unit(action.unit)
    name = before.name(unit)
    if now.where == "captured":
        return say("{unit} is lost (captured)", unit=name)
    if now.where == "reserve":
        return say("{unit} is back in reserve", unit=name)
    if (now.at, now.terrain) == (unit.at, unit.terrain):
        return say("{unit} stays where it is", unit=name)
    return say("{unit} → {place}", unit=name, place=after.place(now.at or now.terrain or ""))


@movement.rule(Move, headline=ended)
def move(state: State, seat: Seat, action: Move, ask: Ask) -> State:
    """Move a unit; whatever comes of it, its player's turn is over (PT-25, PT-27 to PT-30)."""
    unit = turn.check(state, seat, action.unit)
    if unit.where != "tile":
        raise Refusal(say("{unit} is not on the map.", unit=state.name(unit)), "PT-27", "unit")
    there, hop = _step(state, unit, action.to, ask) if state.mirrored else (_told(state, action.to), None)
    fate = moved(mover_of(state, unit), spot_of(state, unit), there, land_around(state, unit), ask, hop)
    return turn.spent(landed(state, unit, fate).but(last=Last(unit.id, came_from=unit.at)), ask)


def _step(state: State, unit: Unit, to: str, ask: Ask) -> tuple[Edge | Spot, Hop | None]:
    """Find what a place of the mirrored map is to a unit, and what it hops over to get there (PT-27, PT-28)."""
    at = state.bases[unit.seat] if to == "base" else to
    if at not in geometry.in_play(state).values():
        return "void", None
    land, here = Mirrored(state, unit), spot_of(state, unit)
    start, end = named(here.at), named(at)
    if start == end:
        raise Refusal(say("It stands there already."), "PT-27", "to")
    if over := state.tile(geometry.ways(state, unit).get(at)):
        straight = named(over.at).beyond(start.towards(named(over.at))) == end
        return land.lies(end), Hop("ally", over.terrain, straight=straight)
    if start.apart(end) > 1:
        raise Refusal(say("That is neither beside it nor one hop over a friend away."), "PT-28", "to")
    return land.beyond(here, start.towards(end), ask), None


def _told(state: State, to: str) -> Edge | Spot:
    """Read what the players say where the map lies on the table: a terrain, or ``base``."""
    if to == "base":
        return "own_base"
    if known_as(to) not in terrains(state):
        raise Refusal(say("There is no such terrain."), "PT-27", "to")
    return Spot(known_as(to))


class Hop(NamedTuple):
    """What is hopped over: how many tiles of which terrain, who stands there, and whether it leads straight on."""

    held_by: Literal["ally", "enemy"] | None = "ally"
    terrain: str = ""
    tiles: int = 1
    straight: bool = True


def moved(mover: Mover, start: Spot, to: Edge | Spot, land: Land, ask: Ask, hop: Hop | None = None) -> Fate:
    """Move a unit to a tile or its own base, over a friend or not; else raise Refusal (PT-27 to PT-30, PT-72)."""
    if hop is not None:
        _check_hop(mover.options, hop)
    refuse(BARRED.get(to.held_by if isinstance(to, Spot) else to), "to")
    if stopped := hazards.leaving(mover, start, to.terrain if isinstance(to, Spot) else "", "move", land, ask):
        return stopped
    if hop is not None:
        ask.tell(say("{unit} hops over a friend", unit=mover.name), "PT-28", marks=mover.marks)
        if hazard(hop.terrain):
            ask.tell(say("The tile below does nothing: {terrain}", terrain=terrain_name(hop.terrain)), "PT-72")
    if not isinstance(to, Spot):
        ask.tell(say("{unit} moves to its own base: back to reserve", unit=mover.name), "PT-30", marks=mover.marks)
        return Fate("reserve")
    ask.tell(say("{unit} → {place}", unit=mover.name, place=spot_name(to)), "PT-27", marks=mover.marks)
    return hazards.entering(mover, to, land, ask)


BARRED: dict[str | None, Reason] = {
    "void": Reason(say("There is no tile."), "PT-27"),
    "wall": Reason(say("A tunnel wall is in the way: there is no groove."), "PT-81"),
    "enemy_base": Reason(say("The enemy base is assaulted; nobody moves there."), "PT-66"),
    "enemy": Reason(say("An enemy stands there: that is an assault."), "PT-26"),
    "ally": Reason(say("A friend stands there; a tile holds one unit."), "PT-26"),
}
"""Where a unit may not move to: what is no tile, and who stands on one."""


def _check_hop(options: Options, hop: Hop) -> None:
    """Raise Refusal for a hop that is none: over one friend, straight on with the option (PT-28, PT-A18)."""
    if hop.held_by != "ally":
        raise Refusal(say("Units hop over friends only."), "PT-28", "to")
    if hop.tiles != 1:
        raise Refusal(say("A unit hops over one tile in a move."), "PT-A18", "to")
    if options.hop_straight_only and not hop.straight:
        raise Refusal(say("At this table hops go straight on."), "PT-A18", "to")


@movement.rule(Deploy, headline=ended)
def deploy(state: State, seat: Seat, action: Deploy, ask: Ask) -> State:
    """Put a unit of the reserve on the map (PT-62)."""
    unit, to = turn.check(state, seat, action.unit), action.to
    if state.mirrored:
        tile = state.tile(to)
        there: Edge | Spot = Mirrored(state, unit).spot(tile) if tile else "void"
        beside = to in geometry.around(state, state.bases[seat])
    else:
        there, beside = _told(state, to), True
    if not isinstance(there, Spot):
        raise Refusal(say("That is no tile beside your base."), "PT-62", "to")
    fate = deployed(mover_of(state, unit), there, ask, in_reserve=unit.where == "reserve", beside_base=beside)
    return turn.spent(landed(state, unit, fate).but(last=Last(unit.id)), ask)


def deployed(mover: Mover, to: Spot, ask: Ask, *, in_reserve: bool, beside_base: bool) -> Fate:
    """Put a unit of the reserve on a tile beside its base, without a test; raise Refusal else (PT-62, PT-63)."""
    if not in_reserve:
        raise Refusal(say("{unit} is not in reserve.", unit=mover.name), "PT-62", "unit")
    if not beside_base:
        raise Refusal(say("That is no tile beside your base."), "PT-62", "to")
    if to.held_by is not None:
        raise Refusal(say("A unit stands there; a tile holds one."), "PT-26", "to")
    comes = say("{unit} comes onto the map: {place}", unit=mover.name, place=spot_name(to))
    ask.tell(comes, "PT-62", marks=mover.marks)
    if hazard(to.terrain):
        ask.tell(say("A unit that deploys is not tested"), "PT-63")
    return Fate("there", to)


@movement.rule(Pass, says=lambda _, seat, _action: say("{side} passes", side=Text(seat)))
def do_nothing(state: State, seat: Seat, _action: Pass, ask: Ask) -> State:
    """Let a player do nothing who can do nothing; with the map on the table the players see to that (PT-A42)."""
    turn.check_acting(state, seat)
    if state.mirrored and can_act(state, seat) and state.options.allow_pass != ALWAYS:
        raise Refusal(say("You can still move, assault or deploy: you pass only when you can do nothing."), "PT-A42")
    ask.tell(say("{side} passes", side=Text(seat)), "PT-A42")
    return turn.spent(state.but(last=Last()), ask)
