"""A tap that goes by itself, later: done at the version at which it was tapped alone, once, and else told why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion import create_app
from tests.support.phones import Table, words
from tests.support.toy_game import TOY

if TYPE_CHECKING:
    from pathlib import Path

    from werkzeug.test import TestResponse


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(create_app(tmp_path, games={"toy": TOY}), "toy")


def sends(table: Table, only_at: object, *, key: str, language: str = "en") -> TestResponse:
    headers = {"HX-Request": "true", "X-Only-At": str(only_at), "Accept-Language": language}
    sent = {"do": "action=add", "f.points": "2", "key": key, "seen": str(table.tables.version(table.id))}
    return table.phones["red"].post(f"/t/{table.id}/red/act", data=sent, headers=headers)


def test_it_is_done_at_its_own_version_and_once(table: Table) -> None:
    tapped = table.tables.version(table.id)
    assert sends(table, tapped, key="k1").status_code == 200
    assert table.tables.version(table.id) == tapped + 1
    assert sends(table, tapped, key="k1").status_code == 200, "it was done: the same answer again"
    assert table.tables.version(table.id) == tapped + 1


@pytest.mark.parametrize("language", ["en", "es"])
def test_at_another_version_it_is_told_and_not_done(table: Table, language: str) -> None:
    tapped = table.tables.version(table.id)
    table.act("red", action="add", points=1)
    answer = sends(table, tapped, key="k1", language=language)
    assert answer.status_code == 409
    told = {"en": "The table has moved on meanwhile: that was not done.", "es": "eso no se ha hecho"}[language]
    assert told in words(answer.text)
    assert table.tables.version(table.id) == tapped + 1
    assert sends(table, tapped + 1, key="k1").status_code == 200


@pytest.mark.parametrize("nonsense", ["", "x", "-1", "1.5", "9" * 40])
def test_what_is_no_version_is_that_of_no_table(table: Table, nonsense: str) -> None:
    before = table.tables.version(table.id)
    assert sends(table, nonsense, key="k1").status_code == 409
    assert table.tables.version(table.id) == before


def test_a_tap_that_names_none_is_done_wherever_the_table_is(table: Table) -> None:
    table.act("red", action="add", points=1)
    before = table.tables.version(table.id)
    assert table.post("red", "/act", htmx=True, **{"do": "action=add", "f.points": "2"}).status_code == 200
    assert table.tables.version(table.id) == before + 1
