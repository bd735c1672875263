"""Hostile load: half requests at a low limit of files, and a database that another process holds."""

from __future__ import annotations

import socket
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TYPE_CHECKING

from bench.app_server import AppServer, main
from bench.figures import Figure, percentile, timed
from bench.player import Player

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = 256
HALF = 500
ROUNDS = 100
TAPS = 12
HALF_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: "
HALF_BODY = b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{"


@contextmanager
def limited(folder: Path, files: int) -> Iterator[tuple[AppServer, Path]]:
    """Run the server with so many files at most; also tell where its words to the terminal are."""
    words = folder / "words.txt"
    with (
        words.open("wb") as told,
        subprocess.Popen(
            [sys.executable, "-m", "bench.hostile_load", str(folder), str(files)],
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
        ) as process,
    ):
        assert process.stdout
        try:
            yield AppServer(int(process.stdout.readline()), process.pid), words
        finally:
            process.terminate()


class Crowd:
    """Open half requests, and open again what was cut off, until it is enough."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.enough = threading.Event()
        self.opened = 0

    def __call__(self) -> None:
        lines: list[tuple[socket.socket, bytes]] = []
        sent = [HALF_HEAD, HALF_BODY] * HALF
        while not self.enough.is_set():
            for half in sent:
                with suppress(OSError):
                    lines.append((socket.create_connection(("127.0.0.1", self.port), 5), half))
                    lines[-1][0].sendall(half)
                    self.opened += 1
                if self.enough.is_set():
                    break
            self.enough.wait(1)
            sent = [half for line, half in lines if _gone(line)]
            lines = [(line, half) for line, half in lines if line.fileno() >= 0]
        for line, _ in lines:
            line.close()


def _gone(line: socket.socket) -> bool:
    line.settimeout(0)
    try:
        alive = line.recv(1) != b""
    except BlockingIOError:
        return False
    except OSError:
        alive = False
    if not alive:
        line.close()
    return not alive


def page(port: int, path: str) -> int:
    """Load a page over a connection of its own; return its status, 0 where nothing came."""
    line = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        line.request("GET", path)
        answer = line.getresponse()
        answer.read()
    except (OSError, HTTPException):
        return 0
    finally:
        line.close()
    return answer.status


def half_requests(folder: Path) -> list[Figure]:
    """Play on one phone while half requests are held open."""
    with limited(folder, FILES) as (server, words):
        before = server.memory() or 0.0
        crowd = Crowd(server.port)
        thread = threading.Thread(target=crowd)
        thread.start()
        actions: list[float] = []
        pages: list[float] = []
        missed = 0
        try:
            while crowd.opened < 2 * HALF and thread.is_alive():
                time.sleep(0.1)
            player = Player(server.port)
            for _ in range(ROUNDS):
                token, path, body = player.next()
                with timed(actions):
                    player.ask("POST", path, body, token)
                with timed(pages):
                    missed += page(server.port, f"/t/{player.table}/screen") != 200
        except (OSError, HTTPException) as wrong:
            return [Figure(f"{2 * HALF} half requests, {FILES} files", f"no play: {wrong!r}", "play")]
        finally:
            crowd.enough.set()
            thread.join()
        after = server.memory() or 0.0
    return [
        Figure(f"{2 * HALF} half requests, {FILES} files: opened", f"{crowd.opened}"),
        Figure("action of one phone (p50 / p99)", _both(actions)),
        Figure("page over a new connection (p50 / p99)", _both(pages)),
        Figure("pages that did not come", f"{missed} of {ROUNDS}", "0"),
        Figure("memory above idle", f"{after - before:.0f} MB"),
        Figure("lines in the terminal", f"{len(words.read_bytes().splitlines())}", "one a minute"),
    ]


def busy(folder: Path) -> list[Figure]:
    """Tap and load pages while another process holds the write lock."""
    with limited(folder, 1024) as (server, _):
        players = [Player(server.port, seed) for seed in range(TAPS)]
        sent = [(player, *player.next()) for player in players]
        lock = sqlite3.connect(folder / "tables.sqlite", isolation_level=None)
        pages: list[float] = []
        taps: list[float] = []
        missed = 0
        page(server.port, f"/t/{players[0].table}/screen")  # what is made for the first page is not measured

        def tap(player: Player, token: str, path: str, body: object) -> None:
            began = time.perf_counter()
            with suppress(AssertionError, OSError):
                player.ask("POST", path, body, token)
            taps.append(time.perf_counter() - began)

        try:
            lock.execute("begin immediate")
            with ThreadPoolExecutor(TAPS) as phones:
                waiting = [phones.submit(tap, *one) for one in sent]
                while not all(one.done() for one in waiting):
                    with timed(pages):
                        missed += page(server.port, f"/t/{players[0].table}/screen") != 200
                    time.sleep(0.05)
        finally:
            lock.close()
        again: list[float] = []
        players[0].line.close()
        with timed(again):
            players[0].ask("POST", sent[0][2], sent[0][3], sent[0][1])
    return [
        Figure(f"{TAPS} taps at a locked database: the last answer", f"{max(taps):.1f} s", "5 s"),
        Figure("page meanwhile (p50 / p99)", _both(pages), "p99 100 ms"),
        Figure("pages that did not come", f"{missed} of {len(pages)}", "0"),
        Figure("the tap again, afterwards", f"{again[0] * 1e3:.0f} ms"),
    ]


def _both(seconds: list[float]) -> str:
    return f"{percentile(seconds, 50) * 1e3:.0f} / {percentile(seconds, 99) * 1e3:.0f} ms"


def measure(folder: Path) -> list[Figure]:
    """Measure both."""
    (folder / "half").mkdir()
    (folder / "busy").mkdir()
    return half_requests(folder / "half") + busy(folder / "busy")


def serve(folder: Path, files: int) -> None:
    """Serve with so many files at most."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    main(folder)


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
