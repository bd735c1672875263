"""The turn: one card, units one after the other, discard, draw, the opponent."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.two_cities.activation import Activate, Stand
from companion.games.two_cities.attack import Attack
from companion.games.two_cities.components import Side
from companion.games.two_cities.game import GAME
from companion.games.two_cities.hand import PlayCard, ThrowAway
from companion.games.two_cities.movement import Move
from companion.games.two_cities.options import Options
from companion.games.two_cities.setup import Ready
from companion.games.two_cities.state import State
from companion.games.two_cities.turn import EndTurn, Surrender
from companion.kit.asking import Ask, Pending
from companion.kit.questions import Answer, Choice, Choose, Draw, Faces, Throw
from tests.support.playing import options_of
from tests.support.two_cities_positions import (
    CITIES,
    Plays,
    after,
    choosing,
    english,
    fresh,
    offered,
    playing,
    refusal,
    rule,
)


@pytest.mark.clause("TTC-16")
def test_white_begins_and_turns_alternate() -> None:
    state = fresh()
    assert (state.active, state.turn) == ("white", 1)
    assert refusal(state, PlayCard(state.hands["black"][0]), seat="black").clause == "TTC-16"
    assert offered(state, "play_card", "black") == []
    state = state.but(hands={**state.hands, "white": ("4H", "4D", "AH")}, draw_pile=("2S", "3S"))
    state = after(state, PlayCard("4H"))
    assert refusal(state, EndTurn(), seat="black").clause == "TTC-16"
    state = after(state, EndTurn())
    assert (state.active, state.turn, state.phase) == ("black", 2, "choose_card")


@pytest.mark.clause("TTC-17", "TTC-18")
def test_a_card_first_and_only_one() -> None:
    state = choosing(f"{CITIES}, w1 li a2", ("AH", "4C", "2H"))
    for action in (Move("w1", "a3"), Attack("w1", "bc"), Stand("w1"), EndTurn(), Activate(("w1",))):
        assert refusal(state, action).clause == "TTC-17"
    state = after(state, PlayCard("AH"))
    assert state.card == "AH"
    assert state.hands["white"] == ("4C", "2H")
    assert refusal(state, PlayCard("4C")).clause == "TTC-18"
    assert refusal(state, ThrowAway("4C")).clause == "TTC-18"
    assert offered(state, "play_card") == []


@pytest.mark.clause("TTC-17", "TTC-67", "TTC-68", "TTC-15")
def test_at_the_end_the_card_is_discarded_then_one_is_drawn() -> None:
    state = choosing(f"{CITIES}, w1 li a2", ("AH", "4C", "2H"))
    state = after(state, PlayCard("AH"))
    ask = Plays(drawn=("3S",))
    ruling = rule(state, "white", EndTurn(), ask)
    assert [question.key for question in ask.asked] == ["draw"]
    draw = ask.asked[0]
    assert isinstance(draw, Draw)
    assert (draw.by, draw.secret, draw.count) == ("white", True, 1)
    assert "AH" not in draw.pile
    assert ruling.outcome.discard_pile == ("AH",)
    assert ruling.outcome.hands["white"] == ("4C", "2H", "3S")
    assert "3S" not in ruling.outcome.draw_pile
    assert ruling.outcome.card is None


@pytest.mark.clause("TTC-17")
def test_an_old_page_ends_no_later_turn() -> None:
    state = after(choosing(f"{CITIES}, w1 li a2", ("AH", "4C", "2H")), PlayCard("AH"))
    (old,) = offered(state, "end_turn")
    meant = msgspec.convert({"action": old.action, **old.given}, GAME.actions)
    assert refusal(state.but(turn=state.turn + 2), meant).clause == "TTC-17"
    assert after(state, meant).turn == state.turn + 1


@pytest.mark.clause("TTC-54", "TTC-68")
def test_a_special_rolls_before_the_draw() -> None:
    state = playing(f"{CITIES}, w1 li a2", "QS")
    ask = Plays(1)
    after_it = rule(state, "white", EndTurn(), ask).outcome
    assert [type(question) for question in ask.asked] == [Throw, Draw]
    assert after_it.removed == ("QS",)
    assert len(after_it.hands["white"]) == 3


@pytest.mark.clause("TTC-19", "TTC-77", "TTC-Q06")
def test_a_unit_finishes_before_the_next_one_acts() -> None:
    state = playing(f"{CITIES}, w1 lc a2, w2 li c2, b1 hi a5", "2H")
    state = after(state, Move("w1", "a4"))
    assert state.acting == "w1"
    refused = refusal(state, Move("w2", "c3"))
    assert refused.clause == "TTC-77"
    assert {offer.on for offer in GAME.offers(state, "white") if offer.on} == {"w1"}
    state = after(state, Attack("w1", "b1"), 3, 3)
    assert state.acting is None
    assert state.unit("w1").done
    state = after(state, Move("w2", "c3"))
    assert refusal(state, Attack("w1", "b1")).clause == "TTC-21"


@pytest.mark.clause("TTC-19", "TTC-21", "TTC-Q06")
def test_moving_the_next_unit_ends_the_one_before() -> None:
    state = playing(f"{CITIES}, w1 ar a2, w2 li c2, b1 hi a5", "2H")
    state = after(state, Move("w1", "a3"))
    assert state.acting == "w1", "it may still shoot"
    state = after(state, Move("w2", "c3"))
    assert refusal(state, Attack("w1", "b1")).clause == "TTC-21"
    assert refusal(state, Move("w1", "a4")).clause == "TTC-21"
    assert refusal(state, Stand("w1")).clause == "TTC-21"


@pytest.mark.clause("TTC-20", "TTC-Q06")
def test_the_order_is_free_and_a_retreat_can_be_cut_off_first() -> None:
    position = f"{CITIES}, w1 hi c4, w2 lc b6, b1 hi c5"
    late = after(playing(position, "2H"), Attack("w1", "b1"), 6, 3, 3, 3, 3)
    assert late.unit("b1").square == "c6"
    state = after(playing(position, "2H"), Move("w2", "c6"))
    state = after(state, Attack("w2", "b1"), 3, 3)
    state = after(state, Attack("w1", "b1"), 6, 3, 3, 3, 3)
    assert (state.unit("b1").square, state.unit("b1").hits) == ("c5", 1)


@pytest.mark.clause("TTC-19", "TTC-24", "TTC-Q06")
def test_a_unit_moves_once_and_never_after_its_attack() -> None:
    state = playing(f"{CITIES}, w1 lc a2, b1 hi a6", "2H")
    state = after(state, Move("w1", "a4"))
    assert refusal(state, Move("w1", "a5")).clause == "TTC-19"
    state = after(state, Attack("w1", "b1"), 3)
    assert refusal(state, Move("w1", "a5")).clause == "TTC-21"


@pytest.mark.clause("TTC-71", "TTC-72", "TTC-01")
def test_a_path_ends_where_the_move_does() -> None:
    state = playing(f"{CITIES}, w1 lc a2", "AH")
    assert after(state, Move("w1", "b3", ("a3", "b3"))).unit("w1").square == "b3"
    for action in (Move("w1", "b4", ("a3", "b3")), Move("w1", "b4", ())):
        assert refusal(state, action).clause == "TTC-72"
    for action in (Move("w1"), Move("w1", "a9"), Move("w1", None, ("i2",))):
        assert refusal(state, action).clause == "TTC-01"


@pytest.mark.clause("TTC-23", "TTC-22")
def test_idle_units_stand_at_the_end_of_the_turn() -> None:
    state = playing(f"{CITIES}, w1 li a2, w2 li b2, w3 li c2", "2H")
    assert offered(state, "end_turn")
    after_it = after(state, EndTurn())
    assert after_it.active == "black"
    assert all(not unit.activated and not unit.done for unit in after_it.units)


@pytest.mark.clause("TTC-23", "TTC-77")
def test_the_card_wakes_as_many_as_it_can_and_those_in_contact_fight() -> None:
    state = playing(f"{CITIES}, w1 li a2, w2 li b4, b1 hi b5", "2H")
    assert all(state.unit(one).activated == "left" for one in ("w1", "w2"))
    assert refusal(state, EndTurn()).clause == "TTC-77"
    assert not offered(state, "end_turn")
    assert refusal(state, Stand("w2")).clause == "TTC-77"
    state = after(state, Attack("w2", "b1"), 3, 3)
    assert offered(state, "end_turn")


@pytest.mark.clause("TTC-23", "TTC-77", "TTC-Q07")
def test_only_idle_units_out_of_contact_may_be_left_standing() -> None:
    state = playing(f"{CITIES}, w1 li a2, w2 li b4, w3 li c2, b1 hi b5", "2H")
    assert offered(state, "end_turn"), "w1 and w3 are the two that the card wakes"
    state = playing(f"{CITIES}, w2 li b4, w3 li c2, w4 li d5, b1 hi b5, b2 hi d6", "2H")
    assert refusal(state, EndTurn()).clause == "TTC-77", "one of the two is in contact"
    free = playing(f"{CITIES}, w2 li b4, w4 li d5, b1 hi b5, b2 hi d6", "2H", options=Options(activation_optional=True))
    assert offered(free, "end_turn")


@pytest.mark.clause("TTC-77", "TTC-74")
def test_a_unit_in_contact_may_move_away_instead_of_fighting() -> None:
    state = playing(f"{CITIES}, w1 li b4, b1 hi b5", "AH")
    state = after(state, Move("w1", "b3"))
    assert offered(state, "end_turn")


@pytest.mark.clause("TTC-77", "TTC-Q07")
def test_the_owner_chooses_the_victim() -> None:
    state = playing(f"{CITIES}, w1 li b4, b1 hi b5, b2 li c4, b3 li c5", "AH")
    (attack,) = offered(state, "attack")
    assert options_of(attack, "target") == ["b1", "b2"]
    assert attack.chancy


@pytest.mark.clause("TTC-21", "TTC-27")
def test_a_unit_that_crosses_over_is_not_activated_again() -> None:
    state = playing(f"{CITIES}, w1 lc d3, w2 li f2, w3 li b2", "3H")
    state = after(state, Move("w1", "e3"))
    assert refusal(state, Move("w1", "f3")).clause == "TTC-21"
    assert refusal(state, Move("w3", "b3")).clause == "TTC-33", "the left one has been used"
    assert after(state, Move("w2", "f3")).unit("w2").square == "f3"


@pytest.mark.clause("TTC-24", "TTC-25")
def test_an_attack_ends_the_activation_and_hurts_only_the_target() -> None:
    state = playing(f"{CITIES}, w1 hi b4 2, b1 hi b5", "AH")
    state = after(state, Attack("w1", "b1"), 1, 2, 6, 3, 3)
    assert (state.unit("w1").hits, state.unit("w1").square, state.unit("w1").done) == (2, "b4", True)
    assert (state.unit("b1").hits, state.unit("b1").square) == (2, "b6")


@pytest.mark.clause("TTC-46", "TTC-47", "TTC-48")
def test_double_rain_shoots_twice_in_a_row() -> None:
    state = playing(f"{CITIES}, w1 ar d3, w2 lc a1, b1 hi d6, b2 hi f4", "KS")
    state = after(state, Attack("w1", "b1"), 6, 3)
    assert state.acting == "w1"
    assert options_of(offered(state, "attack")[0], "target") == ["b2"], "b1 has gone out of range"
    assert refusal(state, Move("w1", "d4")).clause == "TTC-19"
    state = after(state, Attack("w1", "b2"), 3, 3)
    assert state.unit("w1").done
    assert refusal(state, Attack("w1", "b2")).clause == "TTC-21"


@pytest.mark.clause("TTC-47")
def test_double_rain_is_lost_when_another_unit_acts_in_between() -> None:
    state = playing(f"{CITIES}, w1 ar d3, w2 lc a1, b1 hi d5", "KS")
    state = after(state, Attack("w1", "b1"), 3, 3)
    state = after(state, Move("w2", "a2"))
    assert refusal(state, Attack("w1", "b1")).clause == "TTC-21"


@pytest.mark.clause("TTC-46")
def test_a_shooter_without_a_second_target_has_nothing_left_to_do() -> None:
    state = playing(f"{CITIES}, w1 ar d3, b1 hi d6", "KS")
    state = after(state, Attack("w1", "b1"), 6, 3)
    assert not offered(state, "attack")
    assert offered(state, "end_turn")[0].main


@pytest.mark.clause("TTC-47")
def test_double_rain_in_contact_is_one_melee() -> None:
    state = playing(f"{CITIES}, w1 ar d3, b1 hi d4, b2 hi f4", "KS")
    (attack,) = offered(state, "attack")
    assert (attack.given["mode"], options_of(attack, "target")) == ("melee", ["b1"])
    state = after(state, Attack("w1", "b1"), 3, 3)
    assert state.unit("w1").done


@pytest.mark.clause("TTC-49", "TTC-Q16")
def test_phalanx_contact_is_judged_when_the_card_is_played() -> None:
    state = playing(f"{CITIES}, w1 hi d4, w2 hi g4, b1 hi d5, b2 li h6", "6S")
    assert state.unit("w1").phalanx
    assert refusal(state, Move("w2", "g5")).clause == "TTC-49"
    state = after(state, Attack("w1", "b1"), 3, 3, 3, 3, 3, 3)
    assert state.last is not None
    assert state.last.result.dice == 6


@pytest.mark.clause("TTC-50", "TTC-52")
def test_a_phalanx_unit_may_move_to_another_fight_and_keeps_its_dice() -> None:
    state = playing(f"{CITIES}, w1 li d4, b1 hi d5, b2 hi f4", "6S")
    state = after(state, Move("w1", "e4"))
    state = after(state, Attack("w1", "b2"), 3, 3, 3, 3, evasion="no")
    assert state.last is not None
    assert state.last.result.dice == 4


@pytest.mark.clause("TTC-52")
def test_a_bonus_ends_with_the_turn() -> None:
    state = playing(f"{CITIES}, w1 hi d4, b1 hi d5, b2 li a8", "6S")
    state = after(state, Attack("w1", "b1"), 3, 3, 3, 3, 3, 3)
    state = rule(state, "white", EndTurn(), Plays(6)).outcome
    assert not any(unit.phalanx or unit.activated for unit in state.units)
    assert state.card is None


@pytest.mark.clause("TTC-128")
def test_the_game_ends_at_once_when_a_city_falls() -> None:
    state = playing("wc ci d1, bc ci d8 4, w1 li d7, b1 li h8", "AH")
    ruling = rule(state, "white", Attack("w1", "bc"), Plays(1, 3))
    state = ruling.outcome
    assert (state.winner, state.phase) == ("white", "finished")
    assert state.unit("w1").square == "d8"
    assert GAME.view(state, "black").over
    assert GAME.view(state, "screen").to_move == ()
    for seat in ("white", "black"):
        assert GAME.offers(state, seat) == ()
        for action in (EndTurn(), Surrender(), Ready(), PlayCard("AH")):
            assert refusal(state, action, seat=seat).clause == "TTC-128"


@pytest.mark.clause("TTC-129")
def test_either_player_may_surrender_at_any_time_after_the_start() -> None:
    for state in (fresh(), playing(CITIES, "4H")):
        for seat, winner in (("white", "black"), ("black", "white")):
            (offer,) = offered(state, "surrender", seat)
            assert offer.grave
            assert after(state, Surrender(), seat=seat).winner == winner


@pytest.mark.clause("TTC-130", "TTC-41")
def test_a_player_with_only_a_city_goes_on() -> None:
    state = choosing(f"{CITIES}, b1 li a8", ("AH", "2S", "3D"))
    assert [offer.given["card"] for offer in offered(state, "throw_away")] == ["AH", "2S", "3D"]
    state = after(state, ThrowAway("2S"))
    assert state.winner is None
    assert (state.active, state.phase, state.discard_pile) == ("black", "choose_card", ("2S",))
    assert len(state.hands["white"]) == 3


@pytest.mark.clause("TTC-41", "TTC-62", "TTC-Q10")
def test_a_reinforcement_thrown_away_leaves_the_game_and_is_no_purchase() -> None:
    state = choosing("wc ci d1, bc ci d8, b1 li c1, b2 li e1, b3 li d2", ("AH", "JD", "3D"))
    state = after(state, ThrowAway("JD"))
    assert state.removed == ("JD",)
    assert state.purchases["white"] == 0


def test_playing_a_dealt_card_reveals_it() -> None:
    state = choosing(f"{CITIES}, w1 li a2", ("AH", "4C", "2H"))
    assert rule(state, "white", PlayCard("AH")).reveals
    real = state.but(
        options=Options(cards="real"), hands=dict.fromkeys(("white", "black"), ("?",) * 3), draw_pile=("?",)
    )
    assert not rule(real, "white", PlayCard("AH")).reveals


@pytest.mark.clause("TTC-107", "TTC-Q20")
def test_protection_is_there_against_each_attack() -> None:
    position = f"{CITIES}, w1 hi c4, w2 hi b5, b1 hi c5, b2 li d5"
    state = after(playing(position, "2H"), Attack("w1", "b1"), 1, 3, 3, 3, 3, protection="formation_hit")
    state = after(state, Attack("w2", "b1"), 1, 3, 3, 3, 3, protection="formation_hit")
    assert state.unit("b1").hits == 0
    once = Options(protection_per_turn=True)
    state = after(playing(position, "2H", options=once), Attack("w1", "b1"), 1, 3, 3, 3, 3, protection="formation_hit")
    again = refusal(state, Attack("w2", "b1"), 1, 3, 3, 3, 3, protection="formation_hit")
    assert again.clause == "TTC-107"
    state = after(state, Attack("w2", "b1"), 1, 3, 3, 3, 3)
    state = after(state, EndTurn())
    assert state.unit("b1").used == ()


@pytest.mark.clause("TTC-116", "TTC-Q25")
def test_the_advance_is_compulsory_unless_the_table_says_otherwise() -> None:
    position = f"{CITIES}, w1 hi c4, b1 hi c5 3"
    assert after(playing(position, "AH"), Attack("w1", "b1"), 1, 3, 3, 3, 3).unit("w1").square == "c5"
    optional = playing(position, "AH", options=Options(advance_optional=True))
    assert after(optional, Attack("w1", "b1"), 1, 3, 3, 3, 3, advance="no").unit("w1").square == "c4"
    ask = Plays(1, 3, 3, 3, 3)
    rule(optional, "white", Attack("w1", "b1"), ask)
    assert [(q.seat, q.key) for q in ask.asked if isinstance(q, Choose)] == [("white", "advance")]
    with pytest.raises(Pending) as asked:
        rule(optional, "white", Attack("w1", "b1"), Ask([Faces("attack", (1, 3, 3, 3, 3), "typed")]))
    squares = {one.id: one.square for one in asked.value.progress.units}
    assert squares["b1"] is None, "the square is empty that it may take"


@pytest.mark.clause("TTC-122", "TTC-108")
def test_the_defender_is_asked_in_the_order_of_the_rules() -> None:
    state = playing(f"{CITIES}, b1 hi d5, w1 li d4, w2 li e4", "AS", side="black")
    ask = Plays(2, 1, 6, 3, 3, 3, evasion="yes", protection="none")
    ruling = rule(state, "black", Attack("b1", "w1"), ask)
    assert [question.key for question in ask.asked] == ["evasion", "evasion_die", "attack", "protection"]
    evasion, die, dice, protection = ask.asked
    assert isinstance(evasion, Choose)
    assert isinstance(die, Throw)
    assert isinstance(dice, Throw)
    assert isinstance(protection, Choose)
    assert (evasion.seat, die.by, dice.by, protection.seat) == ("white", "white", "black", "white")
    barred = {option.value: option.barred for option in protection.options}
    assert barred["terrain"] is not None
    assert barred["terrain"].clause == "TTC-102"
    assert barred["formation_hit"] is barred["formation_retreat"] is None
    assert ruling.outcome.unit("w1").square == "d3"


def waiting(state: State, seat: Side, action: Any, *answers: Answer) -> Choose:
    """The question that an action comes to, as its seat reads it."""
    with pytest.raises(Pending) as waits:
        rule(state, seat, action, Ask(answers))
    assert isinstance(waits.value.question, Choose)
    return waits.value.question


def notes(question: Choose) -> list[str]:
    return [english(option.note) for option in question.options if option.barred is None]


@pytest.mark.clause("TTC-102", "TTC-103", "TTC-104", "TTC-106", "TTC-113")
@pytest.mark.parametrize(
    ("place", "dice", "said"),
    [
        ("c5 1", (1, 3, 3, 6, 3), {
            "terrain": "1 hit of 4, back 1 square",
            "formation_hit": "1 hit of 4, back 1 square",
            "formation_retreat": "2 hits of 4, stays",
            "none": "2 hits of 4, back 1 square",
        }),
        ("c5 3", (1, 1, 3, 3, 3), {
            "none": "destroyed",
            "terrain": "destroyed: nothing gained",
            "formation_hit": "destroyed: nothing gained",
        }),
        ("c8 2", (6, 3, 3, 3, 3), {
            "formation_retreat": "2 hits of 4, stays",
            "none": "3 hits of 4, stays",
        }),
    ],
)  # fmt: skip
def test_each_protection_says_what_becomes_of_the_unit_the_best_first(place: str, dice: Any, said: Any) -> None:
    file, rank = place[:2]
    beside, before = f"b{rank}", f"{file}{int(rank) - 1}"
    state = playing(f"{CITIES}, w1 hi {before}, b1 hi {place}, b2 li {beside}", "AH", terrain={"c5": "hill"})
    asked = waiting(state, "white", Attack("w1", "b1"), Faces("attack", dice, "typed"))
    told = {option.value: english(option.note) for option in asked.options if option.barred is None}
    assert list(told.items()) == list(said.items())
    assert all(option.note is None for option in asked.options if option.barred), "what is barred leads nowhere"


@pytest.mark.clause("TTC-106", "TTC-128")
def test_an_answer_that_loses_the_game_says_so() -> None:
    state = playing("wc ci d1, bc ci d8 4, w1 lc d7, b1 hi c8", "AH")
    asked = waiting(state, "white", Attack("w1", "bc"), Faces("attack", (1, 6), "typed"))
    told = {option.value: english(option.note) for option in asked.options if option.barred is None}
    assert told == {"formation_hit": "4 hits of 5", "none": "the city falls and the game is lost"}
    vain = waiting(state, "white", Attack("w1", "bc"), Faces("attack", (1, 2), "typed"))
    assert notes(vain) == [
        "the city falls and the game is lost",
        "the city falls and the game is lost: nothing gained",
    ]


@pytest.mark.clause("TTC-122", "TTC-126")
def test_an_evader_reads_how_likely_it_is_hit_and_where_it_goes() -> None:
    state = playing(f"{CITIES}, b1 hi d5, w1 li d4, w2 li e4", "AS", side="black")
    attack = Attack("b1", "w1")
    assert notes(waiting(state, "black", attack)) == ["hit 56%", "hit 41%"]
    weak = waiting(state.with_unit("w1", hits=3), "black", attack)
    assert notes(weak) == ["hit 56%, destroyed 56%", "hit 41%, destroyed 41%"]
    thrown = (Choice("evasion", "yes", "white"), Faces("evasion_die", (4,), "app"), Faces("attack", (1, 3, 3), "app"))
    assert notes(waiting(state, "black", attack, *thrown)) == ["0 hits of 4", "1 hit of 4"]
    protected = (*thrown, Choice("protection", "none", "white"))
    assert notes(waiting(state, "black", attack, *protected)) == ["to d3", "to d2"]


def test_nobody_is_asked_what_cannot_be() -> None:
    state = playing(f"{CITIES}, b1 li d5, w1 li d4", "AS", side="black")
    ask = Plays(1, 6)
    rule(state, "black", Attack("b1", "w1"), ask)
    assert [question.key for question in ask.asked] == ["attack"]


def test_the_ruling_is_an_arithmetic_with_clauses() -> None:
    state = playing(f"{CITIES}, w1 hi c4, b1 hi c5", "AH", terrain={"c4": "forest"})
    ruling = rule(state, "white", Attack("w1", "b1"), Plays(1, 2, 3, 5, 6, 6))
    dice = ruling.reasons[1]
    assert [(term.text.say, term.clause, term.value) for term in dice.terms] == [
        ("heavy_infantry", "TTC-87", 5),
        ("forest", "TTC-88", 1),
    ]
    assert (dice.value, dice.faces) == (6, (1, 2, 3, 5, 6, 6))
    assert [reason.clause for reason in ruling.reasons[2:]] == ["TTC-81", "TTC-82", "TTC-84", "TTC-111", "TTC-04"]
    assert ruling.headline.places["what"].say == "{hits}, {back}"
