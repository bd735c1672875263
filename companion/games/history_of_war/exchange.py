"""The exchange of damage in one half of a battle, from facts alone (HW-63 to HW-73, HW-78; HW-A15 to HW-A22)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import compress, product
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from companion.games.history_of_war.cards import Category
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say


class Combatant(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What counts of a card that fights or is struck.

    ``av`` are the attack values that it has; ``dv`` is None where it can not be struck. ``locked`` is how it was before
    the damage; ``blocked`` and ``used`` are of this round. ``damage`` is what it has suffered in this phase already, by
    hand: what is dealt comes on top of it (HW-73, HW-75).
    """

    id: str
    name: Text
    category: Category
    dv: int | None
    av: dict[Category, int]
    locked: bool = False
    blocked: bool = False
    used: tuple[Category, ...] = ()
    damage: int = 0

    @property
    def left(self) -> int | None:
        """Return the defence value left before the damage; None where it can not be struck, or none is left."""
        if self.dv is None or destroys(self.damage, self.dv):
            return None
        return self.dv - self.damage


class Clash(NamedTuple):
    """One attack: who blocks it, and how much of its value goes to whom (by id); a share may be 0."""

    attacker: str
    blockers: tuple[str, ...]
    hits: Mapping[str, int]


class Answer(NamedTuple):
    """The response of a struck card to an attacker (HW-70, HW-72)."""

    unit: str
    to: str


class Blow(NamedTuple):
    """Damage that one card deals to another, and the clause it rests on."""

    by: str
    to: str
    amount: int
    clause: str


class Outcome(NamedTuple):
    """What an exchange does: damage by card, who is destroyed, who is locked because it answered (HW-71).

    ``damage`` is all that a card has now, with what it had before.
    """

    blows: tuple[Blow, ...]
    damage: dict[str, int]
    destroyed: tuple[str, ...]
    locked: tuple[str, ...]

    def suffered(self, fighters: Mapping[str, Combatant], name: str) -> Reason:
        """Say what damage a card takes of its defence value, by whom, and whether that destroys it (HW-63, HW-73)."""
        struck, damage, dies = fighters[name], self.damage[name], name in self.destroyed
        said = "{unit}: {damage} damage of {most}, destroyed" if dies else "{unit}: {damage} damage of {most}"
        text = say(said, unit=struck.name, damage=damage, most=struck.dv or 0)
        blows = (blow for blow in self.blows if blow.to == name)
        terms = tuple(Reason(fighters[blow.by].name, blow.clause, blow.amount) for blow in blows)
        if struck.damage:
            terms = (Reason(say("damage by hand"), "HW-75", struck.damage), *terms)
        return Reason(text, "HW-73" if dies else "HW-63", damage, terms)


class Split(NamedTuple):
    """One way to share a value out among cards: how much for each in their order, and who is destroyed by it."""

    amounts: tuple[int, ...]
    destroyed: tuple[bool, ...]


def exchange(fighters: Mapping[str, Combatant], clashes: Sequence[Clash], answers: Iterable[Answer] = ()) -> Outcome:
    """Deal all damage at once: who is destroyed deals its own all the same (HW-A19).

    Raises Refusal for a share or an answer that can not be.
    """
    blows: list[Blow] = []
    for clash in clashes:
        attacker = fighters[clash.attacker]
        check_share(attacker, [fighters[name] for name in clash.hits], tuple(clash.hits.values()))
        clause = ("HW-68", "HW-65", "HW-66")[min(len(clash.blockers), 2)]
        blows += [Blow(attacker.id, name, amount, clause) for name, amount in clash.hits.items()]
        clause = "HW-65" if len(clash.blockers) == 1 else "HW-67"
        blows += [
            Blow(name, attacker.id, fighters[name].av.get(attacker.category, 0), clause) for name in clash.blockers
        ]
    answered = tuple(answers)
    for at, answer in enumerate(answered):
        spent = [fighters[former.to].category for former in answered[:at] if former.unit == answer.unit]
        blows.append(_answer(fighters[answer.unit], fighters[answer.to], clashes, spent))
    dealt = tuple(blow for blow in blows if blow.amount)
    damage: dict[str, int] = {}
    for blow in dealt:
        damage[blow.to] = damage.get(blow.to, fighters[blow.to].damage) + blow.amount
    destroyed = tuple(name for name, amount in damage.items() if destroys(amount, fighters[name].dv))
    locked = tuple(dict.fromkeys(answer.unit for answer in answered if not fighters[answer.unit].locked))
    return Outcome(dealt, damage, destroyed, locked)


def _answer(unit: Combatant, attacker: Combatant, clashes: Iterable[Clash], spent: Iterable[Category]) -> Blow:
    """Return the blow of a response, or raise Refusal; ``spent`` are the values it answers others with (HW-A21)."""
    if not any(clash.attacker == attacker.id and strikes(clash, unit.id) for clash in clashes):
        text = say("{unit} cannot answer {enemy}, which does not strike it.", unit=unit.name, enemy=attacker.name)
        raise Refusal(text, "HW-70", "responses")
    refuse(barred(replace(unit, used=(*unit.used, *spent)), attacker), "responses")
    return Blow(unit.id, attacker.id, unit.av[attacker.category], "HW-72" if unit.blocked else "HW-70")


def strikes(clash: Clash, name: str) -> bool:
    """Tell whether an attack strikes a card that does not block it; with a value of 0 its only target too (HW-A16)."""
    if clash.blockers or name not in clash.hits:
        return False
    return clash.hits[name] > 0 or len(clash.hits) == 1


def barred(unit: Combatant, attacker: Combatant) -> Reason | None:
    """Say why a struck card can not respond to an attacker (HW-69, HW-72, HW-A16, HW-A21); None when it can."""
    if unit.locked and not unit.blocked:
        return Reason(say("{unit} is locked and did not block: it cannot answer.", unit=unit.name), "HW-69")
    if attacker.category not in unit.av:
        return no_value(unit.name, attacker.category)
    if attacker.category in unit.used:
        text = "{unit} has used its attack value against that in this round: {category}."
        clause = "HW-72" if unit.blocked else "HW-A21"
        return Reason(say(text, unit=unit.name, category=Text(attacker.category)), clause)
    return None


def no_value(unit: Text, category: Category) -> Reason:
    """Say that a card can not harm those of a category (HW-A16)."""
    text = say("{unit} has no attack value against that: {category}.", unit=unit, category=Text(category))
    return Reason(text, "HW-A16")


def power(attacker: Combatant, targets: Iterable[Combatant]) -> int:
    """Return how much damage an attacker can share out among cards: its largest value against one (HW-A18)."""
    return max((attacker.av.get(target.category, 0) for target in targets), default=0)


def share_barred(attacker: Combatant, targets: Sequence[Combatant], amounts: Sequence[int]) -> Refusal | None:
    """Say why an attacker does not have that damage (HW-63, HW-66, HW-A16, HW-A18); None when it has."""
    for at, (target, amount) in enumerate(zip(targets, amounts, strict=True), 1):
        most = attacker.av.get(target.category, 0)
        if amount > most:
            text = say(
                "{unit} deals {most} to {enemy} at most, not {amount}.",
                unit=attacker.name,
                most=most,
                enemy=target.name,
                amount=amount,
            )
            return Refusal(text, "HW-A18" if len(targets) > 1 else "HW-A16", f"to_{at}")
    most = power(attacker, targets)
    if sum(amounts) > most:
        text = say("{unit} has {most} to share out, not {amount}.", unit=attacker.name, most=most, amount=sum(amounts))
        return Refusal(text, "HW-A18", "to_1")
    return None


def check_share(attacker: Combatant, targets: Sequence[Combatant], amounts: Sequence[int]) -> None:
    """Refuse damage that an attacker does not have (HW-63, HW-66, HW-A16, HW-A18)."""
    if no := share_barred(attacker, targets, amounts):
        raise no


def splits(attacker: Combatant, targets: Sequence[Combatant]) -> tuple[Split, ...]:
    """List the ways to use a whole attack value on several cards that differ in who is destroyed (HW-66).

    The first destroys the most, and of as many those with the highest defence values; the last the fewest.
    """
    most = tuple(attacker.av.get(target.category, 0) for target in targets)
    return _splits(most, tuple(target.left for target in targets))


@lru_cache(maxsize=16)
def _splits(most: tuple[int, ...], dvs: tuple[int | None, ...]) -> tuple[Split, ...]:
    """List the splits by how much each card takes at most: the same battle is looked at again and again."""
    whole = max(most, default=0)
    can = [destroys(value, dv) for value, dv in zip(most, dvs, strict=True)]
    choices = product(*((True, False) if dies else (False,) for dies in can))
    splits = [Split(amounts, gone) for gone in choices if (amounts := _share(whole, most, dvs, gone)) is not None]
    return tuple(sorted(splits, key=lambda split: _worth(split, dvs), reverse=True))


def _share(
    whole: int, most: Sequence[int], dvs: Sequence[int | None], chosen: Sequence[bool]
) -> tuple[int, ...] | None:
    """Share a value out so that just the chosen cards die, what is over to the others first; None: that can not be."""
    amounts = [max(dv or 0, 1) if dies else 0 for dv, dies in zip(dvs, chosen, strict=True)]
    left = whole - sum(amounts)
    if left < 0:
        return None
    for at in sorted(range(len(dvs)), key=lambda at: chosen[at]):
        dv = dvs[at]
        top = most[at] if chosen[at] or dv is None else min(most[at], max(dv, 1) - 1)
        more = min(left, top - amounts[at])
        amounts[at] += more
        left -= more
    return tuple(amounts) if not left else None


def destroys(amount: int, dv: int | None) -> bool:
    """Tell whether damage brings a defence value to 0 or less (HW-73)."""
    return amount > 0 and dv is not None and amount >= dv


def _worth(split: Split, dvs: Sequence[int | None]) -> tuple[int, int]:
    gone = tuple(compress(dvs, split.destroyed))
    return len(gone), sum(dv or 0 for dv in gone)
