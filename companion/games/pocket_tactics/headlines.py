"""The result of an action in a few words, large enough to be read across a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import actions as do
from companion.games.pocket_tactics import speech
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.pieces import Unit, Where
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State


def headline(before: State, after: State, seat: Seat, action: do.Action) -> Text:
    """Say what an action did."""
    side = Text(seat)
    match action:
        case do.Ready() if after.phase != "factions":
            return say("{side} is the first player", side=Text(after.first))
        case do.Ready():
            return say("{side}: ready", side=side) if action.on else say("{side}: not ready yet", side=side)
        case do.UseBag() | do.LoadBag() | do.SetTile():
            return say("{side}: changes to the bag", side=side)
        case do.PlaceTile():
            return say("{side} places {place}", side=side, place=speech.place(after, action.at))
        case do.PlaceBase():
            return say("{side} places the base at {place}", side=side, place=action.at)
        case do.Pass():
            return say("{side} passes", side=side)
        case do.SetOut() | do.TakeBack() | do.Move() | do.Deploy() | do.Assault():
            return _deed(before, after, action, before.unit(action.unit))
        case _:
            return say("{side}: changes to the faction", side=side)


Deed = do.Setting | do.Move | do.Deploy | do.Assault


def _deed(before: State, after: State, action: Deed, unit: Unit) -> Text:
    name = speech.unit(before, unit)
    now = after.unit(unit.id)
    match action:
        case do.Assault():
            return _assault(before, after, action, unit)
        case do.TakeBack():
            return say("{unit} is taken back", unit=name)
        case _ if now.where == "captured":
            return say("{unit} is lost: captured", unit=name)
        case do.Move() if now.where == "reserve":
            return say("{unit} is back in reserve", unit=name)
        case do.Move() if (now.at, now.terrain) == (unit.at, unit.terrain):
            return say("{unit} stays where it is", unit=name)
        case _:
            return say("{unit} → {place}", unit=name, place=speech.place(after, now.at or now.terrain or ""))


def _assault(before: State, after: State, action: do.Assault, unit: Unit) -> Text:
    name = speech.unit(before, unit)
    target = before.find(action.target)
    ended = after.unit(unit.id).where
    if after.last.cancelled:
        return _cancelled(name, ended)
    if target is None:
        return say("{unit}: the base holds", unit=name)
    foe = speech.unit(before, target)
    won, lost = after.unit(target.id).where == "captured", ended == "captured"
    if won and lost:
        return say("{unit} and {foe}: both captured", unit=name, foe=foe)
    if won:
        return say("{unit} captures {foe}", unit=name, foe=foe)
    if lost:
        return say("{unit} is captured", unit=name)
    return say("{unit} against {foe}: neither is captured", unit=name, foe=foe)


def _cancelled(name: Text, ended: Where) -> Text:
    """Say what became of an attacker whom the ground kept from its assault."""
    if ended == "captured":
        return say("{unit} is lost: captured", unit=name)
    if ended == "reserve":
        return say("{unit} is back in reserve", unit=name)
    return say("{unit} does not get to assault", unit=name)
