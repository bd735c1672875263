"""Phases and rounds: what comes after what, and what is not to be forgotten then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from companion.games.free_table.look import (
    LONGEST_NAMES,
    LONGEST_REMINDER,
    Base,
    Deed,
    Setting,
    fitting,
    followed,
    listed,
    look_fields,
    number,
    text,
    typed,
)
from companion.kit.correction import Tracked
from companion.kit.offer import Field, Offer
from companion.kit.panels import Panel, Phases, Row, Tracker
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.asking import Ask

MOST_ROUNDS = 999
SIGN = ":"
"""What stands between a phase and its reminder where people type them."""


class Steps(Base, frozen=True, tag="phases"):
    """Hold the steps of a round, each with its reminder, where the table is, and how many rounds there are (0: open).

    ``remind`` are reminders by round.
    """

    steps: tuple[tuple[str, str], ...] = ()
    rounds: int = 0
    remind: Mapping[str, str] = {}
    current: int = 0
    round: int = 1


class SetPhases(Setting, frozen=True, tag="set_phases"):
    """Add phases, or change them."""

    steps: Annotated[str, Meta(max_length=LONGEST_NAMES)] = ""
    rounds: Annotated[int, Meta(ge=0, le=MOST_ROUNDS)] = 0
    remind: Annotated[str, Meta(max_length=LONGEST_NAMES)] = ""

    def made(self, old: Steps | None) -> Steps:
        """Make the phases; raise Refusal for a reminder without its round."""
        steps = tuple(
            (fitting(name, "steps"), fitting(reminder, "steps", LONGEST_REMINDER))
            for name, _, reminder in _parted(self.steps, "steps")
        )
        if not all(name for name, _ in steps):
            raise Refusal(say("Each reminder needs its phase: “Fire: count the ammunition”."), field="steps")
        remind = {}
        for round_, sign, reminder in _parted(self.remind, "remind"):
            if not (sign and round_.isascii() and round_.isdigit() and 1 <= int(round_) <= MOST_ROUNDS):
                raise Refusal(say("Begin each reminder with its round: “3: night falls”."), field="remind")
            remind[str(int(round_))] = fitting(reminder, "remind", LONGEST_REMINDER)
        before = old or Steps()
        stands = followed({str(before.current): True}, (name for name, _ in before.steps), (name for name, _ in steps))
        current = int(next(iter(stands), min(before.current, max(len(steps) - 1, 0))))
        return Steps(
            **self.look(old), steps=steps, rounds=self.rounds, remind=remind, current=current, round=before.round
        )


def _parted(sent: str, field: str) -> list[tuple[str, str, str]]:
    parted = [name.partition(SIGN) for name in listed(sent, field, 2 * LONGEST_REMINDER)]
    return [(name.strip(), sign, rest.strip()) for name, sign, rest in parted]


class Next(Deed, frozen=True, tag="next"):
    """Go on to the next step; ``round`` and ``step`` are where the page stood, so that two phones go on once."""

    round: int
    step: int


Action = Next


def fields(old: Steps | None) -> tuple[Field, ...]:
    """Ask for what makes phases."""
    shown = old or Steps()
    name, colour, glyph = look_fields(old)
    steps = ", ".join(f"{name}{SIGN} {reminder}" if reminder else name for name, reminder in shown.steps)
    remind = ", ".join(f"{at}{SIGN} {reminder}" for at, reminder in shown.remind.items())
    of_steps = say("Separated by commas, with a reminder if you like: “Move, Fire: count the ammunition”.")
    of_rounds = say("For example “3: night falls, 6: last round”.")
    return (
        name,
        text("steps", say("Phases of a round"), steps, LONGEST_NAMES, of_steps),
        number("rounds", say("Rounds (0: no end)"), shown.rounds, 0, MOST_ROUNDS),
        text("remind", say("Reminders by round"), remind, LONGEST_NAMES, of_rounds),
        colour,
        glyph,
    )


def fresh(tracker: Steps) -> Steps:
    """Return it as at the start of a game."""
    return msgspec.structs.replace(tracker, current=0, round=1)


def here(tracker: Steps) -> Text:
    """Say where the table is."""
    round_ = (
        say("Round {now} of {last}", now=tracker.round, last=tracker.rounds)
        if tracker.rounds
        else say("Round {now}", now=tracker.round)
    )
    if not tracker.steps:
        return round_
    return say("{round}: {step}", round=round_, step=tracker.steps[tracker.current][0])


def reminders(tracker: Steps) -> tuple[Text, ...]:
    """Say what is not to be forgotten now."""
    of_round = tracker.remind.get(str(tracker.round)) if tracker.current == 0 else None
    of_step = tracker.steps[tracker.current][1] if tracker.steps else ""
    return tuple(typed(words) for words in (of_round, of_step) if words)


def panels(_state: State, tracker: Steps, _seat: str) -> tuple[Panel, ...]:
    """Show the steps of the round, or the round alone; and what to remember."""
    row = Row(f"{tracker.id}.now", tracker.title, here(tracker), current=True)
    remember = tuple(
        Row(f"{tracker.id}.remind.{at}", say("Remember"), words) for at, words in enumerate(reminders(tracker))
    )
    found: list[Panel] = [Tracker(tracker.id, tracker.title, (row, *remember), tracker.colour, tracker.glyph)]
    if tracker.steps:
        found.insert(0, Phases(tracker.title, tuple(typed(name) for name, _ in tracker.steps), tracker.current))
    return tuple(found)


def _next(tracker: Steps) -> Steps | None:
    """Return the phases one step on; None when the last round is over."""
    if tracker.current + 1 < len(tracker.steps):
        return msgspec.structs.replace(tracker, current=tracker.current + 1)
    if tracker.round == (tracker.rounds or MOST_ROUNDS):
        return None
    return msgspec.structs.replace(tracker, current=0, round=tracker.round + 1)


def offers(_state: State, tracker: Steps, _seat: str) -> tuple[Offer, ...]:
    """Offer the next step."""
    after = _next(tracker)
    if after is None:
        return ()
    given = {"tracker": tracker.id, "round": tracker.round, "step": tracker.current}
    what = here(after) if after.round != tracker.round else typed(after.steps[after.current][0])
    return (Offer("next", say("Next: {what}", what=what), given, on=tracker.id),)


def rule(_state: State, tracker: Steps, _seat: str, action: Action, ask: Ask) -> Ruling[Steps]:
    """Go on; raise Refusal when the table has gone on already, or the last round is over."""
    if (action.round, action.step) != (tracker.round, tracker.current):
        raise Refusal(say("The table is already there: {what}", what=here(tracker)))
    after = _next(tracker)
    if after is None:
        raise Refusal(say("That was the last round."))
    for words in reminders(after):
        ask.tell(words)
    return Ruling(after, here(after))


def tracked(_state: State, tracker: Steps) -> tuple[Tracked, ...]:
    """List the round and the step."""
    round_ = number("value", say("Round"), tracker.round, 1, tracker.rounds or MOST_ROUNDS)
    found = [Tracked(f"{tracker.id}.round", tracker.title, round_)]
    if tracker.steps:
        step = number("value", say("Phase"), tracker.current + 1, 1, len(tracker.steps))
        found.append(Tracked(f"{tracker.id}.step", tracker.title, step))
    return tuple(found)


def correct(_state: State, tracker: Steps, part: str, value: str, _ask: Ask) -> Steps:
    """Set the round or the step."""
    if part == "round":
        return msgspec.structs.replace(tracker, round=int(value))
    return msgspec.structs.replace(tracker, current=int(value) - 1)
