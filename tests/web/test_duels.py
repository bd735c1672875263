"""Opposed dice on the pages: in the newest ruling, before a question, in the log, the report and a look-up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from companion import create_app
from tests.support.clash_game import CLASH
from tests.support.phones import Table, words

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

PICTURE = re.compile(r'<div class="duel-dice" role="img" aria-label="([^"]+)">')
HEARD = {
    "en": "Attack of the Reds: 6, kicker 4. Defence of the Blues: 6, 3.",
    "es": "Ataque de los Rojos: 6, kicker 4. Defensa de los Azules: 6, 3.",
}
SAID = {
    "en": "6 = 6 cancel each other. Attack of the Reds: kicker 4 beats 3.",
    "es": "6 = 6 se anulan. Ataque de los Rojos: kicker 4 gana a 3.",
}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(tmp_path, games={"clash": CLASH})


def fight(table: Table, ours: list[int], theirs: list[int], kicker: int = 0, **rest: Any) -> None:
    """Attack; what was thrown is typed."""
    table.act(
        "red", action="fight", facts={"attack": len(ours), "defence": len(theirs), "attack_kicker": kicker}, **rest
    )
    for seat, faces in (("red", ours), ("blue", theirs)):
        if faces:
            table.tables.answer(table.id, seat, {"faces": faces}, f"faces-{seat}")


def settled(app: Flask, *pools: Any) -> Table:
    """Return a table at which it was fought out; nobody struck back."""
    table = Table(app, "clash", "typed")
    fight(table, *pools)
    table.tables.answer(table.id, "blue", {"value": "no"}, "back")
    return table


def page(table: Table, path: str = "red", tongue: str = "en") -> str:
    """Return a page of the table as the seat it is for reads it, else as red does."""
    phone = table.phones.get(path, table.phones["red"])
    return phone.get(f"/t/{table.id}/{path}", headers={"Accept-Language": tongue}).text


def drawn(html: str) -> list[tuple[str, str, str]]:
    """Return the pairs of dice on a page as what lies above, between and below."""

    def die(part: str) -> str:
        if "is-none" in part:
            return "-"
        number = re.search(r"is-fixed[^>]*>(\d+)|#d(\d)", part)
        assert number
        return f"[{number[1]}]" if number[1] else number[2]

    pairs = re.findall(
        r'<span class="duel-pair is-(\w+)">(.*?)<b>(.*?)</b>(.*?)</span>\s*(?=<span class="duel-pair|</div>)', html
    )
    return [(die(above), sign, die(below)) for _, above, sign, below in pairs]


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_every_place_that_shows_reasons_draws_opposed_dice_and_says_them(app: Flask, tongue: str) -> None:
    table = settled(app, [6], [3, 6], 4)
    for path in ("red", "screen", "red/log", "report"):
        html = page(table, path, tongue)
        pictures = len(PICTURE.findall(html))
        assert pictures >= 1, path
        assert PICTURE.findall(html) == [HEARD[tongue]] * pictures
        assert words(html).count(SAID[tongue]) == pictures
        assert drawn(html) == [("6", "=", "6"), ("[4]", "&gt;", "3")] * pictures


def test_the_newest_ruling_draws_them_before_anybody_asks_why(app: Flask) -> None:
    html = page(settled(app, [6], [3, 6], 4))
    newest = html.partition('id="last"')[2].partition("</section>")[0]
    assert len(PICTURE.findall(newest.partition("</details>")[2])) == 1
    assert 'data-throw="' in html


def test_whoever_is_asked_sees_the_dice_that_led_to_it(app: Flask) -> None:
    for warned in (False, True):
        table = Table(app, "clash", "typed")
        fight(table, [2, 5], [5], warned=warned)
        for seat in ("blue", "screen"):
            html = page(table, seat)
            place = 'class="before"' if warned and seat == "blue" else 'id="newest"'
            shown = html.partition(place)[2].partition("</ul>")[0]
            assert drawn(shown) == [("5", "=", "5"), ("2", "&gt;", "-")]
            assert "5 = 5 cancel each other. Attack of the Reds: 2 wins, no die stands against it." in words(shown)


def test_places_without_a_die_and_pairs_after_the_decision(app: Flask) -> None:
    html = page(settled(app, [4, 1], [5, 3, 2]))
    assert drawn(html)[:3] == [("4", "&lt;", "5"), ("1", "", "3"), ("-", "", "2")]
    assert re.findall(r"duel-pair is-(\w+)", html)[:3] == ["right", "idle", "idle"]
    assert "Defence of the Blues: 5 beats 4." in words(html)


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        (
            [5, 4],
            [4, 5],
            ("5 = 5, 4 = 4 cancel each other; nothing is left.", "5 = 5, 4 = 4 se anulan; no queda nada."),
        ),
        (
            [],
            [3],
            (
                "Defence of the Blues: 3 wins, no die stands against it.",
                "Defensa de los Azules: 3 gana, no tiene dado enfrente.",
            ),
        ),
        ([], [], ("There are no dice to compare.", "No hay dados que comparar.")),
    ],
)
def test_every_end_is_said(app: Flask, ours: list[int], theirs: list[int], said: tuple[str, str]) -> None:
    table = settled(app, ours, theirs)
    for tongue, sentence in zip(("en", "es"), said, strict=True):
        assert sentence in words(page(table, "red", tongue))


def test_a_side_without_dice_is_said_to_have_none(app: Flask) -> None:
    table = settled(app, [], [3])
    heard = [PICTURE.findall(page(table, "red", tongue))[0] for tongue in ("en", "es")]
    assert heard == [
        "Attack of the Reds: no dice. Defence of the Blues: 3.",
        "Ataque de los Rojos: ningún dado. Defensa de los Azules: 3.",
    ]


def test_dice_have_the_colours_of_their_sides_wherever_seats_are_known(app: Flask) -> None:
    table = settled(app, [6], [3])
    for path in ("red", "red/log", "report"):
        html = page(table, path)
        pair = re.search(r'<span class="duel-pair is-left">(.*?)<b>(.*?)</b>(.*?)</div>', html)
        assert pair, path
        assert "side-red" in pair[1]
        assert "side-blue" in pair[3]
        assert re.findall(r'duel-name"><svg class="token side-(\w+)"', html)[:2] == ["red", "blue"]


def test_a_look_up_draws_them_without_the_colours_of_seats(app: Flask) -> None:
    thrown = "attack=1&defence=1&attack_kicker=4&defence_kicker=0&_by=type&_dice=3+6"
    html = app.test_client().get(f"/quick/clash/clash?{thrown}", headers={"Accept-Language": "es"}).text
    assert drawn(html) == [("[4]", "&lt;", "6"), ("3", "", "-")]
    assert "Defensa de los Azules: 6 gana a kicker 4." in words(html)
    assert "side-" not in html.partition('class="duel"')[2]


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_the_report_as_a_file_says_the_dice(app: Flask, tongue: str) -> None:
    table = settled(app, [6], [3, 6], 4)
    text = page(table, "report.md", tongue)
    assert f"(TOY-1). {HEARD[tongue]} {SAID[tongue]}" in text


def test_the_api_tells_them_pair_by_pair(app: Flask) -> None:
    table = settled(app, [6], [3, 6], 4)
    seen = (
        table.phones["red"]
        .get(
            f"/api/tables/{table.id}",
            headers={"Accept-Language": "es", "Authorization": f"Bearer {table.tokens['red']}"},
        )
        .json
    )
    assert seen["last"]["reasons"][0]["duel"] == {
        "left": "Ataque de los Rojos",
        "right": "Defensa de los Azules",
        "pairs": [
            {"left": 6, "right": 6, "verdict": "tie", "left_fixed": False, "right_fixed": False},
            {"left": 4, "right": 3, "verdict": "left", "left_fixed": True, "right_fixed": False},
        ],
        "left_side": "red",
        "right_side": "blue",
    }
    described = app.test_client().get("/api/openapi.json").json["components"]["schemas"]
    assert set(described["Duel"]["properties"]) == {"left", "right", "pairs", "left_side", "right_side"}
    assert "duel" in described["Reason"]["properties"]
