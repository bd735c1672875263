"""What the browser tests take for a fault: what a script throws, not a request that was cut short or came late."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phones import PATIENCE
from tests.browser.test_board import held

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Serving

pytestmark = pytest.mark.browser

IMPATIENT = "document.addEventListener('DOMContentLoaded', () => { htmx.config.defaultTimeout = 50; })"


def test_a_request_that_took_too_long_is_no_fault_of_a_script(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en")
    ana.context.add_init_script(IMPATIENT)
    ana.page.route("**/act", lambda route: None)
    ana.open(sitting.link("white"))
    ana.play("AH")
    expect(ana.at("#unsent")).to_be_visible()
    assert ana.wrong == []


def test_a_page_waits_for_an_answer_as_long_as_a_test_does(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en")
    ana.page.clock.install()
    with held(ana):
        ana.open(sitting.link("white"))
        with ana.page.expect_request("**/act"):
            ana.play("AH")
        ana.page.clock.fast_forward(PATIENCE // 2)
        expect(ana.at("form.htmx-request")).to_have_count(1)
        expect(ana.at("#unsent")).to_be_hidden()
    expect(ana.at("#last .headline")).to_have_text("White plays One on the left")


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("setTimeout(() => { throw new Error('a fault'); })", "a fault"),
        ("Promise.reject(new TypeError('nobody catches this'))", "nobody catches this"),
        ("console.error('an extension is broken')", "an extension is broken"),
        ("console.error('htmx: htmx:error: timeouts is not defined')", "timeouts is not defined"),
    ],
)
def test_what_a_script_throws_is_a_fault(served: Serving, phones: Phones, does: str, said: str) -> None:
    ana = phones("en").open(served.address)
    ana.page.evaluate(f"() => {{ {does}; }}")
    while not ana.wrong:
        ana.page.evaluate("1")
    assert said in ana.wrong.pop()
    assert ana.wrong == []
