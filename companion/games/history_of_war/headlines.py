"""The result of an action in a few words, large enough to be read across a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import actions as do
from companion.games.history_of_war import aims, hints, speech
from companion.games.history_of_war.sides import SEATS
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State


def headline(before: State, after: State, seat: Seat, action: do.Action) -> Text:
    """Say what an action did."""
    if after.phase == "finished":
        return hints.over(after)
    if isinstance(action, do.Preparing) and before.phase == "decks":
        return say("{seat}: changes to the deck", seat=Text(seat))
    if isinstance(action, do.Preparing):
        return say("{seat}: another card in the deck", seat=Text(seat))
    if isinstance(action, do.Starting):
        return _started(before, after, seat, action)
    if isinstance(action, do.Turning):
        return _turned(before, after, seat, action)
    if isinstance(action, do.Building):
        return _built(before, after, seat, action)
    if isinstance(action, do.Occupy):
        return _occupied(before, seat, action)
    return _deed(before, after, action)


def _started(before: State, after: State, seat: Seat, action: do.Starting) -> Text:
    if before.phase == "decks" and after.phase != "decks":
        return say("{side} attacks first", side=Text(after.attacker))
    if after.begun:
        return say("Round {round}: {side} attacks first", round=after.round, side=Text(after.attacker))
    match action:
        case do.Mulligan():
            return say("{seat}: another first hand", seat=Text(seat))
        case do.Keep():
            return say("{seat} keeps the hand", seat=Text(seat))
        case _:
            return say("{seat}: ready", seat=Text(seat)) if action.on else say("{seat}: not ready yet", seat=Text(seat))


def _turned(before: State, after: State, seat: Seat, action: do.Turning) -> Text:
    if after.round != before.round:
        return say("Round {round}: {side} attacks first", round=after.round, side=Text(after.attacker))
    if after.phase != before.phase:
        return say("{phase}", phase=Text(after.phase))
    match action:
        case do.Discard():
            return say(
                "{seat}: {count} card discarded|{seat}: {count} cards discarded",
                seat=Text(seat),
                count=len(before.deck(seat).hand) - len(after.deck(seat).hand),
            )
        case do.Scrap():
            return say(
                "{seat}: {count} unit scrapped|{seat}: {count} units scrapped", seat=Text(seat), count=len(action.units)
            )
        case do.Hold() if action.on:
            return say("{seat}: stops at every phase", seat=Text(seat))
        case do.Hold():
            return say("{seat}: stops at every phase no more", seat=Text(seat))
        case do.Done() if not action.on:
            return say("{seat}: not done yet after all", seat=Text(seat))
        case _:
            return say("{seat}: done with this phase", seat=Text(seat))


def _built(before: State, after: State, seat: Seat, action: do.Building) -> Text:
    match action:
        case do.PlayBase():
            return say("{seat}: {card} in the base area", seat=Text(seat), card=speech.code(before, seat, action.card))
        case do.PlayAction():
            return say("{seat} plays {card}", seat=Text(seat), card=speech.code(before, seat, action.card))
        case do.Place():
            placed = before.find(action.card)
            card = say("a card") if placed is None else speech.card(before, placed)
            return say("{card}: {place}", card=card, place=speech.place(before, action.to))
        case do.Build() if any(before.plan(one).laid for one in SEATS) and not any(
            after.plan(one).laid for one in SEATS
        ):
            if after.round != before.round:
                return say(
                    "The cards are turned up. Round {round}: {side} attacks first",
                    round=after.round,
                    side=Text(after.attacker),
                )
            return say("The cards are turned up")
        case do.Build() if after.round != before.round:
            return say("Round {round}: {side} attacks first", round=after.round, side=Text(after.attacker))
        case do.Build():
            return say("{seat} has built", seat=Text(seat))
        case _:
            return say("{seat} lays cards face down", seat=Text(seat))


def _occupied(before: State, seat: Seat, action: do.Occupy) -> Text:
    one = before.territory(action.territory)
    if one is None:
        return say("{seat} acts", seat=Text(seat))
    points = before.land(one).victory_points
    return say(
        "{seat} conquers {territory}: {count} VP",
        seat=Text(seat),
        territory=speech.territory(before, one),
        count=points,
    )


def _deed(before: State, after: State, action: do.Moving | do.Fighting) -> Text:
    if isinstance(action, do.Strike):
        return _struck(before, after)
    unit = before.find(action.unit)
    name = say("a card") if unit is None else speech.card(before, unit)
    match action:
        case do.Deploy():
            return say("{unit} → {place}", unit=name, place=speech.place(before, action.to))
        case do.Retreat():
            return say("{unit} retreats", unit=name)
        case do.DeclareAttack():
            return say("{unit} attacks the base", unit=name) if action.base else say("{unit} attacks", unit=name)
        case do.DeclareBlock():
            foe = before.find(action.attacker)
            return say("{unit} blocks {foe}", unit=name, foe=say("a card") if foe is None else speech.card(before, foe))
        case do.Aim():
            return say("{unit} aims at {target}", unit=name, target=aims.named(before, action.target))
        case _:
            return say("{unit} shares its damage out", unit=name)


def _struck(before: State, after: State) -> Text:
    """Say who was destroyed."""
    left = {card.id for card in after.cards}
    gone = [speech.unit(before, card) for card in before.cards if card.id not in left]
    lost = sum(len(after.deck(seat).scrapyard) - len(before.deck(seat).scrapyard) for seat in SEATS)
    if gone:
        return say("Destroyed: {units}", units=listed(gone, say("–")))
    return say("The enemy base loses a card") if lost else say("Nothing is destroyed")
