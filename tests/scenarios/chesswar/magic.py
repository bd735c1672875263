"""Who casts what when, and what is in force: what the scenarios of magic have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.chesswar import destruction, magic
from companion.games.chesswar.armies import INSTANT, PHASE_OF
from companion.kit.ruling import Refusal
from tests.scenarios.chesswar.fields import PHASES, every_reason, one_of, other, permit, refuse, refused_by, state_of
from tests.scenarios.runner import Given, OneOf

if TYPE_CHECKING:
    from companion.games.chesswar.armies import Spell
    from companion.games.chesswar.spells import Cast
    from companion.games.chesswar.state import Effect, State, Unit

KNOWN = (*INSTANT, *PHASE_OF)


def in_force(effects: tuple[Effect, ...]) -> list[OneOf]:
    """The temporary spells in force; the name of one alone will do."""
    return [OneOf({"spell": one.spell, "side": one.side, "caster": one.caster}, one.spell) for one in effects]


def casting(given: Given) -> tuple[State, Unit, Spell]:
    """The position in which a mage wants to cast, the mage, and the spell."""
    spell: Spell = one_of("spell", given["spell"], KNOWN)
    phase = one_of("phase", given.get("phase") or PHASE_OF.get(spell, "combat"), PHASES)
    when = one_of("when", given.get("when") or "own_turn", ("own_turn", "enemy_turn"))
    name = str(given["caster"])
    state = state_of(given, phase, name)
    side = state.acting[0]
    if when == "enemy_turn":
        state = state_of(given, phase, other(side))
    state = state.after_deed(state.unit(name, "caster"))
    return state, state.unit(name, "caster"), spell


def barred(state: State, mage: Unit, spell: Any) -> None:
    """Refuse a spell that the mage can not cast now, by all that forbids it."""
    why = magic.barred(state, mage, spell)
    if why is not None:
        refuse(why.text.say, why.clause, *ill_timed(state, mage, spell))


def ill_timed(state: State, mage: Unit, spell: Any) -> list[str | None]:
    """The clauses about turns and phases by which a spell is refused."""
    if spell in INSTANT or spell not in mage.kind.spells:
        return []
    if mage.side not in state.acting:
        return [refused_by(lambda: state.check_acting(mage.side)), "CW-126"]
    found = refused_by(lambda: state.actor(mage.side, PHASE_OF[spell], mage.id))
    return [found, "CW-163" if spell == "zap" and mage.engaged else None]


def declare(state: State, mage: Unit, action: Cast) -> None:
    """Let the game refuse a spell of the own turn."""
    every_reason(lambda: permit(state, action, mage.side), lambda: barred(state, mage, action.spell))


def as_it_stood(state: State, name: str) -> State:
    """The position in which a unit just destroyed still stands, if it was only knocked over."""
    return state.with_unit(name, down=False)


def check_reply(state: State, mage: Unit, spell: str, target: Unit) -> None:
    barring = destruction.healing_barred if spell == "healing" else destruction.raising_barred
    why = barring(state, mage, target)
    if why is not None:
        raise Refusal(why.text, why.clause, "target")
