"""Bows, longbows and crossbows (CW-55 to CW-65, CW-156)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import sight, speech, traits
from companion.games.chesswar.destruction import Toll
from companion.games.chesswar.shooting import Aim, aim_at, check_free, check_indirect, harm, struck, unsaved
from companion.games.chesswar.state import Last
from companion.kit import counts
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.chesswar.armies import Weapon
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask

FAR = 3
"""From this distance on a shot is harder (CW-58)."""


def modifiers(state: State, shooter: Unit, aim: Aim) -> tuple[Reason, ...]:
    """List what makes a shot harder (CW-57 to CW-60); a storm replaces the distance (CW-156)."""
    found: list[Reason] = []
    if shooter.moved:
        found.append(Reason(say("it moved"), "CW-57", -1))
    if traits.stormy(state):
        found.append(Reason(say("storm: {squares}", squares=counts.squares(aim.distance)), "CW-156", -aim.distance))
    elif aim.distance >= FAR:
        found.append(Reason(say("{squares} away", squares=counts.squares(aim.distance)), "CW-58", -1))
    if not aim.direct:
        found.append(Reason(say("it does not see the target"), "CW-59", -2))
    return tuple(found)


def needed(state: State, shooter: Unit, aim: Aim) -> int:
    """Return the face that a shot needs; more than 6 can not be thrown (CW-56, CW-61)."""
    return shooter.kind.skill - sum(term.value or 0 for term in modifiers(state, shooter, aim))


def required(state: State, shooter: Unit, aim: Aim) -> Reason:
    """Say the face that a shot needs, and what it is made of (CW-56 to CW-61)."""
    who, need, added = speech.name(state, shooter), needed(state, shooter, aim), modifiers(state, shooter, aim)
    why = (
        say("{unit}: {needed} or more to hit", unit=who, needed=need)
        if need < 7
        else say("{unit} can not hit: that takes a {needed}", unit=who, needed=need)
    )
    summands = (Reason(say("skill"), None, shooter.kind.skill), *map(speech.on_the_face, added)) if added else ()
    return Reason(why, "CW-56" if need < 7 else "CW-61", need if summands else None, summands)


def aim(state: State, shooter: Unit, target: Unit) -> Aim:
    """Derive the aim of a shot from a mirrored board; raise Refusal when it can not be made (CW-47, CW-55)."""
    assert target.square is not None
    check_range(shooter, sight.apart(state, shooter, target.square))
    return checked(state, shooter, aim_at(state, shooter, target.square, "target"))


def check_range(shooter: Unit, distance: int, field: str = "target") -> Weapon:
    """Return the bow of a unit; refuse one without, and a target too far away (CW-55, CW-63)."""
    weapon = shooter.weapon
    if weapon is None or not weapon.bow:
        raise Refusal(say("It has no bow."), "CW-45", "unit")
    if distance > weapon.reach:
        clause = "CW-63" if shooter.kind.weapon == "longbows" else "CW-55"
        raise Refusal(
            say("{distance} squares away: it reaches {reach}.", distance=distance, reach=weapon.reach), clause, field
        )
    return weapon


def checked(state: State, shooter: Unit, found: Aim) -> Aim:
    """Return an aim that the weapon allows; raise Refusal for one beyond its range (CW-55), or not seen (CW-64)."""
    weapon = check_range(shooter, found.distance, "distance")
    if found.distance < 1:
        raise Refusal(say("A target stands at least 1 square away."), "CW-55", "distance")
    if not found.direct and not weapon.indirect:
        raise Refusal(say("Crossbows shoot only at what the shooter sees."), "CW-64", "direct")
    if not found.direct:
        check_indirect(state, shooter, "direct")
    return found


def shoot(state: State, shooter: Unit, target: Unit, given: Aim, ask: Ask) -> tuple[State, Toll]:
    """Shoot a bow: one die to hit (CW-56), who is struck (CW-52), saves (CW-62)."""
    check_free(shooter)
    if not state.enemies(shooter, target):
        raise Refusal(say("Only an enemy is shot at."), "CW-45", "target")
    state = state.with_unit(shooter.id, shot=True).after_deed(shooter).but(last=Last(shooter.square, target.square))
    asked, need = required(state, shooter, given), needed(state, shooter, given)
    who, whom = speech.name(state, shooter), speech.name(state, target)
    alike = tuple(part for part in (tuple(range(1, min(max(need, 1), 7))), tuple(range(max(need, 1), 7))) if part)
    face = ask.throw(1, 6, "hit", asked.text, by=shooter.side, clause="CW-10", alike=alike)[0]
    hit = face >= need
    said = (
        say("{unit} hit {enemy} with {needed} or more", unit=who, enemy=whom, needed=need)
        if hit
        else say("{unit} missed {enemy}: {needed} or more was needed", unit=who, enemy=whom, needed=need)
    )
    ask.tell(
        said,
        "CW-61" if face == 6 and not hit else "CW-56",
        asked.value,
        terms=asked.terms,
        faces=(face,),
        marks=((shooter.id, "acting"), (target.id, "target")),
    )
    if not hit:
        return state, Toll()
    units = struck(state, target, shooter.side, ask)
    return harm(state, shooter, units, unsaved(state, units, "bow", ask), ask)
