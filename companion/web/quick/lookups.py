"""Look-ups without a table: facts, choices and dice stand in the address, nothing is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from secrets import randbelow
from typing import Any, Literal, TypeVar, get_args
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, abort, make_response, redirect, render_template, request
from msgspec.structs import replace
from werkzeug.wrappers import Response

from companion.kit.action import Field
from companion.kit.asking import Pending
from companion.kit.game import Game, Lookup
from companion.kit.odds import Chart
from companion.kit.prepared_answers import PreparedAnswers
from companion.kit.questions import Answer, Choose, Faces, Question, Throw
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.web import forms
from companion.web.address_qr import qr_response, share_page
from companion.web.forms import fields, from_form, plain
from companion.web.state import app_state

MissingDice = Literal["roll", "ask", "refuse"]
"""When dice are missing: Companion ``roll``s them, the caller is ``ask``ed, or the ruling is ``refuse``d."""

MOST_DICE = 200


class LookupResult(msgspec.Struct, frozen=True):
    """What a lookup says: the ruling, or else the question it waits for and the reasons told so far.

    ``faces`` are all dice up to here in the order thrown; given back with the next answer they go
    on from there. ``unused`` names choices that were given but not asked for.
    """

    ruling: Ruling[Any] | None
    question: Throw | Choose | None
    reasons: tuple[Reason, ...]
    faces: tuple[int, ...]
    unused: tuple[str, ...]


def consult(
    lookup: Lookup, facts: Any, choices: Mapping[str, str], dice: Sequence[int], missing: MissingDice
) -> LookupResult:
    """Rule on facts; ``dice`` are faces in the order thrown, ``choices`` option values by the question's key.

    Raises Refusal (field ``dice`` for wrong dice, ``choices.<key>`` for a wrong choice), and TypeError when
    the lookup asks for cards or for sealed answers, which need a table.
    """

    def otherwise(question: Question) -> Answer | None:
        if not isinstance(question, Throw) or missing == "ask":
            return None
        # No dice at all are refused, with the number that is needed.
        count = question.count if missing == "roll" else 0
        return Faces(question.key, tuple(1 + randbelow(question.sides) for _ in range(count)))

    ask = PreparedAnswers(choices, dice, otherwise)
    try:
        ruling = lookup.rule(facts, ask)
        ask.finish()
    except Pending as pending:
        if not isinstance(pending.question, Throw | Choose):
            raise TypeError(f"{lookup.slug} asks for {pending.question.key}, which needs a table") from pending
        return LookupResult(None, pending.question, pending.reasons, tuple(ask.faces), tuple(ask.intended))
    except Refusal as refused:
        field = "dice" if refused.field == "faces" else refused.field
        field = f"choices.{field}" if field in choices else field
        raise Refusal(refused.text, refused.clause, field) from refused
    return LookupResult(ruling, None, ruling.reasons, tuple(ask.faces), tuple(ask.intended))


By = Literal["roll", "type"]
Query = tuple[tuple[str, str], ...]

MOST_AT_A_GLANCE, LIKELIEST = 4, 3
"""Bars that are read at a glance, and how many of more than those."""

DICE, FACE, BY, CHOICE = "_dice", "_face.", "_by", "_choose."
"""Names in the address beside the facts: the faces so far, another face, who throws, a choice by its key."""

R = TypeVar("R")


def likeliest(rows: Sequence[R], chance: Callable[[R], Fraction]) -> tuple[R, ...]:
    """Return what is read at a glance: of many rows the likeliest, in their order."""
    if len(rows) <= MOST_AT_A_GLANCE:
        return tuple(rows)
    least = sorted(map(chance, rows), reverse=True)[LIKELIEST - 1]
    return tuple(row for row in rows if chance(row) >= least)[:LIKELIEST]


def thrown_by(sent: Sequence[str] | None) -> By | None:
    """Read who throws the dice; None where nobody is to."""
    return next((by for by in get_args(By) if sent == [by]), None)


class DiceStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step that comes to dice: who throws them, their odds, and what came of it."""

    by: By | None = None
    charts: tuple[Chart, ...] = ()
    result: LookupResult | None = None
    refusal: Refusal | None = None

    @property
    def ruling(self) -> Ruling[Any] | None:
        """Return the ruling, once nothing more is to be thrown or chosen."""
        return self.result.ruling if self.result else None

    @property
    def throw(self) -> Throw | None:
        """Return the throw that it waits for."""
        question = self.result.question if self.result else None
        return question if isinstance(question, Throw) else None

    @property
    def choose(self) -> Choose | None:
        """Return the choice that it waits for."""
        question = self.result.question if self.result else None
        return question if isinstance(question, Choose) else None


class Step(DiceStep, frozen=True):
    """One step of a lookup: what was given in the address, and what follows from it."""

    fields: tuple[Field, ...]
    facts: msgspec.Struct | None = None
    query: Query = ()

    @property
    def asked_facts(self) -> Query:
        """Return the facts alone, as they stand in the address."""
        return tuple(pair for pair in self.query if not pair[0].startswith("_"))

    @property
    def first_chart(self) -> Chart | None:
        """Return the chart that is read first: the first that is no map."""
        return next((chart for chart in self.charts if chart.map is None), next(iter(self.charts), None))

    @property
    def glance(self) -> Chart | None:
        """Return the first chart as it is read at a glance: of many bars the likeliest."""
        chart = self.first_chart
        return chart and replace(chart, bars=likeliest(chart.bars, lambda bar: bar.chance))

    @property
    def grounds(self) -> tuple[Reason, ...]:
        """Return what is told before the dice, where no chart tells what it rests on; else the ruling's reasons."""
        if self.result is None or (self.ruling is None and any(chart.reasons for chart in self.charts)):
            return ()
        return self.result.reasons


def step_of(lookup: Lookup, sent: forms.Sent, *, roll: bool = False) -> Step:
    """Go as far as what was sent leads; what does not fit is held as the step's refusal."""
    facts_sent = {name: typed for name, typed in sent.items() if not name.startswith("_")}
    choices = {name.removeprefix(CHOICE): typed[-1] for name, typed in sent.items() if name.startswith(CHOICE)}
    by = thrown_by(sent.get(BY))
    step = Step(fields(lookup.facts, facts_sent), by=by)
    try:
        facts = from_form(lookup.facts, facts_sent)
        step = replace(step, facts=facts, query=query_of(facts, choices, (), by))
        step = replace(step, charts=lookup.charts(facts) if lookup.charts else ())
        dice = forms.all_faces(sent, DICE, FACE, MOST_DICE, "dice")
        result = consult(lookup, facts, choices, dice, "roll" if roll else "ask")
    except Refusal as refusal:
        return replace(step, refusal=refusal)
    used = {key: value for key, value in choices.items() if key not in result.unused}
    return replace(step, result=result, query=query_of(facts, used, result.faces, by))


def query_of(facts: msgspec.Struct, choices: Mapping[str, str], dice: Iterable[int], by: By | None) -> Query:
    """Write facts, choices and dice as they stand in the address; without ``by`` the dice are left out."""
    pairs = [(name, typed) for name, value in plain(facts).items() for typed in _typed(value)]
    pairs += [(CHOICE + key, value) for key, value in choices.items()]
    if by is not None:
        pairs += [(BY, by), (DICE, " ".join(map(str, dice)))]
    return tuple(pairs)


def _typed(value: Any) -> list[str]:
    match value:
        case bool():
            return ["yes" if value else "no"]
        case None:
            return [""]
        case list() | tuple():
            return [str(part) for part in value] or [""]
        case _:
            return [str(value)]


QR = "/qr.svg"
"""What the address of a page's QR code has behind that of the page."""

quick = Blueprint("quick", __name__, url_prefix="/quick")


@quick.get("")
def index() -> str:
    """List every lookup of every game."""
    games = tuple(game for game in app_state().games.values() if game.lookups)
    return render_template("quick/all.html", games=games)


@quick.get("/<game>/<lookup>")
def lookup(game: str, lookup: str) -> Response:
    """Show a lookup: its form, the odds of the facts, the ruling as far as dice and choices go."""
    of_game, consulted = find(game, lookup)
    return _page(of_game, consulted, step_of(consulted, query()))


@quick.post("/<game>/<lookup>")
def roll(game: str, lookup: str) -> Response:
    """Roll the dice that are missing and go on to the address that holds the faces."""
    of_game, consulted = find(game, lookup)
    step = step_of(consulted, request.form.to_dict(flat=False) | {BY: ["roll"]}, roll=True)
    if step.refusal is not None:
        return _page(of_game, consulted, step)
    return redirect(f"{request.path}?{urlencode(step.query)}", 303)


@quick.get(f"/<game>/<lookup>{QR}")
def qr_code(game: str, lookup: str) -> Response:
    """Draw the address of a lookup as a QR code."""
    _, consulted = find(game, lookup)
    step = step_of(consulted, query())
    return qr_response(None if step.refusal else share_page(request.path.removesuffix(QR), step.query))


def _page(game: Game[Any], lookup: Lookup, step: Step) -> Response:
    page = render_template(
        "quick/lookup.html",
        game=game,
        lookup=lookup,
        step=step,
        shared=share_page(request.path, step.query),
    )
    return make_response(page, 422 if step.refusal else 200)


def find(game: str, lookup: str) -> tuple[Game[Any], Lookup]:
    """Return a lookup that a page is about, and its game; 404 where there is none."""
    of_game = app_state().games.get(game) or abort(404)
    return of_game, of_game.lookups.get(lookup) or abort(404)


def query() -> forms.Sent:
    """Return what is asked for in the address of this page."""
    return request.args.to_dict(flat=False)
