"""What a rule answers: a ruling with its reasons, or a refusal with its clause."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Literal, TypeVar

import msgspec

from companion.kit.clash import Clash, Effect
from companion.kit.text import Text, say

R = TypeVar("R")


Fate = Literal["hit", "down", "gone"]
"""What became of a piece that was struck: it stands on, lies knocked over, or is out of the game."""


class Fighter(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece that fights: ``name`` says what it is without its place, ``place`` where it stood (None: unknown).

    ``side`` is the seat it belongs to; ``id`` stays its own as long as the table lasts.
    """

    id: str
    side: str
    name: Text
    place: str | None = None


class Harm(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a piece suffered: the ``hits`` marked on it and what became of it; ``by`` whom, None: by nobody."""

    to: Fighter
    hits: int = 0
    fate: Fate = "hit"
    by: Fighter | None = None


Verdict = Literal["tie", "left", "right", "idle"]
"""What a pair of opposed dice says: both cancel, one of them decides, or it is not needed any more."""


class Pair(msgspec.Struct, frozen=True, omit_defaults=True):
    """Two dice that meet; None is an empty place. A fixed die was not rolled: its value stood before."""

    left: int | None
    right: int | None
    verdict: Verdict
    left_fixed: bool = False
    right_fixed: bool = False


class Duel(msgspec.Struct, frozen=True, omit_defaults=True):
    """Opposed dice pair by pair, in the order in which they are compared.

    ``left`` and ``right`` say whose dice they are; ``left_side`` and ``right_side`` are those seats, empty: nobody's.
    """

    left: Text
    right: Text
    pairs: tuple[Pair, ...]
    left_side: str = ""
    right_side: str = ""


class Reason(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a ruling: what, how much, which clause.

    ``value`` is what the line adds to a sum. A line with ``terms`` is a sum of them (``value`` is then the total,
    ``text`` what was counted) and may carry the ``faces`` that came up. ``seat`` names the only seat that may read
    the line; None is everybody. ``marks`` are the pieces or squares it is about: (piece, ``acting`` | ``target``).
    ``harm`` is what pieces suffered by it: whoever may read the line may know that. ``duel`` are the opposed dice it
    tells about. ``sides`` are those of the dice that show the faces, ``does`` is what the faces do; of a line
    without faces, what those will do that come up on ``value`` dice. ``left_out`` are the places, from 0, of the faces
    that do not count. With ``clash`` one begins: the lines after it tell how it ends. ``of`` says in a word or two what
    the dice were thrown for.
    """

    text: Text
    clause: str | None = None
    value: int | None = None
    terms: tuple[Reason, ...] = ()
    faces: tuple[int, ...] = ()
    seat: str | None = None
    marks: tuple[tuple[str, str], ...] = ()
    harm: tuple[Harm, ...] = ()
    duel: Duel | None = None
    sides: int = 6
    does: tuple[Effect, ...] = ()
    clash: Clash | None = None
    left_out: tuple[int, ...] = ()
    of: Text | None = None

    @property
    def sole(self) -> Reason | None:
        """Return the term that is all of the sum; None where others are added, or one is not the whole."""
        alone = self.terms[0] if len(self.terms) == 1 else None
        return alone if alone and alone.value is not None and alone.value == self.value else None


def total(terms: Iterable[Reason]) -> int:
    """Add up what a number is made of; a term without a value adds nothing."""
    return sum(term.value or 0 for term in terms)


def taken_away(text: Text, clause: str | None, count: int) -> Reason:
    """Return a term of a sum that is subtracted; one of 0 says its minus sign itself, as no number can."""
    if count:
        return Reason(text, clause, -count)
    return Reason(say("− {count} {what}", count=0, what=text), clause, 0)


def changed(text: Text, terms: tuple[Reason, ...]) -> tuple[Reason, ...]:
    """Say a number as the sum of its terms, of which the first is the printed one; nothing where it is still that."""
    now = total(terms)
    if not terms or now == terms[0].value:
        return ()
    return (Reason(text, None, now, terms=terms),)


class Ruling(msgspec.Struct, Generic[R], frozen=True):
    """The answer to an action or a lookup: the outcome (a table's state after it, or a lookup's result), and why.

    ``headline`` is the result in a few words, large enough to read across a table. ``reveals`` is true when
    somebody learnt something hidden, so that taking it back needs consent. ``quiet`` is what a seat wishes for itself
    and is no step of the game: it is not shown large, an undo leaves it as it is, and it asks nothing.
    """

    outcome: R
    headline: Text
    reasons: tuple[Reason, ...] = ()
    reveals: bool = False
    quiet: bool = False


class Refusal(Exception):
    """The answer no, with the clause that forbids it and, where one is to blame, the field."""

    def __init__(self, text: Text, clause: str | None = None, field: str | None = None) -> None:
        super().__init__(text.say)
        self.text = text
        self.clause = clause
        self.field = field

    @property
    def reason(self) -> Reason:
        """Return the refusal as a line that can be shown and stored."""
        return Reason(self.text, self.clause)


def refuse(why: Reason | None, field: str | None = None) -> None:
    """Refuse for a reason, naming the field; None: nothing speaks against it."""
    if why is not None:
        raise Refusal(why.text, why.clause, field)
