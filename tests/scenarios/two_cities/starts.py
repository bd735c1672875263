"""How a game is set up and dealt, and what each seat sees of it."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.two_cities.components import SIDES, other
from companion.games.two_cities.game import GAME
from companion.games.two_cities.options import Options
from companion.games.two_cities.setup import PlaceTerrain, Ready
from companion.games.two_cities.state import State
from companion.kit.panels import Hand, Piles
from tests.scenarios.fields import objects, one_of
from tests.scenarios.two_cities.answers import Script, no_dice
from tests.scenarios.two_cities.fields import state_of


def set_up(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    options = {**(given.get("options") or {}), "random_start": bool(given.get("random_start"))}
    state = state_of({**given, "options": options, "terrain": {}})
    if "units" not in given:
        state = state.but(units=GAME.setup(state.options, Script([])).outcome.units)
    for entry in objects("terrain_list", given["terrain_list"], "type", "square"):
        one_of("terrain", entry["type"], ("forest", "hill"))
        state = GAME.rule(state, "white", PlaceTerrain(entry["type"], entry["square"]), Script([])).outcome
    warned = [reason.clause for reason in GAME.view(state, "white").advice]
    for side in SIDES:
        state = GAME.rule(state, side, Ready(), Script([])).outcome
    return {"warned_by": sorted({str(clause) for clause in warned})}


def view(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    one_of("viewer", given["viewer"], (*SIDES, "rulekeeper", "screen"))
    viewer, hands = given["viewer"], {side: tuple(cards) for side, cards in given["hands"].items()}
    state = state_of(
        {**given, "card": None},
        phase="activations" if given.get("card") else "choose_card",
        card=given.get("card"),
        hands={side: hands.get(side, ()) for side in SIDES},
        draw_pile=tuple(sorted(given["draw_pile"])),
        discard_pile=tuple(given["discard_pile"]),
        removed=tuple(given.get("removed") or ()),
    )
    seen, offered = GAME.view(state, viewer), GAME.offers(state, viewer)
    sent = msgspec.json.encode([seen, offered]).decode()
    known = [*given["draw_pile"], *given["discard_pile"], *(code for hand in hands.values() for code in hand)]
    shown = {code for code in known if f'"{code}"' in sent or f".{code}" in sent}
    own = [card.code for panel in seen.panels if isinstance(panel, Hand) for card in panel.cards]
    piles = {pile.name.say: pile for panel in seen.panels if isinstance(panel, Piles) for pile in panel.piles}
    return {
        "own_hand": own,
        "opponent_hand_size": piles[f"hand_of_{other(viewer) if viewer in SIDES else 'black'}"].count,
        "draw_pile_size": piles["draw_pile"].count,
        "discard_pile": [card.code for card in piles["discard_pile"].cards],
        "must_not_reveal": sorted(set(known) - shown),
    }


def deal(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    state: State = GAME.setup(msgspec.convert(given.get("options") or {}, Options), Script([])).outcome
    for side in SIDES:
        state = GAME.rule(state, side, Ready(), Script([])).outcome
    everywhere = [*state.draw_pile, *state.discard_pile, *(code for hand in state.hands.values() for code in hand)]
    return {
        "white_hand_size": len(state.hands["white"]),
        "black_hand_size": len(state.hands["black"]),
        "draw_pile_size": len(state.draw_pile),
        "discard_pile_size": len(state.discard_pile),
        "distinct_cards": len(set(everywhere)),
    }
