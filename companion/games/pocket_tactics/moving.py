"""A move and a deployment over facts: what may be done, and what becomes of the unit (PT-26 to PT-30, PT-62, PT-63)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.games.pocket_tactics import hazards
from companion.games.pocket_tactics.hazards import Fate, called
from companion.games.pocket_tactics.land import Spot
from companion.games.pocket_tactics.terrain import hazard, known_as
from companion.kit.ruling import Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.hazards import Mover
    from companion.games.pocket_tactics.land import Edge, Land
    from companion.games.pocket_tactics.options import Options
    from companion.kit.asking import Ask


class Hop(NamedTuple):
    """Hold what is hopped over: how many tiles of which terrain, who stands there, and whether it leads straight on."""

    held_by: Literal["ally", "enemy"] | None = "ally"
    terrain: str = ""
    tiles: int = 1
    straight: bool = True


def move(mover: Mover, start: Spot, to: Edge | Spot, land: Land, ask: Ask, hop: Hop | None = None) -> Fate:
    """Move a unit to a tile or its own base, over a friend or not; raise Refusal where it may not (PT-27 to PT-30)."""
    if hop is not None:
        _check_hop(mover.options, hop)
    _check(to)
    towards = to.terrain if isinstance(to, Spot) else ""
    held = hazards.leaving(mover, start, towards, "move", land, ask)
    if held is not None:
        return held
    if hop is not None:
        _tell_hop(mover, hop, ask)
    if not isinstance(to, Spot):
        ask.tell(say("{unit} moves to its own base: back to reserve", unit=mover.name), "PT-30", marks=mover.marks)
        return Fate("reserve")
    ask.tell(say("{unit} moves: {place}", unit=mover.name, place=called(to)), "PT-27", marks=mover.marks)
    return hazards.entering(mover, to, land, ask)


def _check(to: Edge | Spot) -> None:
    """Raise Refusal where a unit may not move to (PT-26, PT-27, PT-66, PT-81)."""
    match to:
        case "void":
            raise Refusal(say("There is no tile."), "PT-27", "to")
        case "wall":
            raise Refusal(say("A tunnel wall is in the way: there is no groove."), "PT-81", "to")
        case "enemy_base":
            raise Refusal(say("The enemy base is assaulted; nobody moves there."), "PT-66", "to")
        case Spot(held_by="enemy"):
            raise Refusal(say("An enemy stands there: that is an assault."), "PT-26", "to")
        case Spot(held_by="ally"):
            raise Refusal(say("A friend stands there; a tile holds one unit."), "PT-26", "to")


def _check_hop(options: Options, hop: Hop) -> None:
    """Raise Refusal for a hop that is none: over one friend, straight on with the option (PT-28, PT-A18)."""
    if hop.held_by != "ally":
        raise Refusal(say("Units hop over friends only."), "PT-28", "to")
    if hop.tiles != 1:
        raise Refusal(say("A unit hops over one tile in a move."), "PT-A18", "to")
    if options.hop_straight_only and not hop.straight:
        raise Refusal(say("At this table hops go straight on."), "PT-A18", "to")


def _tell_hop(mover: Mover, hop: Hop, ask: Ask) -> None:
    """Tell whom a unit hops over; the tile below does nothing (PT-28, PT-72)."""
    ask.tell(say("{unit} hops over a friend", unit=mover.name), "PT-28", marks=mover.marks)
    if hazard(known_as(hop.terrain)):
        ask.tell(say("The tile below does nothing: {terrain}", terrain=called(Spot(hop.terrain))), "PT-72")


def deploy(mover: Mover, to: Spot, ask: Ask, *, in_reserve: bool, beside_base: bool) -> Fate:
    """Put a unit of the reserve on a tile beside its base, without a test; raise Refusal else (PT-62, PT-63)."""
    if not in_reserve:
        raise Refusal(say("{unit} is not in reserve.", unit=mover.name), "PT-62", "unit")
    if not beside_base:
        raise Refusal(say("That is no tile beside your base."), "PT-62", "to")
    if to.held_by is not None:
        raise Refusal(say("A unit stands there; a tile holds one."), "PT-26", "to")
    ask.tell(say("{unit} comes onto the map: {place}", unit=mover.name, place=called(to)), "PT-62", marks=mover.marks)
    if hazard(known_as(to.terrain)):
        ask.tell(say("Whoever is deployed is not tested"), "PT-63")
    return Fate("there", to)


def check_pass(options: Options, *, can_act: bool) -> None:
    """Raise Refusal where a player has to act (PT-A42)."""
    if not may_pass(options, can_act=can_act):
        raise Refusal(say("You can still move, assault or deploy; only who can do nothing passes."), "PT-A42")


ALWAYS = "always"
"""Anybody may pass (``opt.allow_pass``)."""


def may_pass(options: Options, *, can_act: bool) -> bool:
    """Tell whether a player may do nothing (PT-A42)."""
    return not can_act or options.allow_pass == ALWAYS
