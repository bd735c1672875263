"""A shot: its numbers, its die, what comes of it, from facts alone (G2-59 to G2-66, G2-101 to G2-117)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Literal, NamedTuple, get_args

import msgspec
from msgspec.structs import replace

from companion.games.tactics_2gm.cards import Modifier, Weapon
from companion.games.tactics_2gm.options import Seat, Side, side_of
from companion.kit.asking import Ask
from companion.kit.clash import Clash, Effect
from companion.kit.ruling import Reason, Refusal, total
from companion.kit.text import Text, say

FACES = 10
MOST_FOR_WOUNDS = 3
"""What wounds of the shooter add at most to both numbers (G2-117)."""
MEDIUM = (1, 1)
"""What medium cover adds (G2-107)."""


Target = Literal["unit", "hq", "building"]
NaturalTen = Literal["cap", "hard"]
Came = Literal["miss", "bounced", "hit", "critical"]
Added = tuple[Text, str, Modifier]
"""What adds to the numbers of a shot, the clause, and how much to the hit and to the critical number."""


class Numbers(NamedTuple):
    """The face that hits and the face that is a critical; more than 10 can not be thrown."""

    hit_on: int
    crit_on: int


class Inside(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a building does for the unit inside (G2-131, G2-132)."""

    cover: Modifier = (0, 0)
    armour_bonus: int = 0


class Shot(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a shot depends on, from the board or told by the players.

    ``wounds`` are the shooter's, ``distance`` is None where no range counts (aircraft), ``modifiers`` all that adds to
    the numbers but wounds and ``in_building``. ``armour`` is the target's without the building. A unit has wounds, a
    headquarters and a building have ``pi``; ``occupant``: a unit is inside. ``grey``: the weapon's token is turned
    over; ``fired``: it has fired in this turn; ``own``: the target is the shooter's own.
    """

    weapon: Weapon
    shooter: Text
    enemy: Text
    target: Target = "unit"
    wounds: int = 0
    distance: int | None = None
    modifiers: tuple[Added, ...] = ()
    armour: int = 0
    in_building: Inside | None = None
    wounds_max: int = 1
    target_wounds: int = 0
    pi: int = 0
    occupant: bool = False
    grey: bool = False
    fired: bool = False
    own: bool = False
    natural_ten: NaturalTen = "cap"


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of a shot: ``target_wounds`` of a unit, ``target_pi`` of a headquarters or a building."""

    hit_on: int
    crit_on: int
    result: Came
    target_wounds: int | None = None
    target_pi: int | None = None
    destroyed: bool = False
    occupant_destroyed: bool = False
    becomes_ruin: bool = False
    weapon_flipped: bool = False
    winner: Side | None = None


def thresholds(
    hit: int, crit: int, wounds: int = 0, modifiers: Sequence[Modifier] = (), natural_ten: NaturalTen = "cap"
) -> Numbers:
    """Return the numbers of a shot (G2-106, G2-109, G2-116, G2-117; G2-A01, G2-A02, G2-A03).

    Everything is summed before it is limited to 1..10; ``hard`` keeps what is above 10. A critical hits first.
    """
    hurt = min(wounds, MOST_FOR_WOUNDS)
    hit_on = _limited(hit + hurt + sum(more for more, _ in modifiers), natural_ten)
    crit_on = _limited(crit + hurt + sum(more for _, more in modifiers), natural_ten)
    return Numbers(hit_on, max(hit_on, crit_on))


def _limited(number: int, natural_ten: NaturalTen) -> int:
    return max(1, min(number, FACES) if natural_ten == "cap" else number)


def numbers(shot: Shot) -> Numbers:
    """Return the numbers of a shot."""
    weapon = shot.weapon
    return thresholds(weapon.hit, weapon.crit, shot.wounds, [how for _, _, how in added(shot)], shot.natural_ten)


def added(shot: Shot) -> tuple[Added, ...]:
    """List what adds to the numbers of a shot beside wounds, the building that the target is in too (G2-131)."""
    if shot.in_building is None or shot.in_building.cover == (0, 0):
        return shot.modifiers
    return (*shot.modifiers, (say("inside the building"), "G2-131", shot.in_building.cover))


def covered(name: Text, cover: Modifier) -> Added:
    """Say how what a unit stands on covers it; medium cover has a clause of its own (G2-106, G2-107)."""
    return name, "G2-107" if cover == MEDIUM else "G2-106", cover


def armour(shot: Shot) -> int:
    """Return the armour that a shot has to go through (G2-64, G2-132)."""
    return shot.armour + (shot.in_building.armour_bonus if shot.in_building else 0)


def goes_through(shot: Shot) -> bool:
    """Tell whether the weapon can do harm at all (G2-63, G2-110)."""
    return shot.weapon.penetration >= armour(shot)


def came(shot: Shot, face: int) -> Came:
    """Say what a face brings: the hit number, penetration, the critical number of a unit (G2-A04)."""
    need = numbers(shot)
    if face < need.hit_on:
        return "miss"
    if not goes_through(shot):
        return "bounced"
    return "critical" if shot.target == "unit" and face >= need.crit_on else "hit"


def check(shot: Shot) -> None:
    """Refuse a shot that can not be made; the weapon is not used up (G2-97, G2-101, G2-A21)."""
    weapon = shot.weapon
    if shot.own:
        raise Refusal(say("Only an enemy is shot at."), "G2-99", "target")
    if shot.fired:
        raise Refusal(say("Each weapon fires once a turn."), "G2-97", "weapon")
    if shot.grey:
        raise Refusal(say("Its token is on the grey side: it cannot be used now."), "G2-70", "weapon")
    if shot.distance is not None and shot.distance < 1:
        raise Refusal(say("A target stands at least 1 square away."), "G2-102", "distance")
    if shot.distance is not None and shot.distance > weapon.range:
        text = say("{distance} squares away: it reaches {range}.", distance=shot.distance, range=weapon.range)
        raise Refusal(text, "G2-101", "distance")
    if shot.target == "unit" and shot.target_wounds >= shot.wounds_max:
        raise Refusal(say("With that many wounds it is destroyed already."), "G2-112", "target_wounds")
    if shot.target != "unit" and shot.pi < 1:
        raise Refusal(say("It has no impact points left."), "G2-133" if shot.target == "building" else "G2-31", "pi")


def shoot(
    shot: Shot,
    ask: Ask,
    by: Seat,
    *,
    key: str = "shot",
    marks: tuple[tuple[str, str], ...] = (),
    clash: Clash | None = None,
) -> Result:
    """Shoot: range, the die against the hit number, penetration, then critical or damage (G2-A04); tell every step.

    ``key`` tells this throw from others of the same rule, ``marks`` are the pieces it is about. With ``clash`` one
    begins. The newest line is the harm, where there is any; that something is destroyed is left to the caller to tell.
    Raises Refusal or Pending.
    """
    check(shot)
    need = numbers(shot)
    asked = hits_on(shot)
    places: dict[str, Text | int] = {"unit": shot.shooter, "enemy": shot.enemy, "needed": need.hit_on}
    why = say("{unit} at {enemy}: {needed} or more to hit", **places) if need.hit_on <= FACES else asked.text
    # Nothing of the ruling is told before its die: whoever has to throw would not see what for.
    with ask.meanwhile(lambda: (replace(asked, marks=marks, clash=clash),) if clash else ()):
        face = ask.throw(1, FACES, key, why, by=by, clause="G2-103", alike=_alike(shot), does=effects(shot, by))[0]
    what = came(shot, face)
    if shot.distance is not None:
        ask.tell(say("{distance} away, range {range}", distance=shot.distance, range=shot.weapon.range), "G2-101")
    missed, hit = "{unit} missed {enemy}: {needed} or more was needed", "{unit} hit {enemy} with {needed} or more"
    said = say(missed if what == "miss" else hit, **places)
    ask.tell(said, "G2-103", asked.value, terms=asked.terms, faces=(face,), marks=marks)
    if clash is not None:
        ask.clash(clash)
    if what != "miss":
        line = penetrates(shot)
        ask.tell(line.text, line.clause, line.value, terms=line.terms)
    if what in {"hit", "critical"}:
        _tell_critical(shot, face, what, ask)
    return _harmed(shot, what, by, ask)


def _alike(shot: Shot) -> tuple[tuple[int, ...], ...]:
    """Group the faces that bring the same, where no face is told apart but by what it brings (for odds)."""
    groups = (tuple(face for face in range(1, FACES + 1) if came(shot, face) == what) for what in get_args(Came))
    return tuple(group for group in groups if group)


def hits_on(shot: Shot) -> Reason:
    """Say the face that hits, and what it is made of (G2-60, G2-103)."""
    need = numbers(shot).hit_on
    said = "{unit}: {needed} or more to hit" if need <= FACES else "{unit} cannot hit: that takes {needed}"
    terms = _terms(shot, 0)
    return Reason(say(said, unit=shot.shooter, needed=need), "G2-103", need if terms else None, terms)


def critical_on(shot: Shot) -> Reason:
    """Say the face that is a critical, and what it is made of (G2-61, G2-104); who is immune (G2-33, G2-134)."""
    if shot.target == "hq":
        return Reason(say("A headquarters is immune to criticals: an ordinary hit"), "G2-33")
    if shot.target == "building":
        return Reason(say("Criticals do not affect buildings: an ordinary hit"), "G2-134")
    need = numbers(shot).crit_on
    said = say("critical on {needed} or more" if need <= FACES else "no critical: that takes {needed}", needed=need)
    terms = _terms(shot, 1)
    return Reason(said, "G2-104", need if terms else None, terms)


def penetrates(shot: Shot) -> Reason:
    """Say whether penetration is enough for the armour, and what that is made of (G2-63, G2-110, G2-132)."""
    sentence, clause = "armour {armour}: penetration {penetration} goes through", "G2-63"
    if not goes_through(shot):
        sentence, clause = "armour {armour}: penetration {penetration} does no harm", "G2-110"
    said = say(sentence, armour=armour(shot), penetration=shot.weapon.penetration)
    bonus = shot.in_building.armour_bonus if shot.in_building else 0
    if not bonus:
        return Reason(said, clause)
    terms = (Reason(say("armour"), "G2-64", shot.armour), Reason(say("inside the building"), "G2-132", bonus))
    return Reason(said, clause, armour(shot), terms)


def _terms(shot: Shot, which: Literal[0, 1]) -> tuple[Reason, ...]:
    """List what the hit number (0) or the critical number (1) is made of; nothing where it is the weapon's own."""
    printed = (shot.weapon.hit, shot.weapon.crit)[which]
    terms = [Reason(say("on its card"), "G2-61" if which else "G2-60", printed)]
    if hurt := min(shot.wounds, MOST_FOR_WOUNDS):
        clause = "G2-117" if shot.wounds > hurt else "G2-116"
        terms.append(Reason(say("wounds of the shooter"), clause, hurt))
    terms += [Reason(what, clause, how[which]) for what, clause, how in added(shot) if how[which]]
    needed = total(terms)
    limited = _limited(needed, shot.natural_ten)
    if limited != needed:
        said = say("no more than {most}", most=FACES) if limited < needed else say("no less than {least}", least=1)
        terms.append(Reason(said, "G2-109", limited - needed))
    if raised := numbers(shot)[which] - limited:
        terms.append(Reason(say("a critical has to hit first"), "G2-104", raised))
    return tuple(terms) if len(terms) > 1 else ()


def _tell_critical(shot: Shot, face: int, what: Came, ask: Ask) -> None:
    """Tell a critical, why one that was thrown is none, or that none was thrown."""
    line = critical_on(shot)
    if what == "critical":
        said = say("{needed} or more: a critical hit destroys at once", needed=numbers(shot).crit_on)
        ask.tell(said, line.clause, line.value, terms=line.terms)
    elif shot.target == "unit":
        ask.tell(line.text, line.clause, line.value, terms=line.terms)
    elif face >= numbers(shot).crit_on:
        ask.tell(line.text, line.clause)


def _harmed(shot: Shot, what: Came, by: Seat, ask: Ask) -> Result:
    """Tell the harm, where there is any (G2-111, G2-31, G2-133)."""
    result, damage = _comes_of(shot, what, by), _damage(shot, what)
    if not damage:
        return result
    if result.target_wounds is not None:
        said = say(
            "{enemy}: {wounds} of {most} wounds", enemy=shot.enemy, wounds=result.target_wounds, most=shot.wounds_max
        )
        ask.tell(said, "G2-111", damage)
    elif result.target_pi is not None:
        clause = "G2-133" if shot.target == "building" else "G2-31"
        ask.tell(points_left(shot.enemy, result.target_pi), clause, -damage)
    return result


def _damage(shot: Shot, what: Came) -> int:
    return shot.weapon.damage if what == "hit" else 0


def _comes_of(shot: Shot, what: Came, by: Seat) -> Result:
    """Work out the harm (G2-111, G2-31, G2-133), what it destroys, and the token that is turned over (G2-113)."""
    need, damage = numbers(shot), _damage(shot, what)
    result = Result(hit_on=need.hit_on, crit_on=need.crit_on, result=what, weapon_flipped=shot.weapon.flips)
    if shot.target == "unit":
        wounds = shot.wounds_max if what == "critical" else min(shot.target_wounds + damage, shot.wounds_max)
        return replace(result, target_wounds=wounds, destroyed=wounds >= shot.wounds_max)
    pi = max(0, shot.pi - damage)
    building = shot.target == "building"
    return replace(
        result,
        target_pi=pi,
        destroyed=pi == 0,
        occupant_destroyed=building and pi == 0 and shot.occupant,
        becomes_ruin=building and pi == 0,
        winner=None if building or pi else side_of(by),
    )


def effects(shot: Shot, by: Seat) -> tuple[Effect, ...]:
    """Say what the faces do in this shot; those that do no harm are left out."""
    does = ((face, _does(shot, _comes_of(shot, came(shot, face), by))) for face in range(1, FACES + 1))
    alike = groupby(does, key=itemgetter(1))
    return tuple(Effect(tuple(face for face, _ in faces), text) for text, faces in alike if text is not None)


def _does(shot: Shot, result: Result) -> Text | None:
    """Say in a word what becomes of the target; None where nothing does."""
    if result.destroyed:
        return Text("ruin") if result.becomes_ruin else say("destroyed")
    if result.target_pi is not None:
        lost = shot.pi - result.target_pi
        return say("−{count} PI", count=lost) if lost else None
    wounds = (result.target_wounds or 0) - shot.target_wounds
    return say("{count} wound|{count} wounds", count=wounds) if wounds else None


def points_left(enemy: Text, count: int) -> Text:
    """Say how many impact points a headquarters or a building has left."""
    return say("{enemy}: {count} impact point left|{enemy}: {count} impact points left", enemy=enemy, count=count)


def needs(shot: Shot) -> tuple[Reason, ...]:
    """Say what a shot takes: to hit, to go through, to be a critical."""
    return (hits_on(shot), penetrates(shot), critical_on(shot))
