"""The combat phase: one attack, its total and its line (CW-83 to CW-95, table 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec.structs import replace

from companion.games.chesswar import speech, traits
from companion.games.chesswar.continuation import go_on
from companion.games.chesswar.destruction import Toll, strike_down
from companion.games.chesswar.ground import in_forest, wooded
from companion.games.chesswar.saves import required, save
from companion.games.chesswar.state import Last
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask
    from companion.kit.text import Text

Line = Literal[1, 3, 4, 5, 6]
TRUCE = (2, 3)


class Blow(NamedTuple):
    """Hold what an attack die came to: the total, the line read, who saves and how many saves."""

    total: int
    line: Line
    saver: str | None
    saves: int


def barred(unit: Unit) -> Reason | None:
    """Say why a unit can not attack now; None when it can (CW-83, CW-106, CW-128)."""
    if not unit.engaged:
        return Reason(say("It is not in melee."), "CW-83")
    if unit.charged == "continuation":
        return Reason(say("It charged as a continuation: it attacks in its next turn."), "CW-106")
    if unit.attacked:
        return Reason(say("Each unit attacks once in a combat phase."), "CW-83")
    return None


def charged_home(attacker: Unit) -> bool:
    """Tell whether an aggressive attacker charged in the movement phase of this turn (CW-107)."""
    return attacker.charged == "movement" and "aggressive" in attacker.kind.traits


def terms(state: State, attacker: Unit, defender: Unit, *, forest: bool = False) -> tuple[Reason, ...]:
    """List what is added to the attack die (CW-85, CW-107); a forest takes the bonus of a charge away (CW-171)."""
    found = [Reason(say("combat of {unit}", unit=speech.name(state, attacker)), None, attacker.kind.combat)]
    if charged_home(attacker) and not (forest or wooded(state, defender)):
        found.append(Reason(say("aggressive, and it charged"), "CW-107", 1))
    found.append(
        Reason(say("combat of {unit}, taken away", unit=speech.name(state, defender)), None, -defender.kind.combat)
    )
    return tuple(found)


def read(state: State, attacker: Unit, defender: Unit, face: int, *, forest: bool = False) -> Blow:
    """Read an attack die on the table (CW-86 to CW-94)."""
    total = face + sum(term.value or 0 for term in terms(state, attacker, defender, forest=forest))
    brave = traits.brave(state, defender)
    held = traits.dreadful(state, defender, attacker.side) and not traits.brave(state, attacker)
    if total >= 6 or face == 6:
        outright = total >= 6 and state.options.dread_natural_six_only
        if not held or outright:
            return Blow(total, 6, None, 0)
    if total >= 5 or face == 6:
        return Blow(total, 5, defender.id, 1 if brave else 2)
    if total == 4:
        return Blow(total, 4, defender.id, 1)
    if total in TRUCE:
        return Blow(total, 3, None, 0)
    safe = traits.dreadful(state, attacker, defender.side) and not brave
    return Blow(total, 1, None if safe else attacker.id, 0 if safe else 1)


def harms_from(state: State, attacker: Unit, defender: Unit) -> int:
    """Return the lowest face with which an attack may destroy its defender (CW-86 to CW-91)."""
    return next(face for face in range(1, 7) if read(state, attacker, defender, face).line >= 4)


def foretold(state: State, attacker: Unit, defender: Unit) -> tuple[Reason, ...]:
    """Say what is added to the attack die, what each face of it comes to, and what a save then needs."""
    added = terms(state, attacker, defender)
    blows = {face: read(state, attacker, defender, face) for face in range(6, 0, -1)}
    found: list[Reason] = []
    for face, blow in blows.items():
        *first, line = line_says(state, attacker, defender, blow, face)
        if found and found[-1].text == line.text:
            found[-1] = replace(found[-1], faces=(face, *found[-1].faces))
        else:
            found += [*first, replace(line, faces=(face,))]
    savers = {blow.saver for blow in blows.values()}
    return (
        Reason(say("added to the die"), "CW-85", sum(term.value or 0 for term in added), terms=added),
        *found,
        *(required(state, unit, "melee") for unit in (defender, attacker) if unit.id in savers),
    )


def pair(state: State, name: str, victim: str) -> tuple[Unit, Unit]:
    """Return an attacker and its defender; raise Refusal when it can not attack it now (CW-83)."""
    attacker, defender = state.unit(name), state.unit(victim, "target")
    why = barred(attacker)
    if why is not None:
        raise Refusal(why.text, why.clause, "unit")
    if victim not in attacker.engaged_with:
        raise Refusal(say("{unit}: not in melee with it.", unit=speech.name(state, defender)), "CW-83", "target")
    return attacker, defender


def fight(state: State, name: str, victim: str, ask: Ask) -> tuple[State, Toll, Blow]:
    """Attack an opponent (CW-83 to CW-94), up to the continuation move, which is not made here."""
    attacker, defender = pair(state, name, victim)
    state = state.with_unit(name, attacked=True).after_deed(attacker).but(last=Last(attacker.square, defender.square))
    forest = charged_home(attacker) and in_forest(state, defender, ask)
    added = terms(state, attacker, defender, forest=forest)
    one, other = speech.name(state, attacker), speech.name(state, defender)
    why = say("{unit} against {enemy}", unit=one, enemy=other)
    face = ask.throw(1, 6, "attack", why, by=attacker.side, clause="CW-10")[0]
    blow = read(state, attacker, defender, face, forest=forest)
    ask.tell(
        say("{unit} attacked {enemy}: {total}", unit=one, enemy=other, total=blow.total),
        "CW-85",
        blow.total,
        terms=(Reason(say("die"), None, face), *added),
        faces=(face,),
        marks=((name, "acting"), (victim, "target")),
    )
    for line in line_says(state, attacker, defender, blow, face):
        ask.tell(line.text, line.clause)
    lost = _losers(state, attacker, defender, blow, ask)
    won = victim in lost
    state, toll = strike_down(state, lost, "attack" if won else "backlash", ask, by=attacker if won else defender)
    return state, toll, blow


def line_says(state: State, attacker: Unit, defender: Unit, blow: Blow, face: int) -> tuple[Reason, ...]:
    """Say what the line that was read comes to (CW-86 to CW-94)."""
    one, other = speech.name(state, attacker), speech.name(state, defender)
    match blow.line:
        case 6:
            said = say("{unit}: destroyed outright", unit=other)
            return (Reason(said, "CW-87" if blow.total < 6 else "CW-86"),)
        case 5:
            saves = _saves(other, blow.saves, "CW-90" if blow.saves == 1 else "CW-89")
            if blow.total < 6 and face < 6:
                return (saves,)
            said = say("{unit}: dreadful; {enemy}: not brave. Read as 5", unit=other, enemy=one)
            return Reason(said, "CW-88"), saves
        case 4:
            return (_saves(other, 1, "CW-91"),)
        case 3:
            return (Reason(say("Nothing happens: the melee goes on"), "CW-92"),)
        case 1 if blow.saves:
            return (_saves(one, 1, "CW-93"),)
        case 1:
            said = say("{unit}: dreadful; {enemy}: not brave. Nothing happens", unit=one, enemy=other)
            return (Reason(said, "CW-94"),)


def _saves(who: Text, count: int, clause: str) -> Reason:
    said = say("{unit}: {count} save, or destroyed|{unit}: {count} saves, or destroyed", unit=who, count=count)
    return Reason(said, clause)


def _losers(state: State, attacker: Unit, defender: Unit, blow: Blow, ask: Ask) -> tuple[str, ...]:
    """Roll the saves, one after the other up to the first failure (CW-89, CW-Q28)."""
    if blow.line == 6:
        return (defender.id,)
    saver = attacker if blow.saver == attacker.id else defender
    for _ in range(blow.saves):
        if not save(state, saver, "melee", ask):
            return (saver.id,)
    return ()


def attack(state: State, name: str, victim: str, ask: Ask) -> State:
    """Attack an opponent, and go on with a continuation move where it is destroyed (CW-97)."""
    before = state.unit(victim, "target")
    state, toll, _ = fight(state, name, victim, ask)
    if victim in toll.destroyed or victim in toll.knocked_down:
        state = go_on(state, name, before, toll, ask)
    return state
