"""Answer what the rules of A Tale of Two Cities ask as a scenario says, or so that nothing happens."""

from __future__ import annotations

from typing import Any

from companion.kit.asking import Ask, Pending
from companion.kit.prepared_answers import PreparedAnswers
from companion.kit.questions import Answer, Cards, Choice, Choose, Draw, Faces, Question, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import say

NOTHING_FACE = 4


class Script(PreparedAnswers):
    """Answer as the scenario says: its dice in order, its intentions, draws as they come."""

    def __init__(self, dice: list[Any], **intended: str) -> None:
        super().__init__(intended, dice, self._other)
        self.drawn: list[Draw] = []

    def answer(self, question: Question) -> Answer:
        if isinstance(question, Choose) and question.key == "protection":
            values = [option.value for option in question.options]
            wish = self.intended.get("protection", "none")
            return Choice(question.key, wish if wish in values else "none", question.seat)
        if isinstance(question, Throw) and any(type(face) is not int for face in self.dice):
            raise Refusal(say("A die shows 1 to 6."), "TTC-86", "faces")
        return super().answer(question)

    def _other(self, question: Question) -> Answer | None:
        if isinstance(question, Draw):
            self.drawn.append(question)
            return Cards(question.key, question.pile[: question.count], question.by if question.secret else None)
        if isinstance(question, Choose):
            return Choice(question.key, next(o.value for o in question.options if o.barred is None), question.seat)
        return Faces(question.key, ()) if isinstance(question, Throw) else None


class Probe(Ask):
    """Answer everything so that nothing happens, and remember how many dice each throw asked for."""

    def __init__(self, *, evade: bool = False, face: int = 1) -> None:
        super().__init__()
        self.intended = {"evasion": "yes" if evade else "no"}
        self.face = face
        self.counts: dict[str, int] = {}
        self.steps: list[str] = []

    def answer(self, question: Question) -> Answer:
        match question:
            case Throw():
                self.counts[question.key] = question.count
                face = self.face if question.key == "evasion_die" else NOTHING_FACE
                return Faces(question.key, (face,) * question.count)
            case Choose(key="evasion"):
                return Choice(question.key, self.intended["evasion"], question.seat)
            case Choose():
                open_values = [option.value for option in question.options if option.barred is None]
                if question.key == "evasion_steps":
                    self.steps = open_values
                return Choice(question.key, open_values[0], question.seat)
            case _:
                raise Pending(question, tuple(self.reasons))


def no_dice(dice: list[Any]) -> None:
    if dice:
        raise Refusal(say("More dice were given than you roll."), "TTC-86", "dice")
