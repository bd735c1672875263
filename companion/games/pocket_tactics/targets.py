"""Whom a unit may assault, and who stands beside (PT-31 to PT-35, PT-53 to PT-61, PT-66, PT-81, PT-A11, PT-A17)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from companion.games.pocket_tactics import geometry
from companion.games.pocket_tactics.cards import AbilityText, Skill, Slot, UnitCard, slot_of
from companion.games.pocket_tactics.dice import Kind, Touches, Value, counting
from companion.games.pocket_tactics.state import Seat, State, Unit, other
from companion.kit.hexes import named
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

FOUGHT_WITH: dict[Kind, tuple[Slot, Slot]] = {"melee": ("melee", "third"), "ranged": ("ballistic", "third")}
"""What can be declared in each kind of assault (PT-34, PT-54)."""

BESIDE, EITHER = 6, 10
"""Tiles around one tile, and around two that share an edge: nobody has more assists."""


class Aim(NamedTuple):
    """How a target lies: how far, whether the edge to it is open, whether it is seen.

    The edge matters at distance 1 only, sight only beyond it (PT-A36). ``hop`` is a way over a friend (PT-A17).
    """

    distance: int = 1
    open_edge: bool = True
    seen: bool = True
    hop: bool = False


def skill_barred(card: UnitCard, kind: Kind, skill: Skill, offence: Value) -> Refusal | None:
    """Say why a skill can not be declared; ``offence`` is what counts of it. None: it can."""
    slot = slot_of(skill)
    if slot not in FOUGHT_WITH[kind] and kind == "melee":
        return Refusal(say("In melee: hand to hand, arcane or technological."), "PT-34", "skill")
    if slot not in FOUGHT_WITH[kind]:
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
        text = say("Out of reach: {distance} tiles away, and it reaches {reach}.", distance=aim.distance, reach=reach)
        return Refusal(text, "PT-54" if reach == 1 else "PT-59", "target")
    if aim.distance > 1 and not aim.seen:
        return Refusal(say("Out of sight: a gap or a tunnel wall is in between."), "PT-89", "target")
    return None


def reaches_back(card: UnitCard, kind: Kind, skill: Skill, distance: int) -> bool:
    """Tell whether a target is close enough to counter (PT-60); in melee the attacker stands on its tile."""
    return kind == "melee" or card.reaches(slot_of(skill)) >= distance


def ability_rerolls(card: UnitCard) -> tuple[Touches, ...]:
    """List the re-rolls that abilities give in an assault: for each the dice that it may touch (PT-48)."""
    return tuple(ability.pool for ability in in_assaults(card) for _ in range(ability.rerolls))


def in_assaults(card: UnitCard) -> list[AbilityText]:
    """List the abilities that may matter in an assault (PT-05)."""
    return [ability for ability in card.ability if ability.timing in ("any", "assault")]


class Target(NamedTuple):
    """What is assaulted: an enemy unit, or (None) the enemy base; ``at`` is its place on the mirrored map."""

    seat: Seat
    unit: Unit | None
    at: str

    @property
    def key(self) -> str:
        """Return how an action names it."""
        return self.unit.id if self.unit else "base"

    def name(self, state: State) -> Text:
        """Name it with its owner."""
        return state.name(self.unit) if self.unit else say("{side}'s base", side=Text(self.seat))

    def terrain(self, state: State) -> str:
        """Return its terrain; a base has none (PT-A10)."""
        return state.terrain(self.unit) if self.unit else ""


def all_of(state: State, seat: Seat) -> tuple[Target, ...]:
    """List what a player might assault if it were near enough: every enemy unit on the map, and the base."""
    enemy = other(seat)
    units = (Target(enemy, unit, unit.at or "") for unit in state.of(enemy, "tile"))
    return (*units, Target(enemy, None, state.bases.get(enemy, "")))


def find(state: State, seat: Seat, name: str) -> Target:
    """Return what an action names; raise Refusal when it is no enemy on the map (PT-31)."""
    target = next((target for target in all_of(state, seat) if target.key == name), None)
    if target is None:
        raise Refusal(say("Only enemy units on the map, and the enemy base, can be assaulted."), "PT-31", "target")
    return target


def undeclarable(state: State, unit: Unit, kind: Kind, skill: Skill) -> Refusal | None:
    """Say why a unit can not declare a skill; None: it can."""
    offence = counting(state.value(unit, slot_of(skill), "offence"), state.options)
    return skill_barred(state.card(unit), kind, skill, offence)


def declarable(state: State, unit: Unit) -> Iterator[tuple[Kind, Skill]]:
    """Go through the ways in which a unit can assault: the kind, and what it is fought with (PT-32, PT-34, PT-54)."""
    for kind, slots in FOUGHT_WITH.items():
        for slot in slots:
            for skill in state.card(unit).declares(slot):
                if undeclarable(state, unit, kind, skill) is None:
                    yield kind, skill


def aims(state: State, unit: Unit) -> list[tuple[Target, Aim]]:
    """Tell how all targets lie from a unit on the mirrored map."""
    leads, reach = geometry.ways(state, unit), state.card(unit).reach
    return [(target, _aim(state, unit.at or "", target.at, leads, reach)) for target in all_of(state, unit.seat)]


def _aim(state: State, here: str, there: str, leads: Mapping[str, str], reach: int) -> Aim:
    distance = named(here).apart(named(there))
    seen = distance == 1 or (distance <= reach and geometry.sight(state, here, there))
    return Aim(distance, distance == 1 and leads.get(there) == "", seen, hop=bool(leads.get(there)))


def unreachable(state: State, unit: Unit, kind: Kind, skill: Skill, aim: Aim) -> Refusal | None:
    """Say why a target that lies so can not be assaulted; None: it can."""
    return aim_barred(state.card(unit), kind, skill, aim, hop_assault=state.options.hop_assault)


def can_assault(state: State, seat: Seat) -> bool:
    """Tell whether a player has an assault to make; with the map on the table, whether some unit on it has offence."""
    return any(
        not state.mirrored or any(unreachable(state, unit, kind, skill, aim) is None for _, aim in aims(state, unit))
        for unit in state.of(seat, "tile")
        for kind, skill in declarable(state, unit)
    )


def assists(state: State, seat: Seat, kind: Kind, unit: Unit, target: Target) -> int:
    """Count a side's units beside the contested tile, without the two that fight (PT-53, PT-58, PT-68, PT-A11, PT-A12).

    In melee, where the players agreed on that, also those beside the tile that the attacker comes from.
    """
    beside = set(geometry.around(state, target.at))
    if either_tile(state, kind):
        beside.update(geometry.around(state, unit.at or ""))
    return sum(friend.at in beside and friend.id not in (unit.id, target.key) for friend in state.of(seat, "tile"))


def either_tile(state: State, kind: Kind) -> bool:
    """Tell whether also those beside the tile that the attacker comes from assist (``opt.melee_assist_scope``)."""
    return kind == "melee" and state.options.melee_assist_scope == "either_tile"


def most_assists(state: State, seat: Seat, kind: Kind, *, fights: bool) -> int:
    """Return how many assists a side can have at most, where the map lies on the table and the players count.

    ``fights``: one of its units is one of the two that do; else it is its base that is assaulted (PT-A12).
    """
    return min(len(state.of(seat, "tile")) - fights, EITHER if either_tile(state, kind) else BESIDE)
