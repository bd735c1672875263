"""The facts of an assault: the two that fight, what each rolls, and where its re-rolls come from (PT-36, PT-46)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.games.pocket_tactics.comparing import Value
from companion.games.pocket_tactics.standing import Dice, Standing
from companion.games.pocket_tactics.terrain import affine
from companion.games.pocket_tactics.windows import Rerolls
from companion.kit import duels
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.doing import Kind, Pool
    from companion.games.pocket_tactics.options import Options
    from companion.kit.ruling import Duel, Fighter

BASE = Value(3)
"""What a base defends with, whatever it is assaulted with (PT-67, PT-A19)."""


class Party(NamedTuple):
    """Hold one of the two that fight: a unit, or a base.

    ``offence`` and ``defence`` are the values of the skill that it fights with, after all changes of their kickers.
    ``terrain`` is the tile that counts for its affinity, ``assists`` the friends that stand beside, ``abilities`` name
    for every re-roll that an ability gives the dice that it may touch. ``worth`` is its cost, at least 1; ``piece`` is
    for the statistics.
    """

    seat: str
    name: Text
    offence: Value = Value()
    defence: Value = Value()
    terrain: str = ""
    affinities: tuple[str, ...] = ()
    assists: int = 0
    abilities: tuple[Literal["any", "offence", "defence"], ...] = ()
    worth: int = 1
    piece: Fighter | None = None

    @property
    def favoured(self) -> bool:
        """Tell whether its terrain is one of its affinities: one re-roll, however many match (PT-52, PT-A09)."""
        return affine(self.affinities, self.terrain)

    @property
    def rerolls(self) -> Rerolls:
        """Return its re-rolls: of its abilities, and of the situation (PT-48, PT-51 to PT-53)."""
        return Rerolls(self.abilities, self.favoured + self.assists)

    @property
    def short(self) -> Text:
        """Call it without its owner, whose mark stands beside its dice."""
        return self.piece.name if self.piece else self.name

    def pool(self, pool: Pool) -> Text:
        """Call one of its pools."""
        offence = say("Offence of {unit}", unit=self.name)
        return offence if pool == "offence" else say("Defence of {unit}", unit=self.name)


class Facts(NamedTuple):
    """Hold what an assault is fought with: both sides, and whether the target reaches the attacker to counter (PT-60).

    Against a base the defender is one made by ``base_party``.
    """

    kind: Kind
    attacker: Party
    defender: Party
    reached: bool = True
    base: bool = False


class Values(NamedTuple):
    """Hold the four values of an assault in the order in which they are rolled; one that does not matter is nothing."""

    attacker_offence: Value
    attacker_defence: Value
    defender_offence: Value
    defender_defence: Value


def base_party(seat: str, name: Text, assists: int) -> Party:
    """Return a base as it defends itself: three plain dice, and its friends beside (PT-67, PT-68, PT-A19)."""
    return Party(seat, name, defence=BASE, assists=assists)


def counts(value: Value, options: Options) -> Value:
    """Return what a value counts in an assault: its kicker too, where the players agreed on that (PT-A04)."""
    return value if options.kicker_in_assault else value._replace(kicker=0)


def tiles(kind: Kind, origin: str, target: str) -> tuple[str, str]:
    """Return the terrains that count for the affinity of the attacker and the defender (PT-57, PT-A10).

    In melee both stand on the target's tile. A base is no terrain: ``target`` is empty then.
    """
    return (target, target) if kind == "melee" else (origin, target)


def values(facts: Facts, options: Options) -> Values:
    """Return what each side rolls: without a counter no die of it, neither its offence nor what saves from it.

    A base never counters, nor does a unit that does not reach or has no offence (PT-60, PT-A07, PT-A19, PT-A22).
    """
    attacker, defender = facts.attacker, facts.defender
    offence, saving = counts(attacker.offence, options), counts(defender.defence, options)
    back = counts(defender.offence, options)
    if facts.base or not facts.reached or back.none:
        return Values(offence, Value(), Value(), saving)
    return Values(offence, counts(attacker.defence, options), back, saving)


def attack(facts: Facts, standing: Standing) -> Duel:
    """Lay the attack out pair under pair (PT-40)."""
    return _duel(facts.attacker, facts.defender, standing.attacker_offence, standing.defender_defence)


def counter(facts: Facts, standing: Standing) -> Duel | None:
    """Lay the counter-attack out; None where nothing strikes back (PT-39)."""
    if standing.defender_offence == Dice():
        return None
    return _duel(facts.defender, facts.attacker, standing.defender_offence, standing.attacker_defence)


def _duel(striker: Party, struck: Party, offence: Dice, defence: Dice) -> Duel:
    return duels.duel(
        striker.short,
        struck.short,
        offence.faces,
        defence.faces,
        offence.kicker,
        defence.kicker,
        striker.seat,
        struck.seat,
    )
