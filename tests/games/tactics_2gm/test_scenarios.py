"""The scenario format of 2GM Tactics: what nobody knows is a failing line; some may be written in several ways."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.scenarios.runner import run
from tests.scenarios.tactics_2gm import OPS
from tests.support.paths import TESTS

FILES = sorted((TESTS / "scenarios").glob("tactics_2gm*.json"))
WHOLE = [scenario for file in FILES for scenario in json.loads(file.read_text(encoding="utf-8"))]
RIFLE = {"hit": 5, "crit": 10, "penetration": 2, "damage": 1, "range": 2}
TARGET = {"kind": "unit", "armour": 1, "wounds_max": 3}
DIE = [{"roll": "d10", "values": [5]}]
HIT = {"result": "hit"}
LINE = {"op": "hq_phase", "stored": 5, "cap": 8, "hq_income": 3, "lines_with_units": [1, 2]}


def scenario(given: dict[str, Any], expect: dict[str, Any], dice: list[Any] | None = None) -> dict[str, Any]:
    return {"id": "G2-X1", "clauses": [], "given": given, "dice": dice or [], "expect": expect}


def shot(expect: dict[str, Any] | None = None, dice: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    given = {"op": "shot", "weapon": RIFLE, "distance": 1, "target": TARGET}
    return scenario(given | more, expect or HIT, DIE if dice is None else dice)


def test_every_op_has_examples_of_both_kinds() -> None:
    """Each op is answered somewhere, and refused where the rules can refuse it."""
    assert {one["given"]["op"] for one in WHOLE} == set(OPS)
    refused = {one["given"]["op"] for one in WHOLE if one["expect"].get("refused")}
    never = {
        "thresholds",
        "turn_phase",
        "distance",
        "hq_distance",
        "flip",
        "flip_timeline",
        "suppression",
        "aa",
        "odds_shot",
        "odds_destroy",
        "draw",
        "defeat",
        "paradrop",
        "hq_phase",
        "team_hq_phase",
    }
    assert set(OPS) - refused == never


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (shot({"result": "miss"}), "expected 'miss', found 'hit'"),
        (shot({"colour": "grey"}), "the rules say nothing of the kind"),
        (shot(op="dance"), "unknown op 'dance'"),
        (shot(weather="rain"), "unknown field weather"),
        (shot(target={**TARGET, "hat": 1}), "unknown field in target: hat"),
        (shot(target={**TARGET, "kind": "tree"}), "unknown kind 'tree'"),
        (shot(weapon={**RIFLE, "smell": 1}), "unknown field in weapon: smell"),
        (shot(weapon={"crit": 10}), "missing field 'hit'"),
        (shot(weapon={**RIFLE, "hit": "five"}), "hit: a number is needed"),
        (shot(weapon={**RIFLE, "token_state": "blue"}), "unknown token_state 'blue'"),
        (shot(modifiers=[[1, 1, 1]]), "modifiers: two numbers are needed"),
        (shot(modifiers=[1]), "modifiers: a list is needed"),
        (shot(target=7), "target: an object is needed"),
        (shot(options={"luck": 1}), "unknown option luck"),
        (shot(options={"natural_ten": "soft"}), "unknown natural_ten 'soft'"),
        (shot(options={"swap_allowed": 1}), "unknown swap_allowed 1"),
        (shot(dice=[{"roll": "d6", "values": [5]}]), "unknown roll 'd6'"),
        (shot(dice=[{"roll": "d10", "values": ["5"]}]), "a die shows a number"),
        (shot(dice=[{"roll": "d10"}]), "missing field 'values'"),
        (shot(dice=[]), "refused by ['G2-103']"),
        (shot(dice=[*DIE, *DIE]), "refused by ['G2-03']"),
        (shot({"refused": True, "refused_by": "G2-97"}), "expected True, found False"),
        (shot({"refused": True, "refused_by": "G2-97"}, distance=3), "refused by ['G2-101']"),
        (scenario({"op": "distance", "from": [1, 1]}, {"distance": 1}), "2 squares are needed, not 1"),
        (scenario({"op": "distance", "from": [1, 1], "to": "d4"}, {"distance": 1}), "to: a list is needed"),
        (scenario({**LINE, "novice": 2}, {"lost": 0}), "unknown novice 2"),
        (scenario({"op": "start_bid", "bids": {"a": 1}}, {"decides": "a"}), "of two players are needed"),
    ],
)
def test_what_does_not_hold_is_a_failing_line(wrong: Any, problem: str) -> None:
    problems = run(wrong, "tactics_2gm").problems
    assert problems
    assert problem in "; ".join(problems)


@pytest.mark.parametrize(
    "same",
    [
        shot(),
        shot(shooter={"wounds": 0}, modifiers=[]),
        shot(shooter=None, modifiers=None, options=None),
        shot(weapon={**RIFLE, "token_state": "ready", "fired_this_phase": False, "flips": False}),
        shot(target={**TARGET, "wounds": 0, "in_building": None, "side": "enemy"}),
        shot({"refused": False, "allowed": True}),
        shot({"refused": True}, weapon={**RIFLE, "token_state": "flipped"}),
        shot({"refused": True}, weapon={**RIFLE, "token_state": "grey"}),
        shot({"refused": True, "refused_by": ["G2-101", "G2-02"]}, distance=3),
        scenario({**LINE, "options": {"cap_scope": "carry_only"}}, {"ap_after": 10}),
        scenario({**LINE, "options": {"opt.cap_scope": "carry_only"}}, {"ap_after": 10}),
        scenario({**LINE, "opt": {"cap_scope": "carry_only"}}, {"ap_after": 10}),
        scenario({**LINE, "opt.cap_scope": "carry_only"}, {"ap_after": 10}),
        scenario({**LINE, "cap_scope": "carry_only"}, {"ap_after": 10}),
        scenario({**LINE, "options": {"assault_mode": "fire_at_range_1", "time_limit_minutes": 90}}, {"ap_after": 8}),
        scenario({**LINE, "options": {"suppression_effect": "none", "time_limit_minutes": None}}, {"ap_after": 8}),
        scenario({"op": "distance", "a": [1, 1], "b": [2, 3]}, {"distance": 3}),
        scenario({"op": "distance", "squares": [[1, 1], [2, 3]]}, {"distance": 3}),
        scenario({"op": "hq_distance", "column": 4, "line": 6}, {"distance": 1}),
        scenario({"op": "hq_distance", "square": [4, 1], "hq": "own"}, {"distance": 1}),
        scenario({"op": "paradrop", "unit": {"paratrooper": False}}, {"refused": True}),
        scenario({"op": "paradrop", "unit": {"paratrooper": False}}, {"ok": False}),
    ],
)
def test_what_may_be_written_in_several_ways(same: Any) -> None:
    assert run(same, "tactics_2gm").problems == []


def test_a_file_says_by_its_ids_which_game_it_is() -> None:
    assert run(shot()).problems == []
