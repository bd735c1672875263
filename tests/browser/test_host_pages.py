"""The pages of the host on a laptop and on a phone: the codes, the Wi-Fi, and what to do where no phone comes."""

from __future__ import annotations

import urllib.request
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from companion.web.network.adapters import Address
from companion.web.network.surroundings import Around, Surroundings
from companion.web.wifi import WIFI_FILE, Wifi, forget_wifi, keep_wifi, read_wifi
from tests.browser.phones import WIDE
from tests.browser.test_axe import SMALL as TOO_SMALL
from tests.browser.test_axe import inspect
from tests.browser.test_large_letters import OUT_OF_THE_PAGE, enlarge

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = [pytest.mark.browser, pytest.mark.sized]

SMALL = {"width": 360, "height": 640}
A4 = {"width": 733, "height": 1062}
"""A sheet of paper within its margins."""
CAFE = Wifi("Café; “Torre” 5G", 'tres:gatos,"y"\\uno')
AROUND = Around(
    (
        Address("192.168.1.20", "Intel(R) Wi-Fi 6 AX201 160MHz"),
        Address("10.42.0.1", "wlan1"),
        Address("100.101.102.103", "tailscale0", "vpn"),
        Address("172.17.0.1", "docker0", "virtual"),
    ),
    CAFE.name,
    "win32",
)


@pytest.fixture
def folder(served: Serving, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let the laptop be in some networks; nothing of its Wi-Fi is left for the next test."""
    monkeypatch.setattr(Surroundings, "__call__", lambda _: AROUND)
    folder = served.tables.store.path.parent
    yield folder
    forget_wifi(folder)


def take_key(phone: Phone, served: Serving) -> Phone:
    return phone.open(served.host_link)


def is_sound(phone: Phone) -> None:
    """The page stays within the screen, and everything on it can be tapped."""
    phone.page.wait_for_load_state("load")  # the words of a page are there before its look
    assert phone.page.evaluate(OUT_OF_THE_PAGE) == []
    wide, screen = phone.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide == screen, "words are cut off, or the page is moved sideways"
    assert phone.page.evaluate(TOO_SMALL) == []


def seen_at_all_sizes(phone: Phone, name: str) -> None:
    """Look at a page on the smallest phone, on a laptop, and with letters twice as large."""
    for size, view in (("small", SMALL), ("wide", WIDE)):
        phone.page.set_viewport_size(view)
        phone.drawn()
        is_sound(phone)
        for look in ("light", "dark"):
            phone.page.emulate_media(color_scheme=look, reduced_motion="reduce")
            phone.save(f"{name}-{size}-{look}")
    inspect(phone, name)


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_the_pages_of_the_host_fit_every_screen(served: Serving, phones: Phones, folder: Path, tongue: str) -> None:
    keep_wifi(folder, CAFE)
    table = served.sit()
    laptop = take_key(phones(tongue, viewport=WIDE), served)
    seen_at_all_sizes(laptop, f"host-home-{tongue}")
    for name in ("", "/wifi", "/phones"):
        laptop.open(f"{served.address}/host{name}")
        seen_at_all_sizes(laptop, f"host{name.replace('/', '-')}-{tongue}")
    laptop.open(table.link("rulekeeper")).open(f"{served.address}/t/{table.table}/rulekeeper/invite")
    seen_at_all_sizes(laptop, f"host-invite-{tongue}")


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_letters_twice_as_large_fit_too(
    served: Serving, phones: Phones, folder: Path, monkeypatch: pytest.MonkeyPatch, tongue: str
) -> None:
    monkeypatch.setattr(Surroundings, "__call__", lambda _: replace(AROUND, system="linux"))  # whose steps are commands
    keep_wifi(folder, CAFE)
    phone = phones(tongue, viewport=SMALL)
    enlarge(phone)
    take_key(phone, served)
    for name in ("", "/wifi", "/phones"):
        phone.open(f"{served.address}/host{name}")
        phone.drawn()
        is_sound(phone)
        phone.save(f"host{name.replace('/', '-')}-{tongue}-large")


def test_both_codes_are_seen_at_once_on_a_laptop(served: Serving, phones: Phones, folder: Path) -> None:
    keep_wifi(folder, CAFE)
    laptop = take_key(phones("en", viewport=WIDE), served).open(f"{served.address}/host")
    codes = laptop.at("svg.qr")
    expect(codes).to_have_count(2)
    for code in codes.all():
        box = code.bounding_box()
        assert box is not None
        assert box["width"] >= 300
        assert box["y"] + box["height"] <= WIDE["height"]
    laptop.open(served.address)
    for code in codes.all():
        box = code.bounding_box()
        assert box is not None
        assert box["width"] >= 200
        assert box["y"] + box["height"] <= WIDE["height"]


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_the_wifi_is_typed_once_and_can_be_deleted(
    served: Serving, phones: Phones, folder: Path, *, scripts: bool
) -> None:
    laptop = take_key(phones("en", scripts=scripts, viewport=WIDE), served).open(f"{served.address}/host")
    laptop.page.get_by_role("link", name="Type the Wi-Fi").click()
    expect(laptop.page.get_by_label("Name of the Wi-Fi")).to_have_value(AROUND.wifi)
    password = laptop.page.get_by_label("Password", exact=True)
    expect(password).to_have_css("-webkit-text-security", "disc")
    laptop.page.get_by_label("Show the password").check()
    expect(password).to_have_css("-webkit-text-security", "none")
    password.fill("short")
    laptop.page.get_by_role("button", name="Make the code").click()
    expect(laptop.at("main .wrong")).to_contain_text("at least 8 letters")
    expect(password).to_have_value("short")
    password.fill(CAFE.password)
    laptop.page.get_by_text("Hidden: phones").click()
    laptop.page.get_by_role("button", name="Make the code").click()
    expect(laptop.at(".wifi-name")).to_have_text(CAFE.name)
    assert read_wifi(folder) == Wifi(CAFE.name, CAFE.password, "WPA", hidden=True)
    laptop.page.get_by_role("link", name="Change the Wi-Fi").click()
    expect(password).to_have_value(CAFE.password)
    laptop.page.get_by_text("No password").click()
    expect(password).to_be_hidden()
    laptop.page.get_by_role("button", name="Delete the Wi-Fi").click()
    expect(laptop.page.get_by_role("link", name="Type the Wi-Fi")).to_be_visible()
    assert not (folder / WIFI_FILE).exists()


def test_the_page_waits_for_a_phone_and_says_when_one_has_come(
    served: Serving, phones: Phones, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laptop = phones("en", viewport=WIDE)
    laptop.page.clock.install()
    take_key(laptop, served).open(f"{served.address}/host/phones")
    expect(laptop.at("#check")).to_contain_text("This page says so as soon as one has come")
    expect(laptop.at(".findings")).to_contain_text("tick Python, and Private beside it")
    port = served.address.rpartition(":")[2]
    phone = urllib.request.Request(served.address, headers={"Host": f"192.168.1.20:{port}"})
    with urllib.request.urlopen(phone, timeout=30):
        laptop.page.clock.fast_forward(4000)
    expect(laptop.at(".arrived")).to_contain_text("A phone has come just now")
    expect(laptop.at(".way.is-open")).to_contain_text("192.168.1.20")
    asked = len(laptop.requests)
    laptop.page.clock.fast_forward(20_000)
    laptop.drawn()
    assert len(laptop.requests) == asked, "it asks although a phone has come"
    laptop.save("host-phones-arrived")


def test_both_codes_are_printed_on_one_sheet(served: Serving, phones: Phones, folder: Path) -> None:
    keep_wifi(folder, CAFE)
    laptop = take_key(phones("en", viewport=A4), served).open(f"{served.address}/host")
    laptop.page.emulate_media(media="print")
    laptop.save("host-printed")
    for code in laptop.at("svg.qr").all():
        box = code.bounding_box()
        assert box is not None
        assert box["width"] >= 240
        assert box["y"] + box["height"] <= A4["height"]
    for aside in (".top", ".buttons", ".on-screen"):
        expect(laptop.at(aside).locator("visible=true")).to_have_count(0)
    assert laptop.page.evaluate("document.documentElement.scrollHeight") <= A4["height"]
