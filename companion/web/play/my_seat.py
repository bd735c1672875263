"""One's own seat, from one's own phone: its name, its link, handing it over, leaving it, and what is wished for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.kit.game import RULEKEEPER
from companion.table.problem import Problem
from companion.web import forms, seat_cookies
from companion.web.address_qr import origin, qr_for_phones
from companion.web.play import page as play_page
from companion.web.play import rulekeeper
from companion.web.problems import Wrong, status_of
from companion.web.state import app_state
from companion.web.this_phone import remember_name

my_seat = Blueprint("my_seat", __name__, url_prefix="/t/<table>/<seat>")
# Who taps twice has no seat any more the second time, or another one: that was the wish.
my_seat.register_error_handler(seat_cookies.SeatNotHeld, seat_cookies.lead_on)


def _show(name: str, table: str, seat: str, wrong: Wrong | None = None, **values: Any) -> Response:
    summary = app_state().tables.summary(table)
    person = next(person for person in summary.people if person.seat == seat)
    page = render_template(
        name,
        summary=summary,
        game=app_state().games.get(summary.game),
        person=person,
        keeping=seat == RULEKEEPER,
        key=forms.new_key(),
        problem=wrong,
        **values,
    )
    return make_response(page, status_of(wrong))


@my_seat.get("/mine")
def page(table: str, seat: str, wrong: Wrong | None = None) -> Response:
    """Show what one can do with one's own seat, and its private link, to go on with on another phone."""
    held = seat_cookies.check_person(table, seat)
    link = f"{origin()}/s/{table}/{seat}/{app_state().tables.private_link(table, seat)}"
    return _show("rulekeeper/mine.html", table, seat, wrong, link=link, qr=qr_for_phones(link), held=held)


@my_seat.get("/hand-over")
def handing_over(table: str, seat: str) -> Response:
    """Show the link that hands one's seat over, until somebody has taken it or it is too late."""
    seat_cookies.check_person(table, seat)
    given = app_state().tables.handed_over(table, seat)
    if given is None:
        return back_to_seat(table, seat)
    link = origin() + url_for("seat_links.offered", table=table, secret=given.secret)
    until = int(given.until.timestamp() * 1000)
    return _show("rulekeeper/handing_over.html", table, seat, link=link, qr=qr_for_phones(link), until=until)


def _key(*what: Any) -> str:
    return forms.key(request.form.to_dict(flat=False), what)


def _change(table: str, seat: str, change: Callable[[], Any], then: str) -> Response:
    """Change something about one's seat, and go on to where that shows; say on its page what can not be."""
    seat_cookies.check_person(table, seat)
    try:
        change()
    except Problem as wrong:
        return page(table, seat, wrong)
    return redirect(url_for(then, table=table, seat=seat), 303)


@my_seat.post("/rename")
def rename(table: str, seat: str) -> Response:
    """Change one's own name."""
    name, tables = request.form.get("name", ""), app_state().tables
    answer = _change(table, seat, lambda: tables.rename(table, seat, name, _key("rename", name)), "my_seat.page")
    if answer.status_code == 303:
        remember_name(answer, name)
    return answer


@my_seat.post("/hand-over")
def hand_over(table: str, seat: str) -> Response:
    """Make the link that hands one's seat over, or take it back."""
    on, tables, held = request.form.get("on", "1") == "1", app_state().tables, seat_cookies.seats_held(table)
    return _change(
        table, seat, lambda: tables.hand_over(table, seat, on, _key("hand over", on), held), "my_seat.handing_over"
    )


@my_seat.post("/leave")
def leave(table: str, seat: str) -> Response:
    """Get up from one's seat; this phone forgets it."""
    seat_cookies.check_person(table, seat)
    try:
        app_state().tables.leave(table, seat, _key("leave"))
    except Problem as wrong:
        return page(table, seat, wrong)
    answer = redirect(url_for("lobby.join", table=table), 303)
    seat_cookies.forget(answer, table, (seat,))
    return answer


@my_seat.post("/swap")
def swap(table: str, seat: str) -> Response:
    """Take a free seat in the place of one's own, or ask whoever sits there to swap."""
    seat_cookies.check_person(table, seat)
    other, tables = request.form.get("other", ""), app_state().tables
    token = seat_cookies.token(seat)
    try:
        tables.change_seats(table, seat, other, _key("swap", other))
    except Problem as wrong:
        return page(table, seat, wrong)
    return _to_where_one_sits(table, seat, token)


def _to_where_one_sits(table: str, seat: str, token: str) -> Response:
    """Lead to the seat that a token opens now, which may be another one than that of the page."""
    now = app_state().tables.seat_of(table, token)
    return play_page.back(table, seat) if now in {None, seat} else seat_cookies.seat_down(table, now or seat, token)


@my_seat.post("/propose")
def propose(table: str, seat: str) -> Response:
    """Propose that somebody else keeps the rules."""
    seat_cookies.check_person(table, seat)
    other = request.form.get("other", "")
    try:
        app_state().tables.propose_rulekeeper(table, seat, other, _key("propose", other))
    except Problem as wrong:
        return rulekeeper.invite(table, seat, wrong)
    return play_page.back(table, seat)


@my_seat.post("/wish")
def answer_wish(table: str, seat: str) -> Response:
    """Agree to what is wished with seats, or end it."""
    held = seat_cookies.check_person(table, seat)
    wish, yes = request.form.get("wish", ""), request.form.get("yes") == "1"
    token = seat_cookies.token(seat)
    try:
        app_state().tables.answer_wish(table, seat, wish, yes, _key("wish", wish, yes), held)
    except Problem as wrong:
        return play_page.page(table, seat, wrong)
    return _to_where_one_sits(table, seat, token)


@my_seat.post("/claim")
def claim(table: str, seat: str) -> Response:
    """Take the rulekeeper's seat that was given to one's own."""
    seat_cookies.check_person(table, seat)
    wish, tables = request.form.get("wish", ""), app_state().tables
    try:
        token = tables.claim(table, seat, wish, _key("claim", wish))
    except Problem as wrong:
        return play_page.page(table, seat, wrong)
    return seat_cookies.seat_down(table, RULEKEEPER, token)


@my_seat.get("/rename")
@my_seat.get("/leave")
@my_seat.get("/swap")
def back_to_seat(table: str, seat: str) -> Response:
    """Lead to the page of one's seat, also from an address that only takes what is sent there."""
    return redirect(url_for("my_seat.page", table=table, seat=seat), 303)


@my_seat.get("/propose")
@my_seat.get("/wish")
@my_seat.get("/claim")
def back_to_table(table: str, seat: str) -> Response:
    """Lead to the table from an address that only takes what is sent there."""
    return play_page.back(table, seat)
