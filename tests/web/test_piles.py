"""Piles on the page: each keeps its name while others come and go, and a card that is laid on one comes alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flask import render_template_string

from companion.kit.panels import Card, Pile, Piles
from companion.kit.text import Text, say
from companion.web.fragments import fragments
from companion.web.play.listed import named
from companion.web.publish import html_since
from companion.web.state import NAME
from tests.support.played_out import TableContest

if TYPE_CHECKING:
    from flask import Flask

    from companion.web.fragments import Fragment

CHANGED = re.compile(r'<hx-partial id="(piles-[^"]+)"[^>]*>(.*?)</hx-partial>', re.DOTALL)


def test_a_pile_is_called_the_same_while_others_come_and_go() -> None:
    deck, hand = Pile(Text("draw_pile"), 5), Pile(say("{side}: hand", side=Text("red")), 2)
    other = Pile(say("{side}: hand", side=Text("blue")), 2)
    names = [name for name, _ in named((deck, hand, other))]
    assert len(set(names)) == 3
    assert [name for name, _ in named((Pile(Text("card_in_play"), 1), deck, other))][1:] == [names[0], names[2]]
    twice = [name for name, _ in named((deck, hand, deck))]
    assert twice[:2] == names[:2]
    assert len(set(twice)) == 3
    assert all(re.fullmatch(r"[\w-]+", name) for name in twice)


def test_two_piles_of_one_name_are_two_on_the_page(app: Flask) -> None:
    cards = tuple(Card(str(at), "", None, say("{count} cards", count=at), Text("")) for at in range(3))
    panel = Piles(Text("piles"), (Pile(Text("discard_pile"), 3, cards), Pile(Text("discard_pile"), 3, cards)))
    with app.test_request_context():
        drawn = render_template_string('{% from "play/_piles.html" import piles %}{{ piles(panel, "p") }}', panel=panel)
    ids = re.findall(r' id="([^"]+)"', drawn)
    assert len(ids) == len(set(ids)) == 1 + 2 * (1 + 1 + 1 + 3)


def test_a_card_that_is_laid_on_a_pile_comes_alone(app: Flask) -> None:
    tables = app.extensions[NAME].tables
    contest = TableContest(tables, "two_cities", 3)

    def seen() -> Fragment:
        with app.test_request_context():
            return fragments().get(contest.table, "white", "en")

    def discarded() -> int:
        return len(contest.state.discard_pile)

    while discarded() < 6:
        contest.turn()
    told = 0
    for _ in range(40):
        before, lay = seen(), discarded()
        contest.turn()
        now = seen()
        if discarded() != lay + 1 or now.version > before.version + 3:
            continue
        changed = CHANGED.findall(html_since(before, now))
        (laid,) = [html for _, html in changed if 'class="card-face' in html and "in-pile" not in html]
        assert laid.count('class="card-face') == 1
        assert not [name for name, html in changed if "in-pile" in html], "the pile stays what it is"
        told += 1
    assert told > 3
