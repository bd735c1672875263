"""One finger on a small phone, whose taps are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.phones import PICTURES

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


LARGE_ENOUGH = """
(element, pictures) => new Promise((then) => {
  const look = (left) => {
    const { width, height } = element.getBoundingClientRect();
    const large = Math.min(width, height) >= 43.9;
    if (large || left === 0) then(large);
    else requestAnimationFrame(() => look(left - 1));
  };
  look(pictures);
})
"""
"""Tell whether an element becomes as large as a finger: what it lies in may take its size a picture later."""


class Finger:
    """Tap with one finger, and count how often; what is tapped is large enough for it."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.taps = 0

    def tap(self, where: str) -> None:
        self.on(self.phone.at(where))

    def on(self, found: Locator) -> None:
        expect(found).to_be_visible()
        assert found.evaluate(LARGE_ENOUGH, PICTURES), f"{found.bounding_box()} is too small for a finger"
        found.tap()
        self.taps += 1
