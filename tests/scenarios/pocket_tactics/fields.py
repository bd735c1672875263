"""Read the fields of a scenario of Pocket-Tactics: options, skills, units and tiles, as its ledger writes them."""

from __future__ import annotations

import re
from typing import Any, get_args

import msgspec

from companion.games.pocket_tactics.cards import SIDES, AbilityText, UnitCard
from companion.games.pocket_tactics.dice import Value
from companion.games.pocket_tactics.hazards import direction
from companion.games.pocket_tactics.options import Directions, Options
from companion.games.pocket_tactics.terrain import known_as
from companion.kit.hexes import DIRECTIONS
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import count, mapping, number, objects, one_of, sequence, truth
from tests.scenarios.runner import Unfit

TABLE = {name for name in Options.__struct_fields__ if name != "map"}
"""The names of the table's options in the ledger."""
UNIT = (
    "name",
    "faction",
    "types",
    "affinities",
    "cost",
    "copies",
    "melee",
    "ballistic",
    "third",
    "reach",
    "abilities",
)
"""The fields of a stat card (ledger 2.3)."""
THIRD = ("arcane", "tech", "magetech")
EDGES = ("void", "own_base", "enemy_base", "wall")
HOLDERS = (None, "ally", "enemy")
UNTOLD = "?"
"""A terrain that is not told: nothing is known of it."""
ABILITY = AbilityText.__struct_fields__
_PRINTED = re.compile(r"([0-9]+)(?:\(([0-9]+)\))?")


def options_of(given: dict[str, Any]) -> Options:
    """The options of the table: in ``options``, or beside the other fields, with ``opt.`` before their names or not.

    The map lies on the table: what it would tell is given.
    """
    said = {**mapping("options", given.get("options")), **mapping("opt", given.get("opt"))}
    said |= {name: value for name, value in given.items() if name.removeprefix("opt.") in TABLE}
    found: dict[str, Any] = {"map": "table"}
    for written, value in said.items():
        name = written.removeprefix("opt.")
        if name not in TABLE:
            raise Unfit(f"unknown option {written}")
        found[name] = _directions(value) if name == "direction_map" else value
    try:
        return msgspec.convert(found, Options)
    except msgspec.ValidationError as wrong:
        raise Unfit(f"options: {wrong}") from wrong


def _directions(value: Any) -> Any:
    """A name of the option, or where each face leads: by number, by name or as in the table of directions."""
    if isinstance(value, str | None):
        return "n_clockwise" if value is None else value
    faces = value if isinstance(value, list) else [value.get(str(face)) for face in range(1, 7)]
    wanted = [way(one) for one in faces]
    for name in get_args(Directions):
        if [direction(name, face) for face in range(1, 7)] == wanted:
            return name
    raise Unfit(f"unknown direction_map {value!r}")


def way(value: Any) -> int:
    """A direction by its number, its name or its step."""
    ways: dict[str, int] = {str(at): at for at in range(1, 7)} | {side: at for at, side in enumerate(SIDES, 1)}
    ways |= {str(list(step)): at for at, step in enumerate(DIRECTIONS, 1)}
    return ways[one_of("direction", str(value).casefold(), ways)]


def usually(field: str, value: Any) -> bool:
    """A yes or no that is a yes where it is not told; a list or a number says whether there is any."""
    if isinstance(value, list) or type(value) is int:
        return bool(value)
    return truth(field, True if value is None else value)


def amount(given: dict[str, Any], field: str, usual: int = 0) -> int:
    """A number that is usually another where it is not told."""
    return number(field, usual if given.get(field) is None else given[field])


def terrain(field: str, value: Any) -> str:
    """A terrain by its name; one that is not told is unknown."""
    if value is None:
        return UNTOLD
    if not isinstance(value, str) or not value.strip() or value in (*EDGES, "base"):
        raise Unfit(f"{field}: a terrain is needed, not {value!r}")
    return known_as(value)


def holder(field: str, value: Any) -> Any:
    """Who stands on a tile."""
    return one_of(field, value, HOLDERS)


def stat(field: str, value: Any) -> Value:
    """Offence or defence: a number of dice, ``{"dice", "kicker"}``, or as it is printed, ``2(4)``."""
    if value is None or value == "-":
        return Value()
    if isinstance(value, str):
        printed = _PRINTED.fullmatch(value)
        if printed is None:
            raise Unfit(f"{field}: dice and kicker are needed, not {value!r}")
        return Value(int(printed[1]), int(printed[2] or 0))
    if isinstance(value, dict):
        said = mapping(field, value, "dice", "kicker")
        return Value(count(field, said.get("dice", 0), "PT-09"), number(field, said.get("kicker") or 0))
    return Value(count(field, value, "PT-09"))


def pair(field: str, value: Any) -> tuple[Value, Value]:
    """A skill: offence and defence; one that is not told the unit does not have."""
    if value is None or value == "-":
        return Value(), Value()
    listed = sequence(field, value)
    if len(listed) != 2:
        raise Unfit(f"{field}: offence and defence are needed, not {value!r}")
    return stat(field, listed[0]), stat(field, listed[1])


def _printed(skill: tuple[Value, Value]) -> str:
    return "/".join(f"{value.dice}({value.kicker})" if value.kicker else str(value.dice) for value in skill)


def affinities(value: Any) -> tuple[str, ...]:
    """Affinity terrains; one that is named twice is the same."""
    return tuple(dict.fromkeys(terrain("affinities", one) for one in sequence("affinities", value)))


def card(field: str, value: Any, rerolls: Any = None) -> UnitCard:
    """A stat card; ``rerolls`` are those that its abilities give, where they are told apart from them."""
    given = mapping(field, value, *UNIT)
    third = mapping("third", given.get("third"), "kind", "stat")
    kind = one_of("kind", third["kind"], THIRD) if third else None
    able = tuple(_ability(one) for one in sequence("abilities", given.get("abilities")))
    if rerolls is not None:
        able = (AbilityText(name="ability", rerolls=count("ability_rerolls", rerolls, "PT-48")),)
    reach = amount(given, "reach", 1)
    if reach < 1:
        raise Refusal(say("A unit reaches the next tile at least."), "PT-59", "reach")
    return UnitCard(
        name=str(given.get("name", field)),
        types=tuple(sequence("types", given.get("types"))),
        affinities=affinities(given.get("affinities")),
        cost=amount(given, "cost"),
        copies=amount(given, "copies", 1),
        melee=_printed(pair("melee", given.get("melee"))),
        ballistic=_printed(pair("ballistic", given.get("ballistic"))),
        third=kind,
        third_skill=_printed(pair("third", third.get("stat"))),
        reach=reach,
        ability=able,
    )


def _ability(value: Any) -> AbilityText:
    """A special ability: only its re-rolls are asked for, the rest is words."""
    if isinstance(value, str):
        return AbilityText(name=value)
    try:
        return msgspec.convert({"name": "ability", **objects("abilities", [value], *ABILITY)[0]}, AbilityText)
    except msgspec.ValidationError as wrong:
        raise Unfit(f"abilities: {wrong}") from wrong


def action(what: type[msgspec.Struct], clause: str, /, **fields: Any) -> Any:
    """An action as a phone sends it; what no phone could send is refused."""
    try:
        return msgspec.convert({**fields, "action": what.__struct_config__.tag}, what)
    except msgspec.ValidationError as wrong:
        raise Refusal(say("There can be no such thing."), clause, str(wrong)) from wrong
