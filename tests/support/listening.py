"""Somebody who listens to live channels, and nobody else."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

from companion.web.presence import Presence
from companion.web.state import NAME

if TYPE_CHECKING:
    from flask import Flask

    from companion.web.live import Told


class Hub:
    """Listen to some channels, and keep what is published on them."""

    def __init__(self) -> None:
        self.told: dict[str, list[bytes]] = {}
        self.presence = Presence()
        self.heard = Event()

    def channels(self) -> set[str]:
        return set(self.told)

    def publish(self, channel: str, told: Told) -> None:
        self.told[channel].append(told.event)
        self.heard.set()


def unheard(app: Flask) -> Flask:
    """Take an app's own publisher away: it would tell, and remember, what nobody of these tests hears."""
    app.extensions[NAME].tables._changed = lambda _: None
    app.extensions[NAME].tables._changing = lambda *_: False
    return app
