"""Fire at a table of 2GM Tactics: who may shoot at what, what covers it, what the harm does."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm import aiming, fire, shooting
from companion.games.tactics_2gm.cards import Weapon
from companion.games.tactics_2gm.fire import Fire
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.shooting import FACES, Numbers
from companion.games.tactics_2gm.state import Attached, Mark, State, Token
from companion.kit.panels import Board
from companion.kit.text import speak
from tests.support.armed import armed, made_of
from tests.support.playing import clauses, options_of
from tests.support.tactics_2gm_positions import Scripted, after, battle, english, no, offered, refusal, ruled, told


def firing(unit: str, weapon: str, target: str, **more: Any) -> Fire:
    return Fire(unit, weapon, target, **more)


def numbers(state: State, unit: str, weapon: str, target: str, **more: Any) -> Numbers:
    """The hit and the critical number of a shot at a table."""
    shot = aiming.shot_of(state, state.unit(unit), weapon, aiming.find_target(state, target), **more)
    return shooting.numbers(shot)


def marked(state: State, unit: str, **changes: Any) -> State:
    return state.with_unit(unit, **changes)


DUEL = "a1 light_infantry d3, x1 light_infantry d4"


@pytest.mark.clause("G2-65", "G2-111", "G2-118")
def test_a_hit_marks_wounds_and_is_told_for_the_statistics() -> None:
    ruling = ruled(battle(DUEL), firing("a1", "w0", "x1"), 5)
    assert ruling.outcome.unit("x1").wounds == 1
    (harm,) = [harm for reason in ruling.reasons for harm in reason.harm]
    assert (harm.to.id, harm.to.side, harm.hits, harm.fate) == ("x1", "axis", 1, "hit")
    assert harm.by is not None
    assert harm.by.id == "a1"


@pytest.mark.clause("G2-66", "G2-112")
def test_the_last_wound_destroys() -> None:
    ruling = ruled(battle("a1 light_infantry d3, x1 light_infantry d4 2w"), firing("a1", "w0", "x1"), 5)
    assert ruling.outcome.find("x1") is None
    assert ruling.outcome.lost == {"axis": 1}
    (harm,) = [harm for reason in ruling.reasons for harm in reason.harm]
    assert (harm.to.id, harm.hits, harm.fate) == ("x1", 1, "gone")
    assert harm.by is not None
    assert harm.by.id == "a1"
    assert "G2-112" in clauses(ruling.reasons)


@pytest.mark.clause("G2-104")
def test_a_critical_destroys_whatever_wounds_it_has() -> None:
    ruling = ruled(battle(DUEL), firing("a1", "w0", "x1"), 10)
    assert ruling.outcome.find("x1") is None
    assert clauses(ruling.reasons)[-1] == "G2-104"


@pytest.mark.clause("G2-97")
def test_each_weapon_fires_once_a_turn() -> None:
    state = after(battle(DUEL), firing("a1", "w0", "x1"), 1)
    assert no(state, firing("a1", "w0", "x1")) == "G2-97"
    assert offered(state, "fire") == []


@pytest.mark.clause("G2-98", "G2-99")
def test_every_weapon_fires_at_the_same_target_or_at_another() -> None:
    state = battle("a1 heavy_infantry d3 +mortar, x1 light_infantry d4, x2 light_infantry d5")
    first = after(state, firing("a1", "w0", "x1"), 5)
    assert after(first, firing("a1", "mortar", "x1"), 6).find("x1") is None
    assert after(first, firing("a1", "mortar", "x2"), 6).unit("x2").wounds == 2


@pytest.mark.clause("G2-98")
def test_a_weapon_that_it_does_not_have_is_refused() -> None:
    assert no(battle(DUEL), firing("a1", "mortar", "x1")) == "G2-97"
    assert no(battle(DUEL), firing("a1", "w1", "x1")) == "G2-97"


@pytest.mark.clause("G2-100")
@pytest.mark.parametrize("square", ["d4", "d2", "c3", "e3"])
def test_fire_goes_any_way(square: str) -> None:
    state = battle(f"a1 light_infantry d3, x1 light_infantry {square}")
    assert after(state, firing("a1", "w0", "x1"), 5).unit("x1").wounds == 1


@pytest.mark.clause("G2-59", "G2-101", "G2-102")
@pytest.mark.parametrize(
    ("square", "reached"), [("d5", True), ("e4", True), ("d6", False), ("e5", False), ("f4", False)]
)
def test_distance_is_counted_in_squares_and_beyond_the_range_nothing_is_used_up(square: str, *, reached: bool) -> None:
    state = battle(f"a1 light_infantry d3, x1 light_infantry {square}, x2 light_infantry d4")
    targets = options_of(offered(state, "fire")[0], "target")
    assert ("x1" in targets) is reached
    if not reached:
        refused = refusal(state, firing("a1", "w0", "x1"))
        assert (refused.clause, refused.field) == ("G2-101", "distance")
        assert after(state, firing("a1", "w0", "x2"), 5).unit("x2").wounds == 1


@pytest.mark.clause("G2-29", "G2-31", "G2-102")
@pytest.mark.parametrize(("square", "away"), [("d6", 1), ("e6", 1), ("c6", 2), ("d5", 2), ("d4", 3), ("a6", 4)])
def test_a_headquarters_lies_behind_the_middle_of_its_line(square: str, away: int) -> None:
    state = battle(f"a1 m4_sherman {square}")
    assert aiming.apart(state.unit("a1"), aiming.find_target(state, "hq_axis")) == away
    reached = bool(offered(state, "fire"))
    assert reached is (away <= 3)
    if not reached:
        assert no(state, firing("a1", "w0", "hq_axis")) == "G2-101"


@pytest.mark.clause("G2-31", "G2-33")
def test_a_headquarters_loses_points_by_a_critical_too() -> None:
    ruling = ruled(battle("a1 m4_sherman d5"), firing("a1", "w0", "hq_axis"), 10)
    assert [hq.pi for hq in ruling.outcome.headquarters] == [10, 8]
    (harm,) = [harm for reason in ruling.reasons for harm in reason.harm]
    assert (harm.to.id, harm.to.side, harm.hits, harm.fate) == ("hq_axis", "axis", 2, "hit")


@pytest.mark.clause("G2-31", "G2-32")
def test_a_headquarters_without_points_is_gone() -> None:
    state = battle("a1 m4_sherman d5").with_hq("hq_axis", pi=1)
    ruling = ruled(state, firing("a1", "w0", "hq_axis"), 5)
    assert ruling.outcome.headquarters[1].pi == 0
    assert [harm.fate for reason in ruling.reasons for harm in reason.harm] == ["gone"]


@pytest.mark.clause("G2-99")
def test_own_units_and_the_own_headquarters_are_no_targets() -> None:
    state = battle("a1 light_infantry d1, a2 light_infantry d2, x1 light_infantry d3")
    assert no(state, firing("a1", "w0", "a2")) == "G2-99"
    assert no(state, firing("a1", "w0", "hq_allies")) == "G2-99"
    assert options_of(offered(state, "fire")[0], "target") == ["x1"]


@pytest.mark.clause("G2-139", "G2-140")
def test_aircraft_that_wait_neither_fire_nor_are_shot_at() -> None:
    state = battle("a1 light_infantry d6, a2 fighter_plane, x1 fighter_plane, x2 light_infantry d5")
    assert no(state, firing("a1", "w0", "x1")) == "G2-139"
    assert no(state, firing("a2", "w0", "x2")) == "G2-140"
    assert {offer.given["unit"] for offer in offered(state, "fire")} == {"a1"}
    assert "x1" not in options_of(offered(state, "fire")[0], "target")


@pytest.mark.clause("G2-69", "G2-71", "G2-113")
def test_equipment_with_the_arrow_is_turned_over_once_used() -> None:
    state = battle("a1 m4_sherman d3 +mg_1 +mg_2, x1 light_infantry d4", turn=5)
    ruling = ruled(state, firing("a1", "mg_1", "x1"), 1)
    assert ruling.outcome.unit("a1").tokens == (Token("mg_1", used=5), Token("mg_2"))
    assert "machine gun: turned over to its grey side" in told(ruling.reasons)


@pytest.mark.clause("G2-70")
def test_a_grey_token_fires_nothing() -> None:
    state = battle("a1 m4_sherman d3 +mg_1, x1 light_infantry d4", turn=5)
    state = marked(state, "a1", tokens=(Token("mg_1", used=3),))
    assert no(state, firing("a1", "mg_1", "x1")) == "G2-70"
    assert [offer.given["weapon"] for offer in offered(state, "fire")] == ["w0"]


@pytest.mark.clause("G2-114")
def test_equipment_without_the_arrow_stays() -> None:
    state = battle("a1 light_infantry d3 +grenade, x1 light_infantry d4")
    assert after(state, firing("a1", "grenade", "x1"), 6).unit("a1").tokens == (Token("grenade"),)


@pytest.mark.clause("G2-71", "G2-113")
def test_a_weapon_of_the_card_with_the_arrow_is_turned_over_too() -> None:
    state = battle(DUEL, turn=3)
    roster = state.rosters["allies"]
    rocket = Weapon(name="rocket", range=2, hit=5, crit=10, penetration=2, damage=1, flips=True)
    known = {**state.rosters, "allies": replace(roster, unit=(replace(roster.unit[0], weapon=(rocket,)),))}
    fired = after(state.but(rosters=known), firing("a1", "w0", "x1"), 1)
    assert fired.unit("a1").tokens == (Token("w0", used=3),)
    assert no(marked(fired, "a1", fired=()), firing("a1", "w0", "x1")) == "G2-70"


@pytest.mark.clause("G2-71", "G2-113")
def test_the_arrow_on_the_token_is_enough() -> None:
    state = battle("a1 light_infantry d3 +grenade, x1 light_infantry d4", turn=3)
    roster = state.rosters["allies"]
    card = roster.unit[0]
    arrowed = replace(card, option=tuple(replace(one, flips=True) for one in card.option))
    known = {**state.rosters, "allies": replace(roster, unit=(arrowed, *roster.unit[1:]))}
    fired = after(state.but(rosters=known), firing("a1", "grenade", "x1"), 1)
    assert fired.unit("a1").tokens == (Token("grenade", used=3),)


@pytest.mark.clause("G2-106", "G2-107", "G2-125")
@pytest.mark.parametrize(
    ("terrain", "found"), [("barrier", (6, 10)), ("trench", (6, 10)), ("wall", (6, 10)), ("house", (7, 10))]
)
def test_terrain_covers_who_stands_on_it(terrain: str, found: tuple[int, int]) -> None:
    state = battle(DUEL, grounds=f"{terrain} d4 axis")
    assert numbers(state, "a1", "w0", "x1") == found
    assert numbers(state, "x1", "w0", "a1") == (5, 10)


@pytest.mark.clause("G2-107")
def test_a_wall_adds_to_the_critical_number_and_a_barrier_does_not() -> None:
    units = "a1 m4_sherman d3, x1 light_infantry d4"
    assert numbers(battle(units, grounds="wall d4 allies"), "a1", "w0", "x1") == (6, 10)
    assert numbers(battle(units, grounds="barrier d4 allies"), "a1", "w0", "x1") == (6, 9)


@pytest.mark.clause("G2-106", "G2-107")
@pytest.mark.parametrize(("terrain", "told"), [("wall", ("G2-107", (1, 1))), ("barrier", ("G2-106", (1, 0)))])
def test_medium_cover_is_told_by_its_own_clause(terrain: str, told: tuple[str, tuple[int, int]]) -> None:
    state = battle(DUEL, grounds=f"{terrain} d4 axis")
    shot = aiming.shot_of(state, state.unit("a1"), "w0", aiming.find_target(state, "x1"))
    assert [(clause, how) for _, clause, how in shot.modifiers] == [told]


@pytest.mark.clause("G2-106", "G2-108")
def test_prone_makes_it_harder_to_hit() -> None:
    state = battle("a1 light_infantry d3, x1 light_infantry d4 +prone", grounds="wall d4 axis")
    assert numbers(state, "a1", "w0", "x1") == (7, 10)


@pytest.mark.clause("G2-62", "G2-106", "G2-164")
def test_cards_and_noted_effects_add_on_either_side() -> None:
    state = battle(DUEL)
    veterans = next(at for at, card in enumerate(state.rosters["allies"].cards) if card.name == "veterans")
    shovel = next(at for at, card in enumerate(state.rosters["axis"].cards) if card.name == "shovel")
    state = marked(state, "a1", cards=(Attached(f"{veterans}.0", "allies"),), marks=(Mark("scope", "allies", (0, -3)),))
    assert numbers(state, "a1", "w0", "x1") == (4, 7)
    state = marked(state, "x1", cards=(Attached(f"{shovel}.0", "axis"),), marks=(Mark("dust", "axis", cover=(1, 1)),))
    assert numbers(state, "a1", "w0", "x1") == (6, 8)


@pytest.mark.clause("G2-116", "G2-117")
@pytest.mark.parametrize(("wounds", "found"), [(1, (6, 10)), (2, (7, 10)), (4, (8, 10))])
def test_wounds_of_the_shooter_count_and_those_of_the_target_do_not(wounds: int, found: tuple[int, int]) -> None:
    state = marked(battle(DUEL), "a1", wounds=wounds)
    assert numbers(state, "a1", "w0", "x1") == found
    assert numbers(state, "x1", "w0", "a1") == (5, 10)


@pytest.mark.clause("G2-64", "G2-110")
def test_armour_counts_with_cards_and_effects() -> None:
    state = marked(battle(DUEL), "x1", marks=(Mark("plates", "axis", armour=2),))
    ruling = ruled(state, firing("a1", "w0", "x1"), 10)
    assert ruling.outcome.unit("x1").wounds == 0
    assert "G2-110" in clauses(ruling.reasons)


IN_A_HOUSE = "a1 m4_sherman d3, a2 light_infantry c4, x1 light_infantry d4"


@pytest.mark.clause("G2-131", "G2-132", "G2-135")
def test_the_unit_inside_a_building_has_its_cover_and_armour() -> None:
    state = battle(IN_A_HOUSE, grounds="house d4 allies")
    assert numbers(state, "a1", "w0", "x1") == (7, 10)
    ruling = ruled(state, firing("a2", "w0", "x1"), 7)
    assert ruling.outcome.unit("x1").wounds == 1
    assert "armour 2: penetration 2 goes through" in told(ruling.reasons)
    assert after(state, firing("a1", "w0", "x1"), 10).find("x1") is None


@pytest.mark.clause("G2-133", "G2-134")
def test_the_shooter_names_the_building_and_it_has_no_cover_and_takes_no_critical() -> None:
    state = battle(IN_A_HOUSE, grounds="house d4 axis")
    assert numbers(state, "a1", "w0", "g1") == (5, 9)
    shot_at = after(state, firing("a1", "w0", "g1"), 9)
    assert (shot_at.grounds[0].pi, shot_at.grounds[0].ruin, shot_at.unit("x1").wounds) == (3, False, 0)
    assert {"x1", "g1"} <= set(options_of(offered(state, "fire")[0], "target"))


@pytest.mark.clause("G2-133", "G2-110")
def test_a_building_has_the_armour_of_its_card() -> None:
    state = battle("a1 command_group d3, x1 light_infantry d5", grounds="house d4 axis")
    ruling = ruled(state, firing("a1", "w0", "g1"), 10)
    assert ruling.outcome.grounds[0].pi == 5
    assert "armour 2: penetration 1 does no harm" in told(ruling.reasons)


@pytest.mark.clause("G2-116", "G2-A40")
def test_a_damaged_building_covers_the_unit_inside_as_before() -> None:
    state = battle(IN_A_HOUSE, grounds="house d4 allies")
    damaged = state.with_ground("g1", pi=1)
    assert numbers(damaged, "a1", "w0", "x1") == numbers(state, "a1", "w0", "x1") == (7, 10)
    assert numbers(damaged, "a1", "w0", "g1") == (5, 9)
    assert "armour 2: penetration 2 goes through" in told(ruled(damaged, firing("a2", "w0", "x1"), 7).reasons)


@pytest.mark.clause("G2-136", "G2-137")
def test_a_building_without_points_is_a_ruin_and_takes_the_unit_inside_with_it() -> None:
    state = battle(IN_A_HOUSE, grounds="house d4 axis").with_ground("g1", pi=2)
    ruling = ruled(state, firing("a1", "w0", "g1"), 5)
    ground = ruling.outcome.grounds[0]
    assert (ground.pi, ground.ruin, ruling.outcome.find("x1")) == (0, True, None)
    assert {"G2-136", "G2-137"} <= set(clauses(ruling.reasons))


@pytest.mark.clause("G2-137")
def test_a_ruin_covers_by_its_own_numbers_and_is_no_target_any_more() -> None:
    state = battle(IN_A_HOUSE, grounds="house d4 axis").with_ground("g1", pi=0, ruin=True)
    assert numbers(state, "a1", "w0", "x1") == (6, 10)
    refused = refusal(state, firing("a1", "w0", "g1"))
    assert (refused.clause, refused.field) == ("G2-133", "target")
    assert options_of(offered(state, "fire")[0], "target") == ["x1"]
    ruling = ruled(state, firing("a2", "w0", "x1"), 6)
    assert "armour 1: penetration 2 goes through" in told(ruling.reasons)


@pytest.mark.clause("G2-133")
def test_terrain_that_is_no_building_is_not_shot_at() -> None:
    state = battle(DUEL, grounds="wall d4 axis")
    refused = refusal(state, firing("a1", "w0", "g1"))
    assert (refused.clause, refused.field) == ("G2-133", "target")
    assert options_of(offered(state, "fire")[0], "target") == ["x1"]


@pytest.mark.clause("G2-136")
def test_a_building_that_holds_an_own_unit_is_not_shot_at() -> None:
    state = battle("a1 m4_sherman d3, a2 light_infantry d4, x1 light_infantry d5", grounds="house d4 axis")
    assert no(state, firing("a1", "w0", "g1")) == "G2-136"
    assert options_of(offered(state, "fire")[0], "target") == ["x1"]


@pytest.mark.clause("G2-88")
@pytest.mark.parametrize(
    ("shooter", "vehicle", "found"),
    [("d4", "d5", (6, 10)), ("c4", "d5", (6, 10)), ("c5", "d5", (5, 10)), ("c6", "d5", (5, 10)), ("d4", "e5", (5, 10))],
)
def test_infantry_behind_an_armoured_vehicle_advances_under_cover(
    shooter: str, vehicle: str, found: tuple[int, int]
) -> None:
    state = battle(f"a1 light_infantry {shooter}, x1 light_infantry d6, x2 half_track {vehicle}")
    assert numbers(state, "a1", "w0", "x1") == found


@pytest.mark.clause("G2-88")
def test_only_infantry_does_and_only_behind_tanks_and_transports_of_its_own_with_armour() -> None:
    assert numbers(battle("a1 light_infantry d4, x1 half_track d6, x2 tiger d5"), "a1", "w0", "x1") == (5, 10)
    assert numbers(battle("a1 light_infantry d4, x1 light_infantry d6, x2 anti_tank_gun d5"), "a1", "w0", "x1") == (
        5,
        10,
    )
    assert numbers(battle("a1 light_infantry d4, x1 light_infantry d6, a2 m4_sherman d5"), "a1", "w0", "x1") == (5, 10)
    bare = marked(
        battle("a1 light_infantry d4, x1 light_infantry d6, x2 half_track d5"),
        "x2",
        marks=(Mark("open", "allies", armour=-9),),
    )
    assert numbers(bare, "a1", "w0", "x1") == (5, 10)
    agreed = battle(
        "a1 m4_sherman d4, x1 light_infantry d6, x2 half_track d5", advance_cover_hit=2, advance_cover_crit=1
    )
    assert numbers(agreed, "a1", "w0", "x1") == (7, 10)


@pytest.mark.clause("G2-115")
def test_two_different_enemies_keep_a_unit_under_suppressive_fire() -> None:
    state = battle("a1 light_infantry d3, a2 light_infantry c4, x1 light_infantry d4")
    state = after(state, firing("a1", "w0", "x1"), 1)
    assert state.unit("x1").suppressed is None
    ruling = ruled(state, firing("a2", "w0", "x1"), 1)
    assert ruling.outcome.unit("x1").suppressed == "allies"
    assert clauses(ruling.reasons)[-1] == "G2-115"


@pytest.mark.clause("G2-115")
def test_two_weapons_of_one_unit_and_shots_at_the_building_do_not() -> None:
    state = battle("a1 heavy_infantry d3 +hmg, a2 light_infantry c4, x1 light_infantry d4", grounds="house d4 axis")
    state = after(after(state, firing("a1", "w0", "x1"), 1), firing("a1", "hmg", "x1"), 1)
    assert state.unit("x1").suppressed is None
    assert after(state, firing("a2", "w0", "g1"), 1).unit("x1").suppressed is None


@pytest.mark.clause("G2-115")
def test_shots_outside_the_fire_phase_keep_nobody_down() -> None:
    state = battle("a1 light_infantry d3, a2 light_infantry c4, x1 light_infantry d4", phase="movement")
    for name in ("a1", "a2"):
        unit, target = state.unit(name), state.unit("x1")
        shot = aiming.shot_of(state, unit, "w0", target)
        state = fire.shoot_at(state, unit, "w0", shot, target, Scripted(1))
    assert (state.unit("x1").shot_by, state.unit("x1").suppressed) == ((), None)
    assert state.unit("a1").fired == ("w0",)


@pytest.mark.clause("G2-115")
def test_suppressive_fire_changes_no_number_unless_agreed() -> None:
    printed = marked(battle(DUEL), "a1", suppressed="axis")
    assert numbers(printed, "a1", "w0", "x1") == (5, 10)
    agreed = marked(
        battle("a1 m4_sherman d3, x1 light_infantry d4", suppression_hit=2, suppression_crit=1), "a1", suppressed="axis"
    )
    assert numbers(agreed, "a1", "w0", "x1") == (7, 10)
    assert numbers(agreed, "x1", "w0", "a1") == (5, 10)


@pytest.mark.clause("G2-77")
def test_fire_belongs_to_the_fire_phase_and_to_whose_turn_it_is() -> None:
    assert no(battle(DUEL, phase="movement"), firing("a1", "w0", "x1")) == "G2-77"
    assert no(battle(DUEL), firing("x1", "w0", "a1"), seat="axis") == "G2-02"
    assert offered(battle(DUEL, phase="movement"), "fire", "allies") == []
    assert offered(battle(DUEL), "fire", "axis") == []
    assert offered(battle(DUEL, done=("allies",)), "fire", "allies") == []


@pytest.mark.clause("G2-155")
def test_partners_fire_each_with_his_own_units() -> None:
    state = battle("x1 light_infantry d4, y1 light_infantry e4, a1 light_infantry d3", players="three", active="axis")
    assert no(state, firing("y1", "w0", "a1"), seat="axis_1") == "G2-155"
    assert [offer.given["unit"] for offer in offered(state, "fire", "axis_2")] == ["y1"]
    both = after(after(state, firing("x1", "w0", "a1"), 1, seat="axis_1"), firing("y1", "w0", "a1"), 1, seat="axis_2")
    assert both.unit("a1").suppressed == "axis"


@pytest.mark.clause("G2-97", "G2-A22")
def test_a_unit_fires_on_the_turn_of_its_deployment() -> None:
    assert after(marked(battle(DUEL), "a1", deployed=1), firing("a1", "w0", "x1"), 5).unit("x1").wounds == 1


TABLE = "a1 light_infantry, a2 m4_sherman, x1 light_infantry, x2 tiger"


@pytest.mark.clause("G2-101", "G2-102")
def test_on_the_table_the_distance_comes_with_the_shot() -> None:
    state = battle(TABLE, board="table")
    assert no(state, firing("a1", "w0", "x1")) == "G2-102"
    assert no(state, firing("a1", "w0", "x1", distance=3)) == "G2-101"
    assert after(state, firing("a1", "w0", "x1", distance=2), 5).unit("x1").wounds == 1
    distance = next(field for field in offered(state, "fire")[0].fields if field.name == "distance")
    assert (distance.low, distance.high) == (1, 2)


@pytest.mark.clause("G2-88")
def test_on_the_table_people_say_who_advances_under_cover() -> None:
    state = battle(TABLE, board="table")
    assert after(state, firing("a1", "w0", "x1", distance=1, behind=True), 5).unit("x1").wounds == 0
    assert after(state, firing("a1", "w0", "x1", distance=1, behind=True), 6).unit("x1").wounds == 1
    tank = state.unit("x2")
    assert numbers(state, "a2", "w0", tank.id, distance=1, behind=True) == (5, 9)
    names = {offer.given["unit"]: [field.name for field in offer.fields] for offer in offered(state, "fire")}
    assert names["a1"] == ["target", "distance", "behind"]


@pytest.mark.clause("G2-125", "G2-131")
def test_on_the_table_units_are_inside_what_they_are_said_to_be() -> None:
    state = marked(battle(TABLE, board="table", grounds="house allies, wall allies"), "x1", inside="g1")
    assert numbers(state, "a1", "w0", "x1", distance=1) == (7, 10)
    assert after(state.with_ground("g1", pi=1), firing("a2", "w0", "g1", distance=3), 5).find("x1") is None
    assert numbers(marked(state, "x1", inside="g2"), "a1", "w0", "x1", distance=1) == (6, 10)


def test_what_is_offered_says_what_it_takes() -> None:
    state = battle(
        "a1 m4_sherman d4 +mg_1 +mg_2, x1 light_infantry d5, x2 tiger e5, x3 light_infantry c6", grounds="wall d5 axis"
    )
    gun, first, second = offered(state, "fire")
    assert [english(offer.label) for offer in (gun, first, second)] == [
        "Fire gun: M4 Sherman d4",
        "Fire machine gun 1: M4 Sherman d4",
        "Fire machine gun 2: M4 Sherman d4",
    ]
    notes = {option.value: (option.place, english(option.note)) for option in gun.fields[0].options}
    assert notes == {
        "x1": ("d5", "6+/10"),
        "x2": ("e5", "0 harm: penetration 5, armour 6"),
        "x3": ("c6", "5+/9"),
        "hq_axis": (aiming.drawn_at(state.headquarters[1]), "5+"),
    }
    assert all(offer.chancy and offer.on == "a1" for offer in (gun, first, second))


@pytest.mark.clause("G2-109")
def test_what_can_not_hit_says_so() -> None:
    state = battle("a1 light_infantry d3, x1 light_infantry d4 +prone", natural_ten="hard", grounds="house d4 axis")
    options = offered(marked(state, "a1", wounds=3), "fire")[0].fields[0].options
    (option,) = (one for one in options if one.value == "x1")
    assert english(option.note) == english(option.hopeless.text) == "cannot hit: needs 11"
    assert [one.value for one in options if one.hopeless] == ["x1"]
    (fresh,) = (one for one in offered(state, "fire")[0].fields[0].options if one.value == "x1")
    assert fresh.hopeless is None


@pytest.mark.parametrize("board", ["mirrored", "table"])
def test_whatever_is_offered_can_be_done(board: str) -> None:
    mirrored = board == "mirrored"
    written = "a1 m4_sherman{} +mg_1, a2 heavy_infantry{} +mortar, x1 light_infantry{}, x2 tiger{}, {}"
    places = (" d4", " d3", " d5", " e5", "house d5 axis") if mirrored else ("", "", "", "", "house axis")
    *units, grounds = written.format(*places).split(", ")
    state = battle(", ".join(units), board=board, grounds=grounds)
    done = 0
    for offer in offered(state, "fire"):
        for target in options_of(offer, "target"):
            facts: dict[str, Any] = {} if mirrored else {"distance": 1, "behind": True}
            after(state, firing(offer.given["unit"], offer.given["weapon"], target, **facts), 10)
            done += 1
    assert done >= 8


@pytest.mark.clause("G2-64", "G2-106", "G2-116", "G2-132")
def test_a_unit_says_which_of_its_numbers_are_others_now() -> None:
    state = battle("a1 light_infantry d3, x1 light_infantry d4", grounds="house d4 axis")

    def now(state: State, unit: str) -> dict[str, list[tuple[str | None, int | None]]]:
        pieces = next(panel.pieces for panel in GAME.view(state, "allies").panels if isinstance(panel, Board))
        shown = next(piece for piece in pieces if piece.id == unit)
        own = {english(line.text): [(term.clause, term.value) for term in line.terms] for line in shown.now}
        return own | made_of(GAME, state, "allies", unit)

    card, inside = state.card(state.unit("a1")), state.terrain(state.grounds[0]).armour_bonus
    assert now(state, "a1") == {}
    assert now(state, "x1") == {"Armour": [("G2-64", card.armour), ("G2-132", inside)]}
    ruin = state.with_ground(state.grounds[0].id, ruin=True, pi=0)
    assert now(ruin, "x1") == {}, "a ruin protects nobody"
    for ground, called in ((state, "light infantry inside the house d4"), (ruin, "light infantry d4")):
        (offer,) = (one for one in offered(ground, "fire") if one.given["unit"] == "a1")
        assert next(english(one.label) for one in offer.fields[0].options if one.value == "x1") == called
    worse = marked(state, "a1", wounds=1, marks=(Mark("Smoke", "allies", (1, 0), armour=2),))
    (gun, *_) = card.weapon
    assert gun.crit == FACES, "a critical takes no more than a ten"
    assert now(worse, "a1") == {
        "Armour": [("G2-64", card.armour), ("G2-64", 2)],
        f"{gun.name}: Hits on": [("G2-60", gun.hit), ("G2-116", 1), ("G2-106", 1)],
    }
    assert armed(GAME, state, "allies", "a1")[gun.name] == {
        "Range": str(gun.range),
        "Hits on": f"{gun.hit}+",
        "Critical on": f"{gun.crit}+",
        "Penetration": str(gun.penetration),
        "Damage": str(gun.damage),
    }
    assert armed(GAME, worse, "allies", "a1")[gun.name]["Hits on"] == f"{gun.hit + 2}+"


@pytest.mark.clause("G2-70", "G2-97", "G2-113")
def test_a_weapon_that_has_fired_or_lies_on_its_grey_side_is_dimmed() -> None:
    state = battle("a1 heavy_infantry d3 +hmg, a2 m4_sherman e1 +mg_1 +mg_2, x1 light_infantry d4")
    rifle, hmg = armed(GAME, state, "allies", "a1")
    assert "spent" not in armed(GAME, state, "allies", "a1")[rifle]
    assert armed(GAME, state, "allies", "a1")[hmg]["notes"] == "turns grey"
    fired = after(state, firing("a1", "hmg", "x1"), 1)
    assert armed(GAME, fired, "allies", "a1")[hmg]["spent"] == "on its grey side"
    assert "notes" not in armed(GAME, fired, "allies", "a1")[hmg]
    again = after(state, firing("a1", "w0", "x1"), 1)
    assert armed(GAME, again, "allies", "a1")[rifle]["spent"] == "has fired"
    assert {"machine gun 1", "machine gun 2"} < armed(GAME, state, "allies", "a2").keys()


@pytest.mark.parametrize(
    ("written", "target", "face", "said", "spanish"),
    [
        (
            "a1 m4_sherman d5, x1 half_track e5 1w",
            "x1",
            10,
            "half-track e5: destroyed by M4 Sherman",
            "semioruga e5: fuera de combate por M4 Sherman",
        ),
        (
            "a1 m4_sherman d3, x1 heavy_infantry d4",
            "x1",
            7,
            "heavy infantry d4: 2 wounds from M4 Sherman",
            "infantería pesada d4: 2 heridas por M4 Sherman",
        ),
        (
            DUEL,
            "x1",
            1,
            "light infantry d4: no effect from light infantry",
            "infantería ligera d4: ataque de infantería ligera, sin efecto",
        ),
        (
            "a1 m4_sherman d5",
            "hq_axis",
            10,
            "headquarters (Axis), hit by M4 Sherman: 8 PI left",
            "Estado Mayor (Eje): 8 PI tras el ataque de M4 Sherman",
        ),
    ],
)
def test_a_headline_says_what_became_of_whom_and_whose_doing_that_is(
    written: str, target: str, face: int, said: str, spanish: str
) -> None:
    headline = ruled(battle(written), firing("a1", "w0", target), face).headline
    assert english(headline) == said
    assert speak(headline, lambda key: GAME.words.find(key, "es") or key) == spanish


def test_the_headline_of_a_building_says_who_made_it_a_ruin() -> None:
    state = battle(IN_A_HOUSE, grounds="house d4 axis").with_ground("g1", pi=2)
    headline = ruled(state, firing("a1", "w0", "g1"), 5).headline
    assert english(headline) == "house d4: turned into a ruin by M4 Sherman"
