"""Lookups without a table: the address holds everything, chance only comes in by rolling, nothing makes it fail."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import create_app
from companion.kit.odds import Bar, Chart, Map
from companion.kit.text import say
from companion.web.quick.lookups import Step
from tests.support.duel_game import GAME as DUEL

STRIKE = "/quick/duel/strike"
SPANISH = {"Accept-Language": "es"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    app = create_app(tmp_path_factory.mktemp("data"), games={"duel": DUEL})
    app.testing = True
    return app.test_client()


def words(html: str) -> str:
    """Return the words of a page's content without its markup."""
    return " ".join(re.sub(r"<[^>]*>", " ", html.partition("<main")[2].partition("</main>")[0] or html).split())


def test_every_lookup_of_every_game_is_listed(client: FlaskClient) -> None:
    page = client.get("/quick", headers=SPANISH).text
    for slug in DUEL.lookups:
        assert f'href="/quick/duel/{slug}"' in page
    assert "Golpe" in words(page)


def test_the_form_is_filled_in_and_shows_exact_odds(client: FlaskClient) -> None:
    page = client.get(f"{STRIKE}?swords=3&armour=mail", headers=SPANISH).text
    assert re.search(r'name="swords"[^>]*value="3"', page)
    assert re.search(r'value="mail"\s+checked', page)
    assert 'title="1/216"' in page
    assert "3 heridas" in words(page)


def test_the_odds_follow_the_defaults_before_anything_is_chosen(client: FlaskClient) -> None:
    assert 'title="1/36"' in client.get(STRIKE).text


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("swords=9", "Espadas: un número entero"),
        ("swords=many", "Espadas"),
        ("armour=plate", "Armadura"),
        ("_by=type&_dice=one", ""),
        ("_by=type&_choose.dodge=yes&_dice=7+1", ""),
        ("_by=type&_choose.dodge=yes&_dice=1+1+1", ""),
        ("_by=type&_choose.dodge=maybe", ""),
        ("_by=type&_choose.dodge=yes&armour=mail", "No se esquiva con armadura."),
    ],
)
def test_what_does_not_fit_is_said_and_kept_in_the_form(client: FlaskClient, query: str, sentence: str) -> None:
    answer = client.get(f"{STRIKE}?{query}", headers=SPANISH)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert sentence in words(answer.text)
    typed = dict(parse_qsl(query)).get("swords")
    assert typed is None or re.search(rf'name="swords"[^>]*value="{typed}"', answer.text)
    assert client.post(STRIKE, data=dict(parse_qsl(query)) | {"swords": "0"}).status_code == 422


def test_a_refusal_cites_its_clause(client: FlaskClient) -> None:
    page = client.get("/quick/duel/forbid").text
    assert 'href="/rules/duel/DUEL-2"' in page


def test_looking_never_rolls(client: FlaskClient) -> None:
    address = f"{STRIKE}?swords=3&armour=mail&_by=roll"
    pages = {client.get(address).text for _ in range(20)}
    assert len(pages) == 1
    assert "Roll 3 dice" in words(pages.pop())


def test_rolling_goes_on_to_an_address_that_holds_the_faces(client: FlaskClient) -> None:
    """Roll until the shield is asked for; the same address shows the same every time."""
    for _ in range(200):
        answer = client.post(STRIKE, data={"swords": "3", "armour": "mail"})
        assert answer.status_code == 303
        query = dict(parse_qsl(urlsplit(answer.location).query))
        faces = [int(face) for face in query["_dice"].split()]
        assert len(faces) == 3
        page = client.get(answer.location).text
        assert client.get(answer.location).text == page
        assert f"Dice: {', '.join(map(str, faces))}" in page
        if 6 in faces:
            assert "Shield?" in words(page)
            break
        assert "0 wounds" in words(page)
    else:
        pytest.fail("no six in 200 throws of three dice")
    chosen = client.post(STRIKE, data=query | {"_choose.shield": "yes"})
    last = dict(parse_qsl(urlsplit(chosen.location).query))
    assert last["_dice"] == query["_dice"]
    count = faces.count(6) - 1
    assert f"{count} wound" in words(client.get(chosen.location).text)


def test_a_choice_comes_before_the_dice_where_the_rule_asks_so(client: FlaskClient) -> None:
    first = client.post(STRIKE, data={"swords": "1", "armour": "none"}, headers=SPANISH)
    page = client.get(first.location, headers=SPANISH).text
    assert "¿Esquivas?" in words(page)
    assert re.search(r'<button[^>]*name="_choose.dodge" value="yes"[^>]*>Sí</button>', page)
    second = client.post(STRIKE, data=dict(parse_qsl(urlsplit(first.location).query)) | {"_choose.dodge": "yes"})
    assert "_dice=" in second.location
    assert re.search(r"_dice=[1-6]$", second.location)


def test_a_barred_choice_is_shown_with_its_clause(client: FlaskClient) -> None:
    page = client.get(f"{STRIKE}?swords=1&armour=mail&_by=type&_dice=6").text.partition("<main")[2]
    buttons = dict(re.findall(r'<button[^>]*name="_choose.shield" value="(\w+)"([^>]*)>', page))
    assert buttons.keys() == {"no", "yes", "both"}
    assert [value for value, more in buttons.items() if "disabled" in more] == ["both"]
    assert "No dodging in armour." in words(page)
    assert 'href="/rules/duel/DUEL-2"' in page


def test_dice_are_typed(client: FlaskClient) -> None:
    page = client.get(f"{STRIKE}?swords=2&armour=mail&_by=type").text
    assert 'name="_face.1"' in page
    assert 'name="_face.2"' in page
    hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page))
    assert hidden["swords"] == "2"
    typed = client.get(STRIKE, query_string=hidden | {"_face.2": "6", "_face.1": "5", "_choose.shield": "no"})
    assert "1 wound" in words(typed.text)
    assert "Dice: 5, 6" in typed.text
    lacking = client.get(STRIKE, query_string=hidden | {"_face.1": "5"})
    assert lacking.status_code == 422


def test_a_lookup_without_dice_rules_at_once(client: FlaskClient) -> None:
    page = client.get("/quick/duel/rest").text
    assert "Nothing was thrown." in words(page)
    assert "Roll" not in words(page)


def test_the_address_can_be_scanned(client: FlaskClient) -> None:
    page = client.get(f"{STRIKE}?swords=3").text
    source = re.search(r'src="([^"]+qr\.svg[^"]*)"', page)
    assert source is not None
    assert "swords=3" in source[1]
    drawn = client.get(source[1].replace("&amp;", "&"))
    assert drawn.mimetype == "image/svg+xml"
    assert drawn.data.startswith(b"<svg xmlns=")
    assert client.get(f"{STRIKE}/qr.svg?swords=9").status_code == 404


def test_a_result_can_be_scanned_with_its_dice(client: FlaskClient) -> None:
    page = client.get(f"{STRIKE}?swords=2&armour=mail&_by=type&_dice=1+2").text
    (source,) = re.findall(r'<img class="qr" src="([^"]+)"', page)
    assert source.endswith("_by=type&amp;_dice=1+2")
    assert client.get(source.replace("&amp;", "&")).mimetype == "image/svg+xml"


def test_what_is_not_there_is_not_found(client: FlaskClient) -> None:
    for address in ("/quick/chess/strike", "/quick/duel/jump", "/quick/duel/jump/qr.svg"):
        assert client.get(address).status_code == 404
    assert client.post("/quick/duel/jump").status_code == 404


def test_another_site_can_not_roll(client: FlaskClient) -> None:
    assert client.post(STRIKE, headers={"Origin": "http://evil.example"}).status_code == 403


def test_nothing_is_stored(tmp_path: Path) -> None:
    app = create_app(tmp_path, games={"duel": DUEL})
    client = app.test_client()
    client.get(STRIKE)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    client.post(STRIKE, data={"swords": "2", "armour": "mail"})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


NAMES = st.one_of(
    st.sampled_from(["swords", "armour", "_dice", "_face.1", "_face.x", "_by", "_choose.dodge", "_choose.", "lang"]),
    st.text(max_size=6),
)
VALUES = st.one_of(st.sampled_from(["1", "2", "roll", "type", "yes", "6 6", "none", "mail", ""]), st.text(max_size=12))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=st.lists(st.tuples(NAMES, VALUES), max_size=6), lookup=st.sampled_from([*DUEL.lookups, "no"]))
def test_nothing_sent_makes_it_fail(client: FlaskClient, sent: list[tuple[str, str]], lookup: str) -> None:
    address = f"/quick/duel/{lookup}"
    assert client.get(address, query_string=sent).status_code < 500
    assert client.get(f"{address}/qr.svg", query_string=sent).status_code < 500
    assert client.post(address, data=dict(sent)).status_code < 500


def test_very_long_choices_make_no_code(client: FlaskClient) -> None:
    long = "x" * 5000
    assert client.get(f"{STRIKE}/qr.svg?_choose.{long}={long}").status_code == 200
    assert long not in client.get(f"{STRIKE}?_by=type&_choose.{long}={long}").text.partition("<main")[2]
    assert client.get(f"{STRIKE}/qr.svg?_by=type&_choose.dodge={long}").status_code == 404


def glance(page: str) -> str:
    """Read the odds that stand beside the buttons."""
    found = re.search(r'<a class="glance[^>]*>(.*?)</a>', page, re.DOTALL)
    return words(found[1]) if found else ""


def test_the_odds_or_what_is_wrong_are_read_beside_the_buttons(client: FlaskClient) -> None:
    page = client.get(f"{STRIKE}?swords=3&armour=mail").text
    assert re.search(r"^Odds Wounds 0 wounds \d+ % .*3 wounds &lt;1 %$", glance(page))
    assert "Espadas" in glance(client.get(f"{STRIKE}?swords=many", headers=SPANISH).text)


def test_at_a_glance_are_the_likeliest_of_many_and_no_map() -> None:
    def chart(name: str, *chances: int, over: Map | None = None) -> Chart:
        return Chart(say(name), tuple(Bar(say(f"{of}"), Fraction(of, 100)) for of in chances), over)

    few, many = chart("few", 1, 2, 3, 94), chart("many", 5, 40, 1, 30, 24)
    mapped = chart("mapped", 50, 50, over=Map(("a",), ("1",)))
    assert Step(()).glance is None
    assert Step((), charts=(mapped, few)).glance == few
    assert Step((), charts=(mapped,)).glance == mapped
    shown = Step((), charts=(many, few)).glance
    assert shown is not None
    assert [bar.label.say for bar in shown.bars] == ["40", "30", "24"]
