"""A free table in a real browser: put together on a phone, played by two, kept as a template and opened from it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games.tactics_2gm.game import GAME as TACTICS_2GM
from tests.browser.finger import SMALL
from tests.browser.phones import WIDE, sitting_at
from tests.browser.test_axe import is_usable
from tests.support import tactics_2gm_positions

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

WHOLE = """
(one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const at = (y) => one.contains(document.elementFromPoint((left + right) / 2, y));
  return bottom - top >= 44 && at(top + 3) && at(bottom - 3);
}
"""
"""Whether nothing lies over the upper or the lower edge."""
ON_TOP = """
(one) => {
  const { left, top, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + 8, top + height / 2));
}
"""
"""Whether it is in the window, and nothing lies over where it begins."""


def add(phone: Phone, kind: str) -> Locator:
    """Open the form of a new tracker; returns it."""
    if phone.at("#aside").count():
        phone.at("#aside > summary").click()
    phone.dock.locator(f"a[href*='action%3Dset_{kind}']").click()
    form = phone.at("#sheet form[action$='/act']")
    expect(form).to_be_visible()
    return form


def send(form: Locator) -> None:
    form.locator("button.main").click()
    expect(form).to_be_hidden()


def names(phone: Phone) -> Locator:
    return phone.at("[data-tracker] > h2 .grow")


def test_a_table_is_put_together_played_kept_as_a_template_and_opened_from_it(served: Serving, phones: Phones) -> None:
    ana = phones("es").open(served.address)
    ana.page.get_by_role("link", name="Mesa nueva").click()
    ana.page.get_by_role("link", name=re.compile("Mesa libre")).click()
    ana.at("#name").fill("Ana")
    ana.at("label[for='seat-player_1']").click()
    ana.page.get_by_role("button", name="Crear la mesa").click()
    code = ana.at(".invite .code").inner_text()
    ben = phones("en").open(f"{served.address}/t/{code}")
    ben.at("#name").fill("Ben")
    for phone, enters in (
        (ben, ben.page.get_by_role("button", name=re.compile("Sit down"))),
        (ana, ana.at("a.button.main.big")),
    ):
        with phone.page.expect_navigation():
            enters.click()

    form = add(ana, "counter")
    form.locator("[name='f.name']").fill("Vidas")
    form.locator("label", has_text="cada jugador").click()
    form.locator("[name='f.start']").fill("20")
    form.locator("label", has_text="rojo").click()
    send(form)
    expect(names(ben)).to_have_text(["Vidas"])
    form = add(ana, "phases")
    form.locator("[name='f.steps']").fill("Mover, Disparar: contar la munición")
    send(form)
    expect(names(ben)).to_have_text(["Vidas", "Phases and rounds"])

    ben.at("#tracker-t1 li:has-text('Ana')").get_by_role("button", name="−1").click()
    expect(ana.at("#tracker-t1 li:has-text('Ana')").locator(".value")).to_have_text("19")
    ana.at("#tracker-t2 .near button").press("Enter")
    expect(ben.at("#last .headline")).to_have_text("Round 1: Disparar")
    expect(ben.dock).to_contain_text("contar la munición")

    code = ana.page.url.split("/t/")[1].split("/")[0]
    ana.settled(lambda: served.tables.version(code))
    ana.at("#tracker-t1").evaluate("panel => panel.scrollIntoView({block: 'center'})")
    expect(ana.at("#tracker-t1 .grip")).to_be_visible()
    handle, below = ana.at("#tracker-t1 .grip").bounding_box(), ana.at("#tracker-t2").bounding_box()
    assert handle
    assert below
    ana.page.mouse.move(handle["x"] + 8, handle["y"] + 20)
    ana.page.mouse.down()
    ana.page.mouse.move(below["x"] + 60, below["y"] + below["height"] - 10, steps=4)
    ana.page.mouse.up()
    expect(names(ben)).to_have_text(["Phases and rounds", "Vidas"])

    ana.at("#menu > summary").click()
    ana.page.get_by_role("link", name="Otra mesa como esta").click()
    expect(ana.at("img.qr")).to_be_visible()
    eva = phones("es").open(served.address + (ana.at("a.button.main").get_attribute("href") or ""))
    eva.at("label[for='seat-player_1']").click()
    eva.page.get_by_role("button", name="Crear la mesa").click()
    eva.at("a.button.main.big").click()
    expect(names(eva)).to_have_text(["Fases y rondas", "Vidas"])
    expect(eva.at("#tracker-t2 .value")).to_have_text("20")


def test_beside_a_tall_table_what_can_be_done_stays_in_sight(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana", "Ben")
    for name in ("Lives", "Gold", "Mana", "Food", "Wood", "Stone"):
        sitting.act("player_1", "set_counter", name=name, each="player")
    ana = phones("en", viewport=WIDE).open(sitting.link("player_1"))
    expect(ana.at("#aside > summary")).to_be_in_viewport(ratio=1)
    ana.at("#log").evaluate("(log) => log.scrollIntoView({ block: 'end' })")
    assert ana.page.evaluate("scrollY") > 100
    for place in ("#turn .who", "#aside > summary"):
        assert ana.at(place).evaluate(ON_TOP), place
    ana.at("#aside > summary").click()
    expect(ana.at("#aside .button").last).to_be_in_viewport(ratio=1)


def test_a_line_is_changed_by_any_number_and_a_tracker_by_its_form(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana")
    sitting.act("player_1", "set_counter", name="Gold", each="player")
    ana = phones("en").open(sitting.link("player_1"))
    ana.at("#tracker-t1 .steps-of summary").click()
    ana.at("#tracker-t1 .steps-of [name='f.by']").fill("250")
    ana.at("#tracker-t1 .steps-of .box button.main").click()
    expect(ana.at("#tracker-t1 .value")).to_have_text("250")
    ana.at("#tools-t1 > summary").click()
    ana.at("#tools-t1 a[href*='set_counter']").click()
    form = ana.at("#sheet form[action$='/act']")
    expect(form.locator("[name='f.name']")).to_have_value("Gold")
    form.locator("[name='f.high']").fill("100")
    form.locator("button.main").click()
    expect(ana.at("#tracker-t1 .value")).to_have_text("100")


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("kind", ["set_counter", "set_timer"])
def test_names_are_asked_for_only_where_each_has_one(served: Serving, phones: Phones, kind: str, scripts: bool) -> None:
    sitting = served.free("Ana")
    phone = phones("es", scripts=scripts).open(sitting.link("player_1"))
    phone.open(sitting.page("player_1", f"/plan?do=action%3D{kind}"))
    names, each = phone.at("[name='f.names']"), phone.at("fieldset:has(> legend:text-is('Uno para'))")
    expect(each).to_be_visible()
    expect(names).to_be_hidden()
    each.locator("input[value='name'] + label").click()
    expect(names).to_be_visible()
    each.locator("input[value='player'] + label").click()
    expect(names).to_be_hidden()


def test_a_counter_of_names_shows_them_at_once_when_it_is_changed(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana")
    sitting.act("player_1", "set_counter", name="Gold", each="name", names="Ana, Ben")
    ana = phones("en").open(sitting.link("player_1"))
    ana.at("#tools-t1 > summary").click()
    ana.at("#tools-t1 a[href*='set_counter']").click()
    expect(ana.at("#sheet [name='f.names']")).to_be_visible()
    expect(ana.at("#sheet [name='f.names']")).to_have_value("Ana, Ben")


def test_what_opens_under_the_foot_of_the_stage_comes_into_sight(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana")
    for number in range(3):
        sitting.act("player_1", "set_counter", name=f"Gold {number}")
    sitting.act("player_1", "set_notes", name="Notes")
    ana = phones("en", **SMALL).open(sitting.link("player_1"))
    for form in ana.at("#tracker-t4 details.offer:has(textarea)").all():
        form.locator("summary").click()
        for part in ("textarea", "button"):
            expect(form.locator(part)).to_be_in_viewport(ratio=1)
            assert form.locator(part).evaluate(WHOLE), "no other part of the page lies over it"


def test_what_does_not_fit_together_is_said_in_the_form_that_keeps_it(served: Serving, phones: Phones) -> None:
    ana = phones("en").open(served.free("Ana").link("player_1"))
    form = add(ana, "counter")
    form.locator("[name='f.name']").fill("Gold")
    form.locator("[name='f.start']").fill("-5")
    form.locator("button.main").click()
    expect(ana.at("#sheet [role='alert']")).to_contain_text("The start lies between")
    expect(form.locator("[name='f.name']")).to_have_value("Gold")
    form.locator("[name='f.start']").fill("5")
    send(form)
    expect(names(ana)).to_have_text(["Gold"])


def test_dice_are_thrown_together_after_a_look_at_their_odds(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana", "Ben", begin="dice")
    ana, ben = phones("en").open(sitting.link("player_1")), phones("es").open(sitting.link("player_2"))
    ana.at("#tracker-t1 .near").get_by_role("button", name="d20").click()
    expect(ben.at("#tracker-t1 li")).to_have_count(1)
    expect(ben.at("#tracker-t1 li")).to_contain_text(re.compile(r"Ana\s*1d20: \d+"))
    ana.at("#tracker-t1 .near a").click()
    expect(ana.at("#sheet .chart").first).to_be_visible()
    ana.at("#sheet [name='f.dice']").fill("4d6kh3")
    ana.at("#plan button.main").click()
    expect(ben.at("#tracker-t1 li").first).to_contain_text(re.compile(r"Ana\s*4d6kh3: \d+"))


@pytest.mark.parametrize(
    ("tongue", "begun", "moved"), [("en", "Round 1: Ana", "Round 2: Ana"), ("es", "Ronda 1: Ana", "Ronda 2: Ana")]
)
def test_whose_turn_has_begun_is_said_once(
    served: Serving, phones: Phones, tongue: str, begun: str, moved: str
) -> None:
    sitting = served.free("Ana", begin="initiative")
    ana = phones(tongue, **SMALL).open(sitting.link("player_1"))
    for words, steps in ((begun, 2), (moved, 1)):
        for _ in range(steps):
            ana.dock.locator(".button.main").click()
            ana.settled(sitting.version)
        said = ana.at("#recap, #dock .now").get_by_text(words, exact=True).locator("visible=true")
        expect(said).to_have_count(1)


def test_the_die_that_does_not_count_lies_dimmed(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana", "Ben", begin="dice", dice="typed")
    ana, ben = phones("en").open(sitting.link("player_1")), phones("es").open(sitting.link("player_2"))
    screen = phones("en", viewport=WIDE).open(sitting.link("screen"))

    def rolled(dice: str, *faces: int) -> None:
        roll = {"action": "roll", "tracker": "t1", "dice": dice}
        served.tables.act(sitting.table, "player_1", roll, served.key(), answers=[{"faces": faces}])

    rolled("4d6kh3", 5, 2, 6, 4)
    for shown, label in (
        (ana, "Dice: 5, 2 (not counted), 6, 4"),
        (ben, "Dados: 5, 2 (no cuenta), 6, 4"),
        (screen, "Dice: 5, 2 (not counted), 6, 4"),
    ):
        dice = shown.at(".thrown .dice")
        expect(dice).to_be_visible()
        expect(dice).to_have_attribute("aria-label", label)
        expect(dice.locator(".die.is-out")).to_have_count(1)
        expect(dice.locator(".die").nth(1)).to_have_css("opacity", "0.4")
        expect(dice.locator(".die").nth(0)).to_have_css("opacity", "1")
    rolled("2d20kh1", 7, 19)
    expect(screen.at(".thrown .dice")).to_have_attribute("aria-label", "Dice: 7 (not counted), 19")
    rolled("2d6", 1, 2)
    expect(screen.at(".thrown .dice")).to_have_attribute("aria-label", "Dice: 1, 2")
    expect(screen.at(".thrown .die.is-out")).to_have_count(0)


def test_without_scripts_trackers_are_added_counted_and_moved(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana", begin="scores")
    ana = phones("en", scripts=False).open(sitting.link("player_1"))
    ana.at("#tracker-t1").get_by_role("button", name="+1").click()
    expect(ana.at("#tracker-t1 .value")).to_have_text("1")
    ana.at("#tools-t1 > summary").click()
    ana.at("#tools-t1").get_by_role("button", name="Down").click()
    expect(names(ana)).to_have_text(["Rounds", "Score"])
    ana.at("#aside > summary").click()
    ana.dock.locator("a[href*='set_notes']").click()
    ana.at("[name='f.name']").fill("Rules of the house")
    ana.at("form[action$='/act'] button.main").click()
    expect(names(ana)).to_have_text(["Rounds", "Score", "Rules of the house"])
    expect(ana.at(".grip").first).to_be_hidden()


def test_an_order_that_did_not_get_through_is_put_right_by_what_comes_next(served: Serving, phones: Phones) -> None:
    table = served.free("Ana", begin="wargame")
    ana = phones("en", viewport={"width": 1280, "height": 3000}).open(table.link("player_1"))
    first, second, *_ = order = ana.at(".tracker").evaluate_all("all => all.map(one => one.id)")
    ana.page.route("**/act", lambda route: route.abort())
    grip, goal = ana.at(f"#{first} .grip").bounding_box(), ana.at(f"#{second}").bounding_box()
    assert grip
    assert goal
    with ana.page.expect_event("requestfailed"):
        ana.page.mouse.move(grip["x"] + 8, grip["y"] + 20)
        ana.page.mouse.down()
        ana.page.mouse.move(goal["x"] + 60, goal["y"] + goal["height"] - 10, steps=8)
        ana.page.mouse.up()
    expect(ana.at(".tracker").first).to_have_id(second)
    ana.page.unroute("**/act")
    ana.at(".tracker .steps-of button:not([aria-disabled])").first.click()
    ana.settled(table.version)
    assert ana.at(".tracker").evaluate_all("all => all.map(one => one.id)") == order


def test_a_long_table_has_its_trackers_by_name(served: Serving, phones: Phones) -> None:
    table = served.free("Ana", "Ben", begin="wargame")
    ana = phones("en", **SMALL).open(table.link("player_1"))
    jumps = ana.at(".by-name a")
    assert jumps.count() == ana.at(".tracker").count() > 4
    assert jumps.first.evaluate(WHOLE)
    last = ana.at(".tracker").last
    expect(last).not_to_be_in_viewport()
    before = ana.page.evaluate("history.length")
    jumps.last.tap()
    expect(last.locator("h2")).to_be_in_viewport(ratio=1)
    expect(jumps.last).to_be_in_viewport()
    expect(last).to_be_focused()
    tops = [one.evaluate("one => one.getBoundingClientRect().top") for one in (ana.at("#stage"), ana.at(".by-name"))]
    assert tops[0] == tops[1], "nothing comes up over the names"
    assert ana.page.evaluate("[history.length, location.hash]") == [before, ""]
    plain = phones("en", java_script_enabled=False, **SMALL).open(table.link("player_1"))
    plain.at(".by-name a").last.tap()
    expect(plain.at(".tracker").last.locator("h2")).to_be_in_viewport(ratio=1)


def test_beside_a_long_table_the_seats_stand_right_under_what_can_be_done(served: Serving, phones: Phones) -> None:
    table = served.free("Ana", "Ben", begin="wargame")
    ana = phones("en", viewport=WIDE).open(table.link("player_1"))
    dock, more = ana.dock.bounding_box(), ana.at("#more").bounding_box()
    assert dock
    assert more
    assert dock["y"] + dock["height"] == pytest.approx(more["y"])
    expect(ana.at("#people")).to_be_in_viewport()


def test_a_tracker_of_a_long_table_stays_folded_and_shows_its_values(served: Serving, phones: Phones) -> None:
    table = served.free("Ana", "Ben", begin="wargame")
    few = phones("en", **SMALL).open(table.link("player_1"))
    expect(few.at(".tracker")).to_have_count(6)
    expect(few.at(".fold-of")).to_have_count(0)
    for name in ("Gold", "Wood", "Stone", "Iron", "Corn", "Wool"):
        table.act("player_1", "set_counter", name=name, each="player")
    ana = phones("en", **SMALL).open(table.link("player_1"))
    expect(ana.at(".fold-of[open]")).to_have_count(12)
    gold = ana.at(".tracker:has(h2:has-text('Gold'))")
    whole = gold.evaluate("(panel) => panel.offsetHeight")
    gold.locator("summary").first.tap()
    expect(gold.locator(".steps-of, .near, .tools").locator("visible=true")).to_have_count(0)
    expect(gold.locator(".value")).to_have_text(["0", "0"])
    assert gold.locator(".value").first.is_visible()
    assert gold.evaluate("(panel) => panel.offsetHeight") < whole / 2
    tracker = gold.get_attribute("data-tracker")
    assert tracker
    row = next(path for path in table.tracked() if path.startswith(f"{tracker}.") and path.endswith("player_2"))
    table.correct(row, "7")
    ana.sees(table.version())
    expect(gold.locator(".value")).to_have_text(["0", "7"])
    expect(gold.locator(".fold-of")).not_to_have_attribute("open", "")
    expect(ana.at(".fold-of[open]")).to_have_count(11)
    is_usable(ana, "long-table", ["Wool"])
    ana.at(".by-name a").filter(has_text="Gold").tap()
    expect(gold.locator(".steps-of").first).to_be_visible()


def test_long_lists_of_units_are_folded_and_jumped_to(tmp_path: Path, phones: Phones) -> None:
    units = [f"{side}{number} light_infantry" for side in "ax" for number in range(1, 8)]
    state = tactics_2gm_positions.battle(", ".join(units), board="table")
    with sitting_at(tmp_path, TACTICS_2GM, state, ("allies", "axis"), board="table") as table:
        ana = phones("en", **SMALL).open(table.link("allies"))
        own, other = ana.at("#roster-allies"), ana.at("#roster-axis")
        own.locator(".fold-of > summary").tap()
        expect(own.locator(".units")).to_be_hidden()
        expect(own.locator(".fold-of .count")).to_have_text("7")
        expect(other.locator(".units").first).to_be_visible()
        table.correct("unit.x1.wounds", "1")
        ana.sees(table.version())
        expect(own.locator(".units")).to_be_hidden()
        is_usable(ana, "long-lists", ["Units of the Axis"])
        ana.at(".by-name a").first.tap()
        expect(own.locator(".units").first).to_be_visible()
        expect(own.locator("h2")).to_be_in_viewport(ratio=1)


def test_what_can_not_be_done_keeps_its_place_and_says_why(served: Serving, phones: Phones) -> None:
    table = served.free("Ana", "Ben", begin="wargame")
    ana = phones("en", **SMALL).open(table.link("player_1"))
    steps = ana.at("[data-tracker='t2'] li").first.locator(".steps-of > button, .steps-of > * > summary")
    words = ["−1", "+1", "− …", "+ …", "+5 income"]
    expect(steps).to_have_text(words)
    expect(steps.filter(has_text="− …")).to_be_disabled()
    expect(steps.first).to_have_attribute("title", "Nothing is left.")
    places = steps.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().left)")
    steps.filter(has_text="+1").tap()
    expect(steps.first).to_be_enabled()
    expect(steps).to_have_text(words)
    expect(steps.filter(has_text="− …")).to_have_attribute("title", "Only 1 is left.")
    assert steps.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().left)") == places
