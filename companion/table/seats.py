"""Seats: taking a free one, asking for a taken one, and the tokens that open them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

import msgspec

from companion.kit.asking import Ask
from companion.kit.game import RULEKEEPER
from companion.kit.text import Text, say
from companion.table.act import rerun_pending
from companion.table.problem import Problem, Taken
from companion.table.records import Entry, SeatRecord, SeatRequest, StateChange
from companion.table.session import UNFIT, Session
from companion.table.sql import TablesDb
from companion.table.validation import tidy_name

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Letters and digits that nobody mixes up when they are read aloud."""
CODE_LENGTH = 6
MAX_KNOCKS = 40
MAX_KNOCKS_WAITING = 8
NEXT = "next"
"""Stands for the next free one of the seats that are alike."""


def free_code(db: TablesDb) -> str:
    """Make up an id that no table has yet: short enough to type."""
    while True:
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        if db.version(code) is None:
            return code


def is_code(text: str) -> bool:
    """Tell whether a text can be a table's id."""
    return len(text) == CODE_LENGTH and set(text) <= set(ALPHABET)


def new_token() -> str:
    """Make up a token: 256 bits that nobody guesses."""
    return secrets.token_urlsafe(32)


def _same_token(stored: str | None, sent: str) -> bool:
    """Compare tokens in a time that does not tell how much of them is right."""
    return stored is not None and secrets.compare_digest(stored.encode(), sent.encode(errors="replace"))


def seat_of(places: dict[str, SeatRecord], token: str) -> str | None:
    """Find the seat that a token opens; None when it opens none."""
    return next((place.seat for place in places.values() if _same_token(place.token, token)), None)


def token_of(session: Session, seat: str) -> str:
    """Return the token of a seat; raise Problem (409) when nobody sits there."""
    token = session.places[seat].token
    if token is None:
        raise Problem(409, say("Nobody sits there."), "seat")
    return token


def join(session: Session, seat: str, name: str) -> str:
    """Take a free seat (``NEXT``: the next one of those that are alike); returns its token.

    Raises Taken (409) when somebody sits there, Problem (409) when no seat is free.
    """
    if seat == NEXT:
        seat = next_free(session)
    session.check_seat(seat)
    if session.taken(seat):
        raise Taken(409, say("{who} sits there: ask for the seat.", who=session.who(seat)), "seat")
    token = _sit(session, seat, tidy_name(name))
    who, role = session.called(seat), session.role(seat)
    joined = say("{who} has joined", who=who) if who == role else say("{who} has joined: {seat}", who=who, seat=role)
    log(session, seat, joined)
    return token


def next_free(session: Session) -> str:
    """Find the next free one of the seats that are alike; rather one that nobody sat on: what is there is theirs."""
    free = [role.id for role in session.roles if role.alike and not session.taken(role.id)]
    if not free:
        raise Problem(409, say("Every seat of this table is taken."), "seat")
    used = session.db.acting_seats(session.row.id) | {seat for seat in free if session.places[seat].name}
    return next((seat for seat in free if seat not in used), free[0])


def log(session: Session, seat: str, headline: Text, by: str | None = None) -> Entry:
    """Write down who sits where now; a game that wants to know is told with it."""
    change = _tell_game(session, seat)
    entry = session.append("setting", seat, headline, by=by, change=change)
    if change is not None:
        rerun_pending(session)
    return entry


def _tell_game(session: Session, seat: str) -> StateChange | None:
    """Tell the game who sits on one of its seats; None where it does not want to know, or can not go on."""
    place = session.places[seat]
    try:
        if session.game.seated is None or not session.plays(seat):
            return None
        action = session.game.seated(seat, None if place.token is None else place.name)
        ruling = session.game.rule(session.state, seat, action, Ask())
    except (Problem, *UNFIT):
        return None
    return StateChange(msgspec.to_builtins(action), (), ruling.outcome)


def _sit(session: Session, seat: str, name: str) -> str:
    token = new_token()
    session.seat_down(SeatRecord(seat, name or session.places[seat].name, token))
    return token


def knock(session: Session, seat: str, name: str) -> SeatRequest:
    """Ask the rulekeeper for a taken seat; raise Problem when it is free (409) or too many wait already (429)."""
    session.check_seat(seat)
    if seat == RULEKEEPER:
        raise Problem(403, say("The rulekeeper's seat opens with its private link only."), "seat")
    if not session.taken(seat):
        raise Problem(409, say("That seat is free: take it."), "seat")
    knocks = session.db.knocks(session.row.id)
    if sum(knock.answer is None for knock in knocks) >= MAX_KNOCKS_WAITING:
        raise Problem(429, say("Several people wait for a seat already: ask the rulekeeper."))
    for knock in knocks[: max(0, len(knocks) - MAX_KNOCKS)]:
        if knock.answer is not None:
            session.db.delete_knock(knock.id)
    request = SeatRequest(secrets.token_hex(8), seat, tidy_name(name), new_token(), None)
    session.db.put_knock(session.row.id, request)
    return request


def asked(session: Session, tokens: Iterable[str]) -> bool:
    """Tell whether somebody asked for a seat with one of these tokens."""
    knocks = session.db.knocks(session.row.id)
    return any(_same_token(knock.token, token) for token in tokens for knock in knocks)


def knocked(session: Session, token: str) -> str | None:
    """Tell how a wish for a seat went: None (it waits), ``no`` or the seat's token; raise Problem (404) without one."""
    request = next((knock for knock in session.db.knocks(session.row.id) if _same_token(knock.token, token)), None)
    if request is None:
        raise Problem(404, say("This phone has not asked for a seat here."))
    # A seat that was handed on again since then is not theirs any more.
    return request.answer if request.answer in {None, session.places[request.seat].token} else "no"


def grant(session: Session, knock_id: str, *, yes: bool) -> Entry | None:
    """Hand a taken seat over to somebody who asked for it, or not; whoever had it needs to ask for it again.

    Raises Problem (409) when nobody waits under this id: it was answered already.
    """
    request = next((knock for knock in session.db.knocks(session.row.id) if knock.id == knock_id), None)
    if request is None or request.answer is not None:
        raise Problem(409, say("Nobody waits for that seat any more."), "knock")
    seat, before = request.seat, session.places[request.seat].name
    answer = _sit(session, seat, request.name) if yes else "no"
    session.db.put_knock(session.row.id, msgspec.structs.replace(request, answer=answer))
    if not yes:
        return None
    return log(session, seat, taken_over(session, seat, before), RULEKEEPER)


def taken_over(session: Session, seat: str, before: str) -> Text:
    """Say who has a seat now, and from whom where that one had a name (``before``); what the seat is called once."""
    who, role = session.places[seat].name or say("Somebody"), session.role(seat)
    if not before:
        return say("{who} takes over: {seat}", who=who, seat=role)
    return say("{who} takes over from {before}: {seat}", who=who, before=before, seat=role)


def release(session: Session, seat: str) -> Entry:
    """Free a seat: its link opens nothing any more. Raises Problem when nobody sits there (409)."""
    session.check_seat(seat)
    if seat == RULEKEEPER:
        raise Problem(409, say("A table needs its rulekeeper: this seat cannot be freed."), "seat")
    return free(session, seat, RULEKEEPER)


def free(session: Session, seat: str, by: str) -> Entry:
    """Let nobody sit on a seat any more; raise Problem (409) when nobody does."""
    if not session.taken(seat):
        raise Problem(409, say("Nobody sits there."), "seat")
    who = session.called(seat)
    alike = any(role.alike for role in session.roles if role.id == seat)
    # Of seats that are alike only the name tells whose it was, and what may still lie there.
    session.seat_down(SeatRecord(seat, session.places[seat].name if alike else "", None))
    return log(session, seat, say("{who} gets up: {seat} is free", who=who, seat=session.role(seat)), by)


def rename(session: Session, seat: str, name: str) -> None:
    """Change the name of whoever sits there."""
    before, place = session.who(seat), session.places[seat]
    session.seat_down(SeatRecord(seat, tidy_name(name), place.token))
    change = _tell_game(session, seat) if place.token is not None else None
    if change is not None:
        headline = say("{before} is now called {who}", before=before, who=session.who(seat))
        session.append("setting", seat, headline, change=change)
        rerun_pending(session)
