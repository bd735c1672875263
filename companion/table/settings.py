"""Settings of a table that its rulekeeper changes in play; each change stands in the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from companion.kit.game import RULEKEEPER
from companion.kit.text import Text, say
from companion.table.problem import Problem
from companion.table.seat_view import DiceMode
from companion.table.validation import TITLE_LENGTH, name

if TYPE_CHECKING:
    from companion.table.records import Entry
    from companion.table.session import Session


class Throwing(NamedTuple):
    """Name a way of throwing dice: what it is called, what it means, and what the log says when it is chosen."""

    mode: DiceMode
    name: Text
    meaning: Text
    chosen: Text


DICE = (
    Throwing(
        "app",
        say("Companion rolls"),
        say("One tap, and the dice are on every phone."),
        say("Companion rolls the dice."),
    ),
    Throwing(
        "typed",
        say("We roll"),
        say("You throw real dice and tap the faces."),
        say("You roll the dice and type the faces."),
    ),
    Throwing(
        "ask",
        say("Ask each time"),
        say("Roll or tap, whoever throws decides."),
        say("Who throws the dice is asked at each throw."),
    ),
)


def throwing(mode: str) -> Throwing:
    """Find a way of throwing dice; raise Problem (400) when there is no such way."""
    for known in DICE:
        if known.mode == mode:
            return known
    raise Problem(400, say("Dice are rolled by Companion, typed, or asked for each time."), "dice")


def set_dice(sitting: Session, mode: str) -> Entry:
    """Change who throws the dice."""
    wanted = throwing(mode)
    sitting.row.dice = wanted.mode
    return sitting.append("setting", RULEKEEPER, wanted.chosen)


def pause(sitting: Session, *, on: bool) -> Entry | None:
    """Pause the table or go on; None when that is how it is already."""
    if sitting.row.paused == on:
        return None
    sitting.row.paused = on
    _put_anew(sitting)
    told = say("The table is paused.") if on else say("The table goes on.")
    return sitting.append("setting", RULEKEEPER, told, setting="paused" if on else "resumed")


def _put_anew(sitting: Session) -> None:
    """Let the time that a question waits begin again: none of it passes while nobody may answer."""
    if sitting.row.held is not None:
        sitting.row.held = msgspec.structs.replace(sitting.row.held, put=sitting.now)


def end(sitting: Session, *, on: bool) -> Entry | None:
    """End the table, or open it again; None when that is how it is already."""
    if sitting.row.ended == on:
        return None
    sitting.row.ended = on
    _put_anew(sitting)
    told = say("The table ends here.") if on else say("The table is open again.")
    return sitting.append("setting", RULEKEEPER, told, setting="ended" if on else "reopened")


def retitle(sitting: Session, title: str) -> None:
    """Change what the table is called."""
    sitting.row.title = name(title, TITLE_LENGTH, "title")
