"""Playing cards."""

from __future__ import annotations

import pytest

from companion.kit.decks import FACE_DOWN, RANKS, SUITS, face, pile, playable, unordered, without
from companion.kit.game import Frozen
from companion.kit.pieces import changed


class Held(Frozen, frozen=True):
    id: str
    hand: tuple[str, ...] = ()
    out: tuple[str, ...] = ()


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


def test_a_hand_may_hold_its_own_cards_or_real_ones_of_which_a_copy_is_left() -> None:
    kinds = {"u0": 2, "u1": 1}
    assert playable(("u0.1",), ("u1.0",), kinds, real=False) == ("u0.1",)
    assert playable((FACE_DOWN,), ("u1.0",), kinds, real=True) == ("u0.0",)
    assert playable((), ("u1.0",), kinds, real=True) == ()


def test_only_piles_are_put_in_order() -> None:
    assert unordered(Held("a"), "hand", hand=("KS", "AH"), out=("KS", "AH")) == Held("a", ("AH", "KS"), ("KS", "AH"))


def test_one_piece_is_changed_and_the_others_stay_where_they_are() -> None:
    assert changed((Held("a"), Held("b"), Held("c")), "b", hand=("AH",)) == (Held("a"), Held("b", ("AH",)), Held("c"))
    assert changed((Held("a"),), "b", hand=("AH",)) == (Held("a"),)
