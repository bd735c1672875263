"""Two fact sets side by side: the numbers are the lookup's own, the address holds both, a wrong one spoils nothing."""

from __future__ import annotations

import re
from collections import Counter
from copy import copy
from fractions import Fraction
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import create_app
from companion.games import discover
from companion.kit.action import Field
from companion.kit.game import Lookup
from companion.kit.odds import Bar, Chart, Map
from companion.kit.questions import NO, YES
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import Text, say
from companion.web.forms import fields
from companion.web.language import speaker
from companion.web.quick.compare import Comparison, Pair, Row, compare_facts, merge_reasons
from tests.support.duel_game import GAME as DUEL
from tests.support.duel_game import Facts, strike
from tests.support.sizes import some

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

STRIKE = "/quick/duel/strike"
GAMES = {**discover(), "duel": DUEL}
LOOKUPS = sorted((slug, lookup) for slug, game in GAMES.items() for lookup in game.lookups)
CHANGES = sorted(
    (slug, name, field.name)
    for slug, name in LOOKUPS
    for field in fields(GAMES[slug].lookups[name].facts)
    if field.kind != "text"
)
TONGUES = ("en", "es")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    made = create_app(tmp_path_factory.mktemp("data"), games=GAMES)
    made.testing = True
    return made


@pytest.fixture(scope="module")
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def part(page: str, start: str, end: str) -> str:
    """Return what stands between two marks of a page."""
    assert start in page
    return page.partition(start)[2].partition(end)[0]


def differing(page: str) -> list[str]:
    return [plain(item) for item in re.findall(r"<li>(.*?)</li>", part(page, 'class="box differing">', "</div>"))]


def shared(page: str) -> str:
    (address,) = re.findall(r'<p class="to-share"><a href="([^"]*)">', page)
    return unescape(address)


BAR = re.compile(r'<li><span class="bar-label">(.*?)</span>.*?<b title="([^"]*)">', re.DOTALL)
SQUARE = re.compile(r"<title>([^<]*): ([\d/]+)</title>")
ROW = re.compile(r'<li><span class="bar-label">((?:(?!</li>).)*)</span> <span class="points.*?</li>', re.DOTALL)
SIDE = re.compile(r'of-(a|b|ab)">.*?<b title="([^"]*)">', re.DOTALL)


def chances(page: str) -> Counter[tuple[str, str]]:
    """Read every outcome and its chance from a lookup's page."""
    return Counter((plain(label), chance) for label, chance in [*BAR.findall(page), *SQUARE.findall(page)])


def of_sides(page: str) -> dict[str, Counter[tuple[str, str]]]:
    """Read every outcome and its chance from a comparison, for each side."""
    found = {"a": Counter[tuple[str, str]](), "b": Counter[tuple[str, str]]()}
    for box in page.split('<div class="box side-alone">')[1:]:
        letter = part(box, 'class="side-mark side-', '"')
        found[letter] += chances(box.partition("</figure>")[0])
    for row in ROW.finditer(page):
        label, _, other = plain(row[1]).partition(" ( B ")
        for letters, chance in SIDE.findall(row[0]):
            for letter in letters:
                found[letter][other[:-1] if letter == "b" and other else label, chance] += 1
    return found


def another(field: Field) -> list[str]:
    """Find a value of a field that it does not have by default."""
    match field.kind:
        case "yes_no":
            return ["no" if field.value else "yes"]
        case "number":
            return [str(field.low if field.value != field.low else field.low + 1)]
        case "many":
            return [field.options[0].value, field.options[-1].value]
        case _:
            return [next(option.value for option in field.options if option.value != str(field.value))]


@pytest.mark.parametrize(("slug", "name", "changed"), some(CHANGES, every=8))
def test_every_fact_of_every_lookup_can_be_compared(
    app: Flask, client: FlaskClient, slug: str, name: str, changed: str
) -> None:
    lookup = GAMES[slug].lookups[name]
    field = next(field for field in fields(lookup.facts) if field.name == changed)
    if field.kind == "choice" and len(field.options) == 1:
        return
    place, value = f"/quick/{slug}/{name}", another(field)
    answer = client.get(f"{place}/compare", query_string={f"b.{changed}": value})
    alone = {letter: client.get(place, query_string=asked) for letter, asked in (("a", {}), ("b", {changed: value}))}
    assert answer.status_code == max(page.status_code for page in alone.values())

    for letter, found in of_sides(answer.text).items():
        own = chances(alone[letter].text)
        assert own <= found, letter
        assert {chance for _, chance in found - own} <= {"0"}, letter

    for tongue in TONGUES:
        speak = speaker_of(app, slug, tongue)
        page = client.get(
            f"{place}/compare", query_string={f"b.{changed}": value}, headers={"Accept-Language": tongue}
        ).text
        said = f"{speak(field.label)}: {worded(speak, field, field.value)} → {worded(speak, field, value)}"
        assert differing(page) == [said]

    again = client.get(shared(answer.text))
    assert again.text.partition("<main")[2] == answer.text.partition("<main")[2]
    asked = parse_qs(urlsplit(shared(answer.text)).query, keep_blank_values=True)
    assert {key for key in asked if key.startswith("b.")} == {f"b.{changed}"}
    assert client.get(f"{place}/compare/qr.svg?{urlsplit(shared(answer.text)).query}").mimetype == "image/svg+xml"


def speaker_of(app: Flask, slug: str, tongue: str) -> Any:
    with app.app_context():
        found = speaker(slug, tongue)

    def speak(text: Text) -> str:
        with app.app_context():
            return found(text)

    return speak


def worded(speak: Any, field: Field, value: Any) -> str:
    """Say what a fact is, in the words of its form; a number may be left blank."""
    if value is None:
        return "–"
    values = [str(one) for one in value] if isinstance(value, list | tuple) else [str(value)]
    if field.kind == "yes_no":
        return str(speak(YES if value in (True, ["yes"]) else NO))
    labels = {option.value: speak(option.label) for option in field.options}
    return ", ".join(labels.get(one, one) for one in values) or "–"


@pytest.mark.parametrize(("slug", "name"), LOOKUPS)
def test_a_comparison_begins_with_the_facts_of_the_lookup(client: FlaskClient, slug: str, name: str) -> None:
    place = f"/quick/{slug}/{name}"
    page = client.get(f"{place}/compare").text
    assert "A and B are the same so far" in page
    sides = of_sides(page)
    assert sides["a"] == sides["b"]
    assert f'formaction="{place}/compare">What if…?</button>' in client.get(place).text


def test_a_lookup_that_was_thrown_leads_to_what_if_with_its_facts(client: FlaskClient) -> None:
    thrown = client.get(f"{STRIKE}?swords=3&armour=mail&_by=type&_dice=1+2+3").text
    assert f'href="{STRIKE}/compare?swords=3&amp;armour=mail">What if…?</a>' in thrown


def test_the_difference_is_said_in_points_that_agree_with_the_chances(client: FlaskClient) -> None:
    page = client.get(f"{STRIKE}/compare?swords=1&b.swords=3").text
    rows = [plain(row[0]) for row in ROW.finditer(page)]
    assert rows == [
        "0 wounds −25 points A 83 % B 58 %",
        "1 wound +18 points A 17 % B 35 %",
        "2 wounds +7 points A 0 % B 7 %",
        "3 wounds less than 1 point more A 0 % B <1 %",
    ]
    spanish = client.get(f"{STRIKE}/compare?swords=1&b.swords=1&b.armour=mail", headers={"Accept-Language": "es"}).text
    assert next(plain(row[0]) for row in ROW.finditer(spanish)) == "0 heridas igual A B 83 %"


def test_what_the_dice_are_made_of_is_told_of_each_side_and_what_both_need_once(client: FlaskClient) -> None:
    place = "/quick/two_cities/melee"
    told = "heavy infantry TTC-87 : 5 dice"
    assert told in plain(part(client.get(place).text, '<div id="odds"', "<figure"))
    page = client.get(f"{place}/compare?b.attacker_terrain=forest").text
    lines = plain(part(page, '<ul class="side-lines">', "<figure"))
    assert lines == f"A {told} B 5 heavy infantry TTC-87 + 1 forest TTC-88 = 6 dice"
    shot = client.get("/quick/chesswar/bow/compare?b.distance=4").text
    needs = plain(part(shot, '<div class="rests">', "</div>"))
    assert needs.startswith("A Archers (shooter): 3 or more to hit CW-56 B 3 skill + 1 (4 squares away) CW-58")
    assert needs.endswith("A B Orcs (target): 3 or more to save CW-06")


def test_of_what_differs_b_says_only_that_and_a_blank_is_said_too(client: FlaskClient) -> None:
    page = client.get("/quick/chesswar/bow/compare?target_under=protection&b.target_under=").text
    assert differing(page) == ["Affecting the target: Protection → –"]
    assert "b.target_under=" in shared(page).split("&")
    blank = client.get("/quick/chesswar/bow/compare?b.target_under=").text
    assert "A and B are the same so far" in blank
    assert differing(client.get(shared(page)).text) == ["Affecting the target: Protection → –"]


def test_sides_are_swapped_and_b_is_taken_over(client: FlaskClient) -> None:
    page = client.get(f"{STRIKE}/compare?swords=1&b.swords=3").text
    links = {
        plain(words): unescape(href) for href, words in re.findall(r'<a class="button" href="([^"]*)">(.*?)</a>', page)
    }
    assert differing(client.get(links["Swap A and B"]).text) == ["Swords: 3 → 1"]
    taken = client.get(links["B becomes the new A"]).text
    assert "A and B are the same so far" in taken
    assert of_sides(taken)["a"] == chances(client.get(f"{STRIKE}?swords=3").text)
    assert chances(client.get(links["See only B"]).text) == chances(client.get(f"{STRIKE}?swords=3").text)
    forms = re.findall(rf'<form[^>]*method="post" action="{STRIKE}">(.*?)</form>', page, re.DOTALL)
    assert [dict(re.findall(r'name="(\w+)" value="(\w+)"', form))["swords"] for form in forms] == ["1", "3"]


@pytest.mark.parametrize(("query", "wrong"), [("swords=9&b.swords=2", "a"), ("b.swords=many", "b")])
def test_what_does_not_fit_is_said_at_its_side_and_nothing_is_lost(client: FlaskClient, query: str, wrong: str) -> None:
    answer = client.get(f"{STRIKE}/compare?armour=mail&{query}")
    assert answer.status_code == 422
    sides = {letter: part(answer.text, f'id="facts-{letter}"', "</section>") for letter in "ab"}
    told = {letter: 'role="alert"' in html and "Swords: a whole number" in html for letter, html in sides.items()}
    assert told == {letter: letter == wrong for letter in "ab"}
    typed = dict(parse_qsl(query))["swords" if wrong == "a" else "b.swords"]
    assert re.search(rf'name="(b\.)?swords"[^>]*value="{typed}"', sides[wrong])
    assert re.search(r'value="mail"\s+checked', sides[wrong])
    shown = of_sides(answer.text)
    assert not shown.pop(wrong)
    assert all(shown.values())
    assert re.search(rf'id="side-{wrong}"[^>]*checked', answer.text)
    assert f"{wrong.upper()}: Swords" in plain(part(answer.text, 'id="glance"', "</div>"))


def test_an_impossible_side_still_shows_the_other(client: FlaskClient) -> None:
    place = "/quick/two_cities/evasion"
    answer = client.get(f"{place}/compare?b.target=heavy_infantry")
    assert answer.status_code == 422
    assert of_sides(answer.text)["a"] == chances(client.get(place).text) != Counter()
    assert 'role="alert"' in part(answer.text, 'id="facts-b"', "</section>")
    assert 'role="alert"' not in part(answer.text, 'id="facts-a"', "</section>")
    assert client.get(f"{place}/compare/qr.svg?{urlsplit(shared(answer.text)).query}").status_code == 200


def test_the_api_says_on_which_side_odds_can_not_be(client: FlaskClient) -> None:
    place = "/api/games/two_cities/lookups/evasion/compare"
    told = client.post(place, json={"a": {}, "b": {"target": "heavy_infantry"}})
    assert (told.status_code, told.json["field"]) == (422, "b.target")
    told = client.post(place, json={"a": {"target": "heavy_infantry"}, "b": {}})
    assert (told.status_code, told.json["field"]) == (422, "a.target")


def test_what_is_not_there_is_not_found(client: FlaskClient) -> None:
    for address in ("/quick/chess/strike/compare", "/quick/duel/jump/compare", "/quick/duel/jump/compare/qr.svg"):
        assert client.get(address).status_code == 404
    assert client.get(f"{STRIKE}/compare/qr.svg?b.swords=9").status_code == 404


class Written(Facts, frozen=True):
    note: str = ""


def test_an_address_that_no_phone_can_scan_says_so(tmp_path: Path) -> None:
    long = copy(DUEL)
    long.lookups = {"long": Lookup("long", say("Strike"), Written, strike)}
    client = create_app(tmp_path, games={"duel": long}).test_client()
    for place in ("/quick/duel/long", "/quick/duel/long/compare"):
        brief, whole = (client.get(f"{place}?{urlencode({'note': 'x' * size})}").text for size in (10, 2000))
        assert '<img class="qr"' in brief
        assert "too long for a QR code" not in brief
        assert '<img class="qr"' not in whole
        assert "too long for a QR code" in whole
        assert client.get(shared(whole)).status_code == 200


NAMES = st.one_of(
    st.sampled_from(
        ["swords", "b.swords", "armour", "b.armour", "b.", "b._dice", "b.b.swords", "_side", "_by", "_dice"]
    ),
    st.text(max_size=6),
)
VALUES = st.one_of(st.sampled_from(["1", "2", "9", "mail", "", "a", "{x}", "a|b"]), st.text(max_size=12))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=st.lists(st.tuples(NAMES, VALUES), max_size=8), lookup=st.sampled_from([*DUEL.lookups, "no"]))
def test_nothing_sent_makes_it_fail(client: FlaskClient, sent: list[tuple[str, str]], lookup: str) -> None:
    for page in ("compare", "compare/qr.svg"):
        assert client.get(f"/quick/duel/{lookup}/{page}", query_string=sent).status_code < 500


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_facts_of_a_game_make_it_fail(client: FlaskClient, data: st.DataObject) -> None:
    slug, name = data.draw(st.sampled_from(LOOKUPS))
    asked = fields(GAMES[slug].lookups[name].facts)
    values = st.one_of(st.sampled_from([option.value for field in asked for option in field.options] or ["1"]), VALUES)
    names = st.sampled_from([field.name for field in asked] or ["none"])
    sent = data.draw(st.lists(st.tuples(st.sampled_from(["", "b."]), names, values), max_size=8))
    query = [(side + name, value) for side, name, value in sent]
    answer = client.get(f"/quick/{slug}/{name}/compare", query_string=query)
    assert answer.status_code in {200, 422}
    assert (answer.status_code == 422) == ('role="alert"' in answer.text.partition("<main")[2].partition("</main>")[0])


def sides(a: tuple[Chart, ...], b: tuple[Chart, ...]) -> Comparison:
    """Compare a lookup whose two choices have charts of their own."""
    lookup = Lookup("x", say("X"), Facts, rule, lambda facts: a if facts.armour == "none" else b)
    return compare_facts(lookup, {"b.armour": ["mail"]})


def rule(facts: Facts, _: Any) -> Ruling[Facts]:
    return Ruling(facts, say("X"))


def bars(**named: int) -> tuple[Bar, ...]:
    return tuple(Bar(Text(name), Fraction(share, 100)) for name, share in named.items())


def test_charts_are_paired_by_title_and_else_by_what_they_are_about() -> None:
    stands = Chart(say("if it stands"), bars(hit=30, miss=70))
    evades, other = Chart(say("if it evades"), bars(hit=10, miss=90)), Chart(say("who"), bars(them=100))
    found = sides(
        (stands, evades, other), (Chart(say("who"), bars(us=100)), Chart(say("always"), bars(hit=40, miss=60)))
    )
    assert [(one.a and one.a.title.say, one.b and one.b.title.say) for one in found.pairs] == [
        ("if it stands", "always"),
        ("if it evades", None),
        ("who", "who"),
    ]
    assert found.pairs[2].rows == (
        Row(Text("them"), Fraction(1), Fraction(0)),
        Row(Text("us"), Fraction(0), Fraction(1)),
    )
    assert found.glance == found.pairs[0]


def test_what_is_said_of_the_one_is_said_of_the_other_in_its_place() -> None:
    def falls(who: str) -> tuple[Chart, ...]:
        return (Chart(say("Who falls"), (Bar(say("{unit} falls", unit=Text(who)), Fraction(1, 2)),)),)

    (pair,) = sides(falls("none"), falls("mail")).pairs
    assert pair.rows == (
        Row(
            say("{unit} falls", unit=Text("none")),
            Fraction(1, 2),
            Fraction(1, 2),
            say("{unit} falls", unit=Text("mail")),
        ),
    )


def test_at_a_glance_are_the_likeliest_of_either_side_and_no_map() -> None:
    many = Chart(say("many"), bars(a=40, b=1, c=30, d=24, e=5)), Chart(say("many"), bars(a=1, b=90, c=4, d=3, e=2))
    mapped = Chart(say("mapped"), bars(a=100), Map(("a",), ("1",)))
    found = sides((mapped, many[0]), (mapped, many[1])).glance
    assert found is not None
    assert [row.label.say for row in found.glance] == ["a", "b", "c"]
    assert sides((mapped,), (mapped,)).glance is None


def test_reasons_of_both_are_told_once_and_what_differs_of_each() -> None:
    one, two, three, four = (Reason(say(word)) for word in ("one", "two", "three", "four"))
    told = [(line.of, line.reason.text.say) for line in merge_reasons((one, two, four), (one, three, four))]
    assert told == [("both", "one"), ("a", "two"), ("b", "three"), ("both", "four")]
    assert [line.of for line in merge_reasons((one, two), (three,))] == ["a", "a", "b"]


@pytest.mark.parametrize(
    ("a", "b", "points"), [(587, 414, -18), (995, 1000, 0), (3, 0, 0), (0, 4, 0), (124, 126, 1), (500, 500, 0)]
)
def test_points_are_counted_on_the_numbers_that_are_read(a: int, b: int, points: int) -> None:
    (row,) = Pair(None, None, (Row(say("x"), Fraction(a, 1000), Fraction(b, 1000)),)).counted
    assert row.points == points


def test_each_side_of_a_pair_adds_up_to_a_hundred_and_no_point_goes_the_wrong_way() -> None:
    thirds = tuple(Bar(Text(name), Fraction(1, 3)) for name in "abc")
    other = (
        Bar(Text("a"), Fraction(334, 1000)),
        Bar(Text("b"), Fraction(335, 1000)),
        Bar(Text("c"), Fraction(331, 1000)),
    )
    (pair,) = sides((Chart(say("x"), thirds),), (Chart(say("x"), other),)).pairs
    assert [(row.a, row.b, row.points) for row in pair.counted] == [(34, 33, 0), (33, 34, 1), (33, 33, 0)]
