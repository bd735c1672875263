"""Hand and piles as a seat may see them (ledger 5.2), and the victory points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import building, hands, speech
from companion.games.history_of_war.card_view import reads
from companion.games.history_of_war.sides import SEATS
from companion.kit import decks
from companion.kit.panels import Card, Hand, Pile, Piles, Row, Tracker
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State


def hand(state: State, seat: Seat | None) -> tuple[Hand, ...]:
    """Show a player his own hand; with real cards what he may hold of his list."""
    if seat is None or seat not in state.decks or state.phase == "finished":
        return ()
    held = hands.playable(state, seat)
    kinds = decks.one_each(held)
    cards = tuple(_card(state, seat, code, why=code in kinds) for code in held)
    title = say("What you may hold of your list") if state.real else say("Your hand")
    first = state.phase == "mulligan" and not state.deck(seat).kept and not state.real
    return (Hand(title, cards, first=first),) if cards else ()


def _card(state: State, seat: Seat, code: str, *, why: bool) -> Card:
    """Show a card of the hand; of several of a kind the first says why it can not be played."""
    card = state.find_card(seat, code)
    barred = building.barred(state, seat, code) if state.begun and why else None
    return Card(code, "", None, speech.code(state, seat, code), reads(card) if card else say("–"), barred=barred)


def piles(state: State) -> tuple[Piles, ...]:
    """Count depots and hands, and show the scrapyards, which lie open."""
    if not state.decks:
        return ()
    found = []
    for seat in SEATS:
        deck = state.deck(seat)
        found.append(Pile(say("{side}: depot", side=Text(seat)), len(deck.depot)))
        found.append(Pile(say("{side}: hand", side=Text(seat)), len(deck.hand)))
        lost = tuple(_lost(at, speech.code(state, seat, code)) for at, code in enumerate(deck.scrapyard))
        found.append(Pile(say("{side}: scrapyard", side=Text(seat)), len(deck.scrapyard), lost))
    return (Piles(say("Depots and scrapyards"), tuple(found)),)


def _lost(place: int, name: Text) -> Card:
    """Show a lost card to everybody by its place: its code would tell where it stands in its owner's list."""
    return Card(str(place), "", None, name, say("–"))


def score(state: State, seat: Seat | None) -> tuple[Tracker, ...]:
    """Show the victory points of both, of those that win (HW-01, HW-100)."""
    if not state.territories:
        return ()
    most = state.options.to_win
    rows = []
    for one in (seat, *(other for other in SEATS if other != seat)) if seat else SEATS:
        points = state.victory_points(one)
        role = say("attacks first") if one == state.attacker else say("defends first")
        if one in state.holding:
            role = say("{one}, {two}", one=role, two=say("stops at every phase"))
        rows.append(
            Row(
                f"points.{one}",
                Text(one),
                say("{have} / {most}", have=points, most=most),
                one,
                role if state.begun else None,
                min(max(points, 0), most),
                most,
            )
        )
    return (Tracker("score", say("Victory points"), tuple(rows), glyph="flag"),)
