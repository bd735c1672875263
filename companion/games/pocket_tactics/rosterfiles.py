"""Factions and bags as files: read whole or refused with the place, terrains called as Companion knows them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.pocket_tactics.cards import Bag, Faction
from companion.games.pocket_tactics.sample import BAG, FACTIONS
from companion.games.pocket_tactics.terrain import known_as
from companion.kit.decks import samples

if TYPE_CHECKING:
    from companion.games.pocket_tactics.cards import UnitCard


def faction(text: str) -> Faction:
    """Read a faction; raise Refusal naming its row and field. It may cost too much: that is seen to later (PT-A46)."""
    return known(samples.brought(text, Faction, FACTIONS.values()))


def bag(text: str) -> Bag:
    """Read what is in the bag, kinds of which there is a tile; raise Refusal naming its row and field (PT-13)."""
    found = samples.brought(text, Bag, (BAG,))
    return replace(found, tile=tuple(replace(one, terrain=known_as(one.terrain)) for one in found.tile if one.count))


def known(faction: Faction) -> Faction:
    """Call terrains as Companion knows them; a unit of the faction itself is no mercenary (PT-07)."""
    return replace(faction, unit=tuple(_known(card, faction.name) for card in faction.unit))


def _known(card: UnitCard, army: str) -> UnitCard:
    return replace(
        card,
        faction="" if card.faction.casefold() == army.casefold() else card.faction,
        affinities=tuple(map(known_as, card.affinities)),
        melee=card.melee.replace("|", "/"),
        ballistic=card.ballistic.replace("|", "/"),
        third_skill=card.third_skill.replace("|", "/"),
    )


@lru_cache(maxsize=64)
def within(faction: Faction, limit: int) -> Faction:
    """Take so many units of each kind that they cost no more than a limit, as they are among each other (PT-A46)."""
    counts = samples.shares([card.copies for card in faction.unit], [card.cost for card in faction.unit], limit)
    units = zip(faction.unit, counts, strict=True)
    return replace(faction, unit=tuple(replace(card, copies=count) for card, count in units if count))
