"""The host: whoever holds the key of the laptop that runs Companion, brought by the link that its terminal prints."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from companion.kit.text import say
from companion.table.problem import Problem
from companion.web.pages import A_YEAR
from companion.web.state import app_state

KEY_FILE = "host.key"
"""Lies beside the tables and in no backup of them."""
COOKIE = "host"
"""How the names of cookies that hold a key begin: browsers send those of one port to every other one, too."""
_LENGTH = len(secrets.token_urlsafe(32))

host = Blueprint("host", __name__)


def read_or_make_key(folder: Path) -> str:
    """Return the key of the host, 256 bits that nobody guesses; it is kept in the folder of the tables, where it can.

    Only this user may read it there. Where the file can not be read or written, it is another key at every start.
    """
    file = folder / KEY_FILE
    with suppress(OSError, UnicodeDecodeError):
        key = file.read_text("ascii").strip()
        if len(key) == _LENGTH:
            return key
    key = secrets.token_urlsafe(32)
    with suppress(OSError):
        file.unlink(missing_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as made:
            made.write(key)
    return key


def is_host() -> bool:
    """Tell whether whoever asks shows the key of the host: an address says nothing, for behind a proxy all share it."""
    return any(_is_key(sent) for name, sent in request.cookies.items() if name.partition("-")[0] == COOKIE)


def check_host() -> None:
    """Raise Problem (403) unless whoever asks shows the key of the host."""
    if not is_host():
        raise Problem(
            403,
            say("Only the laptop that runs Companion may do that: open there the link that its terminal shows."),
        )


def _is_key(sent: str) -> bool:
    key = app_state().host_key
    return bool(key) and secrets.compare_digest(key.encode(), sent.encode(errors="replace"))


@host.get("/host/<key>")
def take_key(key: str) -> Response:
    """Give the key to the browser that opened the link of the terminal, and go to the first page."""
    if not _is_key(key):
        raise Problem(404, say("This link is not the laptop's any more: open the one that its terminal shows now."))
    answer = redirect(url_for("lobby.home"), 303)
    # Of two that run on one laptop each has a name of its own, or the link of one would lock out the host of the other.
    answer.set_cookie(
        f"{COOKIE}-{blake2b(key.encode(), digest_size=4).hexdigest()}",
        key,
        max_age=A_YEAR,
        httponly=True,
        samesite="Lax",
    )
    return answer
