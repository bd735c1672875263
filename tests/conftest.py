"""A table of Toy in a folder of its own, for every test that sits at one; examples that are the same in every run."""

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


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with open_tables(tmp_path) as found:
        yield found


@pytest.fixture
def table(tables: Tables) -> Sitting:
    return sit(tables)
