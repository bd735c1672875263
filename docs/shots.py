"""Take the pictures of the documentation from the running product: ``python docs/shots.py``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from playwright.sync_api import expect, sync_playwright  # noqa: E402

from tests.browser.phones import ARGUMENTS, PHONE, WIDE, Phone, installed, serving  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.phones import Serving, Sitting

POSITION = {
    "wa": "b4", "wb": "c6", "wc": "d5", "we": "e3", "wf": "f4", "wg": "g2", "wh": "h3",
    "ba": "a7", "bb": "d6", "bc": "b7", "be": "e7", "bf": "f7", "bg": "g6",
}  # fmt: skip
TERRAIN = {"forest.1": "c3", "forest.2": "f6", "hill.1": "e3", "hill.2": "b6"}
HITS = {"wa": 1, "bc": 2, "bb": 1, "bd": 1, "bg": 1}


def middle(served: Serving) -> Sitting:
    """Set a table up in the middle of a game."""
    sitting = served.sit(dice="app").begin()
    for unit, square in POSITION.items():
        sitting.correct(f"unit.{unit}.square", square)
    for place, square in TERRAIN.items():
        sitting.correct(f"terrain.{place}", square)
    for unit, hits in HITS.items():
        sitting.correct(f"unit.{unit}.hits", str(hits))
    sitting.correct("cards.white", "10S,3H,AH")
    for seat, card in (("white", "AH"), ("black", "AS")):
        sitting.act(seat, "play_card", card=card)
        sitting.act(seat, "end_turn")
    return sitting


def phone(browser: Browser, tongue: str, look: str = "light", **how: object) -> Phone:
    """Take a phone in hand."""
    wanted = {"viewport": PHONE, "device_scale_factor": 1.5} | how
    return Phone(browser.new_context(locale=tongue, color_scheme=look, reduced_motion="reduce", **wanted))


def shoot(browser: Browser, served: Serving, tongue: str, folder: Path) -> None:
    """Take every picture in one language."""

    def keep(shown: Phone, name: str) -> None:
        shown.page.wait_for_timeout(300)
        shown.page.screenshot(path=folder / f"{name}-{tongue}.png")

    sitting = middle(served)
    ana = phone(browser, tongue).open(sitting.link("white"))
    ana.at("label[for$='-10S']").click()
    keep(ana, "hand-phone")
    sitting.act("white", "play_card", card="10S")
    ana.sees(sitting.version())
    ana.pick("wc")
    keep(ana, "play-phone")
    ana.planned("action%3Dattack", "unit%3Dwc%26", "target%3Dbb").click()
    keep(ana, "odds-phone")
    screen = phone(browser, tongue, viewport=WIDE, device_scale_factor=1).open(sitting.link("screen"))
    ana.at("#plan button.main").click()
    ben = phone(browser, tongue, "dark").open(sitting.link("black"))
    while ben.asked.count():
        keep(ben, "question-phone")
        before = str(sitting.version())
        ben.asked.first.click()
        expect(ben.at("#state")).not_to_have_attribute("data-version", before)
    keep(screen, "screen")
    ana.at("#last summary").click()
    keep(ana, "ruling-phone")
    laptop = phone(browser, tongue, viewport=WIDE, device_scale_factor=1).open(sitting.link("rulekeeper"))
    laptop.open(sitting.page("rulekeeper", "/invite"))
    keep(laptop, "invite")
    reader = phone(browser, tongue, "dark").open(f"{served.address}/rules/search?q=bosque" if tongue == "es" else
                                                 f"{served.address}/rules/search?q=forest")  # fmt: skip
    keep(reader, "rules-phone")
    for one in (ana, ben, screen, laptop, reader):
        one.context.close()


def main() -> None:
    """Take all pictures in both languages."""
    folder = HERE / "screenshots"
    folder.mkdir(exist_ok=True)
    path = installed()
    if path is None:
        sys.exit("No browser is installed.")
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data)) as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for tongue in ("en", "es"):
            shoot(browser, served, tongue, folder)
        browser.close()


if __name__ == "__main__":
    main()
