"""The bag of Pocket-Tactics, when both are ready, and the throw for the first turn."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.pocket_tactics.bag import TRACKER, LoadBag, SetTile, UseBag
from companion.games.pocket_tactics.cards import BAG, MOST_TILES, OWN_BAG, Bag, Faction, TileCard, UnitCard
from companion.games.pocket_tactics.factions import Ready, unready
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.state import SEATS, State
from companion.kit.decks.offers import LoadDeck, UseSample
from companion.kit.panels import Tracker
from tests.support.brought_decks import WRITERS, refused_whole
from tests.support.pocket_tactics_factions import (
    COMPLEX,
    FERRYMEN,
    SMALL,
    bagged,
    begun,
    preparing,
    rows,
    standing,
    trackers,
)
from tests.support.pocket_tactics_positions import P, table
from tests.support.watch import Watch

# Whether a game can begin with it


@pytest.mark.clause("PT-11", "PT-13", "PT-18", "PT-A46")
@pytest.mark.parametrize(
    ("state", "clause", "says"),
    [
        (begun(), "PT-11", "Take a faction first"),
        (begun().but(factions={"blue": Faction(name="x")}), "PT-02", "no unit"),
        (standing(copies=11), "PT-A46", "costs 110 points: 100 are the limit"),
        (standing(cost=26, options={"army_limit": 25}), "PT-A46", "costs 26 points: 25 are the limit"),
        (standing().but(bag=Bag(name="x")), "PT-13", "no tile in the bag"),
        (
            standing().but(bag=Bag(name="x", tile=(TileCard(terrain="ice", count=40), TileCard(terrain="i")))),
            "PT-18",
            "41 tiles",
        ),
    ],
)
def test_what_no_game_can_begin_with_is_refused(state: State, clause: str, says: str) -> None:
    refused = unready(state, "blue")
    assert refused is not None
    assert refused.clause == clause
    assert says in P.english(refused.text)
    assert P.no(state, Ready(), seat="blue") == clause
    assert [offer for offer in GAME.offers(state, "blue") if offer.action == "ready"] == []


@pytest.mark.clause("PT-13", "PT-A46")
@pytest.mark.parametrize(
    "state",
    [
        standing(copies=10),
        standing(cost=25, options={"army_limit": 25}),
        standing(cost=0, copies=1),
        standing(copies=20, options={"army_limit": 200}),
        standing().but(bag=Bag(name="x", tile=(TileCard(terrain="ice", count=MOST_TILES),))),
        standing().but(bag=Bag(name="x", tile=(TileCard(terrain="ice"),))),
        standing(options={"map": "table"}).but(bag=Bag(name="x")),
    ],
)
def test_what_a_game_can_begin_with_is_not(state: State) -> None:
    assert unready(state, "blue") is None
    (offer,) = [offer for offer in GAME.offers(state, "blue") if offer.action == "ready"]
    assert offer.main


def test_an_army_ends_somewhere() -> None:
    units = tuple(UnitCard(name=f"u{at}", affinities=("ice",), cost=0, copies=25) for at in range(5))
    state = begun().but(factions={"blue": Faction(name="x", unit=units)})
    assert "100" in P.english(P.refusal(state, Ready(), seat="blue").text)
    assert unready(state.but(factions={"blue": Faction(name="x", unit=units[1:])}), "blue") is None


@pytest.mark.clause("PT-11")
def test_ready_is_said_once_and_can_be_taken_back() -> None:
    state = P.after(table(), Ready(), seat="red")
    assert (state.ready, state.phase) == (("red",), "factions")
    assert P.no(state, Ready(), seat="red") == "PT-11"
    assert P.no(state, Ready(stands=False), seat="blue") == "PT-11"
    assert P.after(state, Ready(stands=False), seat="red").ready == ()


# The throw for the first turn, and what comes then


def started(*dice: int, **options: Any) -> Any:
    """The ruling on the second Ready."""
    return P.ruled(table(**options).but(ready=("blue",)), Ready(), *dice, seat="red")


@pytest.mark.clause("PT-12")
@pytest.mark.parametrize(("dice", "first"), [((6, 1), "blue"), ((1, 2), "red"), ((3, 2), "blue")])
@pytest.mark.parametrize("where", ["companion", "table"])
def test_the_higher_die_says_who_is_first(dice: tuple[int, ...], first: str, where: str) -> None:
    ruling = started(*dice, map=where)
    assert (ruling.outcome.first, ruling.outcome.active) == (first, first)
    assert f"{first.capitalize()} is the first player" in P.told(ruling.reasons)


@pytest.mark.clause("PT-12", "PT-A44")
def test_both_throw_a_die_of_their_own_and_equal_ones_are_thrown_again() -> None:
    asked = P.questions(table().but(ready=("blue",)), Ready(), 4, 4, 1, 1, 2, 5, seat="red")
    throws = [(one.key, one.by, one.count, one.sides) for one in asked if one.key == "start_roll"]
    assert throws == [("start_roll", seat, 1, 6) for seat in SEATS] * 3
    ruling = started(4, 4, 1, 1, 2, 5)
    assert ruling.outcome.first == "red"
    told = [(reason.clause, reason.value, reason.faces) for reason in ruling.reasons][1:10]
    assert told == [
        ("PT-12", 4, (4,)),
        ("PT-12", 4, (4,)),
        ("PT-A44", None, ()),
        ("PT-12", 1, (1,)),
        ("PT-12", 1, (1,)),
        ("PT-A44", None, ()),
        ("PT-12", 2, (2,)),
        ("PT-12", 5, (5,)),
        ("PT-12", None, ()),
    ]


@pytest.mark.clause("PT-13", "PT-14")
def test_with_the_map_in_companion_the_bag_is_full_and_the_first_base_lies() -> None:
    state = started(1, 6).outcome
    assert state.phase == "tiles"
    assert state.bases == {"red": "m1"}
    drawn = () if state.drawn is None else (state.drawn,)
    assert sorted((*state.left, *drawn)) == [at for at, tile in enumerate(BAG.tile) for _ in range(tile.count)]


@pytest.mark.clause("PT-02", "PT-23")
@pytest.mark.parametrize("where", ["companion", "table"])
def test_every_unit_of_both_factions_is_in_reserve(where: str) -> None:
    state = started(1, 6, map=where).outcome
    assert [unit.id for unit in state.of("blue", "reserve")][:4] == ["b0.1", "b0.2", "b0.3", "b1.1"]
    for seat in SEATS:
        names = [state.card(unit).name for unit in state.of(seat, "reserve")]
        assert names == [card.name for card in state.faction(seat).unit for _ in range(card.copies)]


def test_with_the_map_on_the_table_units_are_set_out_next() -> None:
    state = started(1, 6, map="table").outcome
    assert (state.phase, state.bases, state.left) == ("setting_out", {}, ())


@pytest.mark.clause("PT-11")
def test_factions_and_bag_stand_once_the_game_has_begun() -> None:
    state = started(1, 6).outcome
    for action in (UseSample("wildkin_sample"), LoadDeck(SMALL), FERRYMEN, UseBag(), Ready()):
        refused = P.refusal(state, action, seat="blue")
        assert (refused.clause, P.english(refused.text)) == ("PT-11", "The factions stand: the game has begun.")
    assert preparing(state, "blue") == []


# The bag


@pytest.mark.clause("PT-13")
def test_the_bag_begins_as_the_sample_and_is_filled_by_either() -> None:
    assert begun().bag == BAG
    state = P.after(begun(), SetTile(tile=0, terrain="forest", count=2), seat="red")
    assert (state.bag.name, state.bag.sample, state.bag.size, state.bag.tile[0].count) == (OWN_BAG, False, 16, 2)
    assert P.after(state, UseBag(), seat="blue").bag == BAG


@pytest.mark.clause("PT-13", "PT-80")
def test_a_bag_is_filled_tile_by_tile_and_its_tunnels_have_grooves() -> None:
    empty = LoadBag('name = "Mine"')
    bag = bagged(
        empty,
        COMPLEX,
        SetTile(terrain="complex", count=1, grooves=("n", "n")),
        SetTile(terrain="complex", count=3),
    )
    assert bag == Bag(
        name="Mine",
        tile=(
            TileCard(terrain="complex", count=2, grooves=("n", "s")),
            TileCard(terrain="complex", grooves=("n",)),
            TileCard(terrain="complex", count=3),
        ),
    )
    changed = bagged(empty, COMPLEX, SetTile(tile=0, terrain="ice", count=1))
    assert changed.tile == (TileCard(terrain="ice"),)
    assert bagged(empty, COMPLEX, SetTile(tile=0, terrain="ice", count=0)).tile == ()


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.clause("PT-13", "PT-80")
def test_a_bag_comes_from_a_file_of_each_kind(form: str) -> None:
    for bag in (BAG, bagged(COMPLEX)):
        assert bagged(LoadBag(WRITERS[form](bag))) == bag


def test_kinds_of_which_a_file_has_no_tile_are_not_in_the_bag() -> None:
    text = 'name = "x"\n[[tile]]\nterrain = "ice"\ncount = 0\n[[tile]]\nterrain = "Lava"'
    assert bagged(LoadBag(text)).tile == (TileCard(terrain="Lava"),)


TILE = '[[tile]]\nterrain = "Bosque"\n'
SIDES_OF = 'grooves = ["n", "s"]\n'
DAMAGED_BAGS = {
    "empty": ("", "nothing here"),
    "unknown field": (f'name = "x"\n{TILE}groove = ["n"]', "tile 1 (“Bosque”), field “groove”"),
    "unknown side": (f'name = "x"\n{TILE}grooves = ["up"]', "n, ne, se, s, sw, nw"),
    "wrong type": (f'name = "x"\n{TILE}count = "two"', "tile 1 (“Bosque”), field “count”"),
    "41 of a kind": (f'name = "x"\n{TILE}count = 41', "tile 1 (“Bosque”), field “count”"),
    "a base": ('name = "x"\n[[tile]]\nterrain = "base"', "A base is no terrain"),
    "no side": (f'name = "x"\n{TILE}grooves = []', "tile 1 (“Bosque”): A tunnel tile is open"),
    "side twice": (f'name = "x"\n{TILE}grooves = ["n", "n"]', "tile 1 (“Bosque”): “n” is there twice"),
    "tile twice": (f'name = "x"\n{TILE}[[tile]]\nterrain = "FOREST"', "“FOREST” is there twice"),
    "tunnel twice": (f'name = "x"\n{TILE}{SIDES_OF}{TILE}grooves = ["s", "n"]', "“Bosque” is there twice"),
    "a faction": (SMALL, "“unit”"),
    "41 kinds": ('name = "x"\n' + "".join(f'[[tile]]\nterrain = "t{at}"\n' for at in range(41)), "40"),
    "csv": ("record,name,terrain,count\nroster,x,,\ntile,,ice,many\n", "Row 3 (tile “ice”), column “count”"),
}


@pytest.mark.parametrize("case", DAMAGED_BAGS)
def test_a_damaged_bag_is_refused_with_its_place_and_nothing_is_taken_of_it(case: str) -> None:
    refused_whole(P, table(), "blue", *DAMAGED_BAGS[case], action="load_bag")


def test_refusals_of_bags_are_said_in_both_languages() -> None:
    watch = Watch(GAME)
    for text, _ in DAMAGED_BAGS.values():
        watch.texts(P.refusal(begun(), LoadBag(text), seat="blue").text)


@pytest.mark.parametrize(
    ("action", "field", "clause"),
    [
        (SetTile(tile=9, terrain="ice", count=1), "tile", "PT-13"),
        (SetTile(terrain="ice", count=1), "terrain", "PT-13"),
        (SetTile(terrain="Hielo", count=1), "terrain", "PT-13"),
        (SetTile(tile=0, terrain="ice", count=1), "terrain", "PT-13"),
        (SetTile(terrain="Lava", count=0), "count", "PT-13"),
        (SetTile(terrain=" \n ", count=1), "terrain", "PT-13"),
    ],
)
@pytest.mark.clause("PT-13")
def test_what_does_not_fit_the_bag_is_refused_with_its_field(action: Any, field: str, clause: str) -> None:
    refused = P.refusal(begun(), action, seat="blue")
    assert (refused.field, refused.clause) == (field, clause)
    Watch(GAME).texts(refused.text)


@pytest.mark.clause("PT-13")
def test_another_bag_takes_back_that_somebody_was_ready() -> None:
    state = table().but(ready=("blue",))
    ruling = P.ruled(state, COMPLEX, seat="red")
    assert ruling.outcome.ready == ()
    assert P.told(ruling.reasons) == ["Tiles in the bag", "Blue is not ready any more: the bag is another one"]
    assert [reason.value for reason in ruling.reasons] == [22, None]


@pytest.mark.clause("PT-13")
def test_the_sample_tiles_are_one_line_until_somebody_changes_them() -> None:
    state = table().but(ready=("blue",))
    ((name, label, value, note),) = rows(state, TRACKER)
    assert (name, label, value) == ("tiles", "Tiles", "20")
    assert note.startswith("forest ×\u00a06, hills ×\u00a03, field ×\u00a03")
    (change, load) = [one for one in GAME.offers(state, "red") if one.on == TRACKER]
    assert (P.english(change.label), change.given, change.aside) == ("Change the tiles", {"own": True}, False)
    assert (load.action, [one for one in GAME.offers(state, "red") if one.action == "set_tile"]) == ("load_bag", [])
    own = P.after(state, UseBag(own=True), seat="red")
    assert (own.bag, own.ready) == (replace(BAG, name=OWN_BAG, sample=False), ("blue",))
    assert len(rows(own, TRACKER)) == 1 + len(BAG.tile)
    assert P.after(own, UseBag(), seat="red").bag == BAG


def test_the_bag_is_shown_after_both_factions() -> None:
    assert [panel.id for panel in GAME.view(table(), "red").panels if isinstance(panel, Tracker)] == [
        "deck",
        "blue",
        TRACKER,
    ]


@pytest.mark.clause("PT-13")
def test_a_map_on_the_table_has_its_own_bag() -> None:
    state = table(map="table")
    for action in (UseBag(), LoadBag('name = "x"'), COMPLEX):
        assert P.no(state, action, seat="blue") == "PT-13"
    assert TRACKER not in trackers(state)
    assert not [offer for offer in GAME.offers(state, "blue") if offer.action in {"use_bag", "load_bag", "set_tile"}]


def test_a_full_bag_is_only_emptied() -> None:
    full = begun().but(bag=Bag(name="x", tile=(TileCard(terrain="ice", count=38), TileCard(terrain="Lava", count=2))))
    counts = [offer.given["count"] for offer in P.offered(full, "set_tile", "blue") if not offer.fields]
    assert counts == [37, 1]
    own = P.after(begun(), UseBag(own=True), seat="red")
    counts = [offer.given["count"] for offer in P.offered(own, "set_tile", "blue") if not offer.fields]
    assert counts[:2] == [5, 7]


@pytest.mark.clause("PT-13", "PT-80")
def test_the_bag_is_shown_with_its_hazards_and_grooves() -> None:
    state = begun().but(bag=bagged(LoadBag('name = "Mine"'), COMPLEX, SetTile(terrain="ice", count=1)))
    assert rows(state, TRACKER) == [
        ("tiles", "Tiles", "3", ""),
        ("t0", "Complex", "× 2", "tunnel, open: North, South"),
        ("t1", "ice", "× 1", "hazard tile"),
    ]
