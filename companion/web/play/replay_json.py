"""The story of a table as data: what was seen first, and per entry how that became what was seen next (RFC 6902)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.kit.panels import View
from companion.kit.text import Speak
from companion.table.ending import Ending
from companion.table.story import Scene, Subject
from companion.web.language import json_values, language
from companion.web.play import replay_story

FORMAT = "companion-replay"
EDITION = 1


def data(about: Subject, scenes: Iterator[Scene], speak: Speak) -> dict[str, Any]:
    """Return a story as plain values, its words in one language."""
    summary, shown, entries = about.summary, None, []
    names = summary.roles
    first: Any = None
    last: Scene | None = None
    for scene in scenes:
        now = shown if last is not None and last.view is scene.view else _seen(scene, speak)
        if shown is None:
            first = now
        turn = replay_story.turn(scene.before, names)
        entries.append(
            {
                **json_values(scene.line, speak),
                "turn": None if turn is None else replay_story.turn_words(turn, speak),
                "changes": json_values(scene.changes, speak),
                "said": replay_story.notation(scene, speak),
                "patch": [] if shown is None or now is shown else list(patch(shown, now)),
            }
        )
        shown, last = now, scene
    people = [json_values(person, speak) for person in summary.people]
    return {
        "format": FORMAT,
        "edition": EDITION,
        "language": language(),
        "table": summary.table,
        "game": summary.game,
        "title": summary.title,
        "over": summary.over,
        "open": about.open,
        "people": [{name: person[name] for name in ("seat", "role", "name")} for person in people],
        "first": first,
        "entries": entries,
    }


def ending_data(ending: Ending, speak: Speak) -> dict[str, Any]:
    """Return how a game ended as plain values: nothing of a rematch, which is another table."""
    known = json_values(ending, speak)
    return {name: known[name] for name in ("headline", "winners", "last", "clause")}


def _seen(scene: Scene, speak: Speak) -> dict[str, Any]:
    """Return what the shared screen saw and, of a story that is open, of each seat the panels that it alone had."""
    seats = {seat: _alone(view, scene.view, speak) for seat, view in scene.seats.items()}
    return {"screen": json_values(scene.view, speak)} | ({"seats": seats} if seats else {})


def _alone(view: View, screen: View, speak: Speak) -> list[Any]:
    public = [*screen.panels]
    return [json_values(panel, speak) for panel in view.panels if panel not in public]


def patch(before: Any, after: Any, path: str = "") -> Iterator[dict[str, Any]]:
    """Say how a value becomes another one, as the operations of a JSON Patch."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _of_objects(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _of_lists(before, after, path)
    else:
        yield {"op": "replace", "path": path, "value": after}


def _of_objects(before: dict[str, Any], after: dict[str, Any], path: str) -> Iterator[dict[str, Any]]:
    for name, value in before.items():
        at = f"{path}/{name.replace('~', '~0').replace('/', '~1')}"
        if name not in after:
            yield {"op": "remove", "path": at}
        else:
            yield from patch(value, after[name], at)
    for name, value in after.items():
        if name not in before:
            yield {"op": "add", "path": f"{path}/{name.replace('~', '~0').replace('/', '~1')}", "value": value}


def same_ends(before: Sequence[Any], after: Sequence[Any]) -> tuple[int, int]:
    """Count how many items two lists begin with alike, and how many of the others they end with alike."""
    room = min(len(before), len(after))
    start = next((at for at in range(room) if before[at] != after[at]), room)
    end = next((at for at in range(room - start) if before[-1 - at] != after[-1 - at]), room - start)
    return start, end


def _of_lists(before: list[Any], after: list[Any], path: str) -> Iterator[dict[str, Any]]:
    """Compare lists from both ends: what lies between is other, or comes, or goes."""
    start, end = same_ends(before, after)
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    for number, (one, other) in enumerate(zip(old, new, strict=False), start):
        yield from patch(one, other, f"{path}/{number}")
    for _ in old[len(new) :]:
        yield {"op": "remove", "path": f"{path}/{start + len(new)}"}
    for number, value in enumerate(new[len(old) :], start + len(old)):
        yield {"op": "add", "path": f"{path}/{number}", "value": value}
