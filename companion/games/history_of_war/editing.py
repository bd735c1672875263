"""The editor: a player's own deck, card by card (HW-02, HW-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.games.history_of_war import actions as do
from companion.games.history_of_war.cards import (
    LISTS,
    MOST_TERRITORIES,
    ActionCard,
    BaseCard,
    Card,
    DevelopmentCard,
    Kind,
    Roster,
    TerritoryCard,
    UnitCard,
    UpgradeCard,
    kind_of,
)
from companion.games.history_of_war.sample import DECKS
from companion.kit.decks import samples
from companion.kit.decks.editing import but, put, tidy
from companion.kit.decks.written import MOST_KINDS
from companion.kit.ruling import Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State

MADE: dict[type[do.Editing], type[Card]] = {
    do.EditTerritory: TerritoryCard,
    do.EditUnit: UnitCard,
    do.EditDevelopment: DevelopmentCard,
    do.EditBase: BaseCard,
    do.EditUpgrade: UpgradeCard,
    do.EditAction: ActionCard,
}
"""Which card each action writes."""


def edit(state: State, seat: Seat, action: do.NameDeck | do.SetCount | do.RemoveCard | do.Written) -> Roster:
    """Change a player's deck; raise Refusal naming the field, with nothing changed."""
    roster = samples.owned(state.rosters.get(seat) or Roster(name=samples.OWN), DECKS)
    match action:
        case do.NameDeck():
            return replace(roster, name=tidy(action.name))
        case do.SetCount():
            kind, at = _place(roster, action.card)
            return _with(roster, kind, at, replace(_cards(roster, kind)[at], count=action.count))
        case do.RemoveCard():
            kind, at = _place(roster, action.card)
            return _replaced(roster, kind, but(_cards(roster, kind), at))
        case _:
            return _written(roster, action)


def made(action: do.Written) -> Card:
    """Return the card that a player writes; raise Refusal for one without a name."""
    values = {name: getattr(action, name) for name in action.__struct_fields__ if name != "card"}
    for name, value in values.items():
        if isinstance(value, str) and name != "category":
            values[name] = tidy(value, name)
        if isinstance(value, tuple):
            values[name] = tuple(dict.fromkeys(value))
    return MADE[type(action)](**values)


def _written(roster: Roster, action: do.Written) -> Roster:
    card = made(action)
    kind, at = (kind_of(card), None) if action.card is None else _place(roster, action.card)
    if kind != kind_of(card):
        apart = "HW-05" if "territory" in {kind, kind_of(card)} else None
        raise Refusal(say("That is another kind of card."), apart, "card")
    return _with(roster, kind, at, card)


def _place(roster: Roster, number: str) -> tuple[Kind, int]:
    """Return the list that a card stands in, and its place there; raise Refusal when there is none."""
    kind, at = LISTS[number[0]], int(number[1:])
    if at >= len(_cards(roster, kind)):
        raise Refusal(say("There is no such card in your deck."), field="card")
    return kind, at


def _cards(roster: Roster, kind: Kind) -> tuple[Card, ...]:
    found: tuple[Card, ...] = getattr(roster, kind)
    return found


def _with(roster: Roster, kind: Kind, at: int | None, card: Card) -> Roster:
    most = MOST_TERRITORIES if kind == "territory" else MOST_KINDS
    return _replaced(roster, kind, put(_cards(roster, kind), at, card, most))


def _replaced(roster: Roster, kind: Kind, cards: tuple[Card, ...]) -> Roster:
    changed: dict[str, Any] = {kind: cards}
    return replace(roster, **changed)
