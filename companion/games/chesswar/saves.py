"""Saving rolls (CW-06 to CW-08, section 2.7 of the tables)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.games.chesswar import speech, traits
from companion.games.chesswar.ground import in_forest, wooded
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask

Against = Literal["melee", "bow", "shot", "plague", "bomb", "strike", "dread"]
"""What a unit saves against; ``shot`` is any other ranged attack, a spell too."""
RANGED: tuple[Against, ...] = ("bow", "shot", "bomb")
PLAGUE = "save_plague_"
"""What the key of a saving roll against the plague begins with; the unit's id follows."""


def terms(state: State, unit: Unit, against: Against, *, forest: bool = False) -> tuple[Reason, ...]:
    """List what a saving roll is made of: the modifiers of its die."""
    found: list[Reason] = []
    if traits.protected(state, unit):
        found.append(Reason(say("Protection"), "CW-153", 1))
    if unit.kind.undead and against == "bow":
        found.append(Reason(say("undead against bows"), "CW-110", 1))
    if against == "plague":
        found.append(Reason(say("plague"), "CW-111", 1))
    if against == "bomb":
        found.append(Reason(say("plague bomb"), "CW-79", 1))
    if against == "strike":
        found.append(Reason(say("Strike"), "CW-150", -2))
    if against in RANGED and (forest or wooded(state, unit)):
        found.append(Reason(say("in a forest"), "CW-170", 1))
    return tuple(found)


def needed(state: State, unit: Unit, against: Against, *, forest: bool = False) -> int:
    """Return the face that a unit's saving roll needs; more than 6 can not be thrown (CW-06, CW-07, CW-08)."""
    modifiers = sum(term.value or 0 for term in terms(state, unit, against, forest=forest))
    return max(2, unit.kind.save - modifiers)


def required(state: State, unit: Unit, against: Against, *, forest: bool = False) -> Reason:
    """Say the face that a unit's saving roll needs, and what it is made of."""
    who, need = speech.name(state, unit), needed(state, unit, against, forest=forest)
    why = (
        say("{unit}: {needed} or more to save", unit=who, needed=need)
        if need < 7
        else say("{unit} can not save: that takes a {needed}", unit=who, needed=need)
    )
    added = summands(state, unit, against, forest=forest)
    changed = len(added) > 1
    return Reason(why, "CW-06" if need < 7 else "CW-08", need if changed else None, added if changed else ())


def summands(state: State, unit: Unit, against: Against, *, forest: bool = False) -> tuple[Reason, ...]:
    """List what the face of a save is made of, the 1 that always fails last (CW-06, CW-07)."""
    added = terms(state, unit, against, forest=forest)
    found = (Reason(say("save"), None, unit.kind.save), *map(speech.on_the_face, added))
    short = needed(state, unit, against, forest=forest) - sum(term.value or 0 for term in found)
    return (*found, Reason(say("a 1 always fails"), "CW-07", short)) if short else found


def save(state: State, unit: Unit, against: Against, ask: Ask) -> bool:
    """Roll whether a unit passes a saving roll (CW-06); a 1 always fails (CW-07)."""
    forest = against in RANGED and in_forest(state, unit, ask)
    need = needed(state, unit, against, forest=forest)
    who = speech.name(state, unit)
    alike = (tuple(range(1, min(need, 7))), *((tuple(range(need, 7)),) if need < 7 else ()))
    asked = required(state, unit, against, forest=forest)
    key = f"{PLAGUE}{unit.id}" if against == "plague" else f"save_{unit.id}"
    face = ask.throw(1, 6, key, asked.text, by=unit.side, clause="CW-10", alike=alike)[0]
    passed = face >= need
    said: Text = (
        say("{unit}: saved, {needed} or more", unit=who, needed=need)
        if passed
        else say("{unit}: not saved, {needed} or more was needed", unit=who, needed=need)
    )
    ask.tell(
        said,
        "CW-07" if face == 1 else "CW-06",
        asked.value,
        terms=asked.terms,
        faces=(face,),
        marks=((unit.id, "target"),),
    )
    return passed
