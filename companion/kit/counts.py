"""How counts are said in a sentence."""

from __future__ import annotations

from companion.kit.text import Text, say, with_sign


def squares(count: int) -> Text:
    """Say a number of squares."""
    return say("{count} square|{count} squares", count=count)


def dice(count: int) -> Text:
    """Say a number of dice."""
    return say("{count} die|{count} dice", count=count)


def number(count: int) -> Text:
    """Say a plain number."""
    return say("{count}", count=count)


def signed(count: int) -> Text:
    """Say a number with its sign, as it is added to something."""
    return say("{count}", count=with_sign(count))
