"""Proxies in front of Companion: whose word is taken for where a request came from."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Any

from companion.kit.text import say
from companion.terminal import Unready

if TYPE_CHECKING:
    from ipaddress import IPv4Network

FORWARDED_FOR = "HTTP_X_FORWARDED_FOR"
FORWARDED_PROTO = "HTTP_X_FORWARDED_PROTO"
FORWARDED_HOST = "HTTP_X_FORWARDED_HOST"
SCHEMES = ("http", "https")


class Proxies:
    """The proxies that are trusted, by their addresses and networks: what anybody else says of others is not believed.

    A proxy adds the address that it was asked from at the end of X-Forwarded-For, so what a trusted one says there is
    true, and what stands before that only where it is the word of another trusted one.
    """

    def __init__(self, networks: Iterable[IPv4Network | IPv6Network] = ()) -> None:
        self.networks = tuple(networks)

    def __contains__(self, address: str) -> bool:
        """Tell whether an address is one of a trusted proxy."""
        read = _read(address) if self.networks else None
        return read is not None and any(read in network for network in self.networks)

    def true_address(self, address: str, forwarded: str) -> str:
        """Return where a request came from that ``address`` has brought, by the addresses that were ``forwarded``.

        It is the rightmost that is no trusted proxy. What can be no address ends the row: it is nobody's word.
        """
        for named in reversed(forwarded.split(",")):
            if address not in self:
                break
            read = _read(named)
            if read is None:
                break
            address = str(read)
        return address

    def believe(self, environ: MutableMapping[str, Any]) -> None:
        """Put where a request came from, and by which address of ours, into its environment where a proxy says so."""
        if environ["REMOTE_ADDR"] not in self:
            return
        environ["REMOTE_ADDR"] = self.true_address(environ["REMOTE_ADDR"], environ.get(FORWARDED_FOR, ""))
        scheme = _last(environ, FORWARDED_PROTO).lower()
        if scheme in SCHEMES:
            environ["wsgi.url_scheme"] = scheme
        if host := _last(environ, FORWARDED_HOST):
            environ["HTTP_HOST"] = host


def trusted(named: Iterable[str]) -> Proxies:
    """Read the addresses and networks of trusted proxies; raise Unready for what is none."""
    networks = []
    for one in named:
        try:
            networks.append(ip_network(one.strip(), strict=False))
        except ValueError:
            wrong = say(
                "--trusted-proxy: {address} is neither an address nor a network; it looks like 127.0.0.1 or "
                "10.0.0.0/8.",
                address=one,
            )
            raise Unready(wrong) from None
    return Proxies(networks)


def _last(environ: MutableMapping[str, Any], name: str) -> str:
    """Return what the nearest proxy says in a field: it stands last."""
    return str(environ.get(name, "")).rpartition(",")[2].strip()


def _read(named: str) -> IPv4Address | IPv6Address | None:
    """Read an address, perhaps with a port; one of IPv4 that is written as one of IPv6 is one of IPv4."""
    text = named.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    with suppress(ValueError):
        read = ip_address(text)
        return (read.ipv4_mapped or read) if isinstance(read, IPv6Address) else read
    return None
