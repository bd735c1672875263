"""Scenarios of the hand: deployment, support cards, decks, the first hand, the bid and the terrain."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.tactics_2gm import decks
from companion.games.tactics_2gm.air import Bomb
from companion.games.tactics_2gm.cards import TERRAIN, Scenario, SupportCard, TerrainCard, TerrainDeck, UnitCard
from companion.games.tactics_2gm.deployment import Deploy, PlayCard
from companion.games.tactics_2gm.options import SIDES
from companion.games.tactics_2gm.start import Mulligan, Ready
from companion.games.tactics_2gm.state import Attached, State, Unit
from companion.games.tactics_2gm.terrain import PlaceTerrain
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import count, mapping, number, objects, one_of, sequence, truth
from tests.scenarios.runner import Given, Unfit
from tests.scenarios.tactics_2gm.answers import Script, after
from tests.scenarios.tactics_2gm.fields import FAMILIES, UNIT, options_of, place, support_card, unit_card
from tests.scenarios.tactics_2gm.tables import FILLER, counted, held, phase_of, state_of

MODES = ("pitched", "pitched_battle", "scenario")
FIRST_HAND = 5
BYSTANDER = UnitCard(name="… another", family="infantry", cost=1, wounds=1)


def deploy(given: Given, ask: Script) -> dict[str, Any]:
    options = options_of(given)
    card = unit_card(mapping("unit", given["unit"], *UNIT))
    slots = tuple(str(slot) for slot in sequence("equipment", given.get("equipment")))
    line = number("line", given.get("line", 1))
    where = place(options, [given.get("column", 4), line], "line")
    others = (Unit("a9", "allies", "1.0", where),) if truth("occupied", given.get("square_occupied")) else ()
    ap = count("ap", given["ap"], "G2-90")
    state = state_of(options, *others, cards=(card, BYSTANDER), ap=ap, phase=phase_of(given, "deployment"))
    action: Any = Deploy("0.0", None if card.family == "aircraft" else where, slots)
    if card.subtype == "bomber":
        # What its bombs do is another question.
        action, ask = Bomb("0.0", "hq_axis"), Script([{"roll": "d10", "values": [1] * len(card.weapon)}])
    now: State = after(held(state, "0.0"), action, ask)
    return {"cost": ap - now.ap["allies"], "ap_after": now.ap["allies"]}


def play_card(given: Given, ask: Script) -> dict[str, Any]:
    """Play a card on a unit on which others lie; without any, one that acts at once needs no unit."""
    card = support_card(mapping("card", given["card"]))
    active = [str(name) for name in sequence("target_active_cards", given.get("target_active_cards"))]
    on_unit = card.lasts or bool(active)
    if on_unit:
        card = replace(card, only=FAMILIES)
    # Cards of one name are copies of one card.
    kinds = {card.name: card} | {
        name: SupportCard(name=name, kind="equipment_card", cost=0, duration="permanent")
        for name in active
        if name != card.name
    }
    names = list(kinds)
    lying = tuple(Attached(f"{names.index(name) + 1}.{at + 1}", "allies") for at, name in enumerate(active))
    ap = count("ap", given["ap"], "G2-90")
    state = state_of(
        options_of(given),
        Unit("a9", "allies", "0.0", "d1", cards=lying),
        cards=(BYSTANDER,),
        supports=tuple(kinds.values()),
        ap=ap,
        phase=phase_of(given, "deployment"),
    )
    now: State = after(held(state, "1.0"), PlayCard("1.0", "a9" if on_unit else None), ask)
    stays = any(one.code == "1.0" for unit in now.units for one in unit.cards)
    return {"ap_after": now.ap["allies"], "stays": stays}


def deck_points(given: Given, _: Script) -> dict[str, Any]:
    """Count a deck, and be ready with it if it is not too dear."""
    cards = tuple(
        SupportCard(
            name=f"{one.get('name', 'card')} {at}",
            kind="supplies",
            cost=count("cost", one["cost"], "G2-10"),
            count=count("count", one.get("count", 1), "G2-10"),
        )
        for at, one in enumerate(objects("cards", given["cards"], "name", "cost", "count", "id", "kind", "family"))
    )
    options = options_of(given, limit=count("limit", given.get("limit", 120), "G2-08"))
    state = state_of(options, phase="decks", turn=0)
    roster = replace(state.rosters["allies"], support=cards)
    state = state.but(rosters={**state.rosters, "allies": roster})
    if roster.size:
        after(state, Ready(), seat="allies")
    return {"total": decks.points_of(state, "allies")}


def mulligan(given: Given, ask: Script) -> dict[str, Any]:
    hand, pile = count("hand", given["hand"], "G2-53"), count("deck", given["deck"], "G2-53")
    if count("returned", given.get("returned", hand), "G2-53") != hand:
        # There is no way to return a part of the hand.
        raise Refusal(say("The whole hand is returned."), "G2-53", "returned")
    scenario = None if hand == FIRST_HAND else Scenario(name="scenario", hand=hand)
    state = state_of(options_of(given), phase="mulligan", turn=0, scenario=scenario)
    whole = replace(state.rosters["allies"], support=(replace(FILLER, count=pile + hand),))
    state = counted(state.but(rosters={**state.rosters, "allies": whole}), "allies", pile=pile, hand=hand)
    used = truth("already_used", given.get("already_used"))
    state = state.with_deck("allies", mulligan=used, kept=used).with_deck("axis", kept=False)
    deck = after(state, Mulligan(), ask, "allies").deck("allies")
    return {"hand": len(deck.hand), "deck": len(deck.pile)}


def start_bid(given: Given, ask: Script) -> dict[str, Any]:
    """Say of the last player that he is ready: then the bids are opened and the dice are thrown."""
    bids = mapping("bids", given["bids"])
    if len(bids) != 2:
        raise Unfit("bids: of two players are needed")
    for name, bid in bids.items():
        count(name, bid, "G2-43")
    sides = dict(zip(SIDES, bids, strict=True))
    deck = TerrainDeck(name="terrain", terrain=(TerrainCard(name="wall", cost=1, count=20),))
    state = state_of(options_of(given), phase="decks", turn=0, ready=("axis",), terrain_deck=deck)
    ask.intended |= {f"bid_{side}": str(bids[name]) for side, name in sides.items()}
    now: State = after(state, Ready(), ask, "allies")
    return {
        "decides": sides[now.first],
        "ap_left": {name: now.ap[side] for side, name in sides.items()},
        "terrain_budget": {name: now.bids[side] for side, name in sides.items()},
    }


def buy_terrain(given: Given, ask: Script) -> dict[str, Any]:
    """Lay terrain card by card; in a scenario that has begun, one that allows it."""
    options = options_of(given)
    budget = count("budget", given["budget"], "G2-46")
    bought = objects("purchases", given.get("purchases"), "card", "cost", "line", "column", "name")
    usual = {one.name: one.cost for one in TERRAIN.terrain}
    costs = [one.get("cost", usual.get(str(one.get("card")))) for one in bought]
    kinds = tuple(
        TerrainCard(name=str(one.get("card") or "card"), cost=count("cost", cost, "G2-10"))
        for one, cost in zip(bought, costs, strict=True)
    )
    scenario = None
    if one_of("mode", given.get("mode", "pitched"), MODES) == "scenario":
        options, scenario = replace(options, mode="scenario"), Scenario(name="scenario", terrain_in_play=True)
    started = truth("game_started", given.get("game_started"))
    fields: dict[str, Any] = {"phase": "terrain", "turn": 0, "budget": {"allies": budget}, "laying": ("allies",)}
    if started:
        fields = {"phase": "deployment"}
    deck = TerrainDeck(name="terrain", terrain=kinds)
    state = state_of(options, scenario=scenario, terrain_deck=deck, ap=budget, **fields)
    if started and not bought and scenario is None:
        raise Unfit("nothing is bought")
    for at, one in enumerate(bought):
        column = one.get("column", next(free for free in range(1, 9) if free not in taken(state)))
        where = place(options, [column, number("line", one["line"])], "purchases")
        state = after(state, PlaceTerrain(at, where), ask, "allies")
    left = state.ap["allies"] if started else state.budget["allies"]
    return {"spent": budget - left, "unused": left}


def taken(state: State) -> set[int]:
    """The columns in which terrain lies."""
    return {ord(ground.square[0]) - 96 for ground in state.grounds if ground.square}
