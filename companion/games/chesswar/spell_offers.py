"""Which spells a mage may cast, with what each has to be told (CW-122 to CW-163)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import magic, necromancy, paraphrase, rosters, saves, speech, spells
from companion.games.chesswar.armies import INSTANT
from companion.games.chesswar.speech import name, save
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.saves import Against
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import Effect, State, Unit


def spell_offers(state: State, mage: Unit) -> list[Offer]:
    """Offer the spells that a mage may cast in this phase (CW-122 to CW-128)."""
    found = []
    for spell in mage.kind.spells:
        if spell in INSTANT or magic.barred(state, mage, spell) is not None:
            continue
        fields = _spell_fields(state, mage, spell)
        if fields is None:
            continue
        label = say("{spell}: {unit}", spell=Text(spell), unit=name(state, mage))
        found.append(
            Offer(
                "cast",
                label,
                {"unit": mage.id, "spell": spell},
                fields,
                on=mage.id,
                chancy=spell in {"zap", "strike"},
                clause=spells.CLAUSE_OF[spell],
                advice=paraphrase.before_casting(spell, settled=mage.settled),
            )
        )
    return found


def _caster(state: State, effect: Effect) -> Text:
    """Name the mage of a spell in force: a side may have several with the same spell."""
    caster = state.find(effect.caster)
    return Text(effect.side) if caster is None else name(state, caster)


def _spell_fields(state: State, mage: Unit, spell: str) -> tuple[Field, ...] | None:
    """List what a spell has to be told; None when there is nothing that it could do."""
    match spell:
        case "dispel":
            options = tuple(
                Option(effect.mark, say("{spell} of {side}", spell=Text(effect.spell), side=_caster(state, effect)))
                for effect in state.effects
            )
            return (Field("effect", say("Spell in force"), "choice", options),) if options else None
        case "flight":
            return _units_field(
                state,
                [
                    unit
                    for unit in state.standing(*state.team(mage.side))
                    if spells.flight_barred(state, mage, unit) is None
                    and (not state.mirrored or spells.flight_squares(state, mage, unit))
                ],
            )
        case "zap":
            seen = [unit for unit in state.standing() if spells.zap_barred(state, mage, unit) is None]
            return _units_field(state, seen, "shot")
        case "strike":
            return _units_field(state, list(state.opponents(mage)), "strike")
        case "protection" if not state.mirrored:
            return (cover_field(state, mage),)
        case _:
            return ()


def healing_offers(state: State, side: Side) -> list[Offer]:
    """Offer to say which enemy unit a mage heals if it falls in this turn: nobody is asked then (CW-Q30)."""
    if not state.options.healing_any_side:
        return []
    return [
        _healing(state, mage)
        for mage in state.standing(side)
        if mage.heals or magic.barred(state, mage, "healing") is None
    ]


def _healing(state: State, mage: Unit) -> Offer:
    near = [
        unit
        for unit in state.standing()
        if state.enemies(mage, unit) and necromancy.healing_barred(state, mage, unit) is None
    ]
    nobody = Option(necromancy.NOBODY, say("No enemy unit"))
    chosen = mage.heals if any(unit.id == mage.heals for unit in near) else necromancy.NOBODY
    options = (nobody, *(Option(unit.id, name(state, unit), place=unit.square) for unit in near))
    field = Field("target", say("Which one"), "choice", options, value=chosen)
    label = say("Heal an enemy unit if it falls: {unit}", unit=name(state, mage))
    locks = mage.side not in state.acting
    return Offer(
        "heal_enemy",
        label,
        {"unit": mage.id},
        (field,),
        on=mage.id,
        clause="CW-145",
        aside=True,
        advice=paraphrase.before_answering("healing", locks=locks),
    )


def _units_field(state: State, units: list[Unit], against: Against | None = None) -> tuple[Field, ...] | None:
    """Ask for one of some units, each with the face that its save needs."""
    options = tuple(
        Option(unit.id, name(state, unit), place=unit.square, note=_saves(state, unit, against))
        for unit, _ in rosters.lines(state, units)
    )
    return (Field("target", say("Target"), "choice", options),) if options else None


def _saves(state: State, unit: Unit, against: Against | None) -> Text | None:
    return None if against is None else save(saves.needed(state, unit, against))


def cover_field(state: State, mage: Unit, value: tuple[str, ...] = ()) -> Field:
    """Ask who stands beside a mage, where only the real board knows (CW-153)."""
    own = [unit for unit in state.standing(*state.team(mage.side)) if unit.id != mage.id]
    options = tuple(
        Option(unit.id, speech.short(state, unit) if unit.side == mage.side else name(state, unit)) for unit in own
    )
    return Field("covers", say("Who stands beside the mage"), "many", options, value=value)


def cover_offers(state: State, mage: Unit) -> list[Offer]:
    """Offer to say who stands in a mage's Protection, where only the real board knows (CW-153)."""
    effect = next((one for one in state.effects if one.spell == "protection" and one.caster == mage.id), None)
    field = cover_field(state, mage, effect.covers if effect else ())
    if effect is None or not field.options:
        return []
    label = say("Who is protected: {unit}", unit=name(state, mage))
    return [Offer("cover", label, {"unit": mage.id}, (field,), on=mage.id, clause="CW-153")]
