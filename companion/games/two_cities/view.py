"""What a seat sees: board or rosters, its own hand, the piles, where in the turn it is, and what to do next."""

from __future__ import annotations

from functools import cache

from companion.games.two_cities import hand, setup, turn
from companion.games.two_cities.activation import may_act, owes_melee, waiting
from companion.games.two_cities.combat import Facts, dice_terms, no_die, range_terms
from companion.games.two_cities.components import (
    BLACK,
    CARDS,
    KINDS,
    SIDES,
    CardRule,
    Side,
    UnitKind,
    card_told,
    rule_of,
)
from companion.games.two_cities.movement import allowance_terms
from companion.games.two_cities.state import State, Unit
from companion.kit import panels
from companion.kit.counts import number, squares
from companion.kit.decks import face
from companion.kit.once import once
from companion.kit.panels import (
    Board,
    Card,
    Hand,
    Panel,
    Phases,
    Picture,
    Piece,
    PieceCorrections,
    Pile,
    Piles,
    Roster,
    Stat,
    Terrain,
    View,
    Weapon,
    summed,
)
from companion.kit.ruling import Reason, changed
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say

STEPS = (say("Choose a card"), say("Move and fight"), say("Discard and draw"))
BOTH_SIDES = say("Move or fight with a unit on the left and one on the right.")
NOTHING_LEFT = say("Nothing is left to do: end the turn.")
DICE = say("Dice")
FALLEN = say("has fallen")
WAKE: dict[str, str] = {
    "left": "Move or fight with a unit on the left.|Move or fight with {count} units on the left.",
    "right": "Move or fight with a unit on the right.|Move or fight with {count} units on the right.",
    "any": "Move or fight with a unit.|Move or fight with {count} units.",
}


def view(state: State, side: Side | None) -> View:
    """Show what a seat may see, and nothing else."""
    shown: list[Panel] = [*_phases(state), *_units(state, side)]
    if side is not None and state.dealt and state.phase != "set_up":
        shown.append(_hand(state, side))
    if state.phase != "set_up":
        shown.append(_piles(state, side))
    shown.append(_at_a_glance(state))
    headline = _headline(state, side)
    return View(
        headline,
        _to_move(state),
        tuple(shown),
        _hints(state, side),
        over=state.phase == "finished",
        note=None if headline is NOTHING_LEFT else _in_force(state, side),
    )


def _hints(state: State, side: Side | None) -> tuple[Reason, ...]:
    """List the hints that apply to what a seat is about to do; they never block anything."""
    if state.phase == "set_up":
        return setup.warnings(state)
    if state.phase == "finished":
        return ()
    # In a game that went on after its end a city has to be put back by hand (TTC-128).
    fallen = tuple(
        Reason(say("{side} has no city and cannot lose: put it back by hand.", side=Text(whose)), "TTC-128")
        for whose in SIDES
        if state.city(whose) is None
    )
    if side != state.active:
        return fallen
    if state.phase == "choose_card":
        return (*fallen, *hand.hints(state, side))
    return (*fallen, *turn.hints(state)) if state.mirrored else fallen


def _in_force(state: State, side: Side | None) -> Reason | None:
    """Say what the card in play does to whoever plays it, whom its words address."""
    holds = state.card is not None and state.phase == "activations" and side == state.active
    return Reason(Text(f"does.{state.card}"), rule_of(state.card).clause) if holds else None


def _to_move(state: State) -> tuple[str, ...]:
    if state.phase == "set_up":
        return tuple(side for side in SIDES if side not in state.ready)
    return () if state.phase == "finished" else (state.active,)


def _headline(state: State, side: Side | None) -> Text:
    active = Text(state.active)
    if state.winner is not None:
        return say("{side} wins.", side=Text(state.winner))
    if state.phase == "set_up":
        return _set_up_headline(state, side)
    if side != state.active:
        if state.phase == "choose_card":
            return say("{side} chooses a card.", side=active)
        if state.card:
            return say("{side} plays {card}.", side=active, card=Text(f"card.{state.card}"))
        return say("{side} plays.", side=active)
    if state.phase == "choose_card":
        if not state.hand(state.active):
            return say("You hold no card: end the turn.")
        if state.dealt and not hand.playable(state, side):
            return say("None of your cards can be played: discard one.")
        return say("Choose a card to play.")
    return _acting_headline(state)


def _set_up_headline(state: State, side: Side | None) -> Text:
    if side in state.ready or side is None:
        unready = _to_move(state)
        looking = say("Both players look at the position.")
        if len(unready) == 1:
            looking = say("{side} looks at the position.", side=Text(unready[0]))
        return looking if state.mirrored else say("{one}. {two}", one=setup.terrain_squares(state), two=looking)
    if state.mirrored and any(unit.square is None for unit in state.in_play(side)):
        return say("Place your units: choose one, then its square.")
    if not state.mirrored:
        terrain = setup.terrain_squares(state)
        return say("{terrain}. Lay them on the board and say when you are ready.", terrain=terrain)
    return say("Look at the position, change it if you like, and say when you are ready.")


def _acting_headline(state: State) -> Text:
    unit = state.acting_unit
    if unit is not None and unit.moved and owes_melee(state, unit):
        return say("Fight with the unit that moved: it is in contact with an enemy.")
    if unit is not None and unit.moved and not unit.attacks:
        return say("Fight with the unit that moved, or leave it as it is.")
    if unit is not None and unit.attacks:
        return say("Shoot a second time, or leave the unit as it is.")
    if active := sum(bool(unit.activated) for unit in may_act(state)):
        return say("Move and fight with your active unit.|Move and fight with your {count} active units.", count=active)
    waking = {part: count for part, count in waiting(state).items() if count}
    if not waking:
        return NOTHING_LEFT
    if len(waking) > 1:
        return BOTH_SIDES
    part, count = next(iter(waking.items()))
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
    current = 0 if state.phase == "choose_card" else 1 if may_act(state) else 2
    return (Phases(say("Turn {turn}: {side}", turn=state.turn, side=Text(state.active)), STEPS, current),)


def _units(state: State, side: Side | None) -> tuple[Panel, ...]:
    if state.mirrored:
        pieces = _pieces(state)
        terrain = tuple(Terrain(square, kind, Text(kind)) for square, kind in state.terrain.items())
        files, ranks = tuple(CHESSBOARD.files), tuple(str(rank + 1) for rank in range(CHESSBOARD.ranks))
        turned, tint, fallen = side == BLACK, _tint(state), _fallen(state)
        return (Board(say("Board"), files, ranks, pieces, terrain, turned=turned, tint=tint, fallen=fallen),)
    return tuple(
        Roster(
            Text(f"units_of_{whose}"),
            whose,
            tuple(piece for piece in _pieces(state) if piece.side == whose),
            tuple(piece for piece in _fallen(state) if piece.side == whose),
        )
        for whose in (SIDES[::-1] if side == BLACK else SIDES)
    )


@once
def _pieces(state: State) -> tuple[Piece, ...]:
    waking = {unit.id for unit in may_act(state)} if state.phase == "activations" else set()
    return tuple(_piece(state, unit, waking=unit.id in waking and not unit.activated) for unit in state.in_play())


def _fallen(state: State) -> tuple[Piece, ...]:
    """Show the cities that stand no more, with all their hits (TTC-128)."""
    return tuple(
        Piece(unit.id, unit.side, unit.piece, unit.called, None, unit.strength, unit.strength, (FALLEN,), spent=True)
        for unit in state.units
        if not unit.mobile and not unit.on_board
    )


def _piece(state: State, unit: Unit, *, waking: bool) -> Piece:
    badges = (
        (Text("reinforcement"), unit.mercenary and state.mirrored),
        (say("to act"), waking),
        (say("in action"), bool(unit.activated) and not unit.done),
        (say("has moved"), unit.moved),
        (say("finished"), unit.done),
    )
    acts = state.phase == "activations" and (waking or bool(unit.activated))
    card = state.card if acts else None
    movement = changed(say("Movement"), allowance_terms(unit.kind, card)) if unit.mobile else ()
    return Piece(
        unit.id,
        unit.side,
        unit.piece,
        unit.called if state.mirrored else state.name(unit),
        unit.square,
        unit.hits,
        unit.strength,
        tuple(text for text, applies in badges if applies),
        spent=unit.done,
        hint=None if movement else _does(KINDS[unit.kind]),
        now=movement,
        weapons=_weapons(state, unit, card) if unit.mobile else (),
        corrections=None if state.phase == "set_up" else _corrections(state, unit),
    )


def _corrections(state: State, unit: Unit) -> PieceCorrections:
    most = unit.strength - 1
    square = f"unit.{unit.id}.square" if state.mirrored else ""
    return PieceCorrections(f"unit.{unit.id}.hits" if most else "", min(unit.hits, most), most=most, square=square)


def _does(kind: UnitKind) -> Text:
    """Say how far a unit moves (TTC-03)."""
    return say("Moves {squares}", squares=squares(kind.movement)) if kind.movement else say("Neither moves nor attacks")


def _weapons(state: State, unit: Unit, card: str | None) -> tuple[Weapon, ...]:
    """List how a unit fights, with what the card in play and the ground make of its numbers (TTC-52, TTC-90, TTC-101).

    Of its shots those are dimmed that it can not make now: from where it moved to, and in contact.
    """
    kind, ground = unit.kind, state.ground(unit.square)
    melee = Facts(mode="melee", attacker=kind, target=kind, card=card, moved=unit.moved, attacker_terrain=ground)
    hand_to_hand = Weapon(say("Melee"), (summed("die", DICE, dice_terms(melee, state.options)),))
    if not KINDS[kind].range:
        return (hand_to_hand,)
    shot = melee.but(mode="ranged", moved=False)
    after_moving = shot.but(moved=True)
    contact = say("in contact") if state.touching(unit) else None
    reach = summed("target", say("Range"), range_terms(shot))
    standing, moved = (summed("die", DICE, dice_terms(facts, state.options)) for facts in (shot, after_moving))
    return (
        hand_to_hand,
        _shot(say("Shot"), (reach, standing), contact or (say("it has moved") if unit.moved else None)),
        _shot(say("Shot after moving"), (moved,), contact or (waste.text if (waste := no_die(after_moving)) else None)),
    )


def _shot(name: Text, numbers: tuple[Stat, ...], why: Text | None) -> Weapon:
    return Weapon(name, numbers, spent=why is not None, why=why)


def _tint(state: State) -> tuple[tuple[str, str], ...]:
    acting, last = state.acting_unit, state.last
    squares = (
        (acting.square if acting else None, "acting"),
        (last.from_square if last else None, "came_from"),
        (last.target_square if last else None, "target"),
    )
    return tuple((square, kind) for square, kind in squares if square)


def _card(code: str, barred: Reason | None = None) -> Card:
    rank, suit = face(code)
    name, does, card = Text(f"card.{code}"), Text(f"does.{code}"), rule_of(code)
    return Card(code, rank, suit, name, does, card.clause, barred, picture=picture(card))


_open_card = cache(_card)
"""The cards that lie open are the same for all who see them."""


def picture(card: CardRule) -> Picture:
    """Draw what a card does: units by their sector, the kinds that it is for, those that it buys."""
    if card.card_class == "sector":
        return Picture((card.left, card.right))
    if card.buys:
        return Picture(glyphs=("plus", KINDS[card.buys].piece))
    more = f"×{card.shots}" if card.shots > 1 else f"+{card.melee}"
    if card.contact:
        return Picture(glyphs=("fight",), more=more)
    if card.count:
        return Picture((card.count,), more=more)
    glyphs = ("bow",) if card.shots > 1 else tuple(KINDS[kind].piece for kind in card.who)
    return Picture(glyphs=glyphs, more=more)


def _hand(state: State, side: Side) -> Hand:
    """Show a player's own hand; in the own turn also which cards cannot be played, and why."""
    choosing = state.phase == "choose_card" and side == state.active
    cards = (_card(code, hand.unplayable(state, side, code) if choosing else None) for code in state.hand(side))
    return Hand(say("Your hand"), tuple(cards))


def _piles(state: State, side: Side | None) -> Piles:
    """Show the piles: face-down ones by their size, the others card by card; to a player also the classes unseen."""
    mine = {*state.hand(side)} if side is not None and state.dealt else set()
    hidden = [CARDS[code].card_class for code in state.unseen() if code not in mine]
    piles = [
        Pile(Text("draw_pile"), len(state.draw_pile)),
        Pile(Text("discard_pile"), len(state.discard_pile), tuple(map(_open_card, state.discard_pile))),
        Pile(Text("removed"), len(state.removed), tuple(map(_open_card, state.removed))),
        *(Pile(Text(f"hand_of_{whose}"), len(state.hand(whose))) for whose in SIDES),
    ]
    if state.card is not None:
        piles.insert(0, Pile(Text("card_in_play"), 1, (_open_card(state.card),)))
    if side is not None:
        piles += [Pile(Text(f"unseen_{kind}"), hidden.count(kind)) for kind in ("sector", "special", "reinforcement")]
    return Piles(say("Cards"), tuple(piles))


@once
def _at_a_glance(state: State) -> panels.Facts:
    rows: list[tuple[Text, Text]] = []
    if state.card is not None and state.phase == "activations":
        does = say("{card}: {does}", card=Text(state.card), does=card_told(state.card, state.active))
        rows.append((say("Card in play"), does))
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
    return panels.Facts(say("At a glance"), tuple(rows))
