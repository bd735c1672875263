"""From an event to its picture: what another seat did, on a phone whose processor is six times as slow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from bench.figures import Figure, percentile
from companion.games import discover
from tests.browser.phones import ARGUMENTS, PHONE, Phone, installed, serving
from tests.browser.walk import RandomTable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.browser.phones import Serving

SLOWER = 6
GAMES = ("two_cities", "chesswar", "history_of_war", "tactics_2gm")
BEGUN, CHANGES = 40, 40
"""So many steps of a random game are taken before the first change that is measured, and so many are measured."""
REST = 250
"""Milliseconds between two changes, in which a phone does what can wait."""
WATCH = """
(() => {
  const read = ReadableStreamDefaultReader.prototype.read;
  let came = 0;
  ReadableStreamDefaultReader.prototype.read = function (...all) {
    const chunk = read.apply(this, all);
    chunk.then(() => { came = performance.now(); }, () => {});
    return chunk;
  };
  const drawn = () => new Promise((then) => requestAnimationFrame(() => {
    const after = new MessageChannel();
    after.port1.onmessage = then;
    after.port2.postMessage(0);
  }));
  let tell = () => {};
  window.nextPicture = () => { window.picture = new Promise((then) => { tell = then; }); };
  document.addEventListener("htmx:after:swap", async ({ detail: { ctx } }) => {
    const [at, parts] = [came, Boolean(ctx.change)];
    await drawn();
    tell([parts, performance.now() - at]);
  });
})();
"""


def measure(folder: Path) -> list[Figure]:
    """Let others act at random tables, and look at each of their changes on one phone."""
    path = installed()
    assert path is not None
    with serving(folder) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        took = {slug: list(_changes(served, browser, slug)) for slug in GAMES}
        browser.close()
    return [
        Figure(
            f"{slug}: p50 / p90 of {len(times)} events, ms",
            f"{percentile(times, 50):.0f} / {percentile(times, 90):.0f}",
            "p50 ≤ 100",
        )
        for slug, times in took.items()
    ]


def _changes(served: Serving, browser: Browser, slug: str) -> Iterator[float]:
    count = 0
    for seed in range(3, 100):
        table = RandomTable(served, discover()[slug], seed)
        if table.alone:
            continue
        table.play(BEGUN)
        phone = Phone(browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True))
        phone.context.add_init_script(WATCH)
        watcher = table.seats[-1]
        phone.open(table.sitting.link(watcher)).sees(table.sitting.version())
        phone.page.wait_for_timeout(1500)
        phone.page.context.new_cdp_session(phone.page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        while count < CHANGES and not table.over():
            phone.page.evaluate("nextPicture()")
            if not table.step():
                break
            in_parts, took = phone.page.evaluate("picture")
            if in_parts and table.tapped != watcher:
                count += 1
                yield took
            phone.page.wait_for_timeout(REST)
        phone.context.close()
        if count >= CHANGES:
            return
