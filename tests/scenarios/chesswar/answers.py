"""Answer the questions of ChessWar's rules as a scenario says, or in every possible way."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from companion.kit.asking import Ask, Pending
from companion.kit.odds import throws
from companion.kit.questions import Answer, Cards, Choice, Choose, Draw, Faces, Question, Sealed, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.runner import Unfit

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

WRONG_DICE = "CW-10"


class Script(Ask):
    """Answer with a scenario's dice in order and the opponent it draws; of choices with the first that is open.

    What the first choice stands for is to do nothing: no spell in reply, no continuation. ``intended`` says otherwise.
    ``rigged`` are faces by the first word of a throw's key: dice that the scenario does not list.
    """

    def __init__(self, dice: list[Any], lot: str | None = None) -> None:
        super().__init__()
        self.dice = list(dice)
        self.lot = lot
        self.rigged: dict[str, int] = {}
        self.asked: list[Question] = []
        self.faces: list[int] = []

    def answer(self, question: Question) -> Answer:
        self.asked.append(question)
        match question:
            case Throw():
                return self.thrown(question)
            case Draw():
                return self.drawn(question)
            case Choose():
                values = [option.value for option in question.options if option.barred is None]
                return Choice(question.key, self.intended.pop(question.key, values[0]), question.seat)
            case _:
                parts = {seat: self.answer(part) for seat, part in question.questions.items()}
                return Sealed(question.key, {seat: part for seat, part in parts.items() if not isinstance(part, Cards)})

    def thrown(self, question: Throw) -> Faces:
        word = question.key.split("_")[0]
        if word in self.rigged:
            return Faces(question.key, (self.rigged[word],) * question.count)
        faces = tuple(self.dice[: question.count])
        del self.dice[: question.count]
        if any(type(face) is not int for face in faces):
            raise Refusal(say("A die shows 1 to 6."), WRONG_DICE, "faces")
        self.faces.extend(faces)
        return Faces(question.key, faces)

    def drawn(self, question: Draw) -> Cards:
        if self.lot is not None and self.lot not in question.pile:
            raise Unfit(f"{self.lot!r} can not be drawn: {', '.join(question.pile)}")
        return Cards(question.key, (self.lot or question.pile[0],))

    def threw(self, word: str) -> list[str]:
        """The keys of the throws asked for that begin with a word."""
        return [asked.key for asked in self.asked if isinstance(asked, Throw) and asked.key.split("_")[0] == word]


class Possible(Script):
    """Answer with what came up on one of the ways; stop where a way has not been decided yet."""

    def __init__(self, way: tuple[Answer, ...], lot: str | None) -> None:
        super().__init__([], lot)
        self.way = list(way)

    def thrown(self, question: Throw) -> Faces:
        if question.key.split("_")[0] in self.rigged:
            return super().thrown(question)
        found = self._next(question)
        assert isinstance(found, Faces)
        self.faces.extend(found.faces)
        return found

    def drawn(self, question: Draw) -> Cards:
        if self.lot is not None:
            return super().drawn(question)
        found = self._next(question)
        assert isinstance(found, Cards)
        return found

    def _next(self, question: Throw | Draw) -> Answer:
        if not self.way:
            raise Pending(question, ())
        return self.way.pop(0)


def chances(rule: Callable[[Script], Hashable], lot: str | None, way: tuple[Answer, ...] = ()) -> dict[Any, Fraction]:
    """The exact distribution of what a rule returns, over every throw and every draw."""
    try:
        return {rule(Possible(way, lot)): Fraction(1)}
    except Pending as pending:
        question = pending.question
    ways: list[tuple[Answer, Fraction]]
    if isinstance(question, Draw):
        ways = [(Cards(question.key, (card,)), Fraction(1, len(question.pile))) for card in question.pile]
    else:
        assert isinstance(question, Throw)
        thrown = throws(question.count, question.sides, question.alike)
        ways = [(Faces(question.key, faces), weight) for faces, weight in thrown]
    total: dict[Any, Fraction] = {}
    for answer, weight in ways:
        for outcome, chance in chances(rule, lot, (*way, answer)).items():
            total[outcome] = total.get(outcome, Fraction(0)) + weight * chance
    return total
