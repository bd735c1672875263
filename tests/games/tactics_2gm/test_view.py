"""How 2GM Tactics is drawn and said: aircraft that wait, wounds in its own words, forms that name what they change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask, render_template
from msgspec.structs import replace

from companion import create_app
from companion.games.tactics_2gm import table_view, view
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.state import State
from companion.kit.panels import Facts
from companion.web.language import speaking
from companion.web.play.layout import lay_out
from tests.support.phones import Table, tidy, words
from tests.support.tactics_2gm_positions import battle, english, table

if TYPE_CHECKING:
    from pathlib import Path


NEAR = "a1 m4_sherman d1 1w, x1 light_infantry d3"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app(tmp_path_factory.mktemp("data"), games={"tactics_2gm": GAME})


def page(app: Flask, state: State, tongue: Any = "en") -> str:
    """The words of the Allies' page in a state."""
    table = Table(app, "tactics_2gm")
    seen = replace(
        table.tables.seen(table.id, "allies"), view=GAME.view(state, "allies"), offers=GAME.offers(state, "allies")
    )
    with app.test_request_context(), speaking(tongue):
        made = render_template("play/_table.html", shown=lay_out(seen), seen=seen, game=GAME, problem=None, refused="")
    return words(made + " ".join(re.findall(r'aria-label="([^"]*)"', made)))


def planes(state: State) -> list[str | None]:
    return [piece.square for piece in table_view.board(state, None).pieces if piece.glyph == "plane"]


@pytest.mark.clause("G2-139")
def test_waiting_aircraft_stand_nearest_to_their_headquarters_each_on_a_square_of_its_own() -> None:
    state = battle("a1 fighter_plane, x1 fighter_plane, a2 fighter_plane, x2 fighter_plane")
    assert planes(state) == ["e0", "e7", "c0", "c7"]
    (hq,) = (piece.square for piece in table_view.board(state, None).pieces if piece.id == "hq_allies")
    assert hq == "d0"
    one = state.units[0]
    full = planes(state.but(units=tuple(replace(one, id=f"u{at}") for at in range(9))))
    assert sorted(full[:7], key=str) == ["a0", "b0", "c0", "e0", "f0", "g0", "h0"]
    assert full[7:] == full[:2], "a full line is shared, from the headquarters outwards"


@pytest.mark.clause("G2-139", "G2-159")
def test_with_two_copies_aircraft_stand_at_the_headquarters_of_their_player() -> None:
    state = battle("a1 fighter_plane, b1 fighter_plane", players="four", copies="two")
    assert planes(state) == ["e0", "m0"]
    assert planes(state.but(marshal={"allies": "allies_2"})) == ["m0", "e0"]
    one = state.units[0]
    many = planes(state.but(units=tuple(replace(one, id=f"u{at}") for at in range(14))))
    assert len(set(many)) == 14
    assert not {"d0", "l0"} & set(many)


@pytest.mark.clause("G2-66")
def test_wounds_are_called_wounds_where_a_unit_is_picked_listed_or_read_out(app: Flask) -> None:
    state = battle(NEAR)
    assert page(app, state).count("1 of 4 wounds") == 2
    assert page(app, state, "es").count("1 de 4 heridas") == 2
    listed = battle("a1 m4_sherman 1w, x1 light_infantry", board="table")
    assert "1 of 4 wounds" in page(app, listed)
    for shown in (state, listed):
        assert " hits" not in page(app, shown)


def test_the_situation_of_a_scenario_reads_as_a_paragraph(app: Flask) -> None:
    state = table(mode="scenario")
    (facts,) = (panel for panel in view._scenery(state) if isinstance(panel, Facts))
    assert english(facts.rows[0][0]) == "The situation"
    seated = Table(app, "tactics_2gm", mode="scenario")
    made = tidy(seated.get("allies").text)
    assert re.search(r'<div class="prose"><dt>The situation</dt>', made)
    assert made.count('class="prose"') == 1


def test_a_sheet_of_the_deck_editor_names_the_card_and_its_line_does_not(app: Flask) -> None:
    table = Table(app, "tactics_2gm")
    assert "Deck from a file" in words(table.get("allies").text)
    table.act("allies", action="use_sample", sample="allies_sample")
    made = table.get("allies").text
    said = words(made)
    assert "Change" in said
    assert not re.search(r"Change: |Weapons: |Equipment: ", said)
    titles = []
    for link in re.findall(r'href="(/t/[^"]*edit_[^"]*)"', made):
        sheet = table.phones["allies"].get(link.replace("&amp;", "&")).text
        titles += [words(title).strip() for title in re.findall(r"<h2>.*?</h2>", sheet, re.DOTALL)[:1]]
        assert re.search(r'button main big">(Change|Weapons|Equipment|Add [a-z ]+)<', sheet), titles[-1]
    named = (
        "Change: M4 Sherman",
        "Change: Headquarters",
        "Change: quartermaster",
        "Change: medic",
        "Weapons: M4 Sherman",
        "Equipment: M4 Sherman",
    )
    for title in named:
        assert title in titles


@pytest.mark.parametrize(
    ("action", "button"),
    [
        ("load_deck", "Use this deck"),
        ("load_terrain", "Use this terrain deck"),
        ("load_scenario", "Use this scenario"),
    ],
)
def test_a_form_with_a_file_says_what_becomes_of_it(app: Flask, action: str, button: str) -> None:
    table = Table(app, "tactics_2gm", mode="scenario")
    sheet = table.get("allies", f"/plan?do=action%3D{action}").text
    assert f'main big">{button}<' in sheet


def test_new_tables_name_every_choice_with_a_capital_letter(app: Flask, tmp_path: Path) -> None:
    for tongue in ("en", "es"):
        made = app.test_client().get("/new/tactics_2gm", headers={"Accept-Language": tongue}).text
        labels = re.findall(r'<label for="[^"]*-\d+">([^<]+)</label>', made)
        assert len(labels) > 20
        assert [label for label in labels if label[0].islower()] == []
