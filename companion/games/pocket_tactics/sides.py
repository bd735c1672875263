"""The two players (PT-01, PT-A45)."""

from __future__ import annotations

from typing import Literal

Seat = Literal["blue", "red"]

SEATS: tuple[Seat, ...] = ("blue", "red")


def other(seat: Seat) -> Seat:
    """Return the opponent."""
    return "red" if seat == "blue" else "blue"
