"""The map of Pocket-Tactics is built, and the first units are set out (PT-13 to PT-23, PT-82)."""

from __future__ import annotations

import random
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.pocket_tactics import geometry, initial_deployment, map_building
from companion.games.pocket_tactics.cards import Bag, TileCard
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.initial_deployment import SetOut, TakeBack
from companion.games.pocket_tactics.map_building import PlaceBase, PlaceTile
from companion.games.pocket_tactics.state import Seat, State
from companion.kit.hexes import Hex, named
from companion.kit.panels import Board
from companion.kit.questions import Draw
from companion.kit.ruling import Refusal
from companion.kit.text import Text, speak
from tests.scenarios.pocket_tactics.map_building import started
from tests.support.playing import Scripted
from tests.support.pocket_tactics_positions import P, code, game, table, tile

if TYPE_CHECKING:
    from companion.kit.action import Offer

PLAIN = Bag(name="plain", tile=(TileCard(terrain="field", count=4), TileCard(terrain="ice", count=1)))


def building(ground: str = "", *, drawn: int | None = 0, bag: Bag = PLAIN, **more: Any) -> State:
    """A map that is being built: its tiles so far, the tile that Blue has drawn, and no other in the bag."""
    tiles = tuple(tile(one) for one in ground.split(",") if one)
    fields = {"phase": "tiles", "tiles": tiles, "drawn": drawn, "bag": bag, "bases": {"blue": "m1"}}
    return table(**more.pop("options", {})).mustered().but(**(fields | more))


def tunnels(*grooves: str) -> Bag:
    """A bag of tunnel tiles, each with its grooves: ``n+s``."""
    every: Any = [tuple(one.split("+")) for one in grooves]
    return Bag(name="tunnels", tile=tuple(TileCard(terrain="complex", grooves=sides) for sides in every))


def options_of(offer: Offer, field: str) -> list[str]:
    return [option.value for one in offer.fields if one.name == field for option in one.options]


def told(state: State, action: Any, clause: str, *, seat: Seat | None = None, drawn: tuple[str, ...] = ()) -> list[str]:
    """What an action tells with a clause, in English."""
    ruling = P.rule(state, seat or state.active, action, Scripted(drawn=drawn))
    return [speak(reason.text, lambda word: word) for reason in ruling.reasons if reason.clause == clause]


def begun(state: State, ask: Scripted) -> State:
    return map_building.begin(state, ask)


# Drawing


@pytest.mark.clause("PT-13")
def test_a_tile_is_drawn_blind_out_of_all_that_are_in_the_bag() -> None:
    ask = Scripted(drawn=("1",))
    state = begun(building(drawn=None, left=(0, 0, 0, 0, 1)), ask)
    assert [question.pile for question in ask.asked if isinstance(question, Draw)] == [("0", "0", "0", "0", "1")]
    assert state.drawn == 1
    assert state.left == (0, 0, 0, 0)


@pytest.mark.clause("PT-14")
def test_the_first_player_draws_first_and_joins_the_tile_to_the_own_base() -> None:
    ask = Scripted()
    state = begun(building(drawn=None, left=(0, 0), first="red", bases={"red": "m1"}), ask)
    assert [question.by for question in ask.asked if isinstance(question, Draw)] == ["red"]
    assert state.active == "red"
    (offer,) = P.offered(state, "place_tile", "red")
    assert set(options_of(offer, "at")) == {"l1", "m2", "n1"}
    assert P.offered(state, "place_tile", "blue") == []
    assert told(state, PlaceTile("m2"), "PT-14") == ["red places m2, field"]


@pytest.mark.clause("PT-15")
def test_players_draw_and_place_in_turns() -> None:
    state = building(left=(0, 1))
    ask = Scripted(drawn=("1",))
    state = P.rule(state, "blue", PlaceTile("m2"), ask).outcome
    assert [question.by for question in ask.asked if isinstance(question, Draw)] == ["red"]
    assert (state.active, state.drawn, state.left) == ("red", 1, (0,))
    assert P.no(state, PlaceTile("m3"), seat="blue") == "PT-15"
    state = P.after(state, PlaceTile("m3"))
    assert (state.active, [one.terrain for one in state.tiles]) == ("blue", ["field", "ice"])


@pytest.mark.clause("PT-18")
def test_tiles_are_placed_until_the_bag_is_empty() -> None:
    state = building("m2 field", left=(1,))
    state = P.after(state, PlaceTile("m3"))
    assert (state.phase, state.drawn, state.left) == ("tiles", 1, ())
    assert told(state, PlaceTile("m4"), "PT-18") == ["All the tiles are in play"]
    state = P.after(state, PlaceTile("m4"))
    assert (state.phase, state.drawn, state.active) == ("second_base", None, "red")
    assert P.no(state, PlaceTile("m5")) == "PT-18"


# Where tiles go


@pytest.mark.clause("PT-16", "PT-17")
def test_a_tile_touches_others_along_their_front_edges_only() -> None:
    state = building("m2 field, l2 field")
    (offer,) = P.offered(state, "place_tile")
    places = options_of(offer, "at")
    assert set(places) == {"k3", "l3", "m3", "n2"}
    for at in places:
        assert P.after(state, PlaceTile(at)).tiles[-1].at == at
    assert P.no(state, PlaceTile("m2")) == "PT-16"
    assert P.no(state, PlaceTile("m1")) == "PT-16"
    assert P.no(state, PlaceTile("m4")) == "PT-16"
    assert P.no(state, PlaceTile("l1")) == "PT-17"
    refused = P.refusal(state, PlaceTile("n1"))
    assert (refused.clause, refused.field, refused.text.places["direction"]) == ("PT-17", "at", Text("nw"))


@pytest.mark.clause("PT-16", "PT-17")
def test_every_offered_place_touches_only_what_lies_behind_it_and_no_other_place_does() -> None:
    chance = random.Random(5)
    in_play = {Hex(0, 0)}
    for _ in range(30):
        near = {Hex(q, r) for q in range(-12, 13) for r in range(-32, 3)} - in_play
        plain = {
            place
            for place in near
            if any(place.beyond(side) in in_play for side in (3, 4, 5))
            and not any(place.beyond(side) in in_play for side in (1, 2, 6))
        }
        assert geometry.front_places(in_play) == plain
        in_play.add(chance.choice(sorted(plain)))


def test_places_beyond_the_last_column_are_left_out_and_said() -> None:
    ground = ", ".join(f"{Hex(q, -q).name} field" for q in range(1, 13))
    state = building(ground, left=(0,))
    assert named("y7") in state.grid
    assert max(geometry.tile_places(state, 0)) == "y8"
    words = "Companion draws the columns a to y: what lies beyond them cannot be used"
    assert words in told(state, PlaceTile("m2"), "PT-16")


# Tunnels


@pytest.mark.clause("PT-82")
def test_grooves_meet_grooves_and_walls_meet_walls() -> None:
    state = building("m2 complex 1+4", bag=tunnels("n+s"))
    for at, turned in (("m3", 0), ("m3", 3), ("l2", 0), ("l2", 1), ("n2", 0), ("n2", 2)):
        placed = P.after(state, PlaceTile(at, turned)).tile(at)
        assert placed is not None
        assert placed.grooves == tuple(sorted(((0 + turned) % 6 + 1, (3 + turned) % 6 + 1)))
    for at, turned in (("m3", 1), ("m3", 2), ("l2", 2), ("n2", 1), ("n2", 4)):
        refused = P.refusal(state, PlaceTile(at, turned))
        assert (refused.clause, refused.field) == ("PT-82", "turned")


@pytest.mark.clause("PT-82")
def test_next_to_other_tiles_and_bases_grooves_are_free() -> None:
    state = building("m2 field", bag=tunnels("n"))
    every = {at: turns for at, turns in geometry.tile_places(state, 0).items() if turns == tuple(range(6))}
    assert set(every) == {"l2", "m3", "n2"}
    plain = building("m2 complex 1+4")
    assert geometry.tile_places(plain, 0) == dict.fromkeys(("l2", "m3", "n2"), (0,))


@pytest.mark.clause("PT-82")
def test_a_tunnel_tile_is_offered_once_for_each_way_that_its_grooves_can_lie() -> None:
    state = building("m2 complex 1+4", bag=tunnels("n+s"))
    offers = P.offered(state, "place_tile")
    assert [offer.given["turned"] for offer in offers] == [0, 1, 2]
    assert [options_of(offer, "at") for offer in offers] == [["l2", "m3", "n2"], ["l2"], ["n2"]]
    grooves = [speak(offer.label.places["directions"], str) for offer in offers]
    assert grooves == ["n, s", "ne, sw", "se, nw"]
    for offer in offers:
        for at in options_of(offer, "at"):
            P.after(state, PlaceTile(at, offer.given["turned"]))


@pytest.mark.clause("PT-82")
def test_a_tile_that_fits_nowhere_is_laid_aside_and_the_next_is_drawn() -> None:
    """The tiles in front have walls towards every place; a tile with grooves all round meets each of them."""
    bag = tunnels("n+ne+se+s+sw+nw", "s", "se+s+sw")
    state = building("l1 complex 2+4, n1 complex 4+6", bag=bag, drawn=2, left=(0, 0, 1))
    ruling = P.rule(state, "blue", PlaceTile("m2", 0), Scripted(drawn=("0", "0", "1")))
    assert [reason.clause for reason in ruling.reasons].count("PT-82") == 3
    assert (ruling.outcome.drawn, ruling.outcome.left, ruling.outcome.active) == (1, (), "red")
    ruling = P.rule(state, "blue", PlaceTile("m2", 0), Scripted(drawn=("1",)))
    assert ruling.outcome.drawn == 1


@pytest.mark.clause("PT-82")
def test_a_place_that_no_turn_fits_is_refused_as_a_place() -> None:
    state = building("m2 complex 3+4+5, l2 field", bag=tunnels("n+ne+se+s+sw+nw"))
    assert "m3" not in geometry.tile_places(state, 0)
    refused = P.refusal(state, PlaceTile("m3"))
    assert (refused.clause, refused.field) == ("PT-82", "at")


# The second base

W15 = [Hex(0, 0), Hex(0, -1), Hex(1, -2), Hex(1, -3)]


@pytest.mark.clause("PT-19", "PT-20")
def test_the_second_base_goes_as_far_as_possible() -> None:
    """PT-W15."""
    places = geometry.furthest(W15[0], geometry.front_places(set(W15)))
    assert places == (Hex(1, -4), Hex(2, -4))
    for at in places:
        map_building.check_base(W15[0], set(W15), at)


@pytest.mark.clause("PT-19", "PT-20")
@pytest.mark.parametrize(
    ("at", "clause"),
    [
        (Hex(0, -3), "PT-19"),
        (Hex(1, -3), "PT-20"),
        (Hex(0, -2), "PT-17"),
        (Hex(1, -6), "PT-20"),
    ],
)
def test_the_second_base_goes_nowhere_else(at: Hex, clause: str) -> None:
    with pytest.raises(Refusal) as refused:
        map_building.check_base(W15[0], set(W15), at)
    assert (refused.value.clause, refused.value.field) == (clause, "at")


@pytest.mark.clause("PT-19", "PT-20")
def test_the_second_player_chooses_among_the_furthest_places() -> None:
    """The map of PT-W15."""
    state = building("m2 field, n2 field, n3 field", phase="second_base", drawn=None, active="red")
    (offer,) = P.offered(state, "place_base")
    assert options_of(offer, "at") == ["n4", "o4"]
    assert P.offered(state, "place_base", "blue") == []
    assert P.no(state, PlaceBase("n4"), seat="blue") == "PT-19"
    assert P.no(state, PlaceBase("m4")) == "PT-19"
    for at in ("n4", "o4"):
        placed = P.after(state, PlaceBase(at))
        assert (placed.bases["red"], placed.phase, placed.active) == (at, "setting_out", "blue")
    said = P.ruled(state, PlaceBase("n4")).reasons
    assert [(reason.clause, reason.value) for reason in said] == [("PT-20", None), ("PT-19", 4)]
    assert P.no(placed, PlaceBase("n4"), seat="red") == "PT-19"
    assert P.no(building("m2 field"), PlaceBase("m3")) == "PT-19"


@pytest.mark.clause("PT-20")
def test_the_furthest_place_always_touches_a_furthest_tile() -> None:
    chance = random.Random(11)
    for _ in range(60):
        in_play = {Hex(0, 0)}
        for _ in range(chance.randint(1, 20)):
            in_play.add(chance.choice(sorted(geometry.front_places(in_play))))
        most = max(one.apart(Hex(0, 0)) for one in in_play)
        for place in geometry.furthest(Hex(0, 0), geometry.front_places(in_play)):
            assert most in {one.apart(Hex(0, 0)) for one in place.beside if one in in_play}


@pytest.mark.clause("PT-19")
def test_where_only_one_place_can_be_drawn_the_base_is_placed_there() -> None:
    ground = ", ".join(f"{Hex(q, -q).name} field" for q in range(1, 12))
    state = P.after(building(ground), PlaceTile(Hex(12, -12).name))
    assert state.bases["red"] == Hex(12, -13).name
    assert state.phase == "setting_out"


# Edges and distances


@pytest.mark.clause("PT-81")
def test_an_edge_is_open_where_every_tunnel_tile_has_a_groove() -> None:
    state = game(ground="m2 complex 1+3, m3 complex 4, n2 field, n1 field, l2 complex 3")
    open_to = [one for one in ("m1", "m3", "n2", "n1", "l2") if geometry.open_edge(state.grid, named("m2"), named(one))]
    assert open_to == ["m3", "n1"]
    for one in ("m1", "m3", "n2", "n1", "l2"):
        here, there = named("m2"), named(one)
        assert geometry.open_edge(state.grid, here, there) == geometry.open_edge(state.grid, there, here)


def test_what_shares_an_edge_is_named_clockwise_from_the_north() -> None:
    state = game(ground="m2 field, n1 field, l1 field, n2 field", bases="m1 m3")
    assert geometry.around(state, "m2") == ("m3", "n2", "n1", "m1", "l1")
    assert geometry.around(state, "m1") == ("m2", "n1", "l1")
    assert geometry.around(state, "l1") == ("m2", "m1")


@pytest.mark.clause("PT-22")
def test_steps_are_counted_over_tiles_and_grooves_whoever_stands_there() -> None:
    """The straight way over m3 is walled off: m4 is reached around it; l5 is not reached at all."""
    ground = "m2 field, m3 complex 4, n2 field, n3 field, m4 field, l5 complex 1"
    state = game("b levy m2, r prowler n2", ground=ground, bases="m1 m5")
    assert geometry.steps(state, "blue") == {
        "m2": 1,
        "m3": 2,
        "n2": 2,
        "n3": 3,
        "m4": 4,
        "l5": geometry.NEVER,
    }
    assert geometry.steps(state, "red")["m4"] == 1


def test_no_way_leads_over_the_enemy_base() -> None:
    state = game(ground="m2 field, m4 field", bases="m1 m3")
    assert geometry.steps(state, "blue") == {"m2": 1, "m4": geometry.NEVER}


# Setting out


def setting(ground: str = "m2 field, l2 field, n2 field, m3 field, m4 field, m5 field", **more: Any) -> State:
    return game(ground=ground, bases="m1 m6", **({"phase": "setting_out", "turn": 0} | more))


def out(state: State, written: str) -> State:
    """Units set out one after the other, by whose turn it is."""
    for entry in written.split(","):
        state = P.after(state, SetOut(code(state, entry), entry.split()[2]))
    return state


@pytest.mark.clause("PT-21")
def test_the_first_player_sets_three_units_out_then_the_second() -> None:
    state = setting()
    assert (state.active, initial_deployment.left(state, "blue")) == ("blue", 3)
    assert P.no(state, SetOut("r0.1", "m5"), seat="red") == "PT-21"
    assert P.no(state, SetOut("r0.1", "m2")) == "PT-21"
    state = out(state, "b levy m2, b bowman l2")
    assert (state.active, initial_deployment.left(state, "blue")) == ("blue", 1)
    state = out(state, "b levy.2 n2")
    assert (state.active, state.phase) == ("red", "setting_out")
    state = out(state, "r prowler m5, r prowler.2 m4, r bulwark m3")
    assert (state.active, state.phase, state.turn) == ("blue", "play", 1)


@pytest.mark.clause("PT-21")
def test_where_red_is_the_first_player_red_begins() -> None:
    state = initial_deployment.begin(setting(first="red").but(bases={"red": "m1", "blue": "m6"}), Scripted())
    assert state.active == "red"
    state = out(state, "r prowler m2, r prowler.2 l2, r bulwark n2, b levy m5, b levy.2 m4, b levy.3 m3")
    assert (state.active, state.phase) == ("red", "play")


@pytest.mark.clause("PT-22")
def test_starting_units_stand_on_the_closest_tiles_in_whatever_order() -> None:
    """m2 is one step away; l2, n2 and m3 two: any two of those; m4 is too far."""
    state = setting()
    for entry in ("b levy m2", "b levy l2", "b levy n2", "b levy m3"):
        out(state, entry)
    assert P.no(state, SetOut("b0.1", "m4")) == "PT-22"
    two = out(state, "b levy m3, b levy.2 n2")
    assert P.no(two, SetOut("b0.3", "l2")) == "PT-22"
    assert P.no(two, SetOut("b0.3", "m4")) == "PT-22"
    (to,) = {tuple(options_of(offer, "to")) for offer in P.offered(two, "set_out")}
    assert to == ("m2",)
    assert out(two, "b levy.3 m2").active == "red"


@pytest.mark.clause("PT-22")
def test_every_offered_place_is_taken_and_told_with_its_distance() -> None:
    state = setting()
    for offer in P.offered(state, "set_out"):
        assert offer.on == offer.given["unit"]
        for to in options_of(offer, "to"):
            P.after(state, SetOut(offer.given["unit"], to))
    assert told(state, SetOut("b0.1", "m2"), "PT-22") == ["1 step from the base"]
    assert told(state, SetOut("b0.1", "m3"), "PT-22") == ["2 steps from the base"]


@pytest.mark.clause("PT-22")
def test_what_can_not_be_walked_to_comes_last() -> None:
    """m3 is walled off on both sides that lead to it; m4 lies behind."""
    state = setting("m2 field, m3 complex 1, m4 field, m5 field")
    assert P.no(state, SetOut("b0.1", "m1")) == "PT-26"
    state = out(state, "b levy m2")
    (to,) = {tuple(options_of(offer, "to")) for offer in P.offered(state, "set_out")}
    assert to == ("m3", "m4", "m5")
    words = ["No way leads there from the base, but nothing closer is free"]
    assert told(state, SetOut("b0.2", "m5"), "PT-22") == words


@pytest.mark.clause("PT-22", "PT-26")
def test_the_second_player_takes_the_closest_tiles_that_are_left() -> None:
    state = setting("m2 field, m3 field, m4 field, m5 field")
    state = out(state, "b levy m2, b levy.2 m3, b levy.3 m4")
    assert initial_deployment.left(state, "red") == 1
    assert P.no(state, SetOut("r0.1", "m4")) == "PT-26"
    assert P.no(state, SetOut("r0.1", "k9")) == "PT-26"
    assert out(state, "r prowler m5").phase == "play"


@pytest.mark.clause("PT-21")
def test_an_army_of_fewer_than_three_sets_all_of_it_out() -> None:
    state = setting()
    state = state.but(units=tuple(unit for unit in state.units if unit.seat == "red" or unit.id in {"b0.1", "b1.1"}))
    state = out(state, "b levy m2, b bowman l2")
    assert (state.active, initial_deployment.left(state, "red")) == ("red", 3)


@pytest.mark.clause("PT-22")
def test_hazards_are_not_tested_when_units_are_set_out() -> None:
    state = setting("m2 water, l2 cave, n2 ice, m3 swamp, m4 labyrinth, m5 field")
    assert P.questions(state, SetOut("b0.1", "m2")) == []
    assert len(out(state, "b levy m2, b levy.2 l2, b levy.3 n2").of("blue", "tile")) == 3


@pytest.mark.clause("PT-23")
def test_all_other_units_are_the_reserve() -> None:
    state = out(setting(), "b levy m2, b levy.2 l2, b levy.3 n2, r prowler m5, r prowler.2 m4")
    assert len(state.of("blue", "reserve")) == 8
    last = SetOut("r0.3", "m3")
    assert told(state, last, "PT-23") == ["blue: 8 units in reserve", "red: 8 units in reserve"]
    assert P.no(state, SetOut("r0.1", "m3")) == "PT-23"


@pytest.mark.clause("PT-21")
def test_a_unit_can_be_taken_back_until_all_three_stand() -> None:
    state = out(setting(), "b levy m2, b levy.2 l2")
    assert {offer.on for offer in P.offered(state, "take_back")} == {"b0.1", "b0.2"}
    state = P.after(state, TakeBack("b0.1"))
    assert (state.unit("b0.1").where, state.active) == ("reserve", "blue")
    assert P.no(state, TakeBack("b0.1")) == "PT-21"
    state = out(state, "b bowman m2, b levy n2")
    assert state.active == "red"
    assert P.no(state, TakeBack("b0.2"), seat="blue") == "PT-21"
    assert P.no(state, TakeBack("b0.2")) == "PT-21"


@pytest.mark.clause("PT-21")
def test_units_are_set_out_only_before_the_first_turn() -> None:
    assert P.no(game("b levy m2"), SetOut("b0.2", "m3")) == "PT-21"
    assert P.no(game("b levy m2"), TakeBack("b0.1")) == "PT-21"


@pytest.mark.clause("PT-A41")
def test_one_by_one_in_turns_where_the_table_agreed_so() -> None:
    state = initial_deployment.begin(setting(alternate_initial_deploy=True), Scripted())
    assert state.active == "blue"
    seats = []
    for entry in ("b levy m2", "r prowler m5", "b levy.2 m3", "r prowler.2 m4", "b levy.3 l2", "r prowler.3 n2"):
        seats.append(state.active)
        assert P.offered(state, "take_back") == []
        state = out(state, entry)
    assert seats == ["blue", "red"] * 3
    assert (state.phase, state.active) == ("play", "blue")


@pytest.mark.clause("PT-A41")
def test_in_turns_units_stay_and_whoever_has_more_left_goes_on() -> None:
    state = setting(alternate_initial_deploy=True)
    state = state.but(units=tuple(unit for unit in state.units if unit.seat == "red" or unit.id == "b0.1"))
    state = out(state, "b levy m2, r prowler m5")
    assert (state.active, initial_deployment.left(state, "red")) == ("red", 2)
    assert P.no(state, TakeBack("r0.1")) == "PT-A41"


@pytest.mark.clause("PT-21", "PT-22")
def test_on_the_table_the_players_say_the_terrain() -> None:
    state = initial_deployment.begin(game(map="table").but(phase="factions"), Scripted())
    assert (state.phase, initial_deployment.left(state, "blue")) == ("setting_out", 3)
    (to,) = {tuple(options_of(offer, "to")) for offer in P.offered(state, "set_out")}
    assert {"forest", "ice"} <= set(to)
    assert len(set(to)) == len(to)
    state = P.after(state, SetOut("b0.1", "ice"))
    assert (state.unit("b0.1").terrain, state.unit("b0.1").at) == ("ice", None)
    assert P.no(state, SetOut("b0.2", "base")) == "PT-22"
    state = out(state, "b levy.2 ice, b levy.3 forest, r prowler field, r prowler.2 field, r prowler.3 field")
    assert (state.phase, state.turn) == ("play", 1)


# Three units at once, from facts


FREE = {"a": 1, "b": 2, "c": 2, "d": 2, "e": 3}


@pytest.mark.clause("PT-21", "PT-22", "PT-23")
def test_three_units_at_once_are_judged_together() -> None:
    assert started(FREE, ["d", "b", "a"], 11) == (3, 8)
    assert started(FREE, ["c", "a"], 2) == (2, 0)
    assert started({"a": 4, "b": 9}, ["b", "a"], 5) == (2, 3)


@pytest.mark.clause("PT-21", "PT-22")
@pytest.mark.parametrize(
    ("chosen", "army", "clause"),
    [
        ("abe", 11, "PT-22"),
        ("bcd", 11, "PT-22"),
        ("bc", 2, "PT-22"),
        ("ab", 11, "PT-21"),
        ("abcd", 11, "PT-21"),
        ("aab", 11, "PT-26"),
        ("abz", 11, "PT-26"),
        ("abc", 2, "PT-21"),
    ],
)
def test_three_units_on_wrong_tiles_are_refused(chosen: str, army: int, clause: str) -> None:
    with pytest.raises(Refusal) as refused:
        started(FREE, list(chosen), army)
    assert refused.value.clause == clause


@pytest.mark.clause("PT-22")
def test_the_next_tile_is_one_that_some_closest_set_has() -> None:
    """Against all sets of tiles that are as close as can be, by brute force."""
    chance = random.Random(3)
    for _ in range(200):
        free = {f"t{at}": chance.randint(1, 4) for at in range(chance.randint(1, 7))}
        count = min(3, len(free))
        best = sorted(free.values())[:count]
        sets = [set(some) for some in combinations(free, count) if sorted(free[at] for at in some) == best]
        goal = chance.choice(sets)
        taken = chance.sample(sorted(goal), chance.randint(0, count))
        plain = {at for some in sets if set(taken) <= some for at in some} - set(taken)
        assert set(initial_deployment.nearest(free, taken, count)) == (plain if len(taken) < count else set())


def test_a_whole_map_is_built_and_set_out_by_what_is_offered() -> None:
    for seed in range(6):
        chance = random.Random(seed)
        bag = Bag(name="mixed", tile=(*PLAIN.tile, *tunnels("n+s", "n+se", "s", "ne+se+sw+nw").tile))
        state = map_building.begin(building(drawn=None, bag=bag, left=(0, 0, 0, 0, 1, 2, 2, 3, 3, 4, 5)), Scripted())
        while state.phase != "play":
            offers = [offer for offer in GAME.offers(state, state.active) if offer.action != "concede"]
            assert offers
            offer = chance.choice(offers)
            fields = {field.name: chance.choice(field.options).value for field in offer.fields}
            kinds: dict[str, Any] = {
                "place_tile": PlaceTile,
                "place_base": PlaceBase,
                "set_out": SetOut,
                "take_back": TakeBack,
            }
            drawn = (str(chance.choice(state.left)),) if state.left else ()
            state = P.rule(
                state, state.active, kinds[offer.action](**offer.given, **fields), Scripted(drawn=drawn)
            ).outcome
        assert [len(state.of(seat, "tile")) for seat in ("blue", "red")] == [3, 3]


def test_a_terrain_of_the_players_own_is_drawn_plain_whatever_it_is_called() -> None:
    ground = "m2 hills, l2 castle, n2 field"
    (board,) = (panel for panel in GAME.view(game(ground=ground), "blue").panels if isinstance(panel, Board))
    assert {one.square: one.kind for one in board.terrain} == {
        "m2": "hill",
        "l2": "other",
        "n2": "field",
        "m1": "base",
        "m5": "base",
    }
