"""Start Companion: ``python -m companion``, or the installed command ``companion``."""

from __future__ import annotations

import argparse
import gc
import os
import re
import signal
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

import msgspec

from companion import create_app
from companion.doctor import examine
from companion.folder import data_folder, lock, make_backup
from companion.hosting import hosting
from companion.kit.rulebook import WrongData
from companion.kit.text import Text, say
from companion.network import PORT, hosts_for, is_local, listen, url
from companion.serve import serve
from companion.table.problem import Problem, Unusable
from companion.terminal import Unready, announce, prepare, refuse, say_help, show
from companion.web.api.openapi import VERSION
from companion.web.network.check import ANYWHERE, Listening
from companion.web.state import NAME

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from companion.table.store import Store
    from companion.table.tables import Tables

ONLY_STARTING = (
    "host", "port", "lan_address", "no_browser", "public_url", "tls_cert", "tls_key", "trusted_proxy",
)  # fmt: skip
"""Options that say nothing about a backup."""
CHECKPOINT_EVERY = 30.0
"""Seconds after which whoever copies only the one file has what was played before."""

KEEP_HOUSE_EVERY = 600.0
"""Seconds between two looks for tables that nobody needs any more."""


class Options(argparse.ArgumentParser):
    """Refuse what is not understood in the language of this computer."""

    def error(self, message: str) -> NoReturn:
        """Raise Unready instead of leaving with an English sentence."""
        named = " ".join(re.findall(r"-[\w-]+", message))
        raise Unready(say("{options}: this option is not used like that; --help tells how.", options=named))


def options(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line; raise Unready for what is not understood, SystemExit once help or version are printed."""
    if any(argument in {"-h", "--help"} for argument in arguments):
        say_help()
        raise SystemExit(0)
    if "--version" in arguments:
        announce(Text(f"Companion {VERSION}"))
        raise SystemExit(0)
    read = Options(prog="companion", allow_abbrev=False, add_help=False)
    read.add_argument("--host", default=ANYWHERE[0])
    read.add_argument("--port", default=str(PORT))
    read.add_argument("--data", type=Path)
    read.add_argument("--lan-address")
    read.add_argument("--no-browser", action="store_true")
    read.add_argument("--public-url")
    read.add_argument("--tls-cert", type=Path)
    read.add_argument("--tls-key", type=Path)
    read.add_argument("--trusted-proxy", action="append")
    read.add_argument("words", nargs="*")
    chosen, unknown = read.parse_known_intermixed_args(arguments)
    chosen.backup = None
    match chosen.words:
        case [] | ["doctor"]:
            pass
        case ["backup", file] if file:
            chosen.backup = Path(file)
            starting = [name for name in ONLY_STARTING if getattr(chosen, name) != read.get_default(name)]
            if starting and not unknown:
                read.error(" ".join(f"--{name.replace('_', '-')}" for name in starting))
        case ["backup", *_]:
            raise Unready(say("backup needs the name of one new file: companion backup FILE"))
        case words:
            unknown = [*words, *unknown]
    if unknown:
        raise Unready(say("{options}: there is no such option; --help lists them.", options=" ".join(unknown)))
    return chosen


def port_of(text: str) -> int:
    """Read a port; raise Unready when it is none."""
    if text.isascii() and text.isdecimal() and int(text) <= 65535:
        return int(text)
    raise Unready(say("--port: {port} is not a port, which is a number from 1 to 65535.", port=text))


def open_browser(address: str) -> Thread | None:
    """Show the lobby in a browser, unless this is a computer without a screen; return who waits for the browser."""
    if sys.platform not in {"win32", "darwin"} and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return None
    opening = Thread(target=webbrowser.open, args=(address,), daemon=True)
    opening.start()
    return opening


def kept_by(chosen: argparse.Namespace) -> str:
    """Return the option to leave out where only this computer can be reached; none where there is no network."""
    if chosen.host not in ANYWHERE:
        return "--host"
    return "" if chosen.lan_address is None else "--lan-address"


def start(chosen: argparse.Namespace) -> None:
    """Serve until it is stopped; raise Unready, Unusable or WrongData when it can not begin."""
    outside = hosting(chosen)
    hosts = hosts_for(chosen.host, chosen.lan_address)
    folder = data_folder(chosen.data)
    with lock(folder) as address, listen(chosen.host, port_of(chosen.port)) as server_socket:
        port = server_socket.getsockname()[1]
        urls = [url(host, port, outside.scheme) for host in hosts]
        if outside.public:
            near = urls if chosen.host in ANYWHERE and not is_local(hosts[0]) else []
            urls = [f"{outside.public}/", *near]
        app = create_app(folder, address=urls[0], hosts=(*hosts, *outside.names), public=outside.public)
        home = app.extensions[NAME]
        home.listening, home.scheme = (chosen.host, port), outside.scheme
        told = urlsplit(urls[0]).hostname or ""
        listening = Listening(chosen.host, port, told, outside.public, outside.scheme)
        stopping = Event()

        def begun() -> None:
            key_path = f"host/{home.host_key}"
            local = is_local(hosts[0]) and not outside.public
            show(urls, urls[0] + key_path, local=local, without=kept_by(chosen))
            with suppress(OSError):  # a full disk: the lock holds without it
                address.write_text(f"{urls[0]}\n{msgspec.json.encode(listening).decode()}\n", "utf-8")
            Thread(target=look_after, args=(home.tables.store, stopping), daemon=True).start()
            Thread(target=keep_house, args=(home.tables, stopping), daemon=True).start()
            if not chosen.no_browser:
                # A certificate is one of a name.
                here = chosen.host in ANYWHERE and outside.certificate is None
                open_browser((url("127.0.0.1", port) if here else urls[0]) + key_path)

        end_like_ctrl_c()
        try:
            serve(app, home.live, server_socket, begun, Thread(target=home.prepare, daemon=True).start, outside)
        finally:
            stopping.set()
            home.tables.store.close()


def look_after(store: Store, stopping: Event) -> None:
    """Say once whether the file is damaged, and bring what is written into it now and then, until Companion stops."""
    if store.is_damaged():
        refuse(
            say(
                "{file} is damaged. What can still be read is played on; stop Companion soon, copy that file to "
                "another place and bring back a backup.",
                file=str(store.path),
            )
        )
    while not stopping.wait(CHECKPOINT_EVERY):
        store.checkpoint()


def keep_house(tables: Tables, stopping: Event) -> None:
    """Put empty tables away, and let deleted ones go, now and then until Companion stops."""
    while not stopping.wait(KEEP_HOUSE_EVERY):
        with suppress(Problem):  # a full or a busy disk: it is done the next time
            tables.keep_house(stopping.wait)


def end_like_ctrl_c() -> None:
    """Let the end of a session, a closed terminal or Ctrl-Break end Companion as Ctrl-C does: with its tables closed.

    What this process was told to ignore (``nohup``) stays ignored.
    """

    def end(number: int, frame: FrameType | None) -> None:
        # While the server runs, it has said here that it wants to finish first.
        interrupted = signal.getsignal(signal.SIGINT)
        if not callable(interrupted):
            raise KeyboardInterrupt
        interrupted(number, frame)

    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked; return the exit code: 2 when a sentence says why it can not be, 1 when phones can not come."""
    prepare()
    gc.disable()  # until it serves: next to nothing of what is made to begin could be collected
    try:
        chosen = options(sys.argv[1:] if arguments is None else arguments)
        if chosen.backup is not None:
            make_backup(chosen.data, chosen.backup)
            return 0
        if chosen.words:
            outside, port = hosting(chosen), port_of(chosen.port)
            planned = Listening(chosen.host, port, chosen.lan_address or "", outside.public, outside.scheme)
            return 0 if examine(chosen.data, planned) else 1
        start(chosen)
    except (Unready, Unusable, WrongData) as why:
        refuse(why.text)
        return 2
    except KeyboardInterrupt:
        return 130
    finally:
        gc.enable()
    announce(say("Companion has stopped; the tables are kept."))
    return 0


if __name__ == "__main__":
    sys.exit(main())
