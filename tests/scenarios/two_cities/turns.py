"""A turn: the card that is chosen, who is activated and moves, and what comes at its end."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from companion.games.two_cities.activation import Activate, Stand, begin
from companion.games.two_cities.components import CARDS, other
from companion.games.two_cities.game import GAME
from companion.games.two_cities.hand import PlayCard, ThrowAway
from companion.games.two_cities.movement import Move
from companion.games.two_cities.state import State
from companion.games.two_cities.turn import EndTurn, Surrender
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say
from tests.scenarios.runner import Unfit
from tests.scenarios.two_cities.answers import Script, no_dice
from tests.scenarios.two_cities.fields import acting, all_done, player_of, rule, state_of


def move(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    state = acting({**given, "moved": False}, given["unit"])
    path = given.get("path")
    if path is None and "to" not in given:
        raise Unfit("missing field 'to' or 'path'")
    action = Move(given["unit"], given.get("to"), None if path is None else tuple(path))
    ruling = rule(state, action, Script([]))
    line = next(reason for reason in ruling.reasons if reason.clause == "TTC-72")
    steps = line.text.places["far"]
    assert isinstance(steps, Text)
    unit = ruling.outcome.unit(given["unit"])
    return {"steps": steps.places["count"], "moved": unit.moved, "allowance": line.value, "square": unit.square}


def end_activation(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    state = acting({**given, "moved": False}, given["unit"])
    unit = state.find(given["unit"])
    if unit is not None and unit.side == state.active and unit.mobile:
        part = unit.activated or "any"
        state = state.with_unit(unit.id, activated=part, attacks=int(bool(given.get("fought")))).but(acting=unit.id)
    rule(state, Stand(given["unit"]), Script([]))
    return {}


def sector(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    """Ask the rules which ace wakes a unit on that square."""
    no_dice(dice)
    side = player_of(given)
    entry = {"id": "u", "side": side, "type": "archers", "square": given["square"], "hits": 0}
    for card, part in (("AH", "left"), ("AS", "right")):
        state = begin(state_of({**given, "units": [entry]}, phase="activations", card=card))
        if any(offer.on == "u" for offer in GAME.offers(state, side)):
            return {"sector": part}
    raise Unfit("in no sector")


def choosing(given: dict[str, Any], hand: list[str]) -> State:
    side = player_of(given)
    others = tuple(sorted(code for code in CARDS if code not in hand))
    hands = {side: tuple(hand), other(side): others[:3]}
    return state_of(given, phase="choose_card", hands=hands, draw_pile=others[3:])


def playable(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    hand = list(given["hand"])
    state = choosing(given, hand)
    for code in hand:
        if code not in CARDS:
            rule(state, PlayCard(code), Script([]))
    offered = GAME.offers(state, player_of(given))
    able = {offer.given["card"] for offer in offered if offer.action == "play_card"}
    waste = any(offer.action == "throw_away" for offer in offered)
    return {"playable": [code for code in hand if code in able], "throw_away_one": waste}


def choose_card(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    state, code = choosing({**given, "card": None}, list(given["hand"])), given["card"]
    if given.get("action", "play") not in {"play", "throw_away"}:
        raise Unfit(f"unknown action {given['action']!r}")
    play = given.get("action", "play") == "play"
    ask = Script(dice)
    rule(state, PlayCard(code) if play else ThrowAway(code), ask)
    ask.finish("TTC-86")
    return {}


def eligible(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    state = acting(given, None)
    able = sorted({str(offer.on) for offer in GAME.offers(state, state.active) if offer.on is not None})
    most = next(
        (
            count
            for count in range(len(able), -1, -1)
            if any(allowed(state, Activate(chosen)) for chosen in combinations(able, count))
        ),
        0,
    )
    return {"eligible": able, "number": most}


def allowed(state: State, action: Any) -> bool:
    try:
        rule(state, action, Script([]))
    except Refusal:
        return False
    return True


def activate(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    rule(acting(given, None), Activate(tuple(given["chosen"])), Script([]))
    return {}


def discard(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    card = given["card"]
    if card is None:
        raise Unfit("missing field 'card'")
    rest = tuple(sorted(code for code in CARDS if code != card))
    ask = Script(dice)
    state = all_done(state_of(given, phase="activations", card=card, draw_pile=rest))
    after = rule(state, EndTurn(), ask).outcome
    ask.finish("TTC-86")
    return {"to": "removed" if card in after.removed else "discard_pile", "die_rolled": bool(ask.faces)}


def end_turn(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    card, draw_pile = given["card_used"], list(given["draw_pile"])
    for code in [*draw_pile, *given["discard_pile"], *given["removed"]]:
        if code not in CARDS:
            raise Refusal(say("Only the {count} cards of the game are used.", count=len(CARDS)), "TTC-26", "card")
    state = state_of(
        given,
        phase="activations",
        card=card,
        draw_pile=tuple(sorted(draw_pile)),
        discard_pile=tuple(given["discard_pile"]),
        removed=tuple(given["removed"]),
    )
    ask = Script(dice)
    after = rule(all_done(state), EndTurn(), ask).outcome
    ask.finish("TTC-86")
    drawn_from = list(ask.drawn[0].pile) if ask.drawn else []
    return {
        "card_to": "removed" if card in after.removed else "discard_pile",
        "reshuffled": bool(ask.drawn) and sorted(draw_pile) != drawn_from,
        "drawn_from": drawn_from,
        "draw_pile_after": len(after.draw_pile),
        "discard_pile_after": len(after.discard_pile),
        "removed_after": sorted(after.removed),
    }


def reinforce(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    card, side = given["card"], player_of(given)
    state = choosing({**given, "card": None}, [card])
    remove, place = given.get("remove"), given.get("place")
    # A question that the scenario leaves unanswered is answered with nothing at all.
    ask = Script(dice, **{key: "" for key, value in (("remove", remove), ("place", place)) if value is None})
    after = rule(state, PlayCard(card, remove, place), ask).outcome
    new = after.units[-1]
    over = rule(all_done(after), EndTurn(), Script([])).outcome
    ask.finish("TTC-86")
    return {
        "new_unit": {"id": new.id, "side": new.side, "type": new.kind, "square": new.square, "hits": new.hits},
        "piece": new.piece,
        "card_to": "removed" if card in over.removed else "discard_pile",
        "own_units_after": len(after.in_play(side)),
        "may_act_this_turn": any(offer.on == new.id for offer in GAME.offers(after, side)),
    }


def surrender(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    state = state_of({**given, "card": None}, phase="choose_card")
    return {"winner": GAME.rule(state, player_of(given), Surrender(), Script([])).outcome.winner}
