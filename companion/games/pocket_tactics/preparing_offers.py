"""What a player may do with the faction and the bag before the game."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from companion.games.pocket_tactics import actions as do
from companion.games.pocket_tactics import bagging, starting
from companion.games.pocket_tactics import preparing_forms as forms
from companion.games.pocket_tactics.cards import MOST_ABILITIES, MOST_COPIES, Faction
from companion.games.pocket_tactics.sample import FACTIONS
from companion.games.pocket_tactics.sides import SEATS
from companion.games.pocket_tactics.speech import called
from companion.kit.asking import Option
from companion.kit.decks import fields
from companion.kit.decks import offers as ways
from companion.kit.offer import Offer
from companion.kit.ruling import Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.cards import UnitCard
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State

WORDS = ways.Wording(
    sample=lambda name: say("Take the sample faction: {name}", name=name),
    instead=say("Replace your faction with this one?"),
    file=say("Faction from a file"),
    use=say("Use this faction"),
    name=say("Name the faction"),
    take_out=say("Take out of the faction"),
)


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a player the own faction or the ways to come to one, the bag, and to say that both stand."""
    if seat in state.ready:
        return [Offer("ready", say("Not ready yet after all"), {"on": False}, clause="PT-11")]
    faction = state.factions.get(seat)
    terrains = tuple(dict.fromkeys(tile.terrain for tile in state.bag.tile)) if state.mirrored else ()
    found = _first(seat) if faction is None else list(_of_faction(faction, terrains, state.options.army_limit))
    if state.mirrored:
        found += bagging.offers(state.bag)
    return found + _ready(state, seat)


def _ready(state: State, seat: Seat) -> list[Offer]:
    try:
        starting.check_ready(state, seat)
    except Refusal:
        return []
    return [Offer("ready", say("Ready: this is my faction"), main=True, clause="PT-11")]


def _first(seat: Seat) -> list[Offer]:
    """Offer the ways to come to a faction: either sample is for either player (PT-11)."""
    names = list(FACTIONS)
    mine_first = names if seat == SEATS[0] else names[::-1]
    return [
        *ways.samples(mine_first, "PT-11", main=True, words=WORDS),
        ways.load(FACTIONS[mine_first[0]], "PT-11", aside=False, words=WORDS),
        Offer(
            "name_deck",
            say("Begin a faction of your own"),
            fields=(fields.called(),),
            on=ways.DECK,
            loose=True,
            clause="PT-11",
        ),
    ]


@lru_cache(maxsize=32)
def _of_faction(faction: Faction, terrains: tuple[str, ...], limit: int) -> tuple[Offer, ...]:
    """Offer to change the lines of a faction, to write new ones, and what is rarely wanted in its menu."""
    full = faction.cost > limit
    found = [offer for at, card in enumerate(faction.unit) for offer in _line(at, card, terrains, full=full)]
    new = Offer("edit_unit", say("Add a unit"), fields=forms.fresh(terrains), on=ways.DECK, loose=True, clause="PT-02")
    return (
        *found,
        new,
        ways.rename(faction, words=WORDS),
        *ways.take_out(do.RemoveCard, "part", _parts(faction), words=WORDS),
        ways.load(faction, "PT-11", aside=True, words=WORDS),
        *ways.samples(FACTIONS, "PT-11", main=False, words=WORDS),
    )


def _line(at: int, card: UnitCard, terrains: tuple[str, ...], *, full: bool) -> list[Offer]:
    """Offer to change how many there are of a unit, its card, and its abilities."""
    on, given = f"u{at}", {"card": at}
    name = called(card.name)
    gone = [Offer("remove_card", say("Take out"), {"part": str(at)}, on=on)] if card.copies == 1 else []
    most = card.copies if full else MOST_COPIES
    return [
        *gone,
        *ways.counts(do.SetCopies, on, card.copies, least=1, most=most, **given),
        Offer("edit_unit", ways.change(name), given, forms.unit(card, terrains), on=on, loose=True, clause="PT-02"),
        *_abilities(at, card),
    ]


def _abilities(at: int, card: UnitCard) -> list[Offer]:
    """Offer to change each ability of a unit, and to add one (PT-05)."""
    parts = [(Option(str(number), called(one.name)), forms.ability(one)) for number, one in enumerate(card.ability)]
    if len(parts) < MOST_ABILITIES:
        parts.append((Option(str(len(parts)), say("another ability")), forms.ability()))
    label = say("Abilities: {unit}", unit=called(card.name))
    return ways.among(do.EditAbility, label, "ability", parts, on=f"u{at}", card=at)


def _parts(faction: Faction) -> tuple[Option, ...]:
    """List everything that can be taken out of a faction."""
    found = []
    for at, card in enumerate(faction.unit):
        found.append(Option(str(at), called(card.name)))
        found += [
            Option(f"{at}.{number}", say("{unit}: {ability}", unit=called(card.name), ability=called(one.name)))
            for number, one in enumerate(card.ability)
        ]
    return tuple(found)
