"""QR cards to lay out: printed, cut apart, and scanned by whoever wants what they lead to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec
from flask import Blueprint, render_template, url_for
from markupsafe import Markup

from companion.kit.game import SCREEN, Game
from companion.table.view_models import Summary
from companion.web import seat_cookies
from companion.web.address_qr import only_this_computer, origin, qr_svg
from companion.web.language import gettext, speaker
from companion.web.state import app_state

ON_A_SHEET = 8

qr_cards = Blueprint("qr_cards", __name__)


class Card(msgspec.Struct, frozen=True):
    """What a card says: what it belongs to, its title, what it is for, where it leads, and a code to type."""

    over: str
    title: str
    about: str
    address: str
    icon: str
    code: str = ""

    @property
    def qr(self) -> Markup:
        """Return the QR code of its address."""
        return qr_svg(self.address)


@qr_cards.get("/rules/<game>/qr-cards")
def of_game(game: str) -> str:
    """Show the cards that need no table: a game's rulebook, its aid, its lookups."""
    played = app_state().game(game)
    return _page(played, _of_game(played), url_for("rules.contents", game=game), speaker(game)(played.name))


@qr_cards.get("/t/<table>/<seat>/cards")
def of_table(table: str, seat: str) -> str:
    """Show the cards of a table, to whoever sits there: its free seats, its screen, and those of its game.

    What stands on them is what everybody may know: no card opens a seat that somebody has taken.
    """
    seat_cookies.check_person(table, seat)
    summary = app_state().tables.summary(table)
    game = app_state().installed_game(summary.game)
    cards = chain(_of_table(summary), _of_game(game))
    return _page(game, cards, url_for("rulekeeper.invite", table=table, seat=seat), gettext("Invite and seats"))


def _page(game: Game[Any], cards: Iterator[Card], back: str, back_name: str) -> str:
    here = origin()
    return render_template(
        "qr_cards.html",
        game=game,
        cards=() if only_this_computer(here) else tuple(cards),
        back=back,
        back_name=back_name,
        origin=here,
        most=ON_A_SHEET,
    )


def _of_table(summary: Summary) -> Iterator[Card]:
    speak, table = speaker(summary.game), summary.table
    over = summary.title or speak(app_state().installed_game(summary.game).name)
    join = _address("lobby.join", table=table)
    yield Card(over, gettext("Join the table"), gettext("Scan, choose a seat, play."), join, "scan", table)
    for person in summary.people:
        if not person.taken and not person.alike:  # those take whichever is free, by the card of the table
            address = _address("lobby.join", table=table, seat=person.seat)
            yield Card(over, speak(person.role), gettext("Scan to take this seat."), address, "person", table)
    about = gettext("For a tablet or a TV: only what everybody may see.")
    yield Card(over, gettext("Shared screen"), about, _address("play.page", table=table, seat=SCREEN), "screen", table)


def _of_game(game: Game[Any]) -> Iterator[Card]:
    speak, slug = speaker(game.slug), game.slug
    name = speak(game.name)
    if game.rulebook.aid:
        about = gettext("Units, tables and rules, at hand for everybody.")
        yield Card(name, gettext("Everything on one sheet"), about, _address("rules.aid", game=slug), "cards")
    about = gettext("Every rule, to search and to read.")
    yield Card(name, gettext("Rulebook"), about, _address("rules.contents", game=slug), "book")
    about = gettext("Work out one fight, without a table.")
    for lookup in game.lookups.values():
        address = _address("quick.lookup", game=slug, lookup=lookup.slug)
        yield Card(name, speak(lookup.title), about, address, "die")
    about = gettext("Rulings and exact odds from the facts that you give, without a table.")
    yield Card("Companion", gettext("Quick tools"), about, _address("quick.index"), "quick")
    about = gettext("Any dice, their exact odds, your favourites.")
    yield Card("Companion", gettext("Dice"), about, _address("dice.tray"), "die")


def _address(page: str, **values: Any) -> str:
    return origin() + url_for(page, **values)
