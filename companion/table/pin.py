"""The PIN of a table: who does not know it sits down nowhere; kept so that nobody can read it."""

from __future__ import annotations

import secrets
from hashlib import scrypt

from companion.kit.game import RULEKEEPER
from companion.kit.text import say
from companion.table import seats
from companion.table.problem import Problem, Settled
from companion.table.records import Entry, TablePin
from companion.table.session import Session

SHORTEST, LONGEST = 4, 8
"""Digits of a PIN."""
_COST = 2**14
"""What trying one costs: a twentieth of a second, 16 MB."""


class WrongPin(Problem):
    """Somebody typed another PIN than the table's."""


def read(typed: str) -> str:
    """Return a new PIN as it was typed, without blanks; raise Problem (400) where it can be none."""
    pin = "".join(typed.split())
    if not (pin.isascii() and pin.isdecimal() and SHORTEST <= len(pin) <= LONGEST):
        raise Problem(400, say("A PIN has {least} to {most} digits.", least=SHORTEST, most=LONGEST), "pin")
    return pin


def lock(session: Session, pin: str) -> Entry:
    """Lock the table with a PIN, which phones that do not sit here yet have to type; raise Settled when it is that."""
    known = _kept(session)
    if known is not None and _fits(known, pin):
        raise Settled
    salt = secrets.token_hex(16)
    session.db.put_note(session.row.id, "", TablePin(salt, _digest(pin, salt), seats.new_token()))
    return session.append("setting", RULEKEEPER, say("The table is locked with a PIN."))


def unlock(session: Session) -> Entry:
    """Let the table have no PIN; raise Settled when it has none."""
    if _kept(session) is None:
        raise Settled
    session.db.delete_note(session.row.id, "", TablePin)
    return session.append("setting", RULEKEEPER, say("The table has no PIN any more."))


def is_locked(session: Session) -> bool:
    """Tell whether the table has a PIN."""
    return _kept(session) is not None


def lets_in(session: Session, admission: str) -> bool:
    """Tell whether a phone may sit down that shows an ``admission``, or none at all where there is no PIN."""
    known = _kept(session)
    return known is None or secrets.compare_digest(known.admission.encode(), admission.encode(errors="replace"))


def admit(session: Session, typed: str) -> str:
    """Return what a phone shows from now on that has typed the PIN; raise WrongPin (403) where it is another one."""
    known = _kept(session)
    if known is None:
        return ""
    pin = "".join(typed.split())
    if not pin:
        raise Problem(403, say("This table is locked: type its PIN. Whoever keeps the rules knows it."), "pin")
    if not _fits(known, pin):
        raise WrongPin(403, say("That is not the PIN of this table. Ask whoever keeps the rules."), "pin")
    return known.admission


def _kept(session: Session) -> TablePin | None:
    return session.db.notes(session.row.id, TablePin).get("")


def _fits(known: TablePin, pin: str) -> bool:
    return secrets.compare_digest(known.digest, _digest(pin[: 8 * LONGEST], known.salt))


def _digest(pin: str, salt: str) -> str:
    return scrypt(pin.encode(errors="replace"), salt=bytes.fromhex(salt), n=_COST, r=8, p=1, dklen=32).hex()
