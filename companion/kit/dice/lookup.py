"""Dice as a lookup: what every other lookup can do, such as typed dice, a throw can do as well."""

from __future__ import annotations

import msgspec

from companion.kit.asking import Ask
from companion.kit.chart import Chart
from companion.kit.dice import odds, parser, roll
from companion.kit.game import Lookup
from companion.kit.ruling import Ruling
from companion.kit.text import say

SOMEBODY = "you"


class Notation(msgspec.Struct, frozen=True):
    """What is to be thrown."""

    notation: str


def _throw(facts: Notation, ask: Ask) -> Ruling[roll.Thrown]:
    thrown = roll.throw(parser.read(facts.notation), ask, by=SOMEBODY)
    return Ruling(thrown, thrown.headline, thrown.reasons)


def _charts(facts: Notation) -> tuple[Chart, ...]:
    return odds.charts(parser.read(facts.notation))


DICE = Lookup("dice", say("Dice"), Notation, _throw, _charts)
