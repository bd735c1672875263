"""The OpenAPI 3.1 document, made from the same table of routes that the API is registered from."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Literal, get_args

import msgspec

from companion.kit.text import Text
from companion.table.ending import Ending
from companion.table.export import Kept
from companion.table.pictures import Kind
from companion.table.replay import Moment, Recap, StateAfter
from companion.table.statistics import Statistics
from companion.table.view_models import Done, Seen
from companion.web.api import bodies

Who = Literal["anybody", "screen", "seat"]
"""Whom a route serves: ``anybody``; the ``screen`` without a token, a seat with one; only a ``seat``."""

VERSION = "0.1.0"
"""The version of Companion: its package takes it from here."""
_REFERENCE = "#/components/schemas/{name}"
_TEXT = {"title": "Text", "type": "string", "description": "A sentence in the caller's language."}
_NUMBER = {"type": "integer", "minimum": 0}
_IN_QUERY: dict[str, dict[str, Any]] = {"eyes": {"type": "string", "description": "A seat, or screen."}}
"""Schemas of what is no number in an address."""
_SCHEMAS: dict[type, dict[str, Any]] = {
    Fraction: {"type": "string", "pattern": r"^\d+(/\d+)?$", "description": "An exact fraction, as 1/3."}
}
"""Schemas of what msgspec knows nothing about."""


class Route(msgspec.Struct, frozen=True):
    """One route: what it takes and gives, and whom it serves; ``name`` is the API's method.

    ``media`` are the types of what it gives where that is no JSON.
    """

    method: Literal["GET", "POST"]
    path: str
    name: str
    summary: str
    gives: type[msgspec.Struct] | None
    takes: type[bodies.Body] | None = None
    who: Who = "anybody"
    query: tuple[str, ...] = ()
    media: tuple[str, ...] = ()


_LOOKUP = "/games/<game>/lookups/<lookup>"
_TABLE = "/tables/<table>"
_STATISTICS = "Dice with their exact luck, harm by unit, turns and time"
_EVENTS = "The caller's view, live: events named `view`, each with the whole view as JSON"
_PAST = (
    "What the caller saw after an entry of the log, and what that made other; once the game is over, what others saw"
)
_STATE = "The whole state after an entry of the log, once the game is over and nothing of it is a secret"
_RECAP = "What happened since a version, or since the caller did something"
_SILENCE = "Go on without an answer that did not come in time"
_SEATS = "Take a free seat in the place of the caller's, or ask whoever sits there to swap"
_WISH = "Agree to a wish about seats that the view names, or end it"
_AGAIN = "The caller's seat at the rematch, which is set up where there is none"

ROUTES = (
    Route("GET", "/games", "list_games", "List the games", bodies.Games),
    Route("GET", "/games/<game>/lookups", "list_lookups", "List a game's lookups", bodies.Lookups),
    Route("POST", _LOOKUP, "consult_lookup", "Rule on facts, without a table", bodies.Ruled, bodies.Consult),
    Route("POST", f"{_LOOKUP}/odds", "foresee_lookup", "Exact odds of facts", bodies.Charts, bodies.Foresee),
    Route(
        "POST", f"{_LOOKUP}/compare", "compare_lookup", "Exact odds of two fact sets", bodies.Compared, bodies.Compare
    ),
    Route("POST", "/dice", "throw_dice", "Throw dice", bodies.DiceThrown, bodies.ThrowDice),
    Route("POST", "/dice/odds", "foresee_dice", "Exact odds of dice", bodies.DiceOdds, bodies.ForeseeDice),
    Route("POST", "/tables", "create_table", "Make a table", bodies.Created, bodies.NewTable),
    Route("GET", _TABLE, "see_table", "The caller's view of a table", Seen, who="screen"),
    Route("GET", f"{_TABLE}/log", "read_log", "The log, newest first", bodies.Log, None, "screen", ("before", "limit")),
    Route("GET", f"{_TABLE}/past", "see_past", _PAST, Moment, None, "screen", ("at", "eyes")),
    Route("GET", f"{_TABLE}/past/state", "read_past_state", _STATE, StateAfter, None, "screen", ("at",)),
    Route("GET", f"{_TABLE}/recap", "read_recap", _RECAP, Recap, None, "screen", ("since",)),
    Route("GET", f"{_TABLE}/statistics", "read_statistics", _STATISTICS, Statistics, who="screen"),
    Route("POST", f"{_TABLE}/actions", "act", "Do an action", Done, bodies.Act, "seat"),
    Route("POST", f"{_TABLE}/answers", "answer", "Answer the pending question", Done, bodies.Reply, "seat"),
    Route("POST", f"{_TABLE}/silence", "silence", _SILENCE, Done, bodies.Silence, "seat"),
    Route("POST", f"{_TABLE}/undo", "undo", "Take the newest action back", Done, bodies.Undo, "seat"),
    Route("GET", f"{_TABLE}/corrections", "list_corrections", "What can be corrected", bodies.Corrections, who="seat"),
    Route("POST", f"{_TABLE}/corrections", "correct", "Correct a value by hand", Done, bodies.Correct, "seat"),
    Route(
        "POST", f"{_TABLE}/stock-take", "set_right", "Correct several values at once", Done, bodies.StockTake, "seat"
    ),
    Route("POST", f"{_TABLE}/export", "export", "Take a copy of the whole table, as a file", Kept, bodies.Copy, "seat"),
    Route("POST", f"{_TABLE}/end", "end", "End the table, or open it again", Done, bodies.End, "seat"),
    Route("GET", f"{_TABLE}/ending", "read_ending", "How the game ended, and its rematch", Ending, who="screen"),
    Route("POST", f"{_TABLE}/rematch", "rematch", _AGAIN, bodies.SeatThere, bodies.PlayAgain, "seat"),
    Route("POST", f"{_TABLE}/seat", "change_seats", _SEATS, Done, bodies.ChangeSeats, "seat"),
    Route("POST", f"{_TABLE}/proposals", "answer_proposal", _WISH, Done, bodies.AnswerProposal, "seat"),
    Route("POST", f"{_TABLE}/leave", "leave", "Get up from the caller's seat", Done, bodies.Leave, "seat"),
    Route(
        "GET",
        f"{_TABLE}/pictures/<digest>",
        "see_picture",
        "A picture that the caller's view names, by its SHA-256",
        None,
        who="screen",
        media=get_args(Kind),
    ),
    Route("GET", f"{_TABLE}/events", "follow", _EVENTS, None, who="screen", media=("text/event-stream",)),
)


def describe() -> dict[str, Any]:
    """Write the OpenAPI document."""
    kinds = [kind for route in ROUTES for kind in (route.takes, route.gives) if kind is not None]
    kinds.append(bodies.Problem)
    _, schemas = msgspec.json.schema_components(kinds, schema_hook=_SCHEMAS.__getitem__, ref_template=_REFERENCE)
    schemas[Text.__name__] = _TEXT
    paths: dict[str, Any] = {}
    for route in ROUTES:
        path = "/api" + re.sub(r"<(\w+)>", r"{\1}", route.path)
        paths.setdefault(path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Companion",
            "version": VERSION,
            "description": "What people do at a table, for scripts, bots and tests. Sentences come in the "
            "caller's language (Accept-Language: es or en).",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "seat": {"type": "http", "scheme": "bearer", "description": "The token of a seat at the table."}
            },
        },
    }


def _operation(route: Route) -> dict[str, Any]:
    places = re.findall(r"<(\w+)>", route.path)
    described: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.summary,
        "parameters": [
            *({"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in places),
            *({"name": name, "in": "query", "schema": _IN_QUERY.get(name, _NUMBER)} for name in route.query),
        ],
        "responses": {
            "201" if route.name == "create_table" else "200": _answer(route),
            "default": {
                "description": "What is wrong, naming the field or the clause.",
                "content": _content("application/problem+json", bodies.Problem),
            },
        },
    }
    if route.takes is not None:
        described["requestBody"] = {"required": True, "content": _content("application/json", route.takes)}
    if route.who != "anybody":
        described["security"] = [{"seat": []}] if route.who == "seat" else [{}, {"seat": []}]
    return described


def _answer(route: Route) -> dict[str, Any]:
    if route.gives is None:
        return {
            "description": route.summary,
            "content": {media: {"schema": {"type": "string"}} for media in route.media},
        }
    return {"description": route.summary, "content": _content("application/json", route.gives)}


def _content(media_type: str, kind: type) -> dict[str, Any]:
    return {media_type: {"schema": {"$ref": _REFERENCE.format(name=kind.__name__)}}}
