"""Equipment tokens and noted effects: using them, setting heavy weapons up, and what they add to numbers.

G2-69, G2-70, G2-106, G2-121 and G2-164 to G2-166.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import speech

if TYPE_CHECKING:
    from companion.games.tactics_2gm.shooting import Added
    from companion.games.tactics_2gm.state import State, Unit


def aim(state: State, unit: Unit) -> tuple[Added, ...]:
    """List what cards and noted effects add to a unit's own numbers (G2-62, G2-106)."""
    cards = ((speech.called(card.name), "G2-106", card.aim) for card in state.attached(unit))
    marks = ((speech.called(mark.name), "G2-106", mark.aim) for mark in unit.marks)
    return tuple(one for one in (*cards, *marks) if one[2] != (0, 0))


def cover(state: State, unit: Unit) -> tuple[Added, ...]:
    """List what equipment, cards and noted effects add to the numbers of those who shoot at a unit (G2-106)."""
    tokens = (
        (speech.called(token.slot), "G2-106", one.cover)
        for token, one in state.equipment(unit)
        if token.works or not one.flips
    )
    cards = ((speech.called(card.name), "G2-106", card.cover) for card in state.attached(unit))
    marks = ((speech.called(mark.name), "G2-106", mark.cover) for mark in unit.marks)
    return tuple(one for one in (*tokens, *cards, *marks) if one[2] != (0, 0))


def armour(state: State, unit: Unit) -> int:
    """Return a unit's armour with its cards and noted effects, without the building it stands in (G2-64)."""
    cards = sum(card.armour for card in state.attached(unit))
    return max(0, state.card(unit).armour + cards + sum(mark.armour for mark in unit.marks))


def movement(state: State, unit: Unit) -> int:
    """Return how many squares a unit moves, its cards counted (G2-58)."""
    return state.card(unit).movement + sum(card.movement for card in state.attached(unit))


def pinned(state: State, unit: Unit) -> bool:
    """Tell whether a unit has set up a weapon that keeps it from moving (G2-121, G2-A29)."""
    return unit.set_up and heavy(state, unit)


def heavy(state: State, unit: Unit) -> bool:
    """Tell whether a unit is infantry with a heavy weapon, which is set up to be used (G2-121, G2-A29)."""
    return state.card(unit).family == "infantry" and any(one.pins for _, one in state.equipment(unit))
