"""Where Companion is: the port it listens on, and the addresses by which phones reach it."""

from __future__ import annotations

import errno
import socket
import sys
from ipaddress import IPv6Address, ip_address

from companion.kit.text import Text, say
from companion.terminal import Unready
from companion.web.network.adapters import read_addresses
from companion.web.network.check import ANYWHERE

PORT = 8000
TAKEN = {errno.EADDRINUSE, 10048}
FORBIDDEN = {errno.EACCES, errno.EPERM, 10013}


def listen(host: str, port: int) -> socket.socket:
    """Open the port; raise Unready when it is taken, forbidden, or not of this computer."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as wrong:
        raise Unready(_not_here(host)) from wrong
    # Not socket.create_server: its sockets do not name their protocol, and asyncio then leaves Nagle's algorithm on,
    # which holds the end of every answer back for 40 milliseconds.
    server_socket = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":
            server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server_socket.bind(place)
        server_socket.listen(1024)
    except OSError as wrong:
        server_socket.close()
        raise Unready(_why_not(wrong, host, port)) from wrong
    return server_socket


def _why_not(wrong: OSError, host: str, port: int) -> Text:
    if wrong.errno in TAKEN:
        return say(
            "Port {port} is taken, perhaps by another Companion: stop that one, or choose another with --port.",
            port=port,
        )
    if wrong.errno in FORBIDDEN:
        return say(
            "Port {port} is not allowed to you: choose another with --port, for example {usual}.",
            port=port,
            usual=PORT,
        )
    return _not_here(host)


def _not_here(host: str) -> Text:
    return say("--host: {host} is not an address of this computer; leave it out to listen on all of them.", host=host)


def lan_addresses() -> list[str]:
    """Return this computer's IPv4 addresses on its networks, the likeliest first."""
    return [one.ip for one in read_addresses() if one.kind != "unassigned"]


def hosts_for(host: str, chosen: str | None) -> list[str]:
    """Return the addresses by which phones reach this computer, best first; raise Unready for a bad one."""
    if chosen is not None:
        if not chosen or any(letter in chosen for letter in "/ @?#") or (":" in chosen and not _is_ipv6(chosen)):
            wrong = say(
                "--lan-address: {address} is not an address; it looks like 192.168.1.20, without http and port.",
                address=chosen,
            )
            raise Unready(wrong)
        return [chosen]
    if host in ANYWHERE:
        return lan_addresses() or ["127.0.0.1"]
    return [host]


def _is_ipv6(text: str) -> bool:
    try:
        return isinstance(ip_address(text), IPv6Address)
    except ValueError:
        return False


def is_local(host: str) -> bool:
    """Tell whether only this computer can reach a host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def url(host: str, port: int, scheme: str = "http") -> str:
    """Write the address of Companion on a host."""
    return f"{scheme}://{f'[{host}]' if _is_ipv6(host) else host}:{port}/"
