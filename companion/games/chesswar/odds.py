"""Exact odds of who falls, and of where a shot that scatters comes down, as long as nobody casts an instant spell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from companion.games.chesswar import magic, speech, traits
from companion.games.chesswar.armies import INSTANT
from companion.games.chesswar.options import AROUND, Around, Drift, Impact, Side, edge, grid, shift
from companion.games.chesswar.state import State
from companion.kit import odds as exact
from companion.kit.asking import Ask
from companion.kit.odds import Bar, Chart, Map
from companion.kit.questions import Throw
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

K = TypeVar("K", bound=Hashable)
P = TypeVar("P", bound=Hashable)
NOBODY = say("Nobody falls")
FEW = 2
"""How many units the plague may catch for every way in which they fall together to be shown (CW-111)."""
SAVED: exact.Throws = (((6,), Fraction(1)),)


class Fate(NamedTuple):
    """Who falls, by id, in the order of the table's units."""

    destroyed: tuple[str, ...] = ()
    knocked_down: tuple[str, ...] = ()

    @property
    def everybody(self) -> tuple[str, ...]:
        """List all who fall."""
        return self.destroyed + self.knocked_down


class Falls(NamedTuple, Generic[K]):
    """What comes of throws: the ``ways`` in which units fall, and how likely ``each`` one is to fall.

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


def explored(
    state: State, rule: Callable[[Ask], K], catches: Callable[[str], bool] = lambda _: True
) -> dict[K, Fraction]:
    """Run a rule over every throw that differs: of the scatter dice only the sum counts (CW-72).

    ``catches`` tells of a unit whether the plague may catch it here; otherwise it passes that save.
    """

    def listed(question: Throw) -> exact.Throws:
        if question.key.startswith(traits.PLAGUE) and not catches(question.key.removeprefix(traits.PLAGUE)):
            return SAVED
        if question.key != "scatter":
            return exact.throws(question.count, question.sides, question.alike)
        side = next(side for side in state.sides if side == question.by)
        return exact.sums(question.count, tuple(shift(state.options, side, face) for face in range(1, 7)))

    # Whether a forest is there (as a title says), and who else is struck, is answered with no, which comes first.
    return exact.odds(rule, settled=lambda question: question.options[0].value, listed=listed)


def titled(state: State, what: Text) -> Text:
    """Say in a chart's title what its odds leave out."""
    if any(magic.casters(state, side, spell) for side in state.sides for spell in INSTANT):
        what = say("{what}, without instant spells", what=what)
    if state.options.terrain and not state.mirrored and state.phase in {"shooting", "combat"}:
        what = say("{what}, outside forests", what=what)
    return what


def gathered(chances: Mapping[K, Fraction], part: Callable[[K], P]) -> dict[P, Fraction]:
    """Add up the chances of outcomes that are alike in a part."""
    sums: defaultdict[P, Fraction] = defaultdict(Fraction)
    for outcome, chance in chances.items():
        sums[part(outcome)] += chance
    return sums


def bars_of(chances: Mapping[K, Fraction], labels: tuple[tuple[K, Text], ...]) -> tuple[Bar, ...]:
    """Make a bar of each outcome, in that order."""
    return tuple(Bar(label, chances.get(outcome, Fraction(0))) for outcome, label in labels)


def who_falls(state: State, title: Text, falls: Falls[K]) -> Chart:
    """Show every way in which units fall together, the likeliest first and nobody last; of many each by itself."""
    if falls.many:
        return in_danger(state, falls.each)
    fates = _fates(falls.ways)
    order = sorted(fates, key=lambda fate: (not fate.everybody, -fates[fate]))
    return Chart(titled(state, title), tuple(Bar(fallen(state, fate), fates[fate]) for fate in order))


def in_danger(state: State, each: Mapping[str, Fraction]) -> Chart:
    """Show how likely each unit is to fall, whoever falls with it."""
    order = sorted(each, key=lambda name: -each[name])
    title = titled(state, say("How likely each unit is to fall"))
    return Chart(title, tuple(Bar(alone(state, name), each[name]) for name in order))


def fallen(state: State, who: Fate) -> Text:
    """Say who falls, and how."""

    def called(names: tuple[str, ...]) -> tuple[Text, ...]:
        return tuple(speech.name(state, unit) for unit in state.units if unit.id in names)

    said = speech.losses(
        ("Destroyed: {units}", called(who.destroyed)), ("Knocked over: {units}", called(who.knocked_down))
    )
    return said or NOBODY


def alone(state: State, name: str) -> Text:
    """Say that a unit falls, in its way."""
    lies = any(traits.regenerates(unit) for unit in state.units if unit.id == name)
    return fallen(state, Fate((), (name,)) if lies else Fate((name,)))


def each(fates: Mapping[Fate, Fraction]) -> dict[str, Fraction]:
    """Add up for each unit how likely it is to fall, whoever falls with it."""
    sums: defaultdict[str, Fraction] = defaultdict(Fraction)
    for fallen, chance in fates.items():
        for name in fallen.everybody:
            sums[name] += chance
    return dict(sums)


def _dangers(state: State, falls: Falls[Impact]) -> tuple[Chart, ...]:
    return (in_danger(state, falls.each),) if falls.each else ()


def landing(state: State, side: Side, falls: Falls[Impact], needs: tuple[Reason, ...]) -> tuple[Chart, ...]:
    """Show where a shot comes down on a mirrored board (CW-70 to CW-74), and who falls there."""
    where = _impacts(state, side, gathered(falls.ways, lambda outcome: outcome[0]), needs)
    whose = () if falls.many else (_whose(state, side, gathered(falls.ways, lambda outcome: outcome[1])),)
    return (where, *whose, *_dangers(state, falls))


def _whose(state: State, side: Side, fates: Mapping[Fate, Fraction]) -> Chart:
    own = {unit.id for unit in state.standing(*state.team(side))}
    whose = gathered(fates, lambda fate: (bool(set(fate.everybody) - own), bool(set(fate.everybody) & own)))
    bars = (
        ((True, False), say("Enemies only")),
        ((False, True), say("Own units only")),
        ((True, True), say("Enemies and own units")),
        ((False, False), NOBODY),
    )
    return Chart(titled(state, say("Who falls")), bars_of(whose, bars))


def drifting(state: State, falls: Falls[Impact], needs: tuple[Reason, ...], around: Around) -> tuple[Chart, ...]:
    """Show how far a shot drifts, as the shooter sees it, and on whom it comes down, as far as that was told."""
    drifts = gathered(falls.ways, lambda outcome: outcome[0].drift or (0, 0))
    furthest = max(across for across, _ in drifts)
    lines = tuple(_signed(line) for line in range(-furthest, furthest + 1))
    bars = tuple(
        Bar(speech.drift_in_words(drift), chance, _signed(drift[0]) + _signed(drift[1]))
        for drift, chance in drifts.items()
    )
    title = say("Where it comes down, from the square aimed at (away from you is up)")
    return (Chart(title, bars, Map(lines, lines), needs), *on_whom(drifts, around), *_dangers(state, falls))


def on_whom(drifts: Mapping[Drift | None, Fraction] | Mapping[Drift, Fraction], around: Around) -> tuple[Chart, ...]:
    """Show on whom a shot comes down, as far as it was told who stands around; nothing when nobody was named.

    A drift of None is off the board, or on the square of the shooter.
    """
    if not any(around):
        return ()
    enemies, own = ({AROUND[place][0] for place in places} for places in (around.enemies, around.own))
    chances = dict.fromkeys(("target", "own", "enemy", "nobody"), Fraction(0))
    for drift, chance in drifts.items():
        at_target = drift == (0, 0) and around.target is not None
        who = "target" if at_target else "own" if drift in own else "enemy" if drift in enemies else "nobody"
        chances[who] += chance
    bars = (
        *((Bar(around.target, chances["target"]),) if around.target is not None else ()),
        *((Bar(say("Another enemy"), chances["enemy"]),) if enemies else ()),
        *((Bar(say("An own unit"), chances["own"]),) if own else ()),
        Bar(say("Nobody that was named"), chances["nobody"]),
    )
    return (Chart(say("On whom it comes down"), bars),)


def _signed(line: int) -> str:
    return f"{line:+d}" if line else "0"


def _impacts(state: State, side: Side, impacts: Mapping[Impact, Fraction], needs: tuple[Reason, ...]) -> Chart:
    board, turned = grid(state.options), edge(state.options, side) == "north"
    ranks = tuple(str(rank + 1) for rank in range(board.ranks))
    order = sorted(impacts, key=lambda impact: -impacts[impact])
    bars = tuple(Bar(spot(state, impact), impacts[impact], impact.square) for impact in order)
    return Chart(say("Where it comes down"), bars, Map(tuple(board.files), ranks, turned=turned), needs)


def spot(state: State, impact: Impact) -> Text:
    """Say where a shot comes down."""
    unit = state.find(impact.unit or "")
    if impact.square is None:
        return say("Off the board")
    if impact.result == "own_square":
        return say("{square}, the square of the shooter", square=impact.square)
    return say("{square}", square=impact.square) if unit is None else speech.name(state, unit)
