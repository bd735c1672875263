"""Shooting in general: who may, at what, and who is really struck in a melee (CW-45 to CW-54, CW-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.games.chesswar import sight, speech, traits
from companion.games.chesswar.destruction import Toll, strike_down
from companion.games.chesswar.saves import save
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.chesswar.saves import Against
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask


class Aim(msgspec.Struct, frozen=True):
    """Hold what a shot depends on, from the board or told by the players.

    ``distance`` is in squares, ``direct`` when the shooter sees the target.
    """

    distance: int
    direct: bool = True


def barred(unit: Unit) -> Reason | None:
    """Say why a unit can not shoot now; None when it can."""
    weapon = unit.weapon
    if weapon is None:
        return Reason(say("It has nothing to shoot with."), "CW-45")
    if unit.engaged:
        return Reason(say("A unit in melee can not shoot."), "CW-82" if weapon.scatter else "CW-45")
    if unit.raised:
        return Reason(say("A unit just raised shoots in the next turn."), "CW-135")
    if unit.shot:
        return Reason(say("Each unit shoots once in a shooting phase."), "CW-46")
    if unit.moved and not weapon.after_moving:
        return Reason(say("It can not shoot after moving."), "CW-64")
    return None


def check_free(unit: Unit) -> None:
    """Refuse a shot of a unit that can not shoot now."""
    why = barred(unit)
    if why is not None:
        raise Refusal(why.text, why.clause, "unit")


def aim_at(state: State, shooter: Unit, square: str, field: str, sight_clause: str = "CW-47") -> Aim:
    """Derive the aim at a square from a mirrored board; raise Refusal when nobody sees it (CW-47, CW-51, CW-68)."""
    weapon = shooter.weapon
    direct = sight.sees(state, shooter, square)
    if not direct:
        if weapon is None or not weapon.indirect:
            clause = "CW-64" if weapon is not None and weapon.bow else sight_clause
            raise Refusal(say("It does not see {square}, and can not shoot without.", square=square), clause, field)
        check_indirect(state, shooter, field)
        if not sight.spotted(state, shooter, square):
            raise Refusal(
                say("Neither it nor any other unit of its side sees {square}.", square=square),
                "CW-68" if weapon.scatter else "CW-47",
                field,
            )
    return Aim(sight.apart(state, shooter, square), direct)


def check_indirect(state: State, shooter: Unit, field: str) -> None:
    """Refuse an indirect shot of an army without a general (CW-177)."""
    if traits.leaderless(state, shooter.side):
        raise Refusal(
            say("An army without its general does not shoot at what the shooter can not see."), "CW-177", field
        )


def struck(state: State, target: Unit, by: Side, ask: Ask) -> tuple[Unit, ...]:
    """Find who is struck when a ranged attack hits a unit: in a melee a die decides (CW-52, CW-53)."""
    foes = state.opponents(target)
    if not foes:
        return (target,)
    why = say(
        "{unit}, in melee: who is struck? 5, 6: the target; 3, 4: the target and an opponent; 1, 2: an opponent",
        unit=speech.name(state, target),
    )
    face = ask.throw(1, 6, "melee", why, by=by, clause="CW-10", alike=((1, 2), (3, 4), (5, 6)))[0]
    if face >= 5:
        ask.tell(say("The shot into the melee strikes its target"), "CW-52", faces=(face,))
        return (target,)
    chosen = foes[0].id
    if len(foes) > 1:
        chosen = ask.draw(tuple(foe.id for foe in foes), 1, "opponent", say("Which opponent is struck"), by=by)[0]
    foe = next(one for one in foes if one.id == chosen)
    if face >= 3:
        ask.tell(
            say("The shot into the melee strikes its target and {unit}", unit=speech.name(state, foe)),
            "CW-52",
            faces=(face,),
            marks=((foe.id, "target"),),
        )
        return (target, foe)
    ask.tell(
        say("The shot into the melee strikes {unit} instead", unit=speech.name(state, foe)),
        "CW-52",
        faces=(face,),
        marks=((foe.id, "target"),),
    )
    return (foe,)


def unsaved(state: State, units: tuple[Unit, ...], against: Against, ask: Ask) -> tuple[str, ...]:
    """Roll the saves of all who are struck, the target first (CW-62, CW-75); return the ids of those who fail."""
    return tuple(unit.id for unit in units if not save(state, unit, against, ask))


def harm(state: State, by: Unit, units: tuple[Unit, ...], lost: tuple[str, ...], ask: Ask) -> tuple[State, Toll]:
    """Destroy those of the units struck that are lost; ``by`` is the shooter, or the mage."""
    state, toll = strike_down(state, lost, "shot", ask, by=by)
    return state, toll._replace(struck=tuple(unit.id for unit in units))
