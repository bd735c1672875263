"""Scenarios before the first turn: unit types, armies, who begins, deployment, distances and lines of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from companion.games.chesswar import GAME, raising
from companion.games.chesswar import actions as do
from companion.games.chesswar.armies import ARMIES, ARMY_OF, TYPES
from companion.games.chesswar.deployment import may_redeploy
from companion.games.chesswar.sides import grid
from companion.games.chesswar.sight import visible
from companion.games.chesswar.state import State, Unit
from companion.kit.asking import Together
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.chesswar.asking import Script
from tests.scenarios.chesswar.reading import (
    SIDES,
    Given,
    count_of,
    on_board,
    one_of,
    options_of,
    other,
    state_of,
    truth,
    units_of,
)
from tests.scenarios.running import OneOf, Unfit

if TYPE_CHECKING:
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
    if not isinstance(given["units"], dict):
        raise Unfit("units: an object of types and numbers is needed")
    counts = {name: count_of(name, count) for name, count in given["units"].items()}
    if strangers := [name for name, count in counts.items() if count and name not in {kind.id for kind in army.unit}]:
        # A form of the game has no field for such a unit, so no rule can refuse it.
        general = " CW-13" if not counts.get(army.general.id) else ""
        refuse_naming(f"{strangers[0]} is not on the list", "CW-16", *general.split())
    wanted = raising.times(options)
    if (generals := counts.get(army.general.id, 0)) != wanted:
        # The rules add the general by themselves: another number of them can not be said.
        doubled = ("CW-180",) if options.extended_armies else ()
        refuse_naming("the general is compulsory", "CW-13", *doubled, *(("CW-15",) if generals > wanted else ()))
    pieces: dict[str, int] = {kind.piece: counts.get(kind.id, 0) for kind in army.unit if not kind.general}
    state = begun(options, {"white": army.id, "black": army.id})
    state = GAME.rule(state, "white", do.RaiseArmy(army.id, **pieces), ask).outcome
    spent = raising.price(army, raising.bought(state, "white"))
    return {"points_spent": spent, "points_left": raising.budget(options, army) - spent}


def refuse_naming(why: str, *clauses: str) -> None:
    raise Refusal(say("{why} {more}", why=why, more=say(" ".join(clauses), **dict(zip("abcd", clauses, strict=False)))),
                  clauses[0], "units")  # fmt: skip


def begun(options: Options, armies: dict[str, str]) -> State:
    """A table whose sides have said which armies they are."""
    state: State = GAME.setup(options, Script([])).outcome
    if options.race == "open":
        for side, army in armies.items():
            state = GAME.rule(state, side, do.ChooseArmy(army), Script([])).outcome  # type: ignore[arg-type]
    return state


def raised(options: Options, armies: dict[str, str], **bought: int) -> State:
    """A table whose sides have raised their armies, Black with some units besides its general."""
    state = begun(options, armies)
    for side, army in armies.items():
        action = do.RaiseArmy(army, **(bought if side == "black" else {}))  # type: ignore[arg-type]
        state = GAME.rule(state, side, action, Script([])).outcome
    return state


def first_player(given: Given, ask: Script) -> dict[str, Any]:
    armies = {side: one_of("army", Given(given["armies"])[side], ARMIES) for side in SIDES}
    if unknown := given["armies"].keys() - armies.keys():
        raise Unfit(f"unknown side {', '.join(sorted(unknown))}")
    state = raised(options_of(given), armies)
    for side in SIDES:
        state = GAME.rule(state, side, do.Ready(), ask).outcome
    late = [side for side in SIDES if may_redeploy(state, side)]
    return {
        "first": next(side for side in SIDES if side not in late),
        "may_redeploy": late[0],
        "roll_offs": sum(isinstance(question, Together) for question in ask.asked),
    }


def deploy(given: Given, ask: Script) -> dict[str, Any]:
    """Put every unit on its square, one after the other; who has to give way to another is not where it was to be."""
    wanted = {str(entry.get("id")): entry.get("square") for entry in given["units"]}
    nowhere = [{**entry, "square": None} for entry in given["units"]]
    options = options_of(given)
    units = units_of({"units": nowhere}, options)
    state = State(options=options, units=units, phase="raising", armies=dict.fromkeys(SIDES, "humans"))
    if truth("redeploy", given.get("redeploy")):
        first = one_of("first", given.get("first") or first_of(units), SIDES)
        order = (0, 1) if first == "white" else (1, 0)
        state = state.but(phase="redeploying", order=order, active=1, ready=(first,))
    for unit in units:
        if (to := wanted[unit.id]) is not None:
            state = GAME.rule(state, unit.side, do.Deploy(unit.id, str(to)), ask).outcome
    if any(unit.square != wanted[unit.id] for unit in state.units):
        raise Refusal(say("One unit to a square."), "CW-19", "units")
    return {}


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
            state = GAME.rule(state, side, do.Ready(), ask).outcome
        return msgspec.json.encode([GAME.view(state, "white"), GAME.offers(state, "white")])

    plain = shown(pawn=3, bishop=3)
    return {
        "sees_opponent_units": plain != shown(pawn=3, rook=3),
        "sees_opponent_points": plain != shown(pawn=3, bishop=2),
    }


def distance(given: Given, _: Script) -> dict[str, Any]:
    options = options_of(given)
    one, two = (on_board(options, field, given[field]) for field in ("from", "to"))
    return {"distance": grid(options).moves_apart(one, two)}


def visibility(given: Given, _: Script) -> dict[str, Any]:
    state = state_of(given, "shooting")
    one, two = (on_board(state.options, field, given[field]) for field in ("from", "to"))
    held = [on_board(state.options, "occupied", square) for square in given.get("occupied") or []]
    units = tuple(
        Unit(f"x{number}", other("white"), "orc_infantry", square) for number, square in enumerate(dict.fromkeys(held))
    )
    return {"visible": visible(state.but(units=(*state.units, *units)), one, two)}
