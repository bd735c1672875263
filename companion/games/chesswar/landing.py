"""Where a shot that scatters comes down, on whom, and who falls there: its exact odds (CW-70 to CW-82)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.chesswar import catapults, odds, speech
from companion.games.chesswar.around import LIES, Around, Drift
from companion.games.chesswar.sides import AHEAD, edge, grid
from companion.kit.chart import Bar, Chart, Map
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.catapults import Impact
    from companion.games.chesswar.destruction import Toll
    from companion.games.chesswar.odds import Falls, Fate
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State
    from companion.kit.asking import Ask
    from companion.kit.ruling import Reason

Bombarding = Callable[["Ask"], tuple["State", "Toll", "Impact"]]


def explored(state: State, rule: Bombarding) -> Falls[Impact]:
    """Run a bombardment over every throw: where it comes down, and who falls."""

    def comes_down(ask: Ask) -> tuple[Impact, Fate]:
        after, _, impact = rule(ask)
        return impact, odds.fate(state, after)

    return odds.falling(state, comes_down)


def bombarding(state: State, side: Side, found: Falls[Impact], needs: tuple[Reason, ...]) -> tuple[Chart, ...]:
    """Show where a shot comes down on a mirrored board (CW-70 to CW-74), and who falls there."""
    where = replace(_impacts(state, side, odds.gathered(found.ways, lambda outcome: outcome[0])), reasons=needs)
    whose = () if found.many else (_whose(state, side, odds.gathered(found.ways, lambda outcome: outcome[1])),)
    return (where, *whose, *in_danger(state, found))


def _whose(state: State, side: Side, fates: Mapping[Fate, Fraction]) -> Chart:
    """Show whose units fall."""
    own = {unit.id for unit in state.standing(*state.team(side))}
    whose = odds.gathered(fates, lambda found: (bool(set(found.everybody) - own), bool(set(found.everybody) & own)))
    bars = (
        ((True, False), say("Enemies only")),
        ((False, True), say("Own units only")),
        ((True, True), say("Enemies and own units")),
        ((False, False), odds.NOBODY),
    )
    return Chart(odds.titled(state, say("Who falls")), odds.bars_of(whose, bars))


def in_danger(state: State, found: Falls[Impact]) -> tuple[Chart, ...]:
    """Show how likely each unit is to fall; nothing when none may."""
    return (odds.in_danger(state, found.each),) if found.each else ()


def drifting(state: State, found: Falls[Impact], needs: tuple[Reason, ...], around: Around) -> tuple[Chart, ...]:
    """Show how far a shot drifts, as the shooter sees it, and on whom it comes down, as far as that was told."""
    drifts = odds.gathered(found.ways, lambda outcome: outcome[0].drift or (0, 0))
    furthest = max(across for across, _ in drifts)
    lines = tuple(_signed(line) for line in range(-furthest, furthest + 1))
    bars = tuple(
        Bar(catapults.drift_in_words(drift), chance, _signed(drift[0]) + _signed(drift[1]))
        for drift, chance in drifts.items()
    )
    title = say("Where it comes down, from the square aimed at (away from you is up)")
    return (Chart(title, bars, Map(lines, lines), needs), *on_whom(drifts, around), *in_danger(state, found))


def on_whom(drifts: Mapping[Drift | None, Fraction] | Mapping[Drift, Fraction], around: Around) -> tuple[Chart, ...]:
    """Show on whom a shot comes down, as far as it was told who stands around; nothing when nobody was named.

    A drift of None is off the board, or on the square of the shooter.
    """
    if not any(around):
        return ()
    enemies, own = ({LIES[place] for place in places} for places in (around.enemies, around.own))
    found = dict.fromkeys(("target", "own", "enemy", "nobody"), Fraction(0))
    for drift, chance in drifts.items():
        at_target = drift == (0, 0) and around.target is not None
        found["target" if at_target else "own" if drift in own else "enemy" if drift in enemies else "nobody"] += chance
    bars = (
        *((Bar(around.target, found["target"]),) if around.target is not None else ()),
        *((Bar(say("Another enemy"), found["enemy"]),) if enemies else ()),
        *((Bar(say("An own unit"), found["own"]),) if own else ()),
        Bar(say("Nobody that was named"), found["nobody"]),
    )
    return (Chart(say("On whom it comes down"), bars),)


def _signed(line: int) -> str:
    return f"{line:+d}" if line else "0"


def _impacts(state: State, side: Side, impacts: Mapping[Impact, Fraction]) -> Chart:
    """Draw where a shot comes down on the board, as the shooter sees it."""
    board = grid(state.options)
    order = sorted(impacts, key=lambda impact: -impacts[impact])
    return Chart(
        say("Where it comes down"),
        tuple(Bar(spot(state, impact), impacts[impact], impact.square) for impact in order),
        Map(
            tuple(board.files),
            tuple(str(rank + 1) for rank in range(board.ranks)),
            turned=AHEAD[edge(state.options, side)] == AHEAD["north"],
        ),
    )


def spot(state: State, impact: Impact) -> Text:
    """Say where a shot comes down."""
    unit = state.find(impact.unit or "")
    if impact.square is None:
        return say("Off the board")
    if impact.result == "own_square":
        return say("{square}, the square of the shooter", square=impact.square)
    return say("{square}", square=impact.square) if unit is None else speech.name(state, unit)
