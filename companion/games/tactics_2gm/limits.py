"""What a deck costs and may cost: limits, whether it is ready, the look-up (G2-07 to G2-11, G2-148, G2-149, G2-A36)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.games.tactics_2gm.cards import Roster
from companion.games.tactics_2gm.options import PointsLimit, Seat, Side, paired, seats_of, side_of
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import State
from companion.kit import rosters
from companion.kit.asking import Ask
from companion.kit.decks.written import MOST_CARDS, MOST_COPIES
from companion.kit.game import Lookup
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, say


def limit(state: State) -> int:
    """Return the points limit of a side: the scenario's where it has one (G2-08, G2-09)."""
    own = state.scenario.limit if state.scenario else None
    return state.options.limit if own is None else own


def shared(state: State, side: Side) -> bool:
    """Tell whether two players spend the points of their side together (G2-149)."""
    return paired(state.options, side) and state.options.pair_decks == "shared"


def limit_of(state: State, seat: Seat) -> int:
    """Return the points that a player's deck may cost; sharing partners' decks may together (G2-148, G2-A36)."""
    side, whole = side_of(seat), limit(state)
    if not paired(state.options, side) or shared(state, side):
        return whole
    return whole - whole // 2 if seat == state.leader(side) else whole // 2


def points_of(state: State, seat: Seat) -> int:
    """Return what counts against a player's limit: his deck, or those of both who share (G2-10, G2-149)."""
    side = side_of(seat)
    counted = seats_of(state.options, side) if shared(state, side) else (seat,)
    return sum(state.rosters[one].points for one in counted if one in state.rosters)


def not_ready(state: State, seat: Seat) -> Reason | None:
    """Say why a player can not begin with the deck that he has; None when he can (G2-06, G2-11, G2-26)."""
    if seat not in state.rosters:
        return Reason(say("Take or build a deck first."), "G2-06")
    if not state.rosters[seat].size:
        return Reason(say("There is no card in your deck."), "G2-26")
    if state.rosters[seat].size > MOST_CARDS:
        return Reason(say("A deck has {most} cards at the most.", most=MOST_CARDS), "G2-06")
    points, most = points_of(state, seat), limit_of(state, seat)
    if points > most:
        return Reason(say("The deck costs {points} points; the limit is {limit}.", points=points, limit=most), "G2-11")
    return None


LONGEST = 20_000

MOST_COST, MOST_LINES, LONGEST_NAME = 30, 120, 40

MOST_COST, MOST_LINES, LONGEST_NAME = 30, 120, 40

MOST_COST, MOST_LINES, LONGEST_NAME = 30, 120, 40

EXAMPLE = "M4 Sherman, 4, 6\nTiger, 7, 2\nJeep, 1, 3"

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
    """Be a card of a deck, with what it costs and how many of it there are."""

    name: str
    cost: int
    count: int


class DeckCost(msgspec.Struct, frozen=True, kw_only=True):
    """Hold what a deck costs, how many cards it has, and what is left of the limit."""

    total: int
    cards: int
    left: int


def deck_cost(cards: Sequence[Costed], limit: int, ask: Ask) -> DeckCost:
    """Add a deck up, tokens not counted (G2-10, G2-A18); raise Refusal when it costs more than the limit (G2-11)."""
    total = sum(card.cost * card.count for card in cards)
    if total > limit:
        raise Refusal(say("The deck costs {points} points; the limit is {limit}.", points=total, limit=limit), "G2-11")
    terms = tuple(
        Reason(say("{count} × {card}", count=card.count, card=called(card.name)), value=card.cost * card.count)
        for card in cards
    )
    ask.tell(say("points of the deck"), "G2-10", total, terms=terms)
    ask.tell(say("left of the limit of {limit}", limit=limit), "G2-11", limit - total)
    return DeckCost(total=total, cards=sum(card.count for card in cards), left=limit - total)


def look_up(facts: DeckFacts, ask: Ask) -> Ruling[DeckCost]:
    """Rule on what a deck costs; raise Refusal naming the row that can not be read."""
    found = deck_cost(read(facts.text), facts.limit, ask)
    text = say("{points} points, {left} left", points=found.total, left=found.left)
    return Ruling(found, text, tuple(ask.reasons))


def read(text: str) -> tuple[Costed, ...]:
    """Read cards out of a roster file, or out of lines with a name, a cost and (else one) how many."""
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    if any(sign in text for sign in SIGNS) or "record" in [cell.strip().strip('"').lower() for cell in _cells(first)]:
        roster = rosters.read(text, Roster, most=LONGEST, field="text")
        return tuple(Costed(card.name, card.cost, card.count) for card in roster.cards)
    found = tuple(_card(row, _cells(line)) for row, line in enumerate(lines, 1) if line.strip())
    if not found:
        raise Refusal(say("Write a line for each card: {example}", example=EXAMPLE.partition("\n")[0]), field="text")
    if len(found) > MOST_LINES:
        raise Refusal(say("There may be {most} of these, no more.", most=MOST_LINES), field="text")
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.replace(";", ",").replace("\t", ",").split(",")]


def _card(row: int, cells: list[str]) -> Costed:
    if len(cells) not in {2, 3} or not 0 < len(cells[0]) <= LONGEST_NAME or not cells[0].isprintable():
        text = say(
            "Row {row}: a card is a name, its cost and how many: {example}", row=row, example=EXAMPLE.partition("\n")[0]
        )
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
    look_up,
    note=say("The points of a deck: what its cards cost together, without equipment, and what is left of the limit."),
)
