"""Phases and rounds: what comes after what, and what is not to be forgotten then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta

from companion.games.free_table.kinds import Deed, Kind, Setting, Table, Tracker
from companion.games.free_table.names import LONGEST_REMINDER, Listed, fitting, followed, listed, typed
from companion.kit.action import Offer
from companion.kit.asking import Ask
from companion.kit.correction import Correction
from companion.kit.panels import Panel, Phases, Row
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

MOST_ROUNDS = 999
SIGN = ":"
"""What stands between a phase and its reminder where people type them."""


class Steps(Tracker, frozen=True, tag="phases"):
    """The steps of a round, each with its reminder, where the table is, and how many rounds there are (0: open).

    ``remind`` are reminders by round.
    """

    steps: tuple[tuple[str, str], ...] = ()
    rounds: int = 0
    remind: Mapping[str, str] = {}
    current: int = 0
    round: int = 1

    @property
    def last(self) -> int:
        """Return the last round that there can be."""
        return self.rounds or MOST_ROUNDS

    @property
    def here(self) -> Text:
        """Say where the table is."""
        now = say("Round {now}", now=self.round)
        if self.rounds:
            now = say("Round {now} of {last}", now=self.round, last=self.rounds)
        return say("{round}: {step}", round=now, step=self.steps[self.current][0]) if self.steps else now

    @property
    def reminders(self) -> tuple[Text, ...]:
        """Say what is not to be forgotten now."""
        of_round = self.remind.get(str(self.round)) if self.current == 0 else None
        of_step = self.steps[self.current][1] if self.steps else ""
        return tuple(typed(words) for words in (of_round, of_step) if words)

    @property
    def following(self) -> Steps | None:
        """Return the phases one step on; None when the last round is over."""
        if self.current + 1 < len(self.steps):
            return self.but(current=self.current + 1)
        return None if self.round == self.last else self.but(current=0, round=self.round + 1)


class SetPhases(Setting[Steps], frozen=True, tag="set_phases"):
    """Add phases, or change them."""

    steps: Annotated[
        Listed,
        Meta(
            title="Phases of a round",
            description="Separated by commas, with a reminder if you like: “Move, Fire: count the ammunition”.",
        ),
    ] = ""
    rounds: Annotated[int, Meta(title="Rounds (0: no end)", ge=0, le=MOST_ROUNDS)] = 0
    remind: Annotated[
        Listed, Meta(title="Reminders by round", description="For example “3: night falls, 6: last round”.")
    ] = ""

    def made(self, old: Steps) -> Steps:
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
        stands = followed({str(old.current): True}, (name for name, _ in old.steps), (name for name, _ in steps))
        current = int(next(iter(stands), min(old.current, max(len(steps) - 1, 0))))
        return self.onto(old, steps=steps, remind=remind, current=current)


def _parted(sent: str, field: str) -> list[tuple[str, str, str]]:
    parted = [name.partition(SIGN) for name in listed(sent, field, 2 * LONGEST_REMINDER)]
    return [(name.strip(), sign, rest.strip()) for name, sign, rest in parted]


class Next(Deed, frozen=True, tag="next"):
    """Go on to the next step; ``round`` and ``step`` are where the page stood, so that two phones go on once."""

    round: int
    step: int


def _typed(phases: Steps) -> dict[str, Any]:
    steps = (f"{name}{SIGN} {reminder}" if reminder else name for name, reminder in phases.steps)
    remind = (f"{at}{SIGN} {reminder}" for at, reminder in phases.remind.items())
    return {"steps": ", ".join(steps), "remind": ", ".join(remind)}


phases = Kind(Steps, SetPhases, fresh=lambda phases: phases.but(current=0, round=1), typed=_typed)


@phases.panels_for_all
def panels(_table: Table, phases: Steps) -> Iterator[Panel]:
    """Show the steps of the round, or the round alone; and what to remember."""
    if phases.steps:
        yield Phases(phases.title, tuple(typed(name) for name, _ in phases.steps), phases.current)
    remember = (Row(f"{phases.id}.remind.{at}", say("Remember"), words) for at, words in enumerate(phases.reminders))
    yield phases.panel((Row(f"{phases.id}.now", phases.title, phases.here, current=True), *remember))


@phases.offers_to_all
def offers(_table: Table, phases: Steps) -> Iterator[Offer]:
    """Offer the next step."""
    if (after := phases.following) is not None:
        what = after.here if after.round != phases.round else typed(after.steps[after.current][0])
        label = say("Next: {what}", what=what)
        on = phases.id
        yield Next.offer(label, on=on, ends=True, tracker=on, round=phases.round, step=phases.current)


@phases.rule(Next)
def go_on(_table: Table, phases: Steps, _seat: str, action: Next, ask: Ask) -> Ruling[Steps]:
    """Go on; raise Refusal when the table has gone on already, or the last round is over."""
    if (action.round, action.step) != (phases.round, phases.current):
        raise Refusal(say("The table is already there: {what}", what=phases.here))
    after = phases.following
    if after is None:
        raise Refusal(say("That was the last round."))
    for words in after.reminders:
        ask.tell(words)
    return Ruling(after, after.here)


@phases.corrections
def corrections(_table: Table, phases: Steps) -> Iterator[Correction[Steps]]:
    """List the round and the step."""
    group = phases.corrections
    now, last = phases.round, phases.last
    yield group.number("round", say("Round"), now, lambda number: phases.but(round=number), low=1, high=last)
    if phases.steps:
        step, most = phases.current + 1, len(phases.steps)
        yield group.number("step", say("Phase"), step, lambda at: phases.but(current=at - 1), low=1, high=most)
