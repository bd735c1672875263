"""What the shared screen is told: whose turn it is, what happened last, and who is ahead by what the panels say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion import create_app
from companion.games.history_of_war.game import GAME as HISTORY_OF_WAR
from companion.games.two_cities.game import GAME as TWO_CITIES
from companion.games.two_cities.options import Options
from companion.kit.clash import Clash, Combatant
from companion.kit.counts import number
from companion.kit.panels import Board, Facts, Piece, Roster, Row, Tracker
from companion.kit.ruling import Fighter, Harm, Reason
from companion.kit.text import Text, say
from companion.table.view_models import Line
from companion.web.pages import minute_of_day
from companion.web.play.layout import lay_out
from companion.web.play.screen import screen_view
from tests.support import history_of_war_positions as war
from tests.support.phones import Table, tidy, words
from tests.support.plain_games import posed
from tests.support.two_cities_positions import playing

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from companion.table.view_models import Seen
    from companion.web.play.screen import ScreenView


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(tmp_path)


@pytest.fixture
def seen(app: Flask) -> Seen:
    table = Table(app, "two_cities")
    return table.tables.seen(table.id, "screen")


def showing(seen: Seen, *panels: Any, **changes: Any) -> ScreenView:
    """Sort what the screen sees where the view has these panels."""
    view = msgspec.structs.replace(seen.view, panels=panels or seen.view.panels)
    return screen_view(lay_out(msgspec.structs.replace(seen, view=view, **changes)))


def pawn(side: str, number: int, **has: Any) -> Piece:
    return Piece(f"{side}{number}", side, "pawn", say("Pawn"), **has)


def test_a_fact_stands_with_the_side_that_its_label_names(seen: Seen) -> None:
    ours, theirs = (say("{side}'s purchases", side=Text(side)) for side in ("white", "black"))
    other = (say("Forest"), say("a1 and b2"))
    rows = ((ours, say("1")), other, (Text("black"), say("Elves")), (theirs, say("2")))
    view = showing(seen, Facts(say("At a glance"), rows))
    assert {one.side: [label for label, _ in one.counted] for one in view.standings} == {
        "white": [ours],
        "black": [Text("black"), theirs],
    }
    assert view.facts == (other,)


def test_what_came_to_nothing_is_not_counted_once_it_is_over(seen: Seen) -> None:
    hits, bought = say("Hits on {side}", side=Text("white")), say("Purchases of {side}", side=Text("white"))
    counted = Facts(say("Counted"), ((hits, number(2)), (bought, number(0))))
    for over, labels in ((False, [hits, bought]), (True, [hits])):
        view = msgspec.structs.replace(seen.view, over=over, panels=(*seen.view.panels[:1], counted))
        shown = screen_view(lay_out(msgspec.structs.replace(seen, view=view)))
        found = [label for one in shown.standings for label, _ in one.counted] + [label for label, _ in shown.facts]
        assert found == labels, over


def test_the_strongest_piece_of_a_side_shows_its_hits_and_the_others_are_counted(seen: Seen) -> None:
    view = showing(seen)
    white, black = view.standings
    assert (white.side, white.strength, white.hits) == ("white", 5, 0)
    assert white.units == black.units
    assert white.units


def test_pieces_are_counted_once_and_by_nothing_that_is_the_same_number_by_chance(seen: Seen) -> None:
    (board,) = (panel for panel in seen.view.panels if isinstance(panel, Board))
    whites = msgspec.structs.replace(board, pieces=tuple(one for one in board.pieces if one.side == "white"))

    def shown(white: int, black: int, on: Board = board) -> list[int | None]:
        labels = (say("{side}'s purchases", side=Text(side)) for side in ("white", "black"))
        counted = Facts(say("Counted"), tuple(zip(labels, map(number, (white, black)), strict=True)))
        view = showing(seen, on, counted)
        return [one.units for one in view.standings]

    assert shown(0, 0) == [7, 7]
    assert shown(7, 0) == [7, 7]
    assert shown(7, 7) == [None, None]
    assert shown(7, 0, whites) == [None, None]


def test_pieces_of_a_list_are_not_counted_since_a_line_may_stand_for_many(seen: Seen) -> None:
    view = showing(seen, *(Roster(say("Units"), side, (pawn(side, 1), pawn(side, 2))) for side in ("white", "black")))
    assert [one.units for one in view.standings] == [None, None]
    assert len(view.rosters) == 2
    assert not view.picture


def test_a_tracker_with_sides_tells_alone_who_is_ahead(seen: Seen) -> None:
    rows = tuple(Row(side, Text(side), say("3"), side) for side in ("white", "black"))
    score, roster = Tracker("score", say("Points"), rows), Roster(say("Units"), "white", (pawn("white", 1),))
    view = showing(seen, score, roster)
    assert (view.beside, view.standings) == ((score,), ())
    assert [panel for _, panel in showing(seen, score).picture] == [score], "alone it is what one looks at"


@pytest.mark.parametrize(("harmed", "said"), [(True, []), (False, ["All are dreadful"])])
def test_what_came_of_a_scene_without_dice_and_harm_is_said(seen: Seen, harmed: bool, said: list[str]) -> None:
    mage = Combatant("wq", "white", say("Mage"), "queen")
    harm = (Harm(Fighter("wq", "white", say("Mage")), 1),) if harmed else ()
    reasons = (Reason(say("A spell"), clash=Clash("spell", mage)), Reason(say("All are dreadful"), harm=harm))
    event = showing(seen, last=Line(1, "", "action", "white", "Ana", say("Fear"), reasons)).event
    assert event is not None
    assert event.clash is not None
    assert [one.text.say for one in event.outcome] == said


def test_it_brings_no_script_of_the_board_and_keeps_the_board_in_words(app: Flask) -> None:
    table = Table(app, "two_cities")
    html = app.test_client().get(f"/t/{table.id}/screen").text
    main = html.partition("<main")[2].partition("</main>")[0]
    assert 'id="board-words"' in main
    assert "board.js" not in html
    assert "screen.js" in html


def test_what_happened_is_said_once(app: Flask) -> None:
    table = Table(app, "two_cities")
    table.tables.correct(table.id, "rulekeeper", "unit.wb.hits", "1", "once")
    event = app.test_client().get(f"/t/{table.id}/screen").text.partition('id="event"')[2].partition("</section>")[0]
    assert event.count('class="headline"') == 1
    assert "outcome" not in event


@pytest.mark.parametrize(
    ("tongue", "deal", "begins"),
    [
        ("en", "Shuffle and deal three cards each", "White begins"),
        ("es", "Barajad y repartid tres cartas a cada uno", "Empiezan blancas"),
    ],
)
def test_who_begins_with_real_cards_is_said_once(app: Flask, tongue: str, deal: str, begins: str) -> None:
    table = Table(app, "two_cities", cards="real")
    for seat in ("white", "black"):
        table.act(seat, action="ready")
    html = app.test_client().get(f"/t/{table.id}/screen", headers={"Accept-Language": tongue}).text
    event = words(html.partition('id="event"')[2].partition("<button")[0])
    assert event.count(deal) == 1
    assert event.casefold().count(begins.casefold()) == 1


@pytest.mark.parametrize(("tongue", "ends"), [("en", "Black's turn begins"), ("es", "Empieza el turno de las negras")])
def test_what_a_headline_ends_with_is_not_said_beneath_it(app: Flask, tongue: str, ends: str) -> None:
    table = Table(app, "two_cities", cards="real")
    for seat in ("white", "black"):
        table.act(seat, action="ready")
    table.act("white", action="play_card", card="4H")
    table.act("white", action="end_turn")
    html = app.test_client().get(f"/t/{table.id}/screen", headers={"Accept-Language": tongue}).text
    event = words(html.partition('id="event"')[2].partition("<button")[0])
    assert event.casefold().count(ends.casefold()) == 1


@pytest.mark.parametrize("board", ["mirrored", "table"])
def test_a_city_that_has_fallen_shows_all_its_hits(tmp_path: Path, board: str) -> None:
    state = playing("wc ci d1, w1 lc d7, bc ci d8 4, b1 hi a8 2", "AH", options=Options(board=board))
    state = state.with_unit("bc", on_board=False, square=None).but(phase="finished", winner="white")
    table = Table(create_app(tmp_path, games={"two_cities": posed(TWO_CITIES, state)}), "two_cities")
    screen, phone = table.get("screen").text, table.get("black").text
    side = screen.partition('id="side-black"')[2].partition("</li>")[0]
    shown = [side]
    if board == "mirrored":
        assert "1 unit left" in words(side), "the city is none of them"
        shown.append(phone.partition('id="rail-black"')[2].partition("</p>")[0])
    else:
        shown += [html.partition('-bc"')[2].partition("</li>")[0] for html in (screen, phone)]
    for part in shown:
        assert (part.count("<i"), part.count('<i class="hit"')) == (5, 5), part
    assert screen.partition('id="side-white"')[2].partition("</li>")[0].count('class="hit"') == 0


@pytest.mark.parametrize(
    ("tongue", "of_a_phone", "of_a_screen"),
    [
        ("en", "This phone comes back by itself.", "This screen comes back by itself."),
        ("es", "Este móvil vuelve solo.", "Esta pantalla vuelve sola."),
    ],
)
def test_a_screen_without_a_connection_is_called_no_phone(
    app: Flask, tongue: str, of_a_phone: str, of_a_screen: str
) -> None:
    table = Table(app, "two_cities")
    for seat, said, not_said in (("white", of_a_phone, of_a_screen), ("screen", of_a_screen, of_a_phone)):
        page = table.get(seat, headers={"Accept-Language": tongue}).text
        assert (said in page, not_said in page) == (True, False)


def test_it_says_since_when_somebody_is_waited_for(app: Flask) -> None:
    table = Table(app, "two_cities")

    def since(tongue: str) -> list[tuple[str, str]]:
        page = tidy(table.get("screen", headers={"Accept-Language": tongue}).text)
        return re.findall(r'<time class="since"[^>]* datetime="([^"]*)"[^>]*> *([^<]*)</time>', page)

    at = table.tables.seen(table.id, "screen").log[0].at
    clock = minute_of_day(at)
    assert since("en") == [(at, f"since {clock}")]
    assert since("es") == [(at, f"desde las {clock}")]
    table.tables.pause(table.id, "rulekeeper", on=True, key="pause")
    assert since("en") == []
    table.tables.pause(table.id, "rulekeeper", on=False, key="go on")
    assert len(since("en")) == 1
    table.tables.end(table.id, "rulekeeper", key="end")
    table.tables.consent_to_end(table.id, "black", yes=True, key="agree")
    assert since("en") == []
    assert "since" not in Table(app, "free_table").get("screen").text, "anyone can act"


def test_a_phase_that_began_is_no_news_of_itself_nor_a_score(tmp_path: Path) -> None:
    app = create_app(tmp_path, games={"history_of_war": posed(HISTORY_OF_WAR, war.game(phase="base_expansion"))})
    table = Table(app, "history_of_war")
    for seat in ("red", "blue"):
        table.act(seat, action="done")
    event = words(table.get("screen").text.partition('id="event"')[2].partition("</section>")[0])
    assert "construction" in event
    assert "Now:" not in event
    stage = words(app.test_client().get(f"/t/{table.id}/statistics").text)
    assert "Round 1 · What everybody" in stage
