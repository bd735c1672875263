"""What statistics need of a log, read once an entry and kept in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from datetime import datetime
from threading import Lock

import msgspec

from companion.kit.asking import Faces, Sealed, Source
from companion.kit.dice.notation import MOST_SIDES
from companion.kit.game import SCREEN
from companion.kit.panels import Phases, View
from companion.kit.ruling import Harm
from companion.kit.text import Text
from companion.table.problem import Problem
from companion.table.records import Entry, Kind
from companion.table.session import UNFIT, Session, decoded
from companion.table.views import readable

TABLES_KEPT = 32
STEPS_KEPT = 50_000
"""Entries of them together, a kilobyte each at most: as many as ten long wargames have."""


class Thrown(msgspec.Struct, frozen=True):
    """Hold the faces of one throw: for which seat, dice of how many sides, rolled by Companion or typed."""

    by: str
    sides: int
    source: Source
    faces: tuple[int, ...]


class Shown(msgspec.Struct, frozen=True):
    """Hold what the shared screen said after an entry: for whom the game waited, and where in its turn it was."""

    waited: tuple[str, ...]
    over: bool
    title: Text | None = None
    step: Text | None = None


class Step(msgspec.Struct, frozen=True):
    """Hold what one entry adds: only what everybody may see.

    ``at`` is in seconds of the epoch. ``halts`` tells that nobody may play after it (False: that one may again).
    ``untold`` are dice of which the log does not say whose or of what kind they were. ``base`` is the entry that it was
    done on, ``shown`` what was shown after it, None where the game of today can not show that.
    """

    seq: int
    base: int
    at: float
    kind: Kind
    seat: str
    undoes: int | None
    taken_back: bool
    halts: bool | None
    thrown: tuple[Thrown, ...]
    untold: int
    harm: tuple[Harm, ...]
    shown: Shown | None


class Tallies:
    """Keep the tallies of the tables whose statistics were asked for last; for any number of threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[str, list[Step]] = OrderedDict()

    def of(self, session: Session) -> tuple[Step, ...]:
        """Return what each entry of a table adds, oldest first; reads those that are new."""
        table, last = session.row.id, session.row.last
        with self._lock:
            steps = self._kept.setdefault(table, [])
            self._kept.move_to_end(table)
            while len(self._kept) > TABLES_KEPT:
                self._kept.popitem(last=False)
            if len(steps) < last:
                for entry in session.log(len(steps) + 1):
                    steps.append(_step(session, entry, steps[-1].shown if steps else None))
            while len(self._kept) > 1 and sum(map(len, self._kept.values())) > STEPS_KEPT:
                self._kept.popitem(last=False)
            # Another look may have come further than this one.
            return tuple(steps[:last])


def _step(session: Session, entry: Entry, before: Shown | None) -> Step:
    thrown = tuple(_thrown(entry, session))
    return Step(
        seq=entry.seq,
        base=entry.base,
        at=datetime.fromisoformat(entry.at).timestamp(),
        kind=entry.kind,
        seat=entry.seat,
        undoes=entry.undoes,
        taken_back=entry.kind == "undo" and (entry.undoes is not None or entry.action is not None),
        halts=_halts(entry),
        thrown=tuple(one for one in thrown if one.sides),
        untold=sum(len(one.faces) for one in thrown if not one.sides),
        harm=tuple(harm for reason in readable(entry.reasons, SCREEN) for harm in reason.harm),
        shown=before if entry.state is None else _shown(session, entry.state),
    )


def _halts(entry: Entry) -> bool | None:
    return None if entry.setting is None else entry.setting in {"paused", "ended"}


def _thrown(entry: Entry, session: Session) -> Iterator[Thrown]:
    """List the throws of an entry; those of which the log does not say enough have no sides."""
    for answer in entry.answers:
        for part in answer.answers.values() if isinstance(answer, Sealed) else (answer,):
            if isinstance(part, Faces):
                by = part.by if isinstance(part.by, str) else ""
                sides = part.sides if isinstance(part.sides, int) else 0
                told = by in session.places and 1 < sides <= MOST_SIDES and all(0 < one <= sides for one in part.faces)
                yield Thrown(by, sides if told else 0, part.source, part.faces)


def _shown(session: Session, state: str) -> Shown | None:
    try:
        view: View = session.game.view(decoded(session.game, state), SCREEN)
    except (Problem, *UNFIT):
        return None
    phases = next((panel for panel in view.panels if isinstance(panel, Phases)), None)
    if phases is None or not 0 <= phases.current < len(phases.steps):
        return Shown(view.to_move, view.over)
    return Shown(view.to_move, view.over, phases.title, phases.steps[phases.current])
