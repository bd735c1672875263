"""How a free table begins."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Begin = Literal["nothing", "cards", "dice", "scores", "wargame", "initiative", "chess_clock"]

MOST_SEATS = 100
LONGEST_TEMPLATE = 50_000
"""Letters: with all that comes with it, an address of 64 kB, more than which servers do not read."""


class Options(msgspec.Struct, frozen=True):
    """Choose how a free table begins."""

    begin: Annotated[Begin, Meta(title="Begin with")] = "nothing"
    seats: Annotated[int, Meta(ge=1, le=MOST_SEATS, title="Seats")] = 8
    compose: Annotated[Literal["everyone", "keeper"], Meta(title="Who sets the trackers up")] = "everyone"
    template: Annotated[
        str,
        Meta(
            title="Template",
            description="The letters of a template; with one, the table begins with its trackers.",
            max_length=LONGEST_TEMPLATE,
            pattern="^([A-Za-z0-9_-]{8,})?$",
            extra={"rare": True},
        ),
    ] = ""
