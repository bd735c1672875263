"""Assaults on the table: who may assault whom, and what comes of it (PT-31 to PT-61, PT-65 to PT-68)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import (
    assault_offers,
    course,
    declaring,
    foretelling,
    landing,
    parties,
    speech,
    targets,
    turn,
)
from companion.games.pocket_tactics.cards import slot_of
from companion.games.pocket_tactics.course import Course, Result
from companion.games.pocket_tactics.declaring import Aim
from companion.games.pocket_tactics.land import Spot
from companion.games.pocket_tactics.parties import Facts, Party
from companion.games.pocket_tactics.pieces import Last
from companion.games.pocket_tactics.sides import other
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics import actions as do
    from companion.games.pocket_tactics.doing import Skill
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.games.pocket_tactics.targets import Target
    from companion.kit.asking import Ask
    from companion.kit.offer import Offer


def can_assault(state: State, seat: Seat) -> bool:
    """Tell whether a player has an assault to make; with the map on the table, whether some unit on it has offence."""
    if not state.mirrored:
        return any(True for unit in state.of(seat, "tile") for _ in targets.declarable(state, unit))
    return any(
        targets.aim_barred(state, unit, kind, skill, aim) is None
        for unit in state.of(seat, "tile")
        for _, aim in targets.aims(state, unit)
        for kind, skill in targets.declarable(state, unit)
    )


def declared(state: State, seat: Seat, action: do.Assault) -> tuple[Unit, Target, Aim]:
    """Return who assaults whom and how the target lies; raise Refusal when it may not be (PT-31 to PT-35, PT-54)."""
    unit = turn.check(state, seat, action.unit)
    if unit.where != "tile":
        raise Refusal(say("{unit} is not on the map.", unit=speech.unit(state, unit)), "PT-31", "unit")
    target = targets.find(state, seat, action.target)
    aim = dict(targets.aims(state, unit))[target] if state.mirrored else _said(state, action)
    kind, skill = action.kind, action.skill
    why = targets.skill_barred(state, unit, kind, skill) or targets.aim_barred(state, unit, kind, skill, aim)
    if why is not None:
        raise why
    if not state.mirrored:
        _check_assists(state, seat, action, target)
    return unit, target, aim


def facts(state: State, action: do.Assault, unit: Unit, target: Target, aim: Aim) -> Facts:
    """Gather what an assault is fought with."""
    kind, skill = action.kind, action.skill
    ours, theirs = parties.tiles(kind, state.terrain(unit), target.terrain(state))
    if state.mirrored:
        helped = targets.assists(state, unit.seat, kind, unit, target)
        opposed = targets.assists(state, target.seat, kind, unit, target)
    else:
        helped, opposed = action.attacker_assists, action.defender_assists
    attacker = party(state, unit, skill, ours, helped)
    if target.unit is None:
        base = parties.base_party(target.seat, target.name(state), opposed)
        return Facts(kind, attacker, base, reached=False, base=True)
    defender = party(state, target.unit, skill, theirs, opposed)
    reached = declaring.reaches_back(state.card(target.unit), kind, skill, aim.distance)
    return Facts(kind, attacker, defender, reached)


def planned(state: State, action: do.Assault, unit: Unit, target: Target, aim: Aim) -> Course:
    """Gather the whole of an assault: what is fought with, and the ground before and after."""
    won = state.gone(target.unit.id, "captured") if target.unit else state
    return Course(
        facts(state, action, unit, target, aim),
        landing.mover(state, unit),
        landing.spot(state, unit),
        Spot(target.terrain(state), None, target.at),
        landing.land(state, unit),
        landing.land(won, unit),
    )


def party(state: State, unit: Unit, skill: Skill, terrain: str, assists: int) -> Party:
    """Return a unit as it fights with a skill: both answer with the same one of their card (PT-37, PT-38, PT-A07)."""
    slot, card = slot_of(skill), state.card(unit)
    return Party(
        unit.seat,
        speech.unit(state, unit),
        state.value(unit, slot, "offence"),
        state.value(unit, slot, "defence"),
        terrain,
        card.affinities,
        assists,
        declaring.ability_rerolls(card),
        max(card.cost, 1),
        speech.fighter(state, unit),
    )


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    if state.phase != "play" or seat != state.active:
        return []
    return assault_offers.offers(state, seat)


def rule(state: State, seat: Seat, action: do.Assault, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    unit, target, aim = declared(state, seat, action)
    _tell(state, action, unit, target, ask)
    way = planned(state, action, unit, target, aim)
    before = state

    def progress(found: Result) -> None:
        ask.progress(_fought(before, unit, target, found))

    result = course.run(way, state.options, ask, foretelling.notes(way.facts), progress)
    state = _fought(state, unit, target, result)
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
    return state if fate is None else landing.landed(state, unit, fate)


def _said(state: State, action: do.Assault) -> Aim:
    """Take from the players how a target lies; a melee further away than the next tile goes over a friend."""
    hop = action.kind == "melee" and action.distance == 2 and state.options.hop_assault
    return Aim(action.distance, hop=hop)


def _check_assists(state: State, seat: Seat, action: do.Assault, target: Target) -> None:
    """Refuse more assists than there can be (PT-53, PT-A12)."""
    for who, count, field, fights in (
        (seat, action.attacker_assists, "attacker_assists", True),
        (other(seat), action.defender_assists, "defender_assists", target.unit is not None),
    ):
        most = targets.most_assists(state, who, action.kind, fights=fights)
        if count > most:
            text = say("{side} has fewer units on the map that could assist: {count}.", side=Text(who), count=most)
            raise Refusal(text, "PT-53", field)


def _tell(state: State, action: do.Assault, unit: Unit, target: Target, ask: Ask) -> None:
    """Tell what is declared, and what special abilities say that the players do themselves (PT-05, PT-34, PT-35)."""
    mixed = slot_of(action.skill) == "third" and state.card(unit).third == "magetech"
    clause = "PT-35" if mixed else "PT-34" if action.kind == "melee" else "PT-54"
    mark = target.key if target.unit else target.at or target.key
    ask.tell(
        say(
            "{unit} assaults {enemy}: {how}",
            unit=speech.unit(state, unit),
            enemy=target.name(state),
            how=declaring.way(action.kind, action.skill),
        ),
        clause,
        marks=((unit.id, "acting"), (mark, "target")),
    )
    for one in (unit, target.unit):
        for reminder in assault_offers.reminders(state, one) if one else ():
            ask.tell(reminder, "PT-05")
