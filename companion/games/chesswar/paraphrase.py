"""What each spell does, how far it reaches and when it is cast, in a line each with its clause (section 2.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar.armies import PHASE_OF, TEMPORARY
from companion.kit import counts
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.armies import Spell

WORKS = 4
"""Face that Healing and Counterspell need (CW-141, CW-145)."""
HEALS_WITHIN = 2
RAISES_WITHIN = 4
FLIGHT_REACH = 4
ZAP_REACH = 4
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
                       "cavalry, archers, a catapult or zombies", squares=counts.squares(RAISES_WITHIN)), "CW-131"),
    "contagion": (say("All units of the caster's side carry the plague, and are immune to it"), "CW-140"),
    "counterspell": (say("Any spell just cast is dispersed, a Counterspell too; no range, no sight"), "CW-141"),
    "healing": (say("A unit just destroyed within {squares}, the mage too, survives and fights on",
                    squares=counts.squares(HEALS_WITHIN)), "CW-145"),
    "dispel": (say("One temporary spell in force ends"), "CW-149"),
    "strike": (say("One opponent in his melee saves at -2 or is destroyed; no continuation move"), "CW-150"),
    "fear": (say("All units of the caster's side are dreadful"), "CW-152"),
    "protection": (say("Own units on his square and the 8 around it save at +1, are brave and immune to plague"),
                   "CW-153"),
    "storm": (say("Bows lose 1 for each square of distance; the others scatter one die more for every 2 squares"),
              "CW-156"),
    "flight": (say("An own unit that he sees, or he himself, lands within {squares} on a square he sees, "
                   "and is brave until the phase ends", squares=counts.squares(FLIGHT_REACH)), "CW-159"),
    "zap": (say("An enemy that he sees within {squares} saves or is destroyed", squares=counts.squares(ZAP_REACH)),
            "CW-162"),
}  # fmt: skip
ON = say("It works on {needed} or more", needed=WORKS)
LOCKED = Reason(say("Cast in the enemy's turn it costs him his spell of his own next turn"), "CW-123")
SPENT = Reason(say("Each mage casts one spell a turn: he then casts no other in this one"), "CW-122")
MOVES_NO_MORE = Reason(say("He then moves no more this turn, but he may still charge"), "CW-127")
INSTEAD = Reason(say("It takes the place of his attack"), "CW-128")


def before_casting(spell: Spell, *, settled: bool) -> tuple[Reason, ...]:
    """Say what a spell of the own turn does, how long it lasts and what it costs; a ``settled`` mage moves no more."""
    return (
        Reason(*EFFECT[spell]),
        *((Reason(LASTS, "CW-129"),) if spell in TEMPORARY else ()),
        *((MOVES_NO_MORE,) if spell != "flight" and PHASE_OF[spell] == "movement" and not settled else ()),
        *((INSTEAD,) if PHASE_OF[spell] == "combat" else ()),
    )


def before_answering(spell: Spell, *, locks: bool) -> tuple[Reason, ...]:
    """Say what an instant spell does, whether it has to be rolled for, and what it costs."""
    rolled = (Reason(ON, ROLLED[spell]),) if spell in ROLLED else ()
    return (Reason(*EFFECT[spell]), *rolled, LOCKED if locks else SPENT)
