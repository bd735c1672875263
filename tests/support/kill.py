"""Kill a playing process at random moments and look for acknowledged actions that are gone.

``python -m tests.support.kill 200`` kills it 200 times. ``python -m tests.support.kill --play FOLDER TABLE RUN`` is
the one that is killed: it acts as fast as it can and writes a line for every action that was acknowledged.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from pathlib import Path

from companion.table.store import Store
from companion.table.tables import Tables
from tests.support.paths import ROOT
from tests.support.toy_game import TOY


def play(folder: Path, table: str, run: str) -> None:
    tables = Tables(Store(folder / "tables.sqlite"), {"toy": TOY})
    number = 0
    while True:
        key = f"{run}.{number}"
        done = tables.act(table, "red", {"action": "add", "points": 1, "note": key}, key)
        print(key, done.seq, flush=True)
        number += 1


def kill_once(folder: Path, table: str, run: str, after: int) -> dict[str, int]:
    """Play in another process and kill it after some acknowledgements; return those it wrote: key to entry."""
    command = [sys.executable, "-m", "tests.support.kill", "--play", str(folder), table, run]
    acknowledged: dict[str, int] = {}

    def heard(line: str) -> None:
        if line.endswith("\n"):
            key, seq = line.split()
            acknowledged[key] = int(seq)

    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        for line in process.stdout:
            heard(line)
            if len(acknowledged) >= after:
                break
        process.kill()
        for line in process.stdout:
            heard(line)
    return acknowledged


def kill(times: int, folder: Path, luck: random.Random) -> int:
    """Kill a playing process some times; return how many acknowledged actions were looked for and found.

    Raises AssertionError when one is gone, or a table does not open or does not add up.
    """
    store = Store(folder / "tables.sqlite")
    table = Tables(store, {"toy": TOY}).create("toy").table
    Tables(store, {"toy": TOY}).join(table, "red", "Red")
    store.close()
    found = 0
    acknowledged: dict[str, int] = {}
    for run in range(times):
        now = kill_once(folder, table, str(run), luck.randrange(1, 60))
        acknowledged |= now
        store = Store(folder / "tables.sqlite")
        tables = Tables(store, {"toy": TOY})
        seen = tables.seen(table, "red")
        lines = {line.seq: line for line in tables.report(table, "red")}
        added = sum(line.kind == "action" for line in lines.values())
        assert sorted(lines) == list(range(1, len(lines) + 1)), "the log has a gap"
        assert seen.last is not None, "nothing was kept"
        assert seen.last.seq == len(lines), "the state is not the newest entry's"
        with store.read() as books:
            for key, seq in acknowledged.items():
                (entry,) = books.entries(table, seq, seq)
                assert entry.action == {"action": "add", "points": 1, "note": key}, f"{key} is gone"
            for key in now:
                assert books.done(table, "red", key) is not None, f"{key} would be done twice"
            state = books.entries(table, len(lines), len(lines))[0].state or ""
        assert f'"red":{added}' in state, "the state does not add up"
        found = len(acknowledged)
        store.close()
    return found


def main() -> None:
    if sys.argv[1:2] == ["--play"]:
        play(Path(sys.argv[2]), *sys.argv[3:5])
    times = int(sys.argv[1]) if sys.argv[1:] else 200
    with tempfile.TemporaryDirectory() as folder:
        found = kill(times, Path(folder), random.Random())
    print(f"killed {times} times: {found} acknowledged actions, 0 lost, every table opened")


if __name__ == "__main__":
    main()
