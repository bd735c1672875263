"""What a player may do with the decks before the battle."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from companion.games.tactics_2gm import actions as do
from companion.games.tactics_2gm import preparing_forms as forms
from companion.games.tactics_2gm import speech
from companion.games.tactics_2gm.cards import SUBTYPES, HeadquartersCard, UnitCard
from companion.games.tactics_2gm.limits import limit_of, points_of, shared
from companion.games.tactics_2gm.sample import DECKS
from companion.games.tactics_2gm.sides import paired, seats_of, side_of
from companion.kit.asking import Option
from companion.kit.decks import fields
from companion.kit.decks import offers as ways
from companion.kit.decks.samples import written
from companion.kit.decks.written import MOST_COPIES
from companion.kit.offer import Field, Offer
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.cards import Roster, SupportCard
    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a player his own deck, and what all may do about the others."""
    roster = state.rosters.get(seat)
    found = _first(side_of(seat)) if roster is None else list(_of_deck(roster, side_of(seat), full=_full(state, seat)))
    if roster is not None and shared(state, side_of(seat)):
        found += _sharing(state, seat, roster)
    if paired(state.options, side_of(seat)):
        found.append(_marshal(state, seat))
    terrain = fields.file(written(state.terrain_deck))
    found.append(
        Offer(
            "load_terrain",
            say("Terrain deck from a file"),
            fields=(terrain,),
            loose=True,
            aside=True,
            clause="G2-05",
            button=say("Use this terrain deck"),
        )
    )
    if state.options.mode == "scenario":
        field = fields.file(written(state.scenario) if state.scenario else "")
        found.append(
            Offer(
                "load_scenario",
                say("Scenario from a file"),
                fields=(field,),
                loose=True,
                aside=True,
                clause="G2-09",
                button=say("Use this scenario"),
            )
        )
    return found


def _first(side: Side) -> list[Offer]:
    """Offer the ways to come to a deck."""
    sample = DECKS[f"{side}_sample"]
    return [
        *_samples(side, main=True),
        ways.load(sample, "G2-06", aside=False),
        *_new_unit(say("Begin a deck of your own: its first card"), aside=False),
    ]


def _samples(side: Side, *, main: bool) -> list[Offer]:
    return ways.samples([name for name, deck in DECKS.items() if deck.side == side], "G2-06", main=main)


@lru_cache(maxsize=32)
def _of_deck(roster: Roster, side: Side, *, full: bool) -> tuple[Offer, ...]:
    """Offer to change the lines of a deck, and what is rarely wanted in its menu."""
    found: list[Offer] = []
    for number, card in enumerate(roster.cards):
        found += _line(number, card, full=full)
    hq = roster.headquarters or HeadquartersCard()
    change = ways.change(say("Headquarters"))
    found.append(Offer("edit_headquarters", change, fields=forms.headquarters(hq), on="hq", loose=True))
    for at, general in enumerate(roster.general):
        change = _change(general.name)
        found.append(Offer("edit_general", change, {"general": at}, forms.general(general), on=f"g{at}", loose=True))
    found += [
        *_new_unit(say("Add a unit card"), aside=True),
        ways.menu(do.EditSupport, say("Add a support card"), *forms.support()),
        ways.menu(do.EditGeneral, say("Add a general"), *forms.general()),
        ways.rename(roster),
        *ways.take_out(do.RemoveCard, "part", _parts(roster)),
        ways.load(roster, "G2-06", aside=True),
        *_samples(side, main=False),
    ]
    return tuple(found)


def _full(state: State, seat: Seat) -> bool:
    """Tell whether a deck costs more than it may already: then cards are only taken out (G2-11)."""
    return points_of(state, seat) > limit_of(state, seat)


def _line(number: int, card: UnitCard | SupportCard, *, full: bool) -> list[Offer]:
    """Offer to change how many there are of a card, and the card itself."""
    on, given = f"c{number}", {"card": number}
    found = ways.counts(do.SetCount, on, card.count, most=card.count if full else MOST_COPIES, **given)
    if not isinstance(card, UnitCard):
        return [*found, Offer("edit_support", _change(card.name), given, forms.support(card), on=on, loose=True)]
    change = Offer(
        "edit_unit",
        _change(card.name),
        {**given, "family": card.family},
        forms.unit(card.family, card),
        on=on,
        loose=True,
    )
    return [*found, change, *_weapons(on, card), *_equipment(on, card)]


def _change(name: str) -> Text:
    return ways.change(speech.called(name))


def _new_unit(label: Text, *, aside: bool) -> list[Offer]:
    """Offer to add a unit card; its family says of which kinds it may be (G2-12 to G2-17)."""
    families = tuple(Option(one, Text(one)) for one in SUBTYPES)
    return [
        Offer(
            "edit_unit",
            label,
            {"family": family},
            forms.unit(family),
            on=ways.DECK,
            loose=True,
            aside=aside,
            among=Field("family", say("Family"), "choice", families, family),
            clause="G2-06",
        )
        for family in SUBTYPES
    ]


def _weapons(on: str, card: UnitCard) -> list[Offer]:
    """Offer to change each weapon of a unit card, and to add one."""
    parts = [(Option(f"{on}.w{at}", speech.called(one.name)), forms.weapon(one)) for at, one in enumerate(card.weapon)]
    parts.append((Option(on, say("another weapon")), forms.weapon()))
    return ways.among(do.EditWeapon, say("Weapons: {card}", card=speech.called(card.name)), "part", parts, on=on)


def _equipment(on: str, card: UnitCard) -> list[Offer]:
    """Offer to change each equipment option of a unit card, and to add one."""
    parts = [(Option(f"{on}.{one.slot_id}", speech.called(one.slot_id)), forms.equipment(one)) for one in card.option]
    parts.append((Option(on, say("more equipment")), forms.equipment()))
    label = say("Equipment: {card}", card=speech.called(card.name))
    return ways.among(do.EditEquipment, label, "part", parts, on=on)


def _parts(roster: Roster) -> tuple[Option, ...]:
    """List everything that can be taken out of a deck."""
    found = []
    for number, card in enumerate(roster.cards):
        name = speech.called(card.name)
        found.append(Option(f"c{number}", name))
        if isinstance(card, UnitCard):
            parts = [(f"w{at}", weapon.name) for at, weapon in enumerate(card.weapon)]
            parts += [(one.slot_id, one.slot_id) for one in card.option]
            found += [
                Option(f"c{number}.{part}", say("{card}: {part}", card=name, part=speech.called(called)))
                for part, called in parts
            ]
    found += [Option(f"g{at}", speech.called(one.name)) for at, one in enumerate(roster.general)]
    return tuple(found)


def _sharing(state: State, seat: Seat, roster: Roster) -> list[Offer]:
    """Offer to hand copies of a card to the partner (G2-149)."""
    cards = tuple(
        Option(str(number), speech.called(card.name)) for number, card in enumerate(roster.cards) if card.count
    )
    if not cards:
        return []
    most = max(card.count for card in roster.cards)
    asked = (
        Field("card", say("Card"), "choice", cards, cards[0].value),
        fields.number("count", say("How many"), 1, 1, most),
    )
    partner = Text(state.partner(seat) or seat)
    label = say("Hand cards to {partner}", partner=partner)
    return [Offer("share", label, fields=asked, on=ways.DECK, loose=True, clause="G2-149")]


def _marshal(state: State, seat: Seat) -> Offer:
    """Offer to say who of two leads (G2-150)."""
    side = side_of(seat)
    options = (
        *(Option(one, Text(one)) for one in seats_of(state.options, side)),
        Option("die", say("Let a die decide")),
    )
    field = Field("marshal", say("Field marshal"), "choice", options, state.leader(side))
    return Offer("set_marshal", say("Choose the field marshal"), fields=(field,), aside=True, clause="G2-150")
