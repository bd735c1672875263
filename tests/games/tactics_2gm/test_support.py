"""Support cards: when they are played, on which unit, what Companion works out of them, and where they go."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm import deployment, fire, players, speech, tokens
from companion.games.tactics_2gm.cards import DECKS, SupportCard
from companion.games.tactics_2gm.deployment import PlayCard
from companion.games.tactics_2gm.state import Attached
from tests.support.playing import clauses, options_of
from tests.support.tactics_2gm_positions import after, asked, battle, code, english, no, offered, refusal, ruled

UNITS = "a1 light_infantry d1 2w, a2 m4_sherman e1 1w, x1 tiger d6, x2 light_infantry e6, a3 fighter_plane"


def holding(hand: str, written: str = UNITS, **more: Any) -> Any:
    """A battle in the deployment phase of the Allies, who hold those cards."""
    return battle(written, **({"hands": {"allies": hand}, "phase": "deployment", "turn": 3, "ap": 6} | more))


def play(state: Any, name: str, unit: str | None = None, seat: Any = "allies") -> PlayCard:
    return PlayCard(code(state, seat, name), unit)


def changed(state: Any, name: str, **fields: Any) -> Any:
    """Let a support card of the Allies be another one."""
    roster = state.rosters["allies"]
    cards = tuple(replace(card, **fields) if card.name == name else card for card in roster.support)
    return state.but(rosters={**state.rosters, "allies": replace(roster, support=cards)})


# When, and for how much


@pytest.mark.clause("G2-90", "G2-91")
def test_cards_are_played_in_the_deployment_phase_for_their_ap() -> None:
    state = holding("medic shovel")
    ruling = ruled(state, play(state, "medic", "a1"))
    assert (ruling.outcome.ap["allies"], ruling.reasons[0].value) == (5, -1)
    assert clauses(ruling.reasons) == ["G2-90", "G2-91", "G2-18", "G2-118"]
    for phase in ("headquarters", "movement", "fire", "discard"):
        assert no(state.but(phase=phase), play(state, "medic", "a1")) == "G2-91"
        assert offered(state.but(phase=phase), "play_card") == []
    assert no(state.but(active="axis"), play(state, "medic", "a1"), seat="allies") == "G2-02"
    assert no(state.with_ap("allies", 0), play(state, "medic", "a1")) == "G2-90"
    assert offered(state.with_ap("allies", 0), "play_card") == []
    assert no(state, PlayCard("99.0", "a1")) == "G2-89"
    assert refusal(state, play(state, "medic", "a9")).field == "unit"
    tank = holding("m4_sherman")
    assert no(tank, play(tank, "m4_sherman")) == "G2-89"


@pytest.mark.clause("G2-91")
def test_a_card_that_says_so_is_played_in_any_phase_of_any_turn() -> None:
    state = holding("camouflage")
    for moment in (
        {"phase": "movement"},
        {"phase": "fire"},
        {"active": "axis", "phase": "fire"},
        {"done": ("allies",)},
    ):
        then = state.but(**moment)
        assert [offer.on for offer in offered(then, "play_card", "allies")] == [code(state, "allies", "camouflage")]
        assert after(then, play(state, "camouflage", "a1"), seat="allies").ap["allies"] == 5
    assert no(state.but(phase="mulligan"), play(state, "camouflage", "a1"), seat="allies") == "G2-02"


# On whom


@pytest.mark.clause("G2-18", "G2-19", "G2-20")
def test_what_helps_goes_to_ones_own_side_and_what_harms_to_the_enemy() -> None:
    state = holding("shovel impact_card anti_tank_mine veterans")
    assert no(state, play(state, "shovel", "x1")) == "G2-18"
    assert no(state, play(state, "impact_card", "a1")) == "G2-18"
    assert no(state, play(state, "anti_tank_mine", "x2")) == "G2-18", "for vehicles only"
    assert no(state, play(state, "shovel")) == "G2-96", "on which unit?"
    fields = {offer.on: options_of(offer, "unit") for offer in offered(state, "play_card")}
    assert fields == {
        code(state, "allies", "shovel"): ["a1", "a2", "a3"],
        code(state, "allies", "impact_card"): ["x1", "x2"],
        code(state, "allies", "anti_tank_mine"): ["x1"],
        code(state, "allies", "veterans"): ["a1", "a2", "a3"],
    }
    filled_in = {offer.on: offer.fields[0].value for offer in offered(state, "play_card")}
    assert [on for on, value in filled_in.items() if value] == [code(state, "allies", "anti_tank_mine")]
    assert filled_in[code(state, "allies", "anti_tank_mine")] == "x1", "the only one"
    waiting = battle("a1 light_infantry d1, x1 fighter_plane", hands={"allies": "impact_card"}, phase="deployment")
    assert no(waiting, play(waiting, "impact_card", "x1")) == "G2-139"
    assert offered(waiting, "play_card") == []


@pytest.mark.clause("G2-20")
def test_a_card_goes_to_a_partners_unit_too_and_back_to_whom_it_belongs() -> None:
    state = holding(
        "",
        "a1 light_infantry d1, b1 light_infantry e1, x1 tiger d6",
        players="three",
        pair="allies",
        hands={"allies_1": "shovel"},
    )
    card = code(state, "allies_1", "shovel")
    laid = after(state, PlayCard(card, "b1"), seat="allies_1")
    assert laid.unit("b1").cards == (Attached(card, "allies_1"),)
    from tests.support.tactics_2gm_positions import Scripted

    lost = fire.destroy(laid, laid.unit("b1"), Scripted())
    assert lost.deck("allies_1").discard == (card,)
    assert lost.deck("allies_2").discard == (laid.unit("b1").code,)
    assert lost.lost == {"allies": 1}


@pytest.mark.clause("G2-96", "G2-A19")
def test_a_unit_is_not_affected_twice_by_the_same_card() -> None:
    state = holding("shovel shovel veterans")
    once = after(state, play(state, "shovel", "a2"))
    assert no(once, play(once, "shovel", "a2")) == "G2-96"
    offer = next(one for one in offered(once, "play_card") if one.on == code(once, "allies", "shovel"))
    assert options_of(offer, "unit") == ["a1", "a3"]
    assert [option.barred.clause for option in offer.fields[0].options if option.barred] == ["G2-96"]
    assert len(after(once, play(once, "shovel", "a1")).unit("a1").cards) == 1, "another unit"
    assert len(after(once, play(once, "veterans", "a2")).unit("a2").cards) == 2, "another card"


# What they do


@pytest.mark.clause("G2-18")
def test_supplies_act_at_once_and_are_discarded() -> None:
    state = holding("ammunition reserves")
    card = code(state, "allies", "ammunition")
    fed = after(state, play(state, "ammunition"))
    assert fed.ap["allies"] == 8
    assert fed.deck("allies").discard == (card,)
    assert no(state, play(state, "ammunition", "a1")) == "G2-18", "that needs no unit"
    drawn = after(state, play(state, "reserves"))
    assert len(drawn.deck("allies").hand) == 3
    assert len(drawn.deck("allies").pile) == len(state.deck("allies").pile) - 2


@pytest.mark.clause("G2-18", "G2-34")
def test_ap_of_a_card_stop_at_the_maximum() -> None:
    state = holding("ammunition", ap=8)
    assert after(state, play(state, "ammunition")).ap["allies"] == 8


@pytest.mark.clause("G2-18", "G2-118")
def test_healing_takes_wounds_off() -> None:
    state = holding("medic mechanic")
    assert after(state, play(state, "medic", "a1")).unit("a1").wounds == 1
    assert after(changed(state, "medic", heal=5), play(state, "medic", "a1")).unit("a1").wounds == 0
    assert no(state.with_unit("a1", wounds=0), play(state, "medic", "a1")) == "G2-118"
    assert no(state, play(state, "medic", "a2")) == "G2-18", "a tank needs a mechanic"
    assert after(state, play(state, "mechanic", "a2")).unit("a2").wounds == 0


@pytest.mark.clause("G2-18", "G2-111", "G2-112")
def test_harm_of_a_card_goes_through_any_armour() -> None:
    state = holding("impact_card")
    hit = ruled(state, play(state, "impact_card", "x1"))
    assert hit.outcome.unit("x1").wounds == 2, "a Tiger, of armour 6"
    assert [(line.to.id, line.hits, line.fate) for reason in hit.reasons for line in reason.harm] == [("x1", 2, "hit")]
    weak = state.with_unit("x1", wounds=4)
    dead = ruled(weak, play(weak, "impact_card", "x1"))
    assert (dead.outcome.find("x1"), dead.outcome.lost) == (None, {"axis": 1})
    assert [(line.to.id, line.fate) for reason in dead.reasons for line in reason.harm] == [("x1", "gone")]


@pytest.mark.clause("G2-19", "G2-20", "G2-62")
def test_permanent_cards_stay_under_their_unit_and_count() -> None:
    state = holding("veterans shovel")
    laid = after(state, play(state, "veterans", "a1"))
    assert laid.unit("a1").cards == (Attached(code(state, "allies", "veterans"), "allies"),)
    assert laid.deck("allies").discard == ()
    assert [how for _, _, how in tokens.aim(laid, laid.unit("a1"))] == [(-1, 0)]
    dug = after(laid, play(laid, "shovel", "a1"))
    assert [how for _, _, how in tokens.cover(dug, dug.unit("a1"))] == [(1, 0)]
    armoured = changed(dug, "shovel", armour=2)
    assert tokens.armour(armoured, armoured.unit("a1")) == 3


@pytest.mark.clause("G2-21", "G2-78", "G2-A38")
def test_cards_of_one_turn_lie_on_their_unit_until_their_players_next_turn() -> None:
    from tests.support.tactics_2gm_positions import Scripted

    state = holding("camouflage")
    card = code(state, "allies", "camouflage")
    laid = after(state, play(state, "camouflage", "a1"))
    assert [how for _, _, how in tokens.cover(laid, laid.unit("a1"))] == [(2, 1)]
    theirs = tokens.end_effects(laid.but(active="axis"), Scripted())
    assert theirs.unit("a1").cards, "through the enemy's turn"
    ours = tokens.end_effects(theirs.but(active="allies"), Scripted())
    assert ours.unit("a1").cards == ()
    assert ours.deck("allies").discard == (card,)


@pytest.mark.clause("G2-18", "G2-20")
def test_a_card_may_lie_on_the_enemy_and_harm_him() -> None:
    state = changed(holding("anti_tank_mine"), "anti_tank_mine", duration="permanent", harm=1, movement=0)
    laid = after(state, play(state, "anti_tank_mine", "x1"))
    assert (laid.unit("x1").wounds, len(laid.unit("x1").cards)) == (1, 1)
    fatal = changed(state, "anti_tank_mine", harm=9)
    gone = after(fatal, play(fatal, "anti_tank_mine", "x1"))
    assert gone.find("x1") is None
    assert gone.deck("allies").discard == (code(state, "allies", "anti_tank_mine"),)


# Generals


@pytest.mark.clause("G2-35", "G2-36")
def test_the_general_card_puts_a_general_of_ones_choice_on_the_headquarters() -> None:
    state = holding("general_card")
    (question,) = asked(state, play(state, "general_card"), general="strategist")
    assert [option.value for option in question.options] == ["quartermaster", "strategist"]
    now = after(state, play(state, "general_card"), general="strategist")
    assert [one.general for one in now.headquarters if one.side == "allies"] == ["strategist"]
    assert (players.cap(now, "allies"), players.cap(now, "axis")) == (11, 8), "his bonus counts from now on"
    again = now.with_deck("allies", hand=state.deck("allies").hand)
    assert no(again, play(state, "general_card")) == "G2-35", "a headquarters holds one general"
    assert offered(again, "play_card") == []
    roster = replace(state.rosters["allies"], general=())
    none = state.but(rosters={**state.rosters, "allies": roster})
    assert no(none, play(none, "general_card")) == "G2-35"


@pytest.mark.clause("G2-35", "G2-159")
def test_with_two_headquarters_the_general_is_laid_on_one_of_them() -> None:
    state = battle(
        "a1 light_infantry d1, x1 tiger d6",
        players="four",
        copies="two",
        phase="deployment",
        turn=3,
        hands={"allies_1": "general_card"},
    )
    first, second = [one.id for one in state.headquarters if one.side == "allies"]
    action = PlayCard(code(state, "allies_1", "general_card"))
    now = after(state, action, seat="allies_1", general="strategist", headquarters=second)
    assert [one.id for one in now.headquarters if one.general] == [second]
    names = [one.name for one in deployment.generals(now, "allies_1")]
    assert names == ["quartermaster"], "one general leads one headquarters"
    assert deployment.barred(now, "allies_1", support_card(now)) is None
    full = now.with_hq(first, general="quartermaster")
    reason = deployment.barred(full, "allies_1", support_card(full))
    assert reason is not None
    assert reason.clause == "G2-35"


def support_card(state: Any) -> Any:
    return next(card for card in state.rosters["allies_1"].support if card.general)


# Real cards


@pytest.mark.clause("G2-91")
def test_real_cards_are_played_by_their_kind() -> None:
    state = holding("medic", cards="real")
    laid = after(state, play(state, "shovel", "a1"))
    assert laid.unit("a1").cards[0].code.endswith(".0")
    assert laid.deck("allies").hand == ()
    assert no(laid, play(laid, "medic", "a1")) == "G2-89"


def test_what_companion_works_out_of_a_card_is_said_unless_its_text_is_known_to_say_it() -> None:
    card = SupportCard(name="post", kind="supplies", cost=1, ap=2, draw=1, heal=1, harm=3, armour=1, movement=2)
    assert english(speech.describe_support(card)) == (
        "gives 2 AP, draws 1 card, heals 1, does 3 harm, armour +1, movement +2"
    )
    own = SupportCard(name="post", kind="supplies", cost=1, draw=2, text="Letters from home")
    assert english(speech.describe_support(own)) == "Letters from home, draws 2 cards"
    (medic,) = (one for one in DECKS["axis_sample"].support if one.name == "medic")
    assert english(speech.describe_support(replace(medic, count=7))) == "Heals one wound of an infantry unit"
    stronger = replace(medic, heal=3)
    assert english(speech.describe_support(stronger)) == "Heals one wound of an infantry unit, heals 3"


def test_a_card_of_the_sample_says_once_what_it_does() -> None:
    for card in (card for deck in DECKS.values() for card in deck.support):
        said = english(speech.describe_support(card))
        assert "against it" not in said
        assert "its own numbers" not in said
    own = replace(next(card for card in DECKS["allies_sample"].support if card.name == "shovel"), name="spade")
    assert english(speech.describe_support(own)).endswith("against it +1/+0")
