"""Corrections of depots, hands and scrapyards; cards that come into play, and territories that are laid, by hand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.games.history_of_war import hands, speech, territories
from companion.games.history_of_war.cards import BaseCard, DevelopmentCard, UnitCard
from companion.games.history_of_war.pieces import Territory
from companion.games.history_of_war.sides import SEATS
from companion.kit.asking import Option
from companion.kit.corrected import choice
from companion.kit.correction import Tracked
from companion.kit.decks import corrected
from companion.kit.decks.corrected import NO, NOTHING, Called, Held
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask

CALLED = Called(
    size=say("Cards in the hand"),
    pile=say("Cards in the depot"),
    nameless=say("Cards in the scrapyard that nobody named"),
    hand=say("Your hand"),
    from_hand=say("out of the hand"),
    from_pile=say("out of the depot"),
    put=say("Put into the scrapyard"),
    lost=say("In the scrapyard; others go back into the depot"),
    take=say("Take out of the scrapyard into the hand"),
)
IN_PLAY = (UnitCard, DevelopmentCard, BaseCard)
"""Cards that lie in play by themselves."""


def tracked(state: State) -> tuple[Tracked, ...]:
    """List what can be corrected about cards; what is in a hand or a depot only its player is shown (ledger 5.2)."""
    return tuple(entry for seat in SEATS if seat in state.decks for entry in _of(state, seat))


def _of(state: State, seat: Seat) -> list[Tracked]:
    path, group = f"cards.{seat}", say("Cards: {seat}", seat=Text(seat))
    name = partial(speech.code, state, seat)
    held = _held(state, seat)
    found = corrected.tracked(held, seat, path, group, CALLED, name)
    if not state.begun:
        return found
    back = tuple(
        Option(str(at), name(code))
        for at, code in enumerate(held.named)
        if isinstance(state.find_card(seat, code), IN_PLAY)
    )
    if back:
        label = say("Back into play out of the scrapyard")
        found.append(Tracked(f"{path}.back", group, choice(label, (NO, *back), NOTHING)))
    enters = tuple(one for one in _hidden(state, seat, held) if isinstance(state.find_card(seat, one.value), IN_PLAY))
    label = say("Put into play out of the hand or the depot")
    found.append(Tracked(f"{path}.enter", group, choice(label, (NO, *enters), NOTHING), reveals=True, only=seat))
    lands = tuple(Option(kind, speech.called(card.name)) for kind, card in territories.unused(state, seat).items())
    label = say("Another of your territories")
    found.append(Tracked(f"{path}.land", group, choice(label, (NO, *lands), NOTHING), reveals=True, only=seat))
    return found


def _hidden(state: State, seat: Seat, held: Held) -> tuple[Option, ...]:
    """List what a player may hold: with real cards one of each kind of which a copy may still be in his hand."""
    if not state.real:
        return corrected.hidden(held, CALLED, partial(speech.code, state, seat))
    return tuple(Option(code, speech.code(state, seat, code)) for code in hands.playable(state, seat))


def _held(state: State, seat: Seat) -> Held:
    deck = state.deck(seat)
    return Held(
        pile=deck.depot,
        hand=deck.hand,
        lost=deck.scrapyard,
        out=deck.out,
        real=state.real,
        most=state.rosters[seat].size,
    )


def _kept(state: State, seat: Seat, held: Held) -> State:
    return state.with_deck(seat, depot=held.pile, hand=held.hand, scrapyard=held.lost, out=held.out)


def correct(state: State, seat: Seat, part: str, value: str, ask: Ask) -> State:
    """Move cards between hand, depot, scrapyard and table; which ones leave what is hidden chance says."""
    if part in {"back", "enter", "land"} and value == NOTHING:
        return state
    held = _held(state, seat)
    match part:
        case "back":
            code = held.named[int(value)]
            at = held.lost.index(code)
            state = state.with_deck(seat, scrapyard=(*held.lost[:at], *held.lost[at + 1 :]))
            return _enter(state, seat, code)
        case "enter" if state.real:
            code = hands.leaves_as(state, seat, value)
            return _enter(hands.leave_hand(state, seat, value, to_scrapyard=False), seat, code)
        case "enter":
            return _enter(_kept(state, seat, corrected.removed(held, value)), seat, value)
        case "land":
            lying = Territory(_free(state), seat, value)
            return state.but(territories=(*state.territories, lying))
    return _kept(state, seat, corrected.correct(held, part, value, ask, seat=seat))


def _enter(state: State, seat: Seat, code: str) -> State:
    """Put a card into play, unlocked: units into the deployment area, developments into the first territory."""
    card = state.find_card(seat, code)
    place = "base" if isinstance(card, BaseCard) else "deployment"
    if isinstance(card, DevelopmentCard):
        if not state.open:
            raise Refusal(say("There is no territory left to put it into."), "HW-14", "value")
        place = state.open[0].id
    return state.with_entering(seat, code, place).but(last=None)


def _free(state: State) -> str:
    """Return an id that no territory has."""
    taken = {one.id for one in state.territories}
    return next(name for at in range(1, len(taken) + 2) if (name := f"t{at}") not in taken)
