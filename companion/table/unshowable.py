"""What can not be shown: the terminal tells of it, and nobody who plays is kept from anything by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from logging import getLogger

from msgspec import MsgspecError

from companion.kit.panels import View
from companion.kit.text import say
from companion.table.problem import Problem, Unsound
from companion.table.session import UNFIT, Session, decoded
from companion.table.store import UNREADABLE

UNSHOWABLE = (*UNFIT, ArithmeticError, AttributeError, RecursionError, MsgspecError, Unsound)
"""What is raised where a position is shown that can not be, or a log that is damaged."""

_logger = getLogger(__name__)


@contextmanager
def logged(what: str, *of: object) -> Iterator[None]:
    """Leave off whatever goes wrong inside, and log ``what`` could not be done; ``of`` are its places."""
    try:
        yield
    except (Problem, *UNSHOWABLE, *UNREADABLE) as wrong:
        _logger.warning("%s: %r", what % of, wrong)
    except Exception:
        _logger.exception(what, *of)


def past_views(session: Session, state: str, seats: Iterable[str]) -> dict[str, View]:
    """Return what seats could see of a stored state; raise Problem (409) where the game of today can not show it."""
    game = session.game
    try:
        position = decoded(game, state)
        return {seat: game.view(position, seat) for seat in seats}
    except UNFIT as wrong:
        raise Problem(409, say("This position cannot be shown by the rules of today."), "at") from wrong
