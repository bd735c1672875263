"""When what was hidden is shown to all: no single seat opens it while the game goes on."""

from __future__ import annotations

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
    return is_open(session) and _has_secrets(session, session.entry(end.base))


def _has_secrets(session: Session, entry: Entry) -> bool:
    game = session.game
    try:
        return any(value.secret_of or value.only for value in game.tracked(decoded(game, entry.state or "")))
    except (Problem, *UNFIT):
        return True
