"""What a seat does on its play page: it acts, answers, takes back; an action is looked at before it is done."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.kit.game import Game
from companion.kit.odds import Chart
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.table.problem import Problem
from companion.table.seat_view import Seen
from companion.web import form_data, seat_cookies
from companion.web.pages import fragment
from companion.web.play import action_plan, stored_lists
from companion.web.play.action_plan import Plan
from companion.web.play.page import Wrong, seat_page
from companion.web.problems import status_of
from companion.web.state import app_state, close_moment

IN_PLACE = {"HX-Retarget": "#plan", "HX-Reswap": "outerMorph"}
"""Puts a plan where the refused one stands, in the sheet or on a page of its own."""

actions = Blueprint("actions", __name__, url_prefix="/t/<table>/<seat>")


def _do(
    table: str, seat: str, do: Callable[[], Any], refused: Callable[[str, str, Wrong], Response] = seat_page
) -> Response:
    """Do something for a seat and show what came of it, or why not."""
    tables, in_place = app_state().tables, fragment()
    with tables.moment():
        seat_cookies.check_seat(table, seat)
        tables.game_of(table)  # needed to read the action; no table ever changes to another game
    watching: AbstractContextManager[list[Seen]] = nullcontext([])
    if in_place:
        watching = tables.watched(seat_cookies.token(seat))
    try:
        with watching as views:
            do()
    except (Refusal, Problem) as wrong:
        return refused(table, seat, wrong)
    if in_place:
        if not views:
            seat_cookies.forget_checked()
        return seat_page(table, seat, seen=views[-1] if views else None)
    return redirect(url_for("play.page", table=table, seat=seat), 303)


def _sent() -> dict[str, list[str]]:
    return request.form.to_dict(flat=False)


@actions.post("/act")
def act(table: str, seat: str) -> Response:
    """Do an action."""

    def do() -> None:
        wanted = form_data.action(_game(table).actions, _sent())
        app_state().tables.act(table, seat, wanted, form_data.key(_sent(), wanted), form_data.version(_sent()))

    return _do(table, seat, do, _plan_again)


@actions.post("/answer")
def answer(table: str, seat: str) -> Response:
    """Answer the question that waits."""

    def do() -> None:
        given = form_data.answer(_sent())
        app_state().tables.answer(table, seat, given, form_data.key(_sent(), given), form_data.version(_sent()))

    return _do(table, seat, do)


@actions.post("/silence")
def silence(table: str, seat: str) -> Response:
    """Go on without an answer that did not come in time."""
    version = form_data.version(_sent()) or 0
    return _do(
        table,
        seat,
        lambda: app_state().tables.silence(table, seat, version, form_data.key(_sent(), "silence")),
    )


@actions.post("/undo")
def undo(table: str, seat: str) -> Response:
    """Take the newest step back, or ask for it."""
    return _do(
        table,
        seat,
        lambda: app_state().tables.take_back(table, seat, form_data.key(_sent(), "undo"), form_data.version(_sent())),
    )


@actions.post("/consent")
def consent(table: str, seat: str) -> Response:
    """Agree to somebody's wish to take something back, or not."""
    yes = request.form.get("yes") == "1"
    return _do(
        table,
        seat,
        lambda: app_state().tables.consent(
            table, seat, yes, form_data.key(_sent(), ["consent", yes]), form_data.version(_sent())
        ),
    )


@actions.post("/grant")
def grant(table: str, seat: str) -> Response:
    """Hand a taken seat over to somebody who asked for it, or not."""
    knock, yes = request.form.get("knock", ""), request.form.get("yes") == "1"
    return _do(
        table,
        seat,
        lambda: app_state().tables.grant(table, seat, knock, yes, form_data.key(_sent(), ["grant", knock, yes])),
    )


@actions.get("/act")
@actions.get("/answer")
@actions.get("/silence")
@actions.get("/undo")
@actions.get("/consent")
@actions.get("/grant")
def back(table: str, seat: str) -> Response:
    """Lead to the table from an address that only takes what is sent there."""
    return redirect(url_for("play.page", table=table, seat=seat), 303)


@actions.get("/plan")
def plan(table: str, seat: str) -> Response:
    """Show an action before it is done: what is left to choose, and its exact odds."""
    seat_cookies.check_seat(table, seat)
    seen, sent = app_state().tables.seen(table, seat), request.args.to_dict(flat=False)
    return _plan(seen, sent, action_plan.plan(_game(table).actions, seen.offers, sent))


def _plan_again(table: str, seat: str, wrong: Wrong) -> Response:
    """Show a plan that was refused with all that was filled in; with nothing to fill in, the table."""
    seen = app_state().tables.seen(table, seat)
    planned = action_plan.plan(_game(table).actions, seen.offers, _sent()) if "planned" in request.form else None
    if planned is None or not planned.left:
        return seat_page(table, seat, wrong)
    answer = _plan(seen, _sent(), planned, wrong)
    if fragment():
        answer.headers.update(IN_PLACE)
    return answer


def _plan(seen: Seen, sent: form_data.Sent, planned: Plan | None, refused: Wrong | None = None) -> Response:
    game = app_state().installed_game(seen.game)
    kept, misfit = None, None
    if planned and planned.offer.keeps and any(sent.get("kept", ())):
        try:
            kept = stored_lists.read("".join(sent["kept"][-1:]))
            filled_in = stored_lists.fit(kept, game.slug, seen.offers, planned.offer)
            planned = action_plan.plan(game.actions, seen.offers, {"do": sent.get("do", ()), **filled_in})
        except Refusal as no:
            kept, misfit = None, no
    wrong: Wrong | None = None
    charts: tuple[Chart, ...] = ()
    if planned is None:
        wrong = Refusal(say("The table has moved on: this can not be done any more."))
    elif planned.has_odds:
        try:
            close_moment()  # odds may take long, and nothing is read meanwhile
            charts = app_state().tables.foresee(seen.table, seen.seat, planned.action)
        except (Refusal, Problem) as no:
            wrong = no
    shown = render_template(
        "play/_plan.html" if fragment() else "play/plan.html",
        seen=seen,
        game=game,
        offer=planned.offer if planned else None,
        advice=planned.advice if planned else (),
        hopeless=planned.hopeless if planned else None,
        do="".join(sent.get("do", ())[-1:]),
        left=planned.left if planned else (),
        kinds={field.name: field.kind for field in planned.left} if planned else {},
        given=stored_lists.settled(planned.offer) if planned else {},
        settled=planned.settled if planned else (),
        charts=charts,
        problem=wrong,
        refused=refused,
        kept=kept,
        misfit=misfit,
    )
    return make_response(shown, status_of(refused or misfit or wrong))


def _game(table: str) -> Game[Any]:
    return app_state().installed_game(app_state().tables.game_of(table))
