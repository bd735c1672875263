"""Consult a lookup: rule on typed-in facts with what was answered so far; nothing is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from secrets import randbelow
from typing import Any, Literal

import msgspec

from companion.kit.asking import Answer, Choose, Faces, Pending, Question, Throw
from companion.kit.game import Lookup
from companion.kit.prepared_answers import PreparedAnswers
from companion.kit.ruling import Reason, Refusal, Ruling

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


def _rolled(question: Question) -> Answer | None:
    if not isinstance(question, Throw):
        return None
    return Faces(question.key, tuple(1 + randbelow(question.sides) for _ in range(question.count)))


def _no_dice(question: Question) -> Answer | None:
    """Answer a throw with no dice at all: that is refused, with the number that is needed."""
    return Faces(question.key, ()) if isinstance(question, Throw) else None


_LACKING: Mapping[Lacking, Callable[[Question], Answer | None]] = {
    "roll": _rolled,
    "ask": lambda _: None,
    "refuse": _no_dice,
}


def consult(lookup: Lookup, facts: Any, choices: Mapping[str, str], dice: Sequence[int], lacking: Lacking) -> Consulted:
    """Rule on facts; ``dice`` are faces in the order thrown, ``choices`` option values by the question's key.

    Raises Refusal (field ``dice`` for wrong dice, ``choices.<key>`` for a wrong choice), and TypeError when
    the lookup asks for cards or for sealed answers, which need a table.
    """
    ask = PreparedAnswers(choices, dice, _LACKING[lacking])
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
