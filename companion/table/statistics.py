"""The statistics of a table: throws expected and seen, what units did and suffered, turns and time.

They rest on what the shared screen was shown, and on nothing else. What was taken back does not count.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock

import msgspec

from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Board, Piece, Roster
from companion.kit.ruling import Fate, Fighter
from companion.kit.text import Text
from companion.table.dice_statistics import DiceSeen, LeftOut, thrown
from companion.table.log_tally import TABLES_KEPT, Step, Tallies
from companion.table.problem import Problem
from companion.table.session import UNFIT, Session
from companion.table.time_statistics import Time, turns_of


class Fought(msgspec.Struct, frozen=True):
    """Show what a unit did to others and suffered itself.

    ``dealt`` and ``taken`` are hits; ``knocked_down`` and ``destroyed`` count units. ``fate`` is what has become of it,
    ``place`` where it stands or, as ``gone``, stood last.
    """

    id: str
    side: str
    name: Text
    place: str | None
    fate: Fate
    dealt: int = 0
    taken: int = 0
    knocked_down: int = 0
    destroyed: int = 0


class Spent(msgspec.Struct, frozen=True):
    """Show the time of a seat: how long the table waited for it, in seconds, and the longest wait up to one step.

    ``turns`` counts how often the game began to wait for it, the set-up included; ``steps`` what it did, ``undone`` how
    often it took something back, ``corrected`` what it corrected by hand.
    """

    seat: str
    seconds: int
    longest: int
    turns: int
    steps: int
    undone: int
    corrected: int


class Phase(msgspec.Struct, frozen=True):
    """Show how many seconds the table spent in a phase of the turn."""

    name: Text
    seconds: int


class Statistics(msgspec.Struct, frozen=True):
    """Show the statistics of a table at one version of it, as everybody may see them.

    ``stage`` is where in the game the table is, in the game's own words. ``dice`` are those of the twelve kinds that
    were thrown most, ``left_out`` counts the others. ``untold`` counts dice of which an older log does not say who
    threw them. ``seconds`` is the time from before the first step to the newest one, without ``away``: ``breaks`` are
    pauses, and times of more than half an hour in which nobody did anything.
    """

    version: int
    stage: Text | None
    dice: tuple[DiceSeen, ...]
    left_out: LeftOut
    untold: int
    units: tuple[Fought, ...]
    phases: tuple[Phase, ...]
    seats: tuple[Spent, ...]
    seconds: int
    breaks: int
    away: int
    steps: int
    undone: int
    corrected: int


class Newest:
    """Keep the statistics of the tables that were asked for last, as they are now; for any number of threads."""

    def __init__(self) -> None:
        self._tallies = Tallies()
        self._lock = Lock()
        self._kept: OrderedDict[str, Statistics] = OrderedDict()

    def of(self, session: Session) -> Statistics:
        """Return the statistics of a table; works them out once for everybody who asks."""
        table, version = session.row.id, session.row.version
        with self._lock:
            found = self._kept.get(table)
            if found is None or found.version < version:
                found = self._kept[table] = statistics(session, self._tallies.of(session))
            self._kept.move_to_end(table)
            while len(self._kept) > TABLES_KEPT:
                self._kept.popitem(last=False)
            return found


def statistics(session: Session, steps: Sequence[Step]) -> Statistics:
    """Work out the statistics of a table from what its entries add."""
    undone = {step.undoes for step in steps if step.undoes is not None}
    counted = [step for step in steps if step.seq not in undone and step.kind != "undo"]
    time = Time(steps)
    seats = [role.id for role in session.roles]
    if any(step.seat == RULEKEEPER and _does(step) for step in steps):
        seats.append(RULEKEEPER)
    turns = turns_of(_line(steps, session.row.head))
    shown = steps[-1].shown if steps else None
    dice, left_out = thrown((one for step in counted for one in step.thrown), [*seats, RULEKEEPER])
    return Statistics(
        version=session.row.version,
        stage=shown.title if shown else None,
        dice=dice,
        left_out=left_out,
        untold=sum(step.untold for step in counted),
        units=_units(counted, _pieces(session), seats),
        phases=tuple(Phase(name, round(seconds)) for name, seconds in time.phases),
        seats=tuple(
            Spent(
                seat=seat,
                seconds=round(time.spent.get(seat, 0)),
                longest=round(time.longest.get(seat, 0)),
                turns=turns[seat],
                steps=sum(step.kind == "action" and step.seat == seat for step in counted),
                undone=sum(step.taken_back and step.seat == seat for step in steps),
                corrected=sum(step.kind == "correction" and step.seat == seat for step in counted),
            )
            for seat in seats
        ),
        seconds=round(time.whole),
        breaks=time.breaks,
        away=round(time.away),
        steps=sum(step.kind == "action" for step in counted),
        undone=sum(step.taken_back for step in steps),
        corrected=sum(step.kind == "correction" for step in counted),
    )


def _line(steps: Sequence[Step], head: int) -> list[Step]:
    """List the entries that the position rests on, oldest first."""
    found: list[Step] = []
    while head:
        found.append(steps[head - 1])
        head = found[-1].base
    return found[::-1]


def _does(step: Step) -> bool:
    return step.kind in {"action", "correction"} or step.taken_back


# units


class _Unit:
    """Add up what one unit did and suffered."""

    def __init__(self) -> None:
        self.newest: Fighter
        self.fate: Fate = "hit"
        self.count: Counter[str] = Counter()


def _units(counted: Iterable[Step], pieces: Mapping[str, Piece], seats: Sequence[str]) -> tuple[Fought, ...]:
    units: dict[tuple[str, str], _Unit] = {}

    def unit(fighter: Fighter) -> _Unit:
        found = units.setdefault((fighter.side, fighter.id), _Unit())
        found.newest = fighter
        return found

    for harm in (one for step in counted for one in step.harm):
        struck = unit(harm.to)
        struck.count["taken"] += harm.hits
        struck.fate = harm.fate
        if harm.by is not None:
            striker = unit(harm.by)
            striker.count["dealt"] += harm.hits
            striker.count["knocked_down"] += harm.fate == "down"
            striker.count["destroyed"] += harm.fate == "gone"
    order = {seat: at for at, seat in enumerate(seats)}
    found = [_fought(one, pieces.get(one.newest.id)) for one in units.values()]
    return tuple(
        sorted(found, key=lambda one: (order.get(one.side, len(order)), -one.destroyed, -one.dealt, -one.taken))
    )


def _fought(unit: _Unit, piece: Piece | None) -> Fought:
    """Show a unit, where it is seen now as it stands now: it may have stood up, or been put back by hand."""
    newest, fate, place = unit.newest, unit.fate, unit.newest.place
    if piece is not None and piece.side == newest.side:
        fate, place = "down" if piece.down else "hit", piece.square
    return Fought(newest.id, newest.side, newest.name, place, fate, **unit.count)


def _pieces(session: Session) -> dict[str, Piece]:
    """List the pieces that the shared screen shows now."""
    try:
        panels = session.game.view(session.state, SCREEN).panels
    except (Problem, *UNFIT):
        return {}
    return {piece.id: piece for panel in panels if isinstance(panel, Board | Roster) for piece in panel.pieces}
