"""Static files: read once, addressed by their content, compressed once, kept by phones for good."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import msgspec
from flask import Blueprint, Response, abort, request

from companion.web.script_modules import SHARED, imported, joined

CONTENT_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "mp4": "video/mp4",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webm": "video/webm",
}
UNKNOWN_TYPE = "application/octet-stream"
"""The content type of a file of any other kind: browsers keep it, and make nothing of it."""

PLAY = ("play.css", "play_phone.css", "play_wide.css", "piece_sheet.css")
"""The styles of what is played on, in order."""
COMMON = ("companion.css", "card.css", "hand.css", *PLAY, "board.css")
"""The styles of a table, in order, and of every other page."""
AROUND = (*COMMON, "lobby.css")
"""The styles of the pages around a table."""
JOINED = {
    "htmx.js": ("vendor/htmx-4.0.1.min.js", "vendor/hx-sse-4.0.1.min.js"),
    "companion.css": COMMON,
    "pages/corrections.css": (*AROUND, "forms.css", "corrections.css"),
    "pages/host.css": (*AROUND, "host.css"),
    "pages/dice.css": (*AROUND, "reading.css", "dice.css"),
    "pages/lobby.css": AROUND,
    "pages/lookups.css": (*AROUND, "reading.css", "quick.css"),
    "pages/printed_cards.css": (*AROUND, "deck.css", "printed_cards.css"),
    "pages/qr_cards.css": (*AROUND, "qr_cards.css"),
    "pages/reading.css": (*AROUND, "reading.css"),
    "pages/replay.css": ("companion.css", "board.css", "statistics.css", "end.css", "bookmarks.css", "replay_file.css"),
    "pages/recap.css": (*AROUND, "photos.css", "hexes.css", "drawn_board.css", "recap.css"),
    "pages/screen.css": (
        "companion.css",
        "card.css",
        "deck.css",
        *PLAY,
        "board.css",
        "duel.css",
        "contest.css",
        "photos.css",
        "in_play.css",
        "screen.css",
        "roll.css",
    ),
    "pages/stock_take.css": (*AROUND, "photos.css", "hexes.css", "drawn_board.css", "stock_take.css"),
    "pages/statistics.css": (*AROUND, "statistics.css"),
    "clash.css": ("roll.css", "clash.css"),
    "spread.css": ("deck.css", "spread.css"),
    "tableau.css": ("contest.css", "photos.css", "in_play.css", "tableau.css"),
}
"""What is put together from several files, in order, so that a page asks once for it. A component that only comes with
a panel, perhaps long after the page, is linked beside the panel."""

SPRITES = ("sprite.svg", "sprite_map.svg", "sprite_more.svg")
"""The pictures that most pages show, those of maps and who is on them, and those that only some games have: a page asks
for none without need."""
COMMENTS = {
    "css": re.compile(rb"(?s)\s*/\*.*?\*/"),
    "js": re.compile(rb"(?m)^ *(?://.*|/\*(?:[^*]|\*(?!/))*\*/)\n+|(?<=[;{,]) // .*"),
}
"""Comments in our styles, and those in our scripts that have lines of their own or follow what a statement, or part of
one, ends with."""
SPACE = {
    "css": re.compile(rb'(?m)(?<=[{;},])\n\s*|^\s+|(?<=[:,;]) (?!")| (?=[{>])|(?<=[{>]) '),
    "js": re.compile(rb"(?m)^ +"),
}
"""Space that means nothing in our styles, and the space that lines of our scripts begin with: no text goes over two."""
SYMBOL = re.compile(r'<symbol id="([^"]+)"')

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
    """Every static file in memory; ``symbols`` names the pictures of the sprites, and the one that has each.

    ``build`` is a mark of all templates and files: a page of another build can not be told what changed in one of this.
    """

    def __init__(self) -> None:
        files = {name: _without_comments(name, data) for name, data in _files(shipped("static"))}
        sources = files | {name: b"\n".join(files[part] for part in parts) for name, parts in JOINED.items()}
        pages = sorted(path for path in shipped("templates").rglob("*.html"))
        self.build = sha256(
            b"".join(path.read_bytes() for path in pages) + repr(sorted(files.items())).encode()
        ).hexdigest()[:8]
        self.symbols = {symbol: name for name in SPRITES for symbol in SYMBOL.findall(sources[name].decode())}
        modules = {name: data for name, data in sources.items() if _is_module(name)}
        TopologicalSorter({name: imported(data) for name, data in modules.items()}).prepare()  # refuses a circle
        self.assets = {name: _asset(name, data) for name, data in sources.items() if name not in modules}
        self.assets[SHARED] = _asset(SHARED, joined(SHARED, modules))
        for name in modules.keys() - {SHARED}:
            self.assets[name] = _asset(name, joined(name, modules, self.address(SHARED)))

    def address(self, name: str) -> str:
        """Return the address of a file: it changes with the file's content."""
        return f"{PREFIX}/{self.assets[name].digest}/{name}"

    def symbol(self, name: str) -> str:
        """Return the address of a picture in its sprite."""
        return f"{self.address(self.symbols[name])}#{name}"

    def inlined(self, name: str) -> str:
        """Return a small picture as an address that holds all of it, so that a page need not ask for it."""
        asset = self.assets[name]
        return f"data:{asset.kind},{quote(asset.plain.strip(), safe='/:=,()')}"

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
        if asset.kind.startswith("video/"):
            return self._send_part(asset, FOREVER if mark == asset.digest else REVALIDATED)
        gzipped = request.accept_encodings["gzip"] > 0
        answer = Response(asset.gzipped if gzipped else asset.plain, content_type=asset.kind)
        if gzipped:
            answer.headers["Content-Encoding"] = "gzip"
        answer.headers["Vary"] = "Accept-Encoding"
        answer.headers["Cache-Control"] = FOREVER if mark == asset.digest else REVALIDATED
        return answer

    @staticmethod
    def _send_part(asset: Asset, cached: str) -> Response:
        """Send a film, or the one part of it that is asked for: there are players that take nothing else."""
        headers = {"Accept-Ranges": "bytes", "Cache-Control": cached}
        asked, size = request.range, len(asset.plain)
        if asked is None or asked.units != "bytes" or len(asked.ranges) != 1:
            return Response(asset.plain, content_type=asset.kind, headers=headers)
        part = asked.range_for_length(size)
        if part is None:
            return Response(status=416, content_type=asset.kind, headers=headers | {"Content-Range": f"bytes */{size}"})
        headers["Content-Range"] = f"bytes {part[0]}-{part[1] - 1}/{size}"
        return Response(asset.plain[slice(*part)], 206, headers, content_type=asset.kind)


@cache
def _asset(name: str, data: bytes) -> Asset:
    """Pack a file, once for all apps of a process: it takes a sixth of the time to make one."""
    kind = CONTENT_TYPES.get(name.rpartition(".")[2], UNKNOWN_TYPE)
    return Asset(kind, sha256(data).hexdigest()[:12], data, gzip.compress(data, 9, mtime=0))


def _without_comments(name: str, data: bytes) -> bytes:
    """Leave out what no phone reads; what others wrote lies in a folder, and is sent as it is."""
    kind = name.rpartition(".")[2]
    return SPACE[kind].sub(b"", COMMENTS[kind].sub(b"", data)) if kind in COMMENTS and "/" not in name else data


def _is_module(name: str) -> bool:
    """Tell whether a file is a script of ours: those of others lie in a folder, and are no modules."""
    return name.endswith(".js") and "/" not in name and name not in JOINED


def _files(folder: Path, under: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{under}{entry.name}/")
        else:
            yield under + entry.name, entry.read_bytes()
