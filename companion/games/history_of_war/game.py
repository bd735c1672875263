"""The game as the table and the web know it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

from companion.games.history_of_war import actions as do
from companion.games.history_of_war import (
    battle,
    building,
    conquest,
    corrections,
    lookups,
    movement,
    preparing,
    rounds,
    starting,
    view,
    waiting,
)
from companion.games.history_of_war.headlines import headline
from companion.games.history_of_war.options import Options
from companion.games.history_of_war.sample import PACKAGE
from companion.games.history_of_war.sheets import sheets
from companion.games.history_of_war.sides import SEATS, Seat
from companion.games.history_of_war.state import State
from companion.kit.chapter import Chapter
from companion.kit.correction import Correction
from companion.kit.game import Game
from companion.kit.offer import Offer
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.kit.asking import Ask

QUIET = (
    do.UseSample,
    do.LoadDeck,
    do.NameDeck,
    do.SetCount,
    do.RemoveCard,
    do.EditTerritory,
    do.EditBase,
    do.EditUpgrade,
    do.EditAction,
    do.EditDevelopment,
    do.EditUnit,
    do.LayDown,
    do.LayUpgrade,
    do.TakeUp,
    do.Hold,
)
"""What a player does out of the other's sight, with the own deck before the game and face down in construction; and
what he wishes for himself."""


def _turned_up(before: State, after: State) -> bool:
    """Tell whether cards that lay face down were turned up (HW-44)."""
    lay, lie = (any(state.plan(seat).laid for seat in SEATS) for state in (before, after))
    return lay and not lie


def _rule(state: State, seat: Seat, action: do.Action, ask: Ask) -> State:
    """Hand an action to its chapter."""
    if isinstance(action, do.Preparing):
        return preparing.rule(state, seat, action, ask)
    if isinstance(action, do.Starting):
        return starting.rule(state, seat, action, ask)
    if isinstance(action, do.Turning):
        return rounds.rule(state, seat, action, ask)
    if isinstance(action, do.Building):
        return building.rule(state, seat, action, ask)
    if isinstance(action, do.Moving):
        return movement.rule(state, seat, action, ask)
    if isinstance(action, do.Fighting):
        return battle.rule(state, seat, action, ask)
    return conquest.rule(state, seat, action, ask)


def _offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    chapters = (preparing, starting, building, movement, battle, conquest, rounds)
    return tuple(offer for chapter in chapters for offer in chapter.offers(state, seat))


everything = Chapter[State, Seat]()
everything.offers(_offers)
for action in get_args(do.Action):
    everything.rule(
        action,
        headline=headline,
        quiet=(lambda state: state.phase == "decks") if issubclass(action, do.Preparing) else issubclass(action, QUIET),
        reveals=_turned_up if action is do.Build else None,
        settles=action is not do.Hold,
    )(_rule)


def _corrections(state: State) -> Iterator[Correction[State]]:
    for value in corrections.tracked(state):
        path = value.path
        yield Correction(value, lambda sent, ask, path=path: corrections.correct(state, path, sent, ask))  # type: ignore[misc]


GAME = Game(
    slug="history_of_war",
    name=say("History of War"),
    summary=say(
        "A card game of territories: build, attack, block, and plant more flags than the enemy. First to 15 "
        "victory points."
    ),
    package=PACKAGE,
    sheets=sheets(),
    options=Options,
    state=State,
    seats=SEATS,
    setup=lambda options, _: Ruling(
        State(options=options), say("Take a deck each: a ready one, a file, or one of your own.")
    ),
    view=view.view,
    over=lambda state: state.phase == "finished",
    chapters=(everything,),
    corrections=_corrections,
    corrected=lambda state, _: waiting.asked_again(state),
    settle=rounds.go_on,
    lookups=tuple(lookups.LOOKUPS.values()),
    strangers=Reason(say("Only the players act."), "HW-29"),
    finished=Reason(say("The game is over."), "HW-100"),
)
