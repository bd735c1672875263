"""Movement: through sides, up to the allowance, never through a unit (TTC-71 to TTC-75)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities.activation import activate
from companion.games.two_cities.deck import card_name, rule_of
from companion.games.two_cities.evasion import movement_of
from companion.games.two_cities.speech import name
from companion.kit.counts import squares
from companion.kit.ruling import Reason, Refusal
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.actions import Move
    from companion.games.two_cities.state import State, Unit
    from companion.games.two_cities.units import Kind
    from companion.kit.asking import Ask


def allowance_terms(kind: Kind, code: str | None) -> tuple[Reason, ...]:
    """List what the movement allowance of a unit is made of under a card (TTC-72)."""
    card = rule_of(code)
    printed, allowed = movement_of(kind, None), movement_of(kind, code)
    terms = (Reason(Text(kind), "TTC-72", printed),)
    if allowed == printed:
        return terms
    return (*terms, Reason(card_name(card.code), card.clause, allowed - printed))


def allowance(state: State, unit: Unit) -> int:
    """Return how many squares a unit may move this turn."""
    return movement_of(unit.kind, state.card)


def barred_from_moving(state: State, unit: Unit) -> Refusal | None:
    """Say why an activated unit may not move (any more); None when it may."""
    card = rule_of(state.card)
    if unit.moved:
        return Refusal(say("{unit}: has moved already.", unit=name(state, unit)), "TTC-19", "unit")
    if unit.attacks:
        return Refusal(say("A unit moves first and then fights, never the other way round."), "TTC-19", "unit")
    if card.shots > 1 and state.options.double_rain_stationary:
        return Refusal(say("At this table units under Double rain may not move."), "TTC-47", "unit")
    if card.contact and state.options.phalanx_hold:
        return Refusal(say("At this table units under Phalanx may not move."), "TTC-50", "unit")
    return None


def closed_to(state: State, unit: Unit) -> frozenset[str]:
    """List the squares that a unit may not enter on its way (TTC-73)."""
    if state.options.pass_friends:
        return frozenset(there.square for there in state.in_play() if there.square and there.side != unit.side)
    return state.occupied()


def destinations(state: State, unit: Unit) -> tuple[str, ...]:
    """List the squares that a unit may move to, by file and rank."""
    if unit.square is None or barred_from_moving(state, unit) is not None:
        return ()
    reached = CHESSBOARD.reach(unit.square, allowance(state, unit), closed_to(state, unit))
    return tuple(sorted(reached.keys() - state.occupied()))


def move(state: State, action: Move, ask: Ask) -> State:
    """Move a unit (TTC-71 to TTC-75); raise Refusal with the clause that forbids it."""
    unit = state.unit(action.unit)
    if unit.square is None:
        raise Refusal(say("At this table only the real board knows where units stand."), None, "unit")
    state = activate(state, unit)
    unit = state.unit(action.unit)
    path = action.path
    if path is None:
        path = _shortest(state, unit, action.to)
    elif action.to is not None and (path[-1] if path else unit.square) != action.to:
        raise Refusal(say("The path does not end on {square}.", square=action.to), "TTC-72", "path")
    if path and (barred := barred_from_moving(state, unit)) is not None:
        raise barred
    _check_path(state, unit, path)
    steps = len(path)
    ask.tell(
        say(
            "{unit}: moves {far} of {allowed}",
            unit=name(state, unit),
            far=squares(steps),
            allowed=allowance(state, unit),
        ),
        "TTC-72",
        allowance(state, unit),
        terms=allowance_terms(unit.kind, state.card),
    )
    if not path:
        ask.tell(say("It stays where it is and counts as stationary"), "TTC-22")
        return state
    return state.with_unit(unit.id, square=path[-1], moved=True)


def _shortest(state: State, unit: Unit, to: str | None) -> tuple[str, ...]:
    if to is None or to not in CHESSBOARD:
        raise Refusal(say("There is no square {square} on the board.", square=to or "?"), "TTC-01", "to")
    start, allowed = unit.square or "", allowance(state, unit)
    if to == start:
        return ()
    if state.at(to) is not None:
        raise Refusal(say("{square} is occupied: one unit per square.", square=to), "TTC-73", "to")
    found = CHESSBOARD.reach(start, allowed, closed_to(state, unit)).get(to)
    if found is not None:
        return found
    far = CHESSBOARD.apart(start, to)
    if far > allowed:
        raise Refusal(
            say(
                "{square} is {far} away through sides, never diagonally ({see}), and the unit may move {allowed}.",
                square=to,
                far=squares(far),
                see="TTC-71",
                allowed=allowed,
            ),
            "TTC-72",
            "to",
        )
    raise Refusal(
        say(
            "Units close every way to {square} within {allowed} ({see}).",
            square=to,
            allowed=squares(allowed),
            see="TTC-72",
        ),
        "TTC-73",
        "to",
    )


def _check_path(state: State, unit: Unit, path: tuple[str, ...]) -> None:
    here, closed = unit.square or "", closed_to(state, unit) - {unit.square}
    for square in path:
        if square not in CHESSBOARD:
            raise Refusal(say("There is no square {square} on the board.", square=square), "TTC-01", "path")
        if CHESSBOARD.apart(here, square) != 1:
            raise Refusal(
                say(
                    "{square} does not share a side with {here}: units move through sides, never diagonally.",
                    square=square,
                    here=here,
                ),
                "TTC-71",
                "path",
            )
        if square in closed:
            raise Refusal(say("{square} is occupied: one unit per square.", square=square), "TTC-73", "path")
        here = square
    if here != unit.square and state.at(here) is not None:
        raise Refusal(say("{square} is occupied: one unit per square.", square=here), "TTC-73", "path")
    allowed = allowance(state, unit)
    if len(path) > allowed:
        text = say("{far} are too many: the unit may move {allowed}.", far=squares(len(path)), allowed=allowed)
        raise Refusal(text, "TTC-72", "path")
