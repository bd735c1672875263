"""The play page: what a seat sees and does there, what it looks at before, and the live stream that keeps it right."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from math import ceil
from typing import Any

import msgspec
from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.kit.game import SCREEN
from companion.kit.odds import Chart
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.table.problem import Problem
from companion.table.tables import Tables
from companion.table.view_models import Seen
from companion.web import forms, seat_cookies
from companion.web.address_qr import origin, qr_for_phones
from companion.web.forms import Sent, key, version
from companion.web.fragments import Channel, Fragment, fragments, laid_out, render
from companion.web.guard import asker
from companion.web.language import LANGUAGES, language, speaker
from companion.web.live import HEADER, PING
from companion.web.pages import fragment
from companion.web.play import action_plan
from companion.web.play.action_plan import Plan
from companion.web.play.ending import course_words
from companion.web.play.layout import colours
from companion.web.play.pictures import take_in
from companion.web.presence import HELD
from companion.web.problems import Wrong, status_of
from companion.web.publish import GONE, event, html_since
from companion.web.rematch import seat_again, take_along
from companion.web.state import app_state, close_moment
from companion.web.this_phone import remember_seat

AGAIN = 15
"""Seconds until a page without scripts that waits for others is loaded again."""
IN_PLACE = {"HX-Retarget": "#plan", "HX-Reswap": "outerMorph"}
"""Puts a plan where the refused one stands, in the sheet or on a page of its own."""
CHANGES = "innerMorph swapEmpty:false"
"""How an answer is shown that may tell nothing but what changed."""
SHOWN = "X-Shown"
"""The header in which a phone says what it shows: the version, the language, and the build of the page."""

ONLY_AT = "X-Only-At"
"""The header in which a phone names the version at which alone its tap may be done: it goes by itself, later."""

play = Blueprint("play", __name__, url_prefix="/t/<table>/<seat>")


@play.get("")
def page(
    table: str, seat: str, wrong: Wrong | None = None, seen: Seen | None = None, before: Fragment | None = None
) -> Response:
    """Show a seat's page; with something wrong, its sentence stands where the next tap would be.

    ``seen`` is what the seat saw after what it did. Where its phone shows what the seat saw ``before``, it is told what
    changed.
    """
    seats = seat_cookies.check_seat(table, seat)
    if wrong is None:
        shown = fragments().get(table, seat, language(), seen)
    else:
        seen, sent = app_state().tables.seen(table, seat), request.form.to_dict(flat=False)
        if not fragment():  # where scripts run, what was filled in still stands in the page, and stays there
            actions = app_state().installed_game(seen.game).actions
            seen = msgspec.structs.replace(seen, offers=action_plan.refill(actions, seen.offers, sent))
        shown = render(laid_out(seen), wrong, request.form.get("do", ""))
    # What others did meanwhile the stream may have brought already: then only all there is to see fits.
    if before is not None and wrong is None and shown.version <= before.version + 1:
        return make_response(html_since(before, shown), {"HX-Reswap": CHANGES})
    if fragment():
        return make_response(shown.html, status_of(wrong))
    summary = app_state().tables.summary(table)
    whole = render_template(
        "play/page.html",
        html=shown.html,
        awaited=shown.awaited,
        headline=shown.headline,
        again=min(ceil(shown.left) + 1, AGAIN) if shown.left else AGAIN,
        table=table,
        seat=seat,
        title=summary.title,
        game=app_state().games.get(summary.game),
        people=summary.people,
        held=seats,
        qr=qr_for_phones(f"{origin()}/t/{table}") if seat == SCREEN else None,
    )
    answer = make_response(whole, status_of(wrong))
    if seat != SCREEN:
        remember_seat(answer, table, seat)
    return answer


@play.get("/live")
def live(table: str, seat: str) -> Response:
    """Stream what a seat sees: all of it at once, unless the phone already shows it, and again after every change."""
    headers = {"Cache-Control": "no-store"}
    known = request.headers.get("Last-Event-ID")
    if request.args.get("build", "" if known else app_state().build) != app_state().build:
        return Response(GONE.event, mimetype="text/event-stream", headers=headers)  # it would not fit the page
    spoken_there = request.args.get("language", "")
    code = spoken_there if spoken_there in LANGUAGES else language()
    try:
        seats = seat_cookies.check_seat(table, seat)
        now = fragments().get(table, seat, code)
    except Problem as wrong:
        if wrong.passing:
            return Response(status=204)  # the phone asks again by itself
        if wrong.status == 404:
            app_state().guesses.wrong(asker())
        return Response(GONE.event, mimetype="text/event-stream", headers=headers)
    shown = now.left is None and known == str(now.version)
    # A stream ends with the token that it began with.
    held = {one: seat_cookies.digest(seat_cookies.token(one)) for one in seats}
    channel = Channel("play", table, seat, code, "" if seat == SCREEN else held[seat])
    headers[HEADER] = str(channel)
    headers[HELD] = msgspec.json.encode(held).decode()
    # The next event says what changed since; where others listen already, since what they were told last.
    fragments().listened(channel, now)
    return Response(PING.event if shown else event(now), mimetype="text/event-stream", headers=headers)


@play.get("/log")
def log(table: str, seat: str) -> str:
    """Show older entries of the log."""
    seat_cookies.check_seat(table, seat)
    before = forms.number_or_none("before", request.args)
    summary = app_state().tables.summary(table)
    return render_template(
        "play/_log.html" if fragment() else "play/log.html",
        entries=app_state().tables.log(table, seat, before, 50),
        table=table,
        seat=seat,
        game=app_state().games.get(summary.game),
        colours=colours(summary.people),
    )


@play.get("/course")
def course(table: str, seat: str) -> str:
    """Show how a game went that is over."""
    seat_cookies.check_seat(table, seat)
    summary = app_state().tables.summary(table)
    words = course_words(app_state().tables.course(table), speaker(summary.game), summary.roles)
    return render_template("play/_course.html", words=words, game=app_state().games.get(summary.game))


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


def _do(
    table: str,
    seat: str,
    do: Callable[[Tables, Sent], Any],
    refused: Callable[[str, str, Wrong], Response] = page,
) -> Response:
    """Do something for a seat with what its form sends, and show what came of it, or why not."""
    tables, in_place = app_state().tables, fragment()
    with tables.moment():
        seat_cookies.check_seat(table, seat)
        tables.game_of(table)  # needed to read the action; no table ever changes to another game
    watching: AbstractContextManager[list[Seen]] = nullcontext([])
    before = None
    if in_place:
        watching = tables.watched(seat_cookies.token(seat))
        before = fragments().seen_before(table, seat, language(), request.headers.get(SHOWN, ""))
    try:
        with watching as views, tables.only_at(_only_at()):
            do(tables, request.form.to_dict(flat=False))
    except (Refusal, Problem) as wrong:
        return refused(table, seat, wrong)
    if not in_place:
        return back(table, seat)
    if not views:
        seat_cookies.forget_checked()
    return page(table, seat, seen=views[-1] if views else None, before=before)


def _only_at() -> int | None:
    """Read at which version alone a tap may be done; None when at any. What is no version is none of any table."""
    wanted = request.headers.get(ONLY_AT)
    return None if wanted is None else forms.whole(wanted) or 0


@play.post("/act")
def act(table: str, seat: str) -> Response:
    """Do an action."""

    def do(tables: Tables, sent: Sent) -> None:
        sent, photos = take_in(sent, request.files)
        action = forms.action(app_state().installed_game(tables.game_of(table)).actions, sent)
        tables.act(table, seat, action, key(sent, action), version(sent), photos=photos)

    return _do(table, seat, do, _plan_again)


@play.post("/answer")
def answer(table: str, seat: str) -> Response:
    """Answer the question that waits."""

    def do(tables: Tables, sent: Sent) -> None:
        given = forms.answer(sent)
        tables.answer(table, seat, given, key(sent, given), version(sent))

    return _do(table, seat, do)


@play.post("/silence")
def silence(table: str, seat: str) -> Response:
    """Go on without an answer that did not come in time."""
    return _do(table, seat, lambda tables, sent: tables.silence(table, seat, version(sent) or 0, key(sent, "silence")))


@play.post("/correct-piece")
def correct_piece(table: str, seat: str) -> Response:
    """Correct a value at the piece that it belongs to."""

    def do(tables: Tables, sent: Sent) -> None:
        path, value = forms.correction(sent)
        tables.correct(table, seat, path, value, key(sent, ["correct", path, value]), version(sent))

    return _do(table, seat, do)


@play.post("/undo")
def undo(table: str, seat: str) -> Response:
    """Take the newest step back, or ask for it."""
    return _do(table, seat, lambda tables, sent: tables.take_back(table, seat, key(sent, "undo"), version(sent)))


@play.post("/consent")
def consent(table: str, seat: str) -> Response:
    """Agree to somebody's wish to take something back, or to end the table, or not."""
    yes = request.form.get("yes") == "1"
    if "end" in request.form:
        ending = ["end", yes]

        def answered(tables: Tables, sent: Sent) -> Any:
            return tables.consent_to_end(table, seat, yes, key(sent, ending), seat_cookies.check_seat(table, seat))

        return _do(table, seat, answered)
    named = ["consent", yes]
    return _do(table, seat, lambda tables, sent: tables.consent(table, seat, yes, key(sent, named), version(sent)))


@play.post("/grant")
def grant(table: str, seat: str) -> Response:
    """Hand a taken seat over to somebody who asked for it, or not."""
    knock, yes = request.form.get("knock", ""), request.form.get("yes") == "1"
    named = ["grant", knock, yes]
    return _do(table, seat, lambda tables, sent: tables.grant(table, seat, knock, yes, key(sent, named)))


@play.post("/rematch")
def rematch(table: str, seat: str) -> Response:
    """Bring a phone to the rematch with all the seats that it holds; whoever asks first sets that up."""
    held = seat_cookies.check_seat(table, seat)
    try:
        there = seat_again(table, seat, swap=request.form.get("swap") == "1")
    except (Refusal, Problem) as wrong:
        return page(table, seat, wrong)
    answer = redirect(url_for("play.page", table=there.table, seat=there.seat), 303)
    return take_along(answer, table, held)


@play.get("/next")
def follow(table: str, seat: str) -> Response:
    """Bring a shared screen to that of the rematch, with all the seats that are held where it is shown."""
    held = seat_cookies.check_seat(table, seat)
    ending = app_state().tables.ending(table)
    if seat != SCREEN or ending is None or ending.rematch is None:
        return back(table, seat)
    return take_along(redirect(url_for("play.page", table=ending.rematch.table, seat=SCREEN), 303), table, held)


@play.get("/act")
@play.get("/answer")
@play.get("/silence")
@play.get("/correct-piece")
@play.get("/undo")
@play.get("/consent")
@play.get("/grant")
@play.get("/rematch")
def back(table: str, seat: str) -> Response:
    """Lead to the table, also from an address that only takes what is sent there."""
    return redirect(url_for("play.page", table=table, seat=seat), 303)


@play.get("/plan")
def plan(table: str, seat: str) -> Response:
    """Show an action before it is done: what is left to choose, and its exact odds."""
    seat_cookies.check_seat(table, seat)
    seen, sent = app_state().tables.seen(table, seat), request.args.to_dict(flat=False)
    return _plan(seen, sent, _planned(seen, sent))


def _plan_again(table: str, seat: str, wrong: Wrong) -> Response:
    """Show a plan that was refused with all that was filled in; with nothing to fill in, the table."""
    seen, sent = app_state().tables.seen(table, seat), request.form.to_dict(flat=False)
    planned = _planned(seen, sent) if "planned" in sent else None
    if planned is None or not planned.left:
        return page(table, seat, wrong)
    answer = _plan(seen, sent, planned, wrong)
    if fragment():
        answer.headers.update(IN_PLACE)
    return answer


def _planned(seen: Seen, sent: Sent) -> Plan | None:
    return action_plan.plan(app_state().installed_game(seen.game).actions, seen.offers, sent)


def _plan(seen: Seen, sent: Sent, planned: Plan | None, refused: Wrong | None = None) -> Response:
    stored, misfit = None, None
    if planned and planned.offer.keeps and any(sent.get("kept", ())):
        try:
            stored = action_plan.read_list("".join(sent["kept"][-1:]))
            filled_in = action_plan.fit_list(stored, seen.game, seen.offers, planned.offer)
            planned = _planned(seen, {"do": sent.get("do", ()), **filled_in})
        except Refusal as refusal:
            stored, misfit = None, refusal
    if planned is None:
        gone = Refusal(say("The table has moved on: this cannot be done any more."))
        return _plan_page(seen, gone, offer=None, settled=(), problem=gone)
    charts, wrong = _odds(seen, planned)
    return _plan_page(
        seen,
        refused or misfit or wrong,
        offer=planned.offer,
        advice=planned.advice,
        hopeless=planned.hopeless,
        do="".join(sent.get("do", ())[-1:]),
        left=planned.left,
        kinds={field.name: field.kind for field in planned.left},
        given=action_plan.settled_values(planned.offer),
        settled=planned.settled,
        charts=charts,
        problem=wrong,
        refused=refused,
        kept=stored,
        misfit=misfit,
    )


def _odds(seen: Seen, planned: Plan) -> tuple[tuple[Chart, ...], Wrong | None]:
    """Work out the odds of a plan that has any; with what is wrong with it where a rule says no."""
    if not planned.has_odds:
        return (), None
    try:
        close_moment()  # odds may take long, and nothing is read meanwhile
        return app_state().tables.foresee(seen.table, seen.seat, planned.action), None
    except (Refusal, Problem) as unforeseen:
        return (), unforeseen


def _plan_page(seen: Seen, wrong: Wrong | None, **values: Any) -> Response:
    game = app_state().installed_game(seen.game)
    page = render_template("play/_plan.html" if fragment() else "play/plan.html", seen=seen, game=game, **values)
    return make_response(page, status_of(wrong))
