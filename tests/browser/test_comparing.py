"""What if…? Two fact sets of a look-up side by side, on a phone and on a laptop, with scripts and without."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.test_axe import inspect, unfold
from tests.support.sizes import some

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

DRAWN = "(picture) => picture.decode().then(() => picture.naturalWidth > 0)"


def choose(phone: Phone, fact: str, value: str) -> None:
    """Tap a choice of a fact; those of B have its name with ``b.`` before it."""
    chosen = phone.at(f"input[name='{fact}'][value='{value}']")
    phone.at(f"label[for='{chosen.get_attribute('id')}']").click()


def button(phone: Phone, words: str) -> Locator:
    return phone.at("main .button").filter(has_text=words)


def row(phone: Phone, outcome: str) -> str:
    """Read one outcome of the first chart, with its difference and the chances of both."""
    found = phone.at("#odds .side-chart").first.locator("li").filter(has_text=outcome)
    return " ".join(found.inner_text().split())


def test_a_combat_is_compared_from_the_lobby_on(served: Serving, phones: Phones) -> None:
    ana = phones("en").open(served.address)
    ana.at("main a[href='/quick']").click()
    with ana.page.expect_navigation():
        ana.at("#two_cities a[href$='/shooting']").click()
    choose(ana, "attacker", "light_cavalry")
    with ana.page.expect_navigation():
        ana.at(".what-if").click()
    expect(ana.at(".glance")).to_contain_text("A and B are the same so far")
    choose(ana, "b.attacker_terrain", "forest")
    glance = ana.at("#glance")
    expect(glance).to_contain_text("Where the shooter is: open ground → forest")
    expect(glance).to_contain_text("No effect 44 → 67 %")
    expect(ana.page).to_have_url(
        re.compile(r"/compare\?attacker=light_cavalry&moved=no&.*&b\.attacker_terrain=forest$")
    )
    read = row(ana, "No effect")
    assert read == "No effect +23 points A 44 % B 67 %"

    ben = phones("en").open(ana.page.url)
    assert row(ben, "No effect") == read
    expect(ben.at(".compare > :first-child")).to_have_id("odds")
    expect(ben.at("input[name='b.attacker_terrain']:checked")).to_have_value("forest")
    ben.at("details.fold > summary").click()
    assert ben.at("img.qr").evaluate(DRAWN)
    button(ben, "Swap A and B").click()
    expect(ben.at("#glance")).to_contain_text("Where the shooter is: forest → open ground")
    button(ben, "Roll B").click()
    expect(ben.at("#result .quick-outcome")).to_be_visible()
    button(ben, "What if…?").click()
    expect(ben.at(".glance")).to_contain_text("A and B are the same so far")


def test_what_is_wrong_with_one_side_is_said_while_the_other_stays(served: Serving, phones: Phones) -> None:
    ana = phones("en").open(f"{served.address}/quick/two_cities/shooting/compare")
    ana.at("input[name='b.distance']").fill("99")
    expect(ana.at("#glance .is-wrong")).to_contain_text("B: Distance: a whole number from 2 to 14.")
    expect(ana.at("#odds .side-alone .side-b + .wrong")).to_be_visible()
    expect(ana.at("#odds .side-alone .side-a + .chart").first).to_be_visible()
    ana.at("input[name='b.distance']").fill("3")
    expect(ana.at("#glance")).to_contain_text("Distance: 2 → 3")
    expect(ana.at("#odds .wrong")).to_have_count(0)


def test_a_phone_shows_the_facts_of_one_side_and_a_laptop_both(served: Serving, phones: Phones) -> None:
    ana = phones("en").open(f"{served.address}/quick/chesswar/save/compare")
    a, b = ana.at("#facts-a"), ana.at("#facts-b")
    expect(b).to_be_visible()
    expect(a).to_be_hidden()
    ana.at("label[for='side-a']").click()
    expect(a).to_be_visible()
    expect(b).to_be_hidden()
    choose(ana, "against", "bow")
    expect(ana.at("#glance")).to_contain_text("Against: a bow, longbow or crossbow → a melee attack")
    ana.page.set_viewport_size({"width": 1280, "height": 800})
    expect(a).to_be_visible()
    expect(b).to_be_visible()
    expect(ana.at("#odds")).to_be_in_viewport()


def test_another_language_keeps_the_facts_that_were_chosen(served: Serving, phones: Phones) -> None:
    ana = phones("en").open(f"{served.address}/quick/two_cities/melee")
    choose(ana, "attacker", "archers")
    expect(ana.page).to_have_url(re.compile("attacker=archers"))
    with ana.page.expect_navigation():
        ana.at(".what-if").click()
    choose(ana, "b.attacker_terrain", "hill")
    expect(ana.at("#glance")).to_contain_text("open ground → hill")
    ana.at("#menu summary").click()
    ana.at("#menu a[lang='es']").click()
    expect(ana.at("#glance")).to_contain_text("Dónde está el atacante: llano → colina")
    expect(ana.at("input[name='attacker']:checked")).to_have_value("archers")


def test_without_scripts_a_button_compares(served: Serving, phones: Phones) -> None:
    ana = phones("es", scripts=False).open(f"{served.address}/quick/two_cities/melee")
    choose(ana, "attacker", "archers")
    ana.at(".what-if").click()
    expect(ana.at("input[name='attacker']:checked")).to_have_value("archers")
    choose(ana, "b.attacker_terrain", "hill")
    ana.at("#glance button").click()
    expect(ana.at("#odds .differing")).to_contain_text("Dónde está el atacante: llano → colina")
    expect(ana.at("#odds .points").filter(has_text=re.compile(r"[+−]\d+ puntos?"))).not_to_have_count(0)
    button(ana, "B pasa a ser A").click()
    expect(ana.at("input[name='attacker_terrain']:checked")).to_have_value("hill")
    expect(ana.at("#odds .differing")).to_contain_text("De momento A y B son iguales")


def test_the_list_begins_with_what_was_used_last(served: Serving, phones: Phones) -> None:
    ana = phones("es").open(f"{served.address}/quick")
    expect(ana.at("#lately")).to_be_hidden()
    for place in ("two_cities/melee", "chesswar/zap", "two_cities/melee/compare"):
        ana.open(f"{served.address}/quick/{place}")
    ana.open(f"{served.address}/quick")
    expect(ana.at("#lately .grow")).to_have_text(["Cuerpo a cuerpoA Tale of Two Cities", "¡Zap!ChessWar"])
    ana.at("#lately a").first.click()
    expect(ana.page).to_have_url(f"{served.address}/quick/two_cities/melee")


PAGES = {
    "compare-same": "two_cities/melee/compare",
    "compare-charts": "two_cities/melee/compare?b.attacker_terrain=forest&b.neighbour=yes",
    "compare-needs": "chesswar/bow/compare?b.distance=4&b.target=undead_archers",
    "compare-maps": "chesswar/catapult/compare?b.direct=no",
    "compare-rulings": "chesswar/spell/compare?b.spell=storm",
    "compare-wrong": "two_cities/evasion/compare?b.target=heavy_infantry",
}


@pytest.mark.sized
@pytest.mark.parametrize("name", some(PAGES, every=3))
def test_axe_finds_nothing_wrong(served: Serving, phones: Phones, name: str) -> None:
    phone = phones("es" if len(name) % 2 else "en").open(f"{served.address}/quick/{PAGES[name]}")
    unfold(phone)
    inspect(phone, name)


def test_every_target_of_a_comparison_is_large_enough(served: Serving, phones: Phones) -> None:
    phone = phones("es").open(f"{served.address}/quick/{PAGES['compare-charts']}")
    for target in phone.at("main .button:visible, main summary, .side-choice label").all():
        box = target.bounding_box()
        assert box is not None
        assert box["height"] >= 44
