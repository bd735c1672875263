"""The sample decks as player aids: what each card costs and does, to be printed (ledger 2.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import describing, speech
from companion.games.tactics_2gm.sample import DECKS, TERRAIN
from companion.kit.counts import number
from companion.kit.rulebook import Line, Listing, Sheet
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.cards import Roster, UnitCard

UNIT_COLUMNS = (say("Unit"), say("Cost"), say("Moves"), say("Armour"), say("Wounds"), say("Copies"))
CARD_COLUMNS = (say("Card"), say("Cost"), say("Copies"))


def sheets() -> tuple[Sheet, ...]:
    """Make the sheet of each sample deck, and that of the terrain deck."""
    return (*(_deck(name, deck) for name, deck in DECKS.items()), _terrain())


def _deck(name: str, deck: Roster) -> Sheet:
    units = tuple(
        Line(
            (
                speech.called(card.name),
                number(card.cost),
                number(card.movement),
                number(card.armour),
                number(card.wounds),
                number(card.count),
            ),
            more=_weapons(card),
        )
        for card in deck.unit
    )
    support = tuple(
        Line((speech.called(card.name), number(card.cost), number(card.count)), more=describing.support(card))
        for card in deck.support
    )
    listings = (
        Listing(say("Units"), UNIT_COLUMNS, units, clause="G2-57"),
        Listing(say("Support cards"), CARD_COLUMNS, support, clause="G2-18"),
    )
    return Sheet(name, Text(name), listings, say("Sample cards of Companion's own, not official."))


def _weapons(card: UnitCard) -> Text:
    """Say what a unit fires, and its equipment with what that fires or covers."""
    parts = [describing.weapon(weapon) for weapon in card.weapon]
    for one in card.option:
        what = describing.weapon(one.weapon) if one.weapon is not None else speech.called(one.slot_id)
        parts.append(say("+{cost} {what}", cost=one.cost, what=what))
        if one.cover != (0, 0):
            parts.append(say("against it {modifier}", modifier=describing.modifier(one.cover)))
    return listed(parts, describing.NOTHING)


def _terrain() -> Sheet:
    lines = tuple(
        Line((speech.called(card.name), number(card.cost), number(card.count)), more=describing.terrain(card))
        for card in TERRAIN.terrain
    )
    listing = Listing(say("Terrain"), CARD_COLUMNS, lines, clause="G2-47")
    return Sheet(TERRAIN.name, Text(TERRAIN.name), (listing,), say("Sample cards of Companion's own, not official."))
