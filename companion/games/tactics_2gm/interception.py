"""Fighters that wait beside their headquarters: interception and escort, which the table settles (G2-140, G2-A30)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import losses, speech
from companion.games.tactics_2gm.sides import other, seats_of
from companion.kit.asking import Option
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.pieces import Unit
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask

NOBODY = "nobody"
GOES_ON, TURNS_BACK, SHOT_DOWN = "goes_on", "turns_back", "shot_down"
HOME = "home"


def waiting(state: State, seat: Seat, *but: Unit) -> tuple[Unit, ...]:
    """List a player's fighters that wait beside the headquarters and have not flown in this turn (G2-139)."""
    flown = {unit.id for unit in but}
    return tuple(
        unit
        for unit in state.units
        if unit.seat == seat and state.flies(unit) and not unit.fired and unit.id not in flown
    )


def land(state: State, plane: Unit, ask: Ask) -> State:
    """Discard an aircraft after its use; a fighter stays where the table has agreed on that (G2-141, G2-A30)."""
    fighter = state.card(plane).subtype != "bomber"
    if fighter and state.options.fighter_after_use == "stays":
        ask.tell(say("{unit}: back beside its headquarters", unit=speech.unit(state, plane)), "G2-A30")
        return state.with_unit(plane.id, fired=tuple(state.weapons(plane)) or ("w0",))
    ask.tell(say("{unit}: discarded after its use", unit=speech.unit(state, plane)), "G2-A30" if fighter else "G2-141")
    return losses.leave(state, plane)


def meet(state: State, plane: Unit, target: Text, ask: Ask) -> tuple[State, bool]:
    """Let the enemy's fighters intercept an aircraft; return whether it goes on to what it attacks (G2-140).

    An aircraft that is shot down is out of play then; one that turns back is not.
    """
    interceptor = _volunteer(state, other(plane.side), plane, "intercept", target, ask)
    if interceptor is None:
        return state, True
    who, what = speech.unit(state, interceptor), speech.unit(state, plane)
    ask.tell(
        say("{unit} intercepts {enemy}", unit=who, enemy=what),
        "G2-140",
        marks=((interceptor.id, "acting"), (plane.id, "target")),
    )
    escort = _volunteer(state, plane.side, plane, "escort", who, ask)
    if escort is not None:
        ask.tell(
            say("{unit} escorts {enemy}", unit=speech.unit(state, escort), enemy=what),
            "G2-140",
            marks=((escort.id, "acting"),),
        )
    fate = _fate(state, interceptor, plane, ask)
    fighters = (interceptor,) if escort is None else (interceptor, escort)
    lost = [fighter for fighter in fighters if _falls(state, interceptor, fighter, ask)]
    for fighter in fighters:
        if fighter in lost:
            by = interceptor if fighter == escort else None
            state = losses.destroy(state, fighter, ask, by, clause="G2-140")
        else:
            state = land(state, fighter, ask)
    if fate == SHOT_DOWN:
        return losses.destroy(state, plane, ask, interceptor, clause="G2-140"), False
    if fate == TURNS_BACK:
        ask.tell(say("{unit} turns back: it does not attack", unit=what), "G2-140")
    return state, fate == GOES_ON


def _volunteer(state: State, side: Side, plane: Unit, key: str, against: Text, ask: Ask) -> Unit | None:
    """Ask each player of a side who has a fighter waiting whether it flies, and which, until one does."""
    what = speech.unit(state, plane)
    for seat in seats_of(state.options, side):
        fighters = waiting(state, seat, plane)
        if not fighters:
            continue
        why = (
            say("{enemy} flies at {place}. Do you intercept it?", enemy=what, place=against)
            if key == "intercept"
            else say("{enemy} intercepts {unit}. Do you send an escort?", enemy=against, unit=what)
        )
        advice = (Reason(say("What comes of it you settle at the table"), "G2-140"), afterwards(state))
        options = (*(Option(one.id, speech.unit(state, one)) for one in fighters), Option(NOBODY, say("Nobody flies")))
        chosen = ask.choose(seat, options, f"{key}_{seat}", why, clause="G2-140", advice=advice)
        if chosen != NOBODY:
            return state.unit(chosen)
    return None


def afterwards(state: State) -> Reason:
    """Say what becomes of a fighter that flies (G2-A30)."""
    if state.options.fighter_after_use == "stays":
        return Reason(say("A fighter that flies is used for this turn, and stays"), "G2-A30")
    return Reason(say("A fighter that flies is discarded afterwards"), "G2-A30")


def _fate(state: State, interceptor: Unit, plane: Unit, ask: Ask) -> str:
    """Ask who intercepts what became of the aircraft, as the table has settled it (G2-A30)."""
    what = speech.unit(state, plane)
    options = (
        Option(GOES_ON, say("It goes on and attacks")),
        Option(TURNS_BACK, say("It turns back without attacking")),
        Option(SHOT_DOWN, say("It is shot down")),
    )
    why = say("Settle the interception at the table. What becomes of {enemy}?", enemy=what)
    fate = ask.choose(interceptor.seat, options, "fate", why, clause="G2-A30")
    told = {
        GOES_ON: say("{seat}: {unit} goes on", seat=Text(interceptor.seat), unit=what),
        TURNS_BACK: say("{seat}: {unit} turns back", seat=Text(interceptor.seat), unit=what),
        SHOT_DOWN: say("{seat}: {unit} is shot down", seat=Text(interceptor.seat), unit=what),
    }[fate]
    ask.tell(told, "G2-A30")
    return fate


def _falls(state: State, interceptor: Unit, fighter: Unit, ask: Ask) -> bool:
    """Ask who intercepts whether a fighter was shot down, as the table has settled it (G2-A30)."""
    who = speech.unit(state, fighter)
    options = (Option(HOME, say("It flies home")), Option(SHOT_DOWN, say("It is shot down")))
    why = say("Settle the interception at the table. What becomes of {enemy}?", enemy=who)
    return ask.choose(interceptor.seat, options, f"fate_{fighter.id}", why, clause="G2-A30") == SHOT_DOWN
