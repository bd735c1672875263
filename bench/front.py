"""Rounds of History of War with forty units in play: the page, and each unit that is moved, against one insert."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.phase import Marching, marched

if TYPE_CHECKING:
    from bench.app_server import AppServer
    from bench.figures import Figure

SEATS = ("blue", "red")
UNITS = 40
DECK = """
name = "Bench"

[[territory]]
name = "Plain"
flags = 30
victory_points = 30
count = 2

[[unit]]
name = "Rifles"
category = "ground"
flags = 1
av_ground = 1
dv = 2
count = 99
"""
WANTED = ("keep", "lay_down", "build", "deploy", "discard", "scrap", "done")
"""What brings the rounds on, the first that is offered."""


class Fronting(Marching):
    """Build until there are forty units, and then move them to territories and back."""

    def begin(self) -> None:
        """Begin a new table, and build."""
        made = self.ask("POST", "/api/tables", {"game": "history_of_war", "seats": dict.fromkeys(SEATS, "Player")})
        self.table = made["table"]
        self.tokens = {seat["seat"]: seat["token"] for seat in made["seats"]}
        self.seats = list(SEATS)
        for seat in SEATS:
            self.act(seat, {"action": "load_deck", "text": DECK})
            self.act(seat, {"action": "ready"})
        self.settle()
        while self.units() < UNITS:
            self.forward()

    def units(self) -> int:
        panels = self.seen("blue")["view"]["panels"]
        tableau = next((panel for panel in panels if panel["type"] == "tableau"), {"rows": []})
        return sum(len(zone["pieces"]) for row in tableau["rows"] for zone in row)

    def forward(self) -> None:
        """Do what brings the rounds on."""
        seat = self.seen("blue")["view"]["to_move"][0]
        offers = self.seen(seat)["offers"]
        offer = next(one for wanted in WANTED for one in offers if one["action"] == wanted)
        self.act(seat, {"action": offer["action"], **offer["given"], **self.chosen(offer)})

    def march(self) -> tuple[str, dict[str, Any]]:
        """Choose the next unit to move; where none can be moved the round goes on."""
        while True:
            for seat in SEATS:
                moves = [one for one in self.seen(seat)["offers"] if one["action"] in {"deploy", "retreat"}]
                if moves:
                    offer = self.luck.choice(moves)
                    return seat, {"action": offer["action"], **offer["given"], **self.chosen(offer)}
            self.forward()


def measure(server: AppServer) -> list[Figure]:
    """Move units between the deployment area and the territories."""
    return marched(server, Fronting(server.port), f"move of one of {UNITS} units of History of War")
