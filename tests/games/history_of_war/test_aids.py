"""The player aids of History of War: the phases as the game has them, and the sample decks with every card's values."""

from __future__ import annotations

import pytest

from companion.games.history_of_war.cards import CATEGORIES, DECKS, Fielded
from companion.games.history_of_war.game import GAME
from companion.games.history_of_war.options import Options
from companion.games.history_of_war.pieces import ROUND
from companion.kit.rulebook import Line, Listing
from companion.kit.text import Text
from tests.support.history_of_war_positions import english

SHEETS = {sheet.id: sheet for sheet in GAME.rulebook.sheet}


def cells(line: Line) -> tuple[str, ...]:
    return tuple(english(cell) for cell in line.cells)


def titled(listings: tuple[Listing, ...], title: str) -> Listing:
    return next(part for part in listings if english(part.title) == title)


@pytest.mark.clause("HW-27", "HW-29", "HW-31", "HW-54", "HW-61")
def test_the_aid_has_the_phases_in_their_order_with_who_acts_and_action_cards() -> None:
    told = titled(GAME.rulebook.aid[0].listing, "Fifteen phases")
    shown = [cells(line) for line in told.line]
    assert [name.partition(". ")[0] for name, *_ in shown] == [str(at) for at in range(1, 16)]
    assert [tuple(rest) for _, *rest in shown] == [(step.acts, "no" if step.no_cards else "yes") for step in ROUND]


@pytest.mark.parametrize("name", DECKS)
def test_a_sample_deck_has_a_sheet_with_every_card_and_its_values(name: str) -> None:
    deck, listings = DECKS[name], SHEETS[name].listing
    rows = [cells(line) for part in listings for line in part.line]
    cards = (*deck.territory, *deck.cards)
    assert sorted(row[0] for row in rows) == sorted(english(Text(card.name)) for card in cards)
    assert {row[0]: row[-1] for row in rows} == {english(Text(card.name)): str(card.count) for card in cards}
    found = {row[0]: row for row in rows}
    for card in cards:
        if isinstance(card, Fielded):
            values = [card.ta_cost, card.flags, *(getattr(card, f"av_{one}") for one in CATEGORIES), card.dv]
            told = tuple("–" if value is None else str(value) for value in values)
            assert found[english(Text(card.name))][1:-1] == told
    for territory in deck.territory:
        told = (str(territory.flags), str(territory.victory_points))
        assert found[english(Text(territory.name))][1:-1] == told


def test_a_sheet_says_what_is_written_on_a_card() -> None:
    lines = {cells(line)[0]: line for part in SHEETS["blue_sample"].listing for line in part.line}
    more = {name: english(line.more) for name, line in lines.items() if line.more}
    assert more["anti-aircraft battery"] == "ground, may also block: air"
    assert more["bomber wing"] == "air, base attack"
    assert more["field workshop"] == "ground, yields 1 TA"
    assert more["veteran crews"] == "attack, ground +1"
    assert more["sudden storm"] == "Unlock one of your units."
    assert "coastal province" not in more


def test_every_option_that_a_ruling_names_is_one_of_the_table() -> None:
    named = {option for ruling in GAME.rulebook.ruling for option in ruling.options}
    assert named == set(Options.__struct_fields__) - {"cards", "to_win", "step_by_step"}
