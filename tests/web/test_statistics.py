"""The statistics as a page, in the report and in the API: in both languages, at any time, for everybody the same."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

import pytest
from flask import Flask

from companion import create_app
from companion.games.free_table.game import GAME as FREE_TABLE
from companion.kit.luck import luck_of_sum
from companion.web.language import Language, speaking
from companion.web.play.statistics import decimal, odds, span
from companion.web.state import NAME, AppState
from tests.support.export_files import export
from tests.support.phones import Table, words
from tests.support.toy_game import TOY
from tests.support.toy_tables import Clock
from tests.table.test_statistics import BRAWL, strip

if TYPE_CHECKING:
    from companion.table.tables import Tables


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games={"toy": TOY, "brawl": BRAWL, "free_table": FREE_TABLE})
    app.testing = True
    tables = cast("AppState", app.extensions[NAME]).tables
    tables._now, tables._luck = clock, random.Random(2)
    return app


def page(app: Flask, table: str, tongue: str = "en", **how: Any) -> str:
    answer = app.test_client().get(f"/t/{table}/statistics", headers={"Accept-Language": tongue}, **how)
    assert answer.status_code == 200
    return words(answer.text)


def fought(app: Flask, clock: Clock) -> Table:
    """A table at which red struck blue and threw five dice."""
    table = Table(app, "brawl", dice="typed")
    clock.wait(75)
    key = iter(range(99))

    def answer(seat: str, **given: Any) -> None:
        table.tables.answer(table.id, seat, given, f"a{next(key)}")

    table.act("red", action="hit")
    answer("blue", value="no")
    answer("red", faces=[6, 6, 1])
    clock.wait(3600)
    table.act("red", action="roll", dice=2)
    answer("red", faces=[6, 6])
    return table


def test_the_page_says_it_in_both_languages(app: Flask, clock: Clock) -> None:
    table = fought(app, clock)
    english, spanish = page(app, table.id), page(app, table.id, "es")
    chance = luck_of_sum(5, 6, 25)
    with speaking("en"):
        high, far = (odds(one).replace("\xa0", " ") for one in (chance.at_least, chance.as_far))
    assert f"This high or higher: {high} · this far off either way: {far}" in english
    for said in (
        "Dice with 6 faces",
        "5.00 on average; 3.50 is expected",
        "Time 1 min 15 s",
        "Breaks 1 1 h",
        "Actions 2",
    ):
        assert said in english, said
    for said in (
        "Dados de 6 caras",
        "5,00 de media; se espera 3,50",
        "Tiempo 1 min 15 s",
        "Descansos 1 1 h",
        "Una media tan alta",
    ):
        assert said in spanish, said
    assert "Champion b2 – 2" in english
    assert "red (Red) 1 min 15 s" in english
    assert "style=" not in app.test_client().get(f"/t/{table.id}/statistics").text


def test_a_table_without_dice_or_time_says_so_little(app: Flask) -> None:
    table = Table(app, "toy")
    said = page(app, table.id)
    assert "Dice 0" in said
    assert "Actions 0" in said
    assert "Dice with" not in said
    assert "Turns and time" not in said


def test_an_older_log_is_told_apart(app: Flask) -> None:
    table = Table(app, "toy")
    table.act("red", action="roll", dice=3)
    strip(table.tables, table.id)
    assert "3 dice of an older log are not counted" in page(app, table.id)
    assert "3 dados de un registro antiguo no se cuentan" in page(app, table.id, "es")


def test_more_dice_than_can_be_worked_out_are_still_shown(app: Flask) -> None:
    table = Table(app, "toy")
    table.act("red", action="roll", dice=3)
    strip(table.tables, table.id, faces=[1, 2] * 3000, by="red", sides=6)
    said = page(app, table.id)
    assert "There are too many dice" in said
    assert "1.50 on average" in said
    assert app.test_client().get(f"/t/{table.id}/report.md").status_code == 200
    assert app.test_client().get(f"/api/tables/{table.id}/statistics").json["dice"][0]["luck"] is None


def test_the_dice_with_the_most_faces_are_counted(app: Flask) -> None:
    table = Table(app, "toy")
    table.act("red", action="roll", dice=3)
    strip(table.tables, table.id, by="red", sides=10_000)
    said = page(app, table.id)
    assert "Dice with 10000 faces" in said
    assert "older log" not in said
    text = app.test_client().get(f"/t/{table.id}/report.md").text
    assert "### Dice with 10000 faces" in text
    assert "| Face |" not in text


def test_of_many_kinds_of_dice_those_thrown_most_are_shown_and_the_others_counted(app: Flask) -> None:
    table = Table(app, "free_table", begin="dice")
    table.act("rulekeeper", action="roll", tracker="t1", dice="+".join(f"2d{sides}" for sides in range(20, 32)))
    assert "Other kinds of dice" not in page(app, table.id)
    table.act("rulekeeper", action="roll", tracker="t1", dice="d5+d7+d9")
    report = f"/t/{table.id}/report.md"
    english, spanish = page(app, table.id), page(app, table.id, "es")
    assert "Other kinds of dice: 3 (dice rolled: 3). Only those rolled most are shown." in english
    assert "Otros tipos de dados: 3 (dados tirados: 3). Solo se muestran los que más se tiraron." in spanish
    assert english.count("Dice with") == 12
    assert "Dice 27" in english
    assert "Other kinds of dice: 3 (dice rolled: 3)." in app.test_client().get(report).text
    found = app.test_client().get(f"/api/tables/{table.id}/statistics").json
    assert found["left_out"] == {"kinds": 3, "count": 3}


def test_of_many_faces_only_those_that_came_up_are_listed_until_there_is_a_die_for_each(app: Flask) -> None:
    table = Table(app, "toy")
    table.act("red", action="roll", dice=3)
    strip(table.tables, table.id, faces=[4, 4, 9], by="red", sides=20)

    def listed(code: str) -> tuple[list[str], list[str]]:
        client = app.test_client()
        shown = re.findall(
            r'<tr><th scope="row">(\d+)</th><td class="grows">', client.get(f"/t/{code}/statistics").text
        )
        return shown, re.findall(r"^\| (\d+) \|", client.get(f"/t/{code}/report.md").text, re.MULTILINE)

    assert listed(table.id) == (["4", "9"], ["4", "9"])
    many = Table(app, "toy")
    many.act("red", action="roll", dice=3)
    strip(many.tables, many.id, faces=[4, 9] * 10, by="red", sides=20)
    every = [str(face) for face in range(1, 21)]
    assert listed(many.id) == (every, every)


def test_it_is_linked_from_the_menu_the_report_and_the_end(app: Flask) -> None:
    table = Table(app, "toy")
    link = f'href="/t/{table.id}/statistics"'
    for seat in ("red", "screen", "rulekeeper"):
        assert table.get(seat).text.count(link) == 1, seat
    assert link in app.test_client().get(f"/t/{table.id}/report").text
    table.act("red", action="stop")
    assert table.get("blue").text.count(link) == 2
    for again in (f'href="/t/{table.id}/report"', f'href="/t/{table.id}/screen"'):
        assert again in app.test_client().get(f"/t/{table.id}/statistics").text


def test_a_page_that_shows_the_newest_is_sent_nothing(app: Flask) -> None:
    table = Table(app, "toy")
    client = app.test_client()

    def again(address: str) -> int:
        return client.get(address, headers={"HX-Request": "true"}).status_code

    found = re.search(r'hx-get="([^"]+)"', client.get(f"/t/{table.id}/statistics").text)
    assert found
    assert again(found[1]) == 204
    assert client.get(found[1]).status_code == 200
    table.act("red", action="roll", dice=3)
    assert again(found[1]) == 200


def test_the_report_ends_with_it(app: Flask, clock: Clock) -> None:
    table = fought(app, clock)
    text = app.test_client().get(f"/t/{table.id}/report.md").text
    assert text.index("## Statistics") > text.index("# Toy")
    for line in (
        "- Time: 1\xa0min 15\xa0s",
        "- Breaks: 1 (1\xa0h)",
        "### Dice with 6 faces",
        "| 6 | 4 | 0.83 |",
        "- Champion b2: hits taken 2",
        "- Champion a1: hits dealt 2",
    ):
        assert line in text, line
    spanish = app.test_client().get(f"/t/{table.id}/report.md", headers={"Accept-Language": "es"}).text
    assert "impactos recibidos: 2" in spanish
    assert "| 6 | 4 | 0,83 |" in spanish


def test_the_api_gives_exact_fractions_to_everybody_alike(app: Flask, clock: Clock) -> None:
    table = fought(app, clock)
    client = app.test_client()
    found = client.get(f"/api/tables/{table.id}/statistics")
    assert found.status_code == 200
    whole, red = found.json["dice"]
    luck = luck_of_sum(5, 6, 25)
    assert {name: Fraction(chance) for name, chance in whole["luck"].items()} == {
        "at_most": luck.at_most,
        "at_least": luck.at_least,
        "as_far": luck.as_far,
    }
    assert (whole["expected"], whole["total"], whole["seat"], red["seat"]) == ("35/2", 25, None, "red")
    assert [face["seen"] for face in whole["faces"]] == [1, 0, 0, 0, 0, 4]
    assert found.json["units"][0] == {
        "id": "red1",
        "side": "red",
        "name": "champion",
        "place": "a1",
        "fate": "hit",
        "dealt": 2,
        "taken": 0,
        "knocked_down": 0,
        "destroyed": 0,
    }
    assert found.json["phases"] == [{"name": "first", "seconds": 75}]

    def asked(token: str) -> Any:
        how = {"Authorization": f"Bearer {token}"}
        return client.get(f"/api/tables/{table.id}/statistics", headers=how)

    assert {asked(token).data for token in table.tokens.values()} == {found.data}
    assert asked("nobody's").status_code == 401


def test_the_openapi_document_describes_it(app: Flask) -> None:
    described = app.test_client().get("/api/openapi.json").json
    schema = described["components"]["schemas"]["Statistics"]
    assert {"dice", "units", "seats", "phases"} <= schema["properties"].keys()
    assert described["components"]["schemas"]["Luck"]["properties"]["as_far"]["type"] == "string"
    operation = described["paths"]["/api/tables/{table}/statistics"]["get"]
    assert operation["security"] == [{}, {"seat": []}]


@pytest.mark.parametrize("path", ["/t/AAAAAA/statistics", "/api/tables/AAAAAA/statistics"])
def test_statistics_of_no_table_are_not_found(app: Flask, path: str) -> None:
    assert app.test_client().get(path).status_code == 404


def test_an_imported_table_shows_the_same(app: Flask, clock: Clock) -> None:
    table = fought(app, clock)
    tables: Tables = table.tables
    again = tables.import_(export(tables, table.id)).table

    def without_version(code: str) -> Any:
        found = app.test_client().get(f"/api/tables/{code}/statistics").json
        return json.dumps({**found, "version": 0})

    assert without_version(again) == without_version(table.id)


def test_a_table_whose_game_is_gone_still_has_its_page(app: Flask, clock: Clock) -> None:
    table = fought(app, clock)
    state = cast("AppState", app.extensions[NAME])
    state.games.pop("brawl")
    state.tables._games.pop("brawl")
    assert "5.00 on average" in page(app, table.id)


@pytest.mark.parametrize(
    ("chance", "english", "spanish"),
    [
        (Fraction(1), "100 %", "100 %"),
        (Fraction(23, 100), "23 %", "23 %"),
        (Fraction(1, 10), "10 %", "10 %"),
        (Fraction(1, 40), "1 in 40", "1 de cada 40"),
        (Fraction(2, 79), "1 in 40", "1 de cada 40"),
        (Fraction(1, 12345), "1 in 12 345", "1 de cada 12 345"),
        (Fraction(1, 10**7), "less than 1 in 1 000 000", "menos de 1 de cada 1 000 000"),
    ],
)
def test_chances_are_said_as_people_say_them(app: Flask, chance: Fraction, english: str, spanish: str) -> None:
    told: dict[Language, str] = {"en": english, "es": spanish}
    for tongue, said in told.items():
        with app.test_request_context(), speaking(tongue):
            assert re.sub(r"\s", " ", odds(chance)) == said


def test_numbers_and_times_are_said_as_people_say_them(app: Flask) -> None:
    with app.test_request_context(), speaking("es"):
        assert decimal(Fraction(7, 2)) == "3,50"
    said = {0: "0 s", 59: "59 s", 60: "1 min", 75: "1 min 15 s", 700: "11 min", 3600: "1 h", 5000: "1 h 23 min"}
    assert {seconds: span(seconds).replace("\xa0", " ") for seconds in said} == said
