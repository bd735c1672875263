"""A table that is locked: phones that do not sit there yet type its PIN, once."""

from __future__ import annotations

from collections.abc import Collection

from flask import request

from companion.kit.text import say
from companion.table.pin import WrongPin
from companion.table.problem import Problem
from companion.web.guard import asker
from companion.web.host import is_host
from companion.web.state import app_state

ADMISSION = "admission"
"""The cookie that a phone keeps which has typed the PIN of a table."""


def needs_pin(table: str, held: Collection[str]) -> bool:
    """Tell whether this phone, which holds some seats, has to type a PIN before it takes one."""
    if held or is_host():
        return False
    return not app_state().tables.lets_in(table, request.cookies.get(ADMISSION, ""))


def admit(table: str, held: Collection[str]) -> str:
    """Return what this phone shows from now on where it has typed the PIN just now; empty where it need not.

    Raises Problem where it typed none or a wrong one (403), or too many wrong ones (429).
    """
    if not needs_pin(table, held):
        return ""
    guesses, who = app_state().pin_guesses, asker()
    if not guesses.begin(who):
        raise Problem(429, say("Too many wrong PINs. Wait a minute and try again."), "pin", passing=True)
    wrong = False
    try:
        return app_state().tables.admit(table, request.form.get("pin", ""))
    except WrongPin:
        wrong = True
        raise
    finally:
        if not wrong:
            guesses.forgive(who)
