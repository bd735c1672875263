"""Protection by terrain and by formation (TTC-102 to TTC-109)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.kit.asking import Option
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.facts import Facts
    from companion.games.two_cities.options import Options
    from companion.kit.asking import Ask


class Protected(msgspec.Struct, frozen=True):
    """Say which protection was used (``terrain``, ``formation`` or none) and on what."""

    used: str
    hits: int = 0
    retreats: int = 0


NOTHING = Protected("")
CHOICES = {
    "none": NOTHING,
    "terrain": Protected("terrain", hits=1),
    "formation_hit": Protected("formation", hits=1),
    "formation_retreat": Protected("formation", retreats=1),
}


def no_terrain_protection(facts: Facts) -> Reason | None:
    """Say why terrain does not protect the target (TTC-102)."""
    if facts.target_terrain == "open":
        return Reason(say("Only a unit in a forest or on a hill is protected by terrain."), "TTC-102")
    return _used_up(facts, "terrain")


def no_formation(facts: Facts, rules: Options) -> Reason | None:
    """Say why no formation protects the target (TTC-103, TTC-105)."""
    if facts.city and not rules.city_formation:
        return Reason(say("At this table a city takes no part in a formation."), "TTC-105")
    if not facts.neighbour:
        return Reason(say("No friendly unit ({see}) stands directly to the left or right.", see="TTC-105"), "TTC-103")
    return _used_up(facts, "formation")


def _used_up(facts: Facts, protection: str) -> Reason | None:
    if protection in facts.used:
        return Reason(say("At this table each protection works once a turn, and it has been used."), "TTC-107")
    return None


def protect(facts: Facts, rules: Options, hits: int, retreats: int, ask: Ask) -> Protected:
    """Ask the defender which protection to use, if any (TTC-106, TTC-108).

    A protection that has nothing to ignore is no choice; one that the unit has no right to is barred.
    """
    if not hits and not retreats and "protection" not in ask.intended:
        return NOTHING
    terrain, formation = no_terrain_protection(facts), no_formation(facts, rules)
    wishes = (
        ("terrain", say("{terrain}: ignore one hit", terrain=_ground(facts)), terrain, hits),
        ("formation_hit", say("Formation: ignore one hit"), formation, hits),
        ("formation_retreat", say("Formation: ignore one retreat hit"), formation, retreats),
    )
    options = [Option("none", say("No protection"))]
    options += [Option(key, label, barred) for key, label, barred, rolled in wishes if barred or rolled]
    why = say("Protection for {unit}: only one against each attack. Which?", unit=Text(facts.target))
    chosen = CHOICES[ask.choose(facts.defending, options, "protection", why, clause="TTC-106")]
    if chosen.used == "terrain":
        ask.tell(say("{terrain}: one hit ignored", terrain=_ground(facts)), "TTC-102", -1)
    elif chosen.hits:
        ask.tell(say("Formation: one hit ignored"), "TTC-103", -1)
    elif chosen.retreats:
        ask.tell(say("Formation: one retreat hit ignored"), "TTC-104", -1)
    return chosen


def _ground(facts: Facts) -> Text:
    return say("Terrain") if facts.target_terrain == "open" else Text(f"the_{facts.target_terrain}")
