"""Set-up: position, terrain, agreement, deal, and the random start."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.two_cities.components import CARDS, KINDS
from companion.games.two_cities.game import GAME
from companion.games.two_cities.hand import PlayCard
from companion.games.two_cities.options import Options
from companion.games.two_cities.setup import DrawTerrain, Place, PlaceTerrain, Ready
from companion.kit.asking import Ask
from companion.kit.questions import Draw
from companion.kit.ruling import Refusal
from companion.kit.squares import CHESSBOARD
from tests.support.playing import options_of
from tests.support.two_cities_positions import Plays, after, fresh, offered, refusal, rule


def start(**options: object) -> object:
    return GAME.setup(Options(**options), Plays()).outcome


def ranks(state, side: str) -> str:
    units = sorted(state.in_play(side), key=lambda unit: unit.square or unit.home)
    return " ".join(unit.kind for unit in units)


USUAL = "light_infantry light_cavalry heavy_infantry city archers heavy_infantry light_cavalry light_infantry"


@pytest.mark.clause("TTC-09", "TTC-02", "TTC-Q01")
def test_the_usual_position() -> None:
    state = start()
    assert ranks(state, "white") == ranks(state, "black") == USUAL
    assert {unit.square for unit in state.in_play("white")} == {f"{file}1" for file in "abcdefgh"}
    assert {unit.square for unit in state.in_play("black")} == {f"{file}8" for file in "abcdefgh"}
    assert [unit.piece for unit in state.in_play("white")] == [KINDS[kind].piece for kind in USUAL.split()]


@pytest.mark.clause("TTC-Q02")
def test_every_kind_has_the_piece_that_was_worked_out() -> None:
    pieces = {unit.kind: unit.piece for unit in start().in_play("white")}
    assert pieces == {
        "light_infantry": "pawn",
        "heavy_infantry": "bishop",
        "archers": "king",
        "light_cavalry": "knight",
        "city": "rook",
    }


@pytest.mark.clause("TTC-11")
def test_terrain_is_drawn_among_the_squares_without_a_piece() -> None:
    ask = Plays(drawn=("c4", "f5", "b3", "g6"))
    state = GAME.setup(Options(), ask).outcome
    (draw,) = ask.asked
    assert isinstance(draw, Draw)
    assert (draw.count, draw.secret) == (4, False)
    assert set(draw.pile) == {f"{file}{rank}" for file in "abcdefgh" for rank in range(2, 8)}
    assert state.terrain == {"b3": "hill", "c4": "forest", "f5": "forest", "g6": "hill"}
    again = rule(state, "black", DrawTerrain(), Plays(drawn=("a2", "a3", "a4", "a5"))).outcome
    assert again.terrain == {"a2": "forest", "a3": "forest", "a4": "hill", "a5": "hill"}


@pytest.mark.clause("TTC-09")
def test_units_are_placed_and_change_places() -> None:
    state = start()
    state = after(state, Place("wa", "d3"), seat="white")
    assert state.unit("wa").square == "d3"
    state = after(state, Place("wd", "e1"), seat="white")
    assert (state.unit("wd").square, state.unit("we").square) == ("e1", "d1")
    assert refusal(state, Place("wa", "a8"), seat="white").clause == "TTC-73"
    assert refusal(state, Place("ba", "a6"), seat="white").clause == "TTC-09"
    assert refusal(state, Place("wa", "i9"), seat="white").clause == "TTC-01"
    assert refusal(state, Place("nobody", "a4"), seat="white").field == "unit"
    assert refusal(state, Place("wa", next(iter(state.terrain))), seat="white").clause == "TTC-11"


@pytest.mark.clause("TTC-11")
def test_terrain_is_moved_by_hand() -> None:
    state = start().but(terrain={"b3": "hill", "c4": "forest", "f5": "forest", "g6": "hill"})
    state = after(state, PlaceTerrain("forest", "c5", "c4"), seat="black")
    assert state.terrain == {"b3": "hill", "c5": "forest", "f5": "forest", "g6": "hill"}
    assert refusal(state, PlaceTerrain("forest", "a4"), seat="white").clause == "TTC-11"
    assert refusal(state, PlaceTerrain("hill", "a4", "c5"), seat="white").clause == "TTC-11"
    assert refusal(state, PlaceTerrain("forest", "g6", "c5"), seat="white").clause == "TTC-11"
    assert refusal(state, PlaceTerrain("forest", "e8", "c5"), seat="white").clause == "TTC-11"
    assert refusal(state, PlaceTerrain("forest", "z1", "c5"), seat="white").clause == "TTC-01"


@pytest.mark.clause("TTC-09", "TTC-13", "TTC-16")
def test_both_agree_before_the_cards_are_dealt() -> None:
    state = start()
    assert GAME.view(state, "screen").to_move == ("white", "black")
    state = after(state, Ready(), seat="black")
    assert (state.phase, state.ready) == ("set_up", ("black",))
    assert not offered(state, "ready", "black")
    assert after(state, Place("wa", "d3"), seat="white").ready == (), "a change asks both again"
    assert after(state, DrawTerrain(), seat="white").ready == ()
    ask = Plays()
    state = rule(state, "white", Ready(), ask).outcome
    assert [question.by for question in ask.asked if isinstance(question, Draw)] == ["white", "black"]
    assert (state.phase, state.active, state.turn) == ("choose_card", "white", 1)


@pytest.mark.clause("TTC-13", "TTC-14", "TTC-15", "TTC-26", "TTC-Q03", "TTC-Q04")
def test_three_cards_each_out_of_one_pile_of_24() -> None:
    state = fresh()
    dealt = [*state.hands["white"], *state.hands["black"], *state.draw_pile]
    assert Counter(dealt) == Counter(list(CARDS))
    assert len(dealt) == 24
    assert all(len(hand) == 3 for hand in state.hands.values())


@pytest.mark.clause("TTC-09", "TTC-11")
def test_the_position_stands_once_the_game_has_begun() -> None:
    state = fresh()
    for action in (Place("wa", "d3"), PlaceTerrain("hill", "a5"), DrawTerrain(), Ready()):
        assert refusal(state, action, seat="white").clause == "TTC-09"
    set_up = start()
    assert refusal(set_up, PlayCard("AH"), seat="white").clause == "TTC-11"
    assert refusal(set_up, Ready(), seat="screen").clause == "TTC-01"


@pytest.mark.clause("TTC-10")
def test_a_badly_placed_city_is_warned_of() -> None:
    state = start()
    assert GAME.view(state, "white").advice == ()
    state = after(state, Place("wd", "a1"), seat="white")
    assert [reason.clause for reason in GAME.view(state, "black").advice] == ["TTC-10"]
    ruling = rule(state, "white", Ready())
    assert "TTC-10" in [reason.clause for reason in ruling.reasons]


@pytest.mark.clause("TTC-131", "TTC-132", "TTC-Q31")
def test_the_random_start_draws_each_side_and_keeps_cities_off_the_corners() -> None:
    ask = Plays()
    ruling = GAME.setup(Options(random_start=True), ask)
    draws = [question for question in ask.asked if isinstance(question, Draw)]
    assert [draw.key for draw in draws] == ["city_white", "units_white", "city_black", "units_black", "terrain"]
    assert set(draws[0].pile) == set("bcdefg")
    state = ruling.outcome
    for side, rank in (("white", "1"), ("black", "8")):
        units = state.in_play(side)
        assert sorted(unit.kind for unit in units) == sorted(USUAL.split())
        assert {unit.square for unit in units} == {f"{file}{rank}" for file in "abcdefgh"}
        city = state.city(side)
        assert city is not None
        assert city.square == f"b{rank}", "the first file drawn"


@pytest.mark.clause("TTC-131", "TTC-Q31")
def test_the_drawn_order_is_the_order_along_the_rank() -> None:
    names = [f"{kind} {number}" for number, kind in enumerate(USUAL.split()) if kind != "city"]
    order = tuple(reversed(names))
    state = GAME.setup(Options(random_start=True, random_mirror=True), Plays(drawn=("e", *order))).outcome
    expected = [name.split()[0] for name in order]
    expected.insert(4, "city")
    assert ranks(state, "white").split() == expected
    assert ranks(state, "black").split() == expected


@pytest.mark.clause("TTC-131", "TTC-132")
def test_a_random_start_is_not_edited() -> None:
    state = start(random_start=True)
    assert not offered(state, "place", "white")
    assert refusal(state, Place("wa", "d3"), seat="white").clause == "TTC-131"
    assert offered(state, "ready", "white")


@pytest.mark.clause("TTC-Q01")
def test_the_file_of_the_cities_can_be_chosen() -> None:
    state = start(city_square="f")
    assert (state.at("f1").kind, state.at("d1").kind) == ("city", "heavy_infantry")
    assert (state.at("f8").kind, state.at("d8").kind) == ("city", "heavy_infantry")


@pytest.mark.clause("TTC-09", "TTC-Q01")
def test_players_may_place_every_unit_themselves() -> None:
    state = start(layout="own")
    assert all(unit.square is None for unit in state.units)
    assert not offered(state, "ready", "white")
    assert refusal(state, Ready(), seat="white").clause == "TTC-09"
    for side in ("white", "black"):
        for offer in offered(state, "place", side):
            square = next(square for square in options_of(offer, "to") if square not in state.occupied())
            state = after(state, Place(offer.given["unit"], square), seat=side)
    assert offered(state, "ready", "white")


@pytest.mark.clause("TTC-09")
def test_a_unit_that_nobody_placed_can_be_taken_out_by_hand() -> None:
    state = start(layout="own")
    for unit in [unit.id for unit in state.units if unit.side == "white" and unit.kind != "city"]:
        state = GAME.correct(state, f"unit.{unit}.square", "off", Ask())
    assert [unit.kind for unit in state.units if unit.side == "white" and unit.on_board] == ["city"]


@pytest.mark.clause("TTC-09")
def test_any_square_is_offered_that_would_not_be_refused() -> None:
    for state in (start(), start(layout="own")):
        offer = next(offer for offer in offered(state, "place", "white") if offer.given["unit"] == "wa")
        taken = set()
        for square in CHESSBOARD.squares():
            try:
                after(state, Place("wa", square), seat="white")
            except Refusal:
                taken.add(square)
        assert set(options_of(offer, "to")) == set(CHESSBOARD.squares()) - taken - {state.unit("wa").square}


def test_a_table_with_a_real_board_keeps_no_squares() -> None:
    state = start(board="table")
    assert all(unit.square is None for unit in state.units)
    assert len(state.terrain) == 4
    assert refusal(state, Place("wa", "d3"), seat="white").clause == "TTC-09"
    assert {offer.action for offer in GAME.offers(state, "white")} == {"ready", "place_terrain", "draw_terrain"}
    assert refusal(state, PlaceTerrain("hill", "a1"), seat="white").clause == "TTC-11"
