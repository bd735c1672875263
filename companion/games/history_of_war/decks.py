"""Before the game: decks are taken, brought and written; with real cards some are added later (HW-05, HW-20, HW-22)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import asdict, replace

from companion.games.history_of_war.cards import (
    DECKS,
    LISTS,
    MOST_TERRITORIES,
    START_POINTS,
    ActionCard,
    BaseCard,
    Card,
    DevelopmentCard,
    Kind,
    Roster,
    TerritoryCard,
    UnitCard,
    UpgradeCard,
)
from companion.games.history_of_war.pieces import Seat
from companion.games.history_of_war.speech import called, whole
from companion.games.history_of_war.state import State
from companion.kit import forms
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.decks import entries, samples
from companion.kit.decks import offers as deck_offers
from companion.kit.decks.entries import MOST_CARDS, MOST_KINDS, Copies, but, made, put, tidy
from companion.kit.decks.offers import Building, LoadDeck, NameDeck, UseSample
from companion.kit.files import GameFile
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

decks = Chapter[State, Seat]()

Number = Annotated[str, Meta(pattern=r"^[tudbga][0-9]{1,2}\Z")]
"""Which card of the roster: ``u0`` is the first unit (``cards.LISTS``)."""


class SetCount(Action, frozen=True, tag="set_count"):
    """Say how many copies of a card your deck has."""

    card: Number
    count: Copies


class RemoveCard(Action, frozen=True, tag="remove_card"):
    """Take a card out of your deck."""

    card: Number


class EditTerritory(Action, TerritoryCard, frozen=True, kw_only=True, tag="edit_territory"):
    """Write a territory card, or (without ``card``) a new one."""

    card: Number | None = None


class EditBase(Action, BaseCard, frozen=True, kw_only=True, tag="edit_base"):
    """Write a base expansion, or (without ``card``) a new one."""

    card: Number | None = None


class EditUpgrade(Action, UpgradeCard, frozen=True, kw_only=True, tag="edit_upgrade"):
    """Write an upgrade, or (without ``card``) a new one."""

    card: Number | None = None


class EditAction(Action, ActionCard, frozen=True, kw_only=True, tag="edit_action"):
    """Write an action card, or (without ``card``) a new one."""

    card: Number | None = None


class EditDevelopment(Action, DevelopmentCard, frozen=True, kw_only=True, tag="edit_development"):
    """Write a development, or (without ``card``) a new one."""

    card: Number | None = None


class EditUnit(Action, UnitCard, frozen=True, kw_only=True, tag="edit_unit"):
    """Write a unit, or (without ``card``) a new one."""

    card: Number | None = None


Written = EditTerritory | EditUnit | EditDevelopment | EditBase | EditUpgrade | EditAction
WRITING: dict[Kind, tuple[type[Written], Text, Card]] = {
    "territory": (EditTerritory, say("Add a territory card"), TerritoryCard(name="", flags=4, victory_points=5)),
    "unit": (EditUnit, say("Add a unit"), UnitCard(name="", category="ground", ta_cost=1, flags=1, av_ground=1, dv=2)),
    "development": (EditDevelopment, say("Add a development"), DevelopmentCard(name="", ta_cost=1, flags=1, dv=2)),
    "base_expansion": (EditBase, say("Add a base expansion"), BaseCard(name="", ta_provided=1)),
    "upgrade": (EditUpgrade, say("Add an upgrade"), UpgradeCard(name="", ta_cost=1)),
    "action": (EditAction, say("Add an action card"), ActionCard(name="", ta_cost=1)),
}
"""The action that writes each kind of card, what is said of a new one, and what its form begins with."""
LAST = ("text", "insignia", "year", "glyph", "picture")
"""What the form of a card asks for last, after the copies."""


def form(card: Card) -> tuple[Field, ...]:
    """Ask for the values of a card."""
    asked = {field.name: field for field in forms.filled(card, *card.first)}
    if isinstance(card, UpgradeCard):
        for name in card.added:
            asked[name] = replace(asked[name], label=say("What it adds: {value}", value=asked[name].label))
    last = [asked.pop(name) for name in LAST]
    return (entries.called(card.name), *asked.values(), entries.copies(card.count), *last)


def _new(kind: Kind, *, on: str | None = None, aside: bool = False) -> Offer:
    """Offer to write a new card of a kind; its name is still to be written."""
    action, label, begun = WRITING[kind]
    return action.offer(label, *form(begun), on=on, loose=True, aside=aside, clause="HW-02")


@decks.offers
def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Offer a player the own deck, or the ways to come to one; later to write down real cards that were forgotten."""
    if state.phase != "decks":
        return tuple(_new(kind, aside=True) for kind in WRITING) if state.real else ()
    if seat in state.ready:
        return ()
    if roster := state.rosters.get(seat):
        return _of_deck(roster)
    own = f"{seat}_sample"
    begin = say("Begin a deck of your own")
    return (
        *deck_offers.samples([own], "HW-20", main=True),
        *deck_offers.samples([name for name in DECKS if name != own], "HW-20", main=False),
        deck_offers.load(DECKS[own], "HW-20", aside=False),
        NameDeck.offer(begin, entries.called(), on=deck_offers.DECK, loose=True, clause="HW-20"),
    )


@lru_cache(maxsize=32)
def _of_deck(roster: Roster) -> tuple[Offer, ...]:
    """Offer to change the lines of a deck, to write new ones, and what is rarely wanted in its menu."""
    cards = {f"{letter}{at}": card for letter, kind in LISTS.items() for at, card in enumerate(roster.lists[kind])}
    return (
        *(offer for on, card in cards.items() for offer in _line(on, card)),
        *(_new(kind, on=kind) for kind in WRITING),
        deck_offers.rename(roster),
        *deck_offers.take_out(RemoveCard, "card", tuple(Option(on, called(card.name)) for on, card in cards.items())),
        deck_offers.load(roster, "HW-20", aside=True),
        *deck_offers.samples(DECKS, "HW-20", main=False),
    )


def _line(on: str, card: Card) -> list[Offer]:
    """Offer to change how many there are of a card, and the card itself; one of which there is none may go."""
    action, *_ = WRITING[card.kind]
    change = action.offer(
        deck_offers.change(called(card.name)), *form(card), on=on, card=on, loose=True, clause="HW-02"
    )
    gone = [] if card.count else [RemoveCard.offer(say("Take out"), on=on, card=on)]
    return [*deck_offers.counts(SetCount, on, card.count, card=on), change, *gone]


def not_ready(state: State, seat: Seat) -> Reason | None:
    """Say why no game can begin with a player's deck (HW-20, HW-22, HW-A02); None when one can."""
    roster = state.rosters.get(seat)
    if roster is None:
        return Reason(say("Take or build a deck first."), "HW-20")
    if roster.territories < 2:
        return Reason(say("You need at least two territory cards."), "HW-22")
    if roster.best_pair < START_POINTS:
        text = "No two of your territories are worth {least} victory points together; the best two are worth {points}."
        return Reason(say(text, least=START_POINTS, points=roster.best_pair), "HW-22")
    if not roster.size:
        return Reason(say("There is no card in your depot: all but the territories belong there."), "HW-20")
    if roster.size > MOST_CARDS:
        return Reason(say("A depot has at most {most} cards.", most=MOST_CARDS), "HW-20")
    return None


def _before_the_game(state: State) -> bool:
    return state.phase == "decks"


def _changed(state: State, seat: Seat, _action: Action) -> Text:
    if _before_the_game(state):
        return say("{seat}: changes to the deck", seat=Text(seat))
    return say("{seat}: another card in the deck", seat=Text(seat))


def files(state: State, seat: Seat | None) -> Iterator[GameFile]:
    """Write a player's deck, where it is no sample, as a file."""
    yield from samples.files(LoadDeck, called, state.rosters.get(seat) if seat else None)


def again(fresh: State, before: State, there: Mapping[Seat, Seat]) -> State:
    """Begin a rematch with the deck that each player had: it is looked at again, and everybody says ready (HW-20)."""
    return fresh.but(rosters={there[seat]: roster for seat, roster in before.rosters.items()})


def _own(state: State, seat: Seat) -> Roster:
    """Return a player's deck as his own, what is changed is no sample any more; one that is begun where he has none."""
    return samples.owned(state.rosters.get(seat) or Roster(name=samples.OWN), DECKS)


def _check_open(state: State, seat: Seat) -> None:
    if state.phase != "decks":
        raise Refusal(say("The decks stand: the game has begun."), "HW-20")
    if seat in state.ready:
        raise Refusal(say("You have said that you are ready: undo that first."), "HW-20")


def _taken(state: State, seat: Seat, roster: Roster, ask: Ask) -> State:
    """Take a deck, and tell its player what it comes to (HW-20, HW-22)."""
    ask.tell(say("{count} card in the depot|{count} cards in the depot", count=roster.size), "HW-20", seat=seat)
    text = "Your best two territories are worth {points} victory points; {least} are needed."
    ask.tell(say(text, points=roster.best_pair, least=START_POINTS), "HW-22", seat=seat)
    return state.but(rosters={**state.rosters, seat: roster})


building = Building(decks, check=_check_open, own=_own, taken=_taken, says=_changed, quiet=_before_the_game)


@building.brings(UseSample)
def use_sample(_state: State, _seat: Seat, action: UseSample) -> Roster:
    """Take a deck of the sample set."""
    if action.sample not in DECKS:
        raise Refusal(say("There is no such sample deck."), "HW-20", "sample")
    return DECKS[action.sample]


@building.brings(LoadDeck)
def load_deck(_state: State, _seat: Seat, action: LoadDeck) -> Roster:
    """Take the deck of a roster file."""
    return samples.brought(action.text, Roster, DECKS.values())


@building.edits(SetCount)
def set_count(roster: Roster, action: SetCount) -> Roster:
    """Say how many copies of a card a deck has."""
    kind, at = _place(roster, action.card)
    return _with(roster, kind, at, replace(roster.lists[kind][at], count=action.count))


@building.edits(RemoveCard)
def remove_card(roster: Roster, action: RemoveCard) -> Roster:
    """Take a card out of a deck."""
    kind, at = _place(roster, action.card)
    changed: dict[str, Any] = {kind: but(roster.lists[kind], at)}
    return replace(roster, **changed)


def write(state: State, seat: Seat, action: Written, ask: Ask) -> State:
    """Write a card (HW-02); once the game has begun only a real one that was forgotten, before everybody.

    Cards that are there stand as they are then.
    """
    if not (state.phase != "decks" and state.real and action.card is None):
        _check_open(state, seat)
    roster, card = _own(state, seat), _made(action)
    kind, at = (card.kind, None) if action.card is None else _place(roster, action.card)
    if kind != card.kind:
        apart = "HW-05" if "territory" in {kind, card.kind} else None
        raise Refusal(say("That is another kind of card."), apart, "card")
    roster = _with(roster, kind, at, card)
    if state.phase == "decks":
        return _taken(state, seat, roster, ask)
    name = called(card.name)
    text = say("{seat} writes down another card: {count} × {card}", seat=Text(seat), count=card.count, card=name)
    ask.tell(text, "HW-20")
    ask.tell(whole(card), "HW-02")
    return state.but(rosters={**state.rosters, seat: roster})


for _action, *_ in WRITING.values():
    decks.rule(_action, says=_changed, quiet=_before_the_game)(write)


def _made(action: Written) -> Card:
    tidied: dict[str, Any] = {
        name: tuple(dict.fromkeys(value)) if isinstance(value, tuple) else tidy(value, name)
        for name, value in asdict(action).items()
        if isinstance(value, tuple) or (isinstance(value, str) and name not in {"card", "category"})
    }
    _, _, begun = WRITING[action.kind]
    return made(type(begun), action, **tidied)


def _place(roster: Roster, number: str) -> tuple[Kind, int]:
    """Return the list that a card stands in, and its place there; raise Refusal when there is none."""
    kind, at = LISTS[number[0]], int(number[1:])
    if at >= len(roster.lists[kind]):
        raise Refusal(say("There is no such card in your deck."), field="card")
    return kind, at


def _with(roster: Roster, kind: Kind, at: int | None, card: Card) -> Roster:
    """Put a card into a deck, in the place of another or behind all of its kind."""
    most = MOST_TERRITORIES if kind == "territory" else MOST_KINDS
    changed: dict[str, Any] = {kind: put(roster.lists[kind], at, card, most)}
    return replace(roster, **changed)
