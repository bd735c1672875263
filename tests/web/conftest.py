"""What tests of pages share: an app of their own module, and a game that two who want to win have played out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion import create_app
from companion.web.state import NAME
from tests.support.played_out import play_out

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.played_out import TableContest


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def battle(app: Flask) -> TableContest:
    return play_out(app.extensions[NAME].tables, "two_cities", 0)
