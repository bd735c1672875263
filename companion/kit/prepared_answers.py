"""Answers prepared before a rule asks: what lookups, scripts and written examples bring with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.kit.asking import Ask
from companion.kit.questions import Answer, Choice, Choose, Faces, Question, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import say


class PreparedAnswers(Ask):
    """A conversation answered from choices by key and a flat list of dice, as lookups, scripts and examples give them.

    ``choices`` maps a question's key to the option's value; ``dice`` are used in the order thrown. What is not given
    goes to ``otherwise``, or stays pending. ``faces`` are all dice up to here.
    """

    def __init__(
        self,
        choices: Mapping[str, str],
        dice: Sequence[int],
        otherwise: Callable[[Question], Answer | None] = lambda _: None,
    ) -> None:
        super().__init__()
        self.intended = dict(choices)
        self.dice = list(dice)
        self.otherwise = otherwise
        self.faces: list[int] = []
        self.clause: str | None = None

    def answer(self, question: Question) -> Answer:
        """Answer from what was given, then as ``otherwise`` says; raise Pending when that is nothing."""
        if isinstance(question, Throw):
            self.clause = question.clause
        answer = self._prepared(question) or self.otherwise(question)
        if answer is None:
            raise self.pending(question)
        if isinstance(answer, Faces):
            self.faces.extend(answer.faces)
        return answer

    def _prepared(self, question: Question) -> Answer | None:
        match question:
            case Throw() if self.dice:
                faces = tuple(self.dice[: question.count])
                del self.dice[: question.count]
                return Faces(question.key, faces)
            case Choose() if question.key in self.intended:
                return Choice(question.key, self.intended.pop(question.key), question.seat)
        return None

    def finish(self, clause: str | None = None) -> None:
        """Refuse dice that were given but never asked for."""
        if self.dice:
            raise Refusal(say("More dice were given than you roll."), clause or self.clause, "dice")
