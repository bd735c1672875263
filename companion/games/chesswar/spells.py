"""Spells that a mage casts in his own turn (CW-127 to CW-130, CW-140, CW-149 to CW-163)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.games.chesswar import magic, movement, sight, speech
from companion.games.chesswar.armies import INSTANT
from companion.games.chesswar.destruction import Toll, strike_down
from companion.games.chesswar.paraphrase import FLIGHT_REACH, ZAP_REACH
from companion.games.chesswar.saves import save
from companion.games.chesswar.shooting import harm, struck, unsaved
from companion.games.chesswar.sides import grid
from companion.games.chesswar.state import Effect, Last
from companion.kit.asking import Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.actions import Cast
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask

DOES = {
    "contagion": "All units of {side} carry the plague",
    "fear": "All units of {side} are dreadful",
    "protection": "Units of {side} beside the mage, and he himself, are protected",
    "storm": "A storm hinders every shot",
}
CLAUSE_OF: dict[str, str] = {
    "contagion": "CW-140",
    "fear": "CW-152",
    "protection": "CW-153",
    "storm": "CW-156",
    "dispel": "CW-149",
    "flight": "CW-159",
    "zap": "CW-162",
    "strike": "CW-150",
}


def cast(state: State, action: Cast, ask: Ask) -> State:
    """Cast a spell of the own turn."""
    mage = state.unit(action.unit)
    if action.spell in INSTANT:
        raise Refusal(say("An instant spell answers what happens: the table asks for it then."), "CW-126", "spell")
    why = magic.barred(state, mage, action.spell)
    if why is not None:
        raise Refusal(why.text, why.clause, "unit" if why.clause != "CW-124" else "spell")
    match action.spell:
        case "dispel":
            return _dispel(state, mage, action, ask)
        case "flight":
            return _flight(state, mage, action, ask)
        case "zap":
            return zap(state, mage, action, ask)[0]
        case "strike":
            return strike(state, mage, action, ask)[0]
        case _:
            return _temporary(state, mage, action, ask)


def _begin(
    state: State, mage: Unit, action: Cast, ask: Ask, clause: str, target: Unit | None = None
) -> tuple[State, bool]:
    """Spend the mage's spell, say it and at whom, and let it be countered."""
    changes = {"movement": {"settled": True}, "shooting": {"shot": True}, "combat": {"attacked": True}}
    state = magic.spend(state, mage).with_unit(mage.id, **changes[state.phase]).after_deed(mage)
    who, spell = speech.name(state, mage), Text(action.spell)
    if target is None or target.id == mage.id:
        ask.tell(say("{unit} cast {spell}", unit=who, spell=spell), clause, marks=((mage.id, "acting"),))
    else:
        said = say("{unit} cast {spell} on {target}", unit=who, spell=spell, target=speech.name(state, target))
        ask.tell(said, clause, marks=((mage.id, "acting"), (target.id, "target")))
    return magic.stands(state, mage, action.spell, ask)


def _temporary(state: State, mage: Unit, action: Cast, ask: Ask) -> State:
    """Put a temporary spell in force until the caster's next turn (CW-129, CW-140, CW-152, CW-153, CW-156)."""
    covers = () if state.mirrored else tuple(unit.id for unit in _covered(state, mage, action.covers))
    state, works = _begin(state, mage, action, ask, CLAUSE_OF[action.spell])
    if not works:
        return state
    ask.tell(say(DOES[action.spell], side=Text(mage.side)), CLAUSE_OF[action.spell])
    return state.but(effects=(*state.effects, Effect(action.spell, mage.side, mage.id, covers)))


def _covered(state: State, mage: Unit, names: tuple[str, ...]) -> tuple[Unit, ...]:
    """Return the units that a Protection covers; raise Refusal for one of the enemy (CW-153)."""
    units = tuple(state.unit(name, "covers") for name in names)
    for unit in units:
        if state.enemies(mage, unit):
            raise Refusal(say("A Protection covers units of the own side."), "CW-153", "covers")
    return units


def _dispel(state: State, mage: Unit, action: Cast, ask: Ask) -> State:
    """End one temporary spell in force (CW-149)."""
    ended = next((effect for effect in state.effects if effect.mark == action.effect), None)
    if ended is None:
        raise Refusal(say("No such spell is in force."), "CW-149", "effect")
    state, works = _begin(state, mage, action, ask, "CW-149")
    if not works:
        return state
    ask.tell(say("{spell} of {side} is over", spell=Text(ended.spell), side=Text(ended.side)), "CW-149")
    return state.but(effects=tuple(effect for effect in state.effects if effect != ended))


def flight_barred(state: State, mage: Unit, unit: Unit) -> Reason | None:
    """Say why a mage can not let a unit fly; None when he can (CW-159 to CW-161)."""
    if unit.side not in state.team(mage.side):
        return Reason(say("Flight is for units of the own side."), "CW-161")
    if unit.id == mage.id:
        return None if not mage.settled else Reason(say("He has moved already this turn."), "CW-161")
    if mage.engaged:
        return Reason(say("In melee a mage lets only himself fly."), "CW-127")
    if unit.settled or unit.charge_failed:
        return Reason(say("It has moved already this turn."), "CW-161")
    if unit.raised:
        return Reason(say("A unit just raised moves in the next turn."), "CW-135")
    if unit.square and not sight.sees(state, mage, unit.square):
        return Reason(say("The mage does not see it."), "CW-159")
    return None


def flight_squares(state: State, mage: Unit, unit: Unit) -> tuple[str, ...]:
    """List where a flying unit may land: empty, within 4, seen by the mage as he casts (CW-159)."""
    if unit.square is None:
        return ()
    board, taken = grid(state.options), state.occupied()
    return tuple(
        square
        for square in board.squares()
        if square not in taken
        and board.moves_apart(unit.square, square) <= FLIGHT_REACH
        and sight.sees(state, mage, square)
    )


def _flight(state: State, mage: Unit, action: Cast, ask: Ask) -> State:
    """Let a unit fly to a square, out of a melee too; it is brave until the end of the phase (CW-159 to CW-161)."""
    unit = state.unit(action.target or mage.id, "target")
    why = flight_barred(state, mage, unit)
    if why is not None:
        raise Refusal(why.text, why.clause, "target")
    to = action.to
    if state.mirrored:
        to = to or _ask_landing(state, mage, unit, ask)
        _check_landing(state, mage, unit, to)
    state, works = _begin(state, mage, action, ask, "CW-159", unit)
    if not works:
        return state
    unit = state.unit(unit.id)
    if to is None or not state.mirrored:
        ask.tell(say("{unit} flew", unit=speech.name(state, unit)), "CW-159", marks=((unit.id, "target"),))
        state = state.disengage(unit.id)
        return state.after_deed(unit).with_unit(unit.id, flying=True, moved=True, settled=True)
    ask.tell(
        say("{unit} flew to {square}", unit=speech.name(state, unit), square=to), "CW-159", marks=((unit.id, "target"),)
    )
    return movement.enter(state, unit, (to,), ask).with_unit(unit.id, flying=True)


def _ask_landing(state: State, mage: Unit, unit: Unit, ask: Ask) -> str:
    squares = flight_squares(state, mage, unit)
    if not squares:
        raise Refusal(say("The mage sees no free square within 4 of it."), "CW-159", "target")
    options = tuple(Option(square, say("{square}", square=square), place=square) for square in squares)
    why = say("{unit}: where to fly?", unit=speech.name(state, unit))
    return ask.choose(mage.side, options, "to", why, clause="CW-159")


def _check_landing(state: State, mage: Unit, unit: Unit, to: str) -> None:
    board = grid(state.options)
    if to not in board:
        raise Refusal(say("There is no square {square} on the board.", square=to), "CW-01", "to")
    if to in state.occupied():
        raise Refusal(say("{square} is occupied.", square=to), "CW-119", "to")
    if unit.square and board.moves_apart(unit.square, to) > FLIGHT_REACH:
        raise Refusal(say("A flying unit lands within 4 squares."), "CW-159", "to")
    if not sight.sees(state, mage, to):
        raise Refusal(say("The mage does not see {square}.", square=to), "CW-159", "to")


def zap_barred(state: State, mage: Unit, target: Unit) -> Reason | None:
    """Say why a mage can not zap a target; None when he can (CW-162)."""
    if not state.enemies(mage, target):
        return Reason(say("Only an enemy is zapped."), "CW-162")
    if mage.square is None or target.square is None:
        return None
    distance = sight.apart(state, mage, target.square)
    if distance > ZAP_REACH:
        return Reason(say("{distance} squares away: it reaches {reach}.", distance=distance, reach=ZAP_REACH), "CW-162")
    if not sight.sees(state, mage, target.square):
        return Reason(say("The mage does not see it."), "CW-162")
    return None


def zap(state: State, mage: Unit, action: Cast, ask: Ask) -> tuple[State, Toll]:
    """Strike a visible enemy without a roll to hit (CW-162); in a melee a die decides who is struck (CW-163)."""
    target = state.unit(action.target or "", "target")
    why = zap_barred(state, mage, target)
    if why is not None:
        raise Refusal(why.text, why.clause, "target")
    state, works = _begin(state, mage, action, ask, "CW-162", target)
    state = state.but(last=Last(mage.square, target.square))
    if not works:
        return state, Toll()
    units = struck(state, target, mage.side, ask)
    return harm(state, mage, units, unsaved(state, units, "shot", ask), ask)


def strike(state: State, mage: Unit, action: Cast, ask: Ask) -> tuple[State, Toll]:
    """Force an opponent to save at -2 or be destroyed, without a continuation (CW-150, CW-151)."""
    target = state.unit(action.target or "", "target")
    if target.id not in mage.engaged_with:
        raise Refusal(say("{unit}: not in melee with it.", unit=speech.name(state, target)), "CW-150", "target")
    state, works = _begin(state, mage, action, ask, "CW-150", target)
    state = state.but(last=Last(mage.square, target.square))
    if not works or save(state, target, "strike", ask):
        return state, Toll()
    return strike_down(state, (target.id,), "strike", ask, by=mage)


def expire(state: State, sides: tuple[str, ...], ask: Ask) -> State:
    """End the temporary spells of those whose turn begins (CW-129)."""
    for effect in state.effects:
        if effect.side in sides:
            ask.tell(say("{spell} of {side} is over", spell=Text(effect.spell), side=Text(effect.side)), "CW-129")
    return state.but(effects=tuple(effect for effect in state.effects if effect.side not in sides))


def covering(state: State, mage: str, names: tuple[str, ...], ask: Ask) -> State:
    """Say who stands in the field of a Protection, where only the real board knows (CW-153)."""
    if state.mirrored:
        raise Refusal(say("At this table Companion sees who stands beside the mage."), "CW-153", "covers")
    covered = _covered(state, state.unit(mage), names)
    if not any(effect.spell == "protection" and effect.caster == mage for effect in state.effects):
        raise Refusal(say("No such spell is in force."), "CW-153", "unit")
    ask.tell(
        say("Protected: {units}", units=speech.listed(tuple(speech.name(state, unit) for unit in covered))), "CW-153"
    )
    return state.but(
        effects=tuple(
            msgspec.structs.replace(effect, covers=names)
            if effect.spell == "protection" and effect.caster == mage
            else effect
            for effect in state.effects
        )
    )
