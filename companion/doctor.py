"""What ``companion doctor`` prints: whether phones can come to this computer, and what may stand in their way."""

from __future__ import annotations

import socket
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from companion.folder import folder_of, listens_how, running_at
from companion.hosting import USUAL_PORTS
from companion.kit.text import say
from companion.network import listen, url
from companion.terminal import Unready, announce, write
from companion.web.network.check import (
    ANYWHERE,
    Finding,
    Listening,
    State,
    candidates,
    findings,
    is_loopback,
    reachable,
)
from companion.web.network.surroundings import Around, Surroundings
from companion.web.wifi import read_wifi

SIGNS: dict[State, str] = {"fine": "✓", "look": "!", "unknown": "?"}
PATIENCE = 2.0
"""Seconds that a Companion which runs may take to let somebody in."""


def examine(chosen: Path | None, planned: Listening) -> bool:
    """Print what was found about the network of this computer; tell whether phones can come.

    Where a Companion runs on the folder it is about that one, otherwise about one that would be started as ``planned``.
    """
    folder = folder_of(chosen)
    running = running_at(folder)
    if running is None:
        announce(say("No Companion runs on the folder {folder}.", folder=str(folder)))
        listening, first = planned, _free(planned.host, planned.port)
    else:
        announce(say("Companion runs on the folder {folder}: {where}", folder=str(folder), where=running or "?"))
        listening, first = _of(running, listens_how(folder), planned), _answers(running)
    around = Surroundings()()
    kept = read_wifi(folder)
    found = (*first, *findings(around, listening, kept.name if kept else ""))
    write("")
    for finding in found:
        announce(finding.text, f"{SIGNS[finding.state]} ")
        for step in finding.steps:
            announce(step, "    - ")
    _show_addresses(around, listening)
    return reachable(around, listening) and all(finding.state != "look" for finding in first)


def _of(running: str, how: str, planned: Listening) -> Listening:
    """Read how the Companion of an address listens; one that has not written it is taken to listen there."""
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(how, type=Listening)
    where = urlsplit(running)
    told = where.hostname or ""
    host = told if is_loopback(told) else ANYWHERE[0] if told else planned.host
    return Listening(host, where.port or planned.port, told, scheme=where.scheme or planned.scheme)


def _free(host: str, port: int) -> tuple[Finding, ...]:
    """Find out whether a port can be listened at."""
    try:
        with closing(listen(host, port)):
            return ()
    except Unready as why:
        return (Finding("look", why.text),)


def _answers(running: str) -> tuple[Finding, ...]:
    """Find out whether somebody is let in at the address of a Companion that runs; nothing where it is not known."""
    where = urlsplit(running)
    if not where.hostname:
        return ()
    port = where.port or USUAL_PORTS.get(where.scheme, 80)
    try:
        with closing(socket.create_connection((where.hostname, port), PATIENCE)):
            return (Finding("fine", say("Companion answers at {address}.", address=running)),)
    except OSError:
        return (Finding("look", say("Companion does not answer at {address}.", address=running)),)


def _show_addresses(around: Around, listening: Listening) -> None:
    addresses = candidates(around, listening)
    if addresses or listening.public:
        write("")
        announce(say("Addresses for phones, the likeliest first:"))
    if listening.public:
        write(f"  {listening.public}/")
    for one in addresses:
        mark = {"vpn": " (VPN)", "virtual": " (virtual)"}.get(one.kind, "")
        write(f"  {url(one.ip, listening.port, listening.scheme)}  {one.adapter}{mark}")
