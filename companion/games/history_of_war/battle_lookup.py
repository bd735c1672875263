"""The look-up of a battle: who is destroyed, and the best and the worst way to share damage out (HW-56 to HW-73)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.history_of_war import exchange
from companion.games.history_of_war.cards import Category, Level
from companion.games.history_of_war.exchange import Answer, Clash, Combatant
from companion.kit.decks.written import Much
from companion.kit.game import Lookup
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.history_of_war.exchange import Outcome, Split
    from companion.kit.asking import Ask


ATTACKER, TARGET = "attacker", "target"
_ONE, _TWO, _THREE, _NOBODY = (("blockers", counts) for counts in ((1, 2, 3), (2, 3), (3,), (0,)))
"""With how many blockers a fact counts."""
_NONE = "Empty: “-”, it can not harm that."
_BACK = "Against the attacker's category. Empty: “-”."
_BLOCKS = "Its card says so; otherwise it blocks its own category alone."

Share = Literal["best", "worst", "mine"]
Stands = Literal["unlocked", "locked", "blocked"]


class BattleFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold the facts of one attack: the attacker, who blocks it (up to three), or what it strikes unblocked."""

    category: Annotated[Category, Meta(title="The attacker")] = "ground"
    av_ground: Annotated[Level | None, Meta(title="Its attack, ground", description=_NONE)] = 4
    av_air: Annotated[Level | None, Meta(title="Its attack, air", description=_NONE)] = None
    av_naval: Annotated[Level | None, Meta(title="Its attack, naval", description=_NONE)] = None
    dv: Annotated[Much, Meta(title="Its defence")] = 4
    blockers: Annotated[int, Meta(title="Blockers", description="0: nobody blocks it.", ge=0, le=3)] = 1
    category_1: Annotated[Category, Meta(title="Blocker 1", extra={"when": _ONE})] = "ground"
    av_1: Annotated[Level | None, Meta(title="Blocker 1: its attack", description=_BACK, extra={"when": _ONE})] = 2
    dv_1: Annotated[Much, Meta(title="Blocker 1: its defence", extra={"when": _ONE})] = 3
    may_also_block_1: Annotated[
        bool, Meta(title="Blocker 1 also blocks that category", description=_BLOCKS, extra={"when": _ONE})
    ] = False
    category_2: Annotated[Category, Meta(title="Blocker 2", extra={"when": _TWO})] = "ground"
    av_2: Annotated[Level | None, Meta(title="Blocker 2: its attack", description=_BACK, extra={"when": _TWO})] = 1
    dv_2: Annotated[Much, Meta(title="Blocker 2: its defence", extra={"when": _TWO})] = 2
    may_also_block_2: Annotated[
        bool, Meta(title="Blocker 2 also blocks that category", description=_BLOCKS, extra={"when": _TWO})
    ] = False
    category_3: Annotated[Category, Meta(title="Blocker 3", extra={"when": _THREE})] = "ground"
    av_3: Annotated[Level | None, Meta(title="Blocker 3: its attack", description=_BACK, extra={"when": _THREE})] = 1
    dv_3: Annotated[Much, Meta(title="Blocker 3: its defence", extra={"when": _THREE})] = 2
    may_also_block_3: Annotated[
        bool, Meta(title="Blocker 3 also blocks that category", description=_BLOCKS, extra={"when": _THREE})
    ] = False
    share: Annotated[
        Share,
        Meta(
            title="How the attacker shares out",
            description="Among several blockers.",
            extra={
                "when": _TWO,
                "labels": {"best": "The best way", "worst": "The worst way", "mine": "As written below"},
            },
        ),
    ] = "best"
    to_1: Annotated[int, Meta(title="Damage to blocker 1", ge=0, le=30, extra={"when": ("share", ("mine",))})] = 0
    to_2: Annotated[int, Meta(title="Damage to blocker 2", ge=0, le=30, extra={"when": ("share", ("mine",))})] = 0
    to_3: Annotated[int, Meta(title="Damage to blocker 3", ge=0, le=30, extra={"when": ("share", ("mine",))})] = 0
    target: Annotated[Category, Meta(title="The target, where nobody blocks", extra={"when": _NOBODY})] = "ground"
    target_av: Annotated[
        Level | None, Meta(title="The target: its attack", description=_BACK, extra={"when": _NOBODY})
    ] = 2
    target_dv: Annotated[Much, Meta(title="The target: its defence", extra={"when": _NOBODY})] = 3
    target_state: Annotated[
        Stands,
        Meta(
            title="The target is",
            extra={"when": _NOBODY, "labels": {"blocked": "a blocker of this round"}},
        ),
    ] = "unlocked"
    target_used: Annotated[
        bool,
        Meta(
            title="It has used that attack value",
            description="It blocked or answered with it in this round.",
            extra={"when": _NOBODY},
        ),
    ] = False
    answers: Annotated[bool, Meta(title="It answers if it can", extra={"when": _NOBODY})] = True


class Battle(msgspec.Struct, frozen=True, kw_only=True):
    """Hold what comes of an attack: damage by card, who is destroyed, who is locked because it answered.

    ``best`` and ``worst`` are the ways to share out that destroy the most and the fewest; None without blockers.
    """

    damage: dict[str, int]
    destroyed: tuple[str, ...]
    locked: tuple[str, ...]
    best: tuple[int, ...] | None = None
    worst: tuple[int, ...] | None = None


def rule(facts: BattleFacts, ask: Ask) -> Ruling[Battle]:
    """Rule on an attack; raise Refusal where it can not be."""
    attacker = _attacker(facts)
    return _blocked(facts, attacker, ask) if facts.blockers else _unblocked(facts, attacker, ask)


def _attacker(facts: BattleFacts) -> Combatant:
    values: dict[Category, int | None] = {"ground": facts.av_ground, "air": facts.av_air, "naval": facts.av_naval}
    av = {category: value for category, value in values.items() if value is not None}
    return Combatant(id=ATTACKER, name=say("the attacker"), category=facts.category, dv=facts.dv, av=av, locked=True)


def _blocker(facts: BattleFacts, at: int) -> Combatant:
    """Return a blocker by its number; raise Refusal where it may not block (HW-56)."""
    category, back = getattr(facts, f"category_{at}"), getattr(facts, f"av_{at}")
    if category != facts.category and not getattr(facts, f"may_also_block_{at}"):
        text = say(
            "{unit} does not block attackers of that category: {category}.",
            unit=_called(at),
            category=Text(facts.category),
        )
        raise Refusal(text, "HW-56", f"category_{at}")
    av = {} if back is None else {facts.category: back}
    return Combatant(
        id=f"blocker_{at}",
        name=_called(at),
        category=category,
        dv=getattr(facts, f"dv_{at}"),
        av=av,
        locked=True,
        blocked=True,
        used=(facts.category,),
    )


def _called(at: int) -> Text:
    return say("blocker {number}", number=str(at))


def _blocked(facts: BattleFacts, attacker: Combatant, ask: Ask) -> Ruling[Battle]:
    """Rule on a blocked attack (HW-65 to HW-67, HW-A18)."""
    foes = [_blocker(facts, at) for at in range(1, facts.blockers + 1)]
    ways = exchange.splits(attacker, foes)
    best, worst = ways[0], ways[-1]
    amounts = {"best": best, "worst": worst}.get(facts.share, best).amounts
    if facts.share == "mine" and len(foes) > 1:
        amounts = tuple(getattr(facts, f"to_{at}") for at in range(1, len(foes) + 1))
    hits = {foe.id: amount for foe, amount in zip(foes, amounts, strict=True)}
    fighters = {one.id: one for one in (attacker, *foes)}
    outcome = exchange.exchange(fighters, [Clash(ATTACKER, tuple(foe.id for foe in foes), hits)])
    _tell(fighters, outcome, ask)
    if len(foes) > 1:
        _tell_split(say("The best way to share out"), best, foes, ask)
        _tell_split(say("The worst way to share out"), worst, foes, ask)
    return _ruling(fighters, outcome, ask, best.amounts, worst.amounts)


def _tell_split(what: Text, split: Split, foes: list[Combatant], ask: Ask) -> None:
    count = sum(split.destroyed)
    terms = tuple(
        Reason(say("{unit}, destroyed", unit=foe.name) if dies else foe.name, "HW-66", amount)
        for foe, amount, dies in zip(foes, split.amounts, split.destroyed, strict=True)
    )
    ask.tell(
        say("{what}: {count} blocker destroyed|{what}: {count} blockers destroyed", what=what, count=count),
        "HW-66",
        sum(split.amounts),
        terms=terms,
    )


def _unblocked(facts: BattleFacts, attacker: Combatant, ask: Ask) -> Ruling[Battle]:
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
        no = exchange.no_value(attacker.name, target.category)
        raise Refusal(no.text, no.clause, f"av_{target.category}")
    why = exchange.barred(target, attacker)
    answers = [Answer(TARGET, ATTACKER)] if facts.answers and why is None else []
    fighters = {one.id: one for one in (attacker, target)}
    outcome = exchange.exchange(fighters, [Clash(ATTACKER, (), {TARGET: attacker.av[target.category]})], answers)
    if why is not None:
        ask.tell(why.text, why.clause)
    _tell(fighters, outcome, ask)
    for name in outcome.locked:
        ask.tell(say("{unit} is locked for the rest of the round", unit=fighters[name].name), "HW-71")
    return _ruling(fighters, outcome, ask)


def _tell(fighters: dict[str, Combatant], outcome: Outcome, ask: Ask) -> None:
    """Tell the damage that each takes, and by whom."""
    for name, amount in outcome.damage.items():
        dies = name in outcome.destroyed
        terms = tuple(
            Reason(fighters[blow.by].name, blow.clause, blow.amount) for blow in outcome.blows if blow.to == name
        )
        ask.tell(exchange.suffered(fighters[name], amount), "HW-73" if dies else "HW-63", amount, terms=terms)


def _ruling(
    fighters: dict[str, Combatant],
    outcome: Outcome,
    ask: Ask,
    best: tuple[int, ...] | None = None,
    worst: tuple[int, ...] | None = None,
) -> Ruling[Battle]:
    found = Battle(damage=outcome.damage, destroyed=outcome.destroyed, locked=outcome.locked, best=best, worst=worst)
    gone = listed([fighters[name].name for name in fighters if name in outcome.destroyed], say("nobody"))
    return Ruling(found, say("Destroyed: {units}", units=gone), tuple(ask.reasons))


BATTLE = Lookup(
    "battle",
    say("A battle"),
    BattleFacts,
    rule,
    note=say("Who is destroyed when a unit attacks, blocked or not, and how its damage is best shared out."),
)
