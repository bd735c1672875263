"""Edges of the rules that a small mistake would move: each of these fails when the line it is about is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.two_cities.activation import Activate, Stand
from companion.games.two_cities.attack import Attack
from companion.games.two_cities.game import GAME
from companion.games.two_cities.hand import PlayCard, ThrowAway
from companion.games.two_cities.movement import Move
from companion.games.two_cities.options import Options
from companion.games.two_cities.setup import Place, PlaceTerrain, Ready
from companion.games.two_cities.turn import EndTurn
from companion.kit.questions import Draw, Throw
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import speak
from tests.scenarios.runner import named
from tests.support.two_cities_positions import CITIES, Plays, after, choosing, offered, playing, refusal, rule

CLAUSES = GAME.rulebook.ids()
TERRAIN = {"a4": "forest", "b4": "forest", "c4": "hill", "d4": "hill"}


def clauses(ruling: Ruling[Any]) -> list[str | None]:
    return [reason.clause for reason in ruling.reasons]


def line(ruling: Ruling[Any], clause: str) -> Reason:
    return next(reason for reason in ruling.reasons if reason.clause == clause)


@pytest.mark.clause("TTC-21", "TTC-24", "TTC-107")
def test_a_new_turn_forgets_the_last_one() -> None:
    state = playing(f"{CITIES}, w1 li d4, b1 hi d5, b2 hi e5", "AH", options=Options(protection_per_turn=True))
    state = after(state, Attack("w1", "b1"), 1, 3, protection="formation_hit")
    state = after(state, EndTurn()).but(hands={"white": ("AD", "4H", "4D"), "black": ("4C", "4S", "AS")})
    state = after(after(state, PlayCard("4C")), EndTurn())
    unit = state.unit("w1")
    assert (unit.activated, unit.done, unit.moved, unit.attacks, unit.phalanx) == ("", False, False, 0, False)
    state = after(state, PlayCard("AD"))
    assert after(state, Attack("w1", "b1"), 1, 3, protection="formation_hit").unit("b1").hits == 0


@pytest.mark.clause("TTC-76", "TTC-79")
def test_an_attack_that_does_not_say_how_is_a_melee_where_squares_share_a_side() -> None:
    state = playing(f"{CITIES}, w1 ar d4, w2 ar a1, b1 hi d5, b2 hi a3, b3 hi f5", "2H")
    assert after(state, Attack("w1", "b1"), 3, 3).last.result.mode == "melee"
    assert after(state, Attack("w2", "b2"), 3, 3).last.result.mode == "ranged"


@pytest.mark.clause("TTC-76", "TTC-91")
def test_a_melee_and_a_shot_are_told_apart() -> None:
    state = playing(f"{CITIES}, w1 ar d4, w2 ar a1, b1 hi d5, b2 hi a3", "2H")
    fought, shot = (
        rule(state, "white", Attack("w1", "b1"), Plays(3, 3)),
        rule(state, "white", Attack("w2", "b2"), Plays(3, 3)),
    )
    assert fought.reasons[0].text.say.startswith("Melee")
    assert shot.reasons[0].text.say.startswith("Shot")
    assert (clauses(fought)[0], clauses(shot)[0]) == ("TTC-76", "TTC-91")


@pytest.mark.clause("TTC-05", "TTC-17")
def test_the_headline_counts_new_hits_only() -> None:
    state = playing(f"{CITIES}, w1 li d4, b1 hi d5 2", "AH")
    ruling = rule(state, "white", Attack("w1", "b1"), Plays(1, 3))
    what = ruling.headline.places["what"]
    assert what.places["count"] == 1
    assert ruling.outcome.unit("b1").hits == 3


@pytest.mark.clause("TTC-102", "TTC-103", "TTC-104")
@pytest.mark.parametrize(
    ("dice", "protection", "said"),
    [
        ((1, 3), "formation_hit", "formation holds"),
        ((6, 3), "formation_retreat", "formation holds"),
        ((1, 3), "terrain", "terrain shields it"),
        ((1, 1), "formation_hit", "1 hit"),
        ((3, 3), None, "no effect"),
    ],
)
def test_the_headline_says_what_saved_whom_the_dice_hit(dice: Any, protection: str | None, said: str) -> None:
    state = playing(f"{CITIES}, w1 li d4, b1 hi d5, b2 hi e5", "AH", terrain={"d5": "hill"})
    chosen = {"protection": protection} if protection else {}
    ruling = rule(state, "white", Attack("w1", "b1"), Plays(*dice, **chosen))
    assert speak(ruling.headline.places["what"], str, within=True) == said


@pytest.mark.clause("TTC-26")
def test_a_card_that_is_none_of_the_24_is_refused_as_such() -> None:
    state = choosing(f"{CITIES}, w1 li d4", ("AH", "2H", "3H"))
    assert refusal(state, PlayCard("9H")).clause == "TTC-26"
    assert refusal(state, ThrowAway("9H")).clause == "TTC-26"


@pytest.mark.clause("TTC-25")
def test_the_other_sides_units_are_not_yours_to_use() -> None:
    state = playing(f"{CITIES}, w1 li d4, b1 hi d5", "AH")
    assert refusal(state, Attack("b1", "w1")).clause == "TTC-25"
    assert refusal(state, Activate(("b1",))).clause == "TTC-25"


@pytest.mark.clause("TTC-47", "TTC-93")
def test_double_rain_is_not_blamed_for_what_it_has_nothing_to_do_with() -> None:
    state = playing(f"{CITIES}, w1 ar d2, b1 hi d7", "KS")
    refused = refusal(state, Attack("w1", "b1", "ranged"))
    assert refused.clause == "TTC-93"
    assert {"TTC-47", "TTC-48"}.isdisjoint(named(refused, CLAUSES))


@pytest.mark.clause("TTC-77")
def test_a_unit_that_has_finished_owes_nothing_when_an_enemy_is_driven_beside_it() -> None:
    state = playing(f"{CITIES}, w1 li b6, w2 hi a4, b1 hi a5", "2H")
    state = after(after(state, Stand("w1")), Attack("w2", "b1"), 6, 3, 3, 3, 3)
    assert state.unit("b1").square == "a6"
    assert after(state, EndTurn()).active == "black"


@pytest.mark.clause("TTC-13", "TTC-14", "TTC-68")
def test_every_card_that_is_dealt_or_drawn_is_a_secret_of_who_gets_it() -> None:
    start = GAME.setup(Options(), Plays()).outcome
    ask = Plays()
    state = rule(rule(start, "white", Ready()).outcome, "black", Ready(), ask).outcome
    dealt = [question for question in ask.asked if isinstance(question, Draw)]
    assert [(one.by, one.count, one.secret) for one in dealt] == [("white", 3, True), ("black", 3, True)]
    ask = Plays()
    ruling = rule(
        state.but(card="4H", phase="activations", hands={**state.hands, "white": ("AH", "2H")}),
        "white",
        EndTurn(),
        ask,
    )
    (drawn,) = (question for question in ask.asked if isinstance(question, Draw))
    assert (drawn.by, drawn.count, drawn.secret) == ("white", 1, True)
    assert clauses(ruling).count("TTC-68") == 2


@pytest.mark.clause("TTC-13", "TTC-68")
def test_with_real_cards_the_deal_and_the_draw_are_told_with_their_clauses() -> None:
    start = GAME.setup(Options(cards="real"), Plays()).outcome
    ruling = rule(rule(start, "white", Ready()).outcome, "black", Ready())
    assert "TTC-13" in clauses(ruling)
    state = after(ruling.outcome, PlayCard("4H"))
    assert "TTC-68" in clauses(rule(state, "white", EndTurn()))


@pytest.mark.clause("TTC-47", "TTC-50")
@pytest.mark.parametrize(
    ("options", "card"), [(Options(double_rain_stationary=True), "KS"), (Options(phalanx_hold=True), "6S")]
)
def test_who_may_not_move_may_say_that_it_stays_and_other_cards_are_free(options: Options, card: str) -> None:
    written = f"{CITIES}, w1 ar c4, b1 hi c5" if card == "6S" else f"{CITIES}, w1 ar c4"
    state = playing(written, card, options=options)
    assert refusal(state, Move("w1", "d4")).clause == ("TTC-50" if card == "6S" else "TTC-47")
    assert not after(state, Move("w1", "c4")).unit("w1").moved
    free = playing(written, "AH", options=options)
    assert after(free, Move("w1", "d4")).unit("w1").square == "d4"


@pytest.mark.clause("TTC-23")
def test_naming_the_units_keeps_those_that_have_acted() -> None:
    state = playing(f"{CITIES}, w1 li a2, w2 li b2, w3 li c2, b1 hi h5", "2H")
    state = after(state, Move("w1", "a3"))
    named_now = after(state, Activate(("w2",)))
    assert [unit.id for unit in named_now.in_play("white") if unit.activated] == ["w1", "w2"]
    assert refusal(state, Activate(("w2", "w3"))).clause == "TTC-31"
    again = after(named_now, Activate(("w3",)))
    assert [unit.id for unit in again.in_play("white") if unit.activated] == ["w1", "w3"]
    enemy = again.with_unit("b1", activated="left")
    assert after(enemy, Activate(("w2",))).unit("b1").activated == "left"


@pytest.mark.clause("TTC-23")
def test_on_the_real_board_no_unit_is_woken_unasked() -> None:
    state = playing("w1 li a2, b1 hi h5", "AH", options=Options(board="table"))
    assert not any(unit.activated for unit in state.units)
    assert after(state, EndTurn()).active == "black"


@pytest.mark.clause("TTC-93")
def test_typed_facts_that_are_left_out_are_the_plainest() -> None:
    state = playing("w1 ar a2, b1 hi h5", "AH", options=Options(board="table"))
    state = state.but(units=tuple(unit.__class__(unit.id, unit.side, unit.kind) for unit in state.units))
    result = after(state, Attack("w1", "b1", "ranged"), 3, 3).last.result
    assert (result.distance, result.dice) == (2, 2)
    assert after(state, Attack("w1", "b1"), 3, 3).last.result.mode == "melee"


@pytest.mark.clause("TTC-64")
def test_the_unit_bought_is_not_its_own_price() -> None:
    state = choosing("wc ci d1, bc ci d8, w5 li a2", ("JD", "4H", "4D"), options=Options(remove_after_placing=True))
    state = state.but(purchases={"white": 1, "black": 0})
    new = after(state, PlayCard("JD", "w5", "c1")).units[-1].id
    assert refusal(state, PlayCard("JD", new, "c1")).clause == "TTC-64"
    assert refusal(state, PlayCard("JD", "wc", "c1")).clause == "TTC-64"


@pytest.mark.clause("TTC-123", "TTC-127")
@pytest.mark.parametrize(("die", "says"), [(3, "fails"), (4, "succeeds")])
def test_the_evasion_die_says_what_it_did(die: int, says: str) -> None:
    state = playing(f"{CITIES}, w1 hi d4, b1 li d5", "AH")
    ruling = rule(state, "white", Attack("w1", "b1"), Plays(die, *[3] * (5 if die == 3 else 3), evasion="yes"))
    told = line(ruling, "TTC-123")
    assert says in told.text.say
    assert told.faces == (die,)
    rolled = ruling.reasons[ruling.reasons.index(told) + 1]
    assert (rolled.value, rolled.faces) == ((5, (3,) * 5) if die == 3 else (3, (3,) * 3))


@pytest.mark.clause("TTC-131", "TTC-132")
def test_the_random_start_tells_its_clauses() -> None:
    ruling = GAME.setup(Options(random_start=True), Plays())
    assert clauses(ruling).count("TTC-131") == 2
    assert clauses(ruling).count("TTC-132") == 2


@pytest.mark.clause("TTC-11", "TTC-73")
def test_one_unit_a_square_from_the_start() -> None:
    state = GAME.setup(Options(), Plays()).outcome.but(terrain=TERRAIN)
    doubled = state.with_unit("wa", square="b1")
    assert refusal(doubled, Ready(), seat="white").clause == "TTC-73"
    assert offered(doubled, "ready", "white") == []


@pytest.mark.clause("TTC-52")
def test_a_card_gives_nothing_to_a_unit_that_it_does_not_activate() -> None:
    lookup = GAME.lookups["melee"]
    facts = lookup.facts(attacker="heavy_infantry", card="QS", target="city")
    assert lookup.rule(facts, Plays(3, 3, 3, 3, 3)).outcome.dice == 5


@pytest.mark.clause("TTC-46", "TTC-24")
def test_double_rain_gives_a_second_shot_and_no_melee() -> None:
    state = after(playing(f"{CITIES}, w1 ar d6, b1 hi d4", "KS"), Attack("w1", "b1"), 6, 3)
    assert state.unit("b1").square == "d5"
    assert refusal(state, Attack("w1", "b1", "melee")).clause == "TTC-46"
    assert refusal(state, Attack("w1", "b1", "ranged")).clause == "TTC-78"


@pytest.mark.clause("TTC-11")
def test_terrain_keeps_off_where_a_piece_is_not_where_it_was() -> None:
    state = GAME.setup(Options(), Plays()).outcome.but(terrain={})
    state = after(state, Place("wa", "a3"), seat="white")
    assert refusal(state, PlaceTerrain("forest", "a3"), seat="white").clause == "TTC-11"
    assert after(state, PlaceTerrain("forest", "a1"), seat="white").terrain == {"a1": "forest"}


@pytest.mark.clause("TTC-17")
def test_without_a_card_nothing_is_activated() -> None:
    state = choosing(f"{CITIES}, w1 li d4, b1 hi d5", (), hands={"white": (), "black": ()})
    assert refusal(state, Attack("w1", "b1")).clause == "TTC-17"
    assert refusal(state, Move("w1", "d3")).clause == "TTC-17"


@pytest.mark.clause("TTC-54", "TTC-123")
def test_faces_that_count_as_one_share_out_the_die() -> None:
    fought, ended = Plays(4, 3, 3, 3, evasion="yes"), Plays(2)
    state = rule(playing(f"{CITIES}, w1 hi d4, b1 li d5", "6S"), "white", Attack("w1", "b1"), fought).outcome
    rule(state, "white", EndTurn(), ended)
    thrown = [one for one in (*fought.asked, *ended.asked) if isinstance(one, Throw)]
    assert [one.key for one in thrown] == ["evasion_die", "attack", "discard"]
    assert all(sorted(face for group in one.alike for face in group) == [1, 2, 3, 4, 5, 6] for one in thrown)
