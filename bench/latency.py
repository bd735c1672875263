"""Action latency: from a POST to its durable answer, against one durable insert through the same server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.figures import Figure, percentile, spread, timed
from bench.player import Player

if TYPE_CHECKING:
    from bench.app_server import AppServer

ROUNDS = 1500


def measure(server: AppServer) -> list[Figure]:
    """Play at random; each action is measured right after a floor, so that both meet the same machine."""
    player = Player(server.port)
    floors: list[float] = []
    actions: list[float] = []
    for number in range(ROUNDS):
        token, path, body = player.next()
        with timed(floors):
            player.ask("POST", "/floor", body, token)
        with timed(actions):
            player.ask("POST", path, body, token)
        if number == 100:
            floors.clear(), actions.clear()
    middle, slow = (percentile(actions, part) / percentile(floors, part) for part in (50, 99))
    return [
        Figure("floor: one durable insert (p50 / p99)", spread(floors)),
        Figure("action: POST to durable answer (p50 / p99)", spread(actions)),
        Figure("action / floor (p50 / p99)", f"{middle:.2f} / {slow:.2f}", "p99 at most 1.5"),
    ]
