"""Depots and hands, and what is played openly: base expansions and action cards (HW-21, HW-37 to HW-39, HW-A09)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from companion.games.history_of_war import payment, speech
from companion.games.history_of_war.cards import ActionCard, BaseCard, Roster
from companion.games.history_of_war.pieces import STEPS, AnyCode, Deck, Last, Names, Played, Seat, with_seat
from companion.games.history_of_war.state import State, phase_barred
from companion.kit import decks
from companion.kit.action import Action, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.decks import FACE_DOWN, without
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

base_expansion = Chapter[State, Seat]()
action_cards = Chapter[State, Seat]()


class PlayBase(Action, frozen=True, tag="play_base"):
    """Put a base expansion into your base area (HW-38)."""

    card: AnyCode


class PlayAction(Action, frozen=True, tag="play_action"):
    """Play an action card (HW-A09); ``lock`` are the cards that pay for it."""

    card: AnyCode
    lock: Names = ()


def kinds(roster: Roster) -> dict[str, int]:
    """Return how many copies there are of each card of the depot."""
    return {number: card.count for number, card in roster.numbered.items()}


def shuffled(state: State, seat: Seat) -> State:
    """Make a player's depot out of all cards but the territories, and an empty hand (HW-20, HW-21, HW-05)."""
    depot = decks.face_down(decks.codes(kinds(state.rosters[seat])), real=state.real)
    return state.but(decks={**state.decks, seat: Deck(depot)})


def draw(state: State, seat: Seat, count: int, why: Text, ask: Ask, *, clause: str = "HW-37") -> State:
    """Draw cards into a hand, as many as there are at most, and tell it (HW-A04); ``why`` names what for."""
    deck = state.deck(seat)
    there = len(deck.depot)
    if there < count:
        text = "{seat}: {count} card left in the depot|{seat}: {count} cards left in the depot"
        ask.tell(say(text, seat=Text(seat), count=there), "HW-A04")
    name = partial(speech.code, state, seat)
    cards = decks.draw(deck.depot, count, ask, seat=seat, why=why, clause=clause, real=state.real, name=name)
    return state.with_deck(seat, depot=without(deck.depot, cards), hand=(*deck.hand, *cards))


def playable(state: State, seat: Seat) -> tuple[str, ...]:
    """List the cards that a player may hold."""
    deck, roster = state.deck(seat), state.rosters.get(seat)
    return decks.playable(deck.hand, deck.out, {} if roster is None else kinds(roster), real=state.real)


def check_held(state: State, seat: Seat, code: str) -> None:
    """Refuse a card that is not in the hand, or of which with real cards no copy can be there any more (HW-76)."""
    name = speech.code(state, seat, code)
    if state.find_card(seat, code) is None:
        raise Refusal(say("There is no such card in your deck."), "HW-37", "card")
    # Of real cards any copy may be meant.
    deck, meant = state.deck(seat), decks.kind_of if state.real else str
    if meant(code) in map(meant, playable(state, seat)):
        return
    if meant(code) in map(meant, deck.scrapyard):
        text = say("{card} lies in the scrapyard, and what lies there is out of the game.", card=name)
        raise Refusal(text, "HW-76", "card")
    if state.real and deck.hand:
        raise Refusal(say("All copies of {card} have been played.", card=name), "HW-37", "card")
    raise Refusal(say("{card} is not in your hand.", card=name), "HW-37", "card")


def taken_out(state: State, seat: Seat, code: str) -> tuple[State, str]:
    """Take a card out of a hand; returns its code from now on too: real cards get that of their next copy.

    ``?`` is a real card that nobody named.
    """
    deck = state.deck(seat)
    hand, gone = decks.leaving(deck.hand, deck.out, code, real=state.real)
    out = (*deck.out, gone) if state.real and gone != FACE_DOWN else deck.out
    return state.with_deck(seat, hand=hand, out=out), gone


def discarded(state: State, seat: Seat, code: str) -> State:
    """Put a card of a hand on the scrapyard."""
    state, gone = taken_out(state, seat, code)
    return state.with_deck(seat, scrapyard=(*state.deck(seat).scrapyard, gone))


def take_back(state: State, seat: Seat, code: str) -> State:
    """Put a card that left the hand back into it."""
    deck = state.deck(seat)
    if not state.real:
        return state.with_deck(seat, hand=(*deck.hand, code))
    return state.with_deck(seat, hand=(*deck.hand, FACE_DOWN), out=without(deck.out, [code]))


def bury(state: State, played: Played) -> State:
    """Put a card in play, with its upgrades, on its owner's scrapyard (HW-74, HW-76, HW-A38)."""
    deck = state.deck(played.seat)
    state = state.but(cards=tuple(card for card in state.cards if card.id != played.id))
    return state.with_deck(played.seat, scrapyard=(*deck.scrapyard, played.code, *played.upgrades))


def base_barred(state: State, seat: Seat) -> Reason | None:
    """Say why a player can not put a base expansion down now; None when he can (HW-38)."""
    if state.phase == "base_expansion" and state.expanded.get(seat) == state.round:
        return Reason(say("You have put one into your base in this round."), "HW-38")
    return phase_barred(state, seat, "base_expansion")


@base_expansion.offers
def base_offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer the base expansions of the hand, each kind once."""
    if base_barred(state, seat) is not None:
        return
    for code in decks.one_each(playable(state, seat)):
        card = state.find_card(seat, code)
        if isinstance(card, BaseCard):
            label = say("Put {card} into your base: {ta} TA", card=speech.called(card.name), ta=card.ta_provided)
            yield PlayBase.offer(label, on=code, card=code, main=True, clause="HW-38")


@base_expansion.rule(
    PlayBase,
    says=lambda state, seat, action: say(
        "{seat}: {card} in the base area", seat=Text(seat), card=speech.code(state, seat, action.card)
    ),
)
def play_base(state: State, seat: Seat, action: PlayBase, ask: Ask) -> State:
    """Put a base expansion into the base area (HW-17, HW-38, HW-39).

    There is no second one to put down, so that its player is done with the phase, where no phase waits for his word.
    """
    refuse(base_barred(state, seat))
    check_held(state, seat, action.card)
    card = state.find_card(seat, action.card)
    if not isinstance(card, BaseCard):
        raise Refusal(say("That is no base expansion."), "HW-38", "card")
    state, code = taken_out(state, seat, action.card)
    state = state.with_entering(seat, code, "base")
    played = state.cards[-1].id
    text = say("{seat}: {card} comes into the base, unlocked", seat=Text(seat), card=speech.called(card.name))
    ask.tell(text, "HW-38", marks=((played, "acting"),))
    if not state.options.step_by_step and seat not in state.holding:
        ask.tell(say("{seat}: one in a round, so done with this phase", seat=Text(seat)), "HW-38")
        state = state.but(done=with_seat(state.done, seat))
    return state.but(expanded={**state.expanded, seat: state.round}, last=Last((played,)))


def _time_barred(state: State) -> Reason | None:
    """Say why nobody plays action cards now; None when both may (HW-54, HW-61, HW-A09)."""
    step = STEPS.get(state.phase)
    if step is None:
        return Reason(say("Action cards are played during a round."), "HW-A09")
    if step.no_cards:
        return Reason(say("No action cards are played while attacks or blocks are declared."), step.no_cards)
    return None


def action_barred(state: State, seat: Seat, card: ActionCard) -> Reason | None:
    """Say why a player can not play an action card of his hand now; None when he can."""
    return _time_barred(state) or payment.short_of(state, seat, card.ta_cost, payment.promised(state, seat))


def _by_hand(card: ActionCard) -> Text:
    """Say what a card does, and that Companion takes no more than the card and what pays for it (HW-A09)."""
    return say("{text} Do that by hand, in the menu under “Correct something”", text=speech.does(card.text))


def _first(state: State, seat: Seat) -> tuple[Reason, ...]:
    """Tell the defender that the attacker of the round goes first (HW-A09)."""
    if seat == state.attacker:
        return ()
    return (Reason(say("If both want to play one now, {seat} goes first", seat=Text(state.attacker)), "HW-A09"),)


@action_cards.offers
def action_offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer the action cards of the hand that can be played and paid for now, each kind once."""
    for code in decks.one_each(playable(state, seat)):
        card = state.find_card(seat, code)
        if not isinstance(card, ActionCard) or action_barred(state, seat, card) is not None:
            continue
        label, cost = say("Play {card}: {cost} TA", card=speech.called(card.name), cost=card.ta_cost), card.ta_cost
        pays = (payment.field(state, seat, cost, payment.promised(state, seat)),) if cost else ()
        says = ((Reason(_by_hand(card), "HW-13"),) if card.text else ()) + _first(state, seat)
        yield PlayAction.offer(label, *pays, on=code, card=code, clause="HW-A09", advice=says, loose=bool(cost))


def _plays(state: State, seat: Seat, action: PlayAction) -> Text:
    """Say what is played, and that the table does what it says."""
    card, name = state.find_card(seat, action.card), speech.code(state, seat, action.card)
    if card is None or not card.text:
        return say("{seat} plays {card}. Do what it says by hand", seat=Text(seat), card=name)
    return say("{seat} plays {card}. By hand: {text}", seat=Text(seat), card=name, text=speech.does(card.text))


@action_cards.rule(PlayAction, says=_plays)
def play_action(state: State, seat: Seat, action: PlayAction, ask: Ask) -> State:
    """Play an action card: lock what pays for it, tell what it says, and put it on the scrapyard (HW-A09)."""
    refuse(_time_barred(state))
    check_held(state, seat, action.card)
    card = state.find_card(seat, action.card)
    if not isinstance(card, ActionCard):
        raise Refusal(say("That is no action card."), "HW-A09", "card")
    paid = payment.check(state, seat, action.lock, card.ta_cost, payment.promised(state, seat))
    name = speech.called(card.name)
    ask.tell(say("{seat} plays {card}: {cost} TA", seat=Text(seat), card=name, cost=card.ta_cost), "HW-A09")
    state = payment.pay(state, seat, paid, ask)
    if card.text:
        ask.tell(speech.does(card.text), "HW-13")
    text = "Do what it says by hand, in the menu under “Correct something”; the card goes to the scrapyard"
    ask.tell(say(text), "HW-A09")
    for line in _first(state, seat):
        ask.tell(line.text, line.clause)
    return discarded(state, seat, action.card)
