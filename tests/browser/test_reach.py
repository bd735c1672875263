"""Within everybody's reach: with the keyboard alone, and light enough for a crowded Wi-Fi."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

MOST_REQUESTS = 8
MOST_BYTES = 60_000
MOST_STEPS = 60

BEFORE_IT_IS_THERE = """
() => {
  const [page] = performance.getEntriesByType("navigation");
  const all = performance.getEntriesByType("resource");
  return all.filter(({ startTime }) => startTime < page.loadEventStart).map(({ name }) => name);
}
"""

FOCUS = """
() => {
  const element = document.activeElement;
  const shown = element.labels?.[0] && element.matches(".away") ? element.labels[0] : element;
  const ringed = (one) => getComputedStyle(one).outlineStyle !== "none";
  const box = shown.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return {
    id: element.id, value: element.value ?? "", href: element.getAttribute("href") ?? "", tag: element.tagName,
    ring: [shown, ...shown.children].some(ringed),
    there: box.width > 0 && box.bottom > 0 && box.top < innerHeight && (shown.contains(top) || top?.contains(shown)),
  };
}
"""


def tab_to(phone: Phone, *, key: str = "Tab", **wanted: str) -> None:
    """Press a key until something wanted has the focus; on the way everything shows it, and is not hidden."""
    for _ in range(MOST_STEPS):
        phone.page.keyboard.press(key)
        now = phone.page.evaluate(FOCUS)
        assert now["tag"] == "BODY" or now["ring"], f"no visible focus: {now}"
        if all(part in str(now[name]) for name, part in wanted.items()):
            assert now["there"], f"the focus is out of sight: {now}"
            return
    raise AssertionError(f"the keyboard does not reach {wanted}")


def test_a_turn_is_played_with_the_keyboard_alone(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    sitting.correct("unit.wc.square", "d2")
    sitting.act("white", "play_card", card="2H")
    ana, ben = phones("en").open(sitting.link("white")), phones("en").open(sitting.link("black"))
    press = ana.page.keyboard.press
    tab_to(ana, id="pick-")
    if ana.page.evaluate(FOCUS)["id"] != "pick-wc":
        tab_to(ana, key="ArrowDown", id="pick-wc")
    else:
        press("Space")
    expect(ana.at("#pick-wc")).to_be_checked()
    tab_to(ana, value="to=d3")
    press("Enter")
    expect(ana.at("#last .headline")).to_contain_text("d3")
    ana.settled(sitting.version)
    tab_to(ana, id="pick-")
    expect(ana.at("#pick-wc")).to_be_focused()
    press("Space")
    tab_to(ana, value="target=bb")
    press("Enter")
    expect(ben.asked).to_have_count(2)
    expect(ben.at("#dock form[inert]")).to_have_count(0)
    tab_to(ben, value="no")
    ben.page.keyboard.press("Enter")
    expect(ana.at("#last .thrown .die")).to_have_count(5)


def test_a_card_is_played_with_the_keyboard_alone(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("es").open(sitting.link("white"))
    tab_to(ana, id="card-")
    ana.page.keyboard.press("Space")
    tab_to(ana, value="action=play_card")
    ana.page.keyboard.press("Enter")
    expect(ana.at("#last .headline")).to_contain_text("Las blancas juegan")


def test_the_sheet_opens_and_closes_with_the_keyboard(served: Serving, phones: Phones) -> None:
    sitting = served.sit().attack()
    ben = phones("es").open(sitting.link("black"))
    ben.aside()
    expect(ben.recap.get_by_role("link", name="Por qué: TTC-87")).to_have_count(1)
    tab_to(ben, href="TTC-87")
    ben.page.keyboard.press("Enter")
    expect(ben.at("#sheet-body")).to_contain_text("TTC-87")
    ben.page.keyboard.press("Escape")
    expect(ben.at("#sheet")).to_be_hidden()
    assert "TTC-87" in ben.page.evaluate(FOCUS)["href"]


@pytest.mark.parametrize("seat", ["white", "screen"])
def test_the_way_to_a_play_page_is_light(served: Serving, phones: Phones, seat: str) -> None:
    sitting = served.sit().face_to_face()
    phone = phones("es")
    wire = phone.context.new_cdp_session(phone.page)
    sizes: dict[str, int] = {}
    addresses: dict[str, str] = {}

    def asked(event: dict[str, dict[str, str]]) -> None:
        addresses[str(event["requestId"])] = event["request"]["url"]
        if "redirectResponse" in event:
            redirects.append(int(event["redirectResponse"]["encodedDataLength"]))

    redirects: list[int] = []
    wire.on("Network.requestWillBeSent", asked)
    wire.on("Network.dataReceived", lambda event: add(sizes, event, "encodedDataLength"))
    wire.on("Network.loadingFinished", lambda event: sizes.__setitem__(event["requestId"], event["encodedDataLength"]))
    wire.send("Network.enable")
    with phone.page.expect_response("**/live?*"):
        phone.open(sitting.link(seat))
    phone.page.wait_for_load_state("load")
    expect(phone.at("#state")).to_be_visible()
    # What comes when the page is there is no part of it. A stream that a busy machine opens late is asked for again.
    first = {phone.page.url, *phone.page.evaluate(BEFORE_IT_IS_THERE)}
    once = [one for one in addresses.values() if one in first and "/live?" not in one] + ["the stream"]
    assert len(once) + len(redirects) <= MOST_REQUESTS, addresses
    weights = {at: size for one, size in sizes.items() if (at := addresses[one]) in first or "/live?" in at}
    assert sum(weights.values()) + sum(redirects) <= MOST_BYTES, weights
    assert sum(weights.values()) > 10_000, "nothing was measured"


def add(sizes: dict[str, int], event: dict[str, int], name: str) -> None:
    one = str(event["requestId"])
    sizes[one] = sizes.get(one, 0) + int(event[name])
