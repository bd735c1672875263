"""Pools: points that come in each turn, up to a cap, and are spent; for the table or for each player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta

from companion.games.free_table.counters import changed
from companion.games.free_table.kinds import Deed, Kind, Setting, Table, Tracker, name_of
from companion.games.free_table.names import MOST
from companion.kit.action import Offer, number_field
from companion.kit.asking import Ask
from companion.kit.correction import Correction
from companion.kit.panels import Panel, Row
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

Each = Literal["player", "table"]
Points = Annotated[int, Meta(ge=0, le=MOST)]


class Pool(Tracker, frozen=True, tag="pool"):
    """Points; ``cap`` 0 is none, ``fresh`` income replaces what is left; ``values`` by seat, or ``all``."""

    each: Each = "player"
    start: int = 0
    income: int = 0
    cap: int = 0
    fresh: bool = False
    values: Mapping[str, int] = {}

    @property
    def most(self) -> int:
        """Return how many points a line can hold."""
        return self.cap or MOST

    def lines(self, table: Table) -> dict[str, Text]:
        """Name the lines of a pool, by their key."""
        return table.lines(self.each, self.title)

    def value(self, line: str) -> int:
        """Return the points of a line."""
        return self.values.get(line, self.start)

    def holding(self, line: str, points: int) -> Pool:
        """Let a line hold so many points."""
        return self.but(values={**self.values, line: points})


class SetPool(Setting[Pool], frozen=True, tag="set_pool"):
    """Add a pool, or change one."""

    each: Annotated[Each, Meta(title="One for")] = "player"
    start: Annotated[Points, Meta(title="Start")] = 0
    income: Annotated[Points, Meta(title="Income")] = 0
    cap: Annotated[Points, Meta(title="Holds at most (0: no limit)")] = 0
    fresh: Annotated[bool, Meta(title="What is left is lost when income comes")] = False

    def made(self, old: Pool) -> Pool:
        """Make the pool; raise Refusal when it begins with more than it holds."""
        if self.cap and self.start > self.cap:
            raise Refusal(say("It cannot begin with more than it holds."), field="start")
        values = old.values if old.each == self.each else {}
        return self.onto(old, values={line: min(points, self.cap or MOST) for line, points in values.items()})


class Spend(Deed, frozen=True, tag="spend"):
    """Spend points."""

    line: str
    points: Points


class Gain(Deed, frozen=True, tag="gain"):
    """Gain points."""

    line: str
    points: Points


class Income(Deed, frozen=True, tag="income"):
    """Bring in what a turn brings: for one line, or for all."""

    line: str | None = None


pools = Kind(Pool, SetPool, fresh=lambda pool: pool.but(values={}))


LESS, MORE, SPEND, GAIN = say("−1"), say("+1"), say("− …"), say("+ …")


def _left(pool: Pool, line: str) -> Text:
    count = pool.value(line)
    return say("Only {count} is left.|Only {count} are left.", count=count) if count else say("Nothing is left.")


def _full(pool: Pool) -> Text:
    return say("It holds {most} at most.", most=pool.most)


@pools.panels_for_all
def panels(table: Table, pool: Pool) -> Iterator[Panel]:
    """Show the pool."""
    rows = (
        Row(
            f"{pool.id}.{line}",
            name,
            say("{count}", count=pool.value(line)),
            side=line if pool.each == "player" else "",
            level=pool.value(line) if pool.cap else 0,
            most=pool.cap,
            spent=pool.value(line) == 0,
            steps=(
                (LESS, _left(pool, line)),
                (MORE, _full(pool)),
                (SPEND, _left(pool, line)),
                (GAIN, _full(pool)),
            ),
        )
        for line, name in pool.lines(table).items()
    )
    yield pool.panel(rows, note=say("Income {count}", count=pool.income) if pool.income else None)


@pools.offers_to_all
def offers(table: Table, pool: Pool) -> Iterator[Offer]:
    """Offer to spend, gain and bring in."""
    for line in pool.lines(table):
        now, on = pool.value(line), f"{pool.id}.{line}"
        room = pool.most - now
        if now:
            yield Spend.offer(LESS, on=on, tracker=pool.id, line=line, points=1)
        if room:
            yield Gain.offer(MORE, on=on, tracker=pool.id, line=line, points=1)
        if now > 1:
            points = number_field("points", say("Points"), None, 1, now)
            yield Spend.offer(SPEND, points, on=on, tracker=pool.id, line=line)
        if room > 1:
            points = number_field("points", say("Points"), None, 1, room)
            yield Gain.offer(GAIN, points, on=on, tracker=pool.id, line=line)
        if pool.income and pool.each == "player":
            yield Income.offer(say("+{count} income", count=pool.income), on=on, tracker=pool.id, line=line)
    if pool.income:
        words = "+{count} income for all" if pool.each == "player" else "+{count} income"
        yield Income.offer(Text(words, {"count": pool.income}), on=pool.id, tracker=pool.id)


@pools.rule(Spend)
def spend(table: Table, pool: Pool, _seat: str, action: Spend, _ask: Ask) -> Ruling[Pool]:
    """Spend; raise Refusal for points that are not there."""
    whose, left = name_of(pool.lines(table), action.line), pool.value(action.line)
    if action.points > left:
        raise Refusal(_left(pool, action.line), field="points")
    return _changed(pool, action.line, whose, left - action.points)


@pools.rule(Gain)
def gain(table: Table, pool: Pool, _seat: str, action: Gain, _ask: Ask) -> Ruling[Pool]:
    """Gain; raise Refusal for points that have no room."""
    whose, points = name_of(pool.lines(table), action.line), pool.value(action.line) + action.points
    if points > pool.most:
        raise Refusal(_full(pool), field="points")
    return _changed(pool, action.line, whose, points)


@pools.rule(Income)
def income(table: Table, pool: Pool, _seat: str, action: Income, _ask: Ask) -> Ruling[Pool]:
    """Bring in."""
    if action.line is not None:
        return _changed(pool, action.line, name_of(pool.lines(table), action.line), _with_income(pool, action.line))
    after = pool.but(values={**pool.values, **{line: _with_income(pool, line) for line in pool.lines(table)}})
    return Ruling(after, say("{what}: income {count}", what=pool.title, count=pool.income))


def _with_income(pool: Pool, line: str) -> int:
    return min(pool.income + (0 if pool.fresh else pool.value(line)), pool.most)


def _changed(pool: Pool, line: str, whose: Text, points: int) -> Ruling[Pool]:
    return Ruling(pool.holding(line, points), changed(pool, line, whose, pool.value(line), points))


@pools.corrections
def corrections(table: Table, pool: Pool) -> Iterator[Correction[Pool]]:
    """List the lines."""
    for line, name in pool.lines(table).items():
        yield pool.corrections.number(line, name, pool.value(line), partial(pool.holding, line), high=pool.most)
