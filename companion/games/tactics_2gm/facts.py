"""What look-ups of shots are told: the printed values of the weapon and the target, and what is in force for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.tactics_2gm.cards import Weapon
from companion.games.tactics_2gm.sample import TERRAIN
from companion.games.tactics_2gm.shooting import Inside, Shot
from companion.games.tactics_2gm.speech import called
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.shooting import Added

COVERS = {card.name: card for card in TERRAIN.terrain}
"""Terrain of the sample set; what it adds is printed on the card."""
RUIN = next(card.ruin_cover for card in TERRAIN.terrain if card.building)
PRONE = (1, 0)
ADVANCING = (1, 0)
SUPPRESSED = (1, 1)

if TYPE_CHECKING:
    Cover = str
else:
    Cover = Literal[("none", *COVERS, "ruin")]

Target = Literal["unit", "hq", "building"]
Ten = Literal["cap", "hard"]

_HIT = Meta(title="Hit number", ge=1, le=10)
_CRIT = Meta(title="Critical number", ge=1, le=10)
_PENETRATION = Meta(title="Penetration", ge=0, le=20)
_DAMAGE = Meta(title="Damage", ge=1, le=30)
_WOUNDS = Meta(title="The shooter's wounds", ge=0, le=29)
_SUPPRESSED = Meta(
    title="The shooter is under suppressive fire",
    description="Adds +1/+1 here; at a table it adds only what was agreed on.",
)
_TARGET = Meta(
    title="Target",
    extra={"labels": {"unit": "a unit", "hq": "a headquarters", "building": "a building"}},
)
_ARMOUR = Meta(title="Its armour", description="Without what a building adds.", ge=0, le=20)
_WOUNDS_MAX = Meta(title="Its wounds in all", ge=1, le=30)
_TARGET_WOUNDS = Meta(title="Wounds it has already", ge=0, le=29)
_PI = Meta(title="Impact points left, of a headquarters or a building", ge=1, le=99)
_COVER = Meta(
    title="The target's cover",
    description="As on the sample cards. Only a unit has cover.",
    extra={"labels": {"none": "no cover"}},
)
_PRONE = Meta(title="The target is prone", description="+1/+0")
_ADVANCING = Meta(title="The target advances behind an armoured vehicle", description="+1/+0")
_MORE_HIT = Meta(title="What else is added to the hit number", ge=-9, le=9)
_MORE_CRIT = Meta(title="What else is added to the critical number", ge=-9, le=9)
_TEN = Meta(title="Numbers above 10", extra={"labels": {"cap": "Limited to 10", "hard": "Kept"}})
_SHOTS = Meta(title="Shots of this weapon in a turn", ge=1, le=9)
_MORE_SHOTS = Meta(title="Shots of a second weapon in a turn", ge=0, le=9)
_THIRD_SHOTS = Meta(title="Shots of a third weapon in a turn", ge=0, le=9)


class ShotFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold the facts of a shot."""

    hit: Annotated[int, _HIT] = 5
    crit: Annotated[int, _CRIT] = 10
    penetration: Annotated[int, _PENETRATION] = 2
    damage: Annotated[int, _DAMAGE] = 1
    range: Annotated[int, Meta(title="Range", ge=1, le=20)] = 2
    distance: Annotated[
        int, Meta(title="Distance", description="In squares as for movement, never diagonally.", ge=1, le=30)
    ] = 1
    wounds: Annotated[int, _WOUNDS] = 0
    suppressed: Annotated[bool, _SUPPRESSED] = False
    target: Annotated[Target, _TARGET] = "unit"
    armour: Annotated[int, _ARMOUR] = 1
    wounds_max: Annotated[int, _WOUNDS_MAX] = 3
    target_wounds: Annotated[int, _TARGET_WOUNDS] = 0
    pi: Annotated[int, _PI] = 10
    occupant: Annotated[bool, Meta(title="A unit is inside the building")] = False
    cover: Annotated[Cover, _COVER] = "none"
    prone: Annotated[bool, _PRONE] = False
    advancing: Annotated[bool, _ADVANCING] = False
    more_hit: Annotated[int, _MORE_HIT] = 0
    more_crit: Annotated[int, _MORE_CRIT] = 0
    flips: Annotated[bool, Meta(title="The weapon has the turning arrow")] = False
    natural_ten: Annotated[Ten, _TEN] = "cap"


class KillFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold the facts of several shots at one target: of one weapon, or of up to three."""

    hit: Annotated[int, _HIT] = 5
    crit: Annotated[int, _CRIT] = 10
    penetration: Annotated[int, _PENETRATION] = 2
    damage: Annotated[int, _DAMAGE] = 1
    shots: Annotated[int, _SHOTS] = 1
    second_shots: Annotated[int, _MORE_SHOTS] = 0
    second_hit: Annotated[int, Meta(title="Second weapon: hit number", ge=1, le=10)] = 5
    second_crit: Annotated[int, Meta(title="Second weapon: critical number", ge=1, le=10)] = 9
    second_penetration: Annotated[int, Meta(title="Second weapon: penetration", ge=0, le=20)] = 5
    second_damage: Annotated[int, Meta(title="Second weapon: damage", ge=1, le=30)] = 2
    third_shots: Annotated[int, _THIRD_SHOTS] = 0
    third_hit: Annotated[int, Meta(title="Third weapon: hit number", ge=1, le=10)] = 6
    third_crit: Annotated[int, Meta(title="Third weapon: critical number", ge=1, le=10)] = 10
    third_penetration: Annotated[int, Meta(title="Third weapon: penetration", ge=0, le=20)] = 2
    third_damage: Annotated[int, Meta(title="Third weapon: damage", ge=1, le=30)] = 1
    wounds: Annotated[int, Meta(title="The shooters' wounds", ge=0, le=29)] = 0
    target: Annotated[Target, _TARGET] = "unit"
    armour: Annotated[int, _ARMOUR] = 1
    wounds_max: Annotated[int, _WOUNDS_MAX] = 3
    target_wounds: Annotated[int, _TARGET_WOUNDS] = 0
    pi: Annotated[int, _PI] = 10
    cover: Annotated[Cover, _COVER] = "none"
    prone: Annotated[bool, _PRONE] = False
    advancing: Annotated[bool, _ADVANCING] = False
    more_hit: Annotated[int, _MORE_HIT] = 0
    more_crit: Annotated[int, _MORE_CRIT] = 0
    natural_ten: Annotated[Ten, _TEN] = "cap"

    @property
    def volleys(self) -> tuple[tuple[Weapon, int], ...]:
        """List the weapons that fire, with their shots in a turn, in the order in which they are fired."""
        name = "weapon"
        one = Weapon(name=name, hit=self.hit, crit=self.crit, penetration=self.penetration, damage=self.damage)
        two = Weapon(
            name=name,
            hit=self.second_hit,
            crit=self.second_crit,
            penetration=self.second_penetration,
            damage=self.second_damage,
        )
        three = Weapon(
            name=name,
            hit=self.third_hit,
            crit=self.third_crit,
            penetration=self.third_penetration,
            damage=self.third_damage,
        )
        found = ((one, self.shots), (two, self.second_shots), (three, self.third_shots))
        return tuple((weapon, shots) for weapon, shots in found if shots)


def shot(given: ShotFacts) -> Shot:
    """Return the shot that facts describe."""
    weapon = Weapon(
        name="weapon",
        range=given.range,
        hit=given.hit,
        crit=given.crit,
        penetration=given.penetration,
        damage=given.damage,
        flips=given.flips,
    )
    harder: tuple[Added, ...] = ((say("under suppressive fire"), "G2-115", SUPPRESSED),) if given.suppressed else ()
    return at_target(
        given, weapon, harder, shooter=say("the shooter"), distance=given.distance, occupant=given.occupant
    )


def at_target(
    given: ShotFacts | KillFacts,
    weapon: Weapon,
    harder: tuple[Added, ...] = (),
    *,
    shooter: Text,
    distance: int | None = None,
    occupant: bool = False,
) -> Shot:
    """Return the shot of a weapon at the target that facts describe; only a unit has cover (G2-A06)."""
    if given.target == "unit":
        harder = (*harder, *_cover(given))
    if given.more_hit or given.more_crit:
        harder = (*harder, (say("cards and tokens"), "G2-106", (given.more_hit, given.more_crit)))
    return Shot(
        weapon=weapon,
        shooter=shooter,
        enemy=say("the target"),
        target=given.target,
        wounds=given.wounds,
        distance=distance,
        modifiers=harder,
        armour=given.armour,
        in_building=_inside(given) if given.target == "unit" else None,
        wounds_max=given.wounds_max,
        target_wounds=given.target_wounds,
        pi=given.pi,
        occupant=occupant,
        natural_ten=given.natural_ten,
    )


def _inside(given: ShotFacts | KillFacts) -> Inside | None:
    card = COVERS.get(given.cover)
    return Inside(card.cover, card.armour_bonus) if card is not None and card.building else None


def _cover(given: ShotFacts | KillFacts) -> tuple[Added, ...]:
    """List what covers a unit, a building that it is inside of apart."""
    found: list[Added] = []
    card = COVERS.get(given.cover)
    if given.cover == "ruin":
        found.append((Text("ruin"), "G2-107", RUIN))
    elif card is not None and not card.building:
        found.append((called(card.name), "G2-107" if card.cover == (1, 1) else "G2-106", card.cover))
    if given.prone:
        found.append((Text("prone"), "G2-108", PRONE))
    if given.advancing:
        found.append((say("advancing under cover"), "G2-88", ADVANCING))
    return tuple(found)
