"""Companion on a phone's own screen: its manifest and icons, and what a phone keeps for when Companion is out of reach.

Only where it is reached by https: elsewhere browsers keep nothing of that kind.
"""

from __future__ import annotations

import msgspec
from flask import Blueprint, Flask, Response, g, render_template, request, url_for

from companion.kit.text import say
from companion.web.assets import REVALIDATED, Assets
from companion.web.guard import HEADERS
from companion.web.language import LANGUAGES, Language, gettext, language, speaker, speaking
from companion.web.pages import fragment
from companion.web.seat_cookies import seats_held

KEEP = "X-Keep"
"""Marks what a phone may keep, and says its language."""
HELD = "X-Seats"
"""Names the seats of a table that a phone holds: what it kept of any other it throws away."""
READING = frozenset({"dice", "quick", "compare", "rules"})
"""Whose pages a phone keeps once they were opened: they belong to no table."""
OPENED = READING - {"dice"}
"""And of which it keeps, too, what is opened in the sheet."""
OF_TABLES = frozenset({"lobby.join", "play.page"})
FILES = (
    "pages/lobby.css",
    "pages/dice.css",
    "plain.css",
    "offline.css",
    "companion.js",
    "htmx.js",
    "dice.js",
    "offline.js",
    "sprite.svg",
    "sprite_more.svg",
)
"""What the page needs that says what to do, the tray, and a seat's page: they are there before they were asked for."""
WOOD, LINEN = "#7c5433", "#ece3d2"


class Offline:
    """The addresses that browsers ask for where Companion is installed, and the page that stands for all others."""

    def __init__(self, assets: Assets) -> None:
        self.assets = assets

    def install(self, app: Flask) -> None:
        """Give an app these addresses, and its pages the marks by which phones keep them."""
        blueprint = Blueprint("offline", __name__)
        blueprint.add_url_rule("/manifest.webmanifest", view_func=self.manifest)
        blueprint.add_url_rule("/sw.js", view_func=self.worker)
        blueprint.add_url_rule("/offline", view_func=self.page)
        app.register_blueprint(blueprint)
        app.after_request(_mark)

    def manifest(self) -> Response:
        """Say what Companion is called and looks like on a phone's own screen, in the language of the page."""
        with speaking(_language()):
            icons = [("icon-192.png", "192x192", "any"), ("icon-512.png", "512x512", "any")]
            icons.append(("icon-maskable-512.png", "512x512", "maskable"))
            ways = [(say("Dice"), "dice.tray"), (say("Quick tools"), "quick.index")]
            ways.append((say("Rulebook"), "rules.rulebooks_page"))
            said = {
                "id": "/",
                "name": "Companion",
                "short_name": "Companion",
                "description": gettext("Memory and rulekeeper for the game on your table."),
                "lang": language(),
                "dir": "ltr",
                "start_url": url_for("lobby.home"),
                "scope": "/",
                "display": "standalone",
                "theme_color": WOOD,
                "background_color": LINEN,
                "icons": [
                    {"src": self.assets.address(name), "sizes": sizes, "type": "image/png", "purpose": purpose}
                    for name, sizes, purpose in icons
                ],
                "shortcuts": [{"name": speaker()(name), "url": url_for(endpoint)} for name, endpoint in ways],
            }
        return _answer(msgspec.json.encode(said), "application/manifest+json")

    def worker(self) -> Response:
        """Send the script that keeps pages on a phone, with what it has to know of this build."""
        knows = {
            "build": self.assets.build,
            "files": [self.assets.address(name) for name in FILES],
            "styles": {name: self.assets.address(f"{name}.css") for name in ("plain", "offline")},
            "script": self.assets.address("offline.js"),
            "headers": HEADERS | {"Content-Type": "text/html; charset=utf-8"},
            "words": {code: _words(code) for code in LANGUAGES},
        }
        return _answer(
            b"const KNOWN = %b;\n%b" % (msgspec.json.encode(knows), self.assets.assets["worker.js"].plain),
            "text/javascript",
        )

    def page(self) -> str:
        """Show what to do while Companion is out of reach; a phone keeps this page in both languages."""
        with speaking(_language()):
            return render_template("offline.html")


def _language() -> Language:
    """Return the language that an address names: browsers ask for some of them without the reader's cookies."""
    asked = request.args.get("language", "")
    return asked if asked in LANGUAGES else language()


def _words(code: Language) -> dict[str, str]:
    with speaking(code):
        return {
            "today": gettext("Offline · as of {time}"),
            "before": gettext("Offline · as of {day}, {time}"),
            "again": gettext("Try again"),
        }


def _answer(body: bytes, kind: str) -> Response:
    return Response(body, content_type=f"{kind}; charset=utf-8", headers={"Cache-Control": REVALIDATED})


def _mark(answer: Response) -> Response:
    """Say of an answer whether a phone may keep it, or which seats it holds: to a browser that can keep something."""
    if not request.is_secure or answer.status_code != 200 or answer.mimetype != "text/html":
        return answer
    if request.method == "GET" and request.blueprint in (OPENED if fragment() else READING):
        answer.headers[KEEP] = language()
    elif request.endpoint in OF_TABLES and not fragment():
        seats = g.get("seats")
        table = (request.view_args or {})["table"]
        answer.headers[HELD] = " ".join(seats_held(table) if seats is None else seats)
    return answer
