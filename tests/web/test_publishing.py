"""Publishing: a fragment is rendered once for all who see the same, and told to whoever listens."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from flask import Flask, render_template

from companion import create_app
from companion.kit.text import say
from companion.table import store
from companion.table.problem import Problem
from companion.table.store import _transaction as store_transaction
from companion.table.views import Look
from companion.web import fragments
from companion.web.fragments import FRAGMENTS, Channel, render
from companion.web.live import Told
from companion.web.publish import GONE, Publisher
from companion.web.state import NAME
from tests.support.listening import Hub, unheard
from tests.support.phones import Table
from tests.support.toy_game import TOY, Toy
from tests.support.toy_tables import Clock


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return unheard(create_app(tmp_path, games={"toy": TOY}))


def publisher(app: Flask, hub: Hub) -> Publisher:
    return Publisher(app, hub)


def listen(table: Table, hub: Hub, seat: str, **headers: str) -> str:
    answer = table.get(seat, "/live", headers=headers)
    assert answer.mimetype == "text/event-stream"
    channel = answer.headers["X-Live-Channel"]
    hub.told[channel] = [answer.data]
    return channel


def test_a_stream_begins_with_the_full_state_and_names_its_channel(app: Flask) -> None:
    table, hub = Table(app, "toy"), Hub()
    channel = Channel(*listen(table, hub, "red").split("/"))
    assert channel[:4] == ("play", table.id, "red", "en")
    assert table.tokens["red"] not in str(channel)
    (first,) = hub.told[str(channel)]
    page = table.get("red", headers={"HX-Request": "true"}).text
    lines = [line.removeprefix("data: ") for line in first.decode().split("\n") if line.startswith("data: ")]
    assert "\n".join(lines) == page


def test_a_change_is_told_to_every_listener_in_their_language(app: Flask) -> None:
    table, hub = Table(app, "toy"), Hub()
    channels = [listen(table, hub, seat) for seat in ("red", "blue", "screen", "rulekeeper")]
    spanish = listen(table, hub, "blue", **{"Accept-Language": "es"})
    table.act("red", action="add", points=5)
    publisher(app, hub).tell(table.id)
    for channel in channels:
        assert b"5 to 0" in hub.told[channel][-1]
    assert "Última resolución".encode() in hub.told[spanish][-1]


def test_only_the_parts_that_changed_are_told_to_who_was_told_the_rest(
    tmp_path: Path,
) -> None:
    app = unheard(create_app(tmp_path))
    table, hub = Table(app, "two_cities"), Hub()
    channel = listen(table, hub, "white")
    told, (first,) = publisher(app, hub), hub.told[channel]
    table.tables.correct(table.id, "rulekeeper", "unit.wa.hits", "2", "k1")
    told.tell(table.id)
    now = table.tables.version(table.id)
    event = hub.told[channel][-1].decode()
    assert event.startswith(f"id: {now}\ndata: <!--from {now - 1} to {now} []-->\n")
    changed = re.findall(r'<hx-partial id="([^"]+)" hx-swap="([^"]+)"', event)
    assert ("stands-wa", "outerMorph strip:true") in changed
    assert ("about-wa", "outerMorph") in changed
    assert (f"line-{now - 1}", "beforebegin") in changed
    assert f'<li class="line line-correction" id="line-{now}"' in event
    assert not any(one in event for one in ("stands-wb", 'id="state"'))
    assert len(event) * 5 < len(first)
    told.tell(table.id)
    assert len(hub.told[channel]) == 2, "nothing changed since"
    heard = hub.told.pop(channel)
    table.tables.correct(table.id, "rulekeeper", "unit.wa.hits", "1", "k2")
    told.tell(table.id)
    hub.told[channel] = heard
    table.tables.correct(table.id, "rulekeeper", "unit.wa.hits", "0", "k3")
    told.tell(table.id)
    assert b'id="state"' in hub.told[channel][-1], "nobody knows what whoever listens now shows"


def test_an_answer_tells_only_what_changed_since_what_its_phone_shows(tmp_path: Path) -> None:
    table = Table(unheard(create_app(tmp_path)), "two_cities")
    for number in count(1):
        now = table.tables.version(table.id)
        build = table.app.extensions[NAME].build
        shown = (f"{now} en {build}", f"{now} en", f"{now - 1} en {build}", f"{now} es {build}")[number % 4]
        whole = table.get("white", headers={"HX-Request": "true"}).text
        correction = {"path": "unit.wa.hits", "value": str(number % 3), "do": f"path=unit.wa.hits&value={number % 3}"}
        answer = table.post("white", "/correct-piece", htmx=True, shown=shown, **correction)
        assert answer.status_code == 200
        assert ('id="state"' in answer.text) != (number % 4 == 0), "it is all that there is, or what changed"
        if number % 4 == 0:
            assert answer.text.startswith(f"<!--from {now} to {now + 1} []-->\n")
            assert answer.headers["HX-Reswap"] == "innerMorph swapEmpty:false"
            assert 'id="stands-wa"' in answer.text
            assert len(answer.data) * 4 < len(whole)
            break


def test_what_others_did_before_an_answer_is_told_with_all_there_is_to_see(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(app, "toy")
    with app.test_request_context():
        before = app.extensions[FRAGMENTS].get(table.id, "red", "en")
    table.act("red", action="add", points=1)
    monkeypatch.setattr(app.extensions[FRAGMENTS], "seen_before", lambda *_: before)
    answer = table.post("red", "/act", htmx=True, **{"do": "action=add", "f.points": "2"})
    assert answer.status_code == 200
    assert 'id="state"' in answer.text


def test_a_refusal_is_told_with_all_there_is_to_see(app: Flask) -> None:
    table = Table(app, "toy")
    now = table.tables.version(table.id)
    table.get("red", headers={"HX-Request": "true"})
    refused = table.post(
        "red", "/act", htmx=True, shown=f"{now} en {app.extensions[NAME].build}", do="action=no_such_thing"
    )
    assert refused.status_code >= 400
    assert 'id="state"' in refused.text


def test_what_was_told_has_so_much_room_in_memory(app: Flask) -> None:
    fragments, made = app.extensions[FRAGMENTS], Table(app, "toy")
    with app.test_request_context():
        now = fragments.get(made.id, "red", "en")
        fragments._told.room = 3 * now.bytes
        for number in range(5):
            fragments.listened(Channel("play", made.id, "red", "en", str(number)), now)
    assert [channel.token_digest for channel in fragments._told.all_keys()] == ["2", "3", "4"]
    fragments.forget_told(made.id, [Channel("play", made.id, "red", "en", "3")])
    assert [channel.token_digest for channel in fragments._told.all_keys()] == ["3"]
    assert fragments._told.size == now.bytes


def test_changes_that_come_fast_are_told_together_from_the_version_that_was_told(
    tmp_path: Path,
) -> None:
    app = unheard(create_app(tmp_path))
    table, hub = Table(app, "two_cities"), Hub()
    channel, told = listen(table, hub, "black"), publisher(app, hub)
    for number in range(3):
        table.tables.correct(table.id, "rulekeeper", "unit.wa.hits", str(number + 1), f"k{number}")
    told.tell(table.id)
    now = table.tables.version(table.id)
    assert f"<!--from {now - 3} ".encode() in hub.told[channel][-1]


def test_a_fragment_is_rendered_once_for_a_version(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table, hub = Table(app, "toy"), Hub()
    listen(table, hub, "red")
    rendered: list[str] = []
    real = render_template
    monkeypatch.setattr(fragments, "render_template", lambda *a, **k: (rendered.append(a[0]), real(*a, **k))[1])
    told = publisher(app, hub)
    for _ in range(5):
        told.tell(table.id)
        table.get("red")
        table.phone("red").get(f"/t/{table.id}/red/live")
    assert rendered == []
    table.act("red", action="add", points=1)
    told.tell(table.id)
    table.get("red")
    assert len(rendered) == 1


def test_fragments_and_what_seats_see_have_so_much_room_in_memory(app: Flask) -> None:
    fragments = app.extensions[FRAGMENTS]
    fragments.layouts.most = 3
    with app.test_request_context():
        size = len(fragments.get(Table(app, "toy").id, "red", "en").html)
        fragments.rendered.room = size * 5
        for _ in range(4):
            table = Table(app, "toy").id
            for seat in ("red", "blue", "screen"):
                first = fragments.get(table, seat, "en")
                assert fragments.get(table, seat, "en") is first, "the newest is there"
    assert fragments.rendered.size <= size * 5
    assert 2 <= len(fragments.rendered) < 12
    assert len(fragments.layouts) == 3


class Disk:
    """A disk that writes what is committed only when it is let, or not at all."""

    def __init__(self, app: Flask, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
        self.written, self.full = Event(), False
        monkeypatch.setattr(store, "_transaction", self.transaction)
        tables = app.extensions[NAME].tables
        self.publisher = publisher(app, hub)
        tables._changing, tables._changed = self.publisher.changing, self.publisher.changed

    @contextmanager
    def transaction(self, connection: sqlite3.Connection, *, write: bool) -> Iterator[None]:
        with store_transaction(connection, write=write):
            yield
            if write:
                assert self.written.wait(60)
            if write and self.full:
                raise Problem(409, say("The disk is full."))


def test_what_is_written_to_the_disk_is_rendered_meanwhile_and_told_when_it_is_kept(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, hub = Table(app, "toy"), Hub()
    channel = listen(table, hub, "red")
    version, made_ready, rendered = table.tables.version(table.id), Event(), []
    disk = Disk(app, hub, monkeypatch)
    kept = app.extensions[FRAGMENTS]
    monkeypatch.setattr(fragments, "render", lambda layout: rendered.append(layout) or render(layout))
    make_ready = kept.make_ready
    monkeypatch.setattr(kept, "make_ready", lambda *so: (make_ready(*so), made_ready.set())[0])
    acting = Thread(target=lambda: table.act("red", action="add", points=5))
    acting.start()
    assert made_ready.wait(60)
    assert [one.seen.version for one in rendered] == [version + 1]
    assert len(hub.told[channel]) == 1, "nobody is told of what is not kept yet"
    assert kept.rendered.get((table.id, "red", "en")).version == version
    assert b"5 to 0" not in table.get("red").data
    disk.written.set()
    acting.join(60)
    assert hub.heard.wait(60)
    assert b"5 to 0" in hub.told[channel][-1]
    assert len(rendered) == 1, "it was ready"


def test_what_whoever_acts_sees_is_rendered_once(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table, hub, made_ready = Table(app, "toy"), Hub(), Event()
    listen(table, hub, "red")
    disk, kept, rendered, answers = Disk(app, hub, monkeypatch), app.extensions[FRAGMENTS], [], []
    monkeypatch.setattr(fragments, "render", lambda layout: rendered.append(layout) or render(layout))
    make_ready = kept.make_ready
    monkeypatch.setattr(kept, "make_ready", lambda *so: (make_ready(*so), made_ready.set())[0])
    add = {"do": "action=add", "f.points": "5"}
    acting = Thread(target=lambda: answers.append(table.post("red", "/act", htmx=True, **add)))
    acting.start()
    assert made_ready.wait(60)
    disk.written.set()
    acting.join(60)
    assert hub.heard.wait(60)
    assert "5 to 0" in answers[0].text
    assert len(rendered) == 1, "it was ready when it was asked for"
    assert not kept._coming


def test_what_whoever_acts_has_asked_for_is_not_rendered_for_the_others(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, hub, answered = Table(app, "toy"), Hub(), Event()
    channel = listen(table, hub, "red")
    disk, kept, rendered = Disk(app, hub, monkeypatch), app.extensions[FRAGMENTS], []
    disk.written.set()
    monkeypatch.setattr(fragments, "render", lambda layout: rendered.append(layout) or render(layout))
    make_ready = kept.make_ready
    monkeypatch.setattr(kept, "make_ready", lambda *so: make_ready(*so) if answered.wait(60) else [])
    assert "5 to 0" in table.post("red", "/act", htmx=True, **{"do": "action=add", "f.points": "5"}).text
    answered.set()
    assert hub.heard.wait(60)
    assert b"5 to 0" in hub.told[channel][-1]
    assert len(rendered) == 1


def test_what_could_not_be_written_is_seen_by_nobody(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table, hub = Table(app, "toy"), Hub()
    channel = listen(table, hub, "red")
    version = table.tables.version(table.id)
    disk = Disk(app, hub, monkeypatch)
    disk.full = True
    disk.written.set()
    told = Event()
    tell = disk.publisher.tell
    monkeypatch.setattr(disk.publisher, "tell", lambda code: (tell(code), told.set())[0])
    with pytest.raises(Problem, match="full"):
        table.act("red", action="add", points=5)
    assert told.wait(60)
    assert len(hub.told[channel]) == 1
    assert not app.extensions[FRAGMENTS]._coming
    assert app.extensions[FRAGMENTS].rendered.get((table.id, "red", "en")).version == version
    assert app.extensions[FRAGMENTS].layouts.get((table.id, "red")).seen.version == version
    disk.full = False
    hub.heard.clear()
    table.act("red", action="add", points=2)
    assert hub.heard.wait(60)
    assert b"2 to 0" in hub.told[channel][-1]


def test_a_change_that_is_still_being_written_holds_back_no_other_table(app: Flask) -> None:
    one, other, hub = Table(app, "toy"), Table(app, "toy"), Hub()
    slow, channel = listen(one, hub, "red"), listen(other, hub, "red")
    told, committed = publisher(app, hub), Future[bool]()
    with one.tables._look(one.id) as session:
        assert told.changing(one.id, Look(session), committed)
    other.act("red", action="add", points=5)
    told.changed(other.id)
    assert hub.heard.wait(60)
    assert b"5 to 0" in hub.told[channel][-1]
    assert len(hub.told[slow]) == 1
    hub.heard.clear()
    one.act("red", action="add", points=3)
    committed.set_result(True)
    assert hub.heard.wait(60)
    assert b"3 to 0" in hub.told[slow][-1]


def test_a_fault_of_ours_ends_no_telling(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table, hub = Table(app, "toy"), Hub()
    channel, told, failed = listen(table, hub, "red"), publisher(app, hub), Event()
    tell = told.tell

    def failing(code: str) -> bool:
        failed.set()
        raise RuntimeError(code)

    monkeypatch.setattr(told, "tell", failing)
    told.changed(table.id)
    assert failed.wait(60)
    monkeypatch.setattr(told, "tell", tell)
    table.act("red", action="add", points=5)
    told.changed(table.id)
    assert hub.heard.wait(60)
    assert b"5 to 0" in hub.told[channel][-1]


def test_where_nobody_listens_nothing_is_made_ready(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table, hub = Table(app, "toy"), Hub()
    other = Table(app, "toy")
    listen(other, hub, "red")
    disk = Disk(app, hub, monkeypatch)
    disk.written.set()
    looked, told = [], Event()
    monkeypatch.setattr(app.extensions[FRAGMENTS], "make_ready", lambda *so: looked.append(so))
    monkeypatch.setattr(disk.publisher, "tell", lambda _: told.set())
    table.act("red", action="add", points=5)
    assert told.wait(60)
    assert looked == []


def test_other_tables_are_not_told(app: Flask) -> None:
    table, other, hub = Table(app, "toy"), Table(app, "toy"), Hub()
    channel = listen(other, hub, "red")
    publisher(app, hub).tell(table.id)
    assert len(hub.told[channel]) == 1


def test_a_phone_whose_seat_was_freed_is_told_so_and_nothing_more(app: Flask) -> None:
    table, hub = Table(app, "toy"), Hub()
    channel = listen(table, hub, "red")
    table.tables.release(table.id, "rulekeeper", "red", "k1")
    table.act("rulekeeper", action="add", points=3, **{"for": "red"})
    publisher(app, hub).tell(table.id)
    assert hub.told[channel][1:] == [GONE.event]
    assert table.get("red", "/live").data == GONE.event
    token = table.tables.join(table.id, "red", "Eva")
    table.tokens["red"] = token
    publisher(app, hub).tell(table.id)
    assert hub.told[channel][1:] == [GONE.event, GONE.event]


def test_what_only_one_seat_may_see_changes_no_byte_of_the_others(app: Flask) -> None:
    table, hub = Table(app, "toy"), Hub()
    table.tables._now = Clock()  # since when somebody is waited for is told, too
    channels = {seat: listen(table, hub, seat) for seat in ("blue", "screen", "rulekeeper")}
    told = []
    for hand in ("2x,1y", "1x,2y", "3z,4z"):
        key = hand
        table.tables.correct(table.id, "red", "hand.red", hand, key)
        publisher(app, hub).tell(table.id)
        told.append({seat: hub.told[channel][-1] for seat, channel in channels.items()})
    assert [set(re.findall(rb"[1-4][xyz]\b", data)) for one in told for data in one.values()] == [set()] * 9
    for seat in channels:
        _, second, third = (re.sub(rb"\d+", b"", one[seat]) for one in told)
        assert b"corrects" in second
        assert b"<!--from" in second
        assert second == third, "but for the numbers of entries and versions"


def test_a_view_that_can_not_be_rendered_is_not_told_and_harms_nobody_else(app: Flask) -> None:
    table, hub = Table(app, "toy"), Hub()
    channel = listen(table, hub, "red")

    def fail(channel: Channel) -> Told:
        raise RuntimeError

    told = publisher(app, hub)
    told.renderers["play"] = fail
    told.tell(table.id)
    assert len(hub.told[channel]) == 1


def test_what_all_seats_are_told_is_looked_up_at_once(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table, hub = Table(app, "toy"), Hub()
    channels = [listen(table, hub, seat) for seat in ("red", "blue", "screen", "rulekeeper")]
    monkeypatch.setattr(table.tables, "seen", lambda *_: pytest.fail("a seat is looked up alone"))
    table.act("red", action="add", points=5)
    publisher(app, hub).tell(table.id)
    assert all(b"5 to 0" in hub.told[channel][-1] for channel in channels)


class Broken(Toy):
    """Toy that can not show blue its position any more once there are points."""

    def view(self, state: Any, seat: str) -> Any:
        return 1 / 0 if seat == "blue" and any(state.points.values()) else super().view(state, seat)


def test_a_seat_that_can_not_be_shown_is_told_so_and_the_others_what_they_see(tmp_path: Path) -> None:
    app, hub = unheard(create_app(tmp_path, games={"toy": Broken()})), Hub()
    table = Table(app, "toy")
    red, blue, screen = (listen(table, hub, seat) for seat in ("red", "blue", "screen"))
    table.act("red", action="add", points=5)
    assert publisher(app, hub).tell(table.id)
    assert b"5 to 0" in hub.told[red][-1]
    assert b"5 to 0" in hub.told[screen][-1]
    assert hub.told[blue][1:] == [GONE.event]


def at_fault(*_: object) -> None:
    raise RuntimeError("a fault of ours")


def test_a_fault_where_a_change_is_made_ready_is_logged_and_nobody_loses_what_he_did(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    table, state = Table(app, "toy"), app.extensions[NAME]
    state.tables._changing = at_fault
    assert table.post("red", "/act", do="action=add", **{"f.points": "5"}).status_code == 303
    assert "5 to 0" in table.get("red").text
    assert f"what seats see of table {table.id} can not be made ready" in caplog.text
    assert "a fault of ours" in caplog.text


@pytest.mark.parametrize("wrong", ["laid_out", "render"])
def test_a_fault_where_what_a_seat_sees_is_drawn_is_logged(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, wrong: str
) -> None:
    table, hub = Table(app, "toy"), Hub()
    channel = Channel(*listen(table, hub, "red").split("/"))
    table.act("red", action="add", points=5)
    with monkeypatch.context() as broken:
        broken.setattr(fragments, wrong, at_fault)
        with table.tables._look(table.id) as session, app.test_request_context():
            assert app.extensions[FRAGMENTS].make_ready(Look(session), [channel]) == []
    assert f"what red sees of table {table.id} can not be" in caplog.text
    assert "a fault of ours" in caplog.text
    assert "5 to 0" in table.get("red").text


def test_a_fault_where_all_seats_are_looked_up_is_logged_and_a_table_that_is_gone_is_none(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table(app, "toy")
    with app.test_request_context():
        app.extensions[FRAGMENTS].look("QQQQQ", {"red"})
        assert caplog.text == ""
        monkeypatch.setattr(table.tables, "seen_all", at_fault)
        app.extensions[FRAGMENTS].look(table.id, {"red"})
    assert f"what seats see of table {table.id} can not be laid out" in caplog.text


def test_what_could_not_be_told_for_a_moment_is_told_again(app: Flask) -> None:
    table, hub, told = Table(app, "toy"), Hub(), Event()
    channel, other = listen(table, hub, "red"), listen(table, hub, "blue")
    made = publisher(app, hub)
    made.retry_after, render, tries = 0, made.renderers["play"], count()

    def busy(channel: Channel) -> Told:
        if channel.seat == "red" and next(tries) < 3:
            raise Problem(409, say("The tables are busy."), passing=True)
        if channel.seat == "red":
            told.set()
        return render(channel)

    made.renderers["play"] = busy
    table.act("red", action="add", points=5)
    made.changed(table.id)
    assert told.wait(30)
    assert b"5 to 0" in hub.told[other][-1]
    assert GONE.event not in hub.told[channel]


def test_what_tells_ends_when_nothing_happens_and_begins_again(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """It holds all that an app keeps: those that tests have made went on for as long as all of them ran."""
    made, told = publisher(app, Hub()), list[str]()
    made.rests_after = 0
    monkeypatch.setattr(made, "tell", lambda code: told.append(code) or True)
    for code in ("one", "other"):
        made.changed(code)
        while (thread := made._thread) is not None:
            thread.join()
        assert told[-1] == code
    assert told == ["one", "other"]


def test_what_can_not_be_told_is_not_tried_again(app: Flask) -> None:
    table, hub = Table(app, "toy"), Hub()
    channel = listen(table, hub, "red")
    made = publisher(app, hub)

    def gone(channel: Channel) -> Told:
        raise Problem(409, say("It is gone."))

    made.renderers["play"] = gone
    assert made.tell(table.id)
    assert hub.told[channel][-1] == GONE.event


def test_a_script_is_told_every_change_while_it_holds_its_seat(app: Flask) -> None:
    table, hub = Table(app, "toy"), Hub()
    bearer = {"Authorization": f"Bearer {table.tokens['red']}"}
    answer = app.test_client().get(f"/api/tables/{table.id}/events", headers=bearer)
    channel = answer.headers["X-Live-Channel"]
    hub.told[channel] = [answer.data]
    made = publisher(app, hub)
    event = app.view_functions["api.document"].__self__.event
    made.renderers["api"] = lambda channel: Told(event(channel))
    table.act("red", action="add", points=5)
    made.tell(table.id)
    assert b"5 to 0" in hub.told[channel][-1]
    table.tables.release(table.id, "rulekeeper", "red", "k-release")
    made.tell(table.id)
    assert hub.told[channel][-1] == GONE.event
