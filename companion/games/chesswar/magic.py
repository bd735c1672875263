"""Magic in general: who may cast what when, and Counterspells (CW-122 to CW-130, CW-141 to CW-144)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import speech
from companion.games.chesswar.armies import INSTANT, PHASE_OF
from companion.games.chesswar.paraphrase import EFFECT, WORKS, before_answering
from companion.games.chesswar.sides import teams
from companion.games.chesswar.state import TURN_PHASES
from companion.kit.asking import Option
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Container

    from companion.games.chesswar.armies import Spell
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask

NO = "no"
PATIENCE = 5
"""Seconds that a side has for an instant when its answers are not waited for."""


def barred(state: State, mage: Unit, spell: Spell) -> Reason | None:
    """Say why a mage can not cast a spell now; None when he can (CW-122 to CW-128)."""
    if spell not in mage.kind.spells:
        return Reason(say("A mage casts only the spells of his own list."), "CW-124")
    if mage.cast:
        return Reason(say("Each mage casts one spell a turn."), "CW-122")
    own = mage.side in state.acting
    if mage.locked and own:
        return Reason(say("He cast an instant in the enemy's turn: no spell in this one."), "CW-123")
    if spell in INSTANT:
        return None if state.phase in TURN_PHASES else Reason(say("The game has not begun."), "CW-126")
    clause = "CW-127" if PHASE_OF[spell] == "movement" else "CW-128"
    if not own:
        return Reason(say("In the enemy's turn only instant spells are cast."), clause)
    if state.phase != PHASE_OF[spell]:
        return Reason(
            say("{spell} is cast in the {phase} phase.", spell=Text(spell), phase=Text(PHASE_OF[spell])), clause
        )
    return _place_barred(state, mage, spell)


def _place_barred(state: State, mage: Unit, spell: Spell) -> Reason | None:
    if PHASE_OF[spell] == "movement":
        if mage.engaged and spell != "flight":
            return Reason(say("A mage in melee casts no movement spell."), "CW-127")
        if mage.charge_failed:
            return Reason(say("A movement spell is cast before the charge."), "CW-127")
        if mage.moved and not state.acted_last(mage):
            return Reason(say("A movement spell is cast right after the mage has moved."), "CW-127")
    if spell == "zap" and mage.engaged:
        return Reason(say("A mage in melee casts no shooting spell."), "CW-128")
    if spell == "zap" and mage.shot:
        return Reason(say("The spell takes the place of his attack."), "CW-128")
    if spell == "strike" and not mage.engaged:
        return Reason(say("Strike is for a mage in melee."), "CW-150")
    if spell == "strike" and mage.attacked:
        return Reason(say("The spell takes the place of his attack."), "CW-128")
    return None


def casters(state: State, side: Side, spell: Spell, fallen: Container[str] = ()) -> tuple[Unit, ...]:
    """List the mages of a side that may cast a spell now; those who are falling cast none."""
    return tuple(unit for unit in state.standing(side) if unit.id not in fallen and barred(state, unit, spell) is None)


def spend(state: State, mage: Unit) -> State:
    """Note that a mage has cast: in the enemy's turn it costs him the spell of his own next one (CW-122, CW-123)."""
    return state.with_unit(mage.id, cast=True, locked=mage.locked or mage.side not in state.acting)


def asked(state: State, side: Side, key: str, ask: Ask) -> bool:
    """Tell whether a side wants to be asked for instants; a choice declared ahead is always heard."""
    return state.replies.get(side, "ask") != "never" or key in ask.intended


def volunteer(
    state: State,
    side: Side,
    mages: tuple[Unit, ...],
    spell: Spell,
    key: str,
    why: Text,
    ask: Ask,
    works: Text | None = None,
) -> tuple[State, Unit | None]:
    """Ask a side which of its mages casts an instant spell; he has spent his spell then. None when nobody does.

    ``works`` says what comes of it; without it, the face that the spell needs.
    """
    locks = side not in state.acting
    works = works or say("works on {chance}", chance=speech.chance(WORKS))
    note = say("{works}; no spell in his next turn", works=works) if locks else works
    options = [Option(NO, say("No spell"))]
    for mage in mages:
        label = say("{spell}: {unit}", spell=Text(spell), unit=speech.name(state, mage))
        options.append(Option(mage.id, label, place=mage.square, note=note))
    waits = state.replies.get(side, "ask") == "wait"
    chosen = ask.choose(
        side,
        options,
        key,
        why,
        clause=EFFECT[spell][1],
        patience=PATIENCE if waits else 0,
        silence=NO if waits else None,
        advice=before_answering(spell, locks=locks),
    )
    caster = next((one for one in mages if one.id == chosen), None)
    return (state, None) if caster is None else (spend(state, caster), caster)


def roll(state: State, mage: Unit, spell: Spell, clause: str, ask: Ask) -> bool:
    """Roll whether a spell with a roll of its own works (CW-141, CW-145)."""
    who = speech.name(state, mage)
    why = say("{unit} cast {spell}: 4 or more for it to work", unit=who, spell=Text(spell))
    face = ask.throw(1, 6, spell, why, by=mage.side, clause="CW-10", alike=((1, 2, 3), (4, 5, 6)))[0]
    works = face >= WORKS
    said = (
        say("{unit} cast {spell}: it worked", unit=who, spell=Text(spell))
        if works
        else say("{unit} cast {spell}: it failed", unit=who, spell=Text(spell))
    )
    ask.tell(said, clause, faces=(face,), marks=((mage.id, "acting"),))
    return works


def foes_in_turn(state: State, side: Side) -> tuple[Side, ...]:
    """List the sides against a side, in the order of their turns from the present one."""
    order = (*state.order[state.active :], *state.order[: state.active])
    return tuple(one for team in order for one in teams(state.options)[team] if one not in state.team(side))


def stands(
    state: State,
    caster: Unit,
    spell: Spell,
    ask: Ask,
    *,
    works: bool = True,
    fallen: Container[str] = (),
    owner: Side | None = None,
) -> tuple[State, bool]:
    """Let a spell be countered, the Counterspell too, and so on; tell whether it has its effect (CW-141 to CW-144).

    ``works`` is what its own roll said: a spell that failed anyway is not worth a question. Those who are ``fallen``
    counter nothing; the ``owner`` of the spell that this one counters answers first (CW-Q22).
    """
    for side in sorted(foes_in_turn(state, caster.side), key=lambda side: side != owner):
        while mages := casters(state, side, "counterspell", fallen):
            key = f"counter_{caster.id}"
            if not (works or key in ask.intended) or not asked(state, side, key, ask):
                break
            why = say("{unit} cast {spell}: Counterspell?", unit=speech.name(state, caster), spell=Text(spell))
            state, mage = volunteer(state, side, mages, "counterspell", key, why, ask)
            if mage is None:
                break
            dispersed = roll(state, mage, "counterspell", "CW-141", ask)
            state, dispersed = stands(
                state, mage, "counterspell", ask, works=dispersed, fallen=fallen, owner=caster.side
            )
            if dispersed:
                ask.tell(
                    say("{spell} is dispersed", spell=Text(spell)), "CW-142" if spell == "counterspell" else "CW-141"
                )
                return state, False
    return state, works
