"""The turn: units act, the card is discarded, one is drawn, the opponent is next; and giving up.

(TTC-16 to TTC-70, TTC-128 to TTC-130.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from companion.games.two_cities import activation, attack, movement
from companion.games.two_cities.combat import squares_behind
from companion.games.two_cities.components import KINDS, Side, other, rule_of
from companion.games.two_cities.fight import DRIVES
from companion.games.two_cities.state import HAND, State, Unit
from companion.kit.action import Action, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.counts import units_left
from companion.kit.decks import FACE_DOWN, without
from companion.kit.ruling import Reason, Refusal
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, numbered, say

turn = Chapter[State, Side]()

LEAVES = (1, 2)
STAYS = (3, 4, 5, 6)
NEAR = 3
"""Squares between a unit and the enemy city from which a raid is near."""


class EndTurn(Action, frozen=True, tag="end_turn"):
    """End the turn: discard, draw, and the opponent is next (TTC-17).

    A page names the ``turn`` that it showed, so that an old page never ends a later one.
    """

    turn: Annotated[int, Meta(ge=1)] | None = None


class Surrender(Action, frozen=True, tag="surrender"):
    """Give up; the opponent wins (TTC-129)."""


@turn.offers
def offers(state: State, side: Side) -> Iterator[Offer]:
    """Offer what each unit can do, the one that owes a melee before all others; to end the turn; to give up."""
    if state.phase == "set_up":
        return
    able: list[Unit] = []
    if side == state.active and state.phase == "activations":
        units, acting = activation.may_act(state), state.acting_unit
        if acting is not None and activation.owes_melee(state, acting):
            units = (acting,)
        for unit in units:
            ways = (*attack.offers(state, unit), *(movement.offers(state, unit) if state.mirrored else ()))
            able += [unit] if ways else []
            yield from ways
            if state.mirrored:
                yield from activation.offers(state, unit)
    if side == state.active and (state.phase == "activations" or not state.hand(side)) and _can_end(state):
        main, left = not activation.may_act(state), units_left(activation.still(state, able))
        end = say("End the turn")
        yield EndTurn.offer(end, main=main, ends=True, left=left, turn=state.turn, clause="TTC-17")
    asks, button = say("Do you surrender?"), say("I surrender")
    yield Surrender.offer(say("Surrender"), grave=True, clause="TTC-129", asks=asks, button=button)


def _can_end(state: State) -> bool:
    """Tell whether no unit still has to fight (TTC-77)."""
    try:
        activation.finish_all(state)
    except Refusal:
        return False
    return True


@turn.rule(EndTurn, headline=lambda before, after, side, _action: say_next_turn(before, after, side, before.card))
def end_turn(state: State, side: Side, action: EndTurn, ask: Ask) -> State:
    """End the turn: idle units stand (TTC-23, TTC-77), then discard (TTC-67), draw (TTC-68), next player (TTC-16)."""
    activation.check_acting(state, side)
    if action.turn not in (None, state.turn):
        raise Refusal(say("That turn is over already."), "TTC-17")
    return next_turn(activation.finish_all(state), ask)


@turn.rule(Surrender, says=lambda _, side, _action: say("{side} surrenders", side=Text(side)))
def surrender(state: State, side: Side, _action: Surrender, ask: Ask) -> State:
    """Give up: the opponent wins (TTC-129)."""
    ask.tell(say("{side} surrenders", side=Text(side)), "TTC-129")
    return state.but(winner=other(side), phase="finished", acting=None)


def next_turn(state: State, ask: Ask) -> State:
    """Discard, draw and let the other player begin (TTC-16, TTC-67, TTC-68)."""
    state = _draw(_discard(state, ask), ask)
    ask.tell(say("{side}'s turn begins", side=Text(other(state.active))), "TTC-16")
    return fresh_turn(state).but(active=other(state.active), turn=state.turn + 1)


def fresh_turn(state: State) -> State:
    """Return the state with every unit at rest and a card to be chosen."""
    return state.but(units=tuple(unit.rested() for unit in state.units), acting=None, last=None, phase="choose_card")


def _discard(state: State, ask: Ask) -> State:
    """Discard the card in play: a special rolls (TTC-54, TTC-55), a reinforcement leaves the game (TTC-62)."""
    code = state.card
    if code is None:
        return state
    leaves = rule_of(code).card_class == "reinforcement"
    if rule_of(code).card_class == "special":
        leaves = discard_roll(code, state.active, ask)
    else:
        ask.tell(say_where(code, leaves=leaves), "TTC-62" if leaves else "TTC-67")
    if leaves:
        return state.but(card=None, removed=(*state.removed, code))
    return state.but(card=None, discard_pile=(*state.discard_pile, code))


def discard_roll(code: str, by: str, ask: Ask) -> bool:
    """Throw the die of a discarded special card: tell whether it leaves the game (TTC-54)."""
    why = say("Discard roll for {card}: 1 or 2 and it leaves the game", card=Text(code))
    (face,) = ask.throw(1, 6, "discard", why, by=by, clause="TTC-86", alike=(LEAVES, STAYS))
    ask.tell(say_where(code, leaves=face in LEAVES), "TTC-54", faces=(face,))
    return face in LEAVES


def say_where(code: str, *, leaves: bool) -> Text:
    """Say where a card goes that has been used (TTC-54, TTC-62, TTC-67)."""
    return say("{card} leaves the game for good" if leaves else "{card} goes to the discard pile", card=Text(code))


def _draw(state: State, ask: Ask) -> State:
    """Draw one card, back to three (TTC-68); an empty draw pile is made anew from the discards (TTC-69)."""
    side, hand = state.active, state.hand(state.active)
    if len(hand) >= HAND:
        return state
    if not state.draw_pile and state.discard_pile:
        count = len(state.discard_pile)
        anew = say(
            "The discard becomes the new draw pile|The {count} discards are shuffled into a new draw pile", count=count
        )
        ask.tell(anew, "TTC-69")
        state = state.but(draw_pile=state.face_down(state.discard_pile), discard_pile=())
    if not state.draw_pile:
        ask.tell(say("There is no card left to draw"), "TTC-69")
        return state
    cards: tuple[str, ...] = (FACE_DOWN,)
    if state.dealt:
        why = say("{side} draws a card", side=Text(side))
        cards = ask.draw(state.draw_pile, 1, "draw", why, by=side, secret=True)
        ask.tell(why, "TTC-68")
        ask.tell(say("You draw {card}", card=Text(cards[0])), "TTC-68", seat=side)
    else:
        ask.tell(say("{side}: draw a card", side=Text(side)), "TTC-68")
    return state.but(hands={**state.hands, side: (*hand, *cards)}, draw_pile=without(state.draw_pile, cards))


def say_next_turn(before: State, after: State, side: Side, code: str | None) -> Text:
    """Say where a special card goes and whose turn begins; with a real deck all that is done by hand (TTC-67 to 69)."""
    begins, drawing = Text(after.active), Text(side)
    held = len(before.hand(side)) - (code != before.card)
    if after.dealt or len(after.hand(side)) <= held:
        said = say("{side}'s turn begins", side=begins)
    elif not before.draw_pile:
        said = say("shuffle the discards; {who} draws a card; {side}'s turn begins", who=drawing, side=begins)
    else:
        said = say("{who} draws a card; {side}'s turn begins", who=drawing, side=begins)
    if code is None or rule_of(code).card_class == "sector":
        return said
    goes = say_where(code, leaves=code in after.removed)
    return say("{one}. {two}", one=goes, two=said) if after.dealt else say("{one}; {two}", one=goes, two=said)


def hints(state: State) -> tuple[Reason, ...]:
    """Point out what units that act could do on a mirrored board (TTC-133 to TTC-136)."""
    able = activation.may_act(state)
    return (*_ground_hints(state, [unit for unit in able if unit.activated]), *_attack_hints(state, able))


def _ground_hints(state: State, units: list[Unit]) -> Iterator[Reason]:
    """Point out the terrain that suits the unit that acts; with several in action it is not known which is meant."""
    if len(units) != 1 or units[0].moved or state.ground(units[0].square) != "open":
        return
    (unit,) = units
    shoots = KINDS[unit.kind].range > 0
    if shoots and _near(state, unit, "hill"):
        yield Reason(say("Archers and light cavalry do well on hills."), "TTC-133")
    if (unit.hits or not shoots) and _near(state, unit, "forest"):
        yield Reason(say("Infantry and damaged units do well in forests."), "TTC-134")


def _near(state: State, unit: Unit, ground: str) -> bool:
    return unit.square is not None and any(
        kind == ground
        and state.at(square) is None
        and CHESSBOARD.apart(unit.square, square) <= KINDS[unit.kind].movement
        for square, kind in state.terrain.items()
    )


def _attack_hints(state: State, able: tuple[Unit, ...]) -> Iterator[Reason]:
    free = {
        enemy.id: enemy
        for unit in able
        for enemy in state.touching(unit)
        if enemy.mobile and squares_behind(state, unit, enemy)
    }
    for name in map(state.name, free.values()):
        advice = numbered("{unit}: cut off its retreat first, and each [drives] is a hit.", drives=DRIVES, unit=name)
        yield Reason(advice, "TTC-135")
    city = state.city(other(state.active))
    square = city.square if city else None
    if square and any(unit.square and CHESSBOARD.apart(unit.square, square) <= NEAR for unit in able):
        yield Reason(say("The enemy city is near: a daring raid may win the game."), "TTC-136")
