"""Deployment: units from the hand with their equipment (G2-39, G2-57, G2-67, G2-89 to G2-95, G2-144)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from companion.games.tactics_2gm import air_defence, players, speech, terrain
from companion.games.tactics_2gm.cards import Equipment, Slot, UnitCard
from companion.games.tactics_2gm.options import Seat, grid, in_line, side_of
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import CardCode, Last, Square, State, Token, Unit
from companion.kit.action import Action
from companion.kit.asking import Ask, Option
from companion.kit.chapter import Chapter
from companion.kit.decks import one_each
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

deployment = Chapter[State, Seat]()


class Deploy(Action, frozen=True, tag="deploy"):
    """Deploy a unit card with equipment (G2-89 to G2-96), a fighter beside the headquarters (G2-139)."""

    card: CardCode
    to: Square | None = None
    equipment: Annotated[tuple[Slot, ...], Meta(max_length=8)] = ()


@deployment.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer one unit card of each kind that can be paid for; bombers are not deployed."""
    if state.phase != "deployment" or not players.acts(state, seat):
        return
    for code in one_each(players.playable(state, seat)):
        card = state.find_card(seat, code)
        if not isinstance(card, UnitCard) or card.subtype == "bomber":
            continue
        if players.short_of(state, seat, card.cost, "G2-90") is None:
            yield from _deploying(state, seat, code, card)


def _deploying(state: State, seat: Seat, code: str, card: UnitCard) -> Iterator[Offer]:
    """Offer a card, with the equipment that it may be given."""
    asked: list[Field] = []
    if state.mirrored and card.family != "aircraft":
        board = grid(state.options).squares() if card.paratrooper else in_line(state.options, side_of(seat), 1)
        free = speech.squares(square for square in board if landing_barred(state, seat, card, square) is None)
        if not free:
            return
        asked.append(Field("to", say("To which square"), "choice", free))
    slots = tuple(_slot(state, seat, card, one) for one in card.option)
    equipped = any(slot.barred is None for slot in slots)
    if equipped:
        hint = say("Infantry takes one offensive and one defensive equipment at most.")
        hinted = hint if card.family == "infantry" else None
        asked.append(Field("equipment", say("Equipment"), "many", slots, hint=hinted))
    label = say("Deploy {unit}: {cost} AP", unit=called(card.name), cost=card.cost)
    yield Deploy.offer(label, *asked, on=code, card=code, clause="G2-89", loose=equipped)


def _slot(state: State, seat: Seat, card: UnitCard, one: Equipment) -> Option:
    whole = card.cost + one.cost
    said = say(
        "+{cost} AP, offensive: {whole} AP with it"
        if one.kind == "offensive"
        else "+{cost} AP, defensive: {whole} AP with it",
        cost=one.cost,
        whole=whole,
    )
    short = players.short_of(state, seat, whole, "G2-92")
    return Option(one.slot_id, called(one.slot_id), short, note=said)


def chosen(card: UnitCard, slots: tuple[str, ...]) -> tuple[Equipment, ...]:
    """Return the equipment of those slots; refuse what the card does not offer or allow (G2-67, G2-92 to G2-94)."""
    options = {option.slot_id: option for option in card.option}
    for slot in slots:
        if slot not in options:
            raise Refusal(
                say("{unit} has no equipment {slot}.", unit=called(card.name), slot=called(slot)),
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
    if terrain.class_at(state, square) == "impassable":
        return Reason(say("{square} is impassable.", square=square), "G2-127")
    return None


def _deployed(before: State, after: State, seat: Seat, action: Deploy) -> Text:
    """Say what was deployed; paratroopers may have been shot down."""
    card = before.find_card(seat, action.card)
    name = called(card.name) if card else say("a card")
    if len(after.units) == len(before.units):
        return say("{card} does not reach the ground", card=name)
    return say("{seat}: {card} deployed", seat=Text(seat), card=name)


@deployment.rule(Deploy, headline=_deployed)
def deploy(state: State, seat: Seat, action: Deploy, ask: Ask) -> State:
    """Deploy a unit card; paratroopers are fired at before they land (G2-68, G2-89 to G2-94, G2-142, G2-144)."""
    players.check_phase(state, seat, "deployment")
    players.check_held(state, seat, action.card)
    card = state.find_card(seat, action.card)
    if not isinstance(card, UnitCard):
        raise Refusal(say("That is no unit card: it is played."), "G2-89", "card")
    if card.family == "aircraft" and card.subtype == "bomber":
        raise Refusal(say("A bomber is not deployed: it drops its bombs and is discarded."), "G2-141", "card")
    _check_square(state, seat, card, action.to)
    equipment = chosen(card, action.equipment)
    state = players.spend(state, seat, cost(card, equipment), called(card.name), "G2-90", ask, "card")
    state = players.leave_hand(state, seat, action.card, discard=False)
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
        ask.tell(say("with {equipment}", equipment=called(one.slot_id)), "G2-92")
    if action.to is not None:
        state = state.but(last=Last(None, action.to))
    if not card.paratrooper:
        return state
    return air_defence.answer(state, unit, air_defence.Spot(speech.unit(state, unit), action.to), ask)


def _check_square(state: State, seat: Seat, card: UnitCard, to: str | None) -> None:
    if card.family == "aircraft":
        if to is not None:
            raise Refusal(say("A fighter waits beside its headquarters."), "G2-139", "to")
    elif state.mirrored:
        refuse(landing_barred(state, seat, card, to or "–"), "to")
    elif to is not None:
        raise Refusal(say("At this table only the real battlefield knows where units stand."), "G2-38", "to")


def _tell(state: State, unit: Unit, ask: Ask) -> None:
    card, marks = state.card(unit), ((unit.id, "acting"),)
    who, seat = called(card.name), Text(unit.seat)
    if card.family == "aircraft":
        ask.tell(say("{unit} waits beside the headquarters", unit=who), "G2-139", marks=marks)
        return
    said = say("{seat}: {unit} deployed", seat=seat, unit=who)
    if unit.square is not None:
        said = say("{seat}: {unit} deployed on {square}", seat=seat, unit=who, square=unit.square)
    ask.tell(said, "G2-144" if card.paratrooper else "G2-89", marks=marks)
