"""The pages of a stock-take and of the sheet to set a game up again: for every game, seat and language."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from companion import create_app
from companion.games import discover
from companion.games.two_cities.game import GAME as TWO_CITIES
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Hand, Piles
from companion.web.state import NAME
from tests.support.phones import Table, words
from tests.support.piece_corrections import pieces
from tests.support.plain_games import posed
from tests.support.random_game import RandomGame
from tests.support.two_cities_positions import playing

if TYPE_CHECKING:
    from pathlib import Path

PAGES = ("/stock-take", "/pack-up")


def two_cities(folder: Path) -> Table:
    game = posed(TWO_CITIES, playing("wp1 li e4 1, wn1 lc c5, bp1 li e6 3", "2H"))
    return Table(create_app(folder, games={"two_cities": game}), "two_cities")


def hits(page: str) -> dict[str, Any]:
    """What a page of a stock-take sends back as it was shown: every value and what it was."""
    was = re.findall(r'name="(was\.[^"]+)" value="([^"]*)"', page)
    counts = re.findall(r'name="(v\.[^"]+\.hits)" value="([^"]*)"', page)
    return {name: unescape(value) for name, value in (*was, *counts)}


@pytest.mark.sized
@pytest.mark.parametrize("name", discover())
def test_every_seat_of_every_game_sees_it_in_both_languages(name: str, tmp_path: Path, full: bool) -> None:
    app = create_app(tmp_path)
    tables = app.extensions[NAME].tables
    for seed in range(3 if full else 1):
        table = RandomGame(tables, discover()[name], seed)
        phones = {}
        for seat, token in table.tokens.items():
            phones[seat] = app.test_client()
            phones[seat].get(f"/s/{table.table}/{seat}/{token}")
        for _ in range(4):
            table.play(15)
            for seat, phone in phones.items():
                seen = tables.seen(table.table, seat)
                piles = [pile.count for panel in seen.view.panels if isinstance(panel, Piles) for pile in panel.piles]
                for tongue in ("es", "en"):
                    for part in PAGES:
                        page = phone.get(f"/t/{table.table}/{seat}{part}", headers={"Accept-Language": tongue})
                        assert page.status_code == 200
                        assert page.text.count('"thing is-piece"') == len({one.id for _, one in pieces(seen.view)}), (
                            part
                        )
                        assert page.text.count('"thing is-pile"') == len(piles)


def test_what_differs_is_set_and_leads_back_to_the_table(tmp_path: Path) -> None:
    at = two_cities(tmp_path)
    page = at.get("white", "/stock-take").text
    sent = hits(page) | {"v.unit.wp1.hits": "2", "v.unit.bp1.square": "e7"}
    answer = at.post("white", "/stock-take", seen=str(at.tables.version(at.id)), **sent)
    assert (answer.status_code, answer.location) == (303, f"/t/{at.id}/white")
    line = at.tables.report(at.id, "white")[-1]
    assert (line.kind, line.seat, len(line.reasons)) == ("correction", "white", 2)
    version = at.tables.version(at.id)
    page = at.get("white", "/stock-take").text
    assert at.post("white", "/stock-take", seen=str(version), **hits(page)).status_code == 303
    assert at.tables.version(at.id) == version, "where all is right, nothing is set"


def test_what_cannot_be_set_is_said_and_nothing_that_was_filled_in_is_lost(tmp_path: Path) -> None:
    at = two_cities(tmp_path)
    page = at.get("black", "/stock-take").text
    sent = hits(page) | {"v.unit.wp1.hits": "2", "v.unit.bp1.square": "c5"}
    version = at.tables.version(at.id)
    answer = at.post("black", "/stock-take", seen=str(version), **sent)
    assert answer.status_code in {409, 422}
    assert "c5 is occupied" in words(answer.text)
    assert re.search(r'name="v.unit.wp1.hits" value="2"', answer.text)
    assert answer.text.count('<details class="not-so" open') == 2
    assert at.tables.version(at.id) == version


def test_a_pile_that_does_not_agree_leads_to_where_its_cards_are_set(tmp_path: Path) -> None:
    at = two_cities(tmp_path)
    page = at.get("white", "/stock-take").text
    line = page[page.index("thing is-pile") :]
    (link,) = re.findall(r'class="elsewhere.*?<a href="([^"]+)"', line, re.DOTALL)
    path, _, anchor = unescape(link).partition("#")
    there = at.get("white", path.removeprefix(f"/t/{at.id}/white")).text
    (group,) = re.findall(r"<details [^>]* open>.*?</form>", there, re.DOTALL)
    assert f'id="{anchor}"' in group
    assert "Discard pile" in words(group)
    at.end()
    assert 'class="elsewhere' not in at.get("white", "/stock-take").text, "nothing is set after the end"


def test_a_count_that_is_called_as_its_line_is_named_once(tmp_path: Path) -> None:
    at = Table(create_app(tmp_path), "free_table")
    at.act("player_1", action="set_counter", name="Losses")
    page = at.get("player_1", "/stock-take").text
    found = re.findall(
        r'<legend><span( class="away")?>([^<]+)</span></legend>.*?<label for="c-[^"]+">([^<]+)<', page, re.DOTALL
    )
    assert found
    assert all(hidden for hidden, name, label in found if name == label)


def test_the_shared_screen_and_strangers_take_no_stock(tmp_path: Path) -> None:
    at = two_cities(tmp_path)
    for part in PAGES:
        assert at.get(SCREEN, part).status_code == 403
    before = at.tables.version(at.id)
    stranger = at.app.test_client()
    assert (
        stranger.post(
            f"/t/{at.id}/white/stock-take", data={"v.unit.wp1.hits": "2", "was.unit.wp1.hits": "1"}
        ).status_code
        == 403
    )
    assert at.tables.version(at.id) == before


def test_an_ended_table_is_listed_and_not_corrected(tmp_path: Path) -> None:
    at = two_cities(tmp_path)
    at.end()
    page = at.get("white", "/stock-take").text
    assert 'class="not-so"' not in page
    assert page.count('"thing is-piece"') == 3
    assert "Pack up" in words(at.get("white", "/pack-up").text)


def test_the_menu_of_a_table_leads_there(tmp_path: Path) -> None:
    at = two_cities(tmp_path)
    for seat in ("white", RULEKEEPER):
        page = at.get(seat).text
        assert all(f'href="/t/{at.id}/{seat}{part}"' in page for part in PAGES)
    assert not any(f'/{SCREEN}{part}"' in at.get(SCREEN).text for part in PAGES)


def test_a_hand_is_only_on_the_sheet_of_its_seat(tmp_path: Path) -> None:
    at = Table(create_app(tmp_path), "two_cities", board="mirrored")
    for seat in ("white", "black"):
        at.act(seat, action="ready")
    sheets = {seat: at.get(seat, "/pack-up").text for seat in ("white", "black", RULEKEEPER)}
    assert 'id="sealed"' not in sheets[RULEKEEPER]
    for seat, other in (("white", "black"), ("black", "white")):
        for card in hand(at, seat):
            called = f"{card.rank} of {card.suit}"
            assert called in words(sheets[seat]), called
            assert called not in words(sheets[other]) + words(sheets[RULEKEEPER]), called


def hand(at: Table, seat: str) -> tuple[Any, ...]:
    return next(panel.cards for panel in at.tables.seen(at.id, seat).view.panels if isinstance(panel, Hand))


def test_the_board_of_the_sheet_lies_as_its_seat_has_it(tmp_path: Path) -> None:
    at = two_cities(tmp_path)
    for seat, corner in (("white", "a1"), ("black", "h8"), (RULEKEEPER, "a1")):
        sheet = at.get(seat, "/pack-up").text
        names = re.findall(r'class="coord[^>]*>(\w)<', sheet)
        assert names == re.findall(r'class="coord[^>]*>(\w)<', at.get(seat).text)
        assert names[0] + names[-1] == corner
        places = re.findall(r"\b[a-h][1-8]\b", words(sheet.partition('<section class="board')[2]))
        squares = [place for place in ("e4", "c5", "e6") if place in places]
        wanted = ["e4", "c5", "e6"] if seat == "black" else ["e6", "c5", "e4"]
        assert sorted(squares, key=places.index) == wanted
