"""Start Companion: ``python -m companion``, or the installed command ``companion``."""

from __future__ import annotations

import argparse
import os
import re
import sys
import webbrowser
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, NoReturn

from companion import create_app
from companion.kit.rulebook import WrongData
from companion.kit.text import speak as speak_text
from companion.network import ANYWHERE, PORT, hosts_for, listen, url
from companion.serve import serve
from companion.table.problem import Unusable
from companion.terminal import Unready, announce, language, prepare, refuse, show, speak
from companion.web.house import NAME
from companion.web.words import gettext, speaking

if TYPE_CHECKING:
    from collections.abc import Sequence


class Options(argparse.ArgumentParser):
    """Refuse what is not understood in the language of this computer."""

    def error(self, message: str) -> NoReturn:
        """Raise Unready instead of leaving with an English sentence."""
        named = " ".join(re.findall(r"-[\w-]+", message))
        raise Unready(
            f"{named}: this option is not used like that; --help tells how.",
            f"{named}: esta opción no se usa así; --help dice cómo.",
        )


def options(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line; raise Unready for what is not understood."""
    read = Options(
        prog="companion",
        description=speak(
            "The memory and rulekeeper of a wargame on a real table.",
            "La memoria y el árbitro de un wargame sobre una mesa de verdad.",
        ),
        allow_abbrev=False,
        add_help=False,
    )
    group = read.add_argument_group(speak("options", "opciones"))
    group.add_argument("-h", "--help", action="help", help=speak("say this and stop", "dice esto y termina"))
    group.add_argument(
        "--host",
        default=ANYWHERE[0],
        help=speak("where to listen (127.0.0.1: this computer only)", "dónde escucha (127.0.0.1: solo este ordenador)"),
    )
    group.add_argument("--port", default=str(PORT), help=speak("the port (8000)", "el puerto (8000)"))
    group.add_argument("--data", type=Path, help=speak("the folder of the tables", "la carpeta de las mesas"))
    group.add_argument(
        "--lan-address",
        metavar="ADDRESS",
        help=speak("the address that phones use", "la dirección que usan los móviles"),
    )
    group.add_argument("--no-browser", action="store_true", help=speak("open no browser", "no abre el navegador"))
    chosen, unknown = read.parse_known_args(arguments)
    if unknown:
        raise Unready(
            f"{' '.join(unknown)}: there is no such option; --help lists them.",
            f"{' '.join(unknown)}: no hay tal opción; --help dice cuáles hay.",
        )
    return chosen


def port_of(text: str) -> int:
    """Read a port; raise Unready when it is none."""
    if text.isascii() and text.isdecimal() and int(text) <= 65535:
        return int(text)
    raise Unready(
        f"--port: {text} is not a port, which is a number from 1 to 65535.",
        f"--port: {text} no es un puerto, que es un número de 1 a 65535.",
    )


def data_folder(chosen: Path | None) -> Path:
    """Return the folder of the tables, made if need be: the chosen one, else one of this user.

    Raises Unready when it can not be written.
    """
    if chosen is not None:
        folder = chosen
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA", Path.home())) / "Companion"
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support" / "Companion"
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "companion"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".writable").touch()
        (folder / ".writable").unlink()
    except OSError as wrong:
        raise Unready(
            f"The tables can not be kept in {folder} ({wrong.strerror}): choose another folder with --data.",
            f"Las mesas no se pueden guardar en {folder} ({wrong.strerror}): elige otra carpeta con --data.",
        ) from wrong
    return folder


def open_browser(address: str) -> Thread | None:
    """Show the lobby in a browser, unless this is a computer without a screen; return who waits for the browser."""
    if sys.platform not in {"win32", "darwin"} and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return None
    opening = Thread(target=webbrowser.open, args=(address,), daemon=True)
    opening.start()
    return opening


def start(chosen: argparse.Namespace) -> None:
    """Serve until it is stopped; raise Unready when it can not begin."""
    hosts = hosts_for(chosen.host, chosen.lan_address)
    folder = data_folder(chosen.data)
    with listen(chosen.host, port_of(chosen.port)) as door:
        port = door.getsockname()[1]
        urls = [url(host, port) for host in hosts]
        try:
            app = create_app(folder, address=urls[0], hosts=tuple(hosts))
        except (Unusable, WrongData) as wrong:
            with speaking(language()):
                why = speak_text(wrong.text, gettext)
            raise Unready(why, why) from wrong

        def begun() -> None:
            show(urls)
            if not chosen.no_browser:
                open_browser(url("127.0.0.1", port) if chosen.host in ANYWHERE else urls[0])

        serve(app, app.extensions[NAME].live, door, begun)


def main(arguments: Sequence[str] | None = None) -> int:
    """Start Companion; return the exit code, 2 when a sentence says why it can not start."""
    prepare()
    try:
        start(options(sys.argv[1:] if arguments is None else arguments))
    except Unready as why:
        refuse(str(why))
        return 2
    announce("Companion has stopped; the tables are kept.", "Companion se ha detenido; las mesas quedan guardadas.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
