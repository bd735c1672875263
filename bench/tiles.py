"""Turns of Pocket-Tactics on a map of twenty tiles: the page, and each move or deployment, against one insert."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.phase import Marching, marched

if TYPE_CHECKING:
    from bench.app_server import AppServer
    from bench.figures import Figure

SAMPLES = {"blue": "bannermen_sample", "red": "wildkin_sample"}
BAG = """
name = "Bench"

[[tile]]
terrain = "field"
count = 20
"""
BEFORE = ("place_tile", "place_base", "set_out")
"""What builds the map, the first that is offered."""


class Turning(Marching):
    """Build a map, and then move and deploy units in turns."""

    def begin(self) -> None:
        """Begin a new table, build the map, and set the first units out."""
        made = self.ask("POST", "/api/tables", {"game": "pocket_tactics", "seats": dict.fromkeys(SAMPLES, "Player")})
        self.table = made["table"]
        self.tokens = {seat["seat"]: seat["token"] for seat in made["seats"]}
        self.seats = list(SAMPLES)
        for seat, sample in SAMPLES.items():
            self.act(seat, {"action": "use_sample", "sample": sample})
        self.act("blue", {"action": "load_bag", "text": BAG})
        for seat in self.seats:
            self.act(seat, {"action": "ready"})
        self.settle()
        while (offer := self.offer(BEFORE)) is not None:
            self.act(self.active(), {"action": offer["action"], **offer["given"], **self.chosen(offer)})

    def active(self) -> str:
        seat: str = self.seen("blue")["view"]["to_move"][0]
        return seat

    def offer(self, wanted: tuple[str, ...]) -> dict[str, Any] | None:
        """Find any of the offers wanted of whoever acts."""
        offers = self.seen(self.active())["offers"]
        found = [one for one in offers if one["action"] in wanted]
        return self.luck.choice(found) if found else None

    def march(self) -> tuple[str, dict[str, Any]]:
        """Choose the next move or deployment."""
        offer = self.offer(("move", "deploy")) or self.offer(("pass",))
        assert offer is not None
        return self.active(), {"action": offer["action"], **offer["given"], **self.chosen(offer)}


def measure(server: AppServer) -> list[Figure]:
    """Move and deploy units on a map without hazards."""
    return marched(server, Turning(server.port), "a turn of Pocket-Tactics on a map of 20 tiles")
