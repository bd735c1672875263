"""The windows in which re-rolls are taken, one after the other, and what is left of them (PT-46 to PT-50, PT-A13)."""

from __future__ import annotations

from typing import Literal, NamedTuple

Side = Literal["attacker", "defender"]
Pool = Literal["offence", "defence"]
Order = Literal["windows", "side_then_side"]
"""How the windows follow each other (the option ``reroll_order``)."""


class Rerolls(NamedTuple):
    """Hold the re-rolls of one unit: which pool each that an ability gives may touch; the situational ones (PT-51)."""

    ability: tuple[Literal["any", "offence", "defence"], ...] = ()
    situational: int = 0


class Window(NamedTuple):
    """Hold what is left of one window: re-rolls of either pool, of the offence alone, of the defence alone."""

    side: Side
    either: int = 0
    offence: int = 0
    defence: int = 0

    def may(self, pool: Pool) -> bool:
        """Tell whether one more die of that pool may be rolled again."""
        return self.either > 0 or (self.offence if pool == "offence" else self.defence) > 0

    def used(self, pool: Pool) -> Window:
        """Return the window after one more die of that pool: what may touch nothing else is used first."""
        if pool == "offence" and self.offence:
            return self._replace(offence=self.offence - 1)
        if pool == "defence" and self.defence:
            return self._replace(defence=self.defence - 1)
        return self._replace(either=self.either - 1)

    @property
    def total(self) -> int:
        """Count the re-rolls that are left."""
        return self.either + self.offence + self.defence


def windows(attacker: Rerolls, defender: Rerolls, order: Order = "windows") -> tuple[Window, ...]:
    """List the windows that have re-rolls, in their order (PT-47 to PT-49, PT-A13)."""
    abilities = _ability("attacker", attacker), _ability("defender", defender)
    others = Window("attacker", attacker.situational), Window("defender", defender.situational)
    in_turn = (*abilities, *others)
    side_by_side = (abilities[0], others[0], abilities[1], others[1])
    return tuple(window for window in (in_turn if order == "windows" else side_by_side) if window.total)


def _ability(side: Side, rerolls: Rerolls) -> Window:
    given = rerolls.ability
    return Window(side, given.count("any"), given.count("offence"), given.count("defence"))


def after(left: tuple[Window, ...], pool: Pool) -> tuple[Window, ...]:
    """Return the windows that are left once the first of them was used on a die of that pool."""
    used = left[0].used(pool)
    return (used, *left[1:]) if used.total else left[1:]
