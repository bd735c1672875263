"""Measure everything and print a table: ``python -m bench [latency phase battle front tiles phones chances ...]``."""

from __future__ import annotations

import platform
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench import (
    battle,
    chances,
    dice,
    frames,
    front,
    history,
    hostile,
    hostile_load,
    latency,
    paint,
    phase,
    phones,
    rerolls,
    tiles,
    views,
    weight,
)
from bench.app_server import running
from bench.figures import show

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.app_server import AppServer
    from bench.figures import Figure

SERVED: dict[str, tuple[str, Callable[[AppServer], list[Figure]]]] = {
    "latency": ("Action latency", latency.measure),
    "phase": ("A movement phase of 20 mirrored units", phase.measure),
    "battle": ("A movement phase of 2GM Tactics with 20 units", battle.measure),
    "front": ("Rounds of History of War with 40 units", front.measure),
    "tiles": ("Turns of Pocket-Tactics on 20 tiles", tiles.measure),
    "phones": ("Change to every phone", phones.measure),
    "weight": ("Page weight", weight.measure),
}
ALONE: dict[str, tuple[str, Callable[[Path], list[Figure]]]] = {
    "history": ("A long past", history.measure),
    "views": ("Processor time of a change", views.measure),
    "frames": ("Frames of a fight", frames.measure),
    "paint": ("From an event to its picture", paint.measure),
    "chances": ("Exact odds", lambda _: chances.measure()),
    "dice": ("Exact odds of dice", lambda _: dice.measure()),
    "rerolls": ("Exact odds of re-rolls", lambda _: rerolls.measure()),
    "hostile": (
        "Hostile files and load",
        lambda folder: [*hostile.measure(folder), *hostile_load.measure(folder)],
    ),
}


def many_sockets() -> None:
    """Allow this process and its server as many sockets as the system lets them have."""
    if sys.platform != "win32":
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536) if most > 0 else 65536, most))


def main(wanted: list[str]) -> None:
    many_sockets()
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    for name, (title, measure) in SERVED.items():
        if not wanted or name in wanted:
            with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:
                show(title, measure(server))
    for name, (title, measure_alone) in ALONE.items():
        if not wanted or name in wanted:
            with tempfile.TemporaryDirectory() as folder:
                show(title, measure_alone(Path(folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
