"""Pictures go with an exported table, and come in with it: nothing that is wrong, and nothing that is not named."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.history_of_war.game import GAME
from companion.table.problem import Problem
from tests.support.export_files import export, folded, opened, unfolded
from tests.support.pictures import changing, damage_pictures, name_of, png, put_on
from tests.support.toy_tables import open_tables
from tests.table.test_pictures import begun, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.table.tables import Tables


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with open_tables(tmp_path / "here", history_of_war=GAME) as found:
        yield found


@pytest.fixture
def others(tmp_path: Path) -> Iterator[Tables]:
    with open_tables(tmp_path / "there", history_of_war=GAME) as found:
        yield found


def entry(data: bytes) -> dict[str, str]:
    return {"digest": name_of(data), "data": b64encode(data).decode()}


def test_a_table_takes_its_pictures_along(tables: Tables, others: Tables) -> None:
    table = begun(tables)
    named = [put_on(tables, table, "blue", "u0", png(seed=seed)) for seed in (1, 2)]
    put_on(tables, table, "red", "a0", png(seed=3))
    put_on(tables, begun(tables), "red", "u0", png(seed=4))
    file = export(tables, table)
    whole = opened(file)
    assert whole["edition"] == 2
    # The first one was replaced, and is still in the log: who undoes that sees it again.
    assert {one["digest"] for one in whole["contents"]["pictures"]} == {*named, name_of(png(seed=3))}
    created = others.import_(file)
    assert rows(others) == 3
    assert others.picture(named[0]) == ("image/png", png(seed=1))
    other = others.join(created.table, "blue", "Ana") and changing(others, created.table, "blue", "u0")
    assert next(field.value for field in other.fields if field.kind == "picture") == named[1]
    again = others.import_(file, "a-key-that-is-long-enough")
    assert again.table != created.table
    assert rows(others) == 3
    assert opened(export(others, created.table))["contents"]["pictures"] == whole["contents"]["pictures"]


def test_a_table_without_pictures_is_written_as_it_always_was(tables: Tables, others: Tables) -> None:
    file = export(tables, begun(tables))
    assert opened(file)["edition"] == 1
    assert set(opened(file)["contents"]) == {"log"}
    others.import_(file)
    assert rows(others) == 0


def test_a_name_without_a_picture_is_carried_as_a_name(tables: Tables, others: Tables) -> None:
    table, name = begun(tables), "a" * 64
    offer = changing(tables, table, "blue", "u0")
    filled = {field.name: field.value for field in offer.fields if field.value not in (None, "")}
    tables.act(table, "blue", {"action": offer.action, **offer.given, **filled, "picture": name}, "named")
    file = export(tables, table)
    assert (opened(file)["edition"], set(opened(file)["contents"])) == (1, {"log"})
    others.import_(file)


def replaced(data: bytes) -> Callable[[dict[str, Any]], Any]:
    return lambda inner: inner["pictures"].__setitem__(0, entry(data))


def first(inner: dict[str, Any], **changes: Any) -> None:
    inner["pictures"][0] |= changes


def swapped(inner: dict[str, Any]) -> None:
    one, two = inner["pictures"]
    one["data"], two["data"] = two["data"], one["data"]


WRONG: dict[str, Callable[[dict[str, Any]], Any]] = {
    "another picture": lambda inner: first(inner, data=b64encode(png(seed=9)).decode()),
    "each in the place of the other": swapped,
    "no picture": lambda inner: inner["pictures"].__setitem__(0, entry(b"GIF89a")),
    "one too large": replaced(png() + b"\0" * 40_000),
    "one that nothing names": replaced(png(seed=9)),
    "one twice": lambda inner: inner["pictures"].append(inner["pictures"][0]),
    "no base64": lambda inner: first(inner, data="***"),
    "no bytes": lambda inner: first(inner, data=7),
    "one thing too many": lambda inner: first(inner, kind="image/png"),
    "no list": lambda inner: inner.__setitem__("pictures", {"a": 1}),
    "before the log": lambda inner: inner.__setitem__("log", inner.pop("log")),
}


def test_a_damaged_picture_stays_behind_and_the_table_goes(tables: Tables, others: Tables) -> None:
    table = begun(tables)
    name = put_on(tables, table, "blue", "u0", png())
    damage_pictures(tables)
    file = export(tables, table)
    assert "pictures" not in opened(file)["contents"]
    created = others.import_(file)
    assert (rows(others), others.picture(name)) == (0, None)
    other = others.join(created.table, "blue", "Ana") and changing(others, created.table, "blue", "u0")
    assert next(field.value for field in other.fields if field.kind == "picture") == name


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_the_pictures_is_refused(wrong: str, tables: Tables, others: Tables) -> None:
    table = begun(tables)
    put_on(tables, table, "blue", "u0", png())
    put_on(tables, table, "blue", "u1", png(seed=2))
    whole = opened(export(tables, table))
    WRONG[wrong](whole["contents"])
    with pytest.raises(Problem) as refused:
        others.import_(folded(whole))
    assert refused.value.status == 400
    assert "contents" in str(refused.value.field) or "format" in str(refused.value)
    assert (rows(others), others.summaries()) == (0, ())


def test_only_what_is_folded_has_pictures(tables: Tables, others: Tables) -> None:
    table = begun(tables)
    put_on(tables, table, "blue", "u0", png())
    with pytest.raises(Problem) as refused:
        others.import_(unfolded(opened(export(tables, table))))
    assert refused.value.field == "digest"
    assert rows(others) == 0


def test_a_file_of_a_later_edition_is_told_from_a_damaged_one(tables: Tables, others: Tables) -> None:
    with pytest.raises(Problem, match="newer Companion"):
        others.import_(folded(opened(export(tables, begun(tables))) | {"edition": 3}))
