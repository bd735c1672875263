"""What a seat may do now: concrete, complete and legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import bows, catapults, charge, rosters, shooting
from companion.games.chesswar.armies import INSTANT
from companion.games.chesswar.combat import barred as attack_barred
from companion.games.chesswar.combat import harms_from
from companion.games.chesswar.movement import can_take_back, destinations
from companion.games.chesswar.setup_offers import SURRENDER, TO_SQUARE, before, redeploying, squares
from companion.games.chesswar.sides import grid
from companion.games.chesswar.speech import harm, hit, melee, name, own, save, vain, with_side
from companion.games.chesswar.spell_offers import healing_offers, spell_offers
from companion.games.chesswar.state import BEFORE
from companion.games.chesswar.table_offers import table_offers
from companion.games.chesswar.turn import fighters
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State, Unit

TARGET = say("Target")
REPLIES = (
    Option("ask", say("Ask me each time")),
    Option("wait", say("Ask me, but wait only 5 seconds")),
    Option("never", say("Never ask me")),
)


def offers(state: State, seat: str) -> tuple[Offer, ...]:
    """List what a seat may do now."""
    side = next((one for one in state.sides if one == seat), None)
    if side is None or state.phase == "finished":
        return ()
    if state.phase in BEFORE:
        return tuple(before(state, side))
    if state.phase == "redeploying":
        return tuple(redeploying(state, side))
    fights_on = any(unit.on_board and unit.side == side for unit in state.units)
    common = (*_answering(state, side), *healing_offers(state, side), SURRENDER) if fights_on else ()
    if side not in state.acting or side in state.done:
        return common
    found: list[Offer] = []
    for line in rosters.lines(state, state.standing(side)):
        found += _unit_offers(state, line.unit) if state.mirrored else table_offers(state, line)
        found += spell_offers(state, line.unit)
    return (*found, _end_phase(state, found), *common)


def _answering(state: State, side: Side) -> tuple[Offer, ...]:
    """Offer to change how a side with instant spells likes to be asked (CW-126)."""
    if not any(unit.on_board and unit.side == side and set(INSTANT) & set(unit.kind.spells) for unit in state.units):
        return ()
    now = state.replies.get(side, "ask")
    field = Field("replies", say("When an instant spell could be cast"), "choice", REPLIES, value=now)
    return (Offer("answering", say("Instant spells: when to ask me"), fields=(field,), clause="CW-126"),)


def _unit_offers(state: State, unit: Unit) -> list[Offer]:
    match state.phase:
        case "movement":
            return _moving(state, unit)
        case "shooting":
            return _shooting(state, unit)
        case _:
            return attack_offers(state, unit)


def _moving(state: State, unit: Unit) -> list[Offer]:
    given, who = {"unit": unit.id}, name(state, unit)
    found = []
    if where := destinations(state, unit):
        to = Field("to", TO_SQUARE, "choice", squares(where))
        found.append(Offer("move", say("Move: {unit}", unit=who), given, (to,), on=unit.id, clause="CW-28"))
    found += charge_offers(state, unit)
    if can_take_back(state, unit):
        label = say("Back to {square}", square=unit.came_from or "")
        found.append(Offer("take_back", label, given, on=unit.id, clause="CW-35"))
    return found


def charge_offers(state: State, unit: Unit) -> list[Offer]:
    """Offer the charges of a unit, with why some can not be (CW-36 to CW-41)."""
    options = []
    for target, why in charge.targets(state, unit):
        need = charge.dread_save(state, unit, target) if why is None else None
        note = None if need is None else save(need)
        options.append(Option(target.id, name(state, target), why, target.square, note))
    if all(option.barred for option in options):
        return []
    fields = (Field("target", TARGET, "choice", tuple(options)),)
    return [
        Offer(
            "charge",
            say("Charge: {unit}", unit=name(state, unit)),
            {"unit": unit.id},
            fields,
            on=unit.id,
            chancy=any(option.note for option in options),
            clause="CW-36",
        )
    ]


def _shooting(state: State, unit: Unit) -> list[Offer]:
    if shooting.barred(unit) is not None or unit.weapon is None:
        return []
    return _bow(state, unit) if unit.weapon.bow else _thrower(state, unit)


def _bow(state: State, unit: Unit) -> list[Offer]:
    options = []
    for target in state.standing():
        if not state.enemies(unit, target) or target.square is None:
            continue
        try:
            need = bows.needed(state, unit, bows.aim(state, unit, target))
        except Refusal as no:
            if no.clause in {"CW-47", "CW-64", "CW-177"}:
                options.append(Option(target.id, name(state, target), no.reason, target.square))
        else:
            none = vain(need, "CW-61")
            note = hit(need) if none is None else none.text
            options.append(Option(target.id, name(state, target), place=target.square, note=note, hopeless=none))
    if all(option.barred for option in options):
        return []
    fields = (Field("target", TARGET, "choice", tuple(options)),)
    return [
        Offer(
            "shoot",
            say("Shoot: {unit}", unit=name(state, unit)),
            {"unit": unit.id},
            fields,
            on=unit.id,
            chancy=True,
            clause="CW-45",
        )
    ]


def _thrower(state: State, unit: Unit) -> list[Offer]:
    where = []
    for square in grid(state.options).squares():
        holder = state.at(square)
        if state.options.catapult_needs_enemy and (holder is None or not state.enemies(unit, holder)):
            continue
        try:
            catapults.aim(state, unit, square)
        except Refusal:
            continue
        where.append(_aimed(state, unit, square))
    if not where:
        return []
    field = Field("square", say("Target square"), "choice", tuple(where))
    return [
        Offer(
            "bombard",
            say("Shoot: {unit}", unit=name(state, unit)),
            {"unit": unit.id},
            (field,),
            on=unit.id,
            chancy=True,
            clause="CW-67",
        )
    ]


def _aimed(state: State, unit: Unit, square: str) -> Option:
    """Name a square to aim at by who stands there (CW-67, CW-76); one with a friend is rarely meant."""
    holder = state.at(square)
    if holder is None:
        return squares((square,))[0]
    if holder.side == unit.side:
        return Option(square, own(holder, square), place=square, note=melee(state, holder), aside=True)
    return Option(square, with_side(state, holder), place=square, aside=not state.enemies(unit, holder))


def attack_offers(state: State, unit: Unit) -> list[Offer]:
    """Offer the attacks of a unit in melee (CW-83)."""
    if attack_barred(unit) is not None:
        return []
    options = tuple(
        Option(foe.id, name(state, foe), place=foe.square, note=harm(harms_from(state, unit, foe)))
        for foe in state.opponents(unit)
    )
    fields = (Field("target", TARGET, "choice", options),)
    return [
        Offer(
            "attack",
            say("Attack: {unit}", unit=name(state, unit)),
            {"unit": unit.id},
            fields,
            on=unit.id,
            chancy=True,
            clause="CW-83",
        )
    ]


def _end_phase(state: State, found: list[Offer]) -> Offer:
    labels = {
        "movement": say("To the shooting phase"),
        "shooting": say("To the combat phase"),
        "combat": say("End the turn"),
    }
    left = {offer.action for offer in found if not offer.hopeless} - {"take_back"}
    quiet = not left or (state.phase == "combat" and not fighters(state))
    given = {"phase": state.phase, "round": state.round}
    return Offer("end_phase", labels[state.phase], given, main=quiet, clause="CW-25")
