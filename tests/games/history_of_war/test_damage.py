"""Damage at a table of History of War: whom attackers strike, who answers, what is destroyed, base attacks."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.history_of_war import damage, rounds, strike
from companion.games.history_of_war.game import GAME
from companion.games.history_of_war.pieces import Bonus
from companion.games.history_of_war.state import State
from tests.support.correction_tests import Mending
from tests.support.history_of_war_positions import (
    after,
    asked,
    english,
    fought,
    game,
    lying,
    named,
    no,
    offered,
    refusal,
    ruled,
    told,
)
from tests.support.playing import Scripted, clauses, options_of

correct = Mending(GAME, Scripted).correct


def aim(state: State, unit: str, target: str) -> damage.Aim:
    return damage.Aim(named(state, unit), target if " " not in target else named(state, target))


def share(state: State, unit: str, *amounts: int) -> damage.Share:
    return damage.Share(named(state, unit), **{f"to_{at}": amount for at, amount in enumerate(amounts, 1)})


def answering(state: State, unit: str, category: str, to: str) -> dict[str, Any]:
    """The answer of a struck card to the question whether it responds."""
    return {f"respond.{named(state, unit)}.{category}": to if to == "no" else named(state, to)}


DUEL = ("b medium_tank t1, r motorised_company t1", "b medium_tank < r motorised_company")


@pytest.mark.clause("HW-63", "HW-65", "HW-78")
def test_attacker_and_blocker_damage_each_other() -> None:
    state = fought(*DUEL)
    ruling = ruled(state, strike.Strike())
    after_it = ruling.outcome
    assert after_it.find(named(state, "r motorised_company")) is None
    assert lying(after_it, "b medium_tank").damage == 2
    assert after_it.struck
    assert "medium tank (Blue): 2 damage of 4" in told(ruling.reasons)
    assert "motorised company (Red): 4 damage of 3, destroyed" in told(ruling.reasons)
    assert after_it.last.acting == (named(state, "b medium_tank"),)
    assert after_it.last.target == (named(state, "r motorised_company"),)


@pytest.mark.clause("HW-73", "HW-75")
def test_damage_noted_by_hand_counts_with_what_is_dealt() -> None:
    state = fought("b flak_battery t1, r rifle_company t1 locked", "b flak_battery")
    rifles = named(state, "r rifle_company")
    for noted, told_of_it in ((1, "2 damage of 2"), (2, "3 damage of 2")):
        by_hand = correct(state, f"card.{rifles}.damage", str(noted))
        ruling = ruled(by_hand, strike.Strike())
        assert ruling.outcome.find(rifles) is None
        line = next(reason for reason in ruling.reasons if reason.clause == "HW-73")
        assert told_of_it in english(line.text)
        assert [(english(term.text), term.value) for term in line.terms] == [
            ("damage by hand", noted),
            ("anti-aircraft battery (Blue)", 1),
        ]
    choices = offered(correct(state, f"card.{rifles}.damage", "1"), "aim")[0].fields[0].options
    assert english(choices[0].note) == "destroys it; cannot answer"


@pytest.mark.clause("HW-73", "HW-75")
def test_damage_dealt_once_more_counts_only_what_is_noted_by_hand_twice() -> None:
    state = fought("b medium_tank t1, r heavy_tank t1 locked", "b medium_tank")
    heavy = named(state, "r heavy_tank")
    dealt = after(correct(state, f"card.{heavy}.damage", "1"), strike.Strike())
    assert dealt.played(heavy).damage == 5
    again = after(correct(dealt, "battle.struck", "no"), strike.Strike())
    assert again.played(heavy).damage == 5
    less = correct(dealt, f"card.{heavy}.damage", "4")
    assert after(correct(less, "battle.struck", "no"), strike.Strike()).played(heavy).damage == 4


@pytest.mark.clause("HW-73", "HW-74")
def test_what_is_noted_by_hand_destroys_when_damage_is_dealt_or_the_phase_ends() -> None:
    state = fought("b medium_tank t1, r heavy_tank t1 locked, r rifle_company t2 2d", "b medium_tank")
    rifles = named(state, "r rifle_company")
    aimed = after(state, aim(state, "b medium_tank", "r heavy_tank"))
    assert aimed.find(rifles), "it deals its own damage with all others"
    ruling = ruled(aimed, strike.Strike())
    assert ruling.outcome.find(rifles) is None
    assert "rifle company (Red): 2 damage of 2, destroyed" in told(ruling.reasons)
    quiet = game("r rifle_company t2 2d", phase="damage_1", done=("red",))
    left = ruled(quiet, rounds.Done())
    assert left.outcome.find(named(quiet, "r rifle_company")) is None
    assert "rifle company (Red): 2 damage of 2, destroyed" in told(left.reasons)


@pytest.mark.clause("HW-63", "HW-A16")
def test_a_value_is_never_below_0() -> None:
    state = fought(*DUEL)
    tank, foe = named(state, "b medium_tank"), named(state, "r motorised_company")
    after_it = after(state.with_card(tank, bonus=Bonus(ground=-9)), strike.Strike())
    assert (after_it.played(tank).damage, after_it.played(foe).damage) == (2, 0)


@pytest.mark.clause("HW-73", "HW-74", "HW-76", "HW-A38")
def test_the_destroyed_go_to_the_scrapyard_with_their_upgrades() -> None:
    state = fought("b medium_tank t1, r motorised_company t1 +veteran_crews", "b medium_tank < r motorised_company")
    unit = lying(state, "r motorised_company")
    ruling = ruled(state, strike.Strike())
    assert set(ruling.outcome.deck("red").scrapyard) == {unit.code, *unit.upgrades}
    assert lying(ruling.outcome, "b medium_tank").damage == 3
    assert "HW-73" in clauses(ruling.reasons)


@pytest.mark.clause("HW-A19")
def test_who_is_destroyed_deals_its_damage_all_the_same() -> None:
    state = fought(
        "b motorised_company t1, r rifle_company t1, r rifle_company t1, r rifle_company t1",
        "b motorised_company < r rifle_company + r rifle_company 2 + r rifle_company 3",
    )
    found = after(state, strike.Strike())
    assert found.find(named(state, "b motorised_company")) is None
    assert found.find(named(state, "r rifle_company")) is None


@pytest.mark.clause("HW-63")
def test_who_struck_whom_is_told_for_the_statistics() -> None:
    ruling = ruled(fought(*DUEL), strike.Strike())
    harm = {one.to.side: one for reason in ruling.reasons for one in reason.harm}
    assert (harm["red"].hits, harm["red"].fate) == (4, "gone")
    assert (harm["blue"].hits, harm["blue"].fate) == (2, "hit")
    assert harm["red"].by == harm["blue"].to


@pytest.mark.clause("HW-66", "HW-A18")
def test_among_several_blockers_most_are_destroyed_unless_said_otherwise() -> None:
    written = "b medium_tank t1, r heavy_tank t1, r rifle_company t1, r motorised_company t1"
    state = fought(written, "b medium_tank < r heavy_tank + r rifle_company + r motorised_company")
    (offer,) = offered(state, "share", "blue")
    assert [field.value for field in offer.fields] == [1, 0, 3]
    assert [field.high for field in offer.fields] == [4, 4, 4]
    assert offer.budget is not None
    assert offer.budget.points == 4
    shared = after(state, share(state, "b medium_tank", 2, 2, 0), seat="blue")
    hits = damage.hits(shared, shared.attacks[0])
    assert hits is not None
    assert list(hits.values()) == [2, 2, 0]
    assert after(shared, strike.Strike()).find(named(state, "r rifle_company")) is None
    found = after(state, strike.Strike())
    assert found.find(named(state, "r motorised_company")) is None
    assert lying(found, "r heavy_tank").damage == 1
    nothing = after(state, share(state, "b medium_tank"), seat="blue")
    assert set((damage.hits(nothing, nothing.attacks[0]) or {}).values()) == {0}


@pytest.mark.clause("HW-66", "HW-A18")
def test_damage_beyond_the_value_is_refused() -> None:
    state = fought(
        "b medium_tank t1, r rifle_company t1, r motorised_company t1",
        "b medium_tank < r rifle_company + r motorised_company",
    )
    assert no(state, share(state, "b medium_tank", 3, 2), seat="blue") == "HW-A18"
    refused = refusal(state, share(state, "b medium_tank", 1, 5), seat="blue")
    assert (refused.clause, refused.field) == ("HW-A18", "to_2")
    refused = refusal(state, share(state, "b medium_tank", 1, 1, 1), seat="blue")
    assert (refused.clause, refused.field) == ("HW-66", "to_3")
    alone = fought(*DUEL)
    assert no(alone, share(alone, "b medium_tank", 4), seat="blue") == "HW-66"


@pytest.mark.clause("HW-66", "HW-A18")
def test_the_largest_value_is_shared_out_though_none_of_it_goes_where_it_is_largest() -> None:
    written = "b fighter_wing t1, r fighter_wing t1, r flak_battery t1, r flak_battery t1"
    state = fought(written, "b fighter_wing < r fighter_wing + r flak_battery + r flak_battery 2")
    state = after(state, share(state, "b fighter_wing", 0, 1, 1), seat="blue")
    found = after(state, strike.Strike())
    assert [lying(found, f"r flak_battery {at}").damage for at in (1, 2)] == [1, 1]


@pytest.mark.clause("HW-66")
def test_a_share_that_the_card_has_no_longer_is_forgotten() -> None:
    state = fought(
        "b medium_tank t1, r rifle_company t1, r motorised_company t1",
        "b medium_tank < r rifle_company + r motorised_company",
    )
    state = after(state, share(state, "b medium_tank", 0, 4), seat="blue")
    weak = state.with_card(named(state, "b medium_tank"), bonus=Bonus(ground=-1))
    hits = damage.hits(weak, weak.attacks[0])
    assert hits == {named(state, "r rifle_company"): 0, named(state, "r motorised_company"): 3}


@pytest.mark.clause("HW-62", "HW-68", "HW-A15")
def test_an_unblocked_attacker_strikes_one_card_of_its_owners_choice() -> None:
    written = "b medium_tank t1, r rifle_company t1 locked, r heavy_tank t1 locked, r motorised_company t2"
    state = fought(written, "b medium_tank")
    assert no(state, strike.Strike(), seat="blue") == "HW-68"
    assert offered(state, "strike", "blue") == []
    (offer,) = offered(state, "aim", "blue")
    assert offer.main
    assert options_of(offer, "target") == [named(state, "r rifle_company"), named(state, "r heavy_tank"), "nothing"]
    aimed = after(state, aim(state, "b medium_tank", "r heavy_tank"), seat="blue")
    assert not offered(aimed, "aim", "blue")[0].main
    found = after(aimed, strike.Strike(), seat="blue")
    assert lying(found, "r heavy_tank").damage == 4
    assert lying(found, "r rifle_company").damage == 0
    other = after(aimed, aim(state, "b medium_tank", "r rifle_company"), seat="blue")
    assert after(other, strike.Strike(), seat="blue").find(named(state, "r rifle_company")) is None


@pytest.mark.clause("HW-68")
def test_the_only_target_goes_without_saying_and_nothing_may_be_struck() -> None:
    state = fought("b medium_tank t1, r heavy_tank t1 locked", "b medium_tank")
    assert lying(after(state, strike.Strike()), "r heavy_tank").damage == 4
    spared = after(state, aim(state, "b medium_tank", "nothing"), seat="blue")
    assert lying(after(spared, strike.Strike()), "r heavy_tank").damage == 0


@pytest.mark.clause("HW-51", "HW-68", "HW-A16", "HW-A17", "HW-A23")
def test_what_can_not_be_struck_is_refused() -> None:
    written = (
        "b medium_tank t1, b rifle_company t1, r rifle_company t1, r rifle_company t2, r fighter_wing t1, r railhead t1"
    )
    state = fought(written, "b medium_tank")
    roster = state.rosters["red"]
    rails = tuple(replace(card, dv=None) for card in roster.development)
    open_rails = state.but(rosters={**state.rosters, "red": replace(roster, development=rails)})
    assert no(state, aim(state, "b medium_tank", "r rifle_company 2"), seat="blue") == "HW-51"
    assert no(state, aim(state, "b medium_tank", "b rifle_company"), seat="blue") == "HW-68"
    assert no(state, aim(state, "b medium_tank", "r fighter_wing"), seat="blue") == "HW-A16"
    assert no(state, aim(state, "b medium_tank", "nobody"), seat="blue") == "HW-68"
    assert no(state, aim(state, "b medium_tank", "hand"), seat="blue") == "HW-52"
    assert no(state, aim(state, "b rifle_company", "r rifle_company"), seat="blue") == "HW-62"
    assert no(open_rails, aim(state, "b medium_tank", "r railhead"), seat="blue") == "HW-A23"
    flak = fought("b flak_battery t1, r fighter_wing t1", "b flak_battery")
    assert after(flak, aim(flak, "b flak_battery", "r fighter_wing"), seat="blue").attacks[0].target
    blocked = fought(*DUEL)
    assert no(blocked, aim(blocked, "b medium_tank", "r motorised_company"), seat="blue") == "HW-65"
    assert offered(blocked, "aim", "blue") == []


@pytest.mark.clause("HW-77", "HW-A23")
def test_a_development_is_struck_and_does_not_answer() -> None:
    state = fought("b medium_tank t1, r bunker_line t1", "b medium_tank")
    ruling = ruled(state, strike.Strike())
    assert ruling.outcome.find(named(state, "r bunker_line")) is None
    assert ruling.outcome.deck("red").scrapyard == (lying(state, "r bunker_line").code,)
    assert asked(state, strike.Strike()) == []
    assert no(state, strike.Strike(), **answering(state, "r bunker_line", "ground", "b medium_tank")) == "HW-A16"


@pytest.mark.clause("HW-A23", "HW-70")
def test_a_development_with_attack_values_answers() -> None:
    state = fought("b medium_tank t1, r bunker_line t1", "b medium_tank")
    roster = state.rosters["red"]
    forts = tuple(replace(card, av_ground=2) for card in roster.development)
    state = state.but(rosters={**state.rosters, "red": replace(roster, development=forts)})
    ruling = ruled(state, strike.Strike(), **answering(state, "r bunker_line", "ground", "b medium_tank"))
    assert lying(ruling.outcome, "b medium_tank").damage == 2


@pytest.mark.clause("HW-70", "HW-71", "HW-A20")
def test_an_unlocked_target_may_answer_and_is_locked_for_it() -> None:
    state = fought("b medium_tank t1, r heavy_tank t1", "b medium_tank")
    (question,) = asked(state, strike.Strike())
    assert question.seat == "red"
    assert [option.value for option in question.options] == [named(state, "b medium_tank"), "no"]
    ruling = ruled(state, strike.Strike(), **answering(state, "r heavy_tank", "ground", "b medium_tank"))
    tank = lying(ruling.outcome, "r heavy_tank")
    assert (tank.locked, tank.used, tank.damage) == (True, ("ground",), 4)
    assert ruling.outcome.find(named(state, "b medium_tank")) is None
    assert {"HW-70", "HW-71"} <= set(clauses(ruling.reasons))
    silent = after(state, strike.Strike(), **answering(state, "r heavy_tank", "ground", "no"))
    assert not lying(silent, "r heavy_tank").locked
    assert lying(silent, "b medium_tank").damage == 0


@pytest.mark.clause("HW-69", "HW-A22")
def test_a_locked_target_is_not_asked() -> None:
    state = fought("b medium_tank t1, r heavy_tank t1 locked", "b medium_tank")
    assert asked(state, strike.Strike()) == []
    assert no(state, strike.Strike(), **answering(state, "r heavy_tank", "ground", "b medium_tank")) == "HW-69"


@pytest.mark.clause("HW-65", "HW-70")
def test_only_who_strikes_a_card_unblocked_is_answered() -> None:
    state = fought(*DUEL)
    assert asked(state.with_card(named(state, "r motorised_company"), used=()), strike.Strike()) == []
    written = "b medium_tank t1, b rifle_company t1, r heavy_tank t1, r rifle_company t1 locked"
    state = fought(written, "b medium_tank", "b rifle_company")
    state = after(state, aim(state, "b medium_tank", "r heavy_tank"), seat="blue")
    state = after(state, aim(state, "b rifle_company", "r rifle_company"), seat="blue")
    (question,) = asked(state, strike.Strike())
    assert [option.value for option in question.options] == [named(state, "b medium_tank"), "no"]


@pytest.mark.clause("HW-72")
def test_a_blocker_answers_another_category_only() -> None:
    written = "b medium_tank t1, b fighter_wing t1, b rifle_company t1, r flak_battery t1"
    state = fought(written, "b rifle_company < r flak_battery", "b fighter_wing", "b medium_tank")
    (question,) = asked(state, strike.Strike())
    assert question.key.endswith(".air")
    assert question.clause == "HW-72"
    refused = no(state, strike.Strike(), **answering(state, "r flak_battery", "ground", "b medium_tank"))
    assert refused == "HW-72"
    ruling = ruled(state, strike.Strike(), **answering(state, "r flak_battery", "air", "b fighter_wing"))
    assert ruling.outcome.find(named(state, "b fighter_wing")) is None
    assert "HW-72" in clauses(ruling.reasons)


@pytest.mark.clause("HW-A21")
def test_a_struck_unit_answers_one_attacker_of_each_category() -> None:
    written = "b medium_tank t1, b rifle_company t1, b fighter_wing t1, r motorised_company t1"
    state = fought(written, "b medium_tank", "b rifle_company", "b fighter_wing")
    questions = asked(state, strike.Strike())
    assert [question.key.rpartition(".")[2] for question in questions] == ["ground", "air"]
    assert [option.value for option in questions[0].options] == [
        named(state, "b medium_tank"),
        named(state, "b rifle_company"),
        "no",
    ]
    both = answering(state, "r motorised_company", "ground", "b rifle_company") | answering(
        state, "r motorised_company", "air", "b fighter_wing"
    )
    silent = [english(question.options[-1].note) for question in asked(state, strike.Strike(), **both)]
    assert silent == ["deals nothing, and is not locked", "deals nothing"], "who has answered is locked already"
    ruling = ruled(state, strike.Strike(), **both)
    assert ruling.outcome.find(named(state, "b rifle_company")) is None
    assert lying(ruling.outcome, "b fighter_wing").damage == 1
    assert lying(ruling.outcome, "b medium_tank").damage == 0
    spent = fought("b medium_tank t1, r heavy_tank t1 ground", "b medium_tank")
    assert asked(spent, strike.Strike()) == []


@pytest.mark.clause("HW-75")
def test_damage_wears_off_and_the_attacks_are_over() -> None:
    state = after(fought(*DUEL), strike.Strike())
    assert lying(state, "b medium_tank").damage == 2
    worn = damage.wear_off(state)
    assert lying(worn, "b medium_tank").damage == 0
    assert (worn.attacks, worn.struck) == ((), False)
    assert lying(worn, "b medium_tank").locked


@pytest.mark.clause("HW-83")
def test_in_the_second_half_the_defender_strikes() -> None:
    state = fought("b medium_tank t1 locked, r heavy_tank t1", "r heavy_tank", phase="damage_2")
    assert no(state, strike.Strike(), seat="blue") == "HW-62"
    assert offered(state, "strike", "blue") == []
    assert len(offered(state, "strike", "red")) == 1
    assert after(state, strike.Strike(), seat="red").find(named(state, "b medium_tank")) is None


@pytest.mark.clause("HW-62", "HW-A19", "HW-31")
def test_damage_is_dealt_once_in_its_phase() -> None:
    state = fought(*DUEL)
    assert no(state, strike.Strike(), seat="red") == "HW-62"
    assert list(damage.offers(state.but(done=("blue",)), "blue")) == []
    done = after(state, strike.Strike())
    assert no(done, strike.Strike()) == "HW-A19"
    assert list(damage.offers(done, "blue")) == []
    assert no(state.but(phase="final"), strike.Strike()) == "HW-31"
    assert no(state.but(attacks=()), strike.Strike()) == "HW-63"


def test_strike_says_beforehand_what_it_does() -> None:
    state = fought(*DUEL)
    (offer,) = offered(state, "strike", "blue")
    assert offer.main
    assert told(offer.advice) == [
        "motorised company (Red): 4 damage of 3, destroyed",
        "medium tank (Blue): 2 damage of 4",
    ]


def test_a_target_says_what_striking_it_brings() -> None:
    state = fought("b medium_tank t1, r rifle_company t1, r heavy_tank t1 locked, r fighter_wing t1", "b medium_tank")
    (offer,) = offered(state, "aim", "blue")
    assert [english(option.note) for option in offer.fields[0].options] == [
        "destroys it; may answer with 1",
        "4 damage of 6; cannot answer",
        "",
        "",
    ]


@pytest.mark.clause("HW-A15")
def test_unblocked_damage_is_shared_out_where_that_was_agreed() -> None:
    written = "b medium_tank t1, r rifle_company t1 locked, r rifle_company t1 locked"
    state = fought(written, "b medium_tank")
    assert no(state, share(state, "b medium_tank", 2, 2), seat="blue") == "HW-A15"
    assert offered(state, "share", "blue") == []
    agreed = fought(written, "b medium_tank", unblocked_split=True)
    assert no(agreed, strike.Strike()) == "HW-68"
    (offer,) = offered(agreed, "share", "blue")
    assert [field.value for field in offer.fields] == [2, 2]
    assert no(agreed, share(agreed, "b medium_tank", 3, 2), seat="blue") == "HW-A18"
    free = agreed.but(cards=tuple(replace(card, locked=False) for card in agreed.cards))
    spared = after(free, share(free, "b medium_tank", 4, 0), seat="blue")
    assert len(asked(spared, strike.Strike())) == 1
    shared = after(agreed, share(agreed, "b medium_tank", 2, 2), seat="blue")
    found = after(shared, strike.Strike())
    assert not found.units("red")
    aimed = after(shared, aim(agreed, "b medium_tank", "r rifle_company"), seat="blue")
    assert len(after(aimed, strike.Strike()).units("red")) == 1


BOMBER = "b bomber_wing t1, r steel_works, r power_plant"


@pytest.mark.clause("HW-55", "HW-77", "HW-A24")
def test_a_base_attack_destroys_a_base_expansion() -> None:
    state = fought(BOMBER, "b bomber_wing base", hands={"red": "rifle_company"})
    (offer,) = offered(state, "aim", "blue")
    cards = [named(state, "r steel_works"), named(state, "r power_plant")]
    assert options_of(offer, "target") == [*cards, "hand", "depot", "nothing"]
    aimed = after(state, aim(state, "b bomber_wing", "r steel_works"), seat="blue")
    found = after(aimed, strike.Strike())
    assert found.find(cards[0]) is None
    assert found.find(cards[1]) is not None
    assert len(found.deck("red").scrapyard) == 1
    roster = state.rosters["red"]
    walls = tuple(replace(card, dv=4) for card in roster.base_expansion)
    strong = aimed.but(rosters={**state.rosters, "red": replace(roster, base_expansion=walls)})
    assert lying(after(strong, strike.Strike()), "r steel_works").damage == 3


@pytest.mark.clause("HW-55", "HW-A24")
def test_a_base_attack_takes_a_random_card_of_the_hand_or_the_top_of_the_depot() -> None:
    state = fought(BOMBER, "b bomber_wing base", hands={"red": "rifle_company medium_tank"})
    hand, depot = state.deck("red").hand, state.deck("red").depot
    at_hand = after(state, aim(state, "b bomber_wing", "hand"), seat="blue")
    (question,) = asked(at_hand, strike.Strike())
    assert (question.pile, question.count, question.secret) == (hand, 1, False)
    found = after(at_hand, strike.Strike()).deck("red")
    assert (len(found.hand), found.scrapyard, found.depot) == (1, hand[:1], depot)
    at_depot = after(state, aim(state, "b bomber_wing", "depot"), seat="blue")
    found = after(at_depot, strike.Strike()).deck("red")
    assert (found.hand, len(found.depot), len(found.scrapyard)) == (hand, len(depot) - 1, 1)


@pytest.mark.clause("HW-A24")
def test_real_cards_lost_to_a_base_attack_are_only_counted() -> None:
    state = fought(BOMBER, "b bomber_wing base", cards="real", hands={"red": "rifle_company medium_tank"})
    found = after(after(state, aim(state, "b bomber_wing", "hand"), seat="blue"), strike.Strike()).deck("red")
    assert (found.hand, found.scrapyard) == (("?",), ("?",))


@pytest.mark.clause("HW-A24")
def test_the_last_card_of_a_hand_is_lost_once() -> None:
    state = fought(
        "b bomber_wing t1, b bomber_wing t1",
        "b bomber_wing base",
        "b bomber_wing 2 base",
        hands={"red": "rifle_company"},
    )
    for unit in ("b bomber_wing", "b bomber_wing 2"):
        state = after(state, aim(state, unit, "hand"), seat="blue")
    found = after(state, strike.Strike()).deck("red")
    assert (found.hand, len(found.scrapyard)) == ((), 1)


@pytest.mark.clause("HW-A24")
def test_a_base_attack_by_hand_is_only_told() -> None:
    state = fought(BOMBER, "b bomber_wing base", base_attack_effect="manual", hands={"red": "rifle_company"})
    assert offered(state, "aim", "blue") == []
    assert no(state, aim(state, "b bomber_wing", "hand"), seat="blue") == "HW-A24"
    ruling = ruled(state, strike.Strike())
    assert ruling.outcome.deck("red") == state.deck("red")
    assert ruling.outcome.cards == state.cards
    assert "HW-A24" in clauses(ruling.reasons)


@pytest.mark.clause("HW-55", "HW-A24")
def test_a_base_attack_strikes_the_base_alone() -> None:
    state = fought("b bomber_wing t1, r rifle_company t1, r steel_works", "b bomber_wing base")
    assert no(state, aim(state, "b bomber_wing", "r rifle_company"), seat="blue") == "HW-55"
    assert no(state, aim(state, "b bomber_wing", "hand"), seat="blue") == "HW-A24"


@pytest.mark.clause("HW-58", "HW-65")
def test_a_blocked_base_attack_does_nothing_to_the_base() -> None:
    state = fought(BOMBER + ", r fighter_wing", "b bomber_wing base < r fighter_wing")
    assert no(state, aim(state, "b bomber_wing", "r steel_works"), seat="blue") == "HW-65"
    found = after(state, strike.Strike())
    assert found.find(named(state, "b bomber_wing")) is None
    assert found.deck("red").scrapyard == ()
    assert lying(found, "r fighter_wing").damage == 1
    bare = fought("b bomber_wing t1, r fighter_wing", "b bomber_wing base < r fighter_wing")
    assert after(bare, strike.Strike()).deck("red") == bare.deck("red")


@pytest.mark.clause("HW-A16")
def test_a_blocked_attacker_without_a_value_harms_nobody() -> None:
    state = fought("b fighter_wing t1, r flak_battery t1", "b fighter_wing < r flak_battery")
    roster = state.rosters["blue"]
    wings = tuple(replace(card, av_ground=None) for card in roster.unit)
    state = state.but(rosters={**state.rosters, "blue": replace(roster, unit=wings)})
    ruling = ruled(state, strike.Strike())
    assert lying(ruling.outcome, "r flak_battery").damage == 0
    assert ruling.outcome.find(named(state, "b fighter_wing")) is None
    assert "HW-A16" in clauses(ruling.reasons)


def test_cards_that_leave_by_hand_before_the_damage_deal_and_take_none() -> None:
    state = fought(*DUEL)
    gone = named(state, "r motorised_company")
    without = state.but(cards=tuple(card for card in state.cards if card.id != gone))
    assert lying(after(without, strike.Strike()), "b medium_tank").damage == 0
    attacker = named(state, "b medium_tank")
    alone = state.but(cards=tuple(card for card in state.cards if card.id != attacker))
    assert lying(after(alone, strike.Strike()), "r motorised_company").damage == 0


@pytest.mark.clause("HW-68", "HW-A16")
def test_it_is_told_who_strikes_nothing_and_whose_strike_does_nothing() -> None:
    lines = {"medium tank (Blue) strikes nothing": "HW-68", "medium tank (Blue) deals no damage": "HW-A16"}

    def said(state: State) -> dict[str, str | None]:
        found = {english(line.text): line.clause for line in ruled(state, strike.Strike()).reasons}
        return {line: clause for line, clause in found.items() if line in lines}

    state = fought("b medium_tank t1, r rifle_company t1 locked", "b medium_tank")
    assert said(state) == {}
    nothing, idle = lines.items()
    assert said(after(state, aim(state, "b medium_tank", "nothing"))) == dict([nothing])
    weak = state.with_card(named(state, "b medium_tank"), bonus=Bonus(ground=-4))
    assert said(weak) == dict([idle])
    base = fought("b bomber_wing t1", "b bomber_wing base")
    at_hand = after(base, aim(base, "b bomber_wing", "depot"))
    assert "bomber wing (Blue) strikes nothing" not in told(ruled(at_hand, strike.Strike()).reasons)
    empty = base.with_deck("red", hand=(), depot=())
    assert "bomber wing (Blue) strikes nothing" in told(ruled(empty, strike.Strike()).reasons)
    manual = fought("b bomber_wing t1", "b bomber_wing base", base_attack_effect="manual")
    assert "bomber wing (Blue) strikes nothing" not in told(ruled(manual, strike.Strike()).reasons)


@pytest.mark.clause("HW-31")
def test_an_old_page_strikes_in_no_later_phase_or_round() -> None:
    state = fought(*DUEL, round=3)
    (offer,) = offered(state, "strike")
    assert offer.given == {"phase": "damage_1", "round": 3}
    assert no(state, strike.Strike("damage_2", 3)) == no(state, strike.Strike("damage_1", 2)) == "HW-31"
    refused = refusal(state, strike.Strike(round=2))
    assert (refused.clause, refused.field, english(refused.text)) == ("HW-31", "round", "That phase is over already.")
    assert after(state, strike.Strike("damage_1", 3)).struck
