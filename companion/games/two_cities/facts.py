"""The facts of one attack: a mirrored board derives them, a table on the real board and a lookup type them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.games.two_cities.deck import CardRule, card_name, rule_of
from companion.games.two_cities.state import Mode
from companion.games.two_cities.units import KINDS, Ground, Kind, UnitKind
from companion.kit.ruling import Reason
from companion.kit.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

ATTACKER = "attacker"
DEFENDER = "defender"


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """Hold all that one attack depends on.

    ``card`` is the card that activated the attacker. ``distance`` is the shortest clear path (or, where there is
    none, through sides) and ``path`` whether one is clear; from a hill always. ``contact`` is whether the attacker
    touches any enemy. ``neighbour``: the target has a friend beside it on its rank. ``behind`` counts the free
    squares straight behind the target. ``used`` are protections the target has no longer this turn.
    """

    mode: Mode
    attacker: Kind
    target: Kind
    attacking: str = ATTACKER
    defending: str = DEFENDER
    card: str | None = None
    moved: bool = False
    attacker_terrain: Ground = "open"
    target_terrain: Ground = "open"
    distance: int = 1
    path: bool = True
    contact: bool = False
    neighbour: bool = False
    behind: int = 0
    hits: int = 0
    used: tuple[str, ...] = ()

    @property
    def kind(self) -> UnitKind:
        """Return the attacker's row of the table of units."""
        return KINDS[self.attacker]

    @property
    def target_kind(self) -> UnitKind:
        """Return the target's row of the table of units."""
        return KINDS[self.target]

    @property
    def bonus(self) -> CardRule:
        """Return what the card gives the attacker: only to units that it activates (TTC-52)."""
        card = rule_of(self.card)
        return card if self.attacker in card.who else rule_of(None)

    @property
    def city(self) -> bool:
        """Tell whether a city is attacked."""
        return self.target == "city"

    def terms(self, printed: Reason, ground: Mapping[Ground, tuple[str, int]], bonus: int) -> tuple[Reason, ...]:
        """List what a number of the attack is made of: the printed one, what the attacker's terrain and its card add.

        ``ground`` maps terrain -> (clause, what it adds).
        """
        terms = [printed]
        if self.attacker_terrain in ground:
            clause, added = ground[self.attacker_terrain]
            terms.append(Reason(Text(self.attacker_terrain), clause, added))
        if bonus:
            terms.append(Reason(card_name(self.bonus.code), self.bonus.clause, bonus))
        return tuple(terms)
