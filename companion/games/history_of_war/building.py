"""What is built and paid for: base expansions, construction, and action cards (HW-38 to HW-47, HW-A09)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import action_cards, base, construction, construction_offers, placing
from companion.games.history_of_war import actions as do
from companion.games.history_of_war.cards import ActionCard, BaseCard

if TYPE_CHECKING:
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask
    from companion.kit.offer import Offer
    from companion.kit.ruling import Reason


def barred(state: State, seat: Seat, code: str) -> Reason | None:
    """Say why a player can not play a card of his hand now; None when he can."""
    card = state.find_card(seat, code)
    if isinstance(card, BaseCard):
        return base.barred(state, seat)
    if isinstance(card, ActionCard):
        return action_cards.barred(state, seat, card)
    return construction.barred(state, seat, code)


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    if not state.begun:
        return []
    return [
        *base.offers(state, seat),
        *construction_offers.offers(state, seat),
        *placing.offers(state, seat),
        *action_cards.offers(state, seat),
    ]


def rule(state: State, seat: Seat, action: do.Building, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    match action:
        case do.PlayBase():
            return base.play(state, seat, action, ask)
        case do.LayDown():
            return construction.lay(state, seat, action.card, None, ask)
        case do.LayUpgrade():
            return construction.lay(state, seat, action.card, action.unit, ask)
        case do.TakeUp():
            return construction.take_up(state, seat, action.card, ask)
        case do.Build():
            return construction.build(state, seat, action, ask)
        case do.Place():
            return placing.place(state, seat, action.card, action.to, ask)
        case do.PlayAction():
            return action_cards.play(state, seat, action, ask)
