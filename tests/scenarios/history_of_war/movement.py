"""Scenarios of units that go to a territory, or come back from one."""

from __future__ import annotations

from typing import Any

from companion.games.history_of_war import movement
from companion.games.history_of_war.pieces import STEPS, Phase
from tests.scenarios.fields import one_of
from tests.scenarios.history_of_war.fields import card, locked, options_of, phase_of
from tests.scenarios.history_of_war.tables import ROLES, Table, after
from tests.scenarios.runner import Given

ELSEWHERE = "territory, another"


def deploy_unit(given: Given) -> dict[str, Any]:
    return move(given, "attacker_deployment", "deployment_area", "territory")


def retreat(given: Given) -> dict[str, Any]:
    return move(given, "attacker_retreat", "territory", "deployment_area")


def move(given: Given, usual: Phase, start: str, end: str) -> dict[str, Any]:
    """Move a unit as it is told: to a territory it deploys, to its deployment area it retreats."""
    phase = phase_of(given, usual)
    acts = STEPS[phase].acts
    seat = ROLES[one_of("role", given.get("role", "attacker" if acts == "both" else acts), ROLES)]
    table = Table(options_of(given))
    start, end = given.get("from", start), given.get("to", end)
    unit = table.put(
        "unit",
        seat,
        card("unit", "unit", Given(dv=1)),
        table.place(start, seat),
        locked=locked("unit_state", given.get("unit_state")),
    )
    # Two territories that are both called just that are not the same one.
    goal = table.place(ELSEWHERE if start == end == "territory" else end, seat)
    action = movement.Retreat(unit) if goal == "deployment" else movement.Deploy(unit, goal)
    state = after(table.state(phase), action, seat)
    found = state.played(unit)
    names = {place: name for name, place in table.places.items() if place == found.place and name != ELSEWHERE}
    named = end if found.place == goal else next(iter(names.values()))
    return {"unit_state": "locked" if found.locked else "unlocked", "location": named}
