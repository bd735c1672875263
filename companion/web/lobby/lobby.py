"""The lobby: new tables and open ones, the way to a seat, private links, imports."""

from __future__ import annotations

from contextlib import suppress
from typing import IO, Any

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from msgspec import Struct, to_builtins
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response

from companion.kit.forms import rare
from companion.kit.game import RULEKEEPER, SCREEN, Game, Start
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.table.import_table import too_large
from companion.table.problem import Gone, Problem, Taken, no_room
from companion.table.seats import NEXT
from companion.table.settings import DICE
from companion.table.validation import no_seat
from companion.table.view_models import Created
from companion.web import forms, seat_cookies
from companion.web.address_qr import origin, qr_for_phones
from companion.web.host import is_host
from companion.web.lobby.pin_entry import ADMISSION, admit, needs_pin
from companion.web.lobby.table_list import listed, own_tables
from companion.web.pages import here
from companion.web.play import another_table
from companion.web.play import bundle as bundles
from companion.web.problems import status_of
from companion.web.state import app_state
from companion.web.this_phone import forget_seat, known_name, remember_name

LARGEST_LIST = 50
FEW_TABLES = 4
"""So many open tables are seen at once: a new one is as near."""

lobby = Blueprint("lobby", __name__)


@lobby.get("/")
def home() -> Response:
    """Show the start page."""
    return _home(forms.whole_number("after", request.args.get("after", "0")))


def _home(after: int = 0, wrong: Problem | None = None) -> Response:
    games, own, tables = app_state().games, [], []
    # Also where the tables can not be read: the rest of it needs none.
    try:
        own = own_tables() if after == 0 else []
        tables = [listed(summary) for summary in app_state().tables.summaries(LARGEST_LIST + 1, after)]
    except Problem as unreadable:
        wrong = unreadable
    shown = {one.table for one in own}
    page = render_template(
        "lobby/home.html",
        own=own,
        newest=after == 0,
        tables=[one for one in tables[:LARGEST_LIST] if one.table not in shown],
        more=after + LARGEST_LIST if len(tables) > LARGEST_LIST else None,
        address=origin(),
        qr=qr_for_phones(origin()) if is_host() else None,
        is_host=is_host(),
        few=FEW_TABLES,
        starts=[(game, start) for game in games.values() for start in game.starts],
        key=forms.new_key(),
        wrong_about=wrong,
    )
    return make_response(page, status_of(wrong))


@lobby.get("/go")
def find_by_code() -> Response:
    """Go to a table by its code, however it was typed."""
    code = "".join(letter for letter in request.args.get("code", "").upper() if letter.isalnum())
    try:
        app_state().tables.summary(code)
    except Gone:
        pass  # its own page says who deleted it, and how it comes back
    except Problem as problem:
        return _home(wrong=problem)
    return redirect(url_for("lobby.join", table=code), 303)


@lobby.get("/new")
def choose_game() -> Response | str:
    """Choose what to play; with one game there is nothing to choose."""
    games = app_state().games
    if len(games) == 1:
        return redirect(url_for("lobby.new", game=next(iter(games))), 303)
    return render_template("lobby/games.html", games=games)


@lobby.get("/new/<game>")
def new(game: str) -> str:
    """Show the form of a new table, filled in with what the address says."""
    return _new_form(app_state().game(game), request.args.to_dict(flat=False))


@lobby.post("/new/<game>")
def create(game: str) -> Response | str:
    """Make a table: whoever makes it keeps its rules, and sits down where wished."""
    played, form = app_state().game(game), request.form
    sent = form.to_dict(flat=False)
    rest = {name: form[f"_{name}"] for name in ("title", "name", "dice") if f"_{name}" in form}
    try:
        options = forms.from_form(played.options, sent)
        answer = create_table(played, options, form.get("_seat", ""), form.get("_key") or None, **rest)
    except (Refusal, Problem) as wrong:
        return make_response(_new_form(played, sent, wrong), status_of(wrong))
    remember_name(answer, form.get("_name", ""))
    return answer


def create_table(
    game: Game[Any], options: Struct, seat: str, key: str | None, title: str = "", name: str = "", dice: str = "app"
) -> Response:
    """Make a table and lead to its invitation; ``name`` is the maker's.

    Who makes it sits down on ``seat`` (``next``: on the first of those that are alike), or keeps the rules only. Raises
    Refusal or Problem.
    """
    app_state().create_rate.count()
    tables = app_state().tables
    roles = {role.id: role for role in game.roles(options)}
    names = {(seat if seat in roles else RULEKEEPER): name} if name else {}
    made = tables.create(game.slug, title, to_builtins(options), names, dice, key)
    answer = invitation(made)
    if seat in roles or (seat == NEXT and any(role.alike for role in roles.values())):
        token = tables.join(made.table, seat, name, key)
        sitting = tables.seat_of(made.table, token) or seat
        seat_cookies.set_token(answer, made.table, seat_cookies.SEAT + sitting, token)
    return answer


def invitation(made: Created) -> Response:
    """Lead whoever made a table to its invitation, as its rulekeeper."""
    answer = redirect(url_for("rulekeeper.invite", table=made.table, seat=RULEKEEPER), 303)
    seat_cookies.set_token(answer, made.table, seat_cookies.SEAT + RULEKEEPER, made.tokens[RULEKEEPER])
    return answer


@lobby.post("/start/<game>/<start>")
def create_at_once(game: str, start: str) -> Response:
    """Make a table at once, in one of the ways that a game offers on the first page."""
    played = app_state().game(game)
    options = played.options(**_start(played, start).options)
    return create_table(played, options, NEXT, request.form.get("key") or None, name=known_name())


@lobby.get("/start/<game>/<start>")
def start_form(game: str, start: str) -> Response:
    """Lead from an address that only takes what is sent there to the form of a new table."""
    return redirect(url_for("lobby.new", game=game, **_start(app_state().game(game), start).options), 303)


def _start(game: Game[Any], id_: str) -> Start:
    return next((start for start in game.starts if start.id == id_), None) or abort(404)


def _new_form(game: Game[Any], typed: dict[str, list[str]], wrong: Refusal | Problem | None = None) -> str:
    fields, aside = forms.fields(game.options, typed), rare(game.options)
    try:
        roles = game.roles(forms.from_form(game.options, typed))
    except Refusal:
        roles = game.roles(game.options())  # while what was typed can not be, those of the printed rules
    return render_template(
        "lobby/new.html",
        game=game,
        usual=[field for field in fields if field.name not in aside],
        seldom=[field for field in fields if field.name in aside],
        roles=roles,
        dice=DICE,
        typed={"_name": known_name()} | {name: values[-1] for name, values in typed.items() if values},
        key=forms.new_key(),
        wrong_about=wrong,
    )


@lobby.get("/t/<table>")
def join(table: str, wrong: Problem | None = None) -> Response:
    """Show the seats of a table: go on where this phone sits, take a free one, or ask for a taken one.

    The address may choose a seat, as a card that was laid out for it does. A phone whose seat was freed or taken over
    is told so until it sits somewhere; one that still has another seat is told once. On its first page that seat is its
    own no more.
    """
    summary = app_state().tables.summary(table)
    if wrong is None and seat_cookies.seats_moved(table):
        moved = redirect(here(), 303)
        seat_cookies.move_along(moved, table)
        return moved
    seats, lost = seat_cookies.seats_held(table), seat_cookies.seats_lost(table)
    knocks = {name.removeprefix(seat_cookies.KNOCK) for name in request.cookies if name.startswith(seat_cookies.KNOCK)}
    others = [person for person in summary.people if person.seat not in seats]
    page = render_template(
        "lobby/join.html",
        summary=summary,
        game=app_state().games.get(summary.game),
        mine=[person for person in summary.people if person.seat in seats],
        # The rulekeeper's seat opens with its private link only: whoever hands seats over can not be asked for theirs.
        others=[person for person in others if person.seat != RULEKEEPER or not person.taken],
        keeps=RULEKEEPER in seats,
        lost=[person for person in others if person.seat in lost],
        wanted=request.args.get("seat", ""),
        asked=knocks,
        name=request.form.get("name", known_name()),
        host=is_host(),
        needs_pin=needs_pin(table, seats),
        locked=app_state().tables.is_locked(table),
        key=forms.new_key(),
        wrong_about=wrong,
    )
    answer = make_response(page, 200 if wrong is None else wrong.status)
    if seats:
        seat_cookies.forget(answer, table, lost)
    else:
        for seat in lost:
            forget_seat(answer, table, seat)
    return answer


@lobby.post("/t/<table>/join")
def take_seat(table: str) -> Response:
    """Take a free seat, or ask the rulekeeper for a taken one."""
    tables = app_state().tables
    tables.summary(table)
    seat, name, key = request.form.get("seat", ""), request.form.get("name", ""), request.form.get("key") or None
    held = seat_cookies.seats_held(table)
    if seat in held:
        return redirect(url_for("play.page", table=table, seat=seat), 303)
    try:
        admission = admit(table, held)
        answer = _sit_or_knock(table, seat, name, key)
    except Problem as wrong:
        return join(table, wrong)
    if admission:
        seat_cookies.set_token(answer, table, ADMISSION, admission)
    return answer


def _sit_or_knock(table: str, seat: str, name: str, key: str | None) -> Response:
    tables = app_state().tables
    with suppress(Taken):
        token = tables.join(table, seat, name, key)
        answer = seat_cookies.seat_down(table, tables.seat_of(table, token) or seat, token)
        remember_name(answer, name)
        return answer
    token = tables.knock(table, seat, name, key)
    answer = redirect(url_for("lobby.wait_for_seat", table=table, seat=seat), 303)
    seat_cookies.set_token(answer, table, seat_cookies.KNOCK + seat, token)
    remember_name(answer, name)
    return answer


@lobby.get("/t/<table>/knock/<seat>")
def wait_for_seat(table: str, seat: str) -> Response | str:
    """Wait for the rulekeeper's word about a taken seat; the page asks again by itself."""
    summary = app_state().tables.summary(table)
    person = next((person for person in summary.people if person.seat == seat), None)
    if person is None:
        raise no_seat(seat)
    reply = app_state().tables.knocked(table, request.cookies.get(seat_cookies.KNOCK + seat, ""))
    if reply is not None and reply != "no":
        answer = seat_cookies.seat_down(table, seat, reply)
        answer.delete_cookie(seat_cookies.KNOCK + seat, path=f"/t/{table}")
        return answer
    return render_template(
        "lobby/knocking.html",
        summary=summary,
        game=app_state().games.get(summary.game),
        person=person,
        refused=reply == "no",
    )


@lobby.get("/s/<table>/<seat>/<token>")
def private_link(table: str, seat: str, token: str) -> Response:
    """Bring a seat to this phone by its private link."""
    app_state().tables.summary(table)
    # Who has changed seats since is brought to where he sits now.
    sits = app_state().tables.seat_of(table, token)
    if sits is None or seat == SCREEN:
        raise Problem(404, say("This link opens no seat any more. Ask the rulekeeper for a new one."))
    return seat_cookies.seat_down(table, sits, token)


@lobby.get("/import")
def import_form(wrong: Refusal | Problem | None = None, key: str | None = None) -> str:
    """Show the form that takes an exported table."""
    return render_template("lobby/import.html", wrong_about=wrong, game=None, key=key or forms.new_key())


@lobby.post("/import")
def import_table() -> Response | str:
    """Take an exported table in; whoever does keeps its rules."""
    key = None
    try:
        app_state().import_rate.count()
        file = _file()
        key = request.form.get("key") or None
        bundle = bundles.read(file)
        if bundle is not None:
            return bundles.show(bundle)
        template = another_table.read_template(file)
        if template is not None:
            return redirect(another_table.form_address(template), 303)
        made = app_state().tables.import_(file, key)
    except (Refusal, Problem) as wrong:
        # Who is told to try again may have tapped twice: under the same key it is the same table.
        again = isinstance(wrong, Problem) and wrong.passing
        return make_response(import_form(wrong, key if again else None), status_of(wrong))
    return invitation(made)


def _file() -> IO[bytes]:
    try:
        file = request.files.get("file")
    except RequestEntityTooLarge as wrong:
        raise too_large() from wrong
    except OSError as wrong:
        raise no_room() from wrong
    if file is None or not file.filename:
        raise Problem(400, say("Choose the file that was exported."), "file")
    return file.stream
