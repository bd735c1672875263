"""Equipment tokens and effects: what they add to numbers, using and noting them, and when they end.

G2-69 to G2-71, G2-78, G2-97, G2-106, G2-119 to G2-121 and G2-164 to G2-166.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from msgspec import Meta, field
from msgspec.structs import replace

from companion.games.tactics_2gm import players, speech
from companion.games.tactics_2gm.cards import Modifier, Slot, SupportCard
from companion.games.tactics_2gm.options import Seat, Side, side_of
from companion.games.tactics_2gm.players import Id, Number
from companion.games.tactics_2gm.shooting import Added
from companion.games.tactics_2gm.speech import called, does
from companion.games.tactics_2gm.state import Mark, State, Token, Unit
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.decks.entries import Shift, but
from companion.kit.forms import filled
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

tokens = Chapter[State, Seat]()
MOST_EFFECTS = 8
"""Effects that can be noted on one unit: more could not be told apart on a phone."""


def upon(state: State, unit: Unit) -> tuple[SupportCard | Mark, ...]:
    """List the cards and the noted effects that lie on a unit."""
    return (*state.attached(unit), *unit.marks)


def aim(state: State, unit: Unit) -> tuple[Added, ...]:
    """List what cards and noted effects add to a unit's own numbers (G2-62, G2-106)."""
    return _added((lying.name, lying.aim) for lying in upon(state, unit))


def cover(state: State, unit: Unit) -> tuple[Added, ...]:
    """List what equipment, cards and noted effects add to the numbers of those who shoot at a unit (G2-106)."""
    equipment = (
        (token.slot, equipped.cover) for token, equipped in state.equipment(unit) if token.works or not equipped.flips
    )
    return _added((*equipment, *((lying.name, lying.cover) for lying in upon(state, unit))))


def _added(named: Iterable[tuple[str, Modifier]]) -> tuple[Added, ...]:
    return tuple((called(name), "G2-106", modifier) for name, modifier in named if modifier != (0, 0))


def armour(state: State, unit: Unit) -> int:
    """Return a unit's armour with its cards and noted effects, without the building it stands in (G2-64)."""
    return max(0, state.card(unit).armour + sum(lying.armour for lying in upon(state, unit)))


def movement(state: State, unit: Unit) -> int:
    """Return how many squares a unit moves, its cards counted (G2-58)."""
    return state.card(unit).movement + sum(card.movement for card in state.attached(unit))


def pinned(state: State, unit: Unit) -> bool:
    """Tell whether a unit has set up a weapon that keeps it from moving (G2-121, G2-A29)."""
    return unit.set_up and heavy(state, unit)


def heavy(state: State, unit: Unit) -> bool:
    """Tell whether a unit is infantry with a heavy weapon, which is set up to be used (G2-121, G2-A29)."""
    return state.card(unit).family == "infantry" and any(equipped.pins for _, equipped in state.equipment(unit))


class UseToken(Action, frozen=True, tag="use_token"):
    """Use a token that fires nothing and flips, such as a smoke grenade (G2-69, G2-165)."""

    unit: Id
    slot: Slot


class SetUp(Action, frozen=True, tag="set_up"):
    """Set a heavy weapon of infantry up, or pack it up (G2-121, G2-A29)."""

    unit: Id
    up: bool = field(name="on")


class NoteEffect(Action, frozen=True, tag="note_effect"):
    """Note on a unit what a card or a capability does to it, as its text says (G2-106, G2-164)."""

    unit: Id
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    aim_hit: Annotated[Shift, Meta(title="Added to its own hit number")] = 0
    aim_crit: Annotated[Shift, Meta(title="Added to its own critical number")] = 0
    cover_hit: Annotated[Shift, Meta(title="Added to the hit number against it")] = 0
    cover_crit: Annotated[Shift, Meta(title="Added to the critical number against it")] = 0
    armour: Annotated[Shift, Meta(title="Added to its armour")] = 0
    lasting: Annotated[bool, Meta(title="For the rest of the battle")] = False


class EndEffect(Action, frozen=True, tag="end_effect"):
    """End an effect that was noted by hand; ``effect`` is its place on the unit."""

    unit: Id
    effect: Number


def _who(before: State, action: UseToken | SetUp | NoteEffect | EndEffect) -> Text:
    return speech.card(before, before.unit(action.unit))


@tokens.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer a seat its tokens, its heavy weapons, and effects to note on any unit."""
    if not state.begun:
        return
    for unit in state.units:
        if unit.seat == seat:
            yield from _own(state, unit, acting=players.acts(state, seat))
        yield from _endings(state, unit)
    room = tuple(
        Option(unit.id, speech.unit(state, unit), place=unit.square)
        for unit in state.units
        if len(unit.marks) < MOST_EFFECTS
    )
    if room:
        on = Field("unit", say("On which unit"), "choice", room)
        name = Field("name", say("What it is called"), "text", high=40)
        fields = filled(NoteEffect(unit="", name=""), unit=on, name=name)
        yield NoteEffect.offer(say("Note an effect"), *fields, clause="G2-164", loose=True, aside=True)


def _own(state: State, unit: Unit, *, acting: bool) -> Iterator[Offer]:
    who = speech.unit(state, unit)
    for token, _ in state.equipment(unit):
        if use_barred(state, unit, token) is None:
            label = say("Use {equipment}: {unit}", equipment=called(token.slot), unit=who)
            yield UseToken.offer(label, on=unit.id, unit=unit.id, slot=token.slot, clause="G2-69")
    if acting and heavy(state, unit):
        label = say("Pack the heavy weapon up: {unit}" if unit.set_up else "Set the heavy weapon up: {unit}", unit=who)
        yield SetUp.offer(label, on=unit.id, unit=unit.id, up=not unit.set_up, clause="G2-121")


def _endings(state: State, unit: Unit) -> Iterator[Offer]:
    """Offer to end each effect that was noted; those of one name are numbered in the order they came."""
    names = [mark.name for mark in unit.marks]
    for at, name in enumerate(names):
        who, effect = speech.unit(state, unit), called(name)
        label = say("{unit}: {effect} is over", unit=who, effect=effect)
        if names.count(name) > 1:
            nth = names[: at + 1].count(name)
            label = say("{unit}: {effect} ({nth}) is over", unit=who, effect=effect, nth=nth)
        yield EndEffect.offer(label, on=unit.id, unit=unit.id, effect=at, clause="G2-164", aside=True)


def use_barred(state: State, unit: Unit, token: Token) -> Reason | None:
    """Say why a token can not be used by itself now; None when it can (G2-69, G2-70, G2-165)."""
    equipment = dict(state.equipment(unit)).get(token)
    if equipment is None or equipment.weapon is not None:
        return Reason(say("That is a weapon: it is fired."), "G2-69")
    if not equipment.flips:
        return Reason(say("It needs no use: it always counts."), "G2-165")
    if token.used is not None:
        return Reason(say("It is on its grey side: it cannot be used now."), "G2-70")
    return None


@tokens.rule(
    UseToken,
    says=lambda state, _, action: say("{unit} uses {token}", unit=_who(state, action), token=called(action.slot)),
)
def use_token(state: State, seat: Seat, action: UseToken, ask: Ask) -> State:
    """Turn a token over to its grey side: it does what it is for until the own next start phase (G2-69, G2-166)."""
    players.check_begun(state)
    unit = players.check_own(state, seat, action.unit)
    token = unit.token(action.slot)
    if token is None:
        raise Refusal(say("It has no such token."), "G2-67", "slot")
    refuse(use_barred(state, unit, token), "slot")
    who, what = speech.unit(state, unit), called(token.slot)
    said = say("{unit} uses {equipment}: it turns grey", unit=who, equipment=what)
    ask.tell(said, "G2-69", marks=((unit.id, "acting"),))
    if text := dict(state.equipment(unit))[token].text:
        ask.tell(does(text), "G2-165")
    used = replace(token, used=state.turn, works=True)
    return state.with_unit(unit.id, tokens=tuple(used if each == token else each for each in unit.tokens))


@tokens.rule(
    SetUp,
    says=lambda state, _, action: say("{unit} sets up" if action.up else "{unit} packs up", unit=_who(state, action)),
)
def set_up(state: State, seat: Seat, action: SetUp, ask: Ask) -> State:
    """Set a heavy weapon of infantry up, or pack it up (G2-121, G2-A29)."""
    players.check_acting(state, seat)
    unit = players.check_own(state, seat, action.unit)
    if not heavy(state, unit):
        raise Refusal(say("It has no heavy weapon to set up."), "G2-121", "unit")
    if unit.set_up == action.up:
        raise Refusal(say("It is like that already."), "G2-121", "on")
    said = "{unit} sets its heavy weapon up: it cannot move" if action.up else "{unit} packs its heavy weapon up"
    ask.tell(say(said, unit=speech.unit(state, unit)), "G2-121", marks=((unit.id, "acting"),))
    return state.with_unit(unit.id, set_up=action.up)


@tokens.rule(
    NoteEffect, says=lambda state, _, action: say("{unit}: {effect}", unit=_who(state, action), effect=action.name)
)
def note_effect(state: State, seat: Seat, action: NoteEffect, ask: Ask) -> State:
    """Note on any unit what a card or a capability does to it (G2-106, G2-164 to G2-166)."""
    players.check_begun(state)
    unit = state.unit(action.unit)
    if len(unit.marks) >= MOST_EFFECTS:
        raise Refusal(say("No more than {most} effects are noted on a unit.", most=MOST_EFFECTS), "G2-164", "unit")
    name = " ".join(action.name.split())
    if not name:
        raise Refusal(say("An effect needs a name."), "G2-164", "name")
    aim, cover = (action.aim_hit, action.aim_crit), (action.cover_hit, action.cover_crit)
    sentence = "{unit}: {effect}, for the rest of the battle" if action.lasting else "{unit}: {effect}, for one turn"
    said = say(sentence, unit=speech.unit(state, unit), effect=called(name))
    ask.tell(said, "G2-164", marks=((unit.id, "target"),))
    return state.with_unit(unit.id, marks=(*unit.marks, Mark(name, seat, aim, cover, action.armour, action.lasting)))


@tokens.rule(EndEffect, says=lambda state, _, action: say("An effect on {unit} ends", unit=_who(state, action)))
def end_effect(state: State, _seat: Seat, action: EndEffect, ask: Ask) -> State:
    """End an effect that was noted by hand."""
    players.check_begun(state)
    unit = state.unit(action.unit)
    if action.effect >= len(unit.marks):
        raise Refusal(say("There is no such effect on it."), "G2-164", "effect")
    mark = unit.marks[action.effect]
    ask.tell(say("{unit}: {card} is over", unit=speech.unit(state, unit), card=called(mark.name)), "G2-164")
    return state.with_unit(unit.id, marks=but(unit.marks, action.effect))


def end_effects(state: State, ask: Ask) -> State:
    """End what the players of the active side did for one turn, and let every weapon fire again (G2-78, G2-97)."""
    side = state.active
    for unit in state.units:
        state = _end_cards(state, unit, side, ask)
        _tell_ends(state, unit, side, ask)
    return state.but(units=tuple(_rested(unit, side) for unit in state.units))


def _end_cards(state: State, unit: Unit, side: Side, ask: Ask) -> State:
    """Remove the cards of one turn that a side played from a unit to their owners' discard piles (G2-21, G2-A38)."""
    for laid in unit.cards:
        card = state.find_card(laid.seat, laid.code)
        if not isinstance(card, SupportCard) or card.duration != "one_turn" or side_of(laid.seat) != side:
            continue
        ask.tell(say("{unit}: {card} is over", unit=speech.unit(state, unit), card=called(card.name)), "G2-21")
        state = state.with_unit(unit.id, cards=tuple(other for other in state.unit(unit.id).cards if other != laid))
        state = players.bury(state, laid.seat, laid.code)
    return state


def _tell_ends(state: State, unit: Unit, side: Side, ask: Ask) -> None:
    who = speech.unit(state, unit)
    over = [mark.name for mark in unit.marks if side_of(mark.by) == side and not mark.lasting]
    over += [token.slot for token in unit.tokens if token.works and unit.side == side]
    for name in over:
        ask.tell(say("{unit}: {card} is over", unit=who, card=called(name)), "G2-78")
    if unit.suppressed == side:
        ask.tell(say("{unit} is no longer under suppressive fire", unit=who), "G2-115")


def flip(state: State, ask: Ask) -> State:
    """Turn the grey tokens of the active side back, but for those flipped in this turn (G2-119, G2-120, G2-A28)."""
    for unit in state.of(state.active):
        for token in unit.tokens:
            if token.used is None:
                continue
            names = {"unit": speech.unit(state, unit), "token": _name(state, unit, token)}
            if token.used == state.turn:
                ask.tell(say("{unit}: {token} stays grey", **names), "G2-120")
            else:
                ask.tell(say("{unit}: {token} turns back", **names), "G2-119")
        tokens = tuple(token if token.used == state.turn else replace(token, used=None) for token in unit.tokens)
        state = state.with_unit(unit.id, tokens=tokens)
    return state


def _name(state: State, unit: Unit, token: Token) -> Text:
    """Name a grey token; that of a weapon printed on the card itself by the weapon (G2-71)."""
    printed = state.weapons(unit).get(token.slot)
    bought = any(bought_token.slot == token.slot for bought_token, _ in state.equipment(unit))
    return called(token.slot if bought or printed is None else printed.name)


def _rested(unit: Unit, side: Side) -> Unit:
    """Return a unit as a turn of that side finds it: the enemy's anti-aircraft may fire again too (G2-A31)."""
    marks = tuple(mark for mark in unit.marks if mark.lasting or side_of(mark.by) != side)
    unit = replace(
        unit, fired=(), shot_by=(), marks=marks, suppressed=None if unit.suppressed == side else unit.suppressed
    )
    if unit.side != side:
        return unit
    tokens = tuple(replace(token, works=False) for token in unit.tokens)
    return replace(unit, moved=False, came_from=None, assaulted=False, tokens=tokens)
