"""What every choice in the middle of an assault leads to: the dice lie there, and re-rolls are left (PT-46, PT-50)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from companion.games.pocket_tactics.best_play import AT_ONCE, Play, Stakes, TooMany, fight
from companion.games.pocket_tactics.comparing import Value, pool
from companion.games.pocket_tactics.odds import Ends
from companion.games.pocket_tactics.windows import after

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.games.pocket_tactics.windows import Pool, Window


class Dice(NamedTuple):
    """Hold one pool as it lies: the faces that were rolled, and the kicker beside them."""

    faces: tuple[int, ...] = ()
    kicker: int = 0

    @property
    def value(self) -> Value:
        """Return what was rolled."""
        return Value(len(self.faces), self.kicker)

    @property
    def counted(self) -> tuple[int, ...]:
        """Return the dice that count, highest first."""
        return pool(self.faces, self.kicker)

    def again(self, die: int) -> Iterator[Dice]:
        """Go through what lies there when that die has come up 1 to 6 anew."""
        return (self._replace(faces=(*self.faces[:die], face, *self.faces[die + 1 :])) for face in range(1, 7))


class Standing(NamedTuple):
    """Hold the four pools of an assault as they lie; a pool that was not rolled has no faces (PT-A22)."""

    attacker_offence: Dice
    attacker_defence: Dice
    defender_offence: Dice
    defender_defence: Dice


class Choice(NamedTuple):
    """Choose one own die to roll again: its pool, and its place among the faces from 0 (PT-50, PT-A14)."""

    pool: Pool
    die: int


def choices(
    standing: Standing, left: tuple[Window, ...], worth: tuple[int, int] = (1, 1), most: int = AT_ONCE
) -> Mapping[Choice | None, Ends]:
    """Return the ends that follow each choice in the first window that is left, if everybody plays best from then on.

    What is best is told by ``odds.ends``. None is to pass: the rest of that window is given up. Raise
    ``best_play.TooMany`` beyond ``most``: the table waits for each question.
    """
    found = _worked(standing, left, worth, most)
    if found is None:
        raise TooMany
    return found


@lru_cache(maxsize=64)
def _worked(
    standing: Standing, left: tuple[Window, ...], worth: tuple[int, int], most: int
) -> Mapping[Choice | None, Ends] | None:
    """Return what follows; None where it is too much, which takes as long to find out and is kept as well."""
    try:
        return _choices(standing, left, worth, most)
    except TooMany:
        return None


def _choices(
    standing: Standing, left: tuple[Window, ...], worth: tuple[int, int], most: int
) -> Mapping[Choice | None, Ends]:
    ours, saving, theirs, guarding = (dice.value for dice in standing)
    window, whole = left[0], 6 ** sum(one.total for one in left)
    stakes = Stakes(worth, whole.bit_length())
    play = Play(fight(ours, guarding), fight(theirs, saving), stakes, most)

    totals: dict[Choice | None, int] = {None: 6**window.total * _value(play, standing, left[1:])}
    pools: tuple[Pool, Pool] = ("offence", "defence")
    for name in pools:
        place = f"{window.side}_{name}"
        dice: Dice = getattr(standing, place)
        for die in range(len(dice.faces) if window.may(name) else 0):
            follow = [standing._replace(**{place: new}) for new in dice.again(die)]
            totals[Choice(name, die)] = sum(_value(play, new, after(left, name)) for new in follow)
    return {choice: Ends.counted(stakes.won(total, whole)) for choice, total in totals.items()}


def _value(play: Play, standing: Standing, left: tuple[Window, ...]) -> int:
    ours, saving, theirs, guarding = (pool(dice.faces) for dice in standing)
    return play.at((ours, guarding), (theirs, saving), left)
