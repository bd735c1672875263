"""A real proxy in front of a Companion: Caddy with the very Caddyfile that is shipped, on loopback, with https."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

import run

if TYPE_CHECKING:
    from collections.abc import Iterator

CADDYFILE = Path(run.HERE) / "Caddyfile"
# What only a test needs: no other port, nobody's settings, no certificate in the lists of this computer.
AROUND = """{
	admin off
	auto_https disable_redirects
	skip_install_trust
}
import %s
"""


def installed() -> str:
    """Find Caddy; without it a test is left out, except where everything is tested."""
    found = shutil.which("caddy")
    if found is None:
        why = "no Caddy is installed"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    return found


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server_socket:
        port: int = server_socket.getsockname()[1]
        return port


class Caddy:
    """Hold a Caddy that runs: the port that it listens on, and who trusts its certificate."""

    def __init__(self, port: int, folder: Path) -> None:
        self.port = port
        self.authority = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"

    @property
    def context(self) -> ssl.SSLContext:
        """Make what trusts the certificates of this Caddy, and no other."""
        return ssl.create_default_context(cafile=str(self.authority))


@contextmanager
def caddy(folder: Path, behind: int) -> Iterator[Caddy]:
    """Run Caddy in front of what listens on a port of this computer."""
    program, port = installed(), free_port()
    file = folder / "Caddyfile"
    file.write_text(AROUND % CADDYFILE, "utf-8")
    named = {"COMPANION_NAME": f"https://localhost:{port}", "COMPANION_BEHIND": f"127.0.0.1:{behind}"}
    places = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    with subprocess.Popen(
        [program, "run", "--config", str(file), "--adapter", "caddyfile"],
        env=os.environ | named | places,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stderr is not None
        lines: list[str] = []
        while not any("certificate obtained successfully" in line for line in lines):
            lines.append(process.stderr.readline())
            assert lines[-1], "".join(lines)
        rest = Thread(target=process.stderr.read, daemon=True)  # so that it never waits for a reader
        rest.start()
        try:
            yield Caddy(port, folder)
        finally:
            process.terminate()
            process.wait()
            rest.join()
