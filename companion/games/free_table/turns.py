"""What can be done with a turn order: what people send, and how the names among it are read."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.free_table.initiative import LONGEST_DICE, One, Order, counts, signed
from companion.games.free_table.look import (
    LONGEST_NAME,
    LONGEST_NAMES,
    MOST,
    MOST_NAMES,
    Deed,
    Setting,
    fitting,
    listed,
)
from companion.kit.dice.reading import read
from companion.kit.ruling import Refusal
from companion.kit.text import say

MOST_BONUS = 99
_BONUS = re.compile(r"(.+) ([+−-])([0-9]{1,2})")
How = Literal["waits", "now", "skips", "out", "in"]


class SetOrder(Setting, frozen=True, tag="set_order"):
    """Add a turn order, or change one."""

    names: Annotated[str, Meta(max_length=LONGEST_NAMES)] = ""
    players: bool = True
    dice: Annotated[str, Meta(max_length=LONGEST_DICE)] = "d20"

    def made(self, old: Order | None) -> Order:
        """Make the order: who is named again keeps score and place; raise Refusal for dice that give no number."""
        before = old or Order()
        known = {one.name: one for one in before.line if one.name}
        named = sent(self.names)
        stay = tuple(
            msgspec.structs.replace(one, bonus=named[one.name]) if one.name else one
            for one in before.line
            if not one.name or one.name in named
        )
        order = Order(
            **self.look(old),
            dice=_dice(self.dice),
            players=self.players,
            line=stay,
            current=before.current,
            round=before.round,
            made=before.made,
        )
        return joined(order, {name: bonus for name, bonus in named.items() if name not in known})


class Add(Deed, frozen=True, tag="add_to_order"):
    """Let more take part, named as they are typed."""

    names: Annotated[str, Meta(max_length=LONGEST_NAMES)]


class Leave(Deed, frozen=True, tag="leave_order"):
    """Take a typed name off the list."""

    who: str


class Roll(Deed, frozen=True, tag="roll_order"):
    """Throw for one; None: for everybody who takes part and has no score."""

    who: str | None = None


class Score(Deed, frozen=True, tag="score_order"):
    """Type a score."""

    who: str
    score: Annotated[int, Meta(ge=-MOST, le=MOST)]


class Bonus(Deed, frozen=True, tag="bonus_order"):
    """Say what is added to the throws of one."""

    who: str
    bonus: Annotated[int, Meta(ge=-MOST_BONUS, le=MOST_BONUS)]


class Move(Deed, frozen=True, tag="move_in_order"):
    """Move one a place up or down by hand."""

    who: str
    way: Literal["up", "down"]


class Stand(Deed, frozen=True, tag="stand_in_order"):
    """Wait with one's turn, take it now, be passed over once, be out, or take part again."""

    who: str
    how: How


class Next(Deed, frozen=True, tag="next_in_order"):
    """Go on to the next in turn; ``round`` and ``current`` say from where, so that two phones do not go on twice."""

    round: int
    current: str


class Round(Deed, frozen=True, tag="round_in_order"):
    """Begin the round after ``round``, with everybody's score thrown anew or as they stand."""

    round: int
    roll: bool = False


Action = Add | Leave | Roll | Score | Bonus | Move | Stand | Next | Round


def _dice(typed: str) -> str:
    """Check that dice give a number; raise Refusal at the field."""
    try:
        parsed = read(typed)
    except Refusal as wrong:
        raise Refusal(wrong.text, field="dice") from wrong
    if not counts(parsed):
        raise Refusal(say("These dice give no number."), field="dice")
    return fitting(str(parsed), "dice", LONGEST_DICE)


def sent(names: str) -> dict[str, int]:
    """Read names as people type them, each with its bonus; raise Refusal for what does not fit."""
    return {
        fitting(name, "names"): bonus
        for name, bonus in map(_parted, listed(names, "names", LONGEST_NAME + len(f" +{MOST_BONUS}")))
    }


def with_bonus(one: One) -> str:
    """Write a name as it is read, with its bonus."""
    return one.name if one.bonus == 0 and _parted(one.name) == (one.name, 0) else f"{one.name} {signed(one.bonus)}"


def _parted(typed: str) -> tuple[str, int]:
    """Part a name from the bonus that follows it with its sign."""
    found = _BONUS.fullmatch(typed)
    if found is None:
        return typed, 0
    return found[1], int(found[3]) if found[2] == "+" else -int(found[3])


def joined(tracker: Order, names: dict[str, int]) -> Order:
    """Put names at the end; raise Refusal when they are too many."""
    if sum(bool(one.name) for one in tracker.line) + len(names) > MOST_NAMES:
        raise Refusal(say("{count} names at most, please.", count=MOST_NAMES), field="names")
    more = tuple(One(f"n{tracker.made + at}", name, bonus) for at, (name, bonus) in enumerate(names.items(), 1))
    return msgspec.structs.replace(tracker, line=tracker.line + more, made=tracker.made + len(more))
