"""Corrections that begin at a piece: one tap each, for whoever may correct, and an entry of the log like any other."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from companion import create_app
from companion.games.chesswar.game import GAME as CHESSWAR
from companion.games.history_of_war.game import GAME as HISTORY_OF_WAR
from companion.games.pocket_tactics.game import GAME as POCKET_TACTICS
from companion.games.tactics_2gm.game import GAME as TACTICS_2GM
from companion.games.two_cities.game import GAME as TWO_CITIES
from tests.support import chesswar_positions, history_of_war_positions, pocket_tactics_positions, tactics_2gm_positions
from tests.support.phones import Table, words
from tests.support.plain_games import posed
from tests.support.two_cities_positions import playing

if TYPE_CHECKING:
    from pathlib import Path


def table(folder: Path, game: Any, state: Any, **options: Any) -> Table:
    return Table(create_app(folder, games={game.slug: posed(game, state)}), game.slug, **options)


def two_cities(folder: Path, **more: Any) -> Table:
    return table(folder, TWO_CITIES, playing("wp1 li e4 1, wn1 lc c5, bp1 li e6 3", "2H", **more))


def sheet(page: str, piece: str) -> str:
    return page.partition(f'for="pick-{piece}"')[2].partition('<input class="pick')[0]


def steps(part: str) -> list[tuple[str, str, str]]:
    """What each of − and + sends, what it is called, and why it does nothing now."""
    buttons = re.findall(r'<button class="button step"[^>]*>', part)
    return [(attribute(one, "value"), attribute(one, "aria-label"), attribute(one, "title")) for one in buttons]


def attribute(tag: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return unescape(found[1]) if found else ""


def newest(at: Table, seat: str) -> tuple[str, str]:
    line = at.tables.report(at.id, seat)[-1]
    return line.kind, line.seat


def test_a_hit_is_one_tap_at_the_piece_and_an_entry_of_the_log(tmp_path: Path) -> None:
    at = two_cities(tmp_path)
    page = at.get("white").text
    less, more = steps(sheet(page, "wp1"))
    assert less == ("path=unit.wp1.hits&value=0", "One less: White light infantry e4", "")
    assert more[0] == "path=unit.wp1.hits&value=2"
    assert "of 4 hits</span>" not in sheet(page, "wp1"), "the coins between them say it"
    answer = at.post("white", "/correct-piece", htmx=True, do=more[0], seen=str(at.tables.version(at.id)))
    assert answer.status_code == 200
    assert steps(sheet(answer.text, "wp1"))[1][0] == "path=unit.wp1.hits&value=3"
    assert newest(at, "black") == ("correction", "white")
    assert "Hits: 1 → 2" in words(answer.text)


def test_without_scripts_the_same_button_leads_back_to_the_table(tmp_path: Path) -> None:
    at = two_cities(tmp_path)
    page = at.get("black").text
    assert f'action="/t/{at.id}/black/correct-piece"' in page
    assert 'form="corrections-board" name="do" value="path=unit.wp1.hits' in page, (
        "everybody may correct everything open"
    )
    sent = at.post("black", "/correct-piece", do="path=unit.wp1.hits&value=0")
    assert (sent.status_code, sent.location) == (303, f"/t/{at.id}/black")
    assert at.get("black", "/correct-piece").location == f"/t/{at.id}/black"
    link = re.search(r'data-puts="unit.wp1.square"\s+href="([^"]+)"', page)
    assert link
    path = unescape(link[1]).partition("#")[0].removeprefix(f"/t/{at.id}/black")
    opened = at.get("black", path).text
    assert re.search(
        r'<details class="box fold" id="[^"]+" open>(?:(?!</details>).)*id="at-unit.wp1.square"', opened, re.DOTALL
    )


def test_twice_the_same_tap_is_one_correction_and_an_old_page_changes_nothing(tmp_path: Path) -> None:
    at = two_cities(tmp_path)
    seen = str(at.tables.version(at.id))
    for _ in range(2):
        assert (
            at.post("white", "/correct-piece", key="k", do="path=unit.wp1.hits&value=2", seen=seen).status_code == 303
        )
    assert [line.kind for line in at.tables.report(at.id, "white")].count("correction") == 1
    stale = at.post("black", "/correct-piece", htmx=True, do="path=unit.wp1.hits&value=0", seen=seen)
    assert stale.status_code == 409
    assert "was changed in the meantime: now it is 2" in words(stale.text)


@pytest.mark.parametrize(
    "do", ["", "path=unit.wp1.hits", "path=nothing&value=1", "path=unit.wp1.hits&value=4", "x" * 9000]
)
def test_what_is_no_correction_is_refused_in_words(tmp_path: Path, do: str) -> None:
    at = two_cities(tmp_path)
    assert at.post("white", "/correct-piece", htmx=True, do=do).status_code == 400
    assert newest(at, "white")[0] != "correction"


def test_a_count_at_its_limit_keeps_its_place_and_says_why(tmp_path: Path) -> None:
    at = two_cities(tmp_path)
    page = at.get("white").text
    assert steps(sheet(page, "wn1"))[0] == (
        "",
        "One less: White light cavalry c5 – It cannot be less",
        "It cannot be less",
    )
    assert steps(sheet(page, "bp1"))[1][2] == "It cannot be more"
    assert 'aria-disabled="true"' in sheet(page, "wn1")


def test_while_an_answer_is_awaited_nothing_is_corrected_and_that_is_said(tmp_path: Path) -> None:
    state = playing("wp1 hi d3, bn1 lc d4", "2H")
    at = table(tmp_path / "asked", TWO_CITIES, state)
    at.act("white", action="attack", unit="wp1", target="bn1")
    for seat in ("white", "black"):
        page = at.get(seat).text
        assert '<p class="away" id="wait">Answer the open question first</p>' in page
        assert page.count('class="button step" aria-describedby="wait"') == len(steps(page)) > 0
        (do,) = [value for value, *_ in steps(sheet(page, "bn1")) if value]
        refused = at.post(seat, "/correct-piece", htmx=True, do=do)
        assert refused.status_code == 409
        assert "An action waits for an answer" in words(refused.text)
    assert newest(at, "white")[0] != "correction"


def test_nobody_who_only_looks_on_is_offered_a_correction(tmp_path: Path) -> None:
    at = two_cities(tmp_path)
    shared = at.get("screen").text
    assert "correct-piece" not in shared
    assert "data-puts" not in shared
    at.end()
    for seat in ("white", "black", "rulekeeper"):
        assert "correct-piece" not in at.get(seat).text


def test_what_is_not_placed_yet_has_no_correction(tmp_path: Path) -> None:
    at = Table(create_app(tmp_path, games={"two_cities": TWO_CITIES}), "two_cities")
    assert "data-puts" not in at.get("white").text
    at = Table(create_app(tmp_path, games={"chesswar": CHESSWAR}), "chesswar")
    assert "data-puts" not in at.get("white").text


@pytest.mark.parametrize(
    ("game", "state", "piece", "to", "closed"),
    [
        (CHESSWAR, chesswar_positions.position("wk hk a1, bk ok h8, w1 hb e2, b1 op e6"), "w1", "e4", ""),
        (TACTICS_2GM, tactics_2gm_positions.battle("a1 light_infantry d2 1w"), "a1", "c2", "a0"),
        (POCKET_TACTICS, pocket_tactics_positions.game("b levy m2, r prowler m4"), "b0.1", "m3", "m1"),
    ],
    ids=["chesswar", "tactics_2gm", "pocket_tactics"],
)
def test_a_piece_is_put_on_its_square_by_a_tap_in_every_game_with_a_board(
    tmp_path: Path, game: Any, state: Any, piece: str, to: str, closed: str
) -> None:
    at = table(tmp_path, game, state)
    seat = next(seat for seat in at.phones if seat != "rulekeeper")
    page = at.get(seat).text
    path = attribute(sheet(page, piece), "data-puts")
    assert closed in attribute(page, "data-closed").split() or not closed
    answer = at.post(seat, "/correct-piece", htmx=True, do=f"path={path}&value={to}")
    assert answer.status_code == 200
    assert f" {to}</b>" in sheet(answer.text, piece)
    assert newest(at, seat) == ("correction", seat)


def test_in_lists_it_is_behind_the_hits_and_in_a_tableau_in_the_sheet_of_its_card(tmp_path: Path) -> None:
    listed = Table(create_app(tmp_path, games={"two_cities": TWO_CITIES}), "two_cities", board="table")
    for seat in ("white", "black"):
        listed.act(seat, action="ready")
    row = (
        listed.get("white")
        .text.partition('<details class="piece-correction" id="correction-wa">')[2]
        .partition("</details>")[0]
    )
    assert steps(row)[1][:2] == ("path=unit.wa.hits&value=1", "One more: White light infantry (from a1)")
    assert 'form="corrections-white"' in row
    answer = listed.post("white", "/correct-piece", htmx=True, do=steps(row)[1][0])
    assert "Hits: 0 → 1" in words(answer.text)
    dealt = history_of_war_positions.game("b medium_tank t1 1d, r medium_tank t1", phase="damage_1")
    lying = table(tmp_path / "lying", HISTORY_OF_WAR, dealt)
    card = lying.get("red").text.partition('id="lying-c1"')[2].partition("</li>")[0]
    assert steps(card)[1][0] == "path=card.c1.damage&value=2"
    assert "damage 2 of 4" in words(lying.post("red", "/correct-piece", htmx=True, do=steps(card)[1][0]).text)
