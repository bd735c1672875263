"""What a player may do with the deck before the game, and with real cards later."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from companion.games.history_of_war import preparing_forms as forms
from companion.games.history_of_war.actions import RemoveCard, SetCount
from companion.games.history_of_war.cards import LISTS
from companion.games.history_of_war.sample import DECKS
from companion.games.history_of_war.speech import called
from companion.kit.asking import Option
from companion.kit.decks import fields
from companion.kit.decks import offers as ways
from companion.kit.offer import Offer
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.cards import Card, Kind, Roster
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State

WRITING: dict[Kind, tuple[str, Text]] = {
    "territory": ("edit_territory", say("Add a territory card")),
    "unit": ("edit_unit", say("Add a unit")),
    "development": ("edit_development", say("Add a development")),
    "base_expansion": ("edit_base", say("Add a base expansion")),
    "upgrade": ("edit_upgrade", say("Add an upgrade")),
    "action": ("edit_action", say("Add an action card")),
}
"""The action that writes each kind of card, and what is said of a new one."""


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a player the own deck, or the ways to come to one."""
    roster = state.rosters.get(seat)
    return list(_of_deck(roster)) if roster is not None else _first(seat)


def numbered(roster: Roster) -> dict[str, Card]:
    """Return all kinds of cards of a deck by what they are called, territories first."""
    return {f"{letter}{at}": card for letter, kind in LISTS.items() for at, card in enumerate(getattr(roster, kind))}


def _first(seat: Seat) -> list[Offer]:
    """Offer the ways to come to a deck; the sample deck of the own colour first."""
    own = f"{seat}_sample"
    begin = say("Begin a deck of your own")
    return [
        *ways.samples([own], "HW-20", main=True),
        *ways.samples([name for name in DECKS if name != own], "HW-20", main=False),
        ways.load(DECKS[own], "HW-20", aside=False),
        Offer("name_deck", begin, fields=(fields.called(),), on=ways.DECK, loose=True, clause="HW-20"),
    ]


@lru_cache(maxsize=32)
def _of_deck(roster: Roster) -> tuple[Offer, ...]:
    """Offer to change the lines of a deck, to write new ones, and what is rarely wanted in its menu."""
    cards = numbered(roster)
    found = [offer for on, card in cards.items() for offer in _line(on, card)]
    found += [_new(kind) for kind in WRITING]
    return (
        *found,
        ways.rename(roster),
        *ways.take_out(RemoveCard, "card", tuple(Option(on, called(card.name)) for on, card in cards.items())),
        ways.load(roster, "HW-20", aside=True),
        *ways.samples(DECKS, "HW-20", main=False),
    )


def _line(on: str, card: Card) -> list[Offer]:
    """Offer to change how many there are of a card, and the card itself; one of which there is none may go."""
    action, _ = WRITING[LISTS[on[0]]]
    given = {"card": on}
    change = Offer(action, ways.change(called(card.name)), given, forms.form(card), on=on, loose=True, clause="HW-02")
    gone = [] if card.count else [Offer("remove_card", say("Take out"), given, on=on)]
    return [*ways.counts(SetCount, on, card.count, card=on), change, *gone]


def _new(kind: Kind) -> Offer:
    """Offer to write a new card of a kind, below the others of it."""
    action, label = WRITING[kind]
    return Offer(action, label, fields=forms.fresh(kind), on=kind, loose=True, clause="HW-02")


@cache
def _forgotten() -> tuple[Offer, ...]:
    return tuple(
        Offer(action, label, fields=forms.fresh(kind), loose=True, aside=True, clause="HW-02")
        for kind, (action, label) in WRITING.items()
    )


def later() -> list[Offer]:
    """Offer to write down real cards that are not in the list yet."""
    return list(_forgotten())
