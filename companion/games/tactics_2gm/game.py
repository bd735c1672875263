"""The game as the table and the web know it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

from companion.games.tactics_2gm import actions as do
from companion.games.tactics_2gm import (
    air,
    corrections,
    deployment,
    fire,
    foresight,
    lookups,
    movement,
    preparing,
    starting,
    turn,
    turn_offers,
    victory,
    view,
)
from companion.games.tactics_2gm.headlines import headline
from companion.games.tactics_2gm.options import Options
from companion.games.tactics_2gm.sample import PACKAGE, SCENARIOS, TERRAIN
from companion.games.tactics_2gm.sheets import sheets
from companion.games.tactics_2gm.sides import Seat, paired, seats, side_of
from companion.games.tactics_2gm.state import State
from companion.kit.chapter import Chapter
from companion.kit.chart import Chart
from companion.kit.correction import Correction
from companion.kit.game import Game, Role
from companion.kit.offer import Offer
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.kit.asking import Ask

COLOURS: dict[Seat, str] = {
    "allies": "blue",
    "axis": "red",
    "allies_1": "blue",
    "allies_2": "white",
    "axis_1": "red",
    "axis_2": "black",
}
QUIET = (
    do.UseSample,
    do.LoadDeck,
    do.NameDeck,
    do.SetCount,
    do.EditUnit,
    do.EditWeapon,
    do.EditEquipment,
    do.EditSupport,
    do.EditHeadquarters,
    do.EditGeneral,
    do.RemoveCard,
)
"""What a player does to his own deck before the battle: nobody else hears of it."""


def _alongside(options: Options, seat: Seat) -> Text | None:
    side = side_of(seat)
    return say("Plays with a partner for the {side}", side=Text(side)) if paired(options, side) else None


def _rule(state: State, seat: Seat, action: do.Action, ask: Ask) -> State:
    """Hand an action to its chapter."""
    if isinstance(action, do.Preparing):
        return preparing.rule(state, seat, action, ask)
    if isinstance(action, do.Starting):
        return starting.rule(state, seat, action, ask)
    if isinstance(action, do.Turning):
        return turn.rule(state, seat, action, ask)
    if isinstance(action, do.Moving):
        return movement.rule(state, seat, action, ask)
    if isinstance(action, do.Deploying):
        return deployment.rule(state, seat, action, ask)
    if isinstance(action, do.Fire):
        return fire.rule(state, seat, action, ask)
    return air.rule(state, seat, action, ask)


def _setup(options: Options, ask: Ask) -> Ruling[State]:
    """Set the table up: everybody takes or builds a deck."""
    scenario = next(iter(SCENARIOS.values())) if options.mode == "scenario" else None
    state = State(options=options, scenario=scenario, terrain_deck=TERRAIN)
    return Ruling(state, say("Take a deck each: a ready one, a file, or one of your own."), tuple(ask.reasons))


def _odds(state: State, seat: Seat, action: do.Fire | do.Bomb | do.Sortie) -> tuple[Chart, ...]:
    return foresight.foresee(state, seat, action)


def _offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    chapters = (preparing, starting, movement, deployment, fire, air, turn_offers)
    return tuple(offer for chapter in chapters for offer in chapter.offers(state, seat))


everything = Chapter[State, Seat]()
everything.offers(_offers)
for action in get_args(do.Action):
    everything.rule(
        action,
        headline=headline,
        quiet=issubclass(action, QUIET),
        odds=_odds if action in (do.Fire, do.Bomb, do.Sortie) else None,
    )(_rule)


def _corrections(state: State) -> Iterator[Correction[State]]:
    for value in corrections.tracked(state):
        path = value.path
        yield Correction(value, lambda sent, ask, path=path: corrections.correct(state, path, sent, ask))  # type: ignore[misc]


GAME = Game(
    slug="tactics_2gm",
    name=say("2GM Tactics"),
    summary=say(
        "The Second World War with cards: action points, supply, equipment and fire. Destroy the enemy headquarters."
    ),
    package=PACKAGE,
    sheets=sheets(),
    options=Options,
    state=State,
    roles=lambda options: tuple(
        Role(seat, Text(seat), _alongside(options, seat), colour=COLOURS[seat]) for seat in seats(options)
    ),
    seats=lambda state: state.seats,
    setup=_setup,
    view=view.view,
    over=lambda state: state.phase == "finished",
    chapters=(everything,),
    corrections=_corrections,
    settle=victory.check,
    lookups=tuple(lookups.LOOKUPS.values()),
    strangers=Reason(say("Only the players act."), "G2-02"),
    finished=Reason(say("The battle is over."), "G2-02"),
)
