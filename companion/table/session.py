"""One table inside one transaction: what is stored of it, what follows from that, and what is about to be stored."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property, lru_cache
from logging import getLogger
from random import Random
from threading import Lock
from typing import Any, NamedTuple, cast

import msgspec

from companion.kit.game import RULEKEEPER, SCREEN, Game, Role
from companion.kit.panels import View
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say
from companion.table.log_chain import Link, check, linked, path
from companion.table.problem import Problem, Unsound
from companion.table.records import RULINGS, Entry, Kind, SeatRecord, Setting, StateChange, TableRecord
from companion.table.rule_run import typed
from companion.table.sql import TablesDb
from companion.table.validation import no_seat, not_installed, only_shows
from companion.table.view_models import Line

POSITIONS_KEPT = 64
"""Tables whose position is in memory."""
TOGETHER = 100
"""Entries of a log that are in memory at the same time."""
UNFIT = (LookupError, ValueError, TypeError, Refusal)
"""What a game raises that is shown a position which can not be."""

_logger = getLogger(__name__)


@lru_cache(maxsize=64)
def _decoder(state: Hashable) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(state)


def encoded(state: Any) -> str:
    """Return a state as it is stored; equal states have equal bytes."""
    return msgspec.json.encode(state, order="deterministic").decode()


def stored(now: datetime) -> str:
    """Return a time as it is stored."""
    return now.isoformat(timespec="seconds")


def decoded(game: Game[Any], state: str) -> Any:
    """Return a stored state; raise Problem (409) when the game of today can not read it."""
    try:
        return _decoder(cast("Hashable", game.state)).decode(state)
    except (msgspec.DecodeError, ValueError) as wrong:
        raise _other_rules(game) from wrong


def _other_rules(game: Game[Any]) -> Problem:
    return Problem(
        409,
        say(
            "This table was played with other rules of {game}: it cannot go on, but its log can be read and kept.",
            game=game.name,
        ),
    )


class Position(NamedTuple):
    """What a table rests on at one of its versions: who sits where, the entry its state rests on, and that state.

    ``state`` is UNSET where nobody has needed it yet.
    """

    version: int
    places: Mapping[str, SeatRecord]
    head: Entry
    state: Any = msgspec.UNSET


class PositionCache:
    """The positions of the tables that were looked at last, as the file holds them; for any number of threads.

    What is put here was read from the file, or was committed to it: the file stays the truth, and its version tells
    whether a position is still the table's.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._positions: OrderedDict[str, Position] = OrderedDict()

    def get(self, table: str, version: int) -> Position | None:
        """Return the position of a table at a version; None where another one, or none, is known."""
        with self._lock:
            position = self._positions.get(table)
            if position is None or position.version != version:
                return None
            self._positions.move_to_end(table)
            return position

    def put(self, table: str, position: Position) -> None:
        """Remember the position of a table, unless a newer one is known, or the same with its state."""
        with self._lock:
            known = self._positions.get(table)
            if known is None or (known.version, known.state is not msgspec.UNSET) < (position.version, True):
                self._positions[table] = position
                self._positions.move_to_end(table)
            if len(self._positions) > POSITIONS_KEPT:
                self._positions.popitem(last=False)


class Session:
    """One table inside one transaction of the store.

    What is changed is kept here until ``save``; only what chance brings is remembered at once, so that a refused
    action is not a way to throw again.
    """

    def __init__(
        self,
        db: TablesDb,
        row: TableRecord,
        games: dict[str, Game[Any]],
        now: datetime,
        luck: Random,
        position: Position | None = None,
    ) -> None:
        self.db = db
        self.row = row
        self.now = now
        self.luck = luck
        self._game = games.get(row.game)
        self._end = (row.last, row.head)
        self._new: list[Entry] = []
        self._places: dict[str, SeatRecord] = {}
        if position is not None:
            self.places, self.head = dict(position.places), position.head
            if position.state is not msgspec.UNSET:
                self.state = position.state

    @property
    def position(self) -> Position | None:
        """Return what the table rests on, when everything is saved; None where nobody has needed that."""
        known = self.__dict__
        if "places" not in known or "head" not in known:
            return None
        return Position(self.row.version, dict(self.places), self.head, known.get("state", msgspec.UNSET))

    @property
    def game(self) -> Game[Any]:
        """Return the game; raise Problem (409) when it is not installed any more."""
        if self._game is None:
            raise not_installed(self.row.game)
        return self._game

    @cached_property
    def options(self) -> Any:
        """Return the options of the table; raise Problem (409) when the game of today can not read them."""
        try:
            return msgspec.convert(self.row.options, self.game.options)
        except msgspec.ValidationError as wrong:
            raise _other_rules(self.game) from wrong

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        """List the seats of the game, in turn order; those that were kept where the game of today can not
        say.
        """
        try:
            return tuple(self.game.roles(self.options))
        except Problem:
            return tuple(Role(seat, Text(seat)) for seat in self.places if seat != RULEKEEPER)

    @cached_property
    def head(self) -> Entry:
        """Return the entry that the state rests on."""
        return self.entry(self.row.head)

    @cached_property
    def state(self) -> Any:
        """Return the state; raise Problem (409) when the game of today can not read it."""
        if self.head.state is None:
            raise Unsound(f"entry {self.head.seq} has no state")
        return decoded(self.game, self.head.state)

    @property
    def shown(self) -> Any:
        """Return the state that is shown: of an action under way, what has come of it so far."""
        held = self.row.held
        return decoded(self.game, held.progress) if held is not None and held.progress else self.state

    @property
    def over(self) -> bool | None:
        """Tell whether the game is over; None where the game of today can not read or show the state."""
        return None if self.screen is None else self.screen.over

    @property
    def finished(self) -> bool:
        """Tell whether the game is over, or its table was ended."""
        return self.row.ended or self.over is True

    @cached_property
    def screen(self) -> View | None:
        """Return what everybody may see of the state; None where the game of today can not read or show it."""
        try:
            return self.game.view(self.state, SCREEN)
        except Problem:
            return None
        except UNFIT as wrong:
            _logger.warning("the position of table %s can not be shown: %r", self.row.id, wrong)
            return None

    @cached_property
    def places(self) -> dict[str, SeatRecord]:
        """Return who sits where, by seat."""
        return self.db.places(self.row.id)

    def plays(self, seat: str) -> bool:
        """Tell whether a seat is one of the game's own."""
        return any(role.id == seat for role in self.roles)

    def taken(self, seat: str) -> bool:
        """Tell whether somebody sits there."""
        return seat in self.places and self.places[seat].token is not None

    def stands_in(self, seat: str, other: str) -> bool:
        """Tell whether a seat may decide for another one: for itself, and the rulekeeper for a seat nobody
        took.
        """
        return seat == other or (seat == RULEKEEPER and not self.taken(other))

    def role(self, seat: str) -> Text:
        """Return what a seat is called."""
        if seat == RULEKEEPER:
            return say("Rulekeeper")
        if seat == SCREEN:
            return say("Shared screen")
        return next((role.name for role in self.roles if role.id == seat), Text(seat))

    def called(self, seat: str) -> Text | str:
        """Return the name of whoever sits there, else what the seat is called; for a line that says the seat beside."""
        place = self.places.get(seat)
        return place.name if place and place.name else self.role(seat)

    def who(self, seat: str) -> Text | str:
        """Return the name of whoever sits there, else what the seat is called; of two of a name both tell where.

        Whoever plays and keeps the rules too tells it only for what was done as rulekeeper.
        """
        place = self.places.get(seat)
        if not place or not place.name:
            return self.role(seat)
        apart = {seat, RULEKEEPER}
        others = (one for one in self.places.values() if one.seat not in apart and one.token is not None)
        if any(one.name.casefold() == place.name.casefold() for one in others):
            return say("{name} ({seat})", name=place.name, seat=self.role(seat))
        return place.name

    def check_seat(self, seat: str, *, screen: bool = False) -> None:
        """Raise Problem when there is no such seat (404), or when the shared screen wants to do something
        (403).
        """
        if seat == SCREEN and not screen:
            raise only_shows()
        if seat not in self.places and seat != SCREEN:
            raise no_seat(seat)

    def check_rulekeeper(self, seat: str) -> None:
        """Raise Problem (403) unless the seat is the rulekeeper's."""
        if seat != RULEKEEPER:
            raise Problem(403, say("Only the rulekeeper may do that."))

    def check_playing(self) -> None:
        """Raise Problem (409) when the table is paused or has ended."""
        if self.row.ended:
            raise Problem(409, say("This table has ended."))
        if self.row.paused:
            raise Problem(409, say("The table is paused."))

    def append(
        self,
        kind: Kind,
        seat: str,
        headline: Text,
        reasons: Sequence[Reason] = (),
        *,
        by: str | None = None,
        change: StateChange | None = None,
        undoes: Entry | None = None,
        setting: Setting | None = None,
    ) -> Entry:
        """Append an entry; raise Unsound where it would not go on from the newest one.

        After a change of the state it becomes the head; with ``undoes`` the head goes back to that one's base. A
        setting is no step: chance meets what comes after it as if it had not been, and who waits to take a step back
        goes on.
        """
        self._links(self._end[0], self._end[0])
        seq = self.row.last + 1
        change = change or StateChange({})
        moves = change.state is not None
        steps = (moves and kind != "setting") or undoes is not None
        before = self.entry(undoes.base) if undoes else self.head
        entry = Entry(
            seq=seq,
            base=before.seq,
            undoes=undoes.seq if undoes else None,
            ruling=seq if kind in RULINGS else before.ruling,
            at=stored(self.now),
            kind=kind,
            seat=seat,
            by=by or seat,
            who=self._name(by or seat),
            headline=headline,
            reasons=tuple(reasons),
            revealing=change.revealing,
            typed=typed(change.answers),
            path=path(before.path, seat, change.action, change.answers) if moves and steps else before.path,
            action=change.action or None,
            answers=change.answers,
            state=encoded(change.state) if moves else before.state if undoes else None,
            setting=setting,
        )
        self._new.append(entry)
        self.row.last = seq
        if moves or undoes:
            self.head = entry if moves else before
            self.row.head = self.head.seq
            self.__dict__.pop("state", None)
        if steps:
            # Whoever plays on takes the table out of the archive.
            wish, self.row.archived = self.row.wish if kind != "undo" else None, None
            self.row.wish = wish and wish.lapsed(entry.by, self.who(entry.by))
            self.row.moved = self.row.version + 1
        return entry

    def _name(self, seat: str) -> str:
        place = self.places.get(seat)
        return place.name if place else ""

    def seat_down(self, place: SeatRecord) -> None:
        """Change who sits where."""
        self.places[place.seat] = self._places[place.seat] = place

    def save(self) -> None:
        """Store everything that was changed, under the next version."""
        self.row.version += 1
        self.row.updated = stored(self.now)
        for entry in self._new:
            self.db.add_entry(self.row.id, entry, self.row.version)
        for place in self._places.values():
            self.db.put_place(self.row.id, place)
        self.db.put_row(self.row)
        self._new.clear()
        self._end = (self.row.last, self.row.head)
        self._places.clear()

    def entry(self, seq: int) -> Entry:
        """Return one entry of the stored log; raise Unsound as ``entries`` does."""
        return self.entries(seq, seq)[0]

    def entries(self, first: int, last: int) -> list[Entry]:
        """Return the entries ``first`` to ``last`` of the stored log, oldest first.

        Raises Unsound where one of them is missing, or is another one than was written there.
        """
        links = self._links(first, last)
        found = self.db.entries(self.row.id, first, last)
        for entry in found:
            check(entry, links[entry.seq], links[entry.base])
        return found

    def log(self, first: int = 1) -> Iterator[Entry]:
        """Return the stored log from an entry on, oldest first, a few entries at a time; raise Unsound likewise."""
        last = self._end[0]
        for one in range(first, last + 1, TOGETHER):
            yield from self.entries(one, min(one + TOGETHER - 1, last))

    def lines(self, before: int, limit: int) -> list[Line]:
        """Return lines of the stored log older than an entry, newest first; every reason is still in them.

        Raises Unsound where one of them is missing, or stands where it was not written.
        """
        first, last = max(before - limit, 1), before - 1
        if last < first:
            return []
        self._links(first, last)
        return self.db.lines(self.row.id, before, last - first + 1)

    def _links(self, first: int, last: int) -> dict[int, Link]:
        newest, head = self._end
        table, at_end = self.row.id, last == newest
        found = self.db.links(table, first - 1, None if at_end else last)
        return linked(found, first, last, head if at_end else None, lambda seq: self.db.link(table, seq))
