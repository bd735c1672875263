"""The turn of 2GM Tactics: its phases, what lasts, cards, discards, partners, and AP by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.tactics_2gm import players, turn
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.income import Cede, Gain, Spend
from companion.games.tactics_2gm.state import Attached, Mark, State, Token
from companion.games.tactics_2gm.turn import STEPS, Discard, EndPhase, Income
from companion.games.tactics_2gm.victory import ClaimGoal
from companion.kit.ruling import Refusal
from tests.support.playing import clauses, options_of
from tests.support.tactics_2gm_positions import Scripted, after, battle, english, no, offered, refusal, ruled, told

BOTH = "a1 light_infantry d1, x1 light_infantry d3"
FOUR = "a1 light_infantry a1, b1 light_infantry b1, x1 light_infantry a3, y1 light_infantry b3"
TEN = "light_infantry " * 5 + "heavy_infantry " * 5
SEVEN = "light_infantry " * 5 + "heavy_infantry " * 2
EIGHT = "light_infantry " * 5 + "heavy_infantry " * 3


def end(state: State, seat: str | None = None) -> State:
    """The state after a phase is ended."""
    return after(state, EndPhase(), seat=seat)


def seen(reasons: Any) -> list[tuple[str, str | None]]:
    return [(text, one.clause) for text, one in zip(told(reasons), reasons, strict=True) if one.seat is None]


@pytest.mark.clause("G2-77", "G2-123", "G2-02", "G2-39", "G2-40")
def test_phases_in_their_order_then_the_other_side() -> None:
    state = battle(BOTH, phase="headquarters")
    found = []
    for _ in range(2):
        for action in (Income(), EndPhase(), EndPhase(), EndPhase()):
            found.append((state.phase, state.active, state.turn, state.round))
            state = after(state, action)
    phases = ("headquarters", "movement", "deployment", "fire")
    assert found == [(phase, side, at, 1) for at, side in ((1, "allies"), (2, "axis")) for phase in phases]
    assert (state.phase, state.active, state.turn, state.round) == ("headquarters", "allies", 3, 2)


@pytest.mark.clause("G2-77", "G2-123")
def test_the_nine_phases_follow_one_another() -> None:
    order = ["start", "headquarters", "cards", "movement", "deployment", "fire", "flip", "discard", "end"]
    assert [turn.following(step) for step in STEPS] == [*order[1:], "start"]


@pytest.mark.clause("G2-123")
def test_the_end_of_a_turn_is_told() -> None:
    ruling = ruled(battle(BOTH), EndPhase())
    assert seen(ruling.reasons) == [("The turn passes to the Axis", "G2-123")]


@pytest.mark.clause("G2-44")
@pytest.mark.parametrize("first", ["allies", "axis"])
def test_the_battle_begins_with_the_side_that_starts(first: Any) -> None:
    ask = Scripted()
    state = turn.begin(battle(BOTH, phase="mulligan", turn=0, first=first, ready=("allies", "axis")), ask)
    assert (state.phase, state.active, state.turn, state.ready) == ("headquarters", first, 1, ())
    assert clauses(ask.reasons) == ["G2-44"]


@pytest.mark.clause("G2-77")
def test_an_old_page_ends_no_other_phase() -> None:
    state = battle(BOTH, phase="movement")
    (old,) = offered(state, "end_phase")
    meant = msgspec.convert({"action": old.action, **old.given}, GAME.actions)
    later = after(state, meant)
    assert later.phase == "deployment"
    assert no(later, meant) == "G2-77"
    assert no(state.but(turn=3), meant) == "G2-77"


@pytest.mark.clause("G2-77", "G2-02", "G2-79")
def test_what_belongs_to_another_phase_or_turn_is_refused() -> None:
    state = battle(BOTH, phase="movement")
    assert no(state, Income()) == "G2-77"
    assert no(state, Discard(count=1)) == "G2-77"
    for action in (EndPhase(), Income(), Discard(), Cede()):
        assert no(state, action, seat="axis") == "G2-02"
    assert no(state.but(phase="headquarters"), EndPhase()) == "G2-79"
    for action in (EndPhase(), Income(), Spend(1, "x"), Gain(1, "x"), ClaimGoal(0)):
        assert no(state.but(phase="mulligan", turn=0), action, seat="allies") == "G2-02"
        assert no(state.but(phase="finished"), action, seat="allies") == "G2-02"


@pytest.mark.clause("G2-77")
def test_who_has_no_units_neither_moves_nor_fires() -> None:
    state = battle("x1 tiger a6", phase="headquarters")
    ruling = ruled(state, Income())
    assert ruling.outcome.phase == "deployment"
    assert ("no unit to move", "G2-77") in seen(ruling.reasons)
    (ending,) = offered(ruling.outcome, "end_phase")
    assert ending.label.say == "End the turn"
    ruling = ruled(ruling.outcome, EndPhase())
    assert (ruling.outcome.phase, ruling.outcome.active) == ("headquarters", "axis")
    assert seen(ruling.reasons) == [("no unit to fire", "G2-77"), ("The turn passes to the Axis", "G2-123")]
    assert english(ruling.headline) == "The turn passes to the Axis"


@pytest.mark.clause("G2-77")
def test_an_aircraft_alone_does_not_move_but_has_a_fire_phase() -> None:
    state = after(battle("a1 fighter_plane", phase="headquarters"), Income())
    assert state.phase == "deployment"
    assert end(state).phase == "fire"


def on_unit(state: State, name: str, seat: Any, card: str) -> State:
    """Lay a card of a seat's roster on a unit."""
    number = [one.name for one in state.rosters[seat].cards].index(card)
    unit = state.unit(name)
    return state.with_unit(name, cards=(*unit.cards, Attached(f"{number}.0", seat)))


def one_turn_card(state: State, seat: Any) -> str:
    return next(one.name for one in state.rosters[seat].support if one.duration == "one_turn")


@pytest.mark.clause("G2-78", "G2-21", "G2-20", "G2-18")
@pytest.mark.parametrize("cards", ["companion", "real"])
def test_cards_of_one_turn_end_in_the_start_phase_of_who_played_them(cards: str) -> None:
    state = battle(BOTH, cards=cards)
    lasting = next(one.name for one in state.rosters["axis"].support if one.duration == "permanent")
    state = on_unit(state, "x1", "axis", one_turn_card(state, "axis"))
    state = on_unit(state, "x1", "axis", lasting)
    state = on_unit(state, "x1", "allies", one_turn_card(state, "allies"))
    gone, kept, theirs = state.unit("x1").cards
    ruling = ruled(state, EndPhase())
    assert ruling.outcome.unit("x1").cards == (kept, theirs)
    assert ruling.outcome.deck("axis").discard == (gone.code,)
    assert not ruling.outcome.deck("allies").discard
    assert "G2-21" in clauses(ruling.reasons)
    later = end(end(end(after(ruling.outcome, Income()))))
    assert (later.active, later.unit("x1").cards) == ("allies", (kept,))
    assert later.deck("allies").discard == (theirs.code,)


@pytest.mark.clause("G2-78", "G2-115")
def test_marks_used_tokens_and_suppression_end_with_the_start_phase_of_their_side() -> None:
    state = battle("a1 m4_sherman d1 +smoke_grenade, x1 tiger d3")
    marks = (Mark("veil", "axis"), Mark("veterans", "axis", lasting=True), Mark("fear", "allies"))
    state = state.with_unit("a1", marks=marks, tokens=(Token("smoke_grenade", 1, works=True),), suppressed="axis")
    state = state.with_unit("x1", suppressed="allies")
    ruling = ruled(state, EndPhase())
    mine = ruling.outcome.unit("a1")
    assert [mark.name for mark in mine.marks] == ["veterans", "fear"]
    assert mine.tokens[0].works
    assert mine.suppressed is None
    assert ruling.outcome.unit("x1").suppressed == "allies"
    assert seen(ruling.reasons)[2:] == [
        ("M4 Sherman d1: veil is over", "G2-78"),
        ("M4 Sherman d1 is no longer under suppressive fire", "G2-115"),
    ]
    later = end(end(end(after(ruling.outcome, Income()))))
    assert [mark.name for mark in later.unit("a1").marks] == ["veterans"]
    assert not later.unit("a1").tokens[0].works
    assert later.unit("x1").suppressed is None


@pytest.mark.clause("G2-78", "G2-97", "G2-142")
def test_units_may_act_again_and_every_weapon_fires_once_in_each_turn() -> None:
    state = battle(BOTH)
    for name in ("a1", "x1"):
        state = state.with_unit(name, moved=True, came_from="d2", assaulted=True, fired=("w0",), shot_by=("z",))
    state = end(state)
    for name, waits in (("a1", True), ("x1", False)):
        unit = state.unit(name)
        assert (unit.moved, unit.assaulted, unit.came_from is None) == (waits, waits, not waits)
        assert unit.fired == unit.shot_by == ()


@pytest.mark.clause("G2-81")
@pytest.mark.parametrize("cards", ["companion", "real"])
def test_two_cards_are_drawn(cards: str) -> None:
    state = battle(BOTH, phase="headquarters", cards=cards, hands={"allies": "light_infantry"})
    ruling = ruled(state, Income())
    before, now = state.deck("allies"), ruling.outcome.deck("allies")
    assert (len(now.hand), len(now.pile)) == (3, len(before.pile) - 2)
    assert ruling.outcome.deck("axis") == state.deck("axis")
    public = [reason.clause for reason in ruling.reasons if reason.seat is None]
    assert public[-1] == "G2-81"


@pytest.mark.clause("G2-81", "G2-26")
def test_a_short_deck_gives_what_it_has_and_that_is_no_defeat() -> None:
    state = battle(BOTH, phase="headquarters", hands={"allies": "light_infantry"})
    for left in (1, 0):
        short = state.with_deck("allies", pile=state.deck("allies").pile[:left])
        now = after(short, Income())
        assert (now.phase, len(now.deck("allies").hand)) == ("movement", 1 + left)


@pytest.mark.clause("G2-156", "G2-155")
@pytest.mark.parametrize("players", ["three", "four"])
def test_each_of_a_pair_draws_one(players: str) -> None:
    state = battle("x1 tiger a6", phase="headquarters", active="axis", players=players)
    ruling = ruled(state, Income(), seat="axis_2")
    assert [len(ruling.outcome.deck(seat).hand) for seat in state.seats if seat.startswith("axis_")] == [1, 1]
    assert clauses(ruling.reasons).count("G2-156") == 4
    single = battle(BOTH.replace("x1 light_infantry d6", ""), phase="headquarters", players="three")
    assert len(after(single, Income(), seat="allies").deck("allies").hand) == 2


@pytest.mark.clause("G2-119", "G2-120", "G2-70", "G2-69")
def test_grey_tokens_turn_back_but_not_in_the_turn_that_flipped_them() -> None:
    state = battle("a1 m4_sherman d1 +mg_1 +mg_2 +howitzer, x1 heavy_infantry d3 +hmg", turn=3)
    used = (Token("mg_1", 3), Token("mg_2", 1), Token("howitzer", 2))
    state = state.with_unit("a1", tokens=used).with_unit("x1", tokens=(Token("hmg", 2),))
    ruling = ruled(state, EndPhase())
    assert [token.used for token in ruling.outcome.unit("a1").tokens] == [3, None, None]
    assert ruling.outcome.unit("x1").tokens[0].used == 2
    assert clauses(ruling.reasons)[:3] == ["G2-120", "G2-119", "G2-119"]
    state = end(end(end(after(ruling.outcome, Income()))))
    assert (state.turn, state.unit("x1").tokens[0].used) == (5, None)
    state = end(end(end(after(state, Income()))))
    assert state.unit("a1").tokens[0].used is None


@pytest.mark.clause("G2-119", "G2-71")
def test_a_printed_weapon_that_flips_turns_back_under_its_own_name() -> None:
    state = battle("a1 light_infantry d1", turn=3).with_unit("a1", tokens=(Token("w0", 1),))
    ruling = ruled(state, EndPhase())
    assert ruling.outcome.unit("a1").tokens[0].used is None
    assert told(ruling.reasons)[0] == "light infantry d1: rifle turns back"


@pytest.mark.clause("G2-122", "G2-56")
def test_a_hand_of_more_than_seven_is_cut_by_its_owner() -> None:
    state = battle(BOTH, hands={"allies": TEN})
    for phase in ("headquarters", "movement", "deployment"):
        assert len(state.but(phase=phase).deck("allies").hand) == 10
    state = end(state)
    assert (state.phase, state.active) == ("discard", "allies")
    (offer,) = offered(state, "discard")
    assert len(options_of(offer, "cards")) == 10
    hand = state.deck("allies").hand
    assert no(state, EndPhase()) == "G2-122"
    for cards in (hand[:2], hand[:4], (hand[0],) * 3, (*hand[:2], state.deck("allies").pile[0])):
        assert refusal(state, Discard(cards)).clause in {"G2-122", "G2-89"}
    assert no(state, Discard(count=3)) == "G2-122"
    ruling = ruled(state, Discard(hand[1:4]))
    now = ruling.outcome.deck("allies")
    assert set(now.hand) == set(hand) - set(hand[1:4])
    assert now.discard == hand[1:4]
    assert (ruling.outcome.phase, ruling.outcome.active) == ("headquarters", "axis")
    assert clauses(ruling.reasons) == ["G2-122"] * 3 + ["G2-123"]


@pytest.mark.clause("G2-122")
def test_seven_cards_are_kept_and_only_ones_own_hand_counts() -> None:
    assert end(battle(BOTH, hands={"allies": SEVEN, "axis": TEN})).phase == "headquarters"
    state = end(battle(BOTH, hands={"allies": EIGHT}))
    assert (state.phase, turn.surplus(state, "allies")) == ("discard", 1)
    one = offered(state, "discard")
    assert [offer.on for offer in one] == list(state.deck("allies").hand)
    for offer in one:
        chosen = msgspec.convert({"action": "discard", **offer.given}, GAME.actions)
        assert len(after(state, chosen).deck("allies").hand) == 7


@pytest.mark.clause("G2-122")
def test_several_discards_are_told_by_name_and_not_as_they_stand_in_a_list() -> None:
    state = battle(hands={"allies": "m4_sherman medic " + "light_infantry " * 7}, phase="discard")
    kinds = {card.name: at for at, card in enumerate(state.rosters["allies"].cards)}
    codes = tuple(f"{kinds[name]}.0" for name in ("m4_sherman", "medic"))
    for order in (codes, codes[::-1]):
        told = [english(one.text) for one in ruled(state, Discard(order)).reasons if one.clause == "G2-122"]
        assert told[:2] == sorted(told[:2])


@pytest.mark.clause("G2-122")
def test_real_cards_are_discarded_by_their_number() -> None:
    state = end(battle(BOTH, cards="real", hands={"allies": TEN}))
    assert state.phase == "discard"
    (offer,) = offered(state, "discard")
    assert offer.given == {"count": 3}
    assert no(state, Discard(count=2)) == no(state, Discard(count=4)) == "G2-122"
    now = after(state, Discard(count=3))
    assert (len(now.deck("allies").hand), now.deck("allies").discard) == (7, ("?",) * 3)
    named = after(state, Discard(("0.0", "1.0", "?")))
    assert len(named.deck("allies").discard) == 3


@pytest.mark.clause("G2-122", "G2-155")
def test_each_of_a_pair_discards_from_his_own_hand() -> None:
    state = battle(FOUR, players="four", hands={"allies_1": EIGHT, "allies_2": EIGHT})
    state = end(end(state, "allies_1"), "allies_2")
    assert (state.phase, turn.awaited(state)) == ("discard", ("allies_1", "allies_2"))
    count = turn.surplus(state, "allies_1")
    assert count
    state = after(state, Discard(state.deck("allies_1").hand[:count]), seat="allies_1")
    assert (state.phase, turn.awaited(state)) == ("discard", ("allies_2",))
    assert no(state, Discard(), seat="allies_1") == "G2-122"
    assert english(GAME.view(state, "allies_1").headline) == "Your partner is still busy."
    more = state.with_deck("allies_1", hand=(*state.deck("allies_1").hand, state.deck("allies_1").pile[0]))
    assert turn.awaited(more) == ("allies_1", "allies_2")
    assert len(after(more, Discard(more.deck("allies_1").hand[:1]), seat="allies_1").deck("allies_1").hand) == 7
    state = after(state, Discard(state.deck("allies_2").hand[: turn.surplus(state, "allies_2")]), seat="allies_2")
    assert (state.phase, state.active) == ("headquarters", "axis")


@pytest.mark.clause("G2-122")
def test_a_discard_phase_that_a_correction_has_emptied_can_be_ended() -> None:
    state = end(battle(BOTH, hands={"allies": TEN}))
    state = state.with_deck("allies", hand=state.deck("allies").hand[:7])
    assert no(state, Discard()) == "G2-122"
    assert offered(state, "end_phase")
    assert english(GAME.view(state, "allies").headline) == "End the turn"
    assert end(state).active == "axis"


@pytest.mark.clause("G2-155")
def test_partners_play_a_phase_at_once_and_end_it_together() -> None:
    state = battle(FOUR, players="four", phase="movement")
    ruling = ruled(state, EndPhase(), seat="allies_2")
    assert (ruling.outcome.phase, turn.awaited(ruling.outcome)) == ("movement", ("allies_1",))
    alone = ruling.outcome.but(units=tuple(one for one in ruling.outcome.units if one.seat != "allies_1"))
    assert GAME.view(alone, "allies_1").to_move == ("allies_1",), "whose units are lost meanwhile still ends it"
    assert turn.awaited(alone.but(phase="fire", done=())) == ("allies_2",), "who has no units has nothing to fire"
    assert clauses(ruling.reasons) == ["G2-155"]
    assert no(ruling.outcome, EndPhase(), seat="allies_2") == "G2-77"
    assert not offered(ruling.outcome, "end_phase", "allies_2")
    state = end(ruling.outcome, "allies_1")
    assert (state.phase, state.done) == ("deployment", ())
    assert end(end(state, "allies_1"), "allies_2").phase == "fire"


@pytest.mark.clause("G2-155")
def test_nobody_waits_for_a_partner_without_units() -> None:
    state = battle("a1 m4_sherman a1", players="four", phase="movement")
    assert turn.awaited(state) == ("allies_1",)
    state = end(state, "allies_1")
    assert turn.awaited(state) == ("allies_1", "allies_2")


@pytest.mark.clause("G2-155")
def test_each_acts_with_his_own_units() -> None:
    state = battle(FOUR, players="four", phase="movement")
    assert players.check_own(state, "allies_2", "b1").id == "b1"
    for name in ("b1", "x1"):
        with pytest.raises(Refusal) as refused:
            players.check_own(state, "allies_1", name)
        assert refused.value.clause == "G2-155"


@pytest.mark.clause("G2-154", "G2-150")
@pytest.mark.parametrize("marshal", ["allies_1", "allies_2"])
def test_the_marshal_gives_one_ap_a_turn(marshal: Any) -> None:
    general = "allies_2" if marshal == "allies_1" else "allies_1"
    state = battle(FOUR, players="four", marshal={"allies": marshal}, ap=3)
    assert offered(state, "cede", marshal)
    assert not offered(state, "cede", general)
    ruling = ruled(state, Cede(), seat=marshal)
    assert (ruling.outcome.ap[marshal], ruling.outcome.ap[general]) == (2, 4)
    assert [(reason.clause, reason.value) for reason in ruling.reasons] == [("G2-154", -1), ("G2-154", 1)]
    assert no(ruling.outcome, Cede(), seat=marshal) == "G2-154"
    assert not offered(ruling.outcome, "cede", marshal)
    assert no(state, Cede(), seat=general) == "G2-154"
    assert no(state.with_ap(marshal, 0), Cede(), seat=marshal) == "G2-154"
    assert no(state, Cede(), seat="axis_1") == "G2-02"
    later = end(end(ruling.outcome, marshal), general)
    assert not later.ceded


@pytest.mark.clause("G2-154")
def test_a_marshal_gives_in_every_phase_of_the_turn_also_when_done() -> None:
    for phase in ("headquarters", "movement", "deployment", "fire"):
        state = battle(FOUR, players="four", phase=phase, done=("allies_1",))
        assert after(state, Cede(), seat="allies_1").ceded
    assert no(battle(BOTH), Cede()) == "G2-154"


@pytest.mark.clause("G2-30", "G2-165", "G2-166")
def test_ap_are_spent_by_hand_with_a_reason_at_any_time_and_never_below_zero() -> None:
    state = battle(BOTH, ap=3)
    for seat in ("allies", "axis"):
        ruling = ruled(state, Spend(3, "march"), seat=seat)
        assert ruling.outcome.ap[seat] == 0
        assert [(reason.clause, reason.value) for reason in ruling.reasons] == [("G2-165", -3)]
        assert "march" in told(ruling.reasons)[0]
        assert no(state, Spend(4, "march"), seat=seat) == "G2-165"
        assert not offered(ruling.outcome, "spend", seat)
    (offer,) = offered(state, "spend")
    assert offer.fields[0].high == 3


@pytest.mark.clause("G2-34")
def test_ap_gained_by_hand_are_told_to_all_and_stop_at_the_maximum() -> None:
    state = battle(BOTH, ap=7)
    ruling = ruled(state, Gain(3, "captured fuel"))
    assert (ruling.outcome.ap["allies"], players.cap(state, "allies")) == (8, 8)
    assert [(reason.clause, reason.value, reason.seat) for reason in ruling.reasons] == [
        ("G2-164", 1, None),
        ("G2-34", None, None),
    ]
    assert after(battle(BOTH, ap=7, cap_scope="carry_only"), Gain(3, "fuel")).ap["allies"] == 10
    rich = after(battle(BOTH, ap=990, cap_scope="carry_only"), Gain(99, "fuel"))
    assert rich.ap["allies"] == 999, "a pool has an end, or a table could not be stored any more"
    (offer,) = offered(rich, "spend")
    assert offer.fields[0].high == 99
    assert refusal(rich, Spend(1, "  ")).field == refusal(rich, Gain(1, " ")).field == "why"


def test_what_is_offered_says_what_comes_and_what_most_would_do() -> None:
    state = battle(BOTH, hands={"allies": "light_infantry"}, phase="headquarters")
    (income,) = offered(state, "income")
    assert income.main
    state = state.but(phase="movement")
    for phase, label in (("movement", "To deployment"), ("deployment", "To fire"), ("fire", "End the turn")):
        (ending,) = offered(state.but(phase=phase), "end_phase")
        assert (ending.label.say, ending.main) == (label, False)
    full = battle(BOTH, hands={"allies": TEN})
    assert offered(full, "end_phase")[0].label.say == "End the turn: first discard"
    moved = state.with_unit("a1", moved=True)
    assert offered(moved, "end_phase")[0].main
    broke = state.but(phase="deployment").with_ap("allies", 0)
    assert offered(broke, "end_phase")[0].main
    fired = state.but(phase="fire").with_unit("a1", fired=("w0",))
    assert offered(fired, "end_phase")[0].main
    assert not offered(state, "end_phase", "axis")
    assert not offered(state.but(phase="mulligan", turn=0), "gain", "allies")


@pytest.mark.clause("G2-77", "G2-97", "G2-101", "G2-140")
def test_a_fire_phase_without_anything_in_range_is_passed_over() -> None:
    def left(units: str, **more: Any) -> State:
        return end(battle(units, phase="deployment", **more))

    far, near = "a1 light_infantry d1, x1 light_infantry d4", "a1 light_infantry d1, x1 light_infantry d3"
    ruling = ruled(battle(far, phase="deployment"), EndPhase())
    assert (ruling.outcome.phase, ruling.outcome.active) == ("headquarters", "axis")
    assert seen(ruling.reasons)[0] == ("no enemy in range", "G2-77")
    for units, said in ((far, "End the turn"), (near, "To fire")):
        (ending,) = offered(battle(units, phase="deployment"), "end_phase")
        assert ending.label.say == said
    assert left(near).phase == "fire"
    assert end(battle(near, phase="deployment").with_unit("a1", fired=("w0",))).active == "axis"
    assert left(far, grounds="house d2 axis").phase == "fire", "a building is shot at too"
    assert left("a1 light_infantry d5").phase == "fire", "and a headquarters"
    assert left("a1 light_infantry d4").active == "axis"
    plane = battle(f"{far}, a2 fighter_plane", phase="deployment")
    assert end(plane).phase == "fire", "an aircraft flies however far"
    assert end(plane.with_unit("a2", fired=("w0",))).active == "axis"
    real = battle("a1 light_infantry, x1 light_infantry", board="table", phase="deployment")
    assert end(real.with_unit("a1", fired=("w0",))).phase == "fire", "only people know"


@pytest.mark.clause("G2-155", "G2-77")
def test_a_fire_phase_waits_for_the_partner_who_has_something_in_range() -> None:
    state = battle("a1 light_infantry a1, b1 light_infantry h1, x1 light_infantry a3", players="four")
    assert turn.awaited(state) == ("allies_1",)
    assert [offered(state, "end_phase", seat)[0].main for seat in state.acting] == [False, True]
    state = state.with_unit("a1", fired=("w0",))
    assert GAME.view(state, "allies_1").to_move == ("allies_1", "allies_2"), "the last shot leaves time to look"
    assert end(state, "allies_1").active == "axis"


@pytest.mark.clause("G2-122")
def test_cards_of_one_name_are_told_apart_where_several_are_discarded() -> None:
    (offer,) = offered(end(battle(BOTH, hands={"allies": TEN})), "discard")
    (field,) = offer.fields
    names = [english(option.label) for option in field.options]
    assert len(set(names)) == 10
    assert {"light infantry", "light infantry 2", "light infantry 5", "heavy infantry", "heavy infantry 5"} < set(names)
    assert field.hint is None, "the button says how many"


NUMERALS = {6: ("six", "seis"), 7: ("seven", "siete"), 8: ("eight", "ocho")}


@pytest.mark.clause("G2-56", "G2-122")
def test_how_many_cards_a_hand_holds_is_said_alike_everywhere() -> None:
    english_word, spanish_word = NUMERALS[turn.MOST_HAND]
    clauses_ = {clause.id: clause for clause in GAME.rulebook.clause}
    spoken = [(clauses_[name].en, clauses_[name].es) for name in ("G2-56", "G2-122")]
    for sentence in ("First discard down to {} cards.", "You hold no more than {} cards.", "Down to {} cards."):
        key = sentence.format(english_word)
        spoken.append((key, GAME.words.sentences[key]["es"]))
    for english_sentence, spanish_sentence in spoken:
        assert english_word in english_sentence.casefold()
        assert spanish_word in spanish_sentence.casefold()
