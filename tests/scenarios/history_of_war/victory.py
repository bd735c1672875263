"""Scenarios of the victory phase, of the final phase, and of the phases themselves."""

from __future__ import annotations

from typing import Any

from companion.games.history_of_war import conquest, construction
from companion.games.history_of_war import final as do
from companion.games.history_of_war.cards import DevelopmentCard, TerritoryCard, UnitCard
from companion.games.history_of_war.pieces import SEATS, STEPS, Seat, phase_number
from tests.scenarios.fields import count, mapping, objects, one_of, sequence
from tests.scenarios.history_of_war.fields import kind_of, locked, options_of, phase_of
from tests.scenarios.history_of_war.tables import ASIDE, Table, after, counted, ended
from tests.scenarios.runner import Given, OneOf, Unfit

CONTENDER = ("id", "owner", "kind", "flags", "state", "name")


def conquered(given: Given) -> dict[str, Any]:
    """Add the flags of a territory up; where it is conquered and a force is named, occupy it."""
    seats = players(given["players"])
    table = Table(options_of(given))
    land = TerritoryCard(
        name="land",
        flags=count("flags_required", given["flags_required"], "HW-90"),
        victory_points=count("victory_points", given["victory_points"], "HW-91"),
    )
    place = table.land("territory", land)
    for one in objects("cards", given["cards"], *CONTENDER):
        kind = kind_of("kind", one.get("kind", "unit"))
        seat = seats[one_of("owner", one["owner"], seats)]
        flags = count("flags", one.get("flags", 0), "HW-88")
        name = str(one["id"])
        printed: Any = UnitCard(name=name, category="ground", dv=1, flags=flags)
        if kind == "development":
            printed = DevelopmentCard(name=name, flags=flags)
        elif kind != "unit":
            raise Unfit(f"no {kind} lies in a territory")
        table.put(name, seat, printed, place, locked=locked("state", one.get("state")))
    state = table.state(phase_of(given, "victory"))
    found = conquest.contest_in(state, state.territories[0])
    named = {seat: name for name, seat in seats.items()}
    answer: dict[str, Any] = {
        "totals": {name: found.totals[seat] for name, seat in seats.items()},
        "difference": found.difference,
        "occupation_needed": found.occupation_needed,
        "conqueror": None if found.conqueror is None else named[found.conqueror],
    }
    if found.enough and found.leader and not found.occupation_possible:
        # The flags are those of a conquest, and yet there is none (HW-A28).
        answer |= {"occupation_possible": False, "conqueror": OneOf(None, named[found.leader])}
    if found.conqueror is None:
        return answer | {"to_deployment": [], "to_scrapyard": [], "set_aside": []}
    if given.get("keep") is None:
        return answer
    keep = tuple(table.id(name) for name in sequence("keep", given["keep"]))
    state = after(state, conquest.Occupy(place, keep), found.conqueror)
    lying = {card.id: card.place for card in state.cards}
    return answer | {
        "to_deployment": table.ids(*(name for name, where in lying.items() if where == "deployment")),
        "to_scrapyard": table.ids(*(name for name in table.named.values() if name not in lying)),
        "set_aside": table.ids(*(name for name, where in lying.items() if where == place)),
    }


def players(said: Any) -> dict[str, Seat]:
    """Which seat each of two players has."""
    listed = list(said) if isinstance(said, dict) else sequence("players", said)
    if len(listed) != 2 or len(set(map(str, listed))) != 2:
        raise Unfit("players: two are needed")
    return dict(zip(map(str, listed), SEATS, strict=True))


def final(given: Given) -> dict[str, Any]:
    """Give up what is too much, as the rules say how much that is, and let the round end."""
    said = mapping("players", given["players"])
    seats = players(said)
    table = Table(options_of(given))
    left = count("territories_left", given.get("territories_left", given.get("open_territories", 1)), "HW-A33") > 0
    if not left:
        table.land("territory", conqueror="blue")
    numbers = {}
    for name, seat in seats.items():
        one = mapping(name, said[name], "hand", "deployment_units", "victory_points")
        numbers[seat] = {
            part: count(part, one.get(part, 0), "HW-97") for part in ("hand", "deployment_units", "victory_points")
        }
        for at in range(numbers[seat]["deployment_units"]):
            table.put(f"{name} {at}", seat, UnitCard(name=f"unit {at}", category="ground", dv=1), "deployment")
    state = table.state("final", left=left)
    for seat in SEATS:
        state = counted(state, seat, depot=30, hand=numbers[seat]["hand"])
        won = sum(state.land(one).victory_points for one in state.territories if one.conqueror == seat)
        state = state.but(points={**state.points, seat: numbers[seat]["victory_points"] - won})
    before = state.attacker
    discard = {name: do.hand_surplus(state, seat) for name, seat in seats.items()}
    scrap = {name: do.unit_surplus(state, seat) for name, seat in seats.items()}
    for name, seat in seats.items():
        if discard[name]:
            state = after(state, do.Discard(state.deck(seat).hand[: discard[name]]), seat)
        if scrap[name]:
            units = tuple(unit.id for unit in state.units(seat, "deployment"))
            state = after(state, do.Scrap(units[: scrap[name]]), seat)
    state = ended(state) if state.phase == "final" else state
    named = {seat: name for name, seat in seats.items()}
    winner = state.winner if state.winner in (None, "draw") else named[state.winner]
    return {"discard": discard, "scrap": scrap, "winner": winner, "roles_swap": state.attacker != before}


def round_end(given: Given) -> dict[str, Any]:
    """End the round, and look at the cards and their markers."""
    said = mapping("cards", given["cards"])
    dug_in = [str(name) for name in sequence("with_entrenchment", given.get("with_entrenchment"))]
    marked = given.get("entrenchment_markers", given.get("markers"))
    markers = marked if isinstance(marked, dict) else dict.fromkeys(sequence("markers", marked), 1)
    if unknown := {*dug_in, *markers} - said.keys():
        raise Unfit(f"no card is called {', '.join(sorted(map(str, unknown)))}")
    table = Table(options_of(given))
    for name, state in said.items():
        aside = one_of("cards", state, ("locked", "unlocked", ASIDE)) == ASIDE
        printed = UnitCard(name=name, category="ground", dv=1, abilities=("entrenchment",) if name in dug_in else ())
        table.put(
            name,
            "blue",
            printed,
            table.place(ASIDE if aside else "territory"),
            locked=state == "locked",
            markers=count("markers", markers.get(name, 0), "HW-103"),
        )
    after_it = ended(table.state("final"))
    open_places = {one.id for one in after_it.open}
    cards, marks = {}, {}
    for name, found in table.named.items():
        card = after_it.played(found)
        cards[name] = ("locked" if card.locked else "unlocked") if card.place in open_places else ASIDE
        marks[name] = card.markers
    listed = sorted(name for name, many in marks.items() if many)
    return {"cards": cards, "entrenchment_markers": OneOf(listed, {name: marks[name] for name in listed})}


def phase(given: Given) -> dict[str, Any]:
    """End a phase, step by step, and see which is the next."""
    before = phase_of({"phase": given["after"]}, "final")
    state = Table(options_of(given)).state(before)
    if before == "construction":
        for seat in SEATS:
            state = after(state, construction.Build(), seat)
    now = ended(state)
    step = STEPS[now.phase]
    return {
        # The ledger does not say whether this is the number of the phase that has ended, or of the next.
        "number": OneOf(phase_number(step.id), phase_number(before)),
        "next": step.id,
        "who": step.acts,
        "roles_swap": now.attacker != state.attacker,
    }
