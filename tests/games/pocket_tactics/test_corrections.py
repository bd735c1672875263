"""Corrections: every tracked value of Pocket-Tactics can be set by hand, and what comes of it can be played."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.pocket_tactics import geometry, initial_deployment
from companion.games.pocket_tactics.cards import SIDES, Bag, Faction, TileCard
from companion.games.pocket_tactics.factions import Ready
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.initial_deployment import SetOut
from companion.games.pocket_tactics.movement import Deploy
from companion.games.pocket_tactics.state import SEATS, Last, Shift, State, Tile
from companion.games.pocket_tactics.turn import Concede
from companion.kit.game import SCREEN
from companion.kit.text import speak
from tests.support.correction_tests import Mending
from tests.support.playing import Scripted
from tests.support.pocket_tactics_positions import BLUE, P, code, game, table, tile
from tests.support.sizes import some

ARMIES = "b levy m2, b bowman l2, b blade_guard.2 captured, r prowler m3, r ravager n3, r hedge_witch captured"
ON_TERRAIN = "b levy field, b bowman hills, b blade_guard.2 captured, r prowler forest, r hedge_witch captured"
GROUND = "m2 field, l2 ice, n2 water, m3 swamp, l3 labyrinth, n3 complex 1+3, m4 cave"
BAG = Bag(
    name="bag",
    tile=(
        TileCard(terrain="field", count=4),
        TileCard(terrain="ice", count=2),
        TileCard(terrain="complex", count=2, grooves=("n", "s")),
    ),
)


def standing(**more: Any) -> State:
    """A game in which much has happened: Red is to move, a kicker is changed, a unit of each is captured."""
    state = game(ARMIES, ground=GROUND, turn=6, active="red", last=Last("b0.1", came_from="l2"), **more)
    return state.with_unit(code(state, "b levy"), shifts=(Shift("melee", "offence", 2),))


def on_the_table(**more: Any) -> State:
    return game(ON_TERRAIN, map="table", turn=3, **more)


def building(ground: str = "m2 field, l2 field", **more: Any) -> State:
    """Blue has drawn a tunnel tile, five others are in the bag."""
    tiles = tuple(tile(one) for one in ground.split(", "))
    fields = {
        "phase": "tiles",
        "tiles": tiles,
        "drawn": 2,
        "left": (0, 0, 0, 1, 2),
        "bag": BAG,
        "bases": {"blue": "m1"},
    }
    return table().mustered().but(**(fields | more))


def basing() -> State:
    """All the tiles are in play, Red places the second base."""
    return building(phase="second_base", drawn=None, left=(), active="red")


def setting(units: str = "b levy m2", **more: Any) -> State:
    """Blue sets out the first units."""
    return game(units, phase="setting_out", turn=0, **more)


def few() -> State:
    """Blue has one unit in all."""
    lone = Faction(name="lone", unit=(replace(BLUE.unit[0], copies=1),))
    return game("b levy m2, r prowler m3", factions={"blue": lone})


def lost() -> State:
    """Red has captured Blue's whole army."""
    state = few().gone("b0.1", "captured")
    return state.but(phase="finished", winner="red", how="army", active="red")


BY_HAND = Mending(GAME, Scripted)
correct, tracked, value_of, choices, no = (
    BY_HAND.correct,
    BY_HAND.tracked,
    BY_HAND.value_of,
    BY_HAND.choices,
    BY_HAND.no,
)
STATES: dict[str, Any] = {
    "factions": table,
    "one is ready": lambda: P.after(table(), Ready(), seat="blue"),
    "factions, on the table": lambda: table(map="table"),
    "tiles": building,
    "no tile yet": lambda: building(tiles=()),
    "second base": basing,
    "first units": setting,
    "first units of Red": lambda: setting("b levy m2, b levy.2 l2, b levy.3 n2", active="red"),
    "first units in turns": lambda: setting("b levy m2", active="red", alternate_initial_deploy=True),
    "first units, on the table": lambda: setting("b levy field", map="table"),
    "play": standing,
    "play, on the table": on_the_table,
    "one unit": few,
    "won": lambda: standing().but(phase="finished", winner="red", how="base"),
    "army lost": lost,
    "drawn": lambda: standing().but(phase="finished", winner="draw", how="both_gone"),
}


@pytest.mark.parametrize("name", STATES)
def test_setting_a_value_to_what_it_is_changes_nothing(name: str) -> None:
    BY_HAND.stays(STATES[name]())


@pytest.mark.sized
@pytest.mark.parametrize("name", STATES)
def test_any_sequence_of_corrections_leaves_a_table_that_can_be_shown_and_played(name: str, full: bool) -> None:
    for seed in range(3 if full else 1):
        BY_HAND.wander(STATES[name](), seed, check)


@pytest.mark.sized
@pytest.mark.parametrize("name", some(STATES, every=3))
def test_every_value_can_be_set_to_each_that_it_may_have(name: str, full: bool) -> None:
    """Whatever it is set to can be shown and played on: whoever is to move has something to do."""
    BY_HAND.each(STATES[name](), playable, full=full)


def check(state: State) -> None:
    """Every unit is in one place, and of those that begin on the map there are no more than three."""
    state.__post_init__()
    at = [unit.at for unit in state.units if unit.at]
    assert len(set(at)) == len(at)
    assert {unit.where == "tile" for unit in state.units if unit.at or unit.terrain} <= {True}
    if state.phase == "setting_out":
        assert all(initial_deployment.left(state, seat) >= 0 for seat in SEATS)
        assert all(len(state.of(seat, "tile")) <= initial_deployment.STARTING for seat in SEATS)
    if state.mirrored and state.phase not in ("factions", "finished"):
        assert state.first in state.bases
        assert (state.second in state.bases) == (state.phase not in ("tiles", "second_base"))


def playable(state: State) -> None:
    check(state)
    to_move = GAME.view(state, SCREEN).to_move
    assert state.over or to_move
    for seat in to_move:
        assert [offer for offer in GAME.offers(state, seat) if not offer.grave and (not offer.aside or offer.main)]


# What is tracked


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("factions", {"game"}),
        ("tiles", {"tile", "base", "map", "drawn", "left", "game"}),
        ("second base", {"tile", "base", "map", "drawn", "game"}),
        ("first units", {"unit", "tile", "base", "map", "game"}),
        ("first units, on the table", {"unit", "game"}),
        ("play", {"unit", "tile", "base", "map", "game"}),
        ("play, on the table", {"unit", "game"}),
        ("won", {"game"}),
    ],
)
def test_what_can_be_corrected_when(name: str, groups: set[str]) -> None:
    assert {path.partition(".")[0] for path in tracked(STATES[name]())} == groups


def test_nothing_that_is_tracked_is_a_secret() -> None:
    for state in STATES.values():
        for entry in tracked(state()).values():
            assert (entry.only, entry.secret_of, entry.reveals) == (None, None, False)


# Units


@pytest.mark.clause("PT-23", "PT-26", "PT-A34")
def test_a_unit_is_put_on_any_free_tile_or_off_the_map() -> None:
    state = standing()
    levy, guard = code(state, "b levy"), code(state, "b blade_guard.2")
    assert set(choices(state, f"unit.{levy}:place")) == {"m2", "n2", "l3", "m4", "reserve", "captured"}
    moved = correct(state, f"unit.{levy}:place", "m4")
    assert (moved.unit(levy).at, moved.unit(levy).shifts, moved.last) == ("m4", state.unit(levy).shifts, Last())
    assert correct(moved, f"unit.{levy}:place", "m2") == state.but(last=Last())
    assert correct(state, f"unit.{levy}:place", "captured").of("blue", "captured") == (
        replace(state.unit(levy), where="captured", at=None),
        state.unit(guard),
    )
    assert correct(state, f"unit.{guard}:place", "n2").on("n2").id == guard
    assert correct(state, f"unit.{guard}:place", "reserve").unit(guard).where == "reserve"


def test_with_the_map_on_the_table_a_unit_is_put_on_a_terrain() -> None:
    state = on_the_table()
    levy = code(state, "b levy")
    moved = correct(state, f"unit.{levy}:place", "on.swamp")
    assert (moved.unit(levy).terrain, moved.unit(levy).at) == ("swamp", None)
    assert correct(moved, f"unit.{levy}:place", "on.field") == state
    elsewhere = state.with_unit(levy, terrain="Moon dust")
    assert "on.Moon dust" in choices(elsewhere, f"unit.{levy}:place")


@pytest.mark.clause("PT-64")
def test_nobody_loses_the_last_unit_by_a_correction() -> None:
    state = few()
    assert no(state, "unit.b0.1:place", "captured") == "PT-64"
    assert correct(state, "unit.b0.1:place", "reserve").unit("b0.1").where == "reserve"


@pytest.mark.clause("PT-94", "PT-98")
def test_kickers_after_all_changes() -> None:
    state = standing()
    levy = code(state, "b levy")
    assert value_of(state, f"unit.{levy}:melee.offence") == 2
    plain = correct(state, f"unit.{levy}:melee.offence", "0")
    assert plain.unit(levy).shifts == ()
    assert correct(plain, f"unit.{levy}:melee.offence", "2") == state
    both = correct(state, f"unit.{levy}:melee.defence", "1").unit(levy).shifts
    assert both == (Shift("melee", "offence", 2), Shift("melee", "defence", 1))
    kickers = {path.rpartition(":")[2] for path in tracked(state) if path.startswith(f"unit.{levy}:")}
    assert kickers == {"place", "melee.offence", "melee.defence", "ballistic.defence"}, "of skills that it has"
    captured = code(state, "b blade_guard.2")
    assert [path for path in tracked(state) if captured in path] == [f"unit.{captured}:place"]
    mage = code(state, "b ember_mage")
    assert value_of(state, f"unit.{mage}:third.offence") == 4, "as printed"
    dimmed = correct(state, f"unit.{mage}:third.offence", "1")
    assert dimmed.unit(mage).shifts == (Shift("third", "offence", -3),)
    assert correct(dimmed, f"unit.{mage}:third.offence", "4") == state
    given = state.with_unit(levy, shifts=(Shift("ballistic", "offence", 6),))
    assert value_of(given, f"unit.{levy}:ballistic.offence") == 6, "a skill that it has by its kicker alone"


@pytest.mark.clause("PT-21", "PT-22", "PT-A40")
def test_three_units_begin_on_the_map_wherever_they_are_put() -> None:
    state = setting("b levy m2, b levy.2 l2, b levy.3 m4", active="red")
    assert no(state, f"unit.{code(state, 'b bowman')}:place", "n2") == "PT-21"
    moved = correct(state, f"unit.{code(state, 'b levy.3')}:place", "n2")
    assert (moved.on("n2").id, moved.active) == (code(state, "b levy.3"), "red")
    back = correct(state, f"unit.{code(state, 'b levy.3')}:place", "reserve")
    assert (back.active, initial_deployment.left(back, "blue")) == ("red", 1)
    assert P.after(back, SetOut(code(back, "r prowler"), "m4"), seat="red").active == "red"
    assert "captured" not in choices(state, f"unit.{code(state, 'b levy')}:place")


@pytest.mark.clause("PT-21", "PT-24")
def test_the_last_unit_that_is_put_down_by_hand_begins_the_game() -> None:
    state = setting("b levy m2, b levy.2 l2, r prowler m3, r prowler.2 l3, r ravager n3")
    begun = correct(state, f"unit.{code(state, 'b bowman')}:place", "n2")
    assert (begun.phase, begun.turn, begun.active) == ("play", 1, "blue")
    assert correct(setting("b levy m2, b levy.2 l2"), "unit.b0.3:place", "n2").active == "red"


# The map


@pytest.mark.clause("PT-80", "PT-81")
def test_a_tile_is_another_one() -> None:
    state = standing()
    assert correct(state, "tile.m2.terrain", "forest").tile("m2") == Tile("m2", "forest")
    assert {"field", "hills", "swamp", "ruins"} <= set(choices(state, "tile.m2.terrain"))
    tunnel = correct(state, "tile.m2.grooves", "4,1")
    assert tunnel.tile("m2").grooves == (1, 4)
    assert correct(tunnel, "tile.m2.grooves", "").tile("m2").grooves is None
    odd = state.but(tiles=(*state.tiles, Tile("k4", "Moon dust")))
    assert "Moon dust" in choices(odd, "tile.k4.terrain")


@pytest.mark.clause("PT-26")
def test_a_tile_lies_elsewhere_and_takes_whoever_stands_there_with_it() -> None:
    state = standing()
    levy = code(state, "b levy")
    assert {"n1", "m6"} <= set(choices(state, "tile.m2.place"))
    assert not {"m1", "m5", "l2", "m0"} & set(choices(state, "tile.m2.place"))
    moved = correct(state, "tile.m2.place", "n1")
    assert (moved.unit(levy).at, moved.tile("n1").terrain, moved.tile("m2")) == ("n1", "field", None)
    assert moved.unit(levy).shifts == state.unit(levy).shifts
    assert correct(moved, "tile.n1.place", "m2") == state.but(last=Last())
    assert no(state, "tile.m2.place", "off") == "PT-26"
    gone = correct(state, "tile.m4.place", "off")
    assert (gone.tile("m4"), len(gone.tiles)) == (None, len(state.tiles) - 1)
    assert correct(gone, "map.new", "m4").tile("m4") == Tile("m4", "field")


@pytest.mark.clause("PT-18")
def test_a_map_has_room_for_forty_tiles() -> None:
    many = tuple(Tile(f"{file}{rank}", "field") for rank in range(2, 7) for file in "ijklmnop")
    full = standing().but(units=(), tiles=many, bases={"blue": "m1", "red": "m7"})
    assert no(full, "map.new", "h2") == "PT-18"
    assert no(building(), "left.0", "40") == "PT-18"
    late = basing().but(tiles=many)
    assert no(late, "drawn", "0") == "PT-18"


def test_a_base_lies_elsewhere() -> None:
    state = standing()
    assert correct(state, "base.red", "n4").bases == {"blue": "m1", "red": "n4"}
    assert "m5" in choices(state, "base.red")
    assert not {"m1", "m2"} & set(choices(state, "base.red"))
    assert "base.red" not in tracked(building())


@pytest.mark.clause("PT-13", "PT-15")
def test_what_is_in_the_bag_and_what_was_drawn() -> None:
    state = building()
    assert [value_of(state, f"left.{number}") for number in range(3)] == [3, 1, 1]
    assert correct(state, "left.1", "0").left == (0, 0, 0, 2)
    assert correct(state, "left.1", "2").left == (0, 0, 0, 1, 1, 2)
    other_one = correct(state, "drawn", "1")
    assert (other_one.drawn, other_one.left) == (1, (0, 0, 0, 2, 2)), "the one goes back, the other comes out"
    unknown = correct(state.but(left=(0,)), "drawn", "1")
    assert (unknown.drawn, unknown.left) == (1, (0,)), "there was no other in the bag: only its kind is corrected"


@pytest.mark.clause("PT-82", "PT-A37")
def test_the_tile_that_was_drawn_always_fits_somewhere() -> None:
    """A tunnel that is open all around fits before a groove only: the only one in front is that of m2."""
    bag = Bag(name="bag", tile=(TileCard(terrain="complex", count=2, grooves=SIDES), TileCard(terrain="field")))
    state = building("m2 complex 1+4, l1 complex 4, n1 complex 4", drawn=0, left=(0,), bag=bag)
    assert geometry.tile_places(state, 0) == {"m3": (0,)}
    assert no(state, "tile.m2.grooves", "4") == "PT-82"
    assert correct(state, "tile.m2.grooves", "1").tile("m2").grooves == (1,)
    assert choices(state.but(drawn=1), "drawn") == ["0", "1"]
    walled = state.but(tiles=(Tile("m2", "complex", (4,)), *state.tiles[1:]), drawn=1)
    assert choices(walled, "drawn") == ["1"]


@pytest.mark.clause("PT-18", "PT-19")
def test_a_tile_that_was_still_to_be_placed() -> None:
    state = basing()
    assert value_of(state, "drawn") == "none"
    assert choices(state, "drawn") == ["none", "0", "1", "2"]
    again = correct(state, "drawn", "1")
    assert (again.phase, again.drawn, again.active) == ("tiles", 1, "blue"), "two tiles lie: the third is Blue's"
    three = correct(state.but(tiles=(*state.tiles, Tile("m3", "field"))), "drawn", "1")
    assert three.active == "red"


# The course of the game


@pytest.mark.clause("PT-12", "PT-14", "PT-24")
def test_who_is_first_has_the_base_in_the_south() -> None:
    tiles = correct(building(), "game.first", "red")
    assert (tiles.first, tiles.active, tiles.bases) == ("red", "red", {"red": "m1"})
    base = correct(basing(), "game.first", "red")
    assert (base.active, base.bases) == ("blue", {"red": "m1"})
    out = correct(setting(""), "game.first", "red")
    assert (out.active, out.bases) == ("red", {"red": "m1", "blue": "m5"})
    play = correct(standing(), "game.first", "red")
    assert (play.first, play.active, play.bases) == ("red", "red", {"blue": "m1", "red": "m5"})
    assert correct(building(active="red"), "game.first", "red").active == "blue", "the second one places this tile"
    for state in (building(), basing(), setting("")):
        assert correct(correct(state, "game.first", "red"), "game.first", "blue") == state


@pytest.mark.clause("PT-25")
def test_whose_turn_it_is_and_which() -> None:
    state = standing()
    assert correct(state, "game.active", "blue").active == "blue"
    assert correct(state, "game.turn", "9").turn == 9
    assert correct(building(), "game.active", "red").active == "red"
    assert correct(setting(), "game.active", "red").active == "red"
    assert "game.active" not in tracked(basing())
    assert "game.active" not in tracked(STATES["first units of Red"]()), "Blue has nothing left to set out"


@pytest.mark.clause("PT-18", "PT-20", "PT-21")
def test_phases_before_the_first_turn() -> None:
    state = building()
    assert choices(state, "game.phase") == ["tiles", "second_base"]
    base = correct(state, "game.phase", "second_base")
    assert (base.phase, base.active, base.drawn, base.left) == ("second_base", "red", None, ())
    assert "game.phase" not in tracked(base)
    out = setting("b levy m2, r prowler m3")
    assert choices(out, "game.phase") == ["second_base", "setting_out", "play"]
    again = correct(out, "game.phase", "second_base")
    assert (again.bases, again.active, again.of("blue", "tile")) == ({"blue": "m1"}, "red", ())
    begun = correct(out, "game.phase", "play")
    assert (begun.phase, begun.turn, begun.active, begun.units) == ("play", 1, "blue", out.units)
    assert correct(setting(active="red"), "game.phase", "play").active == "blue"
    assert choices(setting("", map="table"), "game.phase") == ["setting_out", "play"]


def test_the_first_units_are_set_out_anew() -> None:
    state = correct(standing(), "game.phase", "setting_out")
    assert (state.phase, state.turn, state.active) == ("setting_out", 0, "blue")
    assert {unit.where for unit in state.units} == {"reserve"}
    assert state.unit("b0.1").shifts == standing().unit("b0.1").shifts


@pytest.mark.clause("PT-11")
def test_each_says_himself_that_the_faction_is_ready() -> None:
    state = STATES["one is ready"]()
    assert correct(state, "game.ready.blue", "false").ready == ()
    assert no(state, "game.ready.red", "true") == "PT-11"


@pytest.mark.clause("PT-64", "PT-A43")
def test_who_won_and_that_nobody_did() -> None:
    for winner, said in (("blue", "Blue wins."), ("draw", "The game ends in a draw.")):
        won = correct(standing(), "game.winner", winner)
        assert (won.winner, won.how, won.phase, list(tracked(won))) == (winner, None, "finished", ["game.winner"])
        assert speak(GAME.view(won, SCREEN).headline, lambda key: GAME.words.find(key, "en") or key) == said
    other = correct(STATES["won"](), "game.winner", "blue")
    assert (other.winner, other.how, other.phase) == ("blue", None, "finished")
    again = correct(STATES["won"](), "game.winner", "none")
    assert (again.winner, again.how, again.phase, again.active) == (None, None, "play", "red")


@pytest.mark.clause("PT-A42")
def test_a_game_that_was_won_goes_on_even_if_a_player_has_nobody_left() -> None:
    state = correct(lost(), "game.winner", "none")
    assert [offer.action for offer in GAME.offers(correct(state, "game.active", "blue"), "blue")] == ["pass", "concede"]
    assert (P.after(state, Deploy(code(state, "r ravager"), "m4")).winner, state.phase) == ("red", "play")
    ends = ["Blue has no unit left, so the game ends with this turn. To play on, put one back by hand."]
    assert [BY_HAND.advised(state, seat) for seat in ("blue", "red", SCREEN)] == [ends] * 3
    back = correct(state, "unit.b0.1:place", "m2")
    assert BY_HAND.advised(back) == []
    assert P.after(back, Deploy(code(back, "r ravager"), "m4")).phase == "play"


@pytest.mark.parametrize("name", [name for name in STATES if not STATES[name]().over])
def test_who_gave_up_goes_on_where_it_stood(name: str) -> None:
    state = STATES[name]()
    given_up = P.after(state, Concede(), seat="red")
    assert given_up.phase == "finished"
    assert correct(given_up, "game.winner", "none") == state
