"""The start of a game: decks that are ready, the secret territories, who attacks first, first hands."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.history_of_war import hands, start
from companion.games.history_of_war.cards import TerritoryCard
from companion.games.history_of_war.game import GAME
from companion.games.history_of_war.pieces import SEATS, Deck
from companion.games.history_of_war.state import State
from companion.kit.asking import Ask, Pending
from companion.kit.decks import pile
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Facts
from companion.kit.questions import Choose, Draw, Throw, Together
from companion.kit.ruling import Refusal, Ruling
from tests.support.conformance import settle
from tests.support.history_of_war_positions import (
    after,
    asked,
    code,
    english,
    game,
    named,
    no,
    number,
    offered,
    ruled,
    table,
    told,
)
from tests.support.playing import clauses
from tests.support.toy_tables import Clock, open_tables, public, sit_at

if TYPE_CHECKING:
    from pathlib import Path

    from companion.kit.text import Text
    from companion.table.view_models import Seen

BROUGHT = {"t0,t2": ("coastal province", "industrial basin"), "t1,t3": ("river line", "capital region")}
TWO = {"territories_blue": "t1,t3", "territories_red": "t2,t3"}


def nearly(**options: Any) -> State:
    """A table at which Blue has said to be ready."""
    return after(table(**options), start.Ready(), seat="blue")


def set_up(state: State | None = None, die: int = 2, **more: Any) -> Ruling[State]:
    """The ruling that sets the game up."""
    return ruled(state or nearly(), start.Ready(), die, seat="red", **(TWO | more))


def with_lands(state: State, seat: Any, *points: int, count: int = 1) -> State:
    """The table with other territory cards: their victory points."""
    lands = tuple(
        TerritoryCard(name=f"land {at}", flags=at + 2, victory_points=worth, count=count)
        for at, worth in enumerate(points)
    )
    return state.but(rosters={**state.rosters, seat: replace(state.rosters[seat], territory=lands)})


def holding(names: str, **options: Any) -> State:
    """A table on which the first hands are looked at, Blue's of those cards."""
    state = game(hands={"blue": names}, phase="mulligan", round=0, **options)
    return state.with_deck("blue", kept=False).with_deck("red", kept=False)


def test_players_say_that_they_are_ready_and_may_look_at_the_deck_again() -> None:
    state = table()
    assert [offer.given for offer in offered(state, "ready")] == [{}]
    ready = after(state, start.Ready(), seat="red")
    assert (ready.ready, ready.phase) == (("red",), "decks")
    assert [offer.given for offer in offered(ready, "ready", "red")] == [{"on": False}]
    assert no(ready, start.Ready(), seat="red") == no(state, start.Ready(yes=False)) == "HW-20"
    assert after(ready, start.Ready(yes=False), seat="red").ready == ()


@pytest.mark.clause("HW-20", "HW-22")
def test_nobody_is_ready_without_cards_or_territories() -> None:
    few = with_lands(table(), "blue", 4, 3)
    assert (offered(few, "ready"), no(few, start.Ready())) == ([], "HW-22")
    one = with_lands(table(), "blue", 9)
    assert (offered(one, "ready"), no(one, start.Ready())) == ([], "HW-22")
    bare = dict.fromkeys(("unit", "development", "base_expansion", "upgrade", "action"), ())
    empty = table()
    empty = empty.but(rosters={**empty.rosters, "blue": replace(empty.rosters["blue"], **bare)})
    assert (offered(empty, "ready"), no(empty, start.Ready())) == ([], "HW-20")
    after(few, start.Ready(), seat="red")


def test_the_start_is_over_once_the_game_is_set_up() -> None:
    state = set_up().outcome
    assert no(state, start.Ready()) == no(game(), start.Ready()) == no(game(), start.Ready(yes=False)) == "HW-20"
    assert offered(state, "ready") == []


@pytest.mark.clause("HW-22", "HW-A02", "HW-23")
def test_both_are_asked_at_once_for_two_of_their_own_territories() -> None:
    state = with_lands(nearly(), "red", 5, 3, 4, 8)
    with pytest.raises(Pending) as pending:
        GAME.rule(state, "red", start.Ready(), Ask())
    question = pending.value.question
    assert isinstance(question, Together)
    assert set(question.questions) == set(SEATS)
    part = question.questions["red"]
    assert isinstance(part, Choose)
    open_pairs = {option.value for option in part.options if option.barred is None}
    assert open_pairs == {"t0,t1", "t0,t2", "t0,t3", "t1,t3", "t2,t3"}
    (short,) = [option for option in part.options if option.barred]
    assert (short.value, short.barred.clause if short.barred else "") == ("t1,t2", "HW-22")
    assert english(short.barred.text if short.barred else None) == (
        "Together they are worth 7 victory points; 8 are the least."
    )
    with pytest.raises(Refusal) as refused:
        set_up(state, territories_red="t1,t2")
    assert refused.value.clause == "HW-22"
    least = set_up(state, territories_red="t0,t1").outcome
    assert [least.land(one).victory_points for one in least.territories[2:]] == [5, 3]


def test_whoever_is_ready_last_is_shown_so_while_both_choose() -> None:
    with pytest.raises(Pending) as pending:
        GAME.rule(nearly(), "red", start.Ready(), Ask())
    for seat in SEATS:
        shown = GAME.view(pending.value.progress, seat)
        (facts,) = (panel for panel in shown.panels if isinstance(panel, Facts))
        assert [english(said) for _, said in facts.rows] == ["has said ready"] * 2
        assert english(shown.headline) == "The decks are ready."


@pytest.mark.clause("HW-22")
def test_a_territory_is_chosen_twice_only_by_who_has_two_copies_of_it() -> None:
    one, two = with_lands(table(), "blue", 5, 6), with_lands(table(), "blue", 5, 6, count=2)
    assert [option.value for option in start.pairs(one, "blue")] == ["t0,t1"]
    assert [option.value for option in start.pairs(two, "blue")] == ["t0,t0", "t0,t1", "t1,t1"]


@pytest.mark.clause("HW-23", "HW-24")
def test_the_chosen_territories_are_revealed_together() -> None:
    ruling = set_up()
    state = ruling.outcome
    assert [(one.id, one.seat, one.card) for one in state.open] == [
        ("t1", "blue", "t1"),
        ("t2", "blue", "t3"),
        ("t3", "red", "t2"),
        ("t4", "red", "t3"),
    ]
    revealed = [line for line in ruling.reasons if line.clause == "HW-23"]
    assert told(revealed)[0] == "Blue brings river line: 5 victory points, flags needed 4"
    assert len(revealed) == 4
    assert nearly().territories == ()


@pytest.mark.clause("HW-22", "HW-23")
def test_the_choice_stays_sealed_until_both_have_chosen(tmp_path: Path) -> None:
    told_to_others: list[list[str]] = []
    for at, chosen in enumerate(("t1,t3", "t0,t2")):
        folder = tmp_path / str(at)
        folder.mkdir()
        with open_tables(folder, random.Random(1), clock=Clock(), history_of_war=GAME) as tables:
            sitting = sit_at(tables, "history_of_war", SEATS)
            for seat in SEATS:
                sitting.act(seat, "use_sample", sample=f"{seat}_sample")
                sitting.act(seat, "ready")
            sitting.answer("blue", value=chosen)
            seen = [sitting.seen(seat) for seat in ("red", RULEKEEPER, SCREEN)]
            assert [one.asked is not None for one in seen] == [True, False, False]
            told_to_others.append([public(one) for one in seen])
            sitting.answer("red", value="t2,t3")
            lines = [english(line).split(":")[0] for line in told_lines(sitting.seen("screen"), "HW-23")]
            assert lines[:2] == [f"Blue brings {name}" for name in BROUGHT[chosen]]
            assert lines[2:] == ["Red brings industrial basin", "Red brings capital region"]
    assert told_to_others[0] == told_to_others[1]


def told_lines(seen: Seen, clause: str) -> list[Text]:
    return [reason.text for line in seen.log for reason in line.reasons if reason.clause == clause]


@pytest.mark.clause("HW-30")
def test_a_die_says_who_attacks_first() -> None:
    for face in range(1, 7):
        ruling = set_up(die=face)
        assert ruling.outcome.attacker == ("blue" if face <= 3 else "red")
        (line,) = [line for line in ruling.reasons if line.clause == "HW-30"]
        assert line.faces == (face,)
    (throw,) = [one for one in asked(nearly(), start.Ready(), 2, seat="red", **TWO) if isinstance(one, Throw)]
    assert (throw.count, throw.sides, throw.clause) == (1, 6, "HW-30")


@pytest.mark.clause("HW-05", "HW-20", "HW-21", "HW-25")
def test_all_cards_but_the_territories_are_shuffled_and_eight_dealt() -> None:
    draws = [one for one in asked(nearly(), start.Ready(), 2, seat="red", **TWO) if isinstance(one, Draw)]
    assert [(one.count, one.by, one.secret) for one in draws] == [(8, "blue", True), (8, "red", True)]
    ruling = set_up()
    state = ruling.outcome
    assert state.phase == "mulligan"
    for seat in SEATS:
        deck, roster = state.deck(seat), state.rosters[seat]
        assert (len(deck.hand), len(deck.hand) + len(deck.depot)) == (8, roster.size)
        assert {state.find_card(seat, card) for card in (*deck.hand, *deck.depot)} == set(roster.cards)
    assert clauses(ruling.reasons).count("HW-21") == 2


def test_a_depot_of_a_few_cards_is_drawn_whole() -> None:
    state = nearly()
    roster = state.rosters["blue"]
    bare = dict.fromkeys(("unit", "development", "upgrade", "action"), ())
    few = replace(roster, base_expansion=(replace(roster.base_expansion[0], count=3),), **bare)
    ruling = set_up(state.but(rosters={**state.rosters, "blue": few}))
    assert ruling.outcome.deck("blue") == Deck((), ("b0.0", "b0.1", "b0.2"))
    assert "Blue: 3 cards left in the depot" in told(ruling.reasons)


def test_nobody_else_hears_what_is_drawn() -> None:
    def others(state: State) -> bytes:
        ruling = settle(lambda ask: GAME.rule(state, "blue", start.Mulligan(), ask), random.Random(5))[0]
        lines = [line for line in ruling.reasons if line.seat is None]
        return msgspec.json.encode((lines, GAME.view(ruling.outcome, "red"), GAME.offers(ruling.outcome, "red")))

    one, two = holding("heavy_tank steel_works"), holding("power_plant power_plant")
    assert others(one) == others(two)
    private = [line for line in ruled(one, start.Mulligan(), seat="blue").reasons if line.seat is not None]
    assert [line.seat for line in private] == ["blue"]


@pytest.mark.clause("HW-26", "HW-A03")
def test_a_whole_hand_is_shuffled_back_and_changed_once() -> None:
    state = holding("heavy_tank steel_works steel_works steel_works")
    (draw,) = [one for one in asked(state, start.Mulligan(), seat="blue") if isinstance(one, Draw)]
    assert (draw.count, draw.pile) == (8, pile(hands.shuffled(state, "blue").deck("blue").depot))
    wanted = (*(f"u0.{copy}" for copy in range(6)), "u1.0", "u1.1")
    changed = after(state, start.Mulligan(), seat="blue", drawn=wanted)
    deck = changed.deck("blue")
    assert (deck.hand, deck.mulligan, deck.kept, changed.phase) == (wanted, True, True, "mulligan")
    assert no(changed, start.Mulligan(), seat="blue") == no(changed, start.Keep(), seat="blue") == "HW-A03"
    assert offered(changed, "mulligan", "blue") == offered(changed, "keep", "blue") == []


@pytest.mark.clause("HW-26", "HW-A03")
def test_where_it_was_agreed_on_only_a_hand_with_few_base_expansions_is_changed() -> None:
    two = "steel_works power_plant heavy_tank heavy_tank"
    one = "steel_works heavy_tank heavy_tank"
    assert no(holding(two, mulligan="strict"), start.Mulligan(), seat="blue") == "HW-A03"
    assert offered(holding(two, mulligan="strict"), "mulligan", "blue") == []
    for state in (holding(one, mulligan="strict"), holding(two), holding(two, mulligan="strict", cards="real")):
        assert len(offered(state, "mulligan", "blue")) == 1
        assert after(state, start.Mulligan(), seat="blue").deck("blue").mulligan


def test_the_first_round_begins_when_both_have_their_hand() -> None:
    state = after(set_up(die=6).outcome, start.Keep(), seat="red")
    assert (state.phase, state.round) == ("mulligan", 0)
    assert no(state, start.Keep(), seat="red") == "HW-A03"
    state = after(state, start.Keep(), seat="blue")
    assert (state.phase, state.round, state.attacker) == ("base_expansion", 1, "red")
    assert no(state, start.Keep()) == no(state, start.Mulligan()) == "HW-26"


def test_real_cards_are_counted_and_nothing_is_drawn() -> None:
    state = set_up(nearly(cards="real")).outcome
    assert state.deck("red") == Deck(("?",) * 42, ("?",) * 8)
    assert [one for one in asked(state, start.Mulligan(), seat="red") if isinstance(one, Draw)] == []
    changed = after(state, start.Mulligan(), seat="red").deck("red")
    assert (changed.depot, changed.hand, changed.kept) == (("?",) * 42, ("?",) * 8, True)


@pytest.mark.clause("HW-76")
def test_what_lies_in_the_scrapyard_is_out_of_the_game() -> None:
    state = game(hands={"blue": "medium_tank destroyer"})
    tank, destroyer = code(state, "blue", "medium_tank"), code(state, "blue", "destroyer")
    hands.check_held(state, "blue", tank)
    gone = hands.discarded(state, "blue", tank)
    assert (gone.deck("blue").hand, gone.deck("blue").scrapyard) == ((destroyer,), (tank,))
    laid, _ = hands.taken_out(gone, "blue", destroyer)
    for lost, clause in ((tank, "HW-76"), (destroyer, "HW-37"), ("u99.0", "HW-37")):
        with pytest.raises(Refusal) as refused:
            hands.check_held(laid, "blue", lost)
        assert refused.value.clause == clause
    assert hands.take_back(laid, "blue", destroyer).deck("blue").hand == (destroyer,)


@pytest.mark.clause("HW-76")
def test_of_real_cards_any_of_the_list_is_named_of_which_copies_are_left() -> None:
    state = game("b heavy_tank t1", hands={"blue": "heavy_tank steel_works"}, cards="real")
    heavy = number(state, "blue", "heavy_tank")
    assert len(hands.playable(state, "blue")) == len(state.rosters["blue"].cards)
    laid, code_now = hands.taken_out(state, "blue", f"{heavy}.0")
    assert code_now == f"{heavy}.1"
    assert (laid.deck("blue").hand, laid.deck("blue").out) == (("?",), (f"{heavy}.0", f"{heavy}.1"))
    assert f"{heavy}.0" not in hands.playable(laid, "blue")
    with pytest.raises(Refusal) as refused:
        hands.check_held(laid, "blue", f"{heavy}.0")
    assert (refused.value.clause, english(refused.value.text)) == (
        "HW-37",
        "All copies of heavy tank have been played.",
    )
    assert hands.take_back(laid, "blue", f"{heavy}.1") == state
    lost = hands.bury(laid, laid.played(named(laid, "b heavy_tank")))
    assert (lost.cards, lost.deck("blue").scrapyard) == ((), (f"{heavy}.0",))
    with pytest.raises(Refusal) as refused:
        hands.check_held(lost, "blue", f"{heavy}.0")
    assert refused.value.clause == "HW-76"
    unnamed = hands.discarded(laid, "blue", "?").deck("blue")
    assert (unnamed.hand, unnamed.scrapyard, unnamed.out) == ((), ("?",), laid.deck("blue").out)


@pytest.mark.clause("HW-A38", "HW-74")
def test_upgrades_follow_their_unit_to_the_scrapyard() -> None:
    state = game("b medium_tank t1 +veteran_crews, r rifle_company t1")
    tank = state.played(named(state, "b medium_tank"))
    gone = hands.bury(state, tank)
    assert [card.seat for card in gone.cards] == ["red"]
    assert gone.deck("blue").scrapyard == (tank.code, *tank.upgrades)
    assert len(gone.deck("blue").scrapyard) == 2
