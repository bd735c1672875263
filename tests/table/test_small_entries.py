"""The log is stored small: a state as its difference to the one before, each of them to be had at any time."""

from __future__ import annotations

import random
import sqlite3
from base64 import b64decode
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import discover
from companion.kit.game import RULEKEEPER
from companion.table.compression import LONG, applied, deflated, difference, inflated
from companion.table.log_rows import STATES_BETWEEN
from companion.table.problem import Unsound
from companion.table.store import Store
from companion.table.tables import Tables
from tests.support.random_game import RandomGame
from tests.support.toy_game import TOY
from tests.support.toy_tables import open_tables, sit

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 1500
"""Bytes of the file for one entry, all that comes with it counted."""
ENTRIES = 1000
STORED = b64decode(
    "eLvWBgaJ7dwxEQAADAMhS3/xL64yuoAQ8v/6f/P/+n/9v/5f/6//1//r//X/+n/9v/P/+n/9v/5f/6//1//r/83/6//1//p//b/+X/+v/9f/6/"
    "/1//p//b/+X/+v/9f/6//1//p/5//1//p//b/+X/+v/9f/6//1//p//b/+X/+v/9f/6//1//p//b/+X//v6/970zpWYHi7RU3CTu3cMQ0AIAwA"
    "MCtIIAuW9vJA0E8ADXw1UAn1//p//b/+X/+v/9f/6//1//p//b/h//X/hv832siVfWZ2wa/gV/Ar+BX8Cn4Fv4Jfwa/gV/Ar+BX8Cn4Fv/Wkl4"
    "LfIvgV/Ap+Bb+CX8Gv4PfKgt8i+BX8Cn4Fv4Jfwa/g98mCX8Gv4FfwK/gV/Ap+Bb9XFvwKfgW/gl/Br+BX8Cv4FfwKfv8GvxsR5nLneLtlOkYY"
    "7dwhAQAAAAKgTzb/H3OGBYZgL7AXxF5gL7AX2AvsBfYCe4G9wF5Qe4G9wF5gL7AX2AvsBfYCe4G9wF5gL7AX2AvsBfYCe4G9wF5gL7AX2AvsBf"
    "YCe4G9wF5gL7AX2AvsBfYCe4G9wF5gL7AX2AvsBfYCe4G9wF5gL7AX2AvsBfYCe4G9wF5gL3jvBQNLonPieLs+Qdd2G9quBwDZ/CUk"
)
"""A difference as it stands in files of people, over three blocks: squared numbers, with a piece of them replaced."""


def rows(file: Path, statement: str) -> list[tuple[int, ...]]:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        return [*connection.execute(statement)]


@given(
    st.text(max_size=400), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), st.text(max_size=40)), max_size=6)
)
def test_a_difference_makes_the_one_text_out_of_the_other(text: str, changes: list[tuple[float, int, str]]) -> None:
    before = after = text * 200
    for where, length, inserted in changes:
        at = int(where * len(after))
        after = after[:at] + inserted + after[at + length :]
    assert applied(before, difference(before, after)) == after
    assert applied("", difference("", after)) == after
    assert inflated(deflated(after)) == after


def test_what_changed_is_all_that_a_difference_holds() -> None:
    luck = random.Random(3)
    before = [luck.randint(10**9, 10**10) for _ in range(9000)]
    after = [*before[:4000], 7, *before[4001:8000], *luck.sample(range(10**5), 9), *before[8000:]]
    was, becomes = (msgspec.json.encode(one).decode() for one in (before, after))
    assert len(becomes) > 90_000
    assert len(difference(was, becomes)) < 1000 < len(difference("", becomes)) / 30


def test_what_was_stored_is_read_for_ever() -> None:
    before = " ".join(str(number * number) for number in range(6000))
    after = before[:20000] + "seventeen" + before[20040:]
    assert applied(before, STORED) == after
    assert applied("", b64decode("eJwrz8jPSVUoHzEkAHB+Wdk=")) == "whole " * 40


def test_a_short_text_is_stored_as_it_is() -> None:
    assert deflated("x" * (LONG - 1)) == "x" * (LONG - 1)
    assert isinstance(deflated("x" * LONG), bytes)


@pytest.mark.parametrize("spoilt", ["another", "cut", "longer", "not a text"])
def test_a_difference_tells_that_it_is_not_to_what_was_there(spoilt: str) -> None:
    change = difference("the one before", "the one after it")
    before = "the one befor" if spoilt == "another" else "the one before"
    change = {"cut": change[:-1], "longer": change + b"x", "not a text": b"x\x9c\xfb\x0f\x00\x01\x01\x01\x00"}.get(
        spoilt, change
    )
    with pytest.raises(Unsound):
        applied(before, change)


def test_every_state_of_a_log_is_the_one_that_was_come_to(tmp_path: Path) -> None:
    with open_tables(tmp_path, toy=TOY) as tables:
        table, luck, states = sit(tables, goal=1000), random.Random(5), list[str]()

        def look() -> None:
            with tables._look(table.id) as session:
                states.extend([session.head.state or ""] * (session.row.last - len(states)))

        look()
        for _ in range(120):
            match luck.randrange(6):
                case 0 if len(states) > 6:
                    table.take_back("rulekeeper")
                case 1:
                    table.correct("red", "points.red", str(luck.randint(0, 99)))
                case 2:
                    table.pause(on=True)
                    table.pause(on=False)
                case _:
                    table.act("red", "add", points=luck.randint(1, 9))
            look()
        with tables._look(table.id, from_file=True) as session:
            entries = [*session.log()]
            assert [session.entry(one.seq).state for one in entries] == [one.state for one in entries]
            for one in entries:
                assert one.state in {None, states[one.seq - 1]}
        assert sum(one.state is not None for one in entries) > 90
        whole = rows(tables.store.path, "select seq from entries where state_from = seq order by seq")
        between = [after - before for (before,), (after,) in pairwise(whole)]
        assert min(between) >= STATES_BETWEEN
        assert rows(tables.store.path, f"select seq from entries where seq - state_from >= {STATES_BETWEEN}") == []


def test_states_that_were_stored_whole_are_read_and_gone_on_from(tmp_path: Path) -> None:
    with open_tables(tmp_path, toy=TOY) as tables:
        table = sit(tables)
        for points in range(1, 9):
            table.act("red", "add", points=points)
        with tables._look(table.id) as session:
            states = [one.state for one in session.log()]
        with closing(sqlite3.connect(tables.store.path, isolation_level=None)) as connection:
            connection.executemany(
                "update entries set state = ?, state_change = null, state_from = null where seq = ?",
                [(state, seq) for seq, state in enumerate(states, 1)],
            )
    with open_tables(tmp_path, toy=TOY) as tables:
        table = type(table)(tables, table.id, table.tokens)
        done = tables.act(table.id, "red", {"action": "add", "points": 1}, "one-more-point")
        tables.take_back(table.id, "red", "and-back")
        tables.take_back(table.id, "red", "and-back-again")
        with tables._look(table.id, from_file=True) as session:
            log = [*session.log()]
        assert [one.state for one in log[: len(states)]] == states
        assert log[-1].state == states[-2]
        assert done.seq == len(states) + 1
        (kept,) = rows(tables.store.path, f"select state, state_from from entries where seq = {done.seq}")
        assert kept == (None, len(states))


def test_a_request_that_is_repeated_is_answered_from_the_log(tmp_path: Path) -> None:
    with open_tables(tmp_path, toy=TOY) as tables:
        table = sit(tables)
        done = table.act("red", "roll", key="roll-it-once")
        assert done.headline is not None
        assert done.reasons
        again = table.act("red", "roll", key="roll-it-once")
        assert again == msgspec.structs.replace(done, repeated=True)
        with closing(sqlite3.connect(tables.store.path, isolation_level=None)) as connection:
            (kept,) = connection.execute("select done from keys where key = 'roll-it-once'").fetchone()
        assert "headline" not in kept


@pytest.mark.long
@pytest.mark.parametrize("name", discover())
def test_an_entry_takes_little_room(name: str, tmp_path: Path) -> None:
    games, entries = discover(), 0
    file = tmp_path / "tables.sqlite"
    store = Store(file)
    tables = Tables(store, games)
    for seed in range(ENTRIES):
        game, before = RandomGame(tables, games[name], seed), entries
        while entries < ENTRIES and not game.over() and game.step():
            entries = before + tables.log(game.table, RULEKEEPER, limit=1)[0].seq
        if entries >= ENTRIES:
            break
    store.close()
    assert rows(file, "select count(*) from entries") == [(entries,)]
    assert file.stat().st_size / entries <= MOST_BYTES
