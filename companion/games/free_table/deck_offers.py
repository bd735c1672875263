"""What a seat may do with a deck now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.free_table.deck_actions import Place
from companion.games.free_table.deck_piles import Deck, laid_out
from companion.games.free_table.deck_putting import looks_at
from companion.games.free_table.deck_rules import may_look
from companion.games.free_table.look import number
from companion.kit.asking import Option
from companion.kit.cards import FACE_DOWN
from companion.kit.offer import Field, Offer
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.free_table.state import State

MOST_AT_ONCE = 30
WORDS: dict[Place, Text] = {
    "table": say("Play"),
    "hand": say("Into my hand"),
    "discard": say("Discard"),
    "top": say("On top of the deck"),
    "bottom": say("Under the deck"),
    "shuffled": say("Shuffle into the deck"),
    "removed": say("Out of the game"),
}


def offers(state: State, tracker: Deck, seat: str) -> tuple[Offer, ...]:
    """Offer what can be done with the deck, what lies face up, and the seat's own cards."""
    deck = laid_out(tracker)
    player = seat in state.roles
    found = _of_hand(state, deck, seat)
    if seat in deck.looking:
        found += _of_looking(deck, seat, player=player)
    if not deck.searching:
        found += _of_deck(state, deck, seat, player=player)
    elif deck.searching != seat:
        who = state.called(deck.searching)
        found.append(Offer("close", say("End the search of {who}", who=who), _given(deck), on=deck.id, aside=True))
    # What leaves most open comes last: what settles more is found before it.
    return (*found, *_of_piles(deck, player=player))


def _given(deck: Deck, **more: Any) -> dict[str, Any]:
    return {"tracker": deck.id, **more}


def _of_deck(state: State, deck: Deck, seat: str, *, player: bool) -> list[Offer]:
    found: list[Offer] = []
    left, on = len(deck.order), f"{deck.id}.deck"
    most = min(left, MOST_AT_ONCE)
    if left and player:
        found.append(Offer("draw", say("Draw"), _given(deck, count=1), on=on, main=True))
        if left > 1:
            count = number("count", say("How many cards"), None, 1, most)
            found.append(Offer("draw", say("Draw…"), _given(deck), (count,), on=on))
    if left:
        which = (Field("card", say("Which card it is"), "choice", _options(deck, deck.unseen)),) if deck.real else ()
        found.append(Offer("turn_up", say("Turn over"), _given(deck), which, on=on))
        found.append(_deal(state, deck))
    if left > 1:
        found.append(Offer("shuffle", say("Shuffle"), _given(deck), on=deck.id))
        under = number("count", say("Under how many cards"), left // 2, 1, left - 1)
        found.append(Offer("cut", say("Cut…"), _given(deck), (under,), on=deck.id, aside=True))
    if left and may_look(deck, seat):
        count = number("count", say("How many cards"), 1, 1, most)
        found.append(Offer("peek", say("Look at the top cards"), _given(deck), (count,), on=deck.id, aside=True))
        found.append(Offer("search", say("Search the deck"), _given(deck), on=deck.id, aside=True))
    if deck.discard:
        again = say("Shuffle the discard pile in")
        found.append(Offer("reshuffle", again, _given(deck), on=deck.id, aside=bool(left)))
    return found


def _deal(state: State, deck: Deck) -> Offer:
    most = min(len(deck.order), MOST_AT_ONCE)
    seats = tuple(Option(one, state.called(one)) for one in state.roles)
    fields = (
        number("count", say("Cards for each"), min(5, most), 1, most),
        Field("to", say("For whom"), "many", seats, state.players),
    )
    return Offer("deal", say("Deal…"), _given(deck), fields, on=deck.id, loose=True)


def _of_piles(deck: Deck, *, player: bool) -> list[Offer]:
    """Offer what can be done with what lies face up, and to bring everything together."""
    found: list[Offer] = []
    if deck.played:
        places: tuple[Place, ...] = ("hand", "discard", "top", "bottom", "shuffled", "removed")
        found += _moves(deck, deck.table, f"{deck.id}.table", places, player=player)
        found.append(Offer("sweep", say("Clear the table"), _given(deck), on=f"{deck.id}.table", aside=True))
    if deck.discard:
        on = f"{deck.id}.discard"
        if player:
            found.append(Offer("put", say("Take"), _given(deck, to="hand", cards=deck.discard[-1:]), on=on))
        lying = Field("cards", say("Cards"), "many", _options(deck, (*deck.discard[::-1], *deck.removed)))
        to = tuple(
            Option(place, WORDS[place]) for place in WORDS if (player or place != "hand") and not _barred(deck, place)
        )
        move = (lying, Field("to", say("Where to"), "choice", to, to[0].value))
        found.append(Offer("put", say("Move…"), _given(deck), move, on=on, loose=True))
    if deck.hands or deck.played or deck.discard or deck.searching:
        found.append(
            Offer(
                "gather",
                say("Gather all cards and shuffle"),
                _given(deck),
                on=deck.id,
                grave=True,
                aside=True,
                asks=say("Gather the cards of everybody and shuffle them?"),
            )
        )
    return found


def _barred(deck: Deck, place: Place) -> bool:
    return bool(deck.searching) and place in {"top", "bottom", "shuffled"}


def _moves(deck: Deck, cards: tuple[str, ...], on: str, places: tuple[Place, ...], *, player: bool) -> list[Offer]:
    """Offer to put some of these cards somewhere: the first two places are at hand, the others kept aside."""
    field = (Field("cards", say("Cards"), "many", _options(deck, cards)),)
    return [
        Offer("put", WORDS[place], _given(deck, to=place), field, on=on, main=at == 0, loose=True, aside=at > 1)
        for at, place in enumerate(places)
        if (player or place != "hand") and not _barred(deck, place)
    ]


def _of_hand(state: State, deck: Deck, seat: str) -> list[Offer]:
    hand, on = deck.hand(seat), f"{deck.id}.hand"
    if not hand:
        return []
    found: list[Offer] = []
    others = tuple(one for one in state.players if one != seat)
    if deck.real:
        found += _of_real_hand(state, deck, hand, others)
    if cards := deck.pack.ordered(deck.named(seat)):
        found += _moves(deck, cards, on, ("table", "discard", "top", "bottom", "shuffled", "removed"), player=True)
        field = (Field("cards", say("Cards"), "many", _options(deck, cards)),)
        found += [
            Offer(
                "give",
                say("Give to {who}", who=state.called(one)),
                _given(deck, to=one),
                field,
                on=on,
                loose=True,
                aside=True,
            )
            for one in others
        ]
    return found


def _of_real_hand(state: State, deck: Deck, hand: tuple[str, ...], others: tuple[str, ...]) -> list[Offer]:
    """Offer what can be done with cards whose faces only their player sees: they are named as they are laid down."""
    unseen, on, down = _options(deck, deck.unseen), deck.id, hand.count(FACE_DOWN)
    found: list[Offer] = []
    if down:
        fields = (Field("cards", say("Which cards they are"), "many", unseen),)
        found += [
            Offer("put", say("Play from my hand…"), _given(deck, to="table"), fields, on=on, loose=True),
            Offer("put", say("Discard from my hand…"), _given(deck, to="discard"), fields, on=on, loose=True),
        ]
        count = number("count", say("How many cards, face down"), 1, 1, down)
        found.append(Offer("hand_over", say("Back into the deck…"), _given(deck), (count,), on=on, aside=True))
        found += [
            Offer(
                "hand_over",
                say("Give to {who}…", who=state.called(one)),
                _given(deck, to=one),
                (count,),
                on=on,
                aside=True,
            )
            for one in others
        ]
    noted = tuple(code for code in hand if code != FACE_DOWN)
    mine = Field("cards", say("The cards that I hold; only you see this"), "many", unseen, noted)
    found.append(Offer("mark", say("Note my cards…"), _given(deck), (mine,), on=on, loose=True))
    return found


def _of_looking(deck: Deck, seat: str, *, player: bool) -> list[Offer]:
    on, seen = f"{deck.id}.looking", looks_at(deck, seat)
    found: list[Offer] = []
    if seen:
        places: tuple[Place, ...] = ("hand", "table", "bottom", "top", "discard", "removed")
        found += _moves(deck, seen, on, places, player=player)
    words = say("Done: shuffle") if deck.searching else say("Done")
    found.append(Offer("close", words, _given(deck), on=on))
    return found


def _options(deck: Deck, cards: tuple[str, ...]) -> tuple[Option, ...]:
    options = deck.pack.options
    return tuple(options[code] for code in cards)
