"""What is tapped or filled in begins as a sentence does, in both languages, wherever it stands alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from companion import create_app
from companion.games import discover
from companion.kit.game import RULEKEEPER
from companion.web.state import NAME
from tests.support.phones import words
from tests.support.random_game import RandomGame
from tests.support.sizes import first

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GAMES = discover()
STEPS = 15
TYPED = "words"
"""What people write at random: their names stay as they write them."""
_CONTROL = re.compile(r"<(button|option|legend|label)\b[^>]*>(.*?)</\1>", re.DOTALL)
_LINK = re.compile(r'<(a|summary)\b[^>]*class="[^"]*\b(?:button|way)\b[^>]*>(.*?)</\1>', re.DOTALL)
_AWAY = re.compile(r'<span class="away">.*?</span>', re.DOTALL)


def lower(html: str) -> Iterator[str]:
    """The words of all that can be tapped or filled in that begin with a small letter: not d6, e5 or a name."""
    main = html.partition("<main")[2].partition("</main>")[0]
    for pattern in (_CONTROL, _LINK):
        for _, inside in pattern.findall(main):
            said = words(_AWAY.sub("", inside)).strip()
            if said[:1].islower() and (said[1:2].islower() or said[1:2] == " ") and not said.startswith(TYPED):
                yield said


@pytest.mark.parametrize("seed", first(1, 2, 3))
@pytest.mark.parametrize("name", GAMES)
def test_what_stands_alone_on_a_button_begins_with_a_capital(tmp_path: Path, name: str, seed: int) -> None:
    app = create_app(tmp_path)
    playing = RandomGame(app.extensions[NAME].tables, GAMES[name], seed)
    playing.play(STEPS)
    for seat in (*playing.who_acts()[:1], RULEKEEPER):
        phone = app.test_client()
        if seat in playing.tokens:
            phone.get(f"/s/{playing.table}/{seat}/{playing.tokens[seat]}")
        for part in ("", "/corrections") if seat == RULEKEEPER else ("",):
            for tongue in ("en", "es"):
                page = phone.get(f"/t/{playing.table}/{seat}{part}", headers={"Accept-Language": tongue}).text
                assert sorted(set(lower(page))) == [], (seat, part, tongue)
