"""The story of a table in words: turn by turn, what was done, why, and what became other by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from companion.kit.panels import Phases, View
from companion.kit.ruling import Reason
from companion.kit.text import Speak, Text, say
from companion.table.story import Scene
from companion.web.language import gettext
from companion.web.pages import begun, minute_of_day
from companion.web.play.report import arithmetic, in_words
from companion.web.play.turn import speak_turn

Names = Mapping[str, Text]
"""What the seats of a table are called."""


def turn(view: View, names: Names) -> Text | None:
    """Say in which turn a position is, as the table says it; None where it has none."""
    phases = next((panel for panel in view.panels if isinstance(panel, Phases)), None)
    if phases is not None:
        return phases.title
    if len(view.to_move) == 1:
        return say("{who}'s turn", who=names.get(view.to_move[0], Text(view.to_move[0])))
    return say("Anyone can act") if view.to_move else None


def turn_words(text: Text, speak: Speak) -> str:
    """Say a turn as a heading."""
    return begun(speak_turn(text, speak).rstrip(": "))


def day_of(at: str) -> str:
    """Write the day of a moment, by the calendar of this computer."""
    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d")


def who(scene: Scene, names: Names, speak: Speak) -> str:
    """Say who did something: the name of a person and the seat, or what there is of that."""
    role = speak(names[scene.line.seat]) if scene.line.seat in names else ""
    name = scene.line.who
    return f"{name} ({role})" if name and role and name != role else name or role


def more(scene: Scene, speak: Speak) -> tuple[Reason, ...]:
    """List the reasons of an entry that say more than what was done does."""
    return in_words(scene.line, speak)[3]


def why(reason: Reason, names: Names, speak: Speak) -> str:
    """Say a reason in a line; what only one seat was told begins with whose it was."""
    whose = f"{speak(names.get(reason.seat, Text(reason.seat)))}: " if reason.seat else ""
    return whose + arithmetic(reason, speak)


def headline(scene: Scene, speak: Speak) -> str:
    """Say what was done, with the rules that it rests on."""
    _, said, clauses, _ = in_words(scene.line, speak)
    return " ".join((said.rstrip("."), *(f"({clause})" for clause in clauses)))


def notation(scene: Scene, speak: Speak) -> list[str]:
    """Say what became other on the table: each thing as docs/notation.md states it."""
    return [begun(speak(change.said)) if change.kind != "ground" else speak(change.said) for change in scene.changes]


def text(scenes: Iterable[Scene], names: Names, speak: Speak) -> Iterator[str]:
    """Write a story as lines of text."""
    shown: str | None = None
    for scene in scenes:
        now = turn(scene.before, names)
        words = turn_words(now, speak) if now is not None else ""
        if words != shown:
            shown = words
            yield from ("", *([f"== {words} =="] if words else []))
        yield " ".join(part for part in _entry(scene, names, speak) if part)
        yield from (f"        . {why(reason, names, speak)}" for reason in more(scene, speak))
        yield from (f"        > {line}" for line in notation(scene, speak))


def _entry(scene: Scene, names: Names, speak: Speak) -> Iterator[str]:
    line = scene.line
    yield f"{line.seq:5}. {minute_of_day(line.at)}"
    by = who(scene, names, speak)
    yield f"{by} |" if by else "|"
    yield headline(scene, speak)
    yield f"[{gettext('undone')}]" if line.undone else ""
    yield f"[{gettext('dice from the real table')}]" if line.typed else ""
