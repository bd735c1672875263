"""What a look-up answers, as data."""

from __future__ import annotations

from typing import Literal

import msgspec


class Fallen(msgspec.Struct, frozen=True, kw_only=True):
    """Hold who falls, by the part that it plays."""

    destroyed: tuple[str, ...] = ()
    knocked_down: tuple[str, ...] = ()


class Melee(Fallen, frozen=True, kw_only=True):
    """Hold how an attack went: its total, the line read, who had to save and how often."""

    total: int
    line: int
    saver: str | None
    saves: int


class Charged(msgspec.Struct, frozen=True):
    """Hold how a charge went: the save that dread asked for, and whether it came to a melee."""

    needed: int | None
    engaged: bool


class Shot(Fallen, frozen=True, kw_only=True):
    """Hold how a shot with a bow went: the face that it needed."""

    needed: int


class Landed(Fallen, frozen=True, kw_only=True):
    """Hold where a shot came down, and on what."""

    square: str | None
    result: Literal["hit", "empty", "own_square", "off_board"]


class Saved(msgspec.Struct, frozen=True):
    """Hold how a saving roll went: the face that it needed."""

    needed: int
    passed: bool


class Risen(msgspec.Struct, frozen=True):
    """Hold whether a knocked-over unit stands again."""

    stands: bool
