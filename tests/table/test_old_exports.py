"""Files that an earlier Companion exported open in this one, folded and as they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.games import discover
from tests.support.export_files import export
from tests.support.paths import TESTS
from tests.support.toy_tables import open_tables

if TYPE_CHECKING:
    from companion.table.tables import Tables

FILES = TESTS / "data" / "exports"
NAMES = sorted(path.name for path in FILES.glob("*.json"))
GAMES = discover()


def lengths(tables: Tables, table: str) -> int:
    return len(tables.report(table, "screen"))


def test_there_are_files_of_both_kinds() -> None:
    kinds = {type(json.loads((FILES / name).read_bytes())["contents"]) for name in NAMES}
    assert kinds == {str, dict}


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_an_earlier_companion_opens(tmp_path: Path, name: str) -> None:
    data = (FILES / name).read_bytes()
    whole = json.loads(data)
    with open_tables(tmp_path, **GAMES) as tables:
        table = tables.import_(data).table
        summary = tables.summary(table)
        assert (summary.title, summary.game, summary.playable) == (whole["title"], whole["game"], True)
        assert {person.seat: person.name for person in summary.people if person.name} == {
            seat["seat"]: seat["name"] for seat in whole["seats"]
        }
        if isinstance(whole["contents"], dict):
            assert lengths(tables, table) >= len(whole["contents"]["log"])
        for person in summary.people:
            tables.seen(table, person.seat)
        if whole.get("ended"):
            tables.end(table, "rulekeeper", "open again", on=False)
        tables.take_back(table, "rulekeeper", "take back")
        assert tables.report(table, "screen")[-1].kind == "undo" or tables.seen(table, "screen").waiting == ()
        assert tables.import_(export(tables, table)).table != table
