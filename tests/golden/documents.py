"""What a step came to, as two documents: *facts*, which hold whatever pages say, and *words*, all that is said."""

from __future__ import annotations

import json
import re
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import msgspec

from companion.games.chesswar.state import State as ChessWar
from companion.kit.action import Field, Offer
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Board, Card, Piece, Pile, Piles, Roster, Row, Tableau, Tracker, Zone
from companion.kit.questions import Choose, Draw, Moment, Option, Question, Throw, Together
from companion.kit.ruling import Reason
from companion.kit.text import Text
from tests.support.watch import PLAIN, read, worded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.kit.correction import Tracked
    from companion.kit.odds import Chart
    from companion.kit.questions import Answer
    from companion.kit.ruling import Harm, Refusal, Ruling

LATER = {
    Offer: {"ends", "left", "at_once"},
    Field: {"when"},
    Card: {"picture"},
    Piece: {"corrections", "photo"},
    Board: {"closed", "fallen"},
    Roster: {"fallen"},
    Pile: {"top"},
    Piles: {"of"},
    Row: {"steps", "card", "stack"},
    Tracker: {"score", "prints", "past"},
    Tableau: {"numbers"},
    Zone: {"photo"},
    Reason: {"does", "clash", "left_out", "of"},
    Throw: {"does", "of"},
    Option: {"best"},
    ChessWar: {"lists", "kept"},
}
"""What structs got after the games were recorded and what no document holds: it is looked at by tests of its own."""
ASKED_LATER = {"Sign on the card", "Picture on the card"}
"""What forms have asked for since then, by its label."""
OFFERED_LATER = {"set_look", "clear_look"}
"""What is on offer since then, by its action."""
_SENTENCE = re.compile(rb'"say":("(?:[^"\\]|\\.)*")')


class Came(msgspec.Struct, frozen=True):
    """What one step came to: the ruling or the refusal, what was asked on the way, and the state after it."""

    state: Any
    ruling: Ruling[Any] | None = None
    refusal: Refusal | None = None
    charts: tuple[Chart, ...] = ()
    asked: tuple[Question, ...] = ()
    answers: tuple[Answer, ...] = ()
    progress: tuple[Any, ...] = ()


Seen = list[tuple[str, Any, tuple[Any, ...]]]
"""What every seat sees of a state, and what it may do: seat, view, offers."""


def seen(game: Any, seats: Iterable[str], came: Came) -> list[Seen]:
    """What every seat sees of the state after a step, and of those that were shown on the way."""
    states = (came.state, *(state for state in came.progress if state is not None))
    return [[(seat, game.view(state, seat), _offers(game, state, seat)) for seat in seats] for state in states]


def _offers(game: Any, state: Any, seat: str) -> tuple[Offer, ...]:
    """What a seat may do, without what it may do, and what forms ask for, since then."""
    return tuple(
        msgspec.structs.replace(offer, fields=tuple(one for one in offer.fields if one.label.say not in ASKED_LATER))
        if any(one.label.say in ASKED_LATER for one in offer.fields)
        else offer
        for offer in game.offers(state, seat)
        if offer.action not in OFFERED_LATER
    )


def facts(looks: list[Seen], came: Came, tracked: Iterable[Tracked]) -> bytes:
    """State, dice, choices and clauses, and what every seat may do and correct; no sentence and no view."""
    ruled, refused = came.ruling, came.refusal
    return _encoded(
        {
            "state": came.state,
            "ruling": ruled and (ruled.reveals, ruled.quiet, [_reason(one) for one in ruled.reasons]),
            "refused": refused and (refused.clause, refused.field),
            "chances": [[(bar.place, str(bar.chance)) for bar in chart.bars] for chart in came.charts],
            "asked": [_question(one) for one in came.asked],
            "answers": came.answers,
            "progress": came.progress,
            "seats": {seat: (view.to_move, view.over, [*map(_offer, offers)]) for seat, view, offers in looks[0]},
            "tracked": [_tracked(one) for one in tracked],
        }
    )


def words(looks: list[Seen], came: Came, tracked: Iterable[Tracked]) -> bytes:
    """All that anybody reads, no pictures: view and offers of every seat, rulings, questions, odds, corrections."""
    ruled, refused = came.ruling, came.refusal
    said = (ruled and (ruled.headline, ruled.reasons), refused and refused.text, came.charts, came.asked)
    return _encoded((looks, said, tracked))


def seats_of(game: Any, options: Any) -> tuple[str, ...]:
    return (*(role.id for role in game.roles(options)), RULEKEEPER, SCREEN)


def digest(document: bytes) -> str:
    return blake2b(document, digest_size=6).hexdigest()


def sentences(document: bytes) -> set[str]:
    """The sentences and names that a document of words holds, as they stand in the code."""
    return {str(json.loads(found)) for found in set(_SENTENCE.findall(document))}


def spoken(game: Any, said: Iterable[str]) -> bytes:
    """What sentences are in each language."""
    return _encoded([(one, worded(game, one, "en"), worded(game, one, "es")) for one in sorted(said)])


def _encoded(document: Any) -> bytes:
    return _encode(plain(document))


_encode = msgspec.json.Encoder(enc_hook=str, order="deterministic").encode

_encoded_structs: dict[int, tuple[msgspec.Struct, msgspec.Raw]] = {}
"""Structs by where they lie, as they are written: half of them are met again, by another seat or a step later."""
MOST_STRUCTS = 50_000


def plain(value: Any) -> Any:
    """A value without what is as it is by default; a struct itself leaves out only the very object of its default."""
    kind = value.__class__
    if kind in PLAIN:
        return value
    if kind is tuple or kind is list:
        return [part if part.__class__ in PLAIN else plain(part) for part in value]
    if kind is dict:
        return {key: part if part.__class__ in PLAIN else plain(part) for key, part in value.items()}
    return _struct(value) if isinstance(value, msgspec.Struct) else value


def _struct(value: msgspec.Struct) -> msgspec.Raw:
    known = _encoded_structs.get(id(value))
    if known is not None:
        return known[1]
    names, tag = _written(value.__class__)
    written = dict(tag)
    for (name, default), part in zip(names, msgspec.structs.astuple(value), strict=True):
        if name and part is not default and part != default:
            written[name] = part if part.__class__ in PLAIN else plain(part)
    raw = msgspec.Raw(_encode(written))
    if len(_encoded_structs) >= MOST_STRUCTS:
        _encoded_structs.clear()
    _encoded_structs[id(value)] = value, raw
    return raw


@cache
def _written(kind: type[msgspec.Struct]) -> tuple[list[tuple[str, Any]], dict[str, Any]]:
    """The names under which a struct's fields are written (empty: left out), with their defaults, and its tag."""
    config = kind.__struct_config__
    fields, later = msgspec.structs.fields(kind), LATER.get(kind, ())
    defaults = (one.default if one.default_factory is msgspec.NODEFAULT else one.default_factory() for one in fields)
    tag = {config.tag_field: config.tag} if config.tag_field else {}
    names = ("" if one.name in later else one.encode_name for one in fields)
    return [*zip(names, defaults, strict=True)], tag


def _reason(reason: Reason) -> Any:
    pairs = reason.duel.pairs if reason.duel else ()
    duel = [(one.left, one.right, one.verdict, one.left_fixed, one.right_fixed) for one in pairs]
    return (
        reason.clause,
        reason.value,
        reason.faces,
        reason.sides if reason.faces else None,
        reason.seat,
        reason.marks,
        [_reason(one) for one in reason.terms],
        [_harm(one) for one in reason.harm],
        duel,
    )


def _harm(harm: Harm) -> Any:
    return harm.to.id, harm.to.side, harm.to.place, harm.hits, harm.fate, harm.by and harm.by.id


def _question(question: Question) -> Any:
    match question:
        case Throw():
            return "throw", question.key, question.by, question.count, question.sides, question.clause, question.alike
        case Draw():
            return "draw", question.key, question.by, question.count, question.pile, question.secret
        case Choose():
            options = [(one.value, one.barred and (one.barred.clause or True)) for one in question.options]
            return "choose", question.key, question.seat, options, question.clause, question.patience, question.silence
        case Together():
            return "together", question.key, {seat: _question(part) for seat, part in question.questions.items()}
        case Moment():
            return "moment", question.key


def _offer(offer: Offer) -> Any:
    return (
        offer.action,
        offer.given,
        offer.clause,
        [_field(one) for one in offer.fields],
        offer.budget and offer.budget.points,
    )


def _field(field: Field) -> Any:
    options = [(one.value, one.barred and (one.barred.clause or True)) for one in field.options]
    return field.name, field.kind, options, field.value, field.low, field.high, field.cost


def _tracked(one: Tracked) -> Any:
    return one.path, _field(one.field), one.secret_of, one.reveals, one.only


def lines(game: Any, value: Any, language: str) -> Iterator[str]:
    """What a value says, sentence by sentence, with its clauses and numbers."""
    if isinstance(value, Text):
        yield read(game, value, language)
    elif isinstance(value, Reason):
        told = (read(game, value.text, language), value.clause, value.value, value.faces)
        yield " · ".join(str(part) for part in told if part not in (None, ()))
        for term in value.terms:
            yield from (f"  {line}" for line in lines(game, term, language))
    elif isinstance(value, msgspec.Struct):
        for name in (name for name in value.__struct_fields__ if name not in LATER.get(type(value), ())):
            yield from lines(game, getattr(value, name), language)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from lines(game, part, language)
    elif isinstance(value, dict):
        for part in value.values():
            yield from lines(game, part, language)
