"""What the turn lets a seat do now: income, the end of a phase, discards, AP by hand, goals, giving up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import goals, hands, income, paths, reach, tokens, turn
from companion.games.tactics_2gm.actions import Discard
from companion.games.tactics_2gm.sides import LINES, paired, side_of
from companion.kit.asking import Ask, Option
from companion.kit.decks import discarding
from companion.kit.offer import Field, Offer
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.pieces import Unit
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.text import Text

MOST_TYPED = 60
MOST_SPENT, MOST_GAINED = 99, 20
SURRENDER = Offer(
    "surrender", say("Surrender"), grave=True, clause="G2-25", asks=say("Do you surrender?"), button=say("I surrender")
)
NEXT = {
    "deployment": say("To deployment"),
    "fire": say("To fire"),
    "discard": say("End the turn: first discard"),
}


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    if not state.begun:
        return _surrender(state, seat)
    return [
        *_phase(state, seat),
        *_ceding(state, seat),
        *_by_hand(state, seat),
        *_claims(state, seat),
        *_surrender(state, seat),
    ]


def _phase(state: State, seat: Seat) -> list[Offer]:
    """Offer what brings the turn on."""
    if seat not in state.acting or seat in state.done:
        return []
    if state.phase == "headquarters":
        return [_income(state, seat)]
    if state.phase == "discard" and turn.awaited(state):
        return _discards(state, seat)
    given = {"phase": state.phase, "turn": state.turn}
    return [Offer("end_phase", _next(state), given, main=idle(state, seat), clause="G2-77")]


def _income(state: State, seat: Seat) -> Offer:
    """Offer the income of the headquarters phase; where no board tells, with the lines that are held (G2-79)."""
    units = state.on_ground(state.active)
    if state.mirrored:
        found = income.produce(income.facts_of(state, income.held(state, state.active)), Ask())
        label = say("Take {count} AP and draw", count=found.added)
        if paired(state.options, state.active):
            mine = income.shares(found.added)[seat != state.leader(state.active)]
            label = say("Take {count} AP, {mine} for you, and draw", count=found.added, mine=mine)
        return Offer("income", label, main=True, clause="G2-79")
    lines = tuple(Option(str(line), say("line {line}", line=line)) for line in range(1, min(LINES, len(units)) + 1))
    field = Field(
        "lines",
        say("Lines that hold your units"),
        "many",
        lines,
        hint=say("1 is your deployment line. A gap ends the supply line."),
    )
    return Offer("income", say("Take the AP and draw"), fields=(field,) if lines else (), main=True, clause="G2-79")


def _next(state: State) -> Text:
    """Say what comes after the phase."""
    step = turn.following(turn.ENDED[state.phase])
    while (phase := turn.waits(state, step)) is None and step != "end":
        step = turn.following(step)
    return NEXT.get(phase or "", say("End the turn"))


def idle(state: State, seat: Seat) -> bool:
    """Tell whether a player has nothing of use left to do in the phase."""
    match state.phase:
        case "movement":
            return not any(_moves(state, unit) for unit in state.on_ground(side_of(seat)) if unit.seat == seat)
        case "deployment":
            return not any(_affordable(state, seat, code) for code in hands.playable(state, seat))
        case "fire":
            return not any(reach.fires(state, unit) for unit in state.units if unit.seat == seat)
        case _:
            return True


def _moves(state: State, unit: Unit) -> bool:
    return tokens.movement(state, unit) > 0 and paths.barred(state, unit) is None


def _affordable(state: State, seat: Seat, code: str) -> bool:
    card = state.find_card(seat, code)
    return card is not None and card.cost <= state.ap.get(seat, 0)


def _discards(state: State, seat: Seat) -> list[Offer]:
    """Offer the cards that are too many, all of them together (G2-122)."""
    named = [(code, hands.card_name(state, seat, code)) for code in state.deck(seat).hand]
    return [*discarding.offers(Discard, named, turn.surplus(state, seat), "G2-122", real=state.real, at_once=True)]


def _ceding(state: State, seat: Seat) -> list[Offer]:
    if seat not in state.acting or turn.why_not_cede(state, seat) is not None:
        return []
    return [Offer("cede", say("Give the general 1 AP"), clause="G2-154")]


def _by_hand(state: State, seat: Seat) -> list[Offer]:
    """Offer to spend and to gain AP as a card or a capability says, with its reason (G2-30, G2-165)."""
    why = Field("why", say("What for"), "text", high=MOST_TYPED)
    have = state.ap.get(seat, 0)
    found = []
    if have:
        amount = Field("amount", say("AP"), "number", value=1, low=1, high=min(have, MOST_SPENT))
        found.append(Offer("spend", say("Spend AP by hand"), fields=(amount, why), aside=True, clause="G2-165"))
    amount = Field("amount", say("AP"), "number", value=1, low=1, high=MOST_GAINED)
    return [*found, Offer("gain", say("Gain AP by hand"), fields=(amount, why), aside=True, clause="G2-164")]


def _claims(state: State, seat: Seat) -> list[Offer]:
    return [
        Offer("claim_goal", say("Goal reached: {goal}", goal=goals.said(state, goal)), {"goal": at}, clause="G2-24")
        for at, goal in goals.claimable(state, side_of(seat))
    ]


def _surrender(state: State, seat: Seat) -> list[Offer]:
    return [SURRENDER] if state.leader(side_of(seat)) == seat else []
