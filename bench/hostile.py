"""What hostile files cost: the memory of the server while they are sent to it, and how long a page takes meanwhile."""

from __future__ import annotations

import json
import threading
import time
import zlib
from base64 import b64encode
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.app_server import AppServer, running
from bench.figures import Figure, spread, timed
from bench.player import Player

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = 60_000_000
"""Bytes of a file, a little less than a file may have."""
AT_ONCE = 3
"""How many people send it at the same time."""
QUIET = 3
"""Seconds of looking at a page while nothing is sent."""
PAUSE = 0.02
"""Seconds between two looks at a page."""


def table(contents: str, title: str = "") -> bytes:
    """Write what begins as an exported table does, and ends with what it holds."""
    head: dict[str, Any] = {
        "format": "companion-table",
        "edition": 1,
        "game": "two_cities",
        "title": title,
        "options": {},
        "dice": "app",
        "created": "2026-01-01T12:00:00+00:00",
        "seats": [{"seat": seat, "name": ""} for seat in ("black", "rulekeeper", "white")],
    }
    return f'{json.dumps(head)[:-1]}, "contents": {contents}}}'.encode()


def folded(contents: bytes) -> str:
    """Fold what a file holds as an export does."""
    return json.dumps(b64encode(zlib.compress(contents, 9)).decode())


def within(begin: str, often: str, end: str) -> bytes:
    """Write a file of the full size that says one thing again and again."""
    return (begin + often * ((SIZE - len(begin) - len(end)) // len(often)) + end).encode()


def names() -> str:
    """Write the members of an object as long as a piece of a file may be; each takes far more than its letters."""
    return ",".join(f'"{number:x}":0' for number in range(400_000))


START = (
    '{"seq": 1, "base": 0, "at": "2026-01-01T12:00:00+00:00", "kind": "start", "seat": "white", "by": "white", '
    '"who": "", "headline": {"say": "'
)
"""How an entry begins, up to its sentence."""

FILES: dict[str, Callable[[], bytes]] = {
    "a title of 60 million letters": lambda: table(f'{{"log": [{START}"}}}}]}}', "x" * SIZE),
    "80 kB that unfold to a sentence of 60 MB": lambda: table(folded(within('{"log": [' + START, "x", '"}}]}'))),
    "80 kB that unfold to 20 million lists": lambda: table(folded(within('{"log": [[', "[],", "[]]]}"))),
    "80 kB that unfold to 30 million numbers": lambda: table(folded(within('{"log": [', "1,", "1]}"))),
    "a state of 400,000 names": lambda: table(f'{{"log": [{START}"}}, "state": {{{names()}}}}}]}}'),
    "400,000 names among the options": lambda: table('""').replace(
        b'"options": {}', f'"options": {{{names()}}}'.encode()
    ),
    "20 million lists": lambda: within(table("").decode()[:-1] + '{"log": [[', "[],", "[]]]}}"),
    "60 MB that are no table": lambda: b"\xff" * SIZE,
}
"""What is sent, and how it is made."""


def sent(port: int, file: bytes, statuses: list[int]) -> None:
    """Send a file as the form of the page does; a server that does not want all of it may hang up."""
    head = b'--cut\r\nContent-Disposition: form-data; name="file"; filename="table.json"\r\n\r\n'
    with closing(HTTPConnection("127.0.0.1", port, timeout=300)) as line, suppress(OSError):
        kind = {"Content-Type": "multipart/form-data; boundary=cut"}
        line.request("POST", "/import", head + file + b"\r\n--cut--\r\n", kind)
        statuses.append(line.getresponse().status)


class Looking(threading.Thread):
    """Look at the page of a table again and again."""

    def __init__(self, port: int, table: str) -> None:
        super().__init__(daemon=True)
        self.port = port
        self.table = table
        self.took: list[float] = []
        self.over = threading.Event()

    def run(self) -> None:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=300)) as line:
            while not self.over.wait(PAUSE):
                with timed(self.took):
                    line.request("GET", f"/t/{self.table}/screen")
                    answer = line.getresponse()
                    answer.read()
                assert answer.status == 200


def peak(server: AppServer, *, since_now: bool = False) -> float:
    """Return the most memory that the server has had, in megabytes; ``since_now`` begins anew (Linux only)."""
    process = Path(f"/proc/{server.pid}")
    if since_now:
        (process / "clear_refs").write_text("5")
    line = next(line for line in (process / "status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def measure(folder: Path) -> list[Figure]:
    """Send each file three times at once; nothing where the system does not tell how much memory a process has."""
    figures: list[Figure] = []
    with running(folder) as server:
        player = Player(server.port)
        if server.memory() is None:
            return figures
        idle = server.memory() or 0
        figures.append(Figure("the server before", f"{idle:.0f} MB"))
        alone = Looking(server.port, player.table)
        alone.start()
        time.sleep(QUIET)
        alone.over.set()
        alone.join()
        took: list[float] = []
        for what, make in FILES.items():
            file, statuses = make(), list[int]()
            peak(server, since_now=True)
            looking = Looking(server.port, player.table)
            looking.start()
            senders = [threading.Thread(target=sent, args=(server.port, file, statuses)) for _ in range(AT_ONCE)]
            for sender in senders:
                sender.start()
            for sender in senders:
                sender.join()
            time.sleep(1)
            looking.over.set()
            looking.join()
            took += looking.took
            assert all(400 <= status < 500 for status in statuses), (what, statuses)
            most = peak(server) - idle
            figures.append(Figure(f"{AT_ONCE} times {what}", f"{most:+.0f} MB", "at most +150 MB"))
        figures.append(Figure("a page before (p50 / p99)", spread(alone.took)))
        figures.append(Figure("a page meanwhile (p50 / p99)", spread(took)))
    return figures
