"""The round: its phases one after the other, each until both players are content (HW-27 to HW-32, HW-37, HW-104)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from msgspec import field

from companion.games.history_of_war import (
    battle,
    conquest,
    construction,
    damage,
    developments,
    final,
    hands,
    movement,
    speech,
    strike,
)
from companion.games.history_of_war.pieces import (
    SEATS,
    STEPS,
    Number,
    Phase,
    Played,
    Seat,
    following,
    other,
    with_seat,
    without_seat,
)
from companion.games.history_of_war.state import State, check_begun, check_shown
from companion.kit.action import Action, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, numbered, say

rounds = Chapter[State, Seat]()

BY_ITSELF: tuple[Phase, ...] = ("draw", "construction", "victory", "final")
"""Phases that end by themselves as soon as what they are for is done."""


class Done(Action, frozen=True, tag="done"):
    """Say that you are content with the phase (HW-32); ``on`` false: not yet after all.

    ``until`` ``needed``: also with all that follow, until you can do something yourself. A page names the ``phase``
    and the ``round`` that it showed, so that an old page never ends a later phase.
    """

    phase: Phase | None = None
    round: Number | None = None
    until: Literal["phase", "needed"] = "phase"
    yes: bool = field(default=True, name="on")


class Hold(Action, frozen=True, tag="hold"):
    """Wish for all to see that no phase passes by itself, so that action cards can be played in it (HW-32, HW-A09).

    ``on`` false: no more.
    """

    yes: bool = field(default=True, name="on")


class Concede(Action, frozen=True, tag="concede"):
    """Give up; the opponent wins."""


PASSED: dict[Phase, Text] = {
    **dict.fromkeys(movement.DEPLOYMENTS, say("{seat}: no unit can deploy")),
    **dict.fromkeys(battle.ATTACKS, say("{seat}: no unit can attack")),
    **dict.fromkeys(battle.BLOCKS, say("{seat}: no unit can block")),
    **dict.fromkeys(damage.PHASES, say("no attack, no damage")),
    **dict.fromkeys(movement.RETREATS, say("{seat}: no unit can retreat")),
    "victory": say("no territory is conquered"),
    "final": say("nobody has too many cards or units"),
}
"""What is said of phases that pass by themselves when nobody can do what they are for; ``seat`` is who acts."""

CAN: dict[Phase, Callable[[State, Played], object]] = {
    **dict.fromkeys(movement.DEPLOYMENTS, movement.goals),
    **dict.fromkeys(battle.ATTACKS, battle.aims),
    **dict.fromkeys(battle.BLOCKS, battle.may_block),
    **dict.fromkeys(movement.RETREATS, movement.may_retreat),
}
"""What tells whether a unit can do what a phase is for, or lists what it can do: false or empty where it can not."""


def needed(state: State, seat: Seat) -> bool:
    """Tell whether a player can or must do what the phase is for, as far as everybody knows."""
    if state.phase in CAN:
        return seat in state.acting and any(CAN[state.phase](state, unit) for unit in state.units(seat))
    match state.phase:
        case "base_expansion":
            return state.expanded.get(seat) != state.round
        case "construction":
            return not state.plan(seat).built or developments.to_place(state) == seat
        case "damage_1" | "damage_2":
            return bool(state.attacks) and not state.struck and seat == state.striker
        case "victory":
            return seat in conquest.pending(state).values()
        case "final":
            return final.hand_surplus(state, seat) > 0 or final.unit_surplus(state, seat) > 0
        case _:
            return False


def nothing_to_do(state: State) -> Reason | None:
    """Say why a phase passes by itself: nobody can do what it is for, as everybody knows; None when somebody can."""
    said = PASSED.get(state.phase)
    if said is None or any(needed(state, seat) for seat in SEATS):
        return None
    if state.phase in battle.BLOCKS and not state.attacks:
        said = say("no attack to block")
    elif state.phase in CAN:
        said = say(said.say, seat=Text(state.acting[0]))
    return Reason(said, STEPS[state.phase].clause)


def unfinished(state: State) -> Reason | None:
    """Say what has to be done before the phase can end, None when nothing has."""
    match state.phase:
        case "construction" if developments.to_place(state) is not None and all(state.plan(s).built for s in SEATS):
            return Reason(say("First the developments are put into territories."), "HW-46")
        case "construction" if not construction.finished(state):
            return Reason(say("First both players finish their construction."), "HW-44")
        case "damage_1" | "damage_2" if state.attacks and not state.struck:
            return Reason(say("First the damage is dealt."), STEPS[state.phase].clause)
        case "victory" if pending := conquest.pending(state):
            called = speech.place(state, next(iter(pending)))
            return Reason(say("First {territory} is occupied.", territory=called), "HW-91")
        case "final" if any(final.hand_surplus(state, seat) for seat in SEATS):
            text = numbered("First the hands are reduced to [most_hand written] cards.", most_hand=final.MOST_HAND)
            return Reason(text, "HW-97")
        case "final" if any(final.unit_surplus(state, seat) for seat in SEATS):
            text = numbered(
                "First the deployment areas are reduced to [most_units written] units.", most_units=final.MOST_UNITS
            )
            return Reason(text, "HW-98")
        case _:
            return None


def agreeing(state: State) -> tuple[Seat, ...]:
    """List whose word ends the phase: both, but who declares attacks or blocks does so alone (HW-32, HW-54, HW-61)."""
    return state.acting if STEPS[state.phase].no_cards else SEATS


def agreed(state: State) -> bool:
    """Tell whether all whose word ends the phase are content with it (HW-32)."""
    return all(seat in state.done or seat in state.content for seat in agreeing(state))


def awaited(state: State) -> tuple[Seat, ...]:
    """List the seats that the table waits for now."""
    match state.phase:
        case "decks":
            return tuple(seat for seat in SEATS if seat not in state.ready)
        case "mulligan":
            return tuple(seat for seat in SEATS if not state.deck(seat).kept)
        case "finished":
            return ()
    if unfinished(state) is not None:
        return tuple(seat for seat in SEATS if needed(state, seat))
    return tuple(seat for seat in agreeing(state) if seat not in state.done and seat not in state.content)


def asked_again(state: State) -> State:
    """Return the state after something was changed by hand: whose word holds no more gives it again (HW-32).

    Nobody is content with a phase in which something has to be done first, and somebody is always waited for.
    """
    if not state.begun:
        return state
    if unfinished(state) is not None:
        state = state.but(done=())
    return state if awaited(state) else state.but(done=(), content=())


@rounds.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer to be content with the phase, to stop at every one, and to give up."""
    if state.begun:
        yield from _content(state, seat)
    if state.begun and not state.options.step_by_step:
        yield _stop(state, seat)
    yield Concede.offer(say("Give up"), grave=True, asks=say("Do you give up?"), button=say("I give up"))


def _content(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer to be content with the phase, or with all until one is needed (HW-32); what must be done comes first.

    The button that stands out is what most would do next: nobody should pass over a base expansion that he holds.
    """
    done = partial(Done.offer, phase=state.phase, round=state.round, clause="HW-32")
    if seat in state.done or seat in state.content:
        yield done(say("Not done yet after all"), yes=False)
        return
    first, needs = unfinished(state), needed(state, seat)
    stays = needs or state.options.step_by_step or seat in state.holding
    if first is None and seat in agreeing(state):
        main = stays and not any(hands.base_offers(state, seat))
        yield done(say("Done with this phase"), ends=True, main=main, left=_left(state, seat))
    if (first is None or not needs) and seat not in state.holding:
        yield done(say("Call me on my turn"), until="needed", ends=True, main=not stays)


def _left(state: State, seat: Seat) -> Text | None:
    """Say what the phase is for and is not done yet; action cards wait for their moment, and are not counted."""
    if any(hands.base_offers(state, seat)):
        return say("Your base could still grow")
    if state.phase not in CAN or seat not in state.acting:
        return None
    count = sum(bool(CAN[state.phase](state, unit)) for unit in state.units(seat))
    if not count:
        return None
    if state.phase in movement.DEPLOYMENTS:
        return say("{count} unit could still deploy|{count} units could still deploy", count=count)
    if state.phase in battle.ATTACKS:
        return say("{count} unit could still attack|{count} units could still attack", count=count)
    if state.phase in battle.BLOCKS:
        return say("{count} unit could still block|{count} units could still block", count=count)
    return say("{count} unit could still retreat|{count} units could still retreat", count=count)


def _stop(state: State, seat: Seat) -> Offer:
    """Offer to stop at every phase, so that action cards can be played in each, or no more (HW-32, HW-A09)."""
    here = f"points.{seat}"
    if seat in state.holding:
        return Hold.offer(say("Stop at every phase no more"), on=here, yes=False, aside=True, clause="HW-32")
    why = Reason(say("No phase passes by itself then: there is time for an action card in each."), "HW-A09")
    return Hold.offer(say("Stop at every phase"), on=here, yes=True, aside=True, clause="HW-32", advice=(why,))


def _said(before: State, after: State, seat: Seat, action: Done) -> Text:
    done = say("{seat}: done with this phase" if action.yes else "{seat}: not done yet after all", seat=Text(seat))
    return speech.phase_now(before, after) or done


@rounds.rule(Done, headline=_said)
def done(state: State, seat: Seat, action: Done, ask: Ask) -> State:
    """Take a player at his word that he is content with the phase, or with all until he is needed (HW-32)."""
    check_begun(state)
    check_shown(state, action.phase, action.round)
    if not action.yes:
        return _not_done(state, seat, ask)
    if seat in state.content or (seat in state.done and action.until == "phase"):
        raise Refusal(say("You have said so already."), "HW-32")
    if seat in state.holding and action.until == "needed":
        raise Refusal(say("You stop at every phase: say first that you do so no more."), "HW-32", "until")
    first = unfinished(state)
    if action.until == "phase" or needed(state, seat):
        refuse(first)
    agree = agreeing(state)
    if action.until == "phase" and seat not in agree:
        raise Refusal(say("Only the player who declares ends this phase."), "HW-29")
    if action.until == "needed":
        ask.tell(say("{seat}: done until needed", seat=Text(seat)), "HW-32")
        state = state.but(content=with_seat(state.content, seat))
    else:
        ask.tell(say("{seat}: done with this phase", seat=Text(seat)), "HW-32")
    if first is None and seat in agree:
        state = state.but(done=with_seat(state.done, seat))
        if len(agree) == 1:
            said = say("no action cards in this phase, so the player who declares ends it")
            ask.tell(said, STEPS[state.phase].no_cards)
    return state


def _not_done(state: State, seat: Seat, ask: Ask) -> State:
    """Let a player look again at a phase that he was content with."""
    if seat not in state.done and seat not in state.content:
        raise Refusal(say("You have not said so."), "HW-32")
    ask.tell(say("{seat}: not done yet after all", seat=Text(seat)), "HW-32")
    return state.but(done=without_seat(state.done, seat), content=without_seat(state.content, seat))


def _wished(_state: State, seat: Seat, action: Hold) -> Text:
    name = Text(seat)
    return say("{seat}: stops at every phase" if action.yes else "{seat}: stops at every phase no more", seat=name)


@rounds.rule(Hold, says=_wished, quiet=True, settles=False)
def hold(state: State, seat: Seat, action: Hold, ask: Ask) -> State:
    """Let a player stop at every phase, so that he can play action cards in it, or do so no more (HW-32, HW-A09).

    Who was content until needed is so no longer. Nothing else happens: a phase that waits goes on waiting.
    """
    check_begun(state)
    if state.options.step_by_step:
        raise Refusal(say("This table goes step by step: it stops at every phase."), "HW-104")
    if action.yes == (seat in state.holding):
        raise Refusal(say("You have said so already.") if action.yes else say("You have not said so."), "HW-32")
    ask.tell(_wished(state, seat, action), "HW-32")
    if not action.yes:
        return state.but(holding=without_seat(state.holding, seat))
    if seat in state.content:
        state = state.but(content=without_seat(state.content, seat), done=without_seat(state.done, seat))
    return state.but(holding=with_seat(state.holding, seat))


@rounds.rule(Concede)
def concede(state: State, seat: Seat, _action: Concede, ask: Ask) -> State:
    """Give up."""
    ask.tell(say("{seat} gives up", seat=Text(seat)))
    return state.but(phase="finished", winner=other(seat), how="conceded")


def go_on(state: State, ask: Ask) -> State:
    """Go on to the next phase that waits for somebody, once this one is over (HW-31, HW-32).

    The first round begins once both have settled their first hands (HW-27).
    """
    if state.phase == "mulligan" and all(state.deck(seat).kept for seat in SEATS):
        state = state.but(round=1)
        ask.tell(speech.round_begins(state), "HW-28")
        state = _enter(state, "draw", ask)
    before = (state.round, state.phase)
    while state.begun and _over(state):
        state = _leave(state, ask)
    if state.begun and (state.round, state.phase) != before:
        ask.tell(say("Now: {phase}", phase=Text(state.phase)), "HW-31")
    return state


def _over(state: State) -> bool:
    """Tell whether the phase is over: nothing has to be done first, and it ends by itself or all are content."""
    by_itself = state.phase in BY_ITSELF and not state.step_by_step
    return unfinished(state) is None and (by_itself or agreed(state))


def _leave(state: State, ask: Ask) -> State:
    """End a phase and enter the next, unless the game is over."""
    match state.phase:
        case "damage_1" | "damage_2":
            state = strike.fall(state, ask)
            if any(card.damage for card in state.cards):
                ask.tell(say("the damage is undone"), "HW-75")
            state = damage.wear_off(state)
        case "final":
            state = final.end_round(state, ask)
    return _enter(state, following(state.phase), ask) if state.begun else state


def _enter(state: State, phase: Phase, ask: Ask) -> State:
    """Enter a phase. Where nobody can do what it is for all are content with it, unless they stop at every phase.

    Who was content until needed is asked again as soon as there is something to do.
    """
    state = state.but(phase=phase, done=())
    if phase == "construction":
        state = construction.begin(state)
    if phase == "draw":
        for seat in SEATS:
            state = hands.draw(state, seat, 1, say("draw phase"), ask)
    state = state.but(content=tuple(seat for seat in state.content if not needed(state, seat)))
    if phase == "victory":
        conquest.tell_contests(state, ask)
    passed = nothing_to_do(state)
    if passed is not None and not state.step_by_step:
        ask.tell(passed.text, passed.clause)
        return state.but(done=SEATS)
    return state
