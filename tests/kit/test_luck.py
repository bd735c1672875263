"""How unusual dice are: the exact chances equal brute force, add up, and stay exact for many dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kit.luck import Luck, luck_of_face, luck_of_sum, workable
from tests.support.sizes import some


def brute(values: list[int], expected: Fraction, seen: int) -> Luck:
    """Count the throws one by one."""

    def share(hits: list[bool]) -> Fraction:
        return Fraction(sum(hits), len(values))

    return Luck(
        share([value <= seen for value in values]),
        share([value >= seen for value in values]),
        share([abs(value - expected) >= abs(seen - expected) for value in values]),
    )


SMALL = [(count, sides) for sides in (2, 3, 4, 6, 8, 10, 20) for count in range(1, 7) if sides**count <= 8000]


@pytest.mark.parametrize(("count", "sides"), some(SMALL, every=3))
def test_the_luck_of_a_sum_equals_brute_force(count: int, sides: int) -> None:
    sums = [sum(faces) for faces in product(range(1, sides + 1), repeat=count)]
    for total in range(count, count * sides + 1):
        assert luck_of_sum(count, sides, total) == brute(sums, Fraction(count * (sides + 1), 2), total)


@pytest.mark.parametrize(("count", "sides"), SMALL)
def test_the_luck_of_a_face_equals_brute_force(count: int, sides: int) -> None:
    times = [faces.count(1) for faces in product(range(1, sides + 1), repeat=count)]
    for seen in range(count + 1):
        assert luck_of_face(count, sides, seen) == brute(times, Fraction(count, sides), seen)


@given(st.data())
def test_the_luck_of_many_dice_equals_the_textbook(data: st.DataObject) -> None:
    count, sides = data.draw(st.integers(1, 60)), data.draw(st.integers(2, 30))
    total = data.draw(st.integers(count, count * sides))
    # Inclusion and exclusion: how many throws add up to no more than this.
    ways = sum((-1) ** k * comb(count, k) * comb(total - sides * k, count) for k in range((total - count) // sides + 1))
    found = luck_of_sum(count, sides, total)
    assert found.at_most == Fraction(ways, sides**count)
    turned = luck_of_sum(count, sides, count * (sides + 1) - total)
    assert (turned.at_least, turned.at_most, turned.as_far) == (found.at_most, found.at_least, found.as_far)


@given(st.data())
def test_the_luck_of_many_dice_adds_up(data: st.DataObject) -> None:
    count, sides = data.draw(st.integers(1, 200)), data.draw(st.integers(2, 20))
    seen = data.draw(st.integers(0, count))
    found = luck_of_face(count, sides, seen)
    ways = comb(count, seen) * (sides - 1) ** (count - seen)
    assert found.at_most + found.at_least == 1 + Fraction(ways, sides**count)
    assert max(min(found.at_most, found.at_least), Fraction(ways, sides**count)) <= found.as_far <= 1


def test_what_is_expected_is_never_unusual() -> None:
    assert luck_of_sum(10, 6, 35).as_far == 1
    assert luck_of_face(12, 6, 2).as_far == 1
    assert luck_of_sum(1, 6, 6) == Luck(Fraction(1), Fraction(1, 6), Fraction(1, 3))


def test_dice_beyond_counting_are_not_worked_out() -> None:
    assert workable(5000, 6)
    assert luck_of_sum(5000, 6, 17_500).at_least > Fraction(1, 2)
    assert not workable(5200, 6)
    assert not workable(100_000, 2)
    assert not workable(1000, 1000)
    assert not workable(0, 6)
    assert not workable(6, 1)
