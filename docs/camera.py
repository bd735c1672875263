"""A phone in hand and the picture of what it shows, for the pictures of the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.kit.questions import Choose
from tests.browser.phones import PHONE, Phone, Sitting

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.browser.phones import Serving


def phone(browser: Browser, tongue: str, look: str = "light", **how: object) -> Phone:
    """Take a phone in hand."""
    wanted = {"viewport": PHONE, "device_scale_factor": 1.5, "reduced_motion": "reduce"} | how
    context = browser.new_context(locale=tongue, color_scheme=look, **wanted)
    context.add_init_script("localStorage.setItem('sound', 'off')")  # whether it may sound is asked in no picture
    return Phone(context)


def keep(shown: Phone, folder: Path, name: str, tongue: str) -> None:
    """Keep a picture of what a phone shows."""
    shown.page.evaluate("document.dispatchEvent(new Event('pointerdown'))")  # whoever is called has seen it
    shown.page.wait_for_timeout(300)
    shown.page.screenshot(path=folder / f"{name}-{tongue}.png")


SIZES = {"small": (360, 640), "side": (844, 390), "laptop": (1280, 800)}


def on_three_sizes(browser: Browser, link: str, folder: Path, game: str, pick: str = "") -> None:
    """Keep a picture of one seat's page on a small phone, on a phone on its side and on a laptop, a piece picked."""
    for size, (width, height) in SIZES.items():
        viewport = {"width": width, "height": height}
        shown = phone(browser, "en", viewport=viewport, device_scale_factor=1).open(link)
        if pick:
            shown.pick(pick)
        keep(shown, folder, f"{game}-{size}", "en")
        shown.context.close()


def sit(served: Serving, game: str, *seats: str) -> Sitting:
    """Set a table of a game with decks up, at which Ana and Ben sit; each takes the sample deck of the seat."""
    made = served.tables.create(game, "", {}, {"rulekeeper": "Ruth"}, "app")
    tokens = dict(made.tokens)
    for seat, name in zip(seats, ("Ana", "Ben"), strict=True):
        tokens[seat] = served.tables.join(made.table, seat, name)
    sitting = Sitting(served, made.table, tokens)
    for seat in seats:
        sitting.act(seat, "use_sample", sample=f"{seat}_sample")
    return sitting


def settle(sitting: Sitting, seats: tuple[str, ...], chosen: int = 0, **wanted: str) -> None:
    """Answer whatever is asked: roll, choose what is ``wanted`` by its key, or else the choice ``chosen``."""
    while asked := next(filter(None, (sitting.tables.seen(sitting.table, seat).asked for seat in seats)), None):
        if not isinstance(asked.question, Choose):
            sitting.answer(asked.seat, roll=True)
            continue
        values = [option.value for option in asked.question.options if option.barred is None]
        sitting.answer(asked.seat, value=wanted.get(asked.question.key, values[chosen]))
