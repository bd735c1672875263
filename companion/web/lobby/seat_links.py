"""Seats that are handed over by a link, the rulekeeper's seat as the laptop gives it away, and the PIN of a table."""

from __future__ import annotations

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.kit.game import RULEKEEPER
from companion.table.problem import Problem
from companion.web import forms, seat_cookies
from companion.web.host import check_host
from companion.web.lobby import lobby
from companion.web.play import rulekeeper
from companion.web.problems import status_of
from companion.web.state import app_state
from companion.web.this_phone import known_name, remember_name

seat_links = Blueprint("seat_links", __name__, url_prefix="/t/<table>")


@seat_links.get("/take/<secret>")
def offered(table: str, secret: str, wrong: Problem | None = None) -> Response:
    """Show a seat that is handed over to whoever opened its link: whoever only looks at it takes nothing."""
    tables = app_state().tables
    summary = tables.summary(table)
    offer = None
    try:
        offer = tables.offered(table, secret)
    except Problem as problem:
        if problem.status != 409:
            raise
        wrong = wrong or problem
    page = render_template(
        "lobby/taking.html",
        summary=summary,
        game=app_state().games.get(summary.game),
        offer=offer,
        own=offer is not None and offer.seat in seat_cookies.seats_held(table),
        name=request.form.get("name", known_name()),
        key=forms.new_key(),
        wrong_about=wrong,
    )
    return make_response(page, status_of(wrong))


@seat_links.post("/take/<secret>")
def take_over(table: str, secret: str) -> Response:
    """Take a seat that is handed over."""
    tables = app_state().tables
    tables.summary(table)
    name = request.form.get("name", "")
    try:
        token = tables.take_over(table, secret, name, request.form.get("key") or None)
    except Problem as wrong:
        if wrong.status == 404:
            raise
        return offered(table, secret, wrong)
    seat = tables.seat_of(table, token)
    if seat is None:  # sent again, after it was given away once more
        return redirect(url_for("lobby.join", table=table), 303)
    answer = seat_cookies.seat_down(table, seat, token)
    remember_name(answer, name)
    return answer


@seat_links.post("/give")
def give(table: str) -> Response:
    """Let a player take the rulekeeper's seat, as whoever runs Companion wants."""
    check_host()
    other = request.form.get("seat", "")
    key = forms.key(request.form.to_dict(flat=False), ["give", other])
    try:
        app_state().tables.give_rulekeeper(table, other, key)
    except Problem as wrong:
        return lobby.join(table, wrong)
    return redirect(url_for("lobby.join", table=table), 303)


@seat_links.post("/pin")
def lock(table: str) -> Response:
    """Lock a table with a PIN, change it or take it away: for the rulekeeper, and for whoever runs Companion."""
    keeps = RULEKEEPER in seat_cookies.seats_held(table)
    if not keeps:
        check_host()
    typed = "" if "off" in request.form else request.form.get("pin", "") or "-"
    try:
        app_state().tables.lock(table, typed, forms.new_key())
    except Problem as wrong:
        return rulekeeper.settings(table, RULEKEEPER, wrong) if keeps else lobby.join(table, wrong)
    if keeps:
        return redirect(url_for("rulekeeper.settings", table=table, seat=RULEKEEPER, _anchor="locked"), 303)
    return redirect(url_for("lobby.join", table=table), 303)
