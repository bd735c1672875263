"""Why phones may not come: what can be found out about this computer's network, and what to look at in its order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Literal

import msgspec

from companion.kit.text import Text, say
from companion.web.network.adapters import Address
from companion.web.network.surroundings import Around

State = Literal["fine", "look", "unknown"]
"""What was found: nothing wrong, something to look at, or nothing that can be found out from here."""

ANYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 what Companion may have been told to listen on
RECENT = 60.0
"""Seconds: whoever came within them has come just now."""
_GUEST = re.compile(r"(?i)guest|gäste|gast\b|invit|visit|h[uo]esp|ospiti")
_FIREWALLS: dict[str, tuple[Text, ...]] = {
    "win32": (
        say(
            "Windows Security → Firewall & network protection → Allow an app through firewall → Change settings: tick "
            "Python, and Private beside it."
        ),
        say(
            "Settings → Network & internet → the properties of this Wi-Fi: choose Private network, for on a public one "
            "Windows lets nobody in."
        ),
    ),
    "darwin": (
        say("System Settings → Network → Firewall → Options: add Python, and choose Allow incoming connections."),
        say("Turn Block all incoming connections off there."),
    ),
}


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at: how it is, in a sentence, and steps that can be gone through in order."""

    state: State
    text: Text
    steps: tuple[Text, ...] = ()


class Listening(msgspec.Struct, frozen=True):
    """Where Companion listens: ``host`` as it was told, ``port``, and the name or address that its codes lead to.

    With a ``public`` address phones come by that, from wherever they are. ``scheme`` is what is spoken at the port.
    """

    host: str
    port: int
    told: str = ""
    public: str = ""
    scheme: str = "http"

    @property
    def local(self) -> bool:
        """Tell whether only this computer reaches it."""
        return not self.public and self.host not in ANYWHERE and is_loopback(self.host)


def is_loopback(name: str) -> bool:
    """Tell whether a name or an address is that by which a computer calls itself."""
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name.lower().endswith("localhost")


def candidates(around: Around, listening: Listening) -> tuple[Address, ...]:
    """Return the addresses by which phones may come, the likeliest first."""
    if listening.local:
        return ()
    heard = listening.host in ANYWHERE
    return tuple(one for one in around.addresses if one.kind != "unassigned" and (heard or one.ip == listening.host))


def reachable(around: Around, listening: Listening) -> bool:
    """Tell whether phones can come, in the network of this computer or by its public address, as far as it knows."""
    return bool(listening.public) or any(one.kind == "network" for one in candidates(around, listening))


def findings(around: Around, listening: Listening, coded: str = "") -> tuple[Finding, ...]:
    """Find out what may keep phones away; ``coded`` names the Wi-Fi that the code of the host leads to, if any."""
    if listening.public:
        return (
            Finding("fine", say("Phones come by {address}, in whatever network they are.", address=listening.public)),
        )
    return (
        _listens(around, listening),
        *_addresses(around, listening),
        _wifi(around, coded),
        *_detours(around),
        *_elsewhere(around.system, listening.port),
    )


def is_recent(since: float | None) -> bool:
    """Tell whether somebody who came so many seconds ago, if ever, has come just now."""
    return since is not None and since <= RECENT


def arrival(since: float | None) -> Finding:
    """Say when a phone came last: so many seconds ago, or never."""
    if since is None:
        return Finding("look", say("No phone has come yet."))
    if is_recent(since):
        return Finding("fine", say("A phone has come in the last minute."))
    minutes = int(since // 60)
    return Finding(
        "fine", say("The last phone came {count} minute ago.|The last phone came {count} minutes ago.", count=minutes)
    )


def _listens(around: Around, listening: Listening) -> Finding:
    host, port = listening.host, listening.port
    if listening.local:
        return Finding("look", say("Companion listens to this computer only: stop it, and start it without --host."))
    if host in ANYWHERE:
        return Finding("fine", say("Companion listens in every network of this computer, at port {port}.", port=port))
    if not candidates(around, listening) and _is_address(host):
        text = say(
            "Companion listens at {host}, which is no address of this computer any more: start it again.", host=host
        )
        return Finding("look", text)
    return Finding("fine", say("Companion listens at {host} only, at port {port}.", host=host, port=port))


def _addresses(around: Around, listening: Listening) -> Iterator[Finding]:
    best = next(iter(candidates(around, listening)), None)
    if best is None or best.kind != "network":
        yield Finding("look", _no_network(around))
    else:
        where = say("Phones can come to {address} ({adapter}).", address=best.ip, adapter=best.adapter)
        yield Finding("fine", where if best.adapter else say("Phones can come to {address}.", address=best.ip))
    told = listening.told
    if listening.local or not _is_address(told) or told in {one.ip for one in around.addresses}:
        return
    if not is_loopback(told):
        text = say(
            "The codes lead to {address}, which is no address of this computer now: stop Companion and start it again.",
            address=told,
        )
        yield Finding("look", text)
    elif best is not None:
        text = say(
            "The codes lead to {address}, which is this computer to itself: start Companion without --lan-address.",
            address=told,
        )
        yield Finding("look", text)


def _no_network(around: Around) -> Text:
    kinds = {one.kind for one in around.addresses}
    if kinds & {"network"}:
        return say("Nobody else reaches the address that Companion listens at: start it without --host.")
    if kinds & {"vpn", "virtual"}:
        return say("This computer is only in VPNs and virtual networks: connect it to the Wi-Fi of the phones.")
    if kinds:
        return say("This computer was given no address: switch its Wi-Fi off and on, or start the router again.")
    return say("This computer is in no network: connect it to the Wi-Fi of the phones.")


def _wifi(around: Around, coded: str) -> Finding:
    name = around.wifi
    if not name:
        text = say("Which Wi-Fi this computer is in cannot be found out: phones have to be in the same network.")
        return Finding("unknown", text)
    if _GUEST.search(name):
        text = say(
            "This computer is in the Wi-Fi “{name}”, which seems to be one for guests: those keep devices apart. Take "
            "the main one, for the phones too.",
            name=name,
        )
        return Finding("look", text)
    if coded and coded != name:
        text = say("The Wi-Fi code leads to “{coded}”, but this computer is in “{name}”.", coded=coded, name=name)
        return Finding("look", text)
    return Finding("fine", say("This computer is in the Wi-Fi “{name}”: phones have to be in the same one.", name=name))


def _detours(around: Around) -> Iterator[Finding]:
    vpns = [one for one in around.addresses if one.kind == "vpn"]
    for one in vpns:
        text = say(
            "A VPN is on ({adapter}, {address}): if no phone comes, switch it off, or let it allow the local network.",
            adapter=one.adapter or "–",
            address=one.ip,
        )
        yield Finding("look", text)
    if not vpns:
        yield Finding("fine", say("No VPN of this computer is in the way."))
    if virtual := ", ".join(dict.fromkeys(one.adapter for one in around.addresses if one.kind == "virtual")):
        text = say("Virtual networks lead to no phone: {names}. Their addresses come last.", names=virtual)
        yield Finding("fine", text)


def _elsewhere(system: str, port: int) -> Iterator[Finding]:
    """Say what only people can look at, the likeliest first."""
    steps = _FIREWALLS.get(system) or (
        say("With ufw: sudo ufw allow {port}/tcp", port=port),
        say("With firewalld: sudo firewall-cmd --add-port={port}/tcp", port=port),
    )
    yield Finding("unknown", say("The firewall of this computer has to let phones in:"), steps)
    yield Finding(
        "unknown",
        say("A phone may use mobile data although it is in the Wi-Fi: switch mobile data off there for a moment."),
    )
    yield Finding(
        "unknown",
        say(
            "A router may keep devices apart (guest Wi-Fi, client isolation, AP isolation): switch that off there, or "
            "let this computer be a hotspot that the phones join."
        ),
    )
    other = 8080 if port != 8080 else 8000
    text = say("Something may block port {port}: start Companion with --port {other}.", port=port, other=other)
    yield Finding("unknown", text)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
