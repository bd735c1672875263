"""A board of many pieces: tapped, dragged and typed; moves are sent one after another, and none is lost."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, cast

import pytest
from playwright.sync_api import expect

from companion.table.session import Session as Opened
from tests.browser.finger import touching
from tests.browser.phones import PHONE, WIDE, Tunnel, serving
from tests.browser.test_axe import inspect, unfold
from tests.support.sizes import first
from tests.support.skirmish_game import SKIRMISH, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import FloatRect, Locator, Route

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

ON_TOP = """
(element) => {
  const box = element.getBoundingClientRect();
  const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return element === there || element.contains(there);
}
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("tables"), {"skirmish": SKIRMISH}) as running:
        yield running


class Table:
    """Hold a table of a skirmish with both sides taken."""

    game = "skirmish"

    def __init__(self, served: Serving, **options: Any) -> None:
        self.served = served
        self.tables = served.tables
        made = self.tables.create(self.game, "", options, {"rulekeeper": "Ruth"}, "app")
        self.id = made.table
        self.sides = [one.seat for one in self.tables.summary(self.id).people if one.seat != "rulekeeper"]
        self.tokens = {side: self.tables.join(self.id, side, side.capitalize()) for side in self.sides}

    def sit(self, phone: Phone, side: int = 0, at: str = "") -> Phone:
        seat = self.sides[side]
        return phone.open(f"{at or self.served.address}/s/{self.id}/{seat}/{self.tokens[seat]}")

    def act(self, side: int, action: str, **rest: Any) -> None:
        self.tables.act(self.id, self.sides[side], {"action": action, **rest}, self.served.key())

    @property
    def state(self) -> State:
        with self.tables._look(self.id) as sitting:
            return cast("State", cast("Opened", sitting).state)

    def version(self) -> int:
        return self.tables.version(self.id)

    def at(self, unit: str) -> str:
        return self.state.find(unit).square


def label(phone: Phone, unit: str) -> Locator:
    return phone.at(f"label[for='pick-{unit}']")


def square(phone: Phone, place: str) -> Locator:
    """Return what lies over a square to be tapped, for the piece that is picked."""
    return phone.at(f".pick:checked + label + .targets .reach :is([value$='={place}'], [data-place='{place}'])")


def go(phone: Phone, unit: str, place: str) -> None:
    label(phone, unit).click()
    square(phone, place).click()


def box(locator: Locator) -> FloatRect:
    """Measure something; a fresh view may replace a square between finding and measuring it, then the next one is."""
    while (found := locator.bounding_box()) is None:
        expect(locator).to_be_visible()
    return found


def middle(locator: Locator) -> tuple[float, float]:
    measured = box(locator)
    return measured["x"] + measured["width"] / 2, measured["y"] + measured["height"] / 2


@contextmanager
def held(phone: Phone, what: str = "**/act") -> Iterator[list[Route]]:
    """Hold back what is sent; afterwards it goes on its way, and what comes later too."""
    waiting: list[Route] = []
    holding = True

    def hold(route: Route) -> None:
        if holding:
            waiting.append(route)
        else:
            route.continue_()

    phone.page.route(what, hold)
    yield waiting
    holding = False
    for route in waiting:
        route.continue_()


def reached(phone: Phone, waiting: list[Route]) -> None:
    """Wait until something of what is held back has come to where it is held."""
    while not waiting:
        phone.page.evaluate("1")


def test_pieces_are_moved_by_tap_and_tap_and_the_next_need_not_wait(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16)
    ana, ben = table.sit(phones("en")), table.sit(phones("es"), 1)
    moves = {"w8": "a4", "w9": "b3", "w10": "c4", "w11": "d4", "w1": "c3"}
    with held(ana) as waiting:
        for unit, place in moves.items():
            go(ana, unit, place)
        expect(ana.at(".overlay .sent")).to_have_count(len(moves))
        reached(ana, waiting)
        assert len(waiting) == 1, "moves are sent one at a time"
        assert table.at("w8") == "a2"
    expect(ana.at(".overlay .sent")).to_have_count(0)
    for phone in (ana, ben):
        expect(phone.at("#last .headline")).to_have_text("knight goes to c3")
    assert table.state.order == tuple(f"{unit}-{place}" for unit, place in moves.items())
    assert sum(request.startswith("POST") for request in ana.requests) == len(moves)
    expect(ana.at("#told .wrong")).to_have_count(0)


def test_a_move_that_is_refused_is_told_with_its_piece_and_the_others_are_done(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16)
    ana = table.sit(phones("en"))
    with held(ana):
        go(ana, "w8", "b4")
        go(ana, "w9", "b4")
        go(ana, "w10", "c4")
        label(ana, "w11").click()
    told = ana.at("#told .wrong")
    expect(told).to_have_count(1)
    expect(told).to_contain_text("Pawn b2 → b4:")
    expect(told).to_contain_text("pawn can not go to b4.")
    expect(ana.at(".overlay .sent")).to_have_count(0)
    assert table.state.order == ("w8-b4", "w10-c4")
    expect(ana.at("#pick-w11")).to_be_checked()
    expect(square(ana, "d4")).to_be_visible()
    assert told.evaluate(ON_TOP)
    assert ana.at(".piece[transform]").count() == 0, "the refused piece stands where it stood"
    told.locator("button").click()
    expect(told).to_have_count(0)
    go(ana, "w9", "b3")
    expect(ana.at("#last .headline")).to_have_text("pawn goes to b3")


def test_what_is_sent_from_elsewhere_waits_for_the_moves_and_for_none_that_was_refused(
    served: Serving, phones: Phones
) -> None:
    table = Table(served, pieces=16)
    ana = table.sit(phones("en"))
    end = ana.dock.get_by_role("button", name="End the turn")
    with held(ana):
        go(ana, "w8", "b4")
        go(ana, "w9", "b4")
        label(ana, "w9").click()
        end.click()
    expect(ana.at("#told .wrong")).to_have_count(1)
    assert (table.state.turn, table.state.order) == ("white", ("w8-b4",))
    with held(ana):
        go(ana, "w9", "b3")
        label(ana, "w9").click()
        end.click()
    expect(ana.at("#last .headline")).to_have_text("White ends the turn")
    assert table.at("w9") == "b3"


def test_moves_that_did_not_get_through_are_sent_again_in_their_order(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16)
    ana = table.sit(phones("en"))
    ana.page.route("**/act", lambda route: route.abort())
    ana.page.evaluate(
        """() => {
          let unsent = 0;
          document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
            if (ctx.sent) document.documentElement.dataset.unsent = unsent += 1;
          });
        }"""
    )
    go(ana, "w8", "a4")
    expect(ana.at("html")).to_have_attribute("data-unsent", "1")
    expect(ana.at("#unsent")).to_be_visible()
    go(ana, "w9", "b4")
    expect(ana.at(".overlay .sent")).to_have_count(2)
    expect(ana.at("html")).to_have_attribute("data-unsent", "2")
    expect(ana.at("#unsent")).to_be_visible()
    ana.page.unroute("**/act")
    ana.at("#unsent button").click()
    expect(ana.at("#last .headline")).to_have_text("pawn goes to b4")
    expect(ana.at("#unsent")).to_be_hidden()
    assert table.state.order == ("w8-a4", "w9-b4")


def test_moves_go_on_by_themselves_when_the_connection_is_back_soon(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16)
    ana = phones("en")
    with closing(Tunnel(served)) as tunnel:
        table.sit(ana, at=tunnel.address)
        expect(ana.at("#unsent button:not([hidden])")).to_have_count(1)
        tunnel.cut()
        go(ana, "w8", "a4")
        expect(ana.at("#unsent")).to_be_visible()
        go(ana, "w9", "b4")
        tunnel.mend()
        expect(ana.at("#last .headline")).to_have_text("pawn goes to b4")
        expect(ana.at("#unsent")).to_be_hidden()
    assert table.state.order == ("w8-a4", "w9-b4")


def test_a_piece_is_dragged_with_the_mouse_and_goes_back_from_where_it_may_not_be(
    served: Serving, phones: Phones
) -> None:
    table = Table(served, pieces=16)
    ana = table.sit(phones("en", viewport=WIDE))
    mouse = ana.page.mouse
    start = middle(label(ana, "w8"))
    mouse.move(*start)
    mouse.down()
    mouse.move(start[0] + 30, start[1] - 30)
    expect(ana.at(".ghost")).to_have_count(1)
    expect(square(ana, "a4")).to_be_visible()
    mouse.move(*middle(ana.at("#at-b0")))
    mouse.up()
    expect(ana.at(".ghost")).to_have_count(0)
    expect(ana.at(".pick:checked")).to_have_count(0)
    assert not [request for request in ana.requests if request.startswith("POST")]
    label(ana, "w8").click()
    goal = middle(square(ana, "a4"))
    mouse.move(*start)
    mouse.down()
    mouse.move(start[0], start[1] - 20)
    mouse.move(*goal)
    expect(square(ana, "a4")).to_have_class("go f1 r5 is-over")
    mouse.up()
    expect(ana.at("#last .headline")).to_have_text("pawn goes to a4")
    assert table.at("w8") == "a4"


def test_a_piece_is_dragged_with_a_finger(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16)
    ana = table.sit(phones("en", has_touch=True, is_mobile=True))
    label(ana, "w9").tap()
    goal = middle(square(ana, "c4"))
    touch = touching(ana)
    # A finger that rests long enough opens a menu, which here only a slow machine would do.
    ana.page.evaluate("document.addEventListener('contextmenu', (event) => event.preventDefault())")

    x, y = middle(label(ana, "w9"))
    touch("touchStart", (x, y))
    touch("touchMove", (x + 10, y - 30))
    expect(ana.at(".ghost")).to_have_count(1)
    touch("touchMove", goal)
    touch("touchEnd")
    expect(ana.at("#last .headline")).to_have_text("pawn goes to c4")
    assert ana.page.evaluate("scrollY") == 0
    assert table.at("w9") == "c4"


def test_a_view_that_comes_while_a_piece_is_dragged_takes_nothing_away(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16)
    ana = table.sit(phones("en", viewport=WIDE))
    mouse = ana.page.mouse
    label(ana, "w8").click()
    goal, start = middle(square(ana, "b4")), middle(label(ana, "w8"))
    mouse.move(*start)
    mouse.down()
    mouse.move(*goal)
    table.act(0, "move", unit="w15", to="h4")
    ana.sees(table.version())
    expect(ana.at("#at-w8")).to_have_class("piece side-white lifted")
    mouse.move(goal[0] + 3, goal[1])
    mouse.up()
    expect(ana.at("#last .headline")).to_have_text("pawn goes to b4")


def test_a_view_that_comes_between_press_and_release_takes_no_tap_away(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16)
    ana = table.sit(phones("en", viewport=WIDE))
    mouse = ana.page.mouse
    for unit, place, other in (("w8", "b4", "w15"), ("w9", "b3", "w14")):
        label(ana, unit).click()
        mouse.move(*middle(square(ana, place)))
        mouse.down()
        table.act(0, "move", unit=other, to=f"{table.at(other)[0]}3")
        ana.sees(table.version())
        mouse.up()
        expect(ana.at("#last .headline")).to_contain_text(f"goes to {place}")
    assert table.state.order == ("w15-h3", "w8-b4", "w14-g3", "w9-b3")


def test_what_a_square_means_no_longer_when_it_is_released_is_not_done(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16)
    ana = table.sit(phones("en", viewport=WIDE))
    mouse = ana.page.mouse
    label(ana, "w10").click()
    mouse.move(*middle(square(ana, "c4")))
    mouse.down()
    table.tables.correct(table.id, "rulekeeper", "b2.square", "c5", served.key())
    expect(ana.at(".pick:checked + label + .targets .reach [data-place='c4']")).to_be_visible()
    mouse.up()
    assert not ana.page.evaluate("document.getElementById('sheet').open"), "pushing as well as moving was not asked for"
    mouse.move(*middle(square(ana, "c3")))
    mouse.down(button="right")
    table.act(0, "move", unit="w15", to="h3")
    ana.sees(table.version())
    mouse.up(button="right")
    go(ana, "w12", "e4")
    expect(ana.at("#last .headline")).to_have_text("pawn goes to e4")
    assert table.state.order == ("w15-h3", "w12-e4")


def test_a_view_that_comes_beneath_a_finger_takes_no_tap_away(served: Serving, phones: Phones) -> None:
    """Squares are laid anew while the finger is down: there a browser clicks by itself, and once."""
    table = Table(served, pieces=16)
    ana = table.sit(phones("en", has_touch=True, is_mobile=True))
    label(ana, "w8").tap()
    expect(square(ana, "b4")).to_be_visible()
    ana.page.evaluate(
        """() => {
          const old = document.querySelector(".reach [value$='=b4']");
          document.addEventListener("pointerdown", () => {
            document.dispatchEvent(new KeyboardEvent("keyup", { key: "Escape" }));
            window.fresh = !old.isConnected;
          }, { once: true });
        }"""
    )
    square(ana, "b4").tap()
    expect(ana.at("#last .headline")).to_contain_text("goes to b4")
    assert ana.page.evaluate("fresh")
    assert table.state.order == ("w8-b4",)


def test_where_several_things_can_be_done_on_a_square_the_sheet_asks_which(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16, reach=4)
    ana = table.sit(phones("en"))
    table.act(0, "move", unit="w8", to="a5")
    table.act(0, "end")
    table.act(1, "end")
    ana.sees(table.version())
    go(ana, "w8", "a7")
    ways = ana.at("#sheet .choose button")
    expect(ana.at("#sheet h2")).to_have_text("Pawn a5 → a7")
    expect(ways).to_have_text(["Move", "Push"])
    ways.nth(1).click()
    expect(ana.at("#sheet")).to_be_hidden()
    expect(ana.at("#last .headline")).to_have_text("pawn goes to a7")
    assert table.state.links == (("a7", "a8"),)
    expect(ana.at(".link")).to_have_count(1)
    unfold(ana)
    expect(ana.at("#board-words li").filter(has_text="a7 White")).to_contain_text("fights a8")


def test_a_shot_is_looked_at_first_while_moves_are_on_their_way(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16)
    ana = table.sit(phones("en"))
    with held(ana):
        go(ana, "w8", "a4")
        label(ana, "w7").click()
        ana.planned("action%3Dshoot", "target%3Db0").click()
        expect(ana.at("#sheet .chart")).to_be_visible()
    expect(ana.at("#last .headline")).to_have_text("pawn goes to a4")
    expect(ana.at("#sheet .chart")).to_be_visible()
    ana.at("#plan button.main").click()
    expect(ana.at("#last .headline")).to_contain_text("A shot at a8")
    expect(ana.at("#sheet")).to_be_hidden()


def test_many_pieces_are_moved_with_the_keyboard_alone(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16)
    ana = table.sit(phones("en"))
    press = ana.page.keyboard.press
    ana.at("#pick-w8").focus()
    press("Space")
    square(ana, "a3").focus()
    press("Enter")
    expect(ana.at("#last .headline")).to_have_text("pawn goes to a3")
    expect(ana.at("#pick-w9")).to_be_focused()
    press("Space")
    expect(square(ana, "b4")).to_be_visible()
    press("Escape")
    expect(square(ana, "b4")).to_have_count(0)


@pytest.mark.parametrize("viewport", first(PHONE, WIDE), ids=["phone", "laptop"])
@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=pytest.mark.long if size % 5 != 1 else ()) for size in range(6, 17)]
)
def test_squares_of_every_board_can_be_tapped(
    served: Serving, phones: Phones, size: int, viewport: dict[str, int]
) -> None:
    table = Table(served, size=size, pieces=size + 2, reach=3)
    ana = table.sit(phones("en", viewport=viewport))
    wide = ana.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] == wide[1], "the page is moved sideways"
    for unit in (f"w{size + 1}", f"w{size - 2}"):
        label(ana, unit).click()
        place = ana.at(".pick:checked + label + .targets .reach button").last
        measured = box(place)
        assert min(measured["width"], measured["height"]) >= (43 if size == 9 else 44)
        label(ana, unit).click()
    go(ana, f"w{size + 1}", "b4")
    expect(ana.at("#last .headline")).to_have_text("pawn goes to b4")


def test_a_large_board_is_seen_whole_and_a_tap_goes_near(served: Serving, phones: Phones) -> None:
    table = Table(served, size=16, pieces=20)
    ana = table.sit(phones("en"))
    view = ana.at("#board-view")
    assert label(ana, "w8").evaluate(ON_TOP), "a board begins where one's own pieces are"
    ana.at("label[for='whole']").click()
    expect(ana.at("#at-b0")).to_be_in_viewport()
    expect(ana.at("#at-w15")).to_be_in_viewport()
    label(ana, "w0").click()
    expect(ana.at("#whole")).not_to_be_checked()
    expect(ana.at(".pick:checked")).to_have_count(0)
    assert view.evaluate("(view) => view.scrollLeft") == 0
    label(ana, "w16").click()
    ana.at("label[for='whole']").click()
    square(ana, "b4").click()
    expect(ana.at("#whole")).not_to_be_checked()
    assert table.state.order == ()
    square(ana, "a4").click()
    expect(ana.at("#last .headline")).to_have_text("pawn goes to a4")


def test_two_fingers_show_a_large_board_whole_and_go_near_again(served: Serving, phones: Phones) -> None:
    table = Table(served, size=16, pieces=20)
    ana = table.sit(phones("en", viewport=PHONE, has_touch=True))
    box = ana.at("#board-view").bounding_box()
    assert box
    wire = ana.page.context.new_cdp_session(ana.page)

    def pinch(x: float, y: float, first: int, last: int) -> None:
        for kind, apart in (("touchStart", first), ("touchMove", (first + last) // 2), ("touchMove", last)):
            points = [{"x": x - apart, "y": y}, {"x": x + apart, "y": y}]
            wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    pinch(x, y, 120, 40)
    expect(ana.at("#whole")).to_be_checked()
    expect(ana.at("#at-b0")).to_be_in_viewport()
    expect(ana.at("#at-w15")).to_be_in_viewport()
    pinch(box["x"] + box["width"] - 60, y, 20, 55)
    expect(ana.at("#whole")).not_to_be_checked()
    right = "(view) => view.scrollLeft + view.clientWidth >= view.scrollWidth - 60"
    assert ana.at("#board-view").evaluate(right), "it goes near between the fingers"
    assert table.state.order == ()
    expect(ana.at(".ghost, .pick:checked")).to_have_count(0)


def shows_card(phone: Phone, unit: str, text: str) -> None:
    """Pick a piece that may do nothing, read what it is, and close it again."""
    label(phone, unit).click()
    card = phone.at(".pick:checked + label + .targets .about")
    expect(card).to_be_visible()
    expect(card).to_contain_text(text)
    close = card.locator(".let-go")
    assert close.evaluate(ON_TOP)
    close.click()
    expect(card).to_have_count(0)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_a_piece_of_the_other_side_is_tapped_to_learn_what_it_is(
    served: Serving, phones: Phones, *, scripts: bool
) -> None:
    table = Table(served, pieces=16)
    ana, ben = table.sit(phones("en", scripts=scripts)), table.sit(phones("es", scripts=scripts), 1)
    shows_card(ana, "b1", "Knight b8 Black")
    shows_card(ben, "w1", "Knight b1 White")
    shows_card(ben, "b4", "King e8")
    assert not [one for one in ana.requests + ben.requests if one.startswith("POST")]


def test_pieces_of_the_other_side_are_reached_with_the_keyboard(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=8)
    ana = table.sit(phones("en"))
    ana.at("#pick-w7").focus()
    ana.page.keyboard.press("ArrowDown")
    expect(ana.at("#pick-b0")).to_be_focused()
    expect(ana.at(".pick:checked + label + .targets .about")).to_contain_text("Rook a8 Black")
    ana.page.keyboard.press("Escape")
    expect(ana.at(".pick:checked")).to_have_count(0)


def test_a_piece_that_can_do_no_more_is_let_go_and_one_that_is_looked_at_stays(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16)
    ana, ben = table.sit(phones("en")), table.sit(phones("en"), 1)
    label(ben, "w9").click()
    go(ana, "w8", "a4")
    expect(ana.at("#last .headline")).to_have_text("pawn goes to a4")
    expect(ana.at(".pick:checked")).to_have_count(0)
    expect(ana.at("label[for='pick-w8']")).to_have_class("f1 r5 look own")
    ben.sees(table.version())
    expect(ben.at("#pick-w9")).to_be_checked()


def test_a_tap_on_a_square_with_nothing_to_do_lets_go(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16)
    ana = table.sit(phones("en"))
    for unit in ("w8", "b1"):
        label(ana, unit).click()
        expect(ana.at(f"#pick-{unit}")).to_be_checked()
        before = table.version()
        x, _ = middle(label(ana, unit))
        squares = ana.at(".board .squares").bounding_box()
        assert squares is not None
        ana.page.mouse.click(x, squares["y"] + squares["height"] * 0.45)
        expect(ana.at(".pick:checked")).to_have_count(0)
        expect(ana.at(".reach")).to_have_count(0)
        assert table.version() == before


def test_a_piece_that_is_only_looked_at_is_not_dragged(served: Serving, phones: Phones) -> None:
    table = Table(served, pieces=16)
    ana = table.sit(phones("en", viewport=WIDE))
    mouse = ana.page.mouse
    start = middle(label(ana, "b1"))
    mouse.move(*start)
    mouse.down()
    mouse.move(start[0], start[1] + 40)
    expect(ana.at(".ghost")).to_have_count(0)
    mouse.up()
    touch = "(one) => getComputedStyle(one).touchAction"
    assert (label(ana, "b1").evaluate(touch), label(ana, "w8").evaluate(touch)) == ("auto", "none")


def test_a_finger_that_taps_while_the_mouse_drags_lets_the_dragged_piece_go(served: Serving, phones: Phones) -> None:
    ana = Table(served, pieces=16).sit(phones("en", viewport=WIDE, has_touch=True))
    mouse = ana.page.mouse
    start = middle(label(ana, "w8"))
    mouse.move(*start)
    mouse.down()
    mouse.move(start[0], start[1] - 30)
    expect(ana.at(".ghost")).to_have_count(1)
    label(ana, "w9").tap()
    expect(ana.at(".ghost")).to_have_count(0)
    expect(ana.at("#pick-w9")).to_be_checked()
    mouse.up()
    expect(ana.at("#pick-w9")).to_be_checked()


def in_view(phone: Phone, unit: str) -> bool:
    inside = """
    (label) => {
      const [one, view] = [label, document.getElementById("board-view")].map((it) => it.getBoundingClientRect());
      return one.left >= view.left && one.right <= view.right && one.top >= view.top && one.bottom <= view.bottom;
    }
    """
    return bool(label(phone, unit).evaluate(inside))


def test_a_large_board_goes_to_its_readers_pieces_when_their_turn_begins(served: Serving, phones: Phones) -> None:
    table = Table(served, size=16, pieces=4)
    ana, ben = table.sit(phones("en")), table.sit(phones("en"), 1)
    assert in_view(ana, "w0")
    assert in_view(ben, "b0"), "also while the others move"
    away = "document.getElementById('board-view').scrollTo(999, 0)"
    for phone, own in ((ana, "w0"), (ben, "b0")):
        phone.page.evaluate(away)
        assert not in_view(phone, own)
    table.act(0, "move", unit="w0", to="a2")
    for phone in (ana, ben):
        phone.sees(table.version())
    assert not in_view(ana, "w0"), "it stays where it was moved to in the middle of a turn"
    table.act(0, "end")
    ben.sees(table.version())
    assert in_view(ben, "b0")
    ana.page.evaluate(away)
    finger = "{touches: [new Touch({identifier: 1, target: document})]}"
    ana.page.evaluate(f"document.dispatchEvent(new TouchEvent('touchstart', {finger}))")
    table.act(1, "end")
    ana.sees(table.version())
    assert not in_view(ana, "w0"), "it is moved under a finger"


@pytest.mark.parametrize("side", first(0, 1))
def test_without_scripts_a_piece_leads_to_the_list_of_its_squares(served: Serving, phones: Phones, side: int) -> None:
    table = Table(served, pieces=16)
    if side:
        table.act(0, "end")
    ana = table.sit(phones("en", scripts=False), side)
    unit, place = ("b0", "a6") if side else ("w8", "a4")
    label(ana, unit).click()
    ana.at(".pick:checked + label + .targets .way").first.click()
    ana.at("#plan label").filter(has_text=place).click()
    ana.at("#plan button.main").click()
    expect(ana.at("#last .headline")).to_contain_text(f"goes to {place}")


@pytest.mark.sized
@pytest.mark.parametrize(("size", "sides"), first((8, "bright"), (16, "bright"), (8, "chess")))
def test_nothing_is_wrong_with_a_board_full_of_marks(served: Serving, phones: Phones, size: int, sides: str) -> None:
    table = Table(served, size=size, sides=sides, pieces=20, reach=15)
    one, other = (side[0] for side in table.sides)
    table.act(0, "push", unit=f"{one}{size}", to=f"c{size - 1}")
    table.act(0, "shoot", unit=f"{one}0", target=f"{other}1")
    phone = table.sit(phones("es" if size == 8 else "en"))
    expect(phone.at(".link")).to_have_count(1)
    label(phone, f"{one}4").click()
    unfold(phone)
    inspect(phone, f"board-{size}-{sides}")
