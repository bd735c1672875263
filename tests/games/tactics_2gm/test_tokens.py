"""Equipment tokens, heavy weapons that are set up, and effects that people note by hand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm import fire, tokens
from companion.games.tactics_2gm.movement import Move
from companion.games.tactics_2gm.state import Mark, Token
from companion.games.tactics_2gm.tokens import MOST_EFFECTS, EndEffect, NoteEffect, SetUp, UseToken
from tests.support.playing import clauses, options_of
from tests.support.tactics_2gm_positions import Scripted, after, battle, no, offered, refusal, ruled

UNITS = "a1 m4_sherman d1 +smoke_grenade +mg_1, a2 light_infantry e1 +prone, a3 heavy_infantry f1 +hmg, x1 tiger d6"


def standing(written: str = UNITS, **more: Any) -> Any:
    """A battle in the movement phase of the Allies."""
    return battle(written, **({"phase": "movement", "turn": 3} | more))


# Tokens


@pytest.mark.clause("G2-69", "G2-106", "G2-165", "G2-166")
def test_a_smoke_grenade_is_turned_over_and_covers_until_ones_next_turn() -> None:
    state = standing()
    assert tokens.cover(state, state.unit("a1")) == (), "not yet used"
    ruling = ruled(state, UseToken("a1", "smoke_grenade"))
    smoke = ruling.outcome
    assert smoke.unit("a1").token("smoke_grenade") == Token("smoke_grenade", 3, works=True)
    assert [how for _, _, how in tokens.cover(smoke, smoke.unit("a1"))] == [(2, 1)]
    assert clauses(ruling.reasons) == ["G2-69"]
    theirs = tokens.end_effects(smoke.but(active="axis"), Scripted())
    assert tokens.cover(theirs, theirs.unit("a1")) != (), "while the enemy fires"
    ours = tokens.end_effects(theirs.but(active="allies"), Scripted())
    assert tokens.cover(ours, ours.unit("a1")) == ()


@pytest.mark.clause("G2-69", "G2-70", "G2-166")
def test_only_what_flips_and_fires_nothing_is_used_by_itself_and_not_while_grey() -> None:
    state = standing()
    assert {offer.on: offer.given["slot"] for offer in offered(state, "use_token")} == {"a1": "smoke_grenade"}
    used = after(state, UseToken("a1", "smoke_grenade"))
    assert no(used, UseToken("a1", "smoke_grenade")) == "G2-70"
    assert offered(used, "use_token") == []
    assert no(state, UseToken("a1", "mg_1")) == "G2-69", "a weapon is fired"
    assert no(state, UseToken("a2", "prone")) == "G2-165", "it counts always"
    assert no(state, UseToken("a2", "grenade")) == "G2-67", "it has none"
    assert no(state, UseToken("a1", "smoke_grenade"), seat="axis") == "G2-155"
    theirs = state.but(active="axis", phase="fire")
    assert after(theirs, UseToken("a1", "smoke_grenade"), seat="allies").unit("a1").token("smoke_grenade").works
    assert no(state.but(phase="mulligan"), UseToken("a1", "smoke_grenade"), seat="allies") == "G2-02"


@pytest.mark.clause("G2-106", "G2-108", "G2-114")
def test_prone_covers_as_long_as_it_is_there() -> None:
    state = standing()
    (found,) = tokens.cover(state, state.unit("a2"))
    assert (found[1], found[2]) == ("G2-106", (1, 0))
    assert tokens.aim(state, state.unit("a2")) == ()


@pytest.mark.clause("G2-121", "G2-A29")
def test_heavy_weapons_of_infantry_are_set_up_and_packed_up() -> None:
    state = standing()
    up = after(state, SetUp("a3", up=True))
    assert up.unit("a3").set_up
    assert tokens.pinned(up, up.unit("a3"))
    assert no(up, SetUp("a3", up=True)) == "G2-121"
    down = after(up, SetUp("a3", up=False))
    assert not down.unit("a3").set_up
    assert after(down, Move("a3", "f2")).unit("a3").square == "f2"
    assert no(state, SetUp("a2", up=True)) == "G2-121", "rifles need no setting up"
    card = state.card(state.unit("a1"))
    pinning = replace(card, option=tuple(replace(one, pins=True) for one in card.option))
    roster = state.rosters["allies"]
    cards = tuple(pinning if one is card else one for one in roster.unit)
    tank = state.but(rosters={**state.rosters, "allies": replace(roster, unit=cards)})
    assert no(tank, SetUp("a1", up=True)) == "G2-121", "no infantry"
    assert no(state, SetUp("x1", up=True)) == "G2-155"
    assert no(state.but(active="axis"), SetUp("a3", up=True), seat="allies") == "G2-02"
    assert {offer.on: offer.given["on"] for offer in offered(state, "set_up")} == {"a3": True}
    assert {offer.on: offer.given["on"] for offer in offered(up, "set_up")} == {"a3": False}
    assert offered(state.but(active="axis"), "set_up", "allies") == []


# Effects noted by hand


@pytest.mark.clause("G2-62", "G2-64", "G2-106", "G2-164")
def test_effects_of_cards_and_capabilities_are_noted_on_any_unit_and_count() -> None:
    state = standing()
    note = NoteEffect("x1", "  blinded  crew ", aim_hit=2, aim_crit=1, cover_hit=-1, armour=-2)
    noted = ruled(state, note)
    tiger = noted.outcome.unit("x1")
    assert tiger.marks == (Mark("blinded crew", "allies", (2, 1), (-1, 0), -2),)
    assert [how for _, _, how in tokens.aim(noted.outcome, tiger)] == [(2, 1)]
    assert [how for _, _, how in tokens.cover(noted.outcome, tiger)] == [(-1, 0)]
    assert tokens.armour(noted.outcome, tiger) == 4
    assert clauses(noted.reasons) == ["G2-164"]
    assert noted.reasons[0].seat is None, "told to all"
    weak = after(state, NoteEffect("a2", "hopeless", armour=-9))
    assert tokens.armour(weak, weak.unit("a2")) == 0, "armour is never less than nothing"


@pytest.mark.clause("G2-164", "G2-166")
def test_anybody_notes_and_ends_effects_at_any_time_of_the_battle() -> None:
    state = standing()
    theirs = after(state, NoteEffect("a1", "dust", lasting=True), seat="axis")
    assert theirs.unit("a1").marks == (Mark("dust", "axis", lasting=True),)
    assert [(offer.on, offer.given["effect"]) for offer in offered(theirs, "end_effect")] == [("a1", 0)]
    assert after(theirs, EndEffect("a1", 0)).unit("a1").marks == ()
    assert no(theirs, EndEffect("a1", 1)) == "G2-164"
    assert no(state, NoteEffect("a1", "   ")) == "G2-164"
    assert refusal(state, NoteEffect("a9", "dust")).field == "unit"
    assert no(state.but(phase="terrain"), NoteEffect("a1", "dust"), seat="axis") == "G2-02"
    several = after(after(theirs, NoteEffect("a1", "mud")), EndEffect("a1", 0))
    assert [mark.name for mark in several.unit("a1").marks] == ["mud"]


@pytest.mark.clause("G2-164")
def test_effects_of_one_name_are_told_apart_where_they_are_ended() -> None:
    state = after(after(standing(), NoteEffect("a1", "mud")), NoteEffect("a1", "dust"))
    twice = after(state, NoteEffect("a1", "mud", armour=-1))
    labels = [offer.label for offer in offered(twice, "end_effect")]
    assert [(label.say, label.places.get("nth")) for label in labels] == [
        ("{unit}: {effect} ({nth}) is over", 1),
        ("{unit}: {effect} is over", None),
        ("{unit}: {effect} ({nth}) is over", 2),
    ]


@pytest.mark.clause("G2-78", "G2-164")
def test_a_noted_effect_ends_with_its_turn_unless_it_lasts() -> None:
    state = after(standing(), NoteEffect("x1", "smoke"))
    state = after(state, NoteEffect("x1", "burning", lasting=True))
    theirs = tokens.end_effects(state.but(active="axis"), Scripted())
    assert len(theirs.unit("x1").marks) == 2
    ours = tokens.end_effects(theirs.but(active="allies"), Scripted())
    assert [mark.name for mark in ours.unit("x1").marks] == ["burning"]


@pytest.mark.clause("G2-164")
def test_so_many_effects_are_noted_on_a_unit_and_no_more() -> None:
    state = standing().with_unit("a1", marks=(Mark("dust", "allies"),) * MOST_EFFECTS)
    assert no(state, NoteEffect("a1", "mud")) == "G2-164"
    (offer,) = offered(state, "note_effect")
    assert (offer.loose, offer.aside) == (True, True)
    assert options_of(offer, "unit") == ["a2", "a3", "x1"]


# Losses


@pytest.mark.clause("G2-112", "G2-136", "G2-137")
def test_a_building_that_falls_buries_who_is_inside() -> None:
    state = standing("a1 light_infantry d3, x1 light_infantry d4", grounds="house d4 axis")
    ask = Scripted()
    fallen = fire.collapse(state, state.grounds[0], ask, state.unit("a1"))
    assert (fallen.grounds[0].ruin, fallen.grounds[0].pi, fallen.find("x1")) == (True, 0, None)
    assert clauses(ask.reasons) == ["G2-137", "G2-136"]
    assert fallen.lost == {"axis": 1}
    assert fallen.deck("axis").discard == (state.unit("x1").code,)
    wounded = fire.wound(state, state.unit("x1"), 2, ask)
    assert wounded.unit("x1").wounds == 2
    assert fire.wound(wounded, wounded.unit("x1"), 9, ask).find("x1") is None
