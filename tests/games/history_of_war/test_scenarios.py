"""The scenario format of History of War: what nobody knows is a failing line; some may be written in several ways."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.scenarios.history_of_war import OPS
from tests.scenarios.history_of_war.fields import NOT_IN_PLAY
from tests.scenarios.runner import run
from tests.support.paths import TESTS

FILES = sorted((TESTS / "scenarios").glob("history_of_war*.json"))
WHOLE = [scenario for file in FILES for scenario in json.loads(file.read_text(encoding="utf-8"))]
TANK = {"owner": "a", "category": "ground", "dv": 3, "av": {"ground": 4}, "state": "locked"}
GUN = {"owner": "d", "category": "ground", "dv": 2, "av": {"ground": 3}, "state": "locked"}
UNITS = {"tank": TANK, "gun": GUN}
FORT = {"owner": "d", "dv": 4, "state": "unlocked"}
CLASH = {"attacker": "tank", "blockers": ["gun"]}
BOTH = {"destroyed": ["gun", "tank"]}
REFUSED = {"refused": True}
CARD = {"id": "a1", "owner": "a", "kind": "unit", "flags": 5, "state": "unlocked"}


def by(clause: str) -> dict[str, Any]:
    return {**REFUSED, "refused_by": clause}


def scenario(given: dict[str, Any], expect: dict[str, Any]) -> dict[str, Any]:
    return {"id": "HW-X1", "clauses": [], "given": given, "dice": [], "expect": expect}


def battle(expect: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    given = {"op": "damage", "units": UNITS, "attacks": [CLASH]}
    return scenario(given | more, expect or BOTH)


def contest(expect: dict[str, Any], **more: Any) -> dict[str, Any]:
    given = {"op": "conquest", "players": ["a", "d"], "flags_required": 4, "victory_points": 6, "cards": [CARD]}
    return scenario(given | more, expect)


def move(expect: dict[str, Any], **more: Any) -> dict[str, Any]:
    return scenario({"op": "deploy_unit", "phase": "attacker_deployment", **more}, expect)


def test_every_op_has_examples_of_both_kinds() -> None:
    """Each op is answered somewhere, and refused where the rules can refuse it."""
    assert {one["given"]["op"] for one in WHOLE} == set(OPS)
    refused = {one["given"]["op"] for one in WHOLE if one["expect"].get("refused")}
    assert set(OPS) - refused == {"draw", "ta", "final", "round_end", "phase"}
    assert {one["given"]["op"] for one in WHOLE if not one["expect"].get("refused")} == set(OPS) - {"use_scrapyard"}


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (battle({"destroyed": ["gun"]}), "expected ['gun'], found ['gun', 'tank']"),
        (battle({"damage": {"tank": 4}}), "damage.tank: expected 4, found 3"),
        (battle({"colour": "grey"}), "the rules say nothing of the kind"),
        (battle(op="dance"), "unknown op 'dance'"),
        (battle(weather="rain"), "unknown field weather"),
        (battle(units={"tank": {**TANK, "hat": 1}, "gun": GUN}), "unknown field in tank: hat"),
        (battle(units={"tank": {**TANK, "category": "space"}, "gun": GUN}), "unknown category 'space'"),
        (battle(units={"tank": {**TANK, "state": "bent"}, "gun": GUN}, attacks=[]), "unknown state 'bent'"),
        (battle(units={"tank": {"dv": 3}, "gun": GUN}), "missing field 'owner'"),
        (battle(units={"tank": {**TANK, "dv": "three"}, "gun": GUN}), "dv: a number is needed"),
        (battle(units=7), "units: an object is needed"),
        (battle(units={**UNITS, "x": {**GUN, "owner": "c"}}), "units: of two players, no more"),
        (battle(attacks=[{"blockers": ["gun"]}]), "missing field 'attacker'"),
        (battle(attacks=[{**CLASH, "why": 1}]), "unknown field in attacks: why"),
        (battle(phase="draw"), "no damage in the phase draw"),
        (battle(responses=[{"unit": "nobody", "to": "tank"}]), "responses: a unit is needed"),
        (battle(responses=[{"unit": "gun", "to": "tank"}]), "refused by ['HW-70']"),
        (battle(options={"luck": 1}), "unknown option luck"),
        (battle(options={"unblocked_split": "yes"}), "unknown unblocked_split 'yes'"),
        ({**battle(), "dice": [{"roll": "d6", "values": [1]}]}, "there are no dice in this game"),
        (battle({"refused": True}), "expected True, found False"),
        (contest({"conqueror": "d"}), "expected 'd', found 'a'"),
        (contest({"conqueror": "a"}, players=["a"]), "players: two are needed"),
        (contest({"conqueror": "a"}, cards=[{**CARD, "owner": "x"}]), "unknown owner 'x'"),
        (contest({"conqueror": "a"}, cards=[{**CARD, "kind": "action"}]), "no action lies in a territory"),
        (contest({"conqueror": "a"}, cards=[CARD, CARD]), "two cards are called 'a1'"),
        (contest({"set_aside": ["a1"]}), "the rules say nothing of the kind"),
        (move({"location": "territory"}, to="the moon"), "unknown place 'the moon'"),
        (move({"location": "territory"}, phase="lunch"), "unknown phase 'lunch'"),
        (move({"location": "territory"}, role="referee"), "unknown role 'referee'"),
        (move({"location": "territory"}, role="defender"), "refused by ['HW-29']"),
        (scenario({"op": "draw", "depot": 3}, {"hand": 4}), "missing field 'hand'"),
        (scenario({"op": "draw", "depot": 3, "hand": "x"}, {"hand": 4}), "hand: a number is needed"),
        (scenario({"op": "deck", "depot": ["tree"]}, {"ok": True}), "unknown depot 'tree'"),
        (scenario({"op": "phase"}, {"next": "draw"}), "missing field 'after'"),
        (scenario({"op": "round_end", "cards": {}, "with_entrenchment": ["x"]}, {"cards": {}}), "no card is called x"),
    ],
)
def test_what_does_not_hold_is_a_failing_line(wrong: Any, problem: str) -> None:
    problems = run(wrong, "history_of_war").problems
    assert problems
    assert problem in "; ".join(problems)


@pytest.mark.parametrize(
    "same",
    [
        battle(),
        battle(responses=None, options=None, earlier_damage_this_round=None),
        battle(earlier_damage_this_round={"tank": 2}),
        battle(phase="damage_2"),
        battle(phase=11),
        battle(attacks=[{**CLASH, "assign": {"gun": 4}}]),
        battle({"refused": False, "allowed": True, "destroyed": ["gun", "tank"]}),
        battle(units={"tank": {**TANK, "av": {"ground": 4, "air": None, "naval": "-"}}, "gun": GUN}),
        battle(units={"tank": {**TANK, "av_used": [], "blocked_this_round": False}, "gun": GUN}),
        contest({"conqueror": "a", "occupation_needed": 3.0}),
        contest({"conqueror": "a", "occupation_needed": "3"}),
        contest({"occupation_needed": 3.5}, victory_points=7),
        contest({"conqueror": None, "occupation_possible": False}, victory_points=11),
        contest({"conqueror": "a", "occupation_possible": False}, victory_points=11),
        contest({"conqueror": "a"}, keep=None),
        contest({"set_aside": ["a1"]}, keep=["a1"], **{"opt.developments_occupy": True}),
        contest({"set_aside": ["a1"]}, keep=["a1"], opt={"developments_occupy": False}),
        move({"location": "territory", "unit_state": "locked"}),
        move({"location": "territory_2"}, to="territory_2", **{"from": "deployment"}),
        move({"location": "territory_2"}, to="territory_2", territory_to_territory=True, **{"from": "territory_1"}),
        move(REFUSED, to="territory_2", **{"from": "territory_1"}),
        move({"refused": True, "refused_by": "HW-36"}, unit_state="locked"),
        scenario({"op": "declare_block", "attackers": [{"id": "t", "category": "ground"}],
                  "units": [{"id": "i", "category": "ground"}], "blocks": [["t", "i"]]}, {"locked": ["i"]}),
        scenario({"op": "declare_attack", "units": [{"id": "b"}, {"id": "a"}]}, {"locked": ["b", "a"]}),
        scenario({"op": "declare_attack", "units": [{"id": "b"}, {"id": "a"}]}, {"locked": ["a", "b"]}),
        scenario({"op": "base_expansion", "cards": ["base_expansion"]}, {"played": ["base_expansion"]}),
        scenario({"op": "deck", "depot": ["territory"]}, {"ok": False, "refused": True, "refused_by": "HW-05"}),
        scenario({"op": "play_action", "phase": "defender_block", "cost": 0}, {"ok": False, "refused": True}),
        scenario({"op": "phase", "after": 1}, {"next": "base_expansion", "who": "both"}),
        *(battle({"destroyed": ["fort"], "damage": {"fort": 4}},
                 units={"tank": TANK, "fort": {**FORT, field: "development"}},
                 attacks=[{"attacker": "tank", "target": "fort"}]) for field in ("category", "kind")),
        *(battle({"destroyed": ["fort"]}, units={"tank": {**TANK, "abilities": ["base_attack"]},
                                                 "fort": {**FORT, field: "base_expansion"}},
                 attacks=[{"attacker": "tank", "target": "fort"}]) for field in ("category", "kind")),
        *(battle(REFUSED, units={"tank": TANK, "fort": {**FORT, "category": kind}},
                 attacks=[{"attacker": "tank", "target": "fort"}]) for kind in ("upgrade", "action", "territory")),
        battle(REFUSED, units={"tank": TANK, "plane": {**FORT, "kind": "air"}},
               attacks=[{"attacker": "tank", "target": "plane"}]),
        scenario({"op": "declare_block", "attackers": [{"id": "t"}], "units": [{"id": "i", "category": "development"}],
                  "blocks": [["t", "i"]]}, REFUSED),
        *(move(by("HW-A10"), **{"from": place}) for place in NOT_IN_PLAY),
        *(move(by("HW-48"), to=place) for place in NOT_IN_PLAY),
        *(move(by("HW-84"), op="retreat", phase="attacker_retreat", **{"from": place}) for place in NOT_IN_PLAY),
        *(move(by("HW-31"), op="retreat", phase="attacker_retreat", to=place) for place in NOT_IN_PLAY),
        *(scenario({"op": "upgrade", "location": place}, by("HW-11")) for place in NOT_IN_PLAY),
        *(scenario({"op": "declare_attack", "units": [{"location": place, "enemy_present": there}]}, by("HW-51"))
          for place in NOT_IN_PLAY for there in (True, False)),
        *(scenario({"op": "ta", "sources": [{"id": "x", "ta": 2, "location": place}]}, {"available": 0})
          for place in NOT_IN_PLAY),
        *(scenario({"op": "build", "sources": [{"id": "x", "ta": 2, "location": place}], "cards": [{"cost": 1}],
                    "lock": ["x"]}, REFUSED) for place in NOT_IN_PLAY),
    ],
)  # fmt: skip
def test_what_may_be_written_in_several_ways(same: Any) -> None:
    assert run(same, "history_of_war").problems == []


def test_a_file_says_by_its_ids_which_game_it_is() -> None:
    assert run(battle()).problems == []
