"""What a table may agree on before it starts; sides, seats and the battlefield (G2-07, G2-72, G2-146, 2.2)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.kit.forms import picked, seldom
from companion.kit.squares import Grid

Side = Literal["allies", "axis"]
Seat = Literal["allies", "axis", "allies_1", "allies_2", "axis_1", "axis_2"]
SIDES: tuple[Side, ...] = ("allies", "axis")
LINES = 6
"""Lines of the battlefield, counted from their owner's deployment line; the enemy sees line ``7 - line``."""
MIDDLE = (4, 5)
"""Columns in whose middle the headquarters lies, behind line 1 (G2-72)."""
WIDTH = 8
FILES = "abcdefghijklmnop"
PointsLimit = Annotated[int, Meta(title="Points limit", description="80 or 100 make a shorter battle.", ge=10, le=500)]
"""What a deck may cost (G2-08)."""


class Options(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the players agreed on; the defaults are the printed rules and the rulings adopted."""

    players: Annotated[
        Literal["two", "three", "four"],
        picked(
            "Players",
            "Three: a side of one against a side of two. Four: two against two.",
            two="Two",
            three="Three",
            four="Four",
        ),
    ] = "two"
    board: Annotated[
        Literal["mirrored", "table"],
        Meta(
            title="The battlefield",
            description="Mirrored: Companion knows where every unit stands, and works distances and supply out. "
            "On the table: only the real battlefield knows; Companion keeps the units and asks for the facts.",
        ),
    ] = "mirrored"
    cards: Annotated[
        Literal["companion", "real"],
        Meta(
            title="The cards",
            description="Companion shuffles and deals: hands are on the phones. "
            "Real cards: you shuffle and hold them; Companion counts them, and you say which ones you play.",
        ),
    ] = "companion"
    mode: Annotated[
        Literal["pitched", "scenario"],
        picked(
            "The battle",
            "Pitched battle: destroy the enemy headquarters. Scenario: with rules and goals of its own.",
            pitched="Pitched battle",
            scenario="Scenario",
        ),
    ] = "pitched"
    limit: PointsLimit = 120
    pair: Annotated[Side, seldom("Side with two players", "With three players: the side that two lead.")] = "axis"
    pair_decks: Annotated[
        Literal["split", "shared"],
        seldom(
            "Decks of two partners",
            "Split: each builds a deck with half of the points. Shared: together they spend all the points, and "
            "share out the cards as they agree.",
            split="Split",
            shared="Shared",
        ),
    ] = "split"
    copies: Annotated[
        Literal["one", "two"],
        seldom(
            "Copies of the game",
            "With four players: two copies make a battlefield of twice the width, and two headquarters a side.",
            one="One",
            two="Two",
        ),
    ] = "one"
    novices: Annotated[tuple[Side, ...], seldom("Novices", "These sides get one more AP every turn.")] = ()
    natural_ten: Annotated[
        Literal["cap", "hard"],
        seldom(
            "Numbers above 10",
            "Limited to 10: a rolled 10 always hits. Kept: what needs more than 10 cannot be done.",
            cap="Limited to 10",
            hard="Kept",
        ),
    ] = "cap"
    cap_scope: Annotated[
        Literal["always", "carry_only"],
        seldom(
            "The maximum of AP",
            "Always: no more than the maximum after income. Carried over: only what is kept from the turn before is "
            "limited.",
            always="Always",
            carry_only="On what is carried over",
        ),
    ] = "always"
    deckout_check: Annotated[
        Literal["immediate", "end_of_turn"],
        seldom(
            "Out of cards",
            "When a player without cards in deck and hand is defeated.",
            immediate="At once",
            end_of_turn="At the end of the turn",
        ),
    ] = "immediate"
    swap_allowed: Annotated[
        bool, seldom("Change places", "Two units of a side may move into each other's squares.")
    ] = True
    difficult_extra_cost: Annotated[
        int, seldom("Difficult terrain: extra movement", "What it costs to enter beyond one square.", ge=0, le=3)
    ] = 0
    suppression_hit: Annotated[
        int, seldom("Suppressive fire: to hit", "Added to the hit number of a unit under suppressive fire.", ge=0, le=3)
    ] = 0
    suppression_crit: Annotated[
        int, seldom("Suppressive fire: critical", "Added to its critical number.", ge=0, le=3)
    ] = 0
    advance_cover_hit: Annotated[
        int,
        seldom(
            "Advance under cover: to hit",
            "Added to the hit number against infantry behind a friendly armoured vehicle.",
            ge=0,
            le=3,
        ),
    ] = 1
    advance_cover_crit: Annotated[
        int, seldom("Advance under cover: critical", "Added to the critical number.", ge=0, le=3)
    ] = 0
    assault_mode: Annotated[
        Literal["manual", "fire_at_range_1"],
        seldom(
            "Assault",
            "Its rules are not printed. By hand: the table says what comes of it. As fire: a shot at a neighbour in "
            "the movement phase.",
            manual="By hand",
            fire_at_range_1="As fire at a neighbour",
        ),
    ] = "manual"
    fighter_after_use: Annotated[
        Literal["discard", "stays"],
        seldom(
            "A fighter after use",
            "What becomes of it when it has flown.",
            discard="Is discarded",
            stays="Goes back to the headquarters",
        ),
    ] = "discard"
    time_limit_minutes: Annotated[
        int,
        seldom(
            "Time limit in minutes",
            "90 or 120 make a shorter battle: then each side has one last turn, and the headquarters with "
            "more harm loses. 0: none.",
            ge=0,
            le=600,
        ),
    ] = 0

    @property
    def columns(self) -> int:
        """Return the width of the battlefield: two copies lie side by side (G2-72, G2-159)."""
        return WIDTH * 2 if self.two_copies else WIDTH

    @property
    def two_copies(self) -> bool:
        """Tell whether two copies are in play: only four players use them (G2-159)."""
        return self.copies == "two" and self.players == "four"


def other(side: Side) -> Side:
    """Return the enemy."""
    return "axis" if side == "allies" else "allies"


def paired(options: Options, side: Side) -> bool:
    """Tell whether two players lead a side (G2-146, G2-157)."""
    return options.players == "four" or (options.players == "three" and options.pair == side)


def seats_of(options: Options, side: Side) -> tuple[Seat, ...]:
    """List the seats of a side."""
    if not paired(options, side):
        return (side,)
    return ("allies_1", "allies_2") if side == "allies" else ("axis_1", "axis_2")


def seats(options: Options) -> tuple[Seat, ...]:
    """List the seats of the battle, the Allies first."""
    return tuple(seat for side in SIDES for seat in seats_of(options, side))


def side_of(seat: Seat) -> Side:
    """Return the side that a seat plays for."""
    return "allies" if seat.startswith("allies") else "axis"


def grid(options: Options) -> Grid:
    """Return the battlefield; the Allies play from its lower edge."""
    return _grid(options.columns)


@cache
def _grid(columns: int) -> Grid:
    return Grid(FILES[:columns], LINES)


def square(options: Options, side: Side, column: int, line: int) -> str:
    """Return the square of a column (from 1) and a line as that side counts it (2.2)."""
    rank = line if side == "allies" else LINES + 1 - line
    return f"{FILES[: options.columns][column - 1]}{rank}"


def column_of(place: str) -> int:
    """Return a square's column, from 1."""
    return FILES.index(place[0]) + 1


def line_of(side: Side, place: str) -> int:
    """Return a square's line as a side counts it (2.2)."""
    rank = int(place[1:])
    return rank if side == "allies" else LINES + 1 - rank


@lru_cache(maxsize=256)
def in_line(options: Options, side: Side, line: int) -> tuple[str, ...]:
    """List the squares of a line as a side counts it."""
    return tuple(square(options, side, column, line) for column in range(1, options.columns + 1))


def distance(start: str, goal: str) -> int:
    """Count the squares between two squares as for movement (G2-102, G2-A20)."""
    return abs(column_of(start) - column_of(goal)) + abs(int(start[1:]) - int(goal[1:]))


def hq_distance(place: str, owner: Side, board: int = 0) -> int:
    """Count the squares from a square to a headquarters; ``board`` is which of two copies it lies on (2.2)."""
    beside = min(abs(column_of(place) - column - WIDTH * board) for column in MIDDLE)
    return line_of(owner, place) + beside


def hq_place(side: Side, board: int = 0) -> str:
    """Return the square of the drawn board where a headquarters stands, one line behind line 1 (2.2)."""
    return f"{FILES[MIDDLE[0] - 1 + WIDTH * board]}{0 if side == 'allies' else LINES + 1}"
