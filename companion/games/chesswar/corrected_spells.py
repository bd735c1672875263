"""Corrections of the temporary spells in force: which there are, whose, and whom a Protection covers (CW-129)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from companion.games.chesswar import speech
from companion.games.chesswar.armies import TEMPORARY
from companion.games.chesswar.state import TURN_PHASES, Effect
from companion.kit.asking import Option
from companion.kit.correction import Tracked
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.armies import Spell
    from companion.games.chesswar.state import State, Unit

GROUP = say("Spells in force")
OVER = "over"
NOTHING = "none"
MOST_SPELLS = 40


def tracked(state: State) -> tuple[Tracked, ...]:
    """List the temporary spells in force, and the ones that a mage could have cast."""
    if state.phase not in TURN_PHASES:
        return ()
    found = []
    for number, effect in enumerate(state.effects):
        path = f"spell.{number}"
        label = say("{spell} of {side}", spell=Text(effect.spell), side=Text(effect.side))
        mages = [unit for unit in state.standing() if effect.spell in unit.kind.spells or unit.id == effect.caster]
        options = (*(Option(mage.id, speech.name(state, mage)) for mage in mages), Option(OVER, say("it is over")))
        caster = effect.caster if any(mage.id == effect.caster for mage in mages) else OVER
        found.append(Tracked(f"{path}.caster", GROUP, Field("value", label, "choice", options, value=caster)))
        if effect.spell == "protection" and not state.mirrored:
            found.append(Tracked(f"{path}.covers", GROUP, _covers(state, effect)))
    return (*found, Tracked("spell.new", GROUP, _missing(state)))


def _covers(state: State, effect: Effect) -> Field:
    own = [unit for unit in state.standing(*state.team(effect.side)) if unit.id != effect.caster]
    options = tuple(Option(unit.id, speech.name(state, unit)) for unit in own)
    covered = tuple(unit.id for unit in own if unit.id in effect.covers)
    return Field("value", say("Who stands beside the mage"), "many", options, value=covered)


def _missing(state: State) -> Field:
    options = tuple(
        Option(f"{mage.id}.{spell}", say("{spell}: {unit}", spell=Text(spell), unit=speech.name(state, mage)))
        for mage in state.standing()
        for spell in mage.kind.spells
        if spell in TEMPORARY
    )
    return Field(
        "value", say("A spell that is missing"), "choice", (Option(NOTHING, say("no spell")), *options), value=NOTHING
    )


def correct(state: State, rest: str, value: str) -> State:
    """Put a spell in force, end it, or say whose it is and whom it covers."""
    if rest == "new":
        if len(state.effects) >= MOST_SPELLS:
            raise Refusal(say("More spells than that are not kept."), "CW-130", "value")
        mage, _, spell = value.partition(".")
        effect = Effect(cast("Spell", spell), _mage(state, mage).side, mage)
        return state.but(effects=(*state.effects, effect))
    number, _, part = rest.partition(".")
    effects, at = list(state.effects), int(number)
    if part == "covers":
        effects[at] = replace(effects[at], covers=tuple(name for name in value.split(",") if name))
    elif value == OVER:
        del effects[at]
    else:
        effects[at] = replace(effects[at], caster=value, side=_mage(state, value).side)
    return state.but(effects=tuple(effects))


def _mage(state: State, name: str) -> Unit:
    return next(unit for unit in state.units if unit.id == name)
