"""Running a rule at a table: chance answers at once where it may, people where they must, and the rule runs
again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from companion.kit.asking import (
    Answer,
    Ask,
    Cards,
    Choice,
    Choose,
    Draw,
    Faces,
    Instant,
    Moment,
    Pending,
    Question,
    Sealed,
    Throw,
    Together,
    check,
)
from companion.kit.text import say
from companion.table.problem import Problem

if TYPE_CHECKING:
    from datetime import datetime

    from companion.table.fates import Fates
    from companion.table.seen import DiceMode

_DICE = frozenset({"roll", "faces"})

R = TypeVar("R")


class Conversation:
    """Hold the answers to one running rule: those known, those that chance gives, those that one seat brings
    now.

    ``brought`` are answers as a seat sends them, used in order for the questions that ``may_answer`` grants
    it. ``sealed`` are the parts of a together-question that are in.
    """

    def __init__(
        self,
        fates: Fates,
        dice: DiceMode,
        answers: Sequence[Answer] = (),
        sealed: Mapping[str, Faces | Choice] | None = None,
        *,
        now: datetime,
    ) -> None:
        self.fates = fates
        self.now = now
        self.dice = dice
        self.answers = list(answers)
        self.sealed = dict(sealed or {})
        self.brought: list[Mapping[str, Any]] = []
        self.may_answer: Callable[[str], bool] = lambda _: False

    def run(self, rule: Callable[[Ask], R]) -> R | Pending:
        """Run a rule until it rules, or until somebody must answer who has not; raise Refusal or Problem."""
        while True:
            ask = Ask(self.answers)
            try:
                ruling = rule(ask)
            except Pending as pending:
                answer = self._reply(pending.question)
                if answer is None:
                    if self.brought:
                        raise _too_many() from None
                    return pending
                check(pending.question, answer)
                self.answers.append(answer)
                self.sealed = {}
            else:
                ask.finish()
                if self.brought:
                    raise _too_many()
                return ruling

    def _reply(self, question: Question) -> Answer | None:
        match question:
            case Draw():
                nth = sum(isinstance(answer, Cards) for answer in self.answers)
                cards = self.fates.draw(nth, question.pile, question.count)
                return Cards(question.key, cards, question.by if question.secret else None)
            case Moment():
                return Instant(question.key, int(self.now.timestamp() * 1000))
            case Throw():
                return self._part(question, question.by, self._thrown())
            case Choose():
                return self._part(question, question.seat, 0)
            case Together():
                throws = self._thrown()
                for seat, part in question.questions.items():
                    if seat not in self.sealed:
                        found = self._part(part, seat, throws)
                        if found is not None:
                            check(part, found)
                            self.sealed[seat] = found
                    throws += isinstance(part, Throw)
                if self.sealed.keys() != question.questions.keys():
                    return None
                # Opened in the order asked: who answered first is nobody's business.
                return Sealed(question.key, {seat: self.sealed[seat] for seat in question.questions})

    def _part(self, question: Throw | Choose, seat: str, nth: int) -> Faces | Choice | None:
        brings = self._brings(seat)
        # Where Companion rolls, nobody has to say so; an answer brought along is then for a later question.
        if isinstance(question, Throw) and self.dice == "app" and not (brings and self.brought[0].keys() & _DICE):
            return self._roll(question, nth)
        return self._read(question, nth, self.brought.pop(0)) if brings else None

    def _brings(self, seat: str) -> bool:
        return bool(self.brought) and self.brought[0].get("seat", seat) == seat and self.may_answer(seat)

    def _thrown(self) -> int:
        parts = [part for answer in self.answers for part in _parts(answer)]
        return sum(isinstance(part, Faces) for part in parts)

    def _roll(self, question: Throw, nth: int) -> Faces:
        faces = self.fates.throw(nth, question.count, question.sides)
        return Faces(question.key, faces, "app", question.by, question.sides)

    def _read(self, question: Throw | Choose, nth: int, sent: Mapping[str, Any]) -> Faces | Choice:
        match question, {name: value for name, value in sent.items() if name != "seat"}:
            case Throw(), {"roll": True, **rest} if not rest:
                if self.dice == "typed":
                    raise Problem(
                        409,
                        say("Dice are thrown by hand at this table: type the faces."),
                        "roll",
                        question.clause,
                    )
                return self._roll(question, nth)
            case Throw(), {"faces": list() | tuple() as faces, **rest} if not rest:
                if self.dice == "app":
                    raise Problem(409, say("Companion rolls the dice at this table."), "faces", question.clause)
                thrown = tuple(_face(face) for face in faces)
                return Faces(question.key, thrown, "typed", question.by, question.sides)
            case Choose(), {"value": str(value), **rest} if not rest:
                return Choice(question.key, value, question.seat)
            case Throw(), _:
                raise Problem(400, say("Dice are to be thrown: give their faces."), "faces", question.clause)
            case _:
                raise Problem(400, say("One of the choices is to be given."), "value")


def _parts(answer: Answer) -> Sequence[Answer]:
    return tuple(answer.answers.values()) if isinstance(answer, Sealed) else (answer,)


def typed(answers: Sequence[Answer]) -> bool:
    """Tell whether any dice were thrown on the real table."""
    return any(isinstance(part, Faces) and part.source == "typed" for answer in answers for part in _parts(answer))


def revealing(answers: Sequence[Answer], seat: str) -> bool:
    """Tell whether somebody learnt something by these answers that ``seat`` did not decide alone."""
    return any(
        not isinstance(answer, Instant) and not (isinstance(answer, Choice) and answer.seat == seat)
        for answer in answers
    )


def _face(sent: Any) -> int:
    if isinstance(sent, str) and sent.isascii() and sent.isdigit() and len(sent) < 4:
        return int(sent)
    if isinstance(sent, int) and not isinstance(sent, bool):
        return sent
    raise Problem(400, say("A face of a die is a whole number."), "faces")


def _too_many() -> Problem:
    return Problem(400, say("More answers were given than were asked for."), "answers")
