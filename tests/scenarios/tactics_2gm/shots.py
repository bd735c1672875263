"""Scenarios of fire: the numbers of a shot, what comes of it, and how likely that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.games.tactics_2gm import aiming, shooting
from companion.games.tactics_2gm.cards import HeadquartersCard, TerrainCard, TerrainDeck, UnitCard, Weapon
from companion.games.tactics_2gm.fire import Fire
from companion.games.tactics_2gm.options import Options, distance, grid, hq_distance, square
from companion.games.tactics_2gm.shooting import Numbers
from companion.games.tactics_2gm.state import Ground, Mark, State, Token, Unit
from companion.kit.ruling import Refusal
from tests.scenarios.fields import mapping, number, objects, one_of, truth
from tests.scenarios.runner import Given, OneOf
from tests.scenarios.tactics_2gm.answers import Script, after, ruled
from tests.scenarios.tactics_2gm.fields import WEAPON, modifiers, options_of, pair, weapon
from tests.scenarios.tactics_2gm.tables import TURN, phase_of, state_of

if TYPE_CHECKING:
    from companion.kit.ruling import Ruling

OWN = {"own", "friendly", "friend", "ally", "same", "self", "shooter"}
NOBODY = (None, False, "none")
WON = ("shooter", "attacker", "active", "active_player", "player", True)
"""How a scenario may call who has won by a shot."""
ENEMY = {"enemy", "foe", "opponent", None}
TARGET = (
    "kind",
    "name",
    "id",
    "side",
    "armour",
    "wounds_max",
    "wounds",
    "in_building",
    "pi",
    "occupant",
    "advance_under_cover",
    "family",
    "subtype",
)
SHOOTER = ("name", "id", "side", "wounds", "under_suppression", "family", "subtype")
THRESHOLDS = {"hit", "crit", "wounds", "modifiers", "under_suppression"}


def thresholds(given: Given, _: Script) -> dict[str, Any]:
    return {**numbers(given)._asdict()}


def numbers(given: Given) -> Numbers:
    """The numbers of a shot, as the rule itself works them out."""
    options = options_of(given)
    added = list(modifiers(given))
    if truth("under_suppression", given.get("under_suppression")):
        added.append((options.suppression_hit, options.suppression_crit))
    wounds = number("wounds", given.get("wounds", 0))
    printed = number("hit", given["hit"]), number("crit", given["crit"])
    return shooting.thresholds(*printed, wounds, added, options.natural_ten)


def shot(given: Given, ask: Script) -> dict[str, Any]:
    state, action = aim(given)
    ruling = ruled(state, action, ask)
    arm = aiming.shot_of(
        state,
        state.unit("a1"),
        "w0",
        aiming.find_target(state, action.target),
        distance=action.distance,
        behind=action.behind,
    )
    return {**shooting.numbers(arm)._asdict(), **came_of(state, action, ruling, whose(given))}


def aim(given: Given) -> tuple[State, Fire]:
    """The table on which a shot is fired, and the shot."""
    options = options_of(given)
    shooter = mapping("shooter", given.get("shooter"), *SHOOTER)
    target = mapping("target", given["target"], *TARGET)
    kind = one_of("kind", target.get("kind", "unit"), ("unit", "hq", "headquarters", "building"))
    arm = mapping("weapon", given["weapon"], *WEAPON)
    away = number("distance", given.get("distance", 1))
    cards = [gunner(weapon(arm, reach=max(away, 1)))]
    tokens = (Token("w0", TURN - 1),) if grey(arm) else ()
    fired = ("w0",) if truth("fired_this_phase", arm.get("fired_this_phase")) else ()
    marks = tuple(Mark("modifier", "allies", added) for added in modifiers(given))
    suppressed: Any = "axis" if truth("under_suppression", shooter.get("under_suppression")) else None
    here, there = apart(options, away, hq=kind in {"hq", "headquarters"})
    behind = truth("advance_under_cover", target.get("advance_under_cover"))
    if here is None or behind or away < 1:
        # Only the real battlefield is large enough, or knows the vehicle that the infantry is behind.
        options, here, there = options_of(given, board="table"), None, None
    firing = Unit(
        "a1",
        "allies",
        "0.0",
        here,
        wounds=number("wounds", shooter.get("wounds", 0)),
        tokens=tokens,
        fired=fired,
        marks=marks,
        suppressed=suppressed,
    )
    aimed_at, found = TARGETS[kind](target, there, own=is_own(shooter, target))
    cards += found.pop("cards", ())
    state = state_of(
        options, firing, *found.pop("units", ()), cards=tuple(cards), phase=phase_of(given, "fire"), **found
    )
    return state, Fire("a1", "w0", aimed_at, away if here is None else None, behind)


def gunner(*arms: Weapon) -> UnitCard:
    """The card of a unit that has seen everything."""
    arms = tuple(replace(arm, name=f"weapon {at}") for at, arm in enumerate(arms))
    return UnitCard(name="shooter", family="artillery", cost=1, wounds=99, weapon=arms)


def grey(arm: Given) -> bool:
    """Whether a weapon's token lies on its grey side."""
    said = arm.get("token_state")
    return one_of("token_state", said, (None, "ready", "flipped", "grey", "colour", "color")) in {"flipped", "grey"}


def is_own(shooter: Given, target: Given) -> bool:
    """Whether a target belongs to who shoots at it."""
    side = target.get("side")
    if side in OWN or side in ENEMY:
        return side in OWN
    return bool(
        one_of("side", side, ("allies", "axis")) == one_of("side", shooter.get("side", "allies"), ("allies", "axis"))
    )


def whose(given: Given) -> str:
    """The side that shoots: as it is told, or the enemy of the target."""
    shooter, target = mapping("shooter", given.get("shooter")), mapping("target", given["target"])
    return str(shooter.get("side") or ("allies" if target.get("side") != "allies" else "axis"))


def apart(options: Options, away: int, *, hq: bool) -> tuple[str | None, str | None]:
    """Two squares so far from each other, or one so far from the enemy headquarters; none where there are none."""
    board = grid(options)
    first = square(options, "allies", 1, 1)
    for there in board.squares():
        if hq and hq_distance(there, "axis") == away:
            return there, None
        if not hq and distance(first, there) == away:
            return first, there
    return None, None


def at_unit(target: Given, there: str | None, *, own: bool) -> tuple[str, dict[str, Any]]:
    most = number("wounds_max", target.get("wounds_max", 1))
    card = UnitCard(
        name="target", family="infantry", cost=1, wounds=most, armour=number("armour", target.get("armour", 0))
    )
    found: dict[str, Any] = {"cards": [card]}
    inside = None
    if target.get("in_building"):
        house = mapping("in_building", target["in_building"], "cover", "armour_bonus", "name", "pi", "armour")
        cover = pair("cover", house.get("cover", [0, 0]))
        bonus = number("armour_bonus", house.get("armour_bonus", 0))
        found |= laid(TerrainCard(name="house", cost=3, building=True, cover=cover, armour_bonus=bonus, pi=9), there)
        inside = None if there else "g1"
    wounds = number("wounds", target.get("wounds", 0))
    found["units"] = [Unit("x1", "allies" if own else "axis", "1.0", there, inside, wounds)]
    return "x1", found


def at_hq(target: Given, _: str | None, *, own: bool) -> tuple[str, dict[str, Any]]:
    card = HeadquartersCard(pi=99, ap_cap=99, armour=number("armour", target.get("armour", 0)))
    name = "hq_allies" if own else "hq_axis"
    return name, {"headquarters": card, "pi": number("pi", target.get("pi", 10))}


def at_building(target: Given, there: str | None, *, own: bool) -> tuple[str, dict[str, Any]]:
    left = number("pi", target["pi"])
    card = TerrainCard(
        name="house",
        cost=3,
        building=True,
        cover=(2, 2),
        armour_bonus=1,
        pi=left,
        armour=number("armour", target.get("armour", 0)),
    )
    found = laid(card, there, left)
    if target.get("occupant"):
        found["cards"] = [UnitCard(name="occupant", family="infantry", cost=1, wounds=3)]
        found["units"] = [Unit("x1", "allies" if own else "axis", "1.0", there, None if there else "g1")]
    return "g1", found


def laid(card: TerrainCard, there: str | None, left: int = 9) -> dict[str, Any]:
    """A terrain card on the battlefield."""
    return {
        "terrain_deck": TerrainDeck(name="terrain", terrain=(card,)),
        "grounds": (Ground("g1", 0, "axis", there, left),),
    }


TARGETS: dict[str, Any] = {"unit": at_unit, "hq": at_hq, "headquarters": at_hq, "building": at_building}


def came_of(state: State, action: Fire, ruling: Ruling[State], side: str) -> dict[str, Any]:
    """What a shot has done, read off the table and off what was told."""
    now: State = ruling.outcome
    cited = {reason.clause for reason in ruling.reasons}
    hurt = sum(harm.hits for reason in ruling.reasons for harm in reason.harm if harm.to.id == action.target)
    struck = any(reason.clause in {"G2-63", "G2-110"} for reason in ruling.reasons)
    found: dict[str, Any] = {
        "weapon_flipped": (token := now.unit("a1").token("w0")) is not None and token.used == now.turn,
        "winner": OneOf(*WON, side) if now.winner else OneOf(*NOBODY),
        "occupant_destroyed": False,
        "becomes_ruin": False,
    }
    critical = False
    if hq := state.hq(action.target):
        left = now.hq(hq.id)
        assert left is not None
        found |= {"target_pi": left.pi, "destroyed": left.pi == 0}
    elif action.target == "g1":
        left_ground = now.grounds[0]
        found |= {
            "target_pi": left_ground.pi,
            "destroyed": left_ground.ruin,
            "becomes_ruin": left_ground.ruin,
            "occupant_destroyed": state.find("x1") is not None and now.find("x1") is None,
        }
    else:
        unit = state.unit(action.target)
        stands = now.find(unit.id)
        critical = stands is None and "G2-104" in {r.clause for r in ruling.reasons if r.harm}
        wounds = unit.wounds + hurt if stands is None else stands.wounds
        found |= {"target_wounds": OneOf(wounds, unit.wounds) if critical else wounds, "destroyed": stands is None}
    came = "miss" if not struck else "bounced" if "G2-110" in cited else "critical" if critical else "hit"
    return {"result": came, **found}


def suppression(given: Given, _: Script) -> dict[str, Any]:
    """Fire every shot of the phase; each unit has as many weapons as it fires, and every die is a 1."""
    shots = objects("shots", given["shots"], "shooter", "target", "in_range", "weapon", "result", "hit")
    count: dict[str, int] = {}
    for one in shots:
        count[str(one["shooter"])] = count.get(str(one["shooter"]), 0) + 1
    shooters = {name: f"a{at}" for at, name in enumerate(count)}
    targets = {name: f"x{at}" for at, name in enumerate(dict.fromkeys(str(one["target"]) for one in shots))}
    arm = Weapon(name="rifle", range=5, hit=2, crit=10, penetration=0, damage=1)
    cards = (gunner(*(arm,) * max([1, *count.values()])),)
    units = (
        *(Unit(name, "allies", f"0.{at}") for at, name in enumerate(shooters.values())),
        *(Unit(name, "axis", f"0.{at}") for at, name in enumerate(targets.values())),
    )
    state = state_of(options_of(given, board="table"), *units, cards=cards)
    fired = dict.fromkeys(shooters, 0)
    for one in shots:
        name = str(one["shooter"])
        reach = truth("in_range", one.get("in_range", True))
        action = Fire(shooters[name], f"w{fired[name]}", targets[str(one["target"])], 1 if reach else 6)
        fired[name] += 1
        try:
            state = after(state, action, Script([{"roll": "d10", "values": [1]}]))
        except Refusal:
            if reach:
                raise
    names = {unit: name for name, unit in targets.items()}
    return {"under_suppression": sorted(names[one.id] for one in state.of("axis") if one.suppressed is not None)}
