"""The addresses of this computer, each with its adapter: those that phones can come by, VPNs and virtual ones."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network
from typing import Literal

import ifaddr
import msgspec

Kind = Literal["network", "vpn", "virtual", "unassigned"]
"""A network that phones may be in too; a VPN; what virtual machines and containers have; no address was given."""

ORDER: tuple[Kind, ...] = ("network", "vpn", "virtual", "unassigned")
_SHARED = IPv4Network("100.64.0.0/10")
"""Where VPNs between one's own devices have their addresses, and no network of a home."""
_HOTSPOT = re.compile(r"(?i)^bridge1\d\d$|wi-?fi direct virtual|hosted network virtual")
"""Adapters of a hotspot of this computer: virtual by their name, and phones come by them."""
_VPN = re.compile(
    r"(?i)^(tun|tap|utun|wg|ppp|ipsec|zt|tailscale|nordlynx|nordtun|proton|mullvad|gpd|cscotun|vpn|svpn|feth)[\w-]*$"
    r"|\btap-|\btap adapter|wireguard|wintun|openvpn|tailscale|zerotier|hamachi|anyconnect|secure client|fortinet|forti"
    r"|globalprotect|pangp|\bvpn\b|nordlynx|juniper|pulse secure|check point|softether|radmin|cloudflare|wan miniport"
)
_VIRTUAL = re.compile(
    r"(?i)^(docker|br-|veth|virbr|vmnet|vnet|vboxnet|lxc|lxdbr|cni|flannel|cali|podman|dummy|awdl|llw|anpi|nerdctl)[\w.-]*$"
    r"|vmware|virtualbox|hyper-v|vethernet|\bwsl\b|virtual|parallels|docker|npcap|loopback|bluetooth"
)


class Address(msgspec.Struct, frozen=True):
    """An address of this computer, and the adapter that has it."""

    ip: str
    adapter: str
    kind: Kind = "network"


def kind_of(ip: str, adapter: str) -> Kind:
    """Tell what an address is good for, by its range and the name of its adapter."""
    address = IPv4Address(ip)
    if address.is_link_local:
        return "unassigned"
    if _VPN.search(adapter) or address in _SHARED:
        return "vpn"
    return "virtual" if _VIRTUAL.search(adapter) and not _HOTSPOT.search(adapter) else "network"


def sorted_addresses(found: Iterable[tuple[str, str]], way_out: str = "") -> tuple[Address, ...]:
    """Sort addresses with their adapters, the likeliest for phones first; ``way_out`` is that of the way to others.

    What leads nowhere from another device is left out.
    """
    usable = [(ip, adapter) for ip, adapter in found if not _only_here(IPv4Address(ip))]
    addresses = [Address(ip, adapter, kind_of(ip, adapter)) for ip, adapter in usable]
    return tuple(sorted(addresses, key=lambda one: (ORDER.index(one.kind), one.ip != way_out, IPv4Address(one.ip))))


def _only_here(address: IPv4Address) -> bool:
    return address.is_loopback or address.is_unspecified


def read_addresses() -> tuple[Address, ...]:
    """Read this computer's IPv4 addresses, the likeliest for phones first."""
    found: dict[str, str] = {}
    way_out = ""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("10.255.255.255", 1))  # sends nothing: it only chooses the way out
        way_out = probe.getsockname()[0]
        found[way_out] = ""
    found |= {str(ip.ip): adapter.nice_name for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4}
    return sorted_addresses(found.items(), way_out)
