"""Assaults on the table: who may assault whom, what comes of it, and how likely (PT-31 to PT-61, PT-65 to PT-68)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from companion.games.pocket_tactics import assault_odds, fight, hazards, targets, turn
from companion.games.pocket_tactics.best_play import AT_ONCE
from companion.games.pocket_tactics.cards import Skill, slot_of, terrain_name
from companion.games.pocket_tactics.combatants import DEFENCE, OFFENCE, base, combatant, stat
from companion.games.pocket_tactics.dice import Facts, Kind, Party, affinity_tiles, base_party, counting, rolled
from companion.games.pocket_tactics.fight import Course, Result
from companion.games.pocket_tactics.land import land_around, landed, mover_of, spot_of
from companion.games.pocket_tactics.state import Last, Seat, State, Unit, UnitId, other
from companion.games.pocket_tactics.targets import Aim, Target
from companion.games.pocket_tactics.terrain import TESTS, Spot, badge, p_path, threat
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.clash import Clash, Combatant, Way
from companion.kit.odds import Bar, Chart
from companion.kit.questions import Badge, Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

assault = Chapter[State, Seat]()

Few = Annotated[int, Meta(ge=0, le=20)]


class Assault(Action, frozen=True, kw_only=True, tag="assault"):
    """Assault an enemy unit or the enemy base with a declared skill (PT-31 to PT-35, PT-54, PT-66).

    Where the map lies on the table the players say how far away the target is, and who stands beside (PT-53, PT-59).
    """

    unit: UnitId
    target: Annotated[str, Meta(pattern=r"^(base|[br][0-9]{1,2}\.[0-9]{1,2})\Z")]
    kind: Kind
    skill: Skill
    distance: Annotated[int, Meta(ge=1, le=20)] = 1
    attacker_assists: Few = 0
    defender_assists: Few = 0


@assault.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer every assault that a player can make: for each unit, kind and skill those whom it may assault."""
    for unit in state.of(seat, "tile") if turn.acts(state, seat) else ():
        for kind, skill in targets.declarable(state, unit):
            options = tuple(_targets(state, unit, kind, skill))
            if any(option.barred is None for option in options):
                yield _offer(state, unit, kind, skill, options)


def _offer(state: State, unit: Unit, kind: Kind, skill: Skill, options: tuple[Option, ...]) -> Offer:
    name = state.kind(unit)
    label = say("Melee: {unit}", unit=name)
    if kind != skill:
        said = "Melee, {skill}: {unit}" if kind == "melee" else "Ranged, {skill}: {unit}"
        label = say(said, skill=Text(skill), unit=name)
    free = [option.value for option in options if option.barred is None]
    aimed_at = {target.key: target.terrain(state) for target in targets.all_of(state, unit.seat) if target.key in free}
    warned, each = hazards.leaving_each(mover_of(state, unit), state.terrain(unit), aimed_at, kind)
    options = tuple(replace(option, advice=each.get(option.value, ())) for option in options)
    counted = () if state.mirrored else tuple(_counted(state, unit, kind, skill))
    return Assault.offer(
        label,
        Field("target", say("Target"), "choice", options, free[0] if len(free) == 1 else None),
        *counted,
        unit=unit.id,
        kind=kind,
        skill=skill,
        on=unit.id,
        chancy=True,
        loose=bool(counted),
        clause="PT-33" if kind == "melee" else "PT-54",
        advice=(*warned, *(Reason(reminder, "PT-05") for reminder in _reminders(state, unit))),
    )


def _targets(state: State, unit: Unit, kind: Kind, skill: Skill) -> Iterator[Option]:
    """List whom a unit can assault; those within reach whom a wall or a gap saves are barred."""
    if not state.mirrored:
        for target in targets.all_of(state, unit.seat):
            name = target.name(state)
            if target.unit:
                name = say("{unit}, {terrain}", unit=name, terrain=terrain_name(target.terrain(state)))
            yield Option(target.key, name, note=_waits(state, unit, kind, target)[0])
        return
    for target, aim in targets.aims(state, unit):
        why = targets.unreachable(state, unit, kind, skill, aim)
        if why is None or why.clause in ("PT-81", "PT-89"):
            note, sign = _waits(state, unit, kind, target)
            yield Option(target.key, target.name(state), why.reason if why else None, target.at, note, badge=sign)


def _waits(state: State, unit: Unit, kind: Kind, target: Target) -> tuple[Text | None, Badge | None]:
    """Say what waits on the target's tile, with its sign (PT-A29); what waits for a victor there in words (PT-74)."""
    if kind == "ranged":
        return None, None
    mover, terrain = mover_of(state, unit), target.terrain(state)
    if danger := hazards.entry_test(mover, terrain, "melee"):
        return threat(danger), badge(danger)
    later = hazards.entry_test(mover, terrain)
    return say("after a victory: {threat}", threat=threat(later)) if later else None, None


def _counted(state: State, unit: Unit, kind: Kind, skill: Skill) -> Iterator[Field]:
    """Ask for what the players see where the map lies on the table: how far, and who assists (PT-53, PT-59)."""
    reach = 1 if kind == "melee" else state.card(unit).reaches(slot_of(skill))
    if reach > 1:
        hint = say("In a straight line over tiles, without a gap or a tunnel wall in between.")
        yield Field("distance", say("Tiles away"), "number", value=1, low=1, high=reach, hint=hint)
    where = say("Units beside the target, without the two that fight.")
    if targets.either_tile(state, kind):
        where = say("Units beside either tile, without the two that fight.")
    ours = targets.most_assists(state, unit.seat, kind, fights=True)
    theirs = targets.most_assists(state, other(unit.seat), kind, fights=False)
    if ours:
        yield Field("attacker_assists", say("Your units that assist"), "number", value=0, high=ours, hint=where)
    if theirs:
        yield Field("defender_assists", say("Enemy units that assist"), "number", value=0, high=theirs, hint=where)


def _reminders(state: State, unit: Unit) -> list[Text]:
    """Say the special abilities of a unit that may matter in an assault: what they say the players do (PT-05)."""
    who = state.kind(unit)
    return [say("{unit}. {text}", unit=who, text=ability.said()) for ability in targets.in_assaults(state.card(unit))]


def declared(state: State, seat: Seat, action: Assault) -> tuple[Unit, Target, Aim]:
    """Return who assaults whom and how the target lies; raise Refusal when it may not be (PT-31 to PT-35, PT-54)."""
    unit = turn.check(state, seat, action.unit)
    if unit.where != "tile":
        raise Refusal(say("{unit} is not on the map.", unit=state.name(unit)), "PT-31", "unit")
    target = targets.find(state, seat, action.target)
    aim = dict(targets.aims(state, unit))[target] if state.mirrored else _told_aim(state, action)
    kind, skill = action.kind, action.skill
    if why := targets.undeclarable(state, unit, kind, skill) or targets.unreachable(state, unit, kind, skill, aim):
        raise why
    if not state.mirrored:
        _check_assists(state, seat, action, target)
    return unit, target, aim


def _told_aim(state: State, action: Assault) -> Aim:
    """Take from the players how a target lies; a melee further away than the next tile goes over a friend."""
    return Aim(action.distance, hop=action.kind == "melee" and action.distance == 2 and state.options.hop_assault)


def _check_assists(state: State, seat: Seat, action: Assault, target: Target) -> None:
    """Refuse more assists than there can be (PT-53, PT-A12)."""
    for who, count, field, fights in (
        (seat, action.attacker_assists, "attacker_assists", True),
        (other(seat), action.defender_assists, "defender_assists", target.unit is not None),
    ):
        most = targets.most_assists(state, who, action.kind, fights=fights)
        if count > most:
            text = say("{side} has fewer units on the map that could assist: {count}.", side=Text(who), count=most)
            raise Refusal(text, "PT-53", field)


def facts(state: State, action: Assault, unit: Unit, target: Target, aim: Aim) -> Facts:
    """Gather what an assault is fought with: both answer with the same skill of their card (PT-37, PT-38, PT-A07)."""
    kind, skill = action.kind, action.skill
    ours, theirs = affinity_tiles(kind, state.terrain(unit), target.terrain(state))
    helped, opposed = action.attacker_assists, action.defender_assists
    if state.mirrored:
        helped = targets.assists(state, unit.seat, kind, unit, target)
        opposed = targets.assists(state, target.seat, kind, unit, target)
    attacker = _party(state, unit, skill, ours, helped)
    if target.unit is None:
        return Facts(kind, attacker, base_party(target.seat, target.name(state), opposed), reached=False, base=True)
    defender = _party(state, target.unit, skill, theirs, opposed)
    return Facts(kind, attacker, defender, targets.reaches_back(state.card(target.unit), kind, skill, aim.distance))


def _party(state: State, unit: Unit, skill: Skill, terrain: str, assists: int) -> Party:
    slot, card = slot_of(skill), state.card(unit)
    return Party(
        unit.seat,
        state.name(unit),
        state.value(unit, slot, "offence"),
        state.value(unit, slot, "defence"),
        terrain,
        card.affinities,
        assists,
        targets.ability_rerolls(card),
        max(card.cost, 1),
        state.fighter(unit),
    )


def _course(state: State, action: Assault, unit: Unit, target: Target, aim: Aim) -> Course:
    """Gather the whole of an assault: what is fought with, and the ground before and after."""
    won = state.gone(target.unit.id, "captured") if target.unit else state
    return Course(
        facts(state, action, unit, target, aim),
        mover_of(state, unit),
        spot_of(state, unit),
        Spot(target.terrain(state), None, target.at),
        land_around(state, unit),
        land_around(won, unit),
    )


def outcome(before: State, after: State, _seat: Seat, action: Assault) -> Text:
    """Say who was captured, or what the ground did to an attacker whom it kept from the assault."""
    name, target = before.name(before.unit(action.unit)), before.find(action.target)
    where = after.unit(action.unit).where
    lost = where == "captured"
    if after.last.cancelled:
        if lost:
            return say("{unit} is lost (captured)", unit=name)
        if where == "reserve":
            return say("{unit} is back in reserve", unit=name)
        return say("{unit} does not get to assault", unit=name)
    if target is None:
        return say("{unit}: the base holds", unit=name)
    foe, won = before.name(target), after.unit(target.id).where == "captured"
    if won and lost:
        return say("{unit} and {foe}: both captured", unit=name, foe=foe)
    if won:
        return say("{unit} captures {foe}", unit=name, foe=foe)
    if lost:
        return say("{unit} is captured", unit=name)
    return say("{unit} against {foe}: neither is captured", unit=name, foe=foe)


def odds(state: State, seat: Seat, action: Assault) -> tuple[Chart, ...]:
    """Work out how likely the ground lets the assault take place (PT-71), and each of its ends."""
    if state.unit(action.unit).seat != seat:
        return ()
    course = _course(state, action, *declared(state, seat, action))
    return (*_ground(course), *assault_odds.charts(course.facts, state.options, AT_ONCE))


def _ground(course: Course) -> tuple[Chart, ...]:
    """Show how likely the ground lets the assault take place, where it is tested first (PT-71)."""
    mover, here, there, how = course.mover, course.origin.terrain, course.target.terrain, course.facts.kind
    entered = [there] if how == "melee" else []
    tests = [hazards.exit_test(mover, here, there, how), *(hazards.entry_test(mover, each, how) for each in entered)]
    fails = [TESTS[test].fails_to for test in tests if test is not None]
    if not fails:
        return ()
    safe = p_path(fails)
    bars = (Bar(say("The assault takes place"), safe), Bar(say("The ground prevents it"), 1 - safe))
    leaving = hazards.leaving_advice(mover, here, [there], how)
    return (Chart(say("The ground first"), bars, reasons=(*leaving, *hazards.entering_advice(mover, entered, how))),)


@assault.rule(Assault, headline=outcome, odds=odds)
def make(state: State, seat: Seat, action: Assault, ask: Ask) -> State:
    """Assault; whatever comes of it, the turn is over, and with a base that is taken the game (PT-25, PT-65)."""
    unit, target, aim = declared(state, seat, action)
    course, fought = _course(state, action, unit, target, aim), partial(_fought, state, unit, target)
    _tell(state, action, unit, target, _clash(state, action, unit, target, course), ask)
    foretold = fight.notes(course.facts)
    result = fight.run(course, state.options, ask, foretold, lambda so_far: ask.progress(fought(so_far)))
    state = fought(result)
    if result.outcome is not None and result.outcome.end == "base_taken":
        return turn.ended(state, seat, "base")
    return turn.spent(state, ask)


def _fought(state: State, unit: Unit, target: Target, result: Result) -> State:
    """Take away who was captured, and put the attacker where it has come to."""
    outcome, fate = result
    state = state.but(last=Last(unit.id, target.key, unit.at, cancelled=outcome is None))
    if outcome is not None and outcome.attack_hits and target.unit:
        state = state.gone(target.unit.id, "captured")
    if outcome is not None and outcome.counter_hits:
        state = state.gone(unit.id, "captured")
    return state if fate is None else landed(state, unit, fate)


def _clash(state: State, action: Assault, unit: Unit, target: Target, course: Course) -> Clash:
    """Draw who assaults whom, each with what counts of the skill that is declared (PT-37, PT-38)."""
    way: Way = "melee" if action.kind == "melee" else "spell" if action.skill == "arcane" else "shot"
    attacker, defender = course.facts.attacker, course.facts.defender
    one = combatant(state, unit)
    other = combatant(state, target.unit) if target.unit else base(target.seat, target.at)
    one, other = (_armed(*each, state) for each in ((one, attacker), (other, defender)))
    return Clash(way, one, other, tuple(_cancels(course, state)))


def _armed(one: Combatant, party: Party, state: State) -> Combatant:
    """Show the values that a side fights with; what is nothing is left out."""
    values = ((OFFENCE, party.offence), (DEFENCE, party.defence))
    counted = ((picture, counting(value, state.options)) for picture, value in values)
    return replace(one, stats=tuple(stat(picture, value) for picture, value in counted if not value.none))


def _cancels(course: Course, state: State) -> Iterator[Text]:
    """Say what may still save the target: the ground (PT-71), and re-rolls of the dice that defend it (PT-46)."""
    facts, here, there = course.facts, course.origin.terrain, course.target.terrain
    tests = [hazards.exit_test(course.mover, here, there, facts.kind)]
    if facts.kind == "melee":
        tests.append(hazards.entry_test(course.mover, there, facts.kind))
    for test in tests:
        if test is not None:
            yield say("{terrain}: {threat}", terrain=Text(test), threat=threat(test))
    party = facts.defender
    count = sum(touched != "offence" for touched in party.rerolls.ability) + party.rerolls.situational
    if count and rolled(facts, state.options).defender_defence.dice:
        yield say("{count} re-roll of {unit}|{count} re-rolls of {unit}", count=count, unit=party.short)


def _tell(state: State, action: Assault, unit: Unit, target: Target, clash: Clash, ask: Ask) -> None:
    """Tell what is declared, and what special abilities say that the players do themselves (PT-05, PT-34, PT-35)."""
    mixed = slot_of(action.skill) == "third" and state.card(unit).third == "magetech"
    clause = "PT-35" if mixed else "PT-34" if action.kind == "melee" else "PT-54"
    how, mark = Text(action.kind), target.key if target.unit else target.at or target.key
    if action.skill != action.kind:
        how = say("{one}, {two}", one=how, two=Text(action.skill))
    said = say("{unit} assaults {enemy}: {how}", unit=state.name(unit), enemy=target.name(state), how=how)
    ask.tell(said, clause, marks=((unit.id, "acting"), (mark, "target")))
    ask.clash(clash)
    for fighter in (unit, target.unit):
        for reminder in _reminders(state, fighter) if fighter else ():
            ask.tell(reminder, "PT-05")
