"""What axe finds wrong with a page as it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.browser.phones import Phone

AXE = (Path(__file__).resolve().parents[1] / "vendor" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
RUN = """
async (rules) => {
  const how = { resultTypes: ["violations"], ...(rules.length ? { runOnly: rules } : {}) };
  return (await axe.run(document, how)).violations.map(
    (one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => `${node.target} ${node.html}`).join("; ")}`
  );
}
"""
COLOURS = ["color-contrast", "link-in-text-block"]
"""What can be different in the dark: the rest of a page is the same in both looks."""


def violations(phone: Phone, rules: Sequence[str] = ()) -> list[str]:
    """Run axe, of all its rules or of some, on what a phone shows."""
    if not phone.page.evaluate("'axe' in window"):
        phone.page.evaluate(AXE)
    # A stream that is slow to speak lets the page fade for a moment: then it is looked at again.
    while (wrong := phone.page.evaluate(RUN, list(rules))) and phone.at(".is-away").count():
        expect(phone.at(".is-away")).to_have_count(0)
    return [str(one) for one in wrong]
