"""What a seat sees: the map, the armies, and what to do next. Nothing is hidden (ledger 2.6 and 5.2)."""

from __future__ import annotations

from companion.games.pocket_tactics import factions, geometry, initial_deployment, turn
from companion.games.pocket_tactics.cards import FACTIONS, NOTHING, AbilityText, Printed, terrain_name
from companion.games.pocket_tactics.combatants import DEFENCE, OFFENCE, PICTURES, SIGNS, glyph, sign
from companion.games.pocket_tactics.dice import POOLS, Value
from companion.games.pocket_tactics.movement import can_act
from companion.games.pocket_tactics.state import SEATS, Seat, State, Unit, Where, other
from companion.games.pocket_tactics.terrain import LEGEND, affine
from companion.kit.counts import number
from companion.kit.hexes import FILES, named
from companion.kit.once import once
from companion.kit.panels import (
    Board,
    Panel,
    Phases,
    Piece,
    PieceCorrections,
    Stat,
    Tableau,
    Terrain,
    View,
    Weapon,
    Zone,
)
from companion.kit.ruling import Reason
from companion.kit.text import Text, listed, say

SETTING_UP = ("factions", "tiles", "second_base", "setting_out")
ON_THE_TABLE = ("factions", "setting_out")
"""What comes before the first turn, with the map in Companion and with it on the table."""

SKILLS: tuple[tuple[str, Text], ...] = tuple((picture, Text(name)) for name, picture in SIGNS.items())
"""What the small pictures of skills are; beside them stand offence and defence."""

ZONES: dict[Where, Text] = {"tile": say("On the map"), "reserve": say("Reserve"), "captured": say("Captured")}


def view(state: State, seat: Seat | None) -> View:
    """Show what a seat may see."""
    panels: tuple[Panel, ...] = (*_map(state, seat), _armies(state, seat))
    if state.phase == "factions":
        panels = factions.panels(state, seat)
    return View(
        _headline(state, seat),
        _awaited(state),
        (*_phases(state), *panels),
        _advice(state, seat),
        over=state.over,
        sheet=_sheet(state, seat),
    )


def _awaited(state: State) -> tuple[Seat, ...]:
    if state.over:
        return ()
    return tuple(seat for seat in SEATS if seat not in state.ready) if state.phase == "factions" else (state.active,)


def _headline(state: State, seat: Seat | None) -> Text:
    """Say in one sentence what happens now, for that seat."""
    own_turn, side = seat == state.active, Text(state.active)
    match state.phase:
        case "finished":
            return turn.over(state)
        case "factions":
            return _factions(state, seat)
        case "tiles":
            tile = terrain_name(state.bag.tile[state.drawn or 0].terrain)
            if own_turn:
                return say("You have drawn: {terrain}. Tap the place where the tile goes.", terrain=tile)
            return say("{side} places a tile: {terrain}.", side=side, terrain=tile)
        case "second_base" if own_turn:
            return say("Tap where your base goes: as far from the enemy's as possible.")
        case "second_base":
            return say("{side} places the base.", side=side)
        case "setting_out" if not own_turn:
            return say("{side} sets out the first units.", side=side)
        case "setting_out" if state.mirrored:
            return say(
                "Tap a unit of your reserve, then its tile: {count} left.|"
                "Tap a unit of your reserve, then its tile: {count} left.",
                count=initial_deployment.left(state, state.active),
            )
        case "setting_out":
            return say(
                "Tap a unit of your reserve, then its terrain: {count} left.|"
                "Tap a unit of your reserve, then its terrain: {count} left.",
                count=initial_deployment.left(state, state.active),
            )
        case _ if not own_turn:
            return say("{side} moves, assaults or deploys one unit.", side=side)
        case _ if not can_act(state, state.active):
            return say("You can neither move, assault nor deploy: pass.")
        case _:
            return say("Move, assault or deploy one unit.")


def _factions(state: State, seat: Seat | None) -> Text:
    if len(state.ready) == len(SEATS):
        return say("The factions are ready.")
    if seat is None:
        return say("The factions are being chosen.")
    if seat in state.ready:
        return say("{side} still prepares the faction.", side=Text(other(seat)))
    if seat not in state.factions:
        return say("Take a faction: a ready one, a file, or one of your own.")
    return say("Your faction: change it as you like, then say that you are ready.")


def _advice(state: State, seat: Seat | None) -> tuple[Reason, ...]:
    """List what a seat may want to know now."""
    gone = [] if state.over or not state.turn else [side for side in SEATS if not state.alive(side)]
    if gone:
        text = "{side} has no unit left, so the game ends with this turn. To play on, put one back by hand."
        return (Reason(say(text, side=Text(gone[0])), "PT-64"),)
    if seat != state.active:
        return ()
    if state.phase == "tiles":
        return (Reason(say("Tiles still in the bag: {count}.", count=len(state.left)), "PT-18"),)
    if state.phase == "setting_out" and not state.mirrored:
        return (Reason(say("Put them on the table as close to your base as possible."), "PT-22"),)
    return ()


def _sheet(state: State, seat: Seat | None) -> str | None:
    """Name the player aid of a sample faction that is a player's own."""
    faction = state.factions.get(seat) if seat else None
    return faction.name if faction is not None and faction.sample and faction.name in FACTIONS else None


def _phases(state: State) -> tuple[Phases, ...]:
    steps = SETTING_UP if state.mirrored else ON_THE_TABLE
    if state.phase not in steps:
        return ()
    return (Phases(say("Before the game"), tuple(Text(step) for step in steps), steps.index(state.phase)),)


def _map(state: State, seat: Seat | None) -> tuple[Board, ...]:
    """Show the map as far as it is built, with room for what is placed next; the second player sees it turned."""
    if not state.mirrored or not state.bases:
        return ()
    shown = [named(at) for at in (*geometry.in_play(state).values(), *_free(state))]
    columns = range(min(place.q for place in shown), max(place.q for place in shown) + 1)
    ranks = [int(place.name[1:]) for place in shown]
    files = tuple(FILES[q + FILES.index("m")] for q in columns)
    board = Board(
        say("The map"),
        files,
        tuple(str(rank) for rank in range(min(ranks), max(ranks) + 1)),
        tuple(_piece(state, unit) for unit in state.units if unit.at),
        terrain=_ground(state),
        turned=seat == state.second,
        tint=_tint(state, seat),
        hexes=True,
        legend=LEGEND,
        raised=tuple(file for file, q in zip(files, columns, strict=True) if q % 2),
        closed=tuple(state.bases.values()),
    )
    return (board,)


def _free(state: State) -> tuple[str, ...]:
    if state.phase == "tiles" and state.drawn is not None:
        return tuple(geometry.tile_places(state, state.drawn))
    return geometry.base_places(state) if state.phase == "second_base" else ()


@once
def _ground(state: State) -> tuple[Terrain, ...]:
    tiles = (
        Terrain(tile.at, PICTURES.get(tile.terrain, "other"), terrain_name(tile.terrain), grooves=tile.grooves)
        for tile in state.tiles
    )
    owners = (seat for seat in SEATS if seat in state.bases)
    bases = (Terrain(state.bases[seat], "base", say("{side}'s base", side=Text(seat)), seat) for seat in owners)
    return (*tiles, *bases)


def _tint(state: State, seat: Seat | None) -> tuple[tuple[str, str], ...]:
    """Mark who acted last, whom or which base he assaulted, and where he came from; before the game what is free.

    Whoever places a tile has the free places to tap; everybody else sees what the map may become.
    """
    if seat != state.active and (free := _free(state)):
        return tuple((at, "home") for at in free)
    if state.phase not in ("play", "finished"):
        return ()
    last = state.last
    actor, assaulted = state.find(last.unit), state.find(last.target)
    target = assaulted.at if assaulted else None
    if actor is not None and last.target == "base":
        target = state.bases[other(actor.seat)]
    marks = ((last.came_from, "came_from"), (actor.at if actor else None, "acting"), (target, "target"))
    return tuple((at, mark) for at, mark in marks if at)


def _armies(state: State, seat: Seat | None) -> Tableau:
    """Show both armies: a player's own first, as the other one is looked at less; from the screen as they lie."""
    if seat is None:
        rows = (_army(state, state.second), _army(state, state.first))
    else:
        rows = (_army(state, seat), _army(state, other(seat), folded=True))
    return Tableau(say("The armies"), rows, SKILLS)


def _army(state: State, seat: Seat, *, folded: bool = False) -> tuple[Zone, ...]:
    places: tuple[Where, ...] = ("reserve", "captured") if state.mirrored else ("tile", "reserve", "captured")
    return tuple(
        _zone(state, seat, where, folded=where == "captured" or (folded and where == "reserve"))
        for where in places
        if where != "captured" or state.of(seat, where)
    )


def _zone(state: State, seat: Seat, where: Where, *, folded: bool) -> Zone:
    pieces = tuple(_piece(state, unit) for unit in state.of(seat, where))
    note = say("by {side}", side=Text(other(seat))) if where == "captured" else None
    return Zone(f"{where}.{seat}", ZONES[where], pieces, seat, note=note, folded=folded)


@once
def _piece(state: State, unit: Unit) -> Piece:
    """Show a unit; what stands on its card is said to whoever taps it (PT-02)."""
    card, skills = state.card(unit), state.skills(unit)
    stats = tuple(
        Stat(sign(card, skill.slot), say("{count}", count=skill.stat), card.skill_name(skill.slot)) for skill in skills
    )
    abilities, badges = map(AbilityText.said, card.ability), _badges(state, unit)
    hint = listed([card.said_affinities(), *abilities], NOTHING)
    is_corrected = state.mirrored and unit.at is not None and state.phase in ("setting_out", "play")
    return Piece(
        unit.id,
        unit.seat,
        glyph(card),
        state.kind(unit),
        unit.at,
        badges=badges,
        hint=hint,
        stats=stats,
        weapons=tuple(_skill(state, unit, skill) for skill in skills),
        corrections=PieceCorrections(square=f"unit.{unit.id}:place") if is_corrected else None,
        photo=card.picture,
    )


def _skill(state: State, unit: Unit, skill: Printed) -> Weapon:
    """Show the two values of a skill as they are now, and its reach beyond the next tile (PT-59, PT-93, PT-98)."""
    card = state.card(unit)
    values = zip(POOLS, (OFFENCE, DEFENCE), (skill.offence, skill.defence), strict=True)
    numbers = [
        Stat(picture, say("{count}", count=value.printed), Text(pool), _kicker(card.value(skill.slot, pool), value))
        for pool, picture, value in values
    ]
    if (reach := card.reaches(skill.slot)) > 1:
        numbers.append(Stat("target", number(reach), say("Reach")))
    return Weapon(card.skill_name(skill.slot), tuple(numbers))


def _kicker(printed: Value, value: Value) -> tuple[Reason, ...]:
    """Say what a kicker that is not the printed one is made of (PT-98)."""
    if value.kicker == printed.kicker:
        return ()
    by = Reason(say("changed by hand"), "PT-98", value.kicker - printed.kicker)
    return (Reason(say("kicker on its card"), "PT-93", printed.kicker), by)


def _badges(state: State, unit: Unit) -> tuple[Text, ...]:
    """Say where a unit stands, unless the map shows it; what favours it (PT-52), which kickers differ (PT-98)."""
    badges = [terrain_name(unit.terrain)] if unit.terrain else []
    if affine(state.card(unit).affinities, state.terrain(unit)):
        badges.append(say("affinity"))
    if unit.shifts:
        badges.append(say("kicker changed"))
    return tuple(badges)
