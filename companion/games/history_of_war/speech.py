"""How cards and territories are called, what stands on a card, and the sample decks as player aids."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.history_of_war.cards import (
    NAMES,
    TEXTS,
    ActionCard,
    BaseCard,
    Card,
    Category,
    DevelopmentCard,
    Fielded,
    Roster,
    TerritoryCard,
    UnitCard,
    UpgradeCard,
)
from companion.games.history_of_war.pieces import Played, Seat, Territory
from companion.games.history_of_war.state import State
from companion.kit.counts import number, signed
from companion.kit.decks import kind_of
from companion.kit.decks.samples import Said
from companion.kit.rulebook import Line, Listing, Sheet
from companion.kit.ruling import Fighter, Harm
from companion.kit.text import Text, listed, say

SAID = Said(NAMES, TEXTS)
called, does = SAID.called, SAID.does


def code(state: State, seat: Seat, card: str) -> Text:
    """Name a card by its code; a face-down one is just a card."""
    printed = state.find_card(seat, card)
    return say("a card") if printed is None else called(printed.name)


def card(state: State, played: Played) -> Text:
    """Name a card in play by what it is; where its owner has several of them in play, with its number."""
    name, kind = called(state.card(played).name), kind_of(played.code)
    others = (each for each in state.cards if each.seat == played.seat and each.id != played.id)
    alike = any(kind_of(other.code) == kind for other in others)
    return say("{unit} {number}", unit=name, number=str(played.number)) if alike else name


def named(state: State, name: str) -> Text:
    """Name a card in play by its id; raise Refusal when there is none."""
    return card(state, state.played(name))


def unit(state: State, played: Played) -> Text:
    """Name a card in play with its owner."""
    return say("{unit} ({side})", unit=card(state, played), side=Text(played.seat))


def territory(state: State, lying: Territory) -> Text:
    """Name a territory; where there are several of the name, with number and owner as far as they tell it apart."""
    name = state.land(lying).name
    alike = [each for each in state.territories if state.land(each).name == name]
    own = [each.id for each in alike if each.seat == lying.seat]
    called_so = called(name)
    if len(own) > 1:
        called_so = say("{unit} {number}", unit=called_so, number=str(own.index(lying.id) + 1))
    return called_so if len(own) == len(alike) else say("{unit} ({side})", unit=called_so, side=Text(lying.seat))


def place(state: State, where: str) -> Text:
    """Name where a card lies."""
    lying = state.territory(where)
    return Text(where) if lying is None else territory(state, lying)


def round_begins(state: State) -> Text:
    """Say which round it is, and who attacks first in it (HW-28)."""
    return say("Round {round}: {side} attacks first", round=state.round, side=Text(state.attacker))


def phase_now(before: State, after: State) -> Text | None:
    """Say the round or the phase that has begun, None where it is still the same."""
    if after.round != before.round:
        return round_begins(after)
    return say("{phase}", phase=Text(after.phase)) if after.phase != before.phase else None


def fighter(state: State, played: Played) -> Fighter:
    """Name a card for the statistics."""
    return Fighter(played.id, played.seat, card(state, played))


def gone(state: State, played: Played) -> Harm:
    """Say for the statistics that a card is out of the game."""
    return Harm(fighter(state, played), fate="gone")


NOTHING = say("–")


def whole(card: Card) -> Text:
    """Say all that stands on a card but its name and its sort (HW-02)."""
    sort = [Text(card.category), *_typed(card.subtype)] if isinstance(card, UnitCard) else []
    return listed([*cost(card), *sort, *numbers(card), *written(card), *_typed(card.insignia, card.year)], NOTHING)


def _typed(*words: str) -> list[Text]:
    return [say("{text}", text=word) for word in words if word]


def cost(card: Card) -> list[Text]:
    """Say what a card costs; territories and base expansions cost nothing (HW-42)."""
    return [say("{count} TA", count=card.ta_cost)] if isinstance(card, Fielded | UpgradeCard | ActionCard) else []


def numbers(card: Card) -> list[Text]:
    """Say the numbers of a card beside its cost."""
    parts = []
    if isinstance(card, TerritoryCard | Fielded):
        parts.append(say("{what} {count}", what=Text("flags"), count=card.flags))
    if isinstance(card, TerritoryCard):
        parts.append(say("{count} victory point|{count} victory points", count=card.victory_points))
    if isinstance(card, Fielded) and any(value is not None for value in card.av.values()):
        ground, air, naval = ("–" if value is None else str(value) for value in card.av.values())
        parts.append(say("attack {ground}/{air}/{naval}", ground=ground, air=air, naval=naval))
    if isinstance(card, UnitCard | DevelopmentCard | BaseCard) and card.dv is not None:
        parts.append(say("{what} {count}", what=Text("dv"), count=card.dv))
    if isinstance(card, BaseCard | Fielded) and card.ta_provided:
        parts.append(say("yields {count} TA", count=card.ta_provided))
    return parts


def written(card: Card) -> list[Text]:
    """Say what is written on a card, part by part."""
    parts: list[Text] = []
    if isinstance(card, UpgradeCard):
        added = card.added.items()
        parts += [say("{what} {count}", what=Text(name), count=signed(value)) for name, value in added if value]
    if isinstance(card, Fielded | UpgradeCard):
        parts += [Text(ability) for ability in card.abilities]
    if isinstance(card, UnitCard) and card.may_also_block:
        parts.append(say("may also block: {what}", what=categories(card.may_also_block)))
    if isinstance(card, UnitCard) and card.may_also_attack:
        parts.append(say("may also attack: {what}", what=categories(card.may_also_attack)))
    return parts + ([does(card.text)] if card.text else [])


def categories(named: tuple[Category, ...]) -> Text:
    """List categories."""
    return listed([Text(category) for category in named], NOTHING)


CARD, COST, FLAGS, COPIES = say("Card"), say("TA"), say("Flags"), say("Copies")
FIELDED = (COST, FLAGS, say("AV ground"), say("AV air"), say("AV naval"), say("DV"))


def sheet(name: str, deck: Roster) -> Sheet:
    """Make the player aid of a deck."""

    def listing(title: Text, columns: tuple[Text, ...], lines: Iterable[Line], clause: str) -> Listing:
        return Listing(title, (CARD, *columns, COPIES), tuple(lines), clause)

    lands = (_line(card, number(card.flags), number(card.victory_points)) for card in deck.territory)
    bases = (_line(card, number(card.ta_provided)) for card in deck.base_expansion)
    upgrades = [_line(card, number(card.ta_cost)) for card in deck.upgrade]
    actions = [_line(card, number(card.ta_cost)) for card in deck.action]
    listings = (
        listing(say("Territories"), (FLAGS, say("VP")), lands, "HW-06"),
        listing(say("Base expansions"), (say("Yields TA"),), bases, "HW-07"),
        listing(say("Units"), FIELDED, map(_fielded, deck.unit), "HW-15"),
        listing(say("Developments"), FIELDED, map(_fielded, deck.development), "HW-14"),
        listing(say("Upgrades and action cards"), (COST,), (*upgrades, *actions), "HW-09"),
    )
    return Sheet(name, Text(name), listings, say("Sample cards of Companion's own, not official."))


def _fielded(card: UnitCard | DevelopmentCard) -> Line:
    values = (NOTHING if value is None else number(value) for value in (*card.av.values(), card.dv))
    parts = [Text(card.category)] if isinstance(card, UnitCard) else []
    if card.ta_provided:
        parts.append(say("yields {count} TA", count=card.ta_provided))
    return _line(card, number(card.ta_cost), number(card.flags), *values, first=parts)


def _line(card: Card, *cells: Text, first: list[Text] | None = None) -> Line:
    """Make the row of a card: its name, its numbers, how many copies there are, and below what is written on it."""
    parts = [*(first or []), *written(card)]
    return Line((called(card.name), *cells, number(card.count)), more=listed(parts, NOTHING) if parts else None)
