"""The report: the log as a page and as Markdown, and the whole table as a file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from secrets import token_urlsafe
from typing import NamedTuple

from flask import Blueprint, Response, make_response, render_template, request
from werkzeug.wrappers import Response as Answer

from companion.kit import duels
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Reason
from companion.kit.text import Text
from companion.table.problem import Problem
from companion.table.seat_view import Line
from companion.web import form_data, seat_cookies
from companion.web.language import Speak, gettext, speaker
from companion.web.pages import counts, fragment
from companion.web.play import statistics
from companion.web.play.layout import colours
from companion.web.problems import status_of
from companion.web.state import app_state

report = Blueprint("report", __name__, url_prefix="/t/<table>")


@report.get("/report")
def page(table: str) -> str:
    """Show the whole log, oldest first, as everybody may read it."""
    summary = app_state().tables.summary(table)
    speak = speaker(summary.game)
    entries = [_told(line, speak) for line in app_state().tables.report(table, SCREEN)]
    held = seat_cookies.seats_held(table)
    return render_template(
        "report/report.html",
        summary=summary,
        entries=entries,
        game=app_state().games.get(summary.game),
        clock=clock,
        colours=colours(summary.people),
        mine=[person for person in summary.people if person.seat in held],
        whole=RULEKEEPER in held or (summary.over and held),
    )


def clock(at: str) -> str:
    """Say when something was, by the clock of the machine on the table."""
    return datetime.fromisoformat(at).astimezone().strftime("%H:%M")


def _day(at: str) -> str:
    # A file is read on other days too.
    return f"{datetime.fromisoformat(at).astimezone().date().isoformat()} {clock(at)}"


@report.get("/report.md")
def markdown(table: str) -> Response:
    """Send the report as Markdown."""
    summary = app_state().tables.summary(table)
    speak = speaker(summary.game)
    game = app_state().games.get(summary.game)
    title = summary.title or (speak(game.name) if game else summary.game)
    people = [f"- {speak(person.role)}: {person.name}" for person in summary.people if person.name]
    lines = [text for line in app_state().tables.report(table, SCREEN) for text in _entry(_told(line, speak), speak)]
    shown = statistics.told(app_state().tables.statistics(table), summary, speak)
    numbers = [f"## {gettext('Statistics')}", "", *statistics.lines(shown, speak), ""]
    body = "\n".join([f"# {title}", "", *people, "", *lines, "", *numbers])
    return _file(body, "text/markdown", f"companion-{table}.md")


@report.get("/statistics")
def statistics_page(table: str) -> Answer:
    """Show the statistics of a table; nothing to a page that shows the newest already."""
    if request.args.get("seen") == str(app_state().tables.version(table)) and fragment():
        return make_response("", 204)
    summary = app_state().tables.summary(table)
    speak = speaker(summary.game)
    found = app_state().tables.statistics(table)
    held = seat_cookies.seats_held(table)
    return make_response(
        render_template(
            "report/statistics.html",
            summary=summary,
            game=app_state().games.get(summary.game),
            found=found,
            shown=statistics.told(found, summary, speak),
            speak=speak,
            mine=[person for person in summary.people if person.seat in held],
            average=statistics.average,
            expected=statistics.expected,
            luck=statistics.luck,
            faces=statistics.faces,
            others=statistics.others,
            odds=statistics.odds,
            decimal=statistics.decimal,
            span=statistics.span,
            source=statistics.source,
            called=statistics.called,
        )
    )


@report.get("/export.json")
def export(table: str) -> Answer:
    """Ask before the whole table is sent as a file: everybody will read that it was taken."""
    app_state().tables.allow_copy(table, _exporting(table))
    return _export(table)


@report.post("/export.json")
def copy(table: str) -> Answer:
    """Send the whole table as a file that can be opened again, and tell everybody that it was taken."""
    seat = _exporting(table)
    key = form_data.key(request.form.to_dict(flat=False), ["copy"])
    try:
        body = app_state().tables.copy(table, seat, key)
    except Problem as wrong:
        if wrong.status != 409:
            raise
        return _export(table, wrong)
    return _file(body, "application/json", f"companion-{table}.json")


def _exporting(table: str) -> str:
    """Find the seat of this phone that may take the most away."""
    held = seat_cookies.seats_held(table)
    return RULEKEEPER if RULEKEEPER in held else next(iter(held), SCREEN)


def _export(table: str, wrong: Problem | None = None) -> Answer:
    summary = app_state().tables.summary(table)
    held = seat_cookies.seats_held(table)
    page = render_template(
        "report/export.html",
        summary=summary,
        game=app_state().games.get(summary.game),
        mine=[person for person in summary.people if person.seat in held],
        key=token_urlsafe(24),
        problem=wrong,
    )
    return make_response(page, status_of(wrong))


def _file(body: str | bytes, kind: str, name: str) -> Response:
    answer = Response(body, content_type=f"{kind}; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    answer.headers["Cache-Control"] = "no-store"
    return answer


class Told(NamedTuple):
    """Hold a line of the log in words: its headline, the clauses it rests on, and the reasons that say more."""

    line: Line
    headline: str
    clauses: tuple[str, ...]
    reasons: tuple[Reason, ...]


def _told(line: Line, speak: Speak) -> Told:
    headline = speak(line.headline)
    repeated = [reason for reason in line.reasons if _repeats(reason, headline, speak)]
    clauses = tuple(dict.fromkeys(reason.clause for reason in repeated if reason.clause))
    return Told(line, headline, clauses, tuple(reason for reason in line.reasons if reason not in repeated))


def _repeats(reason: Reason, headline: str, speak: Speak) -> bool:
    """Tell whether a reason only says the headline once more."""
    if reason.value is not None or reason.terms or reason.faces or reason.duel:
        return False
    words = speak(reason.text).rstrip(".").casefold()
    said = headline.rstrip(".").casefold()
    return said == words or said.endswith(f": {words}")


def _entry(told: Told, speak: Speak) -> Iterator[str]:
    line, headline = told.line, told.headline
    if line.undone:
        headline = f"~~{headline}~~ ({gettext('taken back')})"
    real = gettext("dice from the real table") if line.typed else ""
    head = " ".join((f"{line.seq}. **{headline}**", *(f"({clause})" for clause in told.clauses)))
    yield " · ".join(part for part in (head, line.who, _day(line.at), real) if part)
    for reason in told.reasons:
        yield f"   - {_sum(reason, speak)}"


def _sum(reason: Reason, speak: Speak) -> str:
    """Write a reason as arithmetic: ``2 guards (R-7) + 1 hill (R-8) = 3 dice: 2 5 6``; opposed dice in words."""
    added = " + ".join(_counted(term.value, term.text, term.clause, speak) for term in reason.terms)
    terms = added.replace("+ −", "− ")
    whole = _counted(reason.value, reason.text, reason.clause, speak)
    faces = " ".join(map(str, reason.faces))
    fought = f". {speak(duels.dice(reason.duel))} {speak(duels.outcome(reason.duel))}" if reason.duel else ""
    return (f"{terms} = {whole}" if terms else whole) + (f": {faces}" if faces else "") + fought


def _counted(value: int | None, text: Text, clause: str | None, speak: Speak) -> str:
    words = speak(text)
    number = "" if value is None or counts(text, value) else f"{value}".replace("-", "−")
    return " ".join(part for part in (number, words, f"({clause})" if clause else "") if part)
