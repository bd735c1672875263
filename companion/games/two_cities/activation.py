"""Activation: which units a card wakes, how many, and one unit after the other (TTC-17 to TTC-53, TTC-77)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities.deck import CardRule, card_name, rule_of
from companion.games.two_cities.position import touching
from companion.games.two_cities.speech import name
from companion.games.two_cities.state import Part, State, Unit
from companion.games.two_cities.units import WHITE, Side
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

LEFT_FILES = {WHITE: "abcd", "black": "efgh"}


def sector(side: Side, square: str) -> Part:
    """Return the sector of a square for a side: left a-d for White and e-h for Black (TTC-27, TTC-28)."""
    return "left" if square[0] in LEFT_FILES[side] else "right"


def part_of(state: State, unit: Unit, card: CardRule) -> Part:
    """Return the part of a card that would activate a unit: a sector, any, or empty when it does not."""
    if not unit.mobile or card.card_class == "reinforcement":
        return ""
    if card.card_class == "special":
        suits = unit.kind in card.who and (unit.phalanx or not card.contact or not state.mirrored)
        return "any" if suits else ""
    if not state.mirrored or unit.square is None:
        return "any" if card.left + card.right else ""
    part = sector(unit.side, unit.square)
    return part if (card.left if part == "left" else card.right) else ""


def places(state: State, card: CardRule) -> Mapping[Part, int]:
    """Return how many units each part of a card activates (TTC-29 to TTC-34, TTC-42 to TTC-49)."""
    if card.card_class == "special":
        return {"any": card.count or len(state.units)}
    if not state.mirrored:
        return {"any": card.left + card.right}
    return {"left": card.left, "right": card.right}


def candidates(state: State) -> dict[Part, tuple[Unit, ...]]:
    """List, for each part of the card in play, the units that may still be activated."""
    card = rule_of(state.card)
    mine = state.in_play(state.active)
    found: dict[Part, tuple[Unit, ...]] = {}
    for part, count in places(state, card).items():
        if count > taken(state, part):
            found[part] = tuple(unit for unit in mine if not unit.activated and part_of(state, unit, card) == part)
    return found


def may_act(state: State) -> tuple[Unit, ...]:
    """List the active player's units that may act now: activated and not finished, or still to be activated."""
    waking = {unit.id for units in candidates(state).values() for unit in units}
    return tuple(
        unit for unit in state.in_play(state.active) if (unit.activated and not unit.done) or unit.id in waking
    )


def begin(state: State) -> State:
    """Begin the activations of the card in play: mark Phalanx units (TTC-49), wake what leaves no choice (TTC-23)."""
    if rule_of(state.card).contact:
        for unit in state.in_play(state.active):
            if unit.mobile and touching(state, unit):
                state = state.with_unit(unit.id, phalanx=True)
    if state.options.activation_optional or not state.mirrored:
        return state
    for part, units in candidates(state).items():
        if len(units) <= places(state, rule_of(state.card))[part]:
            for unit in units:
                state = state.with_unit(unit.id, activated=part)
    return state


def activate(state: State, unit: Unit) -> State:
    """Let a unit act: finish the one before (TTC-19), activate this one if it may be."""
    if state.acting not in {None, unit.id}:
        state = finish(state, state.unit(state.acting or ""))
    check_mine(state, unit)
    if unit.done:
        see = "TTC-46" if unit.attacks > 1 else "TTC-24" if unit.attacks else "TTC-19"
        raise Refusal(
            say("{unit}: has acted already this turn ({see}).", unit=name(state, unit), see=see), "TTC-21", "unit"
        )
    if not unit.activated:
        state = state.with_unit(unit.id, activated=_wake(state, unit))
    return state.but(acting=unit.id)


def check_mine(state: State, unit: Unit, field: str = "unit") -> None:
    """Refuse a unit that the active player can never activate: an enemy (TTC-25) or a city (TTC-07)."""
    if unit.side != state.active:
        raise Refusal(
            say(
                "{unit}: not yours to use in this turn ({see}); defenders never strike back.",
                unit=name(state, unit),
                see="TTC-17",
            ),
            "TTC-25",
            field,
        )
    if not unit.mobile:
        raise Refusal(say("A city is never activated."), "TTC-07", field)


def _wake(state: State, unit: Unit) -> Part:
    for part, units in candidates(state).items():
        if unit in units:
            return part
    raise not_activated(state, unit)


def not_activated(state: State, unit: Unit) -> Refusal:
    """Say why the card in play does not activate a unit."""
    card = rule_of(state.card)
    if state.card is None:
        return Refusal(say("No card has been played."), "TTC-17", "unit")
    part = part_of(state, unit, card)
    if card.card_class == "reinforcement":
        return Refusal(say("{card} activates nothing.", card=card_name(card.code)), "TTC-66", "unit")
    if part:
        return Refusal(
            say("{card} has activated as many units as it can.", card=card_name(card.code)),
            card.clause,
            "unit",
        )
    if card.card_class == "sector" and card.left + card.right and unit.square:
        side = sector(unit.side, unit.square)
        return Refusal(
            say(
                "{unit}: in your {sector} ({see}), and {card} does not activate it.",
                unit=name(state, unit),
                sector=Text(side),
                see="TTC-27" if side == "left" else "TTC-28",
                card=card_name(card.code),
            ),
            card.clause,
            "unit",
        )
    return Refusal(
        say("{unit}: not activated by {card}.", unit=name(state, unit), card=card_name(card.code)),
        "TTC-34" if card.card_class == "sector" else card.clause,
        "unit",
    )


def owes_melee(state: State, unit: Unit) -> bool:
    """Tell whether an activated unit has to fight before it finishes: in contact and no attack yet (TTC-77)."""
    return unit.attacks == 0 and bool(touching(state, unit))


def finish(state: State, unit: Unit) -> State:
    """End a unit's activation; refuse while it owes a melee (TTC-77)."""
    if owes_melee(state, unit):
        raise Refusal(
            say(
                "{unit}: in contact with an enemy, so it must fight one of them before it is done ({see}).",
                unit=name(state, unit),
                see="TTC-19",
            ),
            "TTC-77",
            "unit",
        )
    return state.with_unit(unit.id, done=True).but(acting=None)


def finish_all(state: State) -> State:
    """End every activation; idle units that the card has to wake stand (TTC-23), those in contact cannot."""
    for unit in state.in_play(state.active):
        if unit.activated and not unit.done:
            state = finish(state, unit)
    if state.options.activation_optional:
        return state
    for part, units in candidates(state).items():
        if not state.mirrored:
            return state
        missing = min(places(state, rule_of(state.card))[part] - taken(state, part), len(units))
        for unit in sorted(units, key=lambda unit: owes_melee(state, unit))[:missing]:
            state = finish(state.with_unit(unit.id, activated=part), unit)
    return state


def choose_units(state: State, names: tuple[str, ...]) -> State:
    """Name all the units that the card activates at once: as many as it allows and the position offers (TTC-23)."""
    card = rule_of(state.card)
    for unit in state.units:
        if unit.side == state.active and unit.activated and not (unit.done or unit.moved or unit.attacks):
            state = state.with_unit(unit.id, activated="")
    needed = {
        part: taken(state, part) + min(len(units), places(state, card)[part] - taken(state, part))
        for part, units in candidates(state).items()
    }
    for listed in names:
        unit = state.unit(listed, "units")
        check_mine(state, unit, "units")
        if unit.activated:
            raise Refusal(say("A unit is activated at most once a turn."), "TTC-21", "units")
        state = state.with_unit(listed, activated=_wake(state, unit))
    if state.mirrored and not state.options.activation_optional:
        for part, count in needed.items():
            if taken(state, part) < count:
                raise _too_few(card, count)
    return state


def taken(state: State, part: Part) -> int:
    """Count the units that were activated for a part of the card in play."""
    return sum(unit.activated == part for unit in state.units if unit.side == state.active)


def _too_few(card: CardRule, count: int) -> Refusal:
    if card.card_class == "special":
        see = "TTC-43" if count < card.count else card.clause
    else:
        see = {1: card.clause, 2: "TTC-35"}[max(card.left, card.right)] if card.left * card.right == 0 else "TTC-36"
    return Refusal(
        say(
            "{card} activates as many units as it can ({see}): {count} here; an idle one is activated and stands.",
            card=card_name(card.code),
            see=see,
            count=count,
        ),
        "TTC-23",
        "units",
    )
