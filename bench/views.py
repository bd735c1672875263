"""Processor time of a change: to see it, lay it out, render and compare it for six views, and for a hundred seats."""

from __future__ import annotations

import random
import time
from statistics import median
from typing import TYPE_CHECKING, cast

from bench.figures import Figure
from companion import create_app
from companion.games import discover
from companion.kit.game import RULEKEEPER, SCREEN
from companion.web import seat_cookies
from companion.web.fragments import Channel, fragments
from companion.web.publish import Publisher
from companion.web.state import NAME
from tests.support.listening import Hub, unheard
from tests.support.random_game import RandomGame

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from companion.table.tables import Tables
    from companion.web.live import Live

STEPS, FIRST = 100, 10
"""Changes of a game, and how many of them come before it is measured."""
SEATS, ACTIONS = 100, 12
"""Seats of the free table, and the actions that are measured there."""


def listen(hub: Hub, table: str, seat: str, code: str, token: str) -> None:
    """Listen to what a seat sees in a language."""
    digest = "" if seat == SCREEN else seat_cookies.digest(token)
    channel = Channel("play", table, seat, code, digest)
    fragments().listened(channel, fragments().get(table, seat, code))
    hub.told[str(channel)] = []


def alone(folder: Path) -> tuple[Flask, Tables]:
    """Make an app of which nobody but the caller tells anything."""
    app = unheard(create_app(folder))
    return app, app.extensions[NAME].tables


def six_views(app: Flask, tables: Tables, slug: str) -> float | None:
    """Return the middle of the seconds that a change of a game takes until six views of it are told."""
    games = (RandomGame(tables, discover()[slug], seed) for seed in range(3, 60))
    game, hub = next(game for game in games if not game.alone), Hub()
    one, other = game.seats[0], game.seats[min(1, len(game.seats) - 1)]
    views = ((one, "es"), (one, "en"), (other, "es"), (RULEKEEPER, "en"), (SCREEN, "es"), (SCREEN, "en"))
    publisher, took = Publisher(app, cast("Live", hub)), []
    with app.test_request_context():
        for seat, code in views:
            listen(hub, game.table, seat, code, game.tokens.get(seat, ""))
    for _ in range(STEPS):
        if game.over() or not game.step():
            break
        began = time.process_time()
        publisher.tell(game.table)
        took.append(time.process_time() - began)
    return median(took[FIRST:]) if len(took) > 2 * FIRST else None


def hundred_seats(app: Flask, tables: Tables) -> float:
    """Return the middle of the seconds that an action at a free table of many seats takes, all of them listening."""
    made = tables.create("free_table", "", {"seats": SEATS}, {RULEKEEPER: "Ruth"}, "app")
    people = tables.summary(made.table).people
    tokens = {one.seat: tables.join(made.table, one.seat, one.seat) for one in people if one.seat != RULEKEEPER}
    for number, name in enumerate(("Life", "Gold")):
        counter = {"each": "player", "names": "", "start": 20, "low": 0, "high": 99}
        tables.act(made.table, RULEKEEPER, {"action": "set_counter", "name": name, **counter}, f"counter-{number}")
    luck, hub, took = random.Random(1), Hub(), []
    publisher = Publisher(app, cast("Live", hub))
    with app.test_request_context():
        for number, (seat, token) in enumerate({**tokens, SCREEN: ""}.items()):
            listen(hub, made.table, seat, "en" if number % 2 else "es", token)
    for number in range(ACTIONS):
        seat = luck.choice([*tokens])
        offers = tables.seen(made.table, seat).offers
        offer = luck.choice([one for one in offers if not one.fields and not one.grave and one.on])
        began = time.process_time()
        tables.act(made.table, seat, {"action": offer.action, **offer.given}, f"act-{number}")
        publisher.tell(made.table)
        took.append(time.process_time() - began)
    return median(took)


def measure(folder: Path) -> list[Figure]:
    """Measure every game, and the largest table."""
    app, tables = alone(folder)
    figures = []
    for slug in sorted(discover()):
        took = six_views(app, tables, slug)
        if took is not None:
            figures.append(Figure(f"a change of {slug} for six views (p50, processor)", f"{took * 1e3:.1f} ms"))
    took = hundred_seats(*alone(folder / "hundred"))
    what = f"an action at a free table of {SEATS} seats (p50, processor)"
    return [*figures, Figure(what, f"{took * 1e3:.0f} ms", "300 ms")]
