"""Moving cards by hand: every one of the 24 stays in exactly one place, and nobody learns of another's hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities.units import SIDES, Side
from companion.kit.cards import FACE_DOWN, pile

if TYPE_CHECKING:
    from companion.games.two_cities.state import State

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


def relocate(state: State, place: str, wanted: tuple[str, ...]) -> State:
    """Let a place hold exactly the wanted cards.

    Each card that comes is exchanged for one that leaves, so that the other places keep their size. What leaves without
    an exchange goes to the draw pile (a card in play back to its player's hand); what comes out of the other hand
    without one is replaced from the draw pile. Face-down cards of a real deck are only counted.
    """
    places = _places(state)
    here = places[place]
    leaving = [card for card in here if card not in wanted]
    home = state.active if place == IN_PLAY else DRAW_PILE
    for card in wanted:
        if card in here:
            continue
        source = _source(places, card, home)
        places[source].remove(card if card in places[source] else FACE_DOWN)
        here.append(card)
        if leaving:
            here.remove(leaving[0])
            _lay(state, places, source, leaving.pop(0))
        elif source in SIDES and place != IN_PLAY and places[DRAW_PILE]:
            places[source].append(places[DRAW_PILE].pop(0))
    for card in leaving:
        here.remove(card)
        _lay(state, places, home, card)
    return state.but(
        draw_pile=pile(places[DRAW_PILE]),
        discard_pile=tuple(places["discard_pile"]),
        removed=tuple(places["removed"]),
        card=places[IN_PLAY][0] if places[IN_PLAY] else None,
        hands={side: tuple(places[side]) for side in SIDES},
    )


def _source(places: Places, card: str, home: str) -> str:
    """Find where a card is: where it lies face up or is known, else among the face-down ones, the likeliest first."""
    for name, cards in places.items():
        if card in cards:
            return name
    return next(name for name in (home, DRAW_PILE, *SIDES) if FACE_DOWN in places[name])


def _lay(state: State, places: Places, name: str, card: str) -> None:
    places[name].append(card if state.dealt or name in FACE_UP else FACE_DOWN)


def set_size(state: State, side: Side, size: int) -> State:
    """Let a real hand hold so many cards; the draw pile has the rest."""
    both = len(state.draw_pile) + len(state.hands.get(side, ()))
    size = min(size, both)
    return state.but(hands={**state.hands, side: (FACE_DOWN,) * size}, draw_pile=(FACE_DOWN,) * (both - size))
