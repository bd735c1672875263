"""Phones for the browser tests: a real Chromium, a real server, and the few gestures that people make."""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
import threading
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from companion import create_app
from companion.network import listen
from companion.serve import Server, Site
from companion.web.host import KEY_FILE
from companion.web.state import NAME
from tests.support.plain_games import posed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Response

    from companion.table.tables import Tables

GAME = "two_cities"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 800}
PATIENCE = 60_000
"""Milliseconds until something that should happen by itself has failed to: only a failure waits that long."""
PICTURES = 600
"""Pictures that a page may draw until its sizes have followed one another: only a failure waits for them all."""
LOADING = 120_000
"""Milliseconds that a page may take to come."""


_NAMES = (
    "chromium-headless-shell",  # draws no window around the page, which takes longer than the page
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_UNDER = (r"Google\Chrome\Application\chrome.exe", r"Microsoft\Edge\Application\msedge.exe")


def installed() -> str | None:
    """Find a browser on this computer."""
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    places = [Path(place) for place in _PLACES] if sys.platform == "darwin" else []
    if sys.platform == "win32":
        roots = [os.environ.get(name) for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")]
        places = [Path(root) / under for root in roots if root for under in _UNDER]
    return next((str(place) for place in places if place.exists()), None)


# What a page says of a request that was cut short: by the network, by going to another page, or by waiting too long.
_CUT_SHORT = re.compile(
    r"Failed to load resource|Failed to fetch|network error|net::ERR_|htmx: htmx:sse:error"
    r"|htmx: htmx:error: (timeout$|timeout |signal is aborted|The user aborted|BodyStreamBuffer was aborted)"
)

# A page gives up on an answer after some seconds, which on a busy machine it may take: here it waits as long as a test.
# It is said before the first request: scripts have run by then, and htmx begins after that.
# What is tapped comes back twice, in either order: as the answer and from the stream. The page says of both whether
# they came: how many answers it waits for, and the newest version that the stream brought.
_UNHURRIED = f"""
document.addEventListener("DOMContentLoaded", () => {{
  if (globalThis.htmx) htmx.config.defaultTimeout = {PATIENCE};
  const {{ dataset }} = document.documentElement;
  const posted = new Set();
  const waits = (change) => ({{ detail: {{ ctx }} }}) => {{
    if (ctx.request?.method === "POST") posted[change](ctx);
    dataset.posted = posted.size;
  }};
  dataset.posted = 0;
  dataset.heard = document.getElementById("state")?.dataset.version ?? "";
  document.addEventListener("htmx:before:request", waits("add"));
  document.addEventListener("htmx:finally:request", waits("delete"));
  // What the page has come past already is heard when it comes, anything else when it is shown.
  const heard = ({{ message }}) => {{
    if (!message.event && message.id) dataset.heard = message.id;
  }};
  document.addEventListener("htmx:sse:before:message", ({{ detail }}) => {{
    if (detail.cancelled && Number(detail.message.id) <= Number(document.getElementById("state").dataset.version)) {{
      heard(detail);
    }}
  }});
  document.addEventListener("htmx:sse:after:message", ({{ detail }}) => heard(detail));
  document.addEventListener("htmx:sse:after:connection", () => {{ dataset.listens = ""; }});
}}, {{ once: true }});
// The scene of a clash comes with the first one, and what plays it after that.
document.addEventListener("load", ({{ target }}) => {{
  if (target.src?.endsWith("/clash.js")) document.documentElement.dataset.scenes = "played";
}}, true);
AbortSignal.timeout = () => new AbortController().signal;
"""


class Serving:
    """Hold a server that runs in a thread of this process, as ``python -m companion`` runs it."""

    def __init__(self, address: str, tables: Tables) -> None:
        self.address = address
        self.tables = tables
        self._keys = count(1)

    def key(self) -> str:
        return f"test-{next(self._keys)}"

    @property
    def host_link(self) -> str:
        """Return the link by which the laptop's own browser becomes the host's."""
        return f"{self.address}/host/{(self.tables.store.path.parent / KEY_FILE).read_text('ascii')}"

    def sit(self, dice: str = "app", game: str = GAME, **options: Any) -> Sitting:
        """Set a table with both sides taken."""
        made = self.tables.create(game, "", options, {"rulekeeper": "Ruth"}, dice)
        tokens = dict(made.tokens)
        for seat, name in (("white", "Ana"), ("black", "Ben")):
            tokens[seat] = self.tables.join(made.table, seat, name)
        return Sitting(self, made.table, tokens)

    def free(self, *people: str, dice: str = "app", **options: Any) -> Sitting:
        """Set a free table at which people sit, in the order of its seats."""
        made = self.tables.create("free_table", "", options, {"rulekeeper": "Ruth"}, dice)
        tokens = dict(made.tokens)
        for number, name in enumerate(people, start=1):
            tokens[f"player_{number}"] = self.tables.join(made.table, f"player_{number}", name)
        return Sitting(self, made.table, tokens)

    def alone(self, dice: str = "app", **options: Any) -> Sitting:
        """Set a table where nobody but the rulekeeper sits."""
        made = self.tables.create(GAME, "", options, {"rulekeeper": "Ruth"}, dice)
        return Sitting(self, made.table, dict(made.tokens))


class Sitting:
    """Hold a table and the tokens of its seats; what a test does not want to tap, it does here."""

    def __init__(self, serving: Serving, table: str, tokens: dict[str, str]) -> None:
        self.serving = serving
        self.tables = serving.tables
        self.table = table
        self.tokens = tokens

    def link(self, seat: str) -> str:
        """Return the private link of a seat; the shared screen has only an address."""
        if seat == "screen":
            return self.page("screen")
        return f"{self.serving.address}/s/{self.table}/{seat}/{self.tokens[seat]}"

    def page(self, seat: str, part: str = "") -> str:
        return f"{self.serving.address}/t/{self.table}/{seat}{part}"

    def act(self, seat: str, action: str, **rest: Any) -> Any:
        return self.tables.act(self.table, seat, {"action": action, **rest}, self.serving.key())

    def answer(self, seat: str, **answer: Any) -> Any:
        return self.tables.answer(self.table, seat, answer, self.serving.key())

    def correct(self, path: str, value: str) -> None:
        self.tables.correct(self.table, "rulekeeper", path, value, self.serving.key())

    def clear(self) -> Sitting:
        """Put the terrain where it stands in nobody's way."""
        for kind in ("forest", "hill"):
            for _ in range(2):
                self.correct(f"terrain.{kind}.1", "off")
        for place, square in (("forest.1", "a5"), ("forest.2", "a6"), ("hill.1", "h5"), ("hill.2", "h6")):
            self.correct(f"terrain.{place}", square)
        return self

    def agree(self) -> None:
        """Let both sides play from the position as it stands."""
        for seat in ("white", "black"):
            self.act(seat, "ready")

    def begin(self) -> Sitting:
        """Let both sides agree to the usual position."""
        self.clear()
        self.agree()
        self.correct("cards.white", "2H,AH,10S")
        self.correct("cards.black", "2D,AS,QS")
        return self

    def face_to_face(self) -> Sitting:
        """Bring White's heavy infantry (d3) before Black's faster light cavalry (d4): it may be attacked, and evade."""
        self.begin()
        self.correct("unit.wc.square", "d3")
        self.correct("unit.bb.square", "d4")
        return self

    def attack(self) -> Sitting:
        """Let White attack Black's light cavalry, which is asked whether it evades."""
        self.face_to_face()
        self.act("white", "play_card", card="AH")
        self.act("white", "attack", unit="wc", target="bb")
        return self

    def version(self) -> int:
        return self.tables.version(self.table)

    def hand(self, seat: str) -> tuple[str, ...]:
        """Return the cards that a seat holds."""
        return tuple(self.tracked(seat)[f"cards.{seat}"])

    def tracked(self, seat: str = "rulekeeper") -> dict[str, Any]:
        return {one.path: one.field.value for one in self.tables.tracked(self.table, seat)}

    def log(self) -> list[str]:
        return [line.kind for line in self.tables.report(self.table, "screen")]


@contextmanager
def serving(folder: Path, games: Mapping[str, Any] | None = None) -> Iterator[Serving]:
    """Serve the tables of a folder on a free port; ``games`` are those found unless given."""
    app = create_app(folder, games=games)
    state = app.extensions[NAME]
    begun = threading.Event()
    with listen("127.0.0.1", 0) as server_socket:
        server = Server(Site(app, state.live), begun.set)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [server_socket]}, name="server")
        thread.start()
        try:
            assert begun.wait(PATIENCE / 1000), "the server has not begun"
            yield Serving(f"http://127.0.0.1:{server_socket.getsockname()[1]}", state.tables)
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def sitting_at(
    folder: Path, game: Any, state: Any, seats: Iterable[str], dice: str = "app", **options: Any
) -> Iterator[Sitting]:
    """Serve one table that begins in a position, with somebody in each of its seats."""
    with serving(folder, {game.slug: posed(game, state)}) as served:
        made = served.tables.create(game.slug, "", options, {"rulekeeper": "Ruth"}, dice)
        tokens = {seat: served.tables.join(made.table, seat, seat) for seat in seats}
        yield Sitting(served, made.table, {**made.tokens, **tokens})


class Tunnel:
    """Be the Wi-Fi between a phone and the server: it can be cut, or go silent while it seems to stand."""

    def __init__(self, serving: Serving) -> None:
        self._goal = ("127.0.0.1", int(serving.address.rpartition(":")[2]))
        self._server_socket = socket.create_server(("127.0.0.1", 0))
        self._open = True
        self._turn = threading.Lock()
        self._flows: list[threading.Event] = []
        self._flowing = self._begun()
        self._ends: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, name="tunnel")]
        self._threads[0].start()
        self.address = f"http://127.0.0.1:{self._server_socket.getsockname()[1]}"

    def _begun(self) -> threading.Event:
        flowing = threading.Event()
        flowing.set()
        self._flows.append(flowing)
        return flowing

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._server_socket.accept()
            except OSError:
                return
            # Meanwhile it may be cut: then this connection does not begin either.
            with self._turn:
                if not self._open:
                    near.close()
                    continue
                far = socket.create_connection(self._goal)
                self._ends += (near, far)
            for way in ((near, far, self._flowing), (far, near, self._flowing)):
                self._threads.append(threading.Thread(target=self._carry, args=way, name="tunnel"))
                self._threads[-1].start()

    def _carry(self, one: socket.socket, other: socket.socket, flowing: threading.Event) -> None:
        with suppress(OSError):
            while data := one.recv(1 << 16):
                flowing.wait()
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        """Break every connection, and let none begin."""
        with self._turn:
            self._open = False
            for end in self._ends:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def silence(self) -> None:
        """Let every connection stand, and carry nothing any more."""
        self._flowing.clear()

    def mend(self) -> None:
        """Carry again."""
        self._open = True
        self._flowing.set()

    def forget(self) -> None:
        """Carry again what begins from now on; what stood before stays silent."""
        self._flowing = self._begun()

    def close(self) -> None:
        """End for good."""
        self.cut()
        for flowing in self._flows:
            flowing.set()
        with suppress(OSError):
            self._server_socket.shutdown(socket.SHUT_RDWR)
        self._server_socket.close()
        for thread in self._threads:
            thread.join()
        for end in self._ends:
            end.close()


class Phone:
    """Hold one device: a browser context of its own, with one page.

    ``wrong`` collects what no phone may meet, ``requests`` what the page asked for. What a page does is as patient as
    the test, whatever else the machine has to do. With ``full`` it is looked at in every size and look.
    """

    def __init__(self, context: BrowserContext, *, full: bool = False) -> None:
        context.set_default_timeout(PATIENCE)
        context.set_default_navigation_timeout(LOADING)
        context.add_init_script(_UNHURRIED)
        self.context = context
        self.full = full
        self.wrong: list[str] = []
        self.requests: list[str] = []
        self.page = self._watched(context.new_page())

    def _watched(self, page: Page) -> Page:
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", self._told)
        page.on("response", self._answered)
        page.on("request", lambda request: self.requests.append(f"{request.method} {request.url}"))
        return page

    def _told(self, message: ConsoleMessage) -> None:
        # A request that was cut short is said by the page; what a page forbids itself, or throws, is a fault.
        if message.type == "error" and not _CUT_SHORT.search(message.text):
            self.wrong.append(message.text)

    def _answered(self, response: Response) -> None:
        if response.status >= 500:
            self.wrong.append(f"{response.status} {response.url}")

    def open(self, address: str) -> Phone:
        self.page.goto(address)
        return self

    def at(self, selector: str) -> Locator:
        return self.page.locator(selector)

    @property
    def dock(self) -> Locator:
        return self.at("#dock")

    @property
    def recap(self) -> Locator:
        """Return the line that says what happened, with its story."""
        return self.at(".recap")

    def reads(self, words: str) -> None:
        """Wait until whose turn it is, what happened or what can be done now has these words."""
        expect(self.at("#turn, .recap, #dock").filter(has_text=words)).not_to_have_count(0)

    def open_more(self) -> None:
        """Open what is seldom looked for: seats, counts, the log."""
        self.at(".open-more").click()
        expect(self.at("#more")).to_be_visible()

    @property
    def asked(self) -> Locator:
        """Return the buttons that answer a question."""
        return self.at("#dock form[action$='/answer'] button, .overlay[action$='/answer'] button")

    def do(self, *parts: str) -> Locator:
        """Return the button or link that does an action: all parts stand in its query string."""
        return self.at("".join(f"[value*='{part}']" for part in parts) + ":is(button)")

    def planned(self, *parts: str) -> Locator:
        return self.at("a" + "".join(f"[href*='{part}']" for part in parts))

    def sees(self, version: int) -> None:
        """Wait until the page shows this version of its table."""
        expect(self.at("#state")).to_have_attribute("data-version", str(version))

    def answered(self) -> None:
        """Wait until the table has answered all that was tapped; only then its version is that of the tap."""
        expect(self.at("html")).to_have_attribute("data-posted", "0")

    def listens(self) -> None:
        """Wait until the page has a live stream: its table knows that it is there."""
        expect(self.at("html[data-listens]")).to_have_count(1)

    def settled(self, version: Callable[[], int]) -> None:
        """Wait until nothing more comes of what was tapped: the answer is there, and the same view from the stream."""
        self.answered()
        now = version()
        expect(self.at("html")).to_have_attribute("data-heard", str(now))
        self.sees(now)

    def drawn(self) -> None:
        """Wait until a picture shows what the page holds: sizes that follow others are set while it is drawn."""
        self.page.evaluate("new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))")

    def comes_to(self, what: str, why: str) -> None:
        """Wait until an expression of the page is true: sizes follow others over more than one picture."""
        look = f"(left) => ({what}) || left === 0 ? then({what}) : requestAnimationFrame(() => look(left - 1))"
        assert self.page.evaluate(f"new Promise((then) => {{ const look = {look}; look({PICTURES}); }})"), why

    def play(self, card: str) -> None:
        """Pick a card of the hand, and play it."""
        self.at(f"label[for^='card-'][for$='-{card}']").click()
        self.do("action=play_card", f"card={card}").click()

    def pick(self, unit: str) -> None:
        """Pick a unit, and before that let go of another one; a second tap would let it go again."""
        if self.at("#clash-now[open]").count():
            self.aside()
        for name in self.at(".pick:checked").evaluate_all("(picked) => picked.map((one) => one.id)"):
            if name == f"pick-{unit}":
                return
            self.at(f"label[for='{name}']").first.click()
        self.at(f"label[for='pick-{unit}']").first.click()

    def move(self, unit: str, square: str) -> None:
        self.pick(unit)
        self.do("action=move", f"unit={unit}&", f"to={square}").click()

    def attack(self, unit: str, target: str) -> None:
        """Pick a unit, and attack by a tap on the target."""
        self.pick(unit)
        self.do("action=attack", f"unit={unit}&", f"target={target}").click()

    def odds(self, unit: str) -> None:
        """Look at the odds of the attacks of a unit, which stand behind what it may do."""
        self.pick(unit)
        self.at(f"#targets-{unit} .way.key-fight:visible").click()
        expect(self.at("#plan button.main")).to_be_visible()

    def aside(self) -> None:
        """Put the scene of a clash away: the board is in sight, and how it came to this is read."""
        scene = self.at("#clash-now")
        expect(scene).to_have_attribute("open", "")
        scene.locator("summary").click()
        expect(scene).not_to_have_attribute("open", "")

    def folded(self) -> None:
        """Wait until what came of a clash has been seen, and the board is back: it is before the scene begins, too."""
        expect(self.at("html[data-scenes] #recap:not(.is-fresh)")).to_be_attached()

    def tap(self, *faces: int) -> None:
        """Say the faces of real dice by keys: then nothing is sent before the button is used."""
        expect(self.at(".pad-faces")).to_be_visible()
        expect(self.at("#dock form[inert]")).to_have_count(0)
        for face in faces:
            self.at(f".pad-faces button[aria-label='{face}']").press("Enter")

    def throw(self, *faces: int) -> None:
        """Throw real dice, and tell what came up."""
        self.tap(*faces)
        self.at(".typing > button").click()
        self.answered()

    def touch(self, *faces: int) -> None:
        """Touch the faces of real dice: the roll is sent by itself."""
        for face in faces:
            self.at(f".pad-faces button[aria-label='{face}']").click()

    def faces(self) -> list[list[str]]:
        """Read the dice of the last ruling, throw by throw."""
        thrown = self.at("#last .thrown .dice").all()
        return [(one.get_attribute("aria-label") or "").partition(": ")[2].split(", ") for one in thrown]

    def shows(self, *thrown: list[str]) -> None:
        """Wait until the last ruling shows these dice, throw by throw."""
        dice = self.at("#last .thrown .dice")
        expect(dice).to_have_count(len(thrown))
        for throw, faces in enumerate(thrown):
            expect(dice.nth(throw)).to_have_attribute("aria-label", re.compile(f": {', '.join(faces)}$"))

    def save(self, name: str) -> Phone:
        """Keep a picture of what the phone shows, when somebody wants to look (SHOTS names a folder)."""
        if folder := os.environ.get("SHOTS"):
            self.page.screenshot(path=Path(folder) / f"{name}.png")
        return self
