"""The scenario runner: every file here passes, and what it cannot run is a failing line, never a crash."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios import runner
from tests.scenarios.__main__ import main
from tests.scenarios.runner import OneOf, run, run_file, same
from tests.support.paths import TESTS

FILES = sorted((TESTS / "scenarios").glob("*.json"))
CHECK: dict[str, Any] = {
    "id": "TTC-X1",
    "clauses": ["TTC-87"],
    "given": {
        "kind": "attack_check",
        "player": "white",
        "card": "AH",
        "mode": "melee",
        "attacker": "w1",
        "target": "b1",
        "moved": False,
        "units": [
            {"id": "w1", "side": "white", "type": "heavy_infantry", "square": "d4", "hits": 0},
            {"id": "b1", "side": "black", "type": "light_infantry", "square": "d5", "hits": 0},
        ],
        "terrain": {},
    },
    "dice": [],
    "expect": {"allowed": True, "dice_count": 5},
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_scenario_passes(file: Path) -> None:
    outcomes = run_file(file)
    assert outcomes
    assert [f"{outcome.name}: {outcome.problems}" for outcome in outcomes if outcome.problems] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_ids_are_given_once(file: Path) -> None:
    names = [scenario["id"] for scenario in json.loads(file.read_text(encoding="utf-8"))]
    assert len(names) == len(set(names))


def changed(given: dict[str, Any] | None = None, **whole: Any) -> dict[str, Any]:
    return {**CHECK, "given": {**CHECK["given"], **(given or {})}, **whole}


@pytest.mark.parametrize(
    ("scenario", "problem"),
    [
        (changed(expect={"dice_count": 4}), "expected 4, found 5"),
        (changed(expect={"allowed": False}), "expected False, found True"),
        (changed(expect={"refused": True, "refused_by": ["TTC-76"]}), "expected True, found False"),
        (changed({"mode": "ranged"}, expect={"dice_count": 5}), "refused by ['TTC-91', 'TTC-53']"),
        (changed({"mode": "ranged"}, expect={"refused": True, "refused_by": ["TTC-01"]}), "expected one of ['TTC-01']"),
        (changed(expect={"colour": "red"}), "the rules say nothing of the kind"),
        (changed(expect={}), "nothing is expected"),
        (changed({"kind": "dance"}), "unknown kind 'dance'"),
        (changed({"weather": "rain"}), "unknown field weather"),
        (changed(surprise=1), "unknown key surprise"),
        (changed({"player": "red"}), "unknown player 'red'"),
        (changed({"units": [{"id": "w1"}]}), "missing field 'side'"),
        (changed({"units": [{"id": "w1", "wings": 2}]}), "unknown field in units: wings"),
        (changed({"units": 7}), "units: a list is needed"),
        (changed({"units": ["w1"]}), "units: an object is needed"),
        (changed({"units": CHECK["given"]["units"][:1] * 2}), "two units are called 'w1'"),
        (changed({"kind": ["attack"]}), "unknown kind ['attack']"),
        (changed({"mode": "magic"}), "unknown mode 'magic'"),
        (changed({"terrain": {"d4": "swamp"}}), "unknown terrain 'swamp'"),
        (changed({"kind": "attack", "protection": "luck"}), "unknown protection 'luck'"),
        (changed({"kind": "odds", "event": "rain"}), "unknown event 'rain'"),
        (changed({"kind": "odds"}), "missing field 'event'"),
        (changed(expect={"refused": True, "refused_by": "TTC-76"}), "expected True, found False"),
        (changed({"options": {"no_such": True}}), "broke: ValidationError"),
        (changed(dice=[3]), "TTC-86"),
        (changed(game="chess"), "no adapter for the game 'chess'"),
        (changed(id="CH-1", clauses=["CH-15"]), "no adapter for a game with the clause CH-15"),
        ({"id": "TTC-X2"}, "not a scenario"),
        ("words", "not a scenario"),
        (None, "not a scenario"),
    ],
)
def test_what_does_not_hold_is_a_failing_line(scenario: Any, problem: str) -> None:
    assert run(CHECK).problems == []
    problems = run(scenario).problems
    assert problems
    assert problem in "; ".join(problems)


def test_the_command_counts_and_names_what_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "further.json"
    file.write_text(json.dumps([CHECK, changed(id="TTC-X9", expect={"dice_count": 1})]), encoding="utf-8")
    assert main([str(file)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("FAIL TTC-X9: dice_count: expected 1, found 5")
    assert lines[-1] == "1 passed, 1 failed"
    file.write_text(json.dumps({"game": "two_cities", "scenarios": [CHECK]}), encoding="utf-8")
    assert main([str(file)]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


def test_another_game_is_one_module_with_its_own_fields_and_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
        if given["op"] != "sum":
            raise Refusal(say("Only sums."), "AB-1")
        return {"total": sum(sum(one["values"]) for one in dice), "chance": Fraction(1, 3)}

    game = SimpleNamespace(rulebook=SimpleNamespace(ids=lambda: frozenset({"AB-1"})))
    known = {**runner.adapters(), "abacus": SimpleNamespace(GAME=game, run=answer)}
    monkeypatch.setattr(runner, "adapters", lambda: known)
    dice = [{"roll": "d10", "values": [7, 5]}]
    whole = {"id": "AB-E01", "given": {"op": "sum"}, "dice": dice, "expect": {"total": 12, "chance": "2/6"}}
    assert run(whole) == ("AB-E01", [])
    assert run({**whole, "expect": {"total": 13}}).problems == ["total: expected 13, found 12"]
    assert run({**whole, "given": {"op": "war"}, "expect": {"refused": True, "refused_by": ["AB-1"]}}).problems == []
    assert run(CHECK).problems == []


@pytest.mark.parametrize("text", ["", "[", "7", '{"a": [], "b": []}', '"words"'])
def test_a_file_that_is_none_is_a_failing_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    file = tmp_path / "broken.json"
    file.write_text(text, encoding="utf-8")
    assert main([str(file)]) == 1
    assert capsys.readouterr().out.endswith("0 passed, 1 failed\n")
    assert main([str(tmp_path / "missing.json")]) == 1
    assert main([]) == 2


def test_values_are_compared_strictly_but_for_what_may_be_written_in_several_ways() -> None:
    assert same(1, 1)
    assert not any(same(truth, number) or same(number, truth) for truth in (True, False) for number in (0, 1))
    assert same("2/4", Fraction(1, 2))
    assert not same("half", Fraction(1, 2))
    assert same(None, OneOf("none", None))
    assert not same("hit", OneOf("none", None))
