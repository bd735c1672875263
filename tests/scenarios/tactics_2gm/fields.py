"""Read the fields of a scenario of 2GM Tactics: numbers, squares, cards and options, as its ledger writes them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.tactics_2gm.cards import SUBTYPES, Equipment, SupportCard, UnitCard, Weapon
from companion.games.tactics_2gm.options import LINES, Options, square
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import count, known, mapping, number, objects, one_of, sequence, truth
from tests.scenarios.runner import Given, Unfit

AGREED = {
    "natural_ten": ("cap", "hard"),
    "cap_scope": ("always", "carry_only"),
    "deckout_check": ("immediate", "end_of_turn"),
    "swap_allowed": (True, False),
    "assault_mode": ("manual", "fire_at_range_1"),
    "fighter_after_use": ("discard", "stays"),
}
PAIRS = {"suppression_effect": "suppression", "advance_cover_mod": "advance_cover"}
NUMBERS = {"difficult_extra_cost", "time_limit_minutes"}
TABLE = {*AGREED, *PAIRS, *NUMBERS}
"""The names of the table's options in the ledger."""
FAMILIES = ("infantry", "tank", "transport", "artillery", "aircraft")
WEAPON = {"name", "range", "hit", "crit", "penetration", "damage", "flips", "token_state", "fired_this_phase"}
UNIT = {
    "name",
    "id",
    "family",
    "subtype",
    "cost",
    "movement",
    "armour",
    "wounds",
    "weapons",
    "options",
    "capabilities",
    "paratrooper",
    "side",
}
SUPPORT = {"name", "kind", "cost", "duration", "any_phase", "text"}


def pair(field: str, value: Any) -> tuple[int, int]:
    """Two numbers: what is added to the hit and to the critical number, or a column and a line."""
    listed = sequence(field, value)
    if len(listed) != 2:
        raise Unfit(f"{field}: two numbers are needed, not {value!r}")
    return number(field, listed[0]), number(field, listed[1])


def place(options: Options, value: Any, field: str, side: Any = "allies") -> str:
    """A square out of its column and line as a side counts it; no rule can be asked about any other (2.2)."""
    column, line = pair(field, value)
    if not (1 <= column <= options.columns and 1 <= line <= LINES):
        raise Refusal(say("There is no such square on the battlefield."), "G2-72", field)
    return square(options, side, column, line)


def options_of(given: dict[str, Any], **more: Any) -> Options:
    """The options of the table: in ``options``, or beside the other fields, with ``opt.`` before their names or not."""
    said = {**mapping("options", given.get("options")), **mapping("opt", given.get("opt"))}
    said |= {name: value for name, value in given.items() if name.removeprefix("opt.") in TABLE}
    found: dict[str, Any] = {}
    for written, value in said.items():
        name = written.removeprefix("opt.")
        if name in AGREED:
            found[name] = one_of(name, value, AGREED[name])
        elif name in PAIRS:
            none = value in (None, "none")
            found[f"{PAIRS[name]}_hit"], found[f"{PAIRS[name]}_crit"] = (0, 0) if none else pair(name, value)
        elif name in NUMBERS:
            found[name] = 0 if value in (None, "none") else number(name, value)
        else:
            raise Unfit(f"unknown option {written}")
    return Options(**(found | more))


def modifiers(given: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    """What is added to both numbers, one by one."""
    return tuple(pair("modifiers", one) for one in sequence("modifiers", given.get("modifiers")))


def weapon(given: Given, reach: int = 1) -> Weapon:
    """The values of a weapon that fires; one whose range is not told reaches ``reach``."""
    known("weapon", given, *WEAPON)
    return Weapon(
        name=str(given.get("name") or "weapon"),
        range=number("range", given.get("range", reach)),
        hit=number("hit", given["hit"]),
        crit=number("crit", given["crit"]),
        penetration=number("penetration", given.get("penetration", 0)),
        damage=number("damage", given.get("damage", 1)),
        flips=truth("flips", given.get("flips")),
    )


def arms(field: str, listed: Any) -> tuple[Weapon, ...]:
    """The weapons on a card that nobody fires: what is not told of them does not matter."""
    found = [one if isinstance(one, dict) else {"name": str(one)} for one in sequence(field, listed)]
    return tuple(weapon(Given({"name": f"weapon {at}", "hit": 10, "crit": 10} | one)) for at, one in enumerate(found))


def equipment(given: Given) -> Equipment:
    """An equipment option at the foot of a unit card; ``effect`` is told in words."""
    known("options", given, "slot_id", "cost", "kind", "weapon", "effect", "flips", "name")
    return Equipment(
        slot_id=str(given["slot_id"]),
        cost=count("cost", given.get("cost", 0), "G2-92"),
        kind=one_of("kind", given.get("kind", "offensive"), ("offensive", "defensive")),
        flips=truth("flips", given.get("flips")),
        weapon=next(iter(arms("weapon", [given["weapon"]] if given.get("weapon") else [])), None),
        text=str(given.get("effect") or ""),
    )


def unit_card(given: Given, **more: Any) -> UnitCard:
    """A unit card; what is not told of it does not matter to the rule that is asked."""
    family: Any = one_of("family", given.get("family", "infantry"), FAMILIES)
    subtype = given.get("subtype") if given.get("subtype") in SUBTYPES[family] else None
    if family == "aircraft":
        subtype = subtype or "fighter"
    card = UnitCard(
        name=str(given.get("name") or "unit"),
        family=family,
        subtype=subtype,
        cost=count("cost", given.get("cost", 0), "G2-90"),
        movement=number("movement", given.get("movement", 1)),
        armour=number("armour", given.get("armour", 0)),
        wounds=number("wounds", given.get("wounds", 1)),
        paratrooper=truth("paratrooper", given.get("paratrooper")),
        weapon=arms("weapons", given.get("weapons")),
        option=tuple(equipment(one) for one in objects("options", given.get("options"))),
    )
    return replace(card, **more)


def support_card(given: Given) -> SupportCard:
    """A support card; what its text does is of no account."""
    known("card", given, *SUPPORT)
    kinds = ("supplies", "promotion", "equipment_card")
    return SupportCard(
        name=str(given.get("name") or "card"),
        kind=one_of("kind", given.get("kind", "supplies"), kinds),
        cost=count("cost", given.get("cost", 0), "G2-10"),
        duration=one_of("duration", given.get("duration", "immediate"), ("immediate", "one_turn", "permanent")),
        any_phase=truth("any_phase", given.get("any_phase")),
        text=str(given.get("text") or ""),
    )
