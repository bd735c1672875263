"""The JSON API: what scripts may do, in the words of the caller, and a clear no to everything else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from companion import create_app
from companion.games.two_cities.game import GAME as TWO_CITIES
from companion.kit.text import Words, say
from companion.table.problem import Problem
from companion.table.tables import Tables
from companion.web.api.openapi import ROUTES, describe
from companion.web.problems import respond
from companion.web.state import NAME
from tests.support.duel_game import GAME as DUEL
from tests.support.plain_games import posed
from tests.support.toy_game import TOY, Toy
from tests.support.two_cities_positions import playing

SPANISH = {"Accept-Language": "es-ES,es;q=0.9"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games={"duel": DUEL, "toy": TOY})
    app.testing = True
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


class Table:
    """One table of the toy game with both seats taken."""

    def __init__(self, client: FlaskClient, **more: Any) -> None:
        sent = {"game": "toy", "seats": {"red": "Ana", "blue": "Bo"}, **more}
        made = client.post("/api/tables", json=sent)
        assert made.status_code == 201, made.text
        self.client = client
        self.id = made.json["table"]
        self.made = made.json
        self.tokens = {seat["seat"]: seat["token"] for seat in made.json["seats"]}
        self.keys = 0

    def get(self, path: str = "", seat: str | None = None, **headers: str) -> TestResponse:
        return self.client.get(f"/api/tables/{self.id}{path}", headers=self.headers(seat) | headers)

    def post(self, where: str, seat: str | None, **body: Any) -> TestResponse:
        self.keys += 1
        sent = {"key": f"k{self.keys}"} | body
        return self.client.post(f"/api/tables/{self.id}{where}", json=sent, headers=self.headers(seat))

    def act(self, seat: str, action: str, **fields: Any) -> TestResponse:
        return self.post("/actions", seat, action={"action": action, **fields})

    def headers(self, seat: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens.get(seat, seat)}"} if seat else {}


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return Table(client)


def wrong(answer: TestResponse, status: int, *, field: str | None = None, clause: str | None = None) -> str:
    """Check problem details; return their sentence."""
    assert answer.status_code == status, answer.text
    assert answer.mimetype == "application/problem+json"
    told = answer.json
    assert {"type", "title", "status", "detail"} <= told.keys()
    assert (told["status"], told["field"], told["clause"]) == (status, field, clause)
    assert told["title"]
    assert told["detail"]
    return str(told["detail"])


# Games and lookups


def test_the_games_are_listed_with_what_they_take(client: FlaskClient) -> None:
    games = {game["game"]: game for game in client.get("/api/games", headers=SPANISH).json["games"]}
    assert games["duel"]["name"] == "Duelo"
    assert games["toy"]["seats"] == {"red": "red", "blue": "blue"}
    options = games["toy"]["options"]["$defs"]["Options"]["properties"]
    assert options["goal"] == {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}
    assert "Roll" in games["toy"]["actions"]["$defs"]


def test_lookups_come_with_the_schema_of_their_facts(client: FlaskClient) -> None:
    listed = {found["lookup"]: found for found in client.get("/api/games/duel/lookups").json["lookups"]}
    assert listed.keys() == DUEL.lookups.keys()
    assert listed["strike"]["title"] == "Strike"
    assert listed["strike"]["odds"] is True
    assert listed["rest"]["odds"] is False
    swords = listed["strike"]["facts"]["$defs"]["Facts"]["properties"]["swords"]
    assert swords == {"title": "Swords", "type": "integer", "minimum": 1, "maximum": 3, "default": 2}


def consult(client: FlaskClient, lookup: str = "strike", **body: Any) -> TestResponse:
    return client.post(f"/api/games/duel/lookups/{lookup}", json=body, headers=SPANISH)


def test_facts_with_dice_and_choices_are_ruled_on(client: FlaskClient) -> None:
    ruled = consult(client, facts={"swords": 2}, dice=[6, 2], choices={"dodge": "no", "shield": "no", "jump": "yes"})
    assert ruled.status_code == 200
    assert ruled.headers["Content-Language"] == "es"
    assert ruled.json == {
        "headline": "1 herida",
        "outcome": {"wounds": 1, "dodged": False},
        "reasons": [
            {
                "text": "heridas",
                "value": 1,
                "clause": "DUEL-1",
                "faces": [6, 2],
                "seat": None,
                "marks": [],
                "harm": [],
                "duel": None,
                "sides": 6,
                "does": [],
                "clash": None,
                "left_out": [],
                "of": None,
                "terms": [
                    {
                        "text": "espadas",
                        "value": 2,
                        "clause": "DUEL-1",
                        "faces": [],
                        "seat": None,
                        "marks": [],
                        "harm": [],
                        "duel": None,
                        "sides": 6,
                        "does": [],
                        "clash": None,
                        "left_out": [],
                        "of": None,
                        "terms": [],
                    }
                ],
            }
        ],
        "faces": [6, 2],
        "question": None,
        "unused": ["jump"],
    }


def test_without_dice_companion_rolls_and_a_choice_can_be_answered_later(client: FlaskClient) -> None:
    first = consult(client, facts={"swords": 3}).json
    assert first["headline"] is None
    assert first["question"]["type"] == "choose"
    assert first["question"]["key"] == "dodge"
    assert [option["label"] for option in first["question"]["options"]] == ["No", "Sí"]
    last = consult(client, facts={"swords": 3}, choices={"dodge": "yes"}, dice=first["faces"], roll=True).json
    assert len(last["faces"]) == 3
    assert last["outcome"]["dodged"] is True


@pytest.mark.parametrize(
    ("body", "status", "field", "clause"),
    [
        ({}, 400, "facts", None),
        ({"facts": []}, 400, "facts", None),
        ({"facts": {"swords": 9}}, 400, "facts.swords", None),
        ({"facts": {"swords": "2"}}, 400, "facts.swords", None),
        ({"facts": {"pikes": 2}}, 400, "facts.pikes", None),
        ({"facts": {}, "dice": [6], "choices": {"dodge": "yes"}}, 422, "dice", "DUEL-1"),
        ({"facts": {}, "dice": [6, 6, 6], "choices": {"dodge": "yes"}}, 422, "dice", "DUEL-1"),
        ({"facts": {}, "dice": [7, 1], "choices": {"dodge": "yes"}}, 422, "dice", "DUEL-1"),
        ({"facts": {}, "dice": 6}, 400, "dice", None),
        ({"facts": {}, "dice": [1] * 201}, 400, "dice", None),
        ({"facts": {}, "dice": ["6", 1]}, 400, "dice[0]", None),
        ({"facts": {}, "choices": {"dodge": "perhaps"}}, 422, "choices.dodge", None),
        ({"facts": {"armour": "mail"}, "choices": {"dodge": "yes"}}, 422, "choices.dodge", "DUEL-2"),
        ({"facts": {}, "dices": [1]}, 400, "dices", None),
    ],
)
def test_wrong_facts_dice_and_choices_are_named(
    client: FlaskClient, body: dict[str, Any], status: int, field: str, clause: str | None
) -> None:
    wrong(consult(client, **body), status, field=field, clause=clause)


def test_a_rule_that_says_no_cites_its_clause_in_the_callers_language(client: FlaskClient) -> None:
    assert wrong(consult(client, "forbid", facts={}), 422, field="armour", clause="DUEL-2") == (
        "No se esquiva con armadura."
    )
    english = client.post("/api/games/duel/lookups/forbid", json={"facts": {}}, headers={"Accept-Language": "en"})
    assert english.json["detail"] == "No dodging in armour."


def test_two_fact_sets_are_compared(client: FlaskClient) -> None:
    address = "/api/games/duel/lookups/strike"
    both = client.post(f"{address}/compare", json={"a": {"armour": "mail"}, "b": {"swords": 3}}, headers=SPANISH).json
    assert both["differing"] == [{"field": "swords", "label": "Espadas", "a": 2, "b": 3}]
    for side, facts in (("a", {"armour": "mail"}), ("b", {"armour": "mail", "swords": 3})):
        assert both[side] == client.post(f"{address}/odds", json={"facts": facts}, headers=SPANISH).json
    none = client.post("/api/games/duel/lookups/rest/compare", json={"a": {}, "b": {}}).json
    assert none == {"a": {"charts": []}, "b": {"charts": []}, "differing": []}


def test_what_is_wrong_with_a_comparison_is_named_with_its_side(client: FlaskClient) -> None:
    address = "/api/games/duel/lookups/strike/compare"
    wrong(client.post(address, json={"a": {}, "b": {"swords": 9}}), 400, field="b.swords")
    wrong(client.post(address, json={"a": {"sword": 1}, "b": {}}), 400, field="a.sword")


def test_odds_are_exact(client: FlaskClient) -> None:
    answer = client.post("/api/games/duel/lookups/strike/odds", json={"facts": {"swords": 2}}, headers=SPANISH)
    (chart,) = answer.json["charts"]
    assert chart == {
        "title": "Heridas",
        "bars": [
            {"label": "0 heridas", "chance": "25/36", "place": None},
            {"label": "1 herida", "chance": "5/18", "place": None},
            {"label": "2 heridas", "chance": "1/36", "place": None},
        ],
        "map": None,
        "reasons": [],
    }
    assert sum(Fraction(bar["chance"]) for bar in chart["bars"]) == 1
    assert client.post("/api/games/duel/lookups/rest/odds", json={"facts": {}}).json == {"charts": []}


@pytest.mark.parametrize(
    ("address", "field"),
    [("/api/games/chess/lookups/strike", "game"), ("/api/games/duel/lookups/jump", "lookup")],
)
def test_unknown_games_and_lookups_are_not_found(client: FlaskClient, address: str, field: str) -> None:
    wrong(client.post(address, json={"facts": {}}), 404, field=field)
    wrong(client.post(f"{address}/odds", json={"facts": {}}), 404, field=field)


# Tables


def test_a_table_is_made_with_seats_taken(table: Table) -> None:
    assert table.tokens.keys() == {"rulekeeper", "red", "blue"}
    assert table.made["join"] == f"http://localhost/t/{table.id}"
    links = {seat["seat"]: seat["link"] for seat in table.made["seats"]}
    assert links["red"] == f"http://localhost/s/{table.id}/red/{table.tokens['red']}"
    people = {person["seat"]: person for person in table.get().json["people"]}
    assert people["red"]["name"] == "Ana"
    assert people["red"]["taken"] is True


def test_a_table_is_made_once_under_one_key(client: FlaskClient) -> None:
    body = {"game": "toy", "seats": {"red": "Ana"}, "key": "a-long-and-random-key"}
    first, again = (client.post("/api/tables", json=body) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json == first.json
    other = client.post("/api/tables", json=body | {"seats": {"red": "Ana"}, "title": "Another"})
    assert other.json["table"] != first.json["table"]


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 400, "game"),
        ({"game": "toy", "key": "short"}, 400, "key"),
        ({"game": "chess"}, 400, "game"),
        ({"game": "toy", "options": {"goal": 0}}, 400, "options.goal"),
        ({"game": "toy", "options": {"aim": 1}}, 400, "options.aim"),
        ({"game": "toy", "seats": {"green": "Eve"}}, 400, "seats.green"),
        ({"game": "toy", "seats": {"rulekeeper": "Eve"}}, 400, "seats.rulekeeper"),
        ({"game": "toy", "seats": {"red": "Ana", "blue": "x" * 41}}, 400, "seats.blue"),
        ({"game": "toy", "seats": ["red"]}, 400, "seats"),
        ({"game": "toy", "dice": "loaded"}, 400, "dice"),
        ({"game": "toy", "title": "x" * 201}, 400, "title"),
        ({"game": "toy", "title": "x" * 100}, 400, "title"),
        ({"game": "toy", "color": "red"}, 400, "color"),
    ],
)
def test_a_wrong_table_is_not_made(
    app: Flask, client: FlaskClient, body: dict[str, Any], status: int, field: str
) -> None:
    tables: Tables = app.extensions[NAME].tables
    before = len(tables.summaries(limit=9999))
    wrong(client.post("/api/tables", json=body), status, field=field)
    assert len(tables.summaries(limit=9999)) == before


def test_a_view_is_the_callers_own(table: Table) -> None:
    assert table.act("red", "draw", count=3).status_code == 200
    mine, theirs, public = (table.get(seat=seat) for seat in ("red", "blue", None))
    cards = mine.json["view"]["panels"][0]["rows"][3][1].split()
    assert len(cards) == 3
    assert mine.json["seat"] == "red"
    assert mine.json["offers"][0]["action"] == "add"
    assert public.json["seat"] == "screen"
    for other in (theirs, public, table.get("/log", "blue"), table.get("/events", "blue"), table.get("/events")):
        assert other.status_code == 200
        for card in cards:
            assert card.encode() not in other.data
        for token in table.tokens.values():
            assert token.encode() not in other.data


def test_a_token_is_its_persons_and_opens_where_he_sits(table: Table) -> None:
    assert table.post("/seat", "red", other="blue", key="k1").status_code == 200
    (asked,) = table.get(seat="blue").json["proposals"]
    assert (asked["about"], asked["by"], asked["may"]) == ("swap", "red", "answer")
    assert table.get().json["proposals"] == []
    wrong(table.post("/proposals", "red", wish=asked["id"], yes=True, key="k2"), 403, field="wish")
    assert table.post("/proposals", "blue", wish=asked["id"], yes=True, key="k3").status_code == 200
    assert {seat: table.get(seat=seat).json["seat"] for seat in ("red", "blue")} == {"red": "blue", "blue": "red"}
    assert table.post("/leave", "red", key="k4").status_code == 200
    assert table.get(seat="red").status_code == 401
    assert table.post("/seat", "blue", other="blue", key="k5").status_code == 200, "it is free now"
    assert table.get(seat="blue").json["seat"] == "blue"
    wrong(table.post("/leave", "rulekeeper", key="k6"), 409, field="seat")


def test_an_action_is_ruled_on(table: Table) -> None:
    done = table.act("red", "add", points=4)
    assert done.status_code == 200
    assert done.json["headline"] == "red acts"
    assert done.json["repeated"] is False
    assert done.json["version"] == table.get().json["version"]
    assert table.get().json["view"]["panels"][0]["rows"][0] == ["points", "4 to 0"]


def test_the_same_key_acts_once(table: Table) -> None:
    first = table.post("/actions", "red", action={"action": "add"}, key="once")
    again = table.post("/actions", "red", action={"action": "add"}, key="once")
    assert again.json == first.json | {"repeated": True}
    assert table.get().json["view"]["panels"][0]["rows"][0][1] == "1 to 0"


def test_a_rule_asks_on_and_is_answered(client: FlaskClient) -> None:
    table = Table(client, dice="typed")
    asked = table.act("red", "hit").json
    assert asked["headline"] is None
    assert asked["waiting"][0]["seat"] == "blue"
    assert table.get(seat="blue").json["asked"]["question"]["key"] == "dodge"
    wrong(table.post("/answers", "red", answer={"value": "no"}), 403)
    wrong(table.post("/answers", "blue", answer={"value": "maybe"}), 422, field="dodge")
    assert table.post("/answers", "blue", answer={"value": "no"}).json["waiting"][0]["seat"] == "red"
    wrong(table.post("/answers", "red", answer={"faces": [1, 2]}), 422, field="faces", clause="TOY-2")
    wrong(table.post("/answers", "red", answer={"faces": [1, 2, 7]}), 422, field="faces", clause="TOY-2")
    done = table.post("/answers", "red", answer={"faces": [1, 2, 3]}).json
    assert done["reasons"][-1]["faces"] == [1, 2, 3]
    assert done["reasons"][-1]["clause"] == "TOY-2"


def test_answers_can_be_given_ahead(client: FlaskClient) -> None:
    table = Table(client, dice="typed")
    done = table.post("/actions", "red", action={"action": "roll", "dice": 2}, answers=[{"faces": [3, 4]}])
    assert done.json["reasons"][0]["value"] == 7


def test_undo_asks_the_other_seat(table: Table) -> None:
    assert table.act("red", "roll").status_code == 200
    assert table.post("/undo", "red").status_code == 200
    assert table.get(seat="blue").json["consent"]["mine_to_give"] is True
    assert table.post("/undo", "blue", consent=True).status_code == 200
    assert table.get().json["view"]["panels"][0]["rows"][0][1] == "0 to 0"


def test_values_are_corrected_by_hand(table: Table) -> None:
    listed = {value["path"]: value for value in table.get("/corrections", "red").json["values"]}
    assert listed["points.red"]["field"]["value"] == 0
    assert table.post("/corrections", "red", path="points.red", value="12").status_code == 200
    assert table.get().json["view"]["panels"][0]["rows"][0][1] == "12 to 0"
    assert wrong(table.post("/corrections", "red", path="points.green", value="1"), 400, field="path")


def test_several_values_are_corrected_as_one_entry(tmp_path: Path) -> None:
    game = posed(TWO_CITIES, playing("wp1 li e4 1, bp1 li e6 3", "2H"))
    client = create_app(tmp_path, games={"two_cities": game}).test_client()
    table = Table(client, game="two_cities", seats={"white": "Ana", "black": "Bo"})
    both = [{"path": "unit.wp1.hits", "value": "2"}, {"path": "unit.bp1.square", "value": "e7"}]
    before = table.get("/log").json["lines"][0]["seq"]
    answer = table.post("/stock-take", "white", corrections=both)
    assert (answer.status_code, answer.json["seq"]) == (200, before + 1)
    values = {value["path"]: value["field"]["value"] for value in table.get("/corrections", "white").json["values"]}
    assert [values[one["path"]] for one in both] == [2, "e7"]
    more = {"path": "unit.wp1.hits", "value": "0"}
    for path, value in (("game.active", "black"), ("purchases.white", "3"), ("cards.white", "1x")):
        refused = table.post("/stock-take", "white", corrections=[more, {"path": path, "value": value}])
        assert refused.status_code in {400, 422}, "it does not lie on the table"
    assert table.post("/stock-take", "white", corrections=[]).status_code == 400
    assert table.get("/log").json["lines"][0]["seq"] == before + 1


def test_the_log_can_be_read_in_parts(table: Table) -> None:
    for points in range(4):
        table.act("red", "add", points=points)
    lines = table.get("/log?limit=2").json["lines"]
    assert [line["kind"] for line in lines] == ["action", "action"]
    older = table.get(f"/log?before={lines[-1]['seq']}").json["lines"]
    assert [line["seq"] for line in older] == list(range(lines[-1]["seq"] - 1, 0, -1))
    for odd in ("-1", "one", "", "9" * 30, "1.5", "٣"):
        wrong(table.get(f"/log?before={odd}"), 400, field="before")
    wrong(table.get("/log?limit=all"), 400, field="limit")


def test_events_begin_with_the_callers_view(table: Table) -> None:
    stream = table.get("/events", "red", **SPANISH)
    assert stream.mimetype == "text/event-stream"
    kind, name, seat = stream.headers["X-Live-Channel"].split("/")[:3]
    assert (kind, name, seat) == ("api", table.id, "red")
    assert table.tokens["red"] not in stream.headers["X-Live-Channel"]
    event, number, data = stream.text.strip().split("\n")
    assert event == "event: view"
    assert json.loads(data.removeprefix("data: ")) == table.get(seat="red", **SPANISH).json
    assert number == f"id: {table.get().json['version']}"


# The end


def test_the_rulekeeper_ends_a_table_and_opens_it_again(table: Table) -> None:
    wrong(table.post("/end", "red"), 403)
    wrong(table.post("/end", "red", consent=True), 409)
    assert table.post("/end", "rulekeeper", key="e1").json["headline"] is None
    assert table.get(seat="red").json["end_wish"] == {"mine_to_give": True, "mine": False}
    assert table.get(seat="rulekeeper").json["end_wish"] == {"mine_to_give": False, "mine": True}
    wrong(table.post("/end", "rulekeeper", consent=True), 403)
    assert table.post("/end", "red", consent=True).json["headline"] == "The table ends here."
    assert table.get().json["ended"] is True
    again = table.post("/end", "rulekeeper", key="e1")
    assert again.json["repeated"] is True
    wrong(table.act("red", "add"), 409)
    table.post("/end", "rulekeeper", on=False)
    assert table.get().json["ended"] is False
    assert table.act("red", "add").status_code == 200


def test_how_a_game_ended_is_told_once_it_has(table: Table) -> None:
    wrong(table.get("/ending"), 409)
    table.act("red", "stop")
    endings = [table.get("/ending", seat).json for seat in (None, "red", "rulekeeper")]
    assert endings == [endings[0]] * 3
    assert endings[0]["rematch"] is None
    there = table.post("/rematch", "red").json
    assert table.get("/ending").json["rematch"]["table"] == there["table"]
    assert there["seat"]["token"] not in table.get("/ending").text


def test_everybody_is_given_the_own_seat_at_one_rematch(table: Table) -> None:
    wrong(table.post("/rematch", "red"), 409)
    wrong(table.post("/rematch", None), 401)
    table.act("red", "stop")
    there = table.post("/rematch", "red", key="again")
    assert there.status_code == 200
    assert there.json["join"].endswith(f"/t/{there.json['table']}")
    assert there.json["seat"]["seat"] == "red"
    assert table.post("/rematch", "red", key="again").json == there.json
    assert table.post("/rematch", "red", key="another", swap=True).json == there.json, "there is one rematch"
    blue = table.post("/rematch", "blue").json
    assert (blue["table"], blue["seat"]["seat"]) == (there.json["table"], "blue")
    seen = table.client.get(
        f"/api/tables/{blue['table']}", headers={"Authorization": f"Bearer {blue['seat']['token']}"}
    ).json
    assert (seen["seat"], seen["table"]) == ("blue", blue["table"])
    assert blue["seat"]["link"].endswith(f"/s/{blue['table']}/blue/{blue['seat']['token']}")


def test_two_players_change_places_at_a_rematch(table: Table) -> None:
    table.act("red", "stop")
    assert table.post("/rematch", "red", swap=True).json["seat"]["seat"] == "blue"
    assert table.post("/rematch", "blue").json["seat"]["seat"] == "red"


def test_places_are_not_changed_by_one_alone(client: FlaskClient) -> None:
    table = Table(client, seats={"red": "Ana"})
    table.act("red", "stop")
    wrong(table.post("/rematch", "red", swap=True), 409, field="swap")
    assert table.get("/ending").json["rematch"] is None


# Who may do what


@pytest.mark.parametrize(
    "path", ["/actions", "/answers", "/silence", "/undo", "/corrections", "/stock-take", "/end", "/rematch"]
)
def test_acting_needs_a_token_that_opens_a_seat(table: Table, path: str) -> None:
    bodies = {
        "/actions": {"action": {"action": "add"}},
        "/answers": {"answer": {"roll": True}},
        "/undo": {},
        "/corrections": {"path": "turn", "value": "blue"},
        "/stock-take": {"corrections": [{"path": "points.red", "value": "2"}]},
        "/silence": {"seen": 1},
        "/end": {},
        "/rematch": {},
    }
    before = table.get().json["version"]
    for seat in (None, "not-a-token", "red2", "x" * 5000, "ñ"):
        answer = table.post(path, seat, **bodies[path])
        wrong(answer, 401)
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert table.get().json["version"] == before


def test_only_bearer_tokens_are_taken(table: Table) -> None:
    for header in ("Basic eDp5", "Bearer", "Bearer ", f"Token {table.tokens['red']}", "\t"):
        answer = table.client.get(f"/api/tables/{table.id}", headers={"Authorization": header})
        assert answer.status_code in {200, 401}
        assert header.strip() == "" or answer.status_code == 401


def test_a_token_of_another_table_opens_nothing(table: Table, client: FlaskClient) -> None:
    wrong(table.get(seat=Table(client).tokens["red"]), 401)


def test_cookies_open_nothing_here(table: Table) -> None:
    table.client.set_cookie("seat-red", table.tokens["red"])
    assert table.get().json["seat"] == "screen"
    wrong(table.post("/actions", None, action={"action": "add"}), 401)


def test_another_site_can_do_nothing(table: Table) -> None:
    answer = table.client.post(
        f"/api/tables/{table.id}/actions",
        json={"action": {"action": "add"}, "key": "evil"},
        headers=table.headers("red") | {"Origin": "http://evil.example"},
    )
    wrong(answer, 403)


def test_guessing_codes_of_tables_is_limited(tmp_path: Path) -> None:
    client = create_app(tmp_path, games={"toy": TOY}).test_client()
    table = Table(client)
    statuses = [client.get(f"/api/tables/K7QF{number:02}").status_code for number in range(22, 99)]
    assert statuses[0] == 404
    assert statuses[-1] == 429
    wrong(table.get(), 429)


# What is not JSON, not a request, not there


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"1e999",
        b"\xff\xfe",
        b'{"action": {"a": "\xff"}}',
        b"\x00",
        b"[" * 100_000,
        b'{"action":' * 5_000,
        b"NaN",
        b'{"key": "\\ud800"}',
        b"facts=1",
        b'"' + b"x" * 100_000 + b'"',
    ],
)
def test_a_body_that_is_none_is_refused(table: Table, body: bytes) -> None:
    for path in ("/actions", "/answers", "/silence", "/undo", "/corrections"):
        answer = table.client.post(
            f"/api/tables/{table.id}{path}", data=body, headers=table.headers("red"), content_type="application/json"
        )
        wrong(answer, 400, field=answer.json["field"])
    for address in ("/api/tables", "/api/games/duel/lookups/strike", "/api/games/duel/lookups/strike/odds"):
        answer = table.client.post(address, data=body)
        wrong(answer, 400, field=answer.json["field"])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"action": {"action": "add"}}, "key"),
        ({"action": {"action": "add"}, "key": ""}, "key"),
        ({"action": {"action": "add"}, "key": "k" * 500}, "key"),
        ({"action": {"action": "add"}, "key": 1}, "key"),
        ({"action": {"action": "add"}, "key": "naïve\0"}, "key"),
        ({"action": "add", "key": "k"}, "action"),
        ({"action": {}, "key": "k"}, "action"),
        ({"action": {"action": "dance"}, "key": "k"}, "action"),
        ({"action": {"action": "add", "points": 10}, "key": "k"}, "points"),
        ({"action": {"action": "add", "points": "many"}, "key": "k"}, "points"),
        ({"action": {"action": "add", "height": 1}, "key": "k"}, "height"),
        ({"action": {"action": "add"}, "key": "k", "seen": -1}, "seen"),
        ({"action": {"action": "add"}, "key": "k", "seen": 2**60}, "seen"),
        ({"action": {"action": "add"}, "key": "k", "answers": {}}, "answers"),
        ({"action": {"action": "add"}, "key": "k", "answers": [1]}, "answers[0]"),
        ({"action": {"action": "add"}, "key": "k", "answers": [{"value": "x"}]}, "answers"),
        ({"action": {"action": "add"}, "key": "k", "extra": 1}, "extra"),
    ],
)
def test_a_wrong_field_of_an_action_is_named(table: Table, body: dict[str, Any], field: str) -> None:
    before = table.get().json
    answer = table.client.post(f"/api/tables/{table.id}/actions", json=body, headers=table.headers("red"))
    wrong(answer, 400, field=field)
    assert table.get().json == before


@pytest.mark.parametrize(
    ("action", "field", "detail"),
    [
        ({"action": "add", "points": 10}, "points", "Points: this is not what belongs here."),
        ({"action": "add", "note": 3}, "note", "note: this is not what belongs here."),
        ({"action": "dance"}, "action", "What to do: this is not what belongs here."),
        ({}, "action", "What to do: this is needed."),
        ({"action": "add", "height": 1}, "height", "There is no field called height."),
    ],
)
def test_a_wrong_field_is_called_what_its_offer_calls_it(
    table: Table, action: dict[str, Any], field: str, detail: str
) -> None:
    assert wrong(table.post("/actions", "red", action=action), 400, field=field) == detail


def test_what_is_not_there_is_not_found(client: FlaskClient) -> None:
    for address in ("/api", "/api/", "/api/nothing", "/api/tables/", "/api/games/duel", "/api/tables/AAAAAA/x"):
        wrong(client.get(address), 404)
    wrong(client.get("/api/tables/K7QF3M"), 404, field=client.get("/api/tables/K7QF3M").json["field"])


def test_methods_that_do_not_fit_are_refused(client: FlaskClient) -> None:
    answer = client.delete("/api/games")
    wrong(answer, 405)
    assert "GET" in answer.headers["Allow"]
    wrong(client.get("/api/games/duel/lookups/strike"), 405)
    wrong(client.put("/api/tables", json={}), 405)


def test_a_huge_body_is_refused(table: Table) -> None:
    answer = table.client.post(f"/api/tables/{table.id}/actions", data=b" " * 2_000_000, headers=table.headers("red"))
    wrong(answer, 413)


def test_problems_are_told_in_the_callers_language(client: FlaskClient) -> None:
    spoken = {
        language: client.get("/api/nothing", headers={"Accept-Language": language}).json["detail"]
        for language in ("es", "en")
    }
    assert spoken["en"] == "There is nothing at this address."
    assert spoken["es"] != spoken["en"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 409, 411, 413, 415, 422, 429, 500, 503])
def test_a_title_is_in_the_callers_language_whatever_went_wrong(app: Flask, status: int) -> None:
    def title(language: str) -> str:
        with app.test_request_context(headers={"Accept-Language": language}):
            return str(respond(Problem(status, say("no"))).json["title"])

    assert title("es") != title("en")


# The document


def test_the_document_describes_every_route(client: FlaskClient, app: Flask) -> None:
    document = client.get("/api/openapi.json").json
    assert document == json.loads(json.dumps(describe()))
    assert document["openapi"].startswith("3.1")
    described = {
        (method.upper(), path.replace("{", "<").replace("}", ">"))
        for path, methods in document["paths"].items()
        for method in methods
    }
    served = {
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/") and rule.endpoint != "api.document"
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert described == served


def test_every_reference_of_the_document_leads_somewhere() -> None:
    document = describe()

    def references(value: Any) -> Iterator[str]:
        match value:
            case dict():
                if "$ref" in value:
                    yield value["$ref"]
                for part in value.values():
                    yield from references(part)
            case list():
                for part in value:
                    yield from references(part)

    found = set(references(document))
    assert found
    for reference in found:
        place: Any = document
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]
        assert place
    operations = [document["paths"][path][method] for path in document["paths"] for method in document["paths"][path]]
    assert len({operation["operationId"] for operation in operations}) == len(operations) == len(ROUTES)


def test_what_is_said_is_described_as_words_and_chances_as_fractions() -> None:
    schemas = describe()["components"]["schemas"]
    assert schemas["Text"]["type"] == "string"
    assert schemas["Bar"]["properties"]["chance"]["type"] == "string"
    assert schemas["Act"]["additionalProperties"] is False
    assert set(schemas["Act"]["required"]) == {"action", "key"}


# Anything at all

PARTS = st.one_of(
    st.sampled_from(["api", "games", "duel", "toy", "lookups", "strike", "odds", "tables", "log", "events", "%00"]),
    st.text(max_size=8),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KNOWN = st.sampled_from(
    ["facts", "dice", "choices", "roll", "game", "seats", "options", "title", "action", "answers", "key", "seen",
     "answer", "consent", "path", "value", "swords", "points"]
)  # fmt: skip
BODIES = st.one_of(
    st.binary(max_size=40),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(KNOWN, JSON, max_size=6).map(lambda value: json.dumps(value).encode()),
)
FUZZ = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@pytest.fixture(scope="module")
def fuzzed(app: Flask) -> Table:
    return Table(app.test_client())


@FUZZ
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]),
    parts=st.lists(PARTS, max_size=6),
    body=BODIES,
    token=st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=20),
)
def test_nothing_sent_anywhere_makes_it_fail(
    fuzzed: Table, method: str, parts: list[str], body: bytes, token: str
) -> None:
    answer = fuzzed.client.open(
        "/api/" + "/".join(parts), method=method, data=body, headers={"Authorization": f"Bearer {token}"}
    )
    assert answer.status_code < 500


@FUZZ
@given(
    route=st.sampled_from([route for route in ROUTES if route.takes]),
    body=BODIES,
    game=st.sampled_from(["duel", "toy"]),
    lookup=st.sampled_from(["strike", "rest", "forbid"]),
    seat=st.sampled_from(["red", "blue", "rulekeeper", None]),
    mime=st.sampled_from(["application/json", "text/plain", "multipart/form-data", ""]),
)
def test_nothing_sent_to_a_route_makes_it_fail(
    fuzzed: Table, route: Any, body: bytes, game: str, lookup: str, seat: str | None, mime: str
) -> None:
    address = route.path.replace("<game>", game).replace("<lookup>", lookup).replace("<table>", fuzzed.id)
    answer = fuzzed.client.post(f"/api{address}", data=body, headers=fuzzed.headers(seat), content_type=mime)
    assert answer.status_code < 500
    if answer.status_code >= 400:
        assert answer.mimetype == "application/problem+json"


def test_the_words_of_a_game_are_spoken_to_its_tables(tmp_path: Path) -> None:
    class Spoken(Toy):
        words = Words({"goal": {"es": "Meta", "en": "Goal"}}, {"It is not your turn.": {"es": "No te toca."}})

    client = create_app(tmp_path, games={"toy": Spoken()}).test_client()
    unmade = client.post("/api/tables", json={"game": "toy", "options": {"goal": 0}}, headers=SPANISH)
    assert wrong(unmade, 400, field="options.goal").startswith("Meta: ")
    table = Table(client)
    answer = table.client.post(
        f"/api/tables/{table.id}/actions",
        json={"action": {"action": "add"}, "key": "k"},
        headers=table.headers("blue") | SPANISH,
    )
    assert wrong(answer, 422, clause="TOY-1") == "No te toca."
