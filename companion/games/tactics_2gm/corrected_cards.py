"""Corrections of decks: how many cards a hand and a deck have, what was discarded, and a player's own hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import hands
from companion.kit import decks
from companion.kit.asking import Option
from companion.kit.cards import FACE_DOWN, without
from companion.kit.corrected import choice
from companion.kit.game import Field, Tracked
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.tactics_2gm.pieces import Deck
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask

NOTHING = "none"
NO_CARD = Option(NOTHING, say("no card"))


def tracked(state: State) -> tuple[Tracked, ...]:
    """List what can be corrected about cards; what is in a hand or a deck only its player is shown (ledger 5.2)."""
    return tuple(entry for seat in state.seats if seat in state.decks for entry in _of(state, seat))


def _of(state: State, seat: Seat) -> list[Tracked]:
    deck, path = state.deck(seat), f"cards.{seat}"
    group = say("Cards: {seat}", seat=Text(seat))
    known = _named(deck)
    size = _number(say("Cards in the hand"), len(deck.hand), len(deck.hand) + len(deck.pile))
    found = [Tracked(f"{path}.size", group, size, reveals=not state.real)]
    if state.real:
        most = max(state.rosters[seat].size, len(deck.pile), len(deck.discard))
        nameless = len(deck.discard) - len(known)
        found.append(Tracked(f"{path}.pile", group, _number(say("Cards in the deck"), len(deck.pile), most)))
        found.append(Tracked(f"{path}.nameless", group, _number(say("Discards that nobody named"), nameless, most)))
    else:
        own = _options(state, seat, sorted((*deck.hand, *deck.pile), key=_order))
        hand = Field("value", say("Your hand"), "many", own, value=tuple(sorted(deck.hand, key=_order)))
        found.append(Tracked(f"{path}.hand", group, hand, secret_of=seat, only=seat))
        from_hand = _options(state, seat, decks.one_each(deck.hand), say("out of the hand"))
        from_deck = _options(state, seat, decks.one_each(deck.pile), say("out of the deck"))
        put = choice(say("Put on the discards"), (NO_CARD, *from_hand, *from_deck), NOTHING)
        found.append(Tracked(f"{path}.put", group, put, reveals=True, only=seat))
    if known:
        # By their place, not their code: that would tell everybody where a card stands in its player's roster.
        options = tuple(Option(str(at), hands.card_name(state, seat, code)) for at, code in enumerate(known))
        all_of = tuple(option.value for option in options)
        lying = Field("value", say("On the discards; others go back into the deck"), "many", options, value=all_of)
        take = choice(say("Take off the discards into the hand"), (NO_CARD, *options), NOTHING)
        found += [Tracked(f"{path}.discard", group, lying), Tracked(f"{path}.take", group, take)]
    return found


def _named(deck: Deck) -> tuple[str, ...]:
    """List the discards that somebody named."""
    return tuple(code for code in deck.discard if code != FACE_DOWN)


def _number(label: Text, value: int, high: int) -> Field:
    return Field("value", label, "number", value=value, high=high)


def _order(code: str) -> tuple[int, int]:
    kind, _, copy = code.partition(".")
    return int(kind), int(copy)


def _options(state: State, seat: Seat, codes: Iterable[str], where: Text | None = None) -> tuple[Option, ...]:
    names = ((code, hands.card_name(state, seat, code)) for code in codes)
    return tuple(
        Option(code, say("{card}, {where}", card=name, where=where) if where else name) for code, name in names
    )


def correct(state: State, rest: str, value: str, ask: Ask) -> State:
    """Move cards between hand, deck and discards; how many a hand then has everybody sees, which ones chance says."""
    name, _, part = rest.partition(".")
    seat = next(one for one in state.seats if one == name)
    deck = state.deck(seat)
    match part:
        case "size":
            return _resize(state, seat, int(value), ask)
        case "pile":
            return state.with_deck(seat, pile=(FACE_DOWN,) * int(value))
        case "nameless":
            return state.with_deck(seat, discard=(*_named(deck), *(FACE_DOWN,) * int(value)))
        case "hand":
            wanted = tuple(code for code in value.split(",") if code)
            return state.with_deck(seat, hand=wanted, pile=without((*deck.hand, *deck.pile), wanted))
        case "put":
            return state if value == NOTHING else _put(state, seat, value)
        case "take":
            return state if value == NOTHING else _take(state, seat, (_named(deck)[int(value)],), "hand")
    kept = value.split(",")
    leaving = tuple(code for at, code in enumerate(_named(deck)) if str(at) not in kept)
    return _take(state, seat, leaving, "pile")


def _resize(state: State, seat: Seat, size: int, ask: Ask) -> State:
    """Let a hand hold so many cards: others come from the deck, or go back into it, as chance says."""
    deck = state.deck(seat)
    more = size - len(deck.hand)
    source, count = (deck.pile, more) if more > 0 else (deck.hand, -more)
    if state.real:
        moved: tuple[str, ...] = (FACE_DOWN,) * count
    elif count:
        moved = ask.draw(source, count, "corrected", say("cards of {seat}", seat=Text(seat)), by=seat, secret=True)
    else:
        return state
    if more > 0:
        return state.with_deck(seat, pile=without(deck.pile, moved), hand=(*deck.hand, *moved))
    return state.with_deck(seat, hand=without(deck.hand, moved), pile=(*deck.pile, *moved))


def _put(state: State, seat: Seat, code: str) -> State:
    """Discard a card out of the hand or the deck."""
    deck = state.deck(seat)
    if code in deck.hand:
        return hands.leave_hand(state, seat, code, discard=True)
    pile = without(deck.pile, (code,))
    return state.with_deck(seat, pile=pile, out=(*deck.out, code), discard=(*deck.discard, code))


def _take(state: State, seat: Seat, codes: tuple[str, ...], where: str) -> State:
    """Take cards off the discards into the hand or the deck; real ones are face down there."""
    deck: Deck = state.deck(seat)
    hidden = (FACE_DOWN,) * len(codes) if state.real else codes
    held = deck.hand if where == "hand" else deck.pile
    return state.with_deck(
        seat,
        discard=without(deck.discard, codes),
        out=tuple(code for code in deck.out if code not in codes),
        **{where: (*held, *hidden)},
    )
