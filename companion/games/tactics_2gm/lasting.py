"""What lasts: effects of one turn end in the start phase, grey tokens turn back in the flip phase.

G2-70, G2-78, G2-97, G2-119, G2-120, G2-A07, G2-A28, G2-A31 and G2-A38.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.tactics_2gm import hands, speech
from companion.games.tactics_2gm.cards import SupportCard
from companion.games.tactics_2gm.sides import side_of
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.pieces import Attached, Token, Unit
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask
    from companion.kit.text import Text


def end_effects(state: State, ask: Ask) -> State:
    """End what the players of the active side did for one turn, and let every weapon fire again (G2-78, G2-97)."""
    side = state.active
    for unit in state.units:
        state = _end_cards(state, unit, side, ask)
        _tell_ends(state, unit, side, ask)
    return state.but(units=tuple(_rested(unit, side) for unit in state.units))


def _ends(state: State, one: Attached, side: Side) -> SupportCard | None:
    """Return the card where it lasts one turn and a player of the side played it (G2-21, G2-A38)."""
    card = state.find_card(one.seat, one.code)
    ends = isinstance(card, SupportCard) and card.duration == "one_turn" and side_of(one.seat) == side
    return card if ends and isinstance(card, SupportCard) else None


def _end_cards(state: State, unit: Unit, side: Side, ask: Ask) -> State:
    """Remove the cards of one turn from a unit to their owners' discard piles (G2-21)."""
    for one in unit.cards:
        card = _ends(state, one, side)
        if card is None:
            continue
        ask.tell(say("{unit}: {card} is over", unit=speech.unit(state, unit), card=speech.called(card.name)), "G2-21")
        left = state.unit(unit.id).cards
        state = state.with_unit(unit.id, cards=tuple(other for other in left if other != one))
        state = hands.bury(state, one.seat, one.code)
    return state


def _tell_ends(state: State, unit: Unit, side: Side, ask: Ask) -> None:
    who = speech.unit(state, unit)
    for mark in unit.marks:
        if side_of(mark.by) == side and not mark.lasting:
            ask.tell(say("{unit}: {card} is over", unit=who, card=speech.called(mark.name)), "G2-78")
    if unit.side == side:
        for token in unit.tokens:
            if token.works:
                ask.tell(say("{unit}: {card} is over", unit=who, card=speech.called(token.slot)), "G2-78")
    if unit.suppressed == side:
        ask.tell(say("{unit} is no longer under suppressive fire", unit=who), "G2-115")


def flip(state: State, ask: Ask) -> State:
    """Turn the grey tokens of the active side back, but for those flipped in this turn (G2-119, G2-120, G2-A28)."""
    for unit in state.of(state.active):
        for token in unit.tokens:
            if token.used is None:
                continue
            names = {"unit": speech.unit(state, unit), "token": _name(state, unit, token)}
            if token.used == state.turn:
                ask.tell(say("{unit}: {token} stays grey", **names), "G2-120")
            else:
                ask.tell(say("{unit}: {token} turns back", **names), "G2-119")
        tokens = tuple(token if token.used == state.turn else replace(token, used=None) for token in unit.tokens)
        state = state.with_unit(unit.id, tokens=tokens)
    return state


def _name(state: State, unit: Unit, token: Token) -> Text:
    """Name a grey token; that of a weapon printed on the card itself by the weapon (G2-71)."""
    printed = state.weapons(unit).get(token.slot)
    bought = any(one.slot == token.slot for one, _ in state.equipment(unit))
    return speech.called(token.slot if bought or printed is None else printed.name)


def _rested(unit: Unit, side: Side) -> Unit:
    """Return a unit as a turn of that side finds it: the enemy's anti-aircraft may fire again too (G2-A31)."""
    marks = tuple(mark for mark in unit.marks if mark.lasting or side_of(mark.by) != side)
    unit = replace(
        unit, fired=(), shot_by=(), marks=marks, suppressed=None if unit.suppressed == side else unit.suppressed
    )
    if unit.side != side:
        return unit
    tokens = tuple(replace(token, works=False) for token in unit.tokens)
    return replace(unit, moved=False, came_from=None, assaulted=False, tokens=tokens)
