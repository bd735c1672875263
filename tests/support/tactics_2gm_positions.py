"""Tables, battles and answers of 2GM Tactics written short: ``a1 m4_sherman d1 +mg_1`` is an Allied tank on d1."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.games.tactics_2gm import decks, players, start
from companion.games.tactics_2gm.cards import DECKS, SCENARIOS, TERRAIN, Roster
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.options import SIDES, Options, Seat, seats, seats_of
from companion.games.tactics_2gm.state import Deck, Ground, State, Token, Unit
from companion.kit.decks import FACE_DOWN, pile, without
from tests.support.playing import Playing, Scripted, picked
from tests.support.toy_tables import sit_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.table.tables import Tables
    from tests.support.toy_tables import Sitting

LETTERS: dict[str, Any] = {"a": ("allies", 0), "b": ("allies", 1), "x": ("axis", 0), "y": ("axis", 1)}
"""Who plays a unit, by the first letter of its name: the first or the second seat of a side."""


def table(**options: Any) -> State:
    """A table in the phase ``decks``; everybody has a sample deck within the limit, a pair the halves of one."""
    agreed = Options(**options)
    scenario = next(iter(SCENARIOS.values())) if agreed.mode == "scenario" else None
    state = State(options=agreed, scenario=scenario, terrain_deck=TERRAIN)
    rosters: dict[Seat, Roster] = {}
    for side in SIDES:
        deck, playing = within(DECKS[f"{side}_sample"], decks.limit(state)), seats_of(agreed, side)
        rosters |= {seat: share(deck, at, len(playing)) for at, seat in enumerate(playing)}
    return state.but(rosters=rosters)


def counted(deck: Roster, copies: list[Any]) -> Roster:
    """A deck with as many copies of each card as are listed."""
    return replace(
        deck,
        unit=tuple(replace(card, count=copies.count(card)) for card in deck.unit),
        support=tuple(replace(card, count=copies.count(card)) for card in deck.support),
    )


def within(deck: Roster, most: int) -> Roster:
    """A deck with copies left out, in turns round its kinds of cards, until it costs no more than that."""
    copies = [card for card in deck.cards for _ in range(card.count)]
    kinds = cycle(deck.cards)
    while sum(card.cost for card in copies) > most:
        card = next(kinds)
        if copies.count(card) > 1 or (card in copies and len(copies) == len(set(copies))):
            copies.remove(card)
    return counted(deck, copies)


def share(deck: Roster, at: int, among: int) -> Roster:
    """A part of a deck: its copies are dealt to whoever has the fewest points, dear ones first."""
    parts: list[list[Any]] = [[] for _ in range(among)]
    for card in sorted(deck.cards, key=lambda one: -one.cost):
        for _ in range(card.count):
            min(parts, key=lambda part: sum(one.cost for one in part)).append(card)
    return counted(deck, parts[at])


def unit(state: State, written: str, **more: Any) -> Unit:
    """A unit out of ``a1 heavy_infantry d1 2w +hmg``: name, card, square, wounds and equipment; no square: none."""
    name, kind, *rest = written.split()
    side, at = LETTERS[name[0]]
    seat = seats_of(state.options, side)[at]
    tokens = tuple(Token(word[1:]) for word in rest if word.startswith("+"))
    wounds = next((int(word[:-1]) for word in rest if word[:-1].isdecimal() and word.endswith("w")), 0)
    square = next((word for word in rest if word[-1].isdecimal() and word[0].isalpha()), None)
    number = [card.name for card in state.rosters[seat].cards].index(kind)
    used = sum(one.seat == seat and one.code.startswith(f"{number}.") for one in state.units)
    fields: dict[str, Any] = {"wounds": wounds, "tokens": tokens}
    return Unit(name, seat, f"{number}.{used}", square, **(fields | more))


def battle(
    written: str = "",
    *,
    hands: Mapping[str, str] | None = None,
    ap: int | Mapping[str, int] = 5,
    grounds: str = "",
    **more: Any,
) -> State:
    """A battle in its first turn, the Allies in the fire phase; other options and fields by their names.

    ``written`` are units separated by commas, ``hands`` card names by seat (``medic tiger``), ``grounds`` terrain:
    ``house d2 allies``. What is neither in play nor in a hand is in the piles.
    """
    state = table(**{name: more.pop(name) for name in Options.__struct_fields__ if name in more})
    for entry in filter(None, (part.strip() for part in written.split(","))):
        state = state.but(units=(*state.units, unit(state, entry)))
    for seat in state.seats:
        state = state.but(decks={**state.decks, seat: _dealt(state, seat, (hands or {}).get(seat, ""))})
    kinds = [card.name for card in state.terrain_deck.terrain]
    for at, entry in enumerate(filter(None, (part.strip() for part in grounds.split(",")))):
        kind, *where = entry.split()
        owner: Any = where.pop()
        card = state.terrain_deck.terrain[kinds.index(kind)]
        ground = Ground(f"g{at + 1}", kinds.index(kind), owner, where[0] if where else None, card.pi)
        state = state.but(grounds=(*state.grounds, ground))
    pools = dict.fromkeys(state.seats, ap) if isinstance(ap, int) else dict(ap)
    fields = {"phase": "fire", "turn": 1, "active": "allies", "ap": pools, "made": 50}
    return start.lay_headquarters(state).but(**(fields | more))


def _dealt(state: State, seat: Seat, named: str) -> Deck:
    """A player's cards: units in play are out of his deck, those named in his hand."""
    out = tuple(one.code for one in state.units if one.seat == seat)
    left = without(pile(players.codes(state.rosters[seat])), out)
    hand = picked(left, named, lambda code: _name(state, seat, code))
    left = without(left, hand)
    if state.real:
        return Deck((FACE_DOWN,) * len(left), (FACE_DOWN,) * len(hand), out=out, kept=True)
    return Deck(pile(left), pile(hand), out=out, kept=True)


def _name(state: State, seat: Seat, code: str) -> str:
    card = state.find_card(seat, code)
    assert card is not None
    return card.name


def code(state: State, seat: Seat, name: str) -> str:
    """The code by which a player plays a card of that name: one that he holds, or with real cards its kind."""
    if state.real:
        return f"{[card.name for card in state.rosters[seat].cards].index(name)}.0"
    return next(one for one in state.deck(seat).hand if _name(state, seat, one) == name)


def acting(state: State) -> str:
    """The seat that acts: of a pair the first."""
    return state.acting[0] if state.acting else seats(state.options)[0]


PLAYING = Playing(GAME, Scripted, acting, "G2-03")
rule, ruled, after, refusal, no = PLAYING.rule, PLAYING.ruled, PLAYING.after, PLAYING.refusal, PLAYING.no
asked, offered, check, english = PLAYING.questions, PLAYING.offered, PLAYING.check, PLAYING.english
told = PLAYING.told


def battlefield(tables: Tables, dice: str = "app", **options: Any) -> Sitting:
    """A table of 2GM Tactics with somebody in every seat; ``tables`` know the game by its name."""
    return sit_at(tables, "tactics_2gm", seats(Options(**options)), dice, **options)
