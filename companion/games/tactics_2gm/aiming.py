"""What a shot depends on where units stand: weapon, reach, and what covers the target (G2-69, G2-97 to G2-107)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.tactics_2gm import shooting, speech, tokens
from companion.games.tactics_2gm.cards import Weapon
from companion.games.tactics_2gm.options import column_of, distance, hq_distance, hq_place, line_of, other
from companion.games.tactics_2gm.shooting import FACES, Added, Inside, Shot
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import Ground, Headquarters, State, Targeted, Token, Unit
from companion.kit import panels
from companion.kit.counts import number, or_more
from companion.kit.panels import Stat
from companion.kit.ruling import Reason, Refusal, changed
from companion.kit.text import Text, say


def grey(shooter: Unit, weapon: str) -> bool:
    """Tell whether the token of a weapon lies on its grey side (G2-69)."""
    token = shooter.token(weapon)
    return token is not None and token.used is not None


def square_of(target: Targeted) -> str | None:
    """Return the square of the battlefield that a target is on; None beside it, and where no board tells."""
    return None if isinstance(target, Headquarters) else target.square


def apart(shooter: Unit, target: Targeted) -> int | None:
    """Count the squares to a target (G2-102); None where no board tells."""
    if shooter.square is None:
        return None
    if isinstance(target, Headquarters):
        return hq_distance(shooter.square, target.side, target.board)
    return None if target.square is None else distance(shooter.square, target.square)


def ready(state: State, unit: Unit) -> dict[str, Weapon]:
    """Return the weapons that a unit can fire: each once a turn, none that is grey (G2-70, G2-97)."""
    return {
        name: weapon
        for name, weapon in state.weapons(unit).items()
        if weapon.range and name not in unit.fired and not grey(unit, name)
    }


def targets(state: State, unit: Unit, reach: int) -> tuple[Targeted, ...]:
    """List what a unit can shoot at within a reach, or anywhere where no board tells (G2-101)."""
    enemy = other(unit.side)
    buildings = (ground for ground in state.grounds if state.is_building(ground) and not _holds(state, unit, ground))
    hqs = (hq for hq in state.headquarters if hq.side == enemy and hq.pi)
    targeted: tuple[Targeted, ...] = (*state.on_ground(enemy), *buildings, *hqs)
    return tuple(target for target in targeted if (far := apart(unit, target)) is None or far <= reach)


def _holds(state: State, unit: Unit, ground: Ground) -> bool:
    occupant = state.occupant(ground)
    return occupant is not None and occupant.side == unit.side


def fires(state: State, unit: Unit) -> bool:
    """Tell whether a unit can fire at anything now; of an aircraft no range counts (G2-97, G2-140)."""
    if state.flies(unit):
        armed = not unit.fired and any(not grey(unit, name) for name in state.weapons(unit))
        return armed and bool(targets(state, unit, 0))
    return any(targets(state, unit, weapon.range) for weapon in ready(state, unit).values())


def aimed(state: State, shooter: Unit) -> tuple[Added, ...]:
    """List what adds to a shooter's own numbers: cards, noted effects, suppressive fire (G2-106, G2-A07)."""
    added = tokens.aim(state, shooter)
    harder = (state.options.suppression_hit, state.options.suppression_crit)
    if shooter.suppressed is None or harder == (0, 0):
        return added
    return (*added, (say("under suppressive fire"), "G2-115", harder))


def values_now(state: State, unit: Unit) -> tuple[Reason, ...]:
    """List a unit's own numbers that cards, effects and a building change (G2-58, G2-64, G2-132)."""
    card, ground = state.card(unit), state.ground_of(unit)
    moves = [Reason(called(lying.name), "G2-58", lying.movement) for lying in state.attached(unit) if lying.movement]
    plates = [Reason(called(lying.name), "G2-64", lying.armour) for lying in tokens.upon(state, unit) if lying.armour]
    inside = state.terrain(ground).armour_bonus if ground is not None and not ground.ruin else 0
    if inside:
        plates.append(Reason(say("inside the building"), "G2-132", inside))
    return (
        *changed(say("Movement"), (Reason(say("on its card"), "G2-58", card.movement), *moves)),
        *changed(say("Armour"), (Reason(say("on its card"), "G2-64", card.armour), *plates)),
    )


def weapon_of(state: State, unit: Unit, name: str) -> Text:
    """Name a unit's weapon, with a number where it has several of that name."""
    arms = state.weapons(unit)
    alike = [other for other, weapon in arms.items() if weapon.name == arms[name].name]
    weapon = called(arms[name].name)
    return weapon if len(alike) == 1 else say("{weapon} {number}", weapon=weapon, number=str(alike.index(name) + 1))


def weapons(state: State, unit: Unit) -> tuple[panels.Weapon, ...]:
    """List what a unit fires, at nobody in particular: those that have fired and those turned over are dimmed."""
    return tuple(_weapon(state, unit, name) for name in state.weapons(unit))


def _weapon(state: State, unit: Unit, name: str) -> panels.Weapon:
    weapon = arm(state, unit, name)
    shot = fired_by(state, unit, weapon, speech.unit(state, unit))
    need = shooting.numbers(shot)
    hits = shooting.hits_on(shot).terms if need.hit_on != weapon.hit else ()
    critical = shooting.critical_on(shot).terms if need.crit_on != weapon.crit else ()
    numbers = [
        Stat("die", or_more(need.hit_on, FACES), say("Hits on"), hits),
        Stat("skull", or_more(need.crit_on, FACES), say("Critical on"), critical),
        Stat("bolt", number(weapon.penetration), say("Penetration")),
        Stat("hearts", number(weapon.damage), say("Damage")),
    ]
    if weapon.range:
        numbers.insert(0, Stat("target", number(weapon.range), say("Range")))
    turned, fired = grey(unit, name), name in unit.fired
    why = say("on its grey side") if turned else say("has fired") if fired else None
    notes = (say("turns grey"),) if weapon.flips and not turned else ()
    return panels.Weapon(weapon_of(state, unit, name), tuple(numbers), notes, spent=turned or fired, why=why)


def arm(state: State, shooter: Unit, name: str) -> Weapon:
    """Return a weapon, which is turned over once used where it, or its token, has the arrow (G2-71, G2-113)."""
    weapon = state.weapons(shooter)[name]
    by_token = any(equipped.flips for token, equipped in state.equipment(shooter) if token.slot == name)
    return replace(weapon, flips=by_token or weapon.flips)


def fired_by(state: State, shooter: Unit, weapon: Weapon, enemy: Text) -> Shot:
    """Return what a shot depends on whose shooter alone is known."""
    return Shot(
        weapon=weapon,
        shooter=speech.unit(state, shooter),
        enemy=enemy,
        wounds=shooter.wounds,
        modifiers=aimed(state, shooter),
        natural_ten=state.options.natural_ten,
    )


def use_weapon(state: State, shooter: Unit, name: str) -> State:
    """Use a weapon up for this turn, and turn over what flips (G2-97, G2-113)."""
    fired = (*shooter.fired, name)
    if not arm(state, shooter, name).flips:
        return state.with_unit(shooter.id, fired=fired)
    tokens = shooter.tokens if shooter.token(name) else (*shooter.tokens, Token(name))
    turned = tuple(replace(token, used=state.turn) if token.slot == name else token for token in tokens)
    return state.with_unit(shooter.id, fired=fired, tokens=turned)


def find_target(state: State, name: str) -> Targeted:
    """Return the unit, the headquarters or the terrain of that id; raise Refusal."""
    return state.hq(name) or state.ground(name) or state.unit(name, "target")


def target_name(state: State, target: Targeted) -> Text:
    """Name what may be shot at beside other targets: a unit inside a building is not the building (G2-133)."""
    if not isinstance(target, Unit) or (ground := state.ground_of(target)) is None or not state.is_building(ground):
        return speech.piece(state, target)
    name = speech.unit(state, target) if target.square is None else speech.card(state, target)
    return say("{unit} inside the {terrain}", unit=name, terrain=speech.ground(state, ground))


def drawn_at(target: Targeted) -> str | None:
    """Return the square of the drawn board on which a target is tapped; None where there is no board."""
    return hq_place(target.side, target.board) if isinstance(target, Headquarters) else target.square


def shot_of(
    state: State, shooter: Unit, weapon: str, target: Targeted, *, distance: int | None = None, behind: bool = False
) -> Shot:
    """Return what a shot depends on; raise Refusal at what can not be shot at (G2-A06).

    ``shooter`` may be an aircraft, of which no range counts. Where only the real battlefield knows, ``distance`` is
    told, and whether the target advances under cover.
    """
    if weapon not in state.weapons(shooter):
        raise Refusal(say("It has no such weapon."), "G2-97", "weapon")
    shot = replace(
        fired_by(state, shooter, arm(state, shooter, weapon), speech.piece(state, target)),
        distance=None if state.flies(shooter) else distance if distance is not None else apart(shooter, target),
        grey=grey(shooter, weapon),
        fired=weapon in shooter.fired,
    )
    match target:
        case Unit():
            return _at_unit(state, shot, shooter, target, behind=behind)
        case Headquarters():
            return replace(shot, target="hq", pi=target.pi, armour=target.card.armour, own=target.side == shooter.side)
        case Ground():
            return _at_ground(state, shot, shooter, target)


def _at_unit(state: State, shot: Shot, shooter: Unit, target: Unit, *, behind: bool) -> Shot:
    if state.flies(target):
        raise Refusal(say("An aircraft that waits at its headquarters is not shot at."), "G2-139", "target")
    modifiers, inside = [*shot.modifiers, *tokens.cover(state, target)], None
    ground = state.ground_of(target)
    if ground is not None:
        card = state.terrain(ground)
        if state.is_building(ground):
            inside = Inside(card.cover, card.armour_bonus)
        else:
            cover = card.ruin_cover if ground.ruin else card.cover
            name = Text("ruin") if ground.ruin else called(card.name)
            modifiers.append(shooting.covered(name, cover))
    if state.card(target).family == "infantry" and (behind or _advances(state, shooter, target)):
        harder = (state.options.advance_cover_hit, state.options.advance_cover_crit)
        modifiers.append((say("advancing under cover"), "G2-88", harder))
    return replace(
        shot,
        modifiers=tuple(added for added in modifiers if added[2] != (0, 0)),
        armour=tokens.armour(state, target),
        in_building=inside,
        wounds_max=state.card(target).wounds,
        target_wounds=target.wounds,
        own=target.side == shooter.side,
    )


def _at_ground(state: State, shot: Shot, shooter: Unit, target: Ground) -> Shot:
    """Aim at a building: no cover, its own armour (G2-A06); other terrain has nothing to be shot at."""
    card = state.terrain(target)
    if not state.is_building(target):
        text = say("Only a building that stands is shot at: other terrain has no impact points.")
        raise Refusal(text, "G2-133", "target")
    if _holds(state, shooter, target):
        raise Refusal(say("One of your own units is inside."), "G2-136", "target")
    return replace(
        shot, target="building", pi=target.pi, armour=card.armour, occupant=state.occupant(target) is not None
    )


def _advances(state: State, shooter: Unit, target: Unit) -> bool:
    """Tell whether infantry advances under cover against that shooter (G2-88, G2-A27).

    It stands directly behind a friendly tank or transport with armour, and the shooter in front of that vehicle.
    """
    if target.square is None or shooter.square is None:
        return False
    column, line = column_of(target.square), line_of(target.side, target.square)
    return any(
        vehicle.square is not None
        and state.card(vehicle).family in {"tank", "transport"}
        and tokens.armour(state, vehicle) > 0
        and column_of(vehicle.square) == column
        and line_of(target.side, vehicle.square) == line + 1 < line_of(target.side, shooter.square)
        for vehicle in state.on_ground(target.side)
    )
