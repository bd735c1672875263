"""What a request on a table gives back: what was done, what was created, which tables there are."""

from __future__ import annotations

import msgspec

from companion.kit.ruling import Reason
from companion.kit.text import Text
from companion.table.seat_view import Asked, Person, Waiting


class Done(msgspec.Struct, frozen=True, omit_defaults=True):
    """Say what a request did, as the seat that sent it may read it.

    ``version`` is the table's after it and ``seq`` the entry it wrote. While the rule waits for answers there
    is no ``headline`` yet, ``reasons`` are the story so far, ``waiting`` says for whom, and ``asked`` is set
    when it is the sender. ``repeated``: it had been done before under the same key, and was not done again.
    """

    version: int
    seq: int | None = None
    headline: Text | None = None
    reasons: tuple[Reason, ...] = ()
    asked: Asked | None = None
    waiting: tuple[Waiting, ...] = ()
    repeated: bool = False


class Created(msgspec.Struct, frozen=True):
    """Hand over a new table and the tokens of the seats that are taken from the start: the rulekeeper's."""

    table: str
    tokens: dict[str, str]


class Summary(msgspec.Struct, frozen=True):
    """Describe a table to somebody who has no seat at it.

    ``people`` are the seats in turn order and the rulekeeper; ``over`` is true when the game has ended or was
    ended, ``playable`` false when the game of today can not read the table any more. ``updated_at`` is ISO
    8601, UTC.
    """

    table: str
    game: str
    title: str
    version: int
    people: tuple[Person, ...]
    updated_at: str
    over: bool
    playable: bool = True

    @property
    def free(self) -> tuple[Person, ...]:
        """List the seats that somebody may still take."""
        return tuple(person for person in self.people if not person.taken)

    @property
    def taken(self) -> tuple[Person, ...]:
        """List the seats that are taken."""
        return tuple(person for person in self.people if person.taken)
