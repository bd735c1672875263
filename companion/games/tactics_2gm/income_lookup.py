"""The look-up of a headquarters phase: the rule that a table uses, on typed-in facts (G2-79, G2-80, G2-152)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import income
from companion.games.tactics_2gm.income import Income, IncomeFacts
from companion.kit.game import Lookup
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.kit.asking import Ask


def rule(facts: IncomeFacts, ask: Ask) -> Ruling[Income]:
    """Rule on a headquarters phase; raise Refusal where a general's AP are told, and nobody is a pair."""
    if facts.stored_general and not facts.pair:
        raise Refusal(say("Only two partners keep AP each."), "G2-152", "stored_general")
    found = income.produce(facts, ask)
    if found.marshal is None:
        text = say("{count} AP", count=found.ap_after)
    else:
        text = say(
            "Field marshal {marshal} AP, general {general} AP", marshal=found.marshal, general=found.general or 0
        )
    return Ruling(found, text, tuple(ask.reasons))


INCOME = Lookup(
    "income",
    say("Action points of a turn"),
    IncomeFacts,
    rule,
    note=say("What the headquarters phase gives: headquarters, command groups, supply line, and what is lost."),
)
