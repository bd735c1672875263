"""Exported tables, opened to look inside and written again, folded as they are today or plainly as they once were."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from companion.kit.game import RULEKEEPER
from companion.table import export as carrying
from companion.table.export import Kept, digest

if TYPE_CHECKING:
    from companion.table.tables import Tables

SORTED = frozenset({"options", "action", "state", "places", "sealed"})


def export(tables: Tables, table: str, seat: str = RULEKEEPER) -> bytes:
    """Return what a copy holds, for a seat that may take one; nobody is told, and no entry is written."""
    with tables._look(table, seat) as sitting:
        return carrying.export(sitting, seat)


def opened(data: bytes) -> dict[str, Any]:
    """Return what a file holds, its contents unfolded."""
    whole: dict[str, Any] = json.loads(data)
    if isinstance(whole["contents"], str):
        whole["contents"] = json.loads(zlib.decompress(b64decode(whole["contents"])))
    return whole


def contents(data: bytes) -> dict[str, Any]:
    """Return the log of a file and its action under way."""
    found: dict[str, Any] = opened(data)["contents"]
    return found


def folded(whole: dict[str, Any]) -> bytes:
    """Write a file as it is written today; its digest fits where all of it can be read."""
    inner = whole["contents"]
    if not isinstance(inner, str):
        inner = b64encode(zlib.compress(json.dumps(inner).encode())).decode()
    written = json.dumps(whole | {"contents": inner})
    try:
        kept = msgspec.json.decode(written, type=Kept)
    except msgspec.DecodeError:
        return written.encode()
    return msgspec.json.encode(msgspec.structs.replace(kept, digest=digest(kept)))


def unfolded(whole: dict[str, Any]) -> bytes:
    """Write a file as an earlier Companion wrote one of a table that had ended."""
    blank = {name: settled(name, value) for name, value in whole.items() if name != "digest"}
    return json.dumps(whole | {"digest": sha256(msgspec.json.encode(blank)).hexdigest()}, indent=1).encode()


def settled(name: str, value: Any) -> Any:
    """Put the members of an object in the order in which they are digested."""
    if isinstance(value, list):
        return [settled(name, one) for one in value]
    if not isinstance(value, dict):
        return value
    anyhow = name in SORTED
    members = sorted(value.items()) if anyhow else value.items()
    return {inner: settled(name if name in SORTED - {"places", "sealed"} else inner, one) for inner, one in members}
