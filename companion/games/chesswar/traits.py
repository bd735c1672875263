"""Special attributes, the ground under a unit, and the saving roll on them (CW-06 to CW-08, CW-107 to CW-113)."""

from __future__ import annotations

from typing import Literal

from companion.games.chesswar import speech
from companion.games.chesswar.options import Side, grid
from companion.games.chesswar.state import Effect, State, Unit
from companion.kit import clash
from companion.kit.asking import Ask
from companion.kit.once import once
from companion.kit.questions import NO_YES
from companion.kit.ruling import Reason, total
from companion.kit.text import Text, say

Against = Literal["melee", "bow", "shot", "plague", "bomb", "strike", "dread"]
"""What a unit saves against; ``shot`` is any other ranged attack, a spell too."""
RANGED: tuple[Against, ...] = ("bow", "shot", "bomb")
PLAGUE = "save_plague_"
"""What the key of a saving roll against the plague begins with; the unit's id follows."""
SAVES: dict[str, int] = {"protection": 1, "undead": 1, "plague": 1, "bomb": 1, "strike": -2, "forest": 1}
"""What is added to the die of a saving roll (CW-79, CW-110, CW-111, CW-150, CW-153, CW-170)."""

PROTECTION = Reason(say("Protection"), "CW-153", -SAVES["protection"])
UNDEAD = Reason(say("undead against bows"), "CW-110", -SAVES["undead"])
PLAGUED = Reason(say("plague"), "CW-111", -SAVES["plague"])
BOMBED = Reason(say("plague bomb"), "CW-79", -SAVES["bomb"])
STRUCK = Reason(say("Strike"), "CW-150", -SAVES["strike"])
WOODED = Reason(say("in a forest"), "CW-170", -SAVES["forest"])


def under(state: State, spell: str, side: Side) -> bool:
    """Tell whether a temporary spell of a side is in force; more of them change nothing (CW-130)."""
    return any(effect.spell == spell and effect.side in state.team(side) for effect in state.effects)


def stormy(state: State) -> bool:
    """Tell whether a storm is in force, whoever called it (CW-156)."""
    return any(effect.spell == "storm" for effect in state.effects)


@once
def protected(state: State, unit: Unit) -> bool:
    """Tell whether a unit stands in a Protection of its own side, which moves with the mage (CW-153, CW-155)."""
    return any(
        effect.spell == "protection" and effect.side in state.team(unit.side) and beside(state, effect, unit)
        for effect in state.effects
    )


def beside(state: State, effect: Effect, unit: Unit) -> bool:
    """Tell whether a unit is the mage of a spell or stands beside him (CW-153)."""
    if unit.id == effect.caster or unit.id in effect.covers:
        return True
    mage = state.find(effect.caster)
    if mage is None or not mage.square or not unit.square:
        return False
    return grid(state.options).moves_apart(mage.square, unit.square) <= 1


def brave(state: State, unit: Unit) -> bool:
    """Tell whether a unit is brave (CW-108, CW-110, CW-153, CW-159)."""
    return unit.kind.brave or unit.flying or protected(state, unit)


def dreadful(state: State, unit: Unit, towards: Side) -> bool:
    """Tell whether a unit is dreadful towards a side (CW-109, CW-110, CW-152, CW-174)."""
    return unit.kind.dreadful or under(state, "fear", unit.side) or leaderless(state, towards)


def leaderless(state: State, side: Side) -> bool:
    """Tell whether a side fights on without a general (CW-174 to CW-177)."""
    return state.options.total_massacre and side in state.leaderless


def plagued(state: State, unit: Unit) -> bool:
    """Tell whether a unit carries the plague (CW-111, CW-140)."""
    return "plague" in unit.kind.traits or under(state, "contagion", unit.side)


def immune(state: State, unit: Unit) -> bool:
    """Tell whether no plague can harm a unit (CW-112)."""
    return plagued(state, unit) or unit.kind.undead or protected(state, unit)


def regenerates(unit: Unit) -> bool:
    """Tell whether a unit is knocked over where others are destroyed (CW-114)."""
    return "regeneration" in unit.kind.traits


def wooded(state: State, unit: Unit) -> bool:
    """Tell whether a mirrored board has a forest where a unit stands."""
    return unit.square is not None and state.terrain.get(unit.square) == "forest"


def in_forest(state: State, unit: Unit, ask: Ask) -> bool:
    """Tell whether a unit stands in a forest; where only the real board knows, its player is asked."""
    if state.mirrored or not state.options.terrain:
        return wooded(state, unit)
    why = say("{unit}: in a forest?", unit=speech.name(state, unit))
    return ask.choose(unit.side, NO_YES, f"forest_{unit.id}", why, clause="CW-170") == "yes"


def save_summands(state: State, unit: Unit, against: Against, *, forest: bool = False) -> tuple[Reason, ...]:
    """List what the face of a save is made of, the 1 that always fails last (CW-06, CW-07)."""
    modifiers = (
        (protected(state, unit), PROTECTION),
        (unit.kind.undead and against == "bow", UNDEAD),
        (against == "plague", PLAGUED),
        (against == "bomb", BOMBED),
        (against == "strike", STRUCK),
        (against in RANGED and (forest or wooded(state, unit)), WOODED),
    )
    added = [modifier for holds, modifier in modifiers if holds]
    summands = (Reason(say("save"), None, unit.kind.save), *added)
    short = 2 - total(summands)
    return (*summands, Reason(say("a 1 always fails"), "CW-07", short)) if short > 0 else summands


def save_needed(state: State, unit: Unit, against: Against, *, forest: bool = False) -> int:
    """Return the face that a unit's saving roll needs; more than 6 can not be thrown (CW-06, CW-07, CW-08)."""
    return total(save_summands(state, unit, against, forest=forest))


def save_required(state: State, unit: Unit, against: Against, *, forest: bool = False) -> Reason:
    """Say the face that a unit's saving roll needs, and what it is made of."""
    who, need = speech.name(state, unit), save_needed(state, unit, against, forest=forest)
    if need < 7:
        why, clause = say("{unit}: {needed} or more to save", unit=who, needed=need), "CW-06"
    else:
        why, clause = say("{unit} cannot save: that takes a {needed}", unit=who, needed=need), "CW-08"
    summands = save_summands(state, unit, against, forest=forest)
    return Reason(why, clause, need, summands) if len(summands) > 1 else Reason(why, clause)


def alike(needed: int) -> tuple[tuple[int, ...], ...]:
    """Group the faces of a die by whether they are enough; none or all of them may be."""
    return tuple(filter(None, _parted(needed)))


def _parted(needed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    first = min(max(needed, 1), 7)
    return tuple(range(1, first)), tuple(range(first, 7))


def effects(needed: int, enough: Text, short: Text | None = None) -> tuple[clash.Effect, ...]:
    """Say what the faces of a die do: those that are enough, and the others if they do anything."""
    low, high = _parted(needed)
    failed = (clash.Effect(low, short, harm=True),) if low and short else ()
    return (*((clash.Effect(high, enough),) if high else ()), *failed)


def falls(unit: Unit) -> Text:
    """Say in a word what becomes of a unit that is struck down (CW-96, CW-114)."""
    return say("knocked over") if regenerates(unit) else say("destroyed")


def save_effects(unit: Unit, against: Against, needed: int) -> tuple[clash.Effect, ...]:
    """Say what the faces of a saving roll do."""
    if against == "dread":
        return effects(needed, say("charges"), say("stays put"))
    return effects(needed, say("saved"), falls(unit))


def save(state: State, unit: Unit, against: Against, ask: Ask) -> bool:
    """Roll whether a unit passes a saving roll (CW-06); a 1 always fails (CW-07)."""
    forest = against in RANGED and in_forest(state, unit, ask)
    need, who = save_needed(state, unit, against, forest=forest), speech.name(state, unit)
    asked = save_required(state, unit, against, forest=forest)
    key = f"{PLAGUE}{unit.id}" if against == "plague" else f"save_{unit.id}"
    does = save_effects(unit, against, need)
    face = ask.throw(1, 6, key, asked.text, by=unit.side, clause="CW-10", alike=alike(need), does=does)[0]
    passed = face >= need
    said = say("{unit}: saved, {needed} or more", unit=who, needed=need)
    if not passed:
        said = say("{unit}: not saved, {needed} or more was needed", unit=who, needed=need)
    clause, marks = "CW-07" if face == 1 else "CW-06", ((unit.id, "target"),)
    ask.tell(said, clause, asked.value, terms=asked.terms, faces=(face,), marks=marks)
    return passed
