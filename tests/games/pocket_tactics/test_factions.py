"""Factions of Pocket-Tactics: samples, files and the editor; the other player sees all of it."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion import create_app
from companion.games.pocket_tactics.bag import TRACKER, LoadBag, SetTile, UseBag
from companion.games.pocket_tactics.cards import (
    BAG,
    FACTIONS,
    MOST_KINDS,
    NAMES,
    TEXTS,
    AbilityText,
    Bag,
    Faction,
    TileCard,
    UnitCard,
    bag_file,
    called,
)
from companion.games.pocket_tactics.dice import Value
from companion.games.pocket_tactics.factions import Ready, unready
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.state import SEATS, State
from companion.games.pocket_tactics.terrain import HAZARDS, hazard, known_as
from companion.games.pocket_tactics.unit_editor import EditUnit, RemoveCard, SetCopies
from companion.kit import rosters
from companion.kit.asking import Ask, Pending
from companion.kit.decks.entries import LONGEST_FILE
from companion.kit.decks.offers import DECK, LoadDeck, NameDeck, UseSample
from companion.kit.decks.samples import OWN
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Facts
from tests.support.brought_decks import WRITERS, not_endless, prepared, refused_whole
from tests.support.paths import ROOT
from tests.support.phones import Table, words
from tests.support.pocket_tactics_factions import (
    COMPLEX,
    CSV,
    FERRYMEN,
    GEAR,
    JSON,
    SMALL,
    bagged,
    begun,
    edited,
    loaded,
    preparing,
    rows,
    trackers,
)
from tests.support.pocket_tactics_positions import BLUE, RED, P, table
from tests.support.watch import Watch

# Files


@pytest.mark.clause("PT-11")
@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("name", FACTIONS)
def test_a_faction_comes_from_a_file_of_each_kind(form: str, name: str) -> None:
    assert loaded(WRITERS[form](FACTIONS[name])) == FACTIONS[name]


@pytest.mark.parametrize("form", WRITERS)
def test_what_was_written_on_a_phone_is_the_same_from_a_file(form: str) -> None:
    faction = edited(FERRYMEN, GEAR, replace(FERRYMEN, name="Golem", third="tech", third_skill="2(4)/1"))
    assert loaded(WRITERS[form](faction)) == faction


@pytest.mark.clause("PT-08", "PT-09", "PT-10", "PT-93")
def test_what_was_loaded_replaces_what_was_there_whole() -> None:
    state = P.after(table(), LoadDeck(SMALL), seat="blue")
    faction = state.factions["blue"]
    assert (faction.name, faction.size, faction.cost) == ("River Guild", 4, 40)
    ferrymen, golem = faction.unit
    assert (ferrymen.types, ferrymen.affinities) == (("human", "scout"), ("water", "forest"))
    assert (ferrymen.value("melee", "offence"), ferrymen.value("ballistic", "offence")) == (Value(1), Value(0))
    assert (golem.value("melee", "offence"), golem.value("melee", "defence")) == (Value(3, 2), Value(2))
    assert (golem.third, golem.value("third", "defence")) == ("magetech", Value(2, 5))
    assert (golem.reaches("third"), golem.reaches("ballistic")) == (2, 1)
    assert [(one.name, one.rerolls, one.pool) for one in golem.ability] == [("Second Gear", 1, "offence")]
    assert state.factions["red"] == RED


def test_a_spreadsheet_says_the_same() -> None:
    ferrymen, golem = loaded(CSV).unit
    assert (ferrymen.affinities, ferrymen.melee) == (("water", "forest"), "1/1")
    assert (golem.melee, golem.third_skill, golem.ability[0].rerolls) == ("3(2)/2", "2/2(5)", 1)
    assert loaded(JSON).unit[1].affinities == ("village",)


@pytest.mark.clause("PT-04", "PT-13")
@pytest.mark.parametrize("written", ["cave", "Cueva", " CUEVAS ", "caves"])
def test_terrain_is_known_in_whatever_language_it_is_written(written: str) -> None:
    text = SMALL.replace('"agua", "Bosque"', f'"{written}", "Lava"')
    assert loaded(text).unit[0].affinities == ("cave", "Lava")
    made = replace(FERRYMEN, affinities=(), more_affinities=f"{written},Lava")
    assert edited(made).unit[0].affinities == ("cave", "Lava")
    tile = SetTile(terrain=written, count=2)
    assert bagged(LoadBag('name = "x"'), tile).tile == (TileCard(terrain="cave", count=2),)
    assert bagged(LoadBag(f'name = "x"\n[[tile]]\nterrain = "{written}"')).tile[0].terrain == "cave"


def test_every_hazard_is_known_in_spanish_by_the_name_that_companion_gives_it() -> None:
    for name in HAZARDS:
        spanish = GAME.words.find(name, "es")
        assert spanish
        assert hazard(known_as(spanish)) == name


def test_only_what_is_companions_own_is_called_a_sample() -> None:
    assert loaded(rosters.write(BLUE)).sample
    assert not loaded(SMALL.replace('"River Guild"', '"River Guild"\nsample = true')).sample
    assert bagged(LoadBag(rosters.write(BAG))).sample
    assert not bagged(LoadBag('name = "x"\nsample = true\n[[tile]]\nterrain = "ice"')).sample


MANY = "".join(f'[[unit]]\nname = "u{at}"\naffinities = ["ice"]\ncost = 1\n' for at in range(MOST_KINDS + 1))
ABILITIES = "".join(f'[[unit.ability]]\nname = "a{at}"\n' for at in range(4))
GOLEM, SMITHS = "unit 2 (“Golem”)", "unit 1 (“Ferrymen”)"
DAMAGED = {
    "empty": ("", "nothing here"),
    "no words": ("\0\0", "text"),
    "a spreadsheet": ("PK\x03\x04 and so on", "CSV"),
    "toml cut short": (SMALL[: SMALL.index("Ferrymen")], "Line 4"),
    "toml unknown field": (SMALL.replace("reach = 2", "range = 2"), f"{GOLEM}, field “range”"),
    "toml unknown record": (SMALL.replace("[[unit.ability]]", "[[unit.skill]]"), "“skill”"),
    "toml wrong type": (SMALL.replace("cost = 8", 'cost = "eight"'), f"{SMITHS}, field “cost”"),
    "toml too much": (SMALL.replace("cost = 8", "cost = 501"), f"{SMITHS}, field “cost”"),
    "toml below zero": (SMALL.replace("cost = 8", "cost = -1"), f"{SMITHS}, field “cost”"),
    "toml missing": (SMALL.replace("cost = 8", ""), f"{SMITHS}, field “cost”: this is needed"),
    "toml no affinity": (SMALL.replace('["village"]', "[]"), f"{GOLEM}, field “affinities”"),
    "toml seven affinities": (SMALL.replace('["village"]', '["a","b","c","d","e","f","g"]'), f"{GOLEM}, field “aff"),
    "toml four types": (SMALL.replace('"scout"]', '"scout", "b", "c"]'), f"{SMITHS}, field “types”"),
    "toml skill": (SMALL.replace('"1/1"', '"1-1"'), f"{SMITHS}, field “melee”: dice of offence and defence"),
    "toml skill of a number": (SMALL.replace('"1/1"', "1"), f"{SMITHS}, field “melee”"),
    "toml kicker": (SMALL.replace("3(2)", "3(7)"), f"{GOLEM}, field “melee”"),
    "toml third": (SMALL.replace("magetech", "magic"), "arcane, tech, magetech"),
    "toml no copies": (SMALL.replace("copies = 3", "copies = 0"), f"{SMITHS}, field “copies”"),
    "toml 31 copies": (SMALL.replace("copies = 3", "copies = 31"), f"{SMITHS}, field “copies”"),
    "toml five abilities": (SMALL + ABILITIES, f"{GOLEM}, field “ability”"),
    "toml re-rolls": (SMALL.replace("rerolls = 1", "rerolls = 9"), "ability 1 (“Second Gear”), field “rerolls”"),
    "toml key twice": (SMALL.replace("cost = 8", "cost = 8\ncost = 9"), "written before"),
    "two of a name": (SMALL.replace("Golem", "FERRYMEN"), "“FERRYMEN” stands in this list already"),
    "41 units": ('name = "Many"\n' + MANY, "40"),
    "json cut short": (JSON[:-3], "Line 2"),
    "json unknown field": (JSON.replace('"cost": 8', '"cots": 8'), f"{SMITHS}, field “cots”"),
    "json wrong type": (JSON.replace('"cost": 8', '"cost": 8.5'), f"{SMITHS}, field “cost”"),
    "json key twice": (JSON.replace('"cost": 8', '"cost": 8, "cost": 9'), "“cost” is written twice"),
    "json a list": ('[{"name": "x"}]', "object"),
    "csv unknown column": (CSV.replace("rerolls", "reroll"), "reroll"),
    "csv wrong type": (CSV.replace("scout,8,3", "scout,eight,3"), "Row 3 (unit “Ferrymen”), column “cost”"),
    "csv skill": (CSV.replace("1|1,,,", "1.1,,,"), "Row 3 (unit “Ferrymen”), column “melee”"),
    "csv unknown record": (CSV.replace("unit,Ferrymen", "tank,Ferrymen"), "Row 3"),
    "csv two of a name": (CSV + "unit,golem,ice,,2,,,,,\n", "Row 6 (unit “golem”), column “name”"),
    "csv too many cells": (CSV + "unit,Fog,ice,,2,,,,,,9\n", "Row 6"),
    "deep": ("a = " + "[" * 5000, "inside one another"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_faction_is_refused_with_its_place_and_nothing_is_taken_of_it(case: str) -> None:
    refused_whole(P, table(), "blue", *DAMAGED[case])


WRONG_CARDS = {
    "affinity twice": (SMALL.replace('"agua", "Bosque"', '"bosque", "Forest"'), f"{SMITHS}: “Forest” is", "PT-04"),
    "type twice": (SMALL.replace('"scout"', '"Human"'), f"{SMITHS}: “Human” is there twice", "PT-03"),
    "a base": (SMALL.replace('"agua", "Bosque"', '"base"'), f"{SMITHS}: A base is no terrain", "PT-A10"),
    "no kind": (SMALL.replace('third = "magetech"', ""), f"{GOLEM}: Its third skill has no kind", "PT-10"),
    "reach without": (SMALL.replace('third = "magetech"\nthird_skill = "2/2(5)"', ""), "has no kind", "PT-10"),
    "csv": (CSV.replace("water|Bosque", "agua|WATER"), "Row 3 (unit “Ferrymen”): “WATER” is there twice", "PT-04"),
}


@pytest.mark.clause("PT-03", "PT-04", "PT-10")
@pytest.mark.parametrize("case", WRONG_CARDS)
def test_what_no_card_can_say_is_refused_with_its_clause(case: str) -> None:
    text, place, clause = WRONG_CARDS[case]
    refused_whole(P, table(), "blue", text, place)
    assert P.no(table(), LoadDeck(text), seat="blue") == clause


@pytest.mark.parametrize(
    ("action", "text"), [("load_deck", SMALL), ("load_bag", '\nname = "x"\n[[tile]]\nterrain="i"')]
)
def test_a_file_is_not_endless(action: str, text: str) -> None:
    not_endless(P, begun(), "blue", text, action=action)


def test_refusals_of_files_are_said_in_both_languages() -> None:
    watch = Watch(GAME)
    for text, *_ in (*DAMAGED.values(), *WRONG_CARDS.values()):
        watch.texts(P.refusal(begun(), LoadDeck(text), seat="blue").text)


# The sample set


@pytest.mark.clause("PT-11")
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("name", FACTIONS)
def test_everybody_comes_to_either_sample_by_one_tap(seat: Any, name: str) -> None:
    offered = [offer for offer in GAME.offers(begun(), seat) if offer.action == "use_sample" and offer.main]
    assert {offer.given["sample"] for offer in offered} == {*FACTIONS}
    state = P.after(begun(), UseSample(name), seat=seat)
    assert state.factions == {seat: FACTIONS[name]}
    assert unready(state, seat) is None


def test_the_first_sample_that_is_offered_is_another_for_each() -> None:
    first = [next(one.given["sample"] for one in P.offered(begun(), "use_sample", seat)) for seat in SEATS]
    assert first == ["bannermen_sample", "wildkin_sample"]


def test_both_may_take_the_same() -> None:
    state = begun()
    for seat in SEATS:
        state = P.after(state, UseSample("wildkin_sample"), seat=seat)
    state = P.after(P.after(state, Ready(), seat="blue"), Ready(), 6, 1, seat="red")
    assert len(state.of("blue", "reserve")) == len(state.of("red", "reserve")) == RED.size


def test_whoever_is_ready_last_is_shown_so_while_it_is_thrown_for_who_is_first() -> None:
    state = begun()
    for seat in SEATS:
        state = P.after(state, UseSample("wildkin_sample"), seat=seat)
    with pytest.raises(Pending) as pending:
        GAME.rule(P.after(state, Ready(), seat="blue"), "red", Ready(), Ask())
    for seat in (*SEATS, SCREEN):
        shown = GAME.view(pending.value.progress, seat)
        (facts,) = (panel for panel in shown.panels if isinstance(panel, Facts))
        assert [P.english(said) for _, said in facts.rows[:2]] == ["has said ready"] * 2
        assert P.english(shown.headline) == "The factions are ready."


@pytest.mark.clause("PT-06")
@pytest.mark.parametrize("name", FACTIONS)
def test_a_sample_faction_comes_to_a_hundred_points(name: str) -> None:
    assert sum(card.cost * card.copies for card in FACTIONS[name].unit) == FACTIONS[name].cost == 100


@pytest.mark.clause("PT-A46")
@pytest.mark.parametrize("name", FACTIONS)
@pytest.mark.parametrize("limit", [10, 23, 50, 99, 100, 500])
def test_of_a_sample_so_much_is_taken_as_the_limit_allows(name: str, limit: int) -> None:
    state = P.after(begun(army_limit=limit), UseSample(name), seat="blue")
    assert unready(state, "blue") is None
    taken = {card.name: card.copies for card in state.factions["blue"].unit}
    assert all(taken.get(card.name, 0) <= card.copies for card in FACTIONS[name].unit)
    least = min(card.cost for card in FACTIONS[name].unit)
    assert state.factions["blue"].cost > min(limit, 100) - 2 * least
    assert all(taken.values())


def test_there_is_no_sample_faction_of_another_name() -> None:
    assert P.refusal(begun(), UseSample("nothing"), seat="blue").field == "sample"


def test_the_sample_set_is_said_in_both_languages() -> None:
    for key in (*NAMES, *TEXTS):
        for language in ("es", "en"):
            assert GAME.words.find(key, language), (key, language)


@pytest.mark.parametrize("name", FACTIONS)
def test_each_sample_faction_has_a_player_aid_that_its_player_is_shown(name: str) -> None:
    state = P.after(begun(), UseSample(name), seat="red")
    sheet = next(one for one in GAME.rulebook.sheet if one.id == GAME.view(state, "red").sheet)
    lines = [P.english(line.cells[0]) for listing in sheet.listing for line in listing.line]
    assert lines == [P.english(called(card.name)) for card in FACTIONS[name].unit]
    assert GAME.view(P.after(state, SetCopies(0, 1), seat="red"), "red").sheet is None


# The editor


@pytest.mark.clause("PT-03", "PT-04", "PT-08", "PT-09", "PT-10", "PT-93")
def test_a_faction_is_written_unit_by_unit() -> None:
    golem = EditUnit(
        name="Golem",
        affinities=("village",),
        more_affinities="Lava, aldeas de humo",
        cost=16,
        melee=" 3 (2) / 2 ",
        ballistic="–",
        third="magetech",
        third_skill="2|2(5)",
        reach=2,
        reach_with="third",
    )
    faction = edited(FERRYMEN, golem)
    assert (faction.name, faction.sample, faction.size, faction.cost) == (OWN, False, 4, 40)
    assert faction.unit == (
        UnitCard(
            name="Ferrymen",
            types=("human", "scout"),
            affinities=("water", "forest"),
            cost=8,
            copies=3,
            melee="1/1",
            ballistic="0/1",
        ),
        UnitCard(
            name="Golem",
            affinities=("village", "Lava", "aldeas de humo"),
            cost=16,
            melee="3(2)/2",
            third="magetech",
            third_skill="2/2(5)",
            reach=2,
            reach_with="third",
        ),
    )


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("", "0/0"),
        ("-", "0/0"),
        (" – ", "0/0"),
        ("2/1", "2/1"),
        ("2(4) / 2(6)", "2(4)/2(6)"),
        ("0(3)|9", "0(3)/9"),
        ("2(0)/1", "2/1"),
    ],
)
@pytest.mark.clause("PT-09", "PT-93")
def test_a_skill_is_typed_as_it_is_printed(typed: str, means: str) -> None:
    assert edited(replace(FERRYMEN, melee=typed)).unit[0].melee == means


@pytest.mark.parametrize(
    ("typed", "clause"),
    [
        ("2", "PT-09"),
        ("two/1", "PT-09"),
        ("2/1/1", "PT-09"),
        ("10/1", "PT-09"),
        ("2(7)/1", "PT-94"),
        ("2/1(60)", "PT-94"),
        ("(3)/1", "PT-09"),
        ("2(-1)/1", "PT-09"),
    ],
)
@pytest.mark.parametrize("field", ["melee", "ballistic", "third_skill"])
@pytest.mark.clause("PT-09", "PT-94")
def test_a_skill_that_no_card_shows_is_refused_with_its_field(typed: str, clause: str, field: str) -> None:
    changed: dict[str, Any] = {field: typed}
    refused = P.refusal(begun(), replace(FERRYMEN, third="tech", **changed), seat="blue")
    assert (refused.field, refused.clause) == (field, clause)


def test_a_unit_is_changed_counted_and_taken_out_in_its_place() -> None:
    three = (FERRYMEN, replace(FERRYMEN, name="Rangers"), replace(FERRYMEN, name="Scouts"))
    changed = edited(*three, replace(FERRYMEN, card=1, name="  Other\n rangers ", cost=3))
    assert [(card.name, card.cost) for card in changed.unit] == [("Ferrymen", 8), ("Other rangers", 3), ("Scouts", 8)]
    assert [card.copies for card in edited(*three, SetCopies(1, 7)).unit] == [3, 7, 3]
    assert [card.name for card in edited(*three, RemoveCard("1")).unit] == ["Ferrymen", "Scouts"]


@pytest.mark.clause("PT-05")
def test_abilities_are_added_changed_and_taken_out_and_stay_when_the_card_is_changed() -> None:
    brake = replace(GEAR, ability=1, name="Brake", rerolls=0, timing="move", movement_effect="It stops.")
    state = begun()
    faction = edited(FERRYMEN, GEAR, brake, replace(FERRYMEN, card=0, cost=9), state=state)
    one = AbilityText(name="Gear", text="It moves on.", timing="assault", rerolls=1, pool="offence")
    two = AbilityText(name="Brake", text="It moves on.", timing="move", pool="offence", movement_effect="It stops.")
    assert (faction.unit[0].cost, faction.unit[0].ability) == (9, (one, two))
    state = state.but(factions={"blue": faction})
    assert [a.name for a in edited(replace(GEAR, name="Clutch"), state=state).unit[0].ability] == ["Clutch", "Brake"]
    assert edited(RemoveCard("0.0"), state=state).unit[0].ability == (two,)


@pytest.mark.clause("PT-05")
def test_a_unit_has_four_abilities_at_most() -> None:
    four = edited(FERRYMEN, *(replace(GEAR, ability=at) for at in range(4)))
    state = begun().but(factions={"blue": four})
    assert "4" in P.english(P.refusal(state, replace(GEAR, ability=4), seat="blue").text)
    among = [offer.among for offer in P.offered(state, "edit_ability", "blue")]
    assert [len(field.options) for field in among if field] == [4, 4, 4, 4]


def test_a_changed_sample_is_a_faction_of_ones_own() -> None:
    faction = edited(SetCopies(0, 5), state=table())
    assert (faction.name, faction.sample, faction.unit[0].copies) == (OWN, False, 5)
    assert edited(NameDeck(" Mine "), state=table()).name == "Mine"


def test_what_is_ticked_twice_counts_once() -> None:
    assert edited(replace(FERRYMEN, affinities=("ice", "ice", "water"))).unit[0].affinities == ("ice", "water")


@pytest.mark.parametrize(
    ("action", "field", "clause"),
    [
        (SetCopies(2, 1), "card", "PT-02"),
        (RemoveCard("2"), "part", "PT-02"),
        (RemoveCard("0.1"), "part", "PT-05"),
        (RemoveCard("1.0"), "part", "PT-05"),
        (replace(FERRYMEN, card=2), "card", "PT-02"),
        (replace(GEAR, card=2), "card", "PT-02"),
        (replace(GEAR, ability=2), "ability", "PT-05"),
        (replace(GEAR, name="\n"), "name", None),
        (replace(FERRYMEN, name="golem"), "name", None),
        (replace(FERRYMEN, name=" \n "), "name", None),
        (replace(FERRYMEN, name="New", types="a, b, c, d"), "types", "PT-03"),
        (replace(FERRYMEN, name="New", types="a, A"), "types", "PT-03"),
        (replace(FERRYMEN, name="New", types="a" * 31), "types", None),
        (replace(FERRYMEN, name="New", affinities=()), "affinities", "PT-04"),
        (replace(FERRYMEN, name="New", affinities=(" ", "\n")), "affinities", "PT-04"),
        (replace(FERRYMEN, name="New", affinities=(), more_affinities=" , "), "affinities", "PT-04"),
        (replace(FERRYMEN, name="New", more_affinities="Bosque"), "affinities", "PT-04"),
        (replace(FERRYMEN, name="New", more_affinities="a,b,c,d,e"), "affinities", "PT-04"),
        (replace(FERRYMEN, name="New", more_affinities="a" * 31), "more_affinities", None),
        (replace(FERRYMEN, name="New", more_affinities="base"), "affinities", "PT-A10"),
        (replace(FERRYMEN, name="New", third_skill="1/1"), "third", "PT-10"),
        (replace(FERRYMEN, name="New", reach_with="third"), "third", "PT-10"),
        (NameDeck("\n"), "name", None),
    ],
)
@pytest.mark.clause("PT-03", "PT-04", "PT-10")
def test_what_does_not_fit_a_faction_is_refused_with_its_field(action: Any, field: str, clause: str | None) -> None:
    faction = edited(FERRYMEN, GEAR, replace(FERRYMEN, name="Golem"))
    state = begun().but(factions={"blue": faction})
    refused = P.refusal(state, action, seat="blue")
    assert (refused.field, refused.clause) == (field, clause)
    Watch(GAME).texts(refused.text)


def test_a_faction_has_no_more_kinds_of_units_than_a_file_may_have() -> None:
    units = tuple(UnitCard(name=f"u{at}", affinities=("ice",), cost=1) for at in range(MOST_KINDS))
    full = Faction(name="Full", unit=units)
    state = begun().but(factions={"blue": full})
    assert "40" in P.english(P.refusal(state, FERRYMEN, seat="blue").text)
    assert rosters.read(rosters.write(full), Faction, most=LONGEST_FILE) == full


@pytest.mark.clause("PT-11")
def test_nothing_is_touched_by_who_is_ready_until_that_is_taken_back() -> None:
    state = table().but(ready=("blue",))
    for action in (
        SetCopies(0, 1),
        UseSample("wildkin_sample"),
        LoadDeck(SMALL),
        FERRYMEN,
        GEAR,
        NameDeck("x"),
        RemoveCard("0"),
        UseBag(),
        SetTile(terrain="ice", count=1),
    ):
        assert P.no(state, action, seat="blue") == "PT-11"
    assert [offer.given for offer in preparing(state, "blue")] == [{"on": False}]
    assert P.after(state, SetCopies(0, 1), seat="red").ready == ("blue",)


# Mercenaries


@pytest.mark.clause("PT-06", "PT-07")
def test_a_mercenary_is_of_another_faction_and_counts_for_its_points() -> None:
    hired = replace(FERRYMEN, name="Hired Bow", faction=" Free Archers ", cost=10, copies=2)
    ruling = P.ruled(begun().but(factions={"blue": edited(FERRYMEN)}), hired, seat="blue")
    faction = ruling.outcome.factions["blue"]
    assert (faction.unit[1].faction, faction.cost) == ("Free Archers", 44)
    assert P.told(ruling.reasons) == [
        "Blue: the faction costs 44 points; the limit is 100.",
        "2 of them are mercenaries",
    ]
    assert [reason.clause for reason in ruling.reasons] == ["PT-06", "PT-07"]
    assert "mercenary: Free Archers" in rows(ruling.outcome, DECK)[2][3]


@pytest.mark.clause("PT-07")
def test_a_unit_of_the_faction_itself_is_no_mercenary() -> None:
    assert loaded(SMALL.replace("cost = 16", 'cost = 16\nfaction = "river guild"')).unit[1].faction == ""
    hired = replace(FERRYMEN, faction="Free Archers")
    assert edited(hired, NameDeck("Free archers")).unit[0].faction == ""


# What is shown


@pytest.mark.clause("PT-03", "PT-04", "PT-05", "PT-06", "PT-08", "PT-09", "PT-10")
def test_a_faction_is_shown_line_by_line_with_what_it_costs() -> None:
    text = SMALL.replace("Second Gear", "Gear").replace("After a stall it may move.", "On.")
    state = begun().but(factions={"blue": loaded(text)})
    assert P.english(trackers(state)[DECK].title) == "Your faction: River Guild"
    assert rows(state, DECK) == [
        ("points", "Points", "40 / 100", "4 units"),
        ("u0", "Ferrymen", "× 3", "8 points: human, scout, melee 1/1, ballistic 0/1, affinity: water, forest"),
        (
            "u1",
            "Golem",
            "× 1",
            (
                "16 points: melee 3(2)/2, mage-tech 2/2(5), reach 2 with mage-tech, "
                "affinity: village, Gear: On., 1 re-roll"
            ),
        ),
    ]
    over = begun(army_limit=33).but(factions={"blue": loaded()})
    assert rows(over, DECK)[0] == ("points", "Points", "40 / 33", "4 units, 7 too many")


def test_nothing_of_either_faction_is_hidden() -> None:
    state = table().but(ready=("red",))
    assert [note[3] for note in rows(state, DECK)] == [note[3] for note in rows(state, "blue", "red")]
    assert [note[3] for note in rows(state, "red")] == [note[3] for note in rows(state, DECK, "red")]
    for seat in (SCREEN, RULEKEEPER):
        assert list(trackers(state, seat)) == ["blue", "red", TRACKER]
        assert rows(state, "blue", seat) == rows(state, "blue", "red")
        assert rows(state, "red", seat) == rows(state, "red", "blue")
    assert P.english(trackers(begun())["red"].title) == "Red: no faction yet"
    (facts,) = [panel for panel in GAME.view(state, "blue").panels if isinstance(panel, Facts)]
    assert [(P.english(name), P.english(value)) for name, value in facts.rows] == [
        ("Blue", "still building"),
        ("Red", "has said ready"),
    ]


# What is offered


@pytest.mark.clause("PT-11", "PT-13")
@pytest.mark.parametrize("where", ["companion", "table"])
def test_what_is_offered_can_be_done_and_is_said_in_both_languages(where: str) -> None:
    typed = {
        "melee": "2(4)/2",
        "ballistic": "",
        "third_skill": "-",
        "types": "a, b",
        "more_affinities": "Lava",
        "reach_with": "any",
    }

    def loose(state: State, seat: Any) -> list[Any]:
        return [offer for offer in preparing(state, seat) if offer.action != "ready"]

    done = prepared(GAME, begun(map=where), SEATS, loose, random.Random(5), typed)
    of_the_bag = {"use_bag", "load_bag", "set_tile"} if where == "companion" else set()
    assert done == {
        "use_sample",
        "load_deck",
        "name_deck",
        "edit_unit",
        "set_copies",
        "edit_ability",
        "remove_card",
        *of_the_bag,
    }


UNIT = replace(FERRYMEN, third="tech", third_skill="2(4)/1", reach=3, reach_with="ballistic", faction="Free Archers")


@pytest.mark.parametrize(
    ("action", "settled"),
    [(UNIT, {"card": 0}), (GEAR, {}), (COMPLEX, {"tile": 0, "terrain": "complex", "grooves": ("n", "s")})],
)
def test_a_form_is_filled_in_with_what_it_is_and_asks_for_all_of_it(action: Any, settled: dict[str, Any]) -> None:
    faction = edited(UNIT, GEAR)
    state = begun().but(factions={"blue": faction}, bag=bagged(LoadBag('name = "Mine"'), COMPLEX))
    tag = action.__struct_config__.tag
    offer = next(one for one in P.offered(state, tag, "blue") if one.on in {"u0", "t0"} and one.fields)
    asked = {field.name for field in offer.fields}
    assert asked | {*offer.given} == {*action.__struct_fields__}
    filled_in = {field.name: field.value for field in offer.fields if field.value is not None}
    again = msgspec.convert({"action": tag, **offer.given, **filled_in}, GAME.actions, strict=False)
    assert again == replace(action, **settled)


def test_a_new_unit_begins_with_a_card_that_only_lacks_its_name() -> None:
    state = begun().but(factions={"blue": Faction(name="x")})
    (offer,) = [one for one in P.offered(state, "edit_unit", "blue") if one.on == DECK]
    filled_in = {field.name: field.value for field in offer.fields}
    assert filled_in["name"] == ""
    made = msgspec.convert({"action": "edit_unit", **filled_in, "name": "Golem"}, GAME.actions, strict=False)
    assert edited(made, state=state).unit[0].melee == "1/1"


def test_the_terrains_of_the_bag_and_of_the_card_are_offered_as_affinities() -> None:
    bag = Bag(name="x", tile=(TileCard(terrain="Lava"),))
    state = begun().but(bag=bag, factions={"blue": edited(replace(FERRYMEN, affinities=("Acid", "ice")))})
    offer = next(one for one in P.offered(state, "edit_unit", "blue") if one.on == "u0")
    field = next(one for one in offer.fields if one.name == "affinities")
    assert {"Lava", "Acid", "forest", "cave"} <= {option.value for option in field.options}
    assert field.value == ("Acid", "ice")


def test_units_are_counted_by_taps_and_the_last_one_is_taken_out() -> None:
    state = begun().but(factions={"blue": edited(FERRYMEN, replace(FERRYMEN, name="Golem", copies=1))})
    taps = {(one.on, one.action): one.given for one in GAME.offers(state, "blue") if not one.fields}
    counts = [one.given["count"] for one in P.offered(state, "set_copies", "blue")]
    assert counts == [2, 4, 2]
    assert taps["u1", "remove_card"] == {"part": "1"}
    assert ("u0", "remove_card") not in taps
    over = begun(army_limit=30).but(factions=state.factions)
    assert [one.given["count"] for one in P.offered(over, "set_copies", "blue")] == [2]


# On a phone


def test_a_unit_is_written_on_a_phone_and_the_other_player_sees_it(tmp_path: Path) -> None:
    phones = Table(create_app(tmp_path, games={GAME.slug: GAME}), GAME.slug)
    phones.act("blue", action="use_sample", sample="bannermen_sample")
    form = {
        "f.name": "Rifles",
        "f.cost": "9",
        "f.copies": "1",
        "f.melee": "2(4)/1",
        "f.ballistic": "",
        "f.third": "none",
        "f.third_skill": "",
        "f.affinities": "ice",
        "f.more_affinities": "Lava",
        "f.types": "",
        "f.reach": "1",
        "f.reach_with": "any",
        "f.faction": "",
    }
    assert phones.post("blue", "/act", do="action=edit_unit&card=0", **form).status_code == 303
    for seat in ("blue", "red"):
        read = words(phones.get(seat).text)
        assert "9 2(4)/1 Rifles 9 points melee 2(4)/1 affinity: ice, Lava × 1" in read, seat
    assert "9 2(4)/1 Rifles × 1" in words(phones.get("screen").text)
    answer = phones.post("blue", "/act", do="action=edit_unit&card=0", **form | {"f.melee": "2(9)/1"})
    assert answer.status_code == 422
    assert "never above 6" in words(answer.text)


def test_who_brings_a_damaged_file_is_told_where_it_is_wrong(tmp_path: Path) -> None:
    phones = Table(create_app(tmp_path, games={GAME.slug: GAME}), GAME.slug)
    text = SMALL.replace("cost = 16", 'cost = "many"')
    answer = phones.post("blue", "/act", do="action=load_deck", **{"f.text": text})
    assert answer.status_code == 422
    assert "unit 2 (“Golem”), field “cost”" in words(answer.text)
    assert "Ferrymen" not in phones.get("red").text


def test_the_files_of_the_documentation_are_taken() -> None:
    page = (ROOT / "docs/factions-pocket-tactics.md").read_text("utf-8")
    one, two, bag, same = re.findall(r"```(?:toml|csv)\n(.*?)```", page, re.DOTALL)
    faction = loaded(one)
    assert loaded(two) == faction
    assert unready(begun().but(factions={"blue": faction}), "blue") is None
    assert [(card.name, card.faction, card.melee) for card in faction.unit] == [
        ("Ferrymen", "", "1/1"),
        ("Gear Golem", "", "3(2)/2"),
        ("Hired Bow", "Free Archers", "1/1"),
    ]
    assert bagged(LoadBag(bag)) == bagged(LoadBag(same))
    assert bag_file(bag).tile[1:] == (
        TileCard(terrain="water", count=2),
        TileCard(terrain="complex", grooves=("n", "s")),
    )
