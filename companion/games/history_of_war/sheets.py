"""The sample decks as player aids: what each card costs and is worth, to be printed (ledger 2.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import describing, speech
from companion.games.history_of_war.cards import CATEGORIES, UnitCard
from companion.games.history_of_war.sample import DECKS
from companion.kit.counts import number
from companion.kit.rulebook import Line, Listing, Sheet
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.history_of_war.cards import (
        ActionCard,
        BaseCard,
        Card,
        DevelopmentCard,
        Roster,
        TerritoryCard,
        UpgradeCard,
    )

CARD, COST, FLAGS, DEFENCE, COPIES = say("Card"), say("TA"), say("Flags"), say("DV"), say("Copies")
FIELDED_COLUMNS = (CARD, COST, FLAGS, say("AV ground"), say("AV air"), say("AV naval"), DEFENCE, COPIES)


def sheets() -> tuple[Sheet, ...]:
    """Make the sheet of each sample deck."""
    return tuple(_deck(name, deck) for name, deck in DECKS.items())


def _deck(name: str, deck: Roster) -> Sheet:
    played: tuple[UpgradeCard | ActionCard, ...] = (*deck.upgrade, *deck.action)
    listings = (
        Listing(say("Territories"), (CARD, FLAGS, say("VP"), COPIES), tuple(map(_territory, deck.territory)), "HW-06"),
        Listing(
            say("Base expansions"), (CARD, say("Yields TA"), COPIES), tuple(map(_base, deck.base_expansion)), "HW-07"
        ),
        Listing(say("Units"), FIELDED_COLUMNS, tuple(map(_fielded, deck.unit)), "HW-15"),
        Listing(say("Developments"), FIELDED_COLUMNS, tuple(map(_fielded, deck.development)), "HW-14"),
        Listing(say("Upgrades and action cards"), (CARD, COST, COPIES), tuple(map(_played, played)), "HW-09"),
    )
    return Sheet(name, Text(name), listings, say("Sample cards of Companion's own, not official."))


def _territory(card: TerritoryCard) -> Line:
    return _line(card, number(card.flags), number(card.victory_points))


def _base(card: BaseCard) -> Line:
    return _line(card, number(card.ta_provided))


def _fielded(card: UnitCard | DevelopmentCard) -> Line:
    values = (_value(getattr(card, f"av_{category}")) for category in CATEGORIES)
    parts = [Text(card.category)] if isinstance(card, UnitCard) else []
    if card.ta_provided:
        parts.append(say("yields {count} TA", count=card.ta_provided))
    return _line(card, number(card.ta_cost), number(card.flags), *values, _value(card.dv), first=parts)


def _played(card: UpgradeCard | ActionCard) -> Line:
    return _line(card, number(card.ta_cost))


def _line(card: Card, *cells: Text, first: list[Text] | None = None) -> Line:
    """Make the row of a card: its name, its numbers, how many copies there are, and below what is written on it."""
    parts = [*(first or []), *describing.written(card)]
    more = listed(parts, describing.NOTHING) if parts else None
    return Line((speech.called(card.name), *cells, number(card.count)), more=more)


def _value(value: int | None) -> Text:
    return describing.NOTHING if value is None else number(value)
