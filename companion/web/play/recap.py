"""What happened while somebody looked away: one line for the stage, and a page that tells it step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from flask import Blueprint, make_response, render_template, request
from werkzeug.wrappers import Response

from companion.kit.changes import ON_THE_TABLE, Change, marked
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Board
from companion.kit.text import Text
from companion.table.replay import Recap
from companion.table.view_models import Line
from companion.web import forms, seat_cookies
from companion.web.pages import fragment
from companion.web.play.board import plain_board
from companion.web.play.layout import colours
from companion.web.state import app_state

recap = Blueprint("recap", __name__, url_prefix="/t/<table>/<seat>")


LINE_SAYS = 2
"""Things that the line on the stage says; the others it counts."""


class ToDo(NamedTuple):
    """Something to do on the real table; ``mark`` tells it from others."""

    change: Change
    mark: str


@recap.get("/recap")
def page(table: str, seat: str) -> Response:
    """Tell what happened since a version of the table, or since the seat did something; to a script, in one line."""
    seat_cookies.check_seat(table, seat)
    tables, since, in_line = app_state().tables, forms.number_or_none("since", request.args), fragment()
    told = tables.recap(table, seat, since, stepwise=not in_line)
    if in_line:
        return _line(table, seat, since, told)
    told = msgspec.structs.replace(
        told, lines=tuple(line for line in told.lines if not _is_wish(line) or told.steps.get(line.seq))
    )
    summary = tables.summary(table)
    of_seats = colours(summary.people)
    shown = render_template(
        "play/recap.html",
        table=table,
        seat=seat,
        since=since,
        told=told,
        boards=[
            plain_board(msgspec.structs.replace(panel, links=()), of_seats)
            for panel in marked(told.view, told.changes).panels
            if isinstance(panel, Board)
        ],
        to_do=[ToDo(one, _mark(one)) for one in _on_the_table(told)] if tables.has_real_board(table) else [],
        steps={line.seq: _untold(line.headline, told.steps.get(line.seq, ())) for line in told.lines},
        corrects=seat != SCREEN and not summary.over,
        colours=of_seats,
        game=app_state().games.get(summary.game),
    )
    return make_response(shown)


def _is_wish(line: Line) -> bool:
    """Tell whether somebody only set something for himself: nothing happened unless it made something other."""
    return line.kind == "setting" and line.seat != RULEKEEPER


def _untold(headline: Text, made: tuple[Change, ...]) -> tuple[Change, ...]:
    """Leave what a headline does not say itself: from where to where something moved."""
    said = [*_places(headline)]
    return tuple(one for one in made if one.kind != "moved" or one.start not in said or one.end not in said)


def _places(text: Text) -> Iterator[object]:
    for value in text.places.values():
        yield value
        if isinstance(value, Text):
            yield from _places(value)


def _line(table: str, seat: str, since: int | None, told: Recap) -> Response:
    """Say what lies otherwise since others did something, else the newest that they did; nothing where they did not."""
    lines = [line for line in told.lines if line.seat != seat and not line.undone]
    other = [(change.side, change.said) for change in _on_the_table(told)]
    said = other or [(line.seat, line.headline) for line in reversed(lines) if not _is_wish(line)]
    if not (lines and said):
        return Response(status=204)
    summary = app_state().tables.summary(table)
    shown = render_template(
        "play/_recap_line.html",
        table=table,
        seat=seat,
        since=since,
        said=said[:LINE_SAYS],
        more=max(len(said) - LINE_SAYS, 0),
        colours=colours(summary.people),
        game=app_state().games.get(summary.game),
    )
    return make_response(shown)


def _mark(change: Change) -> str:
    return msgspec.json.encode((change.kind, change.id or change.name, change.start, change.end, change.after)).decode()


def _on_the_table(told: Recap) -> tuple[Change, ...]:
    """Leave what somebody does on the real table: beside a board Companion alone keeps what is counted."""
    has_board = any(isinstance(panel, Board) for panel in told.view.panels)
    kinds = ON_THE_TABLE - {"count"} if has_board else ON_THE_TABLE
    return tuple(change for change in told.changes if change.kind in kinds)
