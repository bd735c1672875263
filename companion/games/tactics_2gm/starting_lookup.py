"""Who decides who starts, from the bids alone (G2-42 to G2-46, G2-50)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from companion.games.tactics_2gm.bidding import DIE, START_AP, contest
from companion.games.tactics_2gm.options import Side
from companion.games.tactics_2gm.sides import SIDES
from companion.kit.chart import Bar, Chart
from companion.kit.game import Lookup
from companion.kit.ruling import Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.kit.asking import Ask

_SPENT = "Of 5 AP. They are added to the die, buy terrain, and are gone."


class BidFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold both bids."""

    allies: Annotated[int, Meta(title="Allies: AP spent", description=_SPENT, ge=0, le=START_AP)] = 0
    axis: Annotated[int, Meta(title="Axis: AP spent", description=_SPENT, ge=0, le=START_AP)] = 0

    @property
    def bids(self) -> dict[Side, int]:
        """Return what each side spends."""
        return {"allies": self.allies, "axis": self.axis}


class Bid(msgspec.Struct, frozen=True):
    """Hold who decides who starts, what each side keeps, and what it may spend on terrain."""

    decides: Side
    ap_left: dict[Side, int]
    terrain_budget: dict[Side, int]


class FirstRoll(msgspec.Struct, frozen=True):
    """Hold the chances of a first roll: that a side is higher, and that there is a tie."""

    higher: dict[Side, Fraction]
    tie: Fraction

    def decides(self, side: Side) -> Fraction:
        """Return the chance that a side decides in the end: ties are rolled again (G2-45)."""
        return self.higher[side] / (1 - self.tie)


def bid(given: BidFacts, ask: Ask) -> Ruling[Bid]:
    """Rule on the dice for the start."""
    winner = contest(given.bids, {side: side for side in SIDES}, ask)
    left = {side: START_AP - spent for side, spent in given.bids.items()}
    text = say("{side}: may choose who starts", side=Text(winner))
    return Ruling(Bid(winner, left, given.bids), text, tuple(ask.reasons))


def first_roll(given: BidFacts) -> FirstRoll:
    """Count the throws of two dice that each side wins, and the ties."""
    ahead = given.allies - given.axis
    faces = range(1, DIE + 1)
    totals = [one + ahead - other for one in faces for other in faces]
    whole = len(totals)
    higher: dict[Side, Fraction] = {
        "allies": Fraction(sum(total > 0 for total in totals), whole),
        "axis": Fraction(sum(total < 0 for total in totals), whole),
    }
    return FirstRoll(higher, Fraction(totals.count(0), whole))


def charts(given: BidFacts) -> tuple[Chart, ...]:
    """Show who is how likely to decide, and how likely the first roll is a tie."""
    found = first_roll(given)
    bars = tuple(Bar(Text(side), found.decides(side)) for side in SIDES)
    first = tuple(Bar(Text(side), found.higher[side]) for side in SIDES)
    return (
        Chart(say("Who decides who starts"), bars),
        Chart(say("The first roll"), (*first, Bar(say("a tie, rolled again"), found.tie))),
    )


BID = Lookup(
    "bid", say("The bid for the start"), BidFacts, bid, charts, say("What does spending more on the start bring?")
)
