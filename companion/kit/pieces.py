"""What a state holds several of, units, cards and the like, each found by its id."""

from __future__ import annotations

from typing import Any, Protocol, Self, TypeVar


class Piece(Protocol):
    """One of them: a ``Frozen`` with an id."""

    @property
    def id(self) -> str:
        """What it is called."""

    def but(self, **changes: Any) -> Self:
        """Return it with some values changed."""


P = TypeVar("P", bound=Piece)


def changed(pieces: tuple[P, ...], name: str, **changes: Any) -> tuple[P, ...]:
    """Change one piece; the others, and their order, stay."""
    return tuple(piece.but(**changes) if piece.id == name else piece for piece in pieces)
