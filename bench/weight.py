"""Page weight: every byte and request until a phone can play, as a browser that understands gzip gets them."""

from __future__ import annotations

import gzip
import re
from http.client import HTTPConnection
from typing import TYPE_CHECKING

from bench.figures import Figure
from bench.phones import cookie
from bench.player import Player

if TYPE_CHECKING:
    from bench.app_server import AppServer

PARTS = re.compile(rb'<(?:script|img|source|use)\b[^>]*?(?:src|href)="([^"#]+)|<link\b[^>]*?href="([^"#]+)')


def fetch(server: AppServer, path: str, held: str) -> tuple[int, bytes]:
    """Get one address; return the bytes on the line, headers included, and the content."""
    line = HTTPConnection("127.0.0.1", server.port, timeout=30)
    line.request("GET", path, headers={"Accept-Encoding": "gzip", "Cookie": held})
    answer = line.getresponse()
    assert answer.status == 200, (path, answer.status)
    body = answer.read()
    line.close()
    return len(body) + sum(len(f"{name}: {value}\r\n") for name, value in answer.getheaders()), body


def measure(server: AppServer) -> list[Figure]:
    """Weigh the play page of a seat that was dealt its cards."""
    player = Player(server.port)
    for _ in range(4):
        token, path, body = player.next()
        player.ask("POST", path, body, token)
    seat = player.seats[0]
    held = cookie(server, player.table, seat, player.tokens[seat])
    size, page = fetch(server, f"/t/{player.table}/{seat}", held)
    if page[:2] == b"\x1f\x8b":
        page = gzip.decompress(page)
    addresses = ((one or other).decode() for one, other in PARTS.findall(page))
    parts = dict.fromkeys(address for address in addresses if address.startswith("/"))
    sizes = {"the page": size} | {path: fetch(server, path, held)[0] for path in parts}
    figures = [Figure(f"  {path.rpartition('/')[2]}", f"{size / 1000:.1f} kB") for path, size in sizes.items()]
    return [
        Figure("all bytes to the first usable play page", f"{sum(sizes.values()) / 1000:.1f} kB", "60 kB"),
        Figure("requests (the live stream is one more)", str(len(sizes)), "8"),
        *figures,
    ]
