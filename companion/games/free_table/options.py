"""How a free table begins."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Begin = Literal["nothing", "cards", "dice", "scores", "wargame", "initiative", "chess_clock"]


class Options(msgspec.Struct, frozen=True):
    """Choose how a free table begins."""

    begin: Annotated[Begin, Meta(title="Begin with")] = "nothing"
    seats: Annotated[int, Meta(ge=1, le=100, title="Seats")] = 8
    compose: Annotated[Literal["everyone", "keeper"], Meta(title="Who sets the trackers up")] = "everyone"
    template: Annotated[
        str,
        Meta(
            title="Template",
            description="The letters of a template; with one, the table begins with its trackers.",
            max_length=6000,
            pattern="^([A-Za-z0-9_-]{8,})?$",
            extra={"rare": True},
        ),
    ] = ""
