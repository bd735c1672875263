"""Corrections: every tracked value can be set by hand; the people at the table outrank the app (ledger 5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from companion.games.history_of_war import (
    conquest,
    construction,
    corrected_battle,
    corrected_cards,
    corrected_decks,
    damage,
    declaring,
    speech,
    waiting,
)
from companion.games.history_of_war.phases import ROUND, STEPS
from companion.games.history_of_war.sides import SEATS
from companion.kit.asking import Option
from companion.kit.corrected import choice, yes_no
from companion.kit.correction import Tracked, written
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.phases import Phase
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask

NOBODY = "none"
GAME = say("The game")
LANDS = say("The territories")
MOST_POINTS = 99
MOST_ROUNDS = 999
LAST = say("The last one says so himself: then it goes on.")
HIMSELF = say("Each player says so himself.")
HANDS = {
    "looking": say("not settled yet"),
    "kept": say("kept as dealt"),
    "changed": say("changed once, and kept"),
}
PLAYERS = tuple(Option(seat, Text(seat)) for seat in SEATS)


def tracked(state: State) -> tuple[Tracked, ...]:
    """List every value that can be corrected by hand; of a game that is over only who won, which reopens it."""
    if state.phase == "finished":
        return (Tracked("game.winner", GAME, _winner(state)),)
    return (
        *corrected_cards.tracked(state),
        *_lands(state),
        *corrected_battle.tracked(state),
        *corrected_decks.tracked(state),
        *(Tracked(f"game.{part}", GAME, field) for part, field in _fields(state).items()),
    )


def _lands(state: State) -> list[Tracked]:
    """List who has conquered which territory."""
    options = (Option(NOBODY, say("nobody yet")), *PLAYERS)
    return [
        Tracked(
            f"territory.{one.id}.conqueror",
            speech.territory(state, one),
            choice(say("Conquered by"), options, one.conqueror or NOBODY),
            part=LANDS,
        )
        for one in state.territories
    ]


def _fields(state: State) -> dict[str, Field]:
    match state.phase:
        case "decks":
            return {
                f"ready.{seat}": yes_no(say("{seat}: the deck is ready", seat=Text(seat)), value=seat in state.ready)
                for seat in SEATS
            }
        case "mulligan":
            options = tuple(Option(one, label) for one, label in HANDS.items())
            settled = {
                f"hand.{seat}": choice(say("First hand of {seat}", seat=Text(seat)), options, _hand(state, seat))
                for seat in SEATS
            }
            return settled | {"attacker": _attacker(state)}
    return {
        "phase": choice(say("Phase"), tuple(Option(step.id, Text(step.id)) for step in ROUND), state.phase),
        "attacker": _attacker(state),
        "round": Field("value", say("Round"), "number", value=state.round, low=1, high=max(MOST_ROUNDS, state.round)),
        **{f"points.{seat}": _points(state, seat) for seat in SEATS},
        "winner": _winner(state),
        **_word(state),
    }


def _points(state: State, seat: Seat) -> Field:
    """Ask for a player's victory points: those of his territories, and what was added by hand (HW-100)."""
    label, now = say("Victory points of {seat}", seat=Text(seat)), state.victory_points(seat)
    won = now - state.points.get(seat, 0)
    return Field("value", label, "number", value=now, low=won - MOST_POINTS, high=won + MOST_POINTS)


def _attacker(state: State) -> Field:
    return choice(say("Attacker of the round"), PLAYERS, state.attacker)


def _hand(state: State, seat: Seat) -> str:
    deck = state.deck(seat)
    return "looking" if not deck.kept else "changed" if deck.mulligan else "kept"


def _winner(state: State) -> Field:
    options = (Option(NOBODY, say("nobody yet")), *PLAYERS, Option("draw", say("a draw")))
    return choice(say("Winner"), options, state.winner or NOBODY)


def _word(state: State) -> dict[str, Field]:
    """List who is content with the phase, and who has done what may be done once in it (HW-32, HW-38, HW-44)."""
    fields: dict[str, Field] = {}
    for seat in SEATS:
        if state.phase == "base_expansion":
            label = say("{seat} has put a base expansion down in this round", seat=Text(seat))
            fields[f"expanded.{seat}"] = yes_no(label, value=state.expanded.get(seat) == state.round)
        if state.phase == "construction":
            label = say("{seat} has finished building", seat=Text(seat))
            fields[f"built.{seat}"] = yes_no(label, value=state.plan(seat).built)
        if seat in waiting.agreeing(state):
            label = say("{seat} is content with the phase", seat=Text(seat))
            fields[f"done.{seat}"] = yes_no(label, value=seat in state.done)
        label = say("{seat} is content until needed", seat=Text(seat))
        fields[f"content.{seat}"] = yes_no(label, value=seat in state.content)
        if not state.options.step_by_step:
            label = say("{seat} stops at every phase", seat=Text(seat))
            fields[f"holding.{seat}"] = yes_no(label, value=seat in state.holding)
    return fields


def correct(state: State, path: str, value: str, ask: Ask) -> State:
    """Set one tracked value, which the table has read; raise Refusal when it can not be that just now."""
    before = next(entry for entry in tracked(state) if entry.path == path)
    if written(before.field) == value:
        return state
    group, *names = path.split(".")
    match group:
        case "card":
            return corrected_cards.correct(state, state.played(names[0]), ".".join(names[1:]), value)
        case "attack":
            return corrected_battle.correct(state, state.played(names[0]), ".".join(names[1:]), value)
        case "battle":
            return corrected_battle.correct_battle(state, names[0], value)
        case "cards":
            return corrected_decks.correct(state, cast("Seat", names[0]), names[1], value, ask)
        case "territory":
            return _correct_conqueror(state, names[0], None if value == NOBODY else cast("Seat", value))
    return _correct_game(state, names[0], value) if len(names) == 1 else _correct_one(state, names, value)


def _correct_conqueror(state: State, name: str, seat: Seat | None) -> State:
    """Say who has conquered a territory: what the other has there leaves it as after a conquest (HW-92, HW-94)."""
    state = state.with_territory(name, conqueror=None).but(last=None)
    for card in state.cards:
        state = declaring.withdrawn(state, card) if card.place == name else state
    return state if seat is None else conquest.vacated(state, name, seat).with_territory(name, conqueror=seat)


def _correct_game(state: State, part: str, value: str) -> State:
    match part:
        case "phase":
            return _correct_phase(state, cast("Phase", value))
        case "attacker":
            # Attacks that were declared are those of the other player now: they are withdrawn.
            state = damage.wear_off(state) if state.begun else state
            return state.but(attacker=cast("Seat", value), done=(), content=(), last=None)
        case "round":
            number = int(value)
            now = {seat: number for seat, at in state.expanded.items() if at == state.round}
            return state.but(round=number, expanded=now)
    return _correct_winner(state, value)


def _correct_phase(state: State, phase: Phase) -> State:
    """Go on in another phase; attacks stand within their half of the battle, what lies face down is taken back."""
    if STEPS[phase].half != STEPS[state.phase].half or state.struck:
        state = damage.wear_off(state)
    return construction.begin(state).but(phase=phase, done=(), content=(), struck=False, last=None)


def _correct_winner(state: State, value: str) -> State:
    """Say who won; a game that nobody has won yet goes on in the final phase, or where it stood before it began.

    Where cards lie face down it goes on with what is built, since nobody has seen them (HW-43).
    """
    if value != NOBODY:
        return state.but(winner=value, how=None, phase="finished", done=())
    before: Phase = "mulligan" if state.decks else "decks"
    laid = any(state.plan(seat).laid for seat in SEATS)
    phase: Phase = before if not state.round else "construction" if laid else "final"
    return state.but(winner=None, how=None, phase=phase, done=(), content=())


def _correct_one(state: State, names: list[str], value: str) -> State:
    """Set a value that there is for each player."""
    part, seat, ticked = names[0], cast("Seat", names[1]), value == "true"
    match part:
        case "ready":
            if ticked:
                raise Refusal(HIMSELF, "HW-20", "value")
            return state.but(ready=tuple(one for one in state.ready if one != seat))
        case "hand":
            return _settled(state.with_deck(seat, kept=value != "looking", mulligan=value == "changed"))
        case "points":
            won = state.victory_points(seat) - state.points.get(seat, 0)
            return state.but(points={**state.points, seat: int(value) - won})
        case "expanded":
            others = {one: at for one, at in state.expanded.items() if one != seat}
            return state.but(expanded=others | ({seat: state.round} if ticked else {}))
        case "built":
            if ticked:
                raise Refusal(HIMSELF, "HW-44", "value")
            return state.with_plan(seat, built=False, lock=())
        case "done":
            first = waiting.unfinished(state) if ticked else None
            if first is not None:
                raise Refusal(first.text, first.clause, "value")
            done = tuple(one for one in SEATS if (ticked if one == seat else one in state.done))
            return _waits(state.but(done=done))
    return _wished(state, part, seat, ticked=ticked)


def _wished(state: State, part: str, seat: Seat, *, ticked: bool) -> State:
    """Say who is content until needed and who stops at every phase: nobody wishes both (HW-32, HW-A09)."""
    wishes = {
        name: tuple(one for one in SEATS if one in getattr(state, name) and one != seat)
        for name in (("content", "holding") if ticked else (part,))
    }
    state = state.but(**wishes)
    if ticked:
        state = state.but(**{part: tuple(one for one in SEATS if one == seat or one in wishes[part])})
    return _waits(state)


def _settled(state: State) -> State:
    if all(state.deck(seat).kept for seat in SEATS):
        raise Refusal(LAST, "HW-25", "value")
    return state


def _waits(state: State) -> State:
    """Return the state if it still waits for somebody; the last one says himself that he is content (HW-32)."""
    if waiting.agreed(state):
        raise Refusal(LAST, "HW-32", "value")
    return state
