"""Random games with something to see, and what is in the files of their stories."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

from companion.games import discover
from tests.support.random_game import RandomGame

if TYPE_CHECKING:
    from companion.table.tables import Tables

SEEDS = {"chesswar": 6, "free_table": 14, "history_of_war": 5, "pocket_tactics": 6, "tactics_2gm": 6, "two_cities": 14}
"""Of each game a table with a board, a tableau or trackers, and with hands where it has any."""
FILM = re.compile(r'<script type="application/json" id="film">(.*?)</script>', re.DOTALL)
ENDLESS = {"br", "circle", "input", "link", "meta", "path", "rect", "stop", "use", "polyline", "polygon", "ellipse"}
"""Elements without an end of their own, in HTML or as they are drawn."""


def played(tables: Tables, name: str, entries: int) -> RandomGame:
    """Play a game at random until its log is that long, or nobody can do anything."""
    game = RandomGame(tables, discover()[name], SEEDS.get(name, 0))
    for _ in range(4 * entries):
        if tables.log(game.table, "screen", None, 1)[0].seq >= entries or game.over() or not game.step():
            break
    return game


def end(tables: Tables, table: str) -> None:
    """End a table where it stands, whoever would have to agree."""
    with tables._store.write() as books:
        books._run("update tables set ended = 1, version = version + 1 where id = ?", (table,))


def film(file: str) -> dict[str, Any]:
    """Read the positions out of a file."""
    found = FILM.search(file)
    assert found is not None
    read: dict[str, Any] = json.loads(found[1])
    return read


def positions(read: dict[str, Any]) -> list[list[str]]:
    """Put what fills each slot after each entry together, as the script of the file does."""
    said = {0xE000 + place: phrase for place, phrase in enumerate(read["w"])}
    fragments = [fragment.translate(said) for fragment in read["f"]]
    now: list[list[int]] = [[] for _ in range(read["n"])]
    found = []
    for step in read["d"]:
        for slot, start, gone, come in step:
            now[slot] = now[slot][:start] + come + now[slot][start + gone :]
        found.append(["".join(fragments[one] for one in slot) for slot in now])
    return found


class Nested(HTMLParser):
    """Read HTML whose elements all end, in their order; ``ids`` are those it has."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.ids += [known["id"] or ""] if "id" in known else []
        self.loaded += [value for name, value in attrs if name in {"src", "action", "data"} and value]
        self.loaded += [value for name, value in attrs if name == "href" and value and not value.startswith("#")]
        if tag not in ENDLESS:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in ENDLESS:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in ENDLESS:
            return
        assert self.open, tag
        assert self.open.pop() == tag


def patched(value: Any, operations: list[dict[str, Any]]) -> Any:
    """Apply a JSON Patch as RFC 6902 says."""
    whole = {"": json.loads(json.dumps(value))}
    for one in operations:
        *way, name = ["", *(part.replace("~1", "/").replace("~0", "~") for part in one["path"].split("/")[1:])]
        at: Any = whole
        for part in way:
            at = at[int(part)] if isinstance(at, list) else at[part]
        key: Any = int(name) if isinstance(at, list) else name
        if one["op"] == "remove":
            del at[key]
        elif one["op"] == "add" and isinstance(at, list):
            at.insert(key, one["value"])
        else:
            assert isinstance(at, list) or one["op"] == "add" or name in at
            at[key] = one["value"]
    return whole[""]
