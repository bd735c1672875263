"""What makes every test begin sooner, and nothing of it different: files in memory, and apps made with less work."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from werkzeug.routing import Rule

from companion.web import assets

MEMORY = Path("/dev/shm")
ROOM = 4 * 1024**3
"""Bytes that have to be free there: a whole run leaves a hundred million behind, and runs in several processes."""


def keep_files_in_memory() -> None:
    """Let the folders of tests lie in memory where the system has such a folder: no test waits for a disk."""
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def make_apps_with_less_work() -> None:
    """Read static files once for all apps of a process, and compile what writes an address when it is first written.

    A test has an app of its own: of its 150 addresses it writes a few, and compiling all of them takes longer than the
    rest of the app.
    """
    assets._without_comments = cache(assets._without_comments)
    compiled = Rule._compile_builder

    def compile_when_written(rule: Rule, append_unknown: bool = True) -> Any:
        writers: list[Any] = []

        def write(rule: Rule, /, **values: Any) -> tuple[str, str]:
            if not writers:
                writers.append(compiled(rule, append_unknown))
            return writers[0](rule, **values)

        return write

    Rule._compile_builder = compile_when_written
