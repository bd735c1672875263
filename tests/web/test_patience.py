"""A question that waits only for a while, on the pages of a table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from companion import create_app
from companion.kit.game import SCREEN
from companion.web.state import NAME
from tests.support.phones import Table, words
from tests.support.toy_game import TOY
from tests.support.toy_tables import Clock

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(tmp_path: Path, clock: Clock) -> Flask:
    made = create_app(tmp_path, games={"toy": TOY})
    made.testing = True
    made.extensions[NAME].tables._now = clock
    return made


@pytest.fixture
def table(app: Flask) -> Table:
    """Red has cast a spell, which Blue may counter within five seconds."""
    found = Table(app, "toy")
    found.act("red", action="spell")
    return found


def seconds(page: str) -> list[str]:
    return re.findall(r'class="hurry" role="timer" data-seconds="([\d.]+)"', page)


def seen(page: str) -> str:
    (version,) = re.findall(r'data-version="(\d+)"', page)
    return version


def test_who_is_asked_sees_the_time_and_what_counts_after_it(table: Table, clock: Clock) -> None:
    clock.wait(1.5)
    page = table.get("blue").text
    assert seconds(page) == ["3.5"]
    assert "4 s to answer. After that it counts as: No" in words(page)
    assert '<div class="time-up" hidden>' in page


def test_who_waits_sees_the_time_and_may_go_on_after_it(table: Table, clock: Clock) -> None:
    clock.wait(1.5)
    for seat in ("red", "rulekeeper", SCREEN):
        page = table.get(seat).text
        assert seconds(page) == ["3.5"]
        assert "Blue may answer for 4 s" in words(page)
        assert ("Go on without an answer" in page) == (seat != SCREEN)
        assert '<div class="time-up" hidden>' not in page


def test_the_seconds_are_those_of_now_however_often_a_page_was_rendered(table: Table, clock: Clock) -> None:
    for left in ("5.0", "4.0", "3.0"):
        assert seconds(table.get("red").text) == [left]
        assert seconds(table.get("red", "/live").text) == [left]
        clock.wait(1)


def test_a_page_without_scripts_is_loaded_again_when_the_time_is_up(table: Table, clock: Clock) -> None:
    assert 'http-equiv="refresh" content="6;' in table.get("red").text
    clock.wait(3.2)
    assert 'http-equiv="refresh" content="3;' in table.get("red").text
    clock.wait(60)
    assert 'http-equiv="refresh" content="15;' in table.get("red").text


def test_after_the_time_a_tap_goes_on(table: Table, clock: Clock) -> None:
    version = seen(table.get("red").text)
    clock.wait(5)
    assert table.post("red", "/silence", seen=version).status_code == 303
    page = words(table.get("red").text)
    assert "Blue did not answer in time." in page
    assert "may answer" not in page
    assert seconds(table.get("blue").text) == []


def test_before_the_time_a_tap_is_told_how_long_it_is(table: Table, clock: Clock) -> None:
    version = seen(table.get("red").text)
    clock.wait(3)
    answer = table.post("red", "/silence", seen=version)
    assert answer.status_code == 409
    assert "Blue may answer for 2 s more." in words(answer.text)
    assert seconds(answer.text) == ["2.0"]


def test_phones_that_say_it_later_just_see_the_table(table: Table, clock: Clock) -> None:
    version = seen(table.get("red").text)
    clock.wait(5)
    for seat in ("red", "blue", "rulekeeper"):
        answer = table.post(seat, "/silence", htmx=True, seen=version)
        assert answer.status_code == 200
        assert 'role="alert"' not in answer.text
        assert seen(answer.text) == str(int(version) + 1)


def test_the_address_leads_back_to_the_table(table: Table) -> None:
    assert table.get("red", "/silence").headers["Location"] == f"/t/{table.id}/red"


def test_a_script_is_told_the_time_and_may_say_that_it_is_up(table: Table, clock: Clock) -> None:
    client = table.app.test_client()

    def api(seat: str, path: str = "", **sent: object) -> tuple[int, dict[str, object]]:
        headers = {"Authorization": f"Bearer {table.tokens[seat]}"}
        answer = client.open(
            f"/api/tables/{table.id}{path}", method="POST" if sent else "GET", headers=headers, json=sent or None
        )
        return answer.status_code, answer.json

    clock.wait(1)
    _, view = api("blue")
    assert view["asked"]["left"] == 4
    assert (view["asked"]["question"]["patience"], view["asked"]["question"]["silence"]) == (5, "no")
    _, view = api("red")
    assert view["waiting"] == [{"seat": "blue", "why": "Counter it?", "patience": 5, "left": 4, "throw": None}]
    up = {"seen": view["version"], "key": "up"}
    status, problem = api("red", "/silence", **up)
    assert (status, problem["detail"]) == (409, "Blue may answer for 4 s more.")
    clock.wait(4)
    status, done = api("red", "/silence", **up)
    assert (status, done["repeated"], done["reasons"][-1]["text"]) == (200, False, "Blue did not answer in time.")
    assert api("red", "/silence", **up)[1]["repeated"]
    assert api("blue", "/silence", **up)[1]["repeated"]
    assert api("red")[1]["version"] == view["version"] + 1
    assert api("red", "/silence", key="up")[0] == 400
