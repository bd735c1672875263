"""What a player can act with: his turn, the cards he holds, his action points (G2-02, G2-30, G2-52, G2-77, G2-89)."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from msgspec import Meta

from companion.games.tactics_2gm.cards import GeneralCard, Roster
from companion.games.tactics_2gm.options import Seat, Side, seats_of, side_of
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import Deck, Phase, State, Unit
from companion.kit import decks
from companion.kit.asking import Ask
from companion.kit.decks import FACE_DOWN, without
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

# What an action names: it is looked up, and refused in words where there is none.
Id = Annotated[str, Meta(min_length=1, max_length=20)]
Square = Annotated[str, Meta(min_length=2, max_length=3)]
CardCode = Annotated[str, Meta(min_length=1, max_length=8)]
Number = Annotated[int, Meta(ge=0, le=999)]
Part = Annotated[str, Meta(pattern=r"^[cg][0-9]{1,3}(\.[a-z][a-z0-9_]{0,19})?\Z")]
"""A part of a roster: ``c0`` is its first card, ``c0.w1`` that card's second weapon, ``c0.prone`` its equipment of that
slot, ``g0`` the first general."""
Line = Literal["1", "2", "3", "4", "5", "6"]
MOST = 999
"""What the pool of a side holds at most where its maximum limits only what is carried over."""


def check_begun(state: State) -> None:
    """Refuse before the battle what belongs to it (G2-02)."""
    if not state.begun:
        raise Refusal(say("The battle has not begun."), "G2-02")


def check_turn(state: State, seat: Seat) -> None:
    """Refuse what is done out of turn (G2-02)."""
    check_begun(state)
    if seat not in state.acting:
        raise Refusal(say("It is the turn of the {side}.", side=Text(state.active)), "G2-02")


def check_acting(state: State, seat: Seat) -> None:
    """Refuse what is done before the battle, out of turn, or by who has ended the phase (G2-02, G2-77)."""
    check_turn(state, seat)
    if seat in state.done:
        raise Refusal(say("You have ended this phase."), "G2-77")


def check_phase(state: State, seat: Seat, *phases: Phase) -> None:
    """Refuse what belongs to another phase (G2-77)."""
    check_acting(state, seat)
    if state.phase not in phases:
        raise Refusal(say("That is done in the {phase} phase.", phase=Text(phases[0])), "G2-77")


def check_own(state: State, seat: Seat, name: str) -> Unit:
    """Return a player's own unit; raise Refusal when it is his partner's or the enemy's (G2-155)."""
    unit = state.unit(name)
    if unit.seat != seat:
        raise Refusal(say("Each player acts with his own units."), "G2-155", "unit")
    return unit


def acts(state: State, seat: Seat) -> bool:
    """Tell whether it is a player's turn, and he has not ended the phase."""
    return seat in state.acting and seat not in state.done


def kinds(roster: Roster) -> dict[str, int]:
    """Return how many copies there are of each card, by the number of the card."""
    return {str(number): card.count for number, card in enumerate(roster.cards)}


def codes(roster: Roster) -> tuple[str, ...]:
    """List the codes of a roster's cards: the number of the card and that of the copy."""
    return decks.codes(kinds(roster))


def shuffled(state: State, seat: Seat) -> State:
    """Make a player's draw pile out of his whole roster, and an empty hand; real cards are only counted."""
    cards = decks.face_down(codes(state.rosters[seat]), real=state.real)
    return state.but(decks={**state.decks, seat: Deck(cards)})


def draw(state: State, seat: Seat, count: int, why: Text, ask: Ask, *, clause: str = "G2-81") -> State:
    """Draw cards into a hand, as many as there are at most, and tell it; ``why`` names what for: ``first hand``."""
    deck = state.deck(seat)
    if len(deck.pile) < count:
        ask.tell(say("{seat}: {left} left in the deck", seat=Text(seat), left=len(deck.pile)), clause)
    name, real = partial(card_name, state, seat), state.real
    cards = decks.draw(deck.pile, count, ask, seat=seat, why=why, clause=clause, real=real, name=name)
    return state.with_deck(seat, pile=without(deck.pile, cards), hand=(*deck.hand, *cards))


def card_name(state: State, seat: Seat, code: str) -> Text:
    """Name a card by its code; a face-down one is just a card."""
    card = state.find_card(seat, code)
    return say("a card") if card is None else called(card.name)


def playable(state: State, seat: Seat) -> tuple[str, ...]:
    """List the cards that a player may hold."""
    deck, roster = state.deck(seat), state.rosters.get(seat)
    return decks.playable(deck.hand, deck.out, {} if roster is None else kinds(roster), real=state.real)


def check_held(state: State, seat: Seat, code: str) -> None:
    """Refuse a card that is not in the hand, or of which with real cards no copy can be there any more."""
    if code in playable(state, seat):
        return
    name = card_name(state, seat, code)
    if state.find_card(seat, code) is None:
        raise Refusal(say("There is no such card in your deck."), "G2-89", "card")
    if state.real and state.deck(seat).hand:
        raise Refusal(say("All copies of {card} have been played.", card=name), "G2-89", "card")
    raise Refusal(say("{card} is not in your hand.", card=name), "G2-89", "card")


def leave_hand(state: State, seat: Seat, code: str, *, discard: bool) -> State:
    """Take a card out of a hand: to the table, or to the discard pile; ``?`` is a real card that nobody named."""
    deck = state.deck(seat)
    hand, gone = decks.leaving(deck.hand, deck.out, code, real=state.real)
    out = deck.out if code == FACE_DOWN else (*deck.out, gone)
    return state.with_deck(seat, hand=hand, out=out, discard=(*deck.discard, gone) if discard else deck.discard)


def bury(state: State, seat: Seat, code: str) -> State:
    """Lay a card that leaves the table on its player's discard pile; discards never return (G2-A15)."""
    return state.with_deck(seat, discard=(*state.deck(seat).discard, code))


def enter(state: State, seat: Seat, code: str, **values: Any) -> tuple[State, Unit]:
    """Bring a card into play as a unit with those values; return it with the state after."""
    made = state.made + 1
    unit = Unit(f"u{made}", seat, code, **values)
    return state.but(units=(*state.units, unit), made=made), unit


def generals(state: State, side: Side) -> list[GeneralCard]:
    """List the generals that lie on a side's headquarters (G2-36)."""
    brought = [state.rosters[seat].general for seat in seats_of(state.options, side) if seat in state.rosters]
    known = {general.name: general for generals in reversed(brought) for general in reversed(generals)}
    return [known[hq.general] for hq in state.headquarters if hq.side == side and hq.general in known]


def cap(state: State, side: Side) -> int:
    """Return the most AP that a side may have: the maxima of its headquarters and generals (G2-34, G2-A34)."""
    printed = sum(hq.card.ap_cap for hq in state.headquarters if hq.side == side)
    return printed + sum(general.ap_cap for general in generals(state, side))


def generals_income(state: State, side: Side) -> int:
    """Return the AP that a side's generals add each turn (G2-36)."""
    return sum(general.income for general in generals(state, side))


def pool(state: State, side: Side) -> int:
    """Return the AP of a side, its players' together."""
    return sum(state.ap.get(seat, 0) for seat in seats_of(state.options, side))


def short_of(state: State, seat: Seat, cost: int, clause: str) -> Reason | None:
    """Say why a player can not pay for something; None when he can."""
    have = state.ap.get(seat, 0)
    if cost <= have:
        return None
    return Reason(say("It costs {cost} AP, and you have {have}.", cost=cost, have=have), clause)


def spend(state: State, seat: Seat, cost: int, what: Text, clause: str, ask: Ask, field: str | None = None) -> State:
    """Spend AP and tell it; raise Refusal where there are too few: they never fall below zero (G2-30)."""
    refuse(short_of(state, seat, cost, clause), field)
    left = state.ap.get(seat, 0) - cost
    ask.tell(say("{seat}: {what}, {left} AP left", seat=Text(seat), what=what, left=left), clause, -cost)
    return state.with_ap(seat, left)


def gain(state: State, seat: Seat, amount: int, what: Text, clause: str, ask: Ask) -> State:
    """Gain AP within the maximum of the side, and tell it (G2-34, G2-A09, G2-A34)."""
    side = side_of(seat)
    most = cap(state, side) if state.options.cap_scope == "always" else MOST
    gained = min(amount, max(0, most - pool(state, side)))
    have = state.ap.get(seat, 0) + gained
    ask.tell(say("{seat}: {what}, now {have} AP", seat=Text(seat), what=what, have=have), clause, gained)
    if gained < amount:
        tell_lost(amount - gained, most, ask)
    return state.with_ap(seat, have)


def tell_lost(count: int, most: int, ask: Ask) -> None:
    """Tell that AP above the maximum of a side are lost (G2-34)."""
    said = "{count} AP is above the maximum of {cap}, and lost|{count} AP are above the maximum of {cap}, and lost"
    ask.tell(say(said, count=count, cap=most), "G2-34")
