"""An attack at a table: facts, fight, and what becomes of the two units (TTC-24, TTC-25, TTC-46 to TTC-48)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Annotated, Any

from msgspec import Meta, Struct

from companion.games.two_cities import combat
from companion.games.two_cities.activation import activate, check_acting, finish, rest
from companion.games.two_cities.combat import CLOSEST_SHOT, Facts
from companion.games.two_cities.components import GROUNDS, KINDS, Ground, Side, rule_of
from companion.games.two_cities.fight import DRIVES, FARTHEST, Fate, cancels, chances, charts, charts_of, fight, harm
from companion.games.two_cities.state import Last, Mode, Result, SentName, State, Unit
from companion.kit import counts
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.clash import Clash, Combatant, Way
from companion.kit.forms import declared
from companion.kit.odds import Chart
from companion.kit.questions import NO, YES, Badge, Option
from companion.kit.ruling import Fighter, Harm, Reason, Refusal, total
from companion.kit.text import Text, numbered, say

attack = Chapter[State, Side]()

HIDES = ("TTC-94", "TTC-97", "TTC-98")
FROM_THE_BOARD = ("moved", "attacker_terrain", "target_terrain", "distance", "neighbour", "behind")
"""Facts that players type where only the real board knows them."""
ON = say("Where the target is")
NEIGHBOUR = Meta(title="The target has a friend beside it", description="On its rank, directly to the left or right.")
BEHIND = Meta(
    title="Free squares behind the target", description="Straight back, up to a unit or the edge.", ge=0, le=7
)


class Defence(Struct, frozen=True):
    """What helps a target, as only the real board knows it."""

    neighbour: Annotated[bool, NEIGHBOUR] = False
    behind: Annotated[int, BEHIND] = FARTHEST


DEFENCE = declared(Defence)


class Attack(Action, frozen=True, tag="attack"):
    """Attack with a unit. What only the real board knows comes with it; a mirrored board needs none of that.

    ``distance`` is in squares along the shooting path, ``behind`` counts the free squares behind the target.
    """

    unit: SentName
    target: SentName
    mode: Mode | None = None
    moved: bool | None = None
    attacker_terrain: Ground | None = None
    target_terrain: Ground | None = None
    distance: Annotated[int, Meta(ge=1, le=14)] | None = None
    neighbour: bool | None = None
    behind: Annotated[int, Meta(ge=0, le=7)] | None = None


def offers(state: State, unit: Unit) -> Iterator[Offer]:
    """Offer the enemies that a unit can attack; those that only cover keeps from a shot are shown with the reason."""
    if not state.mirrored:
        yield from _at_the_table(state, unit)
    elif enemies := combat.targets(state, unit):
        mode = combat.mode_of(unit, enemies[0])
        # How many dice are thrown depends on the attacker alone.
        dice = total(combat.dice_terms(combat.facts_of(state, unit, enemies[0], mode), state.options))
        note, badge = counts.dice(dice), Badge("die", counts.number(dice))
        options = [
            Option(
                enemy.id,
                state.name(enemy),
                place=enemy.square,
                note=note,
                badge=badge,
                advice=_closed(state, unit, enemy),
            )
            for enemy in enemies
        ]
        if mode == "ranged":
            options += [
                Option(enemy.id, state.name(enemy), refused.reason, enemy.square)
                for enemy, refused in combat.shots(state, unit)
                if refused and refused.clause in HIDES
            ]
        yield _offer(state, unit, mode, Field("target", say("Target"), "choice", tuple(options)), at_once=True)


def _offer(state: State, unit: Unit, mode: Mode, *fields: Field, among: Field | None = None, **given: Any) -> Offer:
    label, clause = say("Fight: {unit}", unit=state.name(unit)), "TTC-77"
    if mode == "ranged":
        label, clause = say("Shoot: {unit}", unit=state.name(unit)), "TTC-80"
    given = {"unit": unit.id, "mode": mode, **given}
    return Attack.offer(label, *fields, on=unit.id, chancy=True, clause=clause, among=among, **given)


def _closed(state: State, unit: Unit, enemy: Unit) -> tuple[Reason, ...]:
    """Point out an enemy that can not go back from this attack (TTC-113)."""
    if not enemy.mobile or combat.squares_behind(state, unit, enemy):
        return ()
    name = state.name(enemy)
    closed = numbered("{unit}: its retreat is closed, so each [drives] is a hit", drives=DRIVES, unit=name)
    return (Reason(closed, "TTC-135"),)


def _at_the_table(state: State, unit: Unit) -> Iterator[Offer]:
    """Offer a melee and, to who can shoot, a shot, with what only the real board knows as fields.

    Shots are told apart by where the shooter is: that decides how far it reaches and whom it sees.
    """
    if not unit.attacks:
        start = _grounds("attacker_terrain", say("Where the attacker is"), {})
        yield _offer(state, unit, "melee", _target(state, unit), start, _grounds("target_terrain", ON, {}), *DEFENCE)
    if not KINDS[unit.kind].range:
        return
    ways = {ground: _ways(state, unit, ground) for ground in GROUNDS}
    barred = {ground: ways[ground][0].barred for ground in GROUNDS}
    for ground in GROUNDS:
        if barred[ground] is None:
            among = _grounds("attacker_terrain", say("Where the shooter is"), barred, ground)
            yield _shot_offer(state, unit, ground, ways[ground], among)


def _shot_offer(state: State, unit: Unit, ground: Ground, ways: tuple[Option, ...], among: Field) -> Offer:
    facts = _shot(state, unit, ground)
    reach, counted = combat.range_of(facts), say("In squares through sides; from a hill nothing closes the path.")
    if ground != "hill":
        counted = say("In squares through sides, along a path that no unit, forest or hill closes.")
    moved = (Field("moved", say("It moved this turn"), "choice", ways, value="false"),)
    settled = {} if len(ways) > 1 else {"moved": ways[0].value == "true"}
    fields = (
        _target(state, unit),
        *(() if settled else moved),
        Field("distance", say("Distance"), "number", value=CLOSEST_SHOT, low=CLOSEST_SHOT, high=reach, hint=counted),
        _grounds("target_terrain", ON, {there: combat.hidden(facts.but(target_terrain=there)) for there in GROUNDS}),
        *DEFENCE,
    )
    return _offer(state, unit, "ranged", *fields, among=among, attacker_terrain=ground, **settled)


def _target(state: State, unit: Unit) -> Field:
    enemies = (enemy for enemy in state.in_play() if enemy.side != unit.side)
    return Field("target", say("Target"), "choice", tuple(Option(enemy.id, _short_name(enemy)) for enemy in enemies))


def _short_name(unit: Unit) -> Text:
    """Name a unit in as few words as tell it from the others of its side, where no board shows its square."""
    kind = Text(f"short_{unit.kind}")
    if unit.mercenary:
        return say("{unit}, reinforcement", unit=kind)
    return say("{unit} from {square}", unit=kind, square=unit.home) if unit.mobile else kind


def _grounds(field: str, label: Text, barred: Mapping[Ground, Reason | None], value: Ground = "open") -> Field:
    options = tuple(Option(ground, Text(ground), barred.get(ground)) for ground in GROUNDS)
    return Field(field, label, "choice", options, value=value)


def _ways(state: State, unit: Unit, ground: Ground) -> tuple[Option, ...]:
    """List whether the shooter stood still or moved, barred where that leaves it no die (TTC-100)."""
    held = rule_of(state.card).shots > 1 and state.options.double_rain_stationary
    possible = (unit.moved,) if unit.attacks else (False,) if held else (False, True)
    ways = ((moved, combat.no_die(_shot(state, unit, ground, moved=moved))) for moved in possible)
    return tuple(Option("true" if moved else "false", YES if moved else NO, barred) for moved, barred in ways)


def _shot(state: State, unit: Unit, ground: Ground, *, moved: bool = False) -> Facts:
    return Facts(
        mode="ranged", attacker=unit.kind, target="city", card=state.card, moved=moved, attacker_terrain=ground
    )


def odds(state: State, side: Side, action: Attack) -> tuple[Chart, ...]:
    """Show the odds of an attack, and of both shots at one target where a Double rain allows two."""
    check_acting(state, side)
    ready, facts = _prepare(state, action)
    single = charts_of(facts, state.options)
    if not state.mirrored or facts.mode == "melee" or rule_of(state.card).shots - ready.unit(action.unit).attacks < 2:
        return single
    stands = _both_shots(ready, action, facts, evade=False)
    if combat.no_evasion(facts, state.options) is not None:
        return (*single, *charts(stands, say("with both shots")))
    evades = charts(_both_shots(ready, action, facts, evade=True), say("with both shots if it evades"))
    return (*single, *charts(stands, say("with both shots if it stands")), *evades)


def _both_shots(state: State, action: Attack, facts: Facts, *, evade: bool) -> dict[Fate, Fraction]:
    """Work out the fate of a target of both shots of a Double rain: the second is checked afresh (TTC-48)."""
    target = state.unit(action.target)
    behind = combat.squares_behind(state, state.unit(action.unit), target)
    fates: dict[Fate, Fraction] = {}
    for first, chance in chances(facts, state.options, evade=evade).items():
        hits, destroyed, steps, used = first
        result = Result("ranged", 0, hits_after=target.hits + hits, destroyed=destroyed, steps=steps, used=used)
        after = _struck(state, target, result, behind).with_unit(action.unit, attacks=1)
        try:
            seconds = chances(_prepare(after, action)[1], state.options, evade=evade)
        except Refusal:
            seconds = {Fate(): Fraction(1)}
        for second, further in seconds.items():
            fate = Fate(hits + second.hits, destroyed or second.destroyed, steps + second.steps)
            fates[fate] = fates.get(fate, Fraction(0)) + chance * further
    return fates


def headline(before: State, after: State, _side: Side, action: Attack) -> Text:
    """Say what the attack did, short and large; where only the real board knows the squares, also what to do there."""
    last, target = after.last, before.unit(action.target)
    assert last is not None
    if after.winner:
        return say("{side} wins: the enemy city is destroyed", side=Text(after.winner))
    result = last.result
    if result.destroyed and after.mirrored:
        what = say("destroyed")
        if result.advances:
            what = say("destroyed; the attacker takes {square}", square=last.target_square or "?")
    elif result.destroyed:
        what = say("destroyed, take it off the board")
        if result.advances:
            what = say("destroyed, take it off the board; the attacker takes its square")
    else:
        square, far = after.unit(target.id).square, counts.squares(result.steps)
        back = say("back to {square}", square=square) if square else say("back {far}", far=far)
        new = result.hits_after - target.hits
        what = harm(result, new, back if result.steps else None) or say("no effect")
    return say("{unit}, evading: {what}" if result.evaded else "{unit}: {what}", unit=before.name(target), what=what)


@attack.rule(Attack, headline=headline, odds=odds)
def strike(state: State, side: Side, action: Attack, ask: Ask) -> State:
    """Attack: fight it out, then move, mark or remove the units; one unit's only attack, or one of two shots."""
    check_acting(state, side)
    state, facts = _prepare(state, action)
    unit, target = state.unit(action.unit), state.unit(action.target)
    behind = combat.squares_behind(state, unit, target)
    names = {"attacker": state.name(unit), "target": state.name(target)}
    marks = ((unit.id, "acting"), (target.id, "target"))
    if facts.mode == "melee":
        ask.tell(say("Melee: {attacker} against {target}", **names), "TTC-76", marks=marks)
    else:
        ask.tell(say("Shot: {attacker} at {target}", **names), "TTC-91", marks=marks)
    way: Way = "melee" if facts.mode == "melee" else "shot"
    one, other = (_combatant(state, *who) for who in ((unit, facts.attacker_terrain), (target, facts.target_terrain)))
    ways = cancels(facts, state.options)
    ask.clash(Clash(way, one, other, tuple(said for said, _ in ways), tuple(key for _, key in ways)))
    ready = state
    shown = partial(_show, ask, ready, target, behind)
    result = fight(facts, state.options, ask, shown, behind)
    if new := result.hits_after - target.hits:
        ask.harm(Harm(_fighter(state, target), new, "gone" if result.destroyed else "hit", _fighter(state, unit)))
    state = _struck(state, target, result, behind).with_unit(unit.id, attacks=unit.attacks + 1, moved=facts.moved)
    if result.advances:
        state = state.with_unit(unit.id, square=target.square)
    state = state.but(last=Last(unit.id, target.id, unit.square, target.square, result))
    if result.destroyed and not target.mobile:
        ask.tell(say("{side} wins: the enemy city is destroyed", side=Text(unit.side)), "TTC-128")
        return state.but(winner=unit.side, phase="finished", acting=None)
    return rest(state, unit.id) if facts.mode == "ranged" else finish(state, state.unit(unit.id))


def _show(ask: Ask, ready: State, target: Unit, behind: tuple[str, ...], result: Result) -> None:
    ask.progress(_struck(ready, target, result, behind))


def _prepare(state: State, action: Attack) -> tuple[State, Facts]:
    """Activate the attacker and gather the facts of the attack; raise Refusal when it is not allowed."""
    state = activate(state, state.unit(action.unit))
    unit = state.unit(action.unit)
    typed = {field: value for field in FROM_THE_BOARD if (value := getattr(action, field)) is not None}
    if state.mirrored and typed:
        raise Refusal(say("On a mirrored board Companion knows that itself."), field=next(iter(typed)))
    try:
        target = _enemy(state, unit, action.target)
        mode = action.mode or combat.mode_of(unit, target)
        _check_order(state, unit, mode)
        if mode == "melee":
            combat.check_contact(unit, target)
        facts = _facts(state, unit, target, mode, typed)
        combat.check_attack(facts)
    except Refusal as refusal:
        raise _under_double_rain(refusal, state, unit) from refusal
    return state, facts


def _enemy(state: State, unit: Unit, name: str) -> Unit:
    target = state.unit(name, "target")
    if target.side == unit.side:
        raise Refusal(say("Only enemy units may be attacked."), "TTC-85", "target")
    return target


def _check_order(state: State, unit: Unit, mode: Mode) -> None:
    """Refuse a second attack, but for a second shot under Double rain (TTC-24, TTC-46)."""
    most = rule_of(state.card).shots
    if unit.attacks >= most or (unit.attacks and mode == "melee"):
        clause = "TTC-46" if most > 1 else "TTC-24"
        raise Refusal(say("{unit}: has made its attack already.", unit=state.name(unit)), clause, "unit")


def _facts(state: State, unit: Unit, target: Unit, mode: Mode, typed: Mapping[str, Any]) -> Facts:
    """Take the facts of an attack off a mirrored board, or as players typed them; what they left out is as usual."""
    if state.mirrored:
        return combat.facts_of(state, unit, target, mode)
    near = mode == "melee"
    usual = {"distance": 1 if near else CLOSEST_SHOT, "contact": near}
    return combat.facts_anywhere(state, unit, target, mode).but(**{**usual, **typed})


def _under_double_rain(refusal: Refusal, state: State, unit: Unit) -> Refusal:
    """Add what Double rain says on it: one melee in contact (TTC-47), a second shot checked afresh (TTC-48)."""
    if rule_of(state.card).shots < 2:
        return refusal
    if unit.attacks == 1:
        text = say("{why} The second shot is checked afresh ({see}).", why=refusal.text, see="TTC-48")
    elif refusal.clause == "TTC-78":
        text = say("{why} Double rain changes nothing about that ({see}).", why=refusal.text, see="TTC-47")
    else:
        return refusal
    return Refusal(text, refusal.clause, refusal.field)


def _fighter(state: State, unit: Unit) -> Fighter:
    """Name a unit for the statistics: by its square where a board shows it, else by where it started."""
    kind = Text(unit.kind)
    if state.mirrored and unit.square is not None:
        return Fighter(unit.id, unit.side, kind, unit.square)
    start = say("{unit} (from {square})", unit=kind, square=unit.home)
    return Fighter(unit.id, unit.side, say("{unit} (reinforcement)", unit=kind) if unit.mercenary else start)


def _combatant(state: State, unit: Unit, ground: Ground) -> Combatant:
    place, terrain = unit.square if state.mirrored else None, "" if ground == "open" else ground
    note = Text(terrain) if terrain else None
    return Combatant(unit.id, unit.side, Text(unit.kind), unit.piece, place, terrain, note, unit.hits, unit.strength)


def _struck(state: State, target: Unit, result: Result, behind: tuple[str, ...]) -> State:
    """Mark the hits, go back or leave the board (TTC-04, TTC-05, TTC-111, TTC-126)."""
    used = target.used if not result.used or result.used in target.used else (*target.used, result.used)
    if result.destroyed:
        return state.with_unit(target.id, on_board=False, square=None, hits=result.hits_after, used=used)
    square = behind[result.steps - 1] if result.steps and behind else target.square
    return state.with_unit(target.id, square=square, hits=result.hits_after, used=used)
