"""First hands, changed once or kept; and how cards are drawn, held and played, dealt by Companion or real."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm import players
from companion.games.tactics_2gm.cards import Roster
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.start import Keep, Mulligan, Ready
from companion.games.tactics_2gm.state import Deck, State
from companion.kit.correction import Tracked
from companion.kit.decks import pile
from companion.kit.questions import Draw
from companion.kit.ruling import Refusal
from companion.kit.text import Text
from tests.support.conformance import filled, settle
from tests.support.tactics_2gm_positions import Scripted, after, asked, battle, code, english, no, ruled, table, told

STARTING = {"ready", "place_terrain", "take_terrain", "set_natural", "lay_tiles", "mulligan", "keep"}
FIVE = "light_infantry medic tiger shovel veterans"


def looking(**options: Any) -> State:
    """A table on which the first hands are looked at; the Allies begin."""
    state = table(**options)
    for seat in state.seats[:-1]:
        state = after(state, Ready(), seat=seat)
    dice = () if state.scenario else (9, 1)
    return after(state, Ready(), *dice, seat=state.seats[-1], bid_allies="0", bid_axis="0", first="allies")


def offers(state: State, seat: str) -> list[str]:
    """What this chapter offers a seat."""
    return [offer.action for offer in GAME.offers(state, seat) if offer.action in STARTING]


def settled(state: State, *seats: str) -> State:
    for seat in seats or state.seats:
        state = after(state, Keep(), seat=seat)
    return state


def with_cards(state: State, seat: Any, count: int) -> State:
    """The table with a deck of so many cards."""
    card = replace(state.rosters[seat].unit[0], count=count)
    return state.but(rosters={**state.rosters, seat: Roster(name="few", unit=(card,))})


@pytest.mark.clause("G2-52", "G2-A35")
def test_everybody_is_dealt_five_cards_of_his_own_deck() -> None:
    for options in ({}, {"players": "three"}, {"players": "four"}, {"players": "four", "copies": "two"}):
        state = looking(**options)
        assert state.phase == "mulligan"
        for seat in state.seats:
            deck = state.deck(seat)
            assert len(deck.hand) == 5
            assert pile((*deck.hand, *deck.pile)) == pile(players.codes(state.rosters[seat]))
            assert offers(state, seat) == ["keep", "mulligan"]


@pytest.mark.clause("G2-53", "G2-54", "G2-A14")
def test_a_whole_hand_is_changed_once() -> None:
    state = looking()
    question = next(one for one in asked(state, Mulligan(), seat="axis") if isinstance(one, Draw))
    assert (question.count, question.by, question.secret) == (5, "axis", True)
    assert question.pile == pile(players.codes(state.rosters["axis"]))
    ruling = ruled(state, Mulligan(), seat="axis", drawn=("4.0", "4.1", "4.2", "13.0", "14.0"))
    deck = ruling.outcome.deck("axis")
    assert deck.hand == pile(("4.0", "4.1", "4.2", "13.0", "14.0"))
    assert pile((*deck.hand, *deck.pile)) == question.pile
    assert (deck.mulligan, deck.kept, ruling.outcome.phase) == (True, True, "mulligan")
    assert no(ruling.outcome, Mulligan(), seat="axis") == "G2-54"
    assert no(ruling.outcome, Keep(), seat="axis") == "G2-54"
    assert offers(ruling.outcome, "axis") == []
    assert after(ruling.outcome, Mulligan(), seat="allies").turn == 1


@pytest.mark.clause("G2-53")
def test_the_first_turn_begins_when_all_have_their_hand() -> None:
    state = settled(looking(players="four"), "allies_1", "axis_1", "axis_2")
    assert (state.phase, GAME.view(state, "screen").to_move) == ("mulligan", ("allies_2",))
    assert no(state, Keep(), seat="axis_1") == no(state, Mulligan(), seat="axis_1") == "G2-53"
    state = after(state, Keep(), seat="allies_2")
    assert (state.phase, state.turn, state.active) == ("headquarters", 1, "allies")
    assert no(state, Keep(), seat="axis_1") == no(state, Mulligan(), seat="axis_1") == "G2-53"
    assert no(table(), Keep()) == no(table(), Mulligan()) == "G2-53"


@pytest.mark.clause("G2-55")
def test_a_scenario_deals_its_own_number_of_cards() -> None:
    state = looking(mode="scenario")
    assert [len(state.deck(seat).hand) for seat in state.seats] == [6, 6]
    assert len(after(state, Mulligan(), seat="axis").deck("axis").hand) == 6


def test_a_deck_smaller_than_a_hand_is_drawn_whole() -> None:
    state = after(with_cards(table(), "allies", 3), Ready(), seat="allies")
    ruling = ruled(state, Ready(), 9, 1, seat="axis", bid_allies="0", bid_axis="0")
    deck = ruling.outcome.deck("allies")
    assert (deck.hand, deck.pile) == (("0.0", "0.1", "0.2"), ())
    assert "Allies: 3 left in the deck" in told(ruling.reasons)
    assert "Allies: 3 cards drawn (first hand)" in told(ruling.reasons)
    changed = after(ruling.outcome, Mulligan(), seat="allies").deck("allies")
    assert (changed.hand, changed.pile) == (("0.0", "0.1", "0.2"), ())


def test_nobody_else_hears_what_was_drawn() -> None:
    def other_cards(state: State, seat: str) -> list[Any]:
        ruling = settle(lambda ask: GAME.rule(state, seat, Mulligan(), ask), random.Random(5))[0]
        return [line for line in ruling.reasons if line.seat is None], GAME.view(ruling.outcome, "axis")

    state = looking()
    other = state.with_deck("allies", hand=("13.0", "12.0", "11.0", "10.0", "9.0"))
    assert other_cards(state, "allies") == other_cards(other, "allies")
    private = [line for line in ruled(state, Mulligan(), seat="allies").reasons if line.seat == "allies"]
    assert [english(line.text) for line in private] == ["You draw: " + ", ".join(["light infantry"] * 5)]


def test_real_cards_are_counted_and_nothing_is_drawn() -> None:
    state = looking(cards="real")
    assert state.deck("axis") == Deck(("?",) * 49, ("?",) * 5)
    assert [one.key for one in asked(state, Mulligan(), seat="axis")] == []
    changed = after(state, Mulligan(), seat="axis").deck("axis")
    assert (changed.pile, changed.hand, changed.kept) == (("?",) * 49, ("?",) * 5, True)


def test_a_draw_takes_what_is_there_and_tells_its_owner() -> None:
    state = battle(hands={"allies": "medic"})
    few = state.with_deck("allies", pile=("0.0", "4.1"))
    ask = Scripted()
    drawn = players.draw(few, "allies", 3, Text("cards"), ask)
    assert (drawn.deck("allies").hand, drawn.deck("allies").pile) == (pile(("0.0", "4.1", "13.0")), ())
    assert told(ask.reasons) == [
        "Allies: 2 left in the deck",
        "Allies: 2 cards drawn (cards)",
        "You draw: light infantry, M4 Sherman",
    ]
    assert [line.seat for line in ask.reasons] == [None, None, "allies"]
    empty = Scripted()
    assert players.draw(drawn, "allies", 1, Text("cards"), empty) == drawn
    assert empty.asked == []


def test_a_card_is_played_from_the_hand_to_the_table_or_the_discard_pile() -> None:
    state = battle(hands={"axis": FIVE})
    tiger, medic = code(state, "axis", "tiger"), code(state, "axis", "medic")
    assert set(players.playable(state, "axis")) == set(state.deck("axis").hand)
    players.check_held(state, "axis", tiger)
    on_table = players.leave_hand(state, "axis", tiger, discard=False)
    assert (on_table.deck("axis").out, on_table.deck("axis").discard) == ((tiger,), ())
    gone = players.leave_hand(on_table, "axis", medic, discard=True)
    assert (gone.deck("axis").out, gone.deck("axis").discard) == ((tiger, medic), (medic,))
    assert len(gone.deck("axis").hand) == 3
    assert players.bury(gone, "axis", tiger).deck("axis").discard == (medic, tiger)
    for wrong, text in ((tiger, "Tiger is not in your hand."), ("99.0", "There is no such card in your deck.")):
        with pytest.raises(Refusal) as refused:
            players.check_held(on_table, "axis", wrong)
        assert (english(refused.value.text), refused.value.clause, refused.value.field) == (text, "G2-89", "card")


def test_of_real_cards_those_can_be_played_of_which_a_copy_is_left() -> None:
    state = battle("x1 tiger", cards="real", board="table", hands={"axis": FIVE})
    tiger = code(state, "axis", "tiger")
    assert len(players.playable(state, "axis")) == len(state.rosters["axis"].cards)
    state = players.leave_hand(state, "axis", tiger, discard=False)
    assert state.deck("axis").hand == ("?",) * 4
    state = players.leave_hand(state, "axis", tiger, discard=True)
    assert (state.deck("axis").out, state.deck("axis").discard) == (("4.0", "4.1", "4.2"), ("4.2",))
    assert tiger not in players.playable(state, "axis")
    with pytest.raises(Refusal) as refused:
        players.check_held(state, "axis", tiger)
    assert english(refused.value.text) == "All copies of Tiger have been played."
    unnamed = players.leave_hand(state, "axis", "?", discard=True)
    assert (unnamed.deck("axis").hand, unnamed.deck("axis").discard) == (("?",) * 2, ("4.2", "?"))
    assert unnamed.deck("axis").out == state.deck("axis").out
    none = state.with_deck("axis", hand=())
    assert players.playable(none, "axis") == players.playable(table(cards="real").but(rosters={}), "axis") == ()
    with pytest.raises(Refusal):
        players.check_held(none, "axis", "0.0")


@pytest.mark.parametrize(
    "options", [{}, {"cards": "real"}, {"players": "three"}, {"players": "four", "board": "table"}]
)
def test_what_is_offered_before_the_first_turn_is_never_refused(options: Any) -> None:
    """Play at random what this chapter offers, from ready decks to the first turn."""
    did = set()
    for seed in range(12):
        rng, state = random.Random(seed), table(**options)
        while not state.begun:
            seat = rng.choice(state.seats)
            mine = [offer for offer in GAME.offers(state, seat) if offer.action in STARTING]
            if not mine:
                continue
            sent = filled(rng.choice(mine), rng)
            action = msgspec.convert(sent, GAME.actions, strict=False)
            did.add(sent["action"])
            state = settle(rule_on(state, seat, action), rng)[0].outcome
        assert (state.turn, state.phase) == (1, "headquarters")
    assert did >= {"ready", "place_terrain", "take_terrain", "lay_tiles", "keep", "mulligan"}


def rule_on(state: State, seat: str, action: Any) -> Any:
    return lambda ask: GAME.rule(state, seat, action, ask)


def test_discards_do_not_tell_where_they_stand_in_a_roster() -> None:
    state = settled(looking())
    roster = state.rosters["axis"]
    last = f"{len(roster.cards) - 1}.0"
    turned = state.but(rosters={**state.rosters, "axis": replace(roster, support=roster.support[::-1])})
    first = f"{len(roster.unit)}.0"
    one, two = (table.with_deck("axis", discard=(code,)) for table, code in ((state, last), (turned, first)))
    assert msgspec.json.encode(GAME.view(one, "allies")) == msgspec.json.encode(GAME.view(two, "allies"))
    assert corrected(one) == corrected(two)


def corrected(state: State) -> list[Tracked]:
    """What everybody may correct by hand."""
    return [entry for entry in GAME.tracked(state) if entry.only is None]
