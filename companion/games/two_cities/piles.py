"""The cards as a seat may see them (TTC-15): its own hand, and counts of everything that lies face down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities.deck import CARDS, card_name, rule_of
from companion.games.two_cities.hand import unplayable, unseen
from companion.games.two_cities.units import SIDES, Side
from companion.kit.cards import face
from companion.kit.panels import Card, Hand, Pile, Piles
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.state import State
    from companion.kit.ruling import Reason


def card(code: str, barred: Reason | None = None) -> Card:
    """Show a card face up."""
    rank, suit = face(code)
    return Card(code, rank, suit, card_name(code), Text(f"does.{code}"), rule_of(code).clause, barred)


def hand_panel(state: State, side: Side) -> Hand:
    """Show a player's own hand; in the own turn also which cards cannot be played, and why."""
    choosing = state.phase == "choose_card" and side == state.active
    return Hand(
        say("Your hand"),
        tuple(card(code, unplayable(state, side, code) if choosing else None) for code in state.hands.get(side, ())),
    )


def piles_panel(state: State, side: Side | None) -> Piles:
    """Show the piles: face-down ones by their size, the others card by card; to a player also the classes unseen."""
    mine = state.hands.get(side, ()) if side is not None and state.dealt else ()
    hidden = [CARDS[code].card_class for code in unseen(state) if code not in mine]
    shown = [
        Pile(Text("draw_pile"), len(state.draw_pile)),
        Pile(Text("discard_pile"), len(state.discard_pile), tuple(card(code) for code in state.discard_pile)),
        Pile(Text("removed"), len(state.removed), tuple(card(code) for code in state.removed)),
        *(Pile(Text(f"hand_of_{one}"), len(state.hands.get(one, ()))) for one in SIDES),
    ]
    if state.card is not None:
        shown.insert(0, Pile(Text("card_in_play"), 1, (card(state.card),)))
    if side is not None:
        shown += [Pile(Text(f"unseen_{kind}"), hidden.count(kind)) for kind in ("sector", "special", "reinforcement")]
    return Piles(say("Cards"), tuple(shown))
