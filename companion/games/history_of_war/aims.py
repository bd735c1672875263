"""Whom attackers strike: blockers among whom they share out, or what their owner names (HW-62, HW-66, HW-68)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import declaring, exchange, speech
from companion.games.history_of_war.exchange import Clash, Combatant
from companion.games.history_of_war.sides import other
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.pieces import Attack, Played
    from companion.games.history_of_war.state import State

SHARED = 12
"""Among how many cards a value can be shared out: as many as ``Share`` has fields."""
NOTHING = "nothing"
"""What an attacker strikes that does not strike at all: it may, it need not (HW-68)."""


def combatant(state: State, played: Played) -> Combatant:
    """Return what counts of a card in play when it fights or is struck."""
    return Combatant(
        id=played.id,
        name=speech.unit(state, played),
        category=state.category(played),
        dv=state.dv(played),
        av=state.values(played),
        locked=played.locked,
        blocked=played.blocked,
        used=played.used,
    )


def within_reach(state: State, attack: Attack) -> tuple[Played, ...]:
    """List the enemy cards where an unblocked attacker may strike: in its territory, or base expansions."""
    attacker = state.played(attack.unit)
    place = "base" if attack.base else attacker.place
    return tuple(card for card in state.of(other(attacker.seat), place) if attack.base or state.dv(card) is not None)


def barred(state: State, attack: Attack, card: Played) -> Reason | None:
    """Say why an attacker can not strike a card that it reaches (HW-A16); None when it can."""
    attacker, category = state.played(attack.unit), state.category(card)
    if state.value(attacker, category) is not None:
        return None
    text = say(
        "{unit} has no attack value against that: {category}.",
        unit=speech.unit(state, attacker),
        category=Text(category),
    )
    return Reason(text, "HW-A16")


def targets(state: State, attack: Attack) -> tuple[str, ...]:
    """List what an unblocked attacker may strike: cards, and of the enemy base ``hand`` and ``depot`` (HW-A24)."""
    cards = tuple(card.id for card in within_reach(state, attack) if barred(state, attack, card) is None)
    if not attack.base:
        return cards
    if state.options.base_attack_effect == "manual":
        return ()
    deck = state.deck(other(state.played(attack.unit).seat))
    return (*cards, *(("hand",) if deck.hand else ()), *(("depot",) if deck.depot else ()))


def target(state: State, attack: Attack) -> str | None:
    """Return what an unblocked attacker strikes, None while that is open; the only target goes without saying."""
    found = targets(state, attack)
    if attack.target == NOTHING or attack.target in found:
        return attack.target
    if not found:
        return NOTHING
    return found[0] if len(found) == 1 else None


def sharing(state: State, attack: Attack) -> tuple[Played, ...]:
    """List the cards that an attacker may share its value out among, in the order of ``Share`` (HW-66, HW-A15)."""
    if attack.blockers:
        found = declaring.blockers(state, attack)
    elif state.options.unblocked_split and not attack.base:
        found = tuple(card for card in within_reach(state, attack) if barred(state, attack, card) is None)
    else:
        found = ()
    return found[:SHARED] if len(found) > 1 else ()


def hits(state: State, attack: Attack) -> dict[str, int] | None:
    """Return how much damage an attacker deals to which card; None while its owner has not said.

    One blocker takes all; among several the value is shared out so that most are destroyed, where nothing else was
    said (HW-66, HW-A18).
    """
    attacker = combatant(state, state.played(attack.unit))
    among = sharing(state, attack)
    if among and attack.hits:
        said = {hit.card: hit.amount for hit in attack.hits}
        amounts = tuple(said.get(card.id, 0) for card in among)
        if _fits(attacker, [combatant(state, card) for card in among], amounts):
            return {card.id: amount for card, amount in zip(among, amounts, strict=True)}
    if attack.blockers:
        foes = [combatant(state, card) for card in (among or declaring.blockers(state, attack))]
        best = exchange.splits(attacker, foes)[0]
        return {foe.id: amount for foe, amount in zip(foes, best.amounts, strict=True)}
    struck = state.find(target(state, attack))
    if struck is not None:
        return {struck.id: attacker.av[state.category(struck)]}
    return {} if target(state, attack) is not None else None


def _fits(attacker: Combatant, foes: list[Combatant], amounts: tuple[int, ...]) -> bool:
    try:
        exchange.check_share(attacker, foes, amounts)
    except Refusal:
        return False
    return True


def clashes(state: State) -> tuple[Clash, ...]:
    """List the attacks of this half with what they deal; those that strike nothing yet deal nothing."""
    return tuple(
        Clash(attack.unit, tuple(card.id for card in declaring.blockers(state, attack)), hits(state, attack) or {})
        for attack in declaring.standing(state)
    )


def fighters(state: State, found: tuple[Clash, ...]) -> dict[str, Combatant]:
    """Return what counts of all cards that attack, block, or are struck."""
    names = {name for clash in found for name in (clash.attacker, *clash.blockers, *clash.hits)}
    return {card.id: combatant(state, card) for card in state.cards if card.id in names}


def named(state: State, name: str) -> Text:
    """Name what an attacker strikes."""
    card = state.find(name)
    if card is not None:
        return speech.unit(state, card)
    parts = {"hand": say("the enemy hand"), "depot": say("the enemy depot"), NOTHING: say("nothing")}
    return parts.get(name, say("{name}", name=name))
