"""Positions, turns and answers of ChessWar written short: ``w1 hn d4`` is a human knight of White's on d4."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.chesswar import GAME
from companion.games.chesswar import actions as do
from companion.games.chesswar.armies import ARMIES
from companion.games.chesswar.game import ChessWar
from companion.games.chesswar.necromancy import LETTERS
from companion.games.chesswar.options import Options
from companion.games.chesswar.sides import sides, teams
from companion.games.chesswar.state import Effect, State, Unit
from companion.kit.asking import Ask, Throw
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, speak
from tests.grounds import grounded
from tests.positions import Plays
from tests.sitting import Sitting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.kit.game import Offer
    from companion.kit.ruling import Reason
    from companion.table.tables import Tables

TYPES = {f"{army[0]}{LETTERS[kind.piece]}": kind.id for army, book in ARMIES.items() for kind in book.unit}
"""Types by the initials of their army and of their piece in a game of chess: ``hn`` the knights of the humans."""
SIDE_OF: dict[str, Any] = {"w": "white", "b": "black", "r": "red", "u": "blue"}
KNOWN = GAME.rulebook.ids()
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


def rule(state: State, seat: str, action: Any, ask: Ask | None = None) -> Ruling[State]:
    """Rule through the game's contract; dice that are not used are refused."""
    ask = ask if ask is not None else Plays()
    ruling: Ruling[State] = GAME.rule(state, seat, action, ask)
    ask.finish("CW-10")
    assert english(ruling.headline)
    check(ruling.reasons)
    return ruling


def check(reasons: Iterable[Reason]) -> None:
    """Check that whatever is told rests on clauses that there are."""
    grounded(reasons, KNOWN)


def acting(state: State) -> str:
    """The seat that acts: of a team the first."""
    return state.acting[0] if state.acting else "white"


def ruled(state: State, action: Any, *dice: int, seat: str | None = None, **choices: str) -> Ruling[State]:
    """The ruling on an action of who acts, or of the seat named."""
    return rule(state, seat or acting(state), action, Plays(*dice, **choices))


def after(state: State, action: Any, *dice: int, seat: str | None = None, **choices: str) -> State:
    """The state after an action."""
    return ruled(state, action, *dice, seat=seat, **choices).outcome


def refusal(state: State, action: Any, *dice: int, seat: str | None = None, **choices: str) -> Refusal:
    """The refusal of an action; fails when it is not refused."""
    try:
        ruled(state, action, *dice, seat=seat, **choices)
    except Refusal as refused:
        check((refused.reason,))
        return refused
    raise AssertionError(f"{action} was not refused")


def no(state: State, action: Any, seat: str | None = None, **choices: str) -> str | None:
    """The clause that an action is refused with."""
    return refusal(state, action, seat=seat, **choices).clause


def asked(state: State, action: Any, *dice: int, seat: str | None = None, **choices: str) -> list[str]:
    """What an action asks, by key and in order."""
    ask = Plays(*dice, **choices)
    rule(state, seat or acting(state), action, ask)
    return [question.key for question in ask.asked]


def by(state: State, action: Any, *dice: int, seat: str | None = None, **choices: str) -> list[tuple[str, str]]:
    """What an action asks of whom, in order."""
    ask = Plays(*dice, **choices)
    rule(state, seat or acting(state), action, ask)
    return [(one.key, one.by if isinstance(one, Throw) else getattr(one, "seat", "")) for one in ask.asked]


def clauses(reasons: Iterable[Reason]) -> list[str | None]:
    """The clauses that reasons cite, line by line."""
    return [reason.clause for reason in reasons]


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
            state = after(state, do.EndPhase(), *dice, seat=seat, **choices)
    return state


def offered(state: State, action: str, seat: str | None = None) -> list[Offer]:
    """The offers of one kind."""
    return [offer for offer in GAME.offers(state, seat or acting(state)) if offer.action == action]


def options_of(offer: Offer, field: str) -> list[str]:
    """The open choices of an offer's field."""
    found = next(one for one in offer.fields if one.name == field)
    return [option.value for option in found.options if option.barred is None]


def english(text: Text | None) -> str:
    """A sentence in English."""
    return speak(text, lambda key: GAME.words.find(key, "en") or key) if text is not None else ""


class Posed(ChessWar):
    """Be ChessWar, but begin at a position."""

    def __init__(self, state: State) -> None:
        self.posed = state

    def setup(self, options: Options, ask: Ask) -> Ruling[State]:
        return Ruling(self.posed, Text("posed"))


def campaign(tables: Tables, dice: str = "typed", **options: Any) -> Sitting:
    """A table of ChessWar with somebody in every seat."""
    created = tables.create("chesswar", "A table", options, {"rulekeeper": "Keeper"}, dice)
    seats = sides(Options(**options))
    tokens = {seat: tables.join(created.table, seat, seat.capitalize()) for seat in seats}
    return Sitting(tables, created.table, {**created.tokens, **tokens})
