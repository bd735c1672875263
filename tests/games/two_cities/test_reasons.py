"""The arithmetic of a ruling: every number with its clause, every refusal with all the clauses it rests on."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.two_cities.activation import Activate, Stand
from companion.games.two_cities.attack import Attack
from companion.games.two_cities.game import GAME
from companion.games.two_cities.hand import PlayCard, ThrowAway
from companion.games.two_cities.movement import Move
from companion.games.two_cities.options import Options
from companion.games.two_cities.setup import DrawTerrain, Ready
from companion.games.two_cities.turn import EndTurn, Surrender
from companion.kit.ruling import Reason
from tests.scenarios.runner import named
from tests.support.two_cities_positions import CITIES, Plays, choosing, fresh, playing, refusal, rule

KNOWN = GAME.rulebook.ids()


def terms(reason: Reason) -> list[tuple[str | None, int | None]]:
    return [(term.clause, term.value) for term in reason.terms]


def lines(
    state: Any, action: Any, *dice: int, seat: str | None = None, **choices: str
) -> list[tuple[str | None, int | None]]:
    """What a ruling says after its sums: clause and value, line by line."""
    ruling = rule(state, seat or state.active, action, Plays(*dice, **choices))
    told = [(reason.clause, reason.value) for reason in ruling.reasons if not reason.terms]
    if isinstance(action, Attack):
        assert told.pop(0)[0] in {"TTC-76", "TTC-91"}, "who attacks whom"
    return told


def sums(state: Any, action: Any, *dice: int, **choices: str) -> list[list[tuple[str | None, int | None]]]:
    ruling = rule(state, state.active, action, Plays(*dice, **choices))
    return [terms(reason) for reason in ruling.reasons if reason.terms]


ATTACK = Attack("w1", "b1")


@pytest.mark.clause("TTC-87", "TTC-88", "TTC-89", "TTC-90", "TTC-51", "TTC-44", "TTC-49", "TTC-45", "TTC-42")
@pytest.mark.parametrize(
    ("kind", "card", "ground", "expected"),
    [
        ("hi", "JS", "forest", [("TTC-87", 5), ("TTC-88", 1), ("TTC-44", 1), ("TTC-51", -1)]),
        ("hi", "6S", "hill", [("TTC-87", 5), ("TTC-89", -1), ("TTC-49", 2)]),
        ("lc", "QS", "open", [("TTC-87", 2), ("TTC-45", 1)]),
        ("ar", "10S", "hill", [("TTC-87", 2), ("TTC-89", -1), ("TTC-42", 1)]),
        ("li", "AH", "open", [("TTC-87", 2)]),
    ],
)
def test_the_dice_of_a_melee(kind: str, card: str, ground: str, expected: list[tuple[str, int]]) -> None:
    state = playing(f"{CITIES}, w1 {kind} c4, b1 hi c5", card, terrain={"c4": ground} if ground != "open" else {})
    count = sum(value for _, value in expected)
    assert sums(state, ATTACK, *[3] * count) == [expected]


@pytest.mark.clause("TTC-91", "TTC-92", "TTC-96", "TTC-99", "TTC-101")
@pytest.mark.parametrize(
    ("card", "ground", "moved", "reach", "dice"),
    [
        ("AH", "open", False, [("TTC-91", 3)], [("TTC-92", 2)]),
        ("AH", "open", True, [("TTC-91", 3)], [("TTC-92", 1)]),
        ("AH", "hill", False, [("TTC-91", 3), ("TTC-96", 1)], [("TTC-92", 2), ("TTC-96", 1)]),
        ("AH", "forest", False, [("TTC-91", 3)], [("TTC-92", 2), ("TTC-99", -1)]),
        (
            "10S",
            "hill",
            True,
            [("TTC-91", 3), ("TTC-96", 1), ("TTC-42", 1)],
            [("TTC-92", 1), ("TTC-96", 1), ("TTC-42", 1)],
        ),
    ],
)
def test_the_range_and_dice_of_a_shot(card: str, ground: str, moved: bool, reach: Any, dice: Any) -> None:
    state = playing(f"{CITIES}, w1 ar c4, b1 hi c6", card, terrain={"c4": ground} if ground != "open" else {})
    state = state.with_unit("w1", moved=moved)
    count = sum(value for _, value in dice)
    assert sums(state, ATTACK, *[3] * count) == [reach, dice]


@pytest.mark.clause("TTC-81", "TTC-82", "TTC-84", "TTC-102", "TTC-103", "TTC-104", "TTC-111", "TTC-113", "TTC-115")
@pytest.mark.parametrize(
    ("position", "terrain", "dice", "choices", "expected"),
    [
        ("w1 hi c4, b1 hi c5", {}, (1, 1, 2, 6, 3), {},
         [("TTC-81", 2), ("TTC-82", 1), ("TTC-84", 1), ("TTC-111", 1), ("TTC-04", None)]),
        ("w1 hi c4, b1 hi c5, b2 li b5", {}, (1, 3, 3, 6, 3), {"protection": "formation_retreat"},
         [("TTC-81", 1), ("TTC-84", 1), ("TTC-104", -1), ("TTC-04", None)]),
        ("w1 hi c4, b1 hi c5, b2 li b5", {}, (1, 3, 3, 3, 3), {"protection": "formation_hit"},
         [("TTC-81", 1), ("TTC-103", -1), ("TTC-04", None)]),
        ("w1 hi c4, b1 hi c5", {"c5": "hill"}, (1, 3, 3, 3, 3), {"protection": "terrain"},
         [("TTC-81", 1), ("TTC-102", -1), ("TTC-04", None)]),
        ("w1 hi c4, b1 hi c5 3, b2 li c6", {}, (6, 3, 3, 3, 3), {},
         [("TTC-84", 1), ("TTC-113", 1), ("TTC-04", None), ("TTC-115", None)]),
        ("w1 ar c3, b1 hi c5", {}, (2, 1), {}, [("TTC-82", 0), ("TTC-81", 1), ("TTC-04", None)]),
        ("w1 hi c4, b1 li c5", {}, (4, 1, 6, 6), {"evasion": "yes", "evasion_steps": "1"},
         [("TTC-118", None), ("TTC-123", None), ("TTC-81", 1), ("TTC-125", 0), ("TTC-126", None), ("TTC-04", None)]),
    ],
)  # fmt: skip
def test_the_story_of_an_attack(position: str, terrain: Any, dice: Any, choices: Any, expected: Any) -> None:
    state = playing(f"{CITIES}, {position}", "AH", terrain=terrain)
    assert lines(state, ATTACK, *dice, **choices) == expected


@pytest.mark.clause("TTC-08", "TTC-128")
def test_the_story_of_an_attack_on_a_city() -> None:
    state = playing("wc ci d1, b1 ci d8 4, w1 hi d7", "AH")
    assert lines(state, ATTACK, 1, 6, 3, 3, 3) == [
        ("TTC-81", 1),
        ("TTC-08", 0),
        ("TTC-04", None),
        ("TTC-115", None),
        ("TTC-128", None),
    ]


@pytest.mark.clause("TTC-124")
def test_half_the_dice() -> None:
    state = playing(f"{CITIES}, w1 hi c4, b1 li c5", "AH")
    whole, half = sums(state, ATTACK, 4, 3, 3, 3, evasion="yes", evasion_steps="1")
    assert (whole, half) == ([("TTC-87", 5)], [(None, 5), ("TTC-124", -2)])


@pytest.mark.clause("TTC-72", "TTC-42", "TTC-44")
def test_the_allowance_of_a_move() -> None:
    for card, kind, to, expected in (
        ("AH", "lc", "b5", [("TTC-72", 4)]),
        ("10S", "hi", "b5", [("TTC-72", 1), ("TTC-42", 1)]),
        ("JS", "hi", "b5", [("TTC-72", 1), ("TTC-44", 2)]),
    ):
        assert sums(playing(f"{CITIES}, w1 {kind} b4", card), Move("w1", to)) == [expected]


@pytest.mark.clause("TTC-54", "TTC-62", "TTC-67", "TTC-68", "TTC-69", "TTC-16")
@pytest.mark.parametrize(
    ("card", "dice", "pile", "expected"),
    [
        ("AH", (), ("2S",), ["TTC-67", "TTC-68", "TTC-68", "TTC-16"]),
        ("JD", (), ("2S",), ["TTC-62", "TTC-68", "TTC-68", "TTC-16"]),
        ("QS", (3,), ("2S",), ["TTC-54", "TTC-68", "TTC-68", "TTC-16"]),
        ("QS", (1,), ("2S",), ["TTC-54", "TTC-68", "TTC-68", "TTC-16"]),
        ("AH", (), (), ["TTC-67", "TTC-69", "TTC-68", "TTC-68", "TTC-16"]),
    ],
)
def test_the_story_of_the_end_of_a_turn(card: str, dice: Any, pile: Any, expected: list[str]) -> None:
    state = playing(f"{CITIES}, w1 li b4", card).but(draw_pile=pile, discard_pile=("4C",))
    assert [clause for clause, _ in lines(state, EndTurn(), *dice)] == expected


@pytest.mark.clause("TTC-59", "TTC-61", "TTC-63", "TTC-56", "TTC-57")
@pytest.mark.parametrize(("card", "piece"), [("JD", "TTC-56"), ("QD", "TTC-57"), ("KD", "TTC-61")])
def test_the_story_of_a_purchase(card: str, piece: str) -> None:
    state = choosing(f"{CITIES}, w1 li b4", (card, "4C", "4S"), purchases={"white": 1, "black": 0})
    said = [clause for clause, _ in lines(state, PlayCard(card, "w1", "c1"))]
    assert said[1:] == ["TTC-63", "TTC-59", piece]


@pytest.mark.clause("TTC-13", "TTC-16", "TTC-11", "TTC-09")
def test_the_story_of_the_start() -> None:
    state = fresh().but(phase="set_up", hands={}, ready=("white",))
    assert [clause for clause, _ in lines(state, Ready(), seat="black")] == ["TTC-09", "TTC-13", "TTC-13", "TTC-16"]
    assert [clause for clause, _ in lines(state, DrawTerrain(), seat="black")] == ["TTC-11"] * 4


@pytest.mark.clause("TTC-129", "TTC-41", "TTC-22")
def test_the_story_of_the_rest() -> None:
    state = playing(f"{CITIES}, w1 li b4", "AH")
    assert lines(state, Surrender(), seat="black") == [("TTC-129", None)]
    assert lines(state, Stand("w1")) == [("TTC-22", None)]
    assert lines(state, Move("w1", "b4")) == [("TTC-22", None)]
    useless = choosing(CITIES, ("AH", "AS", "2H"))
    assert lines(useless, ThrowAway("AS"))[0] == ("TTC-41", None)


def clauses(state: Any, action: Any, **choices: str) -> list[str]:
    return named(refusal(state, action, **choices), KNOWN)


@pytest.mark.clause("TTC-23", "TTC-35", "TTC-36", "TTC-43", "TTC-27", "TTC-28", "TTC-47", "TTC-48", "TTC-77", "TTC-78")
def test_a_refusal_names_every_clause_it_rests_on() -> None:
    two, three = f"{CITIES}, w1 li a2, w2 li b2, w3 li e2", f"{CITIES}, w1 li a2, w2 li e2"
    assert clauses(playing(two, "2H"), Activate(("w1",))) == ["TTC-23", "TTC-35"]
    assert clauses(playing(two, "AH"), Activate(())) == ["TTC-23", "TTC-29"]
    assert clauses(playing(three, "3H"), Activate(("w1",))) == ["TTC-23", "TTC-36"]
    assert clauses(playing(three, "10S"), Activate(("w1",))) == ["TTC-23", "TTC-43"]
    assert clauses(playing(two, "10S"), Activate(("w1",))) == ["TTC-23", "TTC-42"]
    assert clauses(playing(two, "JS"), Activate(("w1",))) == ["TTC-23", "TTC-44"]
    assert clauses(playing(two, "AS"), Move("w1", "a3")) == ["TTC-30", "TTC-27"]
    assert clauses(playing(two, "AH"), Move("w3", "e3")) == ["TTC-29", "TTC-28"]
    assert clauses(playing(two, "4H"), Move("w3", "e3")) == ["TTC-34"]
    assert clauses(playing(two, "QS"), Move("w3", "e3")) == ["TTC-45"]
    contact = f"{CITIES}, w1 ar a2, b1 hi a3, b2 hi a5"
    assert clauses(playing(contact, "AH"), Attack("w1", "b2", "ranged")) == ["TTC-78", "TTC-77"]
    assert clauses(playing(contact, "KS"), Attack("w1", "b2", "ranged")) == ["TTC-78", "TTC-77", "TTC-47"]
    assert clauses(playing(contact, "AH"), Stand("w1")) == ["TTC-77", "TTC-19"]
    fought = rule(playing(contact, "AH"), "white", Attack("w1", "b1"), Plays(3, 3)).outcome
    assert clauses(fought, Attack("w1", "b1")) == ["TTC-21", "TTC-24"]
    moved = rule(playing(two, "2H"), "white", Move("w1", "a3")).outcome
    assert clauses(moved, Move("w1", "a4")) == ["TTC-21", "TTC-19"]
    armed = playing(f"{CITIES}, w1 ar a2, b1 hi a4", "KS")
    for _ in range(2):
        armed = rule(armed, "white", Attack("w1", "b1"), Plays(3, 3)).outcome
    assert clauses(armed, Attack("w1", "b1")) == ["TTC-21", "TTC-46"]
    rain = playing(f"{CITIES}, w1 ar a2, b1 hi a5", "KS")
    shot = rule(rain, "white", Attack("w1", "b1"), Plays(6, 3)).outcome
    assert clauses(shot, Attack("w1", "b1")) == ["TTC-93", "TTC-94", "TTC-48"]


@pytest.mark.clause("TTC-38", "TTC-39", "TTC-41", "TTC-17", "TTC-15", "TTC-65", "TTC-64", "TTC-118", "TTC-119")
def test_refused_cards_and_evasions_name_theirs() -> None:
    state = choosing(f"{CITIES}, w1 li f3", ("AH", "2H", "QS"))
    assert clauses(state, ThrowAway("AH")) == ["TTC-39", "TTC-38"]
    assert clauses(state, PlayCard("3S")) == ["TTC-17", "TTC-15"]
    assert clauses(state.but(hands={**state.hands, "white": ("AH", "AS")}), ThrowAway("AH")) == ["TTC-38", "TTC-41"]
    full = choosing(f"{CITIES}, w1 li c1, w2 li e1, w3 li d2", ("JD", "2H", "QS"))
    assert clauses(full, PlayCard("JD")) == ["TTC-65", "TTC-64"]
    slow = playing(f"{CITIES}, w1 li c4, b1 li c5", "AH")
    assert clauses(slow, ATTACK, evasion="yes") == ["TTC-118", "TTC-119"]
    real = fresh(cards="real").but(discard_pile=("AH",))
    assert clauses(real, PlayCard("AH")) == ["TTC-17", "TTC-67"]


@pytest.mark.clause("TTC-105", "TTC-120", "TTC-107")
def test_table_options_are_named_in_what_they_bar() -> None:
    lone = playing(f"{CITIES}, w1 hi c4, b1 hi c5", "AH")
    bars = {value: refusal(lone, ATTACK, 1, 3, 3, 3, 3, protection=value) for value in ("terrain", "formation_hit")}
    assert named(bars["terrain"], KNOWN) == ["TTC-102"]
    assert named(bars["formation_hit"], KNOWN) == ["TTC-103", "TTC-105"]
    shot = playing(f"{CITIES}, w1 ar c3, b1 lc c5", "AH", options=Options(evasion_melee_only=True))
    assert clauses(shot, ATTACK, evasion="yes") == ["TTC-120"]
