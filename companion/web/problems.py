"""What is said when something goes wrong: the sentences of HTTP, and the JSON API's problem details (RFC 9457)."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import msgspec
from flask import Response, request
from werkzeug.exceptions import HTTPException

from companion.kit.ruling import Refusal
from companion.kit.text import Text, say
from companion.table.problem import Problem
from companion.table.validation import field_problem
from companion.web.api import bodies
from companion.web.language import speaker

B = TypeVar("B", bound=bodies.Body)
Wrong = Refusal | Problem
"""What a page can say is wrong: a rule says no, or anything else does."""

MEDIA_TYPE = "application/problem+json"
REFUSED = 422
_TITLES = {
    400: say("This cannot be understood"),
    401: say("A seat's token is needed"),
    403: say("This is not for you to do"),
    404: say("There is no such thing here"),
    405: say("This cannot be done with it"),
    409: say("The table stands differently"),
    413: say("This is too much"),
    422: say("The rules say no"),
    429: say("Not so fast"),
}
_TITLE = say("This did not work")
SENTENCES = {
    400: say("This request cannot be understood."),
    403: say("This is not for you to do."),
    404: say("There is nothing at this address."),
    405: say("This address does not take that method."),
    413: say("This is too large to be taken in."),
    415: say("This request cannot be understood."),
    429: say("Too many wrong guesses. Wait a minute and try again."),
}
OTHERWISE = say("This request cannot be served.")


class Explanation(NamedTuple):
    """What is said of an exception: an HTTP status, a sentence, the field and the clause that it is about."""

    status: int
    text: Text
    field: str | None = None
    clause: str | None = None


def explain(wrong: Exception) -> Explanation:
    """Explain an exception that says no: a Refusal, a Problem of the table, or one of HTTP; raise any other again."""
    match wrong:
        case Refusal() | Problem():
            status = wrong.status if isinstance(wrong, Problem) else REFUSED
            return Explanation(status, wrong.text, wrong.field, wrong.clause)
        case HTTPException(code=int(status)):
            return Explanation(status, SENTENCES.get(status, OTHERWISE))
    raise wrong


def status_of(wrong: Wrong | None) -> int:
    """Return the HTTP status of a page that says what is wrong, if anything is."""
    return 200 if wrong is None else explain(wrong).status


def respond(wrong: Exception, game: str | None = None) -> Response:
    """Answer an exception that says no with problem details in the caller's language, in the words of a game."""
    status, text, field, clause = explain(wrong)
    speak = speaker(game)
    title, detail = speak(_TITLES.get(status, _TITLE)), speak(text)
    about = bodies.Problem(type="about:blank", title=title, status=status, detail=detail, field=field, clause=clause)
    answer = Response(msgspec.json.encode(about), status, mimetype=MEDIA_TYPE)
    if status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(wrong, HTTPException):
        answer.headers.extend((name, value) for name, value in wrong.get_headers() if name in {"Allow", "Retry-After"})
    return answer


def body(kind: type[B]) -> B:
    """Decode the request's body; raise Problem (400) naming the field that is wrong."""
    try:
        return msgspec.json.decode(request.get_data(cache=False), type=kind)
    except msgspec.ValidationError as wrong:
        raise field_problem(wrong) or Problem(400, say("The body of this request has to be a JSON object.")) from wrong
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise Problem(400, say("The body of this request is not JSON.")) from wrong
