"""The turn: three phases, its end and the next one's beginning (CW-24 to CW-27, CW-114 to CW-118, CW-175)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from companion.games.chesswar import catapults, combat, magic, movement, shooting, speech, spells, traits, victory
from companion.games.chesswar.charge import charges
from companion.games.chesswar.destruction import strike_down
from companion.games.chesswar.options import Side, named, teams
from companion.games.chesswar.speech import Line
from companion.games.chesswar.state import TURN_PHASES, Phase, State, Unit
from companion.kit.action import Action, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.counts import units_left
from companion.kit.questions import NO_YES, Option
from companion.kit.text import Text, numbered, say

turn = Chapter[State, Side]()

STANDS_UP = 3
"""Face with which a knocked-over unit stands up (CW-116)."""
OF_A_UNIT: dict[Phase, tuple[Callable[[State, Line], Iterator[Offer]], ...]] = {
    "movement": (movement.steps, charges, movement.after_moving, spells.covers, spells.casts),
    "shooting": (shooting.shots, catapults.throws, spells.covers, spells.casts),
    "combat": (combat.attacks, spells.covers, spells.casts),
}
"""What a unit may be offered in each phase."""
TO_PHASE: dict[Phase | None, Text] = {
    "shooting": say("To the shooting phase"),
    "combat": say("To the combat phase"),
    None: say("End the turn"),
}
"""What ends a phase, by the one that comes then."""
ENTERED: dict[Phase, Text] = {"shooting": say("Shooting phase"), "combat": say("Combat phase")}


class EndPhase(Action, frozen=True, tag="end_phase"):
    """End the phase; after the combat phase the turn is over (CW-25).

    A page names the ``phase`` and the ``round`` that it showed, so that an old page never ends a later one.
    """

    phase: Phase | None = None
    round: Annotated[int, Meta(ge=1)] | None = None


@turn.offers
def offers(state: State, side: Side) -> Iterator[Offer]:
    """Offer what each unit may do, unit by unit, and to end the phase when that is all (CW-25)."""
    if state.phase not in TURN_PHASES or side not in state.acting or side in state.done:
        return
    able: dict[str | None, int] = {}
    for line in speech.lines(state, state.standing(side)):
        for of_a_unit in OF_A_UNIT[state.phase]:
            for offer in of_a_unit(state, line):
                if not offer.hopeless and offer.action != "take_back":
                    able[offer.on] = line.many
                yield offer
    over = not able or (state.phase == "combat" and not fighters(state))
    end = partial(EndPhase.offer, _to_end(state, side), phase=state.phase, round=state.round, clause="CW-25")
    yield end(ends=True, main=over, left=None if over else units_left(sum(able.values())))


def _to_end(state: State, side: Side) -> Text:
    """Say what comes when a side ends the phase now; nothing does while a partner still acts in it (CW-179)."""
    if _waits(state, (*state.done, side)):
        return say("End my {phase} phase", phase=Text(state.phase))
    return TO_PHASE[coming(state)]


def ended(before: State, after: State, side: Side, _action: EndPhase) -> Text:
    """Say what the end of a phase came to: the next one, or the next turn."""
    said = say("{side} has ended the {phase} phase", side=Text(side), phase=Text(before.phase))
    if after.winner:
        return speech.cost(before, after, said)
    if after.phase == before.phase and after.active == before.active:
        return said
    if after.active != before.active or after.round != before.round:
        return say("Now it is {side}'s turn", side=named(after.acting))
    return ENTERED[after.phase]


@turn.rule(EndPhase, headline=ended)
def end_phase(state: State, side: Side, action: EndPhase, ask: Ask) -> State:
    """End the phase; partners end it together (CW-25, CW-179)."""
    state.check_meant(action.phase, action.round)
    state.check_open(side)
    state = state.but(done=(*state.done, side))
    if _waits(state, state.done):
        ask.tell(say("{side} has ended the {phase} phase", side=Text(side), phase=Text(state.phase)), "CW-25")
        return state
    return _next_phase(state, ask)


def _waits(state: State, done: tuple[Side, ...]) -> bool:
    """Tell whether a phase goes on when those sides have ended it: a partner still has units to act with (CW-179)."""
    return any(mate not in done and state.standing(mate) for mate in state.acting)


def _next_phase(state: State, ask: Ask) -> State:
    """Go on to the next phase in which somebody can act, or end the turn (CW-25)."""
    over, then = state.phase, coming(state)
    state = state.but(phase=then or "combat", done=(), acted={}, last=None)
    if over == "movement":
        state = state.but(units=tuple(replace(unit, flying=False) for unit in state.units))
        if then != "shooting":
            ask.tell(say("Nobody can shoot"), "CW-45")
    if then is not None:
        ask.tell(ENTERED[then], "CW-25")
        return state
    if over != "combat":
        ask.tell(say("Nobody is in melee"), "CW-83")
    return end_turn(state, ask)


def coming(state: State) -> Phase | None:
    """Tell which phase comes after this one: the next in which somebody can act; None where the turn ends (CW-25)."""
    if state.phase == "movement" and shooters(state):
        return "shooting"
    return "combat" if state.phase != "combat" and fighters(state) else None


def shooters(state: State) -> tuple[Unit, ...]:
    """List the units that could do something in the shooting phase."""
    then, own = state.but(phase="shooting"), state.standing(*state.acting)
    return tuple(unit for unit in own if not (shooting.barred(unit) and magic.barred(then, unit, "zap")))


def fighters(state: State) -> tuple[Unit, ...]:
    """List the units that could attack in the combat phase."""
    return tuple(unit for unit in state.standing(*state.acting) if combat.barred(unit) is None)


def end_turn(state: State, ask: Ask) -> State:
    """End the turn: who was knocked over stands up or not (CW-116, CW-118), and the next team begins (CW-24)."""
    for unit in state.units:
        if unit.on_board and unit.down and not state.winner:
            state = regenerate(state, unit, ask)
    if state.winner:
        return state
    acting, playing = state.acting, teams(state.options)
    units = tuple(replace(unit.rested(), locked=unit.locked and unit.side not in acting) for unit in state.units)
    place, passed = state.active, state.round
    for _ in state.order:
        place = (place + 1) % len(state.order)
        passed += place == 0
        if any(unit.on_board and unit.side in playing[state.order[place]] for unit in units):
            break
    state = state.but(units=units, active=place, round=passed, phase="movement", done=(), acted={}, last=None)
    return begin_turn(state, ask)


def regenerate(state: State, unit: Unit, ask: Ask) -> State:
    """Roll whether a knocked-over unit stands up again (CW-115, CW-116)."""
    who = speech.name(state, unit)
    if not state.mirrored:
        why = say("{unit}: did another unit enter the square?", unit=who)
        if ask.choose(unit.side, NO_YES, f"entered_{unit.id}", why, clause="CW-115") == "yes":
            said = say("{unit}: another unit entered the square; out of the game", unit=who)
            ask.tell(said, "CW-115", harm=speech.gone(state, unit))
            return victory.out(state, unit, ask)
    why = numbered("{unit}: [stands_up] or more to stand up again", stands_up=STANDS_UP, unit=who)
    alike, does = traits.alike(STANDS_UP), traits.effects(STANDS_UP, say("stands up"), say("removed"))
    face = ask.throw(1, 6, f"regenerate_{unit.id}", why, by=unit.side, clause="CW-10", alike=alike, does=does)[0]
    if face >= STANDS_UP:
        ask.tell(say("{unit} stood up again", unit=who), "CW-116", faces=(face,), marks=((unit.id, "acting"),))
        return state.with_unit(unit.id, down=False)
    said = say("{unit} did not stand up: out of the game", unit=who)
    ask.tell(said, "CW-116", faces=(face,), harm=speech.gone(state, unit))
    return victory.out(state, unit, ask)


def begin_turn(state: State, ask: Ask) -> State:
    """Begin a team's turn: its temporary spells end (CW-129), an undead army without a general crumbles (CW-175)."""
    ask.tell(say("Now it is {side}'s turn", side=named(state.acting)), "CW-24")
    expired = tuple(effect for effect in state.effects if effect.side in state.acting)
    state = spells.end_spells(state, expired, "CW-129", ask)
    for side in state.acting:
        if state.armies.get(side) == "undead" and traits.leaderless(state, side):
            state = crumble(state, side, ask)
    return state


def crumble(state: State, side: Side, ask: Ask) -> State:
    """Let an undead army without its general lose a unit of its choice (CW-175)."""
    units = [unit for unit in state.units if unit.on_board and unit.side == side]
    if not units:
        return state
    options = tuple(Option(unit.id, speech.name(state, unit), place=unit.square) for unit in units)
    why = say("{side} has no general: which unit is lost?", side=Text(side))
    lost = ask.choose(side, options, f"crumble_{side}", why, clause="CW-175")
    unit = next(unit for unit in units if unit.id == lost)
    ask.tell(say("{unit} crumbled without a general", unit=speech.name(state, unit)), "CW-175")
    if unit.down:
        ask.harm(*speech.gone(state, unit))
        return victory.out(state, unit, ask)
    return strike_down(state, (lost,), "loss", ask)[0]


def go_on(state: State, ask: Ask) -> State:
    """End the turn of those who have no unit left (CW-24)."""
    if state.phase not in TURN_PHASES or any(unit.on_board and unit.side in state.acting for unit in state.units):
        return state
    return end_turn(state, ask)
