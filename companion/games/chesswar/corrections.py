"""Corrections: every tracked value can be set by hand; the people at the table outrank the app."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, cast

from companion.games.chesswar import corrected_armies, corrected_spells, corrected_units, speech
from companion.games.chesswar.corrected_units import NOBODY
from companion.games.chesswar.offers import REPLIES
from companion.games.chesswar.sides import grid, teams
from companion.games.chesswar.state import BEFORE, TURN_PHASES
from companion.kit.asking import Option
from companion.kit.corrected import OFF, OFF_BOARD, choice, squares, yes_no
from companion.kit.correction import Tracked, written
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import Ground, Phase, Replies, State

GAME = say("The game")
TERRAIN = say("Terrain")
MOST_ROUNDS = 999
GROUNDS: tuple[Ground, ...] = ("forest", "hill")


def tracked(state: State) -> tuple[Tracked, ...]:
    """List every value that can be corrected by hand; of a game that is over only who won it, which reopens it."""
    if state.phase == "finished":
        return (_winner(state),)
    if state.phase in BEFORE:
        return (*corrected_armies.tracked(state), *_terrain(state), *_ready(state))
    return (
        *corrected_units.tracked(state),
        *corrected_spells.tracked(state),
        *_terrain(state),
        *corrected_armies.tracked(state),
        *_ready(state),
        *_turn(state),
    )


def _terrain(state: State) -> tuple[Tracked, ...]:
    """List the forests and hills, and one more of each that lies beside the board."""
    if not (state.options.terrain or state.terrain):
        return ()
    where = (*squares(grid(state.options)), OFF_BOARD)
    found = []
    for kind in GROUNDS:
        lying = sorted(square for square, ground in state.terrain.items() if ground == kind)
        for number, square in enumerate((*lying, OFF), start=1):
            label = say("{terrain} {number}", terrain=Text(kind), number=number)
            found.append(Tracked(f"terrain.{kind}.{number}", TERRAIN, choice(label, where, square)))
    return tuple(found)


def _ready(state: State) -> tuple[Tracked, ...]:
    """List who has deployed or rearranged an army: of those who chose one, which everybody heard of."""
    if state.phase not in {"raising", "redeploying"}:
        return ()
    return tuple(
        Tracked(f"ready.{side}", GAME, yes_no(say("{side} is ready", side=Text(side)), value=side in state.ready))
        for side in state.sides
        if side in state.armies
    )


def _team(team: tuple[Side, ...]) -> Option:
    return Option(team[0], speech.sides(team))


def _winner(state: State) -> Tracked:
    options = (Option(NOBODY, say("nobody yet")), *map(_team, teams(state.options)))
    value = state.winner[0] if state.winner else NOBODY
    return Tracked("game.winner", GAME, choice(say("Winner"), options, value))


def _orders(state: State) -> tuple[Option, ...]:
    playing = teams(state.options)
    return tuple(
        Option("".join(map(str, order)), speech.listed(tuple(_team(playing[place]).label for place in order)))
        for order in permutations(range(len(playing)))
    )


def _turn(state: State) -> tuple[Tracked, ...]:
    playing, acting = teams(state.options), state.phase in TURN_PHASES
    phases: tuple[Phase, ...] = TURN_PHASES if acting else ("redeploying", *TURN_PHASES)
    order = "".join(map(str, state.order))
    fields = {
        "round": Field("value", say("Round"), "number", value=state.round, low=1, high=MOST_ROUNDS),
        "order": choice(say("Order of turns"), _orders(state), order),
        "phase": choice(say("Phase"), tuple(Option(phase, Text(phase)) for phase in phases), state.phase),
        "winner": _winner(state).field,
    }
    if acting:
        fields["active"] = choice(say("Whose turn it is"), tuple(map(_team, playing)), state.acting[0])
        for side in state.acting if len(state.acting) > 1 else ():
            label = say("{side} has ended the {phase} phase", side=Text(side), phase=Text(state.phase))
            fields[f"done.{side}"] = yes_no(label, value=side in state.done)
    if state.phase == "movement":
        for side in state.acting:
            movers = tuple(Option(unit.id, speech.name(state, unit)) for unit in state.standing(side))
            latest = next((one.value for one in movers if state.acted.get(side, ())[-1:] == (one.value,)), NOBODY)
            label = say("{side}: who moved last", side=Text(side))
            fields[f"latest.{side}"] = choice(label, (Option(NOBODY, say("nobody")), *movers), latest)
    for side in state.sides:
        if state.options.total_massacre:
            label = say("{side} fights without a general", side=Text(side))
            fields[f"leaderless.{side}"] = yes_no(label, value=side in state.leaderless)
        label = say("{side}'s instant spells", side=Text(side))
        fields[f"replies.{side}"] = choice(label, REPLIES, state.replies.get(side, "ask"))
    return tuple(Tracked(f"game.{part}", GAME, field) for part, field in fields.items())


def correct(state: State, path: str, value: str) -> State:
    """Set one tracked value, which the table has read; raise Refusal when it can not be that just now."""
    before = next(entry for entry in tracked(state) if entry.path == path)
    if written(before.field) == value:
        return state
    group, _, rest = path.partition(".")
    match group:
        case "unit" | "new":
            return corrected_units.correct(state, group, rest, value)
        case "spell":
            return corrected_spells.correct(state, rest, value)
        case "army" | "screen":
            return corrected_armies.correct(state, group, rest, value)
        case "terrain":
            return _lay(state, cast("Ground", rest.partition(".")[0]), str(before.field.value), value)
        case "ready":
            return _correct_ready(state, cast("Side", rest), value)
    part, _, side = rest.partition(".")
    return _correct_side(state, part, cast("Side", side), value) if side else _correct_game(state, part, value)


def _lay(state: State, kind: Ground, old: str, new: str) -> State:
    if new in state.terrain:
        raise Refusal(say("Terrain lies on {square} already.", square=new), "CW-168", "value")
    terrain = {square: ground for square, ground in state.terrain.items() if square != old}
    return state.but(terrain=terrain if new == OFF else dict(sorted({**terrain, new: kind}.items())))


def _correct_ready(state: State, side: Side, value: str) -> State:
    """Set who is ready; the armies are seen only when the last player says so himself, for nobody can unsee them."""
    ready = tuple(one for one in state.sides if (one in state.ready if one != side else value == "true"))
    if len(ready) < len(state.sides):
        return state.but(ready=ready)
    if state.phase == "raising":
        raise Refusal(say("The last one says so himself: then the armies are seen."), "CW-20", "value")
    return _begin(state, "movement")


def _begin(state: State, phase: Phase) -> State:
    return state.but(phase=phase, ready=(), active=0, round=1)


def _correct_side(state: State, part: str, side: Side, value: str) -> State:
    if part == "replies":
        return state.but(replies={**state.replies, side: cast("Replies", value)})
    if part == "leaderless":
        others = tuple(one for one in state.leaderless if one != side)
        return state.but(leaderless=(*others, side) if value == "true" else others)
    if part == "latest":
        unit = state.find(value)
        return state.after_deed(unit) if unit else state.but(acted={**state.acted, side: ()})
    done = tuple(one for one in state.acting if (one in state.done if one != side else value == "true"))
    if len(done) == len(state.acting):
        raise Refusal(say("End the phase instead."), "CW-25", "value")
    return state.but(done=done)


def _correct_game(state: State, part: str, value: str) -> State:
    match part:
        case "round":
            return state.but(round=int(value))
        case "phase":
            return _correct_phase(state, cast("Phase", value))
        case "winner":
            return _correct_winner(state, value)
        case "active":
            rested = tuple(unit.rested() for unit in state.units)
            place = next(at for at, team in enumerate(state.order) if teams(state.options)[team][0] == value)
            return state.but(units=rested, active=place, phase="movement", done=(), acted={}, last=None)
    order = tuple(int(place) for place in value)
    if state.phase == "redeploying":
        return state.but(order=order, ready=teams(state.options)[order[0]])
    return state.but(order=order, active=order.index(state.order[state.active]))


def _correct_phase(state: State, phase: Phase) -> State:
    """Go to a phase of the turn; who flew lands when the movement phase is left (CW-159)."""
    if state.phase == "redeploying":
        return _begin(state, phase)
    units = state.units if phase == "movement" else corrected_units.landed(state.units)
    return state.but(phase=phase, units=units, done=(), acted={}, last=None)


def _correct_winner(state: State, value: str) -> State:
    """Say who won; a game that nobody has won yet goes on in the combat phase, or where it stood before it began."""
    if value != NOBODY:
        winner = next(team for team in teams(state.options) if team[0] == value)
        return state.but(winner=winner, phase="finished")
    # Where the fall of a general ends the game, nobody who plays on is without one.
    leaderless = state.leaderless if state.options.total_massacre else ()
    state = state.but(winner=(), leaderless=leaderless)
    if state.order:
        # Who moves first is ready from the moment on in which the others may rearrange.
        return state.but(phase="redeploying" if state.ready else "combat", done=(), acted={})
    chosen = state.options.race == "secret" or len(state.armies) == len(state.sides)
    return state.but(phase="raising" if chosen else "choosing")
