"""Templates: what a table keeps track of as letters that fit an address, and a table that begins with it."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import msgspec

from companion.games.free_table.composing import add
from companion.games.free_table.kinds import Set, chapter, kind
from companion.games.free_table.presets import called
from companion.games.free_table.state import MOST_TRACKERS, State, Tracker
from companion.games.free_table.tray import Tray, sound
from companion.kit.ruling import Refusal
from companion.kit.text import say

LARGEST = 2_500_000
"""Bytes of an unpacked template: more than forty trackers have whose names and reminders are all as long as can be."""
_TRACKERS = msgspec.json.Decoder(tuple[Tracker, ...])


def template(state: State) -> str:
    """Write what is kept track of as letters that fit an address: neither values nor cards nor people are in it."""
    bare = tuple(msgspec.structs.replace(chapter(one).fresh(one), id="") for one in state.trackers)
    packed = zlib.compress(msgspec.json.encode(bare), 9)
    return urlsafe_b64encode(packed).decode().rstrip("=")


def from_template(state: State, sent: str) -> State:
    """Add the trackers of a template; raise Refusal for one that can not be read."""
    found = _read(sent)
    if len(found) > MOST_TRACKERS:
        raise _unread()
    for tracker in found:
        state = add(state, _sound(tracker))
    return state


def _sound(tracker: Tracker) -> Tracker:
    """Make a tracker anew as its form would: what anybody wrote into a template fits together then."""
    filled_in = {field.name: field.value for field in chapter(tracker).fields(tracker)}
    try:
        made: Any = msgspec.convert({"action": f"set_{kind(tracker)}", **filled_in}, Set).made(None)
        if isinstance(tracker, Tray):
            made = msgspec.structs.replace(made, favourites=sound(tracker.favourites))
    except (Refusal, msgspec.ValidationError) as wrong:
        raise _unread() from wrong
    known: Tracker = msgspec.structs.replace(made, called=tracker.called if tracker.called in called() else "")
    return known


def _unread() -> Refusal:
    return Refusal(say("This template can not be read."), field="template")


def _read(sent: str) -> tuple[Tracker, ...]:
    try:
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(urlsafe_b64decode(sent + "=" * (-len(sent) % 4)), LARGEST)
        return _TRACKERS.decode(plain)
    except (ValueError, RecursionError, zlib.error, msgspec.DecodeError) as wrong:
        raise _unread() from wrong
