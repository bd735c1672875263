"""What of a test's parameters is tried every time, and what with ``--long``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable


def first(value: Any, *others: Any) -> list[Any]:
    """The first is tried every time, the others with ``--long``."""
    return [value, *map(_long, others)]


def some(values: Iterable[Any], *, every: int) -> list[Any]:
    """One of so many is tried every time, the others with ``--long``."""
    return [value if at % every == 0 else _long(value) for at, value in enumerate(values)]


def _long(value: Any) -> Any:
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.long)
