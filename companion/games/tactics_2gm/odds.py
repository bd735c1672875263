"""The exact odds of shots: of one, and of several at the same target (G2-03, G2-103 to G2-112)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from companion.games.tactics_2gm.shooting import FACES, came, critical_on, hits_on, penetrates
from companion.kit.chart import Bar, Chart
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.games.tactics_2gm.shooting import Came, Shot
    from companion.kit.ruling import Reason

MISS = say("It misses")
BOUNCES = say("It hits without effect")
CRITICAL = say("A critical hit destroys it")


class Odds(NamedTuple):
    """Hold how likely a shot does nothing, does its damage, or is a critical hit that destroys."""

    no_effect: Fraction
    damage: Fraction
    critical: Fraction


def faces_of(shot: Shot) -> dict[Came, Fraction]:
    """Return how likely each thing is that a shot may bring."""
    found: dict[Came, Fraction] = {}
    for face in range(1, FACES + 1):
        what = came(shot, face)
        found[what] = found.get(what, Fraction(0)) + Fraction(1, FACES)
    return found


def of_shot(shot: Shot) -> Odds:
    """Return the odds of one shot."""
    found = faces_of(shot)
    hit, critical = found.get("hit", Fraction(0)), found.get("critical", Fraction(0))
    return Odds(1 - hit - critical, hit, critical)


def left(shot: Shot) -> int:
    """Return how much harm destroys the target."""
    return shot.wounds_max - shot.target_wounds if shot.target == "unit" else shot.pi


def destroyed_after(shots: Iterable[Shot], harm_left: int) -> tuple[Fraction, ...]:
    """Return how likely a target is destroyed after the first shot, after the second ...; all are at that target."""
    stands, done, found = {harm_left: Fraction(1)}, Fraction(0), []
    for shot in shots:
        odds, after = of_shot(shot), dict[int, Fraction]()
        for harm, chance in stands.items():
            done += chance * odds.critical
            after[harm] = after.get(harm, Fraction(0)) + chance * odds.no_effect
            rest = harm - shot.weapon.damage
            if rest > 0:
                after[rest] = after.get(rest, Fraction(0)) + chance * odds.damage
            else:
                done += chance * odds.damage
        stands = after
        found.append(done)
    return tuple(found)


def shots_for(chances: Sequence[Fraction], wanted: Fraction) -> int | None:
    """Return how many shots it takes for a chance, from the chances after each of them; None: more than these."""
    return next((count for count, chance in enumerate(chances, 1) if chance >= wanted), None)


def chart(shot: Shot) -> Chart:
    """Show what a shot may bring, with what it takes."""
    found = faces_of(shot)
    says = {"miss": MISS, "bounced": BOUNCES, "hit": _harm(shot), "critical": CRITICAL}
    bars = tuple(Bar(text, found[what]) for what, text in says.items() if what in found)
    return Chart(say("The shot"), bars, reasons=needs(shot))


def needs(shot: Shot) -> tuple[Reason, ...]:
    """Say what a shot takes: to hit, to go through, to be a critical."""
    return (hits_on(shot), penetrates(shot), critical_on(shot))


def _harm(shot: Shot) -> Text:
    rest = max(0, left(shot) - shot.weapon.damage)
    if shot.target == "unit":
        if not rest:
            return say("Its wounds destroy it")
        return say("{wounds} of {most} wounds", wounds=shot.wounds_max - rest, most=shot.wounds_max)
    if not rest:
        return say("It is destroyed")
    return say("{count} impact point left|{count} impact points left", count=rest)
