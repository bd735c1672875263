"""Corrections: every tracked value can be set by hand; the people at the table outrank the app."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import permutations
from typing import Literal

from msgspec.structs import replace

from companion.games.chesswar import deployment, raising, speech, traits
from companion.games.chesswar.armies import ARMIES, TEMPORARY, TYPES
from companion.games.chesswar.magic import REPLIES
from companion.games.chesswar.options import Side, grid, named, teams
from companion.games.chesswar.state import BEFORE, TURN_PHASES, Effect, Phase, Replies, State, Unit
from companion.kit.correction import OFF, OFF_BOARD, Correction, Group
from companion.kit.questions import Option, square_options
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

NOBODY = "none"
ON = "on"
OVER = "over"
MOST_UNITS = 200
"""Units that corrections stop at; spells may still raise more."""
MOST_SPELLS = 40
MOST_ROUNDS = 999
GAME = Group("game.", say("The game"))
SPELL = Group("spell.", say("Spells in force"))
NEW = Group("new.", say("A new unit"))
AWAY = say("Units off the board")
How = Literal["no", "movement", "continuation"]
HOW: dict[How, Text] = {
    "no": say("no"),
    "movement": say("in the movement phase"),
    "continuation": say("as a continuation"),
}
DID: dict[str, tuple[Text, tuple[Phase, ...]]] = {
    "settled": (say("Has made its move"), ("movement",)),
    "moved": (say("Entered another square this turn"), ("movement", "shooting")),
    "shot": (say("Has shot or cast this phase"), ("shooting",)),
    "attacked": (say("Has attacked or cast this phase"), ("combat",)),
    "charge_failed": (say("Held back by dread"), ("movement", "combat")),
    "raised": (say("Raised this turn"), ("movement", "shooting", "combat")),
    "flying": (say("Flies"), ("movement",)),
}
"""What a unit did this turn, in the phases in which something depends on it."""


def corrections(state: State) -> Iterator[Correction[State]]:
    """Declare every value that can be corrected by hand; of a game that is over only who won it, which reopens it."""
    if state.phase == "finished":
        yield _winner(state)
        return
    if state.phase in BEFORE:
        yield from raising.corrections(state)
        yield from deployment.terrain_corrections(state)
        yield from deployment.ready_corrections(state)
        return
    yield from _units(state)
    yield from _spells(state)
    yield from deployment.terrain_corrections(state)
    yield from raising.corrections(state)
    yield from deployment.ready_corrections(state)
    yield from _turn(state)


def _units(state: State) -> Iterator[Correction[State]]:
    """Declare what can be corrected about every unit, those off the board last, and who is missing."""
    places = (
        *(square_options(grid(state.options).squares()) if state.mirrored else (Option(ON, say("on the board")),)),
        OFF_BOARD,
    )
    standing = {unit.square: unit for unit in state.units if unit.stands}
    for unit in state.units:
        if unit.on_board:
            yield from _unit(state, unit, places, standing)
    for unit in state.units:
        if not unit.on_board:
            group, put = Group(f"unit.{unit.id}.", AWAY), partial(_put, state, unit)
            yield group.choice("square", speech.with_side(state, unit), places, OFF, put)
    for side in state.sides:
        options = (Option(NOBODY, say("nobody")), *_types(state, side))
        yield NEW.choice(side, Text(f"units_of_{side}"), options, NOBODY, partial(_enlist, state, side))


def _types(state: State, side: Side, *more: str) -> tuple[Option, ...]:
    listed = [kind.id for kind in ARMIES[state.armies[side]].unit] if side in state.armies else []
    return tuple(Option(kind, Text(kind)) for kind in dict.fromkeys((*listed, *more)))


def _unit(
    state: State, unit: Unit, places: tuple[Option, ...], standing: Mapping[str | None, Unit]
) -> Iterator[Correction[State]]:
    group = Group(f"unit.{unit.id}.", speech.short(state, unit), Text(f"units_of_{unit.side}"))
    yield group.choice("square", say("Square"), places, unit.square or ON, partial(_put, state, unit))
    if state.phase in TURN_PHASES:
        yield from _this_turn(state, unit, group, standing)
    types, sides = _types(state, unit.side, unit.type), {side: Text(side) for side in state.sides}
    yield group.choice("type", say("Type"), types, unit.type, lambda kind: _become(state, unit, type=kind))
    yield group.one_of("side", say("Side"), sides, unit.side, lambda side: _become(state, unit, side=side))


def _this_turn(
    state: State, unit: Unit, group: Group, standing: Mapping[str | None, Unit]
) -> Iterator[Correction[State]]:
    def set_to(name: str, value: bool | str | None) -> State:
        return state.with_unit(unit.id, **{name: value})

    if unit.stands:
        if foes := _foes(state, unit, standing):
            options = tuple(Option(foe.id, speech.foe(state, foe), place=foe.square) for foe in foes)
            put = partial(_engage, state, unit)
            yield group.many("engaged_with", say("In melee with"), options, unit.engaged_with, put)
        if unit.side in state.acting:
            for name, (label, phases) in DID.items():
                if state.phase in phases:
                    yield group.yes_no(name, label, partial(set_to, name), value=getattr(unit, name))
            if state.phase == "combat":
                label, how = say("Charged this turn"), unit.charged or "no"
                yield group.one_of(
                    "charged", label, HOW, how, lambda how: set_to("charged", "" if how == "no" else how)
                )
    if unit.down or traits.regenerates(unit):
        yield group.yes_no("down", say("Lies knocked over"), partial(_knock, state, unit), value=unit.down)
    if unit.kind.spells:
        yield group.yes_no("cast", say("Has cast this turn"), partial(set_to, "cast"), value=unit.cast)
        if "healing" in unit.kind.spells and state.options.healing_any_side:
            enemies = tuple(foe for foe in state.units if foe.stands and state.enemies(unit, foe))
            options = (Option(NOBODY, say("nobody")), *(Option(foe.id, speech.foe(state, foe)) for foe in enemies))
            label, foe = say("Heals if it falls"), next((foe.id for foe in enemies if foe.id == unit.heals), NOBODY)
            yield group.choice(
                "heals", label, options, foe, lambda foe: set_to("heals", None if foe == NOBODY else foe)
            )
        label = say("Casts nothing in his next own turn, or in this one")
        yield group.yes_no("locked", label, partial(set_to, "locked"), value=unit.locked)


def _foes(state: State, unit: Unit, standing: Mapping[str | None, Unit]) -> tuple[Unit, ...]:
    """List whom a unit fights or could fight: the enemies on the squares around, all where no board tells."""
    if unit.square is None:
        near = state.standing()
    else:
        near = tuple(standing[square] for square in grid(state.options).around(unit.square) if square in standing)
    return tuple({foe.id: foe for foe in (*near, *state.opponents(unit)) if state.enemies(unit, foe)}.values())


def _enlist(state: State, side: Side, kind: str) -> State:
    """Bring a unit that is missing: beside a mirrored board, to be put on its square, or else on the table at once."""
    if len(state.units) >= MOST_UNITS:
        raise Refusal(say("More units than that are not kept."), "CW-15", "value")
    unit = Unit(state.new_id(side, TYPES[kind]), side, kind, on_board=not state.mirrored)
    return _with_generals(state, state.but(units=(*state.units, unit)))


def _check_free(state: State, unit: Unit, square: str | None) -> None:
    if square and any(there.on_board and there.square == square and there.id != unit.id for there in state.units):
        raise Refusal(say("{square} is occupied.", square=square), "CW-31", "value")


def _put(state: State, unit: Unit, where: str) -> State:
    """Put a unit on a square, where it fights on with whom it still stands beside, or take it off the board."""
    if where == OFF:
        # Its melees are over, and so are its temporary spells (CW-129).
        effects = tuple(effect for effect in state.effects if effect.caster != unit.id)
        after = state.disengage(unit.id).but(effects=effects, acted=state.order_without(unit))
        return _with_generals(state, after.with_unit(unit.id, on_board=False, down=False, square=None, came_from=None))
    square = None if where == ON else where
    _check_free(state, unit, square)
    after = state.with_unit(unit.id, on_board=True, square=square, came_from=None)
    if square is not None:
        near = grid(state.options).around(square)
        after = _engage(after, unit, tuple(foe.id for foe in after.opponents(unit) if foe.square in near))
    return _with_generals(state, after)


def _engage(state: State, unit: Unit, wanted: tuple[str, ...]) -> State:
    """Let a unit fight exactly these enemies, and them it (CW-44)."""
    staying = [foe for foe in unit.engaged_with if foe in wanted]
    state = state.disengage(unit.id) if len(staying) < len(unit.engaged_with) else state
    for foe in dict.fromkeys((*staying, *wanted)):
        state = state.engage(unit.id, foe)
    return state


def _knock(state: State, unit: Unit, down: bool) -> State:
    if not down:
        _check_free(state, unit, unit.square)
    return state.disengage(unit.id).with_unit(unit.id, down=down)


def _become(state: State, unit: Unit, **changes: str) -> State:
    """Make another unit of it, with a name to fit; who changes sides leaves its melees and takes its spells along."""
    new = replace(unit, **changes)
    after = state.disengage(unit.id) if new.side != unit.side else state
    name = after.new_id(new.side, new.kind)

    def called(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name if each == unit.id else each for each in names)

    def changed(each: Unit) -> Unit:
        heals = name if each.heals == unit.id else each.heals
        each = replace(each, engaged_with=called(each.engaged_with), heals=heals)
        return replace(each, id=name, side=new.side, type=new.type) if each.id == unit.id else each

    def taken_along(effect: Effect) -> Effect:
        effect = replace(effect, covers=called(effect.covers))
        return replace(effect, caster=name, side=new.side) if effect.caster == unit.id else effect

    after = after.but(
        units=tuple(map(changed, after.units)),
        effects=tuple(map(taken_along, after.effects)),
        acted={side: called(names) for side, names in after.acted.items()},
    )
    return _with_generals(state, after)


def _with_generals(before: State, after: State) -> State:
    """Note who has a general again, and under total massacre who has just lost the last one (CW-174, CW-181)."""
    lost = [side for side in after.sides if after.options.total_massacre and side in before.led - after.led]
    leaderless = [side for side in after.leaderless if side not in after.led]
    return after.but(leaderless=tuple(dict.fromkeys((*leaderless, *lost))))


def _spells(state: State) -> Iterator[Correction[State]]:
    """Declare the temporary spells in force, and the ones that a mage could have cast (CW-129)."""
    if state.phase not in TURN_PHASES:
        return
    standing = state.standing()
    for number, effect in enumerate(state.effects):
        label = say("{spell} of {side}", spell=Text(effect.spell), side=Text(effect.side))
        mages = [mage for mage in standing if effect.spell in mage.kind.spells or mage.id == effect.caster]
        options = (*(Option(mage.id, speech.name(state, mage)) for mage in mages), Option(OVER, say("it is over")))
        caster = effect.caster if any(mage.id == effect.caster for mage in mages) else OVER
        yield SPELL.choice(f"{number}.caster", label, options, caster, partial(_cast_by, state, number))
        if effect.spell == "protection" and not state.mirrored:
            own = [unit for unit in state.standing(*state.team(effect.side)) if unit.id != effect.caster]
            options = tuple(Option(unit.id, speech.name(state, unit)) for unit in own)
            covered = tuple(unit.id for unit in own if unit.id in effect.covers)
            label, put = say("Who stands beside the mage"), partial(_cover, state, number)
            yield SPELL.many(f"{number}.covers", label, options, covered, put)
    known = [(mage, spell) for mage in standing for spell in mage.kind.spells if spell in TEMPORARY]
    missing = {f"{mage.id}.{spell}": Effect(spell, mage.side, mage.id) for mage, spell in known}
    labels = (say("{spell}: {unit}", spell=Text(spell), unit=speech.name(state, mage)) for mage, spell in known)
    options = (Option(NOBODY, say("no spell")), *map(Option, missing, labels))
    label = say("A spell that is missing")
    yield SPELL.choice("new", label, options, NOBODY, lambda key: _cast_anew(state, missing[key]))


def _cast_by(state: State, number: int, caster: str) -> State:
    effects = list(state.effects)
    if caster == OVER:
        del effects[number]
    else:
        side = next(unit.side for unit in state.units if unit.id == caster)
        effects[number] = replace(effects[number], caster=caster, side=side)
    return state.but(effects=tuple(effects))


def _cover(state: State, number: int, covers: tuple[str, ...]) -> State:
    effects = list(state.effects)
    effects[number] = replace(effects[number], covers=covers)
    return state.but(effects=tuple(effects))


def _cast_anew(state: State, effect: Effect) -> State:
    if len(state.effects) >= MOST_SPELLS:
        raise Refusal(say("More spells than that are not kept."), "CW-130", "value")
    return state.but(effects=(*state.effects, effect))


def _team(team: tuple[Side, ...]) -> Option:
    return Option(team[0], named(team))


def _winner(state: State) -> Correction[State]:
    options = (Option(NOBODY, say("nobody yet")), *map(_team, teams(state.options)))
    value = state.winner[0] if state.winner else NOBODY
    return GAME.choice("winner", say("Winner"), options, value, partial(_won_by, state))


def _turn(state: State) -> Iterator[Correction[State]]:
    playing, acting = teams(state.options), state.phase in TURN_PHASES
    phases: tuple[Phase, ...] = TURN_PHASES if acting else ("redeploying", *TURN_PHASES)
    orders = {"".join(map(str, order)): order for order in permutations(range(len(playing)))}
    options = tuple(
        Option(key, speech.listed(tuple(named(playing[place]) for place in order))) for key, order in orders.items()
    )
    yield GAME.number("round", say("Round"), state.round, lambda to: state.but(round=to), low=1, high=MOST_ROUNDS)
    order = "".join(map(str, state.order))
    yield GAME.choice("order", say("Order of turns"), options, order, lambda key: _in_order(state, orders[key]))
    yield GAME.one_of("phase", say("Phase"), {each: Text(each) for each in phases}, state.phase, partial(_go_to, state))
    yield _winner(state)
    if acting:
        label, now = say("Whose turn it is"), state.acting[0]
        yield GAME.choice("active", label, tuple(map(_team, playing)), now, partial(_turn_of, state))
        for side in state.acting if len(state.acting) > 1 else ():
            label = say("{side} has ended the {phase} phase", side=Text(side), phase=Text(state.phase))
            yield GAME.yes_no(f"done.{side}", label, partial(_done, state, side), value=side in state.done)
    if state.phase == "movement":
        for side in state.acting:
            movers = tuple(Option(unit.id, speech.name(state, unit)) for unit in state.standing(side))
            last = next((mover.value for mover in movers if state.acted.get(side, ())[-1:] == (mover.value,)), NOBODY)
            label, movers = say("{side}: who moved last", side=Text(side)), (Option(NOBODY, say("nobody")), *movers)
            yield GAME.choice(f"latest.{side}", label, movers, last, partial(_moved_last, state, side))
    for side in state.sides:
        if state.options.total_massacre:
            label, led = say("{side} fights without a general", side=Text(side)), side not in state.leaderless
            yield GAME.yes_no(f"leaderless.{side}", label, partial(_leaderless, state, side), value=not led)
        label, replies = say("{side}'s instant spells", side=Text(side)), state.replies.get(side, "ask")
        yield GAME.one_of(f"replies.{side}", label, REPLIES, replies, partial(_replies, state, side))


def _in_order(state: State, order: tuple[int, ...]) -> State:
    if state.phase == "redeploying":
        return state.but(order=order, ready=teams(state.options)[order[0]])
    return state.but(order=order, active=order.index(state.order[state.active]))


def _go_to(state: State, phase: Phase) -> State:
    """Go to a phase of the turn; who flew lands when the movement phase is left (CW-159)."""
    if state.phase == "redeploying":
        return deployment.begun(state, phase)
    units = state.units if phase == "movement" else tuple(replace(unit, flying=False) for unit in state.units)
    return state.but(phase=phase, units=units, done=(), acted={}, last=None)


def _won_by(state: State, won: str) -> State:
    """Say who won; a game that nobody has won yet goes on in the combat phase, or where it stood before it began."""
    if won != NOBODY:
        return state.but(winner=next(team for team in teams(state.options) if team[0] == won), phase="finished")
    # Where the fall of a general ends the game, nobody who plays on is without one.
    state = state.but(winner=(), leaderless=state.leaderless if state.options.total_massacre else ())
    if state.order:
        # Who moves first is ready from the moment on in which the others may rearrange.
        return state.but(phase="redeploying" if state.ready else "combat", done=(), acted={})
    chosen = state.options.race == "secret" or len(state.armies) == len(state.sides)
    return state.but(phase="raising" if chosen else "choosing")


def _turn_of(state: State, first: str) -> State:
    units = tuple(unit.rested() for unit in state.units)
    place = next(at for at, team in enumerate(state.order) if teams(state.options)[team][0] == first)
    return state.but(units=units, active=place, phase="movement", done=(), acted={}, last=None)


def _done(state: State, side: Side, has_ended: bool) -> State:
    done = tuple(mate for mate in state.acting if (has_ended if mate == side else mate in state.done))
    if len(done) == len(state.acting):
        raise Refusal(say("End the phase instead."), "CW-25", "value")
    return state.but(done=done)


def _moved_last(state: State, side: Side, name: str) -> State:
    unit = state.find(name)
    return state.after_deed(unit) if unit else state.but(acted={**state.acted, side: ()})


def _leaderless(state: State, side: Side, holds: bool) -> State:
    others = tuple(other for other in state.leaderless if other != side)
    return state.but(leaderless=(*others, side) if holds else others)


def _replies(state: State, side: Side, reply: Replies) -> State:
    return state.but(replies={**state.replies, side: reply})
