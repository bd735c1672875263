"""Cards of a hand that are too many: their owner chooses which of them go."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.kit.action import Action, Field, Offer
from companion.kit.decks import FACE_DOWN, told_apart
from companion.kit.text import Text, say


def offers(
    action: type[Action], named: Sequence[tuple[str, Text]], count: int, clause: str, *, real: bool, at_once: bool
) -> tuple[Offer, ...]:
    """Offer the cards that are too many: one by a tap, several together, real ones by their number.

    Where all have to go ``at_once``, one of several is not offered by itself.
    """
    label = say("Discard {count} card|Discard {count} cards", count=count)
    if not count:
        return ()
    if real:
        return (action.offer(label, count=count, main=True, clause=clause),)
    single = tuple(
        action.offer(say("Discard: {card}", card=name), cards=[code], on=code, clause=clause) for code, name in named
    )
    field = Field("cards", say("Cards to discard"), "many", told_apart(named))
    several = (action.offer(label, field, main=True, loose=True, clause=clause),)
    return single if count == 1 else several if at_once else (*single, *several)


def going(cards: tuple[str, ...], count: int, called: Callable[[str], str], *, real: bool) -> tuple[str, ...]:
    """List the cards that are discarded: those named, or so many real ones that nobody names.

    They go in the order of what they are ``called``: that of a hand would tell everybody which of them stands first in
    its owner's list.
    """
    return (FACE_DOWN,) * count if real and not cards else tuple(sorted(cards, key=called))
