"""What a turn order is: who stands where with which score, who is next, and what a throw changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from companion.games.free_table.look import MOST, Base, typed
from companion.kit.dice.notation import kinds
from companion.kit.dice.reading import read
from companion.kit.dice.throwing import throw
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.free_table.state import State
    from companion.kit.asking import Ask
    from companion.kit.dice.notation import Throw

MOST_ROUNDS = 999
LONGEST_DICE = 40
Standing = Literal["in", "waits", "skips", "out"]


class One(msgspec.Struct, frozen=True, omit_defaults=True):
    """Be one who takes part: a seat, or (with a ``name``) somebody typed; ``score`` None: not thrown yet."""

    id: str
    name: str = ""
    bonus: int = 0
    score: int | None = None
    standing: Standing = "in"


class Order(Base, frozen=True, tag="order"):
    """Hold who takes part in the order of their turns, and whose turn it is; ``round`` 0: not begun.

    Players who have just come are not in ``line`` before something is done with it. ``made`` counts typed names.
    """

    dice: str = "1d20"
    players: bool = True
    line: tuple[One, ...] = ()
    current: str = ""
    round: int = 0
    made: int = 0


def whole(state: State, tracker: Order) -> tuple[One, ...]:
    """List everybody, those who have just come at the end."""
    known = {one.id for one in tracker.line}
    come = state.players if tracker.players else ()
    return tracker.line + tuple(One(seat) for seat in come if seat not in known)


def seen(state: State, tracker: Order) -> tuple[One, ...]:
    """List those who are here; players who have gone keep their place for when they come back."""
    come = frozenset(state.players if tracker.players else ())
    return tuple(one for one in whole(state, tracker) if one.name or one.id in come)


def find(state: State, tracker: Order, who: str) -> One:
    """Find somebody who is here; raise Refusal when there is none."""
    for one in seen(state, tracker):
        if one.id == who:
            return one
    raise Refusal(say("That name is not on the list any more."), field="who")


def called(state: State, one: One) -> Text:
    """Return a name as it is read."""
    return typed(one.name) if one.name else state.called(one.id)


def here(state: State, tracker: Order) -> Text:
    """Say where the table is."""
    if tracker.round == 0:
        return say("The first round has not begun.")
    turn = next((one for one in seen(state, tracker) if one.id == tracker.current), None)
    if turn is None:
        return say("Round {now}", now=tracker.round)
    return say("Round {now}: {who}", now=tracker.round, who=called(state, turn))


def signed(bonus: int) -> str:
    """Write a bonus with its sign."""
    return f"{bonus:+}".replace("-", "−")


def counts(parsed: Throw) -> bool:
    """Tell whether dice come to a number."""
    return "names" not in kinds(parsed)


def put(tracker: Order, one: One) -> Order:
    """Put somebody in his own place."""
    return msgspec.structs.replace(tracker, line=tuple(one if other.id == one.id else other for other in tracker.line))


def placed(tracker: Order, one: One) -> Order:
    """Put somebody where the score belongs: after those with the same; the others stay as they stand."""
    others = [other for other in tracker.line if other.id != one.id]
    lower = (at for at, other in enumerate(others) if _rank(other) > _rank(one))
    others.insert(next(lower, len(others)), one)
    return msgspec.structs.replace(tracker, line=tuple(others))


def _rank(one: One) -> tuple[bool, int, int]:
    return (one.score is None, -(one.score or 0), -one.bonus)


def thrown(state: State, tracker: Order, ones: Iterable[One], seat: str, ask: Ask) -> Order:
    """Throw for some: a player's dice are his own, those of typed names are thrown by ``seat``."""
    scored = {}
    for one in ones:
        ask.tell(say("{who} throws for the order", who=called(state, one)))
        came = throw(read(tracker.dice), ask, by=seat if one.name else one.id, key=f"dice.{one.id}")
        if one.bonus:
            ask.tell(say("Bonus"), value=one.bonus)
        scored[one.id] = msgspec.structs.replace(one, score=min(max((came.total or 0) + one.bonus, -MOST), MOST))
    if len(scored) == 1:
        return placed(tracker, next(iter(scored.values())))
    line = sorted((scored.get(one.id, one) for one in tracker.line), key=_rank) if scored else tracker.line
    return msgspec.structs.replace(tracker, line=tuple(line))


def step(state: State, tracker: Order) -> Order | None:
    """Return the order at the next turn; None when nobody is left to act, or the rounds are used up.

    Whoever is to be passed over is so once; whoever waits until a round is over takes part again in the next.
    """
    ones, round_ = list(whole(state, tracker)), tracker.round
    present = {one.id for one in seen(state, tracker)}
    at = next((at for at, one in enumerate(ones) if one.id == tracker.current), -1)
    for _ in range(2 * len(ones)):
        at += 1
        if at == len(ones):
            at, round_ = 0, round_ + 1
            ones = [_again(one, "waits") for one in ones]
        one = ones[at]
        if one.id in present and one.standing == "in" and round_ <= MOST_ROUNDS:
            return msgspec.structs.replace(tracker, line=tuple(ones), current=one.id, round=round_)
        ones[at] = _again(one, "skips")
    return None


def _again(one: One, standing: Standing) -> One:
    return msgspec.structs.replace(one, standing="in") if one.standing == standing else one


def new_round(state: State, tracker: Order) -> Order | None:
    """Return the order at the first turn of the next round; None when nobody is left to act."""
    line = tuple(_again(one, "waits") for one in whole(state, tracker))
    return step(state, msgspec.structs.replace(tracker, line=line, current="", round=tracker.round + 1))


def moved(state: State, tracker: Order, one: One, by: int) -> Order:
    """Move somebody past the next who is here; raise Refusal at an end of the list."""
    present = [other.id for other in seen(state, tracker)]
    to = present.index(one.id) + by
    if not 0 <= to < len(present):
        raise Refusal(say("It is there already."), field="way")
    others = [other for other in tracker.line if other.id != one.id]
    at = next(at for at, other in enumerate(others) if other.id == present[to])
    others.insert(at + (by > 0), one)
    return msgspec.structs.replace(tracker, line=tuple(others))


def stepped_in(tracker: Order, one: One) -> Order:
    """Let somebody who waited act now: from now on right after whoever acted before."""
    others = [other for other in tracker.line if other.id != one.id]
    at = next((at for at, other in enumerate(others) if other.id == tracker.current), -1)
    others.insert(at + 1, _again(one, "waits"))
    return msgspec.structs.replace(tracker, line=tuple(others), current=one.id)


def gone(state: State, tracker: Order, one: One) -> Order:
    """Let somebody be out; where it is his turn, it is the next one's."""
    after = put(tracker, msgspec.structs.replace(one, standing="out"))
    if not tracker.round or one.id != tracker.current:
        return after
    return step(state, after) or msgspec.structs.replace(after, current="")
