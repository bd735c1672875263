"""What Companion says in the terminal: its address, a QR code for the phones, and why it can not start."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from importlib.resources import files
from typing import IO, TYPE_CHECKING

from qrcode.main import QRCode

from companion.games import OtherContract
from companion.kit.text import Text, say
from companion.kit.text import speak as speak_text
from companion.web.language import Language, gettext, speaking

if TYPE_CHECKING:
    from collections.abc import Sequence


class Unready(Exception):
    """Say in one sentence, in the language of this computer, why Companion can not start."""

    def __init__(self, text: Text) -> None:
        super().__init__(speak(text))
        self.text = text


def language() -> Language:
    """Return the language of this computer's terminal: ``es`` or ``en``."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if chosen := os.environ.get(name):
            return "es" if chosen.lower().startswith("es") else "en"
    if sys.platform == "win32":
        return "es" if ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF == 0x0A else "en"
    return "en"


def speak(text: Text) -> str:
    """Speak a text in the language of this computer."""
    with speaking(language()):
        return speak_text(text, gettext)


def announce(text: Text, before: str = "") -> None:
    """Print a sentence in the language of this computer, at once, behind a sign where there is one."""
    _print(before + speak(text), sys.stdout)


def write(line: str) -> None:
    """Print what is the same in every language, at once."""
    _print(line, sys.stdout)


def say_help() -> None:
    """Print what run.py prints for --help without an environment: one text for both commands."""
    _print(files("companion").joinpath(f"help.{language()}.txt").read_text("utf-8").rstrip("\n"), sys.stdout)


def refuse(why: Text) -> None:
    """Print to the error stream why nothing starts, or what is not well."""
    _print(speak(why), sys.stderr)


def leave_out(package: str, wrong: Exception) -> None:
    """Print to the error stream that the game of an installed package can not be played, and why."""
    if isinstance(wrong, OtherContract):
        why = wrong.why[language()]
    else:
        why = str(wrong) if isinstance(wrong, ValueError) else f"{type(wrong).__name__}: {wrong}"
    refuse(say("The game of the package {package} is left out: {why}", package=package, why=" ".join(why.split())))


def prepare() -> None:
    """Let the terminal take every character, whatever its code page."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def show(urls: Sequence[str], own: str, *, local: bool = False, without: str = "") -> None:
    """Print the addresses of Companion, the first as a QR code too where phones reach it, and the host's ``own`` link.

    ``local`` tells that only this computer does; ``without`` is the option that makes it so, if one does.
    """
    if local:
        announce(say("Companion is here, for this computer only:"))
    else:
        _draw(urls[0])
        announce(say("Companion is here; phones scan the code or open:"))
    for url in urls:
        _print(f"  {url}", sys.stdout)
    if local and without:
        announce(say("Phones can join when you start it without {option}.", option=without))
    elif local:
        announce(say("There is no network: connect this computer to the Wi-Fi of the phones and start again."))
    announce(say("For you alone, who runs it (Wi-Fi code, all tables); show it to nobody:"))
    _print(f"  {own}", sys.stdout)
    announce(say("Ctrl-C stops it."))


def _draw(url: str) -> None:
    code = QRCode(border=2)
    code.add_data(url)
    coloured = sys.stdout.isatty() and sys.platform != "win32"
    with suppress(OSError):
        code.print_ascii(tty=coloured, invert=not coloured)
    _print("", sys.stdout)


def _print(said: str, stream: IO[str]) -> None:
    """Print at once; where the terminal is gone, what it was for goes on."""
    with suppress(OSError):
        print(said, file=stream, flush=True)
