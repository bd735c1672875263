"""Scenarios before the first turn: unit types, armies, who begins, deployment, distances and lines of shooting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from companion.games.chesswar import raising
from companion.games.chesswar.armies import ARMIES, TYPES
from companion.games.chesswar.deployment import Deploy, Ready, may_redeploy
from companion.games.chesswar.game import GAME
from companion.games.chesswar.options import grid
from companion.games.chesswar.raising import ChooseArmy, RaiseArmy
from companion.games.chesswar.shooting import visible
from companion.games.chesswar.state import State, Unit
from companion.kit.questions import Together
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.chesswar.answers import Script
from tests.scenarios.chesswar.fields import (
    ARMY_OF,
    SIDES,
    UNIT,
    count_of,
    mapping,
    objects,
    on_board,
    one_of,
    options_of,
    other,
    refuse,
    refused_by,
    sequence,
    state_of,
    truth,
    units_of,
)
from tests.scenarios.runner import Given, OneOf, Unfit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.chesswar.armies import ArmyId
    from companion.games.chesswar.options import Options


def unit_info(given: Given, _: Script) -> dict[str, Any]:
    kind = TYPES[one_of("type", given["type"], TYPES)]
    return {
        "army": ARMY_OF[kind.id].id,
        "piece": kind.piece,
        "max": kind.max,
        "cost": OneOf(kind.cost, "free") if kind.general else kind.cost,
        "move": kind.move,
        "save": OneOf(kind.save, f"{kind.save}+"),
        "combat": OneOf(kind.combat, f"{kind.combat:+}"),
        "weapon": kind.weapon,
        "skill": OneOf(kind.skill, f"{kind.skill}+") if kind.skill else None,
        "brave": kind.brave,
        "dreadful": kind.dreadful,
        "spells": sorted(kind.spells),
        **{trait: trait in kind.traits for trait in ("aggressive", "undead", "plague", "regeneration", "teleport")},
        "initiative": ARMY_OF[kind.id].initiative,
        "points": ARMY_OF[kind.id].points,
    }


def army_build(given: Given, ask: Script) -> dict[str, Any]:
    """Buying is no deployment: how many squares there are is no matter here."""
    army = ARMIES[one_of("army", given["army"], ARMIES)]
    options = options_of(given, board="table")
    counts = {name: count_of(name, count) for name, count in mapping("units", given["units"]).items()}
    pieces: dict[str, int] = {kind.piece: counts.get(kind.id, 0) for kind in army.unit if not kind.general}
    state = begun(options, {"white": army.id, "black": army.id})

    def buy(**bought: int) -> State:
        found: State = GAME.rule(state, "white", RaiseArmy(army.id, **bought), ask).outcome
        return found

    # A form of the game has no field for units of other lists, and the rules add the general by themselves: they can
    # not be told otherwise.
    strangers = counts.keys() - {kind.id for kind in army.unit}
    wanted, generals = raising.times(options), counts.get(army.general.id, 0)
    untold = {
        "CW-16": any(counts[name] for name in strangers),
        "CW-13": generals != wanted,
        "CW-180": generals != wanted and options.extended_armies,
        "CW-15": generals > wanted,
    }
    clauses: list[str | None] = [clause for clause, broken in untold.items() if broken]
    wrong = [refused_by(partial(buy, **{piece: count})) for piece, count in pieces.items()]
    clauses += [refused_by(partial(buy, **pieces)), *wrong]
    if any(clauses):
        refuse("that is no army", *clauses)
    state = buy(**pieces)
    spent = raising.price(army, raising.bought(state, "white"))
    return {"points_spent": spent, "points_left": raising.budget(options, army) - spent}


def begun(options: Options, armies: dict[str, ArmyId]) -> State:
    """A table whose sides have said which armies they are."""
    state: State = GAME.setup(options, Script([])).outcome
    if options.race == "declared":
        for side, army in armies.items():
            state = GAME.rule(state, side, ChooseArmy(army), Script([])).outcome
    return state


def raised(options: Options, armies: dict[str, ArmyId], **bought: int) -> State:
    """A table whose sides have raised their armies, Black with some units besides its general."""
    state = begun(options, armies)
    for side, army in armies.items():
        action = RaiseArmy(army, **(bought if side == "black" else {}))
        state = GAME.rule(state, side, action, Script([])).outcome
    return state


def first_player(given: Given, ask: Script) -> dict[str, Any]:
    said = mapping("armies", given["armies"])
    armies = {side: one_of("army", said[side], ARMIES) for side in SIDES}
    if unknown := said.keys() - armies.keys():
        raise Unfit(f"unknown side {', '.join(sorted(unknown))}")
    state = raised(options_of(given), armies)
    for side in SIDES:
        state = GAME.rule(state, side, Ready(), ask).outcome
    late = [side for side in SIDES if may_redeploy(state, side)]
    return {
        "first": next(side for side in SIDES if side not in late),
        "may_redeploy": late[0],
        "roll_offs": sum(isinstance(question, Together) for question in ask.asked),
    }


def deploy(given: Given, ask: Script) -> dict[str, Any]:
    """Put every unit on its square, one after the other; who has to give way to another is not where it was to be."""
    listed = objects("units", given["units"], *UNIT)
    wanted = {str(entry["id"]): entry.get("square") for entry in listed}
    options = options_of(given)
    units = units_of({"units": [{**entry, "square": None} for entry in listed]}, options)
    state = State(options=options, units=units, phase="raising", armies=dict.fromkeys(SIDES, "humans"))
    order = units
    if truth("redeploy", given.get("redeploy")):
        first = one_of("first", given.get("first") or first_of(units), SIDES)
        # Where both armies are listed, it is the second one that has been rearranged.
        standing = [unit for unit in units if unit.side == first and {one.side for one in units} == set(SIDES)]
        state = put(state, standing, wanted, ask)
        order = tuple(unit for unit in units if unit not in standing)
        turns = (0, 1) if first == "white" else (1, 0)
        state = state.but(phase="redeploying", order=turns, active=1, ready=(first,))
    state = put(state, order, wanted, ask)
    if any(unit.square != wanted[unit.id] for unit in state.units):
        raise Refusal(say("One unit to a square."), "CW-19", "units")
    return {}


def put(state: State, units: Sequence[Unit], wanted: dict[str, Any], ask: Script) -> State:
    for unit in units:
        if (to := wanted[unit.id]) is not None:
            state = GAME.rule(state, unit.side, Deploy(unit.id, str(to)), ask).outcome
    return state


def first_of(units: tuple[Unit, ...]) -> str:
    """Who moves first with these units on the board, where the scenario does not say."""
    quickest = sorted(units, key=lambda unit: ARMY_OF[unit.type].initiative)
    return quickest[0].side if {unit.side for unit in units} == set(SIDES) else "white"


def deploy_view(given: Given, ask: Script) -> dict[str, Any]:
    """White sees what changes White's bytes: another unit of Black's for the same points, or a point left."""
    both = truth("both_ready", given["both_ready"])
    options = options_of(given)

    def shown(**bought: int) -> bytes:
        state = raised(options, {"white": "elves", "black": "humans"}, **bought)
        for side in SIDES if both else ("black",):
            state = GAME.rule(state, side, Ready(), ask).outcome
        return msgspec.json.encode([GAME.view(state, "white"), GAME.offers(state, "white")])

    plain = shown(pawn=3, bishop=3)
    units, points = plain != shown(pawn=3, rook=3), plain != shown(pawn=3, bishop=2)
    # Who sees the units can add up what they cost: of the points it may then be said either way.
    return {"sees_opponent_units": units, "sees_opponent_points": OneOf(points, not points) if units else points}


def distance(given: Given, _: Script) -> dict[str, Any]:
    options = options_of(given)
    one, two = (on_board(options, field, given[field]) for field in ("from", "to"))
    return {"distance": grid(options).moves_apart(one, two)}


def visibility(given: Given, _: Script) -> dict[str, Any]:
    state = state_of(given, "shooting")
    one, two = (on_board(state.options, field, given[field]) for field in ("from", "to"))
    held = [on_board(state.options, "occupied", square) for square in sequence("occupied", given.get("occupied"))]
    units = tuple(
        Unit(f"x{number}", other("white"), "orc_infantry", square) for number, square in enumerate(dict.fromkeys(held))
    )
    return {"visible": visible(state.but(units=(*state.units, *units)), one, two)}
