"""Corrections of cards in play: where they lie, whether they are locked, what changes them, what they did."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from companion.games.history_of_war import damage, declaring, hands, speech
from companion.games.history_of_war.cards import CATEGORIES, BaseCard, Fielded, UnitCard, UpgradeCard
from companion.games.history_of_war.pieces import Bonus
from companion.games.history_of_war.sides import SEATS
from companion.kit.asking import Option
from companion.kit.cards import FACE_DOWN
from companion.kit.corrected import choice, yes_no
from companion.kit.correction import Tracked
from companion.kit.offer import Field
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.cards import Category
    from companion.games.history_of_war.pieces import Played
    from companion.games.history_of_war.state import State

MOST = 30
"""By how much a value can be changed by hand, upwards or downwards."""
MOST_MARKERS = 99
AWAY = {"hand": say("into the hand"), "depot": say("into the depot"), "scrapyard": say("to the scrapyard")}
AREAS = {"base": ("base",), "unit": ("deployment", "base"), "development": ()}
FOUND = "found."
"""Before the place of an upgrade that lies in the scrapyard."""


def tracked(state: State) -> tuple[Tracked, ...]:
    """List what can be corrected about every card in play."""
    return tuple(
        Tracked(
            f"card.{card.id}.{name}",
            speech.unit(state, card),
            field,
            part=say("Cards in play: {seat}", seat=Text(seat)),
        )
        for seat in SEATS
        for card in state.cards
        if card.seat == seat
        for name, field in _fields(state, card).items()
    )


def _fields(state: State, card: Played) -> dict[str, Field]:
    """List the values of a card; one that is set aside or not yet placed has no others than its place."""
    fields = {"place": choice(say("Place"), _places(state, card), card.place)}
    if card not in state.of(card.seat):
        return fields
    fields["locked"] = yes_no(say("Locked"), value=card.locked)
    upgrades = _upgrades(state, card)
    if upgrades and state.is_unit(card):
        attached = tuple(str(at) for at in range(len(card.upgrades)))
        fields["upgrades"] = Field("value", say("Upgrades on it"), "many", upgrades, value=attached)
    missing = [one for one in CATEGORIES if state.printed(card, one) is None]
    if missing and isinstance(state.card(card), Fielded):
        options = tuple(Option(one, Text(one)) for one in missing)
        fields["given"] = Field(
            "value",
            say("Attack values that it has by a card's text"),
            "many",
            options,
            value=tuple(one for one in missing if one in card.given),
        )
    fields |= {name: _number(label, *_span(state, card, name)) for name, label in _values(state, card).items()}
    if isinstance(state.card(card), Fielded):
        markers = say("Markers on it")
        fields["markers"] = _number(markers, card.markers, 0, max(MOST_MARKERS, card.markers))
    return fields | (_this_round(state, card) if state.begun else {})


def _number(label: Text, value: int, low: int, high: int) -> Field:
    return Field("value", label, "number", value=value, low=low, high=high)


def _places(state: State, card: Played) -> tuple[Option, ...]:
    printed = state.card(card)
    sort = "base" if isinstance(printed, BaseCard) else "unit" if isinstance(printed, UnitCard) else "development"
    areas = dict.fromkeys((*AREAS[sort], *((card.place,) if state.territory(card.place) is None else ())))
    lands = state.territories if sort != "base" else ()
    found = [Option(area, Text(area)) for area in areas]
    for one in lands:
        name = speech.territory(state, one)
        found.append(Option(one.id, say("{territory}, set aside", territory=name) if one.conqueror else name))
    return (*found, *(Option(where, label) for where, label in AWAY.items()))


def _upgrades(state: State, card: Played) -> tuple[Option, ...]:
    """List the upgrades on a card, then those of its owner's scrapyard, all by their place."""
    on_it = (Option(str(at), speech.code(state, card.seat, code)) for at, code in enumerate(card.upgrades))
    lost = (
        Option(f"{FOUND}{at}", say("{card}, out of the scrapyard", card=speech.code(state, card.seat, code)))
        for at, code in enumerate(state.deck(card.seat).scrapyard)
        if isinstance(state.find_card(card.seat, code), UpgradeCard)
    )
    return (*on_it, *lost)


def _values(state: State, card: Played) -> dict[str, Text]:
    """Name the values that a card has and that can be changed by hand."""
    named: dict[str, Text] = {
        one: say("Attack value: {category}", category=Text(one)) for one in CATEGORIES if one in state.values(card)
    }
    if state.dv(card) is not None:
        named["dv"] = say("Defence value")
    if isinstance(state.card(card), Fielded):
        named["flags"] = say("Flags")
    return named


def _span(state: State, card: Played, name: str) -> tuple[int, int, int]:
    """Return a value as it is now, and the lowest and the highest that it can be set to."""
    now, bare = _value(state, card, name), _bare(state, card, name)
    least = 1 if name == "dv" else 0
    return now, min(now, max(least, bare - MOST)), max(now, bare + MOST)


def _value(state: State, card: Played, name: str) -> int:
    if name == "flags":
        return state.flags(card)
    return (state.dv(card) if name == "dv" else state.value(card, cast("Category", name))) or 0


def _bare(state: State, card: Played, name: str) -> int:
    """Return a value without what was added by hand, below 0 too."""
    return _value(state, replace(card, bonus=Bonus(**{name: MOST})), name) - MOST


def _this_round(state: State, card: Played) -> dict[str, Field]:
    """List what a card did or suffered in this round, where something depends on it."""
    fields: dict[str, Field] = {}
    if state.phase in damage.PHASES:
        fields["damage"] = _number(say("Damage in this phase"), card.damage, 0, max(MOST_MARKERS, card.damage))
    if state.values(card):
        fields["blocked"] = yes_no(say("Has blocked in this round"), value=card.blocked)
        options = tuple(Option(one, Text(one)) for one in CATEGORIES if one in state.values(card) or one in card.used)
        used = tuple(one for one in CATEGORIES if one in card.used)
        fields["used"] = Field("value", say("Attack values used in this round"), "many", options, value=used)
    return fields


def correct(state: State, card: Played, part: str, value: str) -> State:
    """Set a value of a card in play."""
    match part:
        case "place":
            return _put(state, card, value)
        case "upgrades":
            return _attach(state, card, [one for one in value.split(",") if one])
        case "markers" | "damage":
            return state.with_card(card.id, **{part: int(value)})
        case "given":
            return _give(state, card, [one for one in value.split(",") if one])
        case "used":
            return state.with_card(card.id, used=tuple(one for one in value.split(",") if one))
        case "locked" | "blocked":
            return state.with_card(card.id, **{part: value == "true"})
    added = int(value) - _bare(state, card, part)
    return state.with_card(card.id, bonus=replace(card.bonus, **{part: added}))


def _give(state: State, card: Played, chosen: list[str]) -> State:
    """Give a card attack values where "-" is printed: 0, and what its upgrades add; one taken again is "-" (HW-09)."""
    given = tuple(one for one in CATEGORIES if one in chosen)
    lost = {one: 0 for one in card.given if one not in given}
    return state.with_card(card.id, given=given, bonus=replace(card.bonus, **lost))


def _put(state: State, card: Played, where: str) -> State:
    """Put a card elsewhere; it attacks and blocks no more. Upgrades stay with it, or are lost when it leaves play."""
    state = declaring.withdrawn(state, card).but(last=None)
    if where not in AWAY:
        return state.with_card(card.id, place=where)
    if where == "scrapyard":
        return hands.bury(state, card)
    deck = state.deck(card.seat)
    state = state.but(cards=tuple(one for one in state.cards if one.id != card.id))
    state = state.with_deck(card.seat, scrapyard=(*deck.scrapyard, *card.upgrades))
    if where == "hand":
        return hands.take_back(state, card.seat, card.code)
    if not state.real:
        return state.with_deck(card.seat, depot=(*deck.depot, card.code))
    out = tuple(code for code in deck.out if code != card.code)
    return state.with_deck(card.seat, depot=(*deck.depot, FACE_DOWN), out=out)


def _attach(state: State, card: Played, chosen: list[str]) -> State:
    """Leave only some upgrades on a card, the others are lost; and attach some that lie in the scrapyard."""
    deck = state.deck(card.seat)
    kept = tuple(code for at, code in enumerate(card.upgrades) if str(at) in chosen)
    lost = tuple(code for at, code in enumerate(card.upgrades) if str(at) not in chosen)
    found = tuple(code for at, code in enumerate(deck.scrapyard) if f"{FOUND}{at}" in chosen)
    left = tuple(code for at, code in enumerate(deck.scrapyard) if f"{FOUND}{at}" not in chosen)
    state = state.with_deck(card.seat, scrapyard=(*left, *lost))
    return state.with_card(card.id, upgrades=(*kept, *found))
