"""What is measured is served as the product is."""

from __future__ import annotations

import asyncio
from http.client import HTTPConnection
from typing import TYPE_CHECKING

from bench import phones
from bench.app_server import running

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_measured_begins_and_answers(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        connection = HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()


def test_phones_that_are_measured_hear_every_change_packed(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        last, sizes, whole = asyncio.run(phones.crowded(server, min(phones.SIZES), 2, 0, alike=False))
    assert last.got.endswith("ms")
    for figure in (sizes, whole):
        plain, packed = figure.got.removesuffix(" kB").split(" / ")
        assert 0 < float(packed) < float(plain)
