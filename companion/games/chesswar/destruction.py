"""What follows a destruction, in order: Healing, Raise dead, plague, the end of the game (CW-96, CW-111 to CW-118).

At that moment Healing and Raise dead are cast (CW-131 to CW-139, CW-145 to CW-148).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec.structs import replace

from companion.games.chesswar import magic, speech, traits, victory
from companion.games.chesswar.armies import ARMIES, TYPES, Spell, UnitType
from companion.games.chesswar.options import Side
from companion.games.chesswar.state import TURN_PHASES, State, Unit, UnitAction, UnitId
from companion.kit import counts
from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, numbered, say

destruction = Chapter[State, Side]()

Cause = Literal["attack", "backlash", "shot", "strike", "plague", "loss"]
"""What destroyed a unit: a melee attack, its own failed one, a ranged attack, Strike, plague, or its general's loss."""
MELEE_ATTACKS: tuple[Cause, ...] = ("attack", "backlash")
NOBODY = "nobody"


class Toll(NamedTuple):
    """What a blow cost, by id, in the order in which it happened."""

    destroyed: tuple[str, ...] = ()
    knocked_down: tuple[str, ...] = ()
    healed: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    """Units in whose place another one stands now."""
    struck: tuple[str, ...] = ()
    """Units that a ranged attack came down on, whether they stood it or not."""

    def and_then(self, other: Toll) -> Toll:
        """Return both tolls as one."""
        return Toll(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def strike_down(
    state: State, fallen: tuple[str, ...], cause: Cause, ask: Ask, *, by: Unit | None = None
) -> tuple[State, Toll]:
    """Destroy units, with all that follows (CW-96); ``by`` whom, None where nobody did it."""
    before = {name: unit for name in fallen if (unit := state.find(name)) is not None}
    opponents = {name: unit.engaged_with for name, unit in before.items()}
    carriers = {name for name, unit in before.items() if traits.plagued(state, unit)}
    toll = Toll()
    lost: list[Unit] = []
    for name, unit in before.items():
        state, saved = (state, False) if cause == "loss" else healed(state, unit, fallen, ask)
        if saved:
            toll = toll.and_then(Toll(healed=(name,)))
        else:
            lost.append(unit)
    won = victory.NOBODY
    for unit in lost:
        state, went = _remove(state, unit, by, ask)
        toll = toll.and_then(went)
        won = victory.victors(state) if won == victory.NOBODY else won
        ask.progress(state)
    for unit in lost:
        if cause != "loss" and (won == victory.NOBODY or state.options.total_massacre):
            state, came = raised(state, unit, ask)
            toll = toll.and_then(Toll(raised=(unit.id,) if came else ()))
    gone, spreads = {unit.id for unit in lost}, cause in MELEE_ATTACKS or not state.options.plague_melee_only
    for unit in lost:
        if unit.id in carriers and spreads:
            state, further = _plague(state, unit, opponents[unit.id], gone, ask)
            toll = toll.and_then(further)
            gone |= set(further.destroyed)
    return victory.judge(state, ask, won), toll


def _remove(state: State, unit: Unit, by: Unit | None, ask: Ask) -> tuple[State, Toll]:
    """Take a unit off the board, or knock it over (CW-114); a mage's temporary spells end with him (CW-129)."""
    state = state.disengage(unit.id)
    who, marks = speech.name(state, unit), ((unit.id, "target"),)
    (harm,) = speech.gone(state, unit, by)
    if traits.regenerates(unit):
        said = say("{unit}: knocked over, but may stand up again at the end of the turn", unit=who)
        ask.tell(said, "CW-114", marks=marks, harm=(replace(harm, fate="down"),))
        return state.with_unit(unit.id, down=True), Toll(knocked_down=(unit.id,))
    ask.tell(say("{unit}: destroyed", unit=who), "CW-164" if unit.kind.general else "CW-96", marks=marks, harm=(harm,))
    for effect in state.effects:
        if effect.caster == unit.id:
            ask.tell(say("{spell} ends with its mage", spell=say(effect.spell)), "CW-129")
    effects = tuple(effect for effect in state.effects if effect.caster != unit.id)
    state = state.with_unit(unit.id, on_board=False, square=None).but(effects=effects)
    return victory.count_general(state, unit, ask), Toll(destroyed=(unit.id,))


def _plague(state: State, carrier: Unit, opponents: tuple[str, ...], gone: set[str], ask: Ask) -> tuple[State, Toll]:
    """Let the plague of a destroyed unit loose on those engaged with it (CW-111 to CW-113)."""
    caught: list[str] = []
    for name in opponents:
        unit = state.find(name)
        if unit is None or not unit.stands or name in gone:
            continue
        who = speech.name(state, unit)
        if traits.immune(state, unit):
            ask.tell(say("{unit}: immune to plague", unit=who), "CW-112")
            continue
        said = say("The plague of {enemy} spreads to {unit}", enemy=speech.name(state, carrier), unit=who)
        ask.tell(said, "CW-111", marks=((unit.id, "target"),))
        if not traits.save(state, unit, "plague", ask):
            caught.append(name)
    return strike_down(state, tuple(caught), "plague", ask, by=carrier) if caught else (state, Toll())


def _call(state: State, question: Text, spell: Spell) -> Text:
    """Ask for a spell, with its range where only the players know who is near."""
    if state.mirrored:
        return question
    squares = counts.squares(magic.REACH[spell])
    return say("{question} Only a mage within {squares}", question=question, squares=squares)


def healed(state: State, unit: Unit, fallen: tuple[str, ...], ask: Ask) -> tuple[State, bool]:
    """Offer Healing to the mages near a unit just destroyed (CW-145); a falling one heals only himself (CW-147)."""
    why = _call(state, say("{unit}, about to fall: Healing?", unit=speech.name(state, unit)), "healing")
    for side in state.team(unit.side):
        while True:
            near = (mage for mage in state.standing(side) if healing_barred(state, mage, unit) is None)
            mages = tuple(mage for mage in near if mage.id == unit.id or mage.id not in fallen)
            state, mage = magic.volunteer(state, side, mages, "healing", f"heal_{unit.id}", why, ask)
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
            who, whom = speech.name(state, mage), speech.name(state, unit)
            ask.tell(say("{mage}: no Healing for {unit}. {why}", mage=who, unit=whom, why=why.text), why.clause)
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
        said = say("{unit}: healed, and still in the fight", unit=speech.name(state, unit))
        ask.tell(said, "CW-145", marks=((unit.id, "target"),))
    return state, works


def healing_barred(state: State, mage: Unit, unit: Unit) -> Reason | None:
    """Say why a mage can not heal a unit just destroyed; None when he can (CW-145, CW-Q30)."""
    if state.enemies(mage, unit) and not state.options.healing_any_side:
        return Reason(say("At this table Healing is for units of the own side."), "CW-145")
    if (why := magic.barred(state, mage, "healing")) is not None:
        return why
    if not magic.within(state, mage, unit, "healing"):
        return Reason(numbered("Healing reaches [healing|square|squares].", healing=magic.REACH["healing"]), "CW-145")
    return None


def raised(state: State, unit: Unit, ask: Ask) -> tuple[State, bool]:
    """Offer Raise dead to every mage near a unit just destroyed (CW-131), after any Healing (CW-136)."""
    why = _call(state, say("{unit}, destroyed: Raise dead?", unit=speech.name(state, unit)), "raise_dead")
    for side in state.in_turn:
        while True:
            mages = tuple(mage for mage in state.standing(side) if raising_barred(state, mage, unit) is None)
            back = say("back as {unit}", unit=Text(raised_type(state, side, unit).id))
            state, mage = magic.volunteer(state, side, mages, "raise_dead", f"raise_{unit.id}", why, ask, back)
            if mage is None:
                break
            said = say("{unit} cast {spell}", unit=speech.name(state, mage), spell=Text("raise_dead"))
            ask.tell(said, "CW-131", marks=((mage.id, "acting"),))
            state, works = magic.stands(state, mage, "raise_dead", ask)
            if works:
                return raise_dead(state, mage, unit, ask), True
    return state, False


def raising_barred(state: State, mage: Unit, unit: Unit) -> Reason | None:
    """Say why a mage can not raise a unit just destroyed; None when he can (CW-131, CW-137)."""
    if (why := magic.barred(state, mage, "raise_dead")) is not None:
        return why
    if traits.regenerates(unit):
        return Reason(say("A unit with regeneration is never raised."), "CW-137")
    if mage.id == unit.id:
        return Reason(say("A mage cannot raise himself."), "CW-Q23")
    if not magic.within(state, mage, unit, "raise_dead"):
        reach = magic.REACH["raise_dead"]
        return Reason(numbered("Raise dead reaches [raise_dead|square|squares].", raise_dead=reach), "CW-131")
    return None


def raised_type(state: State, side: Side, unit: Unit) -> UnitType:
    """Return what a unit comes back as (CW-132 to CW-134, CW-Q23): its first matching attribute, within the maximum."""
    matches = (
        ("knight", "aggressive" in unit.kind.traits),
        ("bishop", unit.kind.weapon in {"bows", "longbows"}),
        ("rook", unit.kind.weapon in {"catapult", "terror_catapult"}),
    )
    kind = next((ARMIES["undead"].of(piece) for piece, fits in matches if fits), None)
    if kind is None:
        return TYPES["undead_zombies"]
    there = sum(other.on_board and other.type == kind.id for other in state.units if other.side == side)
    return kind if there < kind.max * (2 if state.options.extended else 1) else TYPES["undead_zombies"]


def raise_dead(state: State, mage: Unit, unit: Unit, ask: Ask) -> State:
    """Put the raised unit where the old one fell; what fought an own one fights on (CW-131, CW-135, CW-138)."""
    kind = raised_type(state, mage.side, unit)
    new = Unit(state.new_id(mage.side, kind), mage.side, kind.id, unit.square, raised=True)
    state = state.but(units=(*state.units, new))
    said = say("{unit} came back as {new}", unit=speech.name(state, unit), new=speech.name(state, new))
    ask.tell(said, "CW-132", marks=((new.id, "target"),))
    if unit.side in state.team(mage.side):
        for foe in state.opponents(unit):
            if foe.stands and state.enemies(new, foe):
                ask.tell(say("{unit} stayed in melee with it", unit=speech.name(state, foe)), "CW-138")
                state = state.engage(new.id, foe.id)
    return state


class HealEnemy(UnitAction, frozen=True, tag="heal_enemy"):
    """Say beforehand which enemy unit a mage heals if it falls in this turn, or ``nobody`` (CW-Q30)."""

    target: UnitId


@destruction.offers
def offers(state: State, side: Side) -> Iterator[Offer]:
    """Offer to say which enemy unit a mage heals if it falls in this turn: nobody is asked then (CW-Q30)."""
    if state.phase not in TURN_PHASES or not state.options.healing_any_side:
        return
    for mage in state.standing(side):
        if not mage.heals and magic.barred(state, mage, "healing"):
            continue
        enemies = (unit for unit in state.standing() if state.enemies(mage, unit))
        near = [unit for unit in enemies if healing_barred(state, mage, unit) is None]
        options = tuple(Option(unit.id, speech.name(state, unit), place=unit.square) for unit in near)
        chosen = mage.heals if any(unit.id == mage.heals for unit in near) else NOBODY
        whom = (Option(NOBODY, say("No enemy unit")), *options)
        which = Field("target", say("Which one"), "choice", whom, value=chosen)
        label = say("Heal an enemy unit if it falls: {unit}", unit=speech.name(state, mage))
        costs = magic.before_answering("healing", locks=mage.side not in state.acting)
        yield HealEnemy.offer(label, which, unit=mage.id, on=mage.id, clause="CW-145", aside=True, advice=costs)


def heals(_before: State, state: State, _side: Side, action: HealEnemy) -> Text:
    """Say which enemy unit a mage heals if it falls (CW-Q30)."""
    mage = state.unit(action.unit)
    who, unit = speech.name(state, mage), state.find(mage.heals or "")
    if unit is None:
        return say("{unit}: Healing for no enemy unit", unit=who)
    return say("{unit}: Healing for {enemy} if it falls", unit=who, enemy=speech.name(state, unit))


@destruction.rule(HealEnemy, headline=heals)
def heal_ahead(state: State, side: Side, action: HealEnemy, ask: Ask) -> State:
    """Note which enemy unit a mage is to heal if it falls in this turn (CW-Q30)."""
    state.check_begun()
    mage = state.own(side, action.unit)
    unit = None if action.target == NOBODY else state.unit(action.target, "target")
    if unit is not None and not state.enemies(mage, unit):
        raise Refusal(say("It is of your own side: you are asked when it falls."), "CW-145", "target")
    refuse(healing_barred(state, mage, unit) if unit else None, "target")
    state = state.with_unit(mage.id, heals=unit.id if unit else None)
    ask.tell(heals(state, state, side, action), "CW-145", marks=((mage.id, "acting"),))
    return state
