"""The replay: the table as a seat saw it after any entry of the log, read-only, one step after the other."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
from flask import Blueprint, make_response, render_template, request
from werkzeug.wrappers import Response

from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Row, Tracker, View
from companion.table.replay import EVERYBODY, Stage
from companion.table.validation import TITLE_LENGTH
from companion.web import forms, seat_cookies
from companion.web.language import gettext, speaker
from companion.web.lobby.lobby import invitation
from companion.web.pages import fragment
from companion.web.parts import SIGNS, PageOf, take_apart
from companion.web.play.bookmarks import bookmarks, turns
from companion.web.play.layout import Layout, lay_out
from companion.web.play.screen import screen_view
from companion.web.play.turn import whose_turn
from companion.web.state import app_state

replay = Blueprint("replay", __name__, url_prefix="/t/<table>/<seat>/replay")


@replay.get("")
def page(table: str, seat: str) -> Response:
    """Show the table as it stood after an entry, and the way to the others."""
    seat_cookies.check_seat(table, seat)
    tables = app_state().tables
    at, since = (forms.number_or_none(name, request.args) for name in ("at", "since"))
    eyes = request.args.get("eyes") or seat
    newest = tables.log(table, seat, None, 1)[0].seq
    if at is None:
        at = newest if since is None else min(since + 1, newest)
    stage = tables.stage(table, seat, at, eyes)
    since = None if since is None else min(since, stage.moment.last)
    shown: dict[str, Any] = {"table": table, "seat": seat, "eyes": eyes, "at": at, "since": since}
    shown["on_screen"] = seat == eyes == SCREEN
    drawn = _drawn(stage, **shown)
    if fragment():
        return make_response(drawn)
    return make_response(render_template("play/replay.html", html=drawn, game=_game(stage), seen=stage.seen, **shown))


@replay.get("/marks")
def marks(table: str, seat: str) -> str:
    """List the turns, and what somebody may look for, each with the way there."""
    seat_cookies.check_seat(table, seat)
    tables = app_state().tables
    summary = tables.summary(table)
    course = tables.course(table) if summary.over else None
    found, roles, speak = tables.marks(table), summary.roles, speaker(summary.game)
    return render_template(
        "play/_replay_marks.html" if fragment() else "play/replay_marks.html",
        table=table,
        seat=seat,
        bookmarks=[*bookmarks(found, course, speak, roles)],
        turns=[*turns(found, speak, roles)],
        eyes=request.args.get("eyes") or seat,
        since=forms.number_or_none("since", request.args),
        game=app_state().games.get(summary.game),
    )


@replay.post("")
def try_from(table: str, seat: str) -> Response:
    """Make a table with the position of an entry, and lead to its invitation; whoever plays sits there on his seat."""
    seat_cookies.check_seat(table, seat)
    app_state().create_rate.count()
    tables, at = app_state().tables, forms.number_or_none("at", request.form) or 0
    summary = tables.summary(table)
    name = next((person.name for person in summary.people if person.seat == seat), "")
    called = summary.title or table
    title = gettext("%(title)s, from entry %(at)s") % {"title": called[: TITLE_LENGTH // 2], "at": at}
    key = request.form.get("key", "")
    made = tables.try_from(table, seat, at, title, key)
    answer = invitation(made)
    if seat not in {RULEKEEPER, SCREEN}:
        token = tables.join(made.table, seat, name, key)
        seat_cookies.set_token(answer, made.table, seat_cookies.SEAT + seat, token)
    return answer


def _game(stage: Stage) -> Any:
    return app_state().games[stage.seen.game]


def _drawn(stage: Stage, **shown: Any) -> str:
    """Draw what there was to see: by a shared screen's own eyes as a shared screen, to be read from afar."""
    layout, template = _layout(stage), "play/_replay.html"
    values = {"shown": layout, "seen": stage.seen, "game": _game(stage), "of": SIGNS, "stage": stage}
    values["eyes_of"] = _eyes(stage) if stage.open else ()
    values["key"] = forms.new_key()
    if shown["on_screen"]:
        template, values["view"] = "play/_screen_replay.html", screen_view(layout)
    part = take_apart(partial(render_template, template, everybody=EVERYBODY, **values, **shown))
    return part.html(PageOf(shown["at"], shown["table"], shown["seat"]))


def _layout(stage: Stage) -> Layout:
    """Lay out what there was to see; nobody is told that it is his turn now."""
    seen = msgspec.structs.replace(stage.seen, view=_at_rest(stage.seen.view))
    turn = whose_turn(msgspec.structs.replace(seen, seat=SCREEN))
    return msgspec.structs.replace(lay_out(seen), past=True, turn=turn)


def _at_rest(view: View) -> View:
    """Stop the clocks of a view: they showed what was left, and do not run any more."""
    panels = tuple(
        msgspec.structs.replace(panel, rows=tuple(_stopped(row) for row in panel.rows))
        if isinstance(panel, Tracker) and any(row.clock for row in panel.rows)
        else panel
        for panel in view.panels
    )
    return msgspec.structs.replace(view, panels=panels)


def _stopped(row: Row) -> Row:
    return (
        row if row.clock is None else msgspec.structs.replace(row, clock=msgspec.structs.replace(row.clock, since=None))
    )


def _eyes(stage: Stage) -> tuple[str, ...]:
    """Name the seats through whose eyes the past may be seen now that the game is over."""
    return tuple(person.seat for person in stage.seen.people if person.seat != RULEKEEPER)
