"""The store: durable, one writer at a time, and one clear sentence where the disk or the file is not well."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Barrier, Event
from typing import TYPE_CHECKING, Any

import pytest

from companion.folder import copy_to
from companion.kit.text import speak
from companion.table import store as store_module
from companion.table.idempotency import NOBODY, once
from companion.table.log_rows import STATES_BETWEEN
from companion.table.problem import Problem, Unusable
from companion.table.sql import KEYS_KEPT
from companion.table.store import Store
from companion.table.tables import Tables
from tests.support.toy_game import TOY
from tests.support.toy_tables import Sitting, sit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def opened(path: Path, prepare: Callable[[sqlite3.Connection], object] = lambda _: None) -> Iterator[Store]:
    store = Store(path, prepare)
    try:
        yield store
    finally:
        store.close()


def raw(path: Path, *statements: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        return [row for statement in statements for row in connection.execute(statement)]
    finally:
        connection.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has rights of another kind")
def test_nobody_else_on_the_computer_reads_tables_or_their_backups(tmp_path: Path) -> None:
    path, backup = tmp_path / "t.sqlite", tmp_path / "backup.sqlite"
    with opened(path) as store:
        sit(Tables(store, {"toy": TOY})).act("red", "add")
        copy_to(path, backup)
        files = [*tmp_path.iterdir()]
        assert {file.name for file in files} > {"t.sqlite", "t.sqlite-wal", "backup.sqlite"}
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_every_connection_is_durable(tmp_path: Path) -> None:
    found: list[sqlite3.Connection] = []
    with opened(tmp_path / "t.sqlite", found.append) as store:
        with store.read(), store.read(), store.write():
            pass
        assert len(found) == 3
        for connection in found:
            assert connection.execute("pragma journal_mode").fetchone() == ("wal",)
            assert connection.execute("pragma synchronous").fetchone() == (2,)
            assert connection.execute("pragma fullfsync").fetchone() == (1,)


def test_connections_are_lent_again(tmp_path: Path) -> None:
    found: list[sqlite3.Connection] = []
    with opened(tmp_path / "t.sqlite", found.append) as store:
        for _ in range(5):
            with store.read():
                pass
    assert len(found) == 1


def test_a_failed_change_leaves_nothing(tmp_path: Path) -> None:
    with opened(tmp_path / "t.sqlite") as store:
        with suppress(ZeroDivisionError), store.write() as books:
            books.put_random_results("T", "p", 0, "d6", [1])
            raise ZeroDivisionError
        with store.read() as books:
            assert books.random_results("T", "p", 0, "d6") == []


def test_a_reader_sees_one_moment(tmp_path: Path) -> None:
    with opened(tmp_path / "t.sqlite") as store, store.read() as reading:
        assert reading.random_results("T", "p", 0, "d6") == []
        with store.write() as writing:
            writing.put_random_results("T", "p", 0, "d6", [1])
        assert reading.random_results("T", "p", 0, "d6") == []
        with store.read() as later:
            assert later.random_results("T", "p", 0, "d6") == [1]


def test_read_then_write_never_finds_the_store_locked(tmp_path: Path) -> None:
    start = Barrier(4)
    with opened(tmp_path / "t.sqlite") as store, opened(tmp_path / "t.sqlite") as other:

        def count(store: Store) -> None:
            start.wait()
            for _ in range(50):
                with store.write() as books:
                    (number,) = books.random_results("T", "p", 0, "n") or [0]
                    books.put_random_results("T", "p", 0, "n", [number + 1])

        with ThreadPoolExecutor(4) as threads:
            list(threads.map(count, (store, other, store, other)))
        with store.read() as books:
            assert books.random_results("T", "p", 0, "n") == [200]


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    with opened(path):
        pass
    before = raw(path, "select type, name, sql from sqlite_master", "select name from _sqlite_migrations")
    with opened(path):
        pass
    assert raw(path, "select type, name, sql from sqlite_master", "select name from _sqlite_migrations") == before


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_after_it_is_closed_the_one_file_holds_everything(tmp_path: Path) -> None:
    with opened(tmp_path / "t.sqlite") as store:
        table = sit(Tables(store, {"toy": TOY}))
        table.act("red", "add")
        with store.read(), store.read():
            pass
    assert names(tmp_path) == {"t.sqlite"}
    (tmp_path / "copied").mkdir()
    shutil.copy(tmp_path / "t.sqlite", tmp_path / "copied")
    with opened(tmp_path / "copied" / "t.sqlite") as store:
        assert Sitting(Tables(store, {"toy": TOY}), table.id, {}).points() == "1 to 0"


def test_the_one_file_holds_everything_even_while_another_program_looks_at_it(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    with opened(path) as store:
        table = sit(Tables(store, {"toy": TOY}))
        table.act("red", "add")
        looking = sqlite3.connect(path)
        assert looking.execute("select count(*) from tables").fetchone() == (1,)
    try:
        (tmp_path / "copied").mkdir()
        shutil.copy(path, tmp_path / "copied")
        with opened(tmp_path / "copied" / "t.sqlite") as store:
            assert Sitting(Tables(store, {"toy": TOY}), table.id, {}).points() == "1 to 0"
    finally:
        looking.close()


def test_closing_waits_for_whoever_is_writing_and_then_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.sqlite"
    store = Store(path)
    begun, waited_for = Event(), Event()
    wait_for = store._pool.wait_for
    monkeypatch.setattr(store._pool, "wait_for", lambda *how: waited_for.set() or wait_for(*how))

    def write() -> None:
        with store.write() as books:
            begun.set()
            waited_for.wait()
            books.put_random_results("T", "p", 0, "d6", [1])

    with ThreadPoolExecutor(1) as threads:
        writing = threads.submit(write)
        begun.wait()
        store.close()
        assert names(tmp_path) == {"t.sqlite"}
        writing.result()
    with pytest.raises(Problem) as wrong, store.read():
        pass
    assert (wrong.value.status, wrong.value.passing) == (409, True)
    assert names(tmp_path) == {"t.sqlite"}
    with opened(path) as again, again.read() as books:
        assert books.random_results("T", "p", 0, "d6") == [1]


def test_the_log_of_changes_is_brought_into_the_one_file_as_soon_as_nobody_reads_what_was_before(
    tmp_path: Path,
) -> None:
    path, changes = tmp_path / "t.sqlite", tmp_path / "t.sqlite-wal"
    with opened(path) as store:
        table = sit(Tables(store, {"toy": TOY}))
        with store.read() as books:
            books.version(table.id)
            table.act("red", "add")
            store.checkpoint()
            assert changes.stat().st_size > 0
            table.act("red", "add")
        store.checkpoint()
        assert changes.stat().st_size == 0
        copied = tmp_path / "copied.sqlite"
        shutil.copy(path, copied)
        with store.write() as books:
            books.put_random_results("T", "p", 0, "d6", [1])
            store.checkpoint()
        with store.read() as books:
            assert books.random_results("T", "p", 0, "d6") == [1]
    with opened(copied) as store:
        assert Sitting(Tables(store, {"toy": TOY}), table.id, {}).points() == "2 to 0"


def test_a_backup_is_made_while_somebody_plays(tmp_path: Path) -> None:
    path, kept = tmp_path / "t.sqlite", tmp_path / "kept" / "backup.sqlite"
    kept.parent.mkdir()
    with opened(path) as store:
        table = sit(Tables(store, {"toy": TOY}))
        sit(Tables(store, {"toy": TOY}))
        table.act("red", "add")
        with store.write() as books:
            books.put_random_results("T", "p", 0, "d6", [1])
            assert copy_to(path, kept) == 2
        table.act("red", "add")
        assert table.points() == "2 to 0"
        assert names(kept.parent) == {"backup.sqlite"}
    with opened(kept) as store, store.read() as books:
        assert Sitting(Tables(store, {"toy": TOY}), table.id, {}).points() == "1 to 0"
        assert books.random_results("T", "p", 0, "d6") == []


def test_a_backup_after_the_power_was_cut_holds_what_lies_beside_the_file(tmp_path: Path) -> None:
    path, cut = tmp_path / "t.sqlite", tmp_path / "cut"
    cut.mkdir()
    with opened(path) as store:
        table = sit(Tables(store, {"toy": TOY}))
        table.act("red", "add")
        for file in tmp_path.glob("t.sqlite*"):
            shutil.copy(file, cut)
    assert copy_to(cut / "t.sqlite", tmp_path / "backup.sqlite") == 1
    with opened(tmp_path / "backup.sqlite") as store:
        assert Sitting(Tables(store, {"toy": TOY}), table.id, {}).points() == "1 to 0"


def test_a_backup_replaces_nothing_and_leaves_nothing_half_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kept = tmp_path / "t.sqlite", tmp_path / "kept"
    kept.mkdir()
    (kept / "older").write_text("older")
    with opened(path) as store:
        sit(Tables(store, {"toy": TOY}))
        for source, target, said in (
            (path, kept / "older", "exists already"),
            (path, kept, "exists already"),
            (path, tmp_path / "nowhere" / "backup.sqlite", "cannot be written"),
            (tmp_path / "nowhere" / "t.sqlite", kept / "new", "no tables in"),
            (kept / "older", kept / "new", "damaged"),
        ):
            with pytest.raises(Unusable) as wrong:
                copy_to(source, target)
            assert said in speak(wrong.value.text, str)
        monkeypatch.setattr(Path, "rename", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(Unusable) as wrong:
            copy_to(path, kept / "new")
        assert "the disk is full" in speak(wrong.value.text, str)
    assert names(kept) == {"older"}
    assert (kept / "older").read_text() == "older"


def played_and_damaged(path: Path, where: slice) -> str:
    """Play a table of many pages and write noise over a part of its file; return the table."""
    with opened(path) as store:
        table = sit(Tables(store, {"toy": TOY}))
        for _ in range(20):
            table.act("red", "add", note="x" * 300)
    data = bytearray(path.read_bytes())
    data[where] = b"\x5a" * len(data[where])
    path.write_bytes(data)
    return table.id


def test_a_damaged_file_is_not_called_a_backup(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    played_and_damaged(path, slice(-8192, None))
    with pytest.raises(Unusable) as wrong:
        copy_to(path, tmp_path / "backup.sqlite")
    assert "damaged" in speak(wrong.value.text, str)
    assert not (tmp_path / "backup.sqlite").exists()


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    with opened(path):
        pass
    raw(path, "insert into _sqlite_migrations (migration_set, name, applied_at) values ('companion', 'later', '2099')")
    found: list[sqlite3.Connection] = []
    with pytest.raises(Unusable) as wrong, opened(path, found.append):
        pass
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        found[0].execute("select 1")
    assert "newer Companion" in speak(wrong.value.text, str)


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    path.write_bytes(b"Dear diary, " * 100)
    with pytest.raises(Unusable) as wrong, opened(path):
        pass
    assert "damaged" in speak(wrong.value.text, str)
    assert path.read_bytes() == b"Dear diary, " * 100


def test_a_folder_that_can_not_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(Unusable) as wrong, opened(tmp_path / "file" / "t.sqlite"):
        pass
    assert str(tmp_path / "file") in speak(wrong.value.text, str)


def test_a_file_that_can_not_be_opened_is_said(tmp_path: Path) -> None:
    (tmp_path / "t.sqlite").mkdir()
    with pytest.raises(Unusable) as wrong, opened(tmp_path / "t.sqlite"):
        pass
    assert "cannot be opened" in speak(wrong.value.text, str)


def test_a_file_that_another_program_holds_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.sqlite"
    monkeypatch.setattr(store_module, "WRITE_TIMEOUT", 0)
    with opened(path) as store:
        table = sit(Tables(store, {"toy": TOY}))
        holder = sqlite3.connect(path, isolation_level=None)
        try:
            holder.execute("begin immediate")
            with pytest.raises(Unusable) as unusable, opened(path):
                pass
            assert "Another program" in speak(unusable.value.text, str)
            with store._connection() as connection:
                connection.execute("pragma busy_timeout = 0")
            with pytest.raises(Problem) as wrong:
                table.act("red", "add")
            assert (wrong.value.status, wrong.value.passing) == (409, True)
        finally:
            holder.close()
        table.act("red", "add")
        assert table.points() == "1 to 0"


class Taken:
    """The lock of the writers while another one has it."""

    def __init__(self) -> None:
        self.patience: list[float] = []

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        self.patience.append(timeout)
        return False

    def release(self) -> None:
        raise AssertionError("it was not ours")

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


def test_waiting_for_other_writers_here_has_an_end_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(tmp_path / "t.sqlite") as store:
        taken = Taken()
        monkeypatch.setattr(store, "_write_lock", taken)
        with pytest.raises(Problem) as wrong, store.write():
            pass
        assert (wrong.value.status, wrong.value.passing) == (409, True)
        assert 0 < taken.patience[0] <= store_module.WRITE_TIMEOUT


def test_what_a_request_has_waited_already_counts(tmp_path: Path) -> None:
    said: list[str] = []
    with opened(tmp_path / "t.sqlite", lambda connection: connection.set_trace_callback(said.append)) as store:

        def patience() -> int:
            said.clear()
            with store.write():
                pass
            (line,) = (one for one in said if "busy_timeout" in one)
            return int(line.rpartition("=")[2])

        assert patience() <= store_module.WRITE_TIMEOUT * 1000
        token = store_module.time_in_line.set(store_module.WRITE_TIMEOUT - 2)
        try:
            assert patience() <= 2000
            store_module.time_in_line.set(store_module.WRITE_TIMEOUT + 60)
            assert patience() == 0
        finally:
            store_module.time_in_line.reset(token)


def full(path: Path, more: int) -> Callable[[sqlite3.Connection], object]:
    """Let a file grow by so many pages and no more."""

    def limit(connection: sqlite3.Connection) -> None:
        (pages,) = connection.execute("pragma page_count").fetchone()
        connection.execute(f"pragma max_page_count = {pages + more}")

    return limit


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    with opened(path) as store:
        table = sit(Tables(store, {"toy": TOY}))
        table.act("red", "add", points=2)
    with opened(path, full(path, 8)) as store:
        again = Sitting(Tables(store, {"toy": TOY}), table.id, {})
        done = 0

        def act() -> None:
            again.tables.act(again.id, "red", {"action": "add", "note": "x" * 500}, f"k{done}")

        with suppress(Problem):
            for _ in range(500):
                act()
                done += 1
        assert 0 < done < 500
        with pytest.raises(Problem) as wrong:
            act()
        assert (wrong.value.status, wrong.value.passing) == (409, True)
        assert again.points() == f"{2 + done} to 0"
    with opened(path) as store:
        roomy = Sitting(Tables(store, {"toy": TOY}), table.id, {})
        assert roomy.points() == f"{2 + done} to 0"
        roomy.tables.act(roomy.id, "red", {"action": "add"}, f"k{done}")
        assert roomy.points() == f"{3 + done} to 0"


def test_a_full_disk_at_first_start_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unusable) as wrong, opened(tmp_path / "t.sqlite", full(tmp_path, 3)):
        pass
    assert "full" in speak(wrong.value.text, str)


def test_a_read_only_disk_loses_nothing(tmp_path: Path) -> None:
    with opened(tmp_path / "t.sqlite") as store:
        table = sit(Tables(store, {"toy": TOY}))
        table.act("red", "add")
        with store._connection() as connection:
            connection.execute("pragma query_only = on")
        with pytest.raises(Problem) as wrong:
            table.act("red", "add")
        assert (wrong.value.status, wrong.value.passing) == (409, True)
        assert table.points() == "1 to 0"


def test_a_file_damaged_in_use_is_said(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    table = played_and_damaged(path, slice(4096, None))
    with pytest.raises((Problem, Unusable)) as wrong, opened(path) as store:
        Tables(store, {"toy": TOY}).seen(table, "red")
    assert "damaged" in speak(wrong.value.text, str)


def test_old_keys_are_forgotten_and_new_ones_kept(tmp_path: Path) -> None:
    with opened(tmp_path / "t.sqlite") as store, store.write() as books:
        for version in range(1, KEYS_KEPT + 513):
            books.put_done("T", "red", str(version), version, "{}")
        books.put_done("U", "red", "1", 1, "{}")
        assert books.done("T", "red", "1") is None
        assert books.done("T", "red", "512") == "{}"
        assert books.done("T", "red", str(KEYS_KEPT + 512)) == "{}"
        assert books.done("U", "red", "1") == "{}"


def test_old_keys_of_those_without_a_table_are_forgotten_too(tmp_path: Path) -> None:
    with opened(tmp_path / "t.sqlite") as store, store.write() as books:
        for made in range(1, KEYS_KEPT + 513):
            once(books, NOBODY, f"made {made}", lambda: "{}")
        assert books.done(NOBODY, NOBODY, "made 1") is None
        assert books.done(NOBODY, NOBODY, "made 512") == "{}"
        assert books.done(NOBODY, NOBODY, f"made {KEYS_KEPT + 512}") == "{}"


class Counting:
    """Count what a store's connections run and how many steps the database takes for it."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.steps = 0

    def __call__(self, connection: sqlite3.Connection) -> None:
        connection.set_trace_callback(self.statements.append)
        connection.set_progress_handler(self._step, 1)

    def _step(self) -> int:
        self.steps += 1
        return 0

    def of(self, do: Callable[[], object]) -> tuple[int, int]:
        self.statements, self.steps = [], 0
        do()
        return len(self.statements), self.steps


def test_opening_acting_and_undoing_touch_as_much_after_3000_entries_as_after_30(tmp_path: Path) -> None:
    counting = Counting()
    with opened(tmp_path / "t.sqlite", counting) as store:
        table = sit(Tables(store, {"toy": TOY}))

        def measured() -> list[tuple[int, int]]:
            table.act("red", "roll")
            return [
                counting.of(lambda: table.seen("red")),
                counting.of(lambda: table.act("red", "add")),
                counting.of(lambda: table.take_back("red")),
                counting.of(lambda: table.take_back("rulekeeper")),
                counting.of(lambda: table.tables.log(table.id, "red")),
            ]

        for _ in range(30):
            table.act("red", "add")
        few = measured()
        # As many entries later as there are from one whole state to the next, some times over.
        for _ in range(188 * STATES_BETWEEN - 4):
            table.act("red", "add")
        many = measured()
    assert [statements for statements, _ in many] == [statements for statements, _ in few]
    for (_, before), (_, after) in zip(few, many, strict=True):
        assert after < before * 1.25 + 50


def test_reading_the_log_uses_its_indexes(tmp_path: Path) -> None:
    from companion.table.log_rows import _ENTRIES, _LINES, _NEWEST_STATE, _STATES

    path = tmp_path / "t.sqlite"
    with opened(path):
        pass
    connection = sqlite3.connect(path)
    try:
        one = ("T", 1, 1)
        for statement, given in (
            (_LINES, ("T", 10, 5)),
            (_ENTRIES, one),
            (_STATES, one),
            (_NEWEST_STATE, ("T", 9, 9)),
        ):
            plan = [row[3] for row in connection.execute(f"explain query plan {statement}", given)]
            assert not any(step.startswith("SCAN") or "TEMP B-TREE" in step for step in plan)
    finally:
        connection.close()


def test_a_file_from_before_the_versions_of_entries_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    with opened(path):
        pass
    raw(
        path,
        "alter table entries drop column version",
        "delete from _sqlite_migrations where name = 'versions_of_entries'",
    )
    with opened(path) as store, store.read() as books:
        assert books.state("T", 1) is None
        assert books.corrected("T", 0) == set()
