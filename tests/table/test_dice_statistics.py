"""The dice that a table's statistics show: however many kinds, faces and dice there are, they stay few and quick."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from companion.kit.dice.notation import MOST_SIDES
from companion.kit.luck import luck_of_face, luck_of_sum
from companion.table import dice_statistics, statistics
from companion.table.dice_statistics import DiceThrow, LeftOut, count_dice
from tests.support.toy_tables import open_tables, sit
from tests.table.test_statistics import seen, strip, typed

if TYPE_CHECKING:
    from pathlib import Path

    from companion.table.session import Session
    from companion.table.tables import Tables


def once(sides: int, count: int, seat: str = "red") -> DiceThrow:
    """Dice that show 1, 2, 3 and so on."""
    return DiceThrow(seat, sides, "app", tuple(at % sides + 1 for at in range(count)))


def test_of_many_kinds_those_thrown_most_are_shown_and_the_others_counted() -> None:
    dice, left_out = count_dice([once(sides, sides) for sides in range(2, 1000)], ["red"])
    assert [one.sides for one in dice if one.seat is None] == list(range(988, 1000))
    assert left_out == LeftOut(986, sum(range(2, 988)))


def test_a_dozen_kinds_are_all_shown() -> None:
    dice, left_out = count_dice([once(sides, 1) for sides in range(2, 14)], ["red"])
    assert [one.sides for one in dice if one.seat is None] == list(range(2, 14))
    assert left_out == LeftOut(0, 0)


@pytest.mark.parametrize(
    ("sides", "of_all", "of_one"), [(20, 20, 20), (21, 21, 0), (100, 100, 0), (101, 0, 0), (10_000, 0, 0)]
)
def test_faces_are_counted_where_there_are_not_too_many_of_them(sides: int, of_all: int, of_one: int) -> None:
    (whole, red), _ = count_dice([once(sides, 3)], ["red"])
    assert (len(whole.faces), len(red.faces)) == (of_all, of_one)
    assert (whole.count, whole.total, whole.expected, whole.luck) == (
        3,
        6,
        Fraction(3 * (sides + 1), 2),
        luck_of_sum(3, sides, 6),
    )


def test_how_unusual_dice_are_is_worked_out_until_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the work and not the seconds."""
    work = []

    def working(count: int, sides: int, total: int) -> object:
        work.append(count * sides)
        return luck_of_sum(count, sides, total)

    monkeypatch.setattr(dice_statistics, "luck_of_sum", working)
    many = [once(sides, 2000, seat) for sides in range(9, 21) for seat in ("red", "blue")]
    dice, _ = count_dice(many, ["red", "blue"])
    exact = [one.luck is not None for one in dice]
    assert exact[:3] == [True, True, True]
    assert not all(exact)
    assert sum(work) <= dice_statistics.MAX_WORK
    assert {one.count for one in dice} == {4000, 2000}
    for one in dice:
        assert all((face.as_far is None) == (one.luck is None) for face in one.faces)
    assert dice[0].faces[0].as_far == luck_of_face(4000, 9, dice[0].faces[0].seen).as_far


def test_the_dice_with_the_most_faces_that_can_be_thrown_are_counted(tmp_path: Path) -> None:
    for sides, counted, untold in ((MOST_SIDES, [3, 3], 0), (MOST_SIDES + 1, [], 3)):
        with open_tables(tmp_path / str(sides)) as tables:
            table = sit(tables, dice="typed")
            typed(table, "red", "roll", [3, 4, 5], dice=3)
            strip(tables, table.id, by="red", sides=sides)
            assert [one.count for one in seen(table).dice] == counted
            assert seen(table).untold == untold


# what is kept


def calls(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> list[str]:
    """List the tables that a function is called for."""
    found: list[str] = []
    real: Callable[..., object] = getattr(module, name)

    def counting(sitting: Session, *rest: object) -> object:
        found.append(sitting.row.id)
        return real(sitting, *rest)

    monkeypatch.setattr(module, name, counting)
    return found


def test_a_version_is_worked_out_once_for_all_who_ask(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    worked = calls(monkeypatch, statistics, "statistics")
    table = sit(tables)
    table.act("red", "roll", dice=3)
    first = seen(table)
    assert seen(table) is first
    assert worked == [table.id]
    table.act("red", "roll", dice=2)
    assert (seen(table).dice[0].count, seen(table).version > first.version) == (5, True)
    assert worked == [table.id] * 2


def test_only_the_tables_that_were_asked_for_last_are_kept(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "MAX_TABLES", 2)
    worked = calls(monkeypatch, statistics, "statistics")
    one, two, three = (sit(tables) for _ in range(3))
    for table in (one, two, one, three, one, two):
        seen(table)
    assert worked == [one.id, two.id, three.id, two.id]


def test_only_the_logs_that_were_asked_for_last_are_kept(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "MAX_TABLES", 2)
    read = calls(monkeypatch, statistics, "_step")
    one, two, three = (sit(tables) for _ in range(3))
    for table in (one, two, three):
        seen(table)
    del read[:]
    for table in (three, one):
        table.act("red", "add", points=1)
        seen(table)
    assert read == [three.id, *[one.id] * one.tables.log(one.id, "red")[0].seq]


def test_only_so_many_entries_of_the_logs_are_kept(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "MAX_STEPS", 12)
    read = calls(monkeypatch, statistics, "_step")
    one, two = sit(tables), sit(tables)
    for table in (one, two):
        for _ in range(6):
            table.act("red", "add", points=1)
    seen(one), seen(two)
    del read[:]
    two.act("red", "add", points=1)
    seen(two)
    assert read == [two.id], "the newest is kept, however long it is"
    one.act("red", "add", points=1)
    seen(one)
    assert read == [two.id, *[one.id] * one.tables.log(one.id, "red")[0].seq]
