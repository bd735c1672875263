"""Data folders whose file was damaged: a sentence is said wherever it is met, and what can still be read is served."""

from __future__ import annotations

import logging
import random
import shutil
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import pytest

from companion import create_app
from companion.folder import copy_to
from companion.games import discover
from companion.kit.game import SCREEN
from companion.kit.text import speak
from companion.table.problem import Damaged, Problem, Unusable
from companion.table.session import PositionCache
from companion.table.store import Store
from companion.web.fragments import Channel
from companion.web.publish import Publisher
from companion.web.state import NAME, AppState
from tests.support.conformance import filled
from tests.support.export_files import export
from tests.support.phones import Table, words
from tests.support.toy_tables import Sitting, sit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask
    from flask.testing import FlaskClient

    from companion.table.tables import Tables

GAMES = discover()
PAGES = (
    "",
    "/live",
    "/log",
    "/log?before=5",
    "/aid",
    "/plan?do=action=ready",
    "/invite",
    "/mine",
    "/knocks",
    "/corrections",
    "/settings",
    "/cards",
)
PUBLIC = ("", "/report", "/report.md", "/statistics", "/export.json", "/template.json", "/qr.svg", "/knock/white")
API = ("", "/log", "/statistics", "/corrections", "/events")
SENT = {
    "/act": {"do": "action=ready"},
    "/answer": {"roll": "1"},
    "/silence": {"seen": "3"},
    "/undo": {},
    "/consent": {"yes": "1"},
    "/grant": {"knock": "x", "yes": "1"},
    "/rename": {"name": "Zoe"},
    "/correct": {"path": "x", "value": "1"},
    "/settings": {"title": "T"},
    "/release": {"seat": "white"},
}
ASKED = {
    "/actions": {"action": {"action": "ready"}},
    "/answers": {"answer": {"roll": True}},
    "/undo": {},
    "/corrections": {"path": "x", "value": "1"},
}


class Kept(NamedTuple):
    """A data folder in which several tables were played, with the tokens of each table's seats."""

    folder: Path
    tokens: dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return played(tmp_path_factory.mktemp("kept"))


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    app = create_app(tmp_path_factory.mktemp("app"), games={"two_cities": GAMES["two_cities"]})
    yield app
    cast("AppState", app.extensions[NAME]).tables.store.close()


def played(folder: Path) -> Kept:
    """Play a table of each game, some twenty steps of it: nothing is left beside the one file."""
    tokens = {}
    app = create_app(folder)
    luck = random.Random(7)
    for name, game in GAMES.items():
        table = Table(app, name)
        tokens[table.id] = table.tokens
        for step in range(20):
            wander(table, game, f"{name} {step}", luck)
        table.tables.knock(table.id, next(seat for seat in table.tokens if seat != "rulekeeper"), "Eva")
    cast("AppState", app.extensions[NAME]).tables.store.close()
    return Kept(folder, tokens)


def wander(table: Table, game: Any, key: str, luck: random.Random) -> None:
    """Do whatever a seat is offered."""
    for seat in table.tokens:
        seen = table.tables.seen(table.id, seat)
        if seen.asked:
            question = seen.asked.question
            given = {"roll": True} if seen.asked.may_roll else {"value": luck.choice(question.options).value}
            table.tables.answer(table.id, seat, given, f"{key} {seat}")
        elif seen.offers:
            offer = luck.choice(seen.offers)
            try:
                table.tables.act(table.id, seat, filled(offer, luck), f"{key} {seat}")
            except Exception as wrong:
                if not isinstance(wrong, Problem) and type(wrong).__name__ not in {"Refusal", "IndexError"}:
                    raise


def spoilt(kept: Kept, folder: Path, luck: random.Random, flips: int) -> Path:
    """Copy a data folder and change some bytes of its file."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    data = bytearray((kept.folder / "tables.sqlite").read_bytes())
    for _ in range(flips):
        at = luck.randrange(len(data))
        length = luck.choice((1, 1, 1, 1, 1, 1, 1, 40)) if flips > 1 else 4096
        data[at : at + length] = luck.randbytes(len(data[at : at + length]))
    (folder / "tables.sqlite").write_bytes(data)
    return folder


def asked(app: Flask, kept: Kept, luck: random.Random, most: int) -> Iterator[tuple[str, int]]:
    """Ask a folder's Companion for its addresses: each with the status of its answer."""
    phone = app.test_client()
    yield "/", phone.get("/").status_code
    for table, tokens in kept.tokens.items():
        ways = [*every(table, tokens)]
        for method, path, seat, sent in luck.sample(ways, min(most, len(ways))):
            yield f"{method} {path} as {seat}", one(app.test_client(), table, tokens, method, path, seat, sent)


def every(table: str, tokens: dict[str, str]) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    for seat in (*tokens, "screen"):
        for page in PAGES:
            yield "GET", f"/t/{table}/{seat}{page}", seat, {}
        for path, sent in SENT.items():
            yield "POST", f"/t/{table}/{seat}{path}", seat, sent
        for path in API:
            yield "GET", f"/api/tables/{table}{path}", seat, {}
        for path, sent in ASKED.items():
            yield "POST", f"/api/tables/{table}{path}", seat, sent
    for page in PUBLIC:
        yield "GET", f"/t/{table}{page}", "rulekeeper", {}
    yield "POST", f"/t/{table}/join", "", {"seat": next(iter(tokens)), "name": "Eva"}
    yield "GET", f"/go?code={table}", "", {}


def one(
    phone: FlaskClient, table: str, tokens: dict[str, str], method: str, path: str, seat: str, sent: dict[str, Any]
) -> int:
    if path.startswith("/api"):
        token = {"Authorization": f"Bearer {tokens[seat]}"} if seat in tokens else {}
        return phone.open(
            path, method=method, headers=token, json={"key": "k" * 20, **sent} if sent else None
        ).status_code
    if seat in tokens:
        phone.set_cookie(f"seat-{seat}", tokens[seat], path=f"/t/{table}")
    return phone.open(path, method=method, data={"key": "k" * 20, **sent} if method == "POST" else None).status_code


def tried(kept: Kept, folder: Path, seed: int, most: int) -> str:
    """Spoil a folder, ask for its addresses, and tell how far that came."""
    luck = random.Random(seed)
    spoilt(kept, folder, luck, luck.choice((1, 3, 10, 60, 300)))
    try:
        app = create_app(folder, games=GAMES)
    except Unusable as wrong:
        return speak(wrong.text, str).partition(": ")[0].partition("tables.sqlite ")[2]
    state = cast("AppState", app.extensions[NAME])
    try:
        statuses = dict(asked(app, kept, luck, most))
        assert {way: status for way, status in statuses.items() if status >= 500} == {}, f"seed {seed}"
        publisher = Publisher(app, state.live)
        for table, tokens in kept.tokens.items():
            for seat in tokens:
                with app.test_request_context():
                    publisher._event(Channel("play", table, seat, "es", "no such mark"))
        found = state.tables.store.is_damaged()
    finally:
        state.tables.store.close()
    return "damaged" if found or 409 in statuses.values() else "sound"


def folder_of(kept: Kept, folder: Path, *statements: str) -> Path:
    """Copy a data folder and change its file by hand."""
    folder.mkdir()
    shutil.copy(kept.folder / "tables.sqlite", folder)
    with closing(sqlite3.connect(folder / "tables.sqlite", isolation_level=None)) as connection:
        connection.execute("pragma foreign_keys = off")
        for statement in statements:
            connection.execute(statement)
    return folder


@pytest.mark.parametrize(
    "statement",
    [
        "drop table entries",
        "drop table keys",
        "alter table tables drop column wish",
        "alter table entries drop column typed",
        "drop table _sqlite_migrations",
    ],
)
def test_a_file_that_lacks_something_is_said_when_it_is_opened(kept: Kept, tmp_path: Path, statement: str) -> None:
    folder = folder_of(kept, tmp_path / "spoilt", statement)
    with pytest.raises(Unusable) as wrong:
        Store(folder / "tables.sqlite")
    said = speak(wrong.value.text, str)
    assert said.startswith(f"{folder / 'tables.sqlite'} is damaged")
    assert "bring back a backup" in said


def test_a_file_whose_own_words_are_no_words_is_said_when_it_is_opened(kept: Kept, tmp_path: Path) -> None:
    folder = folder_of(kept, tmp_path / "spoilt")
    whole = (folder / "tables.sqlite").read_bytes()
    assert b"CREATE TABLE" in whole
    (folder / "tables.sqlite").write_bytes(whole.replace(b"CREATE TABLE", b"CREATE \xc3ABLE"))
    for do in (lambda: Store(folder / "tables.sqlite"), lambda: copy_to(folder / "tables.sqlite", folder / "new")):
        with pytest.raises(Unusable, match="is damaged"):
            do()


def test_a_file_that_ends_too_soon_is_said_when_it_is_opened(kept: Kept, tmp_path: Path) -> None:
    folder = folder_of(kept, tmp_path / "spoilt")
    whole = (folder / "tables.sqlite").read_bytes()
    (folder / "tables.sqlite").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Unusable, match="is damaged"):
        Store(folder / "tables.sqlite")


SPOILT = {
    "a position that rests on no entry": "update tables set head = last + 1, last = last + 1 where id = '{table}'",
    "no log": "delete from entries where table_id = '{table}'",
    "a gap in the log": "delete from entries where table_id = '{table}' and seq = 2",
    "a log that ends too soon": "delete from entries where table_id = '{table}' and seq >= 4",
    "a log that goes on too far": """
        insert into entries select table_id, (select last + 1 from tables where id = table_id), base, undoes, ruling,
            at, kind, seat, by, who, typed, revealing, path, headline, reasons, action, answers, state, version,
            setting, reasons_deflated, state_change, state_from
        from entries where table_id = '{table}' and seq = 1""",
    "an entry that rests on itself": "update entries set base = seq where table_id = '{table}'",
    "a headline that is no JSON": "update entries set headline = 'x' where table_id = '{table}'",
    "a headline that lacks what it names": """
        update entries set headline = '{{"say":"{{a}} and {{b}}","places":{{"a":"1"}}}}' where table_id = '{table}'""",
    "reasons of another kind": "update entries set reasons = '[7]' where table_id = '{table}'",
    "a time that is none": "update entries set at = 'noon' where table_id = '{table}'",
    "a time nowhere": "update entries set at = '2026-01-01T12:00:00' where table_id = '{table}'",
    "a time that nobody lives to see": "update entries set at = '9026-01-01T12:00:00+00:00' where table_id = '{table}'",
    "an older position that is no JSON": """
        update entries set state = 'x', state_change = null where table_id = '{table}' and seq = 1""",
    "a position that is no JSON": """
        update entries set state = 'x', state_change = null where table_id = '{table}' and state_change is not null""",
    "a position that ends too soon": """
        update entries set state_change = substr(state_change, 1, length(state_change) - 1)
        where table_id = '{table}'""",
    "a position that is another one than was written": """
        update entries set state_change = (select state_change from entries other where other.table_id = '{table}'
            and other.seq = entries.seq - 1) where table_id = '{table}' and state_from < seq""",
    "a position that rests on itself": "update entries set state_from = seq where table_id = '{table}'",
    "a position that rests on nothing": "update entries set state_from = null where table_id = '{table}'",
    "reasons that are no text": "update entries set reasons_deflated = x'00' where table_id = '{table}'",
    "options that are no JSON": "update tables set options = '' where id = '{table}'",
    "a pending action that is none": "update tables set held = '{{}}' where id = '{table}'",
    "a version after which there is none": "update tables set version = 9223372036854775807 where id = '{table}'",
    "a way of throwing that there is not": "update tables set dice = 'coin' where id = '{table}'",
}
INCOMPLETE = {
    "a position that rests on no entry",
    "no log",
    "a gap in the log",
    "a log that ends too soon",
    "a log that goes on too far",
}
"""What is seen in the background after the start, too."""


@pytest.mark.parametrize("what", SPOILT)
def test_one_damaged_table_says_so_everywhere_and_leaves_the_others_alone(
    app: Flask, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    state = cast("AppState", app.extensions[NAME])
    spoilt, other = Table(app, "two_cities"), Table(app, "two_cities")
    for table in (spoilt, other):
        for seat in ("white", "black"):
            table.act(seat, action="ready")
        table.act("white", action="play_card", card=table.tables.seen(table.id, "white").offers[0].given["card"])
    assert not state.tables.store.is_damaged()
    phone = app.test_client()
    file = state.tables.store.path
    try:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute(SPOILT[what].format(table=spoilt.id))
        state.tables._positions = PositionCache()  # as after a start
        assert state.tables.store.is_damaged() == (what in INCOMPLETE)
        statuses = {
            f"{method} {path}": one(app.test_client(), spoilt.id, spoilt.tokens, method, path, seat, sent)
            for method, path, seat, sent in every(spoilt.id, {"white": spoilt.tokens["white"]})
        }
        assert {way: status for way, status in statuses.items() if status >= 500} == {}
        for seat in spoilt.tokens:
            phone.set_cookie(f"seat-{seat}", spoilt.tokens[seat], path=f"/t/{spoilt.id}")
        said = [words(phone.get(f"/t/{spoilt.id}/{page}").text) for page in ("report.md", "screen")]
        said.append(words(phone.post(f"/t/{spoilt.id}/export.json", data={"key": "take-a-copy-1"}).text))
        why = "this table was played with other rules" if what == "a position that is no JSON" else "is damaged"
        assert any(why.casefold() in page.casefold() for page in said)
        lobby = phone.get("/")
        assert lobby.status_code == 200
        assert spoilt.id in lobby.text
        for page in ("screen", "report", "statistics"):
            assert phone.get(f"/t/{other.id}/{page}").status_code == 200
        for seat in spoilt.tokens:
            with app.test_request_context():
                Publisher(app, state.live)._event(Channel("play", spoilt.id, seat, "es", "no such mark"))
    finally:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute("delete from tables where id = ?", (spoilt.id,))
    assert [record for record in caplog.records if record.exc_info] == []


def test_a_table_whose_position_is_spoilt_in_the_file_goes_on_with_what_is_known_of_it(app: Flask) -> None:
    state, table = cast("AppState", app.extensions[NAME]), Table(app, "two_cities")
    for seat in ("white", "black"):
        table.act(seat, action="ready")
    before = table.tables.seen(table.id, "white")
    assert table.tables.damage(table.id) is None
    with closing(sqlite3.connect(state.tables.store.path, isolation_level=None)) as connection:
        connection.execute(SPOILT["a position that is no JSON"].format(table=table.id))
    assert table.tables.seen(table.id, "white") == before
    assert table.tables.damage(table.id) is not None, "what is known does not hide what the file holds"
    assert table.tables.seen(table.id, "white") == before, "nor does looking at the file forget it"
    table.act("white", action="play_card", card=before.offers[0].given["card"])
    after = table.tables.seen(table.id, "white")
    state.tables._positions = PositionCache()  # as after a start
    assert table.tables.seen(table.id, "white") == after, "and what comes next is whole in the file"


def exchanged(table: str, one: int, other: int) -> str:
    """Two entries stand in each other's place."""
    return f"""
        update entries set seq = -1 where table_id = '{table}' and seq = {one};
        update entries set seq = {one} where table_id = '{table}' and seq = {other};
        update entries set seq = {other} where table_id = '{table}' and seq = -1;"""


def whole_log(tables: Tables, table: str) -> dict[str, Callable[[], object]]:
    """Everything that rests on a part of the log, or on all of it."""
    return {
        "export": lambda: export(tables, table),
        "copy": lambda: tables.copy(table, "rulekeeper", "a-copy-of-it"),
        "report": lambda: tables.report(table, SCREEN),
        "statistics": lambda: tables.statistics(table),
        "log": lambda: [tables.log(table, "red", before, 3) for before in range(4, 12, 3)],
        "seen": lambda: tables.seen(table, "red"),
        "undo": lambda: [tables.take_back(table, "rulekeeper", f"back-{time}") for time in range(3)],
    }


CHANGED: dict[str, tuple[str, set[str]]] = {
    "the last entry is missing": ("delete from entries where table_id = '{table}' and seq = 9", set()),
    "the last entries are missing": ("delete from entries where table_id = '{table}' and seq > 6", set()),
    "an entry is missing": ("delete from entries where table_id = '{table}' and seq = 7", set()),
    "an entry that was taken back is missing": ("delete from entries where table_id = '{table}' and seq = 5", set()),
    "the first entry is missing": ("delete from entries where table_id = '{table}' and seq = 1", set()),
    "two entries are exchanged": (exchanged("{table}", 5, 6), set()),
    "two entries that rest on the same one are exchanged": (exchanged("{table}", 5, 7), set()),
    "two settings are exchanged": (exchanged("{table}", 2, 3), {"undo"}),
    "the table is older than its log": (
        "update tables set last = last - 1, head = head - 1 where id = '{table}'",
        set(),
    ),
    "the position is another entry's": ("update tables set head = head - 1 where id = '{table}'", set()),
    "an entry is older than the one before it": (
        "update entries set version = 1 where table_id = '{table}' and seq = 9",
        set(),
    ),
    "another ruling is the newest": ("update entries set ruling = 1 where table_id = '{table}' and seq = 6", {"undo"}),
    "an undo is called a setting": (
        "update entries set kind = 'setting' where table_id = '{table}' and seq = 6",
        set(),
    ),
    "a position is missing": ("update entries set state_change = null where table_id = '{table}' and seq = 5", set()),
    "the position of an undo is missing": (
        "update entries set state_change = null where table_id = '{table}' and seq = 6",
        set(),
    ),
    "an undo leads elsewhere": ("update entries set path = 'x' where table_id = '{table}' and seq = 6", {"undo"}),
    "there is another action in it": (
        """update entries set action = '{{"action":"pass"}}' where table_id = '{table}' and seq = 7""",
        {"log", "seen"},
    ),
    "there are other answers in it": (
        "update entries set answers = '[]' where table_id = '{table}' and seq = 7",
        {"log", "seen"},
    ),
    "another one did it": (
        "update entries set seat = 'blue' where table_id = '{table}' and seq = 7",
        {"log", "seen"},
    ),
    "an entry is another table's": (
        """update entries set table_id = 'x' where table_id = '{table}' and seq = 7;
        update entries set table_id = '{table}' where table_id = '{other}' and seq = 7;""",
        {"log", "seen"},
    ),
    "what is set is not what it says": (
        """update entries set action = '{{"action":"pass"}}' where table_id = '{table}' and seq = 3""",
        {"log", "seen", "undo"},
    ),
}
"""How a log may be another one than was written, and where nobody sees that: a page of the log tells lines, the page of
a table its newest, and an undo reads what is taken back and what comes before it.
"""


def rolled(tables: Tables, *faces: int) -> Sitting:
    """Play nine entries: who sits down, an action, one that is taken back, it again, a correction, an action."""
    table = sit(tables, "typed")
    table.act("red", "add")
    table.act("red", "roll", answers=[{"faces": [3, 4]}])
    table.take_back("rulekeeper")
    table.act("red", "roll", answers=[{"faces": list(faces)}])
    table.correct("red", "points.red", "9")
    table.act("red", "pass")
    assert tables.seen(table.id, "red").log[0].seq == 9
    return table


@pytest.mark.parametrize("what", CHANGED)
def test_a_log_that_is_not_whole_or_not_in_order_is_never_told_as_if_it_were(tables: Tables, what: str) -> None:
    table, other = rolled(tables, 3, 4), rolled(tables, 5, 6)
    statements, hidden = CHANGED[what]
    with closing(sqlite3.connect(tables.store.path, isolation_level=None)) as connection:
        connection.executescript(statements.format(table=table.id, other=other.id))
    told, said = set(), set()
    for way, ask in whole_log(tables, table.id).items():
        try:
            ask()
            told.add(way)
        except Damaged as wrong:
            said.add(speak(wrong.text, str))
    assert told == hidden
    with tables.store.read() as books:
        assert not any("took a copy" in line.headline.say for line in books.lines(table.id, 99, 99))
    (sentence,) = said
    assert sentence.startswith("tables.sqlite is damaged. On Companion's computer: stop Companion, copy that file")


def test_a_fault_of_ours_is_not_called_damage(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = cast("AppState", app.extensions[NAME]).tables
    table = Table(app, "two_cities")
    monkeypatch.setattr(tables, "report", lambda *_: 1 // 0)
    assert app.test_client().get(f"/t/{table.id}/report").status_code == 500
    assert not tables.store.is_damaged()


def test_the_start_page_says_that_no_table_can_be_read(kept: Kept, tmp_path: Path) -> None:
    app = create_app(folder_of(kept, tmp_path / "spoilt"), games={})
    state = cast("AppState", app.extensions[NAME])
    try:
        with closing(sqlite3.connect(tmp_path / "spoilt" / "tables.sqlite")) as connection:
            connection.execute("drop table tables")
        answer = app.test_client().get("/", headers={"Accept-Language": "es"})
        assert answer.status_code == 409
        assert "tables.sqlite está dañado" in words(answer.text)
        assert "Dados" in words(answer.text)
        assert state.tables.store.is_damaged()
    finally:
        state.tables.store.close()


@pytest.mark.sized
def test_whatever_bytes_of_the_file_are_changed_a_sentence_is_said(
    full: bool, kept: Kept, tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    came = [tried(kept, tmp_path / "spoilt", seed, 40) for seed in range(10 if full else 4)]
    assert {"damaged"} <= set(came) <= {"damaged", "sound", "is damaged or not Companion's"}
    assert [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR] == []
    assert "Traceback" not in capsys.readouterr().err


def main(times: int) -> None:
    """Try as many damaged files, at every address: ``python -m tests.table.test_damaged_files 1000``."""
    with TemporaryDirectory() as folder:
        kept = played(Path(folder) / "kept")
        came = Counter(tried(kept, Path(folder) / "spoilt", seed, 10_000) for seed in range(times))
    print(f"{times} damaged files: {dict(came)}, no answer of 500 and more")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 100)
