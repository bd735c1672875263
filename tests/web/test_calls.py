"""A call is on the phone of whoever the table waits for, and on no other: in pages, in events, in random games."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import pytest

from companion import create_app
from companion.games import discover
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Refusal
from companion.table.problem import Problem
from companion.web.fragments import fragments
from companion.web.state import NAME
from tests.support.phones import Table
from tests.support.random_game import RandomGame

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from flask import Flask

    from companion.table.tables import Tables
    from companion.table.view_models import Seen

SLUGS = sorted(discover())
EVENTS = 5_000
GAME = 30
"""Steps after which another game begins."""
MEANWHILE = 0.15
"""How often something else is done than to play."""
FREED = 0.3
"""How often one has got up, and the rulekeeper plays for that seat."""


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    app = create_app(tmp_path)
    app.testing = True
    return app


def call_in(page: str) -> str:
    """Return what a page calls its reader by; empty where it does not."""
    return "".join(re.findall(r'id="dock"[^>]*? data-call="([^"]*)"', page))


def test_the_page_and_the_event_of_a_seat_call_it_and_no_other(app: Flask) -> None:
    table = Table(app, "two_cities")
    table.act("white", action="ready")
    table.act("black", action="ready")
    if table.tables.seen(table.id, SCREEN).view.to_move != ("white",):
        table.tables.pause(table.id, RULEKEEPER, on=True, key="to let black")
        table.tables.pause(table.id, RULEKEEPER, on=False, key="begin as well")
    (mover,) = table.tables.seen(table.id, SCREEN).view.to_move
    call = table.tables.seen(table.id, mover).call
    assert call
    for seat in (*table.tokens, SCREEN):
        for path in ("", "/live"):
            assert call_in(table.get(seat, path).text) == (str(call) if seat == mover else "")


def test_a_phone_of_the_rulekeepers_that_plays_elsewhere_is_told_who_knocks(app: Flask) -> None:
    table = Table(app, "two_cities")
    table.tables.knock(table.id, "black", "Bo")
    (knock,) = table.tables.seen(table.id, RULEKEEPER).knocks
    assert f'class="knocks" data-call="{knock.id}"' in table.get(RULEKEEPER, "/knocks").text
    assert call_in(table.get(RULEKEEPER).text) == str(table.tables.version(table.id))
    table.tables.grant(table.id, RULEKEEPER, knock.id, yes=False, key="no seat")
    table.tables.propose_rulekeeper(table.id, "white", "black", "black keeps")
    (wish,) = table.tables.seen(table.id, RULEKEEPER).proposals
    assert f'class="knocks" data-call="{wish.id}"' in table.get(RULEKEEPER, "/knocks").text


def begun(app: Flask) -> tuple[Table, str, str]:
    """A table at which both play, whose turn it is, and who waits."""
    table = Table(app, "two_cities")
    for seat in ("white", "black"):
        table.act(seat, action="ready")
    (mover,) = table.tables.seen(table.id, SCREEN).view.to_move
    return table, mover, {"white": "black", "black": "white"}[mover]


def test_a_phone_is_called_for_every_seat_that_it_holds(app: Flask) -> None:
    table, mover, other = begun(app)
    phone = table.phone("white", "black")
    asking = {seat: f"/t/{table.id}/{seat}/knocks" for seat in (mover, other)}
    for seat in (mover, other):
        page = phone.get(f"/t/{table.id}/{seat}").text
        assert [path for path in asking.values() if path in page] == [one for one in asking.values() if seat not in one]
    for on in (True, False):
        table.tables.pause(table.id, RULEKEEPER, on=on, key=f"pause {on}")
    call = table.tables.seen(table.id, mover).call
    told = phone.get(asking[mover]).text
    assert f'data-call="{mover} {call}"' in told
    assert " ".join(re.sub("<[^>]+>", " ", told).split()) == f"{mover.capitalize()}: Your turn"
    assert phone.get(asking[other]).text == ""
    assert table.phones[other].get(asking[mover]).status_code == 303
    table.tables.leave(table.id, mover, "up")
    assert phone.get(asking[mover]).text == ""


def test_a_turn_that_came_with_a_tap_on_the_same_phone_is_told_there_and_calls_nobody(app: Flask) -> None:
    table, mover, other = begun(app)
    hand = {one.path: one.field.value for one in table.tables.tracked(table.id, mover)}[f"cards.{mover}"]
    table.act(mover, action="play_card", card=hand[0])
    table.act(mover, action="end_turn")
    assert table.tables.seen(table.id, other).call
    for also, calls in ((mover, False), (RULEKEEPER, True)):
        told = table.phone(other, also).get(f"/t/{table.id}/{other}/knocks").text
        assert f'href="/t/{table.id}/{other}"' in told
        assert ("data-call" in told) == calls


class ForFreeSeats:
    """The tables as somebody has them who plays for seats that nobody took as the rulekeeper does."""

    def __init__(self, tables: Tables, taken: Mapping[str, str]) -> None:
        self.tables, self.taken = tables, taken

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tables, name)

    def act(self, table: str, seat: str, action: dict[str, Any], key: str) -> None:
        if seat in self.taken:
            self.tables.act(table, seat, action, key)
        else:
            self.tables.act(table, RULEKEEPER, {**action, "for": seat}, key)

    def answer(self, table: str, seat: str, given: dict[str, Any], key: str) -> None:
        if seat in self.taken:
            self.tables.answer(table, seat, given, key)
        else:
            self.tables.answer(table, RULEKEEPER, {**given, "seat": seat}, key)


class Watched(RandomGame):
    """A random game at which people also wish, agree, pause, knock and rename; what calls each seat is looked at."""

    def __init__(self, app: Flask, slug: str, seed: int) -> None:
        super().__init__(app.extensions[NAME].tables, discover()[slug], seed)
        if not self.alone and self.rng.random() < FREED:
            freed = self.rng.choice(self.seats)
            self.tables.release(self.table, RULEKEEPER, freed, self.key())
            del self.tokens[freed]
        self.tables = cast("Tables", ForFreeSeats(self.tables, self.tokens))
        self.app = app
        self.everybody = (*self.seats, RULEKEEPER, SCREEN)
        self.seen = {seat: self.tables.seen(self.table, seat) for seat in self.everybody}
        self.called = 0

    def meanwhile(self) -> None:
        """Do something else than to play, where that is allowed."""
        tables, table, key, rng = self.tables, self.table, self.key(), self.rng
        seat = rng.choice([*self.tokens])
        knocks = self.seen[RULEKEEPER].knocks
        other = {
            "wish": lambda: tables.take_back(table, seat, key),
            "agree": lambda: tables.consent(table, seat, rng.random() < 0.5, key),
            "pause": lambda: tables.pause(table, RULEKEEPER, on=not self.seen[SCREEN].paused, key=key),
            "rename": lambda: tables.rename(table, seat, rng.choice(["Ana", "Mar", "Zoe"]), key),
            "knock": lambda: tables.knock(table, rng.choice(self.seats), "Bo"),
            "refuse": lambda: tables.grant(table, RULEKEEPER, knocks[0].id, yes=False, key=key),
        }
        what = rng.choice([*other])
        if self.seen[SCREEN].paused:
            what = "pause"
        elif what == "refuse" and not knocks:
            what = "knock"
        self.tapped = {"knock": "", "pause": RULEKEEPER, "refuse": RULEKEEPER}.get(what, seat)
        with suppress(Problem, Refusal):
            other[what]()

    def go_on(self) -> bool:
        """Do one thing, and look at who is called then; False where the game is over."""
        if self.rng.random() < MEANWHILE or self.seen[SCREEN].paused:
            self.meanwhile()
        elif self.over() or not self.step():
            return False
        elif self.tapped not in self.tokens:
            self.tapped = RULEKEEPER
        for seat, before in self.seen.items():
            now = self.seen[seat] = self.tables.seen(self.table, seat)
            self.look(before, now)
        return True

    def look(self, before: Seen, now: Seen) -> None:
        """Look at the call of one seat, as it was and as it is now."""
        seat, waited, waits = now.seat, waited_for(before), waited_for(now)
        with self.app.test_request_context():
            html = fragments().get(self.table, seat, "en").html
        assert call_in(html) == (str(now.call) if now.call else ""), "it is what the page says"
        assert html.count("data-call=") == bool(now.call)
        if not waits:
            assert not now.call, f"{seat} is called, and nobody waits for that seat"
        elif seat == self.tapped or now.version == before.version:
            assert now.call == (before.call if waited else 0), f"{seat} is called by what came of an own tap"
        elif waits - waited:
            assert now.call == now.version, f"{seat} is not called for {waits - waited}"
            self.called += 1
        else:
            assert now.call == before.call, f"{seat} is called again for the same"


def waited_for(seen: Seen) -> set[tuple[Any, ...]]:
    """Name what a seat is waited for, by what it sees."""
    taken = {person.seat for person in seen.people if person.taken}
    if seen.seat not in taken:
        return set()  # nobody sits there who could be called
    names: set[tuple[Any, ...]] = {("knock", knock.id) for knock in seen.knocks}
    if seen.stopped:
        return names
    if seen.consent and seen.consent.mine_to_give:
        names.add(("wish", seen.consent.by, seen.consent.seq, seen.consent.headline.say))
    if seen.asked:
        names.add(("asked", seen.asked.question.key, len(seen.asked.reasons)))
    plays = seen.seat in seen.view.to_move or (seen.seat == RULEKEEPER and not taken.issuperset(seen.view.to_move))
    if plays and not seen.waiting:
        names.add(("turn",))
    return names


@pytest.mark.parametrize(
    ("slug", "events"),
    [
        *((slug, 40) for slug in SLUGS),
        *(pytest.param(slug, -(-EVENTS // len(SLUGS)), marks=pytest.mark.long) for slug in SLUGS),
    ],
)
def test_in_random_games_nobody_is_called_but_who_is_waited_for_and_for_each_thing_once(
    app: Flask, slug: str, events: int
) -> None:
    done = called = seed = 0
    while done < events:
        game, seed = Watched(app, slug, 300 + seed), seed + 1
        for _ in range(GAME):
            if done == events or not game.go_on():
                break
            done += 1
        called += game.called
    assert called >= events // 20
