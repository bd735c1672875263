"""Read the fields of a scenario of History of War: options, phases, places and cards, as its ledger writes them."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.history_of_war.cards import (
    CATEGORIES,
    ActionCard,
    BaseCard,
    Category,
    DepotCard,
    DevelopmentCard,
    UnitCard,
    UpgradeCard,
)
from companion.games.history_of_war.options import Options
from companion.games.history_of_war.pieces import ROUND, Phase
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import count, known, mapping, number, one_of, sequence
from tests.scenarios.runner import Given, Unfit

AGREED = {
    "mulligan": ("any", "strict"),
    "territory_to_territory": (False, True),
    "base_attack_from_deployment": (False, True),
    "unblocked_split": (False, True),
    "base_attack_effect": ("sample", "manual"),
    "developments_occupy": (False, True),
    "tie_at_15": ("draw", "play_on"),
    "no_territory_left": ("compare", "add_one_each"),
    "entrench_stack": (False, True),
}
NUMBERS = {"to_win": "to_win", "victory_points_to_win": "to_win"}
TABLE = {*AGREED, *NUMBERS}
"""The names of the table's options in the ledger."""
PHASES: tuple[Phase, ...] = tuple(step.id for step in ROUND)
KINDS = {
    "territory": "territory",
    "base_expansion": "base_expansion",
    "upgrade": "upgrade",
    "action": "action",
    "action_card": "action",
    "development": "development",
    "unit": "unit",
    **dict.fromkeys(CATEGORIES, "unit"),
}
"""Kinds of cards (ledger 2.1); a category is a unit of it."""
PLACES = {"deployment_area": "deployment", "deployment": "deployment", "base_area": "base", "base": "base"}
NOT_IN_PLAY = (
    "hand",
    "depot",
    "scrapyard",
    "enemy_base",
    "enemy_base_area",
    "enemy_deployment",
    "enemy_deployment_area",
    "enemy_hand",
    "enemy_depot",
    "enemy_scrapyard",
)
"""Where a player has no card in play, and none can be moved to."""
ABILITIES = ("base_attack", "entrenchment")
CATEGORIES_ALSO = ("may_also_block", "may_also_attack")


def options_of(given: dict[str, Any]) -> Options:
    """The options of the table: in ``options``, or beside the other fields, with ``opt.`` before their names or not.

    No phase passes by itself, so that what comes of an action can be looked at before anything else happens.
    """
    said = {**mapping("options", given.get("options")), **mapping("opt", given.get("opt"))}
    said |= {name: value for name, value in given.items() if name.removeprefix("opt.") in TABLE}
    found: dict[str, Any] = {"step_by_step": True}
    for written, value in said.items():
        name = written.removeprefix("opt.")
        if name in AGREED:
            found[name] = one_of(name, value, AGREED[name])
        elif name in NUMBERS:
            found[NUMBERS[name]] = number(name, value)
        else:
            raise Unfit(f"unknown option {written}")
    return Options(**found)


def phase_of(given: dict[str, Any], usual: Phase) -> Phase:
    """The phase in which something is done, by its name or its number."""
    said = given.get("phase", usual)
    if type(said) is int and 1 <= said <= len(PHASES):
        return PHASES[said - 1]
    found: Phase = one_of("phase", said, PHASES)
    return found


def locked(field: str, value: Any) -> bool:
    """Whether a card is locked; one of which it is not told is not."""
    return bool(one_of(field, value, (None, "unlocked", "locked")) == "locked")


def category(field: str, value: Any) -> Category:
    """The category of a unit, ground where it is not told."""
    found: Category = one_of(field, "ground" if value is None else value, CATEGORIES)
    return found


def abilities(given: dict[str, Any]) -> dict[str, Any]:
    """What a unit can do: listed abilities, and the categories that it may also block or attack; others are words."""
    found: dict[str, Any] = {"abilities": (), **dict.fromkeys(CATEGORIES_ALSO, ())}
    for one in sequence("abilities", given.get("abilities")):
        if one in ABILITIES:
            found["abilities"] = (*found["abilities"], one)
        elif isinstance(one, dict):
            known("abilities", one, *CATEGORIES_ALSO)
            found |= {name: _categories(name, value) for name, value in one.items()}
        elif not isinstance(one, str):
            raise Unfit("abilities: words are needed")
    for name in CATEGORIES_ALSO:
        if name in given:
            found[name] = _categories(name, given[name])
    return found


def _categories(field: str, value: Any) -> tuple[Category, ...]:
    listed = [value] if isinstance(value, str) else sequence(field, value)
    return tuple(category(field, one) for one in listed)


def attack_values(given: dict[str, Any]) -> dict[str, int | None]:
    """The attack values of a card, in ``av`` or one by one; those that are not told it does not have."""
    said = mapping("av", given.get("av"), *CATEGORIES)
    said |= {one: given[f"av_{one}"] for one in CATEGORIES if f"av_{one}" in given}
    return {
        f"av_{one}": None if said.get(one) in (None, "-") else count(f"av.{one}", said[one], "HW-63")
        for one in CATEGORIES
    }


def unit_card(name: str, given: Given) -> UnitCard:
    """A unit card; what is not told of it does not matter to the rule that is asked."""
    return UnitCard(
        name=name,
        category=category("category", given.get("category")),
        ta_cost=count("cost", given.get("cost", 0), "HW-42"),
        ta_provided=count("ta", given.get("ta", 0), "HW-40"),
        flags=count("flags", given.get("flags", 0), "HW-88"),
        dv=number("dv", 1 if given.get("dv") is None else given["dv"]),
        **attack_values(given),
        **abilities(given),
    )


def card(name: str, kind: str, given: Given) -> DepotCard:
    """A card of any kind that belongs into a depot."""
    cost, provided = count("cost", given.get("cost", 0), "HW-42"), count("ta", given.get("ta", 0), "HW-40")
    match kind:
        case "base_expansion":
            return BaseCard(name=name, ta_provided=provided, dv=given.get("dv"))
        case "upgrade":
            return UpgradeCard(name=name, ta_cost=cost)
        case "action":
            return ActionCard(name=name, ta_cost=cost)
        case "development":
            flags, able = count("flags", given.get("flags", 0), "HW-88"), abilities(given)["abilities"]
            return DevelopmentCard(
                name=name,
                ta_cost=cost,
                ta_provided=provided,
                flags=flags,
                dv=given.get("dv"),
                category=category("category", given.get("category")),
                abilities=able,
                **attack_values(given),
            )
        case "unit":
            return unit_card(name, given)
    raise Unfit(f"no card of a depot is a {kind}")


def kind_of(field: str, value: Any) -> str:
    """The kind of a card."""
    return KINDS[one_of(field, value, KINDS)]


def sort_of(given: Given) -> tuple[str, Given]:
    """The kind of a card, and its fields: a kind may stand where the category does, and a category as the kind."""
    kind, said = given.get("kind"), given.get("category")
    if kind is None and isinstance(said, str) and said in KINDS and said not in CATEGORIES:
        return KINDS[said], Given({**given, "category": None})
    found = kind_of("kind", "unit" if kind is None else kind)
    return found, Given({**given, "category": kind}) if kind in CATEGORIES and said is None else given


def action(kind: type[msgspec.Struct], **fields: Any) -> Any:
    """An action as a phone sends it; what no phone could send is refused."""
    try:
        return msgspec.convert({**fields, "action": kind.__struct_config__.tag}, kind)
    except msgspec.ValidationError as wrong:
        raise Refusal(say("There can be no such thing."), field=str(wrong)) from wrong
