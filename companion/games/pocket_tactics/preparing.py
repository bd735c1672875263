"""Before the game: factions are taken, brought and written, and the bag is filled (PT-03 to PT-11, PT-13, PT-A46)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import actions as do
from companion.games.pocket_tactics import bagging, editing, preparing_offers, rosterfiles, starting
from companion.games.pocket_tactics.sample import FACTIONS
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.cards import Faction
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.kit.asking import Ask
    from companion.kit.offer import Offer


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    return preparing_offers.offers(state, seat) if state.phase == "factions" else []


def rule(state: State, seat: Seat, action: do.Preparing | do.Ready, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    if state.phase != "factions":
        raise Refusal(say("The factions stand: the game has begun."), "PT-11")
    if isinstance(action, do.Ready):
        return starting.ready(state, seat, ask, on=action.on)
    if seat in state.ready:
        raise Refusal(say("You have said that you are ready: take that back first."), "PT-11")
    match action:
        case do.UseBag() | do.LoadBag() | do.SetTile():
            return bagging.fill(state, action, ask)
        case do.UseSample():
            faction = _sample(state, action)
        case do.LoadDeck():
            faction = rosterfiles.faction(action.text)
        case _:
            faction = editing.edit(state, seat, action)
    _told(state, seat, faction, ask)
    return state.but(factions={**state.factions, seat: faction})


def _sample(state: State, action: do.UseSample) -> Faction:
    """Take a sample faction, or so much of it as fits the limit; both may take the same (PT-11, PT-A46)."""
    found = FACTIONS.get(action.sample)
    if found is None:
        raise Refusal(say("There is no such sample faction."), "PT-11", "sample")
    return rosterfiles.within(found, state.options.army_limit)


def _told(state: State, seat: Seat, faction: Faction, ask: Ask) -> None:
    """Tell what a faction comes to (PT-06, PT-07)."""
    text = say(
        "{side}: the faction costs {points} points; the limit is {limit}.",
        side=Text(seat),
        points=faction.cost,
        limit=state.options.army_limit,
    )
    ask.tell(text, "PT-06")
    hired = [card for card in faction.unit if card.faction]
    if hired:
        count = sum(card.copies for card in hired)
        ask.tell(say("{count} of them is a mercenary|{count} of them are mercenaries", count=count), "PT-07")
