"""What people have brought to a table, or written at it, as files that another table can take."""

from __future__ import annotations

import msgspec

from companion.kit.text import Text


class GameFile(msgspec.Struct, frozen=True):
    """A file of a game: the ``action`` (its tag) that takes its ``text`` at a table, and what it is called."""

    action: str
    name: Text
    text: str
