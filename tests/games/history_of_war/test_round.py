"""The round: fifteen phases, who ends them and what passes by itself; the final phase, victory, and the next round."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.history_of_war import (
    battle,
    conquest,
    construction,
    developments,
    final,
    hands,
    movement,
    rounds,
    start,
    strike,
)
from companion.games.history_of_war.game import GAME
from companion.games.history_of_war.pieces import ROUND, SEATS, STEPS, Bonus, following, phase_number
from companion.games.history_of_war.state import State
from companion.kit.asking import Ask, Pending
from companion.kit.decks import pile
from companion.kit.game import SCREEN
from companion.kit.questions import Choose, Together
from companion.kit.text import Text
from tests.support.history_of_war_positions import (
    Scripted,
    after,
    code,
    english,
    game,
    named,
    no,
    offered,
    refusal,
    ruled,
    told,
)
from tests.support.playing import clauses, options_of

FIVE = ", ".join(["b rifle_company"] * 5)
WON = "b capital_region b, b river_line b, r industrial_basin, r capital_region r"
"""Blue has conquered 14 victory points, Red 9."""


def both(state: State, **done: Any) -> State:
    """The state after both (or who is asked) have said to be done."""
    for seat in rounds.agreeing(state):
        state = after(state, rounds.Done(**done), seat=seat)
    return state


def ending(written: str = "", **more: Any) -> State:
    """A game in its retreats, of which nothing comes: the round ends as soon as both are done with it."""
    return game(written, **({"phase": "defender_retreat"} | more))


def end(state: State) -> Any:
    """The ruling that ends such a round."""
    first, second = rounds.agreeing(state)
    return ruled(after(state, rounds.Done(), seat=first), rounds.Done(), seat=second)


@pytest.mark.clause("HW-27", "HW-29", "HW-31", "HW-104")
def test_a_round_step_by_step_has_fifteen_phases_in_their_order() -> None:
    state = both(game(phase="final", round=0, attacker="red", step_by_step=True))
    gone: list[Any] = []
    while state.round == 1:
        gone.append((state.phase, state.acting))
        if state.phase == "construction":
            assert rounds.awaited(state) == SEATS
            for seat in SEATS:
                state = after(state, construction.Build(), seat=seat)
        assert rounds.awaited(state) == rounds.agreeing(state)
        state = both(state)
    acts = {"both": SEATS, "attacker": ("blue",), "defender": ("red",)}
    assert gone == [(step.id, acts[step.acts]) for step in ROUND]
    assert len(gone) == 15
    assert [phase_number(phase) for phase, _ in gone] == list(range(1, 16))
    assert (state.phase, state.attacker, following("final")) == ("draw", "red", "draw")


@pytest.mark.clause("HW-32")
def test_a_phase_ends_when_both_are_done_with_it() -> None:
    state = after(game(phase="base_expansion"), rounds.Done("base_expansion", 1), seat="red")
    assert (state.phase, state.done, rounds.awaited(state)) == ("base_expansion", ("red",), ("blue",))
    assert no(state, rounds.Done(), seat="red") == "HW-32"
    ruling = ruled(state, rounds.Done(), seat="blue")
    assert (ruling.outcome.phase, ruling.outcome.done) == ("construction", ())
    assert told(ruling.reasons) == ["Blue: done with this phase", "Now: construction"]


@pytest.mark.clause("HW-32")
def test_who_is_done_may_look_again() -> None:
    state = after(
        game("r medium_tank", hands={"red": "steel_works"}, phase="base_expansion"), rounds.Done(), seat="red"
    )
    assert no(state, hands.PlayBase(code(state, "red", "steel_works")), seat="red") == "HW-32"
    (offer,) = offered(state, "done", "red")
    assert offer.given == {"phase": "base_expansion", "round": 1, "on": False}
    again = after(state, rounds.Done(yes=False), seat="red")
    assert again.done == ()
    assert no(again, rounds.Done(yes=False), seat="red") == "HW-32"
    assert after(again, hands.PlayBase(code(state, "red", "steel_works")), seat="red").cards != state.cards


@pytest.mark.clause("HW-31")
def test_an_old_page_ends_no_later_phase() -> None:
    state = game(phase="base_expansion", round=2)
    refused = (
        no(state, rounds.Done("construction", 2), seat="blue"),
        no(state, rounds.Done("base_expansion", 1), seat="blue"),
    )
    assert refused == ("HW-31", "HW-31")
    given = [offer.given for offer in offered(state, "done", "blue")]
    shown = {"phase": "base_expansion", "round": 2}
    assert given == [shown, {**shown, "until": "needed"}]


@pytest.mark.clause("HW-27", "HW-29", "HW-31")
def test_what_belongs_to_another_phase_or_to_the_other_player_is_refused() -> None:
    deploy = movement.Deploy(named(game("b medium_tank"), "b medium_tank"), "t1")
    assert no(game("b medium_tank", phase="mulligan", round=0), deploy, seat="blue") == "HW-27"
    assert no(game("b medium_tank", phase="mulligan", round=0), rounds.Done(), seat="blue") == "HW-27"
    assert no(game("b medium_tank", phase="attacker_retreat"), deploy, seat="blue") == "HW-31"
    assert no(game("b medium_tank", attacker="red"), deploy, seat="blue") == "HW-29"
    assert no(game("b medium_tank", phase="defender_deployment"), deploy, seat="blue") == "HW-29"
    assert after(game("b medium_tank"), deploy, seat="blue").find(deploy.unit).place == "t1"
    assert no(game("b medium_tank").but(done=("blue",)), deploy, seat="blue") == "HW-32"


@pytest.mark.clause("HW-29", "HW-54", "HW-61")
def test_who_declares_attacks_or_blocks_ends_that_phase_alone() -> None:
    state = game("b medium_tank t1, r rifle_company t1", phase="attacker_attack")
    assert rounds.awaited(state) == ("blue",)
    assert no(state, rounds.Done(), seat="red") == "HW-29"
    assert [offer.given.get("until") for offer in offered(state, "done", "red")] == ["needed"]
    ruling = ruled(state, rounds.Done(), seat="blue")
    assert "HW-54" in clauses(ruling.reasons)
    assert ruling.outcome.phase != "attacker_attack"
    attacked = after(state, battle.DeclareAttack(named(state, "b medium_tank")))
    state = after(attacked, rounds.Done(), seat="blue")
    assert (state.phase, rounds.awaited(state)) == ("defender_block", ("red",))
    assert no(state, rounds.Done(), seat="blue") == "HW-29"
    assert "HW-61" in clauses(ruled(state, rounds.Done(), seat="red").reasons)


@pytest.mark.clause("HW-37")
def test_both_draw_a_card_as_the_round_begins() -> None:
    ruling = end(ending(hands={"blue": "destroyer"}))
    state = ruling.outcome
    assert [len(state.deck(seat).hand) for seat in SEATS] == [2, 1]
    assert [len(state.deck(seat).depot) for seat in SEATS] == [49, 49]
    assert clauses(ruling.reasons).count("HW-37") == 4
    assert told(ruling.reasons).count("Blue: 1 card drawn (draw phase)") == 1
    real = end(ending(cards="real")).outcome
    assert (real.deck("red").hand, len(real.deck("red").depot)) == (("?",), 49)


@pytest.mark.clause("HW-A04")
def test_of_an_empty_depot_no_card_is_drawn() -> None:
    ruling = end(ending().with_deck("blue", depot=()))
    assert (ruling.outcome.deck("blue").hand, ruling.outcome.phase) == ((), "base_expansion")
    assert [english(line.text) for line in ruling.reasons if line.clause == "HW-A04"] == [
        "Blue: 0 cards left in the depot"
    ]
    ask = Scripted()
    few = game().with_deck("blue", depot=("u0.0",))
    assert hands.draw(few, "blue", 3, Text("draw"), ask).deck("blue").hand == ("u0.0",)
    assert told(ask.reasons)[0] == "Blue: 1 card left in the depot"


PASSES = [
    (
        "",
        "base_expansion",
        [
            ("HW-48", "Blue: no unit can deploy"),
            ("HW-50", "Blue: no unit can attack"),
            ("HW-57", "no attack to block"),
            ("HW-63", "no attack, no damage"),
            ("HW-79", "Red: no unit can deploy"),
            ("HW-81", "Red: no unit can attack"),
            ("HW-82", "no attack to block"),
            ("HW-83", "no attack, no damage"),
            ("HW-84", "Blue: no unit can retreat"),
            ("HW-86", "Red: no unit can retreat"),
            ("HW-87", "no territory is conquered"),
            ("HW-97", "nobody has too many cards or units"),
        ],
    ),
    ("b medium_tank locked", "base_expansion", None),
    ("b medium_tank", "attacker_deployment", []),
    ("b medium_tank t1", "attacker_retreat", None),
    ("b medium_tank t1, r rifle_company t1", "attacker_attack", [("HW-48", "Blue: no unit can deploy")]),
    ("r medium_tank", "defender_deployment", None),
    ("r medium_tank t1", "defender_retreat", None),
    ("b medium_tank t1 locked, r medium_tank t1", "defender_attack", None),
    ("b heavy_tank t1 locked, b heavy_tank t1 locked", "base_expansion", None),
]


@pytest.mark.clause("HW-48", "HW-50", "HW-57", "HW-63", "HW-79", "HW-81", "HW-82", "HW-83", "HW-84", "HW-86", "HW-87")
@pytest.mark.parametrize(("written", "phase", "lines"), PASSES)
def test_phases_in_which_nobody_can_do_anything_pass_with_a_line_each(
    written: str, phase: str, lines: list[tuple[str, str]] | None
) -> None:
    state = game(written, phase="construction")
    state = after(state, construction.Build(), seat="red")
    ruling = ruled(state, construction.Build(), seat="blue")
    assert ruling.outcome.phase == phase
    assert english(ruling.reasons[-1].text).startswith("Now: ")
    if lines is not None:
        known = [(line.clause, english(line.text)) for line in ruling.reasons]
        assert [line for line in known if line[0] in {STEPS[phase].clause for phase in rounds.PASSED}] == lines


@pytest.mark.clause("HW-57")
def test_a_block_that_nobody_can_make_passes() -> None:
    state = game("b fighter_wing t1, r rifle_company t1", phase="attacker_attack")
    state = after(state, battle.DeclareAttack(named(state, "b fighter_wing")))
    ruling = ruled(state, rounds.Done(), seat="blue")
    assert ruling.outcome.phase == "damage_1"
    assert "Red: no unit can block" in told(ruling.reasons)


def test_what_is_in_a_hand_decides_nothing() -> None:
    for phase in ("construction", "defender_retreat"):
        seen = []
        for held in ("steel_works heavy_tank", "sudden_storm sudden_storm"):
            state = game(hands={"red": held}, phase=phase)
            for seat in SEATS:
                state = after(state, construction.Build() if phase == "construction" else rounds.Done(), seat=seat)
            seen.append((state.phase, state.round, state.done, rounds.awaited(state)))
        assert seen[0] == seen[1]


@pytest.mark.clause("HW-32")
def test_a_phase_in_which_something_was_done_waits_for_both() -> None:
    state = game("b medium_tank")
    state = after(state, movement.Deploy(named(state, "b medium_tank"), "t1"), seat="blue")
    assert (state.phase, rounds.awaited(state)) == ("attacker_deployment", SEATS)


@pytest.mark.clause("HW-32")
def test_who_is_done_until_needed_is_asked_again_when_there_is_something_to_do() -> None:
    state = game("b medium_tank, r medium_tank", phase="attacker_deployment")
    state = after(state, rounds.Done(until="needed"), seat="red")
    assert (state.content, state.done, rounds.awaited(state)) == (("red",), ("red",), ("blue",))
    assert no(state, rounds.Done(until="needed"), seat="red") == no(state, rounds.Done(), seat="red") == "HW-32"
    state = after(state, movement.Deploy(named(state, "b medium_tank"), "t1"), seat="blue")
    state = after(state, rounds.Done(), seat="blue")
    assert (state.phase, state.content, rounds.awaited(state)) == ("defender_deployment", (), SEATS)
    free = after(after(state, rounds.Done(until="needed"), seat="blue"), rounds.Done(yes=False), seat="blue")
    assert (free.content, free.done) == ((), ())


@pytest.mark.clause("HW-32", "HW-104")
def test_two_who_are_done_until_needed_meet_again_at_the_next_base_expansion() -> None:
    for step_by_step in (False, True):
        state = game(phase="attacker_deployment", step_by_step=step_by_step)
        for seat in SEATS:
            state = after(state, rounds.Done(until="needed"), seat=seat)
        assert (state.phase, state.round, state.content) == ("base_expansion", 2, ())


def test_the_button_that_stands_out_is_what_most_would_do_next() -> None:
    def main(state: State, seat: str) -> list[str]:
        return [offer.given.get("until", "phase") for offer in offered(state, "done", seat) if offer.main]

    fight = game("b medium_tank, b rifle_company")
    assert (main(fight, "blue"), main(fight, "red")) == (["phase"], ["needed"])
    assert main(game("b medium_tank", step_by_step=True), "red") == ["phase"]
    holds = game("", phase="base_expansion", hands={"blue": "steel_works"})
    assert (main(holds, "blue"), main(holds, "red")) == ([], ["phase"]), "nobody passes over an expansion by mistake"


@pytest.mark.clause("HW-44", "HW-46")
def test_construction_ends_when_both_have_built_and_all_is_placed() -> None:
    state = game(phase="construction")
    assert no(state, rounds.Done(), seat="blue") == no(state, rounds.Done(until="needed"), seat="blue") == "HW-44"
    assert offered(state, "done", "blue") == []
    built = after(state, construction.Build(), seat="blue")
    assert (rounds.awaited(built), no(built, rounds.Done(), seat="blue")) == (("red",), "HW-44")
    assert [offer.given["until"] for offer in offered(built, "done", "blue")] == ["needed"]
    content = after(built, rounds.Done(until="needed"), seat="blue")
    assert (content.content, content.done, content.phase) == (("blue",), (), "construction")
    assert after(content, construction.Build(), seat="red").phase != "construction"
    laid = game("r bunker_line laid, r railhead laid", phase="construction")
    for seat in SEATS:
        laid = laid.with_plan(seat, built=True)
    assert (no(laid, rounds.Done(), seat="blue"), rounds.awaited(laid)) == ("HW-46", ("red",))
    one = after(laid, developments.Place(named(laid, "r bunker_line"), "t1"), seat="red")
    assert one.phase == "construction"
    assert after(one, developments.Place(named(laid, "r railhead"), "t1"), seat="red").phase != "construction"


@pytest.mark.clause("HW-75")
def test_damage_is_dealt_before_the_phase_ends_and_then_undone() -> None:
    for half, clause in ((1, "HW-63"), (2, "HW-83")):
        attacker: Any = "blue" if half == 1 else "red"
        state = game(
            "b medium_tank t1, r heavy_tank t1 locked",
            attacker=attacker,
            phase="attacker_attack" if half == 1 else "defender_attack",
        )
        state = after(state, battle.DeclareAttack(named(state, "b medium_tank")), seat="blue")
        state = after(state, rounds.Done(), seat="blue")
        assert (state.phase, rounds.awaited(state)) == (f"damage_{half}", ("blue",))
        assert no(state, rounds.Done(), seat="red") == no(state, rounds.Done(until="needed"), seat="blue") == clause
        struck = after(state, strike.Strike(), seat="blue")
        assert (struck.phase, struck.find(named(state, "r heavy_tank")).damage) == (state.phase, 4)
        last = ruled(after(struck, rounds.Done(), seat="red"), rounds.Done(), seat="blue")
        assert "HW-75" in clauses(last.reasons)
        assert last.outcome.attacks == ()
        assert [card.damage for card in last.outcome.cards] == [0, 0]


@pytest.mark.clause("HW-87", "HW-88", "HW-89", "HW-90", "HW-91")
def test_the_victory_phase_tells_the_flags_and_waits_for_the_conqueror() -> None:
    state = ending("b heavy_tank t1, b heavy_tank t1, r rifle_company t1, r rifle_company t2 locked")
    ruling = end(state)
    state = ruling.outcome
    assert (state.phase, rounds.awaited(state)) == ("victory", ("blue",))
    (line,) = [line for line in ruling.reasons if line.clause == "HW-89"]
    assert (english(line.text), line.value) == ("coastal province: Blue leads by 4; the territory takes 3", 4)
    assert no(state, rounds.Done(), seat="red") == "HW-91"
    for seat in ("red", SCREEN):
        assert english(GAME.view(state, seat).headline) == "Conquest: Blue chooses who occupies"
    assert english(GAME.view(state, "blue").headline).startswith("Conquered!")
    occupied = after(state, conquest.Occupy("t1", (named(state, "b heavy_tank"),)), seat="blue")
    assert (occupied.phase, occupied.round, occupied.victory_points("blue")) == ("base_expansion", 2, 4)


def surplus(state: State) -> list[tuple[int, int]]:
    return [(final.hand_surplus(state, seat), final.unit_surplus(state, seat)) for seat in SEATS]


@pytest.mark.clause("HW-97", "HW-98", "HW-99", "HW-A34", "HW-A35", "HW-A36")
def test_surplus_cards_and_units_go_to_the_scrapyard_before_the_round_ends() -> None:
    """The numbers of the worked example: a hand of ten, six units."""
    ten = "steel_works " * 4 + "power_plant " * 6
    state = ending(
        f"{FIVE}, b medium_tank +veteran_crews, b bunker_line deployment, b flak_battery t1 locked",
        hands={"blue": ten, "red": "destroyer"},
        lands=WON,
    )
    state = end(state).outcome
    assert (state.phase, surplus(state), rounds.awaited(state)) == ("final", [(2, 1), (0, 0)], ("blue",))
    assert no(state, rounds.Done(), seat="red") == "HW-97"
    works = [one for one in state.deck("blue").hand if one.startswith("b0")]
    state = after(state, final.Discard(tuple(works[:1])), seat="blue")
    assert (state.phase, surplus(state)[0]) == ("final", (1, 1))
    state = after(state, final.Discard(tuple(works[1:2])), seat="blue")
    assert state.deck("blue").scrapyard == tuple(works[:2])
    assert (no(state, rounds.Done(), seat="red"), no(state, final.Discard(tuple(works[2:3])), seat="blue")) == (
        "HW-98",
        "HW-97",
    )
    tank = state.find(named(state, "b medium_tank"))
    ruling = ruled(state, final.Scrap((tank.id,)), seat="blue")
    assert [(harm.to.id, harm.fate) for line in ruling.reasons for harm in line.harm] == [(tank.id, "gone")]
    assert clauses(ruling.reasons)[0] == "HW-99"
    after_it = ruling.outcome
    assert after_it.deck("blue").scrapyard == (*works[:2], tank.code, *tank.upgrades)
    assert (after_it.round, len(after_it.deck("blue").hand)) == (2, 9)


@pytest.mark.clause("HW-97", "HW-98")
def test_no_more_goes_than_is_too_many_and_only_what_is_there() -> None:
    state = game(
        f"{FIVE}, b medium_tank, b destroyer t1, r medium_tank",
        phase="final",
        hands={"blue": "steel_works " * 5 + "power_plant " * 4, "red": "destroyer"},
    )
    first, second = state.deck("blue").hand[:2]
    assert no(state, final.Discard((first, second)), seat="blue") == no(state, final.Discard(), seat="blue") == "HW-97"
    assert no(state, final.Discard(("u8.0",)), seat="blue") == "HW-37"
    refused = refusal(state, final.Discard((state.deck("red").hand[0],)), seat="red")
    assert (refused.clause, english(refused.text)) == ("HW-97", "You have no more than you may keep.")
    ours = [unit.id for unit in state.units("blue", "deployment")]
    wrong = ([], ours[:2], [named(state, "b destroyer")], [named(state, "r medium_tank")])
    assert [no(state, final.Scrap(tuple(units)), seat="blue") for units in wrong] == ["HW-98"] * 4
    assert no(state, final.Scrap((named(state, "r medium_tank"),)), seat="red") == "HW-98"
    assert no(game(phase="attacker_deployment"), final.Discard(("u0.0",))) == "HW-31"
    twice = game(phase="final", hands={"blue": "steel_works " * 5 + "power_plant " * 5})
    assert no(twice, final.Discard((twice.deck("blue").hand[0],) * 2), seat="blue") == "HW-76"


def test_the_final_phase_offers_what_can_go() -> None:
    state = game(f"{FIVE}, b medium_tank", phase="final", hands={"blue": "steel_works " * 5 + "power_plant " * 5})
    *single, several = offered(state, "discard", "blue")
    assert [offer.given["cards"] for offer in single] == [[one] for one in state.deck("blue").hand]
    assert options_of(several, "cards") == list(state.deck("blue").hand)
    scraps = offered(state, "scrap", "blue")
    assert [offer.on for offer in scraps] == [unit.id for unit in state.units("blue")]
    assert offered(state, "done", "blue") == offered(state, "discard", "red") == offered(state, "scrap", "red") == []
    more = game(FIVE + ", b motorised_company" * 3, phase="final")
    assert len(options_of(offered(more, "scrap", "blue")[-1], "units")) == 8


@pytest.mark.clause("HW-97")
def test_real_cards_are_discarded_by_their_number_or_by_name() -> None:
    state = game(phase="final", hands={"red": "steel_works " * 5 + "power_plant " * 5}, cards="real")
    (offer,) = offered(state, "discard", "red")
    assert offer.given == {"count": 2}
    assert no(state, final.Discard(count=3), seat="red") == "HW-97"
    gone = after(state, final.Discard(count=2), seat="red")
    assert gone.deck("red").scrapyard == ("?", "?")
    known = after(state, final.Discard(("u0.0", "?")), seat="red").deck("red")
    assert (known.scrapyard, known.out) == (("?", "u0.0"), ("u0.0",))


@pytest.mark.clause("HW-01", "HW-06", "HW-100", "HW-101")
def test_who_has_fifteen_victory_points_in_the_final_phase_has_won() -> None:
    state = ending(lands=WON).but(points={"blue": 1})
    assert state.victory_points("blue") == 15
    assert state.begun
    ruling = end(state)
    assert (ruling.outcome.phase, ruling.outcome.winner, ruling.outcome.how) == ("finished", "blue", "points")
    assert ruling.reasons[-1].clause == "HW-100"
    assert [(line.clause, line.value, line.terms) for line in ruling.reasons[-3:]] == [
        ("HW-06", 15, ()),
        ("HW-06", 9, ()),
        ("HW-100", None, ()),
    ], "who wins is no sum of the points"
    short = end(ending(lands=WON))
    assert (short.outcome.phase, short.outcome.round, short.outcome.winner) == ("base_expansion", 2, None)
    assert "HW-101" in clauses(short.reasons)
    assert end(ending(lands=WON, to_win=14)).outcome.winner == "blue"
    assert end(ending(lands=WON, to_win=16).but(points={"blue": 1})).outcome.winner is None


@pytest.mark.clause("HW-A32")
def test_of_two_who_reach_fifteen_the_one_with_more_points_wins() -> None:
    def points(blue: int, red: int, **options: Any) -> State:
        outcome: State = end(ending(lands=WON, **options).but(points={"blue": blue - 14, "red": red - 9})).outcome
        return outcome

    assert (points(15, 16).winner, points(17, 16).winner) == ("red", "blue")
    draw = points(16, 16)
    assert (draw.phase, draw.winner, draw.how) == ("finished", "draw", "points")
    played_on = points(16, 16, tie_at_15="play_on")
    assert (played_on.phase, played_on.winner, played_on.round) == ("base_expansion", None, 2)
    assert points(16, 17, tie_at_15="play_on").winner == "red"


ALL = "b coastal_province b, b river_line b, r industrial_basin r, r coastal_province r"
"""Blue has 9 victory points, Red 11."""
EVEN = "b coastal_province b, b industrial_basin r, r industrial_basin b, r coastal_province r"


@pytest.mark.clause("HW-A33")
def test_where_no_territory_is_left_more_points_win() -> None:
    for lands, winner in ((ALL, "red"), (EVEN, "draw")):
        ruling = end(ending(lands=lands))
        assert (ruling.outcome.phase, ruling.outcome.winner, ruling.outcome.how) == ("finished", winner, "no_territory")
        assert "HW-A33" in clauses(ruling.reasons)
    assert end(ending(lands=ALL, to_win=11)).outcome.how == "points"
    one_left = ALL.removesuffix(" r")
    assert end(ending(lands=one_left)).outcome.round == 2


@pytest.mark.clause("HW-A33")
def test_or_each_adds_another_territory_in_secret() -> None:
    state = ending(lands=ALL, no_territory_left="add_one_each")
    last = after(state, rounds.Done(), seat="blue")
    with pytest.raises(Pending) as pending:
        GAME.rule(last, "red", rounds.Done(), Ask())
    question = pending.value.question
    assert isinstance(question, Together)
    asked = {
        seat: [option.value for option in part.options]
        for seat, part in question.questions.items()
        if isinstance(part, Choose)
    }
    assert asked == {"blue": ["t2", "t3"], "red": ["t1", "t3"]}
    added = after(last, rounds.Done(), seat="red", territories_blue="t3", territories_red="t1")
    assert [(one.id, one.seat, one.card) for one in added.open] == [("t5", "blue", "t3"), ("t6", "red", "t1")]
    assert (added.round, added.phase) == (2, "base_expansion")


@pytest.mark.clause("HW-A33")
def test_a_player_without_another_territory_adds_none() -> None:
    four = "b coastal_province b, b river_line b, b industrial_basin b, b capital_region r"
    state = ending(lands=f"{four}, r coastal_province r", no_territory_left="add_one_each", to_win=60)
    ruling = ruled(after(state, rounds.Done(), seat="blue"), rounds.Done(), seat="red", territories_red="t2")
    assert [(one.seat, one.card) for one in ruling.outcome.open] == [("red", "t2")]
    assert "Blue: no territory card is left" in told(ruling.reasons)
    none = four + ", " + four.replace("b ", "r ", 1).replace(", b ", ", r ")
    over = end(ending(lands=none, no_territory_left="add_one_each", to_win=60)).outcome
    assert start.unused(over, "red") == {}
    assert (over.how, over.winner) == ("no_territory", "blue")


@pytest.mark.clause("HW-28", "HW-101")
def test_the_roles_swap_every_round() -> None:
    state = ending()
    for at, attacker in ((2, "red"), (3, "blue"), (4, "red")):
        ruling = end(state)
        state = ruling.outcome
        assert (state.round, state.attacker) == (at, attacker)
        assert "HW-28" in clauses(ruling.reasons)
        state = state.but(phase="defender_retreat")


@pytest.mark.clause("HW-36", "HW-102", "HW-A39")
def test_all_cards_in_play_are_unlocked_as_the_round_ends() -> None:
    written = (
        "b medium_tank t3 locked blocked ground, r steel_works locked, b bunker_line t3 locked, b heavy_tank t1 locked"
    )
    state = ending(written, lands=WON)
    state = state.with_card(named(state, "b medium_tank"), bonus=Bonus(ground=2))
    ruling = end(state)
    after_it = {card.id: card for card in ruling.outcome.cards}
    assert "HW-102" in clauses(ruling.reasons)
    tank = after_it[named(state, "b medium_tank")]
    assert (tank.locked, tank.blocked, tank.used, tank.bonus) == (False, False, (), Bonus(ground=2))
    assert [card.locked for card in after_it.values()] == [False, False, False, True]
    before = {card.id: card for card in state.cards}
    aside = named(state, "b heavy_tank")
    assert after_it[aside] == before[aside]


@pytest.mark.clause("HW-103", "HW-A37")
def test_cards_with_entrenchment_get_a_marker_each_round() -> None:
    written = "b rifle_company t3, b rifle_company t3 1m, b medium_tank t3 locked, r rifle_company, r rifle_company t1"
    ruling = end(ending(written, lands=WON))
    assert [card.markers for card in ruling.outcome.cards] == [1, 1, 0, 1, 0]
    lines = [line for line in ruling.reasons if line.clause == "HW-103"]
    assert [(english(line.text), line.value) for line in lines] == [
        ("Blue: entrenchment markers on rifle company 1", 1),
        ("Red: entrenchment markers on rifle company 1", 1),
    ]
    stacked = end(ending(written, lands=WON, entrench_stack=True))
    assert [card.markers for card in stacked.outcome.cards] == [1, 2, 0, 1, 0]
    assert "HW-A37" in clauses(stacked.reasons)
    assert clauses(end(ending("b medium_tank t3")).reasons).count("HW-103") == 0


def test_who_gives_up_loses() -> None:
    for state in (game(), game(phase="mulligan", round=0), game(phase="decks", round=0)):
        assert [offer.grave for offer in offered(state, "concede", "red")] == [True]
        over = after(state, rounds.Concede(), seat="red")
        assert (over.phase, over.winner, over.how) == ("finished", "blue", "conceded")
        assert no(over, rounds.Concede(), seat="blue") == no(over, rounds.Done(), seat="blue") == "HW-100"
        assert GAME.offers(over, "blue") == ()
        assert rounds.awaited(over) == ()


def test_whose_word_is_missing_is_known_before_the_first_round_too() -> None:
    decks = game(phase="decks", round=0).but(ready=("red",))
    assert rounds.awaited(decks) == ("blue",)
    looking = game(phase="mulligan", round=0).with_deck("red", kept=False)
    assert rounds.awaited(looking) == ("red",)


def test_other_seats_see_how_many_cards_are_held_and_no_more() -> None:
    one = game(phase="final", hands={"blue": "steel_works " * 5 + "power_plant " * 4})
    two = game(phase="final", hands={"blue": "power_plant " * 5 + "steel_works " * 4})
    assert one.deck("blue").hand != pile(two.deck("blue").hand)
    for seat in ("red", SCREEN):
        seen = [msgspec.json.encode((GAME.view(state, seat), GAME.offers(state, seat))) for state in (one, two)]
        assert seen[0] == seen[1]
