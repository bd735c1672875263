"""The end of a game on its pages: the same scene for everybody, one rematch whoever taps, a log that begins with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from companion import create_app
from companion.kit.game import RULEKEEPER, SCREEN
from tests.support.phones import Table, words
from tests.support.played_out import TableContest
from tests.support.toy_game import TOY

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from werkzeug.test import TestResponse

SIDES = {"white": "blancas", "black": "negras"}
SCENE = re.compile(r'<details class="ending[ "].*?</details>', re.DOTALL)
RESULT = re.compile(r'<div class="end-scene".*?(?=<p class="thrown"|</div>\s*</details>|</div></div>)', re.DOTALL)


@pytest.fixture
def toy(tmp_path: Path) -> Table:
    return Table(create_app(tmp_path, games={"toy": TOY}), "toy")


def page(app: Flask, contest: TableContest, seat: str, tongue: str = "en") -> str:
    client = app.test_client()
    if seat != SCREEN:
        client.get(f"/s/{contest.table}/{seat}/{contest.tokens[seat]}")
    return client.get(f"/t/{contest.table}/{seat}", headers={"Accept-Language": tongue}).text


def course(app: Flask, contest: TableContest, seat: str, tongue: str = "en") -> str:
    client = app.test_client()
    if seat != SCREEN:
        client.get(f"/s/{contest.table}/{seat}/{contest.tokens[seat]}")
    answer = client.get(f"/t/{contest.table}/{seat}/course", headers={"Accept-Language": tongue})
    assert answer.status_code == 200
    return answer.text


def led(answer: TestResponse) -> tuple[str, str]:
    """Where an answer leads: a table and a seat."""
    assert answer.status_code == 303
    _, _, table, seat = answer.headers["Location"].split("/")
    return table, seat


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_everybody_sees_the_same_scene(app: Flask, battle: TableContest, tongue: str) -> None:
    scenes = {seat: SCENE.search(page(app, battle, seat, tongue)) for seat in ("white", "black", RULEKEEPER)}
    first = scenes["white"]
    assert first is not None
    apart = [found and re.sub(r'hx-get="[^"]*"', "", found[0]) for found in scenes.values()]
    assert apart == [apart[0]] * 3
    screen = RESULT.search(page(app, battle, SCREEN, tongue))
    assert screen is not None
    assert words(screen[0]).split() == words(RESULT.findall(first[0])[0]).split(), "and so does who only looks on"
    went = {course(app, battle, seat, tongue) for seat in ("white", "black", RULEKEEPER, SCREEN)}
    assert len(went) == 1


def test_the_final_board_is_behind_the_result(app: Flask, battle: TableContest) -> None:
    assert "Show the board" in words(page(app, battle, "white"))


def test_who_won_is_said_once_and_by_what_beneath(app: Flask, battle: TableContest) -> None:
    white = page(app, battle, "white")
    shown = words(re.sub(r'<section class="last".*?</section>|<div class="play-more".*', "", white, flags=re.DOTALL))
    won = f"{battle.state.winner.capitalize()} wins"
    assert shown.count(won) == 1
    assert shown.index("End of the game") < shown.index(won) < shown.index("The enemy city is destroyed")
    assert "Turning point: " not in shown, "nobody waits for all of the log to be read"
    went = re.sub(r"\s+", " ", words(course(app, battle, "white")))
    assert "Turning point: " in went
    assert re.search(r"Top unit [A-Z][a-z]+ [\w ]+ (destroyed \d+, )?hits dealt \d+", went)
    spanish = words(page(app, battle, "white", "es"))
    assert f"Ganan las {SIDES[battle.state.winner]}" in spanish
    assert "La ciudad enemiga está destruida" in spanish


def test_the_lead_is_drawn_within_its_frame_with_the_turning_point_on_it(app: Flask, battle: TableContest) -> None:
    white = course(app, battle, "white")
    (line,) = re.findall(r'<polyline points="([^"]+)"', white)
    places = [tuple(map(float, place.split(","))) for place in line.split()]
    assert all(0 <= x <= 300 and 0 < y < 60 for x, y in places)
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    spots = re.findall(r'class="turned[^"]*" d="M([\d.]+) ([\d.]+)h', white)
    assert {(float(x), float(y)) for x, y in spots} <= {*places}
    assert spots


def test_the_log_begins_with_the_result(app: Flask, battle: TableContest) -> None:
    client = app.test_client()
    report = words(client.get(f"/t/{battle.table}/report").text)
    won = f"{battle.state.winner.capitalize()} wins"
    assert report.index(won) < report.index("Turning point: ") < report.index("White: Ana")
    (title, _, said, *_) = client.get(f"/t/{battle.table}/report.md").text.splitlines()
    assert title.startswith("# ")
    assert said == f"**{won}**: The enemy city is destroyed (TTC-128)"
    assert "\n- Turning point: " in client.get(f"/t/{battle.table}/report.md").text


def test_a_game_that_goes_on_has_no_result(toy: Table) -> None:
    for path in ("/report", "/report.md"):
        assert "Nobody has won" not in words(toy.phones["red"].get(f"/t/{toy.id}{path}").text)
    assert 'id="ending"' not in toy.get("red").text
    assert "/rematch" not in toy.get("red").text
    assert toy.get("red", "/course").status_code == 409
    refused = toy.post("red", "/rematch")
    assert refused.status_code == 409
    assert "The game is not over yet." in words(refused.text)


def test_two_taps_and_two_phones_come_to_one_table(toy: Table) -> None:
    toy.end()
    assert "/rematch" in toy.get("red").text
    first, second, blue = (led(toy.post(seat, "/rematch")) for seat in ("red", "red", "blue"))
    assert first == second == (blue[0], "red")
    assert blue[1] == "blue"
    for seat in ("red", "blue"):
        assert toy.phones[seat].get(f"/t/{first[0]}/{seat}").status_code == 200, "it sits there already"
    assert toy.phones["red"].get(f"/t/{first[0]}/blue").status_code == 303, "and nowhere else"
    old = words(toy.get("blue").text)
    assert f"Rematch at table {first[0]}" in old
    assert "Go to your seat" in old
    assert f'href="/t/{toy.id}/screen/next"' in toy.get(SCREEN).text
    assert led(toy.get(SCREEN, "/next")) == (first[0], SCREEN)


def test_sides_are_swapped_by_who_taps_first(toy: Table) -> None:
    toy.end()
    assert "Rematch, sides swapped" in words(toy.get("red").text)
    table, seat = led(toy.post("red", "/rematch", swap="1"))
    assert seat == "blue"
    assert led(toy.post("blue", "/rematch")) == (table, "red")
    assert "Sides swapped" in words(toy.get(RULEKEEPER).text)


def test_a_phone_takes_along_every_seat_that_it_holds(toy: Table) -> None:
    toy.end()
    both = toy.phone("red", RULEKEEPER)
    table, _ = led(both.post(f"/t/{toy.id}/red/rematch"))
    assert both.get(f"/t/{table}/red").status_code == 200
    assert both.get(f"/t/{table}/{RULEKEEPER}").status_code == 200


def test_a_shared_screen_takes_along_the_seats_that_are_held_where_it_is_shown(toy: Table) -> None:
    assert led(toy.get(SCREEN, "/next")) == (toy.id, SCREEN), "there is no rematch yet"
    toy.end()
    assert led(toy.get(SCREEN, "/next")) == (toy.id, SCREEN)
    laptop, stranger = toy.phone(RULEKEEPER, "red"), toy.app.test_client()
    table, _ = led(toy.post("blue", "/rematch"))
    for screen in (laptop, stranger):
        assert led(screen.get(f"/t/{toy.id}/screen/next")) == (table, SCREEN)
    for seat in (RULEKEEPER, "red"):
        assert laptop.get(f"/t/{table}/{seat}").status_code == 200
        assert stranger.get(f"/t/{table}/{seat}").status_code == 303
    assert laptop.get(f"/t/{table}/blue").status_code == 303, "it held that seat nowhere"
    assert "Set-Cookie" not in stranger.get(f"/t/{toy.id}/screen/next").headers
    assert led(toy.get("blue", "/next")) == (toy.id, "blue"), "a seat is taken by a tap"


def test_a_seat_that_was_handed_on_at_either_table_is_not_taken_along(toy: Table) -> None:
    toy.end()
    laptop = toy.phone(RULEKEEPER, "red", "blue")
    table, _ = led(toy.post("red", "/rematch"))
    toy.tables.release(table, RULEKEEPER, "red", "k1")
    toy.tables.release(toy.id, RULEKEEPER, "blue", "k2")
    laptop.get(f"/t/{toy.id}/screen/next")
    assert laptop.get(f"/t/{table}/{RULEKEEPER}").status_code == 200
    for seat in ("red", "blue"):
        assert laptop.get(f"/t/{table}/{seat}").status_code == 303


def test_a_stranger_and_the_shared_screen_take_no_seat(toy: Table) -> None:
    toy.end()
    stranger = toy.app.test_client()
    for seat in ("red", SCREEN):
        refused = stranger.post(f"/t/{toy.id}/{seat}/rematch")
        assert refused.status_code == 403
        assert "Set-Cookie" not in refused.headers
    table, _ = led(toy.post("red", "/rematch"))
    for seat in ("red", "blue", SCREEN):
        refused = stranger.post(f"/t/{toy.id}/{seat}/rematch")
        assert refused.status_code == 403
        assert "Set-Cookie" not in refused.headers
    assert stranger.get(f"/t/{table}/red").status_code == 303
    token = toy.tables.rematch(toy.id, "blue").token
    for seat in ("red", "blue", RULEKEEPER, SCREEN):
        assert token not in toy.get(seat).text


def test_what_only_takes_a_tap_leads_back(toy: Table) -> None:
    assert led(toy.get("red", "/rematch")) == (toy.id, "red")
