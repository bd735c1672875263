"""Pictures of people's own on the pieces of a board, in a real browser: round, with the side around and hits above."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games.pocket_tactics.game import GAME as POCKET_TACTICS
from companion.games.tactics_2gm.game import GAME
from tests.browser.phones import PHONE, WIDE, sitting_at
from tests.browser.test_axe import is_usable
from tests.browser.test_board import label
from tests.browser.test_pictures import is_shown
from tests.support.picture_positions import FOE, OPEN, PICTURES, SECRET, battle, on_hexagons
from tests.support.pictures import kept, name_of
from tests.support.tactics_2gm_positions import code

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import Any

    from playwright.sync_api import EventInfo, Response

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Sitting

pytestmark = pytest.mark.browser

REAL = {"written": "a1 light_infantry 1w, x1 heavy_infantry", "board": "table"}
BEFORE = {"written": "a2 half_track d3, x2 half_track d4", "phase": "deployment", "ap": 8}


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Sitting]:
    """A battle; the infantry of both has pictures, and the tank that the Allies hold."""
    how: dict[str, Any] = {"written": "a1 light_infantry d3 1w, x1 heavy_infantry d4", **getattr(request, "param", {})}
    options = {"board": how["board"]} if "board" in how else {}
    with sitting_at(
        tmp_path, GAME, battle(how.pop("written"), **how), ("allies", "axis"), "typed", **options
    ) as sitting:
        kept(sitting.tables, *PICTURES)
        yield sitting


def fetching(phone: Phone, data: bytes) -> AbstractContextManager[EventInfo[Response]]:
    """Wait until a phone is sent a picture."""
    return phone.page.expect_response(lambda response: name_of(data) in response.url and response.ok)


def is_token(phone: Phone, piece: str, data: bytes, rim: str) -> None:
    """A piece on the board is a round token with that picture, within its square, the colour of its side around."""
    image, around = phone.at(f"#at-{piece} > image"), phone.at(f"#at-{piece} > .rim")
    expect(image).to_have_attribute("href", re.compile(f"/picture/{name_of(data)}$"))
    expect(image).to_have_css("clip-path", "circle(50%)")
    expect(around).to_have_css("fill", "none")
    expect(around).to_have_css("stroke", rim)
    inner, outer = image.bounding_box(), around.bounding_box()
    square = label(phone, piece).bounding_box()
    assert inner
    assert outer
    assert square
    for at, size in (("x", "width"), ("y", "height")):
        assert square[at] - 1 <= outer[at] <= inner[at]
        assert inner[at] + inner[size] <= outer[at] + outer[size] <= square[at] + square[size] + 1


BLUE, RED = "rgb(26, 68, 136)", "rgb(142, 22, 20)"


@pytest.mark.parametrize("look", ["light", "dark"])
def test_pieces_are_tokens_with_their_pictures_for_everybody(table: Sitting, phones: Phones, look: str) -> None:
    for seat, viewport in (("allies", PHONE), ("axis", {"width": 360, "height": 640}), ("screen", WIDE)):
        phone = phones("en", viewport=viewport, color_scheme=look)
        with fetching(phone, OPEN), fetching(phone, FOE):
            phone.open(table.link(seat))
        if seat != "screen":
            is_token(phone, "a1", OPEN, BLUE)
            is_token(phone, "x1", FOE, RED)
            expect(phone.at("#at-a1 > image ~ .hits-of")).to_have_text("1")
        else:
            expect(phone.at("#at-a1 > image")).to_have_css("clip-path", "circle(50%)")
        is_usable(phone, f"board-pictures-{seat}", [])
        # The tank is in the Allies' hand, and there only.
        there = phone.page.request.get(table.page(seat, f"/picture/{name_of(SECRET)}"))
        assert there.status == (200 if seat == "allies" else 404)


def test_what_is_picked_shows_its_picture_larger(table: Sitting, phones: Phones) -> None:
    ana = phones("es", viewport=PHONE).open(table.link("allies"))
    for piece in ("a1", "x1"):
        label(ana, piece).click()
        is_shown(ana.at(".pick:checked + label + .targets .about .photo"))
        is_usable(ana, f"picked-picture-{piece}", [])
        ana.at(".pick:checked + label + .targets .let-go").click()


def test_where_a_picture_is_missing_the_sign_of_the_unit_is_seen(table: Sitting, phones: Phones) -> None:
    with table.tables.store.write() as db:
        db._run("delete from pictures", ())
    ana = phones("en", viewport=PHONE)
    missing = ana.page.expect_response(lambda response: name_of(OPEN) in response.url)
    with missing as there:
        ana.open(table.link("allies"))
    assert (there.value.status, there.value.header_value("content-type")) == (404, "image/png")
    expect(ana.at("#at-a1 > .figure")).to_have_attribute("href", re.compile("#infantry$"))
    label(ana, "a1").click()
    photo = ana.at(".pick:checked + label + .targets .about .photo")
    expect(photo).to_have_js_property("naturalWidth", value=1)
    expect(ana.at(".pick:checked + label + .targets .about .unit")).to_be_visible()


@pytest.mark.parametrize("table", [REAL], indirect=True)
def test_where_the_board_lies_on_the_table_lines_have_the_pictures(table: Sitting, phones: Phones) -> None:
    for seat, viewport in (("axis", PHONE), ("screen", WIDE)):
        phone = phones("en", viewport=viewport).open(table.link(seat))
        if seat == "axis":
            phone.open(f"{table.page(seat)}#more")
        for name in ("a1", "x1"):
            line = phone.at(f"#unit-{name}, #lying-{name}").first
            is_shown(line.locator(".photo"))
            sign, photo = line.locator(".unit").bounding_box(), line.locator(".photo").bounding_box()
            assert sign == photo, "it lies over the sign"


@pytest.mark.parametrize("table", [BEFORE], indirect=True)
def test_a_picture_comes_to_open_pages_with_the_unit_that_has_it(table: Sitting, phones: Phones) -> None:
    ben, screen = phones("en").open(table.link("axis")), phones("en", viewport=WIDE).open(table.link("screen"))
    for phone in (ben, screen):
        expect(phone.at("#board image")).to_have_count(0)
    held = code(battle(BEFORE["written"]), "allies", "m4_sherman")
    with fetching(ben, SECRET), fetching(screen, SECRET):
        table.act("allies", "deploy", card=held, to="d1")
    for phone in (ben, screen):
        phone.sees(table.version())
        expect(phone.at("#board image")).to_have_css("clip-path", "circle(50%)")


@pytest.fixture
def hexagons(tmp_path: Path) -> Iterator[Sitting]:
    """A game of Pocket-Tactics on its map, a unit of each side with a picture."""
    with sitting_at(tmp_path, POCKET_TACTICS, on_hexagons(), ("blue", "red"), "typed") as sitting:
        kept(sitting.tables, *PICTURES)
        yield sitting


@pytest.mark.parametrize("look", ["light", "dark"])
def test_tokens_on_hexagons_leave_the_names_of_tiles_in_sight(hexagons: Sitting, phones: Phones, look: str) -> None:
    ana = phones("en", viewport={"width": 360, "height": 640}, color_scheme=look)
    with fetching(ana, OPEN), fetching(ana, FOE):
        ana.open(hexagons.link("blue"))
    for piece, data, rim in (("b3\\.1", OPEN, BLUE), ("r2\\.1", FOE, RED)):
        is_token(ana, piece, data, rim)
    for square, piece in (("m2", "b3\\.1"), ("m3", "r2\\.1")):
        token = ana.at(f"#at-{piece} > .rim").bounding_box()
        name = ana.at("#captions text").filter(has_text=square).bounding_box()
        assert token
        assert name
        middle = name["y"] + name["height"] / 2
        assert token["y"] + token["height"] < middle, "no more than the space above a name lies under the token"
    is_usable(ana, "hexagons-pictures", [])


def test_the_scene_of_a_fight_has_the_pictures_of_both(hexagons: Sitting, phones: Phones) -> None:
    ben, screen = phones("es", viewport=PHONE).open(hexagons.link("red")), phones("es", viewport=WIDE)
    screen.open(hexagons.link("screen"))
    hexagons.act("blue", "assault", unit="b3.1", target="r2.1", kind="melee", skill="melee")
    for phone in (ben, screen):
        phone.sees(hexagons.version())
        expect(phone.at(".clash .fighter .photo")).to_have_count(2)
        for photo, rim in zip(phone.at(".clash .fighter .photo").all(), (BLUE, RED), strict=True):
            is_shown(photo)
            expect(photo).to_have_css("border-top-color", rim)
    is_usable(ben, "clash-pictures", [])
