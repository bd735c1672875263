"""A player that does any legal thing, through the JSON API or any other way to the same tables."""

from __future__ import annotations

import json
import random
from http.client import HTTPConnection
from itertools import count
from typing import Any

GAME = "two_cities"

Request = tuple[str, dict[str, Any]]


def chosen(field: dict[str, Any], luck: random.Random) -> Any:
    """Fill one field of an offer."""
    open_ones = [option["value"] for option in field.get("options", ()) if option.get("barred") is None]
    match field["kind"]:
        case "choice":
            return luck.choice(open_ones)
        case "many":
            return [value for value in open_ones if luck.random() < 0.5]
        case "number":
            return luck.randint(field.get("low", 0), field.get("high", 0))
        case "yes_no":
            return luck.random() < 0.5
        case "file":
            return field["value"]
    return "words"


def request(seen: dict[str, Any], key: str, luck: random.Random, *, stay: bool = False) -> Request | None:
    """Choose what a seat does next: where to send it and what; None when it has nothing to do.

    With ``stay`` nothing is done that leads the game on.
    """
    asked = seen["asked"]
    if asked is not None:
        question = asked["question"]
        value = {"roll": True}
        if "options" in question:
            open_ones = [option["value"] for option in question["options"] if option.get("barred") is None]
            value = {"value": luck.choice(open_ones)}
        return "/answers", {"answer": value, "key": key}
    offers = [offer for offer in seen["offers"] if not offer.get("grave") and not (stay and offer.get("main"))]
    if not offers or seen["waiting"]:
        return None
    eager = [offer for offer in offers if offer.get("main") or offer.get("chancy")]
    offer = luck.choice(eager if eager and luck.random() < 0.5 else offers)
    fields = {field["name"]: chosen(field, luck) for field in offer.get("fields", ())}
    return "/actions", {"action": {"action": offer["action"], **offer.get("given", {}), **fields}, "key": key}


class Player:
    """Play both sides of one table after another over HTTP."""

    def __init__(self, port: int, seed: int = 1) -> None:
        self.line = HTTPConnection("127.0.0.1", port, timeout=30)
        self.luck = random.Random(seed)
        self.keys = count()
        self.begin()

    def begin(self) -> None:
        """Begin a new table."""
        games = self.ask("GET", "/api/games")["games"]
        seats = next(game["seats"] for game in games if game["game"] == GAME)
        made = self.ask("POST", "/api/tables", {"game": GAME, "seats": {seat: f"Player {seat}" for seat in seats}})
        self.table = made["table"]
        self.tokens = {seat["seat"]: seat["token"] for seat in made["seats"]}
        self.seats = list(seats)
        for seat in self.seats:
            self.agree(seat)

    def agree(self, seat: str) -> None:
        """Take what stands ready before the first turn as it is, so that games are played and not only set up."""
        token = self.tokens[seat]
        offers = self.ask("GET", f"/api/tables/{self.table}", token=token)["offers"]
        for offer in (one for one in offers if one.get("main") and not one.get("fields")):
            body = {"action": {"action": offer["action"], **offer.get("given", {})}, "key": f"key-{next(self.keys)}"}
            self.ask("POST", f"/api/tables/{self.table}/actions", body, token)
            break

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """Ask and return the answer; AssertionError when it is refused."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self.line.request(method, path, None if body is None else json.dumps(body).encode(), headers)
        answer = self.line.getresponse()
        text = answer.read()
        assert answer.status < 300, (method, path, body, text)
        return json.loads(text)

    def next(self) -> tuple[str, str, dict[str, Any]]:
        """Choose what to send next: the token, the path and the body; a game that is over gives way to a new one."""
        for _ in range(2):
            for seat in self.seats:
                token = self.tokens[seat]
                seen = self.ask("GET", f"/api/tables/{self.table}", token=token)
                wanted = request(seen, f"key-{next(self.keys)}", self.luck)
                if wanted is not None:
                    return token, f"/api/tables/{self.table}{wanted[0]}", wanted[1]
            self.begin()
        raise AssertionError("nobody has anything to do")
