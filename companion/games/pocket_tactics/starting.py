"""The start: both factions are ready, and a die says who is first (PT-11, PT-12, PT-A44)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import bagging, mapping, setting_out
from companion.games.pocket_tactics.cards import MOST_UNITS
from companion.games.pocket_tactics.sides import SEATS
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say
from companion.kit.throwing_off import highest

if TYPE_CHECKING:
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.kit.asking import Ask

FIRST_BASE = "m1"
"""Where the first player's base lies on the mirrored map."""


def check_ready(state: State, seat: Seat) -> None:
    """Refuse a faction or a bag that no game can begin with (PT-02, PT-06, PT-13, PT-A46)."""
    faction, limit = state.factions.get(seat), state.options.army_limit
    if faction is None:
        raise Refusal(say("Take a faction first, or write one."), "PT-11")
    if not faction.size:
        raise Refusal(say("There is no unit in your faction."), "PT-02")
    if faction.size > MOST_UNITS:
        raise Refusal(say("A faction has {most} units at the most.", most=MOST_UNITS), "PT-02")
    if faction.cost > limit:
        text = say("Your faction costs {points} points: {limit} are the limit.", points=faction.cost, limit=limit)
        raise Refusal(text, "PT-A46")
    if state.mirrored:
        bagging.check(state.bag)


def ready(state: State, seat: Seat, ask: Ask, *, on: bool) -> State:
    """Take a player at his word that the faction and the bag stand; when both are ready the game begins (PT-11)."""
    if (seat in state.ready) == on:
        raise Refusal(say("You have said so already."), "PT-11")
    side = Text(seat)
    if not on:
        ask.tell(say("{side}: the faction is looked at again", side=side), "PT-11")
        return state.but(ready=tuple(one for one in state.ready if one != seat))
    check_ready(state, seat)
    ask.tell(say("{side}: the faction is ready", side=side), "PT-11")
    if not state.ready:
        return state.but(ready=(seat,))
    return _begin(state.but(ready=SEATS).mustered(), ask)


def _begin(state: State, ask: Ask) -> State:
    """See who is first; then the map is built, or units are put on the one that lies on the table (PT-12 to PT-14)."""
    first = _first_player(ask)
    if not state.mirrored:
        return setting_out.begin(state.but(first=first), ask)
    left = tuple(number for number, tile in enumerate(state.bag.tile) for _ in range(tile.count))
    return mapping.begin(state.but(first=first, bases={first: FIRST_BASE}, left=left), ask)


def _first_player(ask: Ask) -> Seat:
    """Let both throw a die: the higher one is first, equal ones are thrown again (PT-12, PT-A44)."""

    def throws(seat: Seat, _again: int) -> int:
        why = say("{side}: who is first", side=Text(seat))
        faces = ask.throw(1, 6, "start_roll", why, by=seat, clause="PT-12")
        ask.tell(say("{side} throws for the first turn", side=Text(seat)), "PT-12", faces[0], faces=faces)
        return faces[0]

    first = highest(SEATS, throws, lambda: ask.tell(say("Equal: both throw again"), "PT-A44"))
    ask.tell(say("{side} is the first player", side=Text(first)), "PT-12")
    return first
