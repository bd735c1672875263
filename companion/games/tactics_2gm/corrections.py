"""Corrections: every tracked value can be set by hand; the people at the table outrank the app."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal

from msgspec.structs import replace

from companion.games.tactics_2gm import decks, piece_corrections, players, tokens, turn, victory
from companion.games.tactics_2gm.options import SIDES, Seat, Side, other, paired, seats_of
from companion.games.tactics_2gm.piece_corrections import OF_SIDES
from companion.games.tactics_2gm.state import TURN_PHASES, Phase, State, Unit
from companion.kit.asking import Ask
from companion.kit.correction import Correction, Group, choice
from companion.kit.decks import correction
from companion.kit.decks.correction import CardLabels, PlayerCards
from companion.kit.questions import Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

Nobody = Literal["none"]
NOBODY: Nobody = "none"
MOST_AP = 99
MOST_ROUNDS = 999
MOST_LOST = 999
LAST = say("The last one says so himself: then it goes on.")
Won = Side | Literal["draw"] | Nobody
WINNERS: dict[Won, Text] = {
    NOBODY: say("nobody yet"),
    "allies": Text("allies"),
    "axis": Text("axis"),
    "draw": say("a draw"),
}
GAME = Group("game.", say("The game"))
CALLED = CardLabels(
    size=say("Cards in the hand"),
    pile=say("Cards in the deck"),
    nameless=say("Discards that nobody named"),
    hand=say("Your hand"),
    from_hand=say("out of the hand"),
    from_pile=say("out of the deck"),
    put=say("Put on the discards"),
    lost=say("On the discards; others go back into the deck"),
    take=say("Take off the discards into the hand"),
)


def corrections(state: State) -> Iterator[Correction[State]]:
    """Declare every value that can be corrected; of a battle that is over only who won, which reopens it."""
    if state.phase == "finished":
        yield _winner(state)
        return
    yield from piece_corrections.corrections(state)
    yield from _cards(state)
    for seat in state.seats if state.phase != "decks" else ():
        label, have = say("AP of {seat}", seat=Text(seat)), state.ap.get(seat, 0)
        yield GAME.number(f"ap.{seat}", label, have, partial(state.with_ap, seat), high=max(MOST_AP, have))
    for side in SIDES:
        if paired(state.options, side):
            label = say("Field marshal of the {side}", side=Text(side))
            pair = {seat: Text(seat) for seat in seats_of(state.options, side)}
            yield GAME.one_of(f"marshal.{side}", label, pair, state.leader(side), partial(decks.led_by, state, side))
    yield from _battle(state) if state.begun else _before(state)


def _cards(state: State) -> Iterator[Correction[State]]:
    """Declare what can be corrected about cards; what is in a hand or a deck only its player is shown (ledger 5.2)."""
    for seat in state.seats:
        if seat in state.decks:
            group = Group(f"cards.{seat}.", say("Cards: {seat}", seat=Text(seat)))
            name, put = partial(players.card_name, state, seat), partial(_lie, state, seat)
            yield from correction.corrections(_player_cards(state, seat), seat, group, CALLED, name, put)


def _player_cards(state: State, seat: Seat) -> PlayerCards:
    deck, most = state.deck(seat), state.rosters[seat].size
    return PlayerCards(pile=deck.pile, hand=deck.hand, lost=deck.discard, out=deck.out, real=state.real, most=most)


def _lie(state: State, seat: Seat, cards: PlayerCards) -> State:
    return state.with_deck(seat, pile=cards.pile, hand=cards.hand, discard=cards.lost, out=cards.out)


def _before(state: State) -> Iterator[Correction[State]]:
    """Declare what the table waits for before the first turn, and what was bid."""
    if state.phase == "decks":
        for seat in state.seats:
            label = say("{seat}: the deck is ready", seat=Text(seat))
            yield GAME.yes_no(f"ready.{seat}", label, partial(_ready, state, seat), value=seat in state.ready)
        return
    if state.phase == "mulligan":
        for seat in state.seats:
            deck, put = state.deck(seat), partial(_hand, state, seat)
            yield correction.first_hand(GAME, seat, put, kept=deck.kept, changed=deck.mulligan)
    yield GAME.one_of("first", say("Who starts"), OF_SIDES, state.first, partial(_first, state))
    for side in SIDES if state.phase == "terrain" else ():
        label = say("{side}: still lays terrain", side=Text(side))
        yield GAME.yes_no(f"lays.{side}", label, partial(_lays, state, side), value=side in state.laying)
        left = state.budget.get(side, 0)
        label = say("{side}: left of the bid", side=Text(side))
        yield GAME.number(f"budget.{side}", label, left, partial(_budget, state, side), high=max(MOST_AP, left))


def _ready(state: State, seat: Seat, ready: bool) -> State:
    """Say that a player is not ready yet; whether a deck can be played is nobody else's business."""
    if ready:
        raise Refusal(say("Each player says so himself."), "G2-06", "value")
    return state.but(ready=tuple(player for player in state.ready if player != seat))


def _hand(state: State, seat: Seat, kept: bool, changed: bool) -> State:
    after = state.with_deck(seat, kept=kept, mulligan=changed)
    if all(after.deck(player).kept for player in state.seats):
        raise Refusal(LAST, "G2-77", "value")
    return after


def _first(state: State, first: Side) -> State:
    return state.but(first=first, laying=tuple(sorted(state.laying, key=lambda side: side != first)))


def _lays(state: State, side: Side, lays: bool) -> State:
    order = (state.first, other(state.first))
    laying = tuple(each for each in order if (lays if each == side else each in state.laying))
    if not laying:
        raise Refusal(LAST, "G2-77", "value")
    return state.but(laying=laying)


def _budget(state: State, side: Side, left: int) -> State:
    return state.but(budget={**state.budget, side: left})


def _battle(state: State) -> Iterator[Correction[State]]:
    """Declare the turn and what is counted over the battle."""
    phases: dict[Phase, Text] = {
        phase: Text(phase)
        for phase in TURN_PHASES
        if phase in ("headquarters", "deployment", state.phase) or turn.waits(state, turn.ENDED[phase]) is not None
    }
    yield GAME.one_of(
        "phase", say("Phase"), phases, state.phase, lambda phase: state.but(phase=phase, done=(), last=None)
    )
    sides = tuple(Option(side, Text(side)) for side in SIDES)
    yield GAME.value("active", choice(say("Whose turn it is"), sides, state.active), partial(_active, state))
    most = max(MOST_ROUNDS, state.round)
    yield GAME.number("round", say("Turn of each side"), state.round, partial(_round, state), low=1, high=most)
    yield _winner(state)
    if paired(state.options, state.active):
        label = say("The field marshal has given the AP of this turn")
        yield GAME.yes_no("ceded", label, lambda ceded: state.but(ceded=ceded), value=state.ceded)
        for seat in state.acting if state.phase in ("movement", "deployment", "fire") else ():
            label = say("{seat} has ended the {phase} phase", seat=Text(seat), phase=Text(state.phase))
            yield GAME.yes_no(f"done.{seat}", label, partial(_done, state, seat), value=seat in state.done)
    for side in SIDES:
        lost = state.lost.get(side, 0)
        label = say("Units that the {side} lost", side=Text(side))
        yield GAME.number(f"lost.{side}", label, lost, partial(_lost, state, side), high=max(MOST_LOST, lost))
    for at, goal in enumerate(victory.goals(state)):
        label = say("{side}: goal reached, {goal}", side=Text(goal.side), goal=victory.goal_text(state, goal))
        yield GAME.yes_no(f"goal.{at}", label, partial(_goal, state, at), value=at in state.goals)
    if state.options.time_limit_minutes:
        counts = {NOBODY: say("the clock still runs"), **{str(left): say("{count}", count=left) for left in (2, 1)}}
        value = NOBODY if state.last_turns is None else str(state.last_turns)
        label = say("Turns left since the time is up")
        turns = {name: None if name == NOBODY else int(name) for name in counts}
        yield GAME.one_of("last_turns", label, counts, value, lambda name: state.but(last_turns=turns[name]))


def _active(state: State, sent: str, ask: Ask) -> State:
    """Begin the turn of the other side in the same round (G2-77, G2-78)."""
    side = next(side for side in SIDES if side == sent)
    number = 2 * state.round - (side == state.first)
    state = state.but(active=side, turn=number, phase="headquarters", done=(), ceded=False, last=None)
    return tokens.end_effects(state, ask)


def _round(state: State, number: int) -> State:
    """Count the turns on from another number; what was noted with its turn keeps its age (G2-120)."""
    later = 2 * (number - state.round)

    def aged(unit: Unit) -> Unit:
        worn = tuple(
            token if token.used is None else replace(token, used=max(0, token.used + later)) for token in unit.tokens
        )
        return replace(unit, tokens=worn, deployed=max(0, unit.deployed + later) if unit.deployed else 0)

    return state.but(turn=state.turn + later, units=tuple(map(aged, state.units)))


def _done(state: State, seat: Seat, ended: bool) -> State:
    """Say who has ended the phase; the last one does so himself, for then it goes on (G2-155)."""
    done = tuple(player for player in state.acting if (ended if player == seat else player in state.done))
    if len(done) == len(state.acting):
        raise Refusal(LAST, "G2-77", "value")
    return state.but(done=done)


def _lost(state: State, side: Side, lost: int) -> State:
    return state.but(lost={**state.lost, side: lost})


def _goal(state: State, at: int, reached: bool) -> State:
    return state.but(goals=tuple(sorted({*state.goals, at} if reached else {*state.goals} - {at})))


def _winner(state: State) -> Correction[State]:
    return GAME.one_of("winner", say("Winner"), WINNERS, state.winner or NOBODY, partial(_won, state))


def _won(state: State, winner: Won) -> State:
    """Say who won; a battle that nobody has won yet goes on in the fire phase, or where it stood before it began."""
    if winner != NOBODY:
        return state.but(winner=winner, how=None, phase="finished", done=())
    # In a pitched battle a headquarters without impact points would have lost again at once.
    for hq in state.headquarters if state.options.mode == "pitched" else ():
        state = state.with_hq(hq.id, pi=max(1, hq.pi))
    phase = "fire" if state.turn else _phase_before(state)
    return state.but(winner=None, how=None, phase=phase, done=(), last_turns=state.last_turns or None)


def _phase_before(state: State) -> Phase:
    """Return the phase before the first turn in which somebody gave up."""
    if not state.headquarters:
        return "decks"
    return "terrain" if state.laying else "mulligan"
