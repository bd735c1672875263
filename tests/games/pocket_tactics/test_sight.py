"""Lines of sight over hexagons, and over the tiles of Pocket-Tactics (PT-59, PT-61, PT-89, PT-90, PT-A35)."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product

import pytest

from companion.games.pocket_tactics import geometry
from companion.games.pocket_tactics.state import State, Tile
from companion.kit.hexes import Hex, clear, named, stretches
from tests.support.pocket_tactics_positions import game, tile
from tests.support.sizes import first

Point = tuple[Fraction, Fraction]
ORIGIN = Hex(0, 0)
COLUMNS = range(-8, 9)


def centre(one: Hex) -> Point:
    return Fraction(3 * one.q, 2), Fraction(one.q, 2) + one.r


def corners(one: Hex) -> list[Point]:
    """The corners of a hexagon, round it; a picture squeezed from above has the same straight lines."""
    x, y = centre(one)
    half = Fraction(1, 2)
    return [(x + a, y + b) for a, b in ((1, 0), (half, half), (-half, half), (-1, 0), (-half, -half), (half, -half))]  # type: ignore[operator]


def within(one: Hex, start: Point, goal: Point) -> tuple[Fraction, Fraction] | None:
    """From where to where, as parts of its length, a line lies in a closed hexagon: cut off at each side in turn."""
    low, high = Fraction(0), Fraction(1)
    around = corners(one)
    for (ax, ay), (bx, by) in zip(around, (*around[1:], around[0]), strict=True):
        at_start = (bx - ax) * (start[1] - ay) - (by - ay) * (start[0] - ax)
        at_goal = (bx - ax) * (goal[1] - ay) - (by - ay) * (goal[0] - ax)
        if at_start == at_goal:
            if at_start < 0:
                return None
            continue
        cut = at_start / (at_start - at_goal)
        low, high = (max(low, cut), high) if at_start < at_goal else (low, min(high, cut))
    return (low, high) if low < high else None


@lru_cache(maxsize=2000)
def plainly(start: Hex, goal: Hex) -> list[set[Hex]]:
    """What a line runs over, in order, worked out with fractions from the corners of every hexagon near it."""
    met: dict[tuple[Fraction, Fraction], set[Hex]] = {}
    for q in range(min(start.q, goal.q) - 1, max(start.q, goal.q) + 2):
        for r in range(min(start.r, goal.r) - 1, max(start.r, goal.r) + 2):
            part = within(Hex(q, r), centre(start), centre(goal))
            if part:
                met.setdefault(part, set()).add(Hex(q, r))
    return [met[part] for part in sorted(met)]


def seen(start: Hex, goal: Hex, tiles: dict[Hex, Tile], bases: set[Hex]) -> bool:
    """Whether some choice of a side, wherever a line runs between two tiles, crosses nothing but tiles and grooves."""
    return any(
        all(one in tiles or one in bases for one in way)
        and all(grooved(tiles, one, other) for one, other in pairwise(way))
        for way in product(*plainly(start, goal))
    )


def grooved(tiles: dict[Hex, Tile], one: Hex, other: Hex) -> bool:
    for here, there in ((one, other), (other, one)):
        grooves = tiles[here].grooves if here in tiles else None
        if grooves is not None and here.towards(there) not in grooves:
            return False
    return True


@pytest.mark.parametrize("q", COLUMNS)
def test_a_line_runs_over_what_fractions_say(q: int) -> None:
    for goal in (Hex(q, r) for r in COLUMNS):
        assert [set(stretch) for stretch in stretches(ORIGIN, goal)] == plainly(ORIGIN, goal), goal


def test_a_line_is_the_same_wherever_it_starts() -> None:
    start, goal = Hex(3, -5), Hex(8, -6)
    assert [set(stretch) for stretch in stretches(start, goal)] == plainly(start, goal)


@pytest.mark.parametrize("q", COLUMNS)
def test_a_line_back_runs_over_the_same(q: int) -> None:
    for goal in (Hex(q, r) for r in COLUMNS):
        assert stretches(goal, ORIGIN) == stretches(ORIGIN, goal)[::-1], goal


def test_a_line_to_where_it_starts_is_that_hexagon() -> None:
    assert stretches(ORIGIN, ORIGIN) == ((ORIGIN,),)
    assert clear(ORIGIN, ORIGIN, (), lambda *_: False)


def test_what_a_line_only_touches_at_a_corner_is_none_of_it() -> None:
    """(0, 0) to (5, -1) goes through a corner of (2, -1) between two others."""
    assert Hex(2, -1) not in {one for stretch in stretches(ORIGIN, Hex(5, -1)) for one in stretch}


def some_map(seed: int) -> State:
    """Tiles here and there, a third of them tunnels with grooves by chance, and two bases."""
    chance = random.Random(seed)
    near = [Hex(q, r) for q in range(-3, 4) for r in range(-6, 1) if 0 <= -r - q // 2 <= 5]
    places = chance.sample([one.name for one in near], 24)
    tiles = (Tile(at, "complex" if chance.random() < 0.35 else "field") for at in places[2:])
    grooved_ones = tuple(
        Tile(one.at, one.terrain, tuple(side for side in range(1, 7) if chance.random() < 0.7))
        if one.terrain == "complex"
        else one
        for one in tiles
    )
    return game().but(tiles=grooved_ones, bases={"blue": places[0], "red": places[1]})


@pytest.mark.clause("PT-61", "PT-89", "PT-A35")
@pytest.mark.parametrize("seed", first(*range(12)))
def test_sight_is_mutual_and_as_fractions_say_on_any_map(seed: int) -> None:
    state = some_map(seed)
    names = list(geometry.in_play(state).values())
    tiles, bases = state.grid, {named(at) for at in state.bases.values()}
    found = {(one, other): geometry.sight(state, one, other) for one in names for other in names if one != other}
    assert {True, False} == set(found.values())
    for (one, other), sees in found.items():
        assert sees == found[other, one], (one, other)
        assert sees == seen(named(one), named(other), tiles, bases), (one, other)


def sees(ground: str, one: str, other: str, bases: str = "m1 m9") -> bool:
    return geometry.sight(game(ground=ground, bases=bases), one, other)


@pytest.mark.clause("PT-61", "PT-89")
def test_a_gap_blocks_a_straight_line() -> None:
    assert sees("m2 field, m3 forest, m4 field", "m2", "m4")
    assert not sees("m2 field, n2 field, n3 field, m4 field", "m2", "m4")
    assert sees("m2 field, m3 field, m4 field, m5 field, m6 field", "m2", "m6")
    assert not sees("m2 field, m3 field, m4 field, m6 field", "m2", "m6")


@pytest.mark.clause("PT-A35")
def test_along_a_shared_edge_one_of_the_two_tiles_is_enough() -> None:
    """m2 to o2 runs exactly between n2, above, and n1, below."""
    assert sees("m2 field, n2 field, n1 field, o2 field", "m2", "o2")
    assert sees("m2 field, n2 field, o2 field", "m2", "o2")
    assert sees("m2 field, n1 field, o2 field", "m2", "o2")
    assert not sees("m2 field, m3 field, o3 field, o2 field", "m2", "o2")


@pytest.mark.clause("PT-A35")
def test_along_several_shared_edges_each_has_a_side_of_its_own() -> None:
    """m3 to q3 runs between n2 and n3, over o3, and between p2 and p3."""
    assert sees("m3 field, n2 field, o3 field, p3 field, q3 field", "m3", "q3")
    assert not sees("m3 field, n2 field, p3 field, q3 field", "m3", "q3")
    assert not sees("m3 field, n2 field, n3 field, o3 field, q3 field", "m3", "q3")


@pytest.mark.clause("PT-89", "PT-A35")
def test_a_tunnel_lets_sight_through_only_where_it_has_grooves() -> None:
    assert sees("m2 field, m3 complex 1+4, m4 field", "m2", "m4")
    assert not sees("m2 field, m3 complex 1+2, m4 field", "m2", "m4")
    assert not sees("m2 field, m3 complex 4+5, m4 field", "m2", "m4")
    assert not sees("m2 complex 2+3, m3 field, m4 field", "m2", "m4")
    assert not sees("m2 field, m3 field, m4 complex 1+2", "m2", "m4")
    assert sees("m2 complex 1, m3 complex 1+4, m4 complex 4", "m2", "m4")


@pytest.mark.clause("PT-A35")
def test_along_a_shared_edge_a_tunnel_counts_where_its_grooves_lead_past() -> None:
    """Over n2 the line from m2 to o2 comes in at its south-west and leaves at its south-east; n1 is blocked."""
    assert sees("m2 field, n2 complex 3+5, o2 field", "m2", "o2")
    assert not sees("m2 field, n2 complex 3+6, o2 field", "m2", "o2")
    assert not sees("m2 field, n2 complex 5, n1 complex 2+3, o2 field", "m2", "o2")
    assert sees("m2 field, n2 complex 5, n1 complex 2+6, o2 field", "m2", "o2")
    assert not sees("m2 complex 3, n2 field, o2 field", "m2", "o2")


@pytest.mark.clause("PT-A35")
def test_lines_like_a_knights_run_through_what_lies_between() -> None:
    """m2 to n4 is one column and two and a half tiles further: over m3 and n3."""
    assert sees("m2 field, m3 field, n3 field, n4 field", "m2", "n4")
    assert not sees("m2 field, m3 field, n4 field", "m2", "n4")
    assert not sees("m2 field, n2 field, n3 field, n4 field", "m2", "n4")


@pytest.mark.clause("PT-A35")
def test_bases_count_as_tiles() -> None:
    """l1 to n1 runs between m2 and the base m1; m2 to m4 over a base at m3."""
    assert sees("l1 field, n1 field", "l1", "n1")
    assert sees("m2 field, m4 field", "m2", "m4", bases="m1 m3")
    assert sees("m2 field, m3 field, m4 field", "m2", "m5", bases="m1 m5")


@pytest.mark.clause("PT-90")
def test_units_do_not_block_sight() -> None:
    state = game("b levy m3, r prowler m4", ground="m2 field, m3 field, m4 field, m5 field", bases="m1 m6")
    assert geometry.sight(state, "m2", "m5")


def test_the_tiles_of_these_tests_lie_where_they_say() -> None:
    assert named("m2").beyond(2).name == "n2"
    assert named("m2").beyond(3).name == "n1"
    assert tile("m3 complex 1+4").grooves == (1, 4)
