"""What statistics count of a log, read once an entry."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec

from companion.kit.asking import Faces, Source
from companion.kit.dice.notation import MOST_SIDES
from companion.kit.game import SCREEN
from companion.kit.panels import Phases, View
from companion.kit.ruling import Harm
from companion.kit.text import Text
from companion.table.problem import Problem
from companion.table.records import Entry, Kind
from companion.table.rule_run import parts
from companion.table.session import UNFIT, Session, decoded
from companion.table.views import readable


class DiceThrow(msgspec.Struct, frozen=True):
    """The faces of one throw: for which seat, dice of how many sides, rolled by Companion or typed."""

    by: str
    sides: int
    source: Source
    faces: tuple[int, ...]


class ScreenState(msgspec.Struct, frozen=True):
    """What the shared screen said after an entry: for whom the game waited, and where in its turn it was."""

    to_move: tuple[str, ...]
    over: bool
    title: Text | None = None
    step: Text | None = None


class Step(msgspec.Struct, frozen=True):
    """What one entry adds to statistics: only what everybody may see.

    ``at`` is in seconds of the epoch. ``halts`` tells that nobody may play after it (False: that one may again).
    ``unknown_dice`` are those of which the log does not say whose or of what kind they were. ``base`` is the entry that
    it was done on, ``screen`` what was shown after it, None where the game of today can not show that.
    """

    seq: int
    base: int
    at: float
    kind: Kind
    seat: str
    undoes: int | None
    taken_back: bool
    halts: bool | None
    throws: tuple[DiceThrow, ...]
    unknown_dice: int
    harm: tuple[Harm, ...]
    screen: ScreenState | None


def read_new_steps(session: Session, steps: list[Step]) -> None:
    """Append what those entries of a table add that came since the newest of its steps."""
    if len(steps) < session.row.last:
        for entry in session.log(len(steps) + 1):
            steps.append(_step(session, entry, steps[-1].screen if steps else None))


def _step(session: Session, entry: Entry, before: ScreenState | None) -> Step:
    throws = tuple(_throws(entry, session))
    return Step(
        seq=entry.seq,
        base=entry.base,
        at=datetime.fromisoformat(entry.at).timestamp(),
        kind=entry.kind,
        seat=entry.seat,
        undoes=entry.undoes,
        taken_back=entry.kind == "undo" and (entry.undoes is not None or entry.action is not None),
        halts=None if entry.setting is None else entry.setting in {"paused", "ended"},
        throws=tuple(throw for throw in throws if throw.sides),
        unknown_dice=sum(len(throw.faces) for throw in throws if not throw.sides),
        harm=tuple(harm for reason in readable(entry.reasons, SCREEN) for harm in reason.harm),
        screen=before if entry.state is None else _screen(session, entry.state),
    )


def _throws(entry: Entry, session: Session) -> Iterator[DiceThrow]:
    """List the throws of an entry; those of which the log does not say enough have no sides."""
    for part in (part for answer in entry.answers for part in parts(answer)):
        if isinstance(part, Faces):
            by = part.by if isinstance(part.by, str) else ""
            sides = part.sides if isinstance(part.sides, int) else 0
            known = by in session.places and 1 < sides <= MOST_SIDES and all(0 < face <= sides for face in part.faces)
            yield DiceThrow(by, sides if known else 0, part.source, part.faces)


def _screen(session: Session, state: str) -> ScreenState | None:
    try:
        view: View = session.game.view(decoded(session.game, state), SCREEN)
    except (Problem, *UNFIT):
        return None
    phases = next((panel for panel in view.panels if isinstance(panel, Phases)), None)
    if phases is None or not 0 <= phases.current < len(phases.steps):
        return ScreenState(view.to_move, view.over)
    return ScreenState(view.to_move, view.over, phases.title, phases.steps[phases.current])
