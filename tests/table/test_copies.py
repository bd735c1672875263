"""A copy of a table shows every hand: everybody reads that it was taken, and that a table was opened from one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion import create_app
from companion.games import discover
from companion.table.problem import Problem
from tests.support.export_files import opened
from tests.support.phones import Table, words
from tests.support.toy_game import TOY
from tests.support.toy_tables import Sitting, open_tables, sit
from tests.table.test_export_import import Later

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from companion.table.tables import Tables

COPIED = "The rulekeeper took a copy of the table with all hands"


def headlines(table: Sitting, seat: str = "screen") -> list[str]:
    return [line.headline.say for line in table.tables.report(table.id, seat)]


def test_everybody_reads_that_a_copy_was_taken_and_so_does_who_opens_it(table: Sitting) -> None:
    table.act("red", "draw", count=3)
    version = table.seen("blue").version
    data = table.tables.copy(table.id, "rulekeeper", "copy")
    for seat in ("red", "blue", "rulekeeper", "screen"):
        assert headlines(table, seat)[-1] == COPIED
    assert table.seen("blue").version == version + 1
    assert opened(data)["contents"]["log"][-1]["headline"] == {"say": COPIED}
    again = Sitting(table.tables, table.tables.import_(data).table, {})
    assert headlines(again)[-2:] == [COPIED, "This table was opened from a copy"]
    (_, line) = table.tables.report(again.id, "blue")[-2:]
    assert (line.kind, line.seat, line.who) == ("setting", "rulekeeper", "Keeper")


def test_the_entry_of_a_copy_is_no_step_of_an_undo(table: Sitting) -> None:
    table.act("red", "roll", dice=2)
    table.act("red", "add")
    table.act("red", "pass")
    points = table.points()
    table.take_back("blue")
    assert table.seen("red").consent is not None
    table.tables.copy(table.id, "rulekeeper", "copy")
    assert table.seen("red").consent is not None
    table.consent("red", yes=True)
    assert headlines(table)[-2:] == [COPIED, "{who} undoes: {what}"]
    assert not any(line.undone for line in table.tables.report(table.id, "red") if line.headline.say == COPIED)
    assert table.points() == points
    again = Sitting(table.tables, table.tables.import_(table.tables.copy(table.id, "rulekeeper", "next")).table, {})
    tables = table.tables
    table.take_back("rulekeeper")
    again.take_back("rulekeeper")
    taken_back = [line.headline.places for line in (tables.report(one.id, "red")[-1] for one in (table, again))]
    assert taken_back[0] == taken_back[1]
    assert again.points() == table.points()


def test_a_copy_is_taken_once_however_often_it_is_tapped(table: Sitting) -> None:
    first = table.tables.copy(table.id, "rulekeeper", "copy")
    assert table.tables.copy(table.id, "rulekeeper", "copy") == first
    assert headlines(table).count(COPIED) == 1
    table.act("red", "draw", count=1)
    with pytest.raises(Problem) as wrong:
        table.tables.copy(table.id, "rulekeeper", "copy")
    assert wrong.value.status == 409
    assert headlines(table).count(COPIED) == 1
    table.tables.copy(table.id, "rulekeeper", "another")
    assert headlines(table).count(COPIED) == 2


def test_who_may_not_take_a_copy_leaves_no_entry(table: Sitting) -> None:
    before = headlines(table)
    for seat in ("red", "screen"):
        with pytest.raises(Problem) as wrong:
            table.tables.copy(table.id, seat, "copy")
        assert wrong.value.status == 403
    assert headlines(table) == before


def test_a_table_that_was_ended_by_hand_may_go_on_so_its_copies_are_told(table: Sitting) -> None:
    table.end()
    table.tables.copy(table.id, "red", "copy")
    line = table.tables.report(table.id, "blue")[-1]
    assert (line.headline.say, line.headline.places) == (
        "{who} took a copy of the table with all hands",
        {"who": "Red"},
    )
    table.tables.copy(table.id, "rulekeeper", "copy")
    assert headlines(table)[-1] == COPIED


def test_players_may_take_a_copy_of_a_game_that_is_over_and_everybody_reads_it(table: Sitting) -> None:
    table.act("red", "stop")
    before = headlines(table)
    for seat in ("red", "rulekeeper"):
        assert opened(table.tables.copy(table.id, seat, f"copy {seat}"))["contents"]["log"]
    assert headlines(table) == [*before, "{who} took a copy of the table with all hands", COPIED]


def test_a_game_that_was_given_up_may_go_on_so_copies_of_what_it_still_hides_are_told(tmp_path: Path) -> None:
    with open_tables(tmp_path, chesswar=discover()["chesswar"]) as tables:
        made = tables.create("chesswar", "", {"race": "secret"}, {"white": "Ana", "black": "Ben"}).table
        tables.act(made, "white", {"action": "raise_army", "army": "humans", "pawn": 2}, "raise")
        tables.act(made, "black", {"action": "surrender"}, "surrender")
        tables.copy(made, "black", "copy")
        line = tables.report(made, "white")[-1]
        assert line.headline.say == "{who} took a copy of the table with all hands"
        assert line.headline.places == {"who": "Ben"}


def test_a_table_that_can_not_be_read_any_more_is_copied_too(tmp_path: Path) -> None:
    with open_tables(tmp_path) as tables:
        table = sit(tables)
    for games in ({"toy": Later()}, {"other": Later()}):
        with open_tables(tmp_path, **games) as tables:
            assert opened(tables.copy(table.id, "rulekeeper", f"copy {len(games)} {[*games]}"))
            assert tables.report(table.id, "red")[-1].headline.say == COPIED


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games={"toy": TOY})
    app.testing = True
    return app


def told(tables: Tables, table: str) -> int:
    return sum(line.headline.say == COPIED for line in tables.report(table, "screen"))


@pytest.mark.parametrize(
    ("language", "sentence", "button", "entry", "moved"),
    [
        (
            "en",
            "Everyone will read in the game log that you took it.",
            "Take the copy, and everyone is told",
            COPIED,
            "The table has moved on since this copy was taken.",
        ),
        (
            "es",
            "Todos leerán en el registro que la has sacado.",
            "Sacar la copia y que todos lo sepan",
            "El árbitro ha sacado una copia de la mesa con todas las manos",
            "La mesa ha seguido desde que sacaste esta copia.",
        ),
    ],
)
def test_the_page_says_so_before_and_the_log_after(
    app: Flask, language: str, sentence: str, button: str, entry: str, moved: str
) -> None:
    table = Table(app, "toy")
    phone, address = table.phones["rulekeeper"], f"/t/{table.id}/export.json"
    speaks = {"Accept-Language": language}
    asked = phone.get(address, headers=speaks)
    assert asked.mimetype == "text/html"
    assert sentence in words(asked.text)
    assert button in words(asked.text)
    assert told(table.tables, table.id) == 0
    taken = [phone.post(address, data={"key": "k" * 20}, headers=speaks) for _ in "twice"]
    assert {one.headers["Content-Disposition"] for one in taken} == {
        f'attachment; filename="companion-{table.id}.json"'
    }
    assert opened(taken[0].data) == opened(taken[1].data)
    assert told(table.tables, table.id) == 1
    assert entry in words(table.get("blue", headers=speaks).text)
    table.act("red", action="draw", count=1)
    late = phone.post(address, data={"key": "k" * 20}, headers=speaks)
    assert late.status_code == 409
    assert moved in words(late.text)
    assert button in words(late.text)
    assert told(table.tables, table.id) == 1
    for nobody in (table.phones["red"], app.test_client()):
        assert nobody.get(address).status_code == nobody.post(address).status_code == 403


def test_the_api_takes_a_copy(app: Flask) -> None:
    table = Table(app, "toy")
    address = f"/api/tables/{table.id}/export"

    def ask(seat: str | None, **body: str) -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {table.tokens[seat]}"} if seat else {}
        answer = app.test_client().post(address, json=body, headers=headers)
        return answer.status_code, answer.data

    assert ask("rulekeeper")[0] == 400
    assert ask(None, key="copy")[0] == 401
    assert ask("red", key="copy")[0] == 403
    assert told(table.tables, table.id) == 0
    status, data = ask("rulekeeper", key="copy")
    assert status == 200
    assert ask("rulekeeper", key="copy") == (200, data)
    assert told(table.tables, table.id) == 1
    assert table.tables.import_(data)
    table.act("red", action="draw", count=1)
    assert ask("rulekeeper", key="copy")[0] == 409
    table.act("red", action="stop")
    assert ask("red", key="copy")[0] == 200
    assert told(table.tables, table.id) == 1
    assert app.test_client().get(address).status_code == 405
