"""Victory: the fall of the generals, total massacre, and giving up (CW-164 to CW-166, CW-173 to CW-181)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.chesswar.options import Side, named, teams
from companion.games.chesswar.state import TURN_PHASES, State, Unit
from companion.kit.action import Action, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

victory = Chapter[State, Side]()

NOBODY: tuple[tuple[Side, ...], str] = ((), "")


def count_general(state: State, unit: Unit, ask: Ask) -> State:
    """Note the fall of a general; the first army to lose its last one loses (CW-164, CW-166, CW-181)."""
    if not unit.kind.general or unit.side in state.leaderless:
        return state
    side = Text(unit.side)
    if left := sum(other.on_board and other.side == unit.side and other.kind.general for other in state.units):
        said = say("{side} has {count} general left|{side} has {count} generals left", side=side, count=left)
        ask.tell(said, "CW-181")
        return state
    ask.tell(say("{side} has lost its general", side=side), "CW-174" if state.options.total_massacre else "CW-164")
    return state.but(leaderless=(*state.leaderless, unit.side))


def judge(state: State, ask: Ask, won: tuple[tuple[Side, ...], str] = NOBODY) -> State:
    """End the game when it is won (CW-164, CW-173, CW-179).

    ``won`` is who had won before the plague of the fallen spread: who falls to that changes nothing (CW-166).
    """
    if state.winner:
        return state
    winner, clause = victors(state) if won == NOBODY else won
    if not winner:
        return state
    ask.tell(say("Victory for {side}", side=named(winner)), clause)
    return state.but(winner=winner, phase="finished")


def victors(state: State) -> tuple[tuple[Side, ...], str]:
    """Return the team that has won, empty while none has, and the clause it wins by."""
    sides = teams(state.options)
    if not state.options.total_massacre:
        if not state.leaderless:
            return NOBODY
        return next(team for team in sides if state.leaderless[0] not in team), "CW-164"
    if state.options.sides == "teams":
        for team in sides:
            foes = next(other for other in sides if other != team)
            if set(foes) <= set(state.leaderless) and not set(team) <= set(state.leaderless):
                return team, "CW-179"
    alive = [team for team in sides if any(unit.on_board and unit.side in team for unit in state.units)]
    return (alive[0], "CW-173") if len(alive) == 1 else NOBODY


def out(state: State, unit: Unit, ask: Ask) -> State:
    """Take a unit that lies knocked over out of the game, which may end with it."""
    return judge(state.with_unit(unit.id, on_board=False, down=False, square=None), ask)


class Surrender(Action, frozen=True, tag="surrender"):
    """Give up."""


@victory.offers
def offers(state: State, side: Side) -> Iterator[Offer]:
    """Offer it at any time of the game, and before it where that leaves one winner."""
    allowed = state.phase != "choosing" and len(state.sides) == 2 and side not in state.ready
    if state.phase in TURN_PHASES:
        allowed = any(unit.on_board and unit.side == side for unit in state.units)
    if allowed:
        asks, button = say("Do you surrender?"), say("I surrender")
        yield Surrender.offer(say("Surrender"), grave=True, clause="CW-164", asks=asks, button=button)


def surrenders(_state: State, side: Side, _action: Surrender) -> Text:
    """Say who surrenders."""
    return say("{side} surrenders", side=Text(side))


@victory.rule(Surrender, says=surrenders)
def surrender(state: State, side: Side, action: Surrender, ask: Ask) -> State:
    """Give up: the army leaves the board, and whoever is left wins or fights on (CW-164, CW-173)."""
    if state.phase == "finished":
        raise Refusal(say("The game is over."), "CW-164")
    if state.phase not in TURN_PHASES and len(state.sides) > 2:
        raise Refusal(say("The game has not begun: first all armies are deployed."), "CW-20")
    ask.tell(surrenders(state, side, action), "CW-164")
    if state.hidden:
        ask.tell(say("The armies stay hidden"), "CW-18")
    if len(state.sides) == 2:
        return state.but(winner=tuple(foe for foe in state.sides if foe != side), phase="finished")
    for unit in state.standing(side):
        state = state.disengage(unit.id)
    units = tuple(
        replace(unit, on_board=False, down=False, square=None) if unit.side == side else unit for unit in state.units
    )
    leaderless = (*(other for other in state.leaderless if other != side), side)
    effects = tuple(effect for effect in state.effects if effect.side != side)
    return judge(state.but(units=units, leaderless=leaderless, effects=effects), ask)
