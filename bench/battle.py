"""A battle of 2GM Tactics with twenty units on a mirrored battlefield: the page, and each move, against one insert."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.phase import Marching, marched

if TYPE_CHECKING:
    from bench.app_server import AppServer
    from bench.figures import Figure

SIDES = ("allies", "axis")
UNITS = 20
DECK = """
name = "Bench"
headquarters = { pi = 99, income = 20, ap_cap = 99 }

[[unit]]
name = "Rifles"
family = "infantry"
cost = 1
movement = 1
wounds = 3
count = 99
weapon = [{ name = "rifle", range = 2, hit = 5, crit = 10, penetration = 2, damage = 1 }]
"""


class Battling(Marching):
    """Deploy until there are twenty units, and then move one after the other."""

    def begin(self) -> None:
        """Begin a new table, and deploy."""
        made = self.ask("POST", "/api/tables", {"game": "tactics_2gm", "seats": dict.fromkeys(SIDES, "Player")})
        self.table = made["table"]
        self.tokens = {seat["seat"]: seat["token"] for seat in made["seats"]}
        self.seats = list(SIDES)
        for seat in SIDES:
            self.act(seat, {"action": "load_deck", "text": DECK})
            self.act(seat, {"action": "ready"})
        for seat in SIDES:
            self.answer(seat, "0")
        self.settle()
        for seat in SIDES:
            self.act(seat, {"action": "keep"})
        while self.deployed() < UNITS:
            self.forward()

    def deployed(self) -> int:
        panels = self.seen("allies")["view"]["panels"]
        board = next(panel for panel in panels if panel["type"] == "board")
        return sum(piece["id"].startswith("u") for piece in board["pieces"])

    def forward(self) -> None:
        """Do what brings the battle on: deploy, move a line forward, take the income, end the phase."""
        seat = self.seen("allies")["view"]["to_move"][0]
        offers = self.seen(seat)["offers"]
        for wanted in ("income", "deploy", "move", "discard", "end_phase"):
            offer = next((one for one in offers if one["action"] == wanted), None)
            if offer is not None:
                self.act(seat, {"action": wanted, **offer["given"], **self.chosen(offer)})
                return

    def several(self, values: list[str]) -> list[str]:
        """Choose of several: all but seven, which a hand may hold."""
        return values[: len(values) - 7]

    def march(self) -> tuple[str, dict[str, Any]]:
        """Choose the next move; whoever has moved all goes on."""
        while True:
            for seat in SIDES:
                moves = [offer for offer in self.seen(seat)["offers"] if offer["action"] == "move"]
                if moves:
                    offer = self.luck.choice(moves)
                    return seat, {"action": "move", **offer["given"], **self.chosen(offer)}
            seat = self.seen("allies")["view"]["to_move"][0]
            offers = {offer["action"]: offer for offer in self.seen(seat)["offers"]}
            offer = offers.get("income") or offers.get("discard") or offers["end_phase"]
            self.act(seat, {"action": offer["action"], **offer["given"], **self.chosen(offer)})


def measure(server: AppServer) -> list[Figure]:
    """Move in a battle."""
    return marched(server, Battling(server.port), "move of one of 20 units of 2GM Tactics")
