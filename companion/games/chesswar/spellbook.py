"""What each spell does, in lines with their clauses, and whether it holds against Counterspells (section 2.6)."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from companion.games.chesswar import magic, odds
from companion.games.chesswar.armies import INSTANT, PHASE_OF, TEMPORARY, TYPES
from companion.games.chesswar.facts import CounterFacts, SpellFacts
from companion.games.chesswar.options import Options
from companion.games.chesswar.paraphrase import EFFECT, LASTS, ON, ROLLED, WHEN, WORKS
from companion.games.chesswar.state import State, Unit
from companion.kit.asking import Answer, Ask, Choice, Choose, Question
from companion.kit.chart import Chart
from companion.kit.ruling import Ruling
from companion.kit.text import Text, say

CASTER = "wq1"
HOLDS = say("It works")
NO_EFFECT = say("It has no effect")


class Described(msgspec.Struct, frozen=True):
    """Hold when a spell is cast, whether it lasts, and the face that its own roll needs, None without one."""

    when: str
    temporary: bool
    needed: int | None


class Spelled(msgspec.Struct, frozen=True):
    """Hold whether a spell has its effect."""

    works: bool


class Countering(Ask):
    """Let everybody counter who can, one mage after the other; the dice are asked for as ever."""

    def __init__(self, ask: Ask) -> None:
        super().__init__()
        self.ask = ask
        self.reasons = ask.reasons

    def answer(self, question: Question) -> Answer:
        """Choose the first mage; pass every other question on."""
        if isinstance(question, Choose):
            mage = next(option.value for option in question.options if option.value != magic.NO)
            return Choice(question.key, mage, question.seat)
        return self.ask.answer(question)


def _mages(given: CounterFacts) -> State:
    """Set up the caster and the mages who counter, in the caster's turn."""
    knows = next(kind.id for kind in TYPES.values() if given.spell in kind.spells)
    own = tuple(Unit(f"wq{number}", "white", knows) for number in range(1, 2 + given.support))
    enemy = tuple(Unit(f"bq{number}", "black", knows) for number in range(1, 1 + given.against))
    return State(options=Options(board="table"), units=(*own, *enemy), phase="movement", order=(0, 1))


def _works(given: CounterFacts, ask: Ask) -> bool:
    """Cast a spell, with its own roll (CW-143), and let it be countered (CW-141 to CW-144)."""
    state, countering = _mages(given), Countering(ask)
    mage = state.unit(CASTER)
    state = magic.spend(state, mage)
    works = magic.roll(state, mage, given.spell, ROLLED[given.spell], ask) if given.spell in ROLLED else True
    return magic.stands(state, mage, given.spell, countering, works=works)[1]


def spell(given: SpellFacts, ask: Ask) -> Ruling[Described]:
    """Say what a spell does."""
    when = "instant" if given.spell in INSTANT else PHASE_OF[given.spell]
    ask.tell(*WHEN[when])
    if given.spell in TEMPORARY:
        ask.tell(LASTS, "CW-129")
    ask.tell(*EFFECT[given.spell])
    if given.spell in ROLLED:
        ask.tell(ON, ROLLED[given.spell])
    needed = WORKS if given.spell in ROLLED else None
    return Ruling(Described(when, given.spell in TEMPORARY, needed), Text(given.spell), tuple(ask.reasons))


def spell_charts(given: SpellFacts) -> tuple[Chart, ...]:
    """Show the odds of a spell's own roll, where it has one."""
    return counter_charts(CounterFacts(spell=given.spell, against=0)) if given.spell in ROLLED else ()


def counter(given: CounterFacts, ask: Ask) -> Ruling[Spelled]:
    """Rule on whether a spell holds against Counterspells."""
    works = _works(given, ask)
    return Ruling(Spelled(works), HOLDS if works else NO_EFFECT, tuple(ask.reasons))


@lru_cache(maxsize=256)
def counter_charts(given: CounterFacts) -> tuple[Chart, ...]:
    """Show the odds that a spell has its effect when everybody counters who can."""
    chances = odds.explored(_mages(given), lambda ask: _works(given, ask))
    return (Chart(Text(given.spell), odds.bars_of(chances, ((True, HOLDS), (False, NO_EFFECT)))),)
