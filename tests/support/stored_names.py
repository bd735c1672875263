"""The names that are stored or sent, one a line.

``python -m tests.support.stored_names`` lists those of this commit.
"""

from __future__ import annotations

import re
import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from msgspec import inspect

from companion import create_app
from companion.games import discover
from companion.table.export import Kept
from companion.table.records import Entry, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

TYPED_AS = re.compile(r"<\w+:")
CODE = re.compile("[A-Z0-9]{6}")


def names() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Path(folder), games=discover())
        web = (*_addresses(app), *_sent(app), *_cookies(app))
        return sorted({*web, *_columns(Path(folder)), *_games(), *_log()})


def _addresses(app: Any) -> Iterator[str]:
    for rule in app.url_map.iter_rules():
        for method in rule.methods - {"HEAD", "OPTIONS"}:
            yield f"address {method} {TYPED_AS.sub('<', rule.rule)}"


def _sent(app: Any) -> Iterator[str]:
    document = app.test_client().get("/api/openapi.json").json
    for path, methods in document["paths"].items():
        for method, how in methods.items():
            yield f"api {method.upper()} {path}"
            for one in how.get("parameters", ()):
                yield f"api {method.upper()} {path} {one.get('in', '')} {one.get('name', one)}"
    for name, schema in document["components"]["schemas"].items():
        for field in schema.get("properties", ()):
            yield f"api {name}.{field}"


def _cookies(app: Any) -> Iterator[str]:
    client = app.test_client()
    client.get("/?lang=es")
    client.post("/new/two_cities", data={"name": "Ana", "seat": "white"}, headers={"Sec-Fetch-Site": "same-origin"})
    for one in client._cookies.values():
        yield f"cookie {CODE.sub('TABLE', one.key)} {CODE.sub('TABLE', one.path)}"


def _columns(folder: Path) -> Iterator[str]:
    base = sqlite3.connect(folder / "tables.sqlite")
    for (table,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for column in base.execute(f"PRAGMA table_info({table})"):
            yield f"column {table}.{column[1]}"
    base.close()


def _games() -> Iterator[str]:
    for slug, game in discover().items():
        yield f"game {slug}"
        for what in ("options", "state", "actions"):
            yield from (f"{what} {slug} {path}" for path in _paths(getattr(game, what)))
        for lookup in game.lookups.values():
            yield from (f"lookup {slug}/{lookup.slug} {path}" for path in _paths(lookup.facts))


def _log() -> Iterator[str]:
    yield from (f"kind {kind}" for kind in get_args(Kind))
    yield from (f"entry {path}" for path in _paths(Entry))
    # What a file holds of the log is read entry by entry; that old files open is tested with them.
    yield from (f"export {path}" for path in _paths(Kept) if not path.startswith(".contents."))


def _paths(described: Any) -> Iterator[str]:
    yield from sorted(set(_walked(inspect.type_info(described), "", ())))


def _walked(kind: inspect.Type, path: str, above: tuple[Any, ...]) -> Iterator[str]:
    match kind:
        case inspect.Metadata():
            yield from _walked(kind.type, path, above)
        case inspect.StructType():
            here = f"{path}<{kind.tag_field}={kind.tag}>" if kind.tag_field else path
            yield here
            if kind.cls in above:
                return
            for field in kind.fields:
                yield f"{here}.{field.encode_name}"
                yield from _walked(field.type, f"{here}.{field.encode_name}", (*above, kind.cls))
        case inspect.UnionType():
            for one in kind.types:
                yield from _walked(one, path, above)
        case inspect.LiteralType():
            yield from (f"{path}={value}" for value in kind.values)
        case inspect.DictType():
            yield from _walked(kind.value_type, f"{path}{{}}", above)
        case inspect.TupleType():
            for at, one in enumerate(kind.item_types):
                yield from _walked(one, f"{path}[{at}]", above)
        case inspect.VarTupleType() | inspect.ListType() | inspect.SetType() | inspect.FrozenSetType():
            yield from _walked(kind.item_type, f"{path}[]", above)


if __name__ == "__main__":
    print(*names(), sep="\n")
