"""Requests that no seat makes yet: making a table, taking a seat. Repeated under one key, they give one answer."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import msgspec

from companion.kit.text import say
from companion.table import validation
from companion.table.problem import Problem
from companion.table.sql import TablesDb

NOBODY = ""
"""Who makes such a request, and at which table when it is about none yet: no seat and no table is called so."""
MIN_KEY_LENGTH = 16
"""Characters of a key: whoever repeats it is given the tokens again, so it must not be guessed."""


def named(key: str | None, *request: Any) -> str | None:
    """Name a request by its key and everything that it asks for; None without a key.

    Raises Problem (400) for a key that can not be one.
    """
    if key is None:
        return None
    if len(validation.key(key)) < MIN_KEY_LENGTH:
        raise Problem(400, say("This key is too short: {least} characters at least.", least=MIN_KEY_LENGTH), "key")
    return blake2b(msgspec.json.encode((key, request), order="deterministic"), digest_size=32).hexdigest()


def once(db: TablesDb, table: str, name: str | None, do: Callable[[], str]) -> str:
    """Do what a request asks for and remember its answer; give the answer again when it is a repeated one."""
    if name is None:
        return do()
    answer = db.done(table, NOBODY, name)
    if answer is None:
        answer = do()
        # Where there is no table yet, the requests themselves are counted: the oldest are forgotten there too.
        db.put_done(table, NOBODY, name, db.version(table) or db.newest_done(table) + 1, answer)
    return answer
