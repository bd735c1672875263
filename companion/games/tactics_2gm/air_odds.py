"""The exact odds of a bomb or a sortie: what may shoot the aircraft down, and what its attack may bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import aiming, air, anti_aircraft, flying, odds
from companion.games.tactics_2gm.anti_aircraft import Spot
from companion.games.tactics_2gm.sides import other
from companion.kit.chart import Bar, Chart
from companion.kit.ruling import Reason
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm import actions as do
    from companion.games.tactics_2gm.aiming import Targeted
    from companion.games.tactics_2gm.pieces import Unit
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State


def charts(state: State, seat: Seat, action: do.Bomb | do.Sortie) -> tuple[Chart, ...]:
    """Show what an attack from the air may bring; raise Refusal when it can not be made."""
    state, plane, target = air.sent(state, seat, action)
    shots = [aiming.shot_of(state, plane, weapon, target) for weapon in flying.weapons(state, plane)]
    found = [odds.chart(shot) for shot in shots]
    if len(shots) > 1:
        destroyed = odds.destroyed_after(shots, odds.left(shots[0]))[-1]
        bars = (Bar(say("It is destroyed"), destroyed), Bar(say("It is not destroyed"), 1 - destroyed))
        found.append(Chart(say("All the weapons of the aircraft"), bars))
    return (*found, *_on_its_way(state, plane, target))


def _on_its_way(state: State, plane: Unit, target: Targeted) -> tuple[Chart, ...]:
    """Show how likely anti-aircraft shoots it down, where a board tells which is within range (G2-142, G2-143)."""
    spot = Spot.of(state, target)
    guns = anti_aircraft.ready(state, other(plane.side), spot) if state.mirrored else ()
    if not guns:
        return ()
    shots = [anti_aircraft.shots(state, gun, plane, spot)[0] for gun in guns]
    down = odds.destroyed_after(shots, odds.left(shots[0]))[-1]
    bars = (Bar(say("It is shot down"), down), Bar(say("It goes on and attacks"), 1 - down))
    said = say("All anti-aircraft within range fires")
    return (Chart(say("On its way"), bars, reasons=(Reason(said, "G2-142", len(guns)),)),)
