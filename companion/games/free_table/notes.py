"""Notes: what everybody may read, and what each player writes down alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta

from companion.games.free_table.kinds import ALL, Deed, Kind, Setting, Table, Tracker
from companion.games.free_table.names import LONGEST_TEXT, text, tidy, typed
from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.correction import Correction
from companion.kit.panels import Panel, Row
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import say

LONGEST_SET = 200
"""Letters of a correction; a longer note is written anew."""


class Notes(Tracker, frozen=True, tag="notes"):
    """A note for all, and each seat's own."""

    written: Mapping[str, str] = {}

    def with_note(self, key: str, sent: str) -> Notes:
        """Write a note, or take it away where nothing is written."""
        words = tidy(sent, LONGEST_TEXT)
        others = {other: note for other, note in self.written.items() if other != key}
        return self.but(written={**others, key: words} if words else others)


class SetNotes(Setting[Notes], frozen=True, tag="set_notes"):
    """Add notes, or change their name."""


class Write(Deed, frozen=True, tag="write"):
    """Write a note: for all, or for oneself."""

    words: Annotated[str, Meta(max_length=LONGEST_TEXT)] = ""
    own: bool = False


notes = Kind(Notes, SetNotes, fresh=lambda notes: notes.but(written={}))


@notes.panels
def panels(_table: Table, notes: Notes, seat: str) -> Iterator[Panel]:
    """Show the note for all, and the seat's own."""
    rows = [Row(f"{notes.id}.{ALL}", typed(notes.written[ALL]) if ALL in notes.written else say("Nothing yet"))]
    if seat in notes.written:
        rows.append(Row(f"{notes.id}.{seat}", typed(notes.written[seat]), note=say("only you read this"), side=seat))
    yield notes.panel(rows, "log")


@notes.offers
def offers(table: Table, notes: Notes, seat: str) -> Iterator[Offer]:
    """Offer to write."""

    def words(key: str) -> Field:
        return text("words", say("Note"), notes.written.get(key, ""), LONGEST_TEXT)

    yield Write.offer(say("Write for all"), words(ALL), on=notes.id, tracker=notes.id, own=False)
    if seat in table.roles:
        yield Write.offer(say("Write for me"), words(seat), on=notes.id, tracker=notes.id, own=True)


@notes.rule(Write)
def write(table: Table, notes: Notes, seat: str, action: Write, _ask: Ask) -> Ruling[Notes]:
    """Write; raise Refusal for the own note of somebody who has no seat."""
    if not action.own:
        after = notes.with_note(ALL, action.words)
        return Ruling(after, say("{what}: {words}", what=notes.title, words=after.written.get(ALL, "–")))
    if seat not in table.roles:
        raise Refusal(say("Only players write for themselves."))
    headline = say("{who} writes something down", who=table.called(seat))
    return Ruling(notes.with_note(seat, action.words), headline, quiet=True)


@notes.corrections
def corrections(_table: Table, notes: Notes) -> Iterator[Correction[Notes]]:
    """List the note for all, unless it is too long to be set here; what players write for themselves is theirs."""
    words = notes.written.get(ALL, "")
    if len(words) <= LONGEST_SET:
        field = text("value", say("Note"), words, LONGEST_SET)
        yield notes.corrections.value(ALL, field, lambda sent, _: notes.with_note(ALL, sent))
