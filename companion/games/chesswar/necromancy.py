"""At the moment of destruction: Healing and Raise dead (CW-131 to CW-139, CW-145 to CW-148)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import magic, speech, traits
from companion.games.chesswar.armies import ARMIES, TYPES
from companion.games.chesswar.paraphrase import HEALS_WITHIN, RAISES_WITHIN
from companion.games.chesswar.sides import grid, teams
from companion.games.chesswar.state import Unit
from companion.kit import counts
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.actions import HealEnemy
    from companion.games.chesswar.armies import UnitType
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State
    from companion.kit.asking import Ask

LETTERS = {"king": "k", "queen": "q", "rook": "r", "bishop": "b", "knight": "n", "pawn": "p"}

NOBODY = "nobody"


def within(state: State, mage: Unit, unit: Unit, reach: int) -> bool:
    """Tell whether a unit is near enough to a mage, seen or not; where no board tells, the players know."""
    if mage.square is None or unit.square is None:
        return True
    return grid(state.options).moves_apart(mage.square, unit.square) <= reach


def _call(state: State, question: Text, reach: int) -> Text:
    """Ask for a spell, with its range where only the players know who is near."""
    if state.mirrored:
        return question
    return say("{question} Only a mage within {squares}.", question=question, squares=counts.squares(reach))


def healed(state: State, unit: Unit, fallen: tuple[str, ...], ask: Ask) -> tuple[State, bool]:
    """Offer Healing to the mages near a unit just destroyed (CW-145); a falling one heals only himself (CW-147)."""
    for side in state.team(unit.side):
        while mages := healers(state, side, unit, fallen):
            key = f"heal_{unit.id}"
            if not magic.asked(state, side, key, ask):
                break
            why = _call(state, say("{unit}, about to fall: Healing?", unit=speech.name(state, unit)), HEALS_WITHIN)
            state, mage = magic.volunteer(state, side, mages, "healing", key, why, ask)
            if mage is None:
                break
            state, works = _heal(state, mage, unit, fallen, ask)
            if works:
                return state, True
    return _healed_by_enemies(state, unit, fallen, ask)


def _healed_by_enemies(state: State, unit: Unit, fallen: tuple[str, ...], ask: Ask) -> tuple[State, bool]:
    """Let the mages heal an enemy unit who were to do so: they said it beforehand, and nobody is asked (CW-Q30)."""
    for mage in state.standing():
        if mage.heals != unit.id or mage.id in fallen:
            continue
        state = state.with_unit(mage.id, heals=None)
        if (why := healing_barred(state, mage, unit)) is not None:
            ask.tell(
                say(
                    "{mage}: no Healing for {unit}. {why}",
                    mage=speech.name(state, mage),
                    unit=speech.name(state, unit),
                    why=why.text,
                ),
                why.clause,
            )
            continue
        state, works = _heal(magic.spend(state, mage), mage, unit, fallen, ask)
        if works:
            return state, True
    return state, False


def _heal(state: State, mage: Unit, unit: Unit, fallen: tuple[str, ...], ask: Ask) -> tuple[State, bool]:
    """Roll for a Healing that a mage casts, and let it be countered (CW-145, CW-141)."""
    works = magic.roll(state, mage, "healing", "CW-145", ask)
    state, works = magic.stands(state, mage, "healing", ask, works=works, fallen=fallen)
    if works:
        ask.tell(
            say("{unit}: healed, and still in the fight", unit=speech.name(state, unit)),
            "CW-145",
            marks=((unit.id, "target"),),
        )
    return state, works


def heal_ahead(state: State, action: HealEnemy, ask: Ask) -> State:
    """Note which enemy unit a mage is to heal if it falls in this turn (CW-Q30)."""
    mage = state.unit(action.unit)
    unit = None if action.target == NOBODY else state.unit(action.target, "target")
    if unit is not None and not state.enemies(mage, unit):
        raise Refusal(say("It is of your own side: you are asked when it falls."), "CW-145", "target")
    if unit is not None and (why := healing_barred(state, mage, unit)) is not None:
        raise Refusal(why.text, why.clause, "target")
    state = state.with_unit(mage.id, heals=unit.id if unit else None)
    ask.tell(speech.healing_ahead(state, state.unit(mage.id)), "CW-145", marks=((mage.id, "acting"),))
    return state


def healers(state: State, side: Side, unit: Unit, fallen: tuple[str, ...]) -> tuple[Unit, ...]:
    """List the mages of a side that may heal a unit."""
    return tuple(
        mage
        for mage in state.standing(side)
        if healing_barred(state, mage, unit) is None and (mage.id == unit.id or mage.id not in fallen)
    )


def healing_barred(state: State, mage: Unit, unit: Unit) -> Reason | None:
    """Say why a mage can not heal a unit just destroyed; None when he can (CW-145, CW-Q30)."""
    if state.enemies(mage, unit) and not state.options.healing_any_side:
        return Reason(say("At this table Healing is for units of the own side."), "CW-145")
    if (why := magic.barred(state, mage, "healing")) is not None:
        return why
    if not within(state, mage, unit, HEALS_WITHIN):
        return Reason(say("Healing reaches 2 squares."), "CW-145")
    return None


def raised(state: State, unit: Unit, ask: Ask) -> tuple[State, bool]:
    """Offer Raise dead to every mage near a unit just destroyed (CW-131), after any Healing (CW-136)."""
    order = (*state.order[state.active :], *state.order[: state.active])
    for side in (one for team in order for one in teams(state.options)[team]):
        while mages := raisers(state, side, unit):
            key = f"raise_{unit.id}"
            if not magic.asked(state, side, key, ask):
                break
            why = _call(state, say("{unit}, destroyed: Raise dead?", unit=speech.name(state, unit)), RAISES_WITHIN)
            state, mage = magic.volunteer(
                state,
                side,
                mages,
                "raise_dead",
                key,
                why,
                ask,
                say("back as {unit}", unit=Text(raised_type(state, side, unit).id)),
            )
            if mage is None:
                break
            ask.tell(
                say("{unit} cast {spell}", unit=speech.name(state, mage), spell=Text("raise_dead")),
                "CW-131",
                marks=((mage.id, "acting"),),
            )
            state, works = magic.stands(state, mage, "raise_dead", ask)
            if works:
                return raise_dead(state, mage, unit, ask), True
    return state, False


def raisers(state: State, side: Side, unit: Unit) -> tuple[Unit, ...]:
    """List the mages of a side that may raise a unit."""
    return tuple(mage for mage in state.standing(side) if raising_barred(state, mage, unit) is None)


def raising_barred(state: State, mage: Unit, unit: Unit) -> Reason | None:
    """Say why a mage can not raise a unit just destroyed; None when he can (CW-131, CW-137)."""
    if (why := magic.barred(state, mage, "raise_dead")) is not None:
        return why
    if traits.regenerates(unit):
        return Reason(say("A unit with regeneration is never raised."), "CW-137")
    if mage.id == unit.id:
        return Reason(say("A mage can not raise himself."), "CW-Q23")
    if not within(state, mage, unit, RAISES_WITHIN):
        return Reason(say("Raise dead reaches 4 squares."), "CW-131")
    return None


def raised_type(state: State, side: Side, unit: Unit) -> UnitType:
    """Return what a unit comes back as (CW-132 to CW-134, CW-Q23): its first matching attribute, within the maximum."""
    most = 2 if state.options.extended else 1
    for piece, matches in (
        ("knight", "aggressive" in unit.kind.traits),
        ("bishop", unit.kind.weapon in {"bows", "longbows"}),
        ("rook", unit.kind.weapon in {"catapult", "terror_catapult"}),
    ):
        kind = ARMIES["undead"].of(piece)
        if matches and kind is not None:
            there = sum(one.on_board and one.type == kind.id for one in state.units if one.side == side)
            return kind if there < kind.max * most else TYPES["undead_zombies"]
    return TYPES["undead_zombies"]


def raise_dead(state: State, mage: Unit, unit: Unit, ask: Ask) -> State:
    """Put the raised unit where the old one fell; what fought an own one fights on (CW-131, CW-135, CW-138)."""
    kind = raised_type(state, mage.side, unit)
    new = Unit(new_id(state, mage.side, kind), mage.side, kind.id, unit.square, raised=True)
    state = state.but(units=(*state.units, new))
    ask.tell(
        say("{unit} came back as {new}", unit=speech.name(state, unit), new=speech.name(state, new)),
        "CW-132",
        marks=((new.id, "target"),),
    )
    if unit.side in state.team(mage.side):
        for foe in state.opponents(unit):
            if foe.stands and state.enemies(new, foe):
                ask.tell(say("{unit} stayed in melee with it", unit=speech.name(state, foe)), "CW-138")
                state = state.engage(new.id, foe.id)
    return state


def new_id(state: State, side: Side, kind: UnitType) -> str:
    """Return a name that no unit of a side had yet."""
    stem = f"{side[0]}{LETTERS[kind.piece]}"
    stem = f"u{stem[1:]}" if side == "blue" else stem
    known = {unit.id for unit in state.units}
    return next(name for count in range(1, len(known) + 2) if (name := f"{stem}{count}") not in known)
