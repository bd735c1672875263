"""The JSON API: the same actions for scripts, bots and tests, as ``/api/openapi.json`` describes them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Any, Literal

import msgspec
from flask import Blueprint, Response, g, request, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as Answer

from companion.kit.dice.notation import Throw as Parsed
from companion.kit.dice.odds import chances, charts
from companion.kit.dice.parser import Misread, read
from companion.kit.dice.roll import DICE, Notation
from companion.kit.game import RULEKEEPER, SCREEN, Game, Lookup
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.table.ending import Ending
from companion.table.problem import Problem
from companion.table.replay import Moment, Recap, StateAfter
from companion.table.statistics import Statistics
from companion.table.stock_take import Difference
from companion.table.tables import Tables
from companion.table.validation import no_game, no_seat
from companion.table.view_models import Done, Seen
from companion.web.address_qr import origin
from companion.web.api import bodies, openapi
from companion.web.forms import fields, from_body, plain, whole_number
from companion.web.fragments import Channel
from companion.web.language import json_values, language, speaker
from companion.web.live import HEADER
from companion.web.play.pictures import send_picture
from companion.web.problems import body, respond
from companion.web.quick.lookups import MissingDice, consult
from companion.web.rematch import seat_again
from companion.web.seat_cookies import digest
from companion.web.state import app_state

LIVE = "api"
"""The kind of the API's live channels."""
NOT_STORED = {"Cache-Control": "no-store"}


class Api:
    """The routes of the API of some games and their tables."""

    def __init__(self, tables: Tables, games: Mapping[str, Game[Any]]) -> None:
        self.tables = tables
        self.games = games

    def blueprint(self) -> Blueprint:
        """Make the blueprint with every route that the OpenAPI document describes."""
        blueprint = Blueprint("api", __name__, url_prefix="/api")
        blueprint.add_url_rule("/openapi.json", "document", self.document)
        for route in openapi.ROUTES:
            view = getattr(self, route.name) if route.who == "anybody" else partial(self.serve, route)
            blueprint.add_url_rule(route.path, route.name, view, methods=[route.method])
        for kind in (Refusal, Problem, HTTPException):
            blueprint.register_error_handler(kind, self.refuse)
        return blueprint

    def refuse(self, wrong: Exception) -> Answer:
        """Answer what went wrong as problem details, in the words of the game it is about."""
        about = request.view_args or {}
        game = about.get("game") or g.get("game")
        if "table" in about and not isinstance(wrong, HTTPException):
            with suppress(Problem):
                game = self.tables.game_of(about["table"])
        return respond(wrong, game if game in self.games else None)

    def serve(self, route: openapi.Route, table: str, **named: str) -> Answer:
        """Serve a route of a table: its line in the list of routes says what it takes, and whom it serves."""
        sent = () if route.takes is None else (body(route.takes),)
        seat = self._seat(table)
        if route.who == "seat" and seat == SCREEN:
            raise Problem(401, say("A seat's token is needed for this (Authorization: Bearer)."))
        answer = getattr(self, route.name)(table, seat, *sent, **named)
        return answer if isinstance(answer, Answer) else _answered(answer, self.tables.game_of(table))

    def document(self) -> Response:
        """Describe the API."""
        return Response(_described(), mimetype="application/json")

    def list_games(self) -> Response:
        """List the games, with the JSON Schema of their options and actions."""
        summaries = (
            bodies.GameSummary(
                game=slug,
                name=game.name,
                summary=game.summary,
                seats={role.id: role.name for role in game.roles(game.options())},
                options=msgspec.json.schema(game.options),
                actions=msgspec.json.schema(game.actions),
            )
            for slug, game in self.games.items()
        )
        return _in_json({"games": [json_values(summary, speaker(summary.game)) for summary in summaries]})

    def list_lookups(self, game: str) -> Response:
        """List a game's lookups, with the JSON Schema of their facts."""
        listed = tuple(
            bodies.LookupSummary(
                lookup=lookup.slug,
                title=lookup.title,
                note=lookup.note,
                facts=msgspec.json.schema(lookup.facts),
                odds=lookup.charts is not None,
            )
            for lookup in app_state().game(game).lookups.values()
        )
        return _answered(bodies.Lookups(lookups=listed), game)

    def consult_lookup(self, game: str, lookup: str) -> Response:
        """Rule on facts."""
        consulted, sent = _lookup(game, lookup), body(bodies.Consult)
        facts = _read("facts", consulted.facts, sent.facts)
        result = consult(consulted, facts, sent.choices, sent.dice or (), _missing(sent))
        ruled = bodies.Ruled(
            headline=result.ruling.headline if result.ruling else None,
            outcome=result.ruling.outcome if result.ruling else None,
            reasons=result.reasons,
            faces=result.faces,
            question=result.question,
            unused=result.unused,
        )
        return _answered(ruled, game)

    def foresee_lookup(self, game: str, lookup: str) -> Response:
        """Work out the exact odds of facts."""
        consulted = _lookup(game, lookup)
        facts = _read("facts", consulted.facts, body(bodies.Foresee).facts)
        return _answered(_odds(consulted, facts), game)

    def compare_lookup(self, game: str, lookup: str) -> Response:
        """Work out the exact odds of two fact sets, and name the facts that differ."""
        consulted, sent = _lookup(game, lookup), body(bodies.Compare)
        a, b = _read("a", consulted.facts, sent.a), _read("b", consulted.facts, sent.a | sent.b)
        of_a, of_b = plain(a), plain(b)
        differing = tuple(
            bodies.Differing(field=field.name, label=field.label, a=of_a[field.name], b=of_b[field.name])
            for field in fields(consulted.facts)
            if of_a[field.name] != of_b[field.name]
        )
        odds_of_a, odds_of_b = _odds(consulted, a, "a."), _odds(consulted, b, "b.")
        return _answered(bodies.Compared(a=odds_of_a, b=odds_of_b, differing=differing), game)

    def throw_dice(self) -> Response:
        """Throw dice."""
        sent = body(bodies.ThrowDice)
        _parse(sent.notation)
        result = consult(DICE, Notation(sent.notation), {}, sent.dice or (), _missing(sent))
        assert result.ruling is not None, "a throw asks for nothing but dice"
        return _answered(bodies.DiceThrown(outcome=result.ruling.outcome, faces=result.faces))

    def foresee_dice(self) -> Response:
        """Work out the exact odds of dice."""
        parsed = _parse(body(bodies.ForeseeDice).notation)
        totals = {str(number): chance for number, chance in chances(parsed).items()}
        return _answered(bodies.DiceOdds(charts=charts(parsed), totals=totals))

    def create_table(self) -> Response:
        """Make a table and take seats at it."""
        sent = body(bodies.NewTable)
        if sent.game not in self.games:
            raise no_game(sent.game, 400)
        g.game = sent.game
        game = self.games[sent.game]
        options = _read("options", game.options, sent.options)
        if RULEKEEPER in sent.seats:
            raise no_seat(RULEKEEPER, 400, f"seats.{RULEKEEPER}")
        app_state().create_rate.count()
        made = self.tables.create(sent.game, sent.title, plain(options), sent.seats, sent.dice, sent.key)
        taken = {seat: self.tables.join(made.table, seat, name, sent.key) for seat, name in sent.seats.items()}
        created = bodies.Created(
            table=made.table,
            join=_join(made.table),
            seats=tuple(_taken(made.table, seat, token) for seat, token in {**made.tokens, **taken}.items()),
        )
        answer = _answered(created, sent.game)
        answer.status_code = 201
        answer.headers["Location"] = url_for("api.see_table", table=made.table)
        return answer

    def see_table(self, table: str, seat: str) -> Seen:
        """Show what the caller may see; without a token, what everybody may."""
        return self.tables.seen(table, seat)

    def read_log(self, table: str, seat: str) -> bodies.Log:
        """List the log, newest first."""
        before, limit = _number("before"), _number("limit")
        return bodies.Log(lines=self.tables.log(table, seat, before, 50 if limit is None else limit))

    def see_past(self, table: str, seat: str) -> Moment:
        """Show what the caller, or another seat, saw after an entry of the log."""
        return self.tables.look_back(table, seat, _entry(), request.args.get("eyes"))

    def read_past_state(self, table: str, seat: str) -> StateAfter:
        """Show the whole state after an entry of the log."""
        return self.tables.state_after(table, seat, _entry())

    def read_recap(self, table: str, seat: str) -> Recap:
        """Tell what happened since a version of the table."""
        return self.tables.recap(table, seat, _number("since"))

    def read_statistics(self, table: str, _: str) -> Statistics:
        """Show the statistics of a table; they are the same for everybody."""
        return self.tables.statistics(table)

    def act(self, table: str, seat: str, sent: bodies.Act) -> Done:
        """Do an action."""
        return self.tables.act(table, seat, sent.action, sent.key, sent.seen, sent.answers, sent.pictures)

    def see_picture(self, table: str, seat: str, digest: str) -> Response:
        """Show a picture to a seat whose view names it."""
        return send_picture(table, seat, digest)

    def answer(self, table: str, seat: str, sent: bodies.Reply) -> Done:
        """Answer the pending question."""
        return self.tables.answer(table, seat, sent.answer, sent.key, sent.seen)

    def silence(self, table: str, seat: str, sent: bodies.Silence) -> Done:
        """Go on without an answer that did not come in time."""
        return self.tables.silence(table, seat, sent.seen, sent.key)

    def undo(self, table: str, seat: str, sent: bodies.Undo) -> Done:
        """Take the newest action back, or agree to it."""
        if sent.consent is None:
            return self.tables.take_back(table, seat, sent.key, sent.seen)
        return self.tables.consent(table, seat, sent.consent, sent.key, sent.seen)

    def change_seats(self, table: str, seat: str, sent: bodies.ChangeSeats) -> Done:
        """Take a free seat, or ask for a swap."""
        return self.tables.change_seats(table, seat, sent.other, sent.key)

    def answer_proposal(self, table: str, seat: str, sent: bodies.AnswerProposal) -> Done:
        """Agree to a wish about seats, or end it."""
        return self.tables.answer_wish(table, seat, sent.wish, sent.yes, sent.key)

    def leave(self, table: str, seat: str, sent: bodies.Leave) -> Done:
        """Get up from the caller's seat."""
        return self.tables.leave(table, seat, sent.key)

    def list_corrections(self, table: str, seat: str) -> bodies.Corrections:
        """List the values that can be corrected by hand."""
        return bodies.Corrections(values=self.tables.tracked(table, seat))

    def correct(self, table: str, seat: str, sent: bodies.Correct) -> Done:
        """Correct a value by hand."""
        return self.tables.correct(table, seat, sent.path, sent.value, sent.key, sent.seen)

    def set_right(self, table: str, seat: str, sent: bodies.StockTake) -> Done:
        """Set several values at once, as one entry of the log."""
        differences = [Difference(one.path, one.value) for one in sent.corrections]
        return self.tables.set_right(table, seat, differences, sent.key, sent.seen)

    def export(self, table: str, seat: str, sent: bodies.Copy) -> Response:
        """Take a copy of the whole table."""
        return Response(self.tables.copy(table, seat, sent.key), mimetype="application/json", headers=NOT_STORED)

    def end(self, table: str, seat: str, sent: bodies.End) -> Done:
        """End the table, or open it again, or say yes or no to the rulekeeper who asks to end it."""
        if sent.consent is None:
            return self.tables.end(table, seat, sent.key, sent.on)
        return self.tables.consent_to_end(table, seat, sent.consent, sent.key)

    def read_ending(self, table: str, _: str) -> Ending:
        """Say how the game ended; the same for everybody."""
        ending = self.tables.ending(table)
        if ending is None:
            raise Problem(409, say("The game is not over yet."))
        return ending

    def rematch(self, table: str, seat: str, sent: bodies.PlayAgain) -> bodies.SeatThere:
        """Give the caller a seat at the rematch, which is set up where there is none yet."""
        there = seat_again(table, seat, swap=sent.swap)
        own = _taken(there.table, there.seat, there.token)
        return bodies.SeatThere(table=there.table, join=_join(there.table), seat=own)

    def follow(self, table: str, seat: str) -> Response:
        """Follow a table: the caller's view at once and after every change, as server-sent events."""
        _, token = _authorization()
        channel = Channel(LIVE, table, seat, language(), digest(token) if token else "")
        headers = {HEADER: str(channel), **NOT_STORED}
        return Response(self.event(channel), mimetype="text/event-stream", headers=headers)

    def event(self, channel: Channel) -> bytes:
        """Render the event that carries a seat's whole view."""
        seen = self.tables.seen(channel.table, channel.seat)
        view = msgspec.json.encode(json_values(seen, speaker(seen.game, channel.language)))
        return b"event: view\nid: %d\ndata: %b\n\n" % (seen.version, view)

    def _seat(self, table: str) -> str:
        scheme, token = _authorization()
        if not scheme:
            return SCREEN
        seat = self.tables.seat_of(table, token) if scheme == "bearer" else None
        if seat is None:
            raise Problem(401, say("This token opens no seat of this table."))
        return seat


def _join(table: str) -> str:
    return origin() + url_for("lobby.join", table=table)


def _taken(table: str, seat: str, token: str) -> bodies.Seat:
    return bodies.Seat(seat=seat, token=token, link=f"{origin()}/s/{table}/{seat}/{token}")


def _authorization() -> tuple[str, str]:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return scheme.lower(), token.strip()


def _entry() -> int:
    return whole_number("at", request.args.get("at", ""))


def _number(name: str) -> int | None:
    typed = request.args.get(name)
    return None if typed is None else whole_number(name, typed)


def _lookup(game: str, slug: str) -> Lookup:
    lookups = app_state().game(game).lookups
    if slug not in lookups:
        raise Problem(404, say("There is no lookup called {lookup}.", lookup=slug[:60]), "lookup")
    return lookups[slug]


def _missing(sent: bodies.Consult | bodies.ThrowDice) -> MissingDice:
    return "roll" if (sent.dice is None if sent.roll is None else sent.roll) else "refuse"


@cache
def _described() -> bytes:
    """Return the description of the API, made when it is asked for first: few ask, and a start need not wait for it."""
    return msgspec.json.encode(openapi.describe())


def _odds(lookup: Lookup, facts: Any, side: Literal["", "a.", "b."] = "") -> bodies.Charts:
    try:
        return bodies.Charts(charts=lookup.charts(facts) if lookup.charts else ())
    except Refusal as refused:
        raise Refusal(refused.text, refused.clause, refused.field and side + refused.field) from refused


def _read(place: Literal["facts", "a", "b", "options"], kind: type[msgspec.Struct], sent: Mapping[str, Any]) -> Any:
    """Make a struct out of a part of the body; raise Problem (400) naming the field within that part."""
    try:
        return from_body(kind, sent)
    except Refusal as refused:
        field = f"{place}.{refused.field}" if refused.field else place
        raise Problem(400, refused.text, field, refused.clause) from refused


def _parse(notation: str) -> Parsed:
    try:
        return read(notation)
    except Misread as misread:
        wrong = say("At character {number}: {what}", number=misread.at + 1, what=misread.text)
        raise Problem(422, wrong, "notation") from misread


def _answered(value: Any, game: str | None = None) -> Response:
    return _in_json(json_values(value, speaker(game)))


def _in_json(value: Any) -> Response:
    headers = {**NOT_STORED, "Vary": "Accept-Language, Authorization", "Content-Language": language()}
    return Response(msgspec.json.encode(value), mimetype="application/json", headers=headers)
