"""Static files: read once, addressed by their content, compressed once, kept by phones for good."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
from flask import Blueprint, Response, abort, request

CONTENT_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}
SCRIPTS = (
    "vendor/htmx-4.0.1.min.js",
    "vendor/hx-sse-4.0.1.min.js",
    "companion.js",
    "connection.js",
    "near.js",
    "board.js",
    "press.js",
    "hurry.js",
)
"""What ``scripts.js`` is put together from, in order: one request instead of eight."""
STYLES = ("companion.css", "play.css", "board.css", "duel.css")
"""What ``companion.css`` is put together from, in order."""

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
PREFIX = "/static"
FOREVER = "public, max-age=31536000, immutable"
REVALIDATED = "no-cache"


def shipped(folder: str) -> Path:
    """Find ``templates`` or ``static``: at the top of a checkout, in this package where it is installed.

    A checkout is known by a file of ours: beside what is installed another package may have a folder of that name.
    """
    return (TOP if (TOP / "static" / "companion.css").is_file() else HERE) / folder


class Asset(msgspec.Struct, frozen=True):
    """A file ready to be sent: ``digest`` is the beginning of its SHA-256."""

    kind: str
    digest: str
    plain: bytes
    gzipped: bytes


class Assets:
    """Every static file in memory; ``symbols`` names the pictures in the sprite."""

    def __init__(self) -> None:
        sources = {name: _minified(name, data) for name, data in _files(shipped("static"))}
        sources["scripts.js"] = b"\n;\n".join(sources[name] for name in SCRIPTS)
        sources["companion.css"] = b"\n".join(sources[name] for name in STYLES)
        self.symbols = frozenset(re.findall(r'<symbol id="([^"]+)"', sources["sprite.svg"].decode()))
        self.assets = {name: _asset(name, data) for name, data in sources.items()}

    def address(self, name: str) -> str:
        """Return the address of a file: it changes with the file's content."""
        return f"{PREFIX}/{self.assets[name].digest}/{name}"

    def blueprint(self) -> Blueprint:
        """Make the blueprint that sends the files."""
        blueprint = Blueprint("assets", __name__, url_prefix=PREFIX)
        blueprint.add_url_rule("/<mark>/<path:name>", "send", self.send)
        return blueprint

    def send(self, mark: str, name: str) -> Response:
        """Send a file; an address of older content gets the new content, which is not kept."""
        asset = self.assets.get(name)
        if asset is None:
            abort(404)
        gzipped = request.accept_encodings["gzip"] > 0
        answer = Response(asset.gzipped if gzipped else asset.plain, content_type=asset.kind)
        if gzipped:
            answer.headers["Content-Encoding"] = "gzip"
        answer.headers["Vary"] = "Accept-Encoding"
        answer.headers["Cache-Control"] = FOREVER if mark == asset.digest else REVALIDATED
        return answer


def _asset(name: str, data: bytes) -> Asset:
    kind = CONTENT_TYPES[name.rpartition(".")[2]]
    return Asset(kind, sha256(data).hexdigest()[:12], data, gzip.compress(data, 9, mtime=0))


def _minified(name: str, data: bytes) -> bytes:
    """Leave out what only those need who read the file here: comments and indents; what others made stays as it is."""
    if name.startswith("vendor/"):
        return data
    if name.endswith(".css"):
        return re.sub(rb"\s+", b" ", re.sub(rb"/\*.*?\*/", b"", data, flags=re.DOTALL)).strip()
    if name.endswith(".js"):
        return re.sub(rb"(?m)^\s*//.*\n|^\s+", b"", re.sub(rb"\A/\*.*?\*/", b"", data, flags=re.DOTALL))
    return data


def _files(folder: Path, under: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{under}{entry.name}/")
        else:
            yield under + entry.name, entry.read_bytes()
