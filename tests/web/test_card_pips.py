"""Playing cards as they are printed: as many pips as the rank says, alike from either end, and figures of the court."""

from __future__ import annotations

import pytest

from companion.web.assets import Assets
from companion.web.play.card_pips import FRENCH, HEIGHT, WIDTH, card_pips

RANKS = [str(rank) for rank in range(2, 11)]


@pytest.mark.parametrize("rank", RANKS)
def test_a_card_has_as_many_pips_as_its_rank_says_all_of_them_on_it_and_apart(rank: str) -> None:
    pips = card_pips(rank, "hearts")
    assert [pip.sign for pip in pips] == ["hearts"] * int(rank)
    for at, pip in enumerate(pips):
        half = pip.size / 2
        assert half <= pip.x <= WIDTH - half
        assert half <= pip.y <= HEIGHT - half
        assert all(abs(pip.x - other.x) >= pip.size or abs(pip.y - other.y) >= 11 for other in pips[:at])


@pytest.mark.parametrize("rank", [rank for rank in RANKS if rank != "7"])
def test_a_card_is_alike_from_either_end_but_for_what_stands_in_its_middle(rank: str) -> None:
    places = {(pip.x, pip.y): pip.turned for pip in card_pips(rank, "spades")}
    for (x, y), turned in places.items():
        other = next(at for at in places if abs(at[0] - (WIDTH - x)) < 0.2 and abs(at[1] - (HEIGHT - y)) < 0.2)
        assert y == HEIGHT / 2 or places[other] is not turned


@pytest.mark.parametrize(
    ("rank", "suit", "sign"),
    [
        ("A", "clubs", "clubs"),
        ("J", "hearts", "knight"),
        ("Q", "diamonds", "queen"),
        ("K", "spades", "king"),
        ("1", "coins", "coins"),
        ("10", "cups", "pawn"),
        ("11", "swords", "knight"),
        ("12", "batons", "king"),
    ],
)
def test_aces_and_court_cards_have_one_large_picture(rank: str, suit: str, sign: str) -> None:
    (pip,) = card_pips(rank, suit)
    assert (pip.sign, pip.x, pip.y, pip.turned) == (sign, WIDTH / 2, HEIGHT / 2, False)
    assert pip.sign in Assets().symbols


def test_a_rank_that_no_deck_has_shows_no_pips() -> None:
    assert card_pips("★", FRENCH[0]) == ()
    assert card_pips("13", "coins") == ()
