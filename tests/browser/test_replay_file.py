"""The file of a story in a browser, opened from a disk: it asks for nothing, and shows every position."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from companion import create_app
from companion.games import discover
from companion.web.state import NAME
from tests.browser.axe import AXE, RUN
from tests.browser.test_large_letters import OUT_OF_THE_PAGE
from tests.support.replays import end, film, patched, played, positions
from tests.support.sizes import some

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
SMALL = {"width": 360, "height": 640}
GAMES = [*discover()]


class Kept:
    """A file on a disk, what its game's data say, and pages that it is opened in."""

    def __init__(self, chromium: Browser, folder: Path, name: str, entries: int, *, over: bool) -> None:
        app = create_app(folder / "tables", games={name: discover()[name]})
        tables = app.extensions[NAME].tables
        table = played(tables, name, entries).table
        if over:
            end(tables, table)
        phone = app.test_client()
        self.file = phone.get(f"/t/{table}/screen/replay.html", headers={"Accept-Language": "en"}).text
        self.data = json.loads(phone.get(f"/t/{table}/screen/replay.json", headers={"Accept-Language": "en"}).data)
        self.path = folder / "replay.html"
        self.path.write_text(self.file, encoding="utf-8")
        self.chromium = chromium
        self.asked: list[str] = []
        self.wrong: list[str] = []

    def open(self, *, scripts: bool = True, **how: Any) -> Page:
        context = self.chromium.new_context(
            **({"viewport": SMALL, "java_script_enabled": scripts, "reduced_motion": "reduce", "offline": True} | how)
        )
        page = context.new_page()
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda said: self.wrong.append(said.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.goto(self.path.as_uri())
        return page


@pytest.fixture(params=some({name: name for name in GAMES}, every=3))
def kept(request: pytest.FixtureRequest, chromium: Browser, tmp_path: Path) -> Iterator[Kept]:
    one = Kept(chromium, tmp_path, request.param, 30, over=True)
    yield one
    assert one.wrong == []
    assert set(one.asked) == {one.path.as_uri()}, "it asks for nothing"


@pytest.fixture
def battle(chromium: Browser, tmp_path: Path) -> Iterator[Kept]:
    one = Kept(chromium, tmp_path, "two_cities", 40, over=True)
    yield one
    assert one.wrong == []
    assert set(one.asked) == {one.path.as_uri()}


def slots(page: Page) -> list[str]:
    """What fills each slot, as the browser reads it."""
    return [
        page.locator(f"#slot-{number}").evaluate("(slot) => slot.innerHTML")
        for number in range(page.locator("[id^=slot-]").count())
    ]


def normal(page: Page, kind: str, filling: str) -> str:
    """Let the browser read what should fill a slot."""
    return str(
        page.evaluate(
            "(html) => Object.assign(document.createElement('div'), { innerHTML: html }).innerHTML",
            filling and _whole(kind, filling),
        )
    )


def _whole(kind: str, filling: str) -> str:
    if kind == "board":
        return f"{filling}</svg>"
    head, mark, lines = filling.partition("<li>")
    return f"{head}<ul>{mark}{lines}</ul>"


def test_every_position_is_shown(kept: Kept) -> None:
    page = kept.open()
    steps = positions(film(kept.file))
    kinds = [page.locator(f"#slot-{number}").get_attribute("data-kind") for number in range(len(steps[-1]))]
    expect(page.locator("#bar")).to_be_visible()
    page.locator("[data-go=first]").click()
    for number, step in enumerate(steps):
        if number:
            page.locator("[data-go=on]").click()
        expect(page.locator("#number")).to_have_text(f"{number + 1} / {len(steps)}")
        expect(page.locator("#at")).to_have_value(str(number))
        expect(page.locator(".is-shown")).to_have_attribute("id", f"e{number + 1}")
        assert slots(page) == [normal(page, kind or "", one) for kind, one in zip(kinds, step, strict=True)]
    page.locator("[data-go=on]").click()
    expect(page.locator("#at")).to_have_value(str(len(steps) - 1))
    page.locator("[data-go=back]").click()
    expect(page.locator("#at")).to_have_value(str(len(steps) - 2))


def test_the_pieces_stand_where_the_data_say(battle: Kept) -> None:
    page = battle.open()
    shown = battle.data["first"]
    for entry in battle.data["entries"]:
        shown = patched(shown, entry["patch"])
        page.locator(f"#e{entry['seq']} > a").click()
        board = next(panel for panel in shown["screen"]["panels"] if "ranks" in panel)
        standing = sum(piece["square"] is not None for piece in board["pieces"])
        expect(page.locator("[data-kind=board] .piece")).to_have_count(standing)
        expect(page.locator("#says")).to_contain_text(entry["headline"].rstrip("."))


def test_the_slider_goes_to_any_entry(battle: Kept) -> None:
    page = battle.open()
    page.locator("#at").focus()
    page.keyboard.press("Home")
    expect(page.locator("#number")).to_have_text(f"1 / {len(battle.data['entries'])}")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#number")).to_have_text(f"2 / {len(battle.data['entries'])}")
    page.locator("#at").fill("7")
    expect(page.locator("#number")).to_have_text(f"8 / {len(battle.data['entries'])}")


def test_without_scripts_the_last_position_and_the_whole_story_are_there(kept: Kept) -> None:
    without, page = kept.open(scripts=False), kept.open()
    assert slots(without) == slots(page)
    expect(without.locator("#bar")).to_be_hidden()
    expect(without.locator(".story li[id]")).to_have_count(len(kept.data["entries"]))
    for entry in kept.data["entries"]:
        expect(without.locator(f"#e{entry['seq']}")).to_contain_text(entry["headline"].rstrip("."))
    for line in (without.locator(".story li[id]").first, without.locator(".numbers h2").first):
        expect(line).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_language_is_switched_in_the_file(battle: Kept, scripts: bool) -> None:
    page = battle.open(scripts=scripts)
    heading = page.locator(".story h2")
    expect(heading).to_have_text("The whole story", use_inner_text=True)
    page.get_by_text("Español").click()
    expect(heading).to_have_text("Toda la historia", use_inner_text=True)
    if scripts:
        expect(page.locator("html")).to_have_attribute("lang", "es")
    page.get_by_text("English").click()
    expect(heading).to_have_text("The whole story", use_inner_text=True)


@pytest.mark.parametrize(
    ("locale", "heading"), [("es-AR", "Toda la historia"), ("en", "The whole story"), ("fr", "The whole story")]
)
def test_it_begins_in_the_language_of_whoever_reads_it(battle: Kept, locale: str, heading: str) -> None:
    page = battle.open(locale=locale)
    expect(page.locator(".story h2")).to_have_text(heading, use_inner_text=True)
    expect(page.locator("html")).to_have_attribute("lang", "es" if locale == "es-AR" else "en")


def test_it_follows_the_reader_into_the_dark(battle: Kept) -> None:
    def light(scheme: str) -> int:
        bar = battle.open(color_scheme=scheme).locator(".bar")
        rgb = str(bar.evaluate("(one) => getComputedStyle(one).backgroundColor"))
        return sum(map(int, rgb.removeprefix("rgb(").rstrip(")").split(",")))

    assert light("light") > 600
    assert light("dark") < 300


def test_it_is_read_with_letters_twice_as_large(battle: Kept) -> None:
    page = battle.open(locale="es")
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    page.reload()
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    assert page.evaluate("document.documentElement.scrollWidth") == SMALL["width"]
    assert page.evaluate(OUT_OF_THE_PAGE) == []
    for button in page.locator("#bar button").all():
        assert button.evaluate("(one) => one.scrollWidth <= one.clientWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [SMALL, {"width": 1280, "height": 800}])
def test_it_fits_and_axe_finds_nothing(kept: Kept, scheme: str, viewport: dict[str, int]) -> None:
    page = kept.open(color_scheme=scheme, viewport=viewport, bypass_csp=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    for button in page.locator("#bar button, .tongues label").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    page.evaluate(AXE)
    assert page.evaluate(RUN, []) == []
