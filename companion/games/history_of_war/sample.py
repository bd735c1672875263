"""The sample set: two decks of Companion's own, so that a game can start in a minute (ledger 2.5)."""

from __future__ import annotations

from companion.games.history_of_war.cards import Roster
from companion.kit.decks.samples import OWN
from companion.kit.rulebook import Strict, load

PACKAGE = "companion.games.history_of_war"


class Sample(Strict, frozen=True, kw_only=True):
    """Hold the sample set: decks by their id (``blue_sample``, ``red_sample``)."""

    deck: dict[str, Roster]


DECKS = load(PACKAGE, "sample.toml", Sample).deck
NAMES = frozenset(
    (
        *(card.name for deck in DECKS.values() for card in (*deck.territory, *deck.cards)),
        *(deck.name for deck in DECKS.values()),
        OWN,
    )
)
"""Names of the sample set that are said in every language; other names are as people wrote them."""
TEXTS = frozenset(card.text for deck in DECKS.values() for card in (*deck.territory, *deck.cards)) - {""}
"""What cards of the sample set say, said in every language too."""
