"""Settings of a table that its rulekeeper changes in play; each change stands in the log."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import msgspec

from companion.kit.game import RULEKEEPER
from companion.kit.ruling import Reason
from companion.kit.text import Text, say
from companion.table.problem import Problem
from companion.table.records import EndRequest, Entry, NoRealBoard, Setting
from companion.table.session import Session
from companion.table.validation import TITLE_LENGTH, tidy_name
from companion.table.view_models import DiceMode, EndWish


class DiceSetting(NamedTuple):
    """A way of throwing dice: what it is called, what it means, and what the log says when it is chosen."""

    mode: DiceMode
    name: Text
    meaning: Text
    chosen: Text


DICE = (
    DiceSetting(
        "app",
        say("Companion rolls"),
        say("One tap, and the dice are on every phone."),
        say("Companion rolls the dice."),
    ),
    DiceSetting(
        "typed",
        say("We roll"),
        say("You roll real dice and tap the faces."),
        say("You roll the dice and type the faces."),
    ),
    DiceSetting(
        "ask",
        say("Ask each time"),
        say("Roll or tap: whoever rolls decides."),
        say("Who rolls the dice is asked at each roll."),
    ),
)


def dice_setting(mode: str) -> DiceSetting:
    """Find a way of throwing dice; raise Problem (400) when there is no such way."""
    for setting in DICE:
        if setting.mode == mode:
            return setting
    raise Problem(400, say("Dice are rolled by Companion, typed, or asked for each time."), "dice")


def set_dice(session: Session, mode: str) -> Entry:
    """Change who throws the dice."""
    setting = dice_setting(mode)
    session.row.dice = setting.mode
    return session.append("setting", RULEKEEPER, setting.chosen)


REAL_BOARD = say("A real board lies beside: what happened is a list to do there.")
NO_REAL_BOARD = say("There is no real board: what happened is only told.")


def has_real_board(session: Session) -> bool:
    """Tell whether a real board lies beside: it does unless the rulekeeper says that there is none."""
    return not session.db.notes(session.row.id, NoRealBoard)


def set_real_board(session: Session, *, on: bool) -> Entry | None:
    """Say whether a real board lies beside, on which people do what happened; None when that is how it is already."""
    if has_real_board(session) == on:
        return None
    if on:
        session.db.delete_note(session.row.id, "", NoRealBoard)
        return session.append("setting", RULEKEEPER, REAL_BOARD)
    session.db.put_note(session.row.id, "", NoRealBoard())
    return session.append("setting", RULEKEEPER, NO_REAL_BOARD)


def take_board_along(session: Session, table: str) -> None:
    """Say of a table that is made out of another one whether a real board lies beside, as there."""
    if not has_real_board(session):
        session.db.put_note(table, "", NoRealBoard())


def pause(session: Session, *, on: bool) -> Entry | None:
    """Pause the table or go on; None when that is how it is already."""
    if session.row.paused == on:
        return None
    session.row.paused = on
    headline = say("The table is paused.") if on else say("The table goes on.")
    return _log_halt(session, headline, "paused" if on else "resumed")


def end(session: Session, *, on: bool, own: Collection[str] = ()) -> Entry | None:
    """End the table, or ask for it, or open it again; None when that is how it is already, or somebody is asked.

    A game that goes on ends with the yes of another player: of somebody who sits on none of the seats that are on the
    rulekeeper's phone (``own``).
    """
    row = session.row
    if row.ended == on:
        return None
    if not on:
        row.ended = False
        return _log_halt(session, say("The table is open again."), "reopened")
    asking = (*_tokens(session, (RULEKEEPER, *own)), *(row.closing.held if row.closing else ()))
    request = EndRequest(tuple(dict.fromkeys(asking)))
    # Where the game of today can not show the table, nobody sees that he is asked.
    if session.over is False and may_agree_to_end(session, request):
        row.closing = request
        return None
    return _end(session)


def _tokens(session: Session, seats: Collection[str]) -> tuple[str, ...]:
    return tuple(token for seat in seats if (place := session.places.get(seat)) and (token := place.token))


def may_agree_to_end(session: Session, request: EndRequest) -> tuple[str, ...]:
    """List the seats that may say yes to the end of the table: somebody sits there whose phone does not ask for it."""
    taken = (role.id for role in session.roles if session.taken(role.id))
    return tuple(seat for seat in taken if not _asks(session, request, seat))


def _asks(session: Session, request: EndRequest, seat: str) -> bool:
    return not {*request.held}.isdisjoint(_tokens(session, (seat,)))


def end_wish(session: Session, seat: str) -> EndWish | None:
    """Show a seat that the rulekeeper asks to end the table; None where he does not."""
    request = session.row.closing
    if request is None:
        return None
    return EndWish(seat in may_agree_to_end(session, request), _asks(session, request, seat))


def consent_to_end(session: Session, seat: str, own: Collection[str] = (), *, yes: bool) -> Entry | None:
    """Say yes or no to the end of the table; returns the entry that says so, None where the wish is given up.

    ``own`` are all seats on the phone that says so: it may hold one by now that it did not hold when it asked.
    Raises Problem when nobody asks for it (409), or another player has to say (403).
    """
    request = session.row.closing
    if request is None:
        raise Problem(409, say("Nobody asks to end the table."))
    asks = any(_asks(session, request, one) for one in (seat, *own))
    if not yes and (asks or seat == RULEKEEPER):
        session.row.closing = None
        return None
    if asks or seat not in may_agree_to_end(session, request):
        raise Problem(403, say("Somebody else has to agree to that."))
    who = session.who(seat)
    if yes:
        return _end(session, (Reason(say("{who} agrees.", who=who)),))
    session.row.closing = None
    return session.append("setting", seat, say("{who} does not want to end the table", who=who))


def end_from_outside(session: Session) -> None:
    """End the table on the laptop that runs Companion: nobody at it is asked, and all are told."""
    if not session.row.ended:
        _end(session, (Reason(say("It was ended on the laptop that runs Companion.")),))


def _end(session: Session, reasons: Sequence[Reason] = ()) -> Entry:
    session.row.ended, session.row.closing = True, None
    return _log_halt(session, say("The table ends here."), "ended", reasons)


def _log_halt(session: Session, headline: Text, setting: Setting, reasons: Sequence[Reason] = ()) -> Entry:
    if session.row.held is not None:
        # The time that a question waits begins again: none of it passes while nobody may answer.
        session.row.held = msgspec.structs.replace(session.row.held, put=session.now)
    return session.append("setting", RULEKEEPER, headline, reasons, setting=setting)


def retitle(session: Session, title: str) -> None:
    """Change what the table is called."""
    session.row.title = tidy_name(title, TITLE_LENGTH, "title")
