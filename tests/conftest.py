"""What tests share: a table of Toy in a folder of its own, examples that are the same in every run, and what is long.

A test marked ``long`` plays or tries at full size what others do at a smaller one; ``--long`` runs these and no others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.sitting import Sitting, open_tables, sit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.table.tables import Tables


# How fast this computer is today is not what a property tells; `--hypothesis-profile=default` looks for new examples.
settings.register_profile("same", deadline=None, derandomize=True)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run what takes long, and nothing else")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.getoption("--long")
    left_out = {item for item in items if (item.get_closest_marker("long") is not None) != wanted}
    config.hook.pytest_deselected(items=[*left_out])
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with open_tables(tmp_path) as found:
        yield found


@pytest.fixture
def table(tables: Tables) -> Sitting:
    return sit(tables)
