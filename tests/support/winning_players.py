"""Players who want to win: what each would do next, by how much he wants it, a table for each game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from companion.games.history_of_war.pieces import other as other_of
from companion.games.pocket_tactics.cards import FACTIONS
from companion.games.tactics_2gm.cards import DECKS
from companion.games.tactics_2gm.options import distance, hq_distance, other, side_of
from companion.kit.decks.samples import written
from companion.kit.hexes import named

if TYPE_CHECKING:
    from collections.abc import Callable

Raw = dict[str, Any]
NEVER = -1000.0
"""How much is wanted what nobody does."""


class Player(NamedTuple):
    """Say how much an action is wanted: ``tags`` by what it is, ``aim`` what its choices add (never: None).

    ``tables`` are the options that are played in turn, so that every way to win comes about.
    """

    tags: dict[str, float]
    aim: Callable[[Any, str, Raw], float]
    tables: tuple[dict[str, Any], ...]
    begin: Callable[[Any, str, int], Raw | None] = lambda _state, _seat, _seed: None


def apart(one: str | None, two: str | None) -> int:
    """Squares as a king goes; far where one is nowhere."""
    return 9 if not one or not two else max(abs(ord(one[0]) - ord(two[0])), abs(int(one[1:]) - int(two[1:])))


def two_cities(state: Any, seat: str, raw: Raw) -> float:
    city = state.city("black" if seat == "white" else "white")
    if raw["action"] == "attack":
        target = state.find(raw["target"])
        return 50 if target == city else float(target.hits)
    return -apart(raw["to"], city.square) if raw["action"] == "move" and city is not None else 0


def chesswar(state: Any, seat: str, raw: Raw) -> float:
    if raw["action"] == "raise_army":
        return -sum(value for value in raw.values() if isinstance(value, int))
    target = state.find(raw.get("target") or raw.get("square") or "")
    if target is not None:
        return 30 if target.kind.general else 0
    foes = [unit for unit in state.standing() if unit.side not in state.team(seat) and unit.square]
    aims = [unit for unit in foes if unit.kind.general] or foes
    return -min((apart(raw.get("to"), unit.square) for unit in aims), default=0) if raw["action"] == "move" else 0


def tactics_2gm(state: Any, seat: Any, raw: Raw) -> float:
    enemy = other(side_of(seat))
    if raw["action"] == "discard":
        return float(raw.get("count") or len(raw.get("cards", ())))
    if raw["action"] in ("fire", "bomb", "sortie"):
        return 20 if raw["target"].startswith("hq") else 0
    if raw["action"] in ("move", "deploy") and raw.get("to"):
        boards = {one.board for one in state.headquarters if one.side == enemy and one.pi}
        near = [hq_distance(raw["to"], enemy, board) for board in boards]
        foes = [distance(raw["to"], unit.square) for unit in state.units if unit.side == enemy and unit.square]
        return -min([*near, *foes], default=0)
    return 0


def history_of_war(state: Any, seat: str, raw: Raw) -> float:
    if raw["action"] == "done":
        return 0 if raw.get("on", True) else NEVER
    if raw["action"] == "aim":
        return NEVER if state.attack(raw["unit"]).target else 0
    if raw["action"] == "attack":
        here = [card.seat for card in state.cards if card.place == state.played(raw["unit"]).place]
        return 10 if here.count(other_of(seat)) >= here.count(seat) else NEVER
    if raw["action"] == "deploy":
        land = state.land(state.territory(raw["to"]))
        mine = sum(card.seat == seat for card in state.cards if card.place == raw["to"])
        return mine - land.flags / 2
    return 0


def pocket_tactics(state: Any, seat: str, raw: Raw) -> float:
    if raw["action"] in ("move", "deploy") and raw.get("to") not in (None, "base") and state.mirrored:
        foes = [named(unit.at) for unit in state.units if unit.seat != seat and unit.at]
        bases = [named(place) for owner, place in state.bases.items() if owner != seat]
        return -min((named(raw["to"]).apart(there) for there in foes or bases), default=0)
    return 0


def few(state: Any, seat: str, seed: int) -> Raw | None:
    """A faction of one or two, in every second game: then the last units of both may fall at once."""
    if state.phase != "factions" or seat in state.factions or seed % 2 == 0:
        return None
    faction = FACTIONS["wildkin_sample"]
    cards = tuple(replace(card, copies=1) for card in faction.unit[1 : 2 + seed % 3 // 2])
    return {"action": "load_deck", "text": written(replace(faction, unit=cards))}


def arranged(state: Any, seat: Any, seed: int) -> Raw | None:
    """Attackers who never fire in some games, so that the turns pass; a deck of few cards where they are to run out."""
    if seed % 10 == 7 and state.begun and state.phase == "fire" and seat == "allies" and seat in state.acting:
        return {"action": "end_phase"}
    if state.phase != "decks" or seat in state.rosters or seed % 5 != 1:
        return None
    deck = DECKS[f"{side_of(seat)}_sample"]
    return {"action": "load_deck", "text": written(replace(deck, unit=deck.unit[:2], support=()))}


PLAYERS: dict[str, Player] = {
    "two_cities": Player(
        {"ready": 9, "place_terrain": NEVER, "draw_terrain": NEVER, "attack": 60, "move": 30, "play_card": 20,
         "stand": 5},
        two_cities,
        ({}, {"city_square": "a"}, {"advance_optional": True, "evasion_melee_only": True}, {"random_start": True}),
    ),
    "chesswar": Player(
        {"ready": 60, "place_terrain": NEVER, "deploy": NEVER, "raise_army": 90, "choose_army": 90, "attack": 80,
         "charge": 70, "shoot": 60, "bombard": 50, "cast": 40, "move": 30, "take_back": NEVER, "answering": NEVER,
         "heal_enemy": NEVER, "cover": NEVER},
        chesswar,
        ({}, {"race": "secret"}, {"massacre": True}, {"healing_any_side": True, "pass_friends": True},
         {"sides": "teams"}, {"board": "table"}, {"sides": "three", "board": "table"}),
    ),
    "tactics_2gm": Player(
        {"use_sample": 9, "ready": 8, "keep": 8, "income": 90, "place_terrain": NEVER, "mulligan": NEVER, "fire": 70,
         "bomb": 70, "sortie": 70, "assault": 60, "deploy": 50, "use_token": 10, "move": 40, "take_back": NEVER,
         "play_card": 30, "discard": 5, "claim_goal": 9, "cede": NEVER, "end_effect": NEVER},
        tactics_2gm,
        ({}, {}, {"mode": "scenario"}, {"time_limit_minutes": 1}, {"players": "four", "copies": "two"}),
        arranged,
    ),
    "history_of_war": Player(
        {"use_sample": 9, "ready": 8, "keep": 8, "play_base": 90, "lay_down": 80, "build": 50, "place": 90,
         "deploy": 40, "occupy": 90, "discard": 90, "scrap": 90, "strike": 60, "attack": 1, "block": 20, "share": NEVER,
         "aim": 70, "take_up": -20, "mulligan": NEVER, "retreat": NEVER, "hold": NEVER, "lay_upgrade": 60,
         "play_action": 1},
        history_of_war,
        ({"to_win": 4}, {"to_win": 6}, {"to_win": 60}, {"to_win": 4, "tie_at_15": "play_on"}, {}),
    ),
    "pocket_tactics": Player(
        {"use_sample": 9, "ready": 8, "place_tile": 9, "place_base": 9, "set_out": 9, "take_back": NEVER, "assault": 60,
         "deploy": 30, "move": 30, "use_bag": NEVER},
        pocket_tactics,
        ({}, {"alternate_initial_deploy": True}, {"double_elimination": "active_player_wins"}, {"map": "table"}),
        few,
    ),
}  # fmt: skip
