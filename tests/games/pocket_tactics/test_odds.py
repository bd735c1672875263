"""Odds of Pocket-Tactics: equal, as fractions, to every throw tried with every way to use the re-rolls."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any

import pytest

from companion.games.pocket_tactics import best_play
from companion.games.pocket_tactics.assault_odds import Fighter, ends, p_hit
from companion.games.pocket_tactics.best_play import Ends, choices
from companion.games.pocket_tactics.dice import Choice, Dice, Rerolls, Standing, Value, Window, windows
from companion.games.pocket_tactics.skill_tests import p_test
from companion.games.pocket_tactics.terrain import p_path
from tests.scenarios.pocket_tactics.chances import hit_once_more
from tests.support.sizes import some

FACES = range(1, 7)
Pools = tuple[tuple[int, ...], ...]
"""The faces of attacker's offence and defence, defender's offence and defence."""
Left = tuple[tuple[str, tuple[str, ...]], ...]
"""Windows: whose, and what each re-roll may touch."""


def struck(offence: tuple[int, ...], defence: tuple[int, ...]) -> bool:
    """Compare as the ledger's other reading does: equal dice go pair by pair, then the highest that is left decides."""
    ours, theirs = Counter(offence), Counter(defence)
    return max((ours - theirs).elements(), default=0) > max((theirs - ours).elements(), default=0)


class Plain:
    """Try everything: each die, each re-roll, each face.

    A value is what the attacker gains, and the ways in which the defender and both are captured; all are counted over
    what is still to be thrown, so that they are whole numbers.
    """

    def __init__(self, kickers: tuple[int, int, int, int], worth: tuple[int, int] = (1, 1)) -> None:
        self.kickers, self.worth = kickers, worth
        self.best = cache(self._best)

    def decided(self, pools: Pools) -> tuple[int, ...]:
        full = [(*faces, kicker) if kicker else faces for faces, kicker in zip(pools, self.kickers, strict=True)]
        attack, counter = int(struck(full[0], full[3])), int(struck(full[2], full[1]))
        return (self.worth[1] * attack - self.worth[0] * counter, attack, attack * counter)

    def ways(self, pools: Pools, left: Left) -> dict[Any, tuple[int, ...]]:
        """Return the value of each choice: None to pass, or a pool and a die."""
        side, rerolls = left[0]
        passed = self.best(pools, left[1:])
        found: dict[Any, tuple[int, ...]] = {None: tuple(6 ** len(rerolls) * part for part in passed)}
        for used, touches in enumerate(rerolls):
            rest = (*rerolls[:used], *rerolls[used + 1 :])
            then = ((side, rest), *left[1:]) if rest else left[1:]
            for at, name in enumerate(("offence", "defence"), 0 if side == "attacker" else 2):
                for die in range(len(pools[at]) if touches in ("any", name) else 0):
                    follow = [self.best(changed(pools, at, die, face), then) for face in FACES]
                    value = tuple(map(sum, zip(*follow, strict=True)))
                    found[name, die] = self.pick(side, value, found.get((name, die), value))
        return found

    def pick(self, side: str, *values: tuple[int, ...]) -> tuple[int, ...]:
        return max(values) if side == "attacker" else min(values)

    def _best(self, pools: Pools, left: Left) -> tuple[int, ...]:
        return self.pick(left[0][0], *self.ways(pools, left).values()) if left else self.decided(pools)

    def ends(self, value: tuple[int, ...], whole: int) -> Ends:
        gain, attack, both = value
        counter = (self.worth[1] * attack - gain) // self.worth[0]
        counts = (attack - both, both, counter - both, whole - attack - counter + both)
        return Ends(*(Fraction(count, whole) for count in counts))


def changed(pools: Pools, at: int, die: int, face: int) -> Pools:
    faces = tuple(sorted((*pools[at][:die], *pools[at][die + 1 :], face)))
    return (*pools[:at], faces, *pools[at + 1 :])


def every(attacker: Fighter, defender: Fighter, order: str, worth: tuple[int, int]) -> Ends:
    values = (attacker.offence, attacker.defence, defender.offence, defender.defence)
    left = plain_windows(attacker.rerolls, defender.rerolls, order)
    plain = Plain(tuple(value.kicker for value in values), worth)
    total = [0, 0, 0]
    for pools in product(*(combinations_with_replacement(FACES, value.dice) for value in values)):
        times = prod(factorial(len(faces)) // prod(map(factorial, Counter(faces).values())) for faces in pools)
        total = [have + times * part for have, part in zip(total, plain.best(pools, left), strict=True)]
    rolled = sum(value.dice for value in values) + sum(len(rerolls) for _, rerolls in left)
    return plain.ends(tuple(total), 6**rolled)


def plain_windows(attacker: Rerolls, defender: Rerolls, order: str) -> Left:
    ability, situation = 0, 1
    kinds = {
        side: (rerolls.ability, ("any",) * rerolls.situational)
        for side, rerolls in (("attacker", attacker), ("defender", defender))
    }
    turns = [("attacker", ability), ("defender", ability), ("attacker", situation), ("defender", situation)]
    if order == "side_then_side":
        turns.sort(key=lambda turn: turn[0])
    return tuple((side, kinds[side][of]) for side, of in turns if kinds[side][of])


def fighter(offence: Any, defence: Any, *ability: Any, situational: int = 0) -> Fighter:
    return Fighter(value(offence), value(defence), Rerolls(ability, situational))


def value(written: int | tuple[int, int]) -> Value:
    return Value(written) if isinstance(written, int) else Value(*written)


ASSAULTS = (
    (fighter(1, 1), fighter(1, 1)),
    (fighter(1, 1, situational=1), fighter(1, 1, situational=1)),
    (fighter(1, 1, situational=3), fighter(1, 1, situational=2)),
    (fighter(2, 1, situational=2), fighter(1, 1)),
    (fighter(1, 1), fighter(1, 2, situational=2)),
    (fighter(2, 1, situational=1), fighter(1, 2, situational=1)),
    (fighter(3, 1, situational=1), fighter(1, 1, situational=1)),
    (fighter(2, 2, "any"), fighter(1, 1, "any", situational=1)),
    (fighter(2, 1, "defence", situational=1), fighter(1, 1, "offence", situational=1)),
    (fighter(1, 1, "offence", "defence"), fighter(2, 1, "defence", "offence")),
    (fighter(2, 1, "any", "defence"), fighter(1, 1, "offence", situational=1)),
    (fighter(2, 1, "any", "offence"), fighter(1, 1, "defence", "any")),
    (fighter((1, 4), 1, situational=1), fighter(1, (1, 5), situational=1)),
    (fighter((0, 3), (1, 2), situational=1), fighter((1, 6), 0, situational=2)),
    (fighter(2, 0, "any", situational=1), fighter(0, 3, situational=2)),
    (fighter(2, 0, situational=1), fighter((0, 5), 1, "any")),
)


@pytest.mark.clause("PT-39", "PT-46", "PT-47", "PT-48", "PT-49", "PT-50", "PT-A13", "PT-A14", "PT-A05", "PT-A22")
@pytest.mark.parametrize("order", ["windows", "side_then_side"])
@pytest.mark.parametrize(("attacker", "defender"), some(ASSAULTS, every=6))
def test_the_four_ends_equal_every_throw_and_every_way_to_play(
    attacker: Fighter, defender: Fighter, order: Any
) -> None:
    assert ends(attacker, defender, order) == every(attacker, defender, order, (1, 1))
    assert sum(ends(attacker, defender, order)) == 1


@pytest.mark.parametrize("worth", [(3, 1), (2, 5)])
def test_what_a_unit_is_worth_weighs(worth: tuple[int, int]) -> None:
    attacker, defender = fighter(2, 1, situational=1), fighter(1, 1, situational=2)
    assert ends(attacker, defender, worth=worth) == every(attacker, defender, "windows", worth)
    assert ends(attacker, defender, worth=worth) != ends(attacker, defender)


@pytest.mark.clause("PT-49", "PT-50", "PT-95", "PT-A13", "PT-A14")
@pytest.mark.sized
def test_what_each_die_rolled_again_leads_to_equals_every_way_to_play(full: bool) -> None:
    luck = random.Random(7)
    for _ in range(60 if full else 15):
        standing = Standing(*(some_dice(luck) for _ in range(4)))
        rerolls = [
            Rerolls(tuple(luck.choices(("any", "offence", "defence"), k=luck.choice((0, 1, 2)))), luck.choice((0, 1)))
            for _ in range(2)
        ]
        order = luck.choice(("windows", "side_then_side"))
        left = windows(rerolls[0], rerolls[1], order)
        if not left:
            continue
        theirs = plain_windows(rerolls[0], rerolls[1], order)
        plain = Plain(tuple(dice.kicker for dice in standing))
        whole = 6 ** sum(len(one) for _, one in theirs)
        tried = plain.ways(tuple(dice.faces for dice in standing), theirs)
        expected = {key and Choice(*key): plain.ends(found, whole) for key, found in tried.items()}
        assert choices(standing, left) == expected


def some_dice(luck: random.Random) -> Dice:
    return Dice(tuple(luck.choices(FACES, k=luck.choice((0, 1, 1, 2, 2, 3)))), luck.choice((0, 0, 0, 2, 5)))


@pytest.mark.clause("PT-49", "PT-50")
def test_the_window_in_progress_is_the_first_that_is_left() -> None:
    standing = Standing(Dice((4, 1)), Dice((3,)), Dice((2,)), Dice((3,)))
    found = choices(standing, (Window("attacker", offence=1), Window("defender", 2)))
    assert set(found) == {None, Choice("offence", 0), Choice("offence", 1)}
    alone = choices(standing, (Window("defender", 1),))
    assert set(alone) == {None, Choice("offence", 0), Choice("defence", 0)}
    assert alone[None] == Ends(Fraction(1), Fraction(0), Fraction(0), Fraction(0))
    assert alone[Choice("defence", 0)] == Ends(Fraction(2, 3), Fraction(0), Fraction(0), Fraction(1, 3))
    assert alone[Choice("offence", 0)] == Ends(Fraction(1, 2), Fraction(1, 2), Fraction(0), Fraction(0))


@pytest.mark.clause("PT-40", "PT-41", "PT-93", "PT-A02", "PT-A03", "PT-A04", "PT-A05")
def test_the_chance_of_a_hit_equals_every_throw() -> None:
    for ours, theirs in ((0, 2), (1, 0), (1, 1), (1, 3), (2, 1), (2, 2), (3, 2)):
        for kicker, saving in product((0, 1, 4), (0, 4, 6)):
            hits = sum(
                struck((*offence, kicker) if kicker else offence, (*defence, saving) if saving else defence)
                for offence in product(FACES, repeat=ours)
                for defence in product(FACES, repeat=theirs)
            )
            assert p_hit(Value(ours, kicker), Value(theirs, saving)) == Fraction(hits, 6 ** (ours + theirs))


@pytest.mark.clause("PT-40", "PT-A03")
def test_well_known_chances_of_a_hit() -> None:
    assert p_hit(Value(1), Value(1)) == Fraction(5, 12)
    assert p_hit(Value(1), Value()) == 1
    assert p_hit(Value(), Value(2)) == 0
    assert p_hit(Value(2), Value(2)) == p_hit(Value(2), Value(2, 0))
    same = p_hit(Value(5), Value(5))
    assert 2 * same < 1 < 2 * p_hit(Value(5), Value(4))


@pytest.mark.clause("PT-39", "PT-42", "PT-43", "PT-44", "PT-45")
def test_without_rerolls_the_ends_are_products() -> None:
    attack, counter = p_hit(Value(2, 4), Value(1)), p_hit(Value(1), Value(2))
    found = ends(fighter((2, 4), 2), fighter(1, 1))
    assert found == (attack * (1 - counter), attack * counter, (1 - attack) * counter, (1 - attack) * (1 - counter))
    alike = ends(fighter(3, 3), fighter(3, 3))
    assert alike.defender_captured == alike.attacker_captured


@pytest.mark.clause("PT-46", "PT-50")
def test_a_reroll_never_harms_whoever_has_it() -> None:
    def gain(attacker: int, defender: int) -> Fraction:
        found = ends(fighter(2, 2, situational=attacker), fighter(2, 2, situational=defender))
        return found.defender_captured - found.attacker_captured

    assert gain(0, 0) == 0
    assert gain(1, 0) == -gain(0, 1) > 0
    assert gain(0, 2) < gain(0, 1) < gain(1, 1) < gain(1, 0) < gain(2, 0) < gain(3, 0)


@pytest.mark.clause("PT-50", "PT-A14")
def test_one_reroll_against_dice_that_are_known() -> None:
    for dice, defence in ((1, (4,)), (2, (5, 3)), (2, (6, 6, 2)), (3, (5, 5)), (0, (1,)), (1, ())):
        hits = sum(
            6 if struck(faces, defence) else sum(struck((*sorted(faces)[1:], face), defence) for face in FACES)
            for faces in product(FACES, repeat=dice)
            if faces
        )
        assert hit_once_more(Value(dice), Dice(defence)) == Fraction(hits, 6 ** (dice + 1))
    assert hit_once_more(Value(1), Dice((4,))) == 1 - Fraction(4, 6) ** 2


@pytest.mark.clause("PT-91", "PT-92", "PT-93", "PT-A47")
def test_the_chance_of_a_skill_test_equals_every_throw() -> None:
    for dice, kicker, target in product(range(4), range(7), range(1, 8)):
        throws = list(product(FACES, repeat=dice))
        passed = sum(any(face >= target for face in (*faces, *([kicker] if kicker else []))) for faces in throws)
        assert p_test(Value(dice, kicker), target) == Fraction(passed, len(throws))


@pytest.mark.clause("PT-70")
def test_hazards_one_after_the_other() -> None:
    assert p_path(()) == 1
    assert p_path((3, 2)) == Fraction(1, 3)
    assert p_path((6, 1)) == 0


def test_what_is_too_much_is_refused_before_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ends(fighter(best_play.MOST_DICE + 1, 1, situational=1), fighter(1, 1)) is None
    two = fighter(3, 3, situational=2), fighter(3, 3, situational=2)
    assert ends(*two, worth=(7, 9), most=1000) is None
    monkeypatch.setattr(best_play, "played", None)
    assert ends(*two, worth=(7, 9), most=1000) is None
    assert sum(ends(fighter(9, 9), fighter(9, 9))) == 1


def test_the_throws_of_large_pools_count_before_any_of_them_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_play, "hits", None)
    assert ends(fighter(6, 6, situational=1), fighter(6, 6), most=400_000) is None


def test_the_table_waits_for_less_than_a_look_up_does(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = Standing(Dice((4, 1)), Dice((3,)), Dice((2,)), Dice((3, 3)))
    left = (Window("attacker", 2), Window("defender", 2))
    assert best_play.AT_ONCE < best_play.PATIENTLY
    assert choices(standing, left, (3, 5), 10) is None
    monkeypatch.setattr(best_play, "Play", None)
    assert choices(standing, left, (3, 5), 10) is None
