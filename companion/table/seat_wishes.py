"""Wishes about seats that wait for somebody: which of them stand, and who may say what to them."""

from __future__ import annotations

from collections.abc import Collection

from companion.kit.game import RULEKEEPER
from companion.table.records import SeatWish
from companion.table.session import Session
from companion.table.view_models import Proposal


def holds(session: Session, seat: str, token: str) -> bool:
    """Tell whether a token opens a seat."""
    return session.taken(seat) and session.places[seat].token == token


def stands(session: Session, wish: SeatWish) -> bool:
    """Tell whether both still sit where they sat when it was wished for."""
    return (not wish.by or holds(session, wish.by, wish.held)) and holds(session, wish.other, wish.other_held)


def may(session: Session, wish: SeatWish, seat: str) -> str | None:
    """Tell what a seat may say to a wish: ``answer``, ``refuse``, ``withdraw`` or ``take``; None: nothing."""
    if wish.agreed:
        return "take" if wish.other == seat else None
    if wish.by == seat:
        return "withdraw"
    if wish.about == "swap":
        return "answer" if wish.other == seat else None
    if seat == RULEKEEPER:
        return "refuse"
    return "answer" if session.plays(seat) and session.taken(seat) else None


def standing(session: Session) -> tuple[SeatWish, ...]:
    """List the wishes about seats that wait for an answer."""
    wishes = session.db.notes(session.row.id, SeatWish).values()
    return tuple(wish for wish in wishes if stands(session, wish))


def proposals(session: Session, wishes: Collection[SeatWish], seat: str) -> tuple[Proposal, ...]:
    """List the wishes to which a seat may say something."""
    shown = ((wish, may(session, wish, seat)) for wish in wishes)
    return tuple(
        Proposal(wish.id, wish.about, wish.by, wish.other, may_say) for wish, may_say in shown if may_say is not None
    )
