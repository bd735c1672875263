"""Consult a lookup: rule on typed-in facts with what was answered so far; nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from secrets import randbelow
from typing import Any, Literal

import msgspec

from companion.kit.asking import Answer, Ask, Choice, Choose, Faces, Pending, Question, Throw
from companion.kit.game import Lookup
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import say

Lacking = Literal["roll", "ask", "refuse"]
"""When dice are lacking: Companion ``roll``s them, the caller is ``ask``ed, or the ruling is ``refuse``d."""

MOST_DICE = 200


class Consulted(msgspec.Struct, frozen=True):
    """Hold what a lookup said: the ruling, or else the question it waits for and the reasons told so far.

    ``faces`` are all dice up to here in the order thrown; given back with the next answer they go
    on from there. ``unused`` names choices that were given but not asked for.
    """

    ruling: Ruling[Any] | None
    question: Throw | Choose | None
    reasons: tuple[Reason, ...]
    faces: tuple[int, ...]
    unused: tuple[str, ...]


class _Conversation(Ask):
    """Answer choices by key and throws from a flat list of dice, then as ``lacking`` says."""

    def __init__(self, choices: Mapping[str, str], dice: Sequence[int], lacking: Lacking) -> None:
        super().__init__()
        self.intended = dict(choices)
        self.left = list(dice)
        self.lacking = lacking
        self.faces: list[int] = []
        self.clause: str | None = None

    def answer(self, question: Question) -> Answer:
        """Answer from what was given; raise Pending when nothing is left and nobody rolls."""
        if isinstance(question, Throw):
            self.clause = question.clause
        match question:
            case Throw() if self.left or self.lacking == "refuse":
                faces = tuple(self.left[: question.count])
                del self.left[: question.count]
            case Throw() if self.lacking == "roll":
                faces = tuple(1 + randbelow(question.sides) for _ in range(question.count))
            case Choose() if question.key in self.intended:
                return Choice(question.key, self.intended.pop(question.key), question.seat)
            case _:
                raise Pending(question, tuple(self.reasons))
        self.faces.extend(faces)
        return Faces(question.key, faces)

    def finish(self, clause: str | None = None) -> None:
        """Refuse dice that were given but never asked for."""
        if self.left:
            raise Refusal(say("More dice were given than are to be thrown."), clause or self.clause, "dice")


def consult(lookup: Lookup, facts: Any, choices: Mapping[str, str], dice: Sequence[int], lacking: Lacking) -> Consulted:
    """Rule on facts; ``dice`` are faces in the order thrown, ``choices`` option values by the question's key.

    Raises Refusal (field ``dice`` for wrong dice, ``choices.<key>`` for a wrong choice), and TypeError when
    the lookup asks for cards or for sealed answers, which need a table.
    """
    ask = _Conversation(choices, dice, lacking)
    try:
        ruling = lookup.rule(facts, ask)
        ask.finish()
    except Pending as pending:
        if not isinstance(pending.question, Throw | Choose):
            raise TypeError(f"{lookup.slug} asks for {pending.question.key}, which needs a table") from pending
        return Consulted(None, pending.question, pending.reasons, tuple(ask.faces), tuple(ask.intended))
    except Refusal as refused:
        field = {"faces": "dice"}.get(refused.field or "", refused.field)
        if field in choices:
            field = f"choices.{field}"
        raise Refusal(refused.text, refused.clause, field) from refused
    return Consulted(ruling, None, ruling.reasons, tuple(ask.faces), tuple(ask.intended))
