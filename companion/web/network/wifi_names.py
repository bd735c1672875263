"""The name of the Wi-Fi that this computer is in, where the system tells it: each asked by its own command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence

LONGEST = 2.0
"""Seconds that a command may take."""

Ask = Callable[[Sequence[str]], str]


def from_nmcli(said: str) -> str:
    """Read the name out of what ``nmcli -t -f active,ssid dev wifi`` says; empty where there is none."""
    for line in said.splitlines():
        active, _, name = line.partition(":")
        if active == "yes":
            return re.sub(r"\\(.)", r"\1", name)
    return ""


def from_iwgetid(said: str) -> str:
    """Read the name out of what ``iwgetid -r`` says; empty where there is none."""
    return said.removesuffix("\n")


def from_ipconfig(said: str) -> str:
    """Read the name out of what ``ipconfig getsummary en0`` says; newer systems tell it to few programs."""
    found = re.search(r"(?m)^\s*SSID : (.+)$", said)
    return found[1] if found and found[1] != "<redacted>" else ""


def from_networksetup(said: str) -> str:
    """Read the name out of what ``networksetup -getairportnetwork en0`` says; empty where there is none."""
    found = re.match(r"Current Wi-Fi Network: (.+)", said)
    return found[1] if found else ""


def from_netsh(said: str) -> str:
    """Read the name out of what ``netsh wlan show interfaces`` says, in whichever language it does."""
    found = re.search(r"(?m)^\s*SSID\s*: (.+?)\r?$", said)
    return found[1] if found else ""


LINUX = (
    (("iwgetid", "-r"), from_iwgetid),
    # What is known is enough: to look for others takes seconds.
    (("nmcli", "-t", "-f", "active,ssid", "dev", "wifi", "list", "--rescan", "no"), from_nmcli),
)
COMMANDS = {
    "darwin": tuple(
        (command, read)
        for adapter in ("en0", "en1")
        for command, read in (
            (("ipconfig", "getsummary", adapter), from_ipconfig),
            (("networksetup", "-getairportnetwork", adapter), from_networksetup),
        )
    ),
    "win32": ((("netsh", "wlan", "show", "interfaces"), from_netsh),),
}


def ask(command: Sequence[str]) -> str:
    """Run a command and return what it says; empty where it is not there, fails or takes too long."""
    try:
        done = subprocess.run(  # noqa: S603 one of those above
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=LONGEST,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            encoding="oem" if sys.platform == "win32" else "utf-8",
            errors="replace",
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return "" if done.returncode else done.stdout


def current_wifi(system: str = sys.platform, ask: Ask = ask) -> str:
    """Return the name of the Wi-Fi that this computer is in; empty where nothing tells it."""
    for command, read in COMMANDS.get(system, LINUX):
        name = read(ask(command))
        if name.strip() and name.isprintable() and "\N{REPLACEMENT CHARACTER}" not in name:
            return name
    return ""
