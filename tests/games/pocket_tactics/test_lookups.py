"""Look-ups of Pocket-Tactics: assaults, skill tests and hazards ruled on without a table, and their odds."""

from __future__ import annotations

import html
import re
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from companion import create_app
from companion.games.pocket_tactics.assault import Assault
from companion.games.pocket_tactics.assault_odds import ASSAULT, AssaultFacts, Fighter, ends, p_hit
from companion.games.pocket_tactics.dice import Rerolls, Value, rolled
from companion.games.pocket_tactics.fight import fight
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.hazard_lookup import HAZARD, HazardFacts
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.skill_tests import SKILL_TEST, SkillFacts
from companion.kit.asking import Ask
from companion.kit.odds import odds
from companion.kit.questions import Choose
from companion.kit.ruling import Refusal
from companion.web.forms import fields
from companion.web.quick.lookups import LookupResult, consult
from tests.support.playing import clauses
from tests.support.pocket_tactics_positions import BLUE, RED, P, game

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from companion.kit.game import Lookup
    from companion.kit.odds import Chart

GROUNDS = ("harmless", "cave", "ice", "labyrinth", "swamp", "water")


def asked(lookup: Lookup, *dice: int, choices: dict[str, str] | None = None, **facts: Any) -> LookupResult:
    found = consult(lookup, lookup.facts(**facts), choices or {}, dice, "ask")
    assert found.unused == ()
    P.check(found.reasons)
    return found


def ruled(lookup: Lookup, *dice: int, choices: dict[str, str] | None = None, **facts: Any) -> Any:
    ruling = asked(lookup, *dice, choices=choices, **facts).ruling
    assert ruling is not None
    assert P.english(ruling.headline)
    return ruling.outcome


def charts(lookup: Lookup, **facts: Any) -> dict[str, dict[str, Fraction]]:
    assert lookup.charts is not None
    found = lookup.charts(lookup.facts(**facts))
    assert all(sum(bar.chance for bar in chart.bars) == 1 for chart in found if chart.title != found[-1].title)
    return {P.english(chart.title): shown(chart) for chart in found}


def shown(chart: Chart) -> dict[str, Fraction]:
    P.check(chart.reasons)
    return {P.english(bar.label): bar.chance for bar in chart.bars}


def refused(lookup: Lookup, **facts: Any) -> tuple[str | None, str | None]:
    with pytest.raises(Refusal) as found:
        asked(lookup, **facts)
    return found.value.clause, found.value.field


# An assault


@pytest.mark.clause("PT-39", "PT-40", "PT-41", "PT-43")
def test_both_are_captured() -> None:
    found = ruled(ASSAULT, 6, 6, 3, 6, 4, 1, offence=1, defence=2, target_offence=2, target_defence=1)
    assert (found.attack_hits, found.counter_hits, found.outcome) == (True, True, "both_captured")
    assert found.attacker_at == "captured"


@pytest.mark.clause("PT-42", "PT-44", "PT-45", "PT-A15")
@pytest.mark.parametrize(
    ("kind", "dice", "outcome", "at"),
    [
        ("melee", (6, 2, 3, 1, 1, 5), "defender_captured", "target"),
        ("ranged", (6, 2, 3, 1, 1, 5), "defender_captured", "origin"),
        ("melee", (3, 2, 3, 6, 6, 1), "attacker_captured", "captured"),
        ("melee", (5, 2, 4, 4, 3, 5), "stall", "origin"),
    ],
)
def test_where_the_attacker_ends(kind: str, dice: tuple[int, ...], outcome: str, at: str) -> None:
    found = ruled(ASSAULT, *dice, kind=kind)
    assert (found.outcome, found.attacker_at) == (outcome, at)


@pytest.mark.clause("PT-47", "PT-49", "PT-50", "PT-52", "PT-53", "PT-57", "PT-58")
def test_rerolls_are_asked_for_in_their_order() -> None:
    facts = {"kind": "ranged", "target_defence": 1, "affinity": True, "target_affinity": True, "target_assists": 1}
    waits = asked(ASSAULT, 4, 1, 3, 2, 3, **facts)
    assert isinstance(waits.question, Choose)
    assert waits.question.seat == "attacker"
    assert [option.value for option in waits.question.options] == ["offence.1", "defence.0", "pass", "offence.0"]
    choices = {
        "reroll_attacker_situational_1": "offence.1",
        "reroll_defender_situational_1": "defence.0",
        "reroll_defender_situational_2": "defence.0",
    }
    found = ruled(ASSAULT, 4, 1, 3, 2, 3, 3, 2, 4, choices=choices, **facts)
    assert (found.attack_hits, found.counter_hits, found.attacker_at) == (True, False, "origin")


@pytest.mark.clause("PT-48", "PT-50")
def test_an_ability_may_touch_one_pool_alone() -> None:
    waits = asked(ASSAULT, 4, 1, 3, 2, 3, 3, abilities=1, abilities_touch="defence", assists=1)
    assert isinstance(waits.question, Choose)
    assert waits.question.key == "reroll_attacker_ability_1"
    assert [option.value for option in waits.question.options] == ["pass", "defence.0"]
    assert [P.english(option.note) for option in waits.question.options] == [
        "nothing to gain: captures 100%, falls 0%",
        "captures 100%, falls 3%",
    ]


@pytest.mark.clause("PT-47", "PT-A13")
@pytest.mark.parametrize(
    ("order", "second"), [("windows", "reroll_defender_ability_1"), ("side_then_side", "reroll_attacker_situational_1")]
)
def test_the_order_of_rerolls_is_a_fact(order: str, second: str) -> None:
    waits = asked(
        ASSAULT,
        4,
        1,
        3,
        2,
        3,
        3,
        choices={"reroll_attacker_ability_1": "pass"},
        order=order,
        abilities=1,
        assists=1,
        target_abilities=1,
    )
    assert waits.question is not None
    assert waits.question.key == second


@pytest.mark.clause("PT-60", "PT-A22")
def test_who_does_not_reach_does_not_counter() -> None:
    found = ruled(ASSAULT, 2, 2, 5, 1, kind="ranged", counters=False, target_offence=3)
    assert (found.outcome, found.counter_hits) == ("stall", False)
    assert "PT-60" in clauses(asked(ASSAULT, 2, 2, 5, 1, kind="ranged", counters=False).reasons)
    # In melee the attacker stands beside it, whatever the form still holds of a ranged one.
    assert asked(ASSAULT, 2, 2, 5, 1, counters=False).question is not None


@pytest.mark.clause("PT-65", "PT-66", "PT-67", "PT-68", "PT-A19")
def test_a_base_defends_with_three_dice_and_its_friends() -> None:
    facts = {
        "target": "base",
        "offence": 3,
        "target_assists": 1,
        "target_offence": 4,
        "target_defence": 5,
        "target_affinity": True,
        "target_abilities": 2,
    }
    choices = {"reroll_defender_situational_1": "defence.2"}
    found = ruled(ASSAULT, 5, 3, 2, 5, 2, 1, 2, choices=choices, **facts)
    assert (found.outcome, found.attacker_at) == ("base_taken", "target")
    assert charts(ASSAULT, **facts).keys() == {"With re-rolls", "Without re-rolls"}


@pytest.mark.clause("PT-52", "PT-57", "PT-A10")
def test_a_base_is_no_terrain() -> None:
    melee = asked(ASSAULT, 5, 2, 4, 3, 1, target="base", affinity=True)
    assert melee.ruling is not None
    ranged = asked(ASSAULT, 5, 2, 4, 3, 1, target="base", affinity=True, kind="ranged")
    assert ranged.question is not None
    assert ranged.question.key == "reroll_attacker_situational_1"


@pytest.mark.clause("PT-A21")
def test_without_offence_nothing_is_declared() -> None:
    assert refused(ASSAULT, offence=0) == ("PT-A21", "offence")
    assert ruled(ASSAULT, 3, 1, 2, 2, offence=0, offence_kicker=6).attack_hits


@pytest.mark.clause("PT-93", "PT-95", "PT-A04", "PT-A05")
def test_kickers_count_and_are_never_rolled() -> None:
    facts = {"offence_kicker": 4, "defence_kicker": 6, "target_offence_kicker": 5, "target_defence_kicker": 1}
    found = ruled(ASSAULT, 3, 1, 1, 5, 3, 2, **facts)
    assert (found.attack_hits, found.counter_hits) == (True, False)


@pytest.mark.clause("PT-42", "PT-43", "PT-44", "PT-45")
@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"offence": 1, "offence_kicker": 3, "defence": 0, "target_offence": 2, "target_defence_kicker": 5},
        {"kind": "ranged", "counters": False},
        {"target": "base"},
    ],
)
def test_the_odds_are_those_of_every_throw(facts: dict[str, Any]) -> None:
    (chart,) = charts(ASSAULT, **facts).values()
    given = AssaultFacts(**facts)
    exact = odds(lambda ask: ASSAULT.rule(given, ask).outcome.outcome)
    names = {
        "Captured: the target": "defender_captured",
        "Captured: both": "both_captured",
        "Captured: nobody": "stall",
        "Captured: the attacker": "attacker_captured",
        "The base is taken": "base_taken",
        "The base holds": "stall",
    }
    assert {names[label]: chance for label, chance in chart.items() if chance} == exact


@pytest.mark.clause("PT-46", "PT-50")
def test_the_odds_with_rerolls_are_those_of_the_rule_when_both_play_best() -> None:
    facts = {"kind": "ranged", "counters": False, "offence": 1, "affinity": True, "target_assists": 1}
    given = AssaultFacts(**facts)

    def best(question: Choose, ways: Any) -> str:
        struck = {value: found.get("defender_captured", Fraction(0)) for value, found in ways.items()}
        wanted = max(struck.values()) if question.seat == "attacker" else min(struck.values())
        return next(value for value, chance in struck.items() if chance == wanted)

    exact = odds(lambda ask: fight(given.fight, given.options, ask).end, best)
    found = charts(ASSAULT, **facts)
    assert list(found["With re-rolls"].values()) == [exact["defender_captured"], exact["stall"]]
    assert found["With re-rolls"] != found["Without re-rolls"]


@pytest.mark.clause("PT-46", "PT-48", "PT-51")
def test_the_odds_hold_every_reroll_of_both() -> None:
    found = charts(
        ASSAULT,
        affinity=True,
        assists=1,
        abilities=1,
        abilities_touch="defence",
        target_assists=1,
        target_abilities=1,
        target_offence_kicker=3,
        order="side_then_side",
    )
    attacker = Fighter(Value(2), Value(1), Rerolls(("defence",), 2))
    defender = Fighter(Value(1, 3), Value(2), Rerolls(("any",), 1))
    best = ends(attacker, defender, "side_then_side")
    assert list(found["With re-rolls"].values()) == list(best)
    assert best != ends(attacker, defender)
    bare = ends(attacker._replace(rerolls=Rerolls()), defender._replace(rerolls=Rerolls()))
    assert list(found["Without re-rolls"].values()) == list(bare)
    assert list(found["With re-rolls"]) == [
        "Captured: the target",
        "Captured: both",
        "Captured: the attacker",
        "Captured: nobody",
    ]


@pytest.mark.clause("PT-60", "PT-46")
def test_the_odds_say_what_they_rest_on() -> None:
    assert ASSAULT.charts is not None
    first, *_ = ASSAULT.charts(AssaultFacts(kind="ranged", counters=False, assists=2))
    assert clauses(first.reasons) == ["PT-60", "PT-46", "PT-46"]
    assert [bar.label.say for bar in first.bars] == ["Captured: {unit}", "Captured: nobody"]


def test_too_many_dice_and_rerolls_are_said_so() -> None:
    facts = AssaultFacts(offence=6, defence=6, target_offence=6, target_defence=6, assists=6, target_assists=6)
    assert ASSAULT.charts is not None
    (chart,) = ASSAULT.charts(facts)
    assert P.english(chart.title) == "Without re-rolls"
    assert P.told(chart.reasons)[-1] == "There are too many dice and re-rolls to work out how they are used best."
    waits = consult(ASSAULT, facts, {}, [1] * 6 + [2] * 6 + [3] * 6 + [4] * 6, "ask")
    assert isinstance(waits.question, Choose)
    assert not any(option.note for option in waits.question.options)
    assert P.told(waits.question.advice) == P.told(chart.reasons)[-1:]


# A skill test


@pytest.mark.clause("PT-91", "PT-92", "PT-93", "PT-95")
def test_one_die_that_is_high_enough_passes() -> None:
    assert ruled(SKILL_TEST, 1, 5, kicker=4, target=5).success
    assert not ruled(SKILL_TEST, 1, 4, kicker=4, target=5).success
    assert ruled(SKILL_TEST, 1, 2, kicker=4, target=4).success
    assert not ruled(SKILL_TEST, dice=0).success
    waits = asked(SKILL_TEST, skill="arcane", pool="defence", target=3)
    assert waits.question is not None
    assert P.english(waits.question.why) == "the unit tests arcane, defence: 3 or more on one die"


@pytest.mark.clause("PT-92", "PT-93")
def test_the_odds_of_a_skill_test_are_those_of_every_throw() -> None:
    for dice, kicker, target in product((0, 1, 3), (0, 2, 5), (1, 4, 6)):
        facts = SkillFacts(dice=dice, kicker=kicker, target=target)
        exact = odds(lambda ask, facts=facts: SKILL_TEST.rule(facts, ask).outcome.success)
        assert SKILL_TEST.charts is not None
        passed, failed = (bar.chance for bar in SKILL_TEST.charts(facts)[0].bars)
        assert (passed, failed) == (exact.get(True, 0), exact.get(False, 0))


# Hazards


@pytest.mark.clause("PT-73", "PT-74", "PT-76", "PT-77", "PT-78", "PT-79")
@pytest.mark.parametrize(
    ("here", "there", "dice", "where", "terrain"),
    [
        ("swamp", "harmless", (4,), "arrives", "harmless"),
        ("swamp", "harmless", (3,), "stays", "swamp"),
        ("harmless", "cave", (3,), "reserve", None),
        ("harmless", "water", (2,), "captured", None),
        ("harmless", "ice", (3,), "arrives", "ice"),
        ("labyrinth", "labyrinth", (), "arrives", "labyrinth"),
        ("swamp", "water", (6, 4), "arrives", "water"),
        ("harmless", "harmless", (), "arrives", "harmless"),
    ],
)
def test_where_a_unit_ends(here: str, there: str, dice: tuple[int, ...], where: str, terrain: str | None) -> None:
    found = ruled(HAZARD, *dice, here=here, there=there)
    assert (found.where, found.terrain, found.directions) == (where, terrain, ())


@pytest.mark.clause("PT-75", "PT-83", "PT-84", "PT-86", "PT-A33")
def test_a_slip_asks_what_lies_there() -> None:
    facts = {"here": "harmless", "there": "ice"}
    waits = asked(HAZARD, 2, 3, **facts)
    assert isinstance(waits.question, Choose)
    assert P.english(waits.question.why) == "the unit slides: Southeast. What lies there?"
    friend = {"beyond_1": "friend", "terrain_2": "harmless"}
    found = ruled(HAZARD, 2, 3, choices=friend | {"owner_choice": "resident"}, **facts)
    assert (found.where, found.terrain, found.directions) == ("slid", "harmless", (3,))
    assert ruled(HAZARD, 2, 3, choices=friend | {"owner_choice": "mover"}, **facts).where == "reserve"


@pytest.mark.clause("PT-85", "PT-87", "PT-A32")
@pytest.mark.parametrize(
    ("beyond", "where"),
    [
        ("void", "captured"),
        ("enemy", "captured"),
        ("enemy_base", "captured"),
        ("own_base", "reserve"),
        ("wall", "arrives"),
    ],
)
def test_a_slip_may_end_on_no_tile(beyond: str, where: str) -> None:
    assert ruled(HAZARD, 1, 6, choices={"beyond_1": beyond}, here="cave", there="ice").where == where


@pytest.mark.clause("PT-A25", "PT-A32")
def test_a_slip_before_leaving_ice_is_the_whole_action() -> None:
    facts = {"here": "ice", "there": "harmless"}
    blocked = ruled(HAZARD, 1, 4, choices={"beyond_1": "wall"}, **facts)
    assert (blocked.where, blocked.terrain, blocked.directions) == ("stays", "ice", (4,))
    onward = {"beyond_1": "empty", "terrain_2": "ice", "beyond_3": "empty", "terrain_4": "harmless"}
    found = ruled(HAZARD, 2, 4, 1, 5, choices=onward, **facts)
    assert (found.where, found.terrain, found.directions) == ("slid", "harmless", (4, 5))


@pytest.mark.clause("PT-77", "PT-A28")
def test_the_opponent_sends_who_is_lost_in_a_labyrinth() -> None:
    waits = asked(HAZARD, 1, here="labyrinth", there="harmless")
    assert isinstance(waits.question, Choose)
    assert waits.question.seat == "opponent"
    found = ruled(HAZARD, 1, 5, choices={"opponent_choice": "water"}, here="labyrinth", there="harmless")
    assert (found.where, found.terrain) == ("sent", "water")
    assert (
        ruled(HAZARD, 1, 1, choices={"opponent_choice": "water"}, here="labyrinth", there="harmless").where
        == "captured"
    )


@pytest.mark.clause("PT-70", "PT-71", "PT-A24", "PT-A27", "PT-A29")
def test_assaults_are_tested_as_their_kind_says() -> None:
    assert ruled(HAZARD, 4, how="ranged", here="labyrinth", there="water").where == "arrives"
    assert ruled(HAZARD, how="ranged", here="ice", there="water").where == "arrives"
    assert ruled(HAZARD, 2, how="melee", here="harmless", there="water").where == "captured"
    after = ruled(HAZARD, 3, how="melee", here="harmless", there="ice")
    assert (after.where, after.terrain) == ("arrives", "ice")
    slid = ruled(HAZARD, 1, 2, choices={"beyond_1": "void"}, how="melee", here="harmless", there="ice")
    assert (slid.where, slid.directions) == ("captured", (2,))


@pytest.mark.clause("PT-70", "PT-74")
def test_several_tiles_are_tested_one_after_the_other() -> None:
    facts = {"here": "swamp", "there": "ice", "second": "water", "third": "harmless"}
    assert ruled(HAZARD, 4, 3, 5, 4, **facts).where == "arrives"
    assert ruled(HAZARD, 4, 3, 5, 3, **facts).where == "captured"
    on_ice = ruled(HAZARD, 4, 3, 1, 1, choices={"beyond_1": "wall"}, **facts)
    assert (on_ice.where, on_ice.terrain) == ("stays", "ice")
    # Sliding against a wall leaves it on the tile that it came onto, from which it goes on.
    assert ruled(HAZARD, 4, 1, 1, 5, 4, choices={"beyond_1": "wall"}, **facts).where == "arrives"
    found = charts(HAZARD, **facts)
    assert found["The tests"] == {
        "It arrives": Fraction(1, 9),
        "It is stuck": Fraction(1, 2),
        "It slips": Fraction(5, 18),
        "It drowns": Fraction(1, 9),
    }
    assert found["Where it slides"]["3: Southeast"] == Fraction(5, 108)


@pytest.mark.clause("PT-70", "PT-73", "PT-74", "PT-76", "PT-78", "PT-79", "PT-A26")
@pytest.mark.parametrize("how", ["move", "melee", "ranged"])
def test_the_odds_of_hazards_are_those_of_every_throw(how: str) -> None:
    ended = {
        "It is stuck": "stays",
        "Back to reserve": "reserve",
        "It drowns": "captured",
        "It slips": "slid",
        "The opponent moves it": "sent",
    }
    for here, there, second in product(GROUNDS, GROUNDS, ("water", "none") if how == "move" else ("none",)):
        facts = HazardFacts(here=here, there=there, how=how, second=second)
        exact = odds(lambda ask, facts=facts: HAZARD.rule(facts, ask).outcome.where, settled=onto_harmless)
        assert HAZARD.charts is not None
        found = HAZARD.charts(facts)
        if not found:
            assert exact == {"arrives": 1}
            continue
        bars = {P.english(bar.label): bar.chance for bar in found[0].bars}
        assert {ended.get(label, "arrives"): chance for label, chance in bars.items()} == exact, (here, there)


def onto_harmless(question: Choose) -> str:
    return {"beyond_1": "empty"}.get(question.key, "harmless")


def test_what_is_not_tested_says_so() -> None:
    found = asked(HAZARD, here="cave", there="harmless")
    assert P.told(found.reasons) == ["No test is needed."]
    assert charts(HAZARD, here="cave", there="harmless") == {}


# The pages


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    app = create_app(tmp_path_factory.mktemp("data"), games={GAME.slug: GAME})
    app.testing = True
    return app.test_client()


def page(client: FlaskClient, address: str, language: str = "en") -> tuple[int, str]:
    answer = client.get(f"/quick/pocket_tactics/{address}", headers={"Accept-Language": language})
    plain = re.sub(r"<[^>]*>", " ", answer.text.partition("<main")[2])
    return answer.status_code, html.unescape(" ".join(plain.split()))


@pytest.mark.clause("PT-46", "PT-50")
def test_beside_each_die_stands_what_rolling_it_again_leads_to(client: FlaskClient) -> None:
    address = "assault?affinity=yes&target_assists=1&_by=type&_dice=4+1+3+2+3+3"
    english, spanish = page(client, address)[1], page(client, address, "es")[1]
    assert "Offence: 1 captures 75%, falls 25%" in english
    assert "Offence: 4 captures 42%, falls 42%" in english.partition("Offence: 1 captures")[2], "the best comes first"
    assert "Ofensiva: 4 captura 42 %, cae 42 %" in spanish


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("assault?offence=0", "It has no offence to assault with."),
        ("assault?offence=7", "Attacker: offence dice: a whole number from 0 to 6."),
        ("assault?assists=many", "Attacker: friends that assist"),
        ("skill_test?target=7", "Needed on one die: a whole number from 1 to 6."),
        ("hazard?there=lava", "Towards: that is not one of the choices."),
        ("hazard?there=ice&_by=type&_dice=7", "7."),
        ("hazard?_by=type&_dice=4+4+4", ""),
        ("assault?affinity=yes&_by=type&_dice=4+1+3+2+3+3&_choose.reroll_attacker_situational_1=offence.9", ""),
    ],
)
def test_what_does_not_fit_is_said(client: FlaskClient, address: str, said: str) -> None:
    code, words = page(client, address)
    assert code == 422
    assert said in words


@pytest.mark.parametrize("slug", sorted(GAME.lookups))
@pytest.mark.parametrize("language", ["en", "es"])
def test_two_sets_of_facts_are_compared(client: FlaskClient, slug: str, language: str) -> None:
    facts = {
        "assault": "assists=2&b.kind=ranged&b.counters=no",
        "skill_test": "kicker=2&b.kicker=3",
        "hazard": "there=ice&b.second=water",
    }
    code, words = page(client, f"{slug}/compare?{facts[slug]}", language)
    assert code == 200
    assert "%" in words


# The forms


@pytest.mark.parametrize("slug", sorted(GAME.lookups))
def test_the_form_of_a_look_up_asks_for_every_fact(slug: str) -> None:
    facts = GAME.lookups[slug].facts
    names = [field.name for field in fields(facts)]
    assert names == list(facts.__struct_fields__)
    for other, values in (asked.when for asked in fields(facts) if asked.when):
        field = next(one for one in fields(facts) if one.name == other)
        known = {option.value for option in field.options} or set(map(str, range(field.low, field.high + 1)))
        assert set(values) <= known


@pytest.mark.clause("PT-67")
def test_the_target_may_be_a_base_whatever_else_the_form_holds() -> None:
    values = rolled(AssaultFacts(target="base", target_offence=6).fight, Options())
    assert (values.defender_offence, values.defender_defence, values.attacker_defence) == (Value(), Value(3), Value())
    with pytest.raises(Refusal):
        ASSAULT.rule(AssaultFacts(offence=0, target="base"), Ask())


@pytest.mark.clause("PT-A04", "PT-A21")
def test_kickers_that_do_not_count_in_assaults_are_no_offence_no_counter_and_no_odds() -> None:
    """The form, the odds before an assault, what is said beside a re-roll and the look-up all leave them out."""
    armed = {
        seat: replace(faction, unit=(replace(faction.unit[0], melee="0(3)/1", ballistic="1/0(6)"),))
        for seat, faction in (("blue", BLUE), ("red", RED))
    }
    at_the_table = game("b levy m3, r prowler m4", factions=armed, kicker_in_assault=False)
    assert [offer.given["skill"] for offer in P.offered(at_the_table, "assault")] == ["ballistic"]
    melee = Assault(unit="b0.1", target="r0.1", kind="melee", skill="melee")
    assert P.no(at_the_table, melee) == "PT-A21"
    (foreseen,) = GAME.foresee(at_the_table, "blue", replace(melee, kind="ranged", skill="ballistic"))
    assert shown(foreseen)["Captured: nobody"] == 0

    assert refused(ASSAULT, offence=0, offence_kicker=3, kickers=False) == ("PT-A21", "offence")
    facts = AssaultFacts(
        offence=1,
        offence_kicker=6,
        target_offence=0,
        target_offence_kicker=6,
        target_defence=1,
        assists=1,
        kickers=False,
    )
    assert ASSAULT.charts is not None
    assert [bar.label.say for bar in ASSAULT.charts(facts)[-1].bars] == ["Captured: {unit}", "Captured: nobody"]
    assert ASSAULT.charts(facts)[-1].bars[0].chance == p_hit(Value(1), Value(1))
    waits = consult(ASSAULT, facts, {}, [1, 3], "ask")
    assert isinstance(waits.question, Choose)
    assert [P.english(option.note) for option in waits.question.options] == [
        "captures 50%, falls 0%",
        "captures 0%, falls 0%",
    ]
