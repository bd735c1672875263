"""When what was hidden is shown to all: no single seat opens it while the game goes on."""

from __future__ import annotations

from typing import Any

from companion.kit.game import SCREEN
from companion.table.problem import Problem
from companion.table.records import Entry
from companion.table.session import UNFIT, Session, decoded


def is_open(session: Session) -> bool:
    """Tell whether everything may be shown: the table was ended, or what was played has ended the game.

    Where it is a correction alone that says so, it was one seat's own word, and another one takes it back.
    """
    if session.row.ended or session.over is not True:
        return session.row.ended
    entry = session.head
    while entry.kind in {"correction", "setting"}:
        entry = session.entry(entry.base)
    if entry is session.head:
        return True
    try:
        return session.game.view(decoded(session.game, entry.state or ""), SCREEN).over
    except (Problem, *UNFIT):
        return False


def was_opened(session: Session, end: Entry) -> bool:
    """Tell whether a seat's own secrets may have been looked at after an entry, because the game was over by it."""
    game = session.game
    try:
        return is_open(session) and _has_secrets(session, decoded(game, session.entry(end.base).state or ""))
    except (Problem, *UNFIT):
        return True


def reopens(session: Session, state: Any) -> bool:
    """Tell whether a game that is over would go on with a state, after secrets of it may have been looked at."""
    return is_open(session) and not session.game.view(state, SCREEN).over and _has_secrets(session, state)


def _has_secrets(session: Session, state: Any) -> bool:
    return any(value.secret_of or value.only for value in session.game.tracked(state))
