"""A killed process loses nothing that it acknowledged."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.support.kill import kill

if TYPE_CHECKING:
    from pathlib import Path


def test_an_acknowledged_action_survives_kill_9(tmp_path: Path) -> None:
    assert kill(20, tmp_path, random.Random()) > 20
