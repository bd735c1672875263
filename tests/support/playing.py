"""Play a game's rules through its contract, as the tests of every game that has boards and armies do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.kit.questions import Answer, Choice, Choose, Faces, Instant, Moment, Question, Sealed, Throw, Together
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, speak
from tests.support.two_cities_positions import Plays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.kit.action import Offer
    from companion.kit.asking import Ask


class Scripted(Plays):
    """Answer dice in order, choices by key, and what is asked together too: a bid by ``bid_allies`` and ``bid_axis``.

    Draws take the cards named in ``drawn``, else the first of the pile. It is always noon.
    """

    def answer(self, question: Question) -> Answer:
        if not isinstance(question, Together):
            return super().answer(question)
        self.asked.append(question)
        answers: dict[str, Faces | Choice] = {}
        for seat, part in question.questions.items():
            found = self._part(part)
            assert isinstance(found, Faces | Choice)
            answers[seat] = found
        return Sealed(question.key, answers)

    def _part(self, part: Throw | Choose) -> Answer | None:
        return self._prepared(part) or self._other(part)

    def _other(self, question: Question) -> Answer | None:
        if isinstance(question, Moment):
            return Instant(question.key, 1_800_000_000_000)
        return super()._other(question)


class Playing:
    """Play one game: ``plays`` answers dice and choices, ``acting`` names who acts, ``spare`` refuses unused dice."""

    def __init__(self, game: Any, plays: type[Plays], acting: Callable[[Any], str], spare: str) -> None:
        self.game = game
        self.plays = plays
        self.acting = acting
        self.spare = spare
        self.known = game.rulebook.ids()

    def rule(self, state: Any, seat: str, action: Any, ask: Ask | None = None) -> Ruling[Any]:
        """Rule through the game's contract; dice that are not used are refused."""
        ask = ask if ask is not None else self.plays()
        ruling: Ruling[Any] = self.game.rule(state, seat, action, ask)
        ask.finish(self.spare)
        assert self.english(ruling.headline)
        self.check(ruling.reasons)
        return ruling

    def check(self, reasons: Iterable[Reason]) -> None:
        """Check that whatever is told rests on clauses that there are."""
        for reason in reasons:
            assert reason.clause is None or reason.clause in self.known, reason
            self.check(reason.terms)

    def ruled(self, state: Any, action: Any, *dice: int, seat: str | None = None, **choices: Any) -> Ruling[Any]:
        """The ruling on an action of who acts, or of the seat named."""
        return self.rule(state, seat or self.acting(state), action, self.plays(*dice, **choices))

    def after(self, state: Any, action: Any, *dice: int, seat: str | None = None, **choices: Any) -> Any:
        """The state after an action."""
        return self.ruled(state, action, *dice, seat=seat, **choices).outcome

    def refusal(self, state: Any, action: Any, *dice: int, seat: str | None = None, **choices: Any) -> Refusal:
        """The refusal of an action; fails when it is not refused."""
        try:
            self.ruled(state, action, *dice, seat=seat, **choices)
        except Refusal as refused:
            self.check((refused.reason,))
            return refused
        raise AssertionError(f"{action} was not refused")

    def no(self, state: Any, action: Any, *dice: int, seat: str | None = None, **choices: Any) -> str | None:
        """The clause that an action is refused with."""
        return self.refusal(state, action, *dice, seat=seat, **choices).clause

    def questions(self, state: Any, action: Any, *dice: int, seat: str | None = None, **choices: Any) -> list[Any]:
        """What an action asks, in order."""
        ask = self.plays(*dice, **choices)
        self.rule(state, seat or self.acting(state), action, ask)
        return ask.asked

    def offered(self, state: Any, action: str, seat: str | None = None) -> list[Offer]:
        """The offers of one kind."""
        return [offer for offer in self.game.offers(state, seat or self.acting(state)) if offer.action == action]

    def english(self, text: Text | None) -> str:
        """A sentence in English."""
        return speak(text, lambda key: self.game.words.find(key, "en") or key) if text is not None else ""

    def told(self, reasons: Iterable[Reason]) -> list[str]:
        """What reasons say in English, line by line."""
        return [self.english(reason.text) for reason in reasons]


def picked(left: Iterable[str], names: str, called: Callable[[str], str]) -> tuple[str, ...]:
    """The codes of cards out of a pile by their names, each name another copy."""
    found: tuple[str, ...] = ()
    for name in names.split():
        found = (*found, next(code for code in left if code not in found and called(code) == name))
    return found


def clauses(reasons: Iterable[Reason]) -> list[str | None]:
    """The clauses that reasons cite, line by line."""
    return [reason.clause for reason in reasons]


def options_of(offer: Offer, field: str) -> list[str]:
    """The open choices of an offer's field."""
    found = next(one for one in offer.fields if one.name == field)
    return [option.value for option in found.options if option.barred is None]
