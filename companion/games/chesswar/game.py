"""The game as the table and the web know it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

from companion.games.chesswar import actions as do
from companion.games.chesswar import (
    charge,
    combat,
    corrections,
    deployment,
    foresight,
    lookups,
    movement,
    necromancy,
    offers,
    orders,
    raising,
    speech,
    spells,
    turn,
    view,
)
from companion.games.chesswar.armies import PACKAGE
from companion.games.chesswar.headlines import headline
from companion.games.chesswar.options import Options
from companion.games.chesswar.sheets import aid, sheets
from companion.games.chesswar.sides import Side, partners, sides
from companion.games.chesswar.state import BEFORE, State
from companion.kit.chapter import Chapter
from companion.kit.chart import Chart
from companion.kit.correction import Correction
from companion.kit.game import Game, Role
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.kit.asking import Ask


def _rule(state: State, side: Side, action: do.Action, ask: Ask) -> State:
    match action:
        case do.ChooseArmy() | do.RaiseArmy() | do.Deploy() | do.PlaceTerrain() | do.Ready():
            return _prepare(state, side, action, ask)
        case do.Move() | do.TakeBack() | do.Charge():
            turn.check_phase(state, side, "movement")
            turn.check_own(state, side, action.unit)
            return _move(state, action, ask)
        case do.Shoot():
            turn.check_phase(state, side, "shooting")
            return orders.shoot(state, turn.check_own(state, side, action.unit), action, ask)[0]
        case do.Bombard():
            turn.check_phase(state, side, "shooting")
            return orders.bombard(state, turn.check_own(state, side, action.unit), action, ask)[0]
        case do.Attack():
            turn.check_phase(state, side, "combat")
            turn.check_own(state, side, action.unit)
            return combat.attack(state, action.unit, action.target, ask)
        case do.Cast():
            turn.check_open(state, side)
            turn.check_own(state, side, action.unit)
            return spells.cast(state, action, ask)
        case do.Cover():
            turn.check_acting(state, side)
            turn.check_own(state, side, action.unit)
            return spells.covering(state, action.unit, action.covers, ask)
        case do.EndPhase():
            turn.check_meant(state, action.phase, action.round)
            return turn.end_phase(state, side, ask)
        case do.Answering():
            turn.check_begun(state)
            ask.tell(say("{side} says how to be asked for instant spells", side=Text(side)), "CW-126")
            return state.but(replies={**state.replies, side: action.replies})
        case do.HealEnemy():
            turn.check_begun(state)
            turn.check_own(state, side, action.unit)
            return necromancy.heal_ahead(state, action, ask)
        case do.Surrender():
            return turn.surrender(state, side, ask)


def _prepare(
    state: State, side: Side, action: do.ChooseArmy | do.RaiseArmy | do.Deploy | do.PlaceTerrain | do.Ready, ask: Ask
) -> State:
    if state.phase not in (*BEFORE, "redeploying"):
        raise Refusal(say("The game has begun: the armies stand as they were deployed."), "CW-20")
    if state.phase == "choosing" and not isinstance(action, (do.ChooseArmy, do.PlaceTerrain)):
        raise Refusal(say("First everybody says which army it is."), "CW-11")
    if state.phase == "redeploying" and not isinstance(action, (do.Deploy, do.Ready)):
        raise Refusal(say("The armies are raised: they may only be rearranged."), "CW-23")
    match action:
        case do.ChooseArmy():
            if state.phase != "choosing":
                raise Refusal(say("The armies are chosen, or kept secret."), "CW-11")
            return raising.choose_army(state, side, action.army, ask)
        case do.RaiseArmy():
            return raising.raise_army(state, side, action, ask)
        case do.Deploy():
            return deployment.deploy(state, side, action, ask)
        case do.PlaceTerrain():
            return deployment.place_terrain(state, action, ask)
        case do.Ready():
            turn.check_meant(state, action.phase)
            return deployment.get_ready(state, side, ask)


def _move(state: State, action: do.Move | do.TakeBack | do.Charge, ask: Ask) -> State:
    match action:
        case do.Move():
            return movement.move(state, action, ask)
        case do.TakeBack():
            return movement.take_back(state, action.unit, ask)
        case do.Charge():
            return charge.charge(state, action.unit, action.target, ask)


def _setup(options: Options, ask: Ask) -> Ruling[State]:
    """Set the table up: everybody chooses and raises an army."""
    state = deployment.set_up(options)
    return Ruling(state, say("Choose your armies, and deploy them in secret."), tuple(ask.reasons))


def _odds(
    state: State, side: Side, action: do.Charge | do.Shoot | do.Bombard | do.Attack | do.Cast
) -> tuple[Chart, ...]:
    return foresight.foresee(state, side, action)


everything = Chapter[State, Side]()
everything.offers(offers.offers)
for action in get_args(do.Action):
    everything.rule(
        action,
        headline=headline,
        quiet=action is do.Answering,
        odds=_odds if action in (do.Charge, do.Shoot, do.Bombard, do.Attack, do.Cast) else None,
    )(_rule)


def _corrections(state: State) -> Iterator[Correction[State]]:
    for value in corrections.tracked(state):
        path = value.path
        yield Correction(value, lambda sent, _, path=path: corrections.correct(state, path, sent))  # type: ignore[misc]


GAME = Game(
    slug="chesswar",
    name=say("ChessWar"),
    summary=say("Seven fantasy armies on a chessboard: move, shoot, fight, cast. Destroy the enemy general."),
    package=PACKAGE,
    sheets=sheets(),
    aid=aid(),
    options=Options,
    state=State,
    roles=lambda options: tuple(
        Role(side, Text(side), speech.allied(partners(options, side))) for side in sides(options)
    ),
    seats=lambda state: state.sides,
    setup=_setup,
    view=view.view,
    over=lambda state: state.phase == "finished",
    chapters=(everything,),
    corrections=_corrections,
    settle=turn.go_on,
    reveals=lambda before, after: before.hidden and not after.hidden,
    lookups=tuple(lookups.LOOKUPS.values()),
    strangers=Reason(say("Only the players act."), "CW-01"),
    finished=Reason(say("The game is over."), "CW-164"),
)
