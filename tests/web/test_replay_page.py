"""The replay: the table as a seat saw it after any entry of the log, and no more than that."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import pytest

from companion import create_app
from companion.games import discover
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.text import Text, say
from companion.table.replay import Mark
from companion.web.play.bookmarks import turns
from companion.web.state import NAME
from tests.support.phones import words
from tests.support.played_out import TableContest
from tests.support.random_game import RandomGame

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

STEPS = 30
FORM = re.compile(r'<form[^>]*method="post".*?</form>', re.DOTALL)


def sitting(app: Flask, table: str, seat: str, token: str) -> FlaskClient:
    client = app.test_client()
    client.get(f"/s/{table}/{seat}/{token}")
    return client


@pytest.mark.parametrize("name", discover())
def test_every_entry_is_shown_to_every_seat_and_nothing_can_be_done_there(name: str, tmp_path: Path) -> None:
    app = create_app(tmp_path)
    tables = app.extensions[NAME].tables
    game = RandomGame(tables, discover()[name], 5)
    for _ in range(STEPS):
        if game.over() or not game.step():
            break
    last = tables.seen(game.table, SCREEN).log[0].seq
    for seat in [*game.tokens, SCREEN]:
        client = app.test_client() if seat == SCREEN else sitting(app, game.table, seat, game.tokens[seat])
        for at in range(1, last + 1):
            answer = client.get(f"/t/{game.table}/{seat}/replay?at={at}", headers={"HX-Request": "true"})
            assert answer.status_code == 200
            assert not [
                form
                for form in FORM.findall(answer.text)
                if re.search(r"<button|<select|<input(?! type=.hidden)", form)
            ]
            assert not re.search(r'name="(do|value|yes|path)"', answer.text)
            assert f"Entry {at} of {last}" in words(answer.text)


def test_what_a_seat_is_shown_of_the_past_is_what_the_view_of_that_seat_was(app: Flask) -> None:
    tables = app.extensions[NAME].tables
    contest = TableContest(tables, "two_cities", 3)
    for _ in range(12):
        contest.turn()
    last = tables.seen(contest.table, SCREEN).log[0].seq
    white = sitting(app, contest.table, "white", contest.tokens["white"])
    for eyes in ("black", "everybody"):
        answer = white.get(f"/t/{contest.table}/white/replay?at={last}&eyes={eyes}")
        assert answer.status_code == 403
    names = {
        seat: {
            card.code
            for panel in tables.look_back(contest.table, seat, last).view.panels
            for card in getattr(panel, "cards", ())
        }
        for seat in ("white", "black")
    }
    assert names["white"]
    shown = set(re.findall(r'id="face-([^"]+)"', white.get(f"/t/{contest.table}/white/replay?at={last}").text))
    assert shown == names["white"]
    screen = app.test_client().get(f"/t/{contest.table}/screen/replay?at={last}").text
    assert 'id="face-' not in screen
    assert white.get(f"/t/{contest.table}/black/replay?at={last}").status_code in {303, 403}


def test_once_it_is_over_any_eyes_may_be_chosen_and_every_hand(app: Flask, battle: TableContest) -> None:
    white = sitting(app, battle.table, "white", battle.tokens["white"])
    for eyes in ("white", "black", "screen", "everybody"):
        assert white.get(f"/t/{battle.table}/white/replay?at=9&eyes={eyes}").status_code == 200
    whole = words(white.get(f"/t/{battle.table}/white/replay?at=9&eyes=everybody").text)
    assert "White: " in whole
    assert "Black: " in whole
    assert white.get(f"/t/{battle.table}/white/replay?at=9&eyes=green").status_code == 404


@pytest.mark.parametrize(
    ("asked", "status"),
    [("at=0", 404), ("at=99999999999", 404), ("at=-1", 400), ("at=x", 400), ("at=1" + "0" * 40, 400), ("since=x", 400)],
)
def test_what_is_no_entry_is_said(app: Flask, battle: TableContest, asked: str, status: int) -> None:
    for tongue in ("en", "es"):
        answer = app.test_client().get(f"/t/{battle.table}/screen/replay?{asked}", headers={"Accept-Language": tongue})
        assert answer.status_code == status


def test_it_begins_since_one_looked(app: Flask, battle: TableContest) -> None:
    page = words(app.test_client().get(f"/t/{battle.table}/screen/replay?since=20").text)
    assert "Entry 21 of" in page
    assert "since you looked: 1/" in page
    newest = words(app.test_client().get(f"/t/{battle.table}/screen/replay").text)
    last = int(re.findall(r"Entry (\d+) of \1", newest)[0])
    assert f"Entry {last} of {last}" in words(
        app.test_client().get(f"/t/{battle.table}/screen/replay?since={last}").text
    )


def test_turns_and_what_was_lost_are_marked(app: Flask, battle: TableContest) -> None:
    marks = app.extensions[NAME].tables.marks(battle.table)
    turns = [(mark.name, mark.phase, mark.side) for mark in marks if mark.kind == "turn"]
    assert all(now[:2] != before[:2] or now[2] not in {"", before[2]} for before, now in pairwise(turns))
    assert {side for *_, side in turns} == {"", "white", "black"}, "both set up, then they move in turn"
    kinds = {mark.kind for mark in marks}
    assert {"turn", "gone", "end"} <= kinds
    lost = {mark.side for mark in marks if mark.kind == "gone"}
    assert lost == {"white", "black"}
    said = words(
        app.test_client().get(f"/t/{battle.table}/screen/replay/marks", headers={"Accept-Language": "es"}).text
    )
    assert re.search(r"Baja: [\w ]+ \(Blancas\)", said)
    assert re.search(r"Baja: [\w ]+ \(Negras\)", said)
    for fragment in ({}, {"HX-Request": "true"}):
        page = app.test_client().get(f"/t/{battle.table}/screen/replay/marks", headers=fragment)
        assert page.status_code == 200
        for mark in marks:
            assert f"at={mark.seq}" in page.text
    assert "Where the game turned most" in page.text


def test_a_turn_is_one_line_with_its_phases_within_it() -> None:
    def round_of(number: int) -> Text:
        return say("Round {round}: {number}/{count}", round=1, number=number, count=2)

    names = {"white": Text("White"), "black": Text("Black")}
    marks = [
        Mark(1, "turn", Text("Set-up"), phase=Text("Tiles")),
        Mark(2, "turn", Text("Set-up"), side="white", phase=Text("Tiles")),
        Mark(3, "gone", Text("Archers"), 1, "white"),
        Mark(4, "turn", Text("Set-up"), side="black", phase=Text("Tiles")),
        Mark(5, "turn", Text("Turn 1: White"), side="white", phase=Text("Move")),
        Mark(7, "turn", Text("Turn 1: White"), side="white", phase=Text("Fight")),
        Mark(
            8,
            "turn",
            say("Round {round}: {number}/{count}", round=1, number=1, count=2),
            side="white",
            phase=Text("Draw"),
        ),
        Mark(
            8,
            "turn",
            say("Round {round}: {number}/{count}", round=1, number=2, count=2),
            side="white",
            phase=Text("Whitewash"),
        ),
        Mark(9, "turn", Text("Turn 2"), side="black", phase=Text("Move")),
        Mark(10, "turn", side="white"),
        Mark(11, "turn", side="black"),
    ]
    listed = [*turns(marks, lambda text: text.say.format(**text.places), names)]
    assert [(turn.begins.seq, turn.begins.words) for turn in listed] == [
        (1, "Set-up"),
        (5, "Turn 1: White"),
        (8, "Round 1 · White"),
        (9, "Turn 2 · Move · Black"),
        (10, "White"),
        (11, "Black"),
    ]
    within = [[(part.seq, part.words) for part in turn.parts] for turn in listed]
    assert within[0] == [(1, "Tiles"), (2, "Tiles · White"), (4, "Tiles · Black")]
    assert within[1] == [(5, "Move"), (7, "Fight")]
    assert within[2] == [(8, "Draw"), (8, "Whitewash")]
    assert within[3:] == [[], [], []]


@pytest.mark.parametrize(
    ("tongue", "said"),
    [("en", "Where the dice surprised most"), ("es", "Donde más sorprendieron los dados")],
)
def test_the_most_unusual_dice_are_a_step_away_once_the_game_is_over(
    app: Flask, battle: TableContest, tongue: str, said: str
) -> None:
    tables = app.extensions[NAME].tables
    surprise = tables.course(battle.table).surprise
    assert surprise is not None
    marks = f"/t/{battle.table}/screen/replay/marks"
    page = app.test_client().get(marks, headers={"Accept-Language": tongue}).text
    link = next(link for link in re.findall(r"<a .*?</a>", page, re.DOTALL) if said in link)
    assert f"at={surprise.seq}" in link
    assert f": {' '.join(map(str, surprise.faces))}. " in words(page)
    going = TableContest(tables, "two_cities", 5)
    page = app.test_client().get(f"/t/{going.table}/screen/replay/marks", headers={"Accept-Language": tongue}).text
    assert said not in page


def test_a_correction_is_marked_and_what_was_taken_back_is_not(app: Flask) -> None:
    tables = app.extensions[NAME].tables
    contest = TableContest(tables, "two_cities", 4)
    value = next(value for value in tables.tracked(contest.table, RULEKEEPER) if value.field.kind == "number")
    before = len(tables.marks(contest.table))
    tables.correct(contest.table, RULEKEEPER, value.path, "1", "first-correction")
    mark = tables.marks(contest.table)[before]
    assert mark.kind == "correction"
    page = app.test_client().get(f"/t/{contest.table}/screen/replay/marks", headers={"Accept-Language": "en"})
    assert "Ruth corrects" in words(page.text)[words(page.text).index("Bookmarks") :]
    tables.take_back(contest.table, RULEKEEPER, "back-again")
    assert len(tables.marks(contest.table)) == before


def test_a_game_that_a_correction_has_ended_is_shown_when_the_table_is_ended(app: Flask) -> None:
    tables = app.extensions[NAME].tables
    contest = TableContest(tables, "two_cities", 4)
    for _ in range(12):
        contest.turn()
    table, white = contest.table, sitting(app, contest.table, "white", contest.tokens["white"])
    tables.correct(table, "white", "game.winner", "white", "it is won")
    offered = [f"/t/{table}/white/replay", f"/t/{table}/report"]
    assert tables.summary(table).over
    assert not re.search("eyes=|replay-eyes|replay-try|export", "".join(white.get(page).text for page in offered))
    refused = white.get(f"/t/{table}/white/replay?at=2&eyes=black", headers={"Accept-Language": "en"})
    assert refused.status_code == 403
    assert "over by a correction" in words(refused.text)
    tables.end(table, RULEKEEPER, "all agree", own=tuple(contest.tokens))
    shown = "".join(white.get(page).text for page in offered)
    assert all(found in shown for found in ('id="replay-eyes"', '<option value="black">', "replay-try", "export.json"))


def test_the_api_shows_the_past_and_what_happened_since(app: Flask, battle: TableContest) -> None:
    tables, table = app.extensions[NAME].tables, battle.table
    token = {"Authorization": f"Bearer {battle.tokens['white']}"}
    client = app.test_client()
    own = client.get(f"/api/tables/{table}/past?at=9", headers=token).json
    assert own["line"]["seq"] == 9
    others = client.get(f"/api/tables/{table}/past?at=9&eyes=black", headers=token).json
    assert own["view"] != others["view"]
    assert client.get(f"/api/tables/{table}/past?at=9").json["view"] not in (own["view"], others["view"])
    recap = client.get(f"/api/tables/{table}/recap?since=5", headers=token).json
    assert recap["until"] == tables.seen(table, "white").log[0].seq
    assert recap["lines"][-1]["seq"] == recap["until"]
    then = client.get(f"/api/tables/{table}/past/state?at=9")
    assert then.status_code == 200
    assert (then.json["seq"], then.json["game"]) == (9, "two_cities")
    stored = msgspec.json.decode(msgspec.json.encode(then.json["state"]), type=discover()["two_cities"].state)
    for seat in (*battle.tokens, SCREEN):
        assert discover()["two_cities"].view(stored, seat) == tables.look_back(table, seat, 9).view
    for asked, status in (("at=0", 404), ("at=999", 404), ("at=x", 400), ("", 400)):
        assert client.get(f"/api/tables/{table}/past/state?{asked}").status_code == status
    running = TableContest(tables, "two_cities", 5)
    for caller in running.tokens.values():
        bearer = {"Authorization": f"Bearer {caller}"}
        assert client.get(f"/api/tables/{running.table}/past/state?at=1", headers=bearer).status_code == 403
    for asked, status in (("at=1&eyes=black", 403), ("at=0", 404), ("at=99", 404), ("at=x", 400), ("", 400)):
        of_white = {"Authorization": f"Bearer {running.tokens['white']}"}
        assert client.get(f"/api/tables/{running.table}/past?{asked}", headers=of_white).status_code == status


def test_it_is_tried_from_an_entry_at_a_new_table(app: Flask, battle: TableContest) -> None:
    client = sitting(app, battle.table, "white", battle.tokens["white"])
    page = client.get(f"/t/{battle.table}/white/replay?at=9").text
    (form,) = (form for form in FORM.findall(page) if "replay-try" in form)
    assert "Try from here" in words(form)
    (key,) = re.findall(r'name="key" value="([^"]*)"', form)
    sent = {"key": key, "at": "9"}
    made = client.post(f"/t/{battle.table}/white/replay", data=sent)
    assert made.status_code == 303
    again = client.post(f"/t/{battle.table}/white/replay", data=sent)
    assert again.headers["Location"] == made.headers["Location"], "a second tap leads to the same table"
    invitation = words(client.get(made.headers["Location"]).text)
    assert "White" in invitation
    table = made.headers["Location"].split("/")[2]
    assert client.get(f"/t/{table}/white").status_code == 200
    assert f"{battle.table}, from entry 9" in words(client.get(f"/t/{table}/white").text)


@pytest.mark.parametrize(("at", "status"), [("0", 404), ("99999", 404), ("x", 400), ("", 404)])
def test_from_what_is_no_entry_nothing_is_tried(app: Flask, battle: TableContest, at: str, status: int) -> None:
    client = sitting(app, battle.table, "white", battle.tokens["white"])
    answer = client.post(f"/t/{battle.table}/white/replay", data={"key": "k" * 20, "at": at})
    assert answer.status_code == status


def test_nothing_is_tried_while_the_game_goes_on_nor_by_who_only_looks(app: Flask, battle: TableContest) -> None:
    tables = app.extensions[NAME].tables
    made = tables.create("two_cities", "", {}, {}, "app")
    keeper = sitting(app, made.table, RULEKEEPER, made.tokens[RULEKEEPER])
    sent = {"key": "k" * 20, "at": "1"}
    assert keeper.post(f"/t/{made.table}/{RULEKEEPER}/replay", data=sent).status_code == 409
    assert "Try from here" not in keeper.get(f"/t/{made.table}/{RULEKEEPER}/replay").text
    assert app.test_client().post(f"/t/{battle.table}/white/replay", data=sent).status_code in {303, 401, 403}
    assert app.test_client().post(f"/t/{battle.table}/{SCREEN}/replay", data=sent).status_code == 403
