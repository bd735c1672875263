"""What goes wrong at a table, said so that a person can act on it."""

from __future__ import annotations

from typing import NamedTuple

from companion.kit.text import Text, say


class Problem(Exception):
    """Why a request was not done, with the HTTP status that fits it.

    ``field`` names what was filled in wrongly, ``clause`` the rule that forbids it. ``passing`` is true where nothing
    is wrong with the request and the same one may do later (a full disk). Whatever raises it has changed nothing.
    """

    def __init__(
        self, status: int, text: Text, field: str | None = None, clause: str | None = None, *, passing: bool = False
    ) -> None:
        super().__init__(text.say)
        self.status, self.text = status, text
        self.field, self.clause = field, clause
        self.passing = passing


class Taken(Problem):
    """Somebody sits there already: the seat can only be asked for."""


class Deletion(NamedTuple):
    """How a table was deleted.

    ``at`` is when that was, ``until`` when it goes for good, in ISO 8601, UTC; ``by`` is who did it, as
    ``records.DeletedBy`` says, ``who`` its rulekeeper by name, empty where he has none.
    """

    table: str
    game: str
    title: str
    at: str
    until: str
    by: str
    who: str


class Gone(Problem):
    """A table was deleted (410), and can still be brought back."""

    def __init__(self, deletion: Deletion) -> None:
        text = say("Table {table} was deleted. Its rulekeeper or the laptop can bring it back.", table=deletion.table)
        super().__init__(410, text, "table")
        self.deletion = deletion


class Damaged(Problem):
    """What is stored can not be what was written, and what to do."""

    def __init__(self, file: str) -> None:
        text = say(
            "{file} is damaged. On Companion's computer: stop Companion, copy that file to another place and bring "
            "back a backup.",
            file=file,
        )
        super().__init__(409, text)


class Unsound(Exception):
    """What was read of a table can not be what was written."""


class Settled(Exception):
    """What a request wants has come to pass already: there is nothing left to do, and nothing wrong."""


class Unusable(Exception):
    """Why the tables can not be opened at all, in one sentence: newer than this Companion, damaged, or out of reach."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.say)
        self.text = text


def damaged_file(file: str) -> Text:
    """Say that a file can not be opened, and what to do."""
    return say(
        "{file} is damaged or not Companion's: move it away and bring back a backup, or choose another folder with "
        "--data.",
        file=file,
    )


def no_room() -> Problem:
    """Say that there is no room left on the disk (409)."""
    return Problem(409, say("The disk is full: nothing was changed. Make room and try again."), passing=True)
