"""The tableau in the browser: its cards, where their numbers stand, and that nothing of them is cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.phones import PHONE, WIDE
from tests.browser.test_history_of_war import SEATS, agreed, begun, bring, fighting, lying, zone
from tests.browser.test_large_letters import SMALL, enlarge
from tests.support.sizes import first

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving, Sitting

pytestmark = pytest.mark.browser

PLACES = """
(face) => {
  const box = (selector) => {
    const { left, right, top, bottom } = face.querySelector(selector).getBoundingClientRect();
    return { left, right, top, bottom, middle: (left + right) / 2 };
  };
  const { left, right, top, bottom } = face.getBoundingClientRect();
  return {
    face: { left, right, top, bottom, middle: (left + right) / 2 },
    flags: box(".unit-head > .stat:first-child"), defence: box(".unit-head > .stat:last-child"), art: box(".unit"),
    name: box(".lying-name"), foot: box(".unit-foot"),
  };
}
"""
CUT = """
() => [...document.querySelectorAll(".tableau .lying")].flatMap((one) => {
  const summary = one.querySelector("summary");
  const face = summary.querySelector(".card-face") ?? summary;
  summary.style.transform = "none"; // what lies askew is measured as it would lie straight
  const box = face.getBoundingClientRect();
  const words = [...face.querySelectorAll("*")].filter((part) => !part.closest(".away, svg"));
  const own = words.flatMap((part) => [...part.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE));
  return own.filter((node) => node.data.trim()).filter((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    const hidden = node.parentElement.scrollHeight > node.parentElement.clientHeight + 1
      && getComputedStyle(node.parentElement).overflowY !== "visible";
    return hidden || left < box.left || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1;
  }).map((node) => `${node.data.trim()} in ${face.innerText}`);
})
"""
"""What words of cards and of pieces do not lie within them."""


def spread(served: Serving) -> tuple[Sitting, dict[str, str]]:
    """Set a table in whose first territory lie three cards of Blue, one of them locked, and two of Red."""
    table = begun(served)
    units = {name: bring(table, "blue", name, "t1") for name in ("medium_tank", "field_workshop", "rifle_company")}
    units |= {name: bring(table, "red", name, "t1") for name in ("flak_battery", "motorised_company")}
    table.correct(f"card.{units['rifle_company']}.locked", "true")
    table.correct("game.phase", "attacker_attack")
    return table, units


def face(phone: Phone, unit: str) -> Any:
    return lying(phone, unit).locator(".card-face")


@pytest.mark.parametrize("size", first(SMALL, PHONE), ids=["small phone", "phone"])
def test_the_numbers_of_a_card_stand_around_its_picture(served: Serving, phones: Phones, size: dict[str, int]) -> None:
    table, units = spread(served)
    ana = phones("en", viewport=size).open(table.link("blue"))
    at = face(ana, units["medium_tank"]).evaluate(PLACES)
    assert at["flags"]["right"] < at["art"]["middle"] < at["defence"]["left"]
    assert at["art"]["middle"] == pytest.approx(at["face"]["middle"], abs=2)
    assert at["flags"]["bottom"] <= at["art"]["bottom"]
    assert at["art"]["bottom"] <= at["name"]["top"] + 1
    assert at["name"]["bottom"] <= at["foot"]["top"] + 1
    assert at["face"]["left"] < at["flags"]["left"]
    assert at["foot"]["bottom"] < at["face"]["bottom"]
    tops = {round(face(ana, units[name]).evaluate(PLACES)["face"]["top"]) for name in ("medium_tank", "field_workshop")}
    assert len(tops) == 1, "one's own lie side by side"
    foes = [lying(ana, units[name]).locator("summary").bounding_box() for name in ("flak_battery", "motorised_company")]
    assert foes[0]["y"] == foes[1]["y"], "and so do the enemy's"
    assert foes[0]["x"] + foes[0]["width"] <= foes[1]["x"]


def test_a_locked_card_lies_askew_and_is_said_to_be_locked(served: Serving, phones: Phones) -> None:
    table, units = spread(served)
    ana = phones("en", viewport=SMALL).open(table.link("blue"))
    locked, tank = face(ana, units["rifle_company"]), face(ana, units["medium_tank"])
    expect(locked.locator(".signs-of")).to_be_visible()
    expect(locked.locator(".badges")).to_have_text("locked")
    lie = "(one) => getComputedStyle(one.closest('summary')).transform"
    assert locked.evaluate(lie) != "none"
    assert tank.evaluate(lie) == "none"
    expect(tank.locator(".signs-of, .badges")).to_have_count(0)


@pytest.mark.parametrize("letters", ["usual", "twice as large"])
@pytest.mark.parametrize("tongue", ["es", pytest.param("en", marks=pytest.mark.long)])
def test_nothing_of_a_card_is_cut_off(served: Serving, phones: Phones, tongue: str, letters: str) -> None:
    for table in (spread(served)[0], fighting(served)[0]):
        for seat in ("blue", "red"):
            phone = phones(tongue, viewport=SMALL)
            if letters != "usual":
                enlarge(phone)
            phone.open(table.link(seat))
            assert phone.at(".as-card").count() > 1
            assert phone.page.evaluate(CUT) == []


def test_a_card_that_is_opened_stays_where_it_lies_and_so_do_those_beside_it(served: Serving, phones: Phones) -> None:
    table, units = spread(served)
    ana = phones("en", viewport=PHONE).open(table.link("blue"))
    names = ("medium_tank", "field_workshop", "rifle_company")

    def lie() -> list[float]:
        first_one, *others = (face(ana, units[name]).bounding_box() for name in names)
        return [round(box[way] - first_one[way]) for box in others for way in ("x", "y")]

    before = lie()
    lying(ana, units["field_workshop"]).locator("summary").first.click()
    expect(lying(ana, units["field_workshop"]).locator(".lying-more")).to_be_visible()
    assert lie() == before
    more = lying(ana, units["field_workshop"]).locator(".lying-more").bounding_box()
    card = face(ana, units["field_workshop"]).bounding_box()
    assert more["y"] >= card["y"] + card["height"]
    assert more["width"] > 2 * card["width"]


def test_a_territory_at_which_nobody_looks_is_a_line_and_opens(served: Serving, phones: Phones) -> None:
    table, _ = spread(served)
    foe = bring(table, "red", "heavy_tank", "t3")
    ana = phones("en", viewport=SMALL).open(table.link("blue"))
    river = zone(ana, "River line")
    expect(river.locator("summary").first).to_contain_text("5 VP")
    expect(river.locator(".leading")).to_contain_text("+3")
    expect(lying(ana, foe)).to_be_hidden()
    river.locator("summary").first.click()
    expect(lying(ana, foe)).to_be_visible()
    expect(river.locator(".says")).to_be_visible()
    bring(table, "blue", "rifle_company", "t3")
    ana.sees(table.version())
    expect(ana.at("section.zone").filter(has_text="River line").locator(".as-card")).to_be_visible()


def test_who_can_act_is_in_sight_as_a_phase_begins(served: Serving, phones: Phones) -> None:
    table = begun(served)
    for land in ("t1", "t2", "t3"):
        bring(table, "blue", "rifle_company", land)
    for name in ("medium_tank", "heavy_tank"):
        bring(table, "blue", name)
    ana = phones("en", viewport=SMALL).open(table.link("blue"))
    table.correct("game.phase", "attacker_deployment")
    ana.sees(table.version())
    expect(ana.at(".can-act")).to_have_count(2)
    expect(ana.at(".can-act").first).to_be_in_viewport(ratio=1)


SLICED = """
() => [...document.querySelectorAll(".lying")]
  .filter((one) => one.getClientRects().length > 1).map((one) => one.innerText)
"""


@pytest.mark.parametrize("tongue", ["es", pytest.param("en", marks=pytest.mark.long)])
def test_the_shared_screen_shows_the_same_cards_none_of_them_on_two_pages(
    served: Serving, phones: Phones, tongue: str
) -> None:
    table, units = spread(served)
    screen = phones(tongue, viewport=WIDE).open(table.link("screen"))
    for name in ("medium_tank", "flak_battery"):
        at = face(screen, units[name]).evaluate(PLACES)
        assert at["flags"]["right"] < at["art"]["middle"] < at["defence"]["left"]
        assert at["name"]["bottom"] <= at["foot"]["top"] + 1
    expect(screen.at(".lying.is-spent .signs-of")).to_have_count(1)
    assert screen.page.evaluate(SLICED) == []
    assert phones(tongue, viewport=WIDE).open(fighting(served)[0].link("screen")).page.evaluate(SLICED) == []


def test_cards_with_long_names_in_territories_with_long_names_are_whole_on_the_shared_screen(
    served: Serving, phones: Phones
) -> None:
    table = agreed(served)
    for seat in SEATS:
        table.answer(seat, value="t2,t3")
    for seat in SEATS:
        table.act(seat, "keep")
    for seat in SEATS:
        for name in ("steel_works", "power_plant"):
            bring(table, seat, name)
    for place in ("t2", "t4"):
        bring(table, "red", "heavy_tank", place)
    screen = phones("es", viewport=WIDE).open(table.link("screen"))
    expect(screen.at(".contested .lying")).to_have_count(2)
    assert screen.page.evaluate(SLICED) == []
