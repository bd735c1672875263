"""The tableau on pages that share what they show: each seat's is its own, whoever looked first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from companion import create_app
from companion.games.history_of_war.game import GAME
from tests.support import history_of_war_positions as war
from tests.support.phones import Table
from tests.support.plain_games import posed

if TYPE_CHECKING:
    from pathlib import Path


def folded(table: Table, seat: str) -> set[str]:
    """Name the territories that are a line on a seat's page."""
    zones: list[str] = re.findall(r'<details class="panel zone fold" id="zone-(t\d)"', table.get(seat).text)
    return set(zones)


@pytest.mark.parametrize("order", [("red", "rulekeeper"), ("rulekeeper", "red")])
def test_a_territory_is_a_line_for_whom_it_is_one_whoever_looked_first(tmp_path: Path, order: tuple[str, ...]) -> None:
    laid = war.game("b medium_tank t1, r flak_battery t2", phase="attacker_attack")
    table = Table(create_app(tmp_path, games={GAME.slug: posed(GAME, laid)}), GAME.slug)
    assert {seat: folded(table, seat) for seat in order} == {"red": {"t1", "t3", "t4"}, "rulekeeper": {"t3", "t4"}}
