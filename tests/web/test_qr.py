"""The QR codes, read as a phone's camera reads them, by a reader that is not ours."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask

from companion import create_app, terminal
from tests.support.barcodes import DARK, LIGHT, drawn, read
from tests.support.duel_game import GAME as DUEL
from tests.support.phones import Table
from tests.support.toy_game import TOY

ADDRESS = "http://192.168.7.7:8000"
BLOCKS = {
    " ": (DARK, DARK),
    "\N{FULL BLOCK}": (LIGHT, LIGHT),
    "\xa0": (DARK, DARK),
    "\N{UPPER HALF BLOCK}": (LIGHT, DARK),
    "\N{LOWER HALF BLOCK}": (DARK, LIGHT),
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games={"toy": TOY, "duel": DUEL}, address=ADDRESS)
    app.testing = True
    return app


def test_the_invitation_leads_to_the_table(app: Flask) -> None:
    table = Table(app, "toy")
    assert drawn(table.get("rulekeeper", "/invite").text) == [f"{ADDRESS}/t/{table.id}"]


def test_the_shared_screen_shows_the_same_way_in(app: Flask) -> None:
    table = Table(app, "toy", names=("red",))
    assert drawn(table.get("screen").text) == [f"{ADDRESS}/t/{table.id}"]


def test_the_private_code_brings_the_seat_to_another_phone(app: Flask) -> None:
    table = Table(app, "toy")
    (link,) = drawn(table.get("red", "/mine").text)
    assert link.startswith(f"{ADDRESS}/s/{table.id}/red/")
    other = app.test_client()
    assert other.get(urlsplit(link).path, follow_redirects=True).request.path == f"/t/{table.id}/red"
    assert other.get(f"/t/{table.id}/red").status_code == 200


def test_the_code_of_a_look_up_holds_its_facts(app: Flask) -> None:
    page = app.test_client().get("/quick/duel/strike?swords=3").text
    source = re.search(r'src="([^"]+qr\.svg[^"]*)"', page)
    assert source is not None
    (link,) = drawn(app.test_client().get(source[1].replace("&amp;", "&")).text)
    assert link.startswith(f"{ADDRESS}/quick/duel/strike?")
    assert parse_qs(urlsplit(link).query)["swords"] == ["3"]


def test_the_code_in_the_terminal_is_the_first_address(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.show([f"{ADDRESS}/", "http://10.0.0.3:8000/"], f"{ADDRESS}/host/key")
    lines = [line for line in capsys.readouterr().out.splitlines() if line and set(line) <= BLOCKS.keys()]
    rows = [[BLOCKS[block][half] for block in line] for line in lines for half in (0, 1)]
    assert read(rows) == [f"{ADDRESS}/"]


def test_a_picture_without_a_code_says_nothing() -> None:
    assert read([[LIGHT] * 30] * 30) == []
