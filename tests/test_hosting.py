"""Beyond the living room: what the options say, whose word is taken for an address, and https that Companion speaks."""

from __future__ import annotations

import json
import os
import re
import ssl
import subprocess
import sys
import urllib.request
from http.client import HTTPConnection
from pathlib import Path

import pytest

from companion import __main__ as start
from companion import terminal
from companion.hosting import Hosting, hosting, public_address
from companion.proxies import Proxies, trusted
from companion.terminal import Unready
from companion.web.live import Told
from tests.test_run import ROOT, companion, tongue  # noqa: F401
from tests.web.test_serve import PATIENCE, Phone, SmallSite, Watched, serving

FILES = ROOT / "tests" / "data" / "certificates"
CERT, KEY = FILES / "cert.pem", FILES / "key.pem"
CONTAINER_FILES = ("Containerfile", "compose.yaml", ".dockerignore")
TLS = ["--tls-cert", str(CERT), "--tls-key", str(KEY)]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("https://table.example.org", "https://table.example.org"),
        (" HTTPS://Table.Example.org/ ", "https://table.example.org"),
        ("https://table.example.org:443", "https://table.example.org"),
        ("http://table.example.org:80/", "http://table.example.org"),
        ("https://table.example.org:8443", "https://table.example.org:8443"),
        ("https://mesa.peña.example", "https://mesa.xn--pea-8ma.example"),
        ("https://[2001:db8::7]:8443/", "https://[2001:db8::7]:8443"),
        ("http://100.101.102.103:8000", "http://100.101.102.103:8000"),
    ],
)
def test_a_public_address_is_written_as_browsers_write_it(written: str, read: str) -> None:
    assert public_address(written) == read


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        *(
            (["--public-url", wrong], "--public-url: ")
            for wrong in (
                "",
                "table.example.org",
                "ftp://table.example.org",
                "https://",
                "https://table.example.org/companion",
                "https://table.example.org?a=1",
                "https://table.example.org#a",
                "https://ana@table.example.org",
                "https://table.example.org:port",
                "https://table.example.org:99999",
                "https://a b.example",
                "https://[::1",
                f"https://{'a' * 70}.example",
            )
        ),
        (["--tls-cert", str(CERT)], "--tls-cert"),
        (["--tls-key", str(KEY)], "--tls-key"),
        (["--tls-cert", str(FILES / "none.pem"), "--tls-key", str(KEY)], "none.pem"),
        (["--tls-cert", str(CERT), "--tls-key", str(FILES)], "--tls-key: "),
        (["--tls-cert", str(CERT), "--tls-key", str(FILES / "another_key.pem")], "another_key.pem"),
        (["--tls-cert", str(CERT), "--tls-key", str(FILES / "locked_key.pem")], "locked_key.pem"),
        (["--tls-cert", str(ROOT / "README.md"), "--tls-key", str(KEY)], "README.md"),
        *((["--trusted-proxy", wrong], "--trusted-proxy: ") for wrong in ("", "proxy", "10.0.0.0/33", "1.2.3", "::g")),
        (["--trusted-proxy", "127.0.0.1", "--trusted-proxy", "somewhere"], "somewhere"),
        (["backup", "new", "--public-url", "https://a.example"], "--public-url"),
        (["backup", "new", "--trusted-proxy", "127.0.0.1"], "--trusted-proxy"),
    ],
)
def test_what_can_not_be_hosted_is_said_in_one_sentence(
    capsys: pytest.CaptureFixture[str],
    tongue: str,  # noqa: F811
    tmp_path: Path,
    arguments: list[str],
    named: str,
) -> None:
    assert start.main(["--no-browser", "--data", str(tmp_path), *arguments]) == 2
    said = capsys.readouterr().err
    assert named in said
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_hosting_is_read_from_the_options() -> None:
    named = [
        "--public-url",
        "https://table.example.org/",
        *TLS,
        "--trusted-proxy",
        "::1",
        "--trusted-proxy",
        "10.1.2.3/8",
    ]
    read = hosting(start.options(named))
    assert (read.public, read.names, read.scheme) == ("https://table.example.org", ("table.example.org",), "https")
    assert read.certificate == (CERT, KEY)
    assert all(address in read.proxies for address in ("::1", "10.9.9.9", "::ffff:10.0.0.1"))
    assert all(address not in read.proxies for address in ("127.0.0.1", "11.0.0.1", "::2", "", "x"))
    nothing = hosting(start.options([]))
    assert (nothing.public, nothing.names, nothing.scheme, nothing.certificate) == ("", (), "http", None)
    assert "127.0.0.1" not in nothing.proxies
    assert nothing._replace(proxies=Hosting().proxies) == Hosting()


@pytest.mark.parametrize(
    ("proxies", "came_by", "forwarded", "address"),
    [
        (["127.0.0.1"], "127.0.0.1", "203.0.113.7", "203.0.113.7"),
        (["127.0.0.1"], "127.0.0.1", "6.6.6.6, 203.0.113.7", "203.0.113.7"),
        (["127.0.0.1"], "127.0.0.1", "6.6.6.6,127.0.0.1", "6.6.6.6"),
        (["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", "6.6.6.6, 203.0.113.7, 10.0.0.9", "203.0.113.7"),
        (["127.0.0.1", "10.0.0.0/8"], "10.0.0.9", "10.0.0.3, 10.0.0.4", "10.0.0.3"),
        (["127.0.0.1"], "::ffff:127.0.0.1", "203.0.113.7", "203.0.113.7"),
        (["127.0.0.1"], "127.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"),
        (["127.0.0.1"], "127.0.0.1", "203.0.113.7:4711", "203.0.113.7"),
        (["127.0.0.1"], "127.0.0.1", "", "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", "6.6.6.6, unknown", "127.0.0.1"),
        (["127.0.0.1"], "192.168.1.7", "203.0.113.7", "192.168.1.7"),
        ([], "127.0.0.1", "203.0.113.7", "127.0.0.1"),
        (["::1/128"], "127.0.0.1", "203.0.113.7", "127.0.0.1"),
    ],
)
def test_only_trusted_proxies_say_where_a_request_came_from(
    proxies: list[str], came_by: str, forwarded: str, address: str
) -> None:
    assert trusted(proxies).true_address(came_by, forwarded) == address


def asked(site: SmallSite, path: str = "/here", **headers: str) -> str:
    return site.ask("GET", path, **{name.replace("_", "-"): value for name, value in headers.items()})[1].decode()


def site_behind(*proxies: str) -> SmallSite:
    site = SmallSite(Watched())
    site.server.site.proxies = trusted(proxies)

    def here() -> str:
        from flask import request

        return f"{request.remote_addr} {request.host_url}"

    site.app.add_url_rule("/here", view_func=here)
    return site


CLAIMED = {
    "Host": "inside:8000",
    "X_Forwarded_For": "203.0.113.7",
    "X_Forwarded_Proto": "https",
    "X_Forwarded_Host": "table.example.org",
}


def test_what_a_trusted_proxy_says_is_believed() -> None:
    with serving(site_behind("127.0.0.1")) as site:
        assert asked(site, **CLAIMED) == "203.0.113.7 https://table.example.org/"
        assert asked(site, Host="inside:8000") == "127.0.0.1 http://inside:8000/"
        odd = CLAIMED | {"X_Forwarded_Proto": "https, http", "X_Forwarded_Host": "evil.example, table.example.org"}
        assert asked(site, **odd) == "203.0.113.7 http://table.example.org/"
        assert asked(site, **(CLAIMED | {"X_Forwarded_Proto": "javascript"})).endswith(" http://table.example.org/")


@pytest.mark.parametrize("proxies", [(), ("10.0.0.0/8", "::1")])
def test_what_anybody_else_says_is_not(proxies: tuple[str, ...]) -> None:
    with serving(site_behind(*proxies)) as site:
        assert asked(site, **CLAIMED, Forwarded="for=203.0.113.7;proto=https") == "127.0.0.1 http://inside:8000/"


def test_companion_speaks_https_and_streams_go_straight_to_the_connection() -> None:
    site = SmallSite(Watched())
    site.server.config.ssl_certfile, site.server.config.ssl_keyfile = CERT, KEY
    context = ssl.create_default_context(cafile=str(CERT))

    class SecurePhone(Phone):
        def __init__(self, channel: str) -> None:
            from http.client import HTTPSConnection

            self.line: HTTPConnection = HTTPSConnection("localhost", site.port, timeout=PATIENCE, context=context)
            self.line.request("GET", f"/live/{channel}")
            self.answer = self.line.getresponse()

    with serving(site), SecurePhone("one") as phone:
        assert phone.event() == b"data: 1\n\n"
        (listener,) = site.live._listeners["one"]
        site.until(lambda: listener._free_transport() is not None)
        written: list[bytes] = []
        transport = listener._transport
        assert transport is not None
        assert transport.get_extra_info("ssl_object") is not None

        class Spy:
            def __getattr__(self, name: str) -> object:
                return getattr(transport, name)

            def write(self, data: bytes) -> None:
                written.append(data)
                transport.write(data)

        listener._transport = Spy()  # type: ignore[assignment]
        for number in (2, 3, 4):
            site.live.publish("one", Told(b"data: %d\n\n" % number))
            assert phone.event() == b"data: %d\n\n" % number
        assert len(written) == 3


def test_a_start_with_a_certificate_says_https_and_is_spoken_to_so(tmp_path: Path, tongue: str) -> None:  # noqa: F811
    arguments = ["--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path), *TLS]
    with companion(*arguments) as process:
        assert process.stdout is not None
        line = ""
        while not (found := re.search(r"https://127\.0\.0\.1:\d+/", line)):
            line = process.stdout.readline()
            assert line
        context = ssl.create_default_context(cafile=str(CERT))
        with urllib.request.urlopen(found[0], timeout=PATIENCE, context=context) as answer:
            assert b"Companion" in answer.read()
        process.terminate()


def test_the_public_address_is_what_is_said_first(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    tongue: str,  # noqa: F811
) -> None:
    monkeypatch.setattr("companion.network.lan_addresses", lambda: ["192.168.1.20"])
    monkeypatch.setattr(start, "serve", lambda app, live, server_socket, begun, *_: begun())
    public = ["--no-browser", "--port", "0", "--data", str(tmp_path), "--public-url", "https://table.example.org"]
    for host, near in ([], True), (["--host", "127.0.0.1"], False):
        assert start.main([*public, *host]) == 0
        said = capsys.readouterr().out
        assert "  https://table.example.org/\n" in said
        assert "▄" in said
        assert {"en": "phones scan the code", "es": "los móviles"}[tongue] in said
        assert bool(re.search(r"  http://192\.168\.1\.20:\d+/\n", said)) == near


def test_proxies_are_nobody_without_a_network() -> None:
    assert "127.0.0.1" not in Proxies()
    with pytest.raises(Unready, match="--trusted-proxy"):
        trusted(["nobody"])
    assert terminal.language() in {"en", "es"}


def test_the_container_files_name_what_there_is() -> None:
    container, compose, ignored = ((ROOT / name).read_text("utf-8") for name in CONTAINER_FILES)
    copied = [source for line in re.findall(r"^COPY (.+) /\S+$", container, re.MULTILINE) for source in line.split()]
    assert len(copied) > 5
    assert all((ROOT / source).exists() for source in copied)
    assert {line.removeprefix("!") for line in ignored.splitlines() if line.startswith("!")} == set(copied)
    (entry,) = re.findall(r"^ENTRYPOINT (.+)$", container, re.MULTILINE)
    (command,) = re.findall(r"^    command: (.+)$", compose, re.MULTILINE)
    name = re.compile(r"\$\{COMPANION_NAME:[^}]*\}")
    chosen = start.options([*json.loads(entry)[1:], *json.loads(name.sub("table.example.org", command))])
    assert (chosen.host, chosen.port) == ("0.0.0.0", "8000")
    read = hosting(chosen)
    assert read.public == "https://table.example.org"
    (subnet,) = re.findall(r"subnet: (\S+)", compose)
    assert read.proxies.networks == trusted([subnet]).networks
    assert "/tables" in re.findall(r"^VOLUME (.+)$", container, re.MULTILINE)
    assert re.search("^USER (?!root)", container, re.MULTILINE)
    assert "      TZ: ${TZ:-UTC}" in compose.splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no time zone of a process")
@pytest.mark.parametrize(("zone", "told"), [("UTC0", "18:14"), ("CET-1", "19:14"), ("PET5", "13:14")])
def test_pages_say_times_by_the_zone_that_the_environment_names(zone: str, told: str) -> None:
    say = (
        "from datetime import UTC, datetime\n"
        "from companion.web.lobby.ago import in_a_line\n"
        "from companion.web.pages import minute_of_day\n"
        "at = datetime(2026, 1, 2, 18, 14, tzinfo=UTC)\n"
        "print(in_a_line(at.isoformat(), at), minute_of_day(at.isoformat()))"
    )
    environment = os.environ | {"TZ": zone, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", say], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [told, told]
