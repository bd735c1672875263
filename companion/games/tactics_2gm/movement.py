"""Movement: moves, changing places, where a unit stands, and taking a move back (G2-82 to G2-86, G2-125)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.tactics_2gm import actions as do
from companion.games.tactics_2gm import assault, paths, speech, tokens, turn
from companion.games.tactics_2gm.pieces import Last
from companion.games.tactics_2gm.sides import distance, grid
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.pieces import Unit
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask
    from companion.kit.text import Text

TO = say("To which square")


def rule(state: State, seat: Seat, action: do.Moving, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    match action:
        case do.Move():
            return _move(state, seat, action, ask)
        case do.TakeBack():
            return _take_back(state, seat, action.unit, ask)
        case do.Stand():
            return _stand(state, seat, action, ask)
        case do.Assault():
            return assault.rule(state, seat, action, ask)


def _move(state: State, seat: Seat, action: do.Move, ask: Ask) -> State:
    """Move a unit, or two that change places; on a table that is not mirrored only note it (G2-82 to G2-86)."""
    turn.check_phase(state, seat, "movement", "deployment")
    unit = turn.check_own(state, seat, action.unit)
    if state.phase != _phase_of_moves(state, unit):
        turn.check_phase(state, seat, "movement")
    why = paths.barred(state, unit)
    if why is not None:
        raise Refusal(why.text, why.clause, "unit")
    if not state.mirrored:
        return _move_on_the_table(state, unit, action, ask)
    path = _path(state, unit, action)
    orders = [paths.Order(unit.id, path)]
    friend = state.at(path[-1])
    if friend is not None and friend.id != unit.id and action.swap:
        orders.append(_way_of_the_other(state, unit, friend))
    for name, end in paths.move_together(state, orders).items():
        one = state.unit(name)
        ask.tell(
            say("{unit} moved to {square}", unit=speech.unit(state, one), square=end or ""),
            "G2-82",
            marks=((name, "acting"),),
        )
    moved = {order.unit: order.path[-1] for order in orders}
    units = tuple(_moved(one, moved[one.id]) if one.id in moved else one for one in state.units)
    return state.but(units=units, last=Last(unit.square, path[-1]))


def _moved(unit: Unit, to: str) -> Unit:
    return replace(unit, square=to, came_from=unit.square, moved=True)


def _phase_of_moves(state: State, unit: Unit) -> str:
    """Return the phase in which a unit moves: one that moves at once, as soon as it is deployed (G2-95)."""
    return "deployment" if unit.deployed == state.turn and state.card(unit).moves_at_once else "movement"


def _move_on_the_table(state: State, unit: Unit, action: do.Move, ask: Ask) -> State:
    if action.to is not None or action.path is not None or action.swap:
        raise Refusal(say("At this table only the real battlefield knows where units stand."), "G2-38", "to")
    ask.tell(say("{unit} moved", unit=speech.unit(state, unit)), "G2-82", marks=((unit.id, "acting"),))
    return state.with_unit(unit.id, moved=True)


def _path(state: State, unit: Unit, action: do.Move) -> tuple[str, ...]:
    """Return the squares that a move enters: those named, or a cheapest way to where it ends."""
    if action.path is not None:
        if action.to not in {None, action.path[-1]}:
            raise Refusal(say("The way leads to {square}.", square=action.path[-1]), "G2-82", "path")
        if action.path[-1] == unit.square:
            raise Refusal(say("It stands there already."), "G2-83", "path")
        return action.path
    to = action.to
    if to is None or to not in grid(state.options):
        raise Refusal(say("There is no square {square} on the battlefield.", square=to or "–"), "G2-38", "to")
    if to == unit.square:
        raise Refusal(say("It stands there already."), "G2-83", "to")
    found = paths.ways(state, unit).get(to)
    if found is not None:
        return found
    holder = state.at(to)
    if holder is not None and holder.side != unit.side:
        raise Refusal(say("{enemy} stands there.", enemy=speech.unit(state, holder)), "G2-86", "to")
    if paths.class_at(state, to) == "impassable":
        raise Refusal(say("{square} is impassable.", square=to), "G2-127", "to")
    reach = tokens.movement(state, unit)
    if distance(unit.square or to, to) > reach:
        raise Refusal(
            say(
                "{square} is {distance} squares away; this unit moves {reach}.",
                square=to,
                distance=distance(unit.square or to, to),
                reach=reach,
            ),
            "G2-58",
            "to",
        )
    raise Refusal(say("No way that is short enough leads to {square}.", square=to), "G2-86", "to")


def _way_of_the_other(state: State, unit: Unit, friend: Unit) -> paths.Order:
    """Return the move of the unit that changes places with another (G2-A23)."""
    if friend.seat != unit.seat:
        raise Refusal(say("Each player acts with his own units."), "G2-155", "swap")
    why = paths.barred(state, friend)
    if why is not None:
        raise Refusal(why.text, why.clause, "swap")
    found = paths.ways(state, friend).get(unit.square or "")
    if found is None:
        raise Refusal(
            say("{unit} can not move as far as {square}.", unit=speech.unit(state, friend), square=unit.square or ""),
            "G2-58",
            "swap",
        )
    return paths.Order(friend.id, found)


def can_take_back(state: State, unit: Unit) -> bool:
    """Tell whether a move of this phase can be undone without touching anything else."""
    if state.phase != _phase_of_moves(state, unit) or not unit.moved or unit.fired or unit.assaulted:
        return False
    if not state.mirrored:
        return True
    return unit.came_from is not None and (state.at(unit.came_from) is None or _swapped(state, unit) is not None)


def _swapped(state: State, unit: Unit) -> Unit | None:
    """Return the unit that changed places with another, as long as nothing came of that."""
    one = state.at(unit.came_from)
    if one is None or one.id == unit.id or one.came_from != unit.square or one.seat != unit.seat:
        return None
    return None if one.fired or one.assaulted else one


def _take_back(state: State, seat: Seat, name: str, ask: Ask) -> State:
    """Put a unit back where it began its move, and the one that changed places with it."""
    turn.check_acting(state, seat)
    unit = turn.check_own(state, seat, name)
    if not can_take_back(state, unit):
        raise Refusal(say("That move can not be taken back by itself any more."), "G2-82", "unit")
    other = _swapped(state, unit)
    back = {one.id: one.came_from for one in (unit, other) if one is not None}
    for one in (unit, other):
        if one is not None:
            ask.tell(_back_to(state, one), "G2-82", marks=((one.id, "acting"),))
    units = tuple(
        replace(one, square=back[one.id], came_from=None, moved=False) if one.id in back else one for one in state.units
    )
    return state.but(units=units, last=None)


def _back_to(state: State, unit: Unit) -> Text:
    who = speech.unit(state, unit)
    if unit.came_from is None:
        return say("{unit} went back", unit=who)
    return say("{unit} went back to {square}", unit=who, square=unit.came_from)


def _stand(state: State, seat: Seat, action: do.Stand, ask: Ask) -> State:
    """Note in which terrain a unit stands, where only the real battlefield knows (G2-125)."""
    turn.check_begun(state)
    unit = turn.check_own(state, seat, action.unit)
    if state.mirrored:
        raise Refusal(say("Companion knows where it stands: move it."), "G2-125", "ground")
    if state.flies(unit):
        raise Refusal(say("An aircraft stays beside its headquarters."), "G2-139", "unit")
    if action.ground is None:
        ask.tell(say("{unit} stands in the open", unit=speech.unit(state, unit)), "G2-125")
        return state.with_unit(unit.id, inside=None)
    ground = state.ground(action.ground)
    if ground is None:
        raise Refusal(say("There is no such terrain on the battlefield."), "G2-125", "ground")
    if not ground.ruin and state.terrain(ground).class_ == "impassable":
        raise Refusal(say("{terrain} is impassable.", terrain=speech.ground(state, ground)), "G2-127", "ground")
    holder = state.occupant(ground)
    if holder is not None and holder.id != unit.id:
        raise Refusal(say("{unit} stands there.", unit=speech.unit(state, holder)), "G2-85", "ground")
    ask.tell(
        say("{unit} stands in {terrain}", unit=speech.unit(state, unit), terrain=speech.ground(state, ground)), "G2-125"
    )
    return state.with_unit(unit.id, inside=ground.id)


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    if not state.begun:
        return []
    found: list[Offer] = []
    acting = seat in state.acting and seat not in state.done
    for unit in state.units:
        if unit.seat != seat or state.flies(unit):
            continue
        if acting and state.phase == _phase_of_moves(state, unit):
            found += _moving(state, unit)
        if acting and state.phase == "movement":
            found += assault.offers(state, unit)
        if not state.mirrored:
            found += _standing(state, unit, aside=not acting or state.phase not in {"movement", "deployment"})
    return found


def _moving(state: State, unit: Unit) -> list[Offer]:
    """Offer a unit's moves; on the real battlefield they take no tap, only what they are taken back with."""
    given, who, found = {"unit": unit.id}, speech.unit(state, unit), []
    if free := paths.destinations(state, unit):
        field = Field("to", TO, "choice", speech.squares(free))
        found.append(Offer("move", say("Move: {unit}", unit=who), given, (field,), on=unit.id, clause="G2-82"))
    if others := paths.swaps(state, unit):
        friends = tuple(Option(one.square or "", speech.unit(state, one), place=one.square) for one in others)
        field = Field("to", say("With whom"), "choice", friends)
        found.append(
            Offer(
                "move",
                say("Change places: {unit}", unit=who),
                {**given, "swap": True},
                (field,),
                on=unit.id,
                clause="G2-85",
            )
        )
    if can_take_back(state, unit):
        label = say("Back to {square}", square=unit.came_from) if unit.came_from else say("Take the move back")
        found.append(Offer("take_back", label, given, on=unit.id, clause="G2-82"))
    return found


def _standing(state: State, unit: Unit, *, aside: bool) -> list[Offer]:
    given, who, found = {"unit": unit.id}, speech.unit(state, unit), []
    free = tuple(
        Option(one.id, speech.ground(state, one))
        for one in state.grounds
        if state.occupant(one) is None and (one.ruin or state.terrain(one).class_ != "impassable")
    )
    if free:
        field = Field("ground", say("In which terrain"), "choice", free)
        found.append(
            Offer(
                "stand",
                say("Stands in terrain: {unit}", unit=who),
                given,
                (field,),
                on=unit.id,
                clause="G2-125",
                aside=aside,
            )
        )
    if unit.inside is not None:
        found.append(
            Offer("stand", say("Stands in the open: {unit}", unit=who), given, on=unit.id, clause="G2-125", aside=aside)
        )
    return found
