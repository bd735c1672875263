"""Fields with which the corrections of several games are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.kit.asking import Option
from companion.kit.offer import Field
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.kit.squares import Grid

OFF = "off"
OFF_BOARD = Option(OFF, say("off the board"))


def choice(label: Text, options: tuple[Option, ...], value: str) -> Field:
    """Make the field of a value that is one of several."""
    return Field("value", label, "choice", options, value=value)


def yes_no(label: Text, *, value: bool) -> Field:
    """Make the field of a value that holds or does not."""
    return Field("value", label, "yes_no", value=value)


def squares(board: Grid) -> tuple[Option, ...]:
    """List the squares of a board."""
    return tuple(Option(square, say("{square}", square=square), place=square) for square in board.squares())
