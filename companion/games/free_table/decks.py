"""Decks of cards: drawn, dealt and held in secret, or only remembered while the real ones lie on the table."""

from __future__ import annotations

from functools import lru_cache

from companion.games.free_table.deck_actions import MOST_COPIES, MOST_JOKERS, Action, SetDeck
from companion.games.free_table.deck_cards import KEPT
from companion.games.free_table.deck_corrections import correct, tracked
from companion.games.free_table.deck_lists import LONGEST_LIST, Own, write_list
from companion.games.free_table.deck_offers import offers
from companion.games.free_table.deck_piles import PILES, Deck
from companion.games.free_table.deck_rules import rule
from companion.games.free_table.deck_view import panels
from companion.games.free_table.look import choice, look_fields, number, text
from companion.kit.offer import Field
from companion.kit.text import say

__all__ = ["Action", "Deck", "SetDeck", "correct", "fields", "fresh", "offers", "panels", "rule", "tracked"]

WHICH = {
    "52": "52 cards",
    "32": "32 cards: 7 to ace",
    "24": "24 cards: 9 to ace",
    "24_cities": "24 cards of A Tale of Two Cities",
    "40": "40 Spanish cards",
    "48": "48 Spanish cards",
    "own": "My own list",
}


def fields(old: Deck | None) -> tuple[Field, ...]:
    """Ask for what makes a deck."""
    shown = old or Deck()
    name, colour, glyph = look_fields(old)
    return (
        name,
        choice("which", say("Which cards"), WHICH, shown.which, WHICH),
        _own(shown.own),
        number("copies", say("How many decks in one"), shown.copies, 1, MOST_COPIES),
        number("jokers", say("Jokers"), shown.jokers, 0, MOST_JOKERS),
        Field(
            "real",
            say("The real cards are on the table"),
            "yes_no",
            value=shown.real,
            hint=say("Companion then only remembers what lies where."),
        ),
        choice("peek", say("Who may look into the deck"), ("nobody", "keeper", "everyone"), shown.peek),
        Field("open", say("Hands lie open"), "yes_no", value=shown.open),
        colour,
        glyph,
    )


@lru_cache(maxsize=KEPT)
def _own(cards: tuple[Own, ...]) -> Field:
    hint = say("One card a line, or names separated by commas; or name, count, text: “Goblin, 3, Bites”.")
    return text("own", say("My own list"), write_list(cards), LONGEST_LIST, hint)


def fresh(tracker: Deck) -> Deck:
    """Return it as at the start of a game: all together and shuffled."""
    new = Deck()
    return tracker.but(**{part: getattr(new, part) for part in PILES})
