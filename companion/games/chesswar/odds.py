"""Exact odds of what dice decide: charges, shots, attacks, Zap and Strike, as long as nobody casts an instant spell."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from companion.games.chesswar import catapults, charge, combat, magic, saves, speech, spells, traits
from companion.games.chesswar.armies import INSTANT
from companion.games.chesswar.sides import shift
from companion.kit import odds as exact
from companion.kit.asking import Ask, Choose, Throw
from companion.kit.chart import Bar, Chart
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar import actions as do
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State
    from companion.kit.ruling import Reason

K = TypeVar("K", bound=Hashable)
P = TypeVar("P", bound=Hashable)
NOBODY = say("Nobody falls")
CHARGES = say("It charges")
STAYS = say("It stays where it is")
FEW = 2
"""How many units the plague may catch for every way in which they fall together to be shown (CW-111)."""
SAVED: exact.Throws = (((6,), Fraction(1)),)
GOES_ON = say("The melee goes on")


class Fate(NamedTuple):
    """Hold who falls, by id, in the order of the table's units."""

    destroyed: tuple[str, ...] = ()
    knocked_down: tuple[str, ...] = ()

    @property
    def everybody(self) -> tuple[str, ...]:
        """List all who fall."""
        return self.destroyed + self.knocked_down


class Falls(NamedTuple, Generic[K]):
    """Hold what comes of throws: the ``ways`` in which units fall, and how likely ``each`` one is to fall.

    Where the plague may catch ``many``, the ways are those without it: there are too many with it to be read.
    """

    ways: Mapping[tuple[K, Fate], Fraction]
    each: Mapping[str, Fraction]
    many: bool


def fate(before: State, after: State) -> Fate:
    """Find who has fallen between two states."""
    fell = [new for old, new in zip(before.units, after.units, strict=False) if old.stands and not new.stands]
    return Fate(tuple(unit.id for unit in fell if not unit.on_board), tuple(unit.id for unit in fell if unit.on_board))


def calm(state: State) -> State:
    """Return the state in which nobody wants to be asked for instant spells, which leaves less to run through."""
    units = tuple(replace(unit, heals=None) if unit.heals else unit for unit in state.units)
    return state.but(replies=dict.fromkeys(state.sides, "never"), units=units)


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

    found = falling(state, falls)
    blows = gathered(found.ways, lambda outcome: outcome[0])
    bars = (
        (victim, alone(state, victim)),
        (name, alone(state, name)),
        (None, GOES_ON),
    )
    needs = combat.foretold(state, state.unit(name), state.unit(victim))
    if not found.many and all(len(fallen.everybody) <= 1 for _, fallen in found.ways):
        return (Chart(titled(state, say("The whole attack, dice and saves")), bars_of(blows, bars), reasons=needs),)
    return (
        Chart(titled(state, say("The attack, before the plague")), bars_of(blows, bars), reasons=needs),
        who_falls(state, say("The attack, with the plague"), found),
    )


def shooting(state: State, rule: Callable[[Ask], State], needs: tuple[Reason, ...]) -> tuple[Chart, ...]:
    """Show whether a bow hits, and who falls (CW-56, CW-52, CW-62); after a hit there is always more to throw."""

    def hits(ask: Ask) -> tuple[bool, Fate]:
        after = rule(ask)
        return ask.used > 1, fate(state, after)

    found = falling(state, hits)
    bars = ((True, say("It hits")), (False, say("It misses")))
    return (
        Chart(
            titled(state, say("The shot")),
            bars_of(gathered(found.ways, lambda outcome: outcome[0]), bars),
            reasons=needs,
        ),
        who_falls(state, say("Who falls"), found),
    )


def casting(state: State, action: do.Cast) -> tuple[Chart, ...]:
    """Show who falls by a Zap or a Strike (CW-150, CW-162)."""
    found = falling(state, lambda ask: (None, fate(state, spells.cast(state, action, ask))))
    chart = who_falls(magic.spend(state, state.unit(action.unit)), say("Who falls"), found)
    target = state.unit(action.target or "", "target")
    return (replace(chart, reasons=(saves.required(state, target, "shot" if action.spell == "zap" else "strike"),)),)


def falling(state: State, rule: Callable[[Ask], tuple[K, Fate]]) -> Falls[K]:
    """Run a rule over every throw; where the plague may catch many, over the save of one at a time (CW-111).

    No such save depends on another one, so that each unit can be looked at while all the others pass theirs.
    """
    exposed: dict[str, None] = {}

    def nobody(name: str) -> bool:
        exposed[name] = None
        return False

    ways = explored(state, rule, nobody)
    many = len(exposed) > FEW
    if not many:
        ways = explored(state, rule) if exposed else ways
        return Falls(ways, each(_fates(ways)), many)
    caught = {name: each(_fates(explored(state, rule, name.__eq__)))[name] for name in exposed}
    return Falls(ways, each(_fates(ways)) | caught, many)


def _fates(ways: Mapping[tuple[K, Fate], Fraction]) -> Mapping[Fate, Fraction]:
    return gathered(ways, lambda outcome: outcome[1])


def _anybody(_: str) -> bool:
    return True


def explored(state: State, rule: Callable[[Ask], K], catches: Callable[[str], bool] = _anybody) -> dict[K, Fraction]:
    """Run a rule over every throw that differs: of the scatter dice only the sum counts (CW-72).

    ``catches`` tells of a unit whether the plague may catch it here; otherwise it passes that save.
    """

    def listed(question: Throw) -> exact.Throws:
        if question.key.startswith(saves.PLAGUE) and not catches(question.key.removeprefix(saves.PLAGUE)):
            return SAVED
        if question.key != "scatter":
            return exact.throws(question.count, question.sides, question.alike)
        return scatter(state, next(side for side in state.sides if side == question.by), question.count)

    return exact.odds(rule, settled=_settled, listed=listed)


def scatter(state: State, side: Side, count: int) -> exact.Throws:
    """List every sum of scatter dice of a side with its weight (CW-72)."""
    return exact.sums(count, tuple(shift(state.options, side, face) for face in range(1, 7)))


def _settled(question: Choose) -> str:
    """Answer no to what is asked on the way: whether a forest is there (as a title says), and who else is struck."""
    return catapults.NOBODY if question.key == catapults.IMPACT else magic.NO


def titled(state: State, what: Text) -> Text:
    """Say in a chart's title what its odds leave out."""
    if any(magic.casters(state, side, spell) for side in state.sides for spell in INSTANT):
        what = say("{what}, without instant spells", what=what)
    if state.options.terrain and not state.mirrored and state.phase in {"shooting", "combat"}:
        what = say("{what}, outside forests", what=what)
    return what


def gathered(chances: Mapping[K, Fraction], part: Callable[[K], P]) -> dict[P, Fraction]:
    """Add up the chances of outcomes that are alike in a part."""
    found: dict[P, Fraction] = {}
    for outcome, chance in chances.items():
        found[part(outcome)] = found.get(part(outcome), Fraction(0)) + chance
    return found


def bars_of(chances: Mapping[K, Fraction], labels: tuple[tuple[K, Text], ...]) -> tuple[Bar, ...]:
    """Make a bar of each outcome, in that order."""
    return tuple(Bar(label, chances.get(outcome, Fraction(0))) for outcome, label in labels)


def who_falls(state: State, title: Text, found: Falls[K]) -> Chart:
    """Show every way in which units fall together, the likeliest first and nobody last; of many each by itself."""
    if found.many:
        return in_danger(state, found.each)
    fates = _fates(found.ways)
    order = sorted(fates, key=lambda one: (not one.everybody, -fates[one]))
    return Chart(titled(state, title), tuple(Bar(fallen(state, one), fates[one]) for one in order))


def in_danger(state: State, each: Mapping[str, Fraction]) -> Chart:
    """Show how likely each unit is to fall, whoever falls with it."""
    order = sorted(each, key=lambda name: -each[name])
    title = titled(state, say("How likely each unit is to fall"))
    return Chart(title, tuple(Bar(alone(state, name), each[name]) for name in order))


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


def alone(state: State, name: str) -> Text:
    """Say that a unit falls, in its way."""
    lies = any(traits.regenerates(unit) for unit in state.units if unit.id == name)
    return fallen(state, Fate((), (name,)) if lies else Fate((name,)))


def each(fates: Mapping[Fate, Fraction]) -> dict[str, Fraction]:
    """Add up for each unit how likely it is to fall, whoever falls with it."""
    found: dict[str, Fraction] = {}
    for outcome, chance in fates.items():
        for name in outcome.everybody:
            found[name] = found.get(name, Fraction(0)) + chance
    return found
