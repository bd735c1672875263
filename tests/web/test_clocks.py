"""Clocks on the pages: the time that phones go by, and pages that are the same whenever they are rendered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask

from companion import create_app
from companion.web.fragments import FRAGMENTS, Fragments
from companion.web.state import NAME, AppState
from tests.support.phones import words
from tests.support.toy_tables import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(tmp_path: Path, clock: Clock) -> Flask:
    app = create_app(tmp_path)
    app.testing = True
    app_state(app).tables._now = clock
    return app


def app_state(app: Flask) -> AppState:
    found = app.extensions[NAME]
    assert isinstance(found, AppState)
    return found


def countdown(app: Flask) -> str:
    """Set a table with a countdown of a minute that runs; return its code."""
    tables = app_state(app).tables
    table = tables.create("free_table", "", {"seats": 2}, {"rulekeeper": "Ruth"}).table
    for at, action in enumerate(
        ({"action": "set_timer", "how": "countdown"}, {"action": "run_clock", "tracker": "t1"})
    ):
        tables.act(table, "rulekeeper", action, f"key-{at}")
    return table


def test_a_phone_asks_what_time_it_is_and_nobody_keeps_the_answer(app: Flask, clock: Clock) -> None:
    answer = app.test_client().get("/now")
    assert answer.text == str(int(clock.time.timestamp()) * 1000)
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("text/plain", "no-store")
    clock.wait(0.25)
    assert int(app.test_client().get("/now").text) - int(answer.text) == 250


def test_a_running_clock_is_rendered_the_same_at_any_moment(app: Flask, clock: Clock) -> None:
    table = countdown(app)
    first = app.test_client().get(f"/t/{table}/screen").text
    assert f'data-since="{int(clock.time.timestamp()) * 1000}"' in first
    clock.wait(45)
    app.extensions[FRAGMENTS] = Fragments()
    assert app.test_client().get(f"/t/{table}/screen").text == first


@pytest.mark.parametrize(
    ("tongue", "said"), [("en", "1:00 left at {at}, running"), ("es", "1:00 quedaban a las {at}, en marcha")]
)
def test_a_page_says_since_when_a_clock_runs(app: Flask, clock: Clock, tongue: str, said: str) -> None:
    page = app.test_client().get(f"/t/{countdown(app)}/screen", headers={"Accept-Language": tongue}).text
    at = clock.time.astimezone().strftime("%H:%M:%S")
    assert said.format(at=at) in re.sub(r"\s+", " ", words(page))


def test_in_the_past_no_clock_runs(app: Flask, clock: Clock) -> None:
    table = countdown(app)
    clock.wait(45)
    page = app.test_client().get(f"/t/{table}/screen/replay").text
    assert 'data-left="60000"' in page
    assert "data-since" not in page


def test_only_where_there_is_a_clock_its_script_is_loaded(app: Flask) -> None:
    table = app_state(app).tables.create("free_table", "", {"begin": "scores"}, {"rulekeeper": "Ruth"}).table
    assert "panels.js" not in app.test_client().get(f"/t/{table}/screen").text
    assert "panels.js" in app.test_client().get(f"/t/{countdown(app)}/screen").text


@pytest.mark.parametrize("begin", ["initiative", "chess_clock"])
def test_a_table_can_begin_with_them(app: Flask, begin: str) -> None:
    table = app_state(app).tables.create("free_table", "", {"begin": begin, "seats": 2}, {"rulekeeper": "Ruth"}).table
    shown = words(app.test_client().get(f"/t/{table}/screen", headers={"Accept-Language": "en"}).text)
    assert {"initiative": "Turn order", "chess_clock": "10:00 each, +5 s after each move"}[begin] in shown
