"""The first page: back to one's seat first, then the open tables by what is played there, then a new one."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from companion import create_app
from companion.games import discover
from companion.web.lobby import ago
from companion.web.state import NAME
from tests.support.phones import words
from tests.support.toy_tables import Clock

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(tmp_path, address="http://192.168.1.20:8000")


def key(name: str) -> str:
    return name.rjust(40, "k")


class Club:
    """Tables of an app, and phones that sit at them."""

    def __init__(self, app: Flask) -> None:
        self.app, self.tables = app, app.extensions[NAME].tables

    def table(self, game: str = "two_cities", title: str = "", **options: Any) -> str:
        made: str = self.tables.create(game, title, options, {}, "app").table
        return made

    def sit(self, table: str, seat: str, name: str, phone: FlaskClient | None = None) -> FlaskClient:
        phone = phone or self.app.test_client()
        sat = phone.post(f"/t/{table}/join", data={"seat": seat, "name": name, "key": key(f"{table}{seat}{len(name)}")})
        assert sat.status_code == 303, sat.text
        return phone


@pytest.fixture
def club(app: Flask) -> Club:
    return Club(app)


def part(page: str, heading: str) -> str:
    """Return the words of a page from a heading to the next one."""
    found = re.search(rf"<h2[^>]*>{heading}</h2>(.*?)(?=<h2|<ul class=\"tiles\")", page, re.DOTALL)
    return words(found[1]) if found else ""


def test_who_sits_somewhere_goes_back_first(club: Club) -> None:
    table, other = club.table(title="Saturday"), club.table("chesswar")
    ana, eva = club.sit(table, "white", "Ana"), club.app.test_client()
    club.sit(table, "black", "Ben")
    page = ana.get("/").text
    back = part(page, "Back to your seat")
    assert page.index("Back to your seat") < page.index("Open tables") < page.index("New table")
    assert f'href="/t/{table}/white"' in page
    assert "Saturday White · A Tale of Two Cities · Ana, Ben" in back
    assert other in part(page, "Open tables")
    assert table not in part(page, "Open tables"), "it is shown once"
    page = eva.get("/").text
    assert "Back to your seat" not in page
    assert table in part(page, "Open tables")


def test_the_seat_that_was_used_last_comes_first_and_one_that_plays_before_the_rulekeepers(club: Club) -> None:
    maker = club.app.test_client()
    made = maker.post("/new/two_cities", data={"_name": "Ana", "_seat": "black", "_key": key("a")}).headers["Location"]
    mine = made.split("/")[2]
    later = club.table(title="Later")
    club.sit(later, "white", "Ana", maker)
    assert re.findall(r'href="(/t/\w+/\w+)"', maker.get("/").text) == [f"/t/{later}/white", f"/t/{mine}/black"]
    maker.get(f"/t/{mine}/rulekeeper")
    assert re.findall(r'href="(/t/\w+/\w+)"', maker.get("/").text) == [f"/t/{mine}/black", f"/t/{later}/white"]


def test_a_seat_that_was_freed_is_no_more_offered(club: Club) -> None:
    table = club.table()
    ana = club.sit(table, "white", "Ana")
    club.tables.release(table, "rulekeeper", "white", "freed")
    page = ana.get("/").text
    assert "Back to your seat" not in page
    assert table in part(page, "Open tables")


def test_a_seat_that_another_phone_was_given_is_no_way_back_for_the_first_one(club: Club) -> None:
    table = club.table()
    ana = club.sit(table, "white", "Ana")
    club.tables.knock(table, "white", "Eva")
    (knock,) = club.tables.seen(table, "rulekeeper").knocks
    club.tables.grant(table, "rulekeeper", knock.id, yes=True, key="to Eva")
    for _ in range(2):
        told = ana.get(f"/t/{table}/white", follow_redirects=True).text
        assert "your seat is on another phone now (Eva)" in words(told)
    page = ana.get("/").text
    assert "Back to your seat" not in page
    assert table in part(page, "Open tables")


def test_a_seat_that_somebody_else_has_is_forgotten_once_that_was_told(club: Club) -> None:
    table, other = club.table(), club.table("chesswar")
    ana = club.sit(table, "white", "Ana")
    club.sit(other, "white", "Ana", ana)
    club.tables.release(table, "rulekeeper", "white", "freed")
    club.sit(table, "white", "Eva")
    told = ana.get(f"/t/{table}/white", follow_redirects=True).text
    assert "your seat is on another phone now (Eva)" in words(told)
    club.sit(table, "black", "Ana", ana)
    assert re.findall(r'href="(/t/\w+/\w+)"', ana.get("/").text) == [f"/t/{table}/black", f"/t/{other}/white"]


def test_what_the_phone_says_of_its_seats_opens_nothing_and_breaks_nothing(club: Club) -> None:
    table = club.table()
    club.sit(table, "white", "Ana")
    thief = club.app.test_client()
    for said in (f"{table}.white", "x" * 3000, "AAAAAA.white/é.b", f"{table}.nobody", f"{table}.screen"):
        thief.set_cookie("sits", said)
        assert thief.get("/").status_code == 200
        assert thief.get(f"/t/{table}/white").status_code == 303


def test_open_tables_are_called_by_what_is_played_by_whom_and_when(club: Club) -> None:
    free = next(game for game in discover(lambda *_: None).values() if game.starts)
    for start in free.starts:
        table = club.table(free.slug, **start.options)
        club.sit(table, "next", "Ana")
        club.sit(table, "next", "Ben")
    page = club.app.test_client().get("/").text
    for start in free.starts:
        said = start.name.say
        assert re.search(rf"{re.escape(said)} Ana, Ben(?: · [^·]+)? · \d\d:\d\d", words(page)), said
    assert "Free table" not in words(page)


def test_whose_turn_it_is_is_said(club: Club) -> None:
    table = club.table(title="Saturday")
    assert "Saturday A Tale of Two Cities · Waiting for players" in words(club.app.test_client().get("/").text)
    ana = club.sit(table, "white", "Ana")
    ben = club.sit(table, "black", "Ben")
    waits_for = club.tables.summary(table).waits_for
    assert waits_for
    for phone, seat in ((ana, "white"), (ben, "black")):
        page = words(phone.get("/").text)
        assert ("Your turn" in page) == (seat in waits_for)
    club.tables.pause(table, "rulekeeper", on=True, key="paused")
    assert "Ana, Ben · Paused" in words(club.app.test_client().get("/").text)
    assert "Your turn" not in words(ana.get("/").text)


def test_only_the_laptop_shows_phones_the_way_in(club: Club) -> None:
    state = club.app.extensions[NAME]
    laptop, phone = club.app.test_client(), club.app.test_client()
    laptop.get(f"/host/{state.host_key}")
    page = laptop.get("/").text
    assert '<svg class="qr"' in page
    assert "http://192.168.1.20:8000" in words(page)
    page = phone.get("/").text
    assert '<svg class="qr"' not in page
    assert "192.168" not in page


@pytest.mark.parametrize("name", ["Ana", "Íñigo “el rápido” 🎲; =", "a" * 40])
def test_a_name_that_was_given_once_is_filled_in_from_then_on(club: Club, name: str) -> None:
    table, other = club.table(), club.table()
    phone = club.app.test_client()
    club.sit(table, "white", name, phone)

    def filled_in(address: str, field: str) -> str | None:
        page = phone.get(address).text
        found = re.search(rf'<input type="text" id="name" name="{field}"[^>]*value="([^"]*)"', page, re.DOTALL)
        return None if found is None else words(found[1]).strip()

    assert filled_in(f"/t/{other}", "name") == name
    assert filled_in("/new/two_cities", "_name") == name
    phone.post(f"/t/{table}/white/rename", data={"name": "Eva", "key": "renamed"})
    assert filled_in(f"/t/{other}", "name") == "Eva"
    assert 'value="Eva"' not in club.app.test_client().get(f"/t/{other}").text


def test_a_ready_made_table_knows_the_name_of_its_maker(club: Club) -> None:
    phone = club.sit(club.table(), "white", "Ana")
    page = phone.get("/").text
    start = re.search(r'action="(/start/[^"]+)"', page)
    assert start is not None
    made = phone.post(start[1], data={"key": key("start")}).headers["Location"].split("/")[2]
    assert "Ana" in [person.name for person in club.tables.summary(made).people]


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("2026-11-28T12:05:00+00:00", "12:05"),
        ("2026-11-27T23:59:00+00:00", "yesterday 23:59"),
        ("2026-11-26T08:00:00+00:00", "26 Nov"),
        ("2025-12-31T08:00:00+00:00", "31 Dec 2025"),
        ("", ""),
    ],
)
def test_when_a_table_was_used_last(app: Flask, at: str, said: str) -> None:
    with app.test_request_context("/", headers={"Accept-Language": "en"}):
        assert ago.in_a_line(at, datetime(2026, 11, 28, 20, 14, tzinfo=UTC), UTC) == said


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("2026-11-28T22:05:00+00:00", "today at 23:05"),
        ("2026-11-28T12:05:00+00:00", "today at 13:05"),
        ("2026-11-27T23:30:00+00:00", "today at 00:30"),
        ("2026-11-27T22:59:00+00:00", "yesterday at 23:59"),
        ("2026-11-26T08:00:00+00:00", "2 days ago"),
    ],
)
def test_how_long_ago_a_table_was_deleted_by_the_clock_on_the_wall(app: Flask, at: str, said: str) -> None:
    with app.test_request_context("/", headers={"Accept-Language": "en"}):
        assert ago.in_a_sentence(at, datetime(2026, 11, 28, 20, 14, tzinfo=UTC), timezone(timedelta(hours=1))) == said


def test_today_is_that_of_the_clock_of_the_tables(club: Club) -> None:
    club.tables._now = clock = Clock()
    table = club.table(title="Saturday")
    page = words(club.app.test_client().get("/").text)
    assert f"Saturday A Tale of Two Cities · Waiting for players · {clock.time.astimezone():%H:%M}" in page
    club.tables.delete_any(table)
    clock.wait(29 * 24 * 3600 + 1)
    page = words(club.app.test_client().get(f"/t/{table}", headers={"Accept-Language": "en"}).text)
    assert "29 days ago" in page
    assert "for 1 more day." in page


def test_a_table_is_listed_without_reading_its_log(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = club.table(title="Saturday")
    monkeypatch.setattr("companion.table.session.Session.lines", None)
    assert table in club.app.test_client().get("/").text
