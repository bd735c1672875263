"""Spells that a mage casts in his own turn (CW-127 to CW-130, CW-140, CW-149 to CW-163)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from companion.games.chesswar import clashes, magic, movement, odds, shooting, speech, traits
from companion.games.chesswar.armies import INSTANT, Spell
from companion.games.chesswar.destruction import Toll, strike_down
from companion.games.chesswar.options import Side, grid
from companion.games.chesswar.speech import Line
from companion.games.chesswar.state import Effect, Last, Square, State, Unit, UnitAction, UnitId
from companion.games.chesswar.traits import Against
from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.odds import Chart
from companion.kit.questions import Option, square_options
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, numbered, say

spells = Chapter[State, Side]()

DOES = {
    "contagion": "All units of {side} carry the plague",
    "fear": "All units of {side} are dreadful",
    "protection": "Units of {side} beside the mage, and he himself, are protected",
    "storm": "A storm hinders every shot",
}
CHANCY: dict[Spell, Against] = {"zap": "shot", "strike": "strike"}
"""Spells that strike a unit, and what it then saves against (CW-150, CW-162)."""
Covers = Annotated[tuple[UnitId, ...], Meta(max_length=30)]


class Cast(UnitAction, frozen=True, tag="cast"):
    """Cast a spell of your own turn: at whom, where to, which effect, over whom, as it needs (CW-122 to CW-163)."""

    spell: Spell
    target: UnitId | None = None
    to: Square | None = None
    effect: UnitId | None = None
    covers: Covers = ()


class Cover(UnitAction, frozen=True, tag="cover"):
    """Say who stands in the field of a Protection, where only the real board knows (CW-153)."""

    covers: Covers = ()


def casts(state: State, line: Line) -> Iterator[Offer]:
    """Offer the spells that a mage may cast in this phase (CW-122 to CW-128)."""
    mage = line.unit
    for spell in mage.kind.spells:
        if spell in INSTANT or magic.barred(state, mage, spell) is not None:
            continue
        fields, chancy, clause = _needs(state, mage, spell), spell in CHANCY, magic.CLAUSES[spell]
        if all(field.options for field in fields if field.kind == "choice"):
            label = say("{spell}: {unit}", spell=Text(spell), unit=speech.name(state, mage))
            does = magic.before_casting(spell, settled=mage.settled)
            yield Cast.offer(
                label, *fields, unit=mage.id, spell=spell, on=mage.id, chancy=chancy, clause=clause, advice=does
            )


def _needs(state: State, mage: Unit, spell: Spell) -> tuple[Field, ...]:
    """Ask for what a spell has to be told; a choice without options is one of nothing that it could do."""
    match spell:
        case "dispel":
            return (_in_force(state),)
        case "flight":
            able = (unit for unit in state.standing() if flight_barred(state, mage, unit) is None)
            return (_target(state, (unit for unit in able if not state.mirrored or flight_squares(state, mage, unit))),)
        case "zap":
            seen = (unit for unit in state.standing() if zap_barred(state, mage, unit) is None)
            return (_target(state, seen, CHANCY["zap"]),)
        case "strike":
            return (_target(state, state.opponents(mage), CHANCY["strike"]),)
        case "protection" if not state.mirrored:
            return (_beside(state, mage),)
        case _:
            return ()


def _in_force(state: State) -> Field:
    """Ask for a spell in force, each with its mage: a side may have several with the same spell."""
    options = []
    for effect in state.effects:
        caster = state.find(effect.caster)
        whose = Text(effect.side) if caster is None else speech.name(state, caster)
        options.append(Option(effect.mark, say("{spell} of {side}", spell=Text(effect.spell), side=whose)))
    return Field("effect", say("Spell in force"), "choice", tuple(options))


def _target(state: State, units: Iterable[Unit], against: Against | None = None) -> Field:
    """Ask for one of some units, each with the face that its save needs."""
    options = []
    for unit, _ in speech.lines(state, units):
        note = speech.save(traits.save_needed(state, unit, against)) if against else None
        options.append(Option(unit.id, speech.name(state, unit), place=unit.square, note=note))
    return Field("target", say("Target"), "choice", tuple(options))


def _beside(state: State, mage: Unit, value: tuple[str, ...] = ()) -> Field:
    """Ask who stands beside a mage, where only the real board knows (CW-153)."""
    options = tuple(
        Option(unit.id, speech.short(state, unit) if unit.side == mage.side else speech.name(state, unit))
        for unit in state.standing(*state.team(mage.side))
        if unit.id != mage.id
    )
    return Field("covers", say("Who stands beside the mage"), "many", options, value=value)


def covers(state: State, line: Line) -> Iterator[Offer]:
    """Offer to say who stands in a mage's Protection, where only the real board knows (CW-153)."""
    mage = line.unit
    effect = next((each for each in state.effects if each.mark == f"protection.{mage.id}"), None)
    if state.mirrored or effect is None:
        return
    field = _beside(state, mage, effect.covers)
    if field.options:
        label = say("Who is protected: {unit}", unit=speech.name(state, mage))
        yield Cover.offer(label, field, unit=mage.id, on=mage.id, clause="CW-153")


def spoken(before: State, after: State, _side: Side, action: Cast) -> Text:
    """Say that a spell was cast, and whether anything came of it."""
    unit, spell = speech.name(before, before.unit(action.unit)), Text(action.spell)
    if action.spell in CHANCY:
        return speech.cost(before, after, say("{unit} cast {spell}: nobody fell", unit=unit, spell=spell))
    works = before.effects != after.effects
    if action.spell == "flight":
        target = action.target or action.unit
        works = not before.unit(target).flying and after.unit(target).flying
    said = say("{unit} cast {spell}" if works else "{unit} cast {spell}: it was dispersed", unit=unit, spell=spell)
    return speech.cost(before, after, said)


def foresee(state: State, side: Side, action: Cast) -> tuple[Chart, ...]:
    """Show who falls by a Zap or a Strike at the table."""
    state.check_acting(side)
    state.own(side, action.unit)
    return charts(odds.calm(state), action) if action.spell in CHANCY else ()


def charts(state: State, action: Cast) -> tuple[Chart, ...]:
    """Show who falls by a Zap or a Strike (CW-150, CW-162)."""
    falls = odds.falling(state, lambda ask: (None, odds.fate(state, cast(state, action, ask))))
    chart = odds.who_falls(magic.spend(state, state.unit(action.unit)), say("Who falls"), falls)
    target = state.unit(action.target or "", "target")
    needs = traits.save_required(state, target, CHANCY[action.spell])
    return (replace(chart, reasons=(needs,)),)


@spells.rule(Cast, headline=spoken, odds=foresee)
def rule(state: State, side: Side, action: Cast, ask: Ask) -> State:
    """Cast a spell at the table."""
    state.check_open(side)
    state.own(side, action.unit)
    return cast(state, action, ask)


def cast(state: State, action: Cast, ask: Ask) -> State:
    """Cast a spell of the own turn."""
    mage = state.unit(action.unit)
    if action.spell in INSTANT:
        raise Refusal(say("An instant spell answers what happens: the table asks for it then."), "CW-126", "spell")
    why = magic.barred(state, mage, action.spell)
    refuse(why, "spell" if why and why.clause == "CW-124" else "unit")
    match action.spell:
        case "dispel":
            return _dispel(state, mage, action, ask)
        case "flight":
            return _flight(state, mage, action, ask)
        case "zap":
            return zap(state, mage, action, ask)[0]
        case "strike":
            return strike(state, mage, action, ask)[0]
        case _:
            return _temporary(state, mage, action, ask)


def _begin(state: State, mage: Unit, action: Cast, ask: Ask, target: Unit | None = None) -> tuple[State, bool]:
    """Spend the mage's spell, say it and at whom, and let it be countered."""
    changes = {"movement": {"settled": True}, "shooting": {"shot": True}, "combat": {"attacked": True}}
    state = magic.spend(state, mage).with_unit(mage.id, **changes[state.phase]).after_deed(mage)
    who, spell, clause = speech.name(state, mage), Text(action.spell), magic.CLAUSES[action.spell]
    if target is None or target.id == mage.id:
        ask.tell(say("{unit} cast {spell}", unit=who, spell=spell), clause, marks=((mage.id, "acting"),))
    else:
        said = say("{unit} cast {spell} on {target}", unit=who, spell=spell, target=speech.name(state, target))
        ask.tell(said, clause, marks=((mage.id, "acting"), (target.id, "target")))
    if not ask.unread:
        ask.clash(clashes.spell(state, mage, action.spell, target, CHANCY.get(action.spell)))
    return magic.stands(state, mage, action.spell, ask)


def _temporary(state: State, mage: Unit, action: Cast, ask: Ask) -> State:
    """Put a temporary spell in force until the caster's next turn (CW-129, CW-140, CW-152, CW-153, CW-156)."""
    covered = () if state.mirrored else tuple(unit.id for unit in _covered(state, mage, action.covers))
    state, works = _begin(state, mage, action, ask)
    if not works:
        return state
    ask.tell(say(DOES[action.spell], side=Text(mage.side)), magic.CLAUSES[action.spell])
    return state.but(effects=(*state.effects, Effect(action.spell, mage.side, mage.id, covered)))


def _covered(state: State, mage: Unit, names: tuple[str, ...]) -> tuple[Unit, ...]:
    """Return the units that a Protection covers; raise Refusal for one of the enemy (CW-153)."""
    units = tuple(state.unit(name, "covers") for name in names)
    if any(state.enemies(mage, unit) for unit in units):
        raise Refusal(say("A Protection covers units of the own side."), "CW-153", "covers")
    return units


def _dispel(state: State, mage: Unit, action: Cast, ask: Ask) -> State:
    """End one temporary spell in force (CW-149)."""
    ended = next((effect for effect in state.effects if effect.mark == action.effect), None)
    if ended is None:
        raise Refusal(say("No such spell is in force."), "CW-149", "effect")
    state, works = _begin(state, mage, action, ask)
    return end_spells(state, (ended,), "CW-149", ask) if works else state


def end_spells(state: State, ended: tuple[Effect, ...], clause: str, ask: Ask) -> State:
    """End temporary spells: those that were dispelled (CW-149), or whose mages' turn begins (CW-129)."""
    for effect in ended:
        ask.tell(say("{spell} of {side} is over", spell=Text(effect.spell), side=Text(effect.side)), clause)
    return state.but(effects=tuple(effect for effect in state.effects if effect not in ended))


def flight_barred(state: State, mage: Unit, unit: Unit) -> Reason | None:
    """Say why a mage can not let a unit fly; None when he can (CW-159 to CW-161)."""
    if unit.side not in state.team(mage.side):
        return Reason(say("Flight is for units of the own side."), "CW-161")
    if unit.id == mage.id:
        return Reason(say("He has moved already this turn."), "CW-161") if mage.settled else None
    if mage.engaged:
        return Reason(say("In melee a mage lets only himself fly."), "CW-127")
    if unit.settled or unit.charge_failed:
        return Reason(say("It has moved already this turn."), "CW-161")
    if unit.raised:
        return Reason(say("A unit just raised moves in the next turn."), "CW-135")
    if unit.square and not shooting.sees(state, mage, unit.square):
        return Reason(say("The mage does not see it."), "CW-159")
    return None


def flight_squares(state: State, mage: Unit, unit: Unit) -> tuple[str, ...]:
    """List where a flying unit may land: empty, near enough, seen by the mage as he casts (CW-159)."""
    if unit.square is None:
        return ()
    board, reach, occupied = grid(state.options), magic.REACH["flight"], state.occupied()
    near = (square for square in board.squares() if board.moves_apart(unit.square, square) <= reach)
    return tuple(square for square in near if square not in occupied and shooting.sees(state, mage, square))


def _flight(state: State, mage: Unit, action: Cast, ask: Ask) -> State:
    """Let a unit fly to a square, out of a melee too; it is brave until the end of the phase (CW-159 to CW-161)."""
    unit = state.unit(action.target or mage.id, "target")
    refuse(flight_barred(state, mage, unit), "target")
    to = action.to
    if state.mirrored:
        to = to or _ask_landing(state, mage, unit, ask)
        _check_landing(state, mage, unit, to)
    state, works = _begin(state, mage, action, ask, unit)
    if not works:
        return state
    unit, marks = state.unit(unit.id), ((unit.id, "target"),)
    who = speech.name(state, unit)
    if to is None or not state.mirrored:
        ask.tell(say("{unit} flew", unit=who), "CW-159", marks=marks)
        state = state.disengage(unit.id)
        return state.after_deed(unit).with_unit(unit.id, flying=True, moved=True, settled=True)
    ask.tell(say("{unit} flew to {square}", unit=who, square=to), "CW-159", marks=marks)
    return movement.enter(state, unit, (to,), ask).with_unit(unit.id, flying=True)


def _ask_landing(state: State, mage: Unit, unit: Unit, ask: Ask) -> str:
    squares = flight_squares(state, mage, unit)
    if not squares:
        said = numbered("The mage sees no free square within [flight] of it.", flight=magic.REACH["flight"])
        raise Refusal(said, "CW-159", "target")
    why = say("{unit}: where to fly?", unit=speech.name(state, unit))
    return ask.choose(mage.side, square_options(squares), "to", why, clause="CW-159")


def _check_landing(state: State, mage: Unit, unit: Unit, to: str) -> None:
    board = grid(state.options)
    if to not in board:
        raise Refusal(say("There is no square {square} on the board.", square=to), "CW-01", "to")
    if to in state.occupied():
        raise Refusal(say("{square} is occupied.", square=to), "CW-119", "to")
    if unit.square and board.moves_apart(unit.square, to) > magic.REACH["flight"]:
        said = numbered("A flying unit lands within [flight|square|squares].", flight=magic.REACH["flight"])
        raise Refusal(said, "CW-159", "to")
    if not shooting.sees(state, mage, to):
        raise Refusal(say("The mage does not see {square}.", square=to), "CW-159", "to")


def zap_barred(state: State, mage: Unit, target: Unit) -> Reason | None:
    """Say why a mage can not zap a target; None when he can (CW-162)."""
    if not state.enemies(mage, target):
        return Reason(say("Only an enemy is zapped."), "CW-162")
    if mage.square is None or target.square is None:
        return None
    distance, reach = shooting.apart(state, mage, target.square), magic.REACH["zap"]
    if distance > reach:
        return Reason(say("{distance} squares away: it reaches {reach}.", distance=distance, reach=reach), "CW-162")
    if not shooting.sees(state, mage, target.square):
        return Reason(say("The mage does not see it."), "CW-162")
    return None


def zap(state: State, mage: Unit, action: Cast, ask: Ask) -> tuple[State, Toll]:
    """Strike a visible enemy without a roll to hit (CW-162); in a melee a die decides who is struck (CW-163)."""
    target = state.unit(action.target or "", "target")
    refuse(zap_barred(state, mage, target), "target")
    state, works = _begin(state, mage, action, ask, target)
    state = state.but(last=Last(mage.square, target.square))
    if not works:
        return state, Toll()
    units = shooting.struck(state, target, mage.side, ask)
    return shooting.harm(state, mage, units, lambda unit: traits.save(state, unit, CHANCY["zap"], ask), ask)


def strike(state: State, mage: Unit, action: Cast, ask: Ask) -> tuple[State, Toll]:
    """Force an opponent to save or be destroyed, without a continuation (CW-150, CW-151)."""
    target = state.unit(action.target or "", "target")
    if target.id not in mage.engaged_with:
        raise Refusal(say("{unit}: not in melee with it.", unit=speech.name(state, target)), "CW-150", "target")
    state, works = _begin(state, mage, action, ask, target)
    state = state.but(last=Last(mage.square, target.square))
    if not works or traits.save(state, target, CHANCY["strike"], ask):
        return state, Toll()
    return strike_down(state, (target.id,), "strike", ask, by=mage)


@spells.rule(Cover, says=lambda _, side, _do: say("{side} says who is protected", side=Text(side)))
def cover(state: State, side: Side, action: Cover, ask: Ask) -> State:
    """Say who stands in the field of a Protection, where only the real board knows (CW-153)."""
    state.check_acting(side)
    mage = state.own(side, action.unit)
    if state.mirrored:
        raise Refusal(say("At this table Companion sees who stands beside the mage."), "CW-153", "covers")
    covered = _covered(state, mage, action.covers)
    own = [effect for effect in state.effects if effect.spell == "protection" and effect.caster == mage.id]
    if not own:
        raise Refusal(say("No such spell is in force."), "CW-153", "unit")
    ask.tell(say("Protected: {units}", units=speech.names(state, covered)), "CW-153")
    effects = (replace(effect, covers=action.covers) if effect in own else effect for effect in state.effects)
    return state.but(effects=tuple(effects))
