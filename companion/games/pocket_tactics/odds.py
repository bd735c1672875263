"""Exact odds: of one pool against another, of a skill test, of several hazards, of the four ends of an assault."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple

from companion.games.pocket_tactics import best_play
from companion.games.pocket_tactics.comparing import Value, hits, pool
from companion.games.pocket_tactics.windows import Order, Rerolls, Window, windows
from companion.kit.odds import throws

if TYPE_CHECKING:
    from collections.abc import Sequence


class Fighter(NamedTuple):
    """Hold one unit as it fights: both values as they are rolled, and its re-rolls.

    Who can not counter has no offence, and then the attacker's defence is not rolled: both are ``Value()`` (PT-A22).
    """

    offence: Value
    defence: Value
    rerolls: Rerolls = Rerolls()


class Ends(NamedTuple):
    """Hold the chances of the four ends of an assault; they add up to 1 (PT-42 to PT-45)."""

    defender_captured: Fraction
    both_captured: Fraction
    attacker_captured: Fraction
    stall: Fraction

    @classmethod
    def counted(cls, won: best_play.Won) -> Ends:
        """Make chances of ways that were counted."""
        only = won.defender - won.both, won.both, won.attacker - won.both
        return cls(*(Fraction(ways, won.whole) for ways in (*only, won.whole - sum(only))))


def p_hit(offence: Value, defence: Value) -> Fraction:
    """Return the chance that offence hits defence (PT-40, PT-41, PT-A03)."""
    return _p_hit(6, offence.dice, defence.dice, offence.kicker, defence.kicker)


@lru_cache(maxsize=4096)
def _p_hit(face: int, offence: int, defence: int, kicker: int, saving: int) -> Fraction:
    """Return the chance of a hit when all dice above ``face`` were cancelled, and so many are left on both sides.

    Each that is left shows ``face`` or less: it is ``face`` once in as many times.
    """
    if face == 0:
        return Fraction(0)
    found = Fraction(0)
    for ours in range(offence + 1):
        for theirs in range(defence + 1):
            chance = _p_shows(face, offence, ours) * _p_shows(face, defence, theirs)
            more = ours + (kicker == face) - theirs - (saving == face)
            if more > 0:
                found += chance
            elif more == 0:
                found += chance * _p_hit(face - 1, offence - ours, defence - theirs, kicker, saving)
    return found


def _p_shows(face: int, dice: int, times: int) -> Fraction:
    return Fraction(comb(dice, times) * (face - 1) ** (dice - times), face**dice)


def p_hit_once_more(offence: Value, defence: Sequence[int]) -> Fraction:
    """Return the chance that offence hits dice that are known, if its lowest die may be rolled again once (PT-50)."""
    saving = pool(defence)
    found = Fraction(0)
    for faces, chance in throws(offence.dice, 6):
        again = [(face, *sorted(faces)[1:]) for face in range(1, 7)] if faces else []
        if hits(pool(faces, offence.kicker), saving):
            found += chance
        else:
            found += chance * Fraction(sum(hits(pool(new, offence.kicker), saving) for new in again), 6)
    return found


def p_test(value: Value, target: int) -> Fraction:
    """Return the chance that at least one die, the kicker included, is ``target`` or more (PT-92, PT-93)."""
    if 0 < value.kicker >= target:
        return Fraction(1)
    below = min(max(target - 1, 0), 6)
    return 1 - Fraction(below, 6) ** value.dice


def p_path(fails: Sequence[int]) -> Fraction:
    """Return the chance to pass tests one after the other that fail on this number or less (PT-70)."""
    return prod((Fraction(6 - most, 6) for most in fails), start=Fraction(1))


def without_rerolls(attack: tuple[Value, Value], counter: tuple[Value, Value]) -> Ends:
    """Return the odds of two fights, each (offence, defence), with every die as it was first thrown (PT-39)."""
    strikes, back = p_hit(*attack), p_hit(*counter)
    return Ends(strikes * (1 - back), strikes * back, (1 - strikes) * back, (1 - strikes) * (1 - back))


def ends(
    attacker: Fighter,
    defender: Fighter,
    order: Order = "windows",
    worth: tuple[int, int] = (1, 1),
    most: int = best_play.PATIENTLY,
) -> Ends:
    """Return the odds of the four ends, every re-roll played best by both sides.

    Best is what makes the chance that the enemy unit is captured, less the chance that the own one is, as large as can
    be; ``worth`` weighs them, as the attacker and the defender are worth (each at least 1). Of plays that are equally
    good in that the attacker takes the one in which the defender is captured more often, the defender the one in which
    it is less often; and then both are captured more often, or less.

    All dice are thrown openly first, and everybody sees them all when deciding (PT-46 to PT-50, PT-A13, PT-A14). Raise
    ``best_play.TooMany`` where that takes longer than it may: ``most`` is ``best_play.AT_ONCE`` or ``PATIENTLY``.
    """
    attack, counter = (attacker.offence, defender.defence), (defender.offence, attacker.defence)
    left = windows(attacker.rerolls, defender.rerolls, order)
    if not left:
        return without_rerolls(attack, counter)
    found = _worked(attack, counter, left, worth, most)
    if found is None:
        raise best_play.TooMany
    return found


@lru_cache(maxsize=256)
def _worked(
    attack: tuple[Value, Value],
    counter: tuple[Value, Value],
    left: tuple[Window, ...],
    worth: tuple[int, int],
    most: int,
) -> Ends | None:
    """Return the odds of ends; None where it is too much, which takes as long to find out and is kept as well."""
    try:
        return Ends.counted(best_play.played(attack, counter, left, worth, most))
    except best_play.TooMany:
        return None
