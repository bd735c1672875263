"""The tour of the API: every command in it does what it says."""

from __future__ import annotations

import json
import re
import shlex
from functools import reduce
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion import create_app
from companion.web.api.openapi import ROUTES
from tests.support.paths import ROOT

TOUR = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


def run(client: FlaskClient, command: str) -> TestResponse:
    """Do what ``curl`` would, with the app itself."""
    address, body, headers = "", None, {}
    parts = iter(shlex.split(command, comments=True)[1:])
    for part in parts:
        match part:
            case "-s":
                continue
            case "-H":
                name, _, value = next(parts).partition(": ")
                headers[name] = value
            case "--json":
                body = next(parts)
            case _:
                assert not address, command
                address = part
    headers["Content-Type"] = "application/json"
    return client.open(address, method="GET" if body is None else "POST", data=body, headers=headers)


def test_every_command_works(tmp_path: Path) -> None:
    client = create_app(tmp_path).test_client()
    commands = [
        command
        for block in re.findall(r"```sh\n(.*?)```", TOUR, flags=re.DOTALL)
        for command in block.replace("\\\n", " ").splitlines()
        if command.startswith("curl")
    ]
    assert len(commands) >= 8
    places = {"$api": "/api"}
    for command in commands:
        filled = reduce(lambda text, place: text.replace(*place), places.items(), command)
        answer = run(client, filled)
        assert answer.status_code in {200, 201}, (command, answer.text)
        if answer.status_code == 201:
            seats = {seat["seat"]: seat["token"] for seat in answer.json["seats"]}
            places |= {"$table": answer.json["table"], "$token": seats["white"]}
    assert "$table" in places


def test_every_example_of_a_body_can_be_read(tmp_path: Path) -> None:
    lines = re.findall(r"^(GET|POST) +/api/tables/\$table(/[\w-]+)\S* *(\{.*\})?", TOUR, flags=re.MULTILINE)
    assert len(lines) >= 8
    served = {(route.method, route.path): route for route in ROUTES}
    for method, path, body in lines:
        takes = served[method, f"/tables/<table>{path}"].takes
        assert bool(body) == (takes is not None)
        assert takes is None or json.loads(body).keys() <= set(takes.__struct_fields__)


def test_the_example_of_a_problem_is_real(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", TOUR, flags=re.DOTALL)
    body: dict[str, Any] = {"facts": {}, "choices": {"evasion": "no"}, "dice": [1, 2, 3, 5]}
    told = create_app(tmp_path).test_client().post("/api/games/two_cities/lookups/melee", json=body)
    assert told.json == json.loads(shown)


def test_the_tour_names_every_route() -> None:
    for route in ROUTES:
        last = route.path.rpartition("/")[2]
        assert last in TOUR or f"/{last}" in TOUR, route.path
