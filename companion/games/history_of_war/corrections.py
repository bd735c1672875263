"""Corrections: every tracked value can be set by hand; the people at the table outrank the app."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal

from companion.games.history_of_war import (
    battle,
    card_corrections,
    conquest,
    construction,
    damage,
    hands,
    rounds,
    speech,
    start,
)
from companion.games.history_of_war.cards import BaseCard, DevelopmentCard, UnitCard
from companion.games.history_of_war.pieces import ROUND, SEATS, STEPS, Phase, Seat, with_seat, without_seat
from companion.games.history_of_war.state import State
from companion.kit.correction import Correction, Group, choice
from companion.kit.decks import correction, without
from companion.kit.decks.correction import NO, NOTHING, CardLabels, PlayerCards
from companion.kit.questions import Option
from companion.kit.ruling import Refusal, refuse
from companion.kit.text import Text, say

Conqueror = Literal["none", "blue", "red"]
Winner = Literal["none", "blue", "red", "draw"]
PLAYERS: dict[Seat, Text] = {seat: Text(seat) for seat in SEATS}
CONQUERORS: dict[Conqueror, Text] = {"none": say("nobody yet"), "blue": PLAYERS["blue"], "red": PLAYERS["red"]}
WINNERS: dict[Winner, Text] = {
    "none": CONQUERORS["none"],
    "blue": PLAYERS["blue"],
    "red": PLAYERS["red"],
    "draw": say("a draw"),
}
GAME = Group("game.", say("The game"))
MOST_POINTS = 99
MOST_ROUNDS = 999
LAST = say("The last one says so himself: then it goes on.")
HIMSELF = say("Each player says so himself.")
CALLED = CardLabels(
    size=say("Cards in the hand"),
    pile=say("Cards in the depot"),
    nameless=say("Cards in the scrapyard that nobody named"),
    hand=say("Your hand"),
    from_hand=say("out of the hand"),
    from_pile=say("out of the depot"),
    put=say("Put into the scrapyard"),
    lost=say("In the scrapyard; others go back into the depot"),
    take=say("Take out of the scrapyard into the hand"),
)
IN_PLAY = (UnitCard, DevelopmentCard, BaseCard)
"""Cards that lie in play by themselves."""


def corrections(state: State) -> Iterator[Correction[State]]:
    """List every value that can be corrected by hand; of a game that is over only who won, which reopens it."""
    if state.phase == "finished":
        yield _winner(state)
        return
    yield from card_corrections.cards(state)
    yield from _lands(state)
    yield from card_corrections.attacks(state)
    for seat in SEATS:
        if seat in state.decks:
            yield from _cards(state, seat)
    if state.phase == "decks":
        yield from (_ready(state, seat) for seat in SEATS)
    elif state.phase == "mulligan":
        yield from (_first_hand(state, seat) for seat in SEATS)
        yield _attacker(state)
    else:
        yield from _round(state)


def _lands(state: State) -> Iterator[Correction[State]]:
    for territory in state.territories:
        group = Group(f"territory.{territory.id}.", speech.territory(state, territory), say("The territories"))
        put = partial(_conquered, state, territory.id)
        yield group.one_of("conqueror", say("Conquered by"), CONQUERORS, territory.conqueror or "none", put)


def _conquered(state: State, name: str, conqueror: Conqueror) -> State:
    """Say who has conquered a territory: what the other has there leaves it as after a conquest (HW-92, HW-94)."""
    state = state.with_territory(name, conqueror=None).but(last=None)
    for card in state.cards:
        state = battle.withdrawn(state, card) if card.place == name else state
    if conqueror == "none":
        return state
    return conquest.vacated(state, name, conqueror).with_territory(name, conqueror=conqueror)


def _cards(state: State, seat: Seat) -> Iterator[Correction[State]]:
    """List what can be corrected about cards; what is in a hand or a depot only its player is shown."""
    group = Group(f"cards.{seat}.", say("Cards: {seat}", seat=Text(seat)))
    name, cards = partial(speech.code, state, seat), _player_cards(state, seat)
    yield from correction.corrections(cards, seat, group, CALLED, name, partial(_lie, state, seat))
    if not state.begun:
        return
    back = [
        Option(str(at), name(code))
        for at, code in enumerate(cards.named)
        if isinstance(state.find_card(seat, code), IN_PLAY)
    ]
    if back:
        label = say("Back into play out of the scrapyard")
        yield group.choice("back", label, (NO, *back), NOTHING, lambda at: _back(state, seat, cards.named[int(at)]))
    enters = [card for card in _hidden(state, seat, cards) if isinstance(state.find_card(seat, card.value), IN_PLAY)]
    field = choice(say("Put into play out of the hand or the depot"), (NO, *enters), NOTHING)
    yield group.value("enter", field, lambda code, _: _put_into_play(state, seat, code), reveals=True, only=seat)
    lands = (Option(kind, speech.called(card.name)) for kind, card in start.unused(state, seat).items())
    field = choice(say("Another of your territories"), (NO, *lands), NOTHING)
    yield group.value("land", field, lambda kind, _: state.with_another_territory(seat, kind), reveals=True, only=seat)


def _hidden(state: State, seat: Seat, cards: PlayerCards) -> tuple[Option, ...]:
    """List what a player may hold: with real cards one of each kind of which a copy may still be in his hand."""
    if not state.real:
        return correction.hidden(cards, CALLED, partial(speech.code, state, seat))
    return tuple(Option(code, speech.code(state, seat, code)) for code in hands.playable(state, seat))


def _player_cards(state: State, seat: Seat) -> PlayerCards:
    deck, most = state.deck(seat), state.rosters[seat].size
    return PlayerCards(pile=deck.depot, hand=deck.hand, lost=deck.scrapyard, out=deck.out, real=state.real, most=most)


def _lie(state: State, seat: Seat, cards: PlayerCards) -> State:
    return state.with_deck(seat, depot=cards.pile, hand=cards.hand, scrapyard=cards.lost, out=cards.out)


def _back(state: State, seat: Seat, code: str) -> State:
    return _enter(state.with_deck(seat, scrapyard=without(state.deck(seat).scrapyard, (code,))), seat, code)


def _put_into_play(state: State, seat: Seat, code: str) -> State:
    if state.real:
        state, code = hands.taken_out(state, seat, code)
    else:
        state = _lie(state, seat, correction.removed(_player_cards(state, seat), code))
    return _enter(state, seat, code)


def _enter(state: State, seat: Seat, code: str) -> State:
    """Put a card into play, unlocked: units into the deployment area, developments into the first territory."""
    card = state.find_card(seat, code)
    place = "base" if isinstance(card, BaseCard) else "deployment"
    if isinstance(card, DevelopmentCard):
        if not state.open:
            raise Refusal(say("There is no territory left to put it into."), "HW-14", "value")
        place = state.open[0].id
    return state.with_entering(seat, code, place).but(last=None)


def _ready(state: State, seat: Seat) -> Correction[State]:
    def put(yes: bool) -> State:
        if yes:
            raise Refusal(HIMSELF, "HW-20", "value")
        return state.but(ready=without_seat(state.ready, seat))

    label = say("{seat}: the deck is ready", seat=Text(seat))
    return GAME.yes_no(f"ready.{seat}", label, put, value=seat in state.ready)


def _first_hand(state: State, seat: Seat) -> Correction[State]:
    def put(kept: bool, changed: bool) -> State:
        after = state.with_deck(seat, kept=kept, mulligan=changed)
        if all(after.deck(each).kept for each in SEATS):
            raise Refusal(LAST, "HW-25", "value")
        return after

    deck = state.deck(seat)
    return correction.first_hand(GAME, seat, put, kept=deck.kept, changed=deck.mulligan)


def _attacker(state: State) -> Correction[State]:
    def put(seat: Seat) -> State:
        # Attacks that were declared are those of the other player now: they are withdrawn.
        after = damage.wear_off(state) if state.begun else state
        return after.but(attacker=seat, done=(), content=(), last=None)

    return GAME.one_of("attacker", say("Attacker of the round"), PLAYERS, state.attacker, put)


def _round(state: State) -> Iterator[Correction[State]]:
    """List where the game is in its round, the victory points, who won, and whose word is given."""
    phases: dict[Phase, Text] = {step.id: Text(step.id) for step in ROUND}
    yield GAME.one_of("phase", say("Phase"), phases, state.phase, partial(_in_phase, state))
    yield _attacker(state)
    most = max(MOST_ROUNDS, state.round)
    yield GAME.number("round", say("Round"), state.round, partial(_in_round, state), low=1, high=most)
    yield from (_points(state, seat) for seat in SEATS)
    yield _winner(state)
    for seat in SEATS:
        yield from _word(state, seat)


def _in_phase(state: State, phase: Phase) -> State:
    """Go on in another phase; attacks stand within their half of the battle, what lies face down is taken back."""
    if STEPS[phase].half != STEPS[state.phase].half or state.struck:
        state = damage.wear_off(state)
    return construction.begin(state).but(phase=phase, done=(), content=(), struck=False, last=None)


def _in_round(state: State, number: int) -> State:
    """Count another round; who has put a base expansion in this one has done so in that."""
    return state.but(round=number, expanded={seat: number for seat, at in state.expanded.items() if at == state.round})


def _points(state: State, seat: Seat) -> Correction[State]:
    """Declare a player's victory points: those of his territories, and what was added by hand (HW-100)."""
    now = state.victory_points(seat)
    won = now - state.points.get(seat, 0)
    return GAME.number(
        f"points.{seat}",
        say("Victory points of {seat}", seat=Text(seat)),
        now,
        lambda points: state.but(points={**state.points, seat: points - won}),
        low=won - MOST_POINTS,
        high=won + MOST_POINTS,
    )


def _winner(state: State) -> Correction[State]:
    """Declare who won; a game that nobody has won yet goes on in the final phase, or where it stood before it began.

    Where cards lie face down it goes on with what is built, since nobody has seen them (HW-43).
    """

    def put(winner: Winner) -> State:
        if winner != "none":
            return state.but(winner=winner, how=None, phase="finished", done=())
        before: Phase = "mulligan" if state.decks else "decks"
        laid = any(state.plan(seat).laid for seat in SEATS)
        phase: Phase = before if not state.round else "construction" if laid else "final"
        return state.but(winner=None, how=None, phase=phase, done=(), content=())

    return GAME.one_of("winner", say("Winner"), WINNERS, state.winner or "none", put)


def _word(state: State, seat: Seat) -> Iterator[Correction[State]]:
    """List what a player has done that may be done once in a phase, and what he has said (HW-32, HW-38, HW-44)."""
    who = Text(seat)
    if state.phase == "base_expansion":
        label, now = say("{seat} has put a base expansion down in this round", seat=who), state.expanded.get(seat)
        yield GAME.yes_no(f"expanded.{seat}", label, partial(_expanded, state, seat), value=now == state.round)
    if state.phase == "construction":
        label = say("{seat} has finished building", seat=who)
        yield GAME.yes_no(f"built.{seat}", label, partial(_built, state, seat), value=state.plan(seat).built)
    if seat in rounds.agreeing(state):
        label = say("{seat} is content with the phase", seat=who)
        yield GAME.yes_no(f"done.{seat}", label, partial(_done, state, seat), value=seat in state.done)
    label = say("{seat} is content until needed", seat=who)
    yield GAME.yes_no(f"content.{seat}", label, partial(_content, state, seat), value=seat in state.content)
    if not state.options.step_by_step:
        label = say("{seat} stops at every phase", seat=who)
        yield GAME.yes_no(f"holding.{seat}", label, partial(_holding, state, seat), value=seat in state.holding)


def _expanded(state: State, seat: Seat, yes: bool) -> State:
    others = {other: at for other, at in state.expanded.items() if other != seat}
    return state.but(expanded=others | ({seat: state.round} if yes else {}))


def _built(state: State, seat: Seat, yes: bool) -> State:
    if yes:
        raise Refusal(HIMSELF, "HW-44", "value")
    return state.with_plan(seat, built=False, lock=())


def _done(state: State, seat: Seat, yes: bool) -> State:
    if not yes:
        return _waits(state.but(done=without_seat(state.done, seat)))
    refuse(rounds.unfinished(state), "value")
    return _waits(state.but(done=with_seat(state.done, seat)))


def _content(state: State, seat: Seat, yes: bool) -> State:
    """Say who is content until needed; nobody stops at every phase then (HW-32, HW-A09)."""
    if not yes:
        return _waits(state.but(content=without_seat(state.content, seat)))
    return _waits(state.but(content=with_seat(state.content, seat), holding=without_seat(state.holding, seat)))


def _holding(state: State, seat: Seat, yes: bool) -> State:
    """Say who stops at every phase; nobody is content until needed then (HW-32, HW-A09)."""
    if not yes:
        return _waits(state.but(holding=without_seat(state.holding, seat)))
    return _waits(state.but(holding=with_seat(state.holding, seat), content=without_seat(state.content, seat)))


def _waits(state: State) -> State:
    """Return the state if it still waits for somebody; the last one says himself that he is content (HW-32)."""
    if rounds.agreed(state):
        raise Refusal(LAST, "HW-32", "value")
    return state
