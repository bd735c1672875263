"""Answer the questions of the rules of 2GM Tactics as a scenario says."""

from __future__ import annotations

from typing import Any

from companion.games.tactics_2gm.game import GAME
from companion.kit.prepared_answers import PreparedAnswers
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
)
from companion.kit.ruling import Ruling
from tests.scenarios.fields import objects, sequence
from tests.scenarios.runner import Unfit

ROLLS = {"d10", "start_roll", "aa_d10"}
NOON = 1_800_000_000_000


class Script(PreparedAnswers):
    """Answer with a scenario's dice in order, with the cards on top, and with what is intended by key.

    Of other choices the first counts that is open. Dice that are wrong, too many or too few are refused by the rules.
    """

    def __init__(self, dice: list[Any] | None = None, **intended: str) -> None:
        faces: list[Any] = []
        for one in objects("dice", dice, "roll", "values"):
            if one.get("roll", "d10") not in ROLLS:
                raise Unfit(f"unknown roll {one['roll']!r}")
            faces += sequence("values", one["values"])
        if any(type(face) is not int for face in faces):
            raise Unfit("a die shows a number")
        super().__init__(intended, faces, self._else)

    def _else(self, question: Question) -> Answer:
        match question:
            case Throw():
                return Faces(question.key, ())
            case Draw():
                return Cards(question.key, question.pile[: question.count], question.by if question.secret else None)
            case Choose():
                first = next(option.value for option in question.options if option.barred is None)
                return Choice(question.key, first, question.seat)
            case Moment():
                return Instant(question.key, NOON)
            case Together():
                parts = {seat: self._prepared(part) or self._else(part) for seat, part in question.questions.items()}
                return Sealed(question.key, {s: p for s, p in parts.items() if isinstance(p, Faces | Choice)})


def ruled(state: Any, action: Any, ask: Script | None = None, seat: str | None = None) -> Ruling[Any]:
    """What the game rules on an action of who acts, or of a seat; every die has to be used."""
    ask = Script() if ask is None else ask
    ruling: Ruling[Any] = GAME.rule(state, seat or state.acting[0], action, ask)
    ask.finish("G2-03")
    return ruling


def after(state: Any, action: Any, ask: Script | None = None, seat: str | None = None) -> Any:
    """The state after an action."""
    return ruled(state, action, ask, seat).outcome
