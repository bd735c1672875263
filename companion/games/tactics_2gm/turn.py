"""The turn: its phases in their order, what they wait for, and its end (G2-77 to G2-81, G2-119 to G2-123)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.games.tactics_2gm import actions as do
from companion.games.tactics_2gm import clock, goals, hands, income, lasting, points, reach, victory
from companion.games.tactics_2gm.sides import other, paired, side_of
from companion.kit.cards import FACE_DOWN
from companion.kit.decks import discarding
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.pieces import Unit
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import Phase, State
    from companion.kit.asking import Ask

Step = Literal["start", "headquarters", "cards", "movement", "deployment", "fire", "flip", "discard", "end"]
STEPS: tuple[Step, ...] = (
    "start",
    "headquarters",
    "cards",
    "movement",
    "deployment",
    "fire",
    "flip",
    "discard",
    "end",
)
"""The phases of a turn in their order (G2-77)."""
ENDED: dict[Phase, Step] = {"movement": "movement", "deployment": "deployment", "fire": "fire", "discard": "discard"}
"""Phases that the players end."""
MOST_HAND = 7
"""Cards that a hand holds after the discard phase (G2-56, G2-122)."""
DRAWN = 2
"""Cards that a player draws each turn; each of a pair draws one (G2-81, G2-156)."""


def check_begun(state: State) -> None:
    """Refuse what belongs to the battle before and after it (G2-02)."""
    if state.phase == "finished":
        raise Refusal(say("The battle is over."), "G2-02")
    if not state.begun:
        raise Refusal(say("The battle has not begun."), "G2-02")


def check_turn(state: State, seat: Seat) -> None:
    """Refuse what is done out of turn (G2-02)."""
    check_begun(state)
    if seat not in state.acting:
        raise Refusal(say("It is the turn of the {side}.", side=Text(state.active)), "G2-02")


def check_acting(state: State, seat: Seat) -> None:
    """Refuse what is done before the battle, after it, out of turn, or by who has ended the phase (G2-02, G2-77)."""
    check_turn(state, seat)
    if seat in state.done:
        raise Refusal(say("You have ended this phase."), "G2-77")


def check_phase(state: State, seat: Seat, *phases: Phase) -> None:
    """Refuse what belongs to another phase (G2-77)."""
    check_acting(state, seat)
    if state.phase not in phases:
        raise Refusal(say("That is done in the {phase} phase.", phase=Text(phases[0])), "G2-77")


def check_own(state: State, seat: Seat, name: str, field: str = "unit") -> Unit:
    """Return a player's own unit; raise Refusal when it is his partner's or the enemy's (G2-155)."""
    unit = state.unit(name, field)
    if unit.seat != seat:
        raise Refusal(say("Each player acts with his own units."), "G2-155", field)
    return unit


def rule(state: State, seat: Seat, action: do.Turning, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    match action:
        case do.Income():
            check_phase(state, seat, "headquarters")
            return _go_on(income.take(state, seat, action.lines, ask), "headquarters", ask)
        case do.Cede():
            return cede(state, seat, ask)
        case do.EndPhase():
            return end_phase(state, seat, action, ask)
        case do.Discard():
            return discard(state, seat, action, ask)
        case do.Spend():
            check_begun(state)
            return points.spend(state, seat, action.amount, _reason(action.why), "G2-165", ask, "amount")
        case do.Gain():
            check_begun(state)
            return points.gain(state, seat, action.amount, _reason(action.why), "G2-164", ask)
        case do.ClaimGoal():
            check_begun(state)
            return goals.claim(state, seat, action.goal, ask)
        case do.Surrender():
            return victory.surrender(state, seat, ask)


def _reason(why: str) -> Text:
    """Return what AP are spent on or gained for, as typed; raise Refusal for nothing but blanks (G2-30)."""
    typed = " ".join(why.split())
    if not typed:
        raise Refusal(say("Say what for."), "G2-30", "why")
    return say("{name}", name=typed)


def begin(state: State, ask: Ask) -> State:
    """Begin the battle: the first turn is that of the side that starts (G2-44, G2-A12)."""
    ask.tell(say("First turn: {side}", side=Text(state.first)), "G2-44")
    return _go_on(clock.start(state.but(turn=1, active=state.first), ask), "end", ask)


def following(step: Step) -> Step:
    """Return the phase after one; after the end comes the start of the next turn (G2-77, G2-123)."""
    return STEPS[(STEPS.index(step) + 1) % len(STEPS)]


def waits(state: State, step: Step) -> Phase | None:
    """Return the phase that the game waits in at a step of the active side's turn; None where nobody has a say."""
    match step:
        case "headquarters" | "deployment":
            return step
        case "movement" | "fire":
            return step if any(busy(state, seat, step) for seat in state.acting) else None
        case "discard":
            return step if any(surplus(state, seat) for seat in state.acting) else None
        case _:
            return None


def busy(state: State, seat: Seat, phase: Phase) -> bool:
    """Tell whether a player can have something to do in a phase; who has no units neither moves nor fires.

    Where Companion knows how far the enemy is, nobody has to end a fire phase without anything in range.
    """
    if phase == "movement":
        return any(unit.seat == seat for unit in state.on_ground(side_of(seat)))
    own = (unit for unit in state.units if unit.seat == seat)
    return phase != "fire" or any(not state.mirrored or reach.fires(state, unit) for unit in own)


def surplus(state: State, seat: Seat) -> int:
    """Count the cards that a player has to discard (G2-122)."""
    return max(0, len(state.deck(seat).hand) - MOST_HAND)


def _go_on(state: State, after: Step, ask: Ask) -> State:
    """Play the phases that follow one, until one waits for somebody or the battle is over (G2-77)."""
    state, step = state.but(done=()), following(after)
    phase = waits(state, step)
    if phase is not None:
        return state.but(phase=phase)
    match step:
        case "start":
            state = lasting.end_effects(state.but(phase="headquarters", ready=(), ceded=False, last=None), ask)
        case "cards":
            state = _draw(state, ask)
        case "movement":
            ask.tell(say("no unit to move"), "G2-77")
        case "fire":
            armed = any(unit.seat in state.acting for unit in state.units)
            ask.tell(say("no enemy in range") if armed else say("no unit to fire"), "G2-77")
        case "flip":
            state = lasting.flip(state, ask)
        case "end":
            state = _end(state, ask)
    return _go_on(state, step, ask) if state.begun else state


def _draw(state: State, ask: Ask) -> State:
    """Draw the cards of the turn (G2-81, G2-156)."""
    pair = paired(state.options, state.active)
    for seat in state.acting:
        clause = "G2-156" if pair else "G2-81"
        state = hands.draw(state, seat, 1 if pair else DRAWN, say("cards phase"), ask, clause=clause)
    return state


def _end(state: State, ask: Ask) -> State:
    """End the turn: the other side's begins, unless the battle is over (G2-123)."""
    state = victory.end_of_turn(state, ask)
    if state.begun:
        state = clock.end_of_turn(state, ask)
    if not state.begun:
        return state
    state = state.but(turn=state.turn + 1, active=other(state.active))
    ask.tell(say("Now it is the turn of the {side}", side=Text(state.active)), "G2-123")
    return state


def awaited(state: State) -> tuple[Seat, ...]:
    """List the seats that a phase of the turn waits for (G2-155)."""
    if state.phase == "headquarters":
        return state.acting
    if state.phase == "discard":
        return tuple(seat for seat in state.acting if surplus(state, seat))
    return tuple(seat for seat in state.acting if seat not in state.done and busy(state, seat, state.phase))


def end_phase(state: State, seat: Seat, meant: do.EndPhase, ask: Ask) -> State:
    """End the phase; partners end it together (G2-77, G2-155)."""
    check_turn(state, seat)
    if meant.phase not in (None, state.phase) or meant.turn not in (None, state.turn):
        raise Refusal(say("That phase is over already."), "G2-77")
    check_acting(state, seat)
    if state.phase == "headquarters":
        raise Refusal(say("First take the action points of this turn."), "G2-79")
    if state.phase == "discard" and awaited(state):
        raise Refusal(say("First discard down to seven cards."), "G2-122")
    state = state.but(done=(*state.done, seat))
    if awaited(state):
        ended = say("{seat} has ended the {phase} phase", seat=Text(seat), phase=Text(state.phase))
        ask.tell(ended, "G2-155")
        return state
    return _go_on(state, ENDED[state.phase], ask)


def discard(state: State, seat: Seat, action: do.Discard, ask: Ask) -> State:
    """Discard down to seven cards, those that the player chooses (G2-122, G2-A15)."""
    check_phase(state, seat, "discard")
    count = surplus(state, seat)
    if not count:
        raise Refusal(say("You hold no more than seven cards."), "G2-122")
    cards = discarding.going(
        action.cards, action.count, lambda code: getattr(state.find_card(seat, code), "name", ""), real=state.real
    )
    if len(cards) != count:
        raise Refusal(
            say("Discard exactly {count} card.|Discard exactly {count} cards.", count=count), "G2-122", "cards"
        )
    for code in cards:
        if not state.real or code != FACE_DOWN:
            hands.check_held(state, seat, code)
        ask.tell(say("{seat}: {card} discarded", seat=Text(seat), card=hands.card_name(state, seat, code)), "G2-122")
        state = hands.leave_hand(state, seat, code, discard=True)
    if waits(state, "discard") is not None:
        return state
    return _go_on(state, "discard", ask)


def why_not_cede(state: State, seat: Seat) -> Reason | None:
    """Say why a player can not give an AP to a partner now; None when he can (G2-154)."""
    if state.partner(seat) is None or state.leader(side_of(seat)) != seat:
        return Reason(say("Only a field marshal gives AP to the general."), "G2-154")
    if state.ceded:
        return Reason(say("The one AP of this turn has been given."), "G2-154")
    if not state.ap.get(seat, 0):
        return Reason(say("You have no AP to give."), "G2-154")
    return None


def cede(state: State, seat: Seat, ask: Ask) -> State:
    """Give the general the one AP that the marshal may give each turn (G2-154)."""
    check_turn(state, seat)
    no = why_not_cede(state, seat)
    if no is not None:
        raise Refusal(no.text, no.clause)
    general = next(one for one in state.acting if one != seat)
    left, have = state.ap[seat] - 1, state.ap.get(general, 0) + 1
    ask.tell(say("{seat} gave one AP to the general: {left} AP left", seat=Text(seat), left=left), "G2-154", -1)
    ask.tell(say("{seat}: {ap} AP", seat=Text(general), ap=have), "G2-154", 1)
    return state.with_ap(seat, left).with_ap(general, have).but(ceded=True)
