"""Opposed dice laid out pair by pair."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import msgspec
import pytest

from companion.games.pocket_tactics.dice import hits, pool
from companion.kit.asking import Ask
from companion.kit.duels import duel
from companion.kit.odds import Quiet
from companion.kit.ruling import Duel, Fighter, Harm, Pair, Reason
from companion.kit.text import say

LEFT, RIGHT = say("Attack"), say("Defence")
POOLS = [faces for count in range(4) for faces in combinations_with_replacement(range(1, 7), count)]


def pairs(ours: tuple[int, ...], theirs: tuple[int, ...], our_fixed: int = 0, their_fixed: int = 0) -> tuple[Pair, ...]:
    return duel(LEFT, RIGHT, ours, theirs, our_fixed, their_fixed).pairs


def test_equal_dice_cancel_the_first_that_differ_decide_and_the_rest_stands_idle() -> None:
    assert pairs((3, 6, 1), (6, 4, 2)) == (Pair(6, 6, "tie"), Pair(3, 4, "right"), Pair(1, 2, "idle"))


def test_a_missing_die_loses_to_any() -> None:
    assert pairs((4, 4), (4,)) == (Pair(4, 4, "tie"), Pair(4, None, "left"))
    assert pairs((5,), (5, 1)) == (Pair(5, 5, "tie"), Pair(None, 1, "right"))


def test_places_stay_empty_after_the_decision() -> None:
    assert pairs((6,), (5, 4)) == (Pair(6, 5, "left"), Pair(None, 4, "idle"))


def test_where_all_cancel_nothing_decides() -> None:
    assert pairs((2, 5), (5, 2)) == (Pair(5, 5, "tie"), Pair(2, 2, "tie"))
    assert pairs((), ()) == ()


def test_a_fixed_die_takes_its_place_among_the_others_and_a_fixed_nought_adds_none() -> None:
    assert pairs((6, 2), (6, 3), our_fixed=4) == (
        Pair(6, 6, "tie"),
        Pair(4, 3, "left", left_fixed=True),
        Pair(2, None, "idle"),
    )
    assert pairs((), (3,), 0, 5) == (Pair(None, 5, "right", right_fixed=True), Pair(None, 3, "idle"))


def test_a_die_that_was_rolled_stands_before_an_equal_fixed_one() -> None:
    assert [pair.left_fixed for pair in pairs((4,), (4,), our_fixed=4)] == [False, True]


@pytest.mark.clause("PT-40", "PT-41", "PT-A03", "PT-A05")
def test_the_picture_and_the_rule_agree() -> None:
    for ours, theirs in product(POOLS, POOLS):
        verdicts = {pair.verdict for pair in pairs(ours, theirs)}
        assert ("left" in verdicts) == hits(pool(ours), pool(theirs)), (ours, theirs)
        assert ("right" in verdicts) == hits(pool(theirs), pool(ours)), (ours, theirs)


@pytest.mark.clause("PT-93", "PT-A04", "PT-A05")
@pytest.mark.parametrize(("our_fixed", "their_fixed"), list(product((0, 1, 4, 6), repeat=2)))
def test_the_picture_and_the_rule_agree_about_fixed_dice(our_fixed: int, their_fixed: int) -> None:
    for ours, theirs in product(POOLS[:28], POOLS[:28]):
        shown = {pair.verdict for pair in pairs(ours, theirs, our_fixed, their_fixed)}
        assert ("left" in shown) == hits(pool(ours, our_fixed), pool(theirs, their_fixed)), (ours, theirs)


def removed(ours: tuple[int, ...], theirs: tuple[int, ...]) -> int:
    """Say it plainly: take matching dice away wherever they are, then the higher of the highest left wins."""
    left, right = list(ours), list(theirs)
    for face in ours:
        if face in right:
            left.remove(face)
            right.remove(face)
    return max(left, default=0) - max(right, default=0)


def test_the_picture_says_the_same_as_taking_equal_dice_away() -> None:
    for ours, theirs in product(POOLS, POOLS):
        last = [pair.verdict for pair in pairs(ours, theirs) if pair.verdict != "idle"][-1:]
        rest = removed(ours, theirs)
        decided = ["left"] if rest > 0 else ["right"] if rest < 0 else ["tie"] if ours else []
        assert last == decided, (ours, theirs)


def test_a_duel_is_told_with_a_reason_and_survives_being_stored() -> None:
    shown = duel(LEFT, RIGHT, (6, 3), (5,), left_fixed=2, left_side="red", right_side="blue")
    ask = Ask()
    ask.tell(say("Attack"), "X-1")
    ask.oppose(shown)
    assert ask.reasons == [Reason(say("Attack"), "X-1", duel=shown)]
    assert msgspec.json.decode(msgspec.json.encode(ask.reasons[0]), type=Reason) == ask.reasons[0]
    assert (shown.left_side, shown.right_side) == ("red", "blue")
    Quiet().oppose(shown)
    Quiet().harm(Harm(Fighter("tank", "red", say("Tank"))))


def test_reasons_without_a_duel_are_stored_as_before() -> None:
    assert b"duel" not in msgspec.json.encode(Reason(say("Attack")))
    assert msgspec.json.decode(b'{"text": {"say": "Attack"}}', type=Reason).duel is None


def test_a_duel_is_plain_data() -> None:
    assert duel(LEFT, RIGHT, (), ()) == Duel(LEFT, RIGHT, ())
