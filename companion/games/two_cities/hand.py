"""The hand: what can be played or thrown away, discarding, drawing (TTC-26 to TTC-41, TTC-54 to TTC-69)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities.activation import sector
from companion.games.two_cities.deck import CARDS, SPECIALS, card_face, rule_of
from companion.games.two_cities.reinforcements import no_room
from companion.games.two_cities.units import SIDES, Side
from companion.kit.cards import FACE_DOWN, pile, without
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.state import State
    from companion.kit.asking import Ask

HAND = 3
STAYS = (3, 4, 5, 6)
LEAVES = (1, 2)


def unseen(state: State) -> tuple[str, ...]:
    """List the cards that nobody sees on the table: neither discarded, nor removed, nor in play."""
    seen = {*state.discard_pile, *state.removed, state.card}
    return tuple(code for code in CARDS if code not in seen)


def choices(state: State, side: Side) -> tuple[str, ...]:
    """List the cards that a player may hold: the hand, or with a real deck every unseen card."""
    hand = state.hands.get(side, ())
    return hand if state.dealt or not hand else unseen(state)


def unplayable(state: State, side: Side, code: str) -> Reason | None:
    """Say why a card cannot be played; None when it can (TTC-34, TTC-37, TTC-40, TTC-65)."""
    if code not in CARDS:
        return Reason(say("Only the 24 cards of the game are used."), "TTC-26")
    card = rule_of(code)
    if card.card_class == "special":
        return None
    if card.card_class == "reinforcement":
        return no_room(state, side)
    if not card.left + card.right:
        return None
    mine = [unit for unit in state.in_play(side) if unit.mobile]
    parts = {sector(side, unit.square) for unit in mine if unit.square} if state.mirrored else {"left", "right"}
    if mine and ((card.left and "left" in parts) or (card.right and "right" in parts)):
        return None
    return Reason(say("It points only to sectors where you have no unit; a city does not count."), "TTC-37")


def playable(state: State, side: Side) -> tuple[str, ...]:
    """List the cards that can be played, in the order held."""
    return tuple(code for code in choices(state, side) if unplayable(state, side, code) is None)


def not_thrown_away(state: State, side: Side, code: str) -> Reason | None:
    """Say why a card may not be thrown away: something in the hand can be played (TTC-38, TTC-39, TTC-41).

    With a real deck only the card itself can be judged, and on a board that is not mirrored no sector card can.
    """
    able = tuple(
        held
        for held in (state.hands.get(side, ()) if state.dealt else (code,))
        if unplayable(state, side, held) is None and not _unsure(state, held)
    )
    if not able:
        return None
    if len(able) == 1 and able[0] in SPECIALS:
        return Reason(
            say("The special card has to be played: it is the only one that can be ({see}).", see="TTC-38"),
            "TTC-39",
        )
    return Reason(say("A card is thrown away only when none can be played ({see}).", see="TTC-41"), "TTC-38")


def _unsure(state: State, code: str) -> bool:
    card = rule_of(code)
    if state.mirrored or card.card_class == "special":
        return False
    return card.card_class == "reinforcement" or bool(card.left + card.right)


def check_held(state: State, side: Side, code: str) -> None:
    """Refuse a card that is not one of the 24 (TTC-26) or not in the hand (TTC-17)."""
    if code not in CARDS:
        raise Refusal(say("Only the 24 cards of the game are used."), "TTC-26", "card")
    if code not in choices(state, side):
        text = (
            say("{card} is not in your hand ({see}).", card=card_face(code), see="TTC-15")
            if state.dealt
            else say("{card} is out of play or in the discard pile ({see}).", card=card_face(code), see="TTC-67")
        )
        raise Refusal(text, "TTC-17", "card")


def take(state: State, side: Side, code: str) -> State:
    """Take a card out of a hand; a real hand only gets smaller."""
    hand = state.hands.get(side, ())
    return state.but(hands={**state.hands, side: without(hand, [code if state.dealt else FACE_DOWN])}, card=code)


def deal(state: State, ask: Ask) -> State:
    """Deal three cards to each player, White first, out of one common pile of 24 (TTC-13, TTC-14)."""
    state = state.but(draw_pile=pile(CARDS), hands={})
    if not state.dealt:
        ask.tell(say("Shuffle the 24 cards and deal three to each player, White first"), "TTC-13")
        hands = dict.fromkeys(SIDES, (FACE_DOWN,) * HAND)
        return state.but(hands=hands, draw_pile=(FACE_DOWN,) * (len(CARDS) - HAND * len(SIDES)))
    for side in SIDES:
        why = say("{side} is dealt three cards", side=Text(side))
        cards = ask.draw(state.draw_pile, HAND, f"deal_{side}", why, by=side, secret=True)
        ask.tell(why, "TTC-13")
        state = state.but(hands={**state.hands, side: cards}, draw_pile=without(state.draw_pile, cards))
    return state


def discard(state: State, ask: Ask) -> State:
    """Discard the card in play: a special rolls (TTC-54, TTC-55), a reinforcement leaves the game (TTC-62)."""
    code = state.card
    if code is None:
        return state
    card = rule_of(code)
    state = state.but(card=None)
    if card.card_class == "reinforcement":
        ask.tell(say("{card} leaves the game for good", card=card_face(code)), "TTC-62")
        return state.but(removed=(*state.removed, code))
    if card.card_class == "special":
        why = say("Discard roll for {card}: 1 or 2 and it leaves the game", card=card_face(code))
        face = ask.throw(1, 6, "discard", why, by=state.active, clause="TTC-86", alike=(LEAVES, STAYS))[0]
        if face in LEAVES:
            ask.tell(say("{card} leaves the game for good", card=card_face(code)), "TTC-54", faces=(face,))
            return state.but(removed=(*state.removed, code))
        ask.tell(say("{card} goes to the discard pile", card=card_face(code)), "TTC-54", faces=(face,))
    else:
        ask.tell(say("{card} goes to the discard pile", card=card_face(code)), "TTC-67")
    return state.but(discard_pile=(*state.discard_pile, code))


def draw(state: State, ask: Ask) -> State:
    """Draw one card, back to three (TTC-68); an empty draw pile is made anew from the discards (TTC-69)."""
    side = state.active
    hand = state.hands.get(side, ())
    if len(hand) >= HAND:
        return state
    if not state.draw_pile and state.discard_pile:
        count = len(state.discard_pile)
        ask.tell(
            say(
                "The discard becomes the new draw pile|The {count} discards are shuffled into a new draw pile",
                count=count,
            ),
            "TTC-69",
        )
        cards = pile(state.discard_pile) if state.dealt else (FACE_DOWN,) * count
        state = state.but(draw_pile=cards, discard_pile=())
    if not state.draw_pile:
        ask.tell(say("There is no card left to draw"), "TTC-69")
        return state
    if state.dealt:
        why = say("{side} draws a card", side=Text(side))
        cards = ask.draw(state.draw_pile, 1, "draw", why, by=side, secret=True)
        ask.tell(why, "TTC-68")
        ask.tell(say("You draw {card}", card=card_face(cards[0])), "TTC-68", seat=side)
    else:
        cards = (FACE_DOWN,)
        ask.tell(say("{side}: draw a card", side=Text(side)), "TTC-68")
    return state.but(hands={**state.hands, side: (*hand, *cards)}, draw_pile=without(state.draw_pile, cards))
