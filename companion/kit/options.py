"""Options of a game that a table ticks or not."""

from __future__ import annotations

from msgspec import Meta


def ticked(title: str, description: str) -> Meta:
    """Describe an option that few tables change: a form keeps it out of the way."""
    return Meta(title=title, description=description, extra={"rare": True})
