"""The rules of a deck: what is drawn, dealt, put and looked at, and who is told what of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.free_table import deck_actions as do
from companion.games.free_table.deck_piles import (
    Deck,
    check_there,
    cut,
    gathered,
    known_at,
    laid_out,
    shuffled,
    taken_out,
)
from companion.games.free_table.deck_putting import check_quiet, named, put, shown, tell_own
from companion.kit.cards import FACE_DOWN, without
from companion.kit.game import RULEKEEPER
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.asking import Ask


def rule(state: State, tracker: Deck, seat: str, action: do.Action, ask: Ask) -> Ruling[Deck]:
    """Do something with the cards; raise Refusal for what is not there, or not for this seat."""
    deck = laid_out(tracker)
    match action:
        case do.Draw(count=count):
            return _draw(state, deck, seat, count, ask)
        case do.TurnUp():
            return _turn_up(state, deck, seat, action, ask)
        case do.Deal():
            return _deal(state, deck, seat, action, ask)
        case do.Put():
            return put(state, deck, seat, action, ask)
        case do.Give() | do.HandOver() | do.Mark():
            return _between(state, deck, seat, action, ask)
        case do.Peek() | do.Search() | do.Close():
            return _look(state, deck, seat, action, ask)
        case _:
            return _tidy(state, deck, state.called(seat), action)


def _tidy(state: State, deck: Deck, who: Text, action: do.Tidying) -> Ruling[Deck]:
    """Shuffle, cut, and bring cards together."""
    if not isinstance(action, do.Sweep | do.Gather):
        check_quiet(state, deck)
    match action:
        case do.Shuffle():
            return Ruling(shuffled(deck), say("{who} shuffles the deck", who=who))
        case do.Cut(count=count):
            check_there(deck, count)
            return Ruling(cut(deck, count), say("{who} cuts the deck after {count}", who=who, count=count))
        case do.Reshuffle():
            if not deck.discard:
                raise Refusal(say("The discard pile is empty."))
            headline = say("{who} shuffles the discard pile into the deck", who=who)
            return Ruling(shuffled(deck, deck.discard).but(discard=()), headline)
        case do.Sweep():
            if not deck.played:
                raise Refusal(say("No card lies on the table."))
            headline = say("{who} clears the table", who=who)
            return Ruling(deck.but(discard=(*deck.discard, *deck.table), played=()), headline)
        case do.Gather():
            headline = say("{who} gathers all cards and shuffles", who=who)
            return Ruling(gathered(deck, deck.removed), headline)


def check_player(state: State, seat: str) -> None:
    """Refuse a hand to somebody who has no seat."""
    if seat not in state.roles:
        raise Refusal(say("Only players hold cards: take a seat."))


def _draw(state: State, deck: Deck, seat: str, count: int, ask: Ask) -> Ruling[Deck]:
    check_player(state, seat)
    check_quiet(state, deck)
    check_there(deck, count)
    why = say("{who} draws a card|{who} draws {count} cards", who=state.called(seat), count=count)
    deck = _to_hand(deck, seat, tuple(range(count)), why, ask)
    return Ruling(taken_out(deck, range(count)), why, reveals=not deck.real)


def _to_hand(deck: Deck, seat: str, places: tuple[int, ...], why: Text, ask: Ask) -> Deck:
    """Let a seat hold the cards of some places, which are still to be taken out of the deck."""
    deck, cards = known_at(deck, places, ask, f"draw_{seat}", why, seat, secret=not deck.open)
    if not deck.real:
        tell_own(deck, seat, say("You draw {cards}", cards=named(deck, cards)), ask)
    return deck.with_hand(seat, (*deck.hand(seat), *cards))


def _turn_up(state: State, deck: Deck, seat: str, action: do.TurnUp, ask: Ask) -> Ruling[Deck]:
    check_quiet(state, deck)
    check_there(deck, 1)
    who = state.called(seat)
    if deck.real:
        if action.card not in deck.unseen:
            raise Refusal(say("Say which card it is: one that does not lie face up."), field="card")
        return shown(deck.but(order=deck.order[1:]), seat, who, (str(action.card),), "turns over")
    why = say("{who} turns over the top card", who=who)
    deck, cards = known_at(deck, (0,), ask, "turn_up", why, seat, secret=False)
    return shown(taken_out(deck, (0,)), seat, who, cards, "turns over")


def _deal(state: State, deck: Deck, seat: str, action: do.Deal, ask: Ask) -> Ruling[Deck]:
    """Deal around, one card each at a time."""
    check_quiet(state, deck)
    seats = tuple(one for one in state.roles if one in action.to)
    if not seats or len(seats) < len(set(action.to)):
        raise Refusal(say("Say whom the cards are dealt to."), field="to")
    every = action.count * len(seats)
    check_there(deck, every)
    for at, other in enumerate(seats):
        why = say("{who} is dealt a card|{who} is dealt {count} cards", who=state.called(other), count=action.count)
        ask.tell(why)
        deck = _to_hand(deck, other, tuple(range(at, every, len(seats))), why, ask)
    headline = say("{who} deals a card each|{who} deals {count} cards each", who=state.called(seat), count=action.count)
    return Ruling(taken_out(deck, range(every)), headline, reveals=not deck.real)


def _between(state: State, deck: Deck, seat: str, action: do.Passing, ask: Ask) -> Ruling[Deck]:
    """Give cards to somebody, or note the own ones of a real deck."""
    check_player(state, seat)
    who, held = state.called(seat), deck.hand(seat)
    if isinstance(action, do.Mark):
        cards = tuple(dict.fromkeys(action.cards))
        if not deck.real or not set(cards) <= set(deck.unseen):
            raise Refusal(say("A card is not there any more."), field="cards")
        if len(cards) > len(held):
            raise Refusal(say("You hold a card.|You hold {count} cards.", count=len(held)), field="cards")
        noted = (*cards, *(FACE_DOWN,) * (len(held) - len(cards)))
        return Ruling(deck.with_hand(seat, noted), say("{who} notes what is in the hand", who=who), quiet=True)
    if action.to is not None and (action.to not in state.roles or action.to == seat):
        raise Refusal(say("Nobody plays on that seat."), field="to")
    if isinstance(action, do.HandOver):
        down = held.count(FACE_DOWN)
        if not deck.real or action.count > down:
            raise Refusal(say("Of your cards {count} are face down.", count=down), field="count")
        cards = (FACE_DOWN,) * action.count
    else:
        cards = tuple(dict.fromkeys(action.cards))
        if not cards:
            raise Refusal(say("Tap the cards first."), field="cards")
        if not set(cards) <= set(deck.named(seat)):
            raise Refusal(say("A card is not there any more."), field="cards")
    deck = deck.with_hand(seat, without(held, cards))
    if action.to is None:
        headline = say(
            "{who} puts a card back into the deck|{who} puts {count} cards back into the deck",
            who=who,
            count=len(cards),
        )
        return Ruling(deck.but(order=(*deck.order, *cards)), headline)
    headline = say(
        "{who} gives {whom} a card|{who} gives {whom} {count} cards",
        who=who,
        whom=state.called(action.to),
        count=len(cards),
    )
    if isinstance(action, do.Give) and not deck.real:
        tell_own(deck, seat, say("You give {cards}", cards=named(deck, cards)), ask)
        tell_own(deck, action.to, say("You are given {cards}", cards=named(deck, cards)), ask)
    given = cards if not deck.real else (FACE_DOWN,) * len(cards)
    return Ruling(deck.with_hand(action.to, (*deck.hand(action.to), *given)), headline, reveals=not deck.real)


def may_look(deck: Deck, seat: str) -> bool:
    """Tell whether a seat may look into the deck."""
    return not deck.real and (deck.peek == "everyone" or (deck.peek == "keeper" and seat == RULEKEEPER))


def _look(state: State, deck: Deck, seat: str, action: do.Looking, ask: Ask) -> Ruling[Deck]:
    who = state.called(seat)
    if isinstance(action, do.Close):
        if deck.searching:
            headline = say("{who} has searched the deck: it is shuffled", who=state.called(deck.searching))
            return Ruling(shuffled(deck), headline)
        if seat not in deck.looking:
            raise Refusal(say("You are not looking into the deck."))
        left = {one: cards for one, cards in deck.looking.items() if one != seat}
        return Ruling(deck.but(looking=left), say("{who} has looked enough", who=who))
    if not may_look(deck, seat):
        raise Refusal(say("At this table you may not look into the deck."))
    check_quiet(state, deck)
    if isinstance(action, do.Search):
        if not deck.order:
            raise Refusal(say("The deck is empty."))
        deck = shuffled(deck)
        return Ruling(
            deck.but(looking={seat: ()}, searching=seat), say("{who} searches the deck", who=who), reveals=True
        )
    check_there(deck, action.count)
    why = say("{who} looks at the top card|{who} looks at the {count} top cards", who=who, count=action.count)
    deck, cards = known_at(deck, range(action.count), ask, "peek", why, seat)
    return Ruling(deck.but(looking={**deck.looking, seat: cards}), why, reveals=True)
