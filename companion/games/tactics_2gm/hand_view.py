"""A player's own hand: what he holds, and why a card of it can not be played now (G2-56, G2-89 to G2-91)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.tactics_2gm import air, deployment, players, table_view, turn
from companion.games.tactics_2gm.cards import SupportCard, UnitCard
from companion.games.tactics_2gm.options import Seat
from companion.games.tactics_2gm.state import State
from companion.kit.decks import kind_of, one_each
from companion.kit.panels import Card, Hand
from companion.kit.ruling import Reason
from companion.kit.text import say


def hand(state: State, seat: Seat | None) -> tuple[Hand, ...]:
    """Show a player's own hand; real cards are in his own, so only those that may be played now."""
    if seat is None:
        return ()
    codes = players.playable(state, seat)
    if state.real and not _acts(state, seat):
        codes = tuple(code for code in codes if _any_phase(state, seat, code))
    if not codes:
        return ()
    title = say("Cards that may be in your hand" if state.real else "Your hand")
    shown = codes if state.phase == "discard" else one_each(codes)
    return (Hand(title, tuple(_held(state, seat, code, codes) for code in shown), first=state.phase == "mulligan"),)


def _held(state: State, seat: Seat, code: str, codes: tuple[str, ...]) -> Card:
    """Show a card of the hand; those alike as one, but where they are discarded.

    In the own turn it says why it can not be played; in the other's the hand is read as it is.
    """
    shown = table_view.card(state, seat, code)
    if state.begun and seat in state.acting and not _discards(state, seat):
        shown = replace(shown, barred=not_playable(state, seat, code))
    many = sum(kind_of(each) == kind_of(code) for each in codes)
    if many == 1 or state.phase == "discard":
        return shown
    return replace(shown, name=say("{card} ×{count}", card=shown.name, count=many))


def _acts(state: State, seat: Seat) -> bool:
    """Tell whether a player may use his cards now as they are mostly used (G2-89, G2-91)."""
    return state.phase == "deployment" and players.acts(state, seat)


def _discards(state: State, seat: Seat) -> bool:
    """Tell whether a player has to discard, so that every card of his hand may be tapped (G2-122)."""
    return state.phase == "discard" and players.acts(state, seat) and turn.surplus(state, seat) > 0


def _any_phase(state: State, seat: Seat, code: str) -> bool:
    card = state.find_card(seat, code)
    return state.begun and isinstance(card, SupportCard) and card.any_phase


def not_playable(state: State, seat: Seat, code: str) -> Reason | None:
    """Say why a player can not play a card of his hand now; None when he can."""
    card = state.find_card(seat, code)
    if isinstance(card, SupportCard):
        return deployment.barred(state, seat, card) or deployment.without_target(state, seat, card)
    if not isinstance(card, UnitCard):
        return None
    if why := deployment.untimely(state, seat, "G2-89"):
        return why
    if card.subtype == "bomber":
        return air.bomber_barred(state, seat, code) or air.without_target(state, seat, code)
    return players.short_of(state, seat, card.cost, "G2-90") or deployment.without_square(state, seat, card)
