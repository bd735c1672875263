"""The result of an action in a few words, large enough to be read across a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import actions as do
from companion.games.tactics_2gm import speech, victory
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.pieces import Unit
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State


def headline(before: State, after: State, seat: Seat, action: do.Action) -> Text:
    """Say what an action did."""
    if after.phase == "finished":
        return victory.said(after)
    if isinstance(action, do.Preparing):
        return _prepared(seat, action)
    if isinstance(action, do.Starting):
        return _started(before, after, seat, action)
    if isinstance(action, do.Turning):
        return _turned(before, after, seat, action)
    return _deed(before, after, seat, action)


def _prepared(seat: Seat, action: do.Preparing) -> Text:
    match action:
        case do.SetMarshal():
            return say("The field marshal is chosen")
        case do.LoadTerrain():
            return say("Another terrain deck lies ready")
        case do.LoadScenario():
            return say("Another scenario is played")
        case _:
            return say("{seat}: changes to the deck", seat=Text(seat))


def _started(before: State, after: State, seat: Seat, action: do.Starting) -> Text:
    match action:
        case do.PlaceTerrain():
            laid = after.grounds[-1]
            return say("{seat}: {what} on the battlefield", seat=Text(seat), what=speech.ground(after, laid))
        case do.TakeTerrain():
            return say("{seat}: terrain taken back", seat=Text(seat))
        case do.ClearTerrain():
            return say("{seat}: {what} is destroyed", seat=Text(seat), what=_named(before, action.ground))
        case do.SetNatural():
            return say("{what} on {square}", what=Text(action.feature), square=action.to)
        case do.LayTiles():
            return say("The tiles are shuffled and laid")
        case do.Mulligan():
            return say("{seat}: another first hand", seat=Text(seat))
        case _:
            return _ready(before, after, seat)


def _ready(before: State, after: State, seat: Seat) -> Text:
    if seat in before.ready and after.phase == "decks":
        return say("{seat}: not ready yet", seat=Text(seat))
    if before.phase == "decks" and after.phase != "decks":
        return say("First turn: {side}", side=Text(after.first))
    if after.begun:
        return say("The battle begins: {side}", side=Text(after.active))
    return say("{seat}: ready", seat=Text(seat))


def _turned(before: State, after: State, seat: Seat, action: do.Turning) -> Text:
    match action:
        case do.Income():
            gained = after.pool(after.active) - before.pool(after.active)
            return say(
                "{side}: +{count} AP, and {ap} in all",
                side=Text(after.active),
                count=gained,
                ap=after.pool(after.active),
            )
        case do.Cede():
            return say("{seat}: one AP for the general", seat=Text(seat))
        case do.Spend():
            return say("{seat}: −{count} AP, {why}", seat=Text(seat), count=action.amount, why=action.why)
        case do.Gain():
            return say(
                "{seat}: +{count} AP, {why}",
                seat=Text(seat),
                why=action.why,
                count=after.ap.get(seat, 0) - before.ap.get(seat, 0),
            )
        case do.ClaimGoal():
            reached = action.goal in after.goals
            return say("A goal is reached") if reached else say("The enemy does not agree: the goal is not reached")
        case do.Surrender():
            return say("{seat}: no surrender", seat=Text(seat))
        case _:
            return _phase(before, after, seat)


def _phase(before: State, after: State, seat: Seat) -> Text:
    if after.turn != before.turn:
        return say("Now it is the turn of the {side}", side=Text(after.active))
    if after.phase == before.phase:
        return say("{seat}: done with this phase", seat=Text(seat))
    return say("{side}: {phase} phase", side=Text(after.active), phase=Text(after.phase))


def _deed(before: State, after: State, seat: Seat, action: do.Moving | do.Deploying | do.Firing) -> Text:
    match action:
        case do.Deploy() | do.PlayCard() | do.Bomb():
            return _card(before, after, seat, action)
        case do.Fire() | do.Sortie() | do.Assault():
            return _struck(before, after, action.unit, action.target)
    who = after.find(action.unit) or before.find(action.unit)
    if who is None:
        return say("{seat} acts", seat=Text(seat))
    unit = speech.card(before, who) if before.find(action.unit) else speech.card(after, who)
    match action:
        case do.Move() if who.square is not None:
            return say("{unit} moves to {square}", unit=unit, square=who.square)
        case do.Move():
            return say("{unit} moves", unit=unit)
        case do.TakeBack():
            return say("{unit} goes back", unit=unit)
        case do.UseToken():
            return say("{unit} uses {token}", unit=unit, token=speech.called(action.slot))
        case do.SetUp():
            return say("{unit} sets up", unit=unit) if action.on else say("{unit} packs up", unit=unit)
        case do.NoteEffect():
            return say("{unit}: {effect}", unit=unit, effect=action.name)
        case do.EndEffect():
            return say("An effect on {unit} ends", unit=unit)
        case _:
            return say("{unit} stands in another place", unit=unit)


def _card(before: State, after: State, seat: Seat, action: do.Deploy | do.PlayCard | do.Bomb) -> Text:
    card = before.find_card(seat, action.card)
    name = speech.called(card.name) if card else say("a card")
    match action:
        case do.Deploy():
            if len(after.units) == len(before.units):
                return say("{card} does not reach the ground", card=name)
            return say("{seat}: {card} deployed", seat=Text(seat), card=name)
        case do.PlayCard():
            return say("{seat}: {card} played", seat=Text(seat), card=name)
        case do.Bomb():
            return _struck(before, after, None, action.target, name)


def _struck(before: State, after: State, shooter: str | None, target: str, name: Text | None = None) -> Text:
    """Say what became of a target, and who struck it."""
    one = before.find(shooter)
    who = name or (speech.card(before, one) if one else say("somebody"))
    what = _named(before, target)
    if (found := before.find(target)) is not None:
        return say("{who} at {what}: {result}", who=who, what=what, result=_unit_result(found, after.find(target)))
    if (hq := before.hq(target)) is not None:
        left = next(one.pi for one in after.headquarters if one.id == target)
        return (
            say("{who} at {what}: {left} PI left", who=who, what=what, left=left)
            if left != hq.pi
            else say("{who} at {what}: no effect", who=who, what=what)
        )
    old = before.ground(target)
    new = after.ground(target)
    if old is None or new is None or new == old:
        return say("{who} at {what}: no effect", who=who, what=what)
    if new.ruin:
        return say("{who} at {what}: a ruin", who=who, what=what)
    return say("{who} at {what}: {left} PI left", who=who, what=what, left=new.pi)


def _unit_result(before: Unit, after: Unit | None) -> Text:
    if after is None:
        return say("destroyed")
    wounds = after.wounds - before.wounds
    return say("{count} wound|{count} wounds", count=wounds) if wounds > 0 else say("no effect")


def _named(state: State, target: str) -> Text:
    if (unit := state.find(target)) is not None:
        return speech.unit(state, unit)
    if (hq := state.hq(target)) is not None:
        return speech.hq(state, hq)
    ground = state.ground(target)
    return say("nobody") if ground is None else speech.ground(state, ground)
