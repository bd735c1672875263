"""The pictures of a table's past: what happened meanwhile, what should lie where, and the replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs.camera import keep, phone, settle

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.browser.phones import Sitting


def shoot_past(browser: Browser, sitting: Sitting, tongue: str, folder: Path) -> None:
    """Take the pictures in one language, of a battle in which White has cards to play and archers to move."""
    since = sitting.version()
    sitting.act("white", "play_card", card="10S")
    sitting.act("white", "move", unit="wh", to="h4")
    sitting.act("white", "attack", unit="wc", target="bb")
    settle(sitting, ("white", "black"))
    ben = phone(browser, tongue).open(sitting.link("black"))
    ben.open(sitting.page("black", f"/recap?since={since}"))
    ben.at(".ticks [type='checkbox']").first.check()
    keep(ben, folder, "recap-phone", tongue)
    ben.open(sitting.page("black", "/stock-take"))
    keep(ben, folder, "stock-take-phone", tongue)
    ben.open(sitting.page("black", "/replay"))
    keep(ben, folder, "replay-phone", tongue)
    ben.context.close()
