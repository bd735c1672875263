"""What a picked piece fights with: a small table below what it may do, in sight or one tap away on a small phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games.tactics_2gm.game import GAME as TACTICS_2GM
from tests.browser.finger import SMALL, Finger
from tests.browser.phones import WIDE, sitting_at
from tests.browser.test_axe import is_usable
from tests.support import tactics_2gm_positions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Sitting

pytestmark = pytest.mark.browser

PICKED = ".pick:checked + label + .targets"
UNITS = "a1 heavy_infantry {} 1w +hmg, x1 light_infantry {}, x2 light_infantry {}"
WHOLE = """
(element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [across, down] = [(left + right) / 2, (top + bottom) / 2];
  return [[left + 2, down], [right - 2, down], [across, top + 2], [across, bottom - 2]]
    .every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
}
"""


@pytest.fixture
def battle(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Sitting]:
    """A battle in the fire phase, in which the Allies' heavy infantry is wounded and carries a machine gun."""
    board = getattr(request, "param", "mirrored")
    where = ("d2", "d4", "h6") if board == "mirrored" else ("", "", "")
    state = tactics_2gm_positions.battle(UNITS.format(*where), board=board)
    with sitting_at(tmp_path, TACTICS_2GM, state, ("allies", "axis"), board=board) as sitting:
        yield sitting


def in_sight(phone: Phone, selector: str) -> None:
    expect(phone.at(selector)).to_have_count(1)
    phone.page.wait_for_function(f"(selector) => ({WHOLE})(document.querySelector(selector))", arg=selector)


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_a_picked_pieces_weapons_are_one_tap_away_below_what_it_may_do(
    battle: Sitting, phones: Phones, tongue: str
) -> None:
    ana = phones(tongue, **SMALL).open(battle.link("allies"))
    finger = Finger(ana)
    finger.tap("label[for='pick-a1']")
    for way in ana.at(f"{PICKED} .way").all():
        assert way.evaluate(WHOLE), "what it may do comes first"
    in_sight(ana, f"{PICKED} .about > .buttons .button")
    finger.taps = 0
    finger.tap(f"{PICKED} .to-values")
    in_sight(ana, f"{PICKED} .weapons")
    assert finger.taps == 1
    assert ana.page.evaluate("location.hash") == "", "the phone's way back does not lead through it"
    columns = ana.at(f"{PICKED} .weapons").get_by_role("columnheader")
    for at, name in enumerate({"es": ["Alcance", "Impacta con"], "en": ["Range", "Hits on"]}[tongue]):
        expect(columns.nth(at)).to_have_accessible_name(name)
    expect(ana.at(f"{PICKED} .weapons .changed")).not_to_have_count(0)
    finger.tap("label[for='pick-x2']")
    in_sight(ana, f"{PICKED} .weapons")
    assert finger.taps == 2, "who has nothing to do shows them at once"
    is_usable(ana, f"weapons-{tongue}", ())


def test_beside_the_board_there_is_room_for_them(battle: Sitting, phones: Phones) -> None:
    ana = phones("en", viewport=WIDE).open(battle.link("allies"))
    ana.pick("a1")
    in_sight(ana, f"{PICKED} .weapons")
    expect(ana.at(f"{PICKED} .to-values")).to_be_hidden()


def test_without_scripts_the_link_leads_to_them_too(battle: Sitting, phones: Phones) -> None:
    ana = phones("en", scripts=False, **SMALL).open(battle.link("allies"))
    ana.pick("a1")
    ana.at(f"{PICKED} .to-values").click()
    expect(ana.at(f"{PICKED} .weapons")).to_be_in_viewport()


@pytest.mark.parametrize("battle", ["table"], indirect=True)
def test_a_list_has_them_in_each_row(battle: Sitting, phones: Phones) -> None:
    ana = phones("es", **SMALL).open(battle.link("allies"))
    rows = ana.at("#unit-a1 .weapons tr")
    expect(rows).to_have_count(3)
    overflow = ana.at("#unit-a1").evaluate("(row) => row.scrollWidth - row.clientWidth")
    assert overflow <= 0
    expect(ana.at("#unit-a1 .does")).not_to_contain_text("penetración")
    is_usable(ana, "weapons-list", ())
