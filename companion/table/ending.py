"""The end of a game: who won and by what, when the game turned, who did most, and whose dice were unusual.

It rests on what the shared screen was shown, as statistics do, so that it is the same for everybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import msgspec

from companion.kit.game import SCREEN
from companion.kit.luck import luck_of_sum
from companion.kit.panels import View
from companion.kit.text import Text, say
from companion.table.dice_statistics import DiceSeen
from companion.table.rematch import Rematch, may_swap, rematch_of
from companion.table.session import Session
from companion.table.statistics import Fought, GameCount, Statistics, Step
from companion.table.views import readable

UNUSUAL = Fraction(1, 10)
"""Dice that are as far off more often than this, of any seat, are nobody's luck."""
FEW_DICE = 6
"""Fewer say nothing of anybody's luck."""
LARGEST_SUM = 2000
"""The largest sum of a throw of which is told how unusual it is: each one of a game is looked at."""
SIDES = 2
"""So many sides have a lead over each other that can be drawn."""


class Turning(msgspec.Struct, frozen=True):
    """Show the step by which a game turned most: entry ``seq`` of the log, in its own words.

    With ``points`` ``side`` won so many more than others by it; else it lost ``hits`` and ``units``. ``at`` is its
    place in the course of the game.
    """

    seq: int
    headline: Text
    side: str
    points: int = 0
    hits: int = 0
    units: int = 0
    at: int = 0


class Surprise(msgspec.Struct, frozen=True):
    """Show the most unusual dice of one entry ``seq``: those that ``seat`` threw, and the exact chance of such.

    That is the chance that their sum is at least as far from what is expected, on either side.
    """

    seq: int
    seat: str
    faces: tuple[int, ...]
    chance: Fraction


class Ending(msgspec.Struct, frozen=True):
    """Show how a game ended, as everybody may see it.

    ``winners`` are the seats of whoever won, none in a draw or where the table was ended before anybody had. ``last``
    says by what, as the newest ruling does; ``clause`` is the rule that it rests on. ``swaps``: two people may change
    places in a rematch. ``head`` is the newest entry that counts.
    """

    headline: Text
    winners: tuple[str, ...]
    last: Text | None
    clause: str | None
    head: int
    swaps: bool = False
    rematch: Rematch | None = None


class Course(msgspec.Struct, frozen=True):
    """Show how a game went that is over: all of its log is read for that.

    ``lead`` is that of the winners (of the first seat, where nobody won) in a game of two sides, where it changed:
    after so many steps, in points or in what the other one lost more. ``unit`` is the one that did most. ``dice`` are
    the most unusual of those that seats rolled, None where none are; ``rolled`` tells whether that is known of any.
    ``surprise`` is the entry whose dice were the most unusual, None where none were. ``seconds`` and ``played`` say how
    long it took: None where the game counts neither rounds nor turns.
    """

    turning: Turning | None
    surprise: Surprise | None
    lead: tuple[tuple[int, int], ...]
    unit: Fought | None
    dice: DiceSeen | None
    rolled: bool
    seconds: int
    played: GameCount | None


def ending(session: Session) -> Ending | None:
    """Say how a game ended; None where it goes on, or the game of today can not show that."""
    if not session.finished or session.over is None:
        return None
    view = session.game.view(session.state, SCREEN)
    newest = session.head.ruling
    ruling = session.entry(newest) if newest and view.over else None
    reasons = readable(ruling.reasons, SCREEN) if ruling else ()
    return Ending(
        headline=view.headline if view.over else say("This table has ended."),
        winners=_winners(session, view),
        last=ruling.headline if ruling else None,
        clause=next((reason.clause for reason in reversed(reasons) if reason.clause), None),
        head=session.row.head,
        swaps=may_swap(session),
        rematch=rematch_of(session),
    )


def course(session: Session, counted: Statistics, steps: Sequence[Step]) -> Course:
    """Say how a game went that is over."""
    seats = [role.id for role in session.roles]
    winners = _winners(session, session.game.view(session.state, SCREEN))
    played = [step for step in steps if step.kind == "action"]
    swings = [*_swings(played)]
    newest = session.head.ruling
    before = [(at, swing) for at, swing in enumerate(swings, 1) if swing.seq != newest]
    return Course(
        turning=_turning(session, before, winners),
        surprise=_surprise(played),
        lead=_lead(swings, seats, winners),
        unit=_most(counted.units),
        dice=_unusual(counted.dice),
        rolled=any(map(_telling, counted.dice)),
        seconds=counted.seconds,
        played=counted.played,
    )


def _winners(session: Session, view: View) -> tuple[str, ...]:
    return tuple(_named(view.headline, [role.id for role in session.roles])) if view.over else ()


def _named(headline: Text, seats: Sequence[str]) -> Iterator[str]:
    """Name the seats in the first place of a headline that names any: partners win together."""
    for place in headline.places.values():
        words = list(_words(place)) if isinstance(place, Text) else [place]
        if named := [str(word) for word in words if word in seats]:
            yield from dict.fromkeys(named)
            return


def _words(text: Text) -> Iterator[str | int]:
    yield text.say
    for place in text.places.values():
        yield from _words(place) if isinstance(place, Text) else (place,)


class Swing(msgspec.Struct, frozen=True):
    """What one step changed: the points that each side won, or, where none are counted, what each lost."""

    seq: int
    won: tuple[tuple[str, int], ...]
    hits: tuple[tuple[str, int], ...] = ()
    units: tuple[tuple[str, int], ...] = ()

    @property
    def lost(self) -> Counter[str]:
        """Count what each side lost: its hits, and its units once more."""
        return Counter(dict(self.hits)) + Counter(dict(self.units))

    def lead(self, side: str) -> int:
        """Say by how much this brought one of two sides forward."""
        won, lost = dict(self.won), self.lost
        gained = 2 * won.get(side, 0) - sum(won.values())
        return gained if self.won else sum(lost.values()) - 2 * lost[side]

    @property
    def turned(self) -> tuple[str, int]:
        """Return the side that it turned for (points) or against (losses), and by how much more than another one."""
        worth = Counter(dict(self.won)) if self.won else self.lost
        (side, most), (_, next_most), *_ = [*worth.most_common(2), ("", 0), ("", 0)]
        return side, most - next_most


def _swings(steps: Sequence[Step]) -> Iterator[Swing]:
    counted = any(step.screen is not None and step.screen.points for step in steps)
    before: dict[str, int] = {}
    for step in steps:
        if counted:
            now = dict(step.screen.points) if step.screen is not None else {}
            won = tuple((side, number - before[side]) for side, number in now.items() if side in before)
            before = now or before
            yield Swing(step.seq, won)
            continue
        hits, units = Counter[str](), Counter[str]()
        for harm in step.harm:
            hits[harm.to.side] += harm.hits
            units[harm.to.side] += harm.fate == "gone"
        yield Swing(step.seq, (), tuple(hits.items()), tuple(units.items()))


def _turning(session: Session, swings: Iterable[tuple[int, Swing]], winners: Sequence[str]) -> Turning | None:
    """Find the largest swing; of several that of the winners, then the newest."""

    def rank(placed: tuple[int, Swing]) -> tuple[int, bool, int]:
        at, swing = placed
        side, most = swing.turned
        return most, (side in winners) == bool(swing.won), at

    at, best = max(swings, key=rank, default=(0, None))
    side, most = best.turned if best else ("", 0)
    if best is None or most <= 0:
        return None
    headline, hits, units = session.entry(best.seq).headline, dict(best.hits), dict(best.units)
    return Turning(best.seq, headline, side, most if best.won else 0, hits.get(side, 0), units.get(side, 0), at)


def _surprise(steps: Iterable[Step]) -> Surprise | None:
    """Find the entry with the most unusual dice of one seat; of several the newest."""
    found: Surprise | None = None
    for step in steps:
        thrown: dict[tuple[str, int], tuple[int, ...]] = {}
        for throw in step.throws:
            kind = (throw.by, throw.sides)
            thrown[kind] = (*thrown.get(kind, ()), *throw.faces)
        for (seat, sides), faces in thrown.items():
            if faces and len(faces) * sides <= LARGEST_SUM:
                chance = luck_of_sum(len(faces), sides, sum(faces)).as_far
                if chance <= (found.chance if found else UNUSUAL):
                    found = Surprise(step.seq, seat, faces, chance)
    return found


def _lead(swings: Sequence[Swing], seats: Sequence[str], winners: Sequence[str]) -> tuple[tuple[int, int], ...]:
    sides = {side for swing in swings for side, _ in (*swing.won, *swing.hits)}
    if len(seats) != SIDES or not sides or not sides <= {*seats}:
        return ()
    side, lead = next(iter(winners), seats[0]), 0
    course = [(0, 0)]
    for at, swing in enumerate(swings, 1):
        forward = swing.lead(side)
        # Up to the step before, it was as it had been.
        if (forward and course[-1][0] < at - 1) or at == len(swings):
            course.append((at - 1, lead))
        lead += forward
        if forward or at == len(swings):
            course.append((at, lead))
    return tuple(course)


def _most(units: Iterable[Fought]) -> Fought | None:
    """Find the unit that did most: hits, units knocked over, and units destroyed once more."""
    best = max(units, key=lambda unit: (unit.dealt + unit.knocked_down + unit.destroyed, unit.destroyed), default=None)
    return best if best is not None and best.dealt + best.knocked_down + best.destroyed else None


def _unusual(dice: Iterable[DiceSeen]) -> DiceSeen | None:
    """Find the seat whose dice are the furthest from what is expected; None where that is nothing unusual.

    Of many seats one is far off more often than a certain one is.
    """
    telling = [one for one in dice if _telling(one)]
    found = min(telling, key=_as_far, default=None)
    return found if found is not None and _as_far(found) * len(telling) <= UNUSUAL else None


def _as_far(dice: DiceSeen) -> Fraction:
    return dice.luck.as_far if dice.luck is not None else Fraction(1)


def _telling(dice: DiceSeen) -> bool:
    """Tell whether these are the dice of a seat, and enough to say anything of its luck."""
    return dice.seat is not None and dice.luck is not None and dice.count >= FEW_DICE
