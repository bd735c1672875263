"""Companion: memory and rulekeeper for wargames played on a real table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Flask

from companion.games import discover
from companion.table.problem import Gone
from companion.table.store import Store
from companion.table.tables import Tables
from companion.terminal import leave_out
from companion.web import fragments, guard, pages, publish
from companion.web.api.api import Api
from companion.web.assets import Assets, shipped
from companion.web.host import host, read_or_make_key
from companion.web.host_pages import host_pages
from companion.web.live import Live, Told
from companion.web.lobby.housekeeping import housekeeping, refuse_gone
from companion.web.lobby.lobby import lobby
from companion.web.lobby.qr_cards import qr_cards
from companion.web.lobby.seat_links import seat_links
from companion.web.offline import Offline
from companion.web.play.another_table import another_table
from companion.web.play.awake import awake
from companion.web.play.bundle import bundles
from companion.web.play.my_seat import my_seat
from companion.web.play.page import play
from companion.web.play.pictures import pictures
from companion.web.play.printed_cards import printed_cards
from companion.web.play.recap import recap
from companion.web.play.replay import replay
from companion.web.play.replay_files import ReplayFiles
from companion.web.play.report import report
from companion.web.play.rulekeeper import rulekeeper
from companion.web.play.stock_take import stock_take
from companion.web.quick.compare import compare
from companion.web.quick.dice import dice
from companion.web.quick.lookups import quick
from companion.web.rules.rules import Rules
from companion.web.seat_cookies import SeatNotHeld, refuse_seat, seated
from companion.web.state import NAME, AppState, read_at_one_moment

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.kit.game import Game


def create_app(
    data: Path,
    *,
    games: Mapping[str, Game[Any]] | None = None,
    address: str = "",
    hosts: tuple[str, ...] = (),
    public: str = "",
) -> Flask:
    """Make the app: pages, live streams and the JSON API over the tables kept in the folder ``data``.

    ``games`` are those found unless given; ``address`` is where phones reach this machine (for QR codes), ``hosts`` are
    names beside addresses and local names that it answers to, ``public`` is its address beyond its network. Raises
    Unusable when the tables can not be opened.
    """
    app = Flask(__name__, static_folder=None, template_folder=shipped("templates"))
    installed = discover(leave_out) if games is None else dict(games)
    live = Live()
    publisher = publish.Publisher(app, live)
    tables = Tables(Store(data / "tables.sqlite"), installed, changed=publisher.changed, changing=publisher.changing)
    app.config[guard.FOLDER] = data
    app.extensions[NAME] = state = AppState(installed, tables, live, address)
    state.host_key = read_or_make_key(data)
    state.public = public
    guard.install(app, hosts, state.guesses, seated, public)
    read_at_one_moment(app)
    assets = Assets()
    state.build = assets.build
    pages.install(app, assets)
    Offline(assets).install(app)
    fragments.install(app)
    app.register_error_handler(SeatNotHeld, refuse_seat)
    app.register_error_handler(Gone, refuse_gone)
    api, rules = Api(tables, installed), Rules(installed)
    state.prepare = rules.prepare
    publisher.renderers["api"] = lambda channel: Told(api.event(channel))
    for blueprint in (assets.blueprint(), host, host_pages, lobby, another_table, play, pictures, printed_cards):
        app.register_blueprint(blueprint)
    for blueprint in (
        awake,
        my_seat,
        seat_links,
        bundles,
        housekeeping,
        stock_take,
        recap,
        replay,
        ReplayFiles(assets).blueprint(),
    ):
        app.register_blueprint(blueprint)
    for blueprint in (rulekeeper, qr_cards, report, dice, quick, compare, rules.blueprint(), api.blueprint()):
        app.register_blueprint(blueprint)
    return app
