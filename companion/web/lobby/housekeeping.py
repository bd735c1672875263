"""House-keeping: all tables with what may be done with each, and the page of one that was deleted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, cast, get_args

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.kit.game import RULEKEEPER
from companion.kit.text import say
from companion.table.problem import Deletion, Gone, Problem
from companion.web import forms, seat_cookies
from companion.web.host import check_host, is_host
from companion.web.language import gettext
from companion.web.lobby import ago
from companion.web.lobby.table_list import listed
from companion.web.pages import API_PREFIX, fragment, refuse
from companion.web.problems import status_of
from companion.web.state import app_state

Show = Literal["open", "archive", "bin"]
LISTED = 50

housekeeping = Blueprint("housekeeping", __name__)


@housekeeping.get("/tables")
def tables(wrong: Problem | None = None) -> Response:
    """List all tables, those in the archive, or (for the laptop) those in the bin."""
    show, after = request.args.get("show", "open"), forms.whole_number("after", request.args.get("after", "0"))
    if show not in get_args(Show):
        abort(400)
    if show == "bin":
        check_host()
    found, now = _listed(cast("Show", show), after), ago.now()
    page = render_template(
        "lobby/tables.html",
        show=show,
        listed=found[:LISTED],
        more=after + LISTED if len(found) > LISTED else None,
        lines={} if show == "bin" else {summary.table: listed(summary) for summary in found},
        games=app_state().games,
        hosting=is_host(),
        when=partial(ago.in_a_sentence, now=now),
        days_left=partial(ago.days_left, now=now),
        told=request.args.get("told", ""),
        wrong_about=wrong,
    )
    return make_response(page, status_of(wrong))


def _listed(show: Show, after: int) -> tuple[Any, ...]:
    kept = app_state().tables
    if show == "bin":
        return kept.bin(LISTED + 1, after)
    return kept.summaries(LISTED + 1, after, archived=show == "archive")


@housekeeping.post("/tables/<table>")
def tidy(table: str) -> Response:
    """Rename, archive, end, delete or bring back any table: only the laptop may."""
    check_host()
    kept, form = app_state().tables, request.form
    changes: dict[str, Callable[[str], None]] = {
        "title": lambda title: kept.retitle_any(table, title),
        "archive": lambda on: kept.archive_any(table, on=on == "1"),
        "end": lambda _: kept.end_any(table),
        "delete": lambda _: kept.delete_any(table),
        "back": lambda _: kept.bring_back(table),
    }
    asked = [name for name in changes if name in form]
    if not asked:
        return tables(Problem(400, say("Say what to change.")))
    try:
        for name in asked:
            changes[name](form[name])
    except Problem as wrong:
        return tables(wrong)
    show = request.args.get("show", "open")
    return redirect(url_for("housekeeping.tables", show=None if show == "open" else show, told=asked[0]), 303)


@housekeeping.get("/tables/<_>")
def back_to_tables(_: str) -> Response:
    """Lead to the list from an address that only takes what is sent there."""
    return redirect(url_for("housekeeping.tables"), 303)


@housekeeping.post("/t/<table>/back")
def bring_back(table: str) -> Response:
    """Bring a deleted table back: its rulekeeper may, whose phone still opens that seat, and the laptop."""
    if not _may_bring_back(table):
        raise Problem(403, say("Only its rulekeeper or the laptop can bring this table back."))
    app_state().tables.bring_back(table)
    if RULEKEEPER in seat_cookies.seats_held(table):
        return redirect(url_for("play.page", table=table, seat=RULEKEEPER), 303)
    return back_to_table(table)


@housekeeping.get("/t/<table>/back")
def back_to_table(table: str) -> Response:
    """Lead to the table from an address that only takes what is sent there."""
    return redirect(url_for("lobby.join", table=table), 303)


def refuse_gone(wrong: Gone) -> Response:
    """Say of a deleted table who deleted it, and how it comes back; a script gets the sentence alone."""
    if fragment() or f"{request.path}/".startswith(API_PREFIX):
        return refuse(wrong)
    gone = wrong.deletion
    page = render_template(
        "lobby/gone.html",
        gone=gone,
        said=said(gone),
        days=ago.days_left(gone.until, ago.now()),
        may=_may_bring_back(gone.table),
        game=app_state().games.get(gone.game),
    )
    return make_response(page, wrong.status)


def _may_bring_back(table: str) -> bool:
    return is_host() or RULEKEEPER in seat_cookies.seats_held(table)


def said(gone: Deletion) -> str:
    """Say who deleted a table, and when."""
    at = ago.in_a_sentence(gone.at, ago.now())
    match gone.by:
        case "host":
            return gettext("It was deleted on the laptop that runs Companion, %(when)s.") % {"when": at}
        case "nobody":
            return gettext("Nothing was played here for a day, so it was put away %(when)s.") % {"when": at}
    if gone.who:
        return gettext("%(who)s deleted it %(when)s.") % {"who": gone.who, "when": at}
    return gettext("Its rulekeeper deleted it %(when)s.") % {"when": at}
