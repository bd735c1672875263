"""A map of hexagons: tapped, dragged, typed and read, from either side, near and whole, with scripts and without."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from playwright.sync_api import expect

from companion.kit.panels import Piece, Tableau, Zone
from companion.kit.text import say
from tests.browser import test_board
from tests.browser.phones import PHONE, WIDE, serving
from tests.browser.test_axe import inspect, is_usable, unfold
from tests.browser.test_board import ON_TOP, box, held, in_view, label, middle, square
from tests.support.islands_game import ISLANDS, beside, free
from tests.support.sizes import first

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Locator

    from companion.kit.action import Offer
    from companion.kit.panels import View
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("tables"), {"islands": ISLANDS, "harbour": Harbour()}) as running:
        yield running


class Harbour(type(ISLANDS)):
    """Be islands with boats beneath the map, each of which brings a tile."""

    slug = "harbour"

    def offers(self, state: Any, seat: str) -> tuple[Offer, ...]:
        lay = next((one for one in super().offers(state, seat) if one.action == "lay"), None)
        if lay is None:
            return ()
        near = msgspec.structs.replace(lay.fields[0], options=lay.fields[0].options[:3])
        return tuple(msgspec.structs.replace(lay, fields=(near,), on=f"boat{at}") for at in range(16))

    def view(self, state: Any, seat: str) -> View:
        view = super().view(state, seat)
        boats = tuple(Piece(f"boat{at}", seat, "pawn", say("Boat {at}", at=at)) for at in range(16))
        lying = Tableau(say("Harbour"), ((Zone("harbour", say("Harbour"), pieces=boats),),))
        return msgspec.structs.replace(view, panels=(*view.panels, lying))


TO_ITS_CORNERS = """
(element) => {
  const box = element.getBoundingClientRect();
  const corners = [[0.25, 0], [0.75, 0], [1, 0.5], [0.75, 1], [0.25, 1], [0, 0.5]];
  const within = (at) => 0.5 + (at - 0.5) * 0.9;
  const at = (x, y) => document.elementFromPoint(box.left + within(x) * box.width, box.top + within(y) * box.height);
  return corners.every(([x, y]) => at(x, y) === element);
}
"""


class Table(test_board.Table):
    """Hold a table of islands."""

    game = "islands"

    def begin(self, side: int) -> str:
        """Let a side have its turn; return that of its pieces which may go to the most places."""
        if side:
            self.act(0, "end")
        own = [unit for unit in self.state.units if unit.side == self.sides[side]]
        return max(own, key=lambda unit: len(set(beside(unit.square)) & set(free(self.state)))).id


def tile(phone: Phone, place: str) -> Locator:
    """Return what is drawn of a hexagon: the tile, or the gap, that bears its name."""
    drawn = phone.at(".squares :is(.caption, .gap)").filter(has=phone.page.get_by_text(place, exact=True)).first
    where = drawn.get_attribute("transform")
    return phone.at(f".squares > svg :is(.ground, .gap)[transform='{where}'] > path").first


class Quay(Table):
    """Hold a table of a harbour."""

    game = "harbour"


def places(phone: Phone) -> list[str]:
    """Return where the piece that is picked may go."""
    return phone.at(".pick:checked + label + .targets .reach button").evaluate_all(
        "all => all.map((one) => /(?:to|at)=(\\w+)$/.exec(one.value)[1])"
    )


def tip(locator: Locator) -> tuple[float, float]:
    """Return a place just within the left tip of a hexagon, where the boxes of others overlap its own."""
    measured = box(locator)
    return measured["x"] + 0.06 * measured["width"], measured["y"] + measured["height"] / 2


@pytest.mark.parametrize("viewport", first(PHONE, WIDE), ids=["phone", "laptop"])
@pytest.mark.parametrize("side", first(0, 1))
def test_what_is_tapped_lies_on_its_hexagon_and_leads_there(
    served: Serving, phones: Phones, side: int, viewport: dict[str, int]
) -> None:
    table = Table(served)
    unit = table.begin(side)
    phone = table.sit(phones("en", viewport=viewport), side)
    assert middle(label(phone, unit)) == pytest.approx(middle(tile(phone, table.at(unit))), abs=1)
    label(phone, unit).click()
    near = places(phone)
    assert len(near) >= 2
    for place in near:
        over, drawn = box(square(phone, place)), box(tile(phone, place))
        assert middle(square(phone, place)) == pytest.approx(middle(tile(phone, place)), abs=1)
        for part in ("width", "height"):
            assert over[part] == pytest.approx(drawn[part], rel=0.05), (place, part)
        assert min(over["width"], over["height"]) >= 44
    phone.page.mouse.click(*tip(square(phone, near[0])))
    expect(phone.at("#last .headline")).to_have_text(f"pawn goes to {near[0]}")
    assert table.at(unit) == near[0]
    phone.settled(table.version)
    expect(phone.at(".overlay .sent")).to_have_count(0)
    assert middle(label(phone, unit)) == pytest.approx(middle(tile(phone, near[0])), abs=1)


@pytest.mark.parametrize("side", first(0, 1))
def test_a_piece_is_moved_with_the_keyboard_alone(served: Serving, phones: Phones, side: int) -> None:
    table = Table(served)
    unit = table.begin(side)
    phone = table.sit(phones("en"), side)
    press = phone.page.keyboard.press
    phone.at(f"#pick-{unit}").focus()
    press("Space")
    place = places(phone)[-1]
    for _ in range(12):
        if square(phone, place).evaluate("one => one === document.activeElement"):
            break
        press("Tab")
    press("Enter")
    expect(phone.at("#last .headline")).to_have_text(f"pawn goes to {place}")
    expect(phone.at(f"#pick-{unit}")).to_be_focused()
    assert table.at(unit) == place


@pytest.mark.parametrize("side", first(0, 1))
def test_a_piece_is_dragged_to_the_nearest_hexagon(served: Serving, phones: Phones, side: int) -> None:
    table = Table(served)
    unit = table.begin(side)
    phone = table.sit(phones("en", viewport=WIDE), side)
    label(phone, unit).click()
    for place in places(phone):
        mouse, start, goal = phone.page.mouse, middle(label(phone, unit)), tip(square(phone, place))
        mouse.move(*start)
        mouse.down()
        mouse.move(start[0] + 12, start[1])
        mouse.move(*goal)
        expect(phone.at(".is-over")).to_have_attribute("value", re.compile(f"={place}$"))
        mouse.move(1, 400)
        expect(phone.at(".is-over")).to_have_count(0)
        mouse.up()
        expect(phone.at(".pick:checked")).to_have_count(0)
        label(phone, unit).click()
    place = places(phone)[0]
    goal = tip(square(phone, place))
    phone.page.mouse.move(*middle(label(phone, unit)))
    phone.page.mouse.down()
    phone.page.mouse.move(*goal)
    phone.page.mouse.up()
    expect(phone.at("#last .headline")).to_have_text(f"pawn goes to {place}")


def test_a_piece_is_seen_where_it_goes_before_it_is_there(served: Serving, phones: Phones) -> None:
    table = Table(served)
    phone = table.sit(phones("en"))
    label(phone, "r0").click()
    place = places(phone)[0]
    with held(phone):
        goal = middle(square(phone, place))
        square(phone, place).click()
        expect(phone.at(".overlay .sent")).to_have_count(1)
        assert middle(phone.at(".overlay .sent")) == pytest.approx(goal, abs=1)
        assert middle(phone.at("#at-r0 .figure"))[0] == pytest.approx(goal[0], abs=1)
        assert abs(middle(phone.at("#at-r0 .figure"))[1] - goal[1]) < 10
    expect(phone.at("#last .headline")).to_have_text(f"pawn goes to {place}")


def test_a_map_grows_where_a_gap_is_tapped(served: Serving, phones: Phones) -> None:
    table = Table(served)
    phone = table.sit(phones("en"))
    gaps = phone.at(".gap")
    assert gaps.count() > 3
    assert phone.at(".squares > svg .ground").count() == len(table.state.tiles) + 2
    phone.dock.get_by_text("Lay a tile").click()
    assert len(places(phone)) == gaps.count()
    for place in places(phone):
        assert middle(square(phone, place)) == pytest.approx(middle(tile(phone, place)), abs=1)
    place = places(phone)[0]
    square(phone, place).click()
    expect(phone.at("#last .headline")).to_have_text(f"A tile at {place}")
    assert table.state.tiles[place] == "field"


def test_what_comes_from_beneath_the_map_is_seen_on_it(served: Serving, phones: Phones) -> None:
    phone = Quay(served).sit(phones("en", viewport={"width": 360, "height": 640}))
    boat = phone.at("#lying-boat15")
    boat.locator("summary").click()
    board = phone.at("#board")
    expect(board).not_to_be_in_viewport()
    lay = boat.get_by_role("button").last
    place = lay.inner_text()
    lay.click()
    expect(phone.at("#last .headline")).to_have_text(f"A tile at {place}")
    expect(board).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("side", first(0, 1))
def test_a_question_is_answered_on_its_hexagon(served: Serving, phones: Phones, side: int) -> None:
    table = Table(served)
    unit = table.begin(side)
    phone = table.sit(phones("en"), side)
    label(phone, unit).click()
    phone.at(".about").get_by_role("button", name="Scatter").click()
    answers = phone.at(".overlay[action$='/answer'] .go")
    expect(answers.first).to_be_visible()
    phone.settled(table.version)
    for one in answers.all():
        place = one.inner_text()
        assert middle(one) == pytest.approx(middle(tile(phone, place)), abs=1)
        assert one.evaluate(TO_ITS_CORNERS), "another hexagon lies over it"
    goal = answers.nth(5)
    place = goal.inner_text()
    phone.page.mouse.click(*tip(goal))
    expect(phone.at("#last .headline")).to_have_text(f"pawn goes to {place}")


CUT = """
() => [...document.querySelectorAll(".caption")].filter((caption) => {
  const text = caption.querySelector("text");
  const half = 3 + 3 * (5.2 - text.getAttribute("y")) / 5.2;
  const boxes = [...caption.children].map((one) => one.getBBox());
  return boxes.some((box) => box.x < -half || box.x + box.width > half + 0.1);
}).map((caption) => caption.textContent)
"""
"""The names that leave their hexagons, as wide as these are where the names stand."""
COVERED = """
(badge) => {
  const one = badge.getBoundingClientRect();
  return [...document.querySelectorAll(".caption")].some((caption) => {
    const other = caption.getBoundingClientRect();
    return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  });
}
"""


@pytest.mark.parametrize("viewport", first(PHONE, WIDE), ids=["phone", "laptop"])
def test_the_name_and_the_picture_of_every_tile_can_be_read(
    served: Serving, phones: Phones, viewport: dict[str, int]
) -> None:
    table = Table(served, wide=3, high=12)
    phone = table.sit(phones("en", viewport=viewport))
    assert "m11" in phone.at(".caption").all_text_contents()
    assert phone.page.evaluate(CUT) == []
    wet = {at for at in free(table.state) if table.state.tiles[at] == "water"}
    unit = next(unit for unit in table.state.units if wet & {*beside(unit.square)})
    label(phone, unit.id).click()
    badge = phone.at(".pick:checked + label + .targets .reach small")
    expect(badge).to_have_text("1-3")
    assert not badge.evaluate(COVERED)


@pytest.mark.parametrize(("deed", "answers"), [({"action": "scatter", "unit": "r0"}, 10), ({"action": "wonder"}, 9)])
def test_every_answer_of_a_question_is_in_sight(
    served: Serving, phones: Phones, deed: dict[str, str], answers: int
) -> None:
    table = Table(served, wide=3, high=6, pieces=2)
    table.act(0, **deed)
    phone = table.sit(phones("en"))
    expect(phone.at("form[inert]")).to_have_count(0)
    asked = phone.dock.locator("form[action$='/answer'] button")
    expect(asked).to_have_count(answers)
    for one in asked.all():
        expect(one).to_be_in_viewport(ratio=1)
        assert one.evaluate(ON_TOP)
    for one in phone.at(".overlay[action$='/answer'] .go").all():
        assert one.evaluate(ON_TOP)


@pytest.mark.parametrize("viewport", first(PHONE, WIDE), ids=["phone", "laptop"])
@pytest.mark.parametrize(
    ("wide", "high"),
    [(3, 5), *(pytest.param(*size, marks=pytest.mark.long) for size in ((5, 8), (7, 11), (8, 14), (14, 6))), (23, 30)],
)
def test_hexagons_of_every_map_can_be_tapped(
    served: Serving, phones: Phones, wide: int, high: int, viewport: dict[str, int]
) -> None:
    table = Table(served, wide=wide, high=high)
    phone = table.sit(phones("en", viewport=viewport))
    across = phone.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert across[0] == across[1], "the page is moved sideways"
    if phone.at("#board-view").count():
        assert in_view(phone, "r0"), "a board begins where one's own pieces are"
    label(phone, table.begin(0)).click()
    place = places(phone)[-1]
    measured = box(square(phone, place))
    assert min(measured["width"], measured["height"]) >= 44
    assert measured["width"] / measured["height"] == pytest.approx(2 / 3**0.5, rel=0.01)
    square(phone, place).click()
    expect(phone.at("#last .headline")).to_have_text(f"pawn goes to {place}")


@pytest.mark.parametrize(("wide", "high"), first((15, 20), (4, 30), (20, 5)))
def test_a_large_map_is_seen_whole_and_a_tap_goes_near(served: Serving, phones: Phones, wide: int, high: int) -> None:
    table = Table(served, wide=wide, high=high)
    phone = table.sit(phones("en"))
    far = phone.at("#at-b0")
    assert not label(phone, "b0").evaluate(ON_TOP)
    phone.at("label[for='whole']").click()
    for unit in ("r0", "b0"):
        assert in_view(phone, unit)
        expect(phone.at(f"#at-{unit}")).to_be_in_viewport(ratio=1)
    phone.page.mouse.click(*middle(far))
    expect(phone.at("#whole")).not_to_be_checked()
    assert label(phone, "b0").evaluate(ON_TOP)


def test_a_map_that_a_question_leaves_no_room_can_be_seen_whole(served: Serving, phones: Phones) -> None:
    phone = Table(served, wide=8, high=6).sit(phones("en", viewport={"width": 600, "height": 900}))
    whole = phone.at("label[for='whole']")
    expect(whole).to_be_hidden()
    phone.page.evaluate("document.getElementById('dock').style.minHeight = '500px'")
    expect(whole).to_be_visible()


@pytest.mark.parametrize(("wide", "high"), first((7, 11), (23, 30)))
def test_the_shared_screen_shows_the_whole_map(served: Serving, phones: Phones, wide: int, high: int) -> None:
    table = Table(served, wide=wide, high=high)
    screen = phones("en", viewport={"width": 1920, "height": 1080}).open(f"{served.address}/t/{table.id}/screen")
    for unit in ("r0", "b0"):
        expect(screen.at(f"#at-{unit}")).to_be_in_viewport(ratio=1)
    screen.save(f"hexagons-screen-{wide}")


@pytest.mark.parametrize("side", first(0, 1))
def test_without_scripts_a_piece_leads_to_the_list_of_its_hexagons(served: Serving, phones: Phones, side: int) -> None:
    table = Table(served)
    unit = table.begin(side)
    phone = table.sit(phones("en", scripts=False), side)
    label(phone, unit).click()
    way = phone.at(".pick:checked + label + .targets .way").first
    place = (way.get_attribute("data-to") or "").split()[-1]
    way.click()
    phone.at("#plan label").filter(has_text=place).click()
    phone.at("#plan button.main").click()
    expect(phone.at("#last .headline")).to_have_text(f"pawn goes to {place}")
    phone.dock.get_by_text("Lay a tile").click()
    phone.at(".pick:checked + label + .targets .way").click()
    phone.at("#plan label").first.click()
    phone.at("#plan button.main").click()
    expect(phone.at("#last .headline")).to_contain_text("A tile at")


def test_the_map_in_words_names_every_tile(served: Serving, phones: Phones) -> None:
    table = Table(served)
    phone = table.sit(phones("en"))
    unfold(phone)
    lines = [" ".join(line.split()) for line in phone.at("#board-words li").all_inner_texts()]
    for at, kind in table.state.tiles.items():
        assert [line for line in lines if line.startswith(f"{at} {kind.capitalize()}")], at
    first = table.at("r0")
    kind = table.state.tiles[first].capitalize()
    assert f"{first} Red: Pawn, {kind}, 0 of 3 hits" in lines
    assert f"{first} {kind}; Red: Pawn" in lines


@pytest.mark.sized
@pytest.mark.parametrize(("size", "tongue"), first(({"wide": 5, "high": 6}, "en"), ({"wide": 14, "high": 9}, "es")))
def test_nothing_is_wrong_with_a_map_full_of_marks(
    served: Serving, phones: Phones, size: dict[str, Any], tongue: str
) -> None:
    table = Table(served, pieces=4, **size)
    phone = table.sit(phones(tongue))
    label(phone, "r1").click()
    unfold(phone)
    is_usable(phone, f"hexagons-{size['wide']}", ())
    label(phone, "r1").click()
    label(phone, "r0").click()
    phone.at(".about").get_by_role("button", name="Scatter").click()
    expect(phone.at(".overlay[action$='/answer'] .go").first).to_be_visible()
    inspect(phone, f"hexagons-{size['wide']}-asked")


def test_an_enemy_is_ringed_in_its_hexagon(served: Serving, phones: Phones) -> None:
    table = Table(served, wide=2, high=4)
    phone = table.sit(phones("en"))
    unit, foe = next(
        (one.id, other)
        for one in table.state.units
        for other in table.state.units
        if one.side == "red" and other.side == "blue" and other.square in beside(one.square)
    )
    label(phone, unit).click()
    ring = phone.planned("action%3Dstrike", f"target%3D{foe.id}")
    assert middle(ring) == pytest.approx(middle(tile(phone, foe.square)), abs=1)
    ring.click()
    phone.at("#plan button.main").click()
    expect(phone.at("#last .headline")).to_have_text(f"A blow at {foe.square}")
