"""Damage: whom attackers strike, and how their values are shared out (HW-62 to HW-68, HW-75, HW-83)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import astuple, replace

from companion.games.history_of_war import exchange, figures, speech
from companion.games.history_of_war.battle import blockers, standing
from companion.games.history_of_war.exchange import Clash, Combatant
from companion.games.history_of_war.pieces import SEATS, Attack, Hit, Last, Name, Number, Phase, Played, Seat, other
from companion.games.history_of_war.state import State, phase_barred
from companion.kit.action import Action, Budget, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

damage = Chapter[State, Seat]()

PHASES: tuple[Phase, ...] = ("damage_1", "damage_2")
NOTHING = "nothing"
"""What an attacker strikes that does not strike at all: it may, it need not (HW-68)."""


class Aim(Action, frozen=True, tag="aim"):
    """Say what an unblocked attacker strikes: a card, or of the enemy base ``hand`` or ``depot`` (HW-68, HW-A24)."""

    unit: Name
    target: Name


class Share(Action, frozen=True, tag="share"):
    """Share an attacker's value out among its blockers, in the order that they were declared (HW-66, HW-A18).

    Where unblocked damage is shared out too (``opt.unblocked_split``), among the cards that it may strike.
    """

    unit: Name
    to_1: Number = 0
    to_2: Number = 0
    to_3: Number = 0
    to_4: Number = 0
    to_5: Number = 0
    to_6: Number = 0
    to_7: Number = 0
    to_8: Number = 0
    to_9: Number = 0
    to_10: Number = 0
    to_11: Number = 0
    to_12: Number = 0

    @property
    def amounts(self) -> tuple[int, ...]:
        """List how much each card takes."""
        return astuple(self)[1:]


SHARED = len(Share("").amounts)
"""Among how many cards a value can be shared out."""


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
        damage=played.by_hand,
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
    return exchange.no_value(speech.unit(state, attacker), category)


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
    free = targets(state, attack)
    if attack.target == NOTHING or attack.target in free:
        return attack.target
    if not free:
        return NOTHING
    return free[0] if len(free) == 1 else None


def sharing(state: State, attack: Attack) -> tuple[Played, ...]:
    """List the cards that an attacker may share its value out among, in the order of ``Share`` (HW-66, HW-A15)."""
    among: tuple[Played, ...] = ()
    if attack.blockers:
        among = blockers(state, attack)
    elif state.options.unblocked_split and not attack.base:
        among = tuple(card for card in within_reach(state, attack) if barred(state, attack, card) is None)
    return among[:SHARED] if len(among) > 1 else ()


def hits(state: State, attack: Attack) -> dict[str, int] | None:
    """Return how much damage an attacker deals to which card; None while its owner has not said.

    One blocker takes all; among several the value is shared out so that most are destroyed, where nothing else was
    said (HW-66, HW-A18).
    """
    attacker = combatant(state, state.played(attack.unit))
    among = [combatant(state, card) for card in sharing(state, attack)]
    if among and attack.hits:
        said = {hit.card: hit.amount for hit in attack.hits}
        amounts = tuple(said.get(foe.id, 0) for foe in among)
        if exchange.share_barred(attacker, among, amounts) is None:
            return _by_card(among, amounts)
    if attack.blockers:
        foes = among or [combatant(state, card) for card in blockers(state, attack)]
        return _by_card(foes, exchange.splits(attacker, foes)[0].amounts)
    aim = target(state, attack)
    if struck := state.find(aim):
        return {struck.id: attacker.av[state.category(struck)]}
    return {} if aim is not None else None


def _by_card(foes: Sequence[Combatant], amounts: Sequence[int]) -> dict[str, int]:
    return {foe.id: amount for foe, amount in zip(foes, amounts, strict=True)}


def undecided(state: State) -> tuple[str, ...]:
    """List the attackers whose owner has still to say what they strike (HW-68)."""
    return tuple(attack.unit for attack in standing(state) if hits(state, attack) is None)


def clashes(state: State) -> tuple[Clash, ...]:
    """List the attacks of this half with what they deal; those that strike nothing yet deal nothing."""
    return tuple(
        Clash(attack.unit, tuple(card.id for card in blockers(state, attack)), hits(state, attack) or {})
        for attack in standing(state)
    )


def fighters(state: State, clashes: Sequence[Clash]) -> dict[str, Combatant]:
    """Return what counts of all cards that attack, block, or are struck."""
    names = {name for clash in clashes for name in (clash.attacker, *clash.blockers, *clash.hits)}
    return {card.id: combatant(state, card) for card in state.cards if card.id in names}


def named(state: State, name: str) -> Text:
    """Name what an attacker strikes."""
    if card := state.find(name):
        return speech.unit(state, card)
    parts = {"hand": say("the enemy hand"), "depot": say("the enemy depot"), NOTHING: say("nothing")}
    return parts.get(name, say("{name}", name=name))


def wear_off(state: State) -> State:
    """Return the state after a damage phase: damage is undone, and its attacks are over (HW-75)."""
    cards = tuple(replace(card, damage=0, by_hand=0) if card.damage else card for card in state.cards)
    return state.but(cards=cards, attacks=(), struck=False)


def fallen(state: State) -> tuple[Played, ...]:
    """List the cards in play whose damage in this phase has brought their defence value to 0 or less (HW-73)."""
    return tuple(card for seat in SEATS for card in state.of(seat) if exchange.destroys(card.damage, state.dv(card)))


def settling_barred(state: State, seat: Seat) -> Reason | None:
    """Say why it is not, or no more, a player's to say what his units strike (HW-62, HW-A19); None when it is."""
    if why := phase_barred(state, seat, *PHASES):
        return why
    if seat != state.striker:
        return Reason(say("The player whose units attack says what they strike."), "HW-62")
    return Reason(say("You have dealt the damage of this phase."), "HW-A19") if state.struck else None


@damage.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer to say what each attacker strikes, and how it shares its value out."""
    if settling_barred(state, seat) is not None:
        return
    for attack in standing(state):
        if not attack.blockers and targets(state, attack):
            yield _aim(state, attack)
        if sharing(state, attack):
            yield _share(state, attack)


def _aim(state: State, attack: Attack) -> Offer:
    """Offer what an unblocked attacker may strike, with what it does to it."""
    attacker = combatant(state, state.played(attack.unit))
    free = targets(state, attack)
    options = []
    for card in within_reach(state, attack):
        note = _note(attacker, combatant(state, card)) if card.id in free else None
        options.append(Option(card.id, speech.unit(state, card), barred(state, attack, card), note=note))
    lost = {"hand": say("a random card goes to the scrapyard"), "depot": say("its top card goes to the scrapyard")}
    options += [Option(name, named(state, name), note=lost[name]) for name in free if name in lost]
    options.append(Option(NOTHING, named(state, NOTHING)))
    label = say("Strike with {unit}", unit=speech.named(state, attack.unit))
    aim = Field("target", say("What it strikes"), "choice", tuple(options), target(state, attack))
    main, clause = hits(state, attack) is None, "HW-A24" if attack.base else "HW-68"
    return Aim.offer(label, aim, on=attack.unit, unit=attack.unit, main=main, clause=clause)


def _note(attacker: Combatant, struck: Combatant) -> Text:
    """Say what an attacker does to a card, and whether it can answer."""
    amount = attacker.av[struck.category]
    does = say("{damage} damage of {most}", damage=amount, most=struck.left or 0)
    if exchange.destroys(struck.damage + amount, struck.dv):
        does = say("destroys it")
    if exchange.barred(struck, attacker) is not None:
        return say("{does}; cannot answer", does=does)
    return say("{does}; may answer with {value}", does=does, value=struck.av[attacker.category])


def _share(state: State, attack: Attack) -> Offer:
    """Offer to share an attacker's value out; the way that destroys the most is filled in (HW-66, HW-A18)."""
    attacker = combatant(state, state.played(attack.unit))
    foes = [combatant(state, card) for card in sharing(state, attack)]
    said: Mapping[str, int] | None = hits(state, attack) if attack.blockers or attack.hits else None
    if said is None:
        said = _by_card(foes, exchange.splits(attacker, foes)[0].amounts)
    fields = []
    for at, foe in enumerate(foes, 1):
        amount, most = said.get(foe.id, 0), attacker.av.get(foe.category, 0)
        hint = say("defence {most}", most=foe.dv or 0)
        fields.append(Field(f"to_{at}", foe.name, "number", value=amount, high=most, cost=1, hint=hint))
    label = say("Share out: {unit}", unit=speech.named(state, attack.unit))
    budget = Budget(exchange.power(attacker, foes), say("Damage to share out"))
    return Share.offer(label, *fields, on=attack.unit, unit=attack.unit, clause=_shared(attack), budget=budget)


def _shared(attack: Attack) -> str:
    """Return the clause by which an attacker shares its value out: among blockers, or as agreed on."""
    return "HW-66" if attack.blockers else "HW-A15"


def _attack(state: State, name: str) -> Attack:
    unit, attack = state.played(name), state.attack(name)
    if attack is None:
        raise Refusal(say("{unit} does not attack.", unit=speech.unit(state, unit)), "HW-62", "unit")
    return attack


@damage.rule(
    Aim,
    says=lambda state, _, action: say(
        "{unit} aims at {target}", unit=speech.named(state, action.unit), target=named(state, action.target)
    ),
)
def aim(state: State, seat: Seat, action: Aim, ask: Ask) -> State:
    """Say what an unblocked attacker strikes (HW-68, HW-A15, HW-A23, HW-A24)."""
    refuse(settling_barred(state, seat))
    attack = _attack(state, action.unit)
    if attack.blockers:
        raise Refusal(say("It is blocked: it strikes who blocks it."), "HW-65", "target")
    if action.target != NOTHING and action.target not in targets(state, attack):
        refuse(_missed(state, seat, attack, action.target), "target")
    unit = state.played(attack.unit)
    text = say("{unit} strikes {enemy}", unit=speech.unit(state, unit), enemy=named(state, action.target))
    ask.tell(text, "HW-A24" if attack.base else "HW-68", marks=((attack.unit, "acting"), (action.target, "target")))
    if action.target != NOTHING:
        ask.clash(figures.clash(state, "melee", unit, state.find(action.target)))
    state = state.with_attack(attack.unit, target=action.target, hits=())
    return state.but(last=Last((attack.unit,), (action.target,)))


def _missed(state: State, seat: Seat, attack: Attack, name: str) -> Reason:
    """Say why an attacker can not strike what was named."""
    card = state.find(name)
    if attack.base and state.options.base_attack_effect == "manual":
        return Reason(say("What a base attack does is settled at the table."), "HW-A24")
    if card is None and name in {"hand", "depot"}:
        text = say("The enemy base has no card there.") if attack.base else say("That takes a base attack.")
        return Reason(text, "HW-A24" if attack.base else "HW-52")
    if card is None:
        return Reason(say("There is no card called {name} in play.", name=name), "HW-68")
    who = speech.unit(state, card)
    if card.seat == seat:
        return Reason(say("{unit} is one of your own.", unit=who), "HW-68")
    if card in within_reach(state, attack) and (why := barred(state, attack, card)):
        return why
    if not attack.base and card.place == state.played(attack.unit).place:
        return Reason(say("{unit} has no defence value: it cannot be struck.", unit=who), "HW-A23")
    return Reason(say("{unit} is out of its reach.", unit=who), "HW-55" if attack.base else "HW-51")


@damage.rule(
    Share, says=lambda state, _, action: say("{unit} shares its damage out", unit=speech.named(state, action.unit))
)
def share(state: State, seat: Seat, action: Share, ask: Ask) -> State:
    """Share an attacker's value out (HW-66, HW-A18; HW-A15 among unblocked cards)."""
    refuse(settling_barred(state, seat))
    attack = _attack(state, action.unit)
    foes = [combatant(state, card) for card in sharing(state, attack)]
    if not foes:
        raise Refusal(say("Only a value that strikes several cards is shared out."), _shared(attack), "unit")
    amounts, surplus = action.amounts[: len(foes)], action.amounts[len(foes) :]
    if any(surplus):
        text = say("It strikes {count} card.|It strikes {count} cards.", count=len(foes))
        first = next(at for at, amount in enumerate(surplus, len(foes) + 1) if amount)
        raise Refusal(text, "HW-66", f"to_{first}")
    attacker = combatant(state, state.played(attack.unit))
    exchange.check_share(attacker, foes, amounts)
    clause = _shared(attack)
    terms = tuple(Reason(foe.name, clause, amount) for foe, amount in zip(foes, amounts, strict=True))
    marks = ((attack.unit, "acting"), *((foe.id, "target") for foe in foes))
    text = say("{unit} shares its damage out", unit=attacker.name)
    ask.tell(text, clause, sum(amounts), terms=terms, marks=marks)
    _, most = max(zip(amounts, foes, strict=True), key=lambda given: given[0])
    ask.clash(figures.clash(state, "melee", state.played(attack.unit), state.played(most.id)))
    hits = tuple(Hit(foe.id, amount) for foe, amount in zip(foes, amounts, strict=True))
    state = state.with_attack(attack.unit, hits=hits, target=None)
    return state.but(last=Last((attack.unit,), tuple(foe.id for foe in foes)))
