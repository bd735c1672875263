"""What each spell does, in lines with their clauses, and whether it holds against Counterspells (section 2.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.games.chesswar import magic, odds, speech
from companion.games.chesswar.armies import INSTANT, PHASE_OF, TEMPORARY, TYPES
from companion.games.chesswar.facts import CounterFacts, SpellFacts
from companion.games.chesswar.necromancy import HEALS_WITHIN, RAISES_WITHIN
from companion.games.chesswar.options import Options
from companion.games.chesswar.spells import FLIGHT_REACH, ZAP_REACH
from companion.games.chesswar.state import State, Unit
from companion.kit.asking import Answer, Ask, Choice, Choose, Question
from companion.kit.game import Chart
from companion.kit.ruling import Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.armies import Spell

CASTER = "wq1"
ROLLED: dict[Spell, str] = {"healing": "CW-145", "counterspell": "CW-141"}
"""Spells with a roll of their own."""
WHEN = {
    "instant": (say("At any moment, in the enemy's turn too: he then casts nothing in his own next turn"), "CW-126"),
    "movement": (say("In the movement phase, right after the mage has moved or stayed, not in melee"), "CW-127"),
    "shooting": (say("In the shooting phase, not in melee"), "CW-128"),
    "combat": (say("In the combat phase, in place of his attack"), "CW-128"),
}
LASTS = say("It lasts until the start of the caster's next turn, or until he falls")
EFFECT: dict[Spell, tuple[Text, str]] = {
    "raise_dead": (say("A unit just destroyed within {squares} comes back on its square as one of the undead: "
                       "cavalry, archers, a catapult or zombies", squares=speech.squares(RAISES_WITHIN)), "CW-131"),
    "contagion": (say("All units of the caster's side carry the plague, and are immune to it"), "CW-140"),
    "counterspell": (say("Any spell just cast is dispersed, a Counterspell too; no range, no sight"), "CW-141"),
    "healing": (say("A unit just destroyed within {squares}, the mage too, survives and fights on",
                    squares=speech.squares(HEALS_WITHIN)), "CW-145"),
    "dispel": (say("One temporary spell in force ends"), "CW-149"),
    "strike": (say("One opponent in his melee saves at -2 or is destroyed; no continuation move"), "CW-150"),
    "fear": (say("All units of the caster's side are dreadful"), "CW-152"),
    "protection": (say("Own units on his square and the 8 around it save at +1, are brave and immune to plague"),
                   "CW-153"),
    "storm": (say("Bows lose 1 for each square of distance; the others scatter one die more for every 2 squares"),
              "CW-156"),
    "flight": (say("An own unit that he sees, or he himself, lands within {squares} on a square he sees, "
                   "and is brave until the phase ends", squares=speech.squares(FLIGHT_REACH)), "CW-159"),
    "zap": (say("An enemy that he sees within {squares} saves or is destroyed", squares=speech.squares(ZAP_REACH)),
            "CW-162"),
}  # fmt: skip
WORKS = say("It works")
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
        ask.tell(say("It works on {needed} or more", needed=magic.WORKS), ROLLED[given.spell])
    needed = magic.WORKS if given.spell in ROLLED else None
    return Ruling(Described(when, given.spell in TEMPORARY, needed), Text(given.spell), tuple(ask.reasons))


def spell_charts(given: SpellFacts) -> tuple[Chart, ...]:
    """Show the odds of a spell's own roll, where it has one."""
    return counter_charts(CounterFacts(spell=given.spell, against=0)) if given.spell in ROLLED else ()


def counter(given: CounterFacts, ask: Ask) -> Ruling[Spelled]:
    """Rule on whether a spell holds against Counterspells."""
    works = _works(given, ask)
    return Ruling(Spelled(works), WORKS if works else NO_EFFECT, tuple(ask.reasons))


def counter_charts(given: CounterFacts) -> tuple[Chart, ...]:
    """Show the odds that a spell has its effect when everybody counters who can."""
    chances = odds.explored(_mages(given), lambda ask: _works(given, ask))
    return (Chart(Text(given.spell), odds.bars_of(chances, ((True, WORKS), (False, NO_EFFECT)))),)
