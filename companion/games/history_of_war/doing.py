"""What all actions are made of."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Name = Annotated[str, Meta(min_length=1, max_length=20)]
Code = Annotated[str, Meta(min_length=1, max_length=8)]
Number = Annotated[int, Meta(ge=0, le=999)]
Names = Annotated[tuple[Name, ...], Meta(max_length=200)]
Codes = Annotated[tuple[Code, ...], Meta(max_length=200)]
