"""Moves, hops, deployments and passing in Pocket-Tactics, with the map mirrored and on the table."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from companion.games.pocket_tactics import movement
from companion.games.pocket_tactics.cards import AbilityText, Bag, TileCard
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.geometry import destinations, ways
from companion.games.pocket_tactics.hazards import Fate, Mover, captured
from companion.games.pocket_tactics.land import land_around, mover_of, terrains
from companion.games.pocket_tactics.movement import Deploy, Hop, Move, Pass, can_act
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.state import Last, State, Unit
from companion.games.pocket_tactics.terrain import Spot
from companion.kit.panels import Board
from companion.kit.questions import Choose, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.support.playing import Scripted, clauses, options_of
from tests.support.pocket_tactics_lands import Script
from tests.support.pocket_tactics_positions import BLUE, P, code, game

if TYPE_CHECKING:
    from companion.kit.action import Offer

AROUND = "m3 {middle}, m4 {n}, n3 {ne}, n2 {se}, m2 {s}, l2 {sw}, l3 {nw}"
"""The seven tiles of the usual ground, m3 in their middle."""


def ground(**terrains: str) -> str:
    """The usual ground, with other terrains by direction; without the tiles called ``gap``."""
    sides = dict.fromkeys(("middle", "n", "ne", "se", "s", "sw", "nw"), "field")
    tiles = AROUND.format(**sides | terrains).split(", ")
    return ", ".join(tile for tile in tiles if not tile.endswith("gap"))


def move(state: State, who: str, to: str) -> Move:
    return Move(code(state, who), to)


def after(state: State, who: str, to: str, *dice: int, **choices: str) -> State:
    result: State = P.after(state, move(state, who, to), *dice, **choices)
    return result


def no(state: State, who: str, to: str, *dice: int) -> str | None:
    return P.no(state, move(state, who, to), *dice)


def at(state: State, who: str) -> str | None:
    """Where a unit is: its tile, its terrain on the table, ``reserve`` or ``captured``."""
    unit = state.find(who) or state.unit(code(state, who))
    return unit.at or unit.terrain if unit.where == "tile" else unit.where


def thrown(state: State, action: Any, *dice: int, **choices: str) -> list[str]:
    return [one.key for one in P.questions(state, action, *dice, **choices) if isinstance(one, Throw)]


def offer(state: State, action: str, who: str) -> Offer:
    return next(one for one in P.offered(state, action) if one.given.get("unit") == code(state, who))


def to_of(state: State, who: str) -> set[str]:
    return set(options_of(offer(state, "move", who), "to"))


@pytest.mark.clause("PT-27", "PT-25", "PT-24")
def test_a_unit_moves_to_an_adjacent_empty_tile_and_the_turn_is_over() -> None:
    state = game("b levy m3, r prowler m4")
    assert to_of(state, "b levy") == {"n3", "n2", "m2", "l2", "l3"}
    for to in to_of(state, "b levy"):
        moved = after(state, "b levy", to)
        assert (at(moved, "b levy"), moved.active, moved.turn) == (to, "red", 2)
        assert moved.last == Last("b0.1", came_from="m3")


def test_where_a_unit_went_is_one_sentence_for_its_headline_and_its_rule() -> None:
    moved = P.ruled(game("b levy m3, r prowler m4"), Move("b0.1", "n3"))
    (why,) = (reason for reason in moved.reasons if reason.clause == "PT-27")
    assert P.english(why.text) == P.english(moved.headline) == "Levy 1 (Blue) → n3, field"


@pytest.mark.clause("PT-26", "PT-27")
def test_a_move_needs_an_adjacent_tile_that_nobody_holds() -> None:
    state = game("b levy m3, b levy.2 m2, r prowler m4", ground=ground(ne="gap"))
    assert no(state, "b levy", "m4") == "PT-26"
    assert no(state, "b levy", "m2") == "PT-26"
    assert no(state, "b levy", "n3") == "PT-27"
    assert no(state, "b levy", "m3") == "PT-27"
    assert no(state, "b levy", "x9") == "PT-27"
    assert no(state, "b levy", "a99") == "PT-27"
    assert no(state, "b levy", "forest") == "PT-27"
    assert no(state, "b bowman", "m2") == "PT-27"


@pytest.mark.clause("PT-24", "PT-25")
def test_only_the_player_whose_turn_it_is_moves_and_only_own_units() -> None:
    state = game("b levy m3, r prowler m4")
    assert P.no(state, move(state, "r prowler", "n3"), seat="red") == "PT-24"
    assert P.no(state, move(state, "r prowler", "n3"), seat="blue") == "PT-25"
    assert P.offered(state, "move", "red") == []
    assert P.offered(state, "deploy", "red") == []
    moved = after(state, "b levy", "m2")
    assert P.no(moved, move(state, "b levy", "m3"), seat="blue") == "PT-24"
    assert P.no(moved, Pass(), seat="blue") == "PT-24"
    assert P.no(state.but(phase="setting_out"), move(state, "b levy", "m2")) == "PT-24"


def places(state: State, unit: Unit) -> dict[str, str]:
    """Where a unit may move to, and what it hops over."""
    leads = ways(state, unit)
    return {to: leads[state.bases[unit.seat] if to == "base" else to] for to in destinations(state, unit)}


@pytest.mark.clause("PT-28", "PT-A18")
def test_a_unit_hops_over_one_friend_to_any_empty_tile_beside_him() -> None:
    state = game("b levy l2, b levy.2 m3, r prowler n3")
    found = ways(state, state.unit("b0.1"))
    assert {to: over for to, over in found.items() if over} == {"m4": "m3", "n3": "m3", "n2": "m3"}
    assert places(state, state.unit("b0.1")) == {"l3": "", "m2": "", "m4": "m3", "n2": "m3"}
    assert at(after(state, "b levy", "n2"), "b levy") == "n2"
    assert at(after(state, "b levy", "n2"), "b levy.2") == "m3"
    assert no(state, "b levy", "n3") == "PT-26"
    ruling = P.ruled(state, move(state, "b levy", "m4"))
    assert clauses(ruling.reasons) == ["PT-28", "PT-27"]


@pytest.mark.clause("PT-28", "PT-A18")
def test_nobody_hops_over_an_enemy_an_empty_tile_or_two_friends() -> None:
    assert no(game("b levy m2, r prowler m3"), "b levy", "m4") == "PT-28"
    assert no(game("b levy m2"), "b levy", "m4") == "PT-28"
    two = game("b levy m2, b levy.2 m3, b levy.3 m4", ground=ground() + ", m5 field, n4 field", bases="m1 m6")
    assert no(two, "b levy", "m5") == "PT-28"
    assert no(two, "b levy", "n4") == "PT-28"
    assert no(two, "b levy", "m4") == "PT-26"


@pytest.mark.clause("PT-A18")
def test_hops_go_straight_on_where_that_was_agreed_on() -> None:
    state = game("b levy m2, b levy.2 m3", hop_straight_only=True)
    assert places(state, state.unit("b0.1")) == {"n2": "", "l2": "", "base": "", "m4": "m3"}
    assert no(state, "b levy", "n3") == "PT-28"
    assert no(state, "b levy", "l3") == "PT-28"
    assert at(after(state, "b levy", "m4"), "b levy") == "m4"


@pytest.mark.clause("PT-A18", "PT-30")
def test_a_hop_may_lead_to_the_own_base() -> None:
    state = game("b levy m3, b levy.2 m2")
    assert "base" in to_of(state, "b levy")
    ruling = P.ruled(state, move(state, "b levy", "base"))
    assert at(ruling.outcome, "b levy") == "reserve"
    assert clauses(ruling.reasons) == ["PT-28", "PT-30"]
    assert no(game("b levy m3"), "b levy", "base") == "PT-28"


@pytest.mark.clause("PT-72")
@pytest.mark.parametrize("below", ["cave", "ice", "labyrinth", "swamp", "water"])
def test_the_tile_that_is_hopped_over_does_nothing(below: str) -> None:
    state = game("b levy m2, b levy.2 m3", ground=ground(middle=below))
    ruling = P.ruled(state, move(state, "b levy", "m4"))
    assert at(ruling.outcome, "b levy") == "m4"
    assert clauses(ruling.reasons) == ["PT-28", "PT-72", "PT-27"]


@pytest.mark.clause("PT-72", "PT-78", "PT-79", "PT-71")
def test_a_hop_is_tested_where_it_starts_and_where_it_lands() -> None:
    state = game("b levy m2, b levy.2 m3", ground=ground(s="swamp", n="water"))
    assert thrown(state, move(state, "b levy", "m4"), 4, 4) == ["hazard_exit", "hazard_entry"]
    assert at(after(state, "b levy", "m4", 4, 4), "b levy") == "m4"
    assert at(after(state, "b levy", "m4", 4, 3), "b levy") == "captured"
    assert at(after(state, "b levy", "m4", 3), "b levy") == "m2"


@pytest.mark.clause("PT-30")
def test_a_unit_goes_back_to_reserve_by_its_own_base() -> None:
    state = game("b levy m2")
    home = next(option for option in offer(state, "move", "b levy").fields[0].options if option.value == "base")
    assert home.place == "m1"
    assert at(after(state, "b levy", "base"), "b levy") == "reserve"
    assert at(after(state, "b levy", "m1"), "b levy") == "reserve"


@pytest.mark.clause("PT-30", "PT-78")
def test_leaving_a_swamp_for_the_own_base_is_tested_first() -> None:
    state = game("b levy m2", ground=ground(s="swamp"))
    assert at(after(state, "b levy", "base", 4), "b levy") == "reserve"
    assert at(after(state, "b levy", "base", 3), "b levy") == "m2"


@pytest.mark.clause("PT-66")
def test_nobody_moves_onto_the_enemy_base() -> None:
    state = game("b levy m4")
    assert "m5" not in to_of(state, "b levy")
    assert no(state, "b levy", "m5") == "PT-66"


@pytest.mark.clause("PT-80", "PT-81")
def test_a_unit_moves_and_hops_only_through_grooves() -> None:
    """m3 is open to the north and to the south-west only, m4 to the south only."""
    tunnels = "m3 complex 1+5, m4 complex 4, n3 field, n2 field, m2 field, l2 field, l3 field"
    state = game("b levy m3", ground=tunnels)
    assert to_of(state, "b levy") == {"m4", "l2"}
    assert no(state, "b levy", "n3") == "PT-81"
    outside = game("b levy n3, b levy.2 l2", ground=tunnels)
    assert no(outside, "b levy", "m3") == "PT-81"
    assert no(outside, "b levy", "m4") == "PT-81"
    assert at(after(outside, "b levy.2", "m3"), "b levy.2") == "m3"
    hop = game("b levy l2, b levy.2 m3", ground=tunnels)
    assert places(hop, hop.unit("b0.1")) == {"l3": "", "m2": "", "m4": "m3"}
    assert no(hop, "b levy", "n2") == "PT-28"
    assert no(game("b levy n2, b levy.2 m3", ground=tunnels), "b levy", "m4") == "PT-28"


@pytest.mark.clause("PT-81", "PT-30")
def test_the_own_base_is_reached_through_grooves_only() -> None:
    state = game("b levy m2", ground=ground().replace("m2 field", "m2 complex 1"))
    assert to_of(state, "b levy") == {"m3"}
    assert no(state, "b levy", "base") == "PT-81"


@pytest.mark.clause("PT-73")
def test_whoever_is_lost_in_a_cave_goes_to_reserve_and_the_turn_is_over() -> None:
    state = game("b levy m3", ground=ground(n="cave"))
    lost = after(state, "b levy", "m4", 3)
    assert (at(lost, "b levy"), lost.active) == ("reserve", "red")
    assert at(after(state, "b levy", "m4", 4), "b levy") == "m4"


@pytest.mark.clause("PT-79", "PT-A34", "PT-64")
def test_the_last_unit_of_an_army_may_drown() -> None:
    alone = "b levy m3, " + ", ".join(
        f"b {card.name}.{copy} captured"
        for card in BLUE.unit
        for copy in range(1, card.copies + 1)
        if (card.name, copy) != ("levy", 1)
    )
    state = game(alone, ground=ground(n="water"))
    ruling = P.ruled(state, move(state, "b levy", "m4"), 1)
    assert (ruling.outcome.winner, ruling.outcome.how) == ("red", "army")
    assert [harm.to.id for reason in ruling.reasons for harm in reason.harm] == ["b0.1"]


@pytest.mark.clause("PT-75", "PT-83", "PT-84", "PT-85", "PT-87")
@pytest.mark.parametrize(
    ("face", "where"), [(1, "m4"), (2, "captured"), (3, "captured"), (4, "m2"), (5, "reserve"), (6, "captured")]
)
def test_the_map_tells_where_a_slide_ends(face: int, where: str) -> None:
    """From m3: an empty tile, an enemy, the enemy base, the tile that was left, the own base, a gap."""
    state = game("b levy m2, r prowler n3", ground="m2 field, m3 ice, m4 field, n3 field", bases="l2 n2")
    assert at(after(state, "b levy", "m3", 2, face), "b levy") == where


@pytest.mark.clause("PT-83", "PT-A31", "PT-A32")
def test_before_a_slide_each_face_says_what_it_leads_to_on_the_map() -> None:
    def why(state: State) -> str:
        asked = P.questions(state, move(state, "b levy", "m3"), 1, 1)
        (found,) = [P.english(one.why) for one in asked if one.key == "direction"]
        return found.replace("\u00a0", " ")

    state = game("b levy m2, r prowler n3", ground="m2 field, m3 ice, m4 field, n3 complex 1", bases="l2 n2")
    said = "Which way does Levy 1 (Blue) slide? 1: m4, 2: wall, 3: enemy base, 4: m2, 5: own base, 6: gap"
    assert why(state) == said
    ignored = state.but(options=replace(state.options, random_move_walls="ignore"))
    assert why(ignored) == said.replace("wall", "n3")
    turned = state.but(options=replace(state.options, direction_map="s_clockwise"))
    assert why(turned).endswith("1: m2, 2: own base, 3: gap, 4: m4, 5: wall, 6: enemy base")


@pytest.mark.clause("PT-86", "PT-A33")
@pytest.mark.parametrize("chosen", ["mover", "resident"])
def test_the_owner_says_which_of_two_friends_goes_to_reserve(chosen: str) -> None:
    state = game("b levy m2, b bowman m4", ground=ground(middle="ice"))
    action = move(state, "b levy", "m3")
    asked = [one for one in P.questions(state, action, 1, 1, owner_choice=chosen) if isinstance(one, Choose)]
    assert [(one.seat, one.key, [option.value for option in one.options]) for one in asked] == [
        ("blue", "owner_choice", ["mover", "resident"])
    ]
    landed = P.after(state, action, 1, 1, owner_choice=chosen)
    expected = ("reserve", "m4") if chosen == "mover" else ("m4", "reserve")
    assert (at(landed, "b levy"), at(landed, "b bowman")) == expected


@pytest.mark.clause("PT-86", "PT-84")
def test_whoever_takes_a_friends_tile_may_slide_back_and_forth_over_it() -> None:
    """The friend is gone for good: his tile is empty when it is slid onto again."""
    state = game("b levy m2, b bowman m4", ground=ground(middle="ice", n="ice"))
    landed = after(state, "b levy", "m3", 1, 1, 1, 4, 1, 1, 6, owner_choice="resident")
    assert (at(landed, "b levy"), at(landed, "b bowman")) == ("m4", "reserve")


@pytest.mark.clause("PT-75", "PT-83", "PT-A25")
def test_whoever_slips_again_and_again_slides_on_however_often() -> None:
    state = game("b levy m2", ground="m2 field, m3 ice, m4 ice")
    back_and_forth = (1, 1, 1, 4) * 500
    assert at(after(state, "b levy", "m3", *back_and_forth, 3), "b levy") == "m3"


@pytest.mark.clause("PT-A32", "PT-81")
def test_a_wall_of_the_map_stops_a_slide() -> None:
    state = game("b levy m2", ground=ground(middle="ice").replace("m4 field", "m4 complex 1"))
    stopped = P.ruled(state, move(state, "b levy", "m3"), 1, 1)
    assert at(stopped.outcome, "b levy") == "m3"
    assert clauses(stopped.reasons)[-1] == "PT-A32"
    ignored = game(
        "b levy m2", ground=ground(middle="ice").replace("m4 field", "m4 complex 1"), random_move_walls="ignore"
    )
    assert at(after(ignored, "b levy", "m3", 1, 1), "b levy") == "m4"


@pytest.mark.clause("PT-A31", "PT-83")
def test_the_direction_map_turns_the_die_on_the_map() -> None:
    state = game("b levy m2", ground=ground(middle="ice"), direction_map="se_counter")
    assert at(after(state, "b levy", "m3", 1, 1), "b levy") == "n2"
    assert at(after(state, "b levy", "m3", 1, 2), "b levy") == "n3"


@pytest.mark.clause("PT-77", "PT-A28")
def test_the_opponent_chooses_an_unoccupied_tile_of_the_map() -> None:
    state = game("b levy m3, b bowman l2, r prowler m4", ground=ground(middle="labyrinth", ne="water"))
    action = move(state, "b levy", "m2")
    (question,) = [one for one in P.questions(state, action, 3, opponent_choice="n2") if isinstance(one, Choose)]
    assert (question.seat, question.key) == ("red", "opponent_choice")
    assert {option.value for option in question.options} == {"m2", "l3", "n2", "n3"}
    assert all(option.place == option.value for option in question.options)
    assert "n3, water" in [P.english(option.label) for option in question.options]
    assert P.told(question.advice) == ["water: drowns on 1–3 (50%)"]
    assert at(P.after(state, action, 3, opponent_choice="n2"), "b levy") == "n2"
    assert at(P.after(state, action, 3, 3, opponent_choice="n3"), "b levy") == "captured"
    assert P.after(state, action, 3, opponent_choice="n2").active == "red"
    for barred in ("m3", "m4", "l2", "m1", "m5", "x9"):
        assert P.no(state, action, 3, opponent_choice=barred) == "PT-77"
    assert at(after(state, "b levy", "m2", 4), "b levy") == "m2"


@pytest.mark.clause("PT-A28")
@pytest.mark.parametrize("tested", [True, False])
def test_the_opponent_is_told_which_tests_wait(tested: bool) -> None:
    state = game(
        "b levy m3",
        ground=ground(middle="labyrinth", ne="ice", n="ice", se="cave", s="swamp"),
        labyrinth_entry_tests=tested,
    )
    (question,) = asked(state, move(state, "b levy", "l2"), 3, opponent_choice="l3")
    threats = ["cave: back to reserve on 1–3 (50%)", "ice: slips on 1–2 (33%)"]
    assert sorted(P.told(question.advice)) == (threats if tested else [])


@pytest.mark.clause("PT-77")
def test_nobody_is_asked_where_no_other_tile_is_free() -> None:
    state = game("b levy m2", ground="m2 labyrinth", bases="m1 m3")
    stays = P.ruled(state, move(state, "b levy", "base"), 1)
    assert (at(stays.outcome, "b levy"), stays.outcome.active) == ("m2", "red")


@pytest.mark.clause("PT-A26")
def test_joined_swamps_are_one_on_the_map() -> None:
    swamps = ground(middle="swamp", n="swamp")
    assert thrown(game("b levy m3", ground=swamps), Move("b0.1", "m4")) == []
    apart = game("b levy m3", ground=swamps, contiguous_exit_terrain_is_one=False)
    assert thrown(apart, Move("b0.1", "m4"), 4) == ["hazard_exit"]


@pytest.mark.clause("PT-A30")
def test_affinity_protects_on_the_map_where_that_was_agreed_on() -> None:
    card = BLUE.unit[0]
    fish = {"blue": type(BLUE)(name="own", unit=(type(card)(**{**card_fields(card), "affinities": ("water",)}),))}
    state = game("b levy m3", ground=ground(n="water"), factions=fish, favoured_terrain_ignores_hazard=True)
    assert at(after(state, "b levy", "m4"), "b levy") == "m4"
    assert [option.note for option in offer(state, "move", "b levy").fields[0].options if option.value == "m4"] == [
        None
    ]
    plain = game("b levy m3", ground=ground(n="water"), factions=fish)
    assert at(after(plain, "b levy", "m4", 1), "b levy") == "captured"


def card_fields(card: Any) -> dict[str, Any]:
    return {name: getattr(card, name) for name in card.__struct_fields__}


# Deploying and passing


BESIDE = "m2 field, l1 swamp, n1 water, m3 field"
"""Three tiles beside the base m1, and one that is further away."""


@pytest.mark.clause("PT-62", "PT-25")
def test_a_reserve_unit_is_put_on_an_empty_tile_beside_the_own_base() -> None:
    state = game("b levy m2", ground=BESIDE)
    bowman = offer(state, "deploy", "b bowman")
    assert (bowman.on, set(options_of(bowman, "to"))) == (code(state, "b bowman"), {"l1", "n1"})
    for to in ("l1", "n1"):
        deployed = P.after(state, Deploy(code(state, "b bowman"), to))
        assert (at(deployed, "b bowman"), deployed.active) == (to, "red")
        assert deployed.last == Last(code(state, "b bowman"))


@pytest.mark.clause("PT-62", "PT-26")
def test_deployment_is_refused_elsewhere_and_to_units_that_are_not_in_reserve() -> None:
    state = game("b levy m2, b levy.2 captured, r prowler n1", ground=BESIDE)
    for to, clause in (
        ("m2", "PT-26"),
        ("n1", "PT-26"),
        ("m3", "PT-62"),
        ("m1", "PT-62"),
        ("base", "PT-62"),
        ("x9", "PT-62"),
        ("forest", "PT-62"),
    ):
        assert P.no(state, Deploy(code(state, "b bowman"), to)) == clause, to
    for unit in ("b levy", "b levy.2"):
        assert P.no(state, Deploy(code(state, unit), "l1")) == "PT-62"
    assert P.no(state, Deploy(code(state, "r prowler.2"), "l1")) == "PT-25"
    full = game("b levy m2, b levy.2 l1, b levy.3 n1", ground=BESIDE)
    assert P.offered(full, "deploy") == []


@pytest.mark.clause("PT-63")
@pytest.mark.parametrize("terrain", ["cave", "ice", "labyrinth", "swamp", "water"])
def test_whoever_is_deployed_onto_a_hazard_is_not_tested(terrain: str) -> None:
    state = game(ground=f"m2 {terrain}")
    ruling = P.ruled(state, Deploy("b0.1", "m2"))
    assert at(ruling.outcome, "b levy") == "m2"
    assert clauses(ruling.reasons) == ["PT-62", "PT-63"]
    assert P.english(offer(state, "deploy", "b levy").fields[0].options[0].note) == "not tested now"


@pytest.mark.clause("PT-63", "PT-78")
def test_what_was_deployed_onto_a_swamp_is_tested_when_it_leaves() -> None:
    state = P.after(game(ground="m2 swamp, m3 field"), Deploy("b0.1", "m2")).but(active="blue")
    assert thrown(state, Move("b0.1", "m3"), 4) == ["hazard_exit"]


@pytest.mark.clause("PT-A42")
def test_only_who_can_do_nothing_passes() -> None:
    able = game("b levy m2")
    assert P.no(able, Pass()) == "PT-A42"
    assert P.offered(able, "pass") == []
    deploys = game(ground="m2 field")
    assert can_act(deploys, "blue")
    assert P.no(deploys, Pass()) == "PT-A42"
    last = game("b levy m2, b levy.2 n4", ground="m2 field, n4 field, n5 field", bases="m9 m8")
    assert can_act(last, "blue"), "whichever unit it is"
    stuck = game("r prowler m2", ground="m2 field, m3 field", last=Last("r0.1", came_from="m3"))
    assert not can_act(stuck, "blue")
    (offered,) = P.offered(stuck, "pass")
    assert offered.main
    passed = P.after(stuck, Pass())
    assert (passed.active, passed.turn, passed.last) == ("red", 2, Last())


@pytest.mark.clause("PT-A42")
def test_an_assault_that_can_be_made_is_something_to_do() -> None:
    state = game("b levy m3, r prowler m4", ground="m3 field, m4 field")
    assert (P.offered(state, "move"), P.offered(state, "deploy")) == ([], [])
    assert can_act(state, "blue")
    assert P.no(state, Pass()) == "PT-A42"


@pytest.mark.clause("PT-A42")
def test_anybody_passes_where_that_was_agreed_on() -> None:
    state = game("b levy m2", allow_pass="always")
    (offered,) = P.offered(state, "pass")
    assert (offered.main, offered.aside, offered.advice) == (False, True, ())
    assert P.after(state, Pass()).active == "red"
    assert P.no(state, Pass(), seat="red") == "PT-24"


# What is said before


@pytest.mark.clause("PT-70")
def test_offers_say_what_waits_on_each_tile_and_what_leaving_takes() -> None:
    state = game("b levy m3", ground=ground(middle="ice", n="cave", ne="ice", se="labyrinth", sw="swamp", nw="water"))
    found = offer(state, "move", "b levy")
    notes = {option.value: P.english(option.note) for option in found.fields[0].options}
    assert notes == {
        "m4": "back to reserve on 1–3 (50%)",
        "n3": "slips on 1–2 (33%)",
        "n2": "leaving it later: the opponent moves it on 1–3 (50%)",
        "m2": "",
        "l2": "leaving it later: stuck on 1–3 (50%)",
        "l3": "drowns on 1–3 (50%)",
    }
    shown = {option.value: option.badge for option in found.fields[0].options if option.badge}
    assert {place: (badge.sign, P.english(badge.value)) for place, badge in shown.items()} == {
        "m4": ("back", "50%"),
        "n3": ("warn", "33%"),
        "n2": ("clock", "50%"),
        "l2": ("clock", "50%"),
        "l3": ("skull", "50%"),
    }, "what happens now has another sign than what happens later"
    (board,) = [panel for panel in GAME.view(state, "blue").panels if isinstance(panel, Board)]
    assert {badge.sign for badge in shown.values()} <= {sign for sign, _ in board.legend}
    risks = {option.value: P.english(option.risk) for option in found.fields[0].options if option.risk}
    # From n3 it slips (1/3) into one of three gaps, or onto m3, where it may slip again, into the water or back.
    assert risks == {
        "l3": "It drowns and is captured: 50%",
        "n3": "It slips and is captured: 17%",
    }, "who goes back to reserve is not lost"
    labels = {option.value: P.english(option.label) for option in found.fields[0].options}
    assert (labels["m2"], labels["m4"]) == ("m2", "m4, cave")
    assert P.told(found.advice) == ["Leaving is tested first, ice: slips on 1–2 (33%)"]
    assert [reason.clause for reason in found.advice] == ["PT-74"]


@pytest.mark.clause("PT-74", "PT-79", "PT-85", "PT-86", "PT-A32")
def test_what_may_slip_into_captivity_is_read_first() -> None:
    around = dict.fromkeys(("n", "ne", "se", "s", "sw", "nw"), "field")
    for changed, units, chance in (
        ({}, "", Fraction(0)),
        ({"n": "gap"}, "", Fraction(1, 18)),
        ({"n": "water"}, "", Fraction(1, 36)),
        ({"n": "gap", "ne": "gap", "se": "water"}, "", Fraction(5, 36)),
        ({"n": "cave"}, "", Fraction(0)),
        ({}, ", r prowler m4", Fraction(1, 18)),
        ({}, ", b levy.2 m4", Fraction(0)),
    ):
        state = game(f"b levy m2{units}", ground=ground(middle="ice", **around | changed))
        unit = state.unit(code(state, "b levy"))
        found = captured(mover_of(state, unit), Spot("ice", at="m3"), land_around(state, unit))
        assert found == chance, (changed, units)
        (onto,) = (one for one in offer(state, "move", "b levy").fields[0].options if one.value == "m3")
        percent = {Fraction(1, 18): 6, Fraction(1, 36): 3, Fraction(5, 36): 14}
        assert (P.english(onto.risk) if onto.risk else "") == (
            f"It slips and is captured: {percent[chance]}%" if chance else ""
        )


@pytest.mark.clause("PT-78", "PT-A26")
def test_offers_tell_a_swamp_that_is_left_from_one_that_goes_on() -> None:
    joined = offer(game("b levy m3", ground=ground(middle="swamp", n="swamp")), "move", "b levy")
    notes = {option.value: P.english(option.note) for option in joined.fields[0].options if option.note}
    assert notes == {"m4": "no test on the way there"}
    tested = {option.value: P.told(option.advice) for option in joined.fields[0].options}
    leaving = ["Leaving is tested first, swamp: stuck on 1–3 (50%)"]
    assert tested == {place: [] if place == "m4" else leaving for place in tested}
    assert len(tested) > 2
    assert joined.advice == (), "it is not so of every tile"
    only = offer(game("b levy m3", ground="m3 swamp, m4 swamp"), "move", "b levy")
    assert only.advice == ()


@pytest.mark.clause("PT-29", "PT-05")
def test_what_a_card_says_about_movement_is_said_before_it_is_moved() -> None:
    card = BLUE.unit[0]
    ability = AbilityText(name="Wings", movement_effect="Two tiles at once.")
    own = type(BLUE)(name="own", unit=(type(card)(**{**card_fields(card), "ability": (ability,)}),))
    state = game("b levy m3", factions={"blue": own})
    found = offer(state, "move", "b levy").advice
    assert P.told(found) == ["Wings: Two tiles at once."]
    assert [reason.clause for reason in found] == ["PT-29"]


@pytest.mark.clause("PT-27", "PT-28", "PT-81")
@pytest.mark.parametrize("straight", [False, True])
def test_whatever_is_offered_is_done_and_nothing_else(straight: bool) -> None:
    tunnels = ground(n="swamp", se="water", nw="labyrinth", ne="ice").replace("m3 field", "m3 complex 1+2+5")
    wide = f"{tunnels}, m5 field, l4 field, n4 cave, n1 complex 1+4"
    state = game(
        "b levy m3, b levy.2 m4, b bowman n3, b ember_mage l2, r prowler l4, r bulwark n4",
        ground=wide,
        bases="m1 m6",
        hop_straight_only=straight,
    )
    everywhere = {tile.at for tile in state.tiles} | {"base", "m6", "k3", "forest"}
    for unit in state.of("blue", "tile"):
        offered = next((options_of(one, "to") for one in P.offered(state, "move") if one.on == unit.id), [])
        for to in everywhere:
            if to in offered:
                moved = GAME.rule(state, "blue", Move(unit.id, to), Scripted(6, 6))
                assert at(moved.outcome, unit.id) == ("reserve" if to == "base" else to)
            else:
                assert P.no(state, Move(unit.id, to)) in {"PT-26", "PT-27", "PT-28", "PT-66", "PT-81"}, (unit, to)


# With the map on the table


def asked(state: State, action: Any, *dice: int, **choices: str) -> list[Choose]:
    return [one for one in P.questions(state, action, *dice, **choices) if isinstance(one, Choose)]


def values(question: Choose) -> set[str]:
    return {option.value for option in question.options}


@pytest.mark.clause("PT-27", "PT-30")
def test_on_the_table_the_players_say_the_terrain() -> None:
    state = game("b levy field, r prowler forest", map="table")
    assert to_of(state, "b levy") == {*terrains(state), "base"}
    moved = after(state, "b levy", "hills")
    assert (at(moved, "b levy"), moved.active, moved.last) == ("hills", "red", Last("b0.1"))
    assert at(after(state, "b levy", "base"), "b levy") == "reserve"
    assert at(after(state, "b levy", "bosque"), "b levy") == "forest"
    assert no(state, "b levy", "nowhere") == "PT-27"
    assert no(state, "b bowman", "field") == "PT-27"
    assert P.no(state, Move("b9.9", "field")) == "PT-02"


def test_terrains_of_the_table_are_those_of_the_bag_of_affinities_and_all_that_are_known_each_once() -> None:
    card = BLUE.unit[0]
    own = type(BLUE)(name="own", unit=(type(card)(**{**card_fields(card), "affinities": ("Moor", "bosque")}),))
    bag = Bag(
        name="own",
        tile=(
            TileCard(terrain="Lava"),
            TileCard(terrain="moor"),
            TileCard(terrain="Agua"),
            TileCard(terrain="Sky", count=0),
        ),
    )
    found = terrains(game(map="table", bag=bag, factions={"blue": own}))
    assert found[:4] == ("Lava", "moor", "water", "forest")
    assert len(found) == len({one.casefold() for one in found})
    assert {"swamp", "complex", "hills"} <= set(found)
    assert "Sky" not in found


@pytest.mark.clause("PT-73", "PT-76", "PT-78", "PT-79", "PT-A26")
def test_hazards_are_tested_on_the_table_too() -> None:
    state = game("b levy swamp, r prowler forest", map="table")
    assert thrown(state, move(state, "b levy", "swamp")) == []
    assert thrown(state, move(state, "b levy", "cave"), 4, 4) == ["hazard_exit", "hazard_entry"]
    assert at(after(state, "b levy", "water", 4, 3), "b levy") == "captured"
    assert at(after(state, "b levy", "cave", 4, 3), "b levy") == "reserve"
    assert at(after(state, "b levy", "cave", 3), "b levy") == "swamp"
    notes = {option.value: P.english(option.note) for option in offer(state, "move", "b levy").fields[0].options}
    assert set(notes.values()) == {""}
    assert P.told(offer(state, "move", "b levy").advice) == [
        "Leaving is tested first, swamp: stuck on 1–3 (50%)",
        "water: drowns on 1–3 (50%)",
        "cave: back to reserve on 1–3 (50%)",
        "ice: slips on 1–2 (33%)",
    ]


@pytest.mark.clause("PT-83", "PT-84", "PT-85", "PT-86", "PT-87", "PT-A32")
@pytest.mark.parametrize(
    ("beyond", "dice", "levy", "bowman"),
    [
        ("void", (), "captured", "hills"),
        ("enemy_base", (), "captured", "hills"),
        ("enemy", (), "captured", "hills"),
        ("own_base", (), "reserve", "hills"),
        ("wall", (), "ice", "hills"),
        ("empty.village", (), "village", "hills"),
        ("empty.water", (3,), "captured", "hills"),
        ("empty.ice", (3,), "ice", "hills"),
        ("b1.1", (), "hills", "reserve"),
    ],
)
def test_on_the_table_the_player_says_what_lies_there(
    beyond: str, dice: tuple[int, ...], levy: str, bowman: str
) -> None:
    state = game("b levy field, b bowman hills, r prowler forest", map="table")
    action = move(state, "b levy", "ice")
    landed = P.after(state, action, 1, 5, *dice, beyond=beyond, owner_choice="resident")
    assert (at(landed, "b levy"), at(landed, "b bowman")) == (levy, bowman)


@pytest.mark.clause("PT-83", "PT-86")
def test_the_mover_is_asked_and_may_go_instead_of_his_friend() -> None:
    state = game("b levy field, b bowman hills, r prowler forest", map="table")
    action = move(state, "b levy", "ice")
    questions = asked(state, action, 1, 5, beyond="b1.1", owner_choice="mover")
    assert [(one.seat, one.key) for one in questions] == [("blue", "beyond"), ("blue", "owner_choice")]
    assert values(questions[0]) == {
        *(f"empty.{name}" for name in terrains(state)),
        "b1.1",
        "enemy",
        "void",
        "own_base",
        "enemy_base",
        "wall",
    }
    landed = P.after(state, action, 1, 5, beyond="b1.1", owner_choice="mover")
    assert (at(landed, "b levy"), at(landed, "b bowman")) == ("reserve", "hills")


@pytest.mark.clause("PT-85", "PT-A32")
def test_only_what_can_lie_there_is_asked_for() -> None:
    alone = game("b levy field", map="table", random_move_walls="ignore")
    (question,) = asked(alone, move(alone, "b levy", "ice"), 1, 5, beyond="void")
    assert not {"enemy", "wall", "b0.1"} & values(question)
    assert {"void", "own_base", "enemy_base"} <= values(question)


@pytest.mark.clause("PT-86")
def test_a_friend_who_made_room_is_not_met_again_on_the_table() -> None:
    state = game("b levy field, b bowman ice", map="table")
    ask = Scripted(1, 5, 1, 2, beyond="b1.1", owner_choice="resident")
    GAME.rule(state, "blue", move(state, "b levy", "ice"), ask)
    first, _, again = [one for one in ask.asked if isinstance(one, Choose)]
    assert "b1.1" in values(first)
    assert "b1.1" not in values(again)


@pytest.mark.clause("PT-77", "PT-A28")
def test_on_the_table_the_opponent_says_a_terrain() -> None:
    state = game("b levy labyrinth, r prowler forest", map="table")
    action = move(state, "b levy", "field")
    (question,) = asked(state, action, 3, opponent_choice="forest")
    assert (question.seat, question.key, values(question)) == ("red", "opponent_choice", set(terrains(state)))
    assert at(P.after(state, action, 3, opponent_choice="hills"), "b levy") == "hills"
    assert at(P.after(state, action, 3, 3, opponent_choice="water"), "b levy") == "captured"
    assert P.no(state, action, 3, opponent_choice="base") == "PT-77"


@pytest.mark.clause("PT-62", "PT-63")
def test_on_the_table_units_are_deployed_onto_a_terrain() -> None:
    state = game(map="table")
    assert set(options_of(offer(state, "deploy", "b levy"), "to")) == set(terrains(state))
    deployed = P.after(state, Deploy("b0.1", "water"))
    assert (at(deployed, "b levy"), deployed.active) == ("water", "red")
    assert P.no(state, Deploy("b0.1", "base")) == "PT-62"
    assert P.no(state, Deploy("b0.1", "nowhere")) == "PT-27"


@pytest.mark.clause("PT-A42")
def test_on_the_table_the_players_know_whether_somebody_is_stuck() -> None:
    state = game("b levy field", map="table")
    (offered,) = P.offered(state, "pass")
    assert (offered.main, offered.aside) == (False, True)
    assert P.told(offered.advice) == ["Only a player who can do nothing passes."]
    assert P.after(state, Pass()).active == "red"


# Over facts, as look-ups and worked examples know them


def fate(start: str, to: Any, *dice: int, hop: Hop | None = None, options: Options | None = None, **land: Any) -> Fate:
    ask = Scripted(*dice)
    who = Mover("blue", say("Levy"), (), options or Options())
    found = movement.moved(who, Spot(start, at="from"), to, Script(**land), ask, hop)
    ask.finish("PT-27")
    P.check(ask.reasons)
    return found


def refused(*args: Any, **facts: Any) -> str | None:
    with pytest.raises(Refusal) as no:
        fate(*args, **facts)
    return no.value.clause


@pytest.mark.clause("PT-26", "PT-27", "PT-28", "PT-66", "PT-81", "PT-A18")
def test_a_move_over_facts_is_refused_with_its_clause() -> None:
    field = Spot("field")
    assert refused("field", "void") == "PT-27"
    assert refused("field", "wall") == "PT-81"
    assert refused("field", "enemy_base") == "PT-66"
    assert refused("field", Spot("field", "ally")) == "PT-26"
    assert refused("field", Spot("field", "enemy")) == "PT-26"
    assert refused("field", field, hop=Hop("enemy")) == "PT-28"
    assert refused("field", field, hop=Hop(None)) == "PT-28"
    assert refused("field", field, hop=Hop(tiles=2)) == "PT-A18"
    straight = Options(hop_straight_only=True)
    assert refused("field", field, hop=Hop(straight=False), options=straight) == "PT-A18"
    assert fate("field", field, hop=Hop(straight=False)) == Fate("there", field)
    assert fate("field", field, hop=Hop(), options=straight) == Fate("there", field)
    assert refused("swamp", Spot("field", "ally"), 4) == "PT-26"


@pytest.mark.clause("PT-30", "PT-71", "PT-72", "PT-77")
def test_a_move_over_facts_is_tested_as_at_the_table() -> None:
    water = Spot("water", at="to")
    assert fate("field", "own_base") == Fate("reserve")
    assert fate("swamp", "own_base", 4) == Fate("reserve")
    assert fate("swamp", "own_base", 3) == Fate("stays")
    assert fate("swamp", water, 4, 4) == Fate("there", water)
    assert fate("field", water, 4, hop=Hop(terrain="cave")) == Fate("there", water)
    swamp = Spot("swamp", at="to")
    assert fate("swamp", swamp, hop=Hop(terrain="field")) == Fate("there", swamp), "where it lands counts"
    assert fate("swamp", water, 1, hop=Hop(terrain="swamp")) == Fate("stays")
    sent = fate("labyrinth", Spot("field"), 1, 5, opponent=water)
    assert sent == Fate("there", water, sent=True)


@pytest.mark.clause("PT-62", "PT-63", "PT-26")
def test_a_deployment_over_facts() -> None:
    who = Mover("blue", say("Levy"), (), Options())

    def deployed(to: Spot, **facts: bool) -> Any:
        ask = Scripted()
        try:
            return movement.deployed(who, to, ask, **{"in_reserve": True, "beside_base": True, **facts})
        except Refusal as no:
            return no.clause

    assert deployed(Spot("water")) == Fate("there", Spot("water"))
    assert deployed(Spot("water"), in_reserve=False) == "PT-62"
    assert deployed(Spot("water"), beside_base=False) == "PT-62"
    assert deployed(Spot("field", "ally")) == deployed(Spot("field", "enemy")) == "PT-26"
