"""A movement phase of two armies of twenty on a mirrored board: the page, and each move, against one durable insert."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.figures import Figure, percentile, spread, timed
from bench.phones import cookie
from bench.player import Player
from bench.weight import fetch

if TYPE_CHECKING:
    from bench.app_server import AppServer

ROUNDS = 600
ARMIES = {
    "white": {"army": "humans", "rook": 4, "bishop": 4, "pawn": 11},
    "black": {"army": "ratmen", "queen": 1, "pawn": 16},
}


class Marching(Player):
    """Move one unit after the other, and end the turn when all have moved."""

    def begin(self) -> None:
        """Begin a new table with two armies deployed."""
        made = self.ask(
            "POST",
            "/api/tables",
            {"game": "chesswar", "seats": dict.fromkeys(ARMIES, "Player"), "options": {"race": "secret"}},
        )
        self.table = made["table"]
        self.tokens = {seat["seat"]: seat["token"] for seat in made["seats"]}
        self.seats = list(ARMIES)
        for seat, army in ARMIES.items():
            self.act(seat, {"action": "raise_army", **army})
            self.act(seat, {"action": "ready"})
        for seat in self.seats:
            if any(offer["action"] == "ready" for offer in self.seen(seat)["offers"]):
                self.act(seat, {"action": "ready"})

    def seen(self, seat: str) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("GET", f"/api/tables/{self.table}", token=self.tokens[seat])
        return found

    def act(self, seat: str, action: dict[str, Any]) -> None:
        body = {"action": action, "key": f"key-{next(self.keys)}"}
        self.ask("POST", f"/api/tables/{self.table}/actions", body, self.tokens[seat])

    def answer(self, seat: str, value: str | None) -> None:
        """Answer what a seat is asked: with one of the choices, or (None) by rolling."""
        given: dict[str, Any] = {"roll": True} if value is None else {"value": value}
        body = {"answer": given, "key": f"key-{next(self.keys)}"}
        self.ask("POST", f"/api/tables/{self.table}/answers", body, self.tokens[seat])

    def settle(self) -> None:
        """Answer whatever is asked: roll, or take the first choice."""
        while (asking := next((seat for seat in self.seats if self.seen(seat)["asked"]), None)) is not None:
            question = self.seen(asking)["asked"]["question"]
            self.answer(asking, None if question["type"] == "throw" else question["options"][0]["value"])

    def chosen(self, offer: dict[str, Any]) -> dict[str, Any]:
        """Choose as many as are asked for of several, and any one of others."""
        found = {}
        for field in offer["fields"]:
            values = [option["value"] for option in field["options"] if not option["barred"]]
            found[field["name"]] = self.several(values) if field["kind"] == "many" else self.luck.choice(values)
        return found

    def several(self, values: list[str]) -> list[str]:
        """Choose of several: the first."""
        return values[:1]

    def march(self) -> tuple[str, dict[str, Any]]:
        """Choose the next move: the seat and the action; whoever has moved all ends the turn first."""
        while True:
            for seat in self.seats:
                moves = [offer for offer in self.seen(seat)["offers"] if offer["action"] == "move"]
                if moves:
                    offer = self.luck.choice(moves)
                    to = self.luck.choice([option["value"] for option in offer["fields"][0]["options"]])
                    return seat, {"action": "move", **offer["given"], "to": to}
            for seat in self.seats:
                if any(offer["action"] == "end_phase" for offer in self.seen(seat)["offers"]):
                    self.act(seat, {"action": "end_phase"})
                    break


def measure(server: AppServer) -> list[Figure]:
    """March with two armies of ChessWar."""
    return marched(server, Marching(server.port), "move of one of 20 units")


def marched(server: AppServer, player: Marching, what: str) -> list[Figure]:
    """March; each move and each page is measured right after a floor, so that all meet the same machine."""
    floors: list[float] = []
    moves: list[float] = []
    pages: list[float] = []
    held = {seat: cookie(server, player.table, seat, token) for seat, token in player.tokens.items()}
    size = 0
    for number in range(ROUNDS):
        seat, action = player.march()
        body = {"action": action, "key": f"key-{next(player.keys)}"}
        with timed(floors):
            player.ask("POST", "/floor", body, player.tokens[seat])
        with timed(moves):
            player.ask("POST", f"/api/tables/{player.table}/actions", body, player.tokens[seat])
        with timed(pages):
            size, _ = fetch(server, f"/t/{player.table}/{seat}", held[seat])
        if number == 50:
            floors.clear(), moves.clear(), pages.clear()
    middle, slow = (percentile(moves, part) / percentile(floors, part) for part in (50, 99))
    return [
        Figure("floor: one durable insert (p50 / p99)", spread(floors)),
        Figure(f"{what}: POST to durable answer (p50 / p99)", spread(moves)),
        Figure("move / floor (p50 / p99)", f"{middle:.2f} / {slow:.2f}", "p99 at most 1.5"),
        Figure("the page after it (p50 / p99)", spread(pages)),
        Figure("the page, gzip", f"{size / 1000:.1f} kB"),
    ]
