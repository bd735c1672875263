"""Cards on paper: those of a deck, as many as it has of each, on sheets to cut apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, repeat
from math import ceil
from typing import NamedTuple

from flask import Blueprint, render_template

from companion.kit.panels import Card
from companion.kit.text import parts
from companion.table.view_models import Printed
from companion.web import seat_cookies
from companion.web.language import speaker
from companion.web.state import app_state

ON_A_SHEET = 9
MOST = 100 * ON_A_SHEET
"""Cards of one page: more than a deck that is played has, and as many as a phone can still lay out."""
SIZES = (("", 30, 10), ("is-long", 36, 13), ("is-longer", 43, 17), ("is-longest", 52, 23))
"""How what a card does may be written, each with the letters of a line and the lines that there is room for."""
SMALLEST = "is-smallest"
OF_A_NAME = 18
"""Letters of a name that stand in one line; each further line of it takes the room of two."""

printed_cards = Blueprint("printed_cards", __name__, url_prefix="/t/<table>/<seat>/print")


class Paper(NamedTuple):
    """A card of paper: what is on it, what it does, one thing a line, and how small that has to be written."""

    card: Card
    does: tuple[str, ...]
    size: str


@printed_cards.get("/<tracker>")
def page(table: str, seat: str, tracker: str) -> str:
    """Show the sheets of a deck that a seat has before it."""
    seat_cookies.check_person(table, seat)
    tables = app_state().tables
    printed = tables.printed(table, seat, tracker)
    slug = tables.game_of(table)
    count = sum(many for _, many in printed.cards)
    return render_template(
        "printed_cards.html",
        game=app_state().games.get(slug),
        table=table,
        seat=seat,
        title=printed.title,
        count=count,
        papers=tuple(islice(_papers(printed, slug), MOST)),
        most=MOST,
        on_a_sheet=ON_A_SHEET,
    )


def _papers(printed: Printed, slug: str) -> Iterator[Paper]:
    speak = speaker(slug)
    for card, count in printed.cards:
        does = tuple(filter(None, map(speak, parts(card.does))))
        yield from repeat(Paper(card, does, _size(speak(card.name), does)), count)


def _size(name: str, does: tuple[str, ...]) -> str:
    """Find the largest letters in which all that a card does has room beneath its name."""
    taken = 2 * (ceil(len(name) / OF_A_NAME) - 1)
    return next((size for size, letters, most in SIZES if taken + _lines(does, letters) <= most), SMALLEST)


def _lines(does: tuple[str, ...], letters: int) -> int:
    return sum(ceil(len(line) / letters) for line in does)
