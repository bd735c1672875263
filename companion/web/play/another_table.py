"""Another table like this one: what it is set up with, as an address, a QR code, and a file to open later."""

from __future__ import annotations

from typing import IO, Any, Literal

import msgspec
from flask import Blueprint, abort, render_template, url_for
from werkzeug.wrappers import Response

from companion.kit.ruling import Refusal
from companion.table.problem import Problem
from companion.table.validation import TITLE_LENGTH
from companion.web import seat_cookies
from companion.web.address_qr import SharedPage, qr_response, share_page
from companion.web.forms import from_body, plain
from companion.web.guard import LARGEST_BODY
from companion.web.pages import attachment
from companion.web.quick.lookups import Query, query_of
from companion.web.state import app_state

another_table = Blueprint("another_table", __name__, url_prefix="/t/<table>/<seat>/another")


class Template(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a file of this kind says: that it is one, the game, the title, and the options of a new table."""

    companion: Literal["template"]
    game: str
    title: str = ""
    options: dict[str, Any]


def read_template(file: IO[bytes]) -> Template | None:
    """Read a template, and go back to the beginning of the file; None when it is none."""
    data = file.read(LARGEST_BODY)
    file.seek(0)
    try:
        return msgspec.json.decode(data, type=Template)
    except (ValueError, RecursionError):
        return None


def form_address(template: Template) -> str:
    """Return the address of the form of a new table that is filled in with a template; raise Refusal or Problem."""
    game = app_state().game(template.game)
    options = from_body(game.options, template.options)
    title: Query = (("_title", template.title[:TITLE_LENGTH]),) if template.title else ()
    return _share_form(game.slug, options, title).here


@another_table.get("")
def page(table: str, seat: str, wrong: Problem | None = None) -> str:
    """Show how another table like this one is set, and what can be taken along."""
    seat_cookies.check_seat(table, seat)
    summary = app_state().tables.summary(table)
    return render_template(
        "rulekeeper/another.html",
        table=table,
        seat=seat,
        summary=summary,
        game=app_state().games.get(summary.game),
        shared=_shared_form(table),
        wrong_about=wrong,
    )


@another_table.get("/template.json")
def file(table: str, seat: str) -> Response:
    """Send the template as a file."""
    seat_cookies.check_seat(table, seat)
    laid_out = template(table) or abort(404)
    return attachment(msgspec.json.format(msgspec.json.encode(laid_out)), f"companion-{laid_out.game}.json")


def template(table: str) -> Template | None:
    """Return the template of another table like this one; None where that holds more than a new table takes."""
    summary, options = app_state().tables.summary(table), _options(table)
    if options is None:
        return None
    sent = msgspec.to_builtins(options)
    return Template(companion="template", game=summary.game, title=summary.title, options=sent)


@another_table.get("/qr.svg")
def qr_code(table: str, seat: str) -> Response:
    """Draw the address of the form as a QR code."""
    seat_cookies.check_seat(table, seat)
    return qr_response(_shared_form(table))


def _shared_form(table: str) -> SharedPage | None:
    options = _options(table)
    return None if options is None else _share_form(app_state().tables.game_of(table), options)


def _options(table: str) -> msgspec.Struct | None:
    """Return the options of another table like this one; None when they hold more than a new table takes."""
    options: msgspec.Struct = app_state().tables.options_now(table)
    try:
        from_body(type(options), plain(options))
    except Refusal:
        return None
    return options


def _share_form(game: str, options: msgspec.Struct, title: Query = ()) -> SharedPage:
    return share_page(url_for("lobby.new", game=game), (*query_of(options, {}, (), None), ("_template", "1"), *title))
