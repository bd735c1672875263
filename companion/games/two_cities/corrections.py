"""Corrections: every tracked value can be set by hand; the people at the table outrank the app."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from companion.games.two_cities.activation import begin
from companion.games.two_cities.components import CARDS, KINDS, SIDES, TERRAIN, Cover, Kind, Side, card_listed, other
from companion.games.two_cities.state import State, Unit, occupied
from companion.games.two_cities.turn import fresh_turn
from companion.kit.action import Field
from companion.kit.asking import Ask
from companion.kit.correction import OFF, OFF_BOARD, Correction, Group, choice, several
from companion.kit.decks import FACE_DOWN, by_suit, pile
from companion.kit.questions import Option, square_options
from companion.kit.ruling import Refusal
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say

Winner = Literal["none"] | Side
NOBODY: Literal["none"] = "none"
ON_OR_OFF = (Option("on", say("on the board")), OFF_BOARD)
SQUARES = (*square_options(CHESSBOARD.squares()), OFF_BOARD)
PIECES = tuple(
    Option(piece, Text(piece))
    for piece in sorted({piece for kind in KINDS.values() for piece in (kind.piece, kind.extra_piece or kind.piece)})
)
PARTS: tuple[Literal["no", "left", "right", "any"], ...] = ("no", "left", "right", "any")
SIDE_NAMES = {side: Text(side) for side in SIDES}
IN_THE_GAME = Group("game.", say("The game"))
AMONG_CARDS = Group("cards.", say("Cards"))
MOST_TURNS = 999
MOST_PURCHASES = 3
MOST_HELD = 6
MOST_ATTACKS = 2
DRAW_PILE = "draw_pile"
IN_PLAY = "card_in_play"
FACE_UP = ("discard_pile", "removed", IN_PLAY)

Places = dict[str, list[str]]


def corrections(state: State) -> Iterator[Correction[State]]:
    """List every value that can be corrected by hand, with what sets it."""
    for unit in state.units:
        yield from _unit(state, unit)
    for kind in dict.fromkeys(TERRAIN):
        lying = sorted(square for square, ground in state.terrain.items() if ground == kind)
        for number in range(TERRAIN.count(kind)):
            yield _terrain(state, kind, number, lying[number] if number < len(lying) else OFF)
    if state.phase == "set_up":
        return
    for place, cards in (("discard_pile", state.discard_pile), ("removed", state.removed)):
        yield _pile(state, place, cards, CARDS, None)
    in_play = choice(Text(IN_PLAY), (Option(NOBODY, say("no card")), *_cards(CARDS)), state.card or NOBODY)
    yield AMONG_CARDS.value(
        IN_PLAY,
        in_play,
        lambda sent, ask: _with_cards(state, IN_PLAY, () if sent == NOBODY else (sent,), ask),
        reveals=state.dealt,
    )
    for side in SIDES:
        yield from _player(state, side)
    yield from _game(state)


def _unit(state: State, unit: Unit) -> Iterator[Correction[State]]:
    def but(**values: Any) -> State:
        return state.with_unit(unit.id, **values)

    group = Group(f"unit.{unit.id}.", state.name(unit), Text(f"units_of_{unit.side}"))
    # A unit that nobody placed yet can be taken out, one with more hits than it can have gets those it shows, and one
    # that acts lets others act when it has not finished.
    shown = group._replace(rough=True)
    places, there = (SQUARES, OFF) if state.mirrored else (ON_OR_OFF, "on")
    here = unit.square or there if unit.on_board else OFF
    yield shown.choice("square", say("Square"), places, here, lambda square: _moved(state, unit, square))
    most = unit.strength - 1
    yield shown.number("hits", say("Hits"), min(unit.hits, most), lambda hits: but(hits=hits), high=most)
    kinds = {kind: Text(kind) for kind in KINDS}
    yield group.one_of("kind", say("Kind"), kinds, unit.kind, lambda kind: _with_kind(state, unit, kind))
    sides = group if unit.kind == "city" else shown
    yield sides.one_of("side", say("Side"), SIDE_NAMES, unit.side, lambda side: _with_side(state, unit, side))
    yield group.choice("piece", say("Chess piece"), PIECES, unit.piece, lambda piece: but(piece=piece))
    label = say("A reinforcement")
    yield group.yes_no("mercenary", label, lambda bought: but(mercenary=bought), value=unit.mercenary)
    if state.phase != "activations" or unit.side != state.active or not unit.mobile:
        return
    label, parts = say("Activated this turn"), {part: Text(part) for part in PARTS}
    now = unit.activated or "no"
    yield group.one_of("activated", label, parts, now, lambda part: but(activated="" if part == "no" else part))
    rest = _not_acting(state, unit)
    yield shown.yes_no("done", say("Has finished"), lambda done: rest.with_unit(unit.id, done=done), value=unit.done)
    yield group.yes_no("moved", say("Moved this turn"), lambda moved: but(moved=moved), value=unit.moved)
    label = say("Attacks made this turn")
    yield group.number("attacks", label, unit.attacks, lambda attacks: but(attacks=attacks), high=MOST_ATTACKS)
    label = say("In contact when Phalanx was played")
    yield group.yes_no("phalanx", label, lambda phalanx: but(phalanx=phalanx), value=unit.phalanx)


def _not_acting(state: State, unit: Unit) -> State:
    return state.but(acting=None) if state.acting == unit.id else state


def _moved(state: State, unit: Unit, square: str) -> State:
    if square == OFF:
        return _not_acting(state, unit).with_unit(unit.id, on_board=False, square=None)
    if square == "on":
        return state.with_unit(unit.id, on_board=True)
    there = state.at(square)
    if there is not None and there.id != unit.id:
        raise occupied(square, "value")
    return state.with_unit(unit.id, on_board=True, square=square, hits=min(unit.hits, unit.strength - 1))


def _with_kind(state: State, unit: Unit, kind: Kind) -> State:
    if kind == "city":
        _check_city(state, unit.side)
    row = KINDS[kind]
    return state.with_unit(unit.id, kind=kind, hits=min(unit.hits, row.strength - 1), piece=row.piece)


def _with_side(state: State, unit: Unit, side: Side) -> State:
    if unit.kind == "city":
        _check_city(state, side)
    return _not_acting(state, unit).with_unit(unit.id, side=side)


def _check_city(state: State, side: Side) -> None:
    if any(unit.kind == "city" and unit.side == side for unit in state.units):
        raise Refusal(say("A side has one city."), "TTC-128", "value")


def _terrain(state: State, kind: Cover, number: int, square: str) -> Correction[State]:
    def put(new: str) -> State:
        terrain = {there: ground for there, ground in state.terrain.items() if there != square}
        if new in terrain:
            raise Refusal(say("Terrain lies on {square} already.", square=new), "TTC-11", "value")
        return state.but(terrain=terrain if new == OFF else dict(sorted({**terrain, new: kind}.items())))

    label = say("{terrain} {number}", terrain=Text(f"the_{kind}"), number=number + 1)
    return Group("terrain.", say("Terrain")).choice(f"{kind}.{number + 1}", label, SQUARES, square, put)


def _cards(codes: Iterable[str]) -> tuple[Option, ...]:
    return tuple(Option(code, card_listed(code)) for code in by_suit(codes))


def _pile(
    state: State, place: str, cards: tuple[str, ...], among: Iterable[str], side: Side | None
) -> Correction[State]:
    def put(sent: str, ask: Ask) -> State:
        return _with_cards(state, place, several(sent), ask)

    field = Field("value", Text(f"hand_of_{side}" if side else place), "many", _cards(among), value=cards)
    return AMONG_CARDS.value(place, field, put, secret_of=side, reveals=state.dealt)


def _player(state: State, side: Side) -> Iterator[Correction[State]]:
    hand = state.hand(side)
    if state.dealt:
        yield _pile(state, side, hand, state.unseen(), side)
    else:
        yield AMONG_CARDS.number(
            side, Text(f"hand_of_{side}"), len(hand), lambda size: _with_size(state, side, size), high=MOST_HELD
        )
    label, bought = say("{side}'s purchases", side=Text(side)), state.purchases.get(side, 0)
    yield Group("purchases.", say("Cards")).number(
        side, label, bought, lambda count: state.but(purchases={**state.purchases, side: count}), high=MOST_PURCHASES
    )


def _game(state: State) -> Iterator[Correction[State]]:
    label = say("Turn number")
    yield IN_THE_GAME.number("turn", label, state.turn, lambda turn: state.but(turn=turn), low=1, high=MOST_TURNS)
    whose = choice(say("Whose turn it is"), tuple(map(Option, SIDE_NAMES, SIDE_NAMES.values())), state.active)
    yield IN_THE_GAME.value("active", whose, lambda _, ask: _choosing_anew(state, ask).but(active=other(state.active)))
    steps = tuple(Option(step, Text(step)) for step in ("choose_card", "activations"))
    here = choice(say("Step of the turn"), steps, _step(state) if state.phase == "finished" else state.phase)
    yield IN_THE_GAME.value("phase", here, lambda step, ask: _at_step(state, step, ask))
    winners: dict[Winner, Text] = {"none": say("nobody yet"), "white": Text("white"), "black": Text("black")}
    now = state.winner or NOBODY
    yield IN_THE_GAME.one_of("winner", say("Winner"), winners, now, lambda winner: _won(state, winner))


def _step(state: State) -> Literal["choose_card", "activations"]:
    return "activations" if state.card else "choose_card"


def _won(state: State, winner: Winner) -> State:
    if winner == "none":
        return state.but(winner=None, phase=_step(state))
    return state.but(winner=winner, phase="finished", acting=None)


def _at_step(state: State, step: str, ask: Ask) -> State:
    """Go to a step of the turn; going back to the choice of a card returns it to its hand."""
    if state.phase == "finished":
        return state
    if step == "choose_card":
        return _choosing_anew(state, ask)
    raise Refusal(say("Set the card in play instead."), "TTC-17", "value")


def _choosing_anew(state: State, ask: Ask) -> State:
    return fresh_turn(relocate(state, IN_PLAY, (), ask))


def _with_size(state: State, side: Side, size: int) -> State:
    """Let a real hand hold so many cards; the draw pile has the rest."""
    both = len(state.draw_pile) + len(state.hand(side))
    size = min(size, both)
    return state.but(hands={**state.hands, side: (FACE_DOWN,) * size}, draw_pile=(FACE_DOWN,) * (both - size))


def _with_cards(state: State, place: str, cards: tuple[str, ...], ask: Ask) -> State:
    """Move cards; a card that comes into play begins its activations, one that leaves play takes them back."""
    after = relocate(state, place, cards, ask)
    if after.card == state.card or state.phase == "finished":
        return after
    return begin(after.but(phase="activations")) if after.card else fresh_turn(after)


def relocate(state: State, place: str, wanted: tuple[str, ...], ask: Ask) -> State:
    """Let a place hold exactly the wanted cards; raise Refusal when one of them is nowhere.

    Every one of the 24 stays in exactly one place, and nobody learns of another's hand. How many cards every place
    holds afterwards follows from what everybody sees, never from where a face-down card was. A card that comes is
    exchanged for one that leaves. Where none leaves, the ``payer`` has one card fewer, and whoever really gave the card
    is made good. What leaves without an exchange goes to the draw pile, a card in play back to its player's hand.
    Face-down cards of a real deck are only counted.
    """
    places: Places = {
        DRAW_PILE: list(state.draw_pile),
        "discard_pile": list(state.discard_pile),
        "removed": list(state.removed),
        IN_PLAY: [state.card] if state.card else [],
        **{side: list(state.hand(side)) for side in SIDES},
    }
    here = places[place]
    leaving = [card for card in here if card not in wanted]
    for card in wanted:
        if card in here:
            continue
        payer = _payer(state, places, place)
        source = _source(places, card, payer)
        places[source].remove(card if card in places[source] else FACE_DOWN)
        here.append(card)
        if leaving:
            gone = leaving.pop(0)
            here.remove(gone)
            _make_good(state, places, source, gone, ask, secret=place in SIDES)
        elif source not in FACE_UP and source != payer:
            paid = _drawn(places, source, ask) if payer == DRAW_PILE else places[payer].pop(0)
            _make_good(state, places, source, paid, ask, secret=payer in SIDES)
    for card in leaving:
        here.remove(card)
        _lay(state, places, state.active if place == IN_PLAY else DRAW_PILE, card)
    return state.but(
        draw_pile=pile(places[DRAW_PILE]),
        discard_pile=tuple(places["discard_pile"]),
        removed=tuple(places["removed"]),
        card=places[IN_PLAY][0] if places[IN_PLAY] else None,
        hands={side: tuple(places[side]) for side in SIDES},
    )


def _payer(state: State, places: Places, place: str) -> str:
    """Say who has one card fewer when a face-down card comes: known to all, wherever that card really was."""
    first, second = (state.active, DRAW_PILE) if place == IN_PLAY else (DRAW_PILE, state.active)
    payers = (first, second, other(state.active))
    return next((name for name in payers if name != place and places[name]), DRAW_PILE)


def _source(places: Places, card: str, payer: str) -> str:
    """Find where a card is; the payer has it when it is one of the face-down cards of a real deck."""
    source = next((name for name, cards in places.items() if card in cards), payer)
    if card not in places[source] and FACE_DOWN not in places[source]:
        raise Refusal(say("That is not one of the choices."), field="value")
    return source


def _make_good(state: State, places: Places, source: str, card: str, ask: Ask, *, secret: bool) -> None:
    """Give the place a card came from another one for it.

    What comes out of a player's hand never goes straight into the other one: it goes to the draw pile and another card
    is drawn. With an empty draw pile both players know each other's hands anyway: they see all cards but those.
    """
    if secret and source in SIDES and places[DRAW_PILE]:
        drawn = _drawn(places, source, ask)
        _lay(state, places, DRAW_PILE, card)
        card = drawn
    _lay(state, places, source, card)


def _drawn(places: Places, side: str, ask: Ask) -> str:
    """Take any card off the draw pile for a player: a choice that could be worked out would tell what is left."""
    why = say("{side} draws a card", side=Text(side))
    (card,) = ask.draw(places[DRAW_PILE], 1, "draw", why, by=side, secret=True)
    places[DRAW_PILE].remove(card)
    return card


def _lay(state: State, places: Places, name: str, card: str) -> None:
    places[name].append(card if state.dealt or name in FACE_UP else FACE_DOWN)
