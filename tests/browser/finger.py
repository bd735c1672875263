"""One finger on a small phone, whose taps are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator

    from tests.browser.phones import Phone

SMALL = {"viewport": {"width": 360, "height": 640}, "has_touch": True}


def touching(phone: Phone) -> Callable[..., None]:
    """What touches the glass at points of the page: ``touchStart``, ``touchMove`` and ``touchEnd``."""
    wire = phone.context.new_cdp_session(phone.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    return touch


class Finger:
    """Tap with one finger, and count how often; what is tapped is large enough for it."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.taps = 0

    def tap(self, where: str) -> None:
        self.on(self.phone.at(where))

    def on(self, found: Locator) -> None:
        expect(found).to_be_visible()
        box = found.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 43.9, f"{box} is too small for a finger"
        found.tap()
        self.taps += 1
