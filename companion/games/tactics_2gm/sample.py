"""The sample set: cards and a scenario of Companion's own, so that a game can start in a minute (ledger 2.5)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.tactics_2gm.cards import Roster, Scenario, TerrainDeck
from companion.kit.decks.samples import OWN
from companion.kit.rulebook import Strict, load

PACKAGE = "companion.games.tactics_2gm"


class Sample(Strict, frozen=True, kw_only=True):
    """Hold the sample set: decks by their id (``allies_sample`` ...), the terrain deck and scenarios."""

    deck: dict[str, Roster]
    terrain: TerrainDeck
    scenario: dict[str, Scenario]


SAMPLE = load(PACKAGE, "sample.toml", Sample)
DECKS = SAMPLE.deck
TERRAIN = SAMPLE.terrain
SCENARIOS = SAMPLE.scenario
NAMES = frozenset(
    (
        *(card.name for deck in DECKS.values() for card in deck.cards),
        *(weapon.name for deck in DECKS.values() for card in deck.unit for weapon in card.weapon),
        *(part.weapon.name for deck in DECKS.values() for card in deck.unit for part in card.option if part.weapon),
        *(part.slot_id for deck in DECKS.values() for card in deck.unit for part in card.option),
        *(general.name for deck in DECKS.values() for general in deck.general),
        *(card.name for card in TERRAIN.terrain),
        *(deck.name for deck in DECKS.values()),
        *(scenario.name for scenario in SCENARIOS.values()),
        TERRAIN.name,
        OWN,
    )
)
"""Names of the sample set that are said in every language; other names are as people wrote them."""
SUPPORT = frozenset(replace(card, count=0) for deck in DECKS.values() for card in deck.support)
"""Support cards of the sample set, however many there are of them: their texts say all that they do."""
TEXTS = frozenset(
    (
        *(card.text for deck in DECKS.values() for card in deck.support),
        *(card.capabilities for deck in DECKS.values() for card in deck.unit),
        *(general.text for deck in DECKS.values() for general in deck.general),
        *(one.text for one in SCENARIOS.values()),
    )
) - {""}
"""What cards of the sample set say, said in every language too."""
