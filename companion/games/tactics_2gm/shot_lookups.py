"""The look-ups of fire: a shot, and how many shots destroy a target, from the printed values (G2-103 to G2-117)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.games.tactics_2gm import shooting, shot_odds
from companion.games.tactics_2gm.cards import TERRAIN, Modifier, Weapon
from companion.games.tactics_2gm.shooting import Added, Inside, NaturalTen, Result, Shot, Target
from companion.games.tactics_2gm.speech import called
from companion.kit.asking import Ask
from companion.kit.forms import picked
from companion.kit.game import Lookup
from companion.kit.odds import Bar, Chart
from companion.kit.ruling import Ruling
from companion.kit.text import Text, say

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

LONGEST = 100
"""How many shots are looked at: what takes more is said to take more."""
SHOWN = 20

EVEN, SAFE = Fraction(1, 2), Fraction(9, 10)


def _plus(modifier: Modifier) -> str:
    return "/".join(f"+{more}" for more in modifier)


_HIT = Meta(title="Hit number", ge=1, le=10)
_CRIT = Meta(title="Critical number", ge=1, le=10)
_PENETRATION = Meta(title="Penetration", ge=0, le=20)
_DAMAGE = Meta(title="Damage", ge=1, le=30)
_TARGET = picked("Target", unit="a unit", hq="a headquarters", building="a building")
_ARMOUR = Meta(title="Its armour", description="Without what a building adds.", ge=0, le=20)
_WOUNDS_MAX = Meta(title="Its wounds in all", ge=1, le=30)
_TARGET_WOUNDS = Meta(title="Wounds it has already", ge=0, le=29)
_PI = Meta(title="Impact points left, of a headquarters or a building", ge=1, le=99)
_COVER = picked("The target's cover", "As on the sample cards. Only a unit has cover.", none="no cover")
_PRONE = Meta(title="The target is prone", description=_plus(PRONE))
_ADVANCING = Meta(title="The target advances behind an armoured vehicle", description=_plus(ADVANCING))
_MORE_HIT = Meta(title="What else is added to the hit number", ge=-9, le=9)
_MORE_CRIT = Meta(title="What else is added to the critical number", ge=-9, le=9)
_TEN = picked("Numbers above 10", cap="Limited to 10", hard="Kept")


class ShotFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The facts of a shot."""

    hit: Annotated[int, _HIT] = 5
    crit: Annotated[int, _CRIT] = 10
    penetration: Annotated[int, _PENETRATION] = 2
    damage: Annotated[int, _DAMAGE] = 1
    range: Annotated[int, Meta(title="Range", ge=1, le=20)] = 2
    distance: Annotated[
        int, Meta(title="Distance", description="In squares as for movement, never diagonally.", ge=1, le=30)
    ] = 1
    wounds: Annotated[int, Meta(title="The shooter's wounds", ge=0, le=29)] = 0
    suppressed: Annotated[
        bool,
        Meta(
            title="The shooter is under suppressive fire",
            description=f"Adds {_plus(SUPPRESSED)} here; at a table it adds only what was agreed on.",
        ),
    ] = False
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
    natural_ten: Annotated[NaturalTen, _TEN] = "cap"


class KillFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The facts of several shots at one target: of one weapon, or of up to three."""

    hit: Annotated[int, _HIT] = 5
    crit: Annotated[int, _CRIT] = 10
    penetration: Annotated[int, _PENETRATION] = 2
    damage: Annotated[int, _DAMAGE] = 1
    shots: Annotated[int, Meta(title="Shots of this weapon in a turn", ge=1, le=9)] = 1
    second_shots: Annotated[int, Meta(title="Shots of a second weapon in a turn", ge=0, le=9)] = 0
    second_hit: Annotated[int, Meta(title="Second weapon: hit number", ge=1, le=10)] = 5
    second_crit: Annotated[int, Meta(title="Second weapon: critical number", ge=1, le=10)] = 9
    second_penetration: Annotated[int, Meta(title="Second weapon: penetration", ge=0, le=20)] = 5
    second_damage: Annotated[int, Meta(title="Second weapon: damage", ge=1, le=30)] = 2
    third_shots: Annotated[int, Meta(title="Shots of a third weapon in a turn", ge=0, le=9)] = 0
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
    natural_ten: Annotated[NaturalTen, _TEN] = "cap"

    @property
    def volleys(self) -> tuple[tuple[Weapon, int], ...]:
        """List the weapons that fire, with their shots in a turn, in the order in which they are fired."""
        weapons = (
            (self.shots, self.hit, self.crit, self.penetration, self.damage),
            (self.second_shots, self.second_hit, self.second_crit, self.second_penetration, self.second_damage),
            (self.third_shots, self.third_hit, self.third_crit, self.third_penetration, self.third_damage),
        )
        return tuple((_weapon(*values), shots) for shots, *values in weapons if shots)


def _weapon(hit: int, crit: int, penetration: int, damage: int) -> Weapon:
    return Weapon(name="weapon", hit=hit, crit=crit, penetration=penetration, damage=damage)


def _shot(given: ShotFacts) -> Shot:
    weapon = _weapon(given.hit, given.crit, given.penetration, given.damage)
    shot = _at_target(given, replace(weapon, range=given.range, flips=given.flips), say("the shooter"))
    harder = ((say("under suppressive fire"), "G2-115", SUPPRESSED),) if given.suppressed else ()
    return replace(shot, distance=given.distance, occupant=given.occupant, modifiers=(*harder, *shot.modifiers))


def _at_target(given: ShotFacts | KillFacts, weapon: Weapon, shooter: Text) -> Shot:
    """Return the shot of a weapon at the target that facts describe; only a unit has cover (G2-A06)."""
    harder = _cover(given) if given.target == "unit" else ()
    if given.more_hit or given.more_crit:
        harder = (*harder, (say("cards and tokens"), "G2-106", (given.more_hit, given.more_crit)))
    return Shot(
        weapon=weapon,
        shooter=shooter,
        enemy=say("the target"),
        target=given.target,
        wounds=given.wounds,
        modifiers=harder,
        armour=given.armour,
        in_building=_inside(given) if given.target == "unit" else None,
        wounds_max=given.wounds_max,
        target_wounds=given.target_wounds,
        pi=given.pi,
        natural_ten=given.natural_ten,
    )


def _inside(given: ShotFacts | KillFacts) -> Inside | None:
    card = COVERS.get(given.cover)
    return Inside(card.cover, card.armour_bonus) if card is not None and card.building else None


def _cover(given: ShotFacts | KillFacts) -> tuple[Added, ...]:
    """List what covers a unit, a building that it is inside of apart."""
    added: list[Added] = []
    card = COVERS.get(given.cover)
    if given.cover == "ruin":
        added.append(shooting.covered(Text("ruin"), RUIN))
    elif card is not None and not card.building:
        added.append(shooting.covered(called(card.name), card.cover))
    if given.prone:
        added.append((Text("prone"), "G2-108", PRONE))
    if given.advancing:
        added.append((say("advancing under cover"), "G2-88", ADVANCING))
    return tuple(added)


class Killed(msgspec.Struct, frozen=True, kw_only=True):
    """How many shots it takes for an even chance to destroy, and for nine in ten; None: more than are looked at.

    ``turn`` is the chance in one turn (``3/4``), ``turn_shots`` how many shots that is.
    """

    turn_shots: int
    turn: str
    even: int | None
    safe: int | None


def look_up_shot(given: ShotFacts, ask: Ask) -> Ruling[Result]:
    """Rule on a shot."""
    result = shooting.shoot(_shot(given), ask, "allies")
    if result.destroyed:
        clause = {"hq": "G2-32", "building": "G2-137"}.get(given.target, "G2-112")
        ask.tell(_fate(result), "G2-104" if result.result == "critical" else clause)
    if result.occupant_destroyed:
        ask.tell(say("The unit inside is destroyed with it"), "G2-136")
    if result.weapon_flipped:
        ask.tell(say("The weapon is turned over to its grey side"), "G2-113")
    return Ruling(result, _fate(result), tuple(ask.reasons))


def _fate(result: Result) -> Text:
    match result.result:
        case "miss":
            return shot_odds.MISS
        case "bounced":
            return shot_odds.BOUNCES
        case "critical":
            return shot_odds.CRITICAL
        case _ if result.becomes_ruin:
            return say("The building is destroyed: it is a ruin")
        case _ if result.destroyed:
            return say("The headquarters is destroyed") if result.winner else say("The unit is destroyed")
        case _:
            return say("It hits")


def shot_charts(given: ShotFacts) -> tuple[Chart, ...]:
    """Show the odds of a shot."""
    shot = _shot(given)
    shooting.check(shot)
    return (shot_odds.chart(shot),)


def kill(given: KillFacts, ask: Ask) -> Ruling[Killed]:
    """Say how many shots it takes to destroy a target."""
    turn, chances = _turn(given), _chances(given)
    for shot, _ in _kinds(given):
        for reason in shooting.needs(shot):
            ask.tell(reason.text, reason.clause, reason.value, terms=reason.terms)
    even, safe = shot_odds.shots_for(chances, EVEN), shot_odds.shots_for(chances, SAFE)
    chance = chances[len(turn) - 1]
    killed = Killed(turn_shots=len(turn), turn=f"{chance.numerator}/{chance.denominator}", even=even, safe=safe)
    return Ruling(killed, _shots(even, safe), tuple(ask.reasons))


def _kinds(given: KillFacts) -> tuple[tuple[Shot, int], ...]:
    """Return one shot of each weapon, and how often it is fired in a turn; raise Refusal when it can not be."""
    several = len(given.volleys) > 1
    kinds = tuple(
        (_at_target(given, weapon, say("weapon {number}", number=str(at)) if several else say("the shooter")), shots)
        for at, (weapon, shots) in enumerate(given.volleys, 1)
    )
    shooting.check(kinds[0][0])
    return kinds


def _turn(given: KillFacts) -> tuple[Shot, ...]:
    return tuple(shot for shot, shots in _kinds(given) for _ in range(shots))


def _chances(given: KillFacts) -> tuple[Fraction, ...]:
    """Return the chance that it is destroyed after each shot, turn by turn."""
    turn = _turn(given)
    return shot_odds.destroyed_after(turn * -(-LONGEST // len(turn)), shot_odds.left(turn[0]))


def _shots(even: int | None, safe: int | None) -> Text:
    match even, safe:
        case int(), int():
            return say("Shots for 50%: {even}; for 90%: {safe}", even=even, safe=safe)
        case int(), _:
            return say("Shots for 50%: {even}; for 90%: more than {most}", even=even, most=LONGEST)
        case _:
            return say("Shots for 50%: more than {most}", most=LONGEST)


def kill_charts(given: KillFacts) -> tuple[Chart, ...]:
    """Show the chance that the target is destroyed after each shot."""
    turn, chances = _turn(given), _chances(given)
    shown = max(len(turn), min(shot_odds.shots_for(chances, SAFE) or SHOWN, SHOWN), 3)
    bars = tuple(
        Bar(say("after {count} shot|after {count} shots", count=count), chance)
        for count, chance in enumerate(chances[:shown], 1)
    )
    return (Chart(say("Destroyed"), bars),)


SHOT = Lookup(
    "shot",
    say("A shot"),
    ShotFacts,
    look_up_shot,
    shot_charts,
    say("What a shot takes to hit, to go through and to be critical, and what comes of it."),
)
SHOTS_TO_KILL = Lookup(
    "shots_to_kill",
    say("How many shots to kill"),
    KillFacts,
    kill,
    kill_charts,
    say("How likely a target is destroyed after one shot, two shots and more."),
)
