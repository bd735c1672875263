"""Whether the entries of a log follow from each other, and the digest of everything that led to one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from companion.kit.game import RULEKEEPER
from companion.kit.questions import Answer
from companion.table.problem import Unsound
from companion.table.records import RULINGS, Entry, Kind


class Link(NamedTuple):
    """What an entry rests on; ``version`` is its table's when it came."""

    seq: int
    base: int
    undoes: int | None
    ruling: int
    kind: Kind
    path: str
    version: int
    has_state: bool

    @property
    def head(self) -> int:
        """Return the entry that the state rests on after this one."""
        return self.seq if self.has_state and self.kind != "undo" else self.base

    @property
    def steps(self) -> bool:
        """Tell whether chance met something new after it: a state came of it, and it is no setting."""
        return self.has_state and self.kind not in {"undo", "setting"}


def path(before: str, seat: str, action: Any, answers: Sequence[Answer]) -> str:
    """Digest how a state was reached: the path before it, who did what, and what was answered."""
    step = msgspec.json.encode((before, seat, action, tuple(answers)), order="deterministic")
    return blake2b(step, digest_size=16).hexdigest()


BEGINNING = path("", RULEKEEPER, {}, ())
"""The path before anything was done."""


def linked(
    links: Sequence[Link], first: int, last: int, head: int | None, find: Callable[[int], Link]
) -> dict[int, Link]:
    """Return the links of the entries ``first`` to ``last`` and of what they rest on, by number.

    ``links`` are those, with the one before them. ``head`` is what the state rests on, where ``last`` is the newest.
    Raises Unsound where one is missing or stands where it can not have been written.
    """
    if [link.seq for link in links] != [*range(max(first - 1, 1), last + 1)]:
        raise Unsound(f"entries are missing between {first} and {last}, or there are others")
    by_seq = {0: Link(0, 0, None, 0, "start", BEGINNING, 0, has_state=False), **{link.seq: link for link in links}}

    def link_of(seq: int) -> Link:
        if seq not in by_seq:
            by_seq[seq] = find(seq)
        return by_seq[seq]

    for before, link in pairwise([by_seq[0], *links] if first == 1 else links):
        # What is taken back is the entry that its own base came after.
        base_seq = before.head if link.undoes is None else link_of(link.undoes).base
        base = link_of(link.base)
        fits = (
            link.base == base_seq
            and (link.kind == "start") == (link.base == 0)
            and (link.kind == "setting" or link.has_state == (link.kind != "undo" or link.undoes is not None))
            and link.ruling == (link.seq if link.kind in RULINGS else base.ruling)
            and link.version >= before.version
            and (link.steps or link.path == base.path)
        )
        if not fits:
            raise Unsound(f"entry {link.seq} does not go on from entry {before.seq}")
    if head not in {None, links[-1].head}:
        raise Unsound(f"the position does not rest on entry {head}")
    return by_seq


def check(entry: Entry, link: Link, before: Link) -> None:
    """Raise Unsound where an entry is not what led to its state; only what a seat sets in the game has one."""
    if link.kind == "setting" and link.has_state != (entry.action is not None):
        raise Unsound(f"entry {entry.seq} sets nothing, or has no position")
    if link.steps and entry.path != path(before.path, entry.seat, entry.action or {}, entry.answers):
        raise Unsound(f"entry {entry.seq} did not lead to its position")
