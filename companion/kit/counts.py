"""How counts are said in a sentence."""

from __future__ import annotations

from companion.kit.text import Text, say, with_sign

DIE = say("die")
"""What the face of a die is called in a sum: what else is in it was added to it."""


def squares(count: int) -> Text:
    """Say a number of squares."""
    return say("{count} square|{count} squares", count=count)


def dice(count: int) -> Text:
    """Say a number of dice."""
    return say("{count} die|{count} dice", count=count)


def number(count: int) -> Text:
    """Say a plain number."""
    return say("{count}", count=count)


def or_more(face: int, sides: int = 6) -> Text:
    """Say the face that a die needs at least; a dash where it has none so high."""
    return say("{count}", count=f"{face}+" if face <= sides else "—")


def signed(count: int) -> Text:
    """Say a number with its sign, as it is added to something."""
    return say("{count}", count=with_sign(count))


def units_left(count: int) -> Text | None:
    """Say how many units can still act, for an offer that ends what they do; None where none can."""
    return say("{count} unit could still act|{count} units could still act", count=count) if count else None


def cards_left(count: int) -> Text | None:
    """Say how many cards can still be played; None where none can."""
    return say("{count} card could still be played|{count} cards could still be played", count=count) if count else None
