"""Terrain cards: laid for what was bid before the battle, or for AP where a scenario says so (G2-46 to G2-51)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import points, turn
from companion.games.tactics_2gm.pieces import Ground
from companion.games.tactics_2gm.sides import in_line, other, side_of
from companion.games.tactics_2gm.speech import called, ground, unit
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm import actions as do
    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask

LINES = (2, 3)
"""Where a side's terrain lies, as it counts them (G2-47)."""


def begin(state: State, ask: Ask) -> State:
    """Let the sides lay terrain for what they bid, the one that starts first (G2-46, G2-A13)."""
    order = (state.first, other(state.first))
    for side in order:
        if state.budget.get(side) and not _can_buy(state, side):
            state = _lose(state, side, ask)
    laying = tuple(side for side in order if state.budget.get(side))
    return state.but(phase="terrain", laying=laying, ready=())


def _can_buy(state: State, side: Side) -> bool:
    return any(barred(state, side, kind) is None for kind in range(len(state.terrain_deck.terrain)))


def _lose(state: State, side: Side, ask: Ask) -> State:
    """End what a side may spend on terrain: the rest is lost (G2-A13)."""
    left = state.budget.get(side, 0)
    if left:
        ask.tell(say("{side}: {left} not spent on terrain, and lost", side=Text(side), left=left), "G2-A13")
    return state.but(budget={**state.budget, side: 0})


def end_laying(state: State, seat: Seat, ask: Ask) -> State:
    """End a side's laying; the other side is next (G2-A13)."""
    side = _check_laying(state, seat)
    ask.tell(say("{side}: the terrain lies", side=Text(side)), "G2-46")
    return _lose(state, side, ask).but(laying=state.laying[1:])


def _check_laying(state: State, seat: Seat) -> Side:
    """Return the side that lays terrain; refuse who does not lead it (G2-151, G2-A13)."""
    if state.phase != "terrain" or not state.laying:
        raise Refusal(say("Terrain is laid after the bid, before the first hands."), "G2-46")
    side = state.laying[0]
    if side_of(seat) != side:
        raise Refusal(say("First the other side lays its terrain."), "G2-A13")
    if seat != state.leader(side):
        raise Refusal(say("The field marshal lays the terrain."), "G2-151")
    return side


def left(state: State, kind: int) -> int:
    """Count the copies of a terrain card that are still in the deck: what is destroyed does not go back (G2-126)."""
    return max(0, state.terrain_deck.terrain[kind].count - state.laid.count(kind))


def barred(state: State, side: Side, kind: int) -> Reason | None:
    """Say why a side can not lay a terrain card for its bid; None when it can (G2-48, G2-124)."""
    if not left(state, kind):
        return Reason(say("There is none left in the terrain deck."), "G2-124")
    cost, have = state.terrain_deck.terrain[kind].cost, state.budget.get(side, 0)
    if cost > have:
        return Reason(say("It costs {cost}; left of the bid: {left}.", cost=cost, left=have), "G2-48")
    return None


def not_here(state: State, side: Side, place: str) -> Reason | None:
    """Say why terrain can not go on a square; None when it can (G2-47, G2-A13)."""
    if not any(place in in_line(state.options, side, line) for line in LINES):
        return Reason(say("Terrain goes on your second and third line."), "G2-47")
    if state.ground_at(place) is not None:
        return Reason(say("There is terrain on {square} already.", square=place), "G2-A13")
    if state.at(place) is not None:
        return Reason(say("A unit stands on {square}.", square=place), "G2-A13")
    return None


def free(state: State, side: Side) -> tuple[str, ...]:
    """List the squares on which a side may lay terrain (G2-47)."""
    zone = (place for line in LINES for place in in_line(state.options, side, line))
    return tuple(place for place in zone if not_here(state, side, place) is None)


def place(state: State, seat: Seat, action: do.PlaceTerrain, ask: Ask) -> State:
    """Lay a terrain card (G2-46 to G2-51)."""
    if state.begun:
        return _place_in_play(state, seat, action, ask)
    side = _check_laying(state, seat)
    _check(state, side, action)
    short = barred(state, side, action.terrain)
    if short is not None:
        raise Refusal(short.text, short.clause, "terrain")
    cost = state.terrain_deck.terrain[action.terrain].cost
    remains = state.budget[side] - cost
    state = _lay(state, side, action)
    ask.tell(
        say("{terrain}: laid; left of the bid: {left}", terrain=ground(state, state.grounds[-1]), left=remains),
        "G2-46",
        -cost,
    )
    return state.but(budget={**state.budget, side: remains})


def not_in_play(state: State) -> Reason | None:
    """Say why no terrain may be laid once the battle has begun; None in a scenario that allows it (G2-49, G2-51)."""
    if state.scenario is None:
        return Reason(say("Once the battle has begun no terrain is laid."), "G2-49")
    if not state.scenario.terrain_in_play:
        return Reason(say("This scenario allows no terrain once it has begun."), "G2-51")
    return None


def barred_in_play(state: State, seat: Seat, kind: int) -> Reason | None:
    """Say why a player can not lay a terrain card for AP; None when he can (G2-51, G2-124)."""
    if not left(state, kind):
        return Reason(say("There is none left in the terrain deck."), "G2-124")
    return points.short_of(state, seat, state.terrain_deck.terrain[kind].cost, "G2-51")


def _place_in_play(state: State, seat: Seat, action: do.PlaceTerrain, ask: Ask) -> State:
    """Lay terrain in the deployment phase of a scenario that allows it, for its cost in AP (G2-51)."""
    never = not_in_play(state)
    if never is not None:
        raise Refusal(never.text, never.clause)
    turn.check_phase(state, seat, "deployment")
    side = side_of(seat)
    _check(state, side, action)
    short = barred_in_play(state, seat, action.terrain)
    if short is not None:
        raise Refusal(short.text, short.clause, "terrain")
    card = state.terrain_deck.terrain[action.terrain]
    state = points.spend(state, seat, card.cost, called(card.name), "G2-51", ask, "terrain")
    return _lay(state, side, action)


def _check(state: State, side: Side, action: do.PlaceTerrain) -> None:
    if action.terrain >= len(state.terrain_deck.terrain):
        raise Refusal(say("There is no such card in the terrain deck."), "G2-124", "terrain")
    if not state.mirrored:
        if action.to is not None:
            raise Refusal(say("At this table only the real battlefield knows where things are."), "G2-38", "to")
        if full(state, side):
            raise Refusal(say("There is no free square left."), "G2-A13", "terrain")
        return
    if action.to is None:
        raise Refusal(say("On which square?"), "G2-47", "to")
    never = not_here(state, side, action.to)
    if never is not None:
        raise Refusal(never.text, never.clause, "to")


def _lay(state: State, side: Side, action: do.PlaceTerrain) -> State:
    card, made = state.terrain_deck.terrain[action.terrain], state.made + 1
    laid = Ground(f"g{made}", action.terrain, side, action.to, card.pi if card.building else 0)
    return state.but(grounds=(*state.grounds, laid), laid=(*state.laid, action.terrain), made=made)


def take(state: State, seat: Seat, action: do.TakeTerrain, ask: Ask) -> State:
    """Take back terrain that was just laid, before saying that it lies (G2-46)."""
    side = _check_laying(state, seat)
    found = next((one for one in own(state, side) if one.id == action.ground), None)
    if found is None:
        raise Refusal(say("You have laid no such terrain."), "G2-46", "ground")
    cost = state.terrain(found).cost
    have = state.budget[side] + cost
    ask.tell(
        say("{terrain}: taken back; left of the bid: {left}", terrain=ground(state, found), left=have), "G2-46", cost
    )
    laid = list(state.laid)
    if found.kind in laid:
        laid.remove(found.kind)
    grounds = tuple(one for one in state.grounds if one.id != found.id)
    return state.but(grounds=grounds, laid=tuple(laid), budget={**state.budget, side: have})


def own(state: State, side: Side) -> tuple[Ground, ...]:
    """List the terrain that a side has laid."""
    return tuple(one for one in state.grounds if one.owner == side)


def full(state: State, side: Side) -> bool:
    """Tell whether all squares of a side's zone hold terrain (G2-47, G2-A13)."""
    return len(own(state, side)) >= len(LINES) * state.options.columns


def stays(state: State, one: Ground) -> Reason | None:
    """Say why a terrain is not simply destroyed; None for what is no building (G2-128, G2-137)."""
    if one.ruin:
        return Reason(say("A ruin stays to the end."), "G2-137")
    if state.terrain(one).building:
        return Reason(say("A building is not taken off: without impact points it is a ruin."), "G2-128")
    return None


def clear(state: State, action: do.ClearTerrain, ask: Ask) -> State:
    """Take terrain that the players say is destroyed off the battlefield, for good (G2-22, G2-126, G2-128)."""
    turn.check_begun(state)
    found = state.ground(action.ground)
    if found is None:
        raise Refusal(say("There is no such terrain on the battlefield."), "G2-22", "ground")
    never = stays(state, found)
    if never is not None:
        raise Refusal(never.text, never.clause, "ground")
    inside = state.occupant(found)
    ask.tell(say("{terrain}: destroyed, and taken off the battlefield", terrain=ground(state, found)), "G2-128")
    ask.tell(say("It is not used again."), "G2-126")
    if inside is not None:
        ask.tell(say("{unit} stands in the open", unit=unit(state, inside)), "G2-125")
    return remove(state, found)


def remove(state: State, one: Ground) -> State:
    """Take terrain off the battlefield: who stood in it stands in the open then (G2-125)."""
    for held in state.units:
        if held.inside == one.id:
            state = state.with_unit(held.id, inside=None)
    return state.but(grounds=tuple(left for left in state.grounds if left.id != one.id))
