"""The victory phase: flags, conquests, occupations, and the look-up of a conquest (HW-06, HW-87 to HW-96)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games.history_of_war import conquest
from companion.games.history_of_war.cards import DevelopmentCard, Roster, TerritoryCard, UnitCard
from companion.games.history_of_war.contests import Conquest, ConquestFacts, Contest, added_up, cheapest, half, spared
from companion.games.history_of_war.game import GAME
from companion.kit.asking import Ask
from companion.kit.ruling import Refusal
from companion.web.play.report import arithmetic
from tests.support.history_of_war_positions import (
    after,
    english,
    entered,
    game,
    lying,
    named,
    no,
    offered,
    refusal,
    ruled,
    told,
)
from tests.support.playing import clauses

if TYPE_CHECKING:
    from companion.games.history_of_war.state import State

FIELD = (
    "b medium_tank t1, b motorised_company t1, b heavy_tank t1 locked, b bunker_line t1, "
    "r rifle_company t1 locked, r flak_battery t1, r bunker_line t1"
)
"""In t1 (3 flags, 4 points) Blue has 3 + 2 + 1 unlocked flags and Red 1 + 1."""


def victory(written: str = FIELD, **more: Any) -> State:
    """A victory phase; nothing passes by itself, so that what an occupation leaves can be looked at."""
    return game(written, phase="victory", **({"step_by_step": True} | more))


def contest(state: State, name: str = "t1") -> Contest:
    found = state.territory(name)
    assert found is not None
    return conquest.contest_in(state, found)


def occupy(state: State, *keep: str, territory: str = "t1") -> conquest.Occupy:
    return conquest.Occupy(territory, tuple(named(state, one) for one in keep))


def drawn(blue: int, red: int, **more: Any) -> Contest:
    """A contest for a territory of 3 flags and 4 points; both have force enough."""
    fields: dict[str, Any] = {"locked": {"blue": 0, "red": 0}, "force": {"blue": 9, "red": 9}, "flags": 3, "points": 4}
    return Contest(totals={"blue": blue, "red": red}, **(fields | more))


@pytest.mark.clause("HW-88", "HW-89", "HW-90")
def test_unlocked_flags_of_units_and_developments_count() -> None:
    found = contest(victory())
    assert (found.totals, found.locked) == ({"blue": 6, "red": 2}, {"blue": 3, "red": 2})
    assert (found.leader, found.difference, found.needed, found.enough) == ("blue", 4, 3, True)
    assert found.conqueror == "blue"
    assert contest(victory(), "t2").totals == {"blue": 0, "red": 0}


@pytest.mark.clause("HW-88")
def test_upgrades_and_what_was_added_by_hand_count() -> None:
    card = lying(victory(), "b medium_tank")
    state = victory().with_card(card.id, bonus=type(card.bonus)(flags=-2))
    assert contest(state).totals["blue"] == 4


@pytest.mark.clause("HW-89", "HW-90", "HW-A25")
@pytest.mark.parametrize(
    ("blue", "red", "flags", "conqueror"),
    [
        (4, 1, 3, "blue"),
        (3, 1, 3, None),
        (1, 4, 3, "red"),
        (0, 2, 3, None),
        (4, 4, 0, None),
        (5, 4, 0, "blue"),
        (0, 0, 0, None),
    ],
)
def test_the_difference_conquers(blue: int, red: int, flags: int, conqueror: str | None) -> None:
    assert drawn(blue, red, flags=flags).conqueror == conqueror


@pytest.mark.clause("HW-90")
def test_what_would_flip_a_territory() -> None:
    ahead = drawn(4, 3)
    assert [ahead.to_conquer(seat) for seat in ("blue", "red")] == [2, 4]
    assert (ahead.to_lead("red"), ahead.to_stop("red")) == (2, 0)
    assert (ahead.to_lead("blue"), ahead.to_stop("blue")) == (0, 0)
    won = drawn(3, 8)
    assert (won.to_conquer("red"), won.to_stop("blue"), won.to_lead("blue")) == (0, 3, 6)
    assert drawn(6, 8).conqueror is None, "with three more Red no longer conquers"
    level = drawn(4, 4)
    assert (level.leader, level.difference, level.to_conquer("blue"), level.to_lead("red")) == (None, 0, 3, 1)
    bare = drawn(4, 4, flags=0)
    assert (bare.needed, bare.to_conquer("red")) == (1, 1), "a difference of nothing conquers nothing"


@pytest.mark.clause("HW-91", "HW-A26")
@pytest.mark.parametrize(("points", "force", "possible"), [(4, 2, True), (4, 1, False), (7, 3, False), (7, 4, True)])
def test_half_the_points_are_not_rounded(points: int, force: int, possible: bool) -> None:
    found = drawn(9, 0, points=points, force={"blue": force, "red": 0})
    assert (found.occupation_possible, found.conqueror) == (possible, "blue" if possible else None)
    assert found.occupation_needed == Fraction(points, 2)
    assert half(points) == {4: "2", 7: "3.5"}[points]


@pytest.mark.clause("HW-87", "HW-A28", "HW-A30")
def test_pending_are_the_conquests_of_this_phase() -> None:
    state = victory(FIELD + ", r battleship t2, r heavy_tank t2, r medium_tank t3")
    assert conquest.pending(state) == {"t1": "blue", "t2": "red"}
    assert conquest.pending(state.but(phase="final")) == {}
    assert conquest.pending(state.with_territory("t2", conqueror="red")) == {"t1": "blue"}
    assert [offer.given["territory"] for seat in ("blue", "red") for offer in offered(state, "occupy", seat)] == [
        "t1",
        "t2",
    ]


@pytest.mark.clause("HW-92", "HW-93", "HW-94", "HW-95", "HW-06")
def test_an_occupation() -> None:
    state = victory()
    ruling = ruled(state, occupy(state, "b motorised_company"))
    now = ruling.outcome
    places = {card.id: (card.place, card.locked) for card in now.cards}
    assert places == {
        named(state, "b motorised_company"): ("t1", False),
        named(state, "b bunker_line"): ("t1", False),
        named(state, "b medium_tank"): ("deployment", True),
        named(state, "b heavy_tank"): ("deployment", True),
        named(state, "r rifle_company"): ("deployment", True),
        named(state, "r flak_battery"): ("deployment", True),
    }
    assert now.deck("red").scrapyard == (lying(state, "r bunker_line").code,)
    assert [one.id for one in now.open] == ["t2", "t3", "t4"]
    assert now.victory_points("blue") == 4
    assert now.of("blue", "t1") == (), "it has left the territory area"
    assert clauses(ruling.reasons)[:2] == ["HW-89", "HW-91"]
    assert [reason.value for reason in ruling.reasons[:2]] == [4, 2]
    assert {harm.fate for reason in ruling.reasons for harm in reason.harm} == {"gone"}


@pytest.mark.clause("HW-A38")
def test_upgrades_stay_with_what_stays_and_what_goes_home() -> None:
    state = victory("b medium_tank t1 +veteran_crews, b heavy_tank t1 +veteran_crews")
    now = after(state, occupy(state, "b heavy_tank"))
    assert all(len(card.upgrades) == 1 for card in now.cards)


@pytest.mark.clause("HW-91")
def test_too_small_a_force_is_refused_with_the_arithmetic() -> None:
    state = victory("b medium_tank t3, b rifle_company t3, b battleship t3")
    refused = refusal(state, occupy(state, "b medium_tank", territory="t3"))
    assert (refused.clause, refused.field) == ("HW-91", "keep")
    assert english(refused.text) == (
        "3 flags would stay in industrial basin, at least 4 must: half of 7 victory points is 3.5."
    )
    assert no(state, conquest.Occupy("t3", ())) == "HW-91"


@pytest.mark.clause("HW-91")
def test_who_lets_nobody_stay_is_told_how_many_flags_must() -> None:
    state = victory("b medium_tank t3, b rifle_company t3, b battleship t3")
    nobody = msgspec.convert({"action": "occupy", "territory": "t3"}, GAME.actions)
    refused = refusal(state, nobody)
    assert (refused.clause, refused.field) == ("HW-91", "keep")
    assert english(refused.text).startswith("0 flags would stay in industrial basin, at least 4 must: ")


@pytest.mark.clause("HW-91")
def test_a_force_that_is_enough_takes_it() -> None:
    state = victory("b medium_tank t3, b rifle_company t3, b battleship t3")
    now = after(state, occupy(state, "b medium_tank", "b rifle_company", territory="t3"))
    assert now.victory_points("blue") == 7


@pytest.mark.clause("HW-A27")
def test_locked_units_may_stay_and_developments_do_not_count() -> None:
    state = victory()
    assert after(state, occupy(state, "b heavy_tank")).victory_points("blue") == 4
    assert no(state, occupy(state, "b bunker_line")) == "HW-A27"
    for foreign in ("r flak_battery", "r bunker_line"):
        assert no(state, occupy(state, "b heavy_tank", foreign)) == "HW-A27"
    elsewhere = victory(FIELD + ", b battleship")
    assert no(elsewhere, occupy(elsewhere, "b heavy_tank", "b battleship")) == "HW-A27"
    assert no(state, conquest.Occupy("t1", ("c99",))) == "HW-A27"


@pytest.mark.clause("HW-A27")
def test_developments_occupy_where_that_was_agreed_on() -> None:
    written = "b medium_tank t1, b bunker_line t1, b bunker_line t1"
    state = victory(written, developments_occupy=True)
    (offer,) = offered(state, "occupy")
    assert offer.fields[0].value == (), "the developments are enough"
    now = after(state, conquest.Occupy("t1", ()))
    assert [card.place for card in now.cards] == ["deployment", "t1", "t1"]
    assert after(state, occupy(state, "b bunker_line")) == now, "they stay anyhow"
    assert no(victory(written), conquest.Occupy("t1", ())) == "HW-91"


@pytest.mark.clause("HW-A28")
def test_what_can_not_be_occupied_is_not_conquered() -> None:
    state = victory("b fighter_wing t1, b bunker_line t1, b bunker_line t1")
    found = contest(state)
    assert (found.enough, found.occupation_possible, found.conqueror) == (True, False, None)
    assert conquest.pending(state) == {}
    assert offered(state, "occupy") == []
    refused = refusal(state, occupy(state, "b fighter_wing"))
    assert refused.clause == "HW-A28"
    assert english(refused.text).startswith("All your units in coastal province have 1 flag;")
    assert contest(victory("b fighter_wing t1, b bunker_line t1, b bunker_line t1", developments_occupy=True)).conqueror


@pytest.mark.clause("HW-87", "HW-90", "HW-95", "HW-A25")
def test_only_the_conqueror_occupies_in_the_victory_phase() -> None:
    state = victory()
    assert no(state, conquest.Occupy("t1", ()), seat="red") == "HW-90"
    assert no(state.but(phase="damage_2"), occupy(state, "b heavy_tank")) == "HW-87"
    assert no(state, conquest.Occupy("t2", ())) == "HW-A25"
    assert no(state, conquest.Occupy("t9", ())) == "HW-24"
    assert no(after(state, occupy(state, "b heavy_tank")), occupy(state, "b heavy_tank")) == "HW-95"


@pytest.mark.clause("HW-88", "HW-89")
def test_flags_that_are_subtracted_are_also_where_there_are_none() -> None:
    state = game("b heavy_tank t1", phase="victory")
    line = arithmetic(added_up(conquest.contest_in(state, state.territories[0])), english)
    assert line.startswith("3 unlocked flags of Blue (HW-88) − 0 unlocked flags of Red (HW-88) = Blue leads by 3; ")


@pytest.mark.clause("HW-89", "HW-91", "HW-06")
def test_every_sum_of_a_conquest_ends_in_its_number() -> None:
    state = victory()
    found = ruled(state, occupy(state, "b motorised_company")).reasons
    lines = [arithmetic(reason, english) for reason in found if reason.clause in {"HW-89", "HW-91", "HW-06"}]
    assert lines[0].startswith("6 unlocked flags of Blue (HW-88) − 2 unlocked flags of Red (HW-88) = Blue leads by 4; ")
    assert lines[1:] == [
        "Motorised company: 2 flags stay; half of 4 victory points is 2 (HW-91)",
        "4 victory points, 4 in all (HW-06)",
    ]


@pytest.mark.clause("HW-A29")
def test_units_that_could_be_spared_are_named() -> None:
    state = victory()
    lines = told(ruled(state, occupy(state, "b medium_tank", "b motorised_company", "b heavy_tank")).reasons)
    assert "More than is needed: motorised company, medium tank could have gone home" in lines
    assert not [line for line in told(ruled(state, occupy(state, "b heavy_tank")).reasons) if "More than" in line]


@pytest.mark.clause("HW-91", "HW-A29")
def test_the_cheapest_force_is_filled_in() -> None:
    state = victory()
    (offer,) = offered(state, "occupy")
    field = offer.fields[0]
    assert field.value == (named(state, "b motorised_company"),), "2 flags for 2 TA are enough for 4 points"
    assert {option.value for option in field.options} == {
        named(state, f"b {name}") for name in ("medium_tank", "motorised_company", "heavy_tank")
    }
    assert english(field.hint) == "At least 2 flags have to stay; the other units go home, locked."
    assert (offer.clause, offer.given, offer.on) == ("HW-91", {"territory": "t1"}, None), "it stands in the dock"
    assert [(line.clause, line.value) for line in offer.advice] == [("HW-89", 4)]
    assert after(state, conquest.Occupy("t1", tuple(field.value))).victory_points("blue") == 4


def test_which_units_are_cheapest_and_which_could_be_spared() -> None:
    units = [("a", 3, 5), ("b", 2, 1), ("c", 1, 1), ("d", 2, 2), ("e", 0, 0)]
    assert cheapest(units, Fraction(3)) == ("b", "c")
    assert cheapest(units, Fraction(7, 2)) == ("b", "d")
    assert cheapest([("a", 1, 1), ("b", 1, 1), ("c", 2, 2)], Fraction(2)) == ("c",), "as dear as two, but only one"
    assert cheapest(units, Fraction(99)) == cheapest(units, Fraction(0)) == ()
    assert spared([("a", 3), ("b", 2), ("c", 1)], Fraction(3)) == ("c", "b")
    assert spared([("a", 3), ("b", 2), ("c", 1)], Fraction(9, 2)) == ("c",)
    assert spared([("a", 3)], Fraction(3)) == ()


@pytest.mark.clause("HW-96", "HW-A31")
def test_what_is_written_on_a_territory_is_told_to_who_holds_it() -> None:
    land = TerritoryCard(name="Ports", flags=1, victory_points=2, text="Draw a card more.")
    unit = UnitCard(name="Guard", category="ground", flags=2, dv=2)
    roster = Roster(name="mine", territory=(land,), unit=(unit,), development=(DevelopmentCard(name="Hut"),))
    state = game(lands="b Ports", phase="victory", rosters={"blue": roster}, step_by_step=True)
    state = entered(state, "b Guard t1")
    ruling = ruled(state, conquest.Occupy("t1", (named(state, "b Guard"),)))
    assert ("HW-96", "Whoever holds it may use what is written on it: Draw a card more.") in [
        (reason.clause, english(reason.text)) for reason in ruling.reasons
    ]


@pytest.mark.clause("HW-A30")
def test_the_phase_ends_when_all_that_was_conquered_is_occupied() -> None:
    state = victory(FIELD + ", r battleship t2, r heavy_tank t2", step_by_step=False)
    now = after(state, occupy(state, "b heavy_tank"))
    assert (now.phase, now.round) == ("victory", 1)
    done = after(now, occupy(now, "r battleship", "r heavy_tank", territory="t2"), seat="red")
    assert (done.phase, done.round) == ("base_expansion", 2)
    assert (done.victory_points("blue"), done.victory_points("red")) == (4, 5)


def answer(**facts: Any) -> tuple[Conquest, str, list[str | None]]:
    ruling = GAME.lookups["conquest"].rule(ConquestFacts(**facts), Ask())
    return ruling.outcome, english(ruling.headline), clauses(ruling.reasons)


@pytest.mark.clause("HW-88", "HW-89", "HW-90", "HW-91", "HW-92")
def test_the_look_up_says_who_conquers_and_who_stays() -> None:
    found, said, cited = answer(blue=7, red=3, flags=4, victory_points=6, units="3, 2, 4")
    assert (found.conqueror, found.difference, found.occupation_needed) == ("blue", 4, 3)
    assert (found.keep, found.spared, found.more) == ((3,), (2, 4), {"blue": 0, "red": 8})
    assert said == "Blue conquers the territory; 3 flags stay"
    assert cited == ["HW-89", "HW-91"]
    assert answer(blue=7, red=3, flags=4, victory_points=6, units="4, 3")[0].keep == (3,), "as few flags as will do"
    untold, said, _ = answer(blue=7, red=3, flags=4, victory_points=6)
    assert (untold.keep, said) == (None, "Blue conquers the territory")


@pytest.mark.clause("HW-A25", "HW-A26", "HW-A28")
def test_the_look_up_says_why_nobody_does() -> None:
    assert answer(blue=5, red=2, flags=4)[1] == "Nobody conquers the territory: Blue lacks 1 flag"
    assert answer(blue=5, red=5, flags=0)[1] == "Nobody conquers the territory: a tie"
    found, said, cited = answer(blue=0, red=6, flags=4, victory_points=7, units="3")
    assert (found.conqueror, said) == (None, "Nobody conquers the territory: it could not be occupied")
    assert cited == ["HW-89", "HW-91", "HW-A28"]
    assert found.occupation_needed == Fraction(7, 2)


@pytest.mark.parametrize("units", ["three", "3, x", "-1", "1 " * 41, "100", "3.5"])
def test_the_look_up_refuses_flags_that_it_can_not_read(units: str) -> None:
    with pytest.raises(Refusal) as refused:
        answer(units=units)
    assert refused.value.field == "units"
