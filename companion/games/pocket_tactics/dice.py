"""The dice of an assault: pools compared, windows of re-rolls, and what each side fights with (PT-36 to PT-60)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from companion.games.pocket_tactics.options import Options, Order
from companion.games.pocket_tactics.terrain import affine
from companion.kit import duels
from companion.kit.clash import Effect
from companion.kit.ruling import Duel, Fighter
from companion.kit.text import Text, say

Kind = Literal["melee", "ranged"]
Pool = Literal["offence", "defence"]
Role = Literal["attacker", "defender"]
Touches = Literal["any", "offence", "defence"]
"""The dice that a re-roll by an ability may touch (PT-48)."""

ROLES: tuple[Role, Role] = ("attacker", "defender")
POOLS: tuple[Pool, Pool] = ("offence", "defence")

MOST_KICKER = 6
"""What a kicker counts at the most (PT-94)."""
BASE_DICE = 3
"""What a base defends with, whatever it is assaulted with (PT-67, PT-A19)."""


def foe(side: Role) -> Role:
    """Return the other one of the two."""
    return "defender" if side == "attacker" else "attacker"


def opposed(pool: Pool) -> Pool:
    """Return the pool of the other one that meets a pool (PT-39, PT-40)."""
    return "defence" if pool == "offence" else "offence"


class Value(NamedTuple):
    """One value of a skill: how many dice are rolled, and the kicker that counts beside them (PT-93, PT-A06)."""

    dice: int = 0
    kicker: int = 0

    @property
    def none(self) -> bool:
        """Tell whether there is nothing to strike or save with (PT-A21)."""
        return self.dice == 0 and self.kicker == 0

    @property
    def printed(self) -> str:
        """Write it as on a card: dice, and a kicker in brackets (PT-93)."""
        return f"{self.dice}({self.kicker})" if self.kicker else str(self.dice)


def pool(faces: Sequence[int], kicker: int = 0) -> tuple[int, ...]:
    """Return the dice that count, highest first: those rolled and the phantom die; a kicker of 0 adds none (PT-A05)."""
    return tuple(sorted((*faces, kicker) if kicker else faces, reverse=True))


def hits(offence: Sequence[int], defence: Sequence[int]) -> bool:
    """Tell whether offence hits: of two sorted pools the first pair that differs decides; none is 0 (PT-A03)."""
    for ours, theirs in zip_longest(offence, defence, fillvalue=0):
        if ours != theirs:
            return ours > theirs
    return False


def clamped(kicker: int) -> int:
    """Return a kicker after all changes: never below 0, never above 6 (PT-94, PT-98)."""
    return min(max(kicker, 0), MOST_KICKER)


class Rerolls(NamedTuple):
    """The re-rolls of one unit: which pool each that an ability gives may touch; the situational ones (PT-51)."""

    ability: tuple[Touches, ...] = ()
    situational: int = 0


class Window(NamedTuple):
    """What is left of one window: re-rolls of either pool, of the offence alone, of the defence alone."""

    side: Role
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
    ours, theirs = _by_abilities("attacker", attacker), _by_abilities("defender", defender)
    our_place, their_place = Window("attacker", attacker.situational), Window("defender", defender.situational)
    in_turn = (ours, theirs, our_place, their_place)
    side_by_side = (ours, our_place, theirs, their_place)
    return tuple(window for window in (in_turn if order == "windows" else side_by_side) if window.total)


def _by_abilities(side: Role, rerolls: Rerolls) -> Window:
    given = rerolls.ability
    return Window(side, given.count("any"), given.count("offence"), given.count("defence"))


def after(left: tuple[Window, ...], pool: Pool) -> tuple[Window, ...]:
    """Return the windows that are left once the first of them was used on a die of that pool."""
    used = left[0].used(pool)
    return (used, *left[1:]) if used.total else left[1:]


class Dice(NamedTuple):
    """One pool as it lies: the faces that were rolled, and the kicker beside them."""

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

    def rerolled(self, die: int, face: int) -> Dice:
        """Return the pool with one die, by its place from 0, showing another face (PT-A14)."""
        return self._replace(faces=(*self.faces[:die], face, *self.faces[die + 1 :]))


class Standing(NamedTuple):
    """The four pools of an assault as they lie; a pool that was not rolled has no faces (PT-A22)."""

    attacker_offence: Dice
    attacker_defence: Dice
    defender_offence: Dice
    defender_defence: Dice

    def of(self, side: Role, pool: Pool) -> Dice:
        """Return one of the four."""
        if side == "attacker":
            return self.attacker_offence if pool == "offence" else self.attacker_defence
        return self.defender_offence if pool == "offence" else self.defender_defence

    def hits(self, striker: Role) -> bool:
        """Tell whether one of the two hits the other (PT-39, PT-40)."""
        return hits(self.of(striker, "offence").counted, self.of(foe(striker), "defence").counted)

    def effects(self, side: Role, choice: Choice) -> tuple[Effect, ...]:
        """Say what each face of one die comes to as all the others lie: it hits, or keeps from being hit."""
        strikes, faces = choice.pool == "offence", range(1, 7)
        striker = side if strikes else foe(side)
        hit = tuple(face for face in faces if self.rerolled(side, choice, face).hits(striker))
        spared = () if strikes else tuple(face for face in faces if face not in hit)
        does = (Effect(spared, say("no hit")), Effect(hit, say("hit"), harm=not strikes))
        return tuple(effect for effect in does if effect.faces)

    def thrown(self, side: Role, pool: Pool, faces: tuple[int, ...]) -> Standing:
        """Return the pools after one of them has been rolled."""
        return self._replace(**{f"{side}_{pool}": self.of(side, pool)._replace(faces=faces)})

    def rerolled(self, side: Role, choice: Choice, face: int) -> Standing:
        """Return the pools after one die has been rolled again."""
        return self._replace(**{f"{side}_{choice.pool}": self.of(side, choice.pool).rerolled(choice.die, face)})


class Choice(NamedTuple):
    """One own die that is rolled again: its pool, and its place among the faces from 0 (PT-50, PT-A14)."""

    pool: Pool
    die: int


class Party(NamedTuple):
    """One of the two that fight: a unit, or a base.

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
    abilities: tuple[Touches, ...] = ()
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
        return say("Offence of {unit}" if pool == "offence" else "Defence of {unit}", unit=self.name)


def base_party(seat: str, name: Text, assists: int) -> Party:
    """Return a base as it defends itself: three plain dice, and its friends beside (PT-67, PT-68, PT-A19)."""
    return Party(seat, name, defence=Value(BASE_DICE), assists=assists)


class Facts(NamedTuple):
    """What an assault is fought with: both sides, and whether the target reaches the attacker to counter (PT-60).

    Against a base the defender is one made by ``base_party``.
    """

    kind: Kind
    attacker: Party
    defender: Party
    reached: bool = True
    base: bool = False

    def party(self, side: Role) -> Party:
        """Return one of the two."""
        return self.attacker if side == "attacker" else self.defender

    def attack(self, standing: Standing) -> Duel:
        """Lay the attack out pair under pair (PT-40)."""
        return _duel(self.attacker, self.defender, standing.attacker_offence, standing.defender_defence)

    def counter(self, standing: Standing) -> Duel | None:
        """Lay the counter-attack out; None where nothing strikes back (PT-39)."""
        if standing.defender_offence == Dice():
            return None
        return _duel(self.defender, self.attacker, standing.defender_offence, standing.attacker_defence)


def _duel(striker: Party, struck: Party, offence: Dice, defence: Dice) -> Duel:
    faces, kickers = (offence.faces, defence.faces), (offence.kicker, defence.kicker)
    return duels.duel(striker.short, struck.short, *faces, *kickers, striker.seat, struck.seat)


def affinity_tiles(kind: Kind, origin: str, target: str) -> tuple[str, str]:
    """Return the terrains that count for the affinity of the attacker and the defender (PT-57, PT-A10).

    In melee both stand on the target's tile. A base is no terrain: ``target`` is empty then.
    """
    return (target, target) if kind == "melee" else (origin, target)


def counting(value: Value, options: Options) -> Value:
    """Return what a value counts in an assault: its kicker too, where the players agreed on that (PT-A04)."""
    return value if options.kicker_in_assault else value._replace(kicker=0)


class Values(NamedTuple):
    """The four values of an assault in the order in which they are rolled; one that does not matter is nothing."""

    attacker_offence: Value
    attacker_defence: Value
    defender_offence: Value
    defender_defence: Value


def rolled(facts: Facts, options: Options) -> Values:
    """Return what each side rolls: without a counter no die of it, neither its offence nor what saves from it.

    A base never counters, nor does a unit that does not reach or has no offence (PT-60, PT-A07, PT-A19, PT-A22).
    """
    attacker, defender = facts.attacker, facts.defender
    offence, saving = counting(attacker.offence, options), counting(defender.defence, options)
    back = counting(defender.offence, options)
    if facts.base or not facts.reached or back.none:
        return Values(offence, Value(), Value(), saving)
    return Values(offence, counting(attacker.defence, options), back, saving)
