"""What changed between two versions of a page, as the parts that are new, gone or different."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from html import escape
from itertools import pairwise
from typing import NamedTuple

import msgspec

from companion.web.parts import PageOf, Part


class Moved(NamedTuple):
    """A part that has another place now, ``where`` (``after`` or ``before``) beside another one."""

    id: str
    where: str
    beside: str


class Added(NamedTuple):
    """Parts that are new, ``where`` (``afterend`` or ``beforebegin``) beside one that was there."""

    parts: tuple[Part, ...]
    where: str
    beside: str


class Changes(NamedTuple):
    """What has to be done to a page: parts that move, then those that come, ids of those that go, different ones."""

    moved: list[Moved]
    added: list[Added]
    gone: list[str]
    different: list[Part]


def compare(old: Part, new: Part) -> Changes | None:
    """Tell what changed in a page; None where that is the page itself, not its parts alone."""
    changes = Changes([], [], [], [])
    if not _compare(old, new, changes):
        return None
    while any(part.id in changes.gone for one in changes.added for part in one.parts):
        _move_across(_by_id(old), changes)
    return changes


def _by_id(page: Part) -> dict[str, Part]:
    found = {part.id: part for part in page.parts}
    for part in page.parts:
        found |= _by_id(part)
    return found


def _move_across(old: dict[str, Part], changes: Changes) -> None:
    """Let the first part that goes in one row and comes in another move there, so that it stays what it is."""
    at, one = next(
        (at, one) for at, one in enumerate(changes.added) if any(part.id in changes.gone for part in one.parts)
    )
    place, part = next((place, part) for place, part in enumerate(one.parts) if part.id in changes.gone)
    before, after = one.parts[:place], one.parts[place + 1 :]
    if one.where == "afterend":
        changes.moved.append(Moved(part.id, "after", one.beside))
        rest = [Added(before, "afterend", one.beside), Added(after, "afterend", part.id)]
    else:
        changes.moved.append(Moved(part.id, "before", one.beside))
        rest = [Added(before, "beforebegin", part.id), Added(after, "beforebegin", one.beside)]
    changes.added[at : at + 1] = [added for added in rest if added.parts]
    changes.gone.remove(part.id)
    if not _compare(old[part.id], part, changes):
        changes.different.append(part)


def _compare(old: Part, new: Part, changes: Changes) -> bool:
    """Find what changed within a part; False where it is different itself."""
    if old is new:
        return True
    names = [part.id for part in old.parts]
    if old.texts == new.texts and names == [part.id for part in new.parts] and len(set(names)) == len(names):
        for was, part in zip(old.parts, new.parts, strict=True):
            if not _compare(was, part, changes):
                changes.different.append(part)
        return True
    before, after = _rows(old), _rows(new)
    if [text for text, _ in before] != [text for text, _ in after]:
        return False
    if any(sum(len(row) for _, row in rows) < len(part.parts) for rows, part in ((before, old), (after, new))):
        return False  # two of one name can not be told apart
    within = Changes([], [], [], [])
    for (_, there), (_, here) in zip(before, after, strict=True):
        if not _compare_row(there, here, within):
            return False
    changes.moved.extend(within.moved)
    changes.added.extend(within.added)
    changes.gone.extend(within.gone)
    changes.different.extend(within.different)
    return True


def _rows(part: Part) -> list[tuple[str, dict[str, Part]]]:
    """Return what is a part's own, each text with the parts that follow it side by side."""
    rows: list[tuple[str, dict[str, Part]]] = [(part.texts[0], {})]
    for within, text in zip(part.parts, part.texts[1:], strict=True):
        rows[-1][1][within.id] = within
        if text:
            rows.append((text, {}))
    return rows


def _compare_row(old: dict[str, Part], new: dict[str, Part], changes: Changes) -> bool:
    """Find what changed in a row of parts; False where none is left to find the place of the others by."""
    stay = [id_ for id_ in new if id_ in old]
    if not stay:
        return not old and not new
    changes.moved.extend(_moved([id_ for id_ in old if id_ in new], stay))
    changes.added.extend(_added(new, stay))
    changes.gone.extend(id_ for id_ in old if id_ not in new)
    for id_ in stay:
        if not _compare(old[id_], new[id_], changes):
            changes.different.append(new[id_])
    return True


def _moved(old: list[str], new: list[str]) -> Iterator[Moved]:
    """Yield, in their new order, the few that have to move so that all stand in it."""
    if old == new:
        return
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    still = {id_ for block in blocks for id_ in new[block.b : block.b + block.size]}
    first = next(at for at, id_ in enumerate(new) if id_ in still)
    yield from (Moved(id_, "before", new[first]) for id_ in new[:first])
    yield from (Moved(id_, "after", before) for before, id_ in pairwise(new[first:]) if id_ not in still)


def _added(new: dict[str, Part], stay: list[str]) -> Iterator[Added]:
    """Yield the parts of a row that are new, beside the nearest one before them that stays, or the first one after."""
    parts = list(new.values())
    there = set(stay)
    ends = [at for at, part in enumerate(parts) if part.id in there]
    if ends[0]:
        yield Added(tuple(parts[: ends[0]]), "beforebegin", parts[ends[0]].id)
    for at, end in pairwise([*ends, len(parts)]):
        if end > at + 1:
            yield Added(tuple(parts[at + 1 : end]), "afterend", parts[at].id)


def written(changes: Changes, since: int, of: PageOf) -> str:
    """Write what changed since a version: both versions and what moves as a remark, then what htmx puts in place."""
    moved = msgspec.json.encode(changes.moved).decode().replace(">", "\\u003e")
    lines = [f"<!--from {since} to {of.version} {moved}-->"]
    lines += [_put(one.beside, one.where, one.parts, of) for one in changes.added]
    lines += [f'<hx-partial id="{escape(id_)}" hx-swap="delete"></hx-partial>' for id_ in changes.gone]
    lines += [_put(part.id, "outerMorph", (part,), of) for part in changes.different]
    return "\n".join(lines)


def _put(id_: str, how: str, parts: tuple[Part, ...], of: PageOf) -> str:
    html = "".join(part.html(of) for part in parts)
    if html.startswith("<g "):  # what is drawn is read as such within a drawing only, which is left out again
        html, how = f"<svg>{html}</svg>", f"{how} strip:true"
    return f'<hx-partial id="{escape(id_)}" hx-swap="{how}">{html}</hx-partial>'
