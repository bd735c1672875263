"""The free table on its pages: set at once, joined on the next free seat, taken along as a template."""

from __future__ import annotations

import io
import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from shutil import copytree
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from companion import create_app
from companion.games.free_table.game import GAME
from companion.table.store import Store
from companion.table.tables import Tables
from companion.web.state import NAME
from tests.support.phones import Table, words
from tests.support.twins import MOMENT, OF_THE_API, PAGES, Luck, Twin

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

START = re.compile(r'action="(/start/[^"]+)"')


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), address="http://192.168.7.7:8000")
    app.testing = True
    return app


@pytest.fixture(scope="module")
def tables(app: Flask) -> Tables:
    found: Tables = app.extensions[NAME].tables
    return found


def seat_of(where: str) -> tuple[str, str]:
    _, table, seat = where.strip("/").split("/")[:3]
    return table, seat


def join(phone: FlaskClient, table: str, name: str, seat: str = "next") -> str:
    """Sit down as the page of the QR code lets one; returns the seat."""
    answer = phone.post(f"/t/{table}/join", data={"name": name, "seat": seat, "key": f"a long key of {name} {seat}"})
    assert answer.status_code == 303, words(answer.text)
    return seat_of(answer.headers["Location"])[1]


def test_the_first_page_sets_a_table_by_one_tap(app: Flask, tables: Tables) -> None:
    phone = app.test_client()
    page = phone.get("/").text
    offered = START.findall(page)
    game = app.extensions[NAME].games["free_table"]
    assert set(offered) == {f"/start/free_table/{start.id}" for start in game.starts}
    key = re.search(r'name="key" value="([^"]+)"', page).group(1)
    for address in offered:
        made = phone.post(address, data={"key": f"{key}{address}"})
        table, seat = seat_of(made.headers["Location"])
        assert seat == "rulekeeper"
        assert phone.get(f"/t/{table}/player_1").status_code == 200
        assert tables.seen(table, "player_1").view.panels
        assert phone.post(address, data={"key": f"{key}{address}"}).headers["Location"] == made.headers["Location"]
        assert phone.get(address).headers["Location"].startswith("/new/free_table?begin=")
    assert phone.post("/start/free_table/nothing").status_code == 404
    assert phone.post("/start/nothing/dice").status_code == 404


def test_whoever_scans_takes_the_next_free_seat(app: Flask, tables: Tables) -> None:
    table = Table(app, "free_table", names=("player_1",), seats=4)
    page = app.test_client().get(f"/t/{table.id}", headers={"Accept-Language": "en"}).text
    assert "3 seats are free" in words(page)
    assert 'value="player_2"' not in page
    assert join(app.test_client(), table.id, "Ben") == "player_2"
    assert join(app.test_client(), table.id, "Eva", "player_4") == "player_4"
    eve = app.test_client()
    assert join(eve, table.id, "Leo") == "player_3"
    again = eve.post(f"/t/{table.id}/join", data={"name": "Leo", "seat": "next", "key": "a long key of Leo next"})
    assert seat_of(again.headers["Location"])[1] == "player_3"
    full = app.test_client().post(
        f"/t/{table.id}/join", data={"name": "Uma", "seat": "next", "key": "another long key"}
    )
    assert full.status_code == 409
    assert tables.seen(table.id, "screen").view.panels == ()


def test_a_seat_that_is_kept_for_somebody_is_given_last(app: Flask, tables: Tables) -> None:
    table = tables.create("free_table", "", {"seats": 3}, {"player_1": "Ana"}).table
    assert join(app.test_client(), table, "Ben") == "player_2"
    assert join(app.test_client(), table, "Eva") == "player_3"
    assert join(app.test_client(), table, "Leo") == "player_1"


def lines(tables: Tables, table: str) -> list[str]:
    """The names that a counter for each player has lines for."""
    (panel,) = tables.seen(table, "screen").view.panels
    return [row.name.places.get("words", row.name.say) for row in panel.rows]


def test_the_table_tells_who_is_there(app: Flask, tables: Tables) -> None:
    table = Table(app, "free_table", names=("player_1", "player_2"), seats=4)
    table.act("player_1", action="set_counter", each="player")
    assert lines(tables, table.id) == ["Player_1", "Player_2"]
    tables.rename(table.id, "player_2", "Benita", "k1")
    assert lines(tables, table.id) == ["Player_1", "Benita"]
    tables.release(table.id, "rulekeeper", "player_1", "k2")
    assert lines(tables, table.id) == ["Benita"]
    asking = app.test_client()
    asking.post(f"/t/{table.id}/join", data={"name": "Uma", "seat": "player_2", "key": "a long key of Uma"})
    (knock,) = tables.seen(table.id, "rulekeeper").knocks
    tables.grant(table.id, "rulekeeper", knock.id, yes=True, key="k3")
    assert lines(tables, table.id) == ["Uma"]


def test_what_is_taken_back_leaves_people_where_they_sit(app: Flask, tables: Tables) -> None:
    table = Table(app, "free_table", names=("player_1",), seats=4)
    table.act("player_1", action="set_counter", each="player")
    table.act("player_1", action="count", tracker="t1", line="player_1", by=1)
    join(app.test_client(), table.id, "Eva")
    tables.take_back(table.id, "player_1", "k1")
    (panel,) = tables.seen(table.id, "screen").view.panels
    assert [row.value.places["count"] for row in panel.rows] == [0, 0]
    assert lines(tables, table.id) == ["Player_1", "Eva"]


def test_a_hundred_phones_sit_down_at_once_each_on_its_own_seat(app: Flask) -> None:
    table = Table(app, "free_table", names=("player_1",), seats=100)
    with ThreadPoolExecutor(16) as crowd:
        seats = list(crowd.map(lambda n: join(app.test_client(), table.id, f"Guest {n}"), range(99)))
    assert sorted(seats) == sorted(f"player_{n}" for n in range(2, 101))


def test_a_table_of_a_hundred_seats_shows_the_people_and_not_the_empty_seats(app: Flask) -> None:
    table = Table(app, "free_table", names=("player_1",), seats=100)
    for page in (table.get("player_1"), table.get("rulekeeper", "/invite"), app.test_client().get("/")):
        assert "Player_1" in page.text
        assert "Jugador 57" not in page.text


def template_of(table: Table) -> tuple[str, dict[str, list[str]]]:
    """The address that the page of the template leads to, and its query."""
    page = table.get("player_1", "/another", headers={"Accept-Language": "en"}).text
    address = unescape(re.search(r'<a class="button main" href="([^"]+)"', page).group(1))
    return address, parse_qs(urlsplit(address).query, keep_blank_values=True)


def composed(app: Flask) -> Table:
    table = Table(app, "free_table", names=("player_1",), seats=5)
    table.act("player_1", action="set_counter", name="Vidas", each="player", start=3, colour="red")
    table.act("player_1", action="set_phases", steps="Mover, Disparar")
    table.act("player_1", action="count", tracker="t1", line="player_1", by=4)
    return table


def test_a_template_fills_in_the_form_of_a_new_table(app: Flask, tables: Tables) -> None:
    table = composed(app)
    address, query = template_of(table)
    phone = app.test_client()
    form = phone.get(address).text
    assert query["template"][0] in form
    sent = {name: values[-1] for name, values in query.items()}
    made = phone.post(f"{urlsplit(address).path}", data={**sent, "_seat": "next", "_name": "Eva"})
    assert made.status_code == 303
    other, _ = seat_of(made.headers["Location"])
    panels = tables.seen(other, "player_1").view.panels
    assert panels[0].title.places["words"] == "Vidas"
    assert "Vidas" in phone.get(f"/t/{other}/player_1").text
    assert len(tables.summary(other).people) == 6


def test_a_template_is_drawn_as_a_code_and_saved_as_a_file_that_opens_it(app: Flask) -> None:
    table = composed(app)
    assert table.get("player_1", "/another/qr.svg").mimetype == "image/svg+xml"
    file = table.get("player_1", "/another/template.json")
    assert "attachment" in file.headers["Content-Disposition"]
    opened = app.test_client().post("/import", data={"file": (io.BytesIO(file.data), "t.json"), "key": "k" * 20})
    assert opened.headers["Location"] == template_of(table)[0]


@pytest.mark.parametrize(
    "change",
    [
        {"game": "bridge"},
        {"options": {"seats": 500}},
        {"options": {"template": "!"}},
        {"options": {"nothing": 1}},
        {"companion": "other"},
        {"title": 7},
        {"more": 1},
    ],
)
def test_a_damaged_template_file_is_refused_in_words(app: Flask, change: dict[str, object]) -> None:
    file = json.loads(table_file(app)) | change
    data = {"file": (io.BytesIO(json.dumps(file).encode()), "t.json"), "key": "k" * 20}
    answer = app.test_client().post("/import", data=data)
    assert 400 <= answer.status_code < 500
    assert 'role="alert"' in answer.text


def table_file(app: Flask) -> bytes:
    return composed(app).get("player_1", "/another/template.json").data


def test_a_template_that_can_not_be_read_is_said_where_it_is_typed(app: Flask) -> None:
    answer = app.test_client().post("/new/free_table", data={"template": "AAAAAAAAAAAA", "_name": "Ana"})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert 'value="Ana"' in answer.text


def test_too_much_for_a_code_is_said_and_the_file_is_left(app: Flask) -> None:
    table = Table(app, "free_table", names=("player_1",))
    for number in range(40):
        steps = ", ".join(f"{number * step * 7919} {step * number * 104729}" for step in range(1, 30))
        table.act("player_1", action="set_phases", name=f"{number}", steps=steps)
    page = table.get("player_1", "/another", headers={"Accept-Language": "en"}).text
    assert "too much on this table for a QR code" in words(page)
    assert table.get("player_1", "/another/qr.svg").status_code == 404
    assert table.get("player_1", "/another/template.json").status_code == 200


def decks(table: Table, cards: int, letters: int) -> Table:
    luck = random.Random(7)
    for _ in range(40):
        names = ("".join(chr(luck.randrange(0x4E00, 0x9FA0)) for _ in range(letters)) for _ in range(cards))
        table.act("player_1", action="set_deck", which="own", own="\n".join(names))
    return table


def test_a_large_table_is_set_again_by_its_link_and_by_its_file(app: Flask, tables: Tables) -> None:
    table = decks(Table(app, "free_table", names=("player_1",)), 60, 4)
    address, query = template_of(table)
    assert 20_000 < len(address) < 60_000
    phone = app.test_client()
    assert query["template"][0] in phone.get(address).text
    file = table.get("player_1", "/another/template.json").data
    opened = phone.post("/import", data={"file": (io.BytesIO(file), "t.json"), "key": "k" * 20})
    assert opened.headers["Location"] == address
    made = phone.post("/new/free_table", data={"template": query["template"][0], "seats": "8"})
    other, _ = seat_of(made.headers["Location"])
    assert len(tables.seen(other, "screen").view.panels) == len(tables.seen(table.id, "screen").view.panels)


def test_a_table_that_is_too_large_to_be_set_again_says_so(app: Flask) -> None:
    table = decks(Table(app, "free_table", names=("player_1",)), 300, 4)
    page = table.get("player_1", "/another", headers={"Accept-Language": "en"})
    assert page.status_code == 200
    assert "too much on this table to set another one like it" in words(page.text)
    assert "/another/qr.svg" not in page.text
    assert "/another/template.json" not in page.text
    assert "/new/free_table" not in page.text
    for path in ("/another/qr.svg", "/another/template.json"):
        assert table.get("player_1", path).status_code == 404


def test_every_game_has_tables_like_this_one(app: Flask) -> None:
    table = Table(app, "two_cities")
    page = table.get("white", "/another").text
    assert 'href="/new/two_cities?' in page
    assert table.get("white", "/another/qr.svg").status_code == 200


@pytest.mark.parametrize(
    ("tongue", "alone", "besides"),
    [
        ("en", "What you can do now", "Other things to do"),
        ("es", "Qué puedes hacer ahora", "Otras cosas que puedes hacer"),
    ],
)
def test_what_can_be_done_where_nothing_lies_is_not_called_other_things(
    app: Flask, tongue: str, alone: str, besides: str
) -> None:
    fold = re.compile(r'id="others".*?<summary>.*?</svg>\s*([^<]+)</summary>', re.DOTALL)
    tables = ((Table(app, "free_table"), "rulekeeper", alone), (Table(app, "two_cities"), "white", besides))
    for table, seat, heading in tables:
        assert fold.findall(table.get(seat, headers={"Accept-Language": tongue}).text) == [heading]


def test_the_button_that_changes_a_tracker_opens_its_own_form(app: Flask) -> None:
    page = composed(app).get("player_1", "/plan?do=action%3Dset_counter%26tracker%3Dt1").text
    assert 'value="Vidas"' in page
    new = composed(app).get("player_1", "/plan?do=action%3Dset_counter").text
    assert 'value="Vidas"' not in new


def test_what_somebody_writes_for_himself_changes_no_byte_of_anybody_elses(tmp_path: Path) -> None:
    store = Store(tmp_path / "1" / "tables.sqlite")
    tables = Tables(store, {"free_table": GAME}, random.Random(0), now=lambda: MOMENT)
    made = tables.create("free_table", "", {}, {})
    tokens = {**made.tokens, **{f"player_{n}": tables.join(made.table, f"player_{n}", f"N{n}") for n in (1, 2)}}
    tables.act(made.table, "player_1", {"action": "set_notes"}, "k1")
    store.close()
    copytree(tmp_path / "1", tmp_path / "2")
    both = [Twin(GAME, tmp_path / name, made.table, tokens, Luck(0)) for name in "12"]
    for twin, note in zip(both, ("attack at dawn", "run away"), strict=True):
        wrote = {"action": "write", "tracker": "t1", "words": note, "own": True}
        twin.tables.act(made.table, "player_1", wrote, "k2")
    for path in PAGES:
        for seat in ("player_2", "rulekeeper", "screen"):
            assert both[0].page(seat, path, "es") == both[1].page(seat, path, "es"), (seat, path)
        assert (both[0].page("player_1", path, "es") == both[1].page("player_1", path, "es")) == (
            path not in {"", "/live", "/replay"}
        )
    for path in OF_THE_API:
        for seat in ("player_2", "rulekeeper", "screen"):
            assert both[0].api(seat, path) == both[1].api(seat, path), (seat, path)
    for path in ("/report", "/report.md", "/statistics", ""):
        assert both[0].answered("player_2", f"/t/{made.table}{path}") == both[1].answered(
            "player_2", f"/t/{made.table}{path}"
        )


@pytest.mark.parametrize(("tongue", "table_too"), [("en", "Show the table"), ("es", "Ver la mesa")])
def test_at_its_end_no_board_is_promised(app: Flask, tongue: str, table_too: str) -> None:
    table = Table(app, "free_table", names=("player_1", "player_2"))
    table.end()
    page = words(table.get("player_1", headers={"Accept-Language": tongue}).text)
    assert table_too in page
    assert not re.search("Show the board|Ver el tablero", page)


def test_a_freed_seat_with_its_hand_is_given_to_a_stranger_last(app: Flask, tables: Tables) -> None:
    table = Table(app, "free_table", names=("player_1", "player_2"), seats=4, begin="cards")
    table.act("player_1", action="deal", tracker="t1", count=5, to=["player_1", "player_2"])
    tables.release(table.id, "rulekeeper", "player_2", "k1")
    assert join(app.test_client(), table.id, "Eva") == "player_3"
    assert join(app.test_client(), table.id, "Leo") == "player_4"
    assert join(app.test_client(), table.id, "Ben") == "player_2"


def test_where_seats_differ_nobody_takes_the_next_one(app: Flask) -> None:
    table = Table(app, "two_cities", names=("white",))
    sent = {"name": "Uma", "seat": "next", "key": "a long key of Uma"}
    assert app.test_client().post(f"/t/{table.id}/join", data=sent).status_code == 409
    assert not [person.seat for person in table.tables.summary(table.id).people if person.name == "Uma"]
