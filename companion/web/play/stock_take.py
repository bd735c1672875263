"""Taking stock: whether all lies on the table where it should; and the sheet to put a game away and build it again."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.kit.correction import Tracked
from companion.kit.game import SCREEN
from companion.kit.panels import Board, Card, Clock, Facts, Hand, Phases, Tracker, View
from companion.kit.ruling import Refusal
from companion.kit.stock_take import Stock, away, beyond, stock
from companion.kit.text import Text
from companion.table.problem import Problem
from companion.table.stock_take import Difference
from companion.table.view_models import Seen
from companion.web import forms
from companion.web.play.board import plain_board
from companion.web.play.layout import colours
from companion.web.play.rulekeeper import as_sent, changed, seen_by, typed
from companion.web.play.turn import whose_turn
from companion.web.problems import Wrong, status_of
from companion.web.state import app_state

stock_take = Blueprint("stock_take", __name__, url_prefix="/t/<table>/<seat>")


@stock_take.get("/stock-take")
def page(table: str, seat: str, wrong: Wrong | None = None) -> Response:
    """Show what should lie on the table, line by line, and what can be set where it lies otherwise."""
    seen = seen_by(table, seat)
    rests = seen.over or seen.ended
    tracked = () if rests or seen.asked or seen.waiting else app_state().tables.tracked(table, seat)
    game = app_state().games[seen.game]
    shown = render_template(
        "play/stock_take.html",
        seen=seen,
        game=game,
        problem=wrong,
        stock=stock(seen.view, tracked, game.lying_values),
        away=away(seen.view, tracked, game.lying_values),
        colours=colours(seen.people),
        waits=not rests and bool(seen.asked or seen.waiting),
        sent={value.path: typed(value, request.form) for value in tracked} if wrong else {},
        as_sent=as_sent,
    )
    return make_response(shown, status_of(wrong))


@stock_take.post("/stock-take")
def set_right(table: str, seat: str) -> Response:
    """Set at once all that lies otherwise than it should; where nothing does, there is nothing to set."""
    seen_by(table, seat)
    form, tables = request.form, app_state().tables
    sent = form.to_dict(flat=False)
    values = ((value, typed(value, form)) for value in tables.tracked(table, seat) if changed(value, form))
    differences = [Difference(value.path, words) for value, words in values if words is not None]
    try:
        if differences:
            key = forms.key(sent, ["stock-take", *map(list, differences)])
            tables.set_right(table, seat, differences, key, forms.version(sent))
    except (Refusal, Problem) as wrong:
        return page(table, seat, wrong)
    return redirect(url_for("play.page", table=table, seat=seat), 303)


class SealedStock(msgspec.Struct, frozen=True):
    """What a seat alone sees: its cards, under what they are called, and what it has on the table in secret."""

    hands: tuple[tuple[Text, tuple[Card, ...]], ...]
    stock: tuple[Stock, ...]


@stock_take.get("/pack-up")
def pack_up(table: str, seat: str) -> str:
    """Show the sheet to put a game away and to build it again: what everybody sees, and what is this seat's own."""
    own = seen_by(table, seat)
    seen = _turned_as(own.view, app_state().tables.seen(table, SCREEN))
    of_seats = colours(seen.people)
    game, tracked = app_state().games[seen.game], app_state().tables.tracked(table, SCREEN)
    public = stock(seen.view, tracked, game.lying_values)
    return render_template(
        "play/pack_up.html",
        seen=own,
        game=game,
        stock=public,
        boards=[
            plain_board(msgspec.structs.replace(panel, tint=()), of_seats)  # what is marked just now is no part of it
            for panel in seen.view.panels
            if isinstance(panel, Board)
        ],
        turn=whose_turn(seen),
        phases=[panel for panel in seen.view.panels if isinstance(panel, Phases)],
        facts=[panel for panel in seen.view.panels if isinstance(panel, Facts)],
        clocks=_clocks(seen.view),
        sealed=_sealed(own, public, tracked, game.lying_values),
        colours=of_seats,
    )


def _turned_as(own: View, public: Seen) -> Seen:
    """Turn the board that everybody sees as a seat has it before it, and with that the order of what lies on it."""
    if not any(panel.turned for panel in own.panels if isinstance(panel, Board)):
        return public
    replace = msgspec.structs.replace
    panels = (replace(one, turned=True) if isinstance(one, Board) else one for one in public.view.panels)
    return replace(public, view=replace(public.view, panels=tuple(panels)))


def _clocks(view: View) -> list[tuple[Text, Text, Clock]]:
    return [
        (panel.title, row.name, row.clock)
        for panel in view.panels
        if isinstance(panel, Tracker)
        for row in panel.rows
        if row.clock is not None
    ]


def _sealed(
    own: Seen, public: Sequence[Stock], tracked: Sequence[Tracked], lying: Collection[str]
) -> SealedStock | None:
    """Find what a seat sees and the shared screen does not; None where that is nothing."""
    hands = tuple(
        (panel.title, panel.cards)
        for panel in own.view.panels
        if isinstance(panel, Hand) and panel.whose == "own" and panel.cards
    )
    secret = beyond(stock(own.view, tracked, lying), public)
    return SealedStock(hands, secret) if hands or secret else None
