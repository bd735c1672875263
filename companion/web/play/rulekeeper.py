"""Around the play page: inviting, corrections by hand, and what the rulekeeper may change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

import msgspec
from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from companion.kit.action import Field
from companion.kit.correction import Tracked
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say
from companion.table.problem import Problem
from companion.table.settings import DICE
from companion.table.view_models import Seen
from companion.web import forms, seat_cookies
from companion.web.address_qr import origin, qr_for_phones
from companion.web.host import is_host
from companion.web.play.turn import whose_turn
from companion.web.problems import Wrong, status_of
from companion.web.seat_cookies import SeatNotHeld
from companion.web.state import app_state

VALUE, BEFORE, NONE = "v.", "was.", "none."
"""What the names in a form of corrections begin with, each before the path: a value, what it was when the form was
shown, and the tick that says that a list holds nothing."""

rulekeeper = Blueprint("rulekeeper", __name__, url_prefix="/t/<table>/<seat>")


def seen_by(table: str, seat: str) -> Seen:
    """Return what a seat of this phone sees; raise Problem (403) for the shared screen, which does nothing."""
    seat_cookies.check_person(table, seat)
    return app_state().tables.seen(table, seat)


def _page(name: str, seen: Seen, wrong: Wrong | None = None, **values: Any) -> Response:
    page = render_template(
        name,
        seen=seen,
        game=app_state().games[seen.game],
        problem=wrong,
        keeping=seen.seat == RULEKEEPER,
        **values,
    )
    return make_response(page, status_of(wrong))


def _key(what: object) -> str:
    return forms.key(request.form.to_dict(flat=False), what)


@rulekeeper.get("/invite")
def invite(table: str, seat: str, wrong: Wrong | None = None) -> Response:
    """Show the way in: QR, code and the seats."""
    seen, address = seen_by(table, seat), f"{origin()}/t/{table}"
    return _page(
        "rulekeeper/invite.html",
        seen,
        wrong,
        address=address,
        screen=f"{address}/{SCREEN}",
        qr=qr_for_phones(address),
        own_seats=seat_cookies.seats_held(table),
        host=is_host(),
        key=forms.new_key(),
    )


@rulekeeper.post("/release")
def release(table: str, seat: str) -> Response:
    """Free a seat, so that its link opens nothing any more."""
    seat_cookies.check_seat(table, seat)
    other = request.form.get("seat", "")
    try:
        app_state().tables.release(table, seat, other, _key(["release", other]))
    except (Refusal, Problem) as wrong:
        return invite(table, seat, wrong)
    return back_to_seats(table, seat)


@rulekeeper.get("/release")
def back_to_seats(table: str, seat: str) -> Response:
    """Lead to the page of the seats from an address that only takes what is sent there."""
    return redirect(url_for("rulekeeper.invite", table=table, seat=seat), 303)


@rulekeeper.get("/knocks")
def knocks(table: str, seat: str) -> Response:
    """Say on the page of another seat of this phone what this one has to do, or who keeps the rules by now.

    It calls for what others did, and for a question; a turn that came with a tap on this phone is only told.
    """
    try:
        seen = seen_by(table, seat)
    except SeatNotHeld:
        if seat != RULEKEEPER and seat in {*seat_cookies.seats_lost(table), *seat_cookies.seats_moved(table)}:
            return Response("")  # the page itself tells it
        if seat not in seat_cookies.seats_lost(table):
            raise
        people = app_state().tables.summary(table).people
        keeper = next(person for person in people if person.seat == RULEKEEPER)
        return make_response(render_template("rulekeeper/_lost.html", table=table, keeper=keeper))
    asked = seen.knocks or any(one.may == "refuse" for one in seen.proposals)
    if not (asked or seen.call):
        return Response("")
    calls = bool(seen.waiting) or seen.log[0].seat not in seat_cookies.seats_held(table)
    return _page("rulekeeper/_knocks.html", seen, asked=asked, turn=whose_turn(seen), calls=calls)


@rulekeeper.get("/corrections")
def corrections(table: str, seat: str, wrong: Wrong | None = None, at: str = "", done: Sequence[str] = ()) -> Response:
    """Show everything that can be corrected by hand.

    ``at`` is the path that something is ``wrong`` with, or that the address asks for, ``done`` are those that have been
    set.
    """
    seen, tracked = seen_by(table, seat), app_state().tables.tracked(table, seat)
    at = at or request.args.get("at", "")
    done, paths = done or request.args.getlist("done"), {value.path for value in tracked}
    return _page(
        "rulekeeper/corrections.html",
        seen,
        wrong,
        sections=_sections(tracked),
        at=at if at in paths else "",
        done=done,
        moved=not paths.issuperset(done),
        sent={value.path: typed(value, request.form) for value in tracked} if wrong else {},
        written=as_sent,
        recap=_recap(),
    )


def _recap() -> str | None:
    """Read what the recap that led here tells of: since a version, "" since one did something, None where none did."""
    return request.args.get("recap")


@rulekeeper.post("/correct")
def correct(table: str, seat: str) -> Response:
    """Set the values by hand that a form changes, one after the other up to the first that can not be.

    Whoever came from a recap goes back there: what is right now is in its list no more.
    """
    seat_cookies.check_seat(table, seat)
    form, tables = request.form, app_state().tables
    version = forms.version(form.to_dict(flat=False))
    tracked = tables.tracked(table, seat)
    paths = [value.path for value in tracked if typed(value, form) is not None]
    different = [value for value in tracked if changed(value, form)]
    if not different:
        return corrections(table, seat, Problem(400, say("Nothing was changed.")), "".join(paths[:1]))
    done: list[str] = []
    for value in different:
        try:
            words = _checked(value, form)
            tables.correct(table, seat, value.path, words, _key(["correct", value.path, words]), version)
        except (Refusal, Problem) as wrong:
            return corrections(table, seat, wrong, value.path, done)
        done.append(value.path)
    since = _recap()
    if since is not None:
        return redirect(url_for("recap.page", table=table, seat=seat, since=since or None), 303)
    return redirect(url_for("rulekeeper.corrections", table=table, seat=seat, done=done, _anchor=f"at-{done[0]}"), 303)


@rulekeeper.get("/correct")
def back_to_corrections(table: str, seat: str) -> Response:
    """Lead to the corrections from the address that only takes one."""
    return redirect(url_for("rulekeeper.corrections", table=table, seat=seat), 303)


SECTIONS = {
    "dice": "dice",
    "title": "title",
    "real-board": "real-board",
    "pause": "on-or-off",
    "end": "on-or-off",
    "end-wish": "on-or-off",
    "archive": "put-away",
    "delete": "put-away",
}
"""Where on the page of settings each change shows."""


@rulekeeper.get("/settings")
def settings(table: str, seat: str, wrong: Wrong | None = None) -> Response:
    """Show what the rulekeeper may change in play."""
    seen, locked = seen_by(table, seat), app_state().tables.is_locked(table)
    beside = app_state().tables.has_real_board(table)
    return _page("rulekeeper/settings.html", seen, wrong, dice=DICE, locked=locked, beside=beside)


@rulekeeper.post("/settings")
def change_settings(table: str, seat: str) -> Response:
    """Change the dice, whether a real board lies beside, the title, a pause or the end; put the table away."""
    own = seat_cookies.check_seat(table, seat)
    tables, form = app_state().tables, request.form
    changes: dict[str, Callable[[str, str], Any]] = {
        "dice": lambda value, key: tables.set_dice(table, seat, value, key),
        "title": lambda value, key: tables.retitle(table, seat, value, key),
        "real-board": lambda value, key: tables.set_real_board(table, seat, value == "1", key),
        "pause": lambda value, key: tables.pause(table, seat, value == "1", key),
        "end": lambda value, key: tables.end(table, seat, key, value == "1", own),
        "end-wish": lambda value, key: tables.consent_to_end(table, seat, value == "1", key, own),
        "archive": lambda value, key: tables.archive(table, seat, value == "1", key),
        "delete": lambda _, key: tables.delete(table, seat, key),
    }
    if not changes.keys() & form.keys():
        return settings(table, seat, Problem(400, say("Say what to change.")))
    try:
        for name, change in changes.items():
            if name in form:
                change(form[name], _key([name, form[name]]))
    except (Refusal, Problem) as wrong:
        return settings(table, seat, wrong)
    first = next(name for name in changes if name in form)
    return redirect(url_for("rulekeeper.settings", table=table, seat=seat, _anchor=SECTIONS[first]), 303)


class Group(msgspec.Struct, frozen=True):
    """Values that one saves together; ``telling`` are those that say at a glance how things are."""

    name: Text
    values: tuple[Tracked, ...]

    @property
    def telling(self) -> tuple[Field, ...]:
        """Return the fields that hold more than nothing."""
        return tuple(value.field for value in self.values if _tells(value.field))


class Section(msgspec.Struct, frozen=True):
    """Groups under one heading; None for those that stand under none."""

    name: Text | None
    groups: tuple[Group, ...]


def _sections(tracked: Sequence[Tracked]) -> tuple[Section, ...]:
    """Sort values by heading and group, each heading where its first value stands, those without one last."""
    names: list[Text | None] = []
    for value in tracked:
        if value.part is not None and value.part not in names:
            names.append(value.part)
    by_section = ((name, [value for value in tracked if value.part == name]) for name in (*names, None))
    return tuple(Section(name, _groups(values)) for name, values in by_section if values)


def _groups(values: Iterable[Tracked]) -> tuple[Group, ...]:
    return tuple(Group(name, tuple(of_group)) for name, of_group in groupby(values, lambda value: value.group))


def _tells(field: Field) -> bool:
    if field.kind == "number":
        return isinstance(field.value, int) and field.value > field.low
    return field.kind in {"yes_no", "many"} and bool(field.value)


def as_sent(field: Field) -> str:
    """Write a value as a form sends it; nothing for one that may not be read."""
    match field.value:
        case None:
            return ""
        case bool(ticked):
            return str(int(ticked))
        case tuple(chosen):
            return ",".join(option.value for option in field.options if option.value in chosen)
        case value:
            return str(value)


def changed(value: Tracked, form: MultiDict[str, str]) -> bool:
    """Tell whether a form sends another value than the one that it was shown with."""
    sent = typed(value, form)
    return sent is not None and (sent != form.get(f"{BEFORE}{value.path}") or f"{NONE}{value.path}" in form)


def typed(value: Tracked, form: MultiDict[str, str]) -> str | None:
    """Return what a form sends for a value, several choices separated by commas; None when it says nothing."""
    sent = form.getlist(f"{VALUE}{value.path}")
    if value.field.kind != "many":
        return sent[-1] if sent else None
    is_in_form = sent or {f"{BEFORE}{value.path}", f"{NONE}{value.path}"} & form.keys()
    return ",".join(filter(None, sent)) if is_in_form else None


def _checked(value: Tracked, form: MultiDict[str, str]) -> str:
    """Return what a form sends; a list without a mark is refused, unless it is said that it has none."""
    sent = typed(value, form) or ""
    if value.field.kind == "many" and bool(sent) == (f"{NONE}{value.path}" in form):
        raise Problem(400, say("Mark what belongs there, or “None of these”."), "value")
    return sent
