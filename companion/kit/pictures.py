"""What people put on a card: a sign by its name, or a picture of their own, which is called by its SHA-256.

A state holds that name and nothing else; the table keeps the picture itself (``companion.table.pictures``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta

from companion.kit.ruling import Refusal
from companion.kit.text import say

_Glyph = Literal["", "piece", "flag", "shield", "skull", "fight", "bolt", "bow", "wing", "plague", "cards", "die"]
Glyph = Literal[_Glyph, "clock", "king", "pawn", "rook", "forest", "hill", "log", "hint"]
"""Signs that mean something in any game."""
CardGlyph = Literal[Glyph, "infantry", "tank", "truck", "gun", "plane", "bomb", "naval", "factory", "medal", "castle"]
"""Those, and what stands on cards of battles."""

LARGEST = 40_000
"""Bytes of a picture: one of 480 points a side, made small on a phone, has as many."""
MOST_PICTURES = 62
"""Pictures of a deck that differ: with the bytes above all of them have less than 2.5 MB."""
DIGEST = r"[0-9a-f]{64}"

Sign = Annotated[CardGlyph, Meta(title="Sign on the card", extra={"labels": {"": "as usual", "naval": "ship"}})]
Photo = Annotated[
    str,
    Meta(
        title="Picture on the card",
        description="From the camera or a file. Most phones make it small by themselves.",
        pattern=rf"^(?:{DIGEST})?\Z",
        extra={"picture": True, "note": "the 64 letters and figures of a picture’s SHA-256, or nothing."},
    ),
]
"""A picture by its name; empty where there is none. Where the picture itself is missing, the sign is seen."""


def check_room(photos: Iterable[str], field: str = "picture") -> None:
    """Raise Refusal for more pictures that differ than a deck may have."""
    if len({photo for photo in photos if photo}) > MOST_PICTURES:
        text = say("A deck has {most} different pictures at most: take one away first.", most=MOST_PICTURES)
        raise Refusal(text, field=field)
