"""A stored battle that can not be is not read: what is read can be shown, played on and corrected. And its words."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games.chesswar.catapults import Bombard
from companion.games.chesswar.charge import Charge
from companion.games.chesswar.combat import Attack
from companion.games.chesswar.game import GAME
from companion.games.chesswar.movement import Move
from companion.games.chesswar.shooting import Shoot
from companion.games.chesswar.spells import Cast
from companion.games.chesswar.turn import EndPhase
from tests.support.chesswar_positions import KINGS, after, english, position, ruled
from tests.support.damaged_states import read, shown, unread

if TYPE_CHECKING:
    pass

POSITION = f"{KINGS}, w1 hn a4, w2 hq e2, w3 hb g3, b1 op a5, b2 oq f7, b3 or c6, w1>b1, storm w2, protection b2"
ROUNDS = 1500


def fought(**more: Any) -> dict[str, Any]:
    """A battle in the middle of a turn, as it is stored."""
    state = position(
        POSITION, phase="combat", terrain=True, replies={"black": "wait"}, acted={"white": ("w1",)}, **more
    )
    state = state.but(terrain={"c3": "hill"}).with_unit("b3", down=True).with_unit("w2", cast=True, locked=True)
    stored = msgspec.to_builtins(after(state, Attack("w1", "b1"), 3))
    assert isinstance(stored, dict)
    return stored


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("phase",), "night"), (("round",), 0), (("round",), 10**30), (("active",), 2), (("active",), -1),
        (("order",), [0]), (("order",), [0, 0]), (("order",), [0, 2]), (("order",), []),
        (("armies", "white"), "elephants"), (("armies", "green"), "orcs"),
        (("units", 0, "square"), "z9"), (("units", 0, "square"), "a9"), (("units", 0, "type"), "dragon"),
        (("units", 0, "side"), "red"), (("units", 0, "id"), "w1"), (("units", 0, "id"), "a.b"),
        (("units", 0, "engaged_with"), ["b1"]), (("units", 2, "engaged_with"), []),
        (("units", 2, "engaged_with"), ["nobody"]), (("units", 2, "engaged_with"), ["b1", "b1"]),
        (("units", 2, "charged"), "madly"), (("terrain",), {"z9": "hill"}), (("terrain",), {"a4": "lake"}),
        (("effects", 0, "spell"), "rain"),
        (("effects", 0, "side"), "green"), (("effects", 0, "covers"), ["?"]), (("replies", "black"), "maybe"),
        (("ready",), ["green"]), (("done",), ["red"]), (("leaderless",), ["blue"]), (("winner",), ["blue"]),
        (("phase",), "raising"), (("acted",), {"white": ["w 1"]}), (("options", "size"), 17),
        (("last", "to_square"), "zz"),
    ],
)  # fmt: skip
def test_what_can_not_be_is_not_read(place: tuple[str | int, ...], value: Any) -> None:
    stored: Any = fought()
    assert msgspec.to_builtins(read(GAME, stored)) == stored
    unread(GAME, stored, place, value)


@pytest.mark.parametrize(("one", "other"), [("w1", "w2"), ("w1", "w1"), ("b1", "b2")])
def test_a_melee_is_between_enemies(one: str, other: str) -> None:
    with pytest.raises(ValueError, match="melee"):
        position(POSITION).engage(one, other)


def test_units_are_of_an_army_that_was_chosen() -> None:
    state = position(f"{KINGS}, w1 hn a4", phase="raising", order=())
    with pytest.raises(ValueError, match="army"):
        state.but(armies={"black": "orcs"})


WORDS = ["a1", "h3", "?", "", 0, 1, 5, True, False, [], {}, "black", "undead_lich", "movement", "shooting", "w1",
         "raising", "redeploying", "choosing", "finished", "orc_trolls", "human_mage", "undead"]  # fmt: skip
BATTLES: tuple[dict[str, Any], ...] = ({}, {"board": "table"}, {"massacre": True})


@pytest.mark.parametrize("options", BATTLES, ids=["mirrored", "table", "massacre"])
def test_what_is_read_can_be_shown_and_gone_on_with(options: dict[str, Any]) -> None:
    rounds = ROUNDS // len(BATTLES)
    assert shown(GAME, fought(**options), WORDS, rounds, random.Random(1)) > ROUNDS // 40


BATTLE = f"{KINGS}, w1 hn d4, w2 hq c3, w3 hb g3, w4 hr a2, b1 op d5, b2 oq f7, b3 or g5"


@pytest.mark.parametrize(
    ("phase", "written", "action", "dice", "choices", "said"),
    [
        ("movement", "", Move("w1", "e3"), (), {}, "Knights d4 moved to e3"),
        ("movement", "", Charge("w1", "b1"), (), {}, "Knights d4 charged Orcs d5"),
        ("movement", "", Cast("w2", "storm"), (), {}, "Mage c3 cast Storm"),
        ("movement", "", Cast("w2", "storm"), (5,), {"counter_w2": "b2"}, "Mage c3 cast Storm: it was dispersed"),
        ("movement", "fear b2", Cast("w2", "dispel", effect="fear.b2"), (), {}, "Mage c3 cast Dispel"),
        (
            "movement",
            "fear b2",
            Cast("w2", "dispel", effect="fear.b2"),
            (4,),
            {"counter_w2": "b2"},
            "Mage c3 cast Dispel: it was dispersed",
        ),
        ("shooting", "", Shoot("w3", "b3"), (2,), {}, "Archers g3 shot: nobody fell"),
        ("shooting", "", Shoot("w3", "b3"), (5, 1), {}, "Knocked over: Trolls g5"),
        ("shooting", "", Bombard("w4", "d5"), (5, 5, 1), {}, "Destroyed: Orcs d5"),
        ("shooting", "", Cast("w2", "zap", target="b1"), (3,), {}, "Mage c3 cast Zap: nobody fell"),
        ("combat", "w1>b1", Attack("w1", "b1"), (3,), {}, "Knights d4 attacked Orcs d5: the melee goes on"),
        ("combat", "w1>b1", Attack("w1", "b1"), (6,), {"continuation": "stay"}, "Destroyed: Orcs d5"),
        ("combat", "w1>b1", Attack("w1", "b1"), (1, 1), {}, "Destroyed: Knights d4"),
        ("combat", "w1>b1", EndPhase(), (), {}, "Now it is Black's turn"),
    ],
)
def test_the_headline_says_what_came_of_it(
    phase: Any, written: str, action: Any, dice: Any, choices: Any, said: str
) -> None:
    ruling = ruled(position(f"{BATTLE}, {written}", phase=phase), action, *dice, **choices)
    assert english(ruling.headline) == said


def test_a_flight_that_is_countered_says_so() -> None:
    state = position(f"{KINGS}, w1 oq c3, w2 op d3, b2 oq f7")
    fly = Cast("w1", "flight", target="w2", to="d6")
    assert english(ruled(state, fly).headline) == "Shaman c3 cast Flight"
    assert english(ruled(state, fly, 4, counter_w1="b2").headline) == "Shaman c3 cast Flight: it was dispersed"
