"""Corrections: every tracked value can be set by hand; the people at the table outrank the app (ledger 5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from companion.games.pocket_tactics import corrected_map, corrected_units, geometry, setting_out
from companion.games.pocket_tactics.pieces import Last
from companion.games.pocket_tactics.sides import SEATS, other
from companion.kit.asking import Option
from companion.kit.corrected import choice, yes_no
from companion.kit.correction import Tracked, written
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import Phase, State
    from companion.kit.asking import Ask

NOBODY = "none"
GAME = say("The game")
MOST_TURNS = 999
PLAYERS = tuple(Option(seat, Text(seat)) for seat in SEATS)
BUILDING: tuple[Phase, ...] = ("tiles", "second_base", "setting_out")
"""Phases in which the first base still is whoever's is the first player."""


def tracked(state: State) -> tuple[Tracked, ...]:
    """List every value that can be corrected by hand; of a game that is over only who won, which reopens it."""
    if state.over:
        return (Tracked("game.winner", GAME, _winner(state)),)
    return (
        *corrected_units.tracked(state),
        *corrected_map.tracked(state),
        *(Tracked(f"game.{part}", GAME, field) for part, field in _fields(state).items()),
    )


def _fields(state: State) -> dict[str, Field]:
    """List what is counted and decided, as far as the game has come."""
    if state.phase == "factions":
        return {
            f"ready.{seat}": yes_no(say("{seat}: the faction is ready", seat=Text(seat)), value=seat in state.ready)
            for seat in SEATS
        }
    fields: dict[str, Field] = {}
    phases, acting = _phases(state), _acting(state)
    if len(phases) > 1:
        fields["phase"] = choice(say("Phase"), tuple(Option(one, Text(one)) for one in phases), state.phase)
    fields["first"] = choice(say("First player"), PLAYERS, state.first)
    if len(acting) > 1:
        fields["active"] = choice(say("Whose turn it is"), PLAYERS, state.active)
    if state.phase == "play":
        most = max(MOST_TURNS, state.turn)
        fields["turn"] = Field("value", say("Turn"), "number", value=state.turn, low=1, high=most)
        fields["winner"] = _winner(state)
    return fields


def _phases(state: State) -> tuple[Phase, ...]:
    """List the phases that the game can go on in: the next one where nothing is missing for it, and the one before."""
    match state.phase:
        case "tiles":
            return ("tiles", "second_base")
        case "setting_out":
            return (*(("second_base",) if state.mirrored else ()), "setting_out", "play")
        case "play":
            return ("setting_out", "play")
        case _:
            return (state.phase,)


def _acting(state: State) -> tuple[Seat, ...]:
    """List whose turn it may be: the second base is placed by the second player only."""
    if state.phase == "setting_out":
        return tuple(seat for seat in SEATS if setting_out.left(state, seat))
    return (state.second,) if state.phase == "second_base" else SEATS


def _winner(state: State) -> Field:
    options = (Option(NOBODY, say("nobody yet")), *PLAYERS, Option("draw", say("a draw")))
    return choice(say("Winner"), options, state.winner or NOBODY)


def correct(state: State, path: str, value: str, ask: Ask) -> State:
    """Set one tracked value, which the table has read; raise Refusal when it can not be that just now."""
    before = next(entry for entry in tracked(state) if entry.path == path)
    if written(before.field) == value:
        return state
    group, _, rest = path.partition(".")
    match group:
        case "unit":
            name, _, part = rest.rpartition(":")
            after = corrected_units.correct(state, state.unit(name), part, value)
        case "game":
            after = _correct_game(state, rest, value)
        case _:
            after = corrected_map.correct(state, group, rest, value)
    return _settled(after, ask)


def _settled(state: State, ask: Ask) -> State:
    """Return the state if it can go on; who has set out all the units lets the other one do so (PT-21)."""
    if state.phase == "tiles" and not geometry.tile_places(state, state.drawn or 0):
        raise Refusal(say("Then the tile that was drawn would fit nowhere."), "PT-82", "value")
    if state.phase == "second_base" and not geometry.base_places(state):
        raise Refusal(say("Then there would be no place for the second base."), "PT-19", "value")
    if state.phase == "setting_out" and not setting_out.left(state, state.active):
        return setting_out.begin(state, ask)
    return state


def _correct_game(state: State, part: str, value: str) -> State:
    match part:
        case "phase":
            return _correct_phase(state, cast("Phase", value))
        case "first":
            return _correct_first(state, cast("Seat", value))
        case "active":
            return state.but(active=cast("Seat", value), last=Last())
        case "turn":
            return state.but(turn=int(value))
        case "winner":
            return _correct_winner(state, value)
    if value == "true":
        raise Refusal(say("Each player says so himself."), "PT-11", "value")
    return state.but(ready=tuple(one for one in state.ready if part != f"ready.{one}"))


def _correct_phase(state: State, phase: Phase) -> State:
    """Go on in another phase; before the first turn nobody is captured, and before the second base nobody stands."""
    if phase == "play":
        return state.but(phase="play", turn=1, active=state.first)
    for unit in state.units:
        state = state.gone(unit.id, "reserve")
    state = state.but(phase=phase, turn=0, last=Last())
    if phase == "setting_out":
        return state.but(active=state.first)
    first = {seat: at for seat, at in state.bases.items() if seat == state.first}
    return state.but(bases=first, left=(), drawn=None, active=state.second)


def _correct_first(state: State, seat: Seat) -> State:
    """Say who is the first player: until the first turn the base in the south is that player's (PT-14, PT-15)."""
    state = state.but(first=seat)
    if state.phase not in BUILDING:
        return state
    state = state.but(bases={other(owner): at for owner, at in state.bases.items()})
    turns: dict[str, Seat] = {"tiles": other(state.active), "second_base": state.second}
    return state.but(active=turns.get(state.phase, seat))


def _correct_winner(state: State, value: str) -> State:
    """Say who won; a game that nobody has won yet goes on where it stood."""
    if value != NOBODY:
        return state.but(winner=value, how=None, phase="finished")
    return state.but(winner=None, how=None, phase=_stood(state))


def _stood(state: State) -> Phase:
    """Find the phase in which the game ended: before the first turn somebody gave up."""
    if state.turn:
        return "play"
    if not state.units:
        return "factions"
    if state.drawn is not None:
        return "tiles"
    return "second_base" if state.mirrored and len(state.bases) < len(SEATS) else "setting_out"
