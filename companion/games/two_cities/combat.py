"""Combat: how many dice, what they do, and what is left of the target (TTC-81 to TTC-90, TTC-115 to TTC-117)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.games.two_cities import evasion, protection, shooting
from companion.games.two_cities.retreat import retreat
from companion.games.two_cities.speech import hits
from companion.games.two_cities.state import Result
from companion.kit.asking import NO, YES, Option
from companion.kit.counts import dice
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.two_cities.facts import Facts
    from companion.games.two_cities.options import Options
    from companion.kit.asking import Ask

MOST_DICE = 6


def melee_terms(facts: Facts) -> tuple[Reason, ...]:
    """List what a melee's dice are made of: unit (TTC-87), forest (TTC-88), hill (TTC-89), card (TTC-90)."""
    printed = Reason(Text(facts.attacker), "TTC-87", facts.kind.melee)
    return facts.terms(printed, {"forest": ("TTC-88", 1), "hill": ("TTC-89", -1)}, facts.bonus.melee)


def dice_terms(facts: Facts, rules: Options) -> tuple[Reason, ...]:
    """List what the attack's dice are made of, the cap of six last (TTC-51, TTC-90)."""
    terms = melee_terms(facts) if facts.mode == "melee" else shooting.shot_terms(facts)
    total = sum(term.value or 0 for term in terms)
    capped = not rules.heavy_cap_phalanx_only or (facts.attacker == "heavy_infantry" and facts.bonus.contact)
    if capped and total > MOST_DICE:
        terms = (*terms, Reason(say("never more than six"), "TTC-51", MOST_DICE - total))
    return terms


def check_attack(facts: Facts) -> None:
    """Refuse an attack that the rules do not allow."""
    if facts.attacker == "city":
        raise Refusal(say("A city never attacks."), "TTC-07", "unit")
    if facts.mode == "ranged":
        shooting.check_shot(facts)


def groups_alike(facts: Facts, *, evaded: bool) -> tuple[tuple[int, ...], ...]:
    """Group the faces of the combat die that do the same in this attack (TTC-81 to TTC-84, TTC-08, TTC-125)."""
    struck = (1, 2) if facts.mode == "melee" else (1,)
    if evaded or facts.city:
        return (struck, tuple(face for face in range(1, 7) if face not in struck))
    return (struck, tuple(face for face in range(1, 6) if face not in struck), (6,))


def fight(facts: Facts, rules: Options, ask: Ask, shown: Callable[[Result], None] | None = None) -> Result:
    """Resolve one attack: dice, evasion, faces, protection, hits, retreat; raise Refusal or Pending.

    ``shown`` is told what the target came to before the attacker is asked whether it takes its square.
    """
    check_attack(facts)
    if facts.mode == "ranged":
        _tell_range(facts, ask)
    count = _tell_dice(dice_terms(facts, rules), ask)
    evaded = evasion.try_evasion(facts, rules, ask)
    if evaded is not None:
        whole = Reason(say("dice of the attack"), None, count)
        half = (Reason(say("half, rounded up"), "TTC-124", -(count // 2)),) if evaded else ()
        count = _tell_dice((whole, *half), ask)
    faces = ask.throw(
        count,
        6,
        "attack",
        say("Attack: {dice}", dice=dice(count)),
        by=facts.attacking,
        clause="TTC-86",
        alike=groups_alike(facts, evaded=bool(evaded)),
    )
    ask.show(faces)
    struck, driven = _read_faces(facts, faces, evaded=bool(evaded), ask=ask)
    guard = protection.protect(facts, rules, struck, driven, ask)
    result = Result(
        facts.mode,
        count,
        faces,
        struck,
        driven,
        evaded,
        ignored="hit" if guard.hits else "retreat" if guard.retreats else "none",
        used=guard.used,
        hits_taken=struck - guard.hits,
        range=shooting.range_of(facts) if facts.mode == "ranged" else 0,
        distance=facts.distance,
    )
    return _settle(facts, rules, result, driven - guard.retreats, ask, shown)


def _tell_range(facts: Facts, ask: Ask) -> None:
    reach = shooting.range_of(facts)
    ask.tell(
        say("range {reach}; distance {far}", reach=reach, far=facts.distance),
        "TTC-93",
        reach,
        terms=shooting.range_terms(facts),
    )


def _tell_dice(terms: tuple[Reason, ...], ask: Ask) -> int:
    count = sum(term.value or 0 for term in terms)
    ask.tell(dice(count), None, count, terms=terms)
    return count


def _read_faces(facts: Facts, faces: tuple[int, ...], *, evaded: bool, ask: Ask) -> tuple[int, int]:
    ones, twos, sixes = (faces.count(face) for face in (1, 2, 6))
    if facts.mode == "ranged":
        if twos:
            ask.tell(say("A 2 does nothing at range"), "TTC-82", 0)
        twos = 0
    if ones:
        ask.tell(say("A 1 is a hit: {hits}", hits=hits(ones)), "TTC-81", ones)
    if twos:
        ask.tell(say("A 2 is a hit in melee: {hits}", hits=hits(twos)), "TTC-82", twos)
    if not sixes:
        return ones + twos, 0
    if facts.city:
        ask.tell(say("Retreat hits do nothing to a city"), "TTC-08", 0)
        return ones + twos, 0
    if evaded:
        ask.tell(say("Retreat hits are void after an evasion"), "TTC-125", 0)
        return ones + twos, 0
    ask.tell(say("A 6 is a retreat hit: {count}", count=sixes), "TTC-84", sixes)
    return ones + twos, sixes


def _settle(
    facts: Facts, rules: Options, result: Result, retreats: int, ask: Ask, shown: Callable[[Result], None] | None
) -> Result:
    """Apply the hits first; what survives them goes back, and may die of a closed square (TTC-04, TTC-110)."""
    strength, total = facts.target_kind.strength, facts.hits + result.hits_taken
    steps = blocked = 0
    if total < strength:
        if result.evaded:
            steps = evasion.fall_back(facts, ask)
        else:
            steps, blocked = retreat(facts, retreats, ask)
    total = min(total + blocked, strength)
    destroyed = total == strength
    if destroyed:
        ask.tell(say("{hits} of {strength}: destroyed", hits=hits(total), strength=strength), "TTC-04")
    else:
        ask.tell(say("{hits} of {strength}", hits=hits(total), strength=strength), "TTC-04")
    result = msgspec.structs.replace(result, steps=steps, blocked=blocked, hits_after=total, destroyed=destroyed)
    if shown is not None:
        shown(result)
    return msgspec.structs.replace(result, advances=destroyed and _advances(facts, rules, steps, ask))


def _advances(facts: Facts, rules: Options, steps: int, ask: Ask) -> bool:
    """Tell whether the attacker takes the square: after melee (TTC-116), unless the target fell back (TTC-117)."""
    if facts.mode == "ranged" or steps:
        return False
    if rules.advance_optional and not facts.city:
        options = (Option("yes", YES), Option("no", NO))
        if ask.choose(facts.attacking, options, "advance", say("Take the emptied square?"), clause="TTC-116") == "no":
            return False
    ask.tell(say("The attacker takes the square"), "TTC-115")
    return True
