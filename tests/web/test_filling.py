"""Long forms: points to spend, a refusal that loses nothing, lists that are kept and fit, or are told not to."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from flask import Flask

from companion import create_app
from companion.games.chesswar.armies import ARMIES
from companion.games.chesswar.game import GAME as CHESSWAR
from companion.kit.action import Budget, Field, Offer
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import say
from companion.web.play.action_plan import StoredList, fit_list
from tests.support.band_game import BAND, offered
from tests.support.phones import Table, tidy, words

ELVES = "action=raise&band=elves"
LIST: dict[str, Any] = {"game": "band", "list": "band", "name": "Mine", "values": {"band": "dwarves", "spears": 9}}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games={"band": BAND, "chesswar": CHESSWAR})
    app.testing = True
    return app


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app, "band")


def planned(table: Table, **sent: str) -> Any:
    return table.get("red", f"/plan?{urlencode({'do': ELVES} | sent)}")


def filled(page: str) -> dict[str, str]:
    """What stands in the fields of a page."""
    page = tidy(page)
    boxes = re.findall(r'<input type="number"[^>]* name="f\.(\w+)" value="([^"]*)"', page)
    ticked = re.findall(r'name="f\.(\w+)" value="([^"]*)" checked', page)
    return dict(boxes) | dict(ticked)


def test_a_form_says_what_there_is_to_spend_and_what_each_costs(table: Table) -> None:
    page = planned(table).text
    said = words(page)
    assert "Band: 18 points" in said
    assert "4 points each, at most 2" in said
    assert "1 point each, at most 16" in said
    assert filled(page) == {"band": "elves", "mages": "0", "archers": "0", "spears": "0"}
    assert 'data-points="18"' in page
    assert re.findall(r'data-cost="(\d)"', page) == ["4", "2", "1"]
    assert page.count("data-step=") == 6, "a way down and a way up for each"


def test_who_chooses_reads_beside_each_choice_what_it_is_and_has_its_aid_at_hand(app: Flask) -> None:
    table = Table(app, "chesswar")
    assert "choose_army" in table.get("white").text
    page = table.get("white", "/plan?do=action%3Dchoose_army").text
    for army in ARMIES:
        assert f'href="/rules/chesswar/sheet/{army}" target="_blank"' in page
    for about in re.findall(r'type="radio"[^>]* aria-describedby="([^"]+)"', page):
        note = words(page.partition(f'id="{about}"')[2].partition("</small>")[0])
        assert re.search(r"\. \d+ points: \w", note)
    assert page.count("aria-describedby=") == len(ARMIES)
    for seat in ("white", "black"):
        table.act(seat, action="choose_army", army="orcs")
    page = table.get("white", "/plan?do=action%3Draise_army%26army%3Dorcs").text
    assert 'href="/rules/chesswar/sheet/orcs" target="_blank"' in page
    assert "Warlord, free." in words(page)


def test_a_form_that_is_always_on_the_page_counts_too(table: Table) -> None:
    page = table.get("red").text
    assert "Wood: 10 points" in words(page)
    assert re.findall(r'data-cost="(\d)"', page) == ["3"]


def test_another_choice_brings_its_own_fields_and_keeps_what_still_can_be(table: Table) -> None:
    page = planned(table, **{"f.band": "dwarves", "f.mages": "2", "f.archers": "3", "f.spears": "7"}).text
    assert filled(page) == {"band": "dwarves", "mages": "1", "spears": "7"}
    assert "Band: 12 points" in words(page)


@pytest.mark.parametrize("typed", ["", "x", "1.5", "9" * 30])
def test_what_is_no_number_is_filled_in_as_it_was_beforehand(table: Table, typed: str) -> None:
    assert filled(planned(table, **{"f.mages": typed, "f.spears": "3"}).text)["mages"] == "0"


@pytest.mark.parametrize("htmx", [True, False])
def test_a_refused_plan_is_shown_again_with_all_that_was_filled_in(table: Table, htmx: bool) -> None:
    sent = {"do": ELVES, "planned": "1", "f.band": "dwarves", "f.mages": "1", "f.spears": "10"}
    refused = table.post("red", "/act", htmx=htmx, **sent)
    assert refused.status_code == 422
    assert "That costs too much." in words(refused.text)
    assert filled(refused.text) == {"band": "dwarves", "mages": "1", "spears": "10"}
    assert "disabled" not in refused.text.partition('id="plan"')[2].partition("</form>")[0]
    assert ("<html" in refused.text) is not htmx
    assert refused.headers.get("HX-Retarget") == ("#plan" if htmx else None)
    assert table.post("red", "/act", **sent | {"f.spears": "9"}).status_code == 303


def test_a_refusal_marks_the_field_that_it_is_about(table: Table) -> None:
    sent = {"do": ELVES, "planned": "1", "f.band": "elves", "f.mages": "5"}
    page = table.post("red", "/act", **sent).text
    assert re.findall(r'is-wrong"[^>]*>\s*<label for="f-f.(\w+)"', page) == ["mages"]


def test_what_can_not_be_done_any_more_is_told_at_the_table(table: Table) -> None:
    table.act("red", action="stop")
    refused = table.post("red", "/act", htmx=True, do=ELVES, planned="1", **{"f.band": "elves"})
    assert "It is over." in words(refused.text)
    assert refused.text.startswith('<div class="play')
    assert "HX-Retarget" not in refused.headers


def test_a_refused_form_of_the_page_is_open_and_filled_in_again(table: Table) -> None:
    sent = {"do": "action=camp", "f.tents": "5"}
    page = table.post("red", "/act", **sent, **{"f.flag": ["0", "1"]})
    assert page.status_code == 422
    assert filled(page.text) == {"tents": "5", "flag": "1"}
    assert re.search(r'<details class="offer" id="offer-action%3Dcamp" open>', tidy(page.text))
    fresh = table.get("red").text
    assert filled(fresh) == {"tents": "0"}
    assert 'camp" open' not in fresh


def test_where_scripts_run_a_refusal_leaves_the_form_as_it_stands(table: Table) -> None:
    """What is typed stays in the page; sent back, it would be taken away by the next change at the table."""
    page = table.post("red", "/act", htmx=True, do="action=camp", **{"f.tents": "5"})
    assert page.status_code == 422
    assert filled(page.text) == {"tents": "0"}


@pytest.mark.parametrize("do", ["", "nonsense", "action=fly", "a" * 5000])
def test_what_is_refused_and_no_plan_gets_a_sentence(table: Table, do: str) -> None:
    for htmx in (True, False):
        answer = table.post("red", "/act", htmx=htmx, do=do, planned="1")
        assert 400 <= answer.status_code < 500
        assert 'role="alert"' in answer.text


def test_a_kept_list_is_filled_in_with_its_own_choice(table: Table) -> None:
    page = planned(table, kept=json.dumps(LIST), **{"f.band": "elves", "f.archers": "4"})
    assert page.status_code == 200
    assert filled(page.text) == {"band": "dwarves", "mages": "0", "spears": "9"}
    assert "Mine is filled in." in words(page.text)
    assert "Band: 12 points" in words(page.text)


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (LIST | {"game": "chess"}, "This list is for another game."),
        (LIST | {"list": "fleet"}, "This list is for something else."),
        (LIST | {"values": {"dragons": 1}}, "There is no field called dragons."),
        (LIST | {"values": {"band": "dwarves", "archers": 1}}, "There is no field called archers."),
        (LIST | {"values": {"band": "dwarves", "mages": 2}}, "Mages: a whole number from 0 to 1."),
        (LIST | {"values": {"spears": -1}}, "Spears: a whole number from 0 to 16."),
        (LIST | {"values": {"spears": True}}, "Spears: a whole number from 0 to 16."),
        (LIST | {"values": {"spears": "3"}}, "Spears: a whole number from 0 to 16."),
        (LIST | {"values": {"band": "orcs"}}, "Band: that is not one of the choices."),
        (LIST | {"values": {"spears": 1.5}}, "This is not a list that was kept here."),
        (LIST | {"more": 1}, "This is not a list that was kept here."),
        ({"game": "band"}, "This is not a list that was kept here."),
        ([], "This is not a list that was kept here."),
        (LIST | {"name": "x" * 4000}, "This is not a list that was kept here."),
    ],
)
def test_a_list_that_does_not_fit_is_told_why_and_nothing_is_lost(table: Table, kept: Any, said: str) -> None:
    page = planned(table, kept=json.dumps(kept), **{"f.band": "elves", "f.archers": "4", "f.mages": "1"})
    assert page.status_code == 422
    assert said in words(page.text)
    assert filled(page.text) == {"band": "elves", "mages": "1", "archers": "4", "spears": "0"}


@pytest.mark.parametrize(
    "kept", ["x", "{", "[" * 3000, '{"game":"band","list":"band","name":"\\ud800"}', "\x00", "null"]
)
def test_no_file_is_too_strange(table: Table, kept: str) -> None:
    page = planned(table, kept=kept)
    assert page.status_code == 422
    assert "This is not a list that was kept here." in words(page.text)


def test_a_list_is_told_in_the_language_of_its_reader(table: Table) -> None:
    address = f"/plan?{urlencode({'do': ELVES, 'kept': json.dumps(LIST | {'game': 'chess'})})}"
    page = table.get("red", address, headers={"Accept-Language": "es"})
    assert "Esta lista es de otro juego." in words(page.text)


def test_nothing_is_kept_where_the_game_does_not_say_so(table: Table) -> None:
    do = {"do": "action=camp", "kept": json.dumps(LIST)}
    page = table.get("red", f"/plan?{urlencode(do)}")
    assert page.status_code == 200
    assert "is filled in" not in words(page.text)
    assert "data-list" not in page.text


def test_a_list_knows_what_was_settled_before(app: Flask, table: Table) -> None:
    """A band that can not be chosen any more is part of the list as well, and has to be the same."""
    one = msgspec.structs.replace(offered("dwarves"), among=None)
    fits, other = (StoredList("band", "band", "", {"band": band, "spears": 3}) for band in ("dwarves", "elves"))
    assert fit_list(fits, "band", [one], one) == {"f.spears": ["3"]}
    with pytest.raises(Refusal, match="something else"):
        fit_list(other, "band", [one], one)
    assert fit_list(fits, "band", [offered("elves"), offered("dwarves")], offered("elves"))["f.band"] == ["dwarves"]
    assert '"values": {"band": "elves"}' in planned(table).text
    alone = Table(app, "band", names=("blue",))
    page = alone.get("rulekeeper", f"/plan?{urlencode({'do': ELVES + '&for=red'})}").text
    assert '"values": {"band": "elves"}' in page


ODD = Offer(
    "odd",
    say("Odd"),
    fields=(
        Field("tick", say("Tick"), "yes_no"),
        Field("words", say("Words"), "text", high=5),
        Field(
            "many", say("Many"), "many", (Option("a", say("a")), Option("b", say("b"), barred=Reason(say("No."), None)))
        ),
    ),
    keeps="odd",
)


def test_every_kind_of_field_can_be_kept() -> None:
    kept = StoredList("toy", "odd", "", {"tick": True, "words": "abcde", "many": ["a"]})
    assert fit_list(kept, "toy", [ODD], ODD) == {"f.tick": ["1"], "f.words": ["abcde"], "f.many": ["a"]}


@pytest.mark.parametrize("values", [{"tick": "yes"}, {"words": "abcdef"}, {"many": ["b"]}, {"many": "a"}, {"tick": 1}])
def test_no_field_takes_what_does_not_belong_there(values: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        fit_list(StoredList("toy", "odd", "", values), "toy", [ODD], ODD)


def test_the_api_shows_what_is_to_be_spent_and_kept(app: Flask, table: Table) -> None:
    headers = {"Authorization": f"Bearer {table.tokens['red']}"}
    seen = app.test_client().get(f"/api/tables/{table.id}", headers=headers).json
    first = seen["offers"][0]
    assert (first["budget"], first["keeps"]) == ({"points": 18, "label": "Band"}, "band")
    assert [field["cost"] for field in first["fields"]] == [4, 2, 1]
    described = app.test_client().get("/api/openapi.json").json["components"]["schemas"]
    assert described["Budget"]["required"] == ["points", "label"]
    assert {"budget", "keeps", "among"} <= described["Offer"]["properties"].keys()
    assert described["Field"]["properties"]["cost"]["type"] == "integer"


def test_an_offer_can_be_kept_as_json() -> None:
    offer = offered("elves")
    assert offer.budget == Budget(18, say("Band"))
    assert msgspec.json.decode(msgspec.json.encode(offer), type=Offer) == offer
