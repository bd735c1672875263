"""Whom a unit may assault, and who stands beside (PT-31, PT-53, PT-58, PT-66, PT-A11, PT-A12, PT-A17)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.games.pocket_tactics import declaring, geometry, parties, speech, ways
from companion.games.pocket_tactics.cards import slot_of
from companion.games.pocket_tactics.declaring import Aim
from companion.games.pocket_tactics.sides import other
from companion.kit.hexes import named
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.games.pocket_tactics.doing import Kind, Skill
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State

BESIDE, EITHER = 6, 10
"""Tiles around one tile, and around two that share an edge: nobody has more assists."""


class Target(NamedTuple):
    """Hold what is assaulted: an enemy unit, or (None) the enemy base; ``at`` is its place on the mirrored map."""

    seat: Seat
    unit: Unit | None
    at: str

    @property
    def key(self) -> str:
        """Return how an action names it."""
        return self.unit.id if self.unit else "base"

    def name(self, state: State) -> Text:
        """Name it with its owner."""
        return speech.unit(state, self.unit) if self.unit else say("{side}'s base", side=Text(self.seat))

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
    found = next((target for target in all_of(state, seat) if target.key == name), None)
    if found is None:
        raise Refusal(say("Only enemy units on the map, and the enemy base, can be assaulted."), "PT-31", "target")
    return found


def skill_barred(state: State, unit: Unit, kind: Kind, skill: Skill) -> Refusal | None:
    """Say why a unit can not declare a skill; None: it can."""
    offence = parties.counts(state.value(unit, slot_of(skill), "offence"), state.options)
    return declaring.skill_barred(state.card(unit), kind, skill, offence)


def declarable(state: State, unit: Unit) -> Iterator[tuple[Kind, Skill]]:
    """Go through the ways in which a unit can assault: the kind, and what it is fought with (PT-32, PT-34, PT-54)."""
    for kind, slots in declaring.SLOTS.items():
        for slot in slots:
            for skill in state.card(unit).declares(slot):
                if skill_barred(state, unit, kind, skill) is None:
                    yield kind, skill


def aims(state: State, unit: Unit) -> list[tuple[Target, Aim]]:
    """Tell how all targets lie from a unit on the mirrored map."""
    leads, reach = ways.ways(state, unit), state.card(unit).reach
    return [(target, _aim(state, unit.at or "", target.at, leads, reach)) for target in all_of(state, unit.seat)]


def _aim(state: State, here: str, there: str, leads: Mapping[str, str], reach: int) -> Aim:
    distance = named(here).apart(named(there))
    seen = distance == 1 or (distance <= reach and geometry.sight(state, here, there))
    return Aim(distance, distance == 1 and leads.get(there) == "", seen, hop=bool(leads.get(there)))


def aim_barred(state: State, unit: Unit, kind: Kind, skill: Skill, aim: Aim) -> Refusal | None:
    """Say why a target that lies so can not be assaulted; None: it can."""
    return declaring.aim_barred(state.card(unit), kind, skill, aim, hop_assault=state.options.hop_assault)


def assists(state: State, seat: Seat, kind: Kind, unit: Unit, target: Target) -> int:
    """Count a side's units beside the contested tile, without the two that fight (PT-53, PT-58, PT-68, PT-A11, PT-A12).

    In melee, where the players agreed on that, also those beside the tile that the attacker comes from.
    """
    beside = set(geometry.around(state, target.at))
    if kind == "melee" and state.options.melee_assist_scope == "either_tile":
        beside.update(geometry.around(state, unit.at or ""))
    fighting = {unit.id, target.key}
    return sum(one.at in beside and one.id not in fighting for one in state.of(seat, "tile"))


def most_assists(state: State, seat: Seat, kind: Kind, *, fights: bool) -> int:
    """Return how many assists a side can have at most, where the map lies on the table and the players count.

    ``fights``: one of its units is one of the two that do; else it is its base that is assaulted (PT-A12).
    """
    either = kind == "melee" and state.options.melee_assist_scope == "either_tile"
    return min(len(state.of(seat, "tile")) - fights, EITHER if either else BESIDE)
