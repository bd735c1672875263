"""Phones that were away: asleep, in a tunnel, or with the laptop switched off; they are right again by themselves."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games import discover
from companion.network import listen
from companion.table.store import Store
from companion.table.tables import Tables
from tests.browser.phones import PATIENCE, Serving, Tunnel
from tests.browser.test_board import held

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Route

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Sitting

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tunnel(served: Serving) -> Iterator[Tunnel]:
    made = Tunnel(served)
    yield made
    made.close()


def through(tunnel: Tunnel, sitting: Sitting, seat: str) -> str:
    return tunnel.address + sitting.link(seat).removeprefix(sitting.serving.address)


def warned(phone: Phone, words: str) -> None:
    """Wait until a phone says that something was not sent: the words are always there, and shown when they hold."""
    expect(phone.at("#unsent")).to_be_visible()
    expect(phone.at("#unsent")).to_contain_text(words)


def ready(phone: Phone) -> Phone:
    """Wait until a page has all that says what could not be sent, which comes after it."""
    expect(phone.at("#unsent button:not([hidden])")).to_have_count(1)
    return phone


TOLD = """
document.addEventListener("htmx:sse:after:message", () => {
  document.documentElement.dataset.told = "yes";
});
"""


def told(phone: Phone, address: str) -> Phone:
    """Open a page, and wait until its table has said something: it is no news then that there is a connection."""
    phone.context.add_init_script(TOLD)
    phone.open(address)
    expect(phone.at("html")).to_have_attribute("data-told", "yes")
    return ready(phone)


def forgets(phone: Phone) -> None:
    """Let so much time pass that nothing goes by itself any more; the phone's clock is the test's."""
    phone.page.clock.fast_forward(10_000)


def test_a_phone_that_slept_is_right_again_by_itself(served: Serving, tunnel: Tunnel, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    ben = phones("en").open(through(tunnel, sitting, "black"))
    ben.page.evaluate("window.same = true")
    ben.context.set_offline(True)
    tunnel.cut()
    expect(ben.at("#resting")).to_be_visible(timeout=PATIENCE)
    sitting.act("white", "play_card", card="AH")
    sitting.act("white", "attack", unit="wc", target="bb")
    expect(ben.dock).not_to_contain_text("Evade")
    tunnel.mend()
    ben.context.set_offline(False)
    expect(ben.asked).to_have_text([re.compile("^Stand and fight"), re.compile("^Evade")])
    expect(ben.at("#resting")).to_be_hidden()
    ben.asked.first.click()
    expect(ben.at("#last .thrown .die")).to_have_count(5)
    assert ben.page.evaluate("window.same"), "the page was loaded again"


def test_a_tap_without_network_loses_nothing(served: Serving, tunnel: Tunnel, phones: Phones) -> None:
    sitting = served.sit(dice="typed").attack()
    sitting.answer("black", value="no")
    ana = phones("en")
    ana.page.clock.install()
    ready(ana.open(through(tunnel, sitting, "white")))
    ana.tap(1, 1, 4, 4, 6)
    tunnel.cut()
    ana.at(".typing > button").click()
    expect(ana.at("#unsent")).to_be_visible()
    expect(ana.at("main.is-away")).to_have_count(1)
    expect(ana.at(".typed:is(button) .die")).to_have_count(5)
    forgets(ana)
    tunnel.mend()
    warned(ana, "Connected again")
    expect(ana.at("main.is-away")).to_have_count(0)
    expect(ana.at(".typed:is(button) .die")).to_have_count(5)
    ana.at(".typing > button").click()
    expect(ana.at("#last .thrown .die")).to_have_count(5)
    ana.shows(["1", "1", "4", "4", "6"])


def test_what_could_not_be_sent_is_said_at_once_and_sent_again_with_what_was_typed(
    served: Serving, phones: Phones
) -> None:
    sitting = served.sit(dice="typed").attack()
    sitting.answer("black", value="no")
    ana = told(phones("en"), sitting.link("white"))
    ana.tap(1, 1, 4, 4, 6)
    before = sitting.version()
    ana.page.route("**/answer", lambda route: route.abort())
    ana.at(".typing > button").click()
    warned(ana, "No connection: that was not sent")
    expect(ana.at("#resting")).to_be_hidden()
    expect(ana.at(".typed:is(button) .die")).to_have_count(5)
    assert sitting.version() == before
    ana.page.unroute("**/answer")
    ana.at("#unsent button").click()
    expect(ana.at("#last .thrown .die")).to_have_count(5)
    expect(ana.at("#unsent")).to_be_hidden()
    ana.shows(["1", "1", "4", "4", "6"])


def test_an_attack_that_could_not_be_sent_is_sent_again_from_its_sheet(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    sitting.act("white", "play_card", card="AH")
    ana = told(phones("en"), sitting.link("white"))
    ana.page.route("**/plan?*", lambda route: route.abort())
    ana.pick("wc")
    ana.at("#targets-wc .way.key-fight:visible").click()
    expect(ana.at("#sheet #unsent")).to_be_visible()
    ana.page.unroute("**/plan?*")
    ana.at("#unsent button").click()
    expect(ana.at("#plan .chart").first).to_be_visible()
    expect(ana.at("#unsent")).to_be_hidden()
    ana.page.route("**/act", lambda route: route.abort())
    ana.at("#plan button.main").click()
    expect(ana.at("#sheet #unsent")).to_be_visible()
    ana.page.unroute("**/act")
    ana.at("#unsent button").click()
    expect(ana.at("#sheet")).to_be_hidden()
    expect(ana.dock).to_contain_text("Waiting for Ben")


def test_a_wish_that_the_table_overtook_is_not_offered_again(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = told(phones("en"), sitting.link("white"))
    ana.page.route("**/act", lambda route: route.abort())
    ana.play("AH")
    warned(ana, "No connection: that was not sent")
    sitting.act("white", "play_card", card="2H")
    ana.sees(sitting.version())
    warned(ana, "The table has moved on")
    ana.at("#unsent button").filter(has_text="Close").click()
    expect(ana.at("#unsent")).to_be_hidden()
    assert len([one for one in ana.requests if one.startswith("POST")]) == 1


def test_an_answer_that_others_overtook_on_its_way_is_not_left_standing(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en").open(sitting.link("white"))

    def slowly(route: Route) -> None:
        answer = route.fetch()
        sitting.correct("unit.bb.square", "d5")
        ana.sees(sitting.version())
        route.fulfill(response=answer)

    ana.page.route("**/act", slowly)
    ana.page.evaluate(
        """document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
          if (ctx.request?.method === "POST") document.documentElement.dataset.answered = "yes";
        })"""
    )
    ana.play("AH")
    expect(ana.at("html")).to_have_attribute("data-answered", "yes")
    ana.sees(sitting.version())
    expect(ana.at("#last")).to_contain_text("b8 → d5")


def test_a_stream_that_fell_silent_is_opened_again(served: Serving, tunnel: Tunnel, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = phones("en")
    ben.page.clock.install()
    with ben.page.expect_response("**/black/live?*"):
        ben.open(through(tunnel, sitting, "black"))
    ben.page.evaluate("window.same = true")
    tunnel.silence()
    sitting.act("white", "play_card", card="AH")
    with ben.page.expect_request("**/now"):
        ben.page.clock.fast_forward(5_500)
    ben.page.clock.fast_forward(2_000)
    expect(ben.at("#resting")).to_be_visible()
    with ben.page.expect_request("**/black/live?*"):
        tunnel.forget()
        ben.page.clock.fast_forward(2_000)
    expect(ben.at("#last .headline")).to_have_text("White plays One on the left")
    expect(ben.at("#resting")).to_be_hidden()
    assert ben.page.evaluate("window.same"), "the page was loaded again"


class Hoarder(Tunnel):
    """Be what lies between and waits for the end of what is packed before it lets anything of it through."""

    def _carry(self, one: socket.socket, other: socket.socket, flowing: threading.Event) -> None:
        with suppress(OSError):
            while data := one.recv(1 << 16):
                head, end, _ = data.partition(b"\r\n\r\n")
                if b"text/event-stream" in head and b"content-encoding: gzip" in head:
                    other.sendall(head + end)
                    while one.recv(1 << 16):
                        pass
                other.sendall(data)
        other.close()


def test_a_phone_that_hears_nothing_of_a_packed_stream_asks_for_it_as_it_is(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = phones("en")
    ben.page.clock.install()
    with closing(Hoarder(served)) as tunnel:
        with ben.page.expect_response("**/black/live?*") as packed:
            ben.open(through(tunnel, sitting, "black"))
        assert "packed=no" not in packed.value.url
        with ben.page.expect_response("**/black/live?*packed=no") as plain:
            ben.page.clock.fast_forward(5_500)
        assert "content-encoding" not in plain.value.headers
        sitting.act("white", "play_card", card="AH")
        expect(ben.at("#last .headline")).to_have_text("White plays One on the left")
        with ben.page.expect_response("**/black/live?*packed=no"):
            tunnel.cut()
            tunnel.mend()


def test_a_stream_comes_packed_and_is_followed(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = phones("en")
    with ben.page.expect_response("**/black/live?*") as stream:
        ben.open(sitting.link("black"))
    assert stream.value.headers["content-encoding"] == "gzip"
    ben.page.evaluate("window.same = true")
    sitting.act("white", "play_card", card="AH")
    expect(ben.at("#last .headline")).to_have_text("White plays One on the left")
    assert ben.page.evaluate("window.same"), "the page was loaded again"


OPENED = """
const count = (one) => () => {
  const { dataset } = document.documentElement;
  dataset.opened = Number(dataset.opened ?? 0) + one;
};
document.addEventListener("htmx:sse:after:connection", count(1));
document.addEventListener("htmx:sse:close", count(-1));
"""
STOPPABLE = """
for (const name of ["setTimeout", "setInterval"]) {
  const set = globalThis[name].bind(globalThis);
  globalThis[name] = (what, ...rest) => set((...given) => globalThis.stopped || what(...given), ...rest);
}
const fetching = globalThis.fetch.bind(globalThis);
globalThis.fetched = new Set();
globalThis.fetch = (...what) => {
  const answer = fetching(...what);
  fetched.add(answer);
  const done = () => fetched.delete(answer);
  answer.then(done, done);
  return answer;
};
"""


def opened(phone: Phone, address: str) -> Phone:
    """Open a page that hears its table, and whose timers can be stopped."""
    phone.context.add_init_script(STOPPABLE + OPENED)
    phone.open(address)
    expect(phone.at("html")).to_have_attribute("data-opened", "1")
    return phone


def stop(phone: Phone) -> None:
    """Stop the timers of a page: nothing is done from now on because time passes."""
    phone.page.evaluate("window.stopped = true")


def failed(phone: Phone) -> None:
    """Wait until a page without a network waits for no answer any more."""
    phone.page.wait_for_function("fetched.size === 0")


def stopped(phone: Phone, address: str) -> Phone:
    """Open a page that hears its table, and stop its timers."""
    stop(opened(phone, address))
    return phone


def test_a_phone_without_a_network_says_so_at_once_and_is_back_at_once(
    served: Serving, tunnel: Tunnel, phones: Phones
) -> None:
    sitting = served.sit().begin()
    ben = stopped(phones("en"), through(tunnel, sitting, "black"))
    tunnel.cut()
    ben.context.set_offline(True)
    expect(ben.at("#resting")).to_be_visible()
    failed(ben)
    sitting.act("white", "play_card", card="AH")
    tunnel.mend()
    ben.context.set_offline(False)
    expect(ben.at("#resting")).to_be_hidden()
    ben.page.evaluate("window.stopped = false")
    ben.sees(sitting.version())


def test_a_phone_that_is_looked_at_again_is_back_at_once(served: Serving, tunnel: Tunnel, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = opened(phones("en"), through(tunnel, sitting, "black"))
    tunnel.cut()
    expect(ben.at("#resting")).to_be_visible()
    stop(ben)
    failed(ben)
    tunnel.mend()
    ben.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(ben.at("#resting")).to_be_hidden()


def test_a_laptop_without_a_network_reaches_itself(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ruth = stopped(phones("en"), sitting.link("rulekeeper"))
    with ruth.page.expect_response("**/now") as asked:
        ruth.page.evaluate("dispatchEvent(new Event('offline'))")
    asked.value.finished()
    ruth.page.evaluate("fetch('/now').then((answer) => answer.text())")
    expect(ruth.at("#resting")).to_be_hidden()
    assert ruth.at("main.is-away").count() == 0


def test_a_phone_that_is_back_is_alarmed_no_more_and_can_still_send(
    served: Serving, tunnel: Tunnel, phones: Phones
) -> None:
    sitting = served.sit().begin()
    ana = phones("es")
    ana.page.clock.install()
    ready(ana.open(through(tunnel, sitting, "white")))
    tunnel.cut()
    ana.play("AH")
    warned(ana, "Sin conexión")
    expect(ana.at("#resting")).to_be_hidden()
    forgets(ana)
    tunnel.mend()
    warned(ana, "Vuelves a tener conexión")
    expect(ana.at("#resting")).to_be_hidden()
    ana.at("#unsent button").click()
    expect(ana.at("#last .headline")).to_contain_text("a la izquierda")
    expect(ana.at("#unsent")).to_be_hidden()


def test_a_stream_that_is_slow_to_begin_is_not_opened_twice(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = phones("en")
    ben.context.add_init_script(OPENED)
    with held(ben, "**/live?*"):
        with ben.page.expect_request("**/live?*"):
            ben.open(sitting.link("black"))
        # It is asked for again every three seconds, should it have ended.
        begun = ben.page.evaluate("performance.now()")
        while ben.page.evaluate("performance.now()") < begun + 3300:
            pass
    expect(ben.at("html")).to_have_attribute("data-opened", "1")
    sitting.act("white", "play_card", card="AH")
    ben.sees(sitting.version())
    expect(ben.at("html")).to_have_attribute("data-opened", "1")


@contextmanager
def running(port: int, data: Path) -> Iterator[subprocess.Popen[str]]:
    """Run Companion as people do; when it is left, it is stopped as by Ctrl-C and has to end well."""
    command = [sys.executable, "-m", "companion", "--host", "127.0.0.1", "--port", str(port)]
    apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if sys.platform == "win32" else {}
    with subprocess.Popen(
        [*command, "--data", str(data), "--no-browser"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        **apart,
    ) as process:
        try:
            assert process.stdout is not None
            said = []
            for line in process.stdout:
                said.append(line)
                if re.search(rf"http://[^ ]*:{port}", line):
                    break
            assert process.poll() is None, "".join(said)
            yield process
        finally:
            process.send_signal(signal.CTRL_BREAK_EVENT if sys.platform == "win32" else signal.SIGINT)
            process.stdout.read()
            process.wait(PATIENCE / 1000)


def free_port() -> int:
    with listen("127.0.0.1", 0) as server_socket:
        return int(server_socket.getsockname()[1])


def test_the_game_goes_on_after_companion_was_stopped_and_started(tmp_path: Path, phones: Phones) -> None:
    port = free_port()
    store = Store(tmp_path / "tables.sqlite")
    try:
        sitting = Serving(f"http://127.0.0.1:{port}", Tables(store, discover())).sit().attack()
    finally:
        store.close()
    ana, ben = phones("es"), phones("en")
    ben.page.clock.install()
    with running(port, tmp_path):
        ana.open(sitting.link("white"))
        ben.open(sitting.link("black"))
        expect(ready(ben).asked).to_have_count(2)
        for phone in (ana, ben):
            phone.page.evaluate("window.same = true")
    for phone, words in ((ana, "Sin conexión con la mesa"), (ben, "No connection to the table")):
        expect(phone.at("#resting")).to_be_visible()
        expect(phone.at("#resting")).to_contain_text(words)
    ben.asked.first.click()
    expect(ben.at("#unsent")).to_be_visible()
    forgets(ben)
    with running(port, tmp_path):
        warned(ben, "Connected again")
        for phone in (ana, ben):
            expect(phone.at("#resting")).to_be_hidden(timeout=PATIENCE)
        expect(ben.asked).to_have_count(2)
        ben.asked.first.click()
        for phone in (ana, ben):
            expect(phone.at("#last .thrown .die")).to_have_count(5)
        ana.do("action=end_turn").click()
        expect(ben.dock).to_contain_text("Choose a card")
        assert all(phone.page.evaluate("window.same") for phone in (ana, ben)), "a page was loaded again"
