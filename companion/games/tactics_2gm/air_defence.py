"""What meets aircraft and paratroopers on their way: fighters that intercept, and anti-aircraft.

G2-139, G2-140, G2-142, G2-143, G2-A30 and G2-A31.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.tactics_2gm import aiming, combatants, fire, shooting, shot_odds, speech, tokens
from companion.games.tactics_2gm.cards import Weapon
from companion.games.tactics_2gm.options import Seat, Side, other, seats_of
from companion.games.tactics_2gm.shooting import Shot
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import State, Targeted, Unit
from companion.kit.asking import Ask
from companion.kit.questions import Option
from companion.kit.ruling import Reason, refuse
from companion.kit.text import Text, say

NOBODY, HOLD = "nobody", "hold"
GOES_ON, TURNS_BACK, SHOT_DOWN = "goes_on", "turns_back", "shot_down"
FALLS = Option(SHOT_DOWN, say("It is shot down"))
FATES = (
    Option(GOES_ON, say("It goes on and attacks")),
    Option(TURNS_BACK, say("It turns back without attacking")),
    FALLS,
)
LANDINGS = (Option("home", say("It flies home")), FALLS)
TOLD = {
    GOES_ON: "{seat}: {unit} goes on",
    TURNS_BACK: "{seat}: {unit} turns back",
    SHOT_DOWN: "{seat}: {unit} is shot down",
}


def waiting(state: State, seat: Seat, but: Unit) -> tuple[Unit, ...]:
    """List a player's fighters that wait beside the headquarters and have not flown in this turn (G2-139)."""
    own = (unit for unit in state.units if unit.seat == seat and state.flies(unit))
    return tuple(unit for unit in own if not unit.fired and unit.id != but.id)


def _any_waits(state: State, side: Side, but: Unit) -> bool:
    return any(waiting(state, seat, but) for seat in seats_of(state.options, side))


def may_meet(state: State, plane: Unit, spot: Targeted) -> tuple[tuple[Text, str], ...]:
    """Say what may meet an aircraft on its way, each with how its question is called (G2-140, G2-142)."""
    foe = other(plane.side)
    ways = (
        (say("A fighter may intercept"), "intercept_", _any_waits(state, foe, plane)),
        (say("Anti-aircraft may fire first"), "flak_", bool(ready(state, foe, spot))),
    )
    return tuple((said, key) for said, key, possible in ways if possible)


def land(state: State, plane: Unit, ask: Ask) -> State:
    """Discard an aircraft after its use; a fighter stays where the table has agreed on that (G2-141, G2-A30)."""
    fighter = state.card(plane).subtype != "bomber"
    if fighter and state.options.fighter_after_use == "stays":
        ask.tell(say("{unit}: back beside its headquarters", unit=speech.unit(state, plane)), "G2-A30")
        return state.with_unit(plane.id, fired=tuple(state.weapons(plane)) or ("w0",))
    ask.tell(say("{unit}: discarded after its use", unit=speech.unit(state, plane)), "G2-A30" if fighter else "G2-141")
    return fire.leave(state, plane)


def meet(state: State, plane: Unit, target: Text, ask: Ask) -> tuple[State, bool]:
    """Let the enemy's fighters intercept an aircraft; return whether it goes on to what it attacks (G2-140).

    An aircraft that is shot down is out of play then; one that turns back is not.
    """
    interceptor = _volunteer(state, other(plane.side), plane, "intercept", target, ask)
    if interceptor is None:
        return state, True
    who, what = speech.unit(state, interceptor), speech.unit(state, plane)
    marks = ((interceptor.id, "acting"), (plane.id, "target"))
    ask.tell(say("{unit} intercepts {enemy}", unit=who, enemy=what), "G2-140", marks=marks)
    escorts = (say("A fighter may escort it"),) if _any_waits(state, plane.side, plane) else ()
    ask.clash(combatants.clash(state, interceptor, plane, way="block", cancels=escorts))
    escort = _volunteer(state, plane.side, plane, "escort", who, ask)
    if escort is not None:
        said = say("{unit} escorts {enemy}", unit=speech.unit(state, escort), enemy=what)
        ask.tell(said, "G2-140", marks=((escort.id, "acting"),))
    fate = _settled(state, interceptor, plane, "fate", FATES, ask)
    ask.tell(say(TOLD[fate], seat=Text(interceptor.seat), unit=what), "G2-A30")
    fighters = (interceptor,) if escort is None else (interceptor, escort)
    ends = [_settled(state, interceptor, fighter, f"fate_{fighter.id}", LANDINGS, ask) for fighter in fighters]
    for fighter, end in zip(fighters, ends, strict=True):
        if end == SHOT_DOWN:
            by = interceptor if fighter == escort else None
            state = fire.destroy(state, fighter, ask, by, clause="G2-140")
        else:
            state = land(state, fighter, ask)
    if fate == SHOT_DOWN:
        return fire.destroy(state, plane, ask, interceptor, clause="G2-140"), False
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
        advice = (Reason(say("You settle the outcome at the table"), "G2-140"), afterwards(state))
        named = (Option(fighter.id, speech.unit(state, fighter)) for fighter in fighters)
        options = (*named, Option(NOBODY, say("Nobody flies")))
        chosen = ask.choose(seat, options, f"{key}_{seat}", why, clause="G2-140", advice=advice)
        if chosen != NOBODY:
            return state.unit(chosen)
    return None


def afterwards(state: State) -> Reason:
    """Say what becomes of a fighter that flies (G2-A30)."""
    if state.options.fighter_after_use == "stays":
        return Reason(say("A fighter that flies is used for this turn, and stays"), "G2-A30")
    return Reason(say("A fighter that flies is discarded afterwards"), "G2-A30")


def _settled(state: State, interceptor: Unit, flying: Unit, key: str, options: tuple[Option, ...], ask: Ask) -> str:
    """Ask who intercepts what became of an aircraft, as the table has settled it (G2-A30)."""
    why = say("Settle the interception at the table. What becomes of {enemy}?", enemy=speech.unit(state, flying))
    return ask.choose(interceptor.seat, options, key, why, clause="G2-A30")


def guns(state: State, side: Side) -> tuple[Unit, ...]:
    """List the anti-aircraft units of a side that are deployed (G2-142)."""
    return tuple(unit for unit in state.on_ground(side) if state.card(unit).subtype == "anti_aircraft")


def barred(state: State, gun: Unit, spot: Targeted) -> Reason | None:
    """Say why an anti-aircraft unit can not fire: each once a turn, within range where a board tells (G2-142).

    ``spot`` is what aircraft attack, or who lands there.
    """
    if gun.fired:
        return Reason(say("Each fires once a turn, and this one has: {unit}", unit=speech.unit(state, gun)), "G2-142")
    if not arms(state, gun, spot):
        return Reason(say("Out of range, or no weapon that it can use: {unit}", unit=speech.unit(state, gun)), "G2-142")
    return None


def ready(state: State, side: Side, spot: Targeted) -> tuple[Unit, ...]:
    """List the anti-aircraft units that may fire (G2-142)."""
    return tuple(gun for gun in guns(state, side) if barred(state, gun, spot) is None)


def arms(state: State, gun: Unit, spot: Targeted) -> dict[str, Weapon]:
    """Return the weapons with which an anti-aircraft unit reaches a spot, by name; grey ones fire nothing (G2-A31)."""
    far = aiming.apart(gun, spot)
    return {
        name: weapon
        for name, weapon in state.weapons(gun).items()
        if weapon.range and not aiming.grey(gun, name) and (far is None or far <= weapon.range)
    }


def answer(state: State, flying: Unit, spot: Targeted, ask: Ask) -> State:
    """Ask each anti-aircraft unit of the enemy in turn whether it fires, until nothing flies any more (G2-143).

    Raise Refusal for one that is named beforehand and can not fire (G2-A31).
    """
    for gun in guns(state, other(flying.side)):
        if ask.intended.get(f"flak_{gun.id}", HOLD) != HOLD:
            refuse(barred(state, gun, spot), "answers")
    for gun in ready(state, other(flying.side), spot):
        now = state.find(flying.id)
        if now is None:
            return state
        if (weapon := _decide(state, gun, now, spot, ask)) != HOLD:
            shot = _shot(state, gun, weapon, now, spot)
            state = fire.strike(state, gun, weapon, shot, now, ask, f"flak_die_{gun.id}")
    return state


def _decide(state: State, gun: Unit, flying: Unit, spot: Targeted, ask: Ask) -> str:
    """Ask who leads an anti-aircraft unit what it fires at an aircraft, if anything."""
    armed = arms(state, gun, spot)
    who, what, place = speech.unit(state, gun), speech.unit(state, flying), speech.piece(state, spot)
    made = shots(state, gun, flying, spot)
    fires = tuple(
        Option(name, say("It fires: {weapon}", weapon=called(armed[name].name)), note=_chance(shot))
        for name, shot in zip(armed, made, strict=True)
    )
    far = max(weapon.range for weapon in armed.values())
    why = (
        say("{unit}: does it fire at {enemy} before it attacks {place}?", unit=who, enemy=what, place=place)
        if state.flies(flying)
        else say("{unit}: does it fire at {enemy} during the drop?", unit=who, enemy=what)
    )
    near = Reason(say("only if that is no more than {range} squares away", range=far), "G2-142")
    may = Reason(say("{unit} may fire", unit=who), "G2-142", marks=((gun.id, "acting"), (flying.id, "target")))
    options = (*fires, Option(HOLD, say("It holds its fire"), note=say("it can still fire this turn")))
    needs = (*shooting.needs(made[0]), Reason(_chance(made[0]), "G2-142"))
    advice = needs if state.mirrored else (near, *needs)
    meets = combatants.clash(state, gun, flying, *made)
    with ask.meanwhile(lambda: (replace(may, clash=meets),)):
        chosen = ask.choose(gun.seat, options, f"flak_{gun.id}", why, clause="G2-142", advice=advice)
    ask.tell(may.text, may.clause, marks=may.marks)
    if chosen != HOLD:  # one that holds its fire has met nobody
        ask.clash(meets)
    return chosen


def shots(state: State, gun: Unit, flying: Unit, spot: Targeted) -> tuple[Shot, ...]:
    """Return what the shots depend on that an anti-aircraft unit can choose from."""
    return tuple(_shot(state, gun, weapon, flying, spot) for weapon in arms(state, gun, spot))


def _shot(state: State, gun: Unit, weapon: str, flying: Unit, spot: Targeted) -> Shot:
    """Return what a shot into the air depends on: nothing covers what flies (G2-142)."""
    return replace(
        aiming.fired_by(state, gun, aiming.arm(state, gun, weapon), speech.unit(state, flying)),
        distance=aiming.apart(gun, spot) or None,
        armour=tokens.armour(state, flying),
        wounds_max=state.card(flying).wounds,
        target_wounds=flying.wounds,
    )


def _chance(shot: Shot) -> Text:
    percent = int(100 * shot_odds.destroyed_after([shot], shot_odds.left(shot))[0])
    return say("{percent}% to shoot it down", percent=percent)
