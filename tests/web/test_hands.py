"""Hands on a page: every card of every game has a picture, and one row in which cards keep their place."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from companion import create_app
from companion.games.history_of_war import cards as of_war
from companion.games.history_of_war import table_view as war
from companion.games.tactics_2gm import cards as of_2gm
from companion.games.tactics_2gm import table_view as tactics
from companion.games.two_cities import view as cities
from companion.games.two_cities.components import CARDS
from companion.kit.panels import Picture
from companion.web.assets import Assets
from tests.support.phones import Table, tidy

PICTURES = {
    **{code: cities.picture(card) for code, card in CARDS.items()},
    **{card.name: war.picture(card) for deck in of_war.DECKS.values() for card in deck.cards},
    **{card.name: tactics.picture(card) for deck in of_2gm.DECKS.values() for card in deck.cards},
    "nobody knows which": war.picture(None),
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"))
    app.testing = True
    return app


def test_every_card_of_every_game_has_a_picture_that_is_drawn() -> None:
    drawn = Assets().symbols
    for name, picture in PICTURES.items():
        assert picture.parts or picture.glyphs, name
        assert {*picture.glyphs, *(sign for sign, _ in picture.numbers)} <= drawn.keys(), name
        assert len(picture.numbers) <= 6, f"{name}: a card has room for six"


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        ("2H", Picture((2, 0))),
        ("3S", Picture((1, 1))),
        ("4D", Picture((0, 0))),
        ("10S", Picture((3,), more="+1")),
        ("QS", Picture(glyphs=("knight",), more="+1")),
        ("KS", Picture(glyphs=("bow",), more="×2")),
        ("6S", Picture(glyphs=("fight",), more="+2")),
        ("JD", Picture(glyphs=("plus", "pawn"))),
        ("steel_works", Picture(glyphs=("factory",), numbers=(("nut", "2"),))),
        ("veteran_crews", Picture(glyphs=("medal",), numbers=(("tank", "+1"),), corner="1")),
        ("bunker_line", Picture(glyphs=("castle",), numbers=(("flag", "1"), ("shield", "4")), corner="2")),
        ("camouflage", Picture(glyphs=("smoke",))),
        ("reserves", Picture(glyphs=("cards",), more="+2")),
    ],
)
def test_a_picture_tells_what_its_card_does(name: str, picture: Picture) -> None:
    assert PICTURES[name] == picture


def test_a_hand_is_one_row_of_cards_each_with_its_words_after_it(app: Flask) -> None:
    table = begun(app)
    page = tidy(table.get("white").text)
    assert sorted(re.findall(r'id="card-(\w+)" autocomplete', page)) == ["10S", "2H", "QD"]
    assert 'class="cards of-3"' in page
    assert page.count('class="card-ways">') == page.count('class="card-face') == 3
    assert page.count('class="button main big" name="do" value="action=play_card') == 3
    assert page.count('<i class="counter">') == 5, "three of any, two on the left"


def test_a_card_that_can_not_be_played_keeps_its_place_and_says_why(app: Flask) -> None:
    nobody_left = (("unit.wa.square", "e2"), ("unit.wb.square", "f2"), ("unit.wc.square", "g2"))
    table = begun(app, *nobody_left)
    page = tidy(table.get("white").text)
    looks = re.findall(r'class="(card[^"]*)" for="card-(\w+)"', page)
    assert {code: look for look, code in looks} == {"10S": "card", "2H": "card is-barred", "QD": "card"}
    words = re.split(r'<input class="pick-card|</form>', page[page.index('-2H">') :])[0]
    assert 'class="card-does" tabindex="0"><b>It points only to sectors where you have no unit' in words
    assert "<button" not in words


def test_a_hand_is_read_while_others_play_and_is_dimmed_for_nobody(app: Flask) -> None:
    page = tidy(begun(app).get("black").text)
    assert page.count('class="pick-card away"') == page.count('class="card" for="card-') == 3
    assert "card-ways" in page
    assert "play_card" not in page


def begun(app: Flask, *more: tuple[str, str]) -> Table:
    """Set a table at which White chooses among three cards."""
    table = Table(app, "two_cities")
    for seat in ("white", "black"):
        table.act(seat, action="ready")
    for path, value in (("cards.white", "10S,2H,QD"), *more):
        table.tables.correct(table.id, "rulekeeper", path, value, path)
    return table
