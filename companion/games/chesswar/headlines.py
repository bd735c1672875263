"""The result of an action in a few words, large enough to be read across a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import actions as do
from companion.games.chesswar import speech
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State, Unit


def headline(before: State, after: State, side: Side, action: do.Action) -> Text:
    """Say what an action did."""
    match action:
        case do.ChooseArmy():
            return say("{side} leads {army}", side=Text(side), army=Text(f"the_{action.army}"))
        case do.RaiseArmy():
            return say("{side} raises an army", side=Text(side))
        case do.Deploy():
            return say("{side} arranges the army", side=Text(side))
        case do.PlaceTerrain():
            return say("{terrain} on {square}", terrain=Text(action.kind), square=action.to)
        case do.Ready():
            return _ready(before, after, side)
        case do.EndPhase():
            return _ended(before, after, side)
        case do.Answering():
            return say("{side} says how to be asked for instant spells", side=Text(side))
        case do.HealEnemy():
            return speech.healing_ahead(after, after.unit(action.unit))
        case do.Cover():
            return say("{side} says who is protected", side=Text(side))
        case do.Surrender():
            return say("{side} surrenders", side=Text(side))
        case _:
            return _deed(before, after, action)


def _ready(before: State, after: State, side: Side) -> Text:
    if after.acting and before.phase != after.phase:
        first = speech.sides(after.ready or after.acting)
        if after.phase == "redeploying":
            return say("The armies are seen: the first turn is for {side}", side=first)
        return say("Now it is {side}'s turn", side=first)
    return say("{side} is ready", side=Text(side))


def _ended(before: State, after: State, side: Side) -> Text:
    ended = say("{side} has ended the {phase} phase", side=Text(side), phase=Text(before.phase))
    if after.winner:
        return _cost(before, after, ended)
    if after.phase == before.phase and after.active == before.active:
        return ended
    if after.active != before.active or after.round != before.round:
        return say("Now it is {side}'s turn", side=speech.sides(after.acting))
    return say("Shooting phase") if after.phase == "shooting" else say("Combat phase")


def _deed(
    before: State,
    after: State,
    action: do.Move | do.TakeBack | do.Charge | do.Shoot | do.Bombard | do.Attack | do.Cast,
) -> Text:
    unit = before.unit(action.unit)
    who = speech.name(before, unit)
    match action:
        case do.Move() | do.TakeBack():
            now = after.find(unit.id)
            if now is None or now.square is None:
                return say("{unit} moved", unit=who)
            return say("{unit} moved to {square}", unit=who, square=now.square)
        case do.Charge():
            return _charged(before, after, action, unit)
        case do.Cast():
            return _cost(before, after, _cast(before, after, action, who))
        case do.Attack():
            foe = speech.name(before, before.unit(action.target))
            return _cost(before, after, say("{unit} attacked {enemy}: the melee goes on", unit=who, enemy=foe))
        case do.Shoot() | do.Bombard():
            return _cost(before, after, say("{unit} shot: nobody fell", unit=who))


def _charged(before: State, after: State, action: do.Charge, unit: Unit) -> Text:
    foe = speech.name(before, before.unit(action.target))
    now = after.find(unit.id)
    if now is not None and action.target in now.engaged_with:
        return say("{unit} charged {enemy}", unit=speech.name(before, unit), enemy=foe)
    return say("{unit} did not dare to charge {enemy}", unit=speech.name(before, unit), enemy=foe)


def _cast(before: State, after: State, action: do.Cast, who: Text) -> Text:
    """Say that a spell was cast, and whether anything came of it."""
    spell = Text(action.spell)
    match action.spell:
        case "zap" | "strike":
            return say("{unit} cast {spell}: nobody fell", unit=who, spell=spell)
        case "flight":
            target = action.target or action.unit
            works = not before.unit(target).flying and after.unit(target).flying
        case _:
            works = before.effects != after.effects
    if works:
        return say("{unit} cast {spell}", unit=who, spell=spell)
    return say("{unit} cast {spell}: it was dispersed", unit=who, spell=spell)


def _cost(before: State, after: State, otherwise: Text) -> Text:
    """Say who was destroyed, knocked over or raised; otherwise what is said."""
    known = {unit.id: unit for unit in after.units}
    gone = [unit for unit in before.units if unit.on_board and not known[unit.id].on_board]
    down = [unit for unit in before.units if unit.stands and known[unit.id].on_board and known[unit.id].down]
    parts = []
    if gone:
        parts.append(say("Destroyed: {units}", units=speech.listed(tuple(speech.name(before, unit) for unit in gone))))
    if down:
        parts.append(
            say("Knocked over: {units}", units=speech.listed(tuple(speech.name(before, unit) for unit in down)))
        )
    new = after.units[len(before.units) :]
    if new:
        parts.append(say("Raised: {units}", units=speech.listed(tuple(speech.name(after, unit) for unit in new))))
    if not parts:
        return otherwise
    found = parts[0]
    for part in parts[1:]:
        found = say("{one}. {two}", one=found, two=part)
    return found
