"""The Wi-Fi of the table: typed once by the host, kept on the laptop alone, and joined by one scan of a QR code."""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Literal, get_args

import msgspec
from flask import current_app
from markupsafe import Markup

from companion.kit.text import Text, say
from companion.table.problem import Problem
from companion.web.address_qr import qr_svg
from companion.web.guard import FOLDER
from companion.web.host import is_host

WIFI_FILE = "wifi.json"
"""Lies beside the tables, and in no backup of them."""
LONGEST_NAME = 32
"""Bytes."""
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 63
_KEY = re.compile(r"[0-9A-Fa-f]{64}")
_WEP_KEY = re.compile(r"[0-9A-Fa-f]{10}|[0-9A-Fa-f]{26}|[ -~]{5}|[ -~]{13}")
_HEX = re.compile(r"[0-9A-Fa-f]+")
_SPECIAL = re.compile(r'([\\;,:"])')

Security = Literal["WPA", "SAE", "WEP", "nopass"]
SECURITIES: tuple[Security, ...] = get_args(Security)
"""As the code of a Wi-Fi names them: WPA (and 2, and 3 beside them), WPA3 alone, WEP, none."""


class Wifi(msgspec.Struct, frozen=True):
    """A Wi-Fi that phones join: its name, its password, and how it keeps others out."""

    name: str
    password: str = ""
    security: Security = "WPA"
    hidden: bool = False

    @property
    def code(self) -> str:
        """Write what phones join it by, when they scan it."""
        password = f"P:{_escaped(self.password)};" if self.security != "nopass" else ""
        return f"WIFI:T:{self.security};S:{_name(self.name)};{password}{'H:true;' if self.hidden else ''};"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _name(name: str) -> str:
    # Phones take what has only hexadecimal digits for bytes, unless it is quoted.
    return f'"{name}"' if _HEX.fullmatch(name) else _escaped(name)


def checked(name: str, password: str, security: str, *, hidden: bool) -> Wifi:
    """Make a Wi-Fi out of what was typed; raise Problem (400), with the field, for what none can have."""
    chosen = next((one for one in SECURITIES if one == security), None)
    if chosen is None:
        raise Problem(400, say("Choose how this Wi-Fi is protected."), "security")
    if not name.strip():
        raise Problem(400, say("Type the name of the Wi-Fi, as phones list it."), "name")
    if not name.isprintable():
        raise Problem(400, say("This name has letters that cannot be seen. Type it again."), "name")
    if len(name.encode(errors="replace")) > LONGEST_NAME:
        raise Problem(400, say("No Wi-Fi has a name this long: {most} bytes at most.", most=LONGEST_NAME), "name")
    if chosen == "nopass":
        return Wifi(name, "", chosen, hidden)
    if wrong := _wrong_password(password, chosen):
        raise Problem(400, wrong, "password")
    return Wifi(name, password, chosen, hidden)


def _wrong_password(password: str, security: Security) -> Text | None:
    if not password:
        return say("Type the password of the Wi-Fi, or choose that it has none.")
    if not password.isprintable():
        return say("This password has letters that cannot be seen. Type it again.")
    if security == "WEP":
        return (
            None if _WEP_KEY.fullmatch(password) else say("A WEP key has 5 or 13 letters, or 10 or 26 digits 0-9 A-F.")
        )
    if _KEY.fullmatch(password):
        return None
    if len(password) < SHORTEST_PASSWORD:
        return say("The password of a Wi-Fi has at least {least} letters.", least=SHORTEST_PASSWORD)
    if len(password.encode(errors="replace")) > LONGEST_PASSWORD:
        return say("The password of a Wi-Fi has at most {most} letters, or 64 digits 0-9 A-F.", most=LONGEST_PASSWORD)
    return None


def read_wifi(folder: Path) -> Wifi | None:
    """Read the Wi-Fi that is kept beside the tables; None where there is none that can be read."""
    with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
        return msgspec.json.decode((folder / WIFI_FILE).read_bytes(), type=Wifi)
    return None


def keep_wifi(folder: Path, wifi: Wifi) -> None:
    """Keep a Wi-Fi beside the tables, for this user alone to read; raise Problem (409) where it can not be written."""
    try:
        # A temporary file is this user's alone from the start, and takes the place of the old one when it is whole.
        made, name = tempfile.mkstemp(prefix=".wifi-", dir=folder)
        try:
            with os.fdopen(made, "wb") as file:
                file.write(msgspec.json.encode(wifi))
            Path(name).replace(folder / WIFI_FILE)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as wrong:
        raise _unwritten() from wrong


def forget_wifi(folder: Path) -> None:
    """Delete the Wi-Fi that is kept; raise Problem (409) where that can not be done."""
    try:
        (folder / WIFI_FILE).unlink(missing_ok=True)
    except OSError as wrong:
        raise _unwritten() from wrong


def _unwritten() -> Problem:
    text = say("The folder of the tables cannot be written: the disk may be full. Nothing has changed.")
    return Problem(409, text, passing=True)


def kept_wifi() -> Wifi | None:
    """Return the Wi-Fi of the table to the host; None to everybody else, and where none was typed."""
    return read_wifi(current_app.config[FOLDER]) if is_host() else None


def wifi_qr() -> Markup | None:
    """Draw the code that phones join the Wi-Fi by, for the host; None for everybody else, and where none was typed."""
    wifi = kept_wifi()
    return qr_svg(wifi.code) if wifi else None
