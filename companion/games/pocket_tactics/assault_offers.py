"""The assaults that a player is offered: for each unit, kind and skill those whom it may assault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.pocket_tactics import dangers, describing, landing, speech, targets, threats
from companion.games.pocket_tactics.cards import slot_of
from companion.games.pocket_tactics.sides import other
from companion.kit.asking import Badge, Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.games.pocket_tactics.doing import Kind, Skill
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.games.pocket_tactics.targets import Target


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer every assault that a player can make."""
    return [
        offer
        for unit in state.of(seat, "tile")
        for kind, skill in targets.declarable(state, unit)
        for offer in _assault(state, unit, kind, skill)
    ]


def reminders(state: State, unit: Unit) -> list[Text]:
    """Say the special abilities of a unit that may matter in an assault: what they say the players do (PT-05)."""
    who = speech.kind(state, unit)
    return [
        say("{unit}. {text}", unit=who, text=describing.ability(one))
        for one in state.card(unit).ability
        if one.timing in ("any", "assault")
    ]


def _assault(state: State, unit: Unit, kind: Kind, skill: Skill) -> Iterator[Offer]:
    """Offer an assault, where somebody can be assaulted in that way."""
    options = _targets(state, unit, kind, skill)
    if not any(option.barred is None for option in options):
        return
    name = speech.kind(state, unit)
    if kind == skill:
        label = say("Melee: {unit}", unit=name)
    elif kind == "melee":
        label = say("Melee, {skill}: {unit}", skill=Text(skill), unit=name)
    else:
        label = say("Ranged, {skill}: {unit}", skill=Text(skill), unit=name)
    free = [option.value for option in options if option.barred is None]
    aimed_at = {target.key: target.terrain(state) for target in targets.all_of(state, unit.seat) if target.key in free}
    warned, each = threats.leaving_each(landing.mover(state, unit), state.terrain(unit), aimed_at, kind)
    options = tuple(replace(option, advice=each.get(option.value, ())) for option in options)
    target = Field("target", say("Whom"), "choice", options, free[0] if len(free) == 1 else None)
    told = () if state.mirrored else tuple(_counted(state, unit, kind, skill))
    advice = (*warned, *(Reason(reminder, "PT-05") for reminder in reminders(state, unit)))
    clause = "PT-33" if kind == "melee" else "PT-54"
    yield Offer(
        "assault",
        label,
        {"unit": unit.id, "kind": kind, "skill": skill},
        (target, *told),
        on=unit.id,
        chancy=True,
        loose=bool(told),
        clause=clause,
        advice=advice,
    )


def _targets(state: State, unit: Unit, kind: Kind, skill: Skill) -> tuple[Option, ...]:
    """List whom a unit can assault; those within reach whom a wall or a gap saves are barred."""
    if not state.mirrored:
        return tuple(
            Option(target.key, _standing(state, target), note=_threat(state, unit, kind, target))
            for target in targets.all_of(state, unit.seat)
        )
    found = []
    for target, aim in targets.aims(state, unit):
        why = targets.aim_barred(state, unit, kind, skill, aim)
        if why is None or why.clause in ("PT-81", "PT-89"):
            note, badge = _threat(state, unit, kind, target), _badge(state, unit, kind, target)
            found.append(
                Option(target.key, target.name(state), why.reason if why else None, target.at, note, badge=badge)
            )
    return tuple(found)


def _threat(state: State, unit: Unit, kind: Kind, target: Target) -> Text | None:
    """Say what waits for whoever comes onto the target's tile, and for a victor who stays there (PT-74, PT-A29)."""
    if kind == "ranged":
        return None
    mover, terrain = landing.mover(state, unit), target.terrain(state)
    found = dangers.entry_test(mover, terrain, "melee")
    if found is not None:
        return threats.threat(found)
    later = dangers.entry_test(mover, terrain)
    return say("after a victory: {threat}", threat=threats.threat(later)) if later else None


def _badge(state: State, unit: Unit, kind: Kind, target: Target) -> Badge | None:
    """Show the sign of what waits for whoever comes onto the target's tile; a victor's test is told in words."""
    found = dangers.entry_test(landing.mover(state, unit), target.terrain(state), "melee") if kind == "melee" else None
    return None if found is None else threats.badge(found)


def _standing(state: State, target: Target) -> Text:
    """Name a target with its terrain, where the map lies on the table."""
    name = target.name(state)
    if target.unit is None:
        return name
    return say("{unit}, {terrain}", unit=name, terrain=speech.terrain(target.terrain(state)))


def _counted(state: State, unit: Unit, kind: Kind, skill: Skill) -> Iterator[Field]:
    """Ask for what the players see where the map lies on the table: how far, and who assists (PT-53, PT-59)."""
    reach = 1 if kind == "melee" else state.card(unit).reaches(slot_of(skill))
    if reach > 1:
        yield Field(
            "distance",
            say("Tiles away"),
            "number",
            value=1,
            low=1,
            high=reach,
            hint=say("In a straight line over tiles, without a gap or a tunnel wall in between."),
        )
    either = kind == "melee" and state.options.melee_assist_scope == "either_tile"
    where = (
        say("Units beside either tile, without the two that fight.")
        if either
        else say("Units beside the target, without the two that fight.")
    )
    ours = targets.most_assists(state, unit.seat, kind, fights=True)
    theirs = targets.most_assists(state, other(unit.seat), kind, fights=False)
    if ours:
        yield Field("attacker_assists", say("Your units that assist"), "number", value=0, high=ours, hint=where)
    if theirs:
        yield Field("defender_assists", say("Enemy units that assist"), "number", value=0, high=theirs, hint=where)
