"""Air combat: bombers and fighters, and what they meet on their way (G2-138 to G2-144)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.tactics_2gm import aiming, air_defence, combatants, fire, players, shooting, shot_odds, speech
from companion.games.tactics_2gm.cards import UnitCard
from companion.games.tactics_2gm.options import Seat, other
from companion.games.tactics_2gm.players import CardCode, Id
from companion.games.tactics_2gm.shooting import Shot
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import Last, Phase, State, Targeted, Unit
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.decks import one_each
from companion.kit.odds import Bar, Chart
from companion.kit.questions import Option
from companion.kit.ruling import Reason, refuse
from companion.kit.text import Text, say

air = Chapter[State, Seat]()
BOMBING: Phase = "deployment"
SORTIES: tuple[Phase, ...] = ("deployment", "fire")
"""Phases of the own turn in which a fighter may attack: the rules name none (G2-139)."""


class Bomb(Action, frozen=True, tag="bomb"):
    """Play a bomber card at a target (G2-141)."""

    card: CardCode
    target: Id


class Sortie(Action, frozen=True, tag="sortie"):
    """Use a fighter to attack a target (G2-140)."""

    unit: Id
    target: Id


@air.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer a seat its bombers, one card of every kind that can be paid for, and the fighters that wait."""
    if not players.acts(state, seat):
        return
    for code in one_each(players.playable(state, seat)) if state.phase == BOMBING else ():
        if bomber_barred(state, seat, code) is None:
            up, plane = take_off(state, seat, code)
            if options := targets(up, plane):
                card = up.card(plane)
                label = say("Bomb with {card}: {cost} AP", card=called(card.name), cost=card.cost)
                field = Field("target", say("Target"), "choice", options)
                yield Bomb.offer(label, field, on=code, card=code, chancy=True, clause="G2-141")
    for plane in state.units if state.phase in SORTIES else ():
        if plane.seat == seat and sortie_barred(state, plane) is None and (options := targets(state, plane)):
            label, advice = say("Attack with {unit}", unit=speech.unit(state, plane)), (air_defence.afterwards(state),)
            field = Field("target", say("Target"), "choice", options)
            yield Sortie.offer(label, field, on=plane.id, unit=plane.id, chancy=True, clause="G2-140", advice=advice)


def targets(state: State, plane: Unit) -> tuple[Option, ...]:
    """List what an aircraft may attack, however far, with the numbers of each of its weapons (G2-140, G2-A06)."""
    reached = aiming.targets(state, plane, 0)
    return tuple(fire.target_option(state, target, _shots(state, plane, target)) for target in reached)


def _shots(state: State, plane: Unit, target: Targeted) -> list[Shot]:
    """Return the shots of an aircraft's attack, one of each weapon that it can use (G2-98)."""
    return [aiming.shot_of(state, plane, weapon, target) for weapon in weapons(state, plane)]


def bomber_barred(state: State, seat: Seat, code: str) -> Reason | None:
    """Say why a player can not send that card as a bomber; None when he can (G2-138, G2-141)."""
    card = state.find_card(seat, code)
    if not isinstance(card, UnitCard) or card.family != "aircraft" or card.subtype != "bomber":
        return Reason(say("That is no bomber."), "G2-141")
    if not card.weapon:
        return Reason(say("It has no weapon."), "G2-141")
    return players.short_of(state, seat, card.cost, "G2-138")


def without_target(state: State, seat: Seat, code: str) -> Reason | None:
    """Say that a bomber has nothing to attack; None when it has (G2-140)."""
    up, plane = take_off(state, seat, code)
    return None if targets(up, plane) else Reason(say("There is nothing that it can attack."), "G2-140")


def sortie_barred(state: State, plane: Unit) -> Reason | None:
    """Say why an aircraft can not attack now; None when it can (G2-140)."""
    if not state.flies(plane):
        return Reason(say("That is no aircraft."), "G2-140")
    if plane.fired:
        return Reason(say("It has flown in this turn."), "G2-140")
    if not weapons(state, plane):
        return Reason(say("It has no weapon that it can use."), "G2-140")
    return None


def weapons(state: State, plane: Unit) -> tuple[str, ...]:
    """List the weapons with which an aircraft attacks: all that are not grey (G2-98)."""
    return tuple(name for name in state.weapons(plane) if not aiming.grey(plane, name))


def take_off(state: State, seat: Seat, code: str) -> tuple[State, Unit]:
    """Play a bomber card: while it flies it is in play like a unit (G2-141)."""
    state = players.leave_hand(state, seat, code, discard=False)
    return players.enter(state, seat, state.deck(seat).out[-1], deployed=state.turn)


def still_there(state: State, target: str) -> bool:
    """Tell whether a target is not destroyed yet."""
    if (ground := state.ground(target)) is not None:
        return not ground.ruin
    hq = state.hq(target)
    return state.find(target) is not None if hq is None else hq.pi > 0


def charts(state: State, seat: Seat, action: Bomb | Sortie) -> tuple[Chart, ...]:
    """Show what an attack from the air may bring; raise Refusal when it can not be made."""
    state, plane, target = _sent(state, seat, action)
    shots = _shots(state, plane, target)
    shown = [shot_odds.chart(shot) for shot in shots]
    if len(shots) > 1:
        destroyed = shot_odds.destroyed_after(shots, shot_odds.left(shots[0]))[-1]
        bars = (Bar(say("It is destroyed"), destroyed), Bar(say("It is not destroyed"), 1 - destroyed))
        shown.append(Chart(say("All the weapons of the aircraft"), bars))
    return (*shown, *_on_its_way(state, plane, target))


def _on_its_way(state: State, plane: Unit, target: Targeted) -> tuple[Chart, ...]:
    """Show how likely anti-aircraft shoots it down, where a board tells which is within range (G2-142, G2-143)."""
    guns = air_defence.ready(state, other(plane.side), target) if state.mirrored else ()
    if not guns:
        return ()
    shots = [air_defence.shots(state, gun, plane, target)[0] for gun in guns]
    down = shot_odds.destroyed_after(shots, shot_odds.left(shots[0]))[-1]
    bars = (Bar(say("It is shot down"), down), Bar(say("It goes on and attacks"), 1 - down))
    said = say("All anti-aircraft within range fires")
    return (Chart(say("On its way"), bars, reasons=(Reason(said, "G2-142", len(guns)),)),)


def _bombed(before: State, after: State, seat: Seat, action: Bomb) -> Text:
    return fire.struck(before, after, players.card_name(before, seat, action.card), action.target)


@air.rule(Bomb, headline=_bombed, odds=charts)
def bomb(state: State, seat: Seat, action: Bomb, ask: Ask) -> State:
    """Pay for a bomber and let it fly (G2-138, G2-141)."""
    state, plane, target = _sent(state, seat, action)
    card = state.card(plane)
    state = players.spend(state, seat, card.cost, called(card.name), "G2-138", ask, "card")
    return _fly(state, plane, target, ask)


@air.rule(
    Sortie,
    headline=lambda before, after, _seat, action: fire.struck_by(before, after, action.unit, action.target),
    odds=charts,
)
def sortie(state: State, seat: Seat, action: Sortie, ask: Ask) -> State:
    """Let a fighter that waits beside the headquarters attack (G2-140)."""
    state, plane, target = _sent(state, seat, action)
    return _fly(state, plane, target, ask)


def _sent(state: State, seat: Seat, action: Bomb | Sortie) -> tuple[State, Unit, Targeted]:
    """Return the state with an aircraft in play, the aircraft, and its target; raise Refusal when it can not be sent.

    A bomber is a card of the hand in the deployment phase (G2-91, G2-141), a fighter waits beside the headquarters
    (G2-139, G2-140).
    """
    if isinstance(action, Bomb):
        players.check_phase(state, seat, BOMBING)
        players.check_held(state, seat, action.card)
        refuse(bomber_barred(state, seat, action.card), "card")
        state, plane = take_off(state, seat, action.card)
    else:
        players.check_phase(state, seat, *SORTIES)
        plane = players.check_own(state, seat, action.unit)
        refuse(sortie_barred(state, plane), "unit")
    target = aiming.find_target(state, action.target)
    shooting.check(_shots(state, plane, target)[0])
    return state, plane, target


def _fly(state: State, plane: Unit, target: Targeted, ask: Ask) -> State:
    """Fly at a target: interception, then anti-aircraft, then the attack of what still flies (G2-140 to G2-143)."""
    what = speech.piece(state, target)
    clause = "G2-141" if state.card(plane).subtype == "bomber" else "G2-140"
    said = say("{unit} flies at {enemy}", unit=speech.unit(state, plane), enemy=what)
    ask.tell(said, clause, marks=((plane.id, "acting"), (target.id, "target")))
    ways = air_defence.may_meet(state, plane, target)
    meets = combatants.clash(
        state, plane, target, *_shots(state, plane, target), cancels=tuple(said for said, _ in ways)
    )
    ask.clash(replace(meets, until=tuple(key for _, key in ways)))
    if (square := aiming.square_of(target)) is not None:
        state = state.but(last=Last(None, square))
    state, goes_on = air_defence.meet(state, plane, what, ask)
    if goes_on:
        state = air_defence.answer(state, plane, target, ask)
        state = attack(state, plane.id, target.id, ask)
    now = state.find(plane.id)
    return air_defence.land(state, now, ask) if now else state


def attack(state: State, plane: str, target: str, ask: Ask) -> State:
    """Fire every weapon of an aircraft, where it still flies, until its target is destroyed (G2-98, G2-A31)."""
    now = state.find(plane)
    for weapon in weapons(state, now) if now else ():
        if still_there(state, target):
            now, aim = state.unit(plane), aiming.find_target(state, target)
            shot = aiming.shot_of(state, now, weapon, aim)
            state = fire.shoot_at(state, now, weapon, shot, aim, ask, f"shot_{weapon}")
    return state
