"""Hidden things stay hidden: hands, the pile, and what was drawn."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.two_cities.components import CARDS
from companion.games.two_cities.game import GAME
from companion.games.two_cities.setup import Ready
from companion.games.two_cities.turn import EndTurn
from tests.support.two_cities_positions import CITIES, Plays, choosing, playing, rule

POSITION = f"{CITIES}, w1 li a2, w2 ar e2, b1 hi a5, b2 lc f7"


def sent(state, seat: str) -> bytes:
    return msgspec.json.encode((GAME.view(state, seat), GAME.offers(state, seat)))


@pytest.mark.clause("TTC-15")
@pytest.mark.parametrize("phase", ["choose_card", "activations", "finished"])
def test_a_card_changed_between_the_other_hand_and_the_pile_changes_no_byte(phase: str) -> None:
    state = choosing(POSITION, ("AH", "4C", "QS")) if phase == "choose_card" else playing(POSITION, "2H")
    if phase == "finished":
        state = state.but(phase="finished", winner="white")
    for side in ("white", "black"):
        others = [seat for seat in ("white", "black", "rulekeeper", "screen") if seat != side]
        for held in state.hands[side]:
            for other in state.draw_pile:
                hand = tuple(other if code == held else code for code in state.hands[side])
                pile = tuple(sorted(held if code == other else code for code in state.draw_pile))
                changed = state.but(hands={**state.hands, side: hand}, draw_pile=pile)
                for seat in others:
                    assert sent(changed, seat) == sent(state, seat)
                assert sent(changed, side) != sent(state, side)


@pytest.mark.clause("TTC-15")
def test_no_code_of_a_hidden_card_is_sent() -> None:
    state = choosing(POSITION, ("AH", "4C", "QS"))
    for seat, own in (("white", state.hands["white"]), ("black", state.hands["black"]), ("screen", ())):
        text = sent(state, seat).decode()
        for code in CARDS:
            assert (f'"{code}"' in text) == (code in own), (seat, code)


@pytest.mark.clause("TTC-15")
def test_only_who_draws_reads_what_was_drawn() -> None:
    state = playing(POSITION, "2H")
    ruling = rule(state, "white", EndTurn(), Plays(drawn=("3S",)))
    private = [reason for reason in ruling.reasons if reason.seat is not None]
    assert [(reason.seat, reason.text.places["card"].say) for reason in private] == [("white", "3S")]
    public = msgspec.json.encode([reason for reason in ruling.reasons if reason.seat is None] + [ruling.headline])
    assert b"3S" not in public


def test_the_deal_is_not_told_in_public() -> None:
    state = GAME.setup(GAME.options(), Plays()).outcome
    state = rule(state, "white", Ready()).outcome
    ruling = rule(state, "black", Ready())
    said = msgspec.json.encode((ruling.reasons, ruling.headline)).decode()
    assert not [code for code in CARDS if f".{code}" in said or f'"{code}"' in said]
