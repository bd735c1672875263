"""What goes wrong at a table, said so that a person can act on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.kit.text import Text


class Problem(Exception):
    """Say why a request was not done, with the HTTP status that fits it.

    ``field`` names what was filled in wrongly, ``clause`` the rule that forbids it. ``passing`` is true where nothing
    is wrong with the request and the same one may do later (a full disk). Whatever raises it has changed nothing.
    """

    def __init__(
        self,
        status: int,
        text: Text,
        field: str | None = None,
        clause: str | None = None,
        *,
        passing: bool = False,
    ) -> None:
        super().__init__(text.say)
        self.status = status
        self.text = text
        self.field = field
        self.clause = clause
        self.passing = passing


class Taken(Problem):
    """Say that somebody sits there already: the seat can only be asked for."""


class Settled(Exception):
    """Say that what a request wants has come to pass already: there is nothing left to do, and nothing wrong."""


class Unusable(Exception):
    """Say in one sentence why the tables can not be opened at all: newer than this Companion, damaged, or out
    of reach.
    """

    def __init__(self, text: Text) -> None:
        super().__init__(text.say)
        self.text = text
