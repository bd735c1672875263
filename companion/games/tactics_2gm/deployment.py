"""Deployment: units from the hand with their equipment, and what else is done in this phase (G2-89 to G2-96)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import actions as do
from companion.games.tactics_2gm import air, hands, paths, points, speech, support, tokens, turn
from companion.games.tactics_2gm.cards import UnitCard
from companion.games.tactics_2gm.pieces import Last, Token, Unit
from companion.games.tactics_2gm.sides import grid, in_line, side_of
from companion.kit import decks
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.cards import Equipment
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask


def rule(state: State, seat: Seat, action: do.Deploying, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    match action:
        case do.Deploy():
            return _deploy(state, seat, action, ask)
        case do.PlayCard():
            return support.play(state, seat, action, ask)
        case _:
            return tokens.rule(state, seat, action, ask)


def chosen(card: UnitCard, slots: tuple[str, ...]) -> tuple[Equipment, ...]:
    """Return the equipment of those slots; refuse what the card does not offer or allow (G2-67, G2-92 to G2-94)."""
    options = {option.slot_id: option for option in card.option}
    for slot in slots:
        if slot not in options:
            raise Refusal(
                say("{unit} has no equipment {slot}.", unit=speech.called(card.name), slot=speech.called(slot)),
                "G2-67",
                "equipment",
            )
    if len(set(slots)) < len(slots):
        raise Refusal(say("Each equipment is taken once."), "G2-92", "equipment")
    found = tuple(options[slot] for slot in slots)
    if card.family == "infantry":
        for kind, said in LIMITS.items():
            if sum(one.kind == kind for one in found) > 1:
                raise Refusal(said, "G2-93", "equipment")
    return found


LIMITS = {
    "offensive": say("Infantry takes one offensive equipment at most."),
    "defensive": say("Infantry takes one defensive equipment at most."),
}


def cost(card: UnitCard, equipment: tuple[Equipment, ...]) -> int:
    """Add up what a unit costs with its equipment (G2-57, G2-90, G2-92)."""
    return card.cost + sum(one.cost for one in equipment)


def landing_barred(state: State, seat: Seat, card: UnitCard, square: str) -> Reason | None:
    """Say why a unit can not be deployed on a square; None when it can (G2-39, G2-72, G2-89, G2-144, G2-162)."""
    side = side_of(seat)
    if square not in grid(state.options):
        return Reason(say("There is no square {square} on the battlefield.", square=square), "G2-38")
    if not card.paratrooper and square not in in_line(state.options, side, 1):
        return Reason(say("{square} is not on your deployment line.", square=square), "G2-89")
    holder, ground = state.at(square), state.ground_at(square)
    if holder is not None:
        said = say("{unit} stands there.", unit=speech.unit(state, holder))
        return Reason(said, "G2-144" if holder.side != side and card.paratrooper else "G2-85")
    if card.paratrooper and ground is not None and state.terrain(ground).building and not ground.ruin:
        return Reason(say("Paratroopers do not land on a building."), "G2-144")
    if paths.class_at(state, square) == "impassable":
        return Reason(say("{square} is impassable.", square=square), "G2-127")
    return None


def _deploy(state: State, seat: Seat, action: do.Deploy, ask: Ask) -> State:
    """Deploy a unit card; paratroopers are fired at before they land (G2-68, G2-89 to G2-94, G2-144)."""
    turn.check_phase(state, seat, "deployment")
    hands.check_held(state, seat, action.card)
    card = state.find_card(seat, action.card)
    if not isinstance(card, UnitCard):
        raise Refusal(say("That is no unit card: it is played."), "G2-89", "card")
    flies = card.family == "aircraft"
    if flies and card.subtype == "bomber":
        raise Refusal(say("A bomber is not deployed: it drops its bombs and is discarded."), "G2-141", "card")
    _check_square(state, seat, card, action.to)
    equipment = chosen(card, action.equipment)
    name = speech.called(card.name)
    state = points.spend(state, seat, cost(card, equipment), name, "G2-90", ask, "card")
    state = hands.leave_hand(state, seat, action.card, discard=False)
    unit = Unit(
        f"u{state.made + 1}",
        seat,
        state.deck(seat).out[-1],
        action.to,
        deployed=state.turn,
        tokens=tuple(Token(one.slot_id) for one in equipment),
    )
    state = state.but(units=(*state.units, unit), made=state.made + 1)
    _tell(state, unit, ask)
    for one in equipment:
        ask.tell(say("with {equipment}", equipment=speech.called(one.slot_id)), "G2-92")
    if action.to is not None:
        state = state.but(last=Last(None, action.to))
    return air.fire_at_landing(state, unit, action.to, ask) if card.paratrooper else state


def _check_square(state: State, seat: Seat, card: UnitCard, to: str | None) -> None:
    if card.family == "aircraft":
        if to is not None:
            raise Refusal(say("A fighter waits beside its headquarters."), "G2-139", "to")
    elif not state.mirrored:
        if to is not None:
            raise Refusal(say("At this table only the real battlefield knows where units stand."), "G2-38", "to")
    else:
        why = landing_barred(state, seat, card, to or "–")
        if why is not None:
            raise Refusal(why.text, why.clause, "to")


def _tell(state: State, unit: Unit, ask: Ask) -> None:
    card, marks = state.card(unit), ((unit.id, "acting"),)
    who = speech.called(card.name)
    if card.family == "aircraft":
        ask.tell(say("{unit} waits beside the headquarters", unit=who), "G2-139", marks=marks)
    elif unit.square is None:
        clause = "G2-144" if card.paratrooper else "G2-89"
        ask.tell(say("{seat}: {unit} deployed", seat=Text(unit.seat), unit=who), clause, marks=marks)
    else:
        clause = "G2-144" if card.paratrooper else "G2-89"
        ask.tell(
            say("{seat}: {unit} deployed on {square}", seat=Text(unit.seat), unit=who, square=unit.square),
            clause,
            marks=marks,
        )


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    if not state.begun:
        return []
    found: list[Offer] = []
    if state.phase == "deployment" and seat in state.acting and seat not in state.done:
        for code in decks.one_each(hands.playable(state, seat)):
            card = state.find_card(seat, code)
            if not isinstance(card, UnitCard) or card.subtype == "bomber":
                continue
            if points.short_of(state, seat, card.cost, "G2-90") is None:
                found += _deploying(state, seat, code, card)
    return [*found, *support.offers(state, seat), *tokens.offers(state, seat)]


def _deploying(state: State, seat: Seat, code: str, card: UnitCard) -> list[Offer]:
    """Offer a card, with the equipment that it may be given."""
    fields: tuple[Field, ...] = ()
    if state.mirrored and card.family != "aircraft":
        board = grid(state.options).squares() if card.paratrooper else in_line(state.options, side_of(seat), 1)
        free = speech.squares(square for square in board if landing_barred(state, seat, card, square) is None)
        if not free:
            return []
        fields = (Field("to", say("To which square"), "choice", free),)
    slots = tuple(_slot(state, seat, card, one) for one in card.option)
    equipped = any(slot.barred is None for slot in slots)
    if equipped:
        fields = (*fields, Field("equipment", say("Equipment"), "many", slots, hint=_hint(card)))
    label = say("Deploy {unit}: {cost} AP", unit=speech.called(card.name), cost=card.cost)
    return [Offer("deploy", label, {"card": code}, fields, on=code, clause="G2-89", loose=equipped)]


def _slot(state: State, seat: Seat, card: UnitCard, one: Equipment) -> Option:
    whole = card.cost + one.cost
    said = say(
        "+{cost} AP, offensive: {whole} AP with it"
        if one.kind == "offensive"
        else "+{cost} AP, defensive: {whole} AP with it",
        cost=one.cost,
        whole=whole,
    )
    short = points.short_of(state, seat, whole, "G2-92")
    return Option(one.slot_id, speech.called(one.slot_id), short, note=said)


def _hint(card: UnitCard) -> Text | None:
    if card.family != "infantry":
        return None
    return say("Infantry takes one offensive and one defensive equipment at most.")
