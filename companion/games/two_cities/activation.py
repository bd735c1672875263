"""Activation: which units a card wakes, how many, and one unit after the other (TTC-17 to TTC-53, TTC-77)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from companion.games.two_cities.combat import targets
from companion.games.two_cities.components import WHITE, CardRule, Side, rule_of
from companion.games.two_cities.state import Part, SentName, State, Unit
from companion.kit.action import Action, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

activation = Chapter[State, Side]()

LEFT_FILES = {WHITE: "abcd", "black": "efgh"}


class Activate(Action, frozen=True, tag="activate"):
    """Name all the units that the card activates at once, instead of one by one as they act (TTC-23)."""

    units: Annotated[tuple[SentName, ...], Meta(max_length=32)]


class Stand(Action, frozen=True, tag="stand"):
    """End a unit's activation, or activate it and let it stand (TTC-23)."""

    unit: SentName


def offers(state: State, unit: Unit) -> Iterator[Offer]:
    """Offer to leave a unit as it is, unless it has to fight first."""
    if not owes_melee(state, unit):
        label = say("Leave as it is: {unit}", unit=state.name(unit))
        yield Stand.offer(label, on=unit.id, ends=True, unit=unit.id, clause="TTC-22")


def check_acting(state: State, side: Side) -> None:
    """Refuse what units do out of turn (TTC-16) or before a card is played (TTC-17)."""
    state.check_turn(side)
    if state.phase == "choose_card" and state.hand(side):
        raise Refusal(say("First a card is played."), "TTC-17")


@activation.rule(
    Activate,
    says=lambda _state, _, action: say("{count} unit activated|{count} units activated", count=len(action.units)),
)
def choose_units(state: State, side: Side, action: Activate, ask: Ask) -> State:
    """Name all the units that the card activates at once: as many as it allows and the position offers (TTC-23)."""
    check_acting(state, side)
    for unit in state.units:
        if unit.side == side and unit.activated and not (unit.done or unit.moved or unit.attacks):
            state = state.with_unit(unit.id, activated="")
    needed = {part: taken(state, part) + count for part, count in waiting(state).items()}
    for name in action.units:
        unit = state.unit(name, "units")
        _check_mine(state, unit, "units")
        if unit.activated:
            raise Refusal(say("A unit is activated at most once a turn."), "TTC-21", "units")
        state = state.with_unit(name, activated=_wake(state, unit))
    if state.mirrored and not state.options.activation_optional:
        for part, count in needed.items():
            if taken(state, part) < count:
                raise _too_few(rule_of(state.card), count)
    for name in action.units:
        ask.tell(say("{unit}: activated", unit=state.name(state.unit(name))), "TTC-23")
    return state


@activation.rule(
    Stand, says=lambda state, _, action: say("{unit}: stays where it is", unit=state.name(state.unit(action.unit)))
)
def stand(state: State, side: Side, action: Stand, ask: Ask) -> State:
    """Let a unit stand where it is (TTC-22), which does not free it from a melee (TTC-77)."""
    check_acting(state, side)
    state = activate(state, state.unit(action.unit))
    unit = state.unit(action.unit)
    ask.tell(say("{unit}: stays where it is", unit=state.name(unit)), "TTC-22")
    return finish(state, unit)


def sector(side: Side, square: str) -> Part:
    """Return the sector of a square for a side: left a-d for White and e-h for Black (TTC-27, TTC-28)."""
    return "left" if square[0] in LEFT_FILES[side] else "right"


def part_of(state: State, unit: Unit, card: CardRule) -> Part:
    """Return the part of a card that would activate a unit: a sector, any, or empty when it does not."""
    if not unit.mobile or card.card_class == "reinforcement":
        return ""
    if card.card_class == "special":
        return "any" if unit.kind in card.who and (unit.phalanx or not card.contact or not state.mirrored) else ""
    part = sector(unit.side, unit.square) if state.mirrored and unit.square else "any"
    return part if places(state, card).get(part) else ""


def places(state: State, card: CardRule) -> Mapping[Part, int]:
    """Return how many units each part of a card activates (TTC-29 to TTC-34, TTC-42 to TTC-49)."""
    if card.card_class == "special":
        return {"any": card.count or len(state.units)}
    if not state.mirrored:
        return {"any": card.left + card.right}
    return {"left": card.left, "right": card.right}


def taken(state: State, part: Part) -> int:
    """Count the units that were activated for a part of the card in play."""
    return sum(unit.activated == part for unit in state.units if unit.side == state.active)


def candidates(state: State) -> dict[Part, tuple[Unit, ...]]:
    """List, for each part of the card in play, the units that may still be activated."""
    card = rule_of(state.card)
    idle = [unit for unit in state.in_play(state.active) if not unit.activated]
    return {
        part: tuple(unit for unit in idle if part_of(state, unit, card) == part)
        for part, count in places(state, card).items()
        if count > taken(state, part)
    }


def waiting(state: State) -> dict[Part, int]:
    """Count, for each part of the card in play, the units that are still to be activated (TTC-23, TTC-35, TTC-36)."""
    room = places(state, rule_of(state.card))
    return {part: min(len(units), room[part] - taken(state, part)) for part, units in candidates(state).items()}


def may_act(state: State) -> tuple[Unit, ...]:
    """List the active player's units that may act now: activated and not finished, or still to be activated.

    One that shot once and sees no second target is left out.
    """
    waking = {unit.id for units in candidates(state).values() for unit in units}
    return tuple(
        unit
        for unit in state.in_play(state.active)
        if ((unit.activated and not unit.done) or unit.id in waking)
        and not (state.mirrored and unit.attacks and not targets(state, unit))
    )


def still(state: State, able: Sequence[Unit]) -> int:
    """Count how many of the units that are able to do something the card still lets act (TTC-23, TTC-35)."""
    room, awake = places(state, rule_of(state.card)), sum(bool(unit.activated) for unit in able)
    asleep = {part: sum(unit in able for unit in units) for part, units in candidates(state).items()}
    return awake + sum(min(count, room[part] - taken(state, part)) for part, count in asleep.items())


def begin(state: State) -> State:
    """Begin the activations of the card in play: mark Phalanx units (TTC-49), wake what leaves no choice (TTC-23)."""
    card = rule_of(state.card)
    if card.contact:
        for unit in state.in_play(state.active):
            if unit.mobile and state.touching(unit):
                state = state.with_unit(unit.id, phalanx=True)
    if state.options.activation_optional or not state.mirrored:
        return state
    for part, units in candidates(state).items():
        if len(units) <= places(state, card)[part]:
            for unit in units:
                state = state.with_unit(unit.id, activated=part)
    return state


def activate(state: State, unit: Unit) -> State:
    """Let a unit act: finish the one before (TTC-19), activate this one if it may be."""
    if state.acting not in {None, unit.id}:
        state = finish(state, state.unit(state.acting or ""))
    _check_mine(state, unit, "unit")
    if unit.done:
        see = "TTC-46" if unit.attacks > 1 else "TTC-24" if unit.attacks else "TTC-19"
        acted = say("{unit}: has acted already this turn ({see}).", unit=state.name(unit), see=see)
        raise Refusal(acted, "TTC-21", "unit")
    if not unit.activated:
        state = state.with_unit(unit.id, activated=_wake(state, unit))
    return state.but(acting=unit.id)


def _check_mine(state: State, unit: Unit, field: str) -> None:
    """Refuse a unit that the active player can never activate: an enemy (TTC-25) or a city (TTC-07)."""
    if unit.side != state.active:
        name, turn = state.name(unit), "TTC-17"
        theirs = say("{unit}: not yours to use in this turn ({see}); defenders never strike back.", unit=name, see=turn)
        raise Refusal(theirs, "TTC-25", field)
    if not unit.mobile:
        raise Refusal(say("A city is never activated."), "TTC-07", field)


def _wake(state: State, unit: Unit) -> Part:
    """Return the part of the card in play that activates a unit; raise Refusal when none does."""
    for part, units in candidates(state).items():
        if unit in units:
            return part
    card, said = rule_of(state.card), Text(f"card.{state.card}")
    if state.card is None:
        raise Refusal(say("No card has been played."), "TTC-17", "unit")
    if card.card_class == "reinforcement":
        raise Refusal(say("{card} activates nothing.", card=said), "TTC-66", "unit")
    if part_of(state, unit, card):
        raise Refusal(say("{card} has activated as many units as it can.", card=said), card.clause, "unit")
    if card.card_class == "sector" and card.left + card.right and unit.square:
        side = sector(unit.side, unit.square)
        elsewhere = say(
            "{unit}: in your {sector} ({see}), and {card} does not activate it.",
            unit=state.name(unit),
            sector=Text(side),
            see="TTC-27" if side == "left" else "TTC-28",
            card=said,
        )
        raise Refusal(elsewhere, card.clause, "unit")
    clause = "TTC-34" if card.card_class == "sector" else card.clause
    raise Refusal(say("{unit}: not activated by {card}.", unit=state.name(unit), card=said), clause, "unit")


def _too_few(card: CardRule, count: int) -> Refusal:
    if card.card_class == "special":
        see = "TTC-43" if count < card.count else card.clause
    elif card.left and card.right:
        see = "TTC-36"
    else:
        see = "TTC-35" if card.left + card.right == 2 else card.clause
    said = say(
        "{card} activates as many units as it can ({see}): {count} here; an idle one is activated and stands.",
        card=Text(f"card.{card.code}"),
        see=see,
        count=count,
    )
    return Refusal(said, "TTC-23", "units")


def owes_melee(state: State, unit: Unit) -> bool:
    """Tell whether an activated unit has to fight before it finishes: in contact and no attack yet (TTC-77)."""
    return unit.attacks == 0 and bool(state.touching(unit))


def finish(state: State, unit: Unit) -> State:
    """End a unit's activation; refuse while it owes a melee (TTC-77)."""
    if owes_melee(state, unit):
        fights_first = say(
            "{unit}: in contact with an enemy, so it must fight one of them before it is done ({see}).",
            unit=state.name(unit),
            see="TTC-19",
        )
        raise Refusal(fights_first, "TTC-77", "unit")
    return state.with_unit(unit.id, done=True).but(acting=None)


def rest(state: State, name: str) -> State:
    """Finish the acting unit when it has nothing left to do: it attacked as often as it may, or sees no target."""
    unit = state.unit(name)
    spent = unit.attacks >= rule_of(state.card).shots
    blind = state.mirrored and unit.moved and not unit.attacks and not targets(state, unit)
    return finish(state, unit) if spent or blind else state


def finish_all(state: State) -> State:
    """End every activation; idle units that the card has to wake stand (TTC-23), those in contact cannot."""
    for unit in state.in_play(state.active):
        if unit.activated and not unit.done:
            state = finish(state, unit)
    if state.options.activation_optional or not state.mirrored:
        return state
    missing = waiting(state)
    for part, units in candidates(state).items():
        for unit in sorted(units, key=lambda unit: owes_melee(state, unit))[: missing[part]]:
            state = finish(state.with_unit(unit.id, activated=part), unit)
    return state
