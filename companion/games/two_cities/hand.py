"""The hand: cards that can be played or thrown away, and the unit that a reinforcement buys (TTC-26 to TTC-66)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.two_cities.activation import begin, sector
from companion.games.two_cities.components import CARDS, KINDS, SPECIALS, Kind, Side, card_listed, card_told, rule_of
from companion.games.two_cities.fight import hits
from companion.games.two_cities.state import SentName, SentSquare, State, Unit
from companion.games.two_cities.turn import next_turn, say_next_turn
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.decks import FACE_DOWN, by_suit, without
from companion.kit.questions import Choice, Choose, Option, check
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say

hand = Chapter[State, Side]()

CARD = say("Card")
NOT_OURS = Reason(say("Only the {count} cards of the game are used.", count=len(CARDS)), "TTC-26")


class PlayCard(Action, frozen=True, tag="play_card"):
    """Play a card (TTC-17); ``remove`` and ``place`` answer a reinforcement's questions ahead (TTC-59, TTC-63)."""

    card: SentName
    remove: SentName | None = None
    place: SentSquare | None = None


class ThrowAway(Action, frozen=True, tag="throw_away"):
    """Throw a card away because none can be played (TTC-41)."""

    card: SentName


@hand.offers
def offers(state: State, side: Side) -> Iterator[Offer]:
    """Offer the cards that can be played, or else thrown away (TTC-38, TTC-41)."""
    if state.phase != "choose_card" or side != state.active:
        return
    held, able = choices(state, side), playable(state, side)
    waste = tuple(code for code in held if not_thrown_away(state, side, code) is None)
    if not state.dealt:
        faces = tuple(Option(code, Text(f"face.{code}"), unplayable(state, side, code)) for code in by_suit(held))
        if able:
            yield PlayCard.offer(say("Play a card"), Field("card", CARD, "choice", faces), main=True, clause="TTC-17")
        faces = tuple(Option(code, Text(f"face.{code}")) for code in by_suit(waste))
        if waste:
            label = say("Discard: I can play none")
            yield ThrowAway.offer(label, Field("card", CARD, "choice", faces), clause="TTC-41")
        return
    for code in able:
        clause = rule_of(code).clause
        yield PlayCard.offer(say("Play {card}", card=card_listed(code)), on=code, main=True, clause=clause, card=code)
    for code in waste:
        label = say("Discard {card}", card=card_listed(code))
        if not state.mirrored:
            label = say("I can play none: discard {card}", card=card_listed(code))
        yield ThrowAway.offer(label, on=code, main=not able, clause="TTC-41", card=code)


def _played(before: State, after: State, side: Side, action: PlayCard) -> Text:
    """Say which card was played; where a unit was bought, where it goes and which one it costs (TTC-59, TTC-63).

    Both are done by hand on the board.
    """
    if len(after.units) == len(before.units):
        return say("{side} plays {card}", side=Text(side), card=Text(f"card.{action.card}"))
    new = after.units[-1]
    comes = say("put a new {unit} unit on a free square beside the city", unit=Text(new.kind))
    if new.square:
        comes = say("new {unit} unit on {square}", unit=Text(new.kind), square=new.square)
    left = {unit.id for unit in after.in_play(side)}
    gone = next((unit for unit in before.in_play(side) if unit.id not in left), None)
    if gone is None:
        return say("{side}: {what}", side=Text(side), what=comes)
    return say("{side}: take {unit} off the board; {what}", side=Text(side), unit=before.name(gone), what=comes)


@hand.rule(PlayCard, headline=_played, reveals=lambda before, _after: before.dealt)
def play_card(state: State, side: Side, action: PlayCard, ask: Ask) -> State:
    """Play a card out of the hand (TTC-17, TTC-18, TTC-38)."""
    code = _chosen(state, side, action.card)
    if (barred := unplayable(state, side, code)) is not None:
        text = say("{card} cannot be played: {why}", card=Text(code), why=barred.text)
        raise Refusal(text, barred.clause, "card")
    state = _taken(state, side, code).but(phase="activations", last=None)
    card = rule_of(code)
    ask.tell(card_told(code, side), card.clause)
    return reinforce(state, card.buys, action, ask) if card.buys else begin(state)


def _thrown(before: State, after: State, side: Side, action: ThrowAway) -> Text:
    thrown = say("{side} discards {card} unplayed", side=Text(side), card=Text(action.card))
    if after.dealt:
        return thrown
    return say("{one}; {two}", one=thrown, two=say_next_turn(before, after, side, action.card))


@hand.rule(ThrowAway, headline=_thrown, reveals=lambda before, _after: before.dealt)
def throw_away(state: State, side: Side, action: ThrowAway, ask: Ask) -> State:
    """Throw away a card because none can be played; nothing moves, discard and draw follow (TTC-41)."""
    code = _chosen(state, side, action.card)
    refuse(not_thrown_away(state, side, code), "card")
    ask.tell(say("{side} discards {card} unplayed", side=Text(side), card=Text(code)), "TTC-41")
    return next_turn(_taken(state, side, code), ask)


def _chosen(state: State, side: Side, code: str) -> str:
    """Return the card that is chosen; refuse one that is not one of the 24 (TTC-26) or not in the hand (TTC-17).

    None is chosen out of turn (TTC-16), and no second one (TTC-18).
    """
    state.check_turn(side)
    if state.phase == "activations":
        raise Refusal(say("One card a turn, and it has been played."), "TTC-18")
    if code not in CARDS:
        raise Refusal(NOT_OURS.text, NOT_OURS.clause, "card")
    if code not in choices(state, side):
        text = say("{card} is out of play or in the discard pile ({see}).", card=Text(code), see="TTC-67")
        if state.dealt:
            text = say("{card} is not in your hand ({see}).", card=Text(code), see="TTC-15")
        raise Refusal(text, "TTC-17", "card")
    return code


def _taken(state: State, side: Side, code: str) -> State:
    left = without(state.hand(side), [code if state.dealt else FACE_DOWN])
    return state.but(hands={**state.hands, side: left}, card=code)


def choices(state: State, side: Side) -> tuple[str, ...]:
    """List the cards that a player may hold: the hand, or with a real deck every unseen card."""
    held = state.hand(side)
    return held if state.dealt or not held else state.unseen()


def playable(state: State, side: Side) -> tuple[str, ...]:
    """List the cards that can be played, in the order held."""
    return tuple(code for code in choices(state, side) if unplayable(state, side, code) is None)


def unplayable(state: State, side: Side, code: str) -> Reason | None:
    """Say why a card cannot be played; None when it can (TTC-34, TTC-37, TTC-40, TTC-65)."""
    if code not in CARDS:
        return NOT_OURS
    card = rule_of(code)
    if card.card_class == "reinforcement":
        return no_room(state, side)
    if card.card_class == "special" or not card.left + card.right:
        return None
    mine = [unit for unit in state.in_play(side) if unit.mobile]
    parts = {sector(side, unit.square) for unit in mine if unit.square} if state.mirrored else {"left", "right"}
    if mine and ((card.left and "left" in parts) or (card.right and "right" in parts)):
        return None
    return Reason(say("It points only to sectors where you have no unit; a city does not count."), "TTC-37")


def not_thrown_away(state: State, side: Side, code: str) -> Reason | None:
    """Say why a card may not be thrown away: something in the hand can be played (TTC-38, TTC-39, TTC-41).

    With a real deck only the card itself can be judged, and on a board that is not mirrored no sector card can.
    """
    cards = state.hand(side) if state.dealt else (code,)
    able = [card for card in cards if unplayable(state, side, card) is None and not _unsure(state, card)]
    if not able:
        return None
    if len(able) == 1 and able[0] in SPECIALS:
        only = say("The special card has to be played: it is the only one that can be ({see}).", see="TTC-38")
        return Reason(only, "TTC-39")
    return Reason(say("A card is discarded unplayed only when none can be played ({see}).", see="TTC-41"), "TTC-38")


def _unsure(state: State, code: str) -> bool:
    card = rule_of(code)
    points = card.card_class == "sector" and card.left + card.right > 0
    return not state.mirrored and (points or card.card_class == "reinforcement")


def hints(state: State, side: Side) -> tuple[Reason, ...]:
    """Advise to hold better cards back with a four (TTC-70)."""
    able = playable(state, side) if state.dealt else ()
    if 0 < sum(code[0] == "4" for code in able) < len(able):
        return (Reason(say("A four holds your better cards back for a better moment."), "TTC-70"),)
    return ()


def side_squares(state: State, side: Side) -> tuple[str, ...]:
    """List the squares that share a side with a player's own city (TTC-59)."""
    city = state.city(side)
    return CHESSBOARD.beside(city.square) if city is not None and city.square is not None else ()


def costs_a_unit(state: State, side: Side) -> bool:
    """Tell whether the next purchase costs a unit: the second and the third do, while there is one (TTC-63, TTC-64)."""
    return state.purchases.get(side, 0) > 0 and any(unit.mobile for unit in state.in_play(side))


def no_room(state: State, side: Side) -> Reason | None:
    """Say why no reinforcement can be placed: no side-square of the city is free or would become so (TTC-65)."""
    if state.city(side) is None:
        return Reason(say("There is no city to appear beside."), "TTC-59")
    if not state.mirrored:
        return None
    for square in side_squares(state, side):
        there = state.at(square)
        if there is None:
            return None
        if there.side == side and costs_a_unit(state, side) and not state.options.remove_after_placing:
            return None
    return Reason(say("No square beside your city is free, or would become free ({see}).", see="TTC-64"), "TTC-65")


def reinforce(state: State, kind: Kind, action: PlayCard, ask: Ask) -> State:
    """Buy a unit: pay for a second purchase first (TTC-64), or last where the table says so; then place it (TTC-59)."""
    side = state.active
    costs, late = costs_a_unit(state, side), state.options.remove_after_placing
    if action.remove is not None and not costs:
        raise Refusal(say("Only a second or third purchase costs a unit."), "TTC-63", "remove")
    if costs and not late:
        state = _remove(state, action.remove, ask)
    state = _place(state, kind, action.place, ask)
    if costs and late:
        state = _remove(state, action.remove, ask, spared=state.units[-1].id)
    return state.but(purchases={**state.purchases, side: state.purchases.get(side, 0) + 1})


def _remove(state: State, chosen: str | None, ask: Ask, spared: str = "") -> State:
    side = state.active
    barred = Reason(say("Neither the city nor the unit bought can be the one that leaves."), "TTC-64")
    beside = side_squares(state, side)
    room = not state.mirrored or bool(spared) or any(state.at(square) is None for square in beside)
    options = []
    for unit in state.in_play(side):
        closed = barred if not unit.mobile or unit.id == spared else None
        if closed is None and not room and unit.square not in beside:
            closed = Reason(say("No square beside your city would be free then ({see}).", see="TTC-59"), "TTC-65")
        suffered = say("{hits} of {strength}", hits=hits(unit.hits), strength=unit.strength)
        options.append(Option(unit.id, state.name(unit), closed, unit.square, note=suffered))
    why = say("Which unit leaves the board for the one you buy?")
    gone = _decide(Choose("remove", why, side, tuple(options), "TTC-63"), chosen, ask)
    leaves = say("{unit}: leaves the board, the price of a further purchase", unit=state.name(state.unit(gone)))
    ask.tell(leaves, "TTC-63")
    return state.with_unit(gone, on_board=False, square=None)


def _place(state: State, kind: Kind, chosen: str | None, ask: Ask) -> State:
    side, square = state.active, None
    if state.mirrored:
        options = []
        for there in side_squares(state, side):
            closed = Reason(say("Occupied."), "TTC-59") if state.at(there) else None
            options.append(Option(there, say("{square}", square=there), closed, there))
        why = say("New {unit} unit: which square beside the city?", unit=Text(kind))
        square = _decide(Choose("place", why, side, tuple(options), "TTC-59"), chosen, ask)
    piece = piece_for(state, side, kind)
    taken = {unit.id for unit in state.units}
    name = next(name for number in range(1, len(taken) + 2) if (name := f"{side[0]}{number}") not in taken)
    new = Unit(name, side, kind, square, home="bought", mercenary=True, piece=piece)
    where = say("{unit}: put it on a free square beside its city", unit=new.called)
    if square:
        where = say("{unit}: appears on {square}", unit=new.called, square=square)
    ask.tell(where, "TTC-59")
    if kind == "archers":
        ask.tell(say("Its chess piece: {piece}", piece=Text(piece)), "TTC-61")
    else:
        spare = Text(f"stand_in.{state.options.piece_map}")
        stands = say("Its chess piece: {piece}, or {spare} when none is left", piece=Text(piece), spare=spare)
        ask.tell(stands, "TTC-56" if kind == "light_infantry" else "TTC-57")
    return state.but(units=(*state.units, new))


def _decide(question: Choose, chosen: str | None, ask: Ask) -> str:
    if chosen is None:
        return ask.choose(question.seat, question.options, question.key, question.why, clause=question.clause)
    check(question, Choice(question.key, chosen, question.seat))
    return chosen


def piece_for(state: State, side: Side, kind: Kind) -> str:
    """Choose the chess piece of a unit: its own, or the extra one while the first is on the board (TTC-61)."""
    row = KINDS[kind]
    taken = {unit.piece for unit in state.in_play(side)}
    return row.extra_piece if row.extra_piece and row.piece in taken else row.piece
