"""The play page: forms without scripts, fragments with them, secrets, stale forms, double taps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, render_template_string

from companion import create_app
from companion.games.free_table.game import GAME as FREE_TABLE
from companion.games.history_of_war.game import GAME as HISTORY_OF_WAR
from companion.games.two_cities.game import GAME as TWO_CITIES
from companion.kit.game import SCREEN
from companion.kit.ruling import Reason, taken_away, total
from companion.kit.text import Text, say
from companion.table.store import Store
from companion.web.language import speaker
from companion.web.pages import says_number
from companion.web.play.report import arithmetic
from companion.web.state import NAME
from tests.support import history_of_war_positions as positions
from tests.support.duel_game import GAME as DUEL
from tests.support.phones import Table, words
from tests.support.plain_games import posed
from tests.support.toy_game import TOY


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games={"toy": TOY})
    app.testing = True
    return app


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app, "toy")


def test_a_number_that_only_stands_in_a_name_is_still_said() -> None:
    trolls = say("{unit} {number}", unit=say("Trolls"), number="1")
    assert not says_number(say("combat of {unit}", unit=trolls), 1)
    assert not says_number(say("A 1 is a hit"), 1)
    assert not says_number(say("{left} left", left=2), -2)
    assert not says_number(say("{left} left − no more", left=2), 3)
    assert says_number(say("− {unit} {combat}", unit=trolls, combat=2), -2)
    assert says_number(say("{unit}, shot: {dice}", unit=trolls, dice=say("{count} die|{count} dice", count=1)), 1)


def test_a_page_shows_whose_turn_it_is_and_what_can_be_done(table: Table) -> None:
    page = table.get("red")
    assert page.status_code == 200
    assert "Add" in words(page.text)
    assert 'id="dock"' in page.text
    assert "Add" not in words(table.get("blue").text)


def test_what_is_to_be_done_is_a_heading_without_a_stop(tmp_path: Path) -> None:
    table = Table(create_app(tmp_path), "two_cities", "typed")
    assert table.tables.seen(table.id, "white").view.headline.say.endswith("ready.")
    (now,) = re.findall(r'<p class="now">([^<]*)</p>', table.get("white").text)
    assert now.endswith("say when you are ready")


def test_without_scripts_a_form_does_it_and_leads_back_to_the_page(table: Table) -> None:
    done = table.post("red", "/act", do="action=add", **{"f.points": "7"})
    assert (done.status_code, done.headers["Location"]) == (303, f"/t/{table.id}/red")
    assert "7 to 0" in words(table.get("red").text)


def test_without_scripts_a_page_is_loaded_again_only_while_it_waits_for_others(table: Table) -> None:
    again = f'http-equiv="refresh" content="15; url=/t/{table.id}/blue"'
    assert again in table.get("blue").text
    assert "http-equiv" not in table.get("red").text
    assert 'http-equiv="refresh"' in table.get(SCREEN).text


def test_with_scripts_the_same_form_brings_the_new_state(table: Table) -> None:
    done = table.post("red", "/act", htmx=True, do="action=add", **{"f.points": "7"})
    assert done.status_code == 200
    assert done.text.startswith('<div class="play')
    assert "7 to 0" in words(done.text)


def test_a_double_tap_does_it_once(table: Table) -> None:
    for _ in range(3):
        assert table.post("red", "/act", key="v1", do="action=add", **{"f.points": "2"}).status_code == 303
    assert "2 to 0" in words(table.get("red").text)


def test_two_things_of_one_page_are_two_things(table: Table) -> None:
    table.post("red", "/act", key="v1", do="action=add", **{"f.points": "2"})
    table.post("red", "/act", key="v1", do="action=add", **{"f.points": "3"})
    assert "5 to 0" in words(table.get("red").text)


def test_a_refusal_stands_in_the_dock_with_its_clause_in_both_languages(table: Table) -> None:
    refused = table.post("blue", "/act", htmx=True, do="action=add")
    assert refused.status_code == 422
    assert 'role="alert"' in refused.text
    assert "TOY-1" in words(refused.text)
    page = table.post("blue", "/act", do="action=add")
    assert page.status_code == 422
    assert "<html" in page.text


OPENED = re.compile(r'<(details) class="(?:why|values-now)".*?</details>|<(ol) class="lines">.*?</ol>', re.DOTALL)
"""What names its rules, because somebody has asked for it."""


@pytest.mark.parametrize(("tongue", "why"), [("en", "Why"), ("es", "Por qué")])
def test_what_nobody_has_opened_leads_to_its_rule_by_a_sign(tmp_path: Path, tongue: str, why: str) -> None:
    playing = Table(create_app(tmp_path, games={"two_cities": TWO_CITIES}), "two_cities")
    for side in ("white", "black"):
        playing.act(side, action="ready")
    page = playing.get("white", headers={"Accept-Language": tongue}).text
    stage = OPENED.sub("", page.partition('id="state"')[2])
    assert not re.search(r"TTC-\d+", words(stage))
    (box,) = re.findall(r'<details class="offer grave".*?</details>', stage, re.DOTALL)
    sign = rf'<a class="rule-sign" data-sheet href="/rules/two_cities/(TTC-\d+)" title="{why}: (TTC-\d+)">'
    ((led, said),) = re.findall(sign, box)
    assert led == said


def test_a_line_that_nobody_has_opened_has_one_sign_and_none_without_a_rule(app: Flask) -> None:
    terms = Reason(say("guards"), value=2), Reason(say("hill"), "TOY-2", 1)
    lines = Reason(say("It rains.")), Reason(say("dice"), None, 3, terms), Reason(say("dice"), "TOY-1", 3, terms)
    page = '{% from "components/rulings.html" import reasons %}{{ reasons(lines, in_sight=true) }}'
    with app.test_request_context():
        said = render_template_string(page, lines=lines, game=TOY).split("</li>")
    assert [re.findall(r'title="Why: ([^"]*)"', line) for line in said] == [[], ["TOY-2"], ["TOY-1"], []]
    assert " ".join(words(said[1]).split()) == "2 guards + 1 hill = 3 dice"


@pytest.mark.parametrize(
    ("of", "clause", "said"),
    [(2, None, "guards: 2 dice"), (2, "TOY-2", "guards TOY-2 : 2 dice"), (3, "TOY-2", "3 guards TOY-2 = 2 dice")],
)
def test_what_is_all_of_a_sum_is_not_added(app: Flask, of: int, clause: str | None, said: str) -> None:
    line = Reason(say("dice"), None, 2, (Reason(say("guards"), clause, of),))
    page = '{% from "components/rulings.html" import reasons %}{{ reasons([line]) }}'
    with app.test_request_context():
        assert " ".join(words(render_template_string(page, line=line, game=TOY)).split()) == said


@pytest.mark.parametrize(
    ("one", "other", "whole", "said"),
    [
        (0, 0, say("+{count} to the die", count=0), "Orcs 0 − Infantry 0 = +0 to the die"),
        (2, 1, say("+{count} to the die", count=1), "Orcs 2 − Infantry 1 = +1 to the die"),
        (0, 2, say("−{count} to the die", count=2), "Orcs 0 − Infantry 2 = −2 to the die"),
    ],
)
def test_words_that_say_their_number_stand_in_a_sum_as_they_are(
    app: Flask, one: int, other: int, whole: Text, said: str
) -> None:
    taken = Reason(say("− {unit} {combat}", unit=say("Infantry"), combat=other), None, -other)
    line = Reason(
        whole, None, one - other, (Reason(say("{unit} {combat}", unit=say("Orcs"), combat=one), None, one), taken)
    )
    page = '{% from "components/rulings.html" import reasons %}{{ reasons([line]) }}'
    with app.test_request_context():
        assert " ".join(words(render_template_string(page, line=line, game=TOY)).split()) == said
        assert arithmetic(line, speaker("toy")) == said
        die = Reason(say("die"), None, 4)
        line = Reason(say("All"), None, 4 + one - other, (die, *line.terms))
        added = f"4 die + {said.split(' = ', maxsplit=1)[0]} = {4 + one - other} All"
        assert " ".join(words(render_template_string(page, line=line, game=TOY)).split()) == added
        assert arithmetic(line, speaker("toy")) == added


def test_what_a_number_is_of_stands_in_brackets_where_it_would_read_as_another_number(app: Flask) -> None:
    def sherman(count: str) -> Text:
        return say("{count} × {card}", count=count, card=Text("M4 Sherman"))

    sums = {
        "24 (6 × M4 Sherman) + 3 (3 × M4 Sherman) = 27 points": ((24, sherman("6")), (3, sherman("3"))),
        "2 (card 1) + 1 (card 2) = 3 points": ((2, Text("card 1")), (1, Text("card 2"))),
        "8 (2d6) + 3 (d8) − 1 (2 hits) = 10 points": ((8, Text("2d6")), (3, Text("d8")), (-1, Text("2 hits"))),
        "5 guards on e5 + 2 hill R-7 = 7 points": ((5, Text("guards on e5")), (2, Text("hill R-7"))),
    }
    page = '{% from "components/rulings.html" import reasons %}{{ reasons([line]) }}'
    with app.test_request_context():
        for said, terms in sums.items():
            added = tuple(Reason(text, None, value) for value, text in terms)
            line = Reason(Text("points"), None, total(added), terms=added)
            assert " ".join(words(render_template_string(page, line=line, game=TOY)).split()) == said
            assert arithmetic(line, speaker("toy")) == said


@pytest.mark.parametrize("taken", [0, 1])
def test_what_is_subtracted_has_its_minus_sign_also_where_it_is_nothing(app: Flask, taken: int) -> None:
    terms = (Reason(say("guards"), None, 3), taken_away(say("trolls"), "TOY-2", taken))
    line = Reason(say("dice"), None, 3 - taken, terms)
    page = '{% from "components/rulings.html" import reasons %}{{ reasons([line]) }}'
    with app.test_request_context():
        said = " ".join(words(render_template_string(page, line=line, game=TOY)).split())
        assert said == f"3 guards − {taken} trolls TOY-2 = {3 - taken} dice"
        assert arithmetic(line, speaker("toy")) == f"3 guards − {taken} trolls (TOY-2) = {3 - taken} dice"


def test_the_report_adds_nothing_to_what_is_all_of_a_sum(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    table = Table(app, "two_cities", "typed")
    places = {"unit.wc": "d3", "unit.bc": "d4", "forest.1": "a5", "forest.2": "a6", "hill.1": "h5", "hill.2": "h6"}
    off = [(f"terrain.{kind}.1", "off") for kind in ("forest", "forest", "hill", "hill")]
    on = [(f"{name}.square" if "unit" in name else f"terrain.{name}", square) for name, square in places.items()]
    for number, (path, value) in enumerate((*off, *on)):
        table.tables.correct(table.id, "rulekeeper", path, value, f"place-{number}")
    for side in ("white", "black"):
        table.act(side, action="ready")
    table.tables.correct(table.id, "rulekeeper", "cards.white", "AH,2H,10S", "cards")
    table.act("white", action="play_card", card="AH")
    table.act("white", action="attack", unit="wc", target="bc")
    table.tables.answer(table.id, "white", {"faces": [1, 1, 3, 3, 4]}, "dice")
    report = app.test_client().get(f"/t/{table.id}/report.md").text
    assert "   - Heavy infantry (TTC-87): 5 dice" in report


def test_a_sentence_in_play_leaves_out_the_rules_that_it_names_in_passing(app: Flask) -> None:
    alone = Reason(say("No friend ({see}) beside it.", see="TOY-3"), "TOY-2")
    told = Reason(say("{unit}: {why}", unit="Guards", why=alone.text), "TOY-2")
    page = '{% from "components/rulings.html" import in_play, reasons %}{{ in_play(told) }}|{{ reasons((told,)) }}'
    with app.test_request_context():
        short, whole = render_template_string(page, told=told, game=TOY).split("|")
    assert words(short).strip() == "Guards: No friend beside it."
    assert "Guards: No friend (TOY-3) beside it." in words(whole), "where it is opened they are named"


def test_a_stale_form_is_done_where_it_is_legal_and_else_answered_with_the_fresh_view(table: Table) -> None:
    seen = str(table.tables.version(table.id))
    table.act("red", action="add", points=1)
    assert table.post("red", "/act", seen=seen, do="action=add").status_code == 303
    table.act("red", action="pass")
    stale = table.post("red", "/act", htmx=True, seen=seen, do="action=add")
    assert stale.status_code == 409
    assert "The table has moved on" in words(stale.text)
    assert f'data-version="{table.tables.version(table.id)}"' in stale.text


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("/act", {}),
        ("/act", {"do": "action=fly"}),
        ("/act", {"do": "nonsense"}),
        ("/act", {"do": "action=add", "f.points": "many"}),
        ("/act", {"do": "action=add", "f.points": "10000000000000000000000"}),
        ("/act", {"do": "action=add&points=1&points=2\x00"}),
        ("/act", {"do": "a" * 10_000}),
        ("/act", {"do": "action=add", "f.strange": "1"}),
        ("/answer", {}),
        ("/answer", {"value": "x"}),
        ("/answer", {"face.1": "seven"}),
        ("/answer", {"face.x": "1"}),
        ("/undo", {"seen": "x"}),
        ("/consent", {"yes": "maybe"}),
        ("/grant", {"knock": "none"}),
        ("/correct", {"v.none": "1"}),
        ("/correct", {"v.points.red": "-1"}),
        ("/rename", {"name": "x" * 500}),
        ("/release", {"seat": "blue"}),
        ("/settings", {"dice": "loaded"}),
    ],
)
def test_bad_input_gets_a_sentence_and_changes_nothing(table: Table, path: str, data: dict[str, str]) -> None:
    before = table.tables.version(table.id)
    answer = table.post("red", path, **data)
    assert 400 <= answer.status_code < 500
    assert 'role="alert"' in answer.text
    assert table.tables.version(table.id) == before


def test_a_key_may_be_missing_or_endless(table: Table) -> None:
    phone = table.phones["red"]
    for key in ("", "x" * 5000, "ñ\x00"):
        sent = {"do": "action=add", "f.points": "1", "key": key}
        assert phone.post(f"/t/{table.id}/red/act", data=sent).status_code == 303


def test_a_form_without_a_key_is_never_taken_for_a_second_tap(table: Table) -> None:
    for name in ("Bo", "Al", "Bo"):
        table.phones["red"].post(f"/t/{table.id}/red/rename", data={"name": name})
        assert next(one.name for one in table.tables.seen(table.id, "red").people if one.seat == "red") == name


def test_dice_are_rolled_with_one_tap(table: Table) -> None:
    page = table.post("red", "/act", htmx=True, do="action=roll&dice=2").text
    assert re.search(r'aria-label="Dice: \d, \d"', page)
    assert "data-throw=" in page


def test_typed_dice_are_asked_for_and_checked(app: Flask) -> None:
    table = Table(app, "toy", dice="typed")
    page = table.post("red", "/act", htmx=True, do="action=roll&dice=3").text
    assert page.count('<fieldset class="die-row">') == 3
    assert 'name="roll"' not in page
    for seat in ("red", "blue"):
        assert re.findall(r"(\w+) · to answer", words(table.get(seat).text)) == ["Red"]
    waiting = words(table.get("blue").text)
    assert "Waiting for Red" in waiting
    short = table.post("red", "/answer", htmx=True, **{"face.1": "2", "face.2": "5"})
    assert short.status_code == 422
    assert "Roll 3 dice, not 2." in words(short.text)
    assert table.post("red", "/answer", **{"face.1": "2", "face.2": "5", "face.3": "6"}).status_code == 303
    assert "13 to 0" in words(table.get("blue").text)


def test_asked_each_time_the_same_throw_can_be_rolled_or_typed(app: Flask) -> None:
    table = Table(app, "toy", dice="ask")
    page = table.post("red", "/act", htmx=True, do="action=roll&dice=1").text
    assert 'name="roll"' in page
    assert "die-row" in page
    assert table.post("red", "/answer", roll="1").status_code == 303


def test_a_question_is_put_to_its_seat_and_the_others_see_who_is_waited_for(app: Flask) -> None:
    table = Table(app, "toy")
    table.act("red", action="hit")
    assert "Dodge?" in words(table.get("blue").text)
    assert 'name="value" value="yes"' in table.get("blue").text
    for seat, said in (("red", "Waiting for Blue"), (SCREEN, "Blue is answering")):
        page = table.get(seat).text
        assert said in words(page)
        assert 'name="value"' not in page
    refused = table.post("red", "/answer", htmx=True, value="no")
    assert refused.status_code == 403
    assert table.post("blue", "/answer", value="no").status_code == 303
    assert "Waiting for" not in words(table.get("red").text)


def test_a_step_back_is_asked_for_and_agreed_to(table: Table) -> None:
    table.act("red", action="roll", dice=1)
    assert 'aria-label="Ask to undo: ' in table.get("red").text
    table.post("red", "/undo", seen=str(table.tables.version(table.id)))
    assert "Red wants to undo:" in words(table.get("blue").text)
    own = table.get("red").text
    assert 'name="yes" value="1"' not in own
    assert "You asked to undo:" in words(own)
    assert "Red wants to undo:" not in words(own)
    table.post("blue", "/consent", yes="1")
    assert "0 to 0" in words(table.get("red").text)
    assert "undone" in words(table.get("red").text)


@pytest.mark.parametrize(("name", "called"), [("Ben", "Ben"), ("RED", "blue")])
def test_the_dock_calls_people_as_the_head_of_the_page_does(app: Flask, name: str, called: str) -> None:
    table = Table(app, "toy", names=("red",))
    table.tables.join(table.id, "blue", name)
    table.act("red", action="hit")
    page = words(table.get("red").text)
    assert f"{called} is answering" in page
    assert f"Waiting for {called} " in page


def test_a_free_step_back_is_taken_at_once(table: Table) -> None:
    table.act("red", action="add", points=4)
    page = table.post("red", "/undo", htmx=True, seen=str(table.tables.version(table.id))).text
    assert "0 to 0" in words(page)


def test_what_is_chancy_is_looked_at_first(table: Table) -> None:
    assert f'href="/t/{table.id}/red/plan?do=action%3Droll%26dice%3D2"' in table.get("red").text
    page = table.get("red", "/plan?do=action%3Droll%26dice%3D2")
    assert page.status_code == 200
    assert "<html" in page.text
    assert "<progress" in page.text
    part = table.get("red", "/plan?do=action%3Droll%26dice%3D2", headers={"HX-Request": "true"})
    assert "<html" not in part.text
    assert 'hx-target="#main"' in part.text


@pytest.mark.parametrize("do", ["", "action=fly", "action=roll&dice=5", "%00", "action=roll&dice=2&dice=3"])
def test_what_is_not_on_offer_can_not_be_looked_at(table: Table, do: str) -> None:
    page = table.get("red", f"/plan?do={do.replace('&', '%26').replace('=', '%3D')}")
    assert 400 <= page.status_code < 500
    assert 'role="alert"' in page.text


def test_a_seat_is_opened_by_its_token_only(app: Flask, table: Table) -> None:
    stranger = app.test_client()
    assert stranger.get(f"/t/{table.id}/red").headers["Location"] == f"/t/{table.id}"
    assert stranger.post(f"/t/{table.id}/red/act", data={"do": "action=add"}).status_code == 403
    for page in ("/invite", "/mine", "/corrections", "/stock-take", "/pack-up", "/settings", "/log", "/plan"):
        assert stranger.get(f"/t/{table.id}/red{page}").status_code == 303
    wrong = app.test_client()
    wrong.set_cookie("seat-red", table.tokens["blue"], path=f"/t/{table.id}")
    assert wrong.get(f"/t/{table.id}/red").status_code == 303


def test_a_phone_may_hold_several_seats(table: Table) -> None:
    phone = table.phone("red", "blue", "rulekeeper")
    for seat in ("red", "blue", "rulekeeper"):
        assert phone.get(f"/t/{table.id}/{seat}").status_code == 200
        assert f'href="/t/{table.id}/{seat}"' in phone.get(f"/t/{table.id}").text


def test_the_cookie_of_a_seat_is_for_its_table_only_and_out_of_reach_of_scripts(app: Flask, table: Table) -> None:
    answer = app.test_client().get(f"/s/{table.id}/red/{table.tokens['red']}")
    cookie = answer.headers["Set-Cookie"]
    assert f"Path=/t/{table.id}" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_the_shared_screen_needs_nothing_and_may_do_nothing(app: Flask, table: Table) -> None:
    stranger = app.test_client()
    page = stranger.get(f"/t/{table.id}/screen")
    assert page.status_code == 200
    assert '<form method="post"' not in page.text.split('id="sheet"')[0]
    for path in ("act", "answer", "undo", "consent", "grant", "correct", "release", "rename", "settings"):
        refused = stranger.post(f"/t/{table.id}/screen/{path}", data={"do": "action=add", "key": "k"})
        assert 400 <= refused.status_code < 500, path
    for path in ("invite", "mine", "corrections", "settings"):
        assert stranger.get(f"/t/{table.id}/screen/{path}").status_code == 403


def test_the_shared_screen_shows_the_way_in_while_a_seat_is_free(app: Flask) -> None:
    open_one = Table(app, "toy", names=("red",))
    full = Table(app, "toy")
    assert 'class="scan">' in open_one.app.test_client().get(f"/t/{open_one.id}/screen").text
    assert 'class="scan" hidden>' in full.app.test_client().get(f"/t/{full.id}/screen").text


def test_a_hand_is_on_no_page_of_anybody_else(table: Table) -> None:
    table.act("red", action="draw", count=5)
    hand = re.search(r"hand</dt><dd>([^<]+)</dd>", table.get("red").text)
    assert hand is not None
    cards = hand[1].split()
    assert len(cards) == 5
    for seat in ("blue", "rulekeeper", SCREEN):
        for path in ("", "/live", "/log"):
            page = re.sub(r'<svg class="qr".*?</svg>', "", table.get(seat, path).text)
            assert not re.search(rf"\b({'|'.join(cards)})\b", page), (seat, path)
    for seat in ("blue", "rulekeeper"):
        for path in ("/invite", "/settings", "/mine"):
            page = table.get(seat, path).text
            assert not [card for card in cards if re.search(rf">{card}<", page)], (seat, path)
        page = table.get(seat, "/corrections").text
        assert not re.search(rf'value="({"|".join(cards)})" selected', page)


def test_the_rulekeeper_plays_for_a_seat_that_nobody_took(app: Flask) -> None:
    table = Table(app, "toy", names=("blue",))
    page = words(table.get("rulekeeper").text)
    assert "Add" in page
    assert "red: Add" not in page, "there is one seat to act for, and the page says whose turn it is"
    assert table.post("rulekeeper", "/act", do="action=add&for=red", **{"f.points": "3"}).status_code == 303
    assert "3 to 0" in words(table.get("blue").text)


def test_a_question_says_for_whom_it_is_when_the_rulekeeper_answers_it(app: Flask) -> None:
    alone, both = Table(app, "toy", names=("red",)), Table(app, "toy")
    for table in (alone, both):
        table.act("red", action="hit")
    assert "blue: Dodge?" in words(alone.get("rulekeeper").text)
    assert "Dodge?" in words(both.get("blue").text)
    assert "blue: Dodge?" not in words(both.get("blue").text)


def test_somebody_who_asks_for_a_seat_is_seen_on_every_page_of_the_rulekeepers_phone(table: Table) -> None:
    phone = table.phone("red", "rulekeeper")
    assert "/knocks" in phone.get(f"/t/{table.id}/red").text
    assert "/knocks" not in table.get("blue").text
    assert phone.get(f"/t/{table.id}/rulekeeper/knocks").text == ""
    table.tables.knock(table.id, "blue", "Eva")
    assert "A new phone wants a seat" in words(phone.get(f"/t/{table.id}/rulekeeper/knocks").text)
    assert table.phones["red"].get(f"/t/{table.id}/rulekeeper/knocks").status_code == 303


def test_the_log_is_read_on_page_by_page(table: Table) -> None:
    for _ in range(30):
        table.act("red", action="add", points=1)
    page = table.get("red").text
    assert "/log?before=" in page
    older = table.get("red", "/log?before=5")
    assert older.status_code == 200
    assert older.text.count('class="line ') == 4
    assert table.get("red", "/log?before=").status_code == 200
    for wrong in ("x", "-1", "99999999999999999999"):
        refused = table.get("red", f"/log?before={wrong}")
        assert refused.status_code == 400
        assert "before: this has to be a whole number." in words(refused.text)


def test_a_knock_that_was_answered_already_leaves_the_table_in_sight(table: Table) -> None:
    table.tables.knock(table.id, "blue", "Eva")
    (knock,) = table.tables.seen(table.id, "rulekeeper").knocks
    assert table.post("rulekeeper", "/grant", htmx=True, knock=knock.id, yes="0").status_code == 200
    for _ in range(30):
        late = table.post("rulekeeper", "/grant", htmx=True, knock=knock.id, yes="1")
        assert late.status_code == 409, "it is no wrong guess"
    assert late.text.startswith('<div class="play')
    assert "Nobody waits for that seat any more." in words(late.text)


def test_what_is_wrong_with_a_request_never_takes_the_place_of_the_table(app: Flask, table: Table) -> None:
    sent = {"HX-Request": "true", "HX-Target": "main#main"}
    stranger = app.test_client().post(f"/t/{table.id}/red/act", headers=sent)
    foreign = table.phones["red"].post(f"/t/{table.id}/red/act", headers={**sent, "Origin": "http://elsewhere.org"})
    for refused in (stranger, foreign):
        assert refused.status_code == 403
        assert (refused.headers["HX-Retarget"], refused.headers["HX-Reswap"]) == ("#refused", "innerHTML")
        assert 'id="refused"' in table.get("red").text
    in_the_sheet = app.test_client().post(f"/t/{table.id}/red/act", headers={**sent, "HX-Target": "div#sheet-body"})
    assert "HX-Retarget" not in in_the_sheet.headers


def test_every_address_that_takes_a_form_leads_to_a_page(app: Flask, table: Table) -> None:
    phone = table.phone("red", "rulekeeper")
    phone.get(f"/host/{app.extensions[NAME].host_key}")
    taking = [rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    pages = [path for path in taking if not path.startswith(("/api/", "/quick/"))]
    assert len(pages) > 10
    table.tables.hand_over(table.id, "blue", on=True, key="given")
    given = table.tables.handed_over(table.id, "blue")
    assert given is not None
    for page in pages:
        path = page.replace("<table>", table.id).replace("<seat>", "rulekeeper").replace("<game>", "toy")
        path = path.replace("<start>", "short").replace("<secret>", given.secret)
        assert phone.get(path, follow_redirects=True).status_code == 200, path


def test_no_page_changes_anything_so_none_waits_for_a_change(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = table.phone("red", "rulekeeper")
    knocked = table.phone()
    assert knocked.post(f"/t/{table.id}/join", data={"seat": "red", "name": "Eve"}).status_code == 303

    def write(_: object) -> None:
        raise AssertionError("a page wants to write")

    monkeypatch.setattr(Store, "write", write)
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and "table" in rule.arguments]
    assert len(rules) > 25
    for rule in rules:
        for seat in ("red", "rulekeeper", "screen"):
            path = rule.rule.replace("<token>", table.tokens["red"]).replace("<start>", "short")
            path = path.replace("<table>", table.id).replace("<seat>", seat).replace("<game>", "toy")
            for client in (phone, knocked, app.test_client()):
                bearer = {"Authorization": f"Bearer {table.tokens['red']}"} if path.startswith("/api/") else {}
                assert client.get(path, headers=bearer).status_code < 500, path


def test_the_menu_leads_to_the_player_aid_of_the_seat(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    table = Table(app, "chesswar")
    menu = f'href="/t/{table.id}/white/aid"'
    assert menu in table.get("white").text
    assert table.get("white", "/aid").headers["Location"] == "/rules/chesswar#aids"
    assert 'id="aids"' in app.test_client().get("/rules/chesswar").text
    table.act("white", action="choose_army", army="orcs")
    assert table.get("white", "/aid").headers["Location"] == "/rules/chesswar/sheet/orcs"
    assert table.get("black", "/aid").headers["Location"] == "/rules/chesswar#aids"
    two_cities = Table(app, "two_cities")
    assert f'href="/t/{two_cities.id}/white/aid"' in two_cities.get("white").text
    assert two_cities.get("white", "/aid").headers["Location"] == "/rules/two_cities/aid", "there is only the one sheet"


def test_where_there_is_no_player_aid_the_menu_names_none(table: Table) -> None:
    assert "/aid" not in table.get("red").text
    assert table.get("red", "/aid").headers["Location"] == "/rules/toy#aids"


def test_a_page_that_refuses_leads_on_to_pages(table: Table) -> None:
    page = table.post("blue", "/act", do="action=add").text
    assert f'content="15; url=/t/{table.id}/blue"' in page
    seats = table.post("rulekeeper", "/release", seat="nobody").text
    assert f'hx-get="/t/{table.id}/rulekeeper/invite"' in seats
    assert f'action="/t/{table.id}/red/rename"' in table.post("red", "/rename", name="x" * 500).text
    for sent, there in (
        ("act", ""),
        ("grant", ""),
        ("release", "/invite"),
        ("rename", "/mine"),
        ("correct", "/corrections"),
    ):
        assert table.get("red", f"/{sent}").headers["Location"] == f"/t/{table.id}/red{there}"


@pytest.mark.parametrize("seat", ["nobody", "%00", "red%2F..", "x" * 3000])
def test_a_seat_that_is_none_leads_to_the_seats(app: Flask, table: Table, seat: str) -> None:
    assert app.test_client().get(f"/t/{table.id}/{seat}").status_code in {303, 404}


def test_after_the_end_the_last_step_can_be_taken_back_but_not_by_a_slip(table: Table) -> None:
    before = table.get("rulekeeper").text
    assert "/rulekeeper/undo" not in before
    table.post("rulekeeper", "/correct", **{"v.points.red": "3"})
    page = table.get("rulekeeper").text
    assert page.index("/rulekeeper/undo") < page.index('class="play-more"'), "in the strip"
    table.post("rulekeeper", "/correct", **{"v.over": "yes"})
    page = table.get("rulekeeper").text
    assert page.count("/rulekeeper/undo") == 2, "one form, with its two addresses"
    assert page.index("/rulekeeper/undo") > page.index('id="more"')
    table.post("rulekeeper", "/undo", seen=str(table.tables.version(table.id)))
    assert not table.tables.seen(table.id, "red").view.over


def test_the_log_of_a_game_that_is_not_installed_any_more_can_be_read(tmp_path: Path) -> None:
    table = Table(create_app(tmp_path, games={"toy": TOY}), "toy")
    table.act("red", action="add")
    table.app = create_app(tmp_path, games={"duel": DUEL})
    table.phones = {"red": table.phone("red")}
    page, log = table.get("red"), table.get("red", "/log")
    assert page.status_code == 409
    assert "The game toy is not installed" in words(page.text)
    assert log.status_code == 200
    assert "red acts" in words(log.text)


def test_an_answer_begins_as_a_sentence_does(tmp_path: Path) -> None:
    app = create_app(tmp_path, games={"history_of_war": posed(HISTORY_OF_WAR, positions.table())})
    table = Table(app, "history_of_war")
    for seat in ("blue", "red"):
        table.act(seat, action="ready")
    answers = re.findall(r'name="value" value="[^"]*">\s*(?:<span>)?(\w)', table.get("blue").text)
    assert len(answers) > 1
    assert [letter for letter in answers if letter.islower()] == []


@pytest.mark.parametrize(
    ("game", "seat", "asked", "answer"),
    [
        (TWO_CITIES, "white", "¿Te rindes?", "Me rindo"),
        (HISTORY_OF_WAR, "blue", "¿Te rindes?", "Me rindo"),
        (FREE_TABLE, "player_1", "¿Ha terminado la partida?", "Terminar la partida"),
    ],
    ids=["a side", "another's words", "everybody's game"],
)
def test_what_is_confirmed_is_a_whole_question_and_its_answer_says_what_it_does(
    tmp_path_factory: pytest.TempPathFactory, game: Any, seat: str, asked: str, answer: str
) -> None:
    app = create_app(tmp_path_factory.mktemp("data"), games={game.slug: game})
    table = Table(app, game.slug)
    for side in ("white", "black") if game is TWO_CITIES else ():
        table.act(side, action="ready")
    page = table.get(seat, headers={"Accept-Language": "es"}).text
    box = re.search(rf"<p><b>{re.escape(asked)}</b>.*?</form>", page, re.DOTALL)
    assert box is not None
    assert words(box[0]).strip().endswith(answer)


def test_a_die_is_drawn_as_what_it_is(tmp_path_factory: pytest.TempPathFactory) -> None:
    app = create_app(tmp_path_factory.mktemp("data"), games={FREE_TABLE.slug: FREE_TABLE})
    table = Table(app, FREE_TABLE.slug, dice="typed", begin="dice")
    for key, dice, face in (("first", "d20", 4), ("second", "d10", 3), ("third", "d6", 5)):
        table.act("player_1", action="roll", tracker="t1", dice=dice)
        if dice == "d10":
            page = table.get("player_1").text
            assert page.count('<span class="die" aria-hidden="true">') == 10 + 1, "those to tap, and the one before"
        table.tables.answer(table.id, "player_1", {"faces": [face]}, key)
    page = table.get("player_1").text
    assert '<span class="die" aria-hidden="true">4</span>' in page
    assert '<span class="die" aria-hidden="true">3</span>' in page
    assert re.findall(r"sprite[^#]*#d(\d)", page).count("5") >= 1
    assert not {"3", "4"} & set(re.findall(r"sprite[^#]*#d(\d)", page))
    statistics = app.test_client().get(f"/t/{table.id}/statistics").text
    assert len(re.findall(r"sprite[^#]*#d\d", statistics)) == 6
