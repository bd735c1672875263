"""The die of a random movement: where each face leads (PT-83, PT-A31)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics.cards import SIDES
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.hazards import Mover
    from companion.games.pocket_tactics.options import Directions
    from companion.kit.asking import Ask


def direction(directions: Directions, face: int) -> int:
    """Return the direction that a face leads to, 1 (north) to 6 clockwise (``opt.direction_map``)."""
    first, _, turn = directions.partition("_")
    steps = face - 1 if turn == "clockwise" else 1 - face
    start = next(number for number, side in enumerate(SIDES) if side == first)
    return (start + steps) % 6 + 1


def way(mover: Mover, ask: Ask) -> int:
    """Throw for the direction of a random movement (PT-83)."""
    one, two = (towards(direction(mover.options.direction_map, face)) for face in (1, 2))
    why = say("Which way does {unit} slide? 1: {one}, 2: {two}, and so on around; north is away from the first base.",
              unit=mover.name, one=one, two=two)  # fmt: skip
    faces = ask.throw(1, 6, "direction", why, by=mover.seat, clause="PT-83")
    found = direction(mover.options.direction_map, faces[0])
    ask.tell(say("{unit} slides: {direction}", unit=mover.name, direction=towards(found)), "PT-83", faces=faces,
             marks=mover.marks)  # fmt: skip
    return found


def towards(number: int) -> Text:
    """Name a direction."""
    return Text(SIDES[number - 1])
