"""Action cards: in any phase but the declarations, paid at once; what they do is done by hand (HW-13, HW-A09)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import hands, payment, speech
from companion.games.history_of_war.cards import ActionCard
from companion.games.history_of_war.phases import STEPS
from companion.kit import decks
from companion.kit.offer import Offer
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.actions import PlayAction
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask


def time_barred(state: State) -> Reason | None:
    """Say why nobody plays action cards now; None when both may (HW-54, HW-61, HW-A09)."""
    step = STEPS.get(state.phase)
    if step is None:
        return Reason(say("Action cards are played during a round."), "HW-A09")
    if not step.action_cards:
        clause = "HW-54" if step.id.endswith("attack") else "HW-61"
        return Reason(say("No action cards are played while attacks or blocks are declared."), clause)
    return None


def barred(state: State, seat: Seat, card: ActionCard) -> Reason | None:
    """Say why a player can not play an action card of his hand now; None when he can."""
    return time_barred(state) or payment.short_of(state, seat, card.ta_cost, payment.promised(state, seat))


def play(state: State, seat: Seat, action: PlayAction, ask: Ask) -> State:
    """Play an action card: lock what pays for it, tell what it says, and put it on the scrapyard (HW-A09)."""
    why = time_barred(state)
    if why is not None:
        raise Refusal(why.text, why.clause)
    hands.check_held(state, seat, action.card)
    card = state.find_card(seat, action.card)
    if not isinstance(card, ActionCard):
        raise Refusal(say("That is no action card."), "HW-A09", "card")
    paid = payment.check(state, seat, action.lock, card.ta_cost, payment.promised(state, seat))
    name = speech.called(card.name)
    ask.tell(say("{seat} plays {card}: {cost} TA", seat=Text(seat), card=name, cost=card.ta_cost), "HW-A09")
    state = payment.pay(state, seat, paid, ask)
    if card.text:
        ask.tell(speech.does(card.text), "HW-13")
    ask.tell(say("The table does what it says; then it lies in the scrapyard"), "HW-A09")
    for line in _first(state, seat):
        ask.tell(line.text, line.clause)
    return hands.leave_hand(state, seat, action.card, to_scrapyard=True)


def _first(state: State, seat: Seat) -> tuple[Reason, ...]:
    """Tell the defender that the attacker of the round goes first (HW-A09)."""
    if seat == state.attacker:
        return ()
    text = say("If both want to play one now, {seat} goes first", seat=Text(state.attacker))
    return (Reason(text, "HW-A09"),)


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer the action cards of the hand that can be played and paid for now, each kind once."""
    if time_barred(state) is not None:
        return []
    found, kept = [], payment.promised(state, seat)
    for code in decks.one_each(hands.playable(state, seat)):
        card = state.find_card(seat, code)
        if not isinstance(card, ActionCard) or barred(state, seat, card) is not None:
            continue
        fields = (payment.field(state, seat, card.ta_cost, kept),) if card.ta_cost else ()
        says = (Reason(speech.does(card.text), "HW-13"),) if card.text else ()
        label = say("Play {card}: {cost} TA", card=speech.called(card.name), cost=card.ta_cost)
        found.append(
            Offer(
                "play_action",
                label,
                {"card": code},
                fields,
                on=code,
                clause="HW-A09",
                advice=(*says, *_first(state, seat)),
                loose=bool(fields),
            )
        )
    return found
