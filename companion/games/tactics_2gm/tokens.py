"""Equipment tokens and noted effects: using them, setting heavy weapons up, and what they add to numbers.

G2-69, G2-70, G2-106, G2-121 and G2-164 to G2-166.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.tactics_2gm import actions as do
from companion.games.tactics_2gm import speech, turn
from companion.games.tactics_2gm.pieces import Mark
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.pieces import Token, Unit
    from companion.games.tactics_2gm.shooting import Added
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask

MOST_EFFECTS = 8
"""Effects that can be noted on one unit: more could not be told apart on a phone."""


def aim(state: State, unit: Unit) -> tuple[Added, ...]:
    """List what cards and noted effects add to a unit's own numbers (G2-62, G2-106)."""
    cards = ((speech.called(card.name), "G2-106", card.aim) for card in state.attached(unit))
    marks = ((speech.called(mark.name), "G2-106", mark.aim) for mark in unit.marks)
    return tuple(one for one in (*cards, *marks) if one[2] != (0, 0))


def cover(state: State, unit: Unit) -> tuple[Added, ...]:
    """List what equipment, cards and noted effects add to the numbers of those who shoot at a unit (G2-106)."""
    tokens = (
        (speech.called(token.slot), "G2-106", one.cover)
        for token, one in state.equipment(unit)
        if token.works or not one.flips
    )
    cards = ((speech.called(card.name), "G2-106", card.cover) for card in state.attached(unit))
    marks = ((speech.called(mark.name), "G2-106", mark.cover) for mark in unit.marks)
    return tuple(one for one in (*tokens, *cards, *marks) if one[2] != (0, 0))


def armour(state: State, unit: Unit) -> int:
    """Return a unit's armour with its cards and noted effects, without the building it stands in (G2-64)."""
    cards = sum(card.armour for card in state.attached(unit))
    return max(0, state.card(unit).armour + cards + sum(mark.armour for mark in unit.marks))


def movement(state: State, unit: Unit) -> int:
    """Return how many squares a unit moves, its cards counted (G2-58)."""
    return state.card(unit).movement + sum(card.movement for card in state.attached(unit))


def pinned(state: State, unit: Unit) -> bool:
    """Tell whether a unit has set up a weapon that keeps it from moving (G2-121, G2-A29)."""
    return unit.set_up and heavy(state, unit)


def heavy(state: State, unit: Unit) -> bool:
    """Tell whether a unit is infantry with a heavy weapon, which is set up to be used (G2-121, G2-A29)."""
    return state.card(unit).family == "infantry" and any(one.pins for _, one in state.equipment(unit))


def rule(state: State, seat: Seat, action: do.UseToken | do.SetUp | do.NoteEffect | do.EndEffect, ask: Ask) -> State:
    """Rule on a token or an effect; raise Refusal."""
    turn.check_begun(state)
    match action:
        case do.UseToken():
            return _use(state, seat, action, ask)
        case do.SetUp():
            return _set_up(state, seat, action, ask)
        case do.NoteEffect():
            return _note(state, seat, action, ask)
        case do.EndEffect():
            return _end(state, action, ask)


def use_barred(state: State, unit: Unit, token: Token) -> Reason | None:
    """Say why a token can not be used by itself now; None when it can (G2-69, G2-70, G2-165)."""
    found = next((one for held, one in state.equipment(unit) if held == token), None)
    if found is None or found.weapon is not None:
        return Reason(say("That is a weapon: it is fired."), "G2-69")
    if not found.flips:
        return Reason(say("It needs no use: it always counts."), "G2-165")
    if token.used is not None:
        return Reason(say("It is on its grey side: it can not be used now."), "G2-70")
    return None


def _use(state: State, seat: Seat, action: do.UseToken, ask: Ask) -> State:
    """Turn a token over to its grey side: it does what it is for until the own next start phase (G2-69, G2-166)."""
    unit = turn.check_own(state, seat, action.unit)
    token = unit.token(action.slot)
    if token is None:
        raise Refusal(say("It has no such token."), "G2-67", "slot")
    why = use_barred(state, unit, token)
    if why is not None:
        raise Refusal(why.text, why.clause, "slot")
    ask.tell(
        say(
            "{unit} uses {equipment}: it turns grey", unit=speech.unit(state, unit), equipment=speech.called(token.slot)
        ),
        "G2-69",
        marks=((unit.id, "acting"),),
    )
    text = next((one.text for held, one in state.equipment(unit) if held == token), "")
    if text:
        ask.tell(speech.does(text), "G2-165")
    used = replace(token, used=state.turn, works=True)
    return state.with_unit(unit.id, tokens=tuple(used if one == token else one for one in unit.tokens))


def _set_up(state: State, seat: Seat, action: do.SetUp, ask: Ask) -> State:
    """Set a heavy weapon of infantry up, or pack it up (G2-121, G2-A29)."""
    turn.check_acting(state, seat)
    unit = turn.check_own(state, seat, action.unit)
    if not heavy(state, unit):
        raise Refusal(say("It has no heavy weapon to set up."), "G2-121", "unit")
    if unit.set_up == action.on:
        raise Refusal(say("It is like that already."), "G2-121", "on")
    said = say(
        "{unit} sets its heavy weapon up: it can not move" if action.on else "{unit} packs its heavy weapon up",
        unit=speech.unit(state, unit),
    )
    ask.tell(said, "G2-121", marks=((unit.id, "acting"),))
    return state.with_unit(unit.id, set_up=action.on)


def _note(state: State, seat: Seat, action: do.NoteEffect, ask: Ask) -> State:
    """Note on any unit what a card or a capability does to it (G2-106, G2-164 to G2-166)."""
    unit = state.unit(action.unit)
    if len(unit.marks) >= MOST_EFFECTS:
        raise Refusal(say("No more than {most} effects are noted on a unit.", most=MOST_EFFECTS), "G2-164", "unit")
    name = " ".join(action.name.split())
    if not name:
        raise Refusal(say("An effect needs a name."), "G2-164", "name")
    mark = Mark(
        name,
        seat,
        (action.aim_hit, action.aim_crit),
        (action.cover_hit, action.cover_crit),
        action.armour,
        action.lasting,
    )
    said = say(
        "{unit}: {effect}, for the rest of the battle" if action.lasting else "{unit}: {effect}, for one turn",
        unit=speech.unit(state, unit),
        effect=speech.called(name),
    )
    ask.tell(said, "G2-164", marks=((unit.id, "target"),))
    return state.with_unit(unit.id, marks=(*unit.marks, mark))


def _end(state: State, action: do.EndEffect, ask: Ask) -> State:
    """End an effect that was noted by hand."""
    unit = state.unit(action.unit)
    if action.effect >= len(unit.marks):
        raise Refusal(say("There is no such effect on it."), "G2-164", "effect")
    mark = unit.marks[action.effect]
    ask.tell(say("{unit}: {card} is over", unit=speech.unit(state, unit), card=speech.called(mark.name)), "G2-164")
    left = tuple(one for at, one in enumerate(unit.marks) if at != action.effect)
    return state.with_unit(unit.id, marks=left)


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat its tokens, its heavy weapons, and effects to note on any unit."""
    found: list[Offer] = []
    acting = seat in state.acting and seat not in state.done
    for unit in state.units:
        if unit.seat == seat:
            found += _own(state, unit, acting=acting)
        found += _endings(state, unit)
    room = tuple(
        Option(unit.id, speech.unit(state, unit), place=unit.square)
        for unit in state.units
        if len(unit.marks) < MOST_EFFECTS
    )
    return [*found, _noting(room)] if room else found


def _endings(state: State, unit: Unit) -> list[Offer]:
    """Offer to end each effect that was noted; those of one name are numbered in the order they came."""
    found = []
    names = [mark.name for mark in unit.marks]
    for at, name in enumerate(names):
        who, effect = speech.unit(state, unit), speech.called(name)
        label = say("{unit}: {effect} is over", unit=who, effect=effect)
        if names.count(name) > 1:
            nth = names[: at + 1].count(name)
            label = say("{unit}: {effect} ({nth}) is over", unit=who, effect=effect, nth=nth)
        given = {"unit": unit.id, "effect": at}
        found.append(Offer("end_effect", label, given, on=unit.id, clause="G2-164", aside=True))
    return found


def _own(state: State, unit: Unit, *, acting: bool) -> list[Offer]:
    given, who = {"unit": unit.id}, speech.unit(state, unit)
    found = [
        Offer(
            "use_token",
            say("Use {equipment}: {unit}", equipment=speech.called(token.slot), unit=who),
            {**given, "slot": token.slot},
            on=unit.id,
            clause="G2-69",
        )
        for token, _ in state.equipment(unit)
        if use_barred(state, unit, token) is None
    ]
    if acting and heavy(state, unit):
        label = say("Pack the heavy weapon up: {unit}" if unit.set_up else "Set the heavy weapon up: {unit}", unit=who)
        found.append(Offer("set_up", label, {**given, "on": not unit.set_up}, on=unit.id, clause="G2-121"))
    return found


def _noting(room: tuple[Option, ...]) -> Offer:
    """Offer to note an effect: what it adds to a unit's own numbers, and to those of who shoots at it."""
    numbers = {
        "aim_hit": say("Added to its own hit number"),
        "aim_crit": say("Added to its own critical number"),
        "cover_hit": say("Added to the hit number against it"),
        "cover_crit": say("Added to the critical number against it"),
        "armour": say("Added to its armour"),
    }
    fields = (
        Field("unit", say("On which unit"), "choice", room),
        Field("name", say("What it is called"), "text", high=40),
        *(Field(name, label, "number", value=0, low=-9, high=9) for name, label in numbers.items()),
        Field("lasting", say("For the rest of the battle"), "yes_no", value=False),
    )
    return Offer("note_effect", say("Note an effect"), fields=fields, clause="G2-164", loose=True, aside=True)
