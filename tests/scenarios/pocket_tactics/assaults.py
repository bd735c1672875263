"""Scenarios of assaults: two pools compared, a whole assault, and how many re-rolls there are."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.games.pocket_tactics import fight, targets
from companion.games.pocket_tactics.assault import Assault
from companion.games.pocket_tactics.assault import facts as facts_of
from companion.games.pocket_tactics.cards import Faction
from companion.games.pocket_tactics.dice import Facts, clamped, counting, hits, pool
from companion.games.pocket_tactics.fight import Course, Result
from companion.games.pocket_tactics.land import mover_of
from companion.games.pocket_tactics.state import State, Unit
from companion.games.pocket_tactics.targets import Aim, Target
from companion.games.pocket_tactics.terrain import Spot
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import mapping, one_of
from tests.scenarios.pocket_tactics import answers
from tests.scenarios.pocket_tactics.answers import Script
from tests.scenarios.pocket_tactics.fields import UNTOLD, action, amount, card, options_of, stat, terrain, usually
from tests.scenarios.pocket_tactics.lands import AROUND, ended, land, slid
from tests.scenarios.runner import Given

BASE = "base"
KINDS = ("melee", "ranged")
SKILLS = ("melee", "ballistic", "arcane", "tech", "magetech")
USUAL = {"melee": "melee", "ranged": "ballistic"}
NAMES = {"from": "origin", "to": "target", "choice": "opponent_choice"}
SIDES = ("attacker", "defender")
ASSAULT = {
    "kind",
    "skill",
    "attacker",
    "defender",
    "attacker_tile",
    "target_tile",
    "distance",
    "line_of_sight",
    "edge_open",
    "attacker_assists",
    "defender_assists",
    "attacker_ability_rerolls",
    "defender_ability_rerolls",
    "rerolls",
    "hop",
    "neighbours_target",
    *AROUND,
}
COMPARE = {"offence_dice", "defence_dice", "offence_kicker", "defence_kicker"}


def compare(given: Given, dice: list[Any]) -> dict[str, Any]:
    """Roll one pool against another."""
    ask, options, pools = Script(dice), options_of(given), []
    for name in ("offence", "defence"):
        value = stat(f"{name}_dice", given[f"{name}_dice"])
        kicker = amount(given, f"{name}_kicker") or value.kicker
        value = counting(value._replace(kicker=clamped(kicker)), options)
        faces = ask.throw(value.dice, 6, name, say("Compare"), by="blue", clause="PT-36") if value.dice else ()
        pools.append(pool(faces, value.kicker))
    ask.finish()
    return {"hit": hits(*pools)}


class Scene(NamedTuple):
    """Hold two units on a table whose map is not Companion's, and how the one assaults the other."""

    state: State
    assault: Assault
    unit: Unit
    target: Target
    aim: Aim

    @property
    def facts(self) -> Facts:
        return facts_of(self.state, self.assault, self.unit, self.target, self.aim)


def scene(given: Given, skill: Any) -> Scene:
    """The table on which an assault is made."""
    kind = one_of("kind", given["kind"], KINDS)
    asked = {side: given.get(f"{side}_ability_rerolls") for side in SIDES}
    cards = {"blue": card("attacker", given["attacker"], asked["attacker"])}
    units = [Unit(id="b0.1", seat="blue", where="tile", terrain=terrain("attacker_tile", given.get("attacker_tile")))]
    base = given["defender"] == BASE
    if not base:
        cards["red"] = card("defender", given["defender"], asked["defender"])
        on = terrain("target_tile", given.get("target_tile"))
        units.append(Unit(id="r0.1", seat="red", where="tile", terrain=on))
    factions: Any = {seat: Faction(name=seat, unit=(one,)) for seat, one in cards.items()}
    state = State(options=options_of(given), factions=factions, phase="play", turn=1, units=tuple(units))
    hop, hops = _hops(given)
    assault = action(
        Assault,
        "PT-35" if skill == "magetech" else "PT-31",
        unit="b0.1",
        target=BASE if base else "r0.1",
        kind=kind,
        skill=one_of("skill", skill, SKILLS),
        distance=amount(given, "distance", 1 + hops),
        **{f"{side}_assists": amount(given, f"{side}_assists") for side in SIDES},
    )
    aim = Aim(
        assault.distance,
        usually("edge_open", given.get("edge_open")),
        usually("line_of_sight", given.get("line_of_sight")),
        hop or (not hops and kind == "melee" and assault.distance == 2 and state.options.hop_assault),
    )
    return Scene(state, assault, state.units[0], targets.find(state, "blue", assault.target), aim)


def _hops(given: Given) -> tuple[bool, bool]:
    """Whether there is a hop that leads over one friend, and whether one is told at all."""
    if given.get("hop") is None:
        return False, False
    said = mapping("hop", given["hop"], "occupied_by", "terrain", "count")
    return said["occupied_by"] == "ally" and amount(said, "count", 1) == 1, True


def assault(given: Given, dice: list[Any]) -> dict[str, Any]:
    """Assault a unit or a base, from tile to tile."""
    here = scene(given, given["skill"])
    state, unit, target = here.state, here.unit, here.target
    kind, skill = here.assault.kind, here.assault.skill
    why = targets.undeclarable(state, unit, kind, skill) or targets.unreachable(state, unit, kind, skill, here.aim)
    if why is not None:
        raise why
    facts = here.facts
    more = amount(given, "defender_ability_rerolls")
    if facts.base and more:
        # No card gives them to a base; where they are told, an ability of somebody beside it does.
        facts = facts._replace(defender=facts.defender._replace(abilities=("any",) * more))
    ask = Script(dice, answers.rerolls(given.get("rerolls")), given.get("owner_choice"))
    around = land(given, **{"from": "neighbours_from", "to": "neighbours_target"})
    origin = Spot(unit.terrain or UNTOLD, None, "from")
    ground = Spot(target.terrain(state), None, "to")
    result = fight.run(Course(facts, mover_of(state, unit), origin, ground, around, around), state.options, ask)
    ask.finish()
    return {**_told(result, kind), **(slid(result.fate, ask.asked) if result.fate else {"direction": None})}


def _told(result: Result, kind: str) -> dict[str, Any]:
    """What came of an assault; ``attacker_at`` is where the attacker ends."""
    outcome, fate = result.outcome, result.fate
    if outcome is None:
        assert fate is not None
        told = {"attack_hits": False, "counter_hits": False, "outcome": "cancelled", "winner": None}
        return {**told, "attacker_at": ended(fate, NAMES, "origin"), "action_spent": True}
    end: str = outcome.end
    if fate is not None:
        where = ended(fate, NAMES, "target")
    elif outcome.counter_hits:
        where = "captured"
    else:
        where = "target" if end == "base_taken" and kind == "melee" else "origin"
    return {
        "attack_hits": outcome.attack_hits,
        "counter_hits": outcome.counter_hits,
        "outcome": end,
        "attacker_at": where,
        "winner": "attacker" if end == "base_taken" else None,
        "action_spent": True,
    }


def rerolls(given: Given, dice: list[Any]) -> dict[str, Any]:
    """Count the situational re-rolls of both sides; which skill they fight with does not matter to them."""
    if dice:
        raise Refusal(say("No dice are thrown."), "PT-51", "dice")
    skill = given.get("skill", USUAL.get(given["kind"]))
    facts = scene(given, "arcane" if skill == "magetech" else skill).facts
    return {side: getattr(facts, side).rerolls.situational for side in SIDES}
