"""The damage of one half of a battle: who answers, who is destroyed (HW-55, HW-63 to HW-77, HW-A19 to HW-A24)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from companion.games.history_of_war import damage, exchange, figures, hands, speech
from companion.games.history_of_war.battle import standing
from companion.games.history_of_war.cards import CATEGORIES
from companion.games.history_of_war.exchange import Answer, Clash, Combatant, Outcome
from companion.games.history_of_war.pieces import SEATS, Attack, Last, Number, Phase, Seat, other
from companion.games.history_of_war.state import State, check_shown
from companion.kit.action import Action, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.decks import without
from companion.kit.questions import Foretold, Option
from companion.kit.ruling import Harm, Reason, Refusal, refuse
from companion.kit.text import Text, listed, say

striking = Chapter[State, Seat]()

NO_ANSWER = "no"


class Strike(Action, frozen=True, tag="strike"):
    """Deal the damage of this half of the battle; who is struck may respond first (HW-63 to HW-73).

    A page names the ``phase`` and the ``round`` that it showed, so that an old page never strikes in a later one.
    """

    phase: Phase | None = None
    round: Number | None = None


@striking.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer to strike once it is said what every attacker strikes."""
    if damage.settling_barred(state, seat) is not None or not state.attacks or damage.undecided(state):
        return
    yield Strike.offer(
        say("Deal the damage"), phase=state.phase, round=state.round, main=True, clause="HW-63", advice=_foretold(state)
    )


def _foretold(state: State) -> tuple[Reason, ...]:
    clashes = damage.clashes(state)
    fighters = damage.fighters(state, clashes)
    outcome = exchange.exchange(fighters, clashes)
    suffered = (outcome.suffered(fighters, name) for name in outcome.damage)
    return tuple(Reason(reason.text, reason.clause) for reason in suffered)


def _struck(before: State, after: State, _seat: Seat, _action: Strike) -> Text:
    left = {card.id for card in after.cards}
    gone = [speech.unit(before, card) for card in before.cards if card.id not in left]
    if gone:
        return say("Destroyed: {units}", units=listed(gone, say("–")))
    lost = any(len(after.deck(seat).scrapyard) > len(before.deck(seat).scrapyard) for seat in SEATS)
    return say("The enemy base loses a card") if lost else say("Nothing is destroyed")


@striking.rule(Strike, headline=_struck)
def strike(state: State, seat: Seat, action: Strike, ask: Ask) -> State:
    """Deal all damage of this half at once, after who is struck has answered (HW-A19)."""
    check_shown(state, action.phase, action.round)
    refuse(damage.settling_barred(state, seat))
    if not state.attacks:
        raise Refusal(say("No attack has been declared."), "HW-63")
    for name in damage.undecided(state):
        text = say("Say first what this unit strikes: {unit}.", unit=speech.unit(state, state.played(name)))
        raise Refusal(text, "HW-68")
    state = _undealt(state)
    clashes = damage.clashes(state)
    fighters = damage.fighters(state, clashes)
    answers = _answers(state, clashes, fighters, ask)
    outcome = exchange.exchange(fighters, clashes, answers)
    base = [
        (attack, damage.target(state, attack) or damage.NOTHING)
        for attack in standing(state)
        if attack.base and not attack.blockers
    ]
    by_hand = state.options.base_attack_effect == "manual"
    reach = {attack.unit for attack, target in base if by_hand or target != damage.NOTHING}
    # The harm is told line by line, whoever meets whom: all of it has to come after the clash begins.
    if met := _by_weight(clashes, outcome, reach):
        ask.clash(figures.clashes(state, "melee", [(state.played(by), state.find(against)) for by, against in met]))
    _tell_harmless([clash for clash in clashes if clash.attacker not in reach], fighters, outcome, ask)
    attackers = tuple(clash.attacker for clash in clashes)
    last = Last(attackers, tuple(name for name in fighters if name not in attackers))
    state = _answered(state, answers, fighters, outcome, ask)
    for name, amount in outcome.damage.items():
        reason, marks, harm = outcome.suffered(fighters, name), ((name, "target"),), _harm(state, outcome, name)
        ask.tell(reason.text, reason.clause, amount, terms=reason.terms, marks=marks, harm=harm)
        state = state.with_card(name, damage=amount)
    for attack, target in base:
        state = _attack_base(state, attack, target, ask)
    for name in outcome.destroyed:
        state = hands.bury(state, state.played(name))
    state = fall(state, ask)
    state = state.but(struck=True, last=last)
    ask.progress(state)
    return state


def _undealt(state: State) -> State:
    """Leave of the damage what people noted by hand: it stays where the damage is dealt once more (HW-75)."""
    cards = (card if card.damage == card.by_hand else replace(card, damage=card.by_hand) for card in state.cards)
    return state.but(cards=tuple(cards))


def fall(state: State, ask: Ask) -> State:
    """Destroy the cards whose damage, noted by hand, leaves them no defence value (HW-73, HW-74)."""
    for card in damage.fallen(state):
        text = say(
            "{unit}: {damage} damage of {most}, destroyed",
            unit=speech.unit(state, card),
            damage=card.damage,
            most=state.dv(card) or 0,
        )
        harm = Harm(speech.fighter(state, card), card.damage, "gone")
        ask.tell(text, "HW-73", card.damage, marks=((card.id, "target"),), harm=(harm,))
        state = hands.bury(state, card)
    return state


def _answers(state: State, clashes: Sequence[Clash], fighters: Mapping[str, Combatant], ask: Ask) -> tuple[Answer, ...]:
    """Ask the owner of struck cards whether they answer: one attacker of each category (HW-A20, HW-A21)."""
    answers: list[Answer] = []
    for struck, against in _chances(clashes, fighters):
        seat = state.played(struck.id).seat
        options = tuple(_option(struck, attacker, clashes) for attacker in against)
        key = f"respond.{struck.id}.{against[0].category}"
        why = say("{unit} is struck: does it answer?", unit=struck.name)
        clause = "HW-72" if struck.blocked else "HW-70"
        locked = struck.locked or any(answer.unit == struck.id for answer in answers)
        note = say("deals nothing") if locked else say("deals nothing, and is not locked")
        options = (*options, Option(NO_ANSWER, say("It does not answer"), note=note))
        follows = partial(_follows, options, struck, against, clashes, fighters)
        with ask.meanwhile(partial(_strikes, state, struck, against)):
            said = ask.choose_foretold(seat, options, key, why, follows, clause=clause)
        if said != NO_ANSWER:
            answers.append(Answer(struck.id, said))
    return tuple(answers)


def _follows(
    options: Sequence[Option],
    struck: Combatant,
    against: Sequence[Combatant],
    clashes: Sequence[Clash],
    fighters: Mapping[str, Combatant],
) -> Foretold:
    """Say which answer is clearly best, if one is: none where it would deal nothing, else that of who dies anyhow."""
    best = None
    if not struck.av.get(against[0].category):
        best = NO_ANSWER
    elif len(against) == 1 and struck.id in exchange.exchange(fighters, clashes).destroyed:
        best = against[0].id
    first = sorted(options, key=lambda option: option.value != best)
    return Foretold({option.value: option.note for option in first if option.note is not None}, best)


def _strikes(state: State, struck: Combatant, against: Sequence[Combatant]) -> tuple[Reason, ...]:
    """Say who strikes a card whose owner is asked: nothing has come of the damage yet."""
    lines = [
        Reason(say("{unit} strikes {enemy}", unit=attacker.name, enemy=struck.name), "HW-68") for attacker in against
    ]
    clash = figures.clashes(state, "melee", [(state.played(by.id), state.played(struck.id)) for by in against])
    return (replace(lines[0], clash=clash), *lines[1:])


class Met(NamedTuple):
    """An attacker and whom it meets; None is the enemy base."""

    by: str
    against: str | None


def _by_weight(clashes: Sequence[Clash], outcome: Outcome, reach: Container[str]) -> list[Met]:
    """List who meets whom in this half: first those of whom most is destroyed, then those who are damaged most.

    An attacker that has ``reach`` of the enemy base and strikes no card of it takes something too.
    """
    pairs = [Met(clash.attacker, name) for clash in clashes for name in clash.hits]
    pairs += [Met(clash.attacker, None) for clash in clashes if not clash.hits and clash.attacker in reach]

    def weight(met: Met) -> tuple[int, int]:
        if met.against is None:
            return 1, 0
        dealt = sum(blow.amount for blow in outcome.blows if {blow.by, blow.to} == {met.by, met.against})
        return sum(name in outcome.destroyed for name in met), dealt

    return sorted(pairs, key=weight, reverse=True)


def _chances(
    clashes: Sequence[Clash], fighters: Mapping[str, Combatant]
) -> Iterator[tuple[Combatant, list[Combatant]]]:
    """List who is struck by unblocked attackers, with these attackers by category."""
    names = dict.fromkeys(name for clash in clashes for name in clash.hits)
    for struck in (fighters[name] for name in names):
        by = [fighters[clash.attacker] for clash in clashes if exchange.strikes(clash, struck.id)]
        for category in CATEGORIES:
            against = [attacker for attacker in by if attacker.category == category]
            if against:
                yield struck, against


def _option(struck: Combatant, attacker: Combatant, clashes: Sequence[Clash]) -> Option:
    why = exchange.barred(struck, attacker)
    dealt = next(clash.hits[struck.id] for clash in clashes if clash.attacker == attacker.id)
    note = say(
        "deals {dealt} of {theirs}, takes {taken} of {mine}",
        dealt=struck.av.get(attacker.category, 0),
        theirs=attacker.left or 0,
        taken=dealt,
        mine=struck.left or 0,
    )
    return Option(attacker.id, say("It answers {enemy}", enemy=attacker.name), why, note=None if why else note)


def _answered(
    state: State, answers: Sequence[Answer], fighters: Mapping[str, Combatant], outcome: Outcome, ask: Ask
) -> State:
    """Lock who answered, and note the attack values that it used (HW-71, HW-A21)."""
    for answer in answers:
        unit, enemy = fighters[answer.unit], fighters[answer.to]
        ask.tell(say("{unit} answers {enemy}", unit=unit.name, enemy=enemy.name), "HW-72" if unit.blocked else "HW-70")
        state = state.with_card(unit.id, locked=True, used=(*state.played(unit.id).used, enemy.category))
    for name in outcome.locked:
        ask.tell(say("{unit} is locked for the rest of the round", unit=fighters[name].name), "HW-71")
    return state


def _tell_harmless(clashes: Sequence[Clash], fighters: Mapping[str, Combatant], outcome: Outcome, ask: Ask) -> None:
    """Tell of attackers that strike nothing, and of those whose value harms nothing (HW-68, HW-A16)."""
    for clash in clashes:
        name = fighters[clash.attacker].name
        if any(blow.by == clash.attacker for blow in outcome.blows):
            continue
        if clash.blockers:
            ask.tell(say("{unit} harms none of its blockers", unit=name), "HW-A16")
        elif clash.hits:
            ask.tell(say("{unit} deals no damage", unit=name), "HW-A16")
        else:
            ask.tell(say("{unit} strikes nothing", unit=name), "HW-68")


def _harm(state: State, outcome: Outcome, struck: str) -> tuple[Harm, ...]:
    """Say for the statistics what a card suffered; whoever dealt the most of it destroyed it (HW-74)."""
    blows, dies = [blow for blow in outcome.blows if blow.to == struck], struck in outcome.destroyed
    most = max(blows, key=lambda blow: blow.amount)
    to = speech.fighter(state, state.played(struck))
    return tuple(
        Harm(to, blow.amount, "gone" if dies and blow == most else "hit", speech.fighter(state, state.played(blow.by)))
        for blow in sorted(blows, key=lambda blow: blow == most)
    )


def _attack_base(state: State, attack: Attack, target: str, ask: Ask) -> State:
    """Let an unblocked base attack take a random card of the hand or the top card of the depot (HW-A24).

    ``target`` is what it strikes: base expansions are struck like other cards. Where all that is settled by hand it is
    only told.
    """
    attacker = state.played(attack.unit)
    marks = ((attack.unit, "acting"),)
    if state.options.base_attack_effect == "manual":
        text = "{unit} reaches the enemy base: settle at the table what that does"
        ask.tell(say(text, unit=speech.unit(state, attacker)), "HW-A24", marks=marks)
        return state
    if target not in {"hand", "depot"}:
        return state
    seat = other(attacker.seat)
    deck = state.deck(seat)
    cards = deck.hand if target == "hand" else deck.depot
    if not cards:
        ask.tell(say("{seat}: no card is left there", seat=Text(seat)), "HW-A24")
        return state
    what = "{seat} loses a card of the hand" if target == "hand" else "{seat} loses the top card of the depot"
    why = say(what, seat=Text(seat))
    lost = cards[:1] if state.real else ask.draw(cards, 1, f"lost_{attack.unit}", why, by=seat)
    loss = why if state.real else say("{what}: {card}", what=why, card=speech.code(state, seat, lost[0]))
    ask.tell(loss, "HW-A24", marks=marks)
    return state.with_deck(seat, **{target: without(cards, lost)}, scrapyard=(*deck.scrapyard, *lost))
