"""Playing cards."""

from __future__ import annotations

import pytest

from companion.kit.decks import RANKS, SUITS, face, pile, without


def test_every_card_of_a_deck_has_its_face() -> None:
    assert face("10S") == ("10", "spades")
    assert face("AH") == ("A", "hearts")
    faces = {face(rank + letter) for rank in RANKS for letter in SUITS}
    assert len(faces) == 52
    assert {suit for _, suit in faces} == {"spades", "clubs", "hearts", "diamonds"}


@pytest.mark.parametrize("wrong", ["", "S", "1S", "11H", "AX", "as", "10"])
def test_what_is_no_card(wrong: str) -> None:
    with pytest.raises(KeyError):
        face(wrong)


def test_a_pile_has_no_order() -> None:
    assert pile(["KS", "10S", "AH"]) == pile(["AH", "KS", "10S"])


def test_cards_are_taken_out_once_each() -> None:
    assert without(("AH", "?", "?", "KS"), ["?", "KS"]) == ("AH", "?")
    with pytest.raises(ValueError, match=r".*"):
        without(("AH",), ["KS"])
