"""Running a rule: chance answers at once where it may, people where they must, and the rule runs again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from random import Random
from typing import Any, NamedTuple, TypeVar

import msgspec

from companion.kit.asking import Ask, Pending
from companion.kit.questions import (
    Answer,
    Cards,
    Choice,
    Choose,
    Draw,
    Faces,
    Instant,
    Moment,
    Question,
    Sealed,
    Throw,
    Together,
    check,
)
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say
from companion.table.problem import Problem
from companion.table.records import ActionBegun
from companion.table.sql import TablesDb
from companion.table.view_models import DiceMode


class Chance(NamedTuple):
    """Throws and draws at one point of the game, named by the digest of the path that led there.

    ``nth`` is how many throws (or draws) the action has had before. A throw takes what is remembered first
    and goes on with fresh faces; a draw takes the remembered cards that are still in the pile, then fresh
    ones. So neither repeating an action nor choosing another one instead is a way to better luck.
    """

    db: TablesDb
    table: str
    path: str
    luck: Random

    def throw(self, nth: int, count: int, sides: int) -> tuple[int, ...]:
        """Throw ``count`` dice with faces 1..``sides``."""
        kind = f"d{sides}"
        faces: list[int] = self.db.random_results(self.table, self.path, nth, kind)
        if len(faces) < count:
            faces += [self.luck.randint(1, sides) for _ in range(count - len(faces))]
            self.db.put_random_results(self.table, self.path, nth, kind, faces)
        return tuple(faces[:count])

    def draw(self, nth: int, pile: Sequence[str], count: int) -> tuple[str, ...]:
        """Draw ``count`` cards out of an unordered pile; all of them where it has fewer."""
        remembered: list[str] = self.db.random_results(self.table, self.path, nth, "draw")
        left = sorted(pile)
        drawn: list[str] = []
        for card in remembered:
            if card in left and len(drawn) < count:
                left.remove(card)
                drawn.append(card)
        fresh = self.luck.sample(left, min(count - len(drawn), len(left)))
        if fresh:
            self.db.put_random_results(self.table, self.path, nth, "draw", remembered + fresh)
        return (*drawn, *fresh)


R = TypeVar("R")


class RuleRun(Ask):
    """One run of a rule, which goes on wherever an answer is known, or given by chance or by the seat that acts.

    An action that has ``begun`` goes on from there. ``sent`` are answers as a seat sends them, used in order for the
    questions that ``may_answer`` grants it. ``sealed`` are the parts of a together-question that are in, ``spare`` what
    was answered before something else changed the table: it counts where that is asked again. ``answers`` are all.
    """

    def __init__(self, chance: Chance, dice: DiceMode, begun: ActionBegun | None = None, *, now: datetime) -> None:
        super().__init__(begun.answers if begun else ())
        self.chance, self.dice, self.moment = chance, dice, now
        self.answers = list(self.given)
        self.sealed = dict(begun.sealed) if begun else {}
        self.spare = list(begun.spare) if begun else []
        self.sent: list[Mapping[str, Any]] = []
        self.may_answer: Callable[[str], bool] = lambda _: False
        self.thrown = _throws(self.given)

    def run(self, rule: Callable[[Ask], R]) -> R | Pending:
        """Run a rule until it rules, or until somebody must answer who has not; raise Refusal or Problem."""
        result: R | Pending
        try:
            result = rule(self)
            self.finish()
        except Pending as pending:
            result = pending
        if self.sent:
            raise Problem(400, say("More answers were given than were asked for."), "answers")
        return result

    def answer(self, question: Question) -> Answer:
        """Return the answer to a question; raise Pending where somebody must answer who has not."""
        if self.used < len(self.given):
            return super().answer(question)
        answer = self._spare_answer(question) or self._new_answer(question)
        if answer is None:
            raise self.pending(question)
        check(question, answer)
        self.answers.append(answer)
        self.thrown += _throws((answer,))
        return answer

    def _spare_answer(self, question: Question) -> Any:
        """Take what was answered to the same question before; None where nothing was."""
        for at, answer in enumerate(self.spare):
            if fits(question, answer):
                return self.spare.pop(at)
        return None

    def _new_answer(self, question: Question) -> Answer | None:
        match question:
            case Draw():
                nth = sum(isinstance(answer, Cards) for answer in self.answers)
                cards = self.chance.draw(nth, question.pile, question.count)
                return Cards(question.key, cards, question.by if question.secret else None)
            case Moment():
                return Instant(question.key, int(self.moment.timestamp() * 1000))
            case Throw():
                return self._seat_answer(question, question.by, self.thrown)
            case Choose():
                return self._seat_answer(question, question.seat, 0)
            case Together():
                throws = self.thrown
                for seat, part in question.questions.items():
                    if seat not in self.sealed:
                        answer = self._spare_answer(part) or self._seat_answer(part, seat, throws)
                        if answer is not None:
                            check(part, answer)
                            self.sealed[seat] = answer
                    throws += isinstance(part, Throw)
                if self.sealed.keys() != question.questions.keys():
                    return None
                sealed, self.sealed = self.sealed, {}
                # Opened in the order asked: who answered first is nobody's business.
                return Sealed(question.key, {seat: sealed[seat] for seat in question.questions})

    def _seat_answer(self, question: Throw | Choose, seat: str, nth: int) -> Faces | Choice | None:
        sends = bool(self.sent) and self.sent[0].get("seat", seat) == seat and self.may_answer(seat)
        # Where Companion rolls, nobody has to say so; an answer sent ahead is then for a later question.
        sends_dice = sends and self.sent[0].keys() & {"roll", "faces"}
        if isinstance(question, Throw) and self.dice == "app" and not sends_dice:
            return self._roll(question, nth)
        return self._read(question, nth, self.sent.pop(0)) if sends else None

    def _roll(self, question: Throw, nth: int) -> Faces:
        faces = self.chance.throw(nth, question.count, question.sides)
        return Faces(question.key, faces, "app", question.by, question.sides)

    def _read(self, question: Throw | Choose, nth: int, sent: Mapping[str, Any]) -> Faces | Choice:
        match question, {name: value for name, value in sent.items() if name != "seat"}:
            case Throw(), {"roll": True, **rest} if not rest:
                if self.dice == "typed":
                    text = say("You roll real dice at this table: type the faces.")
                    raise Problem(409, text, "roll", question.clause)
                return self._roll(question, nth)
            case Throw(), {"faces": list() | tuple() as faces, **rest} if not rest:
                if self.dice == "app":
                    raise Problem(409, say("Companion rolls the dice at this table."), "faces", question.clause)
                thrown = tuple(_face(face) for face in faces)
                return Faces(question.key, thrown, "typed", question.by, question.sides)
            case Choose(), {"value": str(value), **rest} if not rest:
                return Choice(question.key, value, question.seat)
            case Throw(), _:
                raise Problem(400, say("Roll the dice and give their faces."), "faces", question.clause)
            case _:
                raise Problem(400, say("One of the choices is to be given."), "value")


def parts(answers: Iterable[Answer]) -> Iterator[Answer]:
    """List answers, instead of a sealed one that of each seat."""
    for answer in answers:
        yield from answer.answers.values() if isinstance(answer, Sealed) else (answer,)


def givers(answers: Sequence[Answer]) -> set[str]:
    """Name the seats that threw or chose."""
    threw = {part.by for part in parts(answers) if isinstance(part, Faces) and part.by}
    return threw | {part.seat for part in parts(answers) if isinstance(part, Choice) and part.seat}


def _throws(answers: Iterable[Answer]) -> int:
    return sum(isinstance(part, Faces) for part in parts(answers))


def fits(question: Question, answer: Answer) -> bool:
    """Tell whether an answer, given to the same question before, can be given to this one: by the same seat, too."""
    match question, answer:
        case Throw(), Faces():
            same = answer.by in {question.by, msgspec.UNSET} and answer.sides in {question.sides, msgspec.UNSET}
        case Together(), Sealed():
            same = all(
                seat in answer.answers and fits(part, answer.answers[seat]) for seat, part in question.questions.items()
            )
        case Draw(), Cards():
            same = answer.seat == (question.by if question.secret else None)
        case _:
            same = True
    if not same or answer.key != question.key:
        return False
    try:
        check(question, answer)
    except Refusal:
        return False
    return True


def unused(spare: Sequence[Answer], who: Callable[[str], Text | str]) -> tuple[Reason, ...]:
    """Tell what people threw and answered that nothing came of; what they chose, and cards, may be secret."""
    reasons = []
    for part in parts(spare):
        if isinstance(part, Faces) and part.by:
            text = say("Not needed any more: the dice of {who}", who=who(part.by))
            reasons.append(Reason(text, faces=part.faces, sides=part.sides or 6))
        elif isinstance(part, Choice):
            reasons.append(Reason(say("Not needed any more: the answer of {who}", who=who(part.seat))))
    return tuple(reasons)


def typed(answers: Sequence[Answer]) -> bool:
    """Tell whether any dice were thrown on the real table."""
    return any(isinstance(part, Faces) and part.source == "typed" for part in parts(answers))


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
