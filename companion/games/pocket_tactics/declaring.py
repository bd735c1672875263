"""Declaring an assault, over facts: the skill, how far, over which edge (PT-32 to PT-35, PT-54, PT-59, PT-81)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.games.pocket_tactics.cards import slot_of
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.cards import UnitCard
    from companion.games.pocket_tactics.comparing import Value
    from companion.games.pocket_tactics.doing import Kind, Skill, Slot

SLOTS: dict[Kind, tuple[Slot, Slot]] = {"melee": ("melee", "third"), "ranged": ("ballistic", "third")}
"""What can be declared in each kind of assault (PT-34, PT-54)."""


class Aim(NamedTuple):
    """Hold how a target lies: how far, whether the edge to it is open, whether it is seen.

    The edge matters at distance 1 only, sight only beyond it (PT-A36). ``hop`` is a way over a friend (PT-A17).
    """

    distance: int = 1
    open_edge: bool = True
    seen: bool = True
    hop: bool = False


def skill_barred(card: UnitCard, kind: Kind, skill: Skill, offence: Value) -> Refusal | None:
    """Say why a skill can not be declared; ``offence`` is what counts of it. None: it can."""
    slot = slot_of(skill)
    if slot not in SLOTS[kind] and kind == "melee":
        return Refusal(say("In melee: hand to hand, arcane or technological."), "PT-34", "skill")
    if slot not in SLOTS[kind]:
        return Refusal(say("From afar: ballistic, arcane or technological."), "PT-54", "skill")
    if skill not in card.declares(slot):
        return Refusal(say("It does not have that skill: {skill}.", skill=Text(skill)), "PT-10", "skill")
    if offence.none:
        return Refusal(say("It has no offence in that skill: {skill}.", skill=Text(skill)), "PT-A21", "skill")
    return None


def aim_barred(card: UnitCard, kind: Kind, skill: Skill, aim: Aim, *, hop_assault: bool = False) -> Refusal | None:
    """Say why a target can not be assaulted from here; None: it can (PT-33, PT-54, PT-59, PT-81, PT-89, PT-A36)."""
    if aim.distance == 1 and not aim.open_edge and not (aim.hop and hop_assault and kind == "melee"):
        return Refusal(say("A tunnel wall is in between."), "PT-81", "target")
    if kind == "melee":
        if aim.distance == 1 or (aim.hop and hop_assault):
            return None
        return Refusal(say("In melee the target must be on the next tile."), "PT-A17" if aim.hop else "PT-33", "target")
    reach = card.reaches(slot_of(skill))
    if aim.distance > reach:
        return Refusal(
            say("Out of reach: {distance} tiles away, and it reaches {reach}.", distance=aim.distance, reach=reach),
            "PT-54" if reach == 1 else "PT-59",
            "target",
        )
    if aim.distance > 1 and not aim.seen:
        return Refusal(say("Out of sight: a gap or a tunnel wall is in between."), "PT-89", "target")
    return None


def way(kind: Kind, skill: Skill) -> Text:
    """Say how an assault is fought: melee; ranged, arcane."""
    return Text(kind) if skill == kind else say("{one}, {two}", one=Text(kind), two=Text(skill))


def reaches_back(card: UnitCard, kind: Kind, skill: Skill, distance: int) -> bool:
    """Tell whether a target is close enough to counter (PT-60); in melee the attacker stands on its tile."""
    return kind == "melee" or card.reaches(slot_of(skill)) >= distance


def ability_rerolls(card: UnitCard) -> tuple[Literal["any", "offence", "defence"], ...]:
    """List the re-rolls that abilities give in an assault: for each the dice that it may touch (PT-48)."""
    return tuple(one.pool for one in card.ability if one.timing in ("any", "assault") for _ in range(one.rerolls))
