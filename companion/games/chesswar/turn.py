"""The turn: three phases, its end and the next one's beginning (CW-24 to CW-27, CW-114 to CW-118, CW-175)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.chesswar import magic, shooting, speech, spells, traits, victory
from companion.games.chesswar.destruction import strike_down
from companion.games.chesswar.sides import teams
from companion.games.chesswar.state import TURN_PHASES
from companion.kit.asking import NO_YES, Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import Phase, State, Unit
    from companion.kit.asking import Ask

STANDS_UP = 3
"""Face with which a knocked-over unit stands up (CW-116)."""


def check_begun(state: State) -> None:
    """Refuse what belongs to the game before it and after it."""
    if state.phase == "finished":
        raise Refusal(say("The game is over."), "CW-164")
    if state.phase not in TURN_PHASES:
        raise Refusal(say("The game has not begun: first all armies are deployed."), "CW-20")


def check_acting(state: State, side: Side) -> None:
    """Refuse what is done out of turn (CW-24, CW-27), or before or after the game."""
    check_begun(state)
    if side not in state.acting:
        now = say("It is {side}'s turn: only instant spells interrupt it.", side=speech.sides(state.acting))
        raise Refusal(now, "CW-27")


def check_phase(state: State, side: Side, phase: Phase) -> None:
    """Refuse what belongs to another phase (CW-25)."""
    check_acting(state, side)
    if state.phase != phase:
        raise Refusal(say("That is done in the {phase} phase.", phase=Text(phase)), "CW-25")
    check_open(state, side)


def check_open(state: State, side: Side) -> None:
    """Refuse what a side does out of turn, or when it has ended the phase (CW-25)."""
    check_acting(state, side)
    if side in state.done:
        raise Refusal(say("You have ended this phase."), "CW-25")


def check_meant(state: State, phase: Phase | None, number: int | None = None) -> None:
    """Refuse to end another phase, or that of another round, than an old page shows (CW-25)."""
    if phase not in (None, state.phase) or number not in (None, state.round):
        raise Refusal(say("That phase is over already."), "CW-25")


def check_own(state: State, side: Side, name: str) -> Unit:
    """Return a side's own unit; raise Refusal when it is not (CW-27)."""
    unit = state.unit(name)
    if unit.side != side:
        raise Refusal(say("Each player acts with his own units."), "CW-27", "unit")
    return unit


def end_phase(state: State, side: Side, ask: Ask) -> State:
    """End the phase; partners end it together (CW-25, CW-179)."""
    check_open(state, side)
    state = state.but(done=(*state.done, side))
    if any(one not in state.done and state.standing(one) for one in state.acting):
        ask.tell(say("{side} has ended the {phase} phase", side=Text(side), phase=Text(state.phase)), "CW-25")
        return state
    return _next_phase(state, ask)


def _next_phase(state: State, ask: Ask) -> State:
    state = state.but(done=(), acted={}, last=None)
    match state.phase:
        case "movement":
            state = state.but(phase="shooting", units=tuple(replace(unit, flying=False) for unit in state.units))
            if shooters(state):
                ask.tell(say("Shooting phase"), "CW-25")
                return state
            ask.tell(say("Nobody can shoot"), "CW-45")
            return _next_phase(state, ask)
        case "shooting":
            state = state.but(phase="combat")
            if fighters(state):
                ask.tell(say("Combat phase"), "CW-25")
                return state
            ask.tell(say("Nobody is in melee"), "CW-83")
            return _next_phase(state, ask)
        case _:
            return end_turn(state, ask)


def shooters(state: State) -> tuple[Unit, ...]:
    """List the units that could do something in the shooting phase."""
    return tuple(
        unit
        for unit in state.standing(*state.acting)
        if shooting.barred(unit) is None or magic.barred(state.but(phase="shooting"), unit, "zap") is None
    )


def fighters(state: State) -> tuple[Unit, ...]:
    """List the units that could attack in the combat phase."""
    return tuple(
        unit
        for unit in state.standing(*state.acting)
        if unit.engaged and not unit.attacked and unit.charged != "continuation"
    )


def end_turn(state: State, ask: Ask) -> State:
    """End the turn: who was knocked over stands up or not (CW-116, CW-118), and the next team begins (CW-24)."""
    for unit in state.units:
        if unit.on_board and unit.down and not state.winner:
            state = regenerate(state, unit, ask)
    if state.winner:
        return state
    ended = state.acting
    units = tuple(replace(unit.rested(), locked=unit.locked and unit.side not in ended) for unit in state.units)
    state = state.but(units=units, phase="movement", done=(), acted={}, last=None)
    return begin_turn(_next_team(state), ask)


def _next_team(state: State) -> State:
    playing = teams(state.options)
    place, passed = state.active, state.round
    for _ in state.order:
        place = (place + 1) % len(state.order)
        passed += place == 0
        if any(unit.on_board and unit.side in playing[state.order[place]] for unit in state.units):
            break
    return state.but(active=place, round=passed)


def regenerate(state: State, unit: Unit, ask: Ask) -> State:
    """Roll whether a knocked-over unit stands up again (CW-115, CW-116)."""
    who = speech.name(state, unit)
    if not state.mirrored:
        why = say("{unit}: did another unit enter the square?", unit=who)
        if ask.choose(unit.side, NO_YES, f"entered_{unit.id}", why, clause="CW-115") == "yes":
            ask.tell(
                say("{unit}: another unit entered the square; out of the game", unit=who),
                "CW-115",
                harm=speech.gone(state, unit),
            )
            return victory.judge(state.with_unit(unit.id, on_board=False, down=False, square=None), ask)
    why = say("{unit}: 3 or more to stand up again", unit=who)
    face = ask.throw(1, 6, f"regenerate_{unit.id}", why, by=unit.side, clause="CW-10", alike=((1, 2), (3, 4, 5, 6)))[0]
    if face >= STANDS_UP:
        ask.tell(say("{unit} stood up again", unit=who), "CW-116", faces=(face,), marks=((unit.id, "acting"),))
        return state.with_unit(unit.id, down=False)
    said = say("{unit} did not stand up: out of the game", unit=who)
    ask.tell(said, "CW-116", faces=(face,), harm=speech.gone(state, unit))
    return victory.judge(state.with_unit(unit.id, on_board=False, down=False, square=None), ask)


def begin_turn(state: State, ask: Ask) -> State:
    """Begin a team's turn: its temporary spells end (CW-129), an undead army without a general crumbles (CW-175)."""
    ask.tell(say("Now it is {side}'s turn", side=speech.sides(state.acting)), "CW-24")
    state = spells.expire(state, state.acting, ask)
    for side in state.acting:
        if state.armies.get(side) == "undead" and traits.leaderless(state, side):
            state = crumble(state, side, ask)
    return state


def crumble(state: State, side: Side, ask: Ask) -> State:
    """Let an undead army without its general lose a unit of its choice (CW-175)."""
    units = [unit for unit in state.units if unit.on_board and unit.side == side]
    if not units:
        return state
    options = tuple(Option(unit.id, speech.name(state, unit), place=unit.square) for unit in units)
    why = say("{side} has no general: which unit is lost?", side=Text(side))
    lost = ask.choose(side, options, f"crumble_{side}", why, clause="CW-175")
    unit = next(one for one in units if one.id == lost)
    ask.tell(say("{unit} crumbled without a general", unit=speech.name(state, unit)), "CW-175")
    if unit.down:
        ask.harm(*speech.gone(state, unit))
        return victory.judge(state.with_unit(unit.id, on_board=False, down=False, square=None), ask)
    state, _ = strike_down(state, (lost,), "loss", ask)
    return state


def surrender(state: State, side: Side, ask: Ask) -> State:
    """Give up: the army leaves the board, and whoever is left wins or fights on (CW-164, CW-173)."""
    if state.phase == "finished":
        raise Refusal(say("The game is over."), "CW-164")
    if state.phase not in TURN_PHASES and len(state.sides) > 2:
        raise Refusal(say("The game has not begun: first all armies are deployed."), "CW-20")
    ask.tell(say("{side} surrenders", side=Text(side)), "CW-164")
    if state.hidden:
        ask.tell(say("The armies stay hidden"), "CW-18")
    if len(state.sides) == 2:
        return state.but(winner=tuple(one for one in state.sides if one != side), phase="finished")
    for unit in state.standing(side):
        state = state.disengage(unit.id)
    units = tuple(
        replace(unit, on_board=False, down=False, square=None) if unit.side == side else unit for unit in state.units
    )
    state = state.but(
        units=units,
        leaderless=(*(one for one in state.leaderless if one != side), side),
        effects=tuple(effect for effect in state.effects if effect.side != side),
    )
    return victory.judge(state, ask)


def go_on(state: State, ask: Ask) -> State:
    """End the turn of those who have no unit left (CW-24)."""
    if state.phase not in TURN_PHASES or any(unit.on_board and unit.side in state.acting for unit in state.units):
        return state
    return end_turn(state, ask)
