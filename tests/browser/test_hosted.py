"""Behind a real proxy with https: streams come at once, addresses are true, phones keep what may be read offline."""

from __future__ import annotations

import json
import re
import threading
import zlib
from contextlib import closing, contextmanager
from http.client import HTTPSConnection
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from companion import create_app
from companion.connections import Connections
from companion.network import listen
from companion.proxies import trusted
from companion.serve import Server, Site
from companion.web.state import NAME
from tests.browser import axe
from tests.browser.phones import ARGUMENTS, PATIENCE, PHONE, PICTURES, Phone, Serving, Tunnel, installed
from tests.browser.test_large_letters import OUT_OF_THE_PAGE, enlarge
from tests.support.caddy import caddy
from tests.web.test_serve import PATIENCE as SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from http.client import HTTPResponse
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.browser.conftest import Phones
    from tests.browser.phones import Sitting
    from tests.support.caddy import Caddy

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}
NOTHING_TO_DO = "a[href]:visible:not(.kept-mark a), button:visible, select, textarea, form[action], [hx-post], [hx-get]"


class Hosted(Serving):
    """Hold a Companion behind Caddy; between the phones and Caddy lies the internet, which can be cut."""

    def __init__(self, address: str, tables: Any, live: Any, proxy: Caddy, between: Tunnel) -> None:
        super().__init__(address, tables)
        self.live = live
        self.proxy = proxy
        self.between = between
        self.rest: Callable[[], None] = lambda: None

    def line(self, source: str = "127.0.0.2") -> HTTPSConnection:
        """Connect as somebody from another address."""
        port, context = self.proxy.port, self.proxy.context
        return HTTPSConnection("localhost", port, timeout=SECONDS, context=context, source_address=(source, 0))

    def ask(self, method: str, path: str, source: str = "127.0.0.2", **headers: str) -> tuple[HTTPResponse, bytes]:
        host = {"Host": self.address.removeprefix("https://")}
        with closing(self.line(source)) as line:
            line.request(method, path, b"" if method == "POST" else None, host | headers)
            answer = line.getresponse()
            return answer, answer.read()


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    with hosting(tmp_path_factory.mktemp("hosted")) as running:
        yield running


@contextmanager
def hosting(folder: Path, games: Mapping[str, Any] | None = None) -> Iterator[Hosted]:
    begun = threading.Event()
    with listen("127.0.0.1", 0) as server_socket, caddy(folder, server_socket.getsockname()[1]) as proxy:
        between = Tunnel(Serving(f"http://127.0.0.1:{proxy.port}", None))  # type: ignore[arg-type]
        public = f"https://localhost:{between.address.rpartition(':')[2]}"
        app = create_app(folder, games=games, address=public, hosts=("localhost",), public=public)
        state, proxies = app.extensions[NAME], trusted(["127.0.0.1"])
        site = Site(app, state.live, proxies=proxies)
        server = Server(site, begun.set, Connections(1000, proxies=proxies))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [server_socket]}, name="server")
        thread.start()
        try:
            assert begun.wait(PATIENCE / 1000)
            running = Hosted(public, state.tables, state.live, proxy, between)

            def rest() -> None:
                server.should_exit = True
                thread.join()

            running.rest = rest
            yield running
        finally:
            between.close()
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="module")
def secure(chromium: Browser) -> Iterator[Browser]:
    """A browser that trusts Caddy: a worker of a page is never fetched where somebody doubts the certificate."""
    trusting = [*ARGUMENTS, "--ignore-certificate-errors"]
    browser = chromium.browser_type.launch(executable_path=installed(), args=trusting)
    yield browser
    browser.close()


@pytest.fixture
def phone(secure: Browser, full: bool) -> Iterator[Callable[..., Phone]]:
    made: list[Phone] = []

    def one(tongue: str = "en", **how: Any) -> Phone:
        context = secure.new_context(**{"viewport": PHONE, "locale": tongue, "reduced_motion": "reduce"} | how)
        made.append(Phone(context, full=full))
        return made[-1]

    yield one
    for each in made:
        each.context.close()
    assert [wrong for each in made for wrong in each.wrong] == []


def test_what_is_told_comes_at_once_and_a_phone_that_leaves_is_forgotten(hosted: Hosted) -> None:
    sitting = hosted.sit().begin()
    cookie = {"Cookie": f"seat-white={sitting.tokens['white']}", "Host": hosted.address.removeprefix("https://")}
    for packed in (False, True):
        with closing(hosted.line()) as line:
            accepted = {"Accept-Encoding": "gzip"} if packed else {}
            line.request("GET", f"/t/{sitting.table}/white/live?language=en", headers=cookie | accepted)
            answer = line.getresponse()
            assert answer.status == 200
            assert answer.getheader("Content-Type", "").startswith("text/event-stream")
            assert (answer.getheader("Content-Encoding") == "gzip") == packed
            reader = zlib.decompressobj(16 + zlib.MAX_WBITS)
            heard = b""
            for cards in ("", "2H", "2H,AH", "2H,AH,10S"):
                if cards:
                    sitting.correct("cards.white", cards)
                while f"id: {sitting.version()}\n".encode() not in heard:
                    came = answer.read1(65536)
                    assert came, "the stream has ended"
                    heard += reader.decompress(came) if packed else came
            assert any(channel.startswith(f"play/{sitting.table}/white/") for channel in hosted.live.channels())
        while any(channel.startswith(f"play/{sitting.table}/white/") for channel in hosted.live.channels()):
            threading.Event().wait(0.01)


def test_guesses_are_counted_by_the_true_address(hosted: Hosted) -> None:
    forged = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9"}
    statuses = [hosted.ask("GET", "/t/K7QF22", "127.0.0.3", **forged)[0].status for _ in range(21)]
    assert statuses == [404] * 20 + [429]
    assert hosted.ask("GET", "/t/K7QF22", "127.0.0.4")[0].status == 404


def test_forms_come_from_its_own_address_and_cookies_are_kept_to_https(hosted: Hosted) -> None:
    game = "/new/two_cities"
    done, _ = hosted.ask("POST", game, Origin=hosted.address)
    assert done.status == 303
    cookies = done.headers.get_all("Set-Cookie") or []
    assert cookies
    assert all("Secure" in cookie for cookie in cookies)
    for origin in ("https://evil.example", hosted.address.replace("https", "http"), "https://localhost", "null"):
        assert hosted.ask("POST", game, Origin=origin)[0].status == 403
    forged = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http"}
    assert hosted.ask("POST", game, Origin="http://evil.example", **forged)[0].status == 403


def ready(one: Phone) -> Phone:
    """Wait until the phone has somebody who keeps its pages."""
    expect(one.at("html")).to_have_attribute("data-keeps", "")
    return one


def kept(one: Phone) -> dict[str, list[str]]:
    """Read what the phone keeps, by the beginning of the names."""
    found: dict[str, list[str]] = one.page.evaluate(
        """async () => {
          const kept = {};
          for (const name of await caches.keys()) {
            const requests = await (await caches.open(name)).keys();
            kept[name] = requests.map(({ url }) => url.replace(location.origin, ""));
          }
          return kept;
        }"""
    )
    return {name.rpartition(" ")[0]: urls for name, urls in found.items()}


def until_kept(one: Phone, address: str, words: str = "") -> None:
    """Wait until the page of a seat is kept, with these words in it; without any until it is kept no more."""
    look = f"""async () => {{
      for (let left = {PICTURES}; left; left -= 1) {{
        const names = (await caches.keys()).filter((name) => name.startsWith("seats "));
        const found = await Promise.all(names.map(async (name) => (await caches.open(name)).match("{address}")));
        const read = await Promise.all(found.map((page) => page?.text() ?? ""));
        if ({json.dumps(words)} ? read.join("").includes({json.dumps(words)}) : !found.some(Boolean)) return true;
        await new Promise(requestAnimationFrame);
      }}
      return false;
    }}"""
    assert one.page.evaluate(look), kept(one)


def at_version(sitting: Sitting) -> str:
    return f'data-version="{sitting.version()}"'


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_it_can_be_installed(hosted: Hosted, phone: Callable[..., Phone], tongue: str) -> None:
    ana = ready(phone(tongue).open(hosted.address))
    wire = ana.context.new_cdp_session(ana.page)
    told = wire.send("Page.getAppManifest")
    assert told["errors"] == []
    read = json.loads(told["data"])
    assert (read["name"], read["lang"], read["display"], read["id"]) == ("Companion", tongue, "standalone", "/")
    assert read["shortcuts"][0]["name"] == {"en": "Dice", "es": "Dados"}[tongue]
    wrong = wire.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {one["errorId"] for one in wrong} <= {"in-incognito"}
    sizes = {}
    for icon in read["icons"]:
        sizes[icon["purpose"], icon["sizes"]] = ana.page.evaluate(
            """async (address) => {
              const picture = new Image();
              picture.src = address;
              await picture.decode();
              return `${picture.naturalWidth}x${picture.naturalHeight}`;
            }""",
            icon["src"],
        )
    assert sizes == {(purpose, size): size for purpose, size in sizes}
    assert set(sizes) == {("any", "192x192"), ("any", "512x512"), ("maskable", "512x512")}
    active = "navigator.serviceWorker.ready.then((it) => [it.active.state, it.scope, it.active.scriptURL])"
    assert ana.page.evaluate(active) == ["activated", f"{hosted.address}/", f"{hosted.address}/sw.js"]


@pytest.mark.parametrize(("tongue", "look"), [("en", "light"), ("es", "dark")])
def test_ones_own_hand_and_what_was_read_stay_readable_and_nothing_acts(
    hosted: Hosted, phone: Callable[..., Phone], tongue: str, look: str
) -> None:
    sitting = hosted.sit().begin()
    ana = ready(phone(tongue, viewport=SMALL, color_scheme=look).open(sitting.link("white")))
    sitting.correct("cards.white", "2H,AH,10S")
    ana.sees(sitting.version())
    here = f"/t/{sitting.table}/white"
    until_kept(ana, here, at_version(sitting))
    for address in ("/rules/two_cities", "/dice?n=4d6kh3"):
        ana.open(hosted.address + address)
    held = set(sitting.hand("white"))
    ana.open(hosted.address + here)
    ana.sees(sitting.version())
    expect(ana.at("#hands label.card")).to_have_count(len(held))
    until_kept(ana, here, at_version(sitting))
    hosted.between.cut()
    mark = {"en": r"^Offline · as of \d\d:\d\d$", "es": r"^Sin conexión · visto a las \d\d:\d\d$"}[tongue]
    try:
        ana.open(hosted.address + here)
        expect(ana.at(".kept-mark span")).to_have_text(re.compile(mark))
        expect(ana.at("#hands label.card")).to_have_count(len(held))
        assert ana.at("#dock, #menu, .seek, script[src*='companion.js']").count() <= 1
        expect(ana.at(NOTHING_TO_DO)).to_have_count(0)
        ana.at("label[for='card-AH']").click()
        expect(ana.at("#ways-AH .card-does")).to_be_visible()
        assert sitting.tokens["white"] not in ana.page.content()
        ana.save(f"offline-hand-{tongue}")
        assert axe.violations(ana) == []
        for address, title in (("/rules/two_cities", "Two Cities"), ("/dice?n=4d6kh3", "4d6kh3"), ("/dice", "")):
            ana.open(hosted.address + address)
            expect(ana.at(".kept-mark span")).to_have_text(re.compile(mark))
            assert title in ana.page.title()
            ana.save(f"offline-{address.split('?')[0].replace('/', '-')}-{tongue}")
        assert axe.violations(ana) == []
        ana.open(hosted.address)
        out_of_reach = {"en": "Companion is out of reach", "es": "Sin conexión con Companion"}[tongue]
        expect(ana.at("h1")).to_have_text(out_of_reach)
        expect(ana.at("#kept a").first).to_have_attribute("href", hosted.address + here)
        ana.save(f"offline-page-{tongue}")
        assert axe.violations(ana) == []
        for other in (f"/t/{sitting.table}/black", f"/t/{sitting.table}/rulekeeper", f"/t/{sitting.table}"):
            ana.open(hosted.address + other)
            expect(ana.at("h1")).to_have_text(out_of_reach)
        assert ana.page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
        ana.open(hosted.address + here)
    finally:
        hosted.between.mend()
    # It goes on by itself.
    expect(ana.at(".kept-mark")).to_have_count(0)
    ana.sees(sitting.version())


def test_a_hand_that_lies_beside_what_is_done_stays_readable(hosted: Hosted, phone: Callable[..., Phone]) -> None:
    sitting = hosted.free("Ana", "Ben", begin="cards")
    sitting.act("player_1", "draw", tracker="t1", count=3)
    here = f"/t/{sitting.table}/player_1"
    ana = ready(phone("en", viewport=SMALL).open(sitting.link("player_1")))
    own = ana.at(".spread-own .laid .card")
    expect(own).to_have_count(3)
    expect(ana.at("main").get_by_text("Deal…")).to_be_visible()
    sitting.act("player_2", "turn_up", tracker="t1")
    ana.settled(sitting.version)
    faces = own.all_text_contents()
    until_kept(ana, here, at_version(sitting))
    hosted.between.cut()
    try:
        ana.open(hosted.address + here)
        expect(ana.at(".kept-mark")).to_be_visible()
        assert own.all_text_contents() == faces
        expect(own.first).to_be_visible()
        expect(ana.at(NOTHING_TO_DO)).to_have_count(0)
        expect(ana.at("main").get_by_text("Deal…")).to_have_count(0)
        ana.save("offline-cards")
        assert axe.violations(ana) == []
    finally:
        hosted.between.mend()


def test_a_hand_that_was_hidden_is_hidden_on_the_page_that_is_kept(hosted: Hosted, phone: Callable[..., Phone]) -> None:
    sitting = hosted.free("Ana", "Ben", begin="cards")
    sitting.act("player_1", "draw", tracker="t1", count=3)
    here = f"/t/{sitting.table}/player_1"
    ana = ready(phone("en", viewport=SMALL).open(sitting.link("player_1")))
    until_kept(ana, here, at_version(sitting))
    ana.at(".spread-own h2 label").click()
    until_kept(ana, here, 'checked=""')
    hosted.between.cut()
    try:
        ana.open(hosted.address + here)
        expect(ana.at(".kept-mark")).to_be_visible()
        expect(ana.at(".spread-own .card-face .corner").first).to_be_hidden()
    finally:
        hosted.between.mend()


def test_letters_twice_as_large_stay_within_the_page(hosted: Hosted, phone: Callable[..., Phone]) -> None:
    ana = phone("es", viewport=SMALL)
    enlarge(ana)
    ready(ana.open(f"{hosted.address}/dice"))
    hosted.between.cut()
    try:
        for address in ("/", "/dice"):
            ana.open(hosted.address + address)
            expect(ana.at(".kept-mark, #kept").first).to_be_attached()
            assert ana.page.evaluate(OUT_OF_THE_PAGE) == []
            ana.save(f"offline-large{address.replace('/', '-')}")
    finally:
        hosted.between.mend()


def test_what_is_opened_in_the_sheet_is_kept_beside_its_page(hosted: Hosted, phone: Callable[..., Phone]) -> None:
    sitting = hosted.sit().attack()
    ben = ready(phone().open(sitting.link("black")))
    link = ben.recap.get_by_role("link", name="Why: TTC-87")
    ben.aside()
    link.click()
    expect(ben.at("#sheet-body")).to_contain_text("TTC-87")
    ben.page.keyboard.press("Escape")
    hosted.between.cut()
    try:
        link.click()
        expect(ben.at("#sheet-body")).to_contain_text("TTC-87")
        expect(ben.at("#sheet-body .top")).to_have_count(0)
    finally:
        hosted.between.mend()


def test_what_was_sent_and_did_not_arrive_leads_to_something_to_read(
    hosted: Hosted, phone: Callable[..., Phone]
) -> None:
    ana = ready(phone().open(f"{hosted.address}/dice"))
    hosted.between.cut()
    try:
        ana.at("button").filter(has_text=re.compile("^d20$")).first.click()
        expect(ana.at(".kept-mark")).to_be_visible()
        assert ana.page.url == f"{hosted.address}/dice"
    finally:
        hosted.between.mend()


def test_where_there_is_a_network_nothing_kept_is_shown(hosted: Hosted, phone: Callable[..., Phone]) -> None:
    sitting = hosted.sit().begin()
    here = f"/t/{sitting.table}/white"
    ana = ready(phone().open(sitting.link("white")))
    until_kept(ana, here, at_version(sitting))
    ana.open(hosted.address)
    sitting.correct("cards.white", "3C,4C")
    ana.open(hosted.address + here)
    ana.sees(sitting.version())
    expect(ana.at(".kept-mark")).to_have_count(0)
    expect(ana.at("#hands label.card")).to_have_count(2)


def test_a_seat_that_is_lost_is_kept_no_more(hosted: Hosted, phone: Callable[..., Phone]) -> None:
    sitting = hosted.sit().begin()
    here = f"/t/{sitting.table}/white"
    ana, ben = (ready(phone().open(sitting.link(seat))) for seat in ("white", "black"))
    for one, seat in ((ana, "white"), (ben, "black")):
        until_kept(one, f"/t/{sitting.table}/{seat}", at_version(sitting))
    ben.open(hosted.address)  # is not at the table when it happens
    for seat in ("white", "black"):
        sitting.tables.release(sitting.table, "rulekeeper", seat, hosted.key())
    expect(ana.page).to_have_url(f"{hosted.address}/t/{sitting.table}")
    until_kept(ana, here)
    ben.open(f"{hosted.address}/t/{sitting.table}")
    until_kept(ben, f"/t/{sitting.table}/black")
    hosted.between.cut()
    try:
        ana.open(hosted.address + here)
        expect(ana.at("h1")).to_have_text("Companion is out of reach")
    finally:
        hosted.between.mend()


def test_the_seats_of_a_table_that_was_deleted_are_kept_no_more(hosted: Hosted, phone: Callable[..., Phone]) -> None:
    sitting = hosted.sit().begin()
    here = f"/t/{sitting.table}/white"
    ana = ready(phone().open(sitting.link("white")))
    until_kept(ana, here, at_version(sitting))
    ana.open(hosted.address)  # is not at the table when it happens
    sitting.tables.delete_any(sitting.table)
    with ana.context.expect_event("response", lambda answer: answer.status == 410):
        ana.page.goto(hosted.address + here)
    until_kept(ana, here)


def test_a_newer_build_replaces_what_was_kept(hosted: Hosted, phone: Callable[..., Phone]) -> None:
    ana = phone()
    ana.open(f"{hosted.address}/now")
    ana.page.evaluate("caches.open('seats 0ldbu1ld').then((cache) => cache.put('/t/K7QF22/white', new Response('1')))")
    ready(ana.open(hosted.address))
    assert ana.page.evaluate("caches.has('seats 0ldbu1ld')") is False
    assert set(kept(ana)) == {"files", "said", "pages en"}


def test_pages_are_kept_by_language(hosted: Hosted, phone: Callable[..., Phone]) -> None:
    ana = ready(phone("en").open(f"{hosted.address}/rules"))
    ana.open(f"{hosted.address}/rules/two_cities")
    ana.open(f"{hosted.address}/dice?lang=es")
    ana.open(f"{hosted.address}/rules/two_cities/aid")
    assert "/rules/two_cities" in kept(ana)["pages en"]
    assert {"/dice", "/rules/two_cities/aid"} <= set(kept(ana)["pages es"])
    hosted.between.cut()
    try:
        for address, spoken in (("/dice", "es"), ("/rules/two_cities", "en"), ("/nowhere", "es")):
            ana.open(hosted.address + address)
            expect(ana.at("html")).to_have_attribute("lang", spoken)
    finally:
        hosted.between.mend()


def test_a_proxy_in_front_of_a_companion_that_rests_is_as_no_network(
    tmp_path: Path, phone: Callable[..., Phone]
) -> None:
    with hosting(tmp_path) as running:
        ana = ready(phone("es").open(f"{running.address}/dice"))
        running.rest()
        assert running.ask("GET", "/dice")[0].status == 502
        ana.open(f"{running.address}/dice")
        expect(ana.at(".kept-mark")).to_be_visible()
        ana.open(running.address)
        expect(ana.at("h1")).to_have_text("Sin conexión con Companion")
        ana.wrong = [wrong for wrong in ana.wrong if not wrong.startswith("502 ")]


def test_nothing_of_that_is_there_without_https(served: Serving, phones: Phones) -> None:
    ana = phones().open(served.address)
    expect(ana.at("[rel=manifest]")).to_have_count(0)
    assert ana.page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
