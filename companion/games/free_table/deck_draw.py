"""What is done with a deck itself: cards are drawn, turned over and dealt, it is looked into, cut and shuffled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from companion.games.free_table.deck_moves import Count, Place, check_player, check_quiet, moves, named, shown, tell_own
from companion.games.free_table.deck_piles import Deck, check_there, known_at, shuffled, taken_out
from companion.games.free_table.kinds import MOST_SEATS, Deed, Play, Table
from companion.kit.action import Field, Offer, number_field
from companion.kit.asking import Ask
from companion.kit.game import RULEKEEPER
from companion.kit.questions import Option
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

MOST_AT_ONCE = 30
"""Cards that are offered to be drawn, dealt or looked at together."""


class Draw(Deed, frozen=True, tag="draw"):
    """Draw cards from the top of the deck into the own hand."""

    count: Count = 1


class TurnUp(Deed, frozen=True, tag="turn_up"):
    """Turn over the top card of the deck onto the table; of a real deck somebody says which it is."""

    card: str | None = None


class Deal(Deed, frozen=True, tag="deal"):
    """Deal cards to some seats."""

    count: Count
    to: Annotated[tuple[str, ...], Meta(max_length=MOST_SEATS)] = ()


class Shuffle(Deed, frozen=True, tag="shuffle"):
    """Shuffle the deck."""


class Cut(Deed, frozen=True, tag="cut"):
    """Cut the deck under its first cards."""

    count: Count


class Reshuffle(Deed, frozen=True, tag="reshuffle"):
    """Shuffle the discard pile into the deck."""


class Peek(Deed, frozen=True, tag="peek"):
    """Look at the top cards of the deck."""

    count: Count


class Search(Deed, frozen=True, tag="search"):
    """Look through the whole deck; it is shuffled afterwards."""


class Close(Deed, frozen=True, tag="close"):
    """Look no more; a deck that was searched is shuffled, whoever says so."""


draws = Play(Deck)


@draws.offers
def looking_offers(table: Table, deck: Deck, seat: str) -> Iterator[Offer]:
    """Offer what can be done with the cards of the deck that one looks at, and to end looking."""
    if seat in deck.looking:
        on, places = f"{deck.id}.looking", tuple[Place, ...](("hand", "table", "bottom", "top", "discard", "removed"))
        if seen := deck.before(seat):
            yield from moves(deck, seen, on, places, player=seat in table.roles)
        yield Close.offer(say("Done: shuffle") if deck.searching else say("Done"), on=on, tracker=deck.id)
    elif deck.searching:
        label = say("End the search of {who}", who=table.called(deck.searching))
        yield Close.offer(label, on=deck.id, aside=True, tracker=deck.id)


@draws.offers
def deck_offers(table: Table, deck: Deck, seat: str) -> Iterator[Offer]:
    """Offer what can be done with the deck, unless somebody searches it."""
    if deck.searching:
        return
    left, on, tracker = len(deck.order), f"{deck.id}.deck", deck.id
    most = min(left, MOST_AT_ONCE)
    if left and seat in table.roles:
        yield Draw.offer(say("Draw"), on=on, main=True, tracker=tracker, count=1)
        if left > 1:
            count = number_field("count", say("How many cards"), None, 1, most)
            yield Draw.offer(say("Draw…"), count, on=on, tracker=tracker)
    if left:
        card = (Field("card", say("Which card it is"), "choice", deck.choices(deck.unseen)),) if deck.real else ()
        yield TurnUp.offer(say("Turn over"), *card, on=on, tracker=tracker)
        each = number_field("count", say("Cards for each"), min(5, most), 1, most)
        seats = tuple(Option(role, table.called(role)) for role in table.roles)
        to = Field("to", say("For whom"), "many", seats, table.players)
        yield Deal.offer(say("Deal…"), each, to, on=tracker, loose=True, tracker=tracker)
    if left > 1:
        yield Shuffle.offer(say("Shuffle"), on=tracker, tracker=tracker)
        under = number_field("count", say("Under how many cards"), left // 2, 1, left - 1)
        yield Cut.offer(say("Cut…"), under, on=tracker, aside=True, tracker=tracker)
    if left and may_look(deck, seat):
        count = number_field("count", say("How many cards"), 1, 1, most)
        yield Peek.offer(say("Look at the top cards"), count, on=tracker, aside=True, tracker=tracker)
        yield Search.offer(say("Search the deck"), on=tracker, aside=True, tracker=tracker)
    if deck.discard:
        yield Reshuffle.offer(say("Shuffle the discard pile in"), on=tracker, aside=bool(left), tracker=tracker)


@draws.rule(Draw)
def draw(table: Table, deck: Deck, seat: str, action: Draw, ask: Ask) -> Ruling[Deck]:
    """Draw into the own hand; raise Refusal for more cards than are left."""
    check_player(table, seat)
    check_quiet(table, deck)
    check_there(deck, action.count)
    places = range(action.count)
    why = say("{who} draws a card|{who} draws {count} cards", who=table.called(seat), count=action.count)
    deck = _to_hand(deck, seat, places, why, ask)
    return Ruling(taken_out(deck, places), why, reveals=not deck.real)


def _to_hand(deck: Deck, seat: str, places: range, why: Text, ask: Ask) -> Deck:
    """Let a seat hold the cards of some places, which are still to be taken out of the deck."""
    deck, cards = known_at(deck, places, ask, f"draw_{seat}", why, seat, secret=not deck.open)
    if not deck.real:
        tell_own(deck, seat, say("You draw {cards}", cards=named(deck, cards)), ask)
    return deck.more_in_hand(seat, cards)


@draws.rule(TurnUp)
def turn_up(table: Table, deck: Deck, seat: str, action: TurnUp, ask: Ask) -> Ruling[Deck]:
    """Turn over the top card; raise Refusal where nobody says which one of a real deck it is."""
    check_quiet(table, deck)
    check_there(deck, 1)
    who = table.called(seat)
    if not deck.real:
        why = say("{who} turns over the top card", who=who)
        deck, cards = known_at(deck, (0,), ask, "turn_up", why, seat, secret=False)
        return shown(taken_out(deck, (0,)), seat, who, cards, "turns over")
    if action.card is None or action.card not in deck.unseen:
        raise Refusal(say("Say which card it is: one that does not lie face up."), field="card")
    return shown(deck.but(order=deck.order[1:]), seat, who, (action.card,), "turns over")


@draws.rule(Deal)
def deal(table: Table, deck: Deck, seat: str, action: Deal, ask: Ask) -> Ruling[Deck]:
    """Deal around, one card each at a time; raise Refusal for more cards than are left, or to nobody."""
    check_quiet(table, deck)
    seats, count = tuple(role for role in table.roles if role in action.to), action.count
    if not seats or len(seats) < len(set(action.to)):
        raise Refusal(say("Say whom the cards are dealt to."), field="to")
    every = count * len(seats)
    check_there(deck, every)
    for at, other in enumerate(seats):
        why = say("{who} is dealt a card|{who} is dealt {count} cards", who=table.called(other), count=count)
        ask.tell(why)
        deck = _to_hand(deck, other, range(at, every, len(seats)), why, ask)
    headline = say("{who} deals a card each|{who} deals {count} cards each", who=table.called(seat), count=count)
    return Ruling(taken_out(deck, range(every)), headline, reveals=not deck.real)


@draws.rule(Shuffle)
def shuffle(table: Table, deck: Deck, seat: str, _action: Shuffle, _ask: Ask) -> Ruling[Deck]:
    """Shuffle the deck."""
    check_quiet(table, deck)
    return Ruling(shuffled(deck), say("{who} shuffles the deck", who=table.called(seat)))


@draws.rule(Cut)
def cut(table: Table, deck: Deck, seat: str, action: Cut, _ask: Ask) -> Ruling[Deck]:
    """Lay the cards under the first ones on top of them; raise Refusal for more than are left."""
    check_quiet(table, deck)
    check_there(deck, action.count)
    headline = say("{who} cuts the deck after {count}", who=table.called(seat), count=action.count)
    return Ruling(deck.but(order=deck.order[action.count :] + deck.order[: action.count]), headline)


@draws.rule(Reshuffle)
def reshuffle(table: Table, deck: Deck, seat: str, _action: Reshuffle, _ask: Ask) -> Ruling[Deck]:
    """Shuffle the discard pile into the deck; raise Refusal where there is none."""
    check_quiet(table, deck)
    if not deck.discard:
        raise Refusal(say("The discard pile is empty."))
    headline = say("{who} shuffles the discard pile into the deck", who=table.called(seat))
    return Ruling(shuffled(deck, deck.discard).but(discard=()), headline)


def may_look(deck: Deck, seat: str) -> bool:
    """Tell whether a seat may look into the deck."""
    return not deck.real and (deck.peek == "everyone" or (deck.peek == "keeper" and seat == RULEKEEPER))


def _check_may_look(table: Table, deck: Deck, seat: str) -> None:
    if not may_look(deck, seat):
        raise Refusal(say("At this table you may not look into the deck."))
    check_quiet(table, deck)


@draws.rule(Peek)
def peek(table: Table, deck: Deck, seat: str, action: Peek, ask: Ask) -> Ruling[Deck]:
    """Look at the top cards; raise Refusal for more than are left, or where that is not for this seat."""
    _check_may_look(table, deck, seat)
    check_there(deck, action.count)
    who = table.called(seat)
    why = say("{who} looks at the top card|{who} looks at the {count} top cards", who=who, count=action.count)
    deck, cards = known_at(deck, range(action.count), ask, "peek", why, seat)
    return Ruling(deck.but(looking={**deck.looking, seat: cards}), why, reveals=True)


@draws.rule(Search)
def search(table: Table, deck: Deck, seat: str, _action: Search, _ask: Ask) -> Ruling[Deck]:
    """Look through the deck; raise Refusal where it is empty, or where that is not for this seat."""
    _check_may_look(table, deck, seat)
    if not deck.order:
        raise Refusal(say("The deck is empty."))
    after = shuffled(deck).but(looking={seat: ()}, searching=seat)
    return Ruling(after, say("{who} searches the deck", who=table.called(seat)), reveals=True)


@draws.rule(Close)
def close(table: Table, deck: Deck, seat: str, _action: Close, _ask: Ask) -> Ruling[Deck]:
    """Look no more, or end the search of anybody; raise Refusal where nobody looks."""
    if deck.searching:
        who = table.called(deck.searching)
        return Ruling(shuffled(deck), say("{who} has searched the deck: it is shuffled", who=who))
    if seat not in deck.looking:
        raise Refusal(say("You are not looking into the deck."))
    left = {other: cards for other, cards in deck.looking.items() if other != seat}
    return Ruling(deck.but(looking=left), say("{who} has looked enough", who=table.called(seat)))
