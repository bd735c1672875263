"""The dice page: its address holds the throw, looking never throws, what is wrong is marked, all works plainly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import create_app
from companion.web.quick import dice
from companion.web.quick.dice import LONGEST_ADDRESS, MOST_TYPED
from tests.support.phones import tidy
from tests.web.test_quick import words

if TYPE_CHECKING:
    from flask.testing import FlaskClient

SPANISH = {"Accept-Language": "es"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    app = create_app(tmp_path_factory.mktemp("data"), games={})
    app.testing = True
    return app.test_client()


def asked(location: str) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(location).query).items()}


def test_a_throw_goes_on_to_an_address_that_holds_the_faces(client: FlaskClient) -> None:
    answer = client.post("/dice", data={"n": "4d6kh3"})
    assert answer.status_code == 303
    query = asked(answer.location)
    faces = sorted(map(int, query["dice"].split()))
    assert query["n"] == "4d6kh3"
    assert len(faces) == 4
    page = client.get(answer.location).text
    assert f"<b>{sum(faces[1:])}</b>" in page
    assert client.get(answer.location).text == page
    assert {client.get("/dice?n=d20&by=roll").text for _ in range(20)} == {client.get("/dice?n=d20&by=roll").text}


def test_every_die_is_shown_with_what_became_of_it(client: FlaskClient) -> None:
    page = client.get("/dice?n=3d6r1!kh2&by=roll&dice=1+6+2+6+3+5").text
    cast = re.findall(r'<span class="away">([^<]*)</span></li>', page)
    assert cast == ["1, rolled again", "6, exploded", "2, left out", "6, exploded", "3, left out", "5, left out"]
    assert "12 in all" in words(page)
    spanish = client.get("/dice?n=3d10>=7f1&by=roll&dice=7+1+10", headers=SPANISH).text
    assert re.findall(r'<span class="away">([^<]*)</span></li>', spanish) == ["7, éxito", "1, fallo", "10, éxito"]
    assert "1 éxito" in words(spanish)


def test_faces_show_their_names(client: FlaskClient) -> None:
    page = client.get("/dice", query_string={"n": "2d{1=hit 2=<b>}", "by": "roll", "dice": "1 2"}).text
    assert "1 hit" in words(page)
    assert "&lt;b&gt;" in page
    typing = client.get("/dice", query_string={"n": "2d{1=hit 3=miss}", "by": "type"}).text
    assert re.findall(r'<label for="dice.1-0-1-\d">([^<]*)</label>', typing) == ["hit", "blank", "miss"]
    fate = client.get("/dice?n=4dF&by=roll&dice=1+2+3+3").text
    assert words(fate).count("+") >= 2


def test_the_odds_stand_there_before_the_throw(client: FlaskClient) -> None:
    page = client.get("/dice?n=2d6", headers=SPANISH).text
    assert 'title="1/6"' in page
    assert "7 de media" in words(page)
    target = client.get("/dice", query_string={"n": "(2d6)>=9"}).text
    assert 'title="5/18"' in target
    large = client.get("/dice?n=1000d10000")
    assert large.status_code == 200
    assert "too many to work out" in words(large.text)


@pytest.mark.parametrize(
    ("notation", "at", "marked"),
    [
        ("2d6 hits", 5, "h"),
        ("2d6+", 5, "…"),
        ("4d6kh5", 4, "k"),
        ("<b>", 2, "b"),
        ("2d6<<", 5, "&lt;"),
        ("d6+ñ", 4, "ñ"),
        ("0d6", 1, "0"),
    ],
)
def test_what_is_no_throw_is_said_and_marked(client: FlaskClient, notation: str, at: int, marked: str) -> None:
    for answer in (client.get("/dice", query_string={"n": notation}), client.post("/dice", data={"n": notation})):
        assert answer.status_code == 422
        assert f"<mark>{marked}</mark>" in answer.text
        assert f"at character {at}" in words(answer.text)
        assert 'role="alert"' in answer.text
        assert re.search(r'id="notation" name="n" value="[^"]+"', answer.text)


def test_an_empty_tray_is_no_throw(client: FlaskClient) -> None:
    assert client.get("/dice").status_code == 200
    assert client.post("/dice").status_code == 422
    assert "no dice yet" in words(client.post("/dice", data={"n": " "}).text)


def test_taps_work_without_a_script(client: FlaskClient) -> None:
    place = "/dice"
    for tap in ("add.6", "add.6", "add.6", "add.20", "take.20", "kh.", "kh.1", "plus.1"):
        query = {"n": asked(place).get("n", ""), "tap": tap}
        answer = client.get("/dice", query_string=query)
        assert answer.status_code == 303
        place = answer.location
    assert asked(place) == {"n": "3d6kh2+1"}
    page = tidy(client.get(place).text)
    assert re.search(r'value="kh\." aria-pressed="true"', page)
    assert client.get("/dice", query_string={"n": "2d6", "tap": "dance"}).status_code == 422
    assert client.get("/dice", query_string={"n": "2d", "tap": "add.6"}).status_code == 422


def test_real_dice_are_typed_group_by_group(client: FlaskClient) -> None:
    page = client.get("/dice", query_string={"n": "2d6!+1d20", "by": "type"}).text
    hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page))
    assert hidden == {"n": "2d6!+1d20", "by": "type", "dice": ""}
    page = client.get("/dice", query_string=hidden | {"face.1": "6", "face.2": "2"}).text
    assert "exploded, one more each: 1d6" in words(page)
    hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page))
    page = client.get("/dice", query_string=hidden | {"face.1": "3"}).text
    hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page))
    assert hidden["dice"] == "6 2 3"
    last = client.get("/dice", query_string=hidden | {"face.1": "17"})
    assert "<b>28</b>" in last.text
    assert "real dice" in words(last.text)


@pytest.mark.parametrize("faces", [{"face.1": "7"}, {"face.1": "x"}, {"dice": "1 2 3"}, {"face.1": "1"}])
def test_wrong_faces_are_refused_and_typed_again(client: FlaskClient, faces: dict[str, str]) -> None:
    answer = client.get("/dice", query_string={"n": "2d6", "by": "type"} | faces)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert 'name="face.2"' in answer.text


def test_so_many_dice_are_not_typed(client: FlaskClient) -> None:
    assert client.get("/dice", query_string={"n": f"{MOST_TYPED}d6", "by": "type"}).status_code == 200
    assert client.get("/dice", query_string={"n": f"{MOST_TYPED + 1}d6", "by": "type"}).status_code == 422


def test_a_thousand_dice_are_shown_and_more_than_an_address_holds_without_one(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = client.post("/dice", data={"n": "1000d10000"})
    assert len(answer.location) <= LONGEST_ADDRESS
    assert client.get(answer.location).text.count('"shape shape-d10000"') == 1000
    monkeypatch.setattr(dice, "LONGEST_ADDRESS", 60)
    at_once = client.post("/dice", data={"n": "100d10000"})
    assert at_once.status_code == 200
    assert at_once.text.count('"shape shape-d10000"') == 100


def test_a_throw_is_shared_as_a_code(client: FlaskClient) -> None:
    assert client.get("/dice/qr.svg?n=4d6kh3&by=roll&dice=1+2+3+4").mimetype == "image/svg+xml"
    assert client.get("/dice/qr.svg?n=4d").status_code == 404


def test_everybody_finds_the_dice(client: FlaskClient) -> None:
    for place in ("/", "/quick"):
        assert 'href="/dice"' in client.get(place).text.partition("<main")[2]
    assert 'href="/dice"' in client.get("/rules").text


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(st.sampled_from(["n", "tap", "by", "dice", "face.1", "face.2"]), st.text(max_size=40), max_size=4),
    st.sampled_from(["", "4d6kh3", "2d6!>=5", "3d{1=a}"]),
    st.sampled_from(["", "roll", "type"]),
)
def test_nothing_that_is_sent_makes_it_fail(client: FlaskClient, sent: dict[str, str], n: str, by: str) -> None:
    query = {"n": n, "by": by} | sent
    assert client.get("/dice", query_string=query).status_code in {200, 303, 422}
    assert client.post("/dice", data=query).status_code in {200, 303, 422}
    assert client.get("/dice/qr.svg", query_string=query).status_code in {200, 404}


@pytest.mark.parametrize(
    ("tongue", "better", "worse"), [("en", "Advantage", "Disadvantage"), ("es", "Ventaja", "Desventaja")]
)
def test_two_dice_of_which_one_counts_have_a_name(client: FlaskClient, tongue: str, better: str, worse: str) -> None:
    page = client.get("/dice", headers={"Accept-Language": tongue}).text
    at_once = dict(re.findall(r'name="n" value="([^"]+)">([^<]+)</button>', page))
    assert (at_once["2d20kh1"], at_once["2d20kl1"]) == (better, worse)
    assert at_once["d20"] == "d20"
