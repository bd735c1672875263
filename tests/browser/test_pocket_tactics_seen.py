"""Pocket-Tactics as it is seen: what needs no scrolling, what can be reached, and what everybody can use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games.pocket_tactics.state import SEATS
from tests.browser.phones import PHONE, WIDE, serving
from tests.browser.staged import BLADE, BULWARK, GROUND, STAGED, THROWN, begun, building, fought, sit
from tests.browser.test_axe import inspect, is_usable, unfold
from tests.browser.test_board import ON_TOP, middle
from tests.browser.test_hexagons import tile
from tests.browser.test_history_of_war import lying
from tests.support import pocket_tactics_positions as tiles
from tests.support.sizes import first, some

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("tables"), STAGED) as running:
        yield running


def test_on_a_laptop_the_reserve_is_seen_beside_the_map(served: Serving, phones: Phones) -> None:
    table = begun(served)
    ana = phones("en", viewport=WIDE).open(table.link("blue"))
    board = ana.at("#board .squares").bounding_box()
    assert board is not None
    for unit in ("b0.1", "b0.2", "b0.3", "b1.1", "b1.2", "b2.1", "b2.2", "b3.2", "b5.1"):
        expect(lying(ana, unit)).to_be_in_viewport(ratio=1)
        box = lying(ana, unit).bounding_box()
        assert box is not None
        assert box["x"] >= board["x"] + board["width"] or box["x"] + box["width"] <= board["x"]
    for at in ("m1", "m5"):
        expect(tile(ana, at)).to_be_in_viewport(ratio=0.9)


def test_a_unit_of_the_reserve_that_is_opened_stays_where_it_lies(served: Serving, phones: Phones) -> None:
    ana = phones("es", viewport={"width": 360, "height": 640}).open(begun(served).link("blue"))
    names = [lying(ana, unit).locator("summary").first for unit in ("b0.1", "b0.2")]

    def lie() -> list[float]:
        one, other = (name.bounding_box() for name in names)
        return [round(size) for size in (one["width"], other["width"], other["x"] - one["x"], other["y"] - one["y"])]

    before = lie()
    names[1].click()
    expect(lying(ana, "b0.2").locator(".lying-more")).to_be_visible()
    assert lie() == before
    ana.save("reserve-opened")


@pytest.mark.parametrize("size", first({"width": 360, "height": 640}, PHONE), ids=["small phone", "phone"])
def test_dice_are_typed_and_sent_without_scrolling(served: Serving, phones: Phones, size: dict[str, int]) -> None:
    table = fought(begun(served))
    ana = phones("es", viewport=size).open(table.link("blue"))
    ana.tap(*THROWN[0])
    send = ana.at(".typing > button")
    expect(send).to_be_in_viewport(ratio=1)
    assert send.evaluate(ON_TOP)
    send.click()
    expect(ana.at(".pad-faces button").first).to_be_in_viewport(ratio=1)


SEEN = """
() => [...document.querySelectorAll("#dock form[action$='/answer'] button")].filter((one) => {
  const box = one.getBoundingClientRect();
  const at = (y) => document.elementFromPoint(box.left + box.width / 2, y);
  return [box.top + 2, box.bottom - 2].every((y) => one.contains(at(y)));
}).map((one) => one.value)
"""
"""Which answers are seen whole, with nothing over them."""


@pytest.mark.parametrize("seat", SEATS)
def test_every_answer_about_a_re_roll_can_be_reached(served: Serving, phones: Phones, seat: str) -> None:
    table = fought(
        sit(served, tiles.game("b blade_guard m2, b spear_guard l2, r bulwark m3, r ravager n3", ground=GROUND)),
        *THROWN,
    )
    dice = ["offence.0", "offence.1", "offence.2", "defence.0", "defence.1"]
    if seat == "red":
        table.answer("blue", value="pass")
        dice.append("defence.2")
    phone = phones("es").open(table.link(seat))
    expect(phone.asked).to_have_count(len(dice) + 1)
    expect(phone.at("#dock form[inert]")).to_have_count(0)
    phone.page.mouse.move(*middle(phone.dock))
    seen = set(phone.page.evaluate(SEEN))
    for far in (-2000, 2000):
        phone.page.mouse.wheel(0, far)
        expect(phone.asked.first if far < 0 else phone.asked.last).to_be_in_viewport(ratio=1)
        seen |= set(phone.page.evaluate(SEEN))
    assert seen == {*dice, "pass"}


WIDER = f"{GROUND}, k2 field, k3 forest, o2 field, o4 village"


@pytest.mark.parametrize(
    "size", [{"width": 360, "height": 640}, {"width": 844, "height": 390}], ids=["upright", "aside"]
)
def test_many_tiles_to_choose_from_are_tapped_on_the_map_or_found_in_a_list(
    served: Serving, phones: Phones, size: dict[str, int]
) -> None:
    table = sit(served, tiles.game("b blade_guard o3, r bulwark m4, r ravager n4", ground=WIDER))
    table.act("blue", "move", unit=BLADE, to="n2")
    table.answer("blue", faces=[1])
    phone = phones("es", viewport=size).open(table.link("red"))
    on_map, listed = phone.at(".overlay .go"), phone.at("#answers button")
    expect(on_map).to_have_count(12)
    for place in on_map.all():
        expect(place).to_be_in_viewport(ratio=1)
    expect(phone.at("#dock > .now.asked")).to_be_in_viewport(ratio=1)
    expect(listed.first).to_be_hidden()
    phone.at("#answers > summary").press("Enter")
    assert listed.all_inner_texts() == on_map.all_inner_texts()
    listed.filter(has_text="l3").press("Enter")
    phone.answered()
    assert table.tracked()[f"unit.{BLADE}:place"] != "on.o3"


def at_the_factions(served: Serving, phone: Phone) -> None:
    table = sit(served)
    phone.open(table.link("blue"))
    expect(phone.do("action=use_sample").first).to_be_visible()


def at_a_faction(served: Serving, phone: Phone) -> None:
    table = sit(served)
    table.act("blue", "use_sample", sample="bannermen_sample")
    phone.open(table.link("blue"))
    expect(phone.do("action=ready")).to_be_visible()


def at_the_tiles(served: Serving, phone: Phone) -> None:
    phone.open(building(served).link("blue"))
    expect(phone.at(".gap").first).to_be_visible()
    expect(phone.do("action=place_tile").first).to_be_visible()


def at_the_first_units(served: Serving, phone: Phone) -> None:
    table = sit(served, tiles.game("b levy l1", ground=GROUND).but(phase="setting_out", turn=0))
    phone.open(table.link("blue"))
    lying(phone, BLADE).locator("summary").first.click()
    expect(lying(phone, BLADE).locator("[value*='action=set_out']").first).to_be_visible()


def at_a_unit(served: Serving, phone: Phone) -> None:
    phone.open(begun(served).link("blue"))
    phone.pick(BLADE)
    expect(phone.do("action=move", f"unit={BLADE}&").first).to_be_visible()


def at_the_plan(served: Serving, phone: Phone) -> None:
    at_a_unit(served, phone)
    phone.planned("action%3Dassault", f"target%3D{BULWARK}").first.click()
    expect(phone.at("#plan .chart").first).to_be_visible()


def at_a_re_roll(served: Serving, phone: Phone) -> None:
    phone.open(fought(begun(served), *THROWN).link("blue"))
    expect(phone.asked.first).to_be_visible()
    expect(phone.at(".duel").locator("visible=true")).to_have_count(2)


def at_the_dice(served: Serving, phone: Phone) -> None:
    phone.open(fought(begun(served), *THROWN[:3]).link("red"))
    expect(phone.at(".pad-faces").first).to_be_visible()


def at_the_end(served: Serving, phone: Phone) -> None:
    table = fought(begun(served), *THROWN)
    for seat in SEATS:
        table.answer(seat, value="pass")
    table.act("red", "concede")
    phone.open(table.link("red"))
    expect(phone.at("#dock a[href$='/report']")).to_be_visible()


def at_the_look_up(served: Serving, phone: Phone) -> None:
    phone.open(f"{served.address}/quick/pocket_tactics/assault")
    expect(phone.at(".chart, .quick-outcome").first).to_be_visible()


def at_the_map_in_words(served: Serving, phone: Phone) -> None:
    phone.open(begun(served).link("red"))
    if phone.at(".open-more").is_visible():
        phone.open_more()
    unfold(phone)
    expect(phone.at("#board-words li").first).to_be_visible()


SCENES: dict[str, tuple[Callable[[Serving, Phone], None], dict[str, tuple[str, ...]]]] = {
    "factions": (at_the_factions, {"es": ("bosque",), "en": ("forest",)}),
    "faction": (at_a_faction, {"es": ("Guardia de espada",), "en": ("Blade guard",)}),
    "tiles": (at_the_tiles, {"es": ("bosque",), "en": ("forest",)}),
    "first-units": (at_the_first_units, {"es": ("Guardia de espada",), "en": ("Blade guard",)}),
    "unit": (at_a_unit, {"es": ("Guardia de espada",), "en": ("Blade guard",)}),
    "plan": (at_the_plan, {"es": ("Baluarte",), "en": ("Bulwark",)}),
    "dice": (at_the_dice, {"es": ("Baluarte",), "en": ("Bulwark",)}),
    "re-roll": (at_a_re_roll, {"es": ("Guardia de espada",), "en": ("Blade guard",)}),
    "end": (at_the_end, {"es": ("Azul",), "en": ("Blue",)}),
    "look-up": (at_the_look_up, {"es": (), "en": ()}),
    "words": (at_the_map_in_words, {"es": ("pantano",), "en": ("swamp",)}),
}


@pytest.mark.sized
@pytest.mark.parametrize(
    ("tongue", "size"), [("es", PHONE), pytest.param("en", WIDE, marks=pytest.mark.long)], ids=["es-phone", "en-laptop"]
)
@pytest.mark.parametrize("name", some(SCENES, every=4))
def test_everybody_can_use_a_page_in_both_languages(
    served: Serving, phones: Phones, name: str, tongue: str, size: dict[str, int]
) -> None:
    scene, words = SCENES[name]
    phone = phones(tongue, viewport=size)
    scene(served, phone)
    is_usable(phone, f"pocket-{name}-{tongue}", words[tongue])


@pytest.mark.sized
def test_the_shared_screen_shows_a_fight_to_everybody(served: Serving, phones: Phones) -> None:
    table = fought(begun(served), *THROWN)
    screen = phones("en", viewport=WIDE).open(table.link("screen"))
    duels = screen.at(".duel").locator("visible=true")
    expect(duels).to_have_count(2)
    for duel in duels.all():
        expect(duel).to_be_in_viewport(ratio=1)
    for at in ("m1", "m5"):
        expect(tile(screen, at)).to_be_in_viewport(ratio=0.9)
    wide = screen.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] == wide[1], "the page is moved sideways"
    inspect(screen, "pocket-screen")


def test_dice_of_a_clash_are_large_on_the_shared_screen(served: Serving, phones: Phones) -> None:
    screen = phones("es", viewport=WIDE).open(fought(begun(served), *THROWN).link("screen"))
    expect(screen.at(".event .duel")).to_have_count(2)
    least = screen.at(".event .duel-die > .die").evaluate_all("(all) => Math.min(...all.map((die) => die.clientWidth))")
    assert least >= 48
    expect(screen.at(".event .clash")).to_be_in_viewport(ratio=1)


def test_the_shared_screen_shows_where_the_next_tile_may_lie(served: Serving, phones: Phones) -> None:
    table = building(served)
    screen, ana = phones("en", viewport=WIDE).open(table.link("screen")), phones("en").open(table.link("blue"))
    gaps = ana.at("#board .gap")
    expect(gaps.first).to_be_visible()
    expect(screen.at("#board .tint-home")).to_have_count(gaps.count())
    expect(ana.at("#board .tint-home")).to_have_count(0)
