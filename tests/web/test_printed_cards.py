"""Cards on paper: as many of each as the deck has, and only for the seat that has the deck before it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from companion import create_app
from companion.games import discover
from companion.games.history_of_war.cards import DECKS
from companion.games.pocket_tactics.cards import FACTIONS
from companion.games.tactics_2gm.cards import DECKS as DECKS_OF_2GM
from companion.web.play.printed_cards import MOST
from tests.support.phones import Table, words

if TYPE_CHECKING:
    from flask import Flask

GAMES = {"history_of_war": ("blue", "red"), "tactics_2gm": ("allies", "axis"), "pocket_tactics": ("blue", "red")}
"""The games whose players bring cards, with the seats of theirs."""
GOBLINS = "Goblin,3,Bites\nOrc\nDragon,1,Flies over everything"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games=discover())
    app.testing = True
    return app


def printed(html: str) -> Counter[str]:
    """How many cards of each name a page prints."""
    return Counter(words(name).strip() for name in re.findall(r'<span class="card-name[^>]*>(.*?)</span>', html))


def sampled(app: Flask, game: str, **options: Any) -> Table:
    """A table at which everybody has taken another sample deck."""
    table = Table(app, game, **options)
    for at, seat in enumerate(GAMES[game]):
        offers = (offer for offer in table.tables.seen(table.id, seat).offers if offer.action == "use_sample")
        samples = sorted(offer.given["sample"] for offer in offers)
        table.act(seat, action="use_sample", sample=samples[at % len(samples)])
    return table


def in_deck(game: str, sample: str) -> dict[str, int]:
    """How many there are of each card of a sample deck, by the identifier of its name."""
    match game:
        case "history_of_war":
            cards: list[Any] = [card for cards in DECKS[sample].lists.values() for card in cards]
        case "tactics_2gm":
            cards = list(DECKS_OF_2GM[sample].cards)
        case _:
            return {card.name: card.copies for card in FACTIONS[sample].unit}
    return {card.name: card.count for card in cards}


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("game", GAMES)
def test_each_card_is_printed_as_often_as_the_deck_has_it(app: Flask, game: str, language: str) -> None:
    table, names = Table(app, game), discover()[game].words.names
    for seat in GAMES[game]:
        sample = next(one for one in table.tables.seen(table.id, seat).offers if one.action == "use_sample")
        table.act(seat, action="use_sample", sample=sample.given["sample"])
        deck = in_deck(game, sample.given["sample"])
        html = table.get(seat, "/print/deck", headers={"Accept-Language": language}).text
        found = printed(html)
        for name, count in deck.items():
            assert found.pop(names[name][language]) == count, name
        alone = {"tactics_2gm": {"Headquarters": 1, "Estado Mayor": 1}}.get(game, {})
        assert all(alone.get(name) == count or count == 1 for name, count in found.items())
        assert bool(found) == (game == "tactics_2gm")


def test_what_is_changed_is_printed_so_and_what_there_is_none_of_is_not(app: Flask) -> None:
    table = sampled(app, "tactics_2gm")
    table.act("allies", action="set_count", card=0, count=1)
    table.act("allies", action="set_count", card=1, count=0)
    found = printed(table.get("allies", "/print/deck").text)
    assert (found["light infantry"], found["heavy infantry"]) == (1, 0)


@pytest.mark.parametrize("game", GAMES)
def test_nobody_prints_the_deck_of_another(app: Flask, game: str) -> None:
    one, other = GAMES[game]
    table = sampled(app, game)
    own, theirs = (table.get(seat, "/print/deck") for seat in (one, other))
    assert (own.status_code, theirs.status_code) == (200, 200)
    assert words(own.text) != words(theirs.text)
    assert table.phones[other].get(f"/t/{table.id}/{one}/print/deck").status_code != 200
    assert app.test_client().get(f"/t/{table.id}/{one}/print/deck").status_code != 200
    for seat, status in (("rulekeeper", 404), ("screen", 403)):
        answer = table.get(seat, "/print/deck")
        assert answer.status_code == status
        assert not printed(answer.text)
    for name in (other, "points", "nothing"):
        assert table.get(one, f"/print/{name}").status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_the_way_there_is_in_the_menu_of_the_own_deck(app: Flask, game: str) -> None:
    table = Table(app, game)
    one = GAMES[game][0]
    assert "/print/" not in table.get(one).text, "there is no deck yet"
    assert table.get(one, "/print/deck").status_code == 404
    table = sampled(app, game)
    for seat in GAMES[game]:
        assert re.findall(r'href="([^"]*/print/[^"]*)"', table.get(seat).text) == [f"/t/{table.id}/{seat}/print/deck"]
    for seat in ("rulekeeper", "screen"):
        assert "/print/" not in table.get(seat).text


def test_a_free_table_prints_its_decks_for_everybody_who_sits_there(app: Flask) -> None:
    table = Table(app, "free_table", names=("player_1", "player_2"))
    table.act("player_1", action="set_deck", name="Goblins", which="own", own=GOBLINS)
    table.act("player_1", action="set_deck", name="Poker", which="52", jokers=2)
    for seat in ("player_1", "player_2", "rulekeeper"):
        assert printed(table.get(seat, "/print/t1").text) == {"Goblin": 3, "Orc": 1, "Dragon": 1}
        assert sum(printed(table.get(seat, "/print/t2").text).values()) == 54
    page = table.get("player_2", "/print/t1").text
    assert page.count("Bites") == 3
    assert table.get("screen", "/print/t1").status_code == 403


def test_where_cards_lie_tells_nothing(app: Flask) -> None:
    """Which cards a deck has everybody knows; the page is the same wherever they are."""
    table = Table(app, "free_table", names=("player_1", "player_2"))
    table.act("player_1", action="set_deck", name="Poker", which="52")
    before = printed(table.get("player_2", "/print/t1").text)
    table.act("player_1", action="draw", tracker="t1", count=3)
    assert printed(table.get("player_2", "/print/t1").text) == before


def test_an_empty_deck_and_one_that_is_too_large_say_so(app: Flask) -> None:
    table = Table(app, "history_of_war")
    table.act("blue", action="name_deck", name="Mine")
    page = table.get("blue", "/print/deck").text
    assert "There is no card in it yet." in words(page)
    for number in range(10):
        table.act("blue", action="edit_action", name=f"Order {number}", ta_cost=1, count=99)
    page = table.get("blue", "/print/deck").text
    assert sum(printed(page).values()) == MOST
    assert f"Only the first {MOST} of 990 are here." in words(page)
    table.act("blue", action="set_count", card="a9", count=9)
    page = table.get("blue", "/print/deck").text
    assert sum(printed(page).values()) == MOST
    assert "Only the first" not in words(page)


def test_what_only_the_rulekeeper_has_read_is_printed_for_nobody_else(app: Flask) -> None:
    """A list of one's own is read by who may change it, and no other page holds more of it than its names."""
    kept = Table(app, "free_table", seats=2, compose="keeper")
    kept.act("rulekeeper", action="set_deck", which="own", own="Alice,1,is the murderer\nBob,1,is not")
    assert printed(kept.get("rulekeeper", "/print/t1").text) == {"Alice": 1, "Bob": 1}
    for seat in ("player_1", "player_2"):
        assert "/print/t1" not in kept.get(seat).text
        assert "murderer" not in kept.get(seat, "/print/t1").text
    kept.act("rulekeeper", action="set_deck", tracker="t1", which="52")
    assert printed(kept.get("player_1", "/print/t1").text).total() == 52
