"""Throwing: the same question for the app's dice and typed ones, every step told, every die accounted for."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.kit.asking import Pending
from companion.kit.dice.notation import MOST_EXPLOSIONS
from companion.kit.dice.parser import read
from companion.kit.dice.roll import MOST_THROWN, Thrown, throw
from companion.kit.prepared_answers import PreparedAnswers
from companion.kit.questions import Faces, Question, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import speak

if TYPE_CHECKING:
    from companion.kit.questions import Answer


def came(notation: str, *faces: int) -> Thrown:
    """Throw with the faces that came up; all of them are asked for."""
    ask = PreparedAnswers({}, faces)
    thrown = throw(read(notation), ask, by="ana")
    ask.finish()
    return thrown


def marks(thrown: Thrown) -> list[str]:
    """Write every die: ``6!`` exploded, ``(1)`` was dropped, ``1>`` was thrown again, ``+5`` is a success."""
    signs = {"counts": "{}", "dropped": "({})", "again": "{}>"}
    return [
        {1: "+", -1: "x", 0: ""}[die.success]
        + signs[die.standing].format(die.says or "–")
        + ("!" if die.exploded else "")
        for part in thrown.handfuls
        for die in part.dice
    ]


@pytest.mark.parametrize(
    ("notation", "faces", "total", "dice"),
    [
        ("2d6", (3, 4), 7, "3 4"),
        ("2d6+1d8-1", (3, 4, 8), 14, "3 4 8"),
        ("3d6*2-1", (1, 2, 3), 11, "1 2 3"),
        ("7/2+1d6", (1,), 4, "1"),
        ("-1d6/2", (3,), -2, "3"),
        ("4d6kh3", (3, 1, 6, 1), 10, "3 1 6 (1)"),
        ("4d6kl3", (3, 1, 6, 1), 5, "3 1 (6) 1"),
        ("4d6dl1", (3, 1, 6, 1), 10, "3 1 6 (1)"),
        ("4d6dh2", (3, 1, 6, 1), 2, "(3) 1 (6) 1"),
        ("4dF", (1, 2, 3, 3), 1, "− 0 + +"),
        ("3d6!", (6, 2, 6, 6, 1, 3), 24, "6! 2 6! 6! 1 3"),
        ("3d6!kh2", (6, 2, 1, 6, 5), 12, "6! (2) (1) 6! (5)"),
        ("2d6r1", (1, 3, 1, 1, 4), 7, "1> 3 1> 1> 4"),
        ("2d6ro1", (1, 3, 1), 4, "1> 3 1"),
        ("2d6r1!", (1, 6, 6, 1, 2, 3), 17, "1> 6! 6! 1> 2 3"),
        ("2d6ro1!1", (1, 1, 1, 4, 1, 3), 8, "1> 1> 1! 4 1> 3"),
        ("3d10>=7", (7, 10, 6), 2, "+7 +10 6"),
        ("3d10>=7f1", (1, 1, 9), -1, "x1 x1 +9"),
        ("3d10>=7f1+2", (1, 1, 9), 1, "x1 x1 +9"),
        ("4d6kh2>=5", (5, 6, 5, 1), 2, "+5 +6 (5) (1)"),
        ("((2d6)>=9)+2", (4, 5), 3, "4 5"),
        ("2d%", (100, 1), 101, "100 1"),
    ],
)
def test_every_die_is_accounted_for(notation: str, faces: tuple[int, ...], total: int, dice: str) -> None:
    thrown = came(notation, *faces)
    assert thrown.total == total
    assert marks(thrown) == dice.split()


def test_a_target_is_reached_or_not() -> None:
    assert came("1d20+5>=15", 10).reached is True
    missed = came("1d20+5>=15", 9)
    assert missed.reached is False
    assert missed.total == 14
    assert speak(missed.headline, str) == "(1d20+5)>=15: 14, not reached"
    assert came("2d6", 1, 1).reached is None


def test_named_faces_are_counted_by_their_names() -> None:
    thrown = came("3d{1=hit 2=melee hit 6=retreat}", 1, 1, 4)
    assert thrown.total is None
    assert [(one.name, one.count) for one in thrown.names] == [("hit", 2), ("", 1)]
    assert speak(thrown.headline, str) == "2 × hit, 1 × –"
    assert speak(thrown.reasons[0].text, str).endswith(": hit, hit, –")
    assert thrown.reasons[0].faces == ()
    both = came("2d6+1d{1=hit}", 3, 4, 1)
    assert both.total == 7
    assert speak(both.headline, str) == "7, 1 × hit"


def said(thrown: Thrown) -> list[str]:
    told = [(speak(reason.text, str), reason.value, reason.faces) for reason in thrown.reasons]
    return [" ".join(map(str, (words, *(() if value is None else (value,)), *faces))) for words, value, faces in told]


def test_every_step_is_told() -> None:
    assert said(came("3d6r1!kh2", 1, 6, 2, 6, 3, 5)) == [
        "3d6r1!kh2 1 6 2",
        "re-roll: 1d6 6",
        "exploded, one more each: 2d6 3 5",
        "left out: 2, 3, 5",
        "in all 12",
    ]
    assert said(came("3d10>=7f1", 1, 8, 9))[1:] == ["1 success"]
    assert said(came("4dF", 1, 2, 3, 3)) == ["4dF: −, 0, +, +", "in all 1"]


@pytest.mark.parametrize(
    ("notation", "faces", "out"),
    [
        ("4d6kh3", (1, 4, 6, 5), [(0,)]),
        ("2d20kh1", (7, 19), [(0,)]),
        ("2d20kl1", (7, 19), [(1,)]),
        ("4d6kh3", (2, 2, 2, 2), [(3,)]),
        ("2d6", (3, 4), [()]),
        ("3d6r1!kh2", (1, 6, 2, 6, 3, 5), [(0, 2), (), (0, 1)]),
        ("2d6kh1+2d8kl1", (3, 4, 8, 2), [(0,), (0,)]),
    ],
)
def test_the_lines_say_which_of_their_dice_do_not_count(
    notation: str, faces: tuple[int, ...], out: list[tuple[int, ...]]
) -> None:
    assert [reason.left_out for reason in came(notation, *faces).reasons if reason.faces] == out


@given(st.lists(st.integers(1, 6), min_size=1, max_size=12), st.sampled_from(["kh", "kl"]), st.integers(1, 12))
def test_what_counts_on_its_line_adds_up_to_the_total(faces: list[int], keep: str, most: int) -> None:
    thrown = came(f"{len(faces)}d6{keep}{min(most, len(faces))}", *faces)
    line = next(reason for reason in thrown.reasons if reason.faces)
    assert sum(face for at, face in enumerate(line.faces) if at not in line.left_out) == thrown.total


def test_what_is_added_up_is_told_as_a_sum() -> None:
    *_, last = came("2d6+1d8-(1d4-3)", 3, 4, 8, 2).reasons
    assert [term.value for term in last.terms] == [7, 8, -2, 3]
    assert last.value == sum(term.value or 0 for term in last.terms) == 16
    *_, last = came("2d6*2+1", 3, 4).reasons
    assert last.terms == ()
    assert last.value == 15


def test_every_group_and_all_that_follows_is_a_question_of_its_own() -> None:
    asked: list[Throw] = []

    def ones(question: Question) -> Answer:
        assert isinstance(question, Throw)
        asked.append(question)
        return Faces(question.key, (1,) * question.count)

    throw(read("2d6ro1+3d8!1+4dF"), PreparedAnswers({}, (), ones), by="ana")
    first = [("dice.1", 2, 6), ("dice.1.again.1", 2, 6), ("dice.2", 3, 8)]
    more = [(f"dice.2.more.{turn}", 3, 8) for turn in range(1, MOST_EXPLOSIONS + 1)]
    assert [(one.key, one.count, one.sides) for one in asked] == [*first, *more, ("dice.3", 4, 3)]
    assert {one.by for one in asked} == {"ana"}


def test_a_throw_waits_for_typed_dice_with_the_story_so_far() -> None:
    with pytest.raises(Pending) as pending:
        throw(read("2d6r1"), PreparedAnswers({}, (1, 4)), by="ana")
    question = pending.value.question
    assert isinstance(question, Throw)
    assert (question.count, question.sides) == (1, 6)
    assert speak(question.why, str) == "re-roll: 1d6"
    assert [reason.faces for reason in pending.value.reasons] == [(1, 4)]
    with pytest.raises(Refusal):
        came("2d6", 3, 7)
    with pytest.raises(Refusal):
        came("2d6", 3, 4, 5)


def test_dice_that_come_to_no_end_are_ended() -> None:
    def worst(question: Question) -> Answer:
        assert isinstance(question, Throw)
        assert question.count <= MOST_THROWN
        return Faces(question.key, (1,) * question.count)

    with pytest.raises(Refusal, match="no end"):
        throw(read("1000d4r<=3"), PreparedAnswers({}, (), worst), by="ana")


@settings(max_examples=2 * settings.default.max_examples)
@given(st.text(alphabet="0123456789d+-*/()khlr!><=fo", max_size=30), st.randoms(use_true_random=False))
def test_whatever_can_be_read_can_be_thrown(text: str, luck: random.Random) -> None:
    def lucky(question: Question) -> Answer:
        assert isinstance(question, Throw)
        return Faces(question.key, tuple(luck.randint(1, question.sides) for _ in range(question.count)))

    try:
        parsed = read(text)
    except Refusal:
        return
    thrown = throw(parsed, PreparedAnswers({}, (), lucky), by="ana")
    assert thrown.text == str(parsed)
    assert all(die.standing == "counts" or not die.success for part in thrown.handfuls for die in part.dice)
