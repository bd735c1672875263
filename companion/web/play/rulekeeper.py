"""Around the play page: inviting, one's own link, corrections by hand, and what the rulekeeper may change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from secrets import token_urlsafe
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
from companion.web.address import origin, qr_of
from companion.web.play import corrections as corrections_module
from companion.web.problems import status_of
from companion.web.state import app_state

keeper = Blueprint("keeper", __name__, url_prefix="/t/<table>/<seat>")


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


def _do(do: Callable[[], Any], again: Callable[[Refusal | Problem], Response], where: str) -> Response:
    """Do something and go on to a page; with something wrong, show the form again."""
    try:
        do()
    except (Refusal, Problem) as wrong:
        return again(wrong)
    return redirect(where, 303)


def _key(what: object) -> str:
    return form_data.key(request.form.to_dict(flat=False), what)


@keeper.get("/invite")
def invite(table: str, seat: str) -> Response:
    """Show the way in: QR, code and the seats."""
    return _invite(table, seat)


def _invite(table: str, seat: str, wrong: Refusal | Problem | None = None) -> Response:
    seen = _seen(table, seat)
    address = f"{origin()}/t/{table}"
    screen = f"{origin()}/t/{table}/{SCREEN}"
    held = seat_cookies.seats_held(table)
    return _page(
        "keeper/invite.html",
        seen,
        wrong,
        address=address,
        screen=screen,
        qr=qr_of(address),
        held=held,
        key=token_urlsafe(24),
    )


@keeper.get("/mine")
def mine(table: str, seat: str) -> Response:
    """Show the private link of one's own seat, to go on with on another phone."""
    seen = _seen(table, seat)
    link = f"{origin()}/s/{table}/{seat}/{app_state().tables.private_link(table, seat)}"
    return _page("keeper/mine.html", seen, link=link, qr=qr_of(link))


@keeper.post("/rename")
def rename(table: str, seat: str) -> Response:
    """Change one's own name."""
    name = request.form.get("name", "")
    return _seats(table, seat, lambda: app_state().tables.rename(table, seat, name, _key(["rename", name])))


@keeper.post("/release")
def release(table: str, seat: str) -> Response:
    """Free a seat, so that its link opens nothing any more."""
    other = request.form.get("seat", "")
    return _seats(table, seat, lambda: app_state().tables.release(table, seat, other, _key(["release", other])))


def _seats(table: str, seat: str, do: Callable[[], Any]) -> Response:
    """Change who sits where and show it; with something wrong, the same page says so."""
    seat_cookies.check_seat(table, seat)
    return _do(do, lambda wrong: _invite(table, seat, wrong), url_for("keeper.invite", table=table, seat=seat))


@keeper.get("/rename")
@keeper.get("/release")
def seats(table: str, seat: str) -> Response:
    """Lead to the page of the seats from an address that only takes what is sent there."""
    return redirect(url_for("keeper.invite", table=table, seat=seat), 303)


@keeper.get("/knocks")
def knocks(table: str, seat: str) -> Response:
    """Say on another page of the rulekeeper's phone that somebody asks for a seat."""
    seen = _seen(table, seat)
    return _page("keeper/_knocks.html", seen) if seen.knocks else Response("")


@keeper.get("/corrections")
def corrections(table: str, seat: str) -> Response:
    """Show everything that can be corrected by hand."""
    return _corrections(table, seat)


def _corrections(
    table: str, seat: str, wrong: Refusal | Problem | None = None, at: str = "", done: Sequence[str] = ()
) -> Response:
    """Show all values; ``at`` is the path that something is wrong with, ``done`` are those that have been set."""
    seen = _seen(table, seat)
    tracked = app_state().tables.tracked(table, seat)
    done, paths = done or request.args.getlist("done"), {one.path for one in tracked}
    return _page(
        "keeper/corrections.html",
        seen,
        wrong,
        parts=corrections_module.parts(tracked),
        at=at if at in paths else "",
        done=done,
        moved=not paths.issuperset(done),
        sent={one.path: corrections_module.typed(one, request.form) for one in tracked} if wrong else {},
        written=corrections_module.written,
    )


@keeper.post("/correct")
def correct(table: str, seat: str) -> Response:
    """Set the values by hand that a form changes, one after the other up to the first that can not be."""
    seat_cookies.check_seat(table, seat)
    form, tables = request.form, app_state().tables
    seen = form_data.seen(form.to_dict(flat=False))
    tracked = tables.tracked(table, seat)
    wanted = [one for one in tracked if corrections_module.changed(one, form)]
    if not wanted:
        shown = next((one.path for one in tracked if corrections_module.typed(one, form) is not None), "")
        return _corrections(table, seat, Problem(400, say("Nothing was changed.")), shown)
    done: list[str] = []
    for one in wanted:
        try:
            value = corrections_module.checked(one, form)
            tables.correct(table, seat, one.path, value, _key(["correct", one.path, value]), seen)
        except (Refusal, Problem) as wrong:
            return _corrections(table, seat, wrong, one.path, done)
        done.append(one.path)
    where = url_for("keeper.corrections", table=table, seat=seat, done=done, _anchor=f"at-{done[0]}")
    return redirect(where, 303)


@keeper.get("/correct")
def corrected(table: str, seat: str) -> Response:
    """Lead to the corrections from the address that only takes one."""
    return redirect(url_for("keeper.corrections", table=table, seat=seat), 303)


@keeper.get("/settings")
def settings(table: str, seat: str) -> Response:
    """Show what the rulekeeper may change in play."""
    return _settings(table, seat)


def _settings(table: str, seat: str, wrong: Refusal | Problem | None = None) -> Response:
    return _page("keeper/settings.html", _seen(table, seat), wrong, dice=DICE)


@keeper.post("/settings")
def change(table: str, seat: str) -> Response:
    """Change the dice, the title, a pause or the end."""
    seat_cookies.check_seat(table, seat)
    tables, form = app_state().tables, request.form
    changes: dict[str, Callable[[str, str], Any]] = {
        "dice": lambda value, key: tables.set_dice(table, seat, value, key),
        "title": lambda value, key: tables.retitle(table, seat, value, key),
        "pause": lambda value, key: tables.pause(table, seat, value == "1", key),
        "end": lambda value, key: tables.end(table, seat, key, value == "1"),
    }

    def do() -> None:
        if not changes.keys() & form.keys():
            raise Problem(400, say("Say what to change."))
        for name, change_it in changes.items():
            if name in form:
                change_it(form[name], _key([name, form[name]]))

    return _do(do, lambda wrong: _settings(table, seat, wrong), url_for("keeper.settings", table=table, seat=seat))
