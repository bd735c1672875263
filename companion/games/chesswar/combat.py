"""The combat phase: one attack, its total and its line (CW-83 to CW-95, table 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.games.chesswar import speech, traits
from companion.games.chesswar.continuation import go_on
from companion.games.chesswar.destruction import Toll, strike_down
from companion.games.chesswar.ground import in_forest, wooded
from companion.games.chesswar.saves import save
from companion.games.chesswar.state import Last
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask

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


def pair(state: State, name: str, victim: str) -> tuple[Unit, Unit]:
    """Return an attacker and its defender; raise Refusal when it can not attack it now (CW-83)."""
    attacker, defender = state.unit(name), state.unit(victim, "target")
    why = barred(attacker)
    if why is not None:
        raise Refusal(why.text, why.clause, "unit")
    if victim not in attacker.engaged_with:
        raise Refusal(say("{unit} is not in melee with it.", unit=speech.name(state, defender)), "CW-83", "target")
    return attacker, defender


def fight(state: State, name: str, victim: str, ask: Ask) -> tuple[State, Toll, Blow]:
    """Attack an opponent (CW-83 to CW-94), up to the continuation move, which is not made here."""
    attacker, defender = pair(state, name, victim)
    state = state.with_unit(name, attacked=True).after_deed(attacker).but(last=Last(attacker.square, defender.square))
    forest = charged_home(attacker) and in_forest(state, defender, ask)
    added = terms(state, attacker, defender, forest=forest)
    one, other = speech.name(state, attacker), speech.name(state, defender)
    why = say("{unit} attacks {enemy}", unit=one, enemy=other)
    face = ask.throw(1, 6, "attack", why, by=attacker.side, clause="CW-10")[0]
    blow = read(state, attacker, defender, face, forest=forest)
    ask.tell(say("{unit} attacks {enemy}: {total}", unit=one, enemy=other, total=blow.total), "CW-85", blow.total,
             terms=(Reason(say("die"), None, face), *added), faces=(face,),
             marks=((name, "acting"), (victim, "target")))  # fmt: skip
    _tell_line(state, attacker, defender, blow, face, ask)
    lost = _losers(state, attacker, defender, blow, ask)
    state, toll = strike_down(state, lost, "attack" if victim in lost else "backlash", ask)
    return state, toll, blow


def _tell_line(state: State, attacker: Unit, defender: Unit, blow: Blow, face: int, ask: Ask) -> None:
    one, other = speech.name(state, attacker), speech.name(state, defender)
    match blow.line:
        case 6:
            ask.tell(say("{unit} is destroyed outright", unit=other), "CW-87" if blow.total < 6 else "CW-86")
        case 5:
            if blow.total >= 6 or face == 6:
                ask.tell(say("{unit} is dreadful and {enemy} is not brave: read as 5", unit=other, enemy=one), "CW-88")
            ask.tell(say("{unit}: {count} save or it is destroyed|{unit}: {count} saves or it is destroyed", unit=other,
                         count=blow.saves), "CW-90" if blow.saves == 1 else "CW-89")  # fmt: skip
        case 4:
            ask.tell(say("{unit}: {count} save or it is destroyed|{unit}: {count} saves or it is destroyed", unit=other,
                         count=1), "CW-91")  # fmt: skip
        case 3:
            ask.tell(say("Nothing happens: the melee goes on"), "CW-92")
        case 1:
            if blow.saves:
                ask.tell(say("{unit}: {count} save or it is destroyed|{unit}: {count} saves or it is destroyed",
                             unit=one, count=1), "CW-93")  # fmt: skip
            else:
                ask.tell(say("{unit} is dreadful and {enemy} is not brave: nothing happens", unit=one, enemy=other),
                         "CW-94")  # fmt: skip


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
