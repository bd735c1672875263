"""The questions that a rule asks and their answers, as data, and what makes an answer fit its question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from companion.kit.clash import Effect
from companion.kit.ruling import Reason, Refusal, refuse
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
    it is read before it is done. ``badge`` is what a square has room for. The ``best`` one is what whoever is asked
    would choose: it is clear that no other is better for him.
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
    best: bool = False

    @property
    def at(self) -> str:
        """Return where it stands; one without a place may be called by it."""
        return self.place or self.value


NO_YES = (Option("no", NO), Option("yes", YES))


@cache
def _on(square: str) -> Option:
    return Option(square, say("{square}", square=square), place=square)


def square_options(names: Iterable[str]) -> tuple[Option, ...]:
    """List squares to choose from, so that they can be tapped on the board.

    Each is made once: before a game begins, dozens are offered for every unit.
    """
    return tuple(map(_on, names))


class Throw(msgspec.Struct, frozen=True, tag="throw", omit_defaults=True):
    """A question for ``count`` dice with faces 1..``sides``, thrown by seat ``by`` before everybody's eyes.

    ``alike`` groups faces that the rule treats the same, so that odds need fewer throws; ``clause`` is cited when
    wrong dice are refused. ``does`` says what faces do, for who looks at the dice; ``of`` in a word or two what
    they are thrown for, where others are thrown beside them.
    """

    key: str
    why: Text
    by: str
    count: int
    sides: int
    clause: str | None = None
    alike: tuple[tuple[int, ...], ...] = ()
    does: tuple[Effect, ...] = ()
    of: Text | None = None


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


class Foretold(NamedTuple):
    """What follows from each option, by its value; ``best`` is the one that is clearly best, if one is.

    ``advice`` is what to know beside, such as why nothing can be foretold.
    """

    notes: Mapping[str, Text]
    best: str | None = None
    advice: tuple[Reason, ...] = ()


def noted(question: Choose, foretold: Foretold) -> Choose:
    """Add what follows from each option to a question, in the order of the notes; options without one come last."""
    notes, best, advice = foretold
    told = [
        msgspec.structs.replace(one, note=notes.get(one.value, one.note), best=one.value == best)
        for one in question.options
    ]
    order = [*notes, *(one.value for one in told if one.value not in notes)]
    told.sort(key=lambda option: order.index(option.value))
    return msgspec.structs.replace(question, options=tuple(told), advice=(*question.advice, *advice))


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
        counts = {"count": question.count, "given": len(answer.faces)}
        what = say("Roll {count} die, not {given}.|Roll {count} dice, not {given}.", **counts)
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
