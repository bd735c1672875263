"""What every page has: its words, its look, links to itself in another language, errors as pages."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from fractions import Fraction
from urllib.parse import quote, urlencode
from zlib import crc32

import jinja2
import msgspec
from flask import Flask, has_request_context, make_response, redirect, render_template, request
from jinja2.bccache import Bucket
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.wrappers import Response

from companion.kit import duels
from companion.kit.odds import Bar, hundredths
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, parts
from companion.table.problem import Problem
from companion.table.validation import NAME_LENGTH, TITLE_LENGTH
from companion.web import problems
from companion.web.api.openapi import VERSION
from companion.web.assets import Assets
from companion.web.language import COOKIE, LANGUAGES, NAMES, language
from companion.web.language import install as install_words
from companion.web.page_variables import install as install_page_variables
from companion.web.play.card_pips import card_pips
from companion.web.play.listed import card_numbers
from companion.web.play.targets import action_query, needs_plan
from companion.web.play.turn import spoken, spoken_about, spoken_details, spoken_headline
from companion.web.quick.heat import heat
from companion.web.state import NAME, app_state

THEMES = ("light", "dark")
THEME_COOKIE = "look"
A_YEAR = 365 * 24 * 3600
MINUS = "−"
_NUMBER_AT_AN_END = re.compile(r"^\W*d?\d|\s\d+$")
WORTH_COMPRESSING = 900
API_PREFIX = "/api/"
TABLE = "main#main"
"""What htmx calls the element that holds a table."""
INTO_THE_DOCK = {"HX-Retarget": "#refused", "HX-Reswap": "innerHTML"}
"""Puts a sentence into the dock, so that it does not take the place of the whole table."""
COMPRESSED_TYPES = frozenset({"text/html", "application/json", "text/markdown", "image/svg+xml"})


def fragment() -> bool:
    """Tell whether a script asks for a part of a page and not for a whole one."""
    return "HX-Request" in request.headers


def theme() -> str:
    """Return the theme that the reader chose; empty: as the device."""
    chosen = request.cookies.get(THEME_COOKIE, "") if has_request_context() else ""
    return chosen if chosen in THEMES else ""


def here(**changes: str) -> str:
    """Return the address of this page with something changed in its query."""
    query = [(name, typed) for name, typed in request.args.items(multi=True) if name not in changes]
    return f"{quote(request.path)}?{urlencode([*query, *changes.items()])}"


def share(chance: Fraction, whole: int | None = None) -> str:
    """Say how many of a hundred a chance is: whole numbers, but never 0 or 100 for what is only nearly so.

    ``whole`` is the number that it has in its chart (``with_percents``).
    """
    if whole is None:
        (whole,) = hundredths((chance,))
    if 0 < chance < 1 and whole in {0, 100}:
        return "<1" if whole == 0 else ">99"
    return str(whole)


def percent(chance: Fraction, whole: int | None = None) -> str:
    """Say a chance in per cent."""
    return f"{share(chance, whole)} %"


def with_percents(bars: Sequence[Bar]) -> list[tuple[Bar, int]]:
    """Give each bar of a chart its whole number of a hundred: those of one chart add up."""
    return list(zip(bars, hundredths(bar.chance for bar in bars), strict=True))


def without_rules(text: Text) -> Text:
    """Leave out of a sentence the rules that it names in passing (``see``), whatever it is put together of."""
    places = {
        name: "" if name == "see" else without_rules(place) if isinstance(place, Text) else place
        for name, place in text.places.items()
    }
    return msgspec.structs.replace(text, places=places) if places else text


def begun(words: object) -> str:
    """Begin words as a sentence does; what is no word stays as it is: d6, e5, a number."""
    said = words if isinstance(words, str) else str(words)
    return said[:1].upper() + said[1:] if said[1:2].islower() or said[1:2] == " " else said


def says_number(text: Text, value: int) -> bool:
    """Tell whether a text counts this number already, so that it need not stand before it as well.

    What only looks like it does not count: the number of a name (``Trolls 1``) is a word, as ``1`` in a sentence is.
    What is taken away may be counted behind its own minus sign: ``− {unit} {combat}``.
    """
    counted = {value, -value} if MINUS in text.say else {value}
    return any(
        says_number(place, value) if isinstance(place, Text) else place in counted and not isinstance(place, str)
        for place in text.places.values()
    )


def reads_as_number(words: str) -> bool:
    """Tell whether words begin or end as a number or dice do: beside another number they stand in brackets.

    Else ``24 6 × Sherman + 14 2 × Tiger`` and ``8 2d6 + 3 1d8`` can not be read.
    """
    return bool(_NUMBER_AT_AN_END.search(words))


def part_newest(reasons: Sequence[Reason]) -> tuple[Sequence[Reason], Sequence[Reason]]:
    """Part the newest reason from those before; opposed dice at its end belong together."""
    end = len(reasons)
    while end and reasons[end - 1].duel is not None:
        end -= 1
    end = min(end, max(len(reasons) - 1, 0))
    return reasons[:end], reasons[end:]


def time_of_day(milliseconds: int) -> str:
    """Say a moment of the epoch as a clock on the wall here shows it, to the second."""
    return datetime.fromtimestamp(milliseconds // 1000, UTC).astimezone().strftime("%H:%M:%S")


def minute_of_day(at: str) -> str:
    """Say a moment that is stored as a clock on the wall here shows it."""
    return datetime.fromisoformat(at).astimezone().strftime("%H:%M")


def now() -> Response:
    """Tell what time it is by the clock of the tables, in milliseconds of the epoch: a phone's own may be wrong."""
    time = str(app_state().tables.instant())
    return Response(time, mimetype="text/plain", headers={"Cache-Control": "no-store"})


def without_piece(label: str, piece: str) -> str:
    """Leave the name of a piece out of what is offered beside it: ``Move: light cavalry b1`` becomes ``Move``."""
    verb, named, _ = label.partition(f": {piece}")
    return verb if named else label


class TemplateCache(jinja2.FileSystemBytecodeCache):
    """Templates as they were compiled, in a folder of this user that outlives a start; a full disk keeps none."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def template_cache(filters: Mapping[str, object]) -> TemplateCache | None:
    """Find the compiled templates of this version, None where there is no folder that only this user can write.

    They hold how each of the ``filters`` is called: where one is called otherwise, they are compiled anew.
    """
    called = {name: str(getattr(filter_, "jinja_pass_arg", "")) for name, filter_ in sorted(filters.items())}
    try:
        return TemplateCache(pattern=f"companion-{VERSION}-{crc32(repr(called).encode()):08x}-%s.cache")
    except (OSError, RuntimeError):
        return None


def install(app: Flask, assets: Assets) -> None:
    """Give the pages of an app what they share."""
    install_words(app, app.extensions[NAME])
    install_page_variables(app)
    app.jinja_env.undefined = jinja2.StrictUndefined
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    filters, globals_ = app.jinja_env.filters, app.jinja_env.globals
    filters.update(percent=percent, share=share, with_percents=with_percents)
    filters.update(says_number=says_number, reads_as_number=reads_as_number)
    filters.update(duel_dice=duels.dice, duel_outcome=duels.outcome, part_newest=part_newest)
    filters.update(begun=begun, without_piece=without_piece, time_of_day=time_of_day, in_parts=parts)
    filters["minute_of_day"] = minute_of_day
    filters["turn_spoken"] = lambda turn: spoken(turn, filters["say"])
    filters["turn_headline"] = lambda turn: spoken_headline(turn, filters["say"])
    filters["turn_about"] = lambda turn: spoken_about(turn, filters["say"])
    filters["turn_details"] = lambda turn: spoken_details(turn, filters["say"])
    filters["say_plainly"] = lambda text: filters["say"](without_rules(text)).replace(" ()", "")
    app.jinja_env.bytecode_cache = template_cache(filters)
    globals_.update(action_query=action_query, needs_plan=needs_plan, heat=heat, here=here)
    globals_.update(card_numbers=card_numbers, card_pips=card_pips)
    globals_.update(asset=assets.address, inlined=assets.inlined, symbol=assets.symbol, symbols=assets.symbols)
    globals_.update(language=language, theme=theme, languages=NAMES, build=assets.build)
    globals_.update(name_length=NAME_LENGTH, title_length=TITLE_LENGTH)
    app.add_url_rule("/now", view_func=now)
    app.before_request(_leave_out_last_slash)
    app.before_request(_switch_language_or_theme)
    app.after_request(_compress)
    for kind in (Refusal, Problem, HTTPException):
        app.register_error_handler(kind, refuse)
    app.register_error_handler(Exception, report_damage)


def attachment(body: str | bytes, name: str, kind: str = "application/json") -> Response:
    """Answer with a file to keep, of the content type ``kind``, that no cache keeps."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(body, content_type=f"{kind}; charset=utf-8", headers=headers)


def refuse(wrong: Exception) -> Response:
    """Answer what went wrong with a page, or for a script with a sentence, or in the API with problem details."""
    if f"{request.path}/".startswith(API_PREFIX):
        return problems.respond(wrong)
    status, text, field, clause = problems.explain(wrong)
    page = "_wrong.html" if fragment() else "wrong.html"
    lost = status == NotFound.code and field == "table"
    shown = render_template(page, text=text, clause_id=clause, status=status, lost=lost, game=None)
    answer = make_response(shown, status)
    if request.headers.get("HX-Target") == TABLE:
        answer.headers.update(INTO_THE_DOCK)
    return answer


def report_damage(wrong: Exception) -> Response:
    """Say of a table whose file is damaged that it is, wherever that was met; anything else is a fault of ours."""
    table = (request.view_args or {}).get("table")
    damage = app_state().tables.damage(table) if table else None
    if damage is None:
        raise wrong
    return refuse(damage)


def _lead_to(path: str, query: list[tuple[str, str]], status: int) -> Response:
    here = quote("/" + path.lstrip("/"))  # two slashes would lead to another host
    return redirect(f"{here}?{urlencode(query)}" if query else here, status)


def _leave_out_last_slash() -> Response | None:
    """Lead an address that is none for the slash at its end alone to the page that is meant."""
    path = request.path.rstrip("/")
    if request.method != "GET" or path in {"", request.path} or request.path.startswith(API_PREFIX):
        return None
    if not isinstance(request.routing_exception, NotFound):
        return None
    return _lead_to(path, list(request.args.items(multi=True)), 308)


def _switch_language_or_theme() -> Response | None:
    """Keep a language or a theme that was chosen by a link, and go on to the page without it."""
    wanted = {COOKIE: request.args.get("lang"), THEME_COOKIE: request.args.get("theme")}
    if request.method != "GET" or not any(wanted.values()) or request.path.startswith(API_PREFIX):
        return None
    query = [(name, typed) for name, typed in request.args.items(multi=True) if name not in {"lang", "theme"}]
    answer = _lead_to(request.path, query, 303)
    for cookie, value in wanted.items():
        if value in (*LANGUAGES, *THEMES, "auto"):
            answer.set_cookie(cookie, value, max_age=A_YEAR, samesite="Lax")
    return answer


def _compress(answer: Response) -> Response:
    # Phones on a crowded Wi-Fi get a fifth of the bytes.
    if (
        answer.mimetype in COMPRESSED_TYPES
        and "Content-Encoding" not in answer.headers
        and answer.is_sequence
        and request.accept_encodings["gzip"] > 0
    ):
        plain = answer.get_data()
        if len(plain) >= WORTH_COMPRESSING:
            answer.set_data(gzip.compress(plain, 6, mtime=0))
            answer.headers["Content-Encoding"] = "gzip"
        answer.vary.add("Accept-Encoding")
    if answer.mimetype == "text/html":
        answer.headers.setdefault("Cache-Control", "no-store")
        answer.vary.update(("Accept-Language", "Cookie"))
    return answer
