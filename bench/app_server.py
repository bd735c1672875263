"""The server that is measured, in a process of its own: the real app, and beside it the floor to compare with."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from flask import Response, request

from companion import create_app
from companion.network import listen
from companion.serve import serve
from companion.web.state import NAME

if TYPE_CHECKING:
    from collections.abc import Iterator


class AppServer(NamedTuple):
    """A running server: its port and its process."""

    port: int
    pid: int

    def memory(self) -> float | None:
        """Return the resident memory in megabytes; None where the system does not tell."""
        status = Path(f"/proc/{self.pid}/status")
        if not status.exists():
            return None
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024


class Floor:
    """Answer a POST with one durable insert and nothing else."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.local = threading.local()

    def __call__(self) -> Response:
        if not hasattr(self.local, "db"):
            self.local.db = sqlite3.connect(self.path, isolation_level=None)
            self.local.db.execute("PRAGMA journal_mode=WAL")
            self.local.db.execute("PRAGMA synchronous=FULL")
            self.local.db.execute("CREATE TABLE IF NOT EXISTS floor (id INTEGER PRIMARY KEY, body TEXT)")
        self.local.db.execute("INSERT INTO floor (body) VALUES (?)", (request.get_data(as_text=True),))
        return Response('{"version": 1}', mimetype="application/json")


@contextmanager
def running(folder: Path) -> Iterator[AppServer]:
    """Run the server in another process over the tables of a folder."""
    with subprocess.Popen(
        [sys.executable, "-m", "bench.app_server", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        try:
            yield AppServer(int(process.stdout.readline()), process.pid)
        finally:
            process.stdin.close()
            process.terminate()


def main(folder: Path) -> None:
    app = create_app(folder)
    app.add_url_rule("/floor", "floor", Floor(folder / "floor.sqlite"), methods=["POST"])
    server_socket = listen("127.0.0.1", 0)
    serve(
        app,
        app.extensions[NAME].live,
        server_socket,
        lambda: print(server_socket.getsockname()[1], flush=True),
        lambda: None,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
