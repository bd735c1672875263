"""What a table can begin with, as data."""

from __future__ import annotations

from functools import cache

from companion.games.free_table.state import Tracker
from companion.kit.rulebook import Strict, load

PACKAGE = "companion.games.free_table"


class Preset(Strict, frozen=True):
    """Hold the trackers that a table begins with."""

    id: str
    tracker: tuple[Tracker, ...]


class _Presets(Strict, frozen=True):
    preset: tuple[Preset, ...]


@cache
def presets() -> dict[str, tuple[Tracker, ...]]:
    """Return the trackers of every preset, by its identifier."""
    return {preset.id: preset.tracker for preset in load(PACKAGE, "presets.toml", _Presets).preset}


@cache
def called() -> frozenset[str]:
    """Return the names that trackers of presets have in both languages."""
    return frozenset(tracker.called for trackers in presets().values() for tracker in trackers)
