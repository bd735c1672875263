"""Corrections of cards in play and of a half of the battle."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial

from msgspec.structs import replace

from companion.games.history_of_war import battle, damage, exchange, hands, speech
from companion.games.history_of_war.cards import CATEGORIES, BaseCard, Category, Fielded, UnitCard, UpgradeCard
from companion.games.history_of_war.pieces import SEATS, Attack, Bonus, Hit, Played, other
from companion.games.history_of_war.state import State
from companion.kit.correction import Correction, Group
from companion.kit.decks import FACE_DOWN
from companion.kit.questions import Option
from companion.kit.ruling import Refusal, refuse
from companion.kit.text import Text, say

MOST = 30
"""By how much a value can be changed by hand, upwards or downwards."""
MOST_MARKERS = 99
AWAY = {"hand": say("into the hand"), "depot": say("into the depot"), "scrapyard": say("to the scrapyard")}
FOUND = "found."
"""Before the place of an upgrade that lies in the scrapyard."""
BATTLE = say("The battle")
NONE = "none"
BASE = "base."
"""Before the unit that attacks the enemy base."""


def cards(state: State) -> Iterator[Correction[State]]:
    """List what can be corrected about every card in play."""
    for card in sorted(state.cards, key=lambda card: SEATS.index(card.seat)):
        yield from _card(state, card)


def _card(state: State, card: Played) -> Iterator[Correction[State]]:
    """List the values of a card; one that is set aside or not yet placed has no others than its place."""
    group = Group(f"card.{card.id}.", speech.unit(state, card), say("Cards in play: {seat}", seat=Text(card.seat)))
    yield group.choice("place", say("Place"), _places(state, card), card.place, partial(_put, state, card))
    if card not in state.of(card.seat):
        return
    set_card = partial(state.with_card, card.id)
    yield group.yes_no("locked", say("Locked"), lambda yes: set_card(locked=yes), value=card.locked)
    upgrades = _upgrades(state, card)
    if upgrades and state.is_unit(card):
        attached = [str(at) for at in range(len(card.upgrades))]
        yield group.many("upgrades", say("Upgrades on it"), upgrades, attached, partial(_attach, state, card))
    fielded = isinstance(state.card(card), Fielded)
    missing = [category for category in CATEGORIES if state.printed(card, category) is None]
    if missing and fielded:
        label, given = say("Attack values that it has by a card's text"), set(missing).intersection(card.given)
        yield group.many("given", label, _named(missing), _of(given), partial(_give, state, card))
    for category in state.values(card):
        label = say("Attack value: {category}", category=Text(category))
        yield _value(group, state, card, category, label, partial(_attack_value, state, category))
    if state.dv(card) is not None:
        yield _value(group, state, card, "dv", say("Defence value"), lambda played: state.dv(played) or 0, least=1)
    if fielded:
        yield _value(group, state, card, "flags", say("Flags"), state.flags)
        most = max(MOST_MARKERS, card.markers)
        yield group.number("markers", say("Markers on it"), card.markers, lambda at: set_card(markers=at), high=most)
    if state.begun and state.phase in damage.PHASES:
        most = max(MOST_MARKERS, card.damage)
        label = say("Damage in this phase")
        yield group.number("damage", label, card.damage, partial(_damage, state, card), high=most)
    if state.begun and state.values(card):
        label = say("Has blocked in this round")
        yield group.yes_no("blocked", label, lambda yes: set_card(blocked=yes), value=card.blocked)
        label, used = say("Attack values used in this round"), partial(_use, state, card)
        yield group.many("used", label, _named((*state.values(card), *card.used)), _of(card.used), used)


def _damage(state: State, card: Played, total: int) -> State:
    """Say how much damage a card has in this phase; what that is more or less than was dealt, is by hand (HW-75)."""
    return state.with_card(card.id, damage=total, by_hand=max(0, card.by_hand + total - card.damage))


def _of(named: Collection[str]) -> tuple[Category, ...]:
    """Return the categories that are named, in their order."""
    return tuple(category for category in CATEGORIES if category in named)


def _named(named: Collection[str]) -> tuple[Option, ...]:
    return tuple(Option(category, Text(category)) for category in _of(named))


def _attack_value(state: State, category: Category, card: Played) -> int:
    return state.value(card, category) or 0


def _value(
    group: Group, state: State, card: Played, name: str, label: Text, value: Callable[[Played], int], *, least: int = 0
) -> Correction[State]:
    """Declare a value that can be changed by hand, which is remembered as what was added to it."""
    now = value(card)
    # Without what was added it may be below 0, as it counts once something else is added.
    bare = value(replace(card, bonus=Bonus(**{name: MOST}))) - MOST
    return group.number(
        name,
        label,
        now,
        lambda wanted: state.with_card(card.id, bonus=replace(card.bonus, **{name: wanted - bare})),
        low=min(now, max(least, bare - MOST)),
        high=max(now, bare + MOST),
    )


def _places(state: State, card: Played) -> tuple[Option, ...]:
    """List where a card may lie: where its sort does, where it is now, and out of play."""
    printed = state.card(card)
    areas = (
        ["base"] if isinstance(printed, BaseCard) else ["deployment", "base"] if isinstance(printed, UnitCard) else []
    )
    if state.territory(card.place) is None and card.place not in areas:
        areas.append(card.place)
    options = [Option(area, Text(area)) for area in areas]
    for territory in () if isinstance(printed, BaseCard) else state.territories:
        name = speech.territory(state, territory)
        label = say("{territory}, set aside", territory=name) if territory.conqueror else name
        options.append(Option(territory.id, label))
    return (*options, *(Option(where, label) for where, label in AWAY.items()))


def _upgrades(state: State, card: Played) -> tuple[Option, ...]:
    """List the upgrades on a card, then those of its owner's scrapyard, all by their place."""
    on_it = (Option(str(at), speech.code(state, card.seat, code)) for at, code in enumerate(card.upgrades))
    lost = (
        Option(f"{FOUND}{at}", say("{card}, out of the scrapyard", card=speech.code(state, card.seat, code)))
        for at, code in enumerate(state.deck(card.seat).scrapyard)
        if isinstance(state.find_card(card.seat, code), UpgradeCard)
    )
    return (*on_it, *lost)


def _use(state: State, card: Played, names: tuple[str, ...]) -> State:
    """Say which attack values a card has used, in the order named: they are remembered as they are used."""
    known: dict[str, Category] = {category: category for category in CATEGORIES}
    return state.with_card(card.id, used=tuple(known[name] for name in names))


def _give(state: State, card: Played, chosen: tuple[str, ...]) -> State:
    """Give a card attack values where "-" is printed: 0, and what its upgrades add; one taken again is "-" (HW-09)."""
    given = _of(chosen)
    lost = {category: 0 for category in card.given if category not in given}
    return state.with_card(card.id, given=given, bonus=replace(card.bonus, **lost))


def _put(state: State, card: Played, where: str) -> State:
    """Put a card elsewhere; it attacks and blocks no more. Upgrades stay with it, or are lost when it leaves play."""
    state = battle.withdrawn(state, card).but(last=None)
    if where not in AWAY:
        return state.with_card(card.id, place=where)
    if where == "scrapyard":
        return hands.bury(state, card)
    deck = state.deck(card.seat)
    state = state.but(cards=tuple(other for other in state.cards if other.id != card.id))
    state = state.with_deck(card.seat, scrapyard=(*deck.scrapyard, *card.upgrades))
    if where == "hand":
        return hands.take_back(state, card.seat, card.code)
    if not state.real:
        return state.with_deck(card.seat, depot=(*deck.depot, card.code))
    out = tuple(code for code in deck.out if code != card.code)
    return state.with_deck(card.seat, depot=(*deck.depot, FACE_DOWN), out=out)


def _attach(state: State, card: Played, chosen: tuple[str, ...]) -> State:
    """Leave only some upgrades on a card, the others are lost; and attach some that lie in the scrapyard."""
    deck = state.deck(card.seat)
    on_it = {str(at): code for at, code in enumerate(card.upgrades)}
    lying = {f"{FOUND}{at}": code for at, code in enumerate(deck.scrapyard)}
    attached = tuple(code for at, code in (on_it | lying).items() if at in chosen)
    lost = tuple(code for at, code in (lying | on_it).items() if at not in chosen)
    return state.with_deck(card.seat, scrapyard=lost).with_card(card.id, upgrades=attached)


def attacks(state: State) -> Iterator[Correction[State]]:
    """List what can be corrected about the attacks of this half."""
    if state.striker is None:
        return
    group = Group("battle.", BATTLE)
    yield group.choice("new", say("Another attack"), _free(state), NONE, partial(_attacks_too, state))
    if state.attacks and state.phase in damage.PHASES:
        yield group.yes_no("struck", say("The damage is dealt"), lambda yes: state.but(struck=yes), value=state.struck)
    for attack in battle.standing(state):
        yield from _attack(state, attack)


def _attack(state: State, attack: Attack) -> Iterator[Correction[State]]:
    unit = state.played(attack.unit)
    group = Group(f"attack.{attack.unit}.", say("Attack: {unit}", unit=speech.unit(state, unit)), BATTLE)
    set_attack = partial(state.with_attack, attack.unit)
    yield group.yes_no("stands", say("It attacks"), lambda _: battle.withdrawn(state, unit), value=True)
    if state.struck:
        return
    label = say("It attacks the enemy base")
    yield group.yes_no("base", label, lambda yes: set_attack(base=yes, target=None, hits=()), value=attack.base)
    foes = state.units(other(state.striker or "blue"))
    if foes:
        options = [Option(foe.id, speech.card(state, foe)) for foe in foes]
        blocking = [foe.id for foe in foes if foe.id in attack.blockers]
        yield group.many("blockers", say("Who blocks it"), options, blocking, partial(_block, state, attack))
    if state.phase not in damage.PHASES:
        return
    if not attack.blockers:
        names = (*damage.targets(state, attack), damage.NOTHING)
        options = [Option(NONE, say("not settled yet")), *(Option(name, damage.named(state, name)) for name in names)]
        yield group.choice(
            "target",
            say("What it strikes"),
            options,
            damage.target(state, attack) or NONE,
            lambda name: set_attack(target=None if name == NONE else name, hits=()),
        )
    dealt = damage.hits(state, attack) or {}
    for card in damage.sharing(state, attack):
        label, amount = say("Damage to {unit}", unit=speech.card(state, card)), dealt.get(card.id, 0)
        most = max(state.value(unit, state.category(card)) or 0, amount)
        yield group.number(f"hit.{card.id}", label, amount, partial(_share, state, attack, card.id), high=most)


def _free(state: State) -> tuple[Option, ...]:
    """List the units of who attacks that have declared no attack, those with the ability at the base too."""
    units = [unit for unit in state.units(state.striker or "blue") if state.attack(unit.id) is None]
    own = (Option(unit.id, speech.card(state, unit)) for unit in units)
    base = (
        Option(f"{BASE}{unit.id}", say("{unit}, at the enemy base", unit=speech.card(state, unit)))
        for unit in units
        if state.can(unit, "base_attack")
    )
    return (Option(NONE, say("none")), *own, *base)


def _attacks_too(state: State, named: str) -> State:
    name = named.removeprefix(BASE)
    return battle.attacking(state, state.played(name), base=name != named).but(struck=False, last=None)


def _block(state: State, attack: Attack, names: tuple[str, ...]) -> State:
    """Say who blocks an attacker: no unit blocks two; who blocks now is locked, and has used a value (HW-A14)."""
    for name in names:
        if any(name in other.blockers for other in state.attacks if other.unit != attack.unit):
            text = say("{unit} blocks another attacker.", unit=speech.unit(state, state.played(name)))
            raise Refusal(text, "HW-A14", "value")
    staying = tuple(name for name in attack.blockers if name in names)
    state = state.with_attack(attack.unit, blockers=staying, target=None, hits=())
    for name in names:
        if name not in staying:
            state = battle.blocking(state, state.played(name), state.attack(attack.unit) or attack)
    return state


def _share(state: State, attack: Attack, name: str, amount: int) -> State:
    """Say how much of an attacker's value goes to one card; all together it deals no more than it has (HW-A18)."""
    attacker = damage.combatant(state, state.played(attack.unit))
    among = [damage.combatant(state, card) for card in damage.sharing(state, attack)]
    dealt = {**(damage.hits(state, attack) or {}), name: amount}
    amounts = [dealt.get(foe.id, 0) for foe in among]
    if no := exchange.share_barred(attacker, among, amounts):
        refuse(no.reason, "value")
    hits = tuple(Hit(foe.id, part) for foe, part in zip(among, amounts, strict=True))
    return state.with_attack(attack.unit, hits=hits, target=None)
