"""Terrain: cards laid for what was bid, or for AP where a scenario says so; who stands in them; natural features.

G2-41, G2-46 to G2-51, G2-124 to G2-129 and G2-A13.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.tactics_2gm import players, speech
from companion.games.tactics_2gm.cards import Class
from companion.games.tactics_2gm.options import Seat, Side, in_line, other, side_of
from companion.games.tactics_2gm.players import Id, Number, Square
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import Ground, State, Unit
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import Option, square_options
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

terrain = Chapter[State, Seat]()
HOME_LINES = (2, 3)
"""Where a side's terrain lies, as it counts them (G2-47)."""


class PlaceTerrain(Action, frozen=True, tag="place_terrain"):
    """Lay a terrain card of the terrain deck (G2-46 to G2-48); without a square on a table that is not mirrored."""

    terrain: Number
    to: Square | None = None


class TakeTerrain(Action, frozen=True, tag="take_terrain"):
    """Take back a terrain card that you have just laid, before the battle begins."""

    ground: Id


class ClearTerrain(Action, frozen=True, tag="clear_terrain"):
    """Say that a terrain card that is no building is destroyed, which takes it off the battlefield (G2-128)."""

    ground: Id


class Stand(Action, frozen=True, tag="stand"):
    """Say in which terrain a unit stands, where only the real battlefield knows (G2-125)."""

    unit: Id
    ground: Id | None = None


@terrain.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer to lay terrain and to take it back before the battle, and in it what a scenario allows (G2-51).

    Everybody may say that terrain is destroyed; buildings fall by fire alone (G2-128).
    """
    side = side_of(seat)
    if state.phase == "terrain" and state.laying[:1] == (side,) and seat == state.leader(side):
        offered = tuple(_laying(state, seat, say("Lay terrain"), "G2-46"))
        yield from offered
        if laid := own(state, side):
            # Aside as long as more can be laid: what is tapped again and again keeps its place on the page.
            again = bool(offered)
            yield TakeTerrain.offer(say("Take terrain back"), _which(state, laid), clause="G2-46", aside=again)
    if state.phase == "deployment" and players.acts(state, seat) and not_in_play(state) is None:
        yield from _laying(state, seat, say("Lay terrain for AP"), "G2-51")
    lying = tuple(ground for ground in state.grounds if stays(state, ground) is None) if state.begun else ()
    if lying:
        label = say("This terrain is destroyed")
        yield ClearTerrain.offer(label, _which(state, lying), grave=True, aside=True, clause="G2-128")


def _which(state: State, grounds: tuple[Ground, ...]) -> Field:
    options = tuple(Option(ground.id, speech.ground(state, ground), place=ground.square) for ground in grounds)
    return Field("ground", say("Terrain"), "choice", options)


def _laying(state: State, seat: Seat, label: Text, clause: str) -> Iterator[Offer]:
    options = tuple(
        Option(str(at), say("{terrain} ({cost})", terrain=called(card.name), cost=card.cost), barred(state, seat, at))
        for at, card in enumerate(state.terrain_deck.terrain)
    )
    side = side_of(seat)
    where = free(state, side)
    if all(option.barred for option in options) or (state.mirrored and not where) or full(state, side):
        return
    to = [Field("to", say("Square"), "choice", square_options(where))] if state.mirrored else []
    yield PlaceTerrain.offer(label, Field("terrain", say("Terrain"), "choice", options), *to, clause=clause)


def begin(state: State, ask: Ask) -> State:
    """Let the sides lay terrain for what they bid, the one that starts first (G2-46, G2-A13)."""
    order, kinds = (state.first, other(state.first)), range(len(state.terrain_deck.terrain))
    for side in order:
        if state.budget.get(side) and all(barred(state, state.leader(side), kind) for kind in kinds):
            state = _lose(state, side, ask)
    return state.but(phase="terrain", laying=tuple(side for side in order if state.budget.get(side)), ready=())


def _lose(state: State, side: Side, ask: Ask) -> State:
    """End what a side may spend on terrain: the rest is lost (G2-A13)."""
    if left := state.budget.get(side, 0):
        ask.tell(say("{side}: {left} not spent on terrain, and lost", side=Text(side), left=left), "G2-A13")
    return state.but(budget={**state.budget, side: 0})


def end_laying(state: State, seat: Seat, ask: Ask) -> State:
    """End a side's laying; the other side is next (G2-A13)."""
    side = _check_laying(state, seat)
    ask.tell(say("{side}: the terrain is laid", side=Text(side)), "G2-46")
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


def barred(state: State, seat: Seat, kind: int) -> Reason | None:
    """Say why a player can not lay a terrain card; None when he can (G2-48, G2-51, G2-124).

    Before the battle it is paid with what is left of the side's bid, in it with his AP.
    """
    if not left(state, kind):
        return Reason(say("There is none left in the terrain deck."), "G2-124")
    cost, have = state.terrain_deck.terrain[kind].cost, state.budget.get(side_of(seat), 0)
    if state.begun:
        return players.short_of(state, seat, cost, "G2-51")
    if cost > have:
        return Reason(say("It costs {cost}; left of the bid: {left}.", cost=cost, left=have), "G2-48")
    return None


def zone(state: State, side: Side) -> tuple[str, ...]:
    """List the squares where a side's terrain lies (G2-47)."""
    return tuple(place for line in HOME_LINES for place in in_line(state.options, side, line))


def not_here(state: State, side: Side, place: str) -> Reason | None:
    """Say why terrain can not go on a square; None when it can (G2-47, G2-A13)."""
    if place not in zone(state, side):
        return Reason(say("Terrain goes on your second and third line."), "G2-47")
    if state.ground_at(place) is not None:
        return Reason(say("There is terrain on {square} already.", square=place), "G2-A13")
    if state.at(place) is not None:
        return Reason(say("A unit stands on {square}.", square=place), "G2-A13")
    return None


def free(state: State, side: Side) -> tuple[str, ...]:
    """List the squares on which a side may lay terrain (G2-47)."""
    return tuple(place for place in zone(state, side) if not_here(state, side, place) is None)


def _laid(_before: State, after: State, seat: Seat, _action: PlaceTerrain) -> Text:
    return say("{seat}: {what} on the battlefield", seat=Text(seat), what=speech.ground(after, after.grounds[-1]))


@terrain.rule(PlaceTerrain, headline=_laid)
def place(state: State, seat: Seat, action: PlaceTerrain, ask: Ask) -> State:
    """Lay a terrain card for what was bid, or for AP where a scenario allows it in the battle (G2-46 to G2-51)."""
    side = side_of(seat)
    if state.begun:
        refuse(not_in_play(state))
        players.check_phase(state, seat, "deployment")
    else:
        _check_laying(state, seat)
    _check(state, side, action)
    refuse(barred(state, seat, action.terrain), "terrain")
    card = state.terrain_deck.terrain[action.terrain]
    if state.begun:
        state = players.spend(state, seat, card.cost, called(card.name), "G2-51", ask, "terrain")
        return lay(state, side, action.terrain, action.to)
    remains = state.budget[side] - card.cost
    state = lay(state, side, action.terrain, action.to)
    name = speech.ground(state, state.grounds[-1])
    ask.tell(say("{terrain}: laid; left of the bid: {left}", terrain=name, left=remains), "G2-46", -card.cost)
    return state.but(budget={**state.budget, side: remains})


def not_in_play(state: State) -> Reason | None:
    """Say why no terrain may be laid once the battle has begun; None in a scenario that allows it (G2-49, G2-51)."""
    if state.scenario is None:
        return Reason(say("Once the battle has begun no terrain is laid."), "G2-49")
    if not state.scenario.terrain_in_play:
        return Reason(say("This scenario allows no terrain once it has begun."), "G2-51")
    return None


def _check(state: State, side: Side, action: PlaceTerrain) -> None:
    """Refuse a card that is not in the deck, and a square where it can not lie."""
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
    refuse(not_here(state, side, action.to), "to")


def lay(state: State, side: Side, kind: int, square: str | None) -> State:
    """Put a terrain card on the battlefield."""
    card, made = state.terrain_deck.terrain[kind], state.made + 1
    laid = Ground(f"g{made}", kind, side, square, card.pi if card.building else 0)
    return state.but(grounds=(*state.grounds, laid), laid=(*state.laid, kind), made=made)


@terrain.rule(TakeTerrain, says=lambda _, seat, _action: say("{seat}: terrain picked up", seat=Text(seat)))
def take(state: State, seat: Seat, action: TakeTerrain, ask: Ask) -> State:
    """Take back terrain that was just laid, before saying that it lies (G2-46)."""
    side = _check_laying(state, seat)
    ground = next((each for each in own(state, side) if each.id == action.ground), None)
    if ground is None:
        raise Refusal(say("You have laid no such terrain."), "G2-46", "ground")
    cost = state.terrain(ground).cost
    have = state.budget[side] + cost
    said = say("{terrain}: picked up; left of the bid: {left}", terrain=speech.ground(state, ground), left=have)
    ask.tell(said, "G2-46", cost)
    laid = list(state.laid)
    if ground.kind in laid:
        laid.remove(ground.kind)
    return remove(state, ground).but(laid=tuple(laid), budget={**state.budget, side: have})


def own(state: State, side: Side) -> tuple[Ground, ...]:
    """List the terrain that a side has laid."""
    return tuple(ground for ground in state.grounds if ground.owner == side)


def full(state: State, side: Side) -> bool:
    """Tell whether all squares of a side's zone hold terrain (G2-47, G2-A13)."""
    return len(own(state, side)) >= len(zone(state, side))


def stays(state: State, ground: Ground) -> Reason | None:
    """Say why a terrain is not simply destroyed; None for what is no building (G2-128, G2-137)."""
    if ground.ruin:
        return Reason(say("A ruin stays to the end."), "G2-137")
    if state.terrain(ground).building:
        return Reason(say("A building is not taken off: without impact points it is a ruin."), "G2-128")
    return None


@terrain.rule(
    ClearTerrain,
    says=lambda state, seat, action: say(
        "{seat}: {what} is destroyed", seat=Text(seat), what=speech.named(state, action.ground)
    ),
)
def clear(state: State, _seat: Seat, action: ClearTerrain, ask: Ask) -> State:
    """Take terrain that the players say is destroyed off the battlefield, for good (G2-22, G2-126, G2-128)."""
    players.check_begun(state)
    ground = state.ground(action.ground)
    if ground is None:
        raise Refusal(say("There is no such terrain on the battlefield."), "G2-22", "ground")
    refuse(stays(state, ground), "ground")
    inside = state.occupant(ground)
    ask.tell(say("{terrain}: destroyed, and taken off the battlefield", terrain=speech.ground(state, ground)), "G2-128")
    ask.tell(say("It is not used again."), "G2-126")
    if inside is not None:
        ask.tell(say("{unit} stands in the open", unit=speech.unit(state, inside)), "G2-125")
    return remove(state, ground)


def remove(state: State, ground: Ground) -> State:
    """Take terrain off the battlefield: who stood in it stands in the open then (G2-125)."""
    for unit in state.units:
        if unit.inside == ground.id:
            state = state.with_unit(unit.id, inside=None)
    return state.but(grounds=tuple(each for each in state.grounds if each.id != ground.id))


def class_at(state: State, square: str) -> Class:
    """Return what a square is like to enter: its terrain card and its natural feature, the worse of both (G2-127)."""
    ground, natural = state.ground_at(square), state.natural.get(square)
    classes = {class_of(state, ground) if ground else "normal", natural.class_ if natural else "normal"}
    return "impassable" if "impassable" in classes else "difficult" if "difficult" in classes else "normal"


def class_of(state: State, ground: Ground) -> Class:
    """Return what a terrain card is like to enter; a ruin is difficult (G2-137)."""
    return "difficult" if ground.ruin else state.terrain(ground).class_


def standing(state: State, unit: Unit, *, aside: bool) -> Iterator[Offer]:
    """Offer a unit the terrain that it may stand in, and the open (G2-125)."""
    who = speech.unit(state, unit)
    free = tuple(
        Option(ground.id, speech.ground(state, ground))
        for ground in state.grounds
        if state.occupant(ground) is None and class_of(state, ground) != "impassable"
    )
    if free:
        field = Field("ground", say("In which terrain"), "choice", free)
        label = say("Stands in terrain: {unit}", unit=who)
        yield Stand.offer(label, field, on=unit.id, unit=unit.id, clause="G2-125", aside=aside)
    if unit.inside is not None:
        label = say("Stands in the open: {unit}", unit=who)
        yield Stand.offer(label, on=unit.id, unit=unit.id, clause="G2-125", aside=aside)


@terrain.rule(
    Stand, says=lambda state, _, action: say("{unit} stands in another place", unit=speech.card_of(state, action.unit))
)
def stand(state: State, seat: Seat, action: Stand, ask: Ask) -> State:
    """Note in which terrain a unit stands, where only the real battlefield knows (G2-125)."""
    players.check_begun(state)
    unit = players.check_own(state, seat, action.unit)
    if state.mirrored:
        raise Refusal(say("Companion knows where it stands: move it."), "G2-125", "ground")
    if state.flies(unit):
        raise Refusal(say("An aircraft stays beside its headquarters."), "G2-139", "unit")
    who = speech.unit(state, unit)
    if action.ground is None:
        ask.tell(say("{unit} stands in the open", unit=who), "G2-125")
        return state.with_unit(unit.id, inside=None)
    ground = state.ground(action.ground)
    if ground is None:
        raise Refusal(say("There is no such terrain on the battlefield."), "G2-125", "ground")
    what = speech.ground(state, ground)
    if class_of(state, ground) == "impassable":
        raise Refusal(say("{terrain} is impassable.", terrain=what), "G2-127", "ground")
    holder = state.occupant(ground)
    if holder is not None and holder.id != unit.id:
        raise Refusal(say("{unit} stands there.", unit=speech.unit(state, holder)), "G2-85", "ground")
    ask.tell(say("{unit} stands in {terrain}", unit=who, terrain=what), "G2-125")
    return state.with_unit(unit.id, inside=ground.id)
