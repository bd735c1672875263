"""The dice of an assault, over facts: all roll, re-rolls follow, and what hits is told (PT-36 to PT-45, ledger 5.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.games.pocket_tactics import parties, rerolls
from companion.games.pocket_tactics.comparing import hits
from companion.games.pocket_tactics.standing import Dice, Standing
from companion.games.pocket_tactics.windows import windows
from companion.kit.ruling import Harm, Reason
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.comparing import Value
    from companion.games.pocket_tactics.doing import Kind, Pool
    from companion.games.pocket_tactics.options import Options
    from companion.games.pocket_tactics.parties import Facts, Party
    from companion.games.pocket_tactics.rerolls import Foretold
    from companion.kit.asking import Ask

End = Literal["defender_captured", "attacker_captured", "both_captured", "stall", "base_taken"]


class Outcome(NamedTuple):
    """Hold what an assault came to (PT-42 to PT-45, PT-65)."""

    attack_hits: bool
    counter_hits: bool
    base: bool = False

    @property
    def end(self) -> End:
        """Name the end."""
        if self.base:
            return "base_taken" if self.attack_hits else "stall"
        if self.attack_hits:
            return "both_captured" if self.counter_hits else "defender_captured"
        return "attacker_captured" if self.counter_hits else "stall"


def fight(facts: Facts, options: Options, ask: Ask, foretold: Foretold | None = None) -> Outcome:
    """Fight an assault: all roll, re-rolls are taken in their windows, then attack and counter are compared (PT-39).

    ``foretold`` says what follows from each choice of a re-roll.
    """
    _tell_why_not(facts, options, ask)
    for party in (facts.attacker, facts.defender):
        _tell_rerolls(facts.kind, party, ask)
    standing = _rolled(facts, parties.values(facts, options), ask)
    left = windows(facts.attacker.rerolls, facts.defender.rerolls, options.reroll_order)
    standing = rerolls.taken(facts, standing, left, ask, foretold)
    outcome = Outcome(
        hits(standing.attacker_offence.counted, standing.defender_defence.counted),
        hits(standing.defender_offence.counted, standing.attacker_defence.counted),
        facts.base,
    )
    _tell_dice(facts, standing, outcome, ask)
    _tell_end(facts, outcome, ask)
    return outcome


def _tell_why_not(facts: Facts, options: Options, ask: Ask) -> None:
    """Tell why there is no counter-attack, where there is none."""
    if facts.base:
        ask.tell(say("A base does not strike back."), "PT-A19")
    elif not facts.reached:
        ask.tell(say("{unit} does not reach that far: no counter-attack", unit=facts.defender.name), "PT-60")
    elif parties.counts(facts.defender.offence, options).none:
        ask.tell(say("{unit} has no offence in this skill: no counter-attack", unit=facts.defender.name), "PT-A07")


def _tell_rerolls(kind: Kind, party: Party, ask: Ask) -> None:
    """Tell how many re-rolls a side has, and where they come from (PT-48, PT-52, PT-53, PT-57, PT-58)."""
    melee = kind == "melee"
    sources = (
        Reason(say("by special abilities"), "PT-48", len(party.abilities)),
        Reason(say("by affinity"), "PT-52" if melee else "PT-57", int(party.favoured)),
        Reason(say("by assistance"), "PT-53" if melee else "PT-58", party.assists),
    )
    terms = tuple(source for source in sources if source.value)
    if terms:
        count = sum(term.value or 0 for term in terms)
        text = say("{count} re-roll of {unit}|{count} re-rolls of {unit}", count=count, unit=party.name)
        ask.tell(text, "PT-46", count, terms=terms)


def _rolled(facts: Facts, values: parties.Values, ask: Ask) -> Standing:
    """Roll the pools that matter (PT-36, PT-A22)."""
    attacker, defender = facts.attacker, facts.defender
    return Standing(
        _throw("attacker_offence", attacker, "offence", values.attacker_offence, ask),
        _throw("attacker_defence", attacker, "defence", values.attacker_defence, ask),
        _throw("defender_offence", defender, "offence", values.defender_offence, ask),
        _throw("defender_defence", defender, "defence", values.defender_defence, ask),
    )


def _throw(key: str, party: Party, pool: Pool, value: Value, ask: Ask) -> Dice:
    """Roll one pool; its kicker is never rolled, nor is a pool without dice (PT-95)."""
    if not value.dice:
        return Dice((), value.kicker)
    return Dice(ask.throw(value.dice, 6, key, party.pool(pool), by=party.seat, clause="PT-36"), value.kicker)


def _tell_dice(facts: Facts, standing: Standing, outcome: Outcome, ask: Ask) -> None:
    """Tell what hits, die by die."""
    strikes = say("The attack hits.") if outcome.attack_hits else say("The attack does not hit.")
    ask.tell(strikes, "PT-40")
    ask.oppose(parties.attack(facts, standing))
    counter = parties.counter(facts, standing)
    if counter:
        back = say("The counter-attack hits.") if outcome.counter_hits else say("The counter-attack does not hit.")
        ask.tell(back, "PT-39")
        ask.oppose(counter)


def _tell_end(facts: Facts, outcome: Outcome, ask: Ask) -> None:
    """Tell what it comes to."""
    attacker, defender = facts.attacker, facts.defender
    match outcome.end:
        case "base_taken":
            ask.tell(say("{unit} takes the enemy base.", unit=attacker.name), "PT-65")
        case "both_captured":
            ask.tell(
                say("{unit} and {enemy}: both captured", unit=attacker.name, enemy=defender.name),
                "PT-43",
                harm=(*_harm(defender, attacker), *_harm(attacker, defender)),
            )
        case "defender_captured":
            ask.tell(say("{unit}: captured", unit=defender.name), "PT-42", harm=_harm(defender, attacker))
        case "attacker_captured":
            ask.tell(say("{unit}: captured", unit=attacker.name), "PT-44", harm=_harm(attacker, defender))
        case "stall" if facts.kind == "melee":
            ask.tell(say("The fight stalls: {unit} goes back.", unit=attacker.name), "PT-45")
        case "stall":
            ask.tell(say("The fight stalls."), "PT-45")


def _harm(lost: Party, by: Party) -> tuple[Harm, ...]:
    return (Harm(lost.piece, 0, "gone", by.piece),) if lost.piece else ()
