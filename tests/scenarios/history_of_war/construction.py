"""Scenarios of the base, of construction and of action cards."""

from __future__ import annotations

from typing import Any

from companion.games.history_of_war import construction, hands, payment
from companion.games.history_of_war.cards import ActionCard, BaseCard, UnitCard, UpgradeCard
from companion.games.history_of_war.game import GAME
from companion.games.history_of_war.pieces import Phase, Seat
from companion.games.history_of_war.state import State
from companion.kit.ruling import Refusal
from tests.scenarios.fields import count, objects, one_of, sequence
from tests.scenarios.history_of_war.fields import card, kind_of, locked, options_of, phase_of
from tests.scenarios.history_of_war.tables import ASIDE, LAND, OUT, ROLES, Table, after
from tests.scenarios.runner import Given, OneOf, Unfit, refused

SOURCE = ("id", "ta", "state", "kind", "type", "name", "location", "cost", "flags")
BUILT = ("id", "name", "type", "kind", "cost", "ta", "flags", "category", "dv", "av", "abilities")
AREAS = {"base_expansion": "base", "unit": "deployment", "development": "territory"}


def seat_of(given: Given, usual: str = "attacker") -> Seat:
    """Who acts."""
    return ROLES[one_of("role", given.get("role", usual), ROLES)]


def sources(table: Table, given: Given, seat: Seat) -> None:
    """Put the cards that yield TA into play; those of which no kind is told are base expansions."""
    for one in objects("sources", given["sources"], *SOURCE):
        kind = kind_of("type", one.get("kind", one.get("type", "base_expansion")))
        if kind not in AREAS:
            raise Unfit(f"no {kind} yields TA")
        state = one.get("state")
        where = ASIDE if state == ASIDE else one.get("location", AREAS[kind])
        name, place = str(one["id"]), table.place(where, seat)
        if place == OUT:
            continue
        table.put(name, seat, card(name, kind, one), place, locked=state != ASIDE and locked("state", state))


def build(given: Given) -> dict[str, Any]:
    """Lay the cards face down, pay, and look at what has come into play."""
    seat, table = seat_of(given), Table(options_of(given))
    sources(table, given, seat)
    codes = []
    for at, one in enumerate(objects("cards", given["cards"], *BUILT)):
        kind = kind_of("type", one.get("type", one.get("kind", "unit")))
        if kind == "territory":
            raise refusal(table, seat, hands.PlayBase("t0.0"))
        name = str(one.get("name", one.get("id", f"card {at}")))
        codes.append((table.hold(seat, card(f"{name} {at}", kind, one)), kind))
    units = [
        table.put(f"unit {code}", seat, UnitCard(name=f"for {code}", category="ground", dv=1), "deployment")
        for code, kind in codes
        if kind == "upgrade"
    ]
    state = table.state(phase_of(given, "construction"))
    waiting = iter(units)
    for code, kind in codes:
        laid = construction.LayUpgrade(code, next(waiting)) if kind == "upgrade" else construction.LayDown(code)
        state = after(state, laid, seat)
    cost = sum(getattr(state.find_card(seat, code), "ta_cost", 0) for code, _ in codes)
    cheapest = payment.best(payment.sources(state, seat, units), cost) or ()
    said = given.get("lock")
    lock = cheapest if said is None else tuple(table.id(name) for name in sequence("lock", said))
    free = {one.id for one in state.of(seat) if not one.locked}
    state = turned_up(after(state, construction.Build(lock), seat), seat)
    new = {one.locked for one in state.of(seat) if one.id not in table.named.values() or one.id in units}
    paid = sum(state.ta(one) for one in state.of(seat) if one.locked and one.id in free and one.id in lock)
    states = sorted("locked" if one else "unlocked" for one in new)
    return {
        "cost": cost,
        "paid": paid,
        "wasted": paid - cost,
        "new_cards_state": states[0] if len(states) == 1 else OneOf(None, "locked"),
    }


def turned_up(state: State, seat: Seat) -> State:
    """Let the other one build nothing: then all is turned up and paid for."""
    return after(state, construction.Build(), "red" if seat == "blue" else "blue")


def refusal(table: Table, seat: Seat, action: Any) -> Refusal:
    """How the rules refuse what can not be."""
    try:
        after(table.state("construction"), action, seat)
    except Refusal as no:
        return no
    raise Unfit(f"not refused: {action}")


def available(given: Given) -> dict[str, Any]:
    """What a player could lock for TA."""
    seat, table = seat_of(given), Table(options_of(given))
    sources(table, given, seat)
    state = table.state("construction")
    return {"available": payment.available(payment.sources(state, seat))}


def upgrade(given: Given) -> dict[str, Any]:
    """Lay an upgrade for a unit, and turn it up."""
    seat, table = seat_of(given), Table(options_of(given))
    kind = kind_of("kind", given.get("kind", "unit"))
    improved = card("unit", kind, Given(dv=1))
    place = table.place(given.get("location", "deployment_area"), seat)
    unit = table.put("unit", seat, improved, place, locked=locked("unit_state", given.get("unit_state")))
    cost = count("cost", given.get("cost", 0), "HW-42")
    lock = [table.put("works", seat, BaseCard(name="works", ta_provided=cost), "base")] if cost else []
    code = table.hold(seat, UpgradeCard(name="upgrade", ta_cost=cost))
    state = after(table.state(phase_of(given, "construction")), construction.LayUpgrade(code, unit), seat)
    state = turned_up(after(state, construction.Build(tuple(lock)), seat), seat)
    found = state.played(unit)
    return {"unit_state": "locked" if found.locked else "unlocked", "attached": code in found.upgrades}


def base_expansion(given: Given) -> dict[str, Any]:
    """Put the cards down one after the other; only base expansions, and one of them."""
    seat, table = seat_of(given), Table(options_of(given))
    kinds = [
        kind_of("cards", one.get("kind", one.get("type")) if isinstance(one, dict) else one)
        for one in sequence("cards", given["cards"])
    ]
    if "territory" in kinds:
        raise refusal(table, seat, hands.PlayBase("t0.0"))
    codes = [table.hold(seat, card(f"{kind} {at}", kind, Given(dv=1))) for at, kind in enumerate(kinds)]
    state = table.state(phase_of(given, "base_expansion"))
    for code in codes:
        state = after(state, hands.PlayBase(code), seat)
    lying = state.of(seat, "base")
    states = ["locked" if one.locked else "unlocked" for one in lying]
    return {
        "played": OneOf(len(lying), [kind for kind in kinds if kind == "base_expansion"], bool(lying)),
        "state": states[0] if states else None,
    }


def use_scrapyard(given: Given) -> dict[str, Any]:
    """Try to play a card that lies in the scrapyard, each kind as it is played from the hand."""
    seat, table = seat_of(given), Table(options_of(given))
    said = given.get("kind", given.get("type", given.get("card", "unit")))
    said = said.get("kind", said.get("type", "unit")) if isinstance(said, dict) else said
    kind = KIND_PLAYED.get(str(said), "unit")
    code = table.hold(seat, card("lost", kind, Given(dv=1)))
    play: tuple[Phase, Any] = {
        "base_expansion": ("base_expansion", hands.PlayBase(code)),
        "action": ("draw", hands.PlayAction(code)),
        "upgrade": (
            "construction",
            construction.LayUpgrade(code, table.put("unit", seat, card("u", "unit", Given()), "base")),
        ),
    }.get(kind, ("construction", construction.LayDown(code)))
    state = table.state(phase_of(given, play[0]))
    deck = state.deck(seat)
    state = state.with_deck(seat, hand=tuple(one for one in deck.hand if one != code), scrapyard=(code,))
    state = after(state, play[1], seat)
    return {"played": True}


KIND_PLAYED = {
    "base_expansion": "base_expansion",
    "action": "action",
    "action_card": "action",
    "upgrade": "upgrade",
    "development": "development",
}


def play_action(given: Given) -> dict[str, Any]:
    """Play an action card, and lock for it what is there, a TA each."""
    seat, table = seat_of(given), Table(options_of(given))
    cost = count("cost", given.get("cost", 0), "HW-A09")
    there = count("ta_available", given.get("ta_available", 0), "HW-A09")
    lock = [table.put(f"works {at}", seat, BaseCard(name=f"works {at}", ta_provided=1), "base") for at in range(there)]
    code = table.hold(seat, ActionCard(name="action", ta_cost=cost))
    table.land("territory", LAND)
    state = table.state(phase_of(given, "draw"))
    try:
        state = after(state, hands.PlayAction(code, tuple(lock[:cost])), seat)
    except Refusal as no:
        return {**refused(no, GAME), "ok": False}
    return {"ok": code in state.deck(seat).scrapyard}
