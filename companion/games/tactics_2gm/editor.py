"""The editor: a player's own deck, card by card (G2-06, G2-12 to G2-21, G2-28, G2-35)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from companion.games.tactics_2gm import cards, decks
from companion.games.tactics_2gm.cards import GeneralCard, HeadquartersCard, Roster, SupportCard, UnitCard, Weapon
from companion.games.tactics_2gm.options import Seat
from companion.games.tactics_2gm.players import Number, Part
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import State
from companion.kit.action import Action, Field, Offer
from companion.kit.chapter import Chapter
from companion.kit.decks import entries
from companion.kit.decks import offers as deck_offers
from companion.kit.decks.entries import MOST_COPIES, Called, Copies, InDeck, Shift, but, made, put, tidy
from companion.kit.forms import filled
from companion.kit.questions import Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

editor = Chapter[State, Seat]()


class EditUnit(Action, cards.UnitValues, frozen=True, kw_only=True, tag="edit_unit"):
    """Add a unit card to your roster, or change one; its weapons and equipment stay."""

    subtype: cards.Subtype | Literal["none"] = "none"
    count: Copies = 1
    card: Number | None = None


class EditWeapon(Action, Weapon, frozen=True, kw_only=True, tag="edit_weapon"):
    """Add a weapon to a unit card (``part`` is the card), or change one (``part`` is the weapon)."""

    part: Part


class EditEquipment(Action, frozen=True, kw_only=True, tag="edit_equipment"):
    """Add an equipment option to a unit card, or change one (``part``); ``hit`` 0 means that it fires nothing.

    Its slot is made of the ``name``.
    """

    part: Part
    name: Called
    cost: cards.Cost
    kind: cards.Kind
    flips: cards.Flips = False
    pins: cards.Pins = False
    cover_hit: Annotated[Shift, Meta(title="Cover it gives: to hit")] = 0
    cover_crit: Annotated[Shift, Meta(title="Cover it gives: critical")] = 0
    hit: Annotated[int, Meta(title="Hits on (0: it fires nothing)", ge=0, le=10)] = 0
    crit: cards.Critical = 10
    range: cards.Range = 0
    penetration: cards.Penetration = 0
    damage: cards.Damage = 1
    text: cards.More = ""


class EditSupport(Action, cards.SupportText, frozen=True, kw_only=True, tag="edit_support"):
    """Add a support card to your roster, or change one."""

    aim_hit: Annotated[Shift, Meta(title="The unit's own shots: to hit")] = 0
    aim_crit: Annotated[Shift, Meta(title="The unit's own shots: critical")] = 0
    cover_hit: Annotated[Shift, Meta(title="Shots at the unit: to hit")] = 0
    cover_crit: Annotated[Shift, Meta(title="Shots at the unit: critical")] = 0
    armour: cards.MoreArmour = 0
    movement: cards.MoreMovement = 0
    ap: cards.Ap = 0
    draw: cards.Draw = 0
    heal: cards.Heal = 0
    harm: cards.HarmDone = 0
    general: cards.TakesGeneral = False
    only: cards.Only = ()
    count: InDeck = 1
    card: Number | None = None


class EditHeadquarters(Action, HeadquartersCard, frozen=True, kw_only=True, tag="edit_headquarters"):
    """Change your headquarters card (G2-28, G2-31, G2-34)."""

    pi: cards.Impact
    income: cards.HeadquartersIncome
    ap_cap: cards.MostKept


class EditGeneral(Action, GeneralCard, frozen=True, kw_only=True, tag="edit_general"):
    """Add a general to your roster, or change one (G2-35)."""

    general: Number | None = None


class RemoveCard(Action, frozen=True, tag="remove_card"):
    """Take a card out of your roster, a weapon or an equipment option off a card, or a general."""

    part: Part


def _unit_form(card: UnitCard) -> tuple[Field, ...]:
    """Ask for a unit card; its family says of which kinds it may be, and that aircraft carry no paratroopers."""
    flies = card.family == "aircraft"
    kinds = cards.SUBTYPES[card.family] if flies else ("none", *cards.SUBTYPES[card.family])
    values = filled(card, "cost", "wounds", "movement", "armour", "count")
    return (
        entries.called(card.name),
        entries.choice("subtype", say("Kind"), kinds, card.subtype or "none"),
        *(field for field in values if not (flies and field.name == "paratrooper")),
    )


def _equipment_form(option: cards.Equipment) -> tuple[Field, ...]:
    """Ask for an equipment option, and for what it fires (G2-67, G2-92)."""
    shown = made(
        EditEquipment,
        option.weapon or NO_WEAPON,
        part="",
        name=option.slot_id,
        cost=option.cost,
        kind=option.kind,
        flips=option.flips,
        pins=option.pins,
        cover_hit=option.cover[0],
        cover_crit=option.cover[1],
        text=option.text,
    )
    return (entries.called(shown.name), *filled(shown))


def _support_form(card: SupportCard) -> tuple[Field, ...]:
    (aim_hit, aim_crit), (cover_hit, cover_crit) = card.aim, card.cover
    shown = made(EditSupport, card, aim_hit=aim_hit, aim_crit=aim_crit, cover_hit=cover_hit, cover_crit=cover_crit)
    return (entries.called(card.name), *filled(shown, "kind", "cost", "duration", "any_phase", "count"))


def _named_form(card: Weapon | GeneralCard) -> tuple[Field, ...]:
    return entries.called(card.name), *filled(card)


@editor.offers
def offers(state: State, seat: Seat) -> Iterable[Offer]:
    """Offer a player to change the lines of his deck; one that costs too much already is only cut (G2-11)."""
    roster = state.rosters.get(seat)
    if not decks.may_build(state, seat):
        return ()
    if roster is None:
        return _new_unit(say("Begin a deck of your own: its first card"), aside=False)
    return _of_deck(roster, full=decks.points_of(state, seat) > decks.limit_of(state, seat))


@lru_cache(maxsize=32)
def _of_deck(roster: Roster, *, full: bool) -> tuple[Offer, ...]:
    """Offer to change the lines of a deck, and what is rarely wanted in its menu."""
    lines = [offer for number, card in enumerate(roster.cards) for offer in _line(number, card, full=full)]
    change = deck_offers.change(say("Headquarters"))
    hq = roster.headquarters or HeadquartersCard()
    generals = [
        EditGeneral.offer(
            deck_offers.change(called(general.name)), *_named_form(general), on=f"g{at}", loose=True, general=at
        )
        for at, general in enumerate(roster.general)
    ]
    return (
        *lines,
        EditHeadquarters.offer(change, *filled(hq), on="hq", loose=True),
        *generals,
        *_new_unit(say("Add a unit card"), aside=True),
        deck_offers.menu(EditSupport, say("Add a support card"), *_support_form(NEW_SUPPORT)),
        deck_offers.menu(EditGeneral, say("Add a general"), *_named_form(GeneralCard(name=""))),
        deck_offers.rename(roster),
        *deck_offers.take_out(RemoveCard, "part", _parts(roster)),
    )


NEW_SUPPORT = SupportCard(name="", kind="supplies", cost=1)
NEW_EQUIPMENT = cards.Equipment(slot_id="", cost=1, kind="offensive")
NEW_WEAPON = Weapon(name="", range=2, hit=5, crit=10, penetration=2, damage=1)
NO_WEAPON = Weapon(name="", range=1, hit=0, crit=10, penetration=2, damage=1)


def _line(number: int, card: UnitCard | SupportCard, *, full: bool) -> Iterator[Offer]:
    """Offer to change how many there are of a card, and the card itself."""
    on, name = f"c{number}", called(card.name)
    change = deck_offers.change(name)
    yield from deck_offers.counts(decks.SetCount, on, card.count, most=card.count if full else MOST_COPIES, card=number)
    if isinstance(card, SupportCard):
        yield EditSupport.offer(change, *_support_form(card), on=on, loose=True, card=number)
        return
    yield EditUnit.offer(change, *_unit_form(card), on=on, loose=True, card=number, family=card.family)
    weapons = [
        (Option(f"{on}.w{at}", called(weapon.name)), _named_form(weapon)) for at, weapon in enumerate(card.weapon)
    ]
    weapons.append((Option(on, say("another weapon")), _named_form(NEW_WEAPON)))
    yield from deck_offers.among(EditWeapon, say("Weapons: {card}", card=name), "part", weapons, on=on)
    options = [
        (Option(f"{on}.{option.slot_id}", called(option.slot_id)), _equipment_form(option)) for option in card.option
    ]
    options.append((Option(on, say("more equipment")), _equipment_form(NEW_EQUIPMENT)))
    yield from deck_offers.among(EditEquipment, say("Equipment: {card}", card=name), "part", options, on=on)


def _new_unit(label: Text, *, aside: bool) -> Iterator[Offer]:
    """Offer to add a unit card; its family says of which kinds it may be (G2-12 to G2-17)."""
    families = tuple(Option(each, Text(each)) for each in cards.SUBTYPES)
    for family, kinds in cards.SUBTYPES.items():
        blank = UnitCard(name="", family=family, subtype=kinds[0], cost=1, wounds=3, movement=1, armour=1)
        yield EditUnit.offer(
            label,
            *_unit_form(blank),
            on=deck_offers.DECK,
            loose=True,
            aside=aside,
            among=Field("family", say("Family"), "choice", families, family),
            clause="G2-06",
            family=family,
        )


def _parts(roster: Roster) -> tuple[Option, ...]:
    parts = []
    for number, card in enumerate(roster.cards):
        name = called(card.name)
        parts.append(Option(f"c{number}", name))
        if isinstance(card, UnitCard):
            inner = [(f"w{at}", weapon.name) for at, weapon in enumerate(card.weapon)]
            inner += [(option.slot_id, option.slot_id) for option in card.option]
            parts += [
                Option(f"c{number}.{part}", say("{card}: {part}", card=name, part=called(what))) for part, what in inner
            ]
    return (*parts, *(Option(f"g{at}", called(general.name)) for at, general in enumerate(roster.general)))


def _unit_at(roster: Roster, number: int, field: str = "card") -> UnitCard:
    card = decks.card_at(roster, number, field)
    if not isinstance(card, UnitCard):
        raise Refusal(say("That is no unit card."), "G2-12", field)
    return card


@decks.building.edits(EditUnit)
def edit_unit(roster: Roster, action: EditUnit) -> Roster:
    """Add or change a unit card (G2-12 to G2-17)."""
    old = None if action.card is None else _unit_at(roster, action.card)
    card = made(
        UnitCard,
        action,
        name=tidy(action.name),
        subtype=None if action.subtype == "none" else action.subtype,
        capabilities=tidy(action.capabilities, "capabilities"),
        weapon=old.weapon if old else (),
        option=old.option if old else (),
    )
    return decks.with_card(roster, action.card, card)


@decks.building.edits(EditSupport)
def edit_support(roster: Roster, action: EditSupport) -> Roster:
    """Add or change a support card (G2-18 to G2-21)."""
    if action.card is not None and not isinstance(decks.card_at(roster, action.card), SupportCard):
        raise Refusal(say("That is no support card."), "G2-18", "card")
    card = made(
        SupportCard,
        action,
        name=tidy(action.name),
        text=tidy(action.text, "text"),
        aim=(action.aim_hit, action.aim_crit),
        cover=(action.cover_hit, action.cover_crit),
        only=tuple(dict.fromkeys(action.only)),
    )
    return decks.with_card(roster, action.card, card)


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


@decks.building.edits(EditWeapon)
def edit_weapon(roster: Roster, action: EditWeapon) -> Roster:
    """Add or change a weapon of a unit card (G2-59 to G2-65)."""
    number, card, inner = _of_unit(roster, action.part)
    weapon = made(Weapon, action, name=tidy(action.name))
    weapons = put(card.weapon, _weapon_number(card, inner), weapon, cards.MOST_WEAPONS)
    return decks.with_card(roster, number, replace(card, weapon=weapons))


def _of_unit(roster: Roster, part: str) -> tuple[int, UnitCard, str]:
    """Return the number of a unit card, the card, and what part of it is meant."""
    of, number, inner = parted(part)
    return number, _unit_at(roster, number if of == "c" else len(roster.cards), "part"), inner


def _slot_number(card: UnitCard, inner: str) -> int | None:
    return next((at for at, option in enumerate(card.option) if option.slot_id == inner), None)


@decks.building.edits(EditEquipment)
def edit_equipment(roster: Roster, action: EditEquipment) -> Roster:
    """Add or change an equipment option of a unit card, and what it fires (G2-67, G2-92)."""
    number, card, inner = _of_unit(roster, action.part)
    at, name = _slot_number(card, inner), tidy(action.name)
    if inner and at is None:
        raise Refusal(say("There is no such equipment on that card."), field="part")
    slot = cards.slot_of(name)
    if any(option.slot_id == slot for other, option in enumerate(card.option) if other != at):
        raise Refusal(say("“{name}” is there twice.", name=name), field="name")
    old = card.option[at].weapon if at is not None and card.option[at].slot_id == slot else None
    option = made(
        cards.Equipment,
        action,
        slot_id=slot,
        cover=(action.cover_hit, action.cover_crit),
        weapon=made(Weapon, action, name=old.name if old else name) if action.hit else None,
        text=tidy(action.text, "text"),
    )
    return decks.with_card(roster, number, replace(card, option=put(card.option, at, option, cards.MOST_OPTIONS)))


@decks.building.edits(EditHeadquarters)
def edit_headquarters(roster: Roster, action: EditHeadquarters) -> Roster:
    """Change the headquarters card."""
    return replace(roster, headquarters=made(HeadquartersCard, action))


@decks.building.edits(EditGeneral)
def edit_general(roster: Roster, action: EditGeneral) -> Roster:
    """Add or change a general (G2-35)."""
    if action.general is not None and action.general >= len(roster.general):
        raise Refusal(say("There is no such general."), "G2-35", "general")
    general = made(GeneralCard, action, name=tidy(action.name), text=tidy(action.text, "text"))
    return replace(roster, general=put(roster.general, action.general, general, cards.MOST_GENERALS))


@decks.building.edits(RemoveCard)
def remove_card(roster: Roster, action: RemoveCard) -> Roster:
    """Take a card, a part of it or a general out of the deck."""
    of, number, inner = parted(action.part)
    if of == "g":
        if inner or number >= len(roster.general):
            raise Refusal(say("There is no such general."), "G2-35", "part")
        return replace(roster, general=but(roster.general, number))
    if inner:
        card = _unit_at(roster, number, "part")
        if (slot := _slot_number(card, inner)) is not None:
            return decks.with_card(roster, number, replace(card, option=but(card.option, slot)))
        return decks.with_card(roster, number, replace(card, weapon=but(card.weapon, _weapon_number(card, inner) or 0)))
    decks.card_at(roster, number, "part")
    units = len(roster.unit)
    if number < units:
        return replace(roster, unit=but(roster.unit, number))
    return replace(roster, support=but(roster.support, number - units))
