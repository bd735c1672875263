"""What a seat may do now: concrete, complete and legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities import setup
from companion.games.two_cities.activation import finish_all, owes_melee
from companion.games.two_cities.attack import able, out_of_sight, targets
from companion.games.two_cities.deck import card_name, rule_of
from companion.games.two_cities.hand import choices, not_thrown_away, unplayable
from companion.games.two_cities.movement import destinations
from companion.games.two_cities.position import squares_behind
from companion.games.two_cities.speech import name
from companion.games.two_cities.table_offers import table_attacks
from companion.games.two_cities.units import SIDES, Side
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Reason, Refusal
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.state import State, Unit

SURRENDER = Offer(
    "surrender",
    say("Surrender"),
    grave=True,
    clause="TTC-129",
    asks=say("Do you surrender?"),
    button=say("I surrender"),
)


def offers(state: State, seat: str) -> tuple[Offer, ...]:
    """List what a seat may do now."""
    side = next((one for one in SIDES if one == seat), None)
    if side is None or state.phase == "finished":
        return ()
    if state.phase == "set_up":
        return set_up_offers(state, side)
    if side != state.active:
        return (SURRENDER,)
    if state.phase == "choose_card":
        return (*card_offers(state, side), SURRENDER)
    return (*unit_offers(state), *end_offers(state), SURRENDER)


def set_up_offers(state: State, side: Side) -> tuple[Offer, ...]:
    """Offer to change the position, and to agree to it (TTC-09, TTC-11)."""
    found = []
    if side not in state.ready and _can_begin(state):
        found.append(Offer("ready", say("Ready: play from this position"), main=True, clause="TTC-09"))
    free = [square for square in CHESSBOARD.squares() if square not in state.occupied() | state.terrain.keys()]
    bare = [square for square in setup.without_pieces(state) if square not in state.terrain]
    if state.mirrored and not state.options.random_start:
        found += [_place_offer(state, unit, free) for unit in state.in_play(side)]
    for square, kind in state.terrain.items():
        label = say("Move the terrain: {terrain} {square}", terrain=Text(kind), square=square)
        to = Field("to", say("To square"), "choice", _squares(bare))
        found.append(Offer("place_terrain", label, {"kind": kind, "leave": square}, (to,), clause="TTC-11"))
    found.append(Offer("draw_terrain", say("Draw the terrain again"), clause="TTC-11"))
    return tuple(found)


def _can_begin(state: State) -> bool:
    try:
        setup.check_start(state)
    except Refusal:
        return False
    return True


def _place_offer(state: State, unit: Unit, free: list[str]) -> Offer:
    own = [there.square for there in state.in_play(unit.side) if there.square and unit.square and there.id != unit.id]
    to = Field("to", say("To square"), "choice", _squares(sorted([*free, *own])))
    return Offer(
        "place",
        say("Place: {unit}", unit=name(state, unit)),
        {"unit": unit.id},
        (to,),
        on=unit.id,
        clause="TTC-09",
    )


def _squares(squares: list[str] | tuple[str, ...]) -> tuple[Option, ...]:
    return tuple(Option(square, say("{square}", square=square), place=square) for square in squares)


def card_offers(state: State, side: Side) -> tuple[Offer, ...]:
    """Offer the cards that can be played, or else thrown away (TTC-38, TTC-41)."""
    held = tuple(dict.fromkeys(choices(state, side)))
    if not held:
        return end_offers(state)
    able = tuple(code for code in held if unplayable(state, side, code) is None)
    waste = tuple(code for code in held if not_thrown_away(state, side, code) is None)
    if state.dealt:
        return (
            *(
                Offer(
                    "play_card",
                    say("Play {card}", card=_face(code)),
                    {"card": code},
                    on=code,
                    main=True,
                    clause=rule_of(code).clause,
                )
                for code in able
            ),
            *(
                Offer("throw_away", _thrown_away(state, code), {"card": code}, on=code, main=not able, clause="TTC-41")
                for code in waste
            ),
        )
    found = []
    if able:
        card = Field("card", say("Card"), "choice", _faces(state, side, held))
        found.append(Offer("play_card", say("Play a card"), fields=(card,), main=True, clause="TTC-17"))
    if waste:
        card = Field("card", say("Card"), "choice", tuple(Option(code, Text(f"face.{code}")) for code in waste))
        found.append(Offer("throw_away", say("Throw away: I can play none"), fields=(card,), clause="TTC-41"))
    return tuple(found)


def _thrown_away(state: State, code: str) -> Text:
    """Say that a card is thrown away; that none can be played is the player's word where only the board knows."""
    if state.mirrored:
        return say("Throw away {card}", card=_face(code))
    return say("I can play none: throw away {card}", card=_face(code))


def _faces(state: State, side: Side, held: tuple[str, ...]) -> tuple[Option, ...]:
    """List the cards of a real deck by rank and suit, the many sector cards before the others."""
    ordered = sorted(held, key=lambda code: rule_of(code).card_class != "sector")
    return tuple(Option(code, Text(f"face.{code}"), unplayable(state, side, code)) for code in ordered)


def _face(code: str) -> Text:
    return say("{code} {card}", code=Text(f"face.{code}"), card=card_name(code))


def unit_offers(state: State) -> tuple[Offer, ...]:
    """Offer moves, attacks and standing still, unit by unit; the unit that owes a melee comes before all others."""
    units = able(state)
    acting = state.find(state.acting) if state.acting else None
    if acting is not None and owes_melee(state, acting):
        units = (acting,)
    found: list[Offer] = []
    for unit in units:
        if not state.mirrored:
            found += table_attacks(state, unit)
            continue
        if attack := _attack_offer(state, unit):
            found.append(attack)
        given, who = {"unit": unit.id}, name(state, unit)
        if squares := destinations(state, unit):
            to = Field("to", say("To square"), "choice", _squares(squares))
            found.append(Offer("move", say("Move: {unit}", unit=who), given, (to,), on=unit.id, clause="TTC-72"))
        if not owes_melee(state, unit):
            label = say("Leave as it is: {unit}", unit=who)
            found.append(Offer("stand", label, given, on=unit.id, clause="TTC-22"))
    return tuple(found)


def _attack_offer(state: State, unit: Unit) -> Offer | None:
    found = targets(state, unit)
    if not found:
        return None
    mode = found[0][1]
    verb = (
        say("Fight: {unit}", unit=name(state, unit))
        if mode == "melee"
        else say("Shoot: {unit}", unit=name(state, unit))
    )
    options = [
        Option(enemy.id, name(state, enemy), place=enemy.square, advice=_closed(state, unit, enemy))
        for enemy, _ in found
    ]
    if mode == "ranged":
        options += [Option(enemy.id, name(state, enemy), why, enemy.square) for enemy, why in out_of_sight(state, unit)]
    fields = (Field("target", say("Target"), "choice", tuple(options)),)
    given, clause = {"unit": unit.id, "mode": mode}, "TTC-77" if mode == "melee" else "TTC-80"
    return Offer("attack", verb, given, fields, on=unit.id, chancy=True, clause=clause)


def _closed(state: State, unit: Unit, enemy: Unit) -> tuple[Reason, ...]:
    """Point out an enemy that can not go back from this attack (TTC-113)."""
    if not enemy.mobile or squares_behind(state, unit, enemy):
        return ()
    return (Reason(say("{unit}: its retreat is closed, so each 6 is a hit", unit=name(state, enemy)), "TTC-135"),)


def end_offers(state: State) -> tuple[Offer, ...]:
    """Offer to end the turn, where no unit still has to fight (TTC-77)."""
    try:
        finish_all(state)
    except Refusal:
        return ()
    return (Offer("end_turn", say("End the turn"), {"turn": state.turn}, main=not able(state), clause="TTC-17"),)
