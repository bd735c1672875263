"""What the player whose units attack may say in a damage phase: whom they strike, and strike (HW-66, HW-68)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import aims, declaring, exchange, speech, striking
from companion.kit.asking import Option
from companion.kit.offer import Budget, Field, Offer
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.exchange import Combatant
    from companion.games.history_of_war.pieces import Attack, Played
    from companion.games.history_of_war.state import State


def offers(state: State) -> list[Offer]:
    """Offer what is left to say, and to strike once all is said."""
    found = [offer for attack in declaring.standing(state) for offer in _of(state, attack)]
    if state.attacks and not striking.undecided(state):
        given = {"phase": state.phase, "round": state.round}
        found.append(Offer("strike", say("Deal the damage"), given, main=True, clause="HW-63", advice=_foretold(state)))
    return found


def _of(state: State, attack: Attack) -> list[Offer]:
    found = []
    if not attack.blockers and aims.targets(state, attack):
        found.append(_aiming(state, attack))
    if aims.sharing(state, attack):
        found.append(_sharing(state, attack))
    return found


def _aiming(state: State, attack: Attack) -> Offer:
    """Offer what an unblocked attacker may strike, with what it does to it."""
    attacker = aims.combatant(state, state.played(attack.unit))
    free = aims.targets(state, attack)
    cards = tuple(
        Option(
            card.id,
            speech.unit(state, card),
            aims.barred(state, attack, card),
            note=_note(state, attacker, card) if card.id in free else None,
        )
        for card in aims.within_reach(state, attack)
    )
    lost = {"hand": say("a random card goes to the scrapyard"), "depot": say("its top card goes to the scrapyard")}
    parts = tuple(Option(name, aims.named(state, name), note=lost[name]) for name in free if name in lost)
    options = (*cards, *parts, Option(aims.NOTHING, aims.named(state, aims.NOTHING)))
    field = Field("target", say("What it strikes"), "choice", options, aims.target(state, attack))
    return Offer(
        "aim",
        say("Strike with {unit}", unit=speech.card(state, state.played(attack.unit))),
        {"unit": attack.unit},
        (field,),
        on=attack.unit,
        main=aims.hits(state, attack) is None,
        clause="HW-A24" if attack.base else "HW-68",
    )


def _note(state: State, attacker: Combatant, card: Played) -> Text:
    """Say what an attacker does to a card, and whether it can answer."""
    struck = aims.combatant(state, card)
    does = _does(attacker.av[struck.category], struck)
    if exchange.barred(struck, attacker) is not None:
        return say("{does}; can not answer", does=does)
    return say("{does}; may answer with {value}", does=does, value=struck.av[attacker.category])


def _does(amount: int, struck: Combatant) -> Text:
    if exchange.destroys(amount, struck):
        return say("destroys it")
    return say("{damage} damage of {most}", damage=amount, most=struck.dv or 0)


def _sharing(state: State, attack: Attack) -> Offer:
    """Offer to share an attacker's value out; the way that destroys the most is filled in (HW-66, HW-A18)."""
    attacker = aims.combatant(state, state.played(attack.unit))
    foes = [aims.combatant(state, card) for card in aims.sharing(state, attack)]
    said = aims.hits(state, attack) if attack.blockers or attack.hits else None
    if said is None:
        best = exchange.splits(attacker, foes)[0].amounts
        said = {foe.id: amount for foe, amount in zip(foes, best, strict=True)}
    fields = tuple(
        Field(
            f"to_{at}",
            foe.name,
            "number",
            value=said.get(foe.id, 0),
            high=attacker.av.get(foe.category, 0),
            cost=1,
            hint=say("defence {most}", most=foe.dv or 0),
        )
        for at, foe in enumerate(foes, 1)
    )
    label = say("Share out: {unit}", unit=speech.card(state, state.played(attack.unit)))
    return Offer(
        "share",
        label,
        {"unit": attack.unit},
        fields,
        on=attack.unit,
        clause="HW-66" if attack.blockers else "HW-A15",
        budget=Budget(exchange.power(attacker, foes), say("Damage to share out")),
    )


def _foretold(state: State) -> tuple[Reason, ...]:
    """Say what striking does before anybody answers."""
    clashes = aims.clashes(state)
    fighters = aims.fighters(state, clashes)
    outcome = exchange.exchange(fighters, clashes)
    found = []
    for name, amount in outcome.damage.items():
        clause = "HW-73" if name in outcome.destroyed else "HW-63"
        found.append(Reason(exchange.suffered(fighters[name], amount), clause))
    return tuple(found)
