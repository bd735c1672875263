"""Problem details (RFC 9457): every refusal of the JSON API, naming the field or the clause."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TypeVar

import msgspec
from flask import Response, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as Answer

from companion.kit.ruling import Refusal
from companion.kit.text import Text, say
from companion.table.problem import Problem
from companion.web import bodies
from companion.web.words import speaker

B = TypeVar("B", bound=bodies.Body)

MEDIA_TYPE = "application/problem+json"
REFUSED = 422
LARGEST_BODY = 1024 * 1024
"""Bytes: far more than any action needs."""
_TITLES = {
    400: say("This can not be understood"),
    401: say("A seat's token is needed"),
    403: say("This is not for you to do"),
    404: say("There is no such thing here"),
    405: say("This can not be done with it"),
    409: say("The table stands differently"),
    413: say("This is too much"),
    422: say("The rules say no"),
    429: say("Not so fast"),
}
_FIELDS = re.compile(r"`\$\.?([^`]*)`$|field `([^`]*)`")


def problem(
    status: int, text: Text, game: str | None = None, *, field: str | None = None, clause: str | None = None
) -> Response:
    """Answer with problem details in the caller's language; ``game`` is the slug whose words are spoken."""
    speak = speaker(game)
    title = _TITLES.get(status)
    about = bodies.Problem(
        type="about:blank",
        title=speak(title) if title else HTTPStatus(status).phrase,
        status=status,
        detail=speak(text),
        field=field,
        clause=clause,
    )
    answer = Response(msgspec.json.encode(about), status, mimetype=MEDIA_TYPE)
    if status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def told(wrong: Exception, game: str | None = None) -> Answer:
    """Answer an exception that says no: a Refusal, a Problem of the table, or one of HTTP."""
    match wrong:
        case Refusal():
            return problem(REFUSED, wrong.text, game, field=wrong.field, clause=wrong.clause)
        case Problem():
            return problem(wrong.status, wrong.text, game, field=wrong.field, clause=wrong.clause)
        case HTTPException(code=int(status)) if status < 400:
            return wrong.get_response()
        case HTTPException(code=int(status)):
            answer = problem(status, _HTTP.get(status, say("This request can not be served.")), game)
            answer.headers.extend(
                (name, value) for name, value in wrong.get_headers() if name in {"Allow", "Retry-After"}
            )
            return answer
        case _:
            raise wrong


_HTTP = {
    400: say("This request can not be understood."),
    404: say("There is nothing at this address."),
    405: say("This address does not take that method."),
    413: say("This request is too large."),
    415: say("This request can not be understood."),
}


def body(kind: type[B]) -> B:
    """Decode the request's body; raise Problem (400) naming the field that is wrong."""
    request.max_content_length = LARGEST_BODY
    try:
        return msgspec.json.decode(request.get_data(cache=False), type=kind)
    except msgspec.ValidationError as wrong:
        raise _named(str(wrong)) from wrong
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise Problem(400, say("The body of this request is not JSON.")) from wrong


def _named(message: str) -> Problem:
    found = _FIELDS.search(message)
    field = next((name for name in found.groups() if name), None) if found else None
    if field is None:
        return Problem(400, say("The body of this request has to be a JSON object."))
    if "missing required" in message:
        return Problem(400, say("{field}: this is needed.", field=field), field)
    if "unknown field" in message:
        return Problem(400, say("There is no field called {field}.", field=field), field)
    return Problem(400, say("{field}: this is not what belongs here.", field=field), field)
