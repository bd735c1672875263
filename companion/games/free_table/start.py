"""How a free table begins: its options, what it begins with, and templates of other tables."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.games.free_table.kinds import MOST_SEATS, MOST_TRACKERS, Table, Tracker
from companion.games.free_table.trackers import State, Stored, kind_of, renewed
from companion.games.free_table.tray import Tray, sound
from companion.kit.asking import Ask
from companion.kit.game import Start
from companion.kit.rulebook import Strict, load
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import say

PACKAGE = "companion.games.free_table"
Begin = Literal["nothing", "cards", "dice", "scores", "wargame", "initiative", "chess_clock"]
LONGEST_TEMPLATE = 50_000
"""Letters: with all that comes with it, an address of 64 kB, more than which servers do not read."""
LARGEST = 2_500_000
"""Bytes of an unpacked template: more than forty trackers have whose names and reminders are all as long as can be."""
_TRACKERS = msgspec.json.Decoder(Annotated[tuple[Stored, ...], Meta(max_length=MOST_TRACKERS)])


class Options(msgspec.Struct, frozen=True):
    """How a free table begins."""

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


class Preset(Strict, frozen=True):
    """The trackers that a table begins with."""

    id: str
    tracker: tuple[Stored, ...]


class _Presets(Strict, frozen=True):
    preset: tuple[Preset, ...]
    start: tuple[Start, ...]


_LOADED = load(PACKAGE, "presets.toml", _Presets)
STARTS = _LOADED.start
PRESETS: dict[str, tuple[Tracker, ...]] = {preset.id: preset.tracker for preset in _LOADED.preset}
CALLED = frozenset(tracker.called for trackers in PRESETS.values() for tracker in trackers)
"""The names that trackers of presets have in both languages."""


def setup(options: Options, _ask: Ask) -> Ruling[Table]:
    """Set the table up with what it begins with; raise Refusal for a template that can not be read."""
    table: Table = State(options.seats, keeper_composes=options.compose == "keeper")
    sent = _read(options.template) if options.template else ()
    for tracker in (*PRESETS.get(options.begin, ()), *sent):
        table = table.add(tracker)
    return Ruling(table, say("The table is set: add, change and order what you keep track of."))


def again(fresh: Table, before: Table, _there: Mapping[str, str]) -> Table:
    """Begin a rematch with the trackers of the table before, their decks and all, as at the start of a game."""
    laid = renewed(before)
    return fresh.but(trackers=laid.trackers, made=laid.made, keeper_composes=laid.keeper_composes)


def options_now(table: Table) -> Options:
    """Return the options of a table with the same trackers."""
    compose: Literal["everyone", "keeper"] = "keeper" if table.keeper_composes else "everyone"
    return Options("nothing", table.seats, compose, template(table) if table.trackers else "")


def template(table: Table) -> str:
    """Write what is kept track of as letters that fit an address: neither values nor cards nor people are in it."""
    bare = tuple(kind_of(tracker).fresh(tracker).but(id="") for tracker in table.trackers)
    return urlsafe_b64encode(zlib.compress(msgspec.json.encode(bare), 9)).decode().rstrip("=")


def _read(sent: str) -> tuple[Tracker, ...]:
    """Read the trackers of a template; raise Refusal for one that can not be read."""
    try:
        packed = urlsafe_b64decode(sent + "=" * (-len(sent) % 4))
        return tuple(map(_sound, _TRACKERS.decode(zlib.decompressobj().decompress(packed, LARGEST))))
    except (Refusal, ValueError, RecursionError, zlib.error, msgspec.DecodeError) as wrong:
        raise Refusal(say("This template cannot be read."), field="template") from wrong


def _sound(tracker: Tracker) -> Tracker:
    """Make a tracker anew as its form would: what anybody wrote into a template fits together then."""
    kind = kind_of(tracker)
    sent: Any = msgspec.convert(msgspec.to_builtins(kind.sent(tracker)), kind.setting)
    made: Tracker = sent.made(kind.blank)
    if isinstance(tracker, Tray):
        made = made.but(favourites=sound(tracker.favourites))
    return made.but(called=tracker.called if tracker.called in CALLED else "")
