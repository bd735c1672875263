"""Corrections of a player's cards: how many a hand and a pile have, what is lost, and what is in the own hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from companion.kit.action import Field, number_field
from companion.kit.asking import Ask
from companion.kit.correction import Correction, Group, choice, several
from companion.kit.decks import FACE_DOWN, NO_CARD, one_each, without
from companion.kit.questions import Option
from companion.kit.text import Text, say

S = TypeVar("S")
NOTHING = "none"
NO = Option(NOTHING, NO_CARD)
FirstHand = Literal["looking", "kept", "changed"]
FIRST_HANDS: dict[FirstHand, Text] = {
    "looking": say("not settled yet"),
    "kept": say("kept as dealt"),
    "changed": say("changed once, and kept"),
}


class PlayerCards(msgspec.Struct, frozen=True, kw_only=True):
    """Where the cards of a player are: in the pile to draw from, in the hand, or ``lost`` for good, before all.

    ``real`` cards are face down in pile and hand; ``out`` are the copies that have left the hand. ``most`` is how many
    cards there can be.
    """

    pile: tuple[str, ...]
    hand: tuple[str, ...]
    lost: tuple[str, ...]
    out: tuple[str, ...]
    real: bool
    most: int

    @property
    def named(self) -> tuple[str, ...]:
        """List the lost cards that somebody named."""
        return tuple(code for code in self.lost if code != FACE_DOWN)


class CardLabels(NamedTuple):
    """What a game calls these values: its pile and what is lost have names of their own."""

    size: Text
    pile: Text
    nameless: Text
    hand: Text
    from_hand: Text
    from_pile: Text
    put: Text
    lost: Text
    take: Text


def corrections(
    held: PlayerCards,
    seat: str,
    group: Group,
    called: CardLabels,
    name: Callable[[str], Text],
    put: Callable[[PlayerCards], S],
) -> Iterator[Correction[S]]:
    """Declare what can be corrected about a player's cards; what is in a hand or a pile only he is shown.

    How many a hand has everybody sees, which ones chance says. ``name`` says what a card is called, ``put`` makes a
    state of how they lie then.
    """
    hand, pile, lost, named = held.hand, held.pile, held.lost, held.named
    size = number_field("value", called.size, len(hand), 0, len(hand) + len(pile))
    yield group.value("size", size, lambda sent, ask: put(_resize(held, seat, int(sent), ask)), reveals=not held.real)
    if held.real:
        most = max(held.most, len(pile), len(lost))
        yield group.number(
            "pile", called.pile, len(pile), lambda count: put(replace(held, pile=(FACE_DOWN,) * count)), high=most
        )
        nameless = len(lost) - len(named)
        yield group.number(
            "nameless",
            called.nameless,
            nameless,
            lambda count: put(replace(held, lost=(*named, *(FACE_DOWN,) * count))),
            high=most,
        )
    else:
        own = _options(sorted((*hand, *pile), key=order), name)
        now = Field("value", called.hand, "many", own, value=tuple(sorted(hand, key=order)))
        yield group.value(
            "hand",
            now,
            lambda sent, _: put(replace(held, hand=several(sent), pile=without((*hand, *pile), several(sent)))),
            secret_of=seat,
            only=seat,
        )
        away = choice(called.put, (NO, *hidden(held, called, name)), NOTHING)
        yield group.value(
            "put", away, lambda code, _: put(replace(removed(held, code), lost=(*lost, code))), reveals=True, only=seat
        )
    if named:
        lying = tuple(Option(str(at), name(code)) for at, code in enumerate(named))
        every = [option.value for option in lying]
        yield group.many(
            "discard",
            called.lost,
            lying,
            every,
            lambda kept: put(_take(held, tuple(code for at, code in enumerate(named) if str(at) not in kept), "pile")),
        )
        takes = (NO, *lying)
        yield group.choice("take", called.take, takes, NOTHING, lambda at: put(_take(held, (named[int(at)],), "hand")))


def first_hand(group: Group, seat: str, put: Callable[[bool, bool], S], *, kept: bool, changed: bool) -> Correction[S]:
    """Declare whether a player has settled his first hand; ``put`` has whether it is kept, and was changed before."""
    hand: FirstHand = "looking" if not kept else "changed" if changed else "kept"
    label = say("First hand of {seat}", seat=Text(seat))
    return group.one_of(f"hand.{seat}", label, FIRST_HANDS, hand, lambda now: put(now != "looking", now == "changed"))


def hidden(cards: PlayerCards, called: CardLabels, name: Callable[[str], Text]) -> tuple[Option, ...]:
    """List the cards of a hand and a pile, each kind once and with where it is; only their owner may be shown them."""
    from_hand = _options(one_each(cards.hand), name, called.from_hand)
    return (*from_hand, *_options(one_each(cards.pile), name, called.from_pile))


def order(code: str) -> tuple[str, int, int]:
    """Sort codes by what they mean: their sort, their number, the copy."""
    kind, _, copy = code.partition(".")
    digits = kind.lstrip("abcdefghijklmnopqrstuvwxyz")
    return kind.removesuffix(digits), int(digits), int(copy)


def _options(codes: Iterable[str], name: Callable[[str], Text], where: Text | None = None) -> tuple[Option, ...]:
    return tuple(
        Option(code, say("{card}, {where}", card=name(code), where=where) if where else name(code)) for code in codes
    )


def removed(cards: PlayerCards, code: str) -> PlayerCards:
    """Take a card out of the hand or, where it is not there, out of the pile."""
    if code in cards.hand:
        return replace(cards, hand=without(cards.hand, (code,)))
    return replace(cards, pile=without(cards.pile, (code,)))


def _resize(cards: PlayerCards, seat: str, size: int, ask: Ask) -> PlayerCards:
    """Let a hand hold so many cards: others come from the pile, or go back into it, as chance says."""
    more = size - len(cards.hand)
    source, count = (cards.pile, more) if more > 0 else (cards.hand, -more)
    if cards.real:
        moved: tuple[str, ...] = (FACE_DOWN,) * count
    elif count:
        moved = ask.draw(source, count, "corrected", say("cards of {seat}", seat=Text(seat)), by=seat, secret=True)
    else:
        return cards
    if more > 0:
        return replace(cards, pile=without(cards.pile, moved), hand=(*cards.hand, *moved))
    return replace(cards, hand=without(cards.hand, moved), pile=(*cards.pile, *moved))


def _take(cards: PlayerCards, codes: tuple[str, ...], where: str) -> PlayerCards:
    """Take lost cards into the hand or the pile; real ones are face down there."""
    face = (FACE_DOWN,) * len(codes) if cards.real else codes
    out = tuple(code for code in cards.out if code not in codes)
    lost = without(cards.lost, codes)
    if where == "hand":
        return replace(cards, lost=lost, out=out, hand=(*cards.hand, *face))
    return replace(cards, lost=lost, out=out, pile=(*cards.pile, *face))
