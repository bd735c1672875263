"""What Companion says in the terminal: its address, a QR code for the phones, and why it can not start."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import TYPE_CHECKING, Literal

from qrcode.main import QRCode

if TYPE_CHECKING:
    from collections.abc import Sequence


class Unready(Exception):
    """Say in one sentence, in the language of this computer, why Companion can not start."""

    def __init__(self, english: str, spanish: str) -> None:
        super().__init__(speak(english, spanish))


def language() -> Literal["en", "es"]:
    """Return the language of this computer's terminal: ``es`` or ``en``."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if chosen := os.environ.get(name):
            return "es" if chosen.lower().startswith("es") else "en"
    if sys.platform == "win32":
        return "es" if ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF == 0x0A else "en"
    return "en"


def speak(english: str, spanish: str) -> str:
    """Choose the sentence in the language of this computer."""
    return spanish if language() == "es" else english


def announce(english: str, spanish: str) -> None:
    """Print a sentence in the language of this computer, at once."""
    print(speak(english, spanish), flush=True)


def refuse(why: str) -> None:
    """Print to the error stream why nothing starts."""
    print(why, file=sys.stderr, flush=True)


def leave_out(package: str, wrong: Exception) -> None:
    """Print to the error stream that the game of an installed package can not be played, and why."""
    why = str(wrong) if isinstance(wrong, ValueError) else f"{type(wrong).__name__}: {wrong}"
    said = speak(
        f"The game of the package {package} is left out: {why}",
        f"El juego del paquete {package} se queda fuera: {why}",
    )
    print(" ".join(said.split()), file=sys.stderr, flush=True)


def prepare() -> None:
    """Let the terminal take every character, whatever its code page."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def show(urls: Sequence[str]) -> None:
    """Print the addresses of Companion, the first as a QR code too."""
    code = QRCode(border=2)
    code.add_data(urls[0])
    coloured = sys.stdout.isatty() and sys.platform != "win32"
    code.print_ascii(tty=coloured, invert=not coloured)
    print()
    announce("Companion is here; phones scan the code or open:", "Companion está aquí; los móviles leen el QR o abren:")
    for url in urls:
        print(f"  {url}")
    announce("Ctrl-C stops it.", "Ctrl-C lo detiene.")
