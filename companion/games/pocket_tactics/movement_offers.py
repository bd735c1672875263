"""What a seat may do by moving, deploying or passing, and the hazards that wait there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.pocket_tactics import dangers, landing, movement, moving, speech, threats
from companion.games.pocket_tactics.asked import terrains
from companion.games.pocket_tactics.land import Spot
from companion.games.pocket_tactics.terrain import hazard, known_as
from companion.games.pocket_tactics.threats import threat
from companion.games.pocket_tactics.ways import landings, places
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.hazards import Mover
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.games.pocket_tactics.terrain import Hazard

WHERE = say("Where to")


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    if state.phase != "play" or seat != state.active:
        return []
    moves = [offer for unit in state.of(seat, "tile") for offer in _moves(state, unit)]
    deployments = [offer for unit in state.of(seat, "reserve") for offer in _deployments(state, unit)]
    return [*moves, *deployments, *_passing(state, seat)]


def _moves(state: State, unit: Unit) -> list[Offer]:
    """Offer a unit's moves; what it takes to leave its tile is said before (PT-27 to PT-30)."""
    mover, here = landing.mover(state, unit), state.terrain(unit)
    found = tuple(places(state, unit)) if state.mirrored else ("base", *terrains(state))
    to = {
        place: "" if place == "base" else _terrain(state, place)
        for place in sorted(found, key=lambda one: one == "base")
    }
    if not to:
        return []
    if state.mirrored:
        warned, each = threats.leaving_each(mover, here, to, "move")
    else:
        warned, each = (*threats.leaving(mover, here, to.values(), "move"), *threats.entering(mover, to.values())), {}
    options = tuple(
        replace(
            _warned(_option(state, unit, place, _entry(mover, here, to[place])), state, unit, to[place]),
            advice=each.get(place, ()),
        )
        for place in to
    )
    hint = None if state.mirrored else say("An empty tile beside it, or one hop over a friend away.")
    label = say("Move: {unit}", unit=speech.kind(state, unit))
    return [
        Offer(
            "move",
            label,
            {"unit": unit.id},
            (Field("to", WHERE, "choice", options, hint=hint),),
            on=unit.id,
            clause="PT-27",
            advice=(*warned, *_abilities(state, unit)),
        )
    ]


def _deployments(state: State, unit: Unit) -> list[Offer]:
    """Offer the tiles beside the base to a unit of the reserve (PT-62, PT-63)."""
    found = landings(state, unit.seat) if state.mirrored else terrains(state)
    if not found:
        return []
    safe = say("not tested now")
    options = tuple(
        _option(state, unit, place, safe if hazard(known_as(_terrain(state, place))) else None) for place in found
    )
    hint = None if state.mirrored else say("An empty tile beside your base, without a hazard test.")
    label = say("Deploy: {unit}", unit=speech.kind(state, unit))
    return [
        Offer(
            "deploy",
            label,
            {"unit": unit.id},
            (Field("to", WHERE, "choice", options, hint=hint),),
            on=unit.id,
            clause="PT-62",
        )
    ]


def _passing(state: State, seat: Seat) -> list[Offer]:
    """Offer to pass: to who can do nothing, or to anybody; with the map on the table the players know (PT-A42)."""
    stuck = not movement.can_act(state, seat)
    free = moving.may_pass(state.options, can_act=not stuck)
    if state.mirrored and not free:
        return []
    warned = () if free else (Reason(say("Only who can do nothing passes."), "PT-A42"),)
    return [Offer("pass", say("Pass"), main=stuck, aside=not stuck, clause="PT-A42", advice=warned)]


def _terrain(state: State, place: str) -> str:
    tile = state.tile(place)
    return tile.terrain if tile else place


def _option(state: State, unit: Unit, place: str, note: Text | None) -> Option:
    """Make one place an option: a hazard says what it does; who is on the map sees a harmless tile by its square."""
    if place == "base":
        return Option(place, say("Your base: back to reserve"), place=state.bases.get(unit.seat))
    if not state.mirrored:
        return Option(place, speech.terrain(place))
    named = speech.place(state, place) if note or unit.where == "reserve" else say("{square}", square=place)
    return Option(place, named, place=place, note=note)


def _warned(option: Option, state: State, unit: Unit, terrain: str) -> Option:
    """Give a tile the sign of what waits there; what may cost the unit is read before it goes (PT-79, PT-85)."""
    if option.note is None:
        return option
    mover = landing.mover(state, unit)
    found = dangers.entry_test(mover, terrain)
    if found is not None:
        risk = threats.risk(mover, Spot(terrain, at=option.value), landing.land(state, unit))
        return replace(option, badge=threats.badge(found), risk=risk)
    later = _later(mover, state.terrain(unit), terrain)
    return option if later is None else replace(option, badge=threats.badge(later, later=True))


def _later(mover: Mover, here: str, terrain: str) -> Hazard | None:
    """Tell what a unit is tested for that leaves a tile again; None where going on from its own is no leaving."""
    later = dangers.exit_test(mover, terrain, "", "move")
    on_the_way = known_as(here) == later and dangers.exit_test(mover, here, terrain, "move") is None
    return None if on_the_way else later


def _entry(mover: Mover, here: str, terrain: str) -> Text | None:
    """Say what waits on a tile: the test of whoever comes, or of whoever wants to leave again (ledger 2.5)."""
    found = dangers.entry_test(mover, terrain)
    if found is not None:
        return threat(found)
    later = dangers.exit_test(mover, terrain, "", "move")
    if later is None:
        return None
    if _later(mover, here, terrain) is None:
        return say("no test on the way there")
    return say("leaving it later: {threat}", threat=threat(later))


def _abilities(state: State, unit: Unit) -> tuple[Reason, ...]:
    """Say how a unit's abilities change its movement: its player sees to that (PT-05, PT-29)."""
    found = [(speech.called(one.name), one.movement_effect) for one in state.card(unit).ability]
    return tuple(
        Reason(say("{ability}: {text}", ability=name, text=speech.does(effect)), "PT-29")
        for name, effect in found
        if effect
    )
