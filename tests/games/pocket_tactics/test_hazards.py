"""Dangerous tiles and random movement in Pocket-Tactics, over facts (PT-70 to PT-87)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.pocket_tactics import hazards
from companion.games.pocket_tactics.hazards import Fate, Mover
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.terrain import Land, Spot
from companion.kit.questions import Throw
from companion.kit.ruling import Fighter, Harm
from companion.kit.text import Text, say
from tests.support.playing import Scripted, clauses
from tests.support.pocket_tactics_lands import Script
from tests.support.pocket_tactics_positions import P

LOSS = Harm(Fighter("b0.1", "blue", Text("levy"), "m2"), 0, "gone")
FIELD = {"terrain": "field", "occupied_by": None}
ICE, WATER, CAVE = Spot("ice", at="to"), Spot("water", at="to"), Spot("cave", at="to")
NOWHERE = Script()


def mover(*affinities: str, **options: Any) -> Mover:
    return Mover("blue", say("Levy"), affinities, Options(**options), "b0.1", LOSS)


def thrown(ask: Scripted) -> list[str]:
    """The keys of the dice that were thrown, in order."""
    return [question.key for question in ask.asked if isinstance(question, Throw)]


def leave(spot: Spot, towards: str, how: Any, *dice: int, land: Land = NOWHERE, **options: Any) -> Fate | None:
    ask = Scripted(*dice)
    fate = hazards.leaving(mover(**options), spot, towards, how, land, ask)
    ask.finish("PT-70")
    P.check(ask.reasons)
    return fate


def enter(spot: Spot, *dice: int, land: Land = NOWHERE, who: Mover | None = None) -> Fate:
    ask = Scripted(*dice)
    fate = hazards.entering(who or mover(), spot, land, ask)
    ask.finish("PT-70")
    P.check(ask.reasons)
    return fate


def slide(beyond: Any, *dice: int, owner: Any = "mover", **options: Any) -> Fate:
    """A random movement in direction 1, with what lies there."""
    ask = Scripted(1, *dice)
    fate = hazards.random_move(mover(**options), Spot("ice", at="to"), Script({"to": beyond}, owner=owner), ask)
    ask.finish("PT-83")
    P.check(ask.reasons)
    return fate


@pytest.mark.clause("PT-70", "PT-73", "PT-79")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize(("spot", "lost"), [(CAVE, "reserve"), (WATER, "captured")])
def test_caves_and_water_are_tested_by_one_die_on_the_way_in(spot: Spot, lost: Any, face: int) -> None:
    assert enter(spot, face) == (Fate(lost) if face <= 3 else Fate("there", spot))


@pytest.mark.clause("PT-74", "PT-75")
@pytest.mark.parametrize("face", range(1, 7))
def test_ice_lets_slip_on_one_or_two(face: int) -> None:
    land = Script({"to": {"4": FIELD}})
    assert enter(ICE, face, *([4] if face <= 2 else []), land=land) == (
        Fate("there", Spot("field", at="to.4"), directions=(4,)) if face <= 2 else Fate("there", ICE)
    )


@pytest.mark.clause("PT-A23")
@pytest.mark.parametrize("terrain", ["labyrinth", "swamp", "forest", "complex", "Moon dust"])
def test_other_tiles_are_not_tested_on_the_way_in(terrain: str) -> None:
    assert enter(Spot(terrain)) == Fate("there", Spot(terrain))


@pytest.mark.clause("PT-A23")
@pytest.mark.parametrize("terrain", ["cave", "water", "field"])
@pytest.mark.parametrize("how", ["move", "melee", "ranged"])
def test_other_tiles_are_not_tested_on_the_way_out(terrain: str, how: str) -> None:
    assert leave(Spot(terrain), "ice", how) is None


@pytest.mark.clause("PT-78")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("how", ["move", "melee", "ranged"])
@pytest.mark.parametrize("towards", ["field", "labyrinth", ""])
def test_a_swamp_holds_whoever_wants_out_of_it(how: str, face: int, towards: str) -> None:
    assert leave(Spot("swamp"), towards, how, face) == (Fate("stays") if face <= 3 else None)


@pytest.mark.clause("PT-76", "PT-77")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("how", ["move", "melee", "ranged"])
@pytest.mark.parametrize("towards", ["field", "swamp", ""])
def test_whoever_is_lost_in_a_labyrinth_goes_where_the_opponent_wants(how: str, face: int, towards: str) -> None:
    land = Script(opponent=Spot("hills", at="x9"))
    expected = Fate("there", Spot("hills", at="x9"), sent=True) if face <= 3 else None
    assert leave(Spot("labyrinth"), towards, how, face, land=land) == expected


@pytest.mark.clause("PT-77", "PT-A28")
def test_nobody_is_sent_anywhere_when_no_tile_is_free() -> None:
    assert leave(Spot("labyrinth"), "field", "move", 1) == Fate("stays")


@pytest.mark.clause("PT-74", "PT-A25")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("how", ["move", "melee"])
@pytest.mark.parametrize("towards", ["field", "ice", ""])
def test_ice_is_tested_before_it_is_left_and_slipping_takes_the_place_of_the_action(
    how: str, face: int, towards: str
) -> None:
    land = Script({"from": {"6": FIELD}})
    dice = (face, 6) if face <= 2 else (face,)
    expected = Fate("there", Spot("field", at="from.6"), directions=(6,)) if face <= 2 else None
    assert leave(Spot("ice", at="from"), towards, how, *dice, land=land) == expected


@pytest.mark.clause("PT-A25")
def test_a_ranged_assault_does_not_leave_the_ice() -> None:
    assert leave(Spot("ice"), "field", "ranged") is None


@pytest.mark.clause("PT-A26")
@pytest.mark.parametrize("terrain", ["labyrinth", "swamp", "Pantano", "laberinto"])
@pytest.mark.parametrize("how", ["move", "melee", "ranged"])
def test_joined_labyrinths_and_swamps_are_one_area(terrain: str, how: str) -> None:
    same = {"Pantano": "swamp", "laberinto": "labyrinth"}.get(terrain, terrain)
    assert leave(Spot(same), terrain, how) is None
    assert leave(Spot(same), terrain, how, 4, contiguous_exit_terrain_is_one=False) is None
    land = Script(opponent=Spot("field", at="x9"))
    assert leave(Spot(same), terrain, how, 1, land=land, contiguous_exit_terrain_is_one=False) is not None


@pytest.mark.clause("PT-A27")
@pytest.mark.parametrize("terrain", ["labyrinth", "swamp"])
def test_ranged_assaults_leave_labyrinths_and_swamps_untested_where_that_was_agreed_on(terrain: str) -> None:
    land = Script(opponent=Spot("field", at="x9"))
    assert leave(Spot(terrain), "field", "ranged", exit_hazard_applies_to_ranged=False) is None
    assert leave(Spot(terrain), "field", "ranged", 3, land=land) is not None
    for how in ("move", "melee"):
        assert leave(Spot(terrain), "field", how, 3, land=land, exit_hazard_applies_to_ranged=False) is not None


@pytest.mark.clause("PT-71", "PT-A29", "PT-A24")
@pytest.mark.parametrize("face", range(1, 7))
def test_an_attacker_is_tested_by_caves_and_water_before_the_melee_and_by_ice_after_it(face: int) -> None:
    def charge(spot: Spot, *dice: int) -> Fate | None:
        ask = Scripted(*dice)
        fate = hazards.charging(mover(), spot, ask)
        ask.finish("PT-71")
        assert thrown(ask) == ["hazard_entry"] * len(dice)
        return fate

    assert charge(CAVE, face) == (Fate("reserve") if face <= 3 else None)
    assert charge(WATER, face) == (Fate("captured") if face <= 3 else None)
    assert charge(ICE) is None
    assert charge(Spot("swamp")) is None


@pytest.mark.clause("PT-74", "PT-A24", "PT-A29")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_victorious_attacker_is_tested_on_ice_and_nowhere_else(face: int) -> None:
    def stand(spot: Spot, *dice: int) -> Fate:
        ask = Scripted(*dice)
        fate = hazards.afterwards(mover(), spot, Script({"to": {"2": "own_base"}}), ask)
        ask.finish("PT-74")
        assert thrown(ask) == ["hazard_after", "direction"][: len(dice)]
        return fate

    dice = (face, 2) if face <= 2 else (face,)
    assert stand(ICE, *dice) == (Fate("reserve", directions=(2,)) if face <= 2 else Fate("there", ICE))
    for spot in (CAVE, WATER, Spot("labyrinth"), Spot("field")):
        assert stand(spot) == Fate("there", spot)


@pytest.mark.clause("PT-A30")
@pytest.mark.parametrize("terrain", ["cave", "ice", "water"])
@pytest.mark.parametrize("home", ["same", "other"])
def test_affinity_protects_only_where_that_was_agreed_on(terrain: str, home: str) -> None:
    homes = ("field", {"cave": "Cueva", "ice": "hielo", "water": "AGUA"}[terrain]) if home == "same" else ("field",)
    spot = Spot(terrain, at="to")
    protected = mover(*homes, favoured_terrain_ignores_hazard=True)
    assert enter(spot, *([] if home == "same" else [6]), who=protected) == Fate("there", spot)
    assert enter(spot, 6, who=mover(*homes)) == Fate("there", spot)
    ask = Scripted()
    assert hazards.charging(mover("cave", "water", favoured_terrain_ignores_hazard=True), spot, ask) is None


@pytest.mark.clause("PT-A30")
@pytest.mark.parametrize("terrain", ["ice", "labyrinth", "swamp"])
def test_affinity_protects_on_the_way_out_too(terrain: str) -> None:
    ask = Scripted()
    who = mover(terrain, favoured_terrain_ignores_hazard=True)
    assert hazards.leaving(who, Spot(terrain), "field", "move", NOWHERE, ask) is None
    ask = Scripted(6)
    assert hazards.leaving(who._replace(options=Options()), Spot(terrain), "field", "move", NOWHERE, ask) is None
    assert thrown(ask) == ["hazard_exit"]


@pytest.mark.clause("PT-83", "PT-A31")
@pytest.mark.parametrize(
    ("directions", "expected"),
    [
        ("n_clockwise", (1, 2, 3, 4, 5, 6)),
        ("ne_clockwise", (2, 3, 4, 5, 6, 1)),
        ("se_clockwise", (3, 4, 5, 6, 1, 2)),
        ("s_clockwise", (4, 5, 6, 1, 2, 3)),
        ("sw_clockwise", (5, 6, 1, 2, 3, 4)),
        ("nw_clockwise", (6, 1, 2, 3, 4, 5)),
        ("n_counter", (1, 6, 5, 4, 3, 2)),
        ("ne_counter", (2, 1, 6, 5, 4, 3)),
        ("se_counter", (3, 2, 1, 6, 5, 4)),
        ("s_counter", (4, 3, 2, 1, 6, 5)),
        ("sw_counter", (5, 4, 3, 2, 1, 6)),
        ("nw_counter", (6, 5, 4, 3, 2, 1)),
    ],
)
def test_each_face_leads_in_its_direction(directions: Any, expected: tuple[int, ...]) -> None:
    everywhere = Script({"to": {str(way): FIELD for way in range(1, 7)}})
    for face, way in zip(range(1, 7), expected, strict=True):
        fate = hazards.random_move(mover(direction_map=directions), ICE, everywhere, Scripted(face))
        assert fate == Fate("there", Spot("field", at=f"to.{way}"), directions=(way,))


@pytest.mark.clause("PT-84")
@pytest.mark.parametrize(
    ("terrain", "dice", "where"),
    [
        ("field", (), "there"),
        ("swamp", (), "there"),
        ("cave", (4,), "there"),
        ("cave", (3,), "reserve"),
        ("water", (4,), "there"),
        ("water", (3,), "captured"),
        ("ice", (3,), "there"),
    ],
)
def test_whoever_slides_onto_an_empty_tile_is_tested_there(terrain: str, dice: tuple[int, ...], where: Any) -> None:
    fate = slide({"1": {"terrain": terrain, "occupied_by": None}}, *dice)
    assert fate == Fate(where, Spot(terrain, at="to.1") if where == "there" else None, directions=(1,))


@pytest.mark.clause("PT-85", "PT-A34")
@pytest.mark.parametrize("beyond", ["void", "enemy_base", {"terrain": "water", "occupied_by": "enemy"}])
def test_a_gap_the_enemy_base_and_an_enemy_capture_whoever_slides_there(beyond: Any) -> None:
    assert slide({"1": beyond}) == Fate("captured", directions=(1,))


@pytest.mark.clause("PT-87")
def test_whoever_slides_into_the_own_base_goes_back_to_reserve() -> None:
    assert slide({"1": "own_base"}) == Fate("reserve", directions=(1,))


@pytest.mark.clause("PT-86", "PT-A33")
@pytest.mark.parametrize("terrain", ["field", "water"])
def test_a_friend_or_the_one_who_slides_goes_to_reserve(terrain: str) -> None:
    """The mover who leaves never lands: no test. The one who takes the tile is tested as anywhere."""
    friend = {"1": {"terrain": terrain, "occupied_by": "ally"}}
    stood = Spot(terrain, "ally", "to.1", "to.1")
    assert slide(friend, owner="mover") == Fate("reserve", directions=(1,))
    test = () if terrain == "field" else (4,)
    landed = Fate("there", Spot(terrain, at="to.1"), friends_leave=(stood,), directions=(1,))
    assert slide(friend, *test, owner="resident") == landed
    if terrain == "water":
        drowned = Fate("captured", friends_leave=(stood,), directions=(1,))
        assert slide(friend, 2, owner="resident") == drowned


@pytest.mark.clause("PT-A32")
def test_a_tunnel_wall_stops_whoever_slides() -> None:
    assert slide({"1": "wall"}) == Fate("stays", directions=(1,))
    assert enter(ICE, 1, 1, land=Script({"to": {"1": "wall"}})) == Fate("there", ICE, directions=(1,))


@pytest.mark.clause("PT-A32")
@pytest.mark.parametrize(
    ("past", "fate"),
    [
        ("void", Fate("captured", directions=(1,))),
        ("own_base", Fate("reserve", directions=(1,))),
        (FIELD, Fate("there", Spot("field", at="to.1"), directions=(1,))),
    ],
)
def test_walls_do_not_matter_where_that_was_agreed_on(past: Any, fate: Fate) -> None:
    assert slide({"1": "wall", "1 past": past}, random_move_walls="ignore") == fate


@pytest.mark.clause("PT-A25", "PT-84")
def test_ice_is_tested_again_and_again_while_sliding() -> None:
    far = {"terrain": "ice", "occupied_by": None, "neighbours": {"6": "void"}}
    near = {"terrain": "ice", "occupied_by": None, "neighbours": {"5": far}}
    ask = Scripted(1, 4, 2, 5, 1, 6)
    fate = hazards.entering(mover(), ICE, Script({"to": {"4": near}}), ask)
    assert fate == Fate("captured", directions=(4, 5, 6))
    assert thrown(ask) == ["hazard_entry", "direction"] * 3


@pytest.mark.clause("PT-86")
def test_several_friends_may_make_room_for_one_slide() -> None:
    far = {"terrain": "cave", "occupied_by": "ally"}
    near = {"terrain": "ice", "occupied_by": "ally", "neighbours": {"1": far}}
    land = Script({"to": {"1": near}}, owner="resident")
    fate = hazards.random_move(mover(), ICE, land, Scripted(1, 2, 1, 3))
    friends = (Spot("ice", "ally", "to.1", "to.1"), Spot("cave", "ally", "to.1.1", "to.1.1"))
    assert fate == Fate("reserve", friends_leave=friends, directions=(1, 1))


@pytest.mark.clause("PT-A28")
def test_where_the_labyrinth_leads_is_tested_unless_agreed_otherwise() -> None:
    def sent(terrain: str, *dice: int, **options: Any) -> Fate | None:
        land = Script({"x9": {"3": "void"}}, opponent=Spot(terrain, at="x9"))
        return leave(Spot("labyrinth", at="from"), "field", "move", 1, *dice, land=land, **options)

    assert sent("water", 5) == Fate("there", Spot("water", at="x9"), sent=True)
    assert sent("water", 3) == Fate("captured", sent=True)
    assert sent("cave", 3) == Fate("reserve", sent=True)
    assert sent("ice", 2, 3) == Fate("captured", directions=(3,), sent=True)
    for terrain in ("water", "cave", "ice"):
        assert sent(terrain, labyrinth_entry_tests=False) == Fate("there", Spot(terrain, at="x9"), sent=True)


@pytest.mark.clause("PT-70")
def test_every_test_says_what_it_needed_and_what_came_up() -> None:
    ask = Scripted(2, 4, 3)
    land = Script({"to": {"4": {"terrain": "water", "occupied_by": None}}})
    hazards.entering(mover(), ICE, land, ask)
    assert P.told(ask.reasons) == [
        "Levy slips on the ice (needed: 3 or more)",
        "Levy slides: South",
        "Levy ends on an empty tile: to.4, water",
        "Levy drowns and is captured (needed: 4 or more)",
    ]
    assert clauses(ask.reasons) == ["PT-75", "PT-83", "PT-84", "PT-79"]
    assert [reason.faces for reason in ask.reasons] == [(2,), (4,), (), (3,)]
    assert all(reason.marks == (("b0.1", "acting"),) for reason in ask.reasons)
    assert [question.by for question in ask.asked if isinstance(question, Throw)] == ["blue"] * 3


@pytest.mark.clause("PT-A34", "PT-79", "PT-85")
@pytest.mark.parametrize(
    ("spot", "dice", "harmed"),
    [(WATER, (3,), 1), (WATER, (4,), 0), (CAVE, (1,), 0), (ICE, (1, 2), 1), (ICE, (1, 1), 0)],
)
def test_who_is_lost_to_chance_counts_in_the_statistics(spot: Spot, dice: tuple[int, ...], harmed: int) -> None:
    ask = Scripted(*dice)
    hazards.entering(mover(), spot, Script({"to": {"1": FIELD, "2": "void"}}), ask)
    assert [harm for reason in ask.reasons for harm in reason.harm] == [LOSS] * harmed


@pytest.mark.clause("PT-A47")
def test_a_hazard_test_is_one_throw_of_one_die() -> None:
    ask = Scripted(1)
    hazards.entering(mover("cave"), CAVE, NOWHERE, ask)
    (question,) = ask.asked
    assert isinstance(question, Throw)
    assert (question.count, question.sides) == (1, 6)
