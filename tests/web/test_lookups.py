"""Lookups without a table: dice given, typed on the way or rolled; choices given ahead or asked for."""

from __future__ import annotations

import pytest

from companion.kit.game import Lookup
from companion.kit.questions import Choose, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import Text
from companion.web.quick.lookups import consult
from tests.support.duel_game import GAME, Facts, Nothing, Outcome, draws

STRIKE = GAME.lookups["strike"]


def test_dice_and_choices_given_ahead_make_a_ruling() -> None:
    said = consult(STRIKE, Facts(3), {"dodge": "no", "shield": "yes"}, [6, 1, 6], "refuse")
    assert said.ruling is not None
    assert said.ruling.outcome == Outcome(1, dodged=False)
    assert said.reasons == said.ruling.reasons
    assert said.reasons[0].faces == said.faces == (6, 1, 6)
    assert said.unused == ()


def test_what_is_not_chosen_yet_is_asked_and_the_faces_so_far_go_on() -> None:
    first = consult(STRIKE, Facts(2), {}, [], "roll")
    assert isinstance(first.question, Choose)
    assert first.question.key == "dodge"
    assert first.faces == ()
    second = consult(STRIKE, Facts(2), {"dodge": "no"}, [6, 3], "roll")
    assert isinstance(second.question, Choose)
    assert second.question.key == "shield"
    assert second.reasons[0].value == 1
    third = consult(STRIKE, Facts(2), {"dodge": "no", "shield": "no"}, second.faces, "roll")
    assert third.ruling is not None
    assert third.ruling.outcome.wounds == 1


def test_companion_rolls_what_is_lacking() -> None:
    seen: set[int] = set()
    for _ in range(200):
        said = consult(STRIKE, Facts(3), {"dodge": "yes"}, [], "roll")
        assert len(said.faces) == 3
        seen |= set(said.faces)
    assert seen == {1, 2, 3, 4, 5, 6}


def test_a_throw_can_be_asked_for() -> None:
    said = consult(STRIKE, Facts(2), {"dodge": "yes"}, [], "ask")
    assert isinstance(said.question, Throw)
    assert said.question.count == 2


@pytest.mark.parametrize("dice", [[], [1], [1, 2, 3], [0, 1], [7, 1]])
def test_wrong_dice_are_refused_with_their_clause(dice: list[int]) -> None:
    with pytest.raises(Refusal) as refused:
        consult(STRIKE, Facts(2), {"dodge": "yes"}, dice, "refuse")
    assert (refused.value.clause, refused.value.field) == ("DUEL-1", "dice")


def test_a_barred_choice_is_refused_with_its_clause() -> None:
    with pytest.raises(Refusal) as refused:
        consult(STRIKE, Facts(2, "mail"), {"dodge": "yes"}, [1, 2], "refuse")
    assert (refused.value.clause, refused.value.field) == ("DUEL-2", "choices.dodge")


def test_choices_that_nobody_asked_for_are_told() -> None:
    said = consult(STRIKE, Facts(1), {"dodge": "no", "duck": "yes"}, [1], "refuse")
    assert said.unused == ("duck",)


def test_a_lookup_does_not_deal_cards() -> None:
    with pytest.raises(TypeError, match="needs a table"):
        consult(Lookup("draws", Text("Draws"), Nothing, draws), Nothing(), {}, [], "roll")
