"""A free table without a server: what is done is written as it is sent, dice are given, texts are read in English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games.free_table.game import GAME
from companion.games.free_table.start import Options
from companion.kit.asking import Ask, Pending
from companion.kit.panels import Tracker
from companion.kit.questions import Answer, Cards, Draw, Faces, Instant, Moment, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import Text, speak

if TYPE_CHECKING:
    from companion.games.free_table.trackers import State
    from companion.kit.action import Offer
    from companion.kit.panels import Row
    from companion.kit.ruling import Ruling


def english(text: Text) -> str:
    return speak(text, lambda key: GAME.words.find(key, "en") or key)


class Free:
    """One free table and what came of it; ``ruling`` is the newest."""

    ruling: Ruling[State]

    def __init__(self, *people: str, **options: Any) -> None:
        self.ruling = GAME.setup(Options(**options), Ask())
        self.state = self.ruling.outcome
        self.at = 0
        for number, name in enumerate(people, start=1):
            self.do(f"player_{number}", "sit", name=name)

    def do(self, seat: str, action: str, *dice: int, **rest: Any) -> Free:
        """Do something; ``dice`` come up in their order, cards in the order of their pile, time stands at ``at``."""
        made = msgspec.convert({"action": action, **rest}, GAME.actions, strict=False)
        left, answers = list(dice), list[Answer]()
        while True:
            ask = Ask(answers)
            try:
                self.ruling = GAME.rule(self.state, seat, made, ask)
            except Pending as pending:
                answers.append(self._answer(pending.question, left))
                continue
            assert not left, f"dice that were not thrown: {left}"
            ask.finish()
            self.state = self.ruling.outcome
            return self

    def _answer(self, question: Any, left: list[int]) -> Answer:
        match question:
            case Throw():
                faces = tuple(left[: question.count])
                del left[: question.count]
                return Faces(question.key, faces)
            case Draw():
                cards = tuple(question.pile[: question.count])
                return Cards(question.key, cards, question.by if question.secret else None)
            case Moment():
                return Instant(question.key, self.at)
        raise AssertionError(f"nobody answers {question}")

    def refused(self, seat: str, action: str, *dice: int, **rest: Any) -> tuple[str, str | None]:
        """What is said to something that is not done, and the field that is to blame."""
        before = self.state
        with pytest.raises(Refusal) as refusal:
            self.do(seat, action, *dice, **rest)
        assert self.state is before
        return english(refusal.value.text), refusal.value.field

    @property
    def headline(self) -> str:
        return english(self.ruling.headline)

    def rows(self, tracker: str, seat: str = "screen") -> dict[str, str]:
        """What the lines of a tracker say to a seat."""
        return {english(row.name): english(row.value) if row.value else "" for row in self.lines(tracker, seat)}

    def lines(self, tracker: str, seat: str = "screen") -> tuple[Row, ...]:
        panels = GAME.view(self.state, seat).panels
        return next(panel.rows for panel in panels if isinstance(panel, Tracker) and panel.id == tracker)

    def offers(self, seat: str, action: str) -> list[Offer]:
        return [offer for offer in GAME.offers(self.state, seat) if offer.action == action]

    def order(self) -> list[str]:
        return [tracker.id for tracker in self.state.trackers]
