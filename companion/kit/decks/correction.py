"""Corrections of a player's cards: how many a hand and a pile have, what is lost, and what is in the own hand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from companion.kit.asking import Option
from companion.kit.cards import FACE_DOWN, without
from companion.kit.correction import Correction, Tracked, choice
from companion.kit.decks.copies import NO_CARD, one_each
from companion.kit.decks.fields import number
from companion.kit.offer import Field
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.kit.asking import Ask

S = TypeVar("S")
NOTHING = "none"
NO = Option(NOTHING, NO_CARD)


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
    path: str,
    group: Text,
    called: CardLabels,
    name: Callable[[str], Text],
    put: Callable[[PlayerCards], S],
) -> list[Correction[S]]:
    """List what can be corrected about a player's cards (``tracked``); ``put`` makes a state of how they lie then."""

    def set_part(part: str, value: str, ask: Ask) -> S:
        return put(correct(held, part, value, ask, seat=seat))

    return [
        Correction(value, partial(set_part, value.path.removeprefix(f"{path}.")))
        for value in tracked(held, seat, path, group, called, name)
    ]


def tracked(
    cards: PlayerCards, seat: str, path: str, group: Text, called: CardLabels, name: Callable[[str], Text]
) -> list[Tracked]:
    """List what can be corrected about a player's cards; what is in a hand or a pile only he is shown.

    ``name`` says what a card is called.
    """
    size = number("value", called.size, len(cards.hand), 0, len(cards.hand) + len(cards.pile))
    values = [Tracked(f"{path}.size", group, size, reveals=not cards.real)]
    if cards.real:
        most = max(cards.most, len(cards.pile), len(cards.lost))
        nameless = len(cards.lost) - len(cards.named)
        values.append(Tracked(f"{path}.pile", group, number("value", called.pile, len(cards.pile), 0, most)))
        values.append(Tracked(f"{path}.nameless", group, number("value", called.nameless, nameless, 0, most)))
    else:
        own = _options(sorted((*cards.hand, *cards.pile), key=order), name)
        hand = Field("value", called.hand, "many", own, value=tuple(sorted(cards.hand, key=order)))
        values.append(Tracked(f"{path}.hand", group, hand, secret_of=seat, only=seat))
        put = choice(called.put, (NO, *hidden(cards, called, name)), NOTHING)
        values.append(Tracked(f"{path}.put", group, put, reveals=True, only=seat))
    if cards.named:
        options = by_place(cards.named, name)
        lying = Field("value", called.lost, "many", options, value=tuple(option.value for option in options))
        take = choice(called.take, (NO, *options), NOTHING)
        values += [Tracked(f"{path}.discard", group, lying), Tracked(f"{path}.take", group, take)]
    return values


def hidden(cards: PlayerCards, called: CardLabels, name: Callable[[str], Text]) -> tuple[Option, ...]:
    """List the cards of a hand and a pile, each kind once and with where it is; only their owner may be shown them."""
    from_hand = _options(one_each(cards.hand), name, called.from_hand)
    return (*from_hand, *_options(one_each(cards.pile), name, called.from_pile))


def by_place(codes: Sequence[str], name: Callable[[str], Text]) -> tuple[Option, ...]:
    """List cards by their place, not their code: that would tell everybody where a card stands in its owner's list."""
    return tuple(Option(str(at), name(code)) for at, code in enumerate(codes))


def order(code: str) -> tuple[str, int, int]:
    """Sort codes by what they mean: their sort, their number, the copy."""
    kind, _, copy = code.partition(".")
    digits = kind.lstrip("abcdefghijklmnopqrstuvwxyz")
    return kind.removesuffix(digits), int(digits), int(copy)


def _options(codes: Iterable[str], name: Callable[[str], Text], where: Text | None = None) -> tuple[Option, ...]:
    return tuple(
        Option(code, say("{card}, {where}", card=name(code), where=where) if where else name(code)) for code in codes
    )


def correct(cards: PlayerCards, part: str, value: str, ask: Ask, *, seat: str) -> PlayerCards:
    """Move cards between hand, pile and what is lost; how many a hand has everybody sees, which ones chance says."""
    match part:
        case "size":
            return _resize(cards, seat, int(value), ask)
        case "pile":
            return replace(cards, pile=(FACE_DOWN,) * int(value))
        case "nameless":
            return replace(cards, lost=(*cards.named, *(FACE_DOWN,) * int(value)))
        case "hand":
            wanted = tuple(code for code in value.split(",") if code)
            return replace(cards, hand=wanted, pile=without((*cards.hand, *cards.pile), wanted))
        case "put":
            return cards if value == NOTHING else replace(removed(cards, value), lost=(*cards.lost, value))
        case "take":
            return cards if value == NOTHING else _take(cards, (cards.named[int(value)],), "hand")
    lying = value.split(",")
    return _take(cards, tuple(code for at, code in enumerate(cards.named) if str(at) not in lying), "pile")


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
