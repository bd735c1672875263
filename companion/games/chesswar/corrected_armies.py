"""Corrections of armies. Behind the screen they are listed alike whatever they are, square by square or by piece.

Nothing that is set behind the screen is ever refused: a refusal would tell others what stands there (CW-18, CW-20).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from companion.games.chesswar.armies import ARMIES, BOUGHT, TYPES
from companion.games.chesswar.corrected_units import NOBODY
from companion.games.chesswar.necromancy import new_id
from companion.games.chesswar.raising import times
from companion.games.chesswar.sides import home
from companion.games.chesswar.state import BEFORE, State, Unit
from companion.kit.asking import Option
from companion.kit.corrected import choice
from companion.kit.correction import Tracked
from companion.kit.offer import Field
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.armies import Army, ArmyId, Piece, UnitType
    from companion.games.chesswar.sides import Side

GROUP = say("Armies")
PIECES: tuple[Piece, ...] = ("king", *BOUGHT)


def tracked(state: State) -> tuple[Tracked, ...]:
    """List which army each side leads, and before all have deployed what stands behind each screen.

    Whether a side has chosen its army is known to all; which one may be a secret.
    """
    open_race = state.options.race == "declared" or state.phase not in BEFORE
    none = (Option(NOBODY, say("none yet")),) if open_race and state.phase in BEFORE else ()
    options = (*none, *(Option(army, Text(army)) for army in ARMIES))
    found = [
        Tracked(
            f"army.{side}",
            GROUP,
            choice(Text(side), options, state.armies.get(side, NOBODY)),
            None if open_race else side,
        )
        for side in state.sides
        if none or side in state.armies
    ]
    if state.phase == "raising":
        for side in state.sides:
            found += _behind_the_screen(state, side) if side in state.armies else ()
    return tuple(found)


def _behind_the_screen(state: State, side: Side) -> list[Tracked]:
    group = say("{side}'s deployment", side=Text(side))
    fields = _squares(state, side) if state.mirrored else _pieces(state, side)
    return [Tracked(f"screen.{side}.{part}", group, field, side) for part, field in fields.items()]


def _squares(state: State, side: Side) -> dict[str, Field]:
    """Ask what stands on each home square: a unit of the army, of any army where it is a secret which one it is."""
    kinds = TYPES.values() if state.options.race == "secret" else ARMIES[state.armies[side]].unit
    options = (Option(NOBODY, say("nobody")), *(Option(kind.id, Text(kind.id)) for kind in kinds))
    there = {unit.square: unit.type for unit in state.units if unit.side == side}
    return {
        square: choice(say("{square}", square=square), options, there.get(square, NOBODY))
        for square in home(state.options, side)
    }


def _pieces(state: State, side: Side) -> dict[str, Field]:
    """Ask how many units each chess piece stands for."""
    secret = state.options.race == "secret"
    armies = tuple(ARMIES.values()) if secret else (ARMIES[state.armies[side]],)
    mine = [unit.kind.piece for unit in state.units if unit.side == side]
    return {
        piece: Field(
            "value",
            Text(piece if secret else kinds[0].id),
            "number",
            value=mine.count(piece),
            high=max(kind.max for kind in kinds) * times(state.options),
        )
        for piece in PIECES
        if (kinds := [kind for army in armies if (kind := army.of(piece)) is not None])
    }


def correct(state: State, group: str, rest: str, value: str) -> State:
    """Set which army a side leads, or what it has behind its screen."""
    if group == "army":
        return _lead(state, cast("Side", rest), value)
    side, _, part = rest.partition(".")
    if state.mirrored:
        return _stand(state, cast("Side", side), part, value)
    return _count(state, cast("Side", side), part, int(value))


def _lead(state: State, side: Side, army: str) -> State:
    """Say which army a side leads; what it has raised already becomes the like of that army, piece by piece."""
    others = {one: led for one, led in state.armies.items() if one != side}
    armies = others if army == NOBODY else others | {side: cast("ArmyId", army)}
    # In the order of the sides: who was corrected last is nobody's business.
    armies = {one: armies[one] for one in state.sides if one in armies}
    if state.phase not in BEFORE:
        return state.but(armies=armies)
    units = tuple(new for unit in state.units if (new := _like(unit, side, ARMIES.get(army))) is not None)
    state = state.but(armies=armies, units=units)
    if army == NOBODY:
        state = state.but(ready=tuple(one for one in state.ready if one != side))
    if state.options.race == "secret":
        return state
    return state.but(phase="raising" if len(armies) == len(state.sides) else "choosing")


def _like(unit: Unit, side: Side, army: Army | None) -> Unit | None:
    if unit.side != side:
        return unit
    kind = army.of(unit.kind.piece) if army else None
    return replace(unit, type=kind.id) if kind else None


def _stand(state: State, side: Side, square: str, kind: str) -> State:
    state = state.but(units=tuple(unit for unit in state.units if unit.side != side or unit.square != square))
    return state if kind == NOBODY else _join(state, side, TYPES[kind], square)


def _count(state: State, side: Side, piece: str, count: int) -> State:
    kind = ARMIES[state.armies[side]].of(piece)
    mine = [unit.id for unit in state.units if unit.side == side and unit.kind.piece == piece]
    state = state.but(units=tuple(unit for unit in state.units if unit.id not in mine[count:]))
    for _ in range(count - len(mine) if kind else 0):
        assert kind is not None
        state = _join(state, side, kind, None)
    return state


def _join(state: State, side: Side, kind: UnitType, square: str | None) -> State:
    return state.but(units=(*state.units, Unit(new_id(state, side, kind), side, kind.id, square)))
