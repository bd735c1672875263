"""Terrain cards laid for the bid, or for AP in a scenario that allows it; the tiles and what they show."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm.fire import Fire
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.start import LayTiles, Ready, SetNatural
from companion.games.tactics_2gm.state import Ground, Natural, State
from companion.games.tactics_2gm.terrain import ClearTerrain, PlaceTerrain, TakeTerrain
from tests.support.conformance import settle
from tests.support.playing import clauses, options_of
from tests.support.tactics_2gm_positions import after, battle, english, no, offered, refusal, ruled, table, told

BARRIER, TRENCH, WALL, HOUSE = range(4)


def laying(*, allies: int = 3, axis: int = 2, first: Any = "allies", **options: Any) -> State:
    """A table on which the sides lay terrain, the Allies first."""
    state = table(**options)
    bids: dict[Any, int] = {"allies": allies, "axis": axis}
    order = (first, "axis" if first == "allies" else "allies")
    return state.but(
        phase="terrain", first=first, bids=bids, budget=bids, laying=order, ap=dict.fromkeys(state.seats, 2)
    )


def lay(kind: int, to: str | None = None) -> PlaceTerrain:
    return PlaceTerrain(kind, to)


def in_play(*, ap: int = 5, allowed: bool = True, **more: Any) -> State:
    state = battle(mode="scenario", phase="deployment", ap=ap, **more)
    assert state.scenario is not None
    return state.but(scenario=replace(state.scenario, terrain_in_play=allowed))


@pytest.mark.clause("G2-46", "G2-48", "G2-124")
def test_terrain_is_laid_for_what_was_bid_and_no_more() -> None:
    """With 3 a house, or a barrier and a trench: the printed example."""
    state = laying(allies=3)
    house = ruled(state, lay(HOUSE, "d2"))
    assert told(house.reasons) == ["house d2: laid; left of the bid: 0"]
    assert house.outcome.budget == {"allies": 0, "axis": 2}
    assert house.outcome.grounds == (Ground("g1", HOUSE, "allies", "d2", 5),)
    assert house.outcome.ap == state.ap
    two = after(after(state, lay(BARRIER, "d2")), lay(TRENCH, "e3"))
    assert [(one.kind, one.square, one.pi) for one in two.grounds] == [(BARRIER, "d2", 0), (TRENCH, "e3", 0)]
    refused = refusal(two, lay(BARRIER, "a2"))
    assert (refused.clause, refused.field, english(refused.text)) == (
        "G2-48",
        "terrain",
        "It costs 1; left of the bid: 0.",
    )
    assert no(laying(allies=2), lay(HOUSE, "d2")) == "G2-48"


@pytest.mark.clause("G2-47", "G2-A13")
def test_terrain_goes_on_the_own_second_and_third_line_one_on_a_square() -> None:
    state = laying(allies=5, axis=5)
    zone = {f"{file}{rank}" for file in "abcdefgh" for rank in (2, 3)}
    (offer,) = offered(state, "place_terrain")
    assert set(options_of(offer, "to")) == zone
    for place in ("d1", "d4", "d6"):
        assert no(state, lay(BARRIER, place)) == "G2-47"
    assert no(state, lay(BARRIER, "z9")) == no(state, lay(BARRIER, "i2")) == no(state, lay(BARRIER)) == "G2-47"
    state = after(state, lay(BARRIER, "d3"))
    assert no(state, lay(BARRIER, "d3")) == "G2-A13"
    assert set(options_of(offered(state, "place_terrain")[0], "to")) == zone - {"d3"}
    axis = after(state, Ready("terrain"))
    assert no(axis, lay(BARRIER, "d3"), seat="axis") == "G2-47"
    assert [one.owner for one in after(axis, lay(BARRIER, "d4"), seat="axis").grounds] == ["allies", "axis"]
    wide = laying(players="four", copies="two", allies=5)
    assert len(options_of(offered(wide, "place_terrain")[0], "to")) == 32
    after(wide, lay(HOUSE, "p3"))


@pytest.mark.clause("G2-A13")
def test_who_starts_lays_first_and_what_is_not_spent_is_lost() -> None:
    state = laying(first="axis", allies=3, axis=2)
    assert no(state, lay(BARRIER, "d2"), seat="allies") == no(state, Ready(), seat="allies") == "G2-A13"
    assert GAME.view(state, "screen").to_move == ("axis",)
    assert offered(state, "place_terrain", "allies") == offered(state, "ready", "allies") == []
    (ready,) = offered(state, "ready", "axis")
    assert (told(ready.advice), ready.main) == (["What is not spent on terrain now is lost: 2"], False)
    ruling = ruled(state, Ready("terrain"), seat="axis")
    assert "Axis: 2 not spent on terrain, and lost" in told(ruling.reasons)
    assert (ruling.outcome.budget, ruling.outcome.laying) == ({"allies": 3, "axis": 0}, ("allies",))
    house = after(ruling.outcome, lay(HOUSE, "d2"), seat="allies")
    (ready,) = offered(house, "ready", "allies")
    assert (ready.advice, ready.main) == ((), True)
    done = ruled(house, Ready("terrain"), seat="allies")
    assert (done.outcome.phase, done.outcome.laying) == ("mulligan", ())
    assert not [line for line in told(done.reasons) if "lost" in line]


def bidden(allies: int, axis: int, **changes: Any) -> State:
    """The table after a bid that the Allies win, and begin."""
    state = table().but(**changes)
    state = after(state, Ready(), seat="allies")
    return after(state, Ready(), 10, 1, seat="axis", bid_allies=str(allies), bid_axis=str(axis), first="allies")


@pytest.mark.clause("G2-46", "G2-A13")
def test_nobody_is_asked_for_terrain_who_can_buy_none() -> None:
    assert bidden(0, 0).phase == "mulligan"
    assert bidden(0, 1).laying == ("axis",)
    assert bidden(1, 0).laying == ("allies",)
    dear = table().terrain_deck
    houses = replace(dear, terrain=(dear.terrain[HOUSE],))
    state = bidden(3, 2, terrain_deck=houses)
    assert (state.laying, state.budget) == (("allies",), {"allies": 3, "axis": 0})
    assert bidden(2, 2, terrain_deck=houses).phase == "mulligan"
    assert bidden(5, 5, terrain_deck=replace(dear, terrain=())).phase == "mulligan"


@pytest.mark.clause("G2-124", "G2-126")
def test_there_are_as_many_terrain_cards_as_the_deck_has_and_none_comes_back() -> None:
    state = laying(allies=5, axis=5)
    deck = state.terrain_deck
    state = state.but(terrain_deck=replace(deck, terrain=(replace(deck.terrain[BARRIER], count=2), *deck.terrain[1:])))
    state = after(after(state, lay(BARRIER, "d2")), lay(BARRIER, "e2"))
    assert no(state, lay(BARRIER, "f2")) == "G2-124"
    assert options_of(offered(state, "place_terrain")[0], "terrain") == [str(TRENCH), str(WALL), str(HOUSE)]
    state = after(state, Ready("terrain"))
    assert no(state, lay(BARRIER, "d4"), seat="axis") == "G2-124"
    gone = state.but(grounds=())
    assert no(gone, lay(BARRIER, "d4"), seat="axis") == "G2-124"
    assert no(state, lay(7, "d4"), seat="axis") == "G2-124"


@pytest.mark.clause("G2-46")
def test_terrain_can_be_taken_back_until_it_lies() -> None:
    state = after(after(laying(allies=4), lay(HOUSE, "d2")), lay(WALL, "e2"))
    (offer,) = offered(state, "take_terrain")
    assert options_of(offer, "ground") == ["g1", "g2"]
    back = after(state, TakeTerrain("g1"))
    assert ([one.id for one in back.grounds], back.budget["allies"], back.laid) == (["g2"], 3, (WALL,))
    again = after(back, lay(HOUSE, "a3"))
    assert [one.id for one in again.grounds] == ["g2", "g3"]
    assert no(state, TakeTerrain("g7")) == "G2-46"
    axis = after(state, Ready())
    assert no(axis, TakeTerrain("g1"), seat="axis") == "G2-46"
    assert no(axis, TakeTerrain("g1"), seat="allies") == "G2-A13"
    assert offered(axis, "take_terrain", "axis") == offered(axis, "take_terrain", "allies") == []


def test_taking_terrain_back_stands_aside_as_long_as_more_can_be_laid() -> None:
    state = after(laying(allies=4), lay(HOUSE, "d2"))
    assert [offered(state, what)[0].aside for what in ("place_terrain", "take_terrain")] == [False, True]
    spent = after(state, lay(BARRIER, "e2"))
    assert offered(spent, "place_terrain") == []
    assert [offer.aside for offer in offered(spent, "take_terrain")] == [False]


@pytest.mark.clause("G2-151")
def test_of_a_pair_the_marshal_lays_the_terrain() -> None:
    state = laying(players="four", first="axis").but(marshal={"axis": "axis_2"})
    assert no(state, lay(BARRIER, "d4"), seat="axis_1") == no(state, Ready(), seat="axis_1") == "G2-151"
    assert offered(state, "place_terrain", "axis_1") == []
    assert after(state, lay(BARRIER, "d4"), seat="axis_2").budget["axis"] == 1
    assert GAME.view(state, "screen").to_move == ("axis_2",)


@pytest.mark.clause("G2-46", "G2-48")
def test_on_a_table_that_is_not_mirrored_terrain_has_no_square() -> None:
    state = laying(board="table", allies=5)
    (offer,) = offered(state, "place_terrain")
    assert [field.name for field in offer.fields] == ["terrain"]
    assert no(state, lay(HOUSE, "d2")) == "G2-38"
    state = after(after(state, lay(HOUSE)), lay(TRENCH))
    assert [(one.kind, one.square) for one in state.grounds] == [(HOUSE, None), (TRENCH, None)]
    assert no(state, lay(BARRIER)) == "G2-48"
    assert options_of(offered(state, "take_terrain")[0], "ground") == ["g1", "g2"]
    deck = replace(state.terrain_deck, terrain=(replace(state.terrain_deck.terrain[BARRIER], cost=0, count=99),))
    state = laying(board="table").but(terrain_deck=deck)
    for _ in range(16):
        state = after(state, lay(BARRIER))
    assert no(state, lay(BARRIER)) == "G2-A13"
    assert offered(state, "place_terrain") == []


def test_offers_mark_what_the_bid_does_not_pay_for() -> None:
    state = laying(allies=1)
    (offer,) = offered(state, "place_terrain")
    barred = {option.value: option.barred and option.barred.clause for option in offer.fields[0].options}
    assert barred == {"0": None, "1": "G2-48", "2": None, "3": "G2-48"}
    spent = after(state, lay(BARRIER, "d2"))
    assert offered(spent, "place_terrain") == []
    for place in options_of(offer, "to"):
        assert after(state, lay(WALL, place)).grounds[0].square == place


@pytest.mark.clause("G2-49")
def test_once_a_pitched_battle_has_begun_no_terrain_is_laid() -> None:
    for phase in ("headquarters", "deployment", "fire"):
        state = battle(phase=phase)
        assert no(state, lay(BARRIER, "d2")) == "G2-49"
        assert offered(state, "place_terrain") == []
    assert no(table(), lay(BARRIER, "d2")) == no(table().but(phase="mulligan"), lay(BARRIER, "d2")) == "G2-46"


@pytest.mark.clause("G2-51")
def test_a_scenario_may_allow_terrain_in_the_deployment_phase_for_ap() -> None:
    state = in_play(ap=4)
    ruling = ruled(state, lay(HOUSE, "d2"))
    assert (ruling.outcome.ap["allies"], ruling.outcome.grounds[0].square) == (1, "d2")
    assert clauses(ruling.reasons)[0] == "G2-51"
    assert no(ruling.outcome, lay(HOUSE, "e2")) == "G2-51"
    (offer,) = offered(ruling.outcome, "place_terrain")
    assert options_of(offer, "terrain") == [str(BARRIER), str(WALL)]
    assert no(state, lay(BARRIER, "d4")) == "G2-47"
    assert no(state, lay(BARRIER, "d4"), seat="axis") == "G2-02"
    assert no(state.but(phase="fire"), lay(BARRIER, "d2")) == "G2-77"
    never = in_play(allowed=False)
    assert no(never, lay(BARRIER, "d2")) == "G2-51"
    assert offered(never, "place_terrain") == offered(state, "place_terrain", "axis") == []


def test_terrain_in_play_is_not_laid_over_a_unit() -> None:
    state = in_play(written="a1 light_infantry d2")
    assert no(state, lay(BARRIER, "d2")) == "G2-A13"
    assert "d2" not in options_of(offered(state, "place_terrain")[0], "to")


def ruined(state: State, name: str) -> State:
    return state.with_ground(name, ruin=True, pi=0)


@pytest.mark.clause("G2-22", "G2-126", "G2-128", "G2-137")
def test_terrain_that_is_destroyed_is_taken_off_the_battlefield_but_no_building() -> None:
    state = battle("a1 light_infantry d1, x1 light_infantry d3", grounds="wall d3 axis, house e4 axis, house f4 axis")
    state = ruined(state, "g3")
    for seat in ("allies", "axis"):
        ruling = ruled(state, ClearTerrain("g1"), seat=seat)
        assert ruling.outcome == state.but(grounds=state.grounds[1:])
        assert english(ruling.headline) == f"{seat.capitalize()}: wall d3 is destroyed"
        assert list(zip(told(ruling.reasons), clauses(ruling.reasons), strict=True)) == [
            ("wall d3: destroyed, and taken off the battlefield", "G2-128"),
            ("It is not used again.", "G2-126"),
            ("light infantry d3 stands in the open", "G2-125"),
        ]
    assert no(state, ClearTerrain("g2")) == "G2-128"
    assert no(state, ClearTerrain("g3")) == "G2-137"
    assert no(state, ClearTerrain("g9")) == "G2-22"
    assert no(after(state, ClearTerrain("g1")), ClearTerrain("g1")) == "G2-22"


@pytest.mark.clause("G2-107", "G2-128")
def test_terrain_that_is_gone_covers_nobody() -> None:
    state = battle("a1 light_infantry d2, x1 light_infantry d3", grounds="wall d3 axis")
    assert after(state, Fire("a1", "w0", "x1"), 5).unit("x1").wounds == 0
    assert after(after(state, ClearTerrain("g1")), Fire("a1", "w0", "x1"), 5).unit("x1").wounds == 1


@pytest.mark.clause("G2-128")
def test_everybody_may_say_in_any_phase_of_the_battle_that_terrain_is_destroyed() -> None:
    grounds = "wall d3 axis, house e4 axis, trench d2 allies"
    for phase in ("headquarters", "movement", "deployment", "fire", "discard"):
        state = battle(phase=phase, grounds=grounds, players="four")
        for seat in state.seats:
            (offer,) = offered(state, "clear_terrain", seat)
            assert (offer.grave, offer.aside, options_of(offer, "ground")) == (True, True, ["g1", "g3"])
            assert [option.place for option in offer.fields[0].options] == ["d3", "d2"]
    assert offered(battle(grounds="house e4 axis"), "clear_terrain") == []
    assert offered(ruined(battle(grounds="house e4 axis"), "g1"), "clear_terrain") == []
    early = after(laying(), lay(BARRIER, "d2"))
    assert (no(early, ClearTerrain("g1")), offered(early, "clear_terrain")) == ("G2-02", [])
    over = battle(grounds=grounds, phase="finished")
    assert no(over, ClearTerrain("g1"), seat="axis") == "G2-02"


@pytest.mark.clause("G2-125", "G2-128")
def test_on_a_table_who_stood_in_destroyed_terrain_stands_in_the_open() -> None:
    state = battle("a1 light_infantry, x1 light_infantry", board="table", grounds="wall axis, trench axis")
    state = state.with_unit("x1", inside="g1").with_unit("a1", inside="g2")
    ruling = ruled(state, ClearTerrain("g1"))
    assert [unit.inside for unit in ruling.outcome.units] == ["g2", None]
    assert [one.id for one in ruling.outcome.grounds] == ["g2"]
    assert clauses(ruling.reasons) == ["G2-128", "G2-126", "G2-125"]


@pytest.mark.clause("G2-126")
def test_destroyed_terrain_is_not_laid_again() -> None:
    state = in_play(ap=9)
    deck = state.terrain_deck
    state = state.but(terrain_deck=replace(deck, terrain=(replace(deck.terrain[BARRIER], count=1),)))
    state = after(after(state, lay(BARRIER, "d2")), ClearTerrain("g51"))
    assert state.grounds == ()
    assert no(state, lay(BARRIER, "d2")) == "G2-124"
    assert offered(state, "place_terrain") == []


@pytest.mark.clause("G2-155")
def test_either_of_a_pair_pays_for_terrain_in_play_out_of_his_own_ap() -> None:
    state = in_play(players="four", ap=3)
    state = after(state, lay(HOUSE, "d2"), seat="allies_2")
    assert (state.ap["allies_1"], state.ap["allies_2"]) == (3, 0)
    assert no(state.but(done=("allies_1",)), lay(BARRIER, "e2"), seat="allies_1") == "G2-77"
    assert offered(state.but(done=("allies_1",)), "place_terrain", "allies_1") == []


@pytest.mark.clause("G2-41")
def test_tiles_are_drawn_with_a_side_and_a_way_round() -> None:
    state = settle(lambda ask: GAME.rule(table(), "axis", LayTiles(12), ask), random.Random(3))[0].outcome
    numbers = [int(tile[:-2]) for tile in state.tiles]
    assert sorted(numbers) == list(range(1, 13))
    assert numbers != sorted(numbers)
    assert {tile[-2:] for tile in state.tiles} == {"A↑", "A↓", "B↑", "B↓"}
    again = settle(lambda ask: GAME.rule(state, "allies", LayTiles(12), ask), random.Random(4))[0].outcome
    assert again.tiles != state.tiles
    assert no(battle(), LayTiles(4)) == no(table().but(phase="mulligan"), LayTiles(4)) == "G2-41"
    shown = told(ruled(table(), LayTiles(2)).reasons)
    assert shown == ["The tiles as they come: 1A↑, 2A↑"]


@pytest.mark.clause("G2-127", "G2-129", "G2-41")
def test_anybody_notes_what_a_tile_shows() -> None:
    state = after(table(mode="scenario"), SetNatural("c4", "river", "impassable"), seat="axis")
    state = after(state, SetNatural("a1", "forest"), seat="allies")
    assert state.natural == {"a1": Natural("forest", "normal"), "c4": Natural("river", "impassable")}
    (setting, clearing) = offered(state, "set_natural")
    assert options_of(setting, "feature") == ["forest", "hedge", "river", "sea"]
    assert options_of(clearing, "to") == ["a1", "c4"]
    cleared = ruled(state, SetNatural("c4", "none"))
    assert english(cleared.headline) == "No natural feature on c4"
    state = cleared.outcome
    assert list(state.natural) == ["a1"]
    assert no(state, SetNatural("i1", "forest")) == no(state, SetNatural("a7", "forest")) == "G2-38"
    assert no(battle(), SetNatural("a1", "forest")) == "G2-41"
    assert no(table(board="table"), SetNatural("a1", "forest")) == "G2-38"
    assert [offer.action for offer in GAME.offers(table(board="table"), "axis")].count("set_natural") == 0


@pytest.mark.clause("G2-41")
def test_a_pitched_battle_has_neither_rivers_nor_the_sea() -> None:
    assert no(table(), SetNatural("c4", "river")) == no(table(), SetNatural("c4", "sea")) == "G2-41"
    assert options_of(offered(table(), "set_natural")[0], "feature") == ["forest", "hedge"]


def test_what_is_laid_is_kept_as_data() -> None:
    state = after(after(laying(allies=5), lay(HOUSE, "d2")), SetNatural("a1", "hedge", "difficult"))
    state = after(state, LayTiles(32))
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
