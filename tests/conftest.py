"""What tests share: a table of Toy in a folder of its own, examples that are the same in every run, and two sizes.

A test marked ``long`` runs only with ``--long``. One marked ``sized``, and every property, runs with it at its full
size and without it at a smaller one; nothing else runs with it.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.support.quick_starts import keep_files_in_memory, make_apps_with_less_work
from tests.support.toy_tables import Sitting, open_tables, sit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.table.tables import Tables


FULL_SIZE = {"long", "sized", "hypothesis"}
"""Marks of what runs with ``--long``; hypothesis marks its properties itself."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run what takes long, at its full size, and nothing else")


def pytest_configure(config: pytest.Config) -> None:
    keep_files_in_memory()
    make_apps_with_less_work()
    # How fast this computer is today is no part of a property; `--hypothesis-profile=default` looks for new examples.
    examples = 100 if config.getoption("--long") else 25
    settings.register_profile(
        "same",
        deadline=None,
        derandomize=True,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow],  # a machine that is busy is no fault
    )
    settings.load_profile("same")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: who waits for a page or for another process leaves a core idle."""
    return 1 + (len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    long = config.getoption("--long")

    def wanted(item: pytest.Item) -> bool:
        marks = {mark.name for mark in item.iter_markers()}
        return bool(marks & FULL_SIZE) if long else "long" not in marks

    left_out = {item for item in items if not wanted(item)}
    config.hook.pytest_deselected(items=[*left_out])
    items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish() -> None:
    """Look for what is left over less often, and not among the tests themselves, which are thousands."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Whether what is ``sized`` runs at its full size."""
    return bool(request.config.getoption("--long"))


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with open_tables(tmp_path) as found:
        yield found


@pytest.fixture
def table(tables: Tables) -> Sitting:
    return sit(tables)
