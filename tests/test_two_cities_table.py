"""A table whose board is not mirrored: the facts are asked for, and give the same rulings."""

from __future__ import annotations

from itertools import product

import pytest

from companion.games.two_cities import GAME
from companion.games.two_cities import actions as do
from companion.games.two_cities.options import Options
from companion.kit.ruling import Refusal
from tests.positions import CITIES, Plays, after, choosing, fresh, offered, options_of, playing, refusal, rule

TABLE = Options(board="table")


def off_the_squares(state):  # type: ignore[no-untyped-def]
    for unit in state.units:
        state = state.with_unit(unit.id, square=None)
    return state


def at_table(written: str, card: str, **more):  # type: ignore[no-untyped-def]
    return off_the_squares(playing(written, card, options=TABLE, **more))


@pytest.mark.parametrize(
    ("written", "card", "terrain", "mode", "facts", "dice"),
    [
        ("w1 hi d4, b1 hi d5", "AH", {"d4": "forest"}, "melee", {"attacker_terrain": "forest", "behind": 3},
         (1, 2, 6, 6, 3, 3)),
        ("w1 hi d4, b1 hi d5, b2 li e5, b3 li d6", "AH", {}, "melee", {"neighbour": True, "behind": 0},
         (1, 6, 6, 3, 3)),
        ("w1 hi d4 1, b1 li d5 1", "6S", {"d5": "hill"}, "melee", {"target_terrain": "hill", "behind": 3},
         (5, 1, 1, 6)),
        ("w1 ar d3, b1 lc d6 1", "AH", {"d3": "hill"}, "ranged",
         {"attacker_terrain": "hill", "distance": 3, "behind": 2, "moved": False}, (4, 1, 6)),
    ],
)  # fmt: skip
def test_typed_facts_give_the_same_result_as_a_mirrored_board(written, card, terrain, mode, facts, dice) -> None:  # type: ignore[no-untyped-def]
    position = f"{CITIES}, {written}"
    mirrored, table = playing(position, card, terrain=terrain), at_table(position, card)
    answers = {"evasion": "yes", "evasion_steps": "1"} if dice[0] in {4, 5} else {"evasion": "no"}
    if "neighbour" in facts:
        answers["protection"] = "formation_retreat"
    ours = rule(mirrored, "white", do.Attack("w1", "b1", mode), Plays(*dice, **answers)).outcome
    theirs = rule(table, "white", do.Attack("w1", "b1", mode, **facts), Plays(*dice, **answers)).outcome
    assert ours.last is not None
    assert theirs.last is not None
    assert ours.last.result == theirs.last.result
    assert ours.unit("b1").hits == theirs.unit("b1").hits
    assert theirs.unit("b1").square is None


def test_the_results_are_instructions() -> None:
    state = at_table(f"{CITIES}, w1 hi d4, b1 hi d5", "AH")
    ruling = rule(state, "white", do.Attack("w1", "b1", "melee", behind=2), Plays(6, 6, 3, 3, 3))
    assert ruling.headline.places["what"].places["far"].places["count"] == 2  # type: ignore[union-attr,index]


def test_every_offered_combination_of_facts_is_legal() -> None:
    for card in ("10S", "QS", "KS", "3H"):
        state = at_table(f"{CITIES}, w1 ar d4, w2 lc e4, w3 li a1, b1 li d6", card)
        for offer in offered(state, "attack"):
            numbers = {field.name: (field.low, field.high) for field in offer.fields if field.kind == "number"}
            ticks = [field.name for field in offer.fields if field.kind == "yes_no"]
            choices = [field.name for field in offer.fields if field.kind == "choice"]
            ways = [*([*numbers[name]] for name in numbers), *([False, True] for _ in ticks),
                    *(options_of(offer, name) for name in choices)]  # fmt: skip
            for values in product(*ways):
                facts = dict(zip((*numbers, *ticks, *choices), values, strict=True))
                assert GAME.foresee(state, "white", do.Attack(**offer.given, **facts))


@pytest.mark.clause("TTC-97", "TTC-98", "TTC-100")
def test_shots_that_are_not_allowed_are_not_offered() -> None:
    state = at_table(f"{CITIES}, w1 ar d4, b1 li d6", "AH")
    shots = {
        offer.given["attacker_terrain"]: offer for offer in offered(state, "attack") if offer.given["mode"] == "ranged"
    }
    assert options_of(shots["open"], "target_terrain") == ["open"]
    assert options_of(shots["hill"], "target_terrain") == ["open", "hill"]
    assert shots["forest"].given["moved"] is False, "a moved shooter in a forest has no die"
    base = {"unit": "w1", "target": "b1", "mode": "ranged", "distance": 2}
    for clause, facts in (
        ("TTC-97", {"target_terrain": "forest"}),
        ("TTC-98", {"target_terrain": "hill"}),
        ("TTC-100", {"attacker_terrain": "forest", "moved": True}),
        ("TTC-93", {"distance": 4}),
        ("TTC-93", {"distance": 1}),
    ):
        assert refusal(state, do.Attack(**{**base, **facts})).clause == clause  # type: ignore[arg-type]


@pytest.mark.clause("TTC-47")
def test_a_second_shot_has_moved_if_the_first_had() -> None:
    state = at_table(f"{CITIES}, w1 ar d4, b1 li d6", "KS")
    state = after(state, do.Attack("w1", "b1", "ranged", moved=True, distance=2, behind=2), 3)
    shots = [offer for offer in offered(state, "attack") if offer.given["mode"] == "ranged"]
    assert all(offer.given["moved"] is True for offer in shots)
    assert {offer.given["attacker_terrain"] for offer in shots} == {"open", "hill"}
    assert not [offer for offer in offered(state, "attack") if offer.given["mode"] == "melee"]


@pytest.mark.clause("TTC-31", "TTC-29")
def test_only_as_many_units_attack_as_the_card_activates() -> None:
    state = at_table(f"{CITIES}, w1 hi d4, w2 hi e4, w3 hi f4, b1 hi d5", "2H")
    state = after(state, do.Attack("w1", "b1", "melee", behind=2), 3, 3, 3, 3, 3)
    state = after(state, do.Attack("w2", "b1", "melee", behind=2), 3, 3, 3, 3, 3)
    assert refusal(state, do.Attack("w3", "b1", "melee", behind=2)).clause == "TTC-31"
    assert {offer.action for offer in GAME.offers(state, "white")} == {"end_turn", "surrender"}


def test_ending_the_turn_is_always_possible_and_the_first_choice() -> None:
    state = at_table(f"{CITIES}, w1 hi d4, b1 hi d5", "JS")
    (offer,) = offered(state, "end_turn")
    assert offer.main
    assert rule(state, "white", do.EndTurn(), Plays(5)).outcome.active == "black"


def test_moves_are_not_reported() -> None:
    state = at_table(f"{CITIES}, w1 hi d4, b1 hi d5", "AH")
    assert refusal(state, do.Move("w1", "d3")).field == "unit"
    assert not offered(state, "move")


def test_a_mirrored_board_takes_no_typed_facts() -> None:
    state = playing(f"{CITIES}, w1 hi d4, b1 hi d5", "AH")
    for field, value in (("behind", 3), ("neighbour", True), ("moved", False), ("target_terrain", "hill")):
        assert refusal(state, do.Attack("w1", "b1", **{field: value})).field == field


@pytest.mark.clause("TTC-41", "TTC-37")
def test_whether_a_sector_is_empty_is_the_players_word() -> None:
    state = off_the_squares(choosing(f"{CITIES}, w1 hi d4", ("AH", "2S", "4C"), options=TABLE))
    assert [offer.given["card"] for offer in offered(state, "play_card")] == ["AH", "2S", "4C"]
    assert not offered(state, "throw_away"), "a four can always be played"
    state = state.but(hands={**state.hands, "white": ("AH", "2S", "3C")})
    assert [offer.given["card"] for offer in offered(state, "throw_away")] == ["AH", "2S", "3C"]
    assert after(state, do.ThrowAway("AH")).discard_pile == ("AH",)


@pytest.mark.clause("TTC-63", "TTC-59")
def test_a_reinforcement_is_put_beside_the_city_by_hand() -> None:
    state = off_the_squares(choosing(f"{CITIES}, w1 hi d4, w2 ar e1", ("KD", "2S", "4C"), options=TABLE))
    state = state.but(purchases={"white": 1, "black": 0})
    state = after(state, do.PlayCard("KD"), remove="w1")
    assert state.find("w1").on_board is False
    assert (state.units[-1].kind, state.units[-1].square, state.units[-1].on_board) == ("archers", None, True)
    assert state.purchases["white"] == 2


def test_units_are_told_apart_by_where_they_started() -> None:
    state = fresh(board="table").but(card="10S", phase="activations")
    names = {option.label.places["square"] for option in offered(state, "attack")[0].fields[0].options}
    assert names == {f"{file}8" for file in "abcdefgh"}
    rosters = [panel for panel in GAME.view(state, "black").panels if type(panel).__name__ == "Roster"]
    assert [roster.side for roster in rosters] == ["black", "white"]
    assert len(rosters[0].pieces) == 8


def test_the_clause_of_a_refused_throw_away() -> None:
    state = off_the_squares(choosing(f"{CITIES}, w1 hi d4", ("AH", "QS", "3C"), options=TABLE))
    with pytest.raises(Refusal) as refused:
        rule(state, "white", do.ThrowAway("AH"))
    assert refused.value.clause == "TTC-39"
