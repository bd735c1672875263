"""The statistics of a table: throws expected and seen, what units did and suffered, turns and time.

They rest on what the shared screen was shown, and on nothing else. What was taken back does not count.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from threading import Lock

import msgspec

from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Board, Piece, Roster
from companion.kit.ruling import Fate, Fighter
from companion.kit.text import Text
from companion.table.dice_statistics import DiceSeen, LeftOut, count_dice
from companion.table.log_tally import ScreenState, Step, read_new_steps
from companion.table.problem import Problem
from companion.table.session import UNFIT, Session

MAX_TABLES = 32
MAX_STEPS = 50_000
"""Entries of them together, a kilobyte each at most: as many as ten long wargames have."""
ABSENCE = 30 * 60
"""Seconds without any entry after which people have left the table: that is no time to think."""


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


class StatisticsCache:
    """The statistics of the tables that were asked for last, with their steps; for any number of threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._steps: OrderedDict[str, list[Step]] = OrderedDict()
        self._statistics: dict[str, Statistics] = {}

    def get(self, session: Session) -> Statistics:
        """Return the statistics of a table; works them out once for everybody who asks."""
        table = session.row.id
        with self._lock:
            steps = self._steps.setdefault(table, [])
            self._steps.move_to_end(table)
            cached = self._statistics.get(table)
            if cached is None or cached.version < session.row.version:
                read_new_steps(session, steps)
                # Another look may have come further than this one.
                cached = self._statistics[table] = statistics(session, steps[: session.row.last])
            while len(self._steps) > (1 if sum(map(len, self._steps.values())) > MAX_STEPS else MAX_TABLES):
                oldest, _ = self._steps.popitem(last=False)
                self._statistics.pop(oldest, None)
            return cached


def statistics(session: Session, steps: Sequence[Step]) -> Statistics:
    """Work out the statistics of a table from what its entries add."""
    undone = {step.undoes for step in steps if step.undoes is not None}
    counted = [step for step in steps if step.seq not in undone and step.kind != "undo"]
    time = _Time(steps)
    seats = [role.id for role in session.roles]
    if any(step.seat == RULEKEEPER and (step.kind in {"action", "correction"} or step.taken_back) for step in steps):
        seats.append(RULEKEEPER)
    turns = _turns(steps, session.row.head)
    screen = steps[-1].screen if steps else None
    dice, left_out = count_dice((throw for step in counted for throw in step.throws), [*seats, RULEKEEPER])
    return Statistics(
        version=session.row.version,
        stage=screen.title if screen else None,
        dice=dice,
        left_out=left_out,
        untold=sum(step.unknown_dice for step in counted),
        units=_units(counted, _pieces(session), seats),
        phases=tuple(Phase(name, round(seconds)) for name, seconds in time.phases.values()),
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
        seconds=round(time.total),
        breaks=time.breaks,
        away=round(time.away),
        steps=sum(step.kind == "action" for step in counted),
        undone=sum(step.taken_back for step in steps),
        corrected=sum(step.kind == "correction" for step in counted),
    )


def _turns(steps: Sequence[Step], head: int) -> Counter[str]:
    """Count how often the game began to wait for each seat, on the line of play that led to entry ``head``."""
    line: list[Step] = []
    while head:
        line.append(steps[head - 1])
        head = line[-1].base
    turns: Counter[str] = Counter()
    before: tuple[str, ...] = ()
    for screen in (step.screen for step in line[::-1] if step.screen is not None):
        turns.update(seat for seat in screen.to_move if seat not in before)
        before = screen.to_move
    return turns


class _Time:
    """The time from before the first step to the newest one; pauses and absences are counted apart.

    ``spent`` is the time of each seat, ``longest`` its longest wait up to one step, ``total`` the time of the table.
    ``breaks`` are pauses and absences, ``away`` the time that they took. ``phases`` are those of the turn, each with
    the time that the table spent in it.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        self.spent: dict[str, float] = {}
        self.longest: dict[str, float] = {}
        self.total = self.away = 0.0
        self.breaks = 0
        self.phases: dict[bytes, tuple[Text, float]] = {}
        first = next((at for at, step in enumerate(steps) if step.kind == "action"), len(steps))
        halted = False
        waits: list[tuple[ScreenState | None, float]] = []
        for before, step in pairwise(steps[max(first - 1, 0) :]):
            halted = halted if before.halts is None else before.halts
            # A clock that was set back took no time.
            seconds = max(step.at - before.at, 0.0)
            if halted or seconds > ABSENCE:
                self.away += seconds
                self.breaks += before.halts is True or not halted
            else:
                waits.append((before.screen, seconds))
            if step.kind == "action" or step.taken_back:
                self._add(before.screen, step, waits)
                waits = []

    def _add(self, screen: ScreenState | None, step: Step, waits: Iterable[tuple[ScreenState | None, float]]) -> None:
        """Give the time up to a step to whom the table waited for; among several, to the one who took it."""
        if screen is not None and screen.over:
            return
        seats = (screen.to_move if screen else ()) or (step.seat,)
        seat = seats[0] if len(seats) == 1 else step.seat
        total = 0.0
        for shown, seconds in waits:
            total += seconds
            if shown is not None and shown.step is not None:
                key = msgspec.json.encode(shown.step, order="deterministic")
                self.phases[key] = (shown.step, self.phases.get(key, (shown.step, 0.0))[1] + seconds)
        self.total += total
        if seat in seats:
            self.spent[seat] = self.spent.get(seat, 0.0) + total
            self.longest[seat] = max(self.longest.get(seat, 0.0), total)


def _units(counted: Iterable[Step], pieces: Mapping[str, Piece], seats: Sequence[str]) -> tuple[Fought, ...]:
    units: dict[tuple[str, str], Fighter] = {}
    fates: dict[tuple[str, str], Fate] = {}
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for harm in (harm for step in counted for harm in step.harm):
        struck = (harm.to.side, harm.to.id)
        units[struck], fates[struck] = harm.to, harm.fate
        counts[struck]["taken"] += harm.hits
        if harm.by is not None:
            striker = (harm.by.side, harm.by.id)
            units[striker] = harm.by
            counts[striker]["dealt"] += harm.hits
            counts[striker]["knocked_down"] += harm.fate == "down"
            counts[striker]["destroyed"] += harm.fate == "gone"
    order = {seat: at for at, seat in enumerate(seats)}
    fought = [_fought(unit, fates.get(key, "hit"), counts[key], pieces.get(unit.id)) for key, unit in units.items()]
    return tuple(sorted(fought, key=lambda of: (order.get(of.side, len(order)), -of.destroyed, -of.dealt, -of.taken)))


def _fought(unit: Fighter, fate: Fate, count: Mapping[str, int], piece: Piece | None) -> Fought:
    """Show a unit, where it is seen now as it stands now: it may have stood up, or been put back by hand."""
    place = unit.place
    if piece is not None and piece.side == unit.side:
        fate, place = "down" if piece.down else "hit", piece.square
    return Fought(unit.id, unit.side, unit.name, place, fate, **count)


def _pieces(session: Session) -> dict[str, Piece]:
    """List the pieces that the shared screen shows now."""
    try:
        panels = session.game.view(session.state, SCREEN).panels
    except (Problem, *UNFIT):
        return {}
    return {piece.id: piece for panel in panels if isinstance(panel, Board | Roster) for piece in panel.pieces}
