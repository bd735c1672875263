"""The play page: what a seat sees, what it may do, and the live stream that keeps it right."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

import msgspec
from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.kit.game import SCREEN, Chart, Game
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.table.problem import Problem
from companion.table.seen import Seen
from companion.web import acts, doors, lists, planning
from companion.web.house import house
from companion.web.live import PING
from companion.web.pages import fragment
from companion.web.planning import Plan
from companion.web.problems import status_of
from companion.web.publishing import GONE, Channel, event
from companion.web.qr import drawing
from companion.web.shown import Shown, colours, show
from companion.web.words import language

Wrong = Refusal | Problem

IN_PLACE = {"HX-Retarget": "#plan", "HX-Reswap": "outerMorph"}
"""Puts a plan where the refused one stands, in the sheet or on a page of its own."""

AGAIN = 15
"""Seconds until a page without scripts that waits for others is loaded again."""

play = Blueprint("play", __name__, url_prefix="/t/<table>/<seat>")


@play.get("")
def page(table: str, seat: str) -> Response:
    """Show what a seat sees."""
    return _page(table, seat)


def _page(table: str, seat: str, wrong: Wrong | None = None) -> Response:
    """Show a seat's page; with something wrong, its sentence stands where the next tap would be."""
    doors.enter(table, seat)
    status = status_of(wrong)
    if wrong is None:
        _, html, mine, left = house().fragments.of(table, seat, language())
        if fragment():
            return make_response(html)
    else:
        shown = show(_filled_in(house().tables.seen(table, seat)))
        html, mine, left = _told(shown, wrong), shown.mine, shown.seen.left
        if fragment():
            return make_response(html, status)
    summary = house().tables.summary(table)
    return make_response(
        render_template(
            "play/page.html",
            html=html,
            mine=mine,
            again=min(ceil(left) + 1, AGAIN) if left else AGAIN,
            table=table,
            seat=seat,
            title=summary.title,
            game=house().games.get(summary.game),
            people=summary.people,
            held=doors.held(table),
            qr=drawing(f"{doors.origin()}/t/{table}") if seat == SCREEN else "",
        ),
        status,
    )


def _told(shown: Shown, wrong: Wrong) -> str:
    return render_template(
        "play/_table.html",
        shown=shown,
        seen=shown.seen,
        game=house().games[shown.seen.game],
        problem=wrong,
        refused=request.form.get("do", ""),
    )


def _filled_in(seen: Seen) -> Seen:
    """Fill in again what was sent; where scripts run it still stands in the page, and stays there."""
    if fragment():
        return seen
    offers = planning.again(house().played(seen.game).actions, seen.offers, _sent())
    return msgspec.structs.replace(seen, offers=offers)


@play.get("/live")
def live(table: str, seat: str) -> Response:
    """Stream what a seat sees: all of it at once, unless the phone already shows it, and again after every change."""
    try:
        doors.enter(table, seat)
        now = house().fragments.of(table, seat, language())
        shown = now.left is None and request.headers.get("Last-Event-ID") == str(now.version)
        first = PING if shown else event(now)
    except (doors.NotHere, Problem) as wrong:
        if isinstance(wrong, Problem) and wrong.passing:
            return Response(status=204)  # the phone asks again by itself
        if isinstance(wrong, Problem):
            house().guesses.wrong(request.remote_addr or "")
        return Response(GONE, mimetype="text/event-stream", headers={"Cache-Control": "no-store"})
    answer = Response(first, mimetype="text/event-stream")
    answer.headers["X-Live-Channel"] = str(Channel("play", table, seat, language(), doors.mark(seat)))
    answer.headers["Cache-Control"] = "no-store"
    return answer


def fragment_event(channel: Channel) -> bytes:
    """Render the event of a play page's channel."""
    return event(house().fragments.of(channel.table, channel.seat, channel.tongue))


def _do(
    table: str, seat: str, do: Callable[[], Any], refused: Callable[[str, str, Wrong], Response] = _page
) -> Response:
    """Do something for a seat and show what came of it, or why not."""
    doors.enter(table, seat)
    try:
        do()
    except (Refusal, Problem) as wrong:
        return refused(table, seat, wrong)
    if fragment():
        return _page(table, seat)
    return redirect(url_for("play.page", table=table, seat=seat), 303)


def _sent() -> dict[str, list[str]]:
    return request.form.to_dict(flat=False)


@play.post("/act")
def act(table: str, seat: str) -> Response:
    """Do an action."""

    def do() -> None:
        wanted = acts.action(_game(table).actions, _sent())
        house().tables.act(table, seat, wanted, acts.key(_sent(), wanted), acts.seen(_sent()))

    return _do(table, seat, do, _plan_again)


@play.post("/answer")
def answer(table: str, seat: str) -> Response:
    """Answer the question that waits."""

    def do() -> None:
        given = acts.answer(_sent())
        house().tables.answer(table, seat, given, acts.key(_sent(), given), acts.seen(_sent()))

    return _do(table, seat, do)


@play.post("/silence")
def silence(table: str, seat: str) -> Response:
    """Go on without an answer that did not come in time."""
    version = acts.seen(_sent()) or 0
    return _do(
        table,
        seat,
        lambda: house().tables.silence(table, seat, version, acts.key(_sent(), "silence")),
    )


@play.post("/undo")
def undo(table: str, seat: str) -> Response:
    """Take the newest step back, or ask for it."""
    return _do(
        table,
        seat,
        lambda: house().tables.take_back(table, seat, acts.key(_sent(), "undo"), acts.seen(_sent())),
    )


@play.post("/consent")
def consent(table: str, seat: str) -> Response:
    """Agree to somebody's wish to take something back, or not."""
    yes = request.form.get("yes") == "1"
    return _do(
        table,
        seat,
        lambda: house().tables.consent(table, seat, yes, acts.key(_sent(), ["consent", yes]), acts.seen(_sent())),
    )


@play.post("/grant")
def grant(table: str, seat: str) -> Response:
    """Hand a taken seat over to somebody who asked for it, or not."""
    knock, yes = request.form.get("knock", ""), request.form.get("yes") == "1"
    return _do(
        table,
        seat,
        lambda: house().tables.grant(table, seat, knock, yes, acts.key(_sent(), ["grant", knock, yes])),
    )


@play.get("/act")
@play.get("/answer")
@play.get("/silence")
@play.get("/undo")
@play.get("/consent")
@play.get("/grant")
def back(table: str, seat: str) -> Response:
    """Lead to the table from an address that only takes what is sent there."""
    return redirect(url_for("play.page", table=table, seat=seat), 303)


@play.get("/plan")
def plan(table: str, seat: str) -> Response:
    """Show an action before it is done: what is left to choose, and its exact odds."""
    doors.enter(table, seat)
    seen, sent = house().tables.seen(table, seat), request.args.to_dict(flat=False)
    return _plan(seen, sent, planning.plan(_game(table).actions, seen.offers, sent))


def _plan_again(table: str, seat: str, wrong: Wrong) -> Response:
    """Show a plan that was refused with all that was filled in; with nothing to fill in, the table."""
    seen = house().tables.seen(table, seat)
    planned = planning.plan(_game(table).actions, seen.offers, _sent()) if "planned" in request.form else None
    if planned is None or not planned.left:
        return _page(table, seat, wrong)
    answer = _plan(seen, _sent(), planned, wrong)
    if fragment():
        answer.headers.update(IN_PLACE)
    return answer


def _plan(seen: Seen, sent: acts.Sent, planned: Plan | None, refused: Wrong | None = None) -> Response:
    game = house().played(seen.game)
    kept, misfit = None, None
    if planned and planned.offer.keeps and any(sent.get("kept", ())):
        try:
            kept = lists.read("".join(sent["kept"][-1:]))
            filled_in = lists.fit(kept, game.slug, seen.offers, planned.offer)
            planned = planning.plan(game.actions, seen.offers, {"do": sent.get("do", ()), **filled_in})
        except Refusal as no:
            kept, misfit = None, no
    wrong: Wrong | None = None
    charts: tuple[Chart, ...] = ()
    if planned is None:
        wrong = Refusal(say("The table has moved on: this can not be done any more."))
    elif planned.has_odds:
        try:
            charts = house().tables.foresee(seen.table, seen.seat, planned.action)
        except (Refusal, Problem) as no:
            wrong = no
    shown = render_template(
        "play/_plan.html" if fragment() else "play/plan.html",
        seen=seen,
        game=game,
        offer=planned.offer if planned else None,
        do="".join(sent.get("do", ())[-1:]),
        left=planned.left if planned else (),
        kinds={field.name: field.kind for field in planned.left} if planned else {},
        given=lists.settled(planned.offer) if planned else {},
        settled=planned.settled if planned else (),
        charts=charts,
        problem=wrong,
        refused=refused,
        kept=kept,
        misfit=misfit,
    )
    return make_response(shown, status_of(refused or misfit or wrong))


@play.get("/log")
def log(table: str, seat: str) -> Response:
    """Show older entries of the log."""
    doors.enter(table, seat)
    typed = request.args.get("before", "")
    before = int(typed) if typed.isdecimal() and typed.isascii() and len(typed) < 12 else None
    lines = house().tables.log(table, seat, before, 50)
    summary = house().tables.summary(table)
    name = "play/_log.html" if fragment() else "play/log.html"
    shown = render_template(
        name,
        entries=lines,
        table=table,
        seat=seat,
        game=house().games.get(summary.game),
        colours=colours(person.seat for person in summary.people),
    )
    return make_response(shown)


@play.get("/aid")
def aid(table: str, seat: str) -> Response:
    """Lead to the player aid that is the seat's own now, else to all that the game has."""
    doors.enter(table, seat)
    seen = house().tables.seen(table, seat)
    sheet = seen.view.sheet
    to = url_for("rules.sheet", game=seen.game, sheet=sheet) if sheet else url_for("rules.contents", game=seen.game)
    return redirect(to if sheet else f"{to}#aids", 303)


def _game(table: str) -> Game[Any]:
    return house().played(house().tables.game_of(table))
