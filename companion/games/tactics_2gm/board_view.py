"""The battlefield as it is drawn, or its units in words where only the real one knows (G2-38, 2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import aiming, describing, speech
from companion.games.tactics_2gm.sides import FILES, LINES, column_of, hq_place, in_line, side_of
from companion.kit.panels import Board, Piece, Roster, Terrain
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.cards import UnitCard
    from companion.games.tactics_2gm.pieces import Headquarters, Unit
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State

SIGNS = (
    ("target", say("under suppressive fire")),
    ("lock", say("a heavy weapon is set up: it can not move")),
    ("smoke", say("a smoke screen or the like is in force")),
    ("shield", say("a card or an effect lies on it")),
)
GLYPHS = {"tank": "tank", "transport": "truck", "artillery": "gun", "aircraft": "plane"}
INFANTRY = {"heavy_infantry": "heavy", "special_unit": "special", "command_group": "command"}
BUILT = {"wall": "wall", "barrier": "fence", "trench": "trench"}


def glyph(card: UnitCard) -> str:
    """Name the picture of a unit card."""
    if card.subtype == "bomber":
        return "bomb"
    if card.paratrooper:
        return "parachute"
    if card.family == "infantry":
        return INFANTRY.get(card.subtype or "", "infantry")
    return GLYPHS[card.family]


def board(state: State, seat: Seat | None) -> Board:
    """Draw the battlefield, a line behind each deployment line for headquarters and waiting aircraft."""
    waiting = _beside(state)
    pieces = [_headquarters(state, one) for one in state.headquarters]
    pieces += [_piece(state, unit, waiting.get(unit.id, unit.square)) for unit in state.units]
    return Board(
        say("Battlefield"),
        tuple(FILES[: state.options.columns]),
        tuple(str(rank) for rank in range(LINES + 2)),
        tuple(pieces),
        (*_yards(state), *_ground(state)),
        turned=seat is not None and side_of(seat) == "axis",
        tint=_tint(state, seat),
        legend=SIGNS,
    )


def _beside(state: State) -> dict[str, str]:
    """Return the drawn squares of waiting aircraft: as near as may be to their player's headquarters (G2-139).

    They share squares only where the whole line behind the battlefield is full.
    """
    found: dict[str, str] = {}
    for unit in state.units:
        if state.flies(unit):
            taken = list(found.values())
            found[unit.id] = min(_near(state, unit), key=taken.count)
    return found


def _near(state: State, unit: Unit) -> list[str]:
    """List the free squares of the line behind a side, those nearest to an aircraft's headquarters first."""
    second = state.options.two_copies and unit.seat != state.leader(unit.side)
    home = hq_place(unit.side, int(second))
    held = {hq_place(one.side, one.board) for one in state.headquarters}
    line = [f"{file}{home[1:]}" for file in FILES[: state.options.columns] if f"{file}{home[1:]}" not in held]
    return sorted(line, key=lambda one: (abs(column_of(one) - column_of(home)), column_of(one) < column_of(home)))


def _yards(state: State) -> tuple[Terrain, ...]:
    """Lay out the two lines behind the battlefield, on which nobody fights."""
    return tuple(
        Terrain(f"{file}{rank}", "yard", say("behind the lines"))
        for rank in (0, LINES + 1)
        for file in FILES[: state.options.columns]
    )


def _ground(state: State) -> tuple[Terrain, ...]:
    """Draw terrain cards and natural features, one picture a square: the card where both are."""
    found = {square: Terrain(square, one.feature, Text(one.feature)) for square, one in state.natural.items()}
    for one in state.grounds:
        if one.square is not None:
            card = state.terrain(one)
            kind = "ruin" if one.ruin else "house" if card.building else BUILT.get(card.name, "wall")
            name = speech.ground(state, one)
            if card.building and not one.ruin:
                name = say("{unit} ({pi} PI)", unit=name, pi=one.pi)
            found[one.square] = Terrain(one.square, kind, name)
    return tuple(found.values())


def _tint(state: State, seat: Seat | None) -> tuple[tuple[str, str], ...]:
    if state.phase == "terrain" and seat is not None and side_of(seat) in state.laying:
        return tuple((square, "home") for line in (2, 3) for square in in_line(state.options, side_of(seat), line))
    if state.last is None:
        return ()
    there = state.at(state.last.to_square)
    own = there is not None and there.side == state.active
    marked = ((state.last.from_square, "came_from"), (state.last.to_square, "acting" if own else "target"))
    return tuple((square, kind) for square, kind in marked if square is not None)


def _headquarters(state: State, one: Headquarters) -> Piece:
    badges: tuple[Text, ...] = (say("{pi} of {most} PI", pi=one.pi, most=one.card.pi),)
    if one.general is not None:
        badges = (*badges, speech.called(one.general))
    return Piece(
        one.id,
        state.leader(one.side),
        "flag",
        speech.hq(state, one),
        hq_place(one.side, one.board),
        badges=badges,
        spent=not one.pi,
    )


def _piece(state: State, unit: Unit, square: str | None) -> Piece:
    card = state.card(unit)
    named = speech.card(state, unit) if unit.square is not None else speech.unit(state, unit)
    return Piece(
        unit.id,
        unit.seat,
        glyph(card),
        named,
        square,
        unit.wounds,
        card.wounds,
        _badges(state, unit),
        spent=_spent(state, unit),
        signs=_signs(unit),
        hint=describing.unit(card),
        now=aiming.values_now(state, unit),
        suffered=say("{wounds} of {most} wounds", wounds=unit.wounds, most=card.wounds),
    )


def _badges(state: State, unit: Unit) -> tuple[Text, ...]:
    """Say in short words what lies on a unit and what it has done."""
    found = []
    for token, _ in state.equipment(unit):
        name = speech.called(token.slot)
        found.append(name if token.used is None else say("{token}: grey", token=name))
    found += [speech.called(card.name) for card in state.attached(unit)]
    found += [say("{name}", name=mark.name) for mark in unit.marks]
    inside = state.ground_of(unit)
    if inside is not None and inside.square is None:
        found.append(say("in {terrain}", terrain=speech.ground(state, inside)))
    told = (
        (say("under suppressive fire"), unit.suppressed is not None),
        (say("set up"), unit.set_up),
        (say("just deployed"), unit.deployed == state.turn and state.begun),
        (say("moved"), unit.moved),
        (say("has fired"), bool(unit.fired)),
    )
    return (*found, *(text for text, applies in told if applies))


def _signs(unit: Unit) -> tuple[str, ...]:
    told = (
        ("target", unit.suppressed is not None),
        ("lock", unit.set_up),
        ("smoke", any(token.works for token in unit.tokens)),
        ("shield", bool(unit.cards or unit.marks)),
    )
    return tuple(sign for sign, applies in told if applies)


def _spent(state: State, unit: Unit) -> bool:
    """Tell whether a unit has done what it can in this phase."""
    if unit.seat not in state.acting:
        return False
    if state.phase == "movement":
        return unit.moved
    return state.phase == "fire" and bool(unit.fired) and set(state.weapons(unit)) <= set(unit.fired)


def rosters(state: State, seat: Seat | None) -> tuple[Roster, ...]:
    """List the units of every player in words, one's own first."""
    order = sorted(state.seats, key=lambda one: (one != seat, seat is None or side_of(one) != side_of(seat)))
    return tuple(
        Roster(
            Text(f"units_of_{one}"), one, tuple(_piece(state, unit, None) for unit in state.units if unit.seat == one)
        )
        for one in order
        if any(unit.seat == one for unit in state.units)
    )
