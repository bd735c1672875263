"""Opposed dice where people look: on phones of both looks, on a laptop, on the shared screen, in a look-up."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phones import PHONE, WIDE, Sitting, serving, sitting_at
from tests.browser.test_axe import is_usable, unfold
from tests.browser.test_screen import is_read_from_afar
from tests.support import pocket_tactics_positions as positions
from tests.support.clash_game import CLASH
from tests.support.sizes import first

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.browser.conftest import Phones
    from tests.browser.phones import Serving

pytestmark = pytest.mark.browser

MANY = [6, 6, 5, 5, 4, 3, 2, 1]
APART = """
() => [...document.querySelectorAll(".duel")].filter((one) => one.checkVisibility()).map((duel) => {
  const box = (die) => die.getBoundingClientRect();
  const boxes = (side) => [...duel.querySelectorAll(`.duel-pair > .duel-die:${side}`)].map(box);
  const [above, below] = [boxes("first-child"), boxes("last-child")];
  const middle = (box) => (box.left + box.right) / 2;
  return above.every((die, at) =>
    die.bottom <= below[at].top + 1 && Math.abs(middle(die) - middle(below[at])) < 1
    && die.top < above[0].bottom && die.left >= 0 && die.right <= innerWidth);
})
"""
"""Of every duel that is seen: whether each die lies over the one it meets, all in one row, and none beside the page."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("duels"), games={"clash": CLASH}) as running:
        yield running


def sit(served: Serving) -> Sitting:
    made = served.tables.create("clash", "", {}, {"rulekeeper": "Ruth"}, "typed")
    tokens = dict(made.tokens) | {
        seat: served.tables.join(made.table, seat, name) for seat, name in (("red", "Ana"), ("blue", "Ben"))
    }
    return Sitting(served, made.table, tokens)


def fight(sitting: Sitting, ours: list[int], theirs: list[int], **kickers: int) -> None:
    """Attack, up to the question whether to strike back."""
    sitting.act("red", "fight", facts={"attack": len(ours), "defence": len(theirs), **kickers})
    sitting.answer("red", faces=ours)
    sitting.answer("blue", faces=theirs)


@pytest.mark.parametrize("tongue", first("es", "en"))
def test_eight_dice_a_side_lie_pair_under_pair_on_a_phone_and_on_a_large_screen(
    served: Serving, phones: Phones, tongue: str
) -> None:
    sitting = sit(served)
    fight(sitting, MANY, [6, 6, 5, 5, 4, 4, 4], defence_kicker=2)
    sitting.answer("blue", value="yes")
    sitting.answer("blue", faces=MANY)
    sitting.answer("red", faces=MANY[:7])
    for seat, seen in (("red", 2), ("screen", 2)):
        phone = phones(tongue).open(sitting.link(seat))
        for size in (PHONE, WIDE, {"width": 1920, "height": 1080}):
            phone.page.set_viewport_size(size)
            assert phone.page.evaluate(APART) == [True] * seen, (seat, size)


@pytest.mark.sized
def test_what_was_thrown_is_large_at_once_and_again_under_why(served: Serving, phones: Phones) -> None:
    sitting = sit(served)
    fight(sitting, [6, 4], [6, 3])
    sitting.answer("blue", value="no")
    said = {
        "es": "6 = 6 se anulan. Ataque de los Rojos: 4 gana a 3.",
        "en": "6 = 6 cancel each other. Attack of the Reds:",
    }
    for seat, tongue, size in (("red", "es", PHONE), ("screen", "en", WIDE)):
        phone = phones(tongue, viewport=size).open(sitting.link(seat))
        sizes = phone.page.evaluate(
            "[...document.querySelectorAll('.thrown .die')].map((die) => die.getBoundingClientRect().width)"
        )
        tie, equal, won, lost = sizes
        assert tie == equal == lost < won
        is_usable(phone, f"duel-{seat}", [said[tongue]])
        phone.page.set_viewport_size(PHONE)
        unfold(phone)
        is_usable(phone, f"duel-{seat}-why", [said[tongue]])


@pytest.mark.sized
def test_whoever_must_answer_sees_the_dice(served: Serving, phones: Phones) -> None:
    sitting = sit(served)
    fight(sitting, [5, 4], [5], attack_kicker=3)
    is_usable(
        phones("es").open(sitting.link("blue")), "duel-asked", ["4 gana, no tiene dado enfrente.", "¿Contraatacas?"]
    )
    is_usable(phones("en").open(sitting.link("screen")), "duel-waiting", ["4 wins, no die stands against it."])


@pytest.mark.sized
def test_the_report_and_a_look_up(served: Serving, phones: Phones) -> None:
    sitting = sit(served)
    fight(sitting, [6, 4], [6, 3], attack_kicker=4)
    sitting.answer("blue", value="no")
    report = phones("es").open(f"{served.address}/t/{sitting.table}/report")
    is_usable(report, "duel-report", ["6 = 6 se anulan. Ataque de los Rojos: 4 gana a 3."])
    thrown = "attack=1&defence=2&attack_kicker=4&defence_kicker=0&_by=type&_dice=3+6+4"
    is_usable(phones("en").open(f"{served.address}/quick/clash/clash?{thrown}"), "duel-look-up", ["6 beats kicker 4."])


@pytest.mark.parametrize("width", first(360, 390))
def test_seven_numbers_to_choose_from_stand_in_one_row(served: Serving, phones: Phones, width: int) -> None:
    phone = phones("en", viewport={"width": width, "height": 844})
    phone.open(f"{served.address}/quick/clash/clash?attack_kicker=3")
    numbers = phone.at("[name='attack_kicker'] + label")
    assert numbers.count() == 7
    boxes = numbers.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
    assert len({box["top"] for box in boxes}) == 1
    assert all(box["width"] >= 44 <= box["height"] for box in boxes)
    assert all(one["right"] < other["left"] for one, other in pairwise(boxes))


WHOLE = """
(scene) => {
  const page = scene.closest(".pages").getBoundingClientRect();
  return [...scene.querySelectorAll(".tile-of, .tray-of, .duel-name, .lies > em")].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < page.left - 1 || right > page.right + 1 || top < page.top - 1 || bottom > page.bottom + 1;
  }).map((one) => one.className || one.innerText);
}
"""
"""What of a scene is not seen on the page that is shown."""
WIDER = ", l2 field, l3 hills, n2 field, n3 field, k2 field, k3 field, o2 field, o3 field, j2 field, p2 field"


@pytest.mark.parametrize("more", ["", WIDER])
@pytest.mark.parametrize("tongue", ["en", "es"])
def test_lone_dice_beside_opposed_ones_say_what_they_did_and_the_scene_is_seen_whole(
    tmp_path: Path, phones: Phones, tongue: str, more: str
) -> None:
    state = positions.game("b levy m2, r prowler m3, r ravager m4", ground=f"m2 field, m3 ice, m4 field{more}")
    with sitting_at(tmp_path, positions.GAME, state, ("blue", "red"), "typed") as sitting:
        screen = phones(tongue, viewport=WIDE).open(sitting.link("screen"))
        levy, prowler = positions.code(state, "b levy"), positions.code(state, "r prowler")
        sitting.act("blue", "assault", unit=levy, target=prowler, kind="melee", skill="melee")
        for seat, faces in (("blue", [6]), ("blue", [6]), ("red", [1, 1]), ("red", [1])):
            sitting.answer(seat, faces=faces)
        sitting.answer("red", value="pass")
        sitting.answer("blue", faces=[1])
        sitting.answer("blue", faces=[6])
        screen.sees(sitting.version())
        slips = "slips" if tongue == "en" else "resbala"
        expect(screen.at(".tray-of:first-child .lies > em")).to_contain_text([slips, "l3" if more else "captur"])
        expect(screen.at(".tray-of:first-child .lies > em").first).to_be_visible()
        expect(screen.at(".event .duel")).to_have_count(2)
        screen.comes_to(f"!({WHOLE})(document.querySelector('.event .clash')).length", "the scene is seen whole")
        is_read_from_afar(screen, sitting, "ice")
        screen.save("ice")
