"""The scenario format of Pocket-Tactics: what nobody knows is a failing line; some may be written in several ways."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.games.pocket_tactics.options import Options
from tests.scenarios.pocket_tactics import OPS
from tests.scenarios.pocket_tactics.answers import LABELS
from tests.scenarios.pocket_tactics.fields import TABLE
from tests.scenarios.runner import run
from tests.support.paths import TESTS

FILES = sorted((TESTS / "scenarios").glob("pocket_tactics*.json"))
WHOLE = [scenario for file in FILES for scenario in json.loads(file.read_text(encoding="utf-8"))]
REFUSED = {"refused": True}
UNIT = {"melee": [1, 1], "ballistic": [1, 1], "affinities": [], "reach": 1}
DICE = {"attacker_offence": [5], "attacker_defence": [4], "defender_offence": [4], "defender_defence": [3]}
WON = {"outcome": "defender_captured"}
FIELD = {"terrain": "field", "occupied_by": None}
LOST = {"op": "move", "from": "labyrinth", "to": "field"}
SLIPS = {"op": "move", "from": "field", "to": "ice"}
ROLLS = {"hazard_entry": [2], "direction": [3]}


def by(clause: str) -> dict[str, Any]:
    return {**REFUSED, "refused_by": clause}


def scenario(given: dict[str, Any], expect: dict[str, Any], **dice: list[Any]) -> dict[str, Any]:
    rolls = [{"roll": roll, "values": values} for roll, values in dice.items()]
    return {"id": "PT-X1", "clauses": [], "given": given, "dice": rolls, "expect": expect}


def battle(expect: dict[str, Any] | None = None, /, **more: Any) -> dict[str, Any]:
    given = {
        "op": "assault",
        "kind": "melee",
        "skill": "melee",
        "attacker": UNIT,
        "defender": UNIT,
        "attacker_tile": "field",
        "target_tile": "field",
    }
    return scenario(given | more, expect or WON, **DICE)


def slide(expect: dict[str, Any], beyond: Any, **more: Any) -> dict[str, Any]:
    return scenario({**SLIPS, "neighbours_to": {"3": beyond}, **more}, expect, **ROLLS)


def test_every_op_has_examples_of_both_kinds() -> None:
    """Each op is answered somewhere, and refused where the rules can refuse it."""
    assert {one["given"]["op"] for one in WHOLE} == set(OPS)
    refused = {one["given"]["op"] for one in WHOLE if one["expect"].get("refused")}
    assert set(OPS) - refused == {"rerolls", "kicker_adjust", "odds_assault", "odds_test"}
    assert {one["given"]["op"] for one in WHOLE if not one["expect"].get("refused")} == set(OPS)


def test_every_field_option_and_label_of_the_ledger_has_an_example() -> None:
    fields = {(one["given"]["op"], field) for one in WHOLE for field in one["given"]}
    ours = {"hop", "edge_open", "unit", "affinities", "grooves", "terrain", "first_base", "active_player"}
    named = {(op, field) for op, (known, _) in OPS.items() for field in known if op != "rerolls"} - fields
    assert {field for _, field in named} <= ours
    groups = [one["given"].get(group, {}) for one in WHOLE for group in ("opt", "options")]
    said = {field.removeprefix("opt.") for part in (*groups, *(one["given"] for one in WHOLE)) for field in part}
    assert TABLE - said == {"army_limit"}, "it is about whole factions, of which no scenario tells"
    assert {one["roll"] for scenario in WHOLE for one in scenario["dice"]} == set(LABELS)
    assert set(Options.__struct_fields__) - TABLE == {"map"}


def test_every_place_where_a_unit_can_end_has_an_example() -> None:
    ends = {one["expect"].get(key) for one in WHOLE for key in ("unit_at", "attacker_at")}
    assert {end for end in ends if end and not end.startswith("neighbour")} == {
        "to",
        "from",
        "reserve",
        "captured",
        "opponent_choice",
        "stays",
        "tile",
        "origin",
        "target",
    }
    assert {one["expect"].get("outcome") for one in WHOLE} - {None} == {
        "defender_captured",
        "attacker_captured",
        "both_captured",
        "stall",
        "base_taken",
        "cancelled",
    }


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (battle({"outcome": "stall"}), "expected 'stall', found 'defender_captured'"),
        (battle({"attacker_at": "origin"}), "expected 'origin', found 'target'"),
        (battle({"attack_hits": 1}), "attack_hits: expected 1, found True"),
        (battle({"colour": "grey"}), "the rules say nothing of the kind"),
        (battle({"refused": True}), "expected True, found False"),
        (battle(op="dance"), "unknown op 'dance'"),
        (battle(op=None), "unknown op None"),
        (battle(weather="rain"), "unknown field weather"),
        (battle(to="field"), "unknown field to"),
        (battle(kind="siege"), "unknown kind 'siege'"),
        (battle(skill="psychic"), "unknown skill 'psychic'"),
        (battle(attacker={**UNIT, "hat": 1}), "unknown field in attacker: hat"),
        (battle(attacker={**UNIT, "melee": [1]}), "melee: offence and defence are needed"),
        (battle(attacker={**UNIT, "melee": [1, True]}), "melee: a number is needed"),
        (battle(attacker={**UNIT, "melee": ["two", 1]}), "melee: dice and kicker are needed"),
        (battle(attacker={**UNIT, "melee": [{"dice": 1, "plus": 2}, 1]}), "unknown field in melee: plus"),
        (battle(attacker={**UNIT, "third": {"stat": [1, 1]}}), "missing field 'kind'"),
        (battle(attacker={**UNIT, "third": {"kind": "holy", "stat": [1, 1]}}), "unknown kind 'holy'"),
        (battle(attacker={**UNIT, "abilities": [{"luck": 1}]}), "unknown field in abilities: luck"),
        (battle(attacker="base"), "attacker: an object is needed"),
        (battle(defender="castle"), "defender: an object is needed"),
        (battle(target_tile="base"), "target_tile: a terrain is needed"),
        (battle(attacker_tile=3), "attacker_tile: a terrain is needed"),
        (battle(distance="far"), "distance: a number is needed"),
        (battle(line_of_sight="yes"), "unknown line_of_sight 'yes'"),
        (battle(rerolls=[{"by": "attacker"}]), "missing field 'source'"),
        (battle(rerolls=[{"by": "umpire", "source": "ability", "pool": "offence", "die": 0}]), "unknown by 'umpire'"),
        (battle(rerolls=[{"by": "attacker", "source": "luck", "pool": "offence", "die": 0}]), "unknown source 'luck'"),
        (battle(rerolls=[{"by": "attacker", "source": "ability", "pool": "red", "die": 0}]), "unknown pool 'red'"),
        (battle(rerolls=[{"by": "attacker", "source": "ability", "pool": "offence", "die": "a"}]), "unknown die 'a'"),
        (battle(owner_choice="both"), "unknown owner_choice 'both'"),
        (battle(options={"luck": 1}), "unknown option luck"),
        (battle(options={"map": "companion"}), "unknown option map"),
        (battle(**{"opt.random_move_walls": "climb"}), "options: Invalid enum value"),
        (battle(direction_map="around"), "options: Invalid enum value"),
        (battle(direction_map=[1, 1, 1, 1, 1, 1]), "unknown direction_map"),
        ({**battle(), "dice": [{"roll": "luck", "values": [1]}]}, "unknown roll 'luck'"),
        ({**battle(), "dice": [{"roll": "reroll"}]}, "missing field 'values'"),
        ({**battle(), "dice": [{"roll": "reroll", "values": 1}]}, "values: a list is needed"),
        ({**battle(), "dice": 7}, "dice: a list is needed"),
        (scenario({**SLIPS}, {"unit_at": "to"}, **ROLLS), "nothing is told of what lies around to"),
        (slide({"unit_at": "to"}, FIELD), "unit_at: expected 'to', found 'neighbour_3'"),
        (slide({"unit_at": "to"}, {"terrain": None}), "expected 'to', found 'neighbour_3'"),
        (slide({"unit_at": "to"}, {"occupied_by": None}), "missing field 'terrain'"),
        (slide({"unit_at": "to"}, {**FIELD, "tree": 1}), "unknown field in neighbours_to: tree"),
        (slide({"unit_at": "to"}, {**FIELD, "occupied_by": "ghost"}), "unknown occupied_by 'ghost'"),
        (slide({"unit_at": "to"}, "wall", random_move_walls="ignore"), "what lies beyond the wall in direction 3"),
        (slide({"unit_at": "to"}, FIELD, neighbours_from={"7": "void"}), "unknown direction '7'"),
        (scenario({**LOST, "opponent_choice": {"terrain": "ice", "free": True}}, REFUSED), "unknown field in opp"),
        (scenario({"op": "move", "to": "field"}, {"unit_at": "to"}), "missing field 'from'"),
        (scenario({"op": "move", "from": "field", "to": "base"}, {"unit_at": "to"}), "to: a terrain is needed"),
        (scenario({**SLIPS, "to": "void", "to_occupied_by": "ally"}, REFUSED), "nobody stands where there is no tile"),
        (scenario({"op": "random_move"}, {"unit_at": "stays"}), "missing field 'neighbours'"),
        (scenario({"op": "turn", "player": "a", "actions": ["sleep"]}, {"turn_over": True}), "unknown actions 'sleep'"),
        (scenario({"op": "victory", "armies": {"a": {"on_board": 1}}}, {"winner": "a"}), "of both players are needed"),
        (scenario({"op": "victory", "armies": {"a": {"on_board": 1}, "b": {}}}, {"winner": "a"}), "missing field"),
        (scenario({"op": "second_base", "first_base": [0], "in_play": []}, {"legal": True}), "two numbers are needed"),
        (scenario({"op": "place_tile", "at": [0, 1], "in_play": [[0, 0], [0, 0]]}, REFUSED), "two tiles in one place"),
        (scenario({"op": "unit_card", "types": [1]}, {"ok": True}), "types: words are needed"),
        (scenario({"op": "odds_path", "tests": [{"tile": "ice"}]}, {"p_safe": "1/1"}), "unknown field in tests: tile"),
        (scenario({"op": "odds_hit", "offence": 1, "defence": 1}, {"p_hit": "1/2"}), "found Fraction(5, 12)"),
    ],
)
def test_what_does_not_hold_is_a_failing_line(wrong: Any, problem: str) -> None:
    problems = run(wrong, "pocket_tactics").problems
    assert problems
    assert problem in "; ".join(problems)


@pytest.mark.parametrize(
    "same",
    [
        battle(),
        battle({**WON, "refused": False, "allowed": True, "winner": None}),
        battle(distance=None, line_of_sight=None, edge_open=None, rerolls=None, attacker_assists=None, opt=None),
        battle(attacker={"melee": [1, 1]}, defender={**UNIT, "third": None}),
        battle(attacker={**UNIT, "melee": [{"dice": 1, "kicker": 0}, {"dice": 1}]}),
        battle(attacker={**UNIT, "melee": ["1", "1(0)"], "ballistic": "-"}),
        battle(attacker={**UNIT, "name": "Levy", "faction": "Bannermen", "types": ["human"], "cost": 6, "copies": 3}),
        battle(attacker_tile="woods", target_tile="Colinas"),
        *(
            battle(REFUSED, **{name: False}, attacker={**UNIT, "melee": [{"dice": 0, "kicker": 3}, 1]})
            for name in ("kicker_in_assault", "opt.kicker_in_assault")
        ),
        *(
            battle(by("PT-A21"), attacker={**UNIT, "melee": [{"dice": 0, "kicker": 3}, 1]}, **{group: {name: False}})
            for group in ("opt", "options")
            for name in ("kicker_in_assault", "opt.kicker_in_assault")
        ),
        battle(by("PT-35"), skill="magetech", attacker={**UNIT, "third": {"kind": "magetech", "stat": [1, 1]}}),
        battle(by("PT-48"), attacker_ability_rerolls=-1),
        battle(by("PT-59"), attacker={**UNIT, "reach": 0}),
        {**battle(), "dice": battle()["dice"][::-1]},
        {**battle(), "dice": [*battle()["dice"], {"roll": "hazard_entry", "values": []}]},
        {**battle(REFUSED), "dice": [*battle()["dice"], {"roll": "hazard_entry", "values": [3]}]},
        {**battle(REFUSED), "dice": [{**one, "values": [True]} for one in battle()["dice"]]},
        {**battle(REFUSED), "dice": None},
        slide({"unit_at": "neighbour_3", "direction": 3}, FIELD),
        slide({"unit_at": "neighbour_3"}, "field"),
        slide({"unit_at": "captured"}, "void"),
        scenario({**SLIPS, "neighbours_to": {"1": "wall"}}, {"unit_at": "captured"}, **ROLLS),
        scenario({**SLIPS, "neighbours_to": {"SE": "wall"}}, {"unit_at": "to"}, **ROLLS),
        scenario({**LOST, "opponent_choice": "hills"}, {"unit_at": "opponent_choice"}, hazard_exit=[1]),
        scenario({**LOST, "opponent_choice": {"terrain": "hills"}}, {"unit_at": "opponent_choice"}, hazard_exit=[1]),
        *(
            scenario({**LOST, "opponent_choice": choice}, by("PT-77"), hazard_exit=[1])
            for choice in ("void", "base", {"terrain": "hills", "occupied_by": "ally"}, None)
        ),
        scenario(
            {"op": "random_move", "neighbours": {"1": "wall"}, "opt.direction_map": ["SE", 4, 5, 6, "n", [1, -1]]},
            {"unit_at": "stays", "direction": 1},
            direction=[5],
        ),
        scenario({"op": "deploy", "in_reserve": 4, "terrain": "field"}, {"unit_at": "tile", "hazard_test": False}),
        scenario({"op": "deploy", "in_reserve": 0, "terrain": "field"}, REFUSED),
        scenario({"op": "turn", "player": "ann", "actions": ["pass"], "legal_actions": []}, {"turn_over": True}),
        scenario({"op": "turn", "player": "ann", "actions": ["pass"], "legal_actions": ["move"]}, by("PT-A42")),
        scenario(
            {"op": "victory", "armies": {"a": {"on_board": ["x"], "reserve": []}, "b": {"on_board": [], "reserve": 0}}},
            {"winner": "a"},
        ),
        scenario(
            {"op": "initial_deploy", "free_tiles": {"x": 1}, "chosen": ["x"], "army_size": 1}, {"on_board": ["x"]}
        ),
        scenario({"op": "odds_path", "tests": [3, {"fails_on_up_to": 2}]}, {"p_safe": "1/3"}),
        scenario({"op": "odds_hit", "offence": "1(6)", "defence": 0}, {"p_hit": "1/1"}),
        scenario({"op": "second_base", "first_base": [0, 0], "in_play": [[0, -1]], "at": [0, 1]}, {"legal": False}),
        scenario({"op": "second_base", "first_base": [0, 0], "in_play": [[0, -1]], "at": [0, 1]}, REFUSED),
        scenario({"op": "unit_card", "types": ["a", "b", "c", "d"]}, {"ok": False}),
    ],
)
def test_what_may_be_written_in_several_ways(same: Any) -> None:
    assert run(same, "pocket_tactics").problems == []


@pytest.mark.parametrize("end", ["neighbour_5", "neighbour_3_5", "neighbour_3.5"])
@pytest.mark.parametrize("way", [5, 3, [3, 5]])
def test_several_slides_are_told_by_the_last_or_by_all(end: str, way: Any) -> None:
    ice = {"terrain": "ice", "neighbours": {"5": FIELD}}
    told = slide({"unit_at": end, "direction": way}, ice)
    rolls = ("hazard_entry", 2), ("direction", 3), ("hazard_entry", 1), ("direction", 5)
    told["dice"] = [{"roll": roll, "values": [face]} for roll, face in rolls]
    assert run(told, "pocket_tactics").problems == []


def test_a_file_says_by_its_ids_which_game_it_is() -> None:
    assert run(battle()).problems == []


def test_of_equal_dice_a_scenario_may_name_any() -> None:
    """The second 3 becomes a 1, and that same die a 5: 5 3 strike 5 2. Were it the other 3, 5 1 would not."""
    unit = {**UNIT, "melee": [2, 2]}
    again = {"by": "attacker", "source": "situational", "pool": "offence", "die": 1}
    dice = {
        "attacker_offence": [3, 3],
        "attacker_defence": [6, 6],
        "defender_offence": [1, 1],
        "defender_defence": [5, 2],
    }
    one = battle(WON, attacker=unit, defender=unit, attacker_assists=2, rerolls=[again, again])
    one["dice"] = [{"roll": roll, "values": values} for roll, values in dice.items()]
    one["dice"] += [{"roll": "reroll", "values": [face]} for face in (1, 5)]
    assert run(one, "pocket_tactics").problems == []
