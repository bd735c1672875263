"""The folder of the tables: where it is, which Companion plays in it, and its backups."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from companion.kit.text import Text, say
from companion.table.problem import Unusable
from companion.table.store import copy_tables
from companion.terminal import Unready, announce

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TABLES = "tables.sqlite"
LOCK = "companion.lock"
ADDRESS = "companion.address"
"""Holds where the Companion of this folder is, and in a second line how it listens there.

It lies beside the lock, for Windows lets nobody read what is locked.
"""
REASONS: Mapping[int, Text] = {
    errno.ENOSPC: say("the disk is full"),
    errno.EDQUOT: say("the disk is full"),
    errno.EACCES: say("that is not allowed there"),
    errno.EPERM: say("that is not allowed there"),
    errno.EROFS: say("what is there can only be read"),
    errno.ENOENT: say("there is no such folder"),
    errno.EEXIST: say("a file is where a folder should be"),
    errno.ENOTDIR: say("a file is where a folder should be"),
}
"""Why a file or folder can not be written, by the system's number for it."""


def folder_of(chosen: Path | None) -> Path:
    """Return the folder of the tables: the chosen one, else one of this user."""
    if chosen is not None:
        return chosen
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "Companion"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Companion"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "companion"


def data_folder(chosen: Path | None) -> Path:
    """Return the folder of the tables, made if need be; raise Unready when it can not be written."""
    folder = folder_of(chosen)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".writable").touch()
        (folder / ".writable").unlink()
    except OSError as wrong:
        raise unwritable(folder, wrong) from wrong
    return folder


def unwritable(folder: Path, wrong: OSError) -> Unready:
    """Say that a folder can not be written."""
    return Unready(
        say(
            "Tables cannot be saved in {folder} ({why}): choose another folder with --data.",
            folder=str(folder),
            why=reason(wrong),
        )
    )


def reason(wrong: OSError) -> Text | str:
    """Say why a file or folder can not be written; what is not known here is said as this computer says it."""
    return REASONS.get(wrong.errno or 0, wrong.strerror or str(wrong))


@contextmanager
def lock(folder: Path) -> Iterator[Path]:
    """Keep every other Companion out of a folder; yields the file to write this one's address to, and how it listens.

    The operating system lets go of the lock when the process ends, however it does. Raises Unready, with the other's
    address, when another one plays in this folder.
    """
    address = folder / ADDRESS
    try:
        file = (folder / LOCK).open("ab")
    except OSError as wrong:
        raise unwritable(folder, wrong) from wrong
    with file:
        if not _try_lock(file):
            raise Unready(_already_running(folder, address))
        address.unlink(missing_ok=True)
        try:
            yield address
        finally:
            address.unlink(missing_ok=True)


def _try_lock(file: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # this disk knows no locks: nobody can be kept out
    return True


def running_at(folder: Path) -> str | None:
    """Return the address of the Companion that plays in a folder, empty where it is not known; None where none does."""
    try:
        with (folder / LOCK).open("r+b") as file:
            return None if _try_lock(file) else _read_address(folder / ADDRESS)
    except OSError:
        return None


def listens_how(folder: Path) -> str:
    """Return what the Companion that plays in a folder has written of how it listens; empty where it has not."""
    return "".join(_lines(folder / ADDRESS)[1:2])


def _read_address(address: Path) -> str:
    return "".join(_lines(address)[:1])


def _lines(address: Path) -> list[str]:
    with suppress(OSError, UnicodeDecodeError):
        return address.read_text("utf-8").strip().splitlines()
    return []


def _already_running(folder: Path, address: Path) -> Text:
    where = _read_address(address)
    if where:
        return say(
            "Companion already runs on this folder: {where} (for another one choose a folder of its own with --data).",
            where=where,
        )
    return say(
        "Companion already runs on the folder {folder}: use that one, or choose another folder with --data.",
        folder=str(folder),
    )


def make_backup(chosen: Path | None, target: Path) -> None:
    """Copy the tables into a new file, also while a Companion plays; raise Unusable when that can not be done."""
    tables = copy_to(folder_of(chosen) / TABLES, target)
    announce(say("{file} holds {count} table.|{file} holds {count} tables.", file=str(target), count=tables))


def copy_to(source: Path, target: Path) -> int:
    """Copy a file of tables into one that does not exist yet, also while a Companion plays; return how many it holds.

    The copy is made beside the target and gets its name when it is whole. Raises Unusable, with nothing left behind,
    when there is nothing to copy, when what there is is damaged, or where the target can not be written.
    """
    if not source.is_file():
        raise Unusable(say("There are no tables in {folder}.", folder=str(source.parent)))
    try:
        with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as folder:
            copy = Path(folder) / target.name
            tables = copy_tables(source, copy)
            if os.path.lexists(target):  # Windows would refuse to rename, others would replace it
                raise Unusable(say("{file} exists already: choose another name.", file=str(target)))
            copy.rename(target)
    except OSError as wrong:
        raise Unusable(say("{file} cannot be written ({why}).", file=str(target), why=reason(wrong))) from wrong
    return tables
