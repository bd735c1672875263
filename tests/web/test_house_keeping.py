"""The pages of house-keeping: who may put a table away, what is read of one that was deleted, and ways on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion import create_app
from companion.kit.game import RULEKEEPER, SCREEN
from companion.web.fragments import Channel
from companion.web.publish import GONE, Publisher
from companion.web.seat_cookies import digest
from companion.web.state import NAME
from tests.support.listening import Hub
from tests.support.phones import Table, words
from tests.support.toy_game import TOY

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

SPANISH = {"Accept-Language": "es"}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(tmp_path, games={"toy": TOY})


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app, "toy")


@pytest.fixture
def laptop(app: Flask) -> FlaskClient:
    client = app.test_client()
    client.get(f"/host/{app.extensions[NAME].host_key}")
    return client


def delete(table: Table) -> None:
    assert table.post(RULEKEEPER, "/settings", delete="1").status_code == 303


def test_its_rulekeeper_deletes_a_table_and_brings_it_back_right_there(table: Table) -> None:
    assert 'name="delete"' in table.get(RULEKEEPER, "/settings").text
    delete(table)
    keeper = table.get(RULEKEEPER)
    assert keeper.status_code == 410
    assert "This table was deleted" in words(keeper.text)
    assert "30 more days" in words(keeper.text)
    assert f'action="/t/{table.id}/back"' in keeper.text
    back = table.phones[RULEKEEPER].post(f"/t/{table.id}/back")
    assert (back.status_code, back.location) == (303, f"/t/{table.id}/{RULEKEEPER}")
    assert table.get(RULEKEEPER).status_code == 200
    assert table.get("red").status_code == 200


@pytest.mark.parametrize(
    "path", ["", "/red", "/screen", "/report", "/statistics", "/knock/red", "/red/invite", "/red/plan?do=x"]
)
@pytest.mark.parametrize(("tongue", "said"), [("en", "This table was deleted"), ("es", "Esta mesa se borró")])
def test_whoever_opens_it_reads_that_it_was_deleted(table: Table, path: str, tongue: str, said: str) -> None:
    delete(table)
    for phone in (table.phones["red"], table.app.test_client()):
        answer = phone.get(f"/t/{table.id}{path}", headers={"Accept-Language": tongue})
        if answer.status_code == 303:
            answer = phone.get(answer.location, headers={"Accept-Language": tongue})
        assert answer.status_code == 410
        assert said in words(answer.text)
        assert f'action="/t/{table.id}/back"' not in answer.text, "that is its rulekeeper's"
        assert 'name="code"' in answer.text
        assert 'href="/"' in answer.text


def test_a_code_that_was_typed_leads_to_what_is_said_of_it(table: Table) -> None:
    delete(table)
    phone = table.phones[RULEKEEPER]
    answer = phone.get(f"/go?code={table.id.lower()}")
    assert (answer.status_code, answer.location) == (303, f"/t/{table.id}")
    assert "Bring it back" in phone.get(answer.location).text


def test_a_table_that_never_was_has_a_way_on(app: Flask) -> None:
    for path in ("/t/K7QF3M", "/t/K7QF3M/red", "/t/none", "/s/K7QF3M/red/x"):
        answer = app.test_client().get(path, headers=SPANISH)
        answer = app.test_client().get(answer.location, headers=SPANISH) if answer.status_code == 303 else answer
        assert answer.status_code == 404
        assert 'name="code"' in answer.text
        assert "Quizá se borró del todo" in words(answer.text)
    assert 'name="code"' not in app.test_client().get("/nothing").text


def test_nobody_else_brings_it_back_not_by_address_either(table: Table, laptop: FlaskClient) -> None:
    delete(table)
    for phone in (table.phones["red"], table.app.test_client()):
        refused = phone.post(f"/t/{table.id}/back", headers={"X-Forwarded-For": "127.0.0.1"})
        assert refused.status_code == 403
    assert table.get("red").status_code == 410
    assert "Bring it back" in laptop.get(f"/t/{table.id}").text
    assert laptop.post(f"/t/{table.id}/back").location == f"/t/{table.id}"
    assert table.get("red").status_code == 200


def test_a_script_is_told_in_a_sentence(table: Table) -> None:
    delete(table)
    asked = table.phones["red"].get(f"/api/tables/{table.id}")
    assert (asked.status_code, asked.json["field"]) == (410, "table")
    assert table.id in asked.json["detail"]
    tapped = table.post("red", "/act", htmx=True, do="action=add")
    assert tapped.status_code == 410
    assert "<html" not in tapped.text


def test_phones_that_show_it_are_told_at_once(table: Table) -> None:
    hub = Hub()
    publisher = Publisher(table.app, hub)
    names = [
        str(Channel("play", table.id, seat, "en", digest(table.tokens.get(seat, "")) if seat != SCREEN else ""))
        for seat in ("red", SCREEN)
    ]
    names.append(str(Channel("api", table.id, "blue", "en", digest(table.tokens["blue"]))))
    hub.told = {name: [] for name in names}
    publisher.renderers["api"] = lambda _: GONE
    delete(table)
    publisher.tell(table.id)
    assert hub.told == {name: [GONE.event] for name in names}
    assert table.phones["red"].get(f"/t/{table.id}/red/live").data == GONE.event


# All tables


def test_everybody_reads_the_list_and_only_the_laptop_changes_it(table: Table, laptop: FlaskClient) -> None:
    stranger, keeper = table.app.test_client(), table.phones[RULEKEEPER]
    for phone in (stranger, keeper):
        assert table.id in phone.get("/tables").text
        assert "<form" not in phone.get("/tables").text.partition("<main")[2].partition("</main>")[0]
        assert phone.get("/tables?show=bin").status_code == 403
        for change in ({"title": "Mine"}, {"delete": "1"}, {"archive": "1"}, {"end": "1"}, {"back": "1"}):
            assert phone.post(f"/tables/{table.id}", data=change).status_code == 403
    assert table.tables.summary(table.id).title == ""
    assert laptop.post(f"/tables/{table.id}", data={"title": "Friday night"}).status_code == 303
    assert "Friday night" in laptop.get("/tables").text


def test_the_laptop_archives_ends_deletes_and_brings_back(table: Table, laptop: FlaskClient) -> None:
    at = f"/tables/{table.id}"
    laptop.post(at, data={"archive": "1"})
    assert table.id not in laptop.get("/tables").text
    assert table.id not in laptop.get("/").text
    assert table.id in table.app.test_client().get("/tables?show=archive").text
    assert table.get("red").status_code == 200
    assert laptop.post(f"{at}?show=archive", data={"archive": "0"}).location == "/tables?show=archive&told=archive"
    laptop.post(at, data={"end": "1"})
    assert table.tables.summary(table.id).over
    laptop.post(at, data={"delete": "1"})
    assert table.id not in laptop.get("/tables").text
    assert "laptop that runs Companion" in words(table.get("red").text)
    bin_ = laptop.get("/tables?show=bin", headers=SPANISH)
    assert table.id in bin_.text
    assert "quedan 30 días" in words(bin_.text)
    laptop.post(f"{at}?show=bin", data={"back": "1"})
    assert table.id in laptop.get("/tables").text


def test_bad_input_gets_a_sentence(table: Table, laptop: FlaskClient) -> None:
    assert laptop.get("/tables?show=all").status_code == 400
    assert laptop.get("/tables?after=x").status_code == 400
    assert laptop.get("/tables?after=99999").status_code == 200
    assert "Say what to change." in words(laptop.post(f"/tables/{table.id}", data={}).text)
    long = laptop.post(f"/tables/{table.id}", data={"title": "x" * 200}, headers=SPANISH)
    assert long.status_code == 400
    assert "letras" in words(long.text)
    gone = laptop.post("/tables/ZZZZZZ", data={"delete": "1"})
    assert gone.status_code == 404
    assert "There is no table ZZZZZZ." in words(gone.text)
    assert laptop.get(f"/tables/{table.id}").location == "/tables"
    assert laptop.get(f"/t/{table.id}/back").location == f"/t/{table.id}"
    assert laptop.post("/t/ZZZZZZ/back").status_code == 404


def test_older_tables_are_a_tap_away(app: Flask, laptop: FlaskClient) -> None:
    tables = app.extensions[NAME].tables
    made = {tables.create("toy").table for _ in range(51)}
    first, then = laptop.get("/tables").text, laptop.get("/tables?after=50").text
    assert 'href="/tables?after=50"' in first
    assert {one for one in made if one in first + then} == made
    assert not {one for one in made if one in first and one in then}


# Archive and end at the table


def test_its_rulekeeper_archives_a_table_and_takes_it_out(table: Table) -> None:
    table.post(RULEKEEPER, "/settings", archive="1")
    assert table.tables.summary(table.id).archived
    assert "Take out of the archive" in table.get(RULEKEEPER, "/settings").text
    table.post(RULEKEEPER, "/settings", archive="0")
    assert not table.tables.summary(table.id).archived
    for sent in ({"archive": "1"}, {"delete": "1"}):
        assert table.post("red", "/settings", **sent).status_code == 403
    assert 'name="delete"' not in table.get("red", "/settings").text


def test_the_wish_to_end_is_seen_by_all_and_answered_by_another(table: Table) -> None:
    table.post(RULEKEEPER, "/settings", end="1")
    assert not table.tables.summary(table.id).over
    for seat in (RULEKEEPER, "red", "blue", SCREEN):
        assert "wants to end the table" in words(table.get(seat).text)
    assert "Yes, end it" in table.get("red").text
    assert "Yes, end it" not in table.get(RULEKEEPER).text
    assert "Yes, end it" not in table.get(SCREEN).text
    assert "quiere terminar la mesa" in words(table.get("red", headers=SPANISH).text)
    assert table.post(RULEKEEPER, "/consent", end="1", yes="1").status_code == 403
    assert table.post("blue", "/consent", end="1", yes="0", htmx=True).status_code == 200
    assert "wants to end the table" not in words(table.get("red").text)
    assert table.post("blue", "/consent", end="1", yes="1").status_code == 409
    table.post(RULEKEEPER, "/settings", end="1")
    assert "another player has to agree" in words(table.get(RULEKEEPER, "/settings").text)
    table.post(RULEKEEPER, "/settings", **{"end-wish": "0"})
    assert "Yes, end it" in table.get(RULEKEEPER, "/settings").text
    table.post(RULEKEEPER, "/settings", end="1")
    assert table.post("red", "/consent", end="1", yes="1").status_code == 303
    assert table.tables.summary(table.id).over


def test_who_plays_on_the_rulekeepers_phone_is_nobody_else(app: Flask) -> None:
    table = Table(app, "toy", names=("red",))
    phone = table.phone(RULEKEEPER, "red")
    phone.post(f"/t/{table.id}/{RULEKEEPER}/settings", data={"key": "one", "end": "1"})
    assert table.tables.summary(table.id).over


def test_a_seat_that_the_rulekeepers_phone_takes_later_is_nobody_elses_either(app: Flask) -> None:
    table = Table(app, "toy", names=("red",))
    phone = table.phone(RULEKEEPER)
    phone.post(f"/t/{table.id}/{RULEKEEPER}/settings", data={"key": "one", "end": "1"})
    phone.post(f"/t/{table.id}/join", data={"seat": "blue", "name": "Me again", "key": "a" * 32})
    refused = phone.post(f"/t/{table.id}/blue/consent", data={"key": "two", "end": "1", "yes": "1"})
    assert refused.status_code == 403
    assert "Somebody else has to agree to that." in words(refused.text)
    assert not table.tables.summary(table.id).over
    assert table.post("red", "/consent", end="1", yes="1").status_code == 303
    assert table.tables.summary(table.id).over


def test_what_is_changed_about_a_table_leads_back_to_where_it_shows(tmp_path: Path) -> None:
    app = create_app(tmp_path, games={"toy": TOY})
    table = Table(app, "toy")
    page, led = table.get(RULEKEEPER, "/settings").text, set()
    ways = ("dice", "app"), ("title", "Late"), ("real-board", "0"), ("pause", "1"), ("archive", "1"), ("end", "1")
    for name, value in (*ways, ("end-wish", "0"), ("delete", "1")):
        there = table.post(RULEKEEPER, "/settings", **{name: value}).headers["Location"]
        address, _, anchor = there.partition("#")
        assert address == f"/t/{table.id}/{RULEKEEPER}/settings"
        assert page.count(f'<section class="box" id="{anchor}">') == 1
        led.add(anchor)
    assert len(led) == 5
    other = Table(app, "toy")
    locked = other.phones[RULEKEEPER].post(f"/t/{other.id}/pin", data={"pin": "1234"}).headers["Location"]
    assert locked == f"/t/{other.id}/{RULEKEEPER}/settings#locked"
    assert 'id="locked"' in page
