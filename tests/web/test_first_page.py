"""What the first page does not wait for, and what it finds compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jinja2
import pytest
from jinja2 import FileSystemBytecodeCache

from companion import create_app
from companion.web.pages import TemplateCache, template_cache
from companion.web.rules.rules import Rules
from companion.web.state import NAME
from tests.support.duel_game import GAME

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask


def rules(app: Flask) -> Rules:
    found = app.view_functions["rules.search"].__self__
    assert isinstance(found, Rules)
    return found


def test_the_search_and_the_examples_are_built_after_the_first_page(tmp_path: Path) -> None:
    app = create_app(tmp_path, games={"duel": GAME})
    assert app.test_client().get("/").status_code == 200
    assert "index" not in vars(rules(app))
    assert rules(app).links.cache_info().currsize == 0
    app.extensions[NAME].prepare()
    assert "index" in vars(rules(app))
    assert rules(app).links.cache_info().currsize == 1


def test_who_searches_before_gets_an_answer(tmp_path: Path) -> None:
    app = create_app(tmp_path, games={"duel": GAME})
    found = app.test_client().get("/rules/search?q=DUEL-1").text
    assert "/rules/duel/DUEL-1" in found


def test_templates_are_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = TemplateCache(str(tmp_path))
    monkeypatch.setattr("companion.web.pages.template_cache", lambda _: kept)
    first = create_app(tmp_path, games={"duel": GAME})
    page = first.test_client().get("/").text
    assert list(tmp_path.glob("*.cache"))

    def compile_again(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr("jinja2.Environment._generate", compile_again)
    second = create_app(tmp_path, games={"duel": GAME})
    assert second.test_client().get("/").text == page


def test_a_filter_that_is_called_otherwise_has_templates_of_its_own() -> None:
    @jinja2.pass_context
    def say(_context: object, text: object) -> object:
        return text

    plain, other = template_cache({"say": str}), template_cache({"say": say})
    assert plain is not None
    assert other is not None
    assert plain.pattern != other.pattern


def test_where_no_folder_is_safe_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsafe(_: object) -> str:
        raise RuntimeError

    monkeypatch.setattr(FileSystemBytecodeCache, "_get_default_cache_dir", unsafe)
    assert template_cache({}) is None


def test_a_full_disk_keeps_no_templates_and_shows_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    monkeypatch.setattr("companion.web.pages.template_cache", lambda _: TemplateCache(str(gone)))
    assert create_app(tmp_path, games={"duel": GAME}).test_client().get("/").status_code == 200
    assert not gone.exists()
