"""The page that tells what happened while somebody looked away, and its line: for every game, seat and language."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from companion import create_app
from companion.games import discover
from companion.games.chesswar.game import GAME as CHESSWAR
from companion.games.two_cities.game import GAME as TWO_CITIES
from companion.kit.changes import ON_THE_TABLE
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Board, Tracker
from companion.web.state import NAME
from tests.support.chesswar_positions import position
from tests.support.phones import Table, words
from tests.support.plain_games import posed
from tests.support.random_game import RandomGame
from tests.support.two_cities_positions import playing

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = {"HX-Request": "true", "Accept-Language": "en"}


def two_cities(folder: Path) -> Table:
    game = posed(TWO_CITIES, playing("wp1 li e4 1, wn1 lc c5, bp1 li e6 3", "2H"))
    return Table(create_app(folder, games={"two_cities": game}), "two_cities")


@pytest.mark.parametrize("name", discover())
def test_every_seat_of_every_game_reads_it_in_both_languages(name: str, tmp_path: Path) -> None:
    app = create_app(tmp_path)
    tables = app.extensions[NAME].tables
    game = RandomGame(tables, discover()[name], 5)
    phones = {seat: app.test_client() for seat in game.tokens}
    for seat, token in game.tokens.items():
        phones[seat].get(f"/s/{game.table}/{seat}/{token}")
    for _ in range(3):
        version = tables.version(game.table)
        game.play(12)
        for seat, phone in phones.items():
            recap = tables.recap(game.table, seat, version, stepwise=True)
            has_board = any(isinstance(one, Board) for one in recap.view.panels)
            kinds = ON_THE_TABLE - {"count"} if has_board else ON_THE_TABLE
            to_do = [one for one in recap.changes if one.kind in kinds]
            for tongue in ("es", "en"):
                at = f"/t/{game.table}/{seat}/recap?since={version}"
                page = phone.get(at, headers={"Accept-Language": tongue})
                assert page.status_code == 200
                assert page.text.count('type="checkbox" id="tick-') == len(to_do)
                steps = [int(seq) for seq in re.findall(rf"/replay\?since={recap.since}&amp;at=(\d+)", page.text)]
                own = {line.seq for line in recap.lines if line.kind == "setting" and not recap.steps.get(line.seq)}
                assert steps == [line.seq for line in recap.lines if line.seq not in own or line.seat == RULEKEEPER]
                most = sum(map(len, recap.steps.values()))
                moves = sum(one.kind == "moved" for made in recap.steps.values() for one in made)
                assert most - moves <= page.text.count('class="made-other"') <= most


def test_what_others_did_is_one_line_and_ones_own_is_none(tmp_path: Path) -> None:
    table = two_cities(tmp_path)
    version = table.tables.version(table.id)
    assert table.get("white", f"/recap?since={version}", headers=SCRIPT).status_code == 204
    table.post("black", "/correct-piece", do="path=unit.bp1.square&value=e7")
    table.post("black", "/correct-piece", do="path=unit.wp1.hits&value=2")
    line = table.get("white", f"/recap?since={version}", headers=SCRIPT)
    assert line.status_code == 200
    assert "<main" not in line.text
    said = words(line.text)
    assert ": e6 → e7" in said
    assert " · " in said
    assert "<small>" not in line.text, "nothing is left to count"
    table.post("black", "/correct-piece", do="path=unit.wn1.hits&value=1")
    line = table.get("white", f"/recap?since={version}", headers=SCRIPT)
    assert "and 1 more" in words(line.text), "two things are said, the others counted"
    assert table.get("black", f"/recap?since={version}", headers=SCRIPT).status_code == 204


def test_what_was_taken_back_is_not_told_beside_its_undo(tmp_path: Path) -> None:
    table = two_cities(tmp_path)
    version = table.tables.version(table.id)
    table.post("black", "/correct-piece", do="path=unit.bp1.square&value=e7")
    table.tables.take_back(table.id, "black", "and-back")
    said = words(table.get("white", f"/recap?since={version}", headers=SCRIPT).text)
    assert "undoes" in said
    assert said.count("corrects") == 1, "only as what was undone"


def test_the_list_says_what_to_do_on_the_board_and_where_it_is_corrected(tmp_path: Path) -> None:
    table = two_cities(tmp_path)
    version = table.tables.version(table.id)
    table.post("black", "/correct-piece", do="path=unit.bp1.square&value=e7")
    table.post("black", "/correct-piece", do="path=unit.wp1.hits&value=2")
    page = table.get("white", f"/recap?since={version}", headers={"Accept-Language": "en"})
    assert ": e6 → e7" in words(page.text)
    drawn = re.findall(r'class="change-art side-(\w+)".*?class="figure" href="[^"#]*#([\w-]+)"', page.text, re.DOTALL)
    assert sorted(drawn) == [("black", "pawn"), ("white", "pawn")], "with the figure that stands on the board"
    links = [unescape(link) for link in re.findall(r'class="not-so" href="([^"]+)"', page.text)]
    assert [link.rpartition("at=")[2] for link in links] == [
        f"{path}#at-{path}" for path in ("unit.wp1.hits", "unit.bp1.square")
    ]
    opened = table.phones["white"].get(links[1])
    assert re.search(r'<details[^>]* open[^>]*>(?:(?!</details>).)*id="at-unit\.bp1\.square"', opened.text, re.DOTALL)
    screen = table.get(SCREEN, f"/recap?since={version}")
    assert "e6 → e7" in words(screen.text)
    assert "not-so" not in screen.text


def test_a_piece_that_is_gone_is_set_right_where_it_was_and_one_comes_back_to_the_recap(tmp_path: Path) -> None:
    table = two_cities(tmp_path)
    for since in (table.tables.version(table.id), None):
        table.post("black", "/correct-piece", do="path=unit.wn1.square&value=off")
        recap = f"/t/{table.id}/white/recap" + (f"?since={since}" if since else "")
        phone = table.phones["white"]
        (link,) = re.findall(r'class="not-so" href="([^"]+)"', phone.get(recap).text)
        opened = phone.get(unescape(link))
        assert link.endswith("at=unit.wn1.square#at-unit.wn1.square")
        assert re.search(
            r'<details[^>]* open[^>]*>(?:(?!</details>).)*id="at-unit\.wn1\.square"', opened.text, re.DOTALL
        )
        assert f'href="{recap}"' in opened.text
        (where,) = {*re.findall(r'action="([^"]+/correct\?[^"]*)#wrong"', opened.text)}
        form = {"v.unit.wn1.square": "c6", "was.unit.wn1.square": "off", "key": f"a-key-{since}"}
        done = phone.post(unescape(where), data=form)
        assert (done.status_code, done.location) == (303, recap)
        assert "c5 → c6" in words(phone.get(recap).text), "to correct is not to act: what others did is still told"
        table.post("black", "/correct-piece", do="path=unit.wn1.square&value=c5")


def test_a_move_is_said_once(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    game = RandomGame(app.extensions[NAME].tables, discover()["chesswar"], 1)
    game.play(70)
    made = app.extensions[NAME].tables.recap(game.table, game.seats[0], 1, stepwise=True).steps.values()
    assert any(one.kind == "moved" for step in made for one in step)
    phone = app.test_client()
    phone.get(f"/s/{game.table}/{game.seats[0]}/{game.tokens[game.seats[0]]}")
    page = phone.get(f"/t/{game.table}/{game.seats[0]}/recap?since=1", headers={"Accept-Language": "es"}).text
    steps = [words(step) for step in re.findall(r'<li><a href="[^"]+/replay(.*?)</a></li>', page, re.DOTALL)]
    assert any("→" in step for step in steps)
    assert [step for step in steps if re.search(r"(\w+) → (\w+)\b.*\b\1 → \2", step, re.DOTALL)] == []


def test_with_no_real_board_beside_there_is_nothing_to_do_there(tmp_path: Path) -> None:
    table = two_cities(tmp_path)
    version = table.tables.version(table.id)
    table.tables.correct(table.id, "rulekeeper", "unit.wn1.square", "d5", "a-correction")
    for seat, tongue in (("white", "en"), ("rulekeeper", "es")):
        page = table.get(seat, "/settings", headers={"Accept-Language": tongue}).text
        (now,) = re.findall(r'name="real-board" value="(\d)"\s+aria-current="true"', page)
        assert now == "1"
    recap = f"/recap?since={version}"
    assert 'id="tick-1"' in table.get("black", recap).text
    assert table.post("white", "/settings", **{"real-board": "0"}).status_code == 403
    assert table.post("rulekeeper", "/settings", **{"real-board": "0"}).status_code == 303
    page = table.get("black", recap, headers={"Accept-Language": "es"}).text
    assert 'id="tick-1"' not in page
    assert "c5 → d5" in words(page)
    assert "No hay tablero de verdad" in words(page)


def test_units_that_are_only_on_the_real_board_are_told_apart_and_cards_are_nobody_elses_to_move(
    tmp_path: Path,
) -> None:
    table = Table(create_app(tmp_path), "two_cities", board="table")
    for seat in ("white", "black"):
        table.act(seat, action="ready")
    version = table.tables.version(table.id)
    for path, hits in (("unit.wa.hits", "1"), ("unit.wh.hits", "2")):
        table.tables.correct(table.id, "rulekeeper", path, hits, f"hits-{path}")
    card = table.tables.seen(table.id, "white").offers[0].given.get("card")
    table.act("white", action="play_card", card=card)
    page = words(table.get("black", f"/recap?since={version}", headers={"Accept-Language": "es"}).text)
    to_do = page.partition("Hazlo en la mesa")[2].partition("Paso a paso")[0]
    assert "blanca (de a1): 1 impacto más" in to_do
    assert "blanca (de h1): 2 impactos más" in to_do
    assert "Mano" not in to_do
    lying = words(table.get("black", "/stock-take", headers={"Accept-Language": "es"}).text)
    assert "blanca (de a1)" in lying


@pytest.mark.parametrize("typed", ["x", "-1", "1.5", "9" * 30, "²"])
def test_what_is_no_version_is_said(typed: str, tmp_path: Path) -> None:
    table = two_cities(tmp_path)
    answer = table.get("white", f"/recap?since={typed}")
    assert answer.status_code == 400


def test_without_scripts_it_tells_what_came_since_one_did_something(tmp_path: Path) -> None:
    table = two_cities(tmp_path)
    table.act("white", action="move", unit="wn1", to="c6")
    table.post("black", "/correct-piece", do="path=unit.bp1.square&value=e7")
    page = table.get("white", "/recap", headers={"Accept-Language": "en"})
    assert page.text.count("tick-1") > 0
    assert page.text.count("/replay?since=") == 1
    assert f'href="/t/{table.id}/white/recap"' in table.get("white").text


def test_dice_that_were_rolled_are_nothing_to_do_and_nothing_that_lies_there(tmp_path: Path) -> None:
    table = Table(create_app(tmp_path), "free_table", names=("player_1",))
    table.act("rulekeeper", action="set_tray", name="Dice")
    trays = [one.id for one in table.tables.seen(table.id, "player_1").view.panels if getattr(one, "past", False)]
    assert len(trays) == 1
    table.act("player_1", action="roll", tracker=trays[0], dice="2d6")
    version = table.tables.version(table.id)
    for _ in range(2):
        table.act("player_1", action="roll", tracker=trays[0], dice="2d6")
    page = table.get("player_1", f"/recap?since={version}", headers={"Accept-Language": "en"}).text
    assert page.count("/replay?since=") == 2
    assert "tick-1" not in page
    assert "made-other" not in page
    for sheet in ("stock-take", "pack-up"):
        assert "2d6" not in words(table.get("player_1", f"/{sheet}").text)


def test_what_was_counted_is_told_by_its_name_and_once(tmp_path: Path) -> None:
    table = Table(create_app(tmp_path), "free_table", names=("player_1", "player_2"), seats=2)
    for name in ("Wood", "Stone"):
        table.act("rulekeeper", action="set_counter", name=name, each="player")
    panels = table.tables.seen(table.id, "player_1").view.panels
    wood, stone = (panel.id for panel in panels if isinstance(panel, Tracker) and panel.rows[0].side)
    version = table.tables.version(table.id)
    table.act("player_1", action="count", tracker=wood, line="player_1", by=1)
    table.act("player_1", action="count", tracker=stone, line="player_1", by=2)
    page = table.get("player_2", f"/recap?since={version}", headers={"Accept-Language": "en"}).text
    for told in ("Wood, Player_1: 0 → 1", "Stone, Player_1: 0 → 2"):
        assert told in words(page)
        assert told in words(table.get("player_2", f"/recap?since={version}", headers=SCRIPT).text)
    assert "made-other" not in page, "the line above says the same"


def test_how_somebody_likes_to_be_asked_is_nothing_that_happened(tmp_path: Path) -> None:
    game = posed(CHESSWAR, position("wk hk a1, w2 hq c3, bk uk h8, b2 uq f6"))
    table = Table(create_app(tmp_path, games={"chesswar": game}), "chesswar")
    version = table.tables.version(table.id)
    recap = f"/recap?since={version}"
    table.act("white", action="answering", replies="never")
    assert table.tables.recap(table.id, "black", version).lines, "the log has it"
    assert "Nothing has happened" in words(table.get("black", recap, headers={"Accept-Language": "en"}).text)
    assert table.get("black", recap, headers=SCRIPT).status_code == 204
    table.act("white", action="move", unit="w2", to="c4")
    page = table.get("black", recap, headers={"Accept-Language": "en"}).text
    assert page.count("/replay?since=") == 1
    assert "c3 → c4" in words(table.get("black", recap, headers=SCRIPT).text)
