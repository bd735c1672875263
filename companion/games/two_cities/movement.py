"""Movement: through sides, up to the allowance, never through a unit (TTC-71 to TTC-75)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from companion.games.two_cities.activation import activate, check_acting, rest
from companion.games.two_cities.combat import movement_of
from companion.games.two_cities.components import KINDS, Kind, Side, rule_of
from companion.games.two_cities.state import SentName, SentSquare, State, Unit, check_square, occupied
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.counts import squares
from companion.kit.questions import square_options
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say

movement = Chapter[State, Side]()


class Move(Action, frozen=True, tag="move"):
    """Move a unit; ``path`` lists the squares it enters, where the way matters (TTC-71)."""

    unit: SentName
    to: SentSquare | None = None
    path: Annotated[tuple[SentSquare, ...], Meta(max_length=32)] | None = None


def offers(state: State, unit: Unit) -> Iterator[Offer]:
    """Offer the squares that a unit may move to, by file and rank."""
    if unit.square is None or no_move(state, unit) is not None:
        return
    reached = CHESSBOARD.reach(unit.square, movement_of(unit.kind, state.card), closed_to(state, unit))
    if free := sorted(reached.keys() - state.occupied()):
        to = Field("to", say("Square"), "choice", square_options(free))
        yield Move.offer(say("Move: {unit}", unit=state.name(unit)), to, on=unit.id, unit=unit.id, clause="TTC-72")


@movement.rule(
    Move,
    headline=lambda _before, after, _side, action: say(
        "{unit}: moves to {square}", unit=after.unit(action.unit).called, square=after.unit(action.unit).square or "?"
    ),
)
def move(state: State, side: Side, action: Move, ask: Ask) -> State:
    """Move a unit (TTC-71 to TTC-75); raise Refusal with the clause that forbids it."""
    check_acting(state, side)
    if state.unit(action.unit).square is None:
        raise Refusal(say("At this table only the real board knows where units stand."), None, "unit")
    state = activate(state, state.unit(action.unit))
    unit, path = state.unit(action.unit), action.path
    allowed = movement_of(unit.kind, state.card)
    if path is None:
        path = _shortest(state, unit, action.to, allowed)
    elif action.to is not None and (path[-1] if path else unit.square) != action.to:
        raise Refusal(say("The path does not end on {square}.", square=action.to), "TTC-72", "path")
    if path:
        refuse(no_move(state, unit), "unit")
    _check_path(state, unit, path, allowed)
    moves = say("{unit}: moves {far} of {allowed}", unit=state.name(unit), far=squares(len(path)), allowed=allowed)
    ask.tell(moves, "TTC-72", allowed, terms=allowance_terms(unit.kind, state.card))
    if path:
        state = state.with_unit(unit.id, square=path[-1], moved=True)
    else:
        ask.tell(say("It stays where it is and counts as stationary"), "TTC-22")
    return rest(state, unit.id)


def allowance_terms(kind: Kind, code: str | None) -> tuple[Reason, ...]:
    """List what the movement allowance of a unit is made of under a card (TTC-72)."""
    card, printed = rule_of(code), Reason(Text(kind), "TTC-72", KINDS[kind].movement)
    more = movement_of(kind, code) - KINDS[kind].movement
    return (printed, Reason(Text(f"card.{card.code}"), card.clause, more)) if more else (printed,)


def no_move(state: State, unit: Unit) -> Reason | None:
    """Say why an activated unit may not move (any more); None when it may."""
    card = rule_of(state.card)
    if unit.moved:
        return Reason(say("{unit}: has moved already.", unit=state.name(unit)), "TTC-19")
    if unit.attacks:
        return Reason(say("A unit moves first and then fights, never the other way round."), "TTC-19")
    if card.shots > 1 and state.options.double_rain_stationary:
        return Reason(say("At this table units under Double rain may not move."), "TTC-47")
    if card.contact and state.options.phalanx_hold:
        return Reason(say("At this table units under Phalanx may not move."), "TTC-50")
    return None


def closed_to(state: State, unit: Unit) -> frozenset[str]:
    """List the squares that a unit may not enter on its way (TTC-73)."""
    if state.options.pass_friends:
        return frozenset(there.square for there in state.in_play() if there.square and there.side != unit.side)
    return state.occupied()


def _shortest(state: State, unit: Unit, to: str | None, allowed: int) -> tuple[str, ...]:
    start, goal = unit.square or "", check_square(to, "to")
    if goal == start:
        return ()
    if state.at(goal) is not None:
        raise occupied(goal, "to")
    if path := CHESSBOARD.reach(start, allowed, closed_to(state, unit)).get(goal):
        return path
    far = CHESSBOARD.apart(start, goal)
    if far > allowed:
        too_far = say(
            "{square} is {far} away through sides, never diagonally ({see}), and the unit may move {allowed}.",
            square=goal,
            far=squares(far),
            see="TTC-71",
            allowed=allowed,
        )
        raise Refusal(too_far, "TTC-72", "to")
    within, see = squares(allowed), "TTC-72"
    closed = say("Units close every way to {square} within {allowed} ({see}).", square=goal, allowed=within, see=see)
    raise Refusal(closed, "TTC-73", "to")


def _check_path(state: State, unit: Unit, path: tuple[str, ...], allowed: int) -> None:
    here, closed = unit.square or "", closed_to(state, unit) - {unit.square}
    for square in path:
        if CHESSBOARD.apart(here, check_square(square, "path")) != 1:
            askew = say(
                "{square} does not share a side with {here}: units move through sides, never diagonally.",
                square=square,
                here=here,
            )
            raise Refusal(askew, "TTC-71", "path")
        if square in closed:
            raise occupied(square, "path")
        here = square
    if here != unit.square and state.at(here) is not None:
        raise occupied(here, "path")
    if len(path) > allowed:
        text = say("{far} are too many: the unit may move {allowed}.", far=squares(len(path)), allowed=allowed)
        raise Refusal(text, "TTC-72", "path")
