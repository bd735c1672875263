"""Who meets whom, and what the dice of it do: what a page draws of an attack, a shot or a spell from end to end."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

import msgspec

from companion.kit.text import Text

Way = Literal["melee", "shot", "spell", "block", "charge"]
"""How one comes at the other."""


class Effect(msgspec.Struct, frozen=True, omit_defaults=True):
    """What some faces of a die do, in a word or two; those that no effect names do nothing.

    ``harm``: it is not what is wanted of a roll, such as a retreat or a save that fails.
    """

    faces: tuple[int, ...]
    text: Text
    harm: bool = False


class Combatant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece in a clash, as it stood when it began: what everybody may see of it.

    ``name`` says what it is without its place or side, ``glyph`` names its picture, ``place`` is where it stands (None:
    unknown), ``ground`` the kind of terrain there and ``note`` what else matters. ``hits`` of ``strength`` were marked
    on it; ``stats`` are what it fights with: small pictures, each with its number. ``photo`` names a picture of
    somebody's own, which lies over its glyph.
    """

    id: str
    side: str
    name: Text
    glyph: str
    place: str | None = None
    ground: str = ""
    note: Text | None = None
    hits: int = 0
    strength: int = 0
    stats: tuple[tuple[str, Text], ...] = ()
    photo: str = ""


class Meeting(msgspec.Struct, frozen=True, omit_defaults=True):
    """Two that meet beside others; ``against`` is None where one acts against nothing that has a picture."""

    by: Combatant
    against: Combatant | None = None


class Clash(msgspec.Struct, frozen=True, omit_defaults=True):
    """One piece acts against another, or against nothing that has a picture: then ``against`` is None.

    ``cancels`` says what may still save the one that is struck, each in a few words. ``until`` are, in the same order,
    the beginnings of the keys of the questions with whose answer that is over. ``beside`` are all others who meet in
    the same moment: the lines after it tell how that ends too.
    """

    way: Way
    by: Combatant
    against: Combatant | None = None
    cancels: tuple[Text, ...] = ()
    until: tuple[str, ...] = ()
    beside: tuple[Meeting, ...] = ()

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        """List all who meet in it, the two that are drawn large first."""
        return (Meeting(self.by, self.against), *self.beside)

    def after(self, answered: Collection[str]) -> Clash:
        """Leave out what can save nobody any more, once questions of these keys were answered."""
        over = {at for at, begins in enumerate(self.until) if any(key.startswith(begins) for key in answered)}
        if not over:
            return self
        left = [at for at in range(len(self.cancels)) if at not in over]
        until = tuple(self.until[at] for at in left if at < len(self.until))
        return msgspec.structs.replace(self, cancels=tuple(self.cancels[at] for at in left), until=until)


def effect_of(face: int, does: Iterable[Effect]) -> Effect | None:
    """Find what a face does; None where that is nothing."""
    return next((effect for effect in does if face in effect.faces), None)


def of_faces(faces: Iterable[int], does: Iterable[Effect]) -> tuple[Effect, ...]:
    """Keep the effects that faces which came up have."""
    came_up = set(faces)
    return tuple(effect for effect in does if came_up.intersection(effect.faces))
