"""Another table like this one is shown to those who sit at it, and to nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion import create_app
from tests.support.phones import Table
from tests.support.toy_game import TOY

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("path", ["/another", "/another/template.json", "/another/qr.svg"])
def test_another_table_is_for_those_who_sit_here(tmp_path: Path, path: str) -> None:
    app = create_app(tmp_path, games={"toy": TOY})
    table = Table(app, "toy")
    assert table.get("red", path).status_code == 200
    stranger = app.test_client().get(f"/t/{table.id}/red{path}")
    assert (stranger.status_code, stranger.headers["Location"]) == (303, f"/t/{table.id}")
    other = table.phones["blue"].get(f"/t/{table.id}/red{path}")
    assert other.status_code == 303
