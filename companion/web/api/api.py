"""The JSON API: the same actions for scripts, bots and tests, as ``/api/openapi.json`` describes them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

import msgspec
from flask import Blueprint, Response, g, request, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as Answer

from companion.kit.game import RULEKEEPER, SCREEN, Game
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.table.problem import Problem
from companion.table.tables import Tables
from companion.table.validation import no_game, no_seat
from companion.web.address import origin
from companion.web.api import bodies, openapi
from companion.web.api.lookups import WithoutTable, answered, under
from companion.web.forms import from_body, plain
from companion.web.language import json_values, language, speaker
from companion.web.problems import body, respond
from companion.web.publish import Channel
from companion.web.seat_cookies import digest
from companion.web.state import app_state

LIVE = "api"
"""The kind of the API's live channels."""


class Api(WithoutTable):
    """The routes of the API of some games and their tables."""

    def __init__(self, tables: Tables, games: Mapping[str, Game[Any]]) -> None:
        self.tables = tables
        super().__init__(games)
        self.game_of = lru_cache(maxsize=4096)(tables.game_of)
        self.openapi = msgspec.json.encode(openapi.describe())

    def blueprint(self) -> Blueprint:
        """Make the blueprint with every route that the OpenAPI document describes."""
        blueprint = Blueprint("api", __name__, url_prefix="/api")
        blueprint.add_url_rule("/openapi.json", "document", self.document)
        for route in openapi.ROUTES:
            blueprint.add_url_rule(route.path, route.name, getattr(self, route.name), methods=[route.method])
        for kind in (Refusal, Problem, HTTPException):
            blueprint.register_error_handler(kind, self.refuse)
        return blueprint

    def refuse(self, wrong: Exception) -> Answer:
        """Answer what went wrong as problem details, in the words of the game it is about."""
        about = request.view_args or {}
        game = about.get("game") or g.get("game")
        if "table" in about and not isinstance(wrong, HTTPException):
            with suppress(Problem):
                game = self.game_of(about["table"])
        return respond(wrong, game if game in self.games else None)

    def document(self) -> Response:
        """Describe the API."""
        return Response(self.openapi, mimetype="application/json")

    def create_table(self) -> Response:
        """Make a table and take seats at it."""
        sent = body(bodies.NewTable)
        if sent.game not in self.games:
            raise no_game(sent.game, 400)
        g.game = sent.game
        game = self.games[sent.game]
        options = under("options", lambda: from_body(game.options, sent.options))
        if RULEKEEPER in sent.seats:
            raise no_seat(RULEKEEPER, 400, f"seats.{RULEKEEPER}")
        app_state().create_rate.count()
        made = self.tables.create(sent.game, sent.title, plain(options), sent.seats, sent.dice, sent.key)
        tokens = dict(made.tokens)
        for seat, name in sent.seats.items():
            tokens[seat] = self.tables.join(made.table, seat, name, sent.key)
        created = bodies.Created(
            table=made.table,
            join=origin() + url_for("lobby.join", table=made.table),
            seats=tuple(
                bodies.Seat(seat=seat, token=token, link=f"{origin()}/s/{made.table}/{seat}/{token}")
                for seat, token in tokens.items()
            ),
        )
        answer = answered(created, sent.game)
        answer.status_code = 201
        answer.headers["Location"] = url_for("api.see_table", table=made.table)
        return answer

    def see_table(self, table: str) -> Response:
        """Show what the caller may see; without a token, what everybody may."""
        return self._answer(table, self.tables.seen(table, self._seat(table)))

    def read_log(self, table: str) -> Response:
        """List the log, newest first."""
        seat = self._seat(table)
        before, limit = _number("before"), _number("limit")
        lines = self.tables.log(table, seat, before, 50 if limit is None else limit)
        return self._answer(table, bodies.Log(lines=lines))

    def read_statistics(self, table: str) -> Response:
        """Show the statistics of a table; they are the same for everybody."""
        self._seat(table)
        return self._answer(table, self.tables.statistics(table))

    def act(self, table: str) -> Response:
        """Do an action."""
        sent = body(bodies.Act)
        seat = self._own_seat(table)
        return self._answer(table, self.tables.act(table, seat, sent.action, sent.key, sent.seen, sent.answers))

    def answer(self, table: str) -> Response:
        """Answer the pending question."""
        sent = body(bodies.Reply)
        seat = self._own_seat(table)
        return self._answer(table, self.tables.answer(table, seat, sent.answer, sent.key, sent.seen))

    def silence(self, table: str) -> Response:
        """Go on without an answer that did not come in time."""
        sent = body(bodies.Silence)
        return self._answer(table, self.tables.silence(table, self._own_seat(table), sent.seen, sent.key))

    def undo(self, table: str) -> Response:
        """Take the newest action back, or agree to it."""
        sent = body(bodies.Undo)
        seat = self._own_seat(table)
        if sent.consent is None:
            return self._answer(table, self.tables.take_back(table, seat, sent.key, sent.seen))
        return self._answer(table, self.tables.consent(table, seat, sent.consent, sent.key, sent.seen))

    def list_corrections(self, table: str) -> Response:
        """List the values that can be corrected by hand."""
        return self._answer(table, bodies.Corrections(values=self.tables.tracked(table, self._own_seat(table))))

    def correct(self, table: str) -> Response:
        """Correct a value by hand."""
        sent = body(bodies.Correct)
        seat = self._own_seat(table)
        return self._answer(table, self.tables.correct(table, seat, sent.path, sent.value, sent.key, sent.seen))

    def export(self, table: str) -> Response:
        """Take a copy of the whole table."""
        sent = body(bodies.Copy)
        answer = Response(self.tables.copy(table, self._own_seat(table), sent.key), mimetype="application/json")
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def follow(self, table: str) -> Response:
        """Follow a table: the caller's view at once and after every change, as server-sent events."""
        seat, tongue = self._seat(table), language()
        answer = Response(self.event(table, seat, tongue), mimetype="text/event-stream")
        answer.headers["X-Live-Channel"] = str(Channel(LIVE, table, seat, tongue, self._mark()))
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def event(self, table: str, seat: str, tongue: str) -> bytes:
        """Render the event that carries a seat's whole view."""
        seen = self.tables.seen(table, seat)
        view = msgspec.json.encode(json_values(seen, speaker(seen.game, tongue)))
        return b"event: view\nid: %d\ndata: %b\n\n" % (seen.version, view)

    def _seat(self, table: str) -> str:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if not scheme:
            return SCREEN
        seat = self.tables.seat_of(table, token.strip()) if scheme.lower() == "bearer" else None
        if seat is None:
            raise Problem(401, say("This token opens no seat of this table."))
        return seat

    def _mark(self) -> str:
        _, _, token = request.headers.get("Authorization", "").partition(" ")
        return digest(token.strip()) if token else ""

    def _own_seat(self, table: str) -> str:
        seat = self._seat(table)
        if seat == SCREEN:
            raise Problem(401, say("A seat's token is needed for this (Authorization: Bearer)."))
        return seat

    def _answer(self, table: str, value: msgspec.Struct) -> Response:
        return answered(value, self.game_of(table))


def _number(name: str) -> int | None:
    typed = request.args.get(name)
    if typed is None:
        return None
    if not typed.isdecimal() or len(typed) > 15:
        raise Problem(400, say("{field}: this has to be a whole number.", field=name), name)
    return int(typed)
