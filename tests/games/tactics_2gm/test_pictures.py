"""Signs and pictures on cards of 2GM Tactics: in the form, the file and the hand, the sign on the battlefield too."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm import editor, table_view
from companion.games.tactics_2gm.cards import DECKS, Roster
from companion.games.tactics_2gm.combatants import glyph
from companion.games.tactics_2gm.speech import describe
from companion.games.tactics_2gm.table_view import picture
from companion.kit import rosters
from companion.kit.pictures import MOST_PICTURES
from companion.kit.ruling import Refusal
from companion.kit.text import speak
from tests.support import picture_positions
from tests.support.pictures import name_of

DECK = DECKS["allies_sample"]
UNIT, SUPPORT = DECK.unit[0], DECK.support[0]
NAME = "ab" * 32
CHOSEN: dict[str, Any] = {"glyph": "skull", "picture": NAME}


@pytest.mark.parametrize("card", [UNIT, SUPPORT], ids=["unit", "support"])
def test_a_card_shows_the_sign_and_the_picture_of_its_player(card: Any) -> None:
    drawn = picture(replace(card, **CHOSEN))
    assert (drawn.glyphs, drawn.photo) == (("skull",), NAME)
    assert picture(card).photo == ""
    assert replace(drawn, glyphs=(), photo="") == replace(picture(card), glyphs=())


def test_a_unit_has_its_sign_on_the_battlefield() -> None:
    assert glyph(replace(UNIT, **CHOSEN)) == "skull"


def test_a_unit_in_play_has_the_picture_of_its_card_wherever_it_stands() -> None:
    state = picture_positions.battle("a1 light_infantry d3")
    for panel in (table_view.board(state, None), *table_view.rosters(state, None)):
        (photo,) = [piece.photo for piece in panel.pieces if piece.id == "a1"]
        assert photo == name_of(picture_positions.OPEN)


def test_a_card_of_the_sample_set_says_the_same_with_a_picture() -> None:
    for card in DECK.support:
        assert describe(replace(card, **CHOSEN)) == describe(card)


def test_both_forms_ask_for_them() -> None:
    for card, form in ((UNIT, editor._unit_form), (SUPPORT, editor._support_form)):
        asked = {field.name: (field.kind, field.value) for field in form(replace(card, **CHOSEN))}  # type: ignore[operator]
        assert (asked["glyph"], asked["picture"]) == (("choice", "skull"), ("picture", NAME))


@pytest.mark.parametrize("write", [rosters.write, rosters.write_table])
def test_a_file_has_both(write: Any) -> None:
    deck = replace(DECK, unit=(replace(UNIT, **CHOSEN),), support=(replace(SUPPORT, **CHOSEN),))
    assert rosters.read(write(deck), Roster, most=60_000) == deck


def test_what_names_no_picture_or_sign_is_told_in_the_file() -> None:
    for said, wrong in (("SHA-256", 'picture = "tank.png"'), ("one of the choices", 'glyph = "panzer"')):
        text = f'name = "A"\n[[unit]]\nname = "B"\nfamily = "tank"\ncost = 1\nwounds = 1\n{wrong}\n'
        with pytest.raises(Refusal) as refused:
            rosters.read(text, Roster, most=60_000)
        assert said in speak(refused.value.text, str)


def test_a_deck_has_so_many_pictures_and_no_more() -> None:
    cards = tuple(replace(UNIT, name=f"U{at}", picture=f"{at:064x}") for at in range(MOST_PICTURES - 2))
    support = tuple(replace(SUPPORT, name=f"S{at}", picture=letter * 64) for at, letter in enumerate("ab"))
    deck = Roster(name="Full", unit=cards, support=support)
    with pytest.raises(Refusal, match="different pictures") as refused:
        replace(deck, support=(*support, replace(SUPPORT, name="S9", picture="c" * 64)))
    assert refused.value.field == "picture"
