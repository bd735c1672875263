"""Exact odds of what dice decide: charges, shots, attacks, Zap and Strike, as long as nobody casts an instant spell."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from msgspec.structs import replace

from companion.games.chesswar import actions as do
from companion.games.chesswar import bows, catapults, charge, combat, magic, orders, saves, speech, spells, traits, turn
from companion.games.chesswar.armies import INSTANT
from companion.games.chesswar.sides import AHEAD, edge, grid, shift
from companion.kit import odds as exact
from companion.kit.asking import Ask, Choose, Pending, Throw
from companion.kit.game import Bar, Chart, Map
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.catapults import Impact
    from companion.games.chesswar.destruction import Toll
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State
    from companion.kit.ruling import Reason

K = TypeVar("K", bound=Hashable)
P = TypeVar("P", bound=Hashable)
Foreseen = do.Charge | do.Shoot | do.Bombard | do.Attack | do.Cast
Bombarding = Callable[[Ask], tuple["State", "Toll", "Impact"]]

CHANCY = ("zap", "strike")
NOBODY = say("Nobody falls")
CHARGES = say("It charges")
STAYS = say("It stays where it is")
GOES_ON = say("The melee goes on")


class Fate(NamedTuple):
    """Hold who falls, by id, in the order of the table's units."""

    destroyed: tuple[str, ...] = ()
    knocked_down: tuple[str, ...] = ()

    @property
    def everybody(self) -> tuple[str, ...]:
        """List all who fall."""
        return self.destroyed + self.knocked_down


def fate(before: State, after: State) -> Fate:
    """Find who has fallen between two states."""
    fell = [new for old, new in zip(before.units, after.units, strict=False) if old.stands and not new.stands]
    return Fate(tuple(unit.id for unit in fell if not unit.on_board), tuple(unit.id for unit in fell if unit.on_board))


def foresee(state: State, side: Side, action: Foreseen) -> tuple[Chart, ...]:
    """Show the odds of an action at a table, empty when it throws no dice; raise Refusal when it can not be done."""
    state = calm(state)
    match action:
        case do.Charge():
            turn.check_phase(state, side, "movement")
            turn.check_own(state, side, action.unit)
            return charging(state, action.unit, action.target)
        case do.Shoot():
            turn.check_phase(state, side, "shooting")
            archers = turn.check_own(state, side, action.unit)
            told, shooter, aim = orders.aimed(state, archers, action)
            hits = (bows.required(told, shooter, aim), saves.required(told, told.unit(action.target), "bow"))
            return shooting(state, lambda ask: orders.shoot(state, archers, action, ask)[0], hits)
        case do.Bombard():
            turn.check_phase(state, side, "shooting")
            thrower = turn.check_own(state, side, action.unit)
            charts = bombarding if state.mirrored else drifting
            needs = (catapults.required(state, thrower, orders.thrown(state, thrower, action)),)
            return charts(state, side, lambda ask: orders.bombard(state, thrower, action, ask), needs)
        case do.Attack():
            turn.check_phase(state, side, "combat")
            turn.check_own(state, side, action.unit)
            return attacking(state, action.unit, action.target)
        case do.Cast():
            turn.check_acting(state, side)
            turn.check_own(state, side, action.unit)
            return casting(state, action) if action.spell in CHANCY else ()


def calm(state: State) -> State:
    """Return the state in which nobody wants to be asked for instant spells, which leaves less to run through."""
    return state.but(replies=dict.fromkeys(state.sides, "never"))


def charging(state: State, name: str, victim: str) -> tuple[Chart, ...]:
    """Show whether a unit dares to charge (CW-40, CW-41)."""

    def dares(ask: Ask) -> bool:
        return victim in charge.charge(state, name, victim, ask).unit(name).engaged_with

    chances = explored(state, dares)
    unit, target = state.unit(name), state.unit(victim, "target")
    held = charge.dread(state, unit, target)
    needs = (charge.dread_says(state, unit, target), saves.required(state, unit, "dread")) if held else ()
    return (Chart(say("The charge"), bars_of(chances, ((True, CHARGES), (False, STAYS))), reasons=needs),)


def attacking(state: State, name: str, victim: str) -> tuple[Chart, ...]:
    """Show who falls in a melee attack: by the blow itself (CW-86 to CW-94), and with the plague after it (CW-111)."""

    def falls(ask: Ask) -> tuple[str | None, Fate]:
        after, toll, blow = combat.fight(state, name, victim, ask)
        struck = (blow.saver or victim) if toll.destroyed or toll.knocked_down else None
        return struck, fate(state, after)

    chances = explored(state, falls)
    blows = _gathered(chances, lambda outcome: outcome[0])
    bars = (
        (victim, _alone(state, victim)),
        (name, _alone(state, name)),
        (None, GOES_ON),
    )
    needs = combat.foretold(state, state.unit(name), state.unit(victim))
    if all(len(found.everybody) <= 1 for _, found in chances):
        return (Chart(_titled(state, say("The attack")), bars_of(blows, bars), reasons=needs),)
    return (
        Chart(_titled(state, say("The attack, before the plague")), bars_of(blows, bars), reasons=needs),
        _fates(state, say("The attack, with the plague"), _gathered(chances, lambda outcome: outcome[1])),
    )


def shooting(state: State, rule: Callable[[Ask], State], needs: tuple[Reason, ...]) -> tuple[Chart, ...]:
    """Show whether a bow hits, and who falls (CW-56, CW-52, CW-62); after a hit there is always more to throw."""

    def hits(ask: Ask) -> tuple[bool, Fate]:
        after = rule(ask)
        return ask.used > 1, fate(state, after)

    chances = explored(state, hits)
    bars = ((True, say("It hits")), (False, say("It misses")))
    return (
        Chart(
            _titled(state, say("The shot")),
            bars_of(_gathered(chances, lambda outcome: outcome[0]), bars),
            reasons=needs,
        ),
        _fates(state, say("Who falls"), _gathered(chances, lambda outcome: outcome[1])),
    )


def casting(state: State, action: do.Cast) -> tuple[Chart, ...]:
    """Show who falls by a Zap or a Strike (CW-150, CW-162)."""
    chances = explored(state, lambda ask: fate(state, spells.cast(state, action, ask)))
    chart = _fates(magic.spend(state, state.unit(action.unit)), say("Who falls"), chances)
    target = state.unit(action.target or "", "target")
    return (replace(chart, reasons=(saves.required(state, target, "shot" if action.spell == "zap" else "strike"),)),)


def bombarding(state: State, side: Side, rule: Bombarding, needs: tuple[Reason, ...]) -> tuple[Chart, ...]:
    """Show where a shot comes down on a mirrored board (CW-70 to CW-74), and who falls there."""

    def comes_down(ask: Ask) -> tuple[Impact, Fate]:
        after, _, impact = rule(ask)
        return impact, fate(state, after)

    chances = explored(state, comes_down)
    where = _impacts(state, side, _gathered(chances, lambda outcome: outcome[0]))
    fates = _gathered(chances, lambda outcome: outcome[1])
    own = {unit.id for unit in state.standing(*state.team(side))}
    whose = _gathered(fates, lambda found: (bool(set(found.everybody) - own), bool(set(found.everybody) & own)))
    bars = (
        ((True, False), say("Enemies only")),
        ((False, True), say("Own units only")),
        ((True, True), say("Enemies and own units")),
        ((False, False), NOBODY),
    )
    each = _each(fates)
    order = sorted(each, key=lambda name: -each[name])
    in_danger = Chart(_titled(state, say("How likely each unit is to fall")),
                      tuple(Bar(_alone(state, name), each[name]) for name in order))  # fmt: skip
    return (
        replace(where, reasons=needs),
        Chart(_titled(state, say("Who falls")), bars_of(whose, bars)),
        *((in_danger,) if each else ()),
    )


def drifting(state: State, side: Side, rule: Bombarding, needs: tuple[Reason, ...]) -> tuple[Chart, ...]:
    """Show how far a shot drifts, as the shooter sees it, where only the real board knows what stands there."""
    drifts = _scatter(state, side, _thrown(rule))
    chances = {(faces.count(2) - faces.count(4), faces.count(1) - faces.count(3)): (faces, chance)
               for faces, chance in drifts}  # fmt: skip
    furthest = max(across for across, _ in chances)
    lines = tuple(_signed(line) for line in range(-furthest, furthest + 1))
    bars = tuple(
        Bar(catapults.drift_in_words(faces), chance, _signed(across) + _signed(up))
        for (across, up), (faces, chance) in chances.items()
    )
    title = say("Where it comes down, from the square aimed at (away from you is up)")
    return (Chart(title, bars, Map(lines, lines), needs),)


def _signed(line: int) -> str:
    return f"{line:+d}" if line else "0"


def _thrown(rule: Bombarding) -> int:
    """Count the dice that a bombardment throws first."""
    try:
        rule(exact.Quiet())
    except Pending as pending:
        if isinstance(pending.question, Throw):
            return pending.question.count
    raise ValueError("a bombardment throws dice")


def explored(state: State, rule: Callable[[Ask], K]) -> dict[K, Fraction]:
    """Run a rule over every throw that differs: of the scatter dice only the sum counts (CW-72)."""

    def listed(question: Throw) -> exact.Throws:
        if question.key != "scatter":
            return exact.throws(question.count, question.sides, question.alike)
        return _scatter(state, next(side for side in state.sides if side == question.by), question.count)

    return exact.odds(rule, settled=_settled, listed=listed)


def _scatter(state: State, side: Side, count: int) -> exact.Throws:
    return exact.sums(count, tuple(shift(state.options, side, face) for face in range(1, 7)))


def _settled(_: Choose) -> str:
    """Answer no to what is asked on the way: whether somebody stands in a forest, as a chart's title says."""
    return magic.NO


def _titled(state: State, what: Text) -> Text:
    """Say in a chart's title what its odds leave out."""
    if any(magic.casters(state, side, spell) for side in state.sides for spell in INSTANT):
        what = say("{what}, without instant spells", what=what)
    if state.options.terrain and not state.mirrored and state.phase in {"shooting", "combat"}:
        what = say("{what}, outside forests", what=what)
    return what


def _gathered(chances: Mapping[K, Fraction], part: Callable[[K], P]) -> dict[P, Fraction]:
    """Add up the chances of outcomes that are alike in a part."""
    found: dict[P, Fraction] = {}
    for outcome, chance in chances.items():
        found[part(outcome)] = found.get(part(outcome), Fraction(0)) + chance
    return found


def bars_of(chances: Mapping[K, Fraction], labels: tuple[tuple[K, Text], ...]) -> tuple[Bar, ...]:
    """Make a bar of each outcome, in that order."""
    return tuple(Bar(label, chances.get(outcome, Fraction(0))) for outcome, label in labels)


def _fates(state: State, title: Text, fates: Mapping[Fate, Fraction]) -> Chart:
    """Show every way in which units fall together, the likeliest first and nobody last."""
    order = sorted(fates, key=lambda found: (not found.everybody, -fates[found]))
    return Chart(_titled(state, title), tuple(Bar(fallen(state, found), fates[found]) for found in order))


def fallen(state: State, found: Fate) -> Text:
    """Say who falls, and how."""
    parts = [
        say(sentence, units=speech.listed(tuple(speech.name(state, unit) for unit in state.units if unit.id in names)))
        for sentence, names in (("Destroyed: {units}", found.destroyed), ("Knocked over: {units}", found.knocked_down))
        if names
    ]
    match parts:
        case [one, other]:
            return say("{one}. {two}", one=one, two=other)
        case [one]:
            return one
    return NOBODY


def _alone(state: State, name: str) -> Text:
    """Say that a unit falls, in its way."""
    lies = any(traits.regenerates(unit) for unit in state.units if unit.id == name)
    return fallen(state, Fate((), (name,)) if lies else Fate((name,)))


def _each(fates: Mapping[Fate, Fraction]) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for outcome, chance in fates.items():
        for name in outcome.everybody:
            found[name] = found.get(name, Fraction(0)) + chance
    return found


def _impacts(state: State, side: Side, impacts: Mapping[Impact, Fraction]) -> Chart:
    """Draw where a shot comes down on the board, as the shooter sees it."""
    board = grid(state.options)
    order = sorted(impacts, key=lambda impact: -impacts[impact])
    return Chart(
        say("Where it comes down"),
        tuple(Bar(spot(state, impact), impacts[impact], impact.square) for impact in order),
        Map(tuple(board.files), tuple(str(rank + 1) for rank in range(board.ranks)),
            turned=AHEAD[edge(state.options, side)] == AHEAD["north"]),
    )  # fmt: skip


def spot(state: State, impact: Impact) -> Text:
    """Say where a shot comes down."""
    unit = state.find(impact.unit or "")
    if impact.square is None:
        return say("Off the board")
    if impact.result == "own_square":
        return say("{square}, the square of the shooter", square=impact.square)
    return say("{square}", square=impact.square) if unit is None else speech.name(state, unit)
