"""Movement: moves, changing places, and taking a move back (G2-82 to G2-86)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple

from msgspec import Meta
from msgspec.structs import replace

from companion.games.tactics_2gm import assault, players, speech, terrain, tokens
from companion.games.tactics_2gm.options import Seat, distance, grid, other
from companion.games.tactics_2gm.players import Id, Square
from companion.games.tactics_2gm.state import Last, State, Unit
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import Option, square_options
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

movement = Chapter[State, Seat]()


class Move(Action, frozen=True, tag="move"):
    """Move a unit (G2-82 to G2-86); ``path`` lists the squares it enters, where the way matters.

    ``swap``: the friendly unit on that square moves to where this one came from. On a table whose battlefield is not
    mirrored there is no square to name.
    """

    unit: Id
    to: Square | None = None
    path: Annotated[tuple[Square, ...], Meta(min_length=1, max_length=32)] | None = None
    swap: bool = False


class TakeBack(Action, frozen=True, tag="take_back"):
    """Put a unit back where it began its move of this phase."""

    unit: Id


@movement.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer each unit its moves, then its assaults and where it may stand."""
    if not state.begun:
        return
    acting = players.acts(state, seat)
    for unit in state.units:
        if unit.seat != seat or state.flies(unit):
            continue
        if acting and state.phase == _phase_of_moves(state, unit):
            yield from _moves(state, unit)
        if acting and state.phase == "movement":
            yield from assault.offers(state, unit)
        if not state.mirrored:
            yield from terrain.standing(state, unit, aside=not acting or state.phase not in {"movement", "deployment"})


def _moves(state: State, unit: Unit) -> Iterator[Offer]:
    """Offer a unit's moves; on the real battlefield they take no tap, only what they are taken back with."""
    who = speech.unit(state, unit)
    if free := destinations(state, unit):
        field = Field("to", say("Square"), "choice", square_options(free))
        yield Move.offer(say("Move: {unit}", unit=who), field, on=unit.id, unit=unit.id, clause="G2-82")
    if others := swaps(state, unit):
        friends = tuple(Option(each.square or "", speech.unit(state, each), place=each.square) for each in others)
        field = Field("to", say("With whom"), "choice", friends)
        label = say("Change places: {unit}", unit=who)
        yield Move.offer(label, field, on=unit.id, unit=unit.id, swap=True, clause="G2-85")
    if can_take_back(state, unit):
        label = say("Back to {square}", square=unit.came_from) if unit.came_from else say("Take the move back")
        yield TakeBack.offer(label, on=unit.id, unit=unit.id, clause="G2-82")


def _where(before: State, after: State, _seat: Seat, action: Move) -> Text:
    name, square = speech.card_of(before, action.unit), after.unit(action.unit).square
    return say("{unit} moves to {square}", unit=name, square=square) if square else say("{unit} moves", unit=name)


@movement.rule(Move, headline=_where)
def move(state: State, seat: Seat, action: Move, ask: Ask) -> State:
    """Move a unit, or two that change places; on a table that is not mirrored only note it (G2-82 to G2-86)."""
    players.check_phase(state, seat, "movement", "deployment")
    unit = players.check_own(state, seat, action.unit)
    if state.phase != _phase_of_moves(state, unit):
        players.check_phase(state, seat, "movement")
    refuse(barred(state, unit), "unit")
    if not state.mirrored:
        return _move_on_the_table(state, unit, action, ask)
    path = _path(state, unit, action)
    orders = [Order(unit.id, path)]
    friend = state.at(path[-1])
    if friend is not None and friend.id != unit.id and action.swap:
        orders.append(_way_of_the_other(state, unit, friend))
    for name, end in move_together(state, orders).items():
        who = speech.unit(state, state.unit(name))
        ask.tell(say("{unit} moved to {square}", unit=who, square=end or ""), "G2-82", marks=((name, "acting"),))
    both = ((state.unit(order.unit), order.path[-1]) for order in orders)
    moved = (replace(mover, square=to, came_from=mover.square, moved=True) for mover, to in both)
    return state.with_units(*moved).but(last=Last(unit.square, path[-1]))


def _phase_of_moves(state: State, unit: Unit) -> str:
    """Return the phase in which a unit moves: one that moves at once, as soon as it is deployed (G2-95)."""
    return "deployment" if unit.deployed == state.turn and state.card(unit).moves_at_once else "movement"


def _move_on_the_table(state: State, unit: Unit, action: Move, ask: Ask) -> State:
    if action.to is not None or action.path is not None or action.swap:
        raise Refusal(say("At this table only the real battlefield knows where units stand."), "G2-38", "to")
    ask.tell(say("{unit} moved", unit=speech.unit(state, unit)), "G2-82", marks=((unit.id, "acting"),))
    return state.with_unit(unit.id, moved=True)


def _path(state: State, unit: Unit, action: Move) -> tuple[str, ...]:
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
    if (way := ways(state, unit).get(to)) is not None:
        return way
    holder = state.at(to)
    if holder is not None and holder.side != unit.side:
        raise Refusal(say("{enemy} stands there.", enemy=speech.unit(state, holder)), "G2-86", "to")
    if terrain.class_at(state, to) == "impassable":
        raise Refusal(say("{square} is impassable.", square=to), "G2-127", "to")
    reach = tokens.movement(state, unit)
    if (far := distance(unit.square or to, to)) > reach:
        too_far = "{square} is {distance} squares away; this unit moves {reach}."
        raise Refusal(say(too_far, square=to, distance=far, reach=reach), "G2-58", "to")
    raise Refusal(say("No way that is short enough leads to {square}.", square=to), "G2-86", "to")


def _way_of_the_other(state: State, unit: Unit, friend: Unit) -> Order:
    """Return the move of the unit that changes places with another (G2-A23)."""
    if friend.seat != unit.seat:
        raise Refusal(say("Each player acts with his own units."), "G2-155", "swap")
    refuse(barred(state, friend), "swap")
    to = unit.square or ""
    path = ways(state, friend).get(to)
    if path is None:
        text = say("{unit} cannot move as far as {square}.", unit=speech.unit(state, friend), square=to)
        raise Refusal(text, "G2-58", "swap")
    return Order(friend.id, path)


class Order(NamedTuple):
    """The wish to move a unit: the squares that it enters, none where it stays."""

    unit: str
    path: tuple[str, ...]


def barred(state: State, unit: Unit) -> Reason | None:
    """Say why a unit can not move in this turn any more; None when it can."""
    if state.flies(unit):
        return Reason(say("An aircraft stays beside its headquarters."), "G2-139")
    if unit.deployed == state.turn and not state.card(unit).moves_at_once:
        return Reason(say("It was deployed in this turn: it cannot move yet."), "G2-95")
    if tokens.pinned(state, unit):
        return Reason(say("Its heavy weapon is set up: it cannot move."), "G2-121")
    if unit.moved:
        return Reason(say("Each unit moves once a turn."), "G2-82")
    return None


def ways(state: State, unit: Unit) -> Mapping[str, tuple[str, ...]]:
    """Find every square that a unit can enter, friends' squares too, with the squares of a cheapest way to it."""
    if unit.square is None:
        return {}
    board, reach = grid(state.options), tokens.movement(state, unit)
    enemies = {foe.square for foe in state.on_ground(other(unit.side))}
    reached: dict[str, tuple[int, tuple[str, ...]]] = {unit.square: (0, ())}
    edge = [unit.square]
    while edge:
        ahead = []
        for here in edge:
            spent, path = reached[here]
            for there in board.beside(here):
                cost = spent + _cost(state, there)
                if cost > reach or there in enemies or terrain.class_at(state, there) == "impassable":
                    continue
                if there not in reached or cost < reached[there][0]:
                    reached[there] = (cost, (*path, there))
                    ahead.append(there)
        edge = ahead
    return {square: path for square, (_, path) in reached.items() if path}


def _cost(state: State, square: str) -> int:
    """Return the movement that it takes to enter a square (G2-A25)."""
    extra = state.options.difficult_extra_cost
    return 1 + extra if extra and terrain.class_at(state, square) == "difficult" else 1


def destinations(state: State, unit: Unit) -> Mapping[str, tuple[str, ...]]:
    """Find every free square that a unit can end on, with the squares that it enters (G2-82 to G2-86)."""
    if barred(state, unit) is not None:
        return {}
    return {square: path for square, path in ways(state, unit).items() if state.at(square) is None}


def swaps(state: State, unit: Unit) -> tuple[Unit, ...]:
    """List the units of the same player that a unit can change places with (G2-A23)."""
    if not state.options.swap_allowed or barred(state, unit) is not None:
        return ()
    reached = ways(state, unit)
    return tuple(
        friend
        for friend in state.units
        if friend.seat == unit.seat
        and friend.square in reached
        and barred(state, friend) is None
        and unit.square in ways(state, friend)
    )


def move_together(state: State, orders: Sequence[Order]) -> dict[str, str | None]:
    """Check moves that happen at the same moment, and return where each unit ends.

    Every path is walked past friends; only the squares where they end must differ (G2-85, G2-A23). Raises Refusal.
    """
    ends: dict[str, str | None] = {}
    for order in orders:
        unit = state.unit(order.unit)
        if unit.id in ends:
            raise Refusal(say("Each unit moves once a turn."), "G2-82", "unit")
        check_path(state, unit, order.path)
        ends[unit.id] = order.path[-1] if order.path else unit.square
    taken = [end for end in ends.values() if end is not None]
    taken += [each.square for each in state.units if each.square is not None and each.id not in ends]
    for end in ends.values():
        if taken.count(end or "") > 1:
            raise Refusal(say("Two units cannot end on {square}.", square=end or ""), "G2-85", "to")
    if not state.options.swap_allowed:
        _check_in_turn(state, ends)
    return ends


def check_path(state: State, unit: Unit, path: tuple[str, ...]) -> None:
    """Refuse a path that the unit can not walk (G2-58, G2-84, G2-86, G2-95, G2-121, G2-127)."""
    refuse(barred(state, unit) if path else None, "unit")
    here, spent, reach = unit.square, 0, tokens.movement(state, unit)
    for there in path:
        if here is None or there not in grid(state.options) or there not in grid(state.options).beside(here):
            raise Refusal(say("A step goes forward, back or sideways to the next square."), "G2-84", "path")
        refuse(_step_barred(state, unit, there), "path")
        here, spent = there, spent + _cost(state, there)
    if spent > reach:
        text = say("That way takes {cost} of movement; this unit has {reach}.", cost=spent, reach=reach)
        raise Refusal(text, "G2-58", "path")


def _step_barred(state: State, unit: Unit, there: str) -> Reason | None:
    holder = state.at(there)
    if holder is not None and holder.side != unit.side:
        said = say("{enemy} is in the way: no unit passes through an enemy.", enemy=speech.unit(state, holder))
        return Reason(said, "G2-86")
    if terrain.class_at(state, there) == "impassable":
        return Reason(say("{square} is impassable.", square=there), "G2-127")
    return None


def _check_in_turn(state: State, ends: Mapping[str, str | None]) -> None:
    """Refuse moves that could not be made one after the other, where units may not change places (G2-A23)."""
    waiting = dict(ends)
    while waiting:
        taken = {state.unit(name).square for name in waiting}
        free = [name for name, end in waiting.items() if end not in taken - {state.unit(name).square}]
        if not free:
            raise Refusal(say("At this table units do not change places."), "G2-85", "swap")
        for name in free:
            del waiting[name]


def can_take_back(state: State, unit: Unit) -> bool:
    """Tell whether a move of this phase can be undone without touching anything else."""
    if state.phase != _phase_of_moves(state, unit) or not unit.moved or unit.fired or unit.assaulted:
        return False
    if not state.mirrored:
        return True
    return unit.came_from is not None and (state.at(unit.came_from) is None or _swapped(state, unit) is not None)


def _swapped(state: State, unit: Unit) -> Unit | None:
    """Return the unit that changed places with another, as long as nothing came of that."""
    partner = state.at(unit.came_from)
    if partner is None or partner.id == unit.id or partner.came_from != unit.square or partner.seat != unit.seat:
        return None
    return None if partner.fired or partner.assaulted else partner


@movement.rule(TakeBack, says=lambda state, _, action: say("{unit} goes back", unit=speech.card_of(state, action.unit)))
def take_back(state: State, seat: Seat, action: TakeBack, ask: Ask) -> State:
    """Put a unit back where it began its move, and the one that changed places with it."""
    players.check_acting(state, seat)
    unit = players.check_own(state, seat, action.unit)
    if not can_take_back(state, unit):
        raise Refusal(say("That move cannot be undone by itself any more."), "G2-82", "unit")
    both = [moved for moved in (unit, _swapped(state, unit)) if moved is not None]
    for moved in both:
        who = speech.unit(state, moved)
        said = say("{unit} went back to {square}", unit=who, square=moved.came_from) if moved.came_from else None
        ask.tell(said or say("{unit} went back", unit=who), "G2-82", marks=((moved.id, "acting"),))
    back = (replace(moved, square=moved.came_from, came_from=None, moved=False) for moved in both)
    return state.with_units(*back).but(last=None)
