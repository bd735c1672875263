"""Signs and pictures on the cards of an own list: written in the list or put on a card, shown to who sees the card."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.free_table.deck_cards import LONGEST_CARD, Own, read_list, write_list
from companion.games.free_table.game import GAME
from companion.games.free_table.names import LONGEST_NAME, tidy
from companion.kit.asking import Ask
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Card, Hand, Picture, Piles
from companion.kit.pictures import MOST_PICTURES
from companion.kit.ruling import Refusal
from companion.kit.text import speak
from tests.support.free_tables import Free

ANA, BEN = "player_1", "player_2"
NAME, OTHER = "ab" * 32, "cd" * 32


def cards(table: Free, seat: str) -> dict[str, Card]:
    """The cards that a seat sees, by what they are called."""
    found: list[Card] = []
    for panel in GAME.view(table.state, seat).panels:
        match panel:
            case Hand():
                found += panel.cards
            case Piles():
                found += [card for pile in panel.piles for card in pile.cards]
    return {speak(card.name, str): card for card in found}


def begun(own: str = "Goblin\nDragon,2,Flies", **more: Any) -> Free:
    table = Free("Ana", "Ben", seats=2, **more)
    return table.do(RULEKEEPER, "set_deck", which="own", own=own)


words = st.text(min_size=1, max_size=LONGEST_NAME).map(tidy).filter(bool)
looks = st.builds(
    Own,
    name=words.filter(lambda name: len(name) <= LONGEST_NAME),
    count=st.integers(1, 3),
    text=st.text(max_size=LONGEST_CARD).map(lambda text: tidy(text, LONGEST_CARD)),
    glyph=st.sampled_from(["", "skull", "tank"]),
    picture=st.sampled_from(["", NAME, OTHER]),
)


@given(st.lists(looks, min_size=1, max_size=6))
def test_what_is_written_is_read_again(own: list[Own]) -> None:
    if any(card.glyph or card.picture for card in own):
        assert read_list(write_list(tuple(own))) == tuple(own)


def test_a_list_may_have_columns_for_both_in_either_language() -> None:
    sent = f"nombre,símbolo,imagen\nTrasgo,skull,{NAME}\nDragón,,"
    assert read_list(sent) == (Own("Trasgo", glyph="skull", picture=NAME), Own("Dragón"))
    assert write_list((Own("Goblin"), Own("Dragon", 2, "Flies"))) == "Goblin\nDragon,2,Flies"


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("panzer,", "Line 2: there is no sign called “panzer”"),
        (",tank.png", "Line 2: a picture is named by its SHA-256"),
    ],
)
def test_what_is_no_sign_and_no_picture_is_told_with_its_line(cell: str, said: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_list(f"name,glyph,picture\nGoblin,{cell}")
    assert speak(refused.value.text, str).startswith(said)
    assert refused.value.field == "own"


def test_a_list_has_so_many_pictures_and_no_more() -> None:
    lines = [f"{at},{at:064x}" for at in range(1, MOST_PICTURES + 1)]
    head = "name,picture"
    assert len(read_list("\n".join((head, *lines)))) == MOST_PICTURES
    read_list("\n".join((head, *lines, f"again,{1:064x}")))
    with pytest.raises(Refusal, match="different pictures") as refused:
        read_list("\n".join((head, *lines, f"more,{'f' * 64}")))
    assert refused.value.field == "own"


def test_a_picture_is_put_on_a_card_and_taken_off_without_gathering_the_deck() -> None:
    table = begun().do(ANA, "draw", tracker="t1", count=1)
    before = table.state.tracker("t1")
    table.do(ANA, "set_look", tracker="t1", card="1", picture=NAME)
    table.do(ANA, "set_look", tracker="t1", card="1", glyph="skull")
    table.do(BEN, "set_look", tracker="t1", card="2", glyph="flag")
    assert table.headline == "Deck of cards: a card looks different"
    deck = table.state.tracker("t1")
    assert [(card.glyph, card.picture) for card in deck.own] == [("skull", NAME), ("flag", "")]
    assert (deck.hands, deck.order, deck.loose) == (before.hands, before.order, before.loose)
    table.do(ANA, "clear_look", tracker="t1", card="1")
    assert table.state.tracker("t1").own[0] == Own("Goblin")
    assert [option.value for offer in table.offers(ANA, "clear_look") for option in offer.fields[0].options] == ["2"]


def test_a_list_that_changes_in_nothing_but_its_looks_is_not_gathered() -> None:
    table = begun().do(ANA, "draw", tracker="t1", count=1)
    hands = table.state.tracker("t1").hands
    own = f"name,count,text,picture\nGoblin,1,,{NAME}\nDragon,2,Flies,"
    table.do(ANA, "set_deck", tracker="t1", which="own", own=own)
    assert table.state.tracker("t1").hands == hands
    assert table.state.tracker("t1").own[0].picture == NAME


def test_only_who_sees_a_card_sees_how_it_looks() -> None:
    own = f"name,glyph,picture\nGoblin,skull,{NAME}"
    table = begun(own).do(ANA, "draw", tracker="t1", count=1)
    shown = Picture(glyphs=("skull",), photo=NAME)
    assert cards(table, ANA)["Goblin"].picture == shown
    assert [cards(table, seat) for seat in (BEN, RULEKEEPER, SCREEN)] == [{}, {}, {}]
    (code,) = table.state.tracker("t1").hand(ANA)
    table.do(ANA, "put", tracker="t1", cards=[code], to="table")
    assert [cards(table, seat)["Goblin"].picture for seat in (ANA, BEN, RULEKEEPER, SCREEN)] == [shown] * 4


def test_a_picture_without_a_sign_lies_over_the_sign_of_a_card() -> None:
    assert Own("Goblin", picture=NAME).drawn == Picture(glyphs=("cards",), photo=NAME)
    assert Own("Goblin").drawn is None


def test_what_can_not_be_put_on_a_card_is_refused() -> None:
    table = begun()
    assert table.refused(ANA, "set_look", tracker="t1", card="1") == ("Choose a sign or a picture.", "picture")
    for action in ("set_look", "clear_look"):
        more = {"glyph": "skull"} if action == "set_look" else {}
        for card in ("0", "3", "x", "-1"):
            said = table.refused(ANA, action, tracker="t1", card=card, **more)
            assert said == ("There is no such card in the list.", "card")
    plain = Free("Ana", seats=2).do(RULEKEEPER, "set_deck")
    assert plain.offers(ANA, "set_look") == []
    assert plain.refused(ANA, "set_look", tracker="t1", card="1", glyph="skull")[1] == "card"


def test_only_who_sets_the_trackers_up_changes_how_cards_look() -> None:
    table = begun(compose="keeper")
    assert table.offers(ANA, "set_look") == []
    assert len(table.offers(RULEKEEPER, "set_look")) == 1
    said, _ = table.refused(ANA, "set_look", tracker="t1", card="1", glyph="skull")
    assert said == "At this table the rulekeeper sets the trackers up."


def test_the_next_table_has_the_same_pictures() -> None:
    table = begun().do(ANA, "set_look", tracker="t1", card="2", picture=NAME)
    options = GAME.options_now
    assert options is not None
    again = GAME.setup(options(table.state), Ask()).outcome
    assert again.tracker("t1").own == (Own("Goblin"), replace(Own("Dragon", 2, "Flies"), picture=NAME))
