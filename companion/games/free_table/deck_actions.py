"""What can be done with a deck of cards."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.games.free_table.deck_cards import Which
from companion.games.free_table.deck_lists import LONGEST_SENT, MOST_CARDS, read_list
from companion.games.free_table.deck_piles import PILES, Deck, Who
from companion.games.free_table.look import Deed, Setting
from companion.games.free_table.options import MOST_SEATS
from companion.kit.ruling import Refusal
from companion.kit.text import say

MOST_COPIES = 8
MOST_JOKERS = 4
Place = Literal["table", "discard", "hand", "top", "bottom", "shuffled", "removed"]
DOWN: tuple[Place, ...] = ("top", "bottom", "shuffled")
"""Places in the deck."""
Count = Annotated[int, Meta(ge=1, le=MOST_CARDS)]
Codes = Annotated[tuple[str, ...], Meta(max_length=MOST_CARDS)]


class SetDeck(Setting, frozen=True, tag="set_deck"):
    """Add a deck of cards, or change one: with other cards or other hands it is gathered and shuffled."""

    which: Which = "52"
    own: Annotated[str, Meta(max_length=LONGEST_SENT)] = ""
    jokers: Annotated[int, Meta(ge=0, le=MOST_JOKERS)] = 0
    copies: Annotated[int, Meta(ge=1, le=MOST_COPIES)] = 1
    real: bool = False
    peek: Who = "nobody"
    open: bool = False

    def made(self, old: Deck | None) -> Deck:
        """Make the deck; raise Refusal for a list that can not be read, or too many cards."""
        own = read_list(self.own) if self.which == "own" else ()
        deck = Deck(
            **self.look(old),
            which=self.which,
            own=own,
            jokers=self.jokers,
            copies=self.copies,
            real=self.real,
            peek=self.peek,
            open=self.open,
        )
        if len(deck.pack.faces) > MOST_CARDS:
            raise Refusal(say("A deck has {most} cards at most.", most=MOST_CARDS), field="copies")
        if old is None or any(getattr(old, part) != getattr(deck, part) for part in MAKE):
            return deck
        piles = {part: getattr(old, part) for part in PILES}
        return deck.but(**piles)


MAKE = ("which", "own", "jokers", "copies", "real", "open")
"""What makes another deck of it."""


class Draw(Deed, frozen=True, tag="draw"):
    """Draw cards from the top of the deck into the own hand."""

    count: Count = 1


class TurnUp(Deed, frozen=True, tag="turn_up"):
    """Turn over the top card of the deck onto the table; of a real deck somebody says which it is."""

    card: str | None = None


class Deal(Deed, frozen=True, tag="deal"):
    """Deal cards to some seats."""

    count: Count
    to: Annotated[tuple[str, ...], Meta(max_length=MOST_SEATS)] = ()


class Put(Deed, frozen=True, tag="put"):
    """Put cards that one holds, that lie face up, or that one looks at in the deck, somewhere else."""

    to: Place
    cards: Codes = ()


class Give(Deed, frozen=True, tag="give"):
    """Give cards of the own hand to another seat, without the others seeing them."""

    to: str
    cards: Codes = ()


class HandOver(Deed, frozen=True, tag="hand_over"):
    """Give cards of a real deck, face down, to another seat or (None) back to the deck."""

    count: Count
    to: str | None = None


class Mark(Deed, frozen=True, tag="mark"):
    """Write down which cards of a real deck one holds, for oneself."""

    cards: Codes = ()


class Shuffle(Deed, frozen=True, tag="shuffle"):
    """Shuffle the deck."""


class Cut(Deed, frozen=True, tag="cut"):
    """Cut the deck under its first cards."""

    count: Count


class Reshuffle(Deed, frozen=True, tag="reshuffle"):
    """Shuffle the discard pile into the deck."""


class Sweep(Deed, frozen=True, tag="sweep"):
    """Put all cards on the table on the discard pile."""


class Gather(Deed, frozen=True, tag="gather"):
    """Bring all cards together and shuffle them, but those that are out of the game."""


class Peek(Deed, frozen=True, tag="peek"):
    """Look at the top cards of the deck."""

    count: Count


class Search(Deed, frozen=True, tag="search"):
    """Look through the whole deck; it is shuffled afterwards."""


class Close(Deed, frozen=True, tag="close"):
    """Look no more; a deck that was searched is shuffled, whoever says so."""


Looking = Peek | Search | Close
Tidying = Shuffle | Cut | Reshuffle | Sweep | Gather
Passing = Give | HandOver | Mark
Action = Draw | TurnUp | Deal | Put | Passing | Tidying | Looking
