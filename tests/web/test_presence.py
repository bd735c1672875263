"""Who is away: told to the shared screen and to the phone of the rulekeeper, by streams alone, and to nobody else."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from companion import create_app
from companion.serve import SILENCE, SILENCE_OPTION, Site
from companion.web import presence
from companion.web.live import PING, RESTING, Listener, Told
from companion.web.presence import AWAY_AFTER, NOBODY_FOR, Presence
from companion.web.state import NAME
from tests.support.phones import Table
from tests.web.test_live import Stream, sent
from tests.web.test_serve import PATIENCE, SmallSite, site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from pathlib import Path

__all__ = ["site"]


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose clock can be put forward."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    with asyncio.Runner(loop_factory=Loop) as runner:
        runner.run(test())


async def pass_by(seconds: float) -> None:
    """Let time pass, and whatever has to be done then be done."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Loop)
    loop.ahead += seconds
    for _ in range(3):
        await asyncio.sleep(0)


class Following:
    """What a phone was told on its stream."""

    def __init__(self) -> None:
        self.told = b""
        self.headers: dict[bytes, bytes] = {}
        self._news = asyncio.Event()

    async def send(self, message: Any) -> None:
        self.headers.update(message.get("headers", ()))
        self.told += message.get("body", b"")
        self._news.set()

    def away(self) -> list[list[str]]:
        return [json.loads(seats) for seats in re.findall(rb"event: away\ndata: (.*)\n\n", self.told)]

    async def until(self, so: Callable[[], bool]) -> None:
        """Wait until it was told so much."""
        async with asyncio.timeout(PATIENCE):
            while not so():
                self._news.clear()
                await self._news.wait()

    async def hears(self, *away: list[str]) -> None:
        """Wait until it was told who is away, so many times."""
        await self.until(lambda: len(self.away()) >= len(away))
        assert self.away() == [*away]

    async def hears_at_last(self, *away: str) -> None:
        """Wait until it was told that these are away."""
        await self.until(lambda: self.away()[-1] == [*away])


class Place:
    """A table, and the server as its phones see it."""

    def __init__(self, folder: Path) -> None:
        self.table = Table(create_app(folder, games=None), "two_cities")
        self.live = self.table.app.extensions[NAME].live
        self.live.presence._nobody_until = 0.0
        self.site = Site(self.table.app, self.live)

    @asynccontextmanager
    async def phone(self, shows: str, *held: str, tokens: dict[str, str] | None = None) -> AsyncIterator[Following]:
        """Let a phone follow the page of a seat, with the cookies of all that it holds, while this lasts."""
        tokens, following, gone = tokens or self.table.tokens, Following(), asyncio.Event()
        cookies = "; ".join(f"seat-{seat}={tokens[seat]}" for seat in held)
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": f"/t/{self.table.id}/{shows}/live",
            "query_string": b"",
            "headers": [(b"host", b"localhost"), (b"cookie", cookies.encode())],
        }
        asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> dict[str, Any]:
            if (first := next(asked, None)) is not None:
                return first
            await gone.wait()
            return {"type": "http.disconnect"}

        served = asyncio.create_task(self.site(scope, receive, following.send))
        while not following.told:
            await asyncio.sleep(0)
            assert not served.done(), served.exception()
        await asyncio.sleep(0)
        try:
            yield following
        finally:
            gone.set()
            await served


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_phone_that_stays_away_is_told_of_to_the_screen_and_to_the_rulekeeper_alone(place: Place) -> None:
    async def test() -> None:
        phones = place.phone("screen"), place.phone("rulekeeper", "rulekeeper"), place.phone("white", "white")
        async with phones[0] as screen, phones[1] as ruth, phones[2] as ana:
            async with place.phone("black", "black"):
                await pass_by(AWAY_AFTER * 3)
            await pass_by(AWAY_AFTER - 1)
            assert screen.away() == ruth.away() == [[]]
            await pass_by(1)
            await screen.hears([], ["black"])
            await ruth.hears([], ["black"])
            async with place.phone("black", "black"):
                await screen.hears([], ["black"], [])
            await ruth.hears([], ["black"], [])
            assert ana.told
            assert ana.away() == []

    run(test)


def test_whoever_comes_later_is_told_at_once_who_is_away(place: Place) -> None:
    async def test() -> None:
        async with place.phone("white", "white"), place.phone("screen") as first:
            pass
        await pass_by(AWAY_AFTER)
        assert first.away() == [[]]
        async with place.phone("screen") as screen:
            await screen.hears([], ["white"])
            async with place.phone("rulekeeper", "rulekeeper") as ruth:
                await ruth.hears(["white"])

    run(test)


def test_a_phone_is_there_for_all_seats_that_it_holds_and_for_none_that_it_never_showed(place: Place) -> None:
    async def test() -> None:
        async with place.phone("white", "white", "black", "rulekeeper") as both:
            async with place.phone("black", "black"):
                pass
            await pass_by(AWAY_AFTER * 2)
            assert both.away() == [[]], "it holds the rulekeeper's seat too, and the others are there"
        await pass_by(AWAY_AFTER)
        async with place.phone("screen") as screen:
            await screen.hears([], ["black", "rulekeeper", "white"])
            async with place.phone("screen", "white"):
                await screen.hears([], ["black", "rulekeeper", "white"], ["black", "rulekeeper"])

    run(test)


def test_a_seat_that_is_played_without_a_page_is_not_away(place: Place) -> None:
    async def test() -> None:
        async with place.phone("screen") as screen:
            await pass_by(AWAY_AFTER * 10)
            place.table.tables.act(place.table.id, "white", {"action": "ready"}, "k")
            await screen.until(lambda: f"id: {place.table.tables.version(place.table.id)}\n".encode() in screen.told)
            assert screen.away() == [[]]

    run(test)


def test_a_page_that_is_loaded_again_is_no_absence(place: Place) -> None:
    async def test() -> None:
        async with place.phone("screen") as screen:
            for _ in range(3):
                async with place.phone("white", "white"):
                    await pass_by(1)
                await pass_by(AWAY_AFTER - 1)
            async with place.phone("white", "white"):
                await pass_by(AWAY_AFTER * 2)
                async with place.phone("white", "white"):
                    pass
                await pass_by(AWAY_AFTER * 2)
                assert screen.away() == [[]]
            assert not place.live.presence.gone(place.table.id)

    run(test)


def test_who_gave_a_seat_up_is_not_away_from_it(place: Place) -> None:
    async def test() -> None:
        tables, table = place.table.tables, place.table.id
        async with place.phone("screen") as screen:
            async with place.phone("white", "white"), place.phone("black", "black"):
                pass
            await pass_by(AWAY_AFTER)
            await screen.hears_at_last("black", "white")
            tables.release(table, "rulekeeper", "white", "k1")
            await screen.hears_at_last("black")
            fresh = {"white": tables.join(table, "white", "Cid")}
            async with place.phone("white", "white", tokens=fresh):
                pass
            await pass_by(AWAY_AFTER)
            await screen.hears_at_last("black", "white")

    run(test)


def test_a_phone_that_gave_a_seat_away_is_not_there_for_it_from_another_seat(place: Place) -> None:
    async def test() -> None:
        tables, table = place.table.tables, place.table.id
        async with place.phone("screen") as screen:
            async with place.phone("rulekeeper", "rulekeeper", "white"):
                tables.release(table, "rulekeeper", "white", "k1")
                fresh = {"white": tables.join(table, "white", "Cid")}
                async with place.phone("white", "white", tokens=fresh):
                    pass
                await pass_by(AWAY_AFTER)
                await screen.hears_at_last("white")
            await pass_by(AWAY_AFTER)
            await screen.hears_at_last("rulekeeper", "white")

    run(test)


def test_so_many_phones_of_a_table_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "MOST_PHONES", 2)

    async def test() -> None:
        here = Presence(nobody_for=0)
        for digest in ("one", "two", "three"):
            with here.following("play/table/white/en/", {"white": digest}, Listener()):
                pass
            await pass_by(AWAY_AFTER)
        assert here.gone("table") == (("white", "two"), ("white", "three"))

    run(test)


def test_nobody_is_away_just_after_the_start(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(presence, "monotonic", lambda: now[0])

    async def test() -> None:
        here = Presence()
        told: list[str] = []
        here.changed = told.append
        with here.following(f"play/{place.table.id}/white/en/", {"white": "digest"}, Listener()):
            pass
        await pass_by(NOBODY_FOR - 0.1)
        assert told == []
        await pass_by(0.2)
        assert told == [place.table.id]
        now[0] += NOBODY_FOR
        with here.following("play/other/white/en/", {"white": "digest"}, Listener()):
            pass
        await pass_by(AWAY_AFTER + 0.1)
        assert told == [place.table.id, "other"]

    run(test)


def test_so_many_tables_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "MOST_TABLES", 2)

    async def test() -> None:
        here = Presence(nobody_for=0)
        for table in ("one", "two", "three"):
            with here.following(f"play/{table}/white/en/", {"white": "digest"}, Listener()):
                pass
            await pass_by(AWAY_AFTER)
        away = (("white", "digest"),)
        assert [here.gone(table) for table in ("one", "two", "three")] == [(), away, away]
        with here.following("play/two/white/en/", {"white": "digest"}, Listener()):
            assert here.gone("two") == ()

    run(test)


def test_what_tells_who_is_away_holds_no_token_and_says_nothing_of_the_phones(place: Place) -> None:
    async def test() -> None:
        async with place.phone("screen", "white", "black") as screen, place.phone("rulekeeper", "rulekeeper") as ruth:
            async with place.phone("white", "white"):
                pass
            for one in (screen, ruth):
                assert not any(b"x-live" in name for name in one.headers)
                asides = b"".join(re.findall(rb"event: away\n.*\n\n", one.told))
                assert not any(token.encode() in asides for token in place.table.tokens.values())
        await pass_by(AWAY_AFTER)

    run(test)


def test_the_app_names_the_seats_that_a_phone_holds_to_the_server(place: Place) -> None:
    phone = place.table.phone("white", "black")
    answer = phone.get(f"/t/{place.table.id}/white/live")
    assert sorted(json.loads(answer.headers["X-Live-Held"])) == ["black", "white"]
    assert not any(token in str(answer.headers) for token in place.table.tokens.values())


def test_what_is_told_beside_a_channel_neither_replaces_what_waits_nor_is_replaced() -> None:
    def heard(*, last: bool) -> list[bytes]:
        async def told() -> list[bytes]:
            listener = Listener()
            listener.offer(Told(b"changed", lambda: b"whole"))
            listener.aside(b"beside")
            listener.offer(Told(b"full"))
            listener.offer(PING)
            listener.aside(b"newest")
            if last:
                listener.offer(RESTING, last=True)
                listener.aside(b"too late")
                return await sent(listener)
            first: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

            async def send(message: Any) -> None:
                first.set_result(message["body"])

            listener.begin(send)
            return [await first]

        return asyncio.run(told())

    assert heard(last=False) == [b"fullnewest"]
    assert heard(last=True) == [RESTING.event, b""]


def test_it_comes_packed_where_the_rest_does(site: SmallSite) -> None:
    with Stream(site, "Accept-Encoding: gzip") as packed, Stream(site) as plain:
        for stream in (packed, plain):
            assert stream.event() == b"data: 1\n\n"
        listeners = [*site.live._listeners["one"]]
        site.live._loop.call_soon_threadsafe(lambda: [one.aside(b"event: away\n\n") for one in listeners])
        for stream in (packed, plain):
            assert stream.event() == b"event: away\n\n"


@pytest.mark.skipif(SILENCE_OPTION is None, reason="this system can not be told how long a phone may be silent")
def test_a_phone_that_went_out_of_reach_without_a_word_is_given_up_soon(site: SmallSite) -> None:
    with Stream(site) as stream:
        stream.event()
        (connection,) = site.server.server_state.connections
        connected = connection.transport.get_extra_info("socket")
        assert SILENCE_OPTION is not None
        assert connected.getsockopt(socket.IPPROTO_TCP, SILENCE_OPTION) == SILENCE * 1000
