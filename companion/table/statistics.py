"""The statistics of a table: throws expected and seen, what units did and suffered, turns and time.

They rest on what the shared screen was shown, and on nothing else. What was taken back does not count.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from threading import Lock
from typing import Literal

import msgspec

from companion.kit.dice.notation import MOST_SIDES
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Board, Phases, Piece, Roster, Row, Tracker, View
from companion.kit.questions import Faces
from companion.kit.ruling import Fate, Fighter, Harm
from companion.kit.text import Text
from companion.table.dice_statistics import DiceSeen, DiceThrow, LeftOut, count_dice
from companion.table.problem import Problem
from companion.table.records import Entry, Kind
from companion.table.rule_run import parts
from companion.table.session import UNFIT, Session, decoded
from companion.table.views import readable

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


class GameCount(msgspec.Struct, frozen=True):
    """Show how far a game has come as it counts itself, in its rounds or its turns."""

    of: Literal["round", "turn"]
    count: int


class Statistics(msgspec.Struct, frozen=True):
    """Show the statistics of a table at one version of it, as everybody may see them.

    ``stage`` is where in the game the table is, in the game's own words, ``played`` how many rounds or turns that makes
    (None: the game counts none). ``dice`` are those of the twelve kinds that
    were thrown most, ``left_out`` counts the others. ``untold`` counts dice of which an older log does not say who
    threw them. ``seconds`` is the time from before the first step to the newest one, without ``away``: ``breaks`` are
    pauses, and times of more than half an hour in which nobody did anything.
    """

    version: int
    stage: Text | None
    played: GameCount | None
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


class ScreenState(msgspec.Struct, frozen=True):
    """What the shared screen said after an entry: for whom the game waited, and where in its turn it was.

    ``points`` are those of each side, ``counted`` the rounds or turns, where the game counts any.
    """

    to_move: tuple[str, ...]
    over: bool
    title: Text | None = None
    step: Text | None = None
    points: tuple[tuple[str, int], ...] = ()
    counted: GameCount | None = None


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


class StatisticsCache:
    """The statistics of the tables that were asked for last, with their steps; for any number of threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._steps: OrderedDict[str, list[Step]] = OrderedDict()
        self._statistics: dict[str, Statistics] = {}

    def get(self, session: Session) -> Statistics:
        """Return the statistics of a table; works them out once for everybody who asks."""
        return self.counted(session)[0]

    def counted(self, session: Session) -> tuple[Statistics, tuple[Step, ...]]:
        """Return the statistics of a table, and the steps that count: done, and not taken back."""
        table = session.row.id
        with self._lock:
            steps = self._steps.setdefault(table, [])
            self._steps.move_to_end(table)
            cached = self._statistics.get(table)
            if cached is None or cached.version < session.row.version:
                for entry in session.log(len(steps) + 1):
                    steps.append(_step(session, entry, steps[-1].screen if steps else None))
                # Another look may have come further than this one.
                cached = self._statistics[table] = statistics(session, steps[: session.row.last])
            while len(self._steps) > (1 if sum(map(len, self._steps.values())) > MAX_STEPS else MAX_TABLES):
                oldest, _ = self._steps.popitem(last=False)
                self._statistics.pop(oldest, None)
            return cached, counting(steps[: session.row.last])


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
    for part in parts(entry.answers):
        if isinstance(part, Faces):
            by = part.by if isinstance(part.by, str) else ""
            sides = part.sides if isinstance(part.sides, int) else 0
            known = by in session.places and 1 < sides <= MOST_SIDES and all(0 < face <= sides for face in part.faces)
            yield DiceThrow(by, sides if known else 0, part.source, part.faces)


def _screen(session: Session, state: str) -> ScreenState | None:
    view = _view(session, state)
    if view is None:
        return None
    phases = next((panel for panel in view.panels if isinstance(panel, Phases)), None)
    shown = ScreenState(view.to_move, view.over, points=_points(view), counted=game_count(view))
    if phases is None or not 0 <= phases.current < len(phases.steps):
        return shown
    return msgspec.structs.replace(shown, title=phases.title, step=phases.steps[phases.current])


COUNTS: Mapping[str, Literal["round", "turn"]] = {"round": "round", "turn": "turn", "now": "round"}
"""What a number is called that says which round or turn it is; ``now`` is that of a tracker of rounds."""


def game_count(view: View) -> GameCount | None:
    """Read which round or turn it is from the title of the phases, else from what counts rounds at the table."""
    for panel in view.panels:
        if isinstance(panel, Phases) and (found := _counted(panel.title)):
            return found
    trackers = [panel for panel in view.panels if isinstance(panel, Tracker)]
    said = (text for panel in trackers for text in (panel.note, *(row.value for row in panel.rows)) if text)
    return max(filter(None, map(_counted, said)), key=lambda found: found.count, default=None)


def _counted(text: Text) -> GameCount | None:
    for name, place in text.places.items():
        if name in COUNTS and isinstance(place, int) and place:
            return GameCount(COUNTS[name], place)
        if isinstance(place, Text) and (found := _counted(place)):
            return found
    return None


def _points(view: View) -> tuple[tuple[str, int], ...]:
    """Read the points of each side from what the game calls its score; nothing where it has none."""
    for panel in view.panels:
        if isinstance(panel, Tracker) and panel.score:
            points = [(row.side, number) for row in panel.rows if row.side and (number := _number(row)) is not None]
            if len(points) == len(panel.rows) == len(dict(points)) > 1:
                return tuple(points)
    return ()


def _number(row: Row) -> int | None:
    """Return the first number that the value of a line says; None where it says none, or a clock runs there."""
    if row.value is None or row.clock is not None:
        return None
    said = [place for place in row.value.places.values() if isinstance(place, int)]
    digits = row.value.say.removeprefix("-")
    return said[0] if said else int(row.value.say) if digits.isascii() and digits.isdecimal() else None


def _view(session: Session, state: str | None = None) -> View | None:
    """Return what the shared screen shows of a stored state, or of the newest one; None where it can not be shown."""
    try:
        return session.game.view(session.state if state is None else decoded(session.game, state), SCREEN)
    except (Problem, *UNFIT):
        return None


def statistics(session: Session, steps: Sequence[Step]) -> Statistics:
    """Work out the statistics of a table from what its entries add."""
    counted = counting(steps)
    time = _Time(steps)
    seats = [role.id for role in session.roles]
    if any(step.seat == RULEKEEPER and (step.kind in {"action", "correction"} or step.taken_back) for step in steps):
        seats.append(RULEKEEPER)
    line = _line(steps, session.row.head)
    turns = _turns(line)
    screen, view = steps[-1].screen if steps else None, _view(session)
    boards = [panel for panel in view.panels if isinstance(panel, Board | Roster)] if view else []
    dice, left_out = count_dice((throw for step in counted for throw in step.throws), [*seats, RULEKEEPER])
    return Statistics(
        version=session.row.version,
        stage=screen.title if screen else None,
        played=next((shown.counted for step in line[::-1] if (shown := step.screen) and shown.counted), None),
        dice=dice,
        left_out=left_out,
        untold=sum(step.unknown_dice for step in counted),
        units=_units(counted, {piece.id: piece for board in boards for piece in board.pieces}, seats),
        phases=tuple(Phase(name, round(seconds)) for name, seconds in time.phases.values()),
        seats=tuple(
            Spent(
                seat=seat,
                seconds=round(time.spent[seat]),
                longest=round(time.longest[seat]),
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


def counting(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Leave out what was taken back, and that it was."""
    undone = {step.undoes for step in steps if step.undoes is not None}
    return tuple(step for step in steps if step.seq not in undone and step.kind != "undo")


def _line(steps: Sequence[Step], head: int) -> list[Step]:
    """List the line of play that led to entry ``head``, oldest first."""
    line: list[Step] = []
    while head:
        line.append(steps[head - 1])
        head = line[-1].base
    return line[::-1]


def _turns(line: Iterable[Step]) -> Counter[str]:
    """Count how often the game began to wait for each seat on a line of play."""
    awaited: list[tuple[str, ...]] = [(), *(step.screen.to_move for step in line if step.screen is not None)]
    return Counter(seat for before, now in pairwise(awaited) for seat in now if seat not in before)


class _Time:
    """The time from before the first step to the newest one; pauses and absences are counted apart.

    ``spent`` is the time of each seat, ``longest`` its longest wait up to one step, ``total`` the time of the table.
    ``breaks`` are pauses and absences, ``away`` their time. ``phases`` are those of the turn, each with its time.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self.longest: defaultdict[str, float] = defaultdict(float)
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
            self.spent[seat] += total
            self.longest[seat] = max(self.longest[seat], total)


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
    fought = []
    for key, unit in units.items():
        place, fate, piece = unit.place, fates.get(key, "hit"), pieces.get(unit.id)
        # Where it is seen now, as it stands now: it may have stood up, or been put back by hand.
        if piece is not None and piece.side == unit.side:
            place, fate = piece.square, "down" if piece.down else "hit"
        fought.append(Fought(unit.id, unit.side, unit.name, place, fate, **counts[key]))
    return tuple(sorted(fought, key=lambda of: (order.get(of.side, len(order)), -of.destroyed, -of.dealt, -of.taken)))
