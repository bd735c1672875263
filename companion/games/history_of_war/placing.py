"""Developments that were built are put into territories: the attacker's first, then the defender's (HW-46)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import speech, turn
from companion.games.history_of_war.pieces import Last
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask


def to_place(state: State) -> Seat | None:
    """Return who puts developments into territories now: the attacker first; None when all lie in one (HW-46)."""
    if not state.open:
        return None
    return next((seat for seat in (state.attacker, state.defender) if state.of(seat, "laid")), None)


def place(state: State, seat: Seat, card: str, to: str, ask: Ask) -> State:
    """Put a development into a territory: all of the attacker's, then the defender's (HW-14, HW-46)."""
    turn.check_phase(state, seat, "construction")
    played = state.played(card, "card")
    if played.seat != seat or played.place != "laid":
        raise Refusal(say("That is no development that you have to place."), "HW-46", "card")
    first = to_place(state)
    if first not in (None, seat):
        raise Refusal(say("{seat} places developments first.", seat=Text(first)), "HW-46")
    territory = state.territory(to)
    if territory is None:
        raise Refusal(say("A development is put into a territory."), "HW-46", "to")
    if territory.conqueror is not None:
        text = say("{territory} is conquered, and set aside.", territory=speech.territory(state, territory))
        raise Refusal(text, "HW-95", "to")
    text = say(
        "{seat} puts {card} into {territory}",
        seat=Text(seat),
        card=speech.card(state, played),
        territory=speech.territory(state, territory),
    )
    ask.tell(text, "HW-46", marks=((card, "acting"),))
    return state.with_card(card, place=to).but(last=Last((card,), (to,)))


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer to place the developments that a player has built, when it is his turn (HW-46)."""
    if to_place(state) != seat or state.phase != "construction":
        return []
    where = tuple(Option(one.id, speech.territory(state, one)) for one in state.open)
    only = where[0].value if len(where) == 1 else None
    to = Field("to", say("Into which territory"), "choice", where, value=only)
    return [
        Offer(
            "place",
            say("Place {card}", card=speech.card(state, card)),
            {"card": card.id},
            (to,),
            on=card.id,
            main=True,
            clause="HW-46",
        )
        for card in state.of(seat, "laid")
    ]
