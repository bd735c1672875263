"""Corrections of a player's cards: how many a hand and a pile have, what is lost, and what is in the own hand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from companion.kit.asking import Option
from companion.kit.cards import FACE_DOWN, without
from companion.kit.corrected import choice
from companion.kit.correction import Correction, Tracked
from companion.kit.decks.copies import NO_CARD, one_each
from companion.kit.offer import Field
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from companion.kit.asking import Ask
    from companion.kit.correction import Group

S = TypeVar("S")
"""The state of the game."""
NOTHING = "none"
NO = Option(NOTHING, NO_CARD)


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """Hold where the cards of a player are: in the pile to draw from, in the hand, or ``lost`` for good, before all.

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


class Called(NamedTuple):
    """Hold what a game calls these values: its pile and what is lost have names of their own."""

    size: Text
    pile: Text
    nameless: Text
    hand: Text
    from_hand: Text
    from_pile: Text
    put: Text
    lost: Text
    take: Text


def tracked(
    held: Held, seat: str, path: str, group: Text, called: Called, name: Callable[[str], Text]
) -> list[Tracked]:
    """List what can be corrected about a player's cards; what is in a hand or a pile only he is shown.

    ``name`` says what a card is called.
    """
    size = _number(called.size, len(held.hand), len(held.hand) + len(held.pile))
    found = [Tracked(f"{path}.size", group, size, reveals=not held.real)]
    if held.real:
        most = max(held.most, len(held.pile), len(held.lost))
        nameless = len(held.lost) - len(held.named)
        found.append(Tracked(f"{path}.pile", group, _number(called.pile, len(held.pile), most)))
        found.append(Tracked(f"{path}.nameless", group, _number(called.nameless, nameless, most)))
    else:
        own = _options(sorted((*held.hand, *held.pile), key=order), name)
        hand = Field("value", called.hand, "many", own, value=tuple(sorted(held.hand, key=order)))
        found.append(Tracked(f"{path}.hand", group, hand, secret_of=seat, only=seat))
        put = choice(called.put, (NO, *hidden(held, called, name)), NOTHING)
        found.append(Tracked(f"{path}.put", group, put, reveals=True, only=seat))
    if held.named:
        options = by_place(held.named, name)
        lying = Field("value", called.lost, "many", options, value=tuple(option.value for option in options))
        take = choice(called.take, (NO, *options), NOTHING)
        found += [Tracked(f"{path}.discard", group, lying), Tracked(f"{path}.take", group, take)]
    return found


def corrections(
    held: Held, seat: str, group: Group, called: Called, name: Callable[[str], Text], put: Callable[[Held], S]
) -> Iterator[Correction[S]]:
    """Declare what can be corrected about a player's cards, with what sets it; ``put`` takes where they are then."""

    def move(part: str, sent: str, ask: Ask) -> S:
        return put(correct(held, part, sent, ask, seat=seat))

    for value in tracked(held, seat, group.path.removesuffix("."), group.title, called, name):
        yield Correction(value, partial(move, value.path.removeprefix(group.path)))


def hidden(held: Held, called: Called, name: Callable[[str], Text]) -> tuple[Option, ...]:
    """List the cards of a hand and a pile, each kind once and with where it is; only their owner may be shown them."""
    from_hand = _options(one_each(held.hand), name, called.from_hand)
    return (*from_hand, *_options(one_each(held.pile), name, called.from_pile))


def by_place(codes: Sequence[str], name: Callable[[str], Text]) -> tuple[Option, ...]:
    """List cards by their place, not their code: that would tell everybody where a card stands in its owner's list."""
    return tuple(Option(str(at), name(code)) for at, code in enumerate(codes))


def order(code: str) -> tuple[str, int, int]:
    """Sort codes by what they mean: their sort, their number, the copy."""
    kind, _, copy = code.partition(".")
    digits = kind.lstrip("abcdefghijklmnopqrstuvwxyz")
    return kind.removesuffix(digits), int(digits), int(copy)


def _number(label: Text, value: int, high: int) -> Field:
    return Field("value", label, "number", value=value, high=high)


def _options(codes: Iterable[str], name: Callable[[str], Text], where: Text | None = None) -> tuple[Option, ...]:
    return tuple(
        Option(code, say("{card}, {where}", card=name(code), where=where) if where else name(code)) for code in codes
    )


def correct(held: Held, part: str, value: str, ask: Ask, *, seat: str) -> Held:
    """Move cards between hand, pile and what is lost; how many a hand has everybody sees, which ones chance says."""
    match part:
        case "size":
            return _resize(held, seat, int(value), ask)
        case "pile":
            return replace(held, pile=(FACE_DOWN,) * int(value))
        case "nameless":
            return replace(held, lost=(*held.named, *(FACE_DOWN,) * int(value)))
        case "hand":
            wanted = tuple(code for code in value.split(",") if code)
            return replace(held, hand=wanted, pile=without((*held.hand, *held.pile), wanted))
        case "put":
            return held if value == NOTHING else replace(removed(held, value), lost=(*held.lost, value))
        case "take":
            return held if value == NOTHING else _take(held, (held.named[int(value)],), "hand")
    kept = value.split(",")
    return _take(held, tuple(code for at, code in enumerate(held.named) if str(at) not in kept), "pile")


def removed(held: Held, code: str) -> Held:
    """Take a card out of the hand or, where it is not there, out of the pile."""
    if code in held.hand:
        return replace(held, hand=without(held.hand, (code,)))
    return replace(held, pile=without(held.pile, (code,)))


def _resize(held: Held, seat: str, size: int, ask: Ask) -> Held:
    """Let a hand hold so many cards: others come from the pile, or go back into it, as chance says."""
    more = size - len(held.hand)
    source, count = (held.pile, more) if more > 0 else (held.hand, -more)
    if held.real:
        moved: tuple[str, ...] = (FACE_DOWN,) * count
    elif count:
        moved = ask.draw(source, count, "corrected", say("cards of {seat}", seat=Text(seat)), by=seat, secret=True)
    else:
        return held
    if more > 0:
        return replace(held, pile=without(held.pile, moved), hand=(*held.hand, *moved))
    return replace(held, hand=without(held.hand, moved), pile=(*held.pile, *moved))


def _take(held: Held, codes: tuple[str, ...], where: str) -> Held:
    """Take lost cards into the hand or the pile; real ones are face down there."""
    face = (FACE_DOWN,) * len(codes) if held.real else codes
    out = tuple(code for code in held.out if code not in codes)
    lost = without(held.lost, codes)
    if where == "hand":
        return replace(held, lost=lost, out=out, hand=(*held.hand, *face))
    return replace(held, lost=lost, out=out, pile=(*held.pile, *face))
