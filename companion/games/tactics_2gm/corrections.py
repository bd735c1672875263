"""Corrections: every tracked value can be set by hand; the people at the table outrank the app."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from companion.games.tactics_2gm import corrected_cards, corrected_ground, corrected_units, goals, lasting, turn
from companion.games.tactics_2gm.sides import SIDES, paired, seats_of, side_of
from companion.games.tactics_2gm.state import TURN_PHASES
from companion.kit.asking import Option
from companion.kit.corrected import choice, yes_no
from companion.kit.correction import Tracked, written
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.pieces import Unit
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import Phase, State
    from companion.kit.asking import Ask

NOBODY = "none"
GAME = say("The game")
MOST_AP = 99
MOST_ROUNDS = 999
MOST_LOST = 999
LAST = say("The last one says so himself: then it goes on.")
HANDS = {
    "looking": say("not settled yet"),
    "kept": say("kept as dealt"),
    "changed": say("changed once, and kept"),
}


def tracked(state: State) -> tuple[Tracked, ...]:
    """List every value that can be corrected by hand; of a battle that is over only who won, which reopens it."""
    if state.phase == "finished":
        return (Tracked("game.winner", GAME, _winner(state)),)
    return (
        *corrected_units.tracked(state),
        *corrected_ground.tracked(state),
        *corrected_cards.tracked(state),
        *(Tracked(f"game.{part}", GAME, field) for part, field in _fields(state).items()),
    )


def _fields(state: State) -> dict[str, Field]:
    fields: dict[str, Field] = {}
    if state.phase != "decks":
        for seat in state.seats:
            label = say("AP of {seat}", seat=Text(seat))
            have = state.ap.get(seat, 0)
            fields[f"ap.{seat}"] = Field("value", label, "number", value=have, high=max(MOST_AP, have))
    for side in SIDES:
        if paired(state.options, side):
            options = tuple(Option(seat, Text(seat)) for seat in seats_of(state.options, side))
            fields[f"marshal.{side}"] = choice(
                say("Field marshal of the {side}", side=Text(side)), options, state.leader(side)
            )
    return fields | (_battle(state) if state.begun else _before(state))


def _before(state: State) -> dict[str, Field]:
    """List what the table waits for before the first turn, and what was bid."""
    match state.phase:
        case "decks":
            return {
                f"ready.{seat}": yes_no(say("{seat}: the deck is ready", seat=Text(seat)), value=seat in state.ready)
                for seat in state.seats
            }
        case "mulligan":
            options = tuple(Option(one, label) for one, label in HANDS.items())
            settled = {
                f"hand.{seat}": choice(say("First hand of {seat}", seat=Text(seat)), options, _hand(state, seat))
                for seat in state.seats
            }
            return settled | {"first": _first(state)}
    fields: dict[str, Field] = {"first": _first(state)}
    for side in SIDES:
        label = say("{side}: still lays terrain", side=Text(side))
        fields[f"lays.{side}"] = yes_no(label, value=side in state.laying)
        left = state.budget.get(side, 0)
        label = say("{side}: left of the bid", side=Text(side))
        fields[f"budget.{side}"] = Field("value", label, "number", value=left, high=max(MOST_AP, left))
    return fields


def _first(state: State) -> Field:
    return choice(say("Who starts"), tuple(Option(side, Text(side)) for side in SIDES), state.first)


def _hand(state: State, seat: Seat) -> str:
    deck = state.deck(seat)
    return "looking" if not deck.kept else "changed" if deck.mulligan else "kept"


def _winner(state: State) -> Field:
    options = (
        Option(NOBODY, say("nobody yet")),
        *(Option(side, Text(side)) for side in SIDES),
        Option("draw", say("a draw")),
    )
    return choice(say("Winner"), options, state.winner or NOBODY)


def _battle(state: State) -> dict[str, Field]:
    """List the turn and what is counted over the battle."""
    phases = tuple(
        Option(phase, Text(phase))
        for phase in TURN_PHASES
        if phase in ("headquarters", "deployment", state.phase) or turn.waits(state, turn.ENDED[phase]) is not None
    )
    fields = {
        "phase": choice(say("Phase"), phases, state.phase),
        "active": choice(say("Whose turn it is"), tuple(Option(side, Text(side)) for side in SIDES), state.active),
        "round": Field(
            "value", say("Turn of each side"), "number", value=state.round, low=1, high=max(MOST_ROUNDS, state.round)
        ),
        "winner": _winner(state),
    }
    if paired(state.options, state.active):
        label = say("The field marshal has given the AP of this turn")
        fields["ceded"] = yes_no(label, value=state.ceded)
        for seat in state.acting if state.phase in ("movement", "deployment", "fire") else ():
            label = say("{seat} has ended the {phase} phase", seat=Text(seat), phase=Text(state.phase))
            fields[f"done.{seat}"] = yes_no(label, value=seat in state.done)
    for side in SIDES:
        lost = state.lost.get(side, 0)
        label = say("Units that the {side} lost", side=Text(side))
        fields[f"lost.{side}"] = Field("value", label, "number", value=lost, high=max(MOST_LOST, lost))
    for at, goal in enumerate(goals.listed(state)):
        label = say("{side}: goal reached, {goal}", side=Text(goal.side), goal=goals.said(state, goal))
        fields[f"goal.{at}"] = yes_no(label, value=at in state.goals)
    if state.options.time_limit_minutes:
        left = (
            Option(NOBODY, say("the clock still runs")),
            *(Option(str(one), say("{count}", count=one)) for one in (2, 1)),
        )
        value = NOBODY if state.last_turns is None else str(state.last_turns)
        fields["last_turns"] = choice(say("Turns left since the time is up"), left, value)
    return fields


def correct(state: State, path: str, value: str, ask: Ask) -> State:
    """Set one tracked value, which the table has read; raise Refusal when it can not be that just now."""
    before = next(entry for entry in tracked(state) if entry.path == path)
    if written(before.field) == value:
        return state
    group, _, rest = path.partition(".")
    match group:
        case "unit" | "back":
            return corrected_units.correct(state, group, rest, value)
        case "hq" | "ground" | "laying" | "natural":
            return corrected_ground.correct(state, group, rest, value)
        case "cards":
            return corrected_cards.correct(state, rest, value, ask)
    part, _, which = rest.partition(".")
    if which:
        return _correct_one(state, part, which, value)
    return _correct_game(state, part, value, ask)


def _correct_one(state: State, part: str, which: str, value: str) -> State:
    """Set a value that there is for each seat, side or goal."""
    ticked = value == "true"
    if part == "goal":
        return state.but(goals=tuple(sorted({*state.goals, int(which)} if ticked else {*state.goals} - {int(which)})))
    side = side_of(cast("Seat", which))
    match part:
        case "ap":
            return state.with_ap(cast("Seat", which), int(value))
        case "marshal":
            return _correct_marshal(state, side, cast("Seat", value))
        case "ready":
            return _correct_ready(state, which, ticked=ticked)
        case "done":
            return _correct_done(state, which, ticked=ticked)
        case "hand":
            return _correct_hand(state, cast("Seat", which), value)
        case "lays":
            return _correct_laying(state, side, ticked=ticked)
        case "budget":
            return state.but(budget={**state.budget, side: int(value)})
    return state.but(lost={**state.lost, side: int(value)})


def _correct_marshal(state: State, side: Side, marshal: Seat) -> State:
    """Say who leads a pair; before the battle both look at their decks again, whose limits it may change (G2-150)."""
    pair = seats_of(state.options, side)
    ready = tuple(one for one in state.ready if one not in pair)
    return state.but(marshal={**state.marshal, side: marshal}, ready=ready)


def _correct_ready(state: State, seat: str, *, ticked: bool) -> State:
    """Say that a player is not ready yet; whether a deck can be played is nobody else's business."""
    if ticked:
        raise Refusal(say("Each player says so himself."), "G2-06", "value")
    return state.but(ready=tuple(one for one in state.ready if one != seat))


def _correct_done(state: State, seat: str, *, ticked: bool) -> State:
    """Say who has ended the phase; the last one does so himself, for then it goes on (G2-155)."""
    done = tuple(one for one in state.acting if (ticked if one == seat else one in state.done))
    if len(done) == len(state.acting):
        raise Refusal(LAST, "G2-77", "value")
    return state.but(done=done)


def _correct_hand(state: State, seat: Seat, value: str) -> State:
    after = state.with_deck(seat, kept=value != "looking", mulligan=value == "changed")
    if all(after.deck(one).kept for one in state.seats):
        raise Refusal(LAST, "G2-77", "value")
    return after


def _correct_laying(state: State, side: Side, *, ticked: bool) -> State:
    order = (state.first, *(one for one in SIDES if one != state.first))
    laying = tuple(one for one in order if (ticked if one == side else one in state.laying))
    if not laying:
        raise Refusal(LAST, "G2-77", "value")
    return state.but(laying=laying)


def _correct_game(state: State, part: str, value: str, ask: Ask) -> State:
    match part:
        case "phase":
            return state.but(phase=cast("Phase", value), done=(), last=None)
        case "active":
            return _correct_active(state, cast("Side", value), ask)
        case "round":
            return _correct_round(state, int(value))
        case "winner":
            return _correct_winner(state, value)
        case "first":
            first = cast("Side", value)
            return state.but(first=first, laying=tuple(sorted(state.laying, key=lambda side: side != first)))
        case "ceded":
            return state.but(ceded=value == "true")
    return state.but(last_turns=None if value == NOBODY else int(value))


def _correct_active(state: State, side: Side, ask: Ask) -> State:
    """Begin the turn of the other side in the same round (G2-77, G2-78)."""
    number = 2 * state.round - (side == state.first)
    state = state.but(active=side, turn=number, phase="headquarters", done=(), ceded=False, last=None)
    return lasting.end_effects(state, ask)


def _correct_round(state: State, number: int) -> State:
    """Count the turns on from another number; what was noted with its turn keeps its age (G2-120)."""
    later = 2 * (number - state.round)

    def aged(unit: Unit) -> Unit:
        tokens = tuple(
            token if token.used is None else replace(token, used=max(0, token.used + later)) for token in unit.tokens
        )
        deployed = max(0, unit.deployed + later) if unit.deployed else 0
        return replace(unit, tokens=tokens, deployed=deployed)

    return state.but(turn=state.turn + later, units=tuple(map(aged, state.units)))


def _correct_winner(state: State, value: str) -> State:
    """Say who won; a battle that nobody has won yet goes on in the fire phase, or where it stood before it began."""
    if value != NOBODY:
        return state.but(winner=value, how=None, phase="finished", done=())
    # In a pitched battle a headquarters without impact points would have lost again at once.
    for one in state.headquarters if state.options.mode == "pitched" else ():
        state = state.with_hq(one.id, pi=max(1, one.pi))
    phase = "fire" if state.turn else _phase_before(state)
    return state.but(winner=None, how=None, phase=phase, done=(), last_turns=state.last_turns or None)


def _phase_before(state: State) -> Phase:
    """Return the phase before the first turn in which somebody gave up."""
    if not state.headquarters:
        return "decks"
    return "terrain" if state.laying else "mulligan"
