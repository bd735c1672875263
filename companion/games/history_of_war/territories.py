"""Territories to conquer: two of each player's own at the start, and others when all are conquered (HW-22 to HW-24)."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from companion.games.history_of_war import speech
from companion.games.history_of_war.cards import START_POINTS
from companion.games.history_of_war.pieces import Territory
from companion.games.history_of_war.sides import SEATS
from companion.kit.asking import Choice, Choose, Option, Throw
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.history_of_war.cards import TerritoryCard
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask


def unused(state: State, seat: Seat) -> dict[str, TerritoryCard]:
    """Return the kinds of a player's territory cards of which one is not on the table, by ``t0``, ``t1`` .."""
    lying = [one.card for one in state.territories if one.seat == seat]
    cards = {f"t{at}": card for at, card in enumerate(state.rosters[seat].territory)}
    return {kind: card for kind, card in cards.items() if lying.count(kind) < card.count}


def pairs(state: State, seat: Seat) -> tuple[Option, ...]:
    """List the pairs of a player's own territory cards; those worth too little are barred (HW-22, HW-A02)."""
    cards = unused(state, seat)
    return tuple(
        _pair((one, cards[one]), (two, cards[two]))
        for one, two in combinations_with_replacement(cards, 2)
        if one != two or cards[one].count > 1
    )


def _pair(one: tuple[str, TerritoryCard], two: tuple[str, TerritoryCard]) -> Option:
    points = one[1].victory_points + two[1].victory_points
    label = say(
        "{one} and {other}: {count} VP", one=speech.called(one[1].name), other=speech.called(two[1].name), count=points
    )
    short = say(
        "Together they are worth {points} victory points; {least} are the least.", points=points, least=START_POINTS
    )
    barred = Reason(short, "HW-22") if points < START_POINTS else None
    note = say("Flags needed: {one} and {other}.", one=one[1].flags, other=two[1].flags)
    return Option(f"{one[0]},{two[0]}", label, barred, note=note)


def choose_two(state: State, ask: Ask) -> State:
    """Let both choose two of their territory cards in secret, and reveal them at once (HW-22, HW-23, HW-24)."""
    why = say("Which two of your territories are to be conquered?")
    asking: dict[str, Throw | Choose] = {
        seat: Choose(f"territories_{seat}", why, seat, pairs(state, seat), "HW-22") for seat in SEATS
    }
    return _reveal(state, asking, say("Both choose two territories"), "HW-23", ask)


def add(state: State, ask: Ask) -> State:
    """Let each add another of the unused territory cards, chosen in secret; who has none adds none (HW-A33)."""
    why = say("Which of your territories is to be conquered next?")
    asking: dict[str, Throw | Choose] = {
        seat: Choose(
            f"territories_{seat}", why, seat, tuple(_one(kind, card) for kind, card in cards.items()), "HW-A33"
        )
        for seat in SEATS
        if (cards := unused(state, seat))
    }
    for seat in SEATS:
        if seat not in asking:
            ask.tell(say("{seat}: no territory card is left", seat=Text(seat)), "HW-A33")
    return _reveal(state, asking, say("No territory is left: each adds another"), "HW-A33", ask)


def _one(kind: str, card: TerritoryCard) -> Option:
    return Option(kind, _worth(card))


def _worth(card: TerritoryCard) -> Text:
    return say(
        "{territory}: {count} victory point, flags needed {flags}|{territory}: {count} victory points, "
        "flags needed {flags}",
        territory=speech.called(card.name),
        count=card.victory_points,
        flags=card.flags,
    )


def _reveal(state: State, asking: Mapping[str, Throw | Choose], why: Text, clause: str, ask: Ask) -> State:
    """Ask for the choices and lay all chosen territories in the middle at once."""
    sealed = ask.together(dict(asking), "territories", why)
    for seat in SEATS:
        answer = sealed.get(seat)
        for kind in answer.value.split(",") if isinstance(answer, Choice) else ():
            lying = Territory(f"t{len(state.territories) + 1}", seat, kind)
            state = state.but(territories=(*state.territories, lying))
            ask.tell(say("{seat} brings {territory}", seat=Text(seat), territory=_worth(state.land(lying))), clause)
    return state
