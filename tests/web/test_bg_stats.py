"""A game that is over is handed to BG Stats as that app's documentation says: by a link and a QR code on its report."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from companion import create_app
from companion.web.state import NAME
from tests.support.replays import played

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from tests.support.played_out import TableContest


def test_a_game_that_is_over_can_be_sent_to_bg_stats(app: Flask, battle: TableContest) -> None:
    page = app.test_client().get(f"/t/{battle.table}/report", headers={"Accept-Language": "en"}).text
    found = re.search(r'href="(https://app\.bgstatsapp\.com/createPlay\.html\?[^"]+)"', page)
    assert found
    assert 'class="qr"' in page
    play = json.loads(parse_qs(urlsplit(found[1]).query)["data"][0])
    assert play["game"]["name"] == "A Tale of Two Cities"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", play["playDate"])
    assert {player["name"] for player in play["players"]} == {"Ana", "Ben"}
    (winner,) = [player for player in play["players"] if player["winner"]]
    seat = battle.tables.ending(battle.table).winners[0]
    names = {person.seat: person.name for person in battle.tables.summary(battle.table).people}
    assert winner["name"] == names[seat]
    assert play["sourceName"] == "Companion"
    assert play["sourcePlayId"]


def test_a_play_stays_the_same_one_whatever_is_done_at_the_table_after_its_end(
    app: Flask, battle: TableContest
) -> None:
    address, tables = re.compile(r'href="(https://app\.bgstatsapp[^"]+)"'), battle.tables
    tables._now, before = lambda: datetime(2031, 1, 1, tzinfo=UTC), tables._now
    first = address.findall(app.test_client().get(f"/t/{battle.table}/report").text)
    tables.rename(battle.table, "rulekeeper", "Ruth the Second", "renamed")
    tables._now = before
    assert (
        address.findall(app.test_client().get(f"/t/{battle.table}/report").text)[0].partition("players")[0]
        == (first[0].partition("players")[0])
    )


def test_a_game_that_goes_on_is_not_sent(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    game = played(app.extensions[NAME].tables, "two_cities", 8)
    assert "bgstatsapp" not in app.test_client().get(f"/t/{game.table}/report").text
