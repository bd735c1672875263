"""Macro files: made once for all pages, and each page brings its own variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from flask import render_template
from jinja2.environment import TemplateModule

from companion import create_app
from companion.web.page_variables import NAMES, of_page
from tests.support.duel_game import GAME
from tests.support.toy_game import TOY

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(tmp_path, games={"duel": GAME, "toy": TOY})


def test_a_macro_file_is_made_once_for_all_pages(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    client = app.test_client()
    pages = ("/rules/duel/DUEL-1", "/quick")
    before = [client.get(page).text for page in pages]

    def make_again(*_: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(TemplateModule, "__init__", make_again)
    assert [client.get(page).text for page in pages] == before


def test_its_variables_are_those_of_the_page_and_of_no_page_before(app: Flask) -> None:
    games = app.extensions["companion"].games
    for slug in ("duel", "toy", "duel"):
        with app.test_request_context():
            assert of_page("game") is None
            page = render_template("_wrong.html", text=games[slug].name, clause_id="X-1", game=games[slug])
            assert f"/rules/{slug}/X-1" in page
            assert of_page("game") is games[slug]
            assert of_page("seen") is None


def test_a_page_that_has_none_of_them_names_nothing(app: Flask) -> None:
    with app.test_request_context():
        assert [name for name in NAMES if app.jinja_env.globals[name]] == []
