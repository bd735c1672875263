"""What would end what can still be done is no next step: it keeps its place on the page, and says what is left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from flask import Flask

from companion import create_app
from companion.kit.action import Field, Offer
from companion.kit.game import RULEKEEPER
from companion.kit.panels import Board, Card, Hand, Piece, View
from companion.kit.questions import Option
from companion.kit.ruling import Reason
from companion.kit.text import say
from tests.support.phones import Table, words
from tests.support.skirmish_game import SKIRMISH
from tests.support.skirmish_pages import page

if TYPE_CHECKING:
    from companion.kit.panels import Panel
    from companion.table.view_models import Seen

SQUARES = tuple("abcdefgh"), tuple("12345678")
PAWNS = tuple(Piece(name, "white", "pawn", say("Pawn"), f"{name}2") for name in "abc")
BOARD = Board(say("Board"), *SQUARES, PAWNS)
TO = Field("to", say("To"), "choice", (Option("a3", say("a3"), place="a3"),))
CLOSED = Field("to", say("To"), "choice", (Option("a3", say("a3"), place="a3", hopeless=Reason(say("Too far"))),))
MOVES = tuple(Offer("go", say("Go"), {"unit": piece.id}, (TO,), piece.id) for piece in PAWNS)
CARDS = Hand(say("Hand"), tuple(Card(code, "", None, say("Card"), say("Does")) for code in ("k1", "k2")))
PLAYS = tuple(Offer("play", say("Play"), {"card": code}, on=code, main=True) for code in ("k1", "k2"))
END = Offer("end", say("End"), ends=True)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app(tmp_path_factory.mktemp("data"), games={"skirmish": SKIRMISH})


def showing(app: Flask, *offers: Offer, panels: tuple[Panel, ...] = (BOARD,), moves: bool = True) -> Seen:
    """Return what the first seat of a skirmish sees, with other panels and offers."""
    table = Table(app, "skirmish")
    seat = next(name for name in table.phones if name != RULEKEEPER)
    view = View(say("Play"), (seat,) if moves else (), panels)
    return msgspec.structs.replace(table.tables.seen(table.id, seat), view=view, offers=offers)


def buttons(html: str) -> list[tuple[str, str]]:
    """Read each button that ends something: its classes and what it says."""
    found = re.findall(r'<(?:a|button) class="([^"]*)" data-ends.*?>(.*?)</(?:a|button)>', html)
    return [(look, words(said).strip()) for look, said in found]


def test_what_pieces_can_still_do_is_counted_in_both_languages(app: Flask) -> None:
    seen = showing(app, *MOVES[:2], END)
    assert buttons(page(app, seen)) == [("button big", "End 2 units could still act")]
    assert buttons(page(app, seen, "es")) == [("button big", "End 2 unidades aún pueden actuar")]
    assert buttons(page(app, showing(app, MOVES[0], END))) == [("button big", "End 1 unit could still act")]
    twice = Offer("fight", say("Fight"), {"unit": "a"}, (TO,), "a")
    assert buttons(page(app, showing(app, MOVES[0], twice, END))) == [("button big", "End 1 unit could still act")]


def test_with_nothing_left_it_is_the_primary_button_in_the_same_place(app: Flask) -> None:
    others = (Offer("other", say("Other")), Offer("more", say("More")), Offer("third", say("Third")))
    busy, idle = (page(app, showing(app, *others, *able, END)) for able in (MOVES, ()))
    assert buttons(idle) == [("button main big", "End")]
    for html in (busy, idle):
        dock = html.partition('<section class="dock')[2]
        assert dock.index("data-ends") > dock.index("</details>"), "not among what is rarely done"


@pytest.mark.parametrize(
    "more",
    [
        {"aside": True},
        {"grave": True, "asks": say("Sure?")},
        {"ends": True},
        {"fields": (CLOSED,)},
        {"on": None, "fields": ()},
    ],
)
def test_what_is_rarely_wanted_costs_the_game_ends_itself_or_is_in_vain_is_not_left(
    app: Flask, more: dict[str, Any]
) -> None:
    other = msgspec.structs.replace(MOVES[0], **more)
    assert buttons(page(app, showing(app, other, END)))[-1] == ("button main big", "End")


def test_cards_are_counted_before_pieces(app: Flask) -> None:
    seen = showing(app, *PLAYS, MOVES[0], END, panels=(BOARD, CARDS))
    assert buttons(page(app, seen)) == [("button big", "End 2 cards could still be played")]
    assert buttons(page(app, seen, "es")) == [("button big", "End Aún puedes jugar 2 cartas")]


def test_cards_that_a_rulekeeper_has_as_a_list_are_counted_too(app: Flask) -> None:
    assert buttons(page(app, showing(app, *PLAYS, END))) == [("button big", "End 2 cards could still be played")]
    placed = tuple(msgspec.structs.replace(offer, fields=(TO,), main=False) for offer in PLAYS)
    assert buttons(page(app, showing(app, *placed, END))) == [("button big", "End 2 cards could still be played")]


def test_a_game_says_it_better_or_that_nothing_of_use_is_left(app: Flask) -> None:
    said = msgspec.structs.replace(END, main=True, left=say("1 unit could attack"))
    assert buttons(page(app, showing(app, *MOVES, said))) == [("button big", "End 1 unit could attack")]
    useless = msgspec.structs.replace(END, main=True)
    assert buttons(page(app, showing(app, *MOVES, useless))) == [("button main big", "End")]


def test_it_is_said_once_and_two_ends_are_no_next_step(app: Flask) -> None:
    skip = Offer("skip", say("Skip"), ends=True)
    assert buttons(page(app, showing(app, *MOVES, END, skip))) == [
        ("button big", "End 3 units could still act"),
        ("button big", "Skip"),
    ]
    assert buttons(page(app, showing(app, END, skip))) == [("button big", "End"), ("button big", "Skip")]
    needed = msgspec.structs.replace(skip, main=True)
    assert buttons(page(app, showing(app, *MOVES, END, needed))) == [("button big", "End"), ("button main big", "Skip")]


def test_who_is_not_to_move_is_led_to_end_nothing(app: Flask) -> None:
    assert buttons(page(app, showing(app, END, moves=False))) == [("button big", "End")]


def test_what_is_looked_at_first_is_marked_too(app: Flask) -> None:
    warned = msgspec.structs.replace(END, advice=(Reason(say("2 are lost")),))
    assert buttons(page(app, showing(app, *MOVES, warned))) == [("button big", "End 3 units could still act")]
    assert buttons(page(app, showing(app, warned))) == [("button main big", "End")]


def test_a_step_that_is_nothing_of_the_kind_stays_primary(app: Flask) -> None:
    on = Offer("on", say("Go on"), main=True)
    html = page(app, showing(app, *MOVES, on, END))
    assert buttons(html) == [("button big", "End 3 units could still act")]
    assert re.search(r'<button class="button main big" name="do" value="action=on">', html)


def test_the_api_says_it_where_there_is_something_to_say() -> None:
    plain = msgspec.to_builtins(Offer("go", say("Go")))
    assert plain.keys().isdisjoint({"ends", "left"})
    told = msgspec.to_builtins(msgspec.structs.replace(END, left=say("{count} left", count=2)))
    assert (told["ends"], told["left"]["say"]) == (True, "{count} left")
