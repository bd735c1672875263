"""The editor: a player's own deck, card by card (G2-06, G2-12 to G2-21, G2-28, G2-35)."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.tactics_2gm import actions as do
from companion.games.tactics_2gm.cards import (
    Equipment,
    GeneralCard,
    HeadquartersCard,
    Roster,
    SupportCard,
    UnitCard,
    Weapon,
)
from companion.games.tactics_2gm.sample import DECKS
from companion.games.tactics_2gm.sides import side_of
from companion.kit.decks import samples
from companion.kit.decks.editing import but, put, tidy
from companion.kit.decks.written import MOST_KINDS
from companion.kit.ruling import Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State

Editing = (
    do.NameDeck
    | do.SetCount
    | do.EditUnit
    | do.EditWeapon
    | do.EditEquipment
    | do.EditSupport
    | do.EditHeadquarters
    | do.EditGeneral
    | do.RemoveCard
)

MOST_WEAPONS, MOST_OPTIONS, MOST_GENERALS = 6, 8, 20
"""How many kinds of each there may be, as in a file."""


def begun(seat: Seat) -> Roster:
    """Begin a deck with no card in it."""
    return Roster(name=samples.OWN, side=side_of(seat), headquarters=HeadquartersCard())


def owned(roster: Roster) -> Roster:
    """Make a deck one's own: what somebody has changed is no sample any more."""
    return samples.owned(roster, DECKS)


def edit(state: State, seat: Seat, action: Editing) -> Roster:
    """Change a player's deck; raise Refusal naming the field, with nothing changed."""
    roster = owned(state.rosters.get(seat) or begun(seat))
    match action:
        case do.NameDeck():
            return replace(roster, name=tidy(action.name))
        case do.SetCount():
            return with_count(roster, action.card, action.count)
        case do.EditUnit():
            return _unit(roster, action)
        case do.EditWeapon():
            return _weapon(roster, action)
        case do.EditEquipment():
            return _equipment(roster, action)
        case do.EditSupport():
            return _support(roster, action)
        case do.EditHeadquarters():
            card = HeadquartersCard(pi=action.pi, income=action.income, ap_cap=action.ap_cap, armour=action.armour)
            return replace(roster, headquarters=card)
        case do.EditGeneral():
            return _general(roster, action)
        case do.RemoveCard():
            return _without(roster, action.part)


def card_at(roster: Roster, number: int, field: str = "card") -> UnitCard | SupportCard:
    """Return a card by its number; raise Refusal when there is none."""
    if number >= len(roster.cards):
        raise Refusal(say("There is no such card in your deck."), field=field)
    return roster.cards[number]


def with_count(roster: Roster, number: int, count: int) -> Roster:
    """Return the deck with so many copies of a card (G2-06)."""
    return with_card(roster, number, replace(card_at(roster, number), count=count))


def with_card(roster: Roster, number: int | None, card: UnitCard | SupportCard) -> Roster:
    """Put a card in the place of another, or (None) behind those of its kind."""
    if isinstance(card, UnitCard):
        return replace(roster, unit=put(roster.unit, number, card, MOST_KINDS))
    at = None if number is None else number - len(roster.unit)
    return replace(roster, support=put(roster.support, at, card, MOST_KINDS))


def _unit_at(roster: Roster, number: int, field: str = "card") -> UnitCard:
    found = card_at(roster, number, field)
    if not isinstance(found, UnitCard):
        raise Refusal(say("That is no unit card."), "G2-12", field)
    return found


def _unit(roster: Roster, action: do.EditUnit) -> Roster:
    old = None if action.card is None else _unit_at(roster, action.card)
    made = UnitCard(
        name=tidy(action.name),
        family=action.family,
        subtype=None if action.subtype == "none" else action.subtype,
        cost=action.cost,
        movement=action.movement,
        armour=action.armour,
        wounds=action.wounds,
        command=action.command,
        paratrooper=action.paratrooper,
        moves_at_once=action.moves_at_once,
        capabilities=tidy(action.capabilities, "capabilities"),
        weapon=old.weapon if old else (),
        option=old.option if old else (),
        count=action.count,
    )
    return with_card(roster, action.card, made)


def _support(roster: Roster, action: do.EditSupport) -> Roster:
    if action.card is not None and not isinstance(card_at(roster, action.card), SupportCard):
        raise Refusal(say("That is no support card."), "G2-18", "card")
    made = SupportCard(
        name=tidy(action.name),
        kind=action.kind,
        cost=action.cost,
        duration=action.duration,
        any_phase=action.any_phase,
        text=tidy(action.text, "text"),
        aim=(action.aim_hit, action.aim_crit),
        cover=(action.cover_hit, action.cover_crit),
        armour=action.armour,
        movement=action.movement,
        ap=action.ap,
        draw=action.draw,
        heal=action.heal,
        harm=action.harm,
        general=action.general,
        only=tuple(dict.fromkeys(action.only)),
        count=action.count,
    )
    return with_card(roster, action.card, made)


def parted(part: str) -> tuple[str, int, str]:
    """Read the name of a part of a deck: what it belongs to (``c`` or ``g``), its number, and what of it."""
    whole, _, inner = part.partition(".")
    return whole[0], int(whole[1:]), inner


def _weapon_number(card: UnitCard, inner: str) -> int | None:
    """Return which weapon of a card is meant, None where it is the card itself; raise Refusal when there is none."""
    number = inner.removeprefix("w")
    if not inner:
        return None
    if not inner.startswith("w") or not number.isdecimal() or int(number) >= len(card.weapon):
        raise Refusal(say("There is no such weapon on that card."), field="part")
    return int(number)


def _weapon(roster: Roster, action: do.EditWeapon) -> Roster:
    of, number, inner = parted(action.part)
    card = _unit_at(roster, number if of == "c" else len(roster.cards), "part")
    made = Weapon(
        name=tidy(action.name),
        range=action.range,
        hit=action.hit,
        crit=action.crit,
        penetration=action.penetration,
        damage=action.damage,
        flips=action.flips,
    )
    weapons = put(card.weapon, _weapon_number(card, inner), made, MOST_WEAPONS)
    return with_card(roster, number, replace(card, weapon=weapons))


def slot_of(name: str) -> str:
    """Make the slot of an equipment option out of its name."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    slot = "_".join("".join(letter if letter.isalnum() else " " for letter in plain).split())[:20].strip("_")
    return slot if slot[:1].isalpha() and not re.fullmatch(r"w\d+", slot) else f"e_{slot}"[:20]


def _slot_number(card: UnitCard, inner: str) -> int | None:
    if not inner:
        return None
    found = next((at for at, option in enumerate(card.option) if option.slot_id == inner), None)
    if found is None:
        raise Refusal(say("There is no such equipment on that card."), field="part")
    return found


def _equipment(roster: Roster, action: do.EditEquipment) -> Roster:
    of, number, inner = parted(action.part)
    card = _unit_at(roster, number if of == "c" else len(roster.cards), "part")
    at = _slot_number(card, inner)
    name = tidy(action.name)
    slot = slot_of(name)
    if any(option.slot_id == slot for number, option in enumerate(card.option) if number != at):
        raise Refusal(say("“{name}” is there twice.", name=name), field="name")
    old = card.option[at].weapon if at is not None and card.option[at].slot_id == slot else None
    weapon = (
        Weapon(
            name=old.name if old else name,
            range=action.range,
            hit=action.hit,
            crit=action.crit,
            penetration=action.penetration,
            damage=action.damage,
            flips=action.flips,
        )
        if action.hit
        else None
    )
    made = Equipment(
        slot_id=slot,
        cost=action.cost,
        kind=action.kind,
        flips=action.flips,
        pins=action.pins,
        cover=(action.cover_hit, action.cover_crit),
        weapon=weapon,
        text=tidy(action.text, "text"),
    )
    return with_card(roster, number, replace(card, option=put(card.option, at, made, MOST_OPTIONS)))


def _general(roster: Roster, action: do.EditGeneral) -> Roster:
    if action.general is not None and action.general >= len(roster.general):
        raise Refusal(say("There is no such general."), "G2-35", "general")
    made = GeneralCard(
        name=tidy(action.name), text=tidy(action.text, "text"), income=action.income, ap_cap=action.ap_cap
    )
    return replace(roster, general=put(roster.general, action.general, made, MOST_GENERALS))


def _without(roster: Roster, part: str) -> Roster:
    """Take a card, a part of it or a general out of the deck."""
    of, number, inner = parted(part)
    if of == "g":
        if inner or number >= len(roster.general):
            raise Refusal(say("There is no such general."), "G2-35", "part")
        return replace(roster, general=but(roster.general, number))
    if inner:
        card = _unit_at(roster, number, "part")
        slot = next((at for at, option in enumerate(card.option) if option.slot_id == inner), None)
        if slot is not None:
            return with_card(roster, number, replace(card, option=but(card.option, slot)))
        weapon = _weapon_number(card, inner)
        return with_card(roster, number, replace(card, weapon=but(card.weapon, weapon or 0)))
    card_at(roster, number, "part")
    units = len(roster.unit)
    if number < units:
        return replace(roster, unit=but(roster.unit, number))
    return replace(roster, support=but(roster.support, number - units))
