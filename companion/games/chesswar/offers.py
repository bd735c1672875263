"""What a seat may do now: concrete, complete and legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import bows, catapults, charge, magic, raising, shooting, spells
from companion.games.chesswar.armies import ARMIES, BOUGHT, Army
from companion.games.chesswar.combat import barred as attack_barred
from companion.games.chesswar.deployment import may_redeploy
from companion.games.chesswar.movement import can_take_back, destinations
from companion.games.chesswar.sides import grid, home
from companion.games.chesswar.speech import name
from companion.games.chesswar.state import BEFORE, TURN_PHASES
from companion.games.chesswar.table_offers import table_offers
from companion.games.chesswar.turn import fighters
from companion.kit.asking import Option
from companion.kit.game import Budget, Field, Offer
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State, Unit

SURRENDER = Offer("surrender", say("Surrender"), grave=True, clause="CW-164")
TO_SQUARE = say("To square")
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
        return tuple(_before(state, side))
    if state.phase == "redeploying":
        return tuple(_redeploying(state, side))
    common = (*_answering(state, side), SURRENDER)
    if side not in state.acting or side in state.done:
        return common
    found: list[Offer] = []
    for unit in state.standing(side):
        found += _unit_offers(state, unit) if state.mirrored else table_offers(state, unit)
        found += spell_offers(state, unit)
    return (*found, _end_phase(state, found), *common)


def squares(names: Iterable[str]) -> tuple[Option, ...]:
    """Make options of squares."""
    return tuple(Option(square, say("{square}", square=square), place=square) for square in names)


def _before(state: State, side: Side) -> list[Offer]:
    """Offer to choose, raise and deploy an army (CW-11 to CW-20)."""
    if side in state.ready:
        return _terrain(state)
    if state.phase == "choosing":
        if side in state.armies:
            return []
        armies = tuple(Option(army, Text(army)) for army in ARMIES)
        return [Offer("choose_army", say("Choose this army"), fields=(Field("army", say("Army"), "choice", armies),),
                      main=True, clause="CW-11")]  # fmt: skip
    mine = [unit for unit in state.units if unit.side == side]
    found = _raise_offers(state, side, raised=bool(mine))
    if mine:
        found.append(Offer("ready", say("Ready: my army is deployed"), main=True, clause="CW-20",
                           advice=raising.spend_hint(state, side)))  # fmt: skip
        found += _deploy(state, side)
    return [*found, *_terrain(state), *_surrender_early(state)]


def _surrender_early(state: State) -> list[Offer]:
    return [SURRENDER] if len(state.sides) == 2 else []


def _raise_offers(state: State, side: Side, *, raised: bool) -> list[Offer]:
    known = state.armies.get(side)
    armies = [ARMIES[known]] if state.options.race == "declared" and known else list(ARMIES.values())
    label = say("Change my army") if raised else say("Raise my army")
    have = raising.bought(state, side)
    among = Field("army", say("Army"), "choice", tuple(Option(army.id, Text(army.id)) for army in armies))
    found = []
    for army in armies:
        fields = tuple(
            Field(piece, Text(kind.id), "number", value=have[piece] if army.id == known else 0,
                  high=kind.max * raising.times(state.options), cost=kind.cost, hint=does(army, piece))
            for piece in BOUGHT
            if (kind := army.of(piece)) is not None
        )  # fmt: skip
        found.append(
            Offer(
                "raise_army", label, {"army": army.id}, fields, main=not raised, clause="CW-14",
                budget=Budget(raising.budget(state.options, army), say("Army")), keeps="army",
                among=_filled(among, army) if len(armies) > 1 else None,
            )
        )  # fmt: skip
    return found


def _filled(among: Field, army: Army) -> Field:
    return Field(among.name, among.label, among.kind, among.options, value=army.id)


def does(army: Army, piece: str) -> Text | None:
    """Say in a line what a unit can do."""
    kind = army.of(piece)
    return Text(f"does.{kind.id}") if kind else None


def _deploy(state: State, side: Side) -> list[Offer]:
    if not state.mirrored:
        return []
    where = home(state.options, side)
    return [
        Offer("deploy", say("Place: {unit}", unit=name(state, unit)), {"unit": unit.id},
              (Field("to", TO_SQUARE, "choice", squares(square for square in where if square != unit.square)),),
              on=unit.id, clause="CW-19")
        for unit in state.standing(side)
    ]  # fmt: skip


def _terrain(state: State) -> list[Offer]:
    if not state.options.terrain:
        return []
    board = squares(grid(state.options).squares())
    kinds = tuple(Option(kind, Text(kind)) for kind in ("forest", "hill", "open"))
    fields = (Field("kind", say("Terrain"), "choice", kinds), Field("to", TO_SQUARE, "choice", board))
    return [Offer("place_terrain", say("Place terrain"), fields=fields, clause="CW-168")]


def _redeploying(state: State, side: Side) -> list[Offer]:
    if not may_redeploy(state, side):
        return []
    label = say("Ready: I keep this position")
    return [Offer("ready", label, main=True, clause="CW-23"), *_deploy(state, side), *_surrender_early(state)]


def _answering(state: State, side: Side) -> tuple[Offer, ...]:
    """Offer to change how a side with instant spells likes to be asked (CW-126)."""
    instants = {"raise_dead", "counterspell", "healing"}
    if not any(unit.on_board and unit.side == side and instants & set(unit.kind.spells) for unit in state.units):
        return ()
    now = state.replies.get(side, "ask")
    field = Field("replies", say("When an instant spell could be cast"), "choice", REPLIES, value=now)
    return (Offer("answering", say("My instant spells"), fields=(field,), clause="CW-126"),)


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
    options, advice, open_ones = [], [], 0
    for target, why in charge.targets(state, unit):
        options.append(Option(target.id, name(state, target), why, target.square))
        open_ones += why is None
        need = charge.dread_save(state, unit, target)
        if why is None and need is not None:
            text = say("{enemy} is dreadful: a save on {needed} or more first", enemy=name(state, target), needed=need)
            advice.append(Reason(text, "CW-40"))
    if not open_ones:
        return []
    fields = (Field("target", TARGET, "choice", tuple(options)),)
    return [Offer("charge", say("Charge: {unit}", unit=name(state, unit)), {"unit": unit.id}, fields, on=unit.id,
                  chancy=bool(advice), clause="CW-36", advice=tuple(advice))]  # fmt: skip


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
            bows.aim(state, unit, target)
        except Refusal as no:
            if no.clause in {"CW-47", "CW-64", "CW-177"}:
                options.append(Option(target.id, name(state, target), no.reason, target.square))
        else:
            options.append(Option(target.id, name(state, target), place=target.square))
    if all(option.barred for option in options):
        return []
    fields = (Field("target", TARGET, "choice", tuple(options)),)
    return [Offer("shoot", say("Shoot: {unit}", unit=name(state, unit)), {"unit": unit.id}, fields, on=unit.id,
                  chancy=True, clause="CW-45")]  # fmt: skip


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
        where.append(square)
    if not where:
        return []
    field = Field("square", say("Target square"), "choice", squares(where))
    return [Offer("bombard", say("Shoot: {unit}", unit=name(state, unit)), {"unit": unit.id}, (field,), on=unit.id,
                  chancy=True, clause="CW-67")]  # fmt: skip


def attack_offers(state: State, unit: Unit) -> list[Offer]:
    """Offer the attacks of a unit in melee (CW-83)."""
    if attack_barred(unit) is not None:
        return []
    options = tuple(Option(foe.id, name(state, foe), place=foe.square) for foe in state.opponents(unit))
    fields = (Field("target", TARGET, "choice", options),)
    return [Offer("attack", say("Attack: {unit}", unit=name(state, unit)), {"unit": unit.id}, fields, on=unit.id,
                  chancy=True, clause="CW-83")]  # fmt: skip


def spell_offers(state: State, mage: Unit) -> list[Offer]:
    """Offer the spells that a mage may cast in this phase (CW-122 to CW-128)."""
    found = []
    for spell in mage.kind.spells:
        if spell in {"raise_dead", "counterspell", "healing"} or magic.barred(state, mage, spell) is not None:
            continue
        fields = _spell_fields(state, mage, spell)
        if fields is None:
            continue
        label = say("{spell}: {unit}", spell=Text(spell), unit=name(state, mage))
        found.append(Offer("cast", label, {"unit": mage.id, "spell": spell}, fields, on=mage.id,
                           chancy=spell in {"zap", "strike"}, clause=spells.CLAUSE_OF[spell]))  # fmt: skip
    return found


def _spell_fields(state: State, mage: Unit, spell: str) -> tuple[Field, ...] | None:
    """List what a spell has to be told; None when there is nothing that it could do."""
    match spell:
        case "dispel":
            options = tuple(
                Option(str(number), say("{spell} of {side}", spell=Text(effect.spell), side=Text(effect.side)))
                for number, effect in enumerate(state.effects)
            )
            return (Field("effect", say("Spell in force"), "choice", options),) if options else None
        case "flight":
            return _units_field(state, [
                unit for unit in state.standing(*state.team(mage.side))
                if spells.flight_barred(state, mage, unit) is None
                and (not state.mirrored or spells.flight_squares(state, mage, unit))
            ])  # fmt: skip
        case "zap":
            return _units_field(state, [u for u in state.standing() if spells.zap_barred(state, mage, u) is None])
        case "strike":
            return _units_field(state, list(state.opponents(mage)))
        case "protection" if not state.mirrored:
            return (cover_field(state, mage),)
        case _:
            return ()


def _units_field(state: State, units: list[Unit]) -> tuple[Field, ...] | None:
    options = tuple(Option(unit.id, name(state, unit), place=unit.square) for unit in units)
    return (Field("target", TARGET, "choice", options),) if options else None


def cover_field(state: State, mage: Unit, value: tuple[str, ...] = ()) -> Field:
    """Ask who stands beside a mage, where only the real board knows (CW-153)."""
    own = [unit for unit in state.standing(*state.team(mage.side)) if unit.id != mage.id]
    options = tuple(Option(unit.id, name(state, unit)) for unit in own)
    return Field("covers", say("Who stands beside the mage"), "many", options, value=value)


def _end_phase(state: State, found: list[Offer]) -> Offer:
    labels = {
        "movement": say("To the shooting phase"),
        "shooting": say("To the combat phase"),
        "combat": say("End the turn"),
    }
    left = {offer.action for offer in found} - {"take_back"}
    quiet = not left or (state.phase == "combat" and not fighters(state))
    assert state.phase in TURN_PHASES
    return Offer("end_phase", labels[state.phase], main=quiet, clause="CW-25")
