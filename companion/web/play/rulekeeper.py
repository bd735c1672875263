"""Around the play page: inviting, one's own link, corrections by hand, and what the rulekeeper may change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.table.problem import Problem
from companion.table.seat_view import Seen
from companion.table.settings import DICE
from companion.web import form_data, seat_cookies
from companion.web.address import origin, qr_for_phones
from companion.web.play import corrections as correction_forms
from companion.web.problems import status_of
from companion.web.state import app_state

rulekeeper = Blueprint("rulekeeper", __name__, url_prefix="/t/<table>/<seat>")


def _seen(table: str, seat: str) -> Seen:
    seat_cookies.check_seat(table, seat)
    if seat == SCREEN:
        raise Problem(403, say("The shared screen only shows what is public."))
    return app_state().tables.seen(table, seat)


def _page(name: str, seen: Seen, wrong: Refusal | Problem | None = None, **values: Any) -> Response:
    page = render_template(
        name,
        seen=seen,
        game=app_state().games[seen.game],
        problem=wrong,
        keeping=seen.seat == RULEKEEPER,
        typed=request.form,
        **values,
    )
    return make_response(page, status_of(wrong))


def _key(what: object) -> str:
    return form_data.key(request.form.to_dict(flat=False), what)


@rulekeeper.get("/invite")
def invite(table: str, seat: str, wrong: Refusal | Problem | None = None) -> Response:
    """Show the way in: QR, code and the seats."""
    seen, address = _seen(table, seat), f"{origin()}/t/{table}"
    return _page(
        "rulekeeper/invite.html",
        seen,
        wrong,
        address=address,
        screen=f"{address}/{SCREEN}",
        qr=qr_for_phones(address),
        own_seats=seat_cookies.seats_held(table),
        key=form_data.new_key(),
    )


@rulekeeper.get("/mine")
def private_link(table: str, seat: str) -> Response:
    """Show the private link of one's own seat, to go on with on another phone."""
    seen = _seen(table, seat)
    link = f"{origin()}/s/{table}/{seat}/{app_state().tables.private_link(table, seat)}"
    return _page("rulekeeper/mine.html", seen, link=link, qr=qr_for_phones(link))


@rulekeeper.post("/rename")
def rename(table: str, seat: str) -> Response:
    """Change one's own name."""
    name = request.form.get("name", "")
    return _change_seats(table, seat, lambda: app_state().tables.rename(table, seat, name, _key(["rename", name])))


@rulekeeper.post("/release")
def release(table: str, seat: str) -> Response:
    """Free a seat, so that its link opens nothing any more."""
    other = request.form.get("seat", "")
    return _change_seats(table, seat, lambda: app_state().tables.release(table, seat, other, _key(["release", other])))


def _change_seats(table: str, seat: str, change: Callable[[], Any]) -> Response:
    seat_cookies.check_seat(table, seat)
    try:
        change()
    except (Refusal, Problem) as wrong:
        return invite(table, seat, wrong)
    return back_to_seats(table, seat)


@rulekeeper.get("/rename")
@rulekeeper.get("/release")
def back_to_seats(table: str, seat: str) -> Response:
    """Lead to the page of the seats from an address that only takes what is sent there."""
    return redirect(url_for("rulekeeper.invite", table=table, seat=seat), 303)


@rulekeeper.get("/knocks")
def knocks(table: str, seat: str) -> Response:
    """Say on another page of the rulekeeper's phone that somebody asks for a seat."""
    seen = _seen(table, seat)
    return _page("rulekeeper/_knocks.html", seen) if seen.knocks else Response("")


@rulekeeper.get("/corrections")
def corrections(
    table: str, seat: str, wrong: Refusal | Problem | None = None, at: str = "", done: Sequence[str] = ()
) -> Response:
    """Show everything that can be corrected by hand.

    ``at`` is the path that something is ``wrong`` with, ``done`` are those that have been set.
    """
    seen, tracked = _seen(table, seat), app_state().tables.tracked(table, seat)
    done, paths = done or request.args.getlist("done"), {value.path for value in tracked}
    return _page(
        "rulekeeper/corrections.html",
        seen,
        wrong,
        parts=correction_forms.parts(tracked),
        at=at if at in paths else "",
        done=done,
        moved=not paths.issuperset(done),
        sent={value.path: correction_forms.typed(value, request.form) for value in tracked} if wrong else {},
        written=correction_forms.written,
    )


@rulekeeper.post("/correct")
def correct(table: str, seat: str) -> Response:
    """Set the values by hand that a form changes, one after the other up to the first that can not be."""
    seat_cookies.check_seat(table, seat)
    form, tables = request.form, app_state().tables
    version = form_data.version(form.to_dict(flat=False))
    tracked = tables.tracked(table, seat)
    paths = [value.path for value in tracked if correction_forms.typed(value, form) is not None]
    changed = [value for value in tracked if correction_forms.changed(value, form)]
    if not changed:
        return corrections(table, seat, Problem(400, say("Nothing was changed.")), "".join(paths[:1]))
    done: list[str] = []
    for value in changed:
        try:
            typed = correction_forms.checked(value, form)
            tables.correct(table, seat, value.path, typed, _key(["correct", value.path, typed]), version)
        except (Refusal, Problem) as wrong:
            return corrections(table, seat, wrong, value.path, done)
        done.append(value.path)
    where = url_for("rulekeeper.corrections", table=table, seat=seat, done=done, _anchor=f"at-{done[0]}")
    return redirect(where, 303)


@rulekeeper.get("/correct")
def back_to_corrections(table: str, seat: str) -> Response:
    """Lead to the corrections from the address that only takes one."""
    return redirect(url_for("rulekeeper.corrections", table=table, seat=seat), 303)


@rulekeeper.get("/settings")
def settings(table: str, seat: str, wrong: Refusal | Problem | None = None) -> Response:
    """Show what the rulekeeper may change in play."""
    return _page("rulekeeper/settings.html", _seen(table, seat), wrong, dice=DICE)


@rulekeeper.post("/settings")
def change_settings(table: str, seat: str) -> Response:
    """Change the dice, the title, a pause or the end."""
    seat_cookies.check_seat(table, seat)
    tables, form = app_state().tables, request.form
    changes: dict[str, Callable[[str, str], Any]] = {
        "dice": lambda value, key: tables.set_dice(table, seat, value, key),
        "title": lambda value, key: tables.retitle(table, seat, value, key),
        "pause": lambda value, key: tables.pause(table, seat, value == "1", key),
        "end": lambda value, key: tables.end(table, seat, key, value == "1"),
    }
    if not changes.keys() & form.keys():
        return settings(table, seat, Problem(400, say("Say what to change.")))
    try:
        for name, change in changes.items():
            if name in form:
                change(form[name], _key([name, form[name]]))
    except (Refusal, Problem) as wrong:
        return settings(table, seat, wrong)
    return redirect(url_for("rulekeeper.settings", table=table, seat=seat), 303)
