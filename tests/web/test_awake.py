"""What keeps a phone's screen on: the switch with its words, the films, and where a page says that its table rests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion import create_app
from companion.kit.game import RULEKEEPER
from companion.web.assets import Assets
from tests.support.phones import Table, words

if TYPE_CHECKING:
    from flask import Flask


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"))
    app.testing = True
    return app


@pytest.mark.parametrize(
    ("tongue", "label", "film"),
    [
        ("en", "Keep the screen on", "A silent video is playing to keep the screen on."),
        (
            "es",
            "Mantener la pantalla encendida",
            "Se reproduce un vídeo sin sonido para mantener la pantalla encendida.",
        ),
    ],
)
def test_the_switch_comes_with_its_words_and_films(app: Flask, tongue: str, label: str, film: str) -> None:
    answer = app.test_client().get("/awake", headers={"Accept-Language": tongue})
    assert words(answer.text).strip() == label
    assert f'data-film="{film}"' in answer.text
    for name in ("call.css", "awake.mp4", "awake.webm"):
        assert Assets().address(name) in answer.text


@pytest.mark.parametrize(("name", "kind"), [("awake.mp4", "video/mp4"), ("awake.webm", "video/webm")])
def test_a_film_is_sent_whole_or_as_the_part_that_is_asked_for(app: Flask, name: str, kind: str) -> None:
    client, address, film = app.test_client(), Assets().address(name), Assets().assets[name].plain
    size = len(film)
    assert size < 4_000
    for asked in ({}, {"Range": "bytes=0-1,5-6"}, {"Range": "lines=0-1"}, {"Range": "bytes=x"}):
        whole = client.get(address, headers={"Accept-Encoding": "gzip", **asked})
        assert (whole.status_code, whole.content_type, whole.data) == (200, kind, film)
        assert whole.headers["Accept-Ranges"] == "bytes"
        assert "Content-Encoding" not in whole.headers
    for asked, first, end in (("0-1", 0, 2), ("10-", 10, size), ("-5", size - 5, size), ("5-99999", 5, size)):
        part = client.get(address, headers={"Accept-Encoding": "gzip", "Range": f"bytes={asked}"})
        assert (part.status_code, part.content_type, part.data) == (206, kind, film[first:end])
        assert part.headers["Content-Range"] == f"bytes {first}-{end - 1}/{size}"
        assert part.headers["Content-Length"] == str(end - first)
        assert "immutable" in part.headers["Cache-Control"]
    beyond = client.get(address, headers={"Range": f"bytes={size}-"})
    assert (beyond.status_code, beyond.headers["Content-Range"]) == (416, f"bytes */{size}")


def test_the_page_of_a_seat_says_while_its_table_rests_and_what_keeps_it_awake_comes_with_no_page(app: Flask) -> None:
    table = Table(app, "two_cities")

    def rests() -> set[bool]:
        return {" data-rests>" in table.get(seat).text for seat in table.tokens}

    assert rests() == {False}
    for does in (table.tables.pause, table.tables.end):
        does(table.id, RULEKEEPER, on=True, key=f"{does.__name__} on")
        if does == table.tables.end:
            table.tables.consent_to_end(table.id, "black", yes=True, key="agree")
        assert rests() == {True}
        does(table.id, RULEKEEPER, on=False, key=f"{does.__name__} off")
        assert rests() == {False}
    address = Assets().address("call.js")
    for seat in table.tokens:
        page = table.get(seat).text
        assert page.count(address) == page.count(f'data-calls="{address}"') == 1
        assert "awake" not in page
    assert address not in table.get("screen").text
