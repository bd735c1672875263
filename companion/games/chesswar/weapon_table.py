"""What a unit shoots and casts as its sheet shows it: the numbers of now (CW-55 to CW-60, CW-66, CW-69, CW-122)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.chesswar import catapults, magic, shooting, speech, traits
from companion.games.chesswar.armies import INSTANT, PHASE_OF, Spell
from companion.games.chesswar.armies import Weapon as Armament
from companion.games.chesswar.shooting import FAR, Aim
from companion.games.chesswar.state import TURN_PHASES, State, Unit
from companion.kit.counts import number, or_more
from companion.kit.panels import Stat, Weapon, summed
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

RANGE, HITS_ON, WORKS_ON = say("Range"), say("Hits on"), say("Works on")


def weapons(state: State, unit: Unit) -> tuple[Weapon, ...]:
    """List what a unit shoots and the spells that it casts, dimmed where it can not use them now."""
    armed = () if unit.weapon is None else (_armed(state, unit, unit.weapon),)
    return (*armed, *(_spell(state, unit, spell) for spell in unit.kind.spells))


def _armed(state: State, unit: Unit, weapon: Armament) -> Weapon:
    held = shooting.barred(unit) if state.phase in TURN_PHASES else None
    why = None if held is None else held.text
    numbers, notes = (_bow if weapon.bow else _thrower)(state, unit, weapon)
    return Weapon(Text(unit.kind.weapon or ""), numbers, tuple(notes), spent=held is not None, why=why)


def _bow(state: State, unit: Unit, weapon: Armament) -> tuple[tuple[Stat, ...], Iterator[Text]]:
    """Say how far a bow reaches and what it needs nearby (CW-55, CW-56)."""
    near = Aim(1)
    skill = Reason(say("skill"), None, unit.kind.skill)
    terms = (skill, *map(speech.on_the_face, shooting.modifiers(state, unit, near)))
    return (Stat("target", number(weapon.reach), RANGE), summed("die", HITS_ON, terms, or_more)), _harder(state, unit)


def _harder(state: State, unit: Unit) -> Iterator[Text]:
    """Say what a bow needs from afar and at what it does not see (CW-58, CW-59, CW-156)."""
    if traits.stormy(state):
        yield say("storm: 1 more for each further square")
    else:
        far = shooting.needed(state, unit, Aim(FAR))
        yield say("{needed} from {count} squares on", needed=or_more(far), count=FAR)
    if _unseen(state, unit):
        unseen = shooting.needed(state, unit, Aim(1, direct=False))
        yield say("{needed} without seeing it", needed=or_more(unseen))


def _unseen(state: State, unit: Unit) -> bool:
    """Tell whether a unit may shoot at what it does not see (CW-59, CW-64, CW-177)."""
    return unit.weapon is not None and unit.weapon.indirect and not traits.leaderless(state, unit.side)


def _thrower(state: State, unit: Unit, weapon: Armament) -> tuple[tuple[Stat, ...], Iterator[Text]]:
    """Say how far a thrower reaches and with how many scatter dice (CW-66, CW-69, CW-77, CW-78)."""
    reach = Stat("target", number(catapults.reach(state, weapon)), RANGE)
    dice = catapults.scatter_dice(state, unit, Aim(weapon.nearest))
    return (reach, summed("die", say("Scatter dice"), dice)), _scattered(state, unit, weapon)


def _scattered(state: State, unit: Unit, weapon: Armament) -> Iterator[Text]:
    if weapon.nearest > 1:
        yield say("from {count} squares on", count=weapon.nearest)
    unseen = catapults.required(state, unit, Aim(weapon.nearest, direct=False)).value or 0
    if _unseen(state, unit) and unseen != catapults.required(state, unit, Aim(weapon.nearest)).value:
        yield say("{count} dice without seeing it", count=unseen)


def _spell(state: State, mage: Unit, spell: Spell) -> Weapon:
    """Say how far a spell reaches, what it needs and when it is cast; why not, where its moment is now."""
    numbers = [Stat("target", number(magic.REACH[spell]), RANGE)] if spell in magic.REACH else []
    if spell in magic.ROLLED:
        numbers.append(Stat("die", or_more(magic.WORKS), WORKS_ON))
    when = Text("instant") if spell in INSTANT else Text(PHASE_OF[spell])
    held = magic.barred(state, mage, spell) if state.phase in TURN_PHASES else None
    now = spell in INSTANT or mage.cast or PHASE_OF[spell] == state.phase
    why = held.text if held is not None and now and mage.side in state.acting else None
    return Weapon(Text(spell), tuple(numbers), (when,), spent=held is not None, why=why)
