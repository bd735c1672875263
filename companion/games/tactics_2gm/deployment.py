"""Deployment: what comes from the hand, units with their equipment and support cards.

G2-18 to G2-21, G2-35, G2-39, G2-57, G2-67, G2-89 to G2-96 and G2-144.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from companion.games.tactics_2gm import air_defence, combatants, fire, players, speech, terrain
from companion.games.tactics_2gm.cards import Equipment, GeneralCard, Slot, SupportCard, UnitCard
from companion.games.tactics_2gm.options import Seat, grid, in_line, side_of
from companion.games.tactics_2gm.players import CardCode, Id, Square
from companion.games.tactics_2gm.speech import called, does
from companion.games.tactics_2gm.state import Attached, Headquarters, Last, State, Token, Unit
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.decks import one_each
from companion.kit.questions import Option, square_options
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

deployment, support = Chapter[State, Seat](), Chapter[State, Seat]()


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
    asked: list[Field] = []
    if state.mirrored and card.family != "aircraft":
        if not (free := landings(state, seat, card)):
            return
        asked.append(Field("to", say("Square"), "choice", square_options(free)))
    slots = tuple(_slot(state, seat, card, option) for option in card.option)
    equipped = any(slot.barred is None for slot in slots)
    if equipped:
        hint = say("Infantry takes one offensive and one defensive equipment at most.")
        hinted = hint if card.family == "infantry" else None
        asked.append(Field("equipment", say("Equipment"), "many", slots, hint=hinted))
    label = say("Deploy {unit}: {cost} AP", unit=called(card.name), cost=card.cost)
    yield Deploy.offer(label, *asked, on=code, card=code, clause="G2-89", loose=equipped)


def _slot(state: State, seat: Seat, card: UnitCard, option: Equipment) -> Option:
    whole = cost(card, (option,))
    said = say(WITH_IT[option.kind], cost=option.cost, whole=whole)
    return Option(option.slot_id, called(option.slot_id), players.short_of(state, seat, whole, "G2-92"), note=said)


def chosen(card: UnitCard, slots: tuple[str, ...]) -> tuple[Equipment, ...]:
    """Return the equipment of those slots; refuse what the card does not offer or allow (G2-67, G2-92 to G2-94)."""
    options = {option.slot_id: option for option in card.option}
    for slot in slots:
        if slot not in options:
            text = say("{unit} has no equipment {slot}.", unit=called(card.name), slot=called(slot))
            raise Refusal(text, "G2-67", "equipment")
    if len(set(slots)) < len(slots):
        raise Refusal(say("Each equipment is taken once."), "G2-92", "equipment")
    equipment = tuple(options[slot] for slot in slots)
    if card.family == "infantry":
        for kind, said in LIMITS.items():
            if sum(taken.kind == kind for taken in equipment) > 1:
                raise Refusal(said, "G2-93", "equipment")
    return equipment


LIMITS = {
    "offensive": say("Infantry takes one offensive equipment at most."),
    "defensive": say("Infantry takes one defensive equipment at most."),
}
WITH_IT = {
    "offensive": "+{cost} AP, offensive: {whole} AP with it",
    "defensive": "+{cost} AP, defensive: {whole} AP with it",
}


def cost(card: UnitCard, equipment: tuple[Equipment, ...]) -> int:
    """Add up what a unit costs with its equipment (G2-57, G2-90, G2-92)."""
    return card.cost + sum(option.cost for option in equipment)


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
    if card.paratrooper and ground is not None and state.is_building(ground):
        return Reason(say("Paratroopers do not land on a building."), "G2-144")
    if terrain.class_at(state, square) == "impassable":
        return Reason(say("{square} is impassable.", square=square), "G2-127")
    return None


def landings(state: State, seat: Seat, card: UnitCard) -> tuple[str, ...]:
    """List the squares on which a unit can be deployed (G2-89, G2-144)."""
    board = grid(state.options).squares() if card.paratrooper else in_line(state.options, side_of(seat), 1)
    return tuple(square for square in board if landing_barred(state, seat, card, square) is None)


def without_square(state: State, seat: Seat, card: UnitCard) -> Reason | None:
    """Say that there is no square on which a unit can be deployed; None when there is, or nobody asks for one."""
    if not state.mirrored or card.family == "aircraft" or landings(state, seat, card):
        return None
    return Reason(say("No square is free for it."), "G2-144" if card.paratrooper else "G2-89")


def _deployed(before: State, after: State, seat: Seat, action: Deploy) -> Text:
    name = players.card_name(before, seat, action.card)
    if len(after.units) == len(before.units):  # paratroopers that were shot down
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
    tokens = tuple(Token(option.slot_id) for option in equipment)
    code = state.deck(seat).out[-1]
    state, unit = players.enter(state, seat, code, square=action.to, deployed=state.turn, tokens=tokens)
    _tell(state, unit, ask)
    for option in equipment:
        ask.tell(say("with {equipment}", equipment=called(option.slot_id)), "G2-92")
    if action.to is not None:
        state = state.but(last=Last(None, action.to))
    return air_defence.answer(state, unit, unit, ask) if card.paratrooper else state


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


class PlayCard(Action, frozen=True, tag="play_card"):
    """Play a support card, on a unit where it needs one (G2-18 to G2-21, G2-91, G2-96)."""

    card: CardCode
    unit: Id | None = None


@support.offers
def card_offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer a seat the support cards that it can play now, each kind once."""
    for code in one_each(players.playable(state, seat)) if state.begun else ():
        card = state.find_card(seat, code)
        if not isinstance(card, SupportCard) or barred(state, seat, card) is not None:
            continue
        asked = _asked(state, seat, card)
        if asked or not on_unit(card):
            label = say("Play {card}: {cost} AP", card=called(card.name), cost=card.cost)
            yield PlayCard.offer(label, *asked, on=code, card=code, clause="G2-91")


def _asked(state: State, seat: Seat, card: SupportCard) -> tuple[Field, ...]:
    """Ask for the unit: those that it can be played on, and why not on others that it is for."""
    if not on_unit(card):
        return ()
    whys = [(unit, target_barred(state, seat, card, unit)) for unit in state.units]
    meant = ((unit, why) for unit, why in whys if why is None or why.clause == "G2-96")
    options = tuple(Option(unit.id, speech.unit(state, unit), why, unit.square) for unit, why in meant)
    able = [option.value for option in options if option.barred is None]
    if not able:
        return ()
    return (Field("unit", say("On which unit"), "choice", options, value=able[0] if len(able) == 1 else None),)


def on_unit(card: SupportCard) -> bool:
    """Tell whether a card is played on a unit (G2-20, G2-21)."""
    changes = card.lasts or card.heal or card.harm or card.only
    return bool(changes) and not card.general


def target_barred(state: State, seat: Seat, card: SupportCard, unit: Unit) -> Reason | None:
    """Say why a card can not be played on a unit; None when it can (G2-19 to G2-21, G2-96)."""
    own = unit.side == side_of(seat)
    if card.harm and own:
        return Reason(say("That card is played on an enemy unit."), "G2-18")
    if not card.harm and not own:
        return Reason(say("That card is played on a unit of your side."), "G2-18")
    if card.harm and state.flies(unit):
        return Reason(say("An aircraft waits out of its reach."), "G2-139")
    if card.only and state.card(unit).family not in card.only:
        return Reason(say("That card is not for such a unit."), "G2-18")
    if any(lying.name == card.name for lying in state.attached(unit)):
        return Reason(say("The same card does not count twice on a unit."), "G2-96")
    if card.heal and not card.lasts and not unit.wounds:
        return Reason(say("It has no wounds."), "G2-118")
    return None


def without_target(state: State, seat: Seat, card: SupportCard) -> Reason | None:
    """Say that there is no unit on which a card can be played; None when there is, or it needs none (G2-18)."""
    if not on_unit(card):
        return None
    whys = [target_barred(state, seat, card, unit) for unit in state.units]
    if not all(whys):
        return None
    if any(why is not None and why.clause == "G2-118" for why in whys):
        return Reason(say("No unit that it is for has wounds."), "G2-118")
    return Reason(say("There is no unit on which it can be played."), "G2-18")


def time_barred(state: State, seat: Seat, card: SupportCard) -> Reason | None:
    """Say why it is not the time to play a card; None when it is (G2-91)."""
    return None if card.any_phase and state.begun else untimely(state, seat, "G2-91")


def untimely(state: State, seat: Seat, clause: str) -> Reason | None:
    """Say why a player can not deploy or play a card now, with the ``clause`` of that; None when he can (G2-77)."""
    try:
        players.check_phase(state, seat, "deployment")
    except Refusal as no:
        return Reason(no.text, clause if no.clause == "G2-77" else no.clause)
    return None


def barred(state: State, seat: Seat, card: SupportCard) -> Reason | None:
    """Say why a player can not play a card of his hand now; None when he can."""
    if why := time_barred(state, seat, card) or players.short_of(state, seat, card.cost, "G2-90"):
        return why
    if card.general and not _vacant(state, seat):
        return Reason(say("Your headquarters has its general."), "G2-35")
    if card.general and not generals(state, seat):
        return Reason(say("There is no general in your roster."), "G2-35")
    return None


@support.rule(
    PlayCard,
    says=lambda state, seat, action: say(
        "{seat}: {card} played", seat=Text(seat), card=players.card_name(state, seat, action.card)
    ),
)
def play(state: State, seat: Seat, action: PlayCard, ask: Ask) -> State:
    """Play a support card: pay for it, do what it does, and discard it or leave it on its unit (G2-18 to G2-21)."""
    players.check_held(state, seat, action.card)
    card = state.find_card(seat, action.card)
    if not isinstance(card, SupportCard):
        raise Refusal(say("That is a unit card: it is deployed."), "G2-89", "card")
    refuse(barred(state, seat, card), "card")
    unit = _target(state, seat, card, action.unit)
    name = called(card.name)
    state = players.spend(state, seat, card.cost, name, "G2-90", ask, "card")
    state = players.leave_hand(state, seat, action.card, discard=not card.lasts)
    if unit is None:
        ask.tell(say("{seat}: {card} played", seat=Text(seat), card=name), "G2-91")
    else:
        said = say("{seat}: {card} played on {unit}", seat=Text(seat), card=name, unit=speech.unit(state, unit))
        ask.tell(said, "G2-91", marks=((unit.id, "target"),))
        if card.harm:
            ask.clash(combatants.played(state, seat, card, unit))
    if card.text:
        ask.tell(does(card.text), "G2-18")
    state = _at_once(state, seat, card, ask)
    if unit is None:
        return state
    if card.lasts:
        state = _attach(state, seat, card, unit, ask)
    return _on_unit(state, card, state.unit(unit.id), ask)


def _target(state: State, seat: Seat, card: SupportCard, name: str | None) -> Unit | None:
    """Return the unit that a card is played on; None where it needs none."""
    if name is None:
        if on_unit(card):
            raise Refusal(say("That card is played on a unit: say on which."), "G2-96", "unit")
        return None
    unit = state.unit(name)
    if not on_unit(card):
        raise Refusal(say("That card is not played on a unit."), "G2-18", "unit")
    refuse(target_barred(state, seat, card, unit), "unit")
    return unit


def _at_once(state: State, seat: Seat, card: SupportCard, ask: Ask) -> State:
    """Do what a card does for its player (G2-18, G2-35)."""
    name = called(card.name)
    if card.ap:
        state = players.gain(state, seat, card.ap, name, "G2-18", ask)
    if card.draw:
        state = players.draw(state, seat, card.draw, name, ask, clause="G2-18")
    return _take_general(state, seat, ask) if card.general else state


def _attach(state: State, seat: Seat, card: SupportCard, unit: Unit, ask: Ask) -> State:
    """Leave a card on its unit: under it for the rest of the battle, or on top of it for one turn (G2-20, G2-21)."""
    laid = Attached(state.deck(seat).out[-1], seat)
    who = speech.unit(state, unit)
    if card.duration == "permanent":
        ask.tell(say("it stays under {unit} for the rest of the battle", unit=who), "G2-20")
    else:
        ask.tell(say("it stays on {unit} until your next turn starts", unit=who), "G2-21")
    return state.with_unit(unit.id, cards=(*unit.cards, laid))


def _on_unit(state: State, card: SupportCard, unit: Unit, ask: Ask) -> State:
    """Heal or harm the unit; harm of a card goes through any armour."""
    if card.heal and unit.wounds:
        wounds = max(0, unit.wounds - card.heal)
        ask.tell(speech.wounded(state, unit, wounds), "G2-118", wounds - unit.wounds)
        state = state.with_unit(unit.id, wounds=wounds)
    return fire.wound(state, unit, card.harm, ask) if card.harm else state


def generals(state: State, seat: Seat) -> tuple[GeneralCard, ...]:
    """List the generals of a player's roster that lie on no headquarters of the side yet (G2-35)."""
    taken = {hq.general for hq in state.headquarters if hq.side == side_of(seat)}
    roster = state.rosters.get(seat)
    return tuple(general for general in roster.general if general.name not in taken) if roster else ()


def _vacant(state: State, seat: Seat) -> tuple[Headquarters, ...]:
    return tuple(hq for hq in state.headquarters if hq.side == side_of(seat) and hq.general is None)


def _take_general(state: State, seat: Seat, ask: Ask) -> State:
    """Take a general of one's choice and put it on the headquarters (G2-35, G2-36)."""
    texts = {general.name: general.text for general in generals(state, seat)}
    options = tuple(Option(name, called(name), note=does(text) if text else None) for name, text in texts.items())
    chosen = ask.choose(seat, options, "general", say("Which general?"), clause="G2-35")
    where = tuple(Option(vacant.id, speech.hq(state, vacant)) for vacant in _vacant(state, seat))
    place = ask.choose(seat, where, "headquarters", say("On which headquarters?"), clause="G2-35")
    ask.tell(say("{side}: {general} takes command", side=Text(side_of(seat)), general=called(chosen)), "G2-35")
    if text := texts[chosen]:
        ask.tell(does(text), "G2-36")
    return state.with_hq(place, general=chosen)
