"""Decks of History of War: samples, files, the editor, real cards written down later; the other player sees none."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion import create_app
from companion.games.history_of_war import decks, start
from companion.games.history_of_war.cards import (
    DECKS,
    LISTS,
    NAMES,
    TEXTS,
    BaseCard,
    DevelopmentCard,
    Roster,
    TerritoryCard,
    UnitCard,
    UpgradeCard,
)
from companion.games.history_of_war.options import Options
from companion.games.history_of_war.pieces import SEATS
from companion.games.history_of_war.state import State
from companion.kit import rosters
from companion.kit.asking import Ask
from companion.kit.decks.entries import LONGEST_FILE, MOST_KINDS
from companion.kit.decks.offers import LoadDeck, NameDeck, UseSample
from companion.kit.decks.samples import OWN
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Facts, Tracker
from tests.support.brought_decks import WRITERS, alike_for_others, not_endless, prepared, refused_whole, twins
from tests.support.history_of_war_positions import GAME, P, after, english, game, no, refusal, ruled, table, told
from tests.support.paths import ROOT
from tests.support.phones import Table, words
from tests.support.watch import Watch

BLUE = DECKS["blue_sample"]
SMALL = """
name = "Fleet"
[[territory]]
name = "Fjords"
flags = 3
victory_points = 4
count = 2
[[unit]]
name = "Guns"
category = "ground"
ta_cost = 2
flags = 1
av_naval = 4
dv = 3
abilities = ["entrenchment"]
count = 3
[[base_expansion]]
name = "Shipyard"
ta_provided = 2
count = 6
[[action]]
name = "Fog"
text = "Nobody attacks."
"""


def begun(**options: Any) -> State:
    """A table at which nobody has a deck."""
    state: State = GAME.setup(Options(**options), Ask()).outcome
    return state


def edited(*actions: Any, state: State | None = None) -> Roster:
    """Blue's deck after some deeds of the editor."""
    state = state or begun()
    for action in actions:
        state = after(state, action, seat="blue")
    return state.rosters["blue"]


def loaded(text: str = SMALL, **options: Any) -> State:
    return after(begun(**options), LoadDeck(text), seat="blue")


GUNS = decks.EditUnit(name="Guns", category="ground", dv=3, ta_cost=2, flags=1, av_naval=4, count=3)
FJORDS = decks.EditTerritory(name="Fjords", flags=3, victory_points=4)
WRITTEN: dict[str, Any] = {
    "t": FJORDS,
    "u": GUNS,
    "d": decks.EditDevelopment(name="Pens", dv=4, ta_provided=1, category="naval", abilities=("entrenchment",)),
    "b": decks.EditBase(name="Shipyard", ta_provided=2, count=6),
    "g": decks.EditUpgrade(name="Radar", ta_cost=1, av_air=1, dv=-1),
    "a": decks.EditAction(name="Fog", ta_cost=1, text="Nobody attacks."),
}
"""A card of each kind, by its letter."""


# Files


@pytest.mark.clause("HW-20")
@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("name", DECKS)
def test_a_deck_comes_from_a_file_of_each_kind(form: str, name: str) -> None:
    deck = DECKS[name]
    state = loaded(WRITERS[form](deck))
    assert state.rosters == {"blue": deck}


@pytest.mark.parametrize("form", WRITERS)
def test_what_was_written_on_a_phone_is_the_same_from_a_file(form: str) -> None:
    deck = edited(*WRITTEN.values())
    assert loaded(WRITERS[form](deck)).rosters["blue"] == deck


def test_what_was_loaded_replaces_what_was_there_whole() -> None:
    state = after(table(), LoadDeck(SMALL), seat="blue")
    deck = state.rosters["blue"]
    assert [(card.name, card.count) for card in deck.cards] == [("Guns", 3), ("Shipyard", 6), ("Fog", 1)]
    assert (deck.name, deck.size, deck.territories) == ("Fleet", 10, 2)
    assert [card.name for card in deck.territory] == ["Fjords"]
    assert (deck.unit[0].av_naval, deck.unit[0].av_ground, deck.unit[0].av_air) == (4, None, None)
    assert state.rosters["red"] == DECKS["red_sample"]


def test_only_what_is_companions_own_is_called_a_sample() -> None:
    assert loaded(rosters.write(BLUE)).rosters["blue"].sample
    assert not loaded(SMALL.replace('name = "Fleet"', 'name = "Fleet"\nsample = true')).rosters["blue"].sample


CSV = """record,name,category,ta_cost,dv,victory_points,flags,abilities,count
roster,Fleet,,,,,,,
territory,Fjords,,,,4,3,,2
unit,Guns,ground,2,3,,1,entrenchment|base_attack,3
"""
JSON = """{"name": "Fleet", "territory": [{"name": "Fjords", "flags": 3, "victory_points": 4}],
 "unit": [{"name": "Guns", "category": "ground", "dv": 3, "abilities": ["base_attack"]}]}"""
MANY = "".join(f'[[action]]\nname = "a{at}"\n' for at in range(MOST_KINDS + 1))
LANDS = "".join(f'[[territory]]\nname = "t{at}"\nflags = 1\nvictory_points = 1\n' for at in range(21))
DAMAGED = {
    "empty": ("", "nothing here"),
    "no words": ("\0\0", "text"),
    "a spreadsheet": ("PK\x03\x04 and so on", "CSV"),
    "toml cut short": (SMALL[: SMALL.index("Fjords")], "Line 4"),
    "toml unknown field": (SMALL.replace("dv = 3", "dv = 3\nspeed = 3"), "unit 1 (“Guns”), field “speed”"),
    "toml unknown record": (SMALL.replace("[[action]]", "[[spell]]"), "“spell”"),
    "toml wrong type": (SMALL.replace("ta_cost = 2", 'ta_cost = "two"'), "unit 1 (“Guns”), field “ta_cost”"),
    "toml too much": (SMALL.replace("ta_cost = 2", "ta_cost = 31"), "unit 1 (“Guns”), field “ta_cost”"),
    "toml below zero": (SMALL.replace("av_naval = 4", "av_naval = -4"), "unit 1 (“Guns”), field “av_naval”"),
    "toml worthless": (SMALL.replace("victory_points = 4", "victory_points = 0"), "territory 1 (“Fjords”)"),
    "toml missing": (SMALL.replace("dv = 3", ""), "unit 1 (“Guns”), field “dv”"),
    "toml category": (SMALL.replace('"ground"', '"space"'), "ground, air, naval"),
    "toml ability": (SMALL.replace('"entrenchment"', '"flight"'), "unit 1 (“Guns”), field “abilities”"),
    "toml key twice": (SMALL.replace("dv = 3", "dv = 3\ndv = 4"), "written before"),
    "two cards of a name": (SMALL + SMALL[SMALL.index("[[action]]") :].replace("Fog", "fog"), "“fog”"),
    "two kinds of a name": (SMALL.replace("Fog", "GUNS"), "“GUNS” is there twice"),
    "61 action cards": ('name = "Many"\n' + MANY, "60"),
    "21 territories": ('name = "Lands"\n' + LANDS, "20"),
    "100 copies": (SMALL.replace("count = 6", "count = 100"), "base_expansion 1 (“Shipyard”), field “count”"),
    "json cut short": (JSON[:-3], "Line 2"),
    "json unknown field": (JSON.replace('"dv"', '"vd"'), "unit 1 (“Guns”), field “vd”"),
    "json wrong type": (JSON.replace('"dv": 3', '"dv": 2.5'), "unit 1 (“Guns”), field “dv”"),
    "json key twice": (JSON.replace('"dv": 3', '"dv": 3, "dv": 4'), "“dv” is written twice"),
    "json a list": ('[{"name": "x"}]', "object"),
    "csv unknown column": (CSV.replace("victory_points", "points"), "points"),
    "csv wrong type": (CSV.replace("ground,2,3", "ground,two,3"), "Row 4 (unit “Guns”), column “ta_cost”"),
    "csv unknown record": (CSV.replace("unit,Guns", "tank,Guns"), "Row 4"),
    "csv two of a name": (CSV + "unit,guns,air,,2,,,,\n", "Row 5 (unit “guns”), column “name”"),
    "csv too many cells": (CSV + "action,Fog,,,,,,,1,9\n", "Row 5"),
    "deep": ("a = " + "[" * 5000, "inside one another"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_deck_is_refused_with_its_place_and_nothing_is_taken_of_it(case: str) -> None:
    refused_whole(P, table(), "blue", *DAMAGED[case])


IN_THE_DEPOT = {
    "toml": (SMALL.replace("dv = 3", "dv = 3\nvictory_points = 4"), "unit 1 (“Guns”), field “victory_points”"),
    "json": (JSON.replace('"dv": 3', '"dv": 3, "victory_points": 4'), "unit 1 (“Guns”), field “victory_points”"),
    "csv": (CSV.replace("2,3,,1,entr", "2,3,4,1,entr"), "Row 4 (unit “Guns”), column “victory_points”"),
    "action": (SMALL + "victory_points = 4\n", "action 1 (“Fog”), field “victory_points”"),
    "a name of both": (SMALL.replace("Fog", "fjords"), "“fjords” is a territory"),
}


@pytest.mark.clause("HW-05")
@pytest.mark.parametrize("case", IN_THE_DEPOT)
def test_a_territory_in_the_depot_is_refused_with_its_clause(case: str) -> None:
    text, place = IN_THE_DEPOT[case]
    refused = refusal(table(), LoadDeck(text), seat="blue")
    assert place in english(refused.text), english(refused.text)
    assert "kept apart from the depot" in english(refused.text)
    assert (refused.clause, refused.field) == ("HW-05", "text")


def test_a_file_is_not_endless() -> None:
    not_endless(P, begun(), "blue", SMALL)


# The sample set


@pytest.mark.parametrize("seat", SEATS)
def test_everybody_comes_to_a_deck_that_is_ready_by_one_tap(seat: Any) -> None:
    (offer,) = [offer for offer in GAME.offers(begun(), seat) if offer.action == "use_sample" and offer.main]
    assert offer.given == {"sample": f"{seat}_sample"}
    state = after(begun(), UseSample(offer.given["sample"]), seat=seat)
    assert state.rosters[seat].sample
    assert decks.not_ready(state, seat) is None


def test_there_is_no_sample_deck_of_another_name() -> None:
    assert refusal(begun(), UseSample("nothing"), seat="blue").field == "sample"


def test_the_sample_set_is_said_in_both_languages() -> None:
    for key in (*NAMES, *TEXTS, *LISTS.values()):
        for language in ("es", "en"):
            assert GAME.words.find(key, language), (key, language)


# The editor


@pytest.mark.clause("HW-02")
def test_a_deck_is_written_card_by_card() -> None:
    deck = edited(*WRITTEN.values())
    assert (deck.name, deck.sample) == (OWN, False)
    assert deck.territory == (TerritoryCard(name="Fjords", flags=3, victory_points=4),)
    assert deck.unit == (UnitCard(name="Guns", category="ground", dv=3, ta_cost=2, flags=1, av_naval=4, count=3),)
    pens = DevelopmentCard(name="Pens", dv=4, ta_provided=1, category="naval", abilities=("entrenchment",))
    assert deck.development == (pens,)
    assert deck.base_expansion == (BaseCard(name="Shipyard", ta_provided=2, count=6),)
    assert deck.upgrade == (UpgradeCard(name="Radar", ta_cost=1, av_air=1, dv=-1),)
    assert [(card.name, card.text) for card in deck.action] == [("Fog", "Nobody attacks.")]


@pytest.mark.parametrize("letter", WRITTEN)
def test_a_card_of_each_kind_is_changed_counted_and_taken_out(letter: str) -> None:
    number = f"{letter}0"
    changed = replace(WRITTEN[letter], card=number, name="  Another\n name ", insignia="⚓", count=2)
    (card,) = getattr(edited(WRITTEN[letter], changed), LISTS[letter])
    assert (card.name, card.insignia, card.count) == ("Another name", "⚓", 2)
    assert card.kind == LISTS[letter]
    (card,) = getattr(edited(WRITTEN[letter], decks.SetCount(number, 0)), LISTS[letter])
    assert card.count == 0
    assert getattr(edited(WRITTEN[letter], decks.RemoveCard(number)), LISTS[letter]) == ()


def test_a_card_stays_in_its_place_when_another_goes() -> None:
    two = (GUNS, replace(GUNS, name="Rangers"), replace(GUNS, name="Scouts"))
    assert [card.name for card in edited(*two, decks.RemoveCard("u1")).unit] == ["Guns", "Scouts"]
    assert [card.name for card in edited(*two, replace(GUNS, card="u1", name="Divers")).unit] == [
        "Guns",
        "Divers",
        "Scouts",
    ]


def test_a_changed_sample_is_a_deck_of_ones_own() -> None:
    deck = edited(decks.SetCount("u0", 5), state=table())
    assert (deck.name, deck.sample, deck.unit[0].count) == (OWN, False, 5)
    assert edited(NameDeck(" Mine "), state=table()).name == "Mine"


def test_what_is_ticked_twice_counts_once() -> None:
    made = replace(GUNS, abilities=("base_attack", "base_attack"), may_also_block=("air", "naval", "air"))
    (card,) = edited(made).unit
    assert (card.abilities, card.may_also_block) == (("base_attack",), ("air", "naval"))


@pytest.mark.parametrize(
    ("action", "field", "clause"),
    [
        (decks.SetCount("u1", 1), "card", None),
        (decks.SetCount("t9", 1), "card", None),
        (decks.RemoveCard("a0"), "card", None),
        (replace(GUNS, card="u1"), "card", None),
        (replace(GUNS, card="b0", name="Yard"), "card", None),
        (replace(GUNS, card="t0", name="Fiords"), "card", "HW-05"),
        (replace(FJORDS, card="u0", name="Guns"), "card", "HW-05"),
        (replace(GUNS, name="shipyard"), "name", None),
        (replace(GUNS, name=" \n "), "name", None),
        (replace(GUNS, name="fjords"), "name", "HW-05"),
        (replace(FJORDS, name="guns"), "name", "HW-05"),
        (NameDeck("\n"), "name", None),
    ],
)
@pytest.mark.clause("HW-05")
def test_what_does_not_fit_a_deck_is_refused_with_its_field(action: Any, field: str, clause: str | None) -> None:
    deck = edited(FJORDS, GUNS, WRITTEN["b"])
    refused = refusal(begun().but(rosters={"blue": deck}), action, seat="blue")
    assert (refused.field, refused.clause) == (field, clause)


def test_a_deck_has_no_more_kinds_of_cards_than_a_file_may_have() -> None:
    full = Roster(
        name="Full",
        territory=tuple(TerritoryCard(name=f"t{at}", flags=1, victory_points=1) for at in range(20)),
        unit=tuple(UnitCard(name=f"u{at}", category="air", dv=1) for at in range(MOST_KINDS)),
    )
    state = begun().but(rosters={"blue": full})
    assert "20" in english(refusal(state, FJORDS, seat="blue").text)
    assert "60" in english(refusal(state, GUNS, seat="blue").text)
    assert rosters.read(rosters.write(full), Roster, most=LONGEST_FILE) == full


@pytest.mark.clause("HW-20")
def test_the_deck_of_who_is_ready_is_not_touched_until_that_is_taken_back() -> None:
    state = table().but(ready=("blue",))
    for action in (decks.SetCount("u0", 1), UseSample("red_sample"), LoadDeck(SMALL), GUNS, NameDeck("x")):
        assert no(state, action, seat="blue") == "HW-20"
    assert decks.offers(state, "blue") == ()
    assert after(state, decks.SetCount("u0", 1), seat="red").ready == ("blue",)


# Whether a game can begin with it


def with_lands(*worth: tuple[int, int], units: int = 3) -> State:
    """A table where Blue has territories worth so many points, so many copies of each, and units."""
    lands = tuple(
        TerritoryCard(name=f"t{at}", flags=1, victory_points=points, count=copies)
        for at, (points, copies) in enumerate(worth)
    )
    unit = UnitCard(name="Guns", category="ground", dv=1, count=units)
    return begun().but(rosters={"blue": Roster(name="x", territory=lands, unit=(unit,))})


@pytest.mark.clause("HW-20", "HW-22", "HW-A02")
@pytest.mark.parametrize(
    ("state", "clause", "says"),
    [
        (begun(), "HW-20", "Take or build a deck first."),
        (with_lands(), "HW-22", "two territory cards"),
        (with_lands((9, 1)), "HW-22", "two territory cards"),
        (with_lands((9, 1), (9, 0)), "HW-22", "two territory cards"),
        (with_lands((3, 1), (4, 1), (2, 2)), "HW-22", "the best two are worth 7"),
        (with_lands((3, 9), (1, 9)), "HW-22", "the best two are worth 6"),
        (with_lands((5, 1), (3, 1), units=0), "HW-20", "no card in your depot"),
    ],
)
def test_a_deck_that_no_game_can_begin_with_is_refused(state: State, clause: str, says: str) -> None:
    why = decks.not_ready(state, "blue")
    assert why is not None
    assert why.clause == clause
    assert says in english(why.text)
    assert no(state, start.Ready(), seat="blue") == clause
    if "blue" in state.rosters:
        step = f"{english(why.text)} Change your deck, then say that you are ready."
        assert english(GAME.view(state, "blue").headline) == step


@pytest.mark.clause("HW-22")
def test_eight_victory_points_of_two_territories_are_enough() -> None:
    for state in (with_lands((5, 1), (3, 1)), with_lands((4, 2)), with_lands((1, 5), (8, 1))):
        assert decks.not_ready(state, "blue") is None


def test_a_depot_ends_somewhere() -> None:
    units = tuple(UnitCard(name=f"u{at}", category="air", dv=1, count=95) for at in range(22))
    state = with_lands((9, 2))
    deck = state.rosters["blue"]
    why = decks.not_ready(state.but(rosters={"blue": replace(deck, unit=units)}), "blue")
    assert why is not None
    assert "2000" in english(why.text)
    assert decks.not_ready(state.but(rosters={"blue": replace(deck, unit=units[1:])}), "blue") is None


# Real cards that were forgotten


@pytest.mark.clause("HW-02", "HW-20")
@pytest.mark.parametrize("letter", WRITTEN)
@pytest.mark.parametrize("phase", ["mulligan", "base_expansion", "attacker_deployment"])
def test_a_real_card_that_was_forgotten_is_written_down_before_everybody(letter: str, phase: Any) -> None:
    state = game("b medium_tank t1", cards="real", phase=phase).with_deck("red", kept=phase != "mulligan")
    before = state.rosters["blue"]
    offers = {offer.action: offer for offer in decks.offers(state, "blue")}
    action = WRITTEN[letter]
    assert offers[action.__struct_config__.tag].aside
    ruling = ruled(state, action, seat="blue")
    deck = ruling.outcome.rosters["blue"]
    kind = LISTS[letter]
    assert [card.name for card in getattr(deck, kind)] == [*(card.name for card in getattr(before, kind)), action.name]
    assert not ruling.quiet
    assert {reason.seat for reason in ruling.reasons} == {None}
    assert told(ruling.reasons)[0] == f"Blue writes down another card: {action.count} × {action.name}"
    assert ruling.outcome.deck("blue") == state.deck("blue")
    assert ruling.outcome.rosters["red"] == state.rosters["red"]


@pytest.mark.clause("HW-20")
def test_cards_of_the_list_stand_as_they_are_once_the_game_has_begun() -> None:
    for state in (game(cards="real"), game(cards="real", phase="mulligan"), game()):
        for action in (
            LoadDeck(SMALL),
            UseSample("red_sample"),
            decks.SetCount("u0", 1),
            decks.RemoveCard("u0"),
            NameDeck("x"),
            replace(GUNS, card="u0"),
        ):
            assert no(state, action, seat="blue") == "HW-20"
    assert no(game(), GUNS, seat="blue") == "HW-20"
    assert decks.offers(game(), "blue") == ()
    assert refusal(game(cards="real"), replace(GUNS, name="medium_tank"), seat="blue").field == "name"


# What is shown


def trackers(state: State, seat: str = "blue") -> dict[str, Tracker]:
    return {panel.id: panel for panel in GAME.view(state, seat).panels if isinstance(panel, Tracker)}


def rows(state: State, of: str) -> list[tuple[str, ...]]:
    return [(row.id, english(row.name), english(row.value), english(row.note)) for row in trackers(state)[of].rows]


@pytest.mark.clause("HW-02", "HW-05")
def test_a_deck_is_shown_by_sort_line_by_line() -> None:
    deck = edited(
        *WRITTEN.values(),
        replace(GUNS, card="u0", subtype="artillery", year="1940", av_air=0, may_also_block=("naval",)),
    )
    state = begun().but(rosters={"blue": deck})
    assert list(trackers(state)) == ["deck", *LISTS.values()]
    assert rows(state, "deck") == [
        ("depot", "Cards in the depot", "12", ""),
        ("territories", "Territory cards", "1", "the best two are worth 4 victory points; 8 are needed"),
    ]
    assert rows(state, "territory") == [("t0", "Fjords", "× 1", "flags 3, 4 victory points")]
    assert rows(state, "unit") == [
        ("u0", "Guns", "× 3", "2 TA, ground, artillery, flags 1, attack –/0/4, defence 3, may also block: naval, 1940")
    ]
    assert rows(state, "development") == [("d0", "Pens", "× 1", "0 TA, flags 0, defence 4, yields 1 TA, entrenchment")]
    assert rows(state, "base_expansion") == [("b0", "Shipyard", "× 6", "yields 2 TA")]
    assert rows(state, "upgrade") == [("g0", "Radar", "× 1", "1 TA, attack, air +1, defence −1")]
    assert rows(state, "action") == [("a0", "Fog", "× 1", "1 TA, Nobody attacks.")]


def test_a_player_alone_is_told_what_a_deck_comes_to() -> None:
    ruling = ruled(begun(), LoadDeck(SMALL), seat="blue")
    assert told(ruling.reasons) == [
        "10 cards in the depot",
        "Your best two territories are worth 8 victory points; 8 are needed.",
    ]
    assert {reason.seat for reason in ruling.reasons} == {"blue"}
    assert ruling.quiet


def test_everybody_sees_who_is_ready() -> None:
    state = table().but(ready=("red",))
    (facts,) = [panel for panel in GAME.view(state, "blue").panels if isinstance(panel, Facts)]
    assert [(english(name), english(value)) for name, value in facts.rows] == [
        ("Blue", "still building"),
        ("Red", "has said ready"),
    ]


DIFFERENT: list[list[dict[str, Any]]] = [
    [{"action": "use_sample", "sample": "blue_sample"}, {"action": "set_count", "card": "u0", "count": 1}],
    [{"action": "load_deck", "text": SMALL}, msgspec.to_builtins(replace(FJORDS, name="Ore Fields"))],
]


@pytest.mark.clause("HW-05", "HW-22")
def test_others_get_the_same_bytes_whatever_a_deck_is(tmp_path: Path) -> None:
    one, two = twins(GAME, tmp_path, SEATS, DIFFERENT)
    alike_for_others(one, two, ("red",))
    assert one.page("blue", "", "es") != two.page("blue", "", "es")


def test_nobody_else_is_shown_or_offered_anything_of_a_deck() -> None:
    other = after(table(), LoadDeck(SMALL), seat="blue")
    for seat in ("red", SCREEN, RULEKEEPER):
        assert GAME.view(table(), seat) == GAME.view(other, seat)
        assert GAME.offers(table(), seat) == GAME.offers(other, seat)


# On a phone


def test_a_value_that_is_left_blank_on_a_phone_is_a_dash(tmp_path: Path) -> None:
    phones = Table(create_app(tmp_path, games={GAME.slug: GAME}), GAME.slug)
    phones.act("blue", action="use_sample", sample="blue_sample")
    form = {"f.name": "Rifles", "f.category": "ground", "f.dv": "2", "f.av_ground": "", "f.av_air": "0", "f.text": ""}
    assert phones.post("blue", "/act", do="action=edit_unit&card=u0", **form).status_code == 303
    page = words(phones.get("blue").text)
    assert "Rifles 0 TA ground flags 0 attack –/0/– defence 2 × 1" in page
    assert "Rifles" not in words(phones.get("red").text)


def test_who_brings_a_damaged_file_is_told_where_it_is_wrong(tmp_path: Path) -> None:
    phones = Table(create_app(tmp_path, games={GAME.slug: GAME}), GAME.slug)
    text = SMALL.replace("dv = 3", "dv = 3\nvictory_points = 4")
    answer = phones.post("blue", "/act", do="action=load_deck", **{"f.text": text})
    assert answer.status_code == 422
    assert "unit 1 (“Guns”), field “victory_points”: territories have that" in words(answer.text)
    assert "Shipyard" not in phones.get("blue").text


# What is offered


@pytest.mark.clause("HW-02")
def test_what_is_offered_can_be_done_and_is_said_in_both_languages() -> None:
    done = prepared(GAME, begun(), SEATS, decks.offers, random.Random(1))
    assert done == {
        "use_sample",
        "load_deck",
        "name_deck",
        "set_count",
        "remove_card",
        *(action.__struct_config__.tag for action in WRITTEN.values()),
    }


def test_real_cards_are_written_down_in_both_languages() -> None:
    state = game(cards="real")
    done = prepared(GAME, state, SEATS, decks.offers, random.Random(3))
    assert done == {action.__struct_config__.tag for action in WRITTEN.values()}


@pytest.mark.parametrize("letter", WRITTEN)
def test_a_form_is_filled_in_with_the_card_and_asks_for_all_of_it(letter: str) -> None:
    state = begun().but(rosters={"blue": edited(*WRITTEN.values())})
    action = WRITTEN[letter]
    (offer,) = [one for one in GAME.offers(state, "blue") if one.on == f"{letter}0" and one.fields]
    assert {field.name for field in offer.fields} == {*action.__struct_fields__} - {"card"}
    filled_in = {field.name: field.value for field in offer.fields if field.value is not None}
    again = msgspec.convert({"action": offer.action, **offer.given, **filled_in}, GAME.actions, strict=False)
    assert again == replace(action, card=f"{letter}0")


def test_a_card_of_which_there_is_none_left_is_taken_out_by_a_tap() -> None:
    state = begun().but(rosters={"blue": edited(GUNS, replace(WRITTEN["a"], count=0))})
    offered = {(offer.action, offer.on): offer for offer in GAME.offers(state, "blue") if offer.on in {"u0", "a0"}}
    assert [on for action, on in offered if action == "remove_card"] == ["a0"]
    assert offered["set_count", "a0"].given == {"card": "a0", "count": 1}
    one = begun().but(rosters={"blue": edited(WRITTEN["a"])})
    counts = [offer.given for offer in GAME.offers(one, "blue") if (offer.action, offer.on) == ("set_count", "a0")]
    assert counts == [{"card": "a0", "count": 0}, {"card": "a0", "count": 2}]
    left = after(state, decks.RemoveCard("a0"), seat="blue").rosters["blue"]
    assert left.action == ()


def test_refusals_of_files_are_said_in_both_languages() -> None:
    watch = Watch(GAME)
    for text, _ in (*DAMAGED.values(), *IN_THE_DEPOT.values()):
        watch.texts(refusal(begun(), LoadDeck(text), seat="blue").text)


@pytest.mark.clause("HW-05")
def test_the_files_of_the_documentation_are_taken() -> None:
    page = (ROOT / "docs/decks-history-of-war.md").read_text("utf-8")
    written, sheet = re.findall(r"```(?:toml|csv)\n(.*?)```", page, re.DOTALL)
    one, two = loaded(written), loaded(sheet)
    for state in (one, two):
        assert decks.not_ready(state, "blue") is None
    deck = one.rosters["blue"]
    assert (deck.size, deck.best_pair, deck.unit[0].may_also_block) == (13, 11, ("naval",))
    wing = two.rosters["blue"].unit[1]
    assert (wing.abilities, wing.av_air) == (("base_attack", "entrenchment"), 3)
    for mine, theirs in zip(deck.cards, (card for card in two.rosters["blue"].cards if card != wing), strict=True):
        assert replace(mine, subtype="") == theirs if isinstance(mine, UnitCard) else mine == theirs
