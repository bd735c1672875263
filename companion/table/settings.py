"""Settings of a table that its rulekeeper changes in play; each change stands in the log."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from companion.kit.game import RULEKEEPER
from companion.kit.text import Text, say
from companion.table.problem import Problem
from companion.table.records import Entry, Setting
from companion.table.session import Session
from companion.table.validation import TITLE_LENGTH, tidy_name
from companion.table.view_models import DiceMode


class DiceSetting(NamedTuple):
    """A way of throwing dice: what it is called, what it means, and what the log says when it is chosen."""

    mode: DiceMode
    name: Text
    meaning: Text
    chosen: Text


DICE = (
    DiceSetting(
        "app",
        say("Companion rolls"),
        say("One tap, and the dice are on every phone."),
        say("Companion rolls the dice."),
    ),
    DiceSetting(
        "typed",
        say("We roll"),
        say("You roll real dice and tap the faces."),
        say("You roll the dice and type the faces."),
    ),
    DiceSetting(
        "ask",
        say("Ask each time"),
        say("Roll or tap: whoever rolls decides."),
        say("Who rolls the dice is asked at each roll."),
    ),
)


def dice_setting(mode: str) -> DiceSetting:
    """Find a way of throwing dice; raise Problem (400) when there is no such way."""
    for setting in DICE:
        if setting.mode == mode:
            return setting
    raise Problem(400, say("Dice are rolled by Companion, typed, or asked for each time."), "dice")


def set_dice(session: Session, mode: str) -> Entry:
    """Change who throws the dice."""
    setting = dice_setting(mode)
    session.row.dice = setting.mode
    return session.append("setting", RULEKEEPER, setting.chosen)


def pause(session: Session, *, on: bool) -> Entry | None:
    """Pause the table or go on; None when that is how it is already."""
    if session.row.paused == on:
        return None
    session.row.paused = on
    headline = say("The table is paused.") if on else say("The table goes on.")
    return _log_halt(session, headline, "paused" if on else "resumed")


def end(session: Session, *, on: bool) -> Entry | None:
    """End the table, or open it again; None when that is how it is already."""
    if session.row.ended == on:
        return None
    session.row.ended = on
    headline = say("The table ends here.") if on else say("The table is open again.")
    return _log_halt(session, headline, "ended" if on else "reopened")


def _log_halt(session: Session, headline: Text, setting: Setting) -> Entry:
    if session.row.held is not None:
        # The time that a question waits begins again: none of it passes while nobody may answer.
        session.row.held = msgspec.structs.replace(session.row.held, put=session.now)
    return session.append("setting", RULEKEEPER, headline, setting=setting)


def retitle(session: Session, title: str) -> None:
    """Change what the table is called."""
    session.row.title = tidy_name(title, TITLE_LENGTH, "title")
