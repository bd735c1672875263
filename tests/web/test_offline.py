"""What is said to phones that may keep something: which pages, whose seats, how Companion is called and looks there."""

from __future__ import annotations

import gzip
import json
import re
import struct
from typing import TYPE_CHECKING, Any

import pytest

from companion import create_app
from companion.web.assets import Assets
from companion.web.guard import HEADERS
from companion.web.offline import FILES, HELD, KEEP
from tests.support.phones import Table

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

SECURE = "https://localhost"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app(tmp_path_factory.mktemp("data"))


def get(app: Flask, path: str, base: str = SECURE, **headers: str) -> Any:
    return app.test_client().get(
        path, base_url=base, headers={name.replace("_", "-"): it for name, it in headers.items()}
    )


READING = ["/dice", "/dice?n=4d6kh3", "/rules", "/rules/two_cities", "/rules/search?q=card", "/quick"]


@pytest.mark.parametrize("path", READING)
@pytest.mark.parametrize("language", ["en", "es"])
def test_what_belongs_to_no_table_may_be_kept(app: Flask, path: str, language: str) -> None:
    assert get(app, path, Accept_Language=language).headers[KEEP] == language
    assert KEEP not in get(app, path, "http://localhost", Accept_Language=language).headers
    assert get(app, path).headers["Cache-Control"] == "no-store", "by whoever lies between"


def test_nothing_else_may_be_kept(app: Flask) -> None:
    table = Table(app, "two_cities")
    host = app.extensions["companion"].host_key
    for seat, client in table.phones.items():
        paths = ["", "/log", "/course", "/corrections", "/stock-take", "/pack-up", "/invite", "/mine", "/live"]
        for path in [
            *(f"/t/{table.id}/{seat}{path}" for path in paths),
            f"/t/{table.id}",
            f"/t/{table.id}/report",
            "/",
        ]:
            assert KEEP not in client.get(path, base_url=SECURE).headers, path
    for path in (
        "/now",
        "/api/games",
        "/api/dice",
        "/rules/none",
        "/dice/qr.svg?n=d6",
        "/offline",
        f"/host/{host}",
        "/sw.js",
    ):
        assert KEEP not in get(app, path).headers, path
    assert KEEP not in app.test_client().post("/dice", base_url=SECURE, data={"n": "d6"}).headers


def test_what_opens_in_the_sheet_may_be_kept_too_but_for_throws(app: Flask) -> None:
    assert get(app, "/rules/two_cities", HX_Request="true").headers[KEEP] == "en"
    assert KEEP not in get(app, "/dice", HX_Request="true").headers


def test_a_phone_is_told_which_seats_it_holds_and_nothing_of_others(app: Flask) -> None:
    table = Table(app, "two_cities")
    phone = table.phone("white", "rulekeeper")
    for token in table.tokens.values():
        phone.set_cookie("seat-black", "x" * len(token), path=f"/t/{table.id}")
    for path in (f"/t/{table.id}/white", f"/t/{table.id}"):
        asked = phone.get(path, headers={"Cookie": cookies(table)}, base_url=SECURE)
        assert sorted(asked.headers[HELD].split()) == ["rulekeeper", "white"], path
        assert HELD not in phone.get(path, headers={"Cookie": cookies(table)}).headers, "nobody keeps anything there"
    assert get(app, f"/t/{table.id}").headers[HELD] == ""
    assert HELD not in get(app, "/t/K7QF22").headers


def cookies(table: Table) -> str:
    held = {seat: table.tokens[seat] for seat in ("white", "rulekeeper")} | {"black": "forged"}
    return "; ".join(f"seat-{seat}={token}" for seat, token in held.items())


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Memory and rulekeeper for the game on your table.", "Dice", "Quick tools", "Rulebook"]),
        (
            "es",
            ["Memoria y árbitro para el juego que tienes en la mesa.", "Dados", "Herramientas rápidas", "Reglamento"],
        ),
    ],
)
def test_the_manifest_speaks_the_language_of_its_page(app: Flask, language: str, words: list[str]) -> None:
    page = get(app, "/", Accept_Language=language).text
    (address,) = re.findall(r'<link rel="manifest" href="([^"]+)"', page)
    assert address == f"/manifest.webmanifest?language={language}"
    answer = get(app, address)  # browsers ask for it without cookies
    assert answer.content_type == "application/manifest+json; charset=utf-8"
    read = json.loads(answer.data)
    assert read["lang"] == language
    assert [read["description"], *(way["name"] for way in read["shortcuts"])] == words
    for address in (read["start_url"], *(way["url"] for way in read["shortcuts"])):
        assert get(app, address).status_code == 200
    for icon in read["icons"]:
        picture = get(app, icon["src"])
        assert picture.content_type == "image/png"
        width, height = struct.unpack(">II", picture.data[16:24])
        assert icon["sizes"] == f"{width}x{height}"
        assert len(picture.data) < 12_000
    assert read["name"] == "Companion"
    odd = get(app, "/manifest.webmanifest?language=fr", Accept_Language=language)
    assert json.loads(odd.data)["lang"] == language


def test_pages_name_none_of_it_without_https(app: Flask) -> None:
    table = Table(app, "two_cities")
    for path, client in (("/", app.test_client()), (f"/t/{table.id}/white", table.phones["white"])):
        page = client.get(path).text
        assert "manifest" not in page
        assert "data-install" not in page


def test_the_worker_knows_its_build_its_files_and_its_words(app: Flask) -> None:
    answer = get(app, "/sw.js")
    assert answer.content_type == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    (known,) = re.findall(r"^const KNOWN = (.*);$", answer.text, re.MULTILINE)
    knows = json.loads(known)
    assets = Assets()
    assert knows["build"] == assets.build
    assert len(knows["files"]) == len(FILES)
    for address in (*knows["files"], *knows["styles"].values(), knows["script"]):
        assert get(app, address).headers["Cache-Control"].endswith("immutable")
    assert {code: words["again"] for code, words in knows["words"].items()} == {
        "en": "Try again",
        "es": "Probar otra vez",
    }
    assert all("{time}" in words[name] for words in knows["words"].values() for name in ("today", "before"))
    assert knows["headers"].items() >= HEADERS.items()
    assert "respondWith" in answer.text


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Companion is out of reach"), ("es", "Sin conexión con Companion")]
)
def test_the_page_that_says_what_to_do_speaks_the_language_it_is_asked_in(
    app: Flask, language: str, words: str
) -> None:
    answer = get(app, f"/offline?language={language}", Accept_Language="en")
    assert f'<html lang="{language}"' in answer.text
    assert words in answer.text
    files = set(re.findall(r'(?:href|src)="/static/[^/]+/([^"#]+)', answer.text)) - {"install.js"}
    assert files <= set(FILES), "it is read where nothing can be fetched"


def test_the_first_play_page_is_light_by_https_too(tmp_path: Path) -> None:
    """60 kB and 8 requests; the live stream and the manifest are counted with it."""
    app = create_app(tmp_path)
    table = Table(app, next(iter(app.extensions["companion"].games)))
    seat = next(seat for seat in table.phones if seat != "rulekeeper")
    packed = {"Accept-Encoding": "gzip"}
    page = table.phones[seat].get(f"/t/{table.id}/{seat}", headers=packed, base_url=SECURE)
    text = re.sub("<noscript>.*?</noscript>", "", gzip.decompress(page.data).decode())
    assert "data-install" in text
    addresses = {*re.findall(r'(?:href|src)="(/static/[^"#]+)', text), "/manifest.webmanifest"}
    weight = len(page.data) + sum(len(get(app, address, **{"Accept-Encoding": "gzip"}).data) for address in addresses)
    assert weight <= 60_000
    assert 2 + len(addresses) <= 8
