"""The lobby: making a table, finding it, sitting down, asking for a seat, private links, import and report."""

from __future__ import annotations

import io
import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion import create_app
from companion.games.chesswar.game import GAME as CHESSWAR
from companion.table.validation import NAME_LENGTH, TITLE_LENGTH
from companion.web.guard import Guesses
from companion.web.lobby.lobby import LARGEST_LIST
from companion.web.state import NAME
from tests.support.duel_game import GAME as DUEL
from tests.support.export_files import export
from tests.support.phones import Table, tidy, words
from tests.support.toy_game import TOY


@pytest.fixture
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games={"toy": TOY}, address="http://192.168.7.7:8000")
    app.testing = True
    return app


def test_with_one_game_there_is_nothing_to_choose(app: Flask) -> None:
    assert app.test_client().get("/new").headers["Location"] == "/new/toy"


def test_with_several_games_one_is_chosen(tmp_path_factory: pytest.TempPathFactory) -> None:
    app = create_app(tmp_path_factory.mktemp("data"), games={"toy": TOY, "duel": DUEL})
    page = app.test_client().get("/new", headers={"Accept-Language": "es"}).text
    assert "Duelo" in words(page)
    assert 'href="/new/toy"' in page


def test_a_table_is_made_and_its_maker_sits_at_it(app: Flask) -> None:
    phone = app.test_client()
    assert 'name="goal"' in phone.get("/new/toy").text
    made = phone.post(
        "/new/toy", data={"_name": "Ana", "_seat": "red", "_dice": "ask", "_title": "Friday", "goal": "7"}
    )
    assert made.status_code == 303
    where = made.headers["Location"]
    table = where.split("/")[2]
    assert where == f"/t/{table}/rulekeeper/invite"
    invitation = phone.get(where).text
    assert "http://192.168.7.7:8000/t/" in invitation
    assert '<svg class="qr"' in invitation
    assert phone.get(f"/t/{table}/red").status_code == 200
    assert phone.get(f"/t/{table}/blue").status_code == 303
    lobby_page = words(app.test_client().get("/").text)
    assert "Friday" in lobby_page
    assert "Ana" in lobby_page


@pytest.mark.parametrize(
    "wrong",
    [
        {"goal": "0"},
        {"goal": "many"},
        {"mood": "sad"},
        {"_dice": "loaded"},
        {"_seat": "red", "_name": "x" * 300},
        {"_title": "x" * 300},
    ],
)
def test_what_a_table_can_not_be_is_said_and_what_was_typed_is_kept(app: Flask, wrong: dict[str, str]) -> None:
    answer = app.test_client().post("/new/toy", data={"_name": "Ana", **wrong})
    assert 400 <= answer.status_code < 500
    assert 'role="alert"' in answer.text
    assert app.test_client().get("/").text.count("/t/") == 0
    if "_name" not in wrong:
        assert 'value="Ana"' in answer.text


def test_a_game_that_is_none_is_not_found(app: Flask) -> None:
    assert app.test_client().get("/new/chess").status_code == 404
    assert app.test_client().post("/new/chess").status_code == 404


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("/quick/", "/quick"),
        ("/rules/duel/?q=a%20b&q=c", "/rules/duel?q=a+b&q=c"),
        ("/%2Felsewhere.example/", "/elsewhere.example"),
        ("/no%0Awhere///", "/no%0Awhere"),
    ],
)
def test_a_slash_at_the_end_of_an_address_leads_to_the_page_without_it(app: Flask, typed: str, meant: str) -> None:
    answer = app.test_client().get(typed)
    assert (answer.status_code, answer.headers["Location"]) == (308, meant)
    assert app.test_client().post(typed).status_code in {400, 404, 405}


@pytest.mark.parametrize("typed", ["{}", " {} ", "lower", "spaced"])
def test_a_code_is_found_however_it_is_typed(app: Flask, typed: str) -> None:
    code = Table(app, "toy").id
    given = {"lower": code.lower(), "spaced": f"{code[:3]}-{code[3:]}"}.get(typed, typed.format(code))
    answer = app.test_client().get("/go", query_string={"code": given})
    assert answer.headers["Location"] == f"/t/{code}"


@pytest.mark.parametrize("typed", ["", "ZZZZZZ", "'; drop table", "é" * 50, "\x00", "x" * 5000])
def test_a_code_that_is_none_gets_a_sentence(app: Flask, typed: str) -> None:
    answer = app.test_client().get("/go", query_string={"code": typed})
    assert answer.status_code == 404
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize(
    "address",
    ["/t/{}", "/go?code={}", "/t/{}/red", "/t/{}/screen/live", "/t/{}/report.md", "/t/{}/red/log", "/api/tables/{}"],
)
def test_guessing_codes_and_links_ends_soon(app: Flask, address: str) -> None:
    table = Table(app, "toy")
    phone = app.test_client()
    codes = [phone.get(address.format(f"ZZZZ{one}{two}")).status_code for one in "2345" for two in "ABCDEF"]
    assert codes[0] == (200 if address.endswith("live") else 404)
    assert codes[-1] == 429
    assert phone.get(f"/s/{table.id}/red/{'x' * 43}").status_code == 429


def test_whoever_scans_the_code_again_is_led_back_before_he_takes_one_more_seat(app: Flask) -> None:
    keeper = app.test_client()
    made = keeper.post("/new/toy", data={"_name": "Ruth", "_dice": "app", "goal": "7"})
    address = "/t/" + made.headers["Location"].split("/")[2]
    ana = app.test_client()
    ana.post(f"{address}/join", data={"seat": "red", "name": "Ana"})
    back = f'<ul class="rows own-seats"> <li><a href="{address}/red">'
    take = '<button class="button big" name="seat"'
    page = " ".join(ana.get(address).text.split())
    assert page.index(back) < page.index(take)
    for other in (keeper, app.test_client()):
        page = " ".join(other.get(address).text.split())
        assert back not in page
        assert '<button class="button main big" name="seat"' in page


def test_a_second_tap_on_a_seat_leads_to_it_and_asks_nobody(app: Flask) -> None:
    table = Table(app, "toy")
    seen = table.tables.seen(table.id, "red").version
    again = table.phones["red"].post(f"/t/{table.id}/join", data={"seat": "red", "name": "x"})
    assert again.headers["Location"] == f"/t/{table.id}/red"
    assert table.tables.seen(table.id, "red").version == seen


def hidden(page: str, name: str = "key") -> str:
    found = re.search(rf'name="{name}" value="([^"]+)"', page)
    assert found is not None
    return found[1]


def test_a_double_tap_makes_one_table_and_gives_the_phone_the_same_seats(app: Flask) -> None:
    form = app.test_client().get("/new/toy").text
    sent = {"_name": "Ana", "_seat": "red", "_key": hidden(form, "_key")}
    phones = [app.test_client(), app.test_client()]
    first, again = (phone.post("/new/toy", data=sent).headers["Location"] for phone in phones)
    assert first == again
    table = first.split("/")[2]
    assert [phone.get(f"/t/{table}/{seat}").status_code for phone in phones for seat in ("red", "rulekeeper")] == [
        200
    ] * 4
    changed = phones[0].post("/new/toy", data={**sent, "goal": "7"}).headers["Location"]
    assert changed != first, "what asks for something else is a request of its own"
    assert hidden(app.test_client().get("/new/toy").text, "_key") != sent["_key"]


def test_a_seat_whose_first_answer_was_lost_is_given_again(app: Flask) -> None:
    table = Table(app, "toy", names=("blue",))
    sent = {"seat": "red", "name": "Eva", "key": hidden(app.test_client().get(f"/t/{table.id}").text)}
    app.test_client().post(f"/t/{table.id}/join", data=sent)
    version = table.tables.version(table.id)
    phone = app.test_client()
    assert phone.post(f"/t/{table.id}/join", data=sent).headers["Location"] == f"/t/{table.id}/red"
    assert phone.get(f"/t/{table.id}/red").status_code == 200
    assert table.tables.version(table.id) == version
    table.post("rulekeeper", "/release", seat="red")
    late = app.test_client().post(f"/t/{table.id}/join", data=sent)
    assert late.status_code == 409
    assert "given up in the meantime" in words(late.text)
    assert hidden(late.text) != sent["key"]


def test_a_seat_is_asked_for_once_however_often_it_is_tapped(app: Flask) -> None:
    table = Table(app, "toy")
    sent = {"seat": "red", "name": "Eva", "key": hidden(app.test_client().get(f"/t/{table.id}").text)}
    for _ in range(3):
        answer = app.test_client().post(f"/t/{table.id}/join", data=sent)
        assert answer.headers["Location"] == f"/t/{table.id}/knock/red"
    assert len(table.tables.seen(table.id, "rulekeeper").knocks) == 1


def test_a_double_tap_takes_a_file_in_once(app: Flask) -> None:
    table = Table(app, "toy")
    data = export(table.tables, table.id)
    key = hidden(app.test_client().get("/import").text)
    places = [
        app.test_client()
        .post("/import", data={"file": (io.BytesIO(data), "table.json"), "key": sent})
        .headers["Location"]
        for sent in (key, key, "", "")
    ]
    assert places[0] == places[1]
    assert len(set(places)) == 3


def test_a_second_file_meanwhile_is_to_be_tried_again_with_the_same_form(app: Flask) -> None:
    table = Table(app, "toy")
    data = export(table.tables, table.id)
    key = hidden(app.test_client().get("/import").text)

    def post(language: str = "en") -> TestResponse:
        sent = {"file": (io.BytesIO(data), "table.json"), "key": key}
        return app.test_client().post("/import", data=sent, headers={"Accept-Language": language})

    with table.tables._importing:
        for language, sentence in (("en", "Another file is being opened"), ("es", "Ya se está abriendo otro archivo")):
            answer = post(language)
            assert answer.status_code == 429
            assert sentence in words(answer.text)
            assert hidden(answer.text) == key
    assert post().status_code == 303


@pytest.mark.parametrize("key", ["short", "x" * 200, "ñ" * 20])
def test_a_key_that_could_be_guessed_or_kept_by_nobody_is_refused(app: Flask, key: str) -> None:
    table = Table(app, "toy", names=("blue",))
    for address, data in (("/new/toy", {"_key": key}), (f"/t/{table.id}/join", {"seat": "red", "key": key})):
        answer = app.test_client().post(address, data=data)
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text


def test_the_lobby_shows_the_newest_tables_and_leads_to_the_older_ones(app: Flask) -> None:
    tables = [Table(app, "toy", names=("red",)).id for _ in range(LARGEST_LIST + 1)]
    phone = app.test_client()
    first = phone.get("/", headers={"Accept-Language": "es"}).text
    more = re.search(r'href="(/\?after=\d+)"', first)
    assert more is not None
    assert "Mesas anteriores" in words(first)
    second = phone.get(more[1]).text
    listed = [re.findall(r'href="/t/(\w+)"', page) for page in (first, second)]
    assert list(map(len, listed)) == [LARGEST_LIST, 1]
    assert sorted(listed[0] + listed[1]) == sorted(tables)
    assert "Older tables" not in words(second)


@pytest.mark.parametrize("typed", ["", "-1", "x", "²", "9" * 40])
def test_what_is_no_place_in_the_list_is_said(app: Flask, typed: str) -> None:
    assert app.test_client().get("/", query_string={"after": typed}).status_code == 400


def test_guesses_are_forgotten_after_a_while() -> None:
    now = [0.0]
    guesses = Guesses(most=2, seconds=60, clock=lambda: now[0])
    guesses.wrong("a")
    guesses.wrong("a")
    assert guesses.spent("a")
    assert not guesses.spent("b")
    now[0] = 61
    assert not guesses.spent("a")


def test_a_free_seat_is_taken_and_kept(app: Flask) -> None:
    table = Table(app, "toy", names=("blue",))
    phone = app.test_client()
    page = tidy(phone.get(f"/t/{table.id}").text)
    assert 'name="seat" value="red"' in page
    taken = phone.post(f"/t/{table.id}/join", data={"seat": "red", "name": "Eva"})
    assert taken.headers["Location"] == f"/t/{table.id}/red"
    assert phone.get(f"/t/{table.id}/red").status_code == 200
    assert "Eva" in words(phone.get(f"/t/{table.id}").text)


@pytest.mark.parametrize("seat", ["", "green", "screen", "\x00", "rulekeeper"])
def test_a_seat_that_can_not_be_taken_gets_a_sentence(app: Flask, seat: str) -> None:
    table = Table(app, "toy", names=("blue",))
    answer = app.test_client().post(f"/t/{table.id}/join", data={"seat": seat, "name": "Eva"})
    assert 400 <= answer.status_code < 500
    assert 'role="alert"' in answer.text
    assert 'value="Eva"' in answer.text


@pytest.mark.parametrize(
    ("tongue", "loses"),
    [("en", "{} sits there now and would lose the seat"), ("es", "Ese asiento es de {}, que lo perdería")],
)
def test_who_would_lose_a_seat_is_said_before_it_is_handed_over(app: Flask, tongue: str, loses: str) -> None:
    table = Table(app, "toy")
    (now,) = [person.name for person in table.tables.summary(table.id).people if person.seat == "red"]
    for name in ("Eva", now):
        app.test_client().post(f"/t/{table.id}/join", data={"seat": "red", "name": name})
        page = words(table.get("rulekeeper", headers={"Accept-Language": tongue}).text)
        assert page.count(loses.format(now)) == 1, f"said of a stranger, and not of {now}'s new phone"


def test_a_taken_seat_is_asked_for_and_handed_over(app: Flask) -> None:
    table = Table(app, "toy")
    phone = app.test_client()
    asked = phone.post(f"/t/{table.id}/join", data={"seat": "red", "name": "Eva"})
    wait = asked.headers["Location"]
    assert wait == f"/t/{table.id}/knock/red"
    assert 'http-equiv="refresh"' in phone.get(wait).text
    page = table.get("rulekeeper").text
    assert "A new phone wants a seat: red (Eva)" in words(page)
    assert "Eva asks" not in words(table.get("blue").text)
    knock = re.search(r'name="knock" value="([^"]+)"', page)
    assert knock is not None
    assert table.post("blue", "/grant", knock=knock[1], yes="1").status_code == 403
    assert table.post("rulekeeper", "/grant", knock=knock[1], yes="1").status_code == 303
    assert phone.get(wait).headers["Location"] == f"/t/{table.id}/red"
    assert phone.get(f"/t/{table.id}/red").status_code == 200
    assert table.get("red").status_code == 303, "the phone that had the seat before has it no more"


def test_a_seat_that_is_not_handed_over(app: Flask) -> None:
    table = Table(app, "toy")
    phone = app.test_client()
    phone.post(f"/t/{table.id}/join", data={"seat": "red", "name": "Eva"})
    knock = re.search(r'name="knock" value="([^"]+)"', table.get("rulekeeper").text)
    assert knock is not None
    table.post("rulekeeper", "/grant", knock=knock[1], yes="0")
    assert "said no" in words(phone.get(f"/t/{table.id}/knock/red").text)
    assert table.get("red").status_code == 200
    assert app.test_client().get(f"/t/{table.id}/knock/red").status_code == 404
    assert phone.get(f"/t/{table.id}/knock/green").status_code == 404


def test_a_private_link_brings_the_seat_to_another_phone_until_it_is_freed(app: Flask) -> None:
    table = Table(app, "toy")
    link = re.search(rf"/s/{table.id}/red/[\w-]+", table.get("red", "/mine").text)
    assert link is not None
    other = app.test_client()
    assert other.get(link[0]).headers["Location"] == f"/t/{table.id}/red"
    assert table.post("rulekeeper", "/release", seat="red").status_code == 303
    assert other.get(f"/t/{table.id}/red").status_code == 303
    assert app.test_client().get(link[0]).status_code == 404
    assert table.get("blue", "/mine").text.count(table.tokens["rulekeeper"]) == 0


def test_on_the_laptop_the_phones_address_is_shown_and_elsewhere_the_pages_own(app: Flask) -> None:
    table = Table(app, "toy")
    phone = table.phone("red")
    for base, shown in (
        ("http://localhost:8000", "http://192.168.7.7:8000/t/"),
        ("http://127.0.0.1:8000", "http://192.168.7.7:8000/t/"),
        ("http://10.0.0.5:8000", "http://10.0.0.5:8000/t/"),
    ):
        phone.set_cookie(
            "seat-red", table.tokens["red"], domain=base.split("/")[2].split(":")[0], path=f"/t/{table.id}"
        )
        page = phone.get(f"/t/{table.id}/red/invite", base_url=base).text
        assert shown in page


@pytest.mark.parametrize("tongue", ["en", "es"])
@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
def test_where_only_this_computer_reaches_it_a_sentence_stands_for_the_code(
    tmp_path_factory: pytest.TempPathFactory, host: str, tongue: str
) -> None:
    app = create_app(tmp_path_factory.mktemp("data"), games={"toy": TOY}, address=f"http://{host}:8000/")
    table = Table(app, "toy", names=("red",))
    for path, own in (("/invite", "rulekeeper"), ("/mine", "rulekeeper"), ("", "screen")):
        page = table.get(own, path, headers={"Accept-Language": tongue}).text
        assert '<svg class="qr"' not in page
        assert "Scan to join" not in page
        assert "Escanea para unirte" not in page
        said = {"en": "Only this computer reaches Companion", "es": "Solo este ordenador llega a Companion"}[tongue]
        assert (said in words(page)) == (own != "screen")
        assert page.count("--lan-address") == page.count("--host")


def test_settings_are_the_rulekeepers(app: Flask) -> None:
    table = Table(app, "toy")
    assert "disabled" in table.get("red", "/settings").text
    assert table.post("red", "/settings", dice="typed").status_code == 403
    assert table.post("rulekeeper", "/settings", dice="typed").status_code == 303
    assert table.tables.seen(table.id, "red").dice == "typed"
    table.post("rulekeeper", "/settings", title="Late night")
    table.post("rulekeeper", "/settings", pause="1")
    assert "The table is paused." in words(table.get("red").text)
    assert 'name="do"' not in table.get("red").text
    table.post("rulekeeper", "/settings", pause="0")
    table.end()
    ended = words(table.get("red").text)
    assert "Nobody has won" in ended
    assert "Nobody has won" in ended
    assert "Finished" in words(app.test_client().get("/").text)


def test_a_correction_is_made_in_the_open_by_anybody_who_sits_here(app: Flask) -> None:
    table = Table(app, "toy")
    assert table.post("blue", "/correct", **{"v.points.red": "42"}).status_code == 303
    page = words(table.get("red").text)
    assert "42 to 0" in page
    assert "Blue corrects: Points · red: 0 → 42" in page
    wrong = table.post("blue", "/correct", **{"v.points.red": "5000"})
    assert wrong.status_code == 400
    assert "a whole number from 0 to 999" in words(wrong.text)
    assert 'value="5000"' in wrong.text
    assert table.post("blue", "/correct", **{"v.hand.blue": ["1x", "2y"]}).status_code == 303
    assert "1x 2y" in words(table.get("blue").text)


@pytest.mark.parametrize("marks", [{"was.hand.blue": "1x,2y"}, {"v.hand.blue": "1x", "none.hand.blue": "1"}])
def test_a_list_is_not_emptied_by_a_tap_on_an_unmarked_form(app: Flask, marks: dict[str, str]) -> None:
    table = Table(app, "toy")
    table.post("blue", "/correct", **{"v.hand.blue": ["1x", "2y"]})
    wrong = table.post("red", "/correct", **marks)
    assert wrong.status_code == 400
    assert "Mark what belongs there, or “None of these”." in words(wrong.text)
    assert "1x 2y" in words(table.get("blue").text)
    assert table.post("red", "/correct", **{"none.hand.blue": "1"}).status_code == 303
    assert "1x 2y" not in words(table.get("blue").text)


def test_one_save_sets_what_was_changed_in_a_group_and_nothing_else(app: Flask) -> None:
    table = Table(app, "toy")
    sent = {"was.points.red": "0", "v.points.red": "5", "was.points.blue": "0", "v.points.blue": "0"}
    saved = table.post("red", "/correct", seen="1", **sent)
    assert (saved.status_code, saved.location.partition("?")[2]) == (303, "done=points.red#at-points.red")
    assert "Red corrects: Points · blue" not in words(table.get("red").text)
    # Somebody else sets the other one meanwhile: what this page did not touch stays as it is.
    table.post("blue", "/correct", **{"v.points.blue": "9"})
    table.post("red", "/correct", **{**sent, "was.points.red": "5", "v.points.red": "6"})
    assert "6 to 9" in words(table.get("red").text)
    both = {**sent, "v.points.red": "7", "v.points.blue": "5000"}
    wrong = table.post("red", "/correct", **both)
    assert wrong.status_code == 400
    assert "7 to 9" in words(table.get("red").text), "up to the first that can not be"
    assert "blue: a whole number from 0 to 999." in words(wrong.text)
    assert 'id="c-points-blue" name="v.points.blue" value="5000"' in wrong.text
    assert "Nothing was changed." in words(table.post("red", "/correct", **{"was.over": "0", "v.over": "0"}).text)


def test_a_save_tapped_twice_is_one_correction(app: Flask) -> None:
    table = Table(app, "toy")
    form = {"key": "k", "was.points.red": "0", "v.points.red": "5"}
    for _ in range(2):
        assert table.post("red", "/correct", **form).status_code == 303
    assert [line.kind for line in table.tables.report(table.id, "red")].count("correction") == 1


def test_a_stale_page_does_not_undo_what_somebody_else_corrected(app: Flask) -> None:
    table = Table(app, "toy")
    stale = hidden(table.get("red", "/corrections").text, "seen")
    table.post("blue", "/correct", seen=stale, **{"v.points.red": "42"})
    answer = table.post("red", "/correct", seen=stale, **{"v.points.red": "7"})
    assert answer.status_code == 409
    assert "was changed in the meantime: now it is 42" in words(answer.text)
    fresh = hidden(answer.text, "seen")
    assert int(fresh) > int(stale)
    assert table.post("red", "/correct", seen=stale, **{"v.points.blue": "8"}).status_code == 303
    assert table.post("red", "/correct", seen=fresh, **{"v.points.red": "7"}).status_code == 303


def test_forms_take_names_as_long_as_the_table_keeps_them(app: Flask) -> None:
    table = Table(app, "toy", names=("red",))
    pages = [
        ("_title", TITLE_LENGTH, app.test_client().get("/new/toy").text),
        ("title", TITLE_LENGTH, table.get("rulekeeper", "/settings").text),
        ("_name", NAME_LENGTH, app.test_client().get("/new/toy").text),
        ("name", NAME_LENGTH, app.test_client().get(f"/t/{table.id}").text),
        ("name", NAME_LENGTH, table.get("red", "/mine").text),
    ]
    for name, longest, page in pages:
        assert f'name="{name}" maxlength="{longest}"' in page
    made = app.test_client().post("/new/toy", data={"_title": "x" * TITLE_LENGTH, "_name": "y" * NAME_LENGTH})
    assert made.status_code == 303


@pytest.fixture(scope="module")
def chesswar(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games={"chesswar": CHESSWAR})
    app.testing = True
    return app


@pytest.mark.parametrize(
    ("typed", "seats"),
    [
        ({}, "white black"),
        ({"sides": "three"}, "white black red"),
        ({"sides": "four", "_seat": "blue"}, "white black red blue"),
        ({"sides": "two", "_seat": "blue"}, "white black"),
        ({"sides": "dozen", "size": "x"}, "white black"),
        ({"_seat": ""}, "white black"),
    ],
)
def test_a_new_table_offers_the_seats_of_what_it_agrees_on(chesswar: Flask, typed: dict[str, str], seats: str) -> None:
    page = chesswar.test_client().get("/new/chesswar", query_string=typed)
    assert page.status_code == 200
    offered = re.findall(r'name="_seat" value="(\w*)"( checked)?', page.text)
    assert [seat for seat, _ in offered] == [*seats.split(), ""]
    mine = typed.get("_seat", "white")
    assert [seat for seat, chosen in offered if chosen] == [mine if mine in ["", *seats.split()] else "white"]


def test_who_sits_down_reads_who_plays_together(chesswar: Flask) -> None:
    page = chesswar.test_client().get("/new/chesswar?sides=teams").text
    assert "White · with Red" in words(page)
    table = Table(chesswar, "chesswar", sides="teams", names=("white",))
    page = words(chesswar.test_client().get(f"/t/{table.id}").text)
    assert "Red with White" in page, "a free seat"
    assert "Ask for White with Red" in page, "and a taken one"
    assert "Black with Blue" in words(table.get("rulekeeper", "/invite").text)
    assert (
        "with" not in words(chesswar.test_client().get("/new/chesswar?sides=four").text).partition("Your seat")[2][:60]
    )


def test_the_maker_of_a_table_takes_any_of_its_seats(chesswar: Flask) -> None:
    phone = chesswar.test_client()
    made = phone.post("/new/chesswar", data={"_name": "Ana", "_seat": "blue", "sides": "four"})
    table = made.headers["Location"].split("/")[2]
    assert phone.get(f"/t/{table}/blue").status_code == 200
    page = tidy(phone.get(made.headers["Location"]).text)
    forms = re.findall(r'<form method="post" action="/t/\w+/join">(.*?)</form>', page, re.DOTALL)
    assert [words(form).strip() for form in forms] == ["Play as White", "Play as Black", "Play as Red"]
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', forms[2]))
    assert sent["seat"] == "red"
    taken = [phone.post(f"/t/{table}/join", data=sent) for _ in "twice"]
    assert {answer.headers["Location"] for answer in taken} == {f"/t/{table}/red"}
    assert phone.get(f"/t/{table}/red").status_code == 200
    assert "Red Ana" in words(phone.get(f"/t/{table}/rulekeeper/invite").text)


def test_a_table_that_was_taken_in_is_gone_on_with_from_any_seat(chesswar: Flask) -> None:
    table = Table(chesswar, "chesswar")
    data = table.phones["rulekeeper"].post(f"/t/{table.id}/export.json").data
    phone = chesswar.test_client()
    again = phone.post("/import", data={"file": (io.BytesIO(data), "table.json")}).headers["Location"]
    page = tidy(phone.get(again).text)
    assert "Play as White" in words(page)
    table_id = again.split("/")[2]
    white = re.search(r'name="key" value="([^"]+)"><input type="hidden" name="name" value="White">', page)
    assert white is not None, "under the name of who sat there"
    sat = phone.post(f"/t/{table_id}/join", data={"key": white[1], "name": "White", "seat": "white"})
    assert sat.headers["Location"] == f"/t/{table_id}/white"
    assert "Play as Black" in words(phone.get(again).text)
    assert "Play as Black" not in words(phone.get(f"/t/{table_id}/white/invite").text), "its player has a seat already"


def test_a_finished_table_is_read_kept_and_taken_in_again(app: Flask) -> None:
    table = Table(app, "toy")
    table.tables.rename(table.id, "red", "Ana", "name")
    table.act("red", action="roll", dice=2)
    table.act("red", action="draw", count=2)
    report = app.test_client().get(f"/t/{table.id}/report", headers={"Accept-Language": "es"})
    assert report.status_code == 200
    assert "TOY-2" in report.text
    text = app.test_client().get(f"/t/{table.id}/report.md")
    assert text.mimetype == "text/markdown"
    assert "attachment" in text.headers["Content-Disposition"]
    assert re.search(r"\(TOY-2\): \d \d", text.text)
    assert "You drew" not in text.text + report.text
    assert app.test_client().get(f"/t/{table.id}/export.json").status_code == 403
    assert table.phones["red"].get(f"/t/{table.id}/export.json").status_code == 403
    data = table.phones["rulekeeper"].post(f"/t/{table.id}/export.json").data
    phone = app.test_client()
    taken = phone.post("/import", data={"file": (io.BytesIO(data), "table.json")})
    assert taken.status_code == 303
    again = taken.headers["Location"].split("/")[2]
    assert again != table.id
    assert phone.get(f"/t/{again}/rulekeeper").status_code == 200
    assert words(phone.get(f"/t/{again}/report").text).count("TOY-2") == words(report.text).count("TOY-2")
    assert "formerly Ana" in words(app.test_client().get(f"/t/{again}").text)
    for page in (f"/t/{again}/rulekeeper", f"/t/{again}/rulekeeper/invite"):
        assert "free · formerly Ana" in words(phone.get(page).text)


def links(page: str) -> list[str]:
    return re.findall(r'href="(/t/[^"?]+)"', page)


def test_the_report_leads_everybody_back_to_where_they_came_from(app: Flask) -> None:
    table = Table(app, "toy")
    here, file = f"/t/{table.id}", f"/t/{table.id}/export.json"

    others = ("/report.md", "/statistics", "/replay.html", "/replay.txt", "/replay.json")

    def report(phone: FlaskClient) -> list[str]:
        return [link for link in links(phone.get(f"{here}/report").text) if not link.endswith(others)]

    assert report(table.phones["red"]) == [f"{here}/red"]
    assert report(table.phones["rulekeeper"]) == [f"{here}/rulekeeper", file]
    assert report(app.test_client()) == [f"{here}/screen", here]
    table.act("red", action="stop")
    assert report(table.phones["red"]) == [f"{here}/red", file]
    for link in report(table.phones["red"]):
        assert table.phones["red"].get(link).status_code == 200
    maker = app.test_client()
    made = maker.post("/new/toy", data={"_name": "Ana", "_seat": "red"}).headers["Location"].rpartition("/")[0]
    both = words(maker.get(f"{made.rpartition('/')[0]}/report").text)
    assert "To the table: red" in both
    assert "To the table: Rulekeeper" in both


def test_the_report_says_a_headline_once_with_its_clause(tmp_path_factory: pytest.TempPathFactory) -> None:
    app = create_app(tmp_path_factory.mktemp("data"))
    tables = app.extensions[NAME].tables
    made = tables.create("two_cities", "", {}, {"rulekeeper": "Ruth"}, "app")
    for seat in ("white", "black"):
        tables.act(made.table, "rulekeeper", {"action": "ready", "for": seat}, seat)
    page = words(app.test_client().get(f"/t/{made.table}/report").text)
    assert page.count("White begins") == 1
    assert "White begins TTC-16" in page
    text = app.test_client().get(f"/t/{made.table}/report.md").text
    assert text.count("White begins") == 1
    assert "**White begins** (TTC-16)" in text


def test_the_report_takes_off_what_a_reason_takes_off(tmp_path_factory: pytest.TempPathFactory) -> None:
    app = create_app(tmp_path_factory.mktemp("data"))
    tables = app.extensions[NAME].tables
    table = tables.create("two_cities", "", {}, {"rulekeeper": "Ruth"}, "app").table
    for path, value in (
        ("terrain.forest.1", "off"),
        ("terrain.forest.1", "off"),
        ("terrain.hill.1", "off"),
        ("terrain.hill.1", "off"),
        ("terrain.forest.1", "a5"),
        ("terrain.forest.2", "a6"),
        ("terrain.hill.1", "d3"),
        ("terrain.hill.2", "h6"),
        ("unit.wc.square", "d3"),
        ("unit.bc.square", "d4"),
    ):
        tables.correct(table, "rulekeeper", path, value, f"{path} {value} {tables.version(table)}")
    for seat in ("white", "black"):
        tables.act(table, "rulekeeper", {"action": "ready", "for": seat}, seat)
    tables.correct(table, "rulekeeper", "cards.white", "AH,2H,10S", "cards")
    for name, rest in (("play_card", {"card": "AH"}), ("attack", {"unit": "wc", "target": "bc"})):
        tables.act(table, "rulekeeper", {"action": name, "for": "white", **rest}, name)
    text = app.test_client().get(f"/t/{table}/report.md").text
    assert "5 heavy infantry (TTC-87) − 1 hill (TTC-89) = 4 dice" in text


def test_the_report_says_who_when_and_whose_dice(app: Flask) -> None:
    table = Table(app, "toy", dice="typed")
    table.act("red", action="roll", dice=2)
    table.tables.answer(table.id, "red", {"faces": [3, 5]}, "faces")
    lines = {
        lang: table.phones["red"].get(f"/t/{table.id}/report.md", headers={"Accept-Language": lang}).text
        for lang in ("en", "es")
    }
    when = r"\d{4}-\d\d-\d\d \d\d:\d\d"
    for lang, real in (("en", "dice from the real table"), ("es", "dados de la mesa real")):
        assert re.search(rf"^\d+\. \*\*.+\*\* · Red · {when} · {real}$", lines[lang], re.MULTILINE)
    assert lines["en"].count("dice from the real table") == 1


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[[[[", b"\xff\xfe\x00", b'{"format": "companion-table"}', b"[" * 100_000]
)
def test_a_damaged_file_is_refused_whole(app: Flask, data: bytes) -> None:
    answer = app.test_client().post("/import", data={"file": (io.BytesIO(data), "table.json")})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert app.test_client().get("/").text.count('href="/t/') == 0


def test_an_import_without_a_file_is_refused(app: Flask) -> None:
    assert app.test_client().post("/import").status_code == 400
    assert app.test_client().post("/import", data={"file": "text"}).status_code == 400


def test_a_report_of_no_table_is_not_found(app: Flask) -> None:
    for path in ("report", "report.md", "export.json", "knock/red", "screen", "red", "screen/live"):
        answer = app.test_client().get(f"/t/QQQQQQ/{path}")
        assert answer.status_code in {303, 404} or answer.text.startswith("event: gone"), path
    assert json.loads(app.test_client().get("/api/tables/QQQQQQ").data)["status"] == 404


def test_a_phone_whose_seat_was_freed_or_taken_over_is_told_what_happened_until_it_sits(app: Flask) -> None:
    table = Table(app, "toy")
    red, blue = table.phone("red"), table.phone("blue")
    assert "your seat" not in words(red.get(f"/t/{table.id}").text)
    assert "your seat" not in words(app.test_client().get(f"/t/{table.id}").text)
    asking = app.test_client()
    asking.post(f"/t/{table.id}/join", data={"seat": "blue", "name": "Eva"})
    knock = re.search(r'name="knock" value="([^"]+)"', table.get("rulekeeper").text)
    assert knock is not None
    table.post("rulekeeper", "/grant", knock=knock[1], yes="1")
    table.post("rulekeeper", "/release", seat="red")
    freed, taken = (
        phone.get(f"/t/{table.id}/{seat}", follow_redirects=True).text for phone, seat in ((red, "red"), (blue, "blue"))
    )
    assert "red: your seat is free now. Take it again, or another one." in words(freed)
    assert "blue: your seat is on another phone now (Eva). If you want it back, ask for it below." in words(taken)
    assert "another phone" not in words(freed)
    assert "is free now" not in words(taken)
    folds = ['<details class="box fold" open>' in page for page in (freed, taken)]
    assert folds == [False, True], "where it can be asked for"
    assert "your seat is free" in words(red.get(f"/t/{table.id}").text), "until it sits"
    assert red.post(f"/t/{table.id}/join", data={"seat": "red", "name": "Red"}).status_code == 303
    assert "your seat" not in words(red.get(f"/t/{table.id}").text)


def test_a_phone_that_still_has_a_seat_is_told_once_of_one_that_it_lost(app: Flask) -> None:
    table = Table(app, "toy")
    both = table.phone("red")
    both.set_cookie("seat-blue", table.tokens["blue"], path=f"/t/{table.id}")
    table.post("rulekeeper", "/release", seat="blue")
    assert "blue: your seat is free now" in words(both.get(f"/t/{table.id}").text)
    assert "your seat is free" not in words(both.get(f"/t/{table.id}").text)
    assert both.get(f"/t/{table.id}/red").status_code == 200


def test_nobody_is_offered_to_ask_for_the_rulekeepers_seat(app: Flask) -> None:
    table = Table(app, "toy")
    page = app.test_client().get(f"/t/{table.id}").text
    assert 'value="rulekeeper"' not in page
    assert "Ask for Rulekeeper" not in words(page)
    assert "Are you the rulekeeper? Open your private link on this phone" in words(page)
    assert "Are you the rulekeeper?" not in words(table.phone("rulekeeper").get(f"/t/{table.id}").text)
    refused = app.test_client().post(f"/t/{table.id}/join", data={"seat": "rulekeeper", "name": "Eve"})
    assert refused.status_code == 403
    assert "opens with its private link only" in words(refused.text)
