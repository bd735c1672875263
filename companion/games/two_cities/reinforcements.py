"""Reinforcements: the unit bought, the square, and the unit that a second purchase costs (TTC-56 to TTC-66)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities.deck import rule_of
from companion.games.two_cities.speech import name
from companion.games.two_cities.state import State, Unit
from companion.games.two_cities.units import KINDS, Kind, Side
from companion.kit.asking import Choice, Choose, Option, check
from companion.kit.ruling import Reason, Refusal
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.actions import PlayCard
    from companion.kit.asking import Ask


def side_squares(state: State, side: Side) -> tuple[str, ...]:
    """List the squares that share a side with a player's own city (TTC-59)."""
    city = state.city(side)
    return CHESSBOARD.beside(city.square) if city is not None and city.square is not None else ()


def costs_a_unit(state: State, side: Side) -> bool:
    """Tell whether the next purchase costs a unit: the second and the third do, while there is one (TTC-63, TTC-64)."""
    return state.purchases.get(side, 0) > 0 and any(unit.mobile for unit in state.in_play(side))


def no_room(state: State, side: Side) -> Reason | None:
    """Say why no reinforcement can be placed: no side-square of the city is free or would become so (TTC-65)."""
    if state.city(side) is None:
        return Reason(say("There is no city to appear beside."), "TTC-59")
    if not state.mirrored:
        return None
    for square in side_squares(state, side):
        there = state.at(square)
        if there is None:
            return None
        if there.side == side and costs_a_unit(state, side) and not state.options.remove_after_placing:
            return None
    return Reason(say("No square beside your city is free, or would become free ({see}).", see="TTC-64"), "TTC-65")


def reinforce(state: State, action: PlayCard, ask: Ask) -> State:
    """Buy a unit: pay for a second purchase first (TTC-64), or last where the table says so; then place it (TTC-59)."""
    side, kind = state.active, rule_of(state.card).buys
    assert kind is not None
    costs, late = costs_a_unit(state, side), state.options.remove_after_placing
    if action.remove is not None and not costs:
        raise Refusal(say("Only a second or third purchase costs a unit."), "TTC-63", "remove")
    if costs and not late:
        state = _remove(state, action.remove, ask)
    state, bought = _place(state, kind, action.place, ask)
    if costs and late:
        state = _remove(state, action.remove, ask, spared=bought)
    purchases = {**state.purchases, side: state.purchases.get(side, 0) + 1}
    return state.but(purchases=purchases)


def _remove(state: State, chosen: str | None, ask: Ask, spared: str = "") -> State:
    side = state.active
    barred = Reason(say("Neither the city nor the unit bought can be the one that leaves."), "TTC-64")
    options = []
    for unit in state.in_play(side):
        closed = barred if not unit.mobile or unit.id == spared else None
        if closed is None and not spared and state.mirrored and not _frees(state, unit):
            closed = Reason(say("No square beside your city would be free then ({see}).", see="TTC-59"), "TTC-65")
        options.append(Option(unit.id, name(state, unit), closed, unit.square))
    why = say("Which unit leaves the board for the one you buy?")
    gone = _decide(Choose("remove", why, side, tuple(options), "TTC-63"), chosen, ask)
    ask.tell(
        say("{unit}: leaves the board, the price of a further purchase", unit=name(state, state.unit(gone))),
        "TTC-63",
    )
    return state.with_unit(gone, on_board=False, square=None)


def _frees(state: State, unit: Unit) -> bool:
    squares = side_squares(state, unit.side)
    return unit.square in squares or any(state.at(square) is None for square in squares)


def _place(state: State, kind: Kind, chosen: str | None, ask: Ask) -> tuple[State, str]:
    side = state.active
    square = None
    if state.mirrored:
        options = []
        for there in side_squares(state, side):
            taken = Reason(say("{square} is occupied.", square=there), "TTC-59") if state.at(there) else None
            options.append(Option(there, say("{square}", square=there), taken, there))
        why = say("New {unit} unit: which square beside your city?", unit=Text(kind))
        square = _decide(Choose("place", why, side, tuple(options), "TTC-59"), chosen, ask)
    new = Unit(
        free_name(state, side),
        side,
        kind,
        square,
        home="bought",
        mercenary=True,
        piece=piece_for(state, side, kind),
    )
    where = (
        say("{unit}: appears on {square}", unit=Text(f"{side}_{kind}"), square=square)
        if square
        else say("{unit}: put it on a free square beside its city", unit=Text(f"{side}_{kind}"))
    )
    ask.tell(where, "TTC-59")
    ask.tell(
        stand_in(state, new),
        "TTC-61" if kind == "archers" else "TTC-56" if kind == "light_infantry" else "TTC-57",
    )
    return state.but(units=(*state.units, new)), new.id


def _decide(question: Choose, chosen: str | None, ask: Ask) -> str:
    if chosen is None:
        return ask.choose(question.seat, question.options, question.key, question.why, clause=question.clause)
    check(question, Choice(question.key, chosen, question.seat))
    return chosen


def free_name(state: State, side: Side) -> str:
    """Return an id that no unit has."""
    taken = {unit.id for unit in state.units}
    return next(name for number in range(1, len(taken) + 2) if (name := f"{side[0]}{number}") not in taken)


def piece_for(state: State, side: Side, kind: Kind) -> str:
    """Choose the chess piece of a unit: its own, or the extra one while the first is on the board (TTC-61)."""
    row = KINDS[kind]
    taken = {unit.piece for unit in state.in_play(side)}
    return row.extra_piece if row.extra_piece and row.piece in taken else row.piece


def stand_in(state: State, unit: Unit) -> Text:
    """Say which chess piece stands for a bought unit, and what does when the set has none left (TTC-Q02)."""
    if unit.kind == "archers":
        return say("Its chess piece: {piece}", piece=Text(unit.piece))
    spare = Text(f"stand_in.{state.options.piece_map}")
    return say("Its chess piece: {piece}, or {spare} when none is left", piece=Text(unit.piece), spare=spare)
