"""What a seat sees: board or rosters, its own hand, the piles, where in the turn it is, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities import piles, setup
from companion.games.two_cities.activation import candidates, owes_melee, places, taken
from companion.games.two_cities.attack import able, values_now
from companion.games.two_cities.deck import card_face, card_name, rule_of
from companion.games.two_cities.hand import playable
from companion.games.two_cities.hints import hints
from companion.games.two_cities.speech import kind_name
from companion.games.two_cities.units import BLACK, KINDS, SIDES, Side
from companion.kit.counts import dice, number, squares
from companion.kit.panels import Board, Facts, Panel, Phases, Piece, Roster, Terrain, View
from companion.kit.ruling import Reason
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.deck import CardRule
    from companion.games.two_cities.state import State, Unit
    from companion.games.two_cities.units import UnitKind

STEPS = (say("Choose a card"), say("Move and fight"), say("Discard and draw"))
BOTH_SIDES = say("Move or fight with a unit on the left and one on the right.")
WAKE: dict[str, str] = {
    "left": "Move or fight with a unit on the left.|Move or fight with {count} units on the left.",
    "right": "Move or fight with a unit on the right.|Move or fight with {count} units on the right.",
    "any": "Move or fight with a unit.|Move or fight with {count} units.",
}


def view(state: State, side: Side | None) -> View:
    """Show what a seat may see, and nothing else."""
    shown: list[Panel] = [*_phases(state), *_units(state, side)]
    if side is not None and state.dealt and state.phase != "set_up":
        shown.append(piles.hand_panel(state, side))
    if state.phase != "set_up":
        shown.append(piles.piles_panel(state, side))
    shown.append(_facts(state))
    return View(
        headline(state, side),
        to_move(state),
        tuple(shown),
        hints(state, side),
        over=state.phase == "finished",
        note=_in_force(state),
    )


def _in_force(state: State) -> Reason | None:
    """Say what the card in play does, as long as it does."""
    if state.card is None or state.phase != "activations":
        return None
    return Reason(Text(f"does.{state.card}"), rule_of(state.card).clause)


def to_move(state: State) -> tuple[str, ...]:
    """List the seats that the game waits for."""
    if state.phase == "finished":
        return ()
    if state.phase == "set_up":
        return tuple(side for side in SIDES if side not in state.ready)
    return (state.active,)


def headline(state: State, side: Side | None) -> Text:
    """Say in one sentence what happens next, for that seat."""
    active = Text(state.active)
    if state.winner is not None:
        return say("{side} wins.", side=Text(state.winner))
    if state.phase == "set_up":
        return _set_up_headline(state, side)
    if side != state.active:
        if state.phase == "choose_card":
            return say("{side} chooses a card.", side=active)
        return (
            say("{side} plays {card}.", side=active, card=card_name(state.card))
            if state.card
            else say("{side} plays.", side=active)
        )
    if state.phase == "choose_card":
        if not state.hands.get(state.active):
            return say("You hold no card: end the turn.")
        if state.dealt and not playable(state, side):
            return say("None of your cards can be played: throw one away.")
        return say("Choose a card to play.")
    return _acting_headline(state)


def _set_up_headline(state: State, side: Side | None) -> Text:
    if side in state.ready or side is None:
        waiting = to_move(state)
        looking = (
            say("{side} looks at the position.", side=Text(waiting[0]))
            if len(waiting) == 1
            else say("Both players look at the position.")
        )
        return looking if state.mirrored else say("{one}. {two}", one=setup.terrain_squares(state), two=looking)
    if state.mirrored and any(unit.square is None for unit in state.in_play(side)):
        return say("Place your units: choose one, then its square.")
    if not state.mirrored:
        terrain = setup.terrain_squares(state)
        return say("{terrain}. Lay them on the board and say when you are ready.", terrain=terrain)
    return say("Look at the position, change it if you like, and say when you are ready.")


def _acting_headline(state: State) -> Text:
    unit = state.find(state.acting) if state.acting else None
    if unit is not None and unit.moved and owes_melee(state, unit):
        return say("Fight with the unit that moved: it is in contact with an enemy.")
    if unit is not None and unit.moved and not unit.attacks:
        return say("Fight with the unit that moved, or leave it as it is.")
    if unit is not None and unit.attacks:
        return say("Shoot a second time, or leave the unit as it is.")
    acting = [one for one in able(state) if one.activated]
    if acting:
        return say(
            "Move and fight with your active unit.|Move and fight with your {count} active units.", count=len(acting)
        )
    waiting = {
        part: min(len(units), places(state, rule_of(state.card))[part] - taken(state, part))
        for part, units in candidates(state).items()
        if units
    }
    if not waiting:
        return say("Nothing is left to do: end the turn.")
    if len(waiting) > 1:
        return BOTH_SIDES
    part, count = next(iter(waiting.items()))
    return say(WAKE[part], count=count) if state.mirrored else _waiting_at_table(rule_of(state.card), count)


def _waiting_at_table(card: CardRule, count: int) -> Text:
    """Say whom the card wakes where only the real board knows the sectors and the contacts (TTC-33, TTC-49)."""
    if card.contact:
        return say("Move and fight with your units in contact with an enemy.")
    if card.left and card.right:
        return BOTH_SIDES if count > 1 else say("Move or fight with a unit on the other side.")
    return say(WAKE["left" if card.left else "right" if card.right else "any"], count=count)


def _phases(state: State) -> tuple[Phases, ...]:
    if state.phase == "set_up":
        return (Phases(say("Set-up"), (say("Starting position"),), 0),)
    if state.phase == "finished":
        return ()
    current = 0 if state.phase == "choose_card" else 1 if able(state) else 2
    return (Phases(say("Turn {turn}: {side}", turn=state.turn, side=Text(state.active)), STEPS, current),)


def _units(state: State, side: Side | None) -> tuple[Panel, ...]:
    if state.mirrored:
        pieces = _pieces(state)
        terrain = tuple(Terrain(square, kind, Text(kind)) for square, kind in state.terrain.items())
        ranks = tuple(str(rank + 1) for rank in range(CHESSBOARD.ranks))
        return (
            Board(
                say("Board"),
                tuple(CHESSBOARD.files),
                ranks,
                pieces,
                terrain,
                turned=side == BLACK,
                tint=_tint(state),
            ),
        )
    order = SIDES if side != BLACK else SIDES[::-1]
    return tuple(
        Roster(Text(f"units_of_{one}"), one, tuple(piece for piece in _pieces(state) if piece.side == one))
        for one in order
    )


def _pieces(state: State) -> tuple[Piece, ...]:
    waking = {unit.id for unit in able(state)} if state.phase == "activations" else set()
    return tuple(_piece(state, unit, waking=unit.id in waking and not unit.activated) for unit in state.in_play())


def _piece(state: State, unit: Unit, *, waking: bool) -> Piece:
    """Show a unit: its chess piece, its hits, and what it did this turn."""
    badges = (
        (Text("reinforcement"), unit.mercenary),
        (say("to act"), waking),
        (say("in action"), bool(unit.activated) and not unit.done),
        (say("has moved"), unit.moved),
        (say("finished"), unit.done),
        (
            say("from {square}", square=unit.home),
            not state.mirrored and not unit.mercenary and bool(unit.home),
        ),
    )
    return Piece(
        unit.id,
        unit.side,
        unit.piece,
        kind_name(unit),
        unit.square,
        unit.hits,
        unit.strength,
        tuple(text for text, applies in badges if applies),
        spent=unit.done,
        hint=_does(KINDS[unit.kind]),
        now=values_now(state, unit, acts=waking or bool(unit.activated)),
    )


def _does(kind: UnitKind) -> Text:
    """Say in a line what a unit can do (TTC-03)."""
    if not kind.movement:
        return say("Neither moves nor attacks")
    near = say("Moves {squares}, fights with {dice}", squares=squares(kind.movement), dice=dice(kind.melee))
    if not kind.range:
        return near
    return say(
        "{near}; shoots up to {squares} with {dice}, with {moved} after moving",
        near=near,
        squares=squares(kind.range),
        dice=dice(kind.ranged_stationary),
        moved=kind.ranged_moved,
    )


def _tint(state: State) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    acting = state.find(state.acting) if state.acting else None
    if acting is not None and acting.square:
        found.append((acting.square, "acting"))
    if state.last is not None:
        found += [
            (square, kind)
            for square, kind in ((state.last.from_square, "came_from"), (state.last.target_square, "target"))
            if square is not None
        ]
    return tuple(found)


def _facts(state: State) -> Facts:
    rows: list[tuple[Text, Text]] = []
    if state.card is not None and state.phase == "activations":
        rows.append(
            (
                say("Card in play"),
                say("{card}: {does}", card=card_face(state.card), does=Text(f"does.{state.card}")),
            )
        )
    if state.phase != "set_up":
        rows += [(say("{side}'s purchases", side=Text(side)), number(state.purchases.get(side, 0))) for side in SIDES]
    if not state.mirrored:
        rows += [
            (Text(f"the_{kind}"), say("{one} and {two}", one=squares[0], two=squares[1]))
            for kind in ("forest", "hill")
            if len(squares := [square for square, ground in state.terrain.items() if ground == kind]) == 2
        ]
    rows += [
        (say("Hits on {side}'s units", side=Text(side)), number(sum(unit.hits for unit in state.in_play(side))))
        for side in SIDES
    ]
    return Facts(say("At a glance"), tuple(rows))
