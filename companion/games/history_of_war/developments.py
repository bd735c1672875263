"""What was built is turned up and comes into play; developments are put into territories (HW-44 to HW-47)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.history_of_war import payment, speech
from companion.games.history_of_war.cards import Category, UpgradeCard
from companion.games.history_of_war.payment import Payment
from companion.games.history_of_war.pieces import Laid, Last, Name, Plan, Played, Seat
from companion.games.history_of_war.state import State, check_phase
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, listed, say

developments = Chapter[State, Seat]()


class Place(Action, frozen=True, tag="place"):
    """Put a development that you built into a territory (HW-46)."""

    card: Name
    to: Name


def lacking(state: State, unit: Played, card: UpgradeCard) -> tuple[Category, ...]:
    """List the attack values that an upgrade changes and its unit does not have (HW-09, HW-A16)."""
    return tuple(category for category, added in card.av.items() if added and state.value(unit, category) is None)


def tell_unchanged(state: State, unit: Played, card: UpgradeCard, ask: Ask, *, seat: Seat | None = None) -> None:
    """Tell, ``seat`` alone or everybody, where an upgrade changes a value that its unit does not have (HW-A16)."""
    if missing := lacking(state, unit, card):
        text = "{unit} has no such attack value to change: {what}. If the card gives it one, tick it by hand."
        ask.tell(say(text, unit=speech.card(state, unit), what=speech.categories(missing)), "HW-A16", seat=seat)


def to_place(state: State) -> Seat | None:
    """Return who puts developments into territories now: the attacker first; None when all lie in one (HW-46)."""
    if not state.open:
        return None
    return next((seat for seat in (state.attacker, state.defender) if state.of(seat, "laid")), None)


@developments.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer to place the developments that a player has built, when it is his turn (HW-46)."""
    if to_place(state) != seat or state.phase != "construction":
        return
    where = tuple(Option(territory.id, speech.territory(state, territory)) for territory in state.open)
    to = Field("to", say("Into which territory"), "choice", where, value=where[0].value if len(where) == 1 else None)
    for card in state.of(seat, "laid"):
        label = say("Place {card}", card=speech.card(state, card))
        yield Place.offer(label, to, on=card.id, card=card.id, main=True, clause="HW-46")


@developments.rule(
    Place,
    says=lambda state, _, action: say(
        "{card}: {place}", card=speech.named(state, action.card), place=speech.place(state, action.to)
    ),
)
def place(state: State, seat: Seat, action: Place, ask: Ask) -> State:
    """Put a development into a territory: all of the attacker's, then the defender's (HW-14, HW-46)."""
    check_phase(state, seat, "construction")
    played = state.played(action.card, "card")
    if played.seat != seat or played.place != "laid":
        raise Refusal(say("That is no development that you have to place."), "HW-46", "card")
    first = to_place(state)
    if first not in (None, seat):
        raise Refusal(say("{seat} places developments first.", seat=Text(first)), "HW-46")
    territory = state.territory(action.to)
    if territory is None:
        raise Refusal(say("A development is put into a territory."), "HW-46", "to")
    if territory.conqueror is not None:
        text = say("{territory} is conquered, and set aside.", territory=speech.territory(state, territory))
        raise Refusal(text, "HW-95", "to")
    name, goal = speech.card(state, played), speech.territory(state, territory)
    text = say("{seat} puts {card} into {territory}", seat=Text(seat), card=name, territory=goal)
    ask.tell(text, "HW-46", marks=((played.id, "acting"),))
    return state.with_card(played.id, place=territory.id).but(last=Last((played.id,), (territory.id,)))


def turn_up(state: State, bills: Mapping[Seat, tuple[tuple[Reason, ...], Payment]], ask: Ask) -> State:
    """Turn up what both have laid down, the attacker's first: each is told with its bill, paid and in play (HW-44)."""
    before = {card.id for card in state.cards}
    for seat in (state.attacker, state.defender):
        bill, paid = bills[seat]
        if bill:
            ask.tell(say("{seat} builds", seat=Text(seat)), "HW-41", paid.cost, terms=bill)
        else:
            ask.tell(say("{seat} builds nothing", seat=Text(seat)), "HW-44")
        state = payment.pay(state, seat, paid, ask)
        laid = state.plan(seat).laid
        state = _enter(state, seat, [card for card in laid if card.unit is None], ask)
        for upgrade in laid:
            if upgrade.unit is not None:
                state = _attach(state, seat, upgrade.code, state.played(upgrade.unit), ask)
        state = state.but(plans={**state.plans, seat: Plan(built=True)})
    if placing := to_place(state):
        ask.tell(say("{seat} puts developments into territories", seat=Text(placing)), "HW-46")
    return state.but(last=Last(tuple(card.id for card in state.cards if card.id not in before)))


def _enter(state: State, seat: Seat, laid: Sequence[Laid], ask: Ask) -> State:
    """Put units into the deployment area, locked; developments wait to be placed (HW-18, HW-46, HW-47)."""
    if not laid:
        return state
    for card in laid:
        state = state.with_entering(seat, card.code, "laid" if card.code[0] == "d" else "deployment", locked=True)
    names = listed([speech.code(state, seat, card.code) for card in laid], say("no card"))
    marks = tuple((card.id, "acting") for card in state.cards[-len(laid) :])
    ask.tell(say("{cards}: into play, locked", cards=names), "HW-47", marks=marks)
    return state


def _attach(state: State, seat: Seat, code: str, unit: Played, ask: Ask) -> State:
    """Put an upgrade on its unit for good, which is locked by it (HW-10, HW-12)."""
    upgrade, name = speech.code(state, seat, code), speech.card(state, unit)
    ask.tell(say("{upgrade} stays with {unit} for good", upgrade=upgrade, unit=name), "HW-10")
    ask.tell(say("{card} is locked by it", card=name), "HW-12", marks=((unit.id, "acting"),))
    card = state.find_card(seat, code)
    if isinstance(card, UpgradeCard):
        tell_unchanged(state, unit, card, ask)
    return state.with_card(unit.id, upgrades=(*unit.upgrades, code), locked=True)
