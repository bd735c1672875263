"""A hosted Companion: forms only from its public address, cookies kept to https, guesses counted by who makes them."""

from __future__ import annotations

from contextlib import closing
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest
from werkzeug.test import Client

from companion import create_app
from companion.connections import Connections
from companion.network import listen
from companion.proxies import trusted
from companion.serve import Server, Site
from companion.web.guard import Guesses
from companion.web.network.adapters import Address
from companion.web.network.surroundings import Around
from companion.web.state import NAME
from tests.support.phones import Table
from tests.support.toy_game import TOY
from tests.web.test_connections import Clock, Line
from tests.web.test_qr import drawn
from tests.web.test_serve import PATIENCE, SmallSite, Watched, serving

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

PUBLIC = "https://table.example.org"
HERE = {"Host": "table.example.org"}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(
        tmp_path, games={"toy": TOY}, address=PUBLIC, hosts=("192.168.1.20", "table.example.org"), public=PUBLIC
    )


@pytest.mark.parametrize(
    ("headers", "scheme", "status"),
    [
        (HERE | {"Origin": PUBLIC}, "http", 303),
        (HERE | {"Origin": PUBLIC}, "https", 303),
        (HERE | {"Origin": "https://TABLE.example.org", "Sec-Fetch-Site": "same-origin"}, "https", 303),
        (HERE | {"Origin": "http://table.example.org"}, "http", 403),
        (HERE | {"Origin": "https://table.example.org:8443"}, "https", 403),
        (HERE | {"Origin": "https://evil.example"}, "https", 403),
        (HERE | {"Origin": "null"}, "https", 403),
        (HERE | {"Sec-Fetch-Site": "same-site"}, "https", 403),
        ({"Host": "192.168.1.20:8000", "Origin": "http://192.168.1.20:8000"}, "http", 303),
        ({"Host": "192.168.1.20:8000", "Origin": PUBLIC}, "http", 403),
        ({"Host": "evil.example", "Origin": PUBLIC}, "https", 400),
        ({"Host": "other.example.org", "Origin": PUBLIC}, "https", 400),
    ],
)
def test_forms_come_from_the_public_address(app: Flask, headers: dict[str, str], scheme: str, status: int) -> None:
    sent = app.test_client().post("/new/toy", headers=headers, environ_overrides={"wsgi.url_scheme": scheme})
    assert sent.status_code == status


@pytest.mark.parametrize("host", ["table.example.org", "127.0.0.1:8000", "192.168.1.20:8000"])
def test_codes_and_private_links_lead_to_the_public_address(app: Flask, host: str) -> None:
    table = Table(app, "toy")
    keeper = app.test_client()
    keeper.set_cookie("seat-rulekeeper", table.tokens["rulekeeper"], domain=host.partition(":")[0])
    page = keeper.get(f"/t/{table.id}/rulekeeper/invite", headers={"Host": host})
    assert drawn(page.text) == [f"{PUBLIC}/t/{table.id}"]
    mine = keeper.get(f"/t/{table.id}/rulekeeper/mine", headers={"Host": host})
    assert f"{PUBLIC}/s/{table.id}/rulekeeper/{table.tokens['rulekeeper']}" in mine.text


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_what_was_given_by_https_is_kept_to_https(app: Flask, scheme: str) -> None:
    given = {"wsgi.url_scheme": scheme}
    client = app.test_client(use_cookies=False)
    table = Table(app, "toy")
    for answer in (
        client.get("/?lang=es&theme=dark", headers=HERE, environ_overrides=given),
        client.post("/new/toy", headers=HERE, environ_overrides=given),
        client.get(f"/s/{table.id}/red/{table.tokens['red']}", headers=HERE, environ_overrides=given),
    ):
        cookies = answer.headers.getlist("Set-Cookie")
        assert cookies
        assert all(cookie.endswith("; Secure") == (scheme == "https") for cookie in cookies)
        assert all(cookie.count("Secure") <= 1 for cookie in cookies)


def hosted(app: Flask, *proxies: str) -> SmallSite:
    """Make a site of a real app, behind proxies."""
    site = SmallSite(Watched())
    believed = trusted(proxies)
    asgi = Site(app, app.extensions[NAME].live, threads=2, proxies=believed)
    site.server = Server(asgi, site.begun.set, Connections(100, proxies=believed))
    site.thread._kwargs = {"sockets": [site.server_socket]}  # type: ignore[attr-defined]
    site.thread._target = site.server.run  # type: ignore[attr-defined]
    return site


def guess(site: SmallSite, address: str) -> int:
    asked = {"Host": "table.example.org", "X-Forwarded-For": address, "X-Forwarded-Proto": "https"}
    return site.ask("GET", "/t/K7QF22", **asked)[0].status


def test_guesses_are_counted_by_the_true_address(app: Flask) -> None:
    with serving(hosted(app, "127.0.0.1")) as site:
        assert [guess(site, "203.0.113.7") for _ in range(21)] == [404] * 20 + [429]
        assert guess(site, "198.51.100.1, 203.0.113.7") == 429, "whatever its own word is"
        assert guess(site, "203.0.113.8") == 404
        assert guess(site, "203.0.113.7, 203.0.113.9") == 404


def test_without_a_trusted_proxy_no_word_makes_another_address(app: Flask) -> None:
    with serving(hosted(app)) as site:
        assert [guess(site, f"203.0.113.{number}") for number in range(21)] == [404] * 20 + [429]


def test_a_household_guesses_as_one_however_many_addresses_it_has(app: Flask) -> None:
    client = Client(app)
    app.extensions[NAME].guesses = Guesses()

    def guess(address: str) -> int:
        return client.get("/t/K7QF22", headers=HERE, environ_overrides={"REMOTE_ADDR": address}).status_code

    assert [guess(f"2001:db8:1:1::{number:x}") for number in range(21)] == [404] * 20 + [429]
    assert guess("2001:db8:1:2::1") == 404


def test_phones_that_come_by_a_door_for_both_kinds_of_addresses_guess_each_for_itself(app: Flask) -> None:
    site = hosted(app)
    site.server_socket.close()
    site.server_socket = listen("::", site.port)
    site.thread._kwargs = {"sockets": [site.server_socket]}  # type: ignore[attr-defined]

    def guess(source: str) -> int:
        with closing(HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE, source_address=(source, 0))) as phone:
            phone.request("GET", "/t/K7QF22")
            return phone.getresponse().status

    with serving(site):
        assert [guess("127.0.0.2") for _ in range(21)] == [404] * 20 + [429]
        assert guess("127.0.0.3") == 404


def test_what_a_proxy_brings_is_counted_by_where_it_came_from() -> None:
    connections = Connections(32, Clock(), trusted(["10.0.0.1"]))
    most = connections.most_unfinished
    heads = [Line(connections) for _ in range(most + 4)]
    assert not any(one.cut for one in heads), "a proxy brings the heads of everybody"
    for one in heads:
        connections.brought(one, lambda: "6.6.6.6, 203.0.113.7")
        connections.unfinished(one, progress=True)
    assert [one.cut for one in heads] == [True] * 4 + [False] * most
    other = Line(connections)
    connections.brought(other, lambda: "203.0.113.8")
    connections.unfinished(other, progress=True)
    assert not other.cut
    for one in heads[4:]:
        connections.idle(one)
        connections.closed(one)
    connections.closed(other)
    assert (connections._brought, connections._unfinished, connections._waiting) == ({}, {}, {})


def test_a_body_behind_a_proxy_is_counted_by_where_it_came_from() -> None:
    site = SmallSite(Watched(), Connections(100, proxies=trusted(["127.0.0.1"])))
    with serving(site):
        from tests.web.test_connections import line

        def half(address: bytes) -> bytes:
            return b"POST /echo HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: %b\r\nContent-Length: 9\r\n\r\nabc" % address

        with line(site, half(b"203.0.113.7")), line(site, half(b"203.0.113.8")):
            counted = site.server.connections._unfinished
            site.until(lambda: {*counted} >= {"203.0.113.7", "203.0.113.8"})
            assert {address: len(counted[address]) for address in [*counted] if address != "127.0.0.1"} == {
                "203.0.113.7": 1,
                "203.0.113.8": 1,
            }


@pytest.mark.parametrize(("language", "words"), [("en", "Phones come by"), ("es", "Los móviles entran por")])
def test_the_host_is_told_that_phones_come_by_the_public_address(app: Flask, language: str, words: str) -> None:
    state = app.extensions[NAME]
    state.listening = ("127.0.0.1", 8000)
    cookie = {"Cookie": f"host={state.host_key}", "Accept-Language": language}
    page = app.test_client(use_cookies=False).get("/host/phones", headers=HERE | cookie).text
    assert f"{words} {PUBLIC}," in page
    assert "--host" not in page
    assert drawn(page) == [f"{PUBLIC}/"]


def test_the_public_address_is_offered_before_those_of_the_network(app: Flask) -> None:
    state = app.extensions[NAME]
    state.listening = ("0.0.0.0", 8000)
    state.surroundings = lambda: Around((Address("192.168.1.20", "wlan0"),), "Casa", "linux")
    app.test_client().get("/", base_url=PUBLIC, environ_overrides={"REMOTE_ADDR": "203.0.113.7"})
    laptop = app.test_client(use_cookies=False)
    page = laptop.get("/host/phones", headers=HERE | {"Cookie": f"host={state.host_key}"}).text
    assert drawn(page) == [f"{PUBLIC}/", "http://192.168.1.20:8000/"]
    assert page.index(PUBLIC) < page.index("A phone has come by this one") < page.index("http://192.168.1.20:8000")
