"""Who meets whom in an attack, a shot, a spell or a charge, and what may still save the target: all see it."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.chesswar import magic, speech, traits
from companion.games.chesswar.armies import Spell
from companion.games.chesswar.destruction import healing_barred
from companion.games.chesswar.state import State, Unit
from companion.games.chesswar.traits import Against
from companion.kit import counts
from companion.kit.clash import Clash, Combatant
from companion.kit.text import Text, say

Stat = tuple[str, Text]
"""A small picture, and the number beside it."""
IMPOSSIBLE = 7


def combatant(state: State, unit: Unit, saves: Against | None = None, *fights_with: Stat) -> Combatant:
    """Show a unit as it stands; with ``saves`` the face that it then needs."""
    ground = state.terrain.get(unit.square or "", "")
    need = traits.save_needed(state, unit, saves) if saves else IMPOSSIBLE
    shield = (("shield", counts.or_more(need)),) if need < IMPOSSIBLE else ()
    return Combatant(
        unit.id,
        unit.side,
        Text(unit.type),
        unit.kind.piece,
        unit.square if state.mirrored else None,
        ground,
        Text(ground) if ground else None,
        stats=(*fights_with, *shield),
    )


def melee(state: State, attacker: Unit, defender: Unit, *, saves: bool) -> Clash:
    """Let two units fight; ``saves`` when there are faces that the defender may save itself from (CW-83)."""
    one, other = (
        combatant(state, unit, "melee", ("fight", counts.signed(unit.kind.combat))) for unit in (attacker, defender)
    )
    return Clash("melee", one, other, cancels(state, defender, "melee" if saves else None))


def charge(state: State, unit: Unit, target: Unit) -> Clash:
    """Let a unit dare to charge, which nothing can prevent but its dread (CW-40)."""
    return Clash("charge", combatant(state, unit, "dread"), combatant(state, target))


def bow(state: State, shooter: Unit, target: Unit) -> Clash:
    """Let a unit shoot at another one (CW-45)."""
    skill = ("bow", counts.or_more(shooter.kind.skill))
    one, other = combatant(state, shooter, None, skill), combatant(state, target, "bow")
    return Clash("shot", one, other, cancels(state, target, "bow"))


def thrown(state: State, shooter: Unit, target: Unit | None, saves: Against | None) -> Clash:
    """Let a unit throw at who stands on a square, or at an empty one (CW-67); ``saves`` when he may save himself."""
    if target is None:
        return Clash("shot", combatant(state, shooter))
    other = combatant(state, target, saves)
    return Clash("shot", combatant(state, shooter), other, cancels(state, target, saves))


def spell(state: State, mage: Unit, cast: Spell, target: Unit | None, saves: Against | None) -> Clash:
    """Let a mage cast a spell at a unit or at none, which may be countered (CW-141); ``saves`` where it strikes."""
    caster = replace(combatant(state, mage), note=Text(cast))
    foes = (side for side in state.sides if side not in state.team(mage.side))
    countered = any(magic.casters(state, side, "counterspell") for side in foes)
    counter = (_answered("counterspell"),) if countered else ()
    if target is None or target.id == mage.id:
        return Clash("spell", caster, None, counter)
    saved = cancels(state, target, saves) if saves else ()
    return Clash("spell", caster, combatant(state, target, saves), (*counter, *saved))


def cancels(state: State, target: Unit, saves: Against | None) -> tuple[Text, ...]:
    """Say what may still save a unit: its own roll, and a mage of its side who could heal it (CW-06, CW-145)."""
    need = traits.save_needed(state, target, saves) if saves else IMPOSSIBLE
    save = (speech.save(need),) if need < IMPOSSIBLE else ()
    mages = state.standing(*state.team(target.side))
    healed = any(healing_barred(state, mage, target) is None for mage in mages)
    return (*save, *((_answered("healing"),) if healed else ()))


def _answered(spell: Spell) -> Text:
    return say("{spell}: {chance}", spell=Text(spell), chance=speech.chance(magic.WORKS))
