"""Scenarios of the battlefield: distances and moves."""

from __future__ import annotations

from typing import Any

from companion.games.tactics_2gm import movement
from companion.games.tactics_2gm.cards import Equipment, UnitCard
from companion.games.tactics_2gm.movement import Move, Order
from companion.games.tactics_2gm.options import Options, Side, column_of, distance, hq_distance, line_of
from companion.games.tactics_2gm.state import Natural, State, Token, Unit
from tests.scenarios.fields import mapping, number, objects, one_of, sequence, truth
from tests.scenarios.runner import Given, Unfit
from tests.scenarios.tactics_2gm.answers import Script, after
from tests.scenarios.tactics_2gm.fields import TABLE, options_of, place
from tests.scenarios.tactics_2gm.tables import TURN, state_of

FLAGS = ("deployed_this_turn", "active_heavy_weapon")


def between(given: Given, _: Script) -> dict[str, Any]:
    """The distance between two squares, whatever they are called."""
    one, two = told(given, 2)
    return {"distance": distance(one, two)}


def to_hq(given: Given, _: Script) -> dict[str, Any]:
    """The distance from a square to the enemy headquarters, or to the own one."""
    whose = one_of("hq", given.pop("hq", "enemy"), ("enemy", "own"))
    if "column" in given:
        given = Given({"from": [given.pop("column"), given.pop("line")], **given})
    return {"distance": hq_distance(told(given, 1)[0], "axis" if whose == "enemy" else "allies")}


def told(given: Given, many: int) -> list[str]:
    """The squares of a scenario: the ledger does not say how the fields are called that hold them."""
    options = options_of(given)
    found = []
    for field, value in given.items():
        if field in {"op", "options", "opt"} or field.removeprefix("opt.") in TABLE:
            continue
        at = value
        if isinstance(value, dict):
            at = value.get("square") or [value.get("column"), value.get("line")]
        listed = at if isinstance(at, list) and at and isinstance(at[0], list) else [at]
        found += [place(options, one, field) for one in listed]
    if len(found) != many:
        raise Unfit(f"{many} squares are needed, not {len(found)}")
    return found


def move_phase(given: Given, _: Script) -> dict[str, Any]:
    """Move units at the same moment; one alone moves by the game's own action, which wants another square to end on."""
    state, orders = ordered(given)
    walking = [order for order in orders if order.path]
    if len(walking) == 1 and walking[0].path[-1] != state.unit(walking[0].unit).square:
        only = walking[0]
        state = after(state, Move(only.unit, path=only.path))
        ends = {order.unit: state.unit(order.unit).square for order in orders}
    else:
        ends = movement.move_together(state, orders)
    names = [str(one["id"]) for one in given["units"]]
    return {"ends": {name: written(end) for name, end in zip(names, ends.values(), strict=True)}}


def written(square: str | None) -> list[int]:
    """A square as scenarios write it."""
    assert square is not None
    return [column_of(square), line_of("allies", square)]


def ordered(given: Given) -> tuple[State, list[Order]]:
    """The table in the movement phase, and where the units are to go."""
    options = options_of(given)
    cards, units, orders = [], [], []
    listed = objects("units", given["units"], "id", "start", "path", "movement", "flags", "name", "family", *FLAGS)
    for at, one in enumerate(listed):
        flags = {flag: truth(flag, one.get(flag)) or flag in sequence("flags", one.get("flags")) for flag in FLAGS}
        start = place(options, one["start"], "start")
        path = [place(options, step, "path") for step in sequence("path", one.get("path"))]
        # A path may be written with the square that it starts from.
        path = path[1:] if path[:1] == [start] else path
        pins = Equipment(slot_id="hmg", cost=1, kind="offensive", pins=True)
        cards.append(
            UnitCard(
                name=f"unit {at}",
                family="infantry",
                cost=1,
                wounds=1,
                option=(pins,),
                movement=number("movement", one.get("movement", 1)),
            )
        )
        units.append(
            Unit(
                f"a{at}",
                "allies",
                f"{at}.0",
                start,
                tokens=(Token("hmg"),),
                set_up=flags["active_heavy_weapon"],
                deployed=TURN if flags["deployed_this_turn"] else 0,
            )
        )
        orders.append(Order(f"a{at}", tuple(path)))
    cards.append(UnitCard(name="bystander", family="infantry", cost=1, wounds=1))
    others: tuple[tuple[str, Side, str], ...] = (("b", "allies", "other_allies"), ("x", "axis", "enemies"))
    for letter, side, field in others:
        for at, square in enumerate(squares(options, given, field)):
            units.append(Unit(f"{letter}{at}", side, f"{len(listed)}.0", square))
    natural = {square: Natural("river", "impassable") for square in squares(options, given, "impassable")}
    natural |= {square: Natural("forest", "difficult") for square in squares(options, given, "difficult")}
    try:
        return state_of(options, *units, cards=tuple(cards), natural=natural, phase="movement"), orders
    except ValueError as wrong:
        raise Unfit(str(wrong)) from wrong


def squares(options: Options, given: Given, field: str) -> list[str]:
    """Squares, written alone or as units that stand there."""
    found = []
    for one in sequence(field, given.get(field)):
        at = (
            mapping(field, one, "id", "square", "start")["square" if "square" in one else "start"]
            if isinstance(one, dict)
            else one
        )
        found.append(place(options, at, field))
    return found
