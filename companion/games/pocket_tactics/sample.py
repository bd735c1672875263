"""The sample set: two factions and a bag of tiles of Companion's own, so that a game can start at once (ledger 2.7)."""

from __future__ import annotations

from companion.games.pocket_tactics.cards import Bag, Faction
from companion.games.pocket_tactics.terrain import KNOWN
from companion.kit.decks.samples import OWN
from companion.kit.rulebook import Strict, load

PACKAGE = "companion.games.pocket_tactics"
OWN_BAG = "own_bag"
"""What a bag is called that somebody has changed: a word of the game."""


class Sample(Strict, frozen=True, kw_only=True):
    """Hold the sample set: factions by their id (``bannermen_sample``, ``wildkin_sample``), and a bag."""

    faction: dict[str, Faction]
    bag: Bag


_SET = load(PACKAGE, "sample.toml", Sample)
FACTIONS = _SET.faction
BAG = _SET.bag
_CARDS = [card for faction in FACTIONS.values() for card in faction.unit]
NAMES = frozenset(
    (
        *(card.name for card in _CARDS),
        *(ability.name for card in _CARDS for ability in card.ability),
        *(kind for card in _CARDS for kind in card.types),
        *FACTIONS,
        *KNOWN,
        BAG.name,
        OWN,
        OWN_BAG,
    )
)
"""Names of the sample set that are said in every language; other names are as people wrote them."""
ABILITIES = frozenset(ability for card in _CARDS for ability in card.ability)
"""Abilities of the sample set, as long as nobody changes them: those that have a text say all in it."""
TEXTS = frozenset(ability.text for ability in ABILITIES) - {""}
"""What abilities of the sample set say, said in every language too."""
