"""A rematch: another table like one whose game is over, at which the same people sit already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from logging import getLogger
from typing import Any

import msgspec

from companion.kit.game import RULEKEEPER
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import say
from companion.table import create, seats
from companion.table.problem import Problem
from companion.table.records import RematchSeat, TablePin
from companion.table.session import UNFIT, Session
from companion.table.sql import TablesDb
from companion.table.view_models import Created

PLAYERS = 2
"""So many seats can change places in one way only."""

_logger = getLogger(__name__)


class Rematch(msgspec.Struct, frozen=True):
    """Show the rematch of a table: its id, and the seat there of each seat here for which one is kept."""

    table: str
    seats: tuple[tuple[str, str], ...]

    @property
    def swapped(self) -> bool:
        """Tell whether people have changed places."""
        return any(seat != there for seat, there in self.seats)


class Seated(msgspec.Struct, frozen=True):
    """Hand over a seat of a rematch: the table, the seat, and the token that opens it."""

    table: str
    seat: str
    token: str


def rematch_of(session: Session) -> Rematch | None:
    """Find the rematch of a table; None where there is none yet."""
    found = session.db.rematch(session.row.id)
    kept = tuple((one.seat, one.next_seat) for one in _kept(session).values())
    return Rematch(found[0].next_table, kept) if found else None


def may_swap(session: Session) -> bool:
    """Tell whether the people of two seats can change places: both sit there, and the seats differ in something."""
    roles = session.roles
    return len(roles) == PLAYERS and all(session.taken(role.id) and not role.alike for role in roles)


def begin(session: Session, seat: str, swap: bool, open_new: Callable[[TablesDb, str], Session]) -> None:
    """Set the rematch up where there is none, as this table was; everybody who sits here sits there too.

    Raises Problem (403, 409) where the game is not over, or where nobody can change places.
    """
    session.check_seat(seat)
    if session.db.rematch(session.row.id):
        return
    if not session.finished:
        raise Problem(409, say("The game is not over yet."))
    if swap and not may_swap(session):
        raise Problem(409, say("Sides can only be swapped by two players."), "swap")
    here = [one.id for one in session.roles]
    there = dict(zip(here, reversed(here) if swap else here, strict=True))
    made = _like(session, there)
    new = open_new(session.db, made.table)
    held = {one: place.token for one, place in session.places.items() if place.token is not None}
    sitting = [RematchSeat(RULEKEEPER, held[RULEKEEPER], made.table, RULEKEEPER, made.tokens[RULEKEEPER])]
    for one, other in there.items():
        if session.taken(one) and other in new.places:
            token = seats.join(new, other, session.places[one].name)
            sitting.append(RematchSeat(one, held[one], made.table, other, token))
    new.save()
    for name, pin in session.db.notes(session.row.id, TablePin).items():
        session.db.put_note(made.table, name, pin)  # locked as this one is
    for place in sitting:
        session.db.put_rematch(session.row.id, place)
    session.append("setting", seat, say("Rematch at table {table}", table=made.table))
    session.save()


def _like(session: Session, there: Mapping[str, str]) -> Created:
    """Make a table with the options of this one, at which lies what people had brought here."""
    row = session.row

    def begun(ruling: Ruling[Any]) -> Ruling[Any]:
        fresh = ruling.outcome
        state = _brought(session, fresh, there)
        if state == fresh:
            told = say("Rematch of table {table}", table=row.id)
            return msgspec.structs.replace(ruling, headline=told, reasons=(Reason(ruling.headline), *ruling.reasons))
        told = say("Rematch of table {table}: same lists", table=row.id)
        return msgspec.structs.replace(ruling, outcome=state, headline=told)

    return create.like(session, row.title, begun)


def _brought(session: Session, fresh: Any, there: Mapping[str, str]) -> Any:
    """Return how the rematch begins; as any new table, where the game of today can make nothing of what lies here."""
    try:
        return session.game.again(fresh, session.state, there)
    except (Problem, *UNFIT) as wrong:
        _logger.warning("nothing of table %s is brought to its rematch: %r", session.row.id, wrong)
        return fresh


def seat_there(session: Session, seat: str) -> Seated:
    """Give whoever holds a seat here his seat at the rematch.

    Raises Problem (409) where he has none there, or it was freed or handed on since, here or there.
    """
    kept = seats_kept(session, (seat,))
    if not kept:
        raise Problem(409, say("No seat is kept for you in the rematch: take a free one there."), "seat")
    return kept[0]


def seats_kept(session: Session, seats: Iterable[str]) -> tuple[Seated, ...]:
    """Give whoever holds some seats here all those that are kept for him at the rematch."""
    kept = _kept(session)
    places = (kept[seat] for seat in seats if seat in kept)
    return tuple(Seated(place.next_table, place.next_seat, place.token) for place in places)


def _kept(session: Session) -> dict[str, RematchSeat]:
    """List the seats of the rematch that are still those of the people who sat here when it was set up."""
    found = session.db.rematch(session.row.id)
    there = session.db.places(found[0].next_table) if found else {}
    kept = {}
    for one in found:
        here, now = session.places.get(one.seat), there.get(one.next_seat)
        if here is not None and here.token == one.held and now is not None and now.token == one.token:
            kept[one.seat] = one
    return kept
