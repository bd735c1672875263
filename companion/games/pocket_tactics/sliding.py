"""The die of a random movement: where each face leads (PT-83, PT-A31)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics.cards import SIDES
from companion.games.pocket_tactics.describing import NOTHING
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.hazards import Mover
    from companion.games.pocket_tactics.land import Land, Spot
    from companion.games.pocket_tactics.options import Directions
    from companion.kit.asking import Ask


def direction(directions: Directions, face: int) -> int:
    """Return the direction that a face leads to, 1 (north) to 6 clockwise (``opt.direction_map``)."""
    first, _, turn = directions.partition("_")
    steps = face - 1 if turn == "clockwise" else 1 - face
    start = next(number for number, side in enumerate(SIDES) if side == first)
    return (start + steps) % 6 + 1


def way(mover: Mover, spot: Spot, land: Land, ask: Ask) -> int:
    """Throw for the direction of a random movement (PT-83)."""
    faces = ask.throw(1, 6, "direction", _why(mover, spot, land), by=mover.seat, clause="PT-83")
    found = direction(mover.options.direction_map, faces[0])
    ask.tell(
        say("{unit} slides: {direction}", unit=mover.name, direction=towards(found)),
        "PT-83",
        faces=faces,
        marks=mover.marks,
    )
    return found


def _why(mover: Mover, spot: Spot, land: Land) -> Text:
    """Ask which way, and say what each face leads to: a mirrored map is seen from both sides, and so has no north."""
    ways = [direction(mover.options.direction_map, face) for face in range(1, 7)]
    leads = [land.leads(spot, way) for way in ways]
    known = [say("{face}:\u00a0{place}", face=at, place=one) for at, one in enumerate(leads, 1) if one is not None]
    if known:
        return say("Which way does {unit} slide? {ways}", unit=mover.name, ways=listed(known, NOTHING))
    return say(
        "Which way does {unit} slide? 1: {one}, 2: {two}, and so on around; north is away from the first base.",
        unit=mover.name,
        one=towards(ways[0]),
        two=towards(ways[1]),
    )


def towards(number: int) -> Text:
    """Name a direction."""
    return Text(SIDES[number - 1])
