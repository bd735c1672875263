"""Lay out the table that a scenario needs: rosters, territories, cards in play and in hands; and play on it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.history_of_war import rounds
from companion.games.history_of_war.cards import LISTS, ActionCard, DepotCard, Roster, TerritoryCard
from companion.games.history_of_war.game import GAME
from companion.games.history_of_war.options import Options
from companion.games.history_of_war.pieces import SEATS, Deck, Phase, Played, Seat, Territory
from companion.games.history_of_war.state import State
from companion.kit.decks import codes, pile
from companion.kit.ruling import Ruling
from tests.scenarios.history_of_war.fields import NOT_IN_PLAY, PLACES
from tests.scenarios.runner import Unfit
from tests.support.playing import Scripted

ROLES: dict[str, Seat] = {"attacker": "blue", "defender": "red"}
"""Who plays the attacker of the round, and who its defender."""
FILLER = ActionCard(name="…", count=99)
"""What depots and hands are made of where it does not matter."""
LAND = TerritoryCard(name="land", flags=30, victory_points=4)
"""A territory that nobody tells of: nobody conquers it by chance."""
ASIDE = "set_aside"
OUT = "out of play"
"""Where cards of hands and depots lie, and whatever else is no place for a player's card in play."""
NOWHERE = "c99"
"""A card that is not in play."""
LETTERS = {kind: letter for letter, kind in LISTS.items()}


class Table:
    """A table that is being laid out: scenarios name cards and territories, the game calls them by its own codes."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.printed: dict[Seat, list[DepotCard]] = {seat: [] for seat in SEATS}
        self.lands: list[tuple[Seat, TerritoryCard, Seat | None]] = []
        self.places: dict[str, str] = dict(PLACES)
        self.cards: list[Played] = []
        self.named: dict[str, str] = {}
        self.hands: dict[Seat, list[str]] = {seat: [] for seat in SEATS}

    def print(self, seat: Seat, card: DepotCard) -> str:
        """Add a card to a player's roster; its code."""
        letter = LETTERS[card.kind]
        number = sum(LETTERS[one.kind] == letter for one in self.printed[seat])
        self.printed[seat].append(card)
        return f"{letter}{number}.0"

    def land(self, name: str, card: TerritoryCard = LAND, seat: Seat = "blue", conqueror: Seat | None = None) -> str:
        """Lay a territory; its id."""
        self.places[name] = f"t{len(self.lands)}"
        self.lands.append((seat, replace(card, name=name), conqueror))
        return self.places[name]

    def place(self, said: Any, seat: Seat = "blue") -> str:
        """Where a card lies: an area, a territory, which is laid where nobody has told of it, set aside, or nowhere."""
        if said == ASIDE:
            return self.places.get(f"{ASIDE}.{seat}") or self.land(f"{ASIDE}.{seat}", conqueror=seat)
        if said in NOT_IN_PLAY:
            return OUT
        if not isinstance(said, str) or (said not in self.places and not said.startswith("territory")):
            raise Unfit(f"unknown place {said!r}")
        return self.places.get(said) or self.land(said)

    def put(self, name: str, seat: Seat, card: DepotCard, place: str, **more: Any) -> str:
        """Put a card into play; its id."""
        if name in self.named:
            raise Unfit(f"two cards are called {name!r}")
        code = self.print(seat, card)
        self.named[name] = f"c{len(self.cards) + 1}"
        self.cards.append(Played(self.named[name], seat, code, place, **more))
        return self.named[name]

    def hold(self, seat: Seat, card: DepotCard) -> str:
        """Give a player a card; its code."""
        self.hands[seat].append(self.print(seat, card))
        return self.hands[seat][-1]

    def id(self, name: Any) -> str:
        """The id of a card that a scenario names; of one that is not there that of none."""
        return self.named.get(str(name), NOWHERE)

    def name(self, found: str) -> str:
        """What a scenario calls a card."""
        return next(name for name, one in self.named.items() if one == found)

    def ids(self, *names: str) -> list[str]:
        """What a scenario calls cards, sorted."""
        return sorted(self.name(found) for found in names)

    def state(self, phase: Phase, *, left: bool = True, **more: Any) -> State:
        """The table in a phase of a later round; both have enough cards in depot and hand.

        Where no territory to conquer is told one is laid, unless none is ``left``.
        """
        rosters: dict[Seat, Roster] = {}
        decks: dict[Seat, Deck] = {}
        if left and not any(conqueror is None for _, _, conqueror in self.lands):
            self.land("territory")
        for seat in SEATS:
            filler = self.print(seat, FILLER).partition(".")[0]
            parts: dict[str, Any] = {
                kind: tuple(card for card in self.printed[seat] if card.kind == kind) for kind in LETTERS
            }
            parts["territory"] = tuple(card for _, card, _ in self.lands)
            rosters[seat] = Roster(name="deck", **parts)
            left = codes({filler: 40})
            decks[seat] = Deck(pile(left[:30]), pile((*left[30:33], *self.hands[seat])), kept=True)
        lying = tuple(
            Territory(f"t{at}", seat, f"t{at}", conqueror) for at, (seat, _, conqueror) in enumerate(self.lands)
        )
        fields: dict[str, Any] = {
            "options": self.options,
            "rosters": rosters,
            "decks": decks,
            "territories": lying,
            "cards": tuple(self.cards),
            "phase": phase,
            "round": 3,
            "made": len(self.cards),
        }
        return State(**(fields | more))


def ruled(state: State, action: Any, seat: Seat, **choices: str) -> Ruling[State]:
    """What the game rules on an action; of choices that are not told the first that is open is taken."""
    ask = Scripted(**choices)
    ruling: Ruling[State] = GAME.rule(state, seat, action, ask)
    ask.finish()
    return ruling


def after(state: State, action: Any, seat: Seat, **choices: str) -> State:
    """The state after an action."""
    return ruled(state, action, seat, **choices).outcome


def through(state: State, *phases: Phase) -> State:
    """Play on without doing anything until one of these phases has come."""
    while state.phase not in phases:
        state = ended(state)
    return state


def ended(state: State) -> State:
    """End the phase: all whose word it takes say that they are content."""
    before = (state.phase, state.round)
    for seat in rounds.agreeing(state):
        if (state.phase, state.round) == before and seat not in state.done:
            state = after(state, rounds.Done(), seat)
    if (state.phase, state.round) == before:
        raise Unfit(f"the phase does not end: {state.phase}")
    return state


def counted(state: State, seat: Seat, *, depot: int, hand: int) -> State:
    """The table when a player has so many cards in depot and hand."""
    letter = next(number for number, card in state.rosters[seat].numbered.items() if card is FILLER)
    cards = [f"{letter}.{at}" for at in range(depot + hand)]
    return state.with_deck(seat, depot=tuple(cards[:depot]), hand=tuple(cards[depot:]))
