"""Lay out the table that a scenario needs: rosters, decks, headquarters, units."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.tactics_2gm.cards import HeadquartersCard, Roster, SupportCard, TerrainDeck, UnitCard
from companion.games.tactics_2gm.options import SIDES, Options, seats
from companion.games.tactics_2gm.state import Deck, Headquarters, Phase, State, Unit
from tests.scenarios.fields import one_of
from tests.scenarios.runner import Given

TURN = 3
"""The turn in which a scenario happens, unless it says another: the second of the Allies."""
WAITS: dict[str, Phase] = {
    "start": "headquarters",
    "headquarters": "headquarters",
    "cards": "headquarters",
    "movement": "movement",
    "deployment": "deployment",
    "fire": "fire",
    "flip": "discard",
    "discard": "discard",
    "end": "discard",
}
"""The phase in which the game waits while a step of the turn is played."""
FILLER = SupportCard(name="…", kind="supplies", cost=0, count=99)
"""What decks are made of where it does not matter."""
RICH = HeadquartersCard(ap_cap=10_000)


def state_of(
    options: Options,
    *units: Unit,
    cards: tuple[UnitCard, ...] = (),
    supports: tuple[SupportCard, ...] = (),
    headquarters: HeadquartersCard = RICH,
    pi: int | None = None,
    ap: int = 0,
    **more: Any,
) -> State:
    """A table in the Allies' turn: everybody has the same cards, and enough of them in deck and hand."""
    roster = Roster(name="deck", unit=cards, support=(*supports, FILLER))
    playing = seats(options)
    filler = str(len(roster.cards) - 1)
    deck = Deck(pile=tuple(f"{filler}.{at}" for at in range(20)), hand=tuple(f"{filler}.{at}" for at in range(20, 23)))
    left = headquarters.pi if pi is None else pi
    fields: dict[str, Any] = {
        "options": options,
        "rosters": dict.fromkeys(playing, roster),
        "decks": dict.fromkeys(playing, replace(deck, kept=True)),
        "terrain_deck": TerrainDeck(name="terrain"),
        "headquarters": tuple(Headquarters(f"hq_{side}", side, headquarters, left) for side in SIDES),
        "phase": "fire",
        "turn": TURN,
        "active": "allies",
        "ap": dict.fromkeys(playing, ap),
        "units": units,
        "made": 99,
    }
    return State(**(fields | more))


def held(state: State, *codes: str) -> State:
    """The table when who acts holds these cards, no others."""
    seat = state.acting[0]
    return state.with_deck(seat, hand=codes)


def counted(state: State, seat: Any, *, pile: int, hand: int) -> State:
    """The table when a player has so many cards in deck and hand."""
    filler = len(state.rosters[seat].cards) - 1
    codes = [f"{filler}.{at}" for at in range(pile + hand)]
    return state.with_deck(seat, pile=tuple(codes[:pile]), hand=tuple(codes[pile:]))


def phase_of(given: Given, usual: str) -> Phase:
    """The phase in which something is done."""
    return WAITS[one_of("phase", given.get("phase", usual), WAITS)]
