"""Ranged combat: who may shoot whom, how far, with how many dice (TTC-91 to TTC-101)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.kit.counts import squares
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.facts import Facts


def range_terms(facts: Facts) -> tuple[Reason, ...]:
    """List what the range is made of: printed (TTC-91), hill (TTC-96), card (TTC-101)."""
    printed = Reason(Text(facts.attacker), "TTC-91", facts.kind.range)
    return facts.terms(printed, {"hill": ("TTC-96", 1)}, facts.bonus.range)


def range_of(facts: Facts) -> int:
    """Return the range in squares through sides; 0 for a unit without one, whatever its bonuses (TTC-53)."""
    return sum(term.value or 0 for term in range_terms(facts)) if facts.kind.range else 0


def shot_terms(facts: Facts) -> tuple[Reason, ...]:
    """List what a shot's dice are made of: standing or moved (TTC-92), terrain (TTC-96, TTC-99), card (TTC-101)."""
    if facts.moved:
        printed = Reason(say("{unit}, moved", unit=Text(facts.attacker)), "TTC-92", facts.kind.ranged_moved)
    else:
        printed = Reason(say("{unit}, stationary", unit=Text(facts.attacker)), "TTC-92", facts.kind.ranged_stationary)
    return facts.terms(printed, {"hill": ("TTC-96", 1), "forest": ("TTC-99", -1)}, facts.bonus.ranged)


def hidden(facts: Facts) -> Reason | None:
    """Say why terrain keeps the target from being shot; None when it does not (TTC-97, TTC-98)."""
    if facts.target_terrain == "forest":
        return Reason(say("A unit in a forest cannot be shot."), "TTC-97")
    if facts.target_terrain == "hill" and facts.attacker_terrain != "hill":
        return Reason(say("A unit on a hill can be shot only from another hill."), "TTC-98")
    return None


def no_die(facts: Facts) -> Reason | None:
    """Say why no die is left for a shot; None when there is one (TTC-99, TTC-100)."""
    if sum(term.value or 0 for term in shot_terms(facts)) > 0:
        return None
    return Reason(say("A shooter that moved into a forest has no die left ({see}).", see="TTC-99"), "TTC-100")


def check_shot(facts: Facts) -> None:
    """Refuse a shot that the rules do not allow; the clause says why."""
    if not facts.kind.range:
        raise Refusal(
            say("{unit}: cannot shoot; no bonus gives it a range ({see}).", unit=Text(facts.attacker), see="TTC-53"),
            "TTC-91",
            "mode",
        )
    if facts.contact:
        raise Refusal(
            say("A unit in contact with an enemy may not shoot: it must fight hand to hand ({see}).", see="TTC-77"),
            "TTC-78",
            "mode",
        )
    if (barred := hidden(facts)) is not None:
        raise Refusal(barred.text, barred.clause, "target")
    check_path(facts)
    if (barred := no_die(facts)) is not None:
        raise Refusal(barred.text, barred.clause, "target")


def check_path(facts: Facts) -> None:
    """Refuse a shot that is too far (TTC-93) or whose every path is closed (TTC-94)."""
    reach = range_of(facts)
    if facts.distance < 2:
        raise Refusal(say("The closest possible shot is at distance 2."), "TTC-93", "distance")
    if facts.distance > reach and not facts.path:
        raise Refusal(
            say("The target is {far} away and the range is {reach}.", far=squares(facts.distance), reach=reach),
            "TTC-93",
            "target",
        )
    if not facts.path:
        raise Refusal(say("A unit, a forest or a hill closes every path to the target."), "TTC-94", "target")
    if facts.distance > reach:
        raise Refusal(
            say(
                "The target is {far} away along a clear path and the range is {reach} ({see}).",
                far=squares(facts.distance),
                reach=reach,
                see="TTC-94",
            ),
            "TTC-93",
            "target",
        )
