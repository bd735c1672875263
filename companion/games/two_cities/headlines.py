"""The result of an action in a few words, large enough to be read across a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities import actions as do
from companion.games.two_cities import attack, setup, speech
from companion.games.two_cities.deck import card_face, card_name, rule_of
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.state import State
    from companion.games.two_cities.units import Side


def headline(before: State, after: State, side: Side, action: do.Action) -> Text:
    """Say what an action did."""
    match action:
        case do.Place() | do.PlaceTerrain() | do.DrawTerrain() | do.Ready():
            return _set_up(after, side, action)
        case do.PlayCard() if len(after.units) > len(before.units):
            return _bought(before, after, side)
        case do.PlayCard():
            return say("{side} plays {card}", side=Text(side), card=card_name(action.card))
        case do.ThrowAway():
            thrown = say("{side} throws away {card}", side=Text(side), card=card_face(action.card))
            if after.dealt:
                return thrown
            return say("{one}; {two}", one=thrown, two=_next_turn(before, after, side, action.card))
        case do.EndTurn():
            return _next_turn(before, after, side, before.card)
        case do.Surrender():
            return say("{side} surrenders", side=Text(side))
        case _:
            return _units(before, after, action)


def _next_turn(before: State, after: State, side: Side, code: str | None) -> Text:
    """Say where a special card goes and whose turn begins; with a real deck all that is done by hand (TTC-67 to 69)."""
    if code is None or rule_of(code).card_class == "sector":
        return _drawn(before, after, side, code)
    goes = (
        say("{card} leaves the game for good", card=card_face(code))
        if code in after.removed
        else say("{card} goes to the discard pile", card=card_face(code))
    )
    both = "{one}. {two}" if after.dealt else "{one}; {two}"
    return say(both, one=goes, two=_drawn(before, after, side, code))


def _drawn(before: State, after: State, side: Side, code: str | None) -> Text:
    begins, drawing = Text(after.active), Text(side)
    kept = len(before.hands.get(side, ())) - (code != before.card)
    if after.dealt or len(after.hands.get(side, ())) <= kept:
        return say("{side}'s turn begins", side=begins)
    if not before.draw_pile:
        return say("shuffle the discards; {who} draws a card; {side}'s turn begins", who=drawing, side=begins)
    return say("{who} draws a card; {side}'s turn begins", who=drawing, side=begins)


def _bought(before: State, after: State, side: Side) -> Text:
    """Say where the unit bought goes, and which one it costs (TTC-59, TTC-63): both are done by hand on the board."""
    new = after.units[-1]
    comes = (
        say("new {unit} unit on {square}", unit=Text(new.kind), square=new.square)
        if new.square
        else say("put a new {unit} unit on a free square beside the city", unit=Text(new.kind))
    )
    left = {unit.id for unit in after.in_play(side)}
    gone = next((unit for unit in before.in_play(side) if unit.id not in left), None)
    if gone is None:
        return say("{side}: {what}", side=Text(side), what=comes)
    return say("{side}: take {unit} off the board; {what}", side=Text(side), unit=speech.name(before, gone), what=comes)


def _set_up(after: State, side: Side, action: do.Place | do.PlaceTerrain | do.DrawTerrain | do.Ready) -> Text:
    match action:
        case do.Ready():
            if after.phase == "set_up":
                return say("{side} is ready", side=Text(side))
            return say("White begins") if after.dealt else say("Shuffle and deal three cards each; White begins")
        case do.Place():
            return say("{unit}: placed on {square}", unit=speech.kind_name(after.unit(action.unit)), square=action.to)
        case do.PlaceTerrain():
            return say("{terrain} on {square}", terrain=Text(f"the_{action.kind}"), square=action.to)
        case do.DrawTerrain():
            return say("The terrain is drawn again") if after.mirrored else setup.terrain_squares(after)


def _units(before: State, after: State, action: do.Attack | do.Move | do.Stand | do.Activate) -> Text:
    match action:
        case do.Attack():
            return attack.headline(after, before)
        case do.Move():
            unit = after.unit(action.unit)
            return say("{unit}: moves to {square}", unit=speech.kind_name(unit), square=unit.square or "?")
        case do.Stand():
            return say("{unit}: stays where it is", unit=speech.name(before, before.unit(action.unit)))
        case do.Activate():
            return say("{count} unit activated|{count} units activated", count=len(action.units))
