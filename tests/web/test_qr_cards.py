"""The QR cards to lay out: what each leads to, and that none opens a seat that somebody has taken."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from companion import create_app
from companion.games import discover
from companion.games.two_cities.game import GAME as TWO_CITIES
from tests.support.duel_game import GAME as DUEL
from tests.support.phones import Table, words
from tests.support.toy_game import TOY
from tests.web.test_qr import ADDRESS, DARK, LIGHT, read

if TYPE_CHECKING:
    from flask import Flask

LANGUAGES = ("es", "en")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(tmp_path_factory.mktemp("data"), games={"toy": TOY, **discover()}, address=ADDRESS)
    app.testing = True
    return app


def cards(html: str) -> dict[str, str]:
    """List the cards of a page: what the QR code of each says, and its words."""
    found: dict[str, str] = {}
    for card in re.findall(r'<li class="qr-card">(.*?)</li>', html, re.DOTALL):
        size, path = re.findall(r'viewBox="0 0 (\d+) \1".*?<path [^>]*\bd="([^"]+)"', card, re.DOTALL)[0]
        rows = [[LIGHT] * int(size) for _ in range(int(size))]
        for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path):
            rows[int(y)][int(x)] = DARK
        (code,) = read(rows)
        assert code not in found, "two cards for one thing"
        found[code] = words(card)
    return found


def of_table(table: Table, seat: str = "rulekeeper", **how: str) -> dict[str, str]:
    answer = table.get(seat, "/cards", headers=how)
    assert answer.status_code == 200
    return cards(answer.text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", [*discover(), "toy"])
def test_a_game_has_a_card_for_each_thing_and_every_one_opens(app: Flask, slug: str, language: str) -> None:
    phone = app.test_client()
    html = phone.get(f"/rules/{slug}/qr-cards", headers={"Accept-Language": language}).text
    found = cards(html)
    game = {"toy": TOY, **discover()}[slug]
    wanted = {f"{ADDRESS}/rules/{slug}", f"{ADDRESS}/quick", f"{ADDRESS}/dice"}
    wanted |= {f"{ADDRESS}/quick/{slug}/{lookup}" for lookup in game.lookups}
    if game.rulebook.aid:
        wanted.add(f"{ADDRESS}/rules/{slug}/aid")
    assert wanted <= found.keys()
    for address, said in found.items():
        assert address in said, "whoever can not scan it types it"
        opened = phone.get(urlsplit(address).path, headers={"Accept-Language": language})
        assert opened.status_code == 200
    assert ADDRESS in unescape(html.partition('class="note')[2].partition("</p>")[0]), "how long they hold is said"


def test_the_cards_speak_the_readers_language(app: Flask) -> None:
    phone = app.test_client()
    spanish, english = (
        cards(phone.get("/rules/two_cities/qr-cards", headers={"Accept-Language": language}).text)
        for language in LANGUAGES
    )
    assert spanish.keys() == english.keys()
    assert "Todo en una hoja" in spanish[f"{ADDRESS}/rules/two_cities/aid"]
    assert "Everything on one sheet" in english[f"{ADDRESS}/rules/two_cities/aid"]
    melee = f"{ADDRESS}/quick/two_cities/melee"
    assert "Cuerpo a cuerpo" in spanish[melee]
    assert "Melee" in english[melee]


def test_the_cards_are_found_from_the_rulebook_the_invitation_and_the_menu(app: Flask) -> None:
    table = Table(app, "two_cities")
    assert 'href="/rules/two_cities/qr-cards"' in app.test_client().get("/rules/two_cities").text
    for path in ("", "/invite"):
        assert f'href="/t/{table.id}/white/cards"' in table.get("white", path).text
    assert "/cards" not in table.get("screen").text


def test_a_table_has_cards_for_itself_its_screen_and_its_free_seats(app: Flask) -> None:
    table = Table(app, "two_cities", names=("white",))
    found = of_table(table)
    way_in = f"{ADDRESS}/t/{table.id}"
    of_this_table = {address for address in found if "/t/" in address}
    assert of_this_table == {way_in, f"{way_in}?seat=black", f"{way_in}/screen"}
    assert all(table.id in found[address].replace(address, "") for address in of_this_table), "the code to type"
    assert "Black" in found[f"{way_in}?seat=black"]
    assert f"{ADDRESS}/rules/two_cities/aid" in found
    assert {f"{ADDRESS}/quick/two_cities/{lookup}" for lookup in TWO_CITIES.lookups} <= found.keys()


def test_seats_that_are_alike_share_the_card_of_the_table(app: Flask) -> None:
    table = Table(app, "free_table", names=("player_1",))
    way_in = f"{ADDRESS}/t/{table.id}"
    assert {address for address in of_table(table) if "/t/" in address} == {way_in, f"{way_in}/screen"}


def test_whoever_sits_sees_the_same_cards_and_nobody_else_sees_any(app: Flask) -> None:
    table = Table(app, "two_cities", names=("white",))
    assert of_table(table, "white") == of_table(table)
    stranger = app.test_client().get(f"/t/{table.id}/white/cards")
    assert stranger.status_code == 303
    assert table.get("screen", "/cards").status_code == 403


def test_no_card_opens_a_taken_seat(app: Flask) -> None:
    table = Table(app, "chesswar")
    for seat in ("rulekeeper", "white", "black"):
        html = table.get(seat, "/cards").text
        assert [address for address in cards(html) if "seat=" in address or "/s/" in address] == []
        for token in table.tokens.values():
            assert token not in html


def test_a_card_brings_to_its_seat(app: Flask) -> None:
    table = Table(app, "two_cities", names=("white",))
    address = next(address for address in of_table(table) if "seat=" in address)
    phone = app.test_client()
    place = urlsplit(address)
    html = phone.get(f"{place.path}?{place.query}").text
    form = html.partition("<form")[2].partition("</form>")[0]
    assert re.findall(r'name="seat" value="([^"]+)"', form) == ["black"]
    assert f'href="/t/{table.id}"' in form, "another seat is one tap away"
    sent = phone.post(f"/t/{table.id}/join", data={"seat": "black", "name": "Ben"})
    assert sent.headers["Location"] == f"/t/{table.id}/black"


def test_a_card_of_a_seat_that_was_taken_since_says_so(app: Flask) -> None:
    table = Table(app, "two_cities", names=("white",))
    html = app.test_client().get(f"/t/{table.id}?seat=white").text
    assert "White is taken by now" in words(html)
    assert re.search(r'<details class="box fold" open>.*?value="white"', html, re.DOTALL)
    assert 'value="black"' in html
    mine = table.phones["white"].get(f"/t/{table.id}?seat=white").text
    assert "is taken by now" not in mine
    assert f'href="/t/{table.id}/white"' in mine


@pytest.mark.parametrize("seat", ["", "nobody", "screen", "%00", "<b>", "next"])
def test_an_address_that_chooses_no_seat_shows_all(app: Flask, seat: str) -> None:
    table = Table(app, "two_cities", names=("white",))
    answer = app.test_client().get(f"/t/{table.id}?seat={seat}")
    assert answer.status_code == 200
    assert 'value="black"' in answer.text
    assert "is taken by now" not in answer.text


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Only this computer reaches Companion"), ("es", "Solo este ordenador llega a Companion")],
)
def test_what_no_phone_reaches_has_no_code(language: str, said: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("data")
    app = create_app(folder, games={"toy": TOY, "duel": DUEL}, address="http://127.0.0.1:8000")
    table = Table(app, "toy")
    own = f"/t/{table.id}/rulekeeper"
    for address in ("/rules/toy/qr-cards", f"{own}/cards", f"{own}/another", "/dice?n=2d6", "/quick/duel/strike"):
        html = table.phones["rulekeeper"].get(address, headers={"Accept-Language": language}).text
        assert said in words(html), address
        assert 'class="qr' not in html, address
    for drawn in ("/dice/qr.svg?n=2d6", "/quick/duel/strike/qr.svg", f"{own}/another/qr.svg"):
        assert table.phones["rulekeeper"].get(drawn).status_code == 404, drawn
