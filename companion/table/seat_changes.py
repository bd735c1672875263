"""Seats are people's: handing one's own over, leaving it, swapping, and giving away that of the rulekeeper."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

import msgspec

from companion.kit.game import RULEKEEPER
from companion.kit.text import say
from companion.table import seats
from companion.table.problem import Problem
from companion.table.records import Entry, HandOver, SeatRecord, SeatWish, WishAbout
from companion.table.seat_wishes import holds, may, stands
from companion.table.session import Session, stored
from companion.table.validation import tidy_name
from companion.table.view_models import HandedOver, Offered

MINUTES = 10
"""So long a seat waits for whoever it is handed over to."""
FEWEST = 2
"""Players who have to agree before the rulekeeper's seat is given away."""


def hand_over(session: Session, seat: str, held: Collection[str] = (), *, on: bool) -> None:
    """Offer one's own seat to whoever opens a link, in the place of any older one; or offer it no more.

    ``held`` are all seats that the phone holds which says so.
    """
    session.db.delete_note(session.row.id, seat, HandOver)
    if on:
        until = stored(session.now + timedelta(minutes=MINUTES))
        named = (session.places[one].name for one in (seat, *sorted(held)) if one in session.places)
        by = next(filter(None, named), "")
        offer = HandOver(seat, seats.token_of(session, seat), secrets.token_urlsafe(16), until, by=by)
        session.db.put_note(session.row.id, seat, offer)


def handed_over(session: Session, seat: str) -> HandedOver | None:
    """Return how a seat is handed over just now, to whoever holds it; None where it is not."""
    offer = session.db.notes(session.row.id, HandOver).get(seat)
    if offer is None or not _is_open(session, offer):
        return None
    return HandedOver(offer.secret, datetime.fromisoformat(offer.until))


def _is_open(session: Session, offer: HandOver) -> bool:
    waits = not offer.taken and session.now < datetime.fromisoformat(offer.until)
    return waits and holds(session, offer.seat, offer.held)


def offered(session: Session, secret: str) -> Offered:
    """Return which seat a link hands over, and whose it is; raise Problem where it gives none (404), or no more (409).

    A link that was used, or is too old, says who has the seat: whoever opens it was given it.
    """
    return _offered(session, _find_offer(session, secret))


def _find_offer(session: Session, secret: str) -> HandOver:
    sent = secret.encode(errors="replace")
    for offer in session.db.notes(session.row.id, HandOver).values():
        if secrets.compare_digest(offer.secret.encode(), sent):
            return offer
    raise Problem(404, say("This link hands over no seat: ask for a new one."))


def _offered(session: Session, offer: HandOver) -> Offered:
    seat, who = offer.seat, session.who(offer.seat)
    if offer.taken or not holds(session, seat, offer.held):
        raise Problem(409, say("This link has been used: {who} sits there now.", who=who))
    if not _is_open(session, offer):
        text = say("This link is older than {minutes} minutes. Ask {who} for a new one.", minutes=MINUTES, who=who)
        raise Problem(409, text)
    return Offered(seat, session.role(seat), session.places[seat].name or offer.by)


def take_over(session: Session, secret: str, name: str) -> str:
    """Sit down on a seat that is handed over, once; returns its new token. Raises Problem as ``offered`` does."""
    offer = _find_offer(session, secret)
    _offered(session, offer)
    token = _sit(session, offer.seat, tidy_name(name), offer.by)
    session.db.put_note(session.row.id, offer.seat, msgspec.structs.replace(offer, taken=True))
    return token


def _sit(session: Session, seat: str, name: str, by: str = "") -> str:
    """Give a seat to somebody else, with a token of his own; ``by`` whom, where the seat has no name."""
    before, token = session.places[seat].name or by, seats.new_token()
    session.seat_down(SeatRecord(seat, name, token))
    if seat == RULEKEEPER:
        for wish in session.db.notes(session.row.id, SeatWish).values():
            if wish.about == "rulekeeper":
                _forget(session, wish)
    seats.log(session, seat, seats.taken_over(session, seat, before))
    return token


def leave(session: Session, seat: str) -> Entry:
    """Get up: one's own seat is free; raise Problem (409) where it is the rulekeeper's."""
    if seat == RULEKEEPER:
        text = say("A table needs its rulekeeper: hand this seat over to somebody instead.")
        raise Problem(409, text, "seat")
    return seats.free(session, seat, seat)


def change(session: Session, seat: str, other: str) -> Entry | None:
    """Take a free seat in the place of one's own, or ask whoever sits there to swap; None: he was asked.

    Raises Problem where either is no player's seat (403, 404), or nobody sits here, or it is the same one (409).
    """
    _check_plays(session, seat)
    _check_plays(session, other)
    token = seats.token_of(session, seat)
    if other == seat:
        raise Problem(409, say("That is your own seat."), "other")
    if session.taken(other):
        _wish(session, "swap", seat, other)
        return None
    session.seat_down(SeatRecord(other, session.places[seat].name, token))
    _follow(session, {seat: other})
    seats.free(session, seat, other)
    who = session.called(other)
    return seats.log(session, other, say("{who} changes seats: {seat}", who=who, seat=session.role(other)))


def propose(session: Session, seat: str, other: str) -> Entry:
    """Propose that somebody else keeps the rules: another player has to agree.

    Raises Problem (403, 409) where either is no player who sits there, or nobody else is there who could agree.
    """
    _check_plays(session, seat)
    _check_sits(session, other)
    if sum(session.taken(role.id) for role in session.roles) < FEWEST:
        text = say("Somebody else who plays here has to agree. With nobody there, the laptop gives the seat away.")
        raise Problem(409, text)
    _wish(session, "rulekeeper", seat, other)
    text = say("{who} proposes: {other} keeps the rules from now on", who=session.who(seat), other=session.who(other))
    return session.append("setting", seat, text)


def give(session: Session, other: str) -> Entry:
    """Let a player take the rulekeeper's seat, as whoever runs Companion wants; raise Problem where nobody sits there.

    The caller has made sure that it is whoever runs Companion.
    """
    _check_sits(session, other)
    for wish in session.db.notes(session.row.id, SeatWish).values():
        if wish.about == "rulekeeper":
            _forget(session, wish)
    _wish(session, "rulekeeper", "", other, agreed=True)
    text = say("The laptop gives the rulekeeper's seat to {who}", who=session.who(other))
    return session.append("setting", other, text)


def _check_plays(session: Session, seat: str) -> None:
    session.check_seat(seat)
    if not session.plays(seat):
        raise Problem(403, say("Only players do that: the rulekeeper's seat is handed over."), "seat")


def _check_sits(session: Session, seat: str) -> None:
    _check_plays(session, seat)
    if not session.taken(seat):
        raise Problem(409, say("Nobody sits there."), "other")


def _wish(session: Session, about: WishAbout, seat: str, other: str, *, agreed: bool = False) -> None:
    """Note a wish; an older one of that seat about the same, and those that are void, are forgotten."""
    for one in session.db.notes(session.row.id, SeatWish).values():
        if not stands(session, one) or (one.about == about and one.by == seat and not one.agreed):
            _forget(session, one)
    held = seats.token_of(session, seat) if seat else ""
    id_ = secrets.token_hex(8)
    wish = SeatWish(id_, about, seat, held, other, seats.token_of(session, other), agreed)
    session.db.put_note(session.row.id, id_, wish)


def _forget(session: Session, wish: SeatWish) -> None:
    session.db.delete_note(session.row.id, wish.id, SeatWish)


def _find_wish(session: Session, id_: str) -> SeatWish:
    """Find a wish that stands; raise Problem (409) when it was answered already, or somebody else sits there."""
    wish = session.db.notes(session.row.id, SeatWish).get(id_)
    if wish is None or not stands(session, wish):
        raise Problem(409, say("Nobody waits for that any more."), "wish")
    return wish


def answer(session: Session, seat: str, id_: str, held: Collection[str], *, yes: bool) -> Entry | None:
    """Agree to a wish about seats, or end it; ``held`` are all seats that the phone holds which says so.

    Raises Problem (403) where that is not the seat's, or the phone's, to say, (409) where nobody waits for it any more.
    """
    wish = _find_wish(session, id_)
    say_what = may(session, wish, seat)
    if say_what is None or (yes and say_what not in {"answer", "refuse"}):
        raise Problem(403, say("Somebody else has to agree."), "wish")
    if wish.about == "rulekeeper" and yes:
        if wish.by in held:
            raise Problem(403, say("Another phone has to agree: this one made the proposal."), "wish")
        session.db.put_note(session.row.id, wish.id, msgspec.structs.replace(wish, agreed=True))
        text = say("{who} agrees: {other} keeps the rules", who=session.who(seat), other=session.who(wish.other))
        return session.append("setting", seat, text)
    _forget(session, wish)
    if yes:
        return _swap(session, wish.by, wish.other)
    if wish.about == "swap" or wish.by == seat:
        return None
    return session.append("setting", seat, say("{who} says no: the rulekeeper stays", who=session.who(seat)))


def _swap(session: Session, seat: str, other: str) -> Entry:
    """Let two people change places: each keeps his token, so that his phones find where he sits now."""
    one, two = session.places[seat], session.places[other]
    called = {other: session.called(seat), seat: session.called(other)}
    session.seat_down(SeatRecord(other, one.name, one.token))
    session.seat_down(SeatRecord(seat, two.name, two.token))
    _follow(session, {seat: other, other: seat})

    def told(here: str, there: str) -> Entry:
        role = session.role(here)
        text = say("{who} swaps seats with {other}: {seat}", who=called[here], other=called[there], seat=role)
        return seats.log(session, here, text)

    told(other, seat)
    return told(seat, other)


def _follow(session: Session, moved: Mapping[str, str]) -> None:
    """Let a wish to take something back be that of whoever made it, where he sits now: he can not agree to himself."""
    wish = session.row.wish
    if wish is not None and wish.by in moved:
        session.row.wish = msgspec.structs.replace(wish, by=moved[wish.by])


def claim(session: Session, seat: str, id_: str) -> str:
    """Take the rulekeeper's seat that was given to one's own; returns its new token.

    Raises Problem (403) where it was given to somebody else, (409) where it is not any more.
    """
    wish = _find_wish(session, id_)
    if may(session, wish, seat) != "take":
        raise Problem(403, say("The rulekeeper's seat was not given to you."), "wish")
    return _sit(session, RULEKEEPER, session.places[seat].name)
