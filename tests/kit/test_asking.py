"""Asking: answers in order, questions pending, answers that do not fit."""

from __future__ import annotations

import pytest

from companion.kit.asking import Ask, Pending
from companion.kit.odds import Quiet
from companion.kit.prepared_answers import PreparedAnswers
from companion.kit.questions import (
    Answer,
    Cards,
    Choice,
    Choose,
    Draw,
    Faces,
    Option,
    Question,
    Sealed,
    Throw,
    Together,
    check,
)
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import say

OPTIONS = (
    Option("yes", say("Yes")),
    Option("no", say("No")),
    Option("maybe", say("Maybe"), Reason(say("Barred"), "X-1")),
)


def rule(ask: Ask) -> tuple[int, ...]:
    ask.tell(say("begins"), "X-1")
    faces = ask.throw(2, 6, "dice", say("Dice"), by="red", clause="X-2")
    ask.tell(say("thrown"), "X-2", sum(faces))
    ask.show(faces)
    if ask.choose("blue", OPTIONS, "more", say("More?"), clause="X-3") == "yes":
        faces += ask.throw(1, 6, "third", say("One more"), by="red")
    return faces


def test_a_rule_stops_at_the_first_question_without_an_answer() -> None:
    with pytest.raises(Pending) as first:
        rule(Ask())
    assert isinstance(first.value.question, Throw)
    assert [reason.text.say for reason in first.value.reasons] == ["begins"]
    with pytest.raises(Pending) as second:
        rule(Ask([Faces("dice", (1, 2))]))
    assert isinstance(second.value.question, Choose)
    assert second.value.reasons[-1].faces == (1, 2)
    answers: list[Answer] = [Faces("dice", (1, 2)), Choice("more", "yes", "blue"), Faces("third", (6,))]
    assert rule(Ask(answers)) == (1, 2, 6)


@pytest.mark.parametrize(
    ("answers", "field", "clause"),
    [
        ([Faces("dice", (1,))], "faces", "X-2"),
        ([Faces("dice", (1, 2, 3))], "faces", "X-2"),
        ([Faces("dice", (0, 2))], "faces", "X-2"),
        ([Faces("dice", (7, 2))], "faces", "X-2"),
        ([Faces("other", (1, 2))], "answers", None),
        ([Choice("dice", "yes", "blue")], "answers", None),
        ([Faces("dice", (1, 2)), Choice("more", "yes", "red")], "seat", None),
        ([Faces("dice", (1, 2)), Choice("more", "perhaps", "blue")], "more", "X-3"),
        ([Faces("dice", (1, 2)), Choice("more", "maybe", "blue")], "more", "X-1"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(answers: list[Answer], field: str, clause: str | None) -> None:
    with pytest.raises(Refusal) as refused:
        rule(Ask(answers))
    assert (refused.value.field, refused.value.clause) == (field, clause)


def test_answers_that_nobody_asked_for_are_refused() -> None:
    ask = Ask([Faces("dice", (1, 2)), Choice("more", "no", "blue"), Faces("third", (6,))])
    assert rule(ask) == (1, 2)
    with pytest.raises(Refusal):
        ask.finish()


def test_where_only_one_option_is_open_nobody_is_asked() -> None:
    one = (Option("no", say("No")), Option("yes", say("Yes"), Reason(say("Barred"), "X-1")))
    assert Ask().choose("blue", one, "more", say("More?")) == "no"
    intent = PreparedAnswers({"more": "yes"}, ())
    with pytest.raises(Refusal) as refused:
        intent.choose("blue", one, "more", say("More?"))
    assert refused.value.clause == "X-1"


def test_cards_come_out_of_the_pile() -> None:
    question = Draw("draw", say("Draw"), "red", 2, ("a", "a", "b"))
    check(question, Cards("draw", ("a", "a")))
    for cards in (("a",), ("b", "b"), ("c", "a"), ("a", "a", "b")):
        with pytest.raises(Refusal):
            check(question, Cards("draw", cards))
    with pytest.raises(Pending) as pending:
        Ask().draw(("z", "a"), 1, "draw", say("Draw"), by="red", secret=True)
    assert pending.value.question == Draw("draw", say("Draw"), "red", 1, ("a", "z"), secret=True)


def test_together_needs_every_seat() -> None:
    questions: dict[str, Throw | Choose] = {
        "red": Choose("bid", say("Bid"), "red", OPTIONS),
        "blue": Throw("die", say("Die"), "blue", 1, 6),
    }
    whole = Sealed("both", {"red": Choice("bid", "yes", "red"), "blue": Faces("die", (3,))})
    assert Ask([whole]).together(questions, "both", say("Both")) == whole.answers
    for wrong in ({"red": Choice("bid", "yes", "red")}, {**whole.answers, "blue": Faces("die", (9,))}):
        with pytest.raises(Refusal):
            check(Together("both", say("Both"), questions), Sealed("both", wrong))


def test_declared_answers_come_from_intentions_and_dice() -> None:
    ask = PreparedAnswers({"more": "yes"}, [1, 2, 6])
    assert rule(ask) == (1, 2, 6)
    ask.finish()
    assert ask.faces == [1, 2, 6]
    with pytest.raises(Refusal):
        rule(PreparedAnswers({"more": "yes"}, [1]))
    with pytest.raises(Pending):
        rule(PreparedAnswers({"more": "yes"}, [1, 2]))
    many = PreparedAnswers({"more": "no"}, [1, 2, 6])
    rule(many)
    for clause, cited in ((None, "X-2"), ("X-9", "X-9")):
        with pytest.raises(Refusal) as refused:
            many.finish(clause)
        assert refused.value.clause == cited
    with pytest.raises(Pending):
        rule(PreparedAnswers({}, [1, 2]))


def test_declared_leaves_the_rest_to_others() -> None:
    def otherwise(question: Question) -> Answer | None:
        return Faces(question.key, (5,)) if question.key == "third" else None

    ask = PreparedAnswers({"more": "yes"}, [4, 4], otherwise)
    assert rule(ask) == tuple(ask.faces) == (4, 4, 5)
    with pytest.raises(Pending):
        rule(PreparedAnswers({"more": "yes"}, (), otherwise))


def test_a_refusal_is_a_reason_too() -> None:
    assert Refusal(say("No"), "X-1", "field").reason == Reason(say("No"), "X-1")


def test_a_choice_that_waits_only_for_a_while_says_what_counts_after_it() -> None:
    with pytest.raises(Pending) as hurried:
        Ask().choose("blue", OPTIONS, "more", say("More?"), patience=5, silence="no")
    question = hurried.value.question
    assert isinstance(question, Choose)
    assert (question.patience, question.silence) == (5, "no")


@pytest.mark.parametrize(("patience", "silence"), [(5, None), (0, "no"), (-1, "no"), (5, "maybe"), (5, "other")])
def test_silence_has_to_be_an_answer_that_may_be_given(patience: int, silence: str | None) -> None:
    with pytest.raises(ValueError, match="silence"):
        Choose("more", say("More?"), "blue", OPTIONS, patience=patience, silence=silence)


def test_what_is_told_meanwhile_is_read_as_long_as_a_question_waits_and_is_no_part_of_the_ruling() -> None:
    def rule(ask: Ask) -> str:
        ask.tell(say("begins"))
        with ask.meanwhile(lambda: (Reason(say("waits for the die")),)):
            (face,) = ask.throw(1, 6, "die", say("A die"), by="red")
        ask.tell(say("ends"))
        return str(face)

    with pytest.raises(Pending) as waits:
        rule(Ask())
    assert [reason.text.say for reason in waits.value.reasons] == ["begins", "waits for the die"]
    done = Ask((Faces("die", (3,)),))
    assert rule(done) == "3"
    assert [reason.text.say for reason in done.reasons] == ["begins", "ends"]


def test_where_nobody_reads_nothing_is_worked_out_meanwhile() -> None:
    def never() -> tuple[Reason, ...]:
        raise AssertionError

    ask = Quiet()
    with pytest.raises(Pending), ask.meanwhile(never):
        ask.throw(1, 6, "die", say("A die"), by="red")
