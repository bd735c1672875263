"""Whoever runs Companion shows its key; an address is no key."""

from __future__ import annotations

import stat
import sys
from typing import TYPE_CHECKING

import pytest

from companion import create_app
from companion.table.problem import Problem
from companion.web.host import KEY_FILE, check_host, is_host, read_or_make_key
from companion.web.state import NAME
from tests.support.duel_game import GAME

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(tmp_path, games={"duel": GAME}, address="http://192.168.1.20:8000")


def test_the_key_has_256_bits_is_kept_and_is_this_users_alone(tmp_path: Path) -> None:
    key = read_or_make_key(tmp_path)
    assert len(key) == 43
    assert read_or_make_key(tmp_path) == key
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    other = tmp_path / "other"
    other.mkdir()
    assert read_or_make_key(other) != key


@pytest.mark.parametrize("damage", [b"", b"short", b"\xff" * 43])
def test_a_damaged_key_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / KEY_FILE).write_bytes(damage)
    key = read_or_make_key(tmp_path)
    assert len(key) == 43
    assert read_or_make_key(tmp_path) == key


def test_a_folder_that_can_not_be_written_has_a_key_for_once(tmp_path: Path) -> None:
    assert len(read_or_make_key(tmp_path / "missing")) == 43


def test_the_link_of_the_terminal_brings_the_key_and_nothing_else_does(app: Flask) -> None:
    laptop, phone = app.test_client(), app.test_client()
    key = app.extensions[NAME].host_key
    answer = laptop.get(f"/host/{key}")
    assert (answer.status_code, answer.location) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    for wrong in (key[:-1] + ("A" if key[-1] != "A" else "B"), "x", "é"):
        refused = phone.get(f"/host/{wrong}")
        assert refused.status_code == 404
        assert "Set-Cookie" not in refused.headers
        assert "terminal" in refused.text


def test_a_laptop_that_runs_two_is_the_host_of_both(app: Flask, tmp_path: Path) -> None:
    """A browser sends the cookies of one port to the other one, too."""
    (tmp_path / "other").mkdir()
    other = create_app(tmp_path / "other", games={})
    kept: dict[str, str] = {}
    for one in (app, other):
        answer = one.test_client().get(f"/host/{one.extensions[NAME].host_key}")
        name, _, value = answer.headers["Set-Cookie"].partition(";")[0].partition("=")
        kept[name] = value
    for one in (app, other):
        browser = one.test_client()
        for name, value in kept.items():
            browser.set_cookie(name, value)
        assert browser.get("/host").status_code == 200


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "192.168.1.20"])
def test_an_address_is_no_key(app: Flask, address: str) -> None:
    """Behind a proxy everybody comes from this computer."""
    forwarded = {"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1", "Forwarded": "for=127.0.0.1"}
    with app.test_request_context("/", environ_base={"REMOTE_ADDR": address}, headers=forwarded):
        assert not is_host()
        with pytest.raises(Problem, match="Only the laptop") as refused:
            check_host()
        assert refused.value.status == 403
    with app.test_request_context("/", headers={"Cookie": f"host={app.extensions[NAME].host_key}"}):
        assert is_host()
        check_host()


def test_an_empty_cookie_opens_nothing_where_there_is_no_key(app: Flask) -> None:
    app.extensions[NAME].host_key = ""
    with app.test_request_context("/", headers={"Cookie": "host="}):
        assert not is_host()
