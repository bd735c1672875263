"""Corrections of units: where they stand, whom they fight, what they did this turn, what they are, and new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from companion.games.chesswar import speech, traits
from companion.games.chesswar.armies import ARMIES, TYPES
from companion.games.chesswar.necromancy import new_id
from companion.games.chesswar.sides import grid
from companion.games.chesswar.state import TURN_PHASES, Unit
from companion.kit.asking import Option
from companion.kit.corrected import OFF, OFF_BOARD, choice, squares, yes_no
from companion.kit.correction import Tracked
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import Phase, State

ON = "on"
NOBODY = "none"
AWAY = say("Units off the board")
NEW = say("A new unit")
MOST_UNITS = 200
"""Units that corrections stop at; spells may still raise more."""

MATTERS: dict[Phase, tuple[str, ...]] = {
    "movement": ("settled", "moved", "charge_failed", "raised", "flying"),
    "shooting": ("moved", "shot", "raised"),
    "combat": ("attacked", "charge_failed", "raised"),
}
"""What a unit did this turn, in the phases in which something depends on it."""
LABELS = {
    "settled": say("Has made its move"),
    "moved": say("Entered another square this turn"),
    "charge_failed": say("Held back by dread"),
    "raised": say("Raised this turn"),
    "flying": say("Flies"),
    "shot": say("Has shot or cast this phase"),
    "attacked": say("Has attacked or cast this phase"),
}
CHARGED = (
    Option("no", say("no")),
    Option("movement", say("in the movement phase")),
    Option("continuation", say("as a continuation")),
)


def tracked(state: State) -> tuple[Tracked, ...]:
    """List what can be corrected about every unit, those off the board last, and who is missing."""
    on = squares(grid(state.options)) if state.mirrored else (Option(ON, say("on the board")),)
    places = (*on, OFF_BOARD)
    standing = {unit.square: unit for unit in state.units if unit.stands}
    found = [
        Tracked(f"unit.{unit.id}.{part}", speech.short(state, unit), field, part=Text(f"units_of_{unit.side}"))
        for unit in state.units
        if unit.on_board
        for part, field in _values(state, unit, places, standing).items()
    ]
    away = [unit for unit in state.units if not unit.on_board]
    found += [
        Tracked(f"unit.{unit.id}.square", AWAY, choice(speech.with_side(state, unit), places, OFF)) for unit in away
    ]
    for side in state.sides:
        options = (Option(NOBODY, say("nobody")), *_types(state, side))
        found.append(Tracked(f"new.{side}", NEW, choice(Text(f"units_of_{side}"), options, NOBODY)))
    return tuple(found)


def _types(state: State, side: Side, *more: str) -> tuple[Option, ...]:
    listed = [kind.id for kind in ARMIES[state.armies[side]].unit] if side in state.armies else []
    return tuple(Option(kind, Text(kind)) for kind in dict.fromkeys((*listed, *more)))


def _values(
    state: State, unit: Unit, places: tuple[Option, ...], standing: Mapping[str | None, Unit]
) -> dict[str, Field]:
    fields = {"square": choice(say("Square"), places, unit.square or ON)}
    if state.phase in TURN_PHASES:
        fields |= _this_turn(state, unit, standing)
    sides = tuple(Option(side, Text(side)) for side in state.sides)
    return fields | {
        "type": choice(say("Type"), _types(state, unit.side, unit.type), unit.type),
        "side": choice(say("Side"), sides, unit.side),
    }


def _this_turn(state: State, unit: Unit, standing: Mapping[str | None, Unit]) -> dict[str, Field]:
    fields: dict[str, Field] = {}
    if unit.stands:
        foes = _foes(state, unit, standing)
        if foes:
            options = tuple(Option(foe.id, speech.foe(state, foe), place=foe.square) for foe in foes)
            fields["engaged_with"] = Field("value", say("In melee with"), "many", options, value=unit.engaged_with)
        if unit.side in state.acting:
            fields |= {part: yes_no(LABELS[part], value=getattr(unit, part)) for part in MATTERS[state.phase]}
            if state.phase == "combat":
                fields["charged"] = choice(say("Charged this turn"), CHARGED, unit.charged or "no")
    if unit.down or traits.regenerates(unit):
        fields["down"] = yes_no(say("Lies knocked over"), value=unit.down)
    if unit.kind.spells:
        fields["cast"] = yes_no(say("Has cast this turn"), value=unit.cast)
        if "healing" in unit.kind.spells and state.options.healing_any_side:
            foes = tuple(foe for foe in state.units if foe.stands and state.enemies(unit, foe))
            options = (Option(NOBODY, say("nobody")), *(Option(foe.id, speech.foe(state, foe)) for foe in foes))
            healed = next((foe.id for foe in foes if foe.id == unit.heals), NOBODY)
            fields["heals"] = choice(say("Heals if it falls"), options, healed)
        fields["locked"] = yes_no(say("Casts nothing in his next own turn, or in this one"), value=unit.locked)
    return fields


def _foes(state: State, unit: Unit, standing: Mapping[str | None, Unit]) -> tuple[Unit, ...]:
    """List whom a unit fights or could fight: the enemies on the squares around, all where no board tells."""
    if unit.square is None:
        near = state.standing()
    else:
        near = tuple(standing[square] for square in grid(state.options).around(unit.square) if square in standing)
    found = {foe.id: foe for foe in near if state.enemies(unit, foe)}
    return tuple((found | {foe.id: foe for foe in state.opponents(unit)}).values())


def correct(state: State, group: str, rest: str, value: str) -> State:
    """Set a value of a unit, or bring a new one; melees stay between two enemies who stand side by side."""
    if group == "new":
        return _with_generals(state, _enlist(state, cast("Side", rest), value))
    name, _, part = rest.rpartition(".")
    unit = next(one for one in state.units if one.id == name)
    match part:
        case "square":
            return _with_generals(state, _take_off(state, unit) if value == OFF else _put(state, unit, value))
        case "engaged_with":
            return _engage(state, unit, tuple(foe for foe in value.split(",") if foe))
        case "type" | "side":
            return _with_generals(state, _become(state, unit, **{part: value}))
        case "charged":
            return state.with_unit(name, charged="" if value == "no" else value)
        case "heals":
            return state.with_unit(name, heals=None if value == NOBODY else value)
        case "down":
            return _knock(state, unit, down=value == "true")
    return state.with_unit(name, **{part: value == "true"})


def landed(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """Return units of which none flies any more."""
    return tuple(replace(unit, flying=False) for unit in units)


def _enlist(state: State, side: Side, kind: str) -> State:
    """Bring a unit that is missing: beside a mirrored board, to be put on its square, or else on the table at once."""
    if len(state.units) >= MOST_UNITS:
        raise Refusal(say("More units than that are not kept."), "CW-15", "value")
    unit = Unit(new_id(state, side, TYPES[kind]), side, kind, on_board=not state.mirrored)
    return state.but(units=(*state.units, unit))


def _check_free(state: State, unit: Unit, square: str | None) -> None:
    if square is not None and any(one.on_board and one.square == square and one.id != unit.id for one in state.units):
        raise Refusal(say("{square} is occupied.", square=square), "CW-31", "value")


def _put(state: State, unit: Unit, value: str) -> State:
    square = None if value == ON else value
    _check_free(state, unit, square)
    state = state.with_unit(unit.id, on_board=True, square=square, came_from=None)
    if square is None:
        return state
    near = grid(state.options).around(square)
    return _engage(state, unit, tuple(foe.id for foe in state.opponents(unit) if foe.square in near))


def _take_off(state: State, unit: Unit) -> State:
    """Take a unit off the board; its melees are over, and so are its temporary spells (CW-129)."""
    effects = tuple(effect for effect in state.effects if effect.caster != unit.id)
    state = state.disengage(unit.id).but(effects=effects, acted=state.order_without(unit))
    return state.with_unit(unit.id, on_board=False, down=False, square=None, came_from=None)


def _engage(state: State, unit: Unit, wanted: tuple[str, ...]) -> State:
    """Let a unit fight exactly these enemies, and them it (CW-44)."""
    kept = [foe for foe in unit.engaged_with if foe in wanted]
    state = state.disengage(unit.id) if len(kept) < len(unit.engaged_with) else state
    for foe in dict.fromkeys((*kept, *wanted)):
        state = state.engage(unit.id, foe)
    return state


def _knock(state: State, unit: Unit, *, down: bool) -> State:
    if not down:
        _check_free(state, unit, unit.square)
    return state.disengage(unit.id).with_unit(unit.id, down=down)


def _become(state: State, unit: Unit, **changes: str) -> State:
    """Make another unit of it, with a name to fit; who changes sides leaves its melees and takes its spells along."""
    new = replace(unit, **changes)
    if new.side != unit.side:
        state = state.disengage(unit.id)
    name = new_id(state, new.side, new.kind)

    def called(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name if one == unit.id else one for one in names)

    return state.but(
        units=tuple(
            replace(
                one,
                id=name if one.id == unit.id else one.id,
                side=new.side if one.id == unit.id else one.side,
                type=new.type if one.id == unit.id else one.type,
                engaged_with=called(one.engaged_with),
                heals=name if one.heals == unit.id else one.heals,
            )
            for one in state.units
        ),
        effects=tuple(
            replace(
                effect,
                caster=name if effect.caster == unit.id else effect.caster,
                side=new.side if effect.caster == unit.id else effect.side,
                covers=called(effect.covers),
            )
            for effect in state.effects
        ),
        acted={side: called(names) for side, names in state.acted.items()},
    )


def _with_generals(before: State, after: State) -> State:
    """Note who has a general again, and under total massacre who has just lost the last one (CW-174, CW-181)."""
    had, have = _led(before), _led(after)
    lost = [side for side in after.sides if after.options.total_massacre and side in had - have]
    leaderless = [side for side in after.leaderless if side not in have]
    return after.but(leaderless=tuple(dict.fromkeys((*leaderless, *lost))))


def _led(state: State) -> set[Side]:
    return {unit.side for unit in state.units if unit.on_board and unit.kind.general}
