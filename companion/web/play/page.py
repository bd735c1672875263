"""The play page: what a seat sees, older entries of its log, and the live stream that keeps it right."""

from __future__ import annotations

from math import ceil

import msgspec
from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.kit.game import SCREEN
from companion.table.problem import Problem
from companion.table.seat_view import Seen
from companion.web import seat_cookies
from companion.web.address import origin, qr_for_phones
from companion.web.language import language
from companion.web.live import HEADER, PING
from companion.web.pages import fragment
from companion.web.play import action_plan
from companion.web.play.layout import colours, lay_out
from companion.web.problems import Wrong, status_of
from companion.web.publish import GONE, Channel, Fragment, event, fragments, render
from companion.web.state import app_state

AGAIN = 15
"""Seconds until a page without scripts that waits for others is loaded again."""

play = Blueprint("play", __name__, url_prefix="/t/<table>/<seat>")


@play.get("")
def page(table: str, seat: str) -> Response:
    """Show what a seat sees."""
    return seat_page(table, seat)


def seat_page(table: str, seat: str, wrong: Wrong | None = None, seen: Seen | None = None) -> Response:
    """Show a seat's page; with something wrong, its sentence stands where the next tap would be.

    ``seen`` is what the seat saw after what it did.
    """
    held = seat_cookies.check_seat(table, seat)
    if wrong is None:
        shown = fragments().get(table, seat, language(), seen)
    else:
        layout = lay_out(_filled_in(app_state().tables.seen(table, seat)))
        html = render(layout, wrong, request.form.get("do", ""))
        shown = Fragment(layout.seen.version, html, layout.awaited, layout.seen.left)
    if fragment():
        return make_response(shown.html, status_of(wrong))
    summary = app_state().tables.summary(table)
    page = render_template(
        "play/page.html",
        html=shown.html,
        awaited=shown.awaited,
        again=min(ceil(shown.left) + 1, AGAIN) if shown.left else AGAIN,
        table=table,
        seat=seat,
        title=summary.title,
        game=app_state().games.get(summary.game),
        people=summary.people,
        held=held,
        qr=qr_for_phones(f"{origin()}/t/{table}") if seat == SCREEN else None,
    )
    return make_response(page, status_of(wrong))


def _filled_in(seen: Seen) -> Seen:
    """Fill in again what was sent; where scripts run it still stands in the page, and stays there."""
    if fragment():
        return seen
    actions, sent = app_state().installed_game(seen.game).actions, request.form.to_dict(flat=False)
    return msgspec.structs.replace(seen, offers=action_plan.refill(actions, seen.offers, sent))


@play.get("/live")
def live(table: str, seat: str) -> Response:
    """Stream what a seat sees: all of it at once, unless the phone already shows it, and again after every change."""
    headers = {"Cache-Control": "no-store"}
    try:
        seat_cookies.check_seat(table, seat)
        now = fragments().get(table, seat, language())
    except Problem as wrong:
        if wrong.passing:
            return Response(status=204)  # the phone asks again by itself
        if wrong.status == 404:
            app_state().guesses.wrong(request.remote_addr or "")
        return Response(GONE, mimetype="text/event-stream", headers=headers)
    shown = now.left is None and request.headers.get("Last-Event-ID") == str(now.version)
    headers[HEADER] = str(Channel("play", table, seat, language(), seat_cookies.token_digest(seat)))
    return Response(PING if shown else event(now), mimetype="text/event-stream", headers=headers)


def fragment_event(channel: Channel) -> bytes:
    """Render the event of a play page's channel."""
    return event(fragments().get(channel.table, channel.seat, channel.language))


@play.get("/log")
def log(table: str, seat: str) -> str:
    """Show older entries of the log."""
    seat_cookies.check_seat(table, seat)
    typed = request.args.get("before", "")
    before = int(typed) if typed.isdecimal() and typed.isascii() and len(typed) < 12 else None
    summary = app_state().tables.summary(table)
    return render_template(
        "play/_log.html" if fragment() else "play/log.html",
        entries=app_state().tables.log(table, seat, before, 50),
        table=table,
        seat=seat,
        game=app_state().games.get(summary.game),
        colours=colours(summary.people),
    )


@play.get("/aid")
def aid(table: str, seat: str) -> Response:
    """Lead to the player aid that is the seat's own now, else to all that the game has."""
    seat_cookies.check_seat(table, seat)
    seen = app_state().tables.seen(table, seat)
    book = app_state().installed_game(seen.game).rulebook
    if seen.view.sheet:
        return redirect(url_for("rules.sheet", game=seen.game, sheet=seen.view.sheet), 303)
    if book.aid and not book.sheet:
        return redirect(url_for("rules.aid", game=seen.game), 303)
    return redirect(f"{url_for('rules.contents', game=seen.game)}#aids", 303)
