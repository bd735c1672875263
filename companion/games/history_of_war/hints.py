"""What to do now in a sentence, and what to know (HW-29, HW-32, HW-A09)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import conquest, construction, ending, speech, striking, waiting
from companion.games.history_of_war.phases import STEPS
from companion.games.history_of_war.sides import other
from companion.kit.ruling import Reason
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.history_of_war.phases import Phase
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State

TASKS: dict[Phase, Text] = {
    "draw": say("Cards are drawn. Go on when you are content."),
    "base_expansion": say("Put a base expansion into play, if you have one."),
    "attacker_deployment": say("Tap the units that move to a territory."),
    "attacker_attack": say("Tap the units that attack."),
    "defender_block": say("Tap the units that block."),
    "defender_deployment": say("Tap the units that move to a territory."),
    "defender_attack": say("Tap the units that attack."),
    "attacker_block": say("Tap the units that block."),
    "attacker_retreat": say("Tap the units that go back to your deployment area: they are locked there."),
    "defender_retreat": say("Tap the units that go back to your deployment area: they are locked there."),
    "final": say("No more than eight cards in the hand, and five units in the deployment area."),
}
"""What a player who acts does in each phase."""
FIRST_HAND = say("Shuffle, and draw eight cards. Keep them, or change them all once.")
"""What a player with real cards does before the first round."""
UNITS: tuple[Phase, ...] = (
    "attacker_deployment",
    "attacker_attack",
    "defender_block",
    "defender_deployment",
    "defender_attack",
    "attacker_block",
    "attacker_retreat",
    "defender_retreat",
)
"""Phases in which a player does something with his units on the table."""


def headline(state: State, seat: Seat | None) -> Text:
    """Say in one sentence what happens now, for that seat."""
    match state.phase:
        case "finished":
            return over(state)
        case "decks":
            return _decks(state, seat)
        case "mulligan":
            if seat is not None and not state.deck(seat).kept:
                return FIRST_HAND if state.real else say("Keep your hand, or change it once.")
            if seat is not None:
                return say("{side} still looks at the first hand.", side=Text(other(seat)))
            return say("The first hands are looked at.")
        case _:
            return _round(state, seat)


def over(state: State) -> Text:
    """Say how the game ended."""
    if state.winner is None or state.winner == "draw":
        return say("The game ends in a draw.")
    if state.how == "conceded":
        return say("{side} wins: the enemy has given up.", side=Text(state.winner))
    points = state.victory_points(state.winner)
    return say("{side} wins with {count} victory points.", side=Text(state.winner), count=points)


def _decks(state: State, seat: Seat | None) -> Text:
    if seat is None:
        return say("The decks are being built.")
    if seat in state.ready:
        return say("{side} still prepares the deck.", side=Text(other(seat)))
    if seat not in state.rosters:
        return say("Take a deck: a ready one, a file, or one of your own.")
    return say("Your deck: change it as you like, then say that you are ready.")


def _round(state: State, seat: Seat | None) -> Text:
    waits = waiting.awaited(state)
    if seat is None or seat not in waits:
        return _waiting(state, seat, waits)
    match state.phase:
        case "base_expansion" if state.expanded.get(seat) == state.round:
            return say("Your base expansion is in play. Go on when you are content.")
        case "draw" if state.real:
            return say("Draw the top card of your depot. Go on when you are content.")
        case "base_expansion" if state.real and not state.step_by_step:
            return say("Draw a card. Then put a base expansion into play, if you have one.")
        case "construction":
            return _construction(state, seat)
        case "damage_1" | "damage_2":
            return _damage(state)
        case "victory":
            if seat in _takers(state):
                return say("Conquered! Choose the units that stay to occupy it.")
            return say("The territories have been looked at. Go on when you are content.")
        case "final" if waiting.needed(state, seat):
            return say(
                "Tap what goes to the scrapyard. Too many cards of the hand: {cards}, units: {units}.",
                cards=waiting.hand_surplus(state, seat),
                units=waiting.unit_surplus(state, seat),
            )
        case phase if phase in UNITS and seat in state.acting and not waiting.needed(state, seat):
            return say("{phase}: none of your units can do that now. Go on when you are content.", phase=Text(phase))
        case phase if seat in state.acting:
            return TASKS[phase]
        case phase:
            return say("{side}: {phase}. Go on when you are content.", side=Text(state.acting[0]), phase=Text(phase))


def _takers(state: State) -> set[Seat]:
    """List who has to occupy a territory now (HW-91)."""
    return {taker for one in conquest.pending(state) if (taker := conquest.contest(state, one).conqueror) is not None}


def _construction(state: State, seat: Seat) -> Text:
    if not state.plan(seat).built:
        return say(
            "Lay face down what you build, then pay for it. You have {count} TA left.",
            count=construction.left(state, seat),
        )
    if construction.to_place(state) == seat:
        return say("Tap your developments to put them into territories.")
    return say("All is built. Go on when you are content.")


def _damage(state: State) -> Text:
    if state.attacks and not state.struck:
        return say("Choose what your attackers strike, then deal the damage.")
    if state.struck:
        return say("The damage is dealt. It wears off when the phase ends.")
    return say("Nobody attacks. Go on when you are content.")


def _waiting(state: State, seat: Seat | None, waits: tuple[Seat, ...]) -> Text:
    phase = Text(state.phase)
    takers = _takers(state)
    if len(takers) == 1:
        return say("Conquest: {side} chooses who occupies", side=Text(takers.pop()))
    if not waits:
        return say("{phase}.", phase=phase)
    if len(waits) == 1 and seat is not None:
        return say("{phase}: waiting for {side}.", phase=phase, side=Text(waits[0]))
    if len(waits) == 1:
        return say("{side}: {phase}.", side=Text(waits[0]), phase=phase)
    return say("Both players: {phase}.", phase=phase)


def note(state: State) -> Reason | None:
    """Say that action cards are not allowed just now (HW-54, HW-61)."""
    step = STEPS.get(state.phase)
    if step is None or step.action_cards:
        return None
    attacking = state.phase in {"attacker_attack", "defender_attack"}
    return Reason(say("No action cards in this phase."), "HW-54" if attacking else "HW-61")


def advice(state: State, seat: Seat | None) -> tuple[Reason, ...]:
    """List what a seat may want to know now."""
    return (*ending.due(state), *_reminders(state, seat))


def _reminders(state: State, seat: Seat | None) -> tuple[Reason, ...]:
    if seat is None or seat not in state.acting or seat in state.done:
        return ()
    if state.phase in {"damage_1", "damage_2"} and seat == state.striker and (unsaid := striking.undecided(state)):
        names = listed([speech.card(state, state.played(unit)) for unit in unsaid], say("–"))
        return (Reason(say("Tap what still has no target: {units}", units=names), "HW-68"),)
    if state.phase in {"attacker_attack", "defender_attack"}:
        return (Reason(say("Who attacks is locked: its flags do not count this round."), "HW-53"),)
    if state.phase in {"attacker_deployment", "defender_deployment"}:
        return (Reason(say("Who deploys is locked: it neither fights nor counts its flags this round."), "HW-49"),)
    return ()
