"""Victory: the fall of the generals, and total massacre (CW-164 to CW-166, CW-173 to CW-181)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import speech
from companion.games.chesswar.sides import teams
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask

NOBODY: tuple[tuple[Side, ...], str] = ((), "")


def count_general(state: State, unit: Unit, ask: Ask) -> State:
    """Note the fall of a general; the first army to lose its last one loses (CW-164, CW-166, CW-181)."""
    if not unit.kind.general or unit.side in state.leaderless:
        return state
    left = [one for one in state.units if one.on_board and one.side == unit.side and one.kind.general]
    if left:
        text = say(
            "{side} has {count} general left|{side} has {count} generals left", side=Text(unit.side), count=len(left)
        )
        ask.tell(text, "CW-181")
        return state
    ask.tell(
        say("{side} has lost its general", side=Text(unit.side)), "CW-174" if state.options.total_massacre else "CW-164"
    )
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
    ask.tell(say("Victory for {side}", side=speech.sides(winner)), clause)
    return state.but(winner=winner, phase="finished")


def victors(state: State) -> tuple[tuple[Side, ...], str]:
    """Return the team that has won, empty while none has, and the clause it wins by."""
    sides = teams(state.options)
    if not state.options.total_massacre:
        if not state.leaderless:
            return NOBODY
        loser = state.leaderless[0]
        return next(team for team in sides if loser not in team), "CW-164"
    if state.options.sides == "teams":
        for team in sides:
            foes = next(other for other in sides if other != team)
            if set(foes) <= set(state.leaderless) and not set(team) <= set(state.leaderless):
                return team, "CW-179"
    alive = [team for team in sides if any(unit.on_board and unit.side in team for unit in state.units)]
    if len(alive) == 1:
        return alive[0], "CW-173"
    return NOBODY
