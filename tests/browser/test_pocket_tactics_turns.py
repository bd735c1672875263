"""Pocket-Tactics in the browser, turn by turn: plain forms, the keyboard, the map in words, faults, what is seen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phones import serving
from tests.browser.staged import BLADE, BULWARK, GROUND, STAGED, THROWN, begun, building, sit
from tests.browser.test_axe import unfold
from tests.browser.test_board import held, label, middle, square
from tests.browser.test_hexagons import tile
from tests.browser.test_history_of_war import lying, tap
from tests.browser.test_plain import throw as tick
from tests.browser.test_pocket_tactics import BAG, answer, bring, place
from tests.support import pocket_tactics_positions as tiles
from tests.support.pocket_tactics_factions import SMALL
from tests.support.sizes import first

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving, Sitting

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("tables"), STAGED) as running:
        yield running


@pytest.mark.long
def test_a_turn_is_played_without_scripts(served: Serving, phones: Phones) -> None:
    table = begun(served)
    ana = phones("es", scripts=False).open(table.link("blue"))
    tap(ana, "b0.1", "action=deploy", "to=l1")
    assert place(table, "b0.1") == "l1"
    table.act("red", "deploy", unit="r0.1", to="m4")
    ana.open(table.link("blue")).pick(BLADE)
    ana.at(".pick:checked + label + .targets .way[href*='action%3Dassault']").click()
    expect(ana.at("#plan .chart").first).to_be_visible()
    ana.at("#plan button.main").click()
    tick(ana, *THROWN[0])
    tick(ana, *THROWN[1])
    for faces in THROWN[2:]:
        table.answer("red", faces=list(faces))
    ana.page.reload()
    answer(ana, "pass")
    table.answer("red", value="pass")
    assert (place(table, BLADE), place(table, BULWARK)) == ("m3", "captured")
    table.act("red", "move", unit="r0.1", to="l3")
    table.answer("red", faces=[6])
    ana.page.reload()
    ana.pick(BLADE)
    ana.at(".pick:checked + label + .targets .way[href*='action%3Dmove']").click()
    ana.at("#plan [value='m4'] + label").click()
    ana.at("#plan button.main").click()
    assert place(table, BLADE) == "m4"


RINGED = """
() => {
  const at = document.activeElement, named = at.labels?.[0];
  const shown = !at.matches(".away") ? at : named?.matches(".away") ? at.closest(".overlay") : named;
  const ringed = (one) => getComputedStyle(one).outlineStyle !== "none";
  const colour = (name) => getComputedStyle(shown).getPropertyValue(name);
  const hexagon = colour("--ring") === colour("--accent") && getComputedStyle(shown, "::after").content !== "none";
  return at.tabIndex < 0 || hexagon || [shown, ...(shown === named || shown === at ? shown.children : [])].some(ringed);
}
"""
"""Whether one sees what has the focus; a hexagon has a ring of its own."""


def tab_to(phone: Phone, selector: str) -> None:
    """Press Tab until something has the focus; on the way everything shows it."""
    for _ in range(80):
        phone.page.keyboard.press("Tab")
        assert phone.page.evaluate(RINGED), phone.page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        if phone.page.evaluate("(what) => document.activeElement.matches(what)", selector):
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def press_on(phone: Phone, selector: str) -> None:
    """Reach something with the Tab key, and press Enter."""
    tab_to(phone, selector)
    phone.page.keyboard.press("Enter")


def pick_by_key(phone: Phone, unit: str) -> None:
    """Reach the pieces with Tab, and the wanted one with the arrows."""
    tab_to(phone, ".pick")
    phone.page.keyboard.press("Space")
    for _ in range(phone.at(".pick").count()):
        if phone.at(f"[id='pick-{unit}']").is_checked():
            return
        phone.page.keyboard.press("ArrowDown")
    raise AssertionError(f"the arrows do not lead to {unit}")


@pytest.mark.long
def test_a_turn_is_played_with_the_keyboard_alone(served: Serving, phones: Phones) -> None:
    table = begun(served)
    ana, ben = phones("en").open(table.link("blue")), phones("es").open(table.link("red"))
    pick_by_key(ana, BLADE)
    press_on(ana, "[value$='to=l2']")
    expect(ana.at("#state")).to_have_attribute("data-version", "4")
    assert place(table, BLADE) == "l2"
    ben.sees(table.version())
    pick_by_key(ben, BULWARK)
    press_on(ben, "[href*='target%3Db4.1']")
    expect(ben.at("#plan .chart").first).to_be_visible()
    press_on(ben, "#plan button.main")
    expect(ben.at("#sheet")).to_be_hidden()
    ben.settled(table.version)
    expect(ben.at(".typing:not([inert])")).to_be_visible()
    for face in (6, 4, 2):
        press_on(ben, f".pad-faces button[aria-label='{face}']")
    press_on(ben, ".typing > button")
    expect(ben.at("#dock [id^='attacker_defence']").first).to_be_attached()


def at_the_water(served: Serving) -> Sitting:
    """Set a table at which a unit may go into water, into a labyrinth, or onto a field."""
    ground = "m2 field, l2 water, n2 labyrinth, l1 field, m3 field, m4 field"
    return sit(served, tiles.game("b blade_guard m2, r bulwark m4", ground=ground))


@pytest.mark.parametrize("tongue", first("en", "es"))
def test_a_tap_on_water_says_first_what_may_be_lost(served: Serving, phones: Phones, tongue: str) -> None:
    table = at_the_water(served)
    ana = phones(tongue).open(table.link("blue"))
    version = table.version()
    label(ana, BLADE).click()
    reach = ana.at(".pick:checked + label + .targets .reach")
    percent = {"en": "50%", "es": "50 %"}[tongue]
    drowns = {"en": "It drowns and is captured: ", "es": "Se ahoga y la capturan: "}[tongue] + percent
    for at, sign in (("l2", "skull"), ("n2", "clock")):
        badge = reach.locator(f":is([href$='to%3D{at}'], [value$='to={at}']) small")
        expect(badge).to_have_text(percent)
        expect(badge.locator("use")).to_have_attribute("href", re.compile(f"#{sign}$"))
    expect(reach.locator("[value$='to=n2']")).to_have_count(1)
    for words in {"en": ("drowns there", "leaving it later"), "es": ("se ahoga allí", "al salir después")}[tongue]:
        expect(ana.at("#signs")).to_contain_text(words)
    reach.locator("[href$='to%3Dl2']").click()
    expect(ana.at("#plan .risk")).to_contain_text(drowns)
    assert table.version() == version, "nothing was rolled"
    ana.at("#plan button.main").click()
    expect(ana.at(".typing")).to_be_visible()
    assert table.version() > version


def test_water_is_read_first_by_key_and_without_scripts_too(served: Serving, phones: Phones) -> None:
    table = at_the_water(served)
    ana = phones("en").open(table.link("blue"))
    pick_by_key(ana, BLADE)
    press_on(ana, "[href$='to%3Dl2']")
    expect(ana.at("#plan .risk")).to_be_visible()
    press_on(ana, "#plan button.main")
    expect(ana.at(".typing")).to_be_visible()
    table = at_the_water(served)
    plain = phones("en", scripts=False).open(table.link("blue"))
    version = table.version()
    plain.open(table.page("blue", f"/plan?do=action%3Dmove%26unit%3D{BLADE}"))
    expect(plain.at("#plan .described").filter(has_text="water").first).to_contain_text("drowns on 1–3 (50%)")
    assert table.version() == version


def test_a_tile_is_placed_with_the_keyboard_alone(served: Serving, phones: Phones) -> None:
    table = building(served)
    ana, ben = phones("es").open(table.link("blue")), phones("en").open(table.link("red"))
    press_on(ana, "[value$='at=m3']")
    expect(ben.do("action=place_tile").first).to_be_visible()
    assert table.tracked()["tile.m3.terrain"] == "forest"
    press_on(ben, "[value*='at=']")
    expect(ana.do("action=place_tile").first).to_be_visible()


WORDS = {
    "en": {"field": "field", "swamp": "swamp", "village": "village", "cave": "cave", "forest": "forest", "ice": "ice",
           "water": "water", "labyrinth": "labyrinth"},
    "es": {"field": "campo", "swamp": "pantano", "village": "aldea", "cave": "cueva", "forest": "bosque",
           "ice": "hielo", "water": "agua", "labyrinth": "laberinto"},
}  # fmt: skip
NAMES = {"en": ("Blade guard", "Bulwark"), "es": ("Guardia de espada", "Baluarte")}


def told(phone: Phone) -> list[str]:
    """Read the map in words."""
    unfold(phone)
    return [" ".join(line.split()) for line in phone.at("#board-words li").all_inner_texts()]


@pytest.mark.parametrize("tongue", first("en", "es"))
def test_the_map_is_told_in_words(served: Serving, phones: Phones, tongue: str) -> None:
    table = begun(served)
    phone = phones(tongue).open(table.link("red"))
    lines = told(phone)
    for laid in GROUND.split(", "):
        at, terrain = laid.split()
        assert [line for line in lines if re.match(f"{at} {WORDS[tongue][terrain]}\\b", line)], laid
    for at in ("m1", "m5"):
        assert [line for line in lines if re.match(f"{at} .*[Bb]ase", line)], at
    blade, bulwark = NAMES[tongue]
    assert [line for line in lines if line.startswith("m2 ") and blade in line]
    assert [line for line in lines if line.startswith("m3 ") and bulwark in line]
    table.act("blue", "move", unit=BLADE, to="l2")
    phone.sees(table.version())
    lines = told(phone)
    assert [line for line in lines if line.startswith("l2 ") and blade in line]
    assert not [line for line in lines if line.startswith("m2 ") and blade in line]


def test_a_bag_with_a_fault_is_refused_in_words_and_nothing_is_lost(served: Serving, phones: Phones) -> None:
    table = sit(served)
    ana, ben = phones("en").open(table.link("blue")), phones("es").open(table.link("red"))
    before = ben.at("#tracker-bag").inner_text()
    ana.at("#tools-bag > summary").click()
    wrong = BAG.replace("count = 9", "count = 999")
    version = table.version()
    bring(ana, "action%3Dload_bag", "bag.toml", wrong)
    expect(ana.at("#plan .wrong")).to_contain_text("tile 1")
    expect(ana.at("#plan .wrong")).to_contain_text("count")
    expect(ana.at("#plan textarea")).to_have_value(wrong)
    assert table.version() == version
    assert ben.at("#tracker-bag").inner_text() == before
    ana.at("#plan textarea").fill(BAG)
    ana.at("#plan button.main").click()
    for phone in (ana, ben):
        expect(phone.at("#tracker-bag")).to_contain_text("Meadows")


def test_a_move_from_an_old_page_is_refused_in_words_and_nothing_is_lost(served: Serving, phones: Phones) -> None:
    table = begun(served)
    ana, old = phones("en").open(table.link("blue")), phones("es", scripts=False).open(table.link("blue"))
    ana.pick(BLADE)
    with held(ana):
        square(ana, "l2").click()
        expect(ana.at(".overlay .sent")).to_have_count(1)
        table.act("blue", "deploy", unit="b0.1", to="l1")
    expect(ana.at("[role=alert]").filter(has_text="m2 → l2")).to_be_visible()
    expect(ana.at(".overlay .sent")).to_have_count(0)
    assert middle(ana.at(f"[id='at-{BLADE}']"))[0] == pytest.approx(middle(tile(ana, "m2"))[0], abs=1)
    tapped = table.version()
    tap_old(old)
    expect(old.at("#dock .wrong, #plan .wrong").first).to_be_visible()
    assert table.version() == tapped
    assert (place(table, BLADE), place(table, "b0.1"), place(table, "b0.2")) == ("m2", "l1", "reserve")
    old.open(table.link("blue"))
    expect(old.at(f"[id='at-{BLADE}']")).to_be_visible()


def tap_old(phone: Phone) -> None:
    """Deploy on a page that does not know that the turn is over."""
    lying(phone, "b0.2").locator("summary").first.click()
    lying(phone, "b0.2").locator("[value*='to=l1']").click()


def test_a_faction_with_faults_is_named_row_by_row_and_taken_when_it_is_mended(served: Serving, phones: Phones) -> None:
    table = sit(served)
    ana, ben = phones("es").open(table.link("blue")), phones("en").open(table.link("red"))
    wrong = SMALL.replace("cost = 16", "cost = -16")
    version = table.version()
    bring(ana, "action%3Dload_deck", "gremio.toml", wrong)
    for part in ("unit 2", "Golem", "cost"):
        expect(ana.at("#plan .wrong")).to_contain_text(part)
    expect(ana.at("#plan textarea")).to_have_value(wrong)
    assert table.version() == version
    expect(ana.do("action=ready")).to_have_count(0)
    ana.at("#plan textarea").fill(SMALL)
    ana.at("#plan button.main").click()
    expect(ana.at("#sheet")).to_be_hidden()
    expect(ana.do("action=ready")).to_be_visible()
    for phone in (ana, ben):
        expect(phone.page.get_by_text("River Guild").locator("visible=true").first).to_be_visible()
    expect(ana.page.get_by_text("Golem").locator("visible=true").first).to_be_visible()
