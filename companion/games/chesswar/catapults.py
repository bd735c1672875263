"""Catapults, terror catapults, rocks and plague bombs (CW-66 to CW-82, CW-157, CW-158, CW-167)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated

from msgspec import Meta

from companion.games.chesswar import clashes, odds, shooting, speech, traits
from companion.games.chesswar.armies import Weapon
from companion.games.chesswar.destruction import Toll
from companion.games.chesswar.magic import STORM_SCATTERS
from companion.games.chesswar.options import AROUND, Around, Drift, Impact, Place, Side, grid, scattered, shift
from companion.games.chesswar.shooting import Aim
from companion.games.chesswar.speech import Line
from companion.games.chesswar.state import Last, Number, Square, State, Unit, UnitAction, UnitId
from companion.games.chesswar.traits import Against
from companion.kit import counts
from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.clash import Clash, Effect
from companion.kit.odds import Chart
from companion.kit.questions import Badge, Option, square_options
from companion.kit.ruling import Reason, Refusal, refuse, total
from companion.kit.text import Text, numbered, say

catapults = Chapter[State, Side]()

CHESSBOARD_SIDE = 8
ALIKE = ((1,), (2,), (3,), (4,), (5, 6))
WAYS: dict[Drift, Text] = {(0, 1): say("ahead"), (1, 0): say("right"), (0, -1): say("back"), (-1, 0): say("left")}
SCATTERS = tuple(Effect((face,), WAYS[way]) for face in range(1, 7) if (way := scattered((face,))) in WAYS)
"""Where each face of a scatter die moves the impact as the shooter sees it; no harm, for one may undo another."""
NOBODY = "nobody"
OFF_BOARD = "off_board"
OWN_SQUARE = "own_square"


class Bombard(UnitAction, frozen=True, tag="bombard"):
    """Throw at a square (CW-66 to CW-81); where the board is not mirrored its distance is told instead.

    There ``target`` is who stands on it, ``enemies`` and ``own`` are squares around it with units, for the odds.
    """

    square: Square | None = None
    distance: Number | None = None
    direct: bool | None = None
    target: UnitId | None = None
    enemies: Annotated[tuple[Place, ...], Meta(max_length=8)] = ()
    own: Annotated[tuple[Place, ...], Meta(max_length=8)] = ()


def throws(state: State, line: Line) -> Iterator[Offer]:
    """Offer the shot of a unit with a catapult or the like (CW-67)."""
    unit, weapon = line.unit, line.unit.weapon
    if weapon is None or weapon.bow or shooting.barred(unit) is not None:
        return
    fields: tuple[Field, ...]
    if state.mirrored:
        where = tuple(_aimed(state, unit, square) for square in _in_reach(state, unit))
        if not where:
            return
        fields = (Field("square", say("Target square"), "choice", where),)
    else:
        far = shooting.distance(weapon.nearest, reach(state, weapon))
        fields = (far, *shooting.sight(state, unit), *_around(state, unit))
    label = say("Shoot: {unit}", unit=speech.called(state, line))
    yield Bombard.offer(label, *fields, unit=unit.id, on=unit.id, chancy=True, clause="CW-67")


def _in_reach(state: State, unit: Unit) -> Iterator[str]:
    for square in grid(state.options).squares():
        holder = state.at(square)
        if state.options.catapult_needs_enemy and (holder is None or not state.enemies(unit, holder)):
            continue
        try:
            aim(state, unit, square)
        except Refusal:
            continue
        yield square


def _aimed(state: State, unit: Unit, square: str) -> Option:
    """Name a square to aim at by who stands there, with the dice that scatter (CW-67, CW-69, CW-76).

    One with a friend is rarely meant.
    """
    holder = state.at(square)
    if holder is None:
        return square_options((square,))[0]
    dice = required(state, unit, aim(state, unit, square))
    note, badge = dice.text, Badge("die", counts.number(dice.value or 0))
    if holder.side == unit.side:
        note = speech.melee(state, holder) or note
        return Option(square, speech.own(holder, square), place=square, note=note, aside=True, badge=badge)
    aside = not state.enemies(unit, holder)
    return Option(square, speech.with_side(state, holder), place=square, note=note, aside=aside, badge=badge)


def _around(state: State, unit: Unit) -> tuple[Field, ...]:
    """Ask who stands on the square aimed at and beside it; whoever does not say still has the odds of the scatter."""
    foes = [foe for foe in state.standing() if state.enemies(unit, foe)]
    targets = (Option(NOBODY, say("Nobody, or not said")), *speech.options(state, foes))
    places = tuple(Option(place, arrow) for place, (_, arrow) in AROUND.items())
    return (
        Field("target", say("Who stands on that square"), "choice", targets, value=NOBODY),
        Field("enemies", say("Enemies beside it, for the odds"), "many", places, hint=say("↑ is away from you.")),
        Field("own", say("Own units beside it, for the odds"), "many", places),
    )


def reach(state: State, weapon: Weapon) -> int:
    """Return how far a thrower reaches: across a chessboard, 8 squares on a larger board (CW-66, CW-77, CW-167)."""
    return weapon.reach or min(CHESSBOARD_SIDE, state.options.squares - 1)


def scatter_dice(state: State, shooter: Unit, given: Aim) -> tuple[Reason, ...]:
    """List what the scatter dice of a shot are made of (CW-69, CW-77, CW-78, CW-157)."""
    weapon = shooter.weapon
    assert weapon is not None
    clause = "CW-77" if shooter.kind.weapon == "rocks" else "CW-78" if weapon.plague else "CW-69"
    if weapon.plague and state.options.bombs_two_dice:
        dice = [Reason(say("plague bombs, as the summary says"), "CW-Q08", 2)]
    elif given.direct:
        dice = [Reason(say("it sees the square"), clause, weapon.scatter)]
    else:
        dice = [Reason(say("square not seen"), clause, weapon.scatter_indirect)]
    if traits.stormy(state) and given.distance >= STORM_SCATTERS:
        squares = counts.squares(given.distance)
        said = numbered("storm: one for every [storm] of {squares}", storm=STORM_SCATTERS, squares=squares)
        dice.append(Reason(said, "CW-157", given.distance // STORM_SCATTERS))
    return tuple(dice)


def required(state: State, shooter: Unit, given: Aim) -> Reason:
    """Say how many scatter dice a shot throws, and what they are made of (CW-69, CW-157)."""
    parts = scatter_dice(state, shooter, given)
    count = total(parts)
    return Reason(say("{dice} to scatter", dice=counts.dice(count)), parts[0].clause, count, terms=parts)


def aim(state: State, shooter: Unit, square: str) -> Aim:
    """Derive the aim at a square from a mirrored board; raise Refusal when it can not be made (CW-66 to CW-68)."""
    if square not in grid(state.options):
        raise Refusal(say("There is no square {square} on the board.", square=square), "CW-67", "square")
    check_range(state, shooter, grid(state.options).moves_apart(shooter.square or square, square))
    return checked(state, shooter, shooting.aim_at(state, shooter, square, "square", "CW-68"))


def check_range(state: State, shooter: Unit, distance: int, field: str = "square") -> None:
    """Refuse a square too near (CW-66, CW-73) or too far (CW-77, CW-78, CW-167)."""
    weapon = shooter.weapon
    if weapon is None or not weapon.scatter:
        raise Refusal(say("It hurls nothing."), "CW-45", "unit")
    if distance < weapon.nearest == 1:
        raise Refusal(say("It cannot aim at its own square."), "CW-73", field)
    if distance < weapon.nearest:
        raise Refusal(say("A catapult cannot aim at the squares around it."), "CW-66", field)
    if distance > (far := reach(state, weapon)):
        clause = "CW-167" if not weapon.reach else "CW-78" if weapon.plague else "CW-77"
        raise Refusal(say("{distance} squares away: it reaches {reach}.", distance=distance, reach=far), clause, field)


def checked(state: State, shooter: Unit, aim: Aim, field: str = "square") -> Aim:
    """Return an aim that the weapon allows; raise Refusal for one that it does not, of the field that says how far."""
    check_range(state, shooter, aim.distance, field)
    if not aim.direct:
        shooting.check_indirect(state, shooter, "direct")
    return aim


def throw(
    state: State, shooter: Unit, square: str | None, given: Aim, ask: Ask, aimed_at: Unit | None = None
) -> tuple[State, Toll, Impact]:
    """Throw at a square: scatter (CW-69 to CW-72), impact (CW-73 to CW-75), who is struck (CW-76 to CW-81).

    Without a ``square``, which only the real board knows, ``aimed_at`` is who stands there, where the players say.
    """
    refuse(shooting.barred(shooter), "unit")
    target = state.at(square)
    no_enemy, meant = target is None or not state.enemies(shooter, target), target or aimed_at
    if square and no_enemy and state.options.catapult_needs_enemy:
        raise Refusal(say("At this table a catapult aims at enemy units only."), "CW-Q07", "square")
    state = state.with_unit(shooter.id, shot=True).after_deed(shooter).but(last=Last(shooter.square, square))
    thrown = required(state, shooter, given)
    count, who = thrown.value or 0, speech.name(state, shooter)
    dice = counts.dice(count)
    at = square or (speech.name(state, aimed_at) if aimed_at else None)
    at_what = say("{unit}, shot at {square}: {dice}", unit=who, square=at or "", dice=dice)
    said = at_what if at else say("{unit}, shot: {dice}", unit=who, dice=dice)
    if square and no_enemy:
        ask.tell(say("No enemy stands on {square}", square=square), "CW-67")
    ask.tell(said, thrown.clause, count, terms=thrown.terms, marks=((shooter.id, "acting"),))
    ask.expect(SCATTERS)
    if not ask.unread:
        ask.clash(_clash(state, shooter, meant))
    why = say(
        "{unit}: scatter dice. 1 away from you, 2 to your right, 3 towards you, 4 to your left, 5 and 6 nothing",
        unit=who,
    )
    faces = ask.throw(count, 6, "scatter", why, by=shooter.side, clause="CW-10", alike=ALIKE, does=SCATTERS)
    if square:
        impact = _impact(state, shooter, square, faces, ask)
    else:
        impact = _real_impact(state, shooter, faces, aimed_at, ask)
    state = state.but(last=Last(shooter.square, impact.square))
    if impact.unit is None:
        return state, Toll(), impact
    struck = state.unit(impact.unit)
    if not ask.unread and (meant is None or struck.id != meant.id):
        ask.clash(_clash(state, shooter, struck))
    return *_strike(state, shooter, struck, ask), impact


def _clash(state: State, shooter: Unit, target: Unit | None) -> Clash:
    weapon = shooter.weapon
    assert weapon is not None
    saves = _saves_against(state, target, weapon) if target is not None else None
    return clashes.thrown(state, shooter, target, saves)


def drift(state: State, shooter: Unit, faces: tuple[int, ...]) -> tuple[int, int]:
    """Add up the shifts of the scatter dice, as (files, ranks); their order does not matter (CW-70 to CW-72)."""
    shifts = [shift(state.options, shooter.side, face) for face in faces]
    return sum(across for across, _ in shifts), sum(up for _, up in shifts)


def _impact(state: State, shooter: Unit, square: str, faces: tuple[int, ...], ask: Ask) -> Impact:
    landed = grid(state.options).step(square, *drift(state, shooter, faces))
    unit = state.at(landed)
    if landed is None:
        impact = Impact(None, "off_board")
    elif landed == shooter.square:
        impact = Impact(landed, "own_square")
    elif unit is not None:
        impact = Impact(landed, "hit", unit.id)
    else:
        impact = Impact(landed, "empty")
    return _told(state, impact, ask, faces)


def _told(state: State, impact: Impact, ask: Ask, faces: tuple[int, ...] = ()) -> Impact:
    """Tell where a shot comes down (CW-72 to CW-75)."""
    match impact:
        case Impact(result="off_board"):
            ask.tell(say("The shot falls off the board"), "CW-74", faces=faces)
        case Impact(result="own_square"):
            ask.tell(say("The shot falls on the square of the shooter: it has failed"), "CW-73", faces=faces)
        case Impact(unit=str(name)):
            said = say("The shot falls on {unit}", unit=speech.name(state, state.unit(name)))
            ask.tell(said, "CW-75", faces=faces, marks=((name, "target"),))
        case Impact(square=str(square)):
            lying = any(unit.on_board and unit.down and unit.square == square for unit in state.units)
            said = say("The shot falls on {square}: nobody stands there", square=square)
            ask.tell(said, "CW-114" if lying else "CW-72", faces=faces)
        case _:
            ask.tell(say("The shot falls on an empty square"), "CW-72", faces=faces)
    return impact


def _real_impact(state: State, shooter: Unit, faces: tuple[int, ...], aimed_at: Unit | None, ask: Ask) -> Impact:
    """Find what stands where the shot came down on the real board: who was aimed at, or what the players say."""
    drift = scattered(faces)
    ask.tell(say("The impact: {drift}", drift=speech.drift_in_words(drift)), "CW-72", faces=faces)
    if drift == (0, 0) and aimed_at is not None:
        return _told(state, Impact(None, "hit", aimed_at.id, drift), ask)
    # Enemies first, for nobody aims at his own.
    others = sorted(state.standing(), key=lambda unit: not state.enemies(shooter, unit))
    options = (
        Option(NOBODY, say("An empty square")),
        Option(OFF_BOARD, say("Off the board")),
        Option(OWN_SQUARE, say("The shooter's own square")),
        *speech.options(state, (unit for unit in others if unit.id != shooter.id), sides=True),
    )
    match ask.choose(shooter.side, options, "impact", say("What stands where it comes down?"), clause="CW-75"):
        case "nobody":
            return _told(state, Impact(None, "empty", None, drift), ask)
        case "off_board" | "own_square" as place:
            return _told(state, Impact(None, place, None, drift), ask)
        case name:
            return _told(state, Impact(None, "hit", state.unit(name).id, drift), ask)


def _strike(state: State, shooter: Unit, unit: Unit, ask: Ask) -> tuple[State, Toll]:
    """Strike whoever stands on the square of impact, friend or foe (CW-75, CW-76); a bomb all in its melee (CW-80)."""
    weapon = shooter.weapon
    assert weapon is not None
    hit = (unit, *state.opponents(unit)) if weapon.plague else shooting.struck(state, unit, shooter.side, ask)
    if weapon.plague and len(hit) > 1:
        ask.tell(say("The bomb strikes everybody in the melee"), "CW-80")
    return shooting.harm(state, shooter, hit, lambda victim: _survives(state, victim, weapon, ask), ask)


def _saves_against(state: State, victim: Unit, weapon: Weapon) -> Against | None:
    """Return what a unit saves against where a shot strikes it; None where nothing is rolled (CW-79, CW-81)."""
    if weapon.terror and not traits.brave(state, victim):
        return None
    if weapon.plague:
        return None if traits.immune(state, victim) else "bomb"
    return "shot"


def _survives(state: State, victim: Unit, weapon: Weapon, ask: Ask) -> bool:
    """Roll a save: terror leaves none to whoever is not brave (CW-81), a bomb harms nobody immune to plague (CW-79)."""
    who = speech.name(state, victim)
    against = _saves_against(state, victim, weapon)
    if against is not None:
        return traits.save(state, victim, against, ask)
    if weapon.plague:
        ask.tell(say("{unit}: immune to plague", unit=who), "CW-79")
        return True
    ask.tell(say("{unit}: not brave, destroyed by terror", unit=who), "CW-81")
    return False


def aimed(state: State, unit: Unit, action: Bombard) -> Aim:
    """Return the aim of a throw (CW-66 to CW-68)."""
    if state.mirrored:
        if action.square is None:
            raise Refusal(say("Which square is aimed at?"), "CW-67", "square")
        return aim(state, unit, action.square)
    if action.distance is None:
        raise Refusal(say("How far away is it?"), "CW-66", "distance")
    return checked(state, unit, Aim(action.distance, action.direct is not False), "distance")


def _target(state: State, action: Bombard) -> Unit | None:
    return None if action.target in {None, NOBODY} else state.unit(action.target or "", "target")


def bombard(state: State, unit: Unit, action: Bombard, ask: Ask) -> tuple[State, Toll, Impact]:
    """Throw at a square as a player orders it (CW-66 to CW-81)."""
    given = aimed(state, unit, action)
    if state.mirrored:
        return throw(state, unit, action.square, given, ask)
    target = _target(state, action)
    if target is not None and target.id == unit.id:
        raise Refusal(say("A unit does not aim at itself."), "CW-67", "target")
    return throw(state, unit, None, given, ask, target)


def falls(state: State, rule: Callable[[Ask], tuple[State, Toll, Impact]]) -> odds.Falls[Impact]:
    """Run a bombardment over every throw: where it comes down, and who falls."""

    def comes_down(ask: Ask) -> tuple[Impact, odds.Fate]:
        after, _, impact = rule(ask)
        return impact, odds.fate(state, after)

    return odds.falling(state, comes_down)


def foresee(state: State, side: Side, action: Bombard) -> tuple[Chart, ...]:
    """Show where a shot at the table comes down, and who falls there."""
    state = odds.calm(state)
    unit = state.actor(side, "shooting", action.unit)
    needs = (required(state, unit, aimed(state, unit, action)),)
    landed = falls(state, lambda ask: bombard(state, unit, action, ask))
    if state.mirrored:
        return odds.landing(state, side, landed, needs)
    target = _target(state, action)
    around = Around(speech.name(state, target) if target else None, action.enemies, action.own)
    return odds.drifting(state, landed, needs, around)


@catapults.rule(Bombard, headline=shooting.shot, odds=foresee)
def rule(state: State, side: Side, action: Bombard, ask: Ask) -> State:
    """Throw at a square (CW-66 to CW-81)."""
    return bombard(state, state.actor(side, "shooting", action.unit), action, ask)[0]
