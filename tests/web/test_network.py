"""Why phones may not come: the adapters of a laptop, the name of its Wi-Fi, who has come, and what the page says."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import ifaddr
import pytest

from companion import create_app, network
from companion.web.network import adapters, wifi_names
from companion.web.network.adapters import Address, kind_of, sorted_addresses
from companion.web.network.arrivals import MOST_NAMES, Arrivals
from companion.web.network.check import (
    Finding,
    Listening,
    arrival,
    candidates,
    findings,
    reachable,
)
from companion.web.network.surroundings import NAME_HOLDS, Around, Surroundings
from companion.web.network.wifi_names import current_wifi
from companion.web.state import NAME
from companion.web.wifi import Wifi, keep_wifi
from tests.support.barcodes import drawn
from tests.support.duel_game import GAME
from tests.support.phones import words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from flask import Flask

HOME = Address("192.168.1.20", "wlan0")
VPN = Address("10.8.0.2", "tun0", "vpn")
VIRTUAL = Address("172.17.0.1", "docker0", "virtual")
NONE = Address("169.254.7.7", "eth0", "unassigned")
EVERYWHERE = Listening("0.0.0.0", 8000, "192.168.1.20")


@pytest.mark.parametrize(
    ("ip", "adapter", "kind"),
    [
        ("192.168.1.20", "wlan0", "network"),
        ("192.168.1.20", "wlp3s0", "network"),
        ("192.168.1.20", "en0", "network"),
        ("192.168.1.20", "br0", "network"),
        ("10.0.0.5", "Intel(R) Wi-Fi 6 AX201 160MHz", "network"),
        ("10.0.0.5", "Realtek PCIe GbE Family Controller", "network"),
        ("192.168.137.1", "Microsoft Wi-Fi Direct Virtual Adapter #2", "network"),
        ("192.168.2.1", "bridge100", "network"),
        ("10.8.0.2", "tun0", "vpn"),
        ("10.8.0.2", "tap0", "vpn"),
        ("10.8.0.2", "utun4", "vpn"),
        ("10.8.0.2", "wg0", "vpn"),
        ("10.8.0.2", "wg-mullvad", "vpn"),
        ("10.8.0.2", "ppp0", "vpn"),
        ("10.147.17.5", "ztabcdef12", "vpn"),
        ("100.101.102.103", "tailscale0", "vpn"),
        ("100.64.0.1", "eth3", "vpn"),
        ("25.1.2.3", "LogMeIn Hamachi Virtual Ethernet Adapter", "vpn"),
        ("10.8.0.2", "TAP-Windows Adapter V9", "vpn"),
        ("10.8.0.2", "WireGuard Tunnel", "vpn"),
        ("10.8.0.2", "Cisco AnyConnect Secure Mobility Client Virtual Miniport Adapter", "vpn"),
        ("172.17.0.1", "docker0", "virtual"),
        ("172.18.0.1", "br-5f3c1d2e", "virtual"),
        ("172.17.0.3", "veth12ab", "virtual"),
        ("192.168.122.1", "virbr0", "virtual"),
        ("192.168.99.1", "vmnet8", "virtual"),
        ("192.168.56.1", "VirtualBox Host-Only Ethernet Adapter", "virtual"),
        ("192.168.99.1", "VMware Virtual Ethernet Adapter for VMnet8", "virtual"),
        ("172.28.0.1", "Hyper-V Virtual Ethernet Adapter", "virtual"),
        ("172.28.0.1", "vEthernet (WSL)", "virtual"),
        ("169.254.7.7", "wlan0", "unassigned"),
        ("169.254.7.7", "tun0", "unassigned"),
    ],
)
def test_an_adapter_is_known_by_its_name_and_its_range(ip: str, adapter: str, kind: str) -> None:
    assert kind_of(ip, adapter) == kind


def test_the_likeliest_address_comes_first_even_where_a_vpn_is_the_way_out() -> None:
    found = [
        ("127.0.0.1", "lo"),
        ("0.0.0.0", "eth9"),
        ("169.254.7.7", "eth0"),
        ("172.17.0.1", "docker0"),
        ("10.8.0.2", "tun0"),
        ("192.168.1.20", "wlan0"),
        ("10.0.0.9", "eth1"),
    ]
    assert [one.ip for one in sorted_addresses(found, "10.8.0.2")] == [
        "10.0.0.9",
        "192.168.1.20",
        "10.8.0.2",
        "172.17.0.1",
        "169.254.7.7",
    ]
    assert sorted_addresses(found, "192.168.1.20")[0] == HOME


def test_the_addresses_of_this_computer_have_the_names_of_their_adapters(monkeypatch: pytest.MonkeyPatch) -> None:
    there = [
        ifaddr.Adapter(name, name, [ifaddr.IP(ip, 24, name)])
        for name, ip in (("docker0", "172.17.0.1"), ("wlan0", "192.168.1.20"), ("eth0", "169.254.7.7"))
    ]
    monkeypatch.setattr(adapters.ifaddr, "get_adapters", lambda: there)
    monkeypatch.setattr(adapters.socket.socket, "connect", lambda *_: None)
    monkeypatch.setattr(adapters.socket.socket, "getsockname", lambda _: ("192.168.1.20", 0))
    assert adapters.read_addresses() == (HOME, VIRTUAL, NONE)
    assert network.lan_addresses() == ["192.168.1.20", "172.17.0.1"]


SUMMARY = """<dictionary> {
  BSSID : <redacted>
  IPv4 : <array> {
  }
  InterfaceType : WiFi
  SSID : Casa: Ñandú
  Security : WPA2_PSK
}
"""
INTERFACES = """
There is 1 interface on the system:

    Name                   : Wi-Fi
    Description            : Intel(R) Wi-Fi 6 AX201 160MHz
    State                  : connected
    SSID                   : Casa: Ñandú
    AP BSSID               : 01:23:45:67:89:ab
    Profile                : Casa: Ñandú
"""
INTERFACES_ES = (
    "    Nombre   : Wi-Fi\r\n    Estado   : conectado\r\n    SSID     : Casa: Ñandú\r\n    BSSID    : 01:23:45\r\n"
)


@pytest.mark.parametrize(
    ("system", "told"),
    [
        ("linux", {"iwgetid": "Casa: Ñandú\n"}),
        ("linux", {"nmcli": "no:Vecino\nyes:Casa\\: Ñandú\nno:Otra\n"}),
        ("linux", {"iwgetid": "\n", "nmcli": "yes:Casa\\: Ñandú\n"}),
        ("freebsd14", {"iwgetid": "Casa: Ñandú\n"}),
        ("darwin", {"ipconfig getsummary en0": SUMMARY}),
        (
            "darwin",
            {"ipconfig getsummary en1": SUMMARY, "networksetup": "You are not associated with an AirPort network.\n"},
        ),
        (
            "darwin",
            {
                "ipconfig": SUMMARY.replace("SSID : Casa: Ñandú", "SSID : <redacted>"),
                "networksetup -getairportnetwork en0": "Current Wi-Fi Network: Casa: Ñandú\n",
            },
        ),
        ("win32", {"netsh": INTERFACES}),
        ("win32", {"netsh": INTERFACES_ES}),
    ],
)
def test_the_name_of_the_wifi_is_read_from_what_the_system_says(system: str, told: dict[str, str]) -> None:
    def ask(command: Sequence[str]) -> str:
        return next((said for begins, said in told.items() if " ".join(command).startswith(begins)), "")

    assert current_wifi(system, ask) == "Casa: Ñandú"


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
@pytest.mark.parametrize(
    "said",
    [
        "",
        "yes:\n",
        "\n",
        "You are not associated with an AirPort network.\n",
        "    State : disconnected\n    BSSID : 01:23:45\n",
        "  SSID : \N{REPLACEMENT CHARACTER}andu\nyes:\N{REPLACEMENT CHARACTER}",
        "yes:bad\x07bell\n  SSID : bad\x07bell\n",
    ],
)
def test_where_no_wifi_is_told_there_is_none(system: str, said: str) -> None:
    assert current_wifi(system, lambda command: said if command[0] != "iwgetid" else "") == ""


def test_a_command_that_is_not_there_fails_or_takes_long_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wifi_names.ask(["no-such-command-anywhere"]) == ""
    assert wifi_names.ask([sys.executable, "-c", "print('name'); raise SystemExit(1)"]) == ""
    assert wifi_names.ask([sys.executable, "-c", "print('name')"]) == "name\n"
    monkeypatch.setattr(wifi_names, "LONGEST", 0.05)
    assert wifi_names.ask([sys.executable, "-c", "import threading; threading.Event().wait()"]) == ""


def test_the_name_of_the_wifi_is_not_asked_for_again_at_once() -> None:
    time, asked = [0.0], []
    around = Surroundings(lambda: (HOME,), lambda: asked.append(1) or f"name {len(asked)}", lambda: time[0])
    assert [around().wifi, around().wifi, around().addresses] == ["name 1", "name 1", (HOME,)]
    time[0] += NAME_HOLDS
    assert around().wifi == "name 2"


def said(found: Sequence[Finding], state: str) -> list[str]:
    return [finding.text.say for finding in found if finding.state == state]


@pytest.mark.parametrize(
    ("addresses", "listening", "comes", "looks"),
    [
        ((HOME,), EVERYWHERE, True, ""),
        ((HOME, VPN), EVERYWHERE, True, "A VPN is on"),
        ((HOME, VIRTUAL), EVERYWHERE, True, ""),
        ((VPN,), Listening("", 8000, "10.8.0.2"), False, "only in VPNs"),
        ((VIRTUAL,), Listening("::", 8000), False, "only in VPNs"),
        ((NONE,), Listening("0.0.0.0", 8000), False, "was given no address"),
        ((), Listening("0.0.0.0", 8000), False, "in no network"),
        ((HOME,), Listening("127.0.0.1", 8000, "127.0.0.1"), False, "to this computer only"),
        ((HOME,), Listening("localhost", 8000), False, "to this computer only"),
        ((HOME,), Listening("192.168.1.20", 8000, "192.168.1.20"), True, ""),
        ((HOME,), Listening("", 8000, "127.0.0.1"), True, "start Companion without --lan-address"),
        ((), Listening("", 8000, "127.0.0.1"), False, "in no network"),
        ((HOME,), Listening("192.168.1.99", 8000), False, "no address of this computer any more"),
        ((HOME,), Listening("0.0.0.0", 8000, "192.168.9.9"), True, "The codes lead to"),
        ((HOME,), Listening("0.0.0.0", 8000, "table.example.org"), True, ""),
    ],
)
def test_what_keeps_phones_away_is_found(
    addresses: tuple[Address, ...], listening: Listening, comes: bool, looks: str
) -> None:
    around = Around(addresses, "Casa", "linux")
    assert reachable(around, listening) is comes
    look = said(findings(around, listening), "look")
    assert any(looks in one for one in look) if looks else look == []


def test_only_addresses_that_it_listens_at_are_tried() -> None:
    around = Around((HOME, VPN, VIRTUAL, NONE))
    assert candidates(around, EVERYWHERE) == (HOME, VPN, VIRTUAL)
    assert candidates(around, Listening("10.8.0.2", 8000)) == (VPN,)
    assert candidates(around, Listening("127.0.0.1", 8000)) == ()


@pytest.mark.parametrize(
    ("name", "coded", "state", "words"),
    [
        ("", "", "unknown", "cannot be found out"),
        ("Casa", "", "fine", "in the same one"),
        ("Casa", "Casa", "fine", "in the same one"),
        ("Casa", "Torre", "look", "leads to"),
        ("Casa-Guest", "", "look", "for guests"),
        ("MOVISTAR_invitados", "", "look", "for guests"),
    ],
)
def test_the_wifi_is_compared_with_that_of_the_code(name: str, coded: str, state: str, words: str) -> None:
    found = said(findings(Around((HOME,), name, "linux"), EVERYWHERE, coded), state)
    assert any("Wi-Fi" in one and words in one for one in found)


@pytest.mark.parametrize(
    ("system", "step"),
    [("win32", "tick Python, and Private"), ("darwin", "System Settings → Network → Firewall"), ("linux", "ufw allow")],
)
def test_the_steps_for_the_firewall_are_those_of_the_system(system: str, step: str) -> None:
    steps = [step.say for found in findings(Around((HOME,), "", system), EVERYWHERE) for step in found.steps]
    assert step in " ".join(steps)
    assert ("ufw" in " ".join(steps)) == (system == "linux")


def test_who_comes_is_remembered_by_the_name_that_was_opened() -> None:
    time = [0.0]
    arrivals = Arrivals(lambda: time[0])
    assert arrivals.since() is None
    arrivals.note("192.168.1.20")
    time[0] = 30
    arrivals.note("laptop.local")
    assert [arrivals.since(), arrivals.since("192.168.1.20"), arrivals.since("other")] == [0, 30, None]
    for number in range(MOST_NAMES):
        arrivals.note(f"name-{number}")
    assert arrivals.since("laptop.local") is None


@pytest.mark.parametrize(
    ("since", "state", "words"),
    [(None, "look", "No phone"), (59.0, "fine", "in the last minute"), (61.0, "fine", "ago"), (7200.0, "fine", "ago")],
)
def test_when_a_phone_came_is_said(since: float | None, state: str, words: str) -> None:
    assert (arrival(since).state, words in arrival(since).text.say) == (state, True)


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    app = create_app(tmp_path, games={"duel": GAME}, address="http://192.168.1.20:8000")
    state = app.extensions[NAME]
    state.surroundings = lambda: Around((HOME, VPN, VIRTUAL, NONE), "Casa", "win32")
    state.listening = ("0.0.0.0", 8000)
    return app


def came(app: Flask) -> bool:
    return app.extensions[NAME].arrivals.since() is not None


def test_who_comes_by_an_address_of_the_network_without_the_key_is_a_phone(app: Flask) -> None:
    app.test_client().get("/", base_url="http://192.168.1.20:8000", environ_overrides={"REMOTE_ADDR": "192.168.1.77"})
    assert app.extensions[NAME].arrivals.since("192.168.1.20") is not None


def test_behind_a_proxy_a_phone_is_known_by_what_it_opened(app: Flask) -> None:
    app.test_client().get("/", base_url="http://laptop.local", environ_overrides={"REMOTE_ADDR": "127.0.0.1"})
    assert came(app)


@pytest.mark.parametrize(
    ("opened", "comes_from"),
    [
        ("http://127.0.0.1:8000", "127.0.0.1"),
        ("http://localhost:8000", "127.0.0.1"),
        ("http://companion.localhost:8000", "127.0.0.1"),
        ("http://[::1]:8000", "::1"),
        ("http://192.168.1.20:8000", "192.168.1.20"),
        ("http://evil.example.org", "192.168.1.77"),
    ],
)
def test_the_laptop_itself_and_foreign_names_are_no_phone(app: Flask, opened: str, comes_from: str) -> None:
    app.test_client().get("/", base_url=opened, environ_overrides={"REMOTE_ADDR": comes_from})
    assert not came(app)


@pytest.mark.parametrize("host", ["[abc", "a]b", "[::1]:99999", "x:99999", "[fe80::1%25eth0]", "x:", "[]"])
def test_a_host_that_is_no_name_is_no_phone_and_no_fault(app: Flask, host: str) -> None:
    for path in ("/", "/host/phones"):
        assert app.test_client().get(path, environ_overrides={"HTTP_HOST": host}).status_code in {200, 400, 403}


def test_the_host_is_no_phone_wherever_it_comes_from(app: Flask) -> None:
    laptop = app.test_client()
    laptop.set_cookie("host", app.extensions[NAME].host_key, domain="192.168.1.20")
    laptop.get("/", base_url="http://192.168.1.20:8000", environ_overrides={"REMOTE_ADDR": "192.168.1.77"})
    assert not came(app)


def test_the_link_that_brings_the_key_is_opened_by_no_phone(app: Flask) -> None:
    laptop = app.test_client()
    key = app.extensions[NAME].host_key
    behind = {"REMOTE_ADDR": "203.0.113.7"}
    laptop.get(f"/host/{key}", base_url="http://laptop.local", environ_overrides=behind, follow_redirects=True)
    assert not came(app)


def page(app: Flask, tongue: str = "en") -> str:
    laptop = app.test_client()
    laptop.set_cookie("host", app.extensions[NAME].host_key)
    answer: Any = laptop.get("/host/phones", headers={"Accept-Language": tongue})
    assert answer.status_code == 200
    return str(answer.text)


@pytest.mark.parametrize(
    ("tongue", "said"),
    [
        (
            "en",
            [
                "Phones cannot find the table?",
                "No phone has come yet.",
                "A VPN is on (tun0, 10.8.0.2)",
                "in the Wi-Fi “Casa”",
            ],
        ),
        (
            "es",
            ["¿Los móviles no encuentran la mesa?", "Todavía no ha llegado", "Hay una VPN activa", "en la wifi «Casa»"],
        ),
    ],
)
def test_the_page_says_what_was_found_and_offers_every_address(app: Flask, tongue: str, said: list[str]) -> None:
    text = page(app, tongue)
    assert drawn(text) == ["http://192.168.1.20:8000/", "http://10.8.0.2:8000/", "http://172.17.0.1:8000/"]
    for one in (*said, "wlan0", "tun0 · VPN", "docker0 · "):
        assert one in words(text)
    assert 'hx-trigger="every 3s"' in text
    assert 'http-equiv="refresh"' in text


def test_the_page_says_that_a_phone_has_come_and_asks_no_more(app: Flask) -> None:
    app.test_client().get("/", base_url="http://10.8.0.2:8000")
    text = page(app)
    assert "A phone has come just now" in words(text)
    assert words(text).count("A phone has come by this one") == 1
    assert "every 3s" not in text
    assert 'http-equiv="refresh"' not in text
    arrivals = app.extensions[NAME].arrivals
    clock = arrivals.clock
    arrivals.clock = lambda: clock() + 130
    text = page(app)
    assert "The last phone came 2 minutes ago." in words(text)
    assert "every 3s" in text


def test_the_code_for_another_wifi_is_found(app: Flask, tmp_path: Path) -> None:
    keep_wifi(tmp_path, Wifi("Torre", "12345678"))
    assert "The Wi-Fi code leads to “Torre”, but this computer is in “Casa”." in words(page(app))


def test_a_companion_for_this_computer_alone_has_no_codes_for_phones(app: Flask) -> None:
    app.extensions[NAME].listening = ("127.0.0.1", 8000)
    app.extensions[NAME].address = "http://127.0.0.1:8000"
    text = page(app)
    assert drawn(text) == []
    assert "start it without --host" in words(text)


def test_an_app_that_was_not_told_where_it_listens_goes_by_what_was_opened(app: Flask) -> None:
    app.extensions[NAME].listening = None
    laptop = app.test_client()
    laptop.set_cookie("host", app.extensions[NAME].host_key, domain="192.168.1.20")
    answer = laptop.get("/host/phones", base_url="http://192.168.1.20:8123")
    assert drawn(answer.text)[0] == "http://192.168.1.20:8123/"


def test_the_first_page_leads_the_host_to_the_codes_and_nobody_else(app: Flask, tmp_path: Path) -> None:
    phone = app.test_client()
    assert "/host" not in phone.get("/").text
    phone.set_cookie("host", app.extensions[NAME].host_key)
    page = phone.get("/").text
    assert 'href="/host/wifi"' in page
    assert 'href="/host/phones"' in page
    keep_wifi(tmp_path, Wifi("Casa", "12345678"))
    page = phone.get("/").text
    assert drawn(page) == ["WIFI:T:WPA;S:Casa;P:12345678;;", "http://192.168.1.20:8000"]
    assert 'href="/host"' in page
    assert 'href="/host/phones"' in phone.get("/host").text
