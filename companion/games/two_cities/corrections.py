"""Corrections: every tracked value can be set by hand; the people at the table outrank the app."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from companion.games.two_cities.activation import begin
from companion.games.two_cities.deck import CARDS, card_name
from companion.games.two_cities.hand import unseen
from companion.games.two_cities.relocation import relocate, set_size
from companion.games.two_cities.setup import TERRAIN
from companion.games.two_cities.speech import name
from companion.games.two_cities.units import KINDS, SIDES
from companion.kit.asking import Option
from companion.kit.corrected import OFF, OFF_BOARD, squares, yes_no
from companion.kit.correction import Tracked
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.state import Phase, State, Unit
    from companion.games.two_cities.units import Side
    from companion.kit.asking import Ask

NOBODY = "none"
GAME = say("The game")
CARDS_GROUP = say("Cards")
TERRAIN_GROUP = say("Terrain")
PARTS = ("no", "left", "right", "any")
MOST_TURNS = 999
MOST_PURCHASES = 3


def tracked(state: State) -> tuple[Tracked, ...]:
    """List every value that can be corrected by hand."""
    squares = _places(state)
    return (
        *(entry for unit in state.units for entry in _unit_values(state, unit, squares)),
        *_terrain_values(state),
        *_card_values(state),
        *_game_values(state),
    )


def _options(values: tuple[str, ...]) -> tuple[Option, ...]:
    return tuple(Option(value, Text(value)) for value in values)


def _places(state: State) -> tuple[Option, ...]:
    on = squares(CHESSBOARD) if state.mirrored else (Option("on", say("on the board")),)
    return (*on, OFF_BOARD)


def _unit_values(state: State, unit: Unit, places: tuple[Option, ...]) -> tuple[Tracked, ...]:
    group = name(state, unit)
    at = (unit.square or "on") if unit.on_board else OFF
    if state.mirrored and unit.on_board and unit.square is None:
        at = OFF
    fields: dict[str, Field] = {
        "square": Field("value", say("Square"), "choice", places, value=at),
        "hits": Field("value", say("Hits"), "number", value=min(unit.hits, unit.strength - 1), high=unit.strength - 1),
        "kind": Field("value", say("Kind"), "choice", _options(tuple(KINDS)), value=unit.kind),
        "side": Field("value", say("Side"), "choice", _options(SIDES), value=unit.side),
        "piece": Field("value", say("Chess piece"), "choice", _options(_pieces()), value=unit.piece),
        "mercenary": yes_no(say("A reinforcement"), value=unit.mercenary),
    }
    if state.phase == "activations" and unit.side == state.active and unit.mobile:
        fields |= {
            "activated": Field(
                "value", say("Activated this turn"), "choice", _options(PARTS), value=unit.activated or "no"
            ),
            "done": yes_no(say("Has finished"), value=unit.done),
            "moved": yes_no(say("Moved this turn"), value=unit.moved),
            "attacks": Field("value", say("Attacks made this turn"), "number", value=unit.attacks, high=2),
            "phalanx": yes_no(say("In contact when Phalanx was played"), value=unit.phalanx),
        }
    whose = Text(f"units_of_{unit.side}")
    return tuple(Tracked(f"unit.{unit.id}.{part}", group, field, part=whose) for part, field in fields.items())


def _pieces() -> tuple[str, ...]:
    return tuple(sorted({piece for kind in KINDS.values() for piece in (kind.piece, kind.extra_piece or kind.piece)}))


def _terrain_values(state: State) -> tuple[Tracked, ...]:
    found = []
    options = (*squares(CHESSBOARD), OFF_BOARD)
    for kind in ("forest", "hill"):
        lying = sorted(square for square, ground in state.terrain.items() if ground == kind)
        for number in range(TERRAIN.count(kind)):
            value = lying[number] if number < len(lying) else OFF
            label = say("{terrain} {number}", terrain=Text(f"the_{kind}"), number=number + 1)
            found.append(
                Tracked(
                    f"terrain.{kind}.{number + 1}", TERRAIN_GROUP, Field("value", label, "choice", options, value=value)
                )
            )
    return tuple(found)


def _cards(codes: tuple[str, ...]) -> tuple[Option, ...]:
    return tuple(
        Option(code, say("{code} {card}", code=Text(f"face.{code}"), card=card_name(code))) for code in sorted(codes)
    )


def _card_values(state: State) -> tuple[Tracked, ...]:
    if state.phase == "set_up":
        return ()
    everything = tuple(CARDS)
    piles = (("discard_pile", state.discard_pile), ("removed", state.removed))
    found = [
        Tracked(
            f"cards.{where}",
            CARDS_GROUP,
            Field("value", Text(where), "many", _cards(everything), value=cards),
            reveals=state.dealt,
        )
        for where, cards in piles
    ]
    none = Option(NOBODY, say("no card"))
    label, options = Text("card_in_play"), (none, *_cards(everything))
    in_play = Field("value", label, "choice", options, value=state.card or NOBODY)
    found.append(Tracked("cards.card_in_play", CARDS_GROUP, in_play, reveals=state.dealt))
    for side in SIDES:
        hand = state.hands.get(side, ())
        path, label = f"cards.{side}", Text(f"hand_of_{side}")
        field = (
            Field("value", label, "many", _cards(unseen(state)), value=hand)
            if state.dealt
            else Field("value", label, "number", value=len(hand), high=6)
        )
        found.append(Tracked(path, CARDS_GROUP, field, side if state.dealt else None, reveals=state.dealt))
        label = say("{side}'s purchases", side=Text(side))
        bought = Field("value", label, "number", value=state.purchases.get(side, 0), high=MOST_PURCHASES)
        found.append(Tracked(f"purchases.{side}", CARDS_GROUP, bought))
    return tuple(found)


def _game_values(state: State) -> tuple[Tracked, ...]:
    if state.phase == "set_up":
        return ()
    winners = (Option(NOBODY, say("nobody yet")), *_options(SIDES))
    phase = "activations" if state.card else "choose_card"
    fields = {
        "turn": Field("value", say("Turn number"), "number", value=state.turn, low=1, high=MOST_TURNS),
        "active": Field("value", say("Whose turn it is"), "choice", _options(SIDES), value=state.active),
        "phase": Field(
            "value",
            say("Step of the turn"),
            "choice",
            _options(("choose_card", "activations")),
            value=phase if state.phase == "finished" else state.phase,
        ),
        "winner": Field("value", say("Winner"), "choice", winners, value=state.winner or NOBODY),
    }
    return tuple(Tracked(f"game.{part}", GAME, field) for part, field in fields.items())


def correct(state: State, path: str, value: str, ask: Ask) -> State:
    """Set one tracked value, which the table has read; raise Refusal when it can not be that just now."""
    group, _, rest = path.partition(".")
    if group == "unit":
        unit, _, part = rest.rpartition(".")
        return _correct_unit(state, unit, part, value)
    if group == "terrain":
        old = next(str(entry.field.value) for entry in _terrain_values(state) if entry.path == path)
        return _correct_terrain(state, rest.partition(".")[0], old, value)
    if group == "purchases":
        return state.but(purchases={**state.purchases, rest: int(value)})
    if group == "cards":
        if rest in SIDES and not state.dealt:
            return set_size(state, rest, int(value))
        cards = tuple(dict.fromkeys(code for code in value.split(",") if code not in {"", NOBODY}))
        return _correct_cards(state, rest, cards, ask)
    return _correct_game(state, rest, value, ask)


def _correct_unit(state: State, unit: str, part: str, value: str) -> State:
    if part == "square":
        return _put(state, unit, value)
    if part in {"mercenary", "done", "moved", "phalanx"}:
        state = state.with_unit(unit, **{part: value == "true"})
        return state.but(acting=None) if part == "done" and state.acting == unit else state
    if part in {"hits", "attacks"}:
        return state.with_unit(unit, **{part: int(value)})
    if part == "activated":
        return state.with_unit(unit, activated="" if value == "no" else value)
    if part == "kind":
        there = next(one for one in state.units if one.id == unit)
        if value == there.kind:
            return state
        _check_city(state, there.side if value == "city" else None)
        return state.with_unit(
            unit, kind=value, hits=min(there.hits, KINDS[value].strength - 1), piece=KINDS[value].piece
        )
    if part == "side":
        there = next(one for one in state.units if one.id == unit)
        _check_city(state, cast("Side", value) if there.kind == "city" and value != there.side else None)
        state = state.but(acting=None) if state.acting == unit else state
    return state.with_unit(unit, **{part: value})


def _check_city(state: State, side: Side | None) -> None:
    if side is not None and any(unit.kind == "city" and unit.side == side for unit in state.units):
        raise Refusal(say("A side has one city."), "TTC-128", "value")


def _put(state: State, unit: str, value: str) -> State:
    if value == OFF:
        acting = None if state.acting == unit else state.acting
        return state.with_unit(unit, on_board=False, square=None).but(acting=acting)
    if value == "on":
        return state.with_unit(unit, on_board=True)
    there = state.at(value)
    if there is not None and there.id != unit:
        raise Refusal(say("{square} is occupied: one unit per square.", square=value), "TTC-73", "value")
    back = next(one for one in state.units if one.id == unit)
    return state.with_unit(unit, on_board=True, square=value, hits=min(back.hits, back.strength - 1))


def _correct_terrain(state: State, kind: str, old: str, new: str) -> State:
    terrain = {square: ground for square, ground in state.terrain.items() if square != old}
    if new == OFF:
        return state.but(terrain=terrain)
    if new in terrain:
        raise Refusal(say("Terrain lies on {square} already.", square=new), "TTC-11", "value")
    return state.but(terrain=dict(sorted({**terrain, new: kind}.items())))


def _correct_cards(state: State, place: str, cards: tuple[str, ...], ask: Ask) -> State:
    """Move cards; a card that comes into play begins its activations, one that leaves play takes them back."""
    before = state.card
    state = relocate(state, place, cards, ask)
    if state.card == before or state.phase == "finished":
        return state
    return begin(state.but(phase="activations")) if state.card else _fresh_turn(state)


def _correct_game(state: State, part: str, value: str, ask: Ask) -> State:
    if part == "turn":
        return state.but(turn=int(value))
    if part == "winner":
        return _correct_winner(state, value)
    if part == "phase":
        return _correct_phase(state, cast("Phase", value), ask)
    if value == state.active:
        return state
    state = relocate(state, "card_in_play", (), ask)
    return _fresh_turn(state).but(active=cast("Side", value))


def _correct_winner(state: State, value: str) -> State:
    if value != NOBODY:
        return state.but(winner=cast("Side", value), phase="finished", acting=None)
    return state.but(winner=None, phase="activations" if state.card else "choose_card")


def _correct_phase(state: State, phase: Phase, ask: Ask) -> State:
    """Go to a step of the turn; going back to the choice of a card returns it to its hand."""
    if state.phase in {phase, "finished"}:
        return state
    if phase == "choose_card":
        return _fresh_turn(relocate(state, "card_in_play", (), ask))
    raise Refusal(say("Set the card in play instead."), "TTC-17", "value")


def _fresh_turn(state: State) -> State:
    rested = tuple(unit.rested() for unit in state.units)
    return state.but(units=rested, acting=None, last=None, phase="choose_card")
