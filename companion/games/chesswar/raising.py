"""Raising an army (CW-11 to CW-18, CW-180)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.chesswar.armies import ARMIES, BOUGHT, Army, Piece
from companion.games.chesswar.necromancy import LETTERS
from companion.games.chesswar.sides import home
from companion.games.chesswar.state import State, Unit
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.chesswar.actions import RaiseArmy
    from companion.games.chesswar.options import Options
    from companion.games.chesswar.sides import Side
    from companion.kit.asking import Ask

INITIALS: dict[Side, str] = {"white": "w", "black": "b", "red": "r", "blue": "u"}
NEAREST_FIRST: tuple[Piece, ...] = ("pawn", "knight", "bishop", "rook", "queen", "king")


def times(options: Options) -> int:
    """Return how many times the points, the maxima and the general an army has (CW-180)."""
    return 2 if options.extended else 1


def budget(options: Options, army: Army) -> int:
    """Return the points of an army (CW-14, CW-180)."""
    return army.points * times(options)


def price(army: Army, counts: Mapping[Piece, int]) -> int:
    """Add up what units cost (CW-14)."""
    return sum(count * kind.cost for piece, count in counts.items() if (kind := army.of(piece)) is not None)


def check(options: Options, army: Army, counts: Mapping[Piece, int]) -> None:
    """Refuse an army that may not be raised, naming what is wrong (CW-13 to CW-16)."""
    for piece, count in counts.items():
        kind = army.of(piece)
        if kind is None and count:
            raise Refusal(
                say("{army}: there is no {piece} in this army.", army=Text(army.id), piece=Text(piece)), "CW-16", piece
            )
        most = kind.max * times(options) if kind else 0
        if kind is not None and count > most:
            raise Refusal(
                say("{unit}: {count} of at most {most}.", unit=Text(kind.id), count=count, most=most), "CW-15", piece
            )
    spent, points = price(army, counts), budget(options, army)
    if spent > points:
        raise Refusal(
            say(
                "That costs {spent} points; the army ({army}) has {points}.",
                spent=spent,
                army=Text(army.id),
                points=points,
            ),
            "CW-14",
            dearest(army, counts),
        )


def dearest(army: Army, counts: Mapping[Piece, int]) -> str:
    """Name the piece that most of the points are spent on."""
    return max(BOUGHT, key=lambda piece: price(army, {piece: counts.get(piece, 0)}))


def counts_of(action: RaiseArmy) -> dict[Piece, int]:
    """Return how many of each piece an action buys."""
    return {
        "queen": action.queen,
        "rook": action.rook,
        "bishop": action.bishop,
        "knight": action.knight,
        "pawn": action.pawn,
    }


def choose_army(state: State, side: Side, army: str, ask: Ask) -> State:
    """Say which army a side leads, before anybody buys units (CW-11)."""
    if side in state.armies:
        raise Refusal(say("You have chosen already."), "CW-11", "army")
    others = [one for one, theirs in state.armies.items() if theirs == army]
    ask.tell(say("{side} leads {army}", side=Text(side), army=Text(f"the_{army}")), "CW-11")
    if others:
        ask.tell(say("Two of the same army: different ones are recommended"), "CW-12")
    state = state.but(armies={**state.armies, side: army})
    return state.but(phase="raising") if len(state.armies) == len(state.sides) else state


def raise_army(state: State, side: Side, action: RaiseArmy, ask: Ask) -> State:
    """Buy an army, and line it up on the home squares until its player changes that (CW-13 to CW-18)."""
    if side in state.ready:
        raise Refusal(say("Your army is deployed."), "CW-18")
    if state.options.race == "declared" and state.armies.get(side) != action.army:
        raise Refusal(say("You said that you lead another army."), "CW-11", "army")
    army, counts = ARMIES[action.army], counts_of(action)
    check(state.options, army, counts)
    left = budget(state.options, army) - price(army, counts)
    units = _enlist(state, side, army, counts)
    ask.tell(
        say("{army}: {count} unit|{army}: {count} units", army=Text(army.id), count=len(units)), "CW-14", seat=side
    )
    if left:
        ask.tell(
            say("{count} point is left, and lost|{count} points are left, and lost", count=left), "CW-17", seat=side
        )
    others = tuple(unit for unit in state.units if unit.side != side)
    return state.but(armies={**state.armies, side: action.army}, units=(*others, *units))


def _enlist(state: State, side: Side, army: Army, counts: Mapping[Piece, int]) -> tuple[Unit, ...]:
    """Make the units and line them up; in an army that is changed, those placed by hand stay where they are."""
    made = _line_up(state, side, army, counts)
    before = tuple(unit for unit in state.units if unit.side == side)
    if not before or before == _line_up(state, side, ARMIES[state.armies[side]], bought(state, side)):
        return made
    kinds = {unit.id: unit.type for unit in made}
    stay = {unit.id: unit.square for unit in before if kinds.get(unit.id) == unit.type}
    free = [square for square in _spread(home(state.options, side)) if square not in stay.values()]
    others = dict(zip((name for name in kinds if name not in stay), free, strict=False))
    return tuple(replace(unit, square={**others, **stay}.get(unit.id)) for unit in made)


def _line_up(state: State, side: Side, army: Army, counts: Mapping[Piece, int]) -> tuple[Unit, ...]:
    """Put basic troops in front and the general behind, spread over the files."""
    squares = _spread(home(state.options, side))
    whole: dict[Piece, int] = {**counts, "king": times(state.options)}
    units: list[Unit] = []
    for piece in NEAREST_FIRST:
        kind = army.of(piece)
        for count in range(1, whole[piece] + 1 if kind else 1):
            assert kind is not None
            name = f"{INITIALS[side]}{LETTERS[piece]}{count}"
            units.append(Unit(name, side, kind.id, squares[len(units)] if state.mirrored else None))
    return tuple(units)


def _spread(squares: tuple[str, ...]) -> tuple[str, ...]:
    """Order home squares rank by rank from the front, from the middle of each rank outwards."""
    depth = 3
    width = len(squares) // depth
    middle = (width - 1) / 2
    found: list[str] = []
    for rank in range(depth):
        row = squares[rank * width : (rank + 1) * width]
        found += [row[at] for at in sorted(range(width), key=lambda at: (abs(at - middle), at))]
    return tuple(found)


def bought(state: State, side: Side) -> dict[Piece, int]:
    """Return how many of each piece a side has bought so far."""
    mine = [unit.kind.piece for unit in state.units if unit.side == side]
    return {piece: mine.count(piece) for piece in BOUGHT}


def spend_hint(state: State, side: Side) -> tuple[Reason, ...]:
    """Remind of points that are left (CW-17)."""
    mine = [unit for unit in state.units if unit.side == side]
    if not mine:
        return ()
    army = ARMIES[state.armies[side]]
    left = budget(state.options, army) - price(army, bought(state, side))
    if left <= 0:
        return ()
    return (Reason(say("{count} point is left, and lost|{count} points are left, and lost", count=left), "CW-17"),)
