"""The look-up of a battle: who is destroyed, and the best and the worst way to share damage out (HW-56 to HW-73)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from companion.games.history_of_war import exchange
from companion.games.history_of_war.cards import Category, Level
from companion.games.history_of_war.exchange import Answer, Clash, Combatant, Outcome, Split
from companion.kit.asking import Ask
from companion.kit.decks.entries import Much
from companion.kit.game import Lookup
from companion.kit.ruling import Reason, Refusal, Ruling, refuse
from companion.kit.text import Text, listed, say

ATTACKER, TARGET = "attacker", "target"
_NOBODY, _ONE, _TWO, _THREE = (0,), (1, 2, 3), (2, 3), (3,)
"""With how many blockers a fact counts."""
_NONE = "Empty: “-”, it cannot harm that."
_BACK = "Against the attacker's category. Empty: “-”."
_BLOCKS = "Its card says so; otherwise it blocks its own category alone."
_ANSWERED = "It blocked or answered with it in this round."


def _fact(blockers: tuple[int, ...], title: str, description: str | None = None, **labels: str) -> Meta:
    """Describe a fact that counts with so many blockers; ``labels`` name its choices."""
    return Meta(title=title, description=description, extra={"when": ("blockers", blockers), "labels": labels})


def _written(title: str) -> Meta:
    """Describe how much goes to a blocker, where that is as written."""
    return Meta(title=title, ge=0, le=30, extra={"when": ("share", ("mine",))})


class Blocker(NamedTuple):
    """The facts of one blocker; ``to`` is what goes to it where that is as written."""

    category: Category
    av: int | None
    dv: int
    may_also_block: bool
    to: int


class BattleFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The facts of one attack: the attacker, who blocks it (up to three), or what it strikes unblocked."""

    category: Annotated[Category, Meta(title="The attacker")] = "ground"
    av_ground: Annotated[Level | None, Meta(title="Its attack, ground", description=_NONE)] = 4
    av_air: Annotated[Level | None, Meta(title="Its attack, air", description=_NONE)] = None
    av_naval: Annotated[Level | None, Meta(title="Its attack, naval", description=_NONE)] = None
    dv: Annotated[Much, Meta(title="Its defence")] = 4
    blockers: Annotated[int, Meta(title="Blockers", description="0: nobody blocks it.", ge=0, le=3)] = 1
    category_1: Annotated[Category, _fact(_ONE, "Blocker 1")] = "ground"
    av_1: Annotated[Level | None, _fact(_ONE, "Blocker 1: its attack", _BACK)] = 2
    dv_1: Annotated[Much, _fact(_ONE, "Blocker 1: its defence")] = 3
    may_also_block_1: Annotated[bool, _fact(_ONE, "Blocker 1 also blocks that category", _BLOCKS)] = False
    category_2: Annotated[Category, _fact(_TWO, "Blocker 2")] = "ground"
    av_2: Annotated[Level | None, _fact(_TWO, "Blocker 2: its attack", _BACK)] = 1
    dv_2: Annotated[Much, _fact(_TWO, "Blocker 2: its defence")] = 2
    may_also_block_2: Annotated[bool, _fact(_TWO, "Blocker 2 also blocks that category", _BLOCKS)] = False
    category_3: Annotated[Category, _fact(_THREE, "Blocker 3")] = "ground"
    av_3: Annotated[Level | None, _fact(_THREE, "Blocker 3: its attack", _BACK)] = 1
    dv_3: Annotated[Much, _fact(_THREE, "Blocker 3: its defence")] = 2
    may_also_block_3: Annotated[bool, _fact(_THREE, "Blocker 3 also blocks that category", _BLOCKS)] = False
    share: Annotated[
        Literal["best", "worst", "mine"],
        _fact(
            _TWO,
            "How the attacker shares out",
            "Among several blockers.",
            best="The best way",
            worst="The worst way",
            mine="As written below",
        ),
    ] = "best"
    to_1: Annotated[int, _written("Damage to blocker 1")] = 0
    to_2: Annotated[int, _written("Damage to blocker 2")] = 0
    to_3: Annotated[int, _written("Damage to blocker 3")] = 0
    target: Annotated[Category, _fact(_NOBODY, "The target, where nobody blocks")] = "ground"
    target_av: Annotated[Level | None, _fact(_NOBODY, "The target: its attack", _BACK)] = 2
    target_dv: Annotated[Much, _fact(_NOBODY, "The target: its defence")] = 3
    target_state: Annotated[
        Literal["unlocked", "locked", "blocked"], _fact(_NOBODY, "The target is", blocked="a blocker of this round")
    ] = "unlocked"
    target_used: Annotated[bool, _fact(_NOBODY, "It has used that attack value", _ANSWERED)] = False
    answers: Annotated[bool, _fact(_NOBODY, "It answers if it can")] = True

    @property
    def each(self) -> tuple[Blocker, ...]:
        """List who blocks it."""
        blockers = (
            Blocker(self.category_1, self.av_1, self.dv_1, self.may_also_block_1, self.to_1),
            Blocker(self.category_2, self.av_2, self.dv_2, self.may_also_block_2, self.to_2),
            Blocker(self.category_3, self.av_3, self.dv_3, self.may_also_block_3, self.to_3),
        )
        return blockers[: self.blockers]


class Battle(msgspec.Struct, frozen=True, kw_only=True):
    """What comes of an attack: damage by card, who is destroyed, who is locked because it answered.

    ``best`` and ``worst`` are the ways to share out that destroy the most and the fewest; None without blockers.
    """

    damage: dict[str, int]
    destroyed: tuple[str, ...]
    locked: tuple[str, ...]
    best: tuple[int, ...] | None = None
    worst: tuple[int, ...] | None = None


def rule(facts: BattleFacts, ask: Ask) -> Ruling[Battle]:
    """Rule on an attack; raise Refusal where it can not be."""
    values: dict[Category, int | None] = {"ground": facts.av_ground, "air": facts.av_air, "naval": facts.av_naval}
    av = {category: value for category, value in values.items() if value is not None}
    attacker = Combatant(
        id=ATTACKER, name=say("the attacker"), category=facts.category, dv=facts.dv, av=av, locked=True
    )
    return _blocked(facts, attacker, ask) if facts.blockers else _not_blocked(facts, attacker, ask)


def _blocker(facts: BattleFacts, at: int, blocker: Blocker) -> Combatant:
    """Return what counts of a blocker; raise Refusal where it may not block (HW-56)."""
    name = say("blocker {number}", number=str(at))
    if blocker.category != facts.category and not blocker.may_also_block:
        category = Text(facts.category)
        text = say("{unit} does not block attackers of that category: {category}.", unit=name, category=category)
        raise Refusal(text, "HW-56", f"category_{at}")
    return Combatant(
        id=f"blocker_{at}",
        name=name,
        category=blocker.category,
        dv=blocker.dv,
        av={} if blocker.av is None else {facts.category: blocker.av},
        locked=True,
        blocked=True,
        used=(facts.category,),
    )


def _blocked(facts: BattleFacts, attacker: Combatant, ask: Ask) -> Ruling[Battle]:
    """Rule on a blocked attack (HW-65 to HW-67, HW-A18)."""
    foes = [_blocker(facts, at, blocker) for at, blocker in enumerate(facts.each, 1)]
    splits = exchange.splits(attacker, foes)
    best, worst = splits[0], splits[-1]
    amounts = worst.amounts if facts.share == "worst" else best.amounts
    if facts.share == "mine" and len(foes) > 1:
        amounts = tuple(blocker.to for blocker in facts.each)
    hits = {foe.id: amount for foe, amount in zip(foes, amounts, strict=True)}
    clash = Clash(ATTACKER, tuple(foe.id for foe in foes), hits)
    fighters = {fighter.id: fighter for fighter in (attacker, *foes)}
    outcome = exchange.exchange(fighters, [clash])
    _tell(fighters, outcome, ask)
    if len(foes) > 1:
        _tell_split(say("The best way to share out"), best, foes, ask)
        _tell_split(say("The worst way to share out"), worst, foes, ask)
    return _ruling(fighters, outcome, ask, best.amounts, worst.amounts)


def _tell_split(what: Text, split: Split, foes: Sequence[Combatant], ask: Ask) -> None:
    count = sum(split.destroyed)
    terms = tuple(
        Reason(say("{unit}, destroyed", unit=foe.name) if dies else foe.name, "HW-66", amount)
        for foe, amount, dies in zip(foes, split.amounts, split.destroyed, strict=True)
    )
    text = say("{what}: {count} blocker destroyed|{what}: {count} blockers destroyed", what=what, count=count)
    ask.tell(text, "HW-66", sum(split.amounts), terms=terms)


def _not_blocked(facts: BattleFacts, attacker: Combatant, ask: Ask) -> Ruling[Battle]:
    """Rule on an unblocked attack, and whether its target answers (HW-68 to HW-72)."""
    target = Combatant(
        id=TARGET,
        name=say("the target"),
        category=facts.target,
        dv=facts.target_dv,
        av={} if facts.target_av is None else {facts.category: facts.target_av},
        locked=facts.target_state != "unlocked",
        blocked=facts.target_state == "blocked",
        used=(facts.category,) if facts.target_used else (),
    )
    if target.category not in attacker.av:
        refuse(exchange.no_value(attacker.name, target.category), f"av_{target.category}")
    why = exchange.barred(target, attacker)
    answers = [Answer(TARGET, ATTACKER)] if facts.answers and why is None else []
    fighters = {fighter.id: fighter for fighter in (attacker, target)}
    outcome = exchange.exchange(fighters, [Clash(ATTACKER, (), {TARGET: attacker.av[target.category]})], answers)
    if why is not None:
        ask.tell(why.text, why.clause)
    _tell(fighters, outcome, ask)
    for name in outcome.locked:
        ask.tell(say("{unit} is locked for the rest of the round", unit=fighters[name].name), "HW-71")
    return _ruling(fighters, outcome, ask)


def _tell(fighters: dict[str, Combatant], outcome: Outcome, ask: Ask) -> None:
    for name in outcome.damage:
        reason = outcome.suffered(fighters, name)
        ask.tell(reason.text, reason.clause, reason.value, terms=reason.terms)


def _ruling(
    fighters: dict[str, Combatant],
    outcome: Outcome,
    ask: Ask,
    best: tuple[int, ...] | None = None,
    worst: tuple[int, ...] | None = None,
) -> Ruling[Battle]:
    battle = Battle(damage=outcome.damage, destroyed=outcome.destroyed, locked=outcome.locked, best=best, worst=worst)
    gone = listed([fighters[name].name for name in fighters if name in outcome.destroyed], say("nobody"))
    return Ruling(battle, say("Destroyed: {units}", units=gone), tuple(ask.reasons))


BATTLE = Lookup(
    "battle",
    say("A battle"),
    BattleFacts,
    rule,
    note=say("Who is destroyed when a unit attacks, blocked or not, and how its damage is best shared out."),
)
