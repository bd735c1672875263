"""What a seat sees of the decks before the game: its own with everything in it, of the other whether it is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import describing
from companion.games.history_of_war.card_view import GLYPHS
from companion.games.history_of_war.cards import LISTS, START_POINTS
from companion.games.history_of_war.sides import SEATS
from companion.games.history_of_war.speech import called
from companion.kit.counts import number
from companion.kit.decks import shown
from companion.kit.panels import Facts, Row, Tracker
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.cards import Card, Kind, Roster
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.panels import Panel

SORTS: dict[Kind, Text] = {
    "territory": say("Territories"),
    "unit": say("Units"),
    "development": say("Developments"),
    "base_expansion": say("Base expansions"),
    "upgrade": say("Upgrades"),
    "action": say("Action cards"),
}


def panels(state: State, seat: Seat) -> tuple[Panel, ...]:
    """Show a player the own deck before the game, and what everybody may know of the other's (ledger 5.2)."""
    roster = state.rosters.get(seat)
    facts = Facts(say("The decks"), tuple(shown.readiness(SEATS, state.ready)))
    if roster is None:
        return (shown.deck(None, (), sample=False), facts)
    sorts = (_sort(letter, kind, getattr(roster, kind)) for letter, kind in LISTS.items())
    return (shown.deck(called(roster.name), _whole(roster), sample=roster.sample), *sorts, facts)


def _whole(roster: Roster) -> tuple[Row, ...]:
    """Show how large the depot is, and whether two territories are worth enough (HW-20, HW-22)."""
    points = roster.best_pair
    note = say("the best two are worth {points} victory points; {least} are needed", points=points, least=START_POINTS)
    return (
        Row("depot", say("Cards in the depot"), number(roster.size)),
        Row(
            "territories",
            say("Territory cards"),
            number(roster.territories),
            note=note,
            level=min(points, START_POINTS),
            most=START_POINTS,
        ),
    )


def _sort(letter: str, kind: Kind, cards: tuple[Card, ...]) -> Tracker:
    """Show the cards of one sort; a new one of it is added below."""
    rows = tuple(
        shown.line(f"{letter}{at}", called(card.name), card.count, describing.whole(card))
        for at, card in enumerate(cards)
    )
    note = say("{count} card|{count} cards", count=sum(card.count for card in cards))
    return Tracker(kind, SORTS[kind], rows, glyph=GLYPHS.get(kind, "tank"), note=note)
