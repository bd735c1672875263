"""A rule is a straight line that asks: its questions and answers, as data, and the conversation that holds them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import msgspec

from companion.kit.ruling import Duel, Harm, Reason, Refusal, refuse
from companion.kit.text import Text, say

Source = Literal["app", "typed"]
YES = say("Yes")
NO = say("No")
OF_ANOTHER_QUESTION = say("That answer does not fit the question that was asked.")


class Badge(msgspec.Struct, frozen=True):
    """A sign and a number for what waits on a square; the board's legend says what the ``sign`` means."""

    sign: str
    value: Text


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One possible answer; ``barred`` says why it may not be given, ``place`` where it stands on the board.

    ``note`` says in a sentence or two what one chooses with it, ``sheet`` names the player aid that says more. An
    ``aside`` one is rarely wanted: it is chosen from a list, not by a tap on its place. ``advice`` is what to know
    before this one is chosen, and of no other. A ``hopeless`` one may be chosen, but no dice can make it succeed, for
    the reason given: it is not pointed at. ``risk`` says what of one's own may be lost by it, and how likely that is:
    it is read before it is done. ``badge`` is what a square has room for.
    """

    value: str
    label: Text
    barred: Reason | None = None
    place: str | None = None
    note: Text | None = None
    sheet: str | None = None
    aside: bool = False
    advice: tuple[Reason, ...] = ()
    hopeless: Reason | None = None
    risk: Text | None = None
    badge: Badge | None = None

    @property
    def at(self) -> str:
        """Return where it stands; one without a place may be called by it."""
        return self.place or self.value


NO_YES = (Option("no", NO), Option("yes", YES))


class Throw(msgspec.Struct, frozen=True, tag="throw", omit_defaults=True):
    """A question for ``count`` dice with faces 1..``sides``, thrown by seat ``by`` before everybody's eyes.

    ``alike`` groups faces that the rule treats the same, so that odds need fewer throws; ``clause`` is cited when
    wrong dice are refused.
    """

    key: str
    why: Text
    by: str
    count: int
    sides: int
    clause: str | None = None
    alike: tuple[tuple[int, ...], ...] = ()


class Draw(msgspec.Struct, frozen=True, tag="draw", omit_defaults=True):
    """A question for ``count`` cards out of an unordered pile; a ``secret`` draw may be seen by seat ``by`` only."""

    key: str
    why: Text
    by: str
    count: int
    pile: tuple[str, ...]
    secret: bool = False


class Choose(msgspec.Struct, frozen=True, tag="choose", omit_defaults=True):
    """A question to seat ``seat``, which chooses an option; ``clause`` is cited when an answer is none of them.

    With ``patience`` it waits for so many seconds only: where nobody has answered by then, the option ``silence``
    counts. ``advice`` is what to know before answering; it is no part of the ruling.
    """

    key: str
    why: Text
    seat: str
    options: tuple[Option, ...]
    clause: str | None = None
    patience: int = 0
    silence: str | None = None
    advice: tuple[Reason, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what can not be: a limit without an open option that counts after it, or the other way round."""
        counts = self.silence in {option.value for option in self.options if option.barred is None}
        if (self.patience > 0) != counts or (self.silence is not None) != counts:
            raise ValueError("patience needs an open option for silence")


class Together(msgspec.Struct, frozen=True, tag="together"):
    """A question to several seats at once; the answers stay sealed until all are in."""

    key: str
    why: Text
    questions: dict[str, Throw | Choose]


class Moment(msgspec.Struct, frozen=True, tag="moment"):
    """The question what time it is; rules know no clock, the table tells it once and keeps the answer."""

    key: str


Question = Throw | Draw | Choose | Together | Moment


class Faces(msgspec.Struct, frozen=True, tag="faces"):
    """The answer to a throw: the faces that came up.

    A table notes who threw (``by``) and dice of how many ``sides``; other answers need not say it.
    """

    key: str
    faces: tuple[int, ...]
    source: Source = "typed"
    by: str | msgspec.UnsetType = msgspec.UNSET
    sides: int | msgspec.UnsetType = msgspec.UNSET


class Cards(msgspec.Struct, frozen=True, tag="cards", omit_defaults=True):
    """The answer to a draw; ``seat`` is the only seat that may see the cards, None is everybody."""

    key: str
    cards: tuple[str, ...]
    seat: str | None = None
    source: Source = "app"


class Choice(msgspec.Struct, frozen=True, tag="choice"):
    """The answer to a choice: an option's value."""

    key: str
    value: str
    seat: str


class Sealed(msgspec.Struct, frozen=True, tag="sealed"):
    """The answer to a together-question: each seat's answer, opened at once."""

    key: str
    answers: dict[str, Faces | Choice]


class Instant(msgspec.Struct, frozen=True, tag="instant"):
    """The answer to what time it is: milliseconds of the epoch."""

    key: str
    at: int


Answer = Faces | Cards | Choice | Sealed | Instant


def noted(question: Choose, notes: Mapping[str, Text]) -> Choose:
    """Add what follows from each option to a question, in the order of the notes; options without one come last."""
    told = [msgspec.structs.replace(one, note=notes.get(one.value, one.note)) for one in question.options]
    order = [*notes, *(one.value for one in told if one.value not in notes)]
    told.sort(key=lambda option: order.index(option.value))
    return msgspec.structs.replace(question, options=tuple(told))


class Pending(Exception):
    """A rule that cannot go on before a question is answered.

    It carries the reasons told so far, and the state that the rule has come to by now (None: that before it).
    """

    def __init__(self, question: Question, reasons: tuple[Reason, ...], progress: Any = None) -> None:
        super().__init__(question.key)
        self.question = question
        self.reasons = reasons
        self.progress = progress


def check(question: Question, answer: Answer) -> None:
    """Check that an answer fits its question; raise Refusal with the field and, where there is one, its clause."""
    match question, answer:
        case Throw(), Faces():
            _check_faces(question, answer)
        case Draw(), Cards():
            left = list(question.pile)
            for card in answer.cards:
                if card not in left:
                    raise Refusal(say("{card} is not in that pile.", card=card), field="cards")
                left.remove(card)
            if len(answer.cards) != question.count:
                what = say("{count} card is to be drawn.|{count} cards are to be drawn.", count=question.count)
                raise Refusal(what, field="cards")
        case Choose(), Choice():
            _check_choice(question, answer)
        case Together(), Sealed():
            if answer.answers.keys() != question.questions.keys():
                raise Refusal(say("Every seat that was asked must answer."), field="answers")
            for seat, part in question.questions.items():
                check(part, answer.answers[seat])
        case Moment(), Instant():
            pass
        case _:
            raise Refusal(OF_ANOTHER_QUESTION, field="answers")


def _check_faces(question: Throw, answer: Faces) -> None:
    if len(answer.faces) != question.count:
        what = say(
            "Roll {count} die, not {given}.|Roll {count} dice, not {given}.",
            count=question.count,
            given=len(answer.faces),
        )
        raise Refusal(what, question.clause, "faces")
    for face in answer.faces:
        if not 1 <= face <= question.sides:
            what = say("A die shows 1 to {sides}, not {face}.", sides=question.sides, face=face)
            raise Refusal(what, question.clause, "faces")


def _check_choice(question: Choose, answer: Choice) -> None:
    if answer.seat != question.seat:
        raise Refusal(say("That is for somebody else to decide."), field="seat")
    chosen = next((option for option in question.options if option.value == answer.value), None)
    if chosen is None:
        raise Refusal(say("That is not one of the choices."), question.clause, question.key)
    refuse(chosen.barred, question.key)


A = TypeVar("A", Faces, Cards, Choice, Sealed, Instant)


class Ask:
    """The conversation with one rule: gives the answers already known, and stops at the first that is not.

    A rule also tells its reasons here (``tell``), so that whoever must answer next sees the story so far, and may say
    what its state has come to by now (``progress``), so that the table shows what has happened already. Subclasses
    answer questions in other ways (odds, random play, a script) by overriding ``answer``. ``intended`` holds choices
    declared ahead, by key: they are asked for even where only one option is open, so that a barred one is refused
    with its clause. Where questions are ``unread``, nothing is foretold.
    """

    unread = False

    def __init__(self, answers: Sequence[Answer] = ()) -> None:
        self.given: tuple[Answer, ...] = tuple(answers)
        self.used = 0
        self.intended: dict[str, str] = {}
        self.reasons: list[Reason] = []
        self._sides = 6
        self._progress: Any = None

    def answer(self, question: Question) -> Answer:
        """Return the next recorded answer; raise Pending when there is none yet."""
        if self.used == len(self.given):
            raise self.pending(question)
        answer = self.given[self.used]
        self.used += 1
        return answer

    def pending(self, question: Question) -> Pending:
        """Return what says that the rule waits for an answer, with all that has come of it so far."""
        return Pending(question, tuple(self.reasons), self._progress)

    def progress(self, state: Any) -> None:
        """Say what the state is by now: until the next answer every seat sees what it may see of that."""
        self._progress = state

    def _ask(self, question: Question, kind: type[A]) -> A:
        answer = self.answer(question)
        if not isinstance(answer, kind) or answer.key != question.key:
            raise Refusal(OF_ANOTHER_QUESTION, field="answers")
        check(question, answer)
        return answer

    def throw(
        self,
        count: int,
        sides: int,
        key: str,
        why: Text,
        *,
        by: str,
        clause: str | None = None,
        alike: tuple[tuple[int, ...], ...] = (),
    ) -> tuple[int, ...]:
        """Ask for dice; return the faces in the order thrown."""
        self._sides = sides
        return self._ask(Throw(key, why, by, count, sides, clause, alike), Faces).faces

    def draw(
        self, pile: Sequence[str], count: int, key: str, why: Text, *, by: str, secret: bool = False
    ) -> tuple[str, ...]:
        """Ask for cards out of an unordered pile; return them in the order drawn."""
        return self._ask(Draw(key, why, by, count, tuple(sorted(pile)), secret), Cards).cards

    def choose(
        self,
        seat: str,
        options: Sequence[Option],
        key: str,
        why: Text,
        *,
        clause: str | None = None,
        patience: int = 0,
        silence: str | None = None,
        advice: tuple[Reason, ...] = (),
    ) -> str:
        """Ask a seat to choose; return the option's value. Where only one is open nobody is asked."""
        question = Choose(key, why, seat, tuple(options), clause, patience, silence, advice)
        open_options = [option for option in options if option.barred is None]
        if len(open_options) == 1 and key not in self.intended:
            return open_options[0].value
        return self._ask(question, Choice).value

    def choose_foretold(
        self,
        seat: str,
        options: Sequence[Option],
        key: str,
        why: Text,
        foretold: Callable[[], Mapping[str, Text]],
        *,
        clause: str | None = None,
    ) -> str:
        """Ask a seat to choose, and say what follows from each option, the best first.

        ``foretold`` tells it by the options' values. It is asked only where somebody reads it, and no part of the
        ruling.
        """
        try:
            return self.choose(seat, options, key, why, clause=clause)
        except Pending as waits:
            if self.unread or not isinstance(waits.question, Choose):
                raise
            raise Pending(noted(waits.question, foretold()), waits.reasons, waits.progress) from None

    def together(self, questions: Mapping[str, Throw | Choose], key: str, why: Text) -> dict[str, Faces | Choice]:
        """Ask several seats at once, in secret; return every seat's answer."""
        return self._ask(Together(key, why, dict(questions)), Sealed).answers

    def now(self, key: str) -> int:
        """Ask what time it is; return milliseconds of the epoch."""
        return self._ask(Moment(key), Instant).at

    def tell(
        self,
        text: Text,
        clause: str | None = None,
        value: int | None = None,
        *,
        terms: tuple[Reason, ...] = (),
        faces: tuple[int, ...] = (),
        seat: str | None = None,
        marks: tuple[tuple[str, str], ...] = (),
        harm: tuple[Harm, ...] = (),
    ) -> None:
        """Tell one line of why; its faces are those of the newest throw."""
        sides = self._sides if faces else 6
        self.reasons.append(Reason(text, clause, value, terms, faces, seat, marks, harm, sides=sides))

    def show(self, faces: tuple[int, ...]) -> None:
        """Put the faces that came up on the newest line."""
        self.reasons[-1] = msgspec.structs.replace(self.reasons[-1], faces=faces, sides=self._sides)

    def oppose(self, duel: Duel) -> None:
        """Put dice that are compared on the newest line."""
        self.reasons[-1] = msgspec.structs.replace(self.reasons[-1], duel=duel)

    def harm(self, harm: Harm) -> None:
        """Put what a piece suffered on the newest line."""
        newest = self.reasons[-1]
        self.reasons[-1] = msgspec.structs.replace(newest, harm=(*newest.harm, harm))

    def finish(self, clause: str | None = None) -> None:
        """Refuse answers that were given but never asked for."""
        if self.used < len(self.given):
            raise Refusal(say("More answers were given than were asked for."), clause, "answers")
