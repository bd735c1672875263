"""The report: the log as a page and as Markdown, and the whole table as a file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from flask import Blueprint, make_response, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.kit import duels
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Reason
from companion.kit.text import Speak, Text
from companion.table.problem import Problem
from companion.table.view_models import Line, Summary
from companion.web import forms, seat_cookies
from companion.web.address_qr import LONGEST_ADDRESS, qr_svg
from companion.web.language import gettext, speaker
from companion.web.pages import attachment, begun, fragment, reads_as_number, says_number
from companion.web.play import statistics
from companion.web.play.bg_stats import Play, play_address
from companion.web.play.ending import CourseWords, ResultWords, course_words, lines, result_words
from companion.web.play.layout import colours
from companion.web.problems import status_of
from companion.web.state import app_state

report = Blueprint("report", __name__, url_prefix="/t/<table>")


@report.get("/report")
def page(table: str) -> str:
    """Show the whole log, oldest first, as everybody may read it."""
    summary = app_state().tables.summary(table)
    speak = speaker(summary.game)
    return _page(
        "report/report.html",
        summary,
        result=_result(summary, speak),
        entries=[in_words(line, speak) for line in app_state().tables.report(table, SCREEN)],
        colours=colours(summary.people),
        play_for_app=_play_for_app(summary),
    )


def _play_for_app(summary: Summary) -> tuple[str, Markup | None] | None:
    """Return the address that hands a game that is over to BG Stats, and its QR code where phones can read one."""
    state = app_state()
    ending, game = state.tables.ending(summary.table) if summary.over else None, state.games.get(summary.game)
    if ending is None or game is None or not any(person.name for person in summary.people):
        return None
    (newest,) = state.tables.log(summary.table, SCREEN, ending.head + 1, 1)
    seconds = state.tables.statistics(summary.table).seconds
    address = play_address(Play(summary, newest.at, seconds, ending.winners), game, speaker(summary.game))
    return address, qr_svg(address) if len(address) <= LONGEST_ADDRESS else None


def _result(summary: Summary, speak: Speak) -> tuple[ResultWords, CourseWords, str | None] | None:
    """Say how a game ended and how it went, with the clause that the result rests on; None where it goes on."""
    tables = app_state().tables
    ending = tables.ending(summary.table) if summary.over else None
    if ending is None:
        return None
    roles = summary.roles
    course = course_words(tables.course(summary.table), speak, roles)
    return result_words(ending, speak, roles), course, ending.clause


def _page(template: str, summary: Summary, **values: Any) -> str:
    """Render a page of the report, for the seats that this phone holds."""
    seats = seat_cookies.seats_held(summary.table)
    return render_template(
        template,
        summary=summary,
        game=app_state().games.get(summary.game),
        mine=[person for person in summary.people if person.seat in seats],
        may_export=_may_export(summary.table),
        **values,
    )


@report.get("/report.md")
def markdown(table: str) -> Response:
    """Send the report as Markdown."""
    summary = app_state().tables.summary(table)
    speak = speaker(summary.game)
    game = app_state().games.get(summary.game)
    title = summary.title or (speak(game.name) if game else summary.game)
    people = [f"- {speak(person.role)}: {person.name}" for person in summary.people if person.name]
    log = [text for line in app_state().tables.report(table, SCREEN) for text in _markdown(line, speak)]
    sorted_ = statistics.sort_statistics(app_state().tables.statistics(table), summary, speak)
    numbers = [f"## {gettext('Statistics')}", "", *statistics.markdown(sorted_, speak), ""]
    result = [*_result_lines(_result(summary, speak))]
    body = "\n".join([f"# {title}", "", *result, *people, "", *log, "", *numbers])
    return attachment(body, f"companion-{table}.md", "text/markdown")


@report.get("/statistics")
def statistics_page(table: str) -> Response:
    """Show the statistics of a table; nothing to a page that shows the newest already."""
    if request.args.get("seen") == str(app_state().tables.version(table)) and fragment():
        return make_response("", 204)
    summary = app_state().tables.summary(table)
    speak = speaker(summary.game)
    sorted_ = statistics.sort_statistics(app_state().tables.statistics(table), summary, speak)
    values = {"sorted": sorted_, "counted": sorted_.counted, "statistics": statistics, "speak": speak}
    return make_response(_page("report/statistics.html", summary, **values))


@report.get("/export.json")
def export(table: str, wrong: Problem | None = None) -> Response:
    """Ask before the whole table is sent as a file: everybody will read that it was taken."""
    app_state().tables.allow_copy(table, _exporting_seat(table))
    summary = app_state().tables.summary(table)
    page = _page("report/export.html", summary, key=forms.new_key(), file=_copy_name(table), problem=wrong)
    return make_response(page, status_of(wrong))


@report.post("/export.json")
def copy(table: str) -> Response:
    """Send the whole table as a file that can be opened again, and tell everybody that it was taken."""
    key = forms.key(request.form.to_dict(flat=False), ["copy"])
    try:
        body = app_state().tables.copy(table, _exporting_seat(table), key)
    except Problem as wrong:
        if wrong.status != 409:
            raise
        return export(table, wrong)
    return attachment(body, _copy_name(table))


def _copy_name(table: str) -> str:
    return f"companion-{table}.json"


def _may_export(table: str) -> bool:
    try:
        app_state().tables.allow_copy(table, _exporting_seat(table))
    except Problem:
        return False
    return True


def _exporting_seat(table: str) -> str:
    """Find the seat of this phone that may take the most away."""
    seats = seat_cookies.seats_held(table)
    return RULEKEEPER if RULEKEEPER in seats else next(iter(seats), SCREEN)


def in_words(line: Line, speak: Speak) -> tuple[Line, str, tuple[str, ...], tuple[Reason, ...]]:
    """Say an entry of the log: its headline, the clauses it rests on, and the reasons that say more."""
    headline = speak(line.headline)
    repeated = [reason for reason in line.reasons if repeats(reason, headline, speak)]
    clauses = tuple(dict.fromkeys(reason.clause for reason in repeated if reason.clause))
    return line, headline, clauses, tuple(reason for reason in line.reasons if reason not in repeated)


def repeats(reason: Reason, headline: str, speak: Speak) -> bool:
    """Tell whether a reason only says the headline once more, or its end: "Now: conquest" says "Conquest"."""
    if reason.value is not None or reason.terms or reason.faces or reason.duel:
        return False
    words = speak(reason.text).rstrip(".").casefold()
    said = headline.rstrip(".").casefold()
    return said == words or said.endswith((f": {words}", f"; {words}")) or words.endswith(f": {said}")


def _markdown(line: Line, speak: Speak) -> Iterator[str]:
    _, headline, clauses, reasons = in_words(line, speak)
    if line.undone:
        headline = f"~~{headline}~~ ({gettext('undone')})"
    real = gettext("dice from the real table") if line.typed else ""
    head = " ".join((f"{line.seq}. **{headline}**", *(f"({clause})" for clause in clauses)))
    at = datetime.fromisoformat(line.at).astimezone().strftime("%Y-%m-%d %H:%M")
    yield " · ".join(part for part in (head, line.who, at, real) if part)
    for reason in reasons:
        yield f"   - {arithmetic(reason, speak)}"


def _result_lines(result: tuple[ResultWords, CourseWords, str | None] | None) -> Iterator[str]:
    if result is None:
        return
    words, course, clause = result
    said = f"**{words.title}**" + (f": {words.how}" if words.how else "") + (f" ({clause})" if clause else "")
    yield from (said, "", *(f"- {line}" for line in lines(course)), "")


def arithmetic(reason: Reason, speak: Speak) -> str:
    """Write a reason as arithmetic: ``2 guards (R-7) + 1 hill (R-8) = 3 dice: 2 5 6``; opposed dice in words.

    What is all of a sum is not added: ``Guards (R-7): 2 dice``. What a number is of stands in brackets where it would
    read as another number: ``8 (2d6) + 3 (1d8) = 11 in all``.
    """
    added = " + ".join(_counted(term.value, term.text, term.clause, speak, apart=True) for term in reason.terms)
    terms = added.replace("+ − ", "− ").replace("+ −", "− ")
    whole = _counted(reason.value, reason.text, reason.clause, speak)
    faces = " ".join(map(str, reason.faces))
    fought = f". {speak(duels.dice(reason.duel))} {speak(duels.outcome(reason.duel))}" if reason.duel else ""
    if sole := reason.sole:
        of = _counted(None, sole.text, sole.clause, speak)
        whole = f"{begun(of)}: {whole}"
    elif terms:
        whole = f"{terms} = {whole}"
    return whole + (f": {faces}" if faces else "") + fought


def _counted(value: int | None, text: Text, clause: str | None, speak: Speak, *, apart: bool = False) -> str:
    words = speak(text)
    number = "" if value is None or says_number(text, value) else f"{value}".replace("-", "−")
    if apart and number and reads_as_number(words):
        words = f"({words})"
    return " ".join(part for part in (number, words, f"({clause})" if clause else "") if part)
