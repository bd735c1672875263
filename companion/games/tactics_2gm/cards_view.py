"""The cards as a seat may see them: its own hand, and counts of everything that lies face down (ledger 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.tactics_2gm import describing, hands, points, speech, support
from companion.kit.cards import FACE_DOWN
from companion.kit.panels import Card, Hand, Pile, Piles
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.ruling import Reason


def hand(state: State, seat: Seat | None) -> tuple[Hand, ...]:
    """Show a player's own hand; with real cards those that may be in it."""
    if seat is None:
        return ()
    codes = hands.playable(state, seat)
    if not codes:
        return ()
    title = say("Your hand") if not state.real else say("Cards that may be in your hand")
    each = codes if state.phase == "discard" else support.kinds(codes)
    return (Hand(title, tuple(_held(state, seat, code, codes) for code in each)),)


def _held(state: State, seat: Seat, code: str, codes: tuple[str, ...]) -> Card:
    """Show a card of the hand, those alike as one; in the own deployment phase also why it can not be afforded."""
    shown = card(state, seat, code)
    if state.phase == "discard":
        return shown
    kind = code.partition(".")[0]
    many = sum(one.partition(".")[0] == kind for one in codes)
    name = say("{card} ×{count}", card=shown.name, count=many) if many > 1 else shown.name
    acts = state.phase == "deployment" and seat in state.acting and seat not in state.done
    return replace(shown, name=name, barred=_too_dear(state, seat, code) if acts else None)


def _too_dear(state: State, seat: Seat, code: str) -> Reason | None:
    found = state.find_card(seat, code)
    return None if found is None else points.short_of(state, seat, found.cost, "G2-90")


def card(state: State, seat: Seat, code: str, *, rank: bool = True) -> Card:
    """Show a card face up: its cost stands in the corner, as it is printed."""
    found = state.find_card(seat, code)
    if found is None:
        return Card(code, "", None, say("a card"), say("face down"))
    cost = str(found.cost) if rank else ""
    return Card(code, cost, None, speech.called(found.name), describing.card(found))


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
                tuple(card(state, seat, code, rank=False) for code in deck.discard if code != FACE_DOWN),
            ),
        ]
    return (Piles(say("Cards"), tuple(shown)),)
