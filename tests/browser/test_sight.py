"""The board stays in sight: what lies over the foot of a page never covers the squares that are to be tapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phones import PHONE, WIDE
from tests.browser.test_screen import are_on_pages
from tests.support.sizes import first

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}
SIZES = pytest.mark.parametrize("viewport", first(SMALL, PHONE), ids=["small-phone", "phone"])

ON_TOP = """
(element) => {
  const box = element.getBoundingClientRect();
  const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return element === there || element.contains(there);
}
"""
EDGES = """
() => {
  const edge = (selector, name) => document.querySelector(selector).getBoundingClientRect()[name];
  return [edge("#turn", "bottom"), edge("#board", "top"), edge("#board", "bottom"), edge(".recap", "top")];
}
"""


def in_sight(squares: Locator) -> None:
    """Check that each square lies on top of everything, where it is now."""
    expect(squares.first).to_be_attached()
    expect(squares.page.locator("form[inert]")).to_have_count(0)
    covered = [square.inner_text() for square in squares.all() if not square.evaluate(ON_TOP)]
    assert not covered, f"covered: {covered}"


def board_in_sight(phone: Phone) -> None:
    seen = "strip - 1 <= top && top < bottom && bottom <= recap + 1"
    phone.comes_to(f"(([strip, top, bottom, recap]) => {seen})(({EDGES})())", "the board is covered")


def test_a_board_is_in_sight_before_anything_changes_its_size(served: Serving, phones: Phones) -> None:
    ana = phones("es", viewport=SMALL)
    ana.page.add_init_script("ResizeObserver.prototype.observe = () => {};")
    ana.open(served.sit().begin().link("white"))
    strip, top, bottom, recap = ana.page.evaluate(EDGES)
    assert strip - 1 <= top < bottom <= recap + 1


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390), (1280, 800)], ids=str)
def test_while_an_undo_is_asked_for_the_next_step_and_the_board_stay_in_sight(
    served: Serving, phones: Phones, size: tuple[int, int]
) -> None:
    sitting = served.sit().begin()
    sitting.act("white", "play_card", card="AH")
    viewport = {"width": size[0], "height": size[1]}
    # Who keeps the rules and plays is called for the other seat above all that is there.
    ana = phones("es", viewport=viewport).open(sitting.link("rulekeeper")).open(sitting.link("white"))
    ana.at("form[action$='/undo'] button").click()
    expect(ana.at(".knocks")).to_have_text("Árbitro: Te toca responder")
    seen = [".knocks", ".dock .own-wish button", ".dock > .now", ".dock [data-ends], .dock .buttons:last-child button"]
    for what in seen:
        expect(ana.at(what).last).to_be_in_viewport(ratio=1)
    ana.save(f"undo-{size[0]}")
    now, step = (ana.at(what).last.bounding_box() for what in seen[-2:])
    assert now
    assert step
    assert now["y"] + now["height"] <= step["y"] + 1
    least = 0.99 if size[0] > 360 else 0.75
    expect(ana.at("#board")).to_be_in_viewport(ratio=least)


@SIZES
def test_a_question_with_many_squares_leaves_all_of_them_to_be_tapped(
    served: Serving, phones: Phones, viewport: dict[str, int]
) -> None:
    sitting = served.sit().begin()
    sitting.correct("purchases.white", "1")
    sitting.correct("cards.white", "JD,AH,10S")
    ana = phones("es", viewport=viewport).open(sitting.link("white"))
    ana.play("JD")
    squares = ana.at(".overlay[action$='/answer'] .go")
    expect(squares).to_have_count(7)
    board_in_sight(ana)
    in_sight(squares)
    ana.dock.evaluate("(dock) => { dock.scrollTop = dock.scrollHeight; }")
    expect(ana.dock.locator(".options button").last).to_be_visible()
    ana.at(".overlay [value='wc']").click()
    expect(ana.at("#dock .now")).to_contain_text("en qué casilla")
    in_sight(ana.at(".overlay[action$='/answer'] .go"))


def test_why_an_answer_is_barred_is_read_whole_where_answers_are_many(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    sitting.correct("purchases.white", "1")
    sitting.correct("cards.white", "JD,AH,10S")
    ana = phones("es", viewport=SMALL).open(sitting.link("white"))
    ana.play("JD")
    expect(ana.asked).not_to_have_count(0)
    assert ana.asked.count() > 6
    reason = ana.dock.locator(".barred")
    expect(reason).to_be_in_viewport(ratio=1)
    within = (
        "(one) => one.getBoundingClientRect().bottom <= document.getElementById('dock').getBoundingClientRect().bottom"
    )
    assert reason.evaluate(within)
    ana.save("barred")


@SIZES
def test_a_long_story_covers_no_board(served: Serving, phones: Phones, viewport: dict[str, int]) -> None:
    sitting = served.sit(dice="typed").attack()
    sitting.answer("black", value="yes")
    sitting.answer("black", faces=[5])
    sitting.answer("white", faces=[1, 5, 6])
    ben = phones("es", viewport=viewport).open(sitting.link("black"))
    expect(ben.asked).to_have_count(2)
    assert ben.recap.locator(".reason").count() > 4, "the story is not long"
    in_sight(ben.asked)
    ben.aside()
    board_in_sight(ben)
    in_sight(ben.asked)


@SIZES
def test_units_that_stand_nowhere_yet_are_placed_on_squares_in_sight(
    served: Serving, phones: Phones, viewport: dict[str, int]
) -> None:
    sitting = served.sit(layout="own")
    ana = phones("es", viewport=viewport).open(sitting.link("white"))
    ana.dock.locator(".needs-board").first.click()
    squares = ana.at(".pick:checked + label + .targets button.go")
    expect(squares.first).to_be_visible()
    assert squares.count() > 20
    in_sight(squares)
    version = sitting.version()
    squares.first.click()
    expect(ana.at(".overlay .sent")).to_have_count(0)
    ana.sees(version + 1)


@SIZES
def test_a_piece_that_gets_the_focus_is_never_beneath_the_bar_or_the_dock(
    served: Serving, phones: Phones, viewport: dict[str, int]
) -> None:
    sitting = served.sit().begin()
    sitting.act("white", "play_card", card="10S")
    ana = phones("es", viewport=viewport).open(sitting.link("white"))
    picks = [pick.get_attribute("id") for pick in ana.at(".pick").all()]
    assert len(picks) > 5
    for end in ("0", "document.body.scrollHeight"):
        for pick in picks:
            ana.page.evaluate(f"scrollTo(0, {end})")
            ana.at(f"#{pick}").focus()
            assert ana.at(f"label[for='{pick}']").evaluate(ON_TOP), f"{pick} is covered"
            ana.page.evaluate(f"document.activeElement.blur(); scrollTo(0, {end})")
            ana.at(f"label[for='{pick}']").click(trial=True)


def test_the_two_units_of_a_pending_attack_are_marked(served: Serving, phones: Phones) -> None:
    sitting = served.sit().attack()
    ben = phones("es").open(sitting.link("black"))
    expect(ben.at(".tint")).to_have_count(2)
    acting, target = (ben.at(f".tint-{kind}").bounding_box() for kind in ("acting", "target"))
    assert acting is not None
    assert target is not None
    assert acting["y"] < target["y"], "White is on the far side of Black's phone"
    sitting.answer("black", value="no")
    expect(ben.at(".tint-acting")).to_have_count(0)


@pytest.mark.parametrize("viewport", first(WIDE, {"width": 1920, "height": 1080}), ids=["laptop", "tv"])
def test_nobody_has_to_scroll_the_shared_screen(served: Serving, phones: Phones, viewport: dict[str, int]) -> None:
    sitting = served.sit(board="table")
    for seat in ("white", "black"):
        sitting.act(seat, "ready")
    sitting.correct("cards.white", "JD,AH,10S")
    sitting.act("white", "play_card", card="JD")
    sitting.act("white", "end_turn")
    sitting.correct("game.active", "white")
    sitting.correct("cards.white", "2H,AH,10S")
    sitting.act("white", "play_card", card="2H")
    sitting.act("white", "attack", unit="wa", target="ba", mode="melee")
    while waiting := sitting.tables.seen(sitting.table, "screen").waiting:
        sitting.answer(waiting[0].seat, value="no")
    screen = phones("es", viewport=viewport).open(sitting.link("screen"))
    rows = screen.at(".units > li")
    expect(rows).to_have_count(17)
    for shown in (screen.at("#last"), screen.at("#dock"), screen.at(".standing"), screen.at(".counted")):
        expect(shown).to_be_in_viewport(ratio=1)
    are_on_pages(screen, ".pieces", rows)


def test_dice_that_are_tapped_leave_the_board_in_sight(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed").attack()
    sitting.answer("black", value="no")
    ana = phones("es").open(sitting.link("white"))
    expect(ana.at(".pad-faces")).to_be_visible()
    ana.aside()
    board_in_sight(ana)
    in_sight(ana.at(".pad-faces button"))


@SIZES
def test_a_throw_that_nobody_was_asked_about_is_seen_by_everybody(
    served: Serving, phones: Phones, viewport: dict[str, int]
) -> None:
    sitting = served.sit().begin()
    sitting.correct("unit.wc.square", "d3")
    sitting.correct("unit.bc.square", "d4")
    sitting.act("white", "play_card", card="AH")
    ana, ben = (phones("es", viewport=viewport).open(sitting.link(seat)) for seat in ("white", "black"))
    ana.pick("wc")
    for phone in (ana, ben):
        phone.page.evaluate("scrollTo(0, 250)")
    ana.do("action=attack", "unit=wc&", "target=bc").click()
    for phone in (ana, ben):
        phone.settled(sitting.version)
        expect(phone.at("#last .thrown .die")).to_have_count(5)
        phone.folded()
        in_sight(phone.at("#last .headline"))
        in_sight(phone.at("#last .thrown .die"))


@SIZES
def test_whoever_answered_sees_what_came_of_it(served: Serving, phones: Phones, viewport: dict[str, int]) -> None:
    sitting = served.sit().attack()
    ben = phones("es", viewport=viewport).open(sitting.link("black"))
    expect(ben.asked).to_have_count(2)
    ben.aside()
    board_in_sight(ben)
    ben.asked.first.click()
    expect(ben.at("#last .thrown .die")).to_have_count(5)
    in_sight(ben.at("#recap .came-of"))
    ben.folded()
    in_sight(ben.at("#last .headline"))
    in_sight(ben.at("#last .thrown .die"))


BOARD = "document.querySelector('#board .squares').getBoundingClientRect().top"


def test_the_board_stays_where_the_finger_is(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed").face_to_face()
    ana, ben = (phones("es").open(sitting.link(seat)) for seat in ("white", "black"))
    for phone in (ana, ben):
        phone.drawn()

    def board_stays(when: str) -> None:
        for phone, top in zip((ana, ben), before, strict=True):
            phone.settled(sitting.version)
            phone.comes_to(f"{BOARD} === {top}", f"the board stays {when}")

    before = [phone.page.evaluate(BOARD) for phone in (ana, ben)]
    sitting.act("white", "play_card", card="AH")
    board_stays("after a card")
    sitting.act("white", "attack", unit="wc", target="bb")
    board_stays("with a question")
    sitting.answer("black", value="yes")
    sitting.answer("black", faces=[5])
    board_stays("with dice to tap")
    sitting.answer("white", faces=[1, 5, 6])
    board_stays("with a long story")
    sitting.answer("black", value="2")
    expect(ana.at("#last .headline")).to_contain_text("d6")
    board_stays("after a long headline")


@SIZES
def test_a_story_is_read_in_order_and_its_newest_line_stands_above_the_question(
    served: Serving, phones: Phones, viewport: dict[str, int]
) -> None:
    sitting = served.sit(dice="typed").attack()
    sitting.answer("black", value="yes")
    sitting.answer("black", faces=[5])
    sitting.answer("white", faces=[1, 5, 6])
    ana, ben = (phones("en", viewport=viewport).open(sitting.link(seat)) for seat in ("white", "black"))
    asked = sitting.tables.seen(sitting.table, "black").asked
    assert asked is not None
    for phone in (ana, ben):
        expect(phone.at("#last")).to_have_count(0)
        expect(phone.recap.locator(".reason")).to_have_count(len(asked.reasons))
        expect(phone.recap.locator(".reason").first).to_contain_text("Melee")
        phone.aside()
        newest = phone.at("#newest .reason")
        expect(newest).to_have_count(1)
        expect(newest.get_by_role("link")).to_have_accessible_name("Why: TTC-125")
        in_sight(newest)
        assert phone.dock.evaluate("(dock) => dock.scrollTop") == 0
        assert newest.evaluate(ABOVE, "#dock .now"), "the question is told before its story"
    expect(ana.at("#dock .now")).to_contain_text("Waiting for Ben")
    expect(ana.at("#dock .now")).to_contain_text("How far back")
    expect(ben.at("#dock .now")).to_have_text("How far back does the evader go?")
    in_sight(ben.at("#dock .now"))
    in_sight(ben.asked)
    older = ben.at(".before .reason").last
    assert older.evaluate(WITHIN), "of the older lines the latest is the one in sight"
    ben.at(".before .reason").first.scroll_into_view_if_needed()
    assert ben.at(".before .reason").first.evaluate(WITHIN)
    in_sight(ben.asked)


def test_a_double_tap_answers_no_question_that_nobody_has_read(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed").attack()
    ben = phones("en").open(sitting.link("black"))
    ben.page.evaluate("""
      document.addEventListener("htmx:after:swap", () => {
        const form = document.querySelector("#dock form[action$='/answer']");
        if (form) document.documentElement.dataset.hushed ??= form.inert;
      })
    """)
    ben.asked.last.click()
    expect(ben.at("html")).to_have_attribute("data-hushed", "true")
    expect(ben.at("#dock form[inert]")).to_have_count(0)
    in_sight(ben.asked)


def test_what_is_seldom_looked_for_is_one_tap_away_and_closed_by_another(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en", viewport=SMALL).open(sitting.link("white"))
    for close in (".more-head .close", ".curtain"):
        expect(ana.at("#more")).to_be_hidden()
        ana.open_more()
        in_sight(ana.at(".more-head .close"))
        ana.at("#more .line").last.scroll_into_view_if_needed()
        in_sight(ana.at("#more .line").last)
        ana.at(close).click(position={"x": 9, "y": 9})
    ana.open_more()
    ana.page.keyboard.press("Escape")
    expect(ana.at("#more")).to_be_hidden()
    assert ana.page.evaluate("[scrollX, scrollY]") == [0, 0]


ABOVE = """
(element, other) => element.getBoundingClientRect().bottom <= document.querySelector(other).getBoundingClientRect().top
"""
WITHIN = """
(element) => {
  const [one, all] = [element, element.closest(".before")].map((each) => each.getBoundingClientRect());
  return Math.min(one.bottom, all.bottom) - Math.max(one.top, all.top) > 15;
}
"""


@pytest.mark.parametrize(
    ("lookup", "changed"),
    [
        ("chesswar/melee", "[name='charged'] + label"),
        ("chesswar/bow", ".lookup .chips label"),
        ("two_cities/melee", "[name='attacker']:not(:checked) + label"),
    ],
)
def test_the_odds_are_in_sight_while_facts_are_chosen(
    served: Serving, phones: Phones, lookup: str, changed: str
) -> None:
    phone = phones("es").open(f"{served.address}/quick/{lookup}")
    glance = phone.at(".glance")
    expect(glance).to_be_in_viewport(ratio=1)
    before = glance.inner_text()
    assert "%" in before
    phone.at(changed).first.click()
    expect(glance).not_to_have_text(before, use_inner_text=True)
    expect(glance).to_be_in_viewport(ratio=1)
    assert phone.at(".quick-dock").evaluate("(dock) => dock.offsetHeight") < 844 / 4
    glance.click()
    expect(phone.at("#odds .chart > ul").first).to_be_in_viewport(ratio=1)
    wide = phones("es", viewport=WIDE).open(f"{served.address}/quick/{lookup}")
    form, odds = wide.at(".lookup .field").first.bounding_box(), wide.at("#odds .chart").first.bounding_box()
    assert form is not None
    assert odds is not None
    assert odds["x"] > form["x"] + form["width"]
    expect(wide.at("#odds .chart > ul").first).to_be_in_viewport(ratio=1)
    expect(wide.at(".quick-dock .button.main")).to_be_in_viewport(ratio=1)


def test_what_a_piece_says_covers_no_question_and_no_dice(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    sitting.act("white", "play_card", card="AH")
    ana, ben = (phones("es").open(sitting.link(seat)) for seat in ("white", "black"))
    ben.pick("ba")
    ana.attack("wc", "bb")
    for phone, words in ((ana, "Esperando a"), (ben, "Evadir")):
        expect(phone.at("#dock .now")).to_contain_text(words)
        expect(phone.at(".pick:checked")).to_have_count(0)
        phone.settled(sitting.version)
        in_sight(phone.at("#dock .now"))
        in_sight(phone.at(".clash .named"))
    for phone in (ana, ben):
        phone.pick("bh")
    ben.at("#dock form[action$='/answer'] button").first.evaluate("(button) => button.click()")
    for phone in (ana, ben):
        expect(phone.at("#last .thrown .die")).to_have_count(5)
        expect(phone.at(".pick:checked")).to_have_count(0)
        phone.folded()
        in_sight(phone.at("#last .headline"))


def test_the_next_step_is_in_sight_however_much_is_said_before_it(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    sitting.correct("cards.white", "6S,AH,10S")
    ana = phones("es", viewport=SMALL).open(sitting.link("white"))
    ana.play("6S")
    ana.settled(sitting.version)
    step = ana.dock.locator("button.main")
    expect(step).to_have_count(1)
    expect(step).to_be_in_viewport(ratio=1)
    in_sight(step)


# At every width of a line: how the sign of a rule lies over its sentence, or stands on a line of its own.
SIGNS_AMISS = """
(line) => {
  const [words, sign] = [document.createRange(), line.querySelector(".rule-sign .icon")];
  words.selectNodeContents(line.firstChild);
  const amiss = [];
  for (let width = 130; width <= 360; width += 1) {
    line.style.width = `${width}px`;
    const box = sign.getBoundingClientRect();
    const levels = ({ top, bottom }) => bottom > box.top + 3 && top < box.bottom - 3;
    const beside = [...words.getClientRects()].filter(levels);
    if (!beside.length || beside.some(({ right }) => right > box.left)) amiss.push(width);
  }
  return amiss;
}
"""


def test_the_sign_of_a_rule_stays_behind_the_last_word(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    sitting.act("white", "play_card", card="AH")
    line = phones("es").open(sitting.link("white")).at("#dock p:has(> .rule-sign)").first
    expect(line).to_be_visible()
    assert line.evaluate(SIGNS_AMISS) == []
