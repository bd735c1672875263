"""Dice by the API: thrown or given, every die named, odds as fractions, what is wrong at its character."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import create_app

if TYPE_CHECKING:
    from flask.testing import FlaskClient


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    app = create_app(tmp_path_factory.mktemp("data"), games={})
    app.testing = True
    return app.test_client()


def test_companion_rolls(client: FlaskClient) -> None:
    answer = client.post("/api/dice", json={"notation": "4d6kh3"}).json
    assert len(answer["faces"]) == 4
    assert answer["outcome"]["total"] == sum(sorted(answer["faces"])[1:])
    (part,) = answer["outcome"]["handfuls"]
    assert [die["face"] for die in part["dice"]] == answer["faces"]
    assert [die["standing"] for die in part["dice"]].count("dropped") == 1


def test_dice_are_given(client: FlaskClient) -> None:
    answer = client.post("/api/dice", json={"notation": "2d6!+1d8-1", "dice": [6, 2, 5, 3]}).json
    assert answer["faces"] == [6, 2, 5, 3]
    assert answer["outcome"]["total"] == 15
    assert answer["outcome"]["reasons"][-1]["text"] == "in all"
    target = client.post("/api/dice", json={"notation": "(2d6)>=9", "dice": [6, 2]}).json["outcome"]
    assert (target["total"], target["reached"]) == (8, False)
    names = client.post("/api/dice", json={"notation": "2d{1=hit}", "dice": [1, 2]}).json["outcome"]
    assert names["total"] is None
    assert names["names"] == [{"name": "hit", "count": 1}, {"name": "", "count": 1}]
    more = client.post("/api/dice", json={"notation": "3d6", "dice": [6], "roll": True})
    assert more.status_code == 422
    on = client.post("/api/dice", json={"notation": "1d6+2d8", "dice": [6], "roll": True}).json
    assert on["faces"][0] == 6
    assert len(on["faces"]) == 3


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"notation": "2d6", "dice": [6]}, 422, "dice"),
        ({"notation": "2d6", "dice": [6, 7]}, 422, "dice"),
        ({"notation": "2d6", "dice": [6, 6, 6]}, 422, "dice"),
        ({"notation": "2d6", "dice": [0, 1]}, 400, "dice[0]"),
        ({"notation": "2d", "dice": [1]}, 422, "notation"),
        ({"notation": "d" * 301}, 400, "notation"),
        ({}, 400, "notation"),
        ({"notation": "2d6", "sides": 3}, 400, "sides"),
    ],
)
def test_what_is_wrong_is_named(client: FlaskClient, body: dict[str, Any], status: int, field: str) -> None:
    answer = client.post("/api/dice", json=body)
    assert answer.status_code == status
    assert answer.mimetype == "application/problem+json"
    assert answer.json["field"] == field


def test_a_wrong_notation_names_the_character(client: FlaskClient) -> None:
    for place in ("/api/dice", "/api/dice/odds"):
        answer = client.post(place, json={"notation": "4d6kh5"}, headers={"Accept-Language": "es"})
        assert answer.status_code == 422
        assert answer.json["detail"] == "En el carácter 4: Solo hay 4 dados."


def test_odds_are_exact(client: FlaskClient) -> None:
    answer = client.post("/api/dice/odds", json={"notation": "3d10>=7"}).json
    assert {number: Fraction(chance) for number, chance in answer["totals"].items()} == {
        "0": Fraction(27, 125),
        "1": Fraction(54, 125),
        "2": Fraction(36, 125),
        "3": Fraction(8, 125),
    }
    assert answer["charts"][0]["bars"][0] == {"label": "0", "chance": "27/125", "place": None}
    large = client.post("/api/dice/odds", json={"notation": "300d6"}).json["totals"]
    assert len(large) == 1501
    assert large["300"] == f"1/{6**300}"
    assert client.post("/api/dice/odds", json={"notation": "2d{1=hit}"}).json["totals"] == {}
    target = client.post("/api/dice/odds", json={"notation": "(2d6)>=9"}).json
    assert target["charts"][0]["bars"][0]["chance"] == "5/18"
    many = client.post("/api/dice/odds", json={"notation": "1000d10000"})
    assert many.status_code == 422
    assert many.json["field"] == "notation"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.one_of(st.text(max_size=40), st.text(alphabet="0123456789d+-*/()khlr!><=fF%", max_size=40)),
    st.none() | st.lists(st.integers(-1, 10_001), max_size=5),
)
def test_nothing_that_is_sent_makes_it_fail(client: FlaskClient, notation: str, dice: list[int] | None) -> None:
    given = {} if dice is None else {"dice": dice}
    assert client.post("/api/dice", json={"notation": notation} | given).status_code in {200, 400, 422}
    assert client.post("/api/dice/odds", json={"notation": notation}).status_code in {200, 422}
