"""A rule is a straight line that asks: the conversation that holds its questions and answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from companion.kit.clash import Clash, Effect, of_faces
from companion.kit.questions import (
    OF_ANOTHER_QUESTION,
    Answer,
    Cards,
    Choice,
    Choose,
    Draw,
    Faces,
    Foretold,
    Instant,
    Moment,
    Option,
    Question,
    Sealed,
    Throw,
    Together,
    check,
    noted,
)
from companion.kit.ruling import Duel, Harm, Reason, Refusal
from companion.kit.text import Text, say


class Pending(Exception):
    """A rule that cannot go on before a question is answered.

    It carries the reasons told so far, and the state that the rule has come to by now (None: that before it).
    """

    def __init__(self, question: Question, reasons: tuple[Reason, ...], progress: Any = None) -> None:
        super().__init__(question.key)
        self.question = question
        self.reasons = reasons
        self.progress = progress


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
        self._does: tuple[Effect, ...] = ()
        self._of: Text | None = None
        self._progress: Any = None
        self._answered: set[str] = set()
        self._begins: Clash | None = None

    def answer(self, question: Question) -> Answer:
        """Return the next recorded answer; raise Pending when there is none yet."""
        if self.used == len(self.given):
            raise self.pending(question)
        self.used += 1
        return self.given[self.used - 1]

    def pending(self, question: Question) -> Pending:
        """Return what says that the rule waits for an answer, with all that has come of it so far."""
        told = (
            msgspec.structs.replace(line, clash=line.clash.after(self._answered)) if line.clash else line
            for line in self.reasons
        )
        return Pending(question, tuple(told), self._progress)

    @contextmanager
    def meanwhile(self, lines: Callable[[], Iterable[Reason]]) -> Iterator[None]:
        """Tell lines only as long as a question within waits, such as who meets whom before a rule has told anything.

        They come last, are worked out only where somebody reads them, and are no part of the ruling.
        """
        try:
            yield
        except Pending as waits:
            if self.unread:
                raise
            raise Pending(waits.question, (*waits.reasons, *lines()), waits.progress) from None

    def progress(self, state: Any) -> None:
        """Say what the state is by now: until the next answer every seat sees what it may see of that."""
        self._progress = state

    def _ask(self, question: Question, kind: type[A]) -> A:
        answer = self.answer(question)
        if not isinstance(answer, kind) or answer.key != question.key:
            raise Refusal(OF_ANOTHER_QUESTION, field="answers")
        check(question, answer)
        self._answered.add(question.key)
        return answer

    def throw(  # noqa: PLR0913 -- what a Throw has, by name
        self,
        count: int,
        sides: int,
        key: str,
        why: Text,
        *,
        by: str,
        clause: str | None = None,
        alike: tuple[tuple[int, ...], ...] = (),
        does: tuple[Effect, ...] = (),
        of: Text | None = None,
    ) -> tuple[int, ...]:
        """Ask for dice; return the faces in the order thrown."""
        self._sides, self._does, self._of = sides, does, of
        return self._ask(Throw(key, why, by, count, sides, clause, alike, does, of), Faces).faces

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
        foretold: Callable[[], Foretold],
        *,
        clause: str | None = None,
    ) -> str:
        """Ask a seat to choose, and say what follows from each option, the best first.

        ``foretold`` tells it. It is asked only where somebody reads it, and no part of the ruling.
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
        begins, self._begins = self._begins, None
        self.reasons.append(Reason(text, clause, value, terms, seat=seat, marks=marks, harm=harm, clash=begins))
        if faces:
            self.show(faces)

    def show(self, faces: tuple[int, ...]) -> None:
        """Put the faces that came up on the newest line."""
        shown = {"faces": faces, "sides": self._sides, "does": of_faces(faces, self._does), "of": self._of}
        self.reasons[-1] = msgspec.structs.replace(self.reasons[-1], **shown)

    def leave_out(self, line: int, places: tuple[int, ...]) -> None:
        """Say which of the dice on a line, by its number, do not count: by their places among its faces."""
        self.reasons[line] = msgspec.structs.replace(self.reasons[line], left_out=places)

    def expect(self, does: tuple[Effect, ...]) -> None:
        """Say what the dice will do that the newest line has counted."""
        self.reasons[-1] = msgspec.structs.replace(self.reasons[-1], does=does)

    def clash(self, clash: Clash) -> None:
        """Let a clash begin with the newest line; where none is told yet, with the first."""
        if self.reasons:
            self.reasons[-1] = msgspec.structs.replace(self.reasons[-1], clash=clash)
        else:
            self._begins = clash

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
