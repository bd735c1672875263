"""A stored position that can not be is not read: what is read can be shown, played on and corrected."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games.two_cities.attack import Attack
from companion.games.two_cities.game import GAME
from tests.support.damaged_states import read, shown, unread
from tests.support.two_cities_positions import CITIES, after, playing

if TYPE_CHECKING:
    pass

POSITION = f"{CITIES}, w1 hi a4 1, w2 ar e2, b1 li a5, b2 lc f7"
ROUNDS = 1500


def fought() -> dict[str, Any]:
    """A position in the middle of a turn, as it is stored."""
    state = after(playing(POSITION, "3H", terrain={"c3": "hill"}), Attack("w1", "b1"), 1, 2, 3, 4, 5)
    stored = msgspec.to_builtins(state)
    assert isinstance(stored, dict)
    return stored


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("card",), "XX"), (("card",), "10S\n"), (("card",), "?"), (("discard_pile",), ["XX"]), (("removed",), ["?"]),
        (("draw_pile",), ["AH"] * 25), (("hands", "white"), ["11H"]), (("hands", "red"), ["AH"]),
        (("units", 0, "square"), "z9"), (("units", 0, "square"), "a9"), (("units", 0, "hits"), 400_000),
        (("units", 0, "hits"), 6), (("units", 0, "hits"), -1), (("units", 0, "kind"), "dragon"),
        (("units", 0, "id"), "w1"), (("units", 0, "id"), "a.b"), (("units", 0, "home"), "x" * 41),
        (("terrain",), {"z9": "hill"}), (("terrain",), {"a4": "lake"}), (("acting",), "w9"), (("turn",), 0),
        (("turn",), 10**30), (("purchases", "white"), -1), (("last", "target"), "w9"),
        (("last", "target_square"), "z9"),
    ],
)  # fmt: skip
def test_what_can_not_be_is_not_read(place: tuple[str | int, ...], value: Any) -> None:
    stored: Any = fought()
    assert msgspec.to_builtins(read(GAME, stored)) == stored
    unread(GAME, stored, place, value)


def test_what_is_read_can_be_shown_and_gone_on_with() -> None:
    words = ["AH", "a1", "?", "", 0, 5, True, [], {}]
    assert shown(GAME, fought(), words, ROUNDS, random.Random(1)) > ROUNDS // 10
