"""Beyond the living room: the public address of Companion, its certificate, and the proxies in front of it."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from companion.kit.text import say
from companion.proxies import Proxies, trusted
from companion.terminal import Unready

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

USUAL_PORTS = {"http": 80, "https": 443}


class Hosting(NamedTuple):
    """How Companion is reached from beyond its network: all of it empty for a table in the living room.

    ``public`` is the address that phones use, such as ``https://table.example.org``; ``certificate`` names the files
    of the certificate and of its key where Companion speaks https itself.
    """

    public: str = ""
    certificate: tuple[Path, Path] | None = None
    proxies: Proxies = Proxies()

    @property
    def scheme(self) -> str:
        """How Companion itself is spoken to."""
        return "http" if self.certificate is None else "https"

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the public address, if there is one: Companion answers to it."""
        return (urlsplit(self.public).hostname or "",) if self.public else ()


def hosting(chosen: argparse.Namespace) -> Hosting:
    """Read how Companion is hosted from its options; raise Unready for what can not be."""
    return Hosting(
        "" if chosen.public_url is None else public_address(chosen.public_url),
        certificate(chosen.tls_cert, chosen.tls_key),
        trusted(chosen.trusted_proxy or ()),
    )


def public_address(text: str) -> str:
    """Read a public address: scheme, name and perhaps a port, written as browsers write it; raise Unready otherwise."""
    wrong = say(
        "--public-url: {address} is not an address that phones could open; it looks like https://table.example.org, "
        "with nothing behind the name but perhaps a port.",
        address=text,
    )
    try:
        parts = urlsplit(text.strip())
        name, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError as unreadable:
        raise Unready(wrong) from unreadable
    odd = parts.path not in {"", "/"} or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in USUAL_PORTS or not name or any(letter.isspace() for letter in name) or odd:
        raise Unready(wrong)
    host = f"[{name}]" if ":" in name else name
    return f"{parts.scheme}://{host}" + (f":{port}" if port and port != USUAL_PORTS[parts.scheme] else "")


def certificate(cert: Path | None, key: Path | None) -> tuple[Path, Path] | None:
    """Check that the files of a certificate and of its key belong together; raise Unready where they do not."""
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise Unready(say("--tls-cert and --tls-key go together: name the files of both, or of neither."))
    for option, file in (("--tls-cert", cert), ("--tls-key", key)):
        try:
            file.open("rb").close()
        except OSError as wrong:
            why = say(
                "{option}: {file} cannot be read: is it there, and may you read it?", option=option, file=str(file)
            )
            raise Unready(why) from wrong
    try:
        # A key with a password is none that could be used: nobody is asked for it at a start.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password="")
    except (ssl.SSLError, ValueError) as wrong:
        why = say(
            "{cert} and {key} are no certificate and its key: both have to be PEM files without a password, made "
            "together.",
            cert=str(cert),
            key=str(key),
        )
        raise Unready(why) from wrong
    return cert, key
