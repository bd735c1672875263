"""The play page: what a seat sees, older entries of its log, and the live stream that keeps it right."""

from __future__ import annotations

from math import ceil

import msgspec
from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.kit.game import SCREEN
from companion.kit.ruling import Refusal
from companion.table.problem import Problem
from companion.table.seat_view import Seen
from companion.web import seat_cookies
from companion.web.address import origin, qr_for_phones
from companion.web.language import language
from companion.web.live import PING
from companion.web.pages import fragment
from companion.web.play import action_plan
from companion.web.play.layout import Shown, colours, show
from companion.web.problems import status_of
from companion.web.publish import GONE, Channel, event, fragments
from companion.web.state import app_state

Wrong = Refusal | Problem

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
    status = status_of(wrong)
    if wrong is None:
        _, html, mine, left = fragments().of(table, seat, language(), seen)
        if fragment():
            return make_response(html)
    else:
        shown = show(_filled_in(app_state().tables.seen(table, seat)))
        html, mine, left = _rendered(shown, wrong), shown.mine, shown.seen.left
        if fragment():
            return make_response(html, status)
    summary = app_state().tables.summary(table)
    return make_response(
        render_template(
            "play/page.html",
            html=html,
            mine=mine,
            again=min(ceil(left) + 1, AGAIN) if left else AGAIN,
            table=table,
            seat=seat,
            title=summary.title,
            game=app_state().games.get(summary.game),
            people=summary.people,
            held=held,
            qr=qr_for_phones(f"{origin()}/t/{table}") if seat == SCREEN else None,
        ),
        status,
    )


def _rendered(shown: Shown, wrong: Wrong) -> str:
    return render_template(
        "play/_table.html",
        shown=shown,
        seen=shown.seen,
        game=app_state().games[shown.seen.game],
        problem=wrong,
        refused=request.form.get("do", ""),
    )


def _filled_in(seen: Seen) -> Seen:
    """Fill in again what was sent; where scripts run it still stands in the page, and stays there."""
    if fragment():
        return seen
    offers = action_plan.refill(
        app_state().installed_game(seen.game).actions, seen.offers, request.form.to_dict(flat=False)
    )
    return msgspec.structs.replace(seen, offers=offers)


@play.get("/live")
def live(table: str, seat: str) -> Response:
    """Stream what a seat sees: all of it at once, unless the phone already shows it, and again after every change."""
    try:
        seat_cookies.check_seat(table, seat)
        now = fragments().of(table, seat, language())
        shown = now.left is None and request.headers.get("Last-Event-ID") == str(now.version)
        first = PING if shown else event(now)
    except (seat_cookies.SeatNotHeld, Problem) as wrong:
        if isinstance(wrong, Problem) and wrong.passing:
            return Response(status=204)  # the phone asks again by itself
        if isinstance(wrong, Problem) and wrong.status == 404:
            app_state().guesses.wrong(request.remote_addr or "")
        return Response(GONE, mimetype="text/event-stream", headers={"Cache-Control": "no-store"})
    answer = Response(first, mimetype="text/event-stream")
    answer.headers["X-Live-Channel"] = str(Channel("play", table, seat, language(), seat_cookies.token_digest(seat)))
    answer.headers["Cache-Control"] = "no-store"
    return answer


def fragment_event(channel: Channel) -> bytes:
    """Render the event of a play page's channel."""
    return event(fragments().of(channel.table, channel.seat, channel.tongue))


@play.get("/log")
def log(table: str, seat: str) -> Response:
    """Show older entries of the log."""
    seat_cookies.check_seat(table, seat)
    typed = request.args.get("before", "")
    before = int(typed) if typed.isdecimal() and typed.isascii() and len(typed) < 12 else None
    lines = app_state().tables.log(table, seat, before, 50)
    summary = app_state().tables.summary(table)
    name = "play/_log.html" if fragment() else "play/log.html"
    shown = render_template(
        name,
        entries=lines,
        table=table,
        seat=seat,
        game=app_state().games.get(summary.game),
        colours=colours(summary.people),
    )
    return make_response(shown)


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
