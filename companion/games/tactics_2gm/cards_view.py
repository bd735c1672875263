"""The cards as a seat may see them: its own hand, and counts of everything that lies face down (ledger 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.tactics_2gm import describing, hands, points, speech
from companion.games.tactics_2gm.cards import SupportCard
from companion.kit import decks
from companion.kit.cards import FACE_DOWN
from companion.kit.panels import Card, Hand, Pile, Piles
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.ruling import Reason


def hand(state: State, seat: Seat | None) -> tuple[Hand, ...]:
    """Show a player's own hand; real cards are in his own, so only those that may be played now."""
    if seat is None:
        return ()
    codes = hands.playable(state, seat)
    if state.real and not _acts(state, seat):
        codes = tuple(code for code in codes if _any_phase(state, seat, code))
    if not codes:
        return ()
    title = say("Your hand") if not state.real else say("Cards that may be in your hand")
    each = codes if state.phase == "discard" else decks.one_each(codes)
    held = tuple(_held(state, seat, code, codes) for code in each)
    return (Hand(title, held, first=state.phase == "mulligan"),)


def _held(state: State, seat: Seat, code: str, codes: tuple[str, ...]) -> Card:
    """Show a card of the hand, those alike as one; in the own deployment phase also why it can not be afforded."""
    shown = card(state, seat, code)
    if state.phase == "discard":
        return shown
    kind = code.partition(".")[0]
    many = sum(one.partition(".")[0] == kind for one in codes)
    name = say("{card} ×{count}", card=shown.name, count=many) if many > 1 else shown.name
    return replace(shown, name=name, barred=_too_dear(state, seat, code) if _acts(state, seat) else None)


def _acts(state: State, seat: Seat) -> bool:
    """Tell whether a player may use his cards now as they are mostly used (G2-89, G2-91)."""
    return state.phase == "deployment" and seat in state.acting and seat not in state.done


def _any_phase(state: State, seat: Seat, code: str) -> bool:
    found = state.find_card(seat, code)
    return state.begun and isinstance(found, SupportCard) and found.any_phase


def _too_dear(state: State, seat: Seat, code: str) -> Reason | None:
    found = state.find_card(seat, code)
    return None if found is None else points.short_of(state, seat, found.cost, "G2-90")


def card(state: State, seat: Seat, code: str) -> Card:
    """Show a card face up: its cost stands in the corner, as it is printed."""
    found = state.find_card(seat, code)
    if found is None:
        return Card(code, "", None, say("a card"), say("face down"))
    return Card(code, str(found.cost), None, speech.called(found.name), describing.card(found))


def _discarded(state: State, seat: Seat, code: str) -> Card:
    """Show a discarded card to everybody: without its code, which would tell where it stands in the roster."""
    return replace(card(state, seat, code), code="", rank="")


def piles(state: State) -> tuple[Piles, ...]:
    """Show how many cards everybody has, and what everybody has seen of them."""
    if not state.decks:
        return ()
    shown = []
    for seat in state.seats:
        deck = state.deck(seat)
        shown += [
            Pile(say("{seat}: deck", seat=Text(seat)), len(deck.pile)),
            Pile(say("{seat}: hand", seat=Text(seat)), len(deck.hand)),
            Pile(
                say("{seat}: discards", seat=Text(seat)),
                len(deck.discard),
                tuple(_discarded(state, seat, code) for code in deck.discard if code != FACE_DOWN),
            ),
        ]
    return (Piles(say("Cards"), tuple(shown)),)
