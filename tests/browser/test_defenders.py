"""A defender decides without opening anything: ten recorded situations of a game, on the smallest phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games import discover
from tests.browser.walk import RandomTable, measured
from tests.support.answers import noted, unsaid
from tests.support.defenders import OF_EACH, PLAYED, defends, situations

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Serving

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}
FEW = 2


def decide(served: Serving, phones: Phones, game: str, which: slice) -> None:
    """Look at what defenders see: who meets whom, the dice, the question, and each answer with what follows."""
    for one in situations(game)[which]:
        table = RandomTable(served, discover()[game], one.seed)
        table.play(one.steps)
        seen = defends(table)
        assert seen is not None
        assert seen.asked is not None
        question = seen.asked.question
        assert (seen.seat, question.key) == (one.seat, one.key), "record them anew"
        assert unsaid(game, question) == set(), one
        phone = phones("es", viewport=SMALL, reduced_motion="reduce").open(table.sitting.link(one.seat))
        phone.sees(table.sitting.version())
        phone.answered()
        expect(phone.at("form[inert]")).to_have_count(0)
        if phone.at("#clash-now").get_attribute("open") is None:  # where squares are asked for, the board is seen
            expect(phone.at("#clash-now")).to_be_attached()
        else:
            expect(phone.at("#clash-now .fighter").first).to_be_in_viewport(ratio=1)
        expect(phone.asked.first).to_be_visible()
        broken = [found for _, found in measured(phone, str(one), set(), noted(question))]
        assert broken == [], one
        phone.context.close()


@pytest.mark.parametrize("game", PLAYED)
def test_a_defender_decides_without_opening_anything(served: Serving, phones: Phones, game: str) -> None:
    decide(served, phones, game, slice(FEW))


@pytest.mark.long
@pytest.mark.parametrize("game", PLAYED)
def test_defenders_decide_in_ten_situations_of_each_game(served: Serving, phones: Phones, game: str) -> None:
    assert len(situations(game)) == OF_EACH
    decide(served, phones, game, slice(FEW, None))
