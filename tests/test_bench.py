"""What is measured is served as the product is."""

from __future__ import annotations

from http.client import HTTPConnection
from typing import TYPE_CHECKING

from bench.app_server import running

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_measured_begins_and_answers(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        connection = HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()
