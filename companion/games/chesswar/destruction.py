"""What follows a destruction, in order: Healing, Raise dead, plague, the end of the game (CW-96, CW-111 to CW-118)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec.structs import replace

from companion.games.chesswar import speech, traits, victory
from companion.games.chesswar.necromancy import healed, raised
from companion.games.chesswar.saves import save
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask

Cause = Literal["attack", "backlash", "shot", "strike", "plague", "loss"]
"""What destroyed a unit: a melee attack, its own failed one, a ranged attack, Strike, plague, or its general's loss."""
MELEE_ATTACKS: tuple[Cause, ...] = ("attack", "backlash")


class Toll(NamedTuple):
    """Hold what a blow cost, by id, in the order in which it happened."""

    destroyed: tuple[str, ...] = ()
    knocked_down: tuple[str, ...] = ()
    healed: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    """Units in whose place another one stands now."""
    struck: tuple[str, ...] = ()
    """Units that a ranged attack came down on, whether they stood it or not."""

    def and_then(self, other: Toll) -> Toll:
        """Return both tolls as one."""
        return Toll(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def strike_down(
    state: State, fallen: tuple[str, ...], cause: Cause, ask: Ask, *, by: Unit | None = None
) -> tuple[State, Toll]:
    """Destroy units, with all that follows (CW-96); ``by`` whom, None where nobody did it."""
    before = {name: unit for name in fallen if (unit := state.find(name)) is not None}
    opponents = {name: unit.engaged_with for name, unit in before.items()}
    carriers = {name for name, unit in before.items() if traits.plagued(state, unit)}
    toll = Toll()
    lost: list[Unit] = []
    for name, unit in before.items():
        state, saved = (state, False) if cause == "loss" else healed(state, unit, fallen, ask)
        if saved:
            toll = toll.and_then(Toll(healed=(name,)))
        else:
            lost.append(unit)
    won = victory.NOBODY
    for unit in lost:
        state, went = _remove(state, unit, by, ask)
        toll = toll.and_then(went)
        won = victory.victors(state) if won == victory.NOBODY else won
        ask.progress(state)
    for unit in lost:
        decided = won != victory.NOBODY and not state.options.total_massacre
        if cause != "loss" and not decided:
            state, came = raised(state, unit, ask)
            toll = toll.and_then(Toll(raised=(unit.id,) if came else ()))
    gone = {unit.id for unit in lost}
    for unit in lost:
        if unit.id in carriers and _spreads(state, cause):
            state, further = _plague(state, unit, opponents[unit.id], gone, ask)
            toll = toll.and_then(further)
            gone |= set(further.destroyed)
    return victory.judge(state, ask, won), toll


def _spreads(state: State, cause: Cause) -> bool:
    return cause in MELEE_ATTACKS or not state.options.plague_melee_only


def _remove(state: State, unit: Unit, by: Unit | None, ask: Ask) -> tuple[State, Toll]:
    """Take a unit off the board, or knock it over (CW-114); a mage's temporary spells end with him (CW-129)."""
    state = state.disengage(unit.id)
    who, marks = speech.name(state, unit), ((unit.id, "target"),)
    (harm,) = speech.gone(state, unit, by)
    if traits.regenerates(unit):
        ask.tell(
            say("{unit}: knocked over, but may stand up again at the end of the turn", unit=who),
            "CW-114",
            marks=marks,
            harm=(replace(harm, fate="down"),),
        )
        return state.with_unit(unit.id, down=True), Toll(knocked_down=(unit.id,))
    ask.tell(say("{unit}: destroyed", unit=who), "CW-164" if unit.kind.general else "CW-96", marks=marks, harm=(harm,))
    for effect in state.effects:
        if effect.caster == unit.id:
            ask.tell(say("{spell} ends with its mage", spell=say(effect.spell)), "CW-129")
    effects = tuple(effect for effect in state.effects if effect.caster != unit.id)
    state = state.with_unit(unit.id, on_board=False, square=None).but(effects=effects)
    return victory.count_general(state, unit, ask), Toll(destroyed=(unit.id,))


def _plague(state: State, carrier: Unit, opponents: tuple[str, ...], gone: set[str], ask: Ask) -> tuple[State, Toll]:
    """Let the plague of a destroyed unit loose on those engaged with it (CW-111 to CW-113)."""
    caught: list[str] = []
    for name in opponents:
        unit = state.find(name)
        if unit is None or not unit.stands or name in gone:
            continue
        if traits.immune(state, unit):
            ask.tell(say("{unit}: immune to plague", unit=speech.name(state, unit)), "CW-112")
            continue
        ask.tell(
            say(
                "The plague of {enemy} spreads to {unit}",
                enemy=speech.name(state, carrier),
                unit=speech.name(state, unit),
            ),
            "CW-111",
            marks=((unit.id, "target"),),
        )
        if not save(state, unit, "plague", ask):
            caught.append(name)
    return strike_down(state, tuple(caught), "plague", ask, by=carrier) if caught else (state, Toll())
