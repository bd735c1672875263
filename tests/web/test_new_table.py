"""Making a table: whatever is asked for, nobody is left with a table that no link leads to."""

from __future__ import annotations

import pytest
from flask import Flask

from companion import create_app
from companion.games.free_table.game import GAME as FREE_TABLE
from companion.web.pages import begun
from companion.web.state import NAME
from tests.support.toy_game import TOY


@pytest.fixture
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    games = {"toy": TOY, "free_table": FREE_TABLE}
    app = create_app(tmp_path_factory.mktemp("data"), games=games, address="http://192.168.7.7:8000")
    app.testing = True
    return app


def made(app: Flask) -> list[str]:
    return [summary.table for summary in app.extensions[NAME].tables.summaries()]


@pytest.mark.parametrize("seat", ["next", "purple", ""])
def test_who_wishes_for_a_seat_that_the_game_has_not_keeps_the_rules(app: Flask, seat: str) -> None:
    phone = app.test_client()
    answer = phone.post("/new/toy", data={"_seat": seat, "_name": "Ana", "_key": f"a long key of {seat or 'nobody'}"})
    assert answer.status_code == 303
    (table,) = made(app)
    assert phone.get(f"/t/{table}/rulekeeper").status_code == 200
    assert phone.get(f"/t/{table}/red").status_code != 200


def test_the_next_seat_is_taken_where_seats_are_alike(app: Flask) -> None:
    phone = app.test_client()
    phone.post("/new/free_table", data={"_seat": "next", "_name": "Ana"})
    (table,) = made(app)
    assert phone.get(f"/t/{table}/player_1").status_code == 200


@pytest.mark.parametrize("key", ["short", "x" * 200, "ñ" * 20])
@pytest.mark.parametrize(("address", "name"), [("/start/free_table/cards", "key"), ("/new/toy", "_key")])
def test_a_refused_key_makes_no_table(app: Flask, address: str, name: str, key: str) -> None:
    assert app.test_client().post(address, data={name: key, "_seat": "red"}).status_code == 400
    assert made(app) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [("open ground", "Open ground"), ("a wargame", "A wargame"), ("d6", "d6"), ("e5", "e5"), ("d", "d"), (3, "3")],
)
def test_an_option_begins_as_a_sentence_does_and_a_name_of_dice_or_squares_does_not(words: object, said: str) -> None:
    assert begun(words) == said


def test_the_options_of_a_table_begin_alike(app: Flask) -> None:
    html = app.test_client().get("/new/free_table").text
    for option in ("Nothing", "A wargame", "Chess clock", "Companion rolls"):
        assert f">{option}</label>" in html
