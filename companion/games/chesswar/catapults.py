"""Catapults, terror catapults, rocks and plague bombs (CW-66 to CW-82, CW-157, CW-158, CW-167)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

from companion.games.chesswar import rosters, speech, traits
from companion.games.chesswar.around import Drift, scattered
from companion.games.chesswar.destruction import Toll
from companion.games.chesswar.saves import save
from companion.games.chesswar.shooting import Aim, aim_at, check_free, check_indirect, harm, struck, unsaved
from companion.games.chesswar.sides import grid, shift
from companion.games.chesswar.state import Last
from companion.kit import counts
from companion.kit.asking import Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask

CHESSBOARD_SIDE = 8
ALIKE = ((1,), (2,), (3,), (4,), (5, 6))
NOBODY = "nobody"
OFF_BOARD = "off_board"
OWN_SQUARE = "own_square"
IMPACT = "impact"


class Impact(msgspec.Struct, frozen=True):
    """Hold where a shot came down, and on what.

    The square is None off the board, and where only the real board tells: there ``drift`` says how far from the one
    that was aimed at.
    """

    square: str | None
    result: Literal["hit", "empty", "own_square", "off_board"]
    unit: str | None = None
    drift: Drift | None = None


def reach(state: State, shooter: Unit) -> int:
    """Return how far a thrower reaches: across a chessboard, 8 squares on a larger board (CW-66, CW-77, CW-167)."""
    weapon = shooter.weapon
    if weapon is None:
        return 0
    return weapon.reach or min(CHESSBOARD_SIDE, state.options.squares - 1)


def scatter_dice(state: State, shooter: Unit, given: Aim) -> tuple[Reason, ...]:
    """List what the scatter dice of a shot are made of (CW-69, CW-77, CW-78, CW-157)."""
    weapon = shooter.weapon
    assert weapon is not None
    count = weapon.scatter if given.direct else weapon.scatter_indirect
    clause = "CW-77" if shooter.kind.weapon == "rocks" else "CW-78" if weapon.plague else "CW-69"
    if weapon.plague and state.options.bombs_two_dice:
        found = [Reason(say("plague bombs, as the summary says"), "CW-Q08", 2)]
    else:
        found = [
            Reason(say("it sees the square") if given.direct else say("it does not see the square"), clause, count)
        ]
    if traits.stormy(state) and given.distance >= 2:
        squares = counts.squares(given.distance)
        found.append(Reason(say("storm: one for every 2 of {squares}", squares=squares), "CW-157", given.distance // 2))
    return tuple(found)


def required(state: State, shooter: Unit, given: Aim) -> Reason:
    """Say how many scatter dice a shot throws, and what they are made of (CW-69, CW-157)."""
    parts = scatter_dice(state, shooter, given)
    count = sum(part.value or 0 for part in parts)
    return Reason(say("{dice} to scatter", dice=counts.dice(count)), parts[0].clause, count, terms=parts)


def aim(state: State, shooter: Unit, square: str) -> Aim:
    """Derive the aim at a square from a mirrored board; raise Refusal when it can not be made (CW-66 to CW-68)."""
    if square not in grid(state.options):
        raise Refusal(say("There is no square {square} on the board.", square=square), "CW-67", "square")
    check_range(state, shooter, grid(state.options).moves_apart(shooter.square or square, square))
    return checked(state, shooter, aim_at(state, shooter, square, "square", "CW-68"))


def check_range(state: State, shooter: Unit, distance: int, field: str = "square") -> None:
    """Refuse a square too near (CW-66, CW-73) or too far (CW-77, CW-78, CW-167)."""
    weapon, far = shooter.weapon, reach(state, shooter)
    if weapon is None or not weapon.scatter:
        raise Refusal(say("It throws nothing."), "CW-45", "unit")
    if distance < weapon.nearest == 1:
        raise Refusal(say("It can not aim at its own square."), "CW-73", field)
    if distance < weapon.nearest:
        raise Refusal(say("A catapult can not aim at the squares around it."), "CW-66", field)
    if distance > far:
        clause = "CW-167" if not weapon.reach else "CW-78" if weapon.plague else "CW-77"
        raise Refusal(say("{distance} squares away: it reaches {reach}.", distance=distance, reach=far), clause, field)


def checked(state: State, shooter: Unit, found: Aim, field: str = "square") -> Aim:
    """Return an aim that the weapon allows; raise Refusal for one that it does not, of the field that says how far."""
    check_range(state, shooter, found.distance, field)
    if not found.direct:
        check_indirect(state, shooter, "direct")
    return found


def bombard(
    state: State, shooter: Unit, square: str | None, given: Aim, ask: Ask, aimed_at: Unit | None = None
) -> tuple[State, Toll, Impact]:
    """Throw at a square: scatter (CW-69 to CW-72), impact (CW-73 to CW-75), who is struck (CW-76 to CW-81).

    Without a ``square``, which only the real board knows, ``aimed_at`` is who stands there, where the players say.
    """
    check_free(shooter)
    _check_enemy(state, shooter, square)
    state = state.with_unit(shooter.id, shot=True).after_deed(shooter).but(last=Last(shooter.square, square))
    thrown = required(state, shooter, given)
    count = thrown.value or 0
    who = speech.name(state, shooter)
    dice = counts.dice(count)
    at = square or (speech.name(state, aimed_at) if aimed_at else None)
    said = (
        say("{unit}, shot at {square}: {dice}", unit=who, square=at, dice=dice)
        if at
        else say("{unit}, shot: {dice}", unit=who, dice=dice)
    )
    target = state.at(square)
    if square and (target is None or not state.enemies(shooter, target)):
        ask.tell(say("No enemy stands on {square}", square=square), "CW-67")
    ask.tell(said, thrown.clause, count, terms=thrown.terms, marks=((shooter.id, "acting"),))
    why = say(
        "{unit}: scatter dice. 1 away from you, 2 to your right, 3 towards you, 4 to your left, 5 and 6 nothing",
        unit=who,
    )
    faces = ask.throw(count, 6, "scatter", why, by=shooter.side, clause="CW-10", alike=ALIKE)
    impact = (
        _impact(state, shooter, square, faces, ask) if square else _told_impact(state, shooter, faces, aimed_at, ask)
    )
    state = state.but(last=Last(shooter.square, impact.square))
    if impact.unit is None:
        return state, Toll(), impact
    return *_strike(state, shooter, state.unit(impact.unit), ask), impact


def _check_enemy(state: State, shooter: Unit, square: str | None) -> None:
    target = state.at(square)
    if square and state.options.catapult_needs_enemy and (target is None or not state.enemies(shooter, target)):
        raise Refusal(say("At this table a catapult aims at enemy units only."), "CW-Q07", "square")


def drift(state: State, shooter: Unit, faces: tuple[int, ...]) -> tuple[int, int]:
    """Add up the shifts of the scatter dice, as (files, ranks); their order does not matter (CW-70 to CW-72)."""
    shifts = [shift(state.options, shooter.side, face) for face in faces]
    return sum(across for across, _ in shifts), sum(up for _, up in shifts)


def drift_in_words(drift: Drift) -> Text:
    """Say where scatter dice move the impact, as the shooter sees it (CW-70 to CW-72)."""
    right, ahead = drift
    parts = [
        text
        for text, holds in (
            (say("{count} away from you", count=ahead), ahead > 0),
            (say("{count} towards you", count=-ahead), ahead < 0),
            (say("{count} to your right", count=right), right > 0),
            (say("{count} to your left", count=-right), right < 0),
        )
        if holds
    ]
    return speech.listed(tuple(parts)) if parts else say("no scatter")


def _impact(state: State, shooter: Unit, square: str, faces: tuple[int, ...], ask: Ask) -> Impact:
    landed = grid(state.options).step(square, *drift(state, shooter, faces))
    if landed is None:
        ask.tell(say("The shot falls off the board"), "CW-74", faces=faces)
        return Impact(None, "off_board")
    if landed == shooter.square:
        ask.tell(say("The shot falls on the square of the shooter: it has failed"), "CW-73", faces=faces)
        return Impact(landed, "own_square")
    unit = state.at(landed)
    lying = next((one for one in state.units if one.on_board and one.down and one.square == landed), None)
    if unit is None:
        said = say("The shot falls on {square}: nobody stands there", square=landed)
        ask.tell(said, "CW-114" if lying else "CW-72", faces=faces)
        return Impact(landed, "empty")
    ask.tell(
        say("The shot falls on {unit}", unit=speech.name(state, unit)),
        "CW-75",
        faces=faces,
        marks=((unit.id, "target"),),
    )
    return Impact(landed, "hit", unit.id)


def _nearer(state: State, shooter: Unit) -> list[Unit]:
    """List who may stand there: enemies first, for nobody aims at his own."""
    others = [unit for unit in state.standing() if unit.id != shooter.id]
    return sorted(others, key=lambda unit: not state.enemies(shooter, unit))


def _told_impact(state: State, shooter: Unit, faces: tuple[int, ...], aimed_at: Unit | None, ask: Ask) -> Impact:
    """Find what stands where the shot came down on the real board: who was aimed at, or what the players say."""
    drift = scattered(faces)
    ask.tell(say("The impact: {drift}", drift=drift_in_words(drift)), "CW-72", faces=faces)
    if drift == (0, 0) and aimed_at is not None:
        said = say("The shot falls on {unit}", unit=speech.name(state, aimed_at))
        ask.tell(said, "CW-75", marks=((aimed_at.id, "target"),))
        return Impact(None, "hit", aimed_at.id, drift)
    return replace(_ask_impact(state, shooter, ask), drift=drift)


def _ask_impact(state: State, shooter: Unit, ask: Ask) -> Impact:
    """Ask what stands where the shot came down on the real board (CW-72 to CW-75)."""
    options = (
        Option(NOBODY, say("An empty square")),
        Option(OFF_BOARD, say("Off the board")),
        Option(OWN_SQUARE, say("The shooter's own square")),
        *rosters.options(state, _nearer(state, shooter), sides=True),
    )
    found = ask.choose(shooter.side, options, IMPACT, say("What stands where it comes down?"), clause="CW-75")
    match found:
        case "nobody":
            ask.tell(say("The shot falls on an empty square"), "CW-72")
            return Impact(None, "empty")
        case "off_board":
            ask.tell(say("The shot falls off the board"), "CW-74")
            return Impact(None, "off_board")
        case "own_square":
            ask.tell(say("The shot falls on the square of the shooter: it has failed"), "CW-73")
            return Impact(None, "own_square")
    unit = state.unit(found)
    ask.tell(say("The shot falls on {unit}", unit=speech.name(state, unit)), "CW-75", marks=((unit.id, "target"),))
    return Impact(None, "hit", unit.id)


def _strike(state: State, shooter: Unit, unit: Unit, ask: Ask) -> tuple[State, Toll]:
    """Strike whoever stands on the square of impact, friend or foe (CW-75, CW-76, CW-79 to CW-81)."""
    weapon = shooter.weapon
    assert weapon is not None
    if weapon.plague:
        return _bomb(state, shooter, unit, ask)
    hit = struck(state, unit, shooter.side, ask)
    if not weapon.terror:
        return harm(state, shooter, hit, unsaved(state, hit, "shot", ask), ask)
    lost = []
    for one in hit:
        if not traits.brave(state, one):
            ask.tell(say("{unit}: not brave, destroyed by terror", unit=speech.name(state, one)), "CW-81")
            lost.append(one.id)
        elif not save(state, one, "shot", ask):
            lost.append(one.id)
    return harm(state, shooter, hit, tuple(lost), ask)


def _bomb(state: State, shooter: Unit, unit: Unit, ask: Ask) -> tuple[State, Toll]:
    """Strike with a plague bomb: in a melee all are struck (CW-80), those immune to plague unharmed (CW-79)."""
    hit = (unit, *state.opponents(unit))
    if len(hit) > 1:
        ask.tell(say("The bomb strikes everybody in the melee"), "CW-80")
    lost = []
    for one in hit:
        if traits.immune(state, one):
            ask.tell(say("{unit}: immune to plague", unit=speech.name(state, one)), "CW-79")
        elif not save(state, one, "bomb", ask):
            lost.append(one.id)
    return harm(state, shooter, hit, tuple(lost), ask)
