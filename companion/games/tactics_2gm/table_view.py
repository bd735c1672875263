"""What lies on the table as a seat may see it: the battlefield or its units in words, cards, decks before the battle.

G2-38, ledger 2.2 and 5.2.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.tactics_2gm import aiming, speech, terrain
from companion.games.tactics_2gm.cards import SupportCard, UnitCard
from companion.games.tactics_2gm.combatants import built, glyph, impact
from companion.games.tactics_2gm.options import FILES, LINES, Seat, column_of, hq_place, side_of
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import Headquarters, State, Unit
from companion.kit import panels
from companion.kit.decks import FACE_DOWN
from companion.kit.once import once
from companion.kit.panels import (
    Board,
    Card,
    Picture,
    Piece,
    PieceCorrections,
    Pile,
    Piles,
    Terrain,
)
from companion.kit.text import Text, say, with_sign

SIGNS = (
    ("target", say("under suppressive fire")),
    ("lock", say("a heavy weapon is set up: it cannot move")),
    ("smoke", say("a smoke screen or the like is in force")),
    ("shield", say("a card or an effect lies on it")),
)
KINDS = {"supplies": "truck", "promotion": "medal", "equipment_card": "cog"}


def board(state: State, seat: Seat | None) -> Board:
    """Draw the battlefield, a line behind each deployment line for headquarters and waiting aircraft."""
    waiting = _beside(state)
    pieces = [_headquarters(state, hq) for hq in state.headquarters]
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
        closed=tuple(yard.square for yard in _yards(state)),
    )


def _beside(state: State) -> dict[str, str]:
    """Return the drawn squares of waiting aircraft: as near as may be to their player's headquarters (G2-139).

    They share squares only where the whole line behind the battlefield is full.
    """
    squares: dict[str, str] = {}
    for unit in state.units:
        if state.flies(unit):
            taken = list(squares.values())
            squares[unit.id] = min(_near(state, unit), key=taken.count)
    return squares


def _near(state: State, unit: Unit) -> list[str]:
    """List the free squares of the line behind a side, those nearest to an aircraft's headquarters first."""
    second = state.options.two_copies and unit.seat != state.leader(unit.side)
    home = hq_place(unit.side, int(second))
    taken = {hq_place(hq.side, hq.board) for hq in state.headquarters}
    line = [f"{file}{home[1:]}" for file in FILES[: state.options.columns] if f"{file}{home[1:]}" not in taken]
    return sorted(
        line, key=lambda square: (abs(column_of(square) - column_of(home)), column_of(square) < column_of(home))
    )


@once
def _yards(state: State) -> tuple[Terrain, ...]:
    """Lay out the two lines behind the battlefield, on which nobody fights."""
    return tuple(
        Terrain(f"{file}{rank}", "yard", say("behind the lines"))
        for rank in (0, LINES + 1)
        for file in FILES[: state.options.columns]
    )


@once
def _ground(state: State) -> tuple[Terrain, ...]:
    """Draw terrain cards and natural features, one picture a square: the card where both are."""
    drawn = {
        square: Terrain(square, natural.feature, Text(natural.feature)) for square, natural in state.natural.items()
    }
    for ground in state.grounds:
        if ground.square is not None:
            name = speech.ground(state, ground)
            if state.is_building(ground):
                name = say("{unit} ({pi} PI)", unit=name, pi=ground.pi)
            drawn[ground.square] = Terrain(ground.square, built(state, ground), name)
    return tuple(drawn.values())


def _tint(state: State, seat: Seat | None) -> tuple[tuple[str, str], ...]:
    if state.phase == "terrain" and seat is not None and side_of(seat) in state.laying:
        return tuple((square, "home") for square in terrain.zone(state, side_of(seat)))
    if state.last is None:
        return ()
    there = state.at(state.last.to_square)
    own = there is not None and there.side == state.active
    marked = ((state.last.from_square, "came_from"), (state.last.to_square, "acting" if own else "target"))
    return tuple((square, kind) for square, kind in marked if square is not None)


def _headquarters(state: State, hq: Headquarters) -> Piece:
    badges: tuple[Text, ...] = (impact(hq.pi, hq.card.pi),)
    if hq.general is not None:
        badges = (*badges, called(hq.general))
    name, place = speech.hq(state, hq), hq_place(hq.side, hq.board)
    low = 0 if state.options.mode == "scenario" else 1
    points = PieceCorrections(f"hq.{hq.id}.pi", hq.pi, low, max(hq.card.pi, hq.pi))
    return Piece(hq.id, state.leader(hq.side), "flag", name, place, badges=badges, spent=not hq.pi, corrections=points)


@once
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
        hint=speech.describe_piece(card),
        now=aiming.values_now(state, unit),
        weapons=aiming.weapons(state, unit),
        suffered=say("{wounds} of {most} wounds", wounds=unit.wounds, most=card.wounds),
        corrections=_corrections(state, unit, card.wounds - 1),
        photo=card.picture,
    )


def _corrections(state: State, unit: Unit, most: int) -> PieceCorrections | None:
    """Name what can be corrected at a unit; where it waits beside its headquarters it has no square."""
    wounds = f"unit.{unit.id}.wounds" if most > 0 else ""
    square = f"unit.{unit.id}.square" if state.mirrored and not state.flies(unit) else ""
    return PieceCorrections(wounds, unit.wounds, most=most, square=square) if wounds or square else None


def _badges(state: State, unit: Unit) -> tuple[Text, ...]:
    """Say in short words what lies on a unit and what it has done; its weapons stand beside."""
    badges = [
        called(token.slot) if token.used is None else say("{token}: grey", token=called(token.slot))
        for token, equipped in state.equipment(unit)
        if equipped.weapon is None
    ]
    badges += [called(card.name) for card in state.attached(unit)]
    badges += [say("{name}", name=mark.name) for mark in unit.marks]
    inside = state.ground_of(unit)
    if inside is not None and inside.square is None:
        badges.append(say("in {terrain}", terrain=speech.ground(state, inside)))
    conditions = (
        (say("under suppressive fire"), unit.suppressed is not None),
        (say("set up"), unit.set_up),
        (say("just deployed"), unit.deployed == state.turn and state.begun),
        (say("moved"), unit.moved),
        (say("has fired"), bool(unit.fired)),
    )
    return (*badges, *(text for text, applies in conditions if applies))


def _signs(unit: Unit) -> tuple[str, ...]:
    conditions = (
        ("target", unit.suppressed is not None),
        ("lock", unit.set_up),
        ("smoke", any(token.works for token in unit.tokens)),
        ("shield", bool(unit.cards or unit.marks)),
    )
    return tuple(sign for sign, applies in conditions if applies)


def _spent(state: State, unit: Unit) -> bool:
    if unit.seat not in state.acting:
        return False
    if state.phase == "movement":
        return unit.moved
    return state.phase == "fire" and bool(unit.fired) and set(state.weapons(unit)) <= set(unit.fired)


def rosters(state: State, seat: Seat | None) -> tuple[panels.Roster, ...]:
    """List the units of every player in words, one's own first."""
    order = sorted(state.seats, key=lambda each: (each != seat, seat is None or side_of(each) != side_of(seat)))
    units = {player: tuple(unit for unit in state.units if unit.seat == player) for player in order}
    return tuple(
        panels.Roster(Text(f"units_of_{player}"), player, tuple(_piece(state, unit, None) for unit in own))
        for player, own in units.items()
        if own
    )


def card(state: State, seat: Seat, code: str) -> Card:
    """Show a card face up: its cost stands in the corner, as it is printed."""
    printed = state.find_card(seat, code)
    if printed is None:
        return Card(code, "", None, say("a card"), say("face down"), picture=Picture(glyphs=("cards",)))
    name, does = called(printed.name), speech.describe(printed)
    return Card(code, str(printed.cost), None, name, does, picture=picture(printed))


def picture(printed: UnitCard | SupportCard) -> Picture:
    """Draw a unit with its movement, armour, wounds and range, a support card by what it does."""
    if isinstance(printed, UnitCard):
        reach = max((weapon.range for weapon in printed.weapon), default=0)
        numbers = (
            ("next", printed.movement),
            ("target", reach),
            ("shield", printed.armour),
            ("hearts", printed.wounds),
        )
        shown = tuple((sign, str(count)) for sign, count in numbers if count)
        return Picture(glyphs=(glyph(printed),), numbers=shown, photo=printed.picture)
    works = (
        ("command", int(printed.general)),
        ("coins", printed.ap),
        ("cards", printed.draw),
        ("hearts", printed.heal),
        ("bomb", -printed.harm),
        ("shield", printed.armour),
        ("next", printed.movement),
    )
    sign, count = next((work for work in works if work[1]), (_aims(printed) or KINDS[printed.kind], 0))
    more = with_sign(count) if count and not printed.general else ""
    return Picture(glyphs=(printed.glyph or sign,), more=more, photo=printed.picture)


def _aims(printed: SupportCard) -> str:
    """Name the picture of a card that changes the numbers of shots; none when it does not."""
    return "target" if printed.aim != (0, 0) else "smoke" if printed.cover != (0, 0) else ""


def _discarded(state: State, seat: Seat, code: str) -> Card:
    """Show a discarded card to everybody: without its code, which would tell where it stands in the roster."""
    return replace(card(state, seat, code), code="", rank="")


@once
def piles(state: State) -> tuple[Piles, ...]:
    """Show how many cards everybody has, and what everybody has seen of them."""
    if not state.decks:
        return ()
    shown = []
    for seat in state.seats:
        deck = state.deck(seat)
        seen = tuple(_discarded(state, seat, code) for code in deck.discard if code != FACE_DOWN)
        top = seen[-1] if seen and deck.discard[-1] != FACE_DOWN else None
        shown += [
            Pile(say("{seat}: deck", seat=Text(seat)), len(deck.pile)),
            Pile(say("{seat}: hand", seat=Text(seat)), len(deck.hand)),
            Pile(say("{seat}: discards", seat=Text(seat)), len(deck.discard), seen, top),
        ]
    return (Piles(say("Cards"), tuple(shown)),)
