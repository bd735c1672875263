"""What a base attack does to a hand and a depot (HW-55, HW-A24); base expansions are struck like other cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import speech
from companion.games.history_of_war.sides import other
from companion.kit.cards import without
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.pieces import Attack
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask


def effect(state: State, attack: Attack, target: str, ask: Ask) -> State:
    """Let an unblocked base attack take a random card of the hand or the top card of the depot (HW-A24).

    ``target`` is what it strikes. Where that is settled by hand it is only told.
    """
    attacker = state.played(attack.unit)
    if state.options.base_attack_effect == "manual":
        text = say(
            "{unit} reaches the enemy base: settle at the table what that does", unit=speech.unit(state, attacker)
        )
        ask.tell(text, "HW-A24", marks=((attack.unit, "acting"),))
        return state
    if target not in {"hand", "depot"}:
        return state
    return _lose(state, other(attacker.seat), target, attack, ask)


def _lose(state: State, seat: Seat, part: str, attack: Attack, ask: Ask) -> State:
    """Put a random card of a hand or a depot on the scrapyard; real cards are only counted."""
    deck = state.deck(seat)
    cards = deck.hand if part == "hand" else deck.depot
    if not cards:
        ask.tell(say("{seat}: no card is left there", seat=Text(seat)), "HW-A24")
        return state
    why = say(
        "{seat} loses a card of the hand" if part == "hand" else "{seat} loses the top card of the depot",
        seat=Text(seat),
    )
    lost = cards[:1] if state.real else ask.draw(cards, 1, f"lost_{attack.unit}", why, by=seat)
    marks = ((attack.unit, "acting"),)
    if state.real:
        ask.tell(why, "HW-A24", marks=marks)
    else:
        ask.tell(say("{what}: {card}", what=why, card=speech.code(state, seat, lost[0])), "HW-A24", marks=marks)
    left = without(cards, lost)
    scrapyard = (*deck.scrapyard, *lost)
    if part == "hand":
        return state.with_deck(seat, hand=left, scrapyard=scrapyard)
    return state.with_deck(seat, depot=left, scrapyard=scrapyard)
