"""What may be done with a deck before it is played: take one, bring one, change its lines and take them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.decks import entries
from companion.kit.decks.entries import MOST_COPIES, Called, File, tidy
from companion.kit.decks.samples import Brought, written
from companion.kit.questions import Option
from companion.kit.text import Text, say

S = TypeVar("S")
P = TypeVar("P", bound=str)
B = TypeVar("B", bound=Brought)
E = TypeVar("E", bound=Action)
DECK = "deck"
"""The tracker that shows the own deck; its lines are called as the cards are."""


class UseSample(Action, frozen=True, tag="use_sample"):
    """Take a deck of the sample set, which is Companion's own."""

    sample: Annotated[str, Meta(min_length=1, max_length=20)]


class LoadDeck(Action, frozen=True, tag="load_deck"):
    """Take the deck of a roster file: TOML, JSON or CSV."""

    text: File


class NameDeck(Action, frozen=True, tag="name_deck"):
    """Give your deck another name."""

    name: Called


@dataclass(frozen=True)
class Building(Generic[S, P, B]):
    """The building of decks in a chapter of a game.

    ``check`` refuses where a player may not build any more, ``own`` returns the deck that he changes, and ``taken``
    puts another before him. ``says`` and ``quiet`` are as in ``Chapter.rule``.
    """

    chapter: Chapter[S, P]
    check: Callable[[S, P], None]
    own: Callable[[S, P], B]
    taken: Callable[[S, P, B, Ask], S]
    says: Callable[[S, P, Action], Text]
    quiet: bool | Callable[[S], bool] = True

    def __post_init__(self) -> None:
        """Let every player give his deck another name."""
        self.edits(NameDeck)(lambda deck, action: replace(deck, name=tidy(action.name)))

    def brings(self, action: type[E]) -> Callable[[Callable[[S, P, E], B]], Callable[[S, P, E], B]]:
        """Let an action bring its player a deck: returns that, or raises Refusal."""

        def register(bring: Callable[[S, P, E], B]) -> Callable[[S, P, E], B]:
            @self.chapter.rule(action, says=self.says, quiet=self.quiet)
            def rule(state: S, seat: P, action: E, ask: Ask) -> S:
                self.check(state, seat)
                return self.taken(state, seat, bring(state, seat, action), ask)

            return bring

        return register

    def edits(self, action: type[E]) -> Callable[[Callable[[B, E], B]], Callable[[B, E], B]]:
        """Let an action change its player's own deck: returns that, or raises Refusal."""

        def register(change: Callable[[B, E], B]) -> Callable[[B, E], B]:
            self.brings(action)(lambda state, seat, action: change(self.own(state, seat), action))
            return change

        return register


class Wording(NamedTuple):
    """What is said of that which is brought; a game whose players bring no decks has words of its own."""

    sample: Callable[[Text], Text]
    instead: Text
    file: Text
    use: Text
    name: Text
    take_out: Text


OF_DECKS = Wording(
    sample=lambda name: say("Use: {name}", name=name),
    instead=say("Replace your deck with this one?"),
    file=say("Deck from a file"),
    use=say("Use this deck"),
    name=say("Name the deck"),
    take_out=say("Take out of the deck"),
)


def samples(names: Iterable[str], clause: str, *, main: bool, words: Wording = OF_DECKS) -> list[Offer]:
    """Offer the sample decks: as what is done first (``main``), or in the menu of a deck that they would replace."""
    return [
        UseSample.offer(
            words.sample(Text(name)),
            sample=name,
            on=DECK,
            main=main,
            aside=not main,
            grave=not main,
            clause=clause,
            asks=None if main else words.instead,
        )
        for name in names
    ]


def load(deck: Brought, clause: str, *, aside: bool, words: Wording = OF_DECKS) -> Offer:
    """Offer to bring a deck as a file; that of ``deck`` is filled in."""
    return LoadDeck.offer(
        words.file, entries.file(written(deck)), on=DECK, loose=True, aside=aside, clause=clause, button=words.use
    )


def menu(action: type[Action], label: Text, *fields: Field) -> Offer:
    """Offer something with the whole deck that is not often wanted."""
    return action.offer(label, *fields, on=DECK, loose=True, aside=True)


def rename(deck: Brought, *, words: Wording = OF_DECKS) -> Offer:
    """Offer to give a deck another name."""
    return menu(NameDeck, words.name, entries.called(deck.name))


def take_out(action: type[Action], field: str, parts: tuple[Option, ...], *, words: Wording = OF_DECKS) -> list[Offer]:
    """Offer to take something out of a deck, where there is anything in it."""
    if not parts:
        return []
    asked = Field(field, say("What"), "choice", _numbered(parts), parts[0].value)
    return [menu(action, words.take_out, asked)]


def _numbered(parts: tuple[Option, ...]) -> tuple[Option, ...]:
    """Put a number beside each of several parts that people have called the same."""
    labels = [part.label for part in parts]
    return tuple(
        replace(part, label=say("{part} ({number})", part=part.label, number=labels[: at + 1].count(part.label)))
        if labels.count(part.label) > 1
        else part
        for at, part in enumerate(parts)
    )


def counts(
    action: type[Action], on: str, count: int, *, least: int = 0, most: int = MOST_COPIES, **given: Any
) -> list[Offer]:
    """Offer one copy less of a card and one more, as long as there are ``least`` to ``most`` of them."""
    fewer = [action.offer(say("−1"), on=on, **given, count=count - 1)] if count > least else []
    more = [action.offer(say("+1"), on=on, **given, count=count + 1)] if count < most else []
    return [*fewer, *more]


def among(
    action: type[Action],
    label: Text,
    which: str,
    parts: Iterable[tuple[Option, tuple[Field, ...]]],
    *,
    on: str,
    **given: Any,
) -> list[Offer]:
    """Offer to change each of several parts of a card: which one (``which``) is chosen on the page of the form."""
    filled_in = tuple(parts)
    options = _numbered(tuple(option for option, _ in filled_in))
    which_one = Field(which, say("Which"), "choice", options)
    offers = []
    for option, asked in filled_in:
        settled: dict[str, Any] = {**given, which: option.value}
        choice = replace(which_one, value=option.value)
        offers.append(action.offer(label, *asked, on=on, loose=True, among=choice, **settled))
    return offers


def change(name: Text) -> Text:
    """Say that a card is changed."""
    return say("Change: {card}", card=name)
