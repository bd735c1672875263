"""What all actions are made of."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

Name = Annotated[str, Meta(min_length=1, max_length=20)]
Square = Annotated[str, Meta(min_length=2, max_length=3)]
Code = Annotated[str, Meta(min_length=1, max_length=8)]
Number = Annotated[int, Meta(ge=0, le=999)]
Part = Annotated[str, Meta(pattern=r"^[cg][0-9]{1,3}(\.[a-z][a-z0-9_]{0,19})?\Z")]
"""A part of a roster: ``c0`` is its first card, ``c0.w1`` that card's second weapon, ``c0.prone`` its equipment of that
slot, ``g0`` the first general."""
Line = Literal["1", "2", "3", "4", "5", "6"]
