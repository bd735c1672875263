"""A table whose board is not mirrored: only the players know where units stand, and are asked what it matters for."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from companion.games.chesswar import speech
from companion.games.chesswar.catapults import Bombard
from companion.games.chesswar.charge import Charge
from companion.games.chesswar.combat import Attack
from companion.games.chesswar.game import GAME
from companion.games.chesswar.movement import Move, TakeBack
from companion.games.chesswar.shooting import Shoot
from companion.games.chesswar.spells import Cast, Cover
from companion.games.chesswar.state import State
from companion.kit.panels import Board, Facts, Roster
from tests.support.chesswar_positions import (
    KINGS,
    after,
    asked,
    by,
    english,
    fights,
    no,
    offered,
    on,
    position,
    refusal,
    ruled,
)
from tests.support.conformance import filled, settle
from tests.support.playing import clauses, options_of


def table(written: str, **more: Any) -> State:
    return position(f"{KINGS}, {written}", board="table", **more)


def field(offer: Any, name: str) -> Any:
    return next(one for one in offer.fields if one.name == name)


@pytest.mark.clause("CW-19", "CW-28")
def test_rosters_stand_in_the_place_of_the_board() -> None:
    state = table("wn1 hn d4, wn2 hn e4, bp1 op d5, wn1>bp1")
    panels = GAME.view(state, "black").panels
    assert not any(isinstance(panel, Board) for panel in panels)
    rosters = [panel for panel in panels if isinstance(panel, Roster)]
    assert [roster.side for roster in rosters] == ["black", "white"], "the own units first"
    badges = {piece.id: [english(badge) for badge in piece.badges] for piece in rosters[1].pieces}
    assert badges["wn1"] == ["in melee with Orcs"], "there is but one"
    assert {offer.action for offer in GAME.offers(state, "white")} == {"charge", "end_phase", "surrender"}


def rows(state: State, side: str) -> dict[str, list[str]]:
    """List what stands in a side's roster: each line's name and badges, by its first unit."""
    panels = GAME.view(state, "white").panels
    (roster,) = [panel for panel in panels if isinstance(panel, Roster) and panel.side == side]
    return {piece.id: [english(text) for text in (piece.name, *piece.badges)] for piece in roster.pieces}


@pytest.mark.clause("CW-19", "CW-44")
def test_units_that_nothing_tells_apart_stand_in_one_line() -> None:
    state = table("wp1 hp d4, wp2 hp e4, wp3 hp f4, bp1 op d5, bp2 op e5, bn1 on f5, wp2>bp1, wp2>bn1")
    assert rows(state, "white") == {
        "wk": ["General (wk)"],
        "wp1": ["Infantry", "×2"],
        "wp2": ["Infantry 2", "in melee with Orcs 1, Wolf riders"],
    }
    charges = {offer.on: offer for offer in offered(state, "charge")}
    assert set(charges) == {"wk", "wp1"}
    targets = [(option.value, english(option.label)) for option in charges["wp1"].fields[0].options]
    assert targets == [
        ("bk", "Warlord (bk)"),
        ("bp2", "Orcs 2"),
        ("bp1", "Orcs 1, in melee with Infantry 2"),
        ("bn1", "Wolf riders, in melee with Infantry 2"),
    ]
    assert english(charges["wp1"].label) == "Charge: Infantry"
    covered = state.but(effects=position(f"{KINGS}, wq1 hq d4, protection wq1 wp3").effects)
    assert set(rows(covered, "white")) == {"wk", "wp1", "wp2", "wp3"}, "a spell tells them apart"
    shot = table("wb1 hb d4, wb2 hb e4, bp1 op d6, bp2 op e6", phase="shooting")
    assert [option.value for option in field(offered(shot, "shoot")[0], "target").options] == ["bk", "bp1"]
    assert rows(after(shot, Shoot("wb1", "bp1", distance=2), 1), "white") == {
        "wk": ["General (wk)"],
        "wb1": ["Archers 1", "has shot"],
        "wb2": ["Archers 2"],
    }


@pytest.mark.clause("CW-19", "CW-36")
def test_no_two_lines_to_choose_from_say_the_same() -> None:
    state = table("wp1 hp d4, bb1 ob d5, bb2 ob e5, bb3 ob f5, bb4 ob g5")
    told = state.with_unit("bb3", shot=True).with_unit("bb4", shot=True)
    charge = next(offer for offer in offered(told, "charge") if offer.on == "wp1")
    labels = [english(option.label) for option in charge.fields[0].options]
    assert labels == ["Warlord (bk)", "Archers 1 ×2", "Archers 3 ×2"]
    many = table("wp1 hp d4, bb1 ob d5, bb2 ob e5, rb1 hb f5, rb2 hb g5", sides="three", size=14)
    charge = next(offer for offer in offered(many, "charge") if offer.on == "wp1")
    labels = [english(option.label) for option in charge.fields[0].options]
    assert {"Archers (Black) ×2", "Archers (Red) ×2"} <= set(labels), labels


def test_a_name_says_no_more_than_it_must() -> None:
    state = table("wp1 hp d4, wp2 hp e4, bp1 op d5")
    names = [english(speech.name(state, state.unit(name))) for name in ("wp1", "bp1")]
    assert names == ["Infantry 1 (White)", "Orcs (Black)"]
    fallen = state.with_unit("wp2", on_board=False)
    assert english(speech.name(fallen, fallen.unit("wp1"))) == "Infantry 1 (White)", "names stay when others fall"
    assert english(speech.foe(state, state.unit("bp1"))) == "Orcs"
    many = position("wk hk a1, bk ok h8, rk1 ek a8", board="table", sides="three")
    assert english(speech.foe(many, many.unit("rk1"))) == "General (Red)"


def test_the_fallen_are_listed() -> None:
    state = table("wp1 hp d4, wp2 hp e4, wb1 hb f4, bp1 op d5")
    for name in ("wp1", "wp2", "wb1"):
        state = state.with_unit(name, on_board=False)
    facts = [panel for panel in GAME.view(state, "screen").panels if isinstance(panel, Facts)]
    lost = {english(label): english(value) for panel in facts for label, value in panel.rows}
    assert lost["White has lost"] == "Infantry ×2, Archers"
    assert "Black has lost" not in lost


@pytest.mark.clause("CW-83")
def test_each_pair_of_a_melee_is_one_tap() -> None:
    state = table("wp1 hp d4, bp1 op d5, bp2 op e5, wp1>bp1, wp1>bp2", phase="combat")
    found = [(english(offer.label), dict(offer.given), offer.fields) for offer in offered(state, "attack")]
    assert found == [
        ("Attack Orcs 1: Infantry", {"unit": "wp1", "target": "bp1"}, ()),
        ("Attack Orcs 2: Infantry", {"unit": "wp1", "target": "bp2"}, ()),
    ]


def test_what_nobody_told_is_not_filled_in_and_the_last_target_is() -> None:
    state = table("wb1 hb d4, wb2 hb e4, wr1 hr d1, bp1 op d6, bn1 on e6", phase="shooting")
    (shot, throw) = (offered(state, "shoot")[0], offered(state, "bombard")[0])
    assert [field(offer, "distance").value for offer in (shot, throw)] == [None, None]
    assert field(shot, "target").value is None
    again = offered(after(state, Shoot("wb1", "bn1", distance=2), 1), "shoot")[0]
    assert (again.on, field(again, "target").value, field(again, "distance").value) == ("wb2", "bn1", None)
    felled = after(state, Shoot("wb1", "bn1", distance=2), 6, 1)
    assert field(offered(felled, "shoot")[0], "target").value is None, "it is gone"


@pytest.mark.clause("CW-28", "CW-43", "CW-55", "CW-63", "CW-64", "CW-66", "CW-167")
@pytest.mark.parametrize(
    ("phase", "action", "clause", "at"),
    [
        ("shooting", Shoot("wb1", "bp1", distance=99), "CW-55", "distance"),
        ("shooting", Shoot("wb1", "bp1", distance=0), "CW-55", "distance"),
        ("shooting", Shoot("wd1", "bp1", distance=2, direct=False), "CW-64", "direct"),
        ("shooting", Bombard("wr1", distance=99), "CW-167", "distance"),
        ("shooting", Bombard("wr1", distance=1), "CW-66", "distance"),
        ("movement", Charge("wn1", "bp1"), "CW-43", "unit"),
        ("movement", Charge("wb1", "wb1"), "CW-36", "target"),
        ("movement", Charge("wb1", "wd1"), "CW-36", "target"),
        ("movement", Move("wb1", to="e4"), "CW-28", "to"),
        ("movement", Move("wb1", path=("e4",)), "CW-28", "path"),
        ("combat", Attack("wn1", "bp1"), "CW-83", "target"),
        ("combat", Attack("wn1", "wn1"), "CW-83", "target"),
    ],
)
def test_facts_that_can_not_be_are_refused_by_field(phase: Any, action: Any, clause: str, at: str) -> None:
    state = table("wb1 hb d4, wd1 db e4, wr1 hr d1, wn1 hn c4, bp1 op d6, bn1 on c5, wn1>bn1", phase=phase)
    no = refusal(state, action)
    assert (no.clause, no.field) == (clause, at)


@pytest.mark.clause("CW-36", "CW-40", "CW-41", "CW-42", "CW-43", "CW-44")
def test_players_tell_who_charges_whom() -> None:
    state = table("w1 hn d4, w2 hp c4, b1 up d5, b2 op e5")
    charges = {offer.on: options_of(offer, "target") for offer in offered(state, "charge")}
    assert charges == {unit: ["bk", "b1", "b2"] for unit in ("wk", "w1", "w2")}
    met = after(state, Charge("w1", "b2"))
    assert fights(met) == {"w1>b2"}
    assert "w1" not in {offer.on for offer in offered(met, "charge")}
    assert no(met, Charge("w1", "b1")) == "CW-43"
    held = ruled(state, Charge("w2", "b1"), 2)
    assert (fights(held.outcome), held.outcome.unit("w2").charge_failed) == (set(), True)
    assert no(state, Charge("w1", "w2")) == "CW-36"


@pytest.mark.clause("CW-55", "CW-56", "CW-57", "CW-58", "CW-59", "CW-64")
@pytest.mark.parametrize(
    ("facts", "need"),
    [
        ({"distance": 1}, 3),
        ({"distance": 2, "moved": False, "direct": True}, 3),
        ({"distance": 3}, 4),
        ({"distance": 2, "moved": True}, 4),
        ({"distance": 2, "direct": False}, 5),
        ({"distance": 4, "direct": False, "moved": True}, 7),
    ],
)
def test_a_shot_with_the_facts_that_are_told(facts: dict[str, Any], need: int) -> None:
    state = table("w1 hb d4, b1 op d6", phase="shooting")
    shot = Shoot("w1", "b1", **facts)
    for face in range(1, 7):
        dice = (face, 1) if face >= need else (face,)
        assert ("b1" not in on(after(state, shot, *dice))) is (face >= need)


@pytest.mark.clause("CW-55", "CW-58", "CW-63", "CW-64", "CW-45", "CW-46")
def test_a_shot_is_refused_that_can_not_be() -> None:
    state = position(
        "wk dk a1, w1 hb d4, w2 db c4, w3 eb e4, bk ok h8, b1 op d6, b2 op c5, w2>b2", board="table", phase="shooting"
    )
    missing = refusal(state, Shoot("w1", "b1"))
    assert (missing.clause, missing.field) == ("CW-58", "distance")
    assert no(state, Shoot("w1", "b1", distance=5)) == "CW-55"
    assert no(state, Shoot("w3", "b1", distance=6)) == "CW-63"
    assert no(state, Shoot("wk", "b1", distance=2, direct=False)) == "CW-64"
    assert no(state, Shoot("wk", "b1", distance=2, moved=True)) == "CW-64"
    assert no(state, Shoot("w2", "b1", distance=2)) == "CW-45"
    assert no(state, Shoot("w1", "w2", distance=2)) == "CW-45"
    offers = {offer.on: {one.name for one in offer.fields} for offer in offered(state, "shoot")}
    assert offers == {
        "wk": {"target", "distance", "moved"},
        "w1": {"target", "distance", "direct", "moved"},
        "w3": {"target", "distance", "direct", "moved"},
    }
    assert {offer.on: field(offer, "distance").high for offer in offered(state, "shoot")} == {"wk": 4, "w1": 4, "w3": 5}
    crossbow = next(offer for offer in offered(state, "shoot") if offer.on == "wk")
    assert options_of(crossbow, "moved") == ["false"]
    assert [one.barred.clause for one in field(crossbow, "moved").options if one.barred] == ["CW-64"]
    shot = after(state, Shoot("w1", "b1", distance=1, moved=True), 1)
    assert shot.unit("w1").moved
    assert no(shot, Shoot("w1", "b1", distance=1)) == "CW-46"


@pytest.mark.clause("CW-69", "CW-72", "CW-73", "CW-74", "CW-75", "CW-66", "CW-68")
def test_players_tell_what_stands_where_a_catapult_hits() -> None:
    state = table("w1 hr d1, w2 hp d5, b1 op d6", phase="shooting")
    throw = Bombard("w1", distance=5)
    assert by(state, throw, 1, 2) == [("scatter", "white"), ("impact", "white")]
    ruling = ruled(state, throw, 1, 2, 1, impact="b1")
    assert english(ruling.reasons[1].text) == "The impact: 1 away from you, 1 to your right"
    assert clauses(ruling.reasons) == ["CW-69", "CW-72", "CW-75", "CW-07", "CW-96"]
    assert "b1" not in on(ruling.outcome)
    assert "w2" not in on(after(state, throw, 1, 3, 1, impact="w2")), "friend or foe"
    for answer, clause in {"nobody": "CW-72", "off_board": "CW-74", "own_square": "CW-73"}.items():
        missed = ruled(state, throw, 3, 3, impact=answer)
        assert (set(on(missed.outcome)), missed.reasons[-1].clause) == (set(on(state)), clause)
    assert asked(state, Bombard("w1", distance=5, direct=False), 5, 5, 5) == ["scatter", "impact"]
    assert no(state, Bombard("w1")) == "CW-66"
    assert no(state, Bombard("w1", distance=1)) == "CW-66"
    assert no(state, Bombard("w2", distance=2)) == "CW-45"
    (offer,) = offered(state, "bombard")
    assert (field(offer, "distance").low, field(offer, "distance").high) == (2, 7)
    assert no(state, Bombard("w1", distance=8)) == "CW-167"


@pytest.mark.clause("CW-52", "CW-53", "CW-80", "CW-81")
def test_who_is_struck_in_a_melee_needs_no_board() -> None:
    state = table("w1 hr d1, w2 hp d5, b1 op d6, b2 op e6, w2>b1, w2>b2", phase="shooting")
    hit = Bombard("w1", distance=5)
    assert asked(state, hit, 5, 5, 1, 1, impact="b1") == ["scatter", "impact", "melee", "save_w2"]
    assert asked(state, hit, 5, 5, 1, 1, impact="w2")[2:] == ["melee", "opponent", "save_b1"]
    bomb = position("wk rk a1, w1 rb d1, bk ok h8, b1 op d5, w2 hp d6, w2>b1", board="table", phase="shooting")
    assert asked(bomb, Bombard("w1", distance=2), 5, 6, 6, impact="b1")[2:] == ["save_b1", "save_w2"]


@pytest.mark.clause("CW-170", "CW-171", "CW-168")
def test_forests_are_asked_for_where_they_matter() -> None:
    shot = table("w1 hb d4, b1 op d6", phase="shooting", terrain=True)
    action = Shoot("w1", "b1", distance=1)
    assert by(shot, action, 6, 3) == [("hit", "white"), ("forest_b1", "black"), ("save_b1", "black")]
    assert "b1" in on(after(shot, action, 6, 2, forest_b1="yes")), "+1 on the save"
    assert "b1" not in on(after(shot, action, 6, 2, forest_b1="no"))
    assert "forest_b1" not in asked(table("w1 hb d4, b1 op d6", phase="shooting"), action, 6, 3)
    melee = table("w1 hn d4, b1 op d5, w1>b1", phase="combat", terrain=True)
    charged = melee.with_unit("w1", charged="movement")
    hit = Attack("w1", "b1")
    assert by(charged, hit, 3, forest_b1="yes") == [("forest_b1", "black"), ("attack", "white")]
    assert ruled(charged, hit, 3, 3, forest_b1="no").reasons[0].value == 4
    assert ruled(charged, hit, 3, forest_b1="yes").reasons[0].value == 3
    assert "forest_b1" not in asked(melee, hit, 3), "without a charge it changes nothing"


@pytest.mark.clause("CW-153", "CW-154", "CW-127")
def test_players_tell_whom_a_protection_covers() -> None:
    state = table("w1 hq d4, w2 hp d5, w3 hp a7, b1 op d6, w2>b1")
    (offer,) = [one for one in offered(state, "cast") if one.given["spell"] == "protection"]
    assert options_of(offer, "covers") == ["wk", "w2", "w3"]
    cast = after(state, Cast("w1", "protection", covers=("w2",)))
    (effect,) = cast.effects
    assert (effect.caster, effect.covers) == ("w1", ("w2",))
    moved = ruled(cast, Cover("w1", ("w3",)))
    assert moved.outcome.effects[0].covers == ("w3",)
    assert english(moved.headline) == "White says who is protected"
    (again,) = offered(cast, "cover")
    assert again.fields[0].value == ("w2",)
    assert no(cast, Cover("w2", ("w3",))) == "CW-153"
    assert no(cast, Cover("w1", ("nobody",))) == "CW-28"
    assert no(cast.but(active=1), Cover("w1", ("w3",)), seat="white") == "CW-27"
    assert no(cast.but(phase="finished", winner=("black",)), Cover("w1", ("w3",)), seat="white") == "CW-164"
    mirrored = position(f"{KINGS}, w1 hq d4, w3 hp a7, protection w1")
    assert no(mirrored, Cover("w1", ("w3",))) == "CW-153", "a mirrored board tells by itself"
    assert offered(mirrored, "cover") == []


@pytest.mark.clause("CW-153", "CW-06")
@pytest.mark.parametrize(("covered", "lives"), [(("w2",), True), ((), False)])
def test_who_is_covered_saves_better(covered: Any, lives: bool) -> None:
    state = table("w1 hq d4, w2 hp d5, b1 op d6, w2>b1", phase="combat", active=1)
    state = state.but(effects=position(f"{KINGS}, w1 hq d4, protection w1 {' '.join(covered)}").effects)
    assert ("w2" in on(after(state, Attack("b1", "w2"), 4, 3))) is lives


@pytest.mark.clause("CW-119", "CW-120", "CW-28", "CW-35")
def test_who_teleports_says_that_it_leaves_its_melee() -> None:
    state = position("wk uk d4, w1 up e4, bk ok h8, b1 op d5, wk>b1, w1>b1", board="table")
    assert {offer.on for offer in offered(state, "move")} == {"wk"}
    left = ruled(state, Move("wk"))
    assert (fights(left.outcome), clauses(left.reasons)) == ({"w1>b1"}, ["CW-119"])
    assert left.outcome.unit("wk").moved
    assert no(left.outcome, Move("wk")) == "CW-35"
    assert offered(left.outcome, "move") == []
    assert no(state, Move("w1")) == "CW-43"
    assert no(left.outcome, TakeBack("wk")) == "CW-35"
    walked = ruled(state.disengage("w1"), Move("w1"))
    assert (walked.outcome.unit("w1").moved, clauses(walked.reasons)) == (True, ["CW-28"])


@pytest.mark.clause("CW-159", "CW-161", "CW-43")
def test_flight_and_the_other_spells_need_no_squares() -> None:
    state = table("w1 oq d4, w2 op e4, b1 up d5, w2>b1")
    flown = after(state, Cast("w1", "flight", target="w2"))
    assert (fights(flown), flown.unit("w2").flying) == (set(), True)
    assert asked(state, Cast("w1", "flight", target="w2")) == []
    assert asked(flown, Charge("w2", "b1")) == [], "brave in the air"
    zap = Cast("w1", "zap", target="b1")
    assert "b1" not in on(after(state.but(phase="shooting").disengage("w2"), zap, 1))
    strike = table("w1 oq d4, b1 op d5, w1>b1", phase="combat")
    assert "b1" not in on(after(strike, Cast("w1", "strike", target="b1"), 4))


@pytest.mark.clause("CW-97", "CW-99", "CW-100", "CW-101", "CW-102", "CW-131")
def test_the_continuation_is_asked_without_squares() -> None:
    state = table("w1 hn d4, w2 hr a4, b1 op d5, b2 op e5, b3 op a5, w1>b1, w2>b3", phase="combat")
    ruling = ruled(state, Attack("w1", "b1"), 6, continuation="move_in")
    assert clauses(ruling.reasons)[-1] == "CW-99"
    assert ruling.outcome.unit("w1").moved
    assert fights(after(state, Attack("w1", "b1"), 6, continuation="b2")) == {"w1>b2", "w2>b3"}
    assert refusal(state, Attack("w2", "b3"), 6, continuation="move_in").clause == "CW-102"
    undead = position("wk uk a1, w1 un d4, w2 uq e4, bk ok h8, b1 op d5, w1>b1", board="table", phase="combat")
    assert refusal(undead, Attack("w1", "b1"), 6, raise_b1="w2", continuation="move_in").clause == "CW-100"
    charged = after(undead, Attack("w1", "b1"), 6, raise_b1="w2", continuation="bk")
    assert fights(charged) == {"w1>bk"}


@pytest.mark.clause("CW-131", "CW-145")
def test_players_know_who_is_near_enough_for_a_spell() -> None:
    state = position("wk hk a1, w1 hp d4, w2 hq c3, bk uk h8, b1 up d5, w1>b1", board="table", phase="combat", active=1)
    ask: list[str] = asked(state, Attack("b1", "w1"), 6)
    assert ask[:3] == ["attack", "heal_w1", "raise_w1"]


@pytest.mark.clause("CW-36", "CW-45", "CW-67", "CW-83")
@pytest.mark.parametrize("phase", ["movement", "shooting", "combat"])
def test_everything_that_is_offered_can_be_done(phase: Any) -> None:
    written = "w1 hn d4, w2 hb e4, w3 hr c4, w4 hq b4, b1 op d5, b2 uk e5, w1>b1, protection w4, storm b2"
    state = table(written, phase=phase)
    rng = random.Random(1)
    for offer in [*GAME.offers(state, "white")] * 5:
        action = msgspec.convert(filled(offer, rng), GAME.actions, strict=False)
        ruling, _ = settle(lambda ask, action=action: GAME.rule(state, "white", action, ask), rng)
        assert ruling.outcome != state
