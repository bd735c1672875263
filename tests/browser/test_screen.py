"""The shared screen is read from three metres: nothing small, nothing cut off, nothing to scroll, in every game."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from companion.games import discover
from tests.browser.phones import PICTURES, WIDE, Sitting
from tests.browser.walk import RandomTable
from tests.support.sizes import first, some

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

TV = {"width": 1920, "height": 1080}
SMALL = {"width": 1024, "height": 768}
GAMES = discover()
STATES = 4
"""States of each game in the fast suite, some steps apart."""
LEAST = 20
"""Pixels that a letter's size has at least."""

REAL: dict[str, dict[str, Any]] = {
    "chesswar": {"board": "table"},
    "history_of_war": {"cards": "real"},
    "pocket_tactics": {"map": "table"},
    "tactics_2gm": {"board": "table"},
    "two_cities": {"board": "table"},
}

MEASURE = """
(least) => {
  const found = [];
  const say = (rule, element) => found.push(`${rule}: ${element.className?.baseVal ?? element.className} “${
    element.textContent.trim().slice(0, 40)}”`);
  const main = document.getElementById("main");
  const shown = (element) => element.checkVisibility({ visibilityProperty: true })
    && !element.closest(".away, .behind, .overlay, title");
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: text } = walker;
    if (text.data.trim() && shown(text.parentElement) && !text.parentElement.closest(".skip, .menu-list, .bar-title")) {
      texts.push(text);
    }
  }
  if (!texts.length) found.push("nothing is said");
  const box = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()];
  };
  for (const text of texts) {
    const element = text.parentElement;
    const drawn = element.ownerSVGElement;
    const scale = drawn ? drawn.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < least - .01) say(`small (${size.toFixed(1)})`, element);
    const place = element.closest(".pages");
    const edge = place?.getBoundingClientRect();
    const gap = place ? parseFloat(getComputedStyle(place).columnGap) || 0 : 0;
    for (const { left, right, top, bottom } of box(text)) {
      // What is on another page of its place lies beside it, whole.
      if (edge && (left >= edge.right + gap - 2 || right <= edge.left - gap + 2)) continue;
      const cut = edge && (left < edge.left - 2 || right > edge.right + 2 || bottom > edge.bottom + 4);
      if (left < -1 || right > innerWidth + 1 || top < -4 || bottom > innerHeight + 4 || cut) say("cut off", element);
    }
  }
  for (const element of main.querySelectorAll("*")) {
    if (!shown(element) || element.closest("svg, .pages") || element.scrollHeight === 0) continue;
    const { overflowX, overflowY } = getComputedStyle(element);
    const clips = (how) => how !== "visible";
    if (clips(overflowX) && element.scrollWidth > element.clientWidth + 1) say("wider than its place", element);
    if (clips(overflowY) && element.scrollHeight > element.clientHeight + 1) say("higher than its place", element);
  }
  const parts = ".scene, .turn, .event, .standing, .counted, .pieces, .people, .recent, .ask";
  const boxes = [...main.querySelectorAll(parts)].filter(shown);
  const inside = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  };
  boxes.filter((one) => !inside(one)).forEach((one) => say("beyond the window", one));
  boxes.forEach((one, at) => boxes.slice(at + 1).forEach((other) => {
    const [a, b] = [one, other].map((each) => each.getBoundingClientRect());
    const over = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    if (over) say(`lies over ${other.className}`, one);
  }));
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.push("the page scrolls");
  if (!main.querySelector("#turn .now")?.textContent.trim()) found.push("nobody's turn");
  const event = main.querySelector(".event");
  if (event && !event.querySelector(".headline, .won, .duel, .dice, .clash")?.checkVisibility()) say("no event", event);
  const clash = event?.querySelector(".clash");
  const [drawn, page] = [clash, clash?.closest(".pages")].map((one) => one?.getBoundingClientRect());
  const whole = clash?.matches(".has-several") ? clash.querySelector(".opponents").getBoundingClientRect() : drawn;
  if (clash && (whole.right > page.right + 1 || whole.bottom > page.bottom + 1)) say("no room for the scene", event);
  const board = main.querySelector("#board .squares");
  const size = board?.getBoundingClientRect(); // a board twice as wide as high takes the width that there is
  if (size && size.height < innerHeight / 2 && size.width < innerWidth * .64) say("a small board", board);
  return [...new Set(found)];
}
"""

IN_SIGHT = """
(all) => all.flatMap((one, at) => {
  const [box, place] = [one, one.closest(".pages")].map((each) => each.getBoundingClientRect());
  return box.left >= place.left - 1 && box.right <= place.right + 1 && box.bottom <= place.bottom + 1 ? [at] : [];
})
"""
"""Numbers what is on the page that is shown, whole."""


SETTLED = f"""
(least) => new Promise((then) => {{
  const measure = {MEASURE};
  const styled = () => [...document.querySelectorAll("link[rel=stylesheet]")].every((one) => one.sheet);
  const look = (left) => {{
    const found = styled() ? measure(least) : ["a sheet is on its way"];
    if (!found.length || !left) then(found);
    else requestAnimationFrame(() => look(styled() ? left - 1 : left));
  }};
  look({PICTURES});
}})
"""
"""What is wrong with the page once its styles have come and it was laid out by them."""


def is_read_from_afar(screen: Phone, sitting: Sitting, state: str) -> None:
    """Measure what the shared screen shows; the first state that breaks a rule is named and its picture kept."""
    screen.sees(sitting.version())
    found = screen.page.evaluate(SETTLED, LEAST)
    if found and (folder := os.environ.get("SHOTS")):
        screen.page.screenshot(path=Path(folder) / f"screen-{state.replace(' ', '-')}.png")
    assert not found, (state, found)


def are_on_pages(screen: Phone, place: str, rows: Locator) -> None:
    """Turn all pages of a place, and check that each of these rows is whole on one of them."""
    turner = screen.at(f"{place} > .turner")
    pages = int(turner.locator("b").inner_text().rpartition("/")[2]) if turner.is_visible() else 1
    in_sight: set[int] = set()
    for _ in range(pages):
        in_sight |= set(rows.evaluate_all(IN_SIGHT))
        assert screen.page.evaluate(SETTLED, LEAST) == []
        if pages > 1:
            turner.click()
    assert in_sight == set(range(rows.count())), "a row is on no page"


@pytest.mark.parametrize("seed", first(1, 2, 3))
@pytest.mark.parametrize("slug", GAMES)
def test_every_state_of_a_random_game_is_read_from_three_metres(
    served: Serving, phones: Phones, slug: str, seed: int
) -> None:
    table = RandomTable(served, GAMES[slug], seed)
    screen = phones("es" if seed % 2 else "en", viewport=WIDE).open(table.sitting.link("screen"))
    for state in range(STATES * (1 if seed == 1 else 8)):
        is_read_from_afar(screen, table.sitting, f"{slug} {seed} {state}")
        table.play(12 if seed == 1 else 5)


@pytest.mark.parametrize("viewport", first(SMALL, TV), ids=["small", "tv"])
@pytest.mark.parametrize("slug", some(GAMES, every=3))
def test_it_is_read_on_every_large_window(served: Serving, phones: Phones, slug: str, viewport: dict[str, int]) -> None:
    table = RandomTable(served, GAMES[slug], 3)
    screen = phones("es", viewport=viewport, color_scheme="dark").open(table.sitting.link("screen"))
    for state in range(3):
        is_read_from_afar(screen, table.sitting, f"{slug} {viewport['width']} {state}")
        table.play(20)


@pytest.mark.parametrize("seed", first(1, 2, 3))
@pytest.mark.parametrize("slug", ["chesswar", "history_of_war", "pocket_tactics", "tactics_2gm", "two_cities"])
def test_a_real_board_has_its_score_turn_and_last_event_large(
    served: Serving, phones: Phones, slug: str, seed: int
) -> None:
    table = RandomTable(served, GAMES[slug], seed, **REAL[slug])
    screen = phones("en", viewport=WIDE).open(table.sitting.link("screen"))
    for state in range(3):
        is_read_from_afar(screen, table.sitting, f"{slug} real {seed} {state}")
        table.play(25)
    expect(screen.at("#board")).to_have_count(0)


BROKEN = """
() => [...document.querySelectorAll(".zone")].flatMap((zone) => {
  const broken = [];
  const walker = document.createTreeWalker(zone, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: text } = walker;
    for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
})
"""


@pytest.mark.parametrize(("tongue", "width"), [("es", 360), ("en", 390)])
def test_on_a_phone_no_word_of_a_tableau_is_broken(served: Serving, phones: Phones, tongue: str, width: int) -> None:
    table = next(one for seed in range(3, 40) if not (one := RandomTable(served, GAMES["history_of_war"], seed)).alone)
    for _ in range(45):
        assert table.step()
    phone = phones(tongue, viewport={"width": width, "height": 640}).open(table.sitting.link("screen"))
    expect(phone.at(".zone .lying").first).to_be_visible()
    assert phone.page.evaluate(BROKEN) == []


@pytest.mark.parametrize("size", first(16, 8))
def test_a_board_of_sixteen_squares_a_side_is_seen_whole(served: Serving, phones: Phones, size: int) -> None:
    table = RandomTable(served, GAMES["chesswar"], 5, board="mirrored", size=size, sides="two")
    screen = phones("en", viewport=WIDE).open(table.sitting.link("screen"))
    for state in range(3):
        is_read_from_afar(screen, table.sitting, f"chesswar {size} {state}")
        table.play(20)
    expect(screen.at("#board")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_twelve_trackers_of_a_free_table_turn_their_pages(served: Serving, phones: Phones, seats: int) -> None:
    sitting = served.free(*("Ana", "Ben", "Eva", "Leo")[:seats], seats=seats)
    for at in range(12):
        kind = ("set_counter", "set_pool", "set_notes")[at % 3]
        sitting.act("rulekeeper", kind, name=f"Number {at + 1} of all that counts")
    screen = phones("en", viewport=WIDE).open(sitting.link("screen"))
    is_read_from_afar(screen, sitting, f"twelve trackers, {seats} seats")
    told = screen.at(".tracked > h2")
    expect(told).to_have_count(12)
    are_on_pages(screen, ".scene", told)


def test_pages_turn_by_themselves_and_rest_where_nothing_may_move(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana", "Ben", seats=2)
    for at in range(12):
        sitting.act("rulekeeper", "set_notes", name=f"Note {at + 1}")
        sitting.act("rulekeeper", "write", tracker=f"t{at + 1}", words="words " * 90)
    for motion in ("reduce", "no-preference"):
        screen = phones("en", viewport=WIDE, reduced_motion=motion)
        screen.page.clock.install()
        screen.open(sitting.link("screen"))
        page = screen.at(".scene > .turner b")
        expect(page).to_contain_text("1 / ")
        screen.page.clock.run_for(9500)
        expect(page).to_contain_text("1 / " if motion == "reduce" else "2 / ")


def test_before_the_game_one_sees_the_way_in_and_who_sits_where(served: Serving, phones: Phones) -> None:
    sitting = served.alone()
    screen = phones("en", viewport=WIDE).open(sitting.link("screen"))
    is_read_from_afar(screen, sitting, "lobby")
    code = screen.at("#scan svg").bounding_box()
    assert code is not None
    assert code["height"] > WIDE["height"] / 2, "the code is small"
    expect(screen.at("#scan .code")).to_have_text(sitting.table)
    expect(screen.at(".people li")).to_have_text(["White free", "Black free", "Rulekeeper Ruth"], use_inner_text=True)
    sitting.tables.join(sitting.table, "white", "Ana")
    is_read_from_afar(screen, sitting, "lobby, one sits")
    expect(screen.at(".people li").first).to_contain_text("Ana")
    sitting.tables.join(sitting.table, "black", "Ben")
    expect(screen.at("#scan")).to_be_hidden()
    expect(screen.at("#board")).to_be_visible()
    is_read_from_afar(screen, sitting, "all sit")


def test_the_end_says_who_won_and_keeps_the_last_position(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    screen = phones("en", viewport=WIDE).open(sitting.link("screen"))
    sitting.act("white", "surrender")
    is_read_from_afar(screen, sitting, "the end")
    expect(screen.at("#turn .now")).to_have_text("End of the game")
    expect(screen.at("#event .won h2")).to_have_text("Black wins")
    expect(screen.at("#board")).to_be_visible()
    expect(screen.at(".side")).to_have_count(2)


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_beside_the_pages_of_a_result_no_others_turn(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.sit(dice="typed").begin()
    for path, value in (("unit.wb.square", "d7"), ("unit.bd.hits", "3"), ("cards.white", "QS,AH,10S")):
        sitting.correct(path, value)
    sitting.act("white", "play_card", card="QS")
    sitting.act("white", "attack", unit="wb", target="bd", mode="melee")
    sitting.answer("white", faces=[1, 1, 1])
    sitting.answer("black", value="none")
    screen = phones(tongue, viewport={"width": 1280, "height": 720}).open(sitting.link("screen"))
    is_read_from_afar(screen, sitting, f"a result of two pages, {tongue}")
    expect(screen.at("#event > .turner")).to_be_visible()
    expect(screen.at(".turner:visible")).to_have_count(1)
    for side in ("white", "black"):
        expect(screen.at(f"#side-{side} .hits")).to_be_in_viewport(ratio=1)


def test_the_pages_of_a_result_turn_by_themselves_alone(served: Serving, phones: Phones) -> None:
    sitting = served.sit(board="table")
    sitting.agree()
    sitting.act("white", "surrender")
    screen = phones("en", viewport={"width": 1280, "height": 480}, reduced_motion="no-preference")
    screen.page.clock.install()
    screen.open(sitting.link("screen"))
    result, listed = screen.at("#event > .turner b"), screen.at(".pieces > .turner b")
    expect(result).to_contain_text("1 / ")
    expect(listed).to_contain_text("1 / ")
    screen.page.clock.run_for(9500)
    expect(result).to_contain_text("2 / ")
    assert listed.inner_text().startswith("1 / "), "all that turns turns at once"


def test_the_way_in_covers_no_page_that_can_be_turned(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana", "Ben", begin="cards")
    for _ in range(5):
        sitting.act("player_1", "turn_up", tracker="t1")
    screen = phones("es", viewport=WIDE).open(sitting.link("screen"))
    expect(screen.at("#scan")).to_be_visible()
    screen.at("#recent .turner").click(trial=True)
