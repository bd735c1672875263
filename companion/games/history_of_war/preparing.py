"""Before the game: decks are taken, brought and written; with real cards some are added later (HW-05, HW-20, HW-22)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import actions as do
from companion.games.history_of_war import describing, editing, preparing_offers
from companion.games.history_of_war.cards import START_POINTS, Roster
from companion.games.history_of_war.sample import DECKS
from companion.games.history_of_war.speech import called
from companion.kit.decks import samples
from companion.kit.decks.written import MOST_CARDS
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask
    from companion.kit.offer import Offer


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    if state.phase != "decks":
        return preparing_offers.later() if state.real else []
    return preparing_offers.offers(state, seat) if seat not in state.ready else []


def rule(state: State, seat: Seat, action: do.Preparing, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal."""
    if state.phase != "decks":
        return _added(state, seat, action, ask)
    if seat in state.ready:
        raise Refusal(say("You have said that you are ready: take that back first."), "HW-20")
    match action:
        case do.UseSample():
            roster = _sample(action)
        case do.LoadDeck():
            roster = samples.brought(action.text, Roster, DECKS.values())
        case _:
            roster = editing.edit(state, seat, action)
    ask.tell(say("{count} card in the depot|{count} cards in the depot", count=roster.size), "HW-20", seat=seat)
    text = say(
        "Your best two territories are worth {points} victory points; {least} are needed.",
        points=roster.best_pair,
        least=START_POINTS,
    )
    ask.tell(text, "HW-22", seat=seat)
    return state.but(rosters={**state.rosters, seat: roster})


def check_ready(state: State, seat: Seat) -> None:
    """Refuse a deck that no game can begin with (HW-20, HW-22, HW-A02)."""
    roster = state.rosters.get(seat)
    if roster is None:
        raise Refusal(say("Take or build a deck first."), "HW-20")
    if roster.territories < 2:
        raise Refusal(say("You need at least two territory cards."), "HW-22")
    if roster.best_pair < START_POINTS:
        text = say(
            "No two of your territories are worth {least} victory points together; the best two are worth {points}.",
            least=START_POINTS,
            points=roster.best_pair,
        )
        raise Refusal(text, "HW-22")
    if not roster.size:
        raise Refusal(say("There is no card in your depot: all but the territories belong there."), "HW-20")
    if roster.size > MOST_CARDS:
        raise Refusal(say("A depot has {most} cards at the most.", most=MOST_CARDS), "HW-20")


def _sample(action: do.UseSample) -> Roster:
    found = DECKS.get(action.sample)
    if found is None:
        raise Refusal(say("There is no such sample deck."), "HW-20", "sample")
    return found


def _added(state: State, seat: Seat, action: do.Preparing, ask: Ask) -> State:
    """Write down a real card that was forgotten, before everybody; cards that are there stand as they are."""
    if not (state.real and isinstance(action, do.Editing) and action.card is None):
        raise Refusal(say("The decks stand: the game has begun."), "HW-20")
    roster, card = editing.edit(state, seat, action), editing.made(action)
    text = say(
        "{seat} writes down another card: {count} × {card}", seat=Text(seat), count=card.count, card=called(card.name)
    )
    ask.tell(text, "HW-20")
    ask.tell(describing.whole(card), "HW-02")
    return state.but(rosters={**state.rosters, seat: roster})
