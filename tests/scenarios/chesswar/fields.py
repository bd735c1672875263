"""Read the fields of a scenario of ChessWar: units, temporary spells, options, and the position that they make."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from companion.games.chesswar.armies import ARMIES, TEMPORARY, TYPES
from companion.games.chesswar.game import GAME
from companion.games.chesswar.options import ALL, Options, grid, teams
from companion.games.chesswar.state import Effect, State, Unit
from companion.kit.asking import Ask, Pending
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import mapping, objects, one_of, sequence, truth
from tests.scenarios.runner import InAnyOrder, OneOf, Unfit

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.chesswar.destruction import Toll

COMMON = {"kind", "units", "effects", "options", "random_opponent"}
ARMY_OF = {kind.id: army for army in ARMIES.values() for kind in army.unit}
SIDES = ("white", "black")
PHASES = ("movement", "shooting", "combat")
CHARGED = {None: "", "": "", "none": "", False: "", "movement": "movement", "continuation": "continuation"}
FLAGS = {
    "moved": "moved",
    "charge_failed": "charge_failed",
    "shot": "shot",
    "attacked": "attacked",
    "raised_this_turn": "raised",
    "knocked_down": "down",
    "cast_this_turn": "cast",
    "locked_out": "locked",
}
UNIT = {"id", "side", "type", "square", "engaged_with", "charged", *FLAGS}


def count_of(field: str, value: Any) -> int:
    """A whole number from 0."""
    if type(value) is not int or value < 0:
        raise Unfit(f"{field}: a number is needed, not {value!r}")
    return value


def options_of(given: dict[str, Any], **more: Any) -> Options:
    """The options; who has lost a general is no option of a table, nor where terrain lies."""
    said = mapping("options", given.get("options"))
    lost, terrain = said.pop("general_lost", None), said.pop("terrain", None)
    try:
        return msgspec.convert({"massacre": bool(lost), "terrain": bool(terrain), **said, **more}, Options)
    except msgspec.ValidationError as wrong:
        raise Unfit(f"options: {wrong}") from wrong


def lost_generals(given: dict[str, Any]) -> tuple[Any, ...]:
    """The sides that have lost their general."""
    lost = mapping("options", given.get("options")).get("general_lost") or []
    return tuple(
        one_of("side", side, ALL) for side in ([lost] if isinstance(lost, str) else sequence("general_lost", lost))
    )


def terrain_of(given: dict[str, Any], options: Options) -> dict[str, Any]:
    """The forests and hills."""
    terrain = mapping("options", given.get("options")).get("terrain")
    if terrain in (False, True):
        return {}
    terrain = mapping("terrain", terrain)
    for square, ground in terrain.items():
        on_board(options, "terrain", square)
        one_of("terrain", ground, ("forest", "hill"))
    return dict(terrain)


def on_board(options: Options, field: str, square: Any) -> str:
    """A square of the board; no rule can be asked about any other."""
    if square not in grid(options):
        raise Refusal(say("There is no square {square} on the board.", square=str(square)), "CW-01", field)
    return str(square)


def units_of(given: dict[str, Any], options: Options) -> tuple[Unit, ...]:
    """The units; that who fights whom is mutual may be written on one side only."""
    found: dict[str, Unit] = {}
    foes: dict[str, list[str]] = {}
    for entry in objects("units", given.get("units"), *UNIT):
        name, square = str(entry["id"]), entry.get("square")
        if name in found:
            raise Unfit(f"two units are called {name!r}")
        if square is not None:
            on_board(options, "units", square)
        flags = {mine: truth(said, entry.get(said)) for said, mine in FLAGS.items()}
        charged = CHARGED[one_of("charged", entry.get("charged"), CHARGED)]
        found[name] = Unit(
            name,
            one_of("side", entry["side"], ALL),
            one_of("type", entry["type"], TYPES),
            square,
            charged=charged,
            settled=flags["moved"] or flags["charge_failed"] or charged == "movement",
            **flags,
        )
        listed = entry.get("engaged_with") or []
        foes[name] = [str(foe) for foe in ([listed] if isinstance(listed, str) else sequence("engaged_with", listed))]
    for name, theirs in foes.items():
        for foe in theirs:
            if foe not in foes:
                raise Unfit(f"{name!r} is engaged with {foe!r}, who is not listed")
            if name not in foes[foe]:
                foes[foe].append(name)
    return tuple(msgspec.structs.replace(unit, engaged_with=tuple(foes[name])) for name, unit in found.items())


def effects_of(listed: Any, units: tuple[Unit, ...], field: str = "effects") -> tuple[Effect, ...]:
    """The temporary spells in force."""
    sides = {unit.id: unit.side for unit in units}
    found = []
    for entry in objects(field, listed, "spell", "side", "caster"):
        caster = str(entry.get("caster") or "")
        side = entry.get("side") or sides.get(caster)
        found.append(Effect(one_of("spell", entry["spell"], TEMPORARY), one_of("side", side, ALL), caster))
    return tuple(found)


def state_of(given: dict[str, Any], phase: str, acting: Any = None, **more: Any) -> State:
    """The position in a phase of the turn of ``acting``, a side or a unit of it; nobody is asked for instant spells."""
    options = options_of(given)
    units = units_of(given, options)
    names = {unit.id: unit.side for unit in units}
    side = names.get(str(acting), acting if acting in ALL else "white")
    armies = {unit.side: ARMY_OF[unit.type].id for unit in reversed(units)}
    playing = teams(options)
    fields: dict[str, Any] = {
        "options": options,
        "units": units,
        "armies": armies,
        "terrain": terrain_of(given, options),
        "phase": phase,
        "order": tuple(range(len(playing))),
        "active": next(place for place, team in enumerate(playing) if side in team),
        "effects": effects_of(given.get("effects"), units),
        "replies": dict.fromkeys(ALL, "never"),
        "leaderless": lost_generals(given) if options.total_massacre else (),
    }
    try:
        return State(**(fields | more))
    except ValueError as wrong:
        raise Unfit(str(wrong)) from wrong


def permit(state: State, action: Any, side: Any = None) -> None:
    """Let the game refuse an action, up to the first thing that it asks."""
    with suppress(Pending):
        GAME.rule(state, side or state.acting[0], action, Ask())


def refuse(why: str, *clauses: str | None) -> NoReturn:
    """Refuse with several clauses that forbid the same thing each by itself, the first of them foremost."""
    named = [clause for clause in dict.fromkeys(clauses) if clause]
    raise Refusal(say("{why}", why=say(why), **{f"too{at}": clause for at, clause in enumerate(named)}), named[0])


def refused_by(rule: Callable[[], Any]) -> str | None:
    """The clause that a rule refuses by, if it does."""
    try:
        rule()
    except Refusal as refusal:
        return refusal.clause
    return None


def every_reason(action: Callable[[], Any], *rules: Callable[[], Any], also: tuple[str, ...] = ()) -> None:
    """Let an action be refused with the clauses of the other rules that forbid it too, and ``also`` with these."""
    try:
        action()
    except Refusal as refusal:
        refuse(refusal.text.say, refusal.clause, *(refused_by(rule) for rule in rules), *also)


def fallen(toll: Toll) -> dict[str, Any]:
    """Who fell; whether a unit that is knocked over counts as destroyed is a question of words."""
    destroyed, down = list(toll.destroyed), list(toll.knocked_down)
    either = OneOf(destroyed, InAnyOrder(destroyed + down)) if down else destroyed
    return {"destroyed": either, "knocked_down": down, "toll": toll}


def per_unit(needs: dict[str, Any]) -> Any:
    """What each unit needs to save; of one alone the number by itself will do."""
    if len(needs) > 1:
        return needs
    return OneOf(next(iter(needs.values()), None), needs)


def other(side: Any) -> Any:
    """The side across the board."""
    return "black" if side == "white" else "white"
