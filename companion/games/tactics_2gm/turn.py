"""The turn: its phases in their order, what they wait for, and its end (G2-77 to G2-81, G2-119 to G2-123)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Literal, get_args

from msgspec import Meta

from companion.games.tactics_2gm import aiming, income, movement, players, tokens, victory
from companion.games.tactics_2gm.options import LINES, Seat, other, paired, side_of
from companion.games.tactics_2gm.players import CardCode, Line, Number
from companion.games.tactics_2gm.state import Phase, State, Unit
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.decks import FACE_DOWN, discards
from companion.kit.questions import Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text, numbered, say, with_sign

turn = Chapter[State, Seat]()
Step = Literal["start", "headquarters", "cards", "movement", "deployment", "fire", "flip", "discard", "end"]
STEPS: tuple[Step, ...] = get_args(Step)
"""The phases of a turn in their order (G2-77)."""
ENDED: dict[Phase, Step] = {"movement": "movement", "deployment": "deployment", "fire": "fire", "discard": "discard"}
"""Phases that the players end."""
MOST_HAND = 7
"""Cards that a hand holds after the discard phase (G2-56, G2-122)."""
DRAWN = 2
"""Cards that a player draws each turn; each of a pair draws one (G2-81, G2-156)."""
NEXT = {"deployment": say("To deployment"), "fire": say("To fire"), "discard": say("End the turn: first discard")}


class Income(Action, frozen=True, tag="income"):
    """Take the AP of the headquarters phase, and draw (G2-79 to G2-81).

    ``lines`` are those that hold units of the side, where only the real battlefield knows.
    """

    lines: tuple[Line, ...] = ()


class EndPhase(Action, frozen=True, tag="end_phase"):
    """End the phase (G2-77).

    A page names the ``phase`` and the ``turn`` that it showed, so that an old one ends no other.
    """

    phase: Phase | None = None
    turn: Number | None = None


class Discard(Action, frozen=True, tag="discard"):
    """Discard down to seven cards (G2-122); real cards by their number."""

    cards: Annotated[tuple[CardCode, ...], Meta(max_length=60)] = ()
    count: Number = 0


@turn.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer what brings the turn on."""
    if not players.acts(state, seat):
        return
    if state.phase == "headquarters":
        yield _income(state, seat)
    elif state.phase == "discard" and awaited(state):
        named = [(code, players.card_name(state, seat, code)) for code in state.deck(seat).hand]
        yield from discards.offers(Discard, named, surplus(state, seat), "G2-122", real=state.real, at_once=True)
    else:
        end = partial(EndPhase.offer, _next(state), phase=state.phase, turn=state.turn, clause="G2-77")
        yield end(ends=True, main=idle(state, seat), left=_left(state, seat))


def _income(state: State, seat: Seat) -> Offer:
    """Offer the income of the headquarters phase; where no board tells, with the lines that are held (G2-79)."""
    if state.mirrored:
        added = income.produce(income.facts_of(state, income.lines_held(state, state.active)), Ask()).added
        label = say("Take {count} AP and draw", count=added)
        if paired(state.options, state.active):
            own = income.shares(added)[seat != state.leader(state.active)]
            label = say("Take {count} AP, {mine} for you, and draw", count=added, mine=own)
        return Income.offer(label, main=True, clause="G2-79")
    most = min(LINES, len(state.on_ground(state.active)))
    lines = tuple(Option(str(line), say("line {line}", line=line)) for line in range(1, most + 1))
    hint = say("1 is your deployment line. A gap ends the supply line.")
    asked = [Field("lines", say("Lines that hold your units"), "many", lines, hint=hint)] if lines else []
    return Income.offer(say("Take the AP and draw"), *asked, main=True, clause="G2-79")


def _next(state: State) -> Text:
    step = following(ENDED[state.phase])
    while (phase := waits(state, step)) is None and step != "end":
        step = following(step)
    return NEXT.get(phase or "", say("End the turn"))


def idle(state: State, seat: Seat) -> bool:
    """Tell whether a player has nothing of use left to do in the phase."""
    if state.phase == "deployment":
        cards = (state.find_card(seat, code) for code in players.playable(state, seat))
        return not any(card is not None and card.cost <= state.ap.get(seat, 0) for card in cards)
    return not any(_able(state, seat))


def _able(state: State, seat: Seat) -> Iterator[Unit]:
    """List the units that can still do what the phase is for."""
    if state.phase == "movement":
        for unit in state.on_ground(side_of(seat)):
            if unit.seat == seat and tokens.movement(state, unit) and movement.barred(state, unit) is None:
                yield unit
    elif state.phase == "fire":
        yield from (unit for unit in state.units if unit.seat == seat and aiming.fires(state, unit))


def _left(state: State, seat: Seat) -> Text | None:
    """Say what of use is left to do; of cards of the own hand that is counted where they are shown.

    What was moved on the real battlefield, and which real cards are held, only the player knows.
    """
    if idle(state, seat):
        return None
    count = sum(1 for _ in _able(state, seat))
    match state.phase:
        case "movement" if state.mirrored:
            return say("{count} unit could still move|{count} units could still move", count=count)
        case "movement":
            return say("Once your units have moved")
        case "fire":
            return say("{count} unit could still fire|{count} units could still fire", count=count)
        case "deployment" if state.real:
            return say("{count} AP left for cards|{count} AP left for cards", count=state.ap.get(seat, 0))
        case _:
            return None


def following(step: Step) -> Step:
    """Return the phase after one; after the end comes the start of the next turn (G2-77, G2-123)."""
    return STEPS[(STEPS.index(step) + 1) % len(STEPS)]


def waits(state: State, step: Step) -> Phase | None:
    """Return the phase that the game waits in at a step of the active side's turn; None where nobody has a say."""
    match step:
        case "headquarters" | "deployment":
            return step
        case "movement" | "fire" if any(busy(state, seat, step) for seat in state.acting):
            return step
        case "discard" if any(surplus(state, seat) for seat in state.acting):
            return step
        case _:
            return None


def busy(state: State, seat: Seat, phase: Phase) -> bool:
    """Tell whether a player can have something to do in a phase; who has no units neither moves nor fires.

    Where Companion knows how far the enemy is, nobody has to end a fire phase without anything in range.
    """
    if phase == "movement":
        return any(unit.seat == seat for unit in state.on_ground(side_of(seat)))
    own = (unit for unit in state.units if unit.seat == seat)
    return phase != "fire" or any(not state.mirrored or aiming.fires(state, unit) for unit in own)


def surplus(state: State, seat: Seat) -> int:
    """Count the cards that a player has to discard (G2-122)."""
    return max(0, len(state.deck(seat).hand) - MOST_HAND)


def awaited(state: State) -> tuple[Seat, ...]:
    """List the seats that a phase of the turn waits for (G2-155)."""
    if state.phase == "headquarters":
        return state.acting
    if state.phase == "discard":
        return tuple(seat for seat in state.acting if surplus(state, seat))
    return tuple(seat for seat in state.acting if seat not in state.done and busy(state, seat, state.phase))


def _taken(before: State, after: State, _seat: Seat, _action: Income) -> Text:
    ap = players.pool(after, after.active)
    gained = ap - players.pool(before, after.active)
    return say("{side}: {change} AP, and {ap} in all", side=Text(after.active), change=with_sign(gained), ap=ap)


@turn.rule(Income, headline=_taken)
def take_income(state: State, seat: Seat, action: Income, ask: Ask) -> State:
    """Take the AP of the headquarters phase, and go on (G2-79 to G2-81)."""
    players.check_phase(state, seat, "headquarters")
    return _go_on(income.take(state, seat, action.lines, ask), "headquarters", ask)


def _ended(before: State, after: State, seat: Seat, _action: EndPhase | Discard) -> Text:
    if after.turn != before.turn:
        return say("The turn passes to the {side}", side=Text(after.active))
    if after.phase == before.phase:
        return say("{seat}: done with this phase", seat=Text(seat))
    return say("{side}: {phase} phase", side=Text(after.active), phase=Text(after.phase))


@turn.rule(EndPhase, headline=_ended)
def end_phase(state: State, seat: Seat, meant: EndPhase, ask: Ask) -> State:
    """End the phase; partners end it together (G2-77, G2-155)."""
    players.check_turn(state, seat)
    if meant.phase not in (None, state.phase) or meant.turn not in (None, state.turn):
        raise Refusal(say("That phase is over already."), "G2-77")
    players.check_acting(state, seat)
    if state.phase == "headquarters":
        raise Refusal(say("First take the action points of this turn."), "G2-79")
    if state.phase == "discard" and awaited(state):
        raise Refusal(numbered("First discard down to [most_hand written] cards.", most_hand=MOST_HAND), "G2-122")
    state = state.but(done=(*state.done, seat))
    if awaited(state):
        ask.tell(say("{seat} has ended the {phase} phase", seat=Text(seat), phase=Text(state.phase)), "G2-155")
        return state
    return _go_on(state, ENDED[state.phase], ask)


@turn.rule(Discard, headline=_ended)
def discard(state: State, seat: Seat, action: Discard, ask: Ask) -> State:
    """Discard down to seven cards, those that the player chooses (G2-122, G2-A15)."""
    players.check_phase(state, seat, "discard")
    count = surplus(state, seat)
    if not count:
        raise Refusal(numbered("You hold no more than [most_hand written] cards.", most_hand=MOST_HAND), "G2-122")
    names = {code: card.name for code in action.cards if (card := state.find_card(seat, code))}
    cards = discards.going(action.cards, action.count, lambda code: names.get(code, ""), real=state.real)
    if len(cards) != count:
        text = say("Discard exactly {count} card.|Discard exactly {count} cards.", count=count)
        raise Refusal(text, "G2-122", "cards")
    for code in cards:
        if not state.real or code != FACE_DOWN:
            players.check_held(state, seat, code)
        ask.tell(say("{seat}: {card} discarded", seat=Text(seat), card=players.card_name(state, seat, code)), "G2-122")
        state = players.leave_hand(state, seat, code, discard=True)
    return state if waits(state, "discard") is not None else _go_on(state, "discard", ask)


def begin(state: State, ask: Ask) -> State:
    """Begin the battle: the first turn is that of the side that starts (G2-44, G2-A12)."""
    ask.tell(say("First turn: {side}", side=Text(state.first)), "G2-44")
    return _go_on(victory.start_clock(state.but(turn=1, active=state.first), ask), "end", ask)


def _go_on(state: State, after: Step, ask: Ask) -> State:
    """Play the phases that follow one, until one waits for somebody or the battle is over (G2-77)."""
    state, step = state.but(done=()), following(after)
    if (phase := waits(state, step)) is not None:
        return state.but(phase=phase)
    match step:
        case "start":
            state = tokens.end_effects(state.but(phase="headquarters", ready=(), ceded=False, last=None), ask)
        case "cards":
            state = _draw(state, ask)
        case "movement":
            ask.tell(say("no unit to move"), "G2-77")
        case "fire":
            armed = any(unit.seat in state.acting for unit in state.units)
            ask.tell(say("no enemy in range") if armed else say("no unit to fire"), "G2-77")
        case "flip":
            state = tokens.flip(state, ask)
        case "end":
            state = _end(state, ask)
    return _go_on(state, step, ask) if state.begun else state


def _draw(state: State, ask: Ask) -> State:
    """Draw the cards of the turn (G2-81, G2-156)."""
    count, clause = (1, "G2-156") if paired(state.options, state.active) else (DRAWN, "G2-81")
    for seat in state.acting:
        state = players.draw(state, seat, count, say("cards phase"), ask, clause=clause)
    return state


def _end(state: State, ask: Ask) -> State:
    """End the turn: the other side's begins, unless the battle is over (G2-123)."""
    state = victory.end_of_turn(state, ask)
    if not state.begun:
        return state
    state = state.but(turn=state.turn + 1, active=other(state.active))
    ask.tell(say("The turn passes to the {side}", side=Text(state.active)), "G2-123")
    return state
