"""Styles as they are sent, without comments and needless space, mean what those in the files mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.web.assets import JOINED, Assets, shipped

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Serving

pytestmark = pytest.mark.browser

RULES = r"""
(css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  // what a variable is made of, or holds, is kept as it is written
  const plain = (text) => text.replace(/\s+/g, " ").replace(/ ?([,;/]) ?/g, "$1").replace(/: /g, ":");
  return [...sheet.cssRules].map((rule) => plain(rule.cssText));
}
"""


def test_styles_mean_the_same_without_their_space(served: Serving, phones: Phones) -> None:
    page, sent = phones("en").open(served.address).page, Assets().assets
    names = [path.name for path in sorted(shipped("static").glob("*.css"))]
    parts = {name: (name,) for name in names} | {name: of for name, of in JOINED.items() if name.endswith(".css")}
    for name, files in parts.items():
        meant = page.evaluate(RULES, "\n".join((shipped("static") / file).read_text("utf-8") for file in files))
        assert len(meant) > 1
        assert page.evaluate(RULES, sent[name].plain.decode()) == meant, name
