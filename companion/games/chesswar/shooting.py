"""Shooting: who sees whom, who is struck in a melee, and bows (CW-45 to CW-65, CW-82, CW-156, CW-169, CW-172)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from companion.games.chesswar import clashes, odds, speech, traits
from companion.games.chesswar.armies import Weapon
from companion.games.chesswar.destruction import Toll, strike_down
from companion.games.chesswar.options import Side, grid
from companion.games.chesswar.speech import Line
from companion.games.chesswar.state import Last, Number, State, Unit, UnitAction, UnitId
from companion.kit import counts
from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.clash import Effect
from companion.kit.odds import Chart
from companion.kit.questions import NO, YES, Option
from companion.kit.ruling import Reason, Refusal, refuse, total
from companion.kit.squares import clear
from companion.kit.text import Text, say

shooting = Chapter[State, Side]()

FAR = 3
"""From this distance on a shot is harder (CW-58)."""
HARDER = {"moved": -1, "far": -1, "unseen": -2}
"""What is taken from the die of a shot (CW-57 to CW-59)."""
OPPONENT, BOTH, TARGET = (1, 2), (3, 4), (5, 6)
"""Faces that say who is struck in a melee (CW-52)."""


class Shoot(UnitAction, frozen=True, tag="shoot"):
    """Shoot a bow at an enemy (CW-45 to CW-65). What only the real board knows comes with it."""

    target: UnitId
    distance: Number | None = None
    direct: bool | None = None
    moved: bool | None = None


class Aim(msgspec.Struct, frozen=True):
    """What a shot depends on, from the board or told by the players.

    ``distance`` is in squares, ``direct`` when the shooter sees the target.
    """

    distance: int
    direct: bool = True


def visible(state: State, start: str, goal: str) -> bool:
    """Tell whether a line of sight joins two squares (CW-48 to CW-50).

    Units block it, forests and hills too; from a hill, and on to one, units do not (CW-172).
    """
    closed = frozenset(state.terrain)
    if "hill" not in {state.terrain.get(start), state.terrain.get(goal)}:
        closed |= state.occupied()
    return clear(grid(state.options), start, goal, closed, strict=state.options.strict_sight)


def sees(state: State, unit: Unit, square: str) -> bool:
    """Tell whether a unit sees a square."""
    return unit.square is not None and visible(state, unit.square, square)


def apart(state: State, one: Unit, square: str) -> int:
    """Count the squares from a unit to a square (CW-09)."""
    return grid(state.options).moves_apart(one.square, square) if one.square else 0


def barred(unit: Unit) -> Reason | None:
    """Say why a unit can not shoot now; None when it can."""
    weapon = unit.weapon
    if weapon is None:
        return Reason(say("It has nothing to shoot with."), "CW-45")
    if unit.engaged:
        return Reason(say("A unit in melee cannot shoot."), "CW-82" if weapon.scatter else "CW-45")
    if unit.raised:
        return Reason(say("A unit just raised shoots in the next turn."), "CW-135")
    if unit.shot:
        return Reason(say("Each unit shoots once in a shooting phase."), "CW-46")
    if unit.moved and not weapon.after_moving:
        return Reason(say("It cannot shoot after moving."), "CW-64")
    return None


def aim_at(state: State, shooter: Unit, square: str, field: str, sight_clause: str = "CW-47") -> Aim:
    """Derive the aim at a square from a mirrored board; raise Refusal when nobody sees it (CW-47, CW-51, CW-68)."""
    weapon = shooter.weapon
    direct = sees(state, shooter, square)
    if not direct:
        if weapon is None or not weapon.indirect:
            clause = "CW-64" if weapon is not None and weapon.bow else sight_clause
            raise Refusal(say("It does not see {square}, and cannot shoot without.", square=square), clause, field)
        check_indirect(state, shooter, field)
        friends = (friend for friend in state.standing(*state.team(shooter.side)) if friend.id != shooter.id)
        if not any(sees(state, friend, square) for friend in friends):
            said = say("Neither it nor any other unit of its side sees {square}.", square=square)
            raise Refusal(said, "CW-68" if weapon.scatter else "CW-47", field)
    return Aim(apart(state, shooter, square), direct)


def check_indirect(state: State, shooter: Unit, field: str) -> None:
    """Refuse an indirect shot of an army without a general (CW-177)."""
    if traits.leaderless(state, shooter.side):
        said = say("An army without its general does not shoot at what the shooter cannot see.")
        raise Refusal(said, "CW-177", field)


def struck(state: State, target: Unit, by: Side, ask: Ask) -> tuple[Unit, ...]:
    """Find who is struck when a ranged attack hits a unit: in a melee a die decides (CW-52, CW-53)."""
    foes = state.opponents(target)
    if not foes:
        return (target,)
    why = say(
        "{unit}, in melee: who is struck? 5, 6: the target; 3, 4: the target and an opponent; 1, 2: an opponent",
        unit=speech.name(state, target),
    )
    own = any(foe.side in state.team(by) for foe in foes)
    does = (
        Effect(TARGET, say("target")),
        Effect(BOTH, say("both"), harm=own),
        Effect(OPPONENT, say("opponent"), harm=own),
    )
    face = ask.throw(1, 6, "melee", why, by=by, clause="CW-10", alike=(OPPONENT, BOTH, TARGET), does=does)[0]
    if face in TARGET:
        ask.tell(say("The shot into the melee strikes its target"), "CW-52", faces=(face,))
        return (target,)
    foe = foes[0]
    if len(foes) > 1:
        named = {foe.id: foe for foe in foes}
        foe = named[ask.draw(tuple(named), 1, "opponent", say("Which opponent is struck"), by=by)[0]]
    if face in BOTH:
        said = say("The shot into the melee strikes its target and {unit}", unit=speech.name(state, foe))
    else:
        said = say("The shot into the melee strikes {unit} instead", unit=speech.name(state, foe))
    ask.tell(said, "CW-52", faces=(face,), marks=((foe.id, "target"),))
    return (target, foe) if face in BOTH else (foe,)


def harm(
    state: State, by: Unit, units: tuple[Unit, ...], saves: Callable[[Unit], bool], ask: Ask
) -> tuple[State, Toll]:
    """Destroy those of the units struck that fail their saves, the target's first (CW-62, CW-75); ``by`` whom."""
    state, toll = strike_down(state, tuple(unit.id for unit in units if not saves(unit)), "shot", ask, by=by)
    return state, toll._replace(struck=tuple(unit.id for unit in units))


def modifiers(state: State, shooter: Unit, aim: Aim) -> tuple[Reason, ...]:
    """List what makes a shot harder (CW-57 to CW-60); a storm replaces the distance (CW-156)."""
    harder: list[Reason] = []
    if shooter.moved:
        harder.append(Reason(say("it moved"), "CW-57", HARDER["moved"]))
    if traits.stormy(state):
        harder.append(Reason(say("storm: {squares}", squares=counts.squares(aim.distance)), "CW-156", -aim.distance))
    elif aim.distance >= FAR:
        harder.append(Reason(say("{squares} away", squares=counts.squares(aim.distance)), "CW-58", HARDER["far"]))
    if not aim.direct:
        harder.append(Reason(say("it does not see the target"), "CW-59", HARDER["unseen"]))
    return tuple(harder)


def needed(state: State, shooter: Unit, aim: Aim) -> int:
    """Return the face that a shot needs; more than 6 can not be thrown (CW-56, CW-61)."""
    return shooter.kind.skill - total(modifiers(state, shooter, aim))


def required(state: State, shooter: Unit, aim: Aim) -> Reason:
    """Say the face that a shot needs, and what it is made of (CW-56 to CW-61)."""
    who, need, added = speech.name(state, shooter), needed(state, shooter, aim), modifiers(state, shooter, aim)
    if need < 7:
        why, clause = say("{unit}: {needed} or more to hit", unit=who, needed=need), "CW-56"
    else:
        why, clause = say("{unit} cannot hit: that takes a {needed}", unit=who, needed=need), "CW-61"
    skill = Reason(say("skill"), None, shooter.kind.skill)
    return Reason(why, clause, need, (skill, *map(speech.on_the_face, added))) if added else Reason(why, clause)


def aim_bow(state: State, shooter: Unit, target: Unit) -> Aim:
    """Derive the aim of a shot from a mirrored board; raise Refusal when it can not be made (CW-47, CW-55)."""
    assert target.square is not None
    check_range(shooter, apart(state, shooter, target.square))
    return checked(state, shooter, aim_at(state, shooter, target.square, "target"))


def check_range(shooter: Unit, distance: int, field: str = "target") -> Weapon:
    """Return the bow of a unit; refuse one without, and a target too far away (CW-55, CW-63)."""
    weapon = shooter.weapon
    if weapon is None or not weapon.bow:
        raise Refusal(say("It has no bow."), "CW-45", "unit")
    if distance > weapon.reach:
        clause = "CW-63" if shooter.kind.weapon == "longbows" else "CW-55"
        said = say("{distance} squares away: it reaches {reach}.", distance=distance, reach=weapon.reach)
        raise Refusal(said, clause, field)
    return weapon


def checked(state: State, shooter: Unit, aim: Aim) -> Aim:
    """Return an aim that the weapon allows; raise Refusal for one beyond its range (CW-55), or not seen (CW-64)."""
    weapon = check_range(shooter, aim.distance, "distance")
    if aim.distance < 1:
        raise Refusal(say("A target stands at least 1 square away."), "CW-55", "distance")
    if not aim.direct:
        if not weapon.indirect:
            raise Refusal(say("Crossbows shoot only at what the shooter sees."), "CW-64", "direct")
        check_indirect(state, shooter, "direct")
    return aim


def shoot_bow(state: State, shooter: Unit, target: Unit, given: Aim, ask: Ask) -> tuple[State, Toll]:
    """Shoot a bow: one die to hit (CW-56), who is struck (CW-52), saves (CW-62)."""
    refuse(barred(shooter), "unit")
    if not state.enemies(shooter, target):
        raise Refusal(say("Only an enemy is shot at."), "CW-45", "target")
    state = state.with_unit(shooter.id, shot=True).after_deed(shooter).but(last=Last(shooter.square, target.square))
    asked, need = required(state, shooter, given), needed(state, shooter, given)
    who, whom = speech.name(state, shooter), speech.name(state, target)
    marks = ((shooter.id, "acting"), (target.id, "target"))
    clash = partial(clashes.bow, state, shooter, target)
    at = say("{unit}: shot at {enemy}", unit=who, enemy=whom)
    with ask.meanwhile(lambda: (Reason(at, "CW-56", marks=marks, clash=clash()),)):
        alike, does = traits.alike(need), traits.effects(need, say("hit"))
        face = ask.throw(1, 6, "hit", asked.text, by=shooter.side, clause="CW-10", alike=alike, does=does)[0]
    hit = face >= need
    said = say("{unit} hit {enemy} with {needed} or more", unit=who, enemy=whom, needed=need)
    if not hit:
        said = say("{unit} missed {enemy}: {needed} or more was needed", unit=who, enemy=whom, needed=need)
    clause = "CW-61" if face == 6 and not hit else "CW-56"
    ask.tell(said, clause, asked.value, terms=asked.terms, faces=(face,), marks=marks)
    if not ask.unread:
        ask.clash(clash())
    if not hit:
        return state, Toll()
    units = struck(state, target, shooter.side, ask)
    return harm(state, shooter, units, lambda unit: traits.save(state, unit, "bow", ask), ask)


def shots(state: State, line: Line) -> Iterator[Offer]:
    """Offer the shot of a unit with a bow (CW-45)."""
    unit, weapon = line.unit, line.unit.weapon
    if weapon is None or not weapon.bow or barred(unit) is not None:
        return
    fields = _targets(state, unit) if state.mirrored else _told(state, unit, weapon)
    if not all(option.barred for option in fields[0].options):
        label = say("Shoot: {unit}", unit=speech.called(state, line))
        yield Shoot.offer(label, *fields, unit=unit.id, on=unit.id, chancy=True, clause="CW-45")


def _targets(state: State, unit: Unit) -> tuple[Field, ...]:
    """Ask for a target on a mirrored board, each with what it takes, or why it can not be shot at."""
    options = []
    for target in state.standing():
        if not state.enemies(unit, target) or target.square is None:
            continue
        try:
            need = needed(state, unit, aim_bow(state, unit, target))
        except Refusal as no:
            if no.clause in {"CW-47", "CW-64", "CW-177"}:
                options.append(Option(target.id, speech.name(state, target), no.reason, target.square))
        else:
            vain = Reason(say("cannot hit: needs {needed}", needed=need), "CW-61") if need > 6 else None
            note = vain.text if vain else say("hits on {chance}", chance=speech.chance(need))
            options.append(Option(target.id, speech.name(state, target), place=target.square, note=note, hopeless=vain))
    return (Field("target", say("Target"), "choice", tuple(options)),)


def _told(state: State, unit: Unit, weapon: Weapon) -> tuple[Field, ...]:
    """Ask for a target on the real board, with the facts of the shot."""
    foes = tuple(foe for foe in state.standing() if state.enemies(unit, foe))
    return (speech.target(state, foes), distance(1, weapon.reach), *sight(state, unit), _moved(unit, weapon))


def distance(low: int, high: int) -> Field:
    """Ask how far away the target is; nothing is filled in, for nobody would look at it again."""
    return Field("distance", say("Distance in squares"), "number", low=low, high=high)


def sight(state: State, unit: Unit) -> tuple[Field, ...]:
    """Ask whether a shooter sees the target, where it may shoot at what it does not see."""
    indirect = unit.weapon is not None and unit.weapon.indirect and not traits.leaderless(state, unit.side)
    return (Field("direct", say("The shooter sees it"), "yes_no", value=True),) if indirect else ()


def _moved(unit: Unit, weapon: Weapon) -> Field:
    """Ask whether a shooter has moved; a crossbow that has can not be shot (CW-64)."""
    label = say("It moved this turn")
    if weapon.after_moving:
        return Field("moved", label, "yes_no", value=unit.moved)
    barred = Reason(say("It cannot shoot after moving."), "CW-64")
    return Field("moved", label, "choice", (Option("false", NO), Option("true", YES, barred)), value="false")


def shot(before: State, after: State, _side: Side, action: UnitAction) -> Text:
    """Say who fell to a shot."""
    unit = speech.name(before, before.unit(action.unit))
    return speech.cost(before, after, say("{unit} shot: nobody fell", unit=unit))


def aimed(state: State, unit: Unit, action: Shoot) -> tuple[State, Unit, Aim]:
    """Return the aim of a shot, with the shooter and the state as the players tell them (CW-47, CW-55 to CW-65)."""
    target = state.unit(action.target, "target")
    if state.mirrored:
        return state, unit, aim_bow(state, unit, target)
    if action.distance is None:
        raise Refusal(say("How far away is it?"), "CW-58", "distance")
    if action.moved is not None and action.moved != unit.moved:
        state = state.with_unit(unit.id, moved=action.moved)
        unit = state.unit(unit.id)
    return state, unit, checked(state, unit, Aim(action.distance, action.direct is not False))


def charts(state: State, rule: Callable[[Ask], State], needs: tuple[Reason, ...]) -> tuple[Chart, ...]:
    """Show whether a bow hits, and who falls (CW-56, CW-52, CW-62); after a hit there is always more to throw."""

    def hits(ask: Ask) -> tuple[bool, odds.Fate]:
        after = rule(ask)
        return ask.used > 1, odds.fate(state, after)

    falls = odds.falling(state, hits)
    hit = odds.gathered(falls.ways, lambda outcome: outcome[0])
    bars = odds.bars_of(hit, ((True, say("It hits")), (False, say("It misses"))))
    return (
        Chart(odds.titled(state, say("The shot")), bars, reasons=needs),
        odds.who_falls(state, say("Who falls"), falls),
    )


def foresee(state: State, side: Side, action: Shoot) -> tuple[Chart, ...]:
    """Show the odds of a shot at the table."""
    state = odds.calm(state)
    told, shooter, aim = aimed(state, state.actor(side, "shooting", action.unit), action)
    target = told.unit(action.target)
    needs = (required(told, shooter, aim), traits.save_required(told, target, "bow"))
    return charts(state, lambda ask: shoot_bow(told, shooter, target, aim, ask)[0], needs)


@shooting.rule(Shoot, headline=shot, odds=foresee)
def shoot(state: State, side: Side, action: Shoot, ask: Ask) -> State:
    """Shoot a bow (CW-45 to CW-65)."""
    state, unit, aim = aimed(state, state.actor(side, "shooting", action.unit), action)
    state, _ = shoot_bow(state, unit, state.unit(action.target, "target"), aim, ask)
    # Whoever shoots next often shoots at the same.
    return state if state.mirrored else state.but(last=Last(None, None, action.target))
