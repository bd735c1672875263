"""What states and pieces are made of: they are never changed, but made anew with something changed."""

from __future__ import annotations

from typing import Any, Self

import msgspec
from msgspec.structs import replace


class Frozen(msgspec.Struct, frozen=True):
    """A value of which there is only the next one."""

    def but(self, **changes: Any) -> Self:
        """Return the same with some values changed."""
        return replace(self, **changes)
