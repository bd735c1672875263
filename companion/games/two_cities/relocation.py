"""Moving cards by hand: every one of the 24 stays in exactly one place, and nobody learns of another's hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities.units import SIDES, Side, other
from companion.kit.cards import FACE_DOWN, pile
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.state import State
    from companion.kit.asking import Ask

DRAW_PILE = "draw_pile"
IN_PLAY = "card_in_play"
FACE_UP = ("discard_pile", "removed", IN_PLAY)

Places = dict[str, list[str]]


def _places(state: State) -> Places:
    return {
        DRAW_PILE: list(state.draw_pile),
        "discard_pile": list(state.discard_pile),
        "removed": list(state.removed),
        IN_PLAY: [state.card] if state.card else [],
        **{side: list(state.hands.get(side, ())) for side in SIDES},
    }


def relocate(state: State, place: str, wanted: tuple[str, ...], ask: Ask) -> State:
    """Let a place hold exactly the wanted cards; raise Refusal when one of them is nowhere.

    How many cards every place holds afterwards follows from what everybody sees, never from where a face-down card
    was. A card that comes is exchanged for one that leaves. Where none leaves, the ``payer`` has one card fewer, and
    whoever really gave the card is made good. What leaves without an exchange goes to the draw pile, a card in play
    back to its player's hand. Face-down cards of a real deck are only counted.
    """
    places = _places(state)
    here = places[place]
    leaving = [card for card in here if card not in wanted]
    for card in wanted:
        if card in here:
            continue
        payer = _payer(state, places, place)
        source = _source(places, card, payer)
        places[source].remove(card if card in places[source] else FACE_DOWN)
        here.append(card)
        if leaving:
            gone = leaving.pop(0)
            here.remove(gone)
            _make_good(state, places, source, gone, ask, secret=place in SIDES)
        elif source not in FACE_UP and source != payer:
            paid = _drawn(places, source, ask) if payer == DRAW_PILE else places[payer].pop(0)
            _make_good(state, places, source, paid, ask, secret=payer in SIDES)
    for card in leaving:
        here.remove(card)
        _lay(state, places, state.active if place == IN_PLAY else DRAW_PILE, card)
    return state.but(
        draw_pile=pile(places[DRAW_PILE]),
        discard_pile=tuple(places["discard_pile"]),
        removed=tuple(places["removed"]),
        card=places[IN_PLAY][0] if places[IN_PLAY] else None,
        hands={side: tuple(places[side]) for side in SIDES},
    )


def _payer(state: State, places: Places, place: str) -> str:
    """Say who has one card fewer when a face-down card comes: known to all, wherever that card really was."""
    first, second = (state.active, DRAW_PILE) if place == IN_PLAY else (DRAW_PILE, state.active)
    payers = (first, second, other(state.active))
    return next((name for name in payers if name != place and places[name]), DRAW_PILE)


def _source(places: Places, card: str, payer: str) -> str:
    """Find where a card is; the payer has it when it is one of the face-down cards of a real deck."""
    found = next((name for name, cards in places.items() if card in cards), payer)
    if card not in places[found] and FACE_DOWN not in places[found]:
        raise Refusal(say("That is not one of the choices."), field="value")
    return found


def _make_good(state: State, places: Places, source: str, card: str, ask: Ask, *, secret: bool) -> None:
    """Give the place a card came from another one for it.

    What comes out of a player's hand never goes straight into the other one: it goes to the draw pile and another card
    is drawn. With an empty draw pile both players know each other's hands anyway: they see all cards but those.
    """
    if secret and source in SIDES and places[DRAW_PILE]:
        drawn = _drawn(places, source, ask)
        _lay(state, places, DRAW_PILE, card)
        card = drawn
    _lay(state, places, source, card)


def _drawn(places: Places, side: str, ask: Ask) -> str:
    """Take any card off the draw pile for a player: a choice that could be worked out would tell what is left."""
    why = say("{side} draws a card", side=Text(side))
    (card,) = ask.draw(places[DRAW_PILE], 1, "draw", why, by=side, secret=True)
    places[DRAW_PILE].remove(card)
    return card


def _lay(state: State, places: Places, name: str, card: str) -> None:
    places[name].append(card if state.dealt or name in FACE_UP else FACE_DOWN)


def set_size(state: State, side: Side, size: int) -> State:
    """Let a real hand hold so many cards; the draw pile has the rest."""
    both = len(state.draw_pile) + len(state.hands.get(side, ()))
    size = min(size, both)
    return state.but(hands={**state.hands, side: (FACE_DOWN,) * size}, draw_pile=(FACE_DOWN,) * (both - size))
