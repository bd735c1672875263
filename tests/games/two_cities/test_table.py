"""A table whose board is not mirrored: the facts are asked for, and give the same rulings."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games.two_cities.attack import Attack
from companion.games.two_cities.game import GAME
from companion.games.two_cities.hand import PlayCard, ThrowAway
from companion.games.two_cities.movement import Move
from companion.games.two_cities.options import Options
from companion.games.two_cities.setup import DrawTerrain
from companion.games.two_cities.turn import EndTurn
from companion.kit.ruling import Refusal
from companion.kit.text import speak
from tests.support.playing import options_of
from tests.support.two_cities_positions import (
    CITIES,
    Plays,
    after,
    choosing,
    fresh,
    offered,
    playing,
    refusal,
    rule,
)

if TYPE_CHECKING:
    from companion.games.two_cities.state import State
    from companion.kit.action import Offer

TABLE = Options(board="table")


def off_the_squares(state: State) -> State:
    for unit in state.units:
        state = state.with_unit(unit.id, square=None)
    return state


def english(key: str) -> str:
    return GAME.words.find(key, "en") or key


def headline(state: State, seat: str = "white") -> str:
    return speak(GAME.view(state, seat).headline, english)


def shots_by_ground(state: State) -> dict[str, Offer]:
    shots = [offer for offer in offered(state, "attack") if offer.given["mode"] == "ranged"]
    assert all((offer.label, offer.on) == (shots[0].label, shots[0].on) for offer in shots)
    assert all(offer.among.value == offer.given["attacker_terrain"] for offer in shots)
    return {offer.given["attacker_terrain"]: offer for offer in shots}


def barred_in(offer: Offer, field: str) -> dict[str, str | None]:
    options = next(one for one in offer.fields if one.name == field).options
    return {option.value: option.barred.clause for option in options if option.barred}


def at_table(written: str, card: str, **more: Any) -> State:
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
def test_typed_facts_give_the_same_result_as_a_mirrored_board(written, card, terrain, mode, facts, dice) -> None:
    position = f"{CITIES}, {written}"
    mirrored, table = playing(position, card, terrain=terrain), at_table(position, card)
    answers = {"evasion": "yes", "evasion_steps": "1"} if dice[0] in {4, 5} else {"evasion": "no"}
    if "neighbour" in facts:
        answers["protection"] = "formation_retreat"
    ours = rule(mirrored, "white", Attack("w1", "b1", mode), Plays(*dice, **answers)).outcome
    theirs = rule(table, "white", Attack("w1", "b1", mode, **facts), Plays(*dice, **answers)).outcome
    assert ours.last is not None
    assert theirs.last is not None
    assert ours.last.result == theirs.last.result
    assert ours.unit("b1").hits == theirs.unit("b1").hits
    assert theirs.unit("b1").square is None


def test_the_results_are_instructions() -> None:
    state = at_table(f"{CITIES}, w1 hi d4, b1 hi d5", "AH")
    ruling = rule(state, "white", Attack("w1", "b1", "melee", behind=2), Plays(6, 6, 3, 3, 3))
    assert ruling.headline.places["what"].places["far"].places["count"] == 2


def test_every_offered_combination_of_facts_is_legal() -> None:
    for card in ("10S", "QS", "KS", "3H"):
        state = at_table(f"{CITIES}, w1 ar d4, w2 lc e4, w3 li a1, b1 li d6", card)
        for offer in offered(state, "attack"):
            numbers = {field.name: (field.low, field.high) for field in offer.fields if field.kind == "number"}
            ticks = [field.name for field in offer.fields if field.kind == "yes_no"]
            choices = [field.name for field in offer.fields if field.kind == "choice"]
            ways = [
                *([*numbers[name]] for name in numbers),
                *([False, True] for _ in ticks),
                *(options_of(offer, name) for name in choices),
            ]
            for values in product(*ways):
                facts = dict(zip((*numbers, *ticks, *choices), values, strict=True))
                action = msgspec.convert({**offer.given, **facts}, Attack, strict=False)
                assert GAME.foresee(state, "white", action)


@pytest.mark.clause("TTC-97", "TTC-98", "TTC-100")
def test_shots_that_are_not_allowed_are_not_offered() -> None:
    state = at_table(f"{CITIES}, w1 ar d4, b1 li d6", "AH")
    shots = shots_by_ground(state)
    assert options_of(shots["open"], "target_terrain") == ["open"]
    assert barred_in(shots["open"], "target_terrain") == {"forest": "TTC-97", "hill": "TTC-98"}
    assert options_of(shots["hill"], "target_terrain") == ["open", "hill"]
    assert barred_in(shots["hill"], "target_terrain") == {"forest": "TTC-97"}
    assert options_of(shots["open"], "moved") == ["false", "true"]
    assert barred_in(shots["forest"], "moved") == {"true": "TTC-100"}
    base = {"unit": "w1", "target": "b1", "mode": "ranged", "distance": 2}
    for clause, facts in (
        ("TTC-97", {"target_terrain": "forest"}),
        ("TTC-98", {"target_terrain": "hill"}),
        ("TTC-100", {"attacker_terrain": "forest", "moved": True}),
        ("TTC-93", {"distance": 4}),
        ("TTC-93", {"distance": 1}),
    ):
        assert refusal(state, Attack(**{**base, **facts})).clause == clause


@pytest.mark.clause("TTC-47")
def test_a_second_shot_has_moved_if_the_first_had() -> None:
    state = at_table(f"{CITIES}, w1 ar d4, b1 li d6", "KS")
    state = after(state, Attack("w1", "b1", "ranged", moved=True, distance=2, behind=2), 3)
    shots = shots_by_ground(state)
    assert all(offer.given["moved"] is True for offer in shots.values())
    assert shots.keys() == {"open", "hill"}
    assert [(option.value, option.barred.clause) for option in shots["open"].among.options if option.barred] == [
        ("forest", "TTC-100")
    ]
    assert not [offer for offer in offered(state, "attack") if offer.given["mode"] == "melee"]


@pytest.mark.clause("TTC-31", "TTC-29")
def test_only_as_many_units_attack_as_the_card_activates() -> None:
    state = at_table(f"{CITIES}, w1 hi d4, w2 hi e4, w3 hi f4, b1 hi d5", "2H")
    state = after(state, Attack("w1", "b1", "melee", behind=2), 3, 3, 3, 3, 3)
    state = after(state, Attack("w2", "b1", "melee", behind=2), 3, 3, 3, 3, 3)
    assert refusal(state, Attack("w3", "b1", "melee", behind=2)).clause == "TTC-31"
    assert {offer.action for offer in GAME.offers(state, "white")} == {"end_turn", "surrender"}


def test_ending_the_turn_is_always_possible_but_the_first_choice_only_when_nobody_waits() -> None:
    state = at_table(f"{CITIES}, w1 hi d4, b1 hi d5", "JS")
    (offer,) = offered(state, "end_turn")
    assert not offer.main
    assert rule(state, "white", EndTurn(), Plays(5)).outcome.active == "black"
    (offer,) = offered(after(state, Attack("w1", "b1", "melee", behind=2), 3, 3, 3, 3, 3, 3), "end_turn")
    assert offer.main


def test_moves_are_not_reported() -> None:
    state = at_table(f"{CITIES}, w1 hi d4, b1 hi d5", "AH")
    assert refusal(state, Move("w1", "d3")).field == "unit"
    assert not offered(state, "move")


def test_a_mirrored_board_takes_no_typed_facts() -> None:
    state = playing(f"{CITIES}, w1 hi d4, b1 hi d5", "AH")
    for field, value in (("behind", 3), ("neighbour", True), ("moved", False), ("target_terrain", "hill")):
        assert refusal(state, Attack("w1", "b1", **{field: value})).field == field


@pytest.mark.clause("TTC-41", "TTC-37")
def test_whether_a_sector_is_empty_is_the_players_word() -> None:
    state = off_the_squares(choosing(f"{CITIES}, w1 hi d4", ("AH", "2S", "4C"), options=TABLE))
    assert [offer.given["card"] for offer in offered(state, "play_card")] == ["AH", "2S", "4C"]
    assert not offered(state, "throw_away"), "a four can always be played"
    state = state.but(hands={**state.hands, "white": ("AH", "2S", "3C")})
    assert [offer.given["card"] for offer in offered(state, "throw_away")] == ["AH", "2S", "3C"]
    assert after(state, ThrowAway("AH")).discard_pile == ("AH",)


@pytest.mark.clause("TTC-63", "TTC-59")
def test_a_reinforcement_is_put_beside_the_city_by_hand() -> None:
    state = off_the_squares(choosing(f"{CITIES}, w1 hi d4, w2 ar e1", ("KD", "2S", "4C"), options=TABLE))
    state = state.but(purchases={"white": 1, "black": 0})
    state = after(state, PlayCard("KD"), remove="w1")
    assert state.find("w1").on_board is False
    assert (state.units[-1].kind, state.units[-1].square, state.units[-1].on_board) == ("archers", None, True)
    assert state.purchases["white"] == 2


def test_units_are_told_apart_by_where_they_started() -> None:
    state = fresh(board="table").but(card="10S", phase="activations")
    names = [speak(option.label, english) for option in offered(state, "attack")[0].fields[0].options]
    assert names == [
        "Light inf. from a8",
        "Light cav. from b8",
        "Heavy inf. from c8",
        "City",
        "Archers from e8",
        "Heavy inf. from f8",
        "Light cav. from g8",
        "Light inf. from h8",
    ]
    rosters = [panel for panel in GAME.view(state, "black").panels if type(panel).__name__ == "Roster"]
    assert [roster.side for roster in rosters] == ["black", "white"]
    assert len(rosters[0].pieces) == 8


def test_the_clause_of_a_refused_throw_away() -> None:
    state = off_the_squares(choosing(f"{CITIES}, w1 hi d4", ("AH", "QS", "3C"), options=TABLE))
    with pytest.raises(Refusal) as refused:
        rule(state, "white", ThrowAway("AH"))
    assert refused.value.clause == "TTC-39"


@pytest.mark.clause("TTC-33", "TTC-31", "TTC-49")
def test_the_headline_says_whom_the_card_wakes_where_nobody_sees_the_squares() -> None:
    units = f"{CITIES}, w1 hi a4, w2 hi e4, w3 li b2, b1 hi a5, b2 hi e5"
    state = at_table(units, "3H")
    assert headline(state) == "Move or fight with a unit on the left and one on the right."
    state = after(state, Attack("w1", "b1", "melee", behind=2), 3, 3, 3, 3, 3)
    assert headline(state) == "Move or fight with a unit on the other side."
    state = after(state, Attack("w2", "b2", "melee", behind=2), 3, 3, 3, 3, 3)
    assert headline(state) == "Nothing is left to do: end the turn."
    assert headline(at_table(units, "2H")) == "Move or fight with 2 units on the left."
    assert headline(at_table(units, "AS")) == "Move or fight with a unit on the right."
    assert headline(at_table(units, "10S")) == "Move or fight with 3 units."
    assert headline(at_table(units, "JS")) == "Move or fight with 3 units."
    assert headline(at_table(units, "6S")) == "Move and fight with your units in contact with an enemy."


@pytest.mark.clause("TTC-04", "TTC-115", "TTC-116")
def test_a_destroyed_unit_is_taken_off_the_board_by_hand() -> None:
    def told(state: State, action: Attack, *dice: int, **choices: str) -> str:
        return speak(rule(state, "white", action, Plays(*dice, **choices)).headline, english)

    units = f"{CITIES}, w1 hi d4, w2 ar e4, b1 hi d5 3"
    melee, shot = Attack("w1", "b1", "melee", behind=2), Attack("w2", "b1", "ranged", distance=2, behind=2)
    off = "Black heavy infantry (from d5): destroyed, take it off the board"
    assert told(at_table(units, "10S"), melee, 1, 3, 3, 3, 3, 3) == f"{off}; the attacker takes its square"
    assert told(at_table(units, "10S"), shot, 1, 3, 3, evasion="no") == off
    stays = at_table(units, "10S").but(options=Options(board="table", advance_optional=True))
    assert told(stays, melee, 1, 3, 3, 3, 3, 3, advance="no") == off


def test_the_terrain_is_named_for_those_who_lay_it_on_the_board() -> None:
    state = GAME.setup(TABLE, Plays()).outcome
    assert headline(state) == "Forests: a2 and a3. Hills: a4 and a5. Lay them on the board and say when you are ready."
    assert headline(state, "screen") == "Forests: a2 and a3. Hills: a4 and a5. Both players look at the position."
    ruling = rule(state, "white", DrawTerrain(), Plays(drawn=("b4", "c4", "e6", "g3")))
    assert speak(ruling.headline, english) == "Forests: b4 and c4. Hills: e6 and g3"
    assert headline(state.but(terrain={"a2": "hill"})).startswith("Forests: –. Hills: a2.")


@pytest.mark.clause("TTC-59", "TTC-63", "TTC-64")
def test_a_purchase_says_what_is_done_on_the_board() -> None:
    state = choosing(f"{CITIES}, w1 hi d4", ("KD", "2S", "4C"))
    table = off_the_squares(state).but(options=TABLE)

    def told(state: State, **choices: str) -> str:
        return speak(rule(state, "white", PlayCard("KD"), Plays(**choices)).headline, english)

    assert told(state, place="e1") == "White: new archers unit on e1"
    assert told(table) == "White: put a new archers unit on a free square beside the city"
    further = {"white": 1, "black": 0}
    assert told(state.but(purchases=further), remove="w1", place="e1") == (
        "White: take White heavy infantry d4 off the board; new archers unit on e1"
    )
    assert told(table.but(purchases=further), remove="w1") == (
        "White: take White heavy infantry (from d4) off the board; "
        "put a new archers unit on a free square beside the city"
    )


@pytest.mark.clause("TTC-54")
def test_what_becomes_of_a_special_card_and_whose_turn_begins_are_two_sentences() -> None:
    ruling = rule(playing(f"{CITIES}, w1 ar d4", "KS"), "white", EndTurn(), Plays(3))
    said = speak(ruling.headline, lambda key: GAME.words.find(key, "es") or key)
    assert said == "K♠ Doble lluvia va a los descartes. Empieza el turno de las negras"


@pytest.mark.clause("TTC-54", "TTC-62", "TTC-67", "TTC-68", "TTC-69", "TTC-41")
def test_the_end_of_a_turn_says_what_is_done_with_the_real_cards() -> None:
    def told(state: State, action: Any, *dice: int) -> str:
        return speak(rule(state, "white", action, Plays(*dice)).headline, english)

    down, units = ("?",) * 3, f"{CITIES}, w1 ar d4"
    real = Options(board="table", cards="real")

    def ending(card: str, pile: tuple[str, ...] = down, discards: tuple[str, ...] = ()) -> State:
        state = off_the_squares(playing(units, card, options=real))
        return state.but(hands={"white": down[:2], "black": down}, draw_pile=pile, discard_pile=discards)

    assert told(ending("AH"), EndTurn()) == "White draws a card; Black's turn begins"
    assert told(ending("AH", (), ("2S",)), EndTurn()) == (
        "shuffle the discards; White draws a card; Black's turn begins"
    )
    assert told(ending("AH", ()), EndTurn()) == "shuffle the discards; White draws a card; Black's turn begins"
    assert told(ending("KS"), EndTurn(), 2) == (
        "K♠ Double rain leaves the game for good; White draws a card; Black's turn begins"
    )
    assert told(ending("KS"), EndTurn(), 3) == (
        "K♠ Double rain goes to the discard pile; White draws a card; Black's turn begins"
    )
    bought = "K♦ Archers reinforcement leaves the game for good"
    assert told(ending("KD", ()), EndTurn()) == f"{bought}; Black's turn begins"
    state = choosing(units, (), options=real, draw_pile=down, hands={"white": down, "black": down})
    assert told(off_the_squares(state), ThrowAway("2H")) == (
        "White discards 2♥ Two on the left unplayed; White draws a card; Black's turn begins"
    )
    dealt = choosing(f"{CITIES}, w1 ar e4", ("AH", "AD", "2H"))
    assert told(dealt, ThrowAway("2H")) == "White discards 2♥ Two on the left unplayed"


@pytest.mark.clause("TTC-41")
def test_throwing_a_card_away_is_never_the_first_choice_where_the_player_has_to_say_that_none_can_be_played() -> None:
    state = off_the_squares(choosing(f"{CITIES}, w1 hi d4", ("AH", "2S", "3C"), options=TABLE))
    assert [offer.main for offer in offered(state, "throw_away")] == [False, False, False]
    assert speak(offered(state, "throw_away")[0].label, english) == "I can play none: discard A♥ One on the left"
    real = state.but(options=Options(board="table", cards="real"), hands={"white": ("?",) * 3, "black": ("?",) * 3})
    (offer,) = offered(real, "throw_away")
    assert (offer.main, offer.fields[0].value) == (False, None)
    (offer,) = offered(real, "play_card")
    assert (offer.main, offer.fields[0].value) == (True, None), "no card is chosen by a stray tap"


@pytest.mark.clause("TTC-37")
def test_a_card_of_a_real_deck_that_cannot_be_played_is_barred_with_its_clause() -> None:
    hands = {"white": ("?",) * 3, "black": ("?",) * 3}
    state = choosing(f"{CITIES}, w1 hi e4", (), options=Options(cards="real"), hands=hands)
    (offer,) = offered(state, "play_card")
    assert set(barred_in(offer, "card").items()) == {(code, "TTC-37") for code in ("AH", "AD", "2H", "2D")}
    assert refusal(state, PlayCard("AH")).clause == "TTC-37"
