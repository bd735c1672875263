"""How likely a shot, or several at one target, do nothing, do harm or destroy (G2-103, G2-104, G2-111, G2-112)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from companion.games.tactics_2gm import shooting
from companion.games.tactics_2gm.shooting import FACES, Came, Shot
from companion.kit.odds import Bar, Chart
from companion.kit.text import Text, say

MISS = say("It misses")
BOUNCES = say("It hits without effect")
CRITICAL = say("A critical hit destroys it")


class Odds(NamedTuple):
    """The chances that a shot does nothing, does its damage, or is a critical hit that destroys."""

    no_effect: Fraction
    damage: Fraction
    critical: Fraction


def faces_of(shot: Shot) -> dict[Came, Fraction]:
    """Return how likely each thing is that a shot may bring."""
    counts = Counter(shooting.came(shot, face) for face in range(1, FACES + 1))
    return {what: Fraction(count, FACES) for what, count in counts.items()}


def of_shot(shot: Shot) -> Odds:
    """Return the odds of one shot."""
    chances = faces_of(shot)
    hit, critical = chances.get("hit", Fraction(0)), chances.get("critical", Fraction(0))
    return Odds(1 - hit - critical, hit, critical)


def left(shot: Shot) -> int:
    """Return how much harm destroys the target."""
    return shot.wounds_max - shot.target_wounds if shot.target == "unit" else shot.pi


def destroyed_after(shots: Iterable[Shot], harm_left: int) -> tuple[Fraction, ...]:
    """Return how likely a target is destroyed after the first shot, after the second ...; all are at that target."""
    stands, chances = {harm_left: Fraction(1)}, []
    for shot in shots:
        odds, after = of_shot(shot), defaultdict[int, Fraction](Fraction)
        for harm, chance in stands.items():
            after[harm] += chance * odds.no_effect
            if harm > shot.weapon.damage:
                after[harm - shot.weapon.damage] += chance * odds.damage
        stands = after
        chances.append(Fraction(1) - sum(after.values()))
    return tuple(chances)


def shots_for(chances: Sequence[Fraction], wanted: Fraction) -> int | None:
    """Return how many shots it takes for a chance, from the chances after each of them; None: more than these."""
    return next((count for count, chance in enumerate(chances, 1) if chance >= wanted), None)


def chart(shot: Shot) -> Chart:
    """Show what a shot may bring, with what it takes."""
    chances = faces_of(shot)
    says = {"miss": MISS, "bounced": BOUNCES, "hit": _harm(shot), "critical": CRITICAL}
    bars = tuple(Bar(text, chances[what]) for what, text in says.items() if what in chances)
    return Chart(say("The shot"), bars, reasons=shooting.needs(shot))


def _harm(shot: Shot) -> Text:
    rest = max(0, left(shot) - shot.weapon.damage)
    if shot.target == "unit":
        if not rest:
            return say("A hit destroys it")
        return say("{wounds} of {most} wounds", wounds=shot.wounds_max - rest, most=shot.wounds_max)
    if not rest:
        return say("It is destroyed")
    return say("{count} impact point left|{count} impact points left", count=rest)
