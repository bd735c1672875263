"""Whom a table waits for, and who is called for it: the seats that wait for what somebody else has done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from companion.kit.game import RULEKEEPER
from companion.table.records import SETTINGS_SAID, Awaited
from companion.table.seat_wishes import may, standing
from companion.table.session import Session, stored
from companion.table.settings import may_agree_to_end
from companion.table.undo import may_consent
from companion.table.unshowable import logged
from companion.table.view_models import Line

ToMove = Callable[[], Iterable[str]]
"""Tells the seats that the game waits for where nobody is asked anything; any seat is shown the same."""

NOBODY = ""
"""Stands for the seat of what nobody did with a tap, as where time has run out."""
GOES_ON = frozenset(sentence for sentence, setting in SETTINGS_SAID.items() if setting in {"resumed", "reopened"})
"""The sentences by which the log tells that everybody may go on."""


def know(session: Session, to_move: ToMove) -> None:
    """Note whom a table waits for of which that is not known: one that is new, was imported, or is of older days."""
    if session.row.awaited is None:
        _note(session, NOBODY, to_move, new=False)


def note(session: Session, by: str, to_move: ToMove) -> None:
    """Note whom the table waits for once a seat has done something; call it before that is saved.

    Whoever is waited for anew is called by the version that is saved next: not the one who did it, who looks at what
    came of it. A call stays the same as long as its seat is waited for and nothing new is asked of it.
    """
    _note(session, by, to_move, new=True)


def _note(session: Session, by: str, to_move: ToMove, *, new: bool) -> None:
    row = session.row
    before, row.awaited = row.awaited or {}, None
    # A position that can not be shown is no reason to lose what was done.
    with logged("nobody is called at table %s", row.id):
        whom = dict[str, Awaited]()
        for seat, why in _reasons(session, to_move):
            known = before.get(seat, Awaited())
            now = whom.get(seat, Awaited((), known.call))
            calls = new and seat != by and why not in known.why
            whom[seat] = Awaited((*now.why, why), row.version + 1 if calls else now.call)
        row.awaited = whom


def _reasons(session: Session, to_move: ToMove) -> Iterator[tuple[str, str]]:
    """Name the seats that the table waits for, each with what for."""
    row = session.row
    for knock in session.db.knocks(row.id):
        if knock.answer is None:
            yield RULEKEEPER, f"knock {knock.id}"
    for wish in standing(session):
        for seat in session.places:
            if (what := may(session, wish, seat)) not in {None, "withdraw"}:
                yield seat, f"seats {wish.id} {what}"
    if row.closing is not None:
        yield from ((seat, "end") for seat in may_agree_to_end(session, row.closing))
    if row.paused or row.ended:
        return
    if asks := row.asks:
        yield from ((seat, f"wish {asks.since}") for seat in may_consent(session, asks.by))
    if row.held is not None:
        answering = dict.fromkeys(_whoever_plays(session, seat) for seat, _ in row.held.unanswered)
        yield from ((seat, f"question {row.held.since}") for seat in answering)
        return
    moving = dict.fromkeys(_whoever_plays(session, seat) for seat in to_move() if session.plays(seat))
    yield from ((seat, "turn") for seat in moving)


def _whoever_plays(session: Session, seat: str) -> str:
    return seat if session.taken(seat) else RULEKEEPER


def since(session: Session, newest: Sequence[Line]) -> str:
    """Return since when nothing has been done for which the table waits, by the newest lines of its log.

    It is ISO 8601, UTC; empty while nobody may do anything.
    """
    row = session.row
    if row.paused or row.ended:
        return ""
    if row.held is not None and row.held.put is not None:
        return stored(row.held.put)
    steps = (line.at for line in newest if line.kind != "setting" or line.headline.say in GOES_ON)
    return next(steps, newest[-1].at)
