"""The combat phase: an attack, its line, and the continuation move after it (CW-83 to CW-107, CW-171)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec.structs import replace

from companion.games.chesswar import charge, clashes, movement, odds, speech, traits
from companion.games.chesswar.destruction import Toll, strike_down
from companion.games.chesswar.options import Side, grid
from companion.games.chesswar.speech import Line
from companion.games.chesswar.state import Last, State, Unit, UnitAction, UnitId
from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.clash import Clash, Effect
from companion.kit.counts import DIE
from companion.kit.odds import Chart
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal, refuse, total
from companion.kit.text import Text, say

combat = Chapter[State, Side]()

Row = Literal[1, 3, 4, 5, 6]
"""The line of the table that an attack is read on; 3 is that for 2 and 3."""
TRUCE = (2, 3)
DESTROYS: Row = 6
GOES_ON = say("The melee goes on")
STAY = "stay"
MOVE_IN = "move_in"


class Attack(UnitAction, frozen=True, tag="attack"):
    """Attack an opponent in melee (CW-83)."""

    target: UnitId


def attacks(state: State, line: Line) -> Iterator[Offer]:
    """Offer the attacks of a unit in melee (CW-83), on the real board each by itself: nothing is left to ask."""
    unit = line.unit
    if barred(unit) is not None:
        return
    who, foes = speech.called(state, line), state.opponents(unit)
    if state.mirrored:
        options = []
        for foe in foes:
            # The lowest face with which it may destroy its enemy (CW-86 to CW-91).
            lowest = next(face for face in range(1, 7) if read(state, unit, foe, face).line >= 4)
            note = say("attack die {chance}, before saves", chance=speech.chance(lowest))
            options.append(Option(foe.id, speech.name(state, foe), place=foe.square, note=note))
        label, field = say("Attack: {unit}", unit=who), Field("target", say("Target"), "choice", tuple(options))
        yield Attack.offer(label, field, unit=unit.id, on=unit.id, chancy=True, clause="CW-83")
        return
    for foe in foes:
        label = say("Attack {enemy}: {unit}", enemy=speech.foe(state, foe), unit=who)
        yield Attack.offer(label, unit=unit.id, target=foe.id, on=unit.id, chancy=True, clause="CW-83")


class Blow(NamedTuple):
    """What an attack die came to: the total, the line read, who saves and how many saves."""

    total: int
    line: Row
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


def added_to_the_die(state: State, attacker: Unit, defender: Unit, *, forest: bool = False) -> tuple[Reason, ...]:
    """List what is added to the attack die (CW-85, CW-107); a forest takes the bonus of a charge away (CW-171)."""
    added = [_combat(attacker)]
    if charged_home(attacker) and not (forest or traits.wooded(state, defender)):
        added.append(Reason(say("aggressive, and it charged"), "CW-107", 1))
    return (*added, _combat(defender, taken=True))


def _combat(unit: Unit, *, taken: bool = False) -> Reason:
    """Say what a unit's combat adds to the attack die, or takes from it, as a part of a sum: who, and how much."""
    combat, kind = unit.kind.combat, Text(unit.type)
    if taken:
        sentence = "− {unit} {combat}" if combat >= 0 else "− {unit} (−{combat})"
        return Reason(Text(sentence, {"unit": kind, "combat": abs(combat)}), None, -combat)
    sentence = "{unit} {combat}" if combat >= 0 else "{unit} −{combat}"
    return Reason(Text(sentence, {"unit": kind, "combat": abs(combat)}), None, combat)


def read(state: State, attacker: Unit, defender: Unit, face: int, *, forest: bool = False) -> Blow:
    """Read an attack die on the table (CW-86 to CW-94)."""
    result = face + total(added_to_the_die(state, attacker, defender, forest=forest))
    brave, held = traits.brave(state, defender), charge.dread(state, attacker, defender)
    if result >= 6 or face == 6:
        outright = result >= 6 and state.options.dread_natural_six_only
        if not held or outright:
            return Blow(result, 6, None, 0)
    if result >= 5 or face == 6:
        return Blow(result, 5, defender.id, 1 if brave else 2)
    if result == 4:
        return Blow(result, 4, defender.id, 1)
    if result in TRUCE:
        return Blow(result, 3, None, 0)
    safe = charge.dread(state, defender, attacker)
    return Blow(result, 1, None if safe else attacker.id, 0 if safe else 1)


def foretold(state: State, attacker: Unit, defender: Unit) -> tuple[Reason, ...]:
    """Say what is added to the attack die, what each face of it comes to, and what a save then needs."""
    added = added_to_the_die(state, attacker, defender)
    sum_ = total(added)
    to_the_die = say("+{count} to the die" if sum_ >= 0 else "−{count} to the die", count=abs(sum_))
    blows = {face: read(state, attacker, defender, face) for face in range(6, 0, -1)}
    lines: list[Reason] = []
    for face, blow in blows.items():
        *first, line = line_says(state, attacker, defender, blow, face)
        if lines and lines[-1].text == line.text:
            lines[-1] = replace(lines[-1], faces=(face, *lines[-1].faces))
        else:
            lines += [*first, replace(line, faces=(face,))]
    savers = {blow.saver for blow in blows.values()}
    return (
        Reason(to_the_die, "CW-85", sum_, terms=added),
        *lines,
        *(traits.save_required(state, unit, "melee") for unit in (defender, attacker) if unit.id in savers),
    )


def fight(state: State, name: str, victim: str, ask: Ask) -> tuple[State, Toll, Blow]:
    """Attack an opponent (CW-83 to CW-94), up to the continuation move, which is not made here."""
    attacker, defender = state.unit(name), state.unit(victim, "target")
    refuse(barred(attacker), "unit")
    if victim not in attacker.engaged_with:
        raise Refusal(say("{unit}: not in melee with it.", unit=speech.name(state, defender)), "CW-83", "target")
    state = state.with_unit(name, attacked=True).after_deed(attacker).but(last=Last(attacker.square, defender.square))
    one, other = speech.name(state, attacker), speech.name(state, defender)
    why, marks = say("{unit} against {enemy}", unit=one, enemy=other), ((name, "acting"), (victim, "target"))

    def clash(*, forest: bool = False) -> Clash:
        faces = (read(state, attacker, defender, face, forest=forest) for face in range(1, 7))
        return clashes.melee(state, attacker, defender, saves=any(blow.saver == victim for blow in faces))

    with ask.meanwhile(lambda: (Reason(why, "CW-85", marks=marks, clash=clash()),)):
        forest = charged_home(attacker) and traits.in_forest(state, defender, ask)
        does = effects(state, attacker, defender, forest=forest)
        face = ask.throw(1, 6, "attack", why, by=attacker.side, clause="CW-10", does=does)[0]
    added = added_to_the_die(state, attacker, defender, forest=forest)
    blow = read(state, attacker, defender, face, forest=forest)
    said = say("{unit} attacked {enemy}: {total}", unit=one, enemy=other, total=blow.total)
    terms = (Reason(DIE, None, face), *added)
    ask.tell(said, "CW-85", blow.total, terms=terms, faces=(face,), marks=marks)
    if not ask.unread:
        ask.clash(clash(forest=forest))
    for line in line_says(state, attacker, defender, blow, face):
        ask.tell(line.text, line.clause)
    lost = _losers(state, attacker, defender, blow, ask)
    won = victim in lost
    state, toll = strike_down(state, lost, "attack" if won else "backlash", ask, by=attacker if won else defender)
    return state, toll, blow


def effects(state: State, attacker: Unit, defender: Unit, *, forest: bool = False) -> tuple[Effect, ...]:
    """Say what the faces of an attack die do: whom they strike down, or who has to save himself how often."""
    found: list[Effect] = []
    for face in range(1, 7):
        blow = read(state, attacker, defender, face, forest=forest)
        if blow.line == DESTROYS:
            effect = Effect((face,), traits.falls(defender))
        elif blow.saver == attacker.id:
            effect = Effect((face,), say("own save"), harm=True)
        elif blow.saves:
            effect = Effect((face,), say("{count} save|{count} saves", count=blow.saves))
        else:
            continue
        if found and found[-1].text == effect.text:
            effect = replace(effect, faces=(*found.pop().faces, face))
        found.append(effect)
    return tuple(found)


def line_says(state: State, attacker: Unit, defender: Unit, blow: Blow, face: int) -> tuple[Reason, ...]:
    """Say what the line that was read comes to (CW-86 to CW-94)."""
    one, other = speech.name(state, attacker), speech.name(state, defender)
    match blow.line:
        case 6:
            return (Reason(say("{unit}: destroyed outright", unit=other), "CW-87" if blow.total < 6 else "CW-86"),)
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
    passed = all(traits.save(state, saver, "melee", ask) for _ in range(blow.saves))
    return () if passed else (saver.id,)


def continuation_barred(state: State, unit: Unit | None) -> Reason | None:
    """Say why a unit makes no continuation move; None when it may (CW-98, CW-176)."""
    if unit is None or not unit.stands:
        return Reason(say("It was destroyed."), "CW-98")
    if unit.engaged:
        return Reason(say("It is still in melee."), "CW-98")
    if traits.leaderless(state, unit.side):
        return Reason(say("An army without its general makes no continuation moves."), "CW-176")
    if state.winner:
        return Reason(say("The game is over."), "CW-164")
    return None


def move_in_barred(state: State, unit: Unit, square: str | None) -> Reason | None:
    """Say why a unit can not move into its enemy's square; None when it can (CW-99, CW-100, CW-102)."""
    if unit.kind.move == 0:
        return Reason(say("A unit that cannot move may only charge."), "CW-102")
    if unit.raised:
        return Reason(say("A unit just raised moves in the next turn."), "CW-135")
    if unit.square is None or square is None:
        return None
    if state.at(square) is not None:
        return Reason(say("{square} is occupied.", square=square), "CW-100")
    beside, clause = charge.common_sides(state, unit.square, square), "CW-100"
    if state.options.continuation_strict:
        beside, clause = grid(state.options).beside(square), "CW-Q16"
    for side in beside:
        holder = state.at(side)
        if holder is not None and state.enemies(unit, holder):
            return Reason(say("Beside that square: {enemy}.", enemy=speech.name(state, holder)), clause)
    return None


def go_on(state: State, name: str, victim: Unit, toll: Toll, ask: Ask) -> State:
    """Offer the continuation move after all else is settled (CW-103): move in, charge, or stay."""
    unit = state.find(name)
    if unit is None or continuation_barred(state, unit) is not None:
        return state
    closed = move_in_barred(state, unit, victim.square)
    if not state.mirrored and victim.id in toll.raised:
        closed = Reason(say("A unit was raised there."), "CW-100")
    enemies = [target for target, why in charge.targets(state, unit, "continuation") if why is None]  # CW-101
    if closed is not None and not enemies:
        return state
    who, square = speech.name(state, unit), victim.square or ""
    into = say("Move to {square}", square=square) if square else say("Move into the square of the enemy")
    options = [Option(STAY, say("Stay")), Option(MOVE_IN, into, closed, victim.square)]
    for foe, _ in speech.lines(state, enemies):
        need = charge.dread_save(state, unit, foe)
        label, note = say("Charge {enemy}", enemy=speech.foe(state, foe)), speech.save(need) if need else None
        options.append(Option(foe.id, label, place=foe.square, note=note))
    ask.progress(state)
    chosen = ask.choose(unit.side, options, "continuation", say("{unit}: continuation move?", unit=who), clause="CW-97")
    if chosen == STAY:
        ask.tell(say("{unit} stayed", unit=who), "CW-97")
        return state
    if chosen != MOVE_IN:
        return charge.go_in(state, name, chosen, ask, "continuation")
    if not square:
        ask.tell(say("{unit} moved into the square of the enemy", unit=who), "CW-99")
        state = state.with_unit(name, moved=True)
        return movement.trample(state, victim, ask, unit) if victim.id in toll.knocked_down else state
    ask.tell(say("{unit} moved to {square}", unit=who, square=square), "CW-99", marks=((name, "acting"),))
    return movement.enter(state, unit, (square,), ask)


def charts(state: State, name: str, victim: str) -> tuple[Chart, ...]:
    """Show who falls in a melee attack: by the blow itself (CW-86 to CW-94), and with the plague after it (CW-111)."""

    def falls(ask: Ask) -> tuple[str | None, odds.Fate]:
        after, toll, blow = fight(state, name, victim, ask)
        return (blow.saver or victim) if toll.destroyed or toll.knocked_down else None, odds.fate(state, after)

    fallen = odds.falling(state, falls)
    blows = odds.gathered(fallen.ways, lambda outcome: outcome[0])
    labels = ((victim, odds.alone(state, victim)), (name, odds.alone(state, name)), (None, GOES_ON))
    bars, needs = odds.bars_of(blows, labels), foretold(state, state.unit(name), state.unit(victim))
    if not fallen.many and all(len(fate.everybody) <= 1 for _, fate in fallen.ways):
        return (Chart(odds.titled(state, say("The whole attack, dice and saves")), bars, reasons=needs),)
    return (
        Chart(odds.titled(state, say("The attack, before the plague")), bars, reasons=needs),
        odds.who_falls(state, say("The attack, with the plague"), fallen),
    )


def foresee(state: State, side: Side, action: Attack) -> tuple[Chart, ...]:
    """Show who falls in an attack at the table."""
    state.actor(side, "combat", action.unit)
    return charts(odds.calm(state), action.unit, action.target)


def attacked(before: State, after: State, _side: Side, action: Attack) -> Text:
    """Say who fell in an attack."""
    unit, foe = (speech.name(before, before.unit(name)) for name in (action.unit, action.target))
    return speech.cost(before, after, say("{unit} attacked {enemy}: the melee goes on", unit=unit, enemy=foe))


@combat.rule(Attack, headline=attacked, odds=foresee)
def attack(state: State, side: Side, action: Attack, ask: Ask) -> State:
    """Attack an opponent, and go on with a continuation move where it is destroyed (CW-97)."""
    state.actor(side, "combat", action.unit)
    before = state.unit(action.target, "target")
    state, toll, _ = fight(state, action.unit, action.target, ask)
    fell = action.target in toll.destroyed + toll.knocked_down
    return go_on(state, action.unit, before, toll, ask) if fell else state
