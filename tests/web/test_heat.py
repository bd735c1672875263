"""Charts that lie on a board: drawn as a heat map in look-ups and before an action, and told by the API."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from companion import create_app
from companion.kit.odds import Bar, Chart, Map
from companion.kit.text import Text, say
from companion.web.quick.heat import DEEPEST, LARGEST, PALEST, heat
from tests.support.phones import Table, words
from tests.support.toy_game import RANGE, shot

if TYPE_CHECKING:
    from flask import Flask

SQUARE = re.compile(
    r'<g transform="translate\((\d+) (\d+)\)"><title>([^<]*)</title>'
    r'<rect class="heat-square" width="10" height="10" fill-opacity="([\d.]+)"/><text x="5" y="5">([^<]*)</text></g>'
)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    made = create_app(tmp_path_factory.mktemp("data"), games={"range": RANGE})
    made.testing = True
    return made


def test_squares_stand_where_the_board_has_them() -> None:
    drawn = heat(shot("c3", 8))
    assert drawn is not None
    assert drawn.files == tuple("abcdefgh")
    assert drawn.ranks == tuple("87654321")
    assert [(one.bar.place, one.column, one.row) for one in drawn.squares] == [
        ("c3", 3, 6),
        ("d3", 4, 6),
        ("c4", 3, 5),
    ]
    assert [one.corner for one in drawn.squares] == ["20 50", "30 50", "20 40"]
    assert drawn.view == "-6 0 86 86"
    assert (drawn.named_files[2], drawn.named_ranks[5]) == (("c", 25, 83), ("3", -3, 55))
    assert drawn.under == "M20 50h10v10h-10zM30 50h10v10h-10zM20 40h10v10h-10z"


def test_from_the_other_side_the_board_is_turned() -> None:
    drawn = heat(shot("c3", 16, turned=True))
    assert drawn is not None
    assert (drawn.files[0], drawn.ranks[0]) == ("p", "1")
    assert (drawn.squares[0].column, drawn.squares[0].row) == (14, 3)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("files", "ranks"), [("abcdefgh", 8), ("abcde", 8), ("abcdef", 5)])
def test_the_corner_a1_is_dark(files: str, ranks: int, turned: bool) -> None:
    board = Map(tuple(files), tuple(str(rank + 1) for rank in range(ranks)), turned)
    drawn = heat(Chart(Text("x"), (Bar(Text("a1"), Fraction(1), "a1"), Bar(Text("b1"), Fraction(1), "b1")), board))
    assert drawn is not None
    a1, b1 = (f"M{one.column * 10 - 10} {one.row * 10 - 10}h" for one in drawn.squares)
    assert a1 in drawn.dark
    assert b1 not in drawn.dark
    assert drawn.dark.count("M") in {len(files) * ranks // 2, len(files) * ranks // 2 + 1}


def test_the_larger_the_chance_the_deeper_the_shade() -> None:
    drawn = heat(shot("c3", 8))
    assert drawn is not None
    assert [one.shade for one in drawn.squares] == [DEEPEST, 0.18, 0.18]
    assert PALEST < 0.18 < DEEPEST


def test_what_falls_on_no_square_stays_a_bar() -> None:
    board = Map(("a",), ("1",))
    bars = (Bar(Text("a1"), Fraction(0), "a1"), Bar(Text("z9"), Fraction(1, 2), "z9"), Bar(Text("off"), Fraction(1, 2)))
    drawn = heat(Chart(say("Where"), bars, board))
    assert drawn is not None
    assert drawn.squares == ()
    assert [(bar.label.say, whole) for bar, whole in drawn.others] == [("z9", 50), ("off", 50)]
    assert heat(Chart(say("Where"), bars)) is None


def test_letters_grow_with_the_board_as_far_as_a_square_holds_them() -> None:
    sizes = [drawn.letters for size in (8, 16) if (drawn := heat(shot("c3", size)))]
    assert sizes == [3.6, LARGEST]


def test_a_look_up_draws_where_a_shot_lands(app: Flask) -> None:
    page = app.test_client().get("/quick/range/shot?size=16&at=e5").text
    assert SQUARE.findall(page) == [
        ("40", "110", "on e5: 1/3", "0.4", "34"),
        ("50", "110", "f5: 1/12", "0.18", "8"),
        ("40", "100", "e6: 1/12", "0.18", "8"),
    ]
    assert "Where it lands (per cent)" in words(page)


def test_who_listens_gets_the_squares_as_a_list(app: Flask) -> None:
    said = words(app.test_client().get("/quick/range/shot").text)
    assert "on c3 34 % d3 8 % c4 8 % off the board 50 %" in said
    assert "a1 0 %" not in said


def test_before_an_action_the_odds_are_drawn_too(app: Flask) -> None:
    table = Table(app, "range")
    plan = table.get("red", "/plan?do=action%3Dshoot%26at%3Dc3", headers={"HX-Request": "true"}).text
    assert [one[4] for one in SQUARE.findall(plan)] == ["34", "8", "8"]
    assert "off the board 50 %" in words(plan)


def test_the_api_tells_the_places_and_their_board(app: Flask) -> None:
    answer = app.test_client().post("/api/games/range/lookups/shot/odds", json={"facts": {"size": 8}})
    (chart,) = answer.json["charts"]
    assert chart["map"] == {"files": list("abcdefgh"), "ranks": list("12345678"), "turned": False}
    assert [(bar["place"], bar["chance"]) for bar in chart["bars"]] == [
        ("a1", "0"),
        ("c3", "1/3"),
        ("d3", "1/12"),
        ("c4", "1/12"),
        (None, "1/2"),
    ]
    schemas = app.test_client().get("/api/openapi.json").json["components"]["schemas"]
    assert {"place"} <= schemas["Bar"]["properties"].keys()
    assert schemas["Map"]["required"] == ["files", "ranks"]
