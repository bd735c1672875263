"""What a seat sees: the board or the rosters, where in the turn it is, the spells in force, and what to do next."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from companion.games.chesswar import raising, speech, traits, victory, weapon_table
from companion.games.chesswar.armies import UnitType
from companion.games.chesswar.combat import charged_home
from companion.games.chesswar.options import Side, edge, grid, home, named, teams
from companion.games.chesswar.state import BEFORE, TURN_PHASES, State, Unit
from companion.games.chesswar.turn import fighters, shooters
from companion.kit import counts
from companion.kit.once import once
from companion.kit.panels import Board, Facts, Panel, Phases, Piece, PieceCorrections, Roster, Terrain, View
from companion.kit.ruling import Reason, changed
from companion.kit.text import Text, say, with_sign

STEPS = (say("Movement"), say("Shooting"), say("Combat"))
SIGNS = (
    ("shield", say("protected by a spell")),
    ("wing", say("flying")),
    ("lock", say("cannot cast until its turn after next")),
    ("skull", say("just raised from the dead")),
)


def view(state: State, side: Side | None) -> View:
    """Show what a seat may see, and nothing else."""
    return View(
        headline(state, side),
        to_move(state),
        (*_phases(state), *_units(state, side), *_glance(state, side)),
        hints(state, side),
        over=state.phase == "finished",
        note=_in_force(state),
        sheet=state.armies.get(side) if side else None,
    )


def hints(state: State, side: Side | None) -> tuple[Reason, ...]:
    """List what a seat may want to know now."""
    advice = list(_undecided(state))
    if side is not None and state.phase in BEFORE and side not in state.ready:
        advice += raising.spend_hint(state, side)
    shoots = side in state.acting and state.phase == "shooting" and shooters(state)
    if shoots and any(unit.engaged for unit in state.standing()):
        advice.append(Reason(say("A shot into a melee may strike your own unit."), "CW-52"))
    return tuple(advice)


def _undecided(state: State) -> tuple[Reason, ...]:
    """Say what has to be set by hand before a game that went on after its end can end as it should (CW-164, CW-173)."""
    if state.phase not in TURN_PHASES:
        return ()
    won, clause = victory.victors(state)
    if won:
        said = say("As the board stands {side} has won: to play on, put units back by hand.", side=named(won))
        return (Reason(said, clause),)
    if state.options.total_massacre:
        return ()
    return tuple(
        Reason(say("{side} has no general and cannot lose: put one back by hand.", side=Text(side)), "CW-164")
        for side in state.sides
        if side not in state.led
    )


def seen(state: State, side: Side | None) -> tuple[Unit, ...]:
    """List the units that a seat may see: of armies that are still secret only its own (CW-18, CW-20)."""
    if not state.hidden:
        return tuple(unit for unit in state.units if unit.on_board)
    return tuple(unit for unit in state.units if unit.side == side)


def to_move(state: State) -> tuple[Side, ...]:
    """List the seats that the game waits for."""
    match state.phase:
        case "finished":
            return ()
        case "choosing":
            return tuple(side for side in state.sides if side not in state.armies)
        case "raising" | "redeploying":
            return tuple(side for side in state.sides if side not in state.ready)
        case _:
            waiting = tuple(side for side in state.acting if side not in state.done)
            return tuple(side for side in waiting if state.standing(side)) or waiting


def headline(state: State, side: Side | None) -> Text:
    """Say in one sentence what happens next, for that seat."""
    waiting = to_move(state)
    match state.phase:
        case "finished":
            return say("Victory for {side}.", side=named(state.winner))
        case "choosing":
            if side in waiting:
                return say("Choose your army.")
            return say("Choosing an army: {side}.", side=named(waiting))
        case "raising":
            if side not in waiting:
                return say("Raising an army in secret: {side}.", side=named(waiting))
            if not seen(state, side):
                return say("Raise your army.")
            if state.mirrored:
                return say("Place your units, and say when you are ready.")
            return say("Place your units behind a screen, and say when you are ready.")
        case "redeploying":
            if side in waiting:
                return say("You do not move first: rearrange your army, or keep it so.")
            return say("May rearrange the army first: {side}.", side=named(waiting))
        case _:
            return _turn_headline(state, side)


def _turn_headline(state: State, side: Side | None) -> Text:
    if side not in to_move(state):
        return say("{side}: {phase} phase.", side=named(to_move(state)), phase=Text(state.phase))
    if state.phase == "movement":
        if state.mirrored:
            return say("Move and charge with your units.")
        return say("Move your units on the board; tell Companion who charges whom.")
    if state.phase == "shooting":
        if any(unit.side == side for unit in shooters(state)):
            return say("Shoot with your units.")
        return say("None of your units can shoot any more: go on.")
    if any(unit.side == side for unit in fighters(state)):
        return say("Attack with your units in melee.")
    return say("None of your units can attack any more: end the turn.")


def _phases(state: State) -> tuple[Phases, ...]:
    if state.phase in {*BEFORE, "redeploying"}:
        steps = (say("Army"), say("Deployment"), say("First move"))
        return (Phases(say("Set-up"), steps, (*BEFORE, "redeploying").index(state.phase)),)
    if state.phase not in TURN_PHASES:
        return ()
    title = say("Round {round}: {side}", round=state.round, side=named(state.acting))
    return (Phases(title, STEPS, TURN_PHASES.index(state.phase)),)


def _units(state: State, side: Side | None) -> tuple[Panel, ...]:
    units = seen(state, side)
    if state.mirrored:
        return (_board(state, side, units),)
    return tuple(
        Roster(Text(f"units_of_{seat}"), seat, tuple(_listed(state, line) for line in speech.lines(state, own)))
        for seat in sorted(state.sides, key=lambda seat: seat != side)
        if (own := [unit for unit in units if unit.side == seat])
    )


def _listed(state: State, line: speech.Line) -> Piece:
    piece = _piece(state, line.unit)
    many = (say("×{count}", count=line.many),) if line.many > 1 else ()
    return replace(piece, name=speech.called(state, line), badges=(*many, *piece.badges))


def _board(state: State, side: Side | None, units: tuple[Unit, ...]) -> Board:
    board = grid(state.options)
    return Board(
        say("Board"),
        tuple(board.files),
        tuple(str(rank + 1) for rank in range(board.ranks)),
        tuple(_piece(state, unit) for unit in units if unit.square is not None),
        tuple(Terrain(square, kind, Text(kind)) for square, kind in state.terrain.items()),
        turned=side is not None and edge(state.options, side) == "north",
        tint=_tint(state, side),
        links=_links(units),
        legend=SIGNS,
    )


def _links(units: tuple[Unit, ...]) -> tuple[tuple[str, str], ...]:
    """Pair the squares of units in melee, each pair once."""
    at = {unit.id: unit.square for unit in units}
    pairs = {
        (min(unit.square, there), max(unit.square, there))
        for unit in units
        for foe in unit.engaged_with
        if unit.square and (there := at.get(foe))
    }
    return tuple(sorted(pairs))


def _tint(state: State, side: Side | None) -> tuple[tuple[str, str], ...]:
    if side is not None and state.phase in {"raising", "redeploying"} and side not in state.ready:
        return tuple((square, "home") for square in home(state.options, side))
    if state.last is None:
        return ()
    marked = ((state.last.from_square, "came_from"), (state.last.to_square, "target"))
    return tuple((square, kind) for square, kind in marked if square is not None)


@once
def _piece(state: State, unit: Unit) -> Piece:
    listed = not state.mirrored
    corrected = state.mirrored and unit.on_board and state.phase not in {*BEFORE, "finished"}
    protected = traits.protected(state, unit)
    badges = (
        (speech.melee(state, unit) if listed else None, True),
        (say("in melee"), unit.engaged and not listed),
        (say("protected"), protected),
        (_to_heal(state, unit), True),
        (say("moved"), unit.moved and state.phase in {"movement", "shooting"}),
        (say("held by dread"), unit.charge_failed),
        (say("has shot"), unit.shot),
        (say("has attacked"), unit.attacked),
        (say("flying"), unit.flying),
        (say("has cast"), unit.cast),
        (say("no spell in the next turn"), unit.locked and unit.side not in state.acting),
        (say("no spell in this turn"), unit.locked and unit.side in state.acting),
        (say("just raised"), unit.raised),
    )
    done = {"movement": unit.settled, "shooting": unit.shot, "combat": unit.attacked}
    signs = (("shield", protected), ("wing", unit.flying), ("lock", unit.locked), ("skull", unit.raised))
    return Piece(
        unit.id,
        unit.side,
        unit.kind.piece,
        Text(unit.type),
        unit.square,
        badges=tuple(text for text, applies in badges if text and applies),
        spent=unit.side in state.acting and done.get(state.phase, False),
        down=unit.down,
        signs=tuple(sign for sign, applies in signs if applies),
        hint=_does(unit.kind),
        now=_now(state, unit),
        weapons=weapon_table.weapons(state, unit),
        corrections=PieceCorrections(square=f"unit.{unit.id}.square") if corrected else None,
    )


@cache
def _does(kind: UnitType) -> Text:
    """Say the numbers and the attributes of a unit; what it shoots and casts stands beside (CW-05)."""
    moves = say("Moves {count}", count=kind.move) if kind.move else say("Does not move")
    numbers = (moves, say("saves on {count}+", count=kind.save), say("combat {count}", count=with_sign(kind.combat)))
    return speech.listed((*numbers, *speech.traits(kind)))


def _to_heal(state: State, mage: Unit) -> Text | None:
    """Say whom a mage is to heal; nothing where he is to heal no enemy unit (CW-Q30)."""
    unit = state.find(mage.heals or "")
    return None if unit is None else say("heals {unit} if it falls", unit=speech.name(state, unit))


def _now(state: State, unit: Unit) -> tuple[Reason, ...]:
    """List the numbers of a unit that a spell, the ground or its own deeds change (CW-107, CW-153, CW-170)."""
    if state.phase not in TURN_PHASES:
        return ()
    always, shot_at = traits.save_summands(state, unit, "melee"), traits.save_summands(state, unit, "shot")
    numbers = [*changed(say("Saving roll"), always)]
    if shot_at != always:
        numbers += changed(say("Saving roll against shots"), shot_at)
    if charged_home(unit):
        combat = Reason(say("combat"), None, unit.kind.combat)
        numbers += changed(say("Combat"), (combat, Reason(say("aggressive, and it charged"), "CW-107", 1)))
    return tuple(numbers)


@once
def _spells(state: State) -> tuple[tuple[Text, Text], ...]:
    """List the temporary spells in force, each with its mage and, where one protects, with those beside him."""
    rows = []
    for effect in state.effects:
        mage = state.find(effect.caster)
        who = speech.name(state, mage) if mage else say("nobody")
        own = state.standing(*state.team(effect.side)) if effect.spell == "protection" else ()
        covered = [unit for unit in own if unit.id != effect.caster and traits.beside(state, effect, unit)]
        if covered:
            who = say("{mage}: {units}", mage=who, units=speech.names(state, covered))
        rows.append((say("{spell} of {side}", spell=Text(effect.spell), side=Text(effect.side)), who))
    return tuple(rows)


def _in_force(state: State) -> Reason | None:
    spells = tuple(spell for spell, _ in _spells(state))
    return Reason(say("In force: {spells}", spells=speech.listed(spells)), "CW-129") if spells else None


def _glance(state: State, side: Side | None) -> tuple[Facts, ...]:
    rows: list[tuple[Text, Text]] = []
    for seat in state.sides:
        if seat in state.armies and (not state.hidden or seat == side or state.options.race == "declared"):
            rows.append((Text(seat), Text(state.armies[seat])))
        if not state.hidden:
            count = sum(unit.on_board and unit.side == seat for unit in state.units)
            rows.append((say("{side}'s units", side=Text(seat)), counts.number(count)))
        elif seat in state.ready:
            rows.append((say("{side}'s deployment", side=Text(seat)), say("ready")))
    if side is not None and state.phase in BEFORE and any(unit.side == side for unit in state.units):
        rows.append((say("Points left"), counts.number(raising.points_left(state, side))))
    rows += _spells(state)
    rows += speech.fallen(state)
    if len(teams(state.options)) != len(state.sides):
        first, second = (named(team) for team in teams(state.options))
        rows.append((say("Allies"), say("{one} against {other}", one=first, other=second)))
    return (Facts(say("At a glance"), tuple(rows)),) if rows else ()
