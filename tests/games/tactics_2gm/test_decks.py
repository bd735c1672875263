"""Decks of 2GM Tactics before the battle: samples, files, the editor, points, partners; nobody else sees them."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm import decks, editor
from companion.games.tactics_2gm.cards import (
    DECKS,
    NAMES,
    SCENARIOS,
    SUBTYPES,
    TERRAIN,
    TEXTS,
    HeadquartersCard,
    Roster,
    Scenario,
    SupportCard,
    TerrainDeck,
    UnitCard,
)
from companion.games.tactics_2gm.decks import LoadScenario, LoadTerrain, SetCount, SetMarshal, Share
from companion.games.tactics_2gm.editor import (
    EditEquipment,
    EditGeneral,
    EditHeadquarters,
    EditSupport,
    EditUnit,
    EditWeapon,
    RemoveCard,
)
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.lookups import EXAMPLE, DeckFacts
from companion.games.tactics_2gm.options import Options
from companion.games.tactics_2gm.start import Ready
from companion.games.tactics_2gm.state import State
from companion.kit import rosters
from companion.kit.action import Offer
from companion.kit.asking import Ask
from companion.kit.decks.entries import LONGEST_FILE
from companion.kit.decks.offers import LoadDeck, NameDeck, UseSample
from companion.kit.decks.samples import OWN, brought
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Tracker
from companion.kit.ruling import Refusal
from tests.support.brought_decks import WRITERS, alike_for_others, not_endless, prepared, refused_whole, twins
from tests.support.paths import ROOT
from tests.support.sizes import first
from tests.support.tactics_2gm_positions import PLAYING, after, english, no, refusal, ruled, table, told
from tests.support.watch import Watch

ALLIES = DECKS["allies_sample"]
SMALL = """
name = "Twelve"
[[unit]]
name = "Sappers"
family = "infantry"
subtype = "special_unit"
cost = 2
wounds = 3
count = 4
weapon = [{ name = "rifle", range = 2, hit = 5, crit = 10, penetration = 2, damage = 1 }]
option = [{ slot_id = "charge", cost = 1, kind = "offensive" }]
[[support]]
name = "Fog"
kind = "supplies"
cost = 1
count = 4
"""


def begun(**options: Any) -> State:
    """A table at which nobody has a deck."""
    state: State = GAME.setup(Options(**options), Ask()).outcome
    return state


def building(state: State, seat: Any) -> list[Offer]:
    """What a player may do with the decks."""
    return [*editor.offers(state, seat), *decks.offers(state, seat)]


def edited(*actions: Any, state: State | None = None) -> Roster:
    """The deck of the Allies after some deeds of the editor."""
    state = state or begun()
    for action in actions:
        state = after(state, action, seat="allies")
    return state.rosters["allies"]


SAPPERS = EditUnit(name="Sappers", family="infantry", cost=2, wounds=3, subtype="special_unit", count=4)
FOG = EditSupport(name="Fog", kind="supplies", cost=1, count=2)
SATCHEL = EditEquipment(part="c0", name="Satchel charge", cost=1, kind="offensive")


# Files


@pytest.mark.clause("G2-06")
@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("name", DECKS)
def test_a_deck_comes_from_a_file_of_each_kind(form: str, name: str) -> None:
    deck = DECKS[name]
    state = after(begun(), LoadDeck(WRITERS[form](deck)), seat=deck.side)
    assert state.rosters == {deck.side: deck}


@pytest.mark.parametrize("form", WRITERS)
def test_terrain_and_a_scenario_come_from_a_file_of_each_kind(form: str) -> None:
    mine = replace(TERRAIN, name="Ours", terrain=TERRAIN.terrain[1:])
    played = replace(SCENARIOS["bridgehead"], name="Ours", limit=80)
    state = after(begun(mode="scenario"), LoadTerrain(WRITERS[form](mine)), seat="axis")
    state = after(state, LoadScenario(WRITERS[form](played)), seat="axis")
    assert state.terrain_deck == replace(mine, sample=False)
    assert state.scenario == replace(played, sample=False)
    assert decks.limit_of(state, "allies") == 80


def test_what_was_loaded_replaces_what_was_there_whole() -> None:
    state = after(table(), LoadDeck(SMALL), seat="allies")
    deck = state.rosters["allies"]
    assert [(card.name, card.count) for card in deck.cards] == [("Sappers", 4), ("Fog", 4)]
    assert (deck.name, deck.side, deck.general) == ("Twelve", "allies", ())
    assert deck.headquarters == HeadquartersCard()
    assert state.rosters["axis"] == DECKS["axis_sample"]


def test_only_what_is_companions_own_is_called_a_sample() -> None:
    assert after(begun(), LoadDeck(rosters.write(ALLIES)), seat="allies").rosters["allies"].sample
    lying = SMALL.replace('name = "Twelve"', 'name = "Twelve"\nsample = true')
    assert not after(begun(), LoadDeck(lying), seat="allies").rosters["allies"].sample


CSV = """record,name,family,subtype,cost,wounds,count,range,hit,crit,penetration,damage
roster,Twelve,,,,,,,,,,
unit,Sappers,infantry,special_unit,2,3,4,,,,,
weapon,rifle,,,,,,2,5,10,2,1
"""
JSON = """{"name": "Twelve", "unit": [{"name": "Sappers", "family": "infantry", "cost": 2, "wounds": 3,
 "weapon": [{"name": "rifle", "range": 2, "hit": 5, "crit": 10, "penetration": 2, "damage": 1}]}]}"""
MANY = "".join(f'[[unit]]\nname = "u{at}"\nfamily = "tank"\ncost = 1\nwounds = 1\n' for at in range(61))
DAMAGED = {
    "empty": ("", "nothing here"),
    "no words": ("\0\0", "text"),
    "toml cut short": (SMALL[: SMALL.index("Sappers")], "Line 4"),
    "toml unknown field": (SMALL.replace("wounds = 3", "wounds = 3\nhealth = 3"), "unit 1 (“Sappers”), field “health”"),
    "toml wrong type": (SMALL.replace("cost = 2", 'cost = "two"'), "unit 1 (“Sappers”), field “cost”"),
    "toml too much": (SMALL.replace("cost = 2", "cost = 31"), "unit 1 (“Sappers”), field “cost”"),
    "toml missing": (SMALL.replace("wounds = 3", ""), "unit 1 (“Sappers”), field “wounds”"),
    "toml weapon": (SMALL.replace("hit = 5", "hit = 11"), "unit 1 (“Sappers”), weapon 1 (“rifle”), field “hit”"),
    "toml slot": (SMALL.replace('"charge"', '"A Charge"'), "option 1 (“A Charge”), field “slot_id”"),
    "toml key twice": (SMALL.replace("cost = 2", "cost = 2\ncost = 3"), "written before"),
    "two cards of a name": (SMALL + SMALL[SMALL.index("[[unit]]") :].replace("Fog", "Mist"), "Sappers"),
    "unit and support of a name": (SMALL.replace("Fog", "sappers"), "sappers"),
    "two slots": (
        SMALL.replace(
            'option = [{ slot_id = "charge", cost = 1, kind = "offensive" }]',
            'option = [{ slot_id = "charge", cost = 1, kind = "offensive" },'
            '{ slot_id = "charge", cost = 2, kind = "defensive" }]',
        ),
        "charge",
    ),
    "a slot like a weapon": (SMALL.replace('"charge"', '"w0"'), "w0"),
    "another family": (SMALL.replace("special_unit", "jeep"), "jeep"),
    "no range": (SMALL.replace("range = 2, ", ""), "rifle"),
    "aircraft of no kind": (
        SMALL.replace('"infantry"', '"aircraft"').replace('subtype = "special_unit"\n', ""),
        "aircraft",
    ),
    "61 cards": ('name = "Many"\n' + MANY, "60"),
    "json cut short": (JSON[:-3], "Line 2"),
    "json unknown field": (JSON.replace('"wounds"', '"wound"'), "unit 1 (“Sappers”), field “wound”"),
    "json wrong type": (JSON.replace('"cost": 2', '"cost": 2.5'), "unit 1 (“Sappers”), field “cost”"),
    "json a list": ('[{"name": "x"}]', "object"),
    "csv unknown column": (CSV.replace("wounds", "health"), "health"),
    "csv wrong type": (CSV.replace("special_unit,2", "special_unit,two"), "Row 3 (unit “Sappers”), column “cost”"),
    "csv stray weapon": (CSV.replace("unit,Sappers", "weapon,Sappers"), "Row 3"),
    "csv two weapons of a name": (CSV + "weapon,Rifle,,,,,,2,5,10,2,1\n", "Row 5 (weapon “Rifle”), column “name”"),
    "csv too many cells": (CSV + "weapon,gun,,,,,,2,5,10,2,1,9\n", "Row 5"),
    "deep": ("a = " + "[" * 5000, "inside one another"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_deck_is_refused_with_its_place_and_nothing_is_taken_of_it(case: str) -> None:
    refused_whole(PLAYING, table(), "allies", *DAMAGED[case])


@pytest.mark.clause("G2-133")
def test_damaged_terrain_and_scenarios_are_refused_with_their_place() -> None:
    state = begun(mode="scenario")
    house = '[[terrain]]\nname = "House"\ncost = 3\nbuilding = true\n'
    wall = '[[terrain]]\nname = "Wall"\ncost = 1\n'
    for text, place in (
        ('name = "T"\n' + house, "terrain 1 (“House”)"),
        ('name = "T"\n' + wall + wall, "terrain 2 (“Wall”), field “name”"),
        (SMALL, "unit"),
    ):
        refused = refusal(state, LoadTerrain(text), seat="axis")
        assert (place in english(refused.text), refused.field) == (True, "text"), english(refused.text)
    goal = '[[goal]]\nside = "axis"\nkind = "survive"\n'
    for text, place in (
        ('name = "S"\n' + goal, "survive"),
        ('name = "S"\nturns = 3\n' + goal.replace("axis", "neutral"), "goal 1 (“neutral”), field “side”"),
    ):
        refused = refusal(state, LoadScenario(text), seat="axis")
        assert (place in english(refused.text), refused.field) == (True, "text"), english(refused.text)


def test_a_file_is_not_endless() -> None:
    not_endless(PLAYING, begun(), "allies", SMALL)


def test_a_deck_of_the_enemy_is_refused_and_a_scenario_where_none_is_played() -> None:
    assert refusal(table(), LoadDeck(rosters.write(ALLIES)), seat="axis").field == "text"
    assert no(table(), LoadScenario('name = "S"'), seat="axis") == "G2-09"


@pytest.mark.clause("G2-06")
@pytest.mark.parametrize("phase", ["terrain", "mulligan", "headquarters", "fire"])
def test_decks_stand_once_the_battle_is_set_up(phase: Any) -> None:
    for action in (LoadDeck(SMALL), UseSample("axis_sample"), SetCount(0, 1), SAPPERS, Share(0, 1)):
        assert no(table().but(phase=phase), action, seat="axis") == "G2-06"
    assert [offer for offer in GAME.offers(table().but(phase="terrain"), "axis") if offer.action == "set_count"] == []


# The sample set


@pytest.mark.clause("G2-05", "G2-08", "G2-148")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"limit": 80},
        {"limit": 10},
        {"limit": 500},
        {"players": "four"},
        {"players": "four", "limit": 121},
        {"players": "three"},
        {"players": "four", "pair_decks": "shared"},
        {"mode": "scenario"},
    ],
)
def test_everybody_comes_to_a_deck_that_is_ready_by_one_tap(options: dict[str, Any]) -> None:
    state = begun(**options)
    for seat in state.seats:
        (offer,) = [offer for offer in GAME.offers(state, seat) if offer.action == "use_sample" and offer.main]
        state = after(state, UseSample(offer.given["sample"]), seat=seat)
    for seat in state.seats:
        roster, most = state.rosters[seat], decks.limit_of(state, seat)
        assert decks.not_ready(state, seat) is None
        assert roster.sample
        assert decks.points_of(state, seat) > min(most, 118) - 4


def test_a_sample_deck_is_cut_so_that_its_cards_are_as_they_were_among_each_other() -> None:
    half = decks.within(ALLIES, 60)
    assert half.points == 60
    assert all(abs(cut.count - card.count / 2) <= 1 for cut, card in zip(half.cards, ALLIES.cards, strict=True))
    assert decks.within(ALLIES, 120) == ALLIES


def test_there_is_no_sample_deck_of_another_side_or_name() -> None:
    for name in ("axis_sample", "nothing"):
        assert refusal(begun(), UseSample(name), seat="allies").field == "sample"


def test_the_sample_set_is_said_in_both_languages() -> None:
    for key in (*NAMES, *TEXTS, *SUBTYPES, *(one for kinds in SUBTYPES.values() for one in kinds)):
        for language in ("es", "en"):
            assert GAME.words.find(key, language), (key, language)


# The editor


def test_a_deck_begins_with_its_first_card() -> None:
    deck = edited(SAPPERS)
    assert (deck.name, deck.side, deck.sample, deck.headquarters) == (OWN, "allies", False, HeadquartersCard())
    made = UnitCard(name="Sappers", family="infantry", subtype="special_unit", cost=2, wounds=3, count=4)
    assert deck.cards == (made,)


def test_a_unit_card_is_changed_and_keeps_its_weapons() -> None:
    rifle = EditWeapon(part="c0", name="Rifle", hit=5, crit=10, penetration=2, damage=1, range=2)
    changed = replace(SAPPERS, card=0, name="  Good\n sappers ", wounds=4)
    (card,) = edited(SAPPERS, rifle, SATCHEL, changed).unit
    assert (card.name, card.wounds, card.weapon[0].name, card.option[0].slot_id) == (
        "Good sappers",
        4,
        "Rifle",
        "satchel_charge",
    )


def test_weapons_are_added_changed_and_taken_off() -> None:
    rifle = EditWeapon(part="c0", name="Rifle", hit=5, crit=10, penetration=2, damage=1, range=2)
    knife = replace(rifle, name="Knife", range=1)
    better = replace(rifle, part="c0.w0", hit=4)
    (card,) = edited(SAPPERS, rifle, knife, better).unit
    assert [(one.name, one.hit, one.range) for one in card.weapon] == [("Rifle", 4, 2), ("Knife", 5, 1)]
    (card,) = edited(SAPPERS, rifle, knife, RemoveCard("c0.w0")).unit
    assert [one.name for one in card.weapon] == ["Knife"]


def test_parts_that_are_called_the_same_are_numbered() -> None:
    rifle = EditWeapon(part="c0", name="rifle", hit=5, crit=10, penetration=2, damage=1, range=2)
    deck = edited(SAPPERS, rifle, replace(SATCHEL, name="rifle"))
    offers = GAME.offers(begun().but(rosters={"allies": deck}), "allies")
    taken = next(offer for offer in offers if offer.action == "remove_card").fields[0].options
    assert [(one.value, english(one.label)) for one in taken] == [
        ("c0", "Sappers"),
        ("c0.w0", "Sappers: rifle (1)"),
        ("c0.rifle", "Sappers: rifle (2)"),
    ]


def test_equipment_is_added_changed_and_taken_off() -> None:
    firing = replace(SATCHEL, part="c0.satchel_charge", hit=6, crit=9, range=1, penetration=4, damage=3, flips=True)
    (card,) = edited(SAPPERS, SATCHEL, firing).unit
    (option,) = card.option
    assert option.weapon is not None
    assert (option.slot_id, option.flips, option.weapon.name) == ("satchel_charge", True, "Satchel charge")
    assert (option.weapon.hit, option.weapon.penetration, option.weapon.flips) == (6, 4, True)
    named = replace(firing, name="Ladung")
    assert [one.slot_id for one in edited(SAPPERS, SATCHEL, named).unit[0].option] == ["ladung"]
    gone = edited(SAPPERS, SATCHEL, RemoveCard("c0.satchel_charge"))
    assert gone.unit[0].option == ()


@pytest.mark.parametrize(("name", "slot"), [("Cañón 20", "canon_20"), ("W3", "e_w3"), ("日本", "e_"), ("7", "e_7")])
def test_a_slot_is_made_of_any_name(name: str, slot: str) -> None:
    deck = edited(SAPPERS, replace(SATCHEL, name=name))
    assert [one.slot_id for one in deck.unit[0].option] == [slot]
    assert rosters.read(rosters.write(deck), Roster, most=LONGEST_FILE) == deck


def test_support_cards_generals_and_the_headquarters_are_edited() -> None:
    cook = EditGeneral(name="Cook", income=1)
    quarters = EditHeadquarters(pi=12, income=4, ap_cap=9, armour=1)
    better = replace(FOG, card=1, cover_hit=1, only=("tank", "tank"))
    deck = edited(SAPPERS, FOG, better, cook, replace(cook, general=0, ap_cap=2), quarters, NameDeck("Mine"))
    (fog,) = deck.support
    assert (fog.cover, fog.only) == ((1, 0), ("tank",))
    assert [(one.name, one.income, one.ap_cap) for one in deck.general] == [("Cook", 1, 2)]
    assert deck.headquarters == HeadquartersCard(pi=12, income=4, ap_cap=9, armour=1)
    assert deck.name == "Mine"
    left = edited(RemoveCard("g0"), RemoveCard("c1"), RemoveCard("c0"), state=begun().but(rosters={"allies": deck}))
    assert (left.cards, left.general) == ((), ())


def test_a_changed_sample_is_a_deck_of_ones_own() -> None:
    deck = edited(SetCount(0, 5), state=table())
    assert (deck.name, deck.sample, deck.cards[0].count) == (OWN, False, 5)


@pytest.mark.clause("G2-144")
def test_an_aircraft_is_not_asked_whether_it_is_a_paratrooper() -> None:
    forms = {
        str(offer.given["family"]): {field.name for field in offer.fields}
        for offer in GAME.offers(table(), "allies")
        if offer.action == "edit_unit"
    }
    assert [family for family, asked in forms.items() if "paratrooper" not in asked] == ["aircraft"]


@pytest.mark.parametrize(
    ("action", "field"),
    [
        (SetCount(2, 1), "card"),
        (replace(SAPPERS, name="fog"), "name"),
        (replace(SAPPERS, name=" \n "), "name"),
        (replace(SAPPERS, name="Jeeps", subtype="jeep"), "subtype"),
        (replace(SAPPERS, name="Planes", family="aircraft", subtype="none"), "subtype"),
        (replace(SAPPERS, name="Planes", family="aircraft", subtype="fighter", paratrooper=True), "paratrooper"),
        (replace(SAPPERS, card=1), "card"),
        (replace(FOG, card=0), "card"),
        (replace(FOG, name="Sappers"), "name"),
        (replace(SATCHEL, name="satchel  CHARGE"), "name"),
        (replace(SATCHEL, name="Gun", hit=5, range=0), "range"),
        (replace(SATCHEL, part="c0.nothing"), "part"),
        (replace(SATCHEL, part="c1"), "part"),
        (replace(SATCHEL, part="g0"), "part"),
        (EditWeapon(part="c0.w0", name="Rifle", hit=5, crit=10, penetration=2, damage=1, range=2), "part"),
        (EditWeapon(part="c0", name="Rifle", hit=5, crit=10, penetration=2, damage=1), "range"),
        (EditGeneral(name="Cook", general=0), "general"),
        (RemoveCard("c2"), "part"),
        (RemoveCard("c0.w0"), "part"),
        (RemoveCard("c1.w0"), "part"),
        (RemoveCard("g0"), "part"),
        (RemoveCard("g0.x"), "part"),
    ],
)
def test_what_does_not_fit_a_deck_is_refused_with_its_field(action: Any, field: str) -> None:
    state = begun().but(rosters={"allies": edited(SAPPERS, FOG, SATCHEL)})
    assert refusal(state, action, seat="allies").field == field


def test_a_deck_has_no_more_of_anything_than_a_file_may_have() -> None:
    units = tuple(UnitCard(name=f"u{at}", family="tank", cost=1, wounds=1) for at in range(60))
    cards = tuple(SupportCard(name=f"s{at}", kind="supplies", cost=1) for at in range(60))
    state = begun().but(rosters={"allies": Roster(name="Full", unit=units, support=cards)})
    for action in (SAPPERS, FOG):
        assert "60" in english(refusal(state, action, seat="allies").text)
    for at in range(7):
        rifle = EditWeapon(part="c0", name=f"w{at}", hit=5, crit=10, penetration=2, damage=1, range=2)
        if at < 6:
            state = after(state, rifle, seat="allies")
    assert refusal(state, rifle, seat="allies").field == "name"


def test_who_had_said_to_be_ready_is_so_no_more_when_his_deck_changes() -> None:
    state = table(players="four").but(ready=("allies_1", "axis_1", "axis_2"))
    assert after(state, SetCount(0, 1), seat="axis_1").ready == ("allies_1", "axis_2")
    assert after(state, SetMarshal("axis_2"), seat="axis_1").ready == ("allies_1",)
    assert after(state, LoadTerrain(rosters.write(TERRAIN)), seat="axis_1").ready == ()


# Points


def test_a_deck_of_cards_that_cost_nothing_ends_somewhere() -> None:
    free = tuple(UnitCard(name=f"scout {at}", family="infantry", cost=0, wounds=1, count=95) for at in range(22))
    state = table().but(rosters={"allies": Roster(name="free", unit=free), "axis": DECKS["axis_sample"]})
    assert no(state, Ready(), seat="allies") == "G2-06"
    fewer = state.but(rosters={**state.rosters, "allies": Roster(name="free", unit=free[:21])})
    after(fewer, Ready(), seat="allies")


@pytest.mark.clause("G2-10", "G2-11")
def test_a_player_alone_is_told_what_his_deck_comes_to() -> None:
    ruling = ruled(begun(), LoadDeck(SMALL), seat="allies")
    assert told(ruling.reasons) == ["The deck costs 12 points; the limit is 120."]
    assert {reason.seat for reason in ruling.reasons} == {"allies"}
    assert ruling.quiet


@pytest.mark.clause("G2-10", "G2-A18")
def test_extra_equipment_adds_nothing_to_what_a_deck_costs() -> None:
    bare, equipped = edited(SAPPERS), edited(SAPPERS, SATCHEL)
    assert [option.cost for option in equipped.unit[0].option] == [1]
    assert equipped.points == bare.points == 8


@pytest.mark.clause("G2-11")
def test_a_deck_over_the_limit_may_be_loaded_and_is_shown_so() -> None:
    state = after(begun(limit=10), LoadDeck(SMALL), seat="allies")
    (points, *_) = rows(state, "allies")
    assert (english(points.value), points.level, points.most) == ("12 / 10", 10, 10)
    assert "2 too many" in english(points.note)
    reason = decks.not_ready(state, "allies")
    assert reason is not None
    assert reason.clause == "G2-11"
    step = "The deck costs 12 points; the limit is 10. Change your deck, then say that you are ready."
    assert english(GAME.view(state, "allies").headline) == step


def rows(state: State, seat: str) -> tuple[Any, ...]:
    return next(panel.rows for panel in GAME.view(state, seat).panels if isinstance(panel, Tracker))


@pytest.mark.clause("G2-10")
def test_a_deck_is_shown_line_by_line() -> None:
    state = after(begun(), LoadDeck(SMALL), seat="allies")
    shown = {row.id: (english(row.name), english(row.value), english(row.note)) for row in rows(state, "allies")}
    assert shown["points"] == ("Points", "12 / 120", "8 cards")
    assert shown["c0"][:2] == ("Sappers", "× 4")
    assert shown["c0"][2].startswith("2 AP: armour 0, wounds 3, rifle range 2, 5+/10")
    assert shown["c1"][:2] == ("Fog", "× 4")
    assert shown["hq"] == ("Headquarters", "10 PI", "armour 0, income 3, 8 AP at most")


# Partners


FOUR = {"players": "four"}
SHARED = {"players": "four", "pair_decks": "shared"}


@pytest.mark.clause("G2-149")
def test_partners_who_build_one_deck_share_its_cards_out() -> None:
    state = after(begun(**SHARED), LoadDeck(SMALL), seat="axis_1")
    ruling = ruled(state, Share(0, 3), seat="axis_1")
    state = after(ruling.outcome, Share(0, 1), seat="axis_1")
    counts = {seat: [(card.name, card.count) for card in deck.cards] for seat, deck in state.rosters.items()}
    assert counts == {"axis_1": [("Sappers", 0), ("Fog", 4)], "axis_2": [("Sappers", 4)]}
    assert decks.points_of(state, "axis_1") == decks.points_of(state, "axis_2") == 12
    assert [(english(one.text), one.seat, one.clause) for one in ruling.reasons] == [
        ("You hand over 3 × Sappers", "axis_1", "G2-149"),
        ("You are handed 3 × Sappers", "axis_2", "G2-149"),
    ]


@pytest.mark.clause("G2-149")
def test_cards_are_shared_only_by_partners_and_only_those_there_are() -> None:
    assert no(table(), Share(0, 1), seat="axis") == "G2-149"
    assert no(table(**FOUR), Share(0, 1), seat="axis_1") == "G2-149"
    state = after(begun(**SHARED), LoadDeck(SMALL), seat="axis_1")
    assert refusal(state, Share(0, 5), seat="axis_1").field == "count"
    assert refusal(state, Share(9, 1), seat="axis_1").field == "card"
    assert refusal(state, Share(0, 1), seat="axis_2").field == "card"
    other = after(state, replace(SAPPERS, cost=5), seat="axis_2")
    assert refusal(other, Share(0, 1), seat="axis_1").clause == "G2-149"
    lots = after(after(state, Share(0, 1), seat="axis_1"), SetCount(0, 99), seat="axis_2")
    assert refusal(lots, Share(0, 1), seat="axis_1").field == "count"


@pytest.mark.clause("G2-150")
def test_partners_say_who_is_the_field_marshal() -> None:
    state = table(**FOUR, limit=121)
    assert (state.leader("axis"), decks.limit_of(state, "axis_1")) == ("axis_1", 61)
    state = after(state, SetMarshal("axis_2"), seat="axis_1")
    assert (state.leader("axis"), decks.limit_of(state, "axis_1")) == ("axis_2", 60)
    assert no(state, SetMarshal("allies_1"), seat="axis_1") == "G2-150"
    assert no(table(), SetMarshal("axis"), seat="axis") == "G2-150"
    assert no(table(players="three"), SetMarshal("die"), seat="allies") == "G2-150"


@pytest.mark.clause("G2-150")
def test_a_die_decides_who_is_the_field_marshal_and_ties_are_thrown_again() -> None:
    ruling = ruled(table(**FOUR), SetMarshal("die"), 4, 4, 3, 8, seat="axis_1")
    assert ruling.outcome.marshal == {"axis": "axis_2"}
    assert [reason.value for reason in ruling.reasons] == [4, 4, 3, 8, None]
    assert after(table(**FOUR), SetMarshal("die"), 9, 8, seat="axis_2").marshal == {"axis": "axis_1"}


# What others see


DIFFERENT: list[list[dict[str, Any]]] = [
    [{"action": "use_sample", "sample": "allies_sample"}, {"action": "set_count", "card": 0, "count": 1}],
    [{"action": "load_deck", "text": SMALL}, msgspec.to_builtins(replace(FOG, name="Mist"))],
]


def test_others_get_the_same_bytes_whatever_a_deck_is(tmp_path: Path) -> None:
    one, two = twins(GAME, tmp_path, ("allies", "axis"), DIFFERENT)
    alike_for_others(one, two, ("axis",))
    assert one.page("allies", "", "es") != two.page("allies", "", "es")


def test_partners_do_not_see_each_others_cards() -> None:
    one = after(begun(**SHARED), LoadDeck(SMALL), seat="axis_1")
    two = after(begun(**SHARED), LoadDeck(SMALL.replace("Sappers", "Miners")), seat="axis_1")
    for seat in ("axis_2", "allies_1", SCREEN, RULEKEEPER):
        assert GAME.view(one, seat) == GAME.view(two, seat)
        assert GAME.offers(one, seat) == GAME.offers(two, seat)


# What is offered


@pytest.mark.parametrize("options", first({}, SHARED, {"mode": "scenario", "players": "three"}))
def test_what_is_offered_can_be_done_and_is_said_in_both_languages(options: dict[str, Any]) -> None:
    state = begun(**options)
    done = prepared(GAME, state, state.seats, building, random.Random(7))
    assert len(done) > 5


# The look-up


def cost(text: str, limit: int = 120) -> Any:
    return GAME.lookups["deck_cost"].rule(DeckFacts(text=text, limit=limit), Ask()).outcome


def uncosted(text: str, limit: int = 120) -> Refusal:
    with pytest.raises(Refusal) as refused:
        cost(text, limit)
    return refused.value


@pytest.mark.clause("G2-08", "G2-10", "G2-11")
def test_what_a_deck_costs_is_looked_up() -> None:
    found = cost(EXAMPLE)
    assert (found.total, found.cards, found.left) == (4 * 6 + 7 * 2 + 3, 11, 79)
    found = cost("Tiger;7\n\nShovel\t1\t2\r\n", 10)
    assert (found.total, found.cards, found.left) == (9, 3, 1)
    for write in WRITERS.values():
        assert cost(write(ALLIES)).total == ALLIES.points == 120


@pytest.mark.clause("G2-11")
def test_a_deck_over_the_limit_is_refused() -> None:
    assert cost("Tiger, 7, 17").left == 1
    assert uncosted("Tiger, 7, 18").clause == "G2-11"
    assert uncosted(rosters.write(ALLIES), 119).clause == "G2-11"


@pytest.mark.clause("G2-10")
def test_every_card_of_a_deck_is_a_line_of_its_sum() -> None:
    ruling = GAME.lookups["deck_cost"].rule(DeckFacts(text="Tiger, 7, 2\nShovel, 1"), Ask())
    (points, left) = ruling.reasons
    assert (points.value, [(english(one.text), one.value) for one in points.terms]) == (
        15,
        [("2 × Tiger", 14), ("1 × Shovel", 1)],
    )
    assert all(isinstance(one.text.places["count"], str) for one in points.terms), "what it costs is still said"
    assert (english(left.text), left.value) == ("left of the limit of 120", 105)
    Watch(GAME).texts(ruling)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "line for each card"),
        ("Tiger, 7\nShovel", "Row 2"),
        ("Tiger, 7, 1, 1", "Row 1"),
        ("Tiger, seven", "Row 1, cost in AP"),
        ("Tiger, 31", "Row 1, cost in AP"),
        ("Tiger, -1", "Row 1, cost in AP"),
        ("Tiger, 7, 100", "Row 1, how many"),
        ("Tiger, 7, \u0663", "Row 1, how many"),
        ("x" * 41 + ", 1", "Row 1"),
        ("x, 1\n" * 121, "120"),
        ("name = 3", "field “name”"),
        (SMALL.replace("cost = 2", "cost = 31"), "unit 1 (“Sappers”), field “cost”"),
    ],
)
def test_what_is_no_card_is_refused_with_its_row(text: str, place: str) -> None:
    refused = uncosted(text)
    assert place.casefold() in english(refused.text).casefold()
    assert refused.field == "text"
    Watch(GAME).texts(refused.text)


def test_the_files_of_the_documentation_are_taken() -> None:
    page = (ROOT / "docs/decks-2gm.md").read_text("utf-8")
    deck, table, terrain, scenario = re.findall(r"```(?:toml|csv)\n(.*?)```", page, re.DOTALL)
    assert edited(LoadDeck(deck)).points == 14
    assert after(begun(), LoadDeck(table), seat="axis").rosters["axis"].unit[0].option[0].cover == (1, 0)
    assert brought(terrain, TerrainDeck, ()).terrain[0].building
    assert [goal.kind for goal in brought(scenario, Scenario, ()).goal] == ["survive", "destroy_units"]
