"""Positions, turns and answers of ChessWar written short: ``w1 hn d4`` is a human knight of White's on d4."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.chesswar.armies import ARMIES
from companion.games.chesswar.game import GAME
from companion.games.chesswar.options import Options, sides, teams
from companion.games.chesswar.state import LETTERS, Effect, State, Unit
from companion.games.chesswar.turn import EndPhase
from companion.kit.questions import Throw
from tests.support.playing import Playing
from tests.support.toy_tables import Sitting
from tests.support.two_cities_positions import Plays

if TYPE_CHECKING:
    from companion.table.tables import Tables

TYPES = {f"{army[0]}{LETTERS[kind.piece]}": kind.id for army, book in ARMIES.items() for kind in book.unit}
"""Types by the initials of their army and of their piece in a game of chess: ``hn`` the knights of the humans."""
SIDE_OF: dict[str, Any] = {"w": "white", "b": "black", "r": "red", "u": "blue"}
KINGS = "wk hk a1, bk ok h8"


def position(written: str, *, phase: Any = "movement", options: Options | None = None, **more: Any) -> State:
    """A position: ``w1 hn d4`` are units (their first letter is the side), ``w1>b1`` a melee, ``storm w1`` a spell."""
    options = options or Options(**{name: more.pop(name) for name in Options.__struct_fields__ if name in more})
    units: list[Unit] = []
    melees: list[tuple[str, str]] = []
    effects: list[Effect] = []
    for entry in filter(None, (part.strip() for part in written.split(","))):
        words = entry.split()
        if ">" in entry:
            one, other = entry.split(">")
            melees.append((one, other))
        elif words[1] in TYPES:
            square = words[2] if options.board == "mirrored" else None
            units.append(Unit(words[0], SIDE_OF[words[0][0]], TYPES[words[1]], square))
        else:
            effects.append(Effect(words[0], SIDE_OF[words[1][0]], words[1], tuple(words[2:])))
    armies = {unit.side: next(one for one, book in ARMIES.items() if unit.kind in book.unit) for unit in units[::-1]}
    fields = {"armies": armies, "effects": tuple(effects), "order": tuple(range(len(teams(options))))}
    state = State(options=options, units=tuple(units), phase=phase, **(fields | more))
    for one, other in melees:
        state = state.engage(one, other)
    return state


def acting(state: State) -> str:
    """The seat that acts: of a team the first."""
    return state.acting[0] if state.acting else "white"


PLAYING = Playing(GAME, Plays, acting, "CW-10")
rule, ruled, after, refusal, no = PLAYING.rule, PLAYING.ruled, PLAYING.after, PLAYING.refusal, PLAYING.no
questions, offered, english = PLAYING.questions, PLAYING.offered, PLAYING.english
told = PLAYING.told


def asked(state: State, action: Any, *dice: int, seat: str | None = None, **choices: str) -> list[str]:
    """What an action asks, by key and in order."""
    return [question.key for question in questions(state, action, *dice, seat=seat, **choices)]


def by(state: State, action: Any, *dice: int, seat: str | None = None, **choices: str) -> list[tuple[str, str]]:
    """What an action asks of whom, in order."""
    found = questions(state, action, *dice, seat=seat, **choices)
    return [(one.key, one.by if isinstance(one, Throw) else getattr(one, "seat", "")) for one in found]


def on(state: State) -> dict[str, str | None]:
    """Where the units stand that are on the board and on their feet."""
    return {unit.id: unit.square for unit in state.standing()}


def fights(state: State) -> set[str]:
    """Who is in melee with whom, each pair once."""
    return {">".join(sorted((unit.id, foe), reverse=True)) for unit in state.units for foe in unit.engaged_with}


def end(state: State, *dice: int, phases: int = 1, **choices: str) -> State:
    """The state after everybody of the team that acts has ended the phase, or several."""
    for _ in range(phases):
        for seat in state.acting:
            state = after(state, EndPhase(), *dice, seat=seat, **choices)
    return state


def campaign(tables: Tables, dice: str = "typed", **options: Any) -> Sitting:
    """A table of ChessWar with somebody in every seat."""
    created = tables.create("chesswar", "A table", options, {"rulekeeper": "Keeper"}, dice)
    seats = sides(Options(**options))
    tokens = {seat: tables.join(created.table, seat, seat.capitalize()) for seat in seats}
    return Sitting(tables, created.table, {**created.tokens, **tokens})
