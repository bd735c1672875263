"""What every page of one running Companion shares: the games, the tables, the live phones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from typing import Any, cast

from flask import Flask, current_app, g, request

from companion.kit.game import Game
from companion.kit.text import Speak
from companion.table.problem import Problem
from companion.table.tables import Tables
from companion.table.validation import no_game, not_installed
from companion.web.guard import Guesses, Rate
from companion.web.live import Live
from companion.web.network.arrivals import Arrivals
from companion.web.network.surroundings import Around, Surroundings

NAME = "companion"
MOST_CREATED = 240
"""Tables that come from one address in a minute: a whole club behind one router never makes so many."""
MOST_IMPORTED = 30
"""Files that one address opens in a minute."""


class AppState:
    """The games by their slug, the tables, the hub of the live phones, and what speaks.

    ``guesses`` counts who asks for tables that are none, ``pin_guesses`` who types a wrong PIN, ``create_rate`` who
    makes tables and ``import_rate`` who opens files; ``address`` is where phones reach this Companion, empty when
    nobody said so, ``public`` where they reach it from beyond its network, ``scheme`` how it is spoken to within;
    ``prepare`` has ready what can wait until the first page was shown; ``build`` is the mark of the templates and files
    that pages are made of; ``host_key`` is what whoever runs Companion shows; ``arrivals`` notes who came from another
    device, ``listening`` is the host and the port that Companion listens on where that is known, ``surroundings``
    looks at this computer's network.
    """

    def __init__(self, games: Mapping[str, Game[Any]], tables: Tables, live: Live, address: str = "") -> None:
        self.games = games
        self.tables = tables
        self.live = live
        self.guesses = Guesses()
        self.pin_guesses = Guesses()
        self.create_rate = Rate(MOST_CREATED)
        self.import_rate = Rate(MOST_IMPORTED)
        self.address = address.rstrip("/")
        self.public = ""
        self.scheme = "http"
        self.build = ""
        self.host_key = ""
        self.arrivals = Arrivals()
        self.listening: tuple[str, int] | None = None
        self.surroundings: Callable[[], Around] = Surroundings()
        self.prepare: Callable[[], None] = lambda: None
        self.speakers: dict[tuple[str | None, str], Speak] = {}

    def game(self, slug: str) -> Game[Any]:
        """Return a game that somebody asks for; raise Problem (404) when there is none of that name."""
        if slug not in self.games:
            raise no_game(slug)
        return self.games[slug]

    def installed_game(self, slug: str) -> Game[Any]:
        """Return the game of a table; raise Problem (409) when it is not installed any more."""
        if slug not in self.games:
            raise not_installed(slug)
        return self.games[slug]


def app_state() -> AppState:
    """Return what the pages of the running app share."""
    return cast("AppState", current_app.extensions[NAME])


def read_at_one_moment(app: Flask) -> None:
    """Let whatever a page about a table reads be read in one transaction."""

    @app.before_request
    def begin() -> None:
        if request.method == "GET" and "table" in (request.view_args or {}):
            g.moment = ExitStack()
            with suppress(Problem):  # then whatever reads says so
                g.moment.enter_context(app_state().tables.moment())

    app.teardown_request(close_moment)


def close_moment(_: BaseException | None = None) -> None:
    """End the transaction that this request reads in; what is read later is read in transactions of its own."""
    with suppress(Problem):
        g.pop("moment", ExitStack()).close()
