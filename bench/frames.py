"""Frames a second while the dice of a fight fall, on a phone whose processor is four times as slow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from bench.figures import Figure, percentile
from tests.browser.phones import ARGUMENTS, PHONE, Phone, installed, serving

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.browser.phones import Serving

SLOWER = 4
ROLLS = 12
FACES = [[1, 4, 2, 6, 3], [2, 5, 6, 1, 4]]
COUNT = """
() => new Promise((then) => {
  const frames = [];
  const look = (at) => {
    frames.push(at);
    if (at - frames[0] < 700) requestAnimationFrame(look);
    else {
      const long = frames.slice(1).map((one, nth) => one - frames[nth]);
      then([(1000 * long.length) / (at - frames[0]), Math.max(...long)]);
    }
  };
  new MutationObserver((_, all) => {
    if (!document.querySelector(".lies:not(:has(.slot))")) return;
    all.disconnect();
    requestAnimationFrame(look);
  }).observe(document.getElementById("main"), { childList: true, subtree: true });
  document.documentElement.dataset.ready = "";
})
"""


def measure(folder: Path) -> list[Figure]:
    """Let one side attack the other again and again, and count the frames in which its dice fall."""
    path = installed()
    assert path is not None
    with serving(folder) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        rates, gaps = zip(*(_roll(served, browser, at) for at in range(ROLLS)), strict=True)
        browser.close()
    return [
        Figure("frames a second while dice fall, p50", f"{percentile(rates, 50):.0f}", "≥ 50"),
        Figure("the fewest of all rolls", f"{min(rates):.0f}"),
        Figure("longest frame, p50", f"{percentile(gaps, 50):.0f} ms"),
    ]


def _roll(served: Serving, browser: Browser, at: int) -> tuple[float, float]:
    sitting = served.sit(dice="typed").attack()
    sitting.answer("black", value="no")
    phone = Phone(browser.new_context(viewport=PHONE)).open(sitting.link("black"))
    phone.page.context.new_cdp_session(phone.page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    with phone.page.expect_console_message(lambda said: said.text.startswith("frames")) as came:
        phone.page.evaluate(f"() => {{ ({COUNT})().then((one) => console.log('frames', one.join(' '))); }}")
        sitting.answer("white", faces=FACES[at % len(FACES)])
    _, rate, gap = came.value.text.split()
    phone.context.close()
    return float(rate), float(gap)
