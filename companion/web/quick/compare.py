"""Two steps of one look-up side by side: which facts differ, and what that does to every outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from fractions import Fraction
from itertools import chain
from typing import Literal, NamedTuple

import msgspec
from flask import Blueprint, make_response, render_template, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from companion.kit.action import Field
from companion.kit.forms import NONE
from companion.kit.game import Lookup
from companion.kit.odds import Bar, Chart, hundredths
from companion.kit.questions import NO, YES
from companion.kit.ruling import Reason
from companion.kit.text import Text
from companion.web.address_qr import qr_response, share_page
from companion.web.forms import Sent
from companion.web.quick.lookups import QR, Query, Step, find, likeliest, query, step_of

OTHER = "b."
"""What the facts of B begin with in the address; those of A stand there as they do in the lookup's own."""
NOTHING = Text("–")


class Difference(msgspec.Struct, frozen=True):
    """One fact that differs, in words."""

    label: Text
    a: tuple[Text, ...]
    b: tuple[Text, ...]


class Row(msgspec.Struct, frozen=True):
    """One outcome of both sides; ``other`` is what it is called on B, where its words differ."""

    label: Text
    a: Fraction
    b: Fraction
    other: Text | None = None


class PercentRow(NamedTuple):
    """A row with the numbers that people read: how many of a hundred A and B are, and how many more B is.

    Where rounding turns a difference round, it is none.
    """

    row: Row
    a: int
    b: int
    points: int


class Line(msgspec.Struct, frozen=True):
    """One reason: of one side only, or of both."""

    of: Literal["a", "b", "both"]
    reason: Reason


class Pair(msgspec.Struct, frozen=True):
    """One chart of both sides, or of the only side that has one like it."""

    a: Chart | None
    b: Chart | None
    rows: tuple[Row, ...] = ()
    lines: tuple[Line, ...] = ()

    @property
    def mapped(self) -> bool:
        """Tell whether it is drawn on a board, which has to be done side by side."""
        return any(chart is not None and chart.map is not None for chart in (self.a, self.b))

    @property
    def counted(self) -> tuple[PercentRow, ...]:
        """Count the rows of each side out to a hundred."""
        a, b = hundredths(row.a for row in self.rows), hundredths(row.b for row in self.rows)
        return tuple(
            PercentRow(row, of_a, of_b, of_b - of_a if (of_b - of_a) * (row.b - row.a) > 0 else 0)
            for row, of_a, of_b in zip(self.rows, a, b, strict=True)
        )

    @property
    def glance(self) -> tuple[Row, ...]:
        """Return the rows to be read at a glance: of many those that either side is likeliest to meet."""
        return likeliest(self.rows, lambda row: max(row.a, row.b))


class Comparison(msgspec.Struct, frozen=True):
    """Two fact sets of one lookup and what follows from each; what is wrong with one leaves the other whole."""

    a: Step
    b: Step
    differing: tuple[Difference, ...]
    pairs: tuple[Pair, ...]
    lines: tuple[Line, ...]

    @property
    def query(self) -> Query:
        """Return both fact sets as they stand in the address: A's whole, of B what differs."""
        return _joined(self.a.query, self.b.query)

    @property
    def swapped(self) -> Query:
        """Return the address in which A and B have changed places."""
        return _joined(self.b.query, self.a.query)

    @property
    def whole(self) -> bool:
        """Tell whether the facts of both sides can be read."""
        return self.a.facts is not None and self.b.facts is not None

    @property
    def glance(self) -> Pair | None:
        """Return the pair to be read at a glance: the first that both sides have and that is no map."""
        return next((pair for pair in self.pairs if pair.a and pair.b and not pair.mapped), None)


def compare_facts(lookup: Lookup, sent: Sent) -> Comparison:
    """Compare the facts sent as they are with those sent as B's; what B does not say is as in A."""
    facts = {name: typed for name, typed in sent.items() if not name.startswith(("_", OTHER))}
    changed = {name.removeprefix(OTHER): typed for name, typed in sent.items() if name.startswith(OTHER)}
    changed = {name: typed for name, typed in changed.items() if not name.startswith("_")}
    a, b = step_of(lookup, facts), step_of(lookup, facts | changed)
    pairs = _pairs(a.charts, b.charts, _counterparts(a, b))
    return Comparison(a, b, _differences(a, b), pairs, merge_reasons(a.grounds, b.grounds))


def _joined(a: Query, b: Query) -> Query:
    of_a = MultiDict(a)
    changed = ((name, listed) for name, listed in MultiDict(b).lists() if listed != of_a.getlist(name))
    return a + tuple((OTHER + name, typed) for name, listed in changed for typed in listed)


def _differences(a: Step, b: Step) -> tuple[Difference, ...]:
    return tuple(
        Difference(of_a.label, field_words(of_a), field_words(of_b))
        for of_a, of_b in zip(a.fields, b.fields, strict=True)
        if field_words(of_a) != field_words(of_b)
    )


def field_words(field: Field) -> tuple[Text, ...]:
    """Say what a field holds, as its form says it: each of many choices by itself."""
    match field.value:
        case bool() as ticked:
            return (YES if ticked else NO,)
        case tuple() as values:
            return tuple(_chosen(field, value) for value in values if value != NONE) or (NOTHING,)
        case value:
            return (_chosen(field, NONE if value is None else str(value)),)


def _chosen(field: Field, value: str) -> Text:
    label = next((option.label for option in field.options if option.value == value), None)
    return label or (Text("{words}", {"words": value}) if value else NOTHING)


def _counterparts(a: Step, b: Step) -> dict[str, str]:
    """Map the choices of A to those that B has in their place: what is said of one is said of the other."""
    return {
        str(of_a.value): str(of_b.value)
        for of_a, of_b in zip(a.fields, b.fields, strict=True)
        if of_a.kind == "choice" and of_a.value != of_b.value
    }


def _renamed(text: Text, names: Mapping[str, str]) -> Text:
    places = {name: _renamed(place, names) if isinstance(place, Text) else place for name, place in text.places.items()}
    return Text(names.get(text.say, text.say), places)


def _pairs(a: Sequence[Chart], b: Sequence[Chart], names: Mapping[str, str]) -> tuple[Pair, ...]:
    """Pair charts of one title; then those that have an outcome in common, such as where B can not be evaded."""
    left = list(b)
    partners: dict[int, Chart] = {}

    def same_title(of_a: Chart, of_b: Chart) -> bool:
        return _renamed(of_a.title, names) == of_b.title

    def same_outcome(of_a: Chart, of_b: Chart) -> bool:
        return any(_renamed(bar.label, names) in [other.label for other in of_b.bars] for bar in of_a.bars)

    for alike in (same_title, same_outcome):
        for at, chart in enumerate(a):
            partner = next((other for other in left if alike(chart, other)), None)
            if at not in partners and partner is not None:
                partners[at] = partner
                left.remove(partner)
    pairs = [(chart, partners.get(at)) for at, chart in enumerate(a)]
    return tuple(_pair(of_a, of_b, names) for of_a, of_b in (*pairs, *((None, chart) for chart in left)))


def _pair(a: Chart | None, b: Chart | None, names: Mapping[str, str]) -> Pair:
    rows = _rows(a.bars, b.bars, names) if a and b else ()
    return Pair(a, b, rows, merge_reasons(a.reasons if a else (), b.reasons if b else ()))


def _rows(a: Iterable[Bar], b: Iterable[Bar], names: Mapping[str, str]) -> tuple[Row, ...]:
    """Lay the outcomes of both side by side, A's first: what one side does not know has no chance there."""
    left = list(b)
    rows = []
    for bar in a:
        label = _renamed(bar.label, names)
        partner = next((other for other in left if label == other.label), None)
        if partner is not None:
            left.remove(partner)
        other = label if partner is not None and label != bar.label else None
        rows.append(Row(bar.label, bar.chance, partner.chance if partner else Fraction(0), other))
    return (*rows, *(Row(bar.label, Fraction(0), bar.chance) for bar in left))


def merge_reasons(a: Sequence[Reason], b: Sequence[Reason]) -> tuple[Line, ...]:
    """Merge the reasons of both sides: what both say once; lines that stand for each other one below the other."""
    keys_of_a, keys_of_b = ([msgspec.json.encode(reason) for reason in reasons] for reasons in (a, b))
    lines: list[Line] = []
    for kind, a_from, a_to, b_from, b_to in SequenceMatcher(None, keys_of_a, keys_of_b, autojunk=False).get_opcodes():
        of_a = [Line("a", reason) for reason in a[a_from:a_to]]
        of_b = [Line("b", reason) for reason in b[b_from:b_to]]
        if kind == "equal":
            lines += [Line("both", reason) for reason in a[a_from:a_to]]
        elif len(of_a) == len(of_b):
            lines += chain.from_iterable(zip(of_a, of_b, strict=True))
        else:
            lines += of_a + of_b
    return tuple(lines)


compare = Blueprint("compare", __name__, url_prefix="/quick/<game>/<lookup>/compare")


@compare.get("")
def page(game: str, lookup: str) -> Response:
    """Show two fact sets of a lookup side by side: what differs, and what it does to every outcome."""
    of_game, compared = find(game, lookup)
    both = compare_facts(compared, query())
    shared = share_page(request.path, both.query)
    page = render_template("quick/compare.html", game=of_game, lookup=compared, both=both, shared=shared)
    return make_response(page, 422 if both.a.refusal or both.b.refusal else 200)


@compare.get(QR)
def qr_code(game: str, lookup: str) -> Response:
    """Draw the address of a comparison as a QR code."""
    _, compared = find(game, lookup)
    both = compare_facts(compared, query())
    return qr_response(share_page(request.path.removesuffix(QR), both.query) if both.whole else None)
