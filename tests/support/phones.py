"""Phones at a table, for the tests of the pages: each a client of its own that holds the cookies of its seats."""

from __future__ import annotations

import re
from html import unescape
from itertools import count
from typing import TYPE_CHECKING, Any, cast

from companion.web.state import NAME, AppState

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

_keys = count(1)


class Table:
    """One table and a phone for each of its seats."""

    def __init__(self, app: Flask, game: str, dice: str = "app", names: tuple[str, ...] = (), **options: Any) -> None:
        self.app = app
        self.tables = cast("AppState", app.extensions[NAME]).tables
        made = self.tables.create(game, "", options, {}, dice)
        self.id = made.table
        self.tokens = dict(made.tokens)
        seats = [person.seat for person in self.tables.summary(self.id).people if person.seat != "rulekeeper"]
        for seat in names or seats:
            self.tokens[seat] = self.tables.join(self.id, seat, seat.capitalize())
        self.phones = {seat: self.phone(seat) for seat in self.tokens}

    def phone(self, *seats: str) -> FlaskClient:
        """Return a phone that holds some seats by their private links."""
        client = self.app.test_client()
        for seat in seats:
            client.get(f"/s/{self.id}/{seat}/{self.tokens[seat]}")
        return client

    def get(self, seat: str, path: str = "", /, **how: Any) -> TestResponse:
        return self.phones.get(seat, self.app.test_client()).get(f"/t/{self.id}/{seat}{path}", **how)

    def post(
        self, seat: str, path: str, /, *, htmx: bool = False, key: str = "", shown: str = "", **data: Any
    ) -> TestResponse:
        headers = {"HX-Request": "true", "X-Shown": shown} if htmx else {}
        sent = {"key": key or f"k{next(_keys)}"} | data
        return self.phones[seat].post(f"/t/{self.id}/{seat}{path}", data=sent, headers=headers)

    def end(self) -> None:
        """End the table as its rulekeeper, with the yes of another player's phone where one is asked."""
        self.post("rulekeeper", "/settings", end="1")
        for seat in self.tokens:
            wish = self.tables.seen(self.id, seat).end_wish
            if wish is not None and wish.mine_to_give:
                self.post(seat, "/consent", end="1", yes="1")

    def act(self, seat: str, **action: Any) -> None:
        self.tables.act(self.id, seat, action, f"k{next(_keys)}")


def tidy(page: str) -> str:
    """Return a page with one blank between what stands in a tag: templates break their lines there."""
    return re.sub(r"""<(?:[^<>"']|"[^"]*"|'[^']*')*>""", lambda tag: re.sub(r"\s+", " ", tag[0]), page)


def words(page: str) -> str:
    """Return the words of a page without its marks."""
    body = re.sub(r"<(head|svg|script)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body)))
