"""Dash: two runners, one die."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.kit.asking import Ask
from companion.kit.questions import Option
from companion.kit.game import Chart, Field, Lookup, Offer, Role, Tracked
from companion.kit.panels import Facts, View
from companion.kit.rulebook import Rulebook, load, load_words
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

SEATS = ("north", "south")


class Options(msgspec.Struct, frozen=True):
    """Dash has no options."""


class State(msgspec.Struct, frozen=True):
    """Who is where, and who runs next."""

    steps: dict[str, int]
    runner: str
    winner: str | None = None


class Run(msgspec.Struct, frozen=True, tag_field="action", tag="run"):
    """Run with one die or two."""


class GiveUp(msgspec.Struct, frozen=True, tag_field="action", tag="give_up"):
    """Give the race up."""


def run(state: State, seat: str, ask: Ask) -> State:
    """Run (DASH-1), push on if wished (DASH-2), and see who won (DASH-3)."""
    faces = ask.throw(1, 6, "run", say("Run with one die"), by=seat)
    ask.tell(say("steps"), "DASH-1", faces[0], faces=faces)
    steps = state.steps[seat] + faces[0]
    choices = (Option("stop", say("Stop here")), Option("push", say("Push on")))
    if steps < 20 and ask.choose(seat, choices, "push", say("Push on?")) == "push":
        faces = ask.throw(1, 6, "second", say("Push on with a second die"), by=seat)
        tripped = faces[0] == 1
        ask.tell(say("tripped: back to the start") if tripped else say("steps"), "DASH-2", faces[0], faces=faces)
        steps = 0 if tripped else steps + faces[0]
    other = SEATS[1 - SEATS.index(seat)]
    return State({**state.steps, seat: steps}, other, seat if steps >= 20 else None)


class Dash:
    """Be the game."""

    slug = "dash"
    name = say("Dash")
    summary = say("Two runners, one die.")
    rulebook = load(__name__, "rulebook.toml", Rulebook)
    words = load_words(__name__, rulebook)
    options = Options
    state = State
    actions = Run | GiveUp
    lookups: dict[str, Lookup] = {}

    def roles(self, options: Options) -> tuple[Role, ...]:
        return tuple(Role(seat, Text(seat)) for seat in SEATS)

    def setup(self, options: Options, ask: Ask) -> Ruling[State]:
        return Ruling(State({"north": 0, "south": 0}, "north"), say("Ready, steady"))

    def offers(self, state: State, seat: str) -> tuple[Offer, ...]:
        if state.winner or seat not in SEATS:
            return ()
        run = (Offer("run", say("Run"), main=True),) if seat == state.runner else ()
        return (*run, Offer("give_up", say("Give up"), grave=True))

    def rule(self, state: State, seat: str, action: Run | GiveUp, ask: Ask) -> Ruling[State]:
        if state.winner:
            raise Refusal(say("The race is over."), "DASH-3")
        if isinstance(action, GiveUp):
            after = msgspec.structs.replace(state, winner=SEATS[1 - SEATS.index(seat)])
        elif seat != state.runner:
            raise Refusal(say("It is not your turn."), "DASH-1")
        else:
            after = run(state, seat, ask)
        return Ruling(after, self.headline(after, seat), tuple(ask.reasons))

    def headline(self, state: State, seat: str) -> Text:
        if state.winner:
            return say("{runner} wins.", runner=Text(state.winner))
        count = state.steps[seat]
        return say("{runner} stands at {count} step.|{runner} stands at {count} steps.", runner=Text(seat), count=count)

    def view(self, state: State, seat: str) -> View:
        rows = tuple((Text(name), say("{count}", count=steps)) for name, steps in state.steps.items())
        headline = (
            say("{runner} wins.", runner=Text(state.winner))
            if state.winner
            else say("{runner} runs.", runner=Text(state.runner))
        )
        to_move = () if state.winner else (state.runner,)
        return View(headline, to_move, (Facts(say("Steps"), rows),), over=state.winner is not None)

    def foresee(self, state: State, seat: str, action: Run | GiveUp) -> tuple[Chart, ...]:
        return ()

    def tracked(self, state: State) -> tuple[Tracked, ...]:
        return tuple(
            Tracked(
                f"steps.{seat}",
                say("Steps"),
                Field("value", say("{runner}'s steps", runner=Text(seat)), "number", value=steps, high=25),
            )
            for seat, steps in state.steps.items()
        )

    def correct(self, state: State, path: str, value: str, ask: Ask) -> State:
        steps = {**state.steps, path.removeprefix("steps."): int(value)}
        winner = next((runner for runner, count in steps.items() if count >= 20), None)
        return msgspec.structs.replace(state, steps=steps, winner=winner)


GAME: Any = Dash()
