"""What the browser tests share: one Chromium and one server for all that a worker runs, phones for a test."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.phones import ARGUMENTS, PATIENCE, PHONE, Phone, installed, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.browser.phones import Serving


expect.set_options(timeout=PATIENCE)


class Phones(Protocol):
    """Give a test one more phone."""

    def __call__(self, tongue: str = "en", *, scripts: bool = True, **how: Any) -> Phone: ...


# Not the plugin's own fixtures: theirs last for the whole run, and keep an event loop in the way of other tests.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    path = installed()
    if path is None:
        why = "no browser is installed"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("tables")) as running:
        yield running


@pytest.fixture
def phones(chromium: Browser, full: bool) -> Iterator[Phones]:
    """Make phones; none of them may have met an error of a script, of the page's own rules or of the server."""
    made: list[Phone] = []

    def phone(tongue: str = "en", *, scripts: bool = True, **how: Any) -> Phone:
        wanted = {"viewport": PHONE, "locale": tongue, "java_script_enabled": scripts, "reduced_motion": "reduce"} | how
        made.append(Phone(chromium.new_context(**wanted), full=full))
        return made[-1]

    yield phone
    for one in made:
        one.context.close()
    assert [wrong for one in made for wrong in one.wrong] == []
