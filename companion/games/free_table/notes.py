"""Notes: what everybody may read, and what each player writes down alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from companion.games.free_table.look import LONGEST_TEXT, Base, Deed, Setting, look_fields, text, tidy, typed
from companion.kit.correction import Tracked
from companion.kit.offer import Field, Offer
from companion.kit.panels import Panel, Row, Tracker
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.asking import Ask

ALL = "all"
LONGEST_SET = 200
"""Letters of a correction; a longer note is written anew."""


class Notes(Base, frozen=True, tag="notes"):
    """Hold a note for all, and each seat's own."""

    written: Mapping[str, str] = {}


class SetNotes(Setting, frozen=True, tag="set_notes"):
    """Add notes, or change their name."""

    def made(self, old: Notes | None) -> Notes:
        """Make the notes."""
        return Notes(**self.look(old), written=old.written if old else {})


class Write(Deed, frozen=True, tag="write"):
    """Write a note: for all, or for oneself."""

    words: Annotated[str, Meta(max_length=LONGEST_TEXT)] = ""
    own: bool = False


Action = Write


def fields(old: Notes | None) -> tuple[Field, ...]:
    """Ask for what makes notes."""
    return look_fields(old)


def fresh(tracker: Notes) -> Notes:
    """Return it as at the start of a game."""
    return msgspec.structs.replace(tracker, written={})


def panels(_state: State, tracker: Notes, seat: str) -> tuple[Panel, ...]:
    """Show the note for all, and the seat's own."""
    rows = [Row(f"{tracker.id}.{ALL}", typed(tracker.written[ALL]) if ALL in tracker.written else say("Nothing yet"))]
    if seat in tracker.written:
        rows.append(
            Row(f"{tracker.id}.{seat}", typed(tracker.written[seat]), note=say("only you read this"), side=seat)
        )
    return (Tracker(tracker.id, tracker.title, tuple(rows), tracker.colour, tracker.glyph or "log"),)


def offers(state: State, tracker: Notes, seat: str) -> tuple[Offer, ...]:
    """Offer to write."""
    given = {"tracker": tracker.id}

    def words(of: str) -> Field:
        return text("words", say("Note"), tracker.written.get(of, ""), LONGEST_TEXT)

    found = [Offer("write", say("Write for all"), {**given, "own": False}, (words(ALL),), on=tracker.id)]
    if seat in state.roles:
        found.append(Offer("write", say("Write for me"), {**given, "own": True}, (words(seat),), on=tracker.id))
    return tuple(found)


def rule(state: State, tracker: Notes, seat: str, action: Action, _ask: Ask) -> Ruling[Notes]:
    """Write; raise Refusal for the own note of somebody who has no seat."""
    if action.own and seat not in state.roles:
        raise Refusal(say("Only players write for themselves."))
    made = _wrote(tracker, seat if action.own else ALL, action.words)
    if action.own:
        return Ruling(made, say("{who} writes something down", who=state.called(seat)), quiet=True)
    return Ruling(made, say("{what}: {words}", what=tracker.title, words=made.written.get(ALL, "–")))


def _wrote(tracker: Notes, key: str, sent: str) -> Notes:
    words = tidy(sent, LONGEST_TEXT)
    others = {one: note for one, note in tracker.written.items() if one != key}
    return msgspec.structs.replace(tracker, written={**others, key: words} if words else others)


def tracked(_state: State, tracker: Notes) -> tuple[Tracked, ...]:
    """List the note for all, unless it is too long to be set here; what players write for themselves is theirs."""
    words = tracker.written.get(ALL, "")
    if len(words) > LONGEST_SET:
        return ()
    return (Tracked(f"{tracker.id}.{ALL}", tracker.title, text("value", say("Note"), words, LONGEST_SET)),)


def correct(_state: State, tracker: Notes, part: str, value: str, _ask: Ask) -> Notes:
    """Set the note for all."""
    return _wrote(tracker, part, value)
