"""Re-rolls of Pocket-Tactics: whose, in which order, which dice, and what is asked (PT-46 to PT-53, PT-57, PT-58)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.pocket_tactics import fight
from companion.games.pocket_tactics.assault_odds import Fighter, ends
from companion.games.pocket_tactics.dice import Party
from companion.games.pocket_tactics.fight import Outcome, notes
from companion.games.pocket_tactics.options import Options
from companion.kit.asking import Pending
from companion.kit.odds import odds
from companion.kit.questions import Choose
from companion.kit.ruling import Refusal
from tests.support.playing import Scripted
from tests.support.pocket_tactics_assaults import Fought, facts, fought, party, ran
from tests.support.pocket_tactics_positions import P

if TYPE_CHECKING:
    from collections.abc import Mapping


ENDS = ("defender_captured", "both_captured", "attacker_captured", "stall")
SIDE_BY_SIDE = Options(reroll_order="side_then_side")
FAVOURED: dict[str, Any] = {"terrain": "hills", "affinities": ("hills",)}


def open_values(question: Choose) -> list[str]:
    return [option.value for option in question.options]


def asked(found: Fought) -> list[str]:
    return [question.key for question in found.asked]


def keep(*keys: str) -> dict[str, str]:
    return dict.fromkeys(keys, "pass")


# How many


@pytest.mark.clause("PT-04", "PT-51", "PT-52", "PT-A09")
@pytest.mark.parametrize(
    ("affinities", "terrain", "count"),
    [
        (("hills",), "hills", 1),
        (("hills",), "forest", 0),
        (("hills", "forest"), "forest", 1),
        (("hills", "Colinas", "colina"), "hills", 1),
        (("hills",), "", 0),
        (("Old Wood",), "old wood", 1),
    ],
)
def test_affinity_is_one_re_roll_however_many_match(affinities: tuple[str, ...], terrain: str, count: int) -> None:
    assert party("1/1", affinities=affinities, terrain=terrain).rerolls.situational == count


@pytest.mark.clause("PT-51", "PT-53", "PT-A09")
def test_each_assist_is_one_re_roll_more_and_both_sides_have_theirs() -> None:
    assert party("1/1", **FAVOURED, assists=2).rerolls.situational == 3
    found = fought(
        party("1/1", **FAVOURED),
        party("1/1", "red", **FAVOURED, assists=1),
        3,
        3,
        3,
        3,
        choices=keep("reroll_attacker_situational_1", "reroll_defender_situational_1"),
    )
    assert asked(found) == ["reroll_attacker_situational_1", "reroll_defender_situational_1"]
    assert [(question.seat, P.english(question.why)) for question in found.asked] == [
        ("blue", "Which die does Blue roll again? 1 left (affinity)"),
        ("red", "Which die does Red roll again? 2 left (affinity and assists)"),
    ]


@pytest.mark.clause("PT-48", "PT-52", "PT-53", "PT-57", "PT-58")
def test_it_is_told_where_re_rolls_come_from() -> None:
    for kind, sources in (("melee", ["PT-48", "PT-52", "PT-53"]), ("ranged", ["PT-48", "PT-57", "PT-58"])):
        blue = party("1/0", **FAVOURED, assists=2, abilities=("any",))
        found = fought(
            blue, "0/0", 3, kind=kind, choices=keep("reroll_attacker_ability_1", "reroll_attacker_situational_1")
        )
        told = next(reason for reason in found.reasons if reason.clause == "PT-46")
        assert (told.value, [(term.clause, term.value) for term in told.terms]) == (
            4,
            list(zip(sources, (1, 1, 2), strict=True)),
        )


@pytest.mark.clause("PT-46")
def test_without_re_rolls_nobody_is_asked() -> None:
    found = fought("2/2", "2/2", *[1] * 8)
    assert (found.asked, found.told("PT-46")) == ([], [])


# In which order

ABILITY = ("attacker_ability", "defender_ability", "attacker_situational", "defender_situational")
SIDES = ("attacker_ability", "attacker_situational", "defender_ability", "defender_situational")


@pytest.mark.clause("PT-47", "PT-48", "PT-49", "PT-A13")
@pytest.mark.parametrize(("options", "order"), [(Options(), ABILITY), (SIDE_BY_SIDE, SIDES)])
def test_the_order_of_the_windows(options: Options, order: tuple[str, ...]) -> None:
    blue = party("1/1", **FAVOURED, abilities=("any",))
    red = party("1/1", "red", **FAVOURED, abilities=("any",))
    keys = [f"reroll_{one}_1" for one in order]
    found = fought(blue, red, 3, 3, 3, 3, options=options, choices=keep(*keys))
    assert asked(found) == keys
    found = fought(blue, red, 3, 3, 3, 3, 1, 2, 5, 6, options=options, choices=dict.fromkeys(keys, "offence.0"))
    assert (asked(found), [one.by for one in found.thrown[4:]]) == (
        keys,
        ["blue" if key.startswith("reroll_attacker") else "red" for key in keys],
    )


@pytest.mark.clause("PT-A13")
def test_who_passes_loses_the_rest_of_the_window_but_not_the_next() -> None:
    blue = party("1/1", abilities=("any", "any"), assists=2)
    found = fought(
        blue,
        "1/1",
        3,
        3,
        3,
        3,
        6,
        choices={
            "reroll_attacker_ability_1": "pass",
            "reroll_attacker_situational_1": "offence.0",
            "reroll_attacker_situational_2": "pass",
        },
    )
    assert asked(found) == [
        "reroll_attacker_ability_1",
        "reroll_attacker_situational_1",
        "reroll_attacker_situational_2",
    ]
    assert found.told("PT-A13") == ["Blue keeps the dice.", "Blue keeps the dice."]


@pytest.mark.clause("PT-48", "PT-49")
def test_one_window_alone_is_called_by_its_source() -> None:
    assert asked(fought(party("1/1", abilities=("any",)), "0/1", 3, 3, choices=keep("reroll_attacker_ability_1")))
    assert asked(fought(party("1/1", assists=1), "0/1", 3, 3, choices=keep("reroll_attacker_situational_1")))


# Which dice


@pytest.mark.clause("PT-50")
def test_one_own_die_is_rolled_again_and_nobody_elses_is_offered() -> None:
    found = fought(
        party("2/1", assists=1), "3/1", 2, 5, 4, 1, 1, 1, 6, 6, choices={"reroll_attacker_situational_1": "offence.0"}
    )
    assert open_values(found.asked[0]) == ["offence.0", "offence.1", "defence.0", "pass"]
    assert [P.english(option.label) for option in found.asked[0].options] == [
        "Offence: 2",
        "Offence: 5",
        "Defence: 4",
        "Keep the dice",
    ]
    assert (found.keys[-1], found.told("PT-50")) == ("reroll 1", ["Offence of Blue: 2 is rolled again, 6"])
    assert found.duels[0] == [(6, 6, "tie"), (5, None, "left")]


@pytest.mark.clause("PT-50", "PT-A14", "PT-A05")
@pytest.mark.parametrize("value", ["offence.2", "offence.kicker", "defence.1", "offence.-1", "3", ""])
def test_the_kicker_and_dice_that_were_not_rolled_can_not_be_chosen(value: str) -> None:
    with pytest.raises(Refusal) as refused:
        fought(party("2(4)/1", assists=1), "1/1", 2, 5, 4, 1, 1, 6, choices={"reroll_attacker_situational_1": value})
    assert (refused.value.clause, refused.value.field) == ("PT-50", "reroll_attacker_situational_1")


@pytest.mark.clause("PT-50")
def test_of_equal_dice_of_a_pool_one_is_offered() -> None:
    found = fought(
        party("3/2", assists=2),
        "1/1",
        2,
        5,
        2,
        2,
        2,
        1,
        1,
        6,
        4,
        choices={"reroll_attacker_situational_1": "offence.0", "reroll_attacker_situational_2": "offence.2"},
    )
    assert [open_values(one) for one in found.asked] == [
        ["offence.0", "offence.1", "defence.0", "pass"],
        ["offence.0", "offence.1", "offence.2", "defence.0", "pass"],
    ]
    assert [pair[0] for pair in found.duels[0]] == [6, 5, 4]
    with pytest.raises(Refusal):
        fought(party("2/0", assists=1), "1/1", 3, 3, 1, 1, 1, 6, choices={"reroll_attacker_situational_1": "offence.1"})


@pytest.mark.clause("PT-A14", "PT-A22")
def test_a_defence_that_was_not_rolled_is_not_offered() -> None:
    found = fought(party("2/3", assists=1), "0/1", 2, 5, 1, choices=keep("reroll_attacker_situational_1"))
    assert open_values(found.asked[0]) == ["offence.0", "offence.1", "pass"]
    assert not asked(fought("0(4)/0", party("0/0(3)", "red", assists=2))), "there are kickers alone"


@pytest.mark.clause("PT-A14")
def test_a_worse_face_stays_and_the_same_die_may_be_rolled_once_more() -> None:
    blue = party("1/0", assists=2)
    answers = {"reroll_attacker_situational_1": "offence.0", "reroll_attacker_situational_2": "offence.0"}
    assert fought(blue, "0/1", 4, 3, 1, 2, choices=answers).end == "stall"
    assert fought(blue, "0/1", 2, 3, 1, 5, choices=answers).end == "defender_captured"


@pytest.mark.clause("PT-48", "PT-50")
def test_an_ability_for_the_defence_touches_no_other_dice() -> None:
    found = fought(
        party("1/2", abilities=("defence",)),
        "1/1",
        1,
        1,
        2,
        1,
        1,
        6,
        choices={"reroll_attacker_ability_1": "defence.1"},
    )
    assert open_values(found.asked[0]) == ["defence.0", "defence.1", "pass"]
    with pytest.raises(Refusal):
        fought(
            party("1/2", abilities=("defence",)),
            "1/1",
            1,
            1,
            1,
            1,
            1,
            6,
            choices={"reroll_attacker_ability_1": "offence.0"},
        )


@pytest.mark.clause("PT-48")
def test_what_may_touch_less_is_used_first() -> None:
    blue = party("1/1", abilities=("any", "offence"))
    found = fought(
        blue,
        "1/1",
        1,
        1,
        1,
        1,
        2,
        choices={"reroll_attacker_ability_1": "offence.0", "reroll_attacker_ability_2": "pass"},
    )
    assert open_values(found.asked[1]) == ["offence.0", "defence.0", "pass"]


@pytest.mark.clause("PT-48", "PT-A22")
def test_an_ability_whose_dice_were_not_rolled_asks_nothing() -> None:
    found = fought(party("1/2", abilities=("defence",)), "0/1", 1, 1)
    assert (asked(found), found.told("PT-A13")) == ([], [])


# What both see while the question waits


def waiting(*dice: int, **more: Any) -> Pending:
    blue, red = party("2(3)/1", assists=1, worth=10), party(more.pop("red", "1/1"), "red", worth=5)
    ask = Scripted(*dice)
    ask.otherwise = lambda _: None
    told = facts(blue, red, **more)
    with pytest.raises(Pending) as pending:
        fight.fight(told, Options(), ask, notes(told))
    return pending.value


@pytest.mark.clause("PT-46")
def test_both_see_how_the_dice_stand_while_somebody_decides() -> None:
    found = waiting(2, 5, 4, 1, 3)
    attack, counter = found.reasons[-2:]
    assert [P.english(one.text) for one in (attack, counter)] == ["Attack", "Counter-attack"]
    assert attack.duel
    assert counter.duel
    assert [(one.left, one.right, one.verdict) for one in attack.duel.pairs] == [
        (5, 3, "left"),
        (3, None, "idle"),
        (2, None, "idle"),
    ]
    assert (attack.seat, counter.seat) == (None, None)
    assert waiting(2, 5, 3, red="0/1").reasons[-2].duel is None, "there is no counter"


def test_how_the_dice_stood_is_no_part_of_the_ruling() -> None:
    found = fought(party("1/1", assists=1), "1/1", 1, 1, 1, 1, choices=keep("reroll_attacker_situational_1"))
    assert len(found.duels) == 2


@pytest.mark.clause("PT-46", "PT-50")
def test_each_choice_says_what_follows_if_all_play_best() -> None:
    question = waiting(2, 5, 4, 6, 5).question
    assert isinstance(question, Choose)
    said = {option.value: P.english(option.note) for option in question.options}
    # Attack 5 3 2 against 5 hits, once the 5 is gone on 5 and 6 only. The counter 6 against 4 hits, unless 6 comes up.
    assert said == {
        "offence.0": "captures 100%, falls 100%",
        "offence.1": "captures 33%, falls 100%",
        "defence.0": "captures 100%, falls 83%",
        "pass": "captures 100%, falls 100%",
    }


def test_what_follows_rests_on_what_both_units_are_worth() -> None:
    def said(blue: int, red: int) -> dict[str, str]:
        told = facts(party("1/1", assists=2, worth=blue), party("1/1", "red", worth=red))
        ask = Scripted(3, 3, 4, 4)
        ask.otherwise = lambda _: None
        with pytest.raises(Pending) as pending:
            fight.fight(told, Options(), ask, notes(told))
        assert isinstance(pending.value.question, Choose)
        return {option.value: P.english(option.note) for option in pending.value.question.options}

    # The second re-roll goes to the attack (2 faces of 6 hit) or to the defence (3 of 6 save), whichever is worth more.
    assert said(10, 10)["offence.0"] == "captures 33%, falls 50%"
    assert said(1, 10)["offence.0"] == "captures 56%, falls 83%"


def test_the_other_side_is_told_its_own_chances_and_of_a_base_whether_it_falls() -> None:
    def said(left: Any, told: Any) -> list[str]:
        ask = Scripted(*left)
        ask.otherwise = lambda _: None
        with pytest.raises(Pending) as pending:
            fight.fight(told, Options(), ask, notes(told))
        assert isinstance(pending.value.question, Choose)
        return [P.english(option.note) for option in pending.value.question.options]

    assert said((6, 3, 2, 1), facts("1/1", party("1/1", "red", assists=1))) == [
        "captures 50%, falls 100%",
        "captures 0%, falls 83%",
        "captures 0%, falls 100%",
    ]
    assert said((4, 3, 2, 1), facts("1/1", "base", assists=1)) == [
        "the base falls 50%",
        "the base falls 50%",
        "the base falls 50%",
        "the base falls 100%",
    ]


def test_more_dice_than_can_be_worked_out_have_no_notes() -> None:
    told = facts(party("9/9", assists=6), party("9/9", "red", assists=6))
    ask = Scripted(*range(1, 7), *[1] * 30)
    ask.otherwise = lambda _: None
    with pytest.raises(Pending) as pending:
        fight.fight(told, Options(), ask, notes(told))
    assert isinstance(pending.value.question, Choose)
    assert {option.note for option in pending.value.question.options} == {None}


# Worked examples


@pytest.mark.clause("PT-47", "PT-49", "PT-50", "PT-52", "PT-53", "PT-56", "PT-57", "PT-58")
def test_adjacent_ranged_assault_with_situational_re_rolls_on_both_sides() -> None:
    blue = party("2/1", terrain="hills", affinities=("hills",))
    red = party("1/1", "red", terrain="forest", affinities=("forest",), assists=1)
    result, ask = ran(
        facts(blue, red, "ranged"),
        4,
        1,
        3,
        2,
        3,
        3,
        2,
        4,
        origin="hills",
        target="forest",
        reroll_attacker_situational_1="offence.1",
        reroll_defender_situational_1="defence.0",
        reroll_defender_situational_2="defence.0",
    )
    assert result == (Outcome(attack_hits=True, counter_hits=False), None)
    assert not ask.intended


@pytest.mark.clause("PT-65", "PT-66", "PT-67", "PT-68")
def test_an_assault_on_a_base_that_is_assisted() -> None:
    found = fought(
        "3/2", "base", 5, 3, 2, 5, 2, 1, 2, assists=1, choices={"reroll_defender_situational_1": "defence.2"}
    )
    assert (found.end, found.duels) == ("base_taken", [[(5, 5, "tie"), (3, 2, "left"), (2, 2, "idle")]])
    assert open_values(found.asked[0]) == ["defence.0", "defence.1", "defence.2", "pass"]


# The rule itself, answered best by both sides, has the odds that are told


@pytest.mark.clause("PT-46", "PT-47", "PT-A13")
@pytest.mark.parametrize(
    ("blue", "red"),
    [
        (party("1/1", assists=1), party("0(3)/1", "red")),
        (party("1/0", assists=1), party("0(3)/1", "red", abilities=("defence",))),
        (party("1/0(2)", abilities=("any",)), party("0(3)/2", "red", assists=1)),
    ],
)
def test_the_rule_played_best_by_both_sides_comes_to_the_odds(blue: Party, red: Party) -> None:
    def gain(ways: Mapping[str, Fraction]) -> tuple[Fraction, ...]:
        got = {end: ways.get(end, Fraction(0)) for end in ENDS}
        both = got["both_captured"]
        return got["defender_captured"] - got["attacker_captured"], got["defender_captured"] + both, both

    def best(question: Choose, ways: Mapping[str, Mapping[str, Fraction]]) -> str:
        return (max if question.seat == "blue" else min)(ways, key=lambda value: gain(ways[value]))

    told = facts(blue, red)
    found = odds(lambda ask: str(fight.fight(told, Options(), ask).end), best)
    expected = ends(Fighter(blue.offence, blue.defence, blue.rerolls), Fighter(red.offence, red.defence, red.rerolls))
    assert [found.get(end, 0) for end in ENDS] == list(expected)
