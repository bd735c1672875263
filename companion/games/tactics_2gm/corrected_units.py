"""Corrections of units: where they stand, what they carry, suffered and did in this turn; lost ones back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.tactics_2gm import hands, losses, speech
from companion.games.tactics_2gm.cards import UnitCard
from companion.games.tactics_2gm.pieces import Token, Unit
from companion.games.tactics_2gm.sides import SIDES, grid, in_line, other, side_of
from companion.kit.asking import Option
from companion.kit.corrected import OFF, choice, yes_no
from companion.kit.correction import Tracked
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State

ON = "on"
NOBODY = "none"
OUT = Option(OFF, say("out of play"))
BACK = say("A unit that was lost")
PARTS: dict[Side, Text] = {"allies": say("Units of the Allies"), "axis": say("Units of the Axis")}
CARRIED = {
    "none": say("it has none"),
    "ready": say("ready"),
    "fresh": say("grey since this turn"),
    "grey": say("grey since before"),
    "works": say("in use"),
}
"""What there is to say of a token: grey ones turn back in the flip phase, those of this turn do not (G2-120)."""


def tracked(state: State) -> tuple[Tracked, ...]:
    """List what can be corrected about every unit in play, and the lost ones that can be brought back."""
    places = speech.squares(grid(state.options).squares()) if state.mirrored else ()
    found = [
        Tracked(f"unit.{unit.id}.{part}", speech.unit(state, unit), field, part=PARTS[unit.side])
        for side in SIDES
        for unit in state.of(side)
        for part, field in _values(state, unit, places).items()
    ]
    for seat in state.seats:
        lost = _lost(state, seat)
        if lost:
            named = (Option(str(at), hands.card_name(state, seat, code)) for at, code in lost)
            options = (Option(NOBODY, say("nobody")), *named)
            found.append(Tracked(f"back.{seat}", BACK, choice(Text(seat), options, NOBODY)))
    return tuple(found)


def _lost(state: State, seat: Seat) -> tuple[tuple[int, str], ...]:
    """List the discarded unit cards of a player that can be in play again, by their place: bombers never stay."""
    cards = ((at, code, state.find_card(seat, code)) for at, code in enumerate(state.deck(seat).discard))
    return tuple((at, code) for at, code, card in cards if isinstance(card, UnitCard) and card.subtype != "bomber")


def _values(state: State, unit: Unit, places: tuple[Option, ...]) -> dict[str, Field]:
    card = state.card(unit)
    fields = {"square": _place(state, unit, places)}
    if card.wounds > 1:
        fields["wounds"] = Field("value", say("Wounds"), "number", value=unit.wounds, high=card.wounds - 1)
    fields |= {f"token.{slot}": _carried(state, unit, slot) for slot in _slots(state, unit)}
    if unit.cards:
        lying = tuple(Option(str(at), hands.card_name(state, one.seat, one.code)) for at, one in enumerate(unit.cards))
        fields["cards"] = _many(say("Cards on it"), lying)
    if unit.marks:
        marks = tuple(Option(str(at), say("{name}", name=mark.name)) for at, mark in enumerate(unit.marks))
        fields["marks"] = _many(say("Effects on it"), marks)
    if any(one.pins for _, one in state.equipment(unit)) or unit.set_up:
        fields["set_up"] = yes_no(say("Its heavy weapon is set up"), value=unit.set_up)
    return fields | _this_turn(state, unit)


def _many(label: Text, options: tuple[Option, ...]) -> Field:
    """Ask which of what there is stays."""
    return Field("value", label, "many", options, value=tuple(option.value for option in options))


def _place(state: State, unit: Unit, places: tuple[Option, ...]) -> Field:
    if state.flies(unit):
        beside = Option(ON, say("beside its headquarters"))
        return choice(say("Place"), (beside, OUT), ON)
    if state.mirrored:
        return choice(say("Square"), (*places, OUT), unit.square or OFF)
    inside = tuple(Option(one.id, speech.ground(state, one)) for one in state.grounds)
    return choice(say("Place"), (Option(ON, say("in the open")), *inside, OUT), unit.inside or ON)


def _slots(state: State, unit: Unit) -> tuple[str, ...]:
    """List the tokens that a unit may have: its equipment, and weapons of its card that flip (G2-67, G2-71)."""
    card = state.card(unit)
    printed = (f"w{at}" for at, weapon in enumerate(card.weapon) if weapon.flips)
    return (*(option.slot_id for option in card.option), *printed)


def _carried(state: State, unit: Unit, slot: str) -> Field:
    """Ask for the state of a token: whether it is there, which side is up, and since when (G2-69, G2-70)."""
    option = next((one for one in state.card(unit).option if one.slot_id == slot), None)
    label = speech.called(state.weapons(unit)[slot].name) if option is None else speech.called(slot)
    ways = ["ready"] if option is None else ["none", "ready"]
    if option is None or option.flips or (option.weapon is not None and option.weapon.flips):
        ways += ["fresh", "grey"]
    if option is not None and option.flips and option.weapon is None:
        ways.append("works")
    now = _way(state, unit.token(slot), "ready" if option is None else "none")
    options = tuple(Option(way, CARRIED[way]) for way in dict.fromkeys((*ways, now)))
    return choice(label, options, now)


def _way(state: State, token: Token | None, missing: str) -> str:
    if token is None:
        return missing
    if token.works:
        return "works"
    return "ready" if token.used is None else "fresh" if token.used == state.turn else "grey"


def _this_turn(state: State, unit: Unit) -> dict[str, Field]:
    """List what a unit did or suffered in this turn, where something depends on it."""
    if not state.begun:
        return {}
    fields: dict[str, Field] = {}
    weapons = state.weapons(unit)
    if weapons:
        options = tuple(Option(name, speech.called(weapon.name)) for name, weapon in weapons.items())
        fired = tuple(name for name in weapons if name in unit.fired)
        fields["fired"] = Field("value", say("Fired in this turn"), "many", options, value=fired)
    if state.flies(unit):
        return fields
    if unit.side == state.active:
        fields["deployed"] = yes_no(say("Deployed in this turn"), value=unit.deployed == state.turn)
        fields["moved"] = yes_no(say("Moved in this turn"), value=unit.moved)
        if state.card(unit).family == "infantry":
            fields["assaulted"] = yes_no(say("Assaulted in this turn"), value=unit.assaulted)
    elif state.phase == "fire":
        foes = {foe.id: foe for foe in state.of(state.active)}
        options = tuple(Option(name, speech.unit(state, foe)) for name, foe in foes.items())
        by = tuple(name for name in foes if name in unit.shot_by)
        fields["shot_by"] = Field("value", say("Who shot at it in this phase"), "many", options, value=by)
    fields["suppressed"] = yes_no(say("Under suppressive fire"), value=unit.suppressed is not None)
    return fields


def correct(state: State, group: str, rest: str, value: str) -> State:
    """Set a value of a unit, or bring a lost one back."""
    if group == "back":
        seat = next(one for one in state.seats if one == rest)
        return state if value == NOBODY else _bring_back(state, seat, int(value))
    name, _, part = rest.partition(".")
    unit = state.unit(name)
    what, _, slot = part.partition(".")
    match what:
        case "square":
            return _put(state, unit, value)
        case "token":
            return _carry(state, unit, slot, value)
        case "wounds":
            return state.with_unit(name, wounds=int(value))
        case "cards":
            return _uncover(state, unit, value.split(","))
        case "marks":
            kept = tuple(mark for at, mark in enumerate(unit.marks) if str(at) in value.split(","))
            return state.with_unit(name, marks=kept)
        case "fired" | "shot_by":
            return state.with_unit(name, **{what: tuple(one for one in value.split(",") if one)})
        case "deployed":
            return state.with_unit(name, deployed=state.turn if value == "true" else 0)
        case "moved":
            return state.with_unit(name, moved=value == "true", came_from=None)
        case "suppressed":
            return state.with_unit(name, suppressed=other(unit.side) if value == "true" else None)
    return state.with_unit(name, **{what: value == "true"})


def _put(state: State, unit: Unit, value: str) -> State:
    """Put a unit on another square or in another terrain, or take it out of play (G2-85, G2-125)."""
    if value == OFF:
        return losses.leave(state, unit)
    if not state.mirrored or state.flies(unit):
        inside = None if value == ON else value
        ground = state.ground(inside)
        if ground is not None and state.occupant(ground) not in {None, unit}:
            raise Refusal(say("Somebody stands there."), "G2-85", "value")
        return state.with_unit(unit.id, inside=inside)
    if state.at(value) not in {None, unit}:
        raise Refusal(say("{square} is occupied.", square=value), "G2-85", "value")
    return state.with_unit(unit.id, square=value, came_from=None)


def _carry(state: State, unit: Unit, slot: str, way: str) -> State:
    others = tuple(token for token in unit.tokens if token.slot != slot)
    if way == "none":
        return state.with_unit(unit.id, tokens=others)
    token = unit.token(slot) or Token(slot)
    match way:
        case "ready":
            token = replace(token, used=None, works=False)
        case "fresh":
            token = replace(token, used=state.turn, works=False)
        case "grey":
            token = replace(token, used=max(0, state.turn - 1), works=False)
        case "works":
            token = replace(token, used=state.turn if token.used is None else token.used, works=True)
    return state.with_unit(unit.id, tokens=(*others, token))


def _uncover(state: State, unit: Unit, kept: list[str]) -> State:
    """Leave only some of the cards on a unit; the others go to the discard piles of whose they are."""
    for at, one in enumerate(unit.cards):
        if str(at) not in kept:
            state = hands.bury(state, one.seat, one.code)
    return state.with_unit(unit.id, cards=tuple(one for at, one in enumerate(unit.cards) if str(at) in kept))


def _bring_back(state: State, seat: Seat, at: int) -> State:
    """Take a unit off the discards and put it on the deployment line, from where it can be put elsewhere."""
    discard = state.deck(seat).discard
    code, square = discard[at], None
    card = state.find_card(seat, code)
    if state.mirrored and isinstance(card, UnitCard) and card.family != "aircraft":
        line = in_line(state.options, side_of(seat), 1)
        square = next((one for one in (*line, *grid(state.options).squares()) if state.at(one) is None), None)
        if square is None:
            raise Refusal(say("There is no free square left."), "G2-85", "value")
    made = state.made + 1
    unit = Unit(f"u{made}", seat, code, square)
    return state.with_deck(seat, discard=(*discard[:at], *discard[at + 1 :])).but(units=(*state.units, unit), made=made)
