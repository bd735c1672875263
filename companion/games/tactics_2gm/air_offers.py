"""What a player may send into the air now, at what, with the numbers of its attack (G2-139 to G2-141)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import aiming, fire_offers, flying, hands, interception, reach, speech
from companion.games.tactics_2gm.flying import BOMBING, SORTIES
from companion.kit import decks
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Reason
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.aiming import Targeted
    from companion.games.tactics_2gm.pieces import Unit
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat its bombers and fighters while it acts (G2-140, G2-141)."""
    if seat not in state.acting or seat in state.done:
        return []
    found = _bombers(state, seat) if state.phase == BOMBING else []
    return [*found, *_fighters(state, seat)] if state.phase in SORTIES else found


def _bombers(state: State, seat: Seat) -> list[Offer]:
    """Offer one card of every kind of bomber that can be paid for."""
    found = []
    for code in decks.one_each(hands.playable(state, seat)):
        if flying.bomber_barred(state, seat, code) is not None:
            continue
        up, plane = flying.take_off(state, seat, code)
        options = targets(up, plane)
        if options:
            card = up.card(plane)
            label = say("Bomb with {card}: {cost} AP", card=speech.called(card.name), cost=card.cost)
            field = Field("target", say("Target"), "choice", options)
            found.append(Offer("bomb", label, {"card": code}, (field,), on=code, chancy=True, clause="G2-141"))
    return found


def _fighters(state: State, seat: Seat) -> list[Offer]:
    """Offer the fighters that wait beside the headquarters."""
    found = []
    for plane in state.units:
        if plane.seat != seat or flying.sortie_barred(state, plane) is not None:
            continue
        options = targets(state, plane)
        if options:
            label = say("Attack with {unit}", unit=speech.unit(state, plane))
            field = Field("target", say("Target"), "choice", options)
            found.append(
                Offer(
                    "sortie",
                    label,
                    {"unit": plane.id},
                    (field,),
                    on=plane.id,
                    chancy=True,
                    clause="G2-140",
                    advice=(interception.afterwards(state),),
                )
            )
    return found


def targets(state: State, plane: Unit) -> tuple[Option, ...]:
    """List what an aircraft may attack, however far, with the numbers of each of its weapons (G2-140, G2-A06)."""
    return tuple(
        Option(
            target.id,
            aiming.told(state, target),
            place=aiming.drawn_at(target),
            note=_note(state, plane, target),
            hopeless=_vain(state, plane, target),
        )
        for target in reach.targets(state, plane, 0)
    )


def _vain(state: State, plane: Unit, target: Targeted) -> Reason | None:
    """Say that none of its weapons can hit; nothing where one can."""
    whys = [fire_offers.vain(aiming.shot_of(state, plane, one, target)) for one in flying.weapons(state, plane)]
    return whys[0] if whys and all(whys) else None


def _note(state: State, plane: Unit, target: Targeted) -> Text:
    shots = (aiming.shot_of(state, plane, weapon, target) for weapon in flying.weapons(state, plane))
    return listed(tuple(fire_offers.note(shot) for shot in shots), say("nothing"))
