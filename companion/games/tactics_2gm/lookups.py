"""Look-ups beside those of fire: the headquarters phase, the bid for the start, what a deck costs."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.games.tactics_2gm import income, start
from companion.games.tactics_2gm.cards import START_AP, Roster
from companion.games.tactics_2gm.income import Income, IncomeFacts
from companion.games.tactics_2gm.options import SIDES, PointsLimit, Side
from companion.games.tactics_2gm.shooting import FACES
from companion.games.tactics_2gm.speech import called
from companion.kit import rosters
from companion.kit.asking import Ask
from companion.kit.decks.entries import MOST_COPIES
from companion.kit.game import Lookup
from companion.kit.odds import Bar, Chart
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, numbered, say


def headquarters_phase(facts: IncomeFacts, ask: Ask) -> Ruling[Income]:
    """Rule on a headquarters phase; raise Refusal where a general's AP are told, and nobody is a pair."""
    if facts.stored_general and not facts.pair:
        raise Refusal(say("Only two partners keep AP each."), "G2-152", "stored_general")
    came = income.produce(facts, ask)
    text = say("{count} AP", count=came.ap_after)
    if came.marshal is not None:
        text = say("Field marshal {marshal} AP, general {general} AP", marshal=came.marshal, general=came.general or 0)
    return Ruling(came, text, tuple(ask.reasons))


INCOME = Lookup(
    "income",
    say("Action points of a turn"),
    IncomeFacts,
    headquarters_phase,
    note=say("What the headquarters phase gives: headquarters, command groups, supply line, and what is lost."),
)
BID_HINT = numbered("Of [start_ap] AP. They are added to the die, buy terrain, and are gone.", start_ap=START_AP).say


class BidFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Both bids."""

    allies: Annotated[int, Meta(title="Allies: AP spent", description=BID_HINT, ge=0, le=START_AP)] = 0
    axis: Annotated[int, Meta(title="Axis: AP spent", description=BID_HINT, ge=0, le=START_AP)] = 0

    @property
    def bids(self) -> dict[Side, int]:
        """Return what each side spends."""
        return {"allies": self.allies, "axis": self.axis}


class Bid(msgspec.Struct, frozen=True):
    """Who decides who starts, what each side keeps, and what it may spend on terrain."""

    decides: Side
    ap_left: dict[Side, int]
    terrain_budget: dict[Side, int]


class FirstRoll(msgspec.Struct, frozen=True):
    """The chances of a first roll: that a side is higher, and that there is a tie."""

    higher: dict[Side, Fraction]
    tie: Fraction

    def decides(self, side: Side) -> Fraction:
        """Return the chance that a side decides in the end: ties are rolled again (G2-45)."""
        return self.higher[side] / (1 - self.tie)


def bid(given: BidFacts, ask: Ask) -> Ruling[Bid]:
    """Rule on the dice for the start."""
    winner = start.contest(given.bids, {side: side for side in SIDES}, ask)
    left = {side: START_AP - spent for side, spent in given.bids.items()}
    text = say("{side}: may choose who starts", side=Text(winner))
    return Ruling(Bid(winner, left, given.bids), text, tuple(ask.reasons))


def first_roll(given: BidFacts) -> FirstRoll:
    """Count the throws of two dice that each side wins, and the ties."""
    ahead = given.allies - given.axis
    faces = range(1, FACES + 1)
    totals = [face + ahead - other for face in faces for other in faces]
    allies, axis = sum(total > 0 for total in totals), sum(total < 0 for total in totals)
    higher: dict[Side, Fraction] = {"allies": Fraction(allies, len(totals)), "axis": Fraction(axis, len(totals))}
    return FirstRoll(higher, Fraction(totals.count(0), len(totals)))


def bid_charts(given: BidFacts) -> tuple[Chart, ...]:
    """Show who is how likely to decide, and how likely the first roll is a tie."""
    rolls = first_roll(given)
    bars = tuple(Bar(Text(side), rolls.decides(side)) for side in SIDES)
    first = tuple(Bar(Text(side), rolls.higher[side]) for side in SIDES)
    return (
        Chart(say("Who decides who starts"), bars),
        Chart(say("The first roll"), (*first, Bar(say("a tie, rolled again"), rolls.tie))),
    )


BID = Lookup(
    "bid", say("The bid for the start"), BidFacts, bid, bid_charts, say("What does spending more on the start bring?")
)


LONGEST = 20_000
MOST_COST, MOST_LINES, LONGEST_NAME = 30, 120, 40
EXAMPLE = "M4 Sherman, 4, 6\nTiger, 7, 2\nJeep, 1, 3"
FIRST_LINE = EXAMPLE.partition("\n")[0]
SIGNS = "=[{"
"""What stands in a roster file and not in a line of a card."""


class DeckFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The cards of a deck, and its limit."""

    text: Annotated[
        str,
        Meta(
            title="The cards",
            description="A line for each: name, cost, how many. Or a whole roster file (TOML, JSON or CSV).",
            max_length=LONGEST,
        ),
    ] = EXAMPLE
    limit: PointsLimit = 120


class Costed(msgspec.Struct, frozen=True):
    """A card of a deck, with what it costs and how many of it there are."""

    name: str
    cost: int
    count: int


class DeckCost(msgspec.Struct, frozen=True, kw_only=True):
    """What a deck costs, how many cards it has, and what is left of the limit."""

    total: int
    cards: int
    left: int


def cost_of_deck(facts: DeckFacts, ask: Ask) -> Ruling[DeckCost]:
    """Add a deck up, tokens not counted (G2-10, G2-A18).

    Raises Refusal when it costs more than the limit (G2-11), and naming the row that can not be read.
    """
    cards, limit = read(facts.text), facts.limit
    total = sum(card.cost * card.count for card in cards)
    if total > limit:
        raise Refusal(say("The deck costs {points} points; the limit is {limit}.", points=total, limit=limit), "G2-11")
    # How many there are is part of what a card is called here: it is not what they cost, even where it is as much.
    terms = tuple(
        Reason(say("{count} × {card}", count=str(card.count), card=called(card.name)), value=card.cost * card.count)
        for card in cards
    )
    ask.tell(say("points of the deck"), "G2-10", total, terms=terms)
    ask.tell(say("left of the limit of {limit}", limit=limit), "G2-11", limit - total)
    cost = DeckCost(total=total, cards=sum(card.count for card in cards), left=limit - total)
    return Ruling(cost, say("{points} points, {left} left", points=total, left=limit - total), tuple(ask.reasons))


def read(text: str) -> tuple[Costed, ...]:
    """Read cards out of a roster file, or out of lines with a name, a cost and (else one) how many."""
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    if any(sign in text for sign in SIGNS) or "record" in [cell.strip().strip('"').lower() for cell in _cells(first)]:
        roster = rosters.read(text, Roster, most=LONGEST, field="text")
        return tuple(Costed(card.name, card.cost, card.count) for card in roster.cards)
    cards = tuple(_card(row, _cells(line)) for row, line in enumerate(lines, 1) if line.strip())
    if not cards:
        raise Refusal(say("Write a line for each card: {example}", example=FIRST_LINE), field="text")
    if len(cards) > MOST_LINES:
        raise Refusal(say("There may be {most} of these, no more.", most=MOST_LINES), field="text")
    return cards


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.replace(";", ",").replace("\t", ",").split(",")]


def _card(row: int, cells: list[str]) -> Costed:
    if len(cells) not in {2, 3} or not 0 < len(cells[0]) <= LONGEST_NAME or not cells[0].isprintable():
        text = say("Row {row}: a card is a name, its cost and how many: {example}", row=row, example=FIRST_LINE)
        raise Refusal(text, field="text")
    price = _number(row, say("Cost in AP"), cells[1], MOST_COST)
    return Costed(cells[0], price, _number(row, say("How many"), cells[2], MOST_COPIES) if cells[2:] else 1)


def _number(row: int, what: Text, cell: str, most: int) -> int:
    if cell.isascii() and cell.isdecimal() and len(cell) < 4 and int(cell) <= most:
        return int(cell)
    text = say("Row {row}, {what}: a whole number from 0 to {most}.", row=row, what=what, most=most)
    raise Refusal(text, "G2-10", "text")


DECK_COST = Lookup(
    "deck_cost",
    say("What a deck costs"),
    DeckFacts,
    cost_of_deck,
    note=say("The points of a deck: what its cards cost together, without equipment, and what is left of the limit."),
)
